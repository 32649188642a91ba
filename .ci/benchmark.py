"""Runs the benchmarks under valgrind and compares their figures with the thresholds; called by .ci/benchmark."""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

THRESHOLDS = pathlib.Path("Tests/Benchmarks/Steps/thresholds.json")
# The number of different events.
INPUTS = 300
# The tolerated increase of instructions: other code may move a loop or a table.
TOLERANCE = 0.03
# A small step may gain or lose a test or a copy when the compiler treats other code differently.
SLACK = 50
# The allocating functions, with all their names in the C library.
ALLOCATORS = {
    "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign",
    "__libc_malloc", "__libc_calloc", "__libc_realloc", "__posix_memalign", "__libc_memalign",
}
# The number of callers that a profile separates: enough to get from the C library through Swift's to our code.
CALLERS = 8


class Profile:
    """The output of callgrind: cost and calls by function.

    A function is its name, or its name with those of its callers if these are separated: `malloc'swift_slowAlloc'…`.
    """

    def __init__(self, path):
        self.total = 0
        self.own = collections.Counter()
        self.inclusive = collections.Counter()
        self.calls = collections.Counter()
        names = {}
        function = callee = None
        is_call = False
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("fn="):
                    function = self.name(line[3:], names)
                elif line.startswith("cfn="):
                    callee = self.name(line[4:], names)
                elif line.startswith("calls="):
                    self.calls[function, callee] += int(line[6:].split()[0])
                    is_call = True
                elif line[0] in "0123456789+-*":
                    parts = line.split()
                    cost = int(parts[1]) if len(parts) > 1 else 0
                    if not is_call:
                        self.own[function] += cost
                    if not is_call or first(callee) != first(function):
                        self.inclusive[first(function)] += cost
                    is_call = False
                elif line.startswith(("summary:", "totals:")):
                    self.total = int(line.split()[1])

    @staticmethod
    def name(text, names):
        """The name for a number; levels of recursion are not separate functions."""
        number, _, name = text.strip().partition(" ")
        if name:
            names[number] = re.sub(r"'\d+(?=$|')", "", name)
        return names[number]

    def allocations(self):
        """The number of allocated blocks by function, each counted once."""
        counts = collections.Counter()
        for (caller, callee), count in self.calls.items():
            if first(callee) in ALLOCATORS and first(caller) not in ALLOCATORS:
                counts[callee] += count
        return counts


def first(function):
    """A function's own name."""
    return function.partition("'")[0]


def ours(function):
    """Our function that is responsible for one: itself, or the nearest of its callers."""
    names = function.split("'")
    # Mangled names of Swift's own modules: `$ss…` and `$sS…` are the standard library's, specialized for us or not.
    return next((name for name in names if re.match(r"\$s\d+(?!Foundation)", name)), f"(farther) {names[0]}")


def by_ours(counts):
    """Counts of functions, each attributed to our responsible function."""
    sums = collections.Counter()
    for function, count in counts.items():
        sums[ours(function)] += count
    return sums


def environment():
    """The same environment for every run: independent of the processor, of chance, and of the caller."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH")}
    # The simplest variant of each function with several in the C library and the crypto library.
    plain = ("AVX", "AVX2", "AVX512F", "AVX512VL", "AVX512BW", "AVX_Fast_Unaligned_Load", "BMI1", "BMI2", "ERMS", "FSRM",
             "Fast_Copy_Backward", "Fast_Unaligned_Copy", "LZCNT", "MOVBE", "POPCNT", "RTM", "SSE4_1", "SSE4_2", "SSSE3")
    return kept | {
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + ",".join("-" + feature for feature in plain),
        "OPENSSL_ia32cap": "0:0",
        "SWIFT_DETERMINISTIC_HASHING": "1",
        "SWIFT_BACKTRACE": "enable=no",
        "LC_ALL": "C",
    }


def profile(program, name, iterations, inputs, callers):
    """Runs one benchmark under callgrind."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "callgrind.out")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", "--quiet",
                   f"--separate-callers={callers}", program, name, str(iterations), str(inputs)]
        run = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"benchmark: {name} failed\n{run.stdout}{run.stderr}")
        return Profile(output)


def profiles(program, name, inputs, pool, callers=0):
    """Both running processes of a benchmark."""
    return [pool.submit(profile, program, name, inputs * rounds, inputs, callers) for rounds in (1, 2)]


def figures(once, twice, inputs):
    """The cost of one iteration."""
    return {
        "instructions": round((twice.total - once.total) / inputs),
        "allocations": round((twice.allocations().total() - once.allocations().total()) / inputs, 2),
    }


