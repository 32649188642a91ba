"""Runs workers with two hubs through scenes of a bad day; see .ci/scenes."""

import argparse
import collections
import contextlib
import datetime
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DESK = "https://cms.example.org/desk"
PATIENCE = 60.0


class Broken(Exception):
    """A guarantee was broken."""


def expect(condition: bool, text: str) -> None:
    if not condition:
        raise Broken(text)


def until(text: str, condition: Callable[[], object], patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise Broken(f"not within {patience:.0f} s: {text}")
        time.sleep(0.05)


def free_port() -> int:
    with contextlib.closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Hub:
    """A running `newsflash hub`."""

    def __init__(self, program: str, folder: Path, label: str) -> None:
        self.label = label
        self.process = subprocess.Popen(
            [program, "hub", "--listen", "127.0.0.1:0", "--name", "newsroom"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[1].rstrip("/")
        self.secret = folder / f"{label}.connection"
        self.secret.write_text(self.process.stdout.readline())
        self.seen = 0

    def ask(self, path: str, method: str = "GET", body: bytes | None = None) -> bytes:
        request = urllib.request.Request(f"{self.url}/_emulator/{path}", data=body, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return bytes(answer.read())

    def faults(self, *faults: dict[str, object]) -> None:
        self.ask("faults", "PUT", json.dumps(list(faults)).encode())

    def sends(self) -> list[dict[str, object]]:
        """The accepted sends of this scene, without probes."""
        found: list[dict[str, object]] = []
        after = self.seen
        while True:
            page = json.loads(self.ask(f"sends?after={after}"))
            found += [send for send in page["sends"] if "probe" not in (send.get("tags") or "")]
            if not page["sends"]:
                return found
            after = page["last"]

    def pairs(self) -> list[tuple[str, str]]:
        """Each act with each accepted audience, in order."""
        return [pair for send in self.sends() for pair in self.pairs_of(send)]

    @staticmethod
    def pairs_of(send: dict[str, object]) -> list[tuple[str, str]]:
        act = json.loads(str(send["body"])).get("id", "?")
        return [(act, audience.strip(" ()")) for audience in str(send.get("tags") or "").split("||")]

    def repeated_requests(self) -> int:
        """The number of requests that notified an audience again."""
        seen: set[tuple[str, str]] = set()
        count = 0
        for send in self.sends():
            pairs = set(self.pairs_of(send))
            count += not pairs.isdisjoint(seen)
            seen |= pairs
        return count

    def forget(self) -> None:
        self.faults()
        self.seen = json.loads(self.ask("sends?after=0&limit=1"))["last"]
        while True:
            page = json.loads(self.ask(f"sends?after={self.seen}"))
            self.seen = page["last"]
            if not page["sends"]:
                return


class Rig:
    """One broker, two hubs, and the workers of one scene at a time."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.port = free_port()
        self.broker = subprocess.Popen(
            [str(ROOT / "Tests/Support/kafka-cluster.sh"), str(self.port), str(free_port())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        assert self.broker.stdout is not None
        expect(self.broker.stdout.readline().startswith("ready"), "the broker does not start")
        self.hubs = [Hub(program, folder, "a"), Hub(program, folder, "b")]
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.name, self.count, self.published = "", 0, 0
        self.order = ["a", "b"]

    def begin(self, name: str, partitions: int = 3, **delivery: str) -> None:
        """Begins a scene with its own topics."""
        self.end()
        self.count += 1
        self.name, self.published, self.delivery, self.order = f"{name}{self.count}", 0, delivery, ["a", "b"]
        for hub in self.hubs:
            hub.forget()
        self.run("topics", "apply", "--yes", "--partitions", str(partitions))

    def end(self) -> None:
        for worker in self.workers.values():
            worker.kill()
            worker.wait()
        self.workers = {}

    def close(self) -> None:
        self.end()
        for hub in self.hubs:
            hub.process.kill()
        assert self.broker.stdin is not None
        self.broker.stdin.close()
        self.broker.wait()

    def configuration(self, admin: int = 0) -> str:
        delivery = {"drain": "8s", "concurrency": "32", **self.delivery}
        hubs = {hub.label: f"{{ name: newsroom, connectionStringFile: {hub.secret} }}" for hub in self.hubs}
        path = self.folder / f"{self.name}-{admin}.yaml"
        path.write_text(f"""
version: 1
kafka: {{ bootstrapServers: "127.0.0.1:{self.port}", group: {self.name}, sessionTimeout: 6s }}
sources: {{ desk: {{ topic: {self.name}.news, id: "{DESK}" }} }}
hubs: {{ {", ".join(f"{label}: {hubs[label]}" for label in self.order)} }}
locales: {{ offered: [en], default: en }}
send: {{ tags: "{{category}}", users: "username:{{user}}" }}
categories: {{ World: [world], Sports: [sports] }}
text: {{ alert: "{{headline}}", kill: "Withdrawn: {{headline}}" }}
delivery: {{ {", ".join(f"{key}: {value}" for key, value in delivery.items())} }}
topics:
  outcomes: {self.name}.outcomes
  deadLetters: {self.name}.dead
  ledger: {self.name}.ledger
  control: {self.name}.control
admin: {{ listen: "127.0.0.1:{admin}" }}
""")
        return str(path)

    def run(self, *arguments: str, text: str | None = None) -> str:
        command = [self.program, *arguments, "--config", self.configuration()]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)
        expect(done.returncode == 0, f"newsflash {' '.join(arguments[:2])}: {done.stderr.strip()}")
        return done.stdout

    def start(self, *names: str) -> None:
        for name in names:
            admin = free_port()
            log = open(self.folder / f"{self.name}-{name}.log", "ab")
            self.workers[name] = subprocess.Popen(
                [self.program, "run", "--config", self.configuration(admin)], stdout=log, stderr=log,
            )

    def stop(self, *names: str) -> None:
        for name in names:
            self.workers[name].send_signal(signal.SIGTERM)
        for name in names:
            expect(self.workers.pop(name).wait(timeout=30) == 0, f"worker {name} does not stop cleanly")

    def kill(self, name: str) -> None:
        worker = self.workers.pop(name)
        worker.kill()
        worker.wait()

    def memory(self, name: str, figure: str = "VmRSS") -> float:
        status = Path(f"/proc/{self.workers[name].pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith(figure + ":"))
        return int(line.split()[1]) / 1024

    def event(self, id: str, story: str, kind: str = "alert", revision: int = 1, **members: object) -> dict[str, object]:
        event: dict[str, object] = {
            "v": 1, "id": id, "source": DESK, "story": story, "revision": revision, "kind": kind,
            "published": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "categories": ["world"], "text": {"en": {"headline": f"News of {id}"}}, **members,
        }
        return {key: value for key, value in event.items() if value is not None}

    def withdrawal(self, id: str, story: str, revision: int) -> dict[str, object]:
        return self.event(id, story, "kill", revision, categories=None, text=None)

    def publish(self, *events: dict[str, object]) -> None:
        self.run("publish", text="".join(json.dumps(event) + "\n" for event in events))
        self.published += len(events)

    def outcomes(self) -> list[dict[str, object]]:
        return [outcome for outcome in self.records("outcomes") if outcome.get("final")]

    def records(self, topic: str) -> list[dict[str, object]]:
        listing = subprocess.run(
            ["kcat", "-C", "-q", "-e", "-b", f"127.0.0.1:{self.port}", "-t", f"{self.name}.{topic}",
             "-X", "fetch.wait.max.ms=20"],
            capture_output=True, text=True, timeout=300, check=True,
        )
        return [json.loads(line) for line in listing.stdout.splitlines() if line.startswith("{")]

    def ended(self, count: int | None = None) -> None:
        """Waits until the given number of records has a final outcome; all by default."""
        wanted = self.published if count is None else count
        until(f"{wanted} outcomes", lambda: len(self.places()) >= wanted, 180)

    def places(self) -> set[str]:
        return {json.dumps(outcome["origin"]) for outcome in self.outcomes()}

    def accepted(self, act: str, hubs: int = 2) -> None:
        """Waits until the hubs have accepted an act."""
        until(f"{act} at {hubs} hubs", lambda: sum(any(pair[0] == act for pair in hub.pairs()) for hub in self.hubs) >= hubs)

    def repeats(self) -> int:
        """The number of times that an audience of a hub got an act again."""
        counts = [collections.Counter(hub.pairs()) for hub in self.hubs]
        return sum(count - 1 for counter in counts for count in counter.values())

    def withdrawn(self, act: str) -> None:
        """Expects that every audience that got anything of the story got the withdrawal last."""
        for hub in self.hubs:
            pairs = hub.pairs()
            for audience in {audience for _, audience in pairs}:
                acts = [pair[0] for pair in pairs if pair[1] == audience]
                expect(acts[-1] == act, f"{audience} at {hub.label} got {acts}")
                expect(acts.count(act) == 1, f"{audience} at {hub.label} got {act} {acts.count(act)} times")
            expect(bool(pairs), f"{hub.label} accepted nothing")


# Scenes


def withdrawals(rig: Rig) -> str:
    for revision in (2, 1):
        rig.begin("revision")
        rig.start("w")
        rig.publish(rig.event("alert", "s", revision=2))
        rig.ended()
        rig.publish(rig.withdrawal("kill", "s", revision))
        rig.ended()
        rig.withdrawn("kill")

    for is_killed in (False, True):
        rig.begin("flight", drain="1s")
        for hub in rig.hubs:
            hub.faults({"latency": "60s"})
        rig.start("w")
        rig.publish(rig.event("alert", "s"))
        rig.accepted("alert")
        if is_killed:
            rig.kill("w")
        else:
            rig.stop("w")
        for hub in rig.hubs:
            hub.faults()
        rig.publish(rig.withdrawal("kill", "s", 1))
        rig.start("w")
        rig.ended()
        rig.withdrawn("kill")

    rig.begin("pause")
    rig.start("w")
    rig.publish(rig.event("alert", "s"))
    rig.ended()
    rig.run("pause", "--source", DESK, "--reason", "a scene")
    rig.publish(rig.withdrawal("kill", "s", 2), rig.event("update", "s", "update", 3))
    until("the kill waits", lambda: any(not outcome.get("final") for outcome in rig.records("outcomes")))
    expect(all(act != "kill" for hub in rig.hubs for act, _ in hub.pairs()), "the pause holds nothing")
    rig.run("resume", "--source", DESK, "--reason", "a scene")
    rig.ended()
    rig.withdrawn("kill")

    rig.begin("unanswered")
    for hub in rig.hubs:
        hub.faults({"cut": "after"})
    rig.start("w")
    rig.publish(rig.event("alert", "s"))
    rig.accepted("alert")
    rig.run("pause", "--source", DESK, "--reason", "a scene")
    rig.publish(rig.withdrawal("kill", "s", 1))
    until("the kill waits", lambda: any(not outcome.get("final") for outcome in rig.records("outcomes")))
    for hub in rig.hubs:
        hub.faults()
    rig.run("resume", "--source", DESK, "--reason", "a scene")
    rig.ended()
    rig.withdrawn("kill")

    rig.begin("evicted", storyMemory="1MiB")
    rig.start("w")
    rig.publish(rig.event("alert", "s"))
    rig.publish(*(rig.event(f"e{number}", f"other-{number}") for number in range(3000)))
    rig.ended()
    rig.publish(rig.withdrawal("kill", "s", 1))
    rig.ended()
    for hub in rig.hubs:
        acts = [act for act, _ in hub.pairs() if act in ("alert", "kill")]
        expect(acts == ["alert", "kill"], f"{hub.label} got {acts}")

    rig.begin("front")
    rig.order = ["a"]
    rig.start("w")
    rig.publish(rig.event("alert", "s"))
    rig.ended()
    rig.stop("w")
    rig.order = ["b", "a"]
    rig.start("w")
    rig.publish(rig.withdrawal("kill", "s", 1))
    rig.ended()
    acts = [[act for act, _ in hub.pairs()] for hub in rig.hubs]
    expect(acts == [["alert", "kill"], []], f"the hubs got {acts}")

    rig.begin("second")
    rig.start("w")
    rig.publish(rig.event("first", "s", "kill", categories=None))
    rig.ended()
    rig.publish(rig.event("second", "s", "kill"))
    rig.ended()
    rig.withdrawn("second")
    return "9 withdrawals reached everyone who was notified"


def crowd(rig: Rig, events: int, users: int = 1000) -> list[dict[str, object]]:
    """Events with many requests each."""
    return [
        rig.event(
            f"crowd-{number}", f"crowd-{number}",
            audience={"users": [f"u{number}-{user}" for user in range(users)]},
        )
        for number in range(events)
    ]


def disturbed(rig: Rig, name: str, workers: list[str], course: Callable[[], None]) -> int:
    """Publishes events with 50 requests during an outage of a hub, runs an action, and counts repeated notifications."""
    rig.begin(name, partitions=6)
    rig.hubs[0].faults({"latency": "300ms"})
    rig.hubs[1].faults({"status": 503})
    rig.start(*workers)
    rig.publish(*crowd(rig, 4))
    rig.publish(*(rig.event(f"alert-{number}", f"story-{number}") for number in range(60)))
    until("requests in progress", lambda: len(rig.hubs[0].sends()) > 20)
    course()
    time.sleep(3)
    for hub in rig.hubs:
        hub.faults()
    rig.ended()
    for hub in rig.hubs:
        pairs = hub.pairs()
        for number in range(4):
            users = {audience for act, audience in pairs if act == f"crowd-{number}" and audience.startswith("username")}
            expect(len(users) == 1000, f"{len(users)} of 1000 users of crowd-{number} at {hub.label}; {pairs[-1]}")
    return rig.repeats()


def stop(rig: Rig) -> str:
    def course() -> None:
        for _ in range(3):
            rig.stop("w")
            rig.start("w")
            time.sleep(4)

    repeats = disturbed(rig, "stop", ["w"], course)
    expect(repeats == 0, f"{repeats} second notifications")
    return "3 clean restarts, 0 second notifications"


def rolling(rig: Rig) -> str:
    names = ["w1", "w2", "w3"]

    def course() -> None:
        for name in names:
            rig.stop(name)
            rig.start(name)
            time.sleep(4)

    repeats = disturbed(rig, "rolling", names, course)
    expect(repeats == 0, f"{repeats} second notifications")
    return "3 workers restarted one after the other, 0 second notifications"


def scaling(rig: Rig) -> str:
    def course() -> None:
        rig.start("w2", "w3", "w4")
        time.sleep(6)
        rig.stop("w3", "w4")
        time.sleep(3)
        rig.stop("w2")

    repeats = disturbed(rig, "scaling", ["w1"], course)
    expect(repeats == 0, f"{repeats} second notifications")
    return "1, 4, 2, 1 workers, 0 second notifications"


def killed(rig: Rig) -> str:
    figures = []
    for _ in range(3):
        def course() -> None:
            rig.kill("w")
            rig.start("w")

        repeats = disturbed(rig, "killed", ["w"], course)
        figures.append((repeats, sum(hub.repeated_requests() for hub in rig.hubs)))
    expect(all(requests <= 100 for _, requests in figures), f"repeated notifications, requests: {figures}")
    return "kill -9: " + ", ".join(f"{requests} requests repeated ({repeats} users)" for repeats, requests in figures)


def away(rig: Rig, minutes: float) -> str:
    rates = []
    memory = 0.0
    for is_away in (False, True):
        rig.begin("away", partitions=6, concurrency="100")
        if is_away:
            rig.hubs[1].faults({"status": 503})
        rig.start("w")
        rig.publish(rig.event("warm", "warm"))
        rig.accepted("warm", 1)
        seconds = int(minutes * 60) if is_away else 60
        rates.append(steady(rig, seconds))
        if is_away:
            memory = rig.memory("w", "VmHWM")
            rig.publish(
                rig.event("late-correction", "s1-1", "correction", 2), rig.withdrawal("late-kill", "s2-2", 1),
            )
            rig.accepted("late-kill", 1)
            rig.hubs[1].faults()
            wanted = seconds * 300 - 1
            until("the hub that was away catches up", lambda: len(rig.hubs[1].sends()) >= wanted, 600)
            rig.accepted("late-correction", 2)
            acts = [act for act, _ in rig.hubs[1].pairs()]
            expect("e2-2" not in acts, "the hub that was away gets an alert that was withdrawn")
    expect(rates[1] >= 0.95 * rates[0], f"rates {rates}")
    return (
        f"{rates[0]:.0f}/s with both hubs, {rates[1]:.0f}/s while the other is away for {minutes:g} min "
        f"({rates[1] / rates[0]:.1%}), at most {memory:.0f} MB; {rig.repeats()} second notifications"
    )


def slow(rig: Rig) -> str:
    faults: dict[str, dict[str, object]] = {
        "429": {"status": 429}, "400": {"status": 400}, "20 a second": {"throttle": 20}, "2 s a response": {"latency": "2s"},
    }
    found = []
    for name, fault in faults.items():
        rig.begin("slow", partitions=6, concurrency="100")
        rig.start("w")
        rig.publish(rig.event("warm", "warm"))
        rig.accepted("warm")
        rig.hubs[1].faults(fault)
        seconds = 30
        rate = steady(rig, seconds)
        memory = rig.memory("w", "VmHWM")
        expect(rate >= 285, f"{name}: {rate:.0f} a second")
        rig.hubs[1].faults()
        # A hub that refuses has refused some of them for good.
        wanted = seconds * 300 * (0.95 if name == "400" else 1)
        until("the slow hub catches up", lambda: len(rig.hubs[1].sends()) >= wanted, 300)
        found.append(f"{rate:.0f}/s beside {name} ({memory:.0f} MB)")
        expect(rig.repeats() == 0, f"{name}: {rig.repeats()} second notifications")
    return ", ".join(found) + "; 0 second notifications"


def steady(rig: Rig, seconds: int) -> float:
    """Publishes 300 events a second, and returns how many of them the first hub accepted a second."""
    began = time.monotonic()
    for second in range(seconds):
        rig.publish(*(rig.event(f"e{second}-{number}", f"s{second}-{number}") for number in range(300)))
        rest = began + second + 1 - time.monotonic()
        if rest > 0:
            time.sleep(rest)
    return len(rig.hubs[0].sends()) / (time.monotonic() - began)


def waiting(rig: Rig) -> str:
    rig.begin("waiting", partitions=6)
    rig.run("pause", "--source", DESK, "--reason", "a scene")
    rig.start("w")
    rig.publish(*(rig.event(f"e{number}", f"s{number}", text={"en": {"headline": "News", "summary": "x" * 600}}) for number in range(100_000)))
    until("all wait", lambda: unread(rig) == 0, 300)
    first = (rig.memory("w"), rig.memory("w", "VmHWM"))
    rig.stop("w")
    rig.start("w")
    rig.publish(rig.event("after", "after"))
    until("the next worker has read all", lambda: unread(rig) == 0, 120)
    second = (rig.memory("w"), rig.memory("w", "VmHWM"))
    figures = "{:.0f} MB (peak {:.0f}), after a restart {:.0f} MB (peak {:.0f})".format(*first, *second)
    expect(max(first[0], second[0]) <= 150, figures)
    return f"100,000 events wait: {figures}"


def unread(rig: Rig) -> int:
    """The number of records that the group has not committed."""
    command = [rig.program, "status", "--group", "--json", "--config", rig.configuration()]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=60).stdout)
    return sum(int(partition["lag"]["records"]) for partition in answer["partitions"])


def copies(rig: Rig) -> str:
    rig.begin("copies", partitions=1)
    for hub in rig.hubs:
        hub.faults({"status": 503})
    rig.start("w")
    event = rig.event("e", "s")
    for _ in range(10):
        rig.publish(*[event] * 1000)
    until("all but one ended", lambda: len(rig.places()) >= 9_999, 300)
    size = ledger_bytes(rig)
    expect(size <= 5_000_000, f"{size} bytes")
    return f"10,000 copies of one open event: {size / 1e6:.1f} MB written to the ledger"


def ledger_bytes(rig: Rig) -> int:
    listing = subprocess.run(
        ["kcat", "-C", "-q", "-e", "-b", f"127.0.0.1:{rig.port}", "-t", f"{rig.name}.ledger", "-f", "%S %K\n"],
        capture_output=True, text=True, timeout=300, check=True,
    )
    return sum(max(0, int(size)) + int(key) for size, key in (line.split() for line in listing.stdout.splitlines()))


@contextlib.contextmanager
def rigged(program: str) -> Iterator[Rig]:
    rig = Rig(program, ROOT / "artifacts/scenes")
    try:
        yield rig
    finally:
        rig.close()


def main() -> int:
    scenes: dict[str, Callable[[Rig], str]] = {
        "withdrawals": withdrawals, "stop": stop, "rolling": rolling, "scaling": scaling, "killed": killed,
        "slow": slow, "waiting": waiting, "copies": copies,
    }
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("scenes", nargs="*", choices=[[], *scenes, "away"])
    options = parser.parse_args()
    scenes["away"] = lambda rig: away(rig, options.minutes)
    failures = 0
    with rigged(options.program) as rig:
        for name in options.scenes or scenes:
            began = time.monotonic()
            try:
                text = scenes[name](rig)
            except Broken as broken:
                text, failures = f"BROKEN {broken}", failures + 1
            print(f"{name}: {text} [{time.monotonic() - began:.0f} s]", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
