"""Faults of what a peer says: crafted frames and hostile values (29, 30).

`Alice` of a stream reads ints at sites 2 and 3, `Bob` reads (int, bytes) at site 1.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import crafted
from crafted import (DATA, END, ERROR, HELLO, PING, SELECT, WELCOME, Dialler, Listener, refusal,
                     value)
from registry import case
from stage import C, PEER_LOST, PROTOCOL, PY, Failed, Stage


# --- 29: a crafted peer ---

def as_bob(stage: Stage) -> Dialler:
    """A connection to a real Alice that is up; she streams."""
    if not stage.players:
        stage.start("Alice", "--until", "/nonexistent", "--pace", "2", "--lost-after", "3")
    bob = Dialler("Bob", "Alice", "stream")
    bob.dial(stage.address("Alice"))
    answer = bob.greet()
    if answer is None or answer.kind != WELCOME:
        raise Failed(f"no welcome: {refusal(answer)}{stage.complaints()}")
    return bob


def as_alice(stage: Stage) -> Listener:
    """A connection from a real Bob that is up."""
    alice = Listener("Alice", "Bob", "stream")
    alice.max_message = stage.limits.get("message", alice.max_message)
    alice.listen(stage.address("Alice"))
    stage.start("Bob", "--lost-after", "3")
    if alice.welcome() is None:
        raise Failed(f"no greeting{stage.complaints()}")
    return alice


@case(29, "replayed frames are not taken twice", "C", ends=(PY, C), short=True)
def replayed(stage: Stage) -> None:
    with as_alice(stage) as alice:
        frames = [alice.data(value((number, b""))) for number in range(10)]
        for frame in frames * 3:
            alice.send(frame)
        alice.data(value((-1, b"")))
        alice.serve(stage.left())
        total = [each for each in alice.frames if each.kind == DATA and each.site == 3]
        if [each.body for each in total] != [value(10)]:
            raise Failed(f"Bob took {total}{stage.complaints()}")
        alice.send(alice.frame(END, b"\0\0", seq=alice.seq))
        alice.serve(1.0, stage.player("Bob").poll)
    stage.carried_on()


_BAD_FRAMES: dict[str, Callable[[Listener], object]] = {
    "old session": lambda alice: [
        alice.data(value((0, b"")), session=alice.session ^ 1, seq=1) for _ in range(12)],
    "gap in the numbers": lambda alice: [alice.data(value((0, b"")), seq=9) for _ in range(3)],
    "not our magic": lambda alice: alice.send(
        alice.frame(DATA, value((0, b"")), site=1, seq=1, magic=b"CHZ2")),
    "ack of what was never sent": lambda alice: [
        alice.data(value((0, b"")), ack=1 << 40, seq=1) for _ in range(3)],
    "unknown kind": lambda alice: alice.send(alice.frame(77, b"")),
    "header that claims more than there is": lambda alice: alice.send(
        alice.frame(DATA, value((0, b"")), site=1, seq=1, length=4000)),
    "further frames that are not there": lambda alice: alice.send(
        alice.frame(DATA, b"", site=1, seq=1, flags=1)),
    "an empty message": lambda alice: alice.send(b""),
    "a greeting again": lambda alice: alice.send(alice.frame(HELLO, alice.greeting())),
}
for _name, _bad in _BAD_FRAMES.items():
    @case(29, f"{_name}: never taken", "S", ends=(PY, C))
    def broken(stage: Stage, bad: Callable[[Listener], object] = _bad) -> None:
        """The connection is broken, the dialler dials again; the peer does it again, until it
        stops for good."""
        with as_alice(stage) as alice:
            bob = stage.player("Bob")
            while not bob.poll() and stage.left() > 0:
                bad(alice)
                if alice.wait_for(HELLO, 0.5) is not None:
                    alice.seq = 1
                    alice.session = alice.nonce ^ struct.unpack(
                        ">Q", alice.frames[-1].body[92:100])[0]
                    alice.send(alice.frame(WELCOME, alice.greeting()))
                elif bad is _BAD_FRAMES["a greeting again"]:
                    break
        stage.stopped(Bob=((PEER_LOST, PROTOCOL), "Alice"))
        if stage.taken("Bob"):
            raise Failed("it was taken")


_FAULTY: dict[str, tuple[str, Callable[[Listener], object]]] = {
    "wrong site": (r"stream\.pyc:40", lambda alice: alice.data(value((0, b"")), site=4)),
    "a selection for a value": ("select|value", lambda alice: alice.send(
        alice.frame(SELECT, b"", site=1, label=0, seq=1))),
    "wrong type": ("tuple|int", lambda alice: alice.data(value("text"))),
    "wrong type inside": ("bytes|int", lambda alice: alice.data(value((0, "text")))),
    "larger than the limit": ("limit", lambda alice: alice.data(bytes(5000))),
}
for _name, (_said, _bad_value) in _FAULTY.items():
    @case(29, _name, "S", ends=(PY, C), short=_name == "wrong site")
    def faulty(stage: Stage, said: str = _said,
               bad: Callable[[Listener], object] = _bad_value) -> None:
        stage.limits = {"message": 1000}
        with as_alice(stage) as alice:
            bad(alice)
            alice.serve(stage.left() / 2, stage.player("Bob").poll)
            told = [each for each in alice.frames if each.kind in (ERROR, crafted.REFUSE)]
            stage.stopped(Bob=(PROTOCOL, "Alice", said))
            if not told:
                raise Failed(f"the peer is not told{stage.complaints()}")


@case(29, "many small items where messages are short", "S", ends=(PY, C), short=True)
def many_small(stage: Stage) -> None:
    """Their price is below the least bound, so what is wrong is what they are."""
    stage.limits = {"message": 10_000}
    with as_alice(stage) as alice:
        alice.data(value([[]] * 4000))
        alice.serve(3.0)
    stage.stopped(Bob=(PROTOCOL, r"^(?![\s\S]*max-decoded)[\s\S]*expected .*Alice"))


@case(29, "wrong label", "S", ends=(PY, C))
def wrong_label(stage: Stage) -> None:
    stage.play = "branch"
    alice = Listener("Alice", "Bob", "branch")
    with alice:
        alice.listen(stage.address("Alice"))
        stage.start("Bob", "--lost-after", "3")
        alice.welcome()
        alice.send(alice.frame(SELECT, b"", site=1, label=2, seq=1))
        alice.serve(5.0)
    stage.stopped(Bob=(PROTOCOL, "Alice", r"label|branch|Answer"))


@case(29, "the listener is sent an old session by a dialler", "S", ends=(PY, C))
def old_session(stage: Stage) -> None:
    with as_bob(stage) as bob:
        stage.until(lambda: bob.receive(0.2), "streamed to")
        for _ in range(3):
            bob.data(value(9), site=2, session=7, seq=1)
        bob.serve(1.0)
    stage.stopped(Alice=(PEER_LOST, "Bob"))


@case(29, "1,000 pings at once", "C", ends=(PY, C))
def pings(stage: Stage) -> None:
    with as_alice(stage) as alice:
        body = struct.pack(">QB", 1, 1) + crafted.string("Bob")
        for _ in range(1_000):
            alice.send(alice.frame(PING, body))
        alice.data(value((-1, b"")))
        alice.serve(stage.left())
        alice.send(alice.frame(END, b"\0\0", seq=alice.seq))
        alice.serve(1.0, stage.player("Bob").poll)
    stage.carried_on()
    ended = stage.player("Bob").ended
    if ended and ended.memory > 100_000:
        raise Failed(f"Bob took {ended.memory} KiB")


# --- 30: hostile values ---

def nest(depth: int, head: bytes) -> bytes:
    return head * depth + b"\xc0"


_HOSTILE = {
    "33 deep": nest(33, b"\x91"), "600 deep": nest(600, b"\x91"),
    "a million deep": nest(1_000_000, b"\x91"),
    "an array of 268 million": b"\xdd\x10\x00\x00\x00",
    "arrays of 65,535 in each other": b"\xdc\xff\xff" * 65_535,
    "4 GB of bytes": b"\xc6\xff\xff\xff\xff", "not UTF-8": b"\xa2\xff\xfe",
    "a key twice": b"\x82\xa1a\x01\xa1a\x02", "a list as key": b"\x81\x90\x01",
    "bytes behind the value": value((0, b"")) + b"\xc0", "a reserved byte": b"\xc1",
    "an int longer than it need be": b"\x93\xc7\x00\x02\xcd\x00\x01\xc4\x00",
    "nothing": b"", "an unknown extension": b"\xd4\x63\x00", "float 32": b"\xca\x00\x00\x00\x00",
    "an array whose shape overflows": b"\xc7\x32\x05\x0b\x06" + b"\xff" * 48,
    "an unknown class": b"\x92\xd4\x04\x63\x00",
    "ext 12 without a frame": b"\x93\xc7\x00\x02\x00\xc7\x03\x0c\x00\x00\x00",
}
for _name, _text in _HOSTILE.items():
    @case(30, _name, "S", ends=(PY, C), short=_name.startswith("arrays of"))
    def hostile(stage: Stage, text: bytes = _text) -> None:
        with as_alice(stage) as alice:
            if len(text) > 4096:
                alice.send(alice.frame(DATA, b"", site=1, seq=1, flags=1), text)
            else:
                alice.data(text)
            alice.serve(5.0)
        stage.stopped(Bob=(PROTOCOL, "Alice", r"stream\.pyc:10"))
        ended = stage.player("Bob").ended
        if ended and ended.memory > 120_000:
            raise Failed(f"Bob took {ended.memory} KiB")


for _part in range(2):
    @case(30, f"each truncation and changed bytes of a valid frame, {_part + 1}/2", "S",
          deadline=150, ends=(PY, C))
    def mutated(stage: Stage, part: int = _part) -> None:
        """Bob ends by himself each time, with 0 if what came happens to be valid."""
        chance = random.Random(30)
        whole = value((0, b"abc"))
        texts = [whole[:each] for each in range(len(whole))]
        for _ in range(14):
            place = chance.randrange(len(whole))
            texts.append(whole[:place] + bytes([chance.randrange(256)]) + whole[place + 1:])
        for text in texts[part::2]:
            with Stage(20, stage.ends, stage.programs) as again, as_alice(again) as alice:
                alice.data(text)
                alice.data(value((-1, b"")), seq=2)
                bob = again.player("Bob")
                alice.serve(0.3, bob.poll)
                alice.send(alice.frame(END, b"\0\0", seq=alice.seq))
                alice.serve(5.0, bob.poll)
                again.stopped(Bob=((0, 1, PEER_LOST, PROTOCOL),))
