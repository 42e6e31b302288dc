"""Values to bytes: the sending half of the wire codec.

A value is lowered to what MessagePack has (None, bool, 64-bit int, float, str, bytes, array, map)
and the extension types below, then packed in one go.  Only the listed types travel, and only
exactly these: a subclass such as defaultdict would arrive as something else.  What was one object
in two places is written twice; a cycle is an error.  The format is in runtime/README.md.
"""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Callable, Iterable
from typing import Any

from .errors import NotSendable

try:
    import msgpack  # type: ignore[import]
except ImportError:  # said in one line by whoever starts a program (options.require_packages)
    msgpack = None

EXT_INT = 1
EXT_TUPLE = 2
EXT_ENUM = 3
EXT_DATACLASS = 4
EXT_SET = 6
EXT_FROZENSET = 8

MAX_DEPTH = 128
MAX_BYTES = 1 << 28

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement
_INT_MIN = -(1 << 63)
_INT_MAX = (1 << 64) - 1


class Encoder:
    """Lowers one value; `classes` collects the enums and dataclasses met on the way."""

    def __init__(self) -> None:
        self.classes: dict[str, type] = {}
        self._open: set[int] = set()

    def encode(self, value: object) -> bytes:
        data = _pack(self.lower(value))
        if len(data) > MAX_BYTES:
            raise NotSendable(f"{len(data)} bytes long on the wire, over the limit of {MAX_BYTES}")
        return data

    def lower(self, value: object) -> object:
        """The MessagePack form of `value`."""
        rule = _RULES.get(type(value))
        if rule is not None:
            return rule(self, value)
        if isinstance(value, enum.Enum):
            return self._enum(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value)
        raise NotSendable(_describe(value))

    def _items(self, owner: object, items: Iterable[object]) -> list[object]:
        """The lowered items of a container."""
        self._enter(owner)
        lowered: list[object] = []
        try:
            for item in items:
                lowered.append(self.lower(item))
        except NotSendable as fault:
            step = f"[{len(lowered)}]" if isinstance(owner, (list, tuple)) else "{...}"
            raise fault.inside(step)
        self._open.discard(id(owner))
        return lowered

    def _enter(self, container: object) -> None:
        if id(container) in self._open:
            raise NotSendable("a reference back to a value that contains it (a cycle)")
        if len(self._open) >= MAX_DEPTH:
            raise NotSendable(f"nested deeper than {MAX_DEPTH} levels")
        self._open.add(id(container))

    def _same(self, value: object) -> object:
        return value

    def _int(self, value: int) -> object:
        if _INT_MIN <= value <= _INT_MAX:
            return value
        size = ((value if value > 0 else ~value).bit_length() + 8) // 8
        return msgpack.ExtType(EXT_INT, value.to_bytes(size, "big", signed=True))

    def _str(self, value: str) -> object:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise NotSendable("a str with a lone surrogate, which UTF-8 cannot write") from None
        return value

    def _list(self, value: list[object]) -> object:
        if set(map(type, value)) <= _UNCHANGED:
            self._enter(value)
            self._open.discard(id(value))
            return value
        return self._items(value, value)

    def _tuple(self, value: tuple[object, ...]) -> object:
        return _extension(EXT_TUPLE, self._items(value, value))

    def _set(self, value: set[object]) -> object:
        return _extension(EXT_SET, self._items(value, value))

    def _frozenset(self, value: frozenset[object]) -> object:
        return _extension(EXT_FROZENSET, self._items(value, value))

    def _dict(self, value: dict[object, object]) -> object:
        self._enter(value)
        lowered: dict[object, object] = {}
        for key, item in value.items():
            try:
                lowered[self.lower(key)] = self.lower(item)
            except NotSendable as fault:
                raise fault.inside(f"[{key!r}]")
        self._open.discard(id(value))
        return lowered

    def _enum(self, value: enum.Enum) -> object:
        cls = type(value)
        if cls.__members__.get(value.name or "") is not value:
            raise NotSendable(f"{value!r}, a combination and no member of {cls.__qualname__}")
        self._meet(cls)
        return _extension(EXT_ENUM, [cls.__qualname__, value.name])

    def _dataclass(self, value: Any) -> object:
        cls = type(value)
        _check_dataclass(value)
        self._meet(cls)
        self._enter(value)
        lowered = []
        for field in dataclasses.fields(value):
            try:
                lowered.append(self.lower(_get_field(value, field.name)))
            except NotSendable as fault:
                raise fault.inside(f".{field.name}")
        self._open.discard(id(value))
        return _extension(EXT_DATACLASS, [cls.__qualname__, lowered])

    def _meet(self, cls: type) -> None:
        if self.classes.setdefault(cls.__qualname__, cls) is not cls:
            raise NotSendable(f"of one of two classes that are both named {cls.__qualname__}")


_UNCHANGED = {type(None), bool, float, bytes}

_RULES: dict[type, Callable[[Encoder, Any], object]] = {
    type(None): Encoder._same,
    bool: Encoder._same,
    float: Encoder._same,
    bytes: Encoder._same,
    int: Encoder._int,
    str: Encoder._str,
    list: Encoder._list,
    tuple: Encoder._tuple,
    dict: Encoder._dict,
    set: Encoder._set,
    frozenset: Encoder._frozenset,
}


def _pack(lowered: object) -> bytes:
    try:
        data: bytes = msgpack.packb(lowered, use_bin_type=True, strict_types=True)
    except (ValueError, OverflowError, MemoryError):
        raise NotSendable(f"too long for the wire, whose limit is {MAX_BYTES} bytes") from None
    return data


def _extension(code: int, body: list[object]) -> object:
    return msgpack.ExtType(code, _pack(body))


def _get_field(value: object, name: str) -> object:
    try:
        return getattr(value, name)
    except AttributeError:
        raise NotSendable("a field that has no value") from None


def _check_dataclass(value: object) -> None:
    """Refuse what would arrive as something else than it was."""
    cls = type(value)
    if "__dataclass_fields__" not in cls.__dict__:
        raise NotSendable(f"a {cls.__qualname__}, a subclass of a dataclass that is none itself")
    for base in cls.__mro__[:-1]:
        if not base.__flags__ & _HEAP_TYPE:
            raise NotSendable(f"a {cls.__qualname__}, a dataclass built on {base.__name__}")
    extra = set(getattr(value, "__dict__", ())) - {f.name for f in dataclasses.fields(cls)}
    if extra:
        raise NotSendable(
            f"a {cls.__qualname__} with the attribute `{min(extra)}`, which is not a field"
        )


def _describe(value: object) -> str:
    """Why a value of a type without a rule cannot travel."""
    cls = type(value)
    if isinstance(value, type):
        return f"the class {value.__qualname__}"
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
        return f"the function {value.__qualname__}"
    for base in _RULES:
        if isinstance(value, base):
            name = base.__name__
            return f"a {cls.__qualname__}, a subclass of {name}; only {name} travels"
    return f"a {cls.__qualname__}, which has no form on the wire"
