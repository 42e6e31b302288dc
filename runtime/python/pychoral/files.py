"""Files that somebody names: opened at once, whatever they are (PROTOCOL.md sections 7 and 9)."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO


def open_to_read(path: str) -> BinaryIO:
    """Opened to be read; a FIFO does not hold us.  Raises OSError."""
    return open(path, "rb", opener=_at_once)


def is_file(file: BinaryIO) -> bool:
    """Whether this is a regular file: no FIFO, no device, no folder."""
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
