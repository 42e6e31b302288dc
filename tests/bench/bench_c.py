#!/usr/bin/env python3
"""How fast generated C programs are, as ratios to their peers in the same run.

    bench_c.py --compiler PROGRAM --programs FOLDER [--rounds N] [--only WORDS] [--cc PROGRAM]

Four parts, which take turns with their peers; medians of the runs:
1. messages: choreographies of runtime/ as C endpoints against sockets by hand (bench_runtime.py);
2. work: choreographies of c/ against the same programs in Python, and against C by hand. Each
   program prints `cpu SECONDS`, its processor time for the work, and `result ...`, which must be
   the same of all three. Of two roles the times are added;
3. start: how long a program takes to say `--help`, against its twin in Python; its size;
4. memory: the peak of both ends of a ping-pong must not grow with its messages, nor that of a
   program that makes circles of objects with their number.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import bench_runtime
from bench_runtime import ARRAYS, C_SIZES, INTS, ROOT, Row, Side, bare_side
from ports import free_address

HERE = Path(__file__).resolve().parent
FLAGS = ["-std=c17", "-O2", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror"]
BY_PYTHON, BY_HAND = 30.0, 1.5          # wanted: so many times faster; at most so many times slower
GROWTH_KIB = 512        # of memory, that is noise: a leak is 32 bytes a message or more


@dataclass(frozen=True)
class Tools:
    """What programs are made with, and where."""

    compiler: str
    cc: str
    programs: Path
    folder: Path

    def by_hand(self, name: str) -> Path:
        out = self.folder / f"{name}_by_hand"
        subprocess.run([self.cc, *FLAGS, str(HERE / "c" / f"{name}.c"), "-o", str(out), "-lgmp",
                        "-lm"], check=True)
        return out

    def in_python(self, source: Path) -> Path:
        out = self.folder / f"{source.stem}_python"
        subprocess.run([self.compiler, "build", str(source), "-o", str(out), "--quiet"], check=True)
        return out

    def in_c(self, source: Path) -> Path:
        """The programs of all roles, as their Makefile builds them: against the runtime that stands
        in `programs`."""
        out = self.folder / f"{source.stem}_c"
        subprocess.run([self.compiler, "build", str(source), "--target=c", "-o", str(out),
                        "--no-runtime", "--quiet"], check=True)
        library = (self.programs / "libpychoral_runtime.a").resolve()
        subprocess.run(["make", "-s", "-C", str(out), f"CC={self.cc}", "CFLAGS=-O2",
                        f"LIBRARY={library}"], check=True, stdout=subprocess.DEVNULL)
        return out


# ---- messages ----

FLOATS_GOAL = {("C floats", "1 MiB"): bench_runtime.GOALS[("C array", "1 MiB")]}


def message_row(tools: Tools, language: str, source: str, sizes: "list", lent: bool = False) -> Row:
    folder = tools.in_c(HERE / "runtime" / source)
    bare = bare_side(tools.programs, "cc", *(["--lent"] if lent else []))
    ours = Side([str(folder / "a"), "--bind", "{address}"],
                [str(folder / "b"), "--connect", "A={address}"])
    return Row(language, bare, ours, sizes)


def messages(tools: Tools, rounds: int, only: str) -> bool:
    bench_runtime.GOALS.update(FLOATS_GOAL)
    rows = [("C", "endpoints.pyc", C_SIZES, False), ("C", "endpoints_ints.pyc", INTS, False),
            ("C floats", "endpoints_floats.pyc", ARRAYS, True)]
    good = True
    print("                  by hand, generated, ratio; the same for one way")
    for language, source, sizes, lent in rows:
        if any(only in f"{language} {size.name}" for size in sizes):
            row = message_row(tools, language, source, sizes, lent)
            for size in sizes:
                if only in f"{language} {size.name}":
                    good &= bench_runtime.report(row, size, rounds)
    return good


# ---- work ----

@dataclass(frozen=True)
class Work:
    name: str
    option: str
    amount: int


WORKS = [
    Work("mergesort", "n", 1_000_000),
    Work("karatsuba", "bits", 332_193),         # 10^5 digits
    Work("nbody", "n", 100_000),
]


@dataclass
class Outcome:
    seconds: float = 0.0
    result: str = ""


def outcome(commands: "list[list[str]]", folder: Path) -> Outcome:
    """Runs programs side by side; adds what they say."""
    started = []
    for number, command in enumerate(commands):
        printed = open(folder / f"printed{number}", "w+", encoding="utf-8")
        started.append((subprocess.Popen(command, stdout=printed), printed))
    out = Outcome()
    for process, printed in started:
        if process.wait():
            raise SystemExit(f"{process.args} ended with {process.returncode}")
        with printed:
            printed.seek(0)
            for line in printed:
                word, _, value = line.strip().partition(" ")
                out.seconds += float(value) if word == "cpu" else 0.0
                out.result = value if word == "result" else out.result
    return out


def roles(first: "list[str]", second: "list[str]", option: str, amount: int) -> "list[list[str]]":
    address = free_address()
    return [[*first, "--bind", address, f"--{option}={amount}"],
            [*second, "--connect", f"A={address}"]]


def work_report(tools: Tools, work: Work, rounds: int) -> bool:
    source = HERE / "c" / f"{work.name}.pyc"
    c, python, hand = tools.in_c(source), tools.in_python(source), tools.by_hand(work.name)
    runs: "dict[str, list[Outcome]]" = {"C": [], "Python": [], "hand": []}
    for number in range(rounds):
        pairs = {"C": ([str(c / "a")], [str(c / "b")])}
        if number < 3:                          # Python takes long
            pairs["Python"] = ([sys.executable, str(python / "a.py")],
                               [sys.executable, str(python / "b.py")])
        for name, (a, b) in pairs.items():
            runs[name].append(outcome(roles(a, b, work.option, work.amount), tools.folder))
        runs["hand"].append(outcome([[str(hand), str(work.amount)]], tools.folder))
    results = {each.result for side in runs.values() for each in side}
    seconds = {name: statistics.median(each.seconds for each in side)
               for name, side in runs.items()}
    faster, slower = seconds["Python"] / seconds["C"], seconds["C"] / seconds["hand"]
    wanted = min(BY_PYTHON, seconds["Python"] / seconds["hand"] / BY_HAND)  # none outdoes C by hand
    good = len(results) == 1 and faster >= wanted and slower <= BY_HAND
    print(f"{work.name:11} Python {seconds['Python']:7.3f} s, C {seconds['C']:.3f} s, by hand "
          f"{seconds['hand']:.3f} s: {faster:5.1f} x faster >= {wanted:.1f} "
          f"{'ok' if faster >= wanted else 'NO'}, {slower:.2f} x the time by hand <= "
          f"{BY_HAND} {'ok' if slower <= BY_HAND else 'NO'}"
          f"{'' if len(results) == 1 else f'; results differ: {results}'}", flush=True)
    return good


# ---- start ----

def seconds_of(command: "list[str]", times: int) -> float:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        found.append(time.perf_counter() - began)
    return statistics.median(found)


def start_report(tools: Tools) -> bool:
    source = ROOT / "samples" / "dist_auth.pyc"
    c, python = tools.in_c(source), tools.in_python(source)
    program = c / "client"
    ours = seconds_of([str(program), "--help"], 20)
    twin = seconds_of([sys.executable, str(python / "client.py"), "--help"], 20)
    stripped = tools.folder / "stripped"
    subprocess.run(["strip", "-o", str(stripped), str(program)], check=True)
    print(f"start       Python {twin * 1e3:.1f} ms, C {ours * 1e3:.1f} ms: {twin / ours:.1f} x "
          f"faster; dist_auth's client has {stripped.stat().st_size >> 10} KiB", flush=True)
    return ours < twin


# ---- memory ----

def resident(process: "subprocess.Popen[bytes]") -> int:
    """KiB, at most so far. What wait4 tells is at least what this script had when it forked."""
    try:
        text = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+)", text)
    return int(found.group(1)) if found else 0


def peak(folder: Path, amount: int) -> int:
    """KiB, of the end that has more."""
    commands = roles([str(folder / "a")], [str(folder / "b")], "n", amount)
    processes = [subprocess.Popen(each, stdout=subprocess.DEVNULL) for each in commands]
    most = 0
    while any(each.poll() is None for each in processes):
        most = max(most, *(resident(each) for each in processes))
        time.sleep(0.003)
    if any(each.returncode for each in processes):
        raise SystemExit(f"{commands} ended with {[each.returncode for each in processes]}")
    return most


def memory_report(tools: Tools, few: int, many: int) -> bool:
    good = True
    for name, what, each in (("ping_pong", "messages", 2), ("circles", "circles", 1)):
        folder = tools.in_c(HERE / "c" / f"{name}.pyc")
        less, more = (peak(folder, amount // each) for amount in (few, many))
        flat = more <= less + GROWTH_KIB
        good &= flat
        print(f"memory      {less} KiB at {few} {what}, {more} KiB at {many}: "
              f"{'flat' if flat else 'it GROWS'}", flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--programs", required=True, help="where the runtime and bench_bare are")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    parser.add_argument("--only", default="", help="rows whose name has this")
    parser.add_argument("--memory", action="store_true", help="only the memory, and briefly")
    given = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(given.compiler, given.cc, Path(given.programs), Path(scratch))
        if given.memory:
            return 0 if memory_report(tools, 10_000, 100_000) else 1
        good &= messages(tools, given.rounds, given.only)
        for work in WORKS:
            if given.only in work.name:
                good &= work_report(tools, work, given.rounds)
        if given.only in "start":
            good &= start_report(tools)
        if given.only in "memory":
            good &= memory_report(tools, 100_000, 1_000_000)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
