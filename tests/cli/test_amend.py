"""`check --amend`: what it inserts compiles, the diff says what is written, nothing is lost."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"

# Choices that a selection in every arm settles; other errors about choices need another channel,
# an earlier selection, or another order of statements, and must be left alone.
MENDED = ["untold_arm", "untold_third", "untold_one_arm", "choice_elif", "choice_same_label",
          "choice_two_roles", "untold_print", "untold_payload_dropped"]


IMPORTS = "from pychoral import At, Channel\n\n\n"
TELL = """

def tell(ch: Channel[int, X, Y], x: At[int, X]) -> None:
    if x > 0:
        print("positive"@Y)
"""
WAY = """\
from enum import Enum

from pychoral import At, Channel


class Way(Enum):
    L = 1
    R = 2
"""
DECORATED = """\
from dataclasses import dataclass

from pychoral import At, Channel


@dataclass
class Item:
    name: str


def main(ch: Channel[object, A, B], n: At[int, A] = 1) -> None:
    if n > 0:
        print(ch.com(Item("x"@A)))
"""
CHOICES = """\
from enum import Enum

from pychoral import At, Channel


class Way(Enum):
    L = 1
    R = 2
    M = 3


def numbers(ch: Channel[int, A, B], a: At[int, A]) -> None:
    match a:
        case 1:
            print("one"@B)
        case 2:
            print("two"@B)          # the second


def members(ch: Channel[int, A, B], way: At[Way, A]) -> None:
    match way:
        case Way.L:
            print("one"@B)
        case Way.R:
            print("two"@B)
        case Way.M: raise ValueError("M")


def handler(ch: Channel[int, A, B], s: At[str, A]) -> None:
    try:
        n = int(s)
    except ValueError:
        print("bad"@B)  # no number


def handlers(ch: Channel[int, A, B], s: At[str, A]) -> None:
    try:
        n = int(s)
    except ValueError:
        return
    except KeyError as e:
        print("bad", e)
        return
    except IndexError:
        raise
    finally:
        print("end"@A)
    ch.com(n)
"""


def call(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(COMPILER), "check", *map(str, arguments)], text=True,
                          capture_output=True, timeout=60)


def apply_diff(old: str, diff: str) -> str:
    """What `patch` makes of a unified diff whose context fits exactly."""
    lines, out, done = old.splitlines(True), [], 0
    for line in diff.splitlines(True)[2:]:
        if head := re.match(r"@@ -(\d+),(\d+) ", line):
            start = int(head[1]) - 1 if int(head[2]) else int(head[1])
            out += lines[done:start]
            done = start
        elif line[0] == "+":
            out.append(line[1:])
        else:
            assert lines[done] == line[1:], (lines[done], line)
            out += [line[1:]] if line[0] == " " else []
            done += 1
    return "".join(out + lines[done:])


class AmendTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="pychoral-amend-")
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "proto.pyc"

    def amend(self, source: str) -> bool:
        """Amends the source in `self.path`; says whether it was."""
        self.path.write_text(source)
        shown = call("--amend", "--diff", self.path)
        self.assertEqual(self.path.read_text(), source, "--diff writes nothing")
        self.assertNotIn("internal error", shown.stderr)
        done = call("--amend", self.path)
        if done.returncode != 0:
            self.assertEqual(self.path.read_text(), source, "nothing half done is written")
            self.assertEqual(shown.stdout, "")
            return False
        self.assertEqual(apply_diff(source, shown.stdout), self.path.read_text())
        self.assertEqual(shown.returncode, 1 if shown.stdout else 0)
        self.assertEqual(call(self.path).returncode, 0, "what was amended compiles")
        self.assertEqual(call("--amend", "--diff", self.path).stdout, "", "once is enough")
        return True

    def test_every_program_with_an_error_about_a_choice(self) -> None:
        amended = []
        for path in sorted((ROOT / "tests/check").glob("*.pyc")):
            marks = re.findall(r"#!\^* *([EW]\d{4})", path.read_text())
            if marks and all(m.startswith("E06") for m in marks) and self.amend(path.read_text()):
                amended.append(path.stem)
        self.assertEqual(set(MENDED) - set(amended), set())

    def test_cases_and_handlers(self) -> None:
        """A `match` gets its `case _`, a `try` its `else`; an arm that raises tells nobody."""
        self.assertTrue(self.amend(CHOICES), call(self.path).stderr)
        text = self.path.read_text()
        for part in ("""\
            ch.select(Way.R@A)
            print("two"@B)          # the second
        case _:
            ch.select(Way.M@A)
