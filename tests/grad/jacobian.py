"""Jacobians of array functions, by every input, against differences in extended precision: in numpy
and in C.

    python3 tests/grad/jacobian.py TOOL COMPILER
"""

from __future__ import annotations

import inspect
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np

import array_c
import array_check as ac

FILE = ac.HERE / "jacobians.py"
# How many entries a row has, of each input, where that is what is asked for.
ENTRIES = {"each": [1], "tables": [1, 0, 3], "observed": [4, 3, 1], "apart": [1, 0, 2],
           "convolved": [2, 2]}
RANGES = {"tables": {"at": (0, 2)}, "picked": {"at": (0, 2)}, "posed": {"at": (0, 2)},
          "posed_few": {"at": (0, 6)}, "posed_twice": {"at": (0, 2)},
          "posed_outside": {"at": (-2, 4)}, "sliced": {"m": (0, 3)},
          "turned": {"at": (0, 2), "base": (-2, 2), "w": (0, 2)}}
SIZES = {"tables": {"n": 3}, "convolved": {"n": 6, "k": 2}, "joined": {"n": 3, "m": 4},
         "picked": {"v": 3}, "two_apart": {"n": 5}, "none_apart": {"n": 1},
         "posed": {"v": 3, "n": 37}, "posed_few": {"v": 7, "n": 3},
         "posed_twice": {"v": 3, "n": 5}, "posed_outside": {"v": 3, "n": 9},
         "turned": {"v": 3, "n": 6}}
LOOKED_UP = {"picked": "x"}     # of what rows are read through an index: put into the strip first
# Whose rows are computed once for each index that is looked up: in which loops of the C text.
ONCE = {"posed": "count others", "posed_few": "count others", "posed_twice": "count others",
        "posed_outside": "count others", "picked": ""}
# How many arrays of equal rows are copied some rows at once.
EQUAL = {"posed": 1, "posed_twice": 2, "recurrence": 1, "tables": 0, "observed": 0}
# What must not be in the C text: a loop over rows of a product that are not read; a copy of what
# is there if an index is in range, inside of what is there only then.
WITHOUT = {"sliced": r" < 5;", "turned": r"x\d+\[[^=]*\] = x\d+\[\w+\] \? x\d+\[[^:]*\] : 0\.0;"}


def faults_of(module: object, name: str, made: object, rng: np.random.Generator) -> list[str]:
    plain = getattr(module, name)
    args = ac.Inputs(plain, rng, SIZES.get(name, {}), RANGES.get(name, {})).values
    if name == "rooted":
        args[0][0] = 0.0
    with np.errstate(all="ignore"):
        want = np.asarray(plain(*args))
    value, found = getattr(made, f"{name}_value_and_jacobian")(*args)
    found = found if isinstance(found, tuple) else (found,)
    faults = [] if ac.rho(value, want) < 1e-13 else ["the value differs"]
    for i, jacobian in zip(ac.active(args), found, strict=True):
        if jacobian.shape != want.shape + np.shape(args[i]):
            faults.append(f"derivatives by argument {i} have the shape {jacobian.shape}")
            continue
        for place in np.ndindex(*np.shape(args[i])):
            if name == "rooted" and args[i][place] == 0.0:
                continue
            by = ac.difference(plain, args, i, place)
            column = jacobian[(Ellipsis, *place)] if place else jacobian
            if name == "rooted":
                column, by = column[1:], by[1:]
            if ac.rho(column, by) > 1e-9:
                faults.append(f"derivatives by argument {i} at {place} differ")
    if name == "rooted" and np.any(found[0][0, 1:] != 0.0):
        faults.append("a derivative by another element is not 0")
    return faults


def dense(entries: tuple[np.ndarray, np.ndarray, np.ndarray], value: Any, arg: Any) -> np.ndarray:
    rows, columns, values = entries
    full = np.zeros((np.size(value), np.size(arg)))
    np.add.at(full, (rows, columns), values)
    return full.reshape(np.shape(value) + np.shape(arg))


def reads_apart(text: str, array: str | None) -> list[str]:
    """Reads of a row that are tested where it is computed with: not of the only one."""
    text = re.sub(r"// \w+_one, line.*?\n}\n", "", text, flags=re.DOTALL)
    lines = [line.strip() for line in text.splitlines() if f"? {array}[" in line]
    return [f"read in {line}" for line in lines
            if not re.fullmatch(r"\w+\[[^=]*\] = 0 <= [^(]*", line)]


