"""Reads the pages of deploy/guides: their commands, their expected output, their files. Part of .ci/guides."""

import dataclasses
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ELLIPSIS = "…"
FENCE = re.compile(r"^( *)```(.*)$")


class Fault(Exception):
    """A fault of a page, or of the result of one of its commands."""


@dataclasses.dataclass
class Command:
    line: int
    text: str
    output: list[str] | None = None   # the lines that the page shows; None if it shows none
    done: bool = False


@dataclasses.dataclass
class Fragment:
    """A part of a configuration file."""

    line: int
    text: str
    depth: int    # of its indentation within the block
    file: str


@dataclasses.dataclass
class Shown:
    """Output without a command."""

    line: int
    output: list[str]


Step = Command | Fragment | Shown


@dataclasses.dataclass
class Block:
    line: int
    language: str
    lines: list[str]


def blocks(page: Path) -> Iterator[Block]:
    block, indentation = None, ""
    for number, line in enumerate(page.read_text("utf-8").split("\n"), 1):
        fence = FENCE.match(line)
        if block is None:
            if re.match(r"\s*(~~~|newsflash (?!is )|\$ )", line):
                raise Fault(f"{page.name}:{number}: a command outside a block: {line}")
            if fence:
                block, indentation = Block(number + 1, fence[2].strip(), []), fence[1]
        elif fence:
            yield block
            block = None
        else:
            block.lines.append(line.removeprefix(indentation))
    if block is not None:
        raise Fault(f"{page.name}:{block.line}: the block has no end")


def is_whole(text: str) -> bool:
    """Whether the lines are a complete command: no open quote, here-document or continued line."""
    if text.endswith("\\"):
        return False
    said = subprocess.run(["bash", "-n"], input=text + "\n", capture_output=True, text=True, check=False)
    return said.returncode == 0 and "here-document" not in said.stderr


def commands(name: str, block: Block) -> Iterator[Command]:
    """The commands of a block `sh`."""
    begun: list[str] = []
    for number, line in enumerate(block.lines, block.line):
        if not begun and (not line.strip() or line.lstrip().startswith("#")):
            continue
        begun.append(line)
        if is_whole("\n".join(begun)):
            yield Command(number - len(begun) + 1, "\n".join(begun))
            begun = []
    if begun:
        raise Fault(f"{name}:{block.line}: the last command of the block is not whole: {begun[0]}")


def session(name: str, block: Block) -> Iterator[Step]:
    """The commands of a block without a language, with what each prints; or output alone."""
    if not any(line.startswith("$ ") for line in block.lines):
        if any(line.startswith("newsflash ") for line in block.lines):
            raise Fault(f"{name}:{block.line}: commands need a block `sh`, or `$ `")
        yield Shown(block.line, block.lines)
        return
    command: Command | None = None
    for number, line in enumerate(block.lines, block.line):
        if line.startswith("$ "):
            if command:
                yield command
            command = Command(number, line[2:], [])
        elif command is None:
            raise Fault(f"{name}:{number}: output before the first command of its block")
        elif not command.output and not is_whole(command.text):
            command.text += "\n" + line
        else:
            assert command.output is not None
            command.output.append(line)
    assert command is not None
    yield command


def steps(page: Path) -> list[Step]:
    """All steps of a page, in order."""
    found: list[Step] = []
    for block in blocks(page):
        match block.language:
            case "sh":
                found += commands(page.name, block)
            case "yaml":
                first = next(line for line in block.lines if line.strip())
                named = re.match(r"# ([\w.-]+\.yaml)\b", first)
                text = "\n".join(block.lines)
                found.append(Fragment(block.line, text, depth(text), named[1] if named else "newsflash.yaml"))
            case "json":
                try:
                    json.loads("\n".join(block.lines))
                except ValueError as error:
                    raise Fault(f"{page.name}:{block.line}: {error}") from error
            case "":
                found += session(page.name, block)
            case other:
                raise Fault(f"{page.name}:{block.line}: what is to be done with a block of '{other}'?")
    return found


# Configuration


def depth(text: str) -> int:
    return min(len(line) - len(line.lstrip()) for line in text.split("\n") if line.strip())


def merge(old: dict[str, Any], new: dict[str, Any]) -> None:
    for key, value in new.items():
        if isinstance(value, dict) and isinstance(old.get(key), dict):
            merge(old[key], value)
        else:
            old[key] = value


def within(parent: object, indentation: int, value: object) -> object:
    """The value below the first keys of a fragment, at the depth of its indentation."""
    if indentation <= 0:
        return value
    if not isinstance(parent, dict) or not parent:
        raise Fault("no fragment before it has a section of this depth")
    key = next(iter(parent))
    return {key: within(parent[key], indentation - 2, value)}


# Output

PLACEHOLDERS = [
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<number>"),
    (re.compile(r"\x1b\[[0-9;]*m"), ""),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "<time>"),
    (re.compile(r"\b(cli|withdraw)-[\w-]+"), "<id>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{10,}\b"), "<number>"),
    (re.compile(r"(?<![\w.])\d+\.\d{3,}(?![\d.])"), "<number>"),
    (re.compile(r"\b(offset|partition|revision) \d+"), r"\1 <number>"),
    (re.compile(r"\[\d+\]"), "[<number>]"),
    (re.compile(r"\b\d+@\d+\b"), "<place>"),
    (re.compile(r"[ \t]+"), " "),
]


def plain(line: str) -> str:
    """The line with everything that differs between runs replaced."""
    for pattern, placeholder in PLACEHOLDERS:
        line = pattern.sub(placeholder, line)
    return line.strip()


def line_matches(shown: str, printed: str) -> bool:
    parts = [re.escape(part) for part in plain(shown).split(ELLIPSIS)]
    return re.fullmatch(".*".join(parts), plain(printed)) is not None


def difference(shown: list[str], printed: list[str]) -> str | None:
    """The first line of a page that was not printed as shown; None if the whole output matches."""
    shown = [line for line in shown if line.strip()]
    printed = [line for line in printed if line.strip()]
    # The numbers of printed lines that the lines shown so far can match.
    ends = {0}
    for line in shown:
        if line.strip() == ELLIPSIS:
            ends = set(range(min(ends), len(printed) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(printed) and line_matches(line, printed[end])}
        if not ends:
            return f"not printed, or not in this place: {line}"
    if len(printed) not in ends:
        return f"printed and not shown: {printed[max(ends)]}"
    return None


# Samples: output whose figures differ, and whose long lines are continued on the next line


def sample(text: str) -> str:
    """The text without white space and figures."""
    text = re.sub(r"\b\d+(\.\d+)? (ms|s|min|h)\b", "# s", plain(text))
    return re.sub(r"\s", "", re.sub(r"\d+(\.\d+)*", "#", text))


def sample_pattern(lines: list[str]) -> str:
    return ".*".join(re.escape(sample(part)) for part in " ".join(lines).split(ELLIPSIS))


def is_sample(shown: list[str], printed: list[str]) -> bool:
    """Whether the whole output is like that of the page."""
    return re.fullmatch(sample_pattern(shown), sample(" ".join(printed))) is not None


def contains_sample(shown: str, printed: list[str]) -> bool:
    """Whether the output contains the text of the page."""
    return re.search(sample_pattern([shown]), sample(" ".join(printed))) is not None


def entries(lines: list[str]) -> list[str]:
    """The lines of a log or of findings, with continued lines joined."""
    joined: list[str] = []
    for line in lines:
        if not joined or re.match(r"(critical|error|warning|notice|info|ok|problem|advice) ", line):
            joined.append(line)
        else:
            joined[-1] += " " + line
    return joined
