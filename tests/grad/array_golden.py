"""Gradients of array programs against numbers with 80 digits.

    python3 tests/grad/array_golden.py TOOL             compare: rho <= 1e-11
    python3 tests/grad/array_golden.py --make           compute array_golden.json, with mpmath

The numbers are central differences of the source itself, run by numpy on arrays of objects with 200
digits, with steps of 1e-60.
"""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile
from typing import Any

import numpy as np

import array_check as ac

FILE = ac.HERE / "array_golden.json"
PROGRAMS = {
    "loops": ["rnn", "rnn_losses", "lstm", "euler", "rk4", "power", "nested", "cumprod", "batch",
              "branch", "down", "mask", "product", "picked"],
    "models": ["gmm", "attention", "nearest", "nearest_index", "lstm", "window", "conv2d"],
    "users": ["gmm_lower", "gmm_spheres", "moving", "strided", "pooled", "roots", "roots_each",
              "entropy", "norm_at_zero", "mlp", "classes", "bags", "picked", "added", "counted",
              "attention", "causal", "centre", "centre_index", "lstm_steps", "gru", "stacked"],
    "eight": ["tied_mixture", "window_scores", "measures", "normed_net", "graph", "heads",
              "clusters", "peephole"],
    "found": ["largest_of_logs"],
    "natural": ["window_b", "masked_b", "mlp_a", "attention_a", "lstm_b", "lstm_c", "cums", "tri"],
}
FUNCTIONS = ["exp", "log", "sqrt", "tanh", "sin", "cos", "log1p", "arctan2"]


def total(name: str) -> Any:
    """A function of mpmath that is no number where that of numpy is none, and -inf at a pole."""
    import mpmath
    least = {"log": 0, "sqrt": -1e-300, "log1p": -1}.get(name)
    f = getattr(mpmath, {"arctan2": "atan2"}.get(name, name))

    def each(*x: Any) -> Any:
        x = tuple(v.item() if isinstance(v, np.ndarray) else v for v in x)
        if name != "sqrt" and x[0] == least:
            return mpmath.ninf
        return mpmath.nan if least is not None and x[0] <= least else f(*x)
    return each


def einsum(text: str, *arrays: Any) -> Any:
    """Of arrays of objects, whose letters differ."""
    ins, out = text.split("->")
    letters = sorted(set(ins) - {","})
    product: Any = 1
    for names, x in zip(ins.split(","), arrays):
        x = np.transpose(x, np.argsort(list(names)))
        at = tuple(slice(None) if letter in names else None for letter in letters)
        product = product * x[at]
    left = [letter for letter in letters if letter in out]
    summed = np.sum(product, axis=tuple(i for i, c in enumerate(letters) if c not in out))
    return np.transpose(summed, [left.index(letter) for letter in out])


class Exact:
    """numpy with functions of many digits, and with new arrays of objects, so that what is stored
    into them keeps its digits."""

    def __getattr__(self, name: str) -> Any:
        if name == "linalg":
            return self
        if name == "einsum":
            return einsum
        if name == "norm":
            return lambda x, axis=None: self.sqrt(np.sum(x * x, axis=axis))
        f = getattr(np, name)
        if name in FUNCTIONS:
            each = np.vectorize(total(name), otypes=[object])
            return lambda *x: each(*x)[()]
        if name not in ("zeros", "ones", "zeros_like", "ones_like", "full", "eye"):
            return f
        return lambda *args, **keywords: f(*args, **keywords).astype(object)


def inputs_of(module: Any, name: str) -> list[Any]:
    sizes = getattr(module, "SIZES", {}).get(name, {})
    ranges = getattr(module, "RANGES", {}).get(name, {})
    return ac.Inputs(getattr(module, name), np.random.default_rng(11), sizes, ranges).values


def exact_numbers(file: str, name: str) -> dict[str, Any]:
    import mpmath
    mpmath.mp.dps = 200
    divide = mpmath.mpf.__truediv__
    mpmath.mpf.__truediv__ = lambda x, y: divide(x, y) if y != 0 else mpmath.nan
    mpmath.mpf.__rtruediv__ = lambda y, x: mpmath.mpf(x) / y
    module = ac.load(ac.HERE / "arrays" / f"{file}.py")
    args = inputs_of(module, name)
    module.np = module.math = Exact()
    step = mpmath.mpf(10) ** -60

    def at(i: int, place: Any, by: Any) -> Any:
        moved = []
        for k, a in enumerate(args):
            if np.asarray(a).dtype.kind == "f":
                a = np.vectorize(mpmath.mpf, otypes=[object])(a)
                if k == i:
                    a[place] += by
            moved.append(a[()] if isinstance(a, np.ndarray) and a.ndim == 0 else a)
        result = getattr(module, name)(*moved)
        return result if not isinstance(result, np.ndarray) else result[()]

    def number(x: Any) -> Any:
        return x.item() if isinstance(x, np.ndarray) else x

    gradient = [[mpmath.nstr(number((at(i, place, step) - at(i, place, -step)) / (2 * step)), 80)
                 for place in np.ndindex(*np.shape(a))]
                for i, a in enumerate(args) if np.asarray(a).dtype.kind == "f"]
    return {"value": mpmath.nstr(number(at(-1, None, 0)), 80), "gradient": gradient}


def make() -> None:
    """Of what is not there yet."""
    golden = json.loads(FILE.read_text())
    golden = {file: {name: golden.get(file, {}).get(name) or exact_numbers(file, name)
                     for name in names} for file, names in PROGRAMS.items()}
    FILE.write_text(json.dumps(golden, indent=0, sort_keys=True) + "\n")


def faults_of(file: str, name: str, made: Any, want: Any) -> list[str]:
    """What is wrong with the gradient that a module has."""
    args = inputs_of(ac.load(ac.HERE / "arrays" / f"{file}.py"), name)
    value, grads = getattr(made, f"{name}_value_and_grad")(*args)
    grads = grads if isinstance(grads, tuple) else (grads,)
    faults = [] if ac.rho(value, ac.LONG(want["value"])) < 1e-11 else ["the value differs"]
    for i, (found, numbers) in enumerate(zip(grads, want["gradient"], strict=True)):
        expected = np.array([ac.LONG(x) for x in numbers])
        if ac.rho(np.ravel(found), expected) > 1e-11:
            faults.append(f"the derivative by argument {i} differs")
    return faults


def main() -> int:
    if sys.argv[1] == "--make":
        make()
        return 0
    golden = json.loads(FILE.read_text())
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        jobs = [(ac.HERE / "arrays" / f"{file}.py", f, folder / f"{file}_{f}")
                for file, names in PROGRAMS.items() for f in names]
        for (path, f, out), line in zip(jobs, ac.compile_all(sys.argv[1], jobs)):
            made = folder / f"made_{path.stem}_{f}.py"
            if line == "ok":
                made.write_text(pathlib.Path(f"{out}.numpy").read_text())
            faults = [line] if line != "ok" else \
                faults_of(path.stem, f, ac.load(made), golden[path.stem][f])
            for fault in faults:
                print(f"{path.name}:{f}: {fault}")
            bad += bool(faults)
    print(f"array programs with 80 digits: {len(jobs)}, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
