"""No file is damaged or left behind: builds that are cut off or meet, edits of a user's file."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
SAMPLE = ROOT / "samples/dist_auth.pyc"
DONE, ERRORS, USAGE, FILE = 0, 1, 2, 3


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


class FilesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="pychoral-files-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"

    def start(self, *arguments: "str | Path") -> "subprocess.Popen[str]":
        return subprocess.Popen([COMPILER, *arguments], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, env=dict(os.environ, NO_COLOR="1"),
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def call(self, *arguments: "str | Path") -> "subprocess.CompletedProcess[str]":
        process = self.start(*arguments)
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def build(self, *options: str) -> "subprocess.Popen[str]":
        return self.start("build", SAMPLE, "-o", self.out, *options)

    def ends(self, process: "subprocess.Popen[str]") -> tuple[int, str]:
        _, err = process.communicate(timeout=60)
        return process.returncode, err


class Builds(FilesTest):
    def whole(self) -> list[str]:
        """What is in the folder of a build that nothing disturbs."""
        other = self.folder / "undisturbed"
        done = self.call("build", SAMPLE, "-o", other)
        self.assertEqual(done.returncode, DONE, done.stderr)
        return names(other)

    def test_killed_anywhere_the_next_build_works(self) -> None:
        whole = self.whole()
        for number in range(24):
            kind = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[number % 3]
            with self.subTest(signal=kind.name, number=number):
                shutil.rmtree(self.out, ignore_errors=True)
                process = self.build("-q")
                time.sleep(number * 0.0005)
                process.send_signal(kind)
                process.communicate(timeout=60)
                if kind != signal.SIGKILL and self.out.exists():
                    left = [name for name in names(self.out) if name not in whole]
                    self.assertEqual(left, [])
                status, err = self.ends(self.build())
                self.assertEqual((status, names(self.out)), (DONE, whole), err)

    def test_leftovers_go_and_other_files_stay(self) -> None:
        whole = self.whole()
        left = [".client.py.a1B2c3", ".pychoral.Zz0000/.generated-by-pychoralc"]
        kept = [".client.py.swp", ".notes.a1B2c3", ".client.py.a1B2c3d", "client.py.a1B2c3"]
        for name in [*left, *kept]:
            path = self.out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("kept\n")
        self.assertEqual(self.ends(self.build())[0], DONE)
        self.assertEqual(names(self.out), sorted([*whole, *kept]))
        inside = self.out / "pychoral/.codec.py.a1B2c3"
        inside.write_text("")
        self.assertEqual(self.ends(self.build())[0], DONE)
        self.assertFalse(inside.exists())

    def test_builds_at_once_all_win(self) -> None:
        whole = self.whole()
        for _ in range(4):
            shutil.rmtree(self.out, ignore_errors=True)
            for process in [self.build() for _ in range(5)]:
                status, err = self.ends(process)
                self.assertEqual(status, DONE, err)
            self.assertEqual(names(self.out), whole)

    def test_a_build_waits_for_another_and_says_so(self) -> None:
        self.out.mkdir()
        held = os.open(self.out, os.O_RDONLY)
        self.addCleanup(os.close, held)
        fcntl.flock(held, fcntl.LOCK_EX)
        cut, patient = self.build(), self.build()
        said = f"waiting for another program that writes `{self.out}`\n"
        for process in cut, patient:
            assert process.stderr
            self.assertEqual(process.stderr.readline(), said)
        cut.send_signal(signal.SIGINT)
        self.assertEqual(self.ends(cut)[0], -signal.SIGINT)
        self.assertEqual(names(self.out), [])
        fcntl.flock(held, fcntl.LOCK_UN)
        self.assertEqual(self.ends(patient)[0], DONE)

    def test_a_foreign_package_is_not_taken(self) -> None:
        (self.out / "pychoral").mkdir(parents=True)
        (self.out / "pychoral/own.py").write_text("mine\n")
        status, err = self.ends(self.build())
        self.assertEqual(status, FILE)
        self.assertIn("error[E0004]", err)
        self.assertEqual(names(self.out), ["pychoral", "pychoral/own.py"])
        self.assertEqual(self.ends(self.build("--force"))[0], DONE)
        self.assertEqual((self.out / "pychoral/own.py").read_text(), "mine\n")
        self.assertEqual(self.ends(self.build())[0], DONE)


UNTOLD = """\
from pychoral import At, Channel


def main(ch: Channel[object, A, B], n: At[int, A] = 1) -> None:
    # ein K\xf6mmentar
    if n > 0:
        print(ch.com("x"@A))
    else:
        print("no"@B)
