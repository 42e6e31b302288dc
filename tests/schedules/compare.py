"""Compares the two machines: random schedules, and the recorded ones, must be answered alike.

    compare.py [--driver build/release/c_driver] [--count N] [--seed N|fresh] [--keep FOLDER]

Random schedules (generate.py) are given to the C driver in files of some hundreds.  One that is
answered differently is kept with both answers, and its first difference is shown.  Recorded
schedules are the files NAME.txt beside this one (record.py); NAME.out is what both must print.
Without a driver only these are compared, with the Python machine.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path

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


def batch(program: Path, seeds: range, keep: Path) -> list[int]:
    """The seeds whose schedules are answered differently."""
    made = [generate.schedule(seed) for seed in seeds]
    text = "".join("\n".join([*lines, BREAK, ""]) for lines, _ in made)
    theirs = c_answers(program, text).split(f"{BREAK}\n")
    bad = []
    for place, (seed, (lines, ours)) in enumerate(zip(seeds, made)):
        its = theirs[place].splitlines() if place < len(theirs) else ["nothing"]
        if its != ours:
            report(f"seed {seed}", lines, ours, its, keep / f"seed{seed}")
            bad.append(seed)
            if len(bad) == 3:
                break
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


def compare_random(program: Path, first: int, count: int, keep: Path) -> int:
    """How many schedules differ."""
    began = time.monotonic()
    bad = done = 0
    while done < count and not bad:
        seeds = range(first + done, first + min(done + BATCH, count))
        bad = len(batch(program, seeds, keep))
        done += len(seeds)
    seconds = time.monotonic() - began
    print(f"{done} schedules from seed {first}: {bad} answered differently, {seconds:.0f} s")
    return bad


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
    parser.add_argument("--keep", type=Path, default=Path("build/schedules"))
    options = parser.parse_args()
    fresh = random.SystemRandom().randrange(1 << 40)
    first = fresh if options.seed == "fresh" else int(options.seed)
    program = options.driver.resolve() if options.driver else None
    good, bad = compare_recorded(program, options.keep)
    if program:
        wrong = compare_random(program, first, options.count, options.keep)
        good, bad = good + options.count - wrong, bad + wrong
    print(f"{good} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
