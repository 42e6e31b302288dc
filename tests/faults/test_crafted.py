"""The crafted peer against itself, and its frames as the runtime reads them."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "runtime" / "python"))

import crafted  # noqa: E402
from crafted import DATA, HELLO, REFUSE, WELCOME, Dialler, Listener, value  # noqa: E402
from pychoral import frame as runtime  # noqa: E402
from pychoral import wire  # noqa: E402


class Frames(unittest.TestCase):
    def setUp(self) -> None:
        self.peer = Dialler("Bob", "Alice", "stream", "monday")
        self.addCleanup(self.peer.close)

    def test_lawful_frames_are_lawful_to_the_runtime(self) -> None:
        body = {HELLO: self.peer.greeting(), REFUSE: b"\0\1text", DATA: value(7),
                crafted.PING: bytes(9) + crafted.string("Bob"), crafted.END: b"\0\0",
                crafted.ERROR: crafted.string("Bob") * 3}
        for kind in range(1, 11):
            seq = 1 if kind in (DATA, crafted.SELECT, crafted.END, crafted.ERROR) else 0
            text = body.get(WELCOME - 1 if kind == WELCOME else
                            crafted.PING if kind == crafted.PONG else kind, b"")
            made = self.peer.frame(kind, text, seq=seq)
            self.assertIsNotNone(runtime.parse([made]), kind)

    def test_the_greeting_says_who(self) -> None:
        made = self.peer.frame(HELLO, self.peer.greeting())
        self.assertEqual(runtime.peek_hello(made), ("Bob", "Alice"))

    def test_values(self) -> None:
        self.assertEqual(value((0, b"abc")).hex(), "93c7000200c403616263")
        self.assertEqual(value(300), b"\xcd\x01\x2c")
        self.assertTrue(wire)


class Greeting(unittest.TestCase):
    def test_each_other(self) -> None:
        with Listener("Alice", "Bob", "stream") as alice, Dialler("Bob", "Alice", "stream") as bob:
            alice.listen("tcp://127.0.0.1:*")
            bob.dial(alice.socket.last_endpoint.decode())
            bob.send(bob.frame(HELLO, bob.greeting()))
            hello = alice.welcome()
            welcome = bob.wait_for(WELCOME)
            assert hello is not None and welcome is not None
            self.assertEqual(welcome.session, alice.session)
            alice.data(value((1, b"x")))
            came = bob.wait_for(DATA)
            assert came is not None
            self.assertEqual((came.seq, came.site, came.body), (1, 1, value((1, b"x"))))


if __name__ == "__main__":
    unittest.main()
