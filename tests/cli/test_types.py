"""The type tables in what is generated; that all roles agree is looked at by tests/run."""

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

CLASSES = """\
import json
import sys
from abc import ABC
from dataclasses import dataclass
from enum import Enum, Flag
from pychoral import At, Ch1, Channel

if sys.version_info >= (3, 8):
    class New(Enum):
        X = 1
else:
    class New(Enum):
        X = 2

if sys.version_info < (3, 0):
    class Perhaps(Enum):
        X = 1

class Branch(Ch1[A], Enum):
    L = 1

class Base(ABC):
    class Kind(Flag):
        A = 1

class Derived(Base):
    pass

class Failure(Exception):
    pass

@dataclass(frozen=True)
class Point:
    x: int

@dataclass(frozen=True)
class Dot(Point):
    y: int

Made = Enum("Made", "RED GREEN")

class Gone(Enum):
    X = 1
del Gone

def local() -> object:
    class Inside(Enum):
        X = 1
    return Inside.X

def only_a() -> int:
    return Dot(1, 2).y

def main(ch: Channel[object, A, B]) -> None:
    @dataclass
    class Here:
        n: int
    print(ch.com(Here(only_a()@A)))
    p: At[Point, A] = ch.com(Point(1)@B)
    ch.select(Branch.L@A)
"""
LIB = """\
from dataclasses import dataclass
from http import HTTPStatus
from pychoral import At, Channel

@dataclass
class Answer:
    status: HTTPStatus

def ask(ch: Channel[object, A, B], a: At[int, A]) -> At[bool, B]:
    answer: At[Answer, B] = ch.com(Answer(HTTPStatus.OK)@A)
    return answer.status == HTTPStatus.OK
"""
MAIN = """\
from pychoral import At, Channel

import lib

def main(ch: Channel[object, P, Q], a: At[int, P] = 1) -> None:
    print(lib.ask(ch, a))
"""


class TypesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-types-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def call(self, *arguments: str) -> str:
        done = subprocess.run([str(COMPILER), *arguments], text=True, timeout=60,
                              capture_output=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def table(self, name: str) -> list[str]:
        text = (self.folder / name).read_text(encoding="utf-8")
        found = re.search(r"^ +types=\((.*?)\),$", text, re.DOTALL | re.MULTILINE)
        return re.split(r",\s*", found[1].strip().rstrip(",")) if found else []

    def test_the_same_places_for_all_roles(self) -> None:
        self.write("t.pyc", CLASSES)
        self.call("t.pyc", "-o", "out", "-q")
        self.call("t.pyc", "--erase", "-o", "central.py", "-q")
        whole = self.table("central.py")
        self.assertEqual(sorted(whole), ["Base.Kind", "Branch", "Dot", "Here", "Made", "New",
                                         "Point"])
        for role in ("a", "b"):
            own = self.table(f"out/{role}.py")
            self.assertEqual([name for name, mine in zip(whole, own) if mine not in (name, "None")],
                             [])
            self.assertLessEqual({"Branch", "Point", "Here"}, set(own))
            self.assertNotIn("Made", own)
            self.assertEqual("Dot" in own, role == "a")     # only A receives a Point
        self.assertIn("B: Here(n=2)", self.call("run", "t.pyc"))

    def test_without_classes_there_is_no_table(self) -> None:
        self.write("t.pyc", MAIN.replace("import lib\n", "").replace("lib.ask(ch, a)", "ch.com(a)"))
        self.call("t.pyc", "-o", "out", "-q")
        self.assertNotIn("types", (self.folder / "out/p.py").read_text(encoding="utf-8"))

    def test_classes_of_modules(self) -> None:
        self.write("source/lib.pyc", LIB)
        self.write("main.pyc", MAIN)
        self.call("main.pyc", "-o", "whole", "-q", "-I", "source")
        self.assertEqual(self.table("whole/q.py"), ["lib.Answer", "HTTPStatus"])
        self.call("source/lib.pyc", "-o", "apart", "-q")
        self.call("main.pyc", "-o", "apart", "-q", "-I", "apart")
        for name in ("p.py", "q.py"):
            self.assertEqual((self.folder / "whole" / name).read_text(encoding="utf-8"),
                             (self.folder / "apart" / name).read_text(encoding="utf-8"))
        self.assertIn("Q: True", self.call("run", "main.pyc", "-I", "apart"))

    def test_a_long_table_is_broken(self) -> None:
        names = [f"AnEnumWithALongName{i}" for i in range(8)]
        enums = "".join(f"class {name}(Enum):\n    X = 1\n\n" for name in names)
        self.write("t.pyc", "from enum import Enum\nfrom pychoral import At, Channel\n\n" + enums
                   + f"def choose() -> object:\n    return [{'.X, '.join(names)}.X]\n\n"
                   + "def main(ch: Channel[object, A, B]) -> None:\n"
                   + "    print(ch.com(choose()@A))\n")
        self.call("t.pyc", "-o", "out", "-q")
        text = (self.folder / "out/b.py").read_text(encoding="utf-8")
        self.assertEqual(self.table("out/b.py"), names)
        self.assertLess(max(map(len, text.split("\n"))), 110)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
