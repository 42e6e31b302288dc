"""Programs of several modules: the search path, separate compilation, one message for one error."""

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

PROGRAMS = ROOT / "tests/modules"
COMPILER = ROOT / "build/release/pychoralc"

LIB = """\
from pychoral import At, Channel


def ask(ch: Channel[int, A, B], a: At[int, A]) -> At[int, A]:
    return ch.com(ch.com(a) + 1)
"""
MAIN = """\
from pychoral import At, Channel

import lib


def main(ch: Channel[int, P, Q], a: At[int, P] = 1) -> None:
    print(lib.ask(ch, a))
"""

DIFFERS = """\
import os

from pychoral import At, Channel

TABLE: dict[str, str] = {}
TABLE["home"] = os.environ["HOME"]


class Place:
    home = TABLE["home"]


def show(ch: Channel[int, A, B], a: At[int, A]) -> None:
    print(Place.home@A)
    print(ch.com(a))
"""

TIMES = """\
import tide
from pychoral import At, Channel


def when(hour: int) -> str:
    high = tide.High.at(hour)
    if hour > 12:
        print(high.depth)
    return tide.High.at(hour).hour


def main(ch: Channel[str, P, Q], a: At[int, P] = 1) -> None:
    print(ch.com(when(a)))
"""
TIDE = """\
import sys
from typing import TypeVar

T = TypeVar("T", bound="High")

class High:
    if sys.version_info >= (3, 8):
        @classmethod
        def at(cls: type[T], hour: int) -> T: ...
    @property
    def hour(self) -> int: ...
"""


class ModulesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-modules-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def call(self, *arguments: object, status: int = 0) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run([str(COMPILER), *map(str, arguments)], text=True, timeout=60,
                              capture_output=True, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done


class SearchPath(ModulesTest):
    def test_include(self) -> None:
        self.write("a/lib.pyc", LIB.replace("1", "10"))
        self.write("b/lib.pyc", LIB)
        self.write("main.pyc", MAIN)
        self.assertIn("P: 11", self.call("run", "main.pyc", "-I", "a", "--include=b").stdout)
        self.assertIn("P: 2", self.call("run", "main.pyc", "-Ib", "-Ia").stdout)
        self.write("lib.py", LIB.replace("1", "5"))
        self.assertIn("P: 6", self.call("run", "main.pyc", "-I", "a").stdout)
        self.write("lib.pyc", LIB.replace("1", "7"))
        self.assertIn("P: 8", self.call("run", "main.pyc", "-I", "a").stdout)

    def test_typeshed(self) -> None:
        self.write("main.pyc", TIMES)
        self.write("shed/stdlib/tide/__init__.pyi", "from .table import *\n")
        self.write("shed/stdlib/tide/table.pyi", TIDE)
        self.call("check", "main.pyc", "--typeshed=none")
        said = self.call("check", "main.pyc", "--typeshed=shed", "--error-format=short", status=1)
        self.assertEqual(said.stderr.splitlines()[:2],
                         ["main.pyc:8:15: error[E0303]: `tide.table.High` has no attribute `depth`",
                          "main.pyc:9:12: error[E0301]: the result is `str`, but "
                          "`tide.High.at(hour).hour` is `int`"])
        self.write("tide.pyi", "from typing import Any\n\nHigh: Any\n")
        self.call("check", "main.pyc", "--typeshed=shed")
        for folder in ("nowhere", "shed/stdlib"):
            said = self.call("check", "main.pyc", f"--typeshed={folder}", status=3)
            self.assertIn("E0001", said.stderr)

    def test_each_message_once(self) -> None:
        self.write("lib.pyc", LIB.replace("-> At[int, A]", "-> At[int, B]"))
        self.write("main.pyc", MAIN)
        self.write("other.pyc", MAIN)
        done = self.call("check", "main.pyc", "other.pyc", "lib.pyc", "--error-format=short",
                         status=1)
        self.assertEqual(len(re.findall(r"^lib.pyc:5:", done.stderr, re.MULTILINE)), 1, done.stderr)

    def test_one_error_does_not_hide_another_file(self) -> None:
        self.write("lib.pyc", "def ask(:\n")
        self.write("main.pyc", MAIN)
        done = self.call("check", "main.pyc", "--error-format=short", status=1)
        self.assertRegex(done.stderr, r"^lib\.pyc:1:8: error\[E0103\]")

    def test_names_of_generated_modules(self) -> None:
        self.write("src/p.pyc", LIB)
        self.write("src/json.pyc", LIB)
        self.write("src/main.pyc", MAIN.replace("import lib", "import json\nimport p")
                   .replace("lib.ask(ch, a)", "json.ask(ch, p.ask(ch, a))"))
        self.call("src/main.pyc", "-o", "out", "-q")
        names = {path.name for path in (self.folder / "out").glob("*.py")}
        self.assertEqual(names, {"p.py", "p_.py", "q.py", "json_.py"})
        self.assertIn("P: 3", self.call("run", "src/main.pyc").stdout)


class Separate(ModulesTest):
    """What is compiled against an interface is what is compiled against the source."""

    def split(self, program: str) -> None:
        """The modules of a program, compiled to `out`; the main module alone in `app`."""
        source = self.folder / "source"
        shutil.copytree(PROGRAMS / program, source)
        (self.folder / "app").mkdir()
        shutil.copy(source / "main.pyc", self.folder / "app/main.pyc")
        for path in sorted(source.rglob("*.py*")):
            if path.name != "main.pyc":
                self.call(path, "-o", "out", "-q", "-I", source)

    def test_same_programs(self) -> None:
        for program in ("gradients", "library", "roles"):
            with self.subTest(program):
                self.split(program)
                self.call("source/main.pyc", "-o", "whole", "-q")
                self.call("app/main.pyc", "-I", "out", "-o", "apart", "-q")
                for path in sorted((self.folder / "apart").glob("*.py")):
                    self.assertEqual(path.read_text(), (self.folder / "whole" / path.name)
                                     .read_text())
                for path in (self.folder / "whole").glob("*.py"):
                    built = self.folder / ("apart" if "PROGRAM = " in path.read_text() else "out")
                    self.assertEqual(path.read_text(), (built / path.name).read_text())
                for name in ("source", "app", "out", "whole", "apart"):
                    shutil.rmtree(self.folder / name)

    def test_interface_of_a_class(self) -> None:
        """Its docstring comes first, and each role is named once."""
        self.write("lib.pyc", "from typing import Protocol\n\n"
                   "from pychoral import At, Ch2, Channel\n\n\n"
                   "class Base(Ch2[A, B], Protocol):\n"
                   "    def send(self, n: At[int, A]) -> At[int, B]: ...\n\n\n"
                   "class Link(Base[A, B]):\n"
                   "    \"\"\"A channel.\"\"\"\n\n"
                   "    def __init__(self, ch: Channel[int, A, B]) -> None:\n"
                   "        self.ch = ch\n\n"
                   "    def send(self, n: At[int, A]) -> At[int, B]:\n"
                   "        return self.ch.com(n)\n\n\n"
                   "class Again(Link[A, B]):\n"
                   "    def send(self, n: At[int, A]) -> At[int, B]:\n"
                   "        return self.ch.com(n + 1)\n")
        self.call("lib.pyc", "-o", "out", "-q")
        text = (self.folder / "out/lib.chi").read_text()
        self.assertRegex(text, r'class Link\(.*\):\n    """A channel\."""\n\n    ch: ')
        self.assertNotRegex(text, r"@effect\(.*\b(\w+)\b.*\b\1\b")

    def test_an_interface_does_not_need_itself(self) -> None:
        self.write("lib.pyc", LIB)
        self.write("top.pyc", "import lib\n\n\ndef n() -> int:\n    return 1\n")
        self.call("top.pyc", "-o", "out", "-q")
        self.assertNotIn("# needs", (self.folder / "out/lib.chi").read_text())
        self.assertRegex((self.folder / "out/top.chi").read_text(), r"\n# needs lib [0-9a-f]{64}\n")

    def test_same_errors(self) -> None:
        for program in ("effects", "shared"):
            with self.subTest(program):
                self.split(program)
                whole = self.call("check", "source/main.pyc", "--error-format=short", status=1)
                apart = self.call("check", "app/main.pyc", "-I", "out", "--error-format=short",
                                  status=1)
                errors = re.compile(r"main\.pyc:(\S+ error\[E\d+\]: .*)")
                found = errors.findall(whole.stderr)
                self.assertGreaterEqual(len(found), 2)
                self.assertEqual([text[:40] for text in errors.findall(apart.stderr)],
                                 [text[:40] for text in found])
                for name in ("source", "app", "out"):
                    shutil.rmtree(self.folder / name)

    def test_values_that_differ(self) -> None:
        """What a library reads of them is known of its interface, too."""
        self.write("lib.pyc", DIFFERS)
        self.write("main.pyc", MAIN.replace("ch: ", "ch: Channel[int, Q, P], to: ")
                   .replace("print(lib.ask(ch, a))",
                            "lib.show(to, a)\n    lib.show(ch, to.com(a))"))
        self.call("lib.pyc", "-o", "out", "-q")
        (self.folder / "app").mkdir()
        shutil.copy(self.folder / "main.pyc", self.folder / "app")
        texts = re.compile(r"error\[(E\d+)\]: (.*)")
        found = [texts.findall(self.call("check", *at, "--error-format=short", status=1).stderr)
                 for at in (["main.pyc"], ["app/main.pyc", "-I", "out"])]
        self.assertEqual(found[0], found[1])
        self.assertEqual([code for code, _ in found[0]], ["E0408"])
        self.assertIn("`lib.Place.home` may differ", found[0][0][1])

    def test_central_needs_the_source(self) -> None:
        self.split("library")
        done = self.call("app/main.pyc", "-I", "out", "--erase", status=3)
        self.assertIn("the source of `lib`, but only the interface `out/lib.chi`", done.stderr)

    def test_compiled_modules_come_along(self) -> None:
        """The programs find the module that lies beside its interface, or nothing starts."""
        self.write("lib.pyc", LIB)
        main = self.write("app/main.pyc", MAIN)
        self.call("lib.pyc", "-o", "out", "-q")
        (self.folder / "lib.pyc").unlink()
        self.assertIn("P: 2", self.call("run", main, "-I", "out").stdout)
        self.call(main, "-o", "apart", "-I", "out")
        self.assertEqual((self.folder / "apart/lib.py").read_text(),
                         (self.folder / "out/lib.py").read_text())
        self.assertNotIn("lib.py", self.call(main, "-o", "out", "-I", "out").stderr)
        (self.folder / "out/lib.py").write_text(
            re.sub(r"sha256 \w{4}", "sha256 0000", (self.folder / "out/lib.py").read_text(), 1))
        done = self.call("run", main, "-I", "out", status=3)
        self.assertIn("E0222", done.stderr)
        (self.folder / "out/lib.py").unlink()
        self.assertIn("only as the interface", self.call("run", main, "-I", "out", status=3).stderr)
        shutil.rmtree(self.folder / "apart")
        self.call(main, "-o", "apart", "-I", "out")
        self.assertFalse((self.folder / "apart/lib.py").exists())

    def test_stale(self) -> None:
        self.write("base.pyc", LIB)
        self.write("mid.pyc", "from pychoral import At, Channel\nimport base\n\n\n" + LIB.split(
            "\n\n\n")[1].replace("return ch.com(ch.com(a) + 1)", "return base.ask(ch, a)"))
        self.call("mid.pyc", "-o", "out", "-q")
        main = self.write("app/main.pyc", MAIN.replace("lib", "mid"))
        self.call("check", main, "-I", "out")
        self.write("base.pyc", LIB.replace("1", "2"))
        self.call("base.pyc", "-o", "out", "-q")
        done = self.call("check", main, "-I", "out", status=1)
        self.assertIn("error[E0222]: the interface was compiled with another version of `base`",
                      done.stderr)
        self.write("out/mid.chi", "def ask() -> None: ...\n")
        done = self.call("check", main, "-I", "out", status=1)
        self.assertIn("this version of pychoralc cannot read the interface", done.stderr)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
