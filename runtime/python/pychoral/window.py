"""One end of a link: its state, and what goes out (PROTOCOL.md sections 3 and 2, rules 5 to 7).

Messages sent are kept until they are acknowledged, credit is counted, acks are told.  machine.py
adds what comes in.  No I/O, no clock, no randomness: times are milliseconds that the owner gives.
"""

from __future__ import annotations

import enum
import hashlib
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from . import frame as wire
from .agreement import Agreed
from .frame import (
    ACK,
    DATA,
    DATA_HEAD,
    END,
    HEADER,
    HEADS,
    INLINE_MAX,
    Buffer,
    Frames,
    pack_header,
    pack_route,
    pack_routed,
    unpack_header,
)

NO_SITE = -1  # of no message


@dataclass(frozen=True)
class Config:
    """What one end of a link is; times in milliseconds."""

    me: str
    peer: str
    dials: bool
    protocol: bytes
    run: str
    incarnation: int = 1
    durable: bool = False
    window_messages: int = 1024
    window_bytes: int = 8 << 20
    max_message: int = 256 << 20
    crc: bool = False
    seed: int = 0
    handshake: int = 2000
    redial_min: int = 20
    redial_max: int = 500
    idle_ack: int = 20
    ping: int = 1000
    connect: int = 30000
    lost: int = 10000
    time_wait: int = 250
    end: int = 5000
    beats: bool = False  # the transport itself finds out that a link is silent
    agreed: tuple[Agreed, ...] = ()  # what both ends must have been given alike, in order of name

    @property
    def run_id(self) -> bytes:
        return hashlib.sha256(self.run.encode()).digest()[:16]


class Output(Protocol):
    """What a machine asks of its owner.  Calls must not come back into the machine."""

    def send(self, conn: Hashable, frames: list[Buffer]) -> None:
        """Put a message out.  The frames stay the machine's and must not be changed."""

    def dial(self) -> None:
        """Throw away any connection there is, make a fresh one, then call `connected`."""

    def drop(self, conn: Hashable) -> None:
        """Take nothing more from this connection."""

    def event(self, word: str, *args: Any) -> None:
        """Something that the role may want to know."""


class Phase(enum.Enum):
    DOWN = 0
    GREETING = 1
    UP = 2


class Sent(enum.Enum):
    """What became of a message that was to be sent."""

    SENT = 0
    FULL = 1  # no credit, nothing done
    LARGE = 2  # over the limit, nothing done
    GONE = 3  # nobody will read it: dropped


_SENT = Sent.SENT


class Message(NamedTuple):
    """A message for the program.  END and ERROR have their body as the payload."""

    kind: int
    site: int
    label: int
    seq: int
    frames: list[Buffer]
    extra: bytes


# A message of the resend window: what is not written anew each time, that is kind, site, label,
# payload and what lengthens the header.
Kept = tuple[int, int, int, Frames, bytes]

# What took the short way out is kept as its frame: thousands of tuples in a window would be gone
# through by each collection of garbage, which costs a twentieth of a stream.
_ShortlyKept = bytes

_new = tuple.__new__  # makes a named tuple without the detour over its own __new__


