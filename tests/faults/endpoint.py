"""The roles that the fault cases run: small hand-written endpoints on the Python runtime.

endpoint.py PLAY ROLE [OPTION...]; `endpoint.c` has the same plays and options for the C runtime.

    stream     Alice sends numbered messages, Bob checks each and answers every tenth; Alice listens
    upstream   the same, and Bob listens
    trio       Alice streams to Bob, Bob reports every tenth to Carol, and Carol to Alice
    wait       Alice waits for one number of Bob, and Carol for one of Alice
    burst      Alice and Bob send each other `count` messages before they read any
    values     Alice sends each value of a list, Bob sends it back, Alice compares every bit
    branch     Alice selects, Bob follows
    dice       Alice throws dice and looks at the clock, Bob adds up, in the end both compare
    whim       Alice sends numbers that each of her processes makes up anew, Bob answers each

Options of every play: --count, --size (bytes of a message), --pace (ms between messages), --until
FILE (go on until it exists), --act NAME and --at N: what this role does at its message N; the
environment variable FAULTS_ACT, `NAME N`, says the same to a durable role, whose options must not
change. FAULTS_PROTOCOL stands in for the hash of another program.
"""

from __future__ import annotations

import ctypes
import enum
import hashlib
import os
import random
import resource
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pychoral.endpoint import Channel, Program, channel, option

LAG = 20                                        # answers that may be under way


class Answer(enum.Enum):
    YES = "yes"
    NO = "no"


@dataclass
class Part:
    number: int
    text: str
    data: bytes


@dataclass
class Settings:
    """The options of one role."""

    count: int = 100
    size: int = 10
    pace: float = 0.0
    until: str = ""
    act: str = ""
    at: int = 5

    def numbers(self) -> Iterator[int]:
        """0, 1, ... at the pace asked for, until there are enough."""
        number = 0
        while number < self.count or (self.until and not os.path.exists(self.until)):
            if self.pace:
                time.sleep(self.pace / 1000)
            yield number
            number += 1

    def step(self, number: int, ch: Channel) -> None:
        """At the message that is asked for: do what is asked for."""
        if self.act and number == self.at:
            Acts(self, ch).do()


