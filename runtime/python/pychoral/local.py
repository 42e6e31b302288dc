"""What endpoints and the central run do alike with values that never travel."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .errors import EXIT_OWN_ERROR

_T = TypeVar("_T")


def narrow(value: _T) -> _T:
    """A copy of a replicated value for fewer roles, so that a change of it is not seen by all."""
    return copy.deepcopy(value)


def call_main(main: Callable[..., _T], arguments: Sequence[Any]) -> _T:
    """Call it with a value for each of its parameters, in their order; some may be keyword-only."""
    code = main.__code__
    keywords = code.co_kwonlyargcount
    count = len(arguments) - keywords
    names = code.co_varnames[code.co_argcount : code.co_argcount + keywords]
    return main(*arguments[:count], **dict(zip(names, arguments[count:])))


def result_line(result: Any, here: str | tuple[bool, ...]) -> str:
    """The line that shows a role its result; "" if nothing of it is there.

    here   "here" or "absent", or for a tuple which of its parts are there
    """
    if isinstance(here, tuple):
        if not any(here):
            return ""
        parts = tuple(part for part, mine in zip(result, here) if mine)
        return f"=> {parts[0]!r}" if len(parts) == 1 else f"=> {parts!r}"
    return f"=> {result!r}" if here == "here" else ""


def exit_status(end: SystemExit) -> int:
    """What Python makes of the argument of `sys.exit`; a message is printed."""
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code & 0xFF
    print(end.code, file=sys.stderr)
    return EXIT_OWN_ERROR
