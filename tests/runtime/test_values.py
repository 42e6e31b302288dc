"""The value codec at its edges: golden bytes, every size, every truncation, hostile messages.

test_wire.py says what travels and what does not; agree.py compares with the C codec.
"""

import json
import math
import random
import resource
import subprocess
import sys
import tracemalloc
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "runtime/vectors"), str(ROOT / "tests/values")]

from pychoral import wire  # noqa: E402
from pychoral.decode import Decoder  # noqa: E402
from pychoral.wire import NotSendable, TypeTable, WireError  # noqa: E402

try:
    import numpy
    import shared
    import write
except ImportError:
    numpy = None  # type: ignore[assignment]

KIB = 1024
SIZES = [0, 1, 2, 15, 16, 17, *(n * KIB + by for n in (4, 64) for by in (-1, 0, 1)), 16 * KIB**2]


def msgpack_of(value: Any) -> bytes:
    return bytes(wire.encode(value)[0])


class Sizes(unittest.TestCase):
    def there_and_back(self, value: Any, expect: Any) -> None:
        frames = wire.encode(value)
        self.assertEqual(wire.decode(frames, expect), value)
        self.assertEqual(wire.decode([memoryview(frame) for frame in frames], expect), value)
        large = [len(frame) for frame in frames[1:]]
        self.assertTrue(all(size >= 64 * KIB for size in large), large)

    def test_bytes_and_str(self) -> None:
        for size in SIZES:
            data = random.Random(size).randbytes(size)
            self.there_and_back(data, bytes)
            self.there_and_back({"a": (data, [data])}, dict[str, tuple[bytes, list[bytes]]])
            self.there_and_back("é" * (size // 2), str)
            self.assertEqual(len(wire.encode(data)), 2 if size >= 64 * KIB else 1)
            self.assertIs(wire.encode(data)[-1] is data, size >= 64 * KIB)

    def test_lists_of_numbers(self) -> None:
        for size in SIZES[:-1]:
            count = size // 8 if size > 100 else size
            ints = [(-1) ** n * n**4 for n in range(count)]
            self.there_and_back(ints, list[int])
            self.there_and_back(ints, object)
            self.there_and_back(list(map(float, ints)), list[float])
            as_float = wire.decode(wire.encode(ints), list[float])
            self.assertEqual({type(item) for item in as_float} <= {float}, True)

    def test_collections(self) -> None:
        for size in SIZES[:-1]:
            count = min(size, 64 * KIB)
            self.there_and_back(["a", None] * count, list[str | None])
            self.there_and_back(tuple(range(count)), tuple[int, ...])
            self.there_and_back(set(range(count)), set[int])
            self.there_and_back(dict.fromkeys(range(count)), dict[int, None])

    def test_numbers_keep_their_bits(self) -> None:
        for number in (0x7FF8 << 48, (0xFFF8 << 48) + 1, (0x7FF4 << 48) + 1, 0x8000 << 48):
            value = number.to_bytes(8, "big")
            data = [b"\xcb" + value]
            self.assertEqual(wire.encode(wire.decode(data, float)), data)
            many = [b"\xc7\x80\x0a" + value[::-1] * 16]
            self.assertEqual(wire.encode(wire.decode(many, list[float])), many)
        for number in (2**63, 2**64, -(2**63) - 1, 3**500, -(3**500), 3 ** (8 * 64 * KIB)):
            self.there_and_back(number, int)

    def test_the_limit_of_a_message(self) -> None:
        part = bytes(wire.MAX_BYTES // 4)
        self.assertEqual(len(wire.encode([part] * 3)), 4)
        self.assertRaises(NotSendable, wire.encode, [part] * 4)
        frames = [b"\x94" + b"".join(b"\xc7\3\x0c\0\0" + bytes([n]) for n in range(4)), *[part] * 4]
        self.assertRaises(WireError, wire.decode, frames, object)


def long_way(table: TypeTable, most: int) -> wire.Codec:
    """The short way is for values that are never too dear."""
    codec = wire.Codec(table, most)
    codec.writers.clear()
    return codec


# Rows whose value is read as another one.
OTHERS = {name for name, *_ in write.CONVERTED + write.REDUCED} if numpy else set()


@unittest.skipIf(numpy is None, "needs numpy")
class Golden(unittest.TestCase):
    def test_the_file_is_what_is_written(self) -> None:
        self.assertEqual(write.rows(), json.loads(write.VALUES.read_text()))

    def test_every_vector_is_read(self) -> None:
        codec = wire.Codec(TypeTable(shared.CLASSES))
        for row in json.loads(write.VALUES.read_text()):
            with self.subTest(row["name"]):
                frames, again = ([write.expand(frame) for frame in row[key]]
                                 for key in ("frames", "read" if "read" in row else "frames"))
                kind = shared.type_of(row["type"])
                value = codec.decode(frames, kind)
                self.assertEqual(list(map(bytes, codec.encode(value, kind))), again)
                if row["name"] not in OTHERS:
                    self.assertIs(type(value), type(eval(row["value"], write.NAMES)))

    def test_prices(self) -> None:
        """What costs just as much as is allowed goes through; a byte less, and neither has it."""
        table = TypeTable(shared.CLASSES)
        for row in json.loads(write.VALUES.read_text()):
            frames = [write.expand(frame) for frame in row["frames"]]
            value, kind = eval(row["value"], write.NAMES), shared.type_of(row["type"])
            most = row["price"]
            with self.subTest(row["name"]):
                encoded = long_way(table, most).encode(value, kind)
                self.assertEqual(list(map(bytes, encoded)), frames)
                Decoder(table, most).raw_tree(frames)
                with self.assertRaises(NotSendable):
                    long_way(table, most - 1).encode(value, kind)
                with self.assertRaisesRegex(WireError, "max-decoded"):
                    Decoder(table, most - 1).raw_tree(frames)

    def test_little_that_becomes_much(self) -> None:
        """No memory is taken for what claims more than is allowed."""
        codec = wire.Codec(TypeTable(), 16 << 20)
        count = 4 << 20
        size = count.to_bytes(4, "big")
        for item in (b"\x90", b"\x80", b"\xc0", b"\x91\xc0"):
            many = b"\xdd" + size + item * count
            for data in (many, b"\x91" * 100 + many, b"\x92" + many + b"\xc0"):
                tracemalloc.start()
                with self.assertRaisesRegex(WireError, "max-decoded"):
                    codec.decode([data], object)
                self.assertLess(tracemalloc.get_traced_memory()[1], 80 << 20)
                tracemalloc.stop()

    def test_truncations_and_changes(self) -> None:
        """Each ends in a value of the type or a WireError; a changed value is another one."""
        codec = wire.Codec(TypeTable(shared.CLASSES))
        chance = random.Random(5)
        for row in json.loads(write.VALUES.read_text()):
            frames = [write.expand(frame) for frame in row["frames"]]
            expect = shared.type_of(row["type"])
            for length in [*range(min(len(frames[0]), 300)), len(frames[0]) - 1]:
                with self.assertRaises(WireError, msg=row["name"]):
                    codec.decode([frames[0][:length], *frames[1:]], expect)
            for place in range(min(len(frames[0]), 300)):
                changed = bytearray(frames[0])
                changed[place] ^= chance.randrange(1, 256)
                try:
                    value = codec.decode([bytes(changed), *frames[1:]], expect)
                except WireError:
                    continue
                loose = any(each in row["type"] for each in ("set", "float", "Whole", "Parts",
                                                            "Numbers"))
                if loose or row["name"] in OTHERS:
                    continue        # order; conversion
                again = codec.encode(value)
                self.assertEqual(bytes(again[0]), bytes(changed), row["name"])


class Frames(unittest.TestCase):
    """Raw data in frames of its own: each is referred to once, in order, and is large."""

    LARGE = bytes(64 * KIB)

    def reference(self, number: int, what: int = 0) -> bytes:
        return b"\xc7\3\x0c" + bytes([what, 0, number])

    def refused(self, frames: list[bytes], expect: Any = object) -> None:
        with self.assertRaises(WireError):
            wire.decode(frames, expect)

    def test_what_is_refused(self) -> None:
        first, second = self.reference(0), self.reference(1)
        self.assertEqual(wire.decode([b"\x92" + first + second, self.LARGE, self.LARGE], object),
                         [self.LARGE] * 2)  # fmt: skip
        self.refused([first])
        self.refused([b"\xc0", self.LARGE])
        self.refused([b"\x92" + second + first, self.LARGE, self.LARGE])
        self.refused([b"\x92" + first + first, self.LARGE])
        self.refused([b"\x92" + first + first, self.LARGE, self.LARGE])
        self.refused([first, self.LARGE, self.LARGE])
        self.refused([first, self.LARGE[1:]])
        self.refused([second, self.LARGE])
        self.refused([self.reference(0, 9), self.LARGE + b"\0"])
        self.refused([self.reference(0, 7), self.LARGE])
        self.refused([b"\xc7\4\x0c\0\0\0\0", self.LARGE])
        self.refused([b"\xd4\x0c\0", self.LARGE])
        self.refused([first, self.LARGE], list[int])
        self.refused([b"\x81" + self.reference(0, 9) + b"\xc0", self.LARGE])
        self.refused([b"\xc6\0\1\0\0" + self.LARGE], bytes)
        self.refused([b"\xc9\0\1\0\0\x09" + self.LARGE], list[int])

    def test_large_bytes_as_keys(self) -> None:
        value = {self.LARGE: 1, b"a": 2}
        self.assertEqual(wire.decode(wire.encode(value), dict[bytes, int]), value)


@unittest.skipIf(numpy is None, "needs numpy")
class Arrays(unittest.TestCase):
    def test_they_arrive_as_they_were(self) -> None:
        for size in SIZES:
            for dtype in ("u1", "f8"):
                count = size // numpy.dtype(dtype).itemsize
                value = numpy.arange(count).astype(dtype)
                came = wire.decode(wire.encode(value), numpy.ndarray)
                self.assertEqual((came.dtype, came.shape), (value.dtype, value.shape))
                self.assertTrue((came == value).all())
                self.assertFalse(came.flags.writeable)

    def test_writing_after_sending_changes_nothing(self) -> None:
        for count in (10, 10_000):
            value = numpy.zeros(count)
            frames = wire.encode(value)
            value[0] = 7
            self.assertEqual(wire.decode(frames, numpy.ndarray)[0], 0)

    def test_what_nobody_can_write_to_is_not_copied(self) -> None:
        value = wire.decode(wire.encode(numpy.arange(10_000)), numpy.ndarray)
        for each in (value, value[:9000], value.reshape(100, 100)):
            sent = wire.encode(each)[1]
            self.assertTrue(numpy.shares_memory(numpy.frombuffer(sent, "u1"), value))
        locked = numpy.arange(10_000)
        locked.flags.writeable = False  # as its owner may take back
        sent = numpy.frombuffer(wire.encode(locked)[1], "u1")
        self.assertFalse(numpy.shares_memory(sent, locked))
        store = bytearray(80_000)
        view = numpy.frombuffer(memoryview(store).toreadonly(), "i8")
        self.assertIsInstance(wire.encode(view)[1], bytes)

    def test_an_array_stands_on_the_message_that_brought_it(self) -> None:
        import zmq

        with zmq.Context() as context, context.socket(zmq.PAIR) as one, context.socket(
            zmq.PAIR
        ) as two:
            one.bind("inproc://arrays")
            two.connect("inproc://arrays")
            value = numpy.arange(10_000)
            one.send_multipart(wire.encode(value), copy=False)
            frames = [frame.buffer for frame in two.recv_multipart(copy=False)]
            came = wire.decode(frames, numpy.ndarray)
            self.assertTrue((came == value).all() and not came.flags.writeable)
            on = numpy.frombuffer(wire.encode(came)[1], "u1")
            self.assertTrue(numpy.shares_memory(on, numpy.frombuffer(frames[1], "u1")))

    def test_other_orders_of_memory(self) -> None:
        base = numpy.arange(24_000).reshape(20, 30, 40)
        others = (base.T, base[::2], base[:, ::-1], base.astype(">i8"), numpy.asfortranarray(base))
        for value in others:
            came = wire.decode(wire.encode(value), numpy.ndarray)
            self.assertTrue((came == value).all() and came.shape == value.shape)
            self.assertEqual(came.dtype, numpy.int64)

    def test_types_of_arrays(self) -> None:
        frames = wire.encode(numpy.zeros((2, 3), "f4"))
        import numpy.typing as npt

        wire.decode(frames, npt.NDArray[numpy.float32])
        wire.decode(frames, npt.NDArray[numpy.floating[Any]])
        wire.decode(frames, numpy.ndarray[Any, numpy.dtype[numpy.float32]])
        wire.decode(frames, numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]])
        for expect in (npt.NDArray[numpy.float64], list[float], bytes,
                       numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]):  # fmt: skip
            with self.assertRaises(WireError):
                wire.decode(frames, expect)

    def test_what_cannot_be_sent(self) -> None:
        for value in (numpy.array([None]), numpy.zeros(2, "f2"), numpy.array(["a"]),
                      numpy.zeros(2, "i4,f8"), numpy.zeros(2, "M8[s]"), numpy.ma.zeros(2),
                      numpy.longdouble(1), numpy.datetime64("2024-01-01")):  # fmt: skip
            with self.assertRaises(NotSendable):
                wire.encode(value)
        with self.assertRaisesRegex(NotSendable, "an array of float16; arrays that can be sent are "
                                    "of .*int8 to int64, .*, float32, float64"):
            wire.encode([numpy.zeros(2, "f2")])

    def test_malformed(self) -> None:
        head = b"\x0b\x01" + (2).to_bytes(8, "big")
        for body in (b"", b"\x0b", head, head + bytes(15), head + bytes(17), head[:9], b"\0\0",
                     b"\x0e\0", b"\x0b\x21" + bytes(33 * 8), b"\x01\0\2",
                     b"\x0b\x02" + (2**32).to_bytes(8, "big") * 2,
                     b"\x0b\x03" + (2**32).to_bytes(8, "big") * 2 + bytes(8),
                     b"\x06\x01" + b"\xff" * 8):  # fmt: skip
            with self.assertRaises(WireError, msg=body):
                wire.decode([b"\xc7" + bytes([len(body) & 255]) + b"\x05" + body]
                            if len(body) < 256 else [b"\xc8\1\x0a\5" + body], object)  # fmt: skip

    def test_scalars_are_sent_as_what_they_stand_for(self) -> None:
        for scalar, wanted in [
            (numpy.int8(-3), -3), (numpy.uint64(2**64 - 1), 2**64 - 1), (numpy.float32(0.5), 0.5),
            (numpy.float64(1.5), 1.5), (numpy.bool_(True), True), (numpy.complex64(1j), 1j),
            (numpy.str_("a"), "a"), (numpy.bytes_(b"a"), b"a"),
        ]:  # fmt: skip
            self.assertEqual(wire.encode(scalar), wire.encode(wanted))
            for value in ([scalar] * 20, [scalar, wanted] * 20, {scalar: [scalar]}):
                plain = eval(repr(wanted))
                same = {plain: [plain]} if isinstance(value, dict) else [plain] * len(value)
                self.assertEqual(wire.encode(value), wire.encode(same))

    def test_numpy_is_not_imported_for_other_values(self) -> None:
        script = (
            "import sys; from pychoral import wire\n"
            "wire.copy([1, (2.5, {'a': b'b'}), [1] * 20, 1j])\n"
            "assert 'numpy' not in sys.modules\n"
            "wire.decode([b'\\xc7\\x0a\\x05\\x0b\\0' + bytes(8)], object)\n"
            "assert 'numpy' in sys.modules\n"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60,
                              env={"PYTHONPATH": str(ROOT / "runtime/python")})  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)


