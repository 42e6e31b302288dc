"""Operators and functions of floats and ints, with the exceptions of Python."""

import math

# power(1.5, 0) power(1.5, 10) power(-0.5, 3) power(2.0, -3) power(3.0, 2000)
# newton(2.0) newton(9.0) newton(0.0)
# mixed(3.5, 2.0, 3) mixed(-3.5, 2.0, -3) mixed(3.5, 0.0, 3) mixed(0.5, 2.0, 0)
# OverflowError in C: mixed(1.0, 2.0, 9223372036854775807)
# roots(0.3, 0.4) roots(-0.5, 1.0) roots(1.0, -1.0) roots(1e200, 1e200) roots(0.0, 0.0)
# ints(2.0, 7, 3) ints(2.0, -7, 3) ints(2.0, 7, 0) ints(2.0, 62, 62) ints(0.5, 40, 40)
# powers(2.0, 3.0) powers(0.0, 2.0) powers(0.0, -1.0) powers(-2.0, 0.5) powers(10.0, 400.0)
# clamp(0.5) clamp(-3.0) clamp(7.0)
# special(0.5) special(3.25) special(-1.0)


def power(x: float, n: int) -> float:
    acc = 1.0
    for i in range(n):
        acc = x * acc
    return acc


def newton(a: float) -> float:
    x = a
    while abs(x * x - a) > 1e-12:
        x = x - (x * x - a) / (2.0 * x)
    return x


def mixed(x: float, y: float, n: int) -> float:
    whole = n * 2 + 1
    rest = whole % 3
    value = x // y + x % y * rest
    if n > 0 and rest != 1 or n < -2:
        value = value * x - n
    return value / (y + n)


def roots(x: float, y: float) -> float:
    a = math.sqrt(x) + math.exp(y) * math.log(x + 1.5)
    return a * math.hypot(x, y) + math.atan2(x, y) - math.sin(x) * math.cosh(y)


def ints(x: float, n: int, m: int) -> float:
    a = n // m + n % m
    b = 2 ** abs(n) - (n << 1)
    return x * a + x ** 2 * b


def powers(x: float, y: float) -> float:
    return math.pow(x, y) + x ** 3


def clamp(x: float) -> float:
    return max(min(x, 2.0) * x, -1.0) + min(3.0, x)


def special(x: float) -> float:
    return math.tan(x) + math.log1p(x) * math.erf(x) + math.tanh(x)
