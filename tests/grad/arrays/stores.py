"""Stores that other names of the array see, helpers that store into their parameters, places given
by arrays, `continue`. EMPTY: those that take a size of 0, where numpy does."""

import numpy as np

from pychoral.ad import Array, Float, Int

RANGES = {"places": {"idx": (0, 1)}, "pairs": {"at": (0, 1)}, "added": {"idx": (0, 1)},
          "skipped": {"idx": (-2, 4)}, "one_of": {"j": (0, 1)}}
EMPTY = ("helper_loop", "cells", "outs", "divided", "alias_sum", "lists", "places", "added",
         "skipped", "zero_rows", "one_of", "of_an_arm", "last_of_rounds", "both")


def unpack(x: Float[Array, "n"]) -> float:
    state = (x * 2.0, x * 3.0)
    h, c = state
    h[0] = 1.0
    c += h
    return np.sum(h * c) + np.sum(state[0] ** 2) + np.sum(state[1])


def alias(x: Float[Array, "n"]) -> float:
    y = x * 2.0
    z = y
    z[0] = 5.0
    y *= 3.0
    return np.sum(y * x) + np.sum(z)


def _fill(y, x):
    y[0] = x[0]


def _scale(y, by):
    y *= by
    y[-1] += 1.0


def helper(x: Float[Array, "n"]) -> float:
    y = np.zeros(len(x))
    _fill(y, x)
    _scale(y, x[0])
    return np.sum(y * y)


def _row(out, i, x):
    for j in range(len(x)):
        out[i, j] = x[i] * x[j] + i


def helper_loop(x: Float[Array, "n"]) -> float:
    out = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        _row(out, i, x)
    return np.sum(np.tanh(out))


def helper_arm(x: Float[Array, "n"]) -> float:
    y = x.copy()
    if x[0] > 0.0:
        _fill(y, x * 3.0)
    else:
        _scale(y, 2.0)
    y[0] += 1.0
    return np.sum(y ** 2)


def _step(state, x):
    h, c = state
    c *= np.tanh(x)
    c += 1.0
    h[:] = np.tanh(c * x)
    return h, c


