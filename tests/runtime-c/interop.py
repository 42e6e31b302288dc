"""What C and Python endpoints say to each other in every pairing: interop.c, in Python.

    interop.py ROLE [OPTION...]
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "runtime/python"), str(ROOT / "tests/values")]

from pychoral import wire  # noqa: E402
from pychoral.endpoint import Channel, Program, channel, option  # noqa: E402

SIZES = (0, 1, 4047, 4095, 4096, 4097, 65535, 65536, 65537, 16 << 20)


class Step(enum.Enum):
    """What follows a hundred numbers."""

    MORE = 0
    DONE = 1


def lines(path: str) -> Iterator[tuple[Any, list[bytes]]]:
    """The types and encoded values of a file."""
    import shared

    for line in Path(path).read_text().split("\n"):
        if line:
            number, _, frames = line.partition(" ")
            coded = [bytes.fromhex(each.replace("-", "")) for each in frames.split(",")]
            yield shared.type_of(shared.EXPRESSIONS[int(number)]), coded


def is_same(one: list[bytes], two: list[bytes]) -> bool:
    """Python's sets have an order of their own, so elements may have changed places."""
    return one == two or [sorted(each) for each in one] == [sorted(each) for each in two]


def types(ch: Channel, values: str, alice: bool) -> None:
    import shared

    codec = wire.Codec(wire.TypeTable(shared.CLASSES))
    for expect, coded in lines(values):
        if alice:
            ch.com(codec.decode(coded, expect), site=1)
            value = ch.com(expect=expect, site=2)
        else:
            value = ch.com(expect=expect, site=1)
        again = [bytes(each) for each in codec.encode(value)]
        assert is_same(again, coded), f"a {expect} has changed"
        if not alice:
            ch.com(value, site=2)


def pattern(size: int) -> bytes:
    one = bytes(i * 31 & 255 for i in range(4096))
    pages = (bytes((byte + page) & 255 for byte in one) for page in range(256))
    cycle = b"".join(pages)
    return (cycle * (size // len(cycle) + 1))[:size]


def sizes(ch: Channel, alice: bool) -> None:
    for size in SIZES:
        wanted = pattern(size)
        if alice:
            ch.com(wanted, site=3)
        came = ch.com(expect=bytes, site=4 if alice else 3)
        assert came == wanted, f"{size} bytes have changed"
        if not alice:
            ch.com(came, site=4)


def stream_out(ch: Channel, count: int) -> None:
    for number in range(count):
        ch.com(number, site=5)
        last = number + 1 == count
        if (number + 1) % 100 == 0 or last:
            ch.select(Step.DONE if last else Step.MORE, site=6)
            assert ch.com(expect=int, site=7) == number * (number + 1) // 2


def stream_in(ch: Channel, count: int) -> None:
    total = number = 0
    step = Step.MORE
    while step is Step.MORE:
        assert ch.com(expect=int, site=5) == number, "a message is out of order"
        total += number
        number += 1
        if number % 100 == 0 or number == count:
            step = ch.select(expect=Step, site=6)
            ch.com(total, site=7)


def play(ch: Channel, name: str, values: str, count: int, alice: bool) -> None:
    if name == "types":
        types(ch, values, alice)
    if name in ("sizes", "all"):
        sizes(ch, alice)
    if name in ("stream", "all"):
        (stream_out if alice else stream_in)(ch, count)


def program(role: str) -> Program:
    alice = role == "Alice"
    classes: tuple[type, ...] = ()
    if "types" in sys.argv:
        import shared

        classes = shared.CLASSES
    return Program(
        role=role,
        roles=("Alice", "Bob"),
        protocol="1f5c8b0b2a0e4f63b1d8f1d0a9c3e57712345678900000000000000000000002",
        source="interop.pyc",
        main=lambda ch, name, values, count: play(ch, name, values, count, alice),
        parameters=(
            channel("ch", "Bob" if alice else "Alice"),
            option("play", str, "all"),
            option("values", str, ""),
            option("count", int, 1000),
        ),
        sites={number: f"interop.pyc:{number}" for number in range(1, 8)},
        types=classes,
    )


if __name__ == "__main__":
    role = sys.argv.pop(1)
    program(role).run()
