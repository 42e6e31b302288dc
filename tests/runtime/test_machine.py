"""The machine of a link: exactly once under cuts and restarts, hostile frames, borrowed buffers.

That each rule is kept to the byte is shown by the recorded schedules (tests/schedules); here are
the properties that hold for all of them.
"""

from __future__ import annotations

import random
import sys
import unittest
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import zmq

sys.path.insert(0, str(Path(__file__).resolve().parent))

import frame_vectors
from pychoral import frame as wire
from pychoral.machine import Config, Machine, Message, Phase, Sent
from pychoral.window import Window


class End:
    """One role's machine, its owner and its program."""

    def __init__(self, me: str, peer: str, dials: bool, **settings: Any) -> None:
        self.me = me
        own: dict[str, Any] = {"me": me, "peer": peer, "dials": dials, "run": "r"}
        self.settings: dict[str, Any] = {**own, "protocol": bytes(32), **settings}
        self.events: list[tuple[Any, ...]] = []
        self.out: list[tuple[Hashable, list[Any]]] = []
        self.wants_connection = False
        self.lives = 0
        self.journal: list[list[bytes]] = []
        self.came: list[list[bytes]] = []
        self.taken: list[bytes] = []
        self.sent = 0
        self.machine = self.born()

    def born(self) -> Machine:
        """A process of the role, from its journal."""
        self.lives += 1
        self.came = []
        self.taken = []
        self.sent = 0
        self.out.clear()
        self.wants_connection = False
        numbers: dict[str, Any] = {"incarnation": self.lives}
        numbers["seed"] = 1000 * self.lives + ord(self.me)
        self.machine = Machine(Config(**(numbers | self.settings)), self)
        for frames in self.journal:
            self.machine.restore(0, frames)
        return self.machine

    # Output

    def send(self, conn: Hashable, frames: list[Any]) -> None:
        self.out.append((conn, frames))

    def dial(self) -> None:
        self.wants_connection = True

    def drop(self, conn: Hashable) -> None:
        pass

    def event(self, word: str, *args: Any) -> None:
        self.events.append((word, *args))
        if word == "stored_wanted":
            self.came.append(self.last)

    last: list[bytes] = []

    def words(self) -> list[str]:
        return [event[0] for event in self.events]


class Pair:
    """A listens, B dials; what they put out is delivered by `flow`."""

    def __init__(self, **settings: Any) -> None:
        self.now = 0
        self.a = End("A", "B", False, **settings)
        self.b = End("B", "A", True, **settings)
        for end in (self.a, self.b):
            end.machine.start(0)

    def up(self) -> Pair:
        self.b.machine.connected(self.now, 1)
        self.flow()
        return self

    def flow(self) -> None:
        while self.a.out or self.b.out:
            for end, other in ((self.a, self.b), (self.b, self.a)):
                for conn, frames in self.emptied(end):
                    other.machine.frame(self.now, conn, frames)

    @staticmethod
    def emptied(end: End) -> list[tuple[Hashable, list[Any]]]:
        out, end.out = end.out, []
        return out


def payload(message: Message | None) -> bytes:
    assert message is not None
    return b"".join(map(bytes, message.frames))


