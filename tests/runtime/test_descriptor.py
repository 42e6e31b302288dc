"""A silent connection is ended, and no other one that has its descriptor (PROTOCOL.md section 6).

That a frozen peer is noticed, at either end, is fault 16 of tests/faults.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
import unittest

from pychoral.descriptor import SILENCE_MS, Descriptor, descriptor_of


def connection() -> tuple[socket.socket, socket.socket]:
    """Both ends; the second is the accepted one."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        dialled = socket.create_connection(listener.getsockname())
        return dialled, listener.accept()[0]


class DescriptorTest(unittest.TestCase):
    def setUp(self) -> None:
        self.dialled, self.accepted = connection()
        self.addCleanup(self.dialled.close)
        self.addCleanup(self.accepted.close)
        self.dialled.settimeout(5)
        found = descriptor_of(self.accepted.fileno())
        assert found is not None
        self.descriptor: Descriptor = found

    def is_open(self) -> bool:
        self.dialled.setblocking(False)
        try:
            return self.dialled.recv(1) != b""
        except BlockingIOError:
            return True

    def test_one_that_was_heard(self) -> None:
        self.descriptor.end_silent(10_000, SILENCE_MS)
        self.assertTrue(self.is_open())

    def test_a_silent_one(self) -> None:
        self.descriptor.end()
        self.dialled.settimeout(5)
        self.assertEqual(self.dialled.recv(1), b"")

    def test_the_descriptor_is_anothers(self) -> None:
        """A program's own connection must not be ended for one that libzmq has closed."""
        stranger, mine = connection()
        self.addCleanup(stranger.close)
        os.dup2(mine.fileno(), self.accepted.fileno())
        mine.close()
        self.descriptor.end()
        stranger.setblocking(False)
        self.assertRaises(BlockingIOError, stranger.recv, 1)

    def test_a_closed_descriptor(self) -> None:
        file = self.accepted.detach()
        os.close(file)
        self.assertIsNone(descriptor_of(file))
        self.descriptor.end()

    def test_one_that_sends(self) -> None:
        """A message of many megabytes may take long; one that no longer moves is silent."""
        self.accepted.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                self.accepted.send(bytes(1 << 16))
        time.sleep(0.01)
        self.descriptor.end_silent(10_000, 5)  # it has moved
        self.assertFalse(self.has_ended())
        for now in range(20_000, 2_000_000, 10_000):  # until it has not, since: on a busy machine
            self.descriptor.end_silent(now, 5)  # the kernel takes its time
            if self.has_ended():
                return
            time.sleep(0.05)
        self.fail("it was not ended")

    def has_ended(self) -> bool:
        try:
            self.accepted.send(b"x")
        except BlockingIOError:
            pass
        except BrokenPipeError:
            return True
        return False

    def test_what_is_not_tcp(self) -> None:
        """It can be ended, but not for its silence."""
        one, other = socket.socketpair()
        self.addCleanup(one.close)
        self.addCleanup(other.close)
        found = descriptor_of(one.fileno())
        assert found is not None
        found.end_silent(10_000, 1)
        other.setblocking(False)
        self.assertRaises(BlockingIOError, other.recv, 1)
        found.end()
        self.assertEqual(other.recv(1), b"")

    def test_what_is_no_connection(self) -> None:
        with open(os.devnull, "rb") as file:
            self.assertIsNone(descriptor_of(file.fileno()))
        self.assertIsNone(descriptor_of(-1))


if __name__ == "__main__":
    unittest.main()
