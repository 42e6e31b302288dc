"""Transport: what carries the frames of one role's machines, and MemoryTransport for threads.

PROTOCOL.md section 3 has the outputs of a machine; a Port acts on them.  A transport belongs to one
role and is used under that role's lock.  SocketTransport (sockets.py) joins processes.
"""

from __future__ import annotations

import queue
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from time import monotonic_ns
from typing import Any

Frames = Sequence[Any]  # bytes, or buffers of received frames


class Port(ABC):
    """The transport's end of one link: where its machine's outputs go.

    owner    is told what comes: `arrived`, `connected`, `disconnected`, `event`, `refused`
    address  where the peer is, for messages
    """

    owner: Any
    address: str

    @abstractmethod
    def send(self, conn: Hashable, frames: Frames) -> None:
        """Hand a message over; what cannot be sent is a connection that is lost."""

    @abstractmethod
    def dial(self) -> None:
        """Throw away the connection there is, make a fresh one and report it with `connected`."""

    @abstractmethod
    def drop(self, conn: Hashable) -> None:
        """Take nothing more from a connection."""

    @abstractmethod
    def pull(self, now: int, site: int) -> bytes | bool:
        """Take in the next thing that comes for this link (other links may get theirs as well).

        Waits for a few milliseconds at most; says whether anything came.  If that is a simple value
        from `site`, and its machine is an ordinary one, it is read, too, and returned: its first
        and only frame.
        """

    def event(self, word: str, *arguments: Any) -> None:
        """The machine has something to tell its owner."""
        self.owner.event(word, *arguments)


class Transport(ABC):
    """Carries the frames of one role.

    behind   what is to be done once the machine that is at work has returned
    files    descriptors that can be read when a connection has come or gone
    """

    # Whether what was sent reaches the peer whatever becomes of this end: nothing has to be served
    # while the program computes, nor confirmed at the end.
    is_certain = False

    def __init__(self) -> None:
        self.behind: deque[Callable[[], None]] = deque()
        self.files: tuple[int, ...] = ()

    def later(self, action: Callable[[], None]) -> None:
        """Do something once the machine that is at work has returned."""
        self.behind.append(action)

    def catch_up(self) -> bool:
        """Do what was put off; says whether there was anything."""
        done = bool(self.behind)
        while self.behind:
            self.behind.popleft()()
        return done

    def now(self) -> int:
        """Milliseconds of a clock that only goes forward."""
        return monotonic_ns() // 1_000_000

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Take in what comes for any link; returns when something came or the time is over."""

    def feel(self) -> None:
        """End connections over which nothing comes, where the transport does not by itself."""
        return

    @abstractmethod
    def close(self, linger: float) -> None:
        """End, giving sent frames `linger` seconds to leave.  May be called twice."""

    def is_alive(self, peer: str) -> bool:
        """False if it is certain that the peer's program has ended."""
        return True

    def mark_of(self, peer: str) -> str:
        """Why a peer's program cannot start, where that can be seen; else ""."""
        return ""

    def trouble(self, peer: str) -> list[str]:
        """The last things that went wrong on the way to a peer, for reports."""
        return []


class MemoryTransport(Transport):
    """Roles that are threads of one process: a queue of what comes for each."""

    is_certain = True

    def __init__(self) -> None:
        super().__init__()
        self.inbox: queue.SimpleQueue[_Arrival] = queue.SimpleQueue()
        self.is_closed = False
        self._ports: dict[str, _MemoryPort] = {}

    @classmethod
    def join(cls, one: tuple[str, MemoryTransport], two: tuple[str, MemoryTransport]) -> None:
        """A link between two roles, each with its transport."""
        (first, left), (second, right) = one, two
        address = f"memory:{first}-{second}"
        left._ports[second] = _MemoryPort(address, left)
        right._ports[first] = _MemoryPort(address, right)
        left._ports[second].other = right._ports[first]
        right._ports[first].other = left._ports[second]

    def port(self, peer: str) -> _MemoryPort:
        return self._ports[peer]

    def wait(self, seconds: float) -> None:
        if not self.catch_up():
            self.pull(seconds)

    def pull(self, seconds: float) -> bool:
        try:
            port, conn, frames = self.inbox.get(timeout=seconds)
        except queue.Empty:
            return False
        if frames is None:
            port.is_cut = True
            port.owner.disconnected(conn)
        else:
            port.conn = conn
            port.owner.arrived(conn, frames)
        return True

    def is_alive(self, peer: str) -> bool:
        return not self._ports[peer].is_cut

    def close(self, linger: float) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        for port in self._ports.values():
            if port.conn:
                port.other.transport.inbox.put((port.other, port.conn, None))


# A port, its connection, and what came; None: nothing more will.
_Arrival = tuple["_MemoryPort", Hashable, "Frames | None"]


class _MemoryPort(Port):
    """One end of a link between threads."""

    other: _MemoryPort

    def __init__(self, address: str, transport: MemoryTransport) -> None:
        self.address = address
        self.transport = transport
        self.conn: Any = 0
        self.is_cut = False

    def send(self, conn: Hashable, frames: Frames) -> None:
        self.other.transport.inbox.put((self.other, conn, frames))

    def dial(self) -> None:
        self.conn += 1
        conn = self.conn

        def connect() -> None:
            self.owner.connected(conn)

        self.transport.later(connect)

    def drop(self, conn: Hashable) -> None:
        """A thread that was given up has nothing more to say."""

    def pull(self, now: int, site: int) -> bool:
        return self.transport.catch_up() or self.transport.pull(0.05)
