"""Matrices of which a condition on their indices chooses elements, so that the derivative by the
others is not asked for; and those where something else asks for it."""

import numpy as np

from pychoral.ad import Array, Float, Int, build

SIZES = {name: {"n": 70} for name in ("lower", "transposed", "summed", "in_rounds")}
SIZES |= {"wide": {"d": 3, "e": 5}, "high": {"d": 5, "e": 3}}
SIZES |= {name: {"d": 4, "e": 4} for name in ("band", "beyond", "either", "not_only")}
RANGES = {name: {"x": (-2, 2)} for name in ("band", "wide", "high", "beyond", "either",
                                            "not_only")}


def _loss(m: Float[Array, "k d e"], x: Float[Array, "n e"]) -> float:
    z = np.einsum("arc,ic->iar", m, x)
    return np.sum(np.log(np.sum(np.exp(-np.sum(z * z, axis=2)), axis=1)))


def lower(a: Float[Array, "k d d"], q: Float[Array, "k d"], x: Float[Array, "n d"]) -> float:
    k, d = q.shape
    return _loss(build((k, d, d), lambda i, r, c: np.exp(q[i, r]) if r == c else (
        a[i, r, c] if c < r else 0.0)), x)


def upper(a: Float[Array, "k d d"], x: Float[Array, "n d"]) -> float:
    k, d = a.shape[0], a.shape[1]
    return _loss(build((k, d, d), lambda i, r, c: a[i, r, c] if r <= c else 0.0), x)


def on_diagonal(a: Float[Array, "k d d"], x: Float[Array, "n d"]) -> float:
    k, d = a.shape[0], a.shape[1]
    return _loss(build((k, d, d), lambda i, r, c: a[i, r, c] if r == c else 0.5), x)


def beside_diagonal(a: Float[Array, "k d d"], x: Float[Array, "n d"]) -> float:
    k, d = a.shape[0], a.shape[1]
    return _loss(build((k, d, d), lambda i, r, c: 0.5 if r != c + 1 else a[i, r, c]), x)


def band(a: Float[Array, "k d e"], x: Int[Array, "n e"]) -> float:
    k, d, e = a.shape
    return _loss(build((k, d, e), lambda i, r, c: (
        a[i, r, c] if c - 1 <= r and r < c + 2 else 0.0)), x)


def wide(a: Float[Array, "k d e"], x: Int[Array, "n e"]) -> float:
    k, d, e = a.shape
    return _loss(build((k, d, e), lambda i, r, c: a[i, r, c] if not c > r + 1 else 0.0), x)


def high(a: Float[Array, "k d e"], x: Int[Array, "n e"]) -> float:
    k, d, e = a.shape
    return _loss(build((k, d, e), lambda i, r, c: 0.0 if r < c - 1 else a[i, r, c]), x)


def outside(a: Float[Array, "k d d"], x: Float[Array, "n d"]) -> float:
    k, d = a.shape[0], a.shape[1]
    return _loss(build((k, d, d), lambda i, r, c: (
        a[i, r, c] if r > c + 1 or c >= r + 2 else 1.0)), x)


def beyond(a: Float[Array, "k d e"], x: Int[Array, "n e"]) -> float:
    k, d, e = a.shape
    return _loss(build((k, d, e), lambda i, r, c: a[i, r, c] if c + 7 < r else 0.5), x)


def either(a: Float[Array, "k d e"], x: Int[Array, "n e"]) -> float:
    """Two triangles are more than one."""
    k, d, e = a.shape
    return _loss(build((k, d, e), lambda i, r, c: (
        a[i, r, c] if c + 1 < r else np.sin(a[i, r, c]) if c < r + 2 else 1.0)), x)


def not_only(a: Float[Array, "k d e"], x: Int[Array, "n e"]) -> float:
    """What is chosen where the condition does not hold is read, too."""
    k, d, e = a.shape
    return _loss(build((k, d, e), lambda i, r, c: (
        a[i, r, c] if c < r else np.sin(a[i, r, c]))), x)


def in_one_loop(a: Float[Array, "d d"], x: Float[Array, "n d"]) -> float:
    d = a.shape[0]
    m = build((d, d), lambda r, c: a[r, c] if c < r else 0.0)
    return np.sum(np.tanh(x @ m.T))


def also_read(a: Float[Array, "d d"], x: Float[Array, "n d"]) -> float:
    d = a.shape[0]
    y = np.sum(np.tanh(x[:, :, None] * x[:, None, :]), axis=0) * a
    m = build((d, d), lambda r, c: y[r, c] if c < r else 0.0)
    return np.sum(m * m) + y[0, d - 1]


def transposed(a: Float[Array, "d d"], x: Float[Array, "n d"]) -> float:
    d = a.shape[0]
    y = np.sum(np.tanh(x[:, :, None] * x[:, None, :] * a), axis=0)
    m = build((d, d), lambda r, c: y[c, r] if c < r else 0.0)
    return np.sum(np.sin(0.1 * m) * m)


def summed(a: Float[Array, "k d d"], x: Float[Array, "n d"]) -> float:
    d = a.shape[1]
    y = np.sum(np.tanh(x[:, None, :, None] * x[:, None, None, :] * a), axis=0)
    m = build((d, d), lambda r, c: np.sum(y[:, r, c]) if c < r else 0.0)
    return np.sum(np.sin(0.1 * m) * m)


def in_rounds(a: Float[Array, "d d"], x: Float[Array, "n d"], s: int) -> float:
    d = a.shape[0]
    for _ in range(s):
        y = x.T @ np.tanh(x @ a)
        a = build((d, d), lambda r, c: 0.01 * y[r, c] if c < r else a[r, c])
    return np.sum(a)
