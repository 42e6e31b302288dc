"""The rows of compiler/pass/ad/partial.def, and the points on which they are judged."""

import ast
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "compiler/pass/ad/partial.def"
STUB = ROOT / "typecheck/stubs/math.pyi"
POINTS = 200

Point = tuple[float, ...]


@dataclass(frozen=True)
class Row:
    kind: str                       # PARTIAL, EACH, LOOP, REFUSED, HELPER
    name: str
    texts: tuple[str, ...]


def read_rows() -> list[Row]:
    """The table without the preprocessor: its strings are Python's too."""
    text = re.sub(r"^\s*//.*$|^#.*$", "", TABLE.read_text(), flags=re.MULTILINE)
    rows = []
    for kind, body in re.findall(r"^([A-Z]+)(\(.*?\))$", text, flags=re.MULTILINE | re.DOTALL):
        value = ast.literal_eval(body)
        parts = value if isinstance(value, tuple) else (value,)
        rows.append(Row(kind, parts[0], tuple(parts[1:])))
    return rows


def real(r: random.Random) -> float:
    """Small and large, of both signs."""
    if r.random() < 0.5:
        return r.uniform(-3.0, 3.0)
    return r.choice((-1.0, 1.0)) * math.pow(10.0, r.uniform(-7.0, 3.0))


def positive(r: random.Random) -> float:
    return abs(real(r))


def unit(r: random.Random) -> float:
    """Within (-1, 1), often near an end."""
    return r.choice((-1.0, 1.0)) * (1.0 - math.pow(10.0, r.uniform(-9.0, 0.0)))


def mild(r: random.Random) -> float:
    return r.uniform(-30.0, 30.0)


def power(r: random.Random) -> float:
    return float(r.randint(-4, 5)) if r.random() < 0.4 else r.uniform(-6.0, 6.0)


def places(r: random.Random) -> float:
    return float(r.randint(-20, 20))


def base(r: random.Random) -> float:
    return positive(r) + 1.5


def beyond_one(r: random.Random) -> float:
    return 1.0 + positive(r)


def above_minus_one(r: random.Random) -> float:
    return positive(r) - 0.999999


Draw = Callable[[random.Random], float]

# From where the arguments of a row come, and the points that are taken beside.
DRAWS: dict[tuple[str, int], tuple[Draw, ...]] = {
    ("float.__pow__", 2): (positive, power), ("pow", 2): (positive, power),
    ("math.pow", 2): (positive, power), ("round", 2): (real, places),
    ("math.sqrt", 1): (positive,), ("math.log", 1): (positive,),
    ("math.log", 2): (positive, base), ("math.log10", 1): (positive,),
    ("math.log2", 1): (positive,), ("math.log1p", 1): (above_minus_one,),
    ("math.exp", 1): (mild,), ("math.exp2", 1): (mild,), ("math.expm1", 1): (mild,),
    ("math.sinh", 1): (mild,), ("math.cosh", 1): (mild,), ("math.ldexp", 2): (real, places),
    ("math.asin", 1): (unit,), ("math.acos", 1): (unit,), ("math.atanh", 1): (unit,),
    ("math.acosh", 1): (beyond_one,), ("math.gamma", 1): (mild,), ("math.lgamma", 1): (mild,),
    ("math.tan", 1): (mild,),
}
BOTH = ((0.0, 0.0), (0.0, -2.0), (2.0, 0.0), (1.5, 1.5), (-1.0, 1.0), (-1.0, -1.0))
POWERS = ((0.0, 0.0), (0.0, 0.5), (0.0, 1.0), (0.0, 1.5), (0.0, 2.0), (0.0, 3.0), (2.0, 0.0),
          (-2.0, 0.0), (-2.0, 1.0), (-2.0, 3.0), (-0.5, -3.0), (5e-324, 0.0), (1e-310, 0.0))
