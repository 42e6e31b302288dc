"""`doctor`, the manual page and the completion scripts: complete, and valid for who reads them.

Options, commands and exit codes are read from the tables (option.def, command.def, exit.def).
"""

import os
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
TABLES = ROOT / "compiler/command"


def table(name: str, row: str) -> list[str]:
    """A column of a table, by a pattern."""
    return re.findall(row, (TABLES / name).read_text(encoding="utf-8"), re.MULTILINE)


PROGRAM = """\
from pychoral import At, Channel


def main(ch: Channel[str, Client, Service], name: At[str, Client] = "ada") -> None:
    print(ch.com(name))
"""
OPTIONS = table("option.def", r'^(?:OPTION|FLAG)\(\w+,\s*"([\w-]+)"')
COMMANDS = table("command.def", r'^COMMAND\(\w+,\s*"([\w-]+)"')
CODES = table("exit.def", r"^EXIT\(\w+,\s*(\d+)")


class Texts(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-manual-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def call(self, *arguments: object,
             **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(COMPILER), *map(str, arguments)], text=True, timeout=60,
                              capture_output=True, cwd=self.folder,
                              env={**os.environ, **environment})

    def output(self, *arguments: object) -> str:
        done = self.call(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def pipe(self, text: str, *command: str) -> str:
        done = subprocess.run(command, input=text, text=True, timeout=60, cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout


class Help(Texts):
    def test_alias(self) -> None:
        self.assertEqual(self.output("help"), self.output("--help"))
        for command in COMMANDS:
            self.assertEqual(self.output("help", command), self.output(command, "--help"))
        self.assertIn("did you mean `check`", self.call("help", "chek").stderr)

    def test_complete(self) -> None:
        """Each command and each option stands in one of the helps, and exit codes in all."""
        whole, texts = self.output("help"), [self.output("help", each) for each in COMMANDS]
        for command in COMMANDS:
            self.assertIn(f"  {command} ", whole)
        for name in OPTIONS:
            self.assertTrue(any(f"--{name}" in text for text in texts), name)
        for text in texts:
            self.assertEqual(re.findall(r"^ +(\d+)  ", text, re.MULTILINE), CODES)

    def test_defaults(self) -> None:
        """Whatever takes a value says what it is without it, in the help, page and completions."""
        for command in COMMANDS:
            rows = re.findall(r"^ +(?:-\w, )?--[a-z].*(?:\n {20,}.*)?",
                              self.output("help", command), re.MULTILINE)
            for line in rows:
                self.assertEqual(re.match(r" +(?:-\w, )?--[a-z-]+\[?=", line) is not None,
                                 " (default: " in line, line)
        self.assertIn("(default: 20)", self.output("help", "check"))
        self.assertIn("(default: 20)", self.output("manual"))
        for shell in "zsh", "fish":
            self.assertRegex(self.output("completions", shell), r"\(default\\?: 20\)")

    def test_one_screen(self) -> None:
        lines = self.output("help").splitlines()
        self.assertLessEqual(len(lines), 36)
        self.assertLessEqual(max(map(len, lines)), 100)

    def write_program(self) -> None:
        """The program that the examples of the help are about."""
        (self.folder / "auth.pyc").write_text(PROGRAM, encoding="utf-8")
        (self.folder / "rules.py").write_text("x = 1\n", encoding="utf-8")
        (self.folder / "trace.py").write_text("def call(f): return f()\n", encoding="utf-8")
        (self.folder / "model.py").write_text("def loss(w: float, b: float) -> float:\n"
                                              "    return w * w + b\n", encoding="utf-8")

    def test_examples(self) -> None:
        """Every example that the help and the manual page show does what it says."""
        self.write_program()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/pychoralc").symlink_to(COMPILER.resolve())
        texts = [self.output("help"), *(self.output("help", each) for each in
                                        ("build", "run", "view", "grad", "virtualize"))]
        found = re.findall(r"^\w*  +(pychoralc .*?)(?:  +.*)?$", "\n".join(texts), re.MULTILINE)
        lines = list(dict.fromkeys(found))
        self.assertGreaterEqual(len(lines), 11)
        for line in lines:
            with self.subTest(line):
                done = subprocess.run(["sh", "-c", line], cwd=self.folder, text=True, timeout=60,
                                      capture_output=True, env={
                                          **os.environ, "PATH": f"bin:{os.environ['PATH']}",
                                          "PYTHON": sys.executable})
                self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "out/client.py").exists())
        self.assertTrue((self.folder / "out/service.py").exists())
        self.assertIn("<svg", (self.folder / "auth.svg").read_text(encoding="utf-8"))

    def test_every_option_of_every_command(self) -> None:
        """What `COMMAND --help` lists is taken, whatever else is refused as what it is."""
        self.write_program()
        values = {"PATH": "made", "NAME": "main", "NAME,..": "main",
                  "ROLE": "Client", "DIR": ".", "N": "3",
                  "PASS": "check", "SECONDS": "9.5", "LIST": "call", "FILE.py": "mine.py",
                  "FILE": "made.json",
                  "ROLE=ADDR": "Client=tcp://h:1"}
        operands = {"build": ["auth.pyc", "-oout"], "check": ["auth.pyc"],
                    "run": ["auth.pyc", "--Client.name=x"], "view": ["auth.pyc"],
                    "keygen": ["auth.pyc", "-okeys", "-f"],
                    "grad": ["plain.py:f"], "virtualize": ["plain.py"],
                    "distribute": ["distributed.py"], "parse": ["auth.pyc"],
                    "explain": ["E0402"], "doctor": [],
                    "completions": ["zsh"], "manual": [], "help": ["check"]}
        self.assertEqual(list(operands), COMMANDS)
        (self.folder / "distributed.py").write_text("s = MirroredStrategy()\n")
        (self.folder / "plain.py").write_text("def f(main: float) -> float:\n    return main\n")
        (self.folder / "mine.py").write_text("def call(f): return f\n", encoding="utf-8")
        for command in COMMANDS:
            found = re.findall(r"^ {2}(?:-(\w), | {4})--([a-z-]+)(?:(\[?)=([^\s\]]+)\]?)?(?:\s|$)",
                               self.output(command, "--help"), re.MULTILINE)
            self.assertGreaterEqual(len(found), 4)
            for letter, name, optional, argument in found:
                word = values.get(argument, argument.split("|")[-1])
                word += f"-{command}" if argument == "PATH" else ""
                target = "horovod" if command == "distribute" else "python"
                word = {"typeshed": "none", "target": target}.get(name, word)
                forms = [[f"--{name}={word}" if argument else f"--{name}"]]
                if argument and not optional:
                    forms.append([f"--{name}", word])
                if optional:
                    forms.append([f"--{name}"])
                if letter:
                    forms.append([f"-{letter}{word}" if argument else f"-{letter}"])
                for form in forms:
                    more = {"diff": ["--amend"] if command == "check" else [],
                            "output": ["--force"], "trace": ["--force"], "map": ["--force"],
                            "erase": ["-ocentral.py"],
                            "workers": ["--target=tf"]}.get(name, [])
                    if name in ("batch", "compile", "no-line", "from-ir", "sparse", "panes"):
                        continue    # tests/cpython, test_c.py, test_panes.py, virtual, grad
                    given = [word for word in operands[command] if not (
                        word.startswith("-o") and name in ("output", "erase"))]
                    with self.subTest([command, *form]):
                        done = self.call(command, *given, *form, *more,
                                         PYTHON=sys.executable)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertNotIn("E0003", done.stderr)
            for name in set(OPTIONS) - {option for _, option, _, _ in found}:
                done = self.call(command, *operands[command], f"--{name}")
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"`{command}` has no option `--{name}`", done.stderr)
                self.assertIn("it is an option of `", done.stderr)
                self.assertEqual(done.stderr.count("error["), 1)

    def test_options_that_do_not_go_together(self) -> None:
        self.write_program()
        for arguments, words in [(["check", "auth.pyc", "--diff"], "`--amend --diff`"),
                                 (["check", "auth.pyc", "--amend", "--cost"],
                                  "cannot be used together"),
                                 (["auth.pyc", "--erase", "--role=Client"],
                                  "cannot be used together"),
                                 (["run", "auth.pyc", "--timeout=soon"], "number of seconds"),
                                 (["run", "--out", "x", "auth.pyc"], "has no option `--out`")]:
            done = self.call(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("error["), 1, done.stderr)

    def test_documented_statuses(self) -> None:
        page = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\| (\d+) \|", page, re.MULTILINE), CODES)

    def test_unknown_words(self) -> None:
        for arguments, near in [(["chek", "a.pyc"], "`check`"), (["run", "a.pyc", "--time-out=1"],
                                "`--timeout`"), (["completions", "bsh"], "`bash`"),
                                (["check", "--dump=prase", "a.pyc"], "`parse`")]:
            with self.subTest(arguments):
                done = self.call(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"did you mean {near}?", done.stderr)


