"""`pychoralc grad`: the command line, and what is refused."""

import re
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
SQUARE = "def f(x: float) -> float:\n    return x * x\n"
NUMBERS = SQUARE + """

def power(n: int, x: float) -> float:
    return x if n <= 0 else x * power(n - 1, x)


def rounds(x: float) -> float:
    while x < 10.0:
        x = x * x + 1.0
    return x
"""


ARRAYS = """import numpy as np
from pychoral.ad import Array, Float, Int


def rows(x: Float[Array, "n d"], w: Float[Array, "d"], k: Int[Array, "n"], n: int) -> float:
    return np.sum(np.tanh(x @ w) * k) / n


def picked(x: Float[Array, "n"], k: Int[Array, "m"]) -> Float[Array, "m"]:
    return x[k] * np.sin(x[k]) + x[0]


def cubes(n: int, x: Float[Array, "2*n+1"]) -> float:
    return np.sum(x ** 3)
"""


class Command(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-grad-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write(SQUARE)

    def write(self, text: str) -> None:
        (self.folder / "model.py").write_text(text, encoding="utf-8")

    def grad(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(COMPILER), "grad", *arguments], text=True, timeout=60,
                              capture_output=True, cwd=self.folder)

    def codes(self, *arguments: str) -> list[str]:
        done = self.grad(*arguments, "--error-format=short")
        self.assertNotIn("E0010", done.stderr)
        return re.findall(r"error\[(\w+)\]", done.stderr)

    def refused(self, code: str, text: str, line: int, *options: str) -> None:
        self.write(text)
        done = self.grad("model.py:f", "--error-format=short", *options)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(done.stdout, "")
        self.assertIn(f"model.py:{line}:", done.stderr)
        self.assertIn(f"error[{code}]", done.stderr)


