"""Functions of numpy that are written with others, sorting, and reductions of what a condition
selects."""

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.special import digamma, gammaln, polygamma

from pychoral.ad import Array, Float, Int, argsort_outer, gather

SIZES = {"own_keys": {"n": 4}, "unfold": {"n": 5, "k": 3},
         "windows_of_rows": {"n": 3, "m": 4},
         "nearest": {"n": 4}, "gmm_means": {"n": 9, "g": 2}, "spread": {"n": 12, "d": 3}}
RANGES = {"negbin": {"k": (0, 9), "r": (0.5, 3.0), "p": (0.1, 0.9)},
          "student": {"nu": (1.0, 9.0), "s": (0.5, 2.0)}, "dirichlet": {"a": (0.2, 9.0)},
          "curved": {"x": (0.3, 5.0)},
          "gmm_means": {"labels": (0, 1), "k": (0.5, 1.0)},
          "best_of_rows": {"labels": (0, 2)}, "spread": {"labels": (0, 2)},
          "of_ints": {"k": (0, 3)}, "at_quantile": {"q": (0.0, 1.0)}}
EMPTY = ("cosine", "close_pairs", "lower", "kron", "windows_of_rows")


# products and powers of matrices

def kron(a: Float[Array, "n m"], b: Float[Array, "p q"]) -> float:
    c = np.kron(a, b)
    return np.sum(np.sin(c + np.arange(c.shape[1]))) + np.sum(np.kron(a[0], b) ** 2)


def kron_of_vectors(a: Float[Array, "n"], b: Float[Array, "m"]) -> float:
    return np.sum(np.kron(np.sin(a), b) * np.arange(len(a) * len(b)))


def tensordot(a: Float[Array, "b n m"], c: Float[Array, "b m k"], d: Float[Array, "m n"]) -> float:
    whole = np.tensordot(a, d.T) @ np.tensordot(a, c, axes=([0, 2], [0, 1])).sum(axis=1).sum(
        keepdims=True).repeat(a.shape[0])
    return whole + np.sum(np.tensordot(d, a, axes=(0, -1)) ** 2) + np.sum(
        np.tensordot(a, c, axes=0)[0, 0, 0] ** 2) + np.sum(np.tensordot(d, d.T, 1) ** 3)


def powers(a: Float[Array, "n n"]) -> float:
    p = np.linalg.matrix_power(0.4 * a, 5) + np.linalg.matrix_power(a, 0)
    q = np.linalg.matrix_power(a + 4.0 * np.eye(len(a)), -2)
    return np.trace(np.linalg.matrix_power(a, 3)) + np.sum(p * q)


def chain(a: Float[Array, "n m"], b: Float[Array, "m k"], x: Float[Array, "k"]) -> float:
    return np.sum(np.linalg.multi_dot([a, b, x]) ** 2)


# grids and pairs

def vander(c: Float[Array, "4"], x: Float[Array, "n"]) -> float:
    return np.sum((np.vander(x, 4) @ c) ** 2) + np.sum(np.vander(x, 3, increasing=True)[:, 1:])


def square_vander(x: Float[Array, "n"]) -> float:
    v = np.vander(x)
    return np.sum(v * np.arange(len(x)))


def meshgrid(cx: float, cy: float, g: Float[Array, "n"], h: Float[Array, "m"]) -> float:
    x, y = np.meshgrid(g, h)
    u, v = np.meshgrid(g, h, indexing="ij")
    a, b, c = np.meshgrid(g, h, g)
    return np.sum(np.exp(-(x - cx) ** 2 - (y - cy) ** 2) * (u * v).T) + np.sum(
        np.sin(a + 2.0 * b * c))


def cosine(a: Float[Array, "n d"]) -> float:
    u = a / np.linalg.norm(a, axis=1, keepdims=True)
    s = u @ u.T
    return np.sum(s[np.triu_indices(len(a), k=1)])


def close_pairs(x: Float[Array, "n d"]) -> float:
    i, j = np.triu_indices(len(x), 1)
    distance = np.sqrt(np.sum((x[i] - x[j]) ** 2, axis=1) + 0.1)
    return np.sum(1.0 / distance)


def lower(a: Float[Array, "n n"]) -> float:
    flat = a[np.tril_indices(len(a))]
    upper = a[np.triu_indices_from(a)]
    return np.sum(flat ** 3 * np.arange(len(flat))) + np.sum(np.sin(upper) * np.arange(
        len(upper))) + np.sum(a[np.diag_indices(len(a))] ** 2) + np.sum(
            a[np.triu_indices(len(a), 3)] ** 4) + np.sum(a[np.tril_indices(len(a), -2)])


