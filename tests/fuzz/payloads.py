#!/usr/bin/env python3
"""Random pairs of a payload type and a value: payloads.py N [SEED] [--compiler FILE] [--no-c]

What arrives, or that nothing is sent, says a model of the rule (runtime/PROTOCOL.md 5.6): `arrives`
below, which knows nothing of the product. The type of the argument may be narrower than what the
channel carries, which decides. Fifty pairs are one program, which runs centrally, in Python and in
C; each value is shown with its type. A pair that is refused by its sender is a program of its own,
and the sentence is looked at. A pair that fails is printed with its seed: `payloads.py 1 SEED`
repeats it.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import enum
import os
import random
import re
import subprocess
import sys
import tempfile
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"
BATCH = 50

CLASSES = '''\
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import AbstractSet, Generic, Literal, NamedTuple, TypeVar
from pychoral import At, Channel

T = TypeVar("T")

class Col(Enum):
    R = 1
    G = "g"

class Num(IntEnum):
    ONE = 1
    TWO = 2

class Txt(str, Enum):
    A = "a"
    B = "b"

class Money(int):
    pass

class Name(str):
    pass

class Ratio(float):
    pass

class Raw(bytes):
    pass

class Items(list[int]):
    pass

class Pair(NamedTuple):
    a: int
    b: int

@dataclass
class P:
    a: int
    b: float

@dataclass
class Q(P):
    c: list[float]

class Between(Q):
    pass

@dataclass
class Below(Between):
    d: float | str | None

@dataclass(frozen=True)
class Key:
    n: float

@dataclass(frozen=True)
class Tag(Key):
    m: Col

@dataclass
class Box(Generic[T]):
    v: T

@dataclass
class Crate(Box[T]):
    w: object

@dataclass
class Wide:
    s: Sequence[float]
    o: object

def show(at: int, x: object) -> None:
    print(at, type(x).__name__, repr(x))
'''


class Refused(Exception):
    """Nothing stands for the value: its sender says so, in these words."""


TOO_LARGE = "an int too large for a float"
OVERFLOW = "OverflowError: int too large to convert to float"
ALIKE = {"dict": "a dict with two keys that have the same encoding",
         "set": "a set with two elements that have the same encoding"}


# ---- the rule ----


def arrives(want: Any, value: Any) -> Any:
    """What a receiver that expects `want` has of a value."""
    origin, given = typing.get_origin(want) or want, typing.get_args(want)
    if origin is typing.Literal:
        return plain(value)
    if origin in (typing.Union, type(int | str)):
        return of_union(given, value)
    if want is object:
        return opened(value)
    if want in (bool, None, type(None)) or isinstance(want, type) and issubclass(want, enum.Enum):
        return value
    if origin in NUMBERS or origin in (str, bytes):
        return scalar(origin, value)
    if origin in ABSTRACT:
        return of_abstract(origin, given, value)
    if dataclasses.is_dataclass(origin):
        return fields(value, {} if not given else {TYPES["T"]: given[0]})
    return container(origin, given, value)


NUMBERS = (int, float, complex)
ABSTRACT: tuple[Any, ...] = (collections.abc.Sequence, collections.abc.Collection,
                             collections.abc.Iterable, collections.abc.Mapping,
                             collections.abc.Set)


def plain(value: Any) -> Any:
    """The builtin that an instance of a subclass is."""
    if type(value) is bool or value is None:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    for base in (int, float, complex, bytes):
        if isinstance(value, base):
            return base(value)
    return bytes(value) if isinstance(value, bytearray) else value


def scalar(want: type, value: Any) -> Any:
    value = plain(value)
    if want in NUMBERS[1:] and not isinstance(value, want):
        try:
            return want(float(value) if isinstance(value, int) else value)
        except OverflowError:
            raise Refused(TOO_LARGE) from None
    return value


def fields(value: Any, bound: dict[Any, Any]) -> Any:
    """A dataclass stays what it is; its fields arrive by their types."""
    made = object.__new__(type(value))
    for name, kind in typing.get_type_hints(type(value)).items():
        kind = bound.get(kind, object) if isinstance(kind, typing.TypeVar) else kind
        object.__setattr__(made, name, arrives(kind, getattr(value, name)))
    return made


def container(kind: Any, given: tuple[Any, ...], value: Any) -> Any:
    if kind is dict:
        made = {arrives(given[0], key): arrives(given[1], item) for key, item in value.items()}
        if len(made) != len(value):
            raise Refused(ALIKE["dict"])
        return made
    if kind is tuple and given[-1] is not Ellipsis:
        return tuple(map(arrives, given, value))
    parts = [arrives(given[0], part) for part in value]
    whole = kind(parts)
    if len(whole) != len(parts):
        raise Refused(ALIKE["set"])
    return whole


def of_abstract(kind: Any, given: tuple[Any, ...], value: Any) -> Any:
    mapping = isinstance(value, collections.abc.Mapping)
    if isinstance(value, (str, bytes, bytearray)):
        return plain(value)
    for base in (list, tuple, set, frozenset):
        if isinstance(value, base):
            return container(base, (given[0], ...) if base is tuple else given, value)
    if mapping:
        return container(dict, given if len(given) == 2 else (given[0], object), dict(value))
    return container(set if kind is collections.abc.Set else list, given, list(value))


def base_of(want: Any) -> Any:
    return typing.get_origin(want) or want


def of_union(members: tuple[Any, ...], value: Any) -> Any:
    """The member that is the value's own class, then the nearest base, then what converts."""
    for base in type(value).__mro__:
        for member in members:
            literal = typing.get_origin(member) is typing.Literal
            if (any(type(each) is base and each == value for each in typing.get_args(member))
                    if literal else base_of(member) is base):
                return arrives(member, value)
    for member in members:
        if base_of(member) in NUMBERS and isinstance(value, (int, float)):
            return arrives(member, value)
    for member in members:
        if base_of(member) in ABSTRACT and isinstance(value, base_of(member)):
            return arrives(member, value)
    return opened(value)