class Window:
    """State of a link, and its sending half.  Attributes without underscore are for reports,
    read only."""

    # Slots: there are too many attributes for the quick way to those of a dictionary.
    __slots__ = (
        "config", "_out", "_put", "phase", "conn", "failed", "failure", "left", "ended",
        "peer_ended", "peer_durable", "peer_incarnation",
        "_session", "next_seq", "acked", "peer_limit",
        "peer_next", "_peer_messages", "_window", "_window_bytes", "_peer_read", "_kept", "_sizes",
        "_unread_there", "_short_to", "expected", "safe", "read", "_done", "limit",
        "ack_told", "limit_told", "_bytes_safe", "_bytes_done", "_owed", "_quarter", "_due_at",
        "_quarter_bytes", "_ended_at", "_cut_at", "_breaks", "_stamp", "_routes",
    )

    def __init__(self, config: Config, out: Output) -> None:
        self.config = config
        self._out = out
        self._put = out.send
        self.phase = Phase.DOWN
        self.conn: Hashable = None
        self.failed = False
        self.failure = ""
        self.left = False
        self.ended = False
        self.peer_ended = False
        self.peer_incarnation = 0
        self.peer_durable = False
        self._session = wire.NO_SESSION
        # Sending.  _kept holds the messages acked+1 .. next_seq-1, _sizes the payload of those
        # that the peer's program has not read: _peer_read+1 .. next_seq-1.
        self.next_seq = 1
        self.acked = 0
        self.peer_limit = 0
        self.peer_next = 1
        self._peer_messages = 0
        self._window = config.window_messages  # in force: the lesser of both sides'
        self._window_bytes = config.window_bytes
        self._peer_read = 0
        self._kept: deque[Kept | _ShortlyKept] = deque()
        self._sizes: deque[int] = deque()
        self._unread_there = 0
        self._short_to = 0  # messages up to this number take the short way out
        # Receiving.  The limit counts from `read`; in durable mode from _done: what is stored and
        # read, or restored.
        self.expected = 1
        self.safe = 0
        self.read = 0
        self._done = 0
        self.limit = config.window_messages
        self.ack_told = 0
        self.limit_told = config.window_messages
        self._bytes_safe = 0  # and not told as such
        self._bytes_done = 0
        self._owed: int | None = None  # since when there is something to tell
        self._set_quarters()
        self._ended_at = 0
        self._cut_at: int | None = None  # since the end: when it was first without a connection
        self._stamp = b""
        self._breaks = 0  # since a message was taken or acknowledged
        # What headers of DATA in this session begin with, by site.
        self._routes: dict[int, bytes] = {}

    def _set_quarters(self) -> None:
        """After how much an ACK goes alone.  _due_at is the number whose reading makes one due, if
        nothing is told before; that of what is taken comes no sooner, as safe >= done."""
        self._quarter = max(1, self._window // 4)
        self._quarter_bytes = max(1, self._window_bytes // 4)
        self._due_at = self.limit_told + self._quarter - self.config.window_messages

    # --- the program's side ---

    def send(self, now: int, kind: int, site: int, label: int, frames: Frames) -> Sent:
        """DATA, whose payload is one frame, or the value and its buffers; or SELECT.  Frames are
        borrowed until they are acknowledged and must not be changed."""
        seq = self.next_seq
        if seq <= self._short_to and kind == DATA and len(frames) == 1:
            payload = frames[0]
            size = len(payload) if type(payload) is bytes else INLINE_MAX + 1
            unread = self._unread_there + size
            if size <= INLINE_MAX and unread <= self._window_bytes:
                self.next_seq = seq + 1
                self._unread_there = unread
                self._sizes.append(size)
                route = self._routes.get(site) or self._route(site)
                frame = pack_routed(route, seq, self.safe, self.limit) + payload
                self._kept.append(frame)
                if self._owed is not None:
                    self._told()
                self._put(self.conn, [frame])
                return _SENT
        return self._send_any(kind, site, label, frames)

    def _route(self, site: int) -> bytes:
        """What headers of DATA for a site of the program begin with."""
        route = b"no header"
        if site != NO_SITE:
            route = pack_route(DATA_HEAD, site, 0, self._session)
        self._routes[site] = route
        return route

    def stamp(self, stamp: bytes) -> None:
        """What lengthens the headers of messages that are sent from now on (longer headers in
        section 1); nothing if it has more than 4,096 bytes."""
        self._stamp = stamp if len(stamp) <= wire.EXTRA_MAX else b""
        self._find_short_way()

    def _send_any(self, kind: int, site: int, label: int, frames: Frames) -> Sent:
        if self.peer_ended or self.failed or self.left or self.ended:
            if not (self.failed or self.left or self.ended):
                self._waste()
            return Sent.GONE
        frames = list(frames) if kind == DATA else []
        size = wire.size_of(frames)
        if size > self.config.max_message or len(frames) > wire.MAX_FRAMES:
            return Sent.LARGE
        if self.next_seq > self.acked and not self._has_credit(size):
            return Sent.FULL
        self._number((kind, site, label, frames, self._stamp), size)
        if not self._short_to:
            self._find_short_way()
        return _SENT

    def _waste(self) -> None:
        """Nobody will read it.  It uses up its number as if it had been sent and acknowledged, so
        that a program that runs again gives the same numbers, wherever it learns that the peer
        has ended."""
        self.acked = max(self.acked, self.next_seq)
        self.next_seq += 1
        self._peer_read = self.acked
        self._sizes.clear()
        self._unread_there = 0

    def _fresh(self) -> int:
        """The first number that the peer has not got."""
        return max(self.peer_next, self.acked + 1)

    def _has_credit(self, size: int) -> bool:
        if self.next_seq > min(self.peer_limit, self._peer_read + self._window):
            return False
        return not self._unread_there or self._unread_there + size <= self._window_bytes

    def end(self, now: int, status: int) -> None:
        """The program has ended."""
        self._finish(now, END, (status & 0xFFFF).to_bytes(2, "big"))

    def error(self, now: int, role: str, kind: str, text: str) -> None:
        """The program fails, because of an error of this type that began at this role."""
        self._finish(now, wire.ERROR, wire.write_failure(role, kind, text))

    def _finish(self, now: int, kind: int, body: bytes) -> None:
        if not (self.ended or self.failed or self.left):
            self._ended_at = now
            self._cut_at = None if self.phase is Phase.UP else now
            self.ended = True
            self._find_short_way()
            self._number((kind, 0, 0, [body], self._stamp), 0)

    def _number(self, kept: Kept, size: int) -> None:
        """Give the next number to a message, keep it, and put it out unless the peer has it."""
        seq = self.next_seq
        self.next_seq = seq + 1
        if seq > self._peer_read:
            self._sizes.append(size)
            self._unread_there += size
        if seq > self.acked:
            self._kept.append(kept)
        if self.phase is Phase.UP and seq >= self._fresh():
            self._put_message(seq, kept)

    # --- putting out ---

    def _put_message(self, seq: int, kept: Kept | _ShortlyKept) -> None:
        if isinstance(kept, bytes):
            kept = (DATA, unpack_header(kept)[1], 0, [kept[HEADER:]], b"")
        kind, site, label, frames, extra = kept
        if kind == DATA and (len(frames) > 1 or wire.size_of(frames) > INLINE_MAX):
            self._put_frame(kind, wire.MORE, site, label, seq, b"", frames, extra)
        else:
            self._put_frame(kind, 0, site, label, seq, frames[0] if frames else b"", (), extra)

    def _put_frame(
        self,
        kind: int,
        flags: int = 0,
        site: int = 0,
        label: int = 0,
        seq: int = 0,
        body: Buffer = b"",
        more: Frames = (),
        extra: bytes = b"",
    ) -> None:
        """Any frame but REFUSE, to the current connection."""
        length = HEADER + len(extra)
        start = HEADS[kind] if not flags and not extra else wire.head(kind, flags, length)
        session = wire.NO_SESSION if kind == wire.HELLO else self._session
        packed = pack_header(start, site, label, session, seq, self.safe, self.limit)
        self._told()
        self._put(self.conn, self._sealed([packed + extra + body, *more], length))

    def _put_refusal(self, conn: Hashable, code: int, text: str) -> None:
        packed = pack_header(HEADS[wire.REFUSE], 0, 0, wire.NO_SESSION, 0, 0, 0)
        self._put(conn, self._sealed([packed + wire.write_refusal(code, text)], HEADER))

    def _sealed(self, frames: list[Buffer], length: int) -> list[Buffer]:
        return wire.sealed(frames, length) if self.config.crc else frames

    def _told(self) -> None:
        """A frame with ack and limit goes out."""
        self.ack_told = self.safe
        self._due_at += self.limit - self.limit_told
        self.limit_told = self.limit
        self._bytes_safe = self._bytes_done = 0
        self._owed = None

    def _put_ack(self) -> None:
        if self.phase is Phase.UP:
            self._put_frame(ACK)

    def _resend(self) -> None:
        """Everything that the peer says it has not got, if it takes messages."""
        if not self._peer_messages:
            return
        for seq, kept in enumerate(tuple(self._kept), self.acked + 1):
            if seq >= self.peer_next:
                self._put_message(seq, kept)

    # --- what the peer tells ---

    def _hear(self, ack: int, limit: int) -> None:
        """Ack or limit has risen: let go of what is safe at the peer, count what it has read."""
        # Done for most messages, so without `min`, and without a loop for one.
        given = self.next_seq - 1
        acked = self.acked
        if ack > acked:
            self._breaks = 0
            if ack == acked + 1 <= given:
                self._kept.popleft()
            else:
                for _ in range(acked, ack if ack < given else given):
                    self._kept.popleft()
            self.acked = acked = ack
        self.peer_limit = limit
        read = limit - self._peer_messages
        if read > acked:
            read = acked
        unread = self._unread_there
        if read > self._peer_read:
            if read == self._peer_read + 1 <= given:
                unread -= self._sizes.popleft()
            else:
                for _ in range(self._peer_read, read if read < given else given):
                    unread -= self._sizes.popleft()
            self._unread_there = unread
            self._peer_read = read
        if self._short_to:
            credit = self._peer_read + self._window
            self._short_to = limit if limit < credit else credit

    def _find_short_way(self) -> None:
        """Messages take the short way out while the link is UP and there is nothing special."""
        own = self.config
        special = own.crc or self._stamp or own.max_message < INLINE_MAX
        special = special or self.ended or self.peer_ended or self.next_seq < self.peer_next
        short = self.phase is Phase.UP and not special
        self._routes.clear()
        self._short_to = min(self.peer_limit, self._peer_read + self._window) if short else 0

    def _accept_credit(self, greeting: wire.Greeting, ack: int, limit: int) -> None:
        """A greeting is accepted: what the peer has, and how much more it takes."""
        own = self.config
        self._peer_messages = greeting.window_messages
        self._window = min(own.window_messages, greeting.window_messages)
        self._window_bytes = min(own.window_bytes, greeting.window_bytes)
        self._set_quarters()
        self.peer_incarnation = greeting.incarnation
        self.peer_durable = bool(greeting.durable)
        self.peer_next = greeting.expected
        self._hear(min(ack, self.peer_next - 1), limit)

    @property
    def peer_window(self) -> int:
        """In messages, as the peer has greeted."""
        return self._peer_messages

    def _let_go(self) -> None:
        """The peer has ended and reads nothing more: only the own END or ERROR is still kept."""
        self._hear(self.next_seq - 1 - self.ended, self.peer_limit)

    def may_leave(self) -> bool:
        """Rule 11: the own END or ERROR is acknowledged, or the other's has come."""
        return self.peer_ended or (self.ended and self.acked >= self.next_seq - 1)
