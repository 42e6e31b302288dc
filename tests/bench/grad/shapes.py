"""The shapes of the benchmark: a loop, a list by recursion, trees of sums and of products."""

from dataclasses import dataclass


@dataclass
class Cons:
    value: float
    next: "Cons | None"


@dataclass
class Node:
    value: float
    left: "Node | None"
    right: "Node | None"


def power(x: float, n: int) -> float:
    acc = 1.0
    for i in range(n):
        acc = x * acc
    return acc


def product(t: "Cons | None", x: float) -> float:
    if t is None:
        return x
    return t.value * product(t.next, x)


def total(t: "Node | None", x: float) -> float:
    if t is None:
        return x
    return t.value + total(t.left, x) + total(t.right, x)


def products(t: "Node | None", x: float) -> float:
    if t is None:
        return x
    return t.value * x + products(t.left, x) * products(t.right, x)
