"""The value codec of the wire: encode, decode, copy (PROTOCOL.md section 5).

`com` copies as the wire does, in every run, also in the central one; so these three functions
decide what a receiver gets.  Nothing is ever executed to read a value: no pickle, no eval, and
classes are found only among those that the expected type mentions, or that the program knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .decode import Decoder, Reading
from .encode import Encoder
from .errors import NotSendable, WireError
from .expected import reader_of
from .forms import LARGE, MAX_BYTES, MAX_DEPTH, Frame
from .plain import APART, NOT_PLAIN, READERS, WRITERS
from .typetable import GrowingTable, TypeTable

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Codec",
    "Frame",
    "NotSendable",
    "TypeTable",
    "WireError",
    "copy",
    "decode",
    "encode",
]


class Codec:
    """Writes and reads the values of one program, whose classes are those of `table`."""

    def __init__(self, table: TypeTable) -> None:
        self._encode = Encoder(table).encode
        self._decoder = Decoder(table)

    def encode(self, value: object) -> list[Frame]:
        """As the function `encode`."""
        write = WRITERS.get(type(value))
        if write is not None:
            data = write(value)
            if data is not None:
                return [data]
            if type(value) is bytes and len(value) <= MAX_BYTES - len(APART):
                return [APART, value]
        return self._encode(value)

    def decode(self, frames: Sequence[Frame], expect: Any, annotated: bool = True) -> Any:
        """As the function `decode`.

        annotated   whether fields of dataclasses have the types that their class says
        """
        if expect is bytes:
            if len(frames) == 2 and frames[0] == APART and len(frames[1]) >= LARGE:
                return bytes(frames[1])
            value = READERS[bytes](frames[0]) if len(frames) == 1 and frames[0] else NOT_PLAIN
            if value is not NOT_PLAIN:
                return value
        reader = reader_of(expect)
        raw = self._decoder.raw_tree(frames)
        if type(raw) in reader.leaves and len(frames[0]) <= LARGE:
            return raw
        cx = Reading(self._decoder, frames)
        if not annotated:
            cx.annotated = False
        return reader.read(raw, cx)

    def copy(self, value: object, expect: Any = None) -> Any:
        """As the function `copy`."""
        frames = self.encode(value)
        if expect is None:
            return self.decode(frames, object, annotated=False)
        return self.decode(frames, expect)


_NOTHING = TypeTable()


def encode(value: object, table: TypeTable = _NOTHING) -> list[Frame]:
    """The frames of `value`: the value itself, and large raw data, borrowed.

    Raises NotSendable, which names the part that cannot travel; so does a class that is not in
    `table`.  Who writes more than one value keeps a Codec.
    """
    return Codec(table).encode(value)


def decode(frames: Sequence[Frame], expect: Any, table: TypeTable = _NOTHING) -> Any:
    """The value in `frames`, checked against the type `expect` before the caller sees it.

    `expect` is a class or a typing form (`list[int]`, `str | None`, `Literal["a"]`, an enum, a
    dataclass ...).  An int is converted where a float is expected.  Arrays stand on their frames,
    which must not change any more, and are read only.  Raises WireError.
    """
    return Codec(table).decode(frames, expect)


def copy(value: object, expect: Any = None) -> Any:
    """What a receiver would get, in a program without a table: it has one of its own.

    Without `expect` every part keeps the class it has.
    """
    return Codec(GrowingTable()).copy(value, expect)
