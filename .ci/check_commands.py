"""Compares the commands in README, .github and deploy with `newsflash --help`; part of .ci/check_deploy.py."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from check_shipped import require

START = re.compile(r"(?:^|[|&(] ?|\$ | -- )newsflash ([a-z].*)$")


def commands(text: str) -> Iterator[str]:
    """The arguments of `newsflash` in code blocks, with continued lines joined, and in code within a line."""
    fenced = False
    for line in re.sub(r"\\\n\s*", "", text).split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced:
            if found := START.search(line.strip()):
                yield found[1]
        else:
            yield from re.findall(r"`(?:[^`]* (?:--|-u newsflash|worker) )?newsflash ([a-z][^`]*)`", line)
    # Code within a line may continue on the next line.
    for span in re.findall(r"`newsflash ([a-z][^`]*\n[^`]*)`", text):
        yield " ".join(span.split())


class Help:
    """The commands and options in the program's help."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.known: dict[tuple[str, ...], str] = {}

    def of(self, path: tuple[str, ...]) -> str:
        if path not in self.known:
            command = [self.program, *path, "--help"]
            said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
            self.known[path] = said.stdout
        return self.known[path]

    def subcommands(self, path: tuple[str, ...]) -> set[str]:
        # Each heading in capitals, and the lines up to the next empty one.
        sections = re.findall(r"^([A-Z][A-Z ]+):\n((?:  .*\n?)+)", self.of(path), re.M)
        lists = "".join(lines for title, lines in sections if title not in {"ARGUMENTS", "OPTIONS"})
        return set(re.findall(r"^  ([a-z][a-z-]*)\b", lists, re.M))

    def fault(self, command: str) -> str | None:
        """The fault of a command; quoted words and later commands of a pipe are ignored."""
        words = re.sub(r"'[^']*'|\"[^\"]*\"", "x", command).split()
        end = next((number for number, word in enumerate(words) if re.match(r"[|&;<>#]|2>", word)), len(words))
        path: tuple[str, ...] = ()
        words = words[:end]
        while words and words[0] in self.subcommands(path):
            path = (*path, words.pop(0))
        if not path:
            return f"newsflash {command}: there is no such command"
        for word in words:
            option = word.split("=")[0].rstrip(".,;:)")
            if option.startswith("--") and not re.search(rf"{re.escape(option)}\b", self.of(path)):
                return f"newsflash {command}: '{' '.join(path)}' has no {option}"
        return None


def check(root: Path, program: Path) -> str:
    told, faults, count = Help(program), [], 0
    pages = [root / "README.md", *(root / ".github").glob("*.md"), *(root / "deploy").rglob("*.md")]
    for page in sorted(page for page in pages if page.name != "CHANGELOG.md"):
        for command in commands(page.read_text("utf-8")):
            count += 1
            if fault := told.fault(command):
                faults.append(f"{page.relative_to(root)}: {fault}")
    require(not faults, "\n".join(faults))
    return f"pages: {count} commands of newsflash are as its help says"
