"""The classes of a program by number: what stands for their names on the wire (PROTOCOL.md 5.1).

A program's table has the same numbers at every role, and is part of the protocol hash.  Numbers are
places in it, from 0; a place is None where a role's program has not got the class.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Sequence


def _class_that_travels(entry: object) -> type | None:
    """The compiler puts in what may be an enum or a dataclass: imported names may be anything."""
    if not issubclass(type(entry), type):  # list[int] says of itself that it is a type
        return None
    cls: type = entry  # type: ignore[assignment]
    return cls if issubclass(cls, enum.Enum) or dataclasses.is_dataclass(cls) else None


class TypeTable:
    """The enums and dataclasses of one program."""

    def __init__(self, classes: Sequence[object] = ()) -> None:
        self._classes = [_class_that_travels(entry) for entry in classes]
        self._numbers = {cls: n for n, cls in enumerate(self._classes) if cls is not None}

    def __len__(self) -> int:
        return len(self._classes)

    def number_of(self, cls: type) -> int | None:
        """The number of a class; None if the program cannot send it."""
        return self._numbers.get(cls)

    def class_of(self, number: int) -> type | None:
        """The class with a number; None if there is none here."""
        return self._classes[number] if number < len(self._classes) else None


class GrowingTable(TypeTable):
    """For copies within one program, which has no table: takes up the classes it is asked for."""

    def number_of(self, cls: type) -> int:
        number = self._numbers.setdefault(cls, len(self._classes))
        if number == len(self._classes):
            self._classes.append(cls)
        return number