def opened(value: Any) -> Any:
    """As `object`: nothing is converted but what is no listed type."""
    if isinstance(value, enum.Enum):
        return value
    if dataclasses.is_dataclass(value):
        return fields(value, {})
    for base in (list, tuple, set, frozenset, dict):
        if isinstance(value, base):
            given = {dict: (object, object), tuple: (object, ...)}.get(base, (object,))
            return container(base, given, value)
    return plain(value)


def promoted(want: Any, given: Any, value: Any) -> Any:
    """A static promotion at a message is a conversion in the program (language.md)."""
    numbers = {float: (int, bool), int: (bool,), complex: (int, bool, float)}
    try:
        return want(value) if given in numbers.get(want, ()) else value
    except OverflowError:
        raise Refused(OVERFLOW) from None


def read_as(want: Any, given: Any) -> Any:
    """What the channel's type leaves open, the argument's says, if it is one that can be sent."""
    origin, parts = typing.get_origin(given) or given, typing.get_args(given)
    whole, of = typing.get_origin(want) or want, typing.get_args(want)
    if want is object:
        return given
    if whole is tuple is origin and len(parts) == len(of) and Ellipsis not in (*parts, *of):
        return tuple[tuple(map(read_as, of, parts))]
    if whole is tuple is origin:                # one of any length, at least
        of = of if of[-1] is Ellipsis else (want,)
    elif whole not in ABSTRACT or not parts or isinstance(given, type(int | str)):
        return want
    if of == (want,):
        return want
    if origin is tuple and parts[-1] is not Ellipsis:
        return tuple[tuple(read_as(of[0], part) for part in parts)]
    if origin is tuple:
        return tuple[read_as(of[0], parts[0]), ...]
    if origin in (list, set, frozenset, dict):
        of = (*of, object)[: len(parts)]
        return origin[tuple(map(read_as, of, parts))]
    return whole[tuple(map(read_as, of, parts))] if len(parts) == len(of) else want


# ---- what is drawn ----

TYPES: dict[str, Any] = {}
Draw = Callable[["Source", int], str]


