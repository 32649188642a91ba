"""Wastes the connections of an emulated hub and looks whether it still answers; .ci/soak-hub says how."""

import argparse
import base64
import contextlib
import hashlib
import hmac
import http.client
import resource
import selectors
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path

LONGEST_RUN = 120
SLOWEST_ANSWER = 1.0
REQUESTS = 200
BODY = b'{"headline":"Dam gives way"}'


class Hub:
    """A running `newsflash hub`."""

    def __init__(self, program: str, descriptors: int | None = None) -> None:
        command = [program, "hub", "--listen", "127.0.0.1:0", "--name", "soak", "--seed", "1"]
        if descriptors is not None:
            command = ["bash", "-c", f'ulimit -n {descriptors} && exec "$0" "$@"', *command]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        ready = self.process.stdout.readline().split()
        if ready[:1] != ["ready"]:
            raise SystemExit("soak-hub: the hub did not become ready")
        self.port = urllib.parse.urlsplit(ready[1]).port or 0
        parts = dict(part.split("=", 1) for part in self.process.stdout.readline().strip().split(";"))
        self.token = sign(parts["SharedAccessKeyName"], parts["SharedAccessKey"])

    def memory(self) -> float:
        """Resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=SLOWEST_ANSWER * 5)

    def send(self, kept: http.client.HTTPConnection | None = None) -> None:
        """Makes a send, on a connection of its own where none is given."""
        connection = kept or http.client.HTTPConnection("127.0.0.1", self.port, timeout=SLOWEST_ANSWER * 5)
        headers = {"Authorization": self.token, "ServiceBusNotification-Format": "template"}
        connection.request("POST", "/soak/messages?api-version=2020-06", BODY, headers)
        response = connection.getresponse()
        response.read()
        if kept is None:
            connection.close()
        if response.status != 201:
            raise SystemExit(f"soak-hub: FAIL: a send was answered {response.status}")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise SystemExit("soak-hub: FAIL: the hub did not stop within 10 s") from None
        if status != 0:
            raise SystemExit(f"soak-hub: FAIL: the hub ended with status {status}")


def sign(name: str, key: str) -> str:
    """A token for the whole hub."""
    resource_text = urllib.parse.quote("http://127.0.0.1/soak", safe="").lower()
    expiry = int(time.time()) + 3600
    code = hmac.new(key.encode(), f"{resource_text}\n{expiry}".encode(), hashlib.sha256).digest()
    signature = urllib.parse.quote(base64.b64encode(code).decode(), safe="")
    return f"SharedAccessSignature sr={resource_text}&sig={signature}&se={expiry}&skn={urllib.parse.quote(name)}"


def measure(hub: Hub, what: str, meanwhile: Callable[[], None] = lambda: None) -> None:
    """Makes real sends, half of them on one connection, and prints how long they took."""
    times: list[float] = []
    kept = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=SLOWEST_ANSWER * 5)
    for number in range(REQUESTS):
        meanwhile()
        start = time.monotonic()
        try:
            hub.send(kept if number % 2 else None)
        except OSError as error:
            raise SystemExit(f"soak-hub: FAIL: {what}: no answer: {error!r}") from None
        times.append(time.monotonic() - start)
    kept.close()
    times.sort()
    figures = f"p50 {times[REQUESTS // 2] * 1000:6.2f} ms, p99 {times[REQUESTS * 99 // 100] * 1000:6.2f} ms"
    print(f"{what:<52} {figures}, slowest {times[-1] * 1000:7.2f} ms, memory {hub.memory():6.1f} MiB", flush=True)
    if times[-1] > SLOWEST_ANSWER:
        raise SystemExit(f"soak-hub: FAIL: {what}: an answer took {times[-1]:.2f} s")


def still_open(sockets: list[socket.socket]) -> int:
    """How many the hub has not closed; what it has closed can be read: its end."""
    with selectors.EpollSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ)
        return len(sockets) - len(selector.select(0))


@contextlib.contextmanager
def opened(hub: Hub, count: int, first: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that sent no more than their first bytes."""
    sockets: list[socket.socket] = []
    try:
        for _ in range(count):
            sockets.append(hub.connect())
            if first:
                sockets[-1].sendall(first)
        yield sockets
    finally:
        for one in sockets:
            one.close()


