"""Runs the commands of the guides; see .ci/guides."""

import argparse
import contextlib
import dataclasses
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ruamel.yaml import YAML

from guide_page import Command, Fault, Fragment, Shown, Step, difference, line_matches, merge, steps, within

ROOT = Path(__file__).resolve().parent.parent
GUIDES = ROOT / "deploy/guides"


@dataclasses.dataclass
class Plan:
    """The prerequisites of a page."""

    hub: bool = True                  # whether a hub runs
    workers: int = 2                  # the number of running workers; their topics exist
    before: tuple[str, ...] = ()      # commands to run before those of the page
    stops: str = "^$"                 # pattern of a command before which the workers are stopped, as on the page
    exits: dict[str, int] = dataclasses.field(default_factory=dict)      # pattern of a command: its exit code, if not 0


PLANS = {
    "feeds": Plan(workers=0, before=(
        # Required by `readers: own`.
        "sed -i 's/tags: \"{category}\"/tags: \"{category}.{locale}\"/' newsflash.yaml",
    )),
    "cms-in-ninjs": Plan(exits={"^sed .*render": 65}),
    "a-wrong-alert": Plan(before=(
        "newsflash publish --kind alert --story urn:desk:2 --category world --headline en='Bridge open'",
        "newsflash publish --kind alert --story urn:desk:1 --category world --headline en='Bridge closed'",
        "newsflash publish --kind flash --story urn:desk:wrong --category world --headline en='Bridge has fallen'",
    ), exits={"withdraw .*urn:desk:1 ": 1, "newsflash status": 1}),
    "rehearsing": Plan(before=(
        "newsflash publish --kind flash --story urn:desk:1 --category world --headline en='Bridge closed'",
        "newsflash publish --kind alert --story urn:desk:2 --category sports --headline en='Cup final off'",
        "newsflash publish --kind alert --story urn:desk:3 --category world --headline en='Storm over the coast'",
    ), exits={"replay .* 1d$": 1}),
    "going-live": Plan(before=(
        "newsflash publish --kind alert --story urn:desk:1 --category world --headline en='Bridge closed'",
    )),
    "a-hub-outage": Plan(workers=1, before=(
        "newsflash publish --kind alert --story urn:desk:1 --category world --headline en='Bridge closed'",
        "newsflash topics read --since 1d > yesterday.ndjson",
        "curl -sf -X PUT http://127.0.0.1:8080/_emulator/faults -H 'Content-Type: application/json' -d '[{\"status\":503}]'",
        *(f"newsflash publish --kind alert --story urn:desk:2{n} --category world --headline en='Storm'" for n in range(3)),
    ), exits={"newsflash status": 1}),
    "first-hub": Plan(hub=False, workers=0),
    "first-topic": Plan(hub=False, workers=0, before=(
        "newsflash hub --listen 127.0.0.1:8080 --rule 'worker=Zm9yLXRyeWluZw==:Send'",
    )),
    "hub-emulator": Plan(hub=False, workers=0),
    "scaling": Plan(workers=1, stops="topics grow", exits={"topics grow .* 12$": 1}),
    "upgrading-kafka": Plan(hub=False, workers=0, before=("newsflash topics create",)),
    "README": Plan(hub=False, workers=0),
    "bad-night": Plan(hub=False, workers=0),
}
# Guides without a plan, and why.
ELSEWHERE = {
    "app-back-end": ".ci/walk runs it",
    "kafka-rights": "needs a broker with access lists; the tests of the worker and of check take rights away",
    "configuration": "has no commands; ConfigurationTests generates it",
    "key-rotation": "needs a hub whose keys are rolled, and a group of users",
    "libraries": "is about Swift; .ci/consumer and .ci/check-subscriptions use the libraries",
}

SERVERS = re.compile(r"newsflash (run|hub|gateway|tap)\b(?! user)(?!.*--since)")
# Their output may be incomplete for a moment, until the workers have finished.
READS = re.compile(
    r"newsflash (tap|outcomes|status|pauses|dead-letters list|topics check|replay(?!.*--send))\b|curl (?!.* (-d|-X) )"
)
# Pauses after these commands in seconds, because a person is slower than the workers.
PACE = {re.compile(r"newsflash publish\b|post "): 0.3, re.compile(r"newsflash (pause|resume)\b"): 1.0}
PATIENCE = 15.0
# Kafka's tools run for a second only.
JAVA = {"KAFKA_JVM_PERFORMANCE_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", "KAFKA_HEAP_OPTS": "-Xmx128m"}


