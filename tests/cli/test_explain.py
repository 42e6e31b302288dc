"""The pages of `pychoralc explain`: one for each code, and their programs do what they say.

The first program of a page has errors of this code only; the last one, where there are several, is
accepted without a word.
"""

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
PAGES = ROOT / "compiler/base/explain"
CODES = re.findall(r'^DIAG\(\w+,\s*"(\w+)"', (ROOT / "compiler/base/diag.def").read_text(),
                   re.MULTILINE)
# No short program has them, or `check` does not give them (tests/distribute, test_virtualize).
EXEMPT = ("E0111", "E0222", "E0701", "E0802",
          *(code for code in CODES if code[1:3] in ("10", "11")))
PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Pages(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-explain-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def call(self, *arguments: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(COMPILER), *map(str, arguments)], text=True, timeout=60,
                              capture_output=True)

    def codes_of(self, code: str, program: str) -> set[str]:
        path = self.folder / "page.pyc"
        path.write_text(program, encoding="utf-8")
        command = ["check", path]
        if code.startswith("E09"):
            command = ["grad", f"{path}:f"]
        done = self.call(*command, "--error-format=short")
        return set(re.findall(r" (?:error|warning)\[(\w+)\]", done.stderr))

    def test_one_for_each_code(self) -> None:
        names = sorted(path.stem for path in PAGES.glob("*.md"))
        self.assertEqual(names, sorted(CODES))

    def test_programs(self) -> None:
        for code in CODES:
            page = PAGES / f"{code}.md"
            if not page.exists():
                continue
            with self.subTest(code):
                text = page.read_text(encoding="utf-8")
                programs = PROGRAM.findall(text)
                self.assertTrue(programs or code < "E01" or code in EXEMPT, text)
                if programs:
                    self.assertEqual(self.codes_of(code, programs[0]), {code}, programs[0])
                if len(programs) > 1:
                    self.assertEqual(self.codes_of(code, programs[-1]), set(), programs[-1])

    def test_command(self) -> None:
        for code in CODES:
            done = self.call("explain", code)
            self.assertEqual(done.returncode, 0)
            self.assertTrue(done.stdout.startswith(code + ": "))
            self.assertGreater(done.stdout.count("\n"), 3, code)
            self.assertNotIn("```", done.stdout)

    def test_families(self) -> None:
        done = self.call("explain")
        listed = re.findall(r"^  (\w+)  ", done.stdout, re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(CODES))
        self.assertEqual(self.call("explain", "e06").stdout.count("  E06"),
                         sum(code.startswith("E06") for code in CODES))

    def test_nearest(self) -> None:
        done = self.call("explain", "E060l")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean `E060", done.stderr)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
