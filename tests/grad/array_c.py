"""Array functions in C: the value of the source, the gradient of the one in numpy, and for those
of array_golden.json that in 80 digits. The C compiles without a warning, under clang too where
it is there.

    python3 tests/grad/array_c.py COMPILER [--points N] [--seed N] [--flags FLAGS]\
        [FILE[:FUNCTION]...]
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
from typing import Any

import numpy as np

import array_check as ac
import array_golden


def generate(compiler: str, path: pathlib.Path, name: str, folder: pathlib.Path) -> str:
    """NAME.c with its twin, and NAME_np.py; empty: they are there."""
    stem = f"{path.stem}_{name}"
    for output in (f"{stem}.c", f"{stem}_np.py"):
        done = subprocess.run([compiler, "grad", f"{path}:{name}", "-o", str(folder / output)],
                              capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            return f"{output}: exit {done.returncode}: {(done.stderr or done.stdout)[:400]}"
    if not shutil.which("clang"):
        return ""
    done = subprocess.run(["clang", "-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                           str(folder / f"{stem}.c")], capture_output=True, text=True)
    return f"clang: {done.stderr[:400]}" if done.returncode != 0 else ""


def module_of(path: pathlib.Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parts(gradient: Any, count: int) -> list[Any]:
    return [gradient] if count == 1 else list(gradient)


def faults_of(source: types.ModuleType, name: str, folder: pathlib.Path, flags: list[str],
              points: int, seed: int) -> list[str]:
    function = ac.on_copies(getattr(source, name))
    stem = f"{pathlib.Path(source.__file__ or '').stem}_{name}"
    twin, reference = module_of(folder / f"{stem}.py"), module_of(folder / f"{stem}_np.py")
    twin._FLAGS = [*flags, "-shared", "-fPIC"]
    bad: list[str] = []
    for inputs in ac.points_of(source, name, points, np.random.default_rng(seed)):
        args = inputs.values
        active = ac.active(args)
        with np.errstate(all="ignore"):
            wanted = function(*args)
        value, gradient = getattr(twin, f"{name}_value_and_grad")(*args)
        _, true = getattr(reference, f"{name}_value_and_grad")(*args)
        for what, got in (("value", getattr(twin, name)(*args)), ("value beside", value)):
            if not ac.rho(got, wanted) < 1e-12:
                bad.append(f"{what}: {got!r} instead of {wanted!r}")
        for k, (x, y) in enumerate(zip(parts(gradient, len(active)), parts(true, len(active)))):
            if not ac.rho(x, y) < 1e-11:
                bad.append(f"cotangent {k} differs by {ac.rho(x, y):.2e}: {x!r} is {y!r}")
        if bad:
            break
    file = pathlib.Path(source.__file__ or "").stem
    if name in array_golden.PROGRAMS.get(file, []):
        want = json.loads(array_golden.FILE.read_text())[file][name]
        bad += [f"80 digits: {text}" for text in array_golden.faults_of(file, name, twin, want)]
    return bad


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--points", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--flags", default="-O1 -march=native -Wall -Wextra -Werror")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--trace", action="store_true")
    o = parser.parse_args()
    files = o.files or sorted(str(p) for p in (ac.HERE / "arrays").glob("*.py"))
    bad = count = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = o.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        for file in files:
            path, _, only = file.partition(":")
            source = ac.load(pathlib.Path(path))
            names = [name for name, f in vars(source).items() if inspect.isfunction(f)
                     and f.__module__ == source.__name__ and not name.startswith("_")
                     and only in ("", name)]
            for name in names:
                count += 1
                fault = generate(o.compiler, pathlib.Path(path), name, folder)
                faults = [fault] if fault else []
                try:
                    faults = faults or faults_of(source, name, folder, o.flags.split(), o.points,
                                                 o.seed)
                except Exception as e:  # noqa: BLE001
                    if o.trace:
                        raise
                    faults = [f"{type(e).__name__}: {e}"]
                for text in faults[:3]:
                    print(f"{path}:{name}: {text}")
                bad += bool(faults)
    print(f"array programs in C: {count} functions, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
