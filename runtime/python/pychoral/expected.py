"""From a type to the reader of its values, and the readers that need that: classes, unions.

`reader_of` takes what an annotation may be: a class or a typing form (`list[int]`, `str | None`,
`Literal["a"]`, an enum, a dataclass, `numpy.ndarray` ...).  Enums and dataclasses are those that
the type mentions, and dataclasses derived from them; where it says only `object` or `Any`, those of
the program's table.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from . import arrays, readers, records
from .decode import Reading, too_deep
from .errors import WireError, key_step
from .forms import MAX_DEPTH, ClassMark, class_mark, write_uints
from .readers import ALL_KINDS, Reader, describe, kind_of, numbers_of
from .typetable import TypeTable


class Enum(Reader):
    """A member of one enum."""

    kinds = frozenset(["enum"])

    def __init__(self, cls: type[enum.Enum]) -> None:
        self.cls = cls
        self.name = cls.__qualname__

    def may_be(self, raw: Any, cx: Reading) -> bool:
        return type(cx.decoder.member_of(raw.data, (self.cls,))) is self.cls

    def read(self, raw: Any, cx: Reading) -> Any:
        if kind_of(raw) != "enum":
            raise self.refuse(raw, cx)
        member = cx.decoder.member_of(raw.data, (self.cls,))
        if type(member) is not self.cls:
            raise self.refuse(raw, cx)
        return member

    def refuse(self, raw: Any, cx: Reading) -> WireError:
        if kind_of(raw) == "enum":
            number = numbers_of(raw.data, 2, "member")[0]
            if cx.decoder.class_of(write_uints(number), (self.cls,)) is self.cls:
                return WireError(self.name, "a number that stands for no member of it")
        return super().refuse(raw, cx)


class Dataclass(Reader):
    """An instance of one dataclass, or of a dataclass derived from it."""

    kinds = frozenset(["dataclass"])

    def __init__(self, cls: type, arguments: tuple[Any, ...]) -> None:
        self.cls = cls
        self.arguments = arguments
        self.name = _applied(cls.__qualname__, arguments)
        self._plans: dict[type, _Plan] = {}

    def may_be(self, raw: Any, cx: Reading) -> bool:
        return self._class(raw, cx) is not None

    def _class(self, raw: Any, cx: Reading) -> type | None:
        """The class that came, if it is right."""
        cls: Any = cx.decoder.class_of(raw[0].data, _family(self.cls))
        right = cls is not None and issubclass(cls, self.cls) and _is_sendable(cls)
        return cls if right else None

    def read(self, raw: Any, cx: Reading) -> Any:
        plan = None
        if type(raw) is tuple and raw and type(raw[0]) is ClassMark and cx.annotated:
            plan = self._plans.get(raw[0].cls)
        length, build, _ = plan or self._plan(raw, cx)
        if len(raw) != length:
            raise WireError(f"the {length - 1} fields of {self.name}", f"{len(raw) - 1}")
        cx.depth += 1
        if cx.depth > MAX_DEPTH:
            raise too_deep()
        value = build(raw, cx)
        cx.depth -= 1
        return value

    def read_many(self, raws: Any, cx: Reading, values: list[Any]) -> None:
        first = raws[0] if len(raws) > 1 else None
        if type(first) is not tuple or not first or type(first[0]) is not ClassMark:
            return
        plan = self._plans.get(first[0].cls)
        if plan is None or plan.build_many is None or not cx.annotated or cx.depth >= MAX_DEPTH:
            return
        cx.depth += 1
        plan.build_many(raws, first[0], cx, values)
        cx.depth -= 1

    def _plan(self, raw: Any, cx: Reading) -> _Plan:
        """How what came is built."""
        cls: Any = self._class(raw, cx) if kind_of(raw) == "dataclass" else None
        if cls is None:
            raise self.refuse(raw, cx)
        plan = _builder(cls, arguments_below(cls, self.cls, self.arguments), cx.annotated)
        if cx.annotated:
            self._plans[cls] = plan
        return plan


class _Plan(NamedTuple):
    """How instances of a class are built: `length` is that of a raw tree, with its marker."""

    length: int
    build: Callable[[Any, Reading], Any]
    build_many: Callable[[Any, Any, Reading, list[Any]], None] | None


def _is_sendable(cls: type) -> bool:
    return "__dataclass_fields__" in vars(cls)


def _family(cls: type) -> Iterator[type]:
    """`cls` and the dataclasses derived from it."""
    if _is_sendable(cls):
        yield cls
    for derived in cls.__subclasses__():
        yield from _family(derived)


@functools.lru_cache(maxsize=1024)
def _builder(cls: type, arguments: tuple[Any, ...], annotated: bool) -> _Plan:
    if annotated:
        fields = field_readers(cls, arguments)
    else:
        fields = {field.name: _OBJECT for field in dataclasses.fields(cls)}
    if not records.is_plain(cls):
        return _Plan(len(fields) + 1, functools.partial(_build, cls, fields), None)
    reads = {name: reader.read for name, reader in fields.items()}
    checks = {name: _check(each.leaves) for name, each in fields.items() if each.leaves}
    return _Plan(len(fields) + 1, *records.building(cls, reads, checks))


def short_reader(reader: Reader, table: TypeTable) -> Callable[[bytes, int], Any] | None:
    """Reads messages of one dataclass whose fields are plain values (records.reading)."""
    if type(reader) is not Dataclass or not records.is_plain(reader.cls):
        return None
    number = table.number_of(reader.cls)
    if number is None or not _is_sendable(reader.cls):
        return None
    fields = field_readers(reader.cls, reader.arguments)
    kinds = {name: each.leaves for name, each in fields.items()}
    return records.reading(reader.cls, class_mark(number, reader.cls), kinds)


def _check(leaves: frozenset[type]) -> str:
    """A test, on `{}`, whether a raw value is one of some types."""
    tests = {type(None): "{0} is None", bytes: "type({0}) is bytes and len({0}) < LARGE"}
    return " or ".join(tests.get(leaf, f"type({{0}}) is {leaf.__name__}") for leaf in leaves)


def _build(cls: type, fields: dict[str, Reader], raw: Any, cx: Reading) -> Any:
    """An instance of a class whose fields are not just what stands in a `__dict__`."""
    try:
        value: Any = object.__new__(cls)
    except TypeError:
        raise WireError("a class that can be sent", cls.__qualname__) from None
    for (field, reader), part in zip(fields.items(), raw[1:]):
        try:
            object.__setattr__(value, field, reader.read(part, cx))
        except WireError as fault:
            raise fault.inside(f".{field}")
    return value


@functools.lru_cache(maxsize=1024)
def field_readers(cls: type, arguments: tuple[Any, ...]) -> dict[str, Reader]:
    """A reader for each field, by name and in order."""
    try:
        hints = typing.get_type_hints(cls)
    except NameError as fault:
        name = cls.__qualname__
        raise TypeError(f"the field types of {name} are unknown here: {fault}") from None
    bound = _bound_in(cls, arguments)
    return {
        field.name: reader_of(
            _substitute(_of_self(hints[field.name], cls), bound[_owner(cls, field.name)])
        )
        for field in dataclasses.fields(cls)
    }


def _of_self(hint: Any, cls: Any) -> Any:
    """A field's type, with the class where it says `Self`."""
    if hint is getattr(typing, "Self", cls):
        own = getattr(cls, "__parameters__", ())
        return cls[own] if own else cls
    given, origin = typing.get_args(hint), typing.get_origin(hint)
    made = given if origin is typing.Literal else tuple(_of_self(each, cls) for each in given)
    if made == given:
        return hint
    if origin in (typing.Union, types.UnionType):
        return typing.Union[made]
    return types.GenericAlias(typing.cast(type, origin), made)


