"""`pychoralc run --show`: messages in the order in which they happen; who waits when no role goes
on."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"

VALUES = """\
from dataclasses import dataclass
from enum import Enum
from pychoral import At, Channel


class Way(Enum):
    L = 1
    R = 2


@dataclass
class Card:
    name: str
    tags: list[int]

    def __repr__(self) -> str:
        raise ValueError("nobody asked")


def main(ab: Channel[object, A, B], bc: Channel[object, B, C]) -> None:
    x: At[str, B] = ab.com("tab\\there, line\\nthere"@A)
    y: At[str, C] = bc.com(x + "x" * 500)
    ab.select(Way.R@A)
    card: At[Card, B] = ab.com(Card("ace", [1, 2, 3, 4, 5, 6, 7, 8])@A)
    both: At[int, B, C] = bc.share(7@C)
    print(both)
"""
PING = """\
from pychoral import At, Channel


def main(ab: Channel[int, A, B], bc: Channel[int, B, C]) -> None:
    x: At[int, A] = 0@A
    for i in range(50):
        y: At[int, B] = ab.com(x)
        z: At[int, C] = bc.com(y)
        w: At[int, B] = bc.com(z + 1)
        x = ab.com(w)
"""
SLOW = """\
import time
from pychoral import At, Channel


def main(ch: Channel[int, A, B]) -> None:
    x: At[int, B] = ch.com(1@A)
    y: At[int, A] = ch.com(x)
    print(y)
"""


class ShowTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-show-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_program(self, text: str, *options: str) -> list[str]:
        (self.folder / "t.pyc").write_text(text, encoding="utf-8")
        done = subprocess.run([str(COMPILER), "run", "t.pyc", *options], text=True, timeout=60,
                              capture_output=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.splitlines()


class Messages(ShowTest):
    def test_values(self) -> None:
        lines = self.run_program(VALUES, "--show", "--color=never")
        self.assertCountEqual([line for line in lines if "->" in line], [
            "A -> B  com t.pyc:21  'tab\\there, line\\nthere'",
            "B -> C  com t.pyc:22  'tab\\there, line\\nthere" + "x" * 40 + "'... (520 long)",
            "A -> B  select t.pyc:23  Way.R",
            "A -> B  com t.pyc:24  Card(name='ace', tags=[1, 2, 3, 4, 5, 6, ... (8 in all)])",
            "C -> B  share t.pyc:25  7"])
        self.assertEqual(sorted(line for line in lines if "->" not in line), ["B: 7", "C: 7"])

    def test_without_it_nothing_is_shown(self) -> None:
        self.assertEqual(sorted(self.run_program(VALUES)), ["B: 7", "C: 7"])

    def test_no_message_comes_before_one_that_it_depends_on(self) -> None:
        lines = self.run_program(PING, "--show")
        self.assertEqual(lines, [
            line for i in range(50) for line in (
                f"A -> B  com t.pyc:7  {i}", f"B -> C  com t.pyc:8  {i}",
                f"C -> B  com t.pyc:9  {i + 1}", f"B -> A  com t.pyc:10  {i + 1}")])

    def test_colours_and_no_sites(self) -> None:
        lines = self.run_program(SLOW, "--show", "--color=always", "--no-sites")
        self.assertEqual(lines[0], "\x1b[36mA\x1b[0m -> \x1b[33mB\x1b[0m  com  1")


class Blocked(ShowTest):
    def start(self, wrong: str) -> "subprocess.Popen[str]":
        """The roles under a Python that changes A's program before it runs it."""
        (self.folder / "t.pyc").write_text(SLOW, encoding="utf-8")
        wrapper = self.folder / "python"
        wrapper.write_text(f'#!/bin/sh\\nfor word; do case $word in */a.py) {wrong};; esac; done\\n'
                           f'exec {sys.executable} "$@"\\n'.replace("\\n", "\n"))
        wrapper.chmod(0o755)
        running = subprocess.Popen([str(COMPILER), "run", "t.pyc"], text=True, cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "PYTHON": str(wrapper)})
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        return running

    def line(self, running: "subprocess.Popen[str]", pattern: str) -> None:
        """Reads until a line is as wanted; without one the deadline of the test ends it."""
        assert running.stderr is not None
        seen = []
        signal.alarm(60)
        for line in running.stderr:
            seen.append(line)
            if re.search(pattern, line):
                break
        else:
            self.fail("".join(seen))
        signal.alarm(0)
        running.send_signal(signal.SIGINT)

    def test_nobody_goes_on(self) -> None:
        running = self.start('sed -i "s/ch.com(1, expect=/ch.com(expect=/" "$word"')
        self.line(running, r"^all roles are blocked: A waits for B at t\.pyc:6, B waits for A at "
                           r"t\.pyc:6 \(Ctrl-C stops them\)$")

    def test_one_is_blocked(self) -> None:
        running = self.start('sed -i "s/^    ch.com(1, /    __import__(\\"time\\").sleep(99)'
                             ' ; ch.com(1, /" "$word"')
        self.line(running, r"^B: has been waiting 1\d s for int from A \(t\.pyc:6\)")


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
