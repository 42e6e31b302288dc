"""One end of a link between two roles, without I/O, clock or randomness (PROTOCOL.md 2 and 3).

The owner gives it what happens (a connection, a message, a lost connection, the time) and does
what it asks for through `Output`.  The C machine (runtime/c/machine.c) answers the same inputs
with the same bytes; tests/schedules compares them.  window.py is the sending half (outbox.c there).
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from . import frame as wire
from .agreement import difference, item
from .frame import (
    DATA,
    DATA_HEAD,
    ERROR,
    HEADER,
    HELLO,
    MORE_HEAD,
    REFUSE,
    WELCOME,
    Frames,
    Greeting,
    Parsed,
    size_of,
    unpack_header,
    unpack_routed,
)
from .window import Config, Message, Output, Phase, Sent, Window, _new

__all__ = ["Config", "Machine", "Message", "Output", "Phase", "Sent"]

_MAX_BREAKS = 10
_ANSWER_MS = 1000  # for a process that is there to say so
_AGAIN = "dial again"
_MASK = (1 << 64) - 1
_NO_NONCE = bytes(8)  # of the listener, when a HELLO is written
# Of a peer that can never fit.
_NEVER = (wire.BAD_VERSION, wire.BAD_PROTOCOL, wire.BAD_ROLE, wire.LIMITS, wire.DISAGREED)


class Machine(Window):
    """Inputs in the order of PROTOCOL.md section 3.  `now` never goes back."""

    # Slots: there are too many attributes for the quick way to those of a dictionary.
    __slots__ = (
        "_queue", "_own_window", "_max_message", "_unread", "_unsafe", "_undone",
        "_seed", "_nonce", "_live", "_peer_crc", "_was_up", "_began",
        "_greeted_at", "_up_at", "_lost_at", "_peer_ended_at", "_heard", "_pinged", "_redial_at",
        "_redial_after", "_progress", "_held",
        "_unanswered", "_held_answers", "_over", "_is_shut",
    )

    def __init__(self, config: Config, out: Output) -> None:
        super().__init__(config, out)
        self._queue: deque[tuple[Message, int]] = deque()
        self._own_window = config.window_messages
        self._max_message = config.max_message
        self._unread = 0  # payload bytes that count against the window
        # Durable mode: number and size of messages not yet stored, and not both stored and read.
        self._unsafe: deque[tuple[int, int]] = deque()
        self._undone: deque[tuple[int, int]] = deque()
        self._seed = config.seed & _MASK
        self._nonce = wire.NO_SESSION
        self._live: Hashable = None  # the connection whose DATA takes the short way
        self._peer_crc = False
        self._was_up = False
        self._began = 0
        self._greeted_at = 0
        self._up_at = 0
        self._lost_at = 0
        self._peer_ended_at = 0
        self._heard = 0
        self._pinged = 0
        self._redial_at: int | None = None
        self._redial_after = config.redial_min
        self._progress = (0, 0, 0, "")
        # The HELLO of a process that may be a second one: connection, HELLO, since when.
        self._held: tuple[Hashable, Parsed, int] | None = None
        self._unanswered = 0  # PINGs of this connection
        self._held_answers = 0  # PONGs up to that to the one which asked about it
        self._over = ""  # the peer has said ERROR: a later process of it is told so
        self._is_shut = False

    # --- inputs: connections ---

    def start(self, now: int) -> None:
        """Begin; a dialler asks for a connection."""
        self._began = self._lost_at = self._peer_ended_at = now
        if self.config.dials and not self.failed:
            self._out.dial()

    def connected(self, now: int, conn: Hashable) -> None:
        """There is the fresh connection that `dial` asked for."""
        if self.failed or self.left or not self.config.dials or self.phase is Phase.UP:
            return
        self.conn = conn
        self.phase = Phase.GREETING
        self._greeted_at = now
        self._redial_at = None
        self._close_window()
        self._nonce = self._next_nonce()
        extra = item(self.config.agreed, self._nonce + _NO_NONCE)
        self._put_frame(HELLO, body=self._greeting(), extra=extra)

    def lost(self, now: int, conn: Hashable) -> None:
        """A connection is gone."""
        if self._held is not None and conn == self._held[0]:
            self._held = None
        if conn == self.conn and self.phase is not Phase.DOWN:
            self._lose(now)

    def frame(self, now: int, conn: Hashable, frames: Frames) -> None:
        """A message came.  A listener is given HELLOs of unknown connections too."""
        if conn == self._live and frames:
            first = frames[0]
            try:
                start, site, label, session, seq, ack, limit = unpack_header(first)
            except struct.error:
                start = b""
            further = len(frames) - 1
            if (
                (
                    start == MORE_HEAD and len(first) == HEADER and further <= wire.MAX_FRAMES
                    if further
                    else start == DATA_HEAD
                )
                and session == self._session
                and seq == self.expected
                and seq <= self.limit_told
                and self.acked <= ack < self.next_seq
                and limit >= self.peer_limit
                and not label
            ):
                if further:
                    payload = frames[1:]
                    size = size_of(payload)
                else:
                    payload = [first[48:] if type(first) is bytes else memoryview(first)[48:]]
                    size = len(payload[0])
                unread = self._unread + size
                if unread <= self._window_bytes and size <= self._max_message:
                    self._heard = now
                    if ack > self.acked or limit > self.peer_limit:
                        self._hear(ack, limit)
                    self._unread = unread
                    self._breaks = 0
                    self._queue.append(
                        (_new(Message, (DATA, site, 0, seq, payload, b"")), size)
                    )
                    self.expected = seq + 1
                    self.safe = seq
                    self._bytes_safe += size
                    if self._owed is None:
                        self._owed = now
                    if (
                        seq - self.ack_told >= self._quarter
                        or self._bytes_safe >= self._quarter_bytes
                    ):
                        self._put_ack()
                    return
        self._frame_any(now, conn, frames)

    def frame_taken(self, now: int, conn: Hashable, first: bytes, site: int) -> bool:
        """`frame` and `take` at once, if that is simple: it is the next DATA, from this site.

        For a program that waits for it.  False: nothing has been done.
        """
        if conn == self._live and not self._queue and len(first) > HEADER:
            route, seq, ack, limit = unpack_routed(first)
            size = len(first) - HEADER
            same = ack == self.acked and limit == self.peer_limit
            if (
                route == (self._routes.get(site) or self._route(site))
                and seq == self.expected
                and (same or (self.acked <= ack < self.next_seq and limit >= self.peer_limit))
                and size <= self._max_message
                # No ACK is due, neither before it is read nor then.
                and seq < self._due_at
                and self._bytes_safe + size < self._quarter_bytes
                and self._bytes_done + size < self._quarter_bytes
            ):
                self._heard = now
                if not same:
                    self._hear(ack, limit)
                self._breaks = 0
                self.expected = seq + 1
                self.safe = self.read = seq
                self.limit = seq + self._own_window
                self._bytes_safe += size
                self._bytes_done += size
                if self._owed is None:
                    self._owed = now
                return True
        return False

    def tick(self, now: int) -> None:
        """Timers; at least every 100 ms while the owner waits, every 500 ms otherwise."""
        if self.failed or self.left:
            return
        self._tick_dialling(now)
        self._tick_silence(now)
        self._tick_held(now)
        if self.phase is Phase.UP:
            self._tick_up(now)
        elif not (self.failed or self.peer_ended or self.ended):
            self._tick_down(now)
        if self.ended and not self.failed:
            self._tick_leaving(now)

    # --- inputs: the program ---

    def take(self, now: int) -> Message | None:
        """The next message that the program has not read."""
        if not self._queue:
            return None
        message, size = self._queue.popleft()
        seq = message[3]
        self.read = seq
        if self.config.durable:
            self._count_done(now)
        else:
            self.limit = seq + self._own_window
            self._unread -= size
            self._bytes_done += size
            if self._owed is None:
                self._owed = now
        if (
            self.limit - self.limit_told >= self._quarter
            or self._bytes_done >= self._quarter_bytes
        ):
            self._put_ack()
        return message

    def stored(self, now: int, seq: int) -> None:
        """Durable mode: taken messages up to `seq` are on disk."""
        if not self._unsafe or seq < self._unsafe[0][0]:
            return
        while self._unsafe and self._unsafe[0][0] <= seq:
            self.safe, size = self._unsafe.popleft()
            self._bytes_safe += size
        if self._owed is None:
            self._owed = now
        self._count_done(now)
        self._ack_if_due(at_once=self.peer_ended and self.safe == self.expected - 1)

    def restore(self, now: int, frames: Frames) -> None:
        """Durable mode, before `start`: a message from the journal, as it was taken."""
        parsed = wire.parse(frames)
        if self.failed:
            return
        if parsed is None or self.peer_ended or not self._may_follow(parsed):
            text = f"the journal lacks message {self.expected} from {self.config.peer}"
            self._stop(wire.STATE_LOST, text)
            return
        self._queue.append((_message(parsed), 0))
        self.expected = parsed.seq + 1
        self.safe = self._done = parsed.seq
        self.limit = parsed.seq + self._own_window
        self._told()
        self.peer_ended = parsed.kind in (wire.END, ERROR)
        self._note_over(parsed)
        self._hear(parsed.ack, self.peer_limit)

    def _may_follow(self, parsed: Parsed) -> bool:
        """Has the next number; what nobody reads is let go and missing before END and ERROR."""
        if parsed.kind in (wire.END, ERROR):
            return parsed.seq >= self.expected
        return parsed.seq == self.expected

    def progress(self, steps: int, state: int, site: int, role: str) -> None:
        """What PING and PONG tell the peer of this program."""
        self._progress = (steps, state, site, role)

    # --- frames that come ---

    def _frame_any(self, now: int, conn: Hashable, frames: Frames) -> None:
        """The long way: any frame at all."""
        parsed = wire.parse(frames)
        if self.phase is Phase.DOWN or conn != self.conn:
            if not self.config.dials:
                self._stranger(now, conn, parsed)
        elif self.phase is Phase.GREETING:
            self._answer(now, parsed)
        elif parsed is None:
            self._break(now)
        else:
            self._heard = now
            self._frame_up(now, conn, parsed)

    def _frame_up(self, now: int, conn: Hashable, parsed: Parsed) -> None:
        """A well-formed frame of the connection that is up."""
        if parsed.kind == HELLO:
            if not self.config.dials:
                self._hello(now, conn, parsed)
        elif parsed.kind == REFUSE:
            self._refused(now, parsed)
        elif (
            bool(parsed.flags & wire.CRC) != self._peer_crc
            or parsed.session != self._session
            or parsed.ack >= max(self.next_seq, self.peer_next)
            or parsed.limit < self.peer_limit
        ):
            self._break(now)
        else:
            self._hear(parsed.ack, parsed.limit)
            self._frame_told(now, parsed)

    def _frame_told(self, now: int, parsed: Parsed) -> None:
        if parsed.seq:
            self._numbered(now, parsed)
        elif parsed.kind == wire.PING:
            self._put_progress(wire.PONG)
        elif parsed.kind == wire.PONG:
            assert isinstance(parsed.body, wire.Progress)
            self._ponged()
            told = parsed.body
            self._out.event("pong", told.steps, told.state, parsed.site, told.role)

    def _put_progress(self, kind: int) -> None:
        steps, state, site, role = self._progress
        self._put_frame(kind, site=site, body=wire.write_progress(steps, state, role))

    def _numbered(self, now: int, parsed: Parsed) -> None:
        if parsed.seq < self.expected:
            self._put_ack()
            return
        if self.peer_ended or not self._may_follow(parsed):
            self._break(now)
            return
        size = wire.size_of(parsed.frames) if parsed.kind == DATA else 0
        wrong = self._over_limits(parsed, size)
        if wrong:
            self._stop(wire.LIMITS, wrong)
        else:
            self._take_in(now, parsed, size)

    def _over_limits(self, parsed: Parsed, size: int) -> str:
        """How the next message breaks a limit, "" if it does not."""
        what = f"message {parsed.seq} from {self.config.peer} is"
        if size > self._max_message:
            return f"{what} larger than the limit"
        if parsed.kind in (wire.END, ERROR):
            return ""
        if parsed.seq > self.limit_told or (
            size and self._unread and self._unread + size > self._window_bytes
        ):
            return f"{what} beyond its credit"
        return ""

    def _take_in(self, now: int, parsed: Parsed, size: int) -> None:
        """The next message."""
        durable = self.config.durable
        self._breaks = 0
        self._queue.append((_message(parsed), size))
        self._unread += size
        self.expected = parsed.seq + 1
        if durable:
            self._unsafe.append((parsed.seq, size))
            self._undone.append((parsed.seq, size))
            self._out.event("stored_wanted", parsed.seq)
        else:
            self.safe = parsed.seq
            self._bytes_safe += size
            if self._owed is None:
                self._owed = now
        self._tell_of_end(now, parsed)
        self._ack_if_due(at_once=self.peer_ended and not durable)

    def _tell_of_end(self, now: int, parsed: Parsed) -> None:
        if parsed.kind not in (wire.END, ERROR):
            return
        self.peer_ended = True
        self._peer_ended_at = now
        self._note_over(parsed)
        self._let_go()
        self._shorten()
        if parsed.kind == wire.END:
            self._out.event("peer_end", parsed.body)
        else:
            assert isinstance(parsed.body, wire.Failure)
            self._out.event("peer_error", *parsed.body)

    def _note_over(self, last: Parsed) -> None:
        """What it would still be sent is let go when the peer has said ERROR: a later process of
        it waited for ever."""
        if last.kind == ERROR:
            assert isinstance(last.body, wire.Failure)
            role, kind, text = last.body
            as_other = "" if role == self.config.peer else f", as {role} did"
            said = f"{kind}: {text}" if kind else text
            told = f"it told {self.config.me} that it stopped{as_other}: {said}"
            self._over = f"{self.config.peer} cannot continue: {told}"

    # --- handshake ---

    def shut(self) -> None:
        """The role can take no more messages: from its next greeting on its window is 0, so that
        the peer sends none again, but hears ERROR."""
        self._is_shut = True

    def _close_window(self) -> None:
        """What has been told on a connection holds to the end of that."""
        if self._is_shut:
            self.limit -= self._own_window
            self._own_window = 0
            self.config = replace(self.config, window_messages=0)

    def _next_nonce(self) -> bytes:
        """splitmix64."""
        self._seed = (self._seed + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._seed
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)).to_bytes(8, "big")

    def _greeting(self) -> bytes:
        own = self.config
        return wire.write_greeting(
            Greeting(
                wire.VERSION,
                wire.VERSION,
                own.protocol,
                own.run_id,
                own.incarnation,
                self.expected,
                own.window_bytes,
                own.window_messages,
                int(own.durable),
                own.max_message,
                self._nonce,
                own.me,
                own.peer,
                own.run,
            )
        )

    def _stranger(self, now: int, conn: Hashable, parsed: Parsed | None) -> None:
        """At a listener: a HELLO of any connection, or another frame of an unknown one."""
        if parsed is None or parsed.kind != HELLO:
            if parsed and parsed.kind != REFUSE:
                self._put_refusal(conn, wire.AGAIN, _AGAIN)
            self._out.drop(conn)
        else:
            self._hello(now, conn, parsed)

    def _hello(self, now: int, conn: Hashable, parsed: Parsed) -> None:
        assert isinstance(parsed.body, Greeting)
        if self.failed:
            code, text = wire.STOPPED, self.failure
        elif self.left:
            code, text = wire.STOPPED, f"{self.config.me} has ended"
        else:
            code, text = self._objection_to_who(parsed)
        if self._held is not None and self._held[0] == conn:
            self._held = None  # this one says more
        if not code and self._may_be_second(conn, parsed.body):
            self._hold(now, conn, parsed)
        else:
            self._meet(now, conn, parsed, code, text)

    def _meet(self, now: int, conn: Hashable, parsed: Parsed, code: int, text: str) -> None:
        """Take a HELLO, or send it away."""
        assert isinstance(parsed.body, Greeting)
        if not code:
            code, text = self._objection_to_place(parsed.body.expected)
            if code == wire.STATE_LOST and self._is_stale(parsed.body):
                code, text = wire.AGAIN, _AGAIN
        if code:
            self._turn_away(now, conn, code, text)
        else:
            self._accept_hello(now, conn, parsed, parsed.body)

    # --- what may be a second process ---

    def _may_be_second(self, conn: Hashable, greeting: Greeting) -> bool:
        """A newer process of a peer that has a connection, which would not go on where that one
        is: it may be a second one, started by mistake."""
        is_other = self.phase is Phase.UP and conn != self.conn and not self.peer_ended
        is_newer = greeting.incarnation > self.peer_incarnation
        return is_other and is_newer and not greeting.durable

    def _hold(self, now: int, conn: Hashable, parsed: Parsed) -> None:
        """Ask the process that is there whether it is; until it answers, keep the HELLO."""
        if self._held is not None and self._held[0] != conn:
            self._let_go_of_held(wire.AGAIN, _AGAIN)
        self._held = conn, parsed, now
        self._ask(now)

    def _ask(self, now: int) -> None:
        self._ping(now)
        self._held_answers = self._unanswered

    def _ping(self, now: int) -> None:
        self._pinged = now
        self._unanswered += 1
        self._put_progress(wire.PING)

    def _ponged(self) -> None:
        """One to a PING from before it was asked may be the last word of a process that ended."""
        self._unanswered -= self._unanswered > 0
        self._held_answers -= self._held_answers > 0
        if not self._held_answers:
            self._held_is_busy()

    def _let_go_of_held(self, code: int, text: str) -> None:
        assert self._held is not None
        conn, self._held = self._held[0], None
        self._put_refusal(conn, code, text)
        self._out.drop(conn)

    def _held_is_busy(self) -> None:
        """The peer is there, so the second one goes."""
        if self._held is not None:
            text = f"{self.config.peer} of this run is already connected"
            self._let_go_of_held(wire.BUSY, text)

    def _tick_held(self, now: int) -> None:
        if self._held is None:
            return
        conn, parsed, since = self._held
        if self.phase is Phase.UP and now - since < _ANSWER_MS:
            return
        self._held = None
        assert isinstance(parsed.body, Greeting)
        self._meet(now, conn, parsed, *self._objection_to_who(parsed))

    def _is_stale(self, greeting: Greeting) -> bool:
        """A known process expects what it has acknowledged: a HELLO of one of its earlier
        connections, read late.  If that goes on it is none."""
        if greeting.incarnation != self.peer_incarnation or greeting.expected > self.acked:
            return False
        self._breaks += 1
        return self._breaks < _MAX_BREAKS

    def _turn_away(self, now: int, conn: Hashable, code: int, text: str) -> None:
        """This HELLO does not fit.  It stops this side too if its peer can never fit, or needs
        what is gone; who has had a connection does not stop for a stranger."""
        self._put_refusal(conn, code, text)
        self._out.drop(conn)
        if conn == self.conn:
            self._disconnect(now)
            self._out.event("down")
        if code == wire.STATE_LOST or (code in _NEVER and not self._was_up and not self.failed):
            self._stop(code, text)

    def _accept_hello(
        self, now: int, conn: Hashable, parsed: Parsed, greeting: Greeting
    ) -> None:
        if self.conn is not None and self.conn != conn:
            # Its dialler may believe in it: this HELLO may have been read late.
            newer = greeting.incarnation > self.peer_incarnation
            code, text = (wire.OLDER, self._older()) if newer else (wire.AGAIN, _AGAIN)
            self._put_refusal(self.conn, code, text)
            self._out.drop(self.conn)
        self.conn = conn
        self._close_window()
        self._nonce = self._next_nonce()
        self._session = _xor(self._nonce, greeting.nonce)
        extra = item(self.config.agreed, greeting.nonce + self._nonce)
        self._put_frame(WELCOME, body=self._greeting(), extra=extra)
        self._up(now, parsed, greeting)
        if self._held is not None:
            self._ask(now)  # this may have been read late, so it is no answer

    def _answer(self, now: int, parsed: Parsed | None) -> None:
        """At a dialler that has said HELLO: what the listener says."""
        if parsed is None:
            return
        if parsed.kind == REFUSE:
            self._refused(now, parsed)
        elif parsed.kind == WELCOME:
            assert isinstance(parsed.body, Greeting)
            if parsed.session != _xor(self._nonce, parsed.body.nonce):
                return
            code, text = self._objection(parsed, parsed.body)
            if code in (wire.OLDER, wire.AGAIN, wire.STOPPED):  # its own affair
                conn = self.conn
                self._put_refusal(conn, code, text)
                self._out.drop(conn)
                self._dial_later(now)
            elif code:
                self._stop(code, text)
            else:
                self._session = parsed.session
                self._up(now, parsed, parsed.body)

    def _objection(self, parsed: Parsed, greeting: Greeting) -> tuple[int, str]:
        """Why this WELCOME does not fit: a code and a text; 0 if it does."""
        code, text = self._objection_to_who(parsed)
        return (code, text) if code else self._objection_to_place(greeting.expected)

    def _objection_to_who(self, parsed: Parsed) -> tuple[int, str]:
        """The same of any greeting, but for what was sent."""
        greeting = parsed.body
        assert isinstance(greeting, Greeting)
        own = self.config
        me, peer = own.me, own.peer
        if not greeting.lowest <= wire.VERSION <= greeting.highest:
            return wire.BAD_VERSION, (
                f"{peer} supports versions {greeting.lowest} to {greeting.highest} of the wire "
                f"protocol, but {me} supports version {wire.VERSION}"
            )
        if (greeting.role, greeting.peer) != (peer, me):
            return wire.BAD_ROLE, self._other_roles(parsed.kind, greeting.role, greeting.peer)
        if greeting.protocol != own.protocol:
            return wire.BAD_PROTOCOL, f"{peer} runs another program"
        answers = parsed.kind == WELCOME
        salt = self._nonce + greeting.nonce if answers else greeting.nonce + _NO_NONCE
        differs = difference(own.agreed, parsed.extra, salt, me, peer)
        if differs:
            return wire.DISAGREED, differs
        if greeting.run_id != own.run_id:
            return wire.BAD_RUN, f"{peer} is in the run {greeting.run}, not {own.run}"
        if greeting.max_message != own.max_message:
            return wire.LIMITS, (
                f"the message limit of {peer} is {greeting.max_message} bytes, "
                f"but that of {me} is {own.max_message}"
            )
        if greeting.incarnation < self.peer_incarnation:
            return wire.OLDER, self._older()
        if self._over and greeting.incarnation > self.peer_incarnation:
            return wire.STOPPED, self._over
        is_new = greeting.incarnation > self.peer_incarnation
        if greeting.window_messages == 0 and own.durable and is_new:  # cannot start, is awaited
            return wire.AGAIN, _AGAIN
        return 0, ""

    def _other_roles(self, kind: int, role: str, wanted: str) -> str:
        """The other end is not of this link.  HELLO comes from who dials, WELCOME from who
        listens."""
        me, peer = self.config.me, self.config.peer
        if kind == WELCOME:
            if role == peer:
                return f"{peer} took {me} for {wanted}"
            return f"{me} tried to connect to {peer}, but {role} listens at this address"
        if wanted == me:
            return f"{role} connected to {me}, but {me} expected {peer} here"
        return f"{role} tried to connect to {wanted}, but {me} listens at this address"

    def _objection_to_place(self, expected: int) -> tuple[int, str]:
        """Whether the peer can be sent what it expects next."""
        me, peer = self.config.me, self.config.peer
        if expected <= self.acked and not self.peer_ended:
            return wire.STATE_LOST, (
                f"{peer} has lost its state: it expects message {expected}, and "
                f"{self.acked + 1} is the first that can be sent"
            )
        if expected > self.next_seq and not self.config.durable:
            return wire.STATE_LOST, (
                f"{me} has lost its state: {peer} expects message {expected}, and "
                f"{self.next_seq} is the next"
            )
        return 0, ""

    def _older(self) -> str:
        return f"a newer process of {self.config.peer} has taken over"

    def _up(self, now: int, parsed: Parsed, greeting: Greeting) -> None:
        """Both have greeted each other."""
        self.phase = Phase.UP
        self._was_up = True
        self._heard = self._pinged = self._up_at = now
        self._unanswered = 0
        self._redial_after = self.config.redial_min
        self._peer_crc = bool(parsed.flags & wire.CRC)
        self._accept_credit(greeting, parsed.ack, parsed.limit)
        self._shorten()
        self._out.event("up", greeting.incarnation)
        self._resend()
        self._ack_if_due()

    def _shorten(self) -> None:
        """Whether messages may take the short way out, and in."""
        up = self.phase is Phase.UP
        own = self.config
        self._find_short_way()
        short = up and not (own.durable or self.peer_ended or self._peer_crc)
        self._live = self.conn if short else None

    # --- the end of a connection, or of all ---

    def _break(self, now: int) -> None:
        """The peer sent what it must not, or something is missing."""
        self._breaks += 1
        if self._breaks == _MAX_BREAKS:
            self._stop(wire.BAD_PROTOCOL, "the connection broke ten times in a row; check the "
                       "network between the two roles")
            return
        conn = self.conn
        self._disconnect(now)
        self._out.event("down")
        if not self.config.dials:
            self._put_refusal(conn, wire.AGAIN, _AGAIN)
        self._out.drop(conn)
        if self._may_dial(now):
            self._out.dial()

    def _lose(self, now: int) -> None:
        """The current connection is gone; a dialler tries again, at once if it was up."""
        if self.phase is Phase.UP:
            self._disconnect(now)
            self._out.event("down")
            if self._may_dial(now):
                self._out.dial()
        else:
            self._dial_later(now)

    def _dial_later(self, now: int) -> None:
        self._disconnect(now)
        self._redial_at = now + self._redial_after if self._may_dial(now) else None
        self._redial_after = min(2 * self._redial_after, self.config.redial_max)

    def _may_dial(self, now: int) -> bool:
        """A connection is of use, to one of the two: one that has ended and been told is left.  One
        that has said ERROR may be started again, and must hear that it cannot go on."""
        over = self.peer_ended and now - self._peer_ended_at >= self.config.end
        return self.config.dials and (bool(self._over) or not over)

    def _disconnect(self, now: int) -> None:
        """Without a connection from now on."""
        if self.phase is Phase.UP:
            self._lost_at = now
        if self.ended and self._cut_at is None:
            self._cut_at = now
        self.phase = Phase.DOWN
        self.conn = None
        self._shorten()

    def _refused(self, now: int, parsed: Parsed) -> None:
        assert isinstance(parsed.body, wire.Refusal)
        code, text = parsed.body
        if code == wire.AGAIN or self.peer_ended:
            self._lose(now)
        else:
            self._fail(text)
            self._out.event("refused", code, text)

    def _stop(self, code: int, text: str) -> None:
        """This side refuses or stops; the peer is told."""
        if self.conn is not None:
            self._put_refusal(self.conn, code, text)
        self._fail(text)
        self._out.event("fault", code, self.failure)

    def _fail(self, text: str) -> None:
        conn = self.conn
        self.failed = True
        self.failure = wire.cut(text).decode()
        self._redial_at = None
        self.phase = Phase.DOWN
        self.conn = None
        self._shorten()
        if conn is not None:
            self._out.drop(conn)

    # --- timers ---

    def _tick_dialling(self, now: int) -> None:
        if self.phase is Phase.GREETING and now - self._greeted_at >= self.config.handshake:
            self._dial_later(now)
        if self._redial_at is not None and now >= self._redial_at:
            self._redial_at = None
            self._out.dial()

    def _tick_silence(self, now: int) -> None:
        """A connection on which nothing comes is none.  Its dialler makes another.

        Where the transport beats, one that is up and silent has a peer that is busy.
        """
        if self.config.beats:
            return
        if self.phase is Phase.UP and now - self._heard >= self.config.lost:
            conn = self.conn
            self.lost(now, conn)
            if not self.config.dials:
                self._out.drop(conn)

    def _tick_up(self, now: int) -> None:
        if self._owed is not None and now - self._owed >= self.config.idle_ack:
            self._put_ack()
        if now - max(self._heard, self._pinged) >= self.config.ping:
            self._ping(now)

    def _tick_down(self, now: int) -> None:
        peer = wire.cut(self.config.peer, wire.MAX_TEXT - 16).decode()
        if self._was_up:
            if now - self._lost_at >= self.config.lost:
                self._fail(f"{peer} is unreachable")
                self._out.event("gone")
        elif now - self._began >= self.config.connect:
            self._fail(f"{peer} did not connect")
            self._out.event("absent")

    def _tick_leaving(self, now: int) -> None:
        confirmed = self.acked >= self.next_seq - 1 or (
            self.peer_ended and now - self._wait_since() >= self.config.time_wait
        )
        if confirmed or self._end_is_over(now):
            if self._owed is not None:
                self._put_ack()
            self.left = True
            self._redial_at = None
            self._disconnect(now)
            self._out.event("left", confirmed or self.peer_ended)

    def _end_is_over(self, now: int) -> bool:
        """Whether the peer has had its time to acknowledge the end; a busy one has more."""
        if not self.config.beats:
            return now - self._ended_at >= self.config.end
        return self._cut_at is not None and now - self._cut_at >= self.config.end

    def _wait_since(self) -> int:
        """Since when the peer has had time to ask again for what it may have missed."""
        if self.phase is Phase.UP:
            return max(self._ended_at, self._up_at, self._peer_ended_at)
        return max(self._lost_at, self._peer_ended_at)

    # --- acks ---

    def _count_done(self, now: int) -> None:
        """Durable mode: what is both stored and read lets more come."""
        done = min(self.read, self.safe)
        if done > self._done:
            self._done = done
            self.limit = done + self._own_window
            if self._owed is None:
                self._owed = now
        while self._undone and self._undone[0][0] <= done:
            size = self._undone.popleft()[1]
            self._unread -= size
            self._bytes_done += size

    def _ack_if_due(self, at_once: bool = False) -> None:
        if (
            at_once
            or self.safe - self.ack_told >= self._quarter
            or self.limit - self.limit_told >= self._quarter
            or self._bytes_safe >= self._quarter_bytes
            or self._bytes_done >= self._quarter_bytes
        ):
            self._put_ack()


def _message(parsed: Parsed) -> Message:
    frames = [] if parsed.kind == wire.SELECT else parsed.frames
    return Message(parsed.kind, parsed.site, parsed.label, parsed.seq, frames, parsed.extra)


def _xor(first: bytes, second: bytes) -> bytes:
    return (int.from_bytes(first, "big") ^ int.from_bytes(second, "big")).to_bytes(8, "big")
