"""The shared types (types_of_tests.py) as Python has them, random values of them, and mutations.

For agree.py and the golden vectors.  numpy stands for itself here.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import math
import random
import struct
import sys
import types as python_types
import typing
from pathlib import Path
from typing import Any, Callable

import msgpack
import numpy
import numpy.typing

sys.path.insert(0, str(Path(__file__).parent))

import types_of_tests  # noqa: E402


def bits(text: str) -> float:
    """The float with these bits, in hex."""
    value: float = struct.unpack(">d", bytes.fromhex(text))[0]
    return value


def nested(levels: int) -> list[Any]:
    """Lists in each other."""
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


NAMES: dict[str, Any] = {
    **vars(types_of_tests),
    "ndarray": numpy.ndarray,
    "NDArray": numpy.typing.NDArray,
    "float64": numpy.float64,
    "numpy": numpy,
    "bits": bits,
    "nested": nested,
    "inf": math.inf,
}
CLASSES: tuple[type, ...] = types_of_tests.CLASSES
EXPRESSIONS: tuple[str, ...] = types_of_tests.EXPRESSIONS


def type_of(expression: str) -> Any:
    """The type that an expression of types_of_tests.py says."""
    return eval(expression, NAMES)


# --- values ---------------------------------------------------------------------------------------

_INTS = (0, 1, -1, 31, -32, -33, 127, 128, 255, 256, -128, -129, 65535, 65536, -32768, -32769,
         2**31, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1,
         2**64, -(2**63), -(2**63) - 1, 3**500, -(3**500), 10**400)  # fmt: skip
_FLOATS = (0.0, -0.0, 1.5, -1.0, 1e308, 5e-324, math.inf, -math.inf, math.nan, 2.0**63)
_STRS = ("", "a", "leaf", "branch", "n\0l", "é", "\U0001f600", "x" * 31, "x" * 32, "y" * 255,
         "z" * 256)  # fmt: skip
_LENGTHS = (0, 0, 1, 1, 2, 3, 5, 15, 16, 17, 31, 33)
_DTYPES = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16")
_PLAIN = (None, bool, int, float, complex, str, bytes)


class Maker:
    """Makes random values of types, no deeper than it must."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.depth = 0

    def make(self, expect: Any) -> Any:
        """A value of a type."""
        self.depth += 1
        try:
            return self._make(expect)
        finally:
            self.depth -= 1

    def _make(self, expect: Any) -> Any:
        chance = self.chance
        if expect in _SCALARS:
            return _SCALARS[expect](chance)
        if expect in (object, Any):
            return self.make(chance.choice(_OBJECTS if self.depth < 4 else _PLAIN))
        if expect is numpy.ndarray:
            return self._array(chance.choice(_DTYPES))
        if isinstance(expect, type) and issubclass(expect, enum.Enum):
            return chance.choice(list(expect))
        if dataclasses.is_dataclass(expect):
            return self._instance(expect)
        if typing.is_typeddict(expect):
            return self._typed_dict(expect)
        origin, arguments = typing.get_origin(expect), typing.get_args(expect)
        if origin in (typing.Union, python_types.UnionType):
            return self.make(arguments[-1] if self.depth > 8 else chance.choice(arguments))
        if origin is typing.Literal:
            return chance.choice(arguments)
        if origin is numpy.ndarray:
            return self._array("f8")
        return self._collection(origin, arguments)

    def _instance(self, cls: Any) -> Any:
        family = [each for each in CLASSES if issubclass(each, cls)]
        cls = self.chance.choice(family)
        hints = typing.get_type_hints(cls)
        return cls(*[self.make(hints[field.name]) for field in dataclasses.fields(cls)])

    def _typed_dict(self, cls: Any) -> dict[str, Any]:
        """Any key may be missing, and others be there: a reader takes both."""
        hints = {**typing.get_type_hints(cls), "else": object}
        most = 0.9 if self.depth < 6 else 0.1
        return {key: self.make(hint) for key, hint in hints.items()
                if self.chance.random() < most}

    def _length(self) -> int:
        if self.depth > 5:
            return self.chance.randrange(2)
        length = self.chance.choice(_LENGTHS)
        return length if self.depth < 3 else min(length, 3)

    def _collection(self, origin: Any, arguments: Any) -> Any:
        if origin is tuple:
            if len(arguments) == 2 and arguments[1] is Ellipsis:
                return tuple(self._items(arguments[0]))
            return tuple(self.make(each) for each in arguments if each != ())
        if origin in (dict, collections.abc.Mapping):
            keys = [self._hashable(arguments[0]) for _ in range(self._length())]
            return {key: self.make(arguments[1]) for key in keys}
        if origin is list:
            return self._items(arguments[0])
        origin = set if origin is collections.abc.Set else origin
        return origin(self._hashable(arguments[0]) for _ in range(self._length()))

    def _items(self, item: Any) -> list[Any]:
        if item in (int, float) and self.chance.random() < 0.4:
            length = self.chance.choice((15, 16, 17, 40))
            pick = self.chance.randrange(-(2**63), 2**63) if item is int else self.chance.random()
            return [item(pick) for _ in range(length)]
        return [self.make(item) for _ in range(self._length())]

    def _hashable(self, expect: Any) -> Any:
        while True:
            value = self.make(expect if expect is not object else self.chance.choice(_KEYS))
            try:
                hash(value)
                return value
            except TypeError:
                continue

    def _array(self, dtype: str) -> Any:
        shape = self.chance.choice(((), (0,), (3,), (2, 3), (0, 5), (4, 0, 2), (1,) * 32, (17,)))
        size = math.prod(shape) * numpy.dtype(dtype).itemsize
        data = bytes(self.chance.randrange(2) for _ in range(size)) if dtype == "?" else (
            self.chance.randbytes(size))
        return numpy.frombuffer(data, dtype).reshape(shape)


