"""`run` and who types it: a role that reads a terminal of the test's own, bad values, traces."""

import os
import select
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
DONE, USAGE, FAILED = 0, 2, 4
SECONDS = 60

HEAD = "import os\nimport sys\nimport time\n\nfrom pychoral import At, Channel\n\n\n"
GREETING = HEAD + """\
def main(ch: Channel[str, Alice, Bob]) -> None:
    name = input("your name? ")@Alice
    print("hello", ch.com(name))
"""
EARLY = HEAD + """\
def main(ch: Channel[str, Alice, Bob]) -> None:
    time.sleep(1.0@Bob)
    print("early"@Bob)
    print("hello", ch.com(input("your name? "@Alice)))
"""
BOTH = HEAD + """\
def main(ch: Channel[str, Alice, Bob]) -> None:
    print("hello", ch.com(sys.stdin.readline()@Alice), input()@Bob)
"""
SILENT = HEAD + """\
def main(ch: Channel[str, Alice, Bob]) -> None:
    os.system("stty -echo"@Alice)
    print("hello", ch.com(input("password? "@Alice)))
"""
# A name of the program's own is not Python's.
OWN = HEAD + """\
def input() -> str:
    return "Ada"


def main(ch: Channel[str, Alice, Bob]) -> None:
    print("hello", ch.com(input()@Alice))
"""

TALKING = HEAD + """\
def talk(n: int) -> int:
    for i in range(n):
        print("line", i)
    raise ValueError("too much")


def main(ch: Channel[int, Alice, Bob]) -> None:
    for i in range(40):
        print("heard", ch.com(i@Alice))
    print(ch.com(talk(4000@Alice)))
"""
WAITING = HEAD + """\
def main(ch: Channel[str, Alice, Bob], path: At[str, Alice]) -> None:
    print("first"@Alice)
    print("heard", ch.com(open(path).read()))
"""


class TerminalTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="pychoral-terminal-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, source: str) -> Path:
        path = self.folder / "x.pyc"
        path.write_text(source)
        return path

    def terminal(self) -> tuple[int, int]:
        ends = os.openpty()
        for end in ends:
            self.addCleanup(os.close, end)
        return ends

    def drive(self, source: str, steps: list[tuple[str, str]], *options: str) -> tuple[int, str]:
        """Types each text when what is before it was shown; gives the status and what was shown."""
        ours, theirs = self.terminal()
        before = termios.tcgetattr(theirs)
        process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", COMPILER, "run", self.write(source), *options],
            stdin=theirs, stdout=theirs, stderr=theirs, env=dict(os.environ, NO_COLOR="1"))
        shown, left, end = "", list(steps), time.monotonic() + SECONDS
        while time.monotonic() < end:
            if select.select([ours], [], [], 0.05)[0]:
                shown += os.read(ours, 4096).decode()
            elif process.poll() is not None:
                break
            if left and shown.endswith(left[0][0]):
                os.write(ours, left.pop(0)[1].encode())
        else:
            process.kill()
            self.fail(f"no end; it showed {shown!r}")
        self.assertEqual(left, [], shown)
        self.assertEqual(termios.tcgetattr(theirs), before)
        return process.returncode, shown.replace("\r\n", "\n")

    def test_a_prompt_comes_before_the_answer(self) -> None:
        for options in [], ["--target=c"]:
            with self.subTest(options):
                status, shown = self.drive(GREETING, [("your name? ", "Ada\n")], *options)
                self.assertEqual((status, shown), (DONE, "Alice: your name? Ada\nBob: hello Ada\n"))

    def test_the_ends_of_input_reach_the_role(self) -> None:
        status, shown = self.drive(GREETING, [("your name? ", "\x04")])
        self.assertEqual(status, FAILED)
        self.assertIn("EOFError: EOF when reading a line", shown)
        status, shown = self.drive(GREETING, [("your name? ", "\x03")])
        self.assertEqual(status, FAILED)
        self.assertIn("error[E0008]: interrupted\n", shown)

    def test_a_line_of_another_role_leaves_the_prompt_last(self) -> None:
        status, shown = self.drive(EARLY, [("early\r\nAlice: your name? ", "Ada\n")])
        self.assertEqual((status, shown), (DONE, "Alice: your name? \nBob: early\n"
                                                 "Alice: your name? Ada\nBob: hello Ada\n"))

    def test_the_terminal_is_as_before(self) -> None:
        self.assertEqual(self.drive(SILENT, [("password? ", "secret\n")])[0], DONE)
        self.assertEqual(self.drive(SILENT, [("password? ", "\x03")])[0], FAILED)

    def test_how_a_role_failed_is_the_last_of_it(self) -> None:
        """However much it has printed and sent; Bob has lost a peer, which is reported after it."""
        for options in [], ["--show"], ["--target=c"], ["--target=c", "--show"]:
            with self.subTest(options):
                done = subprocess.run([COMPILER, "run", self.write(TALKING), *options], text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      timeout=SECONDS)
                lines = done.stdout.splitlines()
                alice = [line for line in lines if line.startswith("Alice: ")]
                said = [line for line in lines if line.startswith(("Alice -> ", "Alice: "))]
                self.assertEqual(alice[:4000], [f"Alice: line {i}" for i in range(4000)])
                self.assertTrue(alice[4000].startswith("Alice: Traceback"), alice[4000])
                self.assertEqual(said[-len(alice) + 4000:], alice[4000:])
                self.assertIn("ValueError: too much", alice[-1] + alice[-2])
                end = next(i for i, line in enumerate(lines) if line.startswith("error[E0008]"))
                self.assertEqual([line for line in lines[end:] if ": line" in line], [])

    def test_a_line_appears_when_it_is_printed(self) -> None:
        path = self.folder / "fifo"
        os.mkfifo(path)
        for options in [], ["--target=c"]:
            with self.subTest(options):
                process = subprocess.Popen([COMPILER, "run", self.write(WAITING), "--Alice.path",
                                            path, *options], text=True, stdout=subprocess.PIPE)
                assert process.stdout is not None
                self.addCleanup(process.kill)
                self.assertTrue(select.select([process.stdout], [], [], SECONDS)[0], "no line")
                self.assertEqual(process.stdout.readline(), "Alice: first\n")
                path.write_text("news")
                self.assertEqual(process.communicate(timeout=SECONDS)[0], "Bob: heard news\n")

    def test_two_readers(self) -> None:
        status, shown = self.drive(BOTH, [])
        self.assertEqual(status, USAGE)
        self.assertIn("error[E0003]: Alice and Bob both read standard input, "
                      "but only one role can read it\n",
                      shown)
        (self.folder / "typed").write_text("Bert\n")
        bert = f"--Bob.stdin={self.folder / 'typed'}"
        status, shown = self.drive(BOTH, [], "--Alice.stdin=-", "--Bob.stdin=-")
        self.assertEqual(status, USAGE)
        ours, theirs = self.terminal()
        os.write(ours, b"Ada\n")
        for more in [], ["--Alice.stdin", "-"]:
            done = subprocess.run([COMPILER, "run", self.write(BOTH), bert, *more], text=True,
                                  stdin=theirs, capture_output=True, timeout=SECONDS)
            self.assertEqual((done.returncode, done.stdout), (DONE, "Bob: hello Ada\nBob:  Bert\n"))
            os.write(ours, b"Ada\n")

    def test_what_is_no_terminal_is_read_if_asked(self) -> None:
        def call(*options: str) -> "subprocess.CompletedProcess[str]":
            return subprocess.run([COMPILER, "run", self.write(GREETING), *options], text=True,
                                  input="Ada\n", capture_output=True, timeout=SECONDS)
        lines = call("--Alice.stdin=-").stdout.splitlines()
        self.assertEqual(sorted(lines), ["Alice: your name? ", "Bob: hello Ada"])
        self.assertIn("EOFError", call().stderr)

    def test_a_name_of_the_program_is_no_reader(self) -> None:
        self.assertEqual(self.drive(OWN, []), (DONE, "Bob: hello Ada\n"))