@dataclasses.dataclass
class Source:
    """Texts of types, and of values for them."""

    random: random.Random

    def one(self, *texts: str) -> str:
        return self.random.choice(texts)

    def of(self, want: str, depth: int) -> str:
        return value_of(self, want, depth)

    def several(self, want: str, depth: int, most: int = 3) -> list[str]:
        return [self.of(want, depth) for _ in range(self.random.randrange(most + 1))]


HASHABLE = ("int", "float", "str", "Col", "Key", "bool", "tuple[float, str]", "int | str")
LEAVES = ("int", "float", "complex", "str", "bytes", "bool", "Col", "Num", "Txt", "P", "Q", "Key",
          "object", "int | str", "float | None", "int | float", "float | str | None", "Wide",
          'Literal["a", 2]', 'Literal["r", "w"]', "Literal[-1, True]", 'Literal["r"] | None',
          'int | Literal["r", b"q"]', "P | Key", "list[float] | None")


def type_text(s: Source, depth: int) -> str:
    if depth == 0 or s.random.random() < 0.35:
        return s.one(*LEAVES)
    form = s.one("list[{}]", "tuple[{}, ...]", "tuple[{}, {}]", "dict[@, {}]", "set[@]",
                 "frozenset[@]", "Box[{}]", "Crate[{}]", "Sequence[{}]", "Collection[{}]",
                 "Iterable[{}]", "Mapping[@, {}]", "AbstractSet[@]", "list[{}]", "dict[@, {}]")
    while "{}" in form:
        form = form.replace("{}", type_text(s, depth - 1), 1)
    return form.replace("@", s.one(*HASHABLE))


def arguments(text: str) -> list[str]:
    """Of `x[a, b]` a and b."""
    inside, depth, found = text[text.index("[") + 1 : -1], 0, [""]
    for letter in inside:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found]


def alternatives(text: str) -> list[str]:
    depth, found = 0, [""]
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found]


INTS = ("0", "1", "-7", "2**53", "2**53 + 1", "2**70", "True", "Money(3)", "Num.TWO", "10**400")
SCALARS: dict[str, tuple[str, ...]] = {
    "int": INTS,
    "bool": ("True", "False"),
    "float": ("0.5", "-0.0", "1e300", "float('inf')", "Ratio(1.5)", *INTS),
    "complex": ("1j", "2.5", "3", "Ratio(0.5)", "True"),
    "str": ("''", "'a'", "'\\U0001f600'", "Name('n')", "Txt.B", "'x' * 40"),
    "bytes": ("b''", "b'ab'", "Raw(b'r')", "bytearray(b'z')", "bytes(70000)[:3]"),
    "Col": ("Col.R", "Col.G"),
    "Num": ("Num.ONE", "Num.TWO"),
    "Txt": ("Txt.A", "Txt.B"),
    "None": ("None",),
    'Literal["a", 2]': ("'a'", "2"),
    'Literal["r", "w"]': ("'r'", "'w'"),
    'Literal["r"]': ("'r'",),
    'Literal["r", b"q"]': ("'r'", "b'q'"),
    "Literal[-1, True]": ("-1", "True"),
    "object": ("None", "1", "Money(2)", "Name('o')", "Col.G", "Num.ONE", "P(1, 2)", "[1, 2.5]",
               "Below(1, 2, [3], 4)", "(1, 'a')", "Pair(1, 2)", "{'k': 1}", "Counter('aab')",
               "{1, 2}", "Tag(1, Col.R)", "frozenset({1})", "Items([1])", "Box(1)",
               "OrderedDict([('a', 1)])", "bytearray(b'q')"),
}


# Types of which values are sent where their base is expected, though none of them is sent itself.
UNSENT = {"Money": ("Money(3)", "Money(2**60)"), "Name": ("Name('n')",), "Ratio": ("Ratio(1.5)",),
          "Items": ("Items([1, 2])",), "Pair": ("Pair(1, 2)",), "range": ("range(3)",),
          "Counter[str]": ("Counter('aab')",), "deque[int]": ("deque([1, True])",)}
