"""lgamma, digamma and polygamma of arrays, in numpy and in C, against 60 digits.

    python3 tests/grad/special.py COMPILER
"""

from __future__ import annotations

import importlib.util
import math
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

SOURCE = """from scipy.special import gammaln, psi, polygamma
from pychoral.ad import Array, Float


def f0(x: Float[Array, "n"]) -> Float[Array, "n"]:
    return gammaln(x)


def f1(x: Float[Array, "n"]) -> Float[Array, "n"]:
    return psi(x)
"""
EACH = """

def f{k}(x: Float[Array, "n"]) -> Float[Array, "n"]:
    return polygamma({n}, x)
"""
ORDERS = (1, 2, 3, 6, 11)
# What scipy answers: at poles, of infinities and of NaN.
POLES = [0.0, -1.0, -2.0, -1e17, math.inf, -math.inf, math.nan]
OF_POLES = {0: [math.inf] * 6, 1: [-math.inf, *[math.nan] * 3, math.inf, math.nan],
            2: [math.inf] * 4 + [0.0, math.nan], 3: [math.nan] * 4 + [-0.0, math.nan]}


def truth(k: int, x: float) -> tuple[Any, float]:
    """The value, and by how much it changes if x does by one part."""
    def at(x: Any) -> Any:
        if k == 0:
            return mpmath.log(abs(mpmath.gamma(x)))
        return mpmath.psi(k - 1 if k < 2 else ORDERS[k - 2], x)
    x = mpmath.mpf(x)
    step = x * mpmath.mpf(10) ** -20
    return at(x), abs((at(x + step) - at(x)) / step * x)


def points(rng: np.random.Generator, lowest: float) -> list[float]:
    near = [0.5, 1.0, 1.5, 2.0, 11.999, 12.0, 26.0, 1e-12, -1e-12, 1e5, 1e15, -0.5, -1.5]
    return [*near, *rng.uniform(-1.0, 3.0, 60), *rng.uniform(lowest, 40.0, 60),
            *10.0 ** rng.uniform(-6.0, 8.0, 40)]


def load(path: pathlib.Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judge(k: int, what: str, f: Callable[[Any], Any], rng: np.random.Generator) -> list[str]:
    bad = []
    xs = np.array(points(rng, -20.0))
    for x, got in zip(xs, f(xs)):
        wanted, condition = truth(k, x)
        limit = 1e-14 * (abs(wanted) + condition) + (1e-15 if k < 2 else 0.0)
        if not abs(mpmath.mpf(got) - wanted) <= limit:
            bad.append(f"{what} f{k}({x!r}) is {got!r}, should be {float(wanted)!r}")
    for x, got, wanted in zip(POLES, f(np.array(POLES)), [*OF_POLES.get(k, []), math.nan]):
        if k in OF_POLES and not (got == wanted or got != got and wanted != wanted):
            bad.append(f"{what} f{k}({x!r}) is {got!r}, should be {wanted!r}")
    return bad


def main() -> int:
    mpmath.mp.dps = 60
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = SOURCE + "".join(EACH.format(k=i + 2, n=n) for i, n in enumerate(ORDERS))
        (folder / "special.py").write_text(source)
        for k in range(len(ORDERS) + 2):
            for output in (f"f{k}_np.py", f"f{k}.c"):
                subprocess.run([sys.argv[1], "grad", f"{folder}/special.py:f{k}",
                                "-o", f"{folder}/{output}"], check=True, capture_output=True)
            for what, path in (("numpy", f"f{k}_np.py"), ("C", f"f{k}.py")):
                f = getattr(load(folder / path), f"f{k}")
                bad += judge(k, what, f, np.random.default_rng(k))
    print(*bad[:20], sep="\n", end="\n" if bad else "")
    print(f"special functions: {len(ORDERS) + 2} functions, {len(bad)} faults")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
