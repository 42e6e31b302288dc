"""What body thunks and hooks give to each other, and the errors of pychoral.virtual.

A body thunk gives a signal: None (it fell through), BREAK, CONTINUE, or a 1-tuple with the value of
`return`.  A statement hook gives the signal to go on with.  Generator and coroutine forms may also
give Raised(exc): the line after the hook raises it in the frame of the user's function.
"""

from __future__ import annotations

from typing import Any, Optional, Union


class Mark:
    """A value that is only compared by identity."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return self.name


BREAK = Mark("BREAK")
CONTINUE = Mark("CONTINUE")
UNBOUND = Mark("UNBOUND")


class Raised:
    """The signal for an exception that the user's own frame must raise."""

    __slots__ = ("exception",)

    def __init__(self, exception: BaseException) -> None:
        self.exception = exception


Signal = Optional[Union[Mark, Raised, "tuple[Any]"]]


class VirtualizationError(Exception):
    """A function, module or overload cannot be virtualized."""


class IsolationError(VirtualizationError):
    """An effect inside `isolated` cannot be undone."""