NARROWER = {"float": ("int", "bool", "Num", "Money", "Ratio"), "complex": ("float", "int", "bool"),
            "int": ("bool", "Num", "Money"), "str": ("Txt", "Name"), "P": ("Q", "Below"),
            "Key": ("Tag",), "bytes": ("Raw",)}
UNSENT["Raw"] = ("Raw(b'r')",)
PROPER = {"int": ("Items", "deque[int]", "range", "Pair"), "str": ("str", "Counter[str]")}


def narrower(s: Source, want: str) -> str:
    """A type that Python takes where `want` is expected."""
    union = alternatives(want)
    if len(union) > 1:
        some = s.random.sample(union, s.random.randrange(1, len(union) + 1))
        return " | ".join(some) if len(some) > 1 else narrower(s, some[0])
    if want == "object":
        return type_text(s, s.random.randrange(2))
    if s.random.random() < 0.2 or "[" not in want or want.startswith("Literal"):
        return s.one(want, *NARROWER.get(want, ()))
    name, given = want.partition("[")[0], arguments(want)
    inner = [narrower(s, each) if each != "..." else each for each in given]
    if name in ("Sequence", "Collection", "Iterable"):
        if given[0] in PROPER and name != "Sequence" and s.random.random() < 0.2:
            return s.one(*PROPER[given[0]])
        forms = ["list[{}]", "tuple[{}, ...]", "tuple[{}, {}]", "Sequence[{}]"]
        forms += ["Collection[{}]", "frozenset[@]"] if name != "Sequence" else []
        form = s.one(*forms, f"{name}[{{}}]")
        hashable = inner[0] if inner[0] in HASHABLE else None
        if "@" in form and hashable is None:
            form = "list[{}]"
        return form.replace("{}", inner[0]).replace("@", str(hashable))
    if name in ("Mapping", "AbstractSet"):
        names = {"Mapping": ("Mapping", "dict"), "AbstractSet": ("frozenset", "AbstractSet")}
        return f"{s.one(*names[name])}[{', '.join([given[0], *inner[1:]])}]"
    return f"tuple[{', '.join(inner)}]" if name == "tuple" else want


def value_of(s: Source, want: str, depth: int) -> str:
    union = alternatives(want)
    if len(union) > 1:
        return s.of(s.one(*union), depth)
    if want in SCALARS:
        return s.one(*SCALARS[want])
    if want in UNSENT:
        return s.one(*UNSENT[want])
    name = want.partition("[")[0]
    given = arguments(want) if "[" in want else []
    return VALUES[name](s, given, depth - 1)


def dataclass_p(s: Source, given: list[str], depth: int) -> str:
    texts = (f"P({s.of('int', 0)}, {s.of('float', 0)})", dataclass_q(s, given, depth))
    return s.one(*texts)


def dataclass_q(s: Source, given: list[str], depth: int) -> str:
    start = f"{s.of('int', 0)}, {s.of('float', 0)}, [{', '.join(s.several('float', 0))}]"
    return s.one(f"Q({start})", f"Below({start}, {s.of('float | str | None', 0)})")


def dataclass_key(s: Source, given: list[str], depth: int) -> str:
    return s.one(f"Key({s.of('float', 0)})", f"Tag({s.of('float', 0)}, {s.of('Col', 0)})")


def in_list(s: Source, given: list[str], depth: int) -> str:
    if given == ["int"] and s.random.random() < 0.2:
        return "Items([1, 2])"
    return f"[{', '.join(s.several(given[0], depth))}]"


def in_tuple(s: Source, given: list[str], depth: int) -> str:
    if given[-1] == "...":
        return f"({''.join(each + ', ' for each in s.several(given[0], depth))})"
    return f"({''.join(s.of(each, depth) + ', ' for each in given)})"


def in_set(s: Source, given: list[str], depth: int) -> str:
    items = s.several(given[0], depth)
    return f"{{{', '.join(items)}}}" if items else "set()"


def in_frozenset(s: Source, given: list[str], depth: int) -> str:
    return f"frozenset([{', '.join(s.several(given[0], depth))}])"


def in_dict(s: Source, given: list[str], depth: int) -> str:
    count = s.random.randrange(3)
    rows = [f"{s.of(given[0], depth)}: {s.of(given[1], depth)}" for _ in range(count)]
    return f"{{{', '.join(rows)}}}"


