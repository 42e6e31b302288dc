"""Tuples that are made, copied and taken apart, and that functions answer."""
import math


def swapped(x: float, y: float, n: int) -> float:
    a, b = x, y
    for i in range(n):
        a, b = b, a * 1.5
    return a * b * b + x
#= swapped(1.25, 0.75, 3)
#= swapped(1.25, 0.75, 4)


def fibonacci(x: float, n: int) -> float:
    pair = (x, 1.0)
    for i in range(n):
        pair = (pair[1] * x, pair[0] + pair[1])
    return pair[0] * pair[1]
#= fibonacci(0.75, 6)
#= fibonacci(0.75, 0)


def turned(x: float, y: float, n: int) -> float:
    p = (x, y)
    for i in range(n):
        p = (p[1], p[0])
        if p[0] < 1.0:
            p = (p[0] * 2.0, p[1])
    return math.sin(p[0]) * p[1]
#= turned(0.375, 2.0, 5)
#= turned(1.5, 2.0, 2)


def counted(x: float, n: int) -> float:
    state = (x, n)
    total = 0.0
    while state[1] > 0:
        state = (state[0] * x, state[1] - 1)
        for i in range(state[1]):
            state = (state[0] + 0.125, state[1] - i)
        total += state[0] / (state[1] + 50)
    return total
#= counted(1.25, 4)


def nested(x: float, y: float) -> float:
    inner = (x * y, x)
    both = (inner, y)
    (a, b), c = both
    both = ((b, c), a) if a > b else both
    again = both
    return again[0][0] * again[1] + math.exp(again[0][1]) * again[1]
#= nested(0.75, 1.5)
#= nested(0.75, 0.5)


def declared(x: float) -> float:
    p: tuple[float, float]
    q: tuple[float, float, int] = (1, x, 2)
    if x > 1.0:
        p = (x, q[1])
    else:
        p = (q[0] * x, 3)
    q = (p[1], p[0] * q[1], q[2])
    return q[0] * q[1] * q[2]
#= declared(1.5)
#= declared(0.5)


def polar(x: float, y: float) -> tuple[float, float]:
    if x == 0.0:
        return 0.0, y
    return math.sqrt(x * x + y * y), math.atan2(y, x)


def squared(x: float, y: float) -> float:
    r, phi = polar(x, y)
    r, phi = r * r, 2.0 * phi
    return r * math.cos(phi) + polar(y, x)[1]
#= squared(0.75, 1.25)


def turn(p0: float, p1: float, n: int) -> tuple[float, float]:
    p = (p0, p1)
    if n == 0:
        return p
    a, b = turn(p[1] * 0.5, p[0] + p[1], n - 1)
    p = (a * b, b - a)
    return p if n % 2 == 0 else (p[1], a * p[0])


def recursive(x: float, y: float) -> float:
    last = turn(x, y, 3)
    for i in range(2):
        last = turn(last[0], last[1], i + 1)
    return last[0] + 2.0 * last[1]
#= recursive(0.75, 1.25)


def passed_on(x: float) -> tuple[float, float, float]:
    return spread(x * x)


def spread(x: float) -> tuple[float, float, float]:
    return x, x * 2.0, math.sin(x)


def early_answer(x: float, n: int) -> tuple[float, float]:
    for i in range(n):
        x = x * 1.25
        if x > 3.0:
            return x, 2.0 * x
    return x * x, x


def all_answers(x: float) -> float:
    a, b, c = passed_on(x)
    d, e = early_answer(a, 4)
    f, g = early_answer(x, 9)
    return a * b * c + d * e + f / g * x + g
#= all_answers(0.875)
#= all_answers(1.75)
