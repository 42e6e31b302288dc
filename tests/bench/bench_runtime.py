#!/usr/bin/env python3
"""What the channel runtime costs, as ratios to sockets by hand in the same run.

    bench_runtime.py --compiler PROGRAM --programs FOLDER [--rounds N] [--only WORDS]

A row is a pair of programs that talk over tcp, all on processor 0: one by hand (a ROUTER that
listens, a DEALER that dials), one on the runtime. They run in turn, several times. Measured are the
median round trip and, for a stream one way, the processor time of both processes for one message;
of each the median over the runs, and the ratio of the medians. Every program prints `trip SECONDS`
(at one end) and `cpu SECONDS` (at both); how they are started is in `Side`. Rows of another kind:
CURVE on against off, a durable role against one that is not (the time that a message takes more),
and those of bench_waits.py.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import bench_waits
from ports import free_address

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEADLINE_S = 120
BARE_PYTHON = [sys.executable, str(HERE / "runtime" / "bare.py")]
ENDPOINT_PYTHON = [sys.executable, str(HERE / "runtime" / "endpoint.py")]


@dataclass(frozen=True)
class Size:
    """How much is sent in one run."""

    name: str
    size: int
    rounds: int
    messages: int


PYTHON_SIZES = [
    Size("16 B", 16, 4_000, 60_000),
    Size("1 KiB", 1 << 10, 4_000, 40_000),
    Size("64 KiB", 1 << 16, 2_000, 6_000),
]

C_SIZES = [
    Size("1 B", 1, 4_000, 300_000),
    Size("64 B", 64, 4_000, 300_000),
    Size("1 KiB", 1 << 10, 4_000, 150_000),
    Size("64 KiB", 1 << 16, 2_000, 6_000),
    Size("1 MiB", 1 << 20, 300, 600),
]
INTS = [Size("int", 8, 4_000, 300_000)]
ARRAYS = [Size("1 MiB", 1 << 20, 300, 600)]
MIXED = [Size("16 B", 16, 4_000, 20_000), Size("1 KiB", 1 << 10, 4_000, 20_000)]
DURABLE = [Size("64 B", 64, 0, 60_000), Size("1 KiB", 1 << 10, 0, 40_000)]
DURABLE_GOAL_US = 15.0                  # more for a message than in memory

# What is wanted, by language and size: ratios of round trip and of processor time one way.
GOALS = {
    ("C", "1 B"): (1.10, 2.0),
    ("C", "64 B"): (1.10, 2.0),
    ("C", "1 KiB"): (1.10, 1.20),
    ("C", "64 KiB"): (None, 1.10),
    ("C", "1 MiB"): (None, 1.10),
    ("C", "int"): (1.10, 2.0),
    ("C array", "1 MiB"): (None, 1.10),
    ("Python", "16 B"): (1.20, 3.0),
    ("Python", "1 KiB"): (1.20, None),
    ("Python", "64 KiB"): (None, 1.4),
    ("Py array", "1 MiB"): (None, 1.15),
    ("C to Py", "16 B"): (1.15, None),
    ("C to Py", "1 KiB"): (1.15, None),
    ("Py to C", "16 B"): (1.15, None),
    ("Py to C", "1 KiB"): (1.15, None),
}


@dataclass(frozen=True)
class Side:
    """A pair of programs: the commands of A and B but for the options; {address} is put in, and
    {fresh}, the name of a file that is not there."""

    a: list[str]
    b: list[str]
    sized: "tuple[str, ...]" = ("A",)   # who is told size, rounds and messages


@dataclass(frozen=True)
class Row:
    language: str
    bare: Side
    ours: Side
    sizes: "list[Size]"


@dataclass
class Figures:
    """Of one run, in microseconds."""

    trip: float
    cpu: float
    wall: float


def build_python(compiler: str, folder: Path) -> None:
    source = HERE / "runtime" / "endpoints.pyc"
    subprocess.run([compiler, "build", str(source), "-o", str(folder), "--quiet"], check=True)


def python_row(folder: Path) -> Row:
    return Row(
        "Python",
        Side([*BARE_PYTHON, "A", "{address}"], [*BARE_PYTHON, "B", "{address}"], ("A", "B")),
        Side([sys.executable, str(folder / "a.py"), "--bind", "{address}"],
             [sys.executable, str(folder / "b.py"), "--connect", "A={address}"]),
        PYTHON_SIZES,
    )


def bare_side(programs: Path, languages: str, *more: str, keys: "Keys | None" = None) -> Side:
    """A and B by hand in these languages, `c` or `p`; B dials and sends first."""
    commands = {"c": [str(programs / "bench_bare")], "p": BARE_PYTHON}
    second = {"c": [], "p": ["--second"]}
    a, b = ([*commands[each], role, "{address}", *second[each], *more,
             *(keys.by_hand(role) if keys else [])] for each, role in zip(languages, "AB"))
    return Side(a, b, ("A", "B"))


def endpoint_side(programs: Path, languages: str, *more: str, keys: "Keys | None" = None) -> Side:
    """The same on the runtime."""
    commands = {"c": [str(programs / "bench_endpoint")], "p": ENDPOINT_PYTHON}
    where = {"A": ["--bind", "{address}"], "B": ["--connect", "A={address}"]}
    a, b = ([*commands[each], role, *where[role], *more, *(keys.of_endpoint() if keys else [])]
            for each, role in zip(languages, "AB"))
    return Side(a, b, ("A", "B"))


def mixed_rows(programs: Path) -> "list[Row]":
    array = Row("Py array", bare_side(programs, "pp", "--lent"),
                endpoint_side(programs, "pp", "--kind", "array"), ARRAYS)
    return [array] + [
        Row(name, bare_side(programs, languages), endpoint_side(programs, languages), MIXED)
        for name, languages in (("C to Py", "pc"), ("Py to C", "cp"))]


def c_row(programs: Path, language: str, kind: str, sizes: "list[Size]",
          keys: "Keys | None" = None, lent: bool = False) -> Row:
    bare, ours = str(programs / "bench_bare"), str(programs / "bench_endpoint")
    more = ["--lent"] if lent else []

    def by_hand(role: str) -> list[str]:
        return [bare, role, "{address}", *more, *(keys.by_hand(role) if keys else [])]

    def endpoint(role: str, *where: str) -> list[str]:
        return [ours, role, "--kind", kind, *where, *(keys.of_endpoint() if keys else [])]

    return Row(language, Side(by_hand("A"), by_hand("B"), ("A", "B")),
               Side(endpoint("A", "--bind", "{address}"), endpoint("B", "--connect", "A={address}"),
                    ("A", "B")), sizes)


class Keys:
    """Key pairs of A and B, in files as endpoints want them."""

    def __init__(self, folder: Path) -> None:
        import zmq

        self.folder = folder
        self.pairs = {role: zmq.curve_keypair() for role in "AB"}
        for role, (_, secret) in self.pairs.items():
            with open(folder / f"{role}.key", "w",
                      opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
                file.write(f"pychoral secret key 1\n{role}\n{secret.decode()}\n")
        roles = [{"name": role, "address": "tcp://127.0.0.1:1", "public": public.decode()}
                 for role, (public, _) in self.pairs.items()]
        manifest = {"version": 1, "run": "", "roles": roles}
        (folder / "manifest.json").write_text(json.dumps(manifest))
        os.chmod(folder / "manifest.json", 0o600)

    def by_hand(self, role: str) -> list[str]:
        known = [self.pairs["A"][0], *self.pairs[role]]
        return ["--keys", ",".join(key.decode() for key in known)]

    def of_endpoint(self) -> list[str]:
        return ["--manifest", str(self.folder)]


def run(side: Side, size: Size) -> Figures:
    """Both programs once."""
    address = free_address()
    amount = [f"--size={size.size}", f"--rounds={size.rounds}", f"--messages={size.messages}"]
    one_core = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    processes = []
    scratch = tempfile.TemporaryDirectory()
    for role, command in (("A", side.a), ("B", side.b)):
        fresh = str(Path(scratch.name) / role)
        words = [word.replace("{address}", address).replace("{fresh}", fresh) for word in command]
        words += amount if role in side.sized else []
        own = str(ROOT / "runtime" / "python") if ENDPOINT_PYTHON[1] in words else ""
        processes.append(subprocess.Popen([*one_core, *words], stdout=subprocess.PIPE, text=True,
                                          env={**os.environ, "PYTHONPATH": own}))
    trip, cpu, wall = 0.0, 0.0, 0.0
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
            elif word == "wall":
                wall = max(wall, float(value))
    scratch.cleanup()
    return Figures(trip * 1e6, cpu * 1e6 / size.messages, wall * 1e6 / size.messages)


def measure(row: Row, size: Size, rounds: int) -> tuple[Figures, Figures]:
    """The medians of both sides, which run in turn."""
    found: tuple[list[Figures], list[Figures]] = ([], [])
    for _ in range(rounds):
        found[0].append(run(row.bare, size))
        found[1].append(run(row.ours, size))
    bare, ours = (Figures(statistics.median(each.trip for each in runs),
                          statistics.median(each.cpu for each in runs),
                          statistics.median(each.wall for each in runs)) for runs in found)
    return bare, ours


def judged(ratio: float, goal: "float | None") -> str:
    if goal is None:
        return f"{ratio:5.2f}          "
    return f"{ratio:5.3f} <= {goal:.2f} {'ok' if ratio <= goal else 'NO'}"


def report(row: Row, size: Size, rounds: int) -> bool:
    bare, ours = measure(row, size, rounds)
    trip, cpu = ours.trip / bare.trip, ours.cpu / bare.cpu
    goals = GOALS.get((row.language, size.name), (None, None))
    print(f"{row.language:8}{size.name:>8}  trip {bare.trip:7.1f} {ours.trip:7.1f} us "
          f"{judged(trip, goals[0])}  cpu {bare.cpu:7.2f} {ours.cpu:7.2f} us "
          f"{judged(cpu, goals[1])}", flush=True)
    return all(goal is None or ratio <= goal for ratio, goal in zip((trip, cpu), goals))


def c_rows(programs: Path) -> "list[Row]":
    return [
        c_row(programs, "C", "bytes", C_SIZES),
        c_row(programs, "C", "ints", INTS),
        c_row(programs, "C array", "array", ARRAYS, lent=True),
    ]


def report_keys(language: str, size: Size, plain_row: Row, keys_row: Row, rounds: int) -> bool:
    """What CURVE costs an endpoint against what it costs libzmq by hand.

    An endpoint that costs less than sockets by hand without CURVE has that not held against it."""
    plain, curve = measure(plain_row, size, rounds), measure(keys_row, size, rounds)
    bare = curve[0].cpu / plain[0].cpu
    ours = curve[1].cpu / max(plain[0].cpu, plain[1].cpu)
    print(f"{language:8}{size.name:>8}  CURVE, cpu on against off: {bare:.2f} by hand, "
          f"{ours:.2f} on the runtime  {judged(ours / bare, 1.05)}", flush=True)
    return ours / bare <= 1.05


def keys_reports(programs: Path, keys: Keys, rounds: int) -> bool:
    good = True
    for size, lent in ((C_SIZES[2], False), (C_SIZES[3], True)):    # what endpoints lend as well
        good &= report_keys("C", size, c_row(programs, "C", "bytes", [size], lent=lent),
                            c_row(programs, "C", "bytes", [size], keys, lent), rounds)
    return good


def keys_reports_python(programs: Path, keys: Keys, rounds: int) -> bool:
    good = True
    for size, more in ((PYTHON_SIZES[1], []), (PYTHON_SIZES[2], ["--lent"])):
        plain, curve = (Row("Python", bare_side(programs, "pp", *more, keys=each),
                            endpoint_side(programs, "pp", keys=each), [size])
                        for each in (None, keys))
        good &= report_keys("Python", size, plain, curve, rounds)
    return good


def durable_reports(programs: Path, rounds: int) -> bool:
    """How much longer a message takes from a durable role to another, one way.

    A time and no ratio, so the least of the runs: what else the machine does only adds to it."""
    good = True
    for name, languages in (("C", "cc"), ("Python", "pp")):
        memory = endpoint_side(programs, languages)
        durable = endpoint_side(programs, languages, "--journal", "{fresh}")
        for size in DURABLE:
            runs = [(run(memory, size), run(durable, size)) for _ in range(rounds)]
            least, wall = (min(each.wall for each in side) for side in zip(*runs))
            cpu = min(each.cpu for _, each in runs) - min(each.cpu for each, _ in runs)
            good &= wall - least <= DURABLE_GOAL_US
            print(f"{name:8}{size.name:>8}  durable: a message takes {least:.2f} us in memory, "
                  f"{wall - least:.2f} us more with a journal <= {DURABLE_GOAL_US:.0f} "
                  f"{'ok' if wall - least <= DURABLE_GOAL_US else 'NO'} "
                  f"({cpu:.2f} us of processor)", flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", help="for the Python rows")
    parser.add_argument("--programs", help="for the C rows: where bench_bare is")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose language and size have this")
    given = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        programs = Path(given.programs) if given.programs else None
        rows = c_rows(programs) if programs else []
        python = Path(folder) / "python"
        if given.compiler:
            build_python(given.compiler, python)
            rows.append(python_row(python))
        rows += mixed_rows(programs) if programs else []
        print("                  by hand, on the runtime, ratio; the same for one way")
        for row in rows:
            for size in row.sizes:
                if given.only in f"{row.language} {size.name}":
                    good &= report(row, size, given.rounds)
        keys = Keys(Path(folder))
        if programs and given.only in "CURVE":
            good &= keys_reports(programs, keys, given.rounds)
            good &= keys_reports_python(programs, keys, given.rounds)
        if programs and given.only in "durable":
            good &= durable_reports(programs, given.rounds)
        if programs and given.only in "waits":
            endpoint = str(programs / "bench_endpoint")
            good &= bench_waits.report(endpoint, ENDPOINT_PYTHON, given.rounds)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