class BufferTest(unittest.TestCase):
    """Buffers are lent, not copied."""

    def test_further_frames_are_the_same_objects(self) -> None:
        pair = Pair().up()
        value, buffer = b"value", memoryview(bytearray(1 << 20))
        self.assertIs(pair.b.machine.send(0, wire.DATA, 3, 0, [value, buffer]), Sent.SENT)
        ((_, frames),) = pair.b.out
        self.assertIs(frames[2], buffer)
        pair.flow()
        message = pair.a.machine.take(0)
        assert message is not None
        self.assertIs(message.frames[1], buffer)
        self.assertEqual(message.frames[0], value)

    def test_frames_of_zmq(self) -> None:
        for payloads in ([b"small"], [b"x" * 5000], [b"value", b"b" * 70000]):
            pair = Pair().up()
            pair.b.machine.send(0, wire.DATA, 3, 0, [zmq.Frame(each) for each in payloads])
            ((conn, frames),) = pair.b.out
            pair.a.machine.frame(0, conn, [zmq.Frame(bytes(each)) for each in frames])
            self.assertEqual(payload(pair.a.machine.take(0)), b"".join(payloads))

    def test_items_wider_than_a_byte_are_counted_in_bytes(self) -> None:
        pair = Pair(window_bytes=100, max_message=800).up()
        wide = memoryview(bytearray(808)).cast("d")
        self.assertIs(pair.b.machine.send(0, wire.DATA, 3, 0, [b"v", wide]), Sent.LARGE)
        self.assertIs(pair.b.machine.send(0, wire.DATA, 3, 0, [b"v", wide[:50]]), Sent.SENT)
        self.assertIs(pair.b.machine.send(0, wire.DATA, 3, 0, [b"v"]), Sent.FULL)

    def test_one_view_follows_the_header(self) -> None:
        pair = Pair().up()
        pair.b.machine.send(0, wire.DATA, 3, 0, [memoryview(b"payload")])
        pair.flow()
        self.assertEqual(payload(pair.a.machine.take(0)), b"payload")

    def test_nothing_stays_that_is_acknowledged(self) -> None:
        pair = Pair(window_messages=8).up()
        for number in range(1000):
            pair.now += 1
            self.assertIs(pair.b.machine.send(pair.now, wire.DATA, 1, 0, [b"x" * 100]), Sent.SENT)
            pair.flow()
            pair.a.machine.take(pair.now)
            pair.flow()
            self.assertLessEqual(len(pair.b.machine._kept), 8)
            self.assertLessEqual(len(pair.b.machine._sizes), 8)


class ReportTest(unittest.TestCase):
    """What reports want to know."""

    def test_attributes(self) -> None:
        pair = Pair().up()
        a, b = pair.a.machine, pair.b.machine
        for _ in range(3):
            b.send(0, wire.DATA, 1, 0, [b"x"])
        pair.flow()
        a.take(0)
        a.progress(5, 1, 9, "B")
        self.assertEqual((a.phase, a.expected, a.read, a.next_seq), (Phase.UP, 4, 1, 1))
        self.assertEqual((b.next_seq, b.acked, b.peer_incarnation), (4, 0, 1))
        self.assertFalse(a.may_leave() or b.may_leave())
        b.end(0, 0)
        pair.flow()
        self.assertTrue(a.peer_ended and b.may_leave())
        b.tick(1)
        self.assertTrue(b.left)
        self.assertEqual(pair.b.events[-1], ("left", True))


class HostileTest(unittest.TestCase):
    """Whatever comes, the machine goes on or stops with a reason."""

    def frames(self, crc: bool) -> list[list[bytes]]:
        """A message of every kind, as B puts it out."""
        pair = Pair(crc=crc, window_messages=4)
        pair.b.machine.connected(0, 1)
        seen = [list(map(bytes, frames)) for _, frames in pair.b.out]
        pair.flow()
        b = pair.b.machine
        b.send(0, wire.DATA, 7, 0, [b"payload"])
        b.send(0, wire.DATA, 7, 0, [b"value", b"buffer"])
        b.send(0, wire.SELECT, 7, 2, [])
        b.tick(1000)
        b._put_ack()
        b.error(0, "B", "ValueError", "no")
        return seen + [list(map(bytes, frames)) for _, frames in pair.b.out]

    def fed(self, crc: bool, before: list[list[bytes]], frames: list[bytes]) -> End:
        """A listener after some frames, and one that was changed."""
        end = Pair(crc=crc, window_messages=4).a
        for each in [*before, frames]:
            end.machine.frame(0, 1, each)
        while end.machine.take(0):
            pass
        end.machine.tick(1)
        return end

    def changes(self, frames: list[bytes]) -> list[list[bytes]]:
        """Every truncation, and every byte changed."""
        found = []
        for place, whole in enumerate(frames):
            wrong = [whole[:size] for size in range(len(whole))]
            wrong += [whole[:at] + bytes((whole[at] ^ bit,)) + whole[at + 1 :]
                      for at in range(len(whole)) for bit in (1, 0x80)]
            found += [[*frames[:place], each, *frames[place + 1 :]] for each in wrong]
        return found

    def test_every_change_is_survived(self) -> None:
        seen = self.frames(crc=False)
        for place, frames in enumerate(seen):
            for changed in self.changes(frames):
                self.fed(False, seen[:place], changed)

    def test_with_a_crc_a_changed_message_is_never_read(self) -> None:
        seen = self.frames(crc=True)
        for place, frames in enumerate(seen):
            right = self.fed(True, seen[:place], seen[0]).machine.expected
            for changed in self.changes(frames):
                end = self.fed(True, seen[:place], changed)
                self.assertLessEqual(end.machine.expected, right)

    def test_too_many_frames(self) -> None:
        for further, events in ((wire.MAX_FRAMES, ["up"]), (wire.MAX_FRAMES + 1, ["up", "down"])):
            pair = Pair().up()
            pair.b.machine.send(0, wire.DATA, 1, 0, [b"value", b"buffer"])
            ((conn, frames),) = pair.b.out
            pair.a.machine.frame(0, conn, [frames[0], *[b""] * further])
            self.assertEqual(pair.a.words(), events)

    def test_unsound_frames_break_the_connection(self) -> None:
        for name, frames in frame_vectors.unsound().items():
            with self.subTest(name):
                pair = Pair().up()
                pair.a.machine.frame(0, 1, frames)
                self.assertEqual(pair.a.words(), ["up", "down"])


