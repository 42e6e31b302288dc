"""Compares the two machines: random schedules, and the recorded ones, must be answered alike.

    compare.py [--driver build/release/c_driver] [--count N] [--seed N|fresh] [--keep FOLDER]
               [--frames]

Random schedules (generate.py) are given to the C driver in files of some hundreds.  One that is
answered differently is kept with both answers, and its first difference is shown.  Recorded
schedules are the files NAME.txt beside this one (record.py); NAME.out is what both must print.
Without a driver only these are compared, with the Python machine.  `--frames`: frames that are
changed a little instead, forty a schedule.
"""

from __future__ import annotations

import argparse
import itertools
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import driver  # noqa: E402
import generate  # noqa: E402

BATCH = 500
BREAK = "---"
SECONDS = 120


def c_answers(program: Path, text: str) -> str:
    """What the C driver prints; its last words on standard error if it fails."""
    done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=SECONDS)
    return done.stdout if done.returncode == 0 else f"{done.stdout}\n{done.stderr[-2000:]}"


class Made(NamedTuple):
    """A schedule and what the Python machine answers."""

    name: str
    lines: list[str]
    answers: list[str]


Maker = Callable[[int], tuple[list[str], list[str]]]


def generated(seeds: range, make: Maker) -> Iterator[Made]:
    for seed in seeds:
        yield Made(f"seed{seed}", *make(seed))


def batch(program: Path, made: list[Made], keep: Path) -> int:
    """How many schedules are answered differently; three are enough."""
    text = "".join("\n".join([*lines, BREAK, ""]) for _, lines, _ in made)
    theirs = c_answers(program, text).split(f"{BREAK}\n")
    bad = 0
    for place, (name, lines, ours) in enumerate(made):
        its = theirs[place].splitlines() if place < len(theirs) else ["nothing"]
        if its != ours and bad < 3:
            report(name, lines, ours, its, keep / name)
            bad += 1
    return bad


def report(name: str, lines: list[str], ours: list[str], its: list[str], place: Path) -> None:
    """The first difference; all of it goes into files."""
    place.parent.mkdir(parents=True, exist_ok=True)
    for suffix, text in ((".txt", lines), (".python", ours), (".c", its)):
        place.with_suffix(suffix).write_text("\n".join(text) + "\n")
    at = next((at for at, pair in enumerate(zip(ours, its)) if pair[0] != pair[1]),
              min(len(ours), len(its)))
    print(f"{name}: answer {at + 1} differs (kept as {place}.txt, .python, .c)")
    for who, answers in (("before", ours[max(at - 3, 0) : at]), ("Python", ours[at : at + 1]),
                         ("C", its[at : at + 1])):
        for line in answers or ["nothing"]:
            print(f"  {who:7}{line[:200]}")


def compare(program: Path, source: str, schedules: Iterator[Made], keep: Path) -> tuple[int, int]:
    """How many schedules are answered alike, and differently."""
    began = time.monotonic()
    bad = done = 0
    while not bad:
        made = list(itertools.islice(schedules, BATCH))
        if not made:
            break
        bad = batch(program, made, keep)
        done += len(made)
    seconds = time.monotonic() - began
    print(f"{done} schedules from {source}: {bad} answered differently, {seconds:.0f} s")
    return done - bad, bad


def compare_recorded(program: Path | None, keep: Path) -> tuple[int, int]:
    """How many recorded schedules are answered as recorded, and how many are not."""
    good = bad = 0
    for file in sorted(HERE.glob("*.txt")):
        text = file.read_text("utf-8")
        wanted = file.with_suffix(".out").read_text("utf-8").splitlines()
        answers = [("Python", driver.answers(text))]
        if program:
            answers.append(("C", c_answers(program, text).splitlines()))
        wrong = [who for who, answer in answers if answer != wanted]
        for who, answer in answers:
            if who in wrong:
                report(f"{file.name}, {who}", text.splitlines(), wanted, answer, keep / file.stem)
        good, bad = good + (not wrong), bad + bool(wrong)
    return good, bad


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the machines of both languages.")
    parser.add_argument("--driver", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1", help="the first, or `fresh`")
    parser.add_argument("--frames", action="store_true")
    parser.add_argument("--keep", type=Path, default=Path("build/schedules"))
    options = parser.parse_args()
    fresh = random.SystemRandom().randrange(1 << 40)
    first = fresh if options.seed == "fresh" else int(options.seed)
    program = options.driver.resolve() if options.driver else None
    good, bad = compare_recorded(program, options.keep)
    if program:
        seeds = range(first, first + options.count)
        make: Maker = generate.mutated if options.frames else generate.schedule
        counts = compare(program, f"seed {first}", generated(seeds, make), options.keep)
        good, bad = good + counts[0], bad + counts[1]
    print(f"{good} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
