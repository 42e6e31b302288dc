"""Readers: each checks raw trees against one expected type and builds values of it.

expected.py makes them from types.  A raw tree is right for a reader if its kind is among the
reader's `kinds`, and then all its parts are right for theirs.
"""

from __future__ import annotations

import struct
from typing import Any

from . import arrays
from .decode import Reading, crowded
from .errors import Unreadable, WireError, key_step
from .forms import (
    EXT_DATACLASS,
    EXT_ENUM,
    EXT_FLOATS,
    EXT_FRAME,
    EXT_FROZENSET,
    EXT_INTS,
    EXT_NDARRAY,
    EXT_SET,
    EXT_TUPLE,
    BULK,
    FROZENSET_MARK,
    LARGE,
    OF_BYTES,
    SET_MARK,
    TUPLE_MARK,
    ExtType,
    Frame,
    are_crowded,
    LONG_MAX,
    LONG_MIN,
    read_reference,
    read_uints,
    why_no_uints,
)

TOO_LARGE = "an int too large for a float"
_PLAIN = frozenset([type(None), bool, int, float, complex, str, bytes])
_MARKING = frozenset([EXT_TUPLE, EXT_DATACLASS, EXT_SET, EXT_FROZENSET])
_MARKED = {id(TUPLE_MARK): "tuple", id(SET_MARK): "set", id(FROZENSET_MARK): "frozenset"}

KIND_OF_TYPE: dict[type, str] = {
    type(None): "None",
    bool: "bool",
    int: "int",
    float: "float",
    complex: "complex",
    str: "str",
    bytes: "bytes",
    dict: "dict",
}
_KIND_OF_EXT = {
    EXT_ENUM: "enum",
    EXT_NDARRAY: "ndarray",
    EXT_INTS: "list",
    EXT_FLOATS: "list",
}
_KIND_OF_FRAME = {
    OF_BYTES: "bytes",
    EXT_NDARRAY: "ndarray",
    EXT_INTS: "list",
    EXT_FLOATS: "list",
}
ALL_KINDS = frozenset(
    [*KIND_OF_TYPE.values(), *_KIND_OF_EXT.values(), *_MARKED.values(), "list", "dataclass"]
)


def kind_of(raw: Any) -> str:
    """Which kind of value a raw tree holds; "" for what no encoder writes."""
    cls = type(raw)
    if cls is tuple:
        if not raw or not isinstance(raw[0], ExtType) or raw[0].code not in _MARKING:
            return "list"
        return "dataclass" if raw[0].code == EXT_DATACLASS else _MARKED.get(id(raw[0]), "")
    if cls is not ExtType:
        return KIND_OF_TYPE.get(cls, "")
    if raw.code == EXT_FRAME:
        reference = read_reference(raw.data)
        return _KIND_OF_FRAME[reference[0]] if reference else ""
    return _KIND_OF_EXT.get(raw.code, "")


class Reader:
    """Checks raw trees against one expected type.

    name   the type as messages show it
    kinds  the kinds of raw trees that can be right
    leaves types whose values stand for themselves in a raw tree, and are taken as they are (but
           bytes only if they are not large)
    """

    name: str
    kinds: frozenset[str]
    leaves: frozenset[type] = frozenset()

    def read(self, raw: Any, cx: Reading) -> Any:
        """The value of `raw`; raises WireError if it is not of the type."""
        raise NotImplementedError

    def read_many(self, raws: Any, cx: Reading, values: list[Any]) -> None:
        """Append the values of as many raw trees in front as there is a quicker way for."""

    def may_be(self, raw: Any, cx: Reading) -> bool:
        """Whether a raw tree of one of the `kinds` can be right, as far as its front tells."""
        return True

    def refuse(self, raw: Any, cx: Reading) -> WireError:
        return WireError(self.name, describe(raw))

    def resolved(self) -> Reader:
        """The reader itself, or of a named type the one that it stands for."""
        return self


def describe(raw: Any) -> str:
    """What came, for a message."""
    kind = kind_of(raw)
    if kind == "enum":
        return f"the enum with type number {numbers_of(raw.data, 2, 'member')[0]}"
    if kind == "dataclass":
        return f"the dataclass with type number {numbers_of(raw[0].data, 1, 'type')[0]}"
    return kind or "something that is not a value"


def numbers_of(data: bytes, count: int, what: str) -> tuple[int, ...]:
    """The numbers in an enum or a marker; raises Unreadable if it is anything else."""
    numbers = read_uints(data, count)
    if numbers is None:
        raise Unreadable(why_no_uints(data, count, what))
    return numbers


def are_leaves(kinds: set[type], reader: Reader, cx: Reading) -> bool:
    """Whether raw trees of these types are what `reader` would give."""
    return kinds <= reader.leaves and not (bytes in kinds and cx.large)