KINKS: dict[str, tuple[Point, ...]] = {
    "float.__pow__": POWERS, "pow": POWERS, "math.pow": POWERS,
    "abs": ((0.0,), (-0.0,)), "math.fabs": ((0.0,), (-0.0,)),
    "max": BOTH, "min": BOTH, "math.atan2": BOTH + ((1e-200, 1e-200), (1e200, -1e200)),
    "math.sqrt": ((0.0,), (-0.0,)), "math.cbrt": ((0.0,),), "math.copysign": ((0.0, -1.0),),
    "math.hypot": ((0.0, 0.0, 0.0), (0.0, 2.0, 0.0)),
    "math.asin": ((1.0,), (-1.0,)), "math.acos": ((1.0,), (-1.0,)),
    "math.acosh": ((1.0,), (1e200,)),
    "math.asinh": ((1e200,), (0.0,)), "math.atan": ((1e200,), (0.0,)), "math.tanh": ((800.0,),),
    "math.erf": ((0.0,), (40.0,)), "math.erfc": ((0.0,), (40.0,)),
    "math.gamma": ((1.0,), (1e-8,), (-1e-8,), (-20.5,)), "math.lgamma": ((1.0,), (-1e-8,), (1e9,)),
    "round": ((0.5,), (1.0,), (0.5, 0.0), (1.0, 0.0)), "int": ((1.0,), (-1.0,)),
    "math.floor": ((2.0,),), "math.ceil": ((2.0,),), "math.trunc": ((0.0,),), "math.ulp": ((1.0,),),
    "float.__floordiv__": ((4.0, 2.0), (0.0, 2.0)), "float.__mod__": ((4.0, 2.0), (-4.0, 3.0)),
    "math.fmod": ((4.0, 2.0), (-4.0, 3.0)), "math.remainder": ((4.0, 2.0), (5.0, 2.0)),
    "math.nextafter": ((0.0, 1.0),),
}

# What a primitive answers. Functions that older Pythons lack are written out.
VALUES: dict[str, Callable[..., Any]] = {
    "float.__add__": lambda a, b: a + b, "float.__sub__": lambda a, b: a - b,
    "float.__mul__": lambda a, b: a * b, "float.__truediv__": lambda a, b: a / b,
    "float.__floordiv__": lambda a, b: a // b, "float.__mod__": lambda a, b: a % b,
    "float.__pow__": lambda a, b: math.pow(a, b), "pow": lambda a, b: math.pow(a, b),
    "float.__neg__": lambda a: -a, "float.__pos__": lambda a: a, "abs": abs, "max": max,
    "min": min, "int": int, "float": float, "sum": lambda *xs: math.fsum(xs),
    "round": lambda a, n=0.0: round(a, int(n)),
    "math.fsum": lambda *xs: math.fsum(xs), "math.ldexp": lambda a, n: math.ldexp(a, int(n)),
    "math.exp2": lambda a: 2.0 ** a, "math.fma": lambda a, b, c: a * b + c,
    "math.cbrt": lambda a: math.copysign(abs(a) ** (1.0 / 3.0), a),
}


def value(name: str, point: Point) -> float:
    function = VALUES.get(name) or getattr(math, name.removeprefix("math."))
    return float(function(*point))


def arity(row: Row) -> int:
    return 3 if row.kind == "EACH" else len(row.texts)


def points(row: Row) -> list[Point]:
    """The same 200 points wherever this is run; at each of them the primitive has a value."""
    n = arity(row)
    r = random.Random(f"{row.name} {n}")
    found = [point for point in KINKS.get(row.name, ()) if len(point) == n]
    draws = DRAWS.get((row.name, n), (real,) * n)
    while len(found) < POINTS:
        point = tuple(draw(r) for draw in draws)
        try:
            answer = value(row.name, point)
        except (ValueError, OverflowError, ZeroDivisionError):
            continue
        if math.isfinite(answer) and abs(answer) < 1e100:
            found.append(point)
    return found
