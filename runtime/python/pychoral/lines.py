"""Lines about a run that go to a file: `--log-json`, `--history`, `--trace` (PROTOCOL.md, 8).

What is written about a run must not end it, nor hold it: a file that cannot be written any more, as
the disk is full or nobody reads the FIFO, is given up with a sentence, and the run goes on.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import sys
from typing import Protocol

_READER_MS = 1000  # how long the reader of a FIFO may let us wait


class Sink(Protocol):
    """Where text goes: a Lines, or any file."""

    def write(self, text: str, /) -> object:
        """All of the text."""


class Lines:
    """A file that is written at once, without a buffer.

    role, what   for the sentence: whose it is and what it holds, as in "Alice: the trace ..."
    """

    def __init__(self, path: str, role: str, what: str, *, anew: bool = False) -> None:
        """Opened, emptied if `anew`; raises OSError."""
        self._path, self._role, self._what = path, role, what
        self._descriptor: int | None = open_to_write(path, os.O_TRUNC if anew else 0)

    def write(self, text: str, /) -> None:
        """All of the text, unless it failed before."""
        if self._descriptor is None:
            return
        rest = memoryview(text.encode("utf-8", "backslashreplace"))
        try:
            while rest:
                rest = rest[self._some(self._descriptor, rest) :]
        except OSError as fault:
            self.close()
            self._say(fault.strerror)

    def _some(self, file: int, data: memoryview) -> int:
        """How many bytes were taken; raises OSError."""
        try:
            return os.write(file, data)
        except BlockingIOError:
            poll = select.poll()
            poll.register(file, select.POLLOUT)
            if not poll.poll(_READER_MS):
                raise OSError(errno.EAGAIN, "no program reads from it") from None
            return 0

    def _say(self, reason: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody reads that either
            print(f"{self._role}: the {self._what} {self._path} is incomplete from here on: "
                  f"{reason}; the run continues", file=sys.stderr, flush=True)  # fmt: skip

    def close(self) -> None:
        """Nothing more is written."""
        file, self._descriptor = self._descriptor, None
        if file is not None:
            os.close(file)


def open_to_write(path: str, flags: int = 0) -> int:
    """The descriptor of a file to add to; a FIFO does not hold us.  Raises OSError."""
    flags |= os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
    # What others have put there could be a link to a file of ours; those of the system are none.
    flags |= 0 if path.startswith("/dev/") else os.O_NOFOLLOW
    try:
        return os.open(path, flags, 0o600)
    except OSError as fault:
        why = {errno.ENXIO: "no program reads from it", errno.ELOOP: "it is a link"}
        raise OSError(fault.errno, why.get(fault.errno or 0, fault.strerror), path) from None


class Errors:
    """Standard error, which nobody needs to read."""

    def write(self, text: str, /) -> None:
        with contextlib.suppress(OSError, ValueError):
            print(text, end="", file=sys.stderr, flush=True)
