"""The value codec: what arrives equals what was sent, and nothing else arrives."""

import collections
import collections.abc
import enum
import math
import random
import sys
import typing
import unittest
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NewType, Optional, TypeVar, Union

from pychoral import wire
from pychoral.typetable import GrowingTable
from pychoral.wire import NotSendable, TypeTable, WireError

T = TypeVar("T")
UserId = NewType("UserId", int)


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1


class Size(enum.IntEnum):
    S = 1
    M = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Tree:
    value: int
    children: "list[Tree]" = field(default_factory=list)
    color: Optional[Color] = None


@dataclass(frozen=True)
class Point:
    x: float
    y: float


@dataclass(frozen=True)
class Point3(Point):
    z: float = 0.0


class Outer:
    @dataclass(frozen=True)
    class Inner:
        n: int


@dataclass(frozen=True)
class Slotted:
    __slots__ = ("a",)
    a: int


@dataclass
class Box(Generic[T]):
    content: T
    others: "list[T]"


@dataclass
class Fork:
    rest: "Union[list[Fork], list[Optional[Fork]]]"


@dataclass
class Loud:
    n: int
    made = 0

    def __post_init__(self) -> None:
        Loud.made += 1


class Plain:
    pass


class Shout(str):
    pass


def deep(levels: int) -> list:
    value: list = []
    for _ in range(levels - 1):
        value = [value]
    return value


TABLE = TypeTable(
    [Color, Size, Access, Tree, Point, Point3, None, Outer.Inner, Slotted, Box, Fork, Loud]
)


def encode(value: object) -> list[wire.Frame]:
    return wire.encode(value, TABLE)


def decode(frames: "list[wire.Frame] | bytes", expect: Any, table: TypeTable = TABLE) -> Any:
    return wire.decode([frames] if isinstance(frames, bytes) else frames, expect, table)


SAMPLES: list[tuple[Any, Any]] = [
    (None, None), (None, type(None)), (True, bool), (True, int), (0, int), (-1, int),
    (2**63, int), (2**64 - 1, int), (2**64, int), (-(2**63), int), (-(2**63) - 1, int),
    (3**500, int), (-(3**500), int), (1.5, float), (-0.0, float), (math.inf, float),
    ("", str), ("a\0é\U0001f600", str), (b"", bytes), (b"\xff\0", bytes), ([], list[int]),
    ([1, 2**70], list[int]), ([True, False], list[bool]), (["a"], list[str]),
    ([[1], []], list[list[int]]),
    ((), tuple[()]), ((1, "a"), tuple[int, str]), ((1, 2, 3), tuple[int, ...]), ((1, "a"), tuple),
    ((1,), typing.Tuple), ((), typing.Tuple[()]),
    ({"b": 1, "a": 2}, dict[str, int]), ({(1, "x"): [None]}, dict[tuple[int, str], list[None]]),
    ({None: 1, True: 2, 2.5: 3, b"k": 4}, dict), ({1, 2}, set[int]),
    (frozenset({(1,)}), frozenset[tuple[int]]),
    (Color.RED, Color), (Size.M, Size), ({Color.RED: 1}, dict[Color, int]), (Access.READ, Access),
    (Tree(1, [Tree(2, [], Color.GREEN)]), Tree), (Point(1.0, 2.0), Point),
    (Point3(1.0, 2.0, 3.0), Point),
    (Slotted(3), Slotted), (Box(1, [2]), Box[int]), (Box("a", []), Box[str]), (UserId(3), UserId),
    ("a", Literal["a", 1]), (1, Literal["a", 1]), (Color.RED, Literal[Color.RED]),
    (1, Optional[int]), (None, Optional[int]), (None, int | None), ("x", Union[int, str]),
    ([[1], ["a"]], list[Union[list[int], list[str]]]), (Point(1.0, 2.0), Union[Tree, Point]),
    ([1, (2, {"a": {3}})], object), ([1], Any), (1, typing.Annotated[int, "at Alice"]),
    ([1], collections.abc.Sequence[int]), ((1,), typing.Sequence[int]),
    ({"a": 1}, typing.Mapping[str, int]),
    ({1}, collections.abc.Set), ({1: 2}, collections.abc.Iterable[int]),
]  # fmt: skip


