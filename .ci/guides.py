"""Runs the commands of the guides and runbooks; see .ci/guides."""

import argparse
import os
import re
import signal
import sys
import tempfile
import time
from pathlib import Path

from ruamel.yaml import YAML

from guide_page import (
    Command, Fault, Fragment, Shown, Step, contains_sample, difference, entries, is_sample, line_matches, merge, steps, within,
)
from guide_plans import ELSEWHERE, FURTHER_NAMES, OTHER_USERS, PLANS, TAKEN_AWAY, publish
from guide_shell import GATEWAY, JAVA, OPERATOR, PASSWORD, ROOT, USERS, WORKER, Broker, Server, Shell, free_port, until

SERVERS = re.compile(r"((?:[A-Z_]+=\S+ )*)(newsflash (run|hub|gateway|tap)\b(?! user)(?!.*--since).*)", re.DOTALL)
# Their output may be incomplete for a moment, until the workers have finished.
READS = re.compile(
    r"newsflash (tap|outcomes|status|top|pauses|dead-letters (list|show)|topics plan|replay(?!.*--send))\b"
    r"|curl (?!.* (-d|-X) )"
)
# Pauses after these commands in seconds, because a person is slower than the workers.
PACE = {re.compile(r"newsflash publish\b|post "): 0.3, re.compile(r"newsflash (pause|resume)\b"): 1.0}
PATIENCE = 15.0
# The words of commands on a broker with users, and those of the pages.
WITH_USERS = {
    "reached with TLS, authenticated": "reached, unencrypted and without authentication",
    "sasl_ssl://": "",
    ", or our user may not see it (right Describe)": "",
}
RIGHT_OF_VOLUME_LIMITS = re.compile(r"User:newsflash .*--operation Write .*--topic newsflash\.control$", re.DOTALL)


