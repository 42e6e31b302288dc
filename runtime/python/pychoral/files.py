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
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r:.80} occurs twice in an object")
        found[key] = value
    return found


def wrong_name(text: str) -> str:
    """Why peers cannot be told this name of a run, as "is ..." or "has ..."; "" if they can."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return "is not UTF-8 text"
    if size > _MOST:
        return f"is longer than {_MOST} bytes"
    return "has a NUL" if "\0" in text else ""


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
