"""Programs as people write them: mixtures, networks, attention, clustering, recurrence."""

import math

import numpy as np

from pychoral.ad import Array, Float, build, gather, scatter


SIZES = {"conv2d": {"h": 6, "w": 5, "p": 2, "q": 3}, "window": {"n": 7, "k": 3},
         "many_points": {"n": 77}, "calls": {"n": 77}, "calls_in_branches": {"n": 77}}


def gmm(alphas: Float[Array, "k"], means: Float[Array, "k d"], logs: Float[Array, "k d"],
        x: Float[Array, "n d"]) -> float:
    n, d = x.shape
    k = alphas.shape[0]
    q = np.exp(logs)
    diff = x[:, None, :] - means
    inner = -0.5 * np.sum((diff * q) ** 2, axis=2) + alphas + np.sum(logs, axis=1)
    m = np.max(inner, axis=1)
    lse = m + np.log(np.sum(np.exp(inner - m[:, None]), axis=1))
    top = np.max(alphas)
    total = top + np.log(np.sum(np.exp(alphas - top)))
    return np.sum(lse) - n * total - n * d * 0.5 * math.log(2.0 * math.pi)


def many_points(scale: Float[Array, "k d"], means: Float[Array, "k d"],
                x: Float[Array, "n d"]) -> float:
    """More than one strip, the last of them with lanes left over: sums that share operations."""
    z = scale * (x[:, None, :] - means)
    return np.sum(np.log(np.sum(np.exp(-np.sum(z * z, axis=2)), axis=1)))


def calls(x: Float[Array, "n"], y: Float[Array, "n"], w: Float[Array, "n 2"]) -> float:
    """In strips: a call of what another answers, and one whose result is put to two places."""
    z = np.stack([np.exp(np.sin(x * y) + x - y), np.exp(np.sin(x * y) + x - y)], axis=1)
    turned = np.sin(np.exp(np.tanh(x) * y - x) * y + np.cos(x + y)) * np.tanh(x * y * x - y)
    return np.sum(np.tanh(z * w + z)) + np.sum(z[::-1] * w) + np.sum(turned)


def calls_in_branches(x: Float[Array, "n"], y: Float[Array, "n"]) -> float:
    z = np.where(x > y, np.exp(x * y - x), np.log(1.5 + x * x + y * y))
    return np.sum(z * x + np.where(z > 1.0, np.exp(x * y - x) * z, z))


def attention(q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m e"]) -> float:
    scores = q @ k.T / math.sqrt(3.0)
    return np.sum(np.sin(_softmax(scores) @ v))


def _softmax(x):
    e = np.exp(x - np.max(x, axis=1)[:, None])
    return e / np.sum(e, axis=1)[:, None]


def nearest(x: Float[Array, "n d"], c: Float[Array, "k d"]) -> float:
    n, k = x.shape[0], c.shape[0]
    far = [[np.sum((x[i] - c[j]) ** 2) for j in range(k)] for i in range(n)]
    return np.sum(np.min(far, axis=1))


def nearest_index(x: Float[Array, "n d"], c: Float[Array, "k d"]) -> float:
    far = np.sum((x[:, None, :] - c[None, :, :]) ** 2, axis=2)
    best = np.argmin(far, axis=1)
    return np.sum((x - c[best]) ** 2)


def _sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def _cell(w, b, h, c, x):
    z = np.concatenate([x, h])
    i = _sigmoid(w[0] @ z + b[0])
    f = _sigmoid(w[1] @ z + b[1])
    o = _sigmoid(w[2] @ z + b[2])
    g = np.tanh(w[3] @ z + b[3])
    c = f * c + i * g
    return o * np.tanh(c), c


def lstm(w: Float[Array, "4 h e+h"], b: Float[Array, "4 h"], xs: Float[Array, "3 e"]) -> float:
    h = np.zeros(b.shape[1])
    c = np.zeros(b.shape[1])
    total = 0.0
    for step in range(3):
        h, c = _cell(w, b, h, c, xs[step])
        total += np.sum(h * h)
    return total


def window(a: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    n, k = a.shape[0], w.shape[0]
    y = build(n - k + 1, lambda j: np.max([a[i + j] * w[i] for i in range(k)]))
    return np.sum(np.exp(-y * y))


def histogram(x: Float[Array, "n"], w: Float[Array, "m"]) -> float:
    bins = scatter((w.shape[0],), x * x, lambda i: (i * i) // 2)
    picked = gather((7,), w, lambda i: i - 2)
    return np.sum(bins * w) + np.sum(picked * np.sin(picked))


def conv2d(image: Float[Array, "h w"], kernel: Float[Array, "p q"]) -> float:
    h, w = image.shape
    p, q = kernel.shape
    out = build((h - p + 1, w - q + 1), lambda i, j: sum(
        image[i + a, j + b] * kernel[a, b] for a in range(p) for b in range(q)))
    return np.sum(np.where(out > 0.0, out, 0.1 * out) ** 2)


def llsq(x: Float[Array, "m"], y: Float[Array, "n"], t: Float[Array, "n"]) -> float:
    n, m = y.shape[0], x.shape[0]
    total = 0.0
    for i in range(n):
        inner = sum(x[j] * t[i] ** j for j in range(m))
        total += (y[i] - inner) ** 2
    return 0.5 * total


def lse(x: Float[Array, "n"]) -> float:
    m = np.max(x)
    return m + math.log(np.sum(np.exp(x - m)))


def layers(ws: Float[Array, "3 d d"], x: Float[Array, "d"]) -> float:
    params = [ws[i] for i in range(3)]
    for w in params:
        x = np.maximum(w @ x, 0.0) + x
    return np.sum(x)


def scalar(x: float, a: Float[Array, "n"]) -> float:
    y = x * np.sum(a)
    if y > 1.0:
        z = math.log(y)
    else:
        z = y * y
    return z * x