class Reader:
    """Works through one page: its folder, its hub, its workers."""

    def __init__(self, name: str, program: str, folder: Path, broker: Broker, shows: bool) -> None:
        self.name, self.program, self.folder, self.plan = name, program, folder, PLANS[name]
        self.broker, self.shows = broker, shows
        self.workers: list[Server] = []
        self.others: list[Server] = []
        self.count = self.elsewhere = 0
        self.words = {
            "127.0.0.1:9092": f"127.0.0.1:{broker.port}",
            **{f"127.0.0.1:{port}": f"127.0.0.1:{free_port()}" for port in (8080, 8081, 8082, 8090, 9464, 9465)},
            "/run/secrets/": f"{folder}/secrets/",
            "/etc/newsflash/": f"{folder}/etc/",
        }
        # Another worker, on the page about alerts.
        self.words["10.0.0.7:9464"] = self.words["127.0.0.1:9464"]
        for part in ("page/deploy", "bin", "secrets", "etc", "clients"):
            (folder / part).mkdir(parents=True)
        (folder / "bin/newsflash").symlink_to(program)
        if not (tools := Path(os.environ["KAFKA_HOME"]) / "bin/kafka-acls.sh").exists():
            # A Kafka from Maven has the tool without its script.
            script = folder / "bin/kafka-acls.sh"
            script.write_text(f'#!/bin/sh\nexec "{tools.parent}/kafka-run-class.sh" org.apache.kafka.tools.AclCommand "$@"\n')
            script.chmod(0o755)
        for file in (ROOT / "deploy/newsflash.yaml", *(ROOT / "deploy/examples").iterdir()):
            text = file.read_text("utf-8")
            if broker.has_users:
                text = text.replace("\nkafka:\n", f"\nkafka:\n{broker.sign_in()}", 1)
            (folder / "page/deploy" / file.name).write_text(self.ours(text), "utf-8")
        self.configuration = folder / "page/newsflash.yaml"
        self.configuration.write_text((folder / "page/deploy/newsflash.yaml").read_text("utf-8"), "utf-8")
        # The latest fragment that was not indented.
        self.latest: object = None
        self.environment = {
            "PATH": f"{folder}/bin:{os.environ['KAFKA_HOME']}/bin:{os.environ['PATH']}", "HOME": str(folder),
            "USER": "someone", "LANG": "C.UTF-8", **JAVA, "LOG_DIR": f"{folder}/kafka-logs",
        }
        if broker.has_users:
            broker.write_clients(folder / "clients")
            (folder / "secrets/kafka-password").write_text(PASSWORD)
            (folder / "page/admin.properties").write_text((folder / "clients/admin.properties").read_text())
        self.shell = Shell(folder, self.environment)

    def user(self, command: str) -> str:
        """The user of Kafka who runs a command."""
        return next((user for pattern, user, _ in OTHER_USERS if re.search(pattern, command)), OPERATOR)

    def sign_in(self, user: str) -> str:
        """Commands for the shell, after which its commands sign in as this user."""
        if not self.broker.has_users:
            return ""
        names = ("NEWSFLASH_KAFKA_SASL_USERNAME", "NEWSFLASH_KAFKA_SASL_PASSWORD_FILE")
        # The configuration has the worker's user.
        ours = f"unset {' '.join(names)}; " if user == WORKER else (
            f"export {names[0]}={user} {names[1]}={self.folder}/secrets/kafka-password; "
        )
        return f"{ours}export KCAT_CONFIG={self.folder}/clients/{user}.kcat CLIENT={self.folder}/clients/{user}.properties"

    def as_user(self, command: str) -> str:
        """The command as the page's reader runs it on a broker with users."""
        text = self.ours(command)
        if not self.broker.has_users:
            return text
        if self.plan.only_with_users and " --add " in text:
            return re.sub(r"--(?:topic|group) (\S+)", repeated, text)
        if "--command-config" not in text:
            return re.sub(r"(kafka-[\w-]+\.sh) ", r"\1 --command-config $CLIENT ", text)
        return text

    def ours(self, text: str) -> str:
        for page, run in self.words.items():
            text = text.replace(page, run)
        return text

    def theirs(self, line: str) -> str:
        for page, run in self.words.items():
            line = line.replace(run, page)
        if self.broker.has_users:
            for printed, shown in WITH_USERS.items():
                line = line.replace(printed, shown)
        return line

    # Surroundings

    def prepare(self) -> None:
        if self.plan.hub:
            self.start_hub("127.0.0.1:8080", "newsroom", "hub")
            self.start_hub("127.0.0.1:8082", "newsroom-test", "test-hub")
        if self.plan.workers:
            self.quietly("newsflash topics apply --yes --config newsflash.yaml")
            for _ in range(self.plan.workers):
                self.start_worker("newsflash run --config newsflash.yaml")
            self.await_workers()
        if self.plan.has_volume_limits:
            for command in self.broker.rights_of_volume_limits:
                self.quietly(command)
        for command in self.plan.before:
            self.quietly(command)

    def quietly(self, command: str) -> None:
        if SERVERS.match(command):
            return self.serve(Command(0, command), self.ours(command))
        if command.startswith("stop "):
            return self.stop(self.ours(command.removeprefix("stop ")))
        self.broker.has_topics |= "topics apply" in command
        self.shell.say(self.sign_in(self.user(command)))
        code, printed, errors = self.shell.run(self.as_user(command))
        self.show(Command(0, command), [*errors, *printed])
        if re.search(r"newsflash (publish|pause|reload)\b", command):
            time.sleep(0.3)
        if code != 0:
            raise Fault(f"in preparation: {command}: exit code {code}: {' '.join(errors)}")

    def start_hub(self, address: str, name: str, secret: str) -> None:
        hub = self.shell.start(f"newsflash hub --listen {self.words[address]} --name {name}")
        self.others.append(hub)
        until("the hub starts", lambda: hub.out.read_text().count("\n") >= 2)
        connection = hub.out.read_text().split("\n")[1]
        (self.folder / f"secrets/{secret}-connection-string").write_text(connection + "\n")

    def start_worker(self, command: str) -> Server:
        """Starts a worker; the first has the admin port of the configuration, the others have other ports."""
        # Several workers on one machine cannot share the port.
        variable = f"export NEWSFLASH_ADMIN_LISTEN=127.0.0.1:{free_port()}" if self.workers else ""
        variables, program = SERVERS.match(command).groups()[:2]
        exported = f"export {variables}" if variables else ""
        worker = self.shell.start(program.removesuffix("&"), f"{self.sign_in(WORKER)}\n{exported}\n{variable}")
        worker.command = command
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

    def stop(self, command: str) -> None:
        """Stops the running commands that begin so."""
        stopped = [server for server in self.workers + self.others if server.command.startswith(command)]
        if not stopped:
            raise Fault(f"in preparation: does not run: {command}")
        self.shell.stop(stopped)
        self.workers = [server for server in self.workers if server not in stopped]
        self.others = [server for server in self.others if server not in stopped]

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
        for server in self.workers + self.others:
            self.show(Command(0, server.command), self.theirs(server.printed()).split("\n"))
        self.workers = []

    def close(self) -> None:
        self.shell.close()

    # Steps

    def take(self, step: Step) -> None:
        self.count += 1
        for preparation in self.plan.then.get(self.count, ()):
            self.quietly(preparation)
        match step:
            case Command():
                self.run(step)
            case Fragment():
                self.write(step)
            case Shown() if self.is_elsewhere("\n".join(step.output)):
                pass
            case Shown():
                until("printed: " + "\n".join(step.output), lambda: self.has_printed(step.output), PATIENCE)

    def is_elsewhere(self, text: str) -> bool:
        return any(re.search(pattern, text) for pattern in self.plan.elsewhere)

    def has_printed(self, lines: list[str]) -> bool:
        if self.plan.samples:
            return all(
                any(contains_sample(line, self.lines(file)) for file in self.folder.glob("*.*"))
                for line in entries(lines)
            )
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
            self.quietly(f"newsflash topics apply --yes --config {fragment.file}")
            self.restart_workers()

    def run(self, command: Command) -> None:
        if self.is_elsewhere(command.text):
            command.done = True
            self.elsewhere += 1
            return
        if self.plan.only_with_users and re.search(RIGHT_OF_VOLUME_LIMITS, command.text):
            command.done = True
            self.broker.rights_of_volume_limits.append(command.text)
            return
        text = self.as_user(command.text)
        if re.search(self.plan.stops, command.text):
            self.leave()
        if SERVERS.match(text):
            self.serve(command, text)
        else:
            self.run_to_end(command, text)
        command.done = True

    def serve(self, command: Command, text: str) -> None:
        if " run " in text:
            server = self.start_worker(text)
            if not text.endswith("&"):
                self.await_workers()
        else:
            server = self.shell.start(text, self.sign_in(GATEWAY))
            self.others.append(server)
            until(f"it starts: {command.text}", lambda: server.out.read_text("utf-8"))
        self.show(command, [self.theirs(line) for line in server.printed().split("\n")])
        if command.output:
            until("the output is as shown", lambda: not difference(command.output, self.lines(server.out)), PATIENCE)

    def lines(self, file: Path) -> list[str]:
        return [self.theirs(line) for line in file.read_text("utf-8").split("\n")]

    def run_to_end(self, command: Command, text: str) -> None:
        self.broker.has_topics |= "topics apply" in text
        wanted = next((
            code for form, code in self.plan.exits.items()
            if form == self.count or isinstance(form, str) and re.search(form, command.text)
        ), 0)
        end = time.monotonic() + (PATIENCE if READS.match(text) else 0)
        began = time.monotonic()
        self.shell.say(self.sign_in(self.user(command.text)))
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
        if self.plan.samples:
            printed = (out, err + out, out + err)
            return None if any(is_sample(command.output, lines) for lines in printed) else "not as shown"
        # A page may omit notes about what a command waits for.
        fault = difference(command.output, out)
        return fault and difference(command.output, err + out) and fault

    def show(self, command: Command, lines: list[str]) -> None:
        if self.shows:
            print(f"  {command.line}$ {command.text}")
            for line in lines:
                if line.strip():
                    print(f"      {line}")


