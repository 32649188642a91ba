"""Wastes the connections of an emulated hub and checks that it still responds; see .ci/soak-hub."""

import argparse
import base64
import contextlib
import hashlib
import hmac
import http.client
import json
import multiprocessing
import os
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

LONGEST_RUN = 300
SLOWEST_ANSWER = 1.0
# The time limit for the responses to 99 of 100 sends, during every attack.
SLOWEST_P99 = 0.050
REQUESTS = 200
BODY = b'{"headline":"Dam gives way"}'
BATCH = "soak/messages/$batch?direct&api-version=2020-06"


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

    def memory(self, name: str = "VmRSS") -> float:
        """Resident memory in MiB; `VmHWM` is the peak."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith(name + ":"))
        return int(line.split()[1]) / 1024

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=SLOWEST_ANSWER * 5)

    def ask(self, method: str, target: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        """A response, on a new connection; the status is 0 if the connection ends before it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SLOWEST_ANSWER * 10)
        try:
            connection.request(method, "/" + target, body, {"Authorization": self.token, **(headers or {})})
            response = connection.getresponse()
            return response.status, response.read()
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            return 0, b""
        finally:
            connection.close()

    def send(self, kept: http.client.HTTPConnection | None = None) -> None:
        """Sends a notification, on a new connection if none is given."""
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


def measure(
    hub: Hub, what: str, meanwhile: Callable[[], None] = lambda: None, seconds: float = 0, pause: float = 0
) -> None:
    """Sends notifications, half of them on one connection, and prints their durations."""
    times: list[float] = []
    most = 0.0
    end = time.monotonic() + seconds
    kept = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=SLOWEST_ANSWER * 5)
    while len(times) < REQUESTS or time.monotonic() < end:
        meanwhile()
        time.sleep(pause)
        start = time.monotonic()
        try:
            hub.send(kept if len(times) % 2 else None)
        except OSError as error:
            raise SystemExit(f"soak-hub: FAIL: {what}: no answer: {error!r}") from None
        times.append(time.monotonic() - start)
        if len(times) % 50 == 0:
            most = max(most, hub.memory())
    kept.close()
    times.sort()
    p99 = times[len(times) * 99 // 100]
    figures = f"p50 {times[len(times) // 2] * 1000:6.2f} ms, p99 {p99 * 1000:6.2f} ms"
    print(f"{what:<52} {figures}, slowest {times[-1] * 1000:7.2f} ms, memory {most:6.1f} MiB", flush=True)
    if times[-1] > SLOWEST_ANSWER:
        raise SystemExit(f"soak-hub: FAIL: {what}: an answer took {times[-1]:.2f} s")
    if p99 > SLOWEST_P99:
        raise SystemExit(f"soak-hub: FAIL: {what}: 1 answer in 100 took more than {SLOWEST_P99 * 1000:.0f} ms")


def still_open(sockets: list[socket.socket]) -> int:
    """The number of connections that the hub has not closed; a closed one is readable, with its end."""
    with selectors.EpollSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ)
        return len(sockets) - len(selector.select(0))


