"""Occupies the connections of a gateway and checks that it still serves others; see .ci/soak-gateway."""

from __future__ import annotations

import argparse
import base64
import multiprocessing
import os
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path

BODY = 250_000
# The server's maximum memory for each open connection, in KiB: mainly the 16 KiB of a head.
OPEN_CONNECTION = 20
KEPT_OPEN = {"half a head", "most of a short body"}
# Guesses at one name: the number per second, of addresses, of seconds, and the documented limit.
GUESSES, ADDRESSES, GUESSING = 1000, 100, 8
GUESSES_PER_ADDRESS, SECONDS_PER_GUESS = 10, 6
# The maximum time of the right user's sign-in meanwhile, in seconds.
SIGN_IN = 1.0
# How long the hostile clients stay after the last one has connected.
STAY = 3.0
USER, PASSWORD = "anna", "seven quiet rivers"
CONFIGURATION = """
version: 1
hub: newsroom
kafka: {{ bootstrapServers: "127.0.0.1:1" }}
sources: {{ desk: {{ topic: news }} }}
locales: {{ offered: [en], default: en }}
categories: {{ World: [world] }}
gateway:
  publishers: [desk]
  senders: [desk]
  rate: {{ perUser: 100000, perAddress: 1000000 }}
  connections: {connections}
  connectionsPerAddress: "off"
"""


def head(fields: str) -> bytes:
    return f"POST /api/events HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n{fields}".encode()


WHOLE = head(f"Content-Length: {BODY}\r\n\r\n") + b" " * BODY
# The bytes that each of them sends. The last two keep their connections open.
STRANGERS = {
    "no credentials": WHOLE,
    "credentials of nobody": head(f"Authorization: Bearer x.y.z\r\nContent-Length: {BODY}\r\n\r\n") + b" " * BODY,
    "chunks without credentials": head("Transfer-Encoding: chunked\r\n\r\n") + b"ffffff\r\n" + b" " * BODY,
    "a head without end": head("X: " + "x" * BODY),
    "half a head": head("X: " + "x" * 6000),
    "most of a short body": head("Content-Length: 60000\r\n\r\n") + b" " * 59_000,
}


