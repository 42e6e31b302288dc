"""Whose journal a file is: its record 0 (PROTOCOL.md section 9, identity.c there).

A program that runs again must be the one that ran before, with the same options: else it would read
old messages and do something else with them.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import EXIT_PROTOCOL, EXIT_REFUSED

_MAGIC = b"CHJ2"
_OLDER = b"CHJ1"
_NOT_GIVEN = bytes(8)
NOT_A_JOURNAL = "it is not a journal, or its first record is damaged; use another file"


@dataclass(frozen=True)
class Identity:
    """Whose journal it is, and what else the role's program depends on.

    protocol   SHA-256 of the whole choreography
    run        the run's name
    options    the program's own options: the text given for each, None if none was
    """

    protocol: bytes
    run: str
    role: str
    options: Mapping[str, str | None] = field(default_factory=dict)

    def body(self) -> bytes:
        options = [string(name) + _digest(text) for name, text in self.options.items()]
        count = struct.pack(">H", len(options))
        start = _MAGIC + self.protocol + string(self.role) + string(self.run)
        return start + count + b"".join(options)

    def objection(self, body: bytes) -> tuple[str, int] | None:
        """Why a journal that begins so is not ours: a sentence and a status."""
        if body[:4] == _OLDER:
            return "it has an older format; use another file", EXIT_PROTOCOL
        try:
            if body[:4] != _MAGIC:
                raise ValueError
            role, run, options = _owner(body[36:])
        except (struct.error, ValueError):
            return NOT_A_JOURNAL, EXIT_PROTOCOL
        if body[4:36] != self.protocol:
            text = "it was written by another program, or by another version of this one; "
            text += "run that one, or use another file"
            return text, EXIT_PROTOCOL
        if role != self.role:
            text = f"it belongs to another role, {role}; each role needs its own journal"
        elif run != self.run:
            text = f"it belongs to {_named(run)}, but this is {_named(self.run)}; "
            text += "use the same --run, or another file"
        elif body != self.body():
            text = f"it was started {_difference(options, self.options)}; "
            text += "give the same options again, or use another file"
        else:
            return None
        return text, EXIT_REFUSED


def _digest(text: str | None) -> bytes:
    """What is kept of an option's text, which may be a secret."""
    if text is None:
        return _NOT_GIVEN
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()[:8]


def _owner(data: bytes) -> tuple[str, str, dict[str, bytes]]:
    """Role, run and options of record 0, from there on."""
    role, place = read_string(data, 0)
    run, place = read_string(data, place)
    (count,) = struct.unpack_from(">H", data, place)
    place += 2
    options = {}
    for _ in range(count):
        name, place = read_string(data, place)
        options[name] = data[place : place + 8]
        place += 8
    return role, run, options


def _named(run: str) -> str:
    return f"the run {run}" if run else "the run without a name"


def _difference(then: Mapping[str, bytes], now: Mapping[str, str | None]) -> str:
    """How the options differ from those that the journal was begun with."""
    for name, text in now.items():
        before, given = then.get(name, _NOT_GIVEN), text is not None
        if before == _digest(text):
            continue
        if not any(before):
            return f"without --{name}"
        return f"with another --{name}" if given else f"with --{name}"
    return "with other options"


def string(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">H", len(data)) + data


def read_string(data: bytes, place: int) -> tuple[str, int]:
    """A string and where it ends."""
    end = place + 2 + int(struct.unpack_from(">H", data, place)[0])
    if end > len(data):
        raise struct.error
    return data[place + 2 : end].decode(), end
