"""Recorded effects: a program that starts again gets the same clock, random numbers and input."""

import concurrent.futures
import contextlib
import datetime
import io
import multiprocessing
import os
import pathlib
import random
import sys
import tempfile
import time
import types
import unittest
import uuid
from time import time as seconds  # bound by name, as programs do
from typing import Any

from pychoral import effects
from pychoral.errors import ChannelError
from pychoral.identity import Identity
from pychoral.journal import Journal

MINE = Identity(b"p" * 32, "run", "Bob")


def clock() -> float:
    return time.time()


class EffectsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "j")

    @contextlib.contextmanager
    def incarnation(self, stdin: str = "") -> Any:
        journal = Journal(self.path, MINE)
        original = sys.stdin
        sys.stdin = io.StringIO(stdin)
        try:
            with effects.installed(effects.Recorder(journal), __file__):
                yield
            journal.force()
        finally:
            sys.stdin = original
            journal.close()

    def observe(self) -> list[object]:
        return [
            time.time(), time.monotonic_ns(), seconds(), random.random(), random.sample("abc", 2),
            random.SystemRandom().random(), uuid.uuid4(), os.urandom(4),
            datetime.datetime.now(), datetime.date.today(),
            datetime.datetime.now(datetime.timezone.utc),
            random.Random().random(), time.localtime(), time.gmtime(), time.ctime(),
            time.strftime("%H:%M:%S"), time.process_time(), uuid.uuid1(),
            time.clock_gettime(time.CLOCK_MONOTONIC), os.getrandom(4),
        ]  # fmt: skip

    def test_the_same_again(self) -> None:
        with self.incarnation():
            first = self.observe()
        with self.incarnation():
            self.assertEqual(self.observe(), first)
            self.assertNotEqual(self.observe(), first)

    def test_the_same_second_again(self) -> None:
        with self.incarnation():
            first = time.strftime("%S"), time.ctime(), time.localtime()
        time.sleep(1.01)
        with self.incarnation():
            self.assertEqual((time.strftime("%S"), time.ctime(), time.localtime()), first)

    def test_input_is_played_back_and_goes_on(self) -> None:
        with self.incarnation("one\ntwo\n"):
            self.assertEqual((input(), sys.stdin.readline()), ("one", "two\n"))
        with self.incarnation("three\n"):
            self.assertEqual((input(), sys.stdin.readline()), ("one", "two\n"))
            self.assertEqual(list(sys.stdin), ["three\n"])

    def test_the_end_of_input_is_recorded(self) -> None:
        with self.incarnation(""):
            self.assertRaises(EOFError, input)
        with self.incarnation("late\n"):
            self.assertRaises(EOFError, input)
            self.assertEqual(input(), "late")

    def test_another_order_is_an_error(self) -> None:
        with self.incarnation():
            time.time()
        with self.incarnation(), self.assertRaisesRegex(ChannelError, "calls os.urandom, but"):
            os.urandom(1)

    def test_other_threads_and_processes_are_not_recorded(self) -> None:
        """A pool's threads look at the clock when they like."""
        for _ in range(2):
            with self.incarnation():
                with concurrent.futures.ThreadPoolExecutor() as pool:
                    now = pool.submit(time.time).result()
                with multiprocessing.get_context("fork").Pool(1) as processes:
                    self.assertGreaterEqual(processes.apply(clock), now)
                time.monotonic()

    def test_this_package_is_not_recorded(self) -> None:
        inner = types.ModuleType("pychoral.inner")
        code = "import time\ndef tick(): return time.monotonic()"
        exec(code, inner.__dict__)
        with self.incarnation():
            inner.tick()
            value = time.time()
        with self.incarnation():
            self.assertEqual(time.time(), value)

    def test_dates_stay_dates(self) -> None:
        plain = datetime.datetime(2020, 1, 2)
        with self.incarnation():
            now = datetime.datetime.now()
            self.assertIsInstance(now, datetime.datetime)
            self.assertIsInstance(plain, datetime.datetime)
            self.assertIsInstance(now, datetime.date)
            self.assertNotIsInstance(3, datetime.datetime)
            self.assertEqual(datetime.datetime(2020, 1, 2), plain)
        self.assertIs(type(now), datetime.datetime)

    def test_everything_is_put_back(self) -> None:
        before = (time.time, os.urandom, input, datetime.datetime, seconds, random.getstate())
        with self.incarnation():
            random.random()
        after = (time.time, os.urandom, input, datetime.datetime, seconds, random.getstate())
        self.assertEqual(before, after)
        self.assertTrue(pathlib.Path(self.path).exists())


if __name__ == "__main__":
    unittest.main()
