"""Results that are numbers, in a few bytes each: the clock, read in a loop.

PROTOCOL.md section 9, records of kind 6 (repeats.c there).  A record holds results of any number of
effects in the order in which they came, each as the difference to the one before of the same name:
two to four bytes, where a record of its own takes fifty.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

MOST_BYTES = 1 << 16  # of one record, so that one that is torn takes little with it
_INT, _FLOAT = range(2)
_MASK = (1 << 64) - 1
_SIGN = 1 << 63
_bits_of = struct.Struct("<d").pack
_float_of = struct.Struct("<Q").pack

Number = int | float


class Repeats:
    """One record in the making."""

    def __init__(self) -> None:
        self.body = bytearray()
        self._known: dict[tuple[str, type], list[int]] = {}  # its number in the record, the last

    def add(self, name: str, value: Number) -> bool:
        """Whether it could be added: an int has at most 64 bits."""
        cls = type(value)
        if cls is float:
            bits = int.from_bytes(_bits_of(value), "little")
        elif -_SIGN <= value < _SIGN:
            bits = int(value)
        else:
            return False
        entry = self._known.get((name, cls))
        if entry is None:
            entry = self._enter(name, cls)
        else:
            _put_number(self.body, entry[0])
        change = (bits - entry[1] + _SIGN & _MASK) - _SIGN
        entry[1] = bits
        _put_number(self.body, change << 1 if change >= 0 else ~(change << 1))
        return True

    def _enter(self, name: str, cls: type) -> list[int]:
        entry = self._known[name, cls] = [len(self._known), 0]
        data = name.encode()
        _put_number(self.body, entry[0])
        self.body += struct.pack(">H", len(data)) + data + bytes([_FLOAT if cls is float else _INT])
        return entry


def _put_number(body: bytearray, number: int) -> None:
    """Seven bits a byte, the lowest first."""
    while number > 127:
        body.append(number & 127 | 128)
        number >>= 7
    body.append(number)


def repeats(body: bytes) -> Iterator[tuple[str, Number]]:
    """(name, result) of each, in order; ValueError where the record is no such."""
    known: list[list[int]] = []
    names: list[tuple[str, int]] = []
    place, size = 0, len(body)
    while place < size:
        number = body[place]
        place += 1
        if number > 127:
            number, place = _number(body, place - 1)
        if number == len(known):
            name, form, place = _entry(body, place)
            names.append((name, form))
            known.append([0])
        elif number > len(known):
            raise ValueError("an effect that was not named")
        change, place = _number(body, place)
        name, form = names[number]
        last = known[number]
        bits = last[0] = last[0] + (change >> 1 ^ -(change & 1)) & _MASK
        if form == _FLOAT:
            yield name, struct.unpack("<d", _float_of(bits))[0]
        else:
            yield name, (bits ^ _SIGN) - _SIGN


def _number(body: bytes, place: int) -> tuple[int, int]:
    """A number and where it ends."""
    number = shift = 0
    while place < len(body) and shift < 70:
        byte = body[place]
        number |= (byte & 127) << shift
        place += 1
        shift += 7
        if byte < 128:
            return number, place
    raise ValueError("no number")


def _entry(body: bytes, place: int) -> tuple[str, int, int]:
    """Name and form of an effect, and where they end."""
    end = place + 2 + int.from_bytes(body[place : place + 2], "big")
    if end >= len(body) or body[end] > _FLOAT:
        raise ValueError("no name")
    return body[place + 2 : end].decode(), body[end], end + 1
