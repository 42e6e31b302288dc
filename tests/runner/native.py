"""The C endpoints of a test: compiles them, runs them alone and with Python endpoints in turn.

All C: one process for each role. Mixed: the first role, the third ... as a process, the others as
threads of this one (pychoral.harness) over the same sockets. What is printed, the exit statuses and
the errors must be as marked, like those of the projected run.
"""

import os
import re
import shlex
import shutil
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner import compare
from runner.compiler import Compiler
from runner.marks import Test

if TYPE_CHECKING:
    from runner.execute import Ending

RUNTIME_C = Path(__file__).resolve().parents[2] / "runtime" / "c"
REFUSED = "E0802"
MAKE_SECONDS = 60
HARDEN = "-fPIE -fstack-protector-strong"       # as the written Makefile has it without -O
MOST_SHOWN = 40         # lines about one test
# libzmq 4.3.4 now and then aborts a process whose peer closes its connection at the wrong moment.
LIBZMQ_FAULT = "Assertion failed: !_io_error"


@dataclass
class Native:
    """How a test fares in C: `agrees`, `refused` or `wrong`, and why."""

    kind: str
    reason: str = ""


@dataclass
class Settings:
    """How programs in C are compiled for tests."""

    cc: str = "cc"
    flags: str = "-O0"
    # Both halve the time.
    linker: str = ("-fuse-ld=gold " if shutil.which("ld.gold") else "") + "-Wl,-S"
    preprocessor: str = ""

    def precompile(self, folder: Path) -> None:
        """The header that all programs include is read once: a third of their time. If the options
        differ from those of the Makefile that the compiler writes, the programs do not compile."""
        folder.mkdir()
        header = folder / "precompiled.h"
        header.write_text('#include "builtins/builtins.h"\n')
        subprocess.run([*shlex.split(f"{self.cc} -std=c17 {HARDEN} {self.flags}"), f"-I{RUNTIME_C}",
                        "-x", "c-header", "-o", f"{header}.gch", str(header)], check=True)
        # gcc forgets the header's `#pragma GCC diagnostic ignored`.
        self.preprocessor = f"-I{folder} -include {header.name} -Winvalid-pch -Wno-missing-braces"


MOST_MARKED = 0.06      # of the tests that run,
FEW = 100               # where they are not only some


