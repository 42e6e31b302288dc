"""Random numbers of the C runtime against CPython's: the same seeds, the same draws.

random_draws.py PROGRAM [--count N]

PROGRAM is tests/builtins/random.c, which makes the same draws.
"""

from __future__ import annotations

import argparse
import math
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any


def draws(seed: str) -> list[str]:
    if "." in seed:
        random.seed(float(seed))
    elif seed[0] in "so":
        random.seed(seed[1:], 2 if seed[0] == "s" else 1)
    else:
        random.seed(int(seed[1:]))
    lines: list[str] = []

    def show(draw: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        try:
            result = draw(*arguments, **named)
        except Exception as fault:
            result = fault
        lines.append(written(result) if isinstance(result, float) else repr(result))

    for bits in range(-1, 200, 7):
        show(random.getrandbits, bits)
    for i in range(-1, 40, 3):
        show(random.randrange, i, 20, int(math.fmod(i, 4)) - 1)
    show(random.randint, -5, 3**100)
    show(random.randint, 3**100, 7)
    show(random.randrange, 3**100)
    show(random.randrange, 0)
    show(random.randbytes, 21)
    show(random.random)
    show(random.uniform, -3, 10.5)
    show(random.triangular)
    show(random.triangular, 1.0, 5.0, 4.0)
    show(random.triangular, 2.0, 2.0, 2.0)
    for _ in range(3):
        show(random.gauss, 1, 2)
    show(random.normalvariate, 0, 1)
    show(random.lognormvariate, 0, 1)
    show(random.expovariate, 1.5)
    show(random.vonmisesvariate, 1, 4)
    show(random.vonmisesvariate, 1, 0)
    show(random.gammavariate, 2.5, 1.5)
    show(random.gammavariate, 1.0, 1.5)
    show(random.gammavariate, 0.5, 1.5)
    show(random.betavariate, 2, 3)
    show(random.paretovariate, 3)
    show(random.weibullvariate, 1, 1.5)
    few, many, none = list(range(5)), list(range(1000)), list(range(0))
    show(random.choice, many)
    show(random.choice, none)
    show(random.choices, many, k=10)
    show(random.choices, few, few, k=10)
    show(random.choices, few, cum_weights=few, k=10)
    show(random.choices, few, many, k=10)
    show(random.choices, none)
    show(random.sample, many, 4)
    show(random.sample, many, 100)
    show(random.sample, many, 1000)
    show(random.sample, few, 5, counts=few)
    show(random.sample, few, 6)
    random.shuffle(many)
    lines.append(repr(many))
    return lines


def written(number: float) -> str:
    """As C's %a does."""
    text = number.hex()
    digits, power = text.split("p")
    return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}p{power}"


def seeds(count: int) -> list[str]:
    fixed = [
        "i0", "i1", "i-1", f"i{2**32}", f"i{2**64 - 1}", f"i{3**2000}", "s", "sabc", "scaf\u00e9",
        "o", "oabc", "ocaf\u00e9 and more of it", "1.5", "-2.25",
    ]  # fmt: skip
    return fixed + [f"i{10**k + k}" for k in range(count)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=30)
    options = parser.parse_args()
    every = seeds(options.count)
    wanted = [line for seed in every for line in draws(seed)]
    done = subprocess.run([options.program], input="\n".join(every) + "\n", capture_output=True,
                          text=True, check=False)  # fmt: skip
    given = done.stdout.splitlines()
    wrong = [number for number, pair in enumerate(zip(wanted, given)) if pair[0] != pair[1]]
    for number in wrong[:10]:
        which = divmod(number, len(wanted) // len(every))
        print(f"random: seed {every[which[0]]}, draw {which[1]}\n  Python: {wanted[number][:200]}\n"
              f"  C:      {given[number][:200]}")  # fmt: skip
    if done.returncode != 0 or len(given) != len(wanted):
        print(f"random: {len(given)} lines of {len(wanted)}, status {done.returncode}")
        print(done.stderr[:3000])
        return 1
    print(f"random: {len(wanted)} draws from {len(every)} seeds, {len(wrong)} differ")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
