"""Machines whose program's messages are observed: for `--history` and `--trace`.

An observer learns of each message when the program has sent or read it, and may lengthen the
headers of those that are sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .frame import END, ERROR, Frames
from .machine import Config, Machine, Message, Sent


class Observer:
    """What is told of the messages of all links of a role."""

    def begin(self, config: Config) -> None:
        """The role's process begins; `config` is that of its first link."""

    def stamp(self) -> bytes:
        """What lengthens the header of the next message."""
        return b""

    def sent(
        self, peer: str, seq: int, kind: int, site: int, label: int, frames: Frames
    ) -> None:
        """A message was sent; END and ERROR without frames."""

    def taken(self, peer: str, message: Message) -> None:
        """The program has read a message."""


def observed(
    observers: Sequence[Observer], base: type[Machine] = Machine
) -> Callable[[Config, Any], Machine]:
    """Makes machines, of the class `base` otherwise, that tell these observers."""
    machines = _observed(base, observers)
    is_begun = False

    def make(config: Config, out: Any) -> Machine:
        nonlocal is_begun
        if not is_begun:
            is_begun = True
            for each in observers:
                each.begin(config)
        return machines(config, out)

    return make


def _observed(base: Any, observers: Sequence[Observer]) -> type[Machine]:
    class Observed(base):  # type: ignore[misc]
        __slots__ = ()

        def send(self, now: int, kind: int, site: int, label: int, frames: Frames) -> Sent:
            self._prepare()
            sent: Sent = super().send(now, kind, site, label, frames)
            if sent is Sent.SENT:
                self._tell(kind, site, label, frames)
            return sent

        def end(self, now: int, status: int) -> None:
            seq = self.next_seq
            self._prepare()
            super().end(now, status)
            if self.next_seq > seq:
                self._tell(END)

        def error(self, now: int, role: str, kind: str, text: str) -> None:
            seq = self.next_seq
            self._prepare()
            super().error(now, role, kind, text)
            if self.next_seq > seq:
                self._tell(ERROR)

        def take(self, now: int) -> Message | None:
            message: Message | None = super().take(now)
            if message is not None:
                for each in observers:
                    each.taken(self.config.peer, message)
            return message

        def _prepare(self) -> None:
            self.stamp(b"".join(each.stamp() for each in observers))

        def _tell(self, kind: int, site: int = 0, label: int = 0, frames: Frames = ()) -> None:
            for each in observers:
                each.sent(self.config.peer, self.next_seq - 1, kind, site, label, frames)

    return Observed
