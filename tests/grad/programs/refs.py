"""Cells of `pychoral.ad`: two names of one, in lists, in objects, captured."""
import math
from collections.abc import Callable
from dataclasses import dataclass

from pychoral.ad import Ref


@dataclass
class Account:
    balance: Ref[float]
    rate: float


def one(x: float, y: float) -> float:
    r = Ref(x)
    s = r
    s.set(r.get() * y)
    r.add(s.get() * math.sin(x))
    return r.get() * s.get()
#= one(0.75, 1.25)


def in_list(x: float, n: int) -> float:
    cells = [Ref(x), Ref(x * x)]
    cells.append(cells[0])
    for i in range(n):
        c = cells[i % 3]
        c.set(c.get() * cells[(i + 1) % 3].get() + x)
        cells[1].add(0.5)
    count = Ref(0)
    for c in cells:
        count.add(1)
    return cells[0].get() * cells[1].get() + cells[2].get() * count.get()
#= in_list(0.75, 4)


def bumped(a: Account, x: float) -> float:
    a.balance.add(a.balance.get() * a.rate)
    return a.balance.get() * x


def in_object(x: float) -> float:
    shared = Ref(x)
    a, b = Account(shared, x * 0.1), Account(shared, 0.25)
    y = bumped(a, x) + bumped(b, 2.0)
    b.balance = Ref(y)
    return bumped(b, x) + shared.get()
#= in_object(0.75)


def captured(x: float) -> float:
    total = Ref(1.0)
    fs: list[Callable[[float], None]] = []
    fs.append(lambda v: total.set(total.get() * v))
    fs.append(lambda v: total.add(v * x))
    for f in fs:
        f(x + 1.0)
    fs[0](total.get())
    return total.get()
#= captured(0.75)


def of_lists(x: float) -> float:
    r = Ref([x, 2.0])
    r.get().append(x * x)
    r.get()[0] = r.get()[2] * x
    old = r.get()
    r.set([x])
    return sum(old) * r.get()[0]
#= of_lists(0.75)
