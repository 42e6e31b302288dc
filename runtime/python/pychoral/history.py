"""History: what a role has sent and read, a JSON object a line (`--history FILE`).

The format is that of tests/history/check.py, which compares the histories of all roles: a line that
begins a life of the role, then one for each message when the program has sent or read it.  The
digest is the SHA-256 of the payload, of a selection that of its label as four bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import IO, Any

from .frame import DATA, SELECT, Frames
from .machine import Config, Machine, Message, Sent


def recording(file: IO[str], role: str) -> Callable[[Config, Any], Machine]:
    """Makes machines that write their history to `file`."""
    is_begun = False

    class Recording(Machine):
        """A machine whose program's messages are noted."""

        __slots__ = ()

        def __init__(self, config: Config, out: Any) -> None:
            super().__init__(config, out)
            nonlocal is_begun
            if not is_begun:
                is_begun = True
                _write(file, {"role": role, "event": "begin", "incarnation": config.incarnation})

        def send(
            self, now: int, kind: int, site: int, label: int, frames: Frames, extra: bytes = b""
        ) -> Sent:
            sent = super().send(now, kind, site, label, frames, extra)
            if sent is Sent.SENT:
                self._note("sent", self.next_seq - 1, site, _digest(kind, label, frames))
            return sent

        def take(self, now: int) -> Message | None:
            message = super().take(now)
            if message is not None and message.kind in (DATA, SELECT):
                digest = _digest(message.kind, message.label, message.frames)
                self._note("taken", message.seq, message.site, digest)
            return message

        def _note(self, event: str, seq: int, site: int, digest: str) -> None:
            note = {"role": role, "event": event, "peer": self.config.peer}
            _write(file, {**note, "seq": seq, "site": site, "digest": digest})

    return Recording


def _digest(kind: int, label: int, frames: Frames) -> str:
    digest = hashlib.sha256()
    for each in frames if kind == DATA else [label.to_bytes(4, "big")]:
        digest.update(each)
    return digest.hexdigest()


def _write(file: IO[str], note: dict[str, Any]) -> None:
    print(json.dumps(note), file=file, flush=True)
