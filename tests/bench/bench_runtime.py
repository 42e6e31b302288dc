#!/usr/bin/env python3
"""What the channel runtime costs, as ratios to sockets by hand in the same run.

    bench_runtime.py --compiler PROGRAM [--programs FOLDER] [--rounds N] [--only WORDS] [--short]

A row is a pair of programs that talk over tcp, all on processor 0: one by hand (a ROUTER that
listens, a DEALER that dials), one on the runtime. They run in turn, several times. Measured are the
median round trip and, for a stream one way, the processor time of both processes for one message;
of each the median over the runs, and the ratio of the medians. Every program prints `trip SECONDS`
(at one end) and `cpu SECONDS` (at both); how they are started is in `Side`.
"""

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEADLINE_S = 120


@dataclass(frozen=True)
class Size:
    """How much is sent in one run."""

    name: str
    size: int
    rounds: int
    messages: int


SIZES = [
    Size("16 B", 16, 4_000, 60_000),
    Size("1 KiB", 1 << 10, 4_000, 40_000),
    Size("64 KiB", 1 << 16, 2_000, 6_000),
]

# What is wanted, by language and size: ratios of round trip and of processor time one way.
GOALS = {
    ("Python", "16 B"): (1.20, 3.0),
    ("Python", "1 KiB"): (1.20, None),
    ("Python", "64 KiB"): (None, 1.4),
}


@dataclass(frozen=True)
class Side:
    """A pair of programs: the commands of A and B but for the options; {address} is put in."""

    a: list[str]
    b: list[str]
    sized: "tuple[str, ...]" = ("A",)   # who is told size, rounds and messages


@dataclass(frozen=True)
class Row:
    language: str
    bare: Side
    ours: Side


@dataclass
class Figures:
    """Of one run, in microseconds."""

    trip: float
    cpu: float


def python_row(compiler: str, folder: Path) -> Row:
    source = HERE / "runtime" / "endpoints.pyc"
    subprocess.run([compiler, "build", str(source), "-o", str(folder), "--quiet"], check=True)
    bare = [sys.executable, str(HERE / "runtime" / "bare.py")]
    return Row(
        "Python",
        Side([*bare, "A", "{address}"], [*bare, "B", "{address}"], ("A", "B")),
        Side([sys.executable, str(folder / "a.py"), "--bind", "{address}"],
             [sys.executable, str(folder / "b.py"), "--connect", "A={address}"]),
    )


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{probe.getsockname()[1]}"


def run(side: Side, size: Size) -> Figures:
    """Both programs once."""
    address = free_address()
    amount = [f"--size={size.size}", f"--rounds={size.rounds}", f"--messages={size.messages}"]
    one_core = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    processes = []
    for role, command in (("A", side.a), ("B", side.b)):
        words = [word.replace("{address}", address) for word in command]
        words += amount if role in side.sized else []
        processes.append(subprocess.Popen([*one_core, *words], stdout=subprocess.PIPE, text=True,
                                          env={**os.environ, "PYTHONPATH": ""}))
    trip, cpu = 0.0, 0.0
    for process in processes:
        printed, _ = process.communicate(timeout=DEADLINE_S)
        if process.returncode:
            raise SystemExit(f"{process.args} ended with {process.returncode}")
        for line in printed.splitlines():
            word, _, value = line.partition(" ")
            if word == "trip":
                trip = float(value)
            elif word == "cpu":
                cpu += float(value)
    return Figures(trip * 1e6, cpu * 1e6 / size.messages)


def measure(row: Row, size: Size, rounds: int) -> tuple[Figures, Figures]:
    """The medians of both sides, which run in turn."""
    found: tuple[list[Figures], list[Figures]] = ([], [])
    for _ in range(rounds):
        found[0].append(run(row.bare, size))
        found[1].append(run(row.ours, size))
    bare, ours = (Figures(statistics.median(each.trip for each in runs),
                          statistics.median(each.cpu for each in runs)) for runs in found)
    return bare, ours


def judged(ratio: float, goal: "float | None") -> str:
    if goal is None:
        return f"{ratio:5.2f}          "
    return f"{ratio:5.2f} <= {goal:.2f} {'ok' if ratio <= goal else 'NO'}"


def report(row: Row, size: Size, rounds: int) -> bool:
    bare, ours = measure(row, size, rounds)
    trip, cpu = ours.trip / bare.trip, ours.cpu / bare.cpu
    goals = GOALS.get((row.language, size.name), (None, None))
    print(f"{row.language:8}{size.name:>8}  trip {bare.trip:7.1f} {ours.trip:7.1f} us "
          f"{judged(trip, goals[0])}  cpu {bare.cpu:7.2f} {ours.cpu:7.2f} us "
          f"{judged(cpu, goals[1])}", flush=True)
    return all(goal is None or ratio <= goal for ratio, goal in zip((trip, cpu), goals))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose language and size have this")
    given = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        rows = [python_row(given.compiler, Path(folder) / "python")]
        print("                  by hand, on the runtime, ratio; the same for one way")
        for row in rows:
            for size in SIZES:
                if given.only in f"{row.language} {size.name}":
                    good &= report(row, size, given.rounds)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
