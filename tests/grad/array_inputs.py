"""Array functions in C on inputs at the edge: sizes that disagree, nothing, places out of range.
What a slice reaches is checked in numpy too.

    python3 tests/grad/array_inputs.py COMPILER
"""

from __future__ import annotations

import ctypes
import functools
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

import array_c

TEXT = """import numpy as np

from pychoral.ad import Array, Float, Int, build, gather, grad, scatter


def same(a: Float[Array, "n"], b: Float[Array, "n"]) -> float:
    return np.sum(a * np.exp(b))


def second(a: Float[Array, "n"]) -> float:
    return a[1] * a[1]


def largest(a: Float[Array, "n m"]) -> float:
    return np.sum(np.max(a, axis=1))


def picked(a: Float[Array, "n"], at: Int[Array, "m"]) -> float:
    return np.sum(gather(at.shape, np.cos(a), lambda i: at[i]) * 2.0)


def spread(a: Float[Array, "n"], at: Int[Array, "n"]) -> float:
    return np.sum(scatter((3,), a, lambda i: at[i]) ** 2)


def window(a: Float[Array, "n"], w: Float[Array, "k"]) -> float:
    n, k = a.shape[0], w.shape[0]
    return np.sum(build(n - k + 1, lambda j: sum(a[i + j] * w[i] for i in range(k))))


def named(h: Float[Array, "h"], w: Float[Array, "in out"], value: Float[Array, "value"]) -> float:
    return np.sum(h) * np.sum(np.tanh(w)) + np.sum(value ** 2) * w.shape[0]


def moved(x: Float[Array, "n"], by: int) -> float:
    return np.sum(gather((4,), x, lambda i: i + by) ** 2)


def outer(x: Float[Array, "n"], y: Float[Array, "m"]) -> float:
    z = build((x.shape[0], x.shape[0], y.shape[0], y.shape[0]),
              lambda i, j, k, l: np.exp(x[i] * y[k]) * x[j] * y[l])
    return np.sum(z / np.max(z))


def thrice(x: Float[Array, "n"]) -> float:
    n = x.shape[0]
    return np.sum(np.reshape(np.exp(x)[:, None, None] * x[:, None] * x, (n * n * n,))[::-1])


def table(x: Float[Array, "n"]):
    return x * x[1]


def guarded(x: Float[Array, "n"]) -> float:
    return np.sum(np.where(x > 0.0, np.sqrt(x) * np.log(x) / x, x * x))


def first(x: Float[Array, "n"], t: int) -> float:
    return np.sum(x[:t] + 1.0)


def rest(x: Float[Array, "n"], t: int) -> float:
    return np.sum(x[t:] + 1.0)


def columns(x: Float[Array, "n m"]) -> float:
    return np.sum(x[:, -5:] + 1.0)


def rows(x: Float[Array, "n m"], y: Float[Array, "k"]) -> float:
    return np.sum(x[:y.shape[0]] + 1.0)


def stepped(x: Float[Array, "n"]) -> float:
    return np.sum(x[:4:2] + 1.0)


def pairs(x: Float[Array, "n"], m: int) -> float:
    return sum(np.sum(x[i:i + 2] + 1.0) for i in range(m))


def moving(x: Float[Array, "n"], m: int) -> float:
    t, s = 0, 0.0
    for _ in range(m):
        s = s * 0.5 + np.sum(x[t:t + 2] + 1.0)
        t = t + 1
    return s


def taken(x: Float[Array, "n"]) -> float:
    return np.sum(x[:5] + 1.0) if x.shape[0] > 4 else x[0]


def stored(x: Float[Array, "n"], t: int) -> float:
    y = x * 2.0
    y[t:] = 1.0
    return np.sum(y)


def stored_last(x: Float[Array, "n m"]) -> float:
    y = x * 2.0
    y[:, -5:] = 1.0
    return np.sum(y)


def stored_pairs(x: Float[Array, "n"], m: int) -> float:
    y = x * 2.0
    for i in range(m):
        y[i:i + 2] = y[i:i + 2] * 2.0
    return np.sum(y)


def inside(x: Float[Array, "n"], y: Float[Array, "k"], z: Float[Array, "m*k"],
           w: Float[Array, "m"]) -> float:
    n, k = x.shape[0], y.shape[0]
    u = x * 2.0
    for i in range(n - k + 1):
        u[i:i + k] = np.tanh(u[i:i + k] * y)
    return np.sum(u) + sum(np.tanh(np.sum(z[i * k:(i + 1) * k] * y)) * w[i]
                           for i in range(w.shape[0]))


def slope(x: Float[Array, "n"], m: int) -> float:
    t, s = 0, 0.0
    for _ in range(m):
        s = s * 0.5 + np.sum(grad(lambda z: np.sum(z[t:t + 2] ** 3))(x))
        t = t + 1
    return s


def below(x: Float[Array, "n"], k: int) -> float:
    assert k < len(x), "too large"
    return x[0] * k


def bounded(x: Float[Array, "n"], t: float) -> float:
    s = 0.0
    for v in x:
        s = s * 0.5 + v
        if v > 0.15:
            assert s < t
    return s


def matching(x: Float[Array, "n m"], y: Float[Array, "k"]) -> float:
    assert x.shape[0] == len(y)
    if len(y) > 2:
        assert x.shape[1] > 1
    return np.sum(x) + np.sum(y)


def each_bounded(x: Float[Array, "n"], t: float) -> float:
    def bounded(v):
        assert v < t
        return v * v
    return sum(bounded(v) for v in x)


def few(x: Float[Array, "n"]) -> float:
    for v in x:
        assert len(x) < 3
    return np.sum(x * x)
"""

