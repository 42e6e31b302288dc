"""docs/gallery.md: every code, its smallest program, its message - written, or compared.

The same of docs/first-hour.md: the programs of tests/first_hour, and all that the compiler says
of each.

The program of a code is the shortest test that must have it: one of tests/check that marks it, or
the one of its page (compiler/base/explain). The codes of files, options and endpoints have a
command instead, in COMMANDS.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/gallery.md"
MISTAKES = ROOT / "docs/first-hour.md"
DIAG = re.compile(r'^DIAG\(\w+,\s*"(\w+)",\s*\w+,\s*"(.*)"\)', re.MULTILINE)
MARK = re.compile(r"\s*#(?:!\^*|\?|@) .*")
WIDEST = 110

HEAD = """\
# Gallery of errors

Every code with the smallest test that has it, and what the compiler says. `make gallery` writes
this page, and a test compares. `pychoralc explain CODE` says more about each.
"""

MISTAKES_HEAD = """\
# Mistakes of the first hour

Programs as people write them who begin, each with one mistake, and all that the compiler says of
it. `make gallery` writes this page from `tests/first_hour`, and a test compares.
"""

HELLO = """\
from pychoral import At, Channel


def main(ch: Channel[int, A, B], a: At[int, A] = 0) -> None:
    ch.com(1 // a)
"""


RULES = """\
class Rules:
    if 1 < 2:
        fast = True
"""


@dataclass
class Command:
    line: str                                   # behind `pychoralc`
    files: dict[str, str] = field(default_factory=dict)
    crash: bool = False                         # it is sent a signal while it reads the file


def without_marks(text: str) -> str:
    """The program without its marks; lines that hold nothing else go."""
    lines = []
    for line in text.split("\n"):
        bare = MARK.sub("", line)
        if bare or not line:
            lines.append(bare)
    return "\n".join(lines)


COMMANDS = {
    "E0001": Command("check missing.pyc"),
    "E0002": Command("check module.pyc", {"module.pyc": "\xa7\r\r\n" + "\0" * 12}),
    "E0003": Command("check --max-error=3 hello.pyc", {"hello.pyc": HELLO}),
    "E0004": Command("hello.pyc -o out", {"hello.pyc": HELLO, "out/a.py": "mine = 1\n"}),
    "E0005": Command("hello.pyc -o notes/out", {"hello.pyc": HELLO, "notes": "mine\n"}),
    "E0006": Command("check plain.pyc", {"plain.pyc": 'def main() -> None:\n    print("hello")\n'}),
    "E0007": Command("check hello.pyc --entry=start", {"hello.pyc": HELLO}),
    "E0008": Command("run hello.pyc", {"hello.pyc": HELLO}),
    "E0009": Command("check entry_method_clash.pyc --entry=C.m", {
        "entry_method_clash.pyc": without_marks(
            (ROOT / "tests/check/entry_method_clash.pyc").read_text(encoding="utf-8"))}),
    "E0010": Command("check program.pyc", crash=True),
    "E0222": Command("check main.pyc", {
        "main.pyc": "from pychoral import At, Channel\n\nimport lib\n\n\n"
                    "def main(ch: Channel[int, A, B], a: At[int, A] = 0) -> None:\n"
                    "    lib.ask(ch, a)\n",
        "lib.chi": "# interface 0\n"}),
    "E0802": Command("c_any.pyc -o out --target=c", {
        "c_any.pyc": without_marks(
            (ROOT / "tests/check/c_any.pyc").read_text(encoding="utf-8"))}),
    "E0100": Command("check latin.pyc", {"latin.pyc": "# coding: klingon\nx = 1\n"}),
    "E1001": Command("virtualize rules.py --hooks=contrl", {"rules.py": RULES}),
    "E1002": Command("virtualize rules.py", {"rules.py": "# coding: euc-jp\nprint('\xa4\xa2')\n"}),
    "E1003": Command("virtualize rules.py --overload=mine.py", {
        "rules.py": RULES, "mine.py": "def calls(f, *args):\n    return f(*args)\n"}),
    "W1001": Command("virtualize rules.py", {
        "rules.py": "from pychoral.virtual.py_defaults import call as _pc_call\n"
                    "_pc_call(print, 1)\n"}),
    "W1002": Command("virtualize rules.py -o out.py", {"rules.py": RULES}),
    "W1003": Command("virtualize rules.py --overload=mine.py -o out.py", {
        "rules.py": "def positive(rows):\n    for row in rows:\n        yield row\n",
        "mine.py": "def for_stmt(target, items, body, orelse, local_writes):\n"
                   "    for item in items:\n        body(item)\n"}),
}


def codes() -> dict[str, str]:
    """Each code and its summary; those of `distribute` are about other programs."""
    table = (ROOT / "compiler/base/diag.def").read_text(encoding="utf-8")
    return {code: summary.replace('\\"', '"') for code, summary in DIAG.findall(table)
            if code[1:3] != "11"}


def smallest_programs() -> dict[str, tuple[str, str]]:
    """For each code that a program marks: the program's name and text."""
    found: dict[str, tuple[str, str]] = {}
    for path in sorted((ROOT / "tests/check").glob("*.pyc")):
        text = path.read_bytes().decode("utf-8", errors="replace")
        if "#@ source:" in text or "#@ entry:" in text:
            continue
        program = without_marks(text)
        for code in set(re.findall(r"#!\^* ([EW]\d{4})", text)):
            if code not in found or len(program) < len(found[code][1]):
                found[code] = path.name, program
    for path in sorted((ROOT / "compiler/base/explain").glob("*.md")):
        match = re.search(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"),
                          re.MULTILINE | re.DOTALL)
        if match and len(match[1]) < len(found.get(path.stem, ("", match[1] + " "))[1]):
            found[path.stem] = f"{path.stem.lower()}.pyc", match[1]
    return found


class Gallery:
    def __init__(self, compiler: Path) -> None:
        self.compiler = compiler
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-gallery-"))

    def crashed(self, arguments: list[str], environment: dict[str, str]) -> str:
        """What it says when a fault of its own ends it; the file is a pipe that lets it wait."""
        pipe = self.folder / arguments[2]
        os.mkfifo(pipe)
        process = subprocess.Popen(arguments, text=True, cwd=self.folder, env=environment,
                                   stderr=subprocess.PIPE)
        with pipe.open("w"):
            process.send_signal(signal.SIGSEGV)
            return process.communicate(timeout=60)[1]

    def message(self, code: str, line: str, crash: bool = False) -> str:
        """What the compiler says about this code; the first of several."""
        environment = dict(os.environ, NO_COLOR="1", PYTHON=sys.executable)
        arguments = [str(self.compiler), *line.split(" "), "--color=never"]
        said = self.crashed(arguments, environment) if crash else subprocess.run(
            arguments, text=True, cwd=self.folder, env=environment, capture_output=True,
            timeout=60).stderr
        for message in said.split("\n\n"):
            at = re.search(rf"^.*(?:error|warning)\[{code}\]", message, re.MULTILINE)
            if at:
                return re.sub(r"\n +=? *for more: .*", "", message[at.start():]).rstrip()
        raise SystemExit(f"{code}: `pychoralc {line}` does not give it:\n{said}")

    def of_command(self, code: str, command: Command) -> str:
        shown = ""
        for name, text in command.files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("latin-1"))
            if text.isprintable() or text.isascii():
                shown += "" if text == HELLO and code > "E0003" else \
                    f"`{name}`:\n\n```python\n{text}```\n\n"
        text = self.message(code, command.line, command.crash)
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        return f"{shown}`pychoralc {command.line}`\n\n```text\n{narrow(text)}\n```\n"

    def of_program(self, code: str, name: str, program: str) -> str:
        (self.folder / name).write_text(program, encoding="utf-8")
        grad = f"grad {name}:f" if code.startswith("E09") else None
        text = self.message(code, grad or f"check {name}")
        command = f"`pychoralc {grad}`\n\n" if grad else ""
        return f"```python\n{narrow(program.rstrip())}\n```\n\n{command}" \
               f"```text\n{narrow(text)}\n```\n"

    def of_mistake(self, path: Path) -> str:
        """A program of tests/first_hour: its comment has what is wanted, and maybe a command."""
        lines = path.read_text(encoding="utf-8").split("\n")
        count = next(i for i, line in enumerate(lines) if not line.startswith("# "))
        comment = [line[2:] for line in lines[:count]]
        (self.folder / path.name).write_text("\n".join(lines[count + 1:]), encoding="utf-8")
        command = next((line[2:] for line in comment if line.startswith("$ ")),
                       f"pychoralc check {path.name}")
        done = subprocess.run([str(self.compiler), *command.split(" ")[1:], "--color=never"],
                              text=True, cwd=self.folder, capture_output=True, timeout=60,
                              env=dict(os.environ, NO_COLOR="1", PYTHON=sys.executable))
        if done.returncode == 0:
            raise SystemExit(f"{path.name}: `{command}` finds nothing")
        title = path.stem[3:].replace("_", " ").capitalize()
        said = re.sub(r"\n +=? *for more: .*", "", done.stderr).rstrip()
        wanted = "\n".join(line for line in comment if not line.startswith("$ "))
        program = "\n".join(lines[count + 1:]).rstrip()
        return f"## {title}\n\n{wanted}\n\n```python\n{narrow(program)}\n```\n\n" \
               f"`{command}`\n\n```text\n{narrow(said)}\n```\n"

    def mistakes(self) -> str:
        paths = sorted((ROOT / "tests/first_hour").glob("*.pyc"))
        return "\n".join([MISTAKES_HEAD, *map(self.of_mistake, paths)])

    def page(self) -> str:
        parts = [HEAD]
        programs = smallest_programs()
        for code, summary in codes().items():
            parts.append(f"## {code}: {summary}\n")
            if code in COMMANDS:
                parts.append(self.of_command(code, COMMANDS[code]))
            elif code in programs:
                parts.append(self.of_program(code, *programs[code]))
            else:
                raise SystemExit(f"no program of tests/check marks {code}")
        return "\n".join(parts)


def narrow(text: str) -> str:
    return "\n".join(line if len(line) <= WIDEST else line[:WIDEST] + " ..."
                     for line in text.split("\n"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, default=ROOT / "build/release/pychoralc")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if it is stale")
    options = parser.parse_args()
    gallery = Gallery(options.compiler.resolve())
    try:
        pages = {PAGE: gallery.page(), MISTAKES: gallery.mistakes()}
    finally:
        shutil.rmtree(gallery.folder, ignore_errors=True)
    if not options.check:
        for path, page in pages.items():
            path.write_text(page, encoding="utf-8")
        return 0
    stale = [path for path, page in pages.items()
             if not path.exists() or path.read_text(encoding="utf-8") != page]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is stale; `make gallery` writes it again")
    print(f"{len(pages) - len(stale)} passed, {len(stale)} failed")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