def in_sequence(s: Source, given: list[str], depth: int) -> str:
    texts = [in_list(s, given, depth), in_tuple(s, [given[0], "..."], depth),
             f"deque({in_list(s, [given[0]], depth)})"]
    if given[0] in ("int", "float", "object"):
        texts.append("range(3)")
    if given[0] in ("str", "object"):
        texts.append("'text'")
    return s.one(*texts)


def in_collection(s: Source, given: list[str], depth: int) -> str:
    return in_sequence(s, given, depth)


def in_abstract_set(s: Source, given: list[str], depth: int) -> str:
    return s.one(in_set(s, given, depth), in_frozenset(s, given, depth))


VALUES: dict[str, Callable[[Source, list[str], int], str]] = {
    "Below": lambda s, given, depth: f"Below({s.of('int', 0)}, 1.5, [], {s.of('float', 0)})",
    "Tag": lambda s, given, depth: f"Tag({s.of('float', 0)}, {s.of('Col', 0)})",
    "P": dataclass_p, "Q": dataclass_q, "Key": dataclass_key, "list": in_list, "tuple": in_tuple,
    "dict": in_dict, "set": in_set, "frozenset": in_frozenset, "Sequence": in_sequence,
    "Collection": in_collection, "Iterable": in_collection, "Mapping": in_dict,
    "AbstractSet": in_abstract_set,
    "Box": lambda s, given, depth: f"Box({s.of(given[0], depth)})",
    "Crate": lambda s, given, depth: f"Crate({s.of(given[0], depth)}, {s.of('object', 0)})",
    "Wide": lambda s, given, depth: f"Wide({in_sequence(s, ['float'], 0)}, {s.of('object', 0)})",
}


@dataclasses.dataclass
class Pair:
    seed: int
    want: str
    given: str      # the argument's type
    text: str
    form: str       # com, share; `generic`: what is sent is of the type parameter of a function
    shown: str | None
    refused: str    # why its sender refuses it, if nothing is shown


def shown(value: Any) -> str:
    return f"{type(value).__name__} {value!r}"


def draw(seed: int) -> Pair:
    """The pair of a seed; what Python itself cannot make is drawn again."""
    s = Source(random.Random(seed))
    while True:
        want = given = type_text(s, s.random.randrange(3))
        if s.random.random() < 0.6:
            given = narrower(s, want)
        text = value_of(s, given, 3)
        form = s.one("com", "com", "com", "share", "share", "generic")
        try:
            value = eval(text, TYPES)
        except TypeError:
            continue
        channel, argument = eval(want, TYPES), eval(given, TYPES)
        result, why = None, ""
        try:
            value = promoted(channel, argument, value)
            # T is what the channel carries; an open one leaves it to the argument.
            whole = given in UNSENT or (form == "generic" and want != "object")
            result = shown(arrives(channel if whole else read_as(channel, argument), value))
        except Refused as refused:
            why = str(refused)
        return Pair(seed, want, given, text, form, result, why)


# ---- programs ----


def program(pairs: list[Pair]) -> str:
    """All pairs, one after the other; the number of a pair is its line's."""
    text = CLASSES
    for i, pair in enumerate(pairs):
        text += f"\ndef f{i}() -> {pair.given}:\n    return {pair.text}\n"
        if pair.form == "generic":
            text += f"\ndef g{i}(ch: Channel[T, A, B], x: At[T, A]) -> At[T, B]:\n"
            text += "    return ch.com(x)\n"
    channels = ", ".join(f"c{i}: Channel[{pair.want}, A, B]" for i, pair in enumerate(pairs))
    text += f"\ndef main({channels}) -> None:\n"
    for i, pair in enumerate(pairs):
        if pair.form == "share":
            text += f"    x{i} = c{i}.share(f{i}()@A)\n"
        elif pair.form == "generic":
            text += f"    x{i} = g{i}(c{i}, f{i}()@A)\n"
        else:
            text += f"    x{i}: At[{pair.want}, B] = c{i}.com(f{i}()@A)\n"
        text += f"    show({i}, x{i})\n"
    return text


