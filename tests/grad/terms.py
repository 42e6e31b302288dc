"""Random programs of the array language: every stage keeps type and value, and the gradient along
a random direction is the difference of the source in extended precision.

    python3 tests/grad/terms.py TOOL N SEED [--keep FOLDER]

A failure is printed as a program; put it into tests/grad/regress/ before it is mended.
"""

from __future__ import annotations

import argparse
import collections
import pathlib
import random
import re
import sys
import tempfile
import types
import warnings
from collections.abc import Callable

import numpy as np

import array_check as ac

Shape = tuple[str, ...]
FaultsOf = Callable[[pathlib.Path, pathlib.Path, int], list[str]]
PARAMS: dict[str, Shape] = {"a": ("n",), "b": ("n", "m"), "c": ("3",), "s": (), "d": ("m", "2")}
SIZES = {"n": 3, "m": 2}
UNARY = ["np.sin({})", "np.tanh({})", "np.cos({})", "({} * 0.5)", "(-{})", "np.exp(np.sin({}))",
         "np.sqrt(1.5 + np.sin({}))", "np.log(2.0 + np.cos({}))", "({} ** 2)", "np.abs({})",
         "(1.0 / (1.5 + np.cos({})))", "np.arctan({})"]
BINARY = ["({} + {})", "({} * {})", "({} - {})", "np.maximum({}, {})", "({} / (2.0 + np.sin({})))"]


def number(size: str) -> int:
    return SIZES[size] if size in SIZES else int(size)


