"""Gradients of array programs in C against plain loops for their values: CPU time on one core,
least of interleaved rounds.

bench_arrays.py --compiler PYCHORALC [--rounds N] [--all]. A row counts only if the value is that of
the plain loops and the gradient that of the one in numpy (rho <= 1e-11). `--all`: GMM in 25 sizes.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent / "grad"
sys.path.insert(0, str(HERE.parents[2] / "runtime" / "python"))
FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
Sizes = dict[str, int]

# The function, whose gradient is wanted, its sizes, and what is to be reached.
ROWS: list[tuple[str, str, Sizes, float]] = [
    ("dot", "", {"n": 1000}, 1.1), ("dot", "", {"n": 1_000_000}, 1.1),
    ("lse", "", {"n": 10_000}, 1.0), ("llsq", "x", {"m": 16, "n": 4000}, 1.3),
    ("matmul", "a,b", {"n": 200, "m": 200, "p": 200}, 3.0),
    ("conv2d", "kernel", {"h": 200, "w": 200, "p": 5, "q": 5}, 2.0),
    ("mlp", "w1,b1,w2,b2", {"h": 50, "d": 784, "o": 10, "n": 1}, 2.1),
    ("mlp", "w1,b1,w2,b2", {"h": 50, "d": 784, "o": 10, "n": 100}, 2.1),
]
GMM_SOME = [(2, 5), (10, 10), (20, 25), (64, 25)]
GMM_ALL = [(d, k) for d in (2, 10, 20, 32, 64) for k in (5, 10, 25, 50, 100)]


def library(source: Path, folder: Path, *more: str) -> ctypes.CDLL:
    made = folder / f"{source.stem}{len(more)}.so"
    subprocess.run(["gcc", *FLAGS, *more, str(source), "-o", str(made), "-lm", "-lpthread"],
                   check=True)
    return ctypes.CDLL(str(made))


class Function:
    """A function of arrays.py with its gradient: in C, in numpy, and as plain loops."""

    def __init__(self, compiler: str, name: str, wrt: str, folder: Path,
                 plain: ctypes.CDLL) -> None:
        self.name, self.wrt = name, wrt.split(",") if wrt else []
        text, python = folder / f"{name}.c", folder / f"{name}_numpy.py"
        options = [f"--wrt={wrt}"] if wrt else []
        start = time.perf_counter()
        for output in (text, python):
            subprocess.run([compiler, "grad", f"{HERE / 'arrays.py'}:{name}", *options, "-q", "-o",
                            str(output)], check=True)
        self.generated = (time.perf_counter() - start) / 2
        self.text = text
        made = library(text, folder)
        self.gradient = getattr(made, f"{name}_value_and_grad")
        self.plain = getattr(plain, f"{name}_ref")
        self.gradient.restype = self.plain.restype = ctypes.c_double
        self.numpy = load(python)
        self.shapes = load(HERE / "arrays.py").__dict__[name].__annotations__


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def least(calls: list[Callable[[], Any]], rounds: int) -> list[float]:
    best = [math.inf] * len(calls)
    repeats = [1] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            spent = 0.0
            while spent < 0.005:
                start = time.process_time()
                for _ in range(repeats[i]):
                    call()
                spent = time.process_time() - start
                if spent < 0.005:
                    repeats[i] *= 2
            best[i] = min(best[i], spent / repeats[i])
    return best


def rho(x: Any, y: Any) -> float:
    return float(np.max(np.abs(x - y) / np.maximum(1, np.abs(x) + np.abs(y)), initial=0.0))


def measure(f: Function, sizes: Sizes, rounds: int) -> tuple[float, float]:
    """Seconds of the plain loops and of the gradient."""
    rng = np.random.default_rng(1)
    values: dict[str, Any] = {}
    for name, annotation in f.shapes.items():
        if name == "return":
            continue
        if annotation is float:
            values[name] = 1.3
        elif annotation is int:
            values[name] = 2
        else:
            shape = tuple(eval(part, {}, sizes) for part in annotation.__metadata__[0].split())
            values[name] = rng.uniform(-0.5, 0.5, shape)
    wrt = f.wrt or [name for name, v in values.items() if np.asarray(v).dtype.kind == "f"]
    grads = [np.empty(np.shape(values[name])) for name in wrt]

    def pointer(a: Any) -> Any:
        return ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else \
            ctypes.c_double(a) if isinstance(a, float) else ctypes.c_int64(a)

    inputs = [ctypes.c_int64(n) for n in sizes.values()] + [pointer(v) for v in values.values()]
    outputs = [pointer(g) for g in grads]
    plain_inputs = inputs + outputs if f.name == "dot" else inputs
    value, true = getattr(f.numpy, f"{f.name}_value_and_grad")(*values.values())
    got = f.gradient(*inputs, *outputs)
    gaps = [rho(g, t) for g, t in zip(grads, [true] if len(wrt) == 1 else true)]
    assert max(gaps) <= 1e-11 and rho(got, value) <= 1e-11, (f.name, sizes, gaps, got, value)
    assert rho(f.plain(*plain_inputs), value) <= 1e-11, (f.name, sizes)
    plain, gradient = least([lambda: f.plain(*plain_inputs),
                             lambda: f.gradient(*inputs, *outputs)], rounds)
    return plain, gradient


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--all", action="store_true")
    o = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'':36}{'us, plain':>12}{'gradient':>12}{'ratio':>8}{'goal':>7}")
    with tempfile.TemporaryDirectory(prefix="pychoral-bench-") as name:
        folder = Path(name)
        plain = library(HERE / "arrays.c", folder, "-Wno-unused")
        made: dict[str, Function] = {}
        rows = ROWS + [("gmm", "alphas,means,q,l", {"k": k, "d": d, "e": d * (d - 1) // 2,
                                                    "n": 1000}, 1.0)
                       for d, k in (GMM_ALL if o.all else GMM_SOME)]
        ratios = []
        for function, wrt, sizes, goal in rows:
            if function not in made:
                made[function] = Function(o.compiler, function, wrt, folder, plain)
            first, second = measure(made[function], sizes, o.rounds)
            label = f"{function} {' '.join(f'{k}={v}' for k, v in sizes.items())}"
            print(f"{label:36}{first * 1e6:12.2f}{second * 1e6:12.2f}{second / first:8.2f}"
                  f"{goal:7.1f}", flush=True)
            if function == "gmm":
                ratios.append(second / first)
        print(f"{'gmm, geometric mean':36}{np.exp(np.mean(np.log(ratios))):32.2f}{1.0:7.1f}")
        start = time.process_time(), os.times().children_user
        subprocess.run(["gcc", "-O2", "-c", str(made["gmm"].text), "-o", str(folder / "x.o")],
                       check=True)
        print(f"{'gmm: generated, compiled (-O2)':36}{made['gmm'].generated * 1e3:9.0f} ms"
              f"{(os.times().children_user - start[1]) * 1e3:9.0f} ms")


if __name__ == "__main__":
    main()
