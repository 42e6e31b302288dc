"""The recorded schedules are what record.py writes; each code and event is in one of them; the
Python machine with one rule broken on purpose answers some of them differently."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import record
import scenes
from pychoral import frame as wire

PACKAGE = "runtime/python/pychoral"
EVENTS = ("up", "down", "stored_wanted", "peer_end", "peer_error", "pong", "refused", "fault",
          "absent", "gone", "left 0", "left 1")

# What is broken, where, and how: each is a rule of PROTOCOL.md section 2.
MUTANTS = {
    "rule 1: HELLO is not waited for": (
        "machine", "        if self.phase is Phase.DOWN or conn != self.conn:",
        "        if self.phase is Phase.DOWN and parsed is None:"),
    "rule 1: WELCOME of another HELLO is taken": (
        "machine", "if parsed.session != _xor(self._nonce, parsed.body.nonce):", "if False:"),
    "rule 2: the replaced connection is not dropped": (
        "machine", "            self._out.drop(self.conn)\n        self.conn = conn",
        "        self.conn = conn"),
    "rule 2: an older incarnation is taken": (
        "machine", "if greeting.incarnation < self.peer_incarnation:", "if False:"),
    "what is agreed is not looked at": (
        "machine", "differs = difference(own.agreed, parsed.extra, salt, me, peer)",
        'differs = ""'),
    "what is agreed is not sent": (
        "machine", "        self._put_frame(HELLO, body=self._greeting(), extra=extra)\n",
        "        self._put_frame(HELLO, body=self._greeting())\n"),
    "one of what is agreed is compared": (
        "agreement", "for own, its in zip(mine, theirs)", "for own, its in zip(mine[:1], theirs)"),
    "what is agreed is told without salt": (
        "agreement", 'hashlib.sha256(b"".join((salt, *digests)))',
        'hashlib.sha256(b"".join(digests))'),
    "another key is final": (
        "machine", "        else:\n            self._dial_later(now)\n\n    def _dial_later",
        "        else:\n            self._stop(wire.BAD_ROLE, \"\")\n\n    def _dial_later"),
    "a refusal is a failed attempt": (
        "machine", "if code == wire.AGAIN or self.peer_ended:",
        "if code in (1, 2, 3, 8, wire.AGAIN) or self.peer_ended:"),
    "rule 3: nothing is sent again": ("machine", "        self._resend()\n", ""),
    "rule 3: all that is kept is sent again": (
        "window", "            if seq >= self.peer_next:\n                self._put_message",
        "            if True:\n                self._put_message"),
    "rule 4: duplicates are taken": (
        "machine", "        if parsed.seq < self.expected:", "        if False:"),
    "rule 4: a gap is taken": (
        "machine", "if self.peer_ended or not self._may_follow(parsed):\n            self._break",
        "if self.peer_ended:\n            self._break"),
    "rule 5: acks never go alone": (
        "window", "        if self.phase is Phase.UP:\n            self._put_frame(ACK)",
        "        if False:\n            self._put_frame(ACK)"),
    "rule 5: the end is not acknowledged at once": (
        "machine", "self._ack_if_due(at_once=self.peer_ended and not durable)",
        "self._ack_if_due()"),
    "rule 5: idle acks are not sent": (
        "machine", "now - self._owed >= self.config.idle_ack", "False"),
    "rule 6: what comes lets more come": (
        "machine", "                    self.safe = seq\n",
        "                    self.safe = seq\n"
        "                    self.limit = seq + self._own_window\n"),
    "rule 7: the limit is not kept": (
        "window", "if self.next_seq > min(self.peer_limit, self._peer_read + self._window):",
        "if False:"),
    "rule 7: bytes are not counted": (
        "window", "self._unread_there + size <= self._window_bytes", "True"),
    "rule 7: nothing larger than the window goes": (
        "window", "return not self._unread_there or", "return"),
    "rule 7: the end needs credit": (
        "window", "        if not (self.ended or self.failed or self.left):",
        "        if not (self.ended or self.failed or self.left) and self._has_credit(0):"),
    "rule 9: the site is lost": (
        "machine", "(_new(Message, (DATA, site, 0,", "(_new(Message, (DATA, 0, 0,"),
    "rule 10: an error comes before what was sent before it": (
        "machine", "        self._queue.append((_message(parsed), size))\n        self._unread",
        "        (self._queue.appendleft if parsed.kind == ERROR else self._queue.append)"
        "((_message(parsed), size))\n        self._unread"),
    "rule 11: leaves before the end is acknowledged": (
        "machine", "confirmed = self.acked >= self.next_seq - 1 or", "confirmed = True or"),
    "rule 11: no time to answer": (
        "machine", "now - self._wait_since() >= self.config.time_wait", "True"),
    "rule 11: never says `not confirmed`": (
        "machine", 'self._out.event("left", confirmed or', 'self._out.event("left", True or'),
    "rule 11: what nobody reads is kept": ("machine", "        self._let_go()\n", ""),
    "rule 12: the sender does not look": (
        "window", "size > self.config.max_message or", "False or"),
    "rule 12: the receiver does not look": (
        "machine", "        if size > self._max_message:", "        if False:"),
    "rule 12: the receiver does not count": (
        "machine", "size and self._unread and self._unread + size > self._window_bytes", "False"),
    "durable: what is not stored is acknowledged": (
        "machine", "        if durable:\n            self._unsafe",
        "        if durable:\n            self.safe = parsed.seq\n            self._unsafe"),
    "durable: what is not stored lets more come": (
        "machine", "done = min(self.read, self.safe)", "done = self.read"),
    "durable: what the peer has is sent again": (
        "window", "if self.phase is Phase.UP and seq >= self._fresh():",
        "if self.phase is Phase.UP:"),
    "another session is taken": (
        "machine", "            or parsed.session != self._session\n", ""),
    "an ack of what was not sent is taken": (
        "machine", "            or parsed.ack >= max(self.next_seq, self.peer_next)\n", ""),
    "a wrong CRC is taken": ("frame", "(flags & CRC and not _crc_fits(frames, first, length))",
                             "False"),
}


class RecordedTest(unittest.TestCase):
    def test_files_are_what_is_written(self) -> None:
        for file, text in record.texts().items():
            with self.subTest(file.name):
                self.assertEqual(file.read_text("utf-8"), text)

    def test_no_other_files(self) -> None:
        there = {*HERE.glob("*.txt"), *HERE.glob("*.out")}
        self.assertEqual(there - record.texts().keys(), set())

    def test_every_rule_code_and_event(self) -> None:
        names = " ".join(scenes.SCENES)
        for rule in range(1, 13):
            self.assertIn(f"rule{rule:02}", names)
        for code in range(1, 11):
            self.assertIn(f"refuse{code:02}", names)
        answers = "\n".join(each for file, each in record.texts().items() if file.suffix == ".out")
        for event in EVENTS:
            self.assertRegex(answers, rf"(?m)^\w+ event {event}\b")
        for code in (1, 2, 3, 4, 6, 8, 11):
            self.assertRegex(answers, rf"(?m)^\w+ event fault {code} ")
        for kind in range(1, 11):
            self.assertIn(wire.HEADS[kind][:5].hex(), answers)


class MutantTest(unittest.TestCase):
    """A machine with a broken rule is noticed."""

    root: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        ignored = shutil.ignore_patterns("__pycache__", ".mypy_cache")
        for part in (PACKAGE, "tests/schedules"):
            shutil.copytree(HERE.parents[1] / part, cls.root / part, ignore=ignored)

    def passes(self) -> bool:
        done = subprocess.run(
            [sys.executable, "-B", self.root / "tests/schedules/compare.py", "--keep",
             self.root / "kept"], capture_output=True, text=True, timeout=60)
        return done.returncode == 0

    def test_unchanged(self) -> None:
        self.assertTrue(self.passes())

    def test_each_is_noticed(self) -> None:
        for name, (module, old, new) in MUTANTS.items():
            file = self.root / PACKAGE / f"{module}.py"
            text = file.read_text("utf-8")
            with self.subTest(name):
                self.assertEqual(text.count(old), 1, "the mutant does not apply")
                file.write_text(text.replace(old, new), "utf-8")
                try:
                    self.assertFalse(self.passes())
                finally:
                    file.write_text(text, "utf-8")


if __name__ == "__main__":
    unittest.main()
