"""The classes of a program by number: what stands for their names on the wire (PROTOCOL.md 5.1).

A program's table has the same numbers at every role, and is part of the protocol hash.  Numbers are
places in it, from 0; a place is None where a role's program has not got the class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class TypeTable:
    """The enums and dataclasses of one program."""

    def __init__(self, classes: Sequence[type | None] = ()) -> None:
        self._classes = list(classes)
        self._numbers = {cls: n for n, cls in enumerate(self._classes) if cls is not None}

    def number_of(self, cls: type) -> int | None:
        """The number of a class; None if the program cannot send it."""
        return self._numbers.get(cls)

    def class_of(self, number: int) -> type | None:
        """The class with a number; None if there is none here."""
        return self._classes[number] if number < len(self._classes) else None


class GrowingTable(TypeTable):
    """The table of one copy within a program that has none: takes up the classes it is asked for.

    knows   says whether a class may be found where a value's type is only `object`
    """

    def __init__(self, knows: Callable[[type], bool] = lambda cls: True) -> None:
        super().__init__()
        self._knows = knows

    def number_of(self, cls: type) -> int:
        number = self._numbers.setdefault(cls, len(self._classes))
        if number == len(self._classes):
            self._classes.append(cls)
        return number

    def class_of(self, number: int) -> type | None:
        cls = super().class_of(number)
        return cls if cls is not None and self._knows(cls) else None
