"""The network of samples/ad/network: its gradient, made of the s-expression, is the difference of
the program that was written, in both targets, and trains it.

    python3 tests/grad/network.py PYCHORALC
"""

from __future__ import annotations

import os
import pathlib
import sys
import tempfile
from typing import Any

import numpy as np

import array_check as ac
from samples import directional

ROOT = ac.HERE.parents[1]


def faults_of(train: Any, activation: str, suffix: str, folder: pathlib.Path) -> list[str]:
    network, gradient = train.compiled(train.network_as_terms(activation), folder, suffix)
    rng = np.random.default_rng(3)
    x, labels = train.pictures(6, rng)
    learned = [rng.normal(0.0, 0.3, shape) for shape in train.LEARNED.values()]
    value, slopes = gradient.loss_value_and_grad(x, labels, *learned)
    faults = []
    if ac.rho(value, network.loss(x, labels, *learned)) > 1e-13:
        faults.append(f"value {value}")
    for i, slope in enumerate(slopes):
        along = [rng.normal(size=p.shape) if k == i else None for k, p in enumerate(learned)]
        want = directional(network.loss, [x, labels, *learned], [None, None, *along])
        if ac.rho(np.sum(slope * along[i]), want) > 1e-9:
            faults.append(f"slope {i} is {np.sum(slope * along[i])} instead of {want}")
    (_, _), (loss, read) = train.trained(network, gradient, 2)
    if not (loss < 0.7 and read > 0.8):
        faults.append(f"two epochs: loss {loss}, {read} read")
    return faults


def main() -> int:
    os.environ["PYCHORALC"] = sys.argv[1]
    train = ac.load(ROOT / "samples" / "ad" / "network" / "train.py")
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for activation, suffix in (("relu", ".py"), ("tanh", ".c")):
            # Of their own: a text of the same length, a second later, is not compiled again.
            own = pathlib.Path(folder) / activation
            own.mkdir()
            faults = faults_of(train, activation, suffix, own)
            for fault in faults:
                print(f"samples/ad/network {activation}{suffix}: {fault}")
            bad += bool(faults)
    print(f"network of terms: 2 activations, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
