"""make fuzz-c: random choreographies do in C what they do centrally.

    tests/fuzz/fuzz_c.py --compiler PROGRAM --library LIB.a [--count N] [--seed S] [--keep FOLDER]
                         [--processes N]

The programs of even seeds of `fuzz.py`, which are well-typed by construction. Those of a batch are
one translation unit and one binary, with the runtime under the sanitizers; there the roles of each
are threads over inproc (c/batch.c). What each role prints, its exit status and the exception that
ends it must be those of the central run. So must they be where N of the programs, evenly spread
over the run, are also processes, one for each role (processes.py). Programs that the C target
refuses are counted, with the reasons.
"""

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent), str(ROOT / "runtime" / "python")]
sys.dont_write_bytecode = True

import features                                                 # noqa: E402
import processes                                                # noqa: E402
import together                                                 # noqa: E402
from fuzz import temporary_folder                               # noqa: E402
from generate import Generator                                  # noqa: E402
from judge import QUIETLY, Judge, Verdict, as_main, compare, run_central   # noqa: E402
from serving import Answer                                       # noqa: E402
from runner.compiler import SHORT, Compiler                     # noqa: E402
from schedule import Ending, lines_of                           # noqa: E402

BATCH = 50
SECONDS = 20            # of one program
COMPILING_S = 600       # of a batch
REFUSED = "E0802"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
LIBS = ["-lzmq", "-lgmp", "-lz", "-lcrypto", "-lm", "-lpthread"]
PROGRESS_S = 60
STUCK = 128 + 14        # SIGALRM has ended it
TOLD = {"agree": "programs agree in C", "processes": "of them as processes",
        "clean": "programs are C without a warning", "wrong": "refused", "refused": "refused in C",
        "endless": "without end"}


def errors_of(answer: Answer) -> list[re.Match[str]]:
    return [match for match in map(SHORT.match, answer.diagnostics.splitlines())
            if match and match["code"].startswith("E")]


@dataclass
class Setting:
    compiler: Compiler
    cc: list[str]               # with all flags
    library: Path | None        # None: nothing is linked, and nothing runs
    objects: Path               # what all batches share: the precompiled header, batch.o
    taken: frozenset[str]


@dataclass
class Report:
    counts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    refused: dict[str, int] = field(default_factory=dict)       # a seed of each reason
    seconds: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, Verdict, str]] = field(default_factory=list)


@dataclass
class Case:
    """One program of a batch."""

    seed: int
    source: Path
    folder: Path
    central: Ending

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.c"))


