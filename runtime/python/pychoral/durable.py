"""A durable role: its messages and local effects are in a journal before anybody relies on them.

PROTOCOL.md section 9.  What is taken goes to the journal and is acknowledged when it is on disk; a
message leaves when the effects it may depend on are on disk.  A program that starts again is given
its history: its messages are there to be read, its effects come out as they did, and what it sends
has the same numbers, so that nobody gets anything twice.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager

from .effects import Recorder, installed
from .errors import EXIT_PROTOCOL, ChannelError
from .frame import SELECT, Frames, size_of
from .identity import Identity
from .journal import Journal
from .machine import Config, Machine, Message, Output, Sent
from .sent import SentTo, entry_of, site_of

_HASH_SEED = "PYTHONHASHSEED"
_MOST_WAITING = 256  # messages; more are forced at once, so that senders are not held up


class Durability:
    """What makes a role durable: the journal, and the machines whose messages go there.

    incarnation   the number of this start of the role
    place         ` (auth.pyc:12)`, of a site
    """

    def __init__(
        self,
        path: str,
        protocol: bytes,
        run: str,
        role: str,
        options: Mapping[str, str | None] | None = None,
    ) -> None:
        """Open the journal; raises ChannelError."""
        self.journal = Journal(path, Identity(protocol, run, role, options or {}))
        self.incarnation = self.journal.incarnation
        if self.journal.cut:  # a crash explains it; but whoever lost more than that should know
            size = "1 byte" if self.journal.cut == 1 else f"{self.journal.cut} bytes"
            text = f"removed an incomplete record ({size}) from the end of the journal {path}"
            print(f"{role}: {text}", file=sys.stderr)
        self.place: Callable[[int], str] = lambda site: ""
        self._machines: dict[str, Machine] = {}
        self._sent = self.journal.history.sent
        self._recorder = Recorder(self.journal)
        self._waiting = 0

    @property
    def has_ended(self) -> bool:
        """Whether the role has come to its end before."""
        return self.journal.history.ended

    def machine_class(self) -> type[Machine]:
        """The machines of this role."""
        durability = self

        class Journaled(Machine):
            """A machine whose messages are in the journal before they are acknowledged."""

            __slots__ = ("_sent_to",)

            def __init__(self, config: Config, out: Output) -> None:
                super().__init__(config, out)
                self._sent_to = durability.sent_to(config.peer)

            def frame(self, now: int, conn: Hashable, frames: Frames) -> None:
                expected = self.expected
                super().frame(now, conn, frames)
                if self.expected > expected:
                    durability.taken(self.config.peer, frames)

            def send(self, now: int, kind: int, site: int, label: int, frames: Frames) -> Sent:
                if self.failed:  # it gets no number
                    return super().send(now, kind, site, label, frames)
                if durability.journal.has_new_effects:
                    # What the program has seen is on disk before others see what follows.
                    durability.settle(now)
                seq, sent_to = self.next_seq, self._sent_to
                if seq > sent_to.noted:
                    if size_of(frames) <= self.config.max_message:
                        record = sent_to.note(entry_of(kind, site, label, frames))
                        durability.journal.add_sent(self.config.peer, record)
                elif seq <= sent_to.before:
                    durability.check(self.config.peer, seq, entry_of(kind, site, label, frames))
                return super().send(now, kind, site, label, frames)

            def error(self, now: int, role: str, kind: str, text: str) -> None:
                # A number that the peer has taken already would be dropped there. But if it has
                # one more than was noted, that was the ERROR or END of an earlier process.
                fresh = self._fresh()
                if fresh == self._sent_to.noted + 2:
                    fresh -= 1
                while self.next_seq < fresh:
                    if super().send(now, SELECT, 0, 0, ()) is not Sent.SENT:
                        break
                super().error(now, role, kind, text)

            def take(self, now: int) -> Message | None:
                message = super().take(now)
                if durability.is_pressing:
                    durability.settle(now)
                return message

        return Journaled

    def add(self, machine: Machine) -> None:
        """One of this role's machines, made and not started."""
        self._machines[machine.config.peer] = machine

    def restore(self, now: int) -> None:
        """Give the machines what earlier incarnations have taken."""
        for peer, frames in self.journal.history.messages:
            if peer in self._machines:
                self._machines[peer].restore(now, frames)
        self.journal.history.messages.clear()

    def effects(self, program: str) -> AbstractContextManager[None]:
        """Local effects are recorded within the block; `program` is the role's file."""
        return installed(self._recorder, program)

    def taken(self, peer: str, frames: Frames) -> None:
        """A message was taken: it is to be acknowledged when it is on disk."""
        self.journal.add_message(peer, frames)
        self._waiting += 1

    def sent_to(self, peer: str) -> SentTo:
        """What was sent to a peer."""
        found = self._sent.get(peer)
        if found is None:
            found = self._sent[peer] = SentTo()
        return found

    def check(self, peer: str, seq: int, entry: bytes) -> None:
        """A message that was sent before the restart is to be sent again: it must be the same."""
        before = self._sent[peer].entry(seq)
        if before == entry:
            return
        there = self.place(site_of(entry))
        other = self.place(site_of(before)) if site_of(before) != site_of(entry) else ""
        raise ChannelError(
            f"message {seq} to {peer}{there} differs from the message sent before the restart"
            f"{other}: the program depends on data that its journal does not contain, so it "
            "cannot continue",
            EXIT_PROTOCOL,
        )

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing to be forced to disk."""
        return self.journal.is_forced

    @property
    def is_pressing(self) -> bool:
        """Whether so much waits to be forced that nothing should be waited for."""
        return self._waiting >= _MOST_WAITING

    def settle(self, now: int) -> None:
        """Force the journal, and let what was taken be acknowledged."""
        if self.journal.is_forced:
            return
        self.journal.force()
        self._waiting = 0
        for machine in self._machines.values():
            machine.stored(now, machine.expected - 1)

    def end(self) -> None:
        """The role has come to its end, and all its peers know."""
        self.journal.add_end()
        self.journal.force()

    def close(self) -> None:
        self.journal.close()


def fix_hash_seed(protocol: str, run: str, role: str) -> None:
    """Start this program again if its sets of strings may be in another order next time.

    Python takes the seed of its hashes at the start only.
    """
    digest = hashlib.sha256(f"{protocol}\n{run}\n{role}".encode()).digest()
    seed = str(int.from_bytes(digest[:4], "big"))
    if os.environ.get(_HASH_SEED) == seed:
        return
    os.environ[_HASH_SEED] = seed
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
