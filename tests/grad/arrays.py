"""Every function of tests/grad/arrays/*.py through every stage, at several random inputs.

    python3 tests/grad/arrays.py TOOL [--seed N] [--points N] [FILE...]

A file may say `SIZES = {"f": {"n": 4}}` and `RANGES = {"f": {"x": (0.5, 2.0)}}`.
"""

from __future__ import annotations

import argparse
import inspect
import pathlib
import sys
import tempfile

import numpy as np

import array_check as ac


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--points", type=int, default=3)
    parser.add_argument("--trace", action="store_true")
    o = parser.parse_args()
    files = o.files or sorted((ac.HERE / "arrays").glob("*.py"))
    bad = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            module = ac.load(path)
            names = [name for name, f in vars(module).items() if inspect.isfunction(f)
                     and f.__module__ == module.__name__ and not name.startswith("_")]
            jobs = [(path, name, pathlib.Path(folder) / f"{path.stem}.{name}") for name in names]
            for (_, name, out), line in zip(jobs, ac.compile_all(o.tool, jobs)):
                count += 1
                faults = [] if line == "ok" else [line]
                rng = np.random.default_rng(o.seed)
                points = ac.points_of(module, name, o.points, rng) if line == "ok" else ()
                for inputs in points:
                    try:
                        faults += ac.check(module, name, out, inputs)
                    except Exception as e:  # noqa: BLE001
                        if o.trace:
                            raise
                        faults.append(f"{type(e).__name__}: {e}")
                    if faults:
                        break
                for fault in faults[:5]:
                    print(f"{path.name}:{name}: {fault}")
                bad += bool(faults)
    print(f"array programs: {count} functions, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
