"""Control as people write it: loops and their ends, recursion, exceptions, kinks, whole numbers."""
from __future__ import annotations

import math

TOLERANCE = 1e-12
STEPS = 7


def bisect(a: float, low: float = 0.0, high: float = 4.0) -> float:
    while True:
        middle = (low + high) / 2
        value = middle * middle * middle - a
        if abs(value) < 1e-3:
            break
        if value > 0:
            high = middle
        else:
            low = middle
    for _ in range(6):
        middle -= (middle ** 3 - a) / (3 * middle ** 2)
    return middle * a
#= bisect(5.0, 0.0, 4.0)


def first_above(xs: list[float], limit: float) -> float:
    for i, x in enumerate(xs):
        if x > limit:
            found = x * (i + 1)
            break
    else:
        found = -limit * len(xs)
    return found * found
#= first_above([0.5, 1.5, 2.5], 1.0)
#= first_above([0.5, 0.25], 1.0)
#= first_above([], 1.5)


def collatz(x: float, n: int) -> float:
    steps = 0
    while n != 1 and steps < 50:
        if n % 2 == 0:
            n //= 2
            x = x * 1.01
        else:
            n = 3 * n + 1
            x = math.sin(x) + n / 100
        steps += 1
    return x * steps
#= collatz(0.75, 6)
#= collatz(0.75, 1)


def arithmetic_geometric(a: float, b: float) -> float:
    while abs(a - b) > TOLERANCE:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a
#= arithmetic_geometric(1.0, 2.5)


def ackermann_like(m: int, n: int, x: float) -> float:
    if m == 0:
        return x + n
    if n == 0:
        return ackermann_like(m - 1, 1, x * 1.1)
    return ackermann_like(m - 1, n - 1, ackermann_like(m, n - 1, x) / (1 + n))
#= ackermann_like(2, 2, 0.5)


def is_even(n: int, x: float) -> float:
    return x if n == 0 else is_odd(n - 1, x * 1.25) - 0.5


def is_odd(n: int, x: float) -> float:
    if n == 0:
        return -x
    return is_even(n - 1, math.exp(-x)) * x
#= is_even(7, 0.25)
#= is_even(8, 0.25)


def squares_and_roots(x: float, n: int) -> float:
    for k in range(n, 0, -1):
        if k % 3 == 0:
            x = x * x
        else:
            x = math.sqrt(x)
    return x
#= squares_and_roots(3.0, 9)
#= squares_and_roots(3.0, 0)


def normalized(xs: list[float]) -> float:
    total = 0.0
    for x in xs:
        total += abs(x)
    share = 0.0
    for x in xs:
        share += (x / total) ** 2 * xs[0]
    return share / (1.0 + total / len(xs))
#= normalized([1.5, -2.0, 0.25])


def continued(x: float, terms: int) -> float:
    value = x
    for k in reversed(range(1, terms)):
        value = k + x / value
    return 1.0 / value
#= continued(1.5, 6)
#= continued(1.5, 1)


class Negative(Exception):
    pass


def careful(x: float, y: float) -> float:
    try:
        if x - y < 0:
            raise Negative(f"{x} is less than {y}")
        result = math.sqrt(x - y)
    except Negative:
        result = (y - x) ** 2
    return result * x
#= careful(3.0, 1.0)
#= careful(1.0, 3.0)


def quotients(xs: list[float], divisor: float) -> float:
    total = 0.0
    skipped = 0
    for i, x in enumerate(xs):
        try:
            total += x * divisor / (i % 3)
        except ZeroDivisionError:
            skipped += 1
            total -= divisor * skipped * x
    return total
#= quotients([2.0, 0.5, 4.0, 1.5], 3.0)


def tabulated(table: list[float], i: int, x: float) -> float:
    try:
        value = table[i] * x
    except IndexError:
        value = table[-1] + x
    else:
        value = value * 2.0
    return value * value