# Run in a process of its own, whose memory is bounded; each line of HOSTILE is one message.
CHILD = """
import resource, sys
from pychoral import wire
resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
for line in sys.stdin:
    data = eval(line)
    for expect in (object, list[object], dict[str, int], list[list[int]], bytes, str, int):
        try:
            wire.decode([data], expect)
        except wire.WireError as fault:
            str(fault)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print("survived", peak.split()[1])
"""
HOSTILE = [
    r"b'\x91' * 33 + b'\xc0'",
    r"b'\x91' * 129 + b'\xc0'",
    r"b'\x91' * 600 + b'\xc0'",
    r"b'\x91' * 1_000_000",
    r"b'\x81\x01' * 1_000_000",
    r"b'\x92\xc7\x00\x02' * 250_000",
    r"b'\xdd\x0f\xff\xff\xff'",
    r"b'\xdf\x0f\xff\xff\xff'",
    r"b'\xdc\xff\xff' * 65_535",
    r"b'\xdd\x00\x0f\xff\xff' * 250_000",
    r"b'\xde\xff\xff\x01' * 65_535",
    r"b'\xdc\xff\xff' * 340",
    r"(b'\xdc\x10\x00' * 1365)",
    r"b'\x9f' * 200_000",
    r"b'\xc6\xff\xff\xff\xff'",
    r"b'\xdb\xff\xff\xff\xff'",
    r"b'\xc9\xff\xff\xff\xff\x01'",
    r"b'\xa2\xff\xff'",
    r"b'\xa3\xed\xa0\x80'",
    r"b'\x82\x01\x01\x01\x02'",
    r"b'\x81\x90\x01'",
    r"b'\x01\x01'",
    r"b'\xc1'",
    r"b'\xc7\xff\x05\x0d\x1f' + b'\xff' * 248",
    r"b'\xc9\x00\x10\x00\x00\x01' + b'\x7f' * (1 << 20)",
    r"b'\xdd\x00\x0f\x42\x40' + b'\x90' * 1_000_000",
]