def free_port() -> int:
    with contextlib.closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def until(text: str, condition: Callable[[], object], patience: float = 30.0) -> None:
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise Fault(f"not within {patience:.0f} s: {text}")
        time.sleep(0.05)


class Broker:
    """One real broker for all pages."""

    def __init__(self) -> None:
        self.port = free_port()
        self.has_topics = False
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [str(ROOT / "Tests/Support/kafka-cluster.sh"), str(self.port), str(free_port())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, start_new_session=True,
            env={**os.environ, **JAVA, "KAFKA_HEAP_OPTS": "-Xmx512m"},
        )

    def wait(self) -> None:
        assert self.process.stdout is not None
        if not self.process.stdout.readline().startswith("ready"):
            self.errors.seek(0)
            raise Fault(f"the broker does not start: {self.errors.read()}")

    def empty(self) -> None:
        """Deletes all topics of the last page."""
        if not self.has_topics:
            return
        self.has_topics = False
        tool = f"{os.environ['KAFKA_HOME']}/bin/kafka-topics.sh"
        command = [tool, "--bootstrap-server", f"127.0.0.1:{self.port}", "--delete", "--if-exists", "--topic", "[^_].*"]
        subprocess.run(command, env={**os.environ, **JAVA}, capture_output=True, check=True, timeout=60)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


@dataclasses.dataclass
class Server:
    """A command that runs until it is stopped."""

    command: str
    process: int
    out: Path
    err: Path

    def printed(self) -> str:
        return self.out.read_text("utf-8", "replace") + self.err.read_text("utf-8", "replace")


