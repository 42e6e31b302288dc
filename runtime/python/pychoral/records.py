"""Code for each dataclass: taking an instance apart for the wire, and building one from it.

As `dataclasses` itself does, this writes a function for a class and runs its text, once a class:
straight-line code is several times as fast as a loop over fields.  Nothing of a peer's gets into
the text, and of the program's only the names of fields, which are identifiers.

Where all fields are plain values, `writing` and `reading` go straight from an instance to bytes and
back, without a raw tree (short ways, as in plain.py).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .errors import NotSendable, WireError
from .forms import CHECKED_DEPTH, LARGE, SMALL, UNREADABLE, msgpack
from .plain import LEAST, MOST, NOT_PLAIN, SIZES

_LOWERING = """
def make(mark, leaves, rules, fallback):
    def lower(value, depth, out):
        try:
            held = value.__dict__
            {loads}
        except KeyError:
            return fallback(value, depth, out)
        if len(held) != {count} or depth >= {checked}:
            return fallback(value, depth, out)
        step = ""
        try:
            {lowered}
        except NotSendable as fault:
            raise fault.inside(step)
        return ({results})
    return lower
"""

_BUILDING = """
def make({readers}):
    def build(raw, cx):
        {values} = raw
        step = ""
        try:
            {checks}
        except WireError as fault:
            raise fault.inside(step)
        made = new(cls)
        {stores}
        return made

    def build_many(raws, mark, cx, values):
        append = values.append
        for raw in raws:
            if type(raw) is not tuple or len(raw) != {length} or raw[0] is not mark:
                return
            {values} = raw
            step = ""
            try:
                {more_checks}
            except WireError as fault:
                raise fault.inside(step)
            made = new(cls)
            {more_stores}
            append(made)
    return build, build_many
"""

_WRITING = """
def make(mark, pack, leaves):
    def write(value):
        try:
            held = value.__dict__
            {loads}
            if len(held) == {count} and {tests}:
                data = pack((mark, {values}))
                if len(data) < LARGE:
                    return data
        except (KeyError, ValueError, OverflowError):
            pass
        return None
    return write
"""

_READING = """
def make(unpack):
    def read(data, at):
        if data[at : at + {size}] != {head!r}:
            return NOT_PLAIN
        body = {array!r} + data[at + {size} :]
        try:
            if len(body) > SMALL:
                return NOT_PLAIN
            {values} = unpack(body)
            {checks}
        except UNREADABLE:
            return NOT_PLAIN
        made = new(cls)
        {stores}
        return made
    return read
