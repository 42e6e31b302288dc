"""Programs as numpy users write them from memory: loops with stores, whole arrays, helpers with
several results, methods with `out=`."""

import numpy as np

from pychoral.ad import Array, Float, Int

SIZES = {"window_loops": {"n": 7, "k": 3}, "window_whole": {"n": 7}, "window_helpers": {"n": 7},
         "window_methods": {"n": 8}, "index_loops": {"n": 4, "m": 6}, "lstm_methods": {"T": 4},
         "attention_methods": {"n": 3, "m": 2, "h": 2, "c": 2}}
RANGES = {"mlp_methods": {"labels": (0, 2)}, "index_loops": {"idx": (-2, 5)},
          "index_whole": {"idx": (0, 1)}, "index_methods": {"idx": (0, 1)}}


def gmm_loops(w: Float[Array, "k"], mu: Float[Array, "k d"], logs: Float[Array, "k d"],
              x: Float[Array, "n d"]) -> float:
    n, d = x.shape
    k = len(w)
    ll = np.zeros((n, k))
    logw = np.empty(k)
    z = np.sum(np.exp(w))
    for j in range(k):
        logw[j] = w[j] - np.log(z)
    for i in range(n):
        for j in range(k):
            acc = 0.0
            for c in range(d):
                acc += ((x[i, c] - mu[j, c]) / np.exp(logs[j, c])) ** 2
                ll[i, j] -= logs[j, c]
            ll[i, j] += logw[j] - 0.5 * acc - 0.5 * d * np.log(2 * np.pi)
    total = 0.0
    for i in range(n):
        m = ll[i].max()
        total += m + np.log(np.exp(ll[i] - m).sum())
    return total


def gmm_methods(w: Float[Array, "k"], mu: Float[Array, "k d"], logs: Float[Array, "k d"],
                x: Float[Array, "n d"]) -> float:
    r = x[:, np.newaxis, :] - mu[np.newaxis, :, :]
    r *= np.exp(-logs)
    q = np.linalg.norm(r, axis=-1) ** 2
    ll = w.copy() - 0.5 * q
    ll -= logs.sum(axis=1)
    mx = ll.max(axis=1, keepdims=True)
    np.subtract(ll, mx, out=ll)
    np.exp(ll, out=ll)
    return float((np.log(ll.sum(axis=1)) + mx.squeeze(1)).mean())


