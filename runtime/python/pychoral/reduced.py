"""What a value is sent as: subclasses of builtins and abstract collections (PROTOCOL.md 5.6).

The codec writes exactly the listed types.  A value with anything else in it comes here, with the
reader of its wire type, and leaves as the value of listed types that travels for it: a Counter as a
dict, a member of an IntEnum under `int` as an int, a range under `Sequence[int]` as a list.  What
stands for nothing is NotSendable.  The value itself is never changed.
"""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import enum
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import arrays, expected, readers
from .encode import (
    TooDeep,
    check_attributes,
    describe,
    known_attributes,
    too_deep,
    with_article,
)
from .errors import NotSendable, key_step
from .forms import MAX_DEPTH
from .readers import Reader
from .typetable import TypeTable

# The value of a builtin that an instance of it, or of a subclass, is; no code of the subclass runs.
_EXACT: dict[type, Callable[[Any], Any]] = {
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes(memoryview(value)),
    bytearray: lambda value: bytes(memoryview(value)),
}
_CONTAINERS = (list, tuple, dict, set, frozenset)
_AS_THEY_ARE = frozenset([type(None), bool, int, float, complex, str, bytes])
_CONVERTED: dict[type, tuple[type, ...]] = {
    bool: (float, complex),
    int: (float, complex),
    float: (complex,),
}


def reduced(reader: Reader, value: object) -> Any:
    """What travels for `value` where `reader` is waiting; raises NotSendable."""
    try:
        return _Reducing().fit(reader, value)
    except TooDeep:
        raise too_deep(value) from None


def _classes(reader: Reader) -> tuple[type, ...]:
    """Whose instances a reader gives."""
    if isinstance(reader, (readers.Scalar, expected.Enum, expected.Dataclass)):
        return (reader.cls,)
    if isinstance(reader, expected.Literal):
        return tuple(map(type, reader.values))
    for kind, cls in _READERS:
        if isinstance(reader, kind):
            return (reader.build,) if isinstance(reader, readers.Set) else (cls,)
    return ()


_READERS: tuple[tuple[type, type], ...] = (
    (readers.List, list),
    (readers.VarTuple, tuple),
    (readers.Tuple, tuple),
    (readers.Set, set),
    (readers.Dict, dict),
)


def _members(union: expected.Union) -> Iterator[Reader]:
    for member in union.members:
        member = member.resolved()
        if isinstance(member, expected.Union) and not isinstance(member, expected.Abstract):
            yield from _members(member)
        else:
            yield member