class Usage(Command):
    def test_python(self) -> None:
        done = self.grad("model.py:f")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("def f_value_and_grad(x: float) -> tuple[float, float]:\n", done.stdout)
        self.assertNotIn("import pychoral", done.stdout)
        names: dict[str, object] = {}
        exec(done.stdout, names)
        self.assertEqual(eval("f_grad(3.0)", names), 6.0)

    def test_file(self) -> None:
        self.assertEqual(self.grad("model.py:f", "-o", "out.py").returncode, 0)
        first = (self.folder / "out.py").read_bytes()
        self.assertEqual(self.grad("model.py:f", "-o", "out.py").returncode, 0)
        self.assertEqual((self.folder / "out.py").read_bytes(), first)

    def test_no_function_named(self) -> None:
        for operand in ("model.py", ":f", "model.py:"):
            self.assertEqual(self.grad(operand).returncode, 2, operand)

    def test_suffix_and_target(self) -> None:
        self.assertEqual(self.grad("model.py:f", "--target=c", "-o", "out.py").returncode, 2)
        self.assertEqual(self.grad("model.py:f", "--target=python", "-o", "out.c").returncode, 2)

    def test_array_mode_is_asked_for(self) -> None:
        self.write(NUMBERS)
        done = self.grad("model.py:f", "--mode=array")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("import numpy", done.stdout)
        for name, line in (("power", 6), ("rounds", 10)):
            done = self.grad(f"model.py:{name}", "--mode=array", "--error-format=short")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"model.py:{line}:", done.stderr)
            self.assertIn("E0912", done.stderr)
            self.assertEqual(self.grad(f"model.py:{name}").returncode, 0)

    def test_c_of_a_transformation(self) -> None:
        for options, what in ((("--target=c",), "`--target=c`"), (("-o", "out.c"), "a `.c` file")):
            done = self.grad("model.py:f", "--mode=forward", *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{what} is not supported with `--mode=forward`", done.stderr)

    def test_nothing_is_lost(self) -> None:
        (self.folder / "mine.py").write_text("mine\n")
        self.assertEqual(self.codes("model.py:f", "-o", "mine.py"), ["E0004"])
        self.assertEqual(self.codes("model.py:f", "-o", "model.py", "--force"), ["E0004"])
        self.assertEqual((self.folder / "mine.py").read_text(), "mine\n")
        self.assertEqual((self.folder / "model.py").read_text(), SQUARE)

    def test_all_or_nothing(self) -> None:
        """Of NAME.c, NAME.h and NAME.py none is written where one cannot be."""
        (self.folder / "mine.py").write_text("mine\n")
        self.assertEqual(self.codes("model.py:f", "-o", "mine.c"), ["E0004"])
        self.assertFalse((self.folder / "mine.c").exists() or (self.folder / "mine.h").exists())

    def test_wrt(self) -> None:
        self.write("def f(x: float, y: float, n: int) -> float:\n    return x * y * n\n")
        names: dict[str, object] = {}
        exec(self.grad("model.py:f", "--wrt=y").stdout, names)
        self.assertEqual(eval("f_grad(3.0, 2.0, 2)", names), 6.0)
        self.assertEqual(self.codes("model.py:f", "--wrt=n"), ["E0901"])
        self.assertEqual(self.codes("model.py:f", "--wrt=z"), ["E0901"])

    def test_helper(self) -> None:
        """A partial may call a function that the output then has."""
        self.write("from math import gamma\n\n\n"
                   "def f(x: float) -> float:\n    return gamma(x)\n")
        names: dict[str, object] = {}
        exec(self.grad("model.py:f").stdout, names)
        self.assertAlmostEqual(eval("f_grad(1.0)", names), -0.5772156649015329, places=14)
        self.assertEqual(self.codes("model.py:f", "--target=c"), [])

    def test_defaults(self) -> None:
        self.write("K = 2\n\n\ndef f(x: float, n: int = K, y: float = 0.5) -> float:\n"
                   "    return x * n * y\n")
        names: dict[str, object] = {}
        exec(self.grad("model.py:f").stdout, names)
        self.assertEqual(eval("f_value_and_grad(3.0)", names), (3.0, (1.0, 6.0)))
        self.assertEqual(eval("repr(f_grad(3.0, n=1))", names), "(0.5, 3.0)")

    def test_empty(self) -> None:
        self.write("def f(xs: list[float]) -> float:\n    return max(xs) * 2.0\n")
        names: dict[str, object] = {}
        exec(self.grad("model.py:f").stdout, names)
        with self.assertRaises(ValueError):
            eval("f_grad([])", names)

    def test_deep(self) -> None:
        """A million calls deep, in Python and in C with a stack of 8 MiB."""
        self.write("def f(x: float, n: int) -> float:\n    if n == 0:\n        return x\n"
                   "    return f(x * 0.999999, n - 1) * 1.000001\n")
        asked = ("import sys\nfrom {0} import {1}\nlimit = sys.getrecursionlimit()\n"
                 "print(round({1}(1.5, 1000000{2})[1], 6), limit == sys.getrecursionlimit())")
        for out, name, mode in (("a.py", "f_value_and_grad", "reverse"),
                                ("b.c", "f_value_and_grad", "reverse"),
                                ("c.py", "f_jvp", "tangent"), ("d.c", "f_jvp", "tangent")):
            done = self.grad("model.py:f", "-q", "-o", out, f"--mode={mode}")
            self.assertEqual(done.returncode, 0, done.stderr)
            text = asked.format(out[0], name, ", 1.0" if mode == "tangent" else "")
            done = subprocess.run([sys.executable, "-c", text], text=True, timeout=120,
                                  capture_output=True, cwd=self.folder)
            self.assertEqual(done.stdout, "0.999999 True\n", done.stderr)

    def test_deep_in_an_arm(self) -> None:
        """The function looks at the stack, too, where only an `elif` and its `else` recur."""
        self.write("def f(x: float, n: int) -> float:\n    if n == 0:\n        r = x\n"
                   "    elif n % 2 == 0:\n        r = f(x, n - 1) * 1.0\n    else:\n"
                   "        r = f(x, n - 1) + x\n    return r\n")
        self.assertEqual(self.grad("model.py:f", "-q", "-o", "out.c").returncode, 0)
        done = subprocess.run([sys.executable, "-c",
                               "import out; print(out.f_value_and_grad(1.0, 1000000))"],
                              capture_output=True, text=True, timeout=60, cwd=self.folder)
        self.assertEqual(done.stdout, "(500001.0, 500001.0)\n", done.stderr)

    def test_tangent(self) -> None:
        self.write("def f(x: float, n: int, y: float) -> float:\n"
                   "    return y if n == 0 else x * f(x, n - 1, y * y)\n")
        names: dict[str, object] = {}
        exec(self.grad("model.py:f", "--mode=tangent").stdout, names)
        self.assertEqual(eval("f_jvp(3.0, 1, 2.0, 1.0, 0.5)", names), (12.0, 10.0))
        exec(self.grad("model.py:f", "--mode=tangent", "--wrt=y").stdout, names)
        self.assertEqual(eval("f_jvp(3.0, 1, 2.0, 0.5)", names), (12.0, 6.0))
        self.write("def f(x: float, y: float) -> float:\n    z = x * x\n    x = x * y\n"
                   "    return x + z\n")
        exec(self.grad("model.py:f", "--mode=tangent", "--wrt=y").stdout, names)
        self.assertEqual(eval("f_jvp(3.0, 2.0, 1.0)", names), (15.0, 3.0))

    def test_tangent_of_data(self) -> None:
        """A result may be a list: the tangent is one of the same length."""
        self.write("def f(x: float, k: int) -> list[float]:\n"
                   "    xs: list[float] = [x, 1, k, x * x]\n"
                   "    xs[int(xs[1])] = xs[3]\n    xs.append(xs.pop() * xs[0])\n"
                   "    return xs\n")
        names: dict[str, object] = {}
        exec(self.grad("model.py:f", "--mode=tangent").stdout, names)
        self.assertEqual(eval("f_jvp(3.0, 7, 1.0)", names),
                         ([3.0, 9.0, 7, 27.0], [1.0, 6.0, 0.0, 27.0]))

    def test_tangents_of_parameters(self) -> None:
        """What is one object in the arguments is one in the tangents."""
        self.write("def f(a: list[float], b: list[float]) -> float:\n"
                   "    a[0] = a[0] * b[1]\n    return b[0] * b[0]\n")
        names: dict[str, object] = {}
        exec(self.grad("model.py:f", "--mode=tangent").stdout, names)
        names.update(xs=[3.0, 2.0], ys=[3.0, 2.0], one=[1.0, 0.0], two=[1.0, 0.0])
        self.assertEqual(eval("f_jvp(xs, ys, one, two)", names), (9.0, 6.0))
        self.assertEqual(eval("f_jvp(xs, ys, one, one)", names), (9.0, 6.0))
        self.assertEqual(eval("f_jvp(xs, xs, one, one)", names), (36.0, 24.0))
        self.assertEqual(eval("(xs, one)", names), ([3.0, 2.0], [1.0, 0.0]))
        for call in ("f_jvp(xs, xs, one, two)", "f_jvp(xs, ys, one, [1.0])",
                     "f_jvp(xs, ys, one, None)", "f_jvp(xs, ys, one, [1.0, None])"):
            with self.assertRaises(ValueError):
                eval(call, names)

    def run_c(self, out: str, main: str) -> str:
        """Runs a C program beside the output, under the sanitizers."""
        (self.folder / "main.c").write_text(f'#include "{out}.h"\n#include <stdio.h>\n'
                                            f"int main(void)\n{{\n{main}    return 0;\n}}\n")
        done = subprocess.run(["cc", "-g", "-fsanitize=address,undefined", "-o", "main", "main.c",
                               f"{out}.c", "-lm", "-lpthread"], capture_output=True, text=True,
                              cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = subprocess.run(["./main"], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_tangent_in_c(self) -> None:
        self.write("def f(xs: list[float], y: float) -> float:\n    return xs[0] * xs[1] / y\n")
        self.assertEqual(self.grad("model.py:f", "--mode=tangent", "-o", "out.c").returncode, 0)
        said = self.run_c("out", """    double xs[] = {2.0, 3.0}, dots[] = {1.0, 0.5};
    TupleFloatFloat both = f_jvp(xs, 2, 4.0, dots, 2, 0.25);
    printf("%g %g\\n", both.at0, both.at1);
    both = f_jvp(xs, 2, 0.0, dots, 2, 0.25);
    printf("%g %g %s\\n", both.at0, both.at1, f_error());
    both = f_jvp(xs, 2, 4.0, dots, 1, 0.25);
    printf("%g %s\\n", both.at0, f_error());
""")
        self.assertEqual(said, "1.5 0.90625\n"
                         "nan nan line 2: ZeroDivisionError: float division by zero\n"
                         "nan line 0: ValueError: a tangent has another length than the argument\n")

    def test_split(self) -> None:
        self.write("def f(xs: list[float], word: str, n: int) -> list[float]:\n"
                   "    for i in range(n):\n        xs[0] *= xs[1]\n"
                   "    return xs if word == 'all' else xs[:1]\n")
        done = self.grad("model.py:f", "--split")
        names: dict[str, object] = {}
        exec(done.stdout, names)
        value, saved = eval("f_fwd([2.0, 3.0], 'one', 2)", names)
        self.assertEqual(value, [18.0])
        for _ in range(2):
            self.assertEqual(eval("f_rev", names)(saved, [0.5]), [4.5, 6.0])
        self.assertIsInstance(saved, tuple)
        self.assertEqual(self.grad("model.py:f", "--split", "-o", "out.c").returncode, 0)
        said = self.run_c("out", """    double xs[] = {2.0, 3.0}, seed[] = {0.5};
    char word[] = "one";
    TupleListFloatf_saved both = f_fwd(xs, 2, word, 2);
    xs[0] = xs[1] = word[0] = 0;
    printf("%g\\n", both.at0->at[0]);
    for (int i = 0; i < 2; i++) {
        ListFloat *d = f_rev(both.at1, seed, 1);
        printf("%g %g\\n", d->at[0], d->at[1]);
    }
    f_saved_free(both.at1);
""")
        self.assertEqual(said, "18\n4.5 6\n4.5 6\n")

    def test_refused_comparisons_name_types_of_the_source(self) -> None:
        head = ("def g(x: float) -> float:\n    return x\n\n\n"
                "def classify(x: float) -> float:\n    return x\n\n\n"
                "def f(w: float, x: float | None, t: tuple[float, int] | None) -> float:\n"
                "    h = g if w > 0.0 else None\n"
                "    k = classify if w > 0.0 else None\n")
        for test, types in (("x == w", "`float | None` and `float`"),
                            ("k == classify", "`function | None` and `function`"),
                            ("h == g", "`function | None` and `function`"),
                            ("t == (w, 1)", "`tuple[float, int] | None` and `tuple[float, int]`")):
            self.write(f"{head}    if {test}:\n        return w\n    return w * w\n")
            done = self.grad("model.py:f", "--target=c")
            self.assertIn(f"does not support this comparison of {types}\n", done.stderr)

    def test_split_is_refused(self) -> None:
        self.assertEqual(self.grad("model.py:f", "--split", "--mode=tangent").returncode, 2)
        self.assertEqual(self.grad("model.py:f", "--split", "--mode=cps").returncode, 2)
        self.assertEqual(self.grad("model.py:f", "--split", "--check").returncode, 2)
        self.refused("E0903", "def f(x: float) -> int:\n    return int(x)\n", 1, "--split")
        self.refused("E0903", "from collections.abc import Callable\n\n\n"
                     "def f(x: float) -> Callable[[float], float]:\n"
                     "    return lambda y: x * y\n", 4, "--split")
        self.refused("E0902", "def f_rev(x: float) -> float:\n    return x * x\n\n\n"
                     "def f(x: float) -> float:\n    return f_rev(x)\n", 1, "--split")


class Arrays(Command):
    HEAD = "import numpy as np\nfrom pychoral.ad import Array, Float\n\n\n"

    def test_a_jacobian_in_c(self) -> None:
        self.write(f'{self.HEAD}def f(x: Float[Array, "n"]) -> Float[Array, "n"]:\n'
                   "    return np.sin(x) * x\n")
        self.assertEqual(self.codes("model.py:f"), [])
        self.assertEqual(self.codes("model.py:f", "-o", "out.c"), [])
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()),
                         ["model.py", "out.c", "out.h", "out.py"])

    def test_options_that_arrays_do_not_have(self) -> None:
        self.write(f'{self.HEAD}def f(x: Float[Array, "n"]) -> float:\n    return np.sum(x * x)\n')
        self.assertEqual(self.codes("model.py:f", "--mode=reverse"), [])
        for option in ("--mode=tangent", "--mode=cps", "--split"):
            self.assertIn(f"`{option}` is not supported for functions over arrays",
                          self.grad("model.py:f", option).stderr)


class Compared(Command):
    """`--check`: against differences at random points."""

    def compared(self, function: str) -> "subprocess.CompletedProcess[str]":
        """What the check says of `out.py` as it is now."""
        asked = ("import sys; sys.path.insert(0, sys.argv.pop(1))\n"
                 "from pychoral.compared import main\nsys.exit(main(sys.argv[1:]))")
        return subprocess.run([sys.executable, "-c", asked, str(ROOT / "runtime/python"),
                               "out.py", "model.py", function, ""], text=True, timeout=60,
                              capture_output=True, cwd=self.folder)

    def test_right(self) -> None:
        programs = ROOT / "tests/grad/programs"
        for name in ("numbers.py:newton", "values.py:masses", "sequences.py:methods"):
            for option in ("--target=python", "--target=c", "--mode=tangent"):
                done = self.grad(f"{programs / name}", "--check", option)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r"^\w+: \d+ derivatives at 8 points are right;")
        self.assertEqual(list(self.folder.iterdir()), [self.folder / "model.py"])

    def test_wrong(self) -> None:
        self.write("def f(x: float, y: float) -> float:\n    return x * y + x\n")
        done = self.grad("model.py:f", "-q", "-o", "out.py", "--check", "--wrt=x")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.grad("model.py:f", "-q", "-o", "out.py").returncode, 0)
        text = (self.folder / "out.py").read_text()
        self.assertIn("x_ += ", text)
        (self.folder / "out.py").write_text(text.replace("x_ += ", "x_ -= "))
        done = self.compared("f")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"derivatives at 8 points are WRONG; largest relative error "
                         r"\S+: derivative 1 at \(.*\) is .*, finite differences give ")

    def test_arrays(self) -> None:
        self.write(ARRAYS)
        for name, option in (("rows", "--target=python"), ("rows", "--target=c"),
                             ("rows", "--wrt=w"), ("picked", "--target=python"),
                             ("cubes", "--target=c")):
            done = self.grad(f"model.py:{name}", "--check", option)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"^\w+: \d+ derivatives at 8 points are right;")
        self.assertEqual(self.grad("model.py:picked", "--check", "--sparse").returncode, 2)
        self.assertEqual(list(self.folder.iterdir()), [self.folder / "model.py"])

    def test_wrong_arrays(self) -> None:
        self.write(ARRAYS)
        self.assertEqual(self.grad("model.py:cubes", "-q", "-o", "out.py").returncode, 0)
        text = (self.folder / "out.py").read_text()
        self.assertIn("3.0 * ", text)
        (self.folder / "out.py").write_text(text.replace("3.0 * x", "3.0 * x[1:]"))
        self.assertRegex(self.compared("cubes").stdout,
                         r" are WRONG; .* there are \d+ derivatives at .* instead of \d+\n")
        (self.folder / "out.py").write_text(text.replace("3.0 * ", "2.0 * "))
        done = self.compared("cubes")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"derivatives at 8 points are WRONG; largest relative error "
                         r"\S+: derivative \d+ at \(\d, \[.*\]\) is .*, finite differences give ")

    def test_no_point(self) -> None:
        self.write("def f(x: float) -> float:\n    if x < 9.0:\n"
                   "        raise ValueError(\"small\")\n    return x\n")
        done = self.grad("model.py:f", "--check")
        self.assertEqual((done.returncode, done.stdout),
                         (1, "f: the derivative could not be computed at any of 1000 random "
                          "points\n"))
        self.assertEqual(self.grad("model.py:f", "--check", "--mode=cps").returncode, 2)

    def test_slopes_that_rounding_hides(self) -> None:
        self.write("def f(x: float, y: float) -> float:\n    a = 3.0\n"
                   "    if x > -1.9:\n        a = a * 1e15\n    return a * x * x + y * y\n")
        done = self.grad("model.py:f", "--check")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_points_at_which_a_loop_does_not_end(self) -> None:
        self.write("def f(x: float) -> float:\n    while x < 1.0:\n        x = x * 2.0\n"
                   "    return x\n")
        done = self.grad("model.py:f", "--check")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(" points are right; ", done.stdout)