class ExactlyOnceTest(unittest.TestCase):
    """Under cuts, delays and restarts everything comes once, in order."""

    MESSAGES = 40

    def run_pair(self, seed: int, durable: bool) -> None:
        chance = random.Random(seed)
        pair = Pair(window_messages=chance.choice((1, 2, 5, 1024)), durable=durable,
                    window_bytes=chance.choice((5, 40, 1000)), connect=10**9, lost=10**9)
        flying: dict[tuple[Hashable, str], list[list[Any]]] = {}
        conns = 0
        ends = {"A": pair.a, "B": pair.b}
        for step in range(6000):
            healthy = step > 3000
            end = ends[chance.choice("AB")]
            pair.now += chance.choice((0, 1, 5))
            if end.wants_connection:
                end.wants_connection = False
                conns += 1
                end.machine.connected(pair.now, conns)
            self.program(pair, end, chance)
            for conn, frames in Pair.emptied(end):
                flying.setdefault((conn, end.me), []).append(frames)
            if flying:
                self.deliver(pair, ends, flying, chance)
            if not healthy and chance.random() < 0.01 and conns:
                self.cut(pair, ends, flying, conns, chance)
            if durable and not healthy and chance.random() < 0.005:
                end.born()
                end.machine.start(pair.now)
                for key in [key for key in flying if key[1] == end.me]:
                    del flying[key]
            end.machine.tick(pair.now)
            if all(len(each.taken) == self.MESSAGES for each in ends.values()):
                break
        for name, end in ends.items():
            wanted = [self.text(number) for number in range(self.MESSAGES)]
            self.assertEqual(end.taken, wanted, (seed, name, end.events[-3:]))

    def program(self, pair: Pair, end: End, chance: random.Random) -> None:
        """Sends and reads some; stores what came."""
        machine = end.machine
        if end.sent < self.MESSAGES:
            sent = machine.send(pair.now, wire.DATA, 1, 0, [self.text(end.sent)])
            self.assertIn(sent, (Sent.SENT, Sent.FULL))
            end.sent += sent is Sent.SENT
        if chance.random() < 0.5:
            message = machine.take(pair.now)
            if message:
                self.assertEqual(message.seq, len(end.taken) + 1)
                end.taken.append(payload(message))
        if end.came and chance.random() < 0.5:
            end.journal += end.came
            end.came = []
            machine.stored(pair.now, len(end.journal))

    def deliver(
        self, pair: Pair, ends: dict[str, End],
        flying: dict[tuple[Hashable, str], list[list[Any]]], chance: random.Random,
    ) -> None:
        conn, sender = chance.choice(sorted(flying, key=str))
        receiver = ends["B" if sender == "A" else "A"]
        frames = flying[conn, sender].pop(0)
        if not flying[conn, sender]:
            del flying[conn, sender]
        receiver.last = [bytes(each) for each in frames]
        receiver.machine.frame(pair.now, conn, frames)

    def cut(
        self, pair: Pair, ends: dict[str, End],
        flying: dict[tuple[Hashable, str], list[list[Any]]], conn: int, chance: random.Random,
    ) -> None:
        """The tail of what is in flight is lost; each end learns of it, or not yet."""
        for name, end in ends.items():
            tail = flying.pop((conn, name), [])
            kept = tail[: chance.randint(0, len(tail))]
            if kept:
                flying[conn, name] = kept
            end.machine.lost(pair.now, conn)

    @staticmethod
    def text(number: int) -> bytes:
        return b"%d" % number * (1 + number % 7)

    def test_cuts(self) -> None:
        for seed in range(60):
            self.run_pair(seed, durable=False)

    def test_cuts_and_restarts_from_the_journal(self) -> None:
        for seed in range(60):
            self.run_pair(seed, durable=True)


