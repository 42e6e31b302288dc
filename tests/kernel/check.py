"""Gradients in C do what those in Python do: `check.py PYCHORALC [FILE...]`.

A program in programs/ says in its comments what to call: `# f(1.0, 2) f(0.5, 0)`. Its functions
are written in both targets; each call must give the same value and gradient, or raise the same
exception, but for calls behind `# OverflowError in C:`, since ints of C end at 64 bits. The C text
must compile without a warning under each compiler that is there.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
CALL = re.compile(r"(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
WARNINGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-c", "-o", os.devnull]


Calls = dict[str, list[tuple[tuple[Any, ...], bool]]]


def calls_of(source: Path) -> Calls:
    found: Calls = {}
    for line in source.read_text().splitlines():
        if line.startswith("# "):
            for name, arguments in CALL.findall(line):
                values = ast.literal_eval(f"({arguments},)" if arguments else "()")
                found.setdefault(name, []).append((values, "OverflowError in C:" in line))
    return found


def load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except Exception as error:      # noqa: BLE001: it is what is compared
        return type(error).__name__


def close(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        same = a == b or (math.isnan(a) and math.isnan(b))
        return same or abs(a - b) <= 1e-11 * max(1.0, abs(a) + abs(b))
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
    return bool(type(a) is type(b) and a == b)


def write(compiler: str, source: Path, function: str, output: Path) -> None:
    subprocess.run([compiler, "grad", f"{source}:{function}", "-q", "--verify", "-o", str(output)],
                   check=True)


def compiles(path: Path) -> bool:
    good = True
    for cc in ("gcc", "clang"):
        for level in ("-O0", "-O3"):
            if shutil.which(cc):
                done = subprocess.run([cc, level, *WARNINGS, str(path)])
                good &= done.returncode == 0
    return good


def check(compiler: str, source: Path, folder: Path, warnings: bool) -> tuple[int, int]:
    count = wrong = 0
    for function, calls in calls_of(source).items():
        stem = f"{source.stem}_{function}"
        python, c = folder / f"{stem}_python.py", folder / f"{stem}_c.c"
        write(compiler, source, function, python)
        write(compiler, source, function, c)
        if warnings and not compiles(c):
            wrong += 1
        there, here = load(python, stem + "_python"), load(c.with_suffix(".py"), stem + "_c")
        for arguments, overflows in calls:
            for name in (function, f"{function}_value_and_grad", f"{function}_grad"):
                count += 1
                expected = ("OverflowError" if overflows
                            else outcome(getattr(there, name), arguments))
                given = outcome(getattr(here, name), arguments)
                if not close(expected, given):
                    wrong += 1
                    print(f"{source.name}: {name}{arguments}: {expected} in Python, {given} in C")
    return count, wrong


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--no-warnings", action="store_true", help="compile once only")
    options = parser.parse_args()
    sources = options.files or sorted((HERE / "programs").glob("*.py"))
    count = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            done = check(options.compiler, source, Path(folder), not options.no_warnings)
            count += done[0]
            wrong += done[1]
    print(f"{count} calls in both targets, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    # The functions that call themselves do so in Python, too.
    sys.setrecursionlimit(10**9)
    threading.stack_size(512 << 20)
    status: list[int] = []
    thread = threading.Thread(target=lambda: status.append(main()))
    thread.start()
    thread.join()
    sys.exit(status[0] if status else 1)