def built(flat: Float[Array, "6"]) -> float:
    low = np.zeros((3, 3))
    np.add.at(low, np.tril_indices(3), flat)
    low[np.diag_indices(3)] = 1.0
    return np.sum((low @ low.T) ** 2)


# windows and averages

def unfold(x: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    win = np.lib.stride_tricks.sliding_window_view(x, len(w))
    return np.sum(np.tanh(win @ w))


def windows_of_rows(x: Float[Array, "n m"]) -> float:
    return np.sum(sliding_window_view(x, 2, axis=0) @ np.array([1.0, -2.0])) + np.sum(
        sliding_window_view(x, 3, axis=-1).max(axis=-1) ** 2)


def averages(x: Float[Array, "n m"], w: Float[Array, "n"], v: Float[Array, "n m"]) -> float:
    rows = np.average(x, axis=0, weights=w ** 2 + 0.1)
    return np.sum(rows ** 2) + np.average(x, weights=v ** 2 + 0.1) + np.sum(
        np.average(x, axis=1, weights=np.exp(v)) ** 2) + np.average(w, weights=v[:, 0] ** 2)


def gaps(x: Float[Array, "n m"]) -> float:
    return np.sum(np.ediff1d(x) ** 2) + np.nanmean(np.where(x > 1.0, np.nan, x ** 2))


# the gamma function

def negbin(r: float, p: float, k: Int[Array, "n"]) -> float:
    total = 0.0
    for v in k:
        total += math.lgamma(v + r) - math.lgamma(r) - math.lgamma(v + 1.0) + r * math.log(
            p) + v * math.log(1.0 - p)
    return total


def student(x: Float[Array, "n"], nu: float, s: float) -> float:
    n = len(x)
    c = n * (math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2) - 0.5 * math.log(nu * math.pi)
             - math.log(s))
    return c - (nu + 1) / 2 * np.sum(np.log1p((x / s) ** 2 / nu))


def dirichlet(a: Float[Array, "k"], p: Float[Array, "n k"]) -> float:
    logs = np.log(np.abs(p) + 0.1)
    one = gammaln(np.sum(a)) - np.sum(gammaln(a))
    return len(p) * one + np.sum(logs @ (a - 1.0)) + np.sum(gammaln(p + 0.01) ** 2)


def curved(x: Float[Array, "n m"]) -> float:
    return np.sum(digamma(x) ** 2) + np.sum(polygamma(1, x)[0] * polygamma(2, x + 1.0)[-1])


# sorting

def trimmed(x: Float[Array, "n"]) -> float:
    y = np.sort(x)
    return np.mean(y[1:-1])


def sorts(x: Float[Array, "n m"], w: Float[Array, "m"]) -> float:
    rows, columns = np.sort(x), np.sort(x, axis=0)
    return np.sum((rows @ w) ** 2) + np.sum(columns * np.arange(len(x))[:, None]) + np.sum(
        np.sort(x, axis=None)[:2] ** 3)


def deep(x: Float[Array, "n m 3"]) -> float:
    return np.sum(np.sort(np.sin(x), axis=1) * np.arange(x.shape[1])[:, None]) + np.sum(
        np.sort(x)[..., 1] ** 2)


def topk(x: Float[Array, "n"]) -> float:
    idx = np.argsort(x)[::-1][:3]
    return np.sum(x[idx] ** 2) + np.sum(np.partition(x, 1)[:2] ** 3)


def cox(x: Float[Array, "n d"], b: Float[Array, "d"], t: Float[Array, "n"],
        e: Float[Array, "n"]) -> float:
    order = np.argsort(-t)
    eta = (x @ b)[order]
    risk = np.log(np.cumsum(np.exp(eta)))
    return -np.sum(e[order] * (eta - risk))


def nearest(x: Float[Array, "n d"], y: Float[Array, "n"]) -> float:
    d = np.sum((x[:, None] - x[None]) ** 2, axis=2)
    order = np.argsort(d, axis=1)[:, :2]
    return np.sum(np.take_along_axis(d, order, axis=1)) + np.sum(y[order].mean(axis=1) ** 2)


def each_row(x: Float[Array, "n m"]) -> float:
    total = 0.0
    for row in x:
        order = np.argsort(np.sin(row))
        total += np.sum(row[order] * np.arange(len(row))) + np.median(row)
    return total