def once_faults(text: str, sizes: str | None) -> list[str]:
    """Where rows are computed once, in the order of the indices, and copied to the others if they
    are all of a result: each row in one loop."""
    found = [size for size in ("count", "others") if f" < {size};" in text]
    faults = [] if sizes in (None, " ".join(found)) else [f"loops over {found}"]
    if found and "used[count] = p;" not in text:
        faults.append("the indices are in another order")
    if "others" in found and not re.search(r"< others;.*\n.*\n *\w+\[again\[\w+\] \* ", text):
        faults.append("rows are copied in several loops")
    return faults


def sparse_faults(module: object, name: str, folder: pathlib.Path, dense_one: Any) -> list[str]:
    """Rows, columns and values against the dense Jacobian, in numpy and in C."""
    args = ac.Inputs(getattr(module, name), np.random.default_rng(3), SIZES.get(name, {}),
                     RANGES.get(name, {})).values
    active = ac.active(args)
    value, want = getattr(dense_one, f"{name}_value_and_jacobian")(*args)
    want = want if isinstance(want, tuple) else (want,)
    faults = []
    for output in (f"sparse_{name}.c", f"sparse_{name}_np.py"):
        subprocess.run([sys.argv[2], "grad", f"{FILE}:{name}", "--sparse", "-q", "-o",
                        str(folder / output)], check=True)
        made = array_c.module_of((folder / output).with_suffix(".py"))
        made._FLAGS = ["-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
        got_value, got = getattr(made, f"{name}_value_and_jacobian")(*args)
        got = got if len(active) > 1 else (got,)
        text = (folder / output).read_text()
        faults += reads_apart(text, LOOKED_UP.get(name))
        if output.endswith(".c"):
            faults += once_faults(text, ONCE.get(name))
            if len(re.findall(r"\] = rows\d*\[", text)) != EQUAL.get(name, text.count("] = rows")):
                faults.append("equal rows are copied otherwise")
            if name in WITHOUT and re.search(WITHOUT[name], text):
                faults.append("more is computed than is read")
        if ac.rho(got_value, value) > 1e-13:
            faults.append(f"{output}: the value differs")
        for i, entries, x in zip(active, got, want, strict=True):
            if ac.rho(dense(entries, value, args[i]), x) > 1e-12:
                faults.append(f"{output}: derivatives by argument {i} differ")
            many = ENTRIES.get(name)
            if many is not None and len(entries[0]) != many[i] * np.size(value):
                faults.append(f"{output}: {len(entries[0])} entries by argument {i}")
        faults += values_faults(made, name, args, (got_value, got))
    return faults


def values_faults(made: Any, name: str, args: list[Any], both: Any) -> list[str]:
    """Without the pattern: the same numbers, in arrays of their own."""
    value, values = getattr(made, f"{name}_value_and_jacobian_values")(*args)
    values = values if isinstance(values, tuple) else (values,)
    same = np.array_equal(value, both[0], equal_nan=True) and len(values) == len(both[1])
    for mine, (_, _, entries) in zip(values, both[1]):
        same = same and np.array_equal(mine, entries, equal_nan=True)
        same = same and not any(np.shares_memory(mine, x) for x in args)
    return [] if same else ["the values without the pattern differ"]


def in_c(module: object, name: str, folder: pathlib.Path) -> list[str]:
    fault = array_c.generate(sys.argv[2], FILE, name, folder)
    if fault:
        return [fault]
    twin = array_c.module_of(folder / f"jacobians_{name}.py")
    twin._FLAGS = ["-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    return [f"in C: {text}" for text in faults_of(module, name, twin, np.random.default_rng(3))]


def main() -> int:
    module = ac.load(FILE)
    names = [name for name, f in vars(module).items() if inspect.isfunction(f)
             and f.__module__ == module.__name__ and not name.startswith("_")]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        jobs = [(FILE, name, pathlib.Path(folder) / name) for name in names]
        for (_, name, out), line in zip(jobs, ac.compile_all(sys.argv[1], jobs)):
            faults = [] if line == "ok" else [line]
            if not faults:
                text = pathlib.Path(f"{out}.numpy").read_text()
                made = pathlib.Path(folder) / f"made_{name}.py"
                made.write_text(text)
                faults = faults_of(module, name, ac.load(made), np.random.default_rng(3))
                faults += in_c(module, name, pathlib.Path(folder))
                faults += sparse_faults(module, name, pathlib.Path(folder), ac.load(made))
            for fault in faults[:3]:
                print(f"jacobians.py:{name}: {fault}")
            bad += bool(faults)
    print(f"jacobians: {len(names)} functions, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
