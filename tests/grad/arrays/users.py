"""The eight kinds of programs that people bring first, each written in two or three ways."""

import math

import numpy as np

from pychoral.ad import Array, Float, Int, build, gather, scatter

SIZES = {"gmm_lower": {"d": 3, "e": 3, "k": 2, "n": 4}, "moving": {"n": 7, "k": 3},
         "strided": {"n": 8}, "bags": {"v": 5}, "lstm_steps": {"T": 3, "m": 2, "e": 3},
         "gru": {"T": 3, "h": 2, "e": 2}, "stacked": {"T": 3, "h": 2}, "pooled": {"h": 4, "w": 6}}
RANGES = {"bags": {"words": (-1, 5)}, "picked": {"at": (0, 1)}, "classes": {"label": (0, 1)},
          "added": {"at": (0, 1)}, "counted": {"at": (-2, 4)}}


def gmm_lower(alpha: Float[Array, "k"], mu: Float[Array, "k d"], icf: Float[Array, "k d+e"],
              x: Float[Array, "n d"], gamma: float, m: int) -> float:
    n, d = x.shape
    k = alpha.shape[0]
    logs = icf[:, :d]
    total = 0.0
    for i in range(n):
        terms = []
        for a in range(k):
            u = x[i] - mu[a]
            y = [math.exp(logs[a, r]) * u[r] + sum(
                icf[a, d + r * (r - 1) // 2 + c] * u[c] if c < r else 0.0 for c in range(d))
                for r in range(d)]
            terms.append(alpha[a] + np.sum(logs[a]) - 0.5 * np.sum(np.array(y) ** 2))
        top = max(terms)
        total += top + math.log(sum(math.exp(t - top) for t in terms))
    wish = 0.5 * gamma ** 2 * (np.sum(np.exp(logs) ** 2) + np.sum(icf[:, d:] ** 2))
    return total - n * np.log(np.sum(np.exp(alpha))) + wish - m * np.sum(logs)


def gmm_spheres(weights: Float[Array, "k"], centres: Float[Array, "k d"], spread: Float[Array, "k"],
                points: Float[Array, "n d"]) -> float:
    p = np.exp(weights) / np.sum(np.exp(weights))
    s2 = np.log1p(np.exp(spread))
    far = np.array([[np.sum((x - c) ** 2) for c in centres] for x in points])
    dens = p / (2 * np.pi * s2) ** (points.shape[1] / 2) * np.exp(-0.5 * far / s2)
    return -np.mean(np.log(dens.sum(axis=1)))


def moving(x: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    n, k = len(x), len(w)
    means = np.zeros(n - k + 1)
    for i in range(n - k + 1):
        s = 0.0
        for j in range(k):
            s += w[j] * x[i + j]
        means[i] = s / np.sqrt(np.sum(w ** 2))
    return np.sum((means[1:] - means[:-1]) ** 2) + np.max(means) - np.min(means)


def strided(x: Float[Array, "n"]) -> float:
    n = x.shape[0]
    local = build(n - 2, lambda i: x[i] * x[i + 1] - x[i + 2] ** 2)
    back = build(n, lambda i: x[n - 1 - i] if i < 3 else x[i] * x[i - 3])
    return np.sum(np.sin(local)) + np.dot(back, np.cumsum(x))


def pooled(image: Float[Array, "h w"], k: Float[Array, "2 2"]) -> float:
    h, w = image.shape
    y = build((h - 1, w - 1), lambda i, j: np.sum(image[i:i + 2, j:j + 2] * k))
    y = np.maximum(y, 0.0)
    return np.sum(np.max(y, axis=0)) + np.mean(y ** 2)


def roots(s: Float[Array, "n"]) -> float:
    z = np.arange(s.shape[0]) * np.exp(s)
    a = np.where(z > 0.0, np.sqrt(z), 0.0)
    b = np.where(z > 0.0, np.log(z), z)
    c = np.where(z == 0.0, 0.0, 1.0 / z)
    return np.sum(a * b) + np.sum(c)


def roots_each(x: Float[Array, "n"]) -> float:
    total = 0.0
    for i in range(len(x)):
        v = x[i] - x[0]
        total += math.sqrt(v) * math.log(v) / v if v > 0 else v * v
    return total


def entropy(x: Float[Array, "n"]) -> float:
    p = np.maximum(x - x[0], 0.0)
    return -np.sum(np.where(p > 0, p * np.log(p), 0)) + np.sum(np.where(p > 0, p ** 0.5, 0.0))


def norm_at_zero(x: Float[Array, "n d"]) -> float:
    u = x - x[0]
    r2 = np.sum(u * u, axis=1)
    r = np.where(r2 > 0.0, np.sqrt(np.where(r2 > 0.0, r2, 1.0)), 0.0)
    return np.sum(r) + np.sum(np.where(r > 0.0, np.arctan2(u[:, 0], r), 0.0))


def mlp(w0: Float[Array, "d h"], b0: Float[Array, "h"], w1: Float[Array, "h h"],
        b1: Float[Array, "h"], w2: Float[Array, "h o"], x: Float[Array, "n d"],
        t: Float[Array, "n o"]) -> float:
    a = np.tanh(np.dot(x, w0) + b0)
    a = a + np.maximum(a @ w1 + b1, 0.1 * (a @ w1 + b1))
    z = a @ w2
    p = np.exp(z - np.max(z, axis=-1, keepdims=True))
    p = p / np.sum(p, axis=-1, keepdims=True)
    return -np.sum(t * np.log(p)) / len(x) + 0.01 * np.sum(w0 * w0)


def classes(w: Float[Array, "c d"], x: Float[Array, "n d"], label: Int[Array, "n"]) -> float:
    n = x.shape[0]
    score = [[np.dot(w[k], x[i]) for k in range(w.shape[0])] for i in range(n)]
    z = np.array(score)
    right = build(n, lambda i: z[i, label[i]])
    hinge = np.maximum(0.0, 1.0 + z - right[:, None])
    return np.sum(np.log(np.sum(np.exp(z), axis=1)) - right) + 0.5 * np.sum(hinge)


def bags(table: Float[Array, "v d"], words: Int[Array, "n"], w: Float[Array, "d"]) -> float:
    rows = gather((words.shape[0], table.shape[1]), table, lambda i: words[i])
    return np.tanh(np.sum(rows, axis=0) @ w) + np.sum(np.exp(rows))


def picked(x: Float[Array, "n"], at: Int[Array, "m"]) -> float:
    y = x[at] * x[at[::-1]]
    return np.sum(y) + np.prod(np.take(x, at))


def added(x: Float[Array, "n"], at: Int[Array, "m"], v: Float[Array, "m"]) -> float:
    y = x * x
    np.add.at(y, at, np.sin(v))
    return np.sum(y ** 2)


def counted(v: Float[Array, "m"], at: Int[Array, "m"], w: Float[Array, "3"]) -> float:
    bins = scatter((3,), np.exp(v), lambda i: at[i])
    return np.sum(w * np.log(1.0 + bins)) + np.sum(gather((6,), w, lambda j: j - 2) ** 2)


def attention(x: Float[Array, "n d"], wq: Float[Array, "d e"], wk: Float[Array, "d e"],
              wv: Float[Array, "d e"]) -> float:
    q, k, v = x @ wq, x @ wk, x @ wv
    out = []
    for i in range(x.shape[0]):
        s = k @ q[i] / math.sqrt(q.shape[1])
        a = np.exp(s - np.max(s))
        out.append(a @ v / np.sum(a))
    return np.sum(np.array(out) ** 2)


def causal(q: Float[Array, "n d"], k: Float[Array, "n d"], v: Float[Array, "n d"]) -> float:
    n = q.shape[0]
    s = build((n, n), lambda i, j: np.sum(q[i] * k[j]) if j <= i else -np.inf)
    a = np.exp(s - np.max(s, axis=1)[:, None])
    p = a / np.sum(a, axis=1)[:, None]
    return np.sum(np.tanh(p @ v))


def centre(x: Float[Array, "n d"], c: Float[Array, "k d"]) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += min([np.sum((x[i] - c[j]) ** 2) for j in range(c.shape[0])])
    return np.sqrt(total)


def centre_index(x: Float[Array, "n d"], c: Float[Array, "k d"]) -> float:
    far = np.linalg.norm(x[:, None] - c[None], axis=-1)
    mine = c[np.argmin(far, axis=1)]
    return np.mean(np.sum(np.abs(x - mine), axis=1)) + np.sum(np.min(far, axis=0))


def _sig(z):
    return 1.0 / (1.0 + np.exp(-z))


def lstm_steps(wx: Float[Array, "e 4*m"], wh: Float[Array, "m 4*m"], b: Float[Array, "4*m"],
               xs: Float[Array, "T e"], h: Float[Array, "m"]) -> float:
    hidden = h.shape[0]
    c = np.zeros(hidden)
    loss = 0.0
    for x in xs:
        z = x @ wx + h @ wh + b
        i, f = _sig(z[:hidden]), _sig(z[hidden:2 * hidden])
        o, g = _sig(z[2 * hidden:3 * hidden]), np.tanh(z[3 * hidden:])
        c = f * c + i * g
        h = o * np.tanh(c)
        loss += np.sum((h - x[0]) ** 2)
    return loss


def gru(wz: Float[Array, "h e+h"], wr: Float[Array, "h e+h"], wc: Float[Array, "h e+h"],
        xs: Float[Array, "T e"]) -> float:
    h = np.zeros(wz.shape[0])
    for t in range(xs.shape[0]):
        both = np.concatenate((xs[t], h))
        z, r = _sig(wz @ both), _sig(wr @ both)
        new = np.tanh(wc @ np.concatenate((xs[t], r * h)))
        h = (1 - z) * h + z * new
    return np.sum(h * h)


def stacked(w: Float[Array, "2 4 h 2*h"], b: Float[Array, "2 4 h"],
            xs: Float[Array, "T h"]) -> float:
    n = xs.shape[1]
    hs, cs = np.zeros((2, n)), np.zeros((2, n))
    loss = 0.0
    for t in range(xs.shape[0]):
        x = xs[t]
        new_h, new_c = [], []
        for layer in range(2):
            v = np.concatenate([x, hs[layer]])
            i, f, o = (_sig(w[layer, g] @ v + b[layer, g]) for g in range(3))
            c = f * cs[layer] + i * np.tanh(w[layer, 3] @ v + b[layer, 3])
            x = o * np.tanh(c)
            new_h.append(x)
            new_c.append(c)
        hs, cs = np.stack(new_h), np.stack(new_c)
        loss = loss + np.log(1.0 + np.sum(x * x))
    return loss
