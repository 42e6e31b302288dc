"""Staging by types: a value of a registered type is known later only, all others are known now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .isolation import execute_isolated
from .signals import UNBOUND, Signal, VirtualizationError

Merge = Callable[[Any, Any, Any], Any]
Thunk = Callable[[], Any]

_staged: list[type] = []


def register(staged: type) -> type:
    """Values of this type are staged.  Also a class decorator."""
    if staged not in _staged:
        _staged.append(staged)
    return staged


def is_staged(value: Any) -> bool:
    return isinstance(value, tuple(_staged))


def _merged(test: Any, a: Any, b: Any, merge: Merge) -> Any:
    """A variable that only one arm binds is unbound afterwards."""
    if a is b:
        return a
    return UNBOUND if a is UNBOUND or b is UNBOUND else merge(test, a, b)


def _merged_signal(test: Any, a: Signal, b: Signal, merge: Merge) -> Signal:
    if a is b:
        return a
    if isinstance(a, tuple) and isinstance(b, tuple):
        return (_merged(test, a[0], b[0], merge),)
    raise VirtualizationError(
        "the arms of an `if` whose test is staged must all end in the same way: with `return`, "
        "with `break`, with `continue`, or without any of these"
    )


def _both(
    test: Any, arms: tuple[Thunk, Thunk], local_writes: Sequence[Any], merge: Merge
) -> Signal:
    (values, signal), (others, other) = (execute_isolated(arm, local_writes) for arm in arms)
    given = _merged_signal(test, signal, other, merge)
    for variable, a, b in zip(local_writes, values, others) if given is None else ():
        variable.val = _merged(test, a, b, merge)
    return given


def stage_if(
    test: Thunk, body: Thunk, orelse: Thunk, local_writes: Sequence[Any], merge: Merge
) -> Signal:
    """`if`: a staged test runs both arms, isolated, and merges their variables and results.

    `merge(test, a, b)` is the later value: `a` if the test will hold, else `b`.
    """
    asked = test()
    if is_staged(asked):
        return _both(asked, (body, orelse), local_writes, merge)
    signal: Signal = body() if asked else orelse()
    return signal


def stage_if_rest(
    test: Thunk,
    body: Thunk,
    orelse: Thunk,
    rest: Thunk,
    local_writes: Sequence[Any],
    merge: Merge,
) -> Signal:
    """The same where the statements after the `if` are `rest`: one arm alone may return."""

    def then_rest(arm: Thunk) -> Thunk:
        def run() -> Signal:
            signal: Signal = arm()
            return rest() if signal is None else signal

        return run

    return stage_if(test, then_rest(body), then_rest(orelse), local_writes, merge)
