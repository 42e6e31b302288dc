"""Writes partial.golden: derivatives of the primitives by differences of 80 digits (needs mpmath).

    python3 tests/grad/partial_golden.py

For each row of the table a line with its name and number of arguments, then the derivatives on its
points (partial_table.py), as base64 of doubles.
"""

import base64
import importlib
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from partial_table import Point, Row, arity, points, read_rows

mp: Any = importlib.import_module("mpmath").mp
mp.dps = 80
GOLDEN = Path(__file__).with_name("partial.golden")

PARTIALLY: dict[str, Callable[..., Any]] = {
    "float.__add__": lambda a, b: a + b, "float.__sub__": lambda a, b: a - b,
    "float.__mul__": lambda a, b: a * b, "float.__truediv__": lambda a, b: a / b,
    "float.__floordiv__": lambda a, b: mp.floor(a / b),
    "float.__mod__": lambda a, b: a - b * mp.floor(a / b),
    "float.__neg__": lambda a: -a, "float.__pos__": lambda a: a, "float": lambda a: a,
    "float.__pow__": lambda a, b: a ** b, "pow": lambda a, b: a ** b,
    "math.pow": lambda a, b: a ** b, "abs": abs, "math.fabs": abs, "max": max, "min": min,
    "round": lambda a, n=0: mp.nint(a * mp.mpf(10) ** n) / mp.mpf(10) ** n,
    "int": lambda a: mp.sign(a) * mp.floor(abs(a)),
    "math.trunc": lambda a: mp.sign(a) * mp.floor(abs(a)),
    "math.floor": mp.floor, "math.ceil": mp.ceil, "math.ulp": lambda a: mp.mpf(0),
    "sum": lambda *xs: sum(xs), "math.fsum": lambda *xs: sum(xs),
    "math.hypot": lambda *xs: mp.sqrt(sum(x * x for x in xs)),
    "math.cbrt": lambda a: mp.sign(a) * mp.cbrt(abs(a)), "math.exp2": lambda a: mp.mpf(2) ** a,
    "math.log2": lambda a: mp.log(a, 2), "math.ldexp": lambda a, n: a * mp.mpf(2) ** n,
    "math.lgamma": lambda a: mp.log(abs(mp.gamma(a))), "math.fma": lambda a, b, c: a * b + c,
    "math.copysign": lambda a, b: abs(a) * (1 if b >= 0 else -1),
    "math.fmod": lambda a, b: a - b * mp.sign(a / b) * mp.floor(abs(a / b)),
    "math.remainder": lambda a, b: a - b * mp.nint(a / b),
    "math.nextafter": lambda a, b: a,
}


def is_whole(x: Any) -> bool:
    return bool(x == mp.floor(x))


def at_origin(*point: Any) -> tuple[float, ...] | None:
    return None if any(point) else (0.0,) * len(point)


def at_power(a: Any, b: Any) -> tuple[Any, ...] | None:
    if b == 0:
        return (mp.mpf(0), mp.log(a) if a > 0 else 0.0)
    if a < 0:
        return (b * a ** (int(b) - 1), 0.0)
    if a == 0:
        return (1.0 if b == 1 else 0.0, 0.0)
    return None


def at_angle(a: Any, b: Any) -> tuple[Any, ...] | None:
    """The angle jumps where it is half a turn; on both sides it has the same slope."""
    if a == 0 and b < 0:
        return (1 / b, 0.0)
    return at_origin(a, b)


def at_end(a: Any) -> tuple[float, ...] | None:
    return (0.0,) if abs(a) == 1 else None


def at_tie(a: Any, b: Any) -> tuple[float, ...] | None:
    return (1.0, 0.0) if a == b else None


def at_step(*point: Any) -> tuple[float, ...] | None:
    return (0.0,) * len(point)


def at_multiple(a: Any, b: Any) -> tuple[Any, ...] | None:
    return (1.0, -(a / b)) if is_whole(a / b) else None


# Where a difference would say nothing, or something else than what the table promises.
AT: dict[str, Callable[..., tuple[Any, ...] | None]] = {
    "abs": at_origin, "math.fabs": at_origin, "math.sqrt": at_origin, "math.cbrt": at_origin,
    "math.hypot": at_origin, "math.atan2": at_angle, "max": at_tie, "min": at_tie,
    "float.__pow__": at_power, "pow": at_power, "math.pow": at_power,
    "math.asin": at_end, "math.acos": at_end, "math.acosh": at_end,
    "round": at_step, "int": at_step, "math.floor": at_step, "math.ceil": at_step,
    "math.trunc": at_step, "math.ulp": at_step, "float.__floordiv__": at_step,
    "float.__mod__": at_multiple, "math.fmod": at_multiple,
    "math.copysign": lambda a, b: None if a != 0 else (0.0, 0.0),
    "math.remainder": lambda a, b: (1.0, -mp.nint(a / b)),
}
# What an argument that counts something has: nothing flows.
STEPS = {"math.ldexp": 1}


def difference(function: Callable[..., Any], point: tuple[Any, ...], i: int) -> Any:
    """Central, with a step that keeps 25 digits of what is smooth."""
    step = mp.mpf(10) ** -25 * (abs(point[i]) or 1)
    up, down = list(point), list(point)
    up[i] += step
    down[i] -= step
    return (function(*up) - function(*down)) / (2 * step)


def derivatives(row: Row, point: Point) -> list[float]:
    exact = tuple(mp.mpf(x) for x in point)
    known = AT[row.name](*exact) if row.name in AT else None
    if known is not None:
        return [float(x) for x in known]
    function = PARTIALLY.get(row.name) or getattr(mp, row.name.removeprefix("math."))
    return [0.0 if STEPS.get(row.name) == i else float(difference(function, exact, i))
            for i in range(len(point))]


def main() -> None:
    lines = []
    for row in read_rows():
        if row.kind not in ("PARTIAL", "EACH"):
            continue
        numbers = [x for point in points(row) for x in derivatives(row, point)]
        packed = struct.pack(f"<{len(numbers)}d", *numbers)
        lines.append(f"{row.name} {arity(row)}")
        lines += base64.encodebytes(packed).decode().split()
    GOLDEN.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
