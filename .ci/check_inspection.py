"""Compares the hub emulator's inspection API with its OpenAPI document; .ci/check-shipped installs the imports."""

import argparse
import copy
import http.client
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from ruamel.yaml import YAML

METHODS = ("get", "put", "post", "delete")
HUB = "newsroom"
INSTALLATION = {
    "installationId": "i-1",
    "platform": "apns",
    "pushChannel": "00fc" * 16,
    "tags": ["world"],
    "templates": {"alerts": {"body": json.dumps({"aps": {"alert": "$(title)"}})}},
}
DEVICE = {"ServiceBusNotification-DeviceHandle": "00fc" * 16}
BOUNDARY = "parts"
BATCH = "\r\n".join(
    [
        f"--{BOUNDARY}",
        "Content-Type: application/json",
        "Content-Disposition: inline; name=notification",
        "",
        "{}",
        f"--{BOUNDARY}",
        "Content-Type: application/json",
        "Content-Disposition: inline; name=devices",
        "",
        json.dumps(["00fc" * 16, "00fd" * 16]),
        f"--{BOUNDARY}--",
        "",
    ]
)
# One send of each kind: path, headers, body.
SENDS: list[tuple[str, dict[str, str], str]] = [
    ("messages", {"ServiceBusNotification-Format": "template", "TrackingId": "mine"}, '{"title":"Dam gives way"}'),
    (
        "messages",
        {"ServiceBusNotification-Format": "apple", "ServiceBusNotification-Tags": "world && !x", "apns-priority": "5"},
        '{"aps":{}}',
    ),
    ("messages?test", {"ServiceBusNotification-Format": "template"}, '{"title":"Dam gives way"}'),
    ("messages?direct", {"ServiceBusNotification-Format": "apple", **DEVICE}, '{"aps":{}}'),
    (
        "messages/$batch?direct",
        {"ServiceBusNotification-Format": "apple", "Content-Type": f'multipart/mixed; boundary="{BOUNDARY}"'},
        BATCH,
    ),
    (
        "schedulednotifications",
        {"ServiceBusNotification-Format": "apple", "ServiceBusNotification-ScheduleTime": "{soon}"},
        '{"aps":{}}',
    ),
]
# Faults for which the document and the program must agree.
FAULTS: list[dict[str, Any]] = [
    {},
    {"status": 503},
    {"status": 199},
    {"status": 600},
    {"cut": True},
    {"cut": False},
    {"cut": False, "status": 503},
    {"cut": True, "status": 503},
    {"cut": "before", "error": "expired"},
    {"cut": "before", "retryAfter": 5},
    {"cut": "before", "accepted": True},
    {"cut": "before", "accepted": False},
    {"cut": True, "accepted": True},
    {"cut": "after", "throttle": 5},
    {"cut": "later"},
    {"error": "expired"},
    {"error": "expired", "status": 401},
    {"error": "expired", "status": 403},
    {"error": "late"},
    {"latency": 0},
    {"latency": "0ms"},
    {"latency": "20ms"},
    {"latency": "20 ms"},
    {"latency": {"p50": "0ms", "p99": "5ms"}},
    {"latency": {"p50": "1ms", "p99": "5ms"}},
    {"latency": {"p50": "1ms"}},
    {"latency": "20ms", "accepted": True},
    {"latency": "20ms", "retryAfter": 5},
    {"throttle": 5, "accepted": True},
    {"throttle": 5, "retryAfter": {"date": 5}},
    {"throttle": 0},
    {"throttle": 1000001},
    {"status": 503, "retryAfter": 31536001},
    {"status": 503, "retryAfter": -1},
    {"status": 503, "for": 0},
    {"status": 503, "for": "1ms"},
    {"status": 503, "for": 31536001},
    {"status": 503, "after": 0},
    {"status": 503, "every": 5},
    {"status": 503, "every": 5, "for": 1},
    {"status": 503, "every": 0, "for": 1},
    {"status": 503, "rate": 1.1},
    {"status": 503, "count": 0},
    {"status": 503, "count": 1000000001},
    {"status": 503, "operations": []},
    {"status": 503, "operations": ["send"]},
    {"status": 503, "operations": ["fly"]},
    {"status": 503, "operations": ["send"] * 101},
    {"status": 503, "requests": ["newsroom"]},
    {"status": 503, "requests": ["POST /newsroom/messages"]},
    {"status": 503, "requests": ["/"] * 101},
    {"status": 503, "containing": ""},
    {"status": 503, "handle": "x"},
    {"outcome": "BadChannel"},
    {"outcome": "badchannel"},
    {"outcome": "Success", "platform": "apns", "handle": "x", "rate": 0},
    {"outcome": "Success", "platform": "apple"},
    {"outcome": "Success", "status": 503},
    {"outcome": "Success", "handle": ""},
]
# Requests that the emulator must refuse: method, path, body, status.
REFUSALS = [
    ("GET", "/_emulator/sends?after=x", None, 400),
    ("GET", "/_emulator/deliveries?limit=0", None, 400),
    ("GET", "/_emulator/requests?after=x", None, 400),
    ("GET", "/_emulator/outcomes?after=x", None, 400),
    ("PUT", "/_emulator/outcomes", "{}", 405),
    ("PUT", "/_emulator/requests", "{}", 405),
    ("GET", "/_emulator/feedback/unknown", None, 404),
    ("GET", "/_emulator/feedback/newsroom/01012000", None, 404),
    ("PUT", "/_emulator/faults", "[{}]", 400),
    ("PUT", "/_emulator/sends", "{}", 405),
    ("POST", "/_emulator/hub", "{}", 405),
    ("GET", "/_emulator/devices?tags=world", None, 400),
    ("GET", "/_emulator/deliveries?wait=1&timeout=61s", None, 400),
    ("PUT", "/_emulator/devices", "{}", 405),
    ("GET", "/_emulator/authority", None, 404),
    ("PUT", "/_emulator/authority", "", 405),
    ("POST", "/_emulator/news", "{}", 409),
]


