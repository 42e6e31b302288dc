"""Bytes to values: the receiving half of the wire codec.

MessagePack is unpacked into a raw tree (extension types stay as they came), and a *reader* made
from the expected type checks the tree and builds the program's value from it.  The peer chooses
nothing: readers know the classes they may build, an object is built from its fields without a call
of `__init__`, and all limits are checked before memory is taken.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from .encode import (
    EXT_DATACLASS,
    EXT_ENUM,
    EXT_FROZENSET,
    EXT_INT,
    EXT_SET,
    EXT_TUPLE,
    MAX_BYTES,
    MAX_DEPTH,
)
from .errors import WireError

try:
    import msgpack  # type: ignore[import]
except ImportError:  # said in one line by whoever starts a program (options.require_packages)
    msgpack = None

# Up to here a nest of headers that claim more than there is costs a few megabytes at most.
_UNCHECKED_BYTES = 4096


# --- the raw tree ---------------------------------------------------------------------------------


class RawMap(list[tuple[Any, Any]]):
    """A map as it came: the pairs in order, keys neither hashed nor compared."""


def decode_raw(data: bytes) -> Any:
    """The raw tree of one MessagePack value that is exactly `data`."""
    if len(data) > MAX_BYTES:
        raise WireError("a message within the size limit", f"one of {len(data)} bytes")
    try:
        if len(data) > _UNCHECKED_BYTES:
            _check_claims(data)
        return msgpack.unpackb(
            data, raw=False, strict_map_key=False, object_pairs_hook=RawMap, use_list=True
        )
    except (ValueError, OverflowError, RecursionError, msgpack.UnpackException) as fault:
        reason = str(fault) or type(fault).__name__
        raise WireError("a value", f"something unreadable ({reason})") from None


def _check_claims(data: bytes) -> None:
    """Walk the bytes without building anything, so that every count is known to be backed."""
    walker = msgpack.Unpacker(max_buffer_size=len(data))
    walker.feed(data)
    walker.skip()


_KIND_OF_TYPE: dict[type, str] = {
    type(None): "None",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    bytes: "bytes",
    list: "list",
    RawMap: "dict",
}
_KIND_OF_EXT = {
    EXT_INT: "int",
    EXT_TUPLE: "tuple",
    EXT_ENUM: "enum",
    EXT_DATACLASS: "dataclass",
    EXT_SET: "set",
    EXT_FROZENSET: "frozenset",
}


def _kind(raw: Any) -> str:
    """Which kind of value a raw tree holds; "" for what no encoder writes."""
    kind = _KIND_OF_TYPE.get(type(raw), "")
    if not kind and type(raw) is msgpack.ExtType:
        return _KIND_OF_EXT.get(raw.code, "")
    return kind


def _body(raw: Any) -> list[Any]:
    """The array inside an extension value."""
    body = decode_raw(raw.data)
    if type(body) is not list:
        raise WireError("an array", "something else")
    return body


def _named_body(raw: Any) -> tuple[str, Any]:
    """The type name and the rest of an enum or dataclass."""
    body = _body(raw)
    if len(body) != 2 or type(body[0]) is not str:
        raise WireError("a type name and its content", "something else")
    return body[0], body[1]


def _describe(raw: Any) -> str:
    """What came, for a message; names from a peer are shown quoted."""
    kind = _kind(raw)
    if kind in ("enum", "dataclass"):
        name, _ = _named_body(raw)
        return f"{kind} {name[:100]!r}"
    return kind or "something that is no value"


# --- reading --------------------------------------------------------------------------------------


class Reading:
    """The state of one decode: depth, effort left for ambiguous unions, classes for `object`."""

    def __init__(
        self,
        size: int,
        classes: Mapping[str, type] | None = None,
        find: Callable[[str], type | None] | None = None,
    ) -> None:
        self.depth = 0
        self.tries = 1000 + 4 * size
        self.convert = True
        self.classes = classes
        self._find = find

    def class_named(self, name: str) -> type | None:
        """The class that `object` may stand for."""
        if self.classes is not None:
            return self.classes.get(name)
        return self._find(name) if self._find is not None else None

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise WireError(f"at most {MAX_DEPTH} nested levels", "a deeper value")

    def leave(self) -> None:
        self.depth -= 1


class Reader:
    """Checks raw trees against one expected type.

    name   the type as messages show it
    kinds  the kinds of raw trees that can be right
    """

    name: str
    kinds: frozenset[str]

    def read(self, raw: Any, cx: Reading) -> Any:
        """The value of `raw`; raises WireError if it is not of the type."""
        raise NotImplementedError

    def refuse(self, raw: Any) -> WireError:
        return WireError(self.name, _describe(raw))


class _Scalar(Reader):
    """None, bool, str or bytes; float and int have further forms below."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.name = "None" if cls is type(None) else cls.__name__
        self.kinds = frozenset([self.name])

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is not self.cls:
            raise self.refuse(raw)
        return raw