def repeated(option: re.Match[str]) -> str:
    """An option of kafka-acls.sh, repeated for the further names of other pages."""
    kind = option[0].split()[0]
    return " ".join([option[0], *(f"{kind} {name}" for name in FURTHER_NAMES.get(option[1], ()))])


def work_through(name: str, program: str, broker: Broker, shows: bool) -> str:
    page = path(name)
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
        finally:
            reader.leave()
            reader.close()
    commands = [step for step in todo if isinstance(step, Command)]
    left = [command for command in commands if not command.done]
    if left:
        raise Fault(f"{page.relative_to(ROOT)}:{left[0].line}: was not run: {left[0].text}")
    elsewhere = f", {reader.elsewhere} of them elsewhere" if reader.elsewhere else ""
    who = "with users" if broker.has_users else "open"
    return f"{name}, {who}: {len(commands)} commands{elsewhere} in {time.monotonic() - began:.0f} s"


def take_rights_away(program: str, broker: Broker, shows: bool) -> str:
    """Takes rights away, and checks that commands name them."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="newsflash-guide.") as folder:
        reader = Reader("guides/kafka-rights", program, Path(folder), broker, shows)
        try:
            # Without records nothing must be read.
            for command in ("newsflash topics apply --yes", publish("alert", "urn:desk:1", "News"), "newsflash pause --source desk"):
                reader.quietly(command)
            for user, right, topics, commands in TAKEN_AWAY:
                reader.quietly(
                    "kafka-acls.sh --bootstrap-server 127.0.0.1:9092 --command-config admin.properties --remove --force "
                    f"--allow-principal User:{user} --operation {right} " + " ".join(f"--topic {topic}" for topic in topics)
                )
                for command, *words in commands:
                    reader.shell.say(reader.sign_in(reader.user(command)))
                    code, out, err = reader.shell.run(reader.ours(command))
                    printed = " ".join(err + out)
                    reader.show(Command(0, command), [*err, *out, f"[exit code {code}]"])
                    if code == 0 or not all(word in printed for word in words):
                        raise Fault(f"without {user}'s {right}: {command}: does not name {' and '.join(words)}: {printed}")
        finally:
            reader.close()
    return f"{sum(len(commands) for *_, commands in TAKEN_AWAY)} commands without rights in {time.monotonic() - began:.0f} s"


def path(name: str) -> Path:
    return ROOT / ("README.md" if name == "README" else f"deploy/{name}.md")


def chosen(pages: list[str], has_users: bool) -> list[str]:
    """The pages with these names, or all; the page with the rights first if there are users."""
    names = [name for name, plan in PLANS.items() if (plan.uses_kafka if has_users else not plan.only_with_users)]
    for page in pages:
        if not any(name == page or name.endswith("/" + page) for name in PLANS):
            raise Fault(f"no such page, or a page without a plan: {page}")
    if not pages:
        return names
    return [
        name for name in names if PLANS[name].only_with_users
        or any(name == page or name.endswith("/" + page) and "README" not in page for page in pages)
    ]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--users", action="store_true")
    parser.add_argument("--open", action="store_true")
    parser.add_argument("pages", nargs="*")
    options = parser.parse_args()

    signal.signal(signal.SIGALRM, too_long)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    broker, failed = None, False
    try:
        pages = [page for folder in ("guides", "runbooks") for page in (ROOT / "deploy" / folder).glob("*.md")]
        known = {"README", *(f"{page.parent.name}/{page.stem}" for page in pages)}
        if unknown := known ^ (PLANS.keys() | ELSEWHERE.keys()):
            raise Fault(f"pages without a plan, or plans without a page: {', '.join(sorted(unknown))}")
        names = chosen(options.pages, options.users)
        broker = Broker(options.users)
        broker.wait()
        for name in names:
            broker.empty()
            try:
                print(work_through(name, options.program, broker, options.show), flush=True)
            except Fault as fault:
                failed = True
                print(f"guides: {fault}", file=sys.stderr, flush=True)
        if options.users and not options.pages:
            broker.empty()
            print(take_rights_away(options.program, broker, options.show), flush=True)
    except Fault as fault:
        print(f"guides: {fault}", file=sys.stderr)
        return 1
    finally:
        if broker:
            broker.close()
    return 1 if failed else 0


def too_long(*_: object) -> None:
    raise Fault("the command does not end")


if __name__ == "__main__":
    sys.exit(main())
