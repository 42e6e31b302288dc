"""Programs in the style of numpy users: twice each, and one of each function of the library."""

import math
import numpy as np
from pychoral.ad import Array, Float, Int, build, gather, scatter

SIZES = {"lstm_b": {"T": 4}, "window_b": {"n": 6}, "window_c": {"n": 6},
         "conv_a": {"h": 5, "w": 6}, "mm": {"m": 3}}
RANGES = {name: {"y": (0, 1), "idx": (0, 1), "steps": (0, 6)}
          for name in ("pick", "onehot", "addat", "scatter_c", "ode")}


def gmm_a(alpha: Float[Array, "k"], mu: Float[Array, "k d"], logs: Float[Array, "k d"],
          x: Float[Array, "n d"]) -> float:
    n, d = x.shape
    z = (x[:, np.newaxis, :] - mu[np.newaxis, :, :]) * np.exp(-logs)[None]
    logp = alpha - np.log(np.sum(np.exp(alpha))) - logs.sum(axis=-1)
    logp = logp - 0.5 * (z ** 2).sum(axis=-1) - 0.5 * d * np.log(2 * np.pi)
    m = logp.max(axis=1, keepdims=True)
    return float(np.sum(m[:, 0] + np.log(np.exp(logp - m).sum(axis=1))))


def gmm_b(alpha: Float[Array, "k"], mu: Float[Array, "k d"], L: Float[Array, "k d d"],
          x: Float[Array, "n d"]) -> float:
    diff = x[:, None] - mu
    y = np.einsum("kij,nkj->nki", L, diff)
    ll = alpha - 0.5 * np.einsum("nki,nki->nk", y, y)
    top = np.max(ll, axis=-1, keepdims=True)
    s = np.log(np.sum(np.exp(ll - top), axis=-1)) + np.squeeze(top, axis=-1)
    diag = np.einsum("kii->k", np.tril(L)) if False else 0.0
    return s.sum() + diag


def window_a(x: Float[Array, "n"]) -> float:
    d = x[1:] - x[:-1]
    s = (x[2:] - 2 * x[1:-1] + x[:-2]) ** 2
    return np.mean(d * d) + np.sqrt(np.sum(s))


def window_b(x: Float[Array, "n"]) -> float:
    n = len(x)
    w = np.stack([x[i:n - 2 + i] for i in range(3)], axis=1)
    return np.sum(np.max(w, axis=1) * np.tanh(w.mean(axis=1)))


def window_c(x: Float[Array, "n"], w: Float[Array, "3"]) -> float:
    total = 0.0
    for i in range(len(x) - 2):
        total += np.tanh(np.dot(x[i:i + 3], w)) ** 2
    return total


def masked_a(x: Float[Array, "n"]) -> float:
    safe = np.where(x > 0, x, 1.0)
    y = np.where(x > 0, np.sqrt(safe) + np.log(safe), 0.0)
    z = np.where(x != 0, 1 / x, 0)
    return (y + z).sum()


def masked_b(x: Float[Array, "n"]) -> float:
    mask = (x > 0).astype(float)
    return np.sum(mask * np.sqrt(np.abs(x) + 1e-3)) + np.sum(np.sqrt(np.maximum(x, 0.0) \
        + 1.0)) + np.sum(np.clip(x, -1, 1) ** 2)


def mlp_a(w1: Float[Array, "h d"], b1: Float[Array, "h"], w2: Float[Array, "c h"],
          b2: Float[Array, "c"], x: Float[Array, "n d"], y: Float[Array, "n c"]) -> float:
    h = np.maximum(0, x @ w1.T + b1)
    logits = h @ w2.T + b2
    logits -= logits.max(axis=1, keepdims=True)
    logp = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return -np.mean(np.sum(y * logp, axis=1))


def mlp_b(w1: Float[Array, "d h"], b1: Float[Array, "h"], w2: Float[Array, "h 1"],
          x: Float[Array, "n d"], t: Float[Array, "n"]) -> float:
    params = [(w1, b1), (w2, np.zeros(1))]
    a = x
    for w, b in params[:-1]:
        a = np.tanh(a @ w + b)
    w, b = params[-1]
    pred = (a @ w + b).reshape(-1)
    return 0.5 * np.sum((pred - t) ** 2) / len(t) + 1e-3 * sum(np.sum(w ** 2) for w, _ in params)