class Hostile(unittest.TestCase):
    def test_bounded_memory(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", CHILD],
            input="\n".join(HOSTILE),
            capture_output=True,
            text=True,
            timeout=120,
            env={"PYTHONPATH": str(ROOT / "runtime/python")},
        )
        self.assertTrue(done.stdout.startswith("survived"), done.stderr[-2000:])
        self.assertLess(int(done.stdout.split()[1]), 200_000, "kilobytes")

    def test_keys_made_to_have_one_hash(self) -> None:
        """Else each of these would take minutes: every key is compared with all others."""
        prime, count = 2**61 - 1, 200_000
        alike = [msgpack_of(prime * (n + 10)) for n in range(count)]
        pairs = [msgpack_of(complex(1_000_003 * (count - n), n)) for n in range(count)]
        head = count.to_bytes(4, "big")
        for items in (alike, pairs):
            as_set = b"\xdd" + (count + 1).to_bytes(4, "big") + b"\xc7\0\6" + b"".join(items)
            as_dict = b"\xdf" + head + b"".join(item + b"\xc0" for item in items)
            tuples = b"\xdf" + head + b"".join(b"\x92\xc7\0\2" + item + b"\xc0" for item in items)
            for data in (as_set, as_dict, tuples):
                with self.assertRaises(WireError) as caught:
                    wire.decode([data], object)
                self.assertIn("hash", str(caught.exception))

    def test_a_few_keys_with_one_hash(self) -> None:
        value = dict.fromkeys([(2**61 - 1) * n for n in range(1000)], {-1, -2})
        self.assertEqual(wire.decode(wire.encode(value), dict[int, set[int]]), value)
        value = dict.fromkeys([(2**61 - 1) * n for n in range(1002)])
        self.assertRaises(NotSendable, wire.encode, value)
        self.assertRaises(NotSendable, wire.encode, set(value))

    def test_values_that_contain_themselves(self) -> None:
        """A cycle in a wide value takes no more memory than the value."""
        value: list[Any] = [0] * 100_000 + [None]
        value.append([value])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with self.assertRaises(NotSendable) as caught:
            wire.encode(value)
        self.assertIn("cycle", str(caught.exception))
        self.assertIn("`[100001][0]`", str(caught.exception))
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertLess(after - before, 100_000, "kilobytes")

    def test_keys_that_look_alike(self) -> None:
        class_ = shared.NAMES["Ident"] if numpy is not None else None
        if class_ is None:
            self.skipTest("needs the shared types")
        table = TypeTable([class_])
        for value in ({class_("a"): 1, class_("a"): 2}, {class_("a"), class_("a")}):
            with self.assertRaises(NotSendable):
                wire.encode(value, table)
        nans = {math.nan: 1, -math.nan: 2, float("nan"): 3}
        self.assertEqual(len(wire.decode(wire.encode(nans), dict[float, int])), len(nans))


if __name__ == "__main__":
    sys.exit(unittest.main())
