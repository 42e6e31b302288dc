"""make fuzz: random choreographies do projected what they do centrally.

    tests/fuzz/fuzz.py --compiler PROGRAM [--count N] [--seed S] [--keep FOLDER]

Every seed is a program. Those of even seeds are well-typed by construction: the compiler must take
them. Those of odd seeds are mutated, again and again until one is accepted. What is accepted is run
centrally and projected, under several schedules with random delays, and sends as many messages as
`check --cost` says; mypy type-checks it, hundreds of programs a call, and the central program of
one in five; one in a hundred runs as processes over ZeroMQ as well. What fails is written to the
folder, the first ones of each kind made small, with the marks of a regression test.

A worker is a process that judges one batch, so nothing grows with the run, and nothing is imported
anew for a program. It has a folder of its own, in memory if there is room.
"""

import argparse
import contextlib
import gc
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Protocol

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent), str(ROOT / "runtime" / "python")]
sys.dont_write_bytecode = True

import features                                                 # noqa: E402
import shrink                                                   # noqa: E402
from generate import Generator                                  # noqa: E402
from judge import TYPING, Judge, Verdict                        # noqa: E402
from mutate import Mutator                                      # noqa: E402
from runner import typing_check                                 # noqa: E402
from runner.compiler import Compiler                            # noqa: E402

