"""Programs that the seven transformations take. Each function of one float is judged."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pychoral.ad import Inl, Inr, Ref

SCALE = 2.5
COUNT = 3


@dataclass
class Node:
    value: float
    left: "Node | None"
    right: "Node | None"


@dataclass
class Account:
    balance: float
    name: str

    def grow(self, rate: float) -> float:
        self.balance = self.balance * (1.0 + rate)
        return self.balance


def square(x: float) -> float:
    return x * x


def straight(x: float) -> float:
    y = x * x
    g = lambda z: z + y
    return g(x)


def operators(x: float) -> float:
    return (x + 3) * (2 - x) / (x * x + 1) - x ** 3 + 2 ** x + -x + x % 0.7 + 7 // x


def functions(x: float) -> float:
    return math.sin(x) * math.exp(x) + math.sqrt(x) * math.log(x, 3.0) + math.hypot(x, 2.0, x)


def special(x: float) -> float:
    return math.gamma(x) + math.lgamma(x + 2.0) + math.tanh(x) + math.pi * math.atan2(x, 2.0)


def picks(x: float) -> float:
    return max(x, 1.0, x * x) + min(x, 2) + abs(x - 2.0) + float(int(x)) + round(x, 1)


def loop(x: float) -> float:
    acc = 1.0
    for i in range(COUNT):
        acc = x * acc + i
    return acc


def loop_down(x: float) -> float:
    acc = 0.0
    for i in range(5, -2, -2):
        acc = acc * x + i
    return acc


def loop_jumps(x: float) -> float:
    acc = x
    for i in range(20):
        if i % 3 == 1:
            continue
        if acc > 40.0:
            break
        acc = acc * 1.5 + i * x
    return acc


def loop_returns(x: float) -> float:
    while True:
        x = x * x
        if x > 10.0:
            return math.log(x)
        if x < 0.001:
            break
    return -x


def no_rounds(x: float) -> float:
    acc = x
    for i in range(0):
        acc = acc * i
    return acc


def newton(x: float) -> float:
    guess = x
    while abs(guess * guess - x) > 1e-13:
        guess = (guess + x / guess) / 2.0
    return guess


def ints_become_floats(x: float) -> float:
    acc: float = 1
    for i in range(3):
        acc = acc * x if i else 2
    return acc * (1 if x > 0.0 else 3)


def swapped(x: float) -> float:
    a = x
    b = x * x
    a, b = b, a
    return a - 3.0 * b


def truths(x: float) -> float:
    zero = x - x
    one = zero or x
    both = x and x * 3.0
    return (one if not zero else 0.0) + both


def recursion(x: float) -> float:
    def power(n: int) -> float:
        return 1.0 if n == 0 else x * power(n - 1)
    return power(5)


def even(n: int, x: float) -> float:
    return x if n == 0 else odd(n - 1, x * 1.5)


def odd(n: int, x: float) -> float:
    return x * x if n == 0 else even(n - 1, x + 1.0)


def mutual(x: float) -> float:
    return even(4, x) + odd(2, x)


def itself(x: float) -> float:
    return x if x > 100.0 else itself(x * x + 1.0)


def total(node: Node | None, x: float) -> float:
    if node is None:
        return x
    return node.value * x + total(node.left, x) * total(node.right, x)


def tree(x: float) -> float:
    leaf = Node(x, None, None)
    shared = Node(2.0, leaf, leaf)
    shared.value = shared.value * x
    return total(Node(3, shared, leaf), x)


def by_match(x: float) -> float:
    def depth(node: Node | None) -> float:
        match node:
            case None:
                return x
            case Node(value=v, left=left, right=right):
                return v * depth(left) + depth(right)
        return 0.0
    return depth(Node(x, Node(2.0, None, None), None))


def records(x: float) -> float:
    account = Account(balance=x, name="a")
    account.grow(0.5)
    return account.grow(x) + account.balance * len(account.name)


def closures(x: float) -> float:
    fs: list[Callable[[float], float]] = []
    fs.append(lambda v: v * x)
    fs.append(lambda v: v + x)
    fs.append(square)
    return fs[2](fs[0](fs[1](x)))


def closures_of_a_loop(x: float) -> float:
    fs: list[Callable[[float], float]] = []
    for i in range(3):
        w = x * i
        fs.append(lambda v: v * w + i)
    out = 0.0
    for f in fs:
        out = out * x + f(x)
    return out


def called(f: Callable[[float], float], v: float) -> float:
    return f(f(v))


def higher(x: float) -> float:
    return called(lambda v: v * x + 1.0, x) + called(math_sine, x)


def math_sine(v: float) -> float:
    return math.sin(v)


def counter(x: float) -> float:
    count = x

    def bump(by: float) -> float:
        nonlocal count
        count = count * by
        return count
    bump(2.0)
    return bump(x) + count


def late(x: float) -> float:
    def first() -> float:
        return second() * x

    def second() -> float:
        return x + 1.0
    return first()


def branches(x: float) -> float:
    if x > 1.0:
        y = x * x
    else:
        y = -x
    if x > 2.0:
        y = y * x
    elif x > 1.5:
        y = y + x
    return y


def lists(x: float) -> float:
    xs = [x, 2.0, x * x]
    alias = xs
    alias[1] = xs[0] * xs[2]
    xs.append(alias[1])
    xs.insert(0, 3)
    last = xs.pop() + xs.pop(0)
    xs.reverse()
    return last * sum(xs) + max(xs) + xs[-1] + math.prod(xs)


def of_lists(x: float) -> float:
    rows = [[x, 1.0], [2.0, x]]
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][1] = rows[0][1] * 2.0
    out = 0.0
    for row in rows:
        for v in row:
            out = out * x + v
    return out + sum([v * v for v in rows[1]])


def tuples(x: float) -> float:
    pair = (x, (x * x, "text"))
    a, (b, c) = pair
    return a * b + len(c) + pair[1][0]


def cells(x: float) -> float:
    r = Ref(x)
    s = r
    s.set(r.get() * x)
    r.add(3.0)
    return r.get() * s.get()


def order(x: float) -> float:
    r = Ref(x)

    def change() -> float:
        r.set(r.get() * 2.0)
        return 1.0
    return r.get() + change() + r.get()


def order_of_lists(x: float) -> float:
    xs = [x, x * x]

    def change() -> float:
        xs[0] = 5.0 * x
        return x
    return xs[0] * change() + xs[0]


def sums(x: float) -> float:
    left: Inl[float] | Inr[tuple[float, float]] = Inl(x)
    right: Inl[float] | Inr[tuple[float, float]] = Inr((x, x * x))

    def value(side: Inl[float] | Inr[tuple[float, float]]) -> float:
        match side:
            case Inl(v):
                return v * 3.0
            case Inr((a, b)):
                return a * b
        return 0.0
    return value(left) + value(right)


def untyped(x: float) -> float:
    twice = lambda f: lambda v: f(f(v))
    scale: Any = lambda v: v * SCALE
    return twice(scale)(x) + twice(lambda v: v + x)(1.0)


def power(x: float) -> float:
    l = Inr(Inr(Inl(())))
    f0 = lambda f: lambda ll: lambda ac: ac if isinstance(ll, Inl) else f(f)(ll.value)(x * ac)
    return f0(f0)(l)(1.0)


def product(x: float) -> float:
    l = Inr((5.0, Inr((6.0, Inl(())))))
    f0 = lambda f: lambda ll: x if isinstance(ll, Inl) else ll.value[0] * f(f)(ll.value[1])
    return f0(f0)(l)


def sum_of_tree(x: float) -> float:
    t = Inr((5.0, (Inl(()), Inl(()))))
    f0 = lambda f: lambda tt: (x if isinstance(tt, Inl) else
                               tt.value[0] + f(f)(tt.value[1][0]) + f(f)(tt.value[1][1]))
    return f0(f0)(t)


def checked(x: float) -> float:
    if x < 0.0:
        raise ValueError("negative")
    assert x < 1e9
    return math.sqrt(x)


def shadowed(x: float) -> float:
    def f(x: float) -> float:
        x = x * 2.0
        return x
    k = f(x) + x
    z = k * x
    return z


def optional(x: float) -> float:
    best: float | None = None
    for v in [x, 2.0, x * x]:
        if best is None or v > best:
            best = v
    return best if best is not None else 0.0


def enumerated(x: float) -> float:
    out = 0.0
    for i, v in enumerate([x, x * x]):
        out += v * (i + 1)
    for a, b in zip([x, 1.0], [2.0, x]):
        out += a * b
    return out
