"""Tracebacks of Python endpoints: lines of the choreography, from `run` and by hand."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
DONE, FAILED = 0, 4

HELPER = '''"""A module."""


def half(n: int) -> int:
    if n < 0:
        raise ValueError(
            "negative"
        )
    return 10 // n
'''
MAIN = """from pychoral import At, Channel
from helper import half


class Broken(Exception):
    pass


def twice(n: int) -> int:
    try:
        return half(n) * 2
    except ArithmeticError as e:
        raise Broken("no half") from e


def main(ch: Channel[int, A, B], n: At[int, A]) -> None:
    m = ch.com(n)
    if m == 1@B:
        print([k for k in [3, 2, 1] if
               twice(k - 1) > 2]@B)
    else:
        print(twice(m))
"""
# How the exception of `half` and that of `twice` are shown, called in line 22 and line 19.
CAUSE = """Traceback (most recent call last):
  File "main.pyc", line 11, in twice
    return half(n) * 2
  File "lib/helper.pyc", line 9, in half
    return 10 // n
ZeroDivisionError: integer division or modulo by zero
"""
BROKEN = """Traceback (most recent call last):
  File "main.pyc", line 22, in main_B
    print(twice(m))
  File "main.pyc", line 13, in twice
    raise Broken("no half") from e
Broken: no half
"""
LOADING = """import os
from pychoral import At, Channel


TABLE = [1, 2, 3]
# one entry, or none
PLACE = TABLE[len(os.environ.get("LONG", ""))]


def main(ch: Channel[int, A, B], n: At[int, A] = 1) -> None:
    print(ch.com(n) + PLACE@B)
"""


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="pychoral-tracebacks-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("lib/helper.pyc", HELPER)
        self.write("main.pyc", MAIN)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")

    def call(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([COMPILER, *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, env={**os.environ, **environment})

    def said_by(self, role: str, text: str) -> str:
        """What a role wrote to standard error under `run`."""
        lines = [line.removeprefix(f"{role}:") for line in text.splitlines()
                 if line.startswith(f"{role}:")]
        return "".join(line.removeprefix(" ") + "\n" for line in lines)


class Run(Case):
    def run_with(self, n: int, **environment: str) -> str:
        done = self.call("run", "-Ilib", "main.pyc", f"--A.n={n}", **environment)
        self.assertEqual(done.returncode, FAILED, done.stderr)
        return self.said_by("B", done.stderr)

    def test_cause_and_module(self) -> None:
        text = self.run_with(0)
        self.assertTrue(text.startswith(CAUSE), text)
        self.assertTrue(text.endswith(BROKEN), text)

    def test_statement_of_several_lines(self) -> None:
        text = self.run_with(1)
        self.assertIn('File "main.pyc", line 19, in main_B\n    print([k for k in', text)
        self.assertIn('File "lib/helper.pyc", line 6, in half\n    raise ValueError(\n',
                      self.run_with(-1))

    def test_in_full(self) -> None:
        text = self.run_with(0, PYCHORAL_TRACEBACK="full")
        self.assertRegex(text, r'File ".*/b\.py", line \d+, in twice')
        self.assertRegex(text, r'File ".*/pychoral/program\.py"')
        self.assertNotIn("main.pyc", text.partition("SOURCES")[0])

    def test_of_another_folder(self) -> None:
        done = subprocess.run([COMPILER, "run", f"-I{self.folder}/lib", f"{self.folder}/main.pyc",
                               "--A.n=0"], capture_output=True, text=True, timeout=120, cwd=ROOT)
        self.assertIn(f'File "{self.folder}/main.pyc", line 11, in twice\n'
                      "B:     return half(n) * 2", done.stderr)


class ByHand(Case):
    def load(self, **environment: str) -> str:
        done = subprocess.run([sys.executable, "out/b.py"], cwd=self.folder, capture_output=True,
                              text=True, timeout=120, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_while_it_loads(self) -> None:
        self.write("main.pyc", LOADING)
        self.assertEqual(self.call("main.pyc", "-o", "out").returncode, DONE)
        self.assertEqual(self.load(LONG="four"), 'Traceback (most recent call last):\n'
                         '  File "main.pyc", line 7, in <module>\n'
                         '    PLACE = TABLE[len(os.environ.get("LONG", ""))]\n'
                         'IndexError: list index out of range\n')

    def test_source_has_changed(self) -> None:
        """A line that may be another one is not shown."""
        self.write("main.pyc", LOADING)
        self.call("main.pyc", "-o", "out")
        self.write("main.pyc", "\n" + LOADING)
        self.assertEqual(self.load(LONG="four").splitlines()[1:],
                         ['  File "main.pyc", line 7, in <module>',
                          "IndexError: list index out of range"])

    def test_source_is_no_file(self) -> None:
        """Nothing waits for a FIFO of that name."""
        self.write("main.pyc", LOADING)
        self.call("main.pyc", "-o", "out")
        (self.folder / "main.pyc").unlink()
        os.mkfifo(self.folder / "main.pyc")
        self.assertEqual(self.load(LONG="four").splitlines()[1:],
                         ['  File "main.pyc", line 7, in <module>',
                          "IndexError: list index out of range"])

    def test_without_lines(self) -> None:
        self.write("main.pyc", LOADING)
        self.call("main.pyc", "-o", "out", "--no-line")
        self.assertNotIn("# lines of", (self.folder / "out/b.py").read_text())
        self.assertRegex(self.load(LONG="four"), r'File ".*out/b\.py", line \d+, in <module>')

    def test_tables_that_are_none(self) -> None:
        """Whatever stands there, the exception is shown."""
        self.write("main.pyc", LOADING)
        self.call("main.pyc", "-o", "out")
        path = self.folder / "out/b.py"
        text = path.read_text()
        for table in ("# 1:99999999 2:3\n", "# x\n", "# 99999999-1:5\n", "# lines of\n", "# \0\n"):
            head = text[:text.index("# lines of")]
            heading = "# lines of main.pyc (sha256 0123456789abcdef):\n"
            path.write_bytes((head + heading + table).replace("\0", "?").encode())
            self.assertIn("IndexError: list index out of range\n", self.load(LONG="four"))


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
