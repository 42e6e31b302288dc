"""The command line of pychoralc: bad input, exit codes, what is written and what never is."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

SAMPLE = ROOT / "samples" / "hello_roles.pyc"
DONE, ERRORS, USAGE, FILE, FAILED = 0, 1, 2, 3, 4
HEAD = "from pychoral import At, Channel\n\n\ndef main(ch: Channel[int, A, B]) -> None:\n"

COMPILER = ROOT / "build/release/pychoralc"


class CliTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def call(self, *arguments: object, **options: object) -> "subprocess.CompletedProcess[str]":
        environment = dict(os.environ, NO_COLOR="1")
        return subprocess.run([str(COMPILER), *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, timeout=120, env=environment,
                              stdin=subprocess.DEVNULL, **options)  # type: ignore[call-overload]

    def write(self, name: str, content: "str | bytes") -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def expect(self, status: int, words: str, *arguments: object) -> str:
        """One clear diagnostic: the exit code, the words, no word of a crash, nothing on stdout."""
        done = self.call(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertRegex(done.stderr, words)
        self.assertEqual(len(re.findall(r"error\[", done.stderr)), 1, done.stderr)
        self.assertNotIn("internal error", done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr


class BadInput(CliTest):
    def test_missing_file(self) -> None:
        self.expect(FILE, r"E0001.*missing\.pyc", "check", "missing.pyc")

    def test_directory(self) -> None:
        self.expect(FILE, r"E0001.*directory", "check", self.folder)

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable(self) -> None:
        path = self.write("secret.pyc", "x = 1\n")
        path.chmod(0)
        self.expect(FILE, "E0001", "check", path)

    def test_empty(self) -> None:
        self.expect(ERRORS, "E0006", "check", self.write("empty.pyc", ""))

    def test_no_choreography(self) -> None:
        self.expect(ERRORS, "E0006", "check", self.write("plain.pyc", "x = 1\n"))

    def test_bytecode(self) -> None:
        bytecode = b"\xa7\r\r\n" + bytes(12) + b"\xe3" + bytes(40)
        self.expect(ERRORS, r"E0002.*bytecode", "check", self.write("real.pyc", bytecode))

    def test_binary(self) -> None:
        self.expect(ERRORS, "E01", "check", self.write("binary.pyc", bytes(range(128, 256)) * 4))

    def test_nul_bytes(self) -> None:
        done = self.call("check", self.write("nul.pyc", b"x = 1\n\0\0\n"))
        self.assertEqual(done.returncode, ERRORS)
        self.assertRegex(done.stderr, r"E01.*(?i:nul)")

    def test_invalid_utf8(self) -> None:
        self.expect(ERRORS, r"latin\.pyc:2:.*E0100", "check",
                    self.write("latin.pyc", b"x = 1\ny = '\xe9'\n"))

    def test_unknown_encoding(self) -> None:
        self.expect(ERRORS, r"E0100.*klingon", "check",
                    self.write("cookie.pyc", "# -*- coding: klingon -*-\nx = 1\n"))

    def test_too_deep(self) -> None:
        text = "x = " + "-(" * 5000 + "1" + ")" * 5000 + "\n"
        done = self.call("check", self.write("deep.pyc", text))
        self.assertEqual(done.returncode, ERRORS)
        self.assertRegex(done.stderr, "E01")

    def test_long_chain(self) -> None:
        for terms, status in ((1000, DONE), (1001, ERRORS), (100_000, ERRORS)):
            chain = "    x: At[int, A] = " + "+".join(["1"] * terms) + "\n    ch.com(x)\n"
            done = self.call("check", self.write("chain.pyc", HEAD + chain))
            self.assertEqual(done.returncode, status, done.stderr[:500])
            self.assertEqual("E0111" in done.stderr, status == ERRORS)

    def test_long_chain_of_calls(self) -> None:
        """Each function calls the next one while the module loads."""
        calls = "".join(f"def f{i}() -> int:\n    return f{i + 1}()\n" for i in range(20_000))
        calls += "def f20000() -> int:\n    return 1\nX = f0()\n"
        text = f"{calls}{HEAD}    print(ch.com(X@A))\n"
        done = self.call("check", self.write("calls.pyc", text))
        self.assertEqual(done.returncode, DONE, done.stderr[:500])

    def test_error_limit(self) -> None:
        done = self.call("check", self.write("many.pyc", HEAD + "    print(1)\n" * 50))
        self.assertEqual(len(re.findall("error.E0403", done.stderr)), 20)
        self.assertIn("30", done.stderr)


class SyntaxErrors(CliTest):
    """One file for each family of the reader's diagnostics."""

    CASES = {
        "E0101": "x = = 1\n",
        "E0102": "if True:\n        x = 1\n    y = 2\n",
        "E0103": "x = (1, 2\n",
        "E0104": "x = 'abc\n",
        "E0105": "x = 0b12\n",
        "E0106": "x = 1 $ 2\n",
        "E0107": "1 = x\n",
        "E0108": "f(a=1, 2)\n",
        "E0109": "f'{x!z}'\n",
        "E0111": "x = " + "(" * 5000 + "1" + ")" * 5000 + "\n",
    }

    def test_families(self) -> None:
        for code, text in self.CASES.items():
            with self.subTest(code):
                done = self.call("check", self.write("syntax.pyc", text), "--error-format=short")
                self.assertEqual(done.returncode, ERRORS)
                self.assertIn(f"error[{code}]", done.stderr)


