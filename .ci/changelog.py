"""The changelog and the tags of releases, for .ci/release and .ci/check-api."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATH = ".github/CHANGELOG.md"
NUMBERS = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")

Version = tuple[int, int, int]


def git(*arguments: str, root: Path = ROOT) -> str:
    """The output of git. Raises CalledProcessError with git's message in `stderr`."""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def parse_version(text: str) -> Version | None:
    match = NUMBERS.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def latest_tag(root: Path = ROOT) -> str | None:
    """The tag with the highest version: a release is tagged with the bare version, such as 0.2.0."""
    versions = [version for line in git("tag", "--list", root=root).split() if (version := parse_version(line))]
    return ".".join(map(str, max(versions))) if versions else None


def headings(text: str) -> list[str]:
    """The first word of each heading of a release, newest first: `Unreleased`, `0.1.0`."""
    return re.findall(r"(?m)^## (\S+)", text)


def unreleased(text: str) -> list[str]:
    """The entries below `Unreleased`, each with its continuation lines in one."""
    match = re.search(r"(?ms)^## Unreleased\n(.*?)(?=^## |\Z)", text)
    return re.findall(r"(?m)^- .*(?:\n  .*)*", match[1]) if match else []
