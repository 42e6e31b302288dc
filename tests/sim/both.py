"""The schedules of the simulation through both drivers: both machines must answer the same.

    tests/sim/both.py SIM C_DRIVER [--count N] [--seed S]

The seed of a schedule on which they differ is printed with the first line that does.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/schedules"))

import driver  # noqa: E402

CHUNK = 200


def written(command: list[str], text: str = "") -> str:
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, timeout=300,
                          check=False)
    return done.stdout


def differs(theirs: str, ours: list[str]) -> str:
    """The first line that is not the same, "" if all are."""
    lines = theirs.splitlines()
    for number in range(max(len(lines), len(ours))):
        c_line = lines[number] if number < len(lines) else "nothing"
        py_line = ours[number] if number < len(ours) else "nothing"
        if c_line != py_line:
            return f"C: {c_line[:300]}\nPython: {py_line[:300]}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sim")
    parser.add_argument("c_driver")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    first = int(time.time()) if options.seed == "fresh" else int(options.seed)
    bad = 0
    for seed in range(first, first + options.count, CHUNK):
        count = min(CHUNK, first + options.count - seed)
        inputs = written([options.sim, "--schedules", "--quiet", "--count", str(count),
                          "--seed", str(seed)])
        outputs = written([options.c_driver], inputs).split("---\n")
        for place, schedule in enumerate(inputs.split("---\n")[:count]):
            wrong = differs(outputs[place], driver.answers(schedule))
            if wrong:
                bad += 1
                print(f"seed {seed + place}:\n{wrong}")
    print(f"{options.count} simulated schedules from seed {first}, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
