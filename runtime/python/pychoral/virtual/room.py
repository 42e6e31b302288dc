"""Room in a function's code for the positions of the thunks that were cut from it.

Where a hook catches an exception, its traceback gets the frame of the function in place of those of
the thunks (mend.py: trim).  A position in a traceback is an offset in the code of its frame.  So
the code of the function ends in instructions that nothing reaches, as many as its thunks have; the
table of positions goes on there as the tables of the thunks say.  A thunk knows where its part
begins.
"""

from __future__ import annotations

import sys
from dis import opmap
from types import CodeType

from .mend import RAISES

_HAS_COLUMNS = sys.version_info >= (3, 11)
_NO_COLUMNS = 13        # the kind of an entry that has a line alone


def _number(value: int) -> bytes:
    """A number with a sign, six bits at a time, as tables of positions have it."""
    rest = -value << 1 | 1 if value < 0 else value << 1
    found = bytearray()
    while rest >= 64:
        found.append(64 | rest & 63)
        rest >>= 6
    return bytes([*found, rest])


def _line_to(line: int) -> bytes:
    """The entry of one instruction, `line` lines further."""
    return bytes([128 | _NO_COLUMNS << 3]) + _number(line)


def _last_line(code: CodeType) -> int:
    lines = [line for _, _, line in code.co_lines() if line is not None]
    return lines[-1] if lines else code.co_firstlineno


def _nothing(code: CodeType) -> bytes:
    """As many instructions that do nothing; those of `raise` can be told."""
    ops = code.co_code[::2]
    return b"".join(bytes(RAISES if op == opmap["RAISE_VARARGS"] else (RAISES[0], 0)) for op in ops)


class Room:
    """What comes behind the code of one function."""

    def __init__(self, code: CodeType) -> None:
        self._code, self._table = code.co_code, code.co_linetable
        self._line = _last_line(code)

    def add(self, thunk: CodeType) -> int:
        """From an offset in the code of the thunk to that in the function's."""
        start = len(self._code) + 2
        self._code += bytes((RAISES[0], 0)) + _nothing(thunk)
        if _HAS_COLUMNS:
            self._table += _line_to(thunk.co_firstlineno - self._line) + thunk.co_linetable
            self._line = _last_line(thunk)
        return start

    def behind(self, code: CodeType) -> CodeType:
        return code.replace(co_code=self._code, co_linetable=self._table)
