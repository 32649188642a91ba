"""Compares schemas, samples and deployment files with each other; .ci/check-shipped installs the imports."""

import argparse
import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from ruamel.yaml import YAML

EVENT = "breaking-news-event-v1"
OUTCOME = "breaking-news-outcome-v1"
CONFIGURATION = "newsflash-configuration-v1"

# Changes to a schema's first example that the schema must refuse.
DAMAGES: dict[str, list[dict[str, Any]]] = {
    EVENT: [
        {"v": 2},
        {"id": "with blank"},
        {"revision": 0},
        {"kind": "breaking"},
        {"published": "2026-03-02T09:40:00"},
        {"categories": []},
        {"text": {}},
        {"text": {"en": {"summary": "no headline"}}},
        {"text": {"not a tag!": {"headline": "x"}}},
        {"url": "http://news.example.org/"},
        {"mode": "dry"},
    ],
    OUTCOME: [
        {"outcome": "lost"},
        {"outcome": "expired"},
        {"outcome": "held", "reason": "held.embargo"},
        {"final": False},
        {"targets": []},
        {"reason": "duplicate"},
        {"warn": ["two words"]},
        {"kind": "breaking"},
    ],
    CONFIGURATION: [
        {"version": 2},
        {"hubs": {"main": {"name": "regional"}}},
        {"categories": {"two words": ["world"]}},
        {"send": {"tags": "breaking news"}},
        {"send": {"maximumTags": 21}},
        {"kafka": {"properties": {"acks": "0"}}},
        {"kafka": {"properties": {"group.instance.id": "a"}}},
        {"kafka": {"assignment": "sticky"}},
        {"kafka": {"instance": "worker 1"}},
        {"ledger": {"use": "maybe"}},
        {"delivery": {"drain": "20"}},
        {"locales": {"offered": ["en"], "default": "en", "timeZone": {"en": "/etc/localtime"}}},
        {"policy": {"approvals": {"kill": 1}}},
        {"policy": {"approvals": {"flash": 10}}},
        {"policy": {"volumeLimits": {"all": "6 per 10m per story"}}},
        {"policy": {"volumeLimits": {"all": "often"}}},
        {"policy": {"caps": {"World": "0 per day"}}},
        {"policy": {"caps": {"World": []}}},
        {"policy": {"quiet": {"hours": "22-7"}}},
        {"policy": {"quiet": {"hours": "22:00-07:00", "then": "drop"}}},
        {"policy": {"quiet": {"hours": "22:00-07:00", "urgency": "0..9"}}},
        {"policy": {"quiet": {"urgency": "4..9"}}},
        {"admin": {"listen": "9464"}},
        {"gateway": {"bearer": {"algorithm": "none", "keyFile": "key"}}},
        {"gateway": {"publishers": ["a || b"]}},
        {"gateway": {"bearer": {"algorithm": "RS256", "keyFile": "key"}}},
        {"gateway": {"rate": {"perUser": 0}}},
        {"gateway": {"rate": {"wrongPerName": "often"}}},
        {"gateway": {"trustedProxies": ["proxy.example.org"]}},
    ],
}


class Fault(Exception):
    """A shipped file is wrong; one line per finding."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise Fault(message)


def read_json(text: str) -> Any:
    """Reads JSON as strictly as the worker: no duplicate names, no NaN."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        require(len(names) == len(set(names)), f"a name stands twice in one object: {names}")
        return dict(pairs)

    def constant(name: str) -> None:
        raise Fault(f"{name} is not JSON")

    return json.loads(text, object_pairs_hook=members, parse_constant=constant)


def read_yaml(path: Path, *, as_text: bool = False) -> Any:
    """Reads YAML 1.2 like an editor, or with every scalar as text, like the worker."""
    return named(YAML(typ="base" if as_text else "safe", pure=True).load(path.read_text(encoding="utf-8")))


