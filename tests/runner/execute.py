"""Runs one test: compiles the program, executes it projected and centrally, compares.

A worker process of the pool calls `run_test` for many tests. The projected run uses threads of
this process over links in memory (pychoral.harness): no interpreter is started for a role.
"""

import functools
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from runner import compare, native, sites
from runner.compiler import FIRST_LINE, Compiler, endpoint_files
from runner.interpreter import Interpreter, Job
from runner.marks import Test

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "runtime" / "python"
PATIENCE = 3        # for what starts several interpreters while other suites run
ROLE_LINE = re.compile(r"^(\w+): ?(.*)$")


@dataclass
class Result:
    complaints: list[str]
    typed: bool = False     # there are programs for the type checker in `folder`
    folder: Path | None = None
    native: "native.Native | None" = None       # how it fares in C


@dataclass
class Ending:
    """What running a program gave: the lines each role printed, its exit code, its last words."""

    lines: dict[str, list[str]]
    exits: dict[str, int]
    errors: dict[str, str]


def run_test(compiler: Compiler, test: Test, build: Path, work: Path,
             in_c: "native.Settings | None" = None, in_python: bool = True) -> Result:
    """`build` is where the projected programs go, and the central one beside it; `work` is the
    current folder of everything run. `in_c`: in C, too; without `in_python` only so."""
    work.mkdir(parents=True)
    compiler = compiler.starting_at(test.entry)
    if not test.source.exists():
        return Result([f"no such file: {test.source}"])
    if test.command == "check":
        return Result(check(compiler, test))
    if test.command == "c":
        return Result(compare.compilation(test, compiler.build(test.source, build, "--target=c")))
    complaints = compile_twice(compiler, test, build, work)
    if complaints or test.expects_errors:
        return Result(complaints)
    if in_python:
        complaints = projected(test, build, work) + central(compiler, test, build, work)
    if test.processes and in_python:
        complaints += processes(compiler, test, work)
    result = Result(complaints, typed=in_python and test.no_mypy is None, folder=build)
    if in_c is not None:
        place = build.with_name(f"{build.name}_c")
        result.native = native.fares(compiler, in_c, test, place, build, work)
    return result


def check(compiler: Compiler, test: Test) -> list[str]:
    complaints = compare.compilation(test, compiler.check(test.source))
    if test.texts:
        complaints += compare.texts(test.texts, "", compiler.messages(test.source))
    if test.mended:
        with tempfile.TemporaryDirectory() as folder:
            left = compiler.mend(test.source, Path(folder) / test.source.name)
        complaints += [f"with the edits that are shown: {d}" for d in left]
    return complaints


# ---- compiling ----

def compile_twice(compiler: Compiler, test: Test, build: Path, work: Path) -> list[str]:
    done = compiler.build(test.source, build)
    complaints = compare.compilation(test, done)
    if complaints or done.status != 0:
        return complaints
    again = work / "again"
    compiler.build(test.source, again)
    return same_files(build, again) + program_texts(test, build) + sites.texts(build)


def same_files(first: Path, second: Path) -> list[str]:
    complaints = []
    if [p.name for p in endpoint_files(first)] != [p.name for p in endpoint_files(second)]:
        complaints.append("compiled twice, the folders hold different files")
    for path in endpoint_files(first):
        other = second / path.name
        if other.exists() and other.read_bytes() != path.read_bytes():
            complaints.append(f"compiled twice, {path.name} differs")
    return complaints


def program_texts(test: Test, build: Path) -> list[str]:
    """The first lines, and the marks about the text of a role's program."""
    complaints = []
    for path in endpoint_files(build):
        text = path.read_text(encoding="utf-8")
        if not text.startswith(FIRST_LINE):
            complaints.append(f"{path.name} does not say what generated it")
    for role in {mark.role for mark in test.texts if mark.role}:
        path = build / f"{role.lower()}.py"
        complaints += compare.texts(test.texts, role,
                                    path.read_text(encoding="utf-8") if path.exists() else "")
    return complaints


def central_file(build: Path) -> Path:
    """The role-erased program that belongs to the programs in `build`, in a folder beside it."""
    return build.with_name(f"{build.name}_central") / "central.py"


# ---- running ----

def projected(test: Test, build: Path, work: Path) -> list[str]:
    """All roles as threads of this process."""
    from pychoral import harness

    os.chdir(work)
    options: dict[str, str] = dict(test.options)
    programs = harness.load(build)
    disagreements = sites.types(programs)
    with sites.Watch() as watch:
        endings = harness.run_threads(programs, options, test.stdin, test.timeout)
    harness.unload(programs)
    ending = Ending({role: compare.lines_of(end[0]) for role, end in endings.items()},
                    {role: end[1] for role, end in endings.items()},
                    {role: end[2] for role, end in endings.items()})
    return compare_ending("projected run", test, ending) + watch.complaints() + disagreements


