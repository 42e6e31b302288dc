"""Short ways for plain values: a str, bytes, int, float, bool or None that is all of a message.

PROTOCOL.md section 5.1.  What these write and take is what the codec does as well; they only save
the way through it.  Whatever is not quite plain they leave to it: too long, a lone surrogate, a
form that must be refused or converted.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

_pack_float = struct.Struct(">cd").pack
_unpack_float = struct.Struct(">d").unpack_from
_pack_bin16 = struct.Struct(">cH").pack

# Heads by length, and small ints: of one byte, or bin 8's two.
_STR_HEADS = [bytes([0xA0 | size]) for size in range(32)]
_BIN_HEADS = [bytes([0xC4, size]) for size in range(256)]
_SMALL = {number: bytes([number & 0xFF]) for number in range(-32, 128)}
_SMALL_OF = [number if number < 128 else number - 256 for number in range(256)]

# In place of bytes that travel in the next frame: ext 12, of bytes, number 0.
APART = b"\xc7\x03\x0c\x00\x00\x00"

NOT_PLAIN: Any = object()


def _write_bytes(value: bytes) -> bytes | None:
    size = len(value)
    if size < 256:
        return _BIN_HEADS[size] + value
    return _pack_bin16(b"\xc5", size) + value if size < 65_536 else None


def _write_str(value: str) -> bytes | None:
    if len(value) < 32 and value.isascii():
        return _STR_HEADS[len(value)] + value.encode()
    return None


def _write_float(value: float) -> bytes:
    return _pack_float(b"\xcb", value)


# By the exact type of the value: its bytes, or None.
WRITERS: dict[type, Callable[[Any], bytes | None]] = {
    bytes: _write_bytes,
    str: _write_str,
    int: _SMALL.get,
    float: _write_float,
    bool: {False: b"\xc2", True: b"\xc3"}.get,
    type(None): {None: b"\xc0"}.get,
}


def _read_bytes(data: bytes) -> Any:
    head = data[0]
    if head == 0xC4 and len(data) > 1 and data[1] == len(data) - 2:
        return bytes(data[2:])
    if head == 0xC5 and len(data) >= 259 and int.from_bytes(data[1:3], "big") == len(data) - 3:
        return bytes(data[3:])
    return NOT_PLAIN


def _read_str(data: bytes) -> Any:
    if data[0] & 0xE0 == 0xA0 and (data[0] & 0x1F) == len(data) - 1 and data[1:].isascii():
        return data[1:].decode()
    return NOT_PLAIN


def _read_int(data: bytes) -> Any:
    if len(data) == 1 and (data[0] < 0x80 or data[0] >= 0xE0):
        return _SMALL_OF[data[0]]
    return NOT_PLAIN


def _read_float(data: bytes) -> Any:
    if len(data) == 9 and data[0] == 0xCB:
        return _unpack_float(data, 1)[0]
    return NOT_PLAIN


def _read_bool(data: bytes) -> Any:
    if data == b"\xc3":
        return True
    return False if data == b"\xc2" else NOT_PLAIN


# By the expected type: the value, or NOT_PLAIN.  The data is of one byte at least.
READERS: dict[Any, Callable[[bytes], Any]] = {
    bytes: _read_bytes,
    str: _read_str,
    int: _read_int,
    float: _read_float,
    bool: _read_bool,
}
