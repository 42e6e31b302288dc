"""Link: the small interface between the channel protocol and what carries its frames.

A link joins two roles and carries frames (bytes) whole and in order.  It knows nothing of what they
mean; handshake, values and endings are channel.Session's.  Two kinds: MemoryLink for roles that are
threads of one process, zmqlink.ZmqLink between processes.
"""

from __future__ import annotations

import queue
from abc import ABC, abstractmethod


class LinkTimeout(Exception):
    """Nothing came, or nothing could be handed over, within the time given."""


class LinkLost(Exception):
    """The other end is gone."""


class Link(ABC):
    """One end of a link.  Methods are called from one thread.

    address  where the other end is, for messages
    dials    whether this end speaks first (exactly one of the two does)
    """

    address: str
    dials: bool

    @abstractmethod
    def send(self, frame: bytes, timeout: float | None) -> None:
        """Hand a frame over; raises LinkTimeout or LinkLost."""

    @abstractmethod
    def receive(self, timeout: float | None) -> bytes:
        """The next frame; None waits for ever; raises LinkTimeout or LinkLost."""

    @abstractmethod
    def pin(self, refusal: bytes) -> None:
        """The sender of the last frame is the peer; anybody else gets `refusal` from now on."""

    @abstractmethod
    def close(self, linger: float) -> None:
        """End, giving sent frames `linger` seconds to leave.  May be called twice."""


class MemoryLink(Link):
    """One end of a pair of queues."""

    def __init__(
        self,
        name: str,
        dials: bool,
        inbox: queue.SimpleQueue[bytes],
        outbox: queue.SimpleQueue[bytes],
    ) -> None:
        self.address = name
        self.dials = dials
        self._inbox = inbox
        self._outbox = outbox

    @classmethod
    def pair(cls, first: str, second: str) -> tuple[MemoryLink, MemoryLink]:
        """The ends for two roles, in the order given; the second one dials."""
        one: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        two: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        name = f"memory:{first}-{second}"
        return cls(name, False, one, two), cls(name, True, two, one)

    def send(self, frame: bytes, timeout: float | None) -> None:
        self._outbox.put(frame)

    def receive(self, timeout: float | None) -> bytes:
        try:
            return self._inbox.get(timeout=timeout)
        except queue.Empty:
            raise LinkTimeout from None

    def pin(self, refusal: bytes) -> None:
        """A memory link has one peer from the start."""

    def close(self, linger: float) -> None:
        """Frames are already with the peer."""