class Scalar(Reader):
    """None, bool, str or bytes in the value itself; others have further forms below."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.leaves = frozenset([cls])
        self.name = "None" if cls is type(None) else cls.__name__
        self.kinds = frozenset([self.name])

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is not self.cls:
            raise self.refuse(raw, cx)
        return raw


class Bytes(Scalar):
    """bytes: large ones are in a frame of their own."""

    def __init__(self) -> None:
        super().__init__(bytes)

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is bytes:
            if len(raw) >= LARGE:
                raise Unreadable("a large part without a separate frame")
            return raw
        if kind_of(raw) != "bytes":
            raise self.refuse(raw, cx)
        return bytes(_frame_of(raw, cx))


def _frame_of(raw: Any, cx: Reading) -> Frame:
    """The frame that an ext 12 stands for."""
    reference = read_reference(raw.data)
    assert reference is not None, "as it has a kind"
    return cx.frame(reference[1])


class Int(Scalar):
    """An int, or a bool, which is one in Python and stays what it is."""

    def __init__(self) -> None:
        super().__init__(int)
        self.kinds = frozenset(["int", "bool"])
        self.leaves = frozenset([int, bool])

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is int or type(raw) is bool:
            return raw
        raise self.refuse(raw, cx)


INT = Int()


class Float(Scalar):
    """A float; an int or a bool is converted, as Python's typing lets it stand for a float."""

    def __init__(self) -> None:
        super().__init__(float)
        self.kinds = frozenset(["float", "int", "bool"])

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is float:
            return raw
        if not cx.convert or kind_of(raw) not in self.kinds:
            raise self.refuse(raw, cx)
        try:
            return float(INT.read(raw, cx))
        except OverflowError:
            raise WireError("float", TOO_LARGE) from None


FLOAT = Float()


class Complex(Scalar):
    """A complex; whatever may stand for a float is converted."""

    def __init__(self) -> None:
        super().__init__(complex)
        self.kinds = FLOAT.kinds | {"complex"}

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is complex:
            return raw
        if cx.convert < 2 or kind_of(raw) not in self.kinds:
            raise self.refuse(raw, cx)
        return complex(FLOAT.read(raw, cx))


class Array(Reader):
    """A numpy array, of one dtype and number of dimensions if the type says which."""

    name = "ndarray"
    kinds = frozenset(["ndarray"])

    def __init__(self, scalar: type | None = None, dimensions: int | None = None) -> None:
        self._scalar = scalar
        self._dimensions = dimensions
        if scalar is not None:
            self.name = f"ndarray of {scalar.__name__}"

    def read(self, raw: Any, cx: Reading) -> Any:
        if kind_of(raw) != "ndarray":
            raise self.refuse(raw, cx)
        value = self._array(raw, cx)
        if self._scalar is not None and not issubclass(value.dtype.type, self._scalar):
            raise WireError(self.name, f"one of {value.dtype}")
        if self._dimensions is not None and value.ndim != self._dimensions:
            raise WireError(f"{self._dimensions} dimensions", f"an array of {value.ndim}")
        return value

    def _array(self, raw: Any, cx: Reading) -> Any:
        reference = read_reference(raw.data) if raw.code == EXT_FRAME else None
        if reference is None:
            return arrays.read(*arrays.split(raw.data))
        return arrays.read(reference[2], cx.frame(reference[1]))


# --- collections ----------------------------------------------------------------------------------


def read_items(
    item: Reader, raws: Any, cx: Reading, kinds: set[type], ordered: bool = True
) -> list[Any]:
    """The items of a container, each by the same reader; `kinds` are the types of `raws`."""
    if are_leaves(kinds, item, cx):
        return list(raws)
    values: list[Any] = []
    read = item.read
    try:
        item.read_many(raws, cx, values)
        for raw in raws[len(values) :] if values else raws:
            values.append(read(raw, cx))
    except WireError as fault:
        raise fault.inside(f"[{len(values)}]" if ordered else "(an element)")
    return values


class List(Reader):
    """A list; one of many ints or floats has come as raw data."""

    kinds = frozenset(["list"])

    def __init__(self, item: Reader) -> None:
        self.item = item
        self.name = f"list[{item.name}]"

    def read(self, raw: Any, cx: Reading) -> Any:
        if kind_of(raw) != "list":
            raise self.refuse(raw, cx)
        if type(raw) is not tuple:
            return self._bulk(raw, cx)
        kinds = set(map(type, raw))
        if len(raw) >= BULK and len(kinds) == 1 and _is_bulk(raw):
            raise Unreadable("numbers that must be encoded as one block")
        cx.enter()
        values = read_items(self.item, raw, cx, kinds)
        cx.leave()
        return values

    def _bulk(self, raw: Any, cx: Reading) -> list[Any]:
        """A list from raw data."""
        if raw.code == EXT_FRAME:
            reference = read_reference(raw.data)
            assert reference is not None, "as it has a kind"
            code, data = reference[0], _frame_of(raw, cx)
        else:
            code, data = raw.code, raw.data
            if len(data) >= LARGE:
                raise Unreadable("a large part without a separate frame")
        count, rest = divmod(len(data), 8)
        if rest or count < BULK:
            raise Unreadable("a block of numbers that are too few or cut off")
        values = struct.unpack(f"<{count}{'q' if code == EXT_INTS else 'd'}", data)
        if type(values[0]) in self.item.leaves:
            return list(values)
        return read_items(self.item, values, cx, {type(values[0])})


