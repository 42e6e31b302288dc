"""Tuples, frozen dataclasses, enums and floats that may be None: values that hold floats."""
from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    PLUS = 1
    TIMES = 2


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    n: int = 1


@dataclass(frozen=True)
class Line:
    a: Point
    b: Point
    name: str = "line"


@dataclass
class Mass:
    at: Point
    speed: tuple[float, float]
    charge: float | None


@dataclass(frozen=True)
class Leaf:
    value: float


@dataclass(frozen=True)
class Branch:
    left: "Leaf | Branch"
    right: "Leaf | Branch"
    kind: Kind


def length(p: Point) -> float:
    return math.sqrt(p.x * p.x + p.y * p.y) * p.n


def frozen(p: Point, w: float) -> float:
    q = Point(p.y * w, p.x)
    for i in range(2):
        q = Point(q.y + w, q.x * q.n, q.n + i)
    return length(q) * p.x + length(p)
#= frozen(Point(1.5, 2.5, 2), 0.75)


def lines(ls: list[Line], w: float) -> float:
    s = 0.0
    for line in ls:
        s += (line.a.x - line.b.y * w) * line.b.x + (w if line.name == "line" else 0.0)
        ls[0] = Line(line.b, Point(s, w), "other")
    return s + ls[0].a.y * ls[0].b.x
#= lines([Line(Point(1.0, 2.0), Point(0.5, 1.5)), Line(Point(2.0, 0.5), Point(1.5, 3.0))], 0.75)


def evaluated(t: Leaf | Branch, w: float) -> float:
    match t:
        case Leaf(value):
            return value * w
        case Branch(left, right, Kind.PLUS):
            return evaluated(left, w) + evaluated(right, w)
        case Branch(left, right, _):
            return evaluated(left, w) * evaluated(right, w)


def expression(t: Leaf | Branch, w: float) -> float:
    return evaluated(t, w) * w
#= expression(Branch(Leaf(1.5), Branch(Leaf(2.5), Leaf(0.5), Kind.PLUS), Kind.TIMES), 0.75)
#= expression(Leaf(1.5), 0.75)


def pairs(ps: list[tuple[float, float]], w: float) -> float:
    ps.append((w, 2.0))
    s = 0.0
    for a, b in ps:
        s = s * a + b * w
    ps[0] = (s, ps[1][0])
    last = ps.pop()
    return ps[0][0] * ps[0][1] + last[0]
#= pairs([(1.5, 2.5), (0.5, 0.25)], 0.75)


def given(p: tuple[float, float], q: tuple[int, tuple[float, float]], k: Kind) -> float:
    a, (b, c) = q
    s = p[0] * b if k is Kind.PLUS else p[-1] * c
    if p != q[1] and not p == (c, b):
        s = s * a
    r = p if s > 1.0 else q[1]
    return s * r[0] + sum(p) + max(q[1]) * len(p)
#= given((1.5, 2.5), (3, (0.5, 0.75)), Kind.PLUS)
#= given((0.5, 2.5), (3, (0.5, 0.75)), Kind.TIMES)


def minmax(xs: list[float], w: float) -> tuple[float, int, tuple[float, float]]:
    best, at = xs[0], 0
    for i, x in enumerate(xs):
        if x * w > best:
            best, at = x * w, i
    return best, at, (best * w, w)


def answered(xs: list[float], w: float) -> float:
    best, at, (more, again) = minmax(xs, w)
    other = minmax(xs, again * more)
    return best * at + more + other[0] * other[2][1]
#= answered([1.5, 2.5, 0.5], 1.25)


def optional(x: float, y: float | None = None) -> float:
    found: float | None = None
    for i in range(3):
        if x * i > 1.0 and found is None:
            found = x * i
    s = x if y is None else y * x
    if found is not None:
        s = s * found + (y if y is not None else 0.0)
        y = found
    return s if y is None else s * y
#= optional(0.75, 1.25)
#= optional(0.75, None)
#= optional(0.25, 1.5)
#= optional(0.25, None)


def masses(ms: list[Mass], w: float) -> float:
    for m in ms:
        if m.charge is None:
            m.charge = w
        elif m.charge > 1.0:
            m.charge = m.charge * w
        m.at = Point(m.at.x + m.speed[0] * w, m.at.y + m.speed[1] * w)
        m.speed = (m.speed[1], m.speed[0] * w)
    s = 0.0
    for m in ms:
        s += length(m.at) * m.speed[0]
        if m.charge is not None:
            s = s * m.charge
    return s
#= masses([Mass(Point(1.0, 2.0), (0.5, 0.25), None), Mass(Point(0.5, 0.5), (1.5, 2.5), 1.25)], 0.5)


def through(x: float, y: float) -> float:
    s = 1.0
    for v in (x, y, 2.0):
        s = s * v + x
    for k in (1, 2):
        s += k * y
    table = [(x, 1), (y, 2)]
    for v, n in table:
        s += v * n
    nested = ((x, y), [x * y])
    nested[1].append(s)
    return s * nested[0][1] * sum(nested[1])
#= through(1.5, 0.75)


def chosen(ps: list[Point], w: float) -> float:
    best: Point | None = None
    for p in ps:
        if best is None or p.x > best.x:
            best = p
    if best is None:
        return w
    same = best == ps[0]
    return best.x * w + (best.y if same else w)
#= chosen([Point(1.5, 2.5), Point(0.5, 3.5)], 0.75)
#= chosen([Point(1.5, 2.5), Point(4.5, 3.5)], 0.75)
#= chosen([], 0.75)
