"""Methods of dataclasses, new lists as defaults of fields, what no case reaches."""
from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Point:
    x: float
    y: float

    def scaled(self, k: float) -> Point:
        return Point(self.x * k, self.y * k)

    def norm(self) -> float:
        return math.sqrt(self.x * self.x + self.y * self.y)


@dataclass
class Account:
    balance: float
    log: list[float] = field(default_factory=list)

    def deposit(self, amount: float, rate: float = 0.5) -> None:
        self.balance += amount * rate
        self.log.append(self.balance * amount)

    def twice(self, amount: float) -> float:
        self.deposit(amount)
        self.deposit(amount, rate=amount)
        return self.balance


@dataclass
class Leaf:
    value: float


@dataclass
class Branch:
    left: Tree
    right: Tree
    weight: float

    def total(self, x: float) -> float:
        return self.weight * total(self.left, x) * total(self.right, x)


Tree = Leaf | Branch


def total(tree: Tree, x: float) -> float:
    match tree:
        case Leaf(value):
            return value * x
        case Branch():
            return tree.total(x)
    return 0.0
#= total(Branch(Leaf(1.5), Branch(Leaf(0.5), Leaf(2.5), 1.25), 0.75), 1.5)
#= total(Leaf(2.5), 0.5)


def frozen(p: Point, k: float) -> float:
    return p.scaled(k).norm() * p.x + p.scaled(p.y).norm()
#= frozen(Point(1.5, 0.75), 2.5)


def accounts(x: float, y: float) -> float:
    first, second = Account(x), Account(y)
    first.deposit(y)
    return first.twice(x) * second.twice(first.balance) + sum(first.log) * sum(second.log)
#= accounts(1.5, 0.75)
