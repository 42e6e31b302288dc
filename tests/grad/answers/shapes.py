"""Functions that answer more than a float: `--mode=tangent` and `--split` take them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    PLAIN = 1
    ROUND = 2


@dataclass
class Node:
    value: float
    name: str
    kind: Kind
    weights: list[float]
    rest: Node | None


@dataclass(frozen=True)
class Pair:
    x: float
    y: float


@dataclass
class Leaf:
    value: float


@dataclass
class Fork:
    left: Leaf | Fork
    right: Leaf | Fork


def node(given: Node, k: float) -> Node:
    given.value *= k
    given.weights.append(k * k)
    return Node(given.value * k, given.name, Kind.ROUND, [k, k * given.value], given)


#= node(Node(3.0, "left", Kind.PLAIN, [1.0], None), 2.0)


def mixed(ts: list[tuple[float, float]], n: int) -> tuple[float, int, list[Pair]]:
    a, b = ts[0]
    for _ in range(n):
        a = a * b
    return a, n, [Pair(a, b), Pair(b, a * ts[-1][0])]


#= mixed([(2.0, 3.0), (0.5, 1.5)], 3)


def same(xs: list[float]) -> list[float]:
    return xs


#= same([1.0, 2.0])


def twice(rows: list[list[float]]) -> list[list[float]]:
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][1] *= rows[1][0]
    return [rows[0], rows[0]]


#= twice([[1.5], [2.0, 3.0]])


def maybe(x: float) -> float | None:
    return x * x * x if x > 0.0 else None


#= maybe(3.0)
#= maybe(-1.0)


def several(x: float, v: Pair) -> list[float | None]:
    return [x * v.x, None, v.y / x]


#= several(2.0, Pair(3.0, 4.0))


def grown(tree: Leaf | Fork, by: float) -> Leaf | Fork:
    match tree:
        case Leaf(value):
            return Fork(Leaf(value * by), Leaf(value + by))
        case Fork(left, right):
            return Fork(grown(right, by), grown(left, by * value_of(left)))


def value_of(tree: Leaf | Fork) -> float:
    match tree:
        case Leaf(value):
            return value
        case Fork(left, right):
            return value_of(left) * value_of(right)


#= grown(Fork(Leaf(2.0), Fork(Leaf(3.0), Leaf(0.5))), 1.5)


def powers(x: float, count: int) -> list[float]:
    made: list[float] = []
    while len(made) < count:
        made.append(x * (made[-1] if made else 1.0))
    made.reverse()
    return made


#= powers(1.25, 5)
#= powers(1.25, 0)
