"""Compares a worker's health and metrics with their OpenAPI document, both ways; .ci/check-shipped installs the imports."""

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from check_inspection import Document, require

# A worker without a reachable Kafka.
ALONE = """\
version: 1
kafka: { bootstrapServers: "127.0.0.1:1" }
hub: newsroom
locales: { offered: [en], default: en }
categories: { World: [world] }
text: { alert: "{headline}", kill: "Withdrawn: {headline}" }
admin: { listen: "127.0.0.1:0" }
log: { format: json }
"""
KEY = "Endpoint=sb://a.example/;SharedAccessKeyName=c;SharedAccessKey=a2V5"


class Worker:
    """A program with an admin port, for as long as the `with` lasts."""

    def __init__(self, command: list[str | Path], pattern: str, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | (environment or {}),
        )
        self.heard = ""
        found = None
        while found is None:
            line = self.process.stdout.readline()
            require(line != "", f"the worker does not start: {self.heard[-500:]}")
            self.heard += line
            found = re.search(pattern, line)
        self.port = int(found.group(1))

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)

    def ask(self, method: str, path: str, headers: dict[str, str] | None = None) -> tuple[int, Any, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()
        finally:
            connection.close()

    def wait_for(self, path: str, status: int) -> None:
        deadline = time.monotonic() + 60
        while (found := self.ask("GET", path))[0] != status:
            require(time.monotonic() < deadline, f"{path} answers {found[0]} for a minute: {found[2][:300]}")
            time.sleep(0.1)


class Conversation:
    """Sends a worker each request of the document, and compares the responses with it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.answers = 0
        self.seen: set[tuple[str, int]] = set()

    def ask(self, worker: Worker, path: str, method: str = "GET", **headers: str) -> Any:
        status, head, text = worker.ask(method, path, headers)
        what = f"{method} {path} ({status})"
        kind = head.get("Content-Type", "").split(";")[0]
        content = self.document.answer("GET", path, status)["content"]
        require(kind in content, f"{what}: comes as {kind}")
        value = json.loads(text) if kind == "application/json" else text
        self.document.hold(content[kind]["schema"], value, what)
        self.seen.add((path, status))
        self.answers += 1
        return value

    def hold(self, worker: Worker) -> Any:
        for method, path, _ in self.document.operations():
            require(method == "GET", f"{path}: nothing can be changed here")
            self.ask(worker, path)
            self.ask(worker, path, "POST")
        self.ask(worker, "/metrics", Accept="application/openmetrics-text;version=1.0.0")
        paths = worker.ask("GET", "/nothing")[2].split()
        named = {word for word in paths if word.startswith("/")}
        require(named == set(self.document.content["paths"]), f"the worker has {sorted(named)}")
        return self.ask(worker, "/status")

    def require_all(self, schema: str, value: dict[str, Any]) -> None:
        """Every member of the document occurs in a response of a worker."""
        described = {
            name for name, each in self.document.content["components"]["schemas"][schema]["properties"].items()
            if each is not True
        }
        require(described <= set(value), f"{schema}: no worker says {sorted(described - set(value))}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document", type=Path)
    parser.add_argument("--program", type=Path, help="newsflash; without it only the document is looked at")
    arguments = parser.parse_args()
    name = arguments.document.name
    try:
        document = Document(arguments.document)
        operations = len(list(document.operations()))
        print(f"ok    {name}: {operations} operations are OpenAPI 3.1, {document.check_examples()} examples are valid")
        if arguments.program is None:
            print(f"skip  {name}: no newsflash was built to ask")
            return 0
        conversation = Conversation(document)
        with Worker(
            [arguments.program, "demo", "--admin-listen", "127.0.0.1:0"], r"its health is on port ([0-9]+)"
        ) as worker:
            worker.wait_for("/readyz", 200)
            status = conversation.hold(worker)
        conversation.require_all("Status", status)
        for schema, values in (("Partition", status["partitions"]), ("Hub", status["hubs"])):
            require(len(values) > 0, f"the status has no {schema}")
            for value in values:
                conversation.require_all(schema, value)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "newsflash.yaml"
            file.write_text(ALONE, encoding="utf-8")
            with Worker(
                [arguments.program, "run", "--config", file],
                r'"listen":"127\.0\.0\.1:([0-9]+)"',
                {"NEWSFLASH_HUB_CONNECTION_STRING": KEY},
            ) as worker:
                worker.wait_for("/readyz", 503)
                conversation.hold(worker)
        missing = {("/readyz", 200), ("/readyz", 503), ("/livez", 200)} - conversation.seen
        require(not missing, f"never seen: {sorted(missing)}")
        print(f"ok    {name}: {conversation.answers} answers of live workers fit it")
    except Exception as fault:  # every exception is a finding
        print(f"FAIL  {name}")
        message = str(fault) if isinstance(fault, AssertionError) else f"{type(fault).__name__}: {fault}"
        print("\n".join(f"      {line}" for line in message.splitlines()))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
