"""The types that the tests of both value codecs share.

`CLASSES` is their type table; `EXPRESSIONS` are type expressions over them, and a type's place
there is its number for value_server and the fuzzer.  rows.py makes the C rows of them.  Append
only: the numbers are in recorded inputs.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Literal, Optional, TypedDict, Union


class Color(enum.Enum):
    RED = "r"
    GREEN = "g"
    BLUE = "b"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 300


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Record:
    key: int
    name: str
    score: float
    active: bool
    count: int


@dataclass
class Circle:
    center: Point
    radius: float


@dataclass
class Square:
    corner: Point
    size: float
    label: Optional[str]


@dataclass
class Base:
    name: str


@dataclass
class Derived(Base):
    items: list[int]


@dataclass
class Further(Derived):
    more: Optional[Base]


@dataclass
class Node:
    value: int
    next: Optional[Node]


@dataclass(frozen=True)
class Key:
    name: str
    number: Union[int, float]
    note: str = field(compare=False, default="")


@dataclass(eq=False)
class Ident:
    name: str


@dataclass
class Empty:
    pass


@dataclass
class Tree:
    kind: Literal["leaf", "branch"]
    children: list[Tree]
    tags: dict[str, Union[int, str, list[str]]]


class Part(TypedDict):
    kind: Literal["a", "b"]
    number: int


@dataclass
class Letters:
    """Its fields are kept as they would be without literals."""

    one: Optional[Literal["x", "y"]]
    named: dict[str, list[Literal["x", "y"]]]
    mixed: Union[list[Literal[1]], list[Literal["a"]], tuple[Optional[Literal[True]], ...]]


class Whole(Part, total=False):
    part: Part
    more: list[Literal[1, 2]]
    real: Union[Literal[3], float]
    either: Union[list[Literal[1]], tuple[Optional[Literal[True]], ...], dict[str, Part]]
    pair: tuple[Literal["x"], Optional[Part]]
    letters: Optional[Letters]
    named: Mapping[str, Literal["x"]]
    wholes: list[Whole]


@dataclass
class Parts:
    parts: list[Part]
    some: Optional[Whole]
    pair: tuple[Part, list[Optional[Letters]]]
    ids: Union[Set[Literal[1, 2]], float]
    rest: Any


class Numbers(TypedDict, total=False):
    """Which number comes is told by which converts least."""

    one: Union[complex, float]
    every: Union[int, float, complex]
    many: list[Union[complex, float, int]]
    bulk: Union[list[complex], list[Optional[float]], list[int]]
    fixed: Union[Literal[1, 2], float]
    named: dict[Union[float, int], Union[complex, Literal[True]]]
    more: Union[Numbers, list[Numbers], float]


CLASSES = (Color, Level, Point, Record, Circle, Square, Base, Derived, Further, Node, Key, Ident,
           Empty, Tree, Letters, Parts)

EXPRESSIONS = (
    "None", "bool", "int", "float", "complex", "str", "bytes",
    "list[int]", "list[float]", "list[str]", "list[list[int]]", "list[bytes]",
    "tuple[int, str]", "tuple[int, ...]", "tuple[()]", "tuple[float, ...]",
    "dict[str, int]", "dict[int, str]", "dict[float, None]", "set[int]", "frozenset[str]",
    "Color", "Level", "Point", "Record", "Base", "Node", "Empty", "Tree",
    "Optional[int]", "Union[Circle, Square]", "list[Union[int, str]]", "list[Optional[float]]",
    "Union[list[int], list[float], list[str]]", "Union[bool, float, str]",
    "Literal[1, 'a', None, True]", "list[Literal[1, 2, 3]]", "list[Record]", "list[Color]",
    "dict[tuple[int, str], frozenset[int]]", "set[Union[int, float, complex, None, str]]",
    "dict[Union[int, Level, bytes], str]", "dict[Key, int]", "set[Ident]",
    "dict[str, dict[str, list[Point]]]", "list[Union[tuple[int, int], tuple[int, str]]]",
    "set[Union[tuple[int, ...], tuple[float, ...], frozenset[int]]]",
    "object", "list[object]", "dict[object, object]", "set[object]",
    "tuple[int, tuple[str, Optional[list[float]]], complex]",
    "list[complex]", "list[None]", "list[bool]",
    "list[Union[float, list[float]]]", "Union[dict[str, int], dict[str, str]]",
    "ndarray", "list[ndarray]", "NDArray[float64]", "Union[bytes, list[int], ndarray]",
    "Any", "Part", "Whole", "list[Part]", "Optional[Whole]", "Letters", "Parts", "list[Letters]",
    "Union[Letters, Part, list[Whole]]", "dict[str, Union[int, Part, list[Part], Parts]]",
    "tuple[Part, Optional[Letters]]", "list[Union[Whole, tuple[Literal[1, 2], Any]]]",
    "Union[Part, Whole, dict[str, int]]", "Mapping[str, Union[Part, Literal['x']]]",
    "Union[int, float]", "Union[float, complex]", "Union[bool, int, complex]",
    "list[Union[float, int]]", "list[Union[complex, float, int]]",
    "Union[list[int], list[float], list[complex]]", "Union[list[complex], list[Optional[float]]]",
    "Union[tuple[float, ...], tuple[int, complex]]", "Union[dict[float, int], dict[int, float]]",
    "dict[Union[float, int], Union[complex, float]]", "set[Union[complex, float]]", "Numbers",
    "list[Numbers]", "Union[Numbers, dict[str, float], list[int]]",
    "list[Union[tuple[Numbers, int], tuple[Part, float], Literal[1, 'a']]]",
)
