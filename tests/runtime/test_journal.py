"""The journal of durable roles: what was forced comes back, torn tails go, others are refused."""

import contextlib
import io
import os
import pathlib
import resource
import tempfile
import threading
import unittest

from pychoral.durable import Durability
from pychoral.errors import EXIT_PROTOCOL, EXIT_REFUSED, ChannelError
from pychoral.journal import Identity, Journal

MINE = Identity(b"p" * 32, b"r" * 16, "Bob")


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
        journal.add_effect(7, b"\x01")
        journal.add_message("Carol", [b"head2"])
        journal.add_effect(0, b"")
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
        self.assertEqual(history.effects, [(7, b"\x01"), (0, b"")])
        self.assertFalse(history.ended)

    def test_same_bytes_as_c(self) -> None:
        journal = self.open()
        journal.add_message("Alice", [b"head1", b"value"])
        journal.add_effect(7, b"\x01")
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

    def test_what_was_cut_off_is_counted_and_said(self) -> None:
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            for _ in range(3):
                Durability(self.path, MINE.protocol, "run", MINE.role).close()
                with open(self.path, "ab") as file:
                    file.write(bytes(11))
        text = f"Bob: cut a torn record off the journal {self.path}: 11 bytes\n"
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
        cases = [
            (Identity(b"q" * 32, b"r" * 16, "Bob"), "another program", EXIT_PROTOCOL),
            (Identity(b"p" * 32, b"s" * 16, "Bob"), "another run", EXIT_REFUSED),
            (Identity(b"p" * 32, b"r" * 16, "Eve"), "another role", EXIT_REFUSED),
        ]
        for identity, text, status in cases:
            fault = self.refusal(identity)
            self.assertIn(text, str(fault))
            self.assertEqual(fault.status, status)

    def test_another_file_is_refused_and_kept(self) -> None:
        for data in (b"x", b"my thesis, do not lose\n" * 10, b"\0" * 100):
            self.write(data)
            self.assertIn("no journal", str(self.refusal()))
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

    def test_half_way_is_no_obstacle(self) -> None:
        """Killed between making the fresh file and putting it in place; the number comes again."""
        fresh = f"{self.path}.{os.getpid()}.new"
        with open(fresh, "wb"):
            pass
        self.open()
        self.assertFalse(os.path.exists(fresh))

    def test_what_is_no_file_is_refused(self) -> None:
        os.mkfifo(self.path)
        self.assertIn("it is no file", str(self.refusal()))

    def test_it_is_private_from_the_start(self) -> None:
        mask = os.umask(0)
        self.addCleanup(os.umask, mask)
        self.open()
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)

    def test_threads_may_add_while_another_forces(self) -> None:
        journal = self.open()

        def force() -> None:
            while len(journal.history.effects) < 1:
                journal.force()

        keeper = threading.Thread(target=force)
        keeper.start()
        for number in range(2000):
            journal.add_effect(number, bytes(2000))
        journal.history.effects.append((0, b""))
        keeper.join()
        journal.force()
        found = [site for site, _ in self.open().history.effects]
        self.assertEqual(found, list(range(2000)))

    def test_a_full_disk_is_said(self) -> None:
        journal = self.open()
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
        journal.add_message("Alice", [b"x" * 10_000])
        with self.assertRaisesRegex(ChannelError, "cannot grow: File too large"):
            journal.force()

    def test_a_folder_that_is_not_there_is_said(self) -> None:
        self.path = os.path.join(self.path, "nowhere", "j")
        self.assertIn("cannot be written", str(self.refusal()))


if __name__ == "__main__":
    unittest.main()