def toolchain():
    """The toolchain and library that the figures depend on."""
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"Swift version (\S+)", swift)
    return f"Swift {version[1] if version else '?'}, {os.uname().machine}, {' '.join(platform.libc_ver())}"


def print_profile(once, twice, inputs):
    """The functions of a benchmark by cost per iteration."""
    def top(title, later, earlier):
        rows = [((later[name] - earlier[name]) / inputs, name) for name in later]
        rows = sorted((row for row in rows if row[0] > 0.005), reverse=True)[:15]
        names = subprocess.run(["swift", "demangle", "--simplified"], input="\n".join(name for _, name in rows),
                               capture_output=True, text=True, check=True).stdout.splitlines()
        print(f"\n{title}")
        for (cost, _), name in zip(rows, names):
            print(f"{cost:12,.2f}  {name[:150]}")

    def by_name(counts):
        sums = collections.Counter()
        for function, count in counts.items():
            sums[first(function)] += count
        return sums

    top("instructions with those of all that is called", twice.inclusive, once.inclusive)
    top("instructions with those of Swift's and C's libraries", by_ours(twice.own), by_ours(once.own))
    top("instructions of its own", by_name(twice.own), by_name(once.own))
    top("allocations", by_ours(twice.allocations()), by_ours(once.allocations()))


def verdict(now, limit):
    """The faults of a benchmark's figures; empty if there are none."""
    if limit is None:
        return "no threshold"
    faults = []
    if now["instructions"] > max(limit["instructions"] * (1 + TOLERANCE), limit["instructions"] + SLACK):
        faults.append(f"instructions {now['instructions'] / limit['instructions'] - 1:+.1%}")
    # Increases below a tenth are the growth of tables that all events share.
    if now["allocations"] > limit["allocations"] + 0.1:
        faults.append(f"allocations {now['allocations'] - limit['allocations']:+.2f}")
    return ", ".join(faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--profile")
    parser.add_argument("--inputs", type=int, default=INPUTS)
    options = parser.parse_args()
    known = subprocess.run([options.program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    asked = [options.profile] if options.profile else options.only or known
    for name in asked:
        if name not in known:
            sys.exit(f"benchmark: there is no '{name}'; there are {', '.join(known)}")

    # Other events have other costs, so the thresholds do not apply to them.
    is_usual = options.inputs == INPUTS
    if options.update and not is_usual:
        sys.exit(f"benchmark: thresholds are written for {INPUTS} inputs")
    thresholds = json.loads(THRESHOLDS.read_text(encoding="utf-8"))
    limits = thresholds["benchmarks"] if is_usual else {}
    here = toolchain()
    found = {}
    faults = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        callers = CALLERS if options.profile else 0
        runs = {name: profiles(options.program, name, options.inputs, pool, callers) for name in asked}
        print(f"{'an event':<16}{'instructions':>14}{'threshold':>12}{'':>8}{'allocations':>14}{'threshold':>12}")
        for name, (once, twice) in runs.items():
            once, twice = once.result(), twice.result()
            now = found[name] = figures(once, twice, options.inputs)
            limit = limits.get(name)
            fault = verdict(now, limit) if is_usual and not options.update else ""
            if fault:
                faults.append(f"{name}: {fault}")
            print(f"{name:<16}{now['instructions']:>14,}", end="")
            if limit:
                change = now["instructions"] / limit["instructions"] - 1
                print(f"{limit['instructions']:>12,}{change:>+8.1%}{now['allocations']:>14.2f}{limit['allocations']:>12.2f}",
                      end="")
            else:
                print(f"{'':>20}{now['allocations']:>14.2f}", end="")
            print(f"  {fault}" if fault else "", flush=True)
            if options.profile:
                return print_profile(once, twice, options.inputs)

    if options.update:
        limits = {name: found.get(name, limits.get(name)) for name in known if name in found or name in limits}
        rows = ",\n".join(f'    "{name}": {json.dumps(figure)}' for name, figure in limits.items())
        text = f'{{\n  "toolchain": "{here}",\n  "benchmarks": {{\n{rows}\n  }}\n}}\n'
        THRESHOLDS.write_text(text, encoding="utf-8")
        print(f"\n{THRESHOLDS} is written")
        return None
    if is_usual and not options.only:
        faults += [f"{name}: a threshold without a benchmark" for name in limits if name not in known]
    if not faults:
        return None
    print("\nbenchmark: dearer than Tests/Benchmarks/Steps/thresholds.json allows\n  " + "\n  ".join(faults), file=sys.stderr)
    if thresholds["toolchain"] != here:
        print(f"The thresholds are of {thresholds['toolchain']}; this is {here}.", file=sys.stderr)
    print("See where with .ci/benchmark --profile NAME. If it is worth it, write new thresholds with --update.",
          file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
