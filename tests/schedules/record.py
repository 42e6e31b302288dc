"""Writes the recorded schedules: NAME.txt and NAME.out for each scene of scenes.py.

    record.py            writes all
    record.py --check    says which files are not what would be written

A scene that changes its answers changes the protocol: look at `git diff` before it is committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import scenes  # noqa: E402
from scene import Scene  # noqa: E402


def texts() -> dict[Path, str]:
    """What belongs into each file."""
    found = {}
    for name, play in scenes.SCENES.items():
        scene = Scene()
        play(scene)
        words = " ".join((play.__doc__ or "").split())
        found[HERE / f"{name}.txt"] = "\n".join([f"# {words}", *scene.lines, ""])
        found[HERE / f"{name}.out"] = "\n".join([*scene.answers, ""])
    return found


def main() -> int:
    wanted = texts()
    there = {*HERE.glob("*.txt"), *HERE.glob("*.out")}
    if sys.argv[1:] == ["--check"]:
        wrong = {each for each, text in wanted.items()
                 if each not in there or each.read_text("utf-8") != text} | there - wanted.keys()
        print(*(f"{each.name} is not what record.py writes" for each in sorted(wrong)), sep="\n")
        return 1 if wrong else 0
    for each in there - wanted.keys():
        each.unlink()
    for each, text in wanted.items():
        each.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
