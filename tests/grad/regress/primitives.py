"""Primitives as values, of any number of arguments, and behind aliases of their type."""
import math
from collections.abc import Callable
from typing import TypeAlias

Real: TypeAlias = Callable[[float], float]
Also = Callable[[float], float]


def of_three(x: float, y: float) -> float:
    return max(x, y * x, 0.5) + min(x, 2, y, x * y) + max(0, x)
#= of_three(0.75, 1.25)
#= of_three(0.25, 0.5)


def as_values(x: float) -> float:
    fs = [math.sin, math.exp, lambda v: v * x]
    s = 0.0
    for f in fs:
        s += f(x) * s + f(-x)
    h = abs
    g = math.atan2
    return s * h(-x) + g(x, 2.0)
#= as_values(0.75)


def applied(f: Real, g: Also, x: float) -> float:
    return f(g(x)) * g(f(x))


def aliased(x: float) -> float:
    h: Real = math.exp
    return applied(math.tanh, lambda v: v * v, x) * h(x)
#= aliased(0.75)


def powers(x: float, y: float, n: int) -> float:
    return pow(x, y) * x + pow(x, 2) + pow(2.0, y) + pow(y, n)
#= powers(0.75, 1.25, 3)
