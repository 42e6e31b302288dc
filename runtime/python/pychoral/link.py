"""Link: one role's end of the link to a peer, as channels see it.

PROTOCOL.md sections 2 and 8.  A Link has the machine of its end, gives it what the program sends
and takes what it has for the program, and compares kinds, sites and types with what the program
waits for.  It keeps why the link has failed; the role (role.py) does the waiting.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable
from threading import get_ident
from time import monotonic_ns
from typing import TYPE_CHECKING, Any, NamedTuple

from . import wire
from .errors import (
    EXIT_PEER_LOST,
    EXIT_PROTOCOL,
    EXIT_REFUSED,
    ChannelError,
    WireError,
    clean,
)
from .expected import reader_of
from .frame import (
    BAD_PROTOCOL,
    BAD_RUN,
    BAD_VERSION,
    BUSY,
    DATA,
    DISAGREED,
    END,
    ERROR,
    HEADER,
    LIMITS,
    OLDER,
    SELECT,
    STATE_LOST,
    STOPPED,
    read_failure,
)
from .machine import Config, Machine, Message, Sent
from .plain import NOT_PLAIN
from .room import is_limited, reserve_for
from .transport import Frames, Port
from .window import NO_SITE

if TYPE_CHECKING:
    from .role import Role

_SENT = Sent.SENT
_FRUITLESS = 10  # connections in a row that bring no message
_LEFT_MS = 20  # for an acknowledgement that the other can do without
_STATUS = {1: EXIT_PROTOCOL, 2: EXIT_PROTOCOL, 3: EXIT_PROTOCOL, 8: EXIT_PROTOCOL}
_STATUS |= {DISAGREED: EXIT_PROTOCOL}
_STATUS |= {4: EXIT_REFUSED, 5: EXIT_REFUSED, 7: EXIT_REFUSED}
_NAMES = {
    DATA: "a value",
    SELECT: "a selection",
    END: "the end",
    ERROR: "an error",
}


class Origin(NamedTuple):
    """Where a failure began, as ERROR tells it: a role, the type of an exception, a text."""

    role: str
    type: str
    text: str


class Pong(NamedTuple):
    """What a peer said of itself, and when."""

    when: int
    steps: int
    state: int
    site: int
    role: str


class Link:
    """One end of a link.  Methods that may wait raise ChannelError.

    failure   why nothing more will come, once that is so: the rest of a sentence, and a status
    disagreement   the same for other peers, if it is that both were not given the same
    refusal   how attempts have failed for keys, since there was a connection
    came_up   whether there has ever been a connection
    cause     why the peer has not started and never will
    thread    the one that may use the channels; 0 while there is a reason to look closer
    """

    def __init__(self, role: Role, port: Port, config: Config) -> None:
        self.peer = config.peer
        self.config = config
        self.port = port
        self.failure: tuple[str, int] | None = None
        self.disagreement: Origin | None = None
        self.pong: Pong | None = None
        self.came_up = False
        self.is_up = False
        self._up_at = self._expected_then = 0  # when it came up, and the message that was next
        self._fruitless = 0  # how many connections in a row have brought none
        self.left: bool | None = None  # once this end has left: whether that was confirmed
        self.refusal = ""
        self._told = ""  # the last one
        self.cause: Origin | None = None
        self._cause_at = 0
        self.role = role
        self.machine = role.make_machine(config, port)
        port.owner = self
        # What every message needs, without the way there.
        self.thread = role.thread
        self._codec = role.codec
        self._writers = role.codec.writers
        self._readers = role.codec.readers
        self._lock = role.lock
        self._is_simple = type(self.machine) is Machine

    # --- what comes from below, with the role's lock held ---

    def arrived(self, conn: Hashable, frames: Frames) -> None:
        self.machine.frame(monotonic_ns() // 1_000_000, conn, frames)

    def connected(self, conn: Hashable) -> None:
        self.machine.connected(self.role.now(), conn)

    def disconnected(self, conn: Hashable) -> None:
        self.machine.lost(self.role.now(), conn)

    def refused(self, text: str) -> None:
        """Who is there has other keys, or none; `text` is a sentence.

        Something else may stand in the peer's place for a while, so this ends nothing before the
        deadline; but who has set it up wrongly is told at once.
        """
        is_new, self._told, self.refusal = text != self._told, text, text
        if is_new:
            self.role.report_refusal(self)

    def event(self, word: str, *arguments: Any) -> None:
        """An event of the machine, or `killed`: the peer has certainly ended.

        Texts in it may be a peer's."""
        if word == "stored_wanted":
            return  # of each message; durable.py knows
        arguments = tuple(clean(each) if isinstance(each, str) else each for each in arguments)
        self.role.log_event(self, word, arguments)
        if word == "up":
            if self.is_up:  # the peer has noticed the end of that first
                self._went_down()
            self.is_up = True
            self._up_at, self._expected_then = self.role.now(), self.machine.expected
            # Who takes no message cannot start, and says why next.
            self.came_up = self.came_up or self.machine.peer_window > 0
            self.refusal = ""
        elif word == "down":
            self._went_down()
            self.is_up = False
        elif word == "pong":
            self.pong = Pong(self.role.now(), *arguments)
        elif word == "peer_error":
            self.role.note_error(self, Origin(*arguments))
        elif word == "refused":
            self.is_up = False
            self.failure = self.failure or self._failure_of(word, arguments)
        elif word == "left":
            self.left = bool(arguments[0])
        elif self.failure is None:
            self.failure = self._failure_of(word, arguments)

    def _went_down(self) -> None:
        """A connection has ended.  One that brought no message counts, unless it lasted.

        libzmq ends a connection when it has no memory for what comes, and says nothing of it; the
        peer sends the same again over the next one.  So many in a row are taken for that where
        addresses are limited.
        """
        lasted = self.role.now() - self._up_at >= self.config.lost
        is_fruitless = self.machine.expected == self._expected_then and not lasted
        self._fruitless = self._fruitless + 1 if is_fruitless else 0
        if self._fruitless >= _FRUITLESS and is_limited():
            self.role.lacking = (
                f"memory is exhausted, it seems: {_FRUITLESS} connections in a row ended before a "
                f"message from {self.peer} was received (ulimit -v)"
            )

    def _failure_of(self, word: str, arguments: tuple[Any, ...]) -> tuple[str, int] | None:
        if word in ("refused", "fault"):
            code, text = arguments
            self.role.is_superseded |= word == "refused" and code in (BUSY, OLDER)
            text += _advice_on(code, text)
            if code == BAD_RUN:
                text = self._turned_round(text)
            if code == DISAGREED:  # others may not have the values that the text shows
                told = f"{self.config.me} and {self.peer} were given different values"
                self.disagreement = Origin(self.config.me, "", told)
            if code == STOPPED and text.startswith(f"{self.config.me} cannot continue: "):
                self.role.is_past = True
            elif code == STOPPED:
                text = f"{self.peer} stopped: {text}"
            return (text, _STATUS.get(code, EXIT_PEER_LOST))
        if word in ("absent", "gone") and self.refusal:
            return (self.refusal, EXIT_REFUSED)
        if word == "absent":
            seconds = self.config.connect / 1000
            return (self.role.never_came(self, f"{seconds:g}"), EXIT_PEER_LOST)
        if word == "gone":
            away = f"{self.config.lost / 1000:g}"
            text = f"{self.peer} has been unreachable for {away} s (--lost-after)"
            return (text, EXIT_PEER_LOST)
        if word == "killed":
            return (f"{self.peer}'s process died without closing the connection", EXIT_PEER_LOST)
        return None

    def _turned_round(self, text: str) -> str:
        """Of "ME is in the run MINE, not THEIRS", as the peer says, or "PEER is in the run THEIRS,
        not MINE": people want to know which run the peer is in, and a run may have no name."""
        mine = clean(self.config.run)
        own, other = f"{self.config.me} is in the run {mine}, not ", f"{self.peer} is in the run "
        if text.startswith(own):
            return self.other_run(text[len(own) :])
        if text.startswith(other) and text[len(other) :].endswith(f", not {mine}"):
            return self.other_run(text[len(other) : -len(f", not {mine}")])
        return text

    def other_run(self, run: str) -> str:
        """A sentence on a peer that is in another run."""
        theirs, mine = _named(clean(run)), _named(self.config.run)
        return f"{self.peer} is in {theirs}, but {self.config.me} is in {mine} (--run)"

    # --- what the program does ---

    def send_value(self, value: object, expect: Any, site: int) -> None:
        if get_ident() != self.thread:
            self.role.look_closer()
        write = self._writers.get(type(value))
        data = write(value) if write is not None else None
        frames = self._encoded(value, expect, site) if data is None else [data]
        lock = self._lock
        lock.acquire()
        try:
            # When a message was sent matters to no rule, so the clock is not asked.
            sent = self.machine.send(0, DATA, site, 0, frames)
            if sent is not _SENT:
                self._send_slowly(sent, DATA, site, 0, frames)
        finally:
            lock.release()
        if self.role.interrupted:
            self.role.check_interrupted()

    def _encoded(self, value: object, expect: Any, site: int) -> Frames:
        try:
            return self._codec.encode(value, expect)
        except wire.NotSendable as fault:
            raise fault.at(self.role.place(site))

    def send_label(self, label: enum.Enum, site: int) -> None:
        if get_ident() != self.thread:
            self.role.look_closer()
        number = members_of(type(label)).index(label)
        lock = self._lock
        lock.acquire()
        try:
            sent = self.machine.send(0, SELECT, site, number, ())
            if sent is not _SENT:
                self._send_slowly(sent, SELECT, site, number, ())
        finally:
            lock.release()
        if self.role.interrupted:
            self.role.check_interrupted()

    def _send_slowly(
        self, sent: Sent | None, kind: int, site: int, label: int, frames: Frames
    ) -> None:
        """What the machine has not taken at once.  A lost peer shows when it is needed."""

        def attempt() -> Sent | None:
            sent = self.machine.send(self.role.now(), kind, site, label, frames)
            return None if sent is Sent.FULL else sent

        if sent is Sent.FULL:
            sent = self.role.wait_to_send(self, site, attempt)
        if sent is Sent.GONE and self.cannot_start():
            raise self.never_started(f"for {self.peer} to start", self.role.place(site))
        if sent is Sent.LARGE:
            size = sum(len(each) for each in frames)
            raise wire.NotSendable(
                f"too large: {size} bytes, and the limit is {self.config.max_message} "
                "(`limits.message` of the manifest); send it in parts"
            ).at(self.role.place(site))

    def receive_value(self, expect: Any, site: int) -> Any:
        if get_ident() != self.thread:
            self.role.look_closer()
        machine = self.machine
        lock = self._lock
        lock.acquire()
        try:
            # Most often what is waited for is the next thing that comes.
            first: bytes | bool = True
            if self._is_simple and machine.read + 1 == machine.expected:
                first = self.port.pull(self.role.clock, site)
            if first is True or first is False:
                message = self._next(DATA, expect, site)
        finally:
            lock.release()
        if self.role.interrupted:
            self.role.check_interrupted()
        if first is True or first is False:
            self._check(message, DATA, expect, site)
            return self._decoded(message.frames, expect, site)
        read = self._readers.get(expect)
        if read is not None:
            value = read(first, HEADER)
            if value is not NOT_PLAIN:
                return value
        return self._decoded([first[HEADER:]], expect, site)

    def _decoded(self, frames: Frames, expect: Any, site: int) -> Any:
        if len(frames) > 1:
            with reserve_for(frames):
                pass
        try:
            return self._codec.decode(frames, expect)
        except WireError as fault:
            text = f"{fault} from {self.peer}{self.role.place(site)}"
            raise ChannelError(text, EXIT_PROTOCOL) from None

    def receive_label(self, expect: type[enum.Enum], site: int) -> Any:
        if get_ident() != self.thread:
            self.role.look_closer()
        with self._lock:
            message = self._next(SELECT, expect, site)
        if self.role.interrupted:
            self.role.check_interrupted()
        self._check(message, SELECT, expect, site)
        members = members_of(expect)
        if message.label < len(members):
            return members[message.label]
        labels = f"labels 0 to {len(members) - 1}"
        text = f"expected a selection of {expect.__name__} ({labels}), "
        text += f"but received label {message.label} from {self.peer}"
        raise ChannelError(text + self.role.place(site), EXIT_PROTOCOL)

    def check_begins(self, message: Message) -> None:
        """Whether this says that the peer has met its peers."""
        if message.kind != SELECT or message.site:
            raise self._unexpected(message, "the start signal", NO_SITE)

    def _next(self, kind: int, expect: Any, site: int) -> Message:
        """The next message, which should be of `kind` and from `site`; with the role's lock."""
        machine = self.machine
        while True:
            now = monotonic_ns() // 1_000_000
            message = machine.take(now)
            if message is not None:
                return message
            if now >= self.role.tick_due or not self.port.pull(now, NO_SITE):
                return self.role.wait_for_message(self, _described(kind, expect), site)

    def note_cause(self, origin: Origin, at: int) -> None:
        """Why the peer cannot start, which counts from then on if it has not come."""
        if self.cause is None or at < self._cause_at:
            self.cause, self._cause_at = origin, at

    def cannot_start(self) -> bool:
        """Whether the peer will never be there.  Only what needs it ends by that."""
        return not self.came_up and self.cause is not None and self.role.now() >= self._cause_at

    def never_started(self, phrase: str, place: str) -> ChannelError:
        assert self.cause is not None
        fault = ChannelError(f"waited {phrase}{place}, but {stopped(self.peer, self.cause)}")
        fault.origin = self.cause
        return fault

    def _check(self, message: Message, kind: int, expect: Any, site: int) -> None:
        """Whether this is what the program waits for."""
        if message.kind != kind or (site != message.site and site and message.site):
            raise self._unexpected(message, _described(kind, expect), site)

    def _unexpected(self, message: Message, what: str, site: int) -> ChannelError:
        place = self.role.place(site)
        if message.kind == END:
            return self.cut_short(what, place, f"{self.peer} has ended")
        if message.kind == ERROR:
            origin = _origin_of(message)
            fault = self.cut_short(what, place, stopped(self.peer, origin))
            fault.origin = origin
            return fault
        came = _NAMES[message.kind]
        if message.site and message.site != site:
            came += f" for{self.role.place(message.site) or f' site {message.site}'}"
        text = f"expected {what} from {self.peer}{place}, but received {came}"
        return ChannelError(text, EXIT_PROTOCOL)

    def cut_short(
        self, what: str, place: str, how: str, status: int = EXIT_PEER_LOST
    ) -> ChannelError:
        return ChannelError(f"waited for {what} from {self.peer}{place}, but {how}", status)

    def copy(self, value: object, expect: Any) -> Any:
        """What the peer will get."""
        return self._codec.copy(value, expect)

    # --- leaving ---

    def has_left(self) -> bool:
        """Whether nothing more needs to be said."""
        if self.left is None and self._peer_has_left():
            self.left = True
        return self.left is not None or self.failure is not None or self.cannot_start()

    def _peer_has_left(self) -> bool:
        """The peer has ended, has acknowledged all that was sent, and is certain to be gone.

        There is nobody to answer then, so there is nothing to wait for (rule 11).
        """
        if self.is_up or not (self.machine.peer_ended and self.machine.may_leave()):
            return False
        return not self.role.is_alive(self.peer)

    def linger(self, most: int) -> int:
        """How many milliseconds what was sent may take to leave at the end.

        A dialler's socket keeps what it has for a peer that is not there for as long as it may.
        What was acknowledged, or came after the other's end, is worth a moment.
        """
        return _LEFT_MS if self.left else most if self.is_up else 0

    def is_all_acknowledged(self) -> bool:
        """Whether the peer has all that the program has sent; END does not matter."""
        return self.machine.acked >= self.machine.next_seq - 2