class Program:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.names = 0
        self.lines: list[str] = []
        self.variables: list[tuple[str, Shape, int]] = [(p, s, 0) for p, s in PARAMS.items()]
        self.indices: list[tuple[str, str]] = []

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def size(self) -> str:
        return self.rng.choice(["n", "m", "2", "3", "1"])

    def index_in(self, size: str) -> str:
        """A whole number that is in range."""
        fitting = [i for i, of in self.indices if of == size]
        if fitting and self.rng.random() < 0.7:
            i = self.rng.choice(fitting)
            return self.rng.choice([i, f"{size} - 1 - {i}", f"({i} + 1) % {size}"])
        smaller = [i for i, of in self.indices if number(of) <= number(size) and of.isdigit()
                   and size.isdigit()]
        if smaller and self.rng.random() < 0.5:
            return self.rng.choice(smaller)
        return str(self.rng.randrange(number(size)))

    def any_index(self) -> str:
        """A whole number that may be out of range, for gather and scatter."""
        if not self.indices:
            return str(self.rng.randrange(4))
        i = self.rng.choice(self.indices)[0]
        return self.rng.choice([i, f"{i} + 1", f"{i} - 1", f"{i} // 2", f"2 * {i}", f"2 - {i}",
                                f"({i} * {i}) % 3", "1"])

    def within(self, variables: list[tuple[str, str]]) -> None:
        self.indices += variables

    def without(self, count: int) -> None:
        if count > 0:
            del self.indices[-count:]

    def leaf(self, shape: Shape) -> str:
        known = [name for name, of, _ in self.variables if of == shape]
        if known and self.rng.random() < 0.85:
            return self.rng.choice(known)
        longer = [(name, of) for name, of, _ in self.variables
                  if len(of) > len(shape) and of[len(of) - len(shape):] == shape]
        if longer:
            name, of = self.rng.choice(longer)
            at = ", ".join(self.index_in(size) for size in of[:len(of) - len(shape)])
            return f"{name}[{at}]"
        if not shape:
            return f"{self.rng.uniform(-1, 1):.3f}"
        return f"np.full(({', '.join(shape)},), {self.rng.uniform(-1, 1):.3f})"

    def build(self, shape: Shape, depth: int) -> str:
        count = self.rng.randint(1, min(2, len(shape)))
        names = [f"i{len(self.indices)}_{k}" for k in range(count)]
        self.within(list(zip(names, shape)))
        body = self.term(shape[count:], depth - 1)
        self.without(count)
        sizes = shape[0] if count == 1 else f"({', '.join(shape[:count])})"
        return f"build({sizes}, lambda {', '.join(names)}: {body})"

    def gather(self, shape: Shape, depth: int) -> str:
        count = self.rng.randint(0, len(shape))
        front = tuple(self.size() for _ in range(self.rng.randint(1, 2)))
        array = self.term(front + shape[count:], depth - 1)
        names = [f"i{len(self.indices)}_{k}" for k in range(count)]
        self.within(list(zip(names, shape)))
        place = ", ".join(self.any_index() for _ in front)
        self.without(count)
        head = "lambda" + (" " if names else "") + ", ".join(names)
        return f"gather(({', '.join(shape)}{',' if len(shape) == 1 else ''}), {array}, " \
               f"{head}: ({place},))"

    def scatter(self, shape: Shape, depth: int) -> str:
        target = self.rng.randint(1, len(shape))
        front = tuple(self.size() for _ in range(self.rng.randint(1, 2)))
        array = self.term(front + shape[target:], depth - 1)
        names = [f"i{len(self.indices)}_{k}" for k in range(len(front))]
        self.within(list(zip(names, front)))
        place = ", ".join(self.any_index() for _ in range(target))
        self.without(len(front))
        return f"scatter(({', '.join(shape)}{',' if len(shape) == 1 else ''}), {array}, " \
               f"lambda {', '.join(names)}: ({place},))"

    def selection(self, shape: Shape, depth: int) -> str:
        x, y = self.term(shape, depth - 1), self.term(shape, depth - 1)
        if shape or self.rng.random() < 0.5:
            test = f"{self.term(shape, 1)} > {self.rng.uniform(-1, 1):.3f}"
            return f"np.where({test}, {x}, {y})"
        test = f"{self.term((), 1)} > {self.rng.uniform(-1, 1):.3f}"
        if self.indices and self.rng.random() < 0.5:
            test = f"{self.rng.choice(self.indices)[0]} < 1"
        return f"({x} if {test} else {y})"

    def moved(self, shape: Shape, depth: int) -> str:
        order = list(range(len(shape)))
        self.rng.shuffle(order)
        inner: list[str] = [""] * len(shape)
        for q, axis in enumerate(order):
            inner[axis] = shape[q]
        axes = ", ".join(map(str, order))
        return f"np.transpose({self.term(tuple(inner), depth - 1)}, ({axes},))"

    def summed(self, shape: Shape, depth: int) -> str:
        axis = self.rng.randint(0, len(shape))
        inner = shape[:axis] + (self.size(),) + shape[axis:]
        how = self.rng.choice(["sum", "sum", "sum", "max", "mean", "min"])
        return f"np.{how}({self.term(inner, depth - 1)}, axis={axis})"

    def ordered(self, shape: Shape, depth: int) -> str:
        """Some of an array, by the order of another one, which may depend on indices."""
        size = self.size()
        array = self.term((size,) + shape[1:], depth - 1)
        place = f"i{len(self.indices)}_0"
        self.within([(place, shape[0])])
        keys, at = self.term((size,), depth - 1), self.index_in(size)
        self.without(1)
        return f"gather(({', '.join(shape)}{',' if len(shape) == 1 else ''}), {array}, " \
               f"lambda {place}: (argsort_outer({keys})[{at}],))"

    def product(self, shape: Shape, depth: int) -> str:
        size = self.size()
        return f"({self.term((shape[0], size), depth - 1)} @ " \
               f"{self.term((size,) + shape[1:], depth - 1)})"

    def term(self, shape: Shape, depth: int) -> str:
        if depth <= 0:
            return self.leaf(shape)
        ways = ["leaf", "unary", "binary", "binary", "where", "sum"]
        if shape:
            ways += ["build", "build", "build", "gather", "gather", "scatter", "stack", "order"]
        if 2 <= len(shape) <= 3:
            ways += ["move", "reshape"]
        if len(shape) in (1, 2):
            ways += ["product"]
        if len(shape) > 3:
            return self.leaf(shape)
        way = self.rng.choice(ways)
        if way == "unary":
            return self.rng.choice(UNARY).format(self.term(shape, depth - 1))
        if way == "binary":
            return self.rng.choice(BINARY).format(self.term(shape, depth - 1),
                                                  self.term(shape, depth - 1))
        if way == "stack" and shape[0].isdigit():
            parts = [self.term(shape[1:], depth - 1) for _ in range(int(shape[0]))]
            return f"np.stack([{', '.join(parts)}])" if len(shape) > 1 \
                else f"np.array([{', '.join(parts)}])"
        if way == "reshape":
            back = self.term((shape[1], shape[0]) + shape[2:], depth - 1)
            return f"np.reshape({back}, ({', '.join(shape)}))"
        makers = {"where": self.selection, "sum": self.summed, "build": self.build,
                  "gather": self.gather, "scatter": self.scatter, "move": self.moved,
                  "product": self.product, "order": self.ordered}
        return makers[way](shape, depth) if way in makers else self.leaf(shape)

    def text(self) -> str:
        lines = []
        for _ in range(self.rng.randint(0, 3)):
            shape = tuple(self.size() for _ in range(self.rng.randint(0, 2)))
            value = self.term(shape, self.rng.randint(1, 4))
            name = self.fresh()
            self.variables.append((name, shape, 0))
            lines.append(f"    {name} = {value}\n")
        result = self.term((), self.rng.randint(2, 6))
        params = ", ".join(f"{p}: " + (f'Float[Array, "{" ".join(s)}"]' if s else "float")
                           for p, s in PARAMS.items())
        return ("import numpy as np\n\nfrom pychoral.ad import Array, Float, argsort_outer, build, "
                "gather, scatter"
                f"\n\n\ndef f({params}) -> float:\n    n, m = b.shape\n" + "".join(lines)
                + f"    return {result} + 0.0 * s\n")


