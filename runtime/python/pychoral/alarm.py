"""Alarm: what the keeper waits for, its end or something at a file (PROTOCOL.md section 6)."""

from __future__ import annotations

import contextlib
import os
import select
import threading
from collections.abc import Iterable

_NAP_S = 0.002


class Alarm:
    """Like an event that can be set once, and that one thread waits for."""

    def __init__(self) -> None:
        self._is_set = threading.Event()
        self._pipe: tuple[int, int] | None = None

    def arm(self) -> None:
        """Before it is waited for."""
        with contextlib.suppress(OSError):  # without descriptors it is an event and no more
            self._pipe = os.pipe()

    def set(self) -> None:
        """For the process that has armed it: forked ones have its descriptors as well."""
        self._is_set.set()
        if self._pipe is not None:
            os.write(self._pipe[1], b".")

    def wait(self, seconds: float, files: Iterable[int]) -> bool:
        """Until it is set, the time is over, or one of the files can be read; whether it is set."""
        if self._pipe is None:
            return self._is_set.wait(seconds)
        poll = select.poll()
        for each in (self._pipe[0], *files):
            poll.register(each, select.POLLIN)
        if poll.poll(seconds * 1000):
            # Who serves the links now may be about to take what is there.
            return self._is_set.wait(_NAP_S)
        return self._is_set.is_set()

    def close(self) -> None:
        if self._pipe is not None:
            os.close(self._pipe[0])
            os.close(self._pipe[1])
            self._pipe = None
