"""The proxy's own tests: plain sockets at both ends."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

from proxy import Cut, Proxy, parse_script, random_script

DEADLINE = 10.0


class Ends(unittest.TestCase):
    """A listener behind a proxy; `dial` gives both ends of a connection."""

    def setUp(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(DEADLINE)
        self.addCleanup(self.listener.close)
        self.plan: list[Cut | None] = []
        self.proxy = Proxy(("127.0.0.1", 0), self.listener.getsockname(),
                           lambda number: self.plan.pop(0) if self.plan else None)
        self.addCleanup(self.proxy.close)

    def dial(self) -> tuple[socket.socket, socket.socket]:
        near = socket.create_connection(self.proxy.address, DEADLINE)
        far, _ = self.listener.accept()
        for each in (near, far):
            each.settimeout(DEADLINE)
            self.addCleanup(each.close)
        return near, far

    def read(self, end: socket.socket) -> bytes:
        """All until it closes; a reset ends with b"RST"."""
        text = b""
        try:
            while data := end.recv(4096):
                text += data
        except ConnectionResetError:
            return text + b"RST"
        return text

    def exactly(self, end: socket.socket, count: int) -> bytes:
        text = b""
        while len(text) < count and (data := end.recv(count - len(text))):
            text += data
        return text

    def silent(self, end: socket.socket, seconds: float) -> bool:
        end.settimeout(seconds)
        try:
            end.recv(1)
            return False
        except TimeoutError:
            return True
        finally:
            end.settimeout(DEADLINE)


class Faults(Ends):
    def test_bytes_pass_both_ways_and_ends_too(self) -> None:
        near, far = self.dial()
        text = os.urandom(3_000_000)
        def send() -> None:
            near.sendall(text)
            near.shutdown(socket.SHUT_WR)

        threading.Thread(target=send).start()
        self.assertEqual(self.read(far), text)
        far.sendall(b"answer")
        far.close()
        self.assertEqual(self.read(near), b"answer")

    def test_fin_closes_in_order(self) -> None:
        near, far = self.dial()
        near.sendall(b"abc")
        self.assertEqual(self.exactly(far, 3), b"abc")
        self.proxy.fin()
        self.assertEqual((self.read(near), self.read(far)), (b"", b""))
        near, far = self.dial()
        near.sendall(b"new")
        self.assertEqual(self.exactly(far, 3), b"new")

    def test_rst_resets(self) -> None:
        near, far = self.dial()
        near.sendall(b"abc")
        self.exactly(far, 3)
        self.proxy.rst()
        self.assertEqual((self.read(near), self.read(far)), (b"RST", b"RST"))

    def test_down_refuses_for_a_time(self) -> None:
        near, _ = self.dial()
        self.proxy.down(0.3)
        self.assertEqual(self.read(near), b"RST")
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(self.proxy.address, DEADLINE)
        time.sleep(0.5)
        self.dial()

    def test_down_twice_at_once(self) -> None:
        self.proxy.down(0.1)
        self.proxy.down(0.2)
        time.sleep(0.5)
        self.dial()

    def test_hole_keeps_bytes(self) -> None:
        near, far = self.dial()
        self.proxy.hole(0.4)
        near.sendall(b"abc")
        other, end = self.dial()
        other.sendall(b"def")
        self.assertTrue(self.silent(far, 0.1) and self.silent(end, 0.1))
        self.assertEqual(self.exactly(far, 3), b"abc")
        self.assertEqual(self.exactly(end, 3), b"def")

    def test_silent_leaves_new_connections_alone(self) -> None:
        near, far = self.dial()
        self.proxy.silent(None)
        near.sendall(b"abc")
        other, end = self.dial()
        other.sendall(b"def")
        self.assertEqual(self.exactly(end, 3), b"def")
        self.assertTrue(self.silent(far, 0.2))

    def test_swallow_drops_then_closes(self) -> None:
        near, far = self.dial()
        self.proxy.swallow(0.2)
        near.sendall(b"abc")
        self.assertEqual((self.read(far), self.read(near)), (b"", b""))

    def test_delay_of_one_side(self) -> None:
        self.proxy.delay["dialler"] = 0.3
        near, far = self.dial()
        start = time.monotonic()
        near.sendall(b"abc")
        far.sendall(b"def")
        self.assertEqual(self.exactly(near, 3), b"def")
        self.assertEqual(self.exactly(far, 3), b"abc")
        self.assertGreaterEqual(time.monotonic() - start, 0.3)

    def test_split_delivers_the_old_bytes_late(self) -> None:
        self.proxy.delay["dialler"] = 0.1
        near, far = self.dial()
        near.sendall(b"late")
        while not any(each.ways["dialler"].held for each in list(self.proxy._links)):
            time.sleep(0.001)
        self.proxy.split(0.3)
        self.assertEqual(self.read(near), b"")
        other, end = self.dial()
        other.sendall(b"new")
        self.assertEqual(self.exactly(end, 3), b"new")
        self.assertEqual(self.read(far), b"late")

    def test_rate(self) -> None:
        self.proxy.rate = 20_000
        near, far = self.dial()
        start = time.monotonic()
        near.sendall(bytes(4_000))
        self.assertEqual(len(self.exactly(far, 4_000)), 4_000)
        self.assertGreater(time.monotonic() - start, 0.1)

    def test_a_target_that_is_not_there(self) -> None:
        self.listener.close()
        with (self.assertRaises(ConnectionResetError),
              socket.create_connection(self.proxy.address, DEADLINE) as near):
            near.recv(1)


class Cuts(Ends):
    def test_at_a_byte(self) -> None:
        for how, end in (("rst", b"RST"), ("fin", b"")):
            for at in (0, 1, 5, 9):
                self.plan = [Cut("dialler", at, how)]
                near, far = self.dial()
                near.sendall(b"0123456789")
                self.assertEqual(self.read(far), b"0123456789"[:at] + end)

    def test_of_the_other_side(self) -> None:
        self.plan = [Cut("listener", 4)]
        near, far = self.dial()
        near.sendall(b"0123456789")
        self.assertEqual(self.exactly(far, 10), b"0123456789")
        far.sendall(b"0123456789")
        self.assertEqual(self.read(near), b"0123RST")

    def test_from_a_mark(self) -> None:
        self.plan = [Cut("dialler", 6, mark=b"CHZ1\x09")]
        near, far = self.dial()
        near.sendall(b"before CHZ1\x04 CH")
        time.sleep(0.1)
        near.sendall(b"Z1\x09abcdef")
        self.assertEqual(self.read(far), b"before CHZ1\x04 CHZ1\x09aRST")

    def test_swallow(self) -> None:
        self.plan = [Cut("dialler", 3, "swallow")]
        near, far = self.dial()
        near.sendall(b"012345")
        self.assertEqual(self.exactly(far, 3), b"012")
        self.assertTrue(self.silent(far, 0.2))


class Scripts(Ends):
    def test_random_is_of_its_seed(self) -> None:
        self.assertEqual(random_script(3, 5, 2.0), random_script(3, 5, 2.0))
        self.assertNotEqual(random_script(3, 5, 2.0), random_script(4, 5, 2.0))

    def test_text(self) -> None:
        self.assertEqual(parse_script(["1:down:0.3", "0.5:rst"]),
                         [(0.5, "rst", ()), (1.0, "down", (0.3,))])
        with self.assertRaises(ValueError):
            parse_script(["1:drop"])

    def test_as_a_program_over_unix_sockets(self) -> None:
        with tempfile.TemporaryDirectory() as folder, unix_listener(f"{folder}/far") as listener:
            program = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("proxy.py")), f"unix:{folder}/near",
                 f"unix:{folder}/far", "0.3:fin"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.addCleanup(program.communicate, timeout=DEADLINE)
            assert program.stdout is not None
            self.assertIn("unix:", program.stdout.readline())
            near = socket.socket(socket.AF_UNIX)
            near.connect(f"{folder}/near")
            self.addCleanup(near.close)
            near.settimeout(DEADLINE)
            far, _ = listener.accept()
            self.addCleanup(far.close)
            near.sendall(b"abc")
            self.assertEqual(self.exactly(far, 3), b"abc")
            self.assertEqual(self.read(near), b"")
            self.assertIn("1 connections", program.stdout.readline())


@contextlib.contextmanager
def unix_listener(path: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(1)
        listener.settimeout(DEADLINE)
        yield listener


if __name__ == "__main__":
    unittest.main()