class _Int(Reader):
    """An int, or a bool, which is one in Python and stays what it is."""

    name = "int"
    kinds = frozenset(["int", "bool"])

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is int or type(raw) is bool:
            return raw
        if _kind(raw) != "int":
            raise self.refuse(raw)
        value = int.from_bytes(raw.data, "big", signed=True)
        if -(1 << 63) <= value < 1 << 64 or len(raw.data) != _int_size(value):
            raise WireError("int", "an int in a longer form than it needs")
        return value


def _int_size(value: int) -> int:
    return ((value if value > 0 else ~value).bit_length() + 8) // 8


class _Float(Reader):
    """A float; an int or a bool is converted, as Python's typing lets it stand for a float."""

    name = "float"
    kinds = frozenset(["float", "int", "bool"])

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is float:
            return raw
        if not cx.convert or _kind(raw) not in self.kinds:
            raise self.refuse(raw)
        try:
            return float(_INT.read(raw, cx))
        except OverflowError:
            raise WireError("float", "an int too large for one") from None


class _Items(Reader):
    """What lists, sets and variadic tuples have in common: items of one type."""

    kind: str
    build: Any

    def __init__(self, item: Reader) -> None:
        self.item = item
        self.kinds = frozenset([self.kind])
        self.name = f"{self.kind}[{item.name}]"

    def raws(self, raw: Any) -> list[Any]:
        if _kind(raw) != self.kind:
            raise self.refuse(raw)
        return raw if type(raw) is list else _body(raw)

    def read(self, raw: Any, cx: Reading) -> Any:
        raws = self.raws(raw)
        cx.enter()
        if isinstance(self.item, _Scalar) and set(map(type, raws)) <= {self.item.cls}:
            values = raws
        else:
            values = _read_items(self.item, raws, cx)
        cx.leave()
        return self.build(values)


class _List(_Items):
    kind = "list"
    build: Any = list


class _VarTuple(_Items):
    kind = "tuple"
    build: Any = tuple

    def __init__(self, item: Reader) -> None:
        super().__init__(item)
        self.name = f"tuple[{item.name}, ...]"


class _Set(_Items):
    kind = "set"
    build: Any = set

    def read(self, raw: Any, cx: Reading) -> Any:
        try:
            value = super().read(raw, cx)
        except TypeError:
            raise WireError(self.name, "one with an element that cannot be in a set") from None
        if len(value) != len(self.raws(raw)):
            raise WireError(self.name, "one with an element twice")
        return value


class _FrozenSet(_Set):
    kind = "frozenset"
    build: Any = frozenset


def _read_items(item: Reader, raws: list[Any], cx: Reading) -> list[Any]:
    values: list[Any] = []
    try:
        for raw in raws:
            values.append(item.read(raw, cx))
    except WireError as fault:
        raise fault.inside(f"[{len(values)}]")
    return values


