#!/usr/bin/env python3
"""Each derivative of compiler/pass/ad/partial.def, on 200 points, against 80 digits.

The golden numbers are made by partial_golden.py. A function of floats in the stub of `math` that
has no row is a fault, too.
"""

import ast
import base64
import math
import struct
import sys
from pathlib import Path

from partial_table import STUB, Point, Row, arity, points, read_rows, value

GOLDEN = Path(__file__).with_name("partial.golden")
CLOSE = 1e-11


def read_golden() -> dict[tuple[str, int], list[float]]:
    found: dict[tuple[str, int], str] = {}
    key = ("", 0)
    for line in GOLDEN.read_text().splitlines():
        name, _, count = line.partition(" ")
        if count:
            key = (name, int(count))
            found[key] = ""
        else:
            found[key] += line
    return {key: [x for x, in struct.iter_unpack("<d", base64.b64decode(text))]
            for key, text in found.items()}


def distance(x: float, y: float) -> float:
    return 0.0 if x == y else abs(x - y) / max(1.0, abs(x) + abs(y))


def evaluate(row: Row, i: int, point: Point, helpers: dict[str, object]) -> float:
    arguments = (point[i],) if row.kind == "EACH" else point
    names: dict[str, object] = {**dict(zip("abc", arguments)), "r": value(row.name, point)}
    if row.name == "math.ldexp":
        names["b"] = int(point[1])
    text = row.texts[0 if row.kind == "EACH" else i]
    return float(eval(text, {"math": math, **helpers}, names))


def judge(row: Row, golden: list[float], helpers: dict[str, object]) -> list[str]:
    faults = []
    n = arity(row)
    for k, point in enumerate(points(row)):
        for i in range(n):
            wanted = golden[k * n + i]
            try:
                got = evaluate(row, i, point, helpers)
            except ArithmeticError as fault:
                faults.append(f"{row.name}{point}: argument {i}: {fault!r}")
                continue
            if not distance(got, wanted) <= CLOSE:
                faults.append(f"{row.name}{point}: argument {i}: {got!r}, should be {wanted!r}")
    return faults[:3]


def floats_of_stub() -> set[str]:
    """Functions that take a float and answer something else than a truth."""
    found = set()
    for node in ast.parse(STUB.read_text()).body:
        if not isinstance(node, ast.FunctionDef) or node.returns is None:
            continue
        taken = " ".join(ast.unparse(arg.annotation) for arg in ast.walk(node.args)
                         if isinstance(arg, ast.arg) and arg.annotation is not None)
        takes = any(word in taken for word in ("SupportsFloat", "float", "Any"))
        if takes and ast.unparse(node.returns) != "bool":
            found.add("math." + node.name)
    return found


def main() -> int:
    rows = read_rows()
    golden = read_golden()
    helpers: dict[str, object] = {"math": math}
    for row in rows:
        if row.kind == "HELPER":
            exec(row.texts[0], helpers)
    faults = [f"{name} of the stub has no row" for name in
              sorted(floats_of_stub() - {row.name for row in rows})]
    judged = [row for row in rows if row.kind in ("PARTIAL", "EACH")
              and not row.name.startswith("special.")]       # of arrays: special.py judges them
    missing = {(row.name, arity(row)) for row in judged} ^ set(golden)
    faults += [f"{name}, {n} arguments: partial.golden is of another table"
               for name, n in sorted(missing)]
    for row in judged:
        numbers = golden.get((row.name, arity(row)))
        faults += judge(row, numbers, helpers) if numbers is not None else []
    for fault in faults:
        print(fault)
    print(f"partial: {len(judged)} rows on 200 points, {len(faults)} faults")
    return 1 if faults or len(judged) < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