""", """\
        case Way.M: raise ValueError("M")
""", """\
        ch.select(Way.L@A)
        print("bad"@B)  # no number
    else:
        ch.select(Way.R@A)
""", """\
    except IndexError:
        raise
    else:
        ch.select(Way.M@A)
    finally:
"""):
            self.assertIn(part, text)

    def test_a_new_enum_stands_in_front_of_decorators(self) -> None:
        for decorator in ("@dataclass(frozen=True)",
                          "@dataclass(\n    frozen=True,\n)\n# a comment"):
            source = DECORATED.replace("@dataclass", decorator)
            self.assertTrue(self.amend(source), call(self.path).stderr)
            self.assertIn("    NO = 2\n\n\n" + decorator, self.path.read_text())
        self.assertTrue(self.amend(IMPORTS.replace("Channel", "Channel, roles")
                                   + "@roles(X, Y)\n" + TELL.lstrip("\n")))
        self.assertIn("    NO = 2\n\n\n@roles(X, Y)\ndef", self.path.read_text())

    def test_an_arm_that_raises_tells_nobody(self) -> None:
        self.assertTrue(self.amend(IMPORTS + TELL + """\
    elif x == 0:
        print("nothing"@X)
    else:
        raise ValueError("negative"@X)
"""), call(self.path).stderr)
        self.assertEqual(self.path.read_text().count("ch.select("), 2)
        self.assertTrue(self.amend(IMPORTS + TELL + """\
    elif x == 0:
        print("nothing"@Y)
        raise ValueError("nothing"@X)
"""), call(self.path).stderr)
        self.assertEqual(self.path.read_text().count("ch.select("), 3)

    def test_comments_stay_in_their_arm(self) -> None:
        comments = "        # positive\n\n        # and nothing else\n"
        self.assertTrue(self.amend(IMPORTS + TELL + comments + "    # behind it\n    print(x)\n"))
        self.assertIn(comments + "    else:\n        ch.select(Choice.NO@X)\n    # behind it\n",
                      self.path.read_text())

    def test_lines_that_go_on_are_left_alone(self) -> None:
        for source in (TELL.replace("> 0:", "> 0: \\"),
                       TELL.replace("@Y)", "@Y); \\\n")):
            self.assertFalse(self.amend(IMPORTS + source))
            self.assertIn("no inserted selection fixes E0601",
                          call("--amend", self.path).stderr)

    def test_what_follows_a_guard_clause_is_the_other_arm(self) -> None:
        for leave in ("return", 'raise ValueError("positive"@X)'):
            guard = TELL.replace("tell", "guard") + f"        {leave}\n"
            source = WAY + guard + "    ch.select(Way.L@X)\n    print(ch.com(x))\n"
            self.assertTrue(self.amend(source), call(self.path).stderr)
            self.assertEqual(self.path.read_text(),
                             source.replace("print(\"", "ch.select(Way.R@X)\n        print(\""))

    def test_labels_of_a_choice_around_are_not_told_again(self) -> None:
        source = WAY.replace("R = 2", "R = 2\n    M = 3") + """

def pick(ch: Channel[int, A, B], a: At[int, A]) -> None:
    if a > 0:
        if a > 9:
            print("much"@B)
        else:
            ch.select(Way.R@A)
            print("some"@B)
    else:
        ch.select(Way.L@A)
        print("none"@B)
"""
        self.path.write_text(source)
        self.assertIn("+             ch.select(Way.M@A)", call(self.path).stderr)
        self.assertTrue(self.amend(source))

    def test_a_body_that_returns_is_no_place_to_tell(self) -> None:
        source = CHOICES + """

