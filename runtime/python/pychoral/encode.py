"""Values to frames: the sending half of the wire codec (PROTOCOL.md section 5).

A value is lowered to a raw tree (forms.py), which msgpack packs in one go; most of what a value
holds needs no lowering, and is left where it is.  Only the listed types travel, and only exactly
these: of others, such as a defaultdict, reduced.py makes them first.  What was one object in two
places is written twice; a cycle is an error.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import io
import struct
import types
from collections.abc import Callable, Collection, ItemsView, Iterator, KeysView, ValuesView
from typing import Any

from . import arrays, price, records
from .errors import NotSendable, key_step
from .forms import (
    BULK,
    CHECKED_DEPTH,
    EXT_DATACLASS,
    EXT_ENUM,
    EXT_FLOATS,
    EXT_INTS,
    FROZENSET_MARK,
    LARGE,
    MAX_BYTES,
    MAX_DEPTH,
    MOST_ALIKE,
    OF_BYTES,
    SET_MARK,
    TUPLE_MARK,
    Frame,
    are_crowded,
    extension,
    frame_reference,
    member_names,
    msgpack,
    pack_number,
    total_size,
    write_uints,
)
from .plain import packer
from .typetable import TypeTable

# Turns a value of one type into its raw tree: (value, depth, frames of raw data) -> tree.
Rule = Callable[[Any, int, "list[Frame]"], object]

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement


class Encoder:
    """Writes the values of one program, whose classes are those of `table`."""

    def __init__(
        self, table: TypeTable, careful: bool = False, exact: bool = False, most: int = price.USUAL
    ) -> None:
        self._table = table
        self._most = most
        self._surely = min(MAX_BYTES, most // price.MOST_A_BYTE)  # bytes of one frame
        self._careful = careful
        self._exact = exact
        self.has_large_ints = False
        self._packers: list[Any] = []
        # Types whose values stay as they are; a str is looked at only if packing it has failed.
        text = frozenset([str] if not careful else [])
        self.leaves = frozenset([type(None), bool, int, float, complex]) | text
        self.rules = _Rules(self)

    def encode(self, value: object) -> list[Frame]:
        """The frames of `value`; raises NotSendable, which names the part that cannot travel."""
        frames: list[Frame] = []
        kind = type(value)
        # Packing may run the program's code (finalizers), so no two do it with one packer.
        try:
            packer = self._packers.pop()
        except IndexError:
            packer = msgpack.Packer(default=self._pack_number)
        try:
            tree = value if kind in self.leaves else self.rules[kind](value, 0, frames)
            data: bytes = packer.pack(tree)
        except NotSendable:
            raise
        except TooDeep:
            raise too_deep(value) from None
        except UnicodeEncodeError:
            if self._careful:
                raise
            return Encoder(self._table, True, self._exact, self._most).encode(value)
        except (ValueError, OverflowError, MemoryError):
            raise _too_long() from None
        self._packers.append(packer)
        if not frames and len(data) <= self._surely:
            return [data]
        size = len(data) + total_size(frames)
        if size > MAX_BYTES:
            raise _too_long(size)
        if size > self._surely and not price.check(tree, frames, self._most):
            raise _too_dear(self._most)
        return [data, *frames]

    def _pack_number(self, value: object) -> Any:
        self.has_large_ints |= type(value) is int
        return pack_number(value)

    def short_writer(self, value: object) -> Callable[[Any], bytes | None] | None:
        """What writes instances of a dataclass like this one, which has been encoded, if their
        fields are plain values (records.writing)."""
        cls = type(value)
        if not dataclasses.is_dataclass(cls) or not records.is_plain(cls):
            return None
        mark = extension(EXT_DATACLASS, write_uints(self._number(cls)))
        write = records.writing(cls, mark, _PACK)
        return write if write(value) is not None else None

    def rule_for(self, cls: type) -> Rule:
        """How values of a type are lowered."""
        if cls in self.leaves:
            return _as_it_is
        if cls in _RULES:
            return types.MethodType(_RULES[cls], self)
        if issubclass(cls, enum.Enum):
            if not self._exact and issubclass(cls, VALUES):
                return _set_back
            return self._enum_rule(cls)
        if dataclasses.is_dataclass(cls):
            return self._dataclass_rule(cls)
        if arrays.is_array(cls):
            return lambda value, depth, out: arrays.lower(value, out)
        if arrays.is_scalar(cls):
            return self._numpy_scalar
        return _refuse if self._exact else _set_back

    def _str(self, value: str, depth: int, out: list[Frame]) -> object:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise NotSendable("a str with a lone surrogate, which UTF-8 cannot encode") from None
        return value

    def _bytes(self, value: bytes, depth: int, out: list[Frame]) -> object:
        if len(value) < LARGE:
            return value
        return _set_apart(OF_BYTES, value, out)

    def _numpy_scalar(self, value: Any, depth: int, out: list[Frame]) -> object:
        plain = arrays.python_value(value)
        return self.rules[type(plain)](plain, depth, out)

    # --- containers ---

    def _list(self, value: list[object], depth: int, out: list[Frame]) -> object:
        kinds = set(map(type, value))
        if len(value) >= BULK and len(kinds) == 1:
            raw = _in_bulk(value, out)
            if raw is not None:
                return raw
        if kinds <= self.leaves:
            if depth >= CHECKED_DEPTH:
                _check_depth(value, depth)
            return value
        items = self._items(value, depth, out)
        if len(items) >= BULK and any(map(arrays.is_scalar, kinds)):
            if len(set(map(type, items))) == 1:
                return _in_bulk(items, out) or items
        return items

    def _items(self, value: Collection[object], depth: int, out: list[Frame]) -> list[object]:
        """The lowered items of a container."""
        if depth >= CHECKED_DEPTH:
            _check_depth(value, depth)
        leaves, rules, depth = self.leaves, self.rules, depth + 1
        lowered: list[object] = []
        try:
            for item in value:
                kind = type(item)
                lowered.append(item if kind in leaves else rules[kind](item, depth, out))
        except NotSendable as fault:
            step = f"[{len(lowered)}]" if isinstance(value, (list, tuple)) else "(an element)"
            raise fault.inside(step)
        return lowered

    def _tuple(self, value: tuple[object, ...], depth: int, out: list[Frame]) -> object:
        return (TUPLE_MARK, *self._items(value, depth, out))

    def _set(self, value: set[object], depth: int, out: list[Frame]) -> object:
        if are_crowded(value):
            raise _crowded("set")
        return (SET_MARK, *_distinct(self._items(value, depth, out), self.leaves))

    def _frozenset(self, value: frozenset[object], depth: int, out: list[Frame]) -> object:
        if are_crowded(value):
            raise _crowded("frozenset")
        return (FROZENSET_MARK, *_distinct(self._items(value, depth, out), self.leaves))

    def _dict(self, value: dict[object, object], depth: int, out: list[Frame]) -> object:
        if depth >= CHECKED_DEPTH:
            _check_depth(value, depth)
        leaves, rules, depth = self.leaves, self.rules, depth + 1
        if are_crowded(value):
            raise _crowded("dict")
        if set(map(type, value.values())) <= leaves and set(map(type, value)) <= leaves:
            return value
        lowered: dict[object, object] = {}
        for key, item in value.items():
            try:
                kind = type(key)
                raw = key if kind in leaves else _hashable(rules[kind](key, depth, out))
                kind = type(item)
                lowered[raw] = item if kind in leaves else rules[kind](item, depth, out)
            except NotSendable as fault:
                raise fault.inside(key_step(key))
        if len(lowered) != len(value):
            raise NotSendable("a dict with two keys that have the same encoding")
        return lowered

    # --- the program's classes ---

    def _number(self, cls: type) -> int:
        number = self._table.number_of(cls)
        if number is None:
            raise NotSendable(
                f"{with_article(cls.__qualname__)}, a class that this program cannot send: it is "
                "made at run time, or imported and not named in annotations of both roles"
            )
        return number

    def _enum_rule(self, cls: type[enum.Enum]) -> Rule:
        number = self._number(cls)
        forms = {
            member: extension(EXT_ENUM, write_uints(number, place))
            for place, member in enumerate(member_names(cls))
        }

        def lower(value: enum.Enum, depth: int, out: list[Frame]) -> object:
            form = forms.get(value._name_)
            if form is None:
                raise NotSendable(
                    f"{value!r}, a combination that is not a member of {cls.__qualname__}"
                )
            return form

        return lower

    def _dataclass_rule(self, cls: type) -> Rule:
        _check_dataclass(cls)
        mark = extension(EXT_DATACLASS, write_uints(self._number(cls)))
        names = tuple(field.name for field in dataclasses.fields(cls))
        known = known_attributes(cls)

        def lower(value: Any, depth: int, out: list[Frame]) -> object:
            check_attributes(value, known)
            if depth >= CHECKED_DEPTH:
                _check_depth(value, depth)
            lowered = [mark]
            for name in names:
                try:
                    part = _get_field(value, name)
                    lowered.append(self.rules[type(part)](part, depth + 1, out))
                except NotSendable as fault:
                    raise fault.inside(f".{name}")
            return tuple(lowered)

        if not records.is_plain(cls):
            return lower
        rule: Rule = records.lowering(cls)(mark, self.leaves, self.rules, lower)
        return rule


_PACK = packer()


class _Rules(dict[type, Rule]):
    """The rule of each type, made when a value of it is first met."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self._encoder = encoder

    def __missing__(self, cls: type) -> Rule:
        rule = self._encoder.rule_for(cls)
        self[cls] = rule
        return rule


