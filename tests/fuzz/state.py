"""make fuzz-state: module state by every path, and what roles do with it.

    tests/fuzz/state.py --compiler PROGRAM [--count N] [--seed S] [--keep FOLDER] [--seconds S]

A program is drawn from four tables: where a list is kept, how code comes by it, how it is changed,
and how roles use it. What the compiler takes runs centrally and projected, and must do the same.
Some rows make something of their own, or change nothing: a program with one of them should be
taken, and if it is not, the refusal is needless, and counted by its path.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "runtime" / "python")]

import judge as judging                                             # noqa: E402
from fuzz import temporary_folder                                   # noqa: E402
from judge import Judge                                             # noqa: E402
from runner.compiler import Compiler                                # noqa: E402

HEAD = '''\
import bisect
import copy
import heapq
import itertools
import operator
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import InitVar, dataclass, field
from enum import Enum
from functools import cache, cached_property, partial, reduce
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pychoral import At, Channel

S = [1]


def ident(xs: list[int]) -> list[int]:
    return xs


def first(xs: list[int], *more: int) -> list[int]:
    return xs


def last(*xs: list[int]) -> list[int]:
    return xs[-1]

def ident_pair(p: tuple[list[int], list[int]]) -> tuple[list[int], list[int]]:
    return p

def words(*, xs: list[int]) -> list[int]:
    return xs


def grow(xs: list[int]) -> None:
    xs.append(2)


def gen(xs: list[int]) -> Iterator[list[int]]:
    yield xs


class Holder:
    def __init__(self, xs: list[int]) -> None:
        self.xs = xs

    def get(self) -> list[int]:
        return self.xs

    def add(self, n: int) -> None:
        self.xs.append(n)

    @property
    def part(self) -> list[int]:
        return self.xs

    @cached_property
    def cached(self) -> list[int]:
        return self.xs

    def __call__(self) -> list[int]:
        return self.xs

    def __getitem__(self, n: int) -> list[int]:
        return self.xs

    def __enter__(self) -> list[int]:
        return self.xs

    def __exit__(self, *rest: object) -> None:
        pass

    def __iter__(self) -> Iterator[list[int]]:
        return iter([self.xs])

    @classmethod
    def made(cls, xs: list[int]) -> "Holder":
        return cls(xs)

    @staticmethod
    def same(xs: list[int]) -> list[int]:
        return xs


@dataclass
class Data:
    xs: list[int]
    n: int = 0


class Row(NamedTuple):
    xs: list[int]
    n: int


class Carry(Exception):
    def __init__(self, xs: list[int]) -> None:
        super().__init__("carried")
        self.xs = xs
'''


@dataclass(frozen=True)
class Choice:
    name: str
    text: str           # of a place: definitions
    expr: str = ""      # of a place: the list
    own: bool = False   # no role sees anything of another


def place(name: str, text: str, expr: str, own: bool = False) -> Choice:
    return Choice(name, text, expr, own)


PLACES = [
    place("module list", "", "S"),
    place("item of a dict", 'D = {"k": [1]}', 'D["k"]'),
    place("item of a list", "L = [[1], [2]]", "L[0]"),
    place("item of a tuple", "T = ([1], 2)", "T[0]"),
    place("attribute of a class", "class C:\n    xs: list[int] = [1]", "C.xs"),
    place("inherited attribute",
          "class Base:\n    xs: list[int] = [1]\n\n\nclass Der(Base):\n    pass",
          "Der.xs"),
    place("attribute of an instance", "BOX = Holder([1])", "BOX.xs"),
    place("dataclass", "P = Data([1])", "P.xs"),
    place("default_factory",
          "def seen() -> list[int]:\n    return S\n\n\n@dataclass\nclass Order:\n"
          "    log: list[int] = field(default_factory=seen)", "Order().log"),
    place("default_factory lambda",
          "@dataclass\nclass Order:\n    log: list[int] = field(default_factory=lambda: S)",
          "Order().log"),
    place("member of an enum",
          "class E(Enum):\n    P = 1\n    Q = 2\n\n    def __init__(self, n: int) "
          "-> None:\n        self.xs = [n]", "E.P.xs"),
    place("default value", "def keep(xs: list[int] = [1]) -> list[int]:\n    return xs", "keep()"),
    place("nested default", "def outer() -> Callable[[], list[int]]:\n"
          "    def keep(xs: list[int] = [1]) -> list[int]:\n        return xs\n    return keep"
          "\n\n\n"
          "KEEP = outer()", "KEEP()"),
    place("lambda", "G: Callable[[], list[int]] = lambda: S", "G()"),
    place("closure",
          "def make() -> Callable[[], list[int]]:\n    xs = [1]\n\n    def get() -> list[int]:"
          "\n        return xs\n    return get\n\n\nGET = make()", "GET()"),
    place("partial", "PART = partial(ident, S)", "PART()"),
    place("cache", "@cache\ndef kept(n: int) -> list[int]:\n    return [n]", "kept(1)"),
    place("cached_property", "BOX = Holder([1])", "BOX.cached"),
    place("property", "BOX = Holder([1])", "BOX.part"),
    place("__call__", "BOX = Holder([1])", "BOX()"),
    place("__getitem__", "BOX = Holder([1])", "BOX[0]"),
    place("bound method", "HELD = Holder([1]).get", "HELD()"),
    place("named tuple", "NT = Row([1], 2)", "NT.xs"),
    place("deque", "Q = deque([[1]])", "Q[0]"),
    place("defaultdict", 'DD: defaultdict[str, list[int]] = defaultdict(list)\nDD["k"].append(1)',
          'DD["k"]'),
    place("OrderedDict", 'OD: OrderedDict[str, list[int]] = OrderedDict()\nOD["k"] = [1]',
          'OD["k"]'),
    place("other name", "ALSO = S", "ALSO"),
    place("args of an exception", 'ERR = ValueError([1])\n\n\ndef of_error() -> list[int]:\n'
          '    got: list[int] = ERR.args[0]\n    return got', "of_error()"),
    place("filled while loading", "TAB: dict[str, list[int]] = {}\n\n\ndef put(k: str) -> None:\n"
          "    TAB[k] = [1]\n\n\nput(\"k\")", 'TAB["k"]'),
    place("decorator",
          "def deco(f: Callable[[], int]) -> Callable[[], list[int]]:\n    xs = [f()]\n\n"
          "    def got() -> list[int]:\n        return xs\n    return got"
          "\n\n\n@deco\ndef one() -> int:\n"
          "    return 1", "one()"),
    place("default of a named tuple", "class Kept(NamedTuple):\n    xs: list[int] = S",
          "Kept().xs"),
    place("part of a default", "class Kept(NamedTuple):\n    xs: list[int] = S", "Kept()[0]"),
    place("default of a dataclass",
          "HELD = Holder([1])\n\n\n@dataclass\nclass Order:\n    box: Holder = HELD",
          "Order().box.xs"),
    place("class variable of a dataclass",
          "@dataclass\nclass Order:\n    n: int = 0\n    xs: ClassVar[list[int]] = [1]",
          "Order().xs"),
    place("given to __post_init__",
          "@dataclass\nclass Order:\n    given: InitVar[list[int]]\n\n"
          "    def __post_init__(self, given: list[int]) -> None:\n        self.xs = given",
          "Order(S).xs"),
    place("not stored by __init__",
          "class Early:\n    xs: list[int] = [1]\n\n    def __init__(self, n: int) -> None:\n"
          "        if n == 0:\n            return\n        self.xs = [2]", "Early(0).xs"),
    place("value of an enum", "class E(Enum):\n    P = [1]\n    Q = [2]", "E.P.value"),
    place("__missing__",
          "class Always(dict[str, list[int]]):\n"
          "    def __missing__(self, key: str) -> list[int]:\n        return S", 'Always()["k"]'),
    place("__getattr__",
          "class Any_:\n    def __getattr__(self, name: str) -> list[int]:\n        return S",
          "Any_().xs"),
    place("descriptor",
          "class Desc:\n    def __get__(self, o: object, owner: type) -> list[int]:\n"
          "        return S\n\n\nclass Has:\n    xs: Any = Desc()", "Has().xs"),
    place("__new__",
          "class One:\n    made: ClassVar[list[int]] = [1]\n    xs: list[int]\n\n"
          "    def __new__(cls) -> \"One\":\n        o = super().__new__(cls)\n"
          "        o.xs = cls.made\n        return o", "One().xs"),
    place("__init_subclass__",
          "class Root:\n    all: ClassVar[list[list[int]]] = []\n\n"
          "    def __init_subclass__(cls) -> None:\n        Root.all.append([1])\n\n\n"
          "class Leaf(Root):\n    pass", "Root.all[0]"),
    place("metaclass",
          "class Meta(type):\n    xs: list[int] = [1]\n\n\nclass Made(metaclass=Meta):\n"
          "    pass", "Made.xs"),
    place("function attribute",
          "def host() -> None:\n    pass\n\n\nHOST: Any = host\nHOST.xs = [1]", "HOST.xs"),
    place("generator",
          "def lists() -> Iterator[list[int]]:\n    while True:\n        yield S\n\n\n"
          "LISTS = lists()", "[*zip([0], lists())][0][1]"),
    place("slots",
          "class Slim:\n    __slots__ = (\"xs\",)\n\n    def __init__(self) -> None:\n"
          "        self.xs = S", "Slim().xs"),
    place("generic class",
          "T = TypeVar(\"T\")\n\n\nclass Cell(Generic[T]):\n"
          "    def __init__(self, item: T) -> None:\n        self.item = item\n\n\n"
          "CELL = Cell([1])", "CELL.item"),
    place("mixin",
          "class Mixin:\n    def held(self) -> list[int]:\n        return self.xs\n\n"
          "    xs: list[int] = [1]\n\n\nclass Two(Holder, Mixin):\n    pass", "Two(S).held()"),
    place("made anew", "def fresh() -> list[int]:\n    return [1]", "fresh()", own=True),
    place("copied", "", "list(S)", own=True),
    place("sliced", "L = [1, 2]", "L[:]", own=True),
    place("comprehension", "", "[n for n in S]", own=True),
    place("field made anew",
          "@dataclass\nclass Order:\n    log: list[int] = field(default_factory=lambda: [1])",
          "Order().log", own=True),
    place("attribute made anew", "def box() -> Holder:\n    return Holder([1])",
          "box().xs", own=True),
]

PATHS = [Choice(name, text, own=name.startswith("own")) for name, text in (
    ("name", "x = {E}"), ("two names", "y = {E}\nx = y"), ("tuple", "x, k = {E}, 1"),
    ("star", "x, *k = {E}, 1, 2"), ("list pattern", "[x] = [{E}]"), ("item", "x = [{E}][0]"),
    ("dict item", 'x = {{"a": {E}}}["a"]'),
    ("loop", "x: list[int] = []\nfor x in [{E}]:\n    pass"),
    ("function", "x = ident({E})"), ("lambda call", "x = (lambda: {E})()"),
    ("lambda argument", "x = (lambda q: q)({E})"),
    ("comprehension", "x = [q for q in [{E}]][0]"), ("next", "x = next(iter([{E}]))"),
    ("max", "x = max([{E}], key=len)"), ("conditional", "x = {E} if len(S) > 0 else [0]"),
    ("or", "x = {E} or [0]"),
    ("match", 'x: list[int] = []\nmatch {{"o": {E}}}:\n    case {{"o": got}}:\n        x = got'),
    ("match class", "x: list[int] = []\nmatch Data({E}):\n    case Data(xs=got):\n        x = got"),
    ("with", "with Holder({E}) as x:\n    pass"), ("field", "x = Holder({E}).xs"),
    ("getter", "x = Holder({E}).get()"), ("bound method", "m = Holder({E}).get\nx = m()"),
    ("getattr", 'x: list[int] = getattr(Holder({E}), "xs")'), ("property", "x = Holder({E}).part"),
    ("cached_property", "x = Holder({E}).cached"), ("__call__", "x = Holder({E})()"),
    ("__getitem__", "x = Holder({E})[3]"), ("__iter__", "x = list(Holder({E}))[0]"),
    ("classmethod", "x = Holder.made({E}).xs"), ("staticmethod", "x = Holder.same({E})"),
    ("reduce", "x = reduce(lambda p, q: p, [{E}, [0]])"), ("map", "x = list(map(ident, [{E}]))[0]"),
    ("filter", "x = list(filter(len, [{E}]))[0]"), ("star argument", "x = first(*[{E}])"),
    ("keyword", "x = words(xs={E})"), ("double star", 'x = words(**{{"xs": {E}}})'),
    ("partial", "x = partial(ident, {E})()"), ("zip", "x = list(zip([{E}], [1]))[0][0]"),
    ("values", 'x = list({{"a": {E}}}.values())[0]'),
    ("items", 'x = list({{"a": {E}}}.items())[0][1]'),
    ("get", 'x = {{"a": {E}}}.get("a", [0])'),
    ("setdefault", 'x = {{"a": {E}}}.setdefault("a", [0])'),
    ("pop", "x = [{E}].pop()"), ("generator", "x = list(gen({E}))[0]"),
    ("generator expression", "x = next(q for q in [{E}])"), ("walrus", "if (x := {E}):\n    pass"),
    ("exception",
    "x: list[int] = []\ntry:\n    raise Carry({E})\nexcept Carry as e:\n    x = e.xs"),
    ("chain", "x = list(itertools.chain([{E}], [[0]]))[0]"), ("deque", "x = deque([{E}])[0]"),
    ("dataclass", "x = Data({E}).xs"), ("named tuple", "x = Row({E}, 1).xs"),
    ("named tuple item", "x = Row({E}, 1)[0]"), ("sorted", "x = sorted([{E}], key=len)[0]"),
    ("reversed", "x = list(reversed([{E}]))[0]"), ("enumerate", "x = list(enumerate([{E}]))[0][1]"),
    ("dict call", 'x = dict(a={E})["a"]'), ("copy", "x = copy.copy([{E}])[0]"),
    ("nested function", "def inner() -> list[int]:\n    return {E}\nx = inner()"),
    ("nonlocal", "x: list[int] = []\ndef inner() -> None:\n    nonlocal x\n    x = {E}\ninner()"),
    ("stored", "h = Holder([])\nh.xs = {E}\nx = h.xs"),
    ("setattr", 'h = Holder([])\nsetattr(h, "xs", {E})\nx = h.xs'),
    ("appended", "rows: list[list[int]] = []\nrows.append({E})\nx = rows[0]"),
    ("put in", 'd: dict[str, list[int]] = {{}}\nd["q"] = {E}\nx = d["q"]'),
    ("second part", "pair = ([9], {E})\nx = pair[1]"),
    ("some part", "x = ([9], {E})[len(S[:0]) + 1]"),
    ("part of a slice", "x = ([9], [8], {E})[1:][1]"),
    ("part of a sum", "x = (([9],) + ({E},))[1]"), ("part of tuple()", "x = tuple(([9], {E}))[1]"),
    ("after a star", "x = (*([9],), {E})[1]"), ("under a star", "x = [*([9], {E})][1]"),
    ("star arguments", "x = last(*([9], {E}))"), ("rest", "k, *rest = [9], [8], {E}\nx = rest[1]"),
    ("extended by a tuple",
    "rows: list[list[int]] = []\nrows.extend(([9], {E}))\nx = rows[1]"),
    ("added a tuple", "rows: list[list[int]] = []\nrows += ([9], {E})\nx = rows[1]"),
    ("slice of a tuple", "rows: list[list[int]] = []\nrows[:] = ([9], {E})\nx = rows[1]"),
    ("updated by pairs",
    'd: dict[str, list[int]] = {{}}\nd.update((("p", [9]), ("q", {E})))\nx = d["q"]'),
    ("dict of pairs", 'x = dict((("p", [9]), ("q", {E})))["q"]'),
    ("loop over a tuple", "x: list[int] = []\nfor x in ([9], {E}):\n    pass"),
    ("loop over pairs", "x: list[int] = []\nfor k, x in ((1, [9]), (2, {E})):\n    pass"),
    ("deque of a tuple", "x = deque(([9], {E}))[1]"), ("made", "x = Row._make(({E}, 1)).xs"),
    ("replaced", "x = Row([9], 1)._replace(xs={E}).xs"),
    ("tuple through a function", "x = ident_pair(([9], {E}))[1]"),
    ("own: other part", "x = ({E}, [9])[1]"), ("own: other part, kept", "p = ({E}, [9])\nx = p[1]"),
    ("own: list", "x = list({E})"), ("own: slice", "x = {E}[:]"), ("own: copy", "x = {E}.copy()"),
    ("own: star", "x = [*{E}]"), ("own: sorted", "x = sorted({E})"), ("own: sum", "x = {E} + [0]"),
    ("own: deepcopy", "x = copy.deepcopy({E})"), ("own: comprehension", "x = [q for q in {E}]"),
    ("own: copy.copy", "x = copy.copy({E})"), ("own: map", "x = list(map(abs, {E}))"),
    ("own: list of items", "x = [{E}[0]]"), ("own: other argument", "x = first([1], len({E}))"))]

MUTATIONS = [Choice(name, text, own=name.startswith("none")) for name, text in (
    ("append", "x.append(2)"), ("extend", "x.extend([2])"), ("insert", "x.insert(0, 2)"),
    ("pop", "x.pop() if x else 0"), ("remove", "x += [1]\nx.remove(x[0])"), ("clear", "x.clear()"),
    ("reverse", "x += [3]\nx.reverse()"), ("sort", "x.append(-1)\nx.sort()"),
    ("store", "x[:1] = [9]"),
    ("augmented item", "x[0] += 1"), ("augmented", "x += [2]"), ("multiplied", "x *= 2"),
    ("del", "x += [1]\ndel x[0]"), ("slice", "x[:] = [7, 8]"), ("dunder", "x.__setitem__(0, 9)"),
    ("through the class", "list.append(x, 2)"), ("iadd", "operator.iadd(x, [2])"),
    ("setitem", "operator.setitem(x, 0, 9)"), ("heappush", "heapq.heappush(x, 0)"),
    ("insort", "bisect.insort(x, 1)"), ("method as value", "put = x.append\nput(2)"),
    ("lambda", "(lambda: x.append(2))()"), ("helper", "grow(x)"),
    ("map", "list(map(x.append, [2, 3]))"), ("comprehension", "[x.append(i) for i in (1, 2)]"),
    ("target", "x[0], k2 = 7, 8"), ("loop target", "for x[0] in (5, 6):\n    pass"),
    ("getattr", 'getattr(x, "append")(2)'), ("partial", "partial(x.append, 2)()"),
    ("methodcaller", 'operator.methodcaller("append", 2)(x)'), ("object", "Holder(x).add(2)"),
    ("nested function", "def change_it() -> None:\n    x.append(2)\nchange_it()"),
    ("reduce", "reduce(operator.iadd, [[2]], x)"),
    ("none: len", "k3 = len(x)"), ("none: sum", "k3 = sum(x)"), ("none: index", "k3 = x[0]"),
    ("none: loop", "k3 = 0\nfor q in x:\n    k3 += q"), ("none: text", "k4 = str(x)"),
    ("none: compare", "k5 = x == [1]"))]

USES = [Choice(name, text, own=name.startswith("own")) for name, text in (
    ("both print", "change()@A\nprint(peek()@B)\nprint(ch.com(a))"),
    ("condition",
    "change()@A\nif peek() == \"[1]\":\n    print(ch.com(5@B))\nelse:\n    print(ch.com(6@A))"),
    ("B changes", "print(peek()@A)\nchange()@B\nprint(peek()@A)\nprint(peek()@B)"),
    ("both change", "change()@A\nchange()@B\nprint(peek()@B)"),
    ("sent", "change()@A\nb = ch.com(a)\nif b > 0:\n    print(peek()@B)"),
    ("length", "change()@A\nprint(size()@B)"),
    ("in a loop", "for i in range(2):\n    change()@A\n    print(peek()@B)"),
    ("in a choreography", "helper(ch, a)\nprint(peek()@B)"),
    ("changed between", "print(peek()@B)\nchange()@A\nprint(size()@B)"),
    ("through a parameter", "show: At[str, B] = peek()\nchange()@A\nprint(show)\nprint(peek()@B)"),
    ("own: A alone", "change()@A\nprint(peek()@A, size()@A)\nprint(ch.com(a))"),
    ("own: B alone", "change()@B\nprint(peek()@B)\nprint(ch.com(a))"),
    ("own: loading", "print(peek()@A)\nprint(peek()@B)\nprint(size()@B)\nprint(ch.com(a))"))]


def indented(text: str, by: str = "    ") -> str:
    return "".join(f"{by}{line}\n" for line in text.split("\n"))


@dataclass
class Program:
    choices: tuple[Choice, Choice, Choice, Choice]

    @property
    def own(self) -> bool:
        return any(choice.own for choice in self.choices)

    def text(self) -> str:
        where, path, mutation, use = self.choices
        loading = "\n\nchange()\n" if use.name == "own: loading" else ""
        change = indented(path.text.format(E=where.expr) + "\n" + mutation.text)
        return (f"{HEAD}\n\n{where.text}\n\n\ndef change() -> None:\n{change}{loading}\n\n"
                f"def peek() -> str:\n    return str({where.expr})\n\n\n"
                f"def size() -> int:\n    return len({where.expr})\n\n\n"
                "def helper(ch: Channel[int, X, Y], a: At[int, X]) -> None:\n"
                "    change()@X\n    print(ch.com(a))\n\n\n"
                "def main(ch: Channel[int, A, B], a: At[int, A] = 3) -> None:\n"
                + indented(use.text))


def draw(seed: int) -> Program:
    luck = random.Random(seed)
    program = Program((luck.choice(PLACES), luck.choice(PATHS), luck.choice(MUTATIONS),
                       luck.choice(USES)))
    own = luck.randrange(4)         # enough that should be taken
    tables = (PLACES, PATHS, MUTATIONS, USES)
    choices = list(program.choices)
    if own < 3 and luck.randrange(2):
        table = luck.randrange(4)
        choices[table] = luck.choice([c for c in tables[table] if c.own])
    return Program((choices[0], choices[1], choices[2], choices[3]))


@dataclass
class Run:
    keep: Path
    taken: int = 0
    refused: int = 0
    other: int = 0
    endless: int = 0
    failures: int = 0

    def __post_init__(self) -> None:
        self.should = Counter[str]()
        self.needless = Counter[str]()

    def one(self, judge: Judge, seed: int) -> None:
        program = draw(seed)
        source = judge.folder / f"state{seed}.pyc"
        source.write_text(program.text(), encoding="utf-8")
        verdict = judge.judge(source, 1, False)
        kind = " / ".join(choice.name for choice in program.choices)
        if program.own:
            self.should[program.choices[1].name] += 1
        if verdict.failed:
            self.failures += 1
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / source.name).write_text(program.text(), encoding="utf-8")
            print(f"seed {seed}: {verdict.kind}: {kind}\n{verdict.text}", flush=True)
        elif verdict.kind == "refused" and "E0408" in verdict.text:
            self.refused += 1
            if program.own:
                self.needless[program.choices[1].name] += 1
                print(f"needless: seed {seed}: {kind}", flush=True)
        elif verdict.kind == "refused":
            self.other += 1
            print(f"other refusal: seed {seed}: {kind}: {verdict.text[:300]}", flush=True)
        elif verdict.kind == "endless":
            self.endless += 1
        else:
            self.taken += 1

    def say(self) -> None:
        should, needless = sum(self.should.values()), sum(self.needless.values())
        print(f"{self.taken} taken, {self.refused} refused (E0408), "
              f"{self.other} refused otherwise, "
              f"{self.endless} without end, {self.failures} failed")
        print(f"needless refusals: {needless} of {should}")
        for name, count in self.needless.most_common():
            print(f"  {name}: {count} of {self.should[name]}")
        wrong = self.failures
        print(f"{self.taken + self.refused - needless} passed, {wrong} failed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", type=Path, required=True, help="`fuzz_serve` lies beside it")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="1", help="the first seed, or `fresh`")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz/failed"))
    parser.add_argument("--seconds", type=float, default=1e9, help="draw none after so long")
    parser.add_argument("--show", type=int, help="print the program of this seed")
    options = parser.parse_args()
    if options.show is not None:
        print(draw(options.show).text())
        return 0
    seed = random.SystemRandom().randrange(10**9) if options.seed == "fresh" else int(options.seed)
    with tempfile.TemporaryDirectory(prefix="pychoral-fuzz-", dir=temporary_folder()) as name:
        print(f"seed {seed}: {options.count} programs of module state", flush=True)
        judging.SCHEDULES = 1       # a second one would find what the first has changed
        judge, run, start = Judge(Compiler(options.compiler.resolve(), []), Path(name)), \
            Run(options.keep), time.monotonic()
        for each in range(seed, seed + options.count):
            if time.monotonic() - start > options.seconds:
                break
            run.one(judge, each)
        judge.close()
        run.say()
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
