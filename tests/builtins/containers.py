"""Containers of the C runtime against CPython: random operations, equal results and exceptions.

containers.py PROGRAM [--count N] [--seed S] [--show]

PROGRAM is tests/builtins/containers.c, which says how values are written.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import math
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

INTS = [
    0, 1, -1, 2, 3, 5, 7, 10, -3, 100, 2**31, 2**62, 2**63 - 1, -(2**63), 2**63, 3**90, -(3**90),
]  # fmt: skip
FLOATS = [0.0, -0.0, 1.0, -1.5, 2.0, 0.1, 1e300, math.inf, -math.inf, 2.0**63, 7.0]
TEXTS = ["", "a", "b", "abc", "é", "日本", "A", "zz", "a\x00b", "\ud800", "😀x", "key"]


class K:
    def __init__(self, v: int) -> None:
        self.v = v

    def digit(self) -> int:
        if self.v < 0:
            raise ValueError("bad")
        return int(math.fmod(self.v, 10))

    def __eq__(self, other: object) -> bool:
        mine = self.digit()
        return isinstance(other, K) and other.digit() == mine

    def __lt__(self, other: object) -> bool:
        mine = self.digit()
        return mine < (other.digit() if isinstance(other, K) else -1)

    def __hash__(self) -> int:
        return self.digit()

    def __repr__(self) -> str:
        return f"K({self.v})"


@dataclass(frozen=True, order=True)
class P:
    x: Any
    y: Any


@dataclass
class Q:
    x: Any


# ---- values ----


def write(value: Any, kind: str = "") -> str:
    if value is None:
        return "N"
    if isinstance(value, bool):
        return f"B{int(value)}"
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return f"f{value!r}"
    if isinstance(value, str):
        return "s" + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, K):
        return f"K{value.v}"
    if isinstance(value, P):
        return f"P {write(value.x)} {write(value.y)}"
    if isinstance(value, Q):
        return f"Q {write(value.x)}"
    if isinstance(value, range):
        return f"r i{value.start} i{value.stop} i{value.step}"
    if isinstance(value, dict):
        parts = [write(part) for item in value.items() for part in item]
        return " ".join(["[" + (kind or "D"), *parts, "]"])
    letter = {list: "o", tuple: "t", set: "e", frozenset: "z"}[type(value)]
    items = in_order(value) if isinstance(value, (set, frozenset)) else value
    return " ".join(["[" + (kind or letter), *[write(item) for item in items], "]"])


def in_order(value: Any) -> Any:
    """The elements of a small set so that a set that gets them one by one has the same order."""
    if len(value) > 3:
        return value
    orders = itertools.permutations(value)
    return next((items for items in orders if [*type(value)(items)] == [*value]), value)


def show(value: Any) -> str:
    if isinstance(value, (set, frozenset)):
        return repr(sorted(repr(item) for item in value))
    return repr(value)


Make = Callable[[], Any]


class Values:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def int(self) -> int:
        return self.rng.choice(INTS) if self.rng.random() < 0.3 else self.rng.randint(-6, 12)

    def float(self) -> float:
        return self.rng.choice(FLOATS)

    def str(self) -> str:
        return self.rng.choice(TEXTS)

    def key(self, depth: int = 2) -> Any:
        pick = self.rng.randrange(11)
        if pick < 3:
            return self.int()
        if pick == 3:
            return self.float()
        if pick == 4:
            return self.str()
        if pick == 5:
            return self.rng.choice([None, True, False])
        if pick == 6 and depth > 0:
            return tuple(self.key(depth - 1) for _ in range(self.rng.randrange(3)))
        if pick == 7 and depth > 0:
            return P(self.key(depth - 1), self.key(depth - 1))
        if pick == 8:
            return K(self.rng.randint(-1 if self.rng.random() < 0.1 else 0, 30))
        if pick == 9 and depth > 0:
            return frozenset(self.int() for _ in range(self.rng.randrange(3)))
        return self.int()

    def any(self, depth: int = 2) -> Any:
        pick = self.rng.randrange(12)
        if pick == 0 and depth > 0:
            return [self.any(depth - 1) for _ in range(self.rng.randrange(4))]
        if pick == 1 and depth > 0:
            return {self.int(): self.any(depth - 1) for _ in range(self.rng.randrange(3))}
        if pick == 2 and depth > 0:
            return Q(self.any(depth - 1))
        if pick == 3:
            return {self.int() for _ in range(self.rng.randrange(3))}
        return self.key(depth)

    def many(self, make: Make) -> list[Any]:
        size = self.rng.choice([0, 1, 2, 3, 5, 8, 20]) if self.rng.random() < 0.97 else 300
        return [make() for _ in range(size)]

    def place(self) -> Any:
        if self.rng.random() < 0.02:
            return self.rng.choice([2**63 - 1, -(2**63)])
        return self.rng.randint(-6, 9)

    def bound(self) -> Any:
        return None if self.rng.random() < 0.3 else self.place()

    def step(self) -> Any:
        return self.rng.choice([None, None, 1, 1, 2, -1, -2, 3, 0, -7])

    def range(self) -> range:
        if self.rng.random() < 0.1:
            return range(self.int(), self.int(), self.rng.choice([2**61, -(2**64), 3**80]))
        start, stop = self.rng.randint(-9, 9), self.rng.randint(-9, 9)
        return range(start, stop, self.rng.choice([1, -1, 2, 3]))


# ---- operations: what Python does with the receiver and the arguments ----


def set_item(r: Any, i: Any, v: Any) -> None:
    r[i] = v


def set_slice(r: Any, a: Any, b: Any, s: Any, v: Any) -> None:
    r[slice(a, b, s)] = list(v) if s is None or s == 1 else v


def delete(r: Any, i: Any) -> None:
    del r[i]


def augment(how: str) -> Callable[..., None]:
    names: dict[str, Any] = {}
    exec(f"def f(r, v):\n    r {how}= v", names)  # noqa: S102 - one operator of ours
    return names["f"]  # type: ignore[no-any-return]


def first(items: Any) -> list[Any]:
    return Partial(items)


class Partial(list):  # type: ignore[type-arg]
    """At most 50 items; what is raised meanwhile comes after those before it."""

    error: Exception | None = None

    def __init__(self, items: Any) -> None:
        super().__init__()
        try:
            for item in itertools.islice(items, 50):
                self.append(item)
        except Exception as error:
            self.error = error


def text_of(result: Any) -> str:
    if isinstance(result, Partial):
        error = "" if result.error is None else "! " + repr(result.error)
        return error + repr(list(result))
    return "" if result is None else show(result)


SEQUENCE: dict[str, tuple[Callable[..., Any], str]] = {
    "get": (lambda r, i: r[i], "i"),
    "slice": (lambda r, a, b, s: r[a:b:s], "bbs"),
    "count": (lambda r, v: r.count(v), "k"),
    "index": (
        lambda r, v, a, b: r.index(v, 0 if a is None else a, 2**63 - 1 if b is None else b), "kbb"
    ),
    "mul": (lambda r, i: r * i, "n"),
}
LIST: dict[str, tuple[Callable[..., Any], str]] = {
    **SEQUENCE,
    "copy": (lambda r: r.copy(), ""),
    "add": (lambda r, v: r + v, "l"),
    "set": (set_item, "ie"),
    "setslice": (set_slice, "bbsl"),
    "del": (delete, "i"),
    "delslice": (lambda r, a, b, s: delete(r, slice(a, b, s)), "bbs"),
    "append": (lambda r, v: r.append(v), "e"),
    "extend": (lambda r, v: r.extend(v), "l"),
    "insert": (lambda r, i, v: r.insert(i, v), "ie"),
    "remove": (lambda r, v: r.remove(v), "k"),
    "clear": (lambda r: r.clear(), ""),
    "reverse": (lambda r: r.reverse(), ""),
    "sort": (lambda r, down: r.sort(reverse=down), "t"),
    "sortrepr": (lambda r, down: r.sort(key=repr, reverse=down), "t"),
    "imul": (augment("*"), "n"),
    "pop": (lambda r, i: r.pop(-1 if i is None else i), "b"),
}
DICT: dict[str, tuple[Callable[..., Any], str]] = {
    "item": (lambda r, k: r[k], "K"),
    "put": (set_item, "KV"),
    "delete": (delete, "k"),
    "dget": (lambda r, k, v: r.get(k, v), "ke"),
    "dpop": (lambda r, k: r.pop(k), "k"),
    "popitem": (lambda r: r.popitem(), ""),
    "setdefault": (lambda r, k, v: r.setdefault(k, v), "KV"),
    "update": (lambda r, v: r.update(v), "d"),
    "dor": (lambda r, v: r | v, "d"),
    "keys": (lambda r: first(r.keys()), ""),
    "values": (lambda r: first(r.values()), ""),
    "items": (lambda r: first(r.items()), ""),
    "dclear": (lambda r: r.clear(), ""),
    "dcopy": (lambda r: r.copy(), ""),
}
PURE_SET: dict[str, tuple[Callable[..., Any], str]] = {
    "union": (lambda r, a, b: set(r.union(a, b)), "uu"),
    "intersection": (lambda r, a, b: set(r.intersection(a, b)), "uu"),
    "difference": (lambda r, a, b: set(r.difference(a, b)), "uu"),
    "symmetric_difference": (lambda r, a: set(r.symmetric_difference(a)), "u"),
    "isdisjoint": (lambda r, a: r.isdisjoint(a), "u"),
    "issubset": (lambda r, a: r.issubset(a), "u"),
    "issuperset": (lambda r, a: r.issuperset(a), "u"),
}
SET: dict[str, tuple[Callable[..., Any], str]] = {
    **PURE_SET,
    "sadd": (lambda r, v: r.add(v), "K"),
    "discard": (lambda r, v: r.discard(v), "k"),
    "sremove": (lambda r, v: r.remove(v), "k"),
    "iand": (augment("&"), "w"),
    "isub": (augment("-"), "w"),
    "ixor": (augment("^"), "w"),
}
ANY: dict[str, tuple[Callable[..., Any], str]] = {
    "eq": (lambda r, v: r == v, "r"),
    "lt": (lambda r, v: r < v, "r"),
    "le": (lambda r, v: r <= v, "r"),
    "gt": (lambda r, v: r > v, "r"),
    "ge": (lambda r, v: r >= v, "r"),
    "contains": (lambda r, v: v in r, "k"),
    "len": (len, ""),
    "bool": (bool, ""),
    "str": (str, ""),
    "deepcopy": (copy.deepcopy, ""),
    "*reversed": (lambda r: first(reversed(r)), ""),
    "*enumerate": (lambda r, i: first(enumerate(r, i)), "n"),
    "*zip": (lambda r, o, t: first(zip(r, o, strict=t)), "ut"),
    "*maprepr": (lambda r: first(map(repr, r)), ""),
    "*filter": (lambda r: first(filter(None, r)), ""),
    "*cycle": (lambda r: first(itertools.cycle(r)), ""),
    "*chain": (lambda r, o: first(itertools.chain(r, o)), "u"),
    "*islice": (lambda r, a, b, s: first(itertools.islice(r, a, b, s)), "bbs"),
    "*combinations": (lambda r, n: first(itertools.combinations(r, n)), "n"),
    "*permutations": (lambda r, n: first(itertools.permutations(r, n)), "m"),
    "*pairwise": (lambda r: first(itertools.pairwise(r)), ""),
    "*takewhile": (lambda r: first(itertools.takewhile(bool, r)), ""),
    "*dropwhile": (lambda r: first(itertools.dropwhile(bool, r)), ""),
    "*filterfalse": (lambda r: first(itertools.filterfalse(None, r)), ""),
    "*sum": (sum, "N"),
    "*min": (min, ""),
    "*max": (max, ""),
    "*minrepr": (lambda r, v: min(r, key=repr, default=v), "e"),
    "*any": (any, ""),
    "*all": (all, ""),
}


class Receiver:
    """A value and the arguments that fit it."""

    def __init__(self, values: Values) -> None:
        self.values, self.rng = values, values.rng
        self.make: Make = values.any
        self.key: Make = values.key
        self.kind, self.operations = "", ANY
        pick = self.rng.randrange(12)
        if pick < 5:
            self.be_list(pick)
        elif pick < 8:
            self.be_dict(pick - 5)
        elif pick < 10:
            self.be_set(pick - 8)
        elif pick == 10:
            self.value: Any = values.range()
            self.operations = {**ANY, "subscript": (lambda r, i: r[i], "i")}
        else:
            self.value = tuple(values.many(values.any))
            self.operations = {**ANY, **SEQUENCE, "subscript": (lambda r, i: r[i], "i")}

    def be_list(self, pick: int) -> None:
        self.kind = "oifso"[pick]
        of = self.values
        self.make = [of.any, of.int, of.float, of.str, of.key][pick]
        self.value = self.values.many(self.make)
        self.operations = {**ANY, **LIST}
        if pick == 1:
            few = self.rng.random() < 0.1
            self.value = [item for item in self.value if abs(item) < 2**63 or few]

    def be_dict(self, pick: int) -> None:
        self.kind = "DIS"[pick]
        self.key = [self.values.key, self.values.int, self.values.str][pick]
        self.make = self.values.int if pick == 2 else self.values.any
        self.operations = {**ANY, **DICT}
        self.value = {}
        for key in self.values.many(self.key):
            if not has_bad(key):
                self.value[key] = self.make()

    def be_set(self, pick: int) -> None:
        self.key = self.make = [self.values.key, self.values.int][pick]
        self.value = {key for key in self.values.many(self.key) if not has_bad(key)}
        self.kind = "eE"[pick]
        self.operations = {name: op for name, op in ANY.items() if name[0] != "*"} | SET
        del self.operations["str"]
        if pick == 0 and self.rng.random() < 0.3:
            self.value, self.kind = frozenset(self.value), "z"
            self.operations = {name: op for name, op in ANY.items() if name[0] != "*"} | PURE_SET
            del self.operations["str"]

    def argument(self, code: str) -> tuple[Any, str]:
        rng, values = self.rng, self.values
        makes: dict[str, Make] = {
            "i": values.place, "b": values.bound, "s": values.step, "e": self.make,
            "n": lambda: rng.randint(-2, 6), "m": lambda: rng.choice([None, 0, 1, 2, 3]),
            "t": lambda: rng.random() < 0.5, "K": self.key, "V": self.make,
            "k": self.key if rng.random() < 0.8 else values.any,
            "N": lambda: rng.choice([0, 1, 0.5]),
        }  # fmt: skip
        if code in makes:
            value = makes[code]()
            return value, write(value)
        if code == "l":
            items = values.many(self.make)
            if isinstance(self.value, list) and self.kind != "o":
                return items, write(items, self.kind)
            return items, write(items)
        if code == "d":
            made = {key: self.make() for key in values.many(self.key) if not has_bad(key)}
            return made, write(made, self.kind)
        if code == "w":
            chosen = {key for key in values.many(self.key) if not has_bad(key)}
            return chosen, write(chosen, self.kind)
        if code == "u":
            keys = [key for key in values.many(self.key) if not has_bad(key)]
            return rng.choice([(keys, write(keys)), (tuple(keys), write(tuple(keys)))])
        return self.relative()

    def relative(self) -> tuple[Any, str]:
        """A value to compare with: like the receiver, or another one."""
        other = Receiver(self.values) if self.rng.random() < 0.3 else self
        value = other.value
        if other is self and isinstance(value, list) and value and self.rng.random() < 0.7:
            value = [*value]
            value[self.rng.randrange(len(value))] = self.make()
        if "K(-1)" in repr(value):  # here it is the same object, there another one
            value, other = self.rng.randint(0, 9), self
            return value, write(value)
        return value, write(value, other.kind)


def has_bad(key: Any) -> bool:
    """Whether a part of it cannot be hashed, since it raises."""
    try:
        hash(key)
    except ValueError:
        return True
    return False


# ---- the run ----


def run_one(receiver: Receiver, name: str) -> tuple[str, str, bool]:
    """The line, the answer, whether the state is known after it."""
    function, codes = receiver.operations[name]
    parts = [receiver.argument(code) for code in codes]
    line = " ".join([name, *[text for _, text in parts]])
    try:
        answer = text_of(function(receiver.value, *[value for value, _ in parts]))
        fine = True
    except Exception as error:
        answer, fine = "! " + repr(error), False
    return line, answer + " | " + show(receiver.value), fine or name not in ("update", "sort")


def lines_of(seed: str, count: int) -> list[tuple[str, str]]:
    values = Values(random.Random(seed))
    lines: list[tuple[str, str]] = []
    while len(lines) < count:
        receiver = Receiver(values)
        lines.append(("new " + write(receiver.value, receiver.kind), show(receiver.value)))
        for _ in range(8):
            name = values.rng.choice(list(receiver.operations))
            line, answer, go_on = run_one(receiver, name)
            lines.append((line, answer))
            if not go_on or len(repr(receiver.value)) > 8000:
                break
    return [(line, answer) for line, answer in lines if len(line) < 60000]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--show", action="store_true", help="all differences, not only the first")
    options = parser.parse_args()
    lines = lines_of(options.seed, options.count)
    text = "".join(line + "\n" for line, _ in lines).encode()
    done = subprocess.run(
        [options.program], input=text, capture_output=True, timeout=600, check=False
    )
    answers = done.stdout.decode("utf-8", "surrogatepass").split("\n")
    wrong, last_new = 0, ""
    for (line, expected), answer in zip(lines, answers):
        last_new = line if line.startswith("new ") else last_new
        if answer == expected:
            continue
        wrong += 1
        if wrong <= 10 or options.show:
            print(f"{last_new[:300]}\n  {line[:300]}\n    Python: {expected[:400]!a}\n"
                  f"    C:      {answer[:400]!a}")  # fmt: skip
    if done.returncode != 0 or len(answers) != len(lines) + 1:
        print(f"ended with {done.returncode} after {len(answers) - 1} of {len(lines)} lines")
        print(done.stderr.decode(errors="replace")[:4000])
        return 1
    print(f"containers: {len(lines)} operations, {wrong} differences (seed {options.seed})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