# (function, arguments, whether the slice is inside or the `assert` holds); `inside` needs no check.
THREE, PLANE = np.array([0.1, 0.2, 0.3]), np.ones((3, 5))
SLICES: list[tuple[str, tuple[Any, ...], bool]] = [
    ("first", (THREE, 3), True), ("first", (THREE, 0), True),
    ("first", (THREE, 4), False), ("first", (THREE, -1), False),
    ("rest", (THREE, 3), True), ("rest", (THREE, 4), False), ("rest", (THREE, -1), False),
    ("columns", (PLANE,), True), ("columns", (PLANE[:, :4],), False),
    ("rows", (PLANE, THREE), True), ("rows", (PLANE[:2], THREE), False),
    ("stepped", (PLANE[0],), True), ("stepped", (THREE,), False),
    ("pairs", (THREE, 2), True), ("pairs", (THREE, 0), True), ("pairs", (THREE, 3), False),
    ("moving", (THREE, 2), True), ("moving", (THREE, 3), False),
    ("taken", (PLANE[0],), True), ("taken", (THREE,), True),
    ("stored", (THREE, 1), True), ("stored", (THREE, 4), False), ("stored", (THREE, -1), False),
    ("stored_last", (PLANE,), True), ("stored_last", (PLANE[:, :4],), False),
    ("stored_pairs", (THREE, 2), True), ("stored_pairs", (THREE, 3), False),
    ("below", (THREE, 2), True), ("below", (THREE, 3), False),
    ("bounded", (THREE, 0.5), True), ("bounded", (THREE, 0.3), False),
    ("bounded", (THREE[:1], -1.0), True), ("bounded", (THREE[:0], -1.0), True),
    ("matching", (PLANE, THREE), True), ("matching", (PLANE[:2], THREE), False),
    ("matching", (PLANE[:, :1], THREE), False), ("matching", (PLANE[:2, :1], THREE[:2]), True),
    ("each_bounded", (THREE, 0.5), True), ("each_bounded", (THREE, 0.2), False),
    ("each_bounded", (THREE[:0], -1.0), True),
    ("few", (THREE,), False), ("few", (THREE[:2],), True), ("few", (THREE[:0],), True),
    ("inside", (THREE, THREE[:2], PLANE[0, :4], THREE[:2]), True),
]


def raised(call: Callable[[], Any], *kinds: type[Exception]) -> bool:
    try:
        call()
    except kinds:
        return True
    return False


def equal(got: Any, value: float, gradient: Any) -> bool:
    return bool(abs(got[0] - value) < 1e-12 and np.allclose(got[1], gradient, 1e-12, 1e-12))


def unset(twin: Any, function: str, sizes: list[int], *lengths: int) -> str:
    """What a call from C raises; nothing, if it leaves an array that it would set as it was."""
    arrays = [np.full(length, 0.5) for length in lengths]
    run = getattr(ctypes.CDLL(str(twin._compiled())), function)
    error = getattr(ctypes.CDLL(str(twin._compiled())), twin._ERROR)
    error.restype = ctypes.c_char_p
    run(*map(ctypes.c_int64, sizes), *(ctypes.c_void_p(a.ctypes.data) for a in arrays))
    inputs = len(lengths) // 2
    left = all(np.all(np.isnan(a)) for a in arrays[inputs:])
    return (error() or b": ").decode().split(": ")[1] if left else ""


def check_slices(twins: dict[str, Any], texts: dict[str, str]) -> dict[str, bool]:
    """A slice that is inside has the value of the source; any other is refused."""
    source: dict[str, Any] = {}
    exec(TEXT, source)
    checks = {f"no check of `inside` in {kind}": "an index is out of range" not in text
              for kind, text in texts.items()}
    for name, args, inside in SLICES:
        for kind in ("c", "numpy"):
            call = twins[f"{name}_{kind}"]
            what = f"{name}({', '.join(map(str, args))}) in {kind}"
            checks[what] = (abs(call(*args)[0] - source[name](*args)) < 1e-12 if inside
                            else raised(functools.partial(call, *args), IndexError, ValueError))
    return checks