"""


def is_plain(cls: type) -> bool:
    """Whether the fields of an instance are just what stands in its `__dict__`.

    Not so with slots, or where a property or another descriptor has the name of a field.
    """
    if not dataclasses.is_dataclass(cls) or not _inherits(cls, "__getattribute__"):
        return False
    if any(vars(base).get("__slots__") for base in cls.__mro__[:-1]):
        return False
    return not any(
        hasattr(type(vars(base).get(field.name)), "__set__")
        for field in dataclasses.fields(cls)
        for base in cls.__mro__
    )


def _inherits(cls: type, name: str) -> bool:
    """Whether a class leaves a method as `object` has it."""
    return getattr(cls, name) is getattr(object, name)


@functools.lru_cache(maxsize=1024)
def lowering(cls: type) -> Callable[..., Any]:
    """Makes the rule of a plain dataclass: (marker, leaves, rules, fallback) -> rule."""
    names = [field.name for field in dataclasses.fields(cls)]
    lines = [
        f"if type(v{n}) not in leaves: "
        f"step = {'.' + name!r}; v{n} = rules[type(v{n})](v{n}, depth + 1, out)"
        for n, name in enumerate(names)
    ]
    text = _LOWERING.format(
        loads=_block((f"v{n} = held[{name!r}]" for n, name in enumerate(names)), 12),
        count=len(names),
        checked=CHECKED_DEPTH,
        lowered=_block(lines, 12),
        results="mark, " + ", ".join(f"v{n}" for n in range(len(names))),
    )
    made: Callable[..., Any] = _function(text, {"NotSendable": NotSendable})
    return made


def building(
    cls: type, readers: Mapping[str, Any], checks: Mapping[str, str]
) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any, Any, list[Any]], None]]:
    """Two functions that build instances of a plain dataclass from raw trees.

    build       (raw, cx) -> value, from a tree of its length
    build_many  (raws, mark, cx, values): appends those in front that are trees with this marker

    readers   what reads each field: (raw, cx) -> value
    checks    a test in Python, on `{}`, for fields whose raw value may be the value itself
    """
    names = list(readers)
    lines = []
    for n, name in enumerate(names):
        test = f"if not ({checks[name].format(f'v{n}')}): " if name in checks else ""
        lines.append(f"{test}step = {'.' + name!r}; v{n} = r{n}(v{n}, cx)")
    text = _BUILDING.format(
        readers=", ".join(f"r{n}" for n in range(len(names))),
        values=", ".join(["_", *(f"v{n}" for n in range(len(names)))]) + ("" if names else ","),
        length=len(names) + 1,
        checks=_block(lines, 12),
        stores=_block(_stores(cls, names), 8),
        more_checks=_block(lines, 16),
        more_stores=_block(_stores(cls, names), 12),
    )
    space = {"WireError": WireError, "new": object.__new__, "cls": cls, "LARGE": LARGE}
    build, build_many = _function(text, space)(*readers.values())
    return build, build_many


def _stores(cls: type, names: Iterable[str]) -> list[str]:
    """Lines that give `made` its fields."""
    store = "made.{0} = v{1}"
    if not _inherits(cls, "__setattr__"):  # as in a frozen class
        store = "made.__dict__[{0!r}] = v{1}"
    return [store.format(name, n) for n, name in enumerate(names)]


# --- short ways -----------------------------------------------------------------------------------


def writing(cls: type, mark: Any, pack: Callable[[object], bytes]) -> Callable[[Any], bytes | None]:
    """Writes instances of a plain dataclass whose fields are leaves of a raw tree; None: others.

    pack   of plain.packer
    """
    fields = dataclasses.fields(cls)
    tests = [_leaf_test(f"v{n}", field.type) for n, field in enumerate(fields)]
    text = _WRITING.format(
        loads=_block((f"v{n} = held[{field.name!r}]" for n, field in enumerate(fields)), 12),
        count=len(fields),
        tests=" and ".join(tests) or "True",
        values=", ".join(f"v{n}" for n in range(len(fields))),
    )
    made: Callable[[Any], bytes | None] = _function(text, {"LARGE": LARGE})(mark, pack, _LEAVES)
    return made


def _leaf_test(value: str, annotation: Any) -> str:
    """Whether a value is a leaf; of what type it most likely is, is asked first."""
    name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    test = f"type({value}) in leaves"
    return f"(type({value}) is {name} or {test})" if name in _LIKELY else test


_LEAVES = frozenset([type(None), bool, int, float, str, bytes])
_LIKELY = ("bool", "int", "float", "str")


def reading(
    cls: type, mark: Any, kinds: Mapping[str, frozenset[type]]
) -> Callable[[bytes, int], Any] | None:
    """Reads instances of a plain dataclass whose fields have these leaves; None if it cannot.

    What is not in its only form, or of another type, is NOT_PLAIN.  The head of each value says
    what it is, how long, and with the value itself whether that is the shortest form: so heads are
    looked at one after the other, and where the next one stands is known for certain.
    """
    if not kinds:
        return None
    nothing = [None] * len(kinds)
    array = msgpack.packb(nothing)[: -len(kinds)]
    head = msgpack.packb([mark, *nothing])[: -len(kinds)]
    walk = _Walk(len(array))
    for n, leaves in enumerate(kinds.values()):
        if not walk.field(f"v{n}", leaves):
            return None
    if walk.lines[-1].lstrip().startswith("at += "):  # nothing follows
        walk.lines.pop()
    text = _READING.format(
        size=len(head),
        head=head,
        array=array,
        values=", ".join(f"v{n}" for n in range(len(kinds))) + ",",
        checks=_block(walk.lines, 12),
        stores=_block(_stores(cls, kinds), 8),
    )
    space = {
        "NOT_PLAIN": NOT_PLAIN, "UNREADABLE": UNREADABLE, "SMALL": SMALL,
        "LEAST": LEAST, "MOST": MOST, "SIZES": SIZES,
        "new": object.__new__, "cls": cls, "end_of": _end_of,
    }  # fmt: skip
    made: Callable[[bytes, int], Any] = _function(text, space)(msgpack.unpackb)
    return made


class _Walk:
    """Lines that look at heads, one field after the other.

    ahead      what is to be added to `at`, to have the place of the next head
    is_certain whether `at` is still what it was at first, 0
    """

    def __init__(self, start: int) -> None:
        self.lines = ["at = 0"]
        self.ahead = start
        self.is_certain = True

    def field(self, value: str, leaves: frozenset[type]) -> bool:
        """One more field; false if there is no way for it."""
        look = _LOOKS.get(leaves - {type(None)})
        if look is None:
            return False
        if type(None) in leaves:
            self._step("")
            self.lines += [f"if {value} is None: at += 1", "else:"]
            self._look(value, look, "    ")
            self._step("    ")
        else:
            self._look(value, look, "")
        return True

    def _look(self, value: str, look: _Look, indent: str) -> None:
        here = f"{self.ahead}" if self.is_certain else f"at + {self.ahead}"
        lines = look.text.format(v=value, here=here, ahead=self.ahead)
        self.lines += [indent + line for line in lines.splitlines()]
        self.ahead = look.left + (0 if look.has_stepped else self.ahead)
        self.is_certain &= look.is_certain

    def _step(self, indent: str) -> None:
        if self.ahead:
            self.lines.append(f"{indent}at += {self.ahead}")
        self.ahead = 0
        self.is_certain = False


class _Look(NamedTuple):
    """Lines for a field: {v} is its value, at {here} is its head, {ahead} is not in `at` yet.

    left         how much more is to be added to `at`
    has_stepped  whether `ahead` has been added
    is_certain   whether `at` is left alone
    """

    text: str
    left: int
    has_stepped: bool = False
    is_certain: bool = True


_TEXT = """\
h = body[{here}]
if 160 <= h < 192: at += {ahead} + h - 159
else: at = end_of(body, {here}, 0xD9, 32)"""
_BYTES = """\
if body[{here}] == 0xC4: at += {ahead} + 2 + body[{here} + 1]
else: at = end_of(body, {here}, 0xC4, 0)"""
_INT = """\
h = body[{here}]
if h >= 128:
    if not LEAST[h] <= {v} <= MOST[h]: return NOT_PLAIN
    at += SIZES[h] - 1"""
_FLOAT = "if body[{here}] != 0xCB: return NOT_PLAIN"
_BOOL = "if {v} is not True and {v} is not False: return NOT_PLAIN"

# By the leaves of a field, without None.
_LOOKS = {
    frozenset([str]): _Look(_TEXT, 0, has_stepped=True, is_certain=False),
    frozenset([bytes]): _Look(_BYTES, 0, has_stepped=True, is_certain=False),
    frozenset([int, bool]): _Look(_INT, 1, is_certain=False),
    frozenset([float]): _Look(_FLOAT, 9),
    frozenset([bool]): _Look(_BOOL, 1),
}


def _end_of(data: bytes, at: int, first: int, least: int) -> int:
    """Where a str or bytes with a long head ends; raises ValueError if it is none of the shortest.

    first   the head with one byte of length; two and four follow it
    least   from how much on that is used
    """
    power = data[at] - first
    if not 0 <= power <= 2:
        raise ValueError
    start = at + 1 + (1 << power)
    length = int.from_bytes(data[at + 1 : start], "big")
    if length < (least, 1 << 8, 1 << 16)[power]:
        raise ValueError
    return start + length


def _block(lines: Any, indent: int) -> str:
    return ("\n" + " " * indent).join(lines) or "pass"


def _function(text: str, space: dict[str, Any]) -> Any:
    exec(text, space)
    return space["make"]