COUNT = HEAD + """\
def main(ch: Channel[int, Alice, Bob], n: At[int, Alice], run: At[int, Bob] = 1) -> None:
    print(10 // ch.com(n))
"""


class Values(TerminalTest):
    def run_count(self, *options: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([COMPILER, "run", self.write(COUNT), *options], text=True,
                              capture_output=True, timeout=SECONDS, cwd=self.folder)

    def test_a_bad_value_ends_it_before_it_begins(self) -> None:
        for options, target, said in [
            (["--Alice.n=x"], "python", "`--Alice.n`: 'x' is not a valid int"),
            (["--Alice.n=1", "--Bob.run=y"], "python", "`--Bob.run`: 'y' is not a valid int"),
            (["--Alice.n=x"], "c", "`--Alice.n`: 'x' is not a valid int"),
        ]:
            with self.subTest(options, target=target):
                done = self.run_count(*options, f"--target={target}")
                self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
                self.assertTrue(done.stderr.startswith(f"error[E0003]: {said}"), done.stderr)
                self.assertNotIn("interrupted", done.stderr)

    def test_a_list_without_brackets_is_shown_with_them(self) -> None:
        source = self.write(HEAD + """\
def main(ch: Channel[int, Alice, Bob], marks: At[list[int], Alice]) -> None:
    print(ch.com(sum(marks)))
""")
        for target in "python", "c":
            for value, said in [("7,10,4", "received tuple; write `[7,10,4]`)"),
                                ("5", "received int; write `[5]`)"),
                                ("x", "a Python literal, such as")]:
                with self.subTest(value, target=target):
                    done = subprocess.run(
                        [COMPILER, "run", source, f"--Alice.marks={value}", f"--target={target}"],
                        text=True, capture_output=True, timeout=SECONDS, cwd=self.folder)
                    self.assertEqual(done.returncode, USAGE)
                    self.assertIn(said, done.stderr)

    def test_a_trace_is_of_all_roles(self) -> None:
        for target in "python", "mixed":
            with self.subTest(target=target):
                done = self.run_count("--Alice.n=5", "--trace=t.shiviz", "-f", f"--target={target}")
                self.assertEqual(done.returncode, DONE, done.stderr)
                events = (self.folder / "t.shiviz").read_text().splitlines()
                sent = events.index("sends message 1 to Bob: int (x.pyc:9)")
                read = events.index("reads message 1 from Alice: int (x.pyc:9)")
                self.assertLess(sent, read)
                self.assertEqual(events[read + 1], 'Bob {"Alice": 1, "Bob": 1}')

    def test_a_run_that_fails_has_its_trace(self) -> None:
        done = self.run_count("--Alice.n=0", "--trace=t.json")
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("reads message 1 from Alice", (self.folder / "t.json").read_text())

    def test_where_a_trace_cannot_go(self) -> None:
        (self.folder / "mine.json").write_text("{}")
        for name, status, said in [("t.txt", USAGE, "the suffix of `--trace=t.txt` does not say"),
                                   ("mine.json", 3, "`mine.json` exists")]:
            done = self.run_count("--Alice.n=5", f"--trace={name}")
            self.assertEqual((done.returncode, done.stdout), (status, ""))
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
