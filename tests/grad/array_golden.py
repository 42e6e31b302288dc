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
    "natural": ["window_b", "masked_b", "mlp_a", "attention_a", "lstm_b", "lstm_c", "cums", "tri"],
}
FUNCTIONS = ["exp", "log", "sqrt", "tanh", "sin", "cos", "log1p"]


class Exact:
    """numpy with functions of many digits, and with new arrays of objects, so that what is stored
    into them keeps its digits."""

    def __getattr__(self, name: str) -> Any:
        import mpmath
        f = getattr(np, name)
        if name in FUNCTIONS:
            each = np.vectorize(getattr(mpmath, name), otypes=[object])
            return lambda x: each(x)[()]
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
    module = ac.load(ac.HERE / "arrays" / f"{file}.py")
    args = inputs_of(module, name)
    module.np = Exact()
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

    gradient = [[mpmath.nstr((at(i, place, step) - at(i, place, -step)) / (2 * step), 80)
                 for place in np.ndindex(*np.shape(a))]
                for i, a in enumerate(args) if np.asarray(a).dtype.kind == "f"]
    return {"value": mpmath.nstr(at(-1, None, 0), 80), "gradient": gradient}


def make() -> None:
    golden = {file: {name: exact_numbers(file, name) for name in names}
              for file, names in PROGRAMS.items()}
    FILE.write_text(json.dumps(golden, indent=0, sort_keys=True) + "\n")


def faults_of(file: str, name: str, text: str, folder: pathlib.Path, want: Any) -> list[str]:
    made = folder / f"made_{file}_{name}.py"
    made.write_text(text)
    args = inputs_of(ac.load(ac.HERE / "arrays" / f"{file}.py"), name)
    value, grads = getattr(ac.load(made), f"{name}_value_and_grad")(*args)
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
            text = pathlib.Path(f"{out}.numpy")
            faults = [line] if line != "ok" else \
                faults_of(path.stem, f, text.read_text(), folder, golden[path.stem][f])
            for fault in faults:
                print(f"{path.name}:{f}: {fault}")
            bad += bool(faults)
    print(f"array programs with 80 digits: {len(jobs)}, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
