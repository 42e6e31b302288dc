"""Frames of the wire: headers and bodies, written and read (PROTOCOL.md section 1).

Nothing else: what a frame means for a link is machine.py's matter.  Anything with the buffer
protocol is a frame (bytes, memoryview, zmq.Frame); big ones are never copied.  `parse` takes
arbitrary bytes and answers None to whatever is not well-formed.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

VERSION = 2
MAGIC = b"CHZ1"
HEADER = 48
INLINE_MAX = 4096  # payload up to here follows the header; more travels in further frames
MAX_FRAMES = 65535  # behind the first
MAX_TEXT = 500
EXTRA_MAX = 4096  # kept of what lengthens a header

HELLO, WELCOME, REFUSE, DATA, SELECT, ACK, PING, PONG, END, ERROR = range(1, 11)
NAMES = ("", "HELLO", "WELCOME", "REFUSE", "DATA", "SELECT", "ACK", "PING", "PONG", "END", "ERROR")

MORE = 1  # flag: the payload is in further frames
CRC = 2  # flag: a CRC-32 stands behind the header

# Codes of REFUSE.
BAD_VERSION, BAD_PROTOCOL, BAD_ROLE, BAD_RUN, OLDER = range(1, 6)
STATE_LOST, BUSY, LIMITS, AGAIN, STOPPED, DISAGREED = range(6, 12)

Buffer = Any  # collections.abc.Buffer, which Python 3.10 has not
Frames = Sequence[Buffer]

NO_SESSION = bytes(8)

# The first eight bytes are constant for a kind, so they are written and compared in one piece.
pack_header = struct.Struct(">8sII8sQQQ").pack
unpack_header = struct.Struct(">8sII8sQQQ").unpack_from
# The same, where all in front of seq is known.
pack_route = struct.Struct(">8sII8s").pack
pack_routed = struct.Struct(">24sQQQ").pack
unpack_routed = struct.Struct(">24sQQQ").unpack_from
_GREETING = struct.Struct(">HH32s16sQQQIIQ8s")
_PROGRESS = struct.Struct(">QB")
_NUMBERED = (DATA, SELECT, END, ERROR)
_HAVE_SITES = (DATA, SELECT, PING, PONG)
_STATES = 4


class Greeting(NamedTuple):
    """The body of HELLO and WELCOME."""

    lowest: int
    highest: int
    protocol: bytes
    run_id: bytes
    incarnation: int
    expected: int
    window_bytes: int
    window_messages: int
    durable: int
    max_message: int
    nonce: bytes
    role: str
    peer: str
    run: str


class Refusal(NamedTuple):
    """The body of REFUSE."""

    code: int
    text: str


class Progress(NamedTuple):
    """The body of PING and PONG."""

    steps: int
    state: int
    role: str


class Failure(NamedTuple):
    """The body of ERROR."""

    role: str
    type: str
    text: str


class Parsed(NamedTuple):
    """A well-formed frame.  `frames` is the payload, without the header; `body` what it says,
    None for DATA, SELECT and ACK."""

    kind: int
    flags: int
    site: int
    label: int
    session: bytes
    seq: int
    ack: int
    limit: int
    frames: list[Buffer]
    body: Greeting | Refusal | Progress | Failure | int | None
    extra: bytes


def head(kind: int, flags: int = 0, length: int = HEADER) -> bytes:
    """The first eight bytes of a frame."""
    return MAGIC + bytes((kind, flags)) + length.to_bytes(2, "big")


HEADS = tuple(head(kind) for kind in range(len(NAMES)))
DATA_HEAD = HEADS[DATA]
MORE_HEAD = head(DATA, MORE)


def size_of(frames: Frames) -> int:
    """Bytes in all frames."""
    return sum(
        len(each) if type(each) is bytes else memoryview(each).nbytes for each in frames
    )


# --- writing ---


def cut(text: str, most: int = MAX_TEXT) -> bytes:
    """UTF-8 of at most `most` bytes, cut at a character; without NUL and surrogates."""
    data = text.encode("utf-8", "replace").replace(b"\0", b"?")
    return data if len(data) <= most else data[:most].decode("utf-8", "ignore").encode()


def string(data: bytes) -> bytes:
    """A string of a body."""
    return len(data).to_bytes(2, "big") + data


def write_greeting(greeting: Greeting) -> bytes:
    strings = [string(each.encode()) for each in greeting[11:]]
    return _GREETING.pack(*greeting[:11]) + b"".join(strings)


def write_refusal(code: int, text: str) -> bytes:
    return code.to_bytes(2, "big") + cut(text)


def write_progress(steps: int, state: int, role: str) -> bytes:
    return _PROGRESS.pack(steps, state) + string(cut(role))


def write_failure(role: str, kind: str, text: str) -> bytes:
    return string(cut(role)) + string(cut(kind)) + string(cut(text))


def sealed(frames: list[Buffer], length: int) -> list[Buffer]:
    """The same frames with flag 2 and a CRC behind the header, which is `length` bytes long."""
    first = bytes(frames[0])
    header = first[:5] + bytes((first[5] | CRC,)) + first[6:length]
    crc = zlib.crc32(first[length:], zlib.crc32(header))
    for each in frames[1:]:
        crc = zlib.crc32(each, crc)
    return [header + crc.to_bytes(4, "big") + first[length:], *frames[1:]]


# --- reading ---


def parse(frames: Frames) -> Parsed | None:
    """What the frames of a message say, or None: not well-formed, or the CRC is wrong."""
    first = memoryview(frames[0]) if frames else memoryview(b"")
    if len(first) < HEADER:
        return None
    start, site, label, session, seq, ack, limit = unpack_header(first)
    kind, flags, length = start[4], start[5], int.from_bytes(start[6:], "big")
    at = length + (4 if flags & CRC else 0)
    if (
        start[:4] != MAGIC
        or not HELLO <= kind <= ERROR
        or flags & ~(MORE | CRC)
        or length < HEADER
        or at > len(first)
        or (flags & CRC and not _crc_fits(frames, first, length))
    ):
        return None
    if (
        (kind in _NUMBERED) != (seq != 0)
        or seq >> 63
        or (site and kind not in _HAVE_SITES)
        or (label and kind != SELECT)
        or (kind in (HELLO, REFUSE) and session != NO_SESSION)
        or not _right_number(kind, flags, len(frames), len(first) - at)
    ):
        return None
    payload = list(frames[1:]) if flags & MORE else [first[at:]]
    extra = bytes(first[HEADER:length]) if length <= HEADER + EXTRA_MAX else b""
    body = None
    if kind not in (DATA, SELECT, ACK):
        body = _read_body(kind, bytes(payload[0]))
        if body is None or (kind == REFUSE and (ack or limit)):
            return None
    return Parsed(kind, flags, site, label, session, seq, ack, limit, payload, body, extra)


def _crc_fits(frames: Frames, first: memoryview, length: int) -> bool:
    crc = zlib.crc32(first[length + 4 :], zlib.crc32(first[:length]))
    for each in frames[1:]:
        crc = zlib.crc32(each, crc)
    return crc == int.from_bytes(first[length : length + 4], "big")


def _right_number(kind: int, flags: int, count: int, behind: int) -> bool:
    """There are as many frames, and bytes behind the header, as kind and flags allow."""
    if flags & MORE:
        return kind == DATA and not behind and 1 < count <= MAX_FRAMES + 1
    return count == 1 and (not behind or kind not in (SELECT, ACK))


def _read_body(kind: int, body: bytes) -> Greeting | Refusal | Progress | Failure | int | None:
    try:
        if kind in (HELLO, WELCOME):
            return _read_greeting(body)
        if kind == REFUSE:
            return _read_refusal(body)
        if kind in (PING, PONG):
            return _read_progress(body)
        if kind == END:
            return int.from_bytes(body, "big") if len(body) == 2 else None
        return read_failure(body)
    except (struct.error, UnicodeDecodeError):
        return None


def _read_greeting(body: bytes) -> Greeting | None:
    fixed = _GREETING.unpack_from(body)
    strings = _read_strings(body, _GREETING.size, 3)
    if strings is None or not strings[0] or not strings[1]:
        return None
    greeting = Greeting(*fixed, *strings)
    return greeting if greeting.durable <= 1 else None


def _read_refusal(body: bytes) -> Refusal | None:
    text = body[2:].decode()
    if len(body) < 2 or len(body) > 2 + MAX_TEXT or "\0" in text:
        return None
    return Refusal(int.from_bytes(body[:2], "big"), text)


def _read_progress(body: bytes) -> Progress | None:
    steps, state = _PROGRESS.unpack_from(body)
    strings = _read_strings(body, _PROGRESS.size, 1)
    return Progress(steps, state, strings[0]) if strings and state < _STATES else None


def read_failure(body: bytes) -> Failure | None:
    """What ERROR says; None if it is not well-formed."""
    strings = _read_strings(body, 0, 3, MAX_TEXT)
    return Failure(*strings) if strings else None


def _read_strings(body: bytes, at: int, count: int, most: int = 65535) -> list[str] | None:
    """`count` strings from `at` on, and nothing behind them."""
    found: list[str] = []
    for _ in range(count):
        size = int.from_bytes(body[at : at + 2], "big")
        at += 2
        data = body[at : at + size]
        at += size
        if at > len(body) or size > most or b"\0" in data:
            return None
        found.append(data.decode())
    return found if at == len(body) else None


def peek_hello(frame: Buffer) -> tuple[str, str] | None:
    """(own role, peer's role) that a HELLO states, None for any other frame."""
    parsed = parse((frame,))
    if parsed is None or parsed.kind != HELLO:
        return None
    assert isinstance(parsed.body, Greeting)
    return parsed.body.role, parsed.body.peer
