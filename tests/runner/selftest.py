"""The runner's own test: programs that must make it fail, each with the complaint it must make.

Where the compiler itself would have to be wrong, a wrapper plays a wrong one.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

RUN = Path(__file__).resolve().parents[1] / "run"

HEAD = "from pychoral import At, Channel\n\n\ndef main(ch: Channel[int, A, B]) -> None:\n"


@dataclass
class Case:
    name: str
    text: str
    complaint: str          # "" for a test that must pass
    folder: str = "programs"
    wrong: str = ""         # shell code that the wrapper runs after the compiler


CASES = [
    Case("good", HEAD + "    print(ch.com(1@A))  #> B: 1\n", ""),
    Case("wrong_text", HEAD + "    print(ch.com(1@A))  #> B: 2\n", "-2"),
    Case("wrong_role", HEAD + "    print(ch.com(1@A))  #> A: 1\n", "projected run: A prints"),
    Case("missing_output", HEAD + "    print(ch.com(1@A))  #> B: 1 #> B: 2\n", "-2"),
    Case("unmarked_output", HEAD + "    print(ch.com(1@A))\n", "+1"),
    Case("wrong_order", HEAD + "    #> B: 2\n    print(ch.com(1@A))  #> B: 1\n    print(2@B)\n",
         "B prints something else"),
    Case("unmarked_error", HEAD + "    print(1)\n", "+ unmarked  5: E0403", "check"),
    Case("missing_error", HEAD + "    ch.com(1@A)  #! E0403\n", "- missing   5: E0403", "check"),
    Case("wrong_code", HEAD + "    print(1)  #! E0402\n", "- missing   5: E0402", "check"),
    Case("wrong_line", HEAD + "    ch.com(1@A)  #! E0403\n    print(1)\n", "+ unmarked  6",
         "check"),
    Case("wrong_words", HEAD + "    print(1)  #! E0403 Carol\n", "E0403 Carol", "check"),
    Case("lines_up", HEAD + "    print(1)\n    #!^ E0403\n", "", "check"),
    Case("lacking_text", HEAD + "    print(1)  #! E0403\n    #? has: Carol\n", "lack Carol",
         "check"),
    Case("mended", "#@ mended\n" + HEAD + "    ch.com(1@a)  #! E0202\n", "", "check"),
    Case("not_mended", "#@ mended\n" + HEAD + "    print(1)  #! E0403\n",
         "with the edits that are shown: 6: E0403", "check"),
    Case("unwanted_text", HEAD + "    #? not B: def main_B\n    ch.com(1@A)\n", "have def main_B"),
    Case("error_in_program", HEAD + "    ch.com(1)\n", "unmarked  5: E0403"),
    Case("wrong_exit", "#@ exit A: 1\n" + HEAD + "    ch.com(1@A)\n", "A ends with 0, not 1"),
    Case("raises", HEAD + "    print(1 // (0@A))\n    ch.com(1@A)\n", "ZeroDivisionError"),
    Case("hangs", "#@ timeout: 2\n" + HEAD
         + "    while True@A:\n        pass\n    ch.com(1@A)  #! W0202\n", "A ends with 124"),
    Case("kills_the_worker", "import os\n" + HEAD + "    os._exit(0@A)\n", "ended its worker"),
    Case("passes_unexpectedly", "#@ xfail: no reason\n" + HEAD + "    ch.com(1@A)\n",
         "was expected to fail"),
    Case("fails_as_expected", "#@ xfail: a reason\n" + HEAD + "    print(ch.com(1@A))\n", ""),
    Case("no_such_directive", "#@ nonsense: 1\n" + HEAD + "    ch.com(1@A)\n", "no such directive"),
    Case("no_such_mark", HEAD + "    ch.com(1@A)  #! nonsense\n", "cannot read"),
    Case("untyped", "#@ c: no types\ndef half(x):\n    return x / 2\n\n\n" + HEAD +
         "    print(half(ch.com(1@A)))  #> B: 0.5\n", "missing a type annotation"),
    Case("refused_in_c", "def half(x):\n    return x / 2\n\n\n" + HEAD +
         "    print(half(ch.com(1@A)))  #> B: 0.5\n", "in C: refused"),
    Case("runs_in_c", "#@ c: it does not\n" + HEAD + "    print(ch.com(1@A))  #> B: 1\n",
         "runs in C, but is marked"),
    Case("central_differs", HEAD + "    print(ch.com(1@A))  #> B: 1\n", "central run",
         wrong='case "$*" in *--erase*) sed -i "s/1/2/" "$5";; esac'),
    Case("central_untyped", HEAD + "    print(ch.com(1@A))  #> B: 1\n", "central.py:",
         wrong='case "$*" in *--erase*) echo "word: str = main" >> "$5";; esac'),
    Case("projected_differs", HEAD + "    print(ch.com(5@A))  #> B: 5\n", "projected run",
         wrong='case "$*" in *--erase*) ;; *) sed -i "s/com(5,/com(6,/" "$4/a.py";; esac'),
    Case("not_reproducible", HEAD + "    ch.com(1@A)\n", "compiled twice, a.py differs",
         wrong='case "$*" in *--erase*) ;; *) echo "# $$" >> "$4/a.py";; esac'),
    Case("no_number", HEAD + "    print(ch.com(5@A))  #> B: 5\n", "a message without a number",
         wrong='case "$*" in *--erase*) ;; *) sed -i "s/, site=1//" "$4/b.py";; esac'),
    Case("no_place", HEAD + "    print(ch.com(5@A))  #> B: 5\n", "site 1 is not in SITES",
         wrong='case "$*" in *--erase*) ;; *) sed -i "s/    1:/    2:/" "$4/b.py";; esac'),
    Case("another_number", HEAD + "    print(ch.com(5@A))  #> B: 5\n", "is received under",
         wrong='case "$*" in *--erase*) ;; *) sed -i "s/site=1/site=2/;s/    1:/    2:/" "$4/b.py"'
               ";; esac"),
    Case("numbers_exchanged", HEAD + "    print(ch.com(5@A))  #> B: 5\n"
         + "    print(ch.com(6@A))  #> B: 6\n",
         "but received a value for (numbers_exchanged.pyc:5)",
         wrong='case "$*" in *--erase*) ;; *) sed -i "s/site=1/site=3/;s/site=2/site=1/;'
               's/site=3/site=2/" "$4/b.py";; esac'),
    Case("types_exchanged", "from enum import Enum\n\n\nclass E(Enum):\n    X = 1\n\n\n"
         "class F(Enum):\n    X = 1\n\n\n" + HEAD.replace("int", "object")
         + "    print(ch.com(E.X@A), ch.com(F.X@A))  #> B: E.X F.X\n", "one number stands for",
         wrong='case "$*" in *--erase*) ;; *) sed -i "s/types=(E, F)/types=(F, E)/" "$4/b.py"'
               ";; esac"),
    Case("stray_message", HEAD + "    ch.com(1@A)\n", "also says", wrong="echo noise >&2"),
]


def wrapper(folder: Path, compiler: Path, wrong: str) -> Path:
    """A compiler that does what `compiler` does, and then something wrong."""
    path = folder / "wrong-compiler"
    path.write_text(f'#!/bin/sh\n"{compiler}" "$@"; status=$?\n{wrong}\nexit $status\n')
    path.chmod(0o755)
    return path


def try_case(case: Case, compiler: Path) -> str:
    """What is wrong with the runner's answer; "" if nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / case.folder
        folder.mkdir()
        file = folder / f"{case.name}.pyc"
        file.write_text(case.text)
        program = wrapper(Path(name), compiler, case.wrong) if case.wrong else compiler
        command = [sys.executable, str(RUN), str(file), "--compiler", str(program),
                   "--c-report", str(folder / "report")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    printed = done.stdout + done.stderr
    wanted = "0 passed, 1 failed\n" if case.complaint else "1 passed, 0 failed\n"
    if not printed.endswith(wanted) or (done.returncode != 0) != bool(case.complaint):
        return f"ends with {done.returncode} and\n{printed}"
    return "" if case.complaint in printed else f"does not say {case.complaint!r}, but\n{printed}"


def try_plain(cases: list[Case], compiler: Path) -> dict[str, str]:
    """The cases of the compiler as it is, in one run: each is named alone, with its complaint.
    Gives what is wrong with the runner's answers, by the case's name."""
    with tempfile.TemporaryDirectory() as name:
        for case in cases:
            folder = Path(name) / case.folder
            folder.mkdir(exist_ok=True)
            (folder / f"{case.name}.pyc").write_text(case.text)
        folders = sorted({str(Path(name) / case.folder) for case in cases})
        command = [sys.executable, str(RUN), *folders, "--compiler", str(compiler),
                   "--c-report", str(Path(name) / "report")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    complaints = sections(done.stdout)
    wrong = {case.name: f"says {complaints.get(case.name)!r}" for case in cases
             if not fits(case, complaints.get(case.name))}
    bad = sum(1 for case in cases if case.complaint)
    ending = f"{len(cases) - bad} passed, {bad} failed\n"
    if not done.stdout.endswith(ending) or "to repeat: tests/run" not in done.stdout:
        wrong["all together"] = f"ends with {done.returncode} and\n{done.stdout + done.stderr}"
    return wrong


def sections(printed: str) -> dict[str, str]:
    """What the runner says of each test that fails, by its name."""
    found = re.split(r"^(?:FAILED )?\S*?(\w+)\.pyc\b", printed, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2]))


def fits(case: Case, said: str | None) -> bool:
    return said is None if not case.complaint else said is not None and case.complaint in said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, required=True)
    compiler = parser.parse_args().compiler.resolve()
    wrong = try_plain([case for case in CASES if not case.wrong], compiler)
    for case in CASES:
        if case.wrong and (complaint := try_case(case, compiler)):
            wrong[case.name] = complaint
    for name, complaint in wrong.items():
        print(f"FAILED {name}: the runner {complaint}")
    print(f"{len(CASES) + 1 - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
