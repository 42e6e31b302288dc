"""tests/step, tests/times and the choice of a tenth: what is recorded and what is said of it."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from runner.choice import tenth     # noqa: E402
from runner.marks import Test       # noqa: E402


def load(name: str) -> ModuleType:
    """A program of tests/ as a module."""
    loader = importlib.machinery.SourceFileLoader(f"tests_{name}", str(HERE.parent / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


class Steps(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.rows = self.folder / "steps"

    def step(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([HERE.parent / "step", *words], text=True, capture_output=True,
                              env=dict(os.environ, STEPS=str(self.rows), **environment))

    def program(self, text: str) -> str:
        path = self.folder / "tests/probe.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return f"sh {path}"

    def row(self) -> "list[str]":
        name, _, _, *rest = self.rows.read_text().rstrip("\n").split("\t")
        return [name, *rest]

    def test_cases_are_counted(self) -> None:
        command = self.program("echo 3 passed, 0 failed; echo 4 passed, 0 failed")
        done = self.step("check-x", "-c", command, STEP_PREFIX="gcc/")
        self.assertEqual(done.stdout, "3 passed, 0 failed\n4 passed, 0 failed\n")
        self.assertEqual(self.row(), ["gcc/check-x/probe", "7", "0", "0"])

    def test_summary_of_check(self) -> None:
        text = "echo '80%: Checks: 5, Failures: 1, Errors: 0'"
        self.step("check-x", "-c", self.program(text))
        self.assertEqual(self.row(), ["check-x/probe", "4", "1", "0"])

    def test_failure_says_how_to_repeat_it(self) -> None:
        command = self.program("exit 3")
        done = self.step("check-x", "-c", command)
        self.assertEqual((done.returncode, done.stdout),
                         (3, f"FAILED check-x/probe; to repeat it: {command}\n"))
        self.assertEqual(self.row(), ["check-x/probe", "0", "1", "3"])

    def test_what_is_no_test_is_no_step(self) -> None:
        self.assertEqual(self.step("check-x", "-c", "echo said; exit 2").returncode, 2)
        self.assertFalse(self.rows.exists())

    def test_make_is_not_seen(self) -> None:
        command = self.program('echo "$MAKEFLAGS,$MAKELEVEL"')
        done = self.step("check-x", "-c", command, MAKEFLAGS="-k", MAKELEVEL="1")
        self.assertEqual(done.stdout, ",\n")

    def test_any_command(self) -> None:
        self.step("--as", "ci/build", "echo", "a b")
        self.assertEqual(self.row(), ["ci/build", "1", "0", "0"])

    def times(self, *rows: str) -> "subprocess.CompletedProcess[str]":
        self.rows.write_text("".join(row.replace(" ", "\t") + "\n" for row in rows))
        budget = self.folder / "budget"
        budget.write_text('STEP("a/x", 10)\nSTEP("a/y",  10)\n')
        return subprocess.run([sys.executable, HERE.parent / "times", "--budget", str(budget),
                               str(self.rows)], text=True, capture_output=True)

    def test_over_budget_is_named_and_no_failure(self) -> None:
        done = self.times("a/x 3.0 8.0 1 0 0", "a/x 3.0 8.0 1 0 0", "a/y 9.0 14.0 5 0 0",
                          "a/z 1.0 9.0 1 0 0", "a/short 1.0 1.0 1 0 0",
                          "gcc-release/a/x 1.0 99.0 1 0 0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-3:], [
            "a/x took 16 s of CPU, more than 1.5 times its 10 s in tests/budget.def",
            "a/z took 9 s of CPU and has no row in tests/budget.def", "10 passed, 0 failed"])

    def test_failed_steps_are_named(self) -> None:
        done = self.times("a/x 3.0 8.0 4 1 1", "a/y 9.0 14.0 5 0 0")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-2:], ["FAILED a/x", "9 passed, 1 failed"])

    def test_nothing_run_is_a_failure(self) -> None:
        self.assertEqual(self.times().returncode, 1)


class Choice(unittest.TestCase):
    def test_a_tenth(self) -> None:
        folder = HERE.parent
        tests = [Test(folder / place, folder / place) for place in
                 [f"programs/p{number}.pyc" for number in range(30)]
                 + ["regress/c_attribute_kept.pyc", "check/types_differ.pyc",
                    "modules/far/main.pyc"]]
        root = folder.parent
        files = {root / "compiler/emit/c/c_attribute.c", tests[7].path}
        chosen = tenth(tests, files)
        self.assertEqual([test.path.name for test in chosen[:2]],
                         ["p7.pyc", "c_attribute_kept.pyc"])
        self.assertEqual(len(chosen), 3)
        self.assertEqual(len(tenth(tests, {test.path for test in tests})), len(tests))


if __name__ == "__main__":
    unittest.main()