_RULES: dict[type, Callable[[Encoder, Any, int, list[Frame]], object]] = {
    bytes: Encoder._bytes,
    str: Encoder._str,
    list: Encoder._list,
    tuple: Encoder._tuple,
    dict: Encoder._dict,
    set: Encoder._set,
    frozenset: Encoder._frozenset,
}
# What an enum's members may be as well.
VALUES = (int, float, complex, str, bytes, tuple)


def _as_it_is(value: object, depth: int, out: list[Frame]) -> object:
    return value


def _in_bulk(items: list[Any], out: list[Frame]) -> object:
    """The raw form of a list of ints or of floats only; None if it has none."""
    kind = type(items[0])
    if kind is int:
        code, letter = EXT_INTS, "q"
    elif kind is float:
        code, letter = EXT_FLOATS, "d"
    else:
        return None
    try:
        data = struct.pack(f"<{len(items)}{letter}", *items)
    except (struct.error, TypeError):  # beyond 64 bits; a mixed list that numpy's scalars left
        return None
    return extension(code, data) if len(data) < LARGE else _set_apart(code, data, out)


def _set_apart(what: int, data: bytes, out: list[Frame]) -> object:
    out.append(data)
    return frame_reference(what, len(out) - 1)


def _hashable(raw: Any) -> Any:
    """A raw key, whose lists may as well be tuples."""
    if type(raw) is dict:
        raise NotSendable("a key that contains a dict")
    return tuple(map(_hashable, raw)) if type(raw) in (list, tuple) else raw