def _owner(cls: type, field: str) -> type:
    """The class that says the type of a field."""
    owners = (base for base in cls.__mro__ if field in vars(base).get("__annotations__", ()))
    return next(owners, cls)


def _bound_in(cls: type, arguments: tuple[Any, ...]) -> dict[type, dict[Any, Any]]:
    """What the type parameters of a class and of its bases stand for."""
    bound = dict(zip(getattr(cls, "__parameters__", ()), arguments))
    found = {cls: bound}
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        origin: Any = typing.get_origin(base) or base
        if origin is Generic or not isinstance(origin, type):
            continue
        given = tuple(_substitute(each, bound) for each in typing.get_args(base))
        for owner, known in _bound_in(origin, given).items():
            found.setdefault(owner, known)
    return found


@functools.lru_cache(maxsize=1024)
def arguments_below(cls: type, base: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The type arguments of a class that make it a `base[arguments]`; others are left open."""
    parameters = getattr(cls, "__parameters__", ())
    if cls is base or not parameters or not arguments:
        return arguments if cls is base else ()
    given = _bound_in(cls, parameters).get(base, {})
    known = {given.get(own): each for own, each in zip(base.__parameters__, arguments)}
    return tuple(known.get(parameter, parameter) for parameter in parameters)


def parts_of(reader: Any, table: TypeTable) -> list[Reader]:
    """The readers that read parts of what a reader reads, as far as they can be made."""
    try:
        return _parts_of(reader, table)
    except TypeError:  # it is never received
        return []


def _parts_of(reader: Any, table: TypeTable) -> list[Reader]:
    if isinstance(reader, Dataclass):
        family = [
            (cls, arguments_below(cls, reader.cls, reader.arguments))
            for cls in _family(reader.cls)
        ]
        return [part for each in family for part in field_readers(*each).values()]
    if isinstance(reader, Object):
        classes = [cls for cls in map(table.class_of, range(len(table))) if cls is not None]
        return [reader_of(cls) for cls in classes if dataclasses.is_dataclass(cls)]
    if isinstance(reader, TypedDict):
        return [reader.key, reader.item, *_keys_of(reader.cls).values()]
    if isinstance(reader, readers.Dict):
        return [reader.key, reader.item]
    if isinstance(reader, (readers.List, readers.VarTuple, readers.Set)):
        return [reader.item]
    if isinstance(reader, readers.Tuple):
        return list(reader.items)
    return list(reader.members) if isinstance(reader, Union) else []


def _substitute(expect: Any, bound: dict[Any, Any]) -> Any:
    """The type of a field of a generic dataclass, its parameters replaced."""
    if isinstance(expect, TypeVar):
        return bound.get(expect, expect)
    free = getattr(expect, "__parameters__", ())
    if not free or isinstance(expect, type) and not isinstance(expect, types.GenericAlias):
        return expect
    return expect[tuple(bound.get(parameter, parameter) for parameter in free)]


class Union(Reader):
    """One of several types; a type that fits as it is goes before one that converts."""

    def __init__(self, members: list[Reader]) -> None:
        # By name: unions in another order are equal to Python, so a cache may mix them up.
        self.members = sorted(members, key=lambda member: member.name)
        self.kinds = frozenset().union(*(member.kinds for member in members))
        self.leaves = frozenset().union(*(member.leaves for member in members))
        self.name = " | ".join(dict.fromkeys(member.name for member in members))

    def read(self, raw: Any, cx: Reading) -> Any:
        kind = kind_of(raw)
        fitting = [
            member for member in self.members if kind in member.kinds and member.may_be(raw, cx)
        ]
        if not fitting:
            raise self.refuse(raw, cx)
        if len(fitting) == 1:
            return fitting[0].read(raw, cx)
        most, depth = cx.convert, cx.depth
        for convert in range(most + 1):
            for member in fitting:
                if not cx.spend():
                    raise WireError(self.name, "a value with too many ways to read it")
                cx.convert = convert
                try:
                    return member.read(raw, cx)
                except WireError:
                    cx.depth = depth
                finally:
                    cx.convert = most
        raise self.refuse(raw, cx)


class Abstract(Union):
    """An abstract collection: one of the concrete ones that can stand for it."""

    def __init__(self, cls: type, arguments: tuple[Any, ...], members: list[Reader]) -> None:
        super().__init__(members)
        self.cls = cls
        name = "AbstractSet" if cls is collections.abc.Set else cls.__name__
        self.name = _applied(name, arguments)


class TypedDict(readers.Dict):
    """A dict whose known keys have types of their own; of others nothing is known."""

    cls: type

    def __init__(self, cls: type) -> None:
        super().__init__(reader_of(str), _OBJECT)
        self.cls = cls
        self.name = cls.__qualname__

    def of_key(self, key: Any) -> Reader:
        return _keys_of(self.cls).get(key, self.item)

    def read(self, raw: Any, cx: Reading) -> Any:
        plain = super().read(raw, cx)
        for key, reader in _keys_of(self.cls).items():
            if key in plain:
                try:
                    plain[key] = reader.read(raw[key], cx)
                except WireError as fault:
                    raise fault.inside(key_step(key))
        return plain


@functools.lru_cache(maxsize=1024)
def _keys_of(cls: type) -> dict[str, Reader]:
    """The readers of a TypedDict's known keys; those of `Required[T]` are T's."""
    return {key: reader_of(hint) for key, hint in typing.get_type_hints(cls).items()}


class Literal(Reader):
    """One of a few constants, compared by type and value."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values
        self.inner = _union([reader_of(cls) for cls in dict.fromkeys(map(type, values))])
        self.kinds = self.inner.kinds
        shown = ", ".join(repr(each) for each in values if each is not None)
        self.name = f"Literal[{shown or 'None'}]{' | None' if shown and None in values else ''}"

    def may_be(self, raw: Any, cx: Reading) -> bool:
        return self.inner.may_be(raw, cx)

    def read(self, raw: Any, cx: Reading) -> Any:
        if kind_of(raw) not in self.kinds:
            raise self.refuse(raw, cx)
        value = self.inner.read(raw, cx)
        if not any(type(value) is type(each) and value == each for each in self.values):
            raise WireError(self.name, "another value")
        return value


class Object(Reader):
    """Any plain value; enums and dataclasses where the program's table has them."""

    name = "object"
    kinds = ALL_KINDS
    leaves = frozenset([type(None), bool, int, float, complex, str, bytes])

    def read(self, raw: Any, cx: Reading) -> Any:
        kind = kind_of(raw)
        if kind == "enum":
            value: Any = cx.decoder.member_of(raw.data)
            if value is None:
                raise self._unknown(raw, cx)
            return value
        if kind == "dataclass":
            cls = cx.decoder.class_of(raw[0].data)
            if cls is None or not dataclasses.is_dataclass(cls):
                raise self._unknown(raw, cx)
            return reader_of(cls).read(raw, cx)
        reader = _PLAIN.get(kind)
        if reader is None:
            raise self.refuse(raw, cx)
        return reader.read(raw, cx)

    def _unknown(self, raw: Any, cx: Reading) -> WireError:
        wanted = "a class that an annotation of this role names, as the type is `object`"
        return WireError(wanted, describe(raw))


class _Deferred(Reader):
    """A named type (`type T = ...`), made when first needed as it may mention itself."""

    kinds = ALL_KINDS

    def __init__(self, alias: Any) -> None:
        self.alias = alias
        self.name = alias.__name__

    def read(self, raw: Any, cx: Reading) -> Any:
        return self.resolved().read(raw, cx)

    def resolved(self) -> Reader:
        return reader_of(self.alias.__value__).resolved()


def _frozenset(item: Reader) -> Reader:
    return readers.Set(item, frozenset)


_OBJECT = Object()
_SCALARS: dict[Any, Reader] = {
    type(None): readers.Scalar(type(None)),
    None: readers.Scalar(type(None)),
    bool: readers.Scalar(bool),
    int: readers.INT,
    float: readers.FLOAT,
    complex: readers.Complex(),
    str: readers.Scalar(str),
    getattr(typing, "LiteralString", str): readers.Scalar(str),
    bytes: readers.Bytes(),
    object: _OBJECT,
    Any: _OBJECT,
}
_PLAIN: dict[str, Reader] = {
    **{reader.name: reader for reader in _SCALARS.values() if reader is not _OBJECT},
    "list": readers.List(_OBJECT),
    "tuple": readers.VarTuple(_OBJECT),
    "dict": readers.Dict(_OBJECT, _OBJECT),
    "set": readers.Set(_OBJECT),
    "frozenset": _frozenset(_OBJECT),
    "ndarray": readers.Array(),
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


# Those of which a str is one of strs, and bytes one of ints.
_TEXT = (collections.abc.Iterable, collections.abc.Collection, collections.abc.Sequence)


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
        return Enum(cls)
    if dataclasses.is_dataclass(cls):
        return Dataclass(cls, ())
    if cls in (list, tuple, dict, set, frozenset) or cls in _ABSTRACT:
        return _collection(cls, ())
    if typing.is_typeddict(cls):
        return TypedDict(cls)
    if arrays.is_array(cls):
        return readers.Array()
    raise TypeError(f"a value of type {cls.__qualname__} cannot be received")


def _generic(expect: Any, origin: Any, arguments: tuple[Any, ...]) -> Reader:
    if origin is typing.Annotated or origin in (typing.Final, typing.ClassVar):
        return reader_of(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return _union([reader_of(argument) for argument in arguments])
    if origin is typing.Literal:
        return Literal(arguments)
    if hasattr(origin, "__value__"):
        return reader_of(origin.__value__[arguments])
    if dataclasses.is_dataclass(origin):
        return Dataclass(typing.cast(type, origin), arguments)
    if origin is tuple and not arguments and expect is not typing.Tuple:
        return readers.Tuple([])  # tuple[()]
    if origin in (list, tuple, dict, set, frozenset) or origin in _ABSTRACT:
        return _collection(origin, arguments)
    if arrays.is_array(origin):
        return _array(*arguments)
    raise TypeError(f"a value of type {expect} cannot be received")


def _array(shape: Any, dtype: Any = None) -> Reader:
    """`numpy.ndarray[shape, numpy.dtype[scalar]]`; a shape that says something is a tuple type."""
    scalar = typing.get_args(dtype)
    lengths = typing.get_args(shape) if typing.get_origin(shape) is tuple else None
    dimensions = None if lengths is None or Ellipsis in lengths else len(lengths)
    return readers.Array(scalar[0] if scalar and isinstance(scalar[0], type) else None, dimensions)


def _collection(cls: Any, arguments: tuple[Any, ...]) -> Reader:
    if cls in _ABSTRACT:
        concrete = [_collection(each, _items_of(each, arguments)) for each in _ABSTRACT[cls]]
        if cls in _TEXT and len(arguments) < 2:
            leaves = reader_of(arguments[0] if arguments else object).resolved().leaves
            texts = ((str, str), (bytes, int))
            concrete += [reader_of(text) for text, item in texts if item in leaves]
        return Abstract(cls, arguments, concrete)
    if cls is tuple:
        return _tuple(arguments)
    if cls is dict:
        key, item = arguments or (object, object)
        return readers.Dict(reader_of(key), reader_of(item))
    item = reader_of(arguments[0] if arguments else object)
    makers: dict[Any, Callable[[Reader], Reader]] = {
        list: readers.List,
        set: readers.Set,
        frozenset: _frozenset,
    }
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
        return readers.VarTuple(_OBJECT)
    if arguments == ((),):  # tuple[()] before Python 3.11
        return readers.Tuple([])
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return readers.VarTuple(reader_of(arguments[0]))
    return readers.Tuple([reader_of(argument) for argument in arguments])


def _applied(name: str, arguments: tuple[Any, ...]) -> str:
    """A generic class with its arguments, as a message shows it."""
    return f"{name}[{', '.join(map(_name_of, arguments))}]" if arguments else name


def _name_of(argument: Any) -> str:
    try:
        return reader_of(argument).name
    except TypeError:  # no field is of it
        return str(getattr(argument, "__name__", argument))


def _type_variable(variable: TypeVar) -> Reader:
    if variable.__constraints__:
        return _union([reader_of(each) for each in variable.__constraints__])
    return reader_of(variable.__bound__ if variable.__bound__ is not None else object)


def _union(members: list[Reader]) -> Reader:
    return members[0] if len(members) == 1 else Union(members)
