"""make fuzz: random choreographies do projected what they do centrally.

    tests/fuzz/fuzz.py --compiler PROGRAM [--count N] [--seed S] [--keep FOLDER]

Every seed is a program. Those of even seeds are well-typed by construction: the compiler must take
them. Those of odd seeds are mutated, again and again until one is accepted. What is accepted is run
centrally and projected, under several schedules with random delays, and sends as many messages as
`check --cost` says; mypy type-checks it, hundreds of programs a call; one in a hundred runs as
processes over ZeroMQ as well. What fails is written to the folder, the first ones of each kind
made small, with the marks of a regression test.

The workers are processes that live as long as the run; nothing is imported anew for a program.
"""

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent), str(ROOT / "runtime" / "python")]
sys.dont_write_bytecode = True

import features                                                 # noqa: E402
import shrink                                                   # noqa: E402
from generate import Generator                                  # noqa: E402
from judge import TYPING, Judge, Verdict                                # noqa: E402
from mutate import Mutator                                      # noqa: E402
from runner import typing_check                                 # noqa: E402
from runner.compiler import Compiler                            # noqa: E402

BATCH = 500             # mypy takes a second to begin
MUTANTS = 4             # tries to find one that is accepted
MADE_SMALL = 2          # failures of each kind: that takes a while
PROCESSES = 100         # one in so many programs
MEMORY = 3 << 30
PATIENCE_S = 1800.0     # for a batch

CONTEXT = get_context("fork")


@dataclass
class Failure:
    seed: int
    verdict: Verdict
    source: str


@dataclass
class Report:
    """What a batch gave."""

    counts: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        self.counts += other.counts
        self.codes += other.codes
        self.seconds += other.seconds
        self.failures += other.failures


class Worker:
    """Judges batches of seeds, in a process of its own."""

    def __init__(self, compiler: Compiler, taken: frozenset[str]) -> None:
        self.compiler = compiler
        self.taken = taken

    def serve(self, connection: Connection) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        warnings.simplefilter("ignore")
        while True:
            try:
                seeds = connection.recv()
            except EOFError:
                return
            connection.send(self.batch(seeds))

    def batch(self, seeds: range) -> Report:
        report = Report()
        with tempfile.TemporaryDirectory(prefix="pychoral-fuzz-") as name:
            judge = Judge(self.compiler, Path(name))
            accepted: dict[str, int] = {}
            for seed in seeds:
                path = self.one(judge, seed, report)
                if path is not None:
                    accepted[path.stem] = seed
            before = time.perf_counter()
            typed = typing_check.check_programs(judge.folder / "build", list(accepted), *TYPING)
            for stem, lines in typed.items():
                source = judge.folder / f"{stem}.pyc"
                text = source.read_text() if source.exists() else ""
                report.failures.append(Failure(accepted.get(stem, -1),
                                               Verdict("mypy", "\n".join(lines)), text))
            report.seconds["mypy"] += time.perf_counter() - before      # type: ignore[assignment]
        return report

    def one(self, judge: Judge, seed: int, report: Report) -> Path | None:
        """The program of a seed; its path if it was accepted and behaves."""
        before = time.perf_counter()
        source = Generator(seed, self.taken).program()
        report.seconds["generating"] += time.perf_counter() - before    # type: ignore[assignment]
        for number in range(MUTANTS if seed % 2 else 1):
            before = time.perf_counter()
            text = source if seed % 2 == 0 else \
                Mutator(source, random.Random(f"{seed}/{number}")).mutate()
            report.seconds["generating"] += (                           # type: ignore[assignment]
                time.perf_counter() - before)
            path = judge.folder / f"fuzz_{seed}.pyc"
            path.write_text(text, encoding="utf-8")
            before = time.perf_counter()
            verdict = judge.judge(path, seed, typed=seed % 2 == 0)
            report.seconds["judging"] += time.perf_counter() - before   # type: ignore[assignment]
            report.codes.update(set(verdict.codes))
            if verdict.kind == "refused" and seed % 2:
                report.counts["refused"] += 1
                shutil.rmtree(judge.build(path), ignore_errors=True)
                continue
            return self.accepted(judge, path, seed, verdict, report)
        return None

    def accepted(self, judge: Judge, path: Path, seed: int, verdict: Verdict,
                 report: Report) -> Path | None:
        kind = "mutated" if seed % 2 else "well-typed"
        if verdict.kind == "" and seed // 2 % PROCESSES == 0:
            report.counts["as processes"] += 1
            verdict = judge.processes(path)
        if verdict.kind in ("", "endless"):
            report.counts[f"{kind} accepted"] += 1
            report.counts["messages"] += verdict.messages
            report.counts["endless"] += verdict.kind == "endless"
            return path
        report.failures.append(Failure(seed, verdict, path.read_text(encoding="utf-8")))
        return None


# ---- the workers ----

