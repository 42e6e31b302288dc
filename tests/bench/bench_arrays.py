"""Gradients of array programs in C against plain loops for their values: CPU time on one core,
least of interleaved rounds.

bench_arrays.py --compiler PYCHORALC [--rounds N] [--only NAME] [--few]. A row counts only if the
value is that of the plain loops and the derivatives are those in numpy (rho <= 1e-11). `--few`: GMM
in 4 sizes instead of 25. A row that misses its goal has a line with what it waits for. Below:
gradients in numpy against PyTorch, plain loops against ADOL-C, where these are installed.
"""

from __future__ import annotations

import os

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

import argparse
import ctypes
import importlib.util
import inspect
import math
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent / "grad"
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "runtime" / "python"))
FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC"]


@dataclass
class Row:
    name: str                       # NAME_ref of arrays.c, and of arrays.py if there is no `source`
    wrt: str
    sizes: dict[str, int]
    goal: float                     # of the ratio
    source: str = ""                # FILE:FUNCTION of samples/ad
    special: dict[str, Any] = field(default_factory=dict)       # arguments, or where they start
    whole: dict[str, str] = field(default_factory=dict)         # arrays of places below a size
    sparse: bool = False
    pattern: bool = True            # of sparse ones: whether columns are asked for
    value: str = ""                 # the function whose value the plain loops have
    most: float = 0.0               # microseconds, where that is what is asked for
    waits: str = ""                 # if it misses its goal: what its profile says

    def misses(self, first: float, second: float) -> bool:
        return second * 1e6 > self.most if self.most else second > self.goal * first

    def label(self) -> str:
        sizes = " ".join(f"{k}={v}" for k, v in self.sizes.items())
        return f"{self.name} {sizes}{'' if self.pattern else ', values'}"


DIAGONAL = ("two fifths are two sums over the points for each mean, in one loop; a third the "
            "squares of the value, with as many operations as in the plain loops; a seventh is "
            "exp, as often as in the plain loops")
TORCH = ("with OpenBLAS a third to a half are the two batched products of matrices, which PyTorch "
         "has too, with plain loops three quarters; the rest writes arrays of all points, mixtures "
         "and dimensions three times and reads them for sums")
ADOLC = ("almost all is in libadolc, which is linked statically and goes back over the values kept "
         "while taping; of the largest a third is in the system, which writes and reads the tape. "
         "A shared library costs 1.2 times that, a second way there (gradient) 1.15 to 1.2, memory "
         "given back after each round 1.35, 1.1 and 1.05; all three 1.4")


