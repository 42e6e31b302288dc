"""Derivatives inside functions that are differentiated."""
import math
from collections.abc import Callable
from dataclasses import dataclass

from pychoral.ad import Ref, grad, jvp, value_and_grad


@dataclass
class Point:
    x: float
    y: float


def cube(y: float) -> float:
    return y * y * y


def confused(x: float) -> float:
    return x * grad(lambda y: x + y)(x)
#= confused(1.0)


def simple(x: float) -> float:
    d = grad(cube)
    v, dv = value_and_grad(cube)(x)
    w, dw = jvp(cube, (x,), (2.0,))
    return d(x) + v * dv + w * dw * grad(math.sin)(x)
#= simple(0.75)


def captures(x: float, y: float) -> float:
    inner = grad(lambda v: math.exp(v * x) * y + v ** 3)
    return inner(y) * inner(x) + x
#= captures(0.75, 1.25)


def twice(x: float) -> float:
    return grad(grad(lambda v: math.sin(v) * v * x))(x)
#= twice(0.75)


def power(x: float, n: int) -> float:
    acc = 1.0
    for i in range(n):
        if acc > 100.0:
            break
        acc = acc * x + i
    return acc


def second_of_loop(x: float, n: int) -> float:
    return grad(lambda v: power(v, n))(x) * x
#= second_of_loop(1.25, 5)
#= second_of_loop(1.25, 0)


def raised(x: float, n: int) -> float:
    return 1.0 if n == 0 else x * raised(x, n - 1)


def second_of_recursion(x: float) -> float:
    return grad(raised)(x, 4) + grad(lambda v: raised(v, 3) * x)(2.0)
#= second_of_recursion(0.75)


def newton(x: float, xs: list[float], ys: list[float]) -> float:
    def loss(w: float) -> float:
        total = 0.0
        for i in range(len(xs)):
            e = w * xs[i] * w - ys[i]
            total += e * e
        return total

    w = x
    for _ in range(3):
        w = w - grad(loss)(w) / grad(grad(loss))(w)
    return w
#= newton(1.5, [0.5, 1.0, 2.0], [0.75, 1.25, 3.5])


def several(x: float, y: float) -> float:
    def f(a: float, n: int, b: float) -> float:
        p = Point(a * b, b)
        xs = [p.x, a]
        for i in range(n):
            xs.append(xs[-1] * p.y)
        p.y = sum(xs)
        return p.y * xs[0]

    a, b = grad(f)(x, 2, y)
    return a * b + a
#= several(0.75, 1.25)


def chosen(x: float, n: int) -> float:
    fs: list[Callable[[float], float]] = [cube, math.sin, lambda v: v * x, lambda v: v / x]
    t = x
    for i in range(n):
        t = t * grad(fs[i])(t) + value_and_grad(fs[3 - i])(t)[1]
    ds = [grad(f) for f in fs]
    return t * ds[2](x) + ds[0](x)
#= chosen(0.75, 3)


def made(x: float) -> float:
    scale = Ref(x * 2.0)
    p = Point(x, x * x)

    def f(v: float) -> float:
        r = Ref(v)
        g = lambda u: u * r.get() + p.y * scale.get()
        r.add(g(v))
        return g(r.get()) * p.x

    return grad(f)(x)
#= made(0.75)
