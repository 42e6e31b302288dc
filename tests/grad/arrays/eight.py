"""One program of each kind that people bring first, written by someone who has not read how the
compiler works: slices, einsum, lists, loops over rows, indices that lead nowhere."""

import math

import numpy as np

from pychoral.ad import Array, Float, Int, build, gather, scatter

SIZES = {"tied_mixture": {"n": 5, "k": 3, "d": 2}, "window_scores": {"n": 9},
         "measures": {"n": 6}, "graph": {"n": 4, "e": 7, "f": 2},
         "heads": {"n": 3, "d": 3, "h": 2, "c": 2}, "clusters": {"n": 6, "k": 3, "d": 2},
         "peephole": {"T": 4, "e": 2, "m": 2}}
RANGES = {"graph": {"source": (-2, 5), "target": (-1, 4)},
          "measures": {"counts": (0, 2)}, "clusters": {"x": (-3.0, 3.0)}}


def tied_mixture(weights: Float[Array, "k"], means: Float[Array, "k d"], root: Float[Array, "d d"],
                 shape: Float[Array, "k"], points: Float[Array, "n d"]) -> float:
    """One covariance for all components, and a scale for each."""
    d = points.shape[1]
    lower = build((d, d), lambda i, j: root[i, j] if j < i else (
        np.log1p(np.exp(root[i, i])) if i == j else 0.0))
    logdet = sum(np.log(lower[i, i]) for i in range(d))
    share = weights - np.log(np.sum(np.exp(weights)))
    total = 0.0
    for x in points:
        away = (x - means) @ lower.T
        each = share + logdet + d * shape - 0.5 * np.exp(2.0 * shape) * np.sum(away ** 2, axis=1)
        top = np.max(each)
        total += top + np.log(np.sum(np.exp(each - top)))
    return total / len(points) - d / 2.0 * math.log(2.0 * math.pi)


def window_scores(x: Float[Array, "n"], w: Float[Array, "4"], b: float) -> float:
    """Mean and spread of each four neighbours, one window after the other."""
    n = x.shape[0]
    pieces = np.stack([x[i:n - 3 + i] for i in range(4)], axis=1)
    middle = pieces.mean(axis=1, keepdims=True)
    spread = np.sqrt(0.01 + ((pieces - middle) ** 2).mean(axis=1))
    score = np.tanh((pieces - middle) / spread[:, None] @ w + b)
    rises = np.maximum(score[1:] - score[:-1], 0.0)
    return np.sum(score * score) + np.max(score) * np.sum(rises) + np.prod(spread)


def measures(counts: Int[Array, "n"], q: Float[Array, "n"], s: Float[Array, "n"]) -> float:
    """Divergences of counts, some of them 0: each term has its limit there."""
    p = counts * np.exp(s)
    whole = np.sum(p) + 1.0
    kl = np.where(p > 0.0, p / whole * (np.log(p / whole) + q * q), 0.0)
    hellinger = np.where(p > 0.0, np.sqrt(p / whole), 0.0) * np.exp(-q * q)
    inverse = np.array([1.0 / p[i] if counts[i] > 0 else q[i] for i in range(len(q))])
    power = np.where(p == 0.0, 0.0, p ** 0.25 * np.log(p) ** 2)
    return np.sum(kl) + np.sum(hellinger) + np.mean(inverse) + np.sum(power)


def normed_net(w1: Float[Array, "d h"], scale: Float[Array, "h"], shift: Float[Array, "h"],
               w2: Float[Array, "h o"], x: Float[Array, "n d"], y: Float[Array, "n o"]) -> float:
    """Layer norm, a gate, a residual, a robust loss."""
    z = x @ w1
    mu = np.mean(z, axis=-1, keepdims=True)
    var = np.mean((z - mu) ** 2, axis=-1, keepdims=True)
    z = (z - mu) / np.sqrt(var + 1e-3) * scale + shift
    gated = z / (1.0 + np.exp(-1.702 * z)) + z
    off = gated @ w2 - y
    huber = np.where(np.abs(off) < 1.0, 0.5 * off ** 2, np.abs(off) - 0.5)
    return np.mean(np.sum(huber, axis=1)) + 1e-2 * (np.sum(w1 ** 2) + np.sum(np.abs(w2)))


