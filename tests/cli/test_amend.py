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

    def test_clean_sources_stay_as_they_are(self) -> None:
        source = (ROOT / "samples/dist_auth.pyc").read_text()
        self.assertTrue(self.amend(source))
        self.assertEqual(self.path.read_text(), source)

    def test_other_errors_stop_it(self) -> None:
        source = (ROOT / "tests/check/untold_arm.pyc").read_text() + "\n\nx = 1 +\n"
        self.assertFalse(self.amend(source))

    def test_line_ends_and_encodings_that_are_not_plain(self) -> None:
        source = (ROOT / "tests/check/untold_arm.pyc").read_text()
        self.path.write_bytes(("# -*- coding: latin-1 -*-\n# \xe9\n" + source).encode("latin-1"))
        before = self.path.read_bytes()
        self.assertEqual(call("--amend", self.path).returncode, 1)
        self.assertEqual(self.path.read_bytes(), before)
        self.path.write_bytes(source.replace("\n", "\r\n").encode())
        self.assertEqual(call("--amend", self.path).returncode, 0)
        lines = self.path.read_bytes().splitlines(True)
        self.assertEqual([line for line in lines if not line.endswith(b"\r\n")], [])


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