class Types(Command):
    def test_twins(self) -> None:
        """Objects may be None, and so may their twins: the output has its types."""
        shapes = ROOT / "tests/bench/grad/shapes.py"
        self.assertEqual(self.grad(f"{shapes}:products", "-q", "-o", "out.py").returncode, 0)
        done = subprocess.run(["mypy", "--strict", "out.py"], text=True, timeout=120,
                              capture_output=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Helpers(Command):
    """The functions that partials call are in the output, whatever the program calls so."""

    GAMMA = ("import math\n\ndef digamma(n: int) -> int:\n    return n\n\n"
             "def f(x: float) -> float:\n    return math.gamma(x) + 3.0 * math.lgamma(x)\n")

    def test_digamma(self) -> None:
        for text in (self.GAMMA, self.GAMMA.replace("digamma", "other")):
            self.write(text)
            done = self.grad("model.py:f", "-q")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(re.findall(r"def (\w*digamma)", done.stdout), ["digamma"])
            names: dict[str, object] = {}
            exec(done.stdout, names)
            for x, gamma, psi in ((2.5, 1.329340388179137, 0.7031566406452432),
                                  (-0.5, -3.544907701811032, 0.03648997397857652)):
                found = eval(f"f_grad({x})", names)
                self.assertAlmostEqual(found, gamma * psi + 3.0 * psi, delta=1e-13)

    def test_own_digamma(self) -> None:
        self.write("def digamma(n: int) -> int:\n    return n\n\n"
                   "def f(x: float) -> float:\n    return x * digamma(2)\n")
        names: dict[str, object] = {}
        exec(self.grad("model.py:f", "-q").stdout, names)
        self.assertEqual(eval("f_grad(3.0)", names), 2)

    def test_arguments_without_floats(self) -> None:
        """What the function stores into is copied, also where it holds no floats."""
        self.write("from dataclasses import dataclass\n\n\n"
                   "@dataclass\nclass Count:\n    n: int\n\n\n"
                   "def f(x: float, ks: list[int], c: Count) -> float:\n    ks[0] = ks[0] + 1\n"
                   "    ks.append(7)\n    c.n = c.n + 1\n    return x * ks[0] * c.n\n")
        for mode, call in (("reverse", "f_value_and_grad(3.0, ks, c)"),
                           ("tangent", "f_jvp(3.0, ks, c, 1.0)")):
            text = self.grad("model.py:f", "-q", f"--mode={mode}").stdout
            asked = f"ks = [1, 2]\nc = Count(4)\nprint(*map(float, {call}), ks, c.n)\n"
            done = subprocess.run([sys.executable, "-c", text + asked], text=True, timeout=60,
                                  capture_output=True)
            self.assertEqual(done.stdout, "30.0 10.0 [1, 2] 4\n", done.stderr)

    def test_clash(self) -> None:
        self.refused("E0902", self.GAMMA.replace("(x) +", "(x) + digamma(2) +"), 7)
        self.refused("E0902", self.GAMMA.replace("    return m", "    digamma = x\n    return m"
                                                 ).replace("gamma(x)", "gamma(digamma)"), 8)

    def test_c(self) -> None:
        self.write(self.GAMMA)
        self.assertEqual(self.grad("model.py:f", "-q", "-o", "out.c").returncode, 0)
        done = subprocess.run([sys.executable, "-c", "import out\nprint(out.f_grad(2.5))"],
                              text=True, timeout=60, capture_output=True, cwd=self.folder)
        self.assertAlmostEqual(float(done.stdout), 3.0442044436, places=9, msg=done.stderr)


class RefusedInC(Command):
    """The messages name types as the program writes them."""

    def says(self, text: str, *words: str) -> None:
        self.write(text)
        done = self.grad("model.py:f", "--target=c")
        self.assertEqual(done.returncode, 1, done.stdout)
        for word in (*words, "write the derivative in Python"):
            self.assertIn(word, done.stderr)
        self.assertEqual(self.grad("model.py:f").returncode, 0)

    def test_isinstance(self) -> None:
        text = "def f(a: {}) -> float:\n    return a * a if {} else 0.0\n"
        refusal = "does not support `isinstance` with `float` for this value"
        self.says(text.format("float | None", "isinstance(a, float)"), refusal,
                  "to test for `None`, write `is not None`")
        self.write(text.format("float | None", "a is not None"))
        self.assertEqual(self.codes("model.py:f", "--target=c"), [])
        self.says(text.format("float", "isinstance(a, float)"), refusal)

    def test_types(self) -> None:
        text = "def f(a: float, n: {}) -> float:\n    return a * a if {} else a\n"
        for type_, test, words in (
                ("str", "n[0] == 'y'", "this subscript of `str`"),
                ("tuple[int, int]", "n == (1, 2)",
                 "this comparison of `tuple[int, int]` and `tuple[int, int]`"),
                ("int | str", "n == 2", "this comparison of `int | str` and `int`"),
                ("int | str", "n", "the truth value of `int | str`"),
                ("int | None", "n", "the truth value of `int | None`")):
            self.says(text.format(type_, test), words)
        for type_, test in (("int | str", "isinstance(n, int) and n != 0"),
                            ("int | None", "n is not None and n != 0")):
            self.write(text.format(type_, test))
            self.assertEqual(self.codes("model.py:f", "--target=c"), [])


class Refused(Command):
    def says(self, text: str, *words: str) -> None:
        self.write(text)
        done = self.grad("model.py:f")
        self.assertEqual(done.returncode, 1, done.stdout)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stderr.count("error["), 1, done.stderr)

    def test_unpacking(self) -> None:
        for target in ("a, b", "a, *b"):
            self.says(f"def f(xs: list[float]) -> float:\n    {target} = xs\n    return a\n",
                      "unpacking this value cannot be differentiated", "use indices and slices")
        self.says("def f(x: float) -> float:\n    raise ValueError(f'{x}')\n    return x\n",
                  "the message of this exception is not a constant")

    def test_calls_of_classes(self) -> None:
        for body in ("    def __init__(self, x: float) -> None:\n        self.x = x\n\n\n",
                     "    def __init__(self) -> None:\n        self.x = 1.0\n\n\n",
                     "    x: float\n\n\n"):
            given = "x" if "self, x" in body else ""
            self.says(f"class C:\n{body}def f(x: float) -> float:\n    c = C({given})\n"
                      "    c.x = x\n    return c.x\n",
                      "this call of a class cannot be differentiated",
                      "only objects of dataclasses")

    def test_a_method_of_a_float(self) -> None:
        self.write("def f(x: float) -> float:\n    return x * x + float(x.is_integer())\n")
        done = self.grad("model.py:f", "--check")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_primitives_as_values(self) -> None:
        for name in ("sum", "max", "math.prod"):
            self.says("import math\n\n\ndef f(xs: list[float]) -> float:\n"
                      f"    g = {name}\n    return g(xs)\n",
                      f"`{name}` as a value cannot be differentiated")

    def test_calls_with_stars(self) -> None:
        for star in ("*[x]", "**{'x': x}"):
            self.says("def g(x: float) -> float:\n    return x\n\n\n"
                      f"def f(x: float) -> float:\n    return g({star})\n",
                      f"a call with `{star.split('[')[0].split('{')[0]}` cannot be differentiated")

    def test_a_module_variable_without_a_constant(self) -> None:
        for value in ("[1.0, 2.0]", "(1.0, 2.0)"):
            self.write(f"RATES = {value}\n\n\n"
                       "def f(x: float) -> float:\n    return x * RATES[0]\n")
            self.assertIn("the value of the variable `RATES` is not a number, a string or `None`",
                          self.grad("model.py:f").stderr)

    def test_no_such_function(self) -> None:
        self.assertEqual(self.codes("model.py:g"), ["E0901"])

    def test_errors_of_the_program(self) -> None:
        self.assertEqual(self.codes("nowhere.py:f"), ["E0001"])
        self.write("def f(x: float) -> str:\n    return x\n")
        self.assertEqual(self.codes("model.py:f"), ["E0301"])

    def test_no_float(self) -> None:
        self.refused("E0901", "def f(n: int) -> float:\n    return n * 1.5\n", 1)

    def test_result(self) -> None:
        self.refused("E0903", "def f(x: float) -> list[float]:\n    return [x]\n", 1)

    def test_choreography(self) -> None:
        self.write("from pychoral import At, Channel\n\n\n"
                   "def f(ch: Channel[float, A, B], x: At[float, A] = 1.0) -> None:\n"
                   "    print(ch.com(x))\n")
        self.assertEqual(self.codes("model.py:f"), ["E0905"])

    def test_words_in_a_choreography(self) -> None:
        """The help is that of the word."""
        for call, help_ in (("grad(sq, wrt=w)(x)", "write the names of the parameters"),
                            ("vjp(sq, x)", "use `value_and_grad(f)`"),
                            ("[jvp][0](sq, (x,), (x,))", "write `jvp(f, (x,), (t,))`"),
                            ("grad(abs)(x)", "write `grad(g)(x)` with the name of a function"),
                            ("value_and_grad(abs)(x)", "write `value_and_grad(g)(x)` with")):
            (self.folder / "model.pyc").write_text(
                "from pychoral import At, Channel\n"
                "from pychoral.ad import grad, jvp, value_and_grad, vjp\n\n\n"
                "def sq(x: float) -> float:\n    return x * x\n\n\n"
                "def main(ch: Channel[float, A, B], x: At[float, A] = 2.0) -> None:\n"
                f"    w: At[str, A] = 'x'\n    print({call})\n")
            done = subprocess.run([str(COMPILER), "check", "model.pyc"], text=True, timeout=60,
                                  capture_output=True, cwd=self.folder)
            self.assertIn(f"help: {help_}", done.stderr)

    def test_constructs(self) -> None:
        for body in ('d = {"x": x}\n    return d["x"]',
                     "s = {x}\n    return x",
                     "del x\n    return 1.0",
                     "return [x, x][::-2][0]",
                     "global z\n    z = x\n    return x",
                     "return sorted([x, 1.0], key=abs)[0]"):
            self.refused("E0902", "z = 0.0\n\n\ndef g(x: float) -> float:\n    return x\n\n\n"
                         f"def f(x: float) -> float:\n    {body}\n", 9)

    def test_exceptions(self) -> None:
        """What a handler would take and no test in front can tell, `finally`, calls."""
        for body, line in (("y = g(x)\n    except ValueError:\n        y = x", 7),
                           ("y = math.exp(x)\n    except OverflowError:\n        y = x", 7),
                           ("y = math.exp(x)\n    except Exception:\n        y = x", 7),
                           ("y = x\n    finally:\n        x = 2.0", 9),
                           ("y = 1.0 / x\n    except ZeroDivisionError as e:\n"
                            "        y = float(len(str(e)))", 8)):
            self.refused("E0902", "import math\n\ndef g(x: float) -> float:\n    return x\n\n"
                         "def f(x: float) -> float:\n    try:\n        "
                         f"{body}\n    return y\n", line + 1)

    def test_local_functions(self) -> None:
        """Those that are values, or assign what is around them: (text, derivative at 3)."""
        for body, wanted in (("def g() -> None:\n        nonlocal x\n        x = 2.0\n    g()",
                              0.0),
                             ("def g(v: float) -> float:\n        return v * x\n    h = g\n"
                              "    x = h(x)", 6.0),
                             ("for i in range(1, 3):\n        def g() -> float:\n"
                              "            return x * i\n        x = g()", 2.0),
                             ("def g() -> float:\n        return x * w\n    w = x\n    x = g()",
                              6.0),
                             ("g = lambda v: v * x\n    x = g(x)", 6.0)):
            self.write(f"def f(x: float) -> float:\n    {body}\n    return x\n")
            done = self.grad("model.py:f", "-q")
            self.assertEqual(done.returncode, 0, done.stderr)
            names: dict[str, object] = {"__name__": "made"}
            sys.modules["made"] = type(sys)("made")
            exec(done.stdout, names)
            self.assertEqual(eval("f_grad(3.0)", names), wanted, body)

    def test_long_store(self) -> None:
        """The place of a store may take statements of its own: `board[0][0] = "x"`."""
        program = str(ROOT / "tests/regress/c_repeated_display.pyc")
        self.assertEqual(self.grad(f"{program}:run", "--verify").returncode, 1)

    def test_names_that_are_needed(self) -> None:
        self.refused("E0902", "def f(x: float) -> float:\n    len = x\n    return len\n", 1)
        self.refused("E0902", "def max(x: float) -> float:\n    return x\n\n\n"
                     "def f(x: float) -> float:\n    return max(x)\n", 5)
        self.refused("E0902", "import math\n\n\ndef f(x: float) -> float:\n"
                     "    digamma = math.gamma(x)\n    return digamma\n", 5)

    def test_names_of_one_meaning(self) -> None:
        """A derivative takes a module's names as their first text has them."""
        use = "def f(x: float) -> float:\n    return math.sin(x) * max(x, K)\n"
        for after in ("if True:\n    K = 7.0\n", "K += 1.0\n", "for K in (3.0, 4.0):\n    pass\n",
                      "del K\n", "print(K := 3.0)\n", "K = abs(-3.0)\n", "math = K\n",
                      "math.sin = abs\n", "max = min\n", "K[0] = 7.0\n",
                      "K.real.imag = 7.0\n", "K.update(a=7.0)\n",
                      "def g() -> None:\n    global K\n    K = 5.0\n"):
            self.refused("E0902", f"import math\nK = 2.0\n{use}{after}", 4)
        self.write(f"import math\nimport math\nK: float\nK = 2.0\n{use}"
                   "if __name__ == '__main__':\n    for x in [1.0]:\n        print(f(x))\n")
        self.assertEqual(self.grad("model.py:f").returncode, 0)
        self.assertEqual(self.grad("model.py:f", "--mode=reverse-cps").returncode, 0)

    def test_primitives_of_any_number_of_arguments(self) -> None:
        text = "import math\n\n\ndef f(x: float) -> float:\n    "
        self.refused("E0902", f"{text}return x * math.hypot()\n", 5)
        self.refused("E0903", f"{text}return (lambda r: r)(x) if False else x\n", 5)
        self.refused("E0902", f"{text}g = math.hypot\n    return g(x, 1.0)\n", 5)
        self.refused("E0903", f"{text}g = abs\n    return g(x) * [x, x, x][g(-2)]\n", 6)

    def test_functions_of_one_meaning(self) -> None:
        self.refused("E0902", f"{SQUARE}f = abs\n", 1)
        self.refused("E0902", f"import functools\n@functools.cache\n{SQUARE}", 2)
        twice = "def twice(g):\n    return lambda x: 2 * g(x)\n"
        self.write(f"{twice}@twice\n{SQUARE}")
        for mode in ("reverse", "reverse-cps", "forward"):
            self.assertIn("E0902", self.codes("model.py:f", f"--mode={mode}"), mode)
        self.write(f"import numpy as np\n{twice}@twice\n"
                   "def f(xs: np.ndarray) -> float:\n    return np.sum(xs * xs)\n")
        self.assertEqual(self.codes("model.py:f"), ["E0902"])

    def test_variables_without_a_value(self) -> None:
        """Python raises UnboundLocalError; C would read a zero."""
        body = ("if n > 2:\n        y = x\n    return y", "for y in range(n):\n        x *= x\n"
                "    return x * y", "while n > 2:\n        y = x\n        n -= 1\n    return y")
        for text in body:
            self.write(f"def f(x: float, n: int) -> float:\n    {text}\n")
            self.assertEqual(self.codes("model.py:f", "--target=c"), ["E0210"], text)
            self.assertEqual(self.codes("model.py:f"), [])
        self.write("def f(x: float, n: int) -> float:\n    while True:\n        y = x * x\n"
                   "        if n > 2:\n            return y\n        n += 1\n")
        self.assertEqual(self.codes("model.py:f", "--target=c"), [])

    def test_types(self) -> None:
        self.refused("E0903", "from typing import Any\n\n\n"
                     "def f(x: Any) -> float:\n    return x * 2.0\n", 4)
        self.refused("E0903", "def f(x: float, d: dict[str, float]) -> float:\n"
                     "    return x\n", 1)

    def test_arrays_without_a_shape(self) -> None:
        """The one error says how to annotate the array."""
        for annotation in ("NDArray[np.float64]", "np.ndarray", "numpy.typing.NDArray[np.float64]"):
            self.write("import numpy as np\nimport numpy.typing\n"
                       "from numpy.typing import NDArray\n\n\n"
                       f"def f(a: {annotation}, x: float) -> float:\n"
                       "    return float(np.sum(a * a)) * x\n")
            self.assertEqual(self.codes("model.py:f"), ["E0903"], annotation)
            self.assertIn('write `a: Float[Array, "n"]`', self.grad("model.py:f").stderr)

    def test_values(self) -> None:
        """Of tuples: a part that is not known, an order; what is 0 or None."""
        for body in ("return p[n]", "return x if p < (2.0, x) else 1.0", "return x if w else 1.0",
                     "return x if n > 2 and not w else 1.0"):
            self.refused("E0902", "def f(x: float, p: tuple[float, float], n: int, "
                         f"w: float | None) -> float:\n    {body}\n", 2)

    def test_loops_within_loops(self) -> None:
        """Twenty, and then one: CPython parses no more."""
        head = "def f(x: float, n: int) -> float:\n    y = 1.0\n"
        for count in (20, 21):
            loops = "".join(f"{'    ' * (k + 1)}for i{k} in range(n):\n" for k in range(count))
            text = f"{head}{loops}{'    ' * (count + 1)}y = y * x\n    return y\n"
            if count == 20:
                self.write(text)
                names: dict[str, object] = {}
                exec(self.grad("model.py:f").stdout, names)
                self.assertEqual(eval("f_grad(3.0, 1)", names), 1.0)
            else:
                self.refused("E0902", text, 23)
                self.assertEqual(self.grad("model.py:f", "--target=c").returncode, 0)

    def test_many_terms(self) -> None:
        """The time grows with the length: ten thousand terms, as many names, as many arms."""
        for line, last in (("", " + ".join(["x"] * 10000)),
                           ("    a{0} = x * {0}.0\n", " + ".join(f"a{k}" for k in range(10000))),
                           ("    if x > {0}.0:\n        y = y * x\n", "y")):
            body = "".join(line.format(k) for k in range(10000 if "a" in line else 5000))
            self.write(f"def f(x: float) -> float:\n    y = x\n{body}    return {last}\n")
            self.assertEqual(self.grad("model.py:f").returncode, 0)

    def test_tangents(self) -> None:
        self.refused("E0903", "def f(x: float,\n      xs: list[float]) -> float:\n"
                     "    return x * xs[0]\n", 2, "--mode=tangent", "--wrt=x")
        self.refused("E0903", "def f(x: float) -> int:\n    return int(x)\n", 1,
                     "--mode=tangent")

    def test_names_of_the_derivative(self) -> None:
        text = "def f_{0}(x: float) -> float:\n    return x * x\n\n\n" \
               "def f(x: float) -> float:\n    return f_{0}(x)\n"
        self.refused("E0902", text.format("grad"), 1)
        self.refused("E0902", text.format("jvp"), 1, "--mode=tangent")


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
