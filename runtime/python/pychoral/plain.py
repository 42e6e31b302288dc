"""Short ways for plain values: a str, bytes, int, float, bool or None that is all of a message.

PROTOCOL.md section 5.1.  What these write and take is what the codec does as well; they only save
the way through it.  Whatever is not quite plain they leave to it: too long, a lone surrogate, a
form that must be refused or converted.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from .forms import LARGE, msgpack

_unpack_float = struct.Struct(">d").unpack_from
_pack_bin16 = struct.Struct(">cH").pack

# Heads of bytes by length, and small ints: of one byte, or bin 8's two.
_BIN_HEADS = [bytes([0xC4, size]) for size in range(256)]
_SMALL = {number: bytes([number & 0xFF]) for number in range(-32, 128)}

# In place of bytes that travel in the next frame: ext 12, of bytes, number 0.
APART = b"\xc7\x03\x0c\x00\x00\x00"

NOT_PLAIN: Any = object()

# Of ints, by their head: the least and the most that have no shorter form, and the size.  For what
# is no head of an int nothing lies between.
LEAST = [-32] * 128 + [1] * 96 + [-32] * 32
MOST = [127] * 128 + [0] * 96 + [127] * 32
SIZES = [1] * 256
for _power in range(4):
    _bits = 8 << _power
    _shorter = _bits >> 1
    SIZES[0xCC + _power] = SIZES[0xD0 + _power] = 1 + _bits // 8
    LEAST[0xCC + _power] = 1 << _shorter if _power else 128
    MOST[0xCC + _power] = (1 << _bits) - 1
    LEAST[0xD0 + _power] = -1 << _bits - 1
    MOST[0xD0 + _power] = (-1 << _shorter - 1 if _power else -32) - 1


def packer() -> Callable[[object], bytes]:
    """What packs values that need no help: None, bool, int, float, str, bytes and tuples of them.

    No code of the program runs meanwhile (there is no hook, nothing is made that a collection of
    garbage could start for), so one buffer does for all.  Other implementations of msgpack than the
    one in C are stateless.  Raises ValueError or OverflowError for what has to go the long way.
    """
    if not msgpack:
        return _refuse
    is_compiled = msgpack.Packer.__module__.endswith("_cmsgpack")
    pack: Callable[[object], bytes] = msgpack.Packer().pack if is_compiled else msgpack.packb
    return pack


def _refuse(value: object) -> bytes:
    raise ValueError


_pack = packer()


def _write_bytes(value: bytes) -> bytes | None:
    size = len(value)
    if size < 256:
        return _BIN_HEADS[size] + value
    return _pack_bin16(b"\xc5", size) + value if size < 65_536 else None


def _write_str(value: str) -> bytes | None:
    try:
        return _pack(value) if len(value) < LARGE else None
    except ValueError:  # a lone surrogate
        return None


def _write_int(value: int) -> bytes | None:
    try:
        return _SMALL.get(value) or _pack(value)
    except (ValueError, OverflowError):  # larger than MessagePack's own
        return None


# By the exact type of the value: its bytes, or None.
WRITERS: dict[type, Callable[[Any], bytes | None]] = {
    bytes: _write_bytes,
    str: _write_str,
    int: _write_int,
    float: _pack,
    bool: {False: b"\xc2", True: b"\xc3"}.get,
    type(None): {None: b"\xc0"}.get,
}


def _read_bytes(data: bytes, at: int) -> Any:
    head, size = data[at], len(data) - at
    if head == 0xC4 and size > 1 and data[at + 1] == size - 2:
        return data[at + 2 :]
    if head == 0xC5 and size >= 259 and int.from_bytes(data[at + 1 : at + 3], "big") == size - 3:
        return data[at + 3 :]
    return NOT_PLAIN


def _read_str(data: bytes, at: int) -> Any:
    if data[at] & 0xE0 == 0xA0 and (data[at] & 0x1F) == len(data) - at - 1:
        try:
            return data[at + 1 :].decode()
        except UnicodeDecodeError:
            return NOT_PLAIN
    return NOT_PLAIN


def _read_int(data: bytes, at: int) -> Any:
    head = data[at]
    size = SIZES[head]
    if len(data) - at != size:
        return NOT_PLAIN
    if size > 1:
        value = int.from_bytes(data[at + 1 :], "big", signed=head >= 0xD0)
    else:
        value = head if head < 128 else head - 256
    return value if LEAST[head] <= value <= MOST[head] else NOT_PLAIN


def _read_float(data: bytes, at: int) -> Any:
    if len(data) == at + 9 and data[at] == 0xCB:
        return _unpack_float(data, at + 1)[0]
    return NOT_PLAIN


def _read_bool(data: bytes, at: int) -> Any:
    if len(data) == at + 1:
        if data[at] == 0xC3:
            return True
        if data[at] == 0xC2:
            return False
    return NOT_PLAIN


# By the expected type: the value, or NOT_PLAIN.  `at` is where it begins; there is one byte at
# least, and nothing behind the value.
READERS: dict[Any, Callable[[bytes, int], Any]] = {
    bytes: _read_bytes,
    str: _read_str,
    int: _read_int,
    float: _read_float,
    bool: _read_bool,
}
