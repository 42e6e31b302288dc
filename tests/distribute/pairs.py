"""pairs/NAME.py becomes what a careful person made of it, pairs/NAME.hand, up to the names that
are new, and edits no more than 1.3 times as many lines."""

import builtins
import difflib
import io
import subprocess
import sys
import tokenize
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests/runner"))
sys.path.insert(0, str(HERE))

import rules  # noqa: E402
import unittests  # noqa: E402

COMPILER = rules.COMPILER


def tokens(text: str, known: "set[str]") -> "list[str]":
    """Names that are not known get numbers, in order."""
    names: "dict[str, str]" = {}
    found: "list[str]" = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        new = token.type == tokenize.NAME and token.string not in known
        found.append(names.setdefault(token.string, f"name{len(names)}") if new else token.string)
    return found


def edited(old: str, new: str) -> int:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0)
    return sum(line[0] in "+-" and line[:3] not in ("+++", "---") for line in lines)


class PairsTest(unittest.TestCase):
    def test_pairs(self) -> None:
        hands = sorted((HERE / "pairs").glob("*.hand"))
        self.assertGreaterEqual(len(hands), 8)
        for hand in hands:
            with self.subTest(hand.name):
                self.compare(hand.with_suffix(".py"), hand.read_text())

    def compare(self, script: Path, hand: str) -> None:
        more = [option for option in rules.options(script) if not option.startswith("--rules")]
        done = subprocess.run([str(COMPILER), "distribute", *more, str(script)], timeout=60,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        plain = script.read_text()
        words = {t.string for t in tokenize.generate_tokens(io.StringIO(plain).readline)}
        known = words | set(dir(builtins)) | {"hvd", "strategy"}
        self.assertEqual(tokens(done.stdout, known), tokens(hand, known))
        self.assertLessEqual(edited(plain, done.stdout), 1.3 * edited(plain, hand))


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
