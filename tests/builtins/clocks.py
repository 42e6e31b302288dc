"""The module time of the C runtime against CPython's: clocks.py PROGRAM (tests/builtins/clocks.c).

Texts and errors are equal; clocks lie between what Python's show before and after.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

TIMES = [0.0, -1.5, 1e9, 1719000000.25, -1e11, 1e12, 1e18, 1e19, math.nan, math.inf]
SLEEPS = [0.0, 0.06, -0.0, -1.0, 1e20, -1e20, math.nan, math.inf]
FORMATS = ["", "a\0b", "\u00e9 %% %n%t|", "\ud800"]
SHARED = ["time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns"]
OWN = ["process_time", "thread_time", "process_time_ns", "thread_time_ns"]


def shown(function: Callable[..., Any], *arguments: Any) -> str:
    try:
        return repr(function(*arguments))
    except Exception as fault:
        return repr(fault)


def expected() -> list[str]:
    lines = [f"ctime {shown(time.ctime, each)}" for each in TIMES]
    lines += [f"sleep {shown(time.sleep, each)}" for each in SLEEPS]
    lines += [f"strftime {shown(time.strftime, each)}" for each in FORMATS]
    return lines + [f"{each} {getattr(time, each)}" for each in ("timezone", "altzone", "daylight")]


def now() -> list[str]:
    return [repr(time.strftime("%Y-%m-%d %H:%M:%S %j %a %b %Z %z")), repr(time.ctime())]


def check(program: str, zone: str) -> list[str]:
    os.environ["TZ"] = zone
    time.tzset()
    before = {each: getattr(time, each)() for each in SHARED}
    dates = now()
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    after = {each: getattr(time, each)() for each in SHARED}
    wanted, lines = expected(), done.stdout.splitlines()
    wrong = [f"{zone}: C: {c}  Python: {p}" for c, p in zip(lines, wanted) if c != p]
    clocks = dict(line.split(" ", 1) for line in lines[len(wanted) : -2])
    wrong += [f"{zone}: {each} {clocks[each]}" for each in SHARED
              if not before[each] <= eval(clocks[each]) <= after[each]]  # fmt: skip
    wrong += [each for each in OWN if not 0 < eval(clocks[each]) < 10**9 * 60]
    dates += now()
    wrong += [f"{zone}: {line}" for line in lines[-2:] if line.removeprefix("now ") not in dates]
    return wrong


def main() -> int:
    zones = ["UTC", "Europe/Berlin", "Australia/Sydney", "America/St_Johns"]
    wrong = [line for zone in zones for line in check(sys.argv[1], zone)]
    print(*wrong, f"clocks: {len(zones)} zones, {len(wrong)} wrong", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
