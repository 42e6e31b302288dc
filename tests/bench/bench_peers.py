"""Gradients of array programs in C against Stan Math and JAX: CPU time of one core, in rounds.

bench_peers.py --compiler PYCHORALC --peers FOLDER [--rounds N]. FOLDER/stan holds the headers of
Debian's packages, FOLDER/jax is an environment of Python; what is missing has one line. A row
counts only if value and derivatives are ours (rho <= 1e-11).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

import bench_arrays as ba
import numpy as np

ROWS = [ba.gmm_row(2, 5), ba.gmm_row(10, 10), ba.gmm_row(20, 25),
        ba.Row("lse", "", {"n": 10_000}, 0), ba.Row("llsq", "x", {"m": 16, "n": 4000}, 0),
        ba.Row("mlp", "w1,b1,w2,b2", {**ba.MLP, "n": 100}, 0)]


def stan(peers: Path, folder: Path) -> list[str] | None:
    usr, made = peers / "stan" / "usr", folder / "stan"
    paths = [usr / "lib/R/site-library/StanHeaders/include", usr / "include/eigen3",
             usr / "include"]
    done = subprocess.run(["g++", "-std=c++14", "-O3", "-march=native", "-w", "-DEIGEN_NO_DEBUG",
                           *(f"-I{p}" for p in paths), str(ba.HERE / "stan.cpp"), "-o", str(made)],
                          capture_output=True)
    return [str(made)] if done.returncode == 0 else None


def jax(peers: Path, folder: Path) -> list[str] | None:
    python = peers / "jax" / "bin" / "python"
    if not python.exists() or subprocess.run([python, "-c", "import jax"]).returncode != 0:
        return None
    return [str(python), str(ba.HERE / "with_jax.py")]


def timed(command: list[str], row: ba.Row, rounds: int, folder: Path, true: np.ndarray) -> float:
    """Microseconds."""
    text = subprocess.run([*command, row.name, str(rounds), str(folder),
                           *map(str, row.sizes.values())],
                          check=True, capture_output=True, text=True).stdout
    assert ba.rho(np.fromfile(folder / "out"), true) <= 1e-11, (command[-1], row.label())
    return float(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    o = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="pychoral-bench-") as name:
        folder = Path(name)
        commands = {"Stan Math": stan(o.peers, folder), "JAX": jax(o.peers, folder)}
        for peer in [p for p, command in commands.items() if command is None]:
            print(f"{peer} is not installed")
        plain = ba.library(folder)
        print(f"{'':36}{'us, ours':>12}{'Stan Math':>12}{'ratio':>8}{'JAX':>12}{'ratio':>8}")
        made: dict[str, ba.Function] = {}
        for row in ROWS if any(commands.values()) else []:
            if row.name not in made:
                made[row.name] = ba.Function(o.compiler, row, folder)
            f = made[row.name]
            values = f.arguments(row)
            value, grads = getattr(f.numpy, f"{f.name}_value_and_grad")(*values)
            grads = grads if isinstance(grads, tuple) else (grads,)
            true = np.concatenate([np.ravel(x) for x in (value, *grads)])
            np.concatenate([np.ravel(x) for x in values]).astype(float).tofile(folder / "in")
            np.savez(folder / "in.npz", *values)
            own = ba.measure(f, row, plain, o.rounds)[1] * 1e6
            line = f"{row.label():36}{own:12.2f}"
            for command in commands.values():
                spent = timed(command, row, o.rounds, folder, true) if command else float("nan")
                line += f"{spent:12.1f}{spent / own:8.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