def _is_bulk(items: Any) -> bool:
    """Whether many items of one type should have come as raw data."""
    kind = type(items[0])
    return kind is float or kind is int and LONG_MIN <= min(items) and max(items) <= LONG_MAX


class VarTuple(Reader):
    """A tuple of any length."""

    kinds = frozenset(["tuple"])

    def __init__(self, item: Reader) -> None:
        self.item = item
        self.name = f"tuple[{item.name}, ...]"

    def read(self, raw: Any, cx: Reading) -> Any:
        if kind_of(raw) != "tuple":
            raise self.refuse(raw, cx)
        raws = raw[1:]
        cx.enter()
        values = read_items(self.item, raws, cx, set(map(type, raws)))
        cx.leave()
        return tuple(values)


class Set(Reader):
    """A set or frozenset."""

    def __init__(self, item: Reader, build: type = set) -> None:
        self.item = item
        self.build = build
        self.kinds = frozenset([build.__name__])
        self.name = f"{build.__name__}[{item.name}]"

    def read(self, raw: Any, cx: Reading) -> Any:
        if kind_of(raw) not in self.kinds:
            raise self.refuse(raw, cx)
        raws = raw[1:]
        kinds = set(map(type, raws))
        cx.enter()
        values = read_items(self.item, raws, cx, kinds, ordered=False)
        cx.leave()
        try:
            if are_crowded(values):
                raise crowded(self.name, "elements")
            value = self.build(values)
        except TypeError:
            raise WireError(self.name, "a set with an unhashable element") from None
        if len(value) != len(raws) or not kinds <= _PLAIN and _has_twins(raws):
            raise WireError(self.name, "a set with a duplicate element")
        return value


def _has_twins(raws: Any) -> bool:
    """Whether two raw trees are alike, though their values may be held for different."""
    try:
        hash(raws)
    except TypeError:  # there are dicts in them
        raws = [_hashable(raw) for raw in raws]
    return not are_crowded(raws) and len(set(raws)) != len(raws)


def _hashable(raw: Any) -> Any:
    if type(raw) is dict:
        return frozenset((key, _hashable(item)) for key, item in raw.items())
    return tuple(map(_hashable, raw)) if type(raw) is tuple else raw


class Tuple(Reader):
    """A tuple with a type for each place."""

    kinds = frozenset(["tuple"])

    def __init__(self, items: list[Reader]) -> None:
        self.items = items
        self.name = f"tuple[{', '.join(item.name for item in items) or '()'}]"

    def read(self, raw: Any, cx: Reading) -> Any:
        if kind_of(raw) != "tuple":
            raise self.refuse(raw, cx)
        raws = raw[1:]
        if len(raws) != len(self.items):
            raise WireError(self.name, f"a tuple of {len(raws)}")
        cx.enter()
        values: list[Any] = []
        try:
            for item, part in zip(self.items, raws):
                values.append(item.read(part, cx))
        except WireError as fault:
            raise fault.inside(f"[{len(values)}]")
        cx.leave()
        return tuple(values)


class Dict(Reader):
    """A dict.  The raw one has every key once; keys that differ there may be equal all the same."""

    kinds = frozenset(["dict"])

    def __init__(self, key: Reader, item: Reader) -> None:
        self.key = key
        self.item = item
        self.name = f"dict[{key.name}, {item.name}]"

    def of_key(self, key: Any) -> Reader:
        """What reads the value of a key."""
        return self.item

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is not dict:
            raise self.refuse(raw, cx)
        cx.enter()
        if are_leaves(set(map(type, raw.values())), self.item, cx):
            if are_leaves(set(map(type, raw)), self.key, cx):
                cx.leave()
                return raw
        keys = [self._key(raw_key, cx) for raw_key in raw]
        if are_crowded(keys):
            raise crowded(self.name, "keys")
        value: dict[Any, Any] = {}
        for key, raw_item in zip(keys, raw.values()):
            try:
                value[key] = self.item.read(raw_item, cx)
            except WireError as fault:
                raise fault.inside(key_step(key))
        cx.leave()
        if len(value) != len(raw):
            raise Unreadable("a dict with a duplicate key")
        return value

    def _key(self, raw: Any, cx: Reading) -> Any:
        try:
            key = self.key.read(raw, cx)
            hash(key)
        except WireError as fault:
            raise fault.inside("(a key)")
        except TypeError:
            raise WireError(self.name, "a dict with an unhashable key") from None
        return key
