"""The short ways for plain values agree with the codec, on what they take and leave."""

import random
import sys
import unittest

from pychoral import plain, wire
from pychoral.decode import Decoder, Reading
from pychoral.encode import Encoder
from pychoral.expected import reader_of
from pychoral.typetable import TypeTable

VALUES = [
    None, True, False, 0, 1, -1, -32, -33, 127, 128, 1 << 64, 0.0, -0.0, float("inf"), 1.5,
    "", "a", "a" * 31, "a" * 32, "é", "\0", "\ud800", b"", b"x", bytes(255), bytes(256),
    bytes(65_535), bytes(65_536),
]  # fmt: skip


class Plain(unittest.TestCase):
    def test_written_as_the_codec_does(self) -> None:
        for value in VALUES:
            short = plain.WRITERS[type(value)](value)
            if short is not None:
                self.assertEqual(wire.encode(value), [short])
                self.assertEqual([short], Encoder(TypeTable()).encode(value))

    def long_way(self, data: bytes, expect: type) -> object:
        decoder = Decoder(TypeTable())
        try:
            raw = decoder.raw_tree([data])
            return reader_of(expect).read(raw, Reading(decoder, [data]))
        except wire.WireError:
            return wire.WireError

    def check(self, data: bytes) -> None:
        for expect, read in plain.READERS.items():
            value = read(data)
            if expect is bytes:
                self.assertEqual(read(memoryview(data)), value)
            if value is not plain.NOT_PLAIN:
                self.assertEqual(repr(value), repr(self.long_way(data, expect)), (data, expect))

    def test_read_as_the_codec_does(self) -> None:
        for value in VALUES:
            if value == "\ud800":
                continue
            data = wire.encode(value)[0]
            self.check(data)
            for size in range(1, min(len(data), 40)):
                self.check(data[:size])

    def test_bytes_in_a_frame_of_their_own(self) -> None:
        value = bytes(65_536)
        frames = Encoder(TypeTable()).encode(value)
        self.assertEqual([plain.APART, value], frames)
        self.assertEqual(wire.decode(frames, bytes), value)
        self.assertEqual(wire.decode([plain.APART, memoryview(value)], bytes), value)
        for wrong in (
            [plain.APART, value[1:]], [plain.APART], [plain.APART, value, value],
            [plain.APART[:-1] + b"\1", value],
        ):  # fmt: skip
            with self.assertRaises(wire.WireError):
                wire.decode(wrong, bytes)

    def test_any_bytes(self) -> None:
        chance = random.Random(3)
        for first in range(256):
            for second in range(256):
                self.check(bytes([first, second]))
            for _ in range(40):
                self.check(bytes([first]) + chance.randbytes(chance.randrange(12)))


if __name__ == "__main__":
    sys.exit(unittest.main())
