"""Judges one program: compiles it, runs it centrally and projected, compares.

Each role must print the same in the central run and in every projected run, whatever the delays;
nobody waits for ever; no message is left over. If the central run fails at a role, that role fails
alike, and the output of the others agrees as far as both runs go.
"""

import contextlib
import io
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from pychoral import harness
from pychoral.central import Central
from runner.compiler import SHORT, Compiler
from runner.execute import LIBZMQ_FAULT
from serving import Answer, Server
from schedule import Ending, Scheduler, Stopped, lines_of

SCHEDULES = 3
CENTRAL_CPU_S = 0.1     # the longest that ends takes a tenth of it
PROCESSES_S = 60.0
USAGE = 2               # the exit status of a program that lacks an option
COMMANDS = 50           # one in so many programs: the command line gives what the server does
QUIETLY = ("--no-runtime", "--quiet", "--error-format=short", "--max-errors=0")
ROLE_LINE = re.compile(r"^(\w+): ?(.*)$")
LAST_WORDS = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)")
OUT_OF_RANGE = ("RecursionError", "MemoryError")    # the language does not compare these
NEVER = ("NameError", "UnboundLocalError")          # what the checker has promised not to happen
UNTYPED = ("TypeError", "AttributeError")           # nor this, where types are written
# `5 == 12` is as it was written; that mypy finds it useless says nothing about the projection.
TYPING = ("--disable-error-code", "comparison-overlap")
# Programs that run here have modules of their own, where each would be `__main__` by itself.
OWN_MODULE = re.compile(r"<class '(?:central|pychoral_program)_\w+\.")
_numbers = itertools.count()


@dataclass
class Verdict:
    """`kind` is "" for a program that behaves, "refused", "endless", or names the failure."""

    kind: str
    text: str = ""
    codes: list[str] = field(default_factory=list)
    messages: int = 0

    @property
    def failed(self) -> bool:
        return self.kind not in ("", "refused", "endless")


class Judge:
    def __init__(self, compiler: Compiler, folder: Path) -> None:
        self.compiler = compiler
        self.folder = folder
        self.server = Server(Path(compiler.program).with_name("fuzz_serve"), folder)
        self.answer = Answer(0, "")     # of the last program

    def close(self) -> None:
        self.server.close()

    def judge(self, source: Path, luck: int, typed: bool) -> Verdict:
        """`typed`: the program is well-typed by construction, so no TypeError may happen."""
        try:
            refusal = self.compile(source)
            if luck // 2 % COMMANDS == 0 and (refusal is None or not refusal.failed):
                refusal = self._as_commands(source, refusal) or refusal
            if refusal is not None:
                return refusal
            central = run_central(self.central(source))
            if central.endless:
                return Verdict("endless")
            return self._projected(source, central, luck, typed)
        except SyntaxError as fault:
            return Verdict("not Python", f"{fault}")
        except MemoryError:         # of the judge, before the program's own limit of time is over
            return Verdict("endless")
        except Exception as fault:
            return Verdict("judge", f"{type(fault).__name__}: {fault}")

    def processes(self, source: Path) -> Verdict:
        """The same over ZeroMQ, one process for each role."""
        central = run_central(self.central(source))
        environment = dict(os.environ, NO_COLOR="1")
        for _ in range(2):              # once more if libzmq has aborted a role
            try:
                done = subprocess.run(
                    [self.compiler.program, "run", str(source), "--color=never"],
                    cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                    capture_output=True, text=True, errors="replace", timeout=PROCESSES_S)
            except subprocess.TimeoutExpired:
                return Verdict("processes hang")
            if LIBZMQ_FAULT not in done.stderr:
                break
        found = by_role(done.stdout)
        if central.endless or central.status:
            return Verdict("")
        if done.returncode != 0:
            return Verdict("processes", f"exit code {done.returncode}\n{done.stderr}")
        if found != central.lines:
            return Verdict("processes", f"they print {found}\ncentrally {central.lines}")
        return Verdict("")

    def build(self, source: Path) -> Path:
        return self.folder / "build" / source.stem

    def central(self, source: Path) -> Path:
        return self.folder / "build" / f"{source.stem}_central" / "central.py"

    def compile(self, source: Path) -> Verdict | None:
        """None if the programs are there."""
        self.central(source).parent.mkdir(parents=True, exist_ok=True)
        try:
            self.answer = self.server.build(
                ["build", str(source), "-o", str(self.build(source)), *QUIETLY,
                 *self.compiler.options],
                self.central(source))
        except subprocess.TimeoutExpired:
            return Verdict("compiler hangs")
        verdict = judged(self.answer)
        if verdict.kind == "refused" and self.build(source).exists():
            return Verdict("not erased", verdict.text)
        return None if verdict.kind == "" else verdict

    def _as_commands(self, source: Path, refusal: Verdict | None) -> Verdict | None:
        """What the command line does otherwise than the server; None if it does the same."""
        apart = self.folder / "apart"
        build, central = apart / source.stem, apart / "central" / f"{source.stem}.py"
        central.parent.mkdir(parents=True, exist_ok=True)
        try:
            done = self.compiler.call("build", str(source), "-o", str(build), *QUIETLY)
            if (done.returncode, done.stderr) != (self.answer.status, self.answer.diagnostics):
                return Verdict("command line", f"exit code {done.returncode}\n{done.stderr}")
            if refusal is not None:
                return None
            self.compiler.call("build", str(source), "--erase", "-o", str(central), *QUIETLY)
            done = Compiler(Path(self.compiler.program)).call("check", "--cost=json", str(source))
        except subprocess.TimeoutExpired:
            return Verdict("compiler hangs")
        if texts_of(build) != texts_of(self.build(source)) or \
                central.read_bytes() != self.central(source).read_bytes():
            return Verdict("command line", f"{build} and {self.build(source)} differ")
        if not done.stdout.startswith(self.answer.cost):
            return Verdict("command line", done.stdout)
        return None

    def _projected(self, source: Path, central: Ending, luck: int, typed: bool) -> Verdict:
        programs = harness.load(self.build(source))
        messages = 0
        try:
            for number in range(SCHEDULES):
                ending = Scheduler(programs, random.Random(f"{luck}/{number}")).run({})
                ending.lines = {role: [as_main(line) for line in lines]
                                for role, lines in ending.lines.items()}
                kind, text = compare(central, ending, typed)
                if kind:
                    return Verdict(kind, text)
                messages = sum(ending.messages.values())
        finally:
            harness.unload(programs)
        text = "" if central.status else self._against_cost(ending)
        return Verdict("cost" if text else "", text, messages=messages)

    def _against_cost(self, ending: Ending) -> str:
        """What is wrong with what `check --cost` says of the messages of `main`; "" if nothing."""
        report = json.loads(self.answer.cost)
        if not report["exact"]:     # it calls function values
            return ""
        pairs = {(pair["from"], pair["to"]): pair for function in report["functions"]
                 if function["name"] == "main" for pair in function["pairs"]}
        sent: Counter[tuple[str, str]] = Counter()
        for (sender, receiver, _), count in ending.messages.items():
            sent[sender, receiver] += count
        for ends in {*pairs, *sent}:
            pair = pairs.get(ends, {"min": 0, "max": 0})
            most = sent[ends] if pair["max"] is None else pair["max"]
            if not pair["min"] <= sent[ends] <= most:
                return f"{ends[0]} sends {sent[ends]} messages to {ends[1]}, not {pair}"
        return ""