def main(ch: Channel[int, A, B], s: At[str, A]) -> At[int, A]:
    try:
        return int(s)
    except ValueError:
        print("bad"@B)
        return 0@A
"""
        self.assertFalse(self.amend(source))
        done = call("--amend", self.path)
        line = source.splitlines().index("def main(ch: Channel[int, A, B], s: At[str, A])"
                                         " -> At[int, A]:") + 2
        self.assertIn("not amended: no inserted selection fixes E0601 at "
                      f"{self.path}:{line}:5\n", done.stderr)

    def test_another_error_is_named(self) -> None:
        source = (ROOT / "tests/check/untold_arm.pyc").read_text() + "\n\nx = 1 +\n"
        self.assertFalse(self.amend(source))
        self.assertIn(f"fix another error first, E0101 at {self.path}:",
                      call("--amend", self.path).stderr)

    def test_modules(self) -> None:
        """Each file gets the edits that are its own, with its own names."""
        folder = self.path.parent
        imports = "import lib\nimport more\nfrom more import Way\n" + IMPORTS.rstrip() + "\n"
        sources = {
            "lib.py": IMPORTS + TELL,
            "more.pyc": "import enum\n" + IMPORTS
                        + "class Way(enum.Enum):\n    L = 1\n    R = 2\n" + TELL,
            "main.pyc": imports + TELL.replace("tell", "main").rstrip("\n") + """
    lib.tell(ch, x)
    more.tell(ch, x)
    if x > 7:
        ch.select(Way.L@X)
    else:
        print("less"@Y)
"""}
        for name, source in sources.items():
            (folder / name).write_text(source)
        shown = call("--amend", "--diff", folder / "main.pyc")
        self.assertEqual(re.findall(r"(?m)^\+\+\+ (.*)", shown.stdout),
                         [str(folder / name) for name in ("main.pyc", "lib.py", "more.pyc")])
        self.assertEqual({name: (folder / name).read_text() for name in sources}, sources)
        done = call("--amend", folder / "main.pyc", folder / "lib.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"main\.pyc: \d insertions\n.*lib\.py: 4 insertions\n"
                                      r".*more\.pyc: 2 insertions\n$")
        for part in re.split(r"(?m)^(?=--- )", shown.stdout)[1:]:
            name = Path(part.split("\n", 1)[0][4:]).name
            self.assertEqual(apply_diff(sources[name], part), (folder / name).read_text())
        self.assertEqual(call(folder / "main.pyc").returncode, 0)
        self.assertEqual(call("--cost", folder / "main.pyc").returncode, 0)
        self.assertIn("ch.select(Way.R@X)\n", (folder / "main.pyc").read_text())
        self.assertIn("\n\nclass Choice(Enum):\n", (folder / "lib.py").read_text())

    def test_nothing_is_written_if_one_file_cannot_be_mended(self) -> None:
        folder = self.path.parent
        sources = {"lib.py": IMPORTS + TELL.replace("x > 0:", "x > 0: # \n        print(x@Y)"),
                   "main.pyc": "import lib\n" + IMPORTS + TELL.replace("tell", "main")}
        for name, source in sources.items():
            (folder / name).write_text(source)
        done = call("--amend", folder / "main.pyc")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"fix another error first, E\d+ at .*lib\.py:8:")
        self.assertEqual({name: (folder / name).read_text() for name in sources}, sources)

    def test_an_entry_that_is_a_method(self) -> None:
        self.path.write_text("""\
from pychoral import At, Ch2, Channel


class Pair(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def go(self, x: At[int, A]) -> None:
        if x > 0:
            print("more"@B)
""")
        done = call("--amend", "--entry=Pair.go", self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(call("--entry=Pair.go", self.path).returncode, 0)

    def test_clean_sources_stay_as_they_are(self) -> None:
        source = (ROOT / "samples/dist_auth.pyc").read_text()
        self.assertTrue(self.amend(source))
        self.assertEqual(self.path.read_text(), source)

    def test_other_errors_stop_it(self) -> None:
        source = (ROOT / "tests/check/untold_arm.pyc").read_text() + "\n\nx = 1 +\n"
        self.assertFalse(self.amend(source))


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
