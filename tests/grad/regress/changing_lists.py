"""Loops over lists that change while the loop is on its way."""
import math


def twice(xs: list[float]) -> float:
    for k, x in enumerate(xs):
        if k > 3:
            break
        for k2, x2 in enumerate(xs):
            xs[-1] = math.sin(x2 * 2.0)
    return -math.tanh(sum(xs))
#= twice([0.5, 1.25, 0.75, 0.3])


def counted(xs: list[float]) -> float:
    for k, x in enumerate(xs):
        xs[-1] = math.sin(x)
    return -math.tanh(sum(xs))
#= counted([0.5, 1.25, 0.75, 0.3])


def pairs(xs: list[float], ys: list[float]) -> float:
    s = 0.0
    for k, (x, y) in enumerate(zip(xs, ys)):
        ys[-1] = math.sin(y * x) * k
        s += x * y
    return s * sum(ys)
#= pairs([0.5, 1.25, 0.75], [0.4, 0.8, 1.1, 0.3])
#= pairs([0.5], [])


def backwards(xs: list[float]) -> float:
    s = 0.0
    for x in reversed(xs):
        xs[0] = math.sin(x * s)
        s += x * x
    return s
#= backwards([0.5, 1.25, 0.75, 0.3])


def zipped(xs: list[float], ys: list[float]) -> float:
    s = 0.0
    for x, y in zip(xs, ys):
        if x > 1.4:
            break
        xs[-1] = x * y
        s += x * y
    for y in reversed(ys):
        s = s * y
    return s
#= zipped([0.5, 1.25, 0.75, 0.3], [0.9, 1.1, 0.7, 1.2, 0.6])


def grown(xs: list[float]) -> float:
    s = 0.0
    for x in xs:
        if len(xs) < 7:
            xs.append(x * x)
        s += x
    return s
#= grown([0.5, 1.25, 0.75])
