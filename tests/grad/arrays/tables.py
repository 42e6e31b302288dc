"""Loops that change a table element by element, or row by row."""

import numpy as np

from pychoral.ad import Array, Float, Int

SIZES = {"looked_up": {"n": 5}}
RANGES = {"looked_up": {"at": (0, 4)}}


def soft_dtw(x: Float[Array, "n"], y: Float[Array, "m"]) -> float:
    n, m = x.shape[0], y.shape[0]
    r = np.full((n + 1, m + 1), 1e3)
    r[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            near = np.minimum(np.minimum(r[i - 1, j - 1], r[i - 1, j]), r[i, j - 1])
            total = np.exp(near - r[i - 1, j - 1]) + np.exp(near - r[i - 1, j])
            total = total + np.exp(near - r[i, j - 1])
            r[i, j] = (x[i - 1] - y[j - 1]) ** 2 + near - np.log(total)
    return r[n, m]


def factor(a: Float[Array, "n n"]) -> float:
    n = a.shape[0]
    s = a @ a.T + np.eye(n)
    l = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            left = s[i, j] - l[i, :j] @ l[j, :j]
            if i == j:
                l[i, j] = np.sqrt(left)
            else:
                l[i, j] = left / l[j, j]
    return np.sum(np.log(np.diag(l))) + np.sum(l)


def eliminate(a: Float[Array, "n n"], b: Float[Array, "n"]) -> float:
    n = b.shape[0]
    u, x = a + 4.0 * np.eye(n), b * 1.0
    for k in range(n):
        for i in range(k + 1, n):
            f = u[i, k] / u[k, k]
            u[i, :] -= f * u[k, :]
            x[i] -= f * x[k]
    return np.sum(x * np.diag(u))


def columns(x: Float[Array, "n m"]) -> float:
    y = x * 1.0
    for j in range(1, x.shape[1]):
        y[:, j] += np.sin(y[:, j - 1])
        y[0, j] *= 2.0
    return np.sum(y * y)


def swapped(x: Float[Array, "n"]) -> float:
    """What is put is computed before anything changes."""
    y = x * 1.0
    for i in range(1, x.shape[0]):
        y[i - 1], y[i] = y[i] * 1.5, y[i - 1] - y[i]
    return np.sum(y * np.arange(x.shape[0]))


def twice(x: Float[Array, "n"]) -> float:
    """Two stores to one place in a round."""
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = x[i] * x[i]
        if x[i] > 0.5:
            y[i] = 3.0 * y[i]
        y[i] += y[0]
    return np.sum(y)


def both(x: Float[Array, "n"]) -> float:
    """Two tables that read each other."""
    n = x.shape[0]
    y, z = np.zeros(n + 1), np.ones(n + 1)
    for i in range(n):
        y[i + 1] = z[i] * x[i] + y[i]
        z[i + 1] = y[i] - 0.5 * z[i]
    return np.sum(y * z)


def looked_up(x: Float[Array, "n"], at: Int[Array, "n"]) -> float:
    y = np.ones(x.shape[0])
    for i in range(x.shape[0]):
        y[at[i]] = y[at[i]] * x[i] + y[0]
    return np.sum(y * y)


def sometimes(x: Float[Array, "n m"]) -> float:
    """By tests of numbers, of elements, and of the place."""
    n, m = x.shape
    y = x * 0.5
    for i in range(n):
        for j in range(m):
            if i > 0 and j > 0:
                y[i, j] += y[i - 1, j - 1]
            elif x[i, j] > 0.3:
                y[i, j] = x[i, j] * x[i, j]
            else:
                y[0, j] -= x[i, 0]
    return np.sum(y * x)


def never(x: Float[Array, "n m"]) -> float:
    """Rounds keep what they read of a table that they never change."""
    y = x * 1.0
    for i in range(1, x.shape[0]):
        for j in range(1, x.shape[1]):
            if i < 1:
                y[i, j] += np.maximum(y[i, j], y[i, j])
    return np.sum(np.sin(y))


def where_computed(x: Float[Array, "n"]) -> float:
    """A place that a choice of floats decides, for all elements in a round."""
    n = x.shape[0]
    y = np.zeros(n)
    for i in range(n):
        at = np.floor(np.where(x > 0.5, y, 0.25 * x)).astype(int) % n
        y[i] = np.sum(x[at] * np.cos(y)) + x[i]
    return np.sum(y)