def _distinct(items: list[object], leaves: frozenset[type]) -> list[object]:
    """The elements of a set; two that a program holds for different may look alike."""
    if not leaves.issuperset(map(type, items)):
        if len(set(map(_hashable, items))) != len(items):
            raise NotSendable("a set with two elements that have the same encoding")
    return items


# --- what cannot be sent --------------------------------------------------------------------------


class TooDeep(Exception):
    """A value is nested too deeply, or contains itself."""


def _check_depth(value: object, depth: int) -> None:
    if depth >= MAX_DEPTH or depth == CHECKED_DEPTH and _find_cycle(value, set()):
        raise TooDeep


def too_deep(value: object) -> NotSendable:
    """Why: it contains itself, or is that deep."""
    return _find_cycle(value, set()) or NotSendable(f"nested deeper than {MAX_DEPTH} levels")


def _find_cycle(value: Any, around: set[int]) -> NotSendable | None:
    """Where a value contains itself.

    around   the containers that are open
    """
    if id(value) in around:
        return NotSendable("a reference back to a value that contains it (a cycle)")
    if len(around) > MAX_DEPTH:
        return None
    parts = list(_parts(value))
    around.add(id(value))
    for step, part in parts:
        found = _find_cycle(part, around)
        if found:
            return found.inside(step)
    around.discard(id(value))
    return None


