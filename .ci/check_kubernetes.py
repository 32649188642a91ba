"""Checks the manifests of deploy/kubernetes against Kubernetes' schemas and each other; part of .ci/check_deploy.py."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

import kustomize
from check_compose import seconds
from check_shipped import CONFIGURATION, read_json, require

# The oldest version that has every used field, and the newest known version.
VERSIONS = ["1.31", kubernetes_validate.latest_version()]
USER = 10001

# No schema of KEDA is available offline; this one has only the fields that we use.
SCALED_OBJECT = {
    "type": "object",
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {
        "apiVersion": {"const": "keda.sh/v1alpha1"},
        "kind": {"const": "ScaledObject"},
        "metadata": {"type": "object"},
        "spec": {
            "type": "object",
            "additionalProperties": False,
            "required": ["scaleTargetRef", "minReplicaCount", "maxReplicaCount", "triggers"],
            "properties": {
                "scaleTargetRef": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["apiVersion", "kind", "name"],
                    "properties": {
                        "apiVersion": {"const": "apps/v1"},
                        "kind": {"enum": ["Deployment", "StatefulSet"]},
                        "name": {"type": "string"},
                    },
                },
                # Two, so that one works while the session of a dead one ends.
                "minReplicaCount": {"type": "integer", "minimum": 2},
                "maxReplicaCount": {"type": "integer", "minimum": 2},
                "pollingInterval": {"type": "integer", "minimum": 1},
                "advanced": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "horizontalPodAutoscalerConfig": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "behavior": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["scaleDown"],
                                    "properties": {
                                        "scaleUp": {"$ref": "#/$defs/rules"},
                                        "scaleDown": {"$ref": "#/$defs/rules"},
                                    },
                                }
                            },
                        }
                    },
                },
                "triggers": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["type", "metadata"],
                        "properties": {
                            "type": {"const": "prometheus"},
                            "metricType": {"enum": ["Value", "AverageValue"]},
                            "metadata": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["serverAddress", "query", "threshold"],
                                "properties": {
                                    "serverAddress": {"type": "string", "pattern": "^https?://"},
                                    "query": {"type": "string"},
                                    # KEDA accepts only texts here.
                                    "threshold": {"type": "string", "pattern": "^[0-9.]+$"},
                                },
                            },
                        },
                    },
                },
            },
        },
    },
    "$defs": {
        "rules": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "stabilizationWindowSeconds": {"type": "integer", "minimum": 0, "maximum": 3600},
                "policies": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["type", "value", "periodSeconds"],
                        "properties": {
                            "type": {"enum": ["Pods", "Percent"]},
                            "value": {"type": "integer", "minimum": 1},
                            "periodSeconds": {"type": "integer", "minimum": 1, "maximum": 1800},
                        },
                    },
                },
            },
        }
    },
}


class Overlay:
    """One rendered overlay and its checks."""

    def __init__(self, root: Path, name: str, tool: list[str] | None, versions: list[str] = VERSIONS) -> None:
        folder = root / "deploy/kubernetes/overlays" / name
        self.root = root
        self.name = name
        self.versions = versions
        own = kustomize.render(folder)
        self.resources = {kustomize.identity(resource): resource for resource in own}
        if tool:
            output = subprocess.run([*tool, folder], capture_output=True, text=True, timeout=60)
            require(output.returncode == 0, f"{name}: {' '.join(tool)}: {output.stderr}")
            theirs = {kustomize.identity(one): one for one in YAML(typ="safe", pure=True).load_all(output.stdout)}
            differ = [key for key in theirs.keys() | self.resources if theirs.get(key) != self.resources.get(key)]
            require(not differ, f"{name}: .ci/kustomize.py and {' '.join(tool)} differ on {differ}")

    def all(self, kind: str) -> dict[str, Any]:
        return {name: resource for (found, name), resource in self.resources.items() if found == kind}

    def check(self) -> str:
        for (kind, name), resource in self.resources.items():
            require("namespace" in resource["metadata"], f"{kind} {name}: no namespace")
            require(kind != "Secret", f"{name}: a secret has no place in a repository")
            if kind == "ScaledObject":
                faults = [error.message for error in Draft202012Validator(SCALED_OBJECT).iter_errors(resource)]
                require(not faults, f"{kind} {name}: {faults}")
                continue
            for version in self.versions:
                try:
                    kubernetes_validate.validate(resource, version, strict=True)
                except kubernetes_validate.ValidationError as error:
                    place = "/".join(map(str, error.path))
                    require(False, f"{kind} {name}: /{place}: {error.message[:200]} (Kubernetes {version})")
        (configuration,) = self.all("ConfigMap").values()
        settings = YAML(typ="safe", pure=True).load(configuration["data"]["newsflash.yaml"])
        schema = read_json((self.root / f"schemas/{CONFIGURATION}.schema.json").read_text("utf-8"))
        faults = [error.message[:200] for error in Draft202012Validator(schema).iter_errors(settings)]
        require(not faults, f"newsflash.yaml: {faults}")
        workloads = self.all("Deployment") | self.all("StatefulSet")
        for name, workload in workloads.items():
            self.check_pod(name, workload, settings)
        self.check_users(workloads, settings)
        self.check_worker(workloads["newsflash"], settings)
        self.check_gateway(workloads["newsflash-gateway"])
        self.check_selectors(workloads)
        self.check_scaling(workloads["newsflash"])
        self.check_pages()
        count = len(self.resources)
        return f"kubernetes {self.name}: {count} resources fit Kubernetes {' and '.join(self.versions)}, KEDA and each other"

    def check_pod(self, name: str, workload: dict[str, Any], settings: dict[str, Any]) -> None:
        """The pods are restricted and have the files of the configuration; those that serve have enough time to stop."""
        pod = workload["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        require(re.search(r"/.*:(?!latest$)[^/:]+$", container["image"]) is not None, f"{name}: {container['image']}")
        user = pod["securityContext"]
        require(user.get("runAsNonRoot") is True and user.get("runAsUser") == USER, f"{name}: user is not {USER}")
        require(user.get("seccompProfile") == {"type": "RuntimeDefault"}, f"{name}: every system call is open")
        closed = {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        require(container.get("securityContext") == closed, f"{name}: securityContext is not {closed}")
        require(pod.get("automountServiceAccountToken") is False, f"{name}: has a token of the cluster")
        require(pod.get("enableServiceLinks") is False, f"{name}: Services would set NEWSFLASH_ variables")
        require("memory" in container["resources"]["limits"], f"{name}: no limit of memory")
        require("cpu" not in container["resources"]["limits"], f"{name}: a limit of CPU makes flashes wait")
        serves = "ports" in container
        if serves:
            self.check_serving(name, pod, container, settings)
        mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
        require({volume["name"] for volume in pod["volumes"]} == mounts.keys(), f"{name}: volumes and mounts differ")
        for mount in mounts.values():
            require("subPath" not in mount, f"{name}: {mount['mountPath']} would never change")
            require(mount.get("readOnly") is True, f"{name}: {mount['mountPath']} is writable")
        # The pod for commands sends nothing itself.
        needed = settings if serves else {key: value for key, value in settings.items() if key != "hubs"}
        files = [part for part in re.findall(r'"(/[^"]+)"', json.dumps(needed))]
        files += [argument.split("=")[-1] for argument in container.get("args", []) if "/" in argument]
        folders = tuple(f"{mount['mountPath']}/" for mount in mounts.values())
        lost = [file for file in files if not file.startswith(folders)]
        require(not lost, f"{name}: nothing is mounted at {lost}")
        for volume in pod["volumes"]:
            if "secret" in volume:
                mode = volume["secret"].get("defaultMode")
                require(mode == 0o440, f"{name}: {volume['name']} has mode {mode}, not 0440")

    @staticmethod
    def check_serving(name: str, pod: dict[str, Any], container: dict[str, Any], settings: dict[str, Any]) -> None:
        grace, drain = pod["terminationGracePeriodSeconds"], seconds(settings["delivery"]["drain"])
        require(grace > drain + 10, f"{name}: terminationGracePeriodSeconds {grace} is not well over drain {drain}")
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            require(container[probe]["httpGet"]["port"] in ports, f"{name}: {probe} asks a port that is not there")
        require(container["livenessProbe"]["httpGet"]["path"] == "/livez", f"{name}: liveness is not /livez")

    @staticmethod
    def check_users(workloads: dict[str, Any], settings: dict[str, Any]) -> None:
        """Each workload has a Kafka user and a password of its own, because their rights differ."""
        users, secrets = [], []
        for workload in workloads.values():
            pod = workload["spec"]["template"]["spec"]
            variables = {entry["name"]: entry.get("value") for entry in pod["containers"][0].get("env", [])}
            users.append(variables.get("NEWSFLASH_KAFKA_SASL_USERNAME", settings["kafka"]["sasl"]["username"]))
            (volume,) = [volume for volume in pod["volumes"] if volume["name"] == "kafka"]
            secrets.append(volume["secret"]["secretName"])
        for names in (users, secrets):
            require(len(set(names)) == len(names), f"two workloads share a Kafka user or its password: {sorted(names)}")

    def check_worker(self, workload: dict[str, Any], settings: dict[str, Any]) -> None:
        container = workload["spec"]["template"]["spec"]["containers"][0]
        variables = {entry["name"]: entry for entry in container["env"]}
        # An open circuit must neither restart a pod nor block the rollout that fixes it.
        for probe in ("startupProbe", "readinessProbe"):
            require(container[probe]["httpGet"]["path"] == "/livez", f"{probe}: a held line would stop a rollout")
        require(workload["spec"].get("minReadySeconds", 0) >= 10, "a rollout would not wait for a worker to join")
        port = variables["NEWSFLASH_ADMIN_LISTEN"]["value"].rsplit(":", 1)[1]
        require(container["ports"] == [{"name": "admin", "containerPort": int(port)}], f"the worker listens on {port}")
        annotations = workload["spec"]["template"]["metadata"]["annotations"]
        require(annotations["prometheus.io/port"] == port, f"Prometheus is sent elsewhere than {port}")
        instance = variables.get("NEWSFLASH_KAFKA_INSTANCE")
        require("instance" not in settings["kafka"], "one kafka.instance for all workers")
        if workload["kind"] == "StatefulSet":
            named = {"fieldRef": {"fieldPath": "metadata.name"}}
            require(instance is not None and instance.get("valueFrom") == named, "kafka.instance is not the pod's name")
            service = self.all("Service").get(workload["spec"]["serviceName"])
            require(service is not None and service["spec"].get("clusterIP") == "None", "no headless Service")
        else:
            require(instance is None, "kafka.instance in a Deployment, whose pods have new names each time")
            update = workload["spec"]["strategy"]["rollingUpdate"]
            require(update == {"maxSurge": 1, "maxUnavailable": 0}, f"a rollout takes workers away: {update}")

    def check_gateway(self, workload: dict[str, Any]) -> None:
        """It listens on the ports of the pod, and Prometheus scrapes the one with metrics."""
        pod = workload["spec"]["template"]
        (container,) = pod["spec"]["containers"]
        ports = {entry["name"]: entry["containerPort"] for entry in container["ports"]}
        options = dict(argument.split("=", 1) for argument in container["args"] if "=" in argument)
        bound = {"https": int(options["--listen"].rsplit(":", 1)[1])}
        bound["admin"] = int(options["--admin-listen"].rsplit(":", 1)[1])
        require(ports == bound, f"the gateway listens on {bound}, its pod has {ports}")
        port = pod["metadata"]["annotations"]["prometheus.io/port"]
        require(port == str(bound["admin"]), f"Prometheus is sent to {port}, metrics are at {bound['admin']}")

    def check_selectors(self, workloads: dict[str, Any]) -> None:
        """Every selector matches the pods of exactly one workload, and these pods have every named port."""
        kafka = set()
        for (kind, name), resource in self.resources.items():
            spec = resource.get("spec", {})
            if kind in ("PodDisruptionBudget", "Deployment", "StatefulSet"):
                selector = spec["selector"]["matchLabels"]
            elif kind == "NetworkPolicy":
                selector = spec["podSelector"]["matchLabels"]
                require(set(spec["policyTypes"]) == {"Ingress", "Egress"}, f"{name}: leaves a direction open")
            elif kind == "Service":
                selector = spec["selector"]
            else:
                continue
            labels = {
                workload: entry["spec"]["template"]["metadata"]["labels"] for workload, entry in workloads.items()
            }
            chosen = [workload for workload, own in labels.items() if selector.items() <= own.items()]
            require(len(chosen) == 1, f"{kind} {name} is for {chosen}")
            ports = workloads[chosen[0]]["spec"]["template"]["spec"]["containers"][0].get("ports", [])
            names = {port["name"] for port in ports}
            asked = [port["port"] for rule in spec.get("ingress", []) for port in rule["ports"]]
            asked += [port["targetPort"] for port in spec.get("ports", [])]
            require(set(asked) <= names, f"{kind} {name}: {asked} are not among the ports {names}")
            for rule in spec.get("egress", []):
                kafka |= {port["port"] for port in rule["ports"] if "kafka" in json.dumps(rule["to"])}
        (configuration,) = self.all("ConfigMap").values()
        server = YAML(typ="safe", pure=True).load(configuration["data"]["newsflash.yaml"])["kafka"]["bootstrapServers"]
        require(kafka == {int(server.rsplit(":", 1)[1])}, f"the policies let {kafka} out, Kafka is {server}")
        for name, workload in workloads.items():
            if "ports" not in workload["spec"]["template"]["spec"]["containers"][0]:
                continue
            guarded = [budget["spec"]["selector"]["matchLabels"] for budget in self.all("PodDisruptionBudget").values()]
            own = workloads[name]["spec"]["selector"]["matchLabels"]
            require(own in guarded, f"{name}: whoever drains a node may take all of them")

    def check_scaling(self, worker: dict[str, Any]) -> None:
        for name, scaled in self.all("ScaledObject").items():
            target = scaled["spec"]["scaleTargetRef"]
            same = (target["kind"], target["name"]) == kustomize.identity(worker)
            require(same, f"{name} scales {target['kind']} {target['name']}, which is not there")
            require("replicas" not in worker["spec"], "each apply would set the count back that KEDA has chosen")
            topics = YAML(typ="safe", pure=True).load((self.root / "schemas/asyncapi.yaml").read_text("utf-8"))
            partitions = topics["channels"]["breaking"]["bindings"]["kafka"]["partitions"]
            most = scaled["spec"]["maxReplicaCount"]
            require(most <= partitions, f"{most} workers for {partitions} partitions")
            behavior = scaled["spec"]["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]
            slow = behavior["scaleDown"]["stabilizationWindowSeconds"]
            require(slow >= 600, f"{name}: scales down after {slow} s already")

    def check_pages(self) -> None:
        """The pages name only workloads that exist in an overlay of their kind."""
        kind = "StatefulSet" if self.all("StatefulSet") else "Deployment"
        for page in sorted((self.root / "deploy").rglob("*.md")):
            named = set(re.findall(rf"\b{kind.lower()}/([a-z][a-z0-9-]*)", page.read_text("utf-8")))
            lost = named - self.all(kind).keys()
            require(not lost, f"{page.name}: no overlay has {kind.lower()}/{', '.join(sorted(lost))}")

    def queries(self) -> list[str]:
        """The Prometheus query for scaling."""
        scaled = self.all("ScaledObject").values()
        return [trigger["metadata"]["query"] for one in scaled for trigger in one["spec"]["triggers"]]
