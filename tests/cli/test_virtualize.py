"""`pychoralc virtualize`: its options, what it writes and what it never does, its diagnostics."""

import json
import os
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
DONE, ERRORS, USAGE, FILE = 0, 1, 2, 3
SOURCE = ('"""Doc."""\nfrom __future__ import annotations\n\n\n'
          "def f(a):\n    if a:\n        return g(a)\n")
IMPORTS = "from pychoral.virtual.py_defaults import "


class VirtualizeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-virtualize-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def call(self, *arguments: object, source: "str | bytes | None" = None
             ) -> "subprocess.CompletedProcess[bytes]":
        if source is not None:
            data = source if isinstance(source, bytes) else source.encode()
            (self.folder / "a.py").write_bytes(data)
        return subprocess.run([str(COMPILER), "virtualize", *map(str, arguments)], cwd=self.folder,
                              capture_output=True, timeout=60, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, NO_COLOR="1"))

    def text(self, source: str, *arguments: object) -> str:
        """The text without the line that binds names."""
        done = self.call("--emit=json", "a.py", *arguments, source=source)
        self.assertEqual(done.returncode, DONE, done.stderr)
        return str(json.loads(done.stdout)["text"])

    def expect(self, status: int, words: str, *arguments: object) -> str:
        done = self.call(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertRegex(done.stderr.decode(), words)
        return done.stderr.decode()

    # ---- what is written ----

    def test_the_line_of_imports_stands_behind_docstring_and_future(self) -> None:
        done = self.call("a.py", "--hooks=call,if_stmt", source=SOURCE)
        self.assertEqual(done.returncode, DONE, done.stderr)
        lines = done.stdout.decode().split("\n")
        self.assertEqual(lines[:2], SOURCE.split("\n")[:2])
        self.assertEqual(lines[2], IMPORTS + "call as _pc_call, nothing as _pc_nothing, "
                         "if_stmt as _pc_if_stmt")
        self.assertEqual(lines[5:], [
            "def f(a):", "    def _pc_t1(): return (a)", "    def _pc_b1():",
            "        return (_pc_call(g, a)),",
            "    _pc_s = _pc_if_stmt(_pc_t1, _pc_b1, _pc_nothing, ()); del _pc_t1, _pc_b1",
            "    if _pc_s is not None: return _pc_s[0]", ""])

    def test_without_constructs_the_bytes_stay(self) -> None:
        source = b"#!/usr/bin/python3\n# -*- coding: latin-1 -*-\nx = '\xe9'\r\n\x0c\ny = x"
        done = self.call("a.py", "--hooks=control,call", "-o", "b.py", source=source)
        self.assertEqual((done.returncode, (self.folder / "b.py").read_bytes()), (DONE, source))

    def test_bytes_outside_of_edits_stay(self) -> None:
        for start, letter, end in [(b"", b"\xc3\xa9", b"\r\n"),
                                   (b"\xef\xbb\xbf", b"\xc3\xa9", b"\n"),
                                   (b"# coding: latin-1\n", b"\xe9", b"\n")]:
            source = start + b"f('" + letter + b"')  # " + letter + end + b"f(1)" + end
            done = self.call("a.py", "--hooks=call", source=source)
            self.assertEqual(done.returncode, DONE, done.stderr)
            line = IMPORTS.encode() + b"call as _pc_call" + end
            mark = 3 if start.startswith(b"\xef") else len(start)
            expected = (source[:mark] + line + source[mark:]).replace(b"f(", b"_pc_call(f, ")
            self.assertEqual(done.stdout, expected)

    def test_overload_file(self) -> None:
        (self.folder / "mine.py").write_text("import sys\ndef call(f, *a): return f(*a)\n"
                                             "while_stmt = call\nraise SystemExit(1)\n")
        done = self.call("a.py", "--overload=mine.py", source="while f(1): break\n")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(done.stdout.decode().split("\n")[0],
                         "from pychoral.virtual import hook as _pc_hook; "
                         "import mine as _pc_overload; from pychoral.virtual.py_defaults import "
                         "BREAK as _pc_BREAK, nothing as _pc_nothing; "
                         "_pc_call = _pc_hook(_pc_overload, 'call'); "
                         "_pc_while_stmt = _pc_hook(_pc_overload, 'while_stmt')")

    def test_files_with_the_prefix_get_another(self) -> None:
        self.assertEqual(self.text("_pc_x = f()\n", "--hooks=call"), "_pc_x = _pc2_call(f)\n")

    def test_regions_that_are_off(self) -> None:
        source = ("f()\n# pychoralc: off\nf()\n# pychoralc: on\nf()\n"
                  "s = '''\n# pychoralc: off\n'''\nf()\n")
        self.assertEqual(self.text(source, "--hooks=call").count("_pc_call"), 3)

    def test_one_function(self) -> None:
        source = "f()\ndef g():\n    f()\n\n@d(1)\ndef h():\n    f()\n"
        self.assertEqual(self.text(source, "--hooks=call", "--function=2").count("_pc_call"), 1)
        for line in 5, 6:
            text = self.text(source, "--hooks=call", f"--function={line}")
            self.assertEqual(text, source[:-4] + "_pc_call(f)\n")

    def test_a_second_run_changes_nothing(self) -> None:
        self.call("a.py", "-i", source=SOURCE)
        first = (self.folder / "a.py").read_bytes()
        self.assertIn(b"_pc_call", first)
        stderr = self.expect(DONE, r"W1001", "a.py", "-i")
        self.assertIn("already virtualized", stderr)
        self.assertEqual((self.folder / "a.py").read_bytes(), first)

    # ---- options ----

    def test_check_and_diff(self) -> None:
        done = self.call("--check", "a.py", source=SOURCE)
        self.assertEqual((done.returncode, done.stdout), (ERRORS, b""))
        done = self.call("--diff", "a.py")
        self.assertEqual(done.returncode, ERRORS)
        self.assertIn(b"\n+    def _pc_b1():\n", done.stdout)
        self.assertEqual((self.folder / "a.py").read_text(), SOURCE)
        for option in "--check", "--diff":
            self.assertEqual(self.call(option, "a.py", source="x = 1\n").returncode, DONE)

    def test_output_is_not_overwritten(self) -> None:
        (self.folder / "b.py").write_text("mine\n")
        self.call(source=SOURCE)
        self.expect(FILE, "E0004", "a.py", "-o", "b.py")
        self.assertEqual((self.folder / "b.py").read_text(), "mine\n")
        self.assertEqual(self.call("a.py", "-o", "b.py", "--force").returncode, DONE)
        self.assertIn("_pc_call", (self.folder / "b.py").read_text())
        self.expect(FILE, "E0004", "a.py", "-o", "a.py", "--force")

    def test_map(self) -> None:
        self.call("a.py", "--hooks=if_stmt", "-o", "b.py", "--map=m.json", source=SOURCE)
        found = json.loads((self.folder / "m.json").read_text())
        self.assertEqual(found["source"], "a.py")
        out = (self.folder / "b.py").read_text().split("\n")
        for line, into, count in found["lines"]:
            for i in range(count):
                if out[line + i - 1] == "def f(a):":
                    self.assertEqual(into + i, 5)
        self.assertEqual(sum(count for _, _, count in found["lines"]), len(out))

    def test_report(self) -> None:
        source = "class A:\n    if f: pass\ndef g():\n    if locals(): pass\n"
        done = self.call("a.py", "--hooks=if_stmt", "--report", source=source)
        self.assertEqual(done.stdout.decode().split("\n"), [
            "a.py:2: `if`, `elif`: in a class body",
            "a.py:4: `if`, `elif`: it may read the variables of its own frame", ""])
        done = self.call("a.py", "--hooks=if_stmt", "--report=json")
        self.assertEqual([s["line"] for s in json.loads(done.stdout)["plain"]], [2, 4])
        self.assertIn("W1002", self.expect(DONE, "2 constructs", "a.py", "--hooks=if_stmt"))
        done = self.call("a.py", "--hooks=with_stmt", "--report",
                         source="def f():\n    with a as (\n        b\n    ): pass\n"
                                "def g():\n    with a as b[(yield)]: pass\n")
        self.assertEqual(done.stdout.decode().split("\n"), [
            "a.py:2: an item of `with`: its target is on several lines",
            "a.py:6: an item of `with`: its target contains `yield` or `await`", ""])

    def test_several_files(self) -> None:
        self.call(source=SOURCE)
        self.expect(USAGE, "E0003", "a.py", "a.py")
        self.assertEqual(self.call("a.py", "a.py", "--check").returncode, ERRORS)
        self.expect(USAGE, "E0003", "a.py", "-i", "-o", "b.py")
        self.expect(USAGE, "E0003", "a.py", "--hooks=all", "--overload=b.py")
        self.expect(USAGE, "`--in-place` cannot be used with standard input", "-", "-i")
        self.expect(USAGE, "`--emit` must be `json`, not `text`", "a.py", "--emit=text")

    # ---- bad input ----

    def test_unknown_hooks(self) -> None:
        self.call(source=SOURCE)
        stderr = self.expect(ERRORS, "E1001", "a.py", "--hooks=contrl")
        self.assertIn("did you mean `control`?", stderr)
        self.expect(ERRORS, "E1001", "a.py", "--hooks=call,,")

    def test_encodings_that_cannot_be_edited(self) -> None:
        source = "# coding: euc-jp\nf('\u3042')\n".encode("euc-jp")
        self.call(source=source)
        self.expect(ERRORS, "E1002", "a.py", "--hooks=call", "-o", "b.py")
        self.assertFalse((self.folder / "b.py").exists())
        self.assertEqual(self.call("a.py", "--hooks=if_stmt").stdout, source)

    def test_overload_without_hooks(self) -> None:
        self.call(source=SOURCE)
        (self.folder / "none.py").write_text("x = 1\n")
        self.expect(ERRORS, "E1003", "a.py", "--overload=none.py")
        (self.folder / "not-a-name.py").write_text("call = 1\n")
        self.expect(ERRORS, "E1003", "a.py", "--overload=not-a-name.py")
        self.expect(FILE, "E0001", "a.py", "--overload=missing.py")

    def test_forms_that_the_overload_lacks(self) -> None:
        (self.folder / "mine.py").write_text("def if_stmt(t, b, o, w): pass\n")
        self.call(source="def g():\n    if f: yield 1\n")
        self.expect(DONE, "W1003", "a.py", "--overload=mine.py")
        self.call(source="def g():\n    if f: yield 1\nclass C:\n    if f: x = 1\n"
                         "async def h():\n    if f: await f\n")
        done = self.call("a.py", "--overload=mine.py")
        self.assertIn("2 statements would need a hook", done.stderr.decode())
        self.assertIn("3 constructs of `a.py` keep", done.stderr.decode())

    def test_nothing_is_run(self) -> None:
        run = "open('ran', 'w')\nif 1: open('ran', 'w')\n"
        (self.folder / "mine.py").write_text(run + "def call(f, *a): return f(*a)\n")
        done = self.call("a.py", "--overload=mine.py", "-o", "b.py", source=run)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"a.py", "b.py", "mine.py"})

    def test_what_cannot_be_virtualized_is_left_and_counted(self) -> None:
        source = ("class C:\n    x = 1\n    if x: y = x and 2\n"
                  "def f(a):\n    if (b := a) and (c := b): return locals()\n"
                  "def g(a):\n    if a:\n        global d\n        d = a or (e := 1)\n")
        done = self.call("a.py", "--hooks=control,bool", source=source)
        self.assertEqual((done.returncode, done.stdout.decode()), (DONE, source))
        self.assertIn("6 constructs of `a.py` keep", done.stderr.decode())
        report = self.call("a.py", "--hooks=control,bool", "--report").stdout.decode()
        self.assertEqual([line.split(":")[1] for line in report.splitlines()],
                         ["3", "3", "5", "5", "7", "9"])

    def test_syntax_errors_write_nothing(self) -> None:
        self.call(source="if f(:\n")
        self.expect(ERRORS, "E01", "a.py", "-o", "b.py")
        self.call(source="def f():\n    nonlocal x\n    if x: pass\n")
        self.expect(ERRORS, "E0112", "a.py", "-o", "b.py")
        self.assertFalse((self.folder / "b.py").exists())


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
