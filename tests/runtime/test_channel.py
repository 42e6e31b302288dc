"""The protocol between two roles, over memory links."""

import enum
import random
import sys
import threading
import unittest
from typing import Any, Callable

from pychoral import wire
from pychoral.channel import Channel, Session, _join
from pychoral.errors import ChannelError, NotSendable
from pychoral.link import LinkTimeout, MemoryLink
from pychoral.unit import Unit

IDENTITY = ("ab" * 32, "run")


class Answer(enum.Enum):
    YES = 1
    NO = 2


class Other(enum.Enum):
    YES = 1


class Conversation(unittest.TestCase):
    """A listens, B dials; `left` is A's session and `right` B's."""

    def setUp(self) -> None:
        self.link_a, self.link_b = MemoryLink.pair("A", "B")
        codec = wire.Codec(wire.TypeTable([Answer, Other]))
        self.left = Session(self.link_a, "A", "B", IDENTITY, 5, codec=codec)
        self.right = Session(self.link_b, "B", "A", IDENTITY, 5, codec=codec)

    def open(self) -> None:
        self.together(self.left.open, self.right.open)

    def together(self, *bodies: Callable[[], Any]) -> list[Any]:
        """Run bodies in threads; what each gives or raises."""
        results: list[Any] = [None] * len(bodies)

        def run(place: int) -> None:
            try:
                results[place] = bodies[place]()
            except Exception as fault:
                results[place] = fault

        threads = [threading.Thread(target=run, args=(place,)) for place in range(len(bodies))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
            self.assertFalse(thread.is_alive())
        return results

    def assert_ends(self, action: Callable[[], Any], status: int, *words: str) -> None:
        with self.assertRaises(ChannelError) as caught:
            action()
        self.assertEqual(caught.exception.status, status, str(caught.exception))
        for word in words:
            self.assertIn(word, str(caught.exception))


class Talk(Conversation):
    def test_values_and_labels(self) -> None:
        self.open()
        a, b = Channel(self.left), Channel(self.right)
        self.assertIs(a.com([1]), Unit.id)
        self.assertEqual(b.com(expect=list[int]), [1])
        self.assertIs(b.select(Answer.NO), Unit.id)
        self.assertIs(a.select(expect=Answer), Answer.NO)
        value = [[1]]
        kept = a.share(value)
        self.assertEqual((kept, b.share(expect=list[list[int]])), (value, value))
        self.assertIsNot(kept, value)
        self.assertEqual(repr(a.share(1, expect=float)), "1.0")
        self.assertIs(a.com(None), Unit.id)
        self.assertEqual(b.com(expect=float), 1.0)
        self.assertIsNone(b.com(expect=None))
        with self.assertRaises(NotSendable):
            a.select("YES")

    def test_an_end_in_good_order(self) -> None:
        self.open()
        self.left.send_value(1)
        self.left.announce_end()
        self.assertEqual(self.right.receive_value(int), 1)
        self.right.announce_end()
        self.right.confirm_end()
        self.left.confirm_end()

    def test_the_last_message_unread(self) -> None:
        self.open()
        self.left.send_value(1)
        self.left.announce_end()
        self.right.send_value(2)
        self.assert_ends(self.left.confirm_end, 76, "after the end")

    def test_wrong_kinds_types_and_labels(self) -> None:
        self.open()
        self.left.send_label(Answer.YES)
        self.assert_ends(
            lambda: self.right.receive_value(int), 76, "expected int from A", "selection"
        )
        self.left.send_value(1)
        self.assert_ends(lambda: self.right.receive_label(Answer), 76, "a selection of Answer")
        self.left.send_value("s")
        self.assert_ends(lambda: self.right.receive_value(int), 76, "expected int, but str came")
        self.left.send_label(Other.YES)
        self.assert_ends(lambda: self.right.receive_label(Answer), 76, "expected Answer")

    def test_a_peer_that_ends_or_fails(self) -> None:
        self.open()
        self.left.announce_end()
        self.assert_ends(lambda: self.right.receive_value(str), 75, "for str from A", "A has ended")
        self.left.announce_error("ValueError: \x1b[1m no\n")
        self.assert_ends(
            lambda: self.right.receive_value(str), 75, "stopped: ValueError: \\x1b[1m no"
        )

    def test_a_silent_peer(self) -> None:
        self.left = Session(self.link_a, "A", "B", IDENTITY, 0.1, lambda site: " (deal.pyc:3)")
        self.open()
        self.assert_ends(
            lambda: self.left.receive_value(list[int]),
            75,
            "waited 0.1 s for list[int] from B (deal.pyc:3)",
        )

    def test_who_speaks_last_waits_for_the_end(self) -> None:
        self.left = Session(self.link_a, "A", "B", IDENTITY, None)
        self.open()
        self.left.send_value(1)

        def left() -> None:
            self.left.announce_end()
            self.left.confirm_end()

        def right() -> int:
            value: int = self.right.receive_value(int)
            self.right.announce_end()
            return value

        self.assertEqual(self.together(left, right), [None, 1])


class Handshake(Conversation):
    def refused(self, right: Session, status: int, words: str) -> None:
        results = self.together(self.left.open, right.open)
        for result in results:
            self.assertIsInstance(result, ChannelError)
            self.assertEqual(result.status, status)
            self.assertIn(words, str(result))

    def test_another_projection(self) -> None:
        other = Session(self.link_b, "B", "A", ("cd" * 32, "run"), 5)
        self.refused(other, 76, "rebuild both from the same source")

    def test_another_run(self) -> None:
        self.refused(Session(self.link_b, "B", "A", (IDENTITY[0], "x"), 5), 77, "is not run 'x'")

    def test_another_role(self) -> None:
        self.refused(Session(self.link_b, "C", "A", IDENTITY, 5), 77, "B should meet A")
        self.refused(Session(self.link_b, "B", "C", IDENTITY, 5), 77, "B should meet A")

    def test_nobody(self) -> None:
        for link, me, peer in ((self.link_a, "A", "B"), (self.link_b, "B", "A")):
            session = Session(link, me, peer, IDENTITY, 0.1)
            self.assert_ends(session.open, 75, f"waited 0.1 s for {peer} to start")

    def test_junk_before_the_greeting_is_no_greeting(self) -> None:
        chance = random.Random(8)
        for _ in range(300):
            self.link_b.send(chance.randbytes(chance.randrange(30)), None)
        for start in (b"H", b"HH", b"H" + _join(wire.encode(("pychoral", 1))), b"D", b"E", b"X"):
            self.link_b.send(start, None)
        self.assertEqual(self.together(self.left.open, self.right.open), [None, None])


class Hostile(Conversation):
    def test_any_frame_is_a_value_or_the_end_of_the_run(self) -> None:
        chance = random.Random(9)
        self.left = Session(self.link_a, "A", "B", IDENTITY, 0)
        self.together(Session(self.link_a, "A", "B", IDENTITY, 5).open, self.right.open)
        for _ in range(3_000):
            kind = chance.choice([b"D", b"S", b"X", b"N", b"W", b"H", b"E", b"?", b""])
            self.link_b.send(kind + chance.randbytes(chance.randrange(12)), None)
            try:
                value = Channel(self.left).com(expect=list[int])
            except ChannelError as fault:
                self.assertTrue(str(fault).isprintable(), str(fault))
            else:
                self.assertIs(type(value), list)
        with self.assertRaises(LinkTimeout):
            while True:
                self.link_a.receive(0)


if __name__ == "__main__":
    sys.exit(unittest.main())