"""


class Amended(FilesTest):
    def amend(self, content: bytes) -> bytes:
        path = self.folder / "x.pyc"
        path.write_bytes(content)
        done = self.call("check", "--amend", path)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.call("check", path).returncode, DONE)
        return path.read_bytes()

    def test_mode_links_and_names_stay(self) -> None:
        path, link, second = (self.folder / name for name in ("x.pyc", "link.pyc", "second.pyc"))
        path.write_text(UNTOLD)
        path.chmod(0o640)
        link.symlink_to("x.pyc")
        os.link(path, second)
        self.assertEqual(self.call("check", "--amend", "link.pyc").returncode, DONE)
        self.assertTrue(link.is_symlink())
        self.assertTrue(path.samefile(second))
        self.assertIn("select(", second.read_text())
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        second.unlink()
        path.write_text(UNTOLD)
        self.assertEqual(self.call("check", "--amend", "x.pyc").returncode, DONE)
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assertEqual(names(self.folder), ["link.pyc", "x.pyc"])

    def test_a_full_disk_loses_nothing(self) -> None:
        """The file may not grow: neither way of writing it leaves half of it."""
        path = self.folder / "x.pyc"
        for names_of_it in 1, 2:
            path.write_text(UNTOLD)
            if names_of_it == 2:
                os.link(path, self.folder / "second.pyc")
            limit = f"ulimit -f 0; exec {COMPILER} check --amend {path}"
            done = subprocess.run(["sh", "-c", f"trap '' XFSZ; {limit}"], text=True,
                                  capture_output=True, timeout=60)
            self.assertEqual(done.returncode, FILE, done.stderr)
            self.assertEqual(path.read_text(), UNTOLD)

    def test_mark_and_encodings(self) -> None:
        marked = self.amend(b"\xef\xbb\xbf" + UNTOLD.encode())
        self.assertEqual(marked.count(b"\xef\xbb\xbf"), 1)
        cookie = "# -*- coding: latin-1 -*-\n"
        self.assertIn(b"K\xf6mmentar", self.amend((cookie + UNTOLD).encode("latin-1")))
        path = self.folder / "x.pyc"
        wide = ("# -*- coding: shift_jis -*-\n# \u30c6\n" + UNTOLD.replace("\xf6", "o"))
        path.write_bytes(wide.encode("shift_jis"))
        done = self.call("check", "--amend", "x.pyc")
        self.assertEqual(done.returncode, ERRORS)
        self.assertIn("x.pyc: not amended: the encoding of x.pyc cannot be edited; "
                      "save it as UTF-8, and remove the declaration", done.stderr)
        self.assertEqual(path.read_bytes(), wide.encode("shift_jis"))

    def test_line_ends(self) -> None:
        for end in "\r", "\r\n":
            with self.subTest(end=end):
                text = self.amend(UNTOLD.replace("\n", end).encode()).decode()
                self.assertNotRegex(text.replace(end, ""), "[\r\n]")


class Options(FilesTest):
    def test_what_can_name_no_place_is_a_usage_error(self) -> None:
        for arguments, said in [
            (["build", SAMPLE, "-o", ""], "`--output` requires a value"),
            (["build", SAMPLE, "-o", "a", "-o", "b"], "`--output` is given twice: `a` and `b`"),
            (["parse", "--from-ir", "--ast", "a.ir"], "`--from-ir` cannot be used with `--ast`"),
            (["check", SAMPLE, "-I", "absent"], "no such folder: `--include=absent`"),
            (["run", SAMPLE, "--IP.x=1", "--IP.x=2"], "`--IP.x` is given twice: `1` and `2`"),
        ]:
            with self.subTest(arguments):
                done = self.call(*arguments)
                self.assertEqual(done.returncode, USAGE)
                self.assertTrue(done.stderr.startswith(f"error[E0003]: {said}\n"), done.stderr)
        self.assertEqual(names(self.folder), [])
        self.assertEqual(self.call("check", SAMPLE, "-I.", "-I", "..").returncode, DONE)

    def test_a_long_name_is_cut(self) -> None:
        name = "x" * 1_000_000
        (self.folder / "long.pyc").write_text(
            "from pychoral import Channel\n\n\ndef main(ch: Channel[int, A, B]) -> None:\n"
            f"    print(ch.com({name}@A))\n")
        done = self.call("check", "long.pyc")
        self.assertIn(f"name `{'x' * 59}...{'x' * 19}` is not defined\n", done.stderr)
        self.assertLess(len(done.stderr), 2000)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
