"""Sums over no rounds, of what is not finite where there are none."""

import numpy as np

from pychoral.ad import Array, Float


def parts(x: Float[Array, "n"], y: float) -> float:
    h = np.divide(y, x.shape[0])
    total = 0.0
    for i in range(x.shape[0]):
        total += h
    return total + np.sum(x)


def scaled(x: Float[Array, "n"], y: float) -> float:
    h = np.divide(y, x.shape[0])
    total = y
    for i in range(x.shape[0]):
        total += h * x[i]
    return total


def rounds(y: float, s: int) -> float:
    h = np.divide(y, s)
    total = y
    for i in range(s):
        total += h * (i + 1)
    return total


def before_last(x: Float[Array, "n"], y: float) -> float:
    h = np.divide(y, x.shape[0] - 1)
    total = y
    for i in range(x.shape[0] - 1):
        total += h * x[i]
    return total


def normalised(x: Float[Array, "n"], y: float) -> float:
    return y * np.sum(x / np.sqrt(np.sum(x * x))) + y


def shares(x: Float[Array, "n"], y: float) -> float:
    e = np.exp(x)
    return np.sum(y * e / np.sum(e)) + y


def logarithms(x: Float[Array, "n"], y: float) -> float:
    return y + np.sum(x * np.log(np.sum(x * x)) * y)


def of_means(x: Float[Array, "n m"], y: float) -> float:
    return y + np.sum(np.mean(x * y, axis=1))


def standard(x: Float[Array, "n"], y: float) -> float:
    return y + np.sum((y * x - np.mean(x)) / np.std(x))


def of_other(x: Float[Array, "n"], z: Float[Array, "m"], y: float) -> float:
    return y + np.sum(z * (y / np.mean(x)))


def rows(x: Float[Array, "n m"], y: float) -> float:
    return y + np.sum(x / np.sqrt(np.sum(x * x, axis=0)))


# a factor that only elements that are not there read

def outer(x: Float[Array, "n"], z: Float[Array, "m"], y: float) -> float:
    return y + np.sum(np.outer(x, np.divide(y, x.shape[0]) * z))


def places(y: float, k: int) -> float:
    return y + np.sum(np.sin(np.arange(k) * np.divide(y, k)))


def covariance(x: Float[Array, "n m"], y: float) -> float:
    c = x - np.mean(x, axis=0)
    return y + np.sum(c.T @ c * np.divide(y, x.shape[0]))


def tiled(x: Float[Array, "n"], y: float) -> float:
    return y + np.sum(np.tile(x * np.divide(y, x.shape[0]), 3))


def carried(x: Float[Array, "n"], z: Float[Array, "m"], y: float) -> float:
    h = np.divide(y, x.shape[0])
    for i in range(z.shape[0]):
        h = np.tanh(h * z[i]) + np.divide(y, x.shape[0])
    return y + np.sum(x * h)


def of_two(x: Float[Array, "n"], z: Float[Array, "m"], y: float) -> float:
    a = np.log(np.sum(x * x)) * y
    b = a * np.sum(z)
    return y + np.sum(x) * np.sum(x * b) + np.sum(x * a)


def one_place(y: float) -> float:
    return y + np.sum(np.linspace(y, 2.0, 1)) + np.sum(np.linspace(y, 2.0, 3))


def few_places(y: float, k: int) -> float:
    return np.sum(np.linspace(y, 2.0, k) ** 2) + y


def means_of_rows(x: Float[Array, "n m"], y: float) -> float:
    n, m = x.shape
    total = y
    for i in range(n):
        row = 0.0
        for j in range(m):
            row += x[i, j] * np.divide(y, m)
        total += row * np.divide(1.0, n)
    return total


def row_scales(x: Float[Array, "n m"], z: Float[Array, "n"], y: float) -> float:
    return y + np.sum(x * (z * np.divide(y, x.shape[1]))[:, None])


def contracted(x: Float[Array, "n m"], z: Float[Array, "k n"], y: float) -> float:
    v = z * np.divide(y, x.shape[1])
    return y + np.sum(np.sin(np.einsum("nm,kn->k", x, v)))


def any_of_none(x: Float[Array, "n"], y: float) -> float:
    return y * np.any(x > 0.0) + 2.0 * y * np.all(x > 0.0)


# systems of no equations

def solved(a: Float[Array, "n n"], b: Float[Array, "n"], y: float) -> float:
    return y + np.sum(np.linalg.solve(a, b))


def solved_rows(a: Float[Array, "n n"], b: Float[Array, "n m"], y: float) -> float:
    return y + np.sum(np.linalg.solve(a, b))


def inverted(a: Float[Array, "n n"], y: float) -> float:
    return y * 3.0 + np.sum(np.linalg.inv(a))


def volume(a: Float[Array, "n n"], y: float) -> float:
    return y * np.linalg.det(a)


def log_volume(a: Float[Array, "n n"], y: float) -> float:
    sign, log = np.linalg.slogdet(a)
    return y * sign + log


def factored(a: Float[Array, "n n"], y: float) -> float:
    return y + np.sum(np.linalg.cholesky(a @ a.T + np.eye(a.shape[0])))


RANGES = {"rounds": {"s": (0, 0)}, "places": {"k": (0, 0)}, "few_places": {"k": (1, 2)},
          "of_two": {"x": (0.5, 2.0)}, "logarithms": {"x": (0.5, 2.0)},
          "of_other": {"x": (0.5, 2.0)}}
SIZES = {"standard": {"n": 0}, "of_other": {"n": 0, "m": 0}, "of_means": {"n": 0, "m": 0},
         "before_last": {"n": 1}, "covariance": {"n": 0}, "rows": {"n": 0, "m": 2}}
EMPTY = ("parts", "scaled", "normalised", "shares", "logarithms", "outer",
         "tiled", "carried", "of_two", "means_of_rows", "row_scales", "contracted", "any_of_none",
         "solved", "solved_rows", "inverted", "volume", "log_volume", "factored")
