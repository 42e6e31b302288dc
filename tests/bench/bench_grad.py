"""Gradients in C against their own primal: CPU time on one core, least of interleaved rounds.

bench_grad.py --compiler PYCHORALC [--rounds N]. The value of the same file is 1; the loop is also
compared with ADOL-C, taping included, if libadolc-dev is there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "grad"
FLAGS = ["-O3", "-march=native", "-ffp-contract=off"]

# What, the function, its driver, its sizes, and what is to be reached.
ROWS = [
    ("loop", "power", "LOOP", (20_000, 1_000_000, 10_000_000), 2.5),
    ("list by recursion", "product", "LIST", (20_000, 1_000_000), 3.0),
    ("tree, sum", "total", "TREE", (12,), 2.5),
    ("tree, product", "products", "TREE", (12,), 3.0),
]


def made(compiler: str, function: str, kind: str, cc: str, folder: Path) -> Path:
    text, program = folder / f"{function}.c", folder / f"{function}.{cc}"
    if not text.exists():
        subprocess.run([compiler, "grad", f"{HERE / 'shapes.py'}:{function}", "-q", "-o",
                        str(text)], check=True)
    driver, kernel = folder / f"{function}.driver.o", folder / f"{function}.o"
    subprocess.run([cc, *FLAGS, f"-DF={function}", f"-D{kind}", "-include",
                    str(text.with_suffix(".h")), "-c", str(HERE / "driver.c"), "-o",
                    str(driver)], check=True)
    subprocess.run([cc, *FLAGS, "-c", str(text), "-o", str(kernel)], check=True)
    subprocess.run([cc, str(driver), str(kernel), "-o", str(program), "-lm", "-lpthread"],
                   check=True)
    return program


def run(program: Path, size: int, rounds: int) -> list[float]:
    done = subprocess.run([str(program), str(size), str(rounds)], check=True, text=True,
                          capture_output=True)
    return [float(word) for word in done.stdout.split()]


def best(program: Path, size: int, rounds: int) -> list[float]:
    """Of several processes: where memory lies differs between them."""
    runs = [run(program, size, rounds) for _ in range(3)]
    return [min(numbers) for numbers in zip(*runs)]


def adolc(folder: Path) -> Path | None:
    program = folder / "adolc"
    cxx = shutil.which("g++")
    done = subprocess.run([cxx, *FLAGS, str(HERE / "adolc.cpp"), "-o", str(program), "-ladolc"],
                          capture_output=True) if cxx else None
    return program if done is not None and done.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    compilers = [cc for cc in ("gcc", "clang") if shutil.which(cc)]
    print(f"{'':28}{'ns/op, value':>14}{'gradient':>10}{'ratio':>8}{'goal':>7}")
    with tempfile.TemporaryDirectory(prefix="pychoral-bench-") as name:
        folder = Path(name)
        loop = 0.0
        for what, function, kind, sizes, goal in ROWS:
            for cc in compilers:
                program = made(options.compiler, function, kind, cc, folder)
                for size in sizes:
                    value, gradient, memory = best(program, size, options.rounds)
                    label = f"{what} {size} ({cc})"
                    print(f"{label:28}{value:14.3f}{gradient:10.3f}{gradient / value:8.2f}"
                          f"{goal:7.1f}")
                    if kind == "LOOP" and size == max(sizes):
                        small = run(program, 1, 1)[2]
                        print(f"{'':28}{(memory - small) / size:24.1f} bytes/op")
                        loop = loop or gradient
        peer = adolc(folder)
        if peer is not None:
            time = min(run(peer, 1_000_000, options.rounds)[0] for _ in range(2))
            print(f"{'ADOL-C, loop 1000000':28}{'':14}{time:10.3f}{time / loop:8.1f} x ours")


if __name__ == "__main__":
    main()
