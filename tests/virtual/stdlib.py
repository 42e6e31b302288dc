"""stdlib.py [--all | MODULE...] - CPython's own tests, plain and virtualized, test by test.

Without arguments: a fixed choice of quick modules, in every mode.  With --all: every test_*.py of
the library's test folder that passes plainly within 60 s, in nonlocal mode; the differences, the
counts, and how many sites of each construct are virtualized.  --library: library modules under
their tests.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import test as test_package

from pychoral.virtual.compiler import find_compiler

OUTCOMES = Path(__file__).with_name("outcomes.py")
FOLDER = Path(str(test_package.__file__)).parent
QUICK = (
    "textwrap scope grammar bool compare copy dictviews listcomps genexps with augassign unpack "
    "raise named_expressions decorators fstring string_literals iter patma contextlib"
).split()
# Tests that look at what is known to differ: a line tracer sees thunks, too.
KNOWN = {
    *(f"test.test_patma.TestTracing.{name}" for name in (
        "test_default_capture", "test_default_wildcard", "test_no_default",
        "test_only_default_capture", "test_only_default_wildcard",
    )),
}  # fmt: skip
# The files whose tests see what is known to differ are listed there, with the reason.
PUBLISHED = Path(__file__).parents[2] / "docs" / "virtualize.md"
PASSED = ("passed", "skipped", "expected failure")
LIBRARY = (
    "textwrap json argparse dataclasses enum string shlex configparser csv difflib fnmatch glob "
    "heapq bisect calendar collections contextlib copy cmd code codeop colorsys fractions "
    "functools getopt gettext graphlib html ipaddress keyword linecache locale mimetypes netrc "
    "numbers operator pprint queue quopri random reprlib sched statistics stringprep"
).split()


class Run(NamedTuple):
    """The outcomes of a module's tests; None where it took too long or died."""

    found: dict[str, str] | None
    why: dict[str, str]


def run(module: str, *options: str, seconds: float = 60) -> Run:
    """In a session of its own: what the tests have started ends with them."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [sys.executable, OUTCOMES, f"test.{module}", *options], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            answer = json.loads(process.communicate(timeout=seconds)[0])
        except (subprocess.TimeoutExpired, ValueError):
            return Run(None, {})
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return Run(answer["found"], answer["why"])


class Compared(NamedTuple):
    module: str
    tests: int
    changed: list[str]      # how a test's outcome differs
    plain: bool             # whether the module passes plainly


def compare(module: str, options: Iterable[str], seconds: float) -> Compared:
    plain = run(module, seconds=seconds).found
    if plain is None or not all(outcome in PASSED for outcome in plain.values()):
        return Compared(module, 0, [], False)
    ours = run(module, *options, "--why", seconds=seconds * 6)
    if ours.found is None:
        return Compared(module, len(plain), ["took too long or died"] * len(plain), True)
    changed = [
        f"{name}: {outcome}, virtualized {ours.found.get(name, 'absent')}"
        + ("\n" + ours.why.get(name, "") if os.environ.get("WHY") else "")
        for name, outcome in plain.items() if ours.found.get(name) != outcome
    ]  # fmt: skip
    return Compared(module, len(plain), changed, True)


def compare_all(
    modules: list[str], options: list[str], seconds: float, jobs: int
) -> tuple[int, list[Compared]]:
    """The differences, printed as they are found."""
    kept = []
    with ThreadPoolExecutor(jobs) as pool:
        for one in pool.map(lambda m: compare(m, options, seconds), modules):
            if one.plain:
                kept.append(one)
            for change in one.changed[:3]:
                print(f"  {one.module}: {change}", flush=True)
            if len(one.changed) > 3:
                print(f"  {one.module}: ... {len(one.changed)} in all", flush=True)
    return len(modules) - len(kept), kept


def summary(title: str, kept: list[Compared]) -> tuple[float, float]:
    files = sum(not one.changed for one in kept)
    tests, changed = sum(one.tests for one in kept), sum(len(one.changed) for one in kept)
    share = 100 * files / max(len(kept), 1), 100 * (tests - changed) / max(tests, 1)
    print(
        f"{title}: {files} of {len(kept)} files unchanged ({share[0]:.1f} %), "
        f"{tests - changed} of {tests} tests ({share[1]:.2f} %)"
    )
    return share


def unlisted(kept: Iterable[Compared]) -> int:
    """How many files differ that the published list does not have."""
    rows = [line for line in PUBLISHED.read_text().splitlines() if line.startswith("| `test_")]
    known = {name for row in rows for name in re.findall(r"`(test_\w+)`", row.split("|")[1])}
    new = [one.module for one in kept if one.changed and one.module not in known]
    for name in new:
        print(f"{name} is not on the list in {PUBLISHED.name}")
    return len(new)


# ---- how many sites are virtualized ----


def sites(file: Path) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Of one file: sites by hook, and sites left plain by hook and reason."""
    done = subprocess.run(
        [find_compiler(), "virtualize", str(file), "--hooks=all", "--emit=json"],
        capture_output=True,
    )
    if done.returncode != 0:
        return Counter(), Counter()
    answer: dict[str, Any] = json.loads(done.stdout)
    left = Counter((one["hook"], one["why"]) for one in answer["report"])
    return Counter(answer["changed"]), left