def central(compiler: Compiler, test: Test, build: Path, work: Path) -> list[str]:
    """The role-erased program. If a role fails, the others may be behind their marks or ahead."""
    program = central_file(build)
    program.parent.mkdir()
    done = compiler.erase(test.source, program)
    if done.status != 0:
        return ["the program is not erased", done.stray, *map(str, done.diagnostics)]
    ended = interpret(program, test, work)
    ending = ending_of(ended.stdout)
    complaints = compare.outputs("central run", test.outputs, ending.lines,
                                 partial=others(test, ending) if test.fails_at else ())
    if (ended.returncode != 0) != bool(test.fails_at):
        complaints.append(f"central run: exit code {ended.returncode}\n{ended.stderr}")
    return complaints


# libzmq 4.3.4 now and then aborts a process whose peer closes its connection at the wrong moment.
LIBZMQ_FAULT = "Assertion failed: !_io_error"


def processes(compiler: Compiler, test: Test, work: Path) -> list[str]:
    """`pychoralc run`: one process for each role, over ZeroMQ."""
    command = [compiler.program, "run", str(test.source), "--color=never", *arguments(test, work),
               *compiler.options]
    ended = run(command, test, work)
    if LIBZMQ_FAULT in ended.stderr:
        print(f"{test.path.name}: libzmq aborted a role ({LIBZMQ_FAULT}); run again",
              file=sys.stderr)
        ended = run(command, test, work)
    ending = ending_of(ended.stdout)
    complaints = compare.outputs("processes", test.outputs, ending.lines)
    wanted = 4 if any(test.exits.values()) else 0
    if ended.returncode != wanted:
        complaints.append(f"processes: exit code {ended.returncode}, not {wanted}\n{ended.stderr}")
    return complaints


@functools.cache
def interpreter() -> Interpreter:
    """The one of this worker, which `finish` stops."""
    return Interpreter(RUNTIME)


def finish() -> None:
    if interpreter.cache_info().currsize:
        interpreter().stop()


def interpret(program: Path, test: Test, work: Path) -> subprocess.CompletedProcess[str]:
    out, err = work / "central.out", work / "central.err"
    given = arguments(test, work)
    patience = PATIENCE * test.timeout
    status = interpreter().run(Job(str(program), given, str(work), str(out), str(err), patience))
    said = f"no end within {patience} s" if status == 124 \
        else err.read_text(encoding="utf-8", errors="replace")
    return subprocess.CompletedProcess(
        given, status, out.read_text(encoding="utf-8", errors="replace"), said)


def run(command: list[str], test: Test, work: Path) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, PYTHONPATH=str(RUNTIME), NO_COLOR="1")
    try:
        return subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE * test.timeout)
    except subprocess.TimeoutExpired as expired:
        printed = expired.stdout or b""
        return subprocess.CompletedProcess(command, 124, printed.decode(errors="replace"),
                                           f"no end within {PATIENCE * test.timeout} s")


def arguments(test: Test, work: Path) -> list[str]:
    """`--ROLE.param value` for the options, `--ROLE.stdin FILE` for the inputs."""
    given = [f"--{option}={value}" for option, value in test.options]
    for role, text in sorted(test.stdin.items()):
        path = work / f"{role}.stdin"
        path.write_text(text, encoding="utf-8")
        given.append(f"--{role}.stdin={path}")
    return given


def ending_of(printed: str) -> Ending:
    lines: dict[str, list[str]] = {}
    for line in compare.lines_of(printed):
        match = ROLE_LINE.match(line)
        role, text = (match[1], match[2]) if match else ("(no role)", line)
        lines.setdefault(role, []).append(text)
    return Ending(lines, {}, {})


def others(test: Test, ending: Ending) -> set[str]:
    return {*test.outputs, *ending.lines} - test.fails_at


def compare_ending(title: str, test: Test, ending: Ending) -> list[str]:
    complaints = compare.outputs(title, test.outputs, ending.lines)
    for role in sorted(ending.exits):
        wanted, found, error = test.exits.get(role, 0), ending.exits[role], ending.errors[role]
        if found != wanted:
            complaints.append(f"{title}: {role} ends with {found}, not {wanted}\n{error}")
        elif wanted == 0 and error:
            complaints.append(f"{title}: {role} says\n{error}")
        elif test.errors.get(role, "") not in error:
            complaints.append(f"{title}: {role} does not say {test.errors[role]!r}, but\n{error}")
    return complaints
