"""Lists, dataclasses, aliases, sharing, recursion over trees."""
import math
from dataclasses import dataclass


@dataclass
class Node:
    value: float
    left: "Node | None"
    right: "Node | None"


@dataclass
class Cell:
    x: float
    n: int


def mean(xs: list[float]) -> float:
    return sum(xs) / len(xs)


def loss(xs: list[float], w: float) -> float:
    s = 0.0
    for i, x in enumerate(xs):
        if x > 3:
            continue
        s += math.exp(x * w) * i
    return s + mean(xs)
#= loss([1.0, 2.0, 4.0, 0.5], 0.375)
#= loss([0.25], 0.375)


def total(t: "Node | None", x: float) -> float:
    return x if t is None else t.value * x + total(t.left, x) * total(t.right, x)
#= total(Node(1.5, Node(2.0, None, None), Node(0.5, None, None)), 0.75)
#= total(None, 0.75)


def cells(y: float, k: float) -> float:
    b = Cell(y, 2)
    c = b
    for i in range(3):
        b.x = b.x * k + c.x
    d = Cell(c.x, 1)
    d.x = d.x * d.x
    return b.x * d.x + b.n
#= cells(1.25, 0.75)


def lists(xs: list[float], y: float) -> float:
    ys = [y]
    for x in xs:
        ys.append(x * ys[-1])
    last = ys.pop()
    ys[0] = ys[1] * last
    s = 0.0
    while len(ys) > 0:
        t = ys.pop()
        s = s * t + t
    return s + last
#= lists([1.125, 0.75, 1.25], 0.875)


def rows(m: list[list[float]], v: float) -> float:
    m[0], m[1] = m[1], m[0]
    m[0][0] = m[0][0] * v
    s = 0.0
    for r in m:
        for x in r:
            s = s * 0.5 + x * x * v
    return s
#= rows([[1.0, 2.0], [3.0, 4.0]], 0.5)


def aliased(m: list[list[float]], v: float) -> float:
    a = m[0]
    b = m[-1]
    a[0] = a[0] * v
    b[0] = b[0] * b[0]
    return a[0] + 2.0 * b[0]
#= aliased([[1.5], [2.5]], 0.75)
#= aliased([[1.5]], 0.75)


def grow(x: float, n: int) -> float:
    t: Node | None = None
    for i in range(n):
        t = Node(x * i, t, None)
    s = 1.0
    while t is not None:
        s = s * t.value + x
        t = t.left
    return s
#= grow(0.75, 5)


def build(x: float, n: int) -> "Node | None":
    if n == 0:
        return None
    return Node(x, build(x * 0.875, n - 1), build(x * 1.125, n - 1))


def tree(x: float, y: float, n: int) -> float:
    return total(build(x, n), y)
#= tree(0.875, 0.375, 3)
#= tree(0.875, 0.375, 0)


def shared(t: Node, x: float) -> float:
    t.value = t.value * x
    u = t.left
    if u is not None:
        u.value = u.value + t.value
        t.right = u
    return total(t, x)
#= shared(Node(1.5, Node(2.0, None, None), None), 0.75)
#= shared((lambda leaf: Node(1.5, leaf, leaf))(Node(2.0, None, None)), 0.75)


def fill(xs: list[float], x: float) -> None:
    for i in range(len(xs)):
        xs[i] = xs[i] * x + (xs[i - 1] if i > 0 else 0.0)


def filled(xs: list[float], x: float) -> float:
    fill(xs, x)
    fill(xs, x * x)
    return sum([y * y for y in xs])
#= filled([1.0, 0.5, 0.25], 0.75)


def paired(xs: list[float], ys: list[float]) -> float:
    s = 0.0
    for x, y in zip(xs, ys):
        s += x * y * y
    return s + max(xs) * min(ys)
#= paired([1.0, 0.5], [0.25, 2.0, 3.0])


@dataclass
class Part:
    a: float
    b: float = 2.0
    n: int = 3


def made(x: float) -> float:
    p = Part(x, n=2)
    q = Part(b=x, a=p.b)
    q.n = q.n + p.n
    p.a = p.a * q.b
    parts = [p, q, p]
    s = 0.0
    for d in parts:
        s = s * d.a + d.b * d.n
    return s
#= made(0.75)


def whole(x: float, ks: list[int]) -> float:
    s = 0.0
    for k in ks:
        s = s * x + k
    return s * ks[0]
#= whole(1.125, [1, 2])


def counted(x: float, k: int) -> float:
    c = Cell(1, 2)
    c.x = x
    p = Part(3, n=1)
    p.b = p.b * x
    p.a = p.a * p.b
    xs: list[float] = [1, x]
    xs.append(k + 1)
    xs[0] = xs[2] * x
    xs[2] = x
    xs[1] = k
    return c.x * xs[0] + xs[1] * xs[2] + p.a
#= counted(1.25, 3)


def replaced(xs: list[float], n: int) -> float:
    xs[0] = n
    return xs[0] * xs[0] + xs[1]
#= replaced([3.0, 2.0], 1)
