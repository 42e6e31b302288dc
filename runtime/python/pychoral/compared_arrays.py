"""Parameters of `pychoralc grad --check` that are arrays: shapes as the source says them, and
random arrays of these shapes. The names of sizes are those of docs/grad-arrays.md, "Shapes"."""

from __future__ import annotations

import ast
import dataclasses
import random
from typing import Any

LENGTHS = (1, 2, 2, 3, 3, 5)        # of a named dimension; windows need long ones
INDICES = 3                         # are below it


@dataclasses.dataclass(frozen=True)
class Shape:
    kind: str                       # Float, Int or Bool
    sizes: tuple[ast.expr, ...]


def tail(head: ast.expr) -> str:
    return head.id if isinstance(head, ast.Name) else getattr(head, "attr", "")


def shape_of(annotation: ast.expr | None) -> Shape | None:
    """Of `Float[Array, "n k+1"]`."""
    if not isinstance(annotation, ast.Subscript) or not isinstance(annotation.slice, ast.Tuple):
        return None
    kind, text = tail(annotation.value), annotation.slice.elts[-1]
    if kind not in ("Float", "Int", "Bool") or not isinstance(text, ast.Constant):
        return None
    return Shape(kind, tuple(ast.parse(size, mode="eval").body for size in text.value.split()))


def shapes(path: str, function: str) -> dict[str, Shape]:
    """The shapes of those parameters of the function of this file that are arrays."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = {}
    for definition in tree.body:
        if isinstance(definition, ast.FunctionDef) and definition.name == function:
            arguments = definition.args
            for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                shape = shape_of(arg.annotation)
                if shape is not None:
                    found[arg.arg] = shape
    return found


class Sizes:
    """The sizes of one point: each name is one number."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.named: dict[str, int] = {}

    def number(self, size: ast.expr) -> int:
        if isinstance(size, ast.Constant):
            return int(size.value)
        if isinstance(size, ast.Name):
            return self.named.setdefault(size.id, self.random.choice(LENGTHS))
        assert isinstance(size, ast.BinOp)
        left, right = self.number(size.left), self.number(size.right)
        return left * right if isinstance(size.op, ast.Mult) else \
            left + right if isinstance(size.op, ast.Add) else left - right

    def array(self, shape: Shape) -> Any:
        import numpy as np
        lengths = [self.number(size) for size in shape.sizes]
        if min([0, *lengths]) < 0:
            raise ValueError("a size is negative")
        made: Any = np.zeros(lengths, {"Float": float, "Int": int, "Bool": bool}[shape.kind])
        for i in range(made.size):
            made.flat[i] = self.random.uniform(-2.0, 2.0) if shape.kind == "Float" else \
                self.random.randrange(INDICES if shape.kind == "Int" else 2)
        return made
