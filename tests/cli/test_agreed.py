"""Parameters that roles must be given alike: what `run` takes, and what is shown of a value
that differs, in both languages and mixed."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"

PROGRAM = """\
from pychoral import At, Channel


def main(ch: Channel[int, A, B], word: At[str, A, B] = "w", limit: At[float, A, B] = 3) -> None:
    print(word, limit)
"""


class AgreedTest(unittest.TestCase):
    folder: Path
    program = ""

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        (cls.folder / "run").mkdir(mode=0o700)
        (cls.folder / "p.pyc").write_text(PROGRAM, "utf-8")
        cls.call("build", "p.pyc", "-o", "py")
        cls.call("build", "p.pyc", "--target=c", "--compile", "-o", "c")

    @classmethod
    def call(cls, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([COMPILER, *words], cwd=cls.folder, capture_output=True, text=True)

    def both(self, languages: str, of_a: list[str], of_b: list[str]) -> list[tuple[int, str, str]]:
        """How A and B end: status, output, errors."""
        started = []
        for role, language, words in zip("ab", languages.split("-"), (of_a, of_b)):
            folder = f"{self.program}{language}"
            python = [sys.executable, f"{folder}/{role}.py"]
            own = python if language == "py" else [f"{folder}/{role}"]
            started.append(subprocess.Popen(
                [*own, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True, env={**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "run")}))
        texts = [each.communicate(timeout=60) for each in started]
        return [(each.returncode, *text) for each, text in zip(started, texts)]

    def differ(self, of_a: list[str], of_b: list[str], says: str) -> None:
        for languages in ("py-py", "c-c", "py-c", "c-py"):
            with self.subTest(languages):
                for role, ended in zip("AB", self.both(languages, of_a, of_b)):
                    text = f"{role}: {says}: the values must be equal\n"
                    self.assertEqual(ended, (76, "", text))

    def test_equal(self) -> None:
        for languages in ("py-py", "c-c", "py-c", "c-py"):
            with self.subTest(languages):
                ended = self.both(languages, ["--limit", "3.0"], [])
                self.assertEqual(ended, [(0, "w 3.0\n", "")] * 2)

    def test_all_that_differ(self) -> None:
        self.differ(["--word", "x"], ["--limit", "-0.0"],
                    "limit is 3.0 at A and -0.0 at B; word is 'x' at A and 'w' at B")

    def test_secret(self) -> None:
        self.differ(["--word", "x", "--secret", "word"], ["--word", "y"],
                    "word is not the same at A and B")
        self.differ(["--word", "x"], ["--word", "y", "--secret=limit,word"],
                    "word is not the same at A and B")

    def test_texts_are_cut_and_escaped(self) -> None:
        shown = "'" + "\u00e9" * 56 + "..."
        self.differ(["--word", "\x1b[31m\u202e"], ["--word", "\u00e9" * 100],
                    f"word is '\\x1b[31m\\u202e' at A and {shown} at B")

    def test_texts_that_are_the_same(self) -> None:
        shown = "'" + "x" * 56 + "..."
        self.differ(["--word", "x" * 100 + "y"], ["--word", "x" * 100 + "z"],
                    f"word is not the same at A and B, although both are shown as {shown}")

    def test_many_differ(self) -> None:
        """The sentence comes to its end: what it has no room for is counted."""
        names = [f"p{n}" for n in range(40)]
        parameters = ", ".join(f"{name}: At[int, A, B] = 1" for name in names)
        (self.folder / "m.pyc").write_text(PROGRAM.replace("limit:", f"{parameters}, limit:"))
        program, self.program = self.program, "m"
        self.addCleanup(setattr, self, "program", program)
        self.call("build", "m.pyc", "-o", "mpy")
        self.call("build", "m.pyc", "--target=c", "--compile", "-o", "mc")
        shown = "; ".join(f"{name} is 1 at A and 2 at B" for name in sorted(names)[:17])
        self.differ([], [f"--{name}=2" for name in names], f"{shown}; and 23 more")

    def test_unsendable(self) -> None:
        """A default that cannot be compared is one sentence, the same in both languages."""
        (self.folder / "u.pyc").write_text(PROGRAM.replace('"w"', r'"\ud800"'), "utf-8")
        self.call("build", "u.pyc", "-o", "upy")
        self.call("build", "u.pyc", "--target=c", "--compile", "-o", "uc")
        for own in ([sys.executable, "upy/a.py"], ["uc/a"]):
            done = subprocess.run([*own], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr),
                             (2, "A: word: the value cannot be sent: it is a str with a lone "
                                 "surrogate, which UTF-8 cannot encode\n"))

    def test_unknown_secret(self) -> None:
        for own in ([sys.executable, "py/a.py"], ["c/a"]):
            done = subprocess.run([*own, "--secret", "word,nope"], cwd=self.folder,
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr),
                             (2, "A: --secret: 'nope' is not a parameter of A\n"))

    def test_journal(self) -> None:
        """Who began together goes on alone; with another value it is another role."""
        for languages in ("py-py", "c-c"):
            with self.subTest(languages):
                mine = [["--journal", f"{languages}-{role}"] for role in "ab"]
                self.assertEqual([each[0] for each in self.both(languages, *mine)], [0, 0])
                own = [sys.executable, "py/a.py"] if languages == "py-py" else ["c/a"]
                done = subprocess.run([*own, *mine[0], "--limit", "4"], cwd=self.folder,
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 77, done.stderr)

    def test_run(self) -> None:
        for target in ("python", "c"):
            done = self.call("run", f"--target={target}", "p.pyc", "--B.limit", "5")
            self.assertEqual(sorted(done.stdout.splitlines()), ["A: w 5.0", "B: w 5.0"])
        done = self.call("run", "p.pyc", "--A.limit", "5", "--B.limit", "6")
        self.assertEqual(done.returncode, 2)
        self.assertIn("`A.limit` is 5 but `B.limit` is 6; they must have the same value",
                      done.stderr)
        done = self.call("run", "p.pyc", "--A.limit", "x")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("`--A.limit`: 'x' is not a valid float"), 1)

    def test_help(self) -> None:
        done = self.call("run", "p.pyc", "--help")
        self.assertRegex(done.stdout, r"--A\.limit=VALUE +float \(3\); also of B\n")
        self.assertNotIn("--B.limit", done.stdout)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
