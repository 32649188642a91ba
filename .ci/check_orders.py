"""Compares the commands' records in the control topic with the AsyncAPI document; part of .ci/check-shipped."""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from check_shipped import Fault, read_json, read_yaml, require

# Each act with the command that writes it.
ORDERS = {
    "pause": ["pause", "--force", "--source", "https://cms.example.org/desk", "--by", "ed:novak"],
    "resume": ["resume", "--source", "https://cms.example.org/desk"],
    "reload": ["reload", "--canary", "200", "--announce", "words"],
    "logLevel": ["log-level", "debug", "--for", "30m", "--by", "ops:kim"],
}
TOPIC = "newsflash.control"


class Cluster:
    """librdkafka's embedded Kafka, as a process of newsflash-bench; it ends when its standard input is closed."""

    def __init__(self, bench: Path) -> None:
        self.process = subprocess.Popen(
            [bench, "part", "cluster"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> str:
        brokers = self.answer().removeprefix("ready ")
        self.process.stdin.write(f"topic {TOPIC} 1\n")
        self.process.stdin.flush()
        require(self.answer() == "ok", "the embedded Kafka makes no topic")
        return brokers

    def answer(self) -> str:
        return self.process.stdout.readline().strip()

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=30)


def messages(document: Any) -> dict[str, tuple[str, Any, Any]]:
    """The message of each act: its name, the schema of its key and the schema of its payload."""
    found = {}
    names = [entry["$ref"].rsplit("/", 1)[1] for entry in document["channels"]["control"]["messages"].values()]
    for name in names:
        message = document["components"]["messages"][name]
        schema = message["payload"]["schema"]
        act = schema["properties"]["act"]
        for value in act.get("enum", [act.get("const")]):
            found[value] = (name, message["bindings"]["kafka"]["key"], schema)
    return found


def check(root: Path, program: Path, bench: Path) -> str:
    described = messages(read_yaml(root / "schemas/asyncapi.yaml"))
    require(described.keys() == ORDERS.keys(), f"asyncapi.yaml describes {described.keys()}, not {ORDERS.keys()}")
    own = {name: value for name, value in os.environ.items() if not name.startswith("NEWSFLASH_")}
    with Cluster(bench) as brokers:
        for order in ORDERS.values():
            command = [program, *order, "--brokers", brokers, "--reason", "a check"]
            done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=60)
            require(done.returncode == 0, f"newsflash {' '.join(order)}: {done.stdout}{done.stderr}")
        reader = ["kcat", "-b", brokers, "-t", TOPIC, "-C", "-o", "beginning", "-c", str(len(ORDERS)), "-q", "-f", "%k\t%s\n"]
        lines = subprocess.run(reader, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    acts = []
    for line in lines:
        key, value = line.split("\t", 1)
        record = read_json(value)
        name, key_schema, schema = described[record["act"]]
        validator = Draft202012Validator(schema, format_checker=FormatChecker(["date-time"]))
        faults = [error.message for error in validator.iter_errors(record)]
        unknown = record.keys() - schema["properties"].keys()
        require(not faults and not unknown, f"{name}: {faults} {unknown} in {value}")
        require(Draft202012Validator(key_schema).is_valid(key), f"{name}: its key is {key}")
        acts.append(record["act"])
    require(acts == list(ORDERS), f"the topic has {acts}")
    return f"asyncapi.yaml: the {len(acts)} orders that newsflash writes fit their messages"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--bench", type=Path, required=True)
    arguments = parser.parse_args()
    if not shutil.which("kcat"):
        print("skip  orders of the control topic: kcat is not installed")
        return 0
    if not arguments.bench.is_file():
        print(f"skip  orders of the control topic: there is no {arguments.bench} (swift build)")
        return 0
    try:
        print(f"ok    {check(arguments.root, arguments.program, arguments.bench)}")
    except (Fault, OSError, subprocess.SubprocessError, KeyError, ValueError) as fault:
        print(f"FAIL  orders of the control topic\n      {fault}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