def _random_int(chance: random.Random) -> int:
    if chance.random() < 0.1:
        return chance.random() < 0.5
    return chance.choice(_INTS) if chance.random() < 0.5 else chance.randrange(-300, 300)


def _random_float(chance: random.Random) -> float:
    return chance.choice(_FLOATS) if chance.random() < 0.5 else chance.uniform(-9, 9)


_SCALARS: dict[Any, Callable[[random.Random], Any]] = {
    None: lambda chance: None,
    type(None): lambda chance: None,
    bool: lambda chance: chance.random() < 0.5,
    int: _random_int,
    float: _random_float,
    complex: lambda chance: complex(_random_float(chance), _random_float(chance)),
    str: lambda chance: chance.choice(_STRS),
    bytes: lambda chance: chance.randbytes(chance.choice((0, 1, 2, 8, 31, 32, 255, 256))),
}
_OBJECTS = (*_PLAIN, *_PLAIN, *CLASSES, list[object], tuple[object, ...], dict[object, object],
            set[object], frozenset[int], list[int], list[float], numpy.ndarray)  # fmt: skip
_KEYS = (*_PLAIN, int, str, tuple[int, str], frozenset[int], types_of_tests.Color,
         types_of_tests.Level, types_of_tests.Key, tuple[object, ...])  # fmt: skip


# --- mutations ------------------------------------------------------------------------------------

_INTERESTING = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 127, 128, 144, 145, 160, 192, 195,
                *range(196, 224), 224, 255)  # fmt: skip


