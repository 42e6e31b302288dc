"""Code for each dataclass: taking an instance apart for the wire, and building one from it.

As `dataclasses` itself does, this writes a function for a class and runs its text, once a class:
straight-line code is several times as fast as a loop over fields.  Nothing of a peer's gets into
the text, and of the program's only the names of fields, which are identifiers.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any

from .errors import NotSendable, WireError
from .forms import CHECKED_DEPTH, LARGE

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
    return build
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
    return _function(text, {"NotSendable": NotSendable})


def building(
    cls: type, readers: Mapping[str, Any], checks: Mapping[str, str]
) -> Callable[[Any, Any], Any]:
    """A function that builds an instance of a plain dataclass from a raw tree of its length.

    readers   what reads each field: (raw, cx) -> value
    checks    a test in Python, on `{}`, for fields whose raw value may be the value itself
    """
    names = list(readers)
    lines = []
    for n, name in enumerate(names):
        test = f"if not ({checks[name].format(f'v{n}')}): " if name in checks else ""
        lines.append(f"{test}step = {'.' + name!r}; v{n} = r{n}(v{n}, cx)")
    store = "made.{0} = v{1}"
    if not _inherits(cls, "__setattr__"):  # as in a frozen class
        store = "made.__dict__[{0!r}] = v{1}"
    text = _BUILDING.format(
        readers=", ".join(f"r{n}" for n in range(len(names))),
        values=", ".join(["_", *(f"v{n}" for n in range(len(names)))]) + ("" if names else ","),
        checks=_block(lines, 12),
        stores=_block((store.format(name, n) for n, name in enumerate(names)), 8),
    )
    space = {"WireError": WireError, "new": object.__new__, "cls": cls, "LARGE": LARGE}
    made: Callable[[Any, Any], Any] = _function(text, space)(*readers.values())
    return made


def _block(lines: Any, indent: int) -> str:
    return ("\n" + " " * indent).join(lines) or "pass"


def _function(text: str, space: dict[str, Any]) -> Callable[..., Any]:
    exec(text, space)
    function: Callable[..., Any] = space["make"]
    return function
