"""Which tests say most about what has changed: for `make quick`, which has time for a tenth.

What git calls changed, in the working tree and since the branch left main, names rooms (the folders
of files) and things (the words in their names). First come the changed tests, then those that
have these words in their names, then those of the rooms' folders; chance decides among equals, and
takes others each day.
"""

import random
import re
import subprocess
import time
from pathlib import Path

from runner.marks import Test

ROOT = Path(__file__).resolve().parents[2]
# Which tests are about a room: folders of tests/, or the first word of a test's name.
ROOMS = {
    "compiler/front": {"check"}, "typecheck": {"check"}, "projection": {"programs", "traps"},
    "compiler/pass": {"programs", "modules"}, "compiler/emit": {"programs", "samples"},
    "compiler/emit/c": {"c", "regress"}, "runtime/c": {"c", "regress"},
    "runtime/python": {"samples", "programs"},
}
WORD = re.compile(r"[a-z]{3,}")


def git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines()


def changed() -> set[Path]:
    since = git("merge-base", "main", "HEAD") or ["HEAD"]
    names = git("diff", "--name-only", since[0]) + git("ls-files", "-o", "--exclude-standard")
    return {ROOT / name for name in names}


def score(test: Test, files: set[Path], rooms: set[str], words: set[str]) -> int:
    if test.path in files or test.source in files:
        return 100
    stem = test.path.stem if test.path.stem != "main" else test.path.parent.name
    folder = "modules" if test.path.stem == "main" else test.path.parent.name
    return 2 * len(words & set(WORD.findall(stem))) + bool({folder, stem.split("_")[0]} & rooms)


def tenth(tests: list[Test], files: set[Path]) -> list[Test]:
    """At least a tenth: all the changed ones are in it."""
    places = [str(path.relative_to(ROOT)) for path in files]
    rooms = {name for room, names in ROOMS.items() for name in names
             if any(place.startswith(room + "/") for place in places)}
    words = {word for path in files if path.suffix in (".c", ".h", ".py", ".def", ".y", ".l")
             for word in WORD.findall(path.stem)}
    chance = random.Random(int(time.time()) // 86400)
    ranked = sorted(tests, key=lambda test: (-score(test, files, rooms, words), chance.random()))
    least = sum(test.path in files or test.source in files for test in tests)
    return ranked[:max(len(tests) // 10, least)]
