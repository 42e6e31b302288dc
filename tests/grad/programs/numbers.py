"""Floats, ints, branches, loops, early ends and calls."""
import math
from math import exp as power_of_e

LIMIT = 50.0


def power(x: float, n: int) -> float:
    acc = 1.0
    for i in range(n):
        acc = x * acc
    return acc
#= power(1.5, 5)
#= power(1.5, 0)


def newton(a: float) -> float:
    x = a
    while abs(x * x - a) > 1e-13:
        x = x - (x * x - a) / (2 * x)
        if x < 0:
            break
    return x
#= newton(2.0)


def fact(x: float, n: int) -> float:
    return 1.0 if n == 0 else x * fact(x, n - 1)
#= fact(2.5, 6)
#= fact(2.5, 0)


def mutual(x: float, n: int) -> float:
    if n <= 0:
        return x
    return other(x * 0.5, n - 1) + x


def other(x: float, n: int) -> float:
    if n <= 0:
        return 1.0 / x
    return mutual(math.sin(x), n - 1) * x
#= mutual(0.75, 5)
#= mutual(0.75, 6)


def early(x: float, n: int) -> float:
    total = 0.0
    for i in range(n):
        for j in range(i):
            if j > 3:
                break
            total += x ** j / (1 + i)
            if total > LIMIT:
                return total * x
        if i == 5:
            continue
        total = math.sqrt(total + x)
    return total
#= early(1.25, 9)
#= early(3.25, 9)
#= early(9.5, 9)


def same_name(x: float) -> float:
    x = x * x
    x = math.sqrt(x)
    x = x ** 3
    x = power_of_e(x)
    return x
#= same_name(1.125)


def itself(x: float, n: int) -> float:
    x = x * x
    x = x
    for i in range(n):
        x = x
    if x > 1.0:
        x = x
    else:
        x = x * 2.0
    return x * x
#= itself(1.125, 2)
#= itself(0.875, 2)


def powers(x: float, y: float) -> float:
    x = x ** y
    z = max(x, y) * min(x, 2.0) + abs(-x)
    return z / (x + y) % 3.0
#= powers(1.5, 2.5)


def swap(a: float, b: float, n: int) -> float:
    for i in range(n):
        a, b = b, a * b
    return a - b
#= swap(1.5, 2.5, 3)
#= swap(1.5, 2.5, 0)


def discrete(x: float) -> float:
    k = int(x * 3)
    inside = x > 0 and x < 1 or x > 2
    return k * x + (x if inside else -x)
#= discrete(1.75)
#= discrete(0.75)


def divided(xs: float, n: int) -> float:
    total, down = 0.0, n
    while down > 0:
        total += xs * down
        if down % 2 == 0:
            total = 1.0 / total
        down -= 1
    return total / (total + xs)
#= divided(0.875, 7)


def kinks(x: float) -> float:
    return abs(x) + max(x, 0.0) * 2.0 + math.sqrt(x * 0.0) + math.hypot(x, 3.0)
#= kinks(1.5)


def raises(x: float) -> float:
    if x < 0.0:
        raise ValueError("negative")
    return math.log(x)
#= raises(2.5)


def backwards(x: float, n: int) -> float:
    total = x
    for i in reversed(range(n)):
        total = total * 0.5 + i * x
    for i in range(n, 0, -2):
        total -= math.sin(total) / i
    return total
#= backwards(0.625, 6)


def deep(x: float, n: int) -> float:
    if n == 0:
        return x
    return deep(x * 0.9375, n - 1)
#= deep(1.5, 30)


def pair_sum(x: float, y: float) -> float:
    return x * y + x


def onto_itself(x: float, y: float, n: int) -> float:
    for i in range(n):
        x = pair_sum(x, y)
        y = deep(y, i)
        if i == 1:
            x = pair_sum(x, x)
    return x * y
#= onto_itself(0.75, 0.625, 3)


def short_circuit(x: float, n: int) -> float:
    if n > 2 and deep(x, n) > 0.5 or deep(x, 1) < 0.0:
        return deep(x, 2) * x
    return x
#= short_circuit(0.875, 3)
#= short_circuit(0.125, 1)


def asked_each_round(x: float) -> float:
    while deep(x, 2) > 0.125:
        x = x * 0.5
    return x * x
#= asked_each_round(3.0)


def late(x: float, n: int) -> float:
    for i in range(n):
        if i % 2 == 0:
            y = x * i
        else:
            y = y * x
    return y * i
#= late(1.25, 4)


def nested(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        k = 0
        while k < i:
            s = s * x + k
            k += 1
            if s > 100.0:
                break
        s = s / (1.0 + k)
    return s
#= nested(1.25, 5)


def constants(x: float) -> float:
    y = 3.0
    y = y * 2.0
    return math.pi * x * y + math.e
#= constants(0.5)


def names(x: float, x_: float, tape: float, r_: float, value: float) -> float:
    returned = x * x_
    for _ in range(2):
        returned = returned * tape + r_ * value
        x_ = x_ * returned
    t = returned
    t_2 = t * t
    return t_2 * x_
#= names(0.5, 0.625, 0.75, 0.875, 1.25)


def again(x: float, n: int) -> float:
    d = x
    new = x
    if n > 0:
        d = again(d * 0.5, n - 1)
        new = again(new, n - 1) * d
    return new + d
#= again(0.875, 2)


def words(x: float, flag: bool, s: str) -> float:
    y = x
    if flag and s == "cube":
        y = y * y * y
    elif not flag:
        y = -y
    return y
#= words(1.25, True, "cube")
#= words(1.25, False, "")


def handed_on(x: float) -> float:
    x = x * 1.5
    t = x * 3.0
    u = x * 2.0
    x = t + u
    if x > 0.0:
        y = x * x
    else:
        y = x
    return y
#= handed_on(0.75)
#= handed_on(-0.75)


def crossed(x: float, y: float, z: float) -> float:
    a = x * y
    b = y
    c = z
    t = b
    u = a
    a = t
    b = u
    if z > 1.0:
        r = a * x
    else:
        r = a * b + b
    t = a
    u = b
    v = c
    a = u
    b = v
    c = t
    c = math.hypot(c, a, b)
    if z > 2.0:
        r = r * a
    return r + math.sin(a) * b + c
#= crossed(0.75, 1.25, 0.5)
#= crossed(0.75, 1.25, 1.5)
#= crossed(0.75, 0.5, 2.5)