def gmm_row(d: int, k: int, name: str = "gmm", **special: Any) -> Row:
    wrt, sizes = "alphas,means,q,l", {"k": k, "d": d, "e": d * (d - 1) // 2, "n": 1000}
    if name != "gmm":
        wrt = "alphas,means,q" if name == "gmm_diagonal" else "alphas,means,roots"
        del sizes["e"]
    return Row(name, wrt, sizes, 1.0, special={"gamma": 1.0, "m": 0, **special},
               waits=DIAGONAL if name == "gmm_diagonal" else "")


MLP = {"h": 50, "d": 784, "o": 10}
ROWS = [
    Row("dot", "", {"n": 1000}, 1.1), Row("dot", "", {"n": 1_000_000}, 1.1),
    Row("lse", "", {"n": 10_000}, 1.0),
    Row("llsq", "x", {"m": 16, "n": 4000}, 1.3),
    Row("matmul", "a,b", {"n": 200, "m": 200, "p": 200}, 3.0),
    Row("conv2d", "kernel", {"h": 200, "w": 200, "p": 5, "q": 5}, 2.0),
    Row("mlp", "w1,b1,w2,b2", {**MLP, "n": 1}, 2.1, most=16.0),
    Row("mlp", "w1,b1,w2,b2", {**MLP, "n": 100}, 2.1),
    Row("lstm", "main,extra", {"l": 2, "b": 14, "c": 1024}, 1.0, "lstm.py:loss",
        waits="6 tenths are exp and tanh, as often as in the plain loops (9 tenths of those); of "
              "the rest 4 tenths are the way there, 3 the way back, and 2 sums over its rounds in "
              "strips of the two layers (in strips of the 14 cells all would take a twentieth "
              "less)"),
    Row("kmeans", "centroids", {"k": 25, "d": 16, "n": 1000}, 1.3, "kmeans.py:slope",
        value="objective"),
    Row("ode", "", {"n": 1000}, 2.0, "ode.py:last", {"s": 50},
        waits="a quarter is arithmetic with numbers below 2e-308, as later components of y are, "
              "and a seventh of the plain loops (without such numbers 1.7 to 2.1); of the rest two "
              "fifths are the way there, as long as the plain loops, three fifths the way back, "
              "with twice their operations, on ten arrays, which do not fit in the first cache"),
    Row("ba", "cameras,points,w", {"n": 49, "m": 7776, "p": 31843}, 4.0, "ba.py:residuals",
        {"points": 2.0, "cameras": 0.2}, sparse=True,
        waits="of the time outside of sin and cos a third writes 8 MB of columns, a quarter the "
              "rows by the camera, 176 bytes for each observation; 16 MB of columns and values "
              "take two thirds of the plain loops' time in one row, and more with the load of the "
              "memory; the rest is the derivative"),
    Row("ht", "theta", {"v": 544, "c": 100}, 5.0, "ht.py:residuals", whole={"vertices": "v"},
        sparse=True,
        waits="half are the transforms of the bones by each parameter, most of which are 0; half "
              "strips as below"),
    Row("ht", "theta", {"v": 10_000, "c": 25_600}, 8.0, "ht.py:residuals", whole={"vertices": "v"},
        sparse=True,
        waits="with columns 4 tenths are one copy of 16 MB of them; of the rest a third copies 10 "
              "MB of rows to points of the same vertex, which waits for memory too, a third are "
              "the products with the rotation for each parameter and their rows of 624 bytes, a "
              "seventh sums the bones that a parameter moves. With the rotation inside of these "
              "sums, by hand, the values take a quarter less. The plain loops write 0.6 MB"),
]
# Those who take many steps want the columns once.
ROWS += [replace(row, pattern=False) for row in ROWS if row.sparse]
VARIANTS = [gmm_row(10, 25, gamma=1.3, m=2), gmm_row(20, 25, gamma=1.3, m=2),
            gmm_row(20, 25, "gmm_diagonal"), gmm_row(20, 25, "gmm_full")]
FEW = [(2, 5), (10, 10), (20, 25), (64, 25)]
ALL = [(d, k) for d in (2, 10, 20, 32, 64) for k in (5, 10, 25, 50, 100)]


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pointer(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return ctypes.c_void_p(x.ctypes.data)
    return ctypes.c_double(x) if isinstance(x, float) else ctypes.c_int64(x)


class Function:
    """A function with its derivatives: in C, and in numpy."""

    def __init__(self, compiler: str, row: Row, folder: Path) -> None:
        file, self.name = (row.source or f":{row.name}").split(":")
        path = ROOT / "samples" / "ad" / file if file else HERE / "arrays.py"
        self.source = getattr(load(path), self.name)
        options = ["--sparse"] * row.sparse + ([f"--wrt={row.wrt}"] if row.wrt else [])
        self.text, python = folder / f"{row.name}.c", folder / f"{row.name}_numpy.py"
        start = os.times()
        for output in (self.text, python):
            subprocess.run([compiler, "grad", f"{path}:{self.name}", *options, "-q", "-o",
                            str(output)], check=True)
        self.generated = (os.times().children_user - start.children_user) / 2
        self.numpy, self.twin = load(python), load(self.text.with_suffix(".py"))
        self.twin._FLAGS = FLAGS
        self.kind = "value_and_jacobian" if row.sparse else "value_and_grad"

    def arguments(self, row: Row) -> list[Any]:
        rng = np.random.default_rng(1)
        values: list[Any] = []
        for name, parameter in inspect.signature(self.source).parameters.items():
            given: Any = row.special.get(name)
            if parameter.annotation in (float, int):
                values.append(given if parameter.annotation is int else float(given))
                continue
            shape = tuple(eval(part, {}, row.sizes)
                          for part in parameter.annotation.__metadata__[0].split())
            below = row.whole.get(name)
            values.append(rng.integers(0, row.sizes[below], shape) if below
                          else rng.uniform(-0.5, 0.5, shape) + (given or 0.0))
        return values


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
    """Of all numbers of two results that have one form."""
    if isinstance(x, tuple):
        return max(rho(a, b) for a, b in zip(x, y, strict=True))
    return float(np.max(np.abs(x - y) / np.maximum(1, np.abs(x) + np.abs(y)), initial=0.0))


def measure(f: Function, row: Row, plain: ctypes.CDLL, rounds: int) -> tuple[float, float]:
    """Seconds of the plain loops and of the derivatives."""
    values = f.arguments(row)
    calls: list[tuple[Any, ...]] = []
    run = f.twin._run
    f.twin._run = lambda *given: (calls.append(given), run(*given))[1]
    both = f"{f.name}_{f.kind}"
    got = getattr(f.twin, both)(*values)
    f.twin._run = run
    true = getattr(f.numpy, both)(*values)
    assert rho(got, true) <= 1e-11, (row.label(), rho(got, true))
    given = [pointer(x) for x in calls[0][1:]]
    if not row.pattern:
        for i, x in enumerate(calls[0][1:]):
            if i >= len(row.sizes) + len(values) and x.dtype == int:
                given[i] = ctypes.c_void_p(None)
    gradient = getattr(f.twin._loaded[0], both)
    gradient.restype = ctypes.c_bool if row.sparse else ctypes.c_double
    reference = getattr(plain, f"{row.name}_ref")
    reference.restype = ctypes.c_double
    inputs = given[:len(row.sizes) + len(values)]
    errors = np.empty(np.shape(got[0]))
    out = [np.empty_like(g) for g in got[1]] if row.name == "dot" else [errors] * row.sparse
    arguments = inputs + [pointer(x) for x in out]
    value = reference(*arguments)
    if row.value:
        want = getattr(load(ROOT / "samples" / "ad" / row.source.split(":")[0]), row.value)
        assert rho(value, want(*values)) <= 1e-11, row.label()
    else:
        assert rho(errors if row.sparse else value, true[0]) <= 1e-11, row.label()
    first, second = least([lambda: reference(*arguments), lambda: gradient(*given)], rounds)
    return first, second


def torch_gmm(torch: Any, values: list[Any]) -> Callable[[], Any]:
    alphas, means, q, l, x = (torch.tensor(v, requires_grad=i < 4)
                              for i, v in enumerate(values[:5]))
    gamma, m = values[5:]
    d = x.shape[1]
    columns, rows = np.triu_indices(d, 1)

    def gradient() -> Any:
        lower = torch.diag_embed(torch.exp(q))
        lower = lower.index_put((torch.arange(len(q))[:, None], torch.tensor(rows),
                                 torch.tensor(columns)), l)
        z = torch.einsum("arc,iac->iar", lower, x[:, None, :] - means)
        inner = alphas + q.sum(1) - 0.5 * (z * z).sum(2)
        value = (torch.logsumexp(inner, 1).sum() - len(x) * torch.logsumexp(alphas, 0)
                 - gamma * gamma / 2.0 * (lower * lower).sum() + m * q.sum())
        return value, torch.autograd.grad(value, (alphas, means, q, l))

    return gradient


def against_torch(f: Function, rounds: int) -> None:
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed")
        return
    torch.set_num_threads(1)
    fast = "openblas" in Path("/proc/self/maps").read_text()
    print(f"{'both with OpenBLAS' if fast else 'both with plain loops as BLAS':36}"
          f"{'us, PyTorch':>12}{'numpy':>12}{'ratio':>8}{'goal':>7}")
    for d, k in ((10, 25), (20, 25), (64, 25)):
        row = gmm_row(d, k)
        values = f.arguments(row)
        peer = torch_gmm(torch, values)
        value, grads = peer()
        own = f.numpy.gmm_value_and_grad(*values)
        assert rho(own, (float(value), tuple(g.numpy() for g in grads))) <= 1e-11
        first, second = least([peer, lambda: f.numpy.gmm_value_and_grad(*values)], rounds)
        print(f"{row.label():36}{first * 1e6:12.0f}{second * 1e6:12.0f}{second / first:8.2f}"
              f"{0.5:7.1f}", flush=True)
    print_reason(TORCH)


def against_adolc(folder: Path, times: dict[str, float], rounds: int) -> None:
    done = subprocess.run(["g++", "-O3", "-march=native", str(HERE / "adolc_gmm.cpp"), "-o",
                           str(folder / "adolc_gmm"), "-Wl,-Bstatic", "-ladolc", "-Wl,-Bdynamic",
                           "-lColPack"], capture_output=True, text=True)
    if done.returncode != 0:
        print("ADOL-C is not installed")
        return
    print(f"{'':36}{'us, plain':>12}{'ADOL-C':>12}{'ratio':>8}{'known':>7}")
    for (d, k), known in (((2, 5), 20), ((10, 10), 27), ((20, 25), 43)):
        label = gmm_row(d, k).label()
        if label not in times:
            continue
        command = [str(folder / "adolc_gmm"), str(d), str(k), "1000", "3"]
        spent = min(float(subprocess.run(command, check=True, capture_output=True, text=True,
                                         cwd=folder).stdout) for _ in range(rounds))
        print(f"{label:36}{times[label] * 1e6:12.0f}{spent:12.0f}"
              f"{spent / times[label] / 1e6:8.1f}{known:7}", flush=True)
    print_reason(ADOLC)


def library(folder: Path) -> ctypes.CDLL:
    subprocess.run(["gcc", *FLAGS, "-Wno-unused", str(HERE / "arrays.c"), "-o",
                    str(folder / "plain.so"), "-lm"], check=True)
    return ctypes.CDLL(str(folder / "plain.so"))


def print_reason(text: str) -> None:
    print(textwrap.fill(text, 96, initial_indent="    ", subsequent_indent="    "))


def report(row: Row, first: float, second: float) -> None:
    goal = f"{row.most:4.0f} us" if row.most else f"{row.goal:7.1f}"
    print(f"{row.label():36}{first * 1e6:12.2f}{second * 1e6:12.2f}{second / first:8.2f}{goal}",
          flush=True)
    if row.waits and row.misses(first, second):
        print_reason(row.waits)


def compiled(text: Path, folder: Path) -> float:
    spent = []
    for _ in range(3):
        start = os.times().children_user
        subprocess.run(["gcc", "-O2", "-c", str(text), "-o", str(folder / "x.o")], check=True)
        spent.append(os.times().children_user - start)
    return min(spent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--few", action="store_true")
    o = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'':36}{'us, plain':>12}{'gradient':>12}{'ratio':>8}{'goal':>7}")
    with tempfile.TemporaryDirectory(prefix="pychoral-bench-") as name:
        folder = Path(name)
        plain = library(folder)
        made: dict[str, Function] = {}
        times: dict[str, float] = {}
        sizes = [gmm_row(d, k) for d, k in (FEW if o.few else ALL)]
        ratios = []
        for row in [*ROWS, *sizes, *VARIANTS]:
            if not row.name.startswith(o.only):
                continue
            if row.name not in made:
                made[row.name] = Function(o.compiler, row, folder)
            first, second = measure(made[row.name], row, plain, o.rounds)
            report(row, first, second)
            if row in sizes:
                ratios.append(second / first)
                times[row.label()] = first
        if ratios:
            print(f"{'gmm, geometric mean':36}{np.exp(np.mean(np.log(ratios))):32.2f}{1.0:7.1f}")
            gmm = made["gmm"]
            print(f"{'gmm: generated, compiled (-O2)':36}{gmm.generated * 1e3:9.0f} ms"
                  f"{compiled(gmm.text, folder) * 1e3:9.0f} ms")
            against_torch(gmm, o.rounds)
            against_adolc(folder, times, o.rounds)


if __name__ == "__main__":
    main()
