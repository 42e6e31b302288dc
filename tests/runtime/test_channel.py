"""What two roles say to each other over memory: values, labels, ends, refusals."""

import enum
import random
import sys
import threading
import unittest
from typing import Any, Callable

from pychoral import wire
from pychoral.channel import Channel
from pychoral.errors import ChannelError, NotSendable
from pychoral.frame import DATA, SELECT
from pychoral.link import Origin
from pychoral.report import Reporter
from pychoral.role import Role
from pychoral.transport import MemoryTransport
from pychoral.unit import Unit
from pychoral.window import Config

PROTOCOL = bytes(32)
SITES = {3: "deal.pyc:3", 4: "deal.pyc:4"}


class Answer(enum.Enum):
    YES = 1
    NO = 2


class Three(enum.Enum):
    ONE = 1
    TWO = 2
    THREE = 3


class Conversation(unittest.TestCase):
    """A listens, B dials, each in a thread of its own."""

    timeout: "float | None" = 10

    def setUp(self) -> None:
        self.transports = {"A": MemoryTransport(), "B": MemoryTransport()}
        MemoryTransport.join(("A", self.transports["A"]), ("B", self.transports["B"]))

    def role(self, me: str, peer: str, **config: Any) -> Role:
        codec = wire.Codec(wire.TypeTable())
        role = Role(me, self.transports[me], codec, Reporter(me), self.timeout, SITES)
        settings = {"protocol": PROTOCOL, "run": "run", "seed": ord(me), **config}
        role.add(self.transports[me].port(peer), Config(me, peer, me == "B", **settings))
        return role

    def talk(self, **bodies: Callable[[Channel, Role], Any]) -> dict[str, Any]:
        """Run a body for each role; what each gives or raises."""
        results: dict[str, Any] = {}

        def run(me: str, peer: str) -> None:
            role = self.role(me, peer)
            failure = Origin(me, "", "failed")
            try:
                role.open()
                results[me] = bodies[me](Channel(role.links[peer]), role)
                failure = None
            except Exception as fault:
                results[me] = fault
            role.end(failure, is_whole=True)
            role.close()

        threads = [threading.Thread(target=run, args=ends) for ends in ("AB", "BA")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
            self.assertFalse(thread.is_alive())
        return results

    def assert_ends(self, fault: Any, status: int, *words: str) -> None:
        self.assertIsInstance(fault, ChannelError)
        self.assertEqual(fault.status, status, str(fault))
        for word in words:
            self.assertIn(word, str(fault))


class Talk(Conversation):
    def test_values_and_labels(self) -> None:
        value = [[1]]

        def left(ch: Channel, role: Role) -> None:
            self.assertIs(ch.com([1]), Unit.id)
            self.assertIs(ch.select(expect=Answer), Answer.NO)
            kept = ch.share(value)
            self.assertEqual(kept, value)
            self.assertIsNot(kept, value)
            self.assertEqual(repr(ch.share(1, expect=float)), "1.0")
            self.assertIs(ch.com(None), Unit.id)
            with self.assertRaises(NotSendable):
                ch.select("YES")

        def right(ch: Channel, role: Role) -> None:
            self.assertEqual(ch.com(expect=list[int]), [1])
            self.assertIs(ch.select(Answer.NO), Unit.id)
            self.assertEqual(ch.share(expect=list[list[int]]), value)
            self.assertEqual(ch.com(expect=float), 1.0)
            self.assertIsNone(ch.com(expect=None))

        self.assertEqual(self.talk(A=left, B=right), {"A": None, "B": None})

    def test_more_than_a_window(self) -> None:
        def left(ch: Channel, role: Role) -> None:
            for number in range(5_000):
                ch.com(number)

        def right(ch: Channel, role: Role) -> int:
            return sum(ch.com(expect=int) for _ in range(5_000))

        self.assertEqual(self.talk(A=left, B=right)["B"], sum(range(5_000)))

    def test_both_send_before_they_read(self) -> None:
        def body(ch: Channel, role: Role) -> int:
            for number in range(1_000):
                ch.com(b"x" * 3_000)
            return sum(len(ch.com(expect=bytes)) for _ in range(1_000))

        self.assertEqual(self.talk(A=body, B=body), {"A": 3_000_000, "B": 3_000_000})

    def test_large_values(self) -> None:
        sizes = (0, 1, 4_095, 4_096, 4_097, 65_535, 65_536, 1 << 20, 9 << 20)

        def left(ch: Channel, role: Role) -> None:
            for size in sizes:
                ch.com(bytes(size))

        def right(ch: Channel, role: Role) -> list[int]:
            return [len(ch.com(expect=bytes)) for _ in sizes]

        self.assertEqual(self.talk(A=left, B=right)["B"], list(sizes))

    def test_wrong_kinds_types_labels_and_sites(self) -> None:
        for send, receive, words in [
            (lambda ch: ch.select(Answer.YES), lambda ch: ch.com(expect=int, site=3),
             ("expected int from A (deal.pyc:3), but received a selection",)),
            (lambda ch: ch.com(1), lambda ch: ch.select(expect=Answer),
             ("expected a selection of Answer from A", "but received a value")),
            (lambda ch: ch.com("s"), lambda ch: ch.com(expect=int),
             ("expected int, but received str from A",)),
            (lambda ch: ch.select(Three.THREE), lambda ch: ch.select(expect=Answer),
             ("expected a selection of Answer (labels 0 to 1), but received label 2 from A",)),
            (lambda ch: ch.com(1, site=4), lambda ch: ch.com(expect=int, site=3),
             ("expected int from A (deal.pyc:3), but received a value for (deal.pyc:4)",)),
            (lambda ch: ch.com(1, site=9), lambda ch: ch.com(expect=int, site=3),
             ("but received a value for site 9",)),
        ]:  # fmt: skip
            with self.subTest(words):
                self.setUp()
                ended = self.talk(A=lambda ch, role: send(ch), B=lambda ch, role: receive(ch))
                self.assert_ends(ended["B"], 76, *words)

    def test_site_zero_is_not_compared(self) -> None:
        for here, there in ((0, 5), (5, 0)):
            self.setUp()
            ended = self.talk(
                A=lambda ch, role: ch.com(1, site=here),
                B=lambda ch, role: ch.com(expect=int, site=there),
            )
            self.assertEqual(ended["B"], 1)

    def test_a_message_after_the_end(self) -> None:
        def run(role: Role, sends: bool) -> None:
            role.open()
            if sends:
                Channel(role.links["A"]).com(1)
            role.end(None, is_whole=True)

        left, right = self.role("A", "B"), None
        threads = [threading.Thread(target=lambda: run(self.role("B", "A"), True))]
        threads[0].start()
        left.open()
        Channel(left.links["B"])
        threads[0].join(10)
        with left.lock:
            for _ in range(10):
                self.transports["A"].wait(0.01)
        with self.assertRaises(ChannelError) as caught:
            left.end(None, is_whole=True)
        self.assert_ends(caught.exception, 76, "B sent a value after the end of the choreography")

    def test_a_peer_that_ends_or_fails(self) -> None:
        def fails(ch: Channel, role: Role) -> None:
            role.end(Origin("A", "ValueError", "\x1b[1m no\n"), is_whole=False)

        ended = self.talk(A=lambda ch, role: None, B=lambda ch, role: ch.com(expect=str))
        self.assert_ends(ended["B"], 75, "waited for str from A", "but A has ended")
        self.setUp()
        ended = self.talk(A=fails, B=lambda ch, role: ch.com(expect=str))
        self.assert_ends(ended["B"], 75, "but A stopped: ValueError: \\x1b[1m no")
        self.assertEqual(ended["B"].origin, ("A", "ValueError", "\\x1b[1m no\\n"))

    def test_an_end_after_a_failure_of_the_link(self) -> None:
        """The fact stands before its cause, which may close with an advice."""

        def lost(ch: Channel, role: Role) -> None:
            self.transports["A"].is_certain = False     # as a socket
            role.links["B"].failure = ("B has another manifest; give both the same manifest", 76)
            role.end(None, is_whole=True)

        ended = self.talk(A=lost, B=lambda ch, role: None)
        self.assert_ends(
            ended["A"], 76,
            "B has not confirmed the last message: B has another manifest; give both the same",
        )  # fmt: skip

    def test_what_nobody_will_read_takes_one_number(self) -> None:
        """As in C; a durable role that runs again counts them."""

        def sends(ch: Channel, role: Role) -> Any:
            machine = role.links["A"].machine
            with self.assertRaises(ChannelError):
                ch.com(expect=str)
            first = machine.next_seq
            ch.com(1)
            ch.select(Answer.YES)
            return machine.next_seq - first

        ended = self.talk(A=lambda ch, role: None, B=sends)
        self.assertEqual(ended["B"], 2)

    def test_a_failure_that_began_elsewhere(self) -> None:
        def fails(ch: Channel, role: Role) -> None:
            role.end(Origin("C", "ValueError", "no"), is_whole=False)

        ended = self.talk(A=fails, B=lambda ch, role: ch.com(expect=str, site=3))
        self.assert_ends(
            ended["B"], 75,
            "waited for str from A (deal.pyc:3), but A stopped because C stopped: ValueError: no",
        )  # fmt: skip

    def test_threads_of_the_program_may_not_use_channels(self) -> None:
        faults: list[Exception] = []

        def other(ch: Channel) -> None:
            for action in (lambda: ch.com(1), lambda: ch.com(expect=int)):
                try:
                    action()
                except ChannelError as fault:
                    faults.append(fault)

        def left(ch: Channel, role: Role) -> None:
            thread = threading.Thread(target=other, args=(ch,))
            thread.start()
            thread.join()

        self.talk(A=left, B=lambda ch, role: None)
        self.assertEqual(len(faults), 2)
        self.assert_ends(faults[0], 76, "only the thread that called main may use them")


class Deadlines(Conversation):
    timeout = 0.1

    def test_a_silent_peer(self) -> None:
        done = threading.Event()

        def left(ch: Channel, role: Role) -> None:
            done.wait(10)

        def right(ch: Channel, role: Role) -> None:
            try:
                ch.com(expect=list[int], site=3)
            finally:
                done.set()

        ended = self.talk(A=left, B=right)
        self.assert_ends(
            ended["B"], 75, "waited 0.1 s (--timeout) for list[int] from A (deal.pyc:3); A "
        )

    def test_a_peer_that_does_not_read(self) -> None:
        done = threading.Event()

        def right(ch: Channel, role: Role) -> None:
            try:
                while True:
                    ch.com(bytes(1_000_000), site=4)
            finally:
                done.set()

        ended = self.talk(A=lambda ch, role: done.wait(10), B=right)
        said = "waited 0.1 s (--timeout) for A to take a message (deal.pyc:4)"
        self.assert_ends(ended["B"], 75, said)

    def test_nobody(self) -> None:
        for me, peer in ("AB", "BA"):
            with self.assertRaises(ChannelError) as caught:
                self.role(me, peer).open()
            self.assert_ends(caught.exception, 75, f"waited 0.1 s for {peer} to start")


class Handshake(Conversation):
    def meet(self, **config: Any) -> list[Any]:
        """Both open, B with another configuration; what each raises."""
        faults: list[Any] = [None, None]

        def run(place: int, role: Role) -> None:
            role.thread = threading.get_ident()
            try:
                role.open()
            except ChannelError as fault:
                faults[place] = fault

        roles = [self.role("A", "B"), self.role("B", "A", **config)]
        threads = [threading.Thread(target=run, args=each) for each in enumerate(roles)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
            self.assertFalse(thread.is_alive())
        return faults

    def test_another_program(self) -> None:
        for fault, peer in zip(self.meet(protocol=bytes(31) + b"x"), "BA"):
            self.assert_ends(fault, 76, "another program; rebuild both from the same source")

    def test_other_limits(self) -> None:
        for fault in self.meet(max_message=1000):
            self.assert_ends(fault, 76, "the message limit of")

    def test_another_run(self) -> None:
        self.timeout = 1
        left, right = self.meet(run="x")
        self.assert_ends(right, 77, "A is in the run run, but B is in the run x (--run)")
        self.assert_ends(left, 75, "waited 1 s for B to start")
        self.setUp()
        _, right = self.meet(run="")
        self.assert_ends(right, 77, "A is in the run run, but B is in the run without a name")


class Hostile(Conversation):
    def test_any_frame_is_a_value_or_the_end_of_the_run(self) -> None:
        """Whatever bytes stand in the payload and the header of messages."""
        chance = random.Random(9)

        def left(ch: Channel, role: Role) -> None:
            machine = role.links["B"].machine
            for _ in range(300):
                kind = chance.choice([DATA, SELECT])
                payload = [chance.randbytes(chance.randrange(12))] if kind == DATA else []
                label = 0 if kind == DATA else chance.randrange(4)
                machine.send(role.now(), kind, chance.randrange(3), label, payload)

        def right(ch: Channel, role: Role) -> None:
            for _ in range(300):
                try:
                    value = ch.com(expect=list[int])
                except ChannelError as fault:
                    self.assertTrue(str(fault).isprintable(), str(fault))
                else:
                    self.assertIs(type(value), list)

        self.assertEqual(self.talk(A=left, B=right), {"A": None, "B": None})


if __name__ == "__main__":
    sys.exit(unittest.main())