def judged(answer: Answer) -> Verdict:
    """What there is to say about a call of the compiler."""
    codes, stray = [], []
    for line in answer.diagnostics.splitlines():
        match = SHORT.match(line)
        if match:
            codes.append(match["code"])
        elif line.strip():
            stray.append(line)
    errors = [code for code in codes if code.startswith("E")]
    if answer.status not in (0, 1):
        return Verdict("compiler crashes", f"exit code {answer.status}\n{answer.diagnostics}")
    if stray:
        return Verdict("no place", "\n".join(stray))
    if (answer.status == 1) != bool(errors):
        return Verdict("exit code", f"{answer.status}\n{answer.diagnostics}")
    return Verdict("refused" if errors else "", answer.diagnostics, errors)


def texts_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.py")}


# ---- the central run ----

class Faults:
    """How far the output was when the fault came up that a central run ends with. What the roles
    print behind it, in `finally`, is no measure: some do less there than they do projected."""

    def __init__(self) -> None:
        self.out = io.StringIO()
        self.position: int | None = None

    def __get__(self, central: object, owner: type) -> "BaseException | None":
        return central.__dict__.get("_fault")

    def __set__(self, central: object, fault: "BaseException | None") -> None:
        central.__dict__["_fault"] = fault
        self.position = None if fault is None else self.out.tell()


FAULTS = Faults()
Central._fault = FAULTS     # type: ignore[assignment]


def run_central(file: Path) -> Ending:
    """Runs the role-erased program in this process."""
    text = file.read_text(encoding="utf-8")
    head, guard, tail = text.rpartition('if __name__ == "__main__":\n')
    if not guard:
        raise ValueError("a library has no central run")
    module = types.ModuleType(f"central_{next(_numbers)}")
    module.__file__ = str(file)
    out, err = io.StringIO(), io.StringIO()
    FAULTS.out, FAULTS.position = out, None
    ending = Ending({})
    status: object = 0
    sys.modules[module.__name__] = module
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _words(file):
            with _cpu_limit(CENTRAL_CPU_S):
                exec(compile(head + "if True:\n" + tail, str(file), "exec"), module.__dict__)
    except SystemExit as end:
        status = end.code
    except Stopped:
        ending.endless = True
    finally:
        del sys.modules[module.__name__]
    ending.lines = by_role(as_main(out.getvalue()))
    ending.endless |= status == USAGE and not out.getvalue()    # it does not begin
    if status:
        ending.settled = by_role(as_main(out.getvalue()[:FAULTS.position]))
        ending.errors = _words_by_role(err.getvalue())
        ending.status = {role: int(str(status)) for role in ending.errors}
    return ending


