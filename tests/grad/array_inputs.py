"""Array functions in C on inputs at the edge: sizes that disagree, nothing, places out of range.

    python3 tests/grad/array_inputs.py COMPILER
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

import array_c

TEXT = """import numpy as np

from pychoral.ad import Array, Float, Int, build, gather, scatter


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


def guarded(x: Float[Array, "n"]) -> float:
    return np.sum(np.where(x > 0.0, np.sqrt(x) * np.log(x) / x, x * x))
"""


def raised(call: Callable[[], Any], kind: type[Exception]) -> bool:
    try:
        call()
    except kind:
        return True
    return False


def equal(got: Any, value: float, gradient: Any) -> bool:
    return bool(abs(got[0] - value) < 1e-12 and np.allclose(got[1], gradient, 1e-12, 1e-12))


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "edge.py").write_text(TEXT)
        twins: dict[str, Any] = {}
        for line in TEXT.splitlines():
            if line.startswith("def "):
                function = line[4:line.index("(")]
                subprocess.run([sys.argv[1], "grad", f"{folder / 'edge.py'}:{function}", "-q", "-o",
                                str(folder / f"{function}_c.c")], check=True)
                twin = array_c.module_of(folder / f"{function}_c.py")
                twin._FLAGS = ["-O1", "-shared", "-fPIC"]
                twins[function] = getattr(twin, f"{function}_value_and_grad")
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
            "an arm not taken": equal(twins["guarded"](np.array([0.0, -1.0])), 1.0, [0.0, -2.0]),
        }
        for what, right in checks.items():
            if not right:
                print(f"{what}: wrong")
    bad = list(checks.values()).count(False)
    print(f"inputs of array functions in C: {len(checks)}, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
