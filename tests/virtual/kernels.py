"""Ten kernels for the benchmark: written here, in the shape of those of well-known suites."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any


def nbody(n: int) -> float:
    bodies = [
        ([i * 1.7, i * -0.9, i * 0.3], [0.3 / (i + 1), i * 0.2, -0.01 * i], 1.0 / (i + 1))
        for i in range(5)
    ]
    pairs = [(bodies[i], bodies[j]) for i in range(5) for j in range(i + 1, 5)]
    for _ in range(n):
        for (p, v, m), (q, w, k) in pairs:
            dx, dy, dz = p[0] - q[0], p[1] - q[1], p[2] - q[2]
            force = 0.001 * (dx * dx + dy * dy + dz * dz) ** -1.5
            v[0] -= dx * k * force
            v[1] -= dy * k * force
            v[2] -= dz * k * force
            w[0] += dx * m * force
            w[1] += dy * m * force
            w[2] += dz * m * force
        for p, v, _m in bodies:
            p[0] += 0.001 * v[0]
            p[1] += 0.001 * v[1]
            p[2] += 0.001 * v[2]
    return bodies[0][0][0]


def nqueens(n: int) -> int:
    def place(row: int, columns: set[int], up: set[int], down: set[int]) -> int:
        if row == n:
            return 1
        count = 0
        for column in range(n):
            if column in columns or row + column in up or row - column in down:
                continue
            count += place(
                row + 1, columns | {column}, up | {row + column}, down | {row - column}
            )
        return count

    return place(0, set(), set(), set())


class Point:
    __slots__ = ("x", "y", "z")

    def __init__(self, i: int) -> None:
        self.x = x = math.sin(i)
        self.y = math.cos(i) * 3
        self.z = x * x / 2

    def normalize(self) -> None:
        norm = math.sqrt(self.x * self.x + self.y * self.y + self.z * self.z)
        self.x /= norm
        self.y /= norm
        self.z /= norm

    def maximize(self, other: Point) -> Point:
        self.x = self.x if self.x > other.x else other.x
        self.y = self.y if self.y > other.y else other.y
        self.z = self.z if self.z > other.z else other.z
        return self


def floats(n: int) -> float:
    points = [Point(i) for i in range(n)]
    for p in points:
        p.normalize()
    greatest = points[0]
    for p in points[1:]:
        greatest = greatest.maximize(p)
    return greatest.x


class Tree:
    def __init__(self, left: Tree | None, value: int, right: Tree | None) -> None:
        self.left, self.value, self.right = left, value, right

    def __iter__(self) -> Iterator[int]:
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right


def generators(n: int) -> int:
    def make(low: int, high: int) -> Tree | None:
        if low >= high:
            return None
        middle = (low + high) // 2
        return Tree(make(low, middle), middle, make(middle + 1, high))

    total = 0
    for value in make(0, n) or ():
        total += value
    return total


class Sphere:
    def __init__(self, x: float, y: float, z: float, radius: float) -> None:
        self.center, self.radius = (x, y, z), radius

    def distance(self, start: tuple[float, ...], way: tuple[float, ...]) -> float | None:
        to = [c - s for c, s in zip(self.center, start)]
        along = sum(a * b for a, b in zip(to, way))
        inside = self.radius * self.radius - sum(a * a for a in to) + along * along
        if inside < 0:
            return None
        near = along - math.sqrt(inside)
        return near if near > 1e-6 else None


def raytrace(n: int) -> int:
    spheres = [Sphere(i - 2.0, (i % 3) - 1.0, 5.0 + i, 0.9) for i in range(5)]
    picture = []
    for row in range(n):
        for column in range(n):
            way = ((column - n / 2) / n, (row - n / 2) / n, 1.0)
            length = math.sqrt(sum(a * a for a in way))
            way = tuple(a / length for a in way)
            best = None
            for sphere in spheres:
                found = sphere.distance((0.0, 0.0, 0.0), way)
                if found is not None and (best is None or found < best):
                    best = found
            picture.append(0 if best is None else int(best * 10))
    return sum(picture)


def spectral_norm(n: int) -> float:
    def entry(i: int, j: int) -> float:
        return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)

    def times(u: list[float], turned: bool) -> list[float]:
        result = []
        for i in range(len(u)):
            total = 0.0
            for j, value in enumerate(u):
                total += (entry(j, i) if turned else entry(i, j)) * value
            result.append(total)
        return result

    u = [1.0] * n
    v = u
    for _ in range(2):
        v = times(times(u, False), True)
        u = times(times(v, False), True)
    return math.sqrt(sum(a * b for a, b in zip(u, v)) / sum(b * b for b in v))


class Task:
    def __init__(self, name: int) -> None:
        self.name, self.queue, self.state = name, [name * 7, name * 5 + 1, name * 3], 0

    def step(self, tasks: list[Task]) -> bool:
        if not self.queue:
            return False
        item = self.queue.pop(0)
        if item % 3 == 0 and item > 0:
            tasks[(self.name + 1) % len(tasks)].queue.append(item - 1)
        elif item % 3 == 1:
            tasks[(self.name + 2) % len(tasks)].queue.append(item - 1)
        else:
            for _ in range(2):
                self.state = (self.state * 31 + item) & 0xFFFF
        return True


def richards(n: int) -> int:
    tasks = [Task(i) for i in range(8)]
    for _ in range(n):
        busy = False
        for task in tasks:
            if task.step(tasks):
                busy = True
        if not busy:
            for task in tasks:
                task.queue.append(task.state % 17 + 3)
    return sum(task.state for task in tasks)


class Cell:
    """A variable of a chain of one-way constraints."""

    def __init__(self, value: int) -> None:
        self.value, self.users = value, []  # type: tuple[int, list[Scale]]

    def set(self, value: int) -> None:
        self.value = value
        waiting = list(self.users)
        while waiting:
            one = waiting.pop()
            if one.run():
                waiting.extend(one.target.users)


class Scale:
    def __init__(self, source: Cell, target: Cell, by: int, plus: int) -> None:
        self.source, self.target, self.by, self.plus = source, target, by, plus
        source.users.append(self)

    def run(self) -> bool:
        value = (self.source.value * self.by + self.plus) % 10007
        if value == self.target.value:
            return False
        self.target.value = value
        return True


def deltablue(n: int) -> int:
    cells = [Cell(0) for _ in range(50)]
    for i in range(49):
        Scale(cells[i], cells[i + 1], i % 3 + 1, i)
    for i in range(n):
        cells[0].set(i)
    return cells[-1].value


def fannkuch(n: int) -> int:
    count, order, most, r = list(range(1, n + 1)), list(range(n)), 0, n
    while True:
        while r != 1:
            count[r - 1] = r
            r -= 1
        if order[0] != 0 and order[-1] != n - 1:
            flips, turned = 0, order[:]
            first = turned[0]
            while first:
                turned[: first + 1] = reversed(turned[: first + 1])
                flips += 1
                first = turned[0]
            if flips > most:
                most = flips
        while r != n:
            order.insert(r, order.pop(0))
            count[r] -= 1
            if count[r] > 0:
                break
            r += 1
        else:
            return most


def go(n: int) -> int:
    """Groups of stones on a board, and the free places around them."""
    size, board, seed = 9, [0] * 81, 1

    def around(place: int) -> list[int]:
        row, column = divmod(place, size)
        return [
            place + step
            for step, free in (
                (-size, row > 0), (size, row < size - 1), (-1, column > 0), (1, column < size - 1)
            )
            if free
        ]  # fmt: skip

    def free_of(place: int) -> tuple[set[int], set[int]]:
        group, free, waiting = {place}, set(), [place]
        while waiting:
            for other in around(waiting.pop()):
                if not board[other]:
                    free.add(other)
                elif board[other] == board[place] and other not in group:
                    group.add(other)
                    waiting.append(other)
        return group, free

    taken = 0
    for move in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        place = seed % 81
        if board[place]:
            continue
        board[place] = color = 1 + move % 2
        for other in around(place):
            if board[other] not in (0, color):
                group, free = free_of(other)
                if not free:
                    taken += len(group)
                    for stone in group:
                        board[stone] = 0
        if not free_of(place)[1]:
            board[place] = 0
    return taken


KERNELS: list[tuple[Callable[[int], Any], int]] = [
    (nbody, 300), (nqueens, 6), (floats, 2000), (generators, 3000), (raytrace, 20),
    (spectral_norm, 30), (richards, 800), (deltablue, 60), (fannkuch, 6), (go, 700),
]  # fmt: skip


def tight(n: int) -> int:
    total = i = 0
    while i < n:
        if i % 3 == 0:
            total = total + i
        i = i + 1
    return total