class Usage(CliTest):
    def test_unknown_option(self) -> None:
        self.expect(USAGE, r"E0003.*--bogus", "check", "--bogus", SAMPLE)

    def test_unknown_command(self) -> None:
        self.assertIn("did you mean `check`", self.expect(USAGE, "E0003", "chek", SAMPLE))

    def test_no_file(self) -> None:
        self.expect(USAGE, "E0003.*`check` requires a file", "check")

        self.expect(USAGE, "E0003.*`keygen` requires a file or role", "keygen")

    def test_values_of_options(self) -> None:
        for option, said in [("--max-errors=-1", "must be a whole number of at most 9 digits, not"),
                             ("--color=red", "must be `auto`, `always` or `never`, not `red`"),
                             ("-o", "it is an option of `build`, "),
                             ("-entry", "did you mean `--entry`")]:
            self.assertIn(said, self.expect(USAGE, "E0003", "check", SAMPLE, option))
        done = self.expect(USAGE, "E0003", "check", SAMPLE, "--max-errors=")
        self.assertEqual(done.count("error["), 1)
        self.expect(USAGE, "`mixed` or a language for each role.*not `x`", "run", SAMPLE,
                    "--target=x")

    def test_bytes_that_are_no_text(self) -> None:
        for start, said in [(b"", "the byte 0xff is not valid UTF-8\n"),
                            (b"# coding: ascii\n", "not valid ASCII, the encoding that the file")]:
            (self.folder / "bytes.pyc").write_bytes(start + b"x = '\xff'\n")
            self.assertIn(said, self.expect(ERRORS, "E0100", "check", "bytes.pyc"))

    def test_no_output(self) -> None:
        self.expect(USAGE, "E0003", SAMPLE)

    def test_unknown_entry(self) -> None:
        self.expect(ERRORS, "E0007.*nothing", "check", "--entry=nothing", SAMPLE)
        self.assertIn("did you mean `main`", self.expect(ERRORS, "E0007", "check", "--entry=mian",
                                                         SAMPLE))

    def test_what_to_run(self) -> None:
        path = self.write("serve.pyc", "from pychoral import At, Channel\n\n\n"
                          "def serve(ch: Channel[int, A, B], n: At[int, A]) -> None:\n"
                          "    print(ch.com(n))\n")
        self.assertIn("--entry=serve", self.expect(ERRORS, "E0007", "run", path))

    def test_imported_entry(self) -> None:
        self.write("pkg/__init__.pyc", "X = 1\n")
        self.write("pkg/main.pyc", "from pychoral import At, Channel\n\nfrom . import X\n\n\n"
                   "def main(ch: Channel[int, A, B]) -> None:\n    print(ch.com(X@A))\n")
        path = self.write("main.pyc", "from pkg.main import main\n")
        said = self.expect(ERRORS, "E0007.*main.pyc` is a library", "run", path)
        self.assertIn("`main` is imported from `pkg.main`", said)
        self.assertIn("`--ROLE.n`", self.expect(USAGE, "E0003", "run", path, "--n=3"))

    def test_no_arguments(self) -> None:
        done = self.call()
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("Choreographies", done.stdout + done.stderr)

    def test_help(self) -> None:
        for arguments in (["--help"], ["-h"], ["check", "--help"], ["build", "--help"],
                          ["run", "--help"], ["view", "--help"], ["parse", "--help"]):
            with self.subTest(arguments):
                done = self.call(*arguments)
                self.assertEqual((done.returncode, done.stderr), (DONE, ""))
                self.assertTrue(done.stdout)

    def test_version(self) -> None:
        self.assertRegex(self.call("--version").stdout, r"^pychoralc \d+\.\d+\.\d+\n$")

    def test_explain_every_code(self) -> None:
        table = (ROOT / "compiler/base/diag.def").read_text()
        for code in re.findall(r'^DIAG\(\w+,\s*"(\w+)"', table, re.MULTILINE):
            with self.subTest(code):
                done = self.call("explain", code)
                self.assertEqual(done.returncode, DONE)
                self.assertIn(code, done.stdout)
        self.expect(USAGE, "E0003.*E9999", "explain", "E9999")


