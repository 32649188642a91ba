"""Reports the tests of a run, the failures, and the skipped tests with the reasons; called by .ci/test."""

import argparse
import json
import os
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

# The maximum length of a failure in the last lines.
LONGEST_FAILURE = 900
MOST_FAILURES = 80
# The number of slowest tests to print, so that one is noticed before it exceeds its time limit.
SLOWEST = 5


def known_skips() -> list[tuple[str, str, str]]:
    """The rows of .ci/known-skips: the beginning of the reason, the words for it, the requirement."""
    text = (Path(__file__).parent / "known-skips").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    skips = [tuple(cell.strip() for cell in row.split("|")) for row in rows]
    for row, cells in zip(rows, skips):
        if len(cells) != 3 or not all(cells):
            sys.exit(f"test: .ci/known-skips has a line without three columns: {row}")
    return skips


def is_here(need: str) -> bool:
    """Whether this machine has a variable, a path or a program."""
    if need == "-":
        return False
    if need.startswith("$"):
        return bool(os.environ.get(need[1:]))
    if need.startswith("shared/"):
        return Path(os.environ.get("NEWSFLASH_SHARED") or "../shared", need.removeprefix("shared/")).exists()
    if "/" in need:
        return Path(need).exists()
    return shutil.which(need, path=os.environ["PATH"] + ":/usr/sbin") is not None


class Run:
    """The data of a run from the event stream of Swift Testing."""

    def __init__(self, events: Path) -> None:
        self.names: dict[str, str] = {}
        self.started: set[str] = set()
        self.failed: set[str] = set()
        self.failures: list[str] = []
        self.skipped: dict[str, str] = {}
        self.cancelled_cases: set[str] = set()
        # The start times of the running cases of each test, and the duration of the slowest case of each.
        self.running: dict[str, list[float]] = {}
        self.seconds: dict[str, float] = {}
        self.is_whole = False
        lines = events.read_text(encoding="utf-8", errors="replace").splitlines() if events.exists() else []
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue  # the last line of a process that has crashed
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    target, name = payload["id"].split(".")[0], payload.get("displayName") or payload["name"]
                    self.names[payload["id"]] = f"{target} {name}"
            else:
                self.take(payload)
        # A cancelled test has a reason, and counts as skipped; a cancelled case of a test with arguments has none.
        self.cancelled_cases -= self.skipped.keys()

    def take(self, event: dict) -> None:
        kind, test = event["kind"], event.get("testID", "")
        text = " ".join(message["text"] for message in event.get("messages", []))
        symbols = {message["symbol"] for message in event.get("messages", [])}
        if kind == "runEnded":
            self.is_whole = True
        elif kind == "issueRecorded":
            if event["issue"].get("isFailure", not event["issue"].get("isKnown", False)):
                self.failed.add(test)
                place = event["issue"].get("sourceLocation", {})
                where = f"{place.get('fileID', '?')}:{place.get('line', '?')}"
                self.failures.append(f"{where} {self.names.get(test, test)}: {text}"[:LONGEST_FAILURE])
        elif kind == "testCaseCancelled":
            self.cancelled_cases.add(test)
        elif kind == "testCaseStarted":
            self.running.setdefault(test, []).append(event["instant"]["absolute"])
        elif kind == "testCaseEnded" and self.running.get(test):
            # The first that began, because the events do not name the one of several running cases that ended.
            seconds = event["instant"]["absolute"] - self.running[test].pop(0)
            self.seconds[test] = max(seconds, self.seconds.get(test, 0))
        elif test in self.names:
            if kind == "testStarted":
                self.started.add(test)
            elif kind == "testSkipped" or (kind == "testEnded" and "skip" in symbols):
                # Test "…" skipped: "why"
                reason = re.search(r'.*(?: skipped| cancelled[^:]*): "(.*)"$', text, re.DOTALL)
                self.skipped[test] = reason.group(1) if reason else ""


def faults(run: Run, skips: list[tuple[str, str, str]], options: argparse.Namespace) -> tuple[list[str], Counter]:
    """Why the run does not count as passed, and the number of skipped tests by the words for the reason."""
    found, words = [], Counter()
    for test, reason in run.skipped.items():
        known = next((skip for skip in skips if reason.startswith(skip[0])), None)
        words[known[1] if known else "for an unknown reason"] += 1
        here = [need for need in known[2].split() if is_here(need)] if known and not options.elsewhere else []
        if not reason:
            found.append(f"{run.names[test]}: skipped without a reason")
        elif not known:
            found.append(f"{run.names[test]}: skipped, and .ci/known-skips does not have '{reason}'")
        elif here:
            found.append(f"{run.names[test]}: skipped, although {here[0]} is here: {reason}")
    found += [f"{run.names.get(test, test)}: a case was cancelled" for test in sorted(run.cancelled_cases)]
    ran = run.started - run.skipped.keys()
    if not run.is_whole:
        found.append("the run did not come to its end")
    if len(ran) < options.floor:
        found.append("no test ran" if not ran else f"{len(ran)} tests ran, and at least {options.floor} have to")
    if options.status and not run.failures and not found:
        found.append(f"the command ended with status {options.status}")
    return found, words


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--floor", type=int, default=1, help="how many tests have to run")
    parser.add_argument("--status", type=int, default=0, help="the one with which the command ended")
    parser.add_argument("--elsewhere", action="store_true", help="on another system than this one, with other programs")
    parser.add_argument("events", type=Path)
    parser.add_argument("log", help="where all of it is")
    options = parser.parse_args()
    run = Run(options.events)
    found, words = faults(run, known_skips(), options)
    if run.failures or found:
        print("\n== what failed")
        print("\n".join((run.failures + found)[:MOST_FAILURES]))
        if not run.is_whole and Path(options.log).exists():
            print("-- the end of the log")
            print("\n".join(Path(options.log).read_text(encoding="utf-8", errors="replace").splitlines()[-30:]))
        print(f"== all of it: {options.log}")
    slowest = sorted(run.seconds.items(), key=lambda item: -item[1])[:SLOWEST]
    for test, seconds in slowest:
        print(f"{seconds:.0f} s at the longest: {run.names.get(test, test)}")
    failed = len(run.failed & run.names.keys())
    passed = len(run.started - run.skipped.keys()) - failed
    reasons = ", ".join(f"{count} {reason}" for reason, count in words.most_common())
    skipped = f"{len(run.skipped)} skipped{': ' if reasons else ''}{reasons}"
    print(f"{len(run.names)} tests: {passed} passed, {failed} failed, {skipped}")
    return 1 if run.failures or found or options.status else 0


if __name__ == "__main__":
    sys.exit(main())