def soak_idle(hub: Hub, count: int) -> None:
    before = hub.memory()
    start = time.monotonic()
    with opened(hub, count) as sockets:
        took = time.monotonic() - start
        hub.send()
        print(f"{count} connections in {took:.2f} s, {(hub.memory() - before) * 1024 / count:.1f} KiB each")
        measure(hub, f"with {count} idle connections")
        for one in sockets:
            one.sendall(b"GET /_emulator/stats HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            one.recv(4096)
        print(f"each answered once, {(hub.memory() - before) * 1024 / count:.1f} KiB each")
        measure(hub, f"with {count} connections idle again")
        if still_open(sockets) < count:
            raise SystemExit(f"soak-hub: FAIL: of {count} idle connections {still_open(sockets)} are left")
    measure(hub, "after they have gone")


def soak_slow(hub: Hub, count: int) -> None:
    head = b"POST /soak/messages HTTP/1.1\r\nHost: x\r\n"
    with opened(hub, count, head + b"Content-Length: 100000\r\n\r\n") as bodies:
        with opened(hub, count, head + b"X-Long: ") as heads:

            def trickle() -> None:
                for one in bodies + heads:
                    with contextlib.suppress(OSError):
                        one.sendall(b"x")

            measure(hub, f"with {count} bodies and {count} heads that trickle", trickle)


def soak_garbage(hub: Hub) -> None:
    pieces = [
        b"\0" * 5000, b"GARBAGE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"/x" * 50_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"y" * 200_000, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"GET / HTTP/1.1\r\n\r\n" * 50,
    ]  # fmt: skip
    number = 0

    def spill() -> None:
        nonlocal number
        with contextlib.suppress(OSError), hub.connect() as one:
            one.sendall(pieces[number % len(pieces)])
        number += 1

    measure(hub, "with garbage before each send", spill)


def soak_large(hub: Hub) -> None:
    headers = {"Authorization": hub.token, "ServiceBusNotification-Format": "windows"}
    # Read and refused, and refused unread.
    sizes = [65_537, 1 << 20, 5 << 20]
    number = 0

    def refuse() -> None:
        nonlocal number
        size = sizes[number % len(sizes)]
        number += 1
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=SLOWEST_ANSWER * 5)
        try:
            connection.request("POST", "/soak/messages", b"x" * size, headers)
            status = connection.getresponse().status
        except (BrokenPipeError, ConnectionResetError):
            # Who still sends when the answer comes may see the end of the connection first.
            status = 413 if size > 4 << 20 else 0
        connection.close()
        if status != 413:
            raise SystemExit(f"soak-hub: FAIL: a body of {size} bytes was answered {status}")

    measure(hub, "with a body of 64 KB to 5 MB before each send", refuse)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, required=True)
    parser.add_argument("program")
    arguments = parser.parse_args()

    def give_up(*_: object) -> None:
        raise SystemExit(f"soak-hub: FAIL: not done within {LONGEST_RUN} s")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST_RUN)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # The hub inherits the limit and keeps an eighth of it for other things.
    most = (hard if hard != resource.RLIM_INFINITY else 1 << 20) * 7 // 8 - 200
    count = min(arguments.connections, most)
    if count < arguments.connections:
        print(f"{hard} file descriptors allow {count} connections, not {arguments.connections}")

    for descriptors in [None, 256]:
        hub = Hub(arguments.program, descriptors)
        try:
            if descriptors is None:
                measure(hub, "alone")
                soak_idle(hub, count)
                soak_slow(hub, min(200, count // 4))
                soak_large(hub)
                soak_garbage(hub)
            else:
                with opened(hub, min(1000, count)) as sockets:
                    measure(hub, f"with {len(sockets)} idle connections and {descriptors} descriptors")
            hub.stop()
        finally:
            if hub.process.poll() is None:
                hub.process.kill()
                hub.process.wait()
    print("ok: every send was answered within a second")


if __name__ == "__main__":
    sys.exit(main())
