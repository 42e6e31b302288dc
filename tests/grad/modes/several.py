"""Functions of several parameters and of data: what `NAME_grad` answers in each mode."""

import math
from dataclasses import dataclass


@dataclass
class Node:
    value: float
    name: str
    next: "Node | None"


@dataclass(frozen=True)
class Point:
    x: float
    y: float


def two(x: float, y: float) -> float:
    return x * math.sin(y)


def with_count(x: float, n: int) -> float:
    acc = 1.0
    for i in range(n):
        acc = acc * x
    return acc


def of_list(xs: list[float], scale: float) -> float:
    xs[0] = xs[0] * scale
    xs.append(xs[0])
    return sum([v * v for v in xs])


def of_matrix(rows: list[list[float]]) -> float:
    rows[0], rows[1] = rows[1], rows[0]
    return rows[0][0] * rows[1][1] + rows[0][1] * 3.0


def of_nodes(node: Node | None, x: float) -> float:
    out = 0.0
    while node is not None:
        out = out * x + node.value
        node = node.next
    return out


def of_points(points: list[Point], keys: list[str]) -> float:
    return sum([p.x * p.y for p in points]) * len(keys)


def of_shared(first: Node, second: Node) -> float:
    first.value = first.value * second.value
    return first.value + second.value


def of_tuple(pair: tuple[float, str], points: list[Point]) -> float:
    return pair[0] * points[0].x + points[1].y


SHARED = Node(3.0, "s", None)
POINT = Point(1.5, 2.5)
ARGUMENTS = {
    two: (2.0, 3.0), with_count: (2.0, 3), of_list: ([1.0, 2.0], 3.0),
    of_matrix: ([[1.0, 2.0], [3.0, 4.0]],), of_nodes: (Node(1.0, "a", Node(2.0, "b", None)), 3.0),
    of_points: ([POINT, POINT], ["k"]), of_shared: (SHARED, SHARED),
    of_tuple: ((2.0, "k"), [POINT, POINT]),
}
