"""Renders the features of Kustomize that deploy/kubernetes uses, for machines without kubectl and kustomize.

Strict: a field that it does not know is an error, never passed over. .ci/check_deploy.py holds it to the real one where
that is installed.
"""

import copy
import json
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

KNOWN = {
    "apiVersion", "kind", "namespace", "resources", "components", "patches", "labels", "configMapGenerator",
    "generatorOptions", "images",
}  # fmt: skip


class KustomizeError(Exception):
    """A part that cannot be rendered, and its place."""


def load(path: Path) -> list[Any]:
    documents = YAML(typ="safe", pure=True).load_all(path.read_text("utf-8"))
    # Converted by JSON, because the uses of an alias are one object, and a label for one would be for all.
    return [json.loads(json.dumps(document)) for document in documents if document]


def expect(node: dict[str, Any], known: set[str], where: str) -> None:
    if unknown := node.keys() - known:
        raise KustomizeError(f"{where}: {sorted(unknown)} is not understood")


def render(folder: Path) -> list[dict[str, Any]]:
    """Renders an overlay.

    Returns its resources, as `kubectl kustomize` prints them, in no certain order.
    """
    return build(folder, [], "Kustomization")


def build(folder: Path, resources: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    where = str(folder)
    (plan,) = load(folder / "kustomization.yaml")
    expect(plan, KNOWN, where)
    if plan.get("kind") != kind:
        raise KustomizeError(f"{where}: is a {plan.get('kind')}, not a {kind}")
    for name in plan.get("resources", []):
        path = folder / name
        resources += build(path.resolve(), [], "Kustomization") if path.is_dir() else load(path)
    resources += [config_map(folder, entry, plan) for entry in plan.get("configMapGenerator", [])]
    for name in plan.get("components", []):
        resources = build((folder / name).resolve(), resources, "Component")
    names = [identity(resource) for resource in resources]
    if twice := {name for name in names if names.count(name) > 1}:
        raise KustomizeError(f"{where}: twice there: {twice}")
    for patch in plan.get("patches", []):
        apply(folder, patch, resources)
    for resource in resources:
        if "namespace" in plan:
            resource["metadata"]["namespace"] = plan["namespace"]
        for entry in plan.get("labels", []):
            expect(entry, {"pairs"}, where)
            resource["metadata"].setdefault("labels", {}).update(entry["pairs"])
        for entry in plan.get("images", []):
            expect(entry, {"name", "newName", "newTag"}, where)
            for container in containers(resource):
                if container["image"].split(":")[0] == entry["name"]:
                    container["image"] = f"{entry['newName']}:{entry['newTag']}"
    return resources


def identity(resource: dict[str, Any]) -> tuple[str, str]:
    return resource["kind"], resource["metadata"]["name"]


def containers(resource: dict[str, Any]) -> list[dict[str, Any]]:
    pod = resource.get("spec", {}).get("template", {}).get("spec", {})
    return [*pod.get("initContainers", []), *pod.get("containers", [])]


def config_map(folder: Path, entry: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
    expect(entry, {"name", "files"}, str(folder))
    if plan.get("generatorOptions") != {"disableNameSuffixHash": True}:
        raise KustomizeError(f"{folder}: only names without a digest are understood")
    data = {Path(name).name: (folder / name).read_text("utf-8") for name in entry["files"]}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": entry["name"]}, "data": data}


def apply(folder: Path, patch: dict[str, Any], resources: list[dict[str, Any]]) -> None:
    expect(patch, {"target", "path", "patch", "options"}, str(folder))
    target = patch["target"]
    expect(target, {"group", "kind", "name"}, str(folder))
    found = [
        resource
        for resource in resources
        if identity(resource) == (target["kind"], target["name"])
        and resource["apiVersion"].split("/")[0] == target.get("group", "")
    ]
    if len(found) != 1:
        raise KustomizeError(f"{folder}: a patch is for {len(found)} resources: {target}")
    text = (folder / patch["path"]).read_text("utf-8") if "path" in patch else patch["patch"]
    operations = YAML(typ="safe", pure=True).load(text)
    if not isinstance(operations, list):
        raise KustomizeError(f"{folder}: only JSON patches are understood: {target}")
    before = identity(found[0])
    for operation in operations:
        change(found[0], operation, f"{folder}: {target['name']}")
    if identity(found[0]) != before and patch.get("options") != {"allowKindChange": True}:
        raise KustomizeError(f"{folder}: a patch changes kind or name: {target}")


def change(document: Any, operation: dict[str, Any], where: str) -> None:
    """One operation of a JSON patch, RFC 6902."""
    act, path = operation["op"], operation["path"]
    *parents, last = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
    node = document
    try:
        for part in parents:
            node = node[int(part)] if isinstance(node, list) else node[part]
        if isinstance(node, list):
            if act != "add" or last != "-":
                raise KustomizeError(f"{where}: {act} {path} is not understood")
            node.append(copy.deepcopy(operation["value"]))
        elif act == "remove":
            del node[last]
        elif act == "add" or (act == "replace" and last in node):
            node[last] = copy.deepcopy(operation["value"])
        else:
            raise KeyError(last)
    except (KeyError, IndexError) as missing:
        raise KustomizeError(f"{where}: {act} {path}: there is no {missing}") from None