class Acts:
    """What the code of a role may do to itself."""

    def __init__(self, settings: Settings, ch: Channel) -> None:
        self.settings = settings
        self.ch = ch

    def do(self) -> None:
        print(f"acts: {self.settings.act}", flush=True)
        getattr(self, "do_" + self.settings.act)()

    def do_raise(self) -> None:
        raise ValueError("the cat sat on it")

    def do_zero(self) -> None:
        print(1 // (self.settings.at - self.settings.at))

    def do_memory(self) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        hoard = []
        while True:
            hoard.append(bytearray(64 << 20))

    def do_exit(self) -> None:
        sys.exit(3)

    def do_vanish(self) -> None:
        os._exit(3)

    def do_kill(self) -> None:
        signal.raise_signal(signal.SIGKILL)

    def do_shut(self) -> None:
        """Standard output is gone: the next line that is printed fails."""
        read, write = os.pipe()
        os.dup2(write, 1)
        os.close(write)
        os.close(read)
        print("x" * 100_000, flush=True)

    def do_sleep(self) -> None:
        time.sleep(3600)

    def do_nap(self) -> None:
        time.sleep(1.5)

    def do_hog(self) -> None:
        """No other thread of this process runs meanwhile, so nobody answers PING."""
        ctypes.PyDLL(None).sleep(8)

    def do_spin(self) -> None:
        while True:
            pass

    def do_fork(self) -> None:
        """A child that uses the channel; the parent goes on."""
        child = os.fork()
        if child == 0:
            try:
                self.ch.com(0, site=9)
            except BaseException as fault:      # what it says is what the case is about
                print(f"child: {fault}", file=sys.stderr, flush=True)
                os._exit(0)
            os._exit(9)
        _, status = os.waitpid(child, 0)
        print(f"child ended with {os.waitstatus_to_exitcode(status)}", flush=True)

    def do_child(self) -> None:
        """A child that is told to end."""
        child = os.fork()
        if child == 0:
            signal.pause()
            os._exit(0)
        os.kill(child, signal.SIGTERM)
        print(f"child ended by {os.WTERMSIG(os.waitpid(child, 0)[1])}", flush=True)

    def do_thread(self) -> None:
        """A thread that uses the channel; its error becomes the role's."""
        faults: list[BaseException] = []

        def use() -> None:
            try:
                self.ch.com(0, site=9)
            except BaseException as fault:
                faults.append(fault)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        if faults:
            raise faults[0]

    def do_files(self) -> None:
        """Take all file descriptors there are."""
        kept = []
        try:
            while True:
                kept.append(os.open("/dev/null", os.O_RDONLY))
        except OSError as fault:
            print(f"took {len(kept)} descriptors: {fault.strerror}", flush=True)
        globals()["_kept"] = kept

    def do_surrogate(self) -> None:
        self.ch.com("\ud800", site=1)


def payload(number: int, size: int) -> bytes:
    return bytes([number % 251]) * size


def check(came: Any, wanted: Any) -> None:
    if came != wanted:
        raise AssertionError(f"wanted {wanted!r:.60}, but received {came!r:.60}")


# --- stream ---

def stream_alice(ch: Channel, settings: Settings) -> int:
    read = sent = 0
    for number in settings.numbers():
        settings.step(number, ch)
        ch.com((number, payload(number, settings.size)), site=1)
        sent += 1
        if sent // 10 - read >= LAG:
            check(ch.com(expect=int, site=2), read * 10 + 9)
            read += 1
    ch.com((-1, b""), site=1)
    while read < sent // 10:
        check(ch.com(expect=int, site=2), read * 10 + 9)
        read += 1
    check(ch.com(expect=int, site=3), sent)
    return sent


def stream_bob(ch: Channel, settings: Settings) -> int:
    wanted = 0
    while True:
        number, data = ch.com(expect=tuple[int, bytes], site=1)
        if number < 0:
            ch.com(wanted, site=3)
            return wanted
        check(number, wanted)
        check(data, payload(number, len(data)))
        settings.step(number, ch)
        if settings.pace:
            time.sleep(settings.pace / 1000)
        wanted += 1
        if wanted % 10 == 0:
            ch.com(number, site=2)


# --- trio ---

def trio_alice(bob: Channel, carol: Channel, settings: Settings) -> int:
    read = sent = 0
    for number in settings.numbers():
        settings.step(number, bob)
        bob.com((number, payload(number, settings.size)), site=1)
        sent += 1
        if sent // 10 - read >= LAG:
            check(carol.com(expect=int, site=3), read * 10 + 9)
            read += 1
    bob.com((-1, b""), site=1)
    while read < sent // 10:
        check(carol.com(expect=int, site=3), read * 10 + 9)
        read += 1
    check(carol.com(expect=int, site=3), -1 - sent)
    return sent


def trio_bob(alice: Channel, carol: Channel, settings: Settings) -> int:
    wanted = 0
    while True:
        number, data = alice.com(expect=tuple[int, bytes], site=1)
        settings.step(wanted, alice)
        if number < 0:
            carol.com(-1 - wanted, site=2)
            return wanted
        check(number, wanted)
        check(data, payload(number, len(data)))
        if settings.pace:
            time.sleep(settings.pace / 1000)
        wanted += 1
        if wanted % 10 == 0:
            carol.com(number, site=2)


def trio_carol(alice: Channel, bob: Channel, settings: Settings) -> int:
    wanted = 9
    while True:
        number = bob.com(expect=int, site=2)
        settings.step((wanted - 9) // 10, bob)
        alice.com(number, site=3)
        if number < 0:
            return -1 - number
        check(number, wanted)
        wanted += 10


# --- wait, burst, branch ---

def wait_alice(bob: Channel, carol: Channel, settings: Settings) -> int:
    number: int = bob.com(expect=int, site=1)
    carol.com(number, site=2)
    return number


def wait_bob(alice: Channel, settings: Settings) -> int:
    settings.step(settings.at, alice)
    alice.com(7, site=1)
    return 7


def wait_carol(alice: Channel, settings: Settings) -> int:
    number: int = alice.com(expect=int, site=2)
    return number


def burst(ch: Channel, settings: Settings) -> int:
    for number in range(settings.count):
        ch.com((number, payload(number, settings.size)), site=1)
    for number in range(settings.count):
        came, data = ch.com(expect=tuple[int, bytes], site=1)
        check((came, data), (number, payload(number, len(data))))
    return settings.count


def branch_alice(ch: Channel, settings: Settings) -> int:
    for number in settings.numbers():
        settings.step(number, ch)
        ch.select(Answer.YES, site=1)
        ch.com(Part(number, "part", payload(number, settings.size)), site=2)
    ch.select(Answer.NO, site=1)
    return settings.count


def branch_bob(ch: Channel, settings: Settings) -> int:
    count = 0
    while ch.select(expect=Answer, site=1) is Answer.YES:
        part = ch.com(expect=Part, site=2)
        check(part, Part(count, "part", payload(count, len(part.data))))
        settings.step(count, ch)
        count += 1
    return count


def dice_alice(ch: Channel, settings: Settings) -> int:
    thrown = []
    for number in settings.numbers():
        settings.step(number, ch)
        thrown.append([random.randrange(1 << 30), time.time_ns() // 1000])
        ch.com(thrown[-1], site=1)
        check(ch.com(expect=int, site=2), sum(sum(each) for each in thrown))
    ch.com([], site=1)
    ch.com(thrown, site=3)
    return len(thrown)


def dice_bob(ch: Channel, settings: Settings) -> int:
    came: list[list[int]] = []
    while pair := ch.com(expect=list[int], site=1):
        settings.step(len(came), ch)
        came.append(pair)
        ch.com(sum(sum(each) for each in came), site=2)
    check(ch.com(expect=list[list[int]], site=3), came)
    return len(came)


def whim_alice(ch: Channel, settings: Settings) -> int:
    with open("/dev/urandom", "rb") as source:  # not recorded
        for number in settings.numbers():
            settings.step(number, ch)
            ch.com(int.from_bytes(source.read(4), "big"), site=1)
            check(ch.com(expect=int, site=2), number)
    return settings.count


def whim_bob(ch: Channel, settings: Settings) -> int:
    for number in settings.numbers():
        ch.com(expect=int, site=1)
        settings.step(number, ch)
        ch.com(number, site=2)
    return settings.count


# --- values ---

def sample_values() -> list[tuple[Any, Any]]:
    """(type, value): what tends to change on its way."""
    samples: list[tuple[Any, Any]] = [
        (float, float("nan")), (float, struct.unpack(">d", bytes.fromhex("fff8000000000123"))[0]),
        (float, -0.0), (float, 5e-324), (float, float("-inf")),
        (int, 2**63 - 1), (int, 2**63), (int, 2**64 - 1), (int, 2**64), (int, -2**63),
        (int, -2**63 - 1), (int, 3**500), (int, -3**500), (int, True), (bool, True),
        (str, "a\0b"), (str, ""), (str, "\U0010ffff\u00e9"), (bytes, b"\0" * 70_000),
        (dict[str, int], {"z": 1, "a": 2, "m": 3}), (dict[int, str], {3: "", 1: "", 2: ""}),
        (list[int], list(range(20))), (list[float], [-0.0, float("nan")] * 10), (list[int], []),
        (tuple[int, ...], ()), (set[int], {5, 1, 3}), (complex, complex(-0.0, float("inf"))),
        (type(None), None), (Answer, Answer.NO), (Part, Part(-1, "\0", b"\xff")),
    ]  # fmt: skip
    try:
        import numpy
    except ImportError:
        return samples
    arrays = [numpy.zeros((0, 3)), numpy.ones((1,) * 32), numpy.array(-0.0),
              numpy.arange(100_000.0).reshape(10, 100, 100), numpy.array([True, False]),
              numpy.array([1 + 2j, complex("nan")]), numpy.arange(12, dtype="i2")[::3]]
    return samples + [(numpy.ndarray, each) for each in arrays]


def bits(value: Any) -> Any:
    """Something that is equal only for values that are equal to the last bit, order included."""
    if isinstance(value, float):
        return struct.pack(">d", value)
    if isinstance(value, complex):
        return bits(value.real), bits(value.imag)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [bits(each) for each in value]
    if isinstance(value, dict):
        return [(bits(key), bits(each)) for key, each in value.items()]
    if type(value).__name__ == "ndarray":
        return value.dtype.str, value.shape, value.tobytes()
    return type(value).__name__, repr(value)


def values_alice(ch: Channel, settings: Settings) -> int:
    for kind, value in sample_values():
        ch.com(value, site=1)
        check(bits(ch.com(expect=kind, site=2)), bits(value))
    settings.step(settings.at, ch)
    return len(sample_values())


def values_bob(ch: Channel, settings: Settings) -> int:
    for kind, value in sample_values():
        came = ch.com(expect=kind, site=1)
        check(bits(came), bits(value))
        ch.com(came, site=2)
    return len(sample_values())


# --- programs ---

PAIR, REVERSED, THREE = ("Alice", "Bob"), ("Bob", "Alice"), ("Alice", "Bob", "Carol")

PLAYS: dict[str, tuple[tuple[str, ...], dict[str, Any], dict[str, tuple[str, ...]]]] = {
    "stream": (PAIR, {"Alice": stream_alice, "Bob": stream_bob}, {}),
    "upstream": (REVERSED, {"Alice": stream_alice, "Bob": stream_bob}, {}),
    "trio": (THREE, {"Alice": trio_alice, "Bob": trio_bob, "Carol": trio_carol}, {}),
    "wait": (THREE, {"Alice": wait_alice, "Bob": wait_bob, "Carol": wait_carol},
             {"Bob": ("Alice",), "Carol": ("Alice",)}),
    "burst": (PAIR, {"Alice": burst, "Bob": burst}, {}),
    "values": (PAIR, {"Alice": values_alice, "Bob": values_bob}, {}),
    "branch": (PAIR, {"Alice": branch_alice, "Bob": branch_bob}, {}),
    "dice": (PAIR, {"Alice": dice_alice, "Bob": dice_bob}, {}),
    "whim": (PAIR, {"Alice": whim_alice, "Bob": whim_bob}, {}),
}


def protocol(play: str) -> str:
    """The hash of the program: 64 hexadecimal digits."""
    text = os.environ.get("FAULTS_PROTOCOL", play)
    return hashlib.sha256(text.encode()).hexdigest()


def with_act(settings: Settings) -> Settings:
    """With what the environment says."""
    act, _, at = os.environ.get("FAULTS_ACT", "").partition(" ")
    return replace(settings, act=act, at=int(at)) if act else settings


def program(play: str, role: str) -> Program:
    roles, mains, meets = PLAYS[play]
    peers = meets.get(role, tuple(each for each in roles if each != role))

    def main(*values: Any) -> Any:
        channels, options = values[:len(peers)], values[len(peers):]
        return mains[role](*channels, with_act(Settings(*options)))

    plain = Settings()
    options = tuple(
        option(name, type(default), default=default, role=role)
        for name, default in vars(plain).items()
    )
    channels = tuple(channel(peer.lower(), peer) for peer in peers)
    return Program(
        role=role, roles=roles, protocol=protocol(play), source=f"{play}.pyc", main=main,
        parameters=channels + options, result="here", types=(Answer, Part),
        sites={number: f"{play}.pyc:{number}0" for number in range(1, 10)},
    )  # fmt: skip


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in PLAYS:
        sys.exit(__doc__)
    chosen = program(sys.argv[1], sys.argv[2])
    del sys.argv[1:3]
    chosen.run()
