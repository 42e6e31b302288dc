"""Local functions that are only called."""
import math


def scaled(x: float, n: int) -> float:
    w = x * 2.0

    def bump(v: float, times: int = 2) -> float:
        s = 0.0
        for i in range(times):
            s += v * w
        return s

    def twice(v: float) -> float:
        return bump(bump(v)) + math.sin(x)

    def power(k: int) -> float:
        return 1.0 if k == 0 else x * power(k - 1)

    total = twice(x) + bump(3.0, times=5) + power(n)
    for i in range(n):
        w = w * 0.5
        total += bump(x)
    return total
#= scaled(0.75, 3)
#= scaled(1.25, 0)


def stored(xs: list[float], y: float) -> float:
    def put(i: int, v: float) -> None:
        xs[i] = v * y

    def pair(v: float) -> tuple[float, float]:
        return v * y, xs[0]

    put(0, xs[1])
    y = y * 2.0
    put(1, xs[0] * xs[0])
    a, b = pair(y)
    return a * xs[1] + b
#= stored([1.25, 0.75], 0.5)