class _Tuple(Reader):
    """A tuple with a type for each place."""

    kinds = frozenset(["tuple"])

    def __init__(self, items: list[Reader]) -> None:
        self.items = items
        self.name = f"tuple[{', '.join(item.name for item in items) or '()'}]"

    def read(self, raw: Any, cx: Reading) -> Any:
        if _kind(raw) != "tuple":
            raise self.refuse(raw)
        raws = _body(raw)
        if len(raws) != len(self.items):
            raise WireError(self.name, f"a tuple of {len(raws)}")
        cx.enter()
        values = []
        for item, part in zip(self.items, raws):
            try:
                values.append(item.read(part, cx))
            except WireError as fault:
                raise fault.inside(f"[{len(values)}]")
        cx.leave()
        return tuple(values)


class _Dict(Reader):
    kinds = frozenset(["dict"])

    def __init__(self, key: Reader, item: Reader) -> None:
        self.key = key
        self.item = item
        self.name = f"dict[{key.name}, {item.name}]"

    def read(self, raw: Any, cx: Reading) -> Any:
        if type(raw) is not RawMap:
            raise self.refuse(raw)
        cx.enter()
        value: dict[Any, Any] = {}
        for raw_key, raw_item in raw:
            key = self._key(raw_key, cx)
            try:
                known = key in value
            except TypeError:
                raise WireError(self.name, "one with a key that cannot be one") from None
            if known:
                raise WireError(self.name, "one with a key twice")
            try:
                value[key] = self.item.read(raw_item, cx)
            except WireError as fault:
                raise fault.inside(f"[{key!r:.100}]")
        cx.leave()
        return value

    def _key(self, raw: Any, cx: Reading) -> Any:
        try:
            return self.key.read(raw, cx)
        except WireError as fault:
            raise fault.inside("{key}")


class _Enum(Reader):
    """A member of one enum, by its name; an alias is no name."""

    kinds = frozenset(["enum"])

    def __init__(self, cls: type[enum.Enum]) -> None:
        self.cls = cls
        self.name = cls.__qualname__

    def read(self, raw: Any, cx: Reading) -> Any:
        if _kind(raw) != "enum":
            raise self.refuse(raw)
        name, member = _named_body(raw)
        if name != self.cls.__qualname__:
            raise self.refuse(raw)
        value = self.cls.__members__.get(member) if type(member) is str else None
        if value is None or value.name != member:
            raise WireError(self.name, f"{member!r:.100}, which is no member of it")
        return value


class _Dataclass(Reader):
    """An instance of one dataclass, or of a dataclass derived from it."""

    kinds = frozenset(["dataclass"])

    def __init__(self, cls: type, arguments: tuple[Any, ...]) -> None:
        self.cls = cls
        self.arguments = arguments
        self.name = cls.__qualname__

    def read(self, raw: Any, cx: Reading) -> Any:
        if _kind(raw) != "dataclass":
            raise self.refuse(raw)
        name, raws = _named_body(raw)
        for cls in _family(self.cls):
            if cls.__qualname__ == name:
                return self._build(cls, raws, cx)
        raise self.refuse(raw)

    def _build(self, cls: type, raws: Any, cx: Reading) -> Any:
        if cx.classes is None:
            fields = _field_readers(cls, self.arguments if cls is self.cls else ())
        else:
            fields = {field.name: _OBJECT for field in dataclasses.fields(cls)}
        if type(raws) is not list or len(raws) != len(fields):
            raise WireError(f"the {len(fields)} fields of {cls.__qualname__}", "something else")
        cx.enter()
        try:
            value: Any = object.__new__(cls)
        except TypeError:
            raise WireError("a class that can be sent", cls.__qualname__) from None
        for (field, reader), part in zip(fields.items(), raws):
            try:
                object.__setattr__(value, field, reader.read(part, cx))
            except WireError as fault:
                raise fault.inside(f".{field}")
        cx.leave()
        return value


def _family(cls: type) -> Iterator[type]:
    """`cls` and the dataclasses derived from it."""
    if "__dataclass_fields__" in cls.__dict__:
        yield cls
    for derived in cls.__subclasses__():
        yield from _family(derived)