class RoundTrip(unittest.TestCase):
    def test_every_sample_arrives_as_it_was(self) -> None:
        for value, expect in SAMPLES:
            with self.subTest(value=value, expect=expect):
                received = decode(encode(value), expect)
                self.assertEqual(received, value)
                self.assertIs(type(received), type(value))

    def test_copy_keeps_every_class(self) -> None:
        for value, _ in SAMPLES:
            with self.subTest(value=value):
                copied = wire.copy(value)
                self.assertEqual(copied, value)
                self.assertIs(type(copied), type(value))

    def test_order_of_a_dict_stays(self) -> None:
        value = {"z": 1, "a": 2, "m": 3}
        self.assertEqual(list(wire.copy(value)), ["z", "a", "m"])

    def test_floats_keep_their_bits(self) -> None:
        self.assertTrue(math.isnan(wire.copy(math.nan)))
        self.assertEqual(math.copysign(1, wire.copy(-0.0)), -1)

    def test_what_was_one_object_arrives_as_two(self) -> None:
        row = [0]
        received = wire.copy([row, row])
        received[0][0] = 1
        self.assertEqual(received, [[1], [0]])

    def test_int_becomes_float_where_a_float_is_expected(self) -> None:
        for value, expect, wanted in [
            (3, float, 3.0),
            (True, float, 1.0),
            ([1, 2.5], list[float], [1.0, 2.5]),
            (Point(1, 2), Point, Point(1.0, 2.0)),
            (3, Optional[float], 3.0),
        ]:
            received = decode(encode(value), expect)
            self.assertEqual(repr(received), repr(wanted))

    def test_a_union_prefers_what_fits_unconverted(self) -> None:
        self.assertIs(type(decode(encode(3), Union[float, int])), int)
        received = decode(encode([3]), Union[list[float], list[int]])
        self.assertIs(type(received[0]), int)

    def test_no_init_runs_at_the_receiver(self) -> None:
        value = Loud(1)
        before = Loud.made
        self.assertEqual(wire.copy(value), value)
        self.assertEqual(Loud.made, before)

    def test_limit_of_depth_is_the_same_at_both_ends(self) -> None:
        value = deep(wire.MAX_DEPTH)
        self.assertEqual(wire.copy(value), value)
        with self.assertRaises(NotSendable):
            encode(deep(wire.MAX_DEPTH + 1))

    def test_large_values(self) -> None:
        for value in (b"x" * 3_000_000, list(range(100_000)), [float(i) for i in range(10_000)]):
            self.assertEqual(decode(encode(value), type(value)), value)


class AtTheSender(unittest.TestCase):
    def assert_not_sendable(self, value: object, *words: str) -> None:
        with self.assertRaises(NotSendable) as caught:
            encode(value)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_the_part_that_cannot_travel_is_named(self) -> None:
        self.assert_not_sendable(
            Tree(1, [Tree(2), Tree(3, [print])]), "`.children[1].children[0]`", "print"
        )
        self.assert_not_sendable({"a": [1, (2, Plain())]}, "`['a'][1][1]`", "Plain")
        self.assert_not_sendable(Point(1.0, lambda: 0), "`.y`", "function")

    def test_subclasses_are_sent_as_their_bases(self) -> None:
        pair = collections.namedtuple("N", "a")(1)
        table = collections.defaultdict(int, a=1)
        sent = {dict: table, str: Shout("a"), tuple: pair, bytes: bytearray(b"a")}
        for base, value in sent.items():
            arrived = wire.copy(value)
            self.assertEqual((type(arrived), arrived), (base, value))

    def test_cycles(self) -> None:
        value: list = [1]
        value.append(value)
        self.assert_not_sendable(value, "cycle")
        tree = Tree(1)
        tree.children.append(tree)
        self.assert_not_sendable(tree, "cycle")

    def test_lone_surrogates(self) -> None:
        self.assert_not_sendable("\ud800", "surrogate")
        self.assert_not_sendable({"a\udfff": 1}, "surrogate")

    def test_other_things(self) -> None:
        for value in (int, Color, open, object(), iter([]), Access.READ | Access.WRITE):
            self.assert_not_sendable(value)

    def test_what_a_generic_class_was_made_with_is_no_attribute(self) -> None:
        self.assertEqual(encode(Box[int](1, [])), encode(Box(1, [])))

    def test_a_dataclass_that_holds_more_than_its_fields(self) -> None:
        tree = Tree(1)
        tree.cache = 3  # type: ignore[attr-defined]
        self.assert_not_sendable(tree, "cache")

        class Sub(Tree):
            pass

        self.assert_not_sendable(Sub(1), "subclass of a dataclass")

        @dataclass
        class Odd(dict):  # type: ignore[type-arg]
            a: int

        self.assert_not_sendable(Odd(1), "derived from dict")