@contextlib.contextmanager
def opened(hub: Hub, count: int, first: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that sent only their first bytes."""
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
    # All are refused by their heads, and not received.
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
            # A client that is still sending when the response comes may see the end of the connection first.
            status = 413
        connection.close()
        if status != 413:
            raise SystemExit(f"soak-hub: FAIL: a body of {size} bytes was answered {status}")

    measure(hub, "with a body of 64 KB to 5 MB before each send", refuse)


# The number of requests that all attackers have made.
WASTED = multiprocessing.Value("L", 0)

# The attackers. Each runs in a separate process until it is killed, and ends with a message if the hub's response is not the
# expected one.


def slow_readers(hub: Hub) -> None:
    """Request megabytes and read a byte now and then; reconnect when the connection is closed."""
    targets = ["sends", "deliveries", "events", "feedback/soak"]
    readers: list[socket.socket] = []
    number = 0
    while True:
        while len(readers) < 40:
            one = hub.connect()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            target = targets[number % len(targets)] if number % 8 else "sends"
            one.sendall(f"GET /_emulator/{target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            one.setblocking(False)
            readers.append(one)
            number += 1
            count()
        for one in list(readers):
            with contextlib.suppress(BlockingIOError):
                try:
                    is_over = one.recv(1) == b""
                except ConnectionResetError:
                    is_over = True
                if is_over:
                    one.close()
                    readers.remove(one)
        time.sleep(0.1)


def slow_senders(hub: Hub) -> None:
    """Send heads and bodies very slowly."""
    head = b"POST /soak/messages HTTP/1.1\r\nHost: x\r\n"
    beginnings = [head + b"Content-Length: 60000\r\n\r\n", head + b"X-Long: "]
    senders: list[socket.socket] = []
    while True:
        while len(senders) < 200:
            senders.append(hub.connect())
            senders[-1].sendall(beginnings[len(senders) % 2])
            count()
        for one in list(senders):
            try:
                one.sendall(b"x")
            except OSError:
                one.close()
                senders.remove(one)
        time.sleep(0.05)


def departed(hub: Hub) -> None:
    """Make sends whose responses a fault delays by ten minutes, and disconnect."""
    body = b'{"headline":"very slow"}'
    head = (
        f"POST /soak/messages?api-version=2020-06 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {hub.token}\r\n"
        f"ServiceBusNotification-Format: template\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    while True:
        waiting = [hub.connect() for _ in range(20)]
        for one in waiting:
            one.sendall(head.encode() + body)
        count(len(waiting))
        time.sleep(0.2)
        for one in waiting:
            one.close()


def strangers(hub: Hub) -> None:
    """Requests from pages of other sites, under names that resolve to this machine."""
    while True:
        for host in ["evil.example", f"evil.example:{hub.port}", "127.0.0.1.evil.example", "[::2]", "", "\xe4"]:
            for target in ["_emulator/token", "_emulator/sends", "", "console/sends.js"]:
                expect(hub, {400, 403, 421}, "GET", target, headers={"Host": host})
        expect(hub, {403}, "GET", "_emulator/token", headers={"Sec-Fetch-Site": "cross-site"})
        time.sleep(0.05)


def shapes(size: int) -> list[bytes]:
    """Bodies that are expensive for a careless parser."""
    entry = b'<AppleRegistrationDescription xmlns="x"><BodyTemplate>'
    return [
        b"\n" * size, b"<a>" + b"\n" * (size - 7) + b"</a>", b"<a>" + b"&lt;" * (size // 4 - 2) + b"</a>",
        b"<a>" * (size // 3), b"<a " + b"".join(b'b%d="" ' % number for number in range(size // 12)) + b"/>",
        b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>' + b"&b;" * (size // 4) + b"</a>",
        entry + b"<![CDATA[" + b"$(a)" * (size // 4) + b"]]>", b"[" * size, b'{"a":' * (size // 5), b'"' + b"\\u00e9" * (size // 6),
        b"[" + b'"",' * (size // 3 - 1) + b'""]', b"{" + b",".join(b'"%d":0' % number for number in range(size // 11)) + b"}",
        b"1" * size, b"[-" + b"9" * (size // 2) + b"e" + b"9" * (size // 2) + b"]", b"\xff" * size, b"\0" * size,
        b'{"a":"' + b"{" * size + b'"}', b'[{"op":"add","path":"/tags","value":[' + b'"t",' * (size // 4 - 20) + b'"t"]}]',
        b"[" + b'{"op":"add","path":"/templates/a","value":{"body":"{}"}},' * (size // 60) + b"{}]",
        b"[" + b'{"op":"add","path":"/' + b"~1" * (size // 2 - 40) + b'","value":""}]',
    ]  # fmt: skip


def nasty_bodies(hub: Hub) -> None:
    """Bodies of 4 MiB, and bodies just below the limit, for every operation with a body."""
    part = b"Content-Type: application/json\r\nContent-Disposition: inline; name="
    batches = [b"--b\r\n" * 800_000, b"\r\n" * 2_000_000, b"--b" * 1_300_000, b"--b\r\n" + b"a: b\r\n" * 650_000]
    for devices in shapes((4 << 20) - 400):
        notification = b"--b\r\n" + part + b"notification\r\n\r\n{}\r\n--b\r\n" + part + b"devices\r\n\r\n"
        batches.append(notification + devices + b"\r\n--b--\r\n")
    xml = {"Content-Type": "application/atom+xml"}
    while True:
        for size in [4 << 20, 65_536]:
            for body in shapes(size):
                # A body that is too large is refused before it was received completely.
                refused = {0, 413} if size > 65_536 else set(range(400, 500))
                expect(hub, refused, "POST", "soak/registrations?api-version=2020-06", body[:size], xml)
                expect(hub, refused, "PUT", "soak/installations/i?api-version=2020-06", body[:size])
                expect(hub, refused, "PATCH", "soak/installations/i?api-version=2020-06", body[:size])
                expect(hub, refused | {401}, "PUT", "other?api-version=2020-06", body[:size], xml)
                sent = {201, *refused}
                expect(hub, sent, "POST", "soak/messages?api-version=2020-06", body[:size], {"ServiceBusNotification-Format": "template"})
                expect(hub, {0, *range(400, 500)}, "PUT", "_emulator/faults", body[:size])
        for body in batches:
            headers = {"ServiceBusNotification-Format": "apple", "Content-Type": "multipart/mixed; boundary=b"}
            expect(hub, {0, *range(400, 500)}, "POST", BATCH, body, headers)


def edges(hub: Hub) -> None:
    """Pages with every beginning and length."""
    numbers = [-(2**63) - 1, -(2**63), -1, 0, 1, 199, 200, 201, 10**6, 2**31, 2**53, 2**63 - 2, 2**63 - 1, 2**63, 2**64, 10**40]
    texts = [str(number) for number in numbers] + ["", "x", "1e3", "%00", "+1", " 1", "0x10", "-0", "%2D1"]
    while True:
        for text in texts:
            for name in ["sends", "deliveries"]:
                expect(hub, {200, 400}, "GET", f"_emulator/{name}?limit=3&after={urllib.parse.quote(text, safe='%')}")
                expect(hub, {200, 400}, "GET", f"_emulator/{name}?after=0&limit={urllib.parse.quote(text, safe='%')}")
            expect(hub, {200, 400}, "GET", f"_emulator/deliveries?limit=3&send={urllib.parse.quote(text, safe='%')}")
            expect(hub, {200, 400}, "GET", f"soak/registrations?$top={urllib.parse.quote(text, safe='%')}")
        time.sleep(0.05)


def searchers(hub: Hub) -> None:
    """Search all deliveries for absent values, and read large pages."""
    while True:
        for target in ["deliveries?handle=none", "deliveries?installation=none", "feedback/soak", "sends"]:
            expect(hub, {200}, "GET", f"_emulator/{target}")
        time.sleep(0.1)


def count(requests: int = 1) -> None:
    with WASTED.get_lock():
        WASTED.value += requests


def expect(
    hub: Hub, statuses: set[int], method: str, target: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> None:
    status, answer = hub.ask(method, target, body, headers)
    count()
    if status not in statuses:
        print(f"soak-hub: FAIL: {method} {target} {body[:60]!r} was answered {status} {answer[:200]!r}", flush=True)
        raise SystemExit(1)


HOSTILE: list[Callable[[Hub], None]] = [
    slow_readers, slow_senders, departed, strangers, nasty_bodies, edges, searchers,
]  # fmt: skip


def run_hostile(hostile: Callable[[Hub], None], hub: Hub) -> None:
    # The measuring process must wait for the hub, not for a processor that the attackers use.
    os.nice(10)
    signal.alarm(0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    hostile(hub)


@contextlib.contextmanager
def under(hub: Hub, hostile: list[Callable[[Hub], None]]) -> Iterator[None]:
    """Runs attackers against the hub while the context lasts."""
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=run_hostile, args=(one, hub), daemon=True) for one in hostile]
    for process in processes:
        process.start()
    try:
        yield
        gone = [one.__name__ for one, process in zip(hostile, processes, strict=True) if not process.is_alive()]
        if gone:
            raise SystemExit(f"soak-hub: FAIL: {', '.join(gone)} ended")
    finally:
        for process in processes:
            process.terminate()
            process.join()


def soak_hour(hub: Hub, seconds: float, bound: float) -> None:
    """A short form of an hour of attacks: each kind alone, then all together."""
    fill(hub)
    # Only sends with the marker are delayed.
    fault = {"latency": "10m", "containing": "very slow"}
    if hub.ask("PUT", "_emulator/faults", json.dumps(fault).encode())[0] != 200:
        raise SystemExit("soak-hub: the hub does not take the fault")
    before = hub.descriptors()
    for hostile in HOSTILE:
        with under(hub, [hostile]):
            measure(hub, "with " + hostile.__name__.replace("_", " "), seconds=seconds / 10, pause=0.002)
    with under(hub, HOSTILE):
        measure(hub, f"with all of them for {seconds:.0f} s", seconds=seconds, pause=0.002)
    print(f"{WASTED.value} requests were made to waste its time", flush=True)
    measure(hub, "after they have gone")
    deadline = time.monotonic() + 10
    while hub.descriptors() > before + 10:
        if time.monotonic() > deadline:
            raise SystemExit(f"soak-hub: FAIL: {hub.descriptors()} descriptors are open, {before} were before")
        time.sleep(0.2)
    most = hub.memory("VmHWM")
    print(f"memory at most {most:.0f} MiB, of {bound:.0f} MiB that are allowed", flush=True)
    if most > bound:
        raise SystemExit("soak-hub: FAIL: that is too much")


def fill(hub: Hub) -> None:
    """Two hundred devices, and sends that make pages large."""
    for number in range(200):
        device = {
            "installationId": f"device-{number}", "platform": "apns", "pushChannel": f"{number:064x}", "tags": ["world"],
            "templates": {"news": {"body": '{"aps":{"alert":"$(headline)"}}'}},
        }  # fmt: skip
        status, answer = hub.ask("PUT", f"soak/installations/device-{number}?api-version=2020-06", json.dumps(device).encode())
        if status != 200:
            raise SystemExit(f"soak-hub: the hub does not take a device: {status} {answer[:200]!r}")
    large = json.dumps({"headline": "x" * 60_000}).encode()
    headers = {"ServiceBusNotification-Format": "template", "ServiceBusNotification-Tags": "nobody"}
    for _ in range(200):
        hub.ask("POST", "soak/messages?api-version=2020-06", large, headers)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--memory", type=float, required=True)
    parser.add_argument("program")
    arguments = parser.parse_args()

    def give_up(*_: object) -> None:
        raise SystemExit("soak-hub: FAIL: not done in time")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST_RUN + int(arguments.seconds * 2))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # The hub inherits the limit and keeps an eighth of it for other things.
    most = (hard if hard != resource.RLIM_INFINITY else 1 << 20) * 7 // 8 - 200
    count = min(arguments.connections, most)
    if count < arguments.connections:
        print(f"{hard} file descriptors allow {count} connections, not {arguments.connections}")

    hub = Hub(arguments.program)
    try:
        measure(hub, "alone")
        soak_hour(hub, arguments.seconds, arguments.memory)
        hub.stop()
    finally:
        if hub.process.poll() is None:
            hub.process.kill()
            hub.process.wait()
    for descriptors in [None, 256]:
        hub = Hub(arguments.program, descriptors)
        try:
            if descriptors is None:
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
    print(f"ok: 99 of 100 sends were answered within {SLOWEST_P99 * 1000:.0f} ms, and every one within a second")


if __name__ == "__main__":
    sys.exit(main())