class Pool:
    """Gives batches to workers; one that dies or is late is a failure, and replaced."""

    def __init__(self, worker: Worker, jobs: int) -> None:
        self.worker = worker
        self.hands = [self._start() for _ in range(jobs)]

    def _start(self) -> "Hand":
        mine, theirs = CONTEXT.Pipe()
        process = CONTEXT.Process(target=self.worker.serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return Hand(process, mine)

    def run(self, batches: list[range], report: Report, until: float) -> int:
        """How many seeds were done."""
        waiting, done = list(reversed(batches)), 0
        while True:
            for hand in self.hands:
                if hand.seeds is None and waiting and time.monotonic() < until:
                    hand.give(waiting.pop())
            busy = [hand for hand in self.hands if hand.seeds is not None]
            if not busy:
                return done
            ready = wait([hand.connection for hand in busy], timeout=5)
            for i, hand in enumerate(self.hands):
                if hand.seeds is None:
                    continue
                late = time.monotonic() > hand.deadline
                if hand.connection in ready or late:
                    done += len(hand.seeds)
                    if not late and hand.answer(report):
                        continue
                    text = "hangs" if late else "died"
                    report.failures.append(Failure(hand.seeds[0], Verdict(
                        "worker", f"a worker {text} in the seeds {hand.seeds}"), ""))
                    hand.process.kill()
                    self.hands[i] = self._start()

    def close(self) -> None:
        for hand in self.hands:
            hand.process.kill()


class Hand:
    def __init__(self, process: object, connection: Connection) -> None:
        self.process = process      # type: ignore[var-annotated]
        self.connection = connection
        self.seeds: range | None = None
        self.deadline = 0.0

    def give(self, seeds: range) -> None:
        self.seeds = seeds
        self.deadline = time.monotonic() + PATIENCE_S
        self.connection.send(seeds)

    def answer(self, report: Report) -> bool:
        try:
            report.add(self.connection.recv())
        except (EOFError, ConnectionError):
            return False
        self.seeds = None
        return True


def seeds_in_batches(seed: int, count: int, jobs: int) -> list[range]:
    size = max(1, min(BATCH, -(-count // jobs)))
    return [range(start, min(start + size, seed + count))
            for start in range(seed, seed + count, size)]


def say(report: Report, done: int, seed: int, took: float, missing: list[str]) -> None:
    counts = report.counts
    print(f"seeds {seed} to {seed + done - 1}: {counts['well-typed accepted']} well-typed and "
          f"{counts['mutated accepted']} mutated programs run, {counts['refused']} mutated ones "
          f"refused, {counts['endless']} without end, {counts['as processes']} as processes; "
          f"{counts['messages']} messages")
    if missing:
        print(f"not accepted yet, so not generated: {', '.join(missing)}")
    times = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in report.seconds.most_common())
    print(f"{took:.0f} s, {done / took:.1f} programs a second ({times})")
    print(f"{done - len(report.failures)} passed, {len(report.failures)} failed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", type=Path, required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="1", help="the first seed, or `fresh`")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz/failed"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--types", choices=["fail", "report"], default="fail",
                        help="whether a complaint of mypy is a failure, or only counted and kept")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no batch after so long")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if options.seed == "fresh" else int(options.seed)
    compiler = Compiler(options.compiler.resolve())
    with tempfile.TemporaryDirectory(prefix="pychoral-fuzz-") as name:
        taken = features.accepted(compiler, Path(name))
    print(f"seed {seed}: {options.count} programs", flush=True)
    report, started = Report(), time.monotonic()
    pool = Pool(Worker(compiler, taken), options.jobs)
    try:
        done = pool.run(seeds_in_batches(seed, options.count, options.jobs), report,
                        started + options.seconds)
    finally:
        pool.close()
    took = time.monotonic() - started
    kinds: Counter[str] = Counter()
    if options.types == "report":
        untyped = [each for each in report.failures if each.verdict.kind == "mypy"]
        report.failures = [each for each in report.failures if each not in untyped]
        for failure in untyped:
            shrink.keep(compiler, failure.seed, failure.verdict, failure.source, options.keep,
                        False)
        print(f"mypy complains about {len(untyped)} programs; they are in {options.keep}")
    for failure in report.failures:
        kinds[failure.verdict.kind] += 1
        small = kinds[failure.verdict.kind] <= MADE_SMALL and failure.verdict.kind != "refused"
        shrink.keep(compiler, failure.seed, failure.verdict, failure.source, options.keep, small)
        print(f"FAILED seed {failure.seed}: {failure.verdict.kind}")
        print("    " + failure.verdict.text[:1500].replace("\n", "\n    "))
    if report.failures:
        print(f"small programs are in {options.keep}: read what one shows, correct its marks, and "
              "copy it to tests/regress")
    say(report, done, seed, took, sorted(set(features.PROBES) - taken))
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
