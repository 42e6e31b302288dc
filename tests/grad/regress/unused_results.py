"""Calls whose results nothing needs, and whose effects something does."""
import math
from collections.abc import Callable
from dataclasses import dataclass


def changes_what_it_captures(a: float, b: float) -> float:
    v = math.sqrt(1.0 + a * a)

    def g(u: float) -> float:
        nonlocal v
        v = math.sin(v * u)
        return v * u
    x = g(b)
    return v
#= changes_what_it_captures(0.5, -1.25)


def from_a_list(a: float, xs: list[float]) -> float:
    v = 1.0 + a * a

    def g(u: float) -> float:
        nonlocal v
        v = math.sin(v * u + a)
        return v * u
    fs: list[Callable[[float], float]] = [math.tanh, g]
    for i in range(2):
        x = fs[1](xs[-1]) * 0.5
        fs[0] = g
    y = fs[0](xs[0])
    return v
#= from_a_list(0.5, [0.75, -1.25])


def put(xs: list[float], u: float) -> float:
    xs.append(u * u)
    return u


@dataclass
class Cell:
    value: float


def set_to(cell: Cell, u: float) -> float:
    cell.value = cell.value * u
    return u


def changes_what_it_is_given(a: float, b: float) -> float:
    xs = [a]
    x = put(xs, b)
    cell = Cell(a)
    y = set_to(cell, b)
    return sum(xs) + cell.value
#= changes_what_it_is_given(0.5, -1.25)