def main() -> int:
    largest, many = 2 ** 63 - 1, np.ones(2 ** 16)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "edge.py").write_text(TEXT)
        twins: dict[str, Any] = {}
        modules: dict[str, Any] = {}
        for line in TEXT.splitlines():
            if line.startswith("def "):
                function = line[4:line.index("(")]
                subprocess.run([sys.argv[1], "grad", f"{folder / 'edge.py'}:{function}", "-q", "-o",
                                str(folder / f"{function}_c.c")], check=True)
                if any(function == name for name, _, _ in SLICES):
                    plain = folder / f"{function}_numpy.py"
                    subprocess.run([sys.argv[1], "grad", f"{folder / 'edge.py'}:{function}", "-q",
                                    "-o", str(plain)], check=True)
                    twins[f"{function}_numpy"] = getattr(array_c.module_of(plain),
                                                         f"{function}_value_and_grad")
                twin = array_c.module_of(folder / f"{function}_c.py")
                modules[function] = twin
                twin._FLAGS = ["-O1", "-shared", "-fPIC"]
                kind = "jacobian" if function == "table" else "grad"
                twins[function] = getattr(twin, f"{function}_value_and_{kind}")
                twins[f"{function}_c"] = twins[function]
        one, none = np.array([2.0]), np.array([])
        three = np.array([0.1, 0.2, 0.3])
        cos, sin = np.cos(three), np.sin(three)
        checks = {
            "two lengths": raised(lambda: twins["same"](three, one), ValueError),
            "two dimensions": raised(lambda: twins["same"](np.ones((2, 2)), three), ValueError),
            "nothing": equal(twins["same"](none, none), 0.0, np.zeros((2, 0))),
            "no second one": raised(lambda: twins["second"](one), IndexError),
            "the largest of none": raised(lambda: twins["largest"](np.ones((2, 0))), ValueError),
            "the largest of no rows": equal(twins["largest"](np.ones((0, 2))), 0.0,
                                            np.ones((0, 2))),
            "places out of range": equal(twins["picked"](three, np.array([0, 2, 2, 3, -1])),
                                         2.0 * (cos[0] + 2.0 * cos[2]),
                                         [-2.0 * sin[0], 0.0, -4.0 * sin[2]]),
            "no places": equal(twins["picked"](three, np.array([], dtype=int)), 0.0, np.zeros(3)),
            "added at one place": equal(twins["spread"](three, np.array([2, 2, 7])), 0.3 ** 2,
                                        [0.6, 0.6, 0.0]),
            "a window that is too long": raised(lambda: twins["window"](one, three), ValueError),
            "sizes with other meanings": np.allclose(np.concatenate([np.ravel(g) for g in twins[
                "named"](np.array([1.0, 2.0]), np.zeros((1, 2)), one)[1]]), [0, 0, 3, 3, 4]),
            "moved out of range": all(equal(twins["moved"](three, by), 0.0, np.zeros(3))
                                      for by in (largest, -largest - 1, largest // 2, 3, -4)),
            "moved": equal(twins["moved"](three, 1), 0.13, [0.0, 0.4, 0.6]),
            "too many elements": unset(modules["outer"], "outer_value_and_grad", [2 ** 62] * 2,
                                       0, 0, 0, 0) == "OverflowError",
            "too many in three dimensions": unset(modules["thrice"], "thrice_value_and_grad",
                                                  [2 ** 62], 0, 0) == "OverflowError",
            "too much memory": raised(lambda: twins["outer"](many, many), MemoryError),
            "and nothing of it": unset(modules["outer"], "outer_value_and_grad", [2 ** 16] * 2,
                                       *[2 ** 16] * 4) == "MemoryError",
            "no sizes": unset(modules["outer"], "outer_value_and_grad", [-1, 0],
                              0, 0, 0, 0) == "ValueError",
            "an index that is not there": unset(modules["second"], "second_value_and_grad", [1],
                                                1, 1) == "IndexError",
            "a row that is not there": unset(modules["table"], "table_value_and_jacobian", [1],
                                             1, 1, 1) == "IndexError",
            "the slope of a slice": abs(twins["slope"](three, 2)[0] - 0.075 - 0.39) < 1e-12,
            "the slope of no slice": raised(lambda: twins["slope"](three, 3), IndexError),
            "an arm not taken": equal(twins["guarded"](np.array([0.0, -1.0])), 1.0, [0.0, -2.0]),
        }
        checks |= check_slices(twins, {kind: (folder / f"inside_{kind}").read_text()
                                       for kind in ("c.c", "numpy.py")})
        for what, right in checks.items():
            if not right:
                print(f"{what}: wrong")
    bad = list(checks.values()).count(False)
    print(f"inputs of array functions in C: {len(checks)}, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
