"""Derivatives of functions that differentiate, after Siskind and Pearlmutter: a particle that two
charges repel, and a saddle. The names end with the mode of the derivative inside: r, f."""

import math

from pychoral.ad import grad, jvp


def path_r(w: float) -> float:
    """How far from 0 the particle reaches the ground, squared."""
    def potential(p: float, q: float) -> float:
        return (1.0 / math.sqrt((p - 10.0) * (p - 10.0) + (q - (10.0 - w)) * (q - (10.0 - w)))
                + 1.0 / math.sqrt((p - 10.0) * (p - 10.0) + q * q))

    x, y, vx, vy = 0.0, 8.0, 0.75, 0.0
    while y + 0.1 * vy > 0.0:
        ax, ay = grad(potential)(x, y)
        x, y = x + 0.1 * vx, y + 0.1 * vy
        vx, vy = vx - 0.1 * ax, vy - 0.1 * ay
    x = x - y / vy * vx
    return x * x


def path_f(w: float) -> float:
    def potential(p: float, q: float) -> float:
        return (1.0 / math.sqrt((p - 10.0) * (p - 10.0) + (q - (10.0 - w)) * (q - (10.0 - w)))
                + 1.0 / math.sqrt((p - 10.0) * (p - 10.0) + q * q))

    x, y, vx, vy = 0.0, 8.0, 0.75, 0.0
    while y + 0.1 * vy > 0.0:
        ax = jvp(potential, (x, y), (1.0, 0.0))[1]
        ay = jvp(potential, (x, y), (0.0, 1.0))[1]
        x, y = x + 0.1 * vx, y + 0.1 * vy
        vx, vy = vx - 0.1 * ax, vy - 0.1 * ay
    x = x - y / vy * vx
    return x * x


def largest_r(x1: float, y1: float) -> float:
    """The largest value over x2 and y2, by ascent."""
    def height(x2: float, y2: float) -> float:
        return (x1 * x1 + y1 * y1) - (x2 * x2 + y2 * y2)

    x, y = 1.0, 1.0
    value = height(x, y)
    dx, dy = grad(height)(x, y)
    rate = 1e-5
    count = 0
    while math.sqrt(dx * dx + dy * dy) > 1e-5:
        if count == 10:
            rate *= 2.0
            count = 0
        nx, ny = x + rate * dx, y + rate * dy
        if math.sqrt((nx - x) * (nx - x) + (ny - y) * (ny - y)) <= 1e-5:
            break
        new = height(nx, ny)
        if new > value:
            x, y, value = nx, ny, new
            dx, dy = grad(height)(x, y)
            count += 1
        else:
            rate *= 0.5
            count = 0
    return height(x, y)


def largest_f(x1: float, y1: float) -> float:
    def height(x2: float, y2: float) -> float:
        return (x1 * x1 + y1 * y1) - (x2 * x2 + y2 * y2)

    x, y = 1.0, 1.0
    value = height(x, y)
    dx = jvp(height, (x, y), (1.0, 0.0))[1]
    dy = jvp(height, (x, y), (0.0, 1.0))[1]
    rate = 1e-5
    count = 0
    while math.sqrt(dx * dx + dy * dy) > 1e-5:
        if count == 10:
            rate *= 2.0
            count = 0
        nx, ny = x + rate * dx, y + rate * dy
        if math.sqrt((nx - x) * (nx - x) + (ny - y) * (ny - y)) <= 1e-5:
            break
        new = height(nx, ny)
        if new > value:
            x, y, value = nx, ny, new
            dx = jvp(height, (x, y), (1.0, 0.0))[1]
            dy = jvp(height, (x, y), (0.0, 1.0))[1]
            count += 1
        else:
            rate *= 0.5
            count = 0
    return height(x, y)