class Mutator:
    """Changes messages: bytes, parts, structure."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._rules = (self._change, self._change, self._cut, self._insert, self._delete,
                       self._swap, self._splice, self._longer, self._tree, self._tree,
                       self._frames)  # fmt: skip

    def mutate(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        """A changed copy; `other` is a message to take parts from."""
        for _ in range(self.chance.choice((1, 1, 1, 2, 3))):
            frames = self.chance.choice(self._rules)(frames, other)
        return frames

    def _place(self, data: bytes) -> int:
        """Mostly at the front, where the structure is."""
        limit = len(data) if self.chance.random() < 0.5 else min(len(data), 24)
        return self.chance.randrange(limit) if limit else 0

    def _change(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        data = bytearray(frames[0])
        if data:
            place = self._place(data)
            kind = self.chance.randrange(3)
            data[place] = (self.chance.randrange(256) if kind == 0
                           else data[place] ^ 1 << self.chance.randrange(8) if kind == 1
                           else self.chance.choice(_INTERESTING))  # fmt: skip
        return [bytes(data), *frames[1:]]

    def _cut(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        return [frames[0][: self._place(frames[0])], *frames[1:]]

    def _insert(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        data, place = frames[0], self._place(frames[0])
        return [data[:place] + self._some() + data[place:], *frames[1:]]

    def _some(self) -> bytes:
        return bytes(self.chance.choice(_INTERESTING) for _ in range(self.chance.randrange(1, 4)))

    def _delete(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        data, place = frames[0], self._place(frames[0])
        return [data[:place] + data[place + self.chance.randrange(1, 5) :], *frames[1:]]

    def _swap(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        data = frames[0]
        a, b, c = sorted(self._place(data) for _ in range(3))
        return [data[:a] + data[b:c] + data[a:b] + data[c:], *frames[1:]]

    def _splice(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        data = frames[0]
        start = self._place(other[0])
        part = other[0][start : start + self.chance.randrange(1, 40)]
        place = self._place(data)
        return [data[:place] + part + data[place + self.chance.choice((0, len(part))) :],
                *frames[1:]]  # fmt: skip

    def _longer(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        """A small number or length in a longer form."""
        data, place = frames[0], self._place(frames[0])
        if place >= len(data):
            return frames
        head = data[place]
        form = (bytes([0xCC, head]) if head < 0x80 else
                struct.pack(">BH", 0xDC, head & 15) if 0x90 <= head < 0xA0 else
                struct.pack(">BH", 0xDE, head & 15) if 0x80 <= head < 0x90 else
                bytes([0xD9, head & 31]) if 0xA0 <= head < 0xC0 else
                bytes([0xD0, head]))  # fmt: skip
        return [data[:place] + form + data[place + 1 :], *frames[1:]]

    def _frames(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        kind = self.chance.randrange(4)
        if kind == 0:
            return [frames[0], *other[1:]]
        if kind == 1:
            return [*frames, bytes(self.chance.choice((0, 8, 65535)))]
        if kind == 2:
            return frames[:-1] if len(frames) > 1 else frames
        return [frames[0], *frames[:0:-1]]

    def _tree(self, frames: list[bytes], other: list[bytes]) -> list[bytes]:
        """Change the structure, so that heads and lengths stay right."""
        try:
            tree, donor = (msgpack.unpackb(each[0], strict_map_key=False, object_pairs_hook=_Pairs,
                                           use_list=True) for each in (frames, other))
            return [_pack(self._edit(tree, donor)), *frames[1:]]
        except (ValueError, TypeError, OverflowError, msgpack.UnpackException):
            return self._change(frames, other)

    def _edit(self, tree: Any, donor: Any) -> Any:
        """A tree with one part changed."""
        chance = self.chance
        if isinstance(tree, list) and tree and chance.random() < 0.8:
            place = chance.randrange(len(tree))
            kind = chance.randrange(7)
            if kind == 0:
                return type(tree)([*tree, tree[place]])
            if kind == 1:
                return type(tree)(tree[:place] + tree[place + 1 :])
            if kind == 2:
                other = chance.randrange(len(tree))
                tree = type(tree)(tree)
                tree[place], tree[other] = tree[other], tree[place]
                return tree
            part = tree[place]
            edited = (self._edit_pair(part, donor) if isinstance(tree, _Pairs)
                      else self._edit(part, donor))
            return type(tree)([*tree[:place], edited, *tree[place + 1 :]])
        return self._leaf(tree, donor)

    def _edit_pair(self, pair: Any, donor: Any) -> Any:
        key, item = pair
        if self.chance.random() < 0.5:
            return self._edit(key, donor), item
        return key, self._edit(item, donor)

    def _leaf(self, tree: Any, donor: Any) -> Any:
        chance = self.chance
        if isinstance(tree, msgpack.ExtType):
            if chance.random() < 0.5:
                return msgpack.ExtType(chance.randrange(1, 13), tree.data)
            data = bytearray(tree.data + b"\0")
            data[chance.randrange(len(data))] = chance.choice(_INTERESTING)
            return msgpack.ExtType(tree.code, bytes(data[: chance.choice((-1, len(data)))]))
        if isinstance(donor, list) and donor and chance.random() < 0.6:
            part = chance.choice(donor)
            return self._leaf(tree, part[1] if isinstance(part, tuple) else part)
        if chance.random() < 0.4:
            return donor
        if type(tree) is int and chance.random() < 0.5:
            return float(tree) if abs(tree) < 2**53 else tree - 1
        return chance.choice((None, True, 0, 1, 1.0, "", "a", b"", -1, 2**63, [], [1], [1.0] * 16,
                              [1] * 16, [True] * 16, msgpack.ExtType(2, b"")))  # fmt: skip


class _Pairs(list):  # type: ignore[type-arg]
    """A map as its pairs."""


def _pack(tree: Any) -> bytes:
    """Trees to bytes; keys need not be such as a dict can have."""
    if isinstance(tree, _Pairs):
        head = msgpack.Packer().pack_map_header(len(tree))
        return head + b"".join(_pack(key) + _pack(item) for key, item in tree)
    if isinstance(tree, list):
        return msgpack.Packer().pack_array_header(len(tree)) + b"".join(map(_pack, tree))
    data: bytes = msgpack.packb(tree)
    return data
