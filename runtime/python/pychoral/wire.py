"""The value codec of the wire: encode, decode, copy (PROTOCOL.md section 5).

`com` copies as the wire does, in every run, also in the central one; so these three functions
decide what a receiver gets.  Nothing is ever executed to read a value: no pickle, no eval, and
classes are found only among those that the expected type mentions, or that the program knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .decode import Decoder, Reading
from .encode import Encoder, Irregular
from .errors import NotSendable, WireError
from .expected import reader_of, short_reader
from .forms import LARGE, MAX_BYTES, MAX_DEPTH, Frame
from .plain import APART, NOT_PLAIN, READERS, WRITERS
from .price import USUAL
from .readers import TOO_LARGE, Reader
from .reduced import merges_keys, reduced
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

AS_IT_IS: Any = object()  # the type of which nothing is said: every part keeps the class it has


class Codec:
    """Writes and reads the values of one program, whose classes are those of `table`.

    writers, readers   short ways, by the type of a value and the expected type; they give None and
                       NOT_PLAIN for what has to go the long way (as in plain.py)
    """

    def __init__(self, table: TypeTable, most: int = USUAL) -> None:
        """`most`: the highest price of a value (price.py)."""
        self._encoder = Encoder(table, most=most)
        self._exact = Encoder(table, exact=True, most=most)
        self._decoder = Decoder(table, most)
        self._table = table
        self._most_apart = min(MAX_BYTES - len(APART), most - 64)  # bytes that are all of a value
        self.writers = dict(WRITERS)
        self.readers = dict(READERS)
        self._merging: dict[Any, bool] = {}  # whether conversion may make two keys one
        self._long: set[Any] = set()  # types of both kinds that have no short way

    def encode(self, value: object, expect: Any = object) -> list[Frame]:
        """As the function `encode`; `expect` is the wire type."""
        cls = type(value)
        write = self.writers.get(cls)
        if write is not None:
            data = write(value)
            if data is not None:
                return [data]
            if cls is bytes and len(value) <= self._most_apart:  # type: ignore[arg-type]
                return [APART, value]  # type: ignore[list-item]
            return self._encode(value, expect)
        frames = self._encode(value, expect)
        if cls not in self._long:
            write = self._encoder.short_writer(value)
            if write is not None:
                self.writers[cls] = write
            else:
                self._long.add(cls)
        return frames

    def _encode(self, value: object, expect: Any) -> list[Frame]:
        encoder = self._encoder
        encoder.has_large_ints = False
        frames = None
        try:
            frames = encoder.encode(value)
        except Irregular:
            pass
        if frames is None:
            encoder = self._exact
            encoder.has_large_ints = False
            frames = encoder.encode(reduced(reader_of(expect), value))
        merges = self._merging.get(expect)
        if merges is None:
            merges = self._merging[expect] = merges_keys(reader_of(expect), self._table)
        if merges or encoder.has_large_ints:
            self._check_conversion(frames, reader_of(expect))
        return frames

    def _check_conversion(self, frames: list[Frame], reader: Reader) -> None:
        """Refuse what the receiver would: an int that no float holds, keys that become equal."""
        try:
            reader.read(self._decoder.raw_tree(frames), Reading(self._decoder, frames))
        except WireError as fault:
            if fault.came in _UNREAD:
                raise NotSendable(_UNREAD[fault.came]).along(fault.path) from None

    def decode(self, frames: Sequence[Frame], expect: Any, annotated: bool = True) -> Any:
        """As the function `decode`.

        annotated   whether fields of dataclasses have the types that their class says
        """
        data = frames[0]
        if len(frames) == 1:
            read = self.readers.get(expect)
            if read is not None and annotated and data:
                value = read(data if type(data) is bytes else bytes(data), 0)
                if value is not NOT_PLAIN:
                    return value
        elif expect is bytes and data == APART and len(frames) == 2:
            if LARGE <= len(frames[1]) <= self._most_apart:
                return bytes(frames[1])
        return self._decode(frames, expect, annotated)

    def _decode(self, frames: Sequence[Frame], expect: Any, annotated: bool) -> Any:
        """The long way."""
        reader = reader_of(expect)
        raw = self._decoder.raw_tree(frames)
        if type(raw) in reader.leaves and len(frames[0]) <= LARGE:
            return raw
        cx = Reading(self._decoder, frames)
        if not annotated:
            cx.annotated = False
        value = reader.read(raw, cx)
        if expect not in self._long and annotated:
            self._long.add(expect)
            read = short_reader(reader, self._table)
            if read is not None:
                self.readers[expect] = read
        return value

    def copy(self, value: object, expect: Any = AS_IT_IS) -> Any:
        """As the function `copy`."""
        if expect is AS_IT_IS:
            return self.decode(self.encode(value), object, annotated=False)
        return self.decode(self.encode(value, expect), expect)


# What a receiver says of what it cannot convert, as the sender says it.
_UNREAD = {
    TOO_LARGE: TOO_LARGE,
    "something unreadable (a dict with a duplicate key)":
        "a dict with two keys that have the same encoding",
    "a set with a duplicate element": "a set with two elements that have the same encoding",
}
_NOTHING = TypeTable()


def encode(value: object, table: TypeTable = _NOTHING, expect: Any = object) -> list[Frame]:
    """The frames of `value`: the value itself, and large raw data, borrowed.

    `expect` is the type that the receiver expects: by it, subclasses and abstract collections are
    sent as what they stand for.  Raises NotSendable, which names the part that cannot travel; so
    does a class that is not in `table`.  Who writes more than one value keeps a Codec.
    """
    return Codec(table).encode(value, expect)


def decode(frames: Sequence[Frame], expect: Any, table: TypeTable = _NOTHING) -> Any:
    """The value in `frames`, checked against the type `expect` before the caller sees it.

    `expect` is a class or a typing form (`list[int]`, `str | None`, `Literal["a"]`, an enum, a
    dataclass ...).  An int is converted where a float is expected.  Arrays stand on their frames,
    which must not change any more, and are read only.  Raises WireError.
    """
    return Codec(table).decode(frames, expect)


def copy(value: object, expect: Any = AS_IT_IS) -> Any:
    """What a receiver would get, in a program without a table: it has one of its own.

    Without `expect` every part keeps the class it has.
    """
    return Codec(GrowingTable()).copy(value, expect)
