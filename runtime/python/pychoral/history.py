"""History: what a role has sent and read, a JSON object a line (`--history FILE`).

Keys: `role`, `event` ("sent" or "taken"), `peer`, `seq`, `site`, `label` (of a selection, else 0)
and `digest`, the SHA-256 of the payload.  A message is written when the program has sent or read it;
tests/history/check.py compares the histories of all roles.
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

    class Recording(Machine):
        """A machine whose program's messages are noted."""

        __slots__ = ()

        def send(
            self, now: int, kind: int, site: int, label: int, frames: Frames, extra: bytes = b""
        ) -> Sent:
            sent = super().send(now, kind, site, label, frames, extra)
            if sent is Sent.SENT:
                self._note("sent", self.next_seq - 1, site, label, frames)
            return sent

        def take(self, now: int) -> Message | None:
            message = super().take(now)
            if message is not None and message.kind in (DATA, SELECT):
                self._note("taken", message.seq, message.site, message.label, message.frames)
            return message

        def _note(self, event: str, seq: int, site: int, label: int, frames: Frames) -> None:
            digest = hashlib.sha256()
            for each in frames:
                digest.update(each)
            note = {
                "role": role,
                "event": event,
                "peer": self.config.peer,
                "seq": seq,
                "site": site,
                "label": label,
                "digest": digest.hexdigest(),
            }
            print(json.dumps(note), file=file, flush=True)

    return Recording