class Output(CliTest):
    def test_programs(self) -> None:
        done = self.call(SAMPLE, "-o", "out")
        self.assertEqual(done.returncode, DONE, done.stderr)
        names = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertEqual(names, ["alice.py", "bob.py", "pychoral"])
        self.assertTrue((self.folder / "out/pychoral/endpoint.py").exists())
        self.assertEqual(list((self.folder / "out").rglob("__pycache__")), [])

    def test_no_runtime(self) -> None:
        self.call(SAMPLE, "-o", "out", "--no-runtime")
        self.assertFalse((self.folder / "out/pychoral").exists())

    def test_written_again(self) -> None:
        self.call(SAMPLE, "-o", "out")
        first = (self.folder / "out/alice.py").read_bytes()
        self.assertEqual(self.call(SAMPLE, "-o", "out").returncode, DONE)
        self.assertEqual((self.folder / "out/alice.py").read_bytes(), first)

    def test_one_role(self) -> None:
        self.call(SAMPLE, "-o", "out", "--role=Bob", "--no-runtime")
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["bob.py"])

    def test_no_path_or_time_inside(self) -> None:
        self.call(SAMPLE, "-o", "out", "--no-runtime")
        text = (self.folder / "out/alice.py").read_text()
        self.assertNotIn(str(ROOT), text)
        self.assertNotIn(str(self.folder), text)
        self.assertRegex(text, r"\A# Generated by pychoralc \S+ from hello_roles\.pyc \(sha256 ")

    def test_foreign_file(self) -> None:
        (self.folder / "out").mkdir()
        self.write("out/bob.py", "mine = 1\n")
        self.expect(FILE, r"E0004.*bob\.py", SAMPLE, "-o", "out")
        self.assertEqual((self.folder / "out/bob.py").read_text(), "mine = 1\n")
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["bob.py"])
        self.assertEqual(self.call(SAMPLE, "-o", "out", "--force").returncode, DONE)
        self.assertIn("Generated by", (self.folder / "out/bob.py").read_text())

    def test_own_files_beside_the_source(self) -> None:
        """`-o .`: no file of the user is lost, and a source that is compiled not even by force."""
        lib = "from pychoral import At, Channel\n\n\ndef f(ch: Channel[int, A, B]) -> None:\n" \
              "    ch.com(1@A)\n"
        own = {"json.py": "mine = 1\n", "json_.py": "mine = 2\n", "a.py": "mine = 3\n",
               "lib.py": lib, "pychoral/mine.py": "mine = 4\n",
               "json.pyc": "import json\nimport lib\n" + HEAD + "    lib.f(ch)\n"
                           "    print(json.dumps(ch.com(1@A)))\n"}
        (self.folder / "pychoral").mkdir()
        for name, text in own.items():
            self.write(name, text)

        def kept() -> "dict[str, str]":
            return {name: (self.folder / name).read_text() for name in own}

        for arguments in (["json.pyc", "-o", "."], ["json.pyc", "-o", ".", "--force"],
                          ["lib.py", "-o", "."], ["lib.py", "-o", ".", "--force"],
                          ["json.pyc", "--erase", "-o", "lib.py", "--force"],
                          ["json.pyc", "--erase", "-o", "json.py"],
                          ["view", "json.pyc", "-o", "lib.py", "-f"]):
            with self.subTest(arguments):
                done = self.call(*arguments)
                self.assertEqual(done.returncode, FILE, done.stderr)
                self.assertIn("error[E0004]", done.stderr)
                self.assertEqual(kept(), own)
                self.assertEqual({str(path.relative_to(self.folder))
                                  for path in self.folder.rglob("*.*")}, set(own))

    def test_output_is_a_file(self) -> None:
        self.write("out", "mine\n")
        done = self.call(SAMPLE, "-o", "out")
        self.assertEqual(done.returncode, FILE)
        self.assertEqual((self.folder / "out").read_text(), "mine\n")

    def test_nothing_written_after_errors(self) -> None:
        done = self.call(self.write("bad.pyc", HEAD + "    print(1)\n"), "-o", "out")
        self.assertEqual(done.returncode, ERRORS)
        self.assertFalse((self.folder / "out").exists())

    @unittest.skipIf(os.geteuid() == 0, "root writes everywhere")
    def test_unwritable(self) -> None:
        self.folder.chmod(0o500)
        self.addCleanup(self.folder.chmod, 0o700)
        self.expect(FILE, "E0005", SAMPLE, "-o", "out")

    def test_output_below_a_file(self) -> None:
        self.write("file", "x")
        self.expect(FILE, "E0005", SAMPLE, "-o", "file/out")

    def test_output_to_a_device_or_pipe(self) -> None:
        """It is written to as it is: nobody reads it first, and nothing takes its place."""
        for command in ("--erase", "view"):
            for place in ("/dev/stdout", "/dev/fd/1"):
                done = self.call(command, SAMPLE, "-o", place)
                self.assertEqual(done.returncode, DONE, done.stderr)
                self.assertEqual(done.stdout, self.call(command, SAMPLE, "-o", "-").stdout)
            self.assertEqual(self.call(command, SAMPLE, "-o", "/dev/null").returncode, DONE)
            if Path("/dev/full").exists():
                self.expect(FILE, "E0005", command, SAMPLE, "-o", "/dev/full")
        os.mkfifo(self.folder / "alice.py")
        self.expect(FILE, "E0004", SAMPLE, "-o", ".")
        self.assertTrue((self.folder / "alice.py").is_fifo())

    def test_check_writes_nothing(self) -> None:
        self.assertEqual(self.call("check", SAMPLE).returncode, DONE)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_standard_input(self) -> None:
        with SAMPLE.open() as source:
            done = subprocess.run([str(COMPILER), "check", "-"], stdin=source, capture_output=True)
        self.assertEqual(done.returncode, DONE, done.stderr)