def _parts(value: Any) -> Collection[tuple[str, Any]]:
    """What may contain containers, and the step to it."""
    cls = type(value)
    if isinstance(value, (list, tuple, collections.deque)):
        return [(f"[{n}]", part) for n, part in enumerate(value) if type(part) not in _FLAT]
    if isinstance(value, (set, frozenset)):
        return [("(an element)", part) for part in value]
    if isinstance(value, dict):
        return [(key_step(key), part) for key, item in value.items() for part in (key, item)]
    if dataclasses.is_dataclass(cls):
        names = [field.name for field in dataclasses.fields(cls)]
        return [(f".{name}", getattr(value, name)) for name in names if hasattr(value, name)]
    return []


_FLAT = frozenset([type(None), bool, int, float, str, bytes, complex])


def _crowded(kind: str) -> NotSendable:
    parts = "keys" if kind == "dict" else "elements"
    return NotSendable(f"a {kind} with more than {MOST_ALIKE} {parts} whose hashes collide")


def _too_long(size: int | None = None) -> NotSendable:
    if size is None:
        return NotSendable(
            f"too long to encode: the limit is {MAX_BYTES} bytes; send it in parts"
        )
    text = f"{size} bytes long when encoded, over the limit of {MAX_BYTES}; send it in parts"
    return NotSendable(text)


def _too_dear(most: int) -> NotSendable:
    return NotSendable(
        f"too large: more than {most} bytes in memory (--max-decoded); send it in parts"
    )


def _get_field(value: object, name: str) -> object:
    try:
        return getattr(value, name)
    except AttributeError:
        raise NotSendable("a field that has no value") from None


def _check_dataclass(cls: type) -> None:
    """Refuse a class whose instances would arrive as something else than they were."""
    if "__dataclass_fields__" not in cls.__dict__:
        raise NotSendable(f"{with_article(cls.__qualname__)}, a subclass of a dataclass that is "
                          "not a dataclass itself")
    for base in cls.__mro__[:-1]:
        if not base.__flags__ & _HEAP_TYPE:
            name = with_article(cls.__qualname__)
            raise NotSendable(f"{name}, a dataclass derived from {base.__name__}")


@functools.cache
def known_attributes(cls: Any) -> frozenset[str]:
    """Those that an instance of a dataclass may have: its fields, and what `Box[int](..)` adds."""
    return frozenset([*(field.name for field in dataclasses.fields(cls)), "__orig_class__"])


def check_attributes(value: Any, known: frozenset[str]) -> None:
    """Refuse an instance of a dataclass with attributes that are no fields."""
    extra = set(getattr(value, "__dict__", ())) - known
    if extra:
        name = with_article(type(value).__qualname__)
        raise NotSendable(f"{name} with the attribute `{min(extra)}`, which is not a field")


class Irregular(Exception):
    """Something that is none of the listed types: what it travels as, its wire type says."""


def _set_back(value: Any, depth: int, out: list[Frame]) -> object:
    raise Irregular


def _refuse(value: Any, depth: int, out: list[Frame]) -> object:
    raise NotSendable(describe(value))


def with_article(name: str) -> str:
    """`name` after "a" or "an"."""
    return f"an {name}" if name.startswith(tuple("AEIOaeio")) else f"a {name}"


FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType,
             types.MethodDescriptorType)


_ITERABLES = (range, KeysView, ValuesView, ItemsView, collections.deque)


def describe(value: Any) -> str:
    """Why a value of a type without a rule cannot travel."""
    cls = type(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, FUNCTIONS):
        return f"the function {value.__name__}"
    is_file = isinstance(value, io.IOBase)  # also an iterator, of lines
    kind = "iterator" if isinstance(value, Iterator) and not is_file else cls.__qualname__
    has_items = kind == "iterator" or isinstance(value, _ITERABLES)
    advice = "; send a list made of it" if has_items else ""
    return f"{with_article(kind)}, which cannot be encoded{advice}"
