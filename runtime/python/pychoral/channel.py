"""The protocol between two roles, and the Channel object that generated programs use.

A frame is one byte that says its kind, then a body.  The dialler says HELLO (again and again, as
the listener may not be there yet), the listener answers WELCOME or REFUSE.  DATA carries a value,
SELECT a label.  END says that the role has finished, ERROR that it cannot go on, so that nobody is
left waiting.  Both ends know from their projections what comes next; anything else is an error of
the build or the peer, and is never skipped.
"""

from __future__ import annotations

import enum
import itertools
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

from . import wire
from .errors import (
    EXIT_PROTOCOL,
    EXIT_REFUSED,
    ChannelError,
    NotSendable,
    WireError,
)
from .link import Link, LinkLost, LinkTimeout
from .unit import Unit

VERSION = 1

_HELLO, _WELCOME, _REFUSE, _DATA, _SELECT, _END, _ERROR = (b"H", b"W", b"N", b"D", b"S", b"E", b"X")
_NAMES = {
    _HELLO: "a greeting",
    _WELCOME: "a greeting",
    _REFUSE: "a refusal",
    _DATA: "a value",
    _SELECT: "a selection",
    _END: "the end",
    _ERROR: "an error",
}
_RETRY_S = 0.25
_LINGER_S = 2.0
_MAX_TEXT = 500


