"""The journal of durable roles: what was forced comes back, torn tails go, others are refused."""

import contextlib
import io
import os
import pathlib
import resource
import struct
import tempfile
import threading
import unittest
import unittest.mock
import zlib

from pychoral.durable import Durability
from pychoral.errors import EXIT_PROTOCOL, EXIT_REFUSED, ChannelError
from pychoral.frame import DATA, SELECT
from pychoral.identity import Identity
from pychoral.journal import Journal
from pychoral.repeats import Repeats, repeats
from pychoral.sent import SentTo, entry_of

MINE = Identity(b"p" * 32, "run", "Bob", {"count": "5", "name": None})


class JournalTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "bob.journal")

    def open(self, identity: Identity = MINE) -> Journal:
        journal = Journal(self.path, identity)
        self.addCleanup(journal.close)
        return journal

    def read(self) -> bytes:
        with open(self.path, "rb") as file:
            return file.read()

    def write(self, data: bytes) -> None:
        with open(self.path, "wb") as file:
            file.write(data)

    def filled(self) -> None:
        """Two messages, two effects, one more message."""
        journal = self.open()
        journal.add_message("Alice", [b"head1", b"value"])
        journal.add_effect("input", b"\x01")
        journal.add_message("Carol", [b"head2"])
        journal.add_effect("", b"")
        journal.add_message("Älice", [b"head3", b"", b"x" * 70_000])
        journal.force()
        journal.close()

    def refusal(self, identity: Identity = MINE) -> ChannelError:
        with self.assertRaises(ChannelError) as caught:
            self.open(identity)
        return caught.exception

    def test_what_was_forced_comes_back_in_order(self) -> None:
        self.filled()
        history = self.open().history
        self.assertEqual(
            history.messages,
            [
                ("Alice", [b"head1", b"value"]),
                ("Carol", [b"head2"]),
                ("Älice", [b"head3", b"", b"x" * 70_000]),
            ],
        )
        self.assertEqual(list(history.results()), [("input", b"\x01"), ("", b"")])
        self.assertFalse(history.ended)

    def test_same_bytes_as_c(self) -> None:
        journal = self.open()
        journal.add_message("Alice", [b"head1", b"value"])
        journal.add_effect("die", b"\x01")
        for result in (1700000000.25, 1700000000.5):
            journal.add_number("clock", result)
            journal.add_number("pid", -7)
        noted = SentTo()
        journal.add_sent("Alice", noted.note(entry_of(DATA, 3, 0, [b"value"])))
        journal.add_sent("Alice", noted.note(entry_of(SELECT, 4, 1, [])))
        journal.add_message("Älice", [b"head2", b""])
        journal.add_end()
        journal.force()
        vector = pathlib.Path(__file__).parents[2] / "runtime/vectors/journal.hex"
        self.assertEqual(self.read(), bytes.fromhex(vector.read_text()))

    def test_incarnations_grow(self) -> None:
        self.assertEqual([self.open().incarnation for _ in range(3)], [1, 2, 3])

    def test_what_was_not_forced_is_not_promised(self) -> None:
        journal = self.open()
        journal.add_message("Alice", [b"head"])
        self.assertFalse(journal.is_forced)
        journal.close()
        self.assertEqual(self.open().history.messages, [])

    def test_the_end_is_remembered(self) -> None:
        journal = self.open()
        journal.add_end()
        journal.force()
        self.assertTrue(self.open().history.ended)
        self.assertEqual(self.open().history.incarnation, 2)

    def test_each_torn_tail_is_cut_off(self) -> None:
        self.filled()
        whole = self.read()
        last = whole.rindex(b"\x02\x00\x06\xc3\x84lice") - 8
        for size in [*range(last, last + 40), len(whole) - 1]:
            self.write(whole[:size])
            self.assertEqual(len(self.open().history.messages), 2, size)

    def test_a_torn_tail_is_gone_after_the_next_start(self) -> None:
        self.filled()
        self.write(self.read()[:-1])
        self.open().close()
        self.assertEqual(len(self.open().history.messages), 2)

    def test_damage_before_the_end_is_refused(self) -> None:
        self.filled()
        whole = self.read()
        place = whole.index(b"head2")
        self.write(whole[:place] + b"HEAD2" + whole[place + 5 :])
        self.assertIn("is damaged", str(self.refusal()))

    def test_damage_to_a_length_is_damage(self) -> None:
        self.filled()
        whole = self.read()
        place = whole.index(b"head1") - 26
        for change in (0x01, 0x10, 0x80):
            for byte in range(4):
                data = bytearray(whole)
                data[place + byte] ^= change
                self.write(data)
                self.assertIn(f"the record at byte {place} is damaged", str(self.refusal()))
                self.assertEqual(self.read(), data)

    def test_an_incarnation_that_none_can_follow(self) -> None:
        self.filled()
        end = len(self.read())
        record = b"\1" + b"\xff" * 8
        self.write(self.read() + struct.pack(">II", len(record), zlib.crc32(record)) + record)
        fault = self.refusal()
        self.assertEqual(fault.status, EXIT_PROTOCOL)
        self.assertIn(f"the record at byte {end} cannot be decoded", str(fault))

    def test_what_was_cut_off_is_counted_and_said(self) -> None:
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            for _ in range(3):
                Durability(self.path, MINE.protocol, "run", MINE.role).close()
                with open(self.path, "ab") as file:
                    file.write(bytes(11))
        text = (f"Bob: removed an incomplete record (11 bytes) from the end of the journal "
                f"{self.path}\n")
        self.assertEqual(said.getvalue(), 2 * text)

    def test_changed_bytes_never_give_another_history(self) -> None:
        self.filled()
        whole = self.read()
        messages = self.open().history.messages
        for place in [*range(0, 200), *range(len(whole) - 60, len(whole))]:
            self.write(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
            try:
                journal = Journal(self.path, MINE)
            except ChannelError:
                continue
            journal.close()
            found = journal.history.messages
            self.assertEqual(found, messages[: len(found)], place)

    def test_journals_of_others_are_refused(self) -> None:
        self.open()
        options = MINE.options
        cases = [
            (Identity(b"q" * 32, "run", "Bob", options), "another program", EXIT_PROTOCOL),
            (Identity(b"p" * 32, "", "Bob", options), "it belongs to the run run, but this is "
             "the run without a name; use the same --run", EXIT_REFUSED),
            (Identity(b"p" * 32, "run", "Eve", options), "another role, Bob", EXIT_REFUSED),
        ]  # fmt: skip
        before = self.read()
        for identity, text, status in cases:
            fault = self.refusal(identity)
            self.assertIn(text, str(fault))
            self.assertEqual(fault.status, status)
        self.assertEqual(self.read(), before)

    def test_other_options_are_refused(self) -> None:
        self.open()
        cases = [
            ({"count": "6", "name": None}, "started with another --count"),
            ({"count": None, "name": None}, "started with --count"),
            ({"count": "5", "name": ""}, "started without --name"),
            ({"count": "5"}, "started with other options"),
        ]
        for options, text in cases:
            fault = self.refusal(Identity(MINE.protocol, MINE.run, MINE.role, options))
            self.assertIn(f"{text}; give the same options again", str(fault))
            self.assertEqual(fault.status, EXIT_REFUSED)
        self.assertEqual(self.open().incarnation, 2)

    def test_a_refusal_does_not_disturb_who_has_it(self) -> None:
        old = self.open()
        self.refusal(Identity(MINE.protocol, "other", MINE.role, MINE.options))
        old.add_message("Alice", [b"one"])
        old.force()
        self.assertEqual(self.open().history.messages, [("Alice", [b"one"])])

    def test_one_of_an_older_version_is_said(self) -> None:
        body = b"\0CHJ1" + bytes(53)
        self.write(struct.pack(">II", len(body), zlib.crc32(body)) + body)
        self.assertIn("an older format", str(self.refusal()))

    def test_another_file_is_refused_and_kept(self) -> None:
        for data in (b"x", b"my thesis, do not lose\n" * 10, b"\0" * 100):
            self.write(data)
            self.assertEqual(str(self.refusal()),
                             f"the file {self.path} cannot be used: it is not a journal, "
                             "or its first record is damaged; use another file")
            self.assertEqual(self.read(), data)

    def test_an_earlier_process_cannot_spoil_it(self) -> None:
        old = self.open()
        old.add_message("Alice", [b"one"])
        old.force()
        new = self.open()
        old.add_message("Alice", [b"spoiled"])
        with self.assertRaisesRegex(ChannelError, "a newer process"):
            old.force()  # nobody may be told that it is safe
        new.add_message("Alice", [b"two"])
        new.force()
        messages = self.open().history.messages
        self.assertEqual(messages, [("Alice", [b"one"]), ("Alice", [b"two"])])

    def test_nothing_is_promised_that_a_successor_has_not_read(self) -> None:
        """The old process forces a record after its successor has read the file."""
        old = self.open()
        rename = os.rename

        def force_and_rename(*names: str) -> None:
            old.add_message("Alice", [b"late"])
            with self.assertRaisesRegex(ChannelError, "a newer process"):
                old.force()
            rename(*names)

        with unittest.mock.patch("os.rename", force_and_rename):
            new = self.open()
        self.assertEqual(new.history.messages, [])

    def test_what_is_forced_before_the_mark_is_read(self) -> None:
        old = self.open()
        mark = os.fchmod

        def force_and_mark(descriptor: int, mode: int) -> None:
            old.add_message("Alice", [b"just"])
            old.force()
            mark(descriptor, mode)

        with unittest.mock.patch("os.fchmod", force_and_mark):
            new = self.open()
        self.assertEqual(new.history.messages, [("Alice", [b"just"])])

    def test_killed_behind_the_mark(self) -> None:
        self.filled()
        os.chmod(self.path, 0o400)
        self.assertEqual(len(self.open().history.messages), 3)
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)

    def test_several_that_begin_at_once(self) -> None:
        """Each has an incarnation of its own, and the last has the file."""
        found: list[Journal] = []
        threads = [
            threading.Thread(target=lambda: found.append(Journal(self.path, MINE)))
            for _ in range(8)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        for journal in found:
            self.addCleanup(journal.close)
        found.sort(key=lambda each: each.incarnation)
        self.assertEqual([each.incarnation for each in found], list(range(1, 9)))
        for number, journal in enumerate(found):
            journal.add_message("Alice", [bytes([number])])
            with contextlib.suppress(ChannelError):
                journal.force()
        self.assertEqual(self.open().history.messages, [("Alice", [b"\x07"])])

    def test_half_way_is_no_obstacle(self) -> None:
        """Killed between making the fresh file and putting it in place; the number comes again."""
        fresh = f"{self.path}.{os.getpid()}.new"
        with open(fresh, "wb"):
            pass
        self.open()
        self.assertFalse(os.path.exists(fresh))

    def test_what_is_no_file_is_refused(self) -> None:
        os.mkfifo(self.path)
        self.assertIn("it is not a regular file", str(self.refusal()))

    def test_a_link_stays_a_link(self) -> None:
        real = self.path
        self.filled()
        self.path = real + ".link"
        os.symlink(real, self.path)
        self.assertEqual(self.open().incarnation, 2)
        self.assertTrue(os.path.islink(self.path))
        self.path = real
        self.assertEqual(self.open().incarnation, 3)

    def test_it_is_private_from_the_start(self) -> None:
        mask = os.umask(0)
        self.addCleanup(os.umask, mask)
        self.open()
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)

    def test_threads_may_add_while_another_forces(self) -> None:
        journal = self.open()
        done = threading.Event()

        def force() -> None:
            while not done.is_set():
                journal.force()

        keeper = threading.Thread(target=force)
        keeper.start()
        for number in range(2000):
            journal.add_effect(str(number), bytes(2000))
            journal.add_number("n", number)
        done.set()
        keeper.join()
        journal.force()
        found = list(self.open().history.results())
        self.assertEqual([name for name, _ in found[::2]], [str(each) for each in range(2000)])
        self.assertEqual(found[1::2], [("n", each) for each in range(2000)])

    def test_a_full_disk_is_said(self) -> None:
        journal = self.open()
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
        journal.add_message("Alice", [b"x" * 10_000])
        with self.assertRaisesRegex(ChannelError, "cannot grow: File too large"):
            journal.force()
        with self.assertRaisesRegex(ChannelError, "cannot grow: File too large"):
            journal.add_sent("Alice", bytes(20))

    def test_a_folder_that_is_not_there_is_said(self) -> None:
        self.path = os.path.join(self.path, "nowhere", "j")
        self.assertIn("cannot be written", str(self.refusal()))

    def test_what_was_sent_comes_back(self) -> None:
        journal, noted = self.open(), SentTo()
        first = entry_of(DATA, 3, 0, [b"ab", b"c"])
        self.assertEqual(first, entry_of(DATA, 3, 0, [memoryview(b"abc")]))
        for entry in (first, entry_of(SELECT, 4, 2, [])):
            journal.add_sent("Alice", noted.note(entry))
        self.assertTrue(journal.is_forced)  # it can be computed again, but is written
        again = self.open().history.sent["Alice"]
        self.assertEqual((again.before, again.entry(1)), (2, first))
        self.assertNotEqual(again.entry(2), entry_of(SELECT, 4, 1, []))

    def test_a_gap_in_what_was_sent_is_no_history(self) -> None:
        journal, noted = self.open(), SentTo()
        for _ in range(2):
            record = noted.note(bytes(12))
        journal.add_sent("Alice", record)
        self.assertIn("cannot be decoded", str(self.refusal()))


