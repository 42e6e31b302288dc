#!/usr/bin/env python3
"""Blocks and symbols as compiler/ir/scopes.c has them, against CPython's `symtable`.

usage: compare.py DUMP [--all]

Compares the files of the standard library (a sample of them without --all) and cases of our own.
"""

import argparse
import json
import subprocess
import symtable
import sys
import sysconfig
import tempfile
import tokenize
from pathlib import Path
from typing import Any

LOCAL, CELL, FREE, EXPLICIT, IMPLICIT = range(5)
USED, ASSIGNED, PARAMETER, IMPORTED, ANNOTATED, GLOBAL, NONLOCAL = (1 << i for i in range(7))
BOUND = ASSIGNED | PARAMETER | IMPORTED
SAMPLE = 23                     # every so manieth file

CASES = [
    "class A:\n x = 1\n def f(self): return x, __class__\n def g(self): super().f()\n",
    "class __A:\n __x = 1\n def __f(self, __p): return self.__x, __y, __z__\n import __a.b\n",
    "class _: __x = 1\n",
    "def f():\n x = 1\n class B:\n  x = 2\n  def g(self): return x\n  y = x\n return B\n",
    "def f():\n global x\n x = 1\n def g():\n  return x\n",
    "def f():\n x = 1\n def g():\n  global x\n  def h(): return x\n",
    "def f():\n x = 1\n def g():\n  def h():\n   nonlocal x\n   x = 2\n  return h\n return g\n",
    "def f(a):\n return [b := a for a in a if (c := a)], b\n",
    "[y := x for x in range(3)]\nprint(y)\n",
    "def f():\n global y\n [y := x for x in range(3)]\n",
    "def f():\n return [lambda: (x, y) for x in z for y in x]\n",
    "class A:\n x = 1\n y = [x for i in x]\n z = [i for i in x if x]\n",
    "def f(*, a=(lambda: 1), b: int = 2) -> str:\n c: int\n d: int = 3\n (e): int = 4\n",
    "from __future__ import annotations\ndef f(a: (lambda: b)) -> c:\n x: y = 1\n",
    "try: pass\nexcept E as e: pass\n"
    "match e:\n case {'a': [b, *c], **d}: pass\n case (1|2) as k: pass\n",
    "def f():\n try: pass\n except E as e: g = lambda: e\n del e\n",
    "import a.b.c, d.e as f\nfrom g import h as i, j\nfor k.l, m[n], *o in p: pass\n",
    "def f():\n def super(): pass\n super()\n",
    "class A:\n def f(self):\n  return [super() for x in y]\n",
    "def f():\n class A:\n  global x\n  x = 1\n  def g(self): return x\n x = 2\n",
    "def f():\n x = 0\n class A:\n  nonlocal x\n  x = 1\n",
    "@d(lambda: 1)\ndef f(a=lambda: 2, *b, c=lambda: 3, **e): yield (await a)\n",
    "async def f():\n async with a as b, c as (d, e): pass\n return [g async for g in h]\n",
]


def flags_of(s: symtable.Symbol) -> dict[str, bool]:
    return {"local": s.is_local(), "global": s.is_global(), "free": s.is_free(),
            "nonlocal": s.is_nonlocal(), "parameter": s.is_parameter(),
            "declared": s.is_declared_global(), "imported": s.is_imported(),
            "annotated": s.is_annotated(), "assigned": s.is_assigned(),
            "referenced": s.is_referenced()}


def tree_of(t: symtable.SymbolTable) -> Any:
    symbols = {s.get_name(): flags_of(s) for s in t.get_symbols()}
    children = sorted((tree_of(c) for c in t.get_children()), key=repr)
    line = 0 if t.get_type() == "module" else t.get_lineno()
    return [t.get_type(), t.get_name(), line, sorted(symbols.items()), children]


def flags_of_ours(flags: int, scope: int, module: bool) -> dict[str, bool]:
    return {"local": scope in (LOCAL, CELL) or module and bool(flags & BOUND),
            "global": scope in (EXPLICIT, IMPLICIT) or module and bool(flags & BOUND),
            "free": scope == FREE, "nonlocal": bool(flags & NONLOCAL),
            "parameter": bool(flags & PARAMETER), "declared": scope == EXPLICIT,
            "imported": bool(flags & IMPORTED), "annotated": bool(flags & ANNOTATED),
            "assigned": bool(flags & ASSIGNED), "referenced": bool(flags & USED)}


def tree_of_ours(t: Any) -> Any:
    kind, name, line, symbols, children = t
    module = name == "top"              # what `symtable` takes for a module
    found = {n: flags_of_ours(f, s, module) for n, (f, s) in symbols.items()}
    return [kind, name, line, sorted(found.items()),
            sorted((tree_of_ours(c) for c in children), key=repr)]


def difference(a: Any, b: Any, where: str) -> str:
    if a[:3] != b[:3]:
        return f"{where}: {a[:3]} is {b[:3]}"
    ours, theirs = dict(a[3]), dict(b[3])
    for name in sorted(set(ours) | set(theirs)):
        if ours.get(name) != theirs.get(name):
            return f"{where}.{a[1]} line {a[2]}: `{name}`: {ours.get(name)} is {theirs.get(name)}"
    if len(a[4]) != len(b[4]):
        return f"{where}.{a[1]} line {a[2]}: {len(a[4])} blocks are {len(b[4])}"
    return next((difference(x, y, f"{where}.{a[1]}") for x, y in zip(a[4], b[4]) if x != y), "?")


def library(every: bool) -> list[str]:
    root = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(str(p) for p in root.rglob("*.py") if "site-packages" not in p.parts)
    return files if every else files[::SAMPLE]


def read(path: str) -> str:
    with tokenize.open(path) as f:
        return f.read()


def table_of(path: str) -> Any:
    try:
        return tree_of(symtable.symtable(read(path), path, "exec"))
    except (SyntaxError, ValueError):
        return None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    if sys.version_info >= (3, 12):
        print("symtable: not compared: from 3.12 on CPython has no blocks of comprehensions")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, case in enumerate(CASES):
            files.append(f"{folder}/case{i}.py")
            Path(files[-1]).write_text(case)
        files += library(args.all)
        done = subprocess.run([args.dump], input="\0".join(files).encode() + b"\0",
                              capture_output=True, check=True)
        compared = blocks = bad = 0
        for path, line in zip(files, done.stdout.splitlines(), strict=True):
            theirs, ours = table_of(path), json.loads(line)
            if theirs is None and not path.startswith(folder):
                continue                # files that must not compile
            compared += 1
            blocks += line.count(b'["')
            if ours is None or theirs is None or tree_of_ours(ours) != theirs:
                bad += 1
                print(f"{path}: refused by one" if ours is None or theirs is None else
                      difference(tree_of_ours(ours), theirs, path))
    print(f"symtable: {compared} files, {blocks} blocks, {bad} different")
    return 1 if bad or compared <= len(CASES) else 0


if __name__ == "__main__":
    sys.exit(main())
