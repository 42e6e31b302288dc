"""Functions with an array as result."""

import numpy as np

from pychoral.ad import Array, Float, Int, build, gather


def layer(x: Float[Array, "n"], a: Float[Array, "n n"]):
    return np.tanh(a @ x) * x


def curve(x: Float[Array, "3"], t: Float[Array, "n"]):
    return x[0] * np.exp(-x[1] * t) + x[2]


def squared(x: Float[Array, "n m"]):
    return x.T @ x


def recurrence(x: Float[Array, "2"], us: Float[Array, "T 2"]):
    ys = []
    h = x
    for u in us:
        h = np.tanh(h + u * x)
        ys.append(h)
    return np.stack(ys)


def stepped(x: Float[Array, "3"], a: Float[Array, "3 3"], scale: float):
    y = x
    z = np.zeros(3)
    for _ in range(x.shape[0] * 20):
        y = y + 0.01 * scale * (a @ np.sin(y))
        z = z + y * 0.1
    return y * z


def rooted(x: Float[Array, "n"]):
    return np.sqrt(np.abs(x)) + 1.0


def convolved(x: Float[Array, "n"], w: Float[Array, "k"]):
    n, k = x.shape[0], w.shape[0]
    return build(n - k + 1, lambda i: sum(x[i + j] * w[j] for j in range(k)))


def moved(x: Float[Array, "n m"]):
    y = np.where(x > 0.0, x ** 2, np.sin(x))
    return gather((5,), y[0], lambda i: i - 1) + np.max(y)


def joined(x: Float[Array, "n"], y: Float[Array, "m"], s: float):
    return np.concatenate([x * s, y * y, x[:2]])


def scalar(s: float, x: Float[Array, "n"]):
    return np.outer(x, np.cos(s * x))


def each(x: Float[Array, "n m"]):
    return np.exp(x) * x


def tables(x: Float[Array, "n"], at: Int[Array, "m"], c: Float[Array, "n 3"]):
    return gather((at.shape[0],), np.cos(x), lambda i: at[i] - 1) * c[at, 1] + c[at, 0] ** 2


def observed(cameras: Float[Array, "n 4"], points: Float[Array, "m 3"], w: Float[Array, "p"]):
    n, m = cameras.shape[0], points.shape[0]

    def error(camera, point, weight):
        seen = np.cross(camera[:3], point) + point
        flat = seen[:2] / (2.0 + np.sin(seen[2]))
        r = np.sum(flat * flat)
        return weight * (1.0 + camera[3] * r) * np.where(r > 0.1, flat, 2.0 * flat)

    return build(w.shape[0], lambda i: error(cameras[i % n], points[i % m], w[i]))


def apart(x: Float[Array, "n"], y: Float[Array, "n"], a: Float[Array, "2"]):
    return x * 2.0 + a[0] * a[1]


def nearest_rows(c: Float[Array, "k d"], x: Float[Array, "n d"]):
    """Which centre is nearest stands in the place of a derivative."""
    return np.min(np.sum((x[:, None] - c) ** 2, axis=2), axis=1)


def picked(x: Float[Array, "v 4"], m: Float[Array, "k 4"], at: Int[Array, "n"]):
    return (x @ m.T)[at]


def two_apart(x: Float[Array, "n"]):
    return np.array([x[i + 2] * x[i] for i in range(x.shape[0] - 2)])


def none_apart(x: Float[Array, "n"]):
    """The result has no elements: not as many as one is less than two."""
    return two_apart(x)


def _posed(t, base, w):
    c, s = np.cos(t), np.sin(t)
    bones = [np.array([[c[i], -s[i], 0.0, t[i]], [s[i], c[i], 0.0, 1.0], [0.0, 0.0, 1.0, 2.0],
                       [0.0, 0.0, 0.0, 1.0]]) for i in range(3)]
    all = np.stack([bones[0], bones[1], bones[2], bones[0] @ bones[1], bones[1] @ bones[2],
                    np.eye(4)])
    return np.einsum("vb,bij,vj->vi", w, all, base)


def posed(t: Float[Array, "3"], base: Float[Array, "v 4"], w: Float[Array, "v 6"],
          at: Int[Array, "n"]):
    return _posed(t, base, w)[at]


def posed_few(t: Float[Array, "3"], base: Float[Array, "v 4"], w: Float[Array, "v 6"],
              at: Int[Array, "n"]):
    """Few rows for the vertices that there are."""
    return _posed(t, base, w)[at]


def posed_twice(t: Float[Array, "3"], base: Float[Array, "v 4"], w: Float[Array, "v 6"],
                y: Float[Array, "n 4"], at: Int[Array, "n"]):
    """One that is rows looked up and nothing else, inside of one that is not."""
    scale = np.sum(np.exp(base @ np.ones(4)))
    return (_posed(t, base, w)[at] - y) * scale


def posed_outside(t: Float[Array, "3"], base: Float[Array, "v 4"], w: Float[Array, "v 6"],
                  at: Int[Array, "n"]):
    """Indices that are out of range."""
    return gather((at.shape[0], 4), _posed(t, base, w), lambda i: at[i])


def sliced(m: Int[Array, "k 5 4"], w: Float[Array, "n k"], base: Float[Array, "n 4"]):
    """Three of five rows of a product."""
    return np.einsum("nk,kij,nj->ni", w, m * 1.0, base)[:, 1:4]


def turned(t: Float[Array, "3"], base: Int[Array, "v 4"], w: Int[Array, "v 6"],
           at: Int[Array, "n"]):
    """Rows are there if their index is in range: what they are made of does not ask it again."""
    turn = np.exp(np.stack([t, 2.0 * t, t * t]))
    return 1.0 - (_posed(t, base * 1.0, w * 1.0)[:, :3] @ turn)[at]
