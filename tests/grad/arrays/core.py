"""The forms of the core language one by one, and the vectors of its examples."""

import numpy as np

from pychoral.ad import Array, Float, Int, build, gather, scatter

SIZES = {name: {"n": 3} for name in ("index", "beyond", "halves", "shifted", "modulo", "dropped",
                                     "unused", "positive")}
SIZES |= {"window8": {"n": 12}}


def index(x: Float[Array, "n"]) -> float:
    return x[1]


def last(x: Float[Array, "n"]) -> float:
    return x[-1] * x[0]


def beyond(x: Float[Array, "n"]) -> float:
    return np.sum(gather((2,), x, lambda i: i + 5))


def halves(x: Float[Array, "n"]) -> float:
    return np.sum(gather((4,), x, lambda i: i // 2) * np.array([1.0, 2.0, 3.0, 4.0]))


def shifted(x: Float[Array, "n"]) -> float:
    return np.sum(gather((4,), np.cos(x), lambda i: i - 2) * np.array([1.0, 2.0, 3.0, 4.0]))


def modulo(x: Float[Array, "n"]) -> float:
    return np.sum(scatter((2,), x, lambda i: i % 2) * np.array([10.0, 20.0]))


def dropped(x: Float[Array, "n"]) -> float:
    return np.sum(scatter((2,), x, lambda i: i) * np.array([10.0, 20.0]))


def columns(m: Float[Array, "2 3"]) -> float:
    return np.sum(np.sum(m, axis=0) * np.array([1.0, 10.0, 100.0]))


def replicated(x: Float[Array, "3"]) -> float:
    return np.sum(np.ones((2, 1)) * x * np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))


def reshaped(m: Float[Array, "2 3"]) -> float:
    return np.sum(m.T.reshape(6) * np.arange(6))


def rotated(t: Float[Array, "2 2 2"]) -> float:
    return np.sum(np.transpose(t, (1, 2, 0)).reshape(8) * np.arange(8))


def rows(m: Float[Array, "2 3"]) -> float:
    picked = gather((2, 3), m, lambda i: 1 - i)
    return np.sum(picked * np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))


def let(s: float, a: Float[Array, "n"]) -> float:
    x = s * s
    return x * x + a[0] - a[0]


def chosen(s: float, a: Float[Array, "n"]) -> float:
    return (s * s if s < 0.3 else -s) + np.sum(a)


def stacked(s: float, a: Float[Array, "n"]) -> float:
    return np.sum(np.array([s, s * s]) * np.array([3.0, 5.0])) * a[0]


def unused(x: Float[Array, "n"], y: Float[Array, "m"]) -> float:
    return np.sum(x)


def positive(x: Float[Array, "n"]) -> float:
    return sum(x[i] if x[i] > 0.5 else 0.0 for i in range(x.shape[0]))


def matmul(a: Float[Array, "k m"], b: Float[Array, "m n"]) -> float:
    k, m = a.shape
    n = b.shape[1]
    c = build((k, n), lambda i, j: sum(a[i, p] * b[p, j] for p in range(m)))
    return np.sum(c * c)


def concatenated(a: Float[Array, "n"]) -> float:
    n = a.shape[0]
    both = build(2 * n, lambda i: a[i] if i < n else a[i - n])
    return np.sum(both * np.arange(2 * n))


def sharing(x: Float[Array, "n"]) -> float:
    y = x
    for _ in range(60):
        y = y + y
    return np.sum(y)


def sharing_inside(x: Float[Array, "n"]) -> float:
    def f(i):
        y = x[i]
        for _ in range(60):
            y = y * 1.01 + y * 0.01
        return y
    return np.sum(build(x.shape[0], f))


def nested(x: Float[Array, "n"], w: Float[Array, "m"]) -> float:
    n, m = x.shape[0], w.shape[0]
    return sum(sum(x[i] * w[j] * x[i] if i < j else w[j] for i in range(n)) for j in range(m))


def invariant(a: Float[Array, "n"]) -> float:
    y = build(3, lambda j: sum(np.sin(a)[i + j] for i in range(2)) if True else 0.0)
    return np.sum(y) if a.shape[0] == 0 else y[0] * y[1] * y[2]


SIZES |= {"invariant": {"n": 5}}


def floor_index(a: Float[Array, "n"], x: Float[Array, "m"]) -> float:
    picked = gather((x.shape[0],), a, lambda i: np.int64(x[i] * 2.0))
    return np.sum(picked * x)


def triangle(a: Float[Array, "n n"]) -> float:
    n = a.shape[0]
    low = build((n, n), lambda i, j: a[i, j] if j < i else 0.0)
    return np.sum(low @ low.T * np.eye(n))


def einsums(a: Float[Array, "i j"], b: Float[Array, "j k"], c: Float[Array, "i k"]) -> float:
    return np.sum(np.einsum("ij,jk->ik", a, b) * c) + np.sum(np.einsum("ij->j", a))


def slices(x: Float[Array, "n m"]) -> float:
    return np.sum(x[1:, 0] * x[:-1, -1]) + np.sum(x[:, 1] * x[::-1, 0]) + np.sum(x[0, :] ** 3)


def loops(x: Float[Array, "n"]) -> float:
    n = x.shape[0]
    out = np.zeros(n)
    squares = []
    total = 0.0
    for i in range(n):
        y = np.sin(x[i])
        out[i] = y * x[i]
        squares.append(y * y)
        total += y
    return np.sum(out) * total + np.sum(np.array(squares) * out)


def powers(x: Float[Array, "n"], y: float) -> float:
    return np.sum(np.abs(x) ** y + x ** 3 + x ** 2.0 + 2.0 ** x)


RANGES = {"powers": {"y": (1.2, 2.0)}}


def axes(x: Float[Array, "n m k"]) -> float:
    return np.sum(np.mean(x, axis=1) * np.max(x, axis=1)) + np.sum(x.sum(axis=(0, 2)) ** 2)


def tied(a: Float[Array, "n"]) -> float:
    return np.sum(build(2, lambda i: np.min(a)) * np.arange(2)) + np.max(
        build(3, lambda i: np.mean(np.min(build(2, lambda j: a), axis=1))))


def picked_row(b: Float[Array, "n m"]) -> float:
    row = gather((b.shape[1],), np.exp(b), lambda: (1,))
    moved = gather((3, b.shape[1]), b, lambda i: (i + 1,))
    return row[0] * np.sum(np.where(moved > 0.9, moved * 0.5, moved)[0]) + moved[2, 0]


def no_row(b: Float[Array, "n m"]) -> float:
    n, m = b.shape
    rows = gather((n, m), build((2, n), lambda i, j: b[n - 1 - j] * b[0, 0]), lambda: (3,))
    return np.sum(build(n, lambda i: rows[0, 1])) + np.sum(b)
