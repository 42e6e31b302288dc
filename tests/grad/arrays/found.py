"""Programs that random ones and users found wrong once, each as small as it shows."""

import numpy as np
from pychoral.ad import Array, Float, Int, build, gather, scatter


def same_in_all_rounds(b: Float[Array, "n m"], s: float) -> float:
    """A value that no round changes is put to a place of each, and read outside of the rounds."""
    v = np.mean(build((b.shape[0], 2), lambda i, j: b[i]), axis=2)
    return np.sum(v[1]) * s / (2.0 + np.max(np.arctan(np.tanh(v[1]))))


def place_read_twice(b: Float[Array, "n m"], s: float) -> float:
    """The index of a scatter stands twice in its place."""
    n = b.shape[0]
    y = scatter((n, 3, 4), b, lambda i, j: (j // 2, i // 2, i // 2))
    return np.sum(y[:, 0]) * s


def sum_of_one_number(b: Float[Array, "n m"]) -> float:
    """A sum that goes inside of a product leaves a number to be transposed."""
    n, m = b.shape
    rows = build(n, lambda i: scatter((n,), np.full((n, 3), 0.172) @ b[0, :3], lambda j: (i,)))
    return np.min(scatter((m,), rows, lambda i, j: (j - 1,)))


def every_second(x: Float[Array, "2*n"], y: Float[Array, "2*n+1"], z: Float[Array, "3*n"],
                 w: Float[Array, "n"]) -> float:
    """How many elements a step takes is known where what is over is known."""
    return (np.sum(x[::2] * x[1::2] ** 2 * w) + np.sum(y[::2]) * np.sum(y[1::2] ** 2)
            + np.sum(z[2::3] * z[1::3] * z[::3]) + np.sum(x[1:-1:2] * x[2::2]))


def read_at_one(x: Float[Array, "n d"], at: Int[Array, "n"], c: Float[Array, "k d"]) -> float:
    """Sums of what is 0 but at one place, which may be none, or that of another round, too."""
    apart = np.sum((x[:, None, :] - c) ** 2, axis=2)
    hot = scatter(apart.shape, np.ones(x.shape[0]), lambda i: (i, at[i]))
    return np.sum(np.exp(-np.sum(np.where(hot == 0.0, 0.0, -hot * apart), axis=1) / 20.0))


def added_at_one(x: Float[Array, "n d"], at: Int[Array, "n"], w: Float[Array, "k"]) -> float:
    far = np.sum(x * x, axis=1)
    hot = scatter((x.shape[0], w.shape[0]), np.ones(x.shape[0]), lambda i: (i, at[i]))
    all = np.where(hot == 0.0, 0.0, 2.0 * hot * np.log(1.0 + far)[:, None])
    return np.sum(np.sin(np.sum(all, axis=0)) * w)


def nearest(c: Float[Array, "k d"], x: Float[Array, "n d"]) -> float:
    """Each is nearest to itself: half of a difference that is 0."""
    apart = np.sum((np.concatenate([x, c])[:, None, :] - c) ** 2, axis=2)
    return np.sum(np.min(apart, axis=1)) + np.sum(np.max(np.sqrt(1.0 + apart), axis=0))


def few_places(x: Float[Array, "n"], w: Float[Array, "n"], edge: Float[Array, "b"]) -> float:
    """Sums over fewer numbers than there are partial sums, of which the C compiler knows."""
    at = np.sum(np.where(x[:, None] > edge, 1, 0), axis=1)
    h = scatter((5,), w * x, lambda i: at[i])
    g = scatter((3, 7), x * x, lambda i: (at[i], i))
    return np.sum(h ** 2) + np.sum(np.exp(np.sum(np.tanh(g), axis=1))) + np.max(h) * np.sum(g)


def largest_of_logs(x: Float[Array, "n m"], w: Float[Array, "m"]) -> float:
    """What is not the largest may be -inf: its slope is in no derivative."""
    return np.sum(np.exp(np.max(np.log(np.maximum(x, 0.0)) + w, axis=1)))


def added_in_a_branch(x: Float[Array, "n"], at: Int[Array, "n"], a: float) -> float:
    z = x * 2.0
    if a > 0.0:
        np.add.at(z, at, a * x)
    return np.sum(z * z)


def list_of_a_size(x: Float[Array, "n"], a: float) -> float:
    y = [a, 2.0] * x.shape[0]
    return np.sum(np.array(y) ** 2) * x[0]


def stores_from_the_end(x: Float[Array, "n"]) -> float:
    """The variable of a loop is not the number of its round."""
    y, z = np.zeros(x.shape[0]), np.zeros(x.shape[0])
    for i in reversed(range(x.shape[0])):
        y[i] = x[i] * x[i]
    for i in range(1, x.shape[0]):
        z[i] = y[i] * x[i - 1]
    return np.sum(z * x)


def stored_windows(x: Float[Array, "n"]) -> float:
    y = x * 2.0
    for i in range(x.shape[0] - 2):
        y[i:i + 2] = y[i:i + 2] * x[i + 2]
    return np.sum(y * y)


def stored_condition(x: Float[Array, "n"]) -> float:
    c = x > 0.0
    c[0] = True
    return np.sum(np.where(c, x * x, 0.0))


def slices_of_parameters(x: Float[Array, "n m"], t: int) -> float:
    y = x * 1.0
    y[-2:, :t] = x[:2, :t] ** 2
    return np.sum(y * x) + np.sum(x[:, 1:-1])


def third(x: Float[Array, "n"], y: Float[Array, "n d"]) -> float:
    """Elements and rows that are there where the condition holds."""
    row = np.sum(np.tanh(y[2] * y[0])) if y.shape[0] > 2 else np.sum(y)
    return row * (x[3] * x[0] if x.shape[0] > 3 else np.sum(x))


def shorter(x: Float[Array, "n"]) -> float:
    """Slices and arrays that would have a negative length where they are not made."""
    n = x.shape[0]
    if n < 3:
        return np.sum(x * x)
    y = np.zeros(n - 2)
    for i in range(n - 2):
        y[i] = x[i] * x[i + 1] - x[i + 2]
    return np.sum(y ** 2) + np.sum(x[2:] * x[:-2])


def looks_ahead(x: Float[Array, "n"]) -> float:
    n = x.shape[0]
    y = x * 1.0
    for i in range(n):
        y[i] = y[i] * x[i] + (y[i + 1] if i + 1 < n else 0.5)
    for i in range(n):
        if i + 2 < n:
            y[i] = y[i + 2] * y[i]
        else:
            y[i] += 1.0
    return np.sum(y)


def element_of_a_parameter(x: Float[Array, "n"], t: int) -> float:
    return x[t] * x[0] if 0 <= t and t < x.shape[0] else np.sum(x)


def elements_change_places(x: Float[Array, "n"]) -> float:
    """An element that has a name is a number, which a store into its array leaves as it was."""
    y = x * 1.0
    for i in range(len(y) - 1):
        a = y[i]
        y[i] = y[i + 1]
        y[i + 1] = a * 0.9
    first, second = y[0], y[-1]
    y[0] = second * 2.0
    y[-1] = first
    return np.sum(y * np.arange(len(y)) + y * y)


def augmented_where(x: Float[Array, "n"], a: float) -> float:
    """The number e of `y[c] += e` is that of all elements, and only some are stored."""
    y, k = x * 1.0, np.zeros_like(x)
    y[x > 0.3] += a
    y[y < 0.0] /= 3.0
    k[x > 0.3] += 1
    root = np.sqrt(x)
    return np.sum(y * y * k) + np.sum(np.where(np.isnan(root) | np.isinf(x), x * x, root) * y)


def logs_of_nothing(x: Float[Array, "n"]) -> float:
    """The sum of two that are 0 is 0, and has no slope that is NaN."""
    y = np.where(x > 0.0, x, -np.inf)
    z = -np.inf
    for i in range(len(x)):
        z = np.logaddexp(z, y[i])
    return np.exp(z) + np.sum(np.exp(np.logaddexp(y, y[::-1])))


def defaults_of_functions(x: Float[Array, "n"]) -> float:
    """A default is what it was where the function was defined."""
    fs, a = [], 2.0
    for i in range(3):
        fs.append(lambda v, i=i: v * i)

    def scaled(v, by=a):
        return v * by
    a = 7.0
    return sum(np.sum(f(x) ** 2) for f in fs) + np.sum(scaled(x)) * a


def stored_in_and_behind(x: Float[Array, "n"]) -> float:
    y, rows = np.zeros(len(x)), []
    for i in range(len(x)):
        y[i] = x[i] ** 2
        rows.append(y.copy())
    y[0] = 5.0
    y += 1.0
    for r in y:
        y = y * 0.5 + r
    return np.sum(y * x) + np.sum(np.stack(rows) ** 2)


HOT = {"at": (-2, 6)}
RANGES = {"slices_of_parameters": {"t": (0, 2)}, "element_of_a_parameter": {"t": (-3, 6)},
          "added_in_a_branch": {"at": (0, 2)},
          "added_at_one": HOT, "read_at_one": HOT, "largest_of_logs": {"x": (-1.0, 2.0)}}
SIZES = {"stored_windows": {"n": 6}, "sum_of_one_number": {"m": 4},
         "added_in_a_branch": {"n": 4},
         "slices_of_parameters": {"n": 4, "m": 5},
         "added_at_one": {"k": 4, "n": 7}, "read_at_one": {"k": 4, "n": 7},
         "largest_of_logs": {"n": 6}}


def left_inside(x: Float[Array, "n"]) -> float:
    """A branch within a branch returns, and the other paths go on to the end of the function."""
    a = x * 2.0
    if x[0] > 0.1:
        if x[1] > 0.2:
            a = a * x[0]
            if x[0] > x[1]:
                return np.sum(a)
        else:
            a = a + x[1]
        a = a * x[0]
    elif x[1] > 0.4:
        if x[0] > -0.4:
            return a[0] * a[1]
    for i in range(2):
        a = a * x[i]
    return np.sum(a) * x[0]


def both_arms_swap(x: Float[Array, "n"], s: float) -> float:
    """After a branch a name has the value that both arms give it."""
    y, z = x * 0.5, x * 0.25
    if s > 0.2:
        y, z = z, y
        s = s * 2.0
    else:
        y, z = z, y
    if s > 0.1:
        w = z
        z = x
    else:
        w = z
        z = x
    return np.sum(np.sin(y)) * s + np.sum(w * w) + np.sum(np.cos(z))


def written_and_not_read(x: Float[Array, "n"], c: Float[Array, "3"], s: float) -> float:
    """C compilers warn of an array that is only stored to."""
    y = np.max(np.full((x.shape[0], 3), 0.3), axis=1) * 1.0
    z = np.where(gather((3,), np.full((3, 3, 3), 0.6), lambda: (3, 2)) > -0.8,
                 np.full((3,), 0.9), c) * 1.0
    z[-1] = -c[0]
    w = z[2]
    if w - s > -0.2:
        y[0] *= w
    return np.sum(np.sin(y)) + np.sum(np.sin(c)) + np.sin(w) + np.sum(x) * s


def nested_tests(x: Float[Array, "n n"], b: Float[Array, "n m"], s: float) -> float:
    """They become one condition, which calls a function."""
    y = build(x.shape[0], lambda i: build(x.shape[0], lambda j: s)) * 1.0
    if b[1, 1] > 0.84:
        if s * np.log(2.0 + np.cos(s)) > -0.19:
            z = y.copy()
        else:
            z = y[:, 0] + 0.1
    return np.sum(np.sin(y)) * np.sum(x)


def kept_and_reshaped(z: Float[Array, "n 1"]) -> float:
    """A row of what the rounds keep is read in another shape: it was the first one."""
    x = np.zeros(2)
    total = 0.0
    for zi in z:
        gap = zi - x[:1]
        x = x + np.array([0.5, 0.3]) * gap
        total += gap @ gap
    return total


def column_reshaped(z: Float[Array, "n m"]) -> float:
    """Of what is put into a column the elements do not lie together."""
    n, m = z.shape
    y = np.zeros((2, m, n))
    x = np.zeros(2 * m)
    for i in range(n):
        r = np.array([np.sin(z[i] + x[:m]), np.cos(z[i])])
        y[:, :, i] = r
        x = x * 0.5 + r.reshape(2 * m)
    return np.sum(y ** 3) + np.sum(x)
