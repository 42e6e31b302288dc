"""bench.py [--rounds N] - virtualized kernels against plain ones, in one run; speed of conversion.

Each line is a kernel, with its ratio for the hooks of each set; then the geometric means.  The best
time of some rounds counts.  Nothing is asserted: what a machine does at a time is no test.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kernels

from pychoral.virtual import py_defaults
from pychoral.virtual.compiler import find_compiler
from pychoral.virtual.converting import bindings, request
from pychoral.virtual.loader import load_module

from programs import READY

SETS = {
    "control": "control", "calls": "call", "control+bool+call": "control,bool,call", "all": "all",
}  # fmt: skip
ABSENT = "matmul"       # No kernel has this: the text must be the same.


def virtualized(hooks: str, mode: str | None = None) -> dict[str, Any]:
    source = Path(kernels.__file__).read_bytes()
    asked = request(source, kernels.__file__, py_defaults, hooks, mode, None)
    bound, code = load_module(asked)
    names: dict[str, Any] = {"__name__": "kernels", **bindings(py_defaults, bound)}
    exec(code, names)
    return names


def fastest(run: Callable[[], Any], rounds: int) -> float:
    best = math.inf
    for _ in range(rounds):
        started = time.process_time()
        run()
        best = min(best, time.process_time() - started)
    return best


def ratios(rounds: int) -> None:
    made = {title: virtualized(hooks) for title, hooks in {**SETS, "absent": ABSENT}.items()}
    logs: dict[str, list[float]] = {title: [] for title in made}
    print(f"{'':14}" + "".join(f"{title:>20}" for title in made))
    for kernel, size in kernels.KERNELS:
        name, wanted = kernel.__name__, kernel(size)
        plain, row = fastest(lambda: kernel(size), rounds), ""
        for title, names in made.items():
            if names[name](size) != wanted:
                raise AssertionError(f"{name} computes something else with the hooks {title}")
            ratio = fastest(lambda: names[name](size), rounds) / plain
            logs[title].append(math.log(ratio))
            row += f"{ratio:20.2f}"
        print(f"{name:14}{row}")
    means = (math.exp(sum(each) / len(each)) for each in logs.values())
    print(f"{'mean':14}" + "".join(f"{mean:20.2f}" for mean in means))


def tight_loop(rounds: int) -> None:
    plain = fastest(lambda: kernels.tight(20_000), rounds)
    ways = [("nonlocal", "control", None)]
    if "init" in READY:
        ways.append(("boxed", "control,var", "boxed"))
    for title, hooks, mode in ways:
        tight = virtualized(hooks, mode)["tight"]
        print(f"tight loop, {title}: {fastest(lambda: tight(20_000), rounds) / plain:.1f}")


def spent_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def conversion(rounds: int) -> None:
    library = Path(sysconfig.get_path("stdlib"))
    files = [str(path) for path in sorted(library.glob("*.py"))]
    lines = sum(Path(file).read_bytes().count(b"\n") for file in files)
    seconds = math.inf
    for _ in range(rounds):
        before = spent_by_children()
        subprocess.run(
            [find_compiler(), "virtualize", "--hooks=all", "--check", *files], capture_output=True
        )
        seconds = min(seconds, spent_by_children() - before)
    rate = f"{lines / seconds:,.0f} lines/s"
    print(f"conversion: {lines} lines of the library in {seconds:.2f} s of CPU, {rate}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print(f"native hooks: {py_defaults.NATIVE}; ratios to the plain program")
    ratios(given.rounds)
    tight_loop(given.rounds)
    conversion(given.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
