"""Functions as values: lambdas and local functions that are stored, passed and returned."""
import math
from collections.abc import Callable
from dataclasses import dataclass

SQUARE = lambda v: v * v


@dataclass
class Stage:
    scale: float
    apply: Callable[[float], float]


def in_list(x: float, n: int) -> float:
    fs: list[Callable[[float], float]] = []
    for i in range(n):
        fs.append(lambda v, k=i: v * x + k)
    fs.append(lambda v: math.sin(v) * x)
    fs.append(math.exp)
    fs[0], fs[1] = fs[1], fs[0]
    t = x
    for f in reversed(range(len(fs))):
        t = fs[f](t) * 0.5
    return t
#= in_list(0.75, 3)
#= in_list(1.25, 1)


def twice(f: Callable[[float], float], v: float) -> float:
    return f(f(v))


def compose(f: Callable[[float], float], g: Callable[[float], float]) -> Callable[[float], float]:
    return lambda v: f(g(v))


def cube(v: float) -> float:
    return v * v * v


def higher(x: float) -> float:
    h = compose(lambda v: v * x, compose(cube, math.sin))
    return twice(h, x) + twice(lambda v: v + x * x, 2.0) + SQUARE(x)
#= higher(0.75)


def adder(x: float) -> Callable[[float], float]:
    def add(v: float) -> float:
        return v * v + x

    return add


def returned(x: float, y: float) -> float:
    f = adder(x)
    g = adder(y) if x > 1.0 else f
    return f(y) * g(x)
#= returned(0.75, 1.25)
#= returned(1.75, 1.25)


def of_field(x: float) -> float:
    stages = [Stage(x, lambda v: v * x), Stage(2.0, cube), Stage(x * x, lambda v: v / x)]
    t = x
    for s in stages:
        t = s.apply(t) * s.scale
    stages[0].apply = stages[1].apply
    return t + stages[0].apply(x)
#= of_field(0.75)


def late_bound(x: float, n: int) -> float:
    fs: list[Callable[[float], float]] = []
    for i in range(n):
        w = x * i
        fs.append(lambda v: v * w + i)
    w = 1.0
    t = 0.0
    for f in fs:
        t += f(x) * x
        w = w * x
    return t
#= late_bound(0.75, 3)


def counted(x: float) -> float:
    count = x

    def bump(by: float) -> float:
        nonlocal count
        count = count * by
        return count

    step = bump
    bump(2.0)
    y = step(x) + count
    count = y * y
    return bump(x) + count
#= counted(0.75)


def recursive(x: float, n: int) -> float:
    def power(k: int) -> float:
        return 1.0 if k == 0 else x * power(k - 1)

    def even(k: int) -> float:
        return x if k == 0 else odd(k - 1) * 1.5

    def odd(k: int) -> float:
        return x * x if k == 0 else even(k - 1) + x

    fs: list[Callable[[int], float]] = [power, even, odd]
    t = 0.0
    for f in fs:
        t = t * x + f(n)
    return t
#= recursive(0.75, 4)


def untyped(x: float) -> float:
    w = x * x
    bump = lambda v: v * w + 1
    both = [lambda a, b: a * b, lambda a, b: a - b * x]
    pick = lambda f, v: f(v, x)
    return bump(x) + bump(2) + pick(both[0], x) * pick(both[1], 3.0) + (bump(1.0) ** 2)
#= untyped(0.75)


def optional(x: float, n: int) -> float:
    f: Callable[[float], float] | None = None
    t = x
    for i in range(n):
        if f is None:
            f = lambda v: v * x
        elif i > 1:
            f = None
        t = t + (f(t) if f is not None else x)
    return t
#= optional(0.75, 4)


def nested(x: float) -> float:
    def outer(y: float) -> Callable[[float], float]:
        total = x * y

        def inner(z: float) -> float:
            nonlocal total
            total = total + z * y
            return total * x

        return inner

    f, g = outer(x), outer(2.0)
    return f(x) + g(f(1.0)) + f(3.0)
#= nested(0.75)


def shadow(x: float) -> float:
    f = lambda x: x * x
    g = lambda v: f(v) * (lambda x: x + v)(2.0)
    return g(x) + f(x * 2.0)
#= shadow(0.75)


def times(f: Callable[[int], int], n: int) -> int:
    return f(f(n))


def discrete(x: float, n: int) -> float:
    step = lambda i: i + n
    bigger = lambda a, b: a > b
    t = x
    for i in range(times(step, 1)):
        t = t * x if bigger(t, 0.5) else t + step(i)
    return t
#= discrete(0.75, 2)


def either(x: float, n: int) -> float:
    if n > 2:
        def g(v: float) -> float:
            return v * x
    else:
        def g(v: float, by: float = 2.0) -> float:
            return v + by * x
    def h(v: float, times: int) -> float:
        return x if times == 0 else h(v, times - 1) * v

    return g(x * x) * h(x, n)
#= either(0.75, 2)
#= either(0.75, 3)


def of_tuples(x: float) -> float:
    p = (x, x * x)
    fs: list[Callable[[float], float]] = [lambda v: v * p[0], lambda v: v + p[1]]
    pairs = [(fs[0], x), (fs[1], 2.0), (lambda v: v * v, p[1])]
    t = 0.0
    for f, w in pairs:
        t = t * x + f(w)
    q = (t, x)
    add = lambda v: v * q[0] + q[1]
    q = (q[1], q[0])
    return add(x) + pairs[1][0](t)
#= of_tuples(0.75)