class Running(CliTest):
    def test_run(self) -> None:
        done = self.call("run", SAMPLE, "--Alice.name", "Ada")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("Bob: heard: hello, this is Ada\n", done.stdout)
        self.assertIn("Alice: => 'hello, nice to meet you, Ada'\n", done.stdout)

    def test_run_fails(self) -> None:
        path = self.write("fails.pyc", HEAD + "    print(1 // (0@A))\n    ch.com(1@A)\n")
        done = self.call("run", path)
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("ZeroDivisionError", done.stderr)
        self.assertRegex(done.stderr, "E0008.*A failed with exit status 1")
        self.assertEqual(done.stderr.count("error["), 1)
        self.assertIn("note: B exited with status 75", done.stderr)

    def test_run_names_the_signal(self) -> None:
        path = self.write("killed.pyc", "import os\n" + HEAD + "    os.kill(os.getpid()@A, 9)\n"
                          "    ch.com(1@A)\n")
        done = self.call("run", path)
        self.assertEqual(done.returncode, FAILED)
        self.assertRegex(done.stderr, r"(?m)^A was killed by SIGKILL$")
        self.assertIn("error[E0008]: A was killed by SIGKILL\n", done.stderr)
        self.assertNotIn("gdb", done.stderr)

    def test_a_module_that_is_not_found_is_named(self) -> None:
        done = self.call("check", ROOT / "tests/check/module_missing.pyc")
        for module in ("nowhere", "elsewhere"):
            self.assertIn(f"note: module `{module}` was not found", done.stderr)

    def test_run_says_who_still_runs(self) -> None:
        path = self.write("endless.pyc", HEAD + "    n: At[int, A] = 1\n    while n > 0:\n"
                          "        n += 1\n    ch.com(n)\n")
        with subprocess.Popen([str(COMPILER), "run", str(path), "--timeout", "1"],
                              stderr=subprocess.PIPE, text=True) as run:
            self.addCleanup(run.kill)
            lines = []
            for line in run.stderr or ():
                lines.append(line)
                if "still running" in line:
                    break
            run.send_signal(signal.SIGINT)
            rest = (run.stderr.read() if run.stderr else "")
        self.assertEqual(run.returncode, FAILED, lines)
        self.assertIn("waiting for A, which is still running (Ctrl-C stops it)\n", lines)
        self.assertIn("interrupted", rest)

    def test_erased(self) -> None:
        done = self.call(SAMPLE, "--erase", "-o", "central.py")
        self.assertEqual(done.returncode, DONE, done.stderr)
        environment = dict(os.environ, PYTHONPATH=str(ROOT / "runtime/python"))
        run = subprocess.run([sys.executable, "central.py", "--Alice.name", "Ada"], cwd=self.folder,
                             env=environment, capture_output=True, text=True, timeout=60)
        self.assertIn("Alice: => 'hello, nice to meet you, Ada'\n", run.stdout)

    def test_views(self) -> None:
        mermaid = self.call("view", SAMPLE)
        self.assertEqual(mermaid.returncode, DONE, mermaid.stderr)
        self.assertIn("sequenceDiagram", mermaid.stdout)
        self.assertRegex(mermaid.stdout, r"Alice->>\+?Bob")
        svg = self.call("view", "--format=svg", SAMPLE)
        self.assertEqual(svg.returncode, DONE, svg.stderr)
        self.assertIn("<svg", svg.stdout)
        page = self.call("view", "--format=html", SAMPLE)
        self.assertEqual(page.returncode, DONE, page.stderr)
        self.assertIn("<!DOCTYPE html>", page.stdout)

    def test_view_shows_where_paths_go_on(self) -> None:
        path = self.write("jumps.pyc", "from enum import Enum\nfrom pychoral import At, Channel\n"
                          "class To(Enum):\n    GO = 1\n    STOP = 2\n"
                          "def main(ch: Channel[int, A, B], xs: At[list[int], A]) -> None:\n"
                          "    for x in xs:\n"
                          "        if x > 2:\n"
                          "            ch.select(To.STOP@A)\n            break\n"
                          "        ch.select(To.GO@A)\n"
                          "    else:\n        ch.select(To.STOP@A)\n"
                          "    match len(xs):\n"
                          "        case 0:\n            ch.select(To.STOP@A)\n            return\n"
                          "        case 1 | 2 if xs[0] > 3:\n            ch.select(To.GO@A)\n"
                          "        case _:\n            ch.select(To.STOP@A)\n            return\n"
                          "    ch.com(3@A)\n")
        done = self.call("view", path)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual([line.strip() for line in done.stdout.splitlines()[4:]], [
            "loop A: for x in xs", "alt A: x #62; 2", "A-)B: STOP",
            "note over A,B: leaves the loop", "else otherwise", "A-)B: GO", "end", "end",
            "alt no break", "A-)B: STOP", "end",
            "alt A: len(xs) is 0", "A-)B: STOP", "note over A,B: returns",
            "else 1 | 2 if xs[0] #62; 3", "A-)B: GO", "A->>B: int",
            "else _", "A-)B: STOP", "note over A,B: returns", "end"])

    def test_passes(self) -> None:
        done = self.call("--passes")
        self.assertEqual(done.returncode, DONE)
        for name in ("parse", "check", "project"):
            self.assertIn(name, done.stdout)
            for dump in ("--dump", "--dump-ir"):
                shown = self.call("check", f"{dump}={name}", SAMPLE)
                self.assertEqual(shown.returncode, DONE, shown.stderr)
                self.assertTrue(shown.stdout)