@functools.lru_cache(maxsize=1024)
def _field_readers(cls: type, arguments: tuple[Any, ...]) -> dict[str, Reader]:
    """A reader for each field, by name and in order."""
    try:
        hints = typing.get_type_hints(cls)
    except NameError as fault:
        name = cls.__qualname__
        raise TypeError(f"the field types of {name} are unknown here: {fault}") from None
    bound = dict(zip(getattr(cls, "__parameters__", ()), arguments))
    return {
        field.name: reader_of(_substitute(hints[field.name], bound))
        for field in dataclasses.fields(cls)
    }


def _substitute(expect: Any, bound: dict[Any, Any]) -> Any:
    """The type of a field of a generic dataclass, its parameters replaced."""
    if isinstance(expect, TypeVar):
        return bound.get(expect, expect)
    free = getattr(expect, "__parameters__", ())
    if not free or isinstance(expect, type) and not isinstance(expect, types.GenericAlias):
        return expect
    return expect[tuple(bound.get(parameter, parameter) for parameter in free)]


class _Union(Reader):
    """One of several types; a type that fits as it is goes before one that converts."""

    def __init__(self, members: list[Reader]) -> None:
        self.members = members
        self.kinds = frozenset().union(*(member.kinds for member in members))
        self.name = " | ".join(dict.fromkeys(member.name for member in members))

    def read(self, raw: Any, cx: Reading) -> Any:
        kind = _kind(raw)
        fitting = [member for member in self.members if kind in member.kinds]
        if not fitting:
            raise self.refuse(raw)
        if len(fitting) == 1:
            return fitting[0].read(raw, cx)
        convert, depth = cx.convert, cx.depth
        for cx.convert in (False, True) if convert else (False,):
            for member in fitting:
                self._spend(cx)
                try:
                    return member.read(raw, cx)
                except WireError:
                    cx.depth = depth
                finally:
                    cx.convert = convert
        raise self.refuse(raw)

    def _spend(self, cx: Reading) -> None:
        cx.tries -= 1
        if cx.tries < 0:
            raise WireError(self.name, "a value with too many ways to read it")


