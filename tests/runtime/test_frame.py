"""Frames: the golden vectors, every truncation and every changed byte, hostile bodies."""

import json
import random
import sys
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import frame_vectors
from pychoral import frame as wire

SOUND = frame_vectors.sound()


class VectorTest(unittest.TestCase):
    def test_the_file_is_what_is_written(self) -> None:
        self.assertEqual(frame_vectors.FILE.read_text("utf-8"), frame_vectors.text())

    def test_the_file_is_read(self) -> None:
        for vector in json.loads(frame_vectors.FILE.read_text("utf-8")):
            frames = [bytes.fromhex(each) for each in vector["frames"]]
            with self.subTest(vector["name"]):
                self.assertEqual(wire.parse(frames) is not None, vector["valid"])
                if vector["valid"]:
                    said = frame_vectors.fields(frames)
                    self.assertEqual(said, {key: vector[key] for key in said})

    def test_any_buffer_is_a_frame(self) -> None:
        for name, frames in SOUND.items():
            views = [memoryview(bytearray(each)) for each in frames]
            with self.subTest(name):
                self.assertEqual(wire.parse(frames), wire.parse(views))


class ChangedTest(unittest.TestCase):
    """What arrives is not always what was sent."""

    def test_every_truncation(self) -> None:
        for name, frames in SOUND.items():
            for place, whole in enumerate(frames):
                for size in range(min(len(whole), 700)):
                    cut = [*frames[:place], whole[:size], *frames[place + 1 :]]
                    parsed = wire.parse(cut)
                    with self.subTest(name, place=place, size=size):
                        self.check_truncated(frames, parsed, place, size)

    def check_truncated(
        self, frames: list[bytes], parsed: wire.Parsed | None, place: int, size: int
    ) -> None:
        kind = frames[0][4]
        if frames[0][5] & wire.CRC or (place == 0 and kind not in (wire.DATA, wire.REFUSE)):
            self.assertIsNone(parsed)
        elif place == 0 and (size < wire.HEADER or kind == wire.REFUSE and size < 50):
            self.assertIsNone(parsed)

    def test_every_changed_byte_with_a_crc(self) -> None:
        for name, frames in SOUND.items():
            if not frames[0][5] & wire.CRC:
                continue
            for place, whole in enumerate(frames):
                for at in range(len(whole)):
                    if place == 0 and at == 5:
                        continue  # the flag itself: the machine compares it with the greeting's
                    for bit in (1, 16, 255):
                        changed = bytearray(whole)
                        changed[at] ^= bit
                        cut = [*frames[:place], bytes(changed), *frames[place + 1 :]]
                        with self.subTest(name, place=place, at=at, bit=bit):
                            self.assertIsNone(wire.parse(cut))

    def test_every_changed_byte(self) -> None:
        """No exception, and what is well-formed is written back the same."""
        for name, frames in SOUND.items():
            for place, whole in enumerate(frames):
                for at in range(min(len(whole), 400)):
                    for value in {0, 1, 0x7F, 0x80, 0xFF, whole[at] ^ 1, whole[at] ^ 0x20}:
                        changed = whole[:at] + bytes((value,)) + whole[at + 1 :]
                        again = [*frames[:place], changed, *frames[place + 1 :]]
                        parsed = wire.parse(again)
                        if parsed is not None:
                            with self.subTest(name, place=place, at=at, value=value):
                                self.assertEqual(written(parsed), [bytes(each) for each in again])

    def test_noise(self) -> None:
        chance = random.Random(1)
        for _ in range(3000):
            size = chance.choice((0, 1, 48, 52, 60, 150))
            noise = chance.randbytes(size)
            wire.parse([noise])
            wire.parse([wire.head(chance.randint(0, 12), chance.randint(0, 3)) + noise])
            wire.peek_hello(noise)


def written(parsed: wire.Parsed) -> list[bytes]:
    """The frames of what was parsed."""
    body = parsed.body
    payload = [bytes(each) for each in parsed.frames]
    if isinstance(body, wire.Greeting):
        payload = [wire.write_greeting(body)]
    elif isinstance(body, wire.Refusal):
        payload = [wire.write_refusal(*body)]
    elif isinstance(body, wire.Progress):
        payload = [wire.write_progress(*body)]
    elif isinstance(body, wire.Failure):
        payload = [wire.write_failure(*body)]
    flags = parsed.flags & wire.MORE
    start = wire.head(parsed.kind, flags, wire.HEADER + len(parsed.extra))
    header = wire.pack_header(start, *parsed[2:8]) + parsed.extra
    frames = [header, *payload] if flags else [header + payload[0]]
    length = wire.HEADER + len(parsed.extra)
    return wire.sealed(frames, length) if parsed.flags & wire.CRC else frames


class BodyTest(unittest.TestCase):
    def test_peek(self) -> None:
        self.assertEqual(wire.peek_hello(SOUND["hello"][0]), ("Client", "Service"))
        self.assertIsNone(wire.peek_hello(SOUND["welcome"][0]))
        self.assertIsNone(wire.peek_hello(b""))

    def test_texts_are_cut_at_a_character(self) -> None:
        self.assertEqual(wire.cut("é" * 251), ("é" * 250).encode())
        self.assertEqual(wire.cut("x" + "é" * 250), ("x" + "é" * 249).encode())
        self.assertEqual(wire.cut("a\ud800b\0c"), b"a?b?c")

    def test_too_many_frames(self) -> None:
        first = frame_vectors.header(wire.DATA, 7, 0, 1, flags=wire.MORE)
        self.assertIsNotNone(wire.parse([first] + [b""] * wire.MAX_FRAMES))
        self.assertIsNone(wire.parse([first] + [b""] * (wire.MAX_FRAMES + 1)))
        self.assertIsNone(wire.parse([]))

    def test_the_sum_is_that_of_zlib_over_all_but_itself(self) -> None:
        first, *more = SOUND["further frames with a CRC"]
        whole = first[:48] + first[52:] + b"".join(more)
        self.assertEqual(int.from_bytes(first[48:52], "big"), zlib.crc32(whole))


if __name__ == "__main__":
    unittest.main()
