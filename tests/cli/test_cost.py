"""`check --cost`: counts of programs whose counts are known, and selections nobody needs."""

import json
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
HEAD = """\
from enum import Enum
from pychoral import At, Channel


class Way(Enum):
    L = 1
    R = 2


"""
MAIN = "def main(ch: Channel[object, A, B], a: At[int, A]) -> None:\n"


class CostTest(unittest.TestCase):
    def cost(self, source: str) -> "tuple[dict[str, Any], list[dict[str, Any]]]":
        """The report, and the selections that are not needed."""
        with tempfile.TemporaryDirectory(prefix="pychoral-cost-") as folder:
            path = Path(folder) / "proto.pyc"
            path.write_text(HEAD + source)
            done = subprocess.run([str(COMPILER), "check", "--cost=json", str(path)], text=True,
                                  capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            shown = subprocess.run([str(COMPILER), "check", "--cost", str(path)], text=True,
                                   capture_output=True, timeout=60)
            self.assertEqual(shown.returncode, 0, shown.stderr)
        report, *rest = map(json.loads, done.stdout.splitlines())
        return report, [line["redundant"] for line in rest]

    def total(self, body: str, more: str = "") -> "tuple[int, int | None]":
        """At least and at most how many messages a `main` of this body sends."""
        report, _ = self.cost(more + MAIN + textwrap.indent(textwrap.dedent(body), "    "))
        main = next(f for f in report["functions"] if f["name"] == "main")
        return main["min"], main["max"]

    def test_roles_that_rotate_in_a_recursion(self) -> None:
        """Each pair's count depends on another pair's: the bounds must settle all the same."""
        report, _ = self.cost("""
def turn(xy: Channel[int, X, Y], yz: Channel[int, Y, Z], zx: Channel[int, Z, X],
         n: At[int, X]) -> None:
    if n > 0:
        xy.select(Way.L@X)
        zx.select(Way.L@X)
        turn(yz, zx, xy, xy.com(n - 1))
    else:
        xy.select(Way.R@X)
        zx.select(Way.R@X)
""")
        self.assertEqual((report["functions"][0]["min"], report["functions"][0]["max"]), (2, None))

    def test_inherited_methods(self) -> None:
        """`super()` calls the base's; what is inherited counts with the roles of the base."""
        report, _ = self.cost("""
from pychoral import Ch2

class Base(Ch2[X, Y]):
    def __init__(self, ch: Channel[int, X, Y]) -> None:
        self.ch = ch
    def m(self, x: At[int, X]) -> At[int, Y]:
        return self.ch.com(x)
    def n(self, x: At[int, X]) -> At[int, Y]:
        return self.ch.com(x)

class Derived(Base[Y, X]):
    def m(self, x: At[int, Y]) -> At[int, X]:
        print(super().m(x))
        return super().m(x)

def main(ch: Channel[int, A, B], a: At[int, A]) -> None:
    d = Derived[A, B](ch)
    print(d.m(a))
    print(d.n(a))
""")
        main = next(f for f in report["functions"] if f["name"] == "main")
        self.assertEqual([main["min"], main["max"], main["pairs"]],
                         [3, 3, [{"from": "A", "to": "B", "min": 3, "max": 3}]])
        self.assertTrue(report["exact"])

    def test_a_row_of_messages(self) -> None:
        self.assertEqual(self.total("ch.com(ch.com(ch.com(a)))\n"), (3, 3))

    def test_a_choice(self) -> None:
        self.assertEqual(self.total("""
            if a > 0:
                ch.select(Way.L@A)
                ch.com(a)
                ch.com(a)
            else:
                ch.select(Way.R@A)
            """), (1, 3))

    def test_an_early_return_skips_the_rest(self) -> None:
        self.assertEqual(self.total("""
            if a > 0:
                ch.select(Way.L@A)
                return
            ch.select(Way.R@A)
            ch.com(a)
            ch.com(a)
            """), (1, 3))

    def test_an_arm_that_ends_the_run_is_no_path(self) -> None:
        self.assertEqual(self.total("""
            if a > 0:
                raise ValueError("no")
            ch.com(a)
            """), (1, 1))

    def test_recursion_is_unbounded(self) -> None:
        rally = """
            def rally(ch: Channel[object, A, B], a: At[int, A]) -> None:
                if a > 0:
                    ch.select(Way.L@A)
                    rally(ch, a - 1)
                else:
                    ch.select(Way.R@A)


            """
        self.assertEqual(self.total("rally(ch, a)\nch.com(a)\n", textwrap.dedent(rally)),
                         (2, None))

    def test_calls_with_the_roles_turned(self) -> None:
        report, _ = self.cost(
            "def tell(ch: Channel[object, A, B], a: At[int, A]) -> At[int, B]:\n"
            "    return ch.com(a)\n\n\n" + MAIN +
            "    b: At[int, B] = tell(ch, a)\n    c: At[int, A] = tell[B, A](ch, b)\n")
        main = next(f for f in report["functions"] if f["name"] == "main")
        pairs = {(p["from"], p["to"]): (p["min"], p["max"]) for p in main["pairs"]}
        self.assertEqual(pairs, {("A", "B"): (1, 1), ("B", "A"): (1, 1)})

    def test_methods_and_nested_functions(self) -> None:
        source = """
            class Pair(Ch2[A, B]):
                def __init__(self, ch: Channel[object, A, B]) -> None:
                    self.ch = ch

                def ask(self, a: At[int, A]) -> At[int, B]:
                    return self.ch.com(a)


            """
        self.assertEqual(self.total("""
            def twice(x: At[int, A]) -> At[int, B]:
                ch.com(x)
                return ch.com(x)
            p = Pair[A, B](ch)
            p.ask(a)
            twice(a)
            twice(a)
            """, "from pychoral import Ch2\n" + textwrap.dedent(source)), (5, 5))

    def test_a_selection_that_nobody_needs(self) -> None:
        _, redundant = self.cost(MAIN + """\
    if a > 0:
        ch.select(Way.L@A)
        print("up"@A)
    else:
        ch.select(Way.R@A)
""")
        self.assertEqual([(r["receiver"], len(r["lines"])) for r in redundant], [("B", 2)])

    def test_several_modules(self) -> None:
        """Names have their module in front, lines are those of their file."""
        waste = textwrap.dedent("""
            def waste(ch: Channel[object, X, Y], x: At[int, X]) -> None:
                if x > LIMIT:
                    ch.select(Way.L@X)
                    print("up", x)
                else:
                    ch.select(Way.R@X)
            """)
        main = ("import lib\nfrom pychoral import At, Channel\n\n\n" + MAIN
                + "    lib.waste(ch, a)\n    ch.com(a)\n")
        with tempfile.TemporaryDirectory(prefix="pychoral-cost-") as name:
            folder = Path(name)
            (folder / "lib.py").write_text(HEAD + "LIMIT = 3\n" + waste)
            (folder / "main.pyc").write_text(main)

            def call(*arguments: str) -> "tuple[str, str]":
                done = subprocess.run([str(COMPILER), *arguments], text=True, cwd=folder,
                                      capture_output=True, timeout=60)
                self.assertEqual(done.returncode, 0, done.stderr)
                return done.stdout, done.stderr

            text = call("check", "--cost", "main.pyc")[0]
            report, spare = map(json.loads, call("check", "--cost=json", "main.pyc")[0]
                                .splitlines())
            call("lib.py", "-o", "out")
            (folder / "lib.py").unlink()
            beyond = json.loads(call("check", "--cost=json", "main.pyc", "-I", "out")[0])
        self.assertIn("lib.waste(X, Y) in lib.py: 1 message\n", text)
        self.assertRegex(text, r"(?m)^  line 13 +X decides +1$")
        self.assertRegex(text, r"(?m)^  line 13 +if `x > LIMIT` +1$")
        self.assertRegex(text, r"(?m)^main\(A, B\) in main.pyc: 2 messages$")
        self.assertRegex(text, r"(?m)^  line 6 +call of `lib.waste` +1$")
        self.assertIn("not needed: the selection for Y in lib.py, line 14 and 17\n", text)
        self.assertEqual([(f["name"], f["file"], f["line"]) for f in report["functions"]],
                         [("lib.waste", "lib.py", 12), ("main", "main.pyc", 5)])
        self.assertEqual(spare["redundant"], {"receiver": "Y", "file": "lib.py",
                                              "lines": [14, 17]})
        # An interface does not say how much.
        self.assertEqual([(f["name"], f["min"], f["max"]) for f in beyond["functions"]],
                         [("main", 1, None)])
        self.assertFalse(beyond["exact"])

    def test_a_selection_that_is_needed(self) -> None:
        _, redundant = self.cost(MAIN + """\
    if a > 0:
        ch.select(Way.L@A)
        print("up"@B)
    else:
        ch.select(Way.R@A)
""")
        self.assertEqual(redundant, [])


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
