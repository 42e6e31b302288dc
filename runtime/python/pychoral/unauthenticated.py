"""Connections to a listener that have not greeted, which are let go of (PROTOCOL.md section 6).

libzmq keeps whoever speaks ZeroMQ, and has no call that ends one connection of a socket.
So the connection is shut down below it, by its descriptor: libzmq then finds it at its end, as if
the other side had closed it.
"""

from __future__ import annotations

import os
import socket

from .descriptor import Descriptor, borrowed, descriptor_of

_GREET_MS = 5_000  # how long one may take: the dialler's own handshake takes two seconds
_LOOK_MS = 200  # between looks at them
_MOST = 4_096  # that are watched; more than that are more than there are descriptors


class Strangers:
    """The connections that have not greeted, by descriptor.

    When the monitor's event is read, libzmq may have closed a descriptor, and it may be that of
    another file of this process: only a connection to one of `addresses` is watched.
    """

    def __init__(self) -> None:
        self._since: dict[int, tuple[int, Descriptor]] = {}
        self._due = 0
        self.addresses: set[str] = set()  # where the listener is

    def is_due(self, now: int) -> bool:
        """Whether `dismiss` is to be called."""
        return bool(self._since) and now >= self._due

    def add(self, descriptor: int, now: int) -> None:
        """It was accepted."""
        self.forget(descriptor)
        found = descriptor_of(descriptor) if len(self._since) < _MOST else None
        if found is not None and any(_is_at(descriptor, each) for each in self.addresses):
            self._since[descriptor] = now, found

    def forget(self, descriptor: int) -> None:
        """It has greeted, or has ended."""
        self._since.pop(descriptor, None)

    def dismiss(self, now: int) -> None:
        """End those that have had their time; what has come was looked at before."""
        self._due = now + _LOOK_MS
        late = [each for each, (since, _) in self._since.items() if now - since >= _GREET_MS]
        for descriptor in late:
            self._since.pop(descriptor)[1].end()


def _is_at(descriptor: int, address: str) -> bool:
    """Whether this end of the connection is where the address says."""
    try:
        with borrowed(descriptor) as connection:
            family, name = connection.family, connection.getsockname()
    except OSError:
        return False
    if family == socket.AF_UNIX:
        path = os.fsdecode(name).replace("\0", "@", 1)
        return address == f"ipc://{path}"
    return address.startswith("tcp://") and address.rpartition(":")[2] == str(name[1])
