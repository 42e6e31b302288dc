"""traps.py [--only WORDS] [FILE...] - programs at the edges of the hooks, plain and virtualized.

Each program of tests/virtual/traps must print and raise the same with the default hooks, in both
modes, and with `truth` alone; a title may say `not WAY`, or `(native)`: without the native hooks
there are frames of Python between those of the program.  An outcome that is an error of ours (a
NameError of a generated name, say) cannot be equal.  A program has some seconds of CPU.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from pychoral.virtual import py_defaults

from programs import HERE, WAYS, differences, sections


SECONDS = 5.0


def stop(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s of CPU")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    count = bad = 0
    signal.signal(signal.SIGVTALRM, stop)
    for file in given.files or sorted((HERE / "traps").glob("*.py")):
        for title, source in sections(file):
            if given.only not in title or (title.endswith(" (native)") and not py_defaults.NATIVE):
                continue
            count += 1
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            ways = [way for way in WAYS if f"not {way.name}" not in title]
            for difference in differences(source, f"{file.stem}: {title}", ways):
                bad += 1
                print(f"{file.name}: {title}\n  {difference}")
    print(f"virtual traps: {count} programs, {bad} differences")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