def require(condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(message)


class Document:
    """The OpenAPI document, and checks of values against it."""

    def __init__(self, path: Path) -> None:
        self.content = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        OpenAPIV31SpecValidator(self.content, base_uri=path.resolve().as_uri()).validate()
        # The schemas are open for clients, but closed here: a response with an undescribed member is a finding.
        self.closed = copy.deepcopy(self.content)
        for node in self.nodes(self.closed["components"]["schemas"]):
            if node.get("type") == "object" and "properties" in node:
                node.setdefault("additionalProperties", False)
        resource = Resource(contents=self.closed, specification=DRAFT202012)
        self.registry: Registry[Any] = Registry().with_resource("urn:hub", resource)

    def nodes(self, value: Any) -> Iterator[dict[str, Any]]:
        if isinstance(value, dict):
            yield value
            value = list(value.values())
        if isinstance(value, list):
            for child in value:
                yield from self.nodes(child)

    def hold(self, schema: Any, value: Any, what: str) -> None:
        """The schema may refer to the document's components."""
        absolute = json.loads(json.dumps(schema).replace('"#/', '"urn:hub#/'))
        validator = Draft202012Validator(
            absolute, registry=self.registry, format_checker=FormatChecker(["date-time"])
        )
        faults = [f"{what} {error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]
        require(not faults, "\n".join(faults))

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for path, item in self.content["paths"].items():
            for method in METHODS:
                if method in item:
                    yield method.upper(), path, item[method]

    def operations_of(self, path: str) -> dict[str, Any]:
        """The operations of a path, which may have parameters: `/_emulator/feedback/{hub}`."""
        for pattern, operations in self.content["paths"].items():
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path):
                return operations
        raise KeyError(path)

    def answer(self, method: str, path: str, status: int) -> dict[str, Any]:
        """The described response; any described error if the operation itself does not exist."""
        operations = self.operations_of(path)
        operation = operations.get(method.lower()) or next(iter(operations.values()))
        require(str(status) in operation["responses"], f"{method} {path}: {status} is not described")
        response = operation["responses"][str(status)]
        while "$ref" in response:
            response = self.content["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
        return response

    def check_examples(self) -> int:
        count = 0
        bodies = [
            media
            for node in self.nodes(self.content)
            for media in (node.get("content") or {}).values()
            if isinstance(node.get("content"), dict) and isinstance(media, dict)
        ]
        for media in bodies:
            examples = {**{name: each["value"] for name, each in media.get("examples", {}).items()}}
            if "example" in media:
                examples["example"] = media["example"]
            for name, value in examples.items():
                self.hold(media["schema"], value, f"example {name}")
                count += 1
        require(count > 0, "there are no examples")
        return count


class Emulator:
    """A hub on a free port, for as long as the `with` lasts."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen(
            [program, "hub", "--listen", "127.0.0.1:0", "--name", HUB], stdout=subprocess.PIPE, text=True
        )
        ready = self.process.stdout.readline().split()
        require(ready[:1] == ["ready"], f"the emulator does not start: {ready}")
        self.address = urlsplit(ready[1]).netloc

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)

    def ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection(self.address, timeout=10)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"} | (headers or {}))
            response = connection.getresponse()
            return response.status, response.getheader("Content-Type", ""), response.read().decode()
        finally:
            connection.close()

    def announce(self, method: str, path: str, length: int) -> tuple[int, str, str]:
        """Announces a body without sending it: one that is too large is refused before it is received."""
        connection = http.client.HTTPConnection(self.address, timeout=10)
        try:
            connection.putrequest(method, path)
            for name, value in (("Content-Type", "application/json"), ("Content-Length", str(length))):
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            return response.status, response.getheader("Content-Type", ""), response.read().decode()
        finally:
            connection.close()

    def events(self, names: set[str], found: dict[str, Any], connected: threading.Event) -> None:
        """Reads the stream until it has contained each of the names."""
        connection = http.client.HTTPConnection(self.address, timeout=10)
        connection.request("GET", "/_emulator/events")
        response = connection.getresponse()
        found["type"] = response.getheader("Content-Type", "")
        connected.set()
        name = ""
        while names - found.keys() and (line := response.readline().decode()):
            if line.startswith("event:"):
                name = line.removeprefix("event:").strip()
            elif line.startswith("data:"):
                found[name] = json.loads(line.removeprefix("data:"))
        connection.close()


class Conversation:
    """Sends an emulator each request of the document, and compares the responses with it."""

    def __init__(self, document: Document, emulator: Emulator) -> None:
        self.document = document
        self.emulator = emulator
        self.answers = 0

    def ask(self, method: str, path: str, body: str | None = None, status: int | None = None) -> Any:
        return self.judge(method, path, self.emulator.ask(method, path, body), status)

    def judge(self, method: str, path: str, answer: tuple[int, str, str], status: int | None = None) -> Any:
        code, kind, text = answer
        what = f"{method} {path} ({code})"
        require(status is None or status == code, f"{what}: {status} was to be expected: {text[:200]}")
        content = self.document.answer(method, path.split("?")[0], code).get("content")
        self.answers += 1
        if content is None:
            require(text == "", f"{what}: no body is described: {text[:200]}")
            return None
        require(kind.split(";")[0] in content, f"{what}: comes as {kind}")
        value = json.loads(text) if kind.startswith("application/json") else text
        self.document.hold(content[kind.split(";")[0]]["schema"], value, what)
        return value

    def hold(self) -> None:
        found: dict[str, Any] = {}
        connected = threading.Event()
        listener = threading.Thread(
            target=self.emulator.events,
            args=({"send", "deliveries", "faults", "refusals", "reset"}, found, connected),
            daemon=True,
        )
        listener.start()
        require(connected.wait(timeout=10), "the event stream does not open")
        self.send_all()
        require(self.ask("GET", "/_emulator/hub")["installations"] == 1, "the installation is not counted")
        self.ask("GET", "/_emulator/stats")
        sends = self.wait_for_sends()
        require(len(sends) == len(SENDS), f"{len(sends)} sends are listed")
        devices = self.ask("GET", "/_emulator/devices?tag=world")["devices"]
        require([device["installationId"] for device in devices] == ["i-1"], f"the devices are {devices}")
        deliveries = self.ask("GET", "/_emulator/deliveries?installation=i-1&wait=1&timeout=5s")["deliveries"]
        require(len(deliveries) > 0, "no delivery is listed")
        self.refuse_all()
        requests = self.ask("GET", "/_emulator/requests")["requests"]
        require(len(requests) == 1 + len(SENDS) + 3, f"{len(requests)} requests are listed")
        refused = self.ask("GET", "/_emulator/requests?refused&limit=10")["requests"]
        statuses = [request.get("status") for request in refused]
        require(statuses == [401, 503, None], f"refused are {statuses}")
        require("signedFor" in refused[0]["token"], "nothing tells what the token was signed for")
        self.ask("GET", "/_emulator/outcomes")
        self.ask("GET", "/_emulator/feedback/newsroom")
        for method, path, body, status in REFUSALS:
            self.ask(method, path, body, status)
        for method, path in (("PUT", "/_emulator/faults"), ("POST", "/_emulator/news")):
            self.judge(method, path, self.emulator.announce(method, path, (4 << 20) + 1), 413)
        faults = self.document.content["paths"]["/_emulator/faults"]["put"]["requestBody"]["content"]
        for example in faults["application/json"]["examples"].values():
            self.ask("PUT", "/_emulator/faults", json.dumps(example["value"]), 200)
            self.ask("GET", "/_emulator/faults")
        self.judge_faults()
        self.ask("DELETE", "/_emulator/faults", status=204)
        self.ask("DELETE", "/_emulator/devices", status=204)
        self.ask("DELETE", "/_emulator/sends", status=204)
        listener.join(10)
        for name, schema in self.document.content["components"]["schemas"]["Event"]["properties"].items():
            # Only a worker has outcomes.
            require(name in found or name == "outcome", f"no event {name} came")
            if name in found:
                self.document.hold(schema, found[name], f"event {name}")

    def judge_faults(self) -> None:
        """The emulator accepts every fault that the document allows, and refuses everything else."""
        schema = {"$ref": "#/components/schemas/Faults"}
        for faults in [[fault] for fault in FAULTS] + [[], [{"status": 503}] * 1000, [{"status": 503}] * 1001]:
            text = json.dumps(faults)
            status, _, answer = self.emulator.ask("PUT", "/_emulator/faults", text)
            self.answers += 1
            refusal = ""
            try:
                self.document.hold(schema, faults, text[:200])
            except AssertionError as found:
                refusal = str(found)
            said = f"faults {text[:200]}: the document says '{refusal[:300]}', the emulator {status} {answer[:200]}"
            require(status == (400 if refusal else 200), said)

    def send_all(self) -> None:
        token = self.ask("GET", "/_emulator/token")
        headers = {"Authorization": token["token"]}
        version = f"api-version={token['apiVersion']}"
        path = f"/{HUB}/installations/{INSTALLATION['installationId']}?{version}"
        status, _, text = self.emulator.ask("PUT", path, json.dumps(INSTALLATION), headers)
        require(status == 200, f"PUT {path}: {status} {text}")
        soon = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 3600))
        for path, own, body in SENDS:
            own = {name: value.replace("{soon}", soon) for name, value in own.items()}
            path = f"/{HUB}/{path}{'&' if '?' in path else '?'}{version}"
            status, _, text = self.emulator.ask("POST", path, body, headers | own)
            require(status == 201, f"POST {path}: {status} {text}")

    def refuse_all(self) -> None:
        """One request with a wrong token, one with a fault, and one that is cut."""
        path = f"/{HUB}/messages?api-version=2020-06"
        token = {"Authorization": "SharedAccessSignature sr=http%3a%2f%2fother%2fhub&sig=bm8%3d&se=9999999999&skn=Full"}
        require(self.emulator.ask("POST", path, "{}", token)[0] == 401, "a wrong token is taken")
        self.ask("PUT", "/_emulator/faults", '{"status":503}', 200)
        require(self.emulator.ask("POST", path, "{}")[0] == 503, "the fault does not strike")
        self.ask("PUT", "/_emulator/faults", '{"cut":"before"}', 200)
        try:
            self.emulator.ask("POST", path, "{}")
        except (http.client.HTTPException, OSError):
            self.ask("DELETE", "/_emulator/faults", status=204)
        else:
            raise AssertionError("the connection is not cut")

    def wait_for_sends(self) -> list[Any]:
        """Waits for the fan-out, which runs concurrently with the responses."""
        deadline = time.monotonic() + 10
        while True:
            sends = self.ask("GET", "/_emulator/sends?limit=100")["sends"]
            under_way = [send for send in sends if send["state"] in ("Enqueued", "Processing")]
            if not under_way:
                return sends
            require(time.monotonic() < deadline, f"{len(under_way)} sends are still under way after 10 seconds")
            time.sleep(0.02)


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
        with Emulator(arguments.program) as emulator:
            conversation = Conversation(document, emulator)
            conversation.hold()
        print(f"ok    {name}: {conversation.answers} answers of newsflash hub fit it")
    except Exception as fault:  # every exception is a finding
        print(f"FAIL  {name}")
        message = str(fault) if isinstance(fault, AssertionError) else f"{type(fault).__name__}: {fault}"
        print("\n".join(f"      {line}" for line in message.splitlines()))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
