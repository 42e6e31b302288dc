"""What the default hooks mend on their error path: unset locals, and tracebacks.

A thunk that reads an unset local raises what the function it was cut from would raise.

To the thunk the variable is free, so that CPython raises NameError; the function itself would raise
UnboundLocalError.  The default hooks call `unbound_local` on their error path.  The loader marks
the code of a thunk: its last constant is (MARK, names of the locals of its function).  Text that
runs without the loader has no marks: there the frames of the thunks are known by their names.

A traceback gets an entry for the function, one for each thunk in it, and one for each hook that is
written in Python.  Where a hook catches an exception, `trim` leaves the innermost of a function: it
has the user's file, function and line.
"""

from __future__ import annotations

import re
import sys
from types import CodeType, FrameType, TracebackType

MARK = "_pc_thunk"
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


def marked(code: CodeType) -> tuple[str, ...] | None:
    """The locals of the function that a thunk was cut from, if the loader has marked it."""
    last = code.co_consts[-1] if code.co_consts else None
    if isinstance(last, tuple) and len(last) == 2 and last[0] == MARK:
        names: tuple[str, ...] = last[1]
        return names
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
    names = marked(code)
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


def _leads_to(at: TracebackType, following: TracebackType) -> bool:
    """Whether `following` is a thunk that was cut from the same function as `at`."""
    code, thunk = at.tb_frame.f_code, following.tb_frame.f_code
    same = (code.co_filename, code.co_name) == (thunk.co_filename, thunk.co_name)
    return same and marked(thunk) is not None


def trim(error: BaseException) -> None:
    """The traceback of a caught exception without the entries that lead to a thunk."""
    entries: list[TracebackType] = []
    at = error.__traceback__
    while at is not None:
        if not _is_hook(at):
            entries.append(at)
        at = at.tb_next
    pairs = zip(entries, [*entries[1:], None])
    kept = [one for one, inner in pairs if inner is None or not _leads_to(one, inner)]
    for one, inner in zip(kept, [*kept[1:], None]):
        one.tb_next = inner
    if kept:
        error.__traceback__ = kept[0]
