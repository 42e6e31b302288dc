"""What the default hooks mend on their error path: unset locals, and tracebacks.

A thunk that reads an unset local raises what the function it was cut from would raise.

To the thunk the variable is free, so that CPython raises NameError; the function itself would raise
UnboundLocalError.  The default hooks call `unbound_local` on their error path.  The loader marks
the code of a thunk: its last constant is (MARK, names of the locals of its function, where its
positions begin in the code of the function: room.py).  Text that runs without the loader has no
marks: there the frames of the thunks are known by their names.

A traceback gets an entry for the function, one for each thunk in it, and one for each hook that is
written in Python.  Where a hook catches an exception, `trim` leaves one for the function, with the
function's frame and the innermost position.
"""

from __future__ import annotations

import re
import sys
from dis import opmap
from types import CodeType, FrameType, TracebackType
from typing import NamedTuple

MARK = "_pc_thunk"
# In the room behind a function's code (room.py), where a thunk has `raise`.
RAISES = (opmap["NOP"], 1)
THUNK = re.compile(r"_pc\d*_[a-z]\d+\Z")


def unbound_words(name: str) -> str:
    if sys.version_info >= (3, 11):
        return f"cannot access local variable '{name}' where it is not associated with a value"
    return f"local variable '{name}' referenced before assignment"


def free_words(name: str) -> str:
    if sys.version_info >= (3, 11):
        where = "where it is not associated with a value in enclosing scope"
        return f"cannot access free variable '{name}' {where}"
    return f"free variable '{name}' referenced before assignment in enclosing scope"


class Mark(NamedTuple):
    """Of a thunk, if the loader has marked it."""

    locals: tuple[str, ...]     # of the function that it was cut from
    start: int                  # of its positions there


def marked(code: CodeType) -> Mark | None:
    last = code.co_consts[-1] if code.co_consts else None
    if isinstance(last, tuple) and len(last) == 3 and last[0] == MARK:
        return Mark(*last[1:])
    return None


def _locals_behind(frame: FrameType | None, package: str) -> tuple[str, ...]:
    """The cells of the first function on the stack that is neither a thunk nor a hook."""
    while frame is not None:
        hook = frame.f_globals.get("__package__") == package
        if not hook and not THUNK.match(frame.f_code.co_name):
            return frame.f_code.co_cellvars
        frame = frame.f_back
    return ()


def _is_thunk(code: CodeType) -> bool:
    return THUNK.match(code.co_name) is not None or code.co_name == "<lambda>"


def unbound_local(error: NameError) -> UnboundLocalError | None:
    """What to raise in place of `error`, which a thunk has let out; None: `error` itself."""
    at: TracebackType | None = error.__traceback__
    while at is not None and at.tb_frame.f_globals.get("__package__") == __package__:
        at = at.tb_next
    name = getattr(error, "name", None)
    if type(error) is not NameError or at is None or at.tb_next is not None:
        return None
    code = at.tb_frame.f_code
    mark = marked(code)
    names = mark.locals if mark else None
    if names is None and _is_thunk(code):
        names = _locals_behind(sys._getframe(1), __package__ or "")
    if names is None or name not in names or name not in code.co_freevars:
        return None
    mended = UnboundLocalError(unbound_words(str(name)))
    mended.__context__, mended.__cause__ = error.__context__, error.__cause__
    mended.__suppress_context__ = error.__suppress_context__
    return mended.with_traceback(at)


def _is_hook(at: TracebackType) -> bool:
    return at.tb_frame.f_globals.get("__package__") == __package__


def _is_cut_from(thunk: CodeType, code: CodeType) -> bool:
    same = (code.co_filename, code.co_name) == (thunk.co_filename, thunk.co_name)
    return same and marked(thunk) is not None


def _function_of(thunk: CodeType, frame: FrameType | None) -> FrameType | None:
    """The innermost call of the function that a thunk was cut from."""
    while frame is not None:
        if marked(frame.f_code) is None and _is_cut_from(thunk, frame.f_code):
            return frame
        frame = frame.f_back
    return None


def _in_function(at: TracebackType, frame: FrameType | None) -> TracebackType:
    """The entry of a thunk as one of its function's frame; itself where there is none."""
    mark = marked(at.tb_frame.f_code)
    if frame is None or mark is None or marked(frame.f_code):
        return at
    return TracebackType(at.tb_next, frame, mark.start + at.tb_lasti, at.tb_lineno)


def is_at_call(at: TracebackType) -> bool:
    """Not at `raise`, nor at the position of one in a thunk."""
    op = tuple(at.tb_frame.f_code.co_code[at.tb_lasti : at.tb_lasti + 2])
    return op[:1] != (opmap["RAISE_VARARGS"],) and op != RAISES


def _is_led_to(following: TracebackType, at: TracebackType) -> bool:
    """Whether what follows takes the place of `at`.

    It is a thunk of it, or the function itself, where it called a hook that let go on an exception
    that had the function in its traceback already.
    """
    again = following.tb_frame is at.tb_frame and is_at_call(at)
    return again or _is_cut_from(following.tb_frame.f_code, at.tb_frame.f_code)


def trim(error: BaseException) -> None:
    """The traceback of a caught exception as the functions alone would give it."""
    kept: list[TracebackType] = []
    at = error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        if not kept and marked(code):
            kept.append(_in_function(at, _function_of(code, sys._getframe(1))))
        elif kept and _is_led_to(at, kept[-1]):
            kept[-1] = _in_function(at, kept[-1].tb_frame)
        elif not _is_hook(at):
            kept.append(at)
        at = at.tb_next
    for one, inner in zip(kept, [*kept[1:], None]):
        one.tb_next = inner
    if kept:
        error.__traceback__ = kept[0]
