"""What the halves of the value codec share: numbers of the wire, limits (PROTOCOL.md section 5).

A value is one MessagePack value and, behind it, frames of raw data: `Frame`s.  In between, on
either side, stands its *raw tree*: None, bool, int, float, complex, str, bytes, tuples for arrays,
dicts for maps, and msgpack.ExtType, which is also the marker that may stand first in a tuple.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Collection, Iterable
from typing import Any, Union

try:
    import msgpack as msgpack  # type: ignore[import]
except ImportError:  # said in one line by whoever starts a program (options.require_packages)
    msgpack = None

Frame = Union[bytes, memoryview]
ExtType: Any = msgpack.ExtType if msgpack else tuple


class ClassMark(ExtType):  # type: ignore[misc]
    """The marker of a dataclass of the program's table."""

    cls: type


EXT_INT = 1
EXT_TUPLE = 2
EXT_ENUM = 3
EXT_DATACLASS = 4
EXT_NDARRAY = 5
EXT_SET = 6
EXT_COMPLEX = 7
EXT_FROZENSET = 8
EXT_INTS = 9
EXT_FLOATS = 10
EXT_FRAME = 12
OF_BYTES = 0  # in ext 12, beside EXT_NDARRAY, EXT_INTS and EXT_FLOATS

MAX_DEPTH = 128
CHECKED_DEPTH = 32  # where senders look for cycles; most values are flatter
MAX_BYTES = 1 << 28
SMALL = 1024  # bytes, in which arrays can claim no more than 3 MB
LARGE = 1 << 16  # raw data from here on has a frame of its own
MOST_ALIKE = 1000  # keys of a dict, elements of a set that may have the hash of another one
BULK = 16  # lists of ints or floats from here on are raw
INT_MIN, INT_MAX = -(1 << 63), (1 << 64) - 1  # what MessagePack's own integers hold
LONG_MIN, LONG_MAX = -(1 << 63), (1 << 63) - 1

# What msgpack says of bytes that it cannot read.
UNREADABLE: Any = (
    (ValueError, OverflowError, RecursionError, TypeError, msgpack.UnpackException)
    if msgpack
    else ()
)

_COMPLEX = struct.Struct(">dd")
_FRAME_HEAD = struct.Struct(">BH")


def extension(code: int, body: bytes) -> Any:
    """An extension value of a raw tree, made without the checks of its constructor."""
    return tuple.__new__(ExtType, (code, body))


# The markers of tuples, sets and frozensets; every raw tree has these very objects.
MARKERS: Any = [
    extension(code, b"") if msgpack else None for code in (EXT_TUPLE, EXT_SET, EXT_FROZENSET)
]
TUPLE_MARK, SET_MARK, FROZENSET_MARK = MARKERS


def pack_number(value: object) -> Any:
    """The extension of a number that MessagePack has no form for; msgpack asks for it."""
    if type(value) is complex:
        return extension(EXT_COMPLEX, _COMPLEX.pack(value.real, value.imag))
    if type(value) is not int or INT_MIN <= value <= INT_MAX:
        raise TypeError(f"{type(value)} in a raw tree")
    size = ((value if value > 0 else ~value).bit_length() + 8) // 8
    return extension(EXT_INT, value.to_bytes(size, "big", signed=True))


def take_up(code: int, body: bytes) -> Any:
    """An extension value of a raw tree, or the number that it is (in whatever form it came)."""
    if code == EXT_INT:
        return int.from_bytes(body, "big", signed=True)
    if code == EXT_COMPLEX and len(body) == _COMPLEX.size:
        return complex(*_COMPLEX.unpack(body))
    return extension(code, body)


def write_uints(*numbers: int) -> bytes:
    """MessagePack uints, one after the other."""
    return b"".join(map(msgpack.packb, numbers))


def read_uints(data: bytes, count: int) -> tuple[int, ...] | None:
    """Exactly `count` uints in their shortest form; None if it is anything else."""
    numbers: list[int] = []
    place = 0
    while len(numbers) < count:
        head = data[place : place + 1]
        size = 0 if head < b"\x80" else _UINT_SIZES.get(head, 0)
        if not head or head >= b"\x80" and not size:
            return None
        start, place = place + 1, place + 1 + size
        numbers.append(int.from_bytes(data[start:place], "big") if size else head[0])
    return tuple(numbers) if place == len(data) and write_uints(*numbers) == data else None


def why_no_uints(data: bytes, count: int, what: str) -> str:
    """What is wrong with data of which read_uints makes nothing; `what` the last number is of."""
    for _ in range(count):
        size = 0 if data[:1] < b"\x80" else _UINT_SIZES.get(data[:1], len(data))
        if len(data) <= size:
            return "a number is missing"
        if read_uints(data[: size + 1], 1) is None:
            return "an encoding longer than the shortest"
        data = data[size + 1 :]
    return f"extra bytes after the number of a {what}"


_UINT_SIZES = {b"\xcc": 1, b"\xcd": 2, b"\xce": 4, b"\xcf": 8}


def frame_reference(what: int, number: int, head: bytes = b"") -> Any:
    """Stands for a frame of raw data; `head` is an array's type and dimensions."""
    return extension(EXT_FRAME, _FRAME_HEAD.pack(what, number) + head)


def read_reference(body: bytes) -> tuple[int, int, bytes] | None:
    """What a frame is, its number, and the head; None if it is no reference."""
    if len(body) < _FRAME_HEAD.size:
        return None
    what, number = _FRAME_HEAD.unpack_from(body)
    head = body[_FRAME_HEAD.size :]
    known = what in (OF_BYTES, EXT_INTS, EXT_FLOATS) and not head or what == EXT_NDARRAY
    return (what, number, head) if known else None


def are_crowded(keys: Collection[Any]) -> bool:
    """Whether too many keys have one hash, so that each would be compared with all others.

    Nobody can foresee the hash of a str, but anybody can make numbers (and tuples of them) that
    have the same.  May raise TypeError, as a key may have no hash.
    """
    count = len(keys)
    return count > MOST_ALIKE and count - len(set(map(hash, keys))) > MOST_ALIKE


def total_size(frames: Iterable[Frame]) -> int:
    """Bytes of all frames of a value."""
    return sum(map(len, frames))


def class_mark(number: int, cls: type) -> Any:
    """The marker of a dataclass, which knows the class."""
    mark = tuple.__new__(ClassMark, (EXT_DATACLASS, write_uints(number)))
    mark.cls = cls
    return mark


def member_names(cls: type[enum.Enum]) -> list[str]:
    """The names of an enum's members in order of their numbers: as defined, without aliases."""
    return [name for name, member in cls.__members__.items() if member.name == name]