class Manual(Texts):
    def test_complete(self) -> None:
        text = self.pipe(self.output("manual"), "mandoc", "-T", "ascii", "-O", "width=200")
        text = re.sub(".\x08", "", text)
        for name in OPTIONS:
            self.assertIn(f"--{name}", text)
        for name in COMMANDS:
            self.assertRegex(text, rf"(?m)^ +{name}\b")
        self.assertEqual(re.findall(r"^ {7}(\d+)", text, re.MULTILINE), CODES)

    def test_valid(self) -> None:
        self.pipe(self.output("manual"), "mandoc", "-T", "lint", "-W", "warning")


class Completion(Texts):
    def bash(self, *words: str) -> list[str]:
        """What bash offers for the last word."""
        script = self.output("completions", "bash")
        line = " ".join(f"'{word}'" for word in words)
        return self.pipe(f"{script}\nCOMP_WORDS=(pychoralc {line})\nCOMP_CWORD={len(words)}\n"
                         "_pychoralc\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n", "bash").split()

    def test_bash(self) -> None:
        (self.folder / "shop.pyc").touch()
        self.assertEqual(self.bash("ch"), ["check"])
        self.assertEqual(set(self.bash("")), {*COMMANDS, "shop.pyc"})
        self.assertEqual(self.bash("check", "sh"), ["shop.pyc"])
        self.assertEqual(self.bash("check", "--error-format", "=", "s"), ["short", "sarif"])
        self.assertEqual(self.bash("check", "--color", "n"), ["never"])
        self.assertEqual(self.bash("explain", "E060"), ["E0601", "E0602", "E0603", "E0604"])
        self.assertEqual(self.bash("help", "vi"), ["view", "virtualize"])
        self.assertIn("--timeout=", self.bash("run", "--t"))
        self.assertNotIn("--timeout=", self.bash("check", "--t"))
        self.assertIn("--output=", self.bash("shop.pyc", "--o"))
        self.assertEqual(self.bash("view", "-o", "sh"), ["shop.pyc"])

    def test_zsh(self) -> None:
        script = self.folder / "_pychoralc"
        script.write_text(self.output("completions", "zsh"), encoding="utf-8")
        self.pipe("", "zsh", "-n", str(script))
        for name in OPTIONS:
            self.assertIn(f"--{name}", script.read_text(encoding="utf-8"))

    def test_fish(self) -> None:
        (self.folder / "pychoralc.fish").write_text(self.output("completions", "fish"),
                                                    encoding="utf-8")

        def offers(line: str) -> list[str]:
            text = self.pipe("", "fish", "--no-config", "-c",
                             f"source pychoralc.fish; complete -C '{line}'")
            return [row.split("\t")[0] for row in text.splitlines()]

        self.assertIn("check", offers("pychoralc ch"))
        self.assertEqual(offers("pychoralc view --format="),
                         [f"--format={name}" for name in ("dot", "html", "mermaid", "svg")])
        self.assertIn("--timeout", offers("pychoralc run --t"))
        self.assertNotIn("--timeout", offers("pychoralc check --t"))
        self.assertIn("E0601", offers("pychoralc explain E06"))


class Doctor(Texts):
    def test_well(self) -> None:
        done = self.call("doctor", PYTHON=sys.executable)
        self.assertEqual(done.returncode, 0, done.stdout)
        for what in ("runtime", "python", "zmq", "msgpack", "temporary", "colour"):
            self.assertRegex(done.stdout, rf"(?m)^ok +{what} ")

    def test_ill(self) -> None:
        done = self.call("doctor", PYTHON=str(self.folder / "none"), PATH="/nowhere",
                         TMPDIR=str(self.folder / "none"))
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertRegex(done.stdout, r"(?m)^missing +python +apt-get install python3")
        self.assertRegex(done.stdout, r"(?m)^missing +temporary .* TMPDIR$")
        self.assertRegex(done.stdout, r"(?m)^absent +cc ")

    def test_packages(self) -> None:
        python = self.folder / "python"
        python.write_text(f"#!/bin/sh\nexec {sys.executable} -S \"$@\"\n", encoding="utf-8")
        python.chmod(0o755)
        done = self.call("doctor", PYTHON=str(python), PYTHONPATH="")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stdout, r"(?m)^missing +zmq +apt-get install python3-zmq")
        self.assertRegex(done.stdout, r"(?m)^absent +mypy ")


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