def attention_a(q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m e"]) -> float:
    d = q.shape[-1]
    s = q @ k.T / np.sqrt(d)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    return np.sum((p @ v) ** 2)


def attention_b(x: Float[Array, "h n d"], wq: Float[Array, "d d"], wk: Float[Array, "d d"],
                wv: Float[Array, "d d"]) -> float:
    q, k, v = x @ wq, x @ wk, x @ wv
    s = np.einsum("hid,hjd->hij", q, k) / math.sqrt(x.shape[2])
    n = x.shape[1]
    mask = np.arange(n)[:, None] >= np.arange(n)[None, :]
    s = np.where(mask, s, -1e9)
    p = np.exp(s - np.max(s, axis=2, keepdims=True))
    p /= np.sum(p, axis=2, keepdims=True)
    o = np.matmul(p, v)
    return np.linalg.norm(o) + np.tanh(o.transpose(1, 0, 2).reshape(n, -1)).sum()


def nearest_a(c: Float[Array, "k d"], x: Float[Array, "n d"]) -> float:
    d2 = ((x[:, None, :] - c[None, :, :]) ** 2).sum(-1)
    idx = np.argmin(d2, axis=1)
    return np.sum(np.linalg.norm(x - c[idx], axis=1))


def nearest_b(c: Float[Array, "k d"], x: Float[Array, "n d"]) -> float:
    d2 = np.sum(x ** 2, axis=1)[:, None] - 2 * x @ c.T + np.sum(c ** 2, axis=1)
    return d2[np.arange(len(x)), d2.argmin(axis=1)].mean()


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_b(Wx: Float[Array, "4 e h"], Wh: Float[Array, "4 h h"], b: Float[Array, "4 h"],
           xs: Float[Array, "T e"]) -> float:
    h = np.zeros(b.shape[1])
    c = np.zeros_like(h)
    for t in range(xs.shape[0]):
        z = xs[t] @ Wx + h @ Wh + b
        i, f, o, g = _sigmoid(z[0]), _sigmoid(z[1]), _sigmoid(z[2]), np.tanh(z[3])
        c = f * c + i * g
        h = o * np.tanh(c)
    return np.sum(h ** 2)


def lstm_c(W: Float[Array, "f 20"], b: Float[Array, "20"], xs: Float[Array, "3 e"],
           h: Float[Array, "5"]) -> float:
    loss = 0.0
    c = np.zeros(5)
    for x in xs:
        z = np.concatenate([x, h])[:, None] * 0 + 1.0
        gates = np.split(b + np.sum(z), 4)
        i, f, g, o = gates
        c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
        h = _sigmoid(o) * np.tanh(c)
        loss = loss + h.sum()
    return loss + 0.0 * W.sum()


def scatter_a(x: Float[Array, "n"], w: Float[Array, "4"]) -> float:
    idx = np.array([0, 2, 2, 3, 0])
    return np.sum(w[idx] ** 2) + np.sum(np.sin(x))


def scatter_b(x: Float[Array, "n"], w: Float[Array, "m"]) -> float:
    n, m = x.shape[0], w.shape[0]
    h = scatter((m,), x, lambda i: i % 3)
    g = gather((n,), h * w, lambda i: 2 * i - 1)
    return np.dot(g, x)


def scatter_c(x: Float[Array, "n"], idx: Int[Array, "n"], w: Float[Array, "m"]) -> float:
    g = gather((x.shape[0],), w, lambda i: idx[i])
    return np.sum(g * x)


def gather_cos(x: Float[Array, "n"]) -> float:
    return np.sum(gather((7,), np.cos(x), lambda i: i - 2)) \
        + np.sum(gather((3,), gather((2,), x, lambda i: i), lambda j: j))


def _softmax(x, axis=-1):
    x = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)


def soft(x: Float[Array, "n m"]) -> float:
    return np.sum(_softmax(x, axis=0) * _softmax(x))


def lse(x: Float[Array, "n m"]) -> float:
    return np.sum(np.logaddexp(x[0], x[1])) + np.sum(np.log1p(np.exp(-np.abs(x))))


