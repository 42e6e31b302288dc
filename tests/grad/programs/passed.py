"""Sums that go in front of calls, and what they must not pass."""

from __future__ import annotations
from dataclasses import dataclass


@dataclass
class P:
    v: float
    w: float


@dataclass
class N:
    v: float
    a: N | None
    b: N | None
    k: int


def g(p: P, x: float) -> float:
    return p.v * x + p.w


def set_v(p: P, x: float) -> float:
    old = p.v
    p.v = x * old
    return old * x


def between_calls(x: float, y: float) -> float:
    p = P(x, y)
    t = p.v
    x = g(p, t)
    x = x + g(p, x)
    x = g(p, x) - x * t
    u = p.w * x
    return u + g(p, u) + t
#= between_calls(0.75, 1.25)


def stored_by_callee(x: float, y: float) -> float:
    p = P(x, y)
    t = p.v * 2.0
    s = set_v(p, t)
    u = p.v + s
    s = s + set_v(p, u) * p.w
    return s * p.v + t
#= stored_by_callee(0.75, 1.25)


def two(p: N | None, q: N | None, x: float) -> float:
    if p is None or q is None:
        return x
    if p is q:
        return p.v * x + two(p.a, q.a, x * q.v)
    return p.v * q.v + two(p.a, q.b, x) * two(q.a, p.b, p.v)


def shared_parts(x: float, y: float) -> float:
    leaf = N(y, None, None, 1)
    m = N(x * y, leaf, leaf, 2)
    r = N(x, m, leaf, 3)
    return two(r, r, x) + two(r, m, y) * two(m, leaf, x)
#= shared_parts(0.75, 1.25)


def only_kind(t: N | None) -> int:
    n = 0
    if t is None:
        return 0
    return 1 + only_kind(t.a) + only_kind(t.b)


def chain(t: N | None, x: float) -> float:
    if t is None:
        return x
    t2 = t.a
    y = chain(t2, x * x)
    if t2 is None:
        return y + t.v
    if t.k > 2:
        t.v = t.v * y
    return y * t2.v + t.v


def kinds_only(x: float, y: float) -> float:
    t: N | None = None
    for i in range(4):
        t = N(x + i * y, t, None, i)
    return chain(t, y) * only_kind(t) + chain(t, x)
#= kinds_only(0.75, 1.25)


def rot(xs: list[float], i: int, acc: float) -> float:
    if i == len(xs):
        return acc
    h = xs[i]
    xs[i] = acc
    r = rot(xs, i + 1, h * acc)
    s = xs[i] + h
    return r * s + xs[0]


def items_stored(x: float, y: float) -> float:
    xs = [x, y, x * y]
    u = xs[1] * x
    return rot(xs, 0, y) + rot(xs, 1, u) * u
#= items_stored(0.75, 1.25)


def pair(p: P, n: int) -> P:
    if n == 0:
        return p
    q = pair(p, n - 1)
    r = P(q.v * p.w, q.w + p.v)
    return r


def made_by_callee(x: float, y: float) -> float:
    p = P(x, y)
    a = p.v * y
    q = pair(p, 3)
    b = q.v * a + p.w
    c = pair(q, 0)
    c.v = c.v * b
    return q.v + q.w * b
#= made_by_callee(0.75, 1.25)


def swap(p: P, q: P, n: int, x: float) -> float:
    while n > 0:
        p, q = q, p
        if p.v > q.v:
            p = q
        x = x + p.v * q.w
        n -= 1
    return x


def swapped_objects(x: float, y: float) -> float:
    return swap(P(x, y), P(y, x * y), 5, x) * x
#= swapped_objects(0.75, 1.25)


def unused(p: P, q: P, x: float, deep: int) -> float:
    z = p.v * 3.0
    if deep == 0:
        return x
    z = z + unused(q, p, x * q.v, deep - 1)
    if z > 1e9:
        z = 0.0
    return unused(p, q, x + 0.5, deep - 1)


def nothing_needed(x: float, y: float) -> float:
    return unused(P(x, y), P(y, x), x, 3) * y
#= nothing_needed(0.75, 1.25)


def ev(n: int, p: P, x: float) -> float:
    return x * p.w if n == 0 else od(n - 1, p, x * p.v) + x


def od(n: int, p: P, x: float) -> float:
    y = ev(n - 1, p, x - p.w) if n > 0 else p.v
    return y * x + p.w


def mutual_objects(x: float, y: float) -> float:
    p = P(x, y)
    a = ev(5, p, y)
    p.w = a * 0.01
    return a + od(4, p, x)
#= mutual_objects(0.75, 1.25)


def tot(ts: list[N], i: int, x: float) -> float:
    s = 0.0
    for t in ts:
        if t.a is None:
            s += t.v * x
        else:
            s += tot([t.a, t], i - 1, s) if i > 0 else t.v
    return s


def in_lists(x: float, y: float) -> float:
    l = N(x, None, None, 0)
    m = N(y, l, None, 0)
    return tot([l, m, N(x * y, m, l, 1)], 2, y)
#= in_lists(0.75, 1.25)


def opt(v: float | None, n: int, x: float) -> float:
    if n == 0:
        return x if v is None else v * x
    return opt(None if v is None or n % 2 == 0 else v * x, n - 1, x * 1.1) + opt(v, n - 1, x)


def may_be_none(x: float, y: float) -> float:
    return opt(x, 3, y) + opt(None, 2, x)
#= may_be_none(0.75, 1.25)


def acc2(p: P, n: int, x: float, y: float) -> float:
    if n == 0:
        return x * y
    s = x
    s = s + acc2(p, n - 1, y, x)
    s = s - p.v * y
    s = s + acc2(p, n - 1, s, y) * p.w
    s = s + x * y
    return s


def sums_and_calls(x: float, y: float) -> float:
    return acc2(P(x, y), 3, y, x * 0.5)
#= sums_and_calls(0.75, 1.25)


def halves(t1: float, t2: float, kept1: float) -> tuple[float, float]:
    """Names that temporaries of C could have: t2_, kept1_."""
    t3 = t1 * t2
    return t3 * kept1, t1 + t3


def half(t2: float, kept1: float, n: int) -> float:
    t1 = t2 if n == 0 else half(t2 * kept1, kept1, n - 1)
    t3, t4 = halves(t1, t2, kept1)
    return t3 + t1 * t4


def named(x: float, y: float) -> float:
    t2 = x * y
    return half(t2, x, 2) * half(y, t2, 1)
#= named(0.75, 1.25)
