"""Random programs that store into arrays, give them second names and change them in loops and
branches: what is taken computes what Python does, in every stage, and its gradient along a random
direction is the difference of the source. Refusals are counted.

    python3 tests/grad/stores.py TOOL N SEED [--keep FOLDER] [--refused]   (make fuzz-arrays)

A failure is printed as a program; put it into tests/grad/arrays/ before it is mended.
"""

from __future__ import annotations

import collections
import pathlib
import random
import sys
import types
import warnings

import numpy as np

import array_check as ac
import terms

Shape = terms.Shape
MATRIX = ("n", "m")
BOX = """class Box:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def step(self, t):
        self.b = self.b * 0.5 + t
        return self.b

    def scale(self, t):
        if t > 0.2:
            self.a *= t
        else:
            self.a = self.a + self.b

    def first(self, t):
        self.a[:1] = t
        self.b += t
        return self

    def more(self, t):
        self.b += t
        return self


def halve(p, t):
    p["a"] = p["a"] * 0.5
    p["b"] += t
    return p


"""


class Program(terms.Program):
    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.helpers: list[str] = []
        self.lists: list[tuple[str, Shape]] = []
        self.closures: list[tuple[str, Shape]] = []
        self.records: list[tuple[str, bool, Shape]] = []
        self.depth = self.loops = 0
        self.sealed = len(self.variables)           # parameters: nothing is stored into them

    # ---- what is there ----

    def put(self, line: str) -> None:
        self.lines.append("    " * (self.depth + 1) + line + "\n")

    def define(self, shape: Shape, value: str) -> str:
        name = self.fresh()
        self.put(f"{name} = {value}")
        self.variables.append((name, shape, 0))
        return name

    def some(self, rank: int | None = None, own: bool = True) -> tuple[str, Shape] | None:
        """A variable of at least one dimension."""
        found = [(name, shape) for name, shape, _ in self.variables[self.sealed if own else 0:]
                 if len(shape) > 0 and (rank is None or len(shape) == rank)]
        return self.rng.choice(found) if found else None

    def small(self, shape: Shape) -> str:
        return self.term(shape, self.rng.randint(0, 2))

    def made(self, shape: Shape) -> str:
        """Mostly a new array, which no other name shows."""
        value = self.small(shape)
        return value if self.rng.random() < 0.2 else f"{value} * 1.0"

    def shape(self) -> Shape:
        return self.rng.choice([("n",), ("n",), MATRIX, ("m",), (), ("3",), ("n", "n")])

    # ---- statements ----

    def new(self) -> None:
        shape = self.shape()
        start = [self.made(shape)]
        if shape:
            sizes = f"({', '.join(shape)},)"
            start += [f"np.zeros({sizes})", f"np.ones({sizes}) * 0.5", self.made(shape)]
        self.define(shape, self.rng.choice(start))

    def name_again(self) -> None:
        found = self.some(own=self.rng.random() < 0.8)
        if found is None:
            return
        name, shape = found
        ways = [(shape, f"{name}.copy()"), (shape, f"np.array({name})"), (shape, f"{name} * 1.0"),
                (shape, f"{name}[::-1] * 1.0")]
        if len(shape) == 1:
            ways += [((), f"{name}[{self.index_in(shape[0])}]")] * 2
        if self.rng.random() < 0.3:             # another name for the same
            ways = [(shape, name), (shape, f"{name}[:]"), (shape, f"np.asarray({name})"),
                    (shape[1:], f"{name}[{self.index_in(shape[0])}]"), (shape, f"{name}[::-1]")]
        elif len(shape) == 2:
            ways += [((shape[1], shape[0]), f"{name}.T * 0.5"),
                     (shape[:1], f"{name}[:, {self.index_in(shape[1])}] + 0.1"),
                     ((shape[1], shape[0]), f"-{name}.reshape({shape[1]}, {shape[0]})")]
        self.define(*self.rng.choice(ways))

    def store(self) -> None:
        found = self.some(own=self.rng.random() < 0.95)
        if found is None:
            return
        name, shape = found
        op = self.rng.choice(["=", "=", "+=", "*=", "-="])
        i = self.index_in(shape[0])
        ways = [(f"[{i}]", shape[1:]), (f"[{i}]", shape[1:]), ("[:]", shape), ("", shape),
                ("[0]", shape[1:]), ("[-1]", shape[1:])]
        if len(shape) == 2:
            j = self.index_in(shape[1])
            ways += [(f"[:, {j}]", shape[:1]), (f"[{i}, {j}]", ()), (f"[{i}][{j}]", ())]
        place, part = self.rng.choice(ways)
        if place == "" and op == "=":
            op = "+="
        self.put(f"{name}{place} {op} {self.small(part if self.rng.random() < 0.9 else ())}")

    def tabled(self) -> None:
        """A table whose elements are made of others, one by one."""
        shape = self.rng.choice([("n",), ("n", "m"), ("n", "m")])
        zeros = f"np.zeros(({', '.join(shape)},))"
        made = self.term(shape, 1) if self.rng.random() < 0.5 else zeros
        name = self.define(shape, f"{made} * 1.0")
        counters = [f"k{q}_{self.names}" for q in range(len(shape))]
        depth = self.depth
        for k, size in zip(counters, shape):
            order = self.rng.choice(["range(1, {0})", "range(1, {0})", "range({0} - 1, 0, -1)",
                                     "range(1, {0}, 2)", "range(1, {0} // 2 + 1)"])
            self.put(f"for {k} in {order.format(size)}:")
            self.depth += 1
        self.within(list(zip(counters, shape)))
        for _ in range(self.rng.randint(1, 3)):
            self.table_element(name, counters)
        self.without(len(shape))
        self.depth = depth

    def table_element(self, name: str, counters: list[str]) -> None:
        def near() -> str:
            return ", ".join(f"{k} - {d}" if d else k for k in counters
                             for d in [self.rng.choice([0, 0, 1])])
        depth = self.depth
        if self.rng.random() < 0.4:
            compare = self.rng.choice(["==", ">", "<="])
            test = self.rng.choice([self.test(), f"{counters[0]} {compare} {counters[-1]}",
                                    f"{name}[{near()}] > {self.rng.uniform(-1, 1):.2f}"])
            self.put(f"if {test}:")
            self.depth += 1
        read = self.rng.choice(["np.sin({})", "0.5 * {}", "{} * {}", "np.exp(-{} * {})",
                                "np.maximum({}, {})"])
        reads = read.format(*(f"{name}[{near()}]" for _ in range(2)))
        op = self.rng.choice(["=", "=", "+=", "-=", "*="])
        self.put(f"{name}[{near()}] {op} {reads} + {self.rng.choice(['0.1', self.small(())])}")
        self.depth = depth

    def masked(self) -> None:
        found = self.some()
        if found is not None:
            name, shape = found
            test = f"{self.leaf(shape)} > {self.rng.uniform(-1, 1):.3f}"
            value = self.small(())
            if self.rng.random() < 0.5:
                value = self.rng.choice(terms.UNARY).format(f"{self.leaf(shape)}[{test}]") \
                    + f" * {value}"
            self.put(f"{name}[{test}] {self.rng.choice(['=', '=', '+='])} {value}")

    def slices(self) -> None:
        """All but one: of itself, or of another array of that size."""
        found = self.some()
        if found is None:
            return
        name, shape = found
        same = [v for v, of, _ in self.variables if of == shape]
        to, back = self.rng.choice([("[1:]", "[:-1]"), ("[:-1]", "[1:]"), ("[::2]", "[::2]")])
        value = f"{self.rng.choice(same)}{back}"
        if self.rng.random() < 0.6:
            value = f"{value} * {self.small(())}"
        self.put(f"{name}{to} {self.rng.choice(['=', '+=', '*='])} {value}")

    def added_at(self) -> None:
        found = self.some(rank=1)
        if found is not None:
            places = self.rng.choice(["[0, 1, 0]", "[1, 0, 1]", "[0]"])
            value = self.small(()) if self.rng.random() < 0.5 else \
                f"np.array([{', '.join(self.small(()) for _ in range(places.count(',') + 1))}])"
            self.put(f"np.add.at({found[0]}, np.array({places}), {value})")

    def listed(self) -> None:
        i, size, part = f"k{self.names}", self.rng.choice(["n", "m", "3"]), self.shape()[:1]
        self.within([(i, size)])
        value = f"[{self.small(part)} for {i} in range({size})]"
        self.without(1)
        self.define((size, *part), f"np.array({value})")

    def summed_up(self) -> None:
        i, size = f"k{self.names}", self.rng.choice(["n", "m", "3"])
        self.within([(i, size)])
        value, test = self.small(()), f"{self.leaf(())} > {self.rng.uniform(-1, 1):.3f}"
        self.without(1)
        how = self.rng.choice(["sum", "sum", "max"])
        some = f" if {test}" if how == "sum" and self.rng.random() < 0.4 else ""
        terms_of = f"{value} for {i} in range({size}){some}"
        # In Python the sum of none is a whole number, and so is an array of such sums.
        self.define((), f"{how}({terms_of})" if not some else f"sum(({terms_of}), 0.0)")

    def condition(self, shape: Shape) -> str:
        return f"{self.leaf(shape)} {self.rng.choice(['>', '<'])} {self.rng.uniform(-1, 1):.3f}"

    def selected(self) -> None:
        """Elements that a condition selects: summed, counted, multiplied, stored elsewhere."""
        found = self.some(own=self.rng.random() < 0.6)
        if found is None:
            return
        name, shape = found
        c, w, other = self.fresh(), self.fresh(), self.leaf(shape)
        self.put(f"{c} = {self.condition(shape)}")
        if self.rng.random() < 0.2:
            self.put(f"{c} = {self.rng.choice(['~{0}', '{0} & ({1})', '{0} | ({1})'])}".format(
                c, self.condition(shape)))
        part = self.rng.choice(terms.UNARY).format(f"{name}[{c}]")
        self.put(f"{w} = {part}")
        if self.rng.random() < 0.5:
            self.rng.choice([self.store, self.rebind, self.masked])()
        ways = [f"np.sum({w} * {self.small(())})", f"np.sum({w} * {other}[{c}])",
                f"{w}.sum() / max(len({w}), 1)", f"len({w}) * {self.small(())}",
                f"{w}.sum() / len({w}) if len({w}) > 0 else {self.small(())}"]
        if len(shape) == 1:
            ways += [f"{w} @ {other}[{c}]", f"np.dot({w}, {w})", f"sum({w})"]
        if self.rng.random() < 0.3:
            own = self.some()
            if own is not None and own[1] == shape:
                self.put(f"{own[0]}[{c}] {self.rng.choice(['=', '+=', '*='])} {w}")
                return
        self.define((), f"({self.rng.choice(ways)}) * 1.0")

    def out_into(self) -> None:
        found = self.some()
        if found is None:
            return
        name, shape = found
        x, y = self.leaf(shape), self.rng.choice([self.leaf(shape), self.small(())])
        calls = [f"np.sin({x}, out={name})", f"np.add({x}, {y}, out={name})",
                 f"np.multiply({x}, {y}, out={name})",
                 f"np.maximum({x}, {y}, out={name}, where={self.condition(shape)})",
                 f"np.divide({x}, 1.5 + np.cos({y}), out={name}, where={self.condition(shape)})"]
        self.put(self.rng.choice(calls))

    def called(self) -> None:
        """Functions that are written with others, and those without a slope."""
        x, y, z = self.leaf(("n",)), self.leaf(("m",)), self.leaf(("3",))
        b = self.leaf(MATRIX)
        places = self.rng.choice(["[0, 1, 0]", "[1, 1, 1]", "[0, 2, 2]"])
        self.define(*self.rng.choice([
            (("n",), f"np.round({x} * 2.0) * {self.small(())}"),
            (MATRIX, f"np.floor({b}) + {b} * 0.5"), (("n",), f"np.sign({x}) * {x}"),
            (("n",), f"np.convolve({x}, {y}, mode='same')"),
            (("n",), f"np.convolve({y}, {x})[:n]"), ((), f"np.convolve({z}, {z}, 'valid')[0]"),
            (("n",), f"np.bincount(np.array({places}), {z}, minlength=3)[:n]"),
            (("3",), f"np.bincount(np.array({places}), minlength=3) * {self.small(())}"),
            ((), f"{x}[np.argmax({x})] * np.max({x})"), ((), f"{x}[np.argmin({x} * {x})]"),
            (("n",), f"{b}[np.arange(n), np.argmax({b}, axis=1)]"),
            (("m",), f"np.max({b}, axis=0) - np.min({b}, axis=0)"),
            (("n",), f"np.maximum.accumulate({x})"), (("n",), f"np.cumsum({x}) * 0.5"),
            (("n",), f"np.multiply.accumulate({x})"), (MATRIX, f"np.subtract.outer({x}, {y})"),
            (MATRIX, f"np.add.outer({x}, {y}) * {b}"), (("n",), f"np.roll({x}, 1)"),
            (MATRIX, f"np.roll({b}, -1, axis={self.rng.randrange(2)})"),
            (("n",), f"np.pad({x}, 1)[2:]"), (("m",), f"np.logaddexp.reduce({b})"),
            ((), f"np.sum({x}[::2] ** 2)"), ((), f"np.prod({x}[::-1][:n // 2])"),
            ((), f"np.sum({x}[n // 2:]) * np.sum(np.ones(n // 2))"),
            (("n",), f"{b}.reshape(m * n)[:n] * 1.0"), ((), f"np.linalg.norm({x} + 3.0)"),
            (("n", "n"), f"np.tril({self.leaf(('n', 'n'))}) * 1.0"),
            ((), f"np.trapz({x})"), (("n",), f"np.clip({x}, -0.5, 0.5)"),
            (("n",), f"{x}[np.array({places})[np.arange(n) % 3]]"),
        ]))

    def whole_numbers(self) -> None:
        k, x = self.fresh(), self.leaf(("n",))
        self.put(f"{k} = " + self.rng.choice(["np.arange(n)", f"({x} > 0.1).astype(int)",
                                              "np.zeros(n, dtype=int)",
                                              "np.arange(n)[::-1] * 1", f"np.floor({x}).astype(int)"
                                              f" % n"]))
        if self.rng.random() < 0.5:
            self.put(f"{k}[{self.index_in('n')}] {self.rng.choice(['=', '+=', '*='])} 1")
        own = self.some(rank=1)
        ways = [f"{x}[{k} % n] * {x}", f"{k} * {x}", f"{x} ** {k} * 0.5", f"({k} // 2) * {x}",
                f"np.where({k} > 0, {x}, {k})"]
        if own is not None and own[1] == ("n",) and self.rng.random() < 0.4:
            self.put(f"{own[0]}[{k} % n] {self.rng.choice(['=', '=', '*='])} {self.small(())}")
        else:
            self.define(("n",), self.rng.choice(ways))

    def opened(self) -> None:
        """Ranges and slices of which a round says how long they are."""
        if not self.indices:
            return
        i, size = self.rng.choice(self.indices)
        found = [(v, s) for v, s, _ in self.variables if s and s[0] == size]
        if not found:
            return
        x, shape = self.rng.choice(found)
        low, high = self.rng.choice([("", i), (i, ""), ("", f"{i} + 1"), (f"{i} + 1", ""),
                                     ("", f"{size} - {i}"), (f"{size} - 1 - {i}", ""),
                                     (f"{i} // 2", f"{i} + 1")])
        own = self.some(rank=len(shape))
        y = self.leaf((size,))
        row = x if len(shape) == 1 else f"{x}[:, {self.index_in(shape[1])}]" \
            if len(shape) == 2 else ""
        j, bounds = f"j{self.names}", f"{low or 0}, {high or size}"
        way = self.rng.randrange(5)
        if way < 2 and self.depth < 4:
            self.put(f"for {j} in {self.rng.choice(['range({})', 'reversed(range({}))'])}:"
                     .format(bounds))
            self.within([(j, size)])
            self.loops += 1
            self.block(2)
            self.loops -= 1
            self.without(1)
        elif way == 2 and own is not None and own[1] == (size,) and row:
            value = self.rng.choice([self.small(()), f"{row}[{low}:{high}] * {self.small(())}"]) \
                if ":" not in row else f"{row.replace(':', f'{low}:{high}', 1)} * {self.small(())}"
            self.put(f"{own[0]}[{low}:{high}] {self.rng.choice(['=', '+=', '-=', '*='])} {value}")
        elif way == 3 and row and ":" not in row:
            self.define((), self.rng.choice([
                f"np.sum(np.sin({row}[{low}:{high}]))", f"{row}[{low}:{high}] @ {y}[{low}:{high}]",
                f"len({row}[{low}:{high}]) * {self.small(())}",
                f"np.dot({y}[{low}:{high}], {y}[{low}:{high}])"]))
        else:
            self.within([(j, size)])
            value = self.small(())
            self.without(1)
            self.define((), f"sum(({value} for {j} in range({bounds})), 0.0)")

    def swap(self) -> None:
        found = self.some()
        same = [v for v, s, _ in self.variables[self.sealed:] if found and s == found[1]]
        if found is not None and len(same) > 1:
            x, y = self.rng.sample(same, 2)
            self.put(f"{x}, {y} = {y}, {self.rng.choice([x, self.made(found[1])])}")

    def rebind(self) -> None:
        own = self.variables[self.sealed:]
        if own:
            name, shape, _ = self.rng.choice(own)
            self.put(f"{name} = {self.made(shape)}")

    def keep(self) -> None:
        """What a name shows may be a part of something that changes later."""
        own = self.variables[self.sealed:]
        if own:
            name, shape, _ = self.rng.choice(own)
            self.put(f"{name} = {self.leaf(shape)}")

    def list_of(self) -> None:
        if self.lists and self.rng.random() < 0.7:
            name, shape = self.rng.choice(self.lists)
            way = self.rng.randrange(3)
            if way == 0:
                self.put(f"{name}.append({self.made(shape)})")
            elif way == 1:
                self.define(shape, f"{name}[{self.rng.choice(['0', '-1'])}]")
            elif shape:
                self.put(f"{name}[{self.rng.choice(['0', '-1'])}][0] = {self.small(shape[1:])}")
            return
        shape = self.shape()
        self.lists.append((self.fresh(), shape))
        self.put(f"{self.lists[-1][0]} = [{self.made(shape)}, {self.made(shape)}]")

    def call(self) -> None:
        """A helper stores into what it is given, returns it, or both."""
        found = self.some()
        if found is None:
            return
        name, shape = found
        h = f"h{len(self.helpers)}"
        inner = Program(self.rng)
        inner.variables, inner.sealed = [("u", shape, 0), ("t", (), 0)], 0
        inner.names = 100 * (len(self.helpers) + 1)
        for _ in range(self.rng.randint(1, 2)):
            self.rng.choice([inner.store, inner.name_again, inner.rebind, inner.new])()
        given = self.rng.choice([None, "u", inner.leaf(shape), "(u, t * 2.0)"])
        if given is not None and self.rng.random() < 0.3:       # one path ends before the other
            early = {"u": "u * 0.5"}.get(given, given)
            inner.lines.insert(self.rng.randint(0, 1), f"    if t > 0.3:\n        return {early}\n")
        self.helpers.append(f"def {h}(u, t, n, m):\n" + "".join(inner.lines)
                            + (f"    return {given}\n" if given else "") + "\n\n")
        value = f"{h}({name}, {self.small(())}, n, m)"
        if given is None:
            self.put(value)
        elif given.startswith("("):
            x, y = self.fresh(), self.fresh()
            self.put(f"{x}, {y} = {value}")
            self.variables += [(x, shape, 0), (y, (), 0)]
        else:
            self.define(shape, value)

    def places(self, name: str, boxed: bool, shape: Shape) -> None:
        """What is in a record is a variable like others."""
        places = (f"{name}.a", f"{name}.b") if boxed else (f'{name}["a"]', f'{name}["b"]')
        self.variables += [(places[0], shape, 0), (places[1], (), 0)]
        self.records.append((name, boxed, shape))

    def made_record(self, boxed: bool, shape: Shape) -> str:
        a, b = self.made(shape), self.made(())
        return f"Box({a}, {b})" if boxed else self.rng.choice(
            [f'{{"a": {a}, "b": {b}}}', f"dict(a={a}, b={b})", f'{{**dict(b={b}), "a": {a}}}'])

    def record(self) -> None:
        if not self.records or self.rng.random() < 0.3:
            name, boxed, shape = self.fresh(), self.rng.random() < 0.5, self.shape()
            self.put(f"{name} = {self.made_record(boxed, shape)}")
            self.places(name, boxed, shape)
            return
        name, boxed, shape = self.rng.choice(self.records)
        t, way = self.small(()), self.rng.randrange(5)
        if way == 0:
            other = self.rng.choice([self.fresh(), *(r[0] for r in self.records
                                                     if r[1:] == (boxed, shape))])
            self.put(f"{other} = {self.rng.choice([name, self.made_record(boxed, shape)])}")
            if all(other != r[0] for r in self.records):
                self.places(other, boxed, shape)
        elif boxed and way < 3:
            self.define((), f"{name}.step({t}) * 1.0")
        elif boxed:
            more = "first" if shape else "more"
            self.put(self.rng.choice([f"{name}.scale({t})", f"{name} = {name}.{more}({t})",
                                      f"{name}.{more}({t}).scale({t})"]))
        elif way == 1:
            self.put(f"for key in {name}:")
            self.put(f"    {name}[key] = {name}[key] * {t}")
        elif way == 2:
            self.put(f"{name} = {{key: v + {t} for key, v in {name}.items()}}")
        else:
            self.put(self.rng.choice([f"{name} = halve({name}, {t})", f"halve({name}, {t})",
                                      f"{name}.update(b={t})"]))

    def closure(self) -> None:
        if self.closures and self.rng.random() < 0.6:
            name, shape = self.rng.choice(self.closures)
            self.define(shape, f"{name}({self.small(())})")
            return
        shape, name = self.shape(), self.fresh()
        body = self.small(shape)
        self.put(f"{name} = lambda z: {body} * z")
        self.closures.append((name, shape))

    def block(self, most: int) -> None:
        """Names of a block are seldom used after it."""
        known = len(self.variables), len(self.lists), len(self.closures), len(self.records)
        self.depth += 1
        before = len(self.lines)
        for _ in range(self.rng.randint(1, most)):
            self.statement()
        if len(self.lines) == before:
            self.put("pass")
        self.depth -= 1
        if self.rng.random() < 0.9:
            del self.variables[known[0]:], self.lists[known[1]:], self.closures[known[2]:]
            del self.records[known[3]:]

    def loop(self) -> None:
        i = f"i{self.depth}_{self.names}"
        size = self.rng.choice(["n", "n", "m", "3"])
        rows = self.some(own=self.rng.random() < 0.6) if self.rng.random() < 0.25 else None
        if rows is not None:
            name, shape = rows
            others = [(v, of) for v, of, _ in self.variables if of[:1] == shape[:1]]
            other, of = self.rng.choice(others)
            heads = [(f"{i}", name), (f"{i}", name), (f"{i}, {i}_", f"zip({name}, {other})"),
                     (f"{i}__, {i}", f"enumerate({name})")]
            target, over = self.rng.choice(heads)
            self.put(f"for {target} in {over}:")
            self.variables.append((i, shape[1:], 0))
            if "zip" in over:
                self.variables.append((f"{i}_", of[1:], 0))
            counts = [(f"{i}__", shape[0])] if "enumerate" in over else []
            self.within(counts)
            self.rounds()
            self.without(len(counts))
            self.variables = [v for v in self.variables if v[0] not in (i, f"{i}_")]
            return
        order = self.rng.choice(["range({})", "range({})", "reversed(range({}))",
                                 "range({} - 1, -1, -1)", "range(0, {}, 2)", "range(1, {})",
                                 "range({} // 2)"]).format(size)
        self.put(f"for {i} in {order}:")
        self.within([(i, size)])
        self.rounds()
        self.without(1)

    def rounds(self) -> None:
        self.loops += 1
        self.block(3)
        self.loops -= 1

    def test(self) -> str:
        if self.indices and self.rng.random() < 0.6:
            return f"{self.rng.choice(self.indices)[0]} {self.rng.choice(['<', '==', '>'])} 1"
        return f"{self.small(())} > {self.rng.uniform(-1, 1):.3f}"

    def go_on(self) -> None:
        self.put(f"if {self.test()}:")
        if self.rng.random() < 0.4:
            self.depth += 1
            self.rng.choice([self.store, self.rebind, self.new])()
            self.depth -= 1
        self.put("    " + self.rng.choice(["continue", "continue", "break"]))

    def branch(self) -> None:
        self.put(f"if {self.test()}:")
        self.block(2)
        if self.rng.random() < 0.5:
            self.put("else:")
            self.block(2)

    def statement(self) -> None:
        ways = [self.new, self.name_again, self.store, self.store, self.store, self.rebind,
                self.swap, self.masked, self.list_of, self.closure, self.slices,
                self.keep, self.added_at, self.listed, self.summed_up, self.selected,
                self.out_into, self.called, self.called, self.whole_numbers, self.record,
                self.record]
        if self.depth < 2:
            ways += [self.tabled]
        if self.indices:
            ways += [self.opened] * 3
        if self.depth < 2:
            ways += [self.loop, self.loop, self.branch]
        if self.depth < 3:
            ways += [self.call]
        if self.loops > 0:
            ways += [self.go_on]
        self.rng.choice(ways)()

    def text(self) -> str:
        self.new()
        self.new()
        for _ in range(self.rng.randint(3, 9)):
            self.statement()
        weights = (f"{0.5 + 0.3 * k:.1f} * np.sum(np.sin({name}))"
                   for k, (name, _, _) in enumerate(self.variables[self.sealed:]))
        text = "".join(self.lines)
        params = ", ".join(f"{p}: " + (f'Float[Array, "{" ".join(s)}"]' if s else "float")
                           for p, s in terms.PARAMS.items())
        return ("import numpy as np\n\nfrom pychoral.ad import Array, Float, build, gather, scatter"
                "\n\n\n" + (BOX if "Box(" in text or "halve(" in text else "")
                + "".join(self.helpers)
                + f"def f({params}) -> float:\n    n, m = b.shape\n" + text
                + f"    return {' + '.join(weights)} + np.sum(a) * s + np.sum(d) + np.sum(c)\n")


def faults_of(path: pathlib.Path, out: pathlib.Path, seed: int) -> list[str]:
    f = ac.on_copies(ac.load(path).f)
    rng = np.random.default_rng(seed)
    inputs = ac.Inputs(f, rng, terms.SIZES, {})
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = f(*inputs.values)
        except (ValueError, TypeError, UnboundLocalError, IndexError) as e:
            return [f"Python raises {type(e).__name__}: {e}"]
        beside = f(*(x * (1.0 + 1e-14) for x in inputs.values))
        if not np.all(np.abs(value) < 1e3) or not ac.rho(beside, value) < 2e-13:
            return []               # squares of squares: rounding decides
        program = types.ModuleType("program")
        setattr(program, "f", f)
        return (ac.check_direction(program, "f", out, inputs, rng)
                or terms.faults_of_one(program, out, rng))


if __name__ == "__main__":
    sys.exit(terms.main(Program, faults_of, "programs with stores", collections.Counter()))