def graph(h: Float[Array, "n f"], w: Float[Array, "f f"], a: Float[Array, "e"],
          source: Int[Array, "e"], target: Int[Array, "e"]) -> float:
    """Messages along edges: some edges come twice, some begin or end nowhere."""
    n, f = h.shape
    e = a.shape[0]
    for _ in range(2):
        sent = gather((e, f), h, lambda k: (source[k],)) @ w
        weight = np.exp(a) / (1.0 + np.sum(sent ** 2, axis=1))
        came = scatter((n, f), weight[:, None] * sent, lambda k: (target[k],))
        much = scatter((n,), weight, lambda k: target[k])
        h = np.tanh(h + came / (1.0 + much)[:, None])
    far = gather((n + 2,), np.cos(h[:, 0]), lambda i: i - 1)
    return np.sum(h ** 2) + np.sum(far)


def heads(x: Float[Array, "n d"], wq: Float[Array, "d h c"], wk: Float[Array, "d h c"],
          wv: Float[Array, "d h*c"], place: Float[Array, "n n h"]) -> float:
    """Several heads at once, what comes later hidden, a bias for each pair of places."""
    q = np.einsum("id,dhc->ihc", x, wq)
    k = np.einsum("id,dhc->ihc", x, wk)
    v = (x @ wv).reshape(q.shape)
    scores = np.einsum("ihc,jhc->ijh", q, k) / 1.5 + place
    scores = build(scores.shape, lambda i, j, m: scores[i, j, m] if j <= i else -1e9)
    scores = scores - np.max(scores, axis=1, keepdims=True)
    p = np.exp(scores) / np.sum(np.exp(scores), axis=1, keepdims=True)
    out = np.einsum("ijh,jhc->ihc", p, v)
    return np.sum(np.sin(out)) + np.sum(p[:, 0] ** 2)


def clusters(x: Float[Array, "n d"], c: Float[Array, "k d"], t: float) -> float:
    """The nearest centre of each point; what each centre then has."""
    n, k = x.shape[0], c.shape[0]
    far = np.array([[np.sqrt(np.sum((p - m) ** 2)) for m in c] for p in x])
    mine = np.argmin(far, axis=1)
    held = scatter((k,), np.ones(n), lambda i: mine[i])
    sums = scatter(c.shape, x, lambda i: mine[i])
    moved = sums / np.maximum(held, 1.0)[:, None]
    soft = np.exp(-far / (1.0 + t * t))
    soft = soft / np.sum(soft, axis=1)[:, None]
    worst = np.max(far[np.arange(n), mine])
    return np.sum((moved - c) ** 2) + worst + np.sum(soft * far)


def peephole(w: Float[Array, "4 m e+m"], peep: Float[Array, "3 m"], bias: Float[Array, "4 m"],
             out: Float[Array, "m"], xs: Float[Array, "T e"], c: Float[Array, "m"]) -> float:
    """An LSTM whose gates see the cell; its outputs are collected, then compared with the input."""
    h = np.tanh(c)
    said = []
    for t in range(xs.shape[0]):
        z = [w[g] @ np.concatenate([xs[t], h]) + bias[g] for g in range(4)]
        keep = 1.0 / (1.0 + np.exp(-(z[0] + peep[0] * c)))
        take = 1.0 / (1.0 + np.exp(-(z[1] + peep[1] * c)))
        c = keep * c + take * np.tanh(z[2])
        h = np.tanh(c) / (1.0 + np.exp(-(z[3] + peep[2] * c)))
        said.append(h @ out)
    y = np.array(said)
    return np.sum((y[:-1] - xs[1:, 0]) ** 2) + y[-1] * np.sum(c)
