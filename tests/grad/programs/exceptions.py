"""Exceptions that the function takes itself: of `raise`, and of operations."""
import math


class Bad(ValueError):
    pass


def divided(x: float, n: int) -> float:
    try:
        z = x / n
    except ZeroDivisionError:
        z = x * 2.0
    return z * x
#= divided(1.5, 2)
#= divided(1.5, 0)


def answered(x: float, n: int) -> float:
    try:
        return x * x / n + x % n
    except ZeroDivisionError:
        return 3.0 * x
#= answered(1.5, 2)
#= answered(1.5, 0)


def raised(x: float) -> float:
    y = x
    try:
        if x > 1.0:
            y = y * 3.0
            raise ValueError("large")
        y = y * y
    except ValueError:
        y = y + x * x
    else:
        y = y * 7.0
    return y * x
#= raised(1.5)
#= raised(0.5)


def several(x: float, xs: list[float], i: int) -> float:
    s = 1.0
    try:
        s = s * xs[i]
        s = s / (xs[0] * 0.0 + i + 2)
        s = s * math.sqrt(x - 2.0) + math.log(xs[0])
    except IndexError:
        s = s * 2.0 * x
    except (ZeroDivisionError, ValueError):
        s = s * 5.0 * x
    return s
#= several(3.0, [1.5, 2.5], 1)
#= several(3.0, [1.5, 2.5], 2)
#= several(3.0, [1.5, 2.5], -3)
#= several(3.0, [1.5, 2.5], -2)
#= several(1.5, [1.5, 2.5], 0)
#= several(3.0, [-1.5, 2.5], 0)


def in_loop(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        try:
            s += x / (i - 2)
            s = s * x
        except ZeroDivisionError:
            s = s - x
            continue
        s = s + 0.25 * x
    return s
#= in_loop(1.25, 5)
#= in_loop(1.25, 0)


def around_loop(x: float, n: int) -> float:
    s = x
    count = 0
    try:
        for i in range(n):
            count += 1
            while s > 4.0:
                s = s / (i - 3)
            s = s * x
            if s > 20.0:
                raise Bad("too large")
        s = s * 3.0
    except ArithmeticError:
        s = s * count * x
    except Bad:
        s = s * 0.5
    return s + count * x
#= around_loop(1.25, 2)
#= around_loop(1.75, 5)
#= around_loop(2.5, 9)
#= around_loop(1.25, 0)


def nested(x: float, y: float) -> float:
    s = x
    try:
        try:
            s = s * y
            if y > 2.0:
                raise ZeroDivisionError
            s = s + math.log(x - y)
        except ValueError:
            s = s * 3.0
            if y > 1.5:
                raise IndexError("outer")
        s = s * 5.0 + x
    except LookupError:
        s = s * 7.0 * y
    except Exception:
        s = s * y * y
    return s * x
#= nested(1.5, 0.5)
#= nested(1.5, 1.6)
#= nested(1.25, 1.375)
#= nested(1.5, 2.5)


def tests(x: float, xs: list[float], n: int) -> float:
    s = 0.0
    try:
        while 10.0 / (3 - n) > s and xs[n] > 0.0:
            y = x if xs[n] > 1.0 else -x
            s = s + y * xs[n] + (1.0 / (n - 2) if n % 2 == 0 else x)
            n += 1
    except (ZeroDivisionError, IndexError):
        s = s + x * 100.0
    return s
#= tests(1.25, [1.5, 0.5, 2.5], 0)
#= tests(1.25, [1.5, 0.5, 2.5], 1)
#= tests(1.25, [1.5], 1)
#= tests(1.25, [-1.5], 0)


def popped(x: float, n: int) -> float:
    xs = [x, x * x]
    s = 1.0
    for _ in range(n):
        try:
            a = xs.pop()
        except IndexError:
            a = 0.5
            xs.append(s)
        s = s * a + x
    try:
        xs[1] = s
        s = xs[0] * xs[1]
    except IndexError:
        return s * x
    return s
#= popped(1.25, 1)
#= popped(1.25, 3)
#= popped(1.25, 4)
#= popped(1.25, 0)


def first(xs: list[float], w: float) -> float:
    """The handler leaves the loop."""
    total = 0.0
    k = 0
    while True:
        try:
            total += w * xs[k] * xs[k]
        except IndexError:
            break
        k += 1
        total = total * 0.75
    return total * w
#= first([1.5, 2.5, 0.5], 0.75)
#= first([], 0.75)
