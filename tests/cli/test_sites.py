"""The numbers of messages in what is generated; that both ends agree is looked at by tests/run."""

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

LIB = """\
from pychoral import At, Channel


def ask(ch: Channel[int, A, B], a: At[int, A]) -> At[int, A]:
    got: At[int, B] = ch.com(a)
    return ch.com(got + 1)
"""
MAIN = """\
from pychoral import At, Channel

import lib


def main(ch: Channel[int, P, Q], a: At[int, P] = 1) -> None:
    ch.com(1@Q)
    print(lib.ask(ch, a))
"""
FAILING = """\
from pychoral import At, Channel


def main(ch: Channel[int, P, Q], a: At[int, P] = 0) -> None:
    x: At[int, Q] = ch.com(1 // a)
    print(x)
"""
UNSENDABLE = """\
from pychoral import At, Channel


def main(ch: Channel[str, P, Q], a: At[int, P] = 0xd800) -> None:
    x: At[str, Q] = ch.com(chr(a))
    print(x)
"""


class SitesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-sites-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def call(self, *arguments: str, status: int = 0) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run([str(COMPILER), *arguments], text=True, timeout=60,
                              capture_output=True, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def protocol(self, name: str) -> str:
        found = re.search(r'protocol="([0-9a-f]{64})"', self.read(name))
        assert found is not None
        return found[1]


class Numbers(SitesTest):
    def test_the_waiting_role_names_the_line(self) -> None:
        self.write("t.pyc", FAILING)
        said = self.call("run", "t.pyc", status=4)
        self.assertRegex(said.stderr, r"Q: .*\(t\.pyc:5\)")

    def test_the_central_run_names_the_line(self) -> None:
        """What cannot be sent says where, as it does in the programs of the roles."""
        self.write("t.pyc", UNSENDABLE)
        said = self.call("run", "t.pyc", status=4).stderr
        words = "NotSendable: the value cannot be sent: it is a str with a lone surrogate"
        self.assertRegex(said, rf"P: .*{words}.* \(t\.pyc:5\)")
        for options, place in ((), r" \(t\.pyc:5\)"), (("--no-sites",), ""):
            self.call("t.pyc", "--erase", "-o", "t.py", "-q", "--force", *options)
            done = subprocess.run([sys.executable, "t.py"], text=True, timeout=60,
                                  capture_output=True, cwd=self.folder,
                                  env={"PYTHONPATH": str(ROOT / "runtime/python")})
            self.assertRegex(done.stderr, rf"P: .*{words}[^(]*{place}\n")

    def test_no_sites(self) -> None:
        self.write("t.pyc", FAILING)
        self.call("t.pyc", "-o", "with", "-q")
        self.call("t.pyc", "-o", "without", "-q", "--no-sites")
        self.assertIn('SITES = {\n    1: "t.pyc:5",\n}\n', self.read("with/q.py"))
        for name in ("without/p.py", "without/q.py"):
            self.assertNotRegex(self.read(name), "(?i)site")
        self.assertNotEqual(self.protocol("with/q.py"), self.protocol("without/q.py"))
        said = self.call("run", "t.pyc", "--no-sites", status=4)
        self.assertRegex(said.stderr, r"Q: .*\(q\.py:[0-9]+\)")

    def test_a_name_that_is_no_text(self) -> None:
        self.write('a"\n\\.pyc', FAILING)
        self.call('a"\n\\.pyc', "-o", "out", "-q")
        compile(self.read("out/q.py"), "q.py", "exec")


class Modules(SitesTest):
    def test_a_module_is_the_same_for_all_programs(self) -> None:
        self.write("lib.pyc", LIB)
        self.write("main.pyc", MAIN)
        self.write("other.pyc", MAIN.replace("P", "R").replace("    ch.com(1@Q)\n", ""))
        texts = set()
        for source in ("main.pyc", "other.pyc", "lib.pyc"):
            self.call(source, "-o", f"out-{source}", "-q")
            texts.add(self.read(f"out-{source}/lib.py"))
        self.assertEqual(len(texts), 1)
        first = re.search(r"site=([0-9]+0001)\)", texts.pop())
        assert first is not None
        for name in ("p", "q"):
            table = re.search(r"^SITES = \{\n(.*?)^\}", self.read(f"out-main.pyc/{name}.py"),
                              re.DOTALL | re.MULTILINE)
            assert table is not None
            number = int(first[1])
            self.assertEqual(table[1].split("\n"),
                             ['    1: "main.pyc:7",', f'    {number}: "lib.pyc:5",',
                              f'    {number + 1}: "lib.pyc:6",', ""])

    def test_an_interface_says_the_sites(self) -> None:
        self.write("source/lib.pyc", LIB)
        self.write("main.pyc", MAIN)
        self.call("main.pyc", "-o", "whole", "-q", "-I", "source")
        self.call("source/lib.pyc", "-o", "apart", "-q")
        self.assertRegex(self.read("apart/lib.chi"), r"\n# site [0-9]+0001 lib\.pyc:5\n")
        self.call("main.pyc", "-o", "apart", "-q", "-I", "apart")
        self.assertEqual(self.read("whole/p.py"), self.read("apart/p.py"))
        self.call("source/lib.pyc", "-o", "apart", "-q", "--no-sites")
        self.call("main.pyc", "-o", "apart", "-q", "-I", "apart")
        self.assertNotEqual(self.protocol("whole/p.py"), self.protocol("apart/p.py"))


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
