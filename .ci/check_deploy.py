"""Checks the files of deploy/; deploy/check explains the call and installs the imports."""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import check_commands
from break_deploy import self_test
from check_alerts import AlertChecks, check_sources
from check_compose import ComposeChecks, seconds
from check_kubernetes import VERSIONS, Overlay
from check_shipped import Fault, read_yaml, require

OVERLAYS = ["deployment", "statefulset"]


class Skip(Exception):
    """The reason why a check is left out."""


class Deploy:
    """The checks; each returns a description of what is correct."""

    def __init__(self, root: Path, program: Path | None, *, compares: bool = True) -> None:
        self.root = root
        self.program = program
        # Whether the real Kustomize also renders the overlays, and they are checked against old versions of Kubernetes:
        # for some fifty copies that takes a minute.
        self.compares = compares
        self.promtool = shutil.which("promtool")

    def checks(self) -> Iterator[tuple[str, Callable[[], str]]]:
        yield "containerfile", self.check_containerfile
        yield "compose", lambda: ComposeChecks(self.root).check()
        for name in OVERLAYS:
            yield f"kubernetes {name}", lambda name=name: self.check_overlay(name)
        yield "configuration", self.check_configuration
        yield "rules", lambda: self.alerts(needs_promtool=True).check_rules()
        yield "rule tests", lambda: self.alerts(needs_promtool=True).check_rule_tests()
        yield "alerts", lambda: self.alerts().check_alerts()
        yield "pages", lambda: self.alerts().check_pages()
        yield "commands", self.check_commands
        yield "dashboard", lambda: self.alerts().check_dashboard()
        yield "expressions", self.check_expressions
        yield "metrics", self.check_metrics
        yield "systemd", self.check_unit

    def alerts(self, *, needs_promtool: bool = False) -> AlertChecks:
        if needs_promtool and not self.promtool:
            raise Skip("promtool is not installed (Debian: prometheus)")
        return AlertChecks(self.root, self.promtool)

    def check_containerfile(self) -> str:
        tool = Path(sys.executable).parent / "hadolint"
        file = self.root / "deploy/Containerfile"
        self.run(tool, "--failure-threshold", "style", file)
        require("\nUSER 10001:10001\n" in file.read_text("utf-8"), "the image's user is not 10001")
        return "deploy/Containerfile: hadolint finds nothing, and its user is 10001"

    def check_overlay(self, name: str) -> str:
        tools = [["kustomize", "build"], ["kubectl", "kustomize"]]
        there = (tool for tool in tools if shutil.which(tool[0]) and self.answers(tool))
        tool = next(there, None) if self.compares else None
        overlay = Overlay(self.root, name, tool, VERSIONS if self.compares else VERSIONS[-1:])
        said = overlay.check()
        for query in overlay.queries():
            self.alerts().check_query(query)
        return said + (f"; {' '.join(tool)} renders the same" if tool else "; rendered without kubectl or kustomize")

    @staticmethod
    def answers(tool: list[str]) -> bool:
        return subprocess.run([*tool, "--help"], capture_output=True, timeout=60).returncode == 0

    def check_configuration(self) -> str:
        if not self.program:
            raise Skip("the program is not built (swift build)")
        self.run(self.program, "lint", "--config", self.root / "deploy/kubernetes/base/newsflash.yaml")
        return "deploy/kubernetes/base/newsflash.yaml: newsflash lint finds nothing"

    def check_commands(self) -> str:
        if not self.program:
            raise Skip("the program is not built (swift build)")
        return check_commands.check(self.root, self.program)

    def check_expressions(self) -> str:
        queries = Overlay(self.root, OVERLAYS[0], None).queries()
        return self.alerts(needs_promtool=True).check_expressions(queries)

    def check_metrics(self) -> str:
        if not (self.root / "Sources").is_dir():
            raise Skip("no Sources here")
        return check_sources(self.root)

    def check_unit(self) -> str:
        path = self.root / "deploy/systemd/newsflash.service"
        text = path.read_text("utf-8")
        stop = re.search(r"^TimeoutStopSec=(.*)$", text, re.M)
        drain = read_yaml(self.root / "deploy/newsflash.yaml")["delivery"]["drain"]
        require(stop is not None and seconds(stop[1]) > seconds(drain) + 10, f"TimeoutStopSec is not over drain {drain}")
        require("\nRestartPreventExitStatus=64 78\n" in text, "a wrong configuration is started again for ever")
        tool = shutil.which("systemd-analyze")
        if not tool:
            raise Skip("systemd-analyze is not installed (Debian: systemd)")
        for path in sorted((self.root / "deploy/systemd").glob("*.service")):
            text = path.read_text("utf-8")
            with tempfile.TemporaryDirectory() as name:
                # The program need not be installed on the checking machine.
                unit = Path(name) / path.name
                unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.M), "utf-8")
                said = self.run(tool, "verify", "--man=no", unit)
                require(not said, said)
                self.run(tool, "security", "--offline=true", "--threshold=15", unit)
        return "deploy/systemd: systemd reads both units without a word, exposure below 1.5 of 10"

    @staticmethod
    def run(*command: object) -> str:
        output = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120)
        said = (output.stdout + output.stderr).strip()
        require(output.returncode == 0, said)
        return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--program", type=Path, help="newsflash; without it nothing is asked of it")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:

        def checks(root: Path) -> dict[str, Callable[[], str]]:
            return dict(Deploy(root, arguments.program, compares=False).checks())

        return self_test(arguments.root, checks, Skip)
    failed = False
    for name, check in Deploy(arguments.root, arguments.program).checks():
        try:
            print(f"ok    {check()}", flush=True)
        except Skip as reason:
            print(f"skip  {name}: {reason}", flush=True)
        except Exception as fault:  # every exception is a finding; later checks still run
            failed = True
            message = str(fault) if isinstance(fault, Fault) else f"{type(fault).__name__}: {fault}"
            print(f"FAIL  {name}", flush=True)
            print("\n".join(f"      {line}" for line in message.splitlines()), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
