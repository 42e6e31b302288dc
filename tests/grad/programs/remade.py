"""What the way back may read again, and what looks alike and is changed."""
from dataclasses import dataclass


@dataclass
class Node:
    value: float
    left: "Node | None"
    right: "Node | None"


@dataclass
class Cell:
    value: float
    next: "Cell | None"


def total(t: Node | None, x: float) -> float:
    if t is None:
        return x
    return t.value * x + total(t.left, x) * total(t.right, x)
#= total(Node(0.5, Node(1.25, None, None), Node(-0.75, None, Node(2.0, None, None))), 0.875)


def deep(t: Node, x: float) -> float:
    inner = t.left
    if inner is not None:
        far = inner.right
        if far is not None:
            return deep(far, x * far.value) * inner.value * t.value
    return x * t.value
#= deep(Node(0.5, Node(1.5, None, Node(2.5, Node(2.0, None, None), None)), None), 1.25)


def grown(c: Cell, x: float) -> float:
    c.value = c.value * x
    return c.value * c.value


def other_class(t: Node, c: Cell, x: float) -> float:
    s = 1.0
    for i in range(3):
        a = t.value * s
        b = c.value * a
        s = b + grown(c, x) * t.value
    return s
#= other_class(Node(0.5, None, None), Cell(1.25, None), 0.875)


def either(p: Node | Cell, x: float) -> float:
    if isinstance(p, Cell):
        p.value = x * p.value
        return p.value * x
    return p.value * x * x


def both(t: Node, c: Cell, x: float) -> float:
    v = t.value * x
    w = c.value * v
    return either(t, x) * w + either(c, v) * c.value * w
#= both(Node(0.5, None, None), Cell(1.25, None), 0.875)


def relink(c: Cell, x: float) -> float:
    s = x
    for i in range(4):
        following = c.next
        if following is not None:
            s = s * following.value + x
            c.next = following.next
            following.next = c.next
            following.value = s * c.value
    return s
#= relink(Cell(0.5, Cell(1.25, Cell(0.75, None))), 0.875)


def walk(c: Cell | None, x: float) -> float:
    s = x
    while c is not None:
        s = s * c.value + s * s * 0.25
        c = c.next
    return s
#= walk(Cell(0.5, Cell(1.25, Cell(0.75, None))), 0.875)


def convolve(xs: list[float], ys: list[float], n: int) -> float:
    s = 1.0
    for i in range(n):
        for j in range(i + 1):
            s = s + xs[j] * ys[i - j] * s
        s = s * xs[-1]
    for i in range(n):
        s = s * ys[i]
    return s
#= convolve([0.5, 0.25, 1.5], [1.0, -0.5, 0.75], 3)


def counted(xs: list[float]) -> float:
    ks = [0, 1, 1, 0]
    s = 1.0
    for i in range(len(ks)):
        k = ks[i]
        ks[i] = k + 1
        s = s * xs[k] + xs[ks[i]] * s * s
    return s
#= counted([0.5, 0.25, 1.5])


def alias(xs: list[float], rows: list[list[float]]) -> float:
    rows.append(xs)
    s = 1.0
    for i in range(len(xs)):
        v = xs[i]
        rows[-1][i] = v * s
        s = s * v + xs[i]
    return s
#= alias([0.5, 0.25, 1.5], [[1.0]])


def rows(m: list[list[float]], x: float) -> float:
    s = x
    for i in range(len(m)):
        row = m[i]
        for j in range(len(row)):
            s = s * row[j] + m[j][i]
    return s
#= rows([[0.5, 0.25], [1.5, 0.75]], 1.25)


def taken(m: list[list[float]], x: float) -> float:
    s = x
    for i in range(2):
        row = m[0]
        s = s * row[i] * row[0]
        m.append(m.pop())
        m[0] = m[1]
    return s
#= taken([[0.5, 0.25], [1.5, 0.75]], 1.25)


def moved(i: int, xs: list[float], x: float) -> float:
    v = xs[i]
    i = i + 1
    w = xs[i]
    s = v * w * x
    if i < len(xs) - 1:
        s = s * moved(i, xs, s)
    i = 0
    return s * xs[i]
#= moved(0, [0.5, 0.25, 1.5, 2.0], 1.25)


def of_made(x: float, n: int) -> float:
    s = x
    for i in range(n):
        o = Node(s * x, Node(s, None, None), None)
        inner = o.left
        if inner is not None:
            s = s * inner.value + o.value * inner.value
    return s
#= of_made(0.75, 3)
