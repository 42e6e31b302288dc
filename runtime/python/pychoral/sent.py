"""What a durable role has sent, in twelve bytes a message: if it runs again it must send the same.

PROTOCOL.md section 9, records of kind 5 (sent.c there).  What was sent is computed anew after a
restart and is not in the journal; but a program that depends on something that is not recorded
either may come to something else than what its peers have.  That must not pass in silence.
"""

from __future__ import annotations

import struct
import zlib

from .frame import SELECT, Frames, size_of

_SIZE = 12
_ENTRY = struct.Struct(">III")  # site, size of the payload, its CRC-32; or site, 0, label
_NUMBER = struct.Struct(">Q")


def entry_of(kind: int, site: int, label: int, frames: Frames) -> bytes:
    """What is kept of a message."""
    if kind == SELECT:
        return _ENTRY.pack(site, 0, label)
    if len(frames) == 1 and type(frames[0]) is bytes:
        return _ENTRY.pack(site, len(frames[0]) & 0xFFFFFFFF, zlib.crc32(frames[0]))
    check = 0
    for each in frames:
        check = zlib.crc32(each, check)
    return _ENTRY.pack(site, size_of(frames) & 0xFFFFFFFF, check)


def site_of(entry: bytes) -> int:
    return int.from_bytes(entry[:4], "big")


class SentTo:
    """What was sent to one peer.

    before   the last message that an earlier incarnation has noted
    noted    the last that is noted
    """

    def __init__(self) -> None:
        self.before = 0
        self.noted = 0
        self._entries = bytearray()

    def restore(self, record: bytes) -> None:
        """A record; ValueError if it does not follow the one before."""
        (number,) = _NUMBER.unpack_from(record)
        if number != self.before + 1 or len(record) != _NUMBER.size + _SIZE:
            raise ValueError("messages are missing")
        self._entries += record[_NUMBER.size :]
        self.before = self.noted = number

    def entry(self, seq: int) -> bytes:
        """What is known of message `seq`, up to `before`."""
        return bytes(self._entries[_SIZE * (seq - 1) : _SIZE * seq])

    def note(self, entry: bytes) -> bytes:
        """The record of the next message."""
        self.noted += 1
        return _NUMBER.pack(self.noted) + entry