#= tabulated([1.0, 2.0, 3.0], 1, 0.5)
#= tabulated([1.0, 2.0, 3.0], 7, 0.5)


def huber(xs: list[float], delta: float) -> float:
    loss = 0.0
    for x in xs:
        a = abs(x)
        if a <= delta:
            loss += 0.5 * x ** 2
        else:
            loss += delta * (a - 0.5 * delta)
    return loss
#= huber([0.5, -3.0, 2.5, -0.25], 1.0)


def clipped(x: float, low: float, high: float) -> float:
    y = max(low, min(x, high))
    return y * x + max(0.0, x - high) ** 2 + abs(min(x, low))
#= clipped(0.5, 0.0, 1.0)
#= clipped(2.5, 0.0, 1.0)
#= clipped(-2.5, 0.0, 1.0)


def hinge_at_corner(x: float) -> float:
    return abs(x) + max(x, 0.0) ** 2 + 3.0 * x
#= hinge_at_corner(0.0)


def bucketed(x: float, parts: int) -> float:
    index = int(x * parts)
    inside = 0 <= index < parts
    width = 1 / parts
    left = index * width
    bonus = 2 if inside and not index % 2 else 1
    return (x - left) / width * bonus + math.floor(x) * x
#= bucketed(0.6, 4)
#= bucketed(1.7, 4)


def triangle(x: float, n: int) -> float:
    total = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            if (i + j) % 3 == 1:
                continue
            if i * j > 8:
                break
            total += x ** i * math.cos(j * x)
        else:
            total *= 1.5
    return total
#= triangle(0.75, 6)
#= triangle(0.75, 1)


def compound(principal: float, rate: float, years: int, monthly: bool = True) -> float:
    periods = years * 12 if monthly else years
    balance = principal
    for month in range(1, periods + 1):
        balance *= 1 + rate / (12 if monthly else 1)
        if month % 12 == 0:
            balance -= min(balance * 0.01, 25.0)
        if balance <= 0:
            return 0.0
    return balance
#= compound(1000.0, 0.05, 2, True)
#= compound(1000.0, 0.05, 3, False)


def runge_kutta(y: float, k: float, h: float) -> float:
    def slope(t: float, y: float) -> float:
        return -k * y + math.sin(t)

    t = 0.0
    for _ in range(STEPS):
        k1 = slope(t, y)
        k2 = slope(t + h / 2, y + h / 2 * k1)
        k3 = slope(t + h / 2, y + h / 2 * k2)
        k4 = slope(t + h, y + h * k3)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y
#= runge_kutta(1.0, 0.5, 0.125)


def fibonacci_real(x: float, n: int) -> float:
    if n < 2:
        return x if n else 1.0
    return fibonacci_real(x, n - 1) + x * fibonacci_real(x, n - 2)
#= fibonacci_real(0.75, 9)


def walk_the_powers(x: float, y: float) -> float:
    total = x ** y - y ** -x
    total += x ** 0.5 * 2.0 ** y
    total -= (x + y) ** 1.5 / 10 ** -x
    return total
#= walk_the_powers(1.5, 0.75)


def labels(x: float, name: str) -> float:
    if name.startswith("log"):
        return math.log(x) if name.endswith("e") else math.log10(x)
    return x if name == "" else x * len(name)
#= labels(2.5, "loge")
#= labels(2.5, "log10")
#= labels(2.5, "abc")


def polynomial(coefficients: list[float], x: float) -> float:
    made: list[float] = []
    while len(made) < len(coefficients):
        made.append(coefficients[len(made)] * (made[-1] if made else 1.0) + x)
        if made and made[-1] > 8.0:
            made[-1] /= 2.0
    total = 0.0
    while made:
        total = total * x + made.pop()
        if not made:
            total += x
    return total
#= polynomial([1.0, 2.0, 3.0], 1.25)
#= polynomial([], 1.25)
