"""What a program's type table takes for a class, and what its places say."""

import enum
import unittest
from collections.abc import Callable
from dataclasses import dataclass

from pychoral.typetable import TypeTable


class Label(enum.Enum):
    L = 1


@dataclass
class Point:
    x: int


class Plain:
    pass


class Table(unittest.TestCase):
    def test_places(self) -> None:
        table = TypeTable((None, Label, Point))
        self.assertEqual([table.class_of(n) for n in range(4)], [None, Label, Point, None])
        self.assertEqual([table.number_of(cls) for cls in (Label, Point, Plain)], [1, 2, None])

    def test_what_is_no_class_that_travels_is_not_there(self) -> None:
        entries = (Plain, list[int], Callable[[int], int], {}, Point(1), Label.L, "Label", int)
        table = TypeTable((*entries, Label))
        self.assertEqual([table.class_of(n) for n in range(len(entries))], [None] * len(entries))
        self.assertEqual(table.number_of(Label), len(entries))
        self.assertIsNone(table.number_of(int))


if __name__ == "__main__":
    unittest.main()
