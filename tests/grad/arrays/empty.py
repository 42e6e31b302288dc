"""Sums over no rounds, of what is no finite number where there are none."""

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


RANGES = {"rounds": {"s": (0, 0)}, "logarithms": {"x": (0.5, 2.0)}, "of_other": {"x": (0.5, 2.0)}}
SIZES = {"standard": {"n": 0}, "of_other": {"n": 0, "m": 0}, "of_means": {"n": 0, "m": 0},
         "before_last": {"n": 1}, "rows": {"n": 0, "m": 2}}
EMPTY = ("parts", "scaled", "normalised", "shares", "logarithms")