def window_loops(x: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    n, k = len(x), len(w)
    out = np.zeros(n)
    half = k // 2
    for i in range(n):
        for j in range(k):
            p = i + j - half
            if 0 <= p < n:
                out[i] += w[j] * x[p]
    s = 0.0
    for i in range(0, n, 2):
        s += out[i] ** 2
    return s


def window_whole(x: Float[Array, "n"]) -> float:
    c = np.cumsum(np.concatenate([np.zeros(1), x]))
    ma = (c[3:] - c[:-3]) / 3
    smooth = np.convolve(x, np.array([0.25, 0.5, 0.25]), mode="valid")
    return np.sum((ma - smooth) ** 2) + np.sum(np.diff(x) ** 2)


def _pad(x, p):
    y = np.zeros(len(x) + 2 * p)
    y[p:-p] = x
    return y, len(y)


def _pool(x):
    m = len(x) // 2
    return x[:2 * m].reshape(m, 2).max(axis=1), x[::2]


def window_helpers(x: Float[Array, "n"], w: Float[Array, "3"]) -> float:
    y, m = _pad(x, 1)
    conv = np.zeros(len(x))
    for j in range(3):
        conv += w[j] * y[j:j + len(x)]
    pooled, strided = _pool(conv)
    return (pooled ** 2).sum() + strided.sum()


def window_methods(x: Float[Array, "n"]) -> float:
    y = x.copy()
    y[1:-1] += 0.5 * (x[2:] + x[:-2])
    y[::2] *= 2.0
    y[-1] = 0.0
    odd = y[1::2]
    return y.mean() + odd.std() + (y[::-1] * x).sum()


def masked_loops(x: Float[Array, "n"]) -> float:
    out = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0:
            out[i] = np.sqrt(x[i]) + np.log(x[i])
        elif x[i] < 0:
            out[i] = 1.0 / x[i]
        else:
            continue
    return out.sum()


def mlp_methods(w1: Float[Array, "d h"], w2: Float[Array, "h c"], x: Float[Array, "n d"],
                labels: Int[Array, "n"]) -> float:
    h = x.dot(w1)
    h = h.clip(0)
    h -= h.mean(axis=1, keepdims=True)
    h /= h.std(axis=1, keepdims=True) + 1e-5
    p = h.dot(w2)
    p -= p.max(axis=1)[:, np.newaxis]
    np.exp(p, out=p)
    p /= p.sum(axis=1, keepdims=True)
    t = np.zeros_like(p)
    t[np.arange(len(labels)), labels] = 1.0
    return -(t * np.log(p)).sum() / x.shape[0]


def index_loops(x: Float[Array, "n"], idx: Int[Array, "m"]) -> float:
    n, m = len(x), len(idx)
    hist = np.zeros(n)
    s = 0.0
    for j in range(m):
        p = idx[j]
        if p < 0 or p >= n:
            continue
        hist[p] += x[p] ** 2
        s += np.sin(x[p]) * (j + 1)
    return s + (hist * hist).sum()


def index_whole(x: Float[Array, "n"], idx: Int[Array, "m"], v: Float[Array, "m"]) -> float:
    g = np.take(x, idx)
    out = np.zeros_like(x)
    np.add.at(out, idx, v * g)
    c = np.take(x, np.clip(idx + 1, 0, len(x) - 1))
    return np.sum(np.tanh(out)) + np.dot(c, v)


def index_methods(x: Float[Array, "n"], idx: Int[Array, "m"]) -> float:
    y = x.take(idx)
    z = x.copy()
    z[idx] = 0.0
    y2 = np.take_along_axis(x, idx, axis=0)
    cnt = np.bincount(idx, minlength=len(x))
    return y.sum() * z.mean() + (y2 ** 2).sum() + (cnt * x).sum()


def attention_methods(x: Float[Array, "m n h*c"], w: Float[Array, "h*c h*c"],
                g: Float[Array, "h c"]) -> float:
    b, n, dim = x.shape
    h, c = g.shape
    q = (x @ w).reshape(b, n, h, c).transpose(0, 2, 1, 3)
    k = x.reshape(b, n, h, c).transpose(0, 2, 1, 3)
    s = (q @ k.swapaxes(-1, -2)) / np.sqrt(c)
    s += np.triu(np.full((n, n), -1e9), k=1)
    s -= s.max(axis=-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(axis=-1, keepdims=True)
    o = (s @ k) * g[:, np.newaxis, :]
    o = o.transpose(0, 2, 1, 3).reshape(b, n, dim)
    return o.var(axis=-1).sum() + o.flatten().dot(x.ravel())


def lstm_methods(w: Float[Array, "e+m 4*m"], xs: Float[Array, "T B e"],
                 y: Float[Array, "B m"]) -> float:
    T, B, e = xs.shape
    m = y.shape[1]
    h = np.zeros((B, m))
    c = np.zeros((B, m))
    hist = np.zeros((T, B, m))
    for t in range(T):
        z = np.concatenate((xs[t], h), axis=1).dot(w)
        gates = z[:, :3 * m]
        gates = 1.0 / (1.0 + np.exp(-gates))
        i, f, o = gates[:, :m], gates[:, m:2 * m], gates[:, 2 * m:]
        c *= f
        c += i * np.tanh(z[:, 3 * m:])
        h[:] = o * np.tanh(c)
        hist[t] = h
    return ((h - y) ** 2).mean() + hist.mean(axis=0).sum() + np.abs(hist).max()


def selected(x: Float[Array, "n"], m: Float[Array, "n d"], s: float) -> float:
    """What a condition selects is computed, stored and summed; the rest has no part in it."""
    y, z, w = np.zeros(x.shape[0]), x * 1.0, m * 1.0
    more = x > 0
    y[more] = np.sqrt(x[more]) + np.log(x[more]) * s - 1.0 / x[more]
    z[z > 0.2] = z[z > 0.2] ** 2
    z[~more] *= x[~more]
    z[more & (x < 0.5)] += 2.0 * x[more & (x < 0.5)]
    w[m < 0.1] = -np.exp(m[m < 0.1])
    part = x[more]
    return (np.sum(y * x) + np.sum(np.sin(z)) + np.sum(w) + np.sum(part * part) + part.sum() * s
            + sum(x[x < 0.5]) + (2.0 * m[m > -2.0]).mean())


def sums_with_ifs(x: Float[Array, "n"], m: Float[Array, "n d"], a: float) -> float:
    """What the condition leaves out is not read."""
    n, d = m.shape
    first = sum(x[i] * a for i in range(n) if x[i] > 0.1)
    both = sum(m[i, j] ** 2 for i in range(n) if x[i] < 0.5 for j in range(d) if m[i, j] > a)
    rows = sum(m[i] for i in range(n) if i > 0)
    near = np.sum([x[i + 1] * x[i] for i in range(n) if i + 1 < n])
    return first + both * a + np.sum(np.sin(rows)) + near + sum(1 for v in x if v > 0.0) * a
