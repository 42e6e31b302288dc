"""Data as people write them: trees, shared nodes, aliases, matrices, frozen values."""
from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import Enum


@dataclass
class Leaf:
    weight: float


@dataclass
class Branch:
    left: Tree
    right: Tree
    factor: float


Tree = Leaf | Branch


def weigh(tree: Tree, depth: int = 0) -> float:
    match tree:
        case Leaf(weight) if depth > 1:
            return weight * weight
        case Leaf(weight):
            return weight
        case Branch(left, right, factor):
            return weigh(left, depth + 1) * factor + weigh(right, depth + 1)
#= weigh(Branch(Leaf(2.0), Branch(Leaf(3.0), Leaf(0.5), 1.5), -0.5), 0)


def shared_leaf(x: float, y: float) -> float:
    leaf = Leaf(x)
    tree = Branch(leaf, Branch(leaf, Leaf(y), x), y)
    leaf.weight += y
    return weigh(tree) * leaf.weight
#= shared_leaf(1.5, 0.75)


def pruned(tree: Tree, limit: float) -> Tree:
    if isinstance(tree, Leaf):
        return Leaf(min(tree.weight, limit))
    left, right = pruned(tree.left, limit), pruned(tree.right, limit)
    if isinstance(left, Leaf) and isinstance(right, Leaf):
        return Leaf(left.weight * right.weight * tree.factor)
    return Branch(right, left, tree.factor)


def prune_and_weigh(tree: Tree, limit: float) -> float:
    return weigh(pruned(tree, limit)) * limit
#= prune_and_weigh(Branch(Leaf(2.0), Branch(Leaf(3.0), Leaf(0.5), 1.5), -0.5), 2.5)


@dataclass
class Link:
    value: float
    next: Link | None = None


def reversed_sum(head: Link | None, x: float) -> float:
    done: Link | None = None
    while head is not None:
        head.next, done, head = done, head, head.next
    total, power = 0.0, 1.0
    while done:
        total += done.value * power
        power *= x
        done = done.next
    return total
#= reversed_sum(Link(1.0, Link(2.0, Link(3.0))), 0.5)
#= reversed_sum(None, 0.5)


def ring(x: float, y: float, turns: int) -> float:
    first = Link(x)
    second = Link(y, first)
    first.next = second
    at: Link | None = first
    for _ in range(turns):
        assert at is not None
        at.value = at.value * 0.5 + y
        at = at.next
    return first.value - second.value * x
#= ring(1.0, 2.0, 5)


def two_names(xs: list[float]) -> float:
    ys = xs
    ys[0] = xs[1] * xs[1]
    xs.append(ys[0] + xs[-1])
    last = ys.pop()
    ys.insert(0, last * xs[0])
    del xs[1]
    total = 0.0
    for i in range(len(ys)):
        ys[i] *= xs[i - 1]
        total += ys[i]
    return total
#= two_names([1.0, 2.0, 3.0])


def queue(x: float, n: int) -> float:
    waiting = [x]
    served = 0.0
    while waiting and n > 0:
        head = waiting.pop(0)
        served = served * 0.5 + head
        if n % 2:
            waiting.extend([head * x, head + 1.0])
        else:
            waiting.append(math.sin(head))
        n -= 1
    return served + sum(waiting)
#= queue(0.75, 6)
#= queue(0.75, 0)


def swapped_rows(m: list[list[float]], b: list[float]) -> float:
    n = len(m)
    det = 1.0
    for i in range(n):
        pivot = i if abs(m[i][i]) >= 0.9 else n - 1
        if pivot != i:
            m[i], m[pivot] = m[pivot], m[i]
            b[i], b[pivot] = b[pivot], b[i]
            det = -det
        for r in range(i + 1, n):
            factor = m[r][i] / m[i][i]
            b[r] -= factor * b[i]
            for c in range(i, n):
                m[r][c] -= factor * m[i][c]
        det *= m[i][i]
    return det * b[n - 1]
#= swapped_rows([[0.5, 2.0, 1.0], [3.0, 1.0, -1.0], [1.0, 0.0, 2.0]], [1.0, 2.0, 3.0])


def gauss(m: list[list[float]], b: list[float]) -> float:
    n = len(b)
    for i in range(n):
        best = i
        for r in range(i + 1, n):
            if abs(m[r][i]) > abs(m[best][i]):
                best = r
        m[i], m[best] = m[best], m[i]
        b[i], b[best] = b[best], b[i]
        for r in range(i + 1, n):
            factor = m[r][i] / m[i][i]
            for c in range(i, n):
                m[r][c] -= factor * m[i][c]
            b[r] -= factor * b[i]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (b[i] - sum(m[i][c] * x[c] for c in range(i + 1, n))) / m[i][i]
    return sum(v * v for v in x)
#= gauss([[0.5, 2.0, 1.0], [3.0, 1.0, -1.0], [1.0, 0.0, 2.0]], [1.0, 2.0, 3.0])


def transposed(m: list[list[float]]) -> float:
    t = [[row[j] for row in m] for j in range(len(m[0]))]
    product = [[sum(a * b for a, b in zip(r, c)) for c in m] for r in m]
    trace = 0.0
    for i, row in enumerate(product):
        trace += row[i] * t[0][i]
    return trace
