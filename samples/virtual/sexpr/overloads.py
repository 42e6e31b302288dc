"""Semantics that write a program down: what is staged becomes terms, all else is computed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from pychoral.virtual import (
    UNBOUND,
    RewritingCallOverload,
    VirtualizationError,
    execute_isolated,
    py_defaults,
    staging,
)

from . import layers
from .terms import COMPARISONS, OPERATORS, Rep, builder, form, name, term

Thunk = Callable[..., Any]

staging.register(Rep)


def _operator(hook: str, write: Callable[[Any, Any], Rep]) -> Callable[[Any, Any], Any]:
    default = getattr(py_defaults, hook)

    def operate(a: Any, b: Any) -> Any:
        return write(a, b) if isinstance(a, Rep) or isinstance(b, Rep) else default(a, b)

    return operate


def _binary(hook: str) -> Callable[[Any, Any], Any]:
    return _operator(hook, lambda a, b: builder.operate(OPERATORS[hook], a, b))


def _comparison(hook: str) -> Callable[[Any, Any], Any]:
    return _operator(hook, lambda a, b: builder.compare(COMPARISONS[hook], a, b))


add, sub, mul, matmul = map(_binary, ("add", "sub", "mul", "matmul"))
truediv, floordiv, mod, pow_ = map(_binary, ("truediv", "floordiv", "mod", "pow_"))
eq, ne, lt = map(_comparison, ("eq", "ne", "lt"))
le, gt, ge = map(_comparison, ("le", "gt", "ge"))


# ---- control ----


def _arm(arm: Thunk, local_writes: Sequence[Any]) -> tuple[list[str], list[Any], Any]:
    """The block that an arm writes, the values that it gives its variables, its signal."""
    with builder.inner() as block:
        values, signal = execute_isolated(arm, local_writes)
        return block, values, signal


def _joined(blocks: Sequence[list[str]], values: Sequence[Any]) -> Any:
    """A value of both arms: each block assigns its own to one name."""
    if values[0] is values[1]:
        return values[0]
    if UNBOUND in values:
        return UNBOUND
    target, result = builder.fresh("r"), None
    for block, value in zip(blocks, values):
        outer, builder.block = builder.block, block
        result = builder.assign(target, value)
        builder.block = outer
    return result


def if_stmt(test: Thunk, body: Thunk, orelse: Thunk, local_writes: Sequence[Any]) -> Any:
    asked = test()
    if not staging.is_staged(asked):
        return body() if asked else orelse()
    (block, values, signal), (other, others, signal2) = (
        _arm(arm, local_writes) for arm in (body, orelse)
    )
    blocks = (block, other)
    if (signal is None) is not (signal2 is None) or not isinstance(signal, (tuple, type(None))):
        raise VirtualizationError("both arms of a staged `if` must return, or none may jump")
    if signal is not None:
        returned = (_joined(blocks, (signal[0], signal2[0])),)
        builder.put_if(asked, block, other)
        return returned
    results = [_joined(blocks, pair) for pair in zip(values, others)]
    builder.put_if(asked, block, other)
    for variable, result in zip(local_writes, results):
        variable.val = result
    return None


def for_stmt(
    target: Thunk, iter: Any, body: Thunk, orelse: Thunk, local_writes: Sequence[Any]
) -> Any:
    """A loop over a staged iterable carries its variables in names."""
    if not staging.is_staged(iter):
        return py_defaults.for_stmt(target, iter, body, orelse, local_writes)
    item = builder.fresh("i")
    carried = [
        (variable, builder.fresh("s")) for variable in local_writes if variable.val is not UNBOUND
    ]
    for variable, kept in carried:
        variable.val = builder.assign(kept, variable.val)
    with builder.inner() as block:
        signal = body(Rep(form("Name", item, "Load")))
        if signal is not None:
            raise VirtualizationError("a staged `for` cannot be left by a jump")
        for variable, kept in carried:
            if variable.val is not UNBOUND:
                variable.val = builder.assign(kept, variable.val)
    builder.put_for(item, iter, block)
    return orelse()


# ---- calls: the functions of layers.py, of which some arguments are staged ----

call = RewritingCallOverload(py_defaults.call)


def _staged_call(function: Callable[..., Any]) -> None:
    @call.replaces(function)
    def write(*args: Any, **keywords: Any) -> Any:
        if any(isinstance(one, Rep) for one in (*args, *keywords.values())):
            return builder.call(function.__name__, args, keywords)
        return function(*args, **keywords)


for _function in (layers.relu, layers.tanh, layers.log_softmax, layers.nll_loss, layers.view,
                  range, print):
    _staged_call(_function)


@call.replaces(layers.Linear.__call__)
def linear(layer: layers.Linear, x: Any) -> Any:
    """What the layer has learned is an input of the program that is written."""
    if isinstance(x, Rep):
        learned = [Rep(name(f"{layer.name}_{part}")) for part in ("weights", "bias")]
        return builder.call("linear", (x, *learned), {})
    return layer(x)


def rep(value: Any) -> Rep:
    """Stages a value that is known: it is computed, or printed, when the written program runs."""
    return Rep(term(value))