class Table:
    """How all tests fare in C."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str]] = []      # kind, file, reason

    def add(self, test: Test, native: Native) -> list[str]:
        """What there is to complain about, where all must run in C."""
        kind, reason = native.kind, native.reason
        title = os.path.relpath(test.path)
        if test.c is not None and kind != "agrees":
            self.rows.append(("marked", title, f"{test.c} ({first_line(kind, reason)})"))
            return []
        self.rows.append((kind, title, reason))
        if test.c is not None:
            return [f"runs in C, but is marked: {test.c}"]
        return [] if kind == "agrees" else [f"in C: {kind}: {reason}"]

    def count(self, kind: str) -> int:
        return sum(row[0] == kind for row in self.rows)

    def too_many(self) -> bool:
        return len(self.rows) > FEW and self.count("marked") > MOST_MARKED * len(self.rows)

    def summary(self, file: Path) -> str:
        """One line; the file says more."""
        kinds = ("wrong", "refused", "marked", "agrees")
        rows = sorted(self.rows, key=lambda row: (kinds.index(row[0]), row[1]))
        reasons = Counter(gist(kind, reason) for kind, _, reason in rows if kind != "agrees")
        text = "".join(f"{count:4} {reason}\n" for reason, count in reasons.most_common()) + "\n"
        text += "".join(f"{kind:<8} {title}{indented(reason)}\n" for kind, title, reason in rows)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="backslashreplace")
        wrong = [Path(title).stem for kind, title, _ in rows if kind == "wrong"]
        shown = ", ".join(wrong[:8]) + (", ..." if len(wrong) > 8 else "")
        named = f" ({shown})" if wrong else ""
        return (f"C: {self.count('agrees')} of {len(rows)} run and agree, "
                f"{self.count('refused')} refused, {len(wrong)} wrong{named}, "
                f"{self.count('marked')} marked; see {os.path.relpath(file)}")


def gist(kind: str, reason: str) -> str:
    """What a reason has in common with those of other tests: nothing that is named."""
    lines = [line for line in reason.splitlines() if "error:" in line or "undefined" in line]
    line = lines[0].partition("error:")[2] or lines[0].rpartition("undefined")[2] if lines \
        else (reason.splitlines() or [""])[0]
    return f"{kind}: " + re.sub(r"^\d+: ", "", line.strip())


def first_line(kind: str, reason: str) -> str:
    return f"{kind}: {reason.splitlines()[0]}" if reason else kind


def indented(reason: str) -> str:
    lines = reason.splitlines()[:MOST_SHOWN]
    return f"  {reason}" if len(lines) == 1 else "".join(f"\n    {line}" for line in lines)


def fares(compiler: Compiler, settings: Settings, test: Test, folder: Path, python: Path,
          work: Path) -> Native:
    """`folder` is where the programs in C go; `python` has those in Python."""
    done = compiler.build(test.source, folder, "--target=c")
    errors = [each for each in done.diagnostics if each.code.startswith("E")]
    if errors and all(each.code == REFUSED for each in errors):
        return Native("refused", f"{errors[0].line}: {errors[0].text}")
    if done.status != 0:
        return Native("wrong", f"it is not written (exit code {done.status})\n"
                               + "\n".join([done.stray, *map(str, errors)]))
    said = make(settings, folder)
    if said:
        return Native("wrong", f"it does not compile\n{said}")
    complaints = run_all(test, folder, python, work, mixed=False)
    complaints += run_all(test, folder, python, work, mixed=True)
    return Native("wrong", "\n".join(complaints)) if complaints else Native("agrees")


def make(settings: Settings, folder: Path) -> str:
    """Builds the programs; what went wrong, or ""."""
    try:
        done = subprocess.run(["make", "-s", "-j1", "-C", str(folder), f"CC={settings.cc}",
                               f"CFLAGS={settings.flags}", f"LDFLAGS={settings.linker}",
                               f"CPPFLAGS={settings.preprocessor}", "PYCHORALC_CACHE=off"],
                              capture_output=True, text=True, errors="replace", cwd=folder,
                              stdin=subprocess.DEVNULL, timeout=MAKE_SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end within {MAKE_SECONDS} s"
    return done.stderr or "it fails without a word" if done.returncode else ""


# ---- running ----

def run_all(test: Test, folder: Path, python: Path, work: Path, mixed: bool) -> list[str]:
    from runner.execute import compare_ending

    title = "mixed run" if mixed else "C run"
    return compare_ending(title, test, run_patiently(test, folder, python, work, mixed))


def run_patiently(test: Test, folder: Path, python: Path, work: Path, mixed: bool) -> "Ending":
    """Once more if libzmq has aborted a role."""
    ending = run_once(test, folder, python, work, mixed)
    if any(LIBZMQ_FAULT in text for text in ending.errors.values()):
        ending = run_once(test, folder, python, work, mixed)
    return ending


def run_once(test: Test, folder: Path, python: Path, work: Path, mixed: bool) -> "Ending":
    from pychoral import harness
    from runner.execute import Ending

    os.chdir(work)
    name = f"test-{os.getpid()}-{time.monotonic_ns()}"
    programs = harness.load(python)
    try:
        roles = programs[0].roles
        in_c = roles[::2] if mixed else roles
        binaries = {each.role: Path(each.main.__code__.co_filename).stem for each in programs}
        given = {each.role: harness.given_to(each, dict(test.options)) for each in programs}
        processes = [Process(role, folder / c_name(binaries[role]), test, given[role], work, name)
                     for role in in_c]
        rest = [each for each in programs if each.role not in in_c]
        endings = harness.run_threads(rest, dict(test.options), test.stdin, test.timeout, name)
        for process in processes:
            endings[process.role] = harness.Outcome(*process.ended())
    finally:
        harness.unload(programs)
    return Ending({role: compare.lines_of(end[0]) for role, end in endings.items()},
                  {role: end[1] for role, end in endings.items()},
                  {role: end[2] for role, end in endings.items()})


def c_name(module: str) -> str:
    """The binary of a role, by the name of its Python program."""
    return f"{module}_" if module in ("all", "clean", "makefile") else module


class Process:
    """One role in C. Its output goes to files: nobody has to read while it runs."""

    def __init__(self, role: str, binary: Path, test: Test, options: dict[str, str], work: Path,
                 run: str) -> None:
        self.role = role
        self.deadline = time.monotonic() + test.timeout + 1
        self.out = work / f"{run}-{role}.out"
        self.err = work / f"{run}-{role}.err"
        given = work / f"{run}-{role}.in"
        given.write_text(test.stdin.get(role, ""), encoding="utf-8")
        with given.open() as stdin, self.out.open("w") as out, self.err.open("w") as err:
            self.process = subprocess.Popen(
                [str(binary), f"--run={run}", f"--timeout={test.timeout:g}",
                 *(f"--{name}={value}" for name, value in options.items())],
                stdin=stdin, stdout=out, stderr=err, cwd=work)

    def ended(self) -> tuple[str, int, str]:
        """What it printed, its exit status (as a shell says it), its errors."""
        try:
            status = self.process.wait(max(0.1, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = 124
        text = self.out.read_text(encoding="utf-8", errors="surrogateescape")
        said = self.err.read_text(encoding="utf-8", errors="replace")
        return text, status if status >= 0 else 128 - status, said