BATCH = 500             # mypy takes a second to begin
MUTANTS = 4             # tries to find one that is accepted
MADE_SMALL = 2          # failures of each kind: that takes a while
PROCESSES = 100         # one in so many programs
CENTRALS = 5            # of so many, mypy sees one's central program
MEMORY = 3 << 30
HANGING_S = 300.0       # at one program
TYPING_S = 900.0        # for the mypy of a batch
PROGRESS_S = 30.0
ROOM = 1 << 30
GARBAGE = 50_000        # objects between looks for cycles: most trees have none

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
    """Judges a batch of seeds, in a process of its own and in a folder of its own."""

    def __init__(self, compiler: Compiler, taken: frozenset[str], typed_every: int) -> None:
        self.compiler = compiler
        self.taken = taken
        self.typed_every = typed_every

    def serve(self, connection: Connection, seeds: range, folder: Path, now: "Now") -> None:
        os.setpgid(0, 0)        # Ctrl-C is for who started us; and all that we start ends with us
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        warnings.simplefilter("ignore")
        gc.freeze()
        gc.set_threshold(GARBAGE)
        connection.send(self.batch(seeds, folder, now))

    def batch(self, seeds: range, folder: Path, now: "Now") -> Report:
        report = Report()
        judge = Judge(self.compiler, folder)
        accepted: dict[str, int] = {}
        parent = os.getppid()
        for seed in seeds:
            now.value = seed
            if os.getppid() != parent:      # it was killed: nobody waits for an answer
                sys.exit(1)
            path = self.one(judge, seed, report)
            if path is not None:
                accepted[path.stem] = seed
        now.value = seeds.stop
        judge.close()
        before = time.perf_counter()
        self.typed(judge, accepted, report)
        report.seconds["mypy"] += time.perf_counter() - before      # type: ignore[assignment]
        return report

    def typed(self, judge: Judge, accepted: dict[str, int], report: Report) -> None:
        """What mypy finds in the programs of the roles and the central one, and not in the
        choreography already: a mutation may have made a mistake that only a type checker of one
        role's code finds, and mypy may be mistaken about both."""
        if self.compiler.options:       # what is not written for readers is not for mypy
            return
        accepted = {stem: seed for stem, seed in accepted.items()
                    if seed // 2 % self.typed_every == 0}
        report.counts["typed"] += len(accepted)
        centrals = {judge.central(Path(stem)).parent.name: stem
                    for number, stem in enumerate(accepted) if number % CENTRALS == 0}
        complaints = typing_check.check_programs(judge.folder / "build", [*accepted, *centrals],
                                                 *TYPING)
        for central, stem in centrals.items():
            if central in complaints:
                complaints.setdefault(stem, []).extend(complaints.pop(central))
        faulty = typing_check.unclean_sources(judge.folder, list(complaints), *TYPING)
        report.counts["ill-typed"] += len(faulty)
        for stem in complaints.keys() - faulty:
            source = judge.folder / f"{stem}.pyc"
            text = source.read_text(encoding="utf-8") if source.exists() else ""
            report.failures.append(Failure(accepted.get(stem, -1), Verdict(
                "mypy", "\n".join(complaints[stem])), text))

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
        failure = Failure(seed, verdict, path.read_text(encoding="utf-8"))
        report.failures.append(failure)
        return None


# ---- the workers ----

class Now(Protocol):
    """The seed at which a worker is, in memory that it shares; after the last one it calls mypy."""

    value: int


class Hand:
    """A worker at work on a batch."""

    def __init__(self, worker: Worker, seeds: range, folder: Path) -> None:
        self.seeds = seeds
        self.folder = folder
        folder.mkdir()
        self.now: Now = CONTEXT.Value("q", seeds.start, lock=False)
        self.seen, self.since = seeds.start, time.monotonic()
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=worker.serve, args=(theirs, seeds, folder, self.now))
        self.process.start()
        theirs.close()

    def hangs(self) -> bool:
        """Whether it has been at one program for too long."""
        if self.now.value != self.seen:
            self.seen, self.since = self.now.value, time.monotonic()
        patience = TYPING_S if self.seen == self.seeds.stop else HANGING_S
        return time.monotonic() - self.since > patience

    def answer(self) -> Report | None:
        try:
            answer: Report = self.connection.recv()
        except (EOFError, ConnectionError):
            return None
        return answer

    def failure(self, text: str) -> Failure:
        """Of a worker that gave no answer."""
        seed = self.now.value
        where = "in mypy" if seed == self.seeds.stop else f"at seed {seed}"
        source = self.folder / f"fuzz_{seed}.pyc"
        return Failure(seed, Verdict("worker", f"a worker {text} {where}, of {self.seeds}"),
                       source.read_text(errors="replace") if source.exists() else "")

    def without_current(self) -> list[range]:
        """The seeds that have to be judged yet."""
        seed = self.now.value
        if seed == self.seeds.stop:
            return []
        return [part for part in (range(self.seeds.start, seed), range(seed + 1, self.seeds.stop))
                if part]

    def close(self) -> None:
        """Ends it, and all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid or 0, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Pool:
    """Gives each batch to a new worker; one that dies or hangs is a failure."""

    def __init__(self, worker: Worker, jobs: int, folder: Path) -> None:
        self.worker = worker
        self.jobs = jobs
        self.folder = folder
        self.hands: list[Hand] = []
        self.started = 0
        self.done = 0

    def run(self, batches: list[range], until: float) -> Iterator[Report]:
        """What each batch gave; empty ones now and then, to show that time goes on."""
        waiting = list(reversed(batches))
        while True:
            while waiting and len(self.hands) < self.jobs and time.monotonic() < until:
                self.started += 1
                self.hands.append(Hand(self.worker, waiting.pop(),
                                       self.folder / f"{self.started}"))
            if not self.hands:
                return
            ready = wait([hand.connection for hand in self.hands], timeout=2)
            yield Report()
            for hand in [hand for hand in self.hands if hand.connection in ready or hand.hangs()]:
                report = hand.answer() if hand.connection in ready else None
                if report is None:
                    text = "died" if hand.connection in ready else "hangs"
                    report = Report(failures=[hand.failure(text)])
                    rest = hand.without_current()
                    waiting += rest
                    self.done -= sum(map(len, rest))
                self.done += len(hand.seeds)
                self.hands.remove(hand)
                hand.close()
                yield report

    def judged(self) -> int:
        """How many programs there were yet."""
        return self.done + sum(hand.now.value - hand.seeds.start for hand in self.hands)

    def close(self) -> None:
        for hand in self.hands:
            hand.close()


def seeds_in_batches(seed: int, count: int, jobs: int) -> list[range]:
    size = max(1, min(BATCH, -(-count // jobs)))
    return [range(start, min(start + size, seed + count))
            for start in range(seed, seed + count, size)]


class Run:
    """A whole run: says how far it is, and keeps what fails as soon as it is known."""

    def __init__(self, compiler: Compiler, pool: Pool, options: argparse.Namespace) -> None:
        self.compiler = compiler
        self.pool = pool
        self.options = options
        self.report = Report()
        self.untyped = 0        # complaints of mypy that are no failures
        self.started = self.said = time.monotonic()

    def go(self, batches: list[range]) -> None:
        for report in self.pool.run(batches, self.started + self.options.seconds):
            self.take(report)
            if time.monotonic() - self.said > PROGRESS_S:
                self.say_progress()

    def take(self, report: Report) -> None:
        if self.options.types == "report":
            untyped = [each for each in report.failures if each.verdict.kind == "mypy"]
            report.failures = [each for each in report.failures if each not in untyped]
            self.untyped += len(untyped)
            for failure in untyped:
                self.keep(failure, smaller=False)
        for failure in report.failures:
            self.keep(failure, smaller=False)
            print(f"FAILED seed {failure.seed}: {failure.verdict.kind}")
            print("    " + failure.verdict.text[:1500].replace("\n", "\n    "), flush=True)
        self.report.add(report)

    def keep(self, failure: Failure, smaller: bool) -> None:
        shrink.keep(self.compiler, failure.seed, failure.verdict, failure.source,
                    self.options.keep, smaller)

    def make_small(self) -> None:
        """The first failures of each kind."""
        kinds: Counter[str] = Counter()
        for failure in self.report.failures:
            kind = failure.verdict.kind
            kinds[kind] += 1
            if kinds[kind] <= MADE_SMALL and kind not in ("refused", "worker"):
                self.keep(failure, smaller=True)
        if self.report.failures:
            print(f"small programs are in {self.options.keep}: read what one shows, correct its "
                  "marks, and copy it to tests/regress")

    def say_progress(self) -> None:
        self.said = time.monotonic()
        judged, took = self.pool.judged(), self.said - self.started
        rate = judged / took
        left = f"{(self.options.count - judged) / rate / 60:.0f} min left" if judged else "?"
        print(f"{judged} of {self.options.count} programs, {rate:.1f} a second, {left}, "
              f"{len(self.report.failures)} failed", flush=True)

    def say(self, seed: int, missing: list[str]) -> None:
        counts, done = self.report.counts, self.pool.done
        took = time.monotonic() - self.started
        print(f"seeds {seed} to {seed + done - 1}: {counts['well-typed accepted']} well-typed and "
              f"{counts['mutated accepted']} mutated programs run, {counts['refused']} mutated "
              f"ones refused, {counts['endless']} without end, {counts['as processes']} as "
              f"processes; {counts['messages']} messages")
        print(f"mypy saw {counts['typed']} of them, and refuses {counts['ill-typed']} as they are "
              "written")
        if missing:
            print(f"not accepted yet, so not generated: {', '.join(missing)}")
        if self.untyped:
            print(f"mypy complains about {self.untyped} programs; they are in {self.options.keep}")
        times = ", ".join(f"{name} {seconds:.0f} s"
                          for name, seconds in self.report.seconds.most_common())
        print(f"{took:.0f} s, {done / took:.1f} programs a second ({times})")
        failed = len(self.report.failures)
        print(f"{done - failed} passed, {failed} failed", flush=True)


def temporary_folder() -> str | None:
    """Where programs are written and read in no time; None: where temporary files belong."""
    memory = Path("/dev/shm")
    room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    return str(memory) if room else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", type=Path, required=True, help="`fuzz_serve` lies beside it")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="1", help="the first seed, or `fresh`")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz/failed"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--types", choices=["fail", "report"], default="fail",
                        help="whether a complaint of mypy is a failure, or only counted and kept")
    parser.add_argument("--typed-every", type=int, default=1, metavar="N",
                        help="mypy sees one in N of the programs that behave")
    parser.add_argument("--desugared", action="store_true",
                        help="run the programs as the C emitter gets them (--dump=desugar)")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no batch after so long")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)       # ends as Ctrl-C does
    seed = random.SystemRandom().randrange(10**9) if options.seed == "fresh" else int(options.seed)
    compiler = Compiler(options.compiler.resolve(),
                        ["--dump=desugar", "--verify"] if options.desugared else [])
    if not Path(compiler.program).with_name("fuzz_serve").exists():
        parser.error("fuzz_serve is not beside the compiler: `make fuzz` builds it")
    with tempfile.TemporaryDirectory(prefix="pychoral-fuzz-", dir=temporary_folder()) as name:
        taken = features.accepted(compiler, Path(name))
        print(f"seed {seed}: {options.count} programs", flush=True)
        pool = Pool(Worker(compiler, taken, options.typed_every), options.jobs, Path(name))
        run = Run(compiler, pool, options)
        try:
            run.go(seeds_in_batches(seed, options.count, options.jobs))
            run.make_small()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            return 1 if run.report.failures else 130
        finally:
            pool.close()
            run.say(seed, sorted(set(features.PROBES) - taken))
    return 1 if run.report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