def _origin_of(error: Message) -> Origin:
    """What an ERROR says; its texts are a peer's."""
    failure = read_failure(bytes(error.frames[0]))
    assert failure is not None  # nothing else is taken
    return Origin(*map(clean, failure))


def stopped(peer: str, origin: Origin) -> str:
    """How a peer ended, by its ERROR: its own failure, or that of another."""
    said = f"{origin.type}: {origin.text}" if origin.type else origin.text
    if origin.role == peer:
        return f"{peer} stopped: {said}"
    return f"{peer} stopped because {origin.role} stopped: {said}"


def _advice_on(code: int, text: str) -> str:
    """What can be done about it."""
    if code == BAD_VERSION:
        return "; build both with the same pychoralc"
    if code == BAD_PROTOCOL and text.endswith("another program"):
        return "; rebuild both from the same source"
    if code == LIMITS:
        return "; give both the same manifest"
    if code == STATE_LOST and " has lost its state: " in text:
        return "; begin the run anew (only a role with --journal can be restarted)"
    return ""


def _named(run: str) -> str:
    return f"the run {run}" if run else "the run without a name"


_members: dict[type[enum.Enum], tuple[enum.Enum, ...]] = {}


def members_of(cls: type[enum.Enum]) -> tuple[enum.Enum, ...]:
    """An enum's members in order of definition, aliases left out."""
    members = _members.get(cls)
    if members is None:
        members = _members[cls] = tuple(cls)
    return members


def _described(kind: int, expect: Any) -> str:
    name = reader_of(expect).name
    return f"a selection of {name}" if kind == SELECT else name