class _Literal(Reader):
    """One of a few constants, compared by type and value."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values
        self.inner = _union([reader_of(cls) for cls in dict.fromkeys(map(type, values))])
        self.kinds = self.inner.kinds
        self.name = f"Literal[{', '.join(map(repr, values))}]"

    def read(self, raw: Any, cx: Reading) -> Any:
        value = self.inner.read(raw, cx)
        if not any(type(value) is type(each) and value == each for each in self.values):
            raise WireError(self.name, "another value")
        return value


class _Object(Reader):
    """Any plain value; enums and dataclasses only where the reading knows their classes."""

    name = "object"
    kinds = frozenset([*_KIND_OF_TYPE.values(), *_KIND_OF_EXT.values()])

    def read(self, raw: Any, cx: Reading) -> Any:
        kind = _kind(raw)
        if kind in ("enum", "dataclass"):
            return self._known(raw, cx)
        reader = _PLAIN.get(kind)
        if reader is None:
            raise self.refuse(raw)
        return reader.read(raw, cx)

    def _known(self, raw: Any, cx: Reading) -> Any:
        name, _ = _named_body(raw)
        cls = cx.class_named(name)
        if cls is None:
            raise WireError("a class of this program, as the type is `object`", _describe(raw))
        return reader_of(cls).read(raw, cx)


class _Deferred(Reader):
    """A named type (`type T = ...`), made when first needed as it may mention itself."""

    def __init__(self, alias: Any) -> None:
        self.alias = alias
        self.name = alias.__name__
        self.kinds = _Object.kinds

    def read(self, raw: Any, cx: Reading) -> Any:
        return reader_of(self.alias.__value__).read(raw, cx)


_INT = _Int()
_OBJECT = _Object()
_SCALARS: dict[Any, Reader] = {
    type(None): _Scalar(type(None)),
    None: _Scalar(type(None)),
    bool: _Scalar(bool),
    int: _INT,
    float: _Float(),
    str: _Scalar(str),
    bytes: _Scalar(bytes),
    object: _OBJECT,
    Any: _OBJECT,
}
_PLAIN: dict[str, Reader] = {
    **{reader.name: reader for reader in _SCALARS.values()},
    "list": _List(_OBJECT),
    "tuple": _VarTuple(_OBJECT),
    "dict": _Dict(_OBJECT, _OBJECT),
    "set": _Set(_OBJECT),
    "frozenset": _FrozenSet(_OBJECT),
}
# Abstract collections: which concrete ones can stand for them.
_ABSTRACT: dict[Any, tuple[type, ...]] = {
    collections.abc.Iterable: (list, tuple, dict, set, frozenset),
    collections.abc.Collection: (list, tuple, dict, set, frozenset),
    collections.abc.Sequence: (list, tuple),
    collections.abc.MutableSequence: (list,),
    collections.abc.Mapping: (dict,),
    collections.abc.MutableMapping: (dict,),
    collections.abc.Set: (set, frozenset),
    collections.abc.MutableSet: (set,),
}


# --- from a type to its reader --------------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def reader_of(expect: Any) -> Reader:
    """The reader of a class or typing form; raises TypeError for what cannot be received."""
    if expect in _SCALARS:
        return _SCALARS[expect]
    origin = typing.get_origin(expect)
    if origin is not None:
        return _generic(expect, origin, typing.get_args(expect))
    if isinstance(expect, TypeVar):
        return _type_variable(expect)
    if hasattr(expect, "__supertype__"):
        return reader_of(expect.__supertype__)
    if hasattr(expect, "__value__"):
        return _Deferred(expect)
    if isinstance(expect, type):
        return _class(expect)
    raise TypeError(f"a value of type {expect!r} cannot be received")


def _class(cls: type) -> Reader:
    if issubclass(cls, enum.Enum):
        return _Enum(cls)
    if dataclasses.is_dataclass(cls):
        return _Dataclass(cls, ())
    if cls in (list, tuple, dict, set, frozenset) or cls in _ABSTRACT:
        return _collection(cls, ())
    raise TypeError(f"a value of type {cls.__qualname__} cannot be received")


def _generic(expect: Any, origin: Any, arguments: tuple[Any, ...]) -> Reader:
    if origin is typing.Annotated or origin in (typing.Final, typing.ClassVar):
        return reader_of(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return _union([reader_of(argument) for argument in arguments])
    if origin is typing.Literal:
        return _Literal(arguments)
    if hasattr(origin, "__value__"):
        return reader_of(origin.__value__[arguments])
    if dataclasses.is_dataclass(origin):
        return _Dataclass(typing.cast(type, origin), arguments)
    if origin in (list, tuple, dict, set, frozenset) or origin in _ABSTRACT:
        return _collection(origin, arguments)
    raise TypeError(f"a value of type {expect} cannot be received")


def _collection(cls: Any, arguments: tuple[Any, ...]) -> Reader:
    if cls in _ABSTRACT:
        concrete = [_collection(each, _items_of(each, arguments)) for each in _ABSTRACT[cls]]
        return _union(concrete)
    if cls is tuple:
        return _tuple(arguments)
    if cls is dict:
        key, item = arguments or (object, object)
        return _Dict(reader_of(key), reader_of(item))
    item = reader_of(arguments[0] if arguments else object)
    makers = {list: _List, set: _Set, frozenset: _FrozenSet}
    return makers[cls](item)


def _items_of(cls: type, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a concrete collection that stands for an abstract one."""
    if not arguments or len(arguments) == 2:
        return arguments
    if cls is tuple:
        return (arguments[0], ...)
    return (arguments[0], object) if cls is dict else arguments


def _tuple(arguments: tuple[Any, ...]) -> Reader:
    if not arguments:
        return _VarTuple(_OBJECT)
    if arguments == ((),):  # tuple[()] before Python 3.11
        return _Tuple([])
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return _VarTuple(reader_of(arguments[0]))
    return _Tuple([reader_of(argument) for argument in arguments])


def _type_variable(variable: TypeVar) -> Reader:
    if variable.__constraints__:
        return _union([reader_of(each) for each in variable.__constraints__])
    return reader_of(variable.__bound__ if variable.__bound__ is not None else object)


def _union(members: list[Reader]) -> Reader:
    return members[0] if len(members) == 1 else _Union(members)
