"""The value codec of the wire: encode, decode, copy.

`com` copies as the wire does, in every run, also in the central one; so these three functions
decide what a receiver gets.  Nothing is ever executed to read a value: no pickle, no eval, and
classes are found only among those that the expected type mentions, or that the program knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .decode import Reading, decode_raw, reader_of
from .encode import MAX_BYTES, MAX_DEPTH, Encoder
from .errors import NotSendable, WireError

__all__ = ["MAX_BYTES", "MAX_DEPTH", "NotSendable", "WireError", "copy", "decode", "encode"]


def encode(value: object) -> bytes:
    """The bytes of `value`; raises NotSendable, which names the part that cannot travel."""
    return Encoder().encode(value)


def decode(
    data: bytes, expect: Any, find: Callable[[str], type | None] | None = None
) -> Any:
    """The value in `data`, checked against the type `expect` before the caller sees it.

    `expect` is a class or a typing form (`list[int]`, `str | None`, `Literal["a"]`, an enum, a
    dataclass ...).  Enums and dataclasses are looked up in the expected type; where that says only
    `object` or `Any`, `find` is asked for the class of a name, and without it only the plain types
    are possible.  An int is converted where a float is expected.  Raises WireError.
    """
    return reader_of(expect).read(decode_raw(data), Reading(len(data), None, find))


def copy(
    value: object, expect: Any = None, find: Callable[[str], type | None] | None = None
) -> Any:
    """What a receiver would get.  Without `expect` every part keeps the class it has."""
    encoder = Encoder()
    data = encoder.encode(value)
    if expect is not None:
        return decode(data, expect, find)
    return reader_of(object).read(decode_raw(data), Reading(len(data), encoder.classes))
