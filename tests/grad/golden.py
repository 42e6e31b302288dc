#!/usr/bin/env python3
"""Writes golden.json: what the programs answer, and their derivatives, in 80 digits.

Each program runs with numbers of mpmath in place of floats; a derivative is a central difference
with a step of 1e-30, right to some 50 digits, also where a program asks for derivatives itself.
Run it when a program has come or changed, and look at `git diff`.
"""

import builtins
import json
import math
import sys
import types
from collections.abc import Callable
from typing import Any

import mpmath  # type: ignore

import points

STEP = mpmath.mpf(10) ** -30
DIGITS = 160


def number(x: Any = 0) -> Any:
    return mpmath.mpf(x)


def real_only(function: Any) -> Any:
    """Outside its domain it raises as that of `math` does."""
    def called(x: Any) -> Any:
        if x < 0 or (x == 0 and function is mpmath.log):
            raise ValueError("math domain error")
        return function(x)
    return called


def exact_math() -> types.ModuleType:
    module = types.ModuleType("math")
    for name in dir(mpmath.mp):
        if not name.startswith("_"):
            setattr(module, name, getattr(mpmath.mp, name))
    for name in ("pi", "e"):
        setattr(module, name, mpmath.mpf(getattr(mpmath.mp, name)))
    module.tau = 2 * mpmath.mpf(mpmath.mp.pi)           # type: ignore[attr-defined]
    module.fsum = builtins.sum                          # type: ignore[attr-defined]
    module.pow = lambda a, b: mpmath.mpf(a) ** b        # type: ignore[attr-defined]
    module.prod = lambda xs: mpmath.fprod(xs)           # type: ignore[attr-defined]
    module.hypot = lambda *xs: mpmath.norm(xs)          # type: ignore[attr-defined]
    module.sqrt = real_only(mpmath.sqrt)                # type: ignore[attr-defined]
    module.log = real_only(mpmath.log)                  # type: ignore[attr-defined]
    return module


class Cell:
    """`Ref` of `pychoral.ad`."""

    def __class_getitem__(cls, _: Any) -> type["Cell"]:
        return cls

    def __init__(self, value: Any) -> None:
        self.value = value

    def get(self) -> Any:
        return self.value

    def set(self, value: Any) -> None:
        self.value = value

    def add(self, value: Any) -> None:
        self.value = self.value + value


def along(f: Callable[..., Any], args: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
    """The derivative of f in a direction; what is no float has no tangent."""
    def moved(by: Any) -> Any:
        left = iter(tangents)
        return f(*(a if isinstance(a, int) else a + by * next(left) for a in args))
    return (moved(STEP) - moved(-STEP)) / (2 * STEP)


def gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    def answer(*args: Any) -> Any:
        count = sum(not isinstance(a, int) for a in args)
        parts = [along(f, args, tuple(number(i == k) for k in range(count))) for i in range(count)]
        return parts[0] if count == 1 else tuple(parts)
    return answer


def exact_ad() -> types.ModuleType:
    """What programs import of `pychoral.ad`."""
    module = types.ModuleType("pychoral.ad")
    vars(module).update({
        "Ref": Cell, "grad": gradient,
        "value_and_grad": lambda f: lambda *args: (f(*args), gradient(f)(*args)),
        "jvp": lambda f, args, tangents: (f(*args), along(f, args, tangents))})
    return module


def at(module: types.ModuleType, text: str, function: str, which: int, by: Any) -> Any:
    """The function where one of the numbers is moved."""
    given = list(points.arguments(module, text, function))
    count = -1

    def moved(x: Any) -> Any:
        nonlocal count
        count += 1
        return mpmath.mpf(x) + (by if count == which else 0)

    points.leaves(given, moved)
    if any(isinstance(part, float) for part in given):
        given = [mpmath.mpf(part) if isinstance(part, float) else part for part in given]
    return getattr(module, function)(*given)


def derivatives(module: types.ModuleType, text: str, function: str) -> dict[str, Any]:
    given = list(points.arguments(module, text, function))
    count = len(points.numbers(given))
    parts = [(at(module, text, function, i, STEP) - at(module, text, function, i, -STEP))
             / (2 * STEP) for i in range(count)]
    value = at(module, text, function, -1, 0)
    return {"value": mpmath.nstr(value, 25), "gradient": [mpmath.nstr(p, 25) for p in parts]}


def main() -> None:
    mpmath.mp.dps = DIGITS
    points.NUMBERS[0] = mpmath.mpf
    sys.modules["pychoral"] = types.ModuleType("pychoral")
    sys.modules["pychoral.ad"] = exact_ad()
    golden: dict[str, Any] = {}
    for path in points.PROGRAMS:
        sys.modules["math"] = exact_math()
        module = points.load(path, path.stem, {"float": number})
        sys.modules["math"] = math
        for text, function in points.calls(path):
            golden[f"{path.stem}: {text}"] = derivatives(module, text, function)
    out = json.dumps(golden, indent=1, sort_keys=True) + "\n"
    (points.HERE / "golden.json").write_text(out, encoding="utf-8")
    print(f"{len(golden)} calls")


if __name__ == "__main__":
    main()
