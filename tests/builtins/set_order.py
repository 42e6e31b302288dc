"""Does the same with sets in C and in CPython: their order must be the same after each step.

    python3 tests/builtins/set_order.py PROGRAM [--count N] [--seed SEED]
"""

import argparse
import operator
import random
import subprocess
from collections.abc import Callable
from typing import Any

SETS = 6

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "and": lambda a, b: a.intersection(b),
    "or": lambda a, b: a.union(b),
    "sub": lambda a, b: a.difference(b),
    "xor": lambda a, b: a.symmetric_difference(b),
}
CHANGES: dict[str, Callable[[Any, Any], Any]] = {
    "iand": lambda a, b: a.intersection_update(b),
    "ior": lambda a, b: a.update(b),
    "isub": lambda a, b: a.difference_update(b),
    "ixor": lambda a, b: a.symmetric_difference_update(b),
}


class Steps:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.sets: list[Any] = [set() for _ in range(SETS)]
        self.are_ints = [False] * SETS
        self.spread = 0

    def int(self) -> int:
        rng = self.rng
        pick = rng.randrange(8)
        if pick == 0:
            return rng.randrange(8) * 2 ** rng.randrange(70) * rng.choice([1, -1])
        if pick == 1:
            return (2**61 - 1) * rng.randint(-3, 3) + rng.randint(-2, 2)
        if pick == 2:
            return rng.randint(-9, 9)
        return rng.randrange(self.spread) * rng.choice([1, 1, 1, 8, 32, -1])

    def value(self, depth: int = 2) -> Any:
        pick = self.rng.randrange(14)
        if pick == 0:
            return self.rng.choice([True, False, 0.5, -0.0, 1e300, float("inf"), -2.5, 3.0, -1.0])
        if pick == 1:
            return self.rng.choice([1j, 2 + 0j, 1.5 - 2j, -1 - 1j])
        if pick == 2:
            return self.rng.randint(-99, 99) / 8
        if pick == 3 and depth > 0:
            return tuple(self.value(depth - 1) for _ in range(self.rng.randrange(4)))
        return self.int()

    def many(self, are_ints: bool) -> Any:
        count = self.rng.choice([0, 1, 2, 3, 4, 5, 6, 9, 20, 60, 300])
        values = [self.int() if are_ints else self.value() for _ in range(count)]
        return dict.fromkeys(values, 0) if self.rng.randrange(4) == 0 else values

    def step(self) -> tuple[str, str]:
        rng, sets = self.rng, self.sets
        self.spread = rng.choice([10, 40, 300, 5000])
        to, other = rng.randrange(SETS), rng.randrange(SETS)
        name = rng.choice(["new", "ints", "frozen", "set", "copy", "clear", "pop", "pop"]
                          + ["add", "discard"] * 4
                          + [*OPERATORS, *CHANGES] * 2)  # fmt: skip
        if isinstance(sets[to], frozenset) and name not in {*OPERATORS, "new", "set", "copy"}:
            name = rng.choice(["ints", "frozen"])
        if self.are_ints[to] and not self.are_ints[other]:
            other = to
        argument = self.do(name, to, other)
        return f"{name} {to} {other} {argument!r}".replace("inf", "1e999"), repr(list(sets[to]))

    def do(self, name: str, to: int, other: int) -> Any:
        rng, sets = self.rng, self.sets
        mine, argument = sets[to], None
        if name in ("new", "ints", "frozen"):
            argument = self.many(name == "ints")
            sets[to] = frozenset(argument) if name == "frozen" else set(argument)
            self.are_ints[to] = name == "ints"
        elif name == "set":
            sets[to] = type(mine)(sets[other])
        elif name == "copy":
            sets[to], self.are_ints[to] = sets[other].copy(), self.are_ints[other]
        elif name == "clear":
            mine.clear()
        elif name == "pop":
            for _ in range(min(1, len(mine))):
                mine.pop()
        elif name in ("add", "discard"):
            argument = self.int() if self.are_ints[to] else self.value()
            if name == "discard" and mine and rng.randrange(3):
                argument = rng.choice(sorted(mine, key=repr))
            operator.methodcaller(name, argument)(mine)
        else:
            argument = self.many(self.are_ints[to]) if rng.randrange(2) else None
            against = sets[other] if argument is None else argument
            if name in OPERATORS:
                sets[to] = OPERATORS[name](mine, against)
            else:
                CHANGES[name](mine, against)
        return argument


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=30000)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    steps = Steps(random.Random(options.seed))
    lines = [steps.step() for _ in range(options.count)]
    text = "".join(line + "\n" for line, _ in lines)
    done = subprocess.run(
        [options.program], input=text, capture_output=True, text=True, timeout=600, check=False
    )
    answers = done.stdout.split("\n")
    wrong = [i for i, (_, order) in enumerate(lines) if answers[i : i + 1] != [order]]
    for i in wrong[:1]:
        print(f"{i}: {lines[i][0][:2000]}\n  Python: {lines[i][1][:2000]}\n"
              f"  C:      {(answers + [''] * len(lines))[i][:2000]}")  # fmt: skip
    if done.returncode != 0:
        print(f"ended with {done.returncode}: {done.stderr[:2000]}")
    print(f"order of sets: {len(lines)} steps, {len(wrong)} differences (seed {options.seed})")
    return 1 if wrong or done.returncode != 0 else 0


if __name__ == "__main__":
    raise SystemExit(main())
