"""Two functions of one module with two overloads, and one without (test_overloads.py)."""

from types import SimpleNamespace
from typing import Any

from pychoral.virtual import virtualize


@virtualize(SimpleNamespace(add=lambda a, b: ("one", a, b)))
def one(a: Any, b: Any) -> Any:
    return a + b


@virtualize(SimpleNamespace(add=lambda a, b: ("two", a, b)))
def two(a: Any, b: Any) -> Any:
    return a + b


def neither(a: Any, b: Any) -> Any:
    return a + b