class Trial:
    """Programs of pairs, and what they print."""

    def __init__(self, compiler: str, folder: Path) -> None:
        self.compiler = compiler
        self.folder = folder
        self.failures: list[str] = []
        self.travelled = self.in_c = self.refused = self.refused_in_c = 0

    def call(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, "PYTHON": PYTHON, "PYTHONPATH": str(ROOT / "runtime/python"),
               "PYTHONHASHSEED": "0"}
        return subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True, env=env,
                              timeout=300)

    def write(self, pairs: list[Pair]) -> None:
        (self.folder / "t.pyc").write_text(program(pairs), encoding="utf-8")

    def go(self, way: str) -> "subprocess.CompletedProcess[str]":
        """The program that was written last."""
        if way == "in C":
            return self.call(self.compiler, "run", "t.pyc", "--target=c")
        if way == "in Python":
            return self.call(self.compiler, "run", "t.pyc")
        made = self.call(self.compiler, "t.pyc", "--erase", "-o", "central.py", "-q", "--force")
        return made if made.returncode != 0 else self.call(PYTHON, "central.py")

    def fail(self, pair: Pair, what: str) -> None:
        self.failures.append(f"seed {pair.seed}: {pair.form} of `{pair.text}`, a "
                             f"`{pair.given}`, as `{pair.want}`: {what}")

    def compare(self, way: str, pairs: list[Pair], printed: str) -> None:
        """Lines of both roles, as `B: 3 float 1.0`."""
        lines: dict[tuple[str, int], str] = {}
        for line in printed.splitlines():
            found = re.fullmatch(r"([AB]): (\d+) (.*)", line)
            if found:
                lines[found[1], int(found[2])] = found[3]
        for i, pair in enumerate(pairs):
            for role in "AB" if pair.form == "share" else "B":
                got = lines.get((role, i), "nothing")
                if got != pair.shown and sorted(got) != sorted(pair.shown or ""):   # order of sets
                    self.fail(pair, f"{way}, {role} shows {got}, not {pair.shown}")

    def run(self, pairs: list[Pair], with_c: bool) -> None:
        pairs = self.accepted(pairs)
        if not pairs:
            return
        self.write(pairs)
        self.travelled += len(pairs)
        self.whole("centrally", pairs, self.go("centrally"))
        self.whole("in Python", pairs, self.go("in Python"))
        if with_c:
            self.run_c(pairs)

    def whole(self, way: str, pairs: list[Pair],
              done: "subprocess.CompletedProcess[str]") -> None:
        if done.returncode == 0:
            self.compare(way, pairs, done.stdout)
        elif len(pairs) == 1:
            self.fail(pairs[0], f"{way}: {done.stderr.strip()[-300:]}")
        else:                                   # which of them it is
            for half in (pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]):
                self.write(half)
                self.whole(way, half, self.go(way))
            self.write(pairs)

    def complaints(self, *command: str) -> tuple[dict[int, str], str]:
        """By the line of the program the code of what is said there."""
        done = self.call(self.compiler, *command, "--error-format=short", "--max-errors=0")
        said = done.stdout + done.stderr
        return {int(line): f"{code} {rest}" for line, code, rest in
                re.findall(r"^t\.pyc:(\d+):\d+:.*?\b(E\d{4})\b(.*)", said, re.M)}, said

    def of_lines(self, pairs: list[Pair], said: dict[int, str]) -> dict[int, str]:
        """By pair."""
        text = program(pairs).splitlines()
        found: dict[int, str] = {}
        for line, what in said.items():
            class_ = re.match(r"class (\w+)", text[line - 1])
            for i, pair in enumerate(pairs):
                if class_ and re.search(rf"\b{class_[1]}\b", f"{pair.text} {pair.given}"):
                    found.setdefault(i, what)
            for near in (line, line - 1):       # of a function, or of `main`
                match = re.search(r"^def [fg](\d+)|\b[cg](\d+)(?:\.(?:com|share)|\()|show\((\d+)",
                                  text[near - 1])
                if match:
                    found.setdefault(int(match[1] or match[2] or match[3]), what)
                    break
        return found

    def accepted(self, pairs: list[Pair]) -> list[Pair]:
        """Without the pairs that the checker refuses: that is a failure, as all may be sent."""
        while pairs:                    # some is said only where nothing else is wrong
            self.write(pairs)
            said, _ = self.complaints("check", "t.pyc")
            wrong = self.of_lines(pairs, said)
            for i, what in wrong.items():
                if what.startswith(("E0504", "E07", "E08")):
                    self.fail(pairs[i], f"check: {what}")
            if not wrong:
                break
            pairs = [pair for i, pair in enumerate(pairs) if i not in wrong]
        return pairs

    def run_c(self, pairs: list[Pair]) -> None:
        self.write(pairs)
        for _ in range(8):
            said, text = self.complaints("t.pyc", "--target=c", "-o", "c", "-q", "--force")
            wrong = self.of_lines(pairs, said)
            for i, what in wrong.items():
                if not what.startswith(("E0802", "E0210")):
                    self.fail(pairs[i], f"C: {what}")
            if said and not wrong:
                self.failures.append(f"seeds {pairs[0].seed}..: C: {text[:400]}")
                return
            pairs = [pair for i, pair in enumerate(pairs) if i not in wrong]
            self.write(pairs)
            if not wrong or not pairs:
                break
        if pairs:
            self.in_c += len(pairs)
            self.whole("in C", pairs, self.go("in C"))

    def refuse(self, pair: Pair, with_c: bool) -> None:
        """Its sender says why, before anything is sent, and in the same words everywhere."""
        if not self.accepted([pair]):
            return
        self.refused += 1
        ways = ["centrally", "in Python", "in C"][: 2 + with_c]
        said = {way: self.sentence(self.go(way)) for way in ways}
        if said.get("in C", "").startswith(("E0802", "E0210")):
            del said["in C"]
        self.refused_in_c += "in C" in said
        for way, sentence in said.items():
            same = said["in Python"]
            if way == "in C":
                same = re.sub(r"[^ -~]", "?", same)     # it shows ASCII alone
            if pair.refused not in sentence or sentence != same:
                self.fail(pair, f"{way}, its sender says `{sentence}`, not `{pair.refused}`")

    def sentence(self, done: "subprocess.CompletedProcess[str]") -> str:
        """How the traceback of A ends; or why the program cannot be in C."""
        said = done.stdout + done.stderr
        code = re.search(r"error\[(E08\d\d|E0210)\]", said)
        ends = re.findall(r"^(?:A: )?((?:[\w.]+\.)?\w+: .*)", said, re.M)
        ends = [each for each in ends if "Error: " in each or "NotSendable: " in each]
        return code[1] if code else ends[0] if ends else said[-300:]


