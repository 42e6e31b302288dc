"""Python's own `and`, `or`, `not`, `if` and `abs` over Z3's expressions.

What is known is decided at once; only what Z3 has to decide becomes an expression.  As in Python,
`and` and `or` give an operand, so that a known operand adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from pychoral.virtual import RewritingCallOverload, py_defaults, staging
from pychoral.virtual.py_plain import Thunk

staging.register(z3.BoolRef)


def _connected(
    first: Any, rest: tuple[Thunk, ...], goes_on: bool, join: Callable[[Any, Any], Any]
) -> Any:
    """Of operands from the left: the first that decides, or what Z3 has to join."""
    value, kept = first, None
    for thunk in (*rest, None):
        if staging.is_staged(value):
            kept = value if kept is None else join(kept, value)
        elif bool(value) is not goes_on:
            return value if kept is None else not goes_on
        if thunk is not None:
            value = thunk()
    return value if kept is None else kept


def and_(first: Any, rest: tuple[Thunk, ...]) -> Any:
    return _connected(first, rest, True, z3.And)


def or_(first: Any, rest: tuple[Thunk, ...]) -> Any:
    return _connected(first, rest, False, z3.Or)


def not_(value: Any) -> Any:
    return z3.Not(value) if staging.is_staged(value) else not value


def if_stmt(test: Thunk, body: Thunk, orelse: Thunk, local_writes: Sequence[Any]) -> Any:
    return staging.stage_if(test, body, orelse, local_writes, z3.If)


def if_expr(test: Any, body: Thunk, orelse: Thunk) -> Any:
    if staging.is_staged(test):
        return z3.If(test, body(), orelse())
    return body() if test else orelse()


call = RewritingCallOverload(py_defaults.call)


@call.replaces(abs)
def absolute(x: Any) -> Any:
    return z3.If(x < 0, -x, x) if isinstance(x, z3.ArithRef) else abs(x)
