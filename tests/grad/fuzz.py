#!/usr/bin/env python3
"""Random functions of floats, ints and lists: gradients against differences in 160 digits, in all
modes and targets. Some have functions as values, cells, derivatives inside, and trees.

  fuzz.py --compiler PATH [--count N] [--seed S] [--mode M ..] [--target python|c]

What the compiler refuses is counted; what it takes must be right. All programs in C are one
translation unit. Points where a branch is near its
border are left out: there the difference has no meaning.
"""

import argparse
import collections
import copy
import dataclasses
import random
import re
import subprocess
import sys
import tempfile
import unittest.mock
from pathlib import Path
from types import ModuleType
from typing import Any

import mpmath  # type: ignore

import check
import golden
import joined
import points

sys.path.insert(0, str(points.HERE.parents[1] / "runtime" / "python"))
Way = tuple[str, str]                   # mode, target
WAYS: list[Way] = [("reverse", "python"), ("reverse", "c"), ("tangent", "python"),
                   ("tangent", "c"), ("forward", "python"), ("reverse-cps", "python")]
LIMIT = 1e-11
TOGETHER = 100                          # programs in one translation unit
# Trees of two classes, and what is asked of them.
TREES = """
@dataclass
class Leaf:
    value: float


@dataclass
class Fork:
    left: Leaf | Fork
    right: Leaf | Fork
    factor: float


def weigh(tree: Leaf | Fork, x: float) -> float:
    match tree:
        case Leaf(value):
            return {leaf}
        case Fork(left, right, factor):
            return {fork}


def either(tree: Leaf | Fork) -> Leaf | Fork:
    return tree


def turned(tree: Leaf | Fork, x: float) -> Leaf | Fork:
    if isinstance(tree, Leaf):
        return {new}
    return Fork(turned(tree.right, tree.factor), {kept}, {factor})
"""
FORMS = {"leaf": ("value * x", "value + x * x", "math.sin(value)"),
         "fork": ("weigh(left, x) * factor + weigh(right, x)",
                  "weigh(left, factor) - weigh(right, math.sin(x))",
                  "math.tanh(weigh(right, weigh(left, x)) * factor)"),
         "new": ("Leaf(tree.value * x)", "Fork(tree, Leaf(x), 0.5)", "tree"),
         "kept": ("tree.left", "turned(tree.left, x)"),
         "factor": ("tree.factor", "x", "tree.factor * x")}
STEP = mpmath.mpf(10) ** -15


