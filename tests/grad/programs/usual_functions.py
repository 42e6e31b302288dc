"""Functions as people write them: closures in lists, callbacks, Refs, nested gradients."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

from pychoral.ad import Ref, grad, value_and_grad

Activation = Callable[[float], float]


def out_of_order(x: float, y: float) -> float:
    steps: list[Callable[[float], float]] = []
    for k in range(4):
        steps.append(lambda v, k=k: v * x + k * y)
    value = 1.0
    for i in (2, 0, 3, 1):
        value = steps[i](value)
    return value
#= out_of_order(0.5, 1.5)


def late_bound(x: float) -> float:
    scale = x * x
    makers = [lambda v: v * scale for _ in range(2)]
    total = makers[0](2.0)
    scale = x + 1.0
    return total * makers[1](x)
#= late_bound(1.5)


def integrate(f: Callable[[float], float], low: float, high: float, n: int) -> float:
    h = (high - low) / n
    total = 0.5 * (f(low) + f(high))
    for i in range(1, n):
        total += f(low + i * h)
    return total * h


def area(a: float, b: float) -> float:
    def curve(t: float) -> float:
        return math.exp(-a * t * t) + b

    return integrate(curve, 0.0, b, 5) + integrate(math.sin, a, b, 3)
#= area(0.5, 1.5)


def fixed_point(step: Activation, x: float, n: int) -> float:
    return x if n == 0 else fixed_point(step, step(x), n - 1)


def cosine_map(w: float) -> float:
    return fixed_point(lambda v: math.cos(w * v), 0.5, 12)
#= cosine_map(0.75)


def counter(x: float) -> float:
    total = 0.0

    def add(y: float) -> float:
        nonlocal total
        total += y * x
        return total

    first = add(1.0)
    second = add(first)
    return first * second + total
#= counter(0.75)


def one_ref(x: float) -> float:
    a = Ref(x)
    b = a
    b.set(a.get() * a.get())
    cells = [a, Ref(2.0), b]
    for cell in cells:
        cell.set(cell.get() + x)
    return a.get() * cells[1].get()
#= one_ref(1.5)


def swap_refs(x: float, y: float, n: int) -> float:
    a, b = Ref(x), Ref(y)
    for i in range(n):
        if i % 2:
            a, b = b, a
        a.set(a.get() * b.get())
    return a.get() - b.get() ** 2
#= swap_refs(0.5, 1.5, 3)
#= swap_refs(0.5, 1.5, 0)


def slope_of_square(x: float) -> float:
    return x * grad(lambda y: y * y * x)(x)
#= slope_of_square(1.5)


def newton_step(w: float, a: float) -> float:
    def loss(v: float) -> float:
        return (v * v - a) ** 2 + w * v

    for _ in range(3):
        w = w - 0.05 * grad(loss)(w)
    return w
#= newton_step(1.25, 2.0)


def energy_and_force(q: float, k: float) -> float:
    def energy(p: float) -> float:
        return 0.5 * k * p * p + 0.1 * p ** 4

    value, force = value_and_grad(energy)(q)
    return value - force * q
#= energy_and_force(0.75, 2.0)


def third(x: float) -> float:
    def cube(t: float) -> float:
        return t ** 4 * math.sin(t)

    return grad(grad(cube))(x) + grad(cube)(x)
#= third(0.75)


def by_name(name: str, x: float) -> float:
    def double(v: float) -> float:
        return v + v

    chosen: Optional[Activation] = None
    if name == "double":
        chosen = double
    elif name == "sine":
        chosen = math.sin
    return chosen(x) * x if chosen is not None else x
#= by_name("double", 1.5)
#= by_name("sine", 1.5)
#= by_name("none", 1.5)


@dataclass
class Layer:
    weight: float
    act: Activation


def network(x: float, w: float) -> float:
    layers = [Layer(w, math.tanh), Layer(w * w, lambda v: max(v, 0.1 * v)),
              Layer(-w, lambda v: v)]
    for layer in layers:
        x = layer.act(layer.weight * x)
    return x
#= network(0.5, 1.5)
#= network(-0.5, 1.5)


def memo(x: float, n: int) -> float:
    known: list[Optional[float]] = [None] * (n + 1)

    def value(k: int) -> float:
        if k < 2:
            return x
        before = known[k]
        if before is None:
            before = value(k - 1) * 0.5 + value(k - 2) * x
            known[k] = before
        return before

    return value(n)
#= memo(0.75, 8)
#= memo(0.75, 1)


def reduced(xs: list[float], f: float) -> float:
    def fold(g: Callable[[float, float], float], start: float) -> float:
        for x in xs:
            start = g(start, x)
        return start

    return fold(lambda a, b: a * f + b, 0.0) * fold(max, f) + fold(min, xs[0])
#= reduced([1.0, 3.0, 2.0], 0.5)


def annotated_recursion(x: float, n: int) -> float:
    h: Callable[[int], float] = lambda k: x if k == 0 else h(k - 1) * x + k
    return h(n) + h(0)
#= annotated_recursion(0.75, 4)


def curried(a: float) -> Callable[[float], Callable[[float], float]]:
    return lambda b: lambda c: a * b + b * c + c * a


def applied(x: float, y: float) -> float:
    f = curried(x)
    g, h = f(y), f(x)
    return g(x) * h(y) - curried(y)(y)(x)
#= applied(1.5, 0.5)
