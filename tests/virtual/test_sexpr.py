"""samples/virtual/sexpr: programs that are written down as s-expressions, read by the compiler."""

import contextlib
import io
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from pychoral.virtual import VirtualizationError, convert
from pychoral.virtual.compiler import find_compiler

sys.path.insert(0, str(Path(__file__).parents[2] / "samples/virtual"))

from sexpr import layers, overloads, programs  # type: ignore[import]
from sexpr.terms import Rep, constant, form, listed, module, name, traced  # type: ignore[import]


def parsed(text: str, *options: str) -> "subprocess.CompletedProcess[str]":
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "terms.ir")
        file.write_text(text)
        return subprocess.run(
            [find_compiler(), "parse", *options, file], capture_output=True, text=True
        )


def read_back(text: str) -> "subprocess.CompletedProcess[str]":
    return parsed(text, "--from-ir")


def one_line(text: str) -> str:
    """Without the layout between terms; strings stay."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    parts[::2] = [re.sub(r"\s+", " ", part) for part in parts[::2]]
    return "".join(parts).replace("[ ", "[").strip()


class Network(unittest.TestCase):
    def written(self, activate_func: Any) -> str:
        forward = convert(programs.Net.forward, overloads)
        net = programs.Net(activate_func)
        return str(traced(lambda x: forward(net, x), "forward", ["x"]))

    def test_by_itself(self) -> None:
        rows = [[1.0, 2.0], [3.0, 4.0]]
        for activation in (1, 2):
            net = programs.Net(activation)
            converted = convert(programs.Net.forward, overloads)
            self.assertEqual(converted(net, rows), net.forward(rows))

    def test_the_dead_branch_is_absent_where_the_test_is_known(self) -> None:
        known, other, staged = self.written(1), self.written(2), self.written(Rep(name("args")))
        self.assertEqual(("relu" in known, "tanh" in known), (True, False))
        self.assertEqual(("relu" in other, "tanh" in other), (False, True))
        self.assertEqual(("relu" in staged, "tanh" in staged), (True, True))
        self.assertEqual(["(If" in text for text in (known, other, staged)], [False, False, True])

    def test_the_compiler_reads_them(self) -> None:
        text = module([self.written(1), self.written(Rep(name("args")))])
        done = read_back(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(one_line(done.stdout), one_line(text))

    def test_the_order_of_the_calls(self) -> None:
        calls = re.findall(r"\(Call @0:0 \(Name @0:0 (\w+)", self.written(1))
        self.assertEqual(calls, ["view", "linear", "relu", "linear", "log_softmax"])


class Control(unittest.TestCase):
    def test_a_loop(self) -> None:
        power = convert(programs.power, overloads)
        unrolled = traced(lambda x: power(x, 3), "cube", ["x"])
        self.assertEqual((unrolled.count("Mult"), "(For" in unrolled), (3, False))
        staged = traced(power, "power", ["x", "n"])
        self.assertEqual((staged.count("Mult"), staged.count("(For")), (1, 1))
        done = read_back(module([unrolled, staged]))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(power(2, 10), 1024)

    def test_a_jump_out_of_a_staged_loop(self) -> None:
        def early(n: Any) -> Any:
            for i in range(n):
                return i

        with self.assertRaisesRegex(VirtualizationError, "left by a jump"):
            traced(convert(early, overloads), "early", ["n"])

    def test_figure_9(self) -> None:
        """`print` writes down what is staged, and prints what is known."""
        foo = convert(programs.foo, overloads)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            staged = traced(foo, "foo", ["c"])
            self.assertEqual(printed.getvalue(), "")
            foo(True)
        self.assertEqual(printed.getvalue(), "2\n")
        self.assertLess(staged.index("(If"), staged.index("print"))

    def test_a_known_value_is_staged_by_rep(self) -> None:
        def hello() -> None:
            print(overloads.rep("this is staged"))
            print("this is not")

        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            staged = traced(convert(hello, overloads), "hello", [])
        self.assertEqual(printed.getvalue(), "this is not\n")
        self.assertIn('(str "this is staged")', staged)


class Terms(unittest.TestCase):
    """10,000 terms, read and printed by the compiler, are equal."""

    def expression(self, r: random.Random, depth: int) -> str:
        if depth == 0:
            texts = ["", "a\nb", 'q"\\', "é☃"]
            values = [r.randrange(1000), r.random(), None, True, r.choice(texts)]
            return r.choice([name(r.choice("xyz")), constant(r.choice(values))])
        inner = [self.expression(r, depth - 1) for _ in range(3)]
        return str(r.choice([
            form("BinOp", inner[0], r.choice(["Add", "Mult", "MatMult", "Pow"]), inner[1]),
            form("Compare", inner[0], "[Lt Is]", listed(inner[1:])),
            form("Call", inner[0], listed(inner[1:]), listed([form("Keyword", "k", inner[2])])),
            form("IfExp", *inner), form("List", listed(inner), "Load"),
            form("UnaryOp", "Not", inner[0]), form("Attribute", inner[0], "a", "Load"),
        ]))  # fmt: skip

    def test_round_trip(self) -> None:
        r = random.Random(1)
        terms = [form("Expr", self.expression(r, r.randrange(4))) for _ in range(10_000)]
        text = module(terms)
        done = read_back(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(one_line(done.stdout) == one_line(text))

    def test_as_python(self) -> None:
        """The text that `--python` prints has the tree."""
        r = random.Random(2)
        terms = [form("Expr", self.expression(r, r.randrange(4))) for _ in range(1_000)]
        done = parsed(module(terms), "--from-ir", "--python")
        self.assertEqual(done.returncode, 0, done.stderr)
        again = parsed(done.stdout, "--ir")
        placeless = re.sub(r"@\d+:\d+", "@0:0", again.stdout)
        self.assertTrue(one_line(placeless) == one_line(module(terms)))

    def test_what_no_python_text_has(self) -> None:
        bodiless = form("FunctionDef", "f", "(Arguments [] [] nil [] [] nil [])", "[]", "[]",
                        "nil", "[]")
        negative = form("Expr", constant(-3))
        internal = form("Expr", form("Unit", "[]"))
        keyword = form("Expr", name("while"))
        for term in (bodiless, negative, internal, keyword):
            text = module([term])
            self.assertEqual(read_back(text).returncode, 0, text)
            done = parsed(text, "--from-ir", "--python")
            self.assertEqual((done.returncode, done.stdout), (1, ""), text)
            self.assertIn("is not a valid tree", done.stderr)

    def test_what_is_not_a_tree(self) -> None:
        for text in ("", "(", "(Module", "(Nothing)", "(Module [(Name @0:0 x)])", "x = 1", "\0"):
            done = read_back(text)
            self.assertEqual(done.returncode, 1, text)
            self.assertIn("is not a valid tree", done.stderr)


if __name__ == "__main__":
    unittest.main()
