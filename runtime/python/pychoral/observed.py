"""Machines whose program's messages are observed: for `--history` and `--trace`.

An observer learns of each message when the program has sent or read it, and may lengthen the
headers of those that are sent.  Channels tell it of what type the message is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .channel import Channel
from .frame import END, ERROR, Frames
from .machine import Config, Machine, Message, Sent


class Observer:
    """What is told of the messages of all links of a role."""

    def begin(self, config: Config) -> None:
        """The role's process begins; `config` is that of its first link."""

    def about(self, expect: Any) -> None:
        """The type of what the program sends or reads next: a value's (or None), a label's enum."""

    def stamp(self) -> bytes:
        """What lengthens the header of the next message."""
        return b""

    def sent(
        self, peer: str, seq: int, kind: int, site: int, label: int, frames: Frames
    ) -> None:
        """A message was sent; END and ERROR without frames."""

    def taken(self, peer: str, message: Message) -> None:
        """The program has read a message."""


class ObservedChannel(Channel):
    """A channel that tells observers what the program is about to send or read."""

    def __init__(self, channel: Channel, observers: Sequence[Observer]) -> None:
        super().__init__(channel._link)
        self._channel = channel
        self._observers = observers

    def com(self, *value: Any, **words: Any) -> Any:
        self._tell(value, words)
        return self._channel.com(*value, **words)

    def share(self, *value: Any, **words: Any) -> Any:
        self._tell(value, words)
        return self._channel.share(*value, **words)

    def select(self, *label: Any, **words: Any) -> Any:
        self._tell(label, words)
        return self._channel.select(*label, **words)

    def _tell(self, value: tuple[Any, ...], words: Mapping[str, Any]) -> None:
        about = words.get("expect")
        if value and value[0] is not None:
            about = type(value[0])
        for each in self._observers:
            each.about(about)


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
