"""What the seven transformations refuse: each function in mode `reverse-cps`, with the code that
its last line names."""

import math
from dataclasses import dataclass

from pychoral.ad import grad, reset, shift


def caught(x: float) -> float:
    try:
        return 1.0 / x
    except ZeroDivisionError:
        return 0.0
    # E0902


def table(x: float) -> float:
    values = {"a": x}
    return values["a"]
    # E0902


def step(x: float, n: int) -> float:
    for _ in range(0, 5, n):
        x = x * 2.0
    return x
    # E0902


owner_grad = 2.0


def owner(x: float) -> float:
    return owner_grad * x
    # E0902


def deleted(x: float) -> float:
    xs = [x, x]
    del xs[0]
    return xs[0]
    # E0902


def given(x: float, by: float = 2.0) -> float:
    return x * by
    # E0902


def sorted_list(x: float) -> float:
    return sorted([x, 1.0])[0]
    # E0902


def text_of(x: float) -> float:
    return float(str([x, x]))
    # E0902


def equal_lists(x: float) -> float:
    return 1.0 if [x] == [1.0] else x
    # E0902: does not support comparing a list of floats


def not_a_list(x: float, xs: list[float]) -> float:
    return x if not xs else xs[0]
    # E0902: does not support `not` of a list of floats


@dataclass
class Point:
    x: float


def not_an_object(p: Point) -> float:
    return 0.0 if not p else p.x
    # E0902: does not support `not` of a value that contains floats


def derivative(x: float) -> float:
    return grad(lambda y: x * y)(x)
    # E0902


def int_for_float(x: float) -> float:
    scale = lambda v: v * x
    return scale(x) + scale(2)
    # E0902


def distance(x: float) -> float:
    return math.dist([x, 1.0], [2.0, x])
    # E0902: does not support `math.dist` of a list of floats


def of_any_number(x: float) -> float:
    f = math.hypot
    return f(x, 1.0)
    # E0902


def two(x: float) -> tuple[float, float]:
    return x, x
    # E0903


def unknown(x: float) -> float:
    f = lambda a, b: a * b
    return x
    # E0903


def controlled(x: float) -> float:
    return reset(lambda: x * shift(lambda k: k(k(x))))
    # E0904
