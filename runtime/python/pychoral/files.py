"""Files that somebody names, opened at once whatever they are; names that can be told to peers.

PROTOCOL.md sections 7 and 9.
"""

from __future__ import annotations

import json
import os
import stat
from typing import Any, BinaryIO

_MOST = 500  # bytes of a run's name


def open_to_read(path: str) -> BinaryIO:
    """Opened to be read; a FIFO does not hold us.  Raises OSError."""
    return open(path, "rb", opener=_at_once)


def is_file(file: BinaryIO) -> bool:
    """Whether this is a regular file: no FIFO, no device, no folder."""
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def read_json(text: str) -> Any:
    """A value; raises ValueError, RecursionError.  Of a key that stands twice nobody knows which is
    meant."""
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice in an object")
    return found


def is_name(text: str) -> bool:
    """Whether peers can be told this name of a run: a short text in UTF-8, no NUL."""
    try:
        return len(text.encode()) <= _MOST and "\0" not in text
    except UnicodeEncodeError:
        return False


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