class _Reducing:
    """One value on its way."""

    def __init__(self) -> None:
        self._depth = 0

    def fit(self, reader: Reader, value: Any) -> Any:
        reader = reader.resolved()
        if type(value) in _AS_THEY_ARE and not isinstance(reader, expected.Union):
            return value
        if isinstance(reader, expected.Abstract):
            return self._collection(reader, value)
        if isinstance(reader, expected.Union):
            return self._member(reader, value)
        for cls in _classes(reader):
            if isinstance(value, cls):
                return self._as(reader, cls, value)
            if cls is bytes and isinstance(value, bytearray):
                return _EXACT[bytearray](value)
        converted = _classes(reader)[:1]
        base = _base(type(value))
        if converted and base in _CONVERTED and converted[0] in _CONVERTED[base]:
            return _EXACT[base](value)
        return self._open(value)

    def _as(self, reader: Reader, cls: type, value: Any) -> Any:
        """An instance of a class that the reader gives."""
        if isinstance(reader, expected.Enum):
            return value
        if isinstance(reader, expected.Dataclass):
            own: Any = type(value)
            given = expected.arguments_below(own, reader.cls, reader.arguments)
            return self._dataclass(value, given)
        if cls in _EXACT:
            return _EXACT[cls](value)
        if cls not in _CONTAINERS:
            return value
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TooDeep
        made = self._container(reader, cls, value)
        self._depth -= 1
        return made

    def _container(self, reader: Any, cls: type, value: Any) -> Any:
        if cls is dict:
            return self._dict(reader, value)
        if isinstance(reader, readers.Tuple):
            parts = list(tuple.__iter__(value))
            if len(parts) != len(reader.items):  # which the receiver says
                return self._open(tuple(parts))
            return tuple(self._items(reader.items, parts, True))
        parts = list(cls.__iter__(value))  # type: ignore[attr-defined]
        made = self._items([reader.item] * len(parts), parts, cls in (list, tuple))
        if cls is list:
            return made
        whole = cls(made)
        if len(whole) != len(parts):
            raise NotSendable("a set with two elements that have the same encoding")
        return whole

    def _items(self, item: list[Reader], parts: Iterable[Any], ordered: bool) -> list[Any]:
        made: list[Any] = []
        try:
            for reader, part in zip(item, parts):
                made.append(self.fit(reader, part))
        except NotSendable as fault:
            raise fault.inside(f"[{len(made)}]" if ordered else "(an element)")
        return made

    def _dict(self, reader: Any, value: Any) -> dict[Any, Any]:
        ordered = isinstance(value, collections.OrderedDict)
        items = collections.OrderedDict.items(value) if ordered else dict.items(value)
        made: dict[Any, Any] = {}
        for key, part in items:
            try:
                made[self.fit(reader.key, key)] = self.fit(reader.of_key(key), part)
            except NotSendable as fault:
                raise fault.inside(key_step(key))
        if len(made) != len(items):
            raise NotSendable("a dict with two keys that have the same encoding")
        return made

    def _dataclass(self, value: Any, arguments: tuple[Any, ...]) -> Any:
        cls: Any = type(value)
        check_attributes(value, known_attributes(cls))
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TooDeep
        parts: dict[str, Any] = {}
        changed = False
        for name, reader in _fields(cls, arguments).items():
            if not hasattr(value, name):
                raise NotSendable("a field that has no value").inside(f".{name}")
            part = getattr(value, name)
            try:
                parts[name] = self.fit(reader, part)
            except NotSendable as fault:
                raise fault.inside(f".{name}")
            changed = changed or parts[name] is not part
        self._depth -= 1
        if not changed:
            return value
        made: Any = object.__new__(cls)
        for name, part in parts.items():
            object.__setattr__(made, name, part)
        return made

    # --- of several ---

    def _member(self, union: expected.Union, value: Any) -> Any:
        """By the member that is the value's own class, then the nearest base."""
        members = list(_members(union))
        found = _nearest(members, type(value))
        fault = None
        for member in found:
            try:
                return self.fit(member, value)
            except NotSendable as each:
                fault = fault or each
        if fault is not None:
            raise fault
        for member in members:
            if isinstance(member, expected.Abstract) and isinstance(value, member.cls):
                return self._collection(member, value)
        return self._open(value)

    def _collection(self, reader: expected.Abstract, value: Any) -> Any:
        """Under an abstract type: what is none of the concrete ones, but has a length."""
        found = _nearest(reader.members, type(value))
        if found:
            return self.fit(found[0], value)
        if not isinstance(value, collections.abc.Collection):
            return self._open(value)
        made: Any = list
        if isinstance(value, bytearray) and _nearest(reader.members, bytes):
            made = bytes
        elif isinstance(value, collections.abc.Mapping):
            made = dict
        elif issubclass(reader.cls, collections.abc.Set):
            made = set
        found = _nearest(reader.members, made)
        if not found:
            return self._open(value)
        whole = {key: value[key] for key in value} if made is dict else made(value)
        return self.fit(found[0], whole)

    def _open(self, value: Any) -> Any:
        """Where nothing is said of it, or something else than it is."""
        cls = type(value)
        if cls in _AS_THEY_ARE or isinstance(value, enum.Enum):
            return value
        if arrays.is_array(cls) or arrays.is_scalar(cls):
            return value
        if dataclasses.is_dataclass(cls):
            return self._dataclass(value, ())
        base: Any = _base(cls)
        if base is None:
            raise NotSendable(describe(value))
        if base in _EXACT:
            return _EXACT[base](value)
        return self._as(expected.reader_of(base), base, value)


def _fields(cls: type, arguments: tuple[Any, ...]) -> dict[str, Reader]:
    try:
        return expected.field_readers(cls, arguments)
    except TypeError as fault:
        name = with_article(cls.__qualname__)
        raise NotSendable(f"{name}, whose fields cannot be sent ({fault})") from None


def _base(cls: type) -> Any:
    """The builtin as which an instance travels; None: none."""
    return next((each for each in cls.__mro__ if each in _EXACT or each in _CONTAINERS), None)


def _nearest(members: Iterable[Reader], cls: type) -> list[Reader]:
    members = list(members)
    bases = [*cls.__mro__, *_CONVERTED.get(_base(cls), ())]
    if bytearray in bases:
        bases.append(bytes)
    for base in bases:
        found = [member for member in members if base in _classes(member)]
        if found:
            return found
    return []


# --- what conversion can do -----------------------------------------------------------------------


def merges_keys(reader: Reader, table: TypeTable) -> bool:
    """Whether conversion may make one of two keys or elements somewhere in a value."""
    for each in _reach(reader, table):
        keys = each.key if isinstance(each, readers.Dict) else None
        keys = each.item if isinstance(each, readers.Set) else keys
        if keys is not None and any(map(_converts, _reach(keys, table))):
            return True
    return False


def _converts(reader: Reader) -> bool:
    return isinstance(reader, (readers.Float, readers.Complex))


def _reach(reader: Reader, table: TypeTable) -> Iterator[Reader]:
    """A reader and all that it leads to."""
    seen: set[Any] = set()
    pending = [reader]
    while pending:
        each = pending.pop().resolved()
        name = (each.cls, each.arguments) if isinstance(each, expected.Dataclass) else id(each)
        if name in seen:
            continue
        seen.add(name)
        yield each
        pending += expected.parts_of(each, table)
