"""The broker and the shell in which the commands of pages run. Part of .ci/guides."""

import contextlib
import dataclasses
import os
import random
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from guide_page import Fault

ROOT = Path(__file__).resolve().parent.parent
# Kafka's tools run for a second only.
JAVA = {"KAFKA_JVM_PERFORMANCE_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", "KAFKA_HEAP_OPTS": "-Xmx128m"}
# The users of deploy/guides/kafka-rights.md, and an administrator. They have one password.
ADMINISTRATOR, WORKER, GATEWAY, OPERATOR = "admin", "newsflash", "newsflash-gateway", "oncall"
USERS = (ADMINISTRATOR, WORKER, GATEWAY, OPERATOR)
PASSWORD = "of-the-guides"


def free_port() -> int:
    """A free port that the system does not give to outgoing connections in the meantime."""
    while True:
        port = random.randrange(20000, 32000)
        with contextlib.closing(socket.socket()) as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


def until(text: str, condition: Callable[[], object], patience: float = 30.0) -> None:
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise Fault(f"not within {patience:.0f} s: {text}")
        time.sleep(0.05)


class Broker:
    """One real broker for all pages. With users, they need access lists; without, nobody signs in."""

    def __init__(self, has_users: bool) -> None:
        self.has_users = has_users
        self.open_port = free_port()
        self.port = free_port() if has_users else self.open_port
        self.certificates = ""
        self.has_topics = False
        # Commands of kafka-rights.md that give rights which only pages with a volume limit need.
        self.rights_of_volume_limits: list[str] = []
        self.errors = tempfile.TemporaryFile("w+")
        secure = ["--secure", PASSWORD, str(free_port()), str(free_port()), str(self.port), "--users", " ".join(USERS)]
        self.process = subprocess.Popen(
            [
                str(ROOT / "Tests/Support/kafka-cluster.sh"), *(secure if has_users else []),
                str(self.open_port), str(free_port()),
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, start_new_session=True,
            env={**os.environ, **JAVA, "KAFKA_HEAP_OPTS": "-Xmx512m"},
        )

    def wait(self) -> None:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if line.startswith("certificates "):
            self.certificates = line.split()[1]
            line = self.process.stdout.readline()
        if not line.startswith("ready"):
            self.errors.seek(0)
            raise Fault(f"the broker does not start: {self.errors.read()}")

    def empty(self) -> None:
        """Deletes all topics of the last page."""
        if not self.has_topics:
            return
        self.has_topics = False
        tool = f"{os.environ['KAFKA_HOME']}/bin/kafka-topics.sh"
        command = [tool, "--bootstrap-server", f"127.0.0.1:{self.open_port}", "--delete", "--if-exists", "--topic", "[^_].*"]
        subprocess.run(command, env={**os.environ, **JAVA}, capture_output=True, check=True, timeout=60)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    # Signing in

    def sign_in(self) -> str:
        """The lines below `kafka:` of a configuration with which the worker's user signs in."""
        return (
            f"  tls: true\n  caFile: {self.certificates}/authority.pem\n"
            f"  sasl: {{ mechanism: PLAIN, username: {WORKER}, passwordFile: /run/secrets/kafka-password }}\n"
        )

    def write_clients(self, folder: Path) -> None:
        """Writes the files with which the tools of Kafka and kcat sign in: USER.properties and USER.kcat."""
        for user in USERS:
            (folder / f"{user}.properties").write_text(
                f"security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nssl.truststore.type=PEM\n"
                f"ssl.truststore.location={self.certificates}/authority.pem\n"
                "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required "
                f'username="{user}" password="{PASSWORD}";\n'
            )
            (folder / f"{user}.kcat").write_text(
                f"security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nssl.ca.location={self.certificates}/authority.pem\n"
                f"sasl.username={user}\nsasl.password={PASSWORD}\n"
            )


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

    def start(self, command: str, prelude: str = "") -> "Server":
        """Starts a command that does not end, after a prelude that sets its variables."""
        out, err = self.files()
        process = self.ask(f"{{ {prelude}\nexec {command}\n}} >{out} 2>{err} 9>&- </dev/null & echo $! >&9")
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
