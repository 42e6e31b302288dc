#!/usr/bin/env python3
"""What `NAME_grad` answers for several parameters and for data, in the modes that differentiate.

Each float of the arguments is moved a little, where it is: an object that is there twice moves at
both places, as its derivative stands at both.
"""

import argparse
import copy
import dataclasses
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from judge import DERIVATIVES, HERE, Judge, difference, distance, load

Change = Callable[[Any, float], Any]


def floats(value: Any, seen: set[int]) -> Iterator[tuple[float, Change]]:
    """Each float in a structure, and how the structure is with another in its place."""
    if isinstance(value, float):
        yield value, lambda whole, x: x
    elif isinstance(value, (tuple, list)):
        for i, part in enumerate(value):
            for x, change in floats(part, seen):
                yield x, partial(put_item, i, change)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        frozen = getattr(value, "__dataclass_params__").frozen
        if id(value) in seen and not frozen:
            return
        seen.add(id(value))
        for field in dataclasses.fields(value):
            for x, change in floats(getattr(value, field.name), seen):
                yield x, partial(put_field, field.name, change)


def put_item(i: int, change: Change, whole: Any, x: float) -> Any:
    if isinstance(whole, tuple):
        return (*whole[:i], change(whole[i], x), *whole[i + 1:])
    whole[i] = change(whole[i], x)
    return whole


def put_field(name: str, change: Change, whole: Any, x: float) -> Any:
    if getattr(whole, "__dataclass_params__").frozen:
        return dataclasses.replace(whole, **{name: change(getattr(whole, name), x)})
    setattr(whole, name, change(getattr(whole, name), x))
    return whole


def judge_function(judge: Judge, f: Callable[..., float], arguments: tuple[Any, ...]) -> None:
    def moved(change: Change, x: float) -> float:
        return f(*change(copy.deepcopy(arguments), x))

    wanted = [difference(partial(moved, change), x) for x, change in floats(arguments, set())]
    for mode in DERIVATIVES:
        module = judge.module_of(mode, f.__name__)
        answer = getattr(module, f"{f.__name__}_grad")(*copy.deepcopy(arguments))
        got = [x for x, _ in floats(answer, set())]
        if len(got) != len(wanted) or any(distance(a, b) > 1e-8 for a, b in zip(got, wanted)):
            judge.faults.append(f"{f.__name__} in {mode}: {got}, should be {wanted}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--terms", default="build/release/terms")
    options = parser.parse_args()
    os.chdir(HERE.parents[2])
    program = Path("tests/grad/modes/several.py")
    judge = Judge(options.terms, program)
    arguments: dict[Any, Any] = load(program).ARGUMENTS
    for f, values in arguments.items():
        judge_function(judge, f, values)
    for fault in judge.faults:
        print(fault)
    print(f"several: {len(arguments)} functions, {len(judge.faults)} faults")
    return 1 if judge.faults or not arguments else 0


if __name__ == "__main__":
    sys.exit(main())