class RepeatsTest(unittest.TestCase):
    def test_numbers_come_back(self) -> None:
        values: list[tuple[str, int | float]] = [
            ("a", 0), ("a", 2**63 - 1), ("a", -(2**63)), ("b", 0.0), ("b", -0.0), ("b", 5e-324),
            ("b", float("inf")), ("a", -1), ("a", 1.5), ("b", float("-inf")), ("b", 7),
        ]  # fmt: skip
        record = Repeats()
        for name, value in values:
            self.assertTrue(record.add(name, value))
        found = list(repeats(bytes(record.body)))
        self.assertEqual(repr(found), repr(values))

    def test_large_ints_are_not_taken(self) -> None:
        record = Repeats()
        self.assertFalse(record.add("a", 2**63))
        self.assertFalse(record.add("a", -(2**63) - 1))
        self.assertEqual(record.body, b"")

    def test_a_clock_takes_little(self) -> None:
        record = Repeats()
        for number in range(1000):
            record.add("time.time", 1.7e9 + number * 5e-6)
            record.add("time.monotonic_ns", 10**15 + number * 5000)
        self.assertLess(len(record.body), 6100)

    def test_any_bytes_are_read_or_refused(self) -> None:
        record = Repeats()
        record.add("clock", 1.5)
        record.add("clock", 2.5)
        record.add("pid", 300)
        whole = bytes(record.body)
        for place in range(len(whole)):
            for change in range(1, 256):
                data = whole[:place] + bytes([whole[place] ^ change]) + whole[place + 1 :]
                for bad in (data, data[:place]):
                    with contextlib.suppress(ValueError):
                        list(repeats(bad))


if __name__ == "__main__":
    unittest.main()
