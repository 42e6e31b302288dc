"""What endpoint.c is, on the Python runtime: the same program, so that either may be either role.

    endpoint.py A --kind KIND --size N --rounds N --messages N --bind ADDRESS
    endpoint.py B --kind KIND --size N --rounds N --messages N --connect A=ADDRESS
"""

import sys
import time
from typing import Any

from pychoral.endpoint import Channel, Program, channel, option

WARM = 200
PROTOCOL = "be9c8b0b2a0e4f63b1d8f1d0a9c3e57712345678900000000000000000000001"


def make(kind: str, size: int) -> tuple[Any, Any]:
    """A value of this kind, and its type."""
    if kind == "ints":
        return 42, int
    if kind == "bytes":
        return bytes(size), bytes
    import numpy

    array = numpy.zeros(size // 8)
    array.setflags(write=False)                 # so that it is lent
    return array, numpy.ndarray


def round_trips(ch: Channel, value: Any, expect: Any, count: int, first: bool) -> None:
    trips = []
    for _ in range(-WARM, count):
        start = time.perf_counter()
        if first:
            ch.com(value, site=1)
            ch.com(expect=expect, site=1)
        else:
            ch.com(ch.com(expect=expect, site=1), site=1)
        trips.append(time.perf_counter() - start)
    if first:
        print("trip", sorted(trips[WARM:])[count // 2] if count else 0.0)


def one_way(ch: Channel, value: Any, expect: Any, count: int, first: bool) -> None:
    for number in range(-WARM, count):
        if number == 0:
            began, cpu = time.perf_counter(), time.process_time()
        if first:
            ch.com(value, site=1)
        else:
            ch.com(expect=expect, site=1)
    if first:
        ch.com(expect=expect, site=1)
    else:
        ch.com(value, site=1)
    if count:
        print("cpu", time.process_time() - cpu)
        print("wall", time.perf_counter() - began)


def paced(ch: Channel, count: int, first: bool) -> None:
    """A message each millisecond; the longest that the other end waited for one."""
    last, gap = time.perf_counter(), 0.0
    for number in range(count):
        if first:
            time.sleep(0.001)
            ch.com(number, site=1)
        else:
            ch.com(expect=int, site=1)
            now = time.perf_counter()
            last, gap = now, max(gap, now - last if number else 0.0)
    if count and not first:
        print("gap", gap)


def program(role: str) -> Program:
    other = "B" if role == "A" else "A"

    def main(ch: Channel, kind: str, size: int, rounds: int, messages: int, paces: int) -> None:
        value, expect = make(kind, size)
        round_trips(ch, value, expect, rounds, role == "B")
        one_way(ch, value, expect, messages, role == "B")
        paced(ch, paces, role == "B")

    amounts = {"size": 1, "rounds": 1000, "messages": 1000, "paced": 0}
    options = [option("kind", str, default="bytes", role=role)]
    options += [option(name, int, default=n, role=role) for name, n in amounts.items()]
    return Program(role=role, roles=("A", "B"), protocol=PROTOCOL, source="bench.pyc", main=main,
                   parameters=(channel("ch", other), *options), sites={1: "bench.pyc:1"})


if __name__ == "__main__":
    chosen = program(sys.argv[1])
    del sys.argv[1]
    chosen.run()