class RunHelp(CliTest):
    """`run FILE --help` says what the program itself takes."""

    def test_parameters(self) -> None:
        more = "B], *, n: At[int, B], way: At[list[str],\n  A] = ['a',\n'b'] @ A)"
        self.write("x.pyc", HEAD.replace("B])", more) + "    pass\n")
        done = self.call("run", "x.pyc", "--help")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertTrue(done.stdout.startswith(self.call("help", "run").stdout))
        self.assertTrue(done.stdout.endswith("""
Options of x.pyc
      --B.n=VALUE             int, required
      --A.way=VALUE           list[str] (['a', 'b'])
      --A.stdin=FILE          the standard input of A; `-`: this terminal
      --B.stdin=FILE          the standard input of B; `-`: this terminal
"""), done.stdout)

    def test_a_file_that_cannot_be_run(self) -> None:
        self.write("x.pyc", "def f() -> None: ...\n")
        for name, status in (("x.pyc", ERRORS), ("none.pyc", FILE)):
            done = self.call("run", name, "--help")
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(done.stdout, self.call("help", "run").stdout)
            self.assertIn(name, done.stderr)


class Endpoints(CliTest):
    """A generated program by itself, started as a user would."""

    def setUp(self) -> None:
        super().setUp()
        self.call(SAMPLE, "-o", "out")

    def endpoint(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, "-E", *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=60, stdin=subprocess.DEVNULL)

    def test_help(self) -> None:
        done = self.endpoint("out/alice.py", "--help")
        self.assertEqual(done.returncode, DONE)
        for words in ("Alice", "hello_roles.pyc", "--name", "--timeout", "--bind", "--connect"):
            self.assertIn(words, done.stdout)

    def test_missing_option(self) -> None:
        done = self.endpoint("out/alice.py")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--name", done.stderr)

    def test_nobody_there(self) -> None:
        done = self.endpoint("out/bob.py", "--timeout", "0.3", "--run", f"alone-{os.getpid()}")
        self.assertEqual(done.returncode, 75)
        self.assertIn("Alice", done.stderr)

    def test_two_processes(self) -> None:
        run = ["--run", f"cli-{os.getpid()}"]
        bob = subprocess.Popen([sys.executable, "-E", "out/bob.py", *run], cwd=self.folder,
                               stdout=subprocess.PIPE, text=True)
        alice = self.endpoint("out/alice.py", "--name", "Ada", *run)
        printed, _ = bob.communicate(timeout=60)
        self.assertEqual((alice.returncode, bob.returncode), (0, 0), alice.stderr)
        self.assertEqual(printed, "heard: hello, this is Ada\n")
        self.assertIn("=> 'hello, nice to meet you, Ada'", alice.stdout)