class AtTheReceiver(unittest.TestCase):
    def assert_refused(self, data: Any, expect: Any, *words: str) -> None:
        with self.assertRaises(WireError) as caught:
            decode(data, expect)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_path_expected_and_what_came(self) -> None:
        data = encode(Tree(1, [Tree(2), Tree(3, ["x"])]))  # type: ignore[list-item]
        self.assert_refused(data, Tree, "`.children[1].children[0]`", "expected Tree",
                            "received str")
        self.assert_refused(encode({"a": [1, "b"]}), dict[str, list[int]], "`['a'][1]`")
        self.assert_refused(encode(1), str, "expected str, but received int")

    def test_keys_too_long_to_be_shown(self) -> None:
        self.assert_refused(encode({10**5000: "x"}), dict[int, int], "at `[<int>]`")
        with self.assertRaises(NotSendable):
            encode({10**5000: print})

    def test_wrong_types(self) -> None:
        for value, expect in [
            (1, bool), (1.0, int), ("a", bytes), (b"a", str), ([1], tuple[int, ...]),
            ((1,), list[int]), ((1,), tuple[()]), ((1,), typing.Tuple[()]),
            ({1}, frozenset[int]), ((1, 2), tuple[int]), (None, int), (Color.RED, Size),
            (Size.M, int),
            (Point(1.0, 2.0), Tree), ("b", Literal["a"]), (True, Literal[1]), (10**400, float),
            (0, None),
            (Point(1.0, 2.0), Point3),
        ]:  # fmt: skip
            with self.subTest(value=value, expect=expect):
                self.assert_refused(encode(value), expect)

    def test_object_admits_the_classes_of_the_program(self) -> None:
        for value in [Color.RED, [Point(1.0, 2.0)], {"a": Outer.Inner(3)}]:
            self.assertEqual(decode(encode(value), object), value)
        for value in ([Color.RED], [Point(1.0, 2.0)]):
            with self.assertRaises(WireError) as caught:
                decode(encode(value), object, TypeTable())
            self.assertIn("at `[0]`, but received ", str(caught.exception))
        self.assertRaises(NotSendable, wire.encode, Color.RED, TypeTable([None, Size]))

    def test_programs_without_a_table(self) -> None:
        table = GrowingTable()
        for value in [Color.RED, [Point(1.0, 2.0)], {"a": Outer.Inner(3)}]:
            self.assertEqual(decode(wire.encode(value, table), object, table), value)
        self.assertEqual([table.number_of(each) for each in (Color, Outer.Inner)], [0, 2])

    def test_a_class_is_found_only_in_the_expected_type(self) -> None:
        data = encode(Loud(1))
        self.assert_refused(data, Union[Tree, Point, Color], "the dataclass with type number 11")

    def test_malformed_bytes(self) -> None:
        import msgpack

        ext = msgpack.ExtType
        tuple_, record = ext(2, b""), ext(4, b"\x04")
        for raw in [
            ext(1, b""), ext(1, b"\x05"), ext(1, b"\0" * 20), tuple_, [1, tuple_], ext(2, b"\x01"),
            [ext(2, b"\x01")], ext(11, b"x"), ext(9, b""), ext(9, bytes(8)), ext(9, bytes(127)),
            ext(10, bytes(15 * 8)), ext(9, bytes(1 << 16)), ext(3, b"\0"), ext(3, b"\0\0\0"),
            ext(3, b"\0\x02"), ext(3, b"\x0c\0"), ext(3, b"\xcc\0\0"), ext(3, b"\xff\0"),
            record, [record, 1.0], [record, 1.0, 2.0, 3.0], [ext(4, b""), 1.0, 2.0],
            [ext(4, b"\xcc\x04"), 1.0, 2.0], [ext(4, b"\0"), 1.0, 2.0], [ext(6, b""), 1, 1],
            [ext(6, b""), 1, 1.0], [ext(6, b""), [1]], [ext(8, b""), True, 1], ext(7, bytes(8)),
            ext(12, b"\0\0\0"), {tuple_: 1}, {ext(9, bytes(128)): 1}, list(range(16)), [1.0] * 16,
            ext(5, b""), ext(5, b"\0\0"), ext(5, b"\x01\0\2"), ext(5, b"\x0b\x21" + bytes(8 * 33)),
            msgpack.Timestamp(1),
        ]:  # fmt: skip
            for expect in (object, int, Color, Point, set[object], Optional[tuple[int, ...]]):
                with self.subTest(raw=raw, expect=expect):
                    self.assert_refused(msgpack.packb(raw), expect)
        for data in [
            b"", b"\xc1", b"\x01\x01", b"\xd9\x02\xff\xff", b"\x82\x01\x01\x01\x02",
            b"\x81\x90\x01",
            b"\xdd\x0f\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\x91" * 100_000, b"\x92\x01",
            b"\xd7\xff" + b"\xff" * 8, b"\xcc\x01", b"\xd9\x01a", b"\xca\0\0\0\0",
            b"\xdc\0\x01\x01", b"\xd2\0\0\0\x01", b"\xc5\0\x01a", b"\xde\0\0",
            b"\x82\x01\x01\xc3\x02",
            b"\xd0\x01", b"\xc7\x01\x03\0", b"\xc5\0\x01a\xca",
        ]:  # fmt: skip
            with self.subTest(data=data[:20]):
                self.assert_refused(data, object)

    def test_a_nest_of_large_claims_takes_no_memory(self) -> None:
        import resource

        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assert_refused(b"\xdd\x00\x0f\xff\xff" * 250_000, object)
        self.assert_refused(b"\xdc\xff\xff" * 65_535, list[object])
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertLess(after - before, 100_000, "kilobytes")

    def test_ambiguous_unions_end(self) -> None:
        value: Any = "wrong"
        for _ in range(40):
            value = Fork([value])
        self.assert_refused(encode(value), Fork)

    def test_types_that_nobody_can_receive(self) -> None:
        for expect in (Plain, typing.Callable[[], int], type, "Tree"):
            with self.subTest(expect=expect), self.assertRaises(TypeError):
                decode(encode(1), expect)


class Hostile(unittest.TestCase):
    """Every input gives a value of the type or WireError."""

    EXPECTS = [object, int, float, str, list[int], dict[str, object], Tree, Point, Color, Box[int],
               Union[Tree, list[Tree], Color], tuple[int, str], set[object]]  # fmt: skip

    def attempt(self, data: bytes) -> None:
        for expect in self.EXPECTS:
            try:
                value = decode([data], expect)
            except WireError as fault:
                str(fault)
            else:
                encode(value)

    def test_random_bytes(self) -> None:
        chance = random.Random(20_231_219)
        for _ in range(3_000):
            self.attempt(chance.randbytes(chance.randrange(40)))

    def test_truncations_and_changed_bytes(self) -> None:
        chance = random.Random(4)
        for value, _ in SAMPLES:
            data = bytes(encode(value)[0])[:200]
            for length in range(len(data)):
                self.attempt(data[:length])
            for place in range(len(data)):
                changed = bytearray(data)
                changed[place] = chance.randrange(256)
                self.attempt(bytes(changed))


if __name__ == "__main__":
    sys.exit(unittest.main())