#= transposed([[1.0, 2.0, 0.5], [0.25, -1.0, 3.0]])


@dataclass(frozen=True)
class Vector:
    x: float
    y: float

    def dot(self, other: Vector) -> float:
        return self.x * other.x + self.y * other.y

    def scaled(self, by: float) -> Vector:
        return Vector(self.x * by, self.y * by)


def projection(a: Vector, b: Vector) -> float:
    along = b.scaled(a.dot(b) / b.dot(b))
    rest = Vector(a.x - along.x, a.y - along.y)
    return rest.dot(rest) + along.x
#= projection(Vector(1.0, 2.0), Vector(3.0, -0.5))


def same_frozen(v: Vector, n: int) -> float:
    both = [v, v]
    for i in range(n):
        both[i % 2] = Vector(both[0].y, both[1].x * v.x)
    return both[0].dot(both[1])
#= same_frozen(Vector(1.5, 0.5), 3)
#= same_frozen(Vector(1.5, 0.5), 0)


class Gate(Enum):
    OPEN = 1
    SHUT = 2


@dataclass
class Neuron:
    weights: list[float]
    bias: float
    gate: Gate = Gate.OPEN
    seen: list[float] = field(default_factory=list)

    def fire(self, inputs: list[float]) -> float:
        if self.gate is Gate.SHUT:
            return 0.0
        total = self.bias
        for w, x in zip(self.weights, inputs):
            total += w * x
        out = math.tanh(total)
        self.seen.append(out)
        return out


def two_layers(neurons: list[Neuron], inputs: list[float]) -> float:
    hidden = [n.fire(inputs) for n in neurons[:-1]]
    out = neurons[-1].fire(hidden)
    return out + sum(sum(n.seen) for n in neurons)
#= two_layers([Neuron([.5, -1.0], .25), Neuron([1.0, 2.0], 0.0), Neuron([1.5, -.5], .1)], [.3, 0.7])


@dataclass
class Body:
    position: tuple[float, float]
    velocity: tuple[float, float]
    mass: float


def orbit(bodies: list[Body], steps: int, dt: float) -> float:
    for _ in range(steps):
        forces: list[tuple[float, float]] = []
        for a in bodies:
            fx = fy = 0.0
            for b in bodies:
                if a is b:
                    continue
                dx, dy = b.position[0] - a.position[0], b.position[1] - a.position[1]
                r = math.hypot(dx, dy)
                fx += b.mass * dx / r ** 3
                fy += b.mass * dy / r ** 3
            forces.append((fx, fy))
        for body, (fx, fy) in zip(bodies, forces):
            vx, vy = body.velocity
            body.velocity = vx + fx * dt, vy + fy * dt
            body.position = (body.position[0] + body.velocity[0] * dt,
                             body.position[1] + body.velocity[1] * dt)
    return sum(0.5 * b.mass * (b.velocity[0] ** 2 + b.velocity[1] ** 2) for b in bodies)
#= orbit([Body((0.0, 0.0), (0.0, 0.1), 2.0), Body((1.0, 0.5), (0.5, -0.5), 0.5)], 3, 0.125)


def sorted_gaps(xs: list[float]) -> float:
    xs.sort()
    gaps = [b - a for a, b in zip(xs, xs[1:])]
    return sum(g * g for g in gaps) / len(gaps) + max(gaps) - min(xs)
#= sorted_gaps([3.0, 1.0, 2.5, 0.5])


def windows(xs: list[float], size: int) -> float:
    total = 0.0
    for start in range(len(xs) - size + 1):
        part = xs[start:start + size]
        part[0] = part[-1] * 2.0
        total += math.prod(part) - xs[start]
    return total
#= windows([1.0, 2.0, 3.0, 4.0], 2)
#= windows([1.0, 2.0], 3)


def running(xs: list[float], decay: float) -> float:
    mean, second = 0.0, 0.0
    for n, x in enumerate(xs, start=1):
        delta = x - mean
        mean += delta / n
        second = decay * second + delta * (x - mean)
    return math.sqrt(second / max(len(xs) - 1, 1)) + mean
#= running([1.0, 4.0, 2.0, 8.0], 0.9)


def moved(v: Vector, by: float) -> float:
    w = replace(v, y=v.y + by)
    return w.dot(v)
#= moved(Vector(1.5, 0.5), 2.0)


def grid(n: int, heat: float) -> float:
    cells = [[0.0 for _ in range(n)] for _ in range(n)]
    cells[0] = [heat] * n
    for _ in range(3):
        old = [row[:] for row in cells]
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                cells[i][j] = (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]) / 4
    return sum(sum(row) for row in cells) * cells[1][1]
#= grid(4, 2.0)


def names_of_c(t1: Leaf | Branch, t2: Leaf | Branch, t3: float, t4: float) -> float:
    t5 = weigh(t1) * t3
    t6 = weigh(t2, 1) * t4 - max(t3, min(t4, t5))
    t1 = pruned(t1, t6)
    return t5 + weigh(t1) * t6
#= names_of_c(Leaf(1.5), Branch(Leaf(2.5), Leaf(0.5), 2.0), 0.5, 0.875)