def as_main(text: str) -> str:
    """What is printed of classes where the program is the module `__main__`."""
    return OWN_MODULE.sub("<class '__main__.", text)


def by_role(text: str) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for line in lines_of(text):
        match = ROLE_LINE.match(line)
        role, said = (match[1], match[2]) if match else ("", line)
        lines.setdefault(role, []).append(said)
    return lines


def _words_by_role(text: str) -> dict[str, str]:
    said: dict[str, str] = {}
    for line in lines_of(text):
        match = ROLE_LINE.match(line)
        if match:
            said[match[1]] = said.get(match[1], "") + match[2] + "\n"
    return said


@contextlib.contextmanager
def _words(file: Path) -> Iterator[None]:
    before, sys.argv = sys.argv, [str(file)]
    try:
        yield
    finally:
        sys.argv = before


@contextlib.contextmanager
def _cpu_limit(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1)    # again: a callback of C's may swallow one
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# ---- comparing ----

def compare(central: Ending, ending: Ending, typed: bool) -> tuple[str, str]:
    """The kind of failure and what to say about it; ("", "") if the runs agree."""
    if ending.endless and not central.status:
        return "endless projected", "the central run ends"
    faults = {role: exception_of(text) for role, text in
              [*central.errors.items(), *ending.errors.items()]}
    if any(fault in OUT_OF_RANGE for fault in faults.values()):
        return "", ""
    for role, fault in faults.items():
        if fault in NEVER or typed and fault in UNTYPED:
            return f"raises {fault}", f"{role}: {ending.errors.get(role) or central.errors[role]}"
    if ending.stuck:
        return "stuck", f"waiting: {ending.stuck}\n{_said(ending)}"
    if central.status:
        return _compare_failed(central, ending, typed)
    return _compare_ended(central, ending)


def _compare_ended(central: Ending, ending: Ending) -> tuple[str, str]:
    for role, status in ending.status.items():
        if status != 0:
            return "status", f"{role} ends with {status}\n{_said(ending)}"
        if central.lines.get(role, []) != ending.lines[role]:
            return "output", _difference(role, central, ending)
    if ending.unread:
        return "unread", "\n".join(ending.unread)
    return "", ""


def _compare_failed(central: Ending, ending: Ending, typed: bool) -> tuple[str, str]:
    """Where one role has failed, another may send for ever, and has been stopped; so has the one
    that would fail, or its peer, if messages to it are slow."""
    ends = (0, 1, 75, -1) if ending.endless else (0, 1, 75)
    failed = set(central.status) & set(ending.status)
    if ending.endless:
        failed = {role for role in failed if ending.status[role] not in (-1, 75)
                  and not exception_of(ending.errors[role]).endswith(Stopped.__name__)}
    kinds = {exception_of(text) for text in central.errors.values()}
    if not typed and kinds == {"pychoral.errors.WireError"} and 76 in ending.status.values():
        ends, failed = (*ends, 76), set()       # `Any` was no such type: the receiver finds out
    if not typed and _unplaced(central):
        failed = _blamed(central, ending)
        if not failed:
            return "failure", f"nobody fails as centrally: {central.errors}\n{_said(ending)}"
    for role, found in ending.lines.items():
        wanted = (central.lines if role in failed else central.settled).get(role, [])
        common = min(len(wanted), len(found))
        if role in failed and wanted != found or wanted[:common] != found[:common]:
            return "output", _difference(role, central, ending)
        if ending.status[role] not in ends:
            return "status", f"{role} ends with {ending.status[role]}\n{_said(ending)}"
    for role in failed:
        wanted_kind, found_kind = (exception_of(e.errors[role]) for e in (central, ending))
        if ending.status[role] != central.status[role] or wanted_kind != found_kind:
            return "failure", (f"{role} fails with {found_kind or ending.status[role]}, "
                               f"centrally with {wanted_kind or central.status[role]}")
    return "", ""


def _unplaced(central: Ending) -> bool:
    """Whether the central run failed where it does not know the role: where types as they are
    written promise that nothing fails. A mutated program may lie in them; then all are blamed."""
    return {exception_of(text) for text in central.errors.values()} <= set(UNTYPED) \
        and len(set(central.errors.values())) == 1 and len(central.errors) > 1


def _blamed(central: Ending, ending: Ending) -> set[str]:
    """Those that do fail as all do centrally."""
    return {role for role in set(central.status) & set(ending.status)
            if ending.status[role] == central.status[role]
            and exception_of(ending.errors[role]) == exception_of(central.errors[role])}


def exception_of(said: str) -> str:
    """The name of the exception in a traceback's last line; "" if there is none."""
    if "Traceback" not in said:
        return ""
    for line in reversed(said.splitlines()):
        match = LAST_WORDS.match(line)
        if match:
            return match[1]
    return ""


def _difference(role: str, central: Ending, ending: Ending) -> str:
    return (f"{role} prints {ending.lines[role]}\n"
            f"centrally {central.lines.get(role, [])}\n{_said(ending)}")


def _said(ending: Ending) -> str:
    return "".join(f"{role} says: {text}\n" for role, text in ending.errors.items() if text)