def batches(pairs: list[Pair]) -> Iterator[list[Pair]]:
    for start in range(0, len(pairs), BATCH):
        yield pairs[start : start + BATCH]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--compiler", default=str(ROOT / "build/release/pychoralc"))
    parser.add_argument("--no-c", action="store_true")
    options = parser.parse_args()
    names = CLASSES.replace("from pychoral import At, Channel\n", "")
    exec(compile(names, "t", "exec", dont_inherit=True), TYPES)
    pairs = [draw(seed) for seed in range(options.seed, options.seed + options.count)]
    with tempfile.TemporaryDirectory(prefix="pychoral-payloads-") as folder:
        trial = Trial(str(Path(options.compiler).resolve()), Path(folder))
        for batch in batches([pair for pair in pairs if pair.shown is not None]):
            trial.run(batch, not options.no_c)
        for pair in [pair for pair in pairs if pair.shown is None][: max(1, options.count // 100)]:
            trial.refuse(pair, not options.no_c)
    for failure in trial.failures:
        print(failure)
    print(f"payloads: {trial.travelled} of {len(pairs)} travel, {trial.in_c} in C, "
          f"{trial.refused} are refused by their senders, {trial.refused_in_c} in C too")
    failed = len(trial.failures)
    print(f"{max(0, len(pairs) - failed)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
