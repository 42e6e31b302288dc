"""Parameters that are constant under a derivative inside, and then assigned what varies."""
from pychoral.ad import grad


def by_each(x: float, y: float) -> float:
    def inner(a: float, b: float) -> float:
        a = a * b
        b = b * a
        return a * b
    p, q = grad(inner)(x, y)
    return p * q + x
#= by_each(0.75, 1.25)


def in_loop(x: float, y: float, n: int) -> float:
    def inner(a: float, b: float) -> float:
        for i in range(n):
            if i > 0:
                a = a * b + y
            b = b * 0.5 + a
        return a * b
    return grad(inner)(x, y)[1] * y
#= in_loop(0.75, 1.25, 3)
#= in_loop(0.75, 1.25, 0)
