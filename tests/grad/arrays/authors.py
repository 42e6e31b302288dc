"""Programs as notebooks have them: ranges and slices that depend on the round, blocks of half a
size, methods of ufuncs, tests as arrays, and functions of numbers that use numpy."""

import math

import numpy as np

from pychoral.ad import Array, Float, Int

SIZES = {"pool": {"h": 4, "w": 6}, "heads": {"n": 3, "d": 4}, "halves": {"n": 6},
         "thirds": {"n": 6}, "spread": {"n": 4}}
RANGES = {"segments": {"seg": (0, 2)}, "black_scholes": {name: (0.5, 2.0) for name in "sktr"},
          "tests": {"k": (0, 3)}, "prefixes": {"k": (0, 2)}, "rounds_of_data": {"k": (-1, 5)},
          "ordinal": {"y": (0, 3)}}
EMPTY = ("pairs", "cholesky", "backward", "gauss", "later", "segments", "nearest_later", "growing",
         "rounded", "walled", "tables")


# loops of which a round says how long they are

def pairs(x: Float[Array, "n d"], mass: Float[Array, "n"]) -> float:
    n = len(mass)
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            energy -= mass[i] * mass[j] / np.sqrt(np.sum((x[i] - x[j]) ** 2) + 0.1)
    return energy


def cholesky(a: Float[Array, "n n"], b: Float[Array, "n"]) -> float:
    n = len(b)
    s = a @ a.T + n * np.eye(n)
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            t = s[i, j] - np.dot(low[i, :j], low[j, :j])
            if i == j:
                low[i][i] = np.sqrt(t)
            else:
                low[i][j] = t / low[j, j]
    y = np.zeros(n)
    for i in range(n):
        y[i] = (b[i] - low[i, :i] @ y[:i]) / low[i, i]
    return 0.5 * y @ y + np.sum(np.log(np.diag(low)))


def backward(u: Float[Array, "n n"], b: Float[Array, "n"]) -> float:
    n = len(b)
    x, y = np.zeros(n), b.copy()
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - sum(u[i, j] * x[j] for j in range(i + 1, n))) / (4.0 + u[i, i])
    for i in range(n):
        y[i] = y[i] / (4.0 + u[i, i])
        y[i + 1:] -= u[i + 1:, i] * y[i]
    return np.sum(x ** 2) + y @ y


def gauss(a: Float[Array, "n n"], b: Float[Array, "n"]) -> float:
    n = len(b)
    rows, y = a + 6.0 * np.eye(n), b * 1.0
    for k in range(n):
        for i in range(k + 1, n):
            f = rows[i, k] / rows[k, k]
            for j in range(k, n):
                rows[i, j] -= f * rows[k, j]
            y[i] -= f * y[k]
    return np.sum(np.diag(rows) * y)


def intervals(x: Float[Array, "n"]) -> float:
    n = len(x)
    best = np.zeros((n, n))
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            cost = best[i + 1, j] + x[i]
            for k in range(i, j):
                cost = np.logaddexp(cost, best[i, k] + best[k + 1, j] + x[k])
            best[i, j] = cost
    return best[0, n - 1]


def later(x: Float[Array, "n"]) -> float:
    count, total = 0, 0.0
    for i in range(len(x)):
        for j in range(i):
            if x[j] < x[i]:
                continue
            count += 1
            total += np.sqrt(0.5 + x[j] - x[i])
    return total / count if count > 0 else total


def nearest_later(x: Float[Array, "n"]) -> float:
    n = len(x)
    return sum(x[i] * x[j] ** 2 for i in range(n) for j in range(i, n, 2) if x[j] > 0.0) + sum(
        sum(np.sin(x[i] - x[j]) ** 2 for j in range(i)) for i in range(n))


def growing(x: Float[Array, "n"]) -> float:
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        for j in range(max(0, i - 1), min(n, i + 2)):
            out[i] = out[i] * 0.9 + x[j] * x[i]
        out[:i] += x[i]
        out[i:] *= 0.9
        out[i] += np.sum(x[:i + 1]) + len(x[i:])
    return np.sum(out ** 2)