class Maker:
    """The text of a module with a few functions; `f` is the last one and calls the others."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.functions: list[tuple[str, int]] = []      # name, how many floats it takes
        self.floats: list[str] = []
        self.lists: list[str] = []
        self.pairs: list[str] = []                      # tuples of two floats
        self.answers: list[tuple[str, int]] = []        # functions that answer one
        self.ints: list[str] = []
        self.fresh = 0
        self.answers_pair = False
        self.values: list[str] = []                     # variables that are functions of a float
        self.lists_of_values: list[str] = []
        self.refs: list[str] = []
        self.trees: list[str] = []
        self.with_trees = False
        self.inside = 0                                 # functions in functions

    def name(self, prefix: str) -> str:
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def atom(self) -> str:
        choices = [self.rng.choice(self.floats), repr(self.rng.choice((0.5, 1.25, -0.75, 2.0)))]
        if self.lists:
            xs = self.rng.choice(self.lists)
            choices.append(f"{xs}[{self.rng.choice(('0', '-1', '1'))}]")
        if self.pairs:
            choices.append(f"{self.rng.choice(self.pairs)}[{self.rng.randrange(2)}]")
        if self.refs:
            choices.append(f"{self.rng.choice(self.refs)}.get()")
        return self.rng.choice([choices[0], *choices])

    def value(self) -> str:
        """A function of a float."""
        v = self.name("u")
        if self.values and self.rng.random() < 0.3:
            return self.rng.choice(self.values)
        if self.rng.random() < 0.15:
            return "math.sin"
        before, self.inside = self.floats, self.inside + 1
        self.floats = [*before, v]
        text = f"lambda {v}: {self.real(1)}"
        self.floats, self.inside = before, self.inside - 1
        return text

    def called_value(self) -> str:
        f = self.rng.choice(self.values)
        if self.lists_of_values and self.rng.random() < 0.5:
            f = f"{self.rng.choice(self.lists_of_values)}[{self.rng.randrange(2)}]"
        if self.inside == 0 and self.rng.random() < 0.4:
            f = self.rng.choice((f"grad({f})", f"grad({self.value()})"))
        return f"{f}({self.atom()})"

    def values_assigned(self, indent: int) -> None:
        roll = self.rng.random()
        if self.refs and roll < 0.4:
            r = self.rng.choice(self.refs)
            self.put(indent, f"{r}.{self.rng.choice(('set', 'add'))}(math.tanh({self.real(1)}))")
        elif self.lists_of_values and roll < 0.6:
            fs = self.rng.choice(self.lists_of_values)
            self.put(indent, f"{fs}[{self.rng.randrange(2)}] = {self.value()}")
        elif self.lists_of_values and roll < 0.7:
            self.put(indent, f"{self.rng.choice(self.lists_of_values)}.reverse()"
                     if self.rng.random() < 0.3 else
                     f"{self.rng.choice(self.lists_of_values)}.append({self.value()})")
        elif roll < 0.85:
            self.put(indent, f"{self.rng.choice(self.floats)} = {self.called_value()} * 0.5")
        else:
            self.put(indent, f"{self.rng.choice(self.values)} = {self.value()}")

    def real(self, depth: int = 2) -> str:
        if depth == 0 or self.rng.random() < 0.25:
            return self.atom()
        a, b = self.real(depth - 1), self.real(depth - 1)
        forms = [f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} * {b})",
                 f"{a} / (1.5 + {b} * {b})", f"math.sin({a})", f"math.exp(-({a}) * ({a}))",
                 f"math.sqrt(1.0 + ({a}) * ({a}))", f"-{a}", f"math.tanh({a})",
                 f"({a} if {self.test()} else {b})", f"max({a}, {b})", f"({a}) ** 2"]
        if self.ints:
            forms.append(f"({a} * {self.rng.choice(self.ints)})")
        if self.lists:
            forms.append(f"math.tanh(sum({self.rng.choice(self.lists)}))")
        if self.values and depth == 2 and self.inside == 0:
            forms += [self.called_value()] * 3
        if self.functions:
            name, count = self.rng.choice(self.functions)
            forms += [f"{name}({', '.join(self.atom() for _ in range(count))})"] * 3
        if self.trees and self.inside == 0:
            forms += [f"math.tanh(weigh({self.rng.choice(self.trees)}, {a}))"] * 2
        return self.rng.choice(forms)

    def tree(self) -> str:
        forms = [f"Leaf({self.real(1)})",
                 f"Fork(Leaf({self.atom()}), Leaf({self.atom()}), {self.real(1)})"]
        if self.trees:
            a, b = self.rng.choice(self.trees), self.rng.choice(self.trees)
            forms += [a, f"Fork({a}, {b}, {self.atom()})", f"turned({a}, {self.atom()})",
                      f"{a} if {self.test()} else {b}"]
        return self.rng.choice(forms)

    def trees_assigned(self, indent: int) -> None:
        t = self.rng.choice(self.trees)
        roll = self.rng.random()
        if roll < 0.3:
            k = self.name("once")
            self.put(indent, f"{k} = either({self.tree()})")
            self.put(indent, f"if isinstance({k}, Leaf):")
            self.put(indent + 1, f"{k}.value = {self.real(1)}")
            self.put(indent, "else:")
            self.put(indent + 1, self.rng.choice((f"{t} = {k}.left", f"{k}.factor = {self.atom()}",
                                                  f"{k}.right = Leaf({self.real(1)})")))
        elif roll < 0.5:
            self.put(indent, f"if isinstance({t}, Leaf):")
            self.put(indent + 1, f"{t}.value *= {self.atom()}")
        elif self.inside == 0:
            self.put(indent, f"{t} = either({self.tree()})")

    def pair(self) -> str:
        forms = [f"({self.real(1)}, {self.real(1)})", f"({self.atom()}, {self.atom()})"]
        if self.pairs:
            p, q = self.rng.choice(self.pairs), self.rng.choice(self.pairs)
            forms += [p, f"({p}[1], {p}[0])", f"({p}[1], {q}[0])", f"{p} if {self.test()} else {q}"]
        if self.answers:
            name, count = self.rng.choice(self.answers)
            forms += [f"{name}({', '.join(self.atom() for _ in range(count))})"] * 2
        return self.rng.choice(forms)

    def pairs_assigned(self, indent: int) -> None:
        different = list(dict.fromkeys(self.floats))
        targets = [", ".join(self.rng.sample(different, 2))] if len(different) > 1 else []
        target = self.rng.choice([*self.pairs, *targets])
        self.put(indent, f"{target} = {self.pair()}")

    def test(self) -> str:
        forms = [f"{self.atom()} > {self.atom()}"]
        if self.ints:
            forms.append(f"{self.rng.choice(self.ints)} % 2 == 0")
        return self.rng.choice(forms)

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def assign(self, indent: int) -> None:
        roll = self.rng.random()
        if self.trees and indent < 3 and self.rng.random() < 0.3:
            self.trees_assigned(indent)
        elif self.values and self.rng.random() < 0.35:
            self.values_assigned(indent)
        elif self.pairs and self.rng.random() < 0.3:
            self.pairs_assigned(indent)
        elif roll < 0.2 and self.lists:
            xs = self.rng.choice(self.lists)
            self.put(indent, f"{xs}[{self.rng.choice(('0', '-1', '1'))}] = math.sin({self.real()})")
        elif roll < 0.3 and self.lists:
            self.put(indent, f"{self.rng.choice(self.lists)}.append({self.real(1)})")
        elif roll < 0.36 and self.lists:
            xs = self.rng.choice(self.lists)
            self.put(indent, f"if len({xs}) > 2:")
            self.put(indent + 1, f"{self.rng.choice(self.floats)} = {xs}.pop()")
        else:
            self.put(indent, f"{self.rng.choice(self.floats)} = math.sin({self.real()})"
                     if self.rng.random() < 0.4 else
                     f"{self.rng.choice(self.floats)} = {self.real()} * 0.5")

    def loop(self, indent: int) -> None:
        k = self.name("k")
        kind = self.rng.randrange(3)
        if kind == 0:
            self.put(indent, f"for {k} in range({self.rng.randrange(4)}):")
        elif kind == 1 and self.lists:
            x = self.name("x")
            self.put(indent, f"for {k}, {x} in enumerate({self.rng.choice(self.lists)}):")
            self.floats.append(x)
            self.ints.append(k)
            self.put(indent + 1, f"if {k} > 3:")
            self.put(indent + 2, "break")
            self.block(indent + 1, self.rng.randrange(1, 4), True)
            self.floats.remove(x)
            self.ints.remove(k)
            return
        else:
            self.put(indent, f"{k} = 0")
            self.put(indent, f"while {k} < {self.rng.randrange(4)}:")
            self.put(indent + 1, f"{k} += 1")
        self.ints.append(k)
        self.block(indent + 1, self.rng.randrange(1, 4), True)
        self.ints.remove(k)

    def branch(self, indent: int, in_loop: bool) -> None:
        self.put(indent, f"if {self.test()}:")
        self.block(indent + 1, self.rng.randrange(1, 3), in_loop)
        roll = self.rng.random()
        if roll < 0.2 and in_loop:
            self.put(indent + 1, self.rng.choice(("break", "continue")))
        elif roll < 0.35:
            self.put(indent + 1, f"return {self.answer()}")
        elif roll < 0.7:
            self.put(indent, "else:")
            self.block(indent + 1, self.rng.randrange(1, 3), in_loop)

    def block(self, indent: int, count: int, in_loop: bool) -> None:
        for _ in range(count):
            roll = self.rng.random()
            if roll < 0.2 and indent < 4:
                self.loop(indent)
            elif roll < 0.4 and indent < 4:
                self.branch(indent, in_loop)
            else:
                self.assign(indent)

    def answer(self) -> str:
        return self.pair() if self.answers_pair else self.real()

    def function(self, name: str, with_list: bool) -> None:
        self.answers_pair = not with_list and self.rng.random() < 0.3
        count = self.rng.randrange(1, 4)
        params = [self.name("a") for _ in range(count)]
        self.floats, self.lists, self.ints = list(params), [], []
        self.values, self.lists_of_values, self.refs, self.trees = [], [], [], []
        head = [f"{p}: float" for p in params]
        if with_list:
            head.append("xs: list[float]")
        result = "tuple[float, float]" if self.answers_pair else "float"
        self.put(0, f"def {name}({', '.join(head)}) -> {result}:")
        self.pairs = []
        local = self.name("v")
        self.put(1, f"{local} = {self.real(1)}")
        self.floats.append(local)
        self.lists = ["xs"] if with_list else []
        if self.rng.random() < 0.5:
            made = self.name("ys")
            other = self.rng.choice(["xs"] if with_list else [f"[{self.atom()}, {self.atom()}]"])
            self.put(1, f"{made} = {other}" if self.rng.random() < 0.5 else
                     f"{made} = [{self.atom()}, {self.atom()}]")
            self.lists.append(made)
        if self.rng.random() < 0.5:
            for pair in (self.name("p"), self.name("p")):
                self.put(1, f"{pair} = {self.pair()}")
                self.pairs.append(pair)
        for t in [self.name("t") for _ in range(2 if self.with_trees else 0)]:
            self.put(1, f"{t}: Leaf | Fork = either({self.tree()})")
            self.trees.append(t)
        self.open_values()
        self.block(1, self.rng.randrange(2, 6), False)
        self.put(1, f"return {self.answer()}")
        self.put(0, "")
        if self.answers_pair:
            self.answers.append((name, count))
        elif not with_list:
            self.functions.append((name, count))

    def open_values(self) -> None:
        if self.rng.random() < 0.5:
            return
        for r in [self.name("r") for _ in range(self.rng.randrange(3))]:
            self.put(1, f"{r} = {self.rng.choice([*self.refs, f'Ref({self.atom()})'])}")
            self.refs.append(r)
        for f in [self.name("f") for _ in range(self.rng.randrange(1, 3))]:
            if self.rng.random() < 0.4:
                a = self.rng.choice(self.floats)
                self.put(1, f"def {f}(u: float) -> float:")
                self.put(2, f"nonlocal {a}")
                self.put(2, f"{a} = math.sin({a} * u + {self.atom()})")
                self.put(2, f"return {a} * u")
            else:
                self.put(1, f"{f}: Callable[[float], float] = {self.value()}")
            self.values.append(f)
        fs = self.name("fs")
        self.put(1, f"{fs}: list[Callable[[float], float]] = [{self.value()}, {self.value()}]")
        self.lists_of_values.append(fs)

    def module(self) -> str:
        self.lines = ["from __future__ import annotations", "", "import math",
                      "from collections.abc import Callable", "from dataclasses import dataclass",
                      "", "from pychoral.ad import Ref, grad", ""]
        self.with_trees = self.rng.random() < 0.4
        if self.with_trees:
            self.lines.append(TREES.format(**{k: self.rng.choice(v) for k, v in FORMS.items()}))
        self.lines.append("")
        for i in range(self.rng.randrange(3)):
            self.function(f"g{i}", False)
        self.function("f", True)
        return "\n".join(self.lines)


def differences(path: Path, given: tuple[Any, ...]) -> list[float]:
    mpmath.mp.dps = 160                 # also for the differences that `grad` takes
    points.NUMBERS[0] = mpmath.mpf
    exact = {"math": golden.exact_math(), "pychoral": ModuleType("pychoral"),
             "pychoral.ad": golden.exact_ad()}
    with unittest.mock.patch.dict(sys.modules, exact):
        module = points.load(path, "fuzzed_exact", {"float": golden.number})
    count = len(points.numbers(given))

    def at(which: int, by: Any) -> Any:
        moved = [-1]

        def change(x: Any) -> Any:
            moved[0] += 1
            return mpmath.mpf(x) + (by if moved[0] == which else 0)

        parts = [[change(x) for x in part] if isinstance(part, list) else change(part)
                 for part in given]
        return module.f(*parts)

    out, here = [], at(-1, 0)
    for i in range(count):
        up, down = at(i, STEP), at(i, -STEP)
        if abs((up - here) - (here - down)) > STEP * mpmath.mpf(10) ** -6:
            raise ArithmeticError("a border")
        out.append(float((up - down) / (2 * STEP)))
    return out


def found_by(module: Any, given: tuple[Any, ...], mode: str) -> list[float]:
    """The derivatives by all numbers of the arguments: one gradient, or a tangent for each."""
    if mode == "reverse":
        return points.numbers(module.f_value_and_grad(*given)[1])
    if mode != "tangent":
        return points.numbers(module.f_grad(*given))
    found = []
    for which in range(len(points.numbers(given))):
        unit = check.unit_tangents(copy.deepcopy(list(given)), module.f_jvp, which)
        found.append(module.f_jvp(*given, *unit)[1])
    return found


@dataclasses.dataclass
class Case:
    seed: str
    path: Path
    points: list[tuple[tuple[Any, ...], list[float]]]
    modules: dict[Way, Any] = dataclasses.field(default_factory=dict)
    answers: dict[Way, str] = dataclasses.field(default_factory=dict)


def drawn(seed: str, folder: Path) -> Case:
    """A program, and points with what its derivatives are there."""
    rng = random.Random(seed)
    path = folder / f"fuzzed_{seed.replace('-', '_')}.py"
    text = Maker(rng).module() + "\n"
    path.write_text(text, encoding="utf-8")
    head = text.split("def f(")[1].split(")")[0]
    found = []
    for _ in range(2):
        floats = [rng.uniform(-2, 2) for _ in range(head.count(": float"))]
        given = (*floats, [rng.uniform(-2, 2) for _ in range(rng.randrange(2, 5))])
        try:
            found.append((given, differences(path, given)))
        except (ArithmeticError, LookupError, ValueError, NameError):
            pass                        # it raises here, or is at a border
    return Case(seed, path, found)


def made(compiler: Path, case: Case, way: Way) -> Any:
    """The module; or a text: why there is none."""
    mode, target = way
    suffix = "c" if target == "c" else "py"
    out = case.path.with_name(f"{case.path.stem}_{mode.replace('-', '_')}_{target}.{suffix}")
    done = subprocess.run([str(compiler), "grad", f"{case.path}:f", "-q", "-f", "-o", str(out),
                           f"--mode={mode}"], capture_output=True, text=True)
    reason = re.search(r"error\[(E09\d\d)\]: (.*)", done.stderr)
    if done.returncode == 1 and reason is not None and "E0010" not in done.stderr:
        return f"refused {reason[1]} {re.sub('`[^`]*`', '`..`', reason[2])}"
    if done.returncode != 0:
        return f"exit {done.returncode}\n{done.stderr}"
    return points.load(out.with_suffix(".py"), out.stem)


def judged(case: Case, way: Way) -> str:
    module = case.modules[way]
    if isinstance(module, str):
        return module
    for given, wanted in case.points:
        try:
            found = found_by(module, given, way[0])
        except RecursionError:
            return "refused: deeper than Python recurs"
        except Exception as error:
            return f"{given}: {type(error).__name__}: {error}"
        scale = max(1.0, *(abs(x) for x in wanted))
        if any(not abs(a - b) <= LIMIT * scale for a, b in zip(found, wanted, strict=True)):
            return f"{given}: {found}, not {wanted}"
    return "right" if case.points else "without a point"


def batch(options: argparse.Namespace, seeds: list[str], folder: Path) -> list[Case]:
    cases = [drawn(seed, folder) for seed in seeds]
    for case in cases:
        case.modules = {way: made(options.compiler, case, way) for way in options.ways}
    in_c = [(Path(module.__file__).with_suffix(".c"), module) for case in cases
            for way, module in case.modules.items()
            if way[1] == "c" and not isinstance(module, str)]
    fault = joined.compile_together(in_c, folder, check.FLAGS) if in_c else ""
    if fault:
        print(fault)                    # then each is compiled by itself
    for case in cases:
        case.answers = {way: judged(case, way) for way in options.ways}
    return cases


def report(counts: collections.Counter[tuple[Way, str]], ways: list[Way]) -> bool:
    reasons: collections.Counter[str] = collections.Counter()
    for way in ways:
        kinds: collections.Counter[str] = collections.Counter()
        for (of, answer), n in counts.items():
            if of == way:
                kinds[answer.split(" ")[0]] += n
                reasons[f"{way[0]}: {answer}"] += n if answer.startswith("refused") else 0
        text = ", ".join(f"{kinds[kind]} {kind}"
                         for kind in ("right", "refused", "without", "wrong"))
        print(f"fuzz {way[0]} {way[1]}: {text} (without: a point)")
    for reason, n in reasons.most_common(12):
        if n > 0:
            print(f"  {n} {reason}")
    wrong = sum(n for (_, answer), n in counts.items() if answer == "wrong")
    print(f"grad_fuzz: {sum(counts.values()) - wrong} passed, {wrong} failed")
    return wrong == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--mode", choices=sorted({way[0] for way in WAYS}), nargs="*")
    parser.add_argument("--target", choices=("python", "c"))
    options = parser.parse_args()
    options.ways = [way for way in WAYS if way[0] in (options.mode or [way[0]])
                    and options.target in (None, way[1])]
    counts: collections.Counter[tuple[Way, str]] = collections.Counter()
    seeds = [f"{options.seed}-{i}" for i in range(options.count)]
    sys.setrecursionlimit(20000)
    for start in range(0, options.count, TOGETHER):
        with tempfile.TemporaryDirectory(prefix="pychoral-grad-fuzz-") as name:
            for case in batch(options, seeds[start:start + TOGETHER], Path(name)):
                for way, answer in case.answers.items():
                    known = answer.startswith(("right", "refused", "without"))
                    counts[way, answer if known else "wrong"] += 1
                    if not known:
                        kept = Path(tempfile.gettempdir()) / f"grad-fuzz-{case.seed}.py"
                        kept.write_text(case.path.read_text(encoding="utf-8"), encoding="utf-8")
                        print(f"{case.seed} {' '.join(way)}: {answer}\n  kept as {kept}")
    return 0 if report(counts, options.ways) else 1


if __name__ == "__main__":
    raise SystemExit(main())