def norms(x: Float[Array, "n d"]) -> float:
    return np.linalg.norm(x) + np.sum(np.linalg.norm(x, axis=1)) \
        + np.sum(np.linalg.norm(x, axis=-1, keepdims=True))


def var(x: Float[Array, "n d"]) -> float:
    mu = x.mean(axis=0)
    xn = (x - mu) / np.sqrt(x.var(axis=0) + 1e-5)
    return np.sum(xn ** 3) + x.std() + np.var(x)


def cums(x: Float[Array, "n"]) -> float:
    return np.sum(np.cumsum(x) ** 2)


def diffs(x: Float[Array, "n"]) -> float:
    return np.sum(np.diff(x) ** 2) + np.prod(x) + np.trace(np.outer(x, x))


def axes(x: Float[Array, "n m"]) -> float:
    return np.sum(np.expand_dims(x.sum(0), 1) * x.T) + np.sum(np.swapaxes(x, 0, 1)[0]) \
        + np.sum(np.squeeze(x[:, None]))


def cat(x: Float[Array, "n m"], y: Float[Array, "n k"]) -> float:
    z = np.concatenate((x, y), axis=1)
    v = np.vstack([x, x])
    h = np.hstack([x, y])
    return np.sum(z ** 2) + np.sum(np.sin(v)) + np.sum(np.cos(h[:, 0]))


def tri(x: Float[Array, "n n"]) -> float:
    return np.sum(np.tril(x) @ np.triu(x)) + np.sum(np.tril(x, -1)) + np.sum(np.diag(x)) \
        + np.trace(x)


def pick(x: Float[Array, "n m"], y: Int[Array, "n"]) -> float:
    n = x.shape[0]
    return np.sum(x[np.arange(n), y % 2])


def onehot(x: Float[Array, "n 3"], y: Int[Array, "n"]) -> float:
    h = np.eye(3)[y % 3]
    return np.sum(h * x)


def ein(a: Float[Array, "i j"], b: Float[Array, "j k"], c: Float[Array, "k l"]) -> float:
    return np.sum(np.einsum("ij,jk,kl->il", a, b, c)) + np.einsum("ij->", a) \
        + np.sum(np.einsum("ij->ji", a)[0])


def dotax(a: Float[Array, "n d"], b: Float[Array, "n d"]) -> float:
    return np.sum(np.vdot(a, b)) + np.sum(np.inner(a, b))


def conv_a(x: Float[Array, "h w"], k: Float[Array, "2 2"]) -> float:
    h, w = x.shape
    out = np.zeros((h - 1, w - 1))
    for i in range(2):
        for j in range(2):
            out += k[i, j] * x[i:i + h - 1, j:j + w - 1]
    return np.sum(np.maximum(out, 0))


def strides(x: Float[Array, "8"]) -> float:
    return np.sum(x[::2] * x[1::2]) + np.sum(x[::-1][:3])


def setitem(x: Float[Array, "n"]) -> float:
    y = np.zeros_like(x)
    y[0] = x[0] ** 2
    y[1:] = x[1:] * x[:-1]
    return np.sum(y ** 2)


def setmask(x: Float[Array, "n"]) -> float:
    y = x.copy()
    y[y < 0] = 0.0
    return np.sum(y ** 2)


def relu(x: Float[Array, "n"]) -> float:
    return np.sum(x * (x > 0)) + np.sum(np.sign(x) * x) + np.sum(np.heaviside(x, 0.5) * x)


def flat(x: Float[Array, "n m"]) -> float:
    return np.sum(x.flatten() ** 2) + x.ravel()[0] + np.sum(x.reshape((-1,))) \
        + x.reshape(-1, 1).sum()


def tile(x: Float[Array, "n"]) -> float:
    return np.sum(np.tile(x, (3, 1)) ** 2) + np.sum(np.repeat(x, 2) ** 2) \
        + np.sum(np.broadcast_to(x, (4, len(x))))


def addat(x: Float[Array, "n"], y: Int[Array, "n"]) -> float:
    out = np.zeros(4)
    np.add.at(out, y % 4, x)
    return np.sum(out ** 2)


def lin(x: Float[Array, "n"]) -> float:
    t = np.linspace(0.0, 1.0, 5)
    return np.sum(np.polyval([x[0], x[1]], t)) if False else np.sum(t) * np.sum(x)