def bubbles(x: Float[Array, "n"]) -> float:
    y = x.copy()
    for i in range(3 * len(x)):
        y = np.sort(np.sin(y) + 0.1 * y * i) + 0.01 * x
    return np.sum(y ** 2)


def in_place(x: Float[Array, "n m"], w: Float[Array, "m"]) -> float:
    y = x * x[0]
    y.sort(axis=0)
    z = w * 2.0
    for i in range(len(x)):
        z = z * np.sum(y[i]) - w
        z.sort()
    return np.sum(y * np.arange(len(x))[:, None]) + z[0] + np.sum(w[w.argsort()[:1]])


def place_by_own_index(b: Float[Array, "n m"], w: Float[Array, "m"]) -> float:
    n = len(b)
    return np.sum(gather((n,), w, lambda i: (argsort_outer(b[i] * b[n - 1 - i])[0],)) ** 2)


def of_ints(x: Float[Array, "n"], k: Int[Array, "n"]) -> float:
    return np.sum(x[np.argsort(k, kind="stable")] * np.arange(len(x)))


def ties(x: Float[Array, "n"]) -> float:
    y = np.round(x)
    return np.sum(np.argsort(y, kind="stable") * x) + np.sum(np.sort(y) * x)


def median_loss(x: Float[Array, "n"], c: float) -> float:
    return np.median(np.abs(x - c))


def quantiles(x: Float[Array, "n m"]) -> float:
    low, high = np.quantile(x, [0.1, 0.85])
    return (high - low) ** 2 + np.sum(np.quantile(x, 0.3, axis=0) ** 2) + np.sum(
        np.percentile(x, 75, axis=1)) + np.sum(np.median(x, axis=1) ** 3)


def cvar(x: Float[Array, "n d"], w: Float[Array, "d"]) -> float:
    losses = -x @ w
    q = np.quantile(losses, 0.9)
    return np.mean(losses[losses >= q])


def at_quantile(x: Float[Array, "n"], q: float) -> float:
    return np.quantile(x, q) ** 2


def far(x: Float[Array, "n"]) -> float:
    z = (x - np.median(x)) / (1.4826 * np.median(np.abs(x - np.median(x))) + 0.1)
    return np.sum(np.where(np.abs(z) < 2.0, z ** 2, 4.0))


# reductions of what a condition selects

def gmm_means(x: Float[Array, "n d"], labels: Int[Array, "n"], k: Float[Array, "g"]) -> float:
    total = 0.0
    for c in range(len(k)):
        m = labels == c
        mu = x[m].mean(axis=0)
        total += k[c] * np.sum((x[m] - mu) ** 2)
    return total


def maxmask(x: Float[Array, "n"], c: Float[Array, "n"]) -> float:
    return x[c > -9.0].max() + x[c > -8.0].min() + np.max(np.sin(x[x == x]) * x[x == x])


def best_of_rows(x: Float[Array, "n d"], labels: Int[Array, "n"]) -> float:
    m = labels >= 0
    best = np.max(x[m], axis=0) - x[m].min(axis=0)
    return np.sum(best ** 2) + np.sum(np.max(x[m] * 2.0, axis=1)) + x[m].max() ** 2


def spread(x: Float[Array, "n d"], y: Float[Array, "n"], labels: Int[Array, "n"]) -> float:
    m = labels > 0
    z = (x[m] - x[m].mean(axis=0)) / (x[m].std(axis=0) + 0.1)
    lengths = np.sum(x[m] ** 2, axis=1)
    return np.sum(z ** 3) + x[x > 0.1].var() * 2.0 + y[m].std() + np.sum(
        lengths * y[m]) + np.mean(lengths) + np.sum(np.mean(x[m], axis=1) ** 2) + len(
            x[m]) * np.sum(x[m] * x[0]) + np.var(y[m] + 1.0, ddof=1) + np.mean(x[m])


def branched(x: Float[Array, "n"]) -> float:
    top = x[x > 0.5].max() if np.sum(x > 0.5) > 0 else 0.0
    return top ** 2 + np.sum(x)


# what is sorted reads the place that the sort gives

def own_keys(b: Float[Array, "n m"], s: float) -> float:
    n = len(b)
    table = gather((n, 3), np.full((2, 2, n, 3), -0.159), lambda: (0, 2))
    return np.sum(gather((n,), table[2] + b[0, 0], lambda i: (
        argsort_outer(np.array([s, table[n - 1 - i, 0] + s, s]))[1],)))