class Shell:
    """A shell that runs one command after the other, like that of a user."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.count = folder, 0
        ours, theirs = os.pipe()
        self.answers = os.fdopen(ours)
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], stdin=subprocess.PIPE, text=True, cwd=folder / "page", env=environment,
            pass_fds=[theirs], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        self.say(f"exec 9>&{theirs} {theirs}>&-; set -o pipefail")

    def say(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def ask(self, text: str, patience: float = 60.0) -> str:
        self.say(text)
        # A command that hangs must not block the reading of its result.
        signal.alarm(int(patience))
        try:
            return self.answers.readline().strip()
        finally:
            signal.alarm(0)

    def files(self) -> tuple[Path, Path]:
        self.count += 1
        out, err = self.folder / f"{self.count:03}.out", self.folder / f"{self.count:03}.err"
        out.touch()
        err.touch()
        return out, err

    def run(self, command: str) -> tuple[int, list[str], list[str]]:
        """Returns exit code, standard output and standard error of a command."""
        out, err = self.files()
        code = self.ask(f"{{ {command}\n}} >{out} 2>{err} 9>&- </dev/null; echo $? >&9")
        if not code:
            raise Fault("the shell has ended")
        return int(code), out.read_text("utf-8").split("\n"), err.read_text("utf-8").split("\n")

    def start(self, command: str, variables: str = "") -> "Server":
        """Starts a command that does not end."""
        out, err = self.files()
        process = self.ask(f"{{ {variables} exec {command}\n}} >{out} 2>{err} 9>&- </dev/null & echo $! >&9")
        return Server(command, int(process), out, err)

    def stop(self, servers: list["Server"]) -> None:
        """Ends commands in order."""
        processes = " ".join(str(server.process) for server in servers)
        self.ask(f"kill {processes}; wait {processes}; echo done >&9")

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            # Its commands too, so that none writes to the deleted folder.
            for _ in range(100):
                os.killpg(self.process.pid, signal.SIGKILL)
                time.sleep(0.02)
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.answers.close()


class Reader:
    """Works through one page: its folder, its hub, its workers."""

    def __init__(self, name: str, program: str, folder: Path, broker: Broker, shows: bool) -> None:
        self.name, self.program, self.folder, self.plan = name, program, folder, PLANS[name]
        self.broker, self.shows = broker, shows
        self.workers: list[Server] = []
        self.words = {
            "127.0.0.1:9092": f"127.0.0.1:{broker.port}",
            **{f"127.0.0.1:{port}": f"127.0.0.1:{free_port()}" for port in (8080, 8081, 8082, 8090, 9464)},
            "/run/secrets/": f"{folder}/secrets/",
            "/etc/newsflash/": f"{folder}/etc/",
        }
        for part in ("page/deploy", "bin", "secrets", "etc"):
            (folder / part).mkdir(parents=True)
        (folder / "bin/newsflash").symlink_to(program)
        for file in (ROOT / "deploy/newsflash.yaml", *(ROOT / "deploy/examples").iterdir()):
            (folder / "page/deploy" / file.name).write_text(self.ours(file.read_text("utf-8")), "utf-8")
        self.configuration = folder / "page/newsflash.yaml"
        self.configuration.write_text((folder / "page/deploy/newsflash.yaml").read_text("utf-8"), "utf-8")
        # The latest fragment that was not indented.
        self.latest: object = None
        self.environment = {
            "PATH": f"{folder}/bin:{os.environ['KAFKA_HOME']}/bin:{os.environ['PATH']}", "HOME": str(folder),
            "USER": "someone", "LANG": "C.UTF-8", **JAVA, "LOG_DIR": f"{folder}/kafka-logs",
        }
        self.shell = Shell(folder, self.environment)

    def ours(self, text: str) -> str:
        for page, run in self.words.items():
            text = text.replace(page, run)
        return text

    def theirs(self, line: str) -> str:
        for page, run in self.words.items():
            line = line.replace(run, page)
        return line

    # Surroundings

    def prepare(self) -> None:
        if self.plan.hub:
            self.start_hub("127.0.0.1:8080", "newsroom", "hub")
            self.start_hub("127.0.0.1:8082", "newsroom-test", "test-hub")
        if self.plan.workers:
            self.quietly("newsflash topics create --config newsflash.yaml")
            for _ in range(self.plan.workers):
                self.start_worker("newsflash run --config newsflash.yaml")
            self.await_workers()
        for command in self.plan.before:
            self.quietly(command)
            time.sleep(0.3)

    def quietly(self, command: str) -> None:
        if SERVERS.match(command):
            return self.serve(Command(0, command), self.ours(command))
        self.broker.has_topics |= "topics create" in command
        code, _, errors = self.shell.run(self.ours(command))
        if code != 0:
            raise Fault(f"in preparation: {command}: exit code {code}: {' '.join(errors)}")

    def start_hub(self, address: str, name: str, secret: str) -> None:
        hub = self.shell.start(f"newsflash hub --listen {self.words[address]} --name {name}")
        until("the hub starts", lambda: hub.out.read_text().count("\n") >= 2)
        connection = hub.out.read_text().split("\n")[1]
        (self.folder / f"secrets/{secret}-connection-string").write_text(connection + "\n")

    def start_worker(self, command: str) -> Server:
        """Starts a worker; the first has the admin port of the configuration, the others have other ports."""
        # Several workers on one machine cannot share the port.
        variable = f"NEWSFLASH_ADMIN_LISTEN=127.0.0.1:{free_port()}" if self.workers else ""
        worker = self.shell.start(command, variable)
        self.workers.append(worker)
        return worker

    def await_workers(self) -> None:
        for worker in self.workers:
            until(
                f"it is at work: {worker.command}",
                lambda worker=worker: "was restored" in worker.printed() or "Error: " in worker.printed(),
            )
            if "Error: " in worker.printed():
                raise Fault(worker.printed())

    def restart_workers(self) -> None:
        before, self.workers = self.workers, []
        self.shell.stop(before)
        for worker in before:
            self.start_worker(worker.command)
        self.await_workers()

    def leave(self) -> None:
        """Stops the workers in order, so that the group has no dead members on the next page."""
        if self.workers:
            self.shell.stop(self.workers)
        self.workers = []

    def close(self) -> None:
        self.shell.close()

    # Steps

    def take(self, step: Step) -> None:
        match step:
            case Command():
                self.run(step)
            case Fragment():
                self.write(step)
            case Shown():
                until("printed: " + " / ".join(step.output), lambda: self.has_printed(step.output), PATIENCE)

    def has_printed(self, lines: list[str]) -> bool:
        printed = [
            self.theirs(line) for file in self.folder.glob("*.*") for line in file.read_text("utf-8", "replace").split("\n")
        ]
        return all(any(line_matches(line, candidate) for candidate in printed) for line in lines if line.strip())

    def write(self, fragment: Fragment) -> None:
        """Merges a fragment into its file, checks the file, and restarts the workers if it is theirs."""
        yaml = YAML()
        yaml.preserve_quotes = True
        yaml.width = 1000
        part = yaml.load(self.ours(fragment.text))
        if fragment.depth:
            part = within(self.latest, fragment.depth, part)
        else:
            self.latest = part
        file = self.folder / "page" / fragment.file
        whole = yaml.load(file.read_text("utf-8") if file.exists() else self.configuration.read_text("utf-8"))
        merge(whole, part)
        with file.open("w", encoding="utf-8") as output:
            yaml.dump(whole, output)
        code, printed, errors = self.shell.run(f"newsflash lint --config {fragment.file}")
        if code != 0:
            raise Fault(f"with this fragment: {' '.join(printed + errors)}")
        if any(fragment.file in worker.command for worker in self.workers):
            self.quietly(f"newsflash topics create --config {fragment.file}")
            self.restart_workers()

    def run(self, command: Command) -> None:
        text = self.ours(command.text)
        if re.search(self.plan.stops, command.text):
            self.leave()
        if SERVERS.match(text):
            self.serve(command, text)
        else:
            self.run_to_end(command, text)
        command.done = True

    def serve(self, command: Command, text: str) -> None:
        if text.startswith("newsflash run"):
            server = self.start_worker(text)
            self.await_workers()
        else:
            server = self.shell.start(text)
            until(f"it starts: {command.text}", lambda: server.out.read_text("utf-8"))
        self.show(command, [self.theirs(line) for line in server.printed().split("\n")])
        if command.output:
            until("the output is as shown", lambda: not difference(command.output, self.lines(server.out)), PATIENCE)

    def lines(self, file: Path) -> list[str]:
        return [self.theirs(line) for line in file.read_text("utf-8").split("\n")]

    def run_to_end(self, command: Command, text: str) -> None:
        self.broker.has_topics |= "topics create" in text
        wanted = next((code for form, code in self.plan.exits.items() if re.search(form, command.text)), 0)
        end = time.monotonic() + (PATIENCE if READS.match(text) else 0)
        began = time.monotonic()
        while True:
            code, out, err = self.shell.run(text)
            out, err = [self.theirs(line) for line in out], [self.theirs(line) for line in err]
            fault = self.fault(command, wanted, code, out, err)
            if not fault or time.monotonic() > end:
                break
            time.sleep(0.2)
        self.show(command, [*err, *out, f"[exit code {code}, {time.monotonic() - began:.1f} s]"])
        if fault:
            raise Fault(f"{fault}\n" + "\n".join(f"    {line}" for line in [*err, *out] if line.strip()))
        time.sleep(next((pause for form, pause in PACE.items() if form.match(text)), 0))

    def fault(self, command: Command, wanted: int, code: int, out: list[str], err: list[str]) -> str | None:
        if code != wanted:
            return f"exit code {code}, not {wanted}"
        if command.output is None:
            return None
        # A page may omit notes about what a command waits for.
        fault = difference(command.output, out)
        return fault and difference(command.output, err + out) and fault

    def show(self, command: Command, lines: list[str]) -> None:
        if self.shows:
            print(f"  {command.line}$ {command.text}")
            for line in lines:
                if line.strip():
                    print(f"      {line}")


def work_through(name: str, program: str, broker: Broker, shows: bool) -> str:
    page = GUIDES / f"{name}.md"
    todo = steps(page)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="newsflash-guide.") as folder:
        reader = Reader(name, program, Path(folder), broker, shows)
        try:
            reader.prepare()
            for step in todo:
                try:
                    reader.take(step)
                except Fault as fault:
                    what = f"{step.text}\n  " if isinstance(step, Command) else ""
                    raise Fault(f"{page.relative_to(ROOT)}:{step.line}: {what}{fault}") from fault
            reader.leave()
        finally:
            reader.close()
    commands = [step for step in todo if isinstance(step, Command)]
    left = [command for command in commands if not command.done]
    if left:
        raise Fault(f"{page.relative_to(ROOT)}:{left[0].line}: was not run: {left[0].text}")
    return f"{name}: {len(commands)} commands in {time.monotonic() - began:.0f} s"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("pages", nargs="*")
    options = parser.parse_args()

    unknown = {page.stem for page in GUIDES.glob("*.md")} ^ (PLANS.keys() | ELSEWHERE.keys())
    names = [Path(page).stem for page in options.pages] or list(PLANS)
    if unknown or not PLANS.keys() >= set(names):
        print(f"guides: no such page, or a page without a plan: {', '.join(sorted(unknown) or names)}", file=sys.stderr)
        return 64
    signal.signal(signal.SIGALRM, too_long)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    broker = Broker()
    try:
        broker.wait()
        for name in names:
            broker.empty()
            print(work_through(name, options.program, broker, options.show), flush=True)
    except Fault as fault:
        print(f"guides: {fault}", file=sys.stderr)
        return 1
    finally:
        broker.close()
    return 0


def too_long(*_: object) -> None:
    raise Fault("the command does not end")


if __name__ == "__main__":
    sys.exit(main())
