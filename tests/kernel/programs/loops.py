"""Loops and what they keep; functions that call others, and themselves."""

# several(1.1, 4) several(0.9, 0) several(1.5, 1)
# nested(0.7, 3, 4) nested(0.7, 0, 4) nested(0.7, 5, 0)
# steps(1.3, 10) steps(1.3, -4) steps(1.3, 0)
# bounced(1.0, 30) bounced(0.4, 30) bounced(0.4, 400000)
# branches(0.3, 9) branches(2.0, 9)
# deep(1.0001, 5) deep(1.0000001, 300000)
# even(0.99, 11) even(0.99, 200000)
# chained(0.3, 0.2) chained(2.0, 5.0)
# swapped(1.5, 0.5, 7)
# along([0.5, 1.5, 2.0], 0) along([], 0)
# filled(0.999, 3) filled(0.9999, 150000)


def several(x: float, n: int) -> float:
    a = x
    b = 1.0
    for i in range(n):
        a = a * b + x
        b = b * a * 0.5
        a = a * a * 0.1
    return a + b


def nested(x: float, n: int, m: int) -> float:
    total = 0.0
    for i in range(n):
        row = x
        for j in range(m):
            row = row * x + i * j
        total = total * 0.5 + row * row
    return total


def steps(x: float, n: int) -> float:
    value = x
    for i in range(n, 0, -2):
        value = value * value * 0.5 + i
    for i in range(2, n + 2, 3):
        value = value * 0.1 * i - value * value * 0.001
    return value


def bounced(x: float, n: int) -> float:
    v = x
    rounds = 0
    while rounds < n and v > 0.001:
        if v > 0.5:
            v = v * v * 0.9
        else:
            v = 1.0 - v
        rounds = rounds + 1
    return v


def branches(x: float, n: int) -> float:
    value = x
    for i in range(n):
        if i % 3 == 0:
            value = value * x
        elif i % 3 == 1:
            value = value + x * x
    return value


def deep(x: float, n: int) -> float:
    if n == 0:
        return x
    return x * deep(x, n - 1)


def odd(x: float, n: int) -> float:
    if n == 0:
        return x * x
    return even(x, n - 1) * x


def even(x: float, n: int) -> float:
    if n == 0:
        return x
    return odd(x, n - 1) + 0.001


def square(x: float) -> float:
    return x * x


def chained(x: float, y: float) -> float:
    return square(square(x) + y) * square(y - x)


def swapped(x: float, y: float, n: int) -> float:
    a = x
    b = y
    for i in range(n):
        a, b = b, a * b + 0.1
    return a - b


def along(xs: list[float], i: int) -> float:
    if i == len(xs):
        return 1.0
    here = xs[i] * xs[i]
    if i % 2 == 1:
        return here + along(xs, i + 1)
    return here * along(xs, i + 1)


def filled(x: float, n: int) -> float:
    xs = [x * 1.0]
    for i in range(n):
        xs.append(x + i * 1e-9)
    return along(xs, 0)
