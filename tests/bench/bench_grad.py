"""Gradients in C against their own primal: CPU time on one core, least of interleaved rounds.

bench_grad.py --compiler PYCHORALC [--rounds N]. The value of the same file is 1; the loop is also
compared with ADOL-C, taping included. A row that misses its goal is marked; a derivative that is
wrong, or a call that fails, ends with 1.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent / "grad"
FLAGS = ["-O3", "-march=native", "-ffp-contract=off"]
STACK = 8 << 20                         # of the deep calls, in bytes


class Row(NamedTuple):
    what: str
    file: str
    function: str
    driver: str
    sizes: Sequence[int]
    goal: float                         # times the primal
    memory: int                         # size of which the bytes are looked at; 0: not


ROWS = [
    Row("loop", "shapes", "power", "LOOP", (20_000, 1_000_000, 10_000_000), 2.5, 10_000_000),
    Row("list by recursion", "shapes", "product", "LIST", (20_000, 1_000_000), 3.0, 1_000_000),
    Row("tree, sum", "shapes", "total", "TREE", (12,), 2.5, 18),
    Row("tree, product", "shapes", "products", "TREE", (12,), 3.0, 18),
    Row("det by minors", "det", "det", "DET", (9,), 2.8, 9),
    Row("scan, 60 leaves", "scan", "scan", "SCAN", (614,), 0.0, 614),
]
SCAN_GOAL = 1.0                         # ms, of the last row


class Bench:
    def __init__(self, compiler: str, rounds: int, folder: Path) -> None:
        self.compiler, self.rounds, self.folder = compiler, rounds, folder
        self.failed = False

    def compiled(self, file: str, function: str, output: Path, *options: str) -> None:
        subprocess.run([self.compiler, "grad", f"{HERE / file}.py:{function}", "-q", "-o",
                        str(output), *options], check=True)

    # ---- rows ----

    def program(self, row: Row, cc: str) -> Path:
        text = self.folder / f"{row.function}.c"
        program = self.folder / f"{row.function}.{cc}"
        if not text.exists():
            self.compiled(row.file, row.function, text)
        driver, kernel = program.with_suffix(f".{cc}.driver.o"), program.with_suffix(f".{cc}.o")
        subprocess.run([cc, *FLAGS, f"-DF={row.function}", f"-D{row.driver}", "-include",
                        str(text.with_suffix(".h")), "-c", str(HERE / "driver.c"), "-o",
                        str(driver)], check=True)
        subprocess.run([cc, *FLAGS, "-c", str(text), "-o", str(kernel)], check=True)
        subprocess.run([cc, str(driver), str(kernel), "-o", str(program), "-lm", "-lpthread"],
                       check=True)
        return program

    def best(self, program: Path, size: int) -> list[float]:
        """Of several processes: where memory lies differs between them."""
        runs = [numbers(program, size, self.rounds) for _ in range(3)]
        return [min(column) for column in zip(*runs)]

    def row(self, row: Row, cc: str) -> float:
        """The time of an operation of the largest size, in nanoseconds."""
        program, gradient = self.program(row, cc), 0.0
        for size in row.sizes:
            value, gradient, _ = self.best(program, size)
            ratio = gradient / value
            memory = f"{numbers(program, row.memory, 1)[2]:8.1f}" if size == row.sizes[-1] else ""
            late = "  *" if 0.0 < row.goal < ratio else ""
            goal = f"{row.goal:7.1f}" if row.goal else f"{'':7}"
            print(f"{f'{row.what} {size} ({cc})':32}{value:10.3f}{gradient:10.3f}{ratio:8.2f}"
                  f"{goal}{memory:>8}{late}")
            if row.driver == "SCAN":
                whole = gradient * size * 60 / 1e6
                print(f"{'':32}{whole:20.3f} ms{'':5}{SCAN_GOAL:7.1f}"
                      f"{'' if whole <= SCAN_GOAL else '  *'}")
        return gradient

    def adolc(self, ours: float) -> None:
        program = self.folder / "adolc"
        subprocess.run(["g++", *FLAGS, str(HERE / "adolc.cpp"), "-o", str(program), "-ladolc"],
                       check=True, capture_output=True)
        theirs = min(numbers(program, 1_000_000, self.rounds)[0] for _ in range(2))
        print(f"{'loop 1000000, ADOL-C':32}{'':10}{theirs:10.3f}    {theirs / ours:.1f} x ours, "
              f"goal 10{'' if theirs >= 10 * ours else '  *'}")

    # ---- far down ----

    def deep(self) -> None:
        for kind, function, size in (("list", "product", 1_000_000), ("loop", "power", 10_000_000)):
            for target in ("c", "py"):
                folder = self.folder / f"deep-{target}"
                folder.mkdir(exist_ok=True)
                self.compiled("shapes", function, folder / f"{function}.{target}")
                command = [sys.executable, str(HERE / "deep.py"), str(folder), kind, str(size)]
                done = subprocess.run(command, text=True, capture_output=True,
                                      preexec_fn=limit_stack)
                words = done.stdout.split()
                self.failed |= done.returncode != 0
                print(f"{f'{kind} {size}, stack of 8 MiB ({target})':40}"
                      + (f"{float(words[0]):10.3f} s" if done.returncode == 0
                         else f"  FAILED {done.stderr[-200:]}"))

    # ---- pairs of modes ----

    def derivative(self, function: str, outer: str) -> Callable[..., tuple[float, list[float]]]:
        """The value and all partial derivatives: by reverse mode in C, by tangents in Python."""
        output = self.folder / f"{function}_{outer}{'.py' if outer == 'f' else '.c'}"
        self.compiled("pairs", function, output,
                      "--mode=tangent" if outer == "f" else "--mode=reverse")
        module = loaded(output.with_suffix(".py"))
        if outer == "r":
            reverse = getattr(module, f"{function}_value_and_grad")
            return lambda *x: flat(reverse(*x))
        tangent = getattr(module, f"{function}_jvp")
        return lambda *x: by_tangents(tangent, x)

    def pairs(self) -> None:
        for what, function, start in (("particle", "path", [0.0]),
                                      ("saddle", "largest", [1.0, 1.0])):
            found: list[list[float]] = []
            for outer in "fr":
                for inner in "fr":
                    of = self.derivative(f"{function}_{inner}", outer)
                    of(*start)          # compiles
                    begin = time.process_time()
                    x = least(of, start)
                    took = time.process_time() - begin
                    value, slope = of(*start)
                    found.append([*x, value, *slope])
                    print(f"{f'{what}, {outer}{inner}':32}{took * 1e3:20.3f} ms"
                          f"   least at {', '.join(f'{c:.6f}' for c in x)}")
            far = max(abs(a - b) / max(1.0, abs(b)) for other in found[1:]
                      for a, b in zip(other, found[0]))
            self.failed |= far > 1e-11
            print(f"{'':32}the four differ by {far:.1e}, goal 1e-11{'' if far <= 1e-11 else '  *'}")


def limit_stack() -> None:
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def numbers(program: Path, size: int, rounds: int) -> list[float]:
    done = subprocess.run([str(program), str(size), str(rounds)], check=True, text=True,
                          capture_output=True)
    return [float(word) for word in done.stdout.split()]


def loaded(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def flat(answer: tuple[float, Any]) -> tuple[float, list[float]]:
    value, slope = answer
    return value, list(slope) if isinstance(slope, tuple) else [slope]


def by_tangents(jvp: Any, x: tuple[float, ...]) -> tuple[float, list[float]]:
    answers = [jvp(*x, *(1.0 if i == k else 0.0 for i in range(len(x)))) for k in range(len(x))]
    return answers[0][0], [tangent for _, tangent in answers]


def length(v: Iterable[float]) -> float:
    return math.sqrt(sum(c * c for c in v))


def least(of: Callable[..., tuple[float, list[float]]], start: list[float]) -> list[float]:
    """By descent, with steps that grow while it goes down."""
    x, rate, count = start, 1e-5, 0
    value, slope = of(*x)
    while length(slope) > 1e-5:
        if count == 10:
            rate, count = rate * 2.0, 0
        to = [c - rate * s for c, s in zip(x, slope)]
        if length(a - b for a, b in zip(to, x)) <= 1e-5:
            break
        new, new_slope = of(*to)
        if new < value:
            x, value, slope, count = to, new, new_slope, count + 1
        else:
            rate, count = rate / 2.0, 0
    return x


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="pychoral-bench-") as name:
        bench = Bench(options.compiler, options.rounds, Path(name))
        print(f"{'ns for an operation':32}{'value':>10}{'gradient':>10}{'ratio':>8}{'goal':>7}"
              f"{'B/op':>8}")
        for row in ROWS:
            for cc in ("gcc", "clang"):
                if shutil.which(cc):
                    time_of = bench.row(row, cc)
            if row.driver == "LOOP":
                bench.adolc(time_of)
        bench.deep()
        bench.pairs()
    sys.exit(bench.failed)


if __name__ == "__main__":
    main()