def ifs(x: Float[Array, "n"], s: float) -> float:
    y = np.exp(x) if s > 0 else np.exp(-x)
    if np.sum(y) > 1.0:
        y = y / np.sum(y)
    return np.max(y) + np.min(y) + abs(s)


def power(x: Float[Array, "n"]) -> float:
    return np.sum(np.power(np.abs(x), 1.5)) + np.sum(np.square(x)) + np.sum(np.reciprocal(x \
        + 10.0)) + np.sum(x ** -2)


def any_of(x: Float[Array, "n"]) -> float:
    return np.where(np.any(x > 0), np.sum(x), 0.0)


def vm(ws: Float[Array, "3 d d"], x: Float[Array, "d"]) -> float:
    for i, w in enumerate(ws):
        x = np.tanh(w @ x) if i < 2 else w @ x
    return x.dot(x)


def matpow(a: Float[Array, "n n"], v: Float[Array, "n"]) -> float:
    for _ in range(10):
        v = a @ v
        v = v / np.linalg.norm(v)
    return v @ a @ v


def ode(x: Float[Array, "n"], steps: int) -> float:
    h = 1.0 / 10
    for _ in range(steps):
        x = x + h * np.sin(x)
    return np.sum(x)


def kw(x: Float[Array, "n m"]) -> float:
    return np.sum(a=x, axis=1).sum() + np.mean(x, axis=(0, 1)) + np.sum(x, axis=(0, 1)) \
        + np.max(x, axis=0, keepdims=True).sum()


def mm(x: Float[Array, "n m"]) -> float:
    return np.amax(x) + np.sum(np.minimum(x, 0.5)) + x[-1, -1] + x[-1].sum() \
        + x[..., 0].sum() + np.sum(x[:, -2:])


def neginf(q: Float[Array, "n d"], k: Float[Array, "n d"]) -> float:
    n = q.shape[0]
    s = q @ k.T
    s = np.where(np.tril(np.ones((n, n))) > 0, s, -np.inf)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    return np.sum((p / p.sum(-1, keepdims=True)) ** 2)


def rows(xs: Float[Array, "T d"], w: Float[Array, "d d"]) -> float:
    T, d = xs.shape
    h = np.zeros((T + 1, d))
    for t in range(T):
        h[t + 1] = np.tanh(h[t] @ w + xs[t])
    return np.sum(h[1:] ** 2)


def inplace(x: Float[Array, "n"]) -> float:
    y = np.zeros(len(x) + 1)
    y[0] = 1.0
    y[1:] = x
    y[-1] *= 3.0
    z = y.copy()
    z[1:-1] += y[2:] * y[:-2]
    return np.sum(z * y)


def early(x: Float[Array, "n"], s: float) -> float:
    if s > 0:
        return np.sum(x) * s
    return np.sum(x ** 2)


def listacc(ws: Float[Array, "3 d d"], x: Float[Array, "d"]) -> float:
    acts = [x]
    for l in range(3):
        acts.append(np.tanh(ws[l] @ acts[-1]))
    return sum(np.sum(a ** 2) for a in acts)


def lstm_step(W: Float[Array, "4*h e+h"], b: Float[Array, "4*h"],
              xs: Float[Array, "T e"]) -> float:
    H = b.shape[0] // 4
    h, c = np.zeros(H), np.zeros(H)
    for x in xs:
        z = W @ np.concatenate([x, h]) + b
        i, f, g, o = z[:H], z[H:2 * H], z[2 * H:3 * H], z[3 * H:]
        sig = lambda v: 1.0 / (1.0 + np.exp(-v))
        c = sig(f) * c + sig(i) * np.tanh(g)
        h = sig(o) * np.tanh(c)
    return h.sum() + np.mean(c)


def lstm_split(W: Float[Array, "4*h e+h"], b: Float[Array, "4*h"],
               xs: Float[Array, "T e"]) -> float:
    H = b.shape[0] // 4
    state = (np.zeros(H), np.zeros(H))
    loss = 0
    for t, x in enumerate(xs):
        h, c = state
        i, f, g, o = np.split(W @ np.hstack([x, h]) + b, 4)
        c = f * c + i * np.tanh(g)
        h = o * np.tanh(c)
        state = (h, c)
        loss += np.sum(h) / (t + 1)
    return loss
