"""A hand-made peer: it speaks frames of PROTOCOL.md section 1, lawful ones and others.

Written against the page alone, not on the runtime, so that both cannot be wrong in the same way.
`Dialler` connects to a role that listens, `Listener` is dialled by one.
"""

from __future__ import annotations

import hashlib
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgpack
import zmq

HELLO, WELCOME, REFUSE, DATA, SELECT, ACK, PING, PONG, END, ERROR = range(1, 11)
VERSION = 2
_HEAD = struct.Struct(">4sBBHIIQQQQ")
_GREETING = struct.Struct(">HH32s16sQQQIIQQ")


def value(item: Any) -> bytes:
    """The encoded form of a small value; a tuple gets its marker."""
    return bytes(msgpack.packb(_marked(item)))


def _marked(item: Any) -> Any:
    if isinstance(item, tuple):
        return [msgpack.ExtType(2, b""), *(_marked(each) for each in item)]
    return item


def string(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">H", len(data)) + data


def protocol_hash(play: str) -> bytes:
    return hashlib.sha256(play.encode()).digest()


@dataclass
class Frame:
    """A frame that came."""

    kind: int
    site: int
    session: int
    seq: int
    ack: int
    body: bytes


class Peer:
    """What both kinds of crafted peers share."""

    def __init__(self, me: str, peer: str, play: str, run: str = "") -> None:
        self.me, self.peer = me, peer
        self.hash, self.run = protocol_hash(play), run
        self.versions = (VERSION, VERSION)
        self.incarnation, self.expected, self.seq = 1, 1, 1
        self.session = self.nonce = 0x1122334455667788
        self.max_message = 256 << 20
        self.window = (8 << 20, 1024)
        self.context = zmq.Context()
        self.socket: Any = None
        self.frames: list[Frame] = []

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, kind: int) -> None:
        self.socket = self.context.socket(kind)
        self.socket.linger = 500
        self.socket.set_hwm(0)                  # nothing is dropped here

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close(200)
        self.context.term()

    def greeting(self) -> bytes:
        run_id = hashlib.sha256(self.run.encode()).digest()[:16]
        return _GREETING.pack(
            *self.versions, self.hash, run_id, self.incarnation, self.expected, *self.window, 0,
            self.max_message, self.nonce,
        ) + string(self.me) + string(self.peer) + string(self.run)  # fmt: skip

    def frame(self, kind: int, body: bytes = b"", site: int = 0, label: int = 0, seq: int = 0,
              session: int | None = None, ack: int | None = None, limit: int | None = None,
              magic: bytes = b"CHZ1", flags: int = 0, length: int = 48) -> bytes:
        """Header and body; numbers that are not given are the lawful ones."""
        ours = 0 if kind in (HELLO, REFUSE) else self.session
        taken = self.expected - 1
        credit = taken + self.window[1]
        if kind == REFUSE:
            taken = credit = 0
        return _HEAD.pack(
            magic, kind, flags, length, site, label, ours if session is None else session, seq,
            taken if ack is None else ack, credit if limit is None else limit,
        ) + body  # fmt: skip

    def send(self, *frames: bytes) -> None:
        self.socket.send_multipart(list(frames))

    def data(self, item: bytes, site: int = 1, seq: int | None = None, **more: Any) -> bytes:
        """Send a value in the next number; gives the frame."""
        number = self.seq if seq is None else seq
        frame = self.frame(DATA, item, site=site, seq=number, **more)
        self.send(frame)
        self.seq = number + 1
        return frame

    def receive(self, seconds: float) -> Frame | None:
        """The next frame; numbered ones are acknowledged with what is sent next."""
        if not self.socket.poll(int(seconds * 1000)):
            return None
        head, *_ = self._frames()
        if len(head) < _HEAD.size:
            return Frame(0, 0, 0, 0, 0, head)
        _, kind, _, length, site, _, session, seq, ack, _ = _HEAD.unpack(head[:_HEAD.size])
        if seq:
            self.expected = max(self.expected, seq + 1)
        came = Frame(kind, site, session, seq, ack, head[length:])
        self.frames.append(came)
        return came

    def _frames(self) -> Sequence[bytes]:
        frames: Sequence[bytes] = self.socket.recv_multipart()
        return frames

    def wait_for(self, kind: int, seconds: float = 10.0) -> Frame | None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            came = self.receive(left)
            if came is not None and came.kind == kind:
                return came
        return None

    def serve(self, seconds: float, is_over: Callable[[], Any] = lambda: False) -> None:
        """Answer everything as a lawful peer would, for a time or until an END or ERROR; what was
        sent before it was over is read."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            is_last = is_over()
            came = self.receive(0.05)
            if came is None and is_last:
                return
            if came is None:
                continue
            if came.kind == PING:
                self.send(self.frame(PONG, struct.pack(">QB", 1, 1) + string("")))
            elif came.seq:
                self.send(self.frame(ACK))
            if came.kind in (END, ERROR):
                return

    def secure(self, keys: tuple[str, str], server: str) -> None:
        """Own public and secret key, and the listener's public one."""
        self.socket.curve_publickey, self.socket.curve_secretkey = (
            each.encode() for each in keys)
        self.socket.curve_serverkey = server.encode()


class Dialler(Peer):
    def dial(self, address: str, keys: tuple[str, str] | None = None, server: str = "",
             routing_id: bytes = b"") -> None:
        if self.socket is not None:
            self.socket.close(0)
        self.open(zmq.DEALER)
        if routing_id:
            self.socket.routing_id = routing_id
        if keys:
            self.secure(keys, server)
        self.socket.connect(address)

    def greet(self, seconds: float = 10.0) -> Frame | None:
        """HELLO, until it is answered: the WELCOME or the REFUSE."""
        self.send(self.frame(HELLO, self.greeting()))
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            came = self.receive(left)
            if came is not None and came.kind in (WELCOME, REFUSE):
                self.session = came.session
                return came
        return None


class Listener(Peer):
    def listen(self, address: str) -> None:
        self.open(zmq.ROUTER)
        self.socket.bind(address)
        self.dialler = b""

    def send(self, *frames: bytes) -> None:
        self.socket.send_multipart([self.dialler, *frames])

    def _frames(self) -> Sequence[bytes]:
        dialler, *frames = super()._frames()
        self.dialler = dialler
        return frames

    def welcome(self, seconds: float = 10.0) -> Frame | None:
        """Wait for a HELLO and answer it; gives the HELLO."""
        hello = self.wait_for(HELLO, seconds)
        if hello is not None:
            self.answer(hello)
        return hello

    def answer(self, hello: Frame) -> None:
        theirs = struct.unpack(">Q", hello.body[92:100])[0]
        self.session = self.nonce ^ theirs
        self.send(self.frame(WELCOME, self.greeting()))


def refusal(frame: Frame | None) -> tuple[int, str]:
    """Code and text of a REFUSE; (0, ...) if it is none."""
    if frame is None or frame.kind != REFUSE:
        return 0, "no refusal"
    return struct.unpack(">H", frame.body[:2])[0], frame.body[2:].decode()
