"""The 40 faults: each is made over real sockets, and each must be survived as it is wanted.

faults.py [--short] [--ends ENDS] [--jobs N] [--seeds N] [--seed S] [NUMBER[:NAME]...]

C: carries on; nothing lost, doubled, out of order. S: every role stops by itself before the
deadline, with the cause and the source line. A process that is still there at the deadline is a
hang. Prints a table: number, fault, wanted, seen, seconds; the status is 1 if any was not survived.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from registry import CASES, TITLES, Case
from stage import ROOT, Failed, NotBuilt, Skipped, Stage

MODULES = ("case_links", "case_roles", "case_journal", "case_strangers", "case_crafted",
           "case_system", "case_generated", "case_agreed", "case_pairs")


def run(case: Case, programs: Path) -> Case:
    start = time.monotonic()
    try:
        with Stage(case.deadline, case.ends, programs) as stage:
            case.work(stage)
        case.seen = case.wanted
    except Failed as fault:
        case.seen, case.detail = "FAILED", str(fault)
    except Skipped as fault:
        case.seen, case.detail = "skipped", str(fault)
    except NotBuilt as fault:
        case.seen, case.detail = "not built", str(fault)
    except Exception:
        case.seen, case.detail = "ERROR", traceback.format_exc()
    case.seconds = time.monotonic() - start
    return case


def show(case: Case, verbose: bool) -> None:
    title = f"{TITLES[case.number]}: {case.name} ({case.ends.name})"
    print(f"{case.number:>3}  {title:<66.66} {case.wanted:<5} {case.seen:<9} {case.seconds:6.1f}",
          flush=True)
    if case.detail and (verbose or case.seen != case.wanted):
        print(f"     {case.detail}", flush=True)


def chosen(cases: list[Case], words: list[str], short: bool) -> list[Case]:
    """By number or number:part of the name; else all, or the short selection."""
    if not words:
        return [each for each in cases if each.short or not short]
    picked = []
    for word in words:
        number, _, part = word.partition(":")
        picked += [each for each in cases if each.number == int(number)
                   and part in f"{each.name} ({each.ends.name})"]
    return picked


def summary(done: list[Case], whole: bool) -> int:
    """The last lines; gives the exit status."""
    bad = [each for each in done if each.seen not in (each.wanted, "skipped")]
    skipped = [each for each in done if each.seen == "skipped"]
    numbers = {each.number for each in done}
    survived = numbers - {each.number for each in bad}
    if whole:
        missing = sorted(set(TITLES) - numbers)
        print(f"{len(survived)} of 40 faults survived"
              + (f"; without a case: {missing}" if missing else ""))
    print(f"{len(done) - len(bad) - len(skipped)} passed, {len(bad)} failed"
          + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if bad or not done else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a selection of about 20 seconds")
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 1))
    parser.add_argument("--seeds", type=int, default=10, help="how many for fault 40")
    parser.add_argument("--seed", type=int, default=0, help="the first seed of fault 40")
    parser.add_argument("--c", type=Path, default=ROOT / "build" / "release",
                        help="folder of the C endpoint")
    parser.add_argument("--ends", default="", help="only py-py, c-c, c-py or py-c")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("words", nargs="*", metavar="NUMBER[:NAME]")
    options = parser.parse_args()
    for each in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR2):
        if signal.getsignal(each) == signal.SIG_IGN:    # as of what a shell has put aside
            signal.signal(each, signal.SIG_DFL)
    os.environ["FAULTS_SEEDS"] = f"{options.seed}:{options.seeds}"
    for module in MODULES:
        importlib.import_module(module)
    cases = [each for each in chosen(CASES, options.words, options.short)
             if options.ends in ("", each.ends.name)]
    light = [each for each in cases if not each.heavy]
    heavy = [each for each in cases if each.heavy]
    print(f"  #  {'fault':<66} {'want':<5} {'seen':<9} seconds", flush=True)
    done = []
    for group, jobs in ((light, options.jobs), (heavy, 1)):
        with ThreadPoolExecutor(jobs) as pool:
            longest = sorted(group, key=lambda each: -each.deadline)    # those are begun first
            futures = {id(each): pool.submit(run, each, options.c.resolve()) for each in longest}
            for case in group:
                show(futures[id(case)].result(), options.verbose)
                done.append(case)
    return summary(done, not (options.words or options.short or options.ends))


if __name__ == "__main__":
    sys.exit(main())
