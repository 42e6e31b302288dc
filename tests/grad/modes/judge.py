#!/usr/bin/env python3
"""The seven transformations, on programs: judge.py --terms build/release/terms

Each function of one float of programs.py: `identity` and `cps` answer what the function does, the
four others its derivative, by differences; the two translators to continuations make one program.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "runtime" / "python"))

PLAIN = ("identity", "cps", "cps-meta")
DERIVATIVES = ("forward", "reverse-shift", "reverse-cps", "reverse-cps-meta")
POINTS = (1.37, 2.71, 0.83)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def difference(f: Callable[[float], float], x: float) -> float:
    """Richardson's extrapolation of central differences."""
    h = 1e-3
    table: list[list[float]] = []
    for i in range(6):
        row = [(f(x + h) - f(x - h)) / (2.0 * h)]
        for j in range(i):
            row.append(row[j] + (row[j] - table[-1][j]) / (4.0 ** (j + 1) - 1.0))
        table.append(row)
        h /= 2.0
    return table[-1][3]


def distance(a: float, b: float) -> float:
    return abs(a - b) / max(1.0, abs(a) + abs(b))


class Judge:
    def __init__(self, terms: str, program: Path) -> None:
        self.terms = terms
        self.program = program
        self.faults: list[str] = []
        self.judged = 0

    def transformed(self, mode: str, name: str, *options: str) -> str:
        done = subprocess.run([self.terms, *options, mode, str(self.program), name],
                              capture_output=True, text=True)
        if done.returncode != 0:
            self.faults.append(f"{name}: {mode}: {done.stderr.strip()}")
        return done.stdout

    def program_of(self, mode: str, name: str) -> Callable[[float], Any]:
        text = self.transformed(mode, name)
        module = ModuleType(f"{name}_{mode}")
        sys.modules[module.__name__] = module           # where dataclasses look
        exec(compile(text, f"{name} in {mode}", "exec"), vars(module))
        if mode not in PLAIN:
            return cast(Callable[[float], Any], getattr(module, f"{name}_grad"))
        f = getattr(module, name)
        return (lambda x: f(x)) if mode == "identity" else (lambda x: f(x, lambda m: m))

    def judge_mode(self, mode: str, name: str, f: Callable[[float], float]) -> None:
        near = 1e-15 if mode in PLAIN else 1e-8
        try:
            program = self.program_of(mode, name)
            for x in POINTS:
                got, wanted = program(x), f(x) if mode in PLAIN else difference(f, x)
                if not distance(got, wanted) <= near:
                    self.faults.append(f"{name}({x}): {mode}: {got!r}, should be {wanted!r}")
        except Exception as fault:                      # whatever the program does wrong
            self.faults.append(f"{name}: {mode}: {fault!r}")

    def judge(self, name: str, f: Callable[[float], float]) -> None:
        self.judged += 1
        for translator in ("cps", "reverse-cps"):
            forms = [self.transformed(mode, name, "--forms")
                     for mode in (translator, translator + "-meta")]
            if forms[0] != forms[1]:
                self.faults.append(f"{name}: {translator}-meta makes another program")
        for mode in PLAIN + DERIVATIVES:
            if not mode.endswith("-meta"):
                self.judge_mode(mode, name, f)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--terms", default="build/release/terms")
    parser.add_argument("--only")
    parser.add_argument("--program", type=Path, default=HERE / "programs.py")
    options = parser.parse_args()
    os.chdir(HERE.parents[2])
    judge = Judge(options.terms, options.program)
    module = load(options.program)
    for name, f in list(vars(module).items()):
        own = callable(f) and getattr(f, "__module__", "") == module.__name__
        if own and getattr(f, "__annotations__", {}).keys() == {"x", "return"}:
            if options.only in (None, name):
                judge.judge(name, f)
    for fault in judge.faults:
        print(fault)
    print(f"modes: {judge.judged} programs, {len(judge.faults)} faults")
    return 1 if judge.faults or judge.judged == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