class Batch:
    """`processes`: so many of its programs are processes, too."""

    step = 2                    # from seed to seed: those of odd seeds are mutated by fuzz.py

    def __init__(self, setting: Setting, folder: Path, processes: int) -> None:
        self.setting = setting
        self.folder = folder
        self.processes = processes
        self.report = Report()
        self.judge = Judge(setting.compiler, folder)

    def run(self, seeds: range) -> Report:
        cases = [case for case in map(self.written, seeds) if case is not None]
        self.judge.close()
        cases = self.timed("compiling", self.compiled, cases)
        if cases and self.setting.library is not None:
            cases = self.timed("running", self.performed, cases)
        self.timed("processes", self.as_processes, spread(cases, self.processes))
        self.judge.close()
        return self.report

    def timed(self, name: str, work: Callable[[list[Case]], list[Case]],
              cases: list[Case]) -> list[Case]:
        before = time.perf_counter()
        answer = work(cases)
        self.report.seconds[name] += time.perf_counter() - before   # type: ignore[assignment]
        return answer

    def fail(self, case: Case, kind: str, text: str) -> None:
        self.report.failures.append(
            (case.seed, Verdict(kind, text), case.source.read_text(encoding="utf-8")))

    # ---- from the seed to C ----

    def program(self, seed: int) -> str:
        return Generator(seed, self.setting.taken).program()

    def written(self, seed: int) -> Case | None:
        """The program of a seed in C; None if it is refused, or does not end."""
        before = time.perf_counter()
        source = self.folder / f"fuzz_{seed}.pyc"
        source.write_text(self.program(seed), encoding="utf-8")
        case = Case(seed, source, self.judge.build(source), Ending({}))
        try:
            answer = self.build(case)
        except subprocess.TimeoutExpired:
            self.fail(case, "compiler hangs", "")
            return None
        self.report.seconds["writing"] += (                         # type: ignore[assignment]
            time.perf_counter() - before)
        if answer.status != 0:
            self.not_written(case, answer)
            return None
        return case if self.setting.library is None or self.ends_centrally(case) else None

    def build(self, case: Case) -> Answer:
        central = self.judge.central(case.source)
        central.parent.mkdir(parents=True, exist_ok=True)
        return self.judge.server.build(
            ["build", str(case.source), "-o", str(case.folder), "--target=c", *QUIETLY], central)

    def ends_centrally(self, case: Case) -> bool:
        before = time.perf_counter()
        case.central = run_central(self.judge.central(case.source))
        self.report.seconds["central"] += (                         # type: ignore[assignment]
            time.perf_counter() - before)
        self.report.counts["endless"] += case.central.endless
        return not case.central.endless

    def not_written(self, case: Case, answer: Answer) -> None:
        if not self.refused(case, answer):
            self.fail(case, "not written", f"exit code {answer.status}\n{answer.diagnostics}")

    def refused(self, case: Case, answer: Answer) -> bool:
        """Whether it is something that the C target cannot have."""
        errors = errors_of(answer)
        if answer.status != 1 or not errors or any(e["code"] != REFUSED for e in errors):
            return False
        self.report.counts["refused"] += 1
        reason = re.sub(r"`[^`]*`", "`..`", errors[0]["text"])
        self.report.refusals[reason] += 1
        self.report.refused.setdefault(reason, case.seed)
        return True

    # ---- from C to a binary ----

    def compiled(self, cases: list[Case]) -> list[Case]:
        said, objects = self.compile("all", cases)
        if said:                                # one by one, to see which it is
            good, objects = [], []
            for case in cases:
                said, made = self.compile(str(case.seed), [case])
                if said:
                    self.fail(case, "does not compile", said)
                else:
                    good.append(case)
                    objects += made
            cases = good
        if self.setting.library is None:
            self.report.counts["clean"] += len(cases)
            return cases
        return cases if cases and self.linked(cases, objects) else []

    def compile(self, name: str, cases: list[Case]) -> tuple[str, list[str]]:
        """What the compiler says, and the object file."""
        parts = ['#include "builtins/builtins.h"\n']
        parts += [together.part(file.read_text(encoding="utf-8"), symbol(case, file))
                  for case in cases for file in case.files]
        unit, made = self.folder / f"{name}.c", self.folder / f"{name}.o"
        unit.write_text("".join(parts), encoding="utf-8")
        wanted = ["-fsyntax-only"] if self.setting.library is None else ["-c", "-o", str(made)]
        done = subprocess.run([*self.setting.cc, *WARNINGS, *wanted, str(unit)],
                              capture_output=True, text=True, errors="replace",
                              timeout=COMPILING_S)
        return (done.stderr or "?" if done.returncode else ""), [str(made)]

    def linked(self, cases: list[Case], objects: list[str]) -> bool:
        table = self.folder / "table.c"
        text = ['#include "batch.h"']
        for case in cases:
            names = [symbol(case, file) for file in case.files]
            text += [f"extern const PychoralProgram *const {name};" for name in names]
            text.append(f"static const PychoralProgram *const *const of_{case.seed}[] = {{"
                        + ", ".join(f"&{name}" for name in names) + ", &nobody};")
        rows = ", ".join(f"{{{case.seed}, of_{case.seed}}}" for case in cases)
        text.insert(1, "static const PychoralProgram *const nobody;")
        text.append(f"const Choreography batch[] = {{{rows}, {{0, 0}}}};\n")
        table.write_text("\n".join(text), encoding="utf-8")
        done = subprocess.run([*self.setting.cc, str(table), *objects,
                               str(self.setting.objects / "batch.o"), str(self.setting.library),
                               *LIBS, "-o", str(self.folder / "batch")],
                              capture_output=True, text=True, errors="replace",
                              timeout=COMPILING_S)
        if done.returncode:
            for case in cases:
                self.fail(case, "does not link", done.stderr)
        return done.returncode == 0

    # ---- running ----

    def performed(self, cases: list[Case]) -> list[Case]:
        environment = dict(os.environ, ASAN_OPTIONS="exitcode=99",
                           UBSAN_OPTIONS="print_stacktrace=1")
        done = subprocess.run([str(self.folder / "batch"), str(self.folder), str(SECONDS)],
                              capture_output=True, text=True, errors="replace", env=environment,
                              stdin=subprocess.DEVNULL)
        pairs = (line.split() for line in done.stdout.splitlines())
        statuses = {int(seed): int(status) for seed, status in pairs}
        good = [case for case in cases
                if self.agrees(case, self.verdict(case, statuses.get(case.seed, -1)))]
        self.report.counts["agree"] += len(good)
        return good

    def as_processes(self, cases: list[Case]) -> list[Case]:
        good = [case for case in cases if self.agrees(case, processes.verdict(
            self.judge, self.setting.cc[0], case.source, case.folder, case.central))]
        self.report.counts["processes"] += len(good)
        return good

    def agrees(self, case: Case, verdict: Verdict) -> bool:
        if verdict.kind:
            self.fail(case, verdict.kind, verdict.text)
        return not verdict.kind

    def verdict(self, case: Case, status: int) -> Verdict:
        said = (self.folder / f"{case.seed}.err").read_text(encoding="utf-8", errors="replace")
        if status == STUCK:
            return Verdict("hangs", said)
        if status != 0 or "Sanitizer" in said or "runtime error" in said:
            return Verdict("crashes", f"exit status {status}\n{said}")
        ending = ending_of((self.folder / f"{case.seed}.out").read_bytes())
        return Verdict(*compare(case.central, ending, typed=True))