class Session:
    """One link's conversation, from handshake to end.

    me, peer   role names
    identity   what both ends must agree on: (protocol hash, run name)
    timeout    seconds any wait may last; None for ever
    place      says where in the source a site is, for messages
    codec      writes and reads values of the program's classes
    """

    def __init__(
        self,
        link: Link,
        me: str,
        peer: str,
        identity: tuple[str, str],
        timeout: float | None,
        place: Callable[[int], str] = lambda site: "",
        codec: wire.Codec | None = None,
    ) -> None:
        self.peer = peer
        self._me = me
        self._link = link
        self._identity = identity
        self._timeout = timeout
        self._place_of = place
        self._site = 0
        self._codec = codec or wire.Codec(wire.TypeTable())
        self._is_open = False
        self._peer_ended = False
        self._unconfirmed = False

    # --- handshake ---

    def open(self) -> None:
        """Greet the peer.  Every role opens its sessions in one global order of pairs."""
        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        if self._link.dials:
            self._dial(deadline)
        else:
            self._listen(deadline)
        self._is_open = True

    def _dial(self, deadline: float | None) -> None:
        hello = _HELLO + _join(wire.encode(self._greeting()))
        while True:
            self._check(deadline)
            try:
                self._link.send(hello, _RETRY_S)
                frame = self._link.receive(_RETRY_S)
            except LinkTimeout:
                continue
            if frame[:1] == _REFUSE:
                raise self._refused(frame)
            if frame[:1] == _WELCOME:
                self._link.pin(self._busy())
                return

    def _listen(self, deadline: float | None) -> None:
        while True:
            self._check(deadline)
            try:
                frame = self._link.receive(_RETRY_S)
                if not self._is_greeting(frame):
                    continue
                refusal = self._objection(frame)
                self._link.send(refusal or _WELCOME, _RETRY_S)
            except (LinkTimeout, LinkLost):
                continue
            if refusal:
                raise self._refused(refusal)
            self._link.pin(self._busy())
            return

    def _check(self, deadline: float | None) -> None:
        if deadline is not None and time.monotonic() >= deadline:
            raise ChannelError(
                f"waited {self._timeout:g} s for {self.peer} to start; "
                f"{self.peer} never came to {self._link.address}"
            )

    def _greeting(self) -> tuple[object, ...]:
        return ("pychoral", VERSION, *self._identity, self._me, self.peer)

    def _is_greeting(self, frame: bytes) -> bool:
        """Whether a frame is a HELLO at all; a stranger's junk is not worth an answer."""
        try:
            return frame[:1] == _HELLO and _greeting_of(frame)[0] == "pychoral"
        except WireError:
            return False

    def _objection(self, frame: bytes) -> bytes:
        """The REFUSE frame for a HELLO that does not fit, or b""."""
        _, version, protocol, run, sender, receiver = _greeting_of(frame)
        if version != VERSION:
            return _refusal("protocol", f"one speaks wire version {version}, the other {VERSION}")
        if (protocol, run) == self._identity and (sender, receiver) == (self.peer, self._me):
            return b""
        if protocol != self._identity[0]:
            mine, theirs = self._identity[0][:8], protocol[:8]
            return _refusal(
                "protocol",
                f"{self._me} runs projection {mine}, {sender} runs {theirs}: "
                "a peer runs another projection; rebuild both from the same source",
            )
        if run != self._identity[1]:
            return _refusal("refused", f"run {self._identity[1]!r} is not run {run!r}")
        return _refusal("refused", f"{self.peer} should meet {self._me}, not {sender} {receiver}")

    def _busy(self) -> bytes:
        return _refusal(
            "refused", f"{self._me} is busy with another run; name yours with --run NAME"
        )

    def _refused(self, frame: bytes) -> ChannelError:
        try:
            code, text = wire.decode(_split(frame[1:]), tuple[str, str])
        except WireError:
            code, text = "protocol", f"{self.peer} refuses for an unreadable reason"
        return ChannelError(_clean(text), EXIT_REFUSED if code == "refused" else EXIT_PROTOCOL)

    # --- conversation ---

    def send_value(self, value: object, site: int = 0) -> None:
        self._site = site
        self._send(_DATA + _join(self._codec.encode(value)))

    def send_label(self, label: enum.Enum, site: int = 0) -> None:
        self._site = site
        self._send(_SELECT + _join(self._codec.encode(label)))

    def receive_value(self, expect: Any, site: int = 0) -> Any:
        self._site = site
        return self._read(self._receive(_DATA, _type_name(expect)), expect)

    def receive_label(self, expect: type[enum.Enum], site: int = 0) -> Any:
        self._site = site
        return self._read(self._receive(_SELECT, f"a selection of {expect.__name__}"), expect)

    def _place(self) -> str:
        """Where the program is: the place of the site that it is at."""
        return self._place_of(self._site)

    def _send(self, frame: bytes) -> None:
        """Hand a frame over.  A lost peer shows when it is needed: at a receive, or at the end."""
        self._unconfirmed = True
        try:
            self._link.send(frame, self._timeout)
        except LinkLost:
            return
        except LinkTimeout:
            raise ChannelError(self._waited(f"for {self.peer} to take a message")) from None

    def _receive(self, kind: bytes, what: str) -> bytes:
        """The body of the next frame, which must be of `kind`."""
        try:
            frame = self._next()
        except LinkTimeout:
            raise ChannelError(self._waited(f"for {what} from {self.peer}")) from None
        except LinkLost:
            raise self._stopped(what, "is gone without a word") from None
        if frame[:1] == kind:
            self._unconfirmed = False
            return frame[1:]
        if frame[:1] == _ERROR:
            raise self._stopped(what, f"stopped: {_text_of(frame)}")
        if frame[:1] == _END:
            raise self._stopped(what, "has ended")
        if frame[:1] == _REFUSE:
            raise self._stopped(what, "was reached by a second connection only: the first was cut")
        came = _NAMES.get(frame[:1], "something unreadable")
        raise ChannelError(
            f"expected {what} from {self.peer}{self._place()}, but {came} came", EXIT_PROTOCOL
        )

    def _next(self) -> bytes:
        """The next frame that is no echo of the handshake."""
        while True:
            frame = self._link.receive(self._timeout)
            if frame[:1] == _HELLO and not self._link.dials:
                continue
            if frame[:1] == _WELCOME and self._link.dials:
                continue
            self._peer_ended = frame[:1] in (_END, _ERROR)
            return frame

    def copy(self, value: object, expect: Any) -> Any:
        """What the peer will get."""
        return self._codec.copy(value, expect)

    def _read(self, body: bytes, expect: Any) -> Any:
        try:
            return self._codec.decode(_split(body), expect)
        except WireError as fault:
            text = f"{fault} from {self.peer}{self._place()}"
            raise ChannelError(text, EXIT_PROTOCOL) from None

    def _waited(self, what: str) -> str:
        return f"waited {self._timeout:g} s {what}{self._place()} at {self._link.address}"

    def _stopped(self, what: str, how: str) -> ChannelError:
        return ChannelError(
            f"waited for {what} from {self.peer}{self._place()}, but {self.peer} {how}"
        )

    # --- endings ---

    def announce_end(self) -> None:
        """Tell the peer that this role has finished."""
        self._try_last(_END)

    def confirm_end(self) -> None:
        """Make sure that the last message has been read.

        A peer that sent after it, or that ends, has read it; only if this role spoke last is there
        something to wait for.  A peer that reports an error is not needed any more.
        """
        if not self._unconfirmed:
            return
        try:
            frame = self._next()
        except LinkLost:
            raise ChannelError(f"{self.peer} was lost before it took the last message") from None
        except LinkTimeout:
            print(
                f"{self._me}: {self.peer} has not taken the last message after "
                f"{self._timeout:g} s, but is still connected",
                file=sys.stderr,
            )
            return
        if frame[:1] not in (_END, _ERROR):
            came = _NAMES.get(frame[:1], "something unreadable")
            raise ChannelError(f"{self.peer} sent {came} after the end", EXIT_PROTOCOL)

    def announce_error(self, text: str) -> None:
        """Tell the peer why this role stops."""
        self._try_last(_ERROR + _join(wire.encode(_sendable(text))))

    def _try_last(self, frame: bytes) -> None:
        if not self._is_open:
            return
        try:
            self._link.send(frame, _LINGER_S)
        except (LinkLost, LinkTimeout):
            pass  # the peer cannot be told; the role's own exit status tells

    def close(self) -> None:
        """Let go of the link.  A peer that has ended waits for nothing that is still on its way."""
        self._link.close(0 if self._peer_ended else _LINGER_S)


