"""`run --panes`: a pane of tmux for each role, in a server of the test's own; and without tmux."""

import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
USAGE = 2
SECONDS = 60

TALK = """\
import sys

from pychoral import At, Channel


def talk(n: int) -> int:
    for i in range(n):
        print("line", i)
    print("aside", file=sys.stderr)
    return n


def main(ch: Channel[int, Alice, Bob], n: At[int, Alice]) -> None:
    print("heard", 10 // ch.com(talk(n)))
"""


class PanesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="pychoral-panes-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "x.pyc").write_text(TALK)
        self.environment = {**os.environ, "TMUX_TMPDIR": folder.name, "NO_COLOR": "1",
                            "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"}
        self.environment.pop("TMUX", None)

    def tmux(self, *arguments: str) -> str:
        return subprocess.run(["tmux", "-f", "/dev/null", *arguments], env=self.environment,
                              text=True, capture_output=True, timeout=SECONDS).stdout

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not holds():
            self.assertLess(time.monotonic(), end, self.shown())
            time.sleep(0.1)

    def panes(self) -> list[str]:
        return self.tmux("list-panes", "-a", "-F", "#{pane_id}").split()

    def shown(self) -> list[str]:
        return [self.tmux("capture-pane", "-p", "-t", pane).rstrip() for pane in self.panes()]

    def run_inside(self, *options: str) -> str:
        """What `run` prints in its own pane, and its status."""
        said = self.folder / "said"
        said.unlink(missing_ok=True)
        command = (f"'{COMPILER}' run '{self.folder}/x.pyc' --panes {' '.join(options)} "
                   f"> '{said}.part' 2>&1; echo status $? >> '{said}.part'; "
                   f"mv '{said}.part' '{said}'; exec sleep 600")
        self.tmux("new-session", "-d", "-x", "160", "-y", "48", command)
        self.addCleanup(self.tmux, "kill-server")
        self.until(said.exists)
        return said.read_text()

    def test_a_pane_for_each_role(self) -> None:
        self.assertEqual(self.run_inside("--Alice.n=3"), "status 0\n")
        ended = ("(Alice has ended; press a key to close)",
                 "(Bob has ended; press a key to close)")
        self.until(lambda: all(any(text.endswith(each) for text in self.shown())
                               for each in ended))
        texts = self.shown()
        self.assertEqual(len(texts), 3)
        self.assertIn(f"Alice\nline 0\nline 1\nline 2\naside\n{ended[0]}", texts)
        self.assertIn(f"Bob\nheard 3\n{ended[1]}", texts)
        for count, pane in enumerate(self.panes()[1:]):
            self.tmux("send-keys", "-t", pane, "q")
            self.until(lambda: len(self.panes()) == 2 - count)

    def test_a_failure_is_told_in_both(self) -> None:
        said = self.run_inside("--Alice.n=0", "--target=c")
        self.assertIn("error[E0008]: Bob failed with exit status 1\n", said)
        self.assertTrue(said.endswith("status 4\n"))
        self.until(lambda: any("ZeroDivisionError" in text for text in self.shown()[1:]))

    def test_outside_of_tmux(self) -> None:
        done = subprocess.run([COMPILER, "run", self.folder / "x.pyc", "--panes", "--Alice.n=1"],
                              env=self.environment, text=True, capture_output=True,
                              timeout=SECONDS)
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("error[E0003]: `--panes` requires tmux, "
                      "but this terminal is not inside tmux\n"
                      "help: start `tmux`, and run the same command there\n", done.stderr)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