def symbol(case: Case, file: Path) -> str:
    return f"program_{case.seed}_{file.stem}"


def ending_of(report: bytes) -> Ending:
    ending = Ending({})
    while report:
        line, _, report = report.partition(b"\n")
        role, status, out, err = line.decode().split()
        printed, said = report[:int(out)], report[int(out):int(out) + int(err)]
        report = report[int(out) + int(err):]
        ending.lines[role] = lines_of(as_main(printed.decode(errors="surrogateescape")))
        ending.errors[role] = said.decode(errors="replace")
        ending.status[role] = int(status)
    return ending


def spread(cases: list[Case], count: int) -> list[Case]:
    """So many of them, if there are, evenly."""
    count = min(count, len(cases))
    return [cases[i * len(cases) // count] for i in range(count)]


def judge_batch(kind: type[Batch], setting: Setting, seeds: range, folder: Path,
                processes: int) -> Report:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder.mkdir()
    try:
        return kind(setting, folder, processes).run(seeds)
    finally:
        os.chdir(HERE)          # a run of processes goes to their folder
        shutil.rmtree(folder, ignore_errors=True)


def prepare(setting: Setting) -> None:
    """The header of all programs, compiled once, and the part that runs a batch."""
    header = setting.objects / "builtins"
    header.mkdir(parents=True)
    for words in (["-x", "c-header", str(ROOT / "runtime/c/builtins/builtins.h"), "-o",
                   str(header / "builtins.h.gch")],
                  ["-c", str(HERE / "c/batch.c"), "-o", str(setting.objects / "batch.o")]):
        subprocess.run([*setting.cc, *words], check=True)


def say(report: Report, started: float) -> None:
    counts = report.counts
    told = [f"{counts[name]} {text}" for name, text in TOLD.items() if counts[name]]
    print(", ".join([*told, f"{len(report.failures)} failed"]) + "; "
          f"{time.monotonic() - started:.0f} s ("
          + ", ".join(f"{name} {took:.0f} s" for name, took in report.seconds.most_common()) + ")")
    for text, count in report.refusals.most_common(12):
        print(f"  {count:6} {text} (seed {report.refused[text]})")
    sys.stdout.flush()


def add(report: Report, more: Report, keep: Path) -> None:
    report.counts += more.counts
    report.refusals += more.refusals
    report.refused = more.refused | report.refused
    report.seconds += more.seconds
    report.failures += more.failures
    for seed, verdict, source in more.failures:
        print(f"FAILED seed {seed}: {verdict.kind}")
        print("    " + verdict.text[:1500].replace("\n", "\n    "), flush=True)
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"c_{seed}.pyc").write_text(source, encoding="utf-8")
        (keep / f"c_{seed}.txt").write_text(f"{verdict.kind}\n{verdict.text}", encoding="utf-8",
                                            errors="backslashreplace")


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Those of programs that are compiled, and do not run."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", type=Path, required=True, help="`fuzz_serve` lies beside it")
    parser.add_argument("--cc", default="gcc -O0", help="the C compiler and its flags")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="1", help="the first seed, or `fresh`")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no batch after so long")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz/failed"))
    parser.add_argument("--jobs", type=int, default=(os.cpu_count() or 2) + 1,
                        help="batches at once: one more than processors, since runs wait a while")
    parser.set_defaults(library=None, processes=0)
    return parser


