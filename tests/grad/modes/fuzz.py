#!/usr/bin/env python3
"""Random typed programs in all modes that take them: fuzz.py N SEED

Loops, branches, cells that are assigned again, closures that change what they capture, recursion,
lists. The modes agree to 1e-11, and with differences as far as those reach.
"""

import argparse
import math
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from judge import difference, distance  # noqa: E402

MODES = ("reverse", "forward", "reverse-shift", "reverse-cps")
POINT = 1.21


class Program:
    """The text of a function f(x: float) -> float."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.lines = ["import math", "", ""]
        self.count = 0
        if self.random.random() < 0.5:
            self.lines += ["def helper(n: int, v: float) -> float:",
                           f"    return v if n <= 0 else helper(n - 1, {self.unary('v')})", "", ""]
            self.helper = True
        else:
            self.helper = False
        self.lines.append("def f(x: float) -> float:")
        names = ["x"]
        self.block(names, ["xs"], 1, 3)
        self.lines.append(f"    return {self.expr(names, 2)}")

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def unary(self, e: str) -> str:
        return self.random.choice([f"math.sin({e})", f"math.tanh({e})", f"({e} * 0.5 + 1.0)",
                                   f"math.sqrt({e} * {e} + 1.0)", f"(-{e})", f"({e} / 3)"])

    def expr(self, names: list[str], depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice([*names, *names, "0.5", "2", "1.25"])
        a, b = self.expr(names, depth - 1), self.expr(names, depth - 1)
        forms = [f"({a} + {b})", f"({a} * {b})", f"({a} - {b})", self.unary(a),
                 f"({a} / (1.0 + {b} * {b}))", f"({a} if {b} > 0.7 else {b})", f"max({a}, {b})"]
        if self.helper:
            forms.append(f"helper({self.random.randint(0, 3)}, {a})")
        return self.random.choice(forms)

    def put(self, level: int, text: str) -> None:
        self.lines.append("    " * level + text)

    def block(self, names: list[str], lists: list[str], level: int, budget: int) -> None:
        if level == 1:
            self.put(1, f"xs = [x, {self.expr(names, 1)} * 1.0, 0.5]")
        for _ in range(self.random.randint(1, budget)):
            self.statement(names, level, budget)

    def statement(self, names: list[str], level: int, budget: int) -> None:
        kind = self.random.choice(["new", "again", "list", "if", "for", "closure", "append"])
        if kind == "new" or (kind == "again" and len(names) == 1):
            name = self.fresh()
            self.put(level, f"{name} = 1.0 * {self.expr(names, 2)}")
            if level == 1:
                names.append(name)
        elif kind == "again":
            name = self.random.choice(names[1:])
            self.put(level, f"{name} = math.tanh({self.expr(names, 2)}) + {name}")
        elif kind == "list":
            i, j = self.random.randint(0, 2), self.random.randint(-1, 2)
            self.put(level, f"xs[{i}] = xs[{j}] * {self.expr(names, 1)}")
        elif kind == "append":
            self.put(level, f"xs.append({self.expr(names, 1)} * 1.0)")
            self.put(level, f"xs[0] = xs[1] + xs.pop() * {self.expr(names, 1)}")
        elif budget > 0 and level < 4:
            self.compound(kind, names, level, budget - 1)
        else:
            self.put(level, f"xs[0] = xs[0] + {self.expr(names, 1)}")

    def compound(self, kind: str, names: list[str], level: int, budget: int) -> None:
        if kind == "if":
            self.put(level, f"if {self.expr(names, 1)} > xs[0]:")
            self.statement(names, level + 1, budget)
            self.put(level, "else:")
            self.statement(names, level + 1, budget)
        elif kind == "for":
            self.put(level, f"for i{self.fresh()} in range({self.random.randint(0, 4)}):")
            self.statement(names, level + 1, budget)
            if self.random.random() < 0.4:
                self.put(level + 1, f"if xs[0] > {self.expr(names, 0)}:")
                self.put(level + 2, self.random.choice(["break", "continue"]))
            self.put(level + 1, f"xs[1] = xs[1] * 0.5 + {self.expr(names, 1)}")
        else:
            g, v = self.fresh(), self.fresh()
            self.put(level, f"def {g}({v}: float) -> float:")
            self.put(level + 1, f"xs[2] = xs[2] * 0.5 + {v}")
            self.put(level + 1, f"return {self.expr([*names, v], 2)} * 1.0")
            self.put(level, f"xs[0] = xs[2] + {g}({g}({self.expr(names, 1)}))")

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def gradient(compiler: str, path: Path, mode: str) -> Callable[[float], float] | str:
    done = subprocess.run([compiler, "grad", f"{path}:f", f"--mode={mode}"], capture_output=True,
                          text=True)
    if done.returncode == 1 and "error[E090" in done.stderr:
        return "refused"
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stderr}"
    module = ModuleType("derivative")
    sys.modules["derivative"] = module              # dataclasses ask for it
    names: dict[str, Any] = vars(module)
    exec(compile(done.stdout, mode, "exec"), names)
    found: Callable[[float], float] = names["f_grad"]
    return found


def judge(compiler: str, text: str, path: Path, taken: dict[str, int]) -> list[str]:
    path.write_text(text)
    names: dict[str, Any] = {}
    exec(compile(text, "program", "exec"), names)
    wanted = difference(names["f"], POINT)
    faults, first = [], math.nan
    for mode in MODES:
        try:
            f = gradient(compiler, path, mode)
            if isinstance(f, str):
                faults += [] if f == "refused" else [f"{mode}: {f}"]
                continue
            taken[mode] += 1
            got = f(POINT)
        except Exception as fault:                      # whatever is wrong with what was made
            faults.append(f"{mode}: {fault!r}")
            continue
        first = got if math.isnan(first) else first
        # At a kink that the program meets, a difference is no derivative: the modes are compared.
        if not distance(got, first) <= 1e-11:
            faults.append(f"{mode}: {got!r}, another mode says {first!r}, difference {wanted!r}")
    if not math.isnan(first) and distance(first, wanted) > 1e-6:
        taken["unlike differences"] += 1
    return faults


def main() -> int:
    sys.path.insert(0, "runtime/python")
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("seed")
    parser.add_argument("--compiler", default="build/release/pychoralc")
    parser.add_argument("--keep", type=Path, help="write programs that fail here")
    options = parser.parse_args()
    taken = dict.fromkeys((*MODES, "unlike differences"), 0)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.count):
            seed = f"{options.seed} {i}"
            text = Program(seed).text()
            faults = judge(options.compiler, text, Path(folder, "program.py"), taken)
            if faults:
                bad += 1
                print(f"seed {seed}:\n{text}" + "\n".join(faults))
                if options.keep is not None:
                    Path(options.keep, f"fuzz_{seed.replace(' ', '_')}.py").write_text(text)
    print(f"fuzz: {options.count} programs, {bad} with faults;",
          ", ".join(f"{name} {count}" for name, count in taken.items()))
    return 1 if bad or taken["reverse-cps"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