def faults_of(path: pathlib.Path, out: pathlib.Path, seed: int) -> list[str]:
    module = ac.load(path)
    rng = np.random.default_rng(seed)
    inputs = ac.Inputs(module.f, rng, SIZES, {})
    return ac.check_direction(module, "f", out, inputs, rng) or faults_of_one(module, out, rng)


def faults_of_one(module: types.ModuleType, out: pathlib.Path,
                  rng: np.random.Generator) -> list[str]:
    """Where the loops are others if a size is 1, and the source takes that."""
    one = re.search(r"if (\w+) == 1:\s+return f_", pathlib.Path(f"{out}.nest").read_text())
    if one is None or one[1] not in SIZES:
        return []
    inputs = ac.Inputs(module.f, rng, {**SIZES, one[1]: 1}, {})
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = module.f(*inputs.values)
    except (IndexError, ValueError):
        return []
    if not np.isfinite(value):
        return []
    return [f"{one[1]} = 1: {fault}"
            for fault in ac.check_direction(module, "f", out, inputs, rng)]


def main(kind: type[Program] = Program, faults_of: FaultsOf = faults_of,
         title: str = "random terms", refused: collections.Counter[str] | None = None) -> int:
    """`refused`: programs may be; how often by which headline."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--refused", action="store_true", help="print why programs are refused")
    o = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = o.keep or pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        jobs = []
        for i in range(o.count):
            path = folder / f"t{o.seed}_{i}.py"
            path.write_text(kind(random.Random(f"{o.seed}.{i}")).text())
            jobs.append((path, "f", path.with_suffix("")))
        for (path, _, out), line in zip(jobs, ac.compile_all(o.tool, jobs)):
            if refused is not None and re.match("E09|E07|E05", line):
                refused[re.sub("`[^`]*`", "`..`", line)] += 1
                continue
            try:
                faults = faults_of(path, out, o.seed) if line == "ok" else [line]
            except Exception as e:  # noqa: BLE001
                faults = [f"{type(e).__name__}: {e}"]
            if faults:
                bad += 1
                print(f"{path.name}: {faults[0]}")
                if bad <= 3:
                    print(path.read_text())
    for line, count in refused.most_common() if o.refused and refused else []:
        print(f"{count:6} {line}")
    left = f", {sum(refused.values())} refused" if refused is not None else ""
    print(f"{title}: {o.count} from seed {o.seed}{left}, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
