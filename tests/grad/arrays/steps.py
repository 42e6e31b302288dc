"""Slices, ranges and lengths with a step: the sizes are quotients. EMPTY: those that take a size of
0, where numpy does."""

import numpy as np

from pychoral.ad import Array, Float, Int

SIZES = {"convolved": {"n": 6, "k": 3}, "convolved_even": {"n": 7, "k": 4}, "unzip": {"n": 3}}
RANGES = {"ranges": {"a": (0, 9)}, "unzip": {"n": (3, 3)}, "counted": {"idx": (0, 0)}}
EMPTY = ("every", "ranges", "pairs", "halves", "numbers", "rounded", "sieve")


def every(x: Float[Array, "n"]) -> float:
    return np.sum(x[::2] ** 3) + np.sum(x[::4] ** 2) + np.sum(np.tanh(x[::-2])) + x[::3].sum()


def stored(x: Float[Array, "n"]) -> float:
    y = x * 2.0
    y[::2] = np.sin(x[::2])
    y[::3] *= 3.0
    y[1::2] += x[1::2] ** 2
    return np.sum(y ** 2)


def rows(x: Float[Array, "n m"]) -> float:
    y = x.copy()
    y[::2, 1::3] = 0.0
    y[:, ::2] *= 2.0
    y[0::2] += 1.0
    return np.sum(y ** 3) + np.sum(x[::2, ::2] ** 2)


def ranges(x: Float[Array, "n"], a: int) -> float:
    s, t = 0.0, 0.0
    for i in range(0, len(x), 2):
        s += x[i] ** 2
    for i in range(1, len(x), 3):
        t = np.tanh(t + x[i])
    for i in range(len(x) - 1, -1, -2):
        t = np.tanh(t * x[i])
    s += sum(x[i] for i in range(0, len(x) - 1, 2))
    return s + t + sum(x[0] * i for i in range(a, 7, 2))


def pairs(x: Float[Array, "n"]) -> float:
    n = len(x)
    s = 0.0
    for i in range(0, 2 * n, 2):
        s += x[i // 2] * i
    return s + sum(x[i] * x[i + 1] for i in range(0, n - 1, 2))


def halves(x: Float[Array, "n"]) -> float:
    m = len(x) // 2
    y = x[:2 * m].reshape(m, 2)
    z = np.zeros(m)
    for i in range(m):
        z[i] = x[i] * x[m + i]
    return y.max(axis=1).sum() + np.sum(x[:m] * x[m:2 * m]) + np.sum(z)


def numbers(x: Float[Array, "n"]) -> float:
    return np.sum(x * np.arange(1, len(x) + 1)) + np.sum(x[np.arange(0, len(x), 2)] ** 2)


def rounded(x: Float[Array, "n"]) -> float:
    return np.sum(np.round(x) * x + np.floor(x) * x + np.ceil(x) + np.sign(x) * x)


def unzip(x: Float[Array, "2*n"], n: int) -> float:
    y = np.zeros(2 * n)
    y[0::2] = x[:n]
    y[1::2] = x[n:]
    return np.sum(y[:-1] * y[1:] if n > 0 else 0.0)


def sieve(x: Float[Array, "n"]) -> float:
    y = x.copy()
    for i in range(len(x)):
        y[::2] = np.tanh(y[::2] + x[i])
        y[i] += 1.0
    return np.sum(y)


def convolved(x: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    return (np.sum(np.convolve(x, w) ** 2) + np.sum(np.convolve(x, w, mode="valid") ** 3)
            + np.sum(np.sin(np.convolve(x, w, "same"))))


def convolved_even(x: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    return np.sum(np.sin(np.convolve(x, w, "same")) * x)


def counted(x: Float[Array, "n"], idx: Int[Array, "m"], v: Float[Array, "m"]) -> float:
    count = np.bincount(idx, minlength=len(x))
    return np.sum(count * x ** 2) + np.sum(v * count[idx])


def stored_rows(x: Float[Array, "n k"], w: Float[Array, "k"]) -> float:
    y = x * 2.0
    for i in range(len(x) - 1):
        y[i] = np.tanh(x[i + 1] * w)
    z = np.ones(len(x) + 1)
    for i, r in enumerate(x):
        z[i] = np.sum(r)
    return np.sum(y * y) + np.sum(z ** 2)
