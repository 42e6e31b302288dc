#!/usr/bin/env python3
"""Writes values.json, the golden bytes of values (PROTOCOL.md section 5), or checks it.

write.py [--check]

Each row has a name, a type and a value as Python expressions over tests/values/types_of_tests.py,
the price of the value (section 5.5), and the frames.  A frame is hex; `61*65536` is 65536 times 61,
and parts are joined by `+`.  Both languages write the value as these frames, and read the value
from them; only elements of sets of more than one may come in another order.  Where reading converts
(5.2), `read` has the frames of what is read.  A value of a subclass is written as what it stands
for (5.6).
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent
VALUES = Path(__file__).with_name("values.json")
sys.path[:0] = [str(ROOT / "runtime/python"), str(ROOT / "tests/values")]

import numpy  # noqa: E402
from pychoral import wire  # noqa: E402

import shared  # noqa: E402


class Whole(int):
    pass


class Ratio(float):
    pass


class Name(str):
    pass


class Raw(bytes):
    pass


class Items(list):  # type: ignore[type-arg]
    pass


class Pair(NamedTuple):
    number: int
    name: str


# name, type, value
ROWS: list[tuple[str, str, str]] = [
    ("none", "None", "None"),
    ("true", "bool", "True"),
    ("false", "bool", "False"),
    *((f"int {n}", "int", n) for n in (
        "0", "1", "127", "128", "255", "256", "65535", "65536", "2**31", "2**32 - 1", "2**32",
        "2**63 - 1", "2**63", "2**64 - 1", "2**64", "2**71 - 1", "2**71", "3**500", "-1", "-32",
        "-33", "-128", "-129", "-32768", "-32769", "-2**31", "-2**31 - 1", "-2**63", "-2**63 - 1",
        "-2**71", "-2**71 - 1", "-3**500")),
    ("a bool where an int is expected", "int", "True"),
    *((f"float {x}", "float", x) for x in (
        "0.0", "-0.0", "1.5", "0.1", "-1e308", "5e-324", "inf", "-inf",
        "bits('7ff8000000000000')", "bits('fff8000000000001')", "bits('7ffc0123456789ab')")),
    ("complex", "complex", "complex(1.5, -0.0)"),
    ("complex of NaNs", "complex", "complex(bits('7ff8000000000001'), inf)"),
    *((f"str of {n}", "str", f"'a' * {n}") for n in (0, 1, 31, 32, 255, 256, 65535, 65536)),
    ("str with NUL", "str", "'a\\0b'"),
    ("str of two, three and four bytes", "str", "'\\xe9\\u20ac\\U0001f600'"),
    *((f"bytes of {n}", "bytes", f"b'a' * {n}") for n in (
        0, 1, 2, 16, 255, 256, 4095, 4096, 4097, 65535, 65536, 65537)),
    ("bytes of any kind", "bytes", "bytes(range(256))"),
    ("list, empty", "list[int]", "[]"),
    ("list of 15 ints", "list[int]", "list(range(15))"),
    ("list of 16 ints", "list[int]", "list(range(16))"),
    ("list of 16 ints at the ends", "list[int]", "[-2**63, 2**63 - 1] * 8"),
    ("list of 16 ints, one too large", "list[int]", "[0] * 15 + [2**63]"),
    ("list of 16 ints, one a bool", "list[int]", "[0] * 15 + [True]"),
    ("list of 8191 ints", "list[int]", "[1] * 8191"),
    ("list of 8192 ints", "list[int]", "[1] * 8192"),
    ("list of 15 floats", "list[float]", "[1.5] * 15"),
    ("list of 16 floats", "list[float]", "[1.5] * 15 + [-0.0]"),
    ("list of 8192 floats", "list[float]", "[0.5] * 8192"),
    ("list of 16 as object", "list[object]", "[7] * 16"),
    ("list of 16 of two kinds", "list[object]", "[1.5] * 8 + [1] * 8"),
    ("list of 16 bools", "list[bool]", "[True] * 16"),
    ("list of strs", "list[str]", "['', 'a', 'b' * 40]"),
    ("list of lists", "list[list[int]]", "[[], [1], list(range(16))]"),
    ("list of bytes, one in a frame", "list[bytes]", "[b'', b'b' * 65536, b'c']"),
    ("list of bytes, two in frames", "list[bytes]", "[b'b' * 65536, b'c' * 65535, b'd' * 65537]"),
    ("list of None", "list[None]", "[None] * 20"),
    ("list of complex", "list[complex]", "[1j, 2 + 0j]"),
    ("tuple, empty", "tuple[()]", "()"),
    ("tuple", "tuple[int, str]", "(1, 'a')"),
    ("tuple of 16 ints", "tuple[int, ...]", "(1,) * 16"),
    ("tuple of 15, 16 with its marker", "tuple[float, ...]", "(0.5,) * 15"),
    ("tuples in tuples", "tuple[int, tuple[str, Optional[list[float]]], complex]",
     "(1, ('a', [0.5]), 1j)"),
    ("dict, empty", "dict[str, int]", "{}"),
    ("dict in its order", "dict[str, int]", "{'z': 1, 'a': 2, 'm': 3}"),
    ("dict of 16", "dict[int, str]", "{n: 'v' for n in range(16)}"),
    ("dict with keys of all kinds", "dict[object, object]",
     "{None: 1, True: 2, 2: 3, 2.5: 4, 'k': 5, b'k': 6, 1j: 7, (1, ('x',)): 8, Color.RED: 9, "
     "frozenset({1}): 10, Key('k', 1): 11, 2**70: 12}"),
    ("dict with NaNs as keys", "dict[float, None]",
     "{bits('7ff8000000000000'): None, bits('7ff8000000000001'): None}"),
    ("dict of dicts", "dict[str, dict[str, list[Point]]]", "{'a': {'b': [Point(1.0, 2.0)]}}"),
    ("dict with tuples as keys", "dict[tuple[int, str], frozenset[int]]",
     "{(1, 'a'): frozenset({5}), (1, 'b'): frozenset()}"),
    ("dict with dataclasses as keys", "dict[Key, int]", "{Key('a', 1, 'n'): 1, Key('a', 2.5): 2}"),
    ("set, empty", "set[int]", "set()"),
    ("set of one", "set[int]", "{300}"),
    ("set of three", "set[int]", "{1, 2, 3}"),
    ("frozenset", "frozenset[str]", "frozenset({'a'})"),
    ("set of 16 ints is no list", "set[int]", "set(range(16))"),
    ("enum, first", "Color", "Color.RED"),
    ("enum, last", "Color", "Color.BLUE"),
    ("enum of ints", "Level", "Level.HIGH"),
    ("list of enums", "list[Color]", "[Color.RED, Color.GREEN] * 9"),
    ("enum as object", "object", "Level.LOW"),
    ("dataclass", "Record", "Record(7, 'name', 2.5, True, 70000)"),
    ("dataclass without fields", "Empty", "Empty()"),
    ("dataclass where a base is expected", "Base", "Further('n', [1, 2], Derived('m', []))"),
    ("dataclass in itself", "Node", "Node(1, Node(2, Node(3, None)))"),
    ("tree", "Tree", "Tree('branch', [Tree('leaf', [], {})], {'a': 1, 'b': 'c', 'd': ['e']})"),
    ("list of dataclasses", "list[Record]", "[Record(n, '', 0.5, False, -n) for n in range(3)]"),
    ("union of dataclasses", "Union[Circle, Square]", "Square(Point(0.0, 1.0), 2.0, None)"),
    ("optional, there", "Optional[int]", "5"),
    ("optional, not there", "Optional[int]", "None"),
    ("union of lists", "Union[list[int], list[float], list[str]]", "[0.5] * 16"),
    ("literal", "Literal[1, 'a', None, True]", "'a'"),
    ("literal that is a bool", "Literal[1, 'a', None, True]", "True"),
    ("object of all sorts", "object",
     "[None, 1, -1.5, 'a', b'b', (1, [2]), {'k': {3}}, Point(1.0, 2.0), Color.BLUE, 1j]"),
    ("deepest", "object", "nested(128)"),
    ("ndarray of float64", "ndarray", "numpy.arange(6.0).reshape(2, 3)"),
    ("ndarray by columns", "ndarray", "numpy.arange(6.0).reshape(3, 2).T"),
    ("ndarray without dimensions", "ndarray", "numpy.array(2.5)"),
    ("ndarray, empty", "ndarray", "numpy.zeros((0, 3), 'i4')"),
    ("ndarray of 32 dimensions", "ndarray", "numpy.ones((1,) * 32, 'u1')"),
    *((f"ndarray of {code}", "ndarray", f"numpy.array([0, 1], '{code}')")
      for code in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16")),
    ("ndarray of big-endian ints", "ndarray", "numpy.array([1, 2], '>i4')"),
    ("ndarray of 65535 bytes", "ndarray", "numpy.ones(65535, 'u1')"),
    ("ndarray of 65536 bytes", "ndarray", "numpy.ones((256, 256), 'u1')"),
    ("ndarrays in frames", "list[ndarray]", "[numpy.ones(8192), numpy.ones(3), numpy.ones(9000)]"),
    ("ndarray of one type", "NDArray[float64]", "numpy.array([bits('7ff8000000000001'), -0.0])"),
    ("literals in fields", "Letters",
     "Letters('x', {'k': ['y', 'x'], 'l': []}, (True, None, True))"),
    ("literals in lists in fields", "list[Letters]",
     "[Letters(None, {}, ['a', 'a']), Letters('y', {'': ['x']}, [1]), Letters(None, {}, [])]"),
    ("known keys", "Part", "{'kind': 'a', 'number': 2**64}"),
    ("known keys and others", "Part", "{'number': 1, 'else': [Color.RED, {'kind': 2}], 'm': 1j}"),
    ("no keys", "Part", "{}"),
    ("known keys in each other", "Whole",
     "{'kind': 'b', 'number': 300, 'part': {'kind': 'a', 'number': 1}, 'more': [1, 2], "
     "'either': {'k': {'number': -1}}, 'pair': ('x', {'kind': 'b'}), 'named': {'n': 'x'}, "
     "'letters': Letters('y', {}, ['a']), 'wholes': [{'wholes': [{'real': 0.5}]}]}"),
    ("known keys read as other members", "list[Union[Whole, tuple[Literal[1, 2], Any]]]",
     "[{'either': [1, 1], 'pair': ('x', None), 'letters': None}, (2, {1}), {'either': (None,)}]"),
    ("known keys in a union", "Union[Letters, Part, list[Whole]]", "[{'more': [2] * 17}]"),
    ("known keys, or none", "Optional[Whole]", "{'real': 3, 'else': None}"),
    ("known keys of the second member", "Union[Part, Whole, dict[str, int]]",
     "{'kind': 7, 'number': 8}"),
    ("known keys in fields", "Parts",
     "Parts([{'kind': 'a'}, {'number': 5}], {'wholes': []}, ({'kind': 'b'}, [None, "
     "Letters('x', {}, [])]), {1}, [Point(0.5, 1.5)])"),
    ("known keys in members of a dict", "dict[str, Union[int, Part, list[Part], Parts]]",
     "{'a': 1, 'b': {'kind': 'b'}, 'c': [{}], 'd': Parts([], None, ({}, []), 0.5, None)}"),
    ("known keys in a tuple", "tuple[Part, Optional[Letters]]", "({'kind': 'a'}, None)"),
    ("known keys in an abstract dict", "Mapping[str, Union[Part, Literal['x']]]",
     "{'a': 'x', 'b': {'kind': 'b', 'number': 0}}"),
    ("known keys in lists", "list[Part]", "[{'kind': 'a'}, {}, {'number': 1, 'm': None}]"),
    ("known keys or floats", "Union[Numbers, dict[str, float], list[int]]", "{'more': 0.5}"),
    ("known keys in tuples in a union",
     "list[Union[tuple[Numbers, int], tuple[Part, float], Literal[1, 'a']]]",
     "[({'one': 0.5}, 2), ({'kind': 'b'}, 0.5), 1, 'a']"),
    ("an int in a union of numbers", "Union[int, float]", "7"),
    ("a bool in a union of numbers", "Union[bool, int, complex]", "True"),
    ("numbers in a list", "list[Union[float, int]]", "[1, 0.5, True, 2**64]"),
    ("three kinds of numbers in a list", "list[Union[complex, float, int]]", "[1, 0.5, 2j, True]"),
    ("16 ints in a union of lists", "Union[list[int], list[float], list[complex]]",
     "list(range(16))"),
    ("numbers in a union of tuples", "Union[tuple[float, ...], tuple[int, complex]]", "(1, 2j)"),
    ("numbers in a union of dicts", "Union[dict[float, int], dict[int, float]]", "{1: 0.5}"),
    ("numbers as keys and values", "dict[Union[float, int], Union[complex, float]]",
     "{1: 0.5, 0.25: 1j}"),
    ("numbers in a set of a union", "set[Union[int, float, complex, None, str]]", "{3}"),
    ("numbers in known keys in lists", "list[Numbers]",
     "[{'every': 1, 'many': [1, 0.5, 1j]}, {'bulk': [1, 2], 'fixed': 2}, "
     "{'bulk': [0.5, None], 'named': {1: 1j, 0.5: 2j}, 'more': [{'more': {'fixed': 0.5}}]}]"),
]  # fmt: skip

# Values that are read as others.
CONVERTED: list[tuple[str, str, str]] = [
    ("an int where a float is expected", "float", "2**53"),
    ("a bool where a float is expected", "float", "True"),
    ("an int where a complex is expected", "complex", "-3"),
    ("a bool where a complex is expected", "complex", "False"),
    ("a float where a complex is expected", "complex", "-0.0"),
    ("ints where floats are expected", "list[float]", "[1, 2.5, True]"),
    ("16 ints where floats are expected", "list[float]", "list(range(16))"),
    ("ints where complex numbers are expected", "list[complex]", "[1, 0.5, True]"),
    ("ints in a tuple of floats", "tuple[float, ...]", "(1, 2)"),
    ("ints as keys of floats", "dict[float, None]", "{1: None, 2: None}"),
    ("ints where there may be floats", "list[Optional[float]]", "[1, None]"),
    ("an int where a float or a text is expected", "Union[bool, float, str]", "7"),
    ("ints in lists in a union", "list[Union[float, list[float]]]", "[1, [2, 0.5]]"),
    ("ints in fields of floats", "Point", "Point(1, True)"),
    ("ints in fields in a list", "list[Record]", "[Record(1, 'a', 2, True, 3)]"),
    ("ints in known keys", "Whole", "{'real': 4, 'wholes': [{'real': 3}, {'real': True}]}"),
    ("ints in known keys in fields", "Parts", "Parts([], {'real': 2}, ({}, []), 7, 7)"),
    ("an int where two may convert", "Union[float, complex]", "3"),
    ("an int where two may convert, in a set", "set[Union[complex, float]]", "{3}"),
    ("ints where two lists may convert", "Union[list[complex], list[Optional[float]]]", "[1, 2]"),
    ("ints in known keys, where two may convert", "Numbers",
     "{'one': 1, 'bulk': [1, 0.5], 'fixed': 3, 'named': {2: True}, 'more': 5}"),
]  # fmt: skip

# Values that stand for others.
REDUCED: list[tuple[str, str, str]] = [
    ("a subclass of int", "int", "Whole(5)"),
    ("a subclass of int as object", "object", "Whole(2**70)"),
    ("a subclass of float", "float", "Ratio(0.5)"),
    ("a subclass of str", "str", "Name('n')"),
    ("a subclass of bytes", "bytes", "Raw(b'r')"),
    ("a bytearray", "bytes", "bytearray(b'ab')"),
    ("a subclass of list", "list[int]", "Items([1, 2])"),
    ("a named tuple", "tuple[int, str]", "Pair(1, 'a')"),
    ("a Counter", "dict[str, int]", "collections.Counter('aab')"),
    ("an OrderedDict", "dict[int, str]", "collections.OrderedDict({2: 'b', 1: 'a'})"),
    ("a defaultdict as object", "object", "collections.defaultdict(int, k=1)"),
    ("an enum where an int is expected", "int", "Level.HIGH"),
    ("an enum in a union that has it", "dict[Union[int, Level, bytes], str]", "{Level.LOW: 'a'}"),
    ("an enum in a union that has not", "list[Union[int, str]]", "[Level.HIGH, 'a']"),
    ("a subclass in a field", "Base", "Base(Name('n'))"),
]  # fmt: skip

NAMES = {**shared.NAMES, "collections": collections,
         **{cls.__name__: cls for cls in (Whole, Ratio, Name, Raw, Items, Pair)}}


def rows() -> list[dict[str, Any]]:
    """What stands in the file."""
    codec = wire.Codec(wire.TypeTable(shared.CLASSES))
    made = []
    for name, expect, expression in ROWS + CONVERTED + REDUCED:
        assert expect in shared.EXPRESSIONS, expect
        kind = shared.type_of(expect)
        frames = codec.encode(eval(expression, NAMES), kind)
        value = codec.decode(frames, kind)
        again = [bytes(frame) for frame in codec.encode(value, kind)]
        converted = again != list(map(bytes, frames))
        assert converted == ((name, expect, expression) in CONVERTED), name
        shown = [shorten(bytes(frame)) for frame in frames]
        assert [expand(each) for each in shown] == frames, name
        made.append({"name": name, "type": expect, "value": expression, "price": price_of(value),
                     "frames": shown, **({"read": list(map(shorten, again))} if converted else {})})
    return made


def price_of(value: Any) -> int:
    """The price list once more, by values and not by what stands for them on the wire."""
    kinds = {type(each) for each in value} if isinstance(value, list) else set()
    if isinstance(value, numpy.ndarray):
        is_apart = value.nbytes >= 65_536
        return 48 + value.nbytes + (0 if is_apart else 2 + 8 * value.ndim)
    if len(kinds) == 1 and len(value) >= 16:
        if kinds == {float} or kinds == {int} and all(-(2**63) <= n < 2**63 for n in value):
            return 56 + 8 * len(value)
    if isinstance(value, (list, tuple)):
        return 56 + 8 * len(value) + sum(map(price_of, value))
    if isinstance(value, (set, frozenset)):
        return 64 + 100 * len(value) + sum(map(price_of, value))
    if isinstance(value, dict):
        inside = sum(map(price_of, [*value, *value.values()]))
        return 64 + 100 * len(value) + inside
    if dataclasses.is_dataclass(value):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
        return 48 + 16 * len(parts) + sum(map(price_of, parts))
    if isinstance(value, (str, bytes)):
        return 48 + len(value.encode() if isinstance(value, str) else value)
    return 16


def shorten(data: bytes) -> str:
    """Hex, with long repetitions of up to eight bytes counted."""
    parts = []
    place = 0
    for found in re.finditer(rb"(.{1,8}?)\1{31,}", data, re.DOTALL):
        unit = found[1]
        parts += [data[place : found.start()].hex(), f"{unit.hex()}*{len(found[0]) // len(unit)}"]
        place = found.end()
    return "+".join(part for part in [*parts, data[place:].hex()] if part)


def expand(text: str) -> bytes:
    """A frame as it stands in the file."""
    data = b""
    for part in text.split("+") if text else ():
        unit, _, count = part.partition("*")
        data += bytes.fromhex(unit) * int(count or 1)
    return data


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true", help="only say whether it is as it was")
    lines = ",\n".join(json.dumps(row) for row in rows())
    text = f"[\n{lines}\n]\n"
    if not options.parse_args().check:
        VALUES.write_text(text)
    elif VALUES.read_text() != text:
        was = {row["name"]: row for row in json.loads(VALUES.read_text())}
        changed = [row["name"] for row in rows() if was.get(row["name"]) != row]
        print(f"values.json is not what is written now: {', '.join(changed)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