class Gateway:
    """A running `newsflash gateway` with an emulated hub."""

    def __init__(self, program: str, folder: Path, connections: int) -> None:
        self.hub = subprocess.Popen(
            [program, "hub", "--listen", "127.0.0.1:0", "--name", "newsroom", "--seed", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.hub.stdout is not None
        ready(self.hub.stdout.readline())
        keys = [self.hub.stdout.readline().strip() for _ in range(2)]
        full = next(key for key in keys if "Full" in key)
        (folder / "newsflash.yaml").write_text(CONFIGURATION.format(connections=connections + 500))
        subprocess.run(
            [program, "gateway", "user", "--users", str(folder / "users"), USER],
            input=PASSWORD + "\n",
            text=True,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        environment = os.environ | {"NEWSFLASH_HUB_CONNECTION_STRING": full}
        command = [program, "gateway", "--config", str(folder / "newsflash.yaml"), "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(
            [*command, "--users", str(folder / "users")],
            stdout=subprocess.PIPE,
            stderr=(folder / "log").open("w"),
            text=True,
            env=environment,
        )
        assert self.process.stdout is not None
        self.port = ready(self.process.stdout.readline())

    def memory(self) -> float:
        """Resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def stop(self) -> None:
        for process in (self.process, self.hub):
            process.terminate()
            process.wait(timeout=20)


def ready(line: str) -> int:
    """The port in `ready http://127.0.0.1:18080`."""
    words = line.split()
    if words[:1] != ["ready"]:
        raise SystemExit(f"soak-gateway: the program did not become ready: {line!r}")
    return urllib.parse.urlsplit(words[1]).port or 0


class Client:
    """A user with a kept connection, from another address than the hostile clients."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.socket: socket.socket | None = None
        credentials = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        # Received completely and then refused, so that it stores nothing at the hub.
        body = b'{"Platform":"pigeon","Handle":"00FC13ADFF785122","Tags":["World"]}'
        fields = f"Host: gateway\r\nAuthorization: Basic {credentials}\r\n"
        self.requests = [
            b"GET /livez HTTP/1.1\r\nHost: gateway\r\n\r\n",
            f"GET /api/installations/nobody HTTP/1.1\r\n{fields}\r\n".encode(),
            f"PUT /api/register/1-2-3 HTTP/1.1\r\n{fields}Content-Type: application/json\r\n".encode()
            + f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body,
        ]

    def ask(self, number: int) -> tuple[float, int]:
        """Sends a request, every tenth on a new connection; returns the response time and the status."""
        begin = time.monotonic()
        if self.socket is None or number % 10 == 0:
            if self.socket is not None:
                self.socket.close()
            self.socket = socket.create_connection(("127.0.0.1", self.port), 10, source_address=("127.0.0.2", 0))
        self.socket.sendall(self.requests[number % len(self.requests)])
        received = b""
        while b"\r\n\r\n" not in received:
            piece = self.socket.recv(65536)
            if not piece:
                raise SystemExit("soak-gateway: FAIL: a good request got no answer")
            received += piece
        start, _, rest = received.partition(b"\r\n\r\n")
        length = next((int(f[16:]) for f in start.split(b"\r\n") if f.lower().startswith(b"content-length: ")), 0)
        while len(rest) < length:
            rest += self.socket.recv(65536)
        return time.monotonic() - begin, int(start[9:12])


def crowd(port: int, count: int, content: bytes, connected: Event, leave: Event) -> None:
    """Opens the given number of connections, sends as much as the gateway receives, and stays until it is ended."""
    # The measured clients must not wait for a processor because of the attackers.
    os.nice(10)
    selector = selectors.DefaultSelector()
    sockets: list[socket.socket] = []

    def serve(patience: float) -> None:
        for key, _ in selector.select(patience):
            client = key.fileobj
            assert isinstance(client, socket.socket)
            try:
                sent = key.data + client.send(content[key.data : key.data + 65536])
            except BlockingIOError:
                continue
            except OSError:
                selector.unregister(client)
                continue
            if sent >= len(content):
                selector.unregister(client)
            else:
                selector.modify(client, selectors.EVENT_WRITE, sent)

    for _ in range(count):
        client = socket.socket()
        client.settimeout(10)
        client.connect(("127.0.0.1", port))
        client.setblocking(False)
        sockets.append(client)
        selector.register(client, selectors.EVENT_WRITE, 0)
        serve(0)
    deadline = time.monotonic() + STAY
    while time.monotonic() < deadline and selector.get_map():
        serve(0.05)
    connected.set()
    leave.wait(60)
    for client in sockets:
        client.close()


def attack(gateway: Gateway, count: int, content: bytes) -> Iterator[tuple[float, float, int]]:
    """A series of measurements: memory, the duration of a good request, and its status."""
    connected, leave = multiprocessing.Event(), multiprocessing.Event()
    strangers = multiprocessing.Process(target=crowd, args=(gateway.port, count, content, connected, leave))
    strangers.start()
    client = Client(gateway.port)
    number = 0
    until: float | None = None
    while until is None or time.monotonic() < until:
        if until is None and (connected.is_set() or not strangers.is_alive()):
            until = time.monotonic() + STAY
        taken, status = client.ask(number)
        number += 1
        yield gateway.memory(), taken, status
        time.sleep(0.02)
    leave.set()
    strangers.join()
    if strangers.exitcode != 0:
        raise SystemExit("soak-gateway: FAIL: not all strangers could connect")


def sign_in(password: str) -> bytes:
    """A request with which a user signs in; its target does not exist."""
    credentials = base64.b64encode(f"{USER}:{password}".encode()).decode()
    fields = f"Host: gateway\r\nAuthorization: Basic {credentials}\r\nConnection: close\r\n"
    return f"GET /api/installations/nobody HTTP/1.1\r\n{fields}\r\n".encode()


def guess(port: int, guessing: Event, statuses: multiprocessing.Queue[dict[int, int]]) -> None:
    """Guesses a password at a constant rate, each time on another connection; counts the responses by status."""
    os.nice(10)
    selector = selectors.DefaultSelector()
    counts: dict[int, int] = {}

    def receive(patience: float) -> None:
        for key, _ in selector.select(patience):
            client = key.fileobj
            assert isinstance(client, socket.socket)
            try:
                start = client.recv(65536)
                status = int(start[9:12]) if start else 0
            except OSError:
                status = 0
            counts[status] = counts.get(status, 0) + 1
            selector.unregister(client)
            client.close()

    begin = time.monotonic()
    for number in range(GUESSES * GUESSING):
        address = f"127.0.1.{number % ADDRESSES + 1}"
        client = socket.create_connection(("127.0.0.1", port), 10, source_address=(address, 0))
        client.sendall(sign_in(f"guess {number}"))
        selector.register(client, selectors.EVENT_READ)
        if number == GUESSES:
            guessing.set()
        receive(max(0.0, begin + number / GUESSES - time.monotonic()))
    counts[-1] = round(time.monotonic() - begin)
    deadline = time.monotonic() + 20
    while selector.get_map() and time.monotonic() < deadline:
        receive(0.1)
    statuses.put(counts)


def withstand_guesses(gateway: Gateway) -> list[str]:
    """Lets the right user sign in during an attack on the password; returns the faults."""
    guessing = multiprocessing.Event()
    statuses: multiprocessing.Queue[dict[int, int]] = multiprocessing.Queue()
    guesser = multiprocessing.Process(target=guess, args=(gateway.port, guessing, statuses))
    guesser.start()
    guessing.wait(60)
    times, answers = [], set()
    for number in range(5):
        begin = time.monotonic()
        with socket.create_connection(("127.0.0.1", gateway.port), 10, source_address=("127.0.0.2", 0)) as client:
            client.sendall(sign_in(PASSWORD))
            answers.add(int(client.recv(65536)[9:12]))
        times.append(time.monotonic() - begin)
        time.sleep(0.5)
    counts = statuses.get(timeout=120)
    guesser.join()
    seconds = counts.pop(-1)
    looked_at, asked = counts.get(401, 0), sum(counts.values())
    most = ADDRESSES * (GUESSES_PER_ADDRESS + (seconds + 20) // SECONDS_PER_GUESS)
    print(
        f"{asked} guesses in {seconds} seconds from {ADDRESSES} addresses: {looked_at} were looked at, at most {most} may be; "
        f"the right user signed in within {times[0]:.2f} s, later within {max(times[1:]):.2f} s",
        flush=True,
    )
    failures = []
    if asked != GUESSES * GUESSING or counts.get(0, 0) > 0 or looked_at == 0:
        failures.append(f"guesses: not all had an answer: {counts}")
    if looked_at > most:
        failures.append(f"guesses: {looked_at} were looked at, at most {most} may be")
    if max(times) > SIGN_IN or answers != {404}:
        failures.append(f"guesses: the right user waited {max(times):.2f} s for the answers {sorted(answers)}")
    return failures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--memory", type=float, default=64)
    parser.add_argument("--answer", type=float, default=100)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    count = min(options.connections, most * 3 // 4 - 600)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, content in STRANGERS.items():
            # A new gateway for each, so that none has the memory of the previous one.
            gateway = Gateway(options.program, Path(folder), count)
            try:
                client = Client(gateway.port)
                for number in range(60):
                    client.ask(number)
                begin = gateway.memory()
                figures = list(attack(gateway, count, content))
            finally:
                gateway.stop()
            grown = max(memory for memory, _, _ in figures) - begin
            times = sorted(taken * 1000 for _, taken, _ in figures)
            slow = times[len(times) * 99 // 100]
            wrong = sorted({status for _, _, status in figures} - {200, 400, 404})
            print(
                f"{count} strangers, {name}: memory {begin:.0f} MiB, grew by {grown:.1f}; {len(times)} good requests: "
                f"99 of 100 within {slow:.1f} ms, the slowest {times[-1]:.1f} ms",
                flush=True,
            )
            allowed = max(options.memory, count * OPEN_CONNECTION / 1024 if name in KEPT_OPEN else 0)
            if grown > allowed:
                failures.append(f"{name}: memory grew by {grown:.1f} MiB, allowed are {allowed:.0f}")
            if slow > options.answer:
                failures.append(f"{name}: good requests took {slow:.1f} ms")
            if wrong:
                failures.append(f"{name}: good requests were answered {wrong}")
        gateway = Gateway(options.program, Path(folder), count)
        try:
            failures += withstand_guesses(gateway)
        finally:
            gateway.stop()
    for failure in failures:
        print(f"soak-gateway: FAIL: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
