"""Scalar dual-numbers reverse AD as it is derived step by step: Deltas and four evaluators.

A Delta is a tuple: ("Zero",), ("Input", name), ("Add", d, d), ("Scale", r, d), ("Share", id, d).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Delta = tuple[Any, ...]
Gradient = dict[str, float]
ZERO: Delta = ("Zero",)


def eval0(d: Delta, e: Gradient) -> float:
    """The derivative along e."""
    match d:
        case ("Input", name):
            return e.get(name, 0.0)
        case ("Add", x, y):
            return eval0(x, e) + eval0(y, e)
        case ("Scale", r, x):
            return float(r * eval0(x, e))
        case ("Share", _, x):
            return eval0(x, e)
    return 0.0


def eval1(d: Delta) -> Gradient:
    """All directions at once."""
    match d:
        case ("Input", name):
            return {name: 1.0}
        case ("Add", x, y):
            left, right = eval1(x), eval1(y)
            return {k: left.get(k, 0.0) + right.get(k, 0.0) for k in left | right}
        case ("Scale", r, x):
            return {k: r * v for k, v in eval1(x).items()}
        case ("Share", _, x):
            return eval1(x)
    return {}


def eval3(c: float, d: Delta, gradient: Gradient, visits: list[int]) -> Gradient:
    """With a cotangent and an accumulator: once for each path."""
    match d:
        case ("Input", name):
            visits[0] += 1
            return gradient | {name: gradient.get(name, 0.0) + c}
        case ("Add", x, y):
            return eval3(c, y, eval3(c, x, gradient, visits), visits)
        case ("Scale", r, x):
            return eval3(c * r, x, gradient, visits)
        case ("Share", _, x):
            visits[0] += 1
            return eval3(c, x, gradient, visits)
    return gradient


def eval4(c: float, d: Delta) -> tuple[Gradient, list[int]]:
    """Sharing by ids: each fragment once, the largest id first."""
    gradient: Gradient = {}
    fragments: dict[int, Delta] = {}
    pending: dict[int, float] = {}
    order: list[int] = []

    def visit(c: float, d: Delta) -> None:
        match d:
            case ("Input", name):
                gradient[name] = gradient.get(name, 0.0) + c
            case ("Add", x, y):
                visit(c, x)
                visit(c, y)
            case ("Scale", r, x):
                visit(c * r, x)
            case ("Share", i, x):
                fragments[i] = x
                pending[i] = pending.get(i, 0.0) + c

    visit(c, d)
    while pending:
        i = max(pending)
        order.append(i)
        visit(pending.pop(i), fragments.pop(i))
    return gradient, order


class Dual:
    """A number and its Delta; every result of an operation is shared."""

    count = 0

    def __init__(self, value: float, delta: Delta) -> None:
        self.value, self.delta = value, delta

    @staticmethod
    def made(value: float, *parts: tuple[float, Delta]) -> Dual:
        delta: Delta = ("Scale", *parts[0])
        for part in parts[1:]:
            delta = ("Add", delta, ("Scale", *part))
        Dual.count += 1
        return Dual(value, ("Share", Dual.count, delta))

    def __add__(self, other: Dual) -> Dual:
        return Dual.made(self.value + other.value, (1.0, self.delta), (1.0, other.delta))

    def __mul__(self, other: Dual) -> Dual:
        return Dual.made(self.value * other.value, (other.value, self.delta),
                         (self.value, other.delta))

    def __truediv__(self, other: Dual) -> Dual:
        r = self.value / other.value
        return Dual.made(r, (1.0 / other.value, self.delta), (-r / other.value, other.delta))

    def apply(self, f: Callable[[float], float], derivative: float) -> Dual:
        return Dual.made(f(self.value), (derivative, self.delta))

    def exp(self) -> Dual:
        return self.apply(math.exp, math.exp(self.value))

    def log(self) -> Dual:
        return self.apply(math.log, 1.0 / self.value)

    def sin(self) -> Dual:
        return self.apply(math.sin, math.cos(self.value))

    def cos(self) -> Dual:
        return self.apply(math.cos, -math.sin(self.value))