def cells(x: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    state = np.zeros(len(w)), w * 1.0
    s = 0.0
    for i in range(len(x)):
        state = _step(state, x[i] * w)
        s += state[0].sum()
    h, c = state
    h[0] += 2.0
    return s + np.sum(h * c) + state[0][0]


def outs(x: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    h = np.zeros(len(w))
    m = np.zeros((len(x), len(w)))
    for i in range(len(x)):
        np.add(h, w, out=h)
        np.tanh(h * x[i], out=h)
        m[i] = h
    return np.sum(m ** 2)


def divided(x: Float[Array, "n"]) -> float:
    inv = np.divide(1.0, x, out=np.zeros_like(x), where=x > 0.5)
    np.multiply(inv, x, out=inv)
    root = np.sqrt(x, out=np.ones_like(x), where=x > 0.0)
    return np.sum(inv * x) + np.sum(root)


def two(x: Float[Array, "n"]) -> float:
    a = x * 1.0
    b = a
    for i in range(3):
        b[0] += x[0] * i
        _fill(b, a * 2.0)
    return np.sum(a * b)


def _steps(y, x, w):
    for i in range(1, len(x)):
        y[i] = np.tanh(y[i - 1] + x[i] * w)


def _some(y, x):
    if x[0] > 0.0:
        y[0] = x[0] ** 2
    for i in range(len(x)):
        y[i] = y[i] * x[i]
    return y


def helper_steps(x: Float[Array, "n"], w: float) -> float:
    y = np.zeros(len(x))
    _steps(y, x, w)
    _some(y, x)
    z = y.copy()
    for i in range(2):
        _steps(z, y * 1.0, w)
    return np.sum(y) + np.sum(z)


def _double(y):
    y = y * 2.0
    y[0] = 1.0
    return y


def kept(x: Float[Array, "n"]) -> float:
    y = x + 1.0
    z = _double(y).copy()
    y[0] = 3.0
    for i in range(len(x)):
        z[i] += x[i] * np.sum(_double(z))
    return np.sum(y * z)


def places(x: Float[Array, "n"], idx: Int[Array, "m"], a: Float[Array, "n k"]) -> float:
    y = x * x
    y[idx] = 0.5
    b = np.exp(a)
    b[idx] = x[0]
    return np.sum(y * x) + np.sum(b * a)


def pairs(a: Float[Array, "n k"], at: Int[Array, "n"]) -> float:
    hot = np.zeros_like(a)
    hot[np.arange(len(at)), at] = 1.0
    b = a.copy()
    b[0, at] = 2.0
    b[at[:, None], np.arange(a.shape[1])] = 3.0
    return np.sum(hot * np.sin(a)) + np.sum(b * a)


def added(a: Float[Array, "n k"], idx: Int[Array, "m"], v: Float[Array, "m"]) -> float:
    b = a * 2.0
    np.add.at(b, (idx, idx), v)
    np.add.at(b, idx, v[:, None])
    return np.sum(b ** 2)


def skipped(x: Float[Array, "n"], idx: Int[Array, "m"]) -> float:
    s, t = 0.0, 0.0
    hist = np.zeros(len(x))
    for j in range(len(idx)):
        p = idx[j]
        if p < 0:
            s += 1.0
            continue
        elif p >= len(x):
            continue
        if x[p] > 0.0:
            if x[p] > 1.0:
                s += x[p]
                continue
            t = np.tanh(t + x[p])
        hist[p] += x[p] ** 2
        s += t * hist[p]
    for i in range(3):
        if i == 1:
            continue
        s += x[0] * i
    return s + np.sum(hist)


def zero_rows(m: Float[Array, "n k"], x: Float[Array, "t k"]) -> float:
    s = 0.0
    for i in range(x.shape[0]):
        s += np.tanh(np.sum(m[0] * x[i]) + s)
    return s


def one_of(m: Float[Array, "n"], x: Float[Array, "t"], j: int) -> float:
    s = 0.0
    for i in range(x.shape[0]):
        s = np.tanh(m[j] * x[i] + s)
    return s


def alias_sum(x: Float[Array, "n"]) -> float:
    y = x * 2.0
    z = y
    for i in range(3):
        y += x * i
    return np.sum(z * y)


def lists(x: Float[Array, "n"]) -> float:
    y, h, s = x * 2.0, x * 1.0, []
    zs = [y]
    y += 1.0
    for k in range(3):
        h += k
        s.append(h)
    return np.sum(zs[0] * s[0]) + np.sum(s[1])


def parameter(x: Float[Array, "n"]) -> float:
    x = x * 1.0
    y = x
    y[0] = 1.0
    return x[0] * np.sum(x)


def of_an_arm(x: Float[Array, "n"]) -> float:
    y = x + 0.5
    if np.sum(x) > 0.2:
        _arm(y, x)
    else:
        _arm(y, x)
        if np.sum(x) > -0.5:
            pass
    return np.sum(y * x)


def last_of_rounds(h: Float[Array, "n"]) -> float:
    for _ in range(2):
        m = h * 2.0
        h = np.tanh(m)
    return h.sum() + (m ** 2).sum()


def _arm(y, x):
    if np.sum(x) > 0.0:
        y += x ** 2
    else:
        y *= 0.5


def both(x: Float[Array, "n"]) -> float:
    y = x + 0.5
    for i in range(len(x)):
        y += x
        y[i] = x[0]
    return np.sum(y * x)


def loops_in_arms(x: Float[Array, "n"]) -> float:
    y = x * 0.5
    if np.sum(x) > 0.0:
        for i in range(1, len(x)):
            y[i] = np.tanh(y[i - 1] + x[i])
    else:
        for i in range(1, len(x)):
            y[i] = np.sin(y[i - 1] * x[i])
        _fill(y, x)
    y[-1] += 1.0
    return np.sum(y * x)
