"""The text of programs in C, for those who read it."""

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

MATCH = """from pychoral import At, Channel

def main(ab: Channel[int, A, B], line: At[str, A] = "go x") -> None:
    match line.split():
        case ["go", "x"]:
            print("x")@A
        case ["go", "y"]:
            print("y")@A
        case ["give", "me", "z"]:
            print("z")@A
        case []:
            print("nothing")@A
"""


GUARDS = """from pychoral import At, Channel

def told(words: list[str]) -> str:
    match words:
        case ["go", d] if len(d) > 1:
            return "far"
        case _:
            pass
    found = "?"
    match words:
        case ["go", d]:
            found = d
        case ["a" | "b", x, y] if x == y:
            found = x + y
        case [first, *rest] if rest:
            found = first + rest[0]
        case other if len(other) == 1:
            found = other[0]
        case ["z", z, *_] if int(z) > 4:
            found = z
        case ["p", "q"]:
            found = "pq"
    return found

def main(ab: Channel[int, A, B], line: At[str, A] = "go x", n: At[int, B] = 3) -> None:
    print(told(line.split())@A)
    if n > 2:
        print("more")@B
    else:
        m: At[int, B] = n + 1
        if m > 1:
            print("one")@B
"""


TESTS = """from dataclasses import dataclass
from pychoral import At, Channel

@dataclass(frozen=True)
class Point:
    x: int

@dataclass(frozen=True)
class Circle:
    centre: Point

@dataclass(frozen=True)
class Square:
    side: int

def of_shape(s: Circle | Square | Point) -> int:
    match s:
        case Circle(Point(0)):
            return 0
        case Square(side):
            return side
    return 1

def of_ints(xs: list[int], n: int) -> int:
    if len(xs) > 3:
        return 1
    elif not xs:
        return 2
    elif n == 0 or n == 1000:
        return 3
    elif 10 > n:
        return 4
    return 5

def main(ab: Channel[int, A, B], n: At[int, A] = 3) -> None:
    print(of_shape(Square(n)@A), of_ints([n]@A, n))
"""


FIRST = """from pychoral import At, Channel

def main(ab: Channel[str, A, B], said: At[str, A] = "a bc") -> None:
    heard: At[str, B] = ab.com(said)
    words: At[list[str], B] = heard.split()
    last: At[str, B] = ""
    for word in words:
        twice: At[str, B] = word + word
        last = twice
    print(last)@B
"""


READ = """from enum import Enum
from pychoral import At, Channel

class Move(Enum):
    UP = 1
    DOWN = 2

def near(n: int) -> int:
    small: bool = n < 3 or n > 7
    if small:
        return 2
    else:
        return 1

def moved(ab: Channel[int, A, B], m: At[int, B]) -> At[int, A]:
    if m == 1:
        ab.select(Move.UP@B)
        return 2@A
    else:
        ab.select(Move.DOWN@B)
        return 3@A

def main(ab: Channel[int, A, B], n: At[int, A] = 3, m: At[int, B] = 1) -> None:
    print(near(n), "x")
    print(moved(ab, m))
"""


class TextTest(unittest.TestCase):
    def text(self, source: str, role: str) -> str:
        with tempfile.TemporaryDirectory(prefix="pychoral-c-text-") as folder:
            path = Path(folder, "m.pyc")
            path.write_text(source)
            done = subprocess.run([COMPILER, path, "--target=c", "--no-line", f"--role={role}",
                                   "-o", folder + "/out", "--no-runtime"], timeout=60,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return Path(folder, "out", f"{role.lower()}.c").read_text()

    def test_match_is_one_chain(self) -> None:
        """Items are read within the test of their case; lengths are compared in plain C."""
        text = self.text(MATCH, "A")
        self.assertEqual(text.count("} else if ("), 3)
        self.assertNotIn("} else {", text)
        self.assertIn("} else if (subject->count == 2 && ", text)
        self.assertNotIn("pychoral_int((int64_t)", text)

    def test_what_a_case_takes_is_in_its_test(self) -> None:
        """Captures and a guard, or a call in an `elif`, do not make the rest nest."""
        text = self.text(GUARDS, "A")
        body = text[text.index("_told(PychoralList *words)\n{"):]
        body = body[:body.index("\n}\n")]
        self.assertEqual(len(re.findall(r"^    } else if \(", body, re.M)), 5)
        self.assertEqual(len(re.findall(r"^    } else if \(__extension__\(\{$", body, re.M)), 4)
        self.assertEqual(body.count("} else {"), 0)
        self.assertNotIn("has_value", body)     # a capture has one where its guard held
        self.assertLess(max(len(line) - len(line.lstrip()) for line in body.split("\n")), 16)
        text = self.text(GUARDS, "B")
        self.assertEqual(text.count("} else {"), 1)     # as it is written

    def test_tests(self) -> None:
        """Members of unions are told apart by number, ints and lengths compared in plain C."""
        text = self.text(TESTS, "A")
        for line in ("if (s.is == 0 && s.as_Circle->centre->x.small == 0) {",
                     "} else if (s.is == 2) {", "} else if (10 > n.small) {",
                     "if (xs->count > 3) {", "} else if (xs->count == 0) {",
                     "} else if (n.small == 0 || n.small == 1000) {"):
            self.assertIn("    " + line + "\n", text)
        self.assertNotIn("pychoral_is_instance", text)

    def test_first_values(self) -> None:
        """What is received, and what a loop gives, is in a variable that is declared there."""
        text = self.text(FIRST, "B")
        body = text[text.index("_main_B(uint32_t ab)\n{"):]
        body = body[:body.index("\n}\n")]
        self.assertIn("""
    PYCHORAL_OWNED(str) PychoralStr *heard = NULL;
    pychoral_com_receive(ab, 1, &pychoral_type_str, &heard);
""", body)
        self.assertIn("(object) PychoralList *words = pychoral_str_split(heard", body)
        self.assertIn("        PYCHORAL_OWNED(str) PychoralStr *word = pychoral_list_", body)
        self.assertIn("        PYCHORAL_OWNED(str) PychoralStr *twice = pychoral_str_add(", body)
        self.assertEqual(body.count("PYCHORAL_SET("), 1)

    def test_text_for_readers(self) -> None:
        """`print` is one short line, a function ends with its last `return`."""
        text = self.text(READ, "A")
        self.assertIn("    PYCHORAL_PRINT({&pychoral_type_int, &t1}, {&pychoral_type_str, &t2});\n",
                      text)
        for end in "return pychoral_int(1);", "return (PychoralInt){0};":
            self.assertIn("        " + end + "\n    }\n}\n", text)
        self.assertIn("small = n.small < 3 || n.small > 7;", text)
        self.assertIn("// the lines in PYCHORAL_FAILED are of it", text.split("\n")[1])


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