def _greeting_of(frame: bytes) -> tuple[str, int, str, str, str, str]:
    greeting: tuple[str, int, str, str, str, str] = wire.decode(
        _split(frame[1:]), tuple[str, int, str, str, str, str]
    )
    return greeting


def _refusal(code: str, text: str) -> bytes:
    return _REFUSE + _join(wire.encode((code, text)))


def _join(frames: list[wire.Frame]) -> bytes:
    """The frames of a value as one: their number, their lengths, what is in them."""
    return struct.pack(f">H{len(frames)}I", len(frames), *map(len, frames)) + b"".join(frames)


def _split(body: bytes) -> list[wire.Frame]:
    """The frames of a value; raises WireError if `_join` never made this."""
    try:
        (count,) = struct.unpack_from(">H", body)
        lengths = struct.unpack_from(f">{count}I", body, 2)
    except struct.error:
        lengths = ()
    place = 2 + 4 * len(lengths)
    if not lengths or place + sum(lengths) != len(body):
        raise WireError("a value", "something unreadable")
    ends = list(itertools.accumulate(lengths, initial=place))
    return [body[start:end] for start, end in zip(ends, ends[1:])]


def _sendable(text: str) -> str:
    return text[:_MAX_TEXT].encode("utf-8", "backslashreplace").decode()


def _text_of(frame: bytes) -> str:
    try:
        return _clean(wire.decode(_split(frame[1:]), str))
    except WireError:
        return "for an unreadable reason"


def _clean(text: str) -> str:
    """A peer's text, safe for a terminal."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[:_MAX_TEXT])


def _type_name(expect: Any) -> str:
    return expect.__name__ if isinstance(expect, type) else str(expect).replace("typing.", "")


class _Absent:
    """The default of arguments for which every value has a meaning."""


_ABSENT = _Absent()


class Channel:
    """One end of a channel, as generated code sees it; `site` numbers a message at both ends."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def com(self, value: object = _ABSENT, *, expect: Any = _ABSENT, site: int = 0) -> Any:
        """Send `value` (the result is Unit.id), or receive what `expect` describes."""
        if value is _ABSENT:
            return self._session.receive_value(expect, site)
        self._session.send_value(value, site)
        return Unit.id

    def share(self, value: object = _ABSENT, *, expect: Any = _ABSENT, site: int = 0) -> Any:
        """As `com`, but the sender keeps a copy as the wire makes it, of type `expect` if given."""
        if value is _ABSENT:
            return self._session.receive_value(expect, site)
        try:                    # before it is sent: what both would refuse is the sender's fault
            own = self._session.copy(value, None if expect is _ABSENT else expect)
        except wire.NotSendable:
            own = Unit.id       # which sending reports, with the place
        self._session.send_value(value, site)
        return own

    def select(self, label: Any = _ABSENT, *, expect: Any = _ABSENT, site: int = 0) -> Any:
        """Send a label (the result is Unit.id), or receive one of the enum `expect`."""
        if label is _ABSENT:
            return self._session.receive_label(expect, site)
        if not isinstance(label, enum.Enum):
            raise NotSendable("no label: only an enum member can be selected")
        self._session.send_label(label, site)
        return Unit.id
