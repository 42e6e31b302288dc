"""The network of samples/virtual/sexpr is written down as an s-expression, and trained by the
gradient that the compiler makes of it.

    python3 samples/ad/network/train.py [--activation relu|tanh] [--epochs N] [--c] [--keep FOLDER]

`convert` makes the class of the network write terms where it computed; `pychoralc parse --from-ir`
reads them, and the meaning of the layers is that of array_layers.py. The pictures are digits of
28 x 28 dots, each drawn a little elsewhere and with noise.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "virtual")]

from pychoral.virtual import convert  # noqa: E402
from pychoral.virtual.compiler import find_compiler  # noqa: E402
from sexpr import layers, overloads, programs  # type: ignore[import]  # noqa: E402
from sexpr.terms import array, imported, module, traced  # type: ignore[import]  # noqa: E402

SIDE, HIDDEN, DIGITS = 28, 50, 10
ACTIVATIONS = {"relu": 1, "tanh": 2}
LEARNED = {"fc1_weights": (HIDDEN, SIDE * SIDE), "fc1_bias": (HIDDEN,),
           "fc2_weights": (DIGITS, HIDDEN), "fc2_bias": (DIGITS,)}
TYPES = {"x": array("Float", f"n {SIDE} {SIDE}"), "labels": array("Int", "n"),
         **{name: array("Float", " ".join(map(str, shape))) for name, shape in LEARNED.items()}}

MEANINGS = ["view", "linear", "relu", "tanh", "log_softmax", "nll_loss"]

# A digit is 7 rows of 5 dots.
GLYPHS = ["0e11131519110e", "040c040404040e", "0e11010204081f", "1f02040201110e", "02060a121f0202",
          "1f101e0101110e", "0608101e11110e", "1f010204080808", "0e11110e11110e", "0e11110f01020c"]


# ---- the program ----


def network_as_terms(activation: str) -> str:
    """The module that has the loss of a batch, as an s-expression."""
    net = programs.Net(ACTIVATIONS[activation], SIDE * SIDE, HIDDEN, DIGITS)
    forward = convert(programs.Net.forward, overloads)

    def loss(x: Any, labels: Any, *_: Any) -> Any:
        return overloads.call(layers.nll_loss, forward(net, x), labels)

    def scores(x: Any, *_: Any) -> Any:
        return forward(net, x)

    weights = [one for one in TYPES if one != "labels"]
    return str(module([imported("pychoral.ad", ["Array", "Float", "Int"]),
                       imported("array_layers", MEANINGS), traced(scores, "scores", weights, TYPES),
                       traced(loss, "loss", list(TYPES), TYPES)]))


def loaded(file: Path) -> Any:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def compiled(terms: str, folder: Path, suffix: str) -> tuple[Any, Any]:
    """The program that was written, and the module that has `loss_value_and_grad`."""
    tree, source, made = folder / "network.ir", folder / "network.py", folder / "network_grad.py"
    tree.write_text(terms)
    read = subprocess.run([find_compiler(), "parse", "--from-ir", "--python", tree], check=True,
                          capture_output=True)
    source.write_bytes(read.stdout)
    subprocess.run([find_compiler(), "grad", f"{source}:loss", "-I", HERE, "--quiet", "--force",
                    f"--wrt={','.join(LEARNED)}", "-o", made.with_suffix(suffix)], check=True)
    return loaded(source), loaded(made)


# ---- the training ----


def pictures(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    labels = rng.integers(0, DIGITS, count)
    x = rng.normal(0.0, 0.3, (count, SIDE, SIDE))
    for picture, label in zip(x, labels):
        rows = [int(GLYPHS[label][i:i + 2], 16) for i in range(0, 14, 2)]
        dots = np.array([[row >> (4 - column) & 1 for column in range(5)] for row in rows])
        top, left = rng.integers(0, SIDE - 21), rng.integers(0, SIDE - 15)
        picture[top:top + 21, left:left + 15] += np.kron(dots, np.ones((3, 3)))
    return x, labels


def trained(network: Any, gradient: Any, epochs: int, batch: int = 50) -> list[tuple[float, float]]:
    """The loss of each epoch, and the part of 500 other pictures that is read as what it is."""
    rng = np.random.default_rng(1)
    x, labels = pictures(3000, rng)
    others, truth = pictures(500, rng)
    learned = [rng.normal(0.0, 1.0 / np.sqrt(shape[-1]), shape) for shape in LEARNED.values()]
    history = []
    for _ in range(epochs):
        losses = []
        for start in range(0, len(x), batch):
            part = slice(start, start + batch)
            value, slopes = gradient.loss_value_and_grad(x[part], labels[part], *learned)
            losses.append(value)
            for parameter, slope in zip(learned, slopes):
                parameter -= 0.2 * slope
        read = np.argmax(network.scores(others, *learned), axis=1)
        history.append((float(np.mean(losses)), float(np.mean(read == truth))))
    return history


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--activation", choices=ACTIVATIONS, default="relu")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--c", action="store_true", help="the gradient in C")
    parser.add_argument("--keep", type=Path, help="leave what is made in this folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        network, gradient = compiled(network_as_terms(args.activation),
                                     args.keep or Path(folder), ".c" if args.c else ".py")
        for epoch, (loss, read) in enumerate(trained(network, gradient, args.epochs), 1):
            print(f"epoch {epoch}: loss {loss:.4f}, {read:.1%} of other pictures read")
    return 0


if __name__ == "__main__":
    sys.exit(main())