class FrameTakenTest(unittest.TestCase):
    """`frame_taken` is `frame` and `take`."""

    def same(self, one: Machine, other: Machine) -> None:
        for base in (Window, Machine):
            for name in base.__slots__:
                if name not in ("_out", "_put", "_routes", "config"):
                    self.assertEqual(getattr(one, name), getattr(other, name), name)

    def play(self, seed: int) -> int:
        """Random traffic to A; how often the short way was taken."""
        chance = random.Random(seed)
        settings = {"window_messages": chance.choice((1, 9, 64, 1024)), "max_message": 5000,
                    "window_bytes": chance.choice((20, 9000, 1 << 20))}
        pair, twin = Pair(**settings).up(), Pair(**settings).up()
        short = 0
        for _ in range(300):
            pair.now += chance.choice((0, 1, 30))
            twin.now = pair.now
            size, site = chance.choice((0, 1, 15, 200, 4097)), chance.randint(0, 2)
            kind = wire.SELECT if chance.random() < 0.1 else wire.DATA
            payload = [] if kind == wire.SELECT else [bytes(size)]
            if chance.random() < 0.2:
                for each in (pair, twin):
                    each.a.machine.send(each.now, wire.DATA, 1, 0, [b"answer"])
            for each in (pair, twin):
                each.b.machine.send(each.now, kind, site, 0, payload)
            out = pair.emptied(pair.b)
            self.assertEqual(out, twin.emptied(twin.b))
            for conn, frames in out:
                if len(frames) == 1 and chance.random() < 0.8:
                    short += self.give(pair, twin, conn, frames[0], chance.choice((site, site, 9)))
                else:
                    pair.a.machine.frame(pair.now, conn, frames)
                    twin.a.machine.frame(pair.now, conn, frames)
            while chance.random() < 0.9:
                self.assertEqual(pair.a.machine.take(pair.now), twin.a.machine.take(pair.now))
            if chance.random() < 0.3:
                pair.a.machine.tick(pair.now)
                twin.a.machine.tick(pair.now)
            self.assertEqual(pair.a.out, twin.a.out)
            self.assertEqual(pair.a.events, twin.a.events)
            self.same(pair.a.machine, twin.a.machine)
            for each in (pair, twin):
                each.flow()
        return short

    def give(self, pair: Pair, twin: Pair, conn: Hashable, first: bytes, site: int) -> int:
        taken = pair.a.machine.frame_taken(pair.now, conn, first, site)
        twin.a.machine.frame(pair.now, conn, [first])
        if not taken:
            pair.a.machine.frame(pair.now, conn, [first])
            return 0
        message = twin.a.machine.take(pair.now)
        assert message is not None
        self.assertEqual((message.kind, message.site), (wire.DATA, site))
        self.assertEqual(first[wire.HEADER :], payload(message))
        return 1

    def test_the_same_state_and_answers(self) -> None:
        self.assertGreater(sum(self.play(seed) for seed in range(40)), 1000)


if __name__ == "__main__":
    unittest.main()
