"""Loops that carry arrays from round to round: recurrent networks, integrators, iterations."""

import numpy as np

from pychoral.ad import Array, Float

RANGES = {name: {"steps": (0, 6), "s": (0, 4), "k": (0, 5)}
          for name in ("euler", "rk4", "power", "nested")}


def rnn(W: Float[Array, "h h"], U: Float[Array, "d h"], b: Float[Array, "h"],
        xs: Float[Array, "T d"]) -> float:
    h = np.zeros(b.shape[0])
    for t in range(xs.shape[0]):
        h = np.tanh(h @ W + xs[t] @ U + b)
    return np.sum(h ** 2)


def rnn_losses(W: Float[Array, "h h"], U: Float[Array, "d h"], xs: Float[Array, "T d"],
               ys: Float[Array, "T h"]) -> float:
    h = np.zeros(W.shape[0])
    total = 0.0
    hs = []
    for x, y in zip(xs, ys):
        h = np.tanh(h @ W + x @ U)
        total += np.sum((h - y) ** 2)
        hs.append(h)
    return total + np.sum(np.stack(hs)[1:] ** 3) + np.sum(h)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(Wx: Float[Array, "4 e h"], Wh: Float[Array, "4 h h"], b: Float[Array, "4 h"],
         xs: Float[Array, "T e"]) -> float:
    h = np.zeros(b.shape[1])
    c = np.zeros_like(h)
    for t in range(xs.shape[0]):
        z = xs[t] @ Wx + h @ Wh + b
        i, f, o, g = _sigmoid(z[0]), _sigmoid(z[1]), _sigmoid(z[2]), np.tanh(z[3])
        c = f * c + i * g
        h = o * np.tanh(c)
    return np.sum(h ** 2)


def euler(x: Float[Array, "n"], k: float, steps: int) -> float:
    dt = 2.0 / 10
    for _ in range(steps):
        x = x + dt * np.sin(k * x)
    return np.sum(x)


def rk4(x: Float[Array, "n"], a: Float[Array, "n n"], s: int) -> float:
    h = 0.1
    f = lambda y: np.tanh(a @ y)
    for i in range(s):
        k1 = f(x)
        k2 = f(x + h / 2 * k1)
        k3 = f(x + h / 2 * k2)
        k4 = f(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x[-1]


def power(a: Float[Array, "n n"], v: Float[Array, "n"], k: int) -> float:
    for _ in range(k):
        v = a @ v
        v = v / np.sqrt(np.sum(v * v) + 1e-3)
    return v @ a @ v


def nested(x: Float[Array, "n"], w: Float[Array, "m"], k: int) -> float:
    for i in range(k):
        y = x * w[0]
        for j in range(w.shape[0]):
            y = np.sin(y) + w[j] * x[i % 2]
        x = x + 0.1 * y
    return np.sum(x * x)


def cumprod(x: Float[Array, "n"]) -> float:
    p = 1.0
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = p
        p = p * x[i]
    return np.sum(out) + p


def batch(xs: Float[Array, "b T"], w: float) -> float:
    def one(x):
        h = 0.0
        for t in range(x.shape[0]):
            h = np.tanh(w * h + x[t])
        return h
    return sum(one(xs[i]) ** 2 for i in range(xs.shape[0]))


def branch(x: Float[Array, "n"], s: float) -> float:
    acc = s
    for i in range(x.shape[0]):
        if acc > 0:
            acc = acc - x[i] ** 2
        else:
            acc = acc + np.sqrt(np.abs(x[i]) + 1.0)
    return acc


def down(x: Float[Array, "n"]) -> float:
    y = 0
    for i in reversed(range(len(x))):
        y = y * 0.5 + x[i] * x[i]
    z = 0.0
    for i in range(len(x) - 1, -1, -1):
        z = z * x[i] + 1.0
    for i in range(1, len(x)):
        z = np.sin(z) + x[i] - x[i - 1]
    return y * z


def mask(x: Float[Array, "n"]) -> float:
    y = np.zeros(2)
    for i in range(len(x)):
        y = np.where(y + x[i] > 0, np.sqrt(np.maximum(y + x[i], 0.0)), 0.0)
    return np.sum(y)


def product(x: Float[Array, "n"]) -> float:
    p = 1.0
    s = 1.0
    for i in range(x.shape[0]):
        p = p * x[i]
        s += s * x[i]
    return p * s


def unused(x: Float[Array, "n"], w: Float[Array, "m"]) -> float:
    a = 0
    b = x
    for i in range(len(w)):
        a = a + i
        b = np.cos(b) * w[i]
        c = b + 1.0
        b = c * 0.5
    return np.sum(x) + a


def picked(x: Float[Array, "n"], w: Float[Array, "n n"]) -> float:
    y = x
    for _ in range(len(x)):
        y = np.tanh(w[np.argmax(y)]) + 0.1 * y
    return np.sum(y)


def no_rounds(x: Float[Array, "n"]) -> float:
    """Of one element there are no rounds, not one less than none."""
    s, p = x[0] * 2.0, 0.0
    for i in range(x.shape[0] - 2):
        s = np.tanh(s * x[i]) + x[i + 1]
        p += x[i] * x[i + 2]
    for i in reversed(range(2, x.shape[0])):
        s = s * x[i]
    return s + p + sum(1.5 for _ in range(x.shape[0] - 2)) * x[0]


def none_between(x: Float[Array, "n"], y: Float[Array, "k"]) -> float:
    s, z = x[0], y * 1.0
    for i in range(x.shape[0], y.shape[0]):
        s = np.sin(s * y[i])
        z[i] = z[i - 1] * y[i]
    a = np.array([x[i] * x[i + 3] for i in range(x.shape[0] - 3)])
    return s + np.sum(z) * np.sum(a ** 2) + np.sum(np.arange(x.shape[0] - 3) * a) * s


def rounds_of_parameters(x: Float[Array, "n"], m: int) -> float:
    s = x
    for i in range(m):
        s = np.tanh(s * x[0]) * (i + 1)
        for _ in range(m - 2):
            s = s * x
    return np.sum(s * s)


def one_more(x: Float[Array, "n"]) -> float:
    """What fits a size only if the length of the range is not cut off at 0."""
    d = np.array([x[i + 1] - x[i] for i in range(x.shape[0] - 1)])
    return np.sum(np.concatenate([d * d, x[:1]]) * x)
