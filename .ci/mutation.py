"""Mutations of the sources, for .ci/mutate and .ci/mutants: their lists, and the mutated copy of the checkout."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Mutation:
    name: str
    file: str
    rule: str
    old: str
    new: str
    tests: str

    @contextmanager
    def applied(self, copy: Path) -> Iterator[None]:
        """Removes the rule from a copy of the checkout while the context lasts."""
        file = copy / self.file
        text = file.read_text(encoding="utf-8")
        try:
            file.write_text(text.replace(self.old, self.new), encoding="utf-8")
            yield
        finally:
            file.write_text(text, encoding="utf-8")


def read(path: Path, folder: str = "") -> list[Mutation]:
    """Reads a list. The files in it are relative to a folder of the checkout."""
    text = path.read_text(encoding="utf-8")
    found = []
    for block in re.split(r"\n\n+", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip()):
        heading, rule, *lines = block.split("\n")
        name, file = heading.split()
        file = str(Path(folder) / file)
        old, new, tests = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+?")
        count = (ROOT / file).read_text(encoding="utf-8").count(old)
        if count != 1:
            raise SystemExit(f"{path.name}: {name}: its old text must occur once in {file}; it occurs {count} times")
        found.append(Mutation(name, file, rule, old, new, tests))
    return found


def choose(known: list[Mutation], names: list[str]) -> list[Mutation]:
    """The mutations of these names, or all."""
    unknown = set(names) - {mutation.name for mutation in known}
    if unknown:
        raise SystemExit(f"no mutation is named {', '.join(sorted(unknown))}; see --list")
    return [mutation for mutation in known if mutation.name in names or not names]


def refresh(copy: Path) -> None:
    """Makes a copy equal to the checkout. A file that is the same keeps its time, so that it is not compiled again."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    names = {name for name in listed if name and (ROOT / name).is_file()}
    for name in sorted(names):
        if not (copy / name).is_file() or (copy / name).read_bytes() != (ROOT / name).read_bytes():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    for file in [*(copy / "Sources").rglob("*.swift"), *(copy / "Tests").rglob("*.swift")]:
        if str(file.relative_to(copy)) not in names:
            file.unlink()


def build(name: str, copy: Path, arguments: list[str], environment: dict[str, str]) -> None:
    command = ["swift", "build", *arguments]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "error:" in line]
        raise SystemExit(f"{name} does not compile:\n" + ("\n".join(errors[:5]) or done.stderr[-1000:]))
