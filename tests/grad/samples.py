"""The programs of samples/ad: each is compiled by `pychoralc grad`, its value is that of plain
numpy, and its gradient along random directions is the difference of the source in extended
precision.

    python3 tests/grad/samples.py PYCHORALC [NAME...]
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

import array_check as ac

ROOT = ac.HERE.parents[1]
Arguments = list[Any]
RNG = np.random.default_rng(5)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(0.0, 0.7, shape)


def one_hots(*shape: int) -> np.ndarray:
    return np.eye(shape[-1])[RNG.integers(0, shape[-1], shape[:-1])]


def gmm() -> Arguments:
    module = ac.load(ROOT / "samples" / "ad" / "gmm.py")
    n, d, k, gamma, m = 7, 4, 3, 1.3, 2
    return [normal(k), normal(k, d), normal(k, d), normal(k, d * (d - 1) // 2), normal(n, d),
            gamma, m, module.constant(n, d, k, gamma, m)]


def adjusted(turn: float) -> Arguments:
    cameras = normal(2, 11)
    cameras[0, :3] *= turn
    return [cameras, normal(3, 3) + np.array([0.0, 0.0, 5.0]), 1.0 + 0.1 * normal(6), normal(6, 2)]


def hand() -> Arguments:
    weights = np.abs(normal(22, 6)) * (RNG.uniform(size=(22, 6)) < 0.2)
    base = np.concatenate([normal(6, 3), np.ones((6, 1))], axis=1)
    relatives, inverses = normal(22, 4, 4), normal(22, 4, 4)
    relatives[:, 3] = inverses[:, 3] = np.array([0.0, 0.0, 0.0, 1.0])
    return [normal(26), relatives, inverses, base, weights, normal(5, 3),
            RNG.integers(0, 6, 5)]


INPUTS: dict[str, Callable[[], Arguments]] = {
    "dot:dot": lambda: [normal(5), normal(5)],
    "matmul:weighted": lambda: [normal(3, 4), normal(4, 5), normal(3, 5)],
    "conv2d:loss": lambda: [normal(2, 2, 5, 6), normal(3, 2, 2, 3)],
    "lse:logsumexp": lambda: [normal(6) * 100.0],
    "llsq:objective": lambda: [normal(4), normal(6), normal(6)],
    "kmeans:objective": lambda: [normal(3, 2), normal(8, 2)],
    "ode:last": lambda: [normal(4), 5],
    "mlp:loss": lambda: [normal(5, 4), normal(4), normal(4, 3), normal(3), normal(6, 5),
                         RNG.integers(0, 3, 6)],
    "rnn:loss": lambda: [normal(4, 3), normal(3, 3), normal(3), normal(3, 4), normal(4),
                         one_hots(5, 2, 4), one_hots(5, 2, 4)],
    "lstm:loss": lambda: [normal(2, 2, 4, 3), normal(3, 3), normal(2, 2, 3), one_hots(6, 3)],
    "gmm:objective": gmm,
    "ba:cost": lambda: adjusted(1.0),
    "ba:cost 1e-9": lambda: adjusted(1e-9),
    "ht:cost": hand,
}


def compiled(tool: str, name: str, folder: pathlib.Path) -> Any:
    file, function = name.split(" ")[0].split(":")
    out = folder / f"{file}_{function}.py"
    subprocess.run([tool, "grad", f"{ROOT}/samples/ad/{file}.py:{function}", "-o", str(out),
                    "--force"], check=True, capture_output=True, timeout=60)
    return ac.load(out)


def directional(function: Callable[..., Any], args: Arguments, along: list[Any]) -> Any:
    """A derivative along a direction, by differences of sixth order in extended precision."""
    def at(step: Any) -> Any:
        moved = [a if d is None else np.asarray(a, dtype=ac.LONG) + step * d
                 for a, d in zip(args, along)]
        with np.errstate(all="ignore"):
            return ac.LONG(function(*moved))
    h = ac.LONG(2) ** -11
    near, far, last = at(h) - at(-h), at(2 * h) - at(-2 * h), at(3 * h) - at(-3 * h)
    return (45 * near - 9 * far + last) / (60 * h)


def faults_of(tool: str, name: str, folder: pathlib.Path) -> list[str]:
    file, function = name.split(" ")[0].split(":")
    plain = getattr(ac.load(ROOT / "samples" / "ad" / f"{file}.py"), function)
    made = compiled(tool, name, folder)
    args = INPUTS[name]()
    active = [np.asarray(a).dtype.kind == "f" for a in args]
    with np.errstate(all="ignore"):
        want = plain(*args)
    value, grads = getattr(made, f"{function}_value_and_grad")(*args)
    grads = grads if isinstance(grads, tuple) else (grads,)
    faults = [] if ac.rho(value, want) < 1e-11 else [f"value {value} instead of {want}"]
    for _ in range(4):
        along = [RNG.normal(size=np.shape(a)) if a_ else None for a, a_ in zip(args, active)]
        slope = sum(np.sum(g * d) for g, d in zip(grads, (d for d in along if d is not None)))
        expected = directional(plain, args, along)
        if ac.rho(slope, expected) > 1e-9:
            faults.append(f"slope {slope} instead of {expected}")
    return faults


def diagonal(tool: str, folder: pathlib.Path) -> list[str]:
    """The diagonal of the Hessian of k-means: twice the number of points of each centroid."""
    made = compiled(tool, "kmeans:slope", folder)
    centroids, points = normal(3, 2), normal(9, 2)
    nearest = np.argmin(np.sum((points[:, None] - centroids) ** 2, axis=2), axis=1)
    want = np.repeat(2.0 * np.bincount(nearest, minlength=3)[:, None], 2, axis=1)
    found = made.slope_grad(centroids, points)[0]
    return [] if ac.rho(found, want) < 1e-13 else [f"{found} instead of {want}"]


def main() -> int:
    tool, wanted = sys.argv[1], sys.argv[2:]
    bad = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in [*INPUTS, "kmeans:slope"]:
            if wanted and name not in wanted:
                continue
            count += 1
            faults = diagonal(tool, pathlib.Path(folder)) if name == "kmeans:slope" \
                else faults_of(tool, name, pathlib.Path(folder))
            for fault in faults:
                print(f"samples/ad/{name}: {fault}")
            bad += bool(faults)
    print(f"samples of gradients: {count}, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