def sorted_by_hand(x: Float[Array, "n"]) -> float:
    y, n = x.copy(), len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if y[j] > y[j + 1]:
                y[j], y[j + 1] = y[j + 1], y[j]
    return np.sum(y * np.arange(n)) + y[n // 2]


def prefixes(x: Float[Array, "3"], k: Int[Array, "m"]) -> float:
    total = 0.0
    for i in range(len(k)):
        total += np.sum(x[k[i]:]) * (i + 1) + x[:k[i]] @ x[:k[i]]
    return total


def rounds_of_data(x: Float[Array, "3"], k: Int[Array, "m"]) -> float:
    s = 0.0
    for i in range(len(k)):
        for j in range(min(3, k[i])):
            s = s + x[j] * s + 1.0
    return s


# shapes

def pool(x: Float[Array, "h w"]) -> float:
    h, w = x.shape
    return np.sum(x.reshape(h // 2, 2, w // 2, 2).max(axis=(1, 3)) ** 2)


def heads(x: Float[Array, "n d"], w: Float[Array, "d d"]) -> float:
    n, d = x.shape
    q = (x @ w).reshape(n, 2, d // 2).transpose(1, 0, 2)
    mask = np.triu(np.ones((n, n)), k=1).astype(bool)
    scores = np.where(mask, -1e9, q @ q.transpose(0, 2, 1) / np.sqrt(d // 2))
    p = np.exp(scores - scores.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    return np.square((p @ q).transpose(1, 0, 2).reshape(n, d)).mean()


def halves(x: Float[Array, "n"]) -> float:
    y = np.sin(x).reshape(len(x) // 2, 2)
    return np.sum((y[:, ::-1] * 2.0).reshape(len(x)) * x) + np.sum(x.reshape(-1, 2) ** 3)


def thirds(x: Float[Array, "n"]) -> float:
    y = x[:3 * (len(x) // 3)] * 2.0
    return np.sum(y.reshape(len(x)) * x) + np.sum(np.prod(x.reshape(-1, 3), axis=1))


def tests(x: Float[Array, "n n"], k: Int[Array, "n"]) -> float:
    n = len(x)
    upper, first = np.triu(np.ones((n, n), dtype=bool)), np.zeros(n, bool)
    counts = np.zeros_like(k)
    first[0] = True
    counts[0] = 3
    return np.sum(x[upper] ** 3) + np.sum(np.where(first, x[0], 0.5)) + np.sum(counts * x[0])


def segments(x: Float[Array, "n"], seg: Int[Array, "n"]) -> float:
    total = 0.0
    for s in range(3):
        own = x[seg == s]
        if len(own) > 0:
            total += (own.sum() / len(own)) ** 2
    return total + np.sum(x[np.isfinite(np.log(np.maximum(x, 0.0)))])


# functions

def tables(x: Float[Array, "n m"], y: Float[Array, "m"]) -> float:
    return (np.sum(np.sin(np.subtract.outer(y, y)) * np.multiply.outer(y, y + 1.0))
            + np.sum(np.sin(np.add.outer(x, y)) * np.arange(len(y)))
            + np.sum(np.minimum.accumulate(x, axis=1) ** 2) + np.sum(np.maximum.accumulate(y) * y))


def reduced(x: Float[Array, "n m"], y: Float[Array, "m"]) -> float:
    return np.sum(np.maximum.reduce([x[0], y, y * 2.0 - 1.0])) + np.sum(
        np.logaddexp.reduce(x, axis=1))


def moved(x: Float[Array, "n m"], by: int) -> float:
    return (np.sum(np.roll(x, 1, axis=0) * x) + np.sum(np.roll(x, by, axis=-1) * x ** 2)
            + np.sum(np.roll(x, -1) * x) + np.trapz(x[0] ** 2)
            + np.sum(np.trapz(x, dx=0.5, axis=0)))


def walled(x: Float[Array, "n m"], y: Float[Array, "m"]) -> float:
    a, b = np.pad(x, 1), np.pad(x, ((0, 1), (2, 0)), constant_values=3.0)
    return np.sum(a * np.arange(a.shape[1])) + np.sum(b * b) + np.sum(
        np.pad(y, 1, constant_values=(1.0, 2.0)) ** 2) + np.sum(np.sinc(y) * y)


def ordinal(w: Float[Array, "d"], cuts: Float[Array, "3"], x: Float[Array, "n d"],
            y: Int[Array, "n"]) -> float:
    theta = np.cumsum(np.concatenate([cuts[:1], np.exp(cuts[1:])]))
    cdf = np.pad(1 / (1 + np.exp(-(theta[None, :] - (x @ w)[:, None]))), ((0, 0), (1, 1)),
                 constant_values=(0.0, 1.0))
    p = np.diff(cdf, axis=1)
    return -np.sum(np.log(p[np.arange(len(y)), y] + 1e-9))


def spread(x: Float[Array, "n d"], w: Float[Array, "d"]) -> float:
    risk = np.sqrt(w @ (np.cov(x, rowvar=False) + np.eye(len(w))) @ w)
    wealth = np.cumprod(1 + 0.1 * x @ w)
    return risk - (np.maximum.accumulate(wealth) - wealth).max() + np.sum(np.eye(3, 2)) * np.ptp(w)


def rounded(x: Float[Array, "n"]) -> float:
    return np.sum(np.round(x * 3.0) * x) + np.sum(x.round(1) * x) + sum(round(v) * v for v in x)


def curve(x: Float[Array, "m k"], g: Float[Array, "n"], f: Float[Array, "n"], s: float) -> float:
    at = np.cumsum(np.exp(g)) - 2.0
    return np.sum(np.interp(x, at, f)) + np.interp(s, at, f) + np.polyval([1.0, 2.0, 3.0], s)


def chosen(x: Float[Array, "n"]) -> float:
    with np.errstate(invalid="ignore", divide="ignore"):
        y = np.log(x)
    return np.nansum(y) + np.nansum(np.where(x > 0.0, y, np.nan)) + np.sum(np.select(
        [x > 1.0, x > 0.0, x < -1.0], [x, np.sqrt(np.abs(x)), x ** 2]))


# matrices

def process(x: Float[Array, "n"], y: Float[Array, "n"], size: float) -> float:
    k = np.exp(-0.5 * np.subtract.outer(x, x) ** 2 / np.exp(size) ** 2) + 0.5 * np.eye(len(x))
    sign, log = np.linalg.slogdet(k)
    low = np.linalg.cholesky(k)
    half = np.linalg.solve(low, y)
    return 0.5 * y @ np.linalg.solve(k, y) + 0.5 * log * sign + half @ half + np.sum(low * k)


def inverses(a: Float[Array, "n n"], b: Float[Array, "n m"]) -> float:
    s = a + 5.0 * np.eye(len(a))
    return np.sum(np.linalg.inv(s) * a) + np.log(np.linalg.det(s @ s.T)) + np.sum(
        np.linalg.solve(s, b) ** 2) + np.linalg.det(a)


def kalman(q: float, r: float, z: Float[Array, "n 1"]) -> float:
    step, seen = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    x, p, loss = np.zeros(2), np.eye(2), 0.0
    for zi in z:
        x, p = step @ x, step @ p @ step.T + np.exp(q) * np.eye(2)
        gap, s = zi - seen @ x, seen @ p @ seen.T + np.exp(np.array([[r]]))
        gain = p @ seen.T @ np.linalg.inv(s)
        x, p = x + gain @ gap, (np.eye(2) - gain @ seen) @ p
        loss += 0.5 * (np.log(np.linalg.det(s)) + gap @ np.linalg.solve(s, gap))
    return loss


# numbers alone

def black_scholes(s: float, k: float, r: float, t: float) -> float:
    d = (np.log(s / k) + (r + 0.02) * t) / (0.2 * np.sqrt(t))
    return (s * 0.5 * (1 + math.erf(d / math.sqrt(2)))
            - k * np.exp(-r * t) * 0.5 * math.erfc(-(d - 0.2 * np.sqrt(t)) / math.sqrt(2)))


def pendulum(theta: float, omega: float, length: float) -> float:
    def slope(y):
        return np.array([y[1], -9.81 / (5.0 + length) * np.sin(y[0])])
    y, h = np.array([theta, omega]), 0.1
    for _ in range(3):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * slope(y + h / 2 * k2) + slope(y + h * k2))
    return y[0] ** 2 + y[1] ** 2
