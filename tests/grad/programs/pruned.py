"""What the sweeps do not need is taken out of them: parameters, names, tests of objects."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class Leaf:
    v: float


@dataclass
class Fork:
    w: float
    left: Leaf | Fork
    right: Leaf | Fork


@dataclass
class Cons:
    v: float
    next: Cons | None


def summed(t: Leaf | Fork) -> float:
    if isinstance(t, Leaf):
        return t.v
    return t.w + summed(t.left) + summed(t.right)


def multiplied(t: Leaf | Fork, scale: float = 2.0, depth: int = 0) -> float:
    match t:
        case Leaf(v):
            return v * scale
        case Fork(w, l, r):
            return w + multiplied(l, scale, depth + 1) * multiplied(r, scale, depth + 1)


def tree(x: float, y: float) -> float:
    shared = Leaf(y)
    return summed(Fork(x, Fork(y, shared, Leaf(x * x)), shared)) * y
#= tree(0.75, 1.25)


def tree_product(x: float, y: float) -> float:
    shared = Fork(x, Leaf(y), Leaf(x))
    return multiplied(Fork(y, shared, shared)) + multiplied(shared, y, 3)
#= tree_product(0.75, 1.25)


def given_tree(t: Leaf | Fork, x: float) -> float:
    return summed(t) * multiplied(t, x)
#= given_tree(Fork(0.5, Fork(1.5, Leaf(2.0), Leaf(0.25)), Leaf(1.25)), 0.75)
#= given_tree(Leaf(1.5), 0.75)


def length(l: Cons | None) -> int:
    n = 0
    while l is not None:
        l = l.next
        n += 1
    return n


def folded(l: Cons | None, x: float) -> float:
    if l is None:
        return x
    rest = folded(l.next, x * l.v)
    return rest * l.v + l.v


def changed(l: Cons | None, x: float) -> float:
    """The places that are added to are assigned, too."""
    if l is None:
        return x
    before = l.v
    l.v = before * x
    rest = changed(l.next, l.v)
    l.v = l.v + rest
    return l.v * before + rest


def folds(x: float, y: float) -> float:
    l = Cons(x, Cons(y, Cons(x * y, None)))
    return folded(l, y) * length(l) + changed(l, x) + folded(l, 1.0)
#= folds(0.75, 1.25)


def with_parts(xs: list[float], i: int, x: float) -> float:
    unused = xs[i] * x
    if i > 0:
        unused = unused + with_parts(xs, i - 1, x)
    kept = math.sin(xs[i]) * x
    return kept if i == 0 else kept + with_parts(xs, i - 1, kept) * xs[i - 1]


def parts(x: float, y: float) -> float:
    xs = [x, y, x * y, x + y]
    return with_parts(xs, 3, y)
#= parts(0.75, 1.25)


def out_of_range(xs: list[float], x: float) -> float:
    """What is not needed still raises."""
    try:
        unused = xs[len(xs)]
        return unused
    except IndexError:
        return x * xs[0]
#= out_of_range([2.0], 3.0)


def even(n: int, x: float, y: float) -> float:
    return x if n == 0 else y * odd(n - 1, x + y, x)


def odd(n: int, x: float, y: float) -> float:
    return y if n == 0 else x + even(n - 1, y, x * 0.5)


def mutual(x: float, y: float) -> float:
    return even(5, x, y) + odd(4, y, x)
#= mutual(0.75, 1.25)


def made_inside(x: float, depth: int) -> Cons:
    """Objects that a callee makes, read after what was there before."""
    if depth == 0:
        return Cons(x, None)
    rest = made_inside(x * x, depth - 1)
    rest.v = rest.v + x
    return Cons(rest.v * x, rest)


def made(x: float) -> float:
    first = Cons(x, None)
    a = first.v * x
    second = made_inside(first.v, 3)
    b = second.v + first.v * a
    return b * first.v - a
#= made(0.75)


def countdown(n: int, x: float) -> float:
    total = 0.0
    steps = 0
    while n > 0:
        steps = steps + n
        n = n - 1
        if steps > 3 and n > 0:
            ignored = x * steps
            total = total - ignored
            total = total + ignored
        total = total + folded(Cons(x, None), total)
    return total
#= countdown(4, 0.75)
