"""The enums and dataclasses that a program knows, for values whose type says only `object`.

A peer sends names of classes. Found are only those that the program itself can name: in the module
that receives, in the module of `main`, and in the modules that these have imported. Nothing is
imported or called to find one.
"""

from __future__ import annotations

import dataclasses
import enum
import os
import sys
from collections.abc import Iterator, Mapping
from types import FrameType, ModuleType
from typing import Any

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def is_inside(file: str) -> bool:
    """Whether code belongs to this package."""
    return os.path.dirname(os.path.abspath(file)) == _PACKAGE or file.startswith("<frozen")


def calling_frame() -> FrameType:
    """The program's own code that is running, below the code of this package."""
    frame = sys._getframe()
    while frame.f_back is not None and is_inside(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def class_named(name: str, main: Mapping[str, Any]) -> type | None:
    """The enum or dataclass with this qualified name, if the program knows just one.

    main   the names of the module of `main`; those of the module that runs are looked at as well
    """
    spaces = (calling_frame().f_globals, main)
    found = {cls for space in spaces for cls in _classes(name, space)}
    return found.pop() if len(found) == 1 else None


def _classes(name: str, space: Mapping[str, Any]) -> Iterator[type]:
    for value in list(space.values()):
        yield from _match(name, value)
        if isinstance(value, ModuleType) and not is_inside(getattr(value, "__file__", None) or ""):
            for inner in list(vars(value).values()):
                yield from _match(name, inner)


def _match(name: str, value: Any) -> Iterator[type]:
    """`value`, or a class in it, if it is the one."""
    outer, _, rest = name.partition(".")
    if not isinstance(value, type) or value.__qualname__ != outer:
        return
    cls: Any = value
    for part in rest.split(".") if rest else ():
        cls = vars(cls).get(part) if isinstance(cls, type) else None
    if not isinstance(cls, type) or cls.__qualname__ != name:
        return
    if issubclass(cls, enum.Enum) or dataclasses.is_dataclass(cls):
        yield cls