class Installed(CliTest):
    def test_install(self) -> None:
        """The installed compiler finds the package beside itself."""
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith("MAKE")}
        # What is there is installed: nothing is made anew under those who use it at this time.
        made = [f"--old-file={COMPILER.parent / name}"
                for name in ("pychoralc", "libpychoral_runtime.a")]
        subprocess.run(["make", "install", f"O={COMPILER.parent.parent}", *made,
                        f"variant={COMPILER.parent.name}", f"DESTDIR={self.folder}",
                        "PREFIX=/usr"], cwd=ROOT, env=environment, check=True, capture_output=True)
        program = self.folder / "usr/bin/pychoralc"
        done = subprocess.run([program, SAMPLE, "-o", "out"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertTrue((self.folder / "out/pychoral/endpoint.py").exists())
        self.assertEqual(list(self.folder.rglob("__pycache__")), [])
        for name in ("man/man1/pychoralc.1", "bash-completion/completions/pychoralc",
                     "zsh/site-functions/_pychoralc", "fish/vendor_completions.d/pychoralc.fish",
                     "doc/pychoralc/README.md", "doc/pychoralc/docs/c-target.md"):
            self.assertGreater((self.folder / "usr/share" / name).stat().st_size, 500, name)


class Packages(CliTest):
    """tests/install.sh, with tools that only write down how they were called."""

    def install(self, installed: str, user: int, sudo: bool) -> "subprocess.CompletedProcess[str]":
        query = f'case " {installed} " in *" $4 "*) echo installed;; *) exit 1; esac'
        tools = {"id": f"echo {user}", "apt-get": 'echo "apt-get $*" >> calls', "dpkg-query": query}
        if sudo:
            tools["sudo"] = 'echo sudo >> calls; "$@"'
        (self.folder / "bin").mkdir()
        for name, text in tools.items():
            path = self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        script = str(ROOT / "tests/install.sh")
        return subprocess.run(["/bin/sh", script, "flex", "bison"], cwd=self.folder, text=True,
                              env={"PATH": str(self.folder / "bin")}, capture_output=True)

    def calls(self) -> str:
        path = self.folder / "calls"
        return path.read_text() if path.exists() else ""

    def test_all_there(self) -> None:
        done = self.install("flex bison", 0, sudo=False)
        self.assertEqual((done.returncode, done.stdout, self.calls()), (0, "", ""))

    def test_one_missing(self) -> None:
        done = self.install("flex", 0, sudo=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Installing Debian packages: bison\n", done.stdout)
        self.assertRegex(self.calls(), r"(?s)update.*install.* bison$")
        self.assertNotIn("flex", self.calls())

    def test_with_sudo(self) -> None:
        self.assertEqual(self.install("", 1000, sudo=True).returncode, 0)
        self.assertEqual(self.calls().count("sudo"), 2)

    def test_without_rights(self) -> None:
        done = self.install("", 1000, sudo=False)
        self.assertEqual((done.returncode, self.calls()), (1, ""))
        self.assertIn("apt-get install flex bison", done.stderr)


class Samples(CliTest):
    """Choreographies are Python that `mypy --strict` accepts, with the package's plugin."""

    def mypy(self, folder: Path, *arguments: object) -> None:
        config = self.write("mypy.ini", "[mypy]\nstrict = True\nplugins = pychoral.mypy_plugin\n")
        runtime = str(ROOT / "runtime/python")
        environment = dict(os.environ, MYPYPATH=runtime, PYTHONPATH=runtime)
        done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(config),
                               "--cache-dir", os.devnull, *map(str, arguments)],
                              cwd=folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_mypy(self) -> None:
        self.mypy(self.folder, "--scripts-are-modules", *sorted((ROOT / "samples").glob("*.pyc")))

    def test_mypy_of_modules(self) -> None:
        for program in ("library", "packages", "roles"):
            with self.subTest(program):
                folder = self.folder / program
                shutil.copytree(ROOT / "tests/modules" / program, folder)
                for path in folder.rglob("*.pyc"):
                    path.rename(path.with_suffix(".py"))
                self.mypy(folder, "--namespace-packages", "main.py")

    def test_mypy_keeps_the_values_in_types(self) -> None:
        path = self.write("modes.pyc", "from typing import Annotated, Literal\n" + HEAD +
                          '    m: At[Literal["A", "fast"], A] = "fast"\n'
                          '    n: At[Annotated[int, "B"], A] = 1\n    print(m, n)\n'
                          'def pick(x: Literal["B"]) -> Literal["B"]:\n    return x\n')
        self.mypy(self.folder, "--scripts-are-modules", path)
        wrong = self.write("wrong.pyc", path.read_text().replace('= "fast"', '= "slow"'))
        with self.assertRaisesRegex(AssertionError, "Incompatible types in assignment"):
            self.mypy(self.folder, "--scripts-are-modules", wrong)

    def test_mypy_finds_mistakes(self) -> None:
        path = self.write("wrong.pyc", HEAD + "    b: At[str, B] = ch.com(1@A)\n")
        with self.assertRaisesRegex(AssertionError, "Incompatible types in assignment"):
            self.mypy(self.folder, "--scripts-are-modules", path)


class SharedState(CliTest):
    def test_more_than_can_be_followed(self) -> None:
        """Each list may hold each: what roles share is refused where it is not found out."""
        count = 1600
        lines = ["from pychoral import At, Channel", "ALL: list[object] = []"]
        lines += [f"L{i}: list[object] = []\nALL.append(L{i})" for i in range(count)]
        lines += [f"L{i}.extend(ALL)" for i in range(count)]
        lines += ["def main(ch: Channel[int, A, B], a: At[int, A] = 1) -> None:",
                  "    print(ch.com(a))"]
        self.expect(ERRORS, "E0408.*cannot be analyzed", "check",
                    self.write("lists.pyc", "\n".join(lines) + "\n"))


class Size(CliTest):
    def build(self, text: str) -> None:
        done = self.call(self.write("large.pyc", text), "-o", "out", "--no-runtime", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr[:500])

    def test_ten_thousand_messages(self) -> None:
        body = "".join(f"    b{i}: At[int, B] = ch.com({i}@A)\n" for i in range(10_000))
        self.build(HEAD + body)
        self.assertEqual((self.folder / "out/a.py").read_text().count("ch.com("), 10_000)

    def test_two_hundred_roles(self) -> None:
        channels = ", ".join(f"c{i}: Channel[int, R{i}, R{i + 1}]" for i in range(199))
        body = "".join(f"    x{i + 1}: At[int, R{i + 1}] = c{i}.com(x{i})\n" for i in range(199))
        self.build("from pychoral import At, Channel\n\n\n"
                   f"def main({channels}, x0: At[int, R0]) -> None:\n{body}")
        self.assertEqual(len(list((self.folder / "out").glob("r*.py"))), 200)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