def named(value: Any) -> Any:
    """The value with all names as texts, as in JSON: for an editor the name in `1: flash` is a number."""
    if isinstance(value, dict):
        return {str(key): named(child) for key, child in value.items()}
    return [named(child) for child in value] if isinstance(value, list) else value


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value inside a document with its path."""
    yield path, value
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def pointer(path: tuple[Any, ...]) -> str:
    return "/" + "/".join(str(part) for part in path)


class Shipped:
    """The shipped files and their checks; each check returns a description of what is correct."""

    def __init__(self, root: Path, outcomes: Path | None, program: Path | None) -> None:
        self.root = root
        self.data = root / "Tests/Data"
        self.outcomes = outcomes
        self.program = program
        self.schemas: dict[str, Any] = {}

    def checks(self) -> Iterator[Callable[[], str]]:
        yield self.check_schemas
        yield self.check_examples
        yield self.check_sample_configuration
        yield self.check_example_configurations
        yield self.check_topics
        if self.program:
            yield self.check_topic_settings
        yield self.check_data_events
        yield self.check_data_malformed
        yield self.check_data_configuration
        if self.outcomes:
            yield self.check_outcomes

    def faults(self, name: str, document: Any) -> list[str]:
        """The faults of a document by a schema; `format` is checked only for instants, because no pattern knows the calendar."""
        validator = Draft202012Validator(self.schemas[name], format_checker=FormatChecker(["date-time"]))
        return [
            f"{pointer(tuple(error.absolute_path))}: {error.message[:200]}" for error in validator.iter_errors(document)
        ]

    def hold(self, name: str, document: Any, what: str) -> None:
        faults = self.faults(name, document)
        require(not faults, "\n".join(f"{what} {fault}" for fault in faults))

    def check_schemas(self) -> str:
        for path in sorted((self.root / "schemas").glob("*.schema.json")):
            self.schemas[path.name.removesuffix(".schema.json")] = read_json(path.read_text(encoding="utf-8"))
        missing = {EVENT, OUTCOME, CONFIGURATION} - self.schemas.keys()
        require(not missing, f"schemas are missing: {missing}")
        for name, schema in self.schemas.items():
            Draft202012Validator.check_schema(schema)
            require(schema.get("$schema") == Draft202012Validator.META_SCHEMA["$id"], f"{name}: $schema is not 2020-12")
            self.check_conventions(name, schema)
        identifiers = [schema.get("$id") for schema in self.schemas.values()]
        require(len({*identifiers, None}) == len(identifiers) + 1, f"$id missing or twice: {identifiers}")
        return f"schemas: {len(self.schemas)} are JSON Schema 2020-12 and keep our conventions"

    def check_conventions(self, name: str, schema: Any) -> None:
        data = ("examples", "default", "const", "enum")
        for path, node in places(schema):
            if not isinstance(node, dict) or any(part in data for part in path) or path[-1:] == ("properties",):
                continue
            where = f"{name}{pointer(path)}"
            for keyword in ("unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "prefixItems"):
                require(keyword not in node, f"{where}: {keyword} is read differently by older tools")
            # The audience is the exception: an unknown member there may narrow it.
            if name.startswith("breaking-news-") and path[-1:] != ("audience",):
                require(node.get("additionalProperties") is not False, f"{where}: a published contract stays open")
            if node.get("type") == "array":
                require("maxItems" in node, f"{where}: an array without maxItems")
            if "format" in node and "type" in node:
                require("pattern" in node, f"{where}: a format without a pattern")
            if isinstance(node.get("pattern"), str):
                re.compile(node["pattern"])
            if isinstance(node.get("$ref"), str):
                target = schema
                for part in node["$ref"].removeprefix("#/").split("/"):
                    require(isinstance(target, dict) and part in target, f"{where}: {node['$ref']} leads nowhere")
                    target = target[part]

    def check_examples(self) -> str:
        count = 0
        for name, schema in self.schemas.items():
            require(bool(schema.get("examples")), f"{name} has no examples")
            for index, example in enumerate(schema["examples"]):
                what = f"{name} example {index}"
                self.hold(name, example, what)
                for member in schema["required"]:
                    damaged = {key: value for key, value in example.items() if key != member}
                    require(bool(self.faults(name, damaged)), f"{what} passes without {member}")
                count += 1
        for name, changes in DAMAGES.items():
            for change in changes:
                damaged = self.schemas[name]["examples"][0] | change
                require(bool(self.faults(name, damaged)), f"{name} passes its first example with {change}")
        return f"schemas: {count} examples are valid, and none without a required member"

    def check_configuration(self, path: Path) -> None:
        """Valid as read by an editor and by the worker, and closed against misspelt keys everywhere."""
        for as_text in (False, True):
            self.hold(CONFIGURATION, read_yaml(path, as_text=as_text), path.name)
        document = read_yaml(path)
        for place in [place for place, value in places(document) if isinstance(value, dict)]:
            damaged = copy.deepcopy(document)
            target = damaged
            for part in place:
                target = target[part]
            target["not a key!"] = "x"
            require(bool(self.faults(CONFIGURATION, damaged)), f"an unknown key at {pointer(place)} passes")

    def check_sample_configuration(self) -> str:
        self.check_configuration(self.root / "deploy/newsflash.yaml")
        return "deploy/newsflash.yaml: valid, and an unknown key anywhere in it is refused"

    def check_example_configurations(self) -> str:
        files = sorted((self.root / "deploy/examples").glob("*.yaml"))
        require(len(files) >= 4, f"deploy/examples has {len(files)} configurations")
        for file in files:
            self.check_configuration(file)
        return f"deploy/examples: {len(files)} configurations are valid, and an unknown key anywhere in them is refused"

    def check_topics(self) -> str:
        document = read_yaml(self.root / "schemas/asyncapi.yaml")
        described = {channel["address"] for channel in document["channels"].values()}
        configuration = self.schemas[CONFIGURATION]
        topics = configuration["properties"]["topics"]["properties"]
        written = {topic["default"] for topic in topics.values()}
        read = {configuration["$defs"]["source"]["properties"]["topic"]["default"]}
        require(described == written | read, f"asyncapi.yaml describes {described}, defaults are {written | read}")
        examples = self.check_messages(document)
        return f"asyncapi.yaml: its {len(described)} topics are the configuration's defaults, {examples} examples fit"

    @staticmethod
    def check_messages(document: Any) -> int:
        """The inline schemas are schemas, accept their examples, and refuse them without a required member."""
        count = 0
        for name, message in document["components"]["messages"].items():
            payload, headers = message.get("payload", {}), message.get("headers", {})
            for schema in (payload.get("schema", payload), headers.get("schema", headers)):
                if "$ref" in schema:
                    continue
                Draft202012Validator.check_schema(schema)
                validator = Draft202012Validator(schema)
                for example in schema.get("examples", []):
                    faults = [error.message for error in validator.iter_errors(example)]
                    require(not faults, f"{name}: {faults}")
                    for member in schema["required"]:
                        damaged = {key: value for key, value in example.items() if key != member}
                        require(not validator.is_valid(damaged), f"{name}: its example passes without {member}")
                    count += 1
        require(count >= 4, f"asyncapi.yaml has {count} examples")
        return count

    def check_topic_settings(self) -> str:
        """The document has exactly the topic settings that the program uses."""
        command = [self.program, "topics", "plan", "--brokers", "unasked:9092", "--offline", "--json"]
        own = {name: value for name, value in os.environ.items() if not name.startswith("NEWSFLASH_")}
        output = subprocess.run(command, env=own, capture_output=True, check=True, text=True, timeout=60).stdout
        made = {topic["topic"]: topic["create"] for topic in map(read_json, output.splitlines())}
        channels = read_yaml(self.root / "schemas/asyncapi.yaml")["channels"].values()
        require({channel["address"] for channel in channels} == made.keys(), f"the program makes {made.keys()}")
        faults = []
        for channel in channels:
            address, binding = channel["address"], channel["bindings"]["kafka"]
            described = {
                name: ",".join(value) if isinstance(value, list) else str(value)
                for name, value in binding["topicConfiguration"].items()
            }
            settings = made[address]["settings"]
            for name in sorted(described.keys() | settings.keys()):
                if described.get(name) != settings.get(name):
                    faults.append(f"{address} {name}: {described.get(name)} here, {settings.get(name)} by the program")
            if binding["partitions"] != made[address]["partitions"]:
                faults.append(f"{address}: {binding['partitions']} partitions, {made[address]['partitions']} by the program")
        require(not faults, "\n".join(faults))
        return f"asyncapi.yaml: the settings of its {len(made)} topics are those that newsflash makes them with"

    def check_lines(self, name: str, path: Path) -> int:
        faults, count = [], 0
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line.strip():
                count += 1
                faults += [f"{path.name}:{number} {fault}" for fault in self.faults(name, read_json(line))]
        require(not faults, "\n".join(faults))
        require(count > 0, f"{path} is empty")
        return count

    def check_data_events(self) -> str:
        return f"Tests/Data/events.ndjson: {self.check_lines(EVENT, self.data / 'events.ndjson')} events are valid"

    def check_data_malformed(self) -> str:
        """The decisions are in the folder's README, one row per file."""
        folder = self.data / "malformed"
        decisions = re.findall(
            r"^\| (\S+) \|.*\| ([^|]+) \|$", (folder / "README.md").read_text(encoding="utf-8"), re.M
        )
        refused = [file for file, decision in decisions if decision.startswith("invalid.schema")]
        accepted = [file for file, decision in decisions if decision.startswith("accepted")]
        require(bool(refused) and bool(accepted), "the table of decisions cannot be read")
        for file in refused:
            document = read_json((folder / file).read_text(encoding="utf-8"))
            require(bool(self.faults(EVENT, document)), f"{file} passes the event schema")
        for file in accepted:
            self.hold(EVENT, read_json((folder / file).read_text(encoding="utf-8-sig")), file)
        return f"Tests/Data/malformed: {len(refused)} invalid.schema are refused, {len(accepted)} forgiven is valid"

    def check_data_configuration(self) -> str:
        self.check_configuration(self.data / "config/1-six-categories.yaml")
        return "Tests/Data/config/1-six-categories.yaml: valid, and an unknown key anywhere in it is refused"

    def check_outcomes(self) -> str:
        return f"outcomes: {self.check_lines(OUTCOME, self.outcomes)} records of {self.outcomes.name} are valid"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--outcomes", type=Path)
    parser.add_argument("--program", type=Path, help="newsflash; without it nothing is asked of it")
    shipped = Shipped(**vars(parser.parse_args()))
    failed = False
    for check in shipped.checks():
        try:
            print(f"ok    {check()}", flush=True)
        except Exception as fault:  # every exception is a finding; later checks still run
            failed = True
            message = str(fault) if isinstance(fault, Fault) else f"{type(fault).__name__}: {fault}"
            print(f"FAIL  {check.__name__.removeprefix('check_').replace('_', ' ')}", flush=True)
            print("\n".join(f"      {line}" for line in message.splitlines()), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
