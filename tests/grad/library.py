#!/usr/bin/env python3
"""`grad` and its kin of pychoral.ad at run time: values, what is kept, what is refused."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"

MODEL = '''
import math
from dataclasses import dataclass
from enum import Enum

from pychoral.ad import grad, jvp, value_and_grad, vjp
from shapes import Node, square


@dataclass
class Point:
    x: float
    n: int


@dataclass
class Leaf:
    value: float


@dataclass
class Twice:
    of: "Leaf | Twice"


def power(x: float, n: int = 2) -> float:
    result = 1.0
    for _ in range(n):
        result = result * x
    return result


def product(t: "Node | None", x: float) -> float:
    return x if t is None else t.value * x + product(t.left, x) * product(t.right, x)


def error(w: list[float], points: list[Point]) -> float:
    total = 0.0
    for p in points:
        total += square(w[0] * p.x + w[1] - p.n)
    return total


def number(e: Leaf | Twice) -> float:
    return e.value if isinstance(e, Leaf) else 2.0 * number(e.of)


@value_and_grad
def wave(x: float, y: float) -> float:
    return math.sin(x) * y


class Kind(Enum):
    SUM = 1
    PRODUCT = 2


@dataclass(frozen=True)
class _Fixed:
    x: float
    n: int = 2


def frozen(f: _Fixed, p: tuple[float, float], k: Kind) -> float:
    return f.x * f.x * p[0] if k is Kind.PRODUCT else f.x


def table(x: float) -> float:
    return {"a": x}["a"]
'''

SHAPES = '''
from dataclasses import dataclass


@dataclass
class Node:
    value: float
    left: "Node | None" = None
    right: "Node | None" = None


def square(x: float) -> float:
    return x * x
'''


class Program(unittest.TestCase):
    python = sys.executable

    def need_numpy(self) -> None:
        """Debian's Python has it where another does not."""
        for python in (sys.executable, "/usr/bin/python3"):
            if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
                self.python = python
                return
        self.skipTest("numpy is not installed")

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-library-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "model.py").write_text(MODEL)
        (self.folder / "shapes.py").write_text(SHAPES)

    def run_text(self, text: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        known = {**os.environ, "PYTHONPATH": str(ROOT / "runtime/python"),
                 "PYCHORALC": str(COMPILER), **environment}
        (self.folder / "use.py").write_text("from model import *\n" + text)
        return subprocess.run([self.python, "use.py"], cwd=self.folder, env=known, text=True,
                              capture_output=True, timeout=120)

    def lines(self, text: str, **environment: str) -> list[str]:
        done = self.run_text(text, **environment)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def made(self, suffix: str) -> list[str]:
        return sorted(path.name for path in (self.folder / "__pycache__").glob(f"*/*{suffix}"))


class Values(Program):
    TEXT = (
        "print(grad(power)(3.0), grad(power)(3.0, 3), grad(power)(n=3, x=3.0))\n"
        "print(value_and_grad(error)([1.0, 2.0], [Point(1.0, 3), Point(2.0, 1)]))\n"
        "print(grad(error, wrt='w')([1.0, 2.0], [Point(2.0, 1)]))\n"
        "leaf = Node(3.0)\n"
        "dt, dx = grad(product)(Node(2.0, leaf, leaf), 0.5)\n"
        "print(type(dt) is Node, dt.value, dt.left.value, dt.left is dt.right, dx)\n"
        "print(grad(number)(Twice(Twice(Leaf(1.0)))))\n"
        "print(wave(0.0, 2.0), wave.__name__)\n"
        "value, back = vjp(error, [1.0, 2.0], [Point(2.0, 1)])\n"
        "print(value, back(0.5))\n"
        "print(jvp(power, (3.0, 2), (0.5,)))\n"
        "import model\n"
        "df, dp = grad(frozen)(model._Fixed(3.0), (2.0, 1.0), Kind.PRODUCT)\n"
        "print(type(df) is model._Fixed, df, dp)\n"
    )
    ANSWERS = [
        "6.0 27.0 27.0",
        "(9.0, ([12.0, 6.0], [Point(x=0.0, n=3), Point(x=6.0, n=1)]))",
        "[12.0, 6.0]",
        "True 0.5 1.75 True 16.0",
        "Twice(of=Twice(of=Leaf(value=4.0)))",
        "(0.0, (2.0, 0.0)) wave",
        "9.0 ([6.0, 3.0], [Point(x=3.0, n=1)])",
        "(9.0, 3.0)",
        "True _Fixed(x=12.0, n=2) (9.0, 0.0)",
    ]

    def test_in_c(self) -> None:
        self.assertEqual(self.lines(self.TEXT), self.ANSWERS)
        self.assertIn("model_power.c", self.made(".c"))

    def test_without_a_c_compiler(self) -> None:
        self.assertEqual(self.lines(self.TEXT, CC="no-such-compiler"), self.ANSWERS)
        self.assertEqual(self.made(".c"), [])

    def test_arrays(self) -> None:
        self.need_numpy()
        (self.folder / "model.py").write_text(
            "import numpy as np\nfrom pychoral.ad import Array, Float, grad\n\n\n"
            "def f(a: Float[Array, 'n']) -> float:\n    return np.sum(a * a)\n")
        self.assertEqual(self.lines("print(grad(f)(np.array([1.0, 2.0])))\n"), ["[2. 4.]"])

    def test_list_as_array(self) -> None:
        self.need_numpy()
        (self.folder / "model.py").write_text(
            "import numpy as np\nfrom pychoral.ad import grad\n\n\n"
            "def f(a: list[float]) -> float:\n    return a[0] * a[1]\n")
        self.assertEqual(self.lines("print(grad(f)(np.array([3.0, 2.0])))\n"), ["[2. 3.]"])

    def test_threads(self) -> None:
        text = ("import threading\nfound = []\n"
                "run = lambda: found.append(grad(power)(3.0))\n"
                "all = [threading.Thread(target=run) for _ in range(4)]\n"
                "for t in all: t.start()\nfor t in all: t.join()\nprint(found)\n")
        self.assertEqual(self.lines(text, CC="no-such-compiler"), ["[6.0, 6.0, 6.0, 6.0]"])

    def test_the_rest_of_the_file(self) -> None:
        """What has nothing to do with the function is not looked at."""
        with (self.folder / "model.py").open("a") as file:
            file.write("exec('print(1)')\nunknown: int = 'text'\n")
        self.assertEqual(self.lines("print(grad(power)(3.0))\n"), ["1", "6.0"])


class Kept(Program):
    def test_second_run(self) -> None:
        text = "print(grad(power)(3.0))\n"
        self.assertEqual(self.lines(text), ["6.0"])
        before = {path: path.stat().st_mtime_ns
                  for path in (self.folder / "__pycache__").rglob("model_power*")}
        self.assertEqual(self.lines(text), ["6.0"])
        after = {path: path.stat().st_mtime_ns
                 for path in (self.folder / "__pycache__").rglob("model_power*")}
        self.assertEqual(before, after)

    def test_changed_sources(self) -> None:
        text = "print(grad(error, wrt='w')([1.0, 2.0], [Point(2.0, 1)]))\n"
        self.assertEqual(self.lines(text), ["[12.0, 6.0]"])
        (self.folder / "shapes.py").write_text(SHAPES.replace("x * x", "x * 2.0"))
        self.assertEqual(self.lines(text), ["[4.0, 2.0]"])
        (self.folder / "model.py").write_text(MODEL.replace("total += sq", "total += 3.0 * sq"))
        self.assertEqual(self.lines(text), ["[12.0, 6.0]"])

    def test_changed_while_it_runs(self) -> None:
        done = self.run_text("text = open('model.py').read()\n"
                             "open('model.py', 'w').write(text.replace('result * x', 'x'))\n"
                             "grad(power)(3.0)\n")
        self.assertIn("model.py` has changed since `power` was imported", done.stderr)

    def test_at_once(self) -> None:
        known = {**os.environ, "PYTHONPATH": str(ROOT / "runtime/python"),
                 "PYCHORALC": str(COMPILER), "CC": "no-such-compiler"}
        text = "from model import *\nprint(grad(power)(3.0))\n"
        all_of_them = [subprocess.Popen([sys.executable, "-c", text], cwd=self.folder, env=known,
                                        stdout=subprocess.PIPE) for _ in range(4)]
        self.assertEqual({p.communicate(timeout=60)[0] for p in all_of_them}, {b"6.0\n"})
        self.assertEqual(self.made(".py"), ["model_power.py"])

    def test_no_room_beside_it(self) -> None:
        (self.folder / "__pycache__").write_text("in the way\n")
        self.assertEqual(self.lines("print(grad(power)(3.0))\n"), ["6.0"])


class Refused(Program):
    def refused(self, text: str, *words: str) -> None:
        done = self.run_text(text)
        self.assertEqual(done.returncode, 1, done.stdout)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_not_in_a_file(self) -> None:
        self.refused("grad(lambda x: x)\n", "TypeError: a lambda")
        self.refused("exec('def f(x: float) -> float: return x')\ngrad(f)\n",
                     "TypeError: the source of `f` cannot be read: it is not in a file, but in "
                     "`<string>`; define `f` in a `.py` file and import it")
        self.refused("exec(compile('def f(x: float) -> float: return x', 'gone.py', 'exec'))\n"
                     "grad(f)\n",
                     "TypeError: the source of `f` cannot be read: the file `gone.py` does not "
                     "exist; define `f` in a `.py` file and import it")
        self.refused("def f():\n    def g(x: float) -> float: return x\n    grad(g)\nf()\n",
                     "TypeError: `f.<locals>.g` is not a function at module level")
        self.refused("grad(math.sin)\n",
                     "TypeError: `sin` is of type `builtin_function_or_method`: only ")
        self.refused("grad(Node)\n", "TypeError: `Node` is of type `type`: only ")
        self.refused("grad(grad(power))\n",
                     "TypeError: `grad(power)` is not a function defined in a file")

    def test_no_derivative(self) -> None:
        self.refused("grad(table)(1.0)\n", "DifferentiationError: `table` cannot", "model.py:",
                     "error[E0902]")
        self.refused("grad(power, wrt='n')(1.0)\n", "error[E0901]")

    def test_decorated(self) -> None:
        self.refused("import functools\npower = functools.lru_cache(power)\ngrad(power)\n",
                     "TypeError: `power` is of type `_lru_cache_wrapper`: only ")

    def test_no_compiler(self) -> None:
        done = self.run_text("grad(power)(3.0)\n", PYCHORALC="/no/such/compiler")
        self.assertIn("FileNotFoundError: $PYCHORALC names", done.stderr)

    def test_what_it_raises(self) -> None:
        for cc in ("cc", "no-such-compiler"):
            done = self.run_text("try:\n    grad(error)([], [Point(1.0, 1)])\n"
                                 "except IndexError as wrong:\n    print('index')\n", CC=cc)
            self.assertEqual(done.stdout, "index\n", done.stderr)


if __name__ == "__main__":
    raise SystemExit(unittests.run_with_compiler(sys.modules[__name__]))
