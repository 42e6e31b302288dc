#!/usr/bin/env python3
"""What the value codec costs beside bare msgpack: bench_codec.py [--rounds N]

Rows are nanoseconds of CPU and their ratios, taken in turn in one process; a row is the median of
its rounds.  "Bare" does by hand what a program without a codec would: `msgpack.packb` of the fields
of a record, the class called with what `msgpack.unpackb` gives; for arrays a memoryview of the
array and `numpy.frombuffer`.  "Reused" is bare with one Packer kept.  Ours is what a Link does with
each value that a generated endpoint sends and receives: the short way, or else the codec.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "runtime/python"))

import msgpack  # noqa: E402
import numpy  # noqa: E402
from pychoral import wire  # noqa: E402
from pychoral.plain import NOT_PLAIN  # noqa: E402


@dataclass
class Record:
    key: int
    name: str
    score: float
    active: bool
    count: int


@dataclass(frozen=True)
class Frozen:
    key: int
    name: str
    score: float
    active: bool
    count: int


CODEC = wire.Codec(wire.TypeTable([Record, Frozen]))
PACK = msgpack.Packer().pack
LOCKED = CODEC.decode(CODEC.encode(numpy.arange(131_072.0)), numpy.ndarray)


def fields(record: Any) -> list[Any]:
    return [record.key, record.name, record.score, record.active, record.count]


def bare_record(cls: Any) -> tuple[Any, ...]:
    value = cls(7, "a name", 2.5, True, 70_000)
    data = msgpack.packb(fields(value))
    return (
        value,
        cls,
        lambda: msgpack.packb(fields(value)),
        lambda: cls(*msgpack.unpackb(data)),
        lambda: PACK(fields(value)),
    )


def bare_records() -> tuple[Any, ...]:
    values = [Record(n, "a name", 2.5, True, 70_000) for n in range(100)]
    data = msgpack.packb([fields(each) for each in values])
    return (
        values,
        list[Record],
        lambda: msgpack.packb([fields(each) for each in values]),
        lambda: [Record(*each) for each in msgpack.unpackb(data)],
        lambda: PACK([fields(each) for each in values]),
    )


def bare(value: Any, expect: Any) -> tuple[Any, ...]:
    data = msgpack.packb(value)
    return (
        value,
        expect,
        lambda: msgpack.packb(value),
        lambda: msgpack.unpackb(data, strict_map_key=False),
        lambda: PACK(value),
    )


def bare_array(value: Any) -> tuple[Any, ...]:
    data = value.tobytes()

    def send() -> list[Any]:
        return [value.dtype.str, value.shape, memoryview(value)]

    return (value, numpy.ndarray, send, lambda: numpy.frombuffer(data, "f8").reshape(131_072), send)


ROWS: dict[str, tuple[Any, ...]] = {
    "int": bare(70_000, int),
    "str of 20": bare("twenty characters ..", str),
    "record": bare_record(Record),
    "record, frozen": bare_record(Frozen),
    "100 records": bare_records(),
    "1,000 ints": bare(list(range(1000)), list[int]),
    "1,000 floats": bare([float(n) for n in range(1000)], list[float]),
    "1,000 strs": bare([f"item {n}" for n in range(1000)], list[str]),
    "dict of 1,000": bare({f"item {n}": n for n in range(1000)}, dict[str, int]),
    "1 MB bytes": bare(bytes(1_000_000), bytes),
    "1 MiB array, received before": bare_array(LOCKED),
    "1 MiB array, writable": bare_array(LOCKED.copy()),
}


def time_of(action: Callable[[], Any]) -> float:
    """Nanoseconds of CPU, the least of a few tries."""
    timer = timeit.Timer(action, timer=time.process_time)
    count = max(1, int(0.002 / max(min(timer.repeat(3, 10)) / 10, 1e-7)))
    return min(timer.repeat(10, count)) / count * 1e9


def send(value: Any) -> Any:
    """As Link.send_value."""
    write = CODEC.writers.get(type(value))
    data = write(value) if write is not None else None
    return CODEC.encode(value) if data is None else data


def receive(data: bytes, expect: Any) -> Any:
    """As Link.receive_value, if the value is all in one frame."""
    read = CODEC.readers.get(expect)
    if read is not None:
        value = read(data, 0)
        if value is not NOT_PLAIN:
            return value
    return CODEC.decode([data], expect)


def measure(row: tuple[Any, ...], rounds: int) -> list[float]:
    """encode, bare, reused, decode, bare: medians."""
    value, expect, packs, unpacks, reuses = row
    frames = CODEC.encode(value)
    reading = functools.partial(receive, frames[0], expect)
    if len(frames) > 1:
        reading = functools.partial(CODEC.decode, frames, expect)
    actions = [
        functools.partial(send, value),
        packs,
        reuses,
        reading,
        unpacks,
    ]
    taken = [[time_of(action) for action in actions] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*taken)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5)
    rounds = options.parse_args().rounds
    print(f"{'':29}{'encode':>9}{'/bare':>7}{'/reused':>9}{'decode':>11}{'/bare':>7}   (ns)")
    for name, row in ROWS.items():
        encode, packs, reuses, decode, unpacks = measure(row, rounds)
        print(
            f"{name:29}{encode:9,.0f}{encode / packs:7.2f}{encode / reuses:9.2f}"
            f"{decode:11,.0f}{decode / unpacks:7.2f}"
        )


if __name__ == "__main__":
    main()