def coverage(files: Iterable[Path]) -> None:
    """Sites of class bodies are counted apart: their names are no cells."""
    made: Counter[str] = Counter()
    left: Counter[tuple[str, str]] = Counter()
    for file in files:
        one, other = sites(file)
        made += one
        left += other
    hooks = sorted({*made, *(hook for hook, _ in left)})
    for hook in hooks:
        reasons = Counter({why: n for (of, why), n in left.items() if of == hook})
        in_class = sum(n for why, n in reasons.items() if "class" in why)
        plain = sum(reasons.values()) - in_class
        share = 100 * made[hook] / max(made[hook] + plain, 1)
        words = ", ".join(f"{n} {why}" for why, n in reasons.most_common())
        print(f"  {hook}: {made[hook]} sites, {share:.2f} %{'; plain: ' + words if words else ''}")


# Of the tests that change, most see what the rewriting must show: tracers, profilers and bytecode
# (the list in docs/virtualize.md). A hook that is called is a line and a frame more.
LEAST_TESTS = 98.7


def everything(seconds: float, jobs: int, part: str) -> int:
    first, _, parts = part.partition("/")
    modules = sorted(path.stem for path in FOLDER.glob("test_*.py"))[int(first) - 1 :: int(parts)]
    skipped, kept = compare_all(modules, ["--mode=nonlocal"], seconds, jobs)
    print(f"{skipped} of {len(modules)} modules do not pass plainly within {seconds:.0f} s")
    share = summary("CPython's tests", kept)
    coverage(FOLDER / f"{one.module}.py" for one in kept)
    return 1 if unlisted(kept) or share[0] < 96 or share[1] < LEAST_TESTS else 0


def library(seconds: float, jobs: int) -> int:
    """Library modules are virtualized, too, not their tests alone."""
    results: list[Compared] = []
    with ThreadPoolExecutor(jobs) as pool:
        options = [(f"test_{m}", ["--mode=nonlocal", f"--match={m},{m}.*"]) for m in LIBRARY]
        results = list(pool.map(lambda one: compare(*one, seconds), options))
    kept = [one for one in results if one.plain]
    for one in kept:
        for change in one.changed:
            print(f"  {one.module}: {change}")
    summary("library modules under their tests", kept)
    return 1 if unlisted(kept) else 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--library", action="store_true")
    parser.add_argument("--modes", default="nonlocal,boxed")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="I/N: of --all, each N-th from the I-th")
    parser.add_argument("modules", nargs="*")
    given = parser.parse_args()
    if given.all:
        return everything(given.seconds, given.jobs, given.part)
    if given.library:
        return library(given.seconds, given.jobs)
    bad = 0
    for mode in given.modes.split(","):
        modules = [f"test_{name}" for name in QUICK] if not given.modules else given.modules
        _, kept = compare_all(modules, [f"--mode={mode}"], given.seconds, given.jobs)
        summary(f"CPython's tests, {mode}", kept)
        changed = {change.partition(":")[0] for one in kept for change in one.changed}
        bad += len(changed - KNOWN) or not kept
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
