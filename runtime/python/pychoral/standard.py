"""Standard input, output and error, SIGINT and SIGUSR1, before a program has imported all it needs.

Files that are opened first get the numbers 0 to 2 if nothing has them: what is printed would go
into a journal or wake a thread of libzmq.
"""

from __future__ import annotations

import _signal  # type: ignore[import]  # as `signal` imports more
import sys


# What runs while a module is imported; the first two are the same code, before and after something
# has imported importlib.
_IMPORTING = ("_frozen_importlib", "importlib._bootstrap", f"{__package__}.")


def is_for_program() -> bool:
    """Whether the program itself has imported this, and not who starts several as threads."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        name = frame.f_globals.get("__name__", "")
        if not name.startswith(_IMPORTING):
            break
        frame = frame.f_back
    return bool(frame.f_globals.get("__name__") == "__main__")


is_quiet = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler and is_for_program()
if is_quiet:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # what is imported shows no traceback


def no_report(number: int, frame: object) -> None:
    """SIGUSR1 while there is no role: its links are not yet, or no more."""


if _signal.getsignal(_signal.SIGUSR1) is _signal.SIG_DFL and is_for_program():
    _signal.signal(_signal.SIGUSR1, no_report)

import fcntl  # noqa: E402
import os  # noqa: E402


def _is_open(number: int) -> bool:
    try:
        fcntl.fcntl(number, fcntl.F_GETFD)
        return True
    except OSError:
        return False


def fill() -> None:
    """Have descriptors 0 to 2 and their streams; what was not there is /dev/null.

    A number may be another file's by now: what is printed never goes there.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if not _is_open(number):
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))


def flush() -> str:
    """Write what was printed; says why it cannot be, "" if it was."""
    try:
        sys.stdout.flush()
        return ""
    except (OSError, ValueError) as fault:
        sys.stdout = open(os.devnull, "w")  # the interpreter would try once more at its end
        why = getattr(fault, "strerror", None) or str(fault)
        return f"standard output cannot be written: {why}"


fill()
