"""Roles as threads, the central run, and channels over memory links."""

import enum
import io
import json
import subprocess
import sys
import unittest
from typing import Any
from unittest import mock

from programs import RUNTIME, folder, text
from pychoral import central, harness, local, options
from pychoral.errors import UsageError


class Harness(unittest.TestCase):
    def setUp(self) -> None:
        context = folder()
        self.folder = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def run_roles(
        self, given: dict[str, str], stdin: dict[str, str] = {}, timeout: float = 20
    ) -> dict:
        programs = harness.load(self.folder.path)
        self.assertEqual([each.role for each in programs], ["Buyer", "Seller"])
        try:
            return harness.run_threads(programs, given, stdin, timeout)
        finally:
            harness.unload(programs)

    def test_outputs_by_role(self) -> None:
        for _ in range(20):
            outcomes = self.run_roles({"Buyer.item": "a book", "Seller.stock": "5"})
            self.assertEqual(
                outcomes,
                {
                    "Buyer": (
                        "offered Offer(item='a book', price=10.0)\n=> 'code a book'\n",
                        0,
                        "",
                    ),
                    "Seller": ("asked for a book\n=> 4\n", 0, ""),
                },
            )

    def test_modules_are_forgotten(self) -> None:
        before = set(sys.modules)
        self.run_roles({"Buyer.item": "x"})
        self.assertEqual({name for name in set(sys.modules) - before if "program_" in name}, set())

    def test_inputs_by_role(self) -> None:
        body = (
            "import sys\ndef main(ch, *rest):\n    print(input('? ').upper())\n"
            "    sys.stdout.buffer.write(b'raw\\n')\n    return sys.stdin.read(), 1\n"
        )
        self.folder.write(
            text("Buyer", body), text("Seller", "\ndef main(*rest):\n    return 1, input()\n")
        )
        outcomes = self.run_roles({"Buyer.item": "x"}, {"Buyer": "one\ntwo\n", "Seller": "three\n"})
        self.assertEqual(outcomes["Buyer"].stdout, "? ONE\nraw\n=> 'two\\n'\n")
        self.assertEqual(outcomes["Seller"].stdout, "=> 'three'\n")

    def test_errors(self) -> None:
        self.folder.write(seller=text("Seller", "\ndef main(*rest):\n    raise ValueError('no')\n"))
        outcomes = self.run_roles({"Buyer.item": "x"})
        self.assertEqual(outcomes["Seller"].status, 1)
        self.assertIn("ValueError: no", outcomes["Seller"].stderr)
        self.assertEqual(outcomes["Buyer"].status, 75)
        self.assertIn("Seller stopped: ValueError: no", outcomes["Buyer"].stderr)

    def test_a_role_that_never_ends_is_stopped(self) -> None:
        self.folder.write(
            seller=text("Seller", "\ndef main(*rest):\n    while True:\n        pass\n")
        )
        outcomes = self.run_roles({"Buyer.item": "x"}, timeout=0.2)
        self.assertEqual(outcomes["Seller"].status, harness.EXIT_TIMED_OUT)
        self.assertEqual(outcomes["Buyer"].status, 75)

    def test_a_missing_option(self) -> None:
        outcomes = self.run_roles({}, timeout=0.2)
        self.assertEqual(outcomes["Buyer"].status, 2)

    def test_command_line(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "pychoral.harness", str(self.folder.path), "--Buyer.item", "x"],
            capture_output=True, text=True,
            env={"PYTHONPATH": str(RUNTIME), "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["Seller"]["stdout"], "asked for x\n=> 2\n")


class CentralRun(unittest.TestCase):
    def run_central(
        self, body: Any, words: list[str] = [], results: Any = {}
    ) -> tuple[int, str, str]:
        self.central = central.Central(roles=("A", "B"), source="deal.pyc")
        parameters = (
            central.channel("ch", "A", "B"),
            central.option("n", int, default=1, role="A"),
            central.option("n", int, default=2, role="B"),
        )
        out, err = io.StringIO(), io.StringIO()
        with mock.patch("sys.stdout", out), mock.patch("sys.stderr", err):
            status = self.central.execute(body, parameters, results, words)
        return status, out.getvalue(), err.getvalue()

    def test_streams_and_results(self) -> None:
        def main(ch: Any, n: int, m: int) -> Any:
            by = self.central.by
            by("A", print)("partial", end=" ")
            by("B", print)("whole", n, m)
            by(("A", "B"), print)("both")
            print("all")
            by("B", print)("cut", end="")
            return ch.com([n], expect=list[float]), m

        done = self.run_central(main, ["--A.n=7", "--B.n", "-8"], {"A": (True, False), "B": "here"})
        self.assertEqual(
            done,
            (
                0,
                "B: whole 7 -8\nA: partial both\nB: both\nA: all\nB: all\nA: => [7.0]\n"
                "B: cut=> ([7.0], -8)\n",
                "",
            ),
        )

    def test_com_copies_and_narrow_copies(self) -> None:
        def main(ch: Any, n: int, m: int) -> None:
            row = [0]
            received = ch.com([row, row])
            received[0][0] = 1
            narrowed = central.narrow(row)
            narrowed.append(2)
            self.assertEqual((row, received), ([0], [[1], [0]]))
            self.assertIs(ch.select(Label.L), Label.L)

        self.assertEqual(self.run_central(main), (0, "", ""))

    def test_the_role_at_fault_says_so(self) -> None:
        def fail() -> None:
            raise ValueError("bad")

        done = self.run_central(lambda ch, n, m: self.central.at("B", fail))
        self.assertEqual((done[0], done[1]), (1, ""))
        self.assertTrue(all(line.startswith("B: ") for line in done[2].splitlines()))
        self.assertIn("B: ValueError: bad\n", done[2])
        self.assertNotIn("central.py", done[2])
        done = self.run_central(lambda ch, n, m: ch.com(print, sender="A"))
        self.assertIn("A: pychoral.errors.NotSendable", done[2])

    def test_sys_exit(self) -> None:
        done = self.run_central(lambda ch, n, m: self.central.at("A", sys.exit, "over"))
        self.assertEqual(done, (1, "", "A: over\n"))
        self.assertEqual(self.run_central(lambda ch, n, m: sys.exit(3))[0], 3)

    def test_inputs(self) -> None:
        with folder() as place:
            for role in "AB":
                (place.path / role).write_text(f"of {role}\nmore\n")
            words = [f"--{role}.stdin={place.path / role}" for role in "AB"]
            done = self.run_central(
                lambda ch, n, m: (self.central.at("B", input), self.central.at("A", input)),
                words, {"A": "here"},
            )  # fmt: skip
        self.assertEqual(done[:2], (0, "A: => ('of B', 'of A')\n"))

    def test_usage(self) -> None:
        self.assertEqual(self.run_central(print, ["--A.x=1"])[0], 2)
        self.assertEqual(self.run_central(print, ["--A.stdin=/no/such"])[0], 2)
        self.assertIn("--B.n VALUE", self.run_central(print, ["--help"])[1])


class Label(enum.Enum):
    L = 1


class OptionValues(unittest.TestCase):
    def test_values(self) -> None:
        for given, expect, wanted in [
            ("-5", int, -5), ("1_000", int, 1000), ("1e3", float, 1000.0), ("3", float, 3.0),
            ("", str, ""),
            ("None", str, "None"), ("True", bool, True), ("no", bool, False),
            ("b'\\xff'", bytes, b"\xff"),
            ("é", bytes, "é".encode()), ("L", Label, Label.L), ("None", int | None, None),
            ("5", int | None, 5),
            ("5", str | int, 5), ("five", str | int, "five"), ("[1, 2]", list[int], [1, 2]),
            ("[1, 2]", list[float], [1.0, 2.0]), ("(1, 'a')", tuple[int, str], (1, "a")),
            ("{'a': [1]}", dict[str, list[int]], {"a": [1]}), ("['L']", list[Label], [Label.L]),
            ("{1, 2}", set[int], {1, 2}), ("x", object, "x"), ("[1]", object, [1]),
        ]:  # fmt: skip
            with self.subTest(given=given, expect=expect):
                value = options.value_of(given, expect, "--x")
                self.assertEqual(repr(value), repr(wanted))

    def test_refusals(self) -> None:
        for given, expect in [
            ("five", int), ("x", float), ("maybe", bool), ("M", Label), ("[1, 'a']", list[int]),
            ("1", list[int]),
            ("(1,)", tuple[int, str]), ("__import__('os')", list[int]), ("[" * 10_000, list[int]),
            ("9" * 5000, int), ("{}", set[int]), ("x", int | None),
        ]:  # fmt: skip
            with self.subTest(given=given[:20], expect=expect), self.assertRaises(UsageError):
                options.value_of(given, expect, "--x")


class ResultLines(unittest.TestCase):
    def test_parts(self) -> None:
        self.assertEqual(local.result_line("a", "here"), "=> 'a'")
        self.assertEqual(local.result_line("a", "absent"), "")
        self.assertEqual(local.result_line((1, 2, 3), (True, False, True)), "=> (1, 3)")
        self.assertEqual(local.result_line((1, 2), (False, True)), "=> 2")
        self.assertEqual(local.result_line(None, (False, False)), "")


if __name__ == "__main__":
    sys.exit(unittest.main())
