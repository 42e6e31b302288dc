"""What is done to lists: methods, slices, operators, loops over several, aliases."""
from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class Box:
    xs: list[float]


def methods(xs: list[float], w: float) -> float:
    ys = xs
    xs.insert(1, w * xs[0])
    xs.insert(-1, w)
    xs.insert(9, xs[2] * w)
    a = xs.pop(0)
    b = ys.pop(-2)
    xs.extend([a, b * w])
    ys.reverse()
    del xs[1]
    del xs[-1]
    s = 0.0
    for x in ys:
        s = s * w + x
    return s + len(xs) * w
#= methods([1.5, 2.5, 0.5], 0.75)
#= methods([1.5, 2.5, 0.5, 3.5], 1.25)


def ordered(xs: list[float], w: float) -> float:
    ys = sorted(xs)
    zs = sorted(xs, reverse=True)
    xs.sort()
    s = 0.0
    for i in range(len(xs)):
        s = s * w + xs[i] * ys[i] + zs[i] * i
    xs[0] = s
    xs.sort(reverse=True)
    return xs[0] * ys[1] + zs[2] * xs[-1]
#= ordered([1.5, 0.5, 2.5, -1.5, 3.25], 0.75)
#= ordered([3.0, 2.0, 1.0], 0.75)


def sliced(xs: list[float], w: float, n: int) -> float:
    a = xs[1:n]
    b = xs[:-1]
    c = xs[::-1]
    d = xs[::2]
    e = xs[:]
    e[0] = e[0] * w
    a.append(w)
    xs[0] = a[0] * w
    xs[1:2] = [w, b[0]]
    del xs[3:]
    return sum(a) * sum(b) + c[0] * d[-1] + e[0] * xs[-1] + sum(xs) * e[1]
#= sliced([1.5, 2.5, 0.5, 3.5], 0.75, 3)
#= sliced([1.5, 2.5, 0.5], 0.75, 9)


def made(x: float, n: int) -> float:
    xs = [x] * n + [1.0, x * x]
    m = [[0.0] * 2 for _ in range(3)]
    same = [[x]] * 2
    same[0][0] = same[1][0] * x
    for i in range(3):
        for j in range(2):
            m[i][j] = x * i + j * xs[j]
    xs += m[2]
    ys = xs.copy()
    zs = list(ys)
    ys[0] = 3.0
    zs.clear()
    zs.append(x)
    return sum(xs) + ys[0] * ys[1] + sum([sum(row) for row in m]) * same[1][0] + zs[-1]
#= made(1.5, 2)
#= made(0.75, 0)


def loops(xs: list[float], ys: list[float], w: float) -> float:
    s = 0.0
    for i, (x, y) in enumerate(zip(xs, ys)):
        s += x * y * i
    for x in reversed(xs):
        s = s * w + x
    for i, x in enumerate(xs, 2):
        s += x * i
    kept = []
    for p in zip(xs, ys):
        if p[0] > p[1]:
            kept.append(p)
    for a, b in kept:
        s = s * a - b
    for x in reversed(ys):
        if x > 2.0:
            break
        s += x * w
    return s
#= loops([1.5, 2.5, 0.5], [0.5, 1.25, 4.0], 0.75)
#= loops([1.5, 2.5], [3.0], 0.75)


def asked(xs: list[float], names: list[str], name: str) -> float:
    k = 1
    if name in names:
        k = names.index(name) + 2
    if name not in names and name != "c" or name < "b":
        k += names.count("a")
    s = xs[0] * k
    if name in ("a", "c"):
        s = s * xs[1]
    ks = [3, 1, 2]
    ks.sort()
    ks.insert(0, k)
    ks.remove(2)
    for i in ks:
        s = s + xs[i % 2] * i
    return s
#= asked([1.5, 2.5], ["a", "b", "a"], "a")
#= asked([1.5, 2.5], ["a", "b", "a"], "c")
#= asked([1.5, 2.5], [], "b")


def rows(m: list[list[float]], w: float) -> float:
    m[0], m[1] = m[1], m[0]
    m.insert(0, [w, w * w])
    last = m.pop(2)
    m.append(last)
    m[1], m[-1] = m[-1], m[1]
    alias = m[1]
    alias[0] = alias[0] * w
    m.reverse()
    s = 0.0
    for row in m:
        for x in row:
            s = s * 0.5 + x * x * w
    return s
#= rows([[1.0, 2.0], [3.0, 4.0]], 0.5)
#= rows([[1.0], [2.0], [3.0]], 1.5)


def counted(x: float, n: int) -> float:
    def steps(k: int) -> int:
        return k * 2 if k > 1 else 1

    boxes = [Box([x]), Box([x * 2.0, 1.0])]
    boxes.reverse()
    boxes[0].xs.extend(boxes[1].xs)
    for b in boxes[:1]:
        b.xs.insert(0, math.sin(x) * steps(n))
    return sum(boxes[0].xs) * boxes[1].xs[0] * steps(n)
#= counted(0.75, 3)
#= counted(0.75, 1)