def fuzz(kind: type[Batch], options: argparse.Namespace) -> int:
    seed = random.SystemRandom().randrange(10**9) if options.seed == "fresh" else int(options.seed)
    seed += seed % kind.step
    compiler = Compiler(options.compiler.resolve())
    with tempfile.TemporaryDirectory(prefix="pychoral-fuzz-", dir=temporary_folder()) as name:
        folder = Path(name)
        objects = folder / "objects"
        cc = [*options.cc.split(), "-std=c17", "-D_GNU_SOURCE=1", "-DPYCHORAL_LINKED", "-include",
              str(HERE / "c/streams.h"), f"-I{objects}", f"-I{ROOT / 'runtime/c'}",
              f"-I{HERE / 'c'}"]
        setting = Setting(compiler, cc, options.library and options.library.resolve(), objects,
                          features.accepted(compiler, folder))
        prepare(setting)
        return run(kind, setting, seed, options, folder)


def run(kind: type[Batch], setting: Setting, seed: int, options: argparse.Namespace,
        folder: Path) -> int:
    report, started = Report(), time.monotonic()
    last: int = seed + kind.step * options.count
    size = kind.step * BATCH
    batches = [range(start, min(start + size, last), kind.step)
               for start in range(seed, last, size)]

    def due(before: int) -> int:
        """How many programs of seeds before this one are processes."""
        wanted: int = options.processes
        return wanted * (before - seed) // (last - seed)

    print(f"seed {seed}: {options.count} programs", flush=True)
    with ProcessPoolExecutor(options.jobs) as pool:
        answers = [pool.submit(judge_batch, kind, setting, seeds, folder / f"{seeds.start}",
                               due(seeds.stop) - due(seeds.start)) for seeds in batches]
        said = started
        for answer in answers:
            if time.monotonic() > started + options.seconds and answer.cancel():
                continue
            add(report, answer.result(), options.keep)
            if time.monotonic() > said + PROGRESS_S:
                said = time.monotonic()
                say(report, started)
    say(report, started)
    return 1 if report.failures else 0


if __name__ == "__main__":
    reader = arguments(__doc__)
    reader.add_argument("--library", type=Path, required=True, help="the C runtime")
    reader.add_argument("--processes", type=int, default=0,
                        help="so many of the programs are processes, too")
    sys.exit(fuzz(Batch, reader.parse_args()))
