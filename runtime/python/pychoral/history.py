"""History: what a role has sent and read, a JSON object a line (`--history FILE`).

The format is that of tests/history/check.py, which compares the histories of all roles: a line that
begins a life of the role, then one for each message when the program has sent or read it.  The
digest is the SHA-256 of the payload, of a selection that of its label as four bytes.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from .frame import DATA, SELECT, Frames
from .lines import Sink
from .machine import Config, Message
from .observed import Observer


class History(Observer):
    """Writes to a file, each line at once."""

    def __init__(self, file: Sink, role: str) -> None:
        self._file = file
        self._role = role

    def begin(self, config: Config) -> None:
        self._write({"role": self._role, "event": "begin", "incarnation": config.incarnation})

    def sent(
        self, peer: str, seq: int, kind: int, site: int, label: int, frames: Frames
    ) -> None:
        if kind in (DATA, SELECT):
            self._note("sent", peer, seq, site, _digest(kind, label, frames))

    def taken(self, peer: str, message: Message) -> None:
        if message.kind in (DATA, SELECT):
            digest = _digest(message.kind, message.label, message.frames)
            self._note("taken", peer, message.seq, message.site, digest)

    def _note(self, event: str, peer: str, seq: int, site: int, digest: str) -> None:
        note = {"role": self._role, "event": event, "peer": peer}
        self._write({**note, "seq": seq, "site": site, "digest": digest})

    def _write(self, note: dict[str, Any]) -> None:
        self._file.write(json.dumps(note) + "\n")


def _digest(kind: int, label: int, frames: Frames) -> str:
    digest = hashlib.sha256()
    for each in frames if kind == DATA else [label.to_bytes(4, "big")]:
        digest.update(each)
    return digest.hexdigest()
