import math
import numpy as np
from pychoral.ad import Array, Float, build, gather, scatter


def dot(a: Float[Array, "n"], b: Float[Array, "n"]) -> float:
    return sum(a[i] * b[i] for i in range(a.shape[0]))


def t_sc(a: Float[Array, "n"]) -> float:
    n = a.shape[0]
    return sum(a[i] * a[n - 1 - i] for i in range(n))


def conv(a: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    n, k = a.shape[0], w.shape[0]
    y = build(n - k + 1, lambda j: sum(a[i + j] * w[i] for i in range(k)))
    return np.sum(np.tanh(y) * y)


def masked(x: Float[Array, "n"]) -> float:
    return np.sum(np.where(x > 0.0, np.sqrt(x) + np.log(x) + 1.0 / x, 0.0))


def mlp(w1: Float[Array, "h d"], b1: Float[Array, "h"], w2: Float[Array, "o h"],
        b2: Float[Array, "o"], x: Float[Array, "n d"], y: Float[Array, "n o"]) -> float:
    hidden = np.tanh(x @ w1.T + b1)
    out = hidden @ w2.T + b2
    m = np.max(out, axis=1)
    lse = m + np.log(np.sum(np.exp(out - m[:, None]), axis=1))
    return np.mean(lse - np.sum(out * y, axis=1))


SIZES = {"conv": {"n": 6}}
