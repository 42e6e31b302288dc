"""Reports: what a role says of its links, for people (a line) and for programs (a line of JSON).

PROTOCOL.md section 8.  Lines for people go to standard error and start with the role's name.  With
`--log-json FILE` each of them is also an object on a line of that file (`-`: standard error), with
the keys: time (ISO 8601, UTC), run, role, event, text, and as far as they are known peer, awaited,
site, source, since (in seconds), links (seqs each way, incarnation, trouble, what the peer last
said of itself and how many seconds ago), status.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .lines import Sink

LEVELS = ("error", "warning", "info", "debug")
_REPORT_AFTER_MS = 10_000
_STATES = ("computes", "waits for", "waits to send to", "has ended")
_QUIET = ("pong", "peer_end", "peer_error", "stored_wanted", "left")


@dataclass
class Waiting:
    """What a role waits for.  `phrase` follows "waiting 10 s"; `place` is as in messages."""

    peer: str
    phrase: str
    since: int
    site: int
    place: str
    report_due: int = field(init=False)

    def __post_init__(self) -> None:
        self.report_due = self.since + _REPORT_AFTER_MS


class Reporter:
    """Writes the reports of one role.

    level   lines below it are left out: one of LEVELS
    lines   where the JSON goes; None for nowhere
    """

    def __init__(
        self,
        role: str,
        run: str = "",
        level: str = "warning",
        lines: Sink | None = None,
        sites: Mapping[int, str] | None = None,
    ) -> None:
        self._role = role
        self._run = run
        self._level = LEVELS.index(level)
        self._lines = lines
        self._sites = sites or {}

    # --- what roles report ---

    def waits(self, waiting: Waiting, links: Sequence[dict[str, Any]], now: int) -> None:
        """A wait is long, and goes on."""
        text = self._wait_of(waiting, now)
        text += self.of_peer(waiting.peer, links, now)
        self._say("warning", "waits", text, self._facts(waiting, links, now))

    def refusal(
        self, waiting: Waiting | None, links: Sequence[dict[str, Any]], now: int, text: str
    ) -> None:
        """An attempt to reach a peer has failed for keys, and others follow."""
        self._say("warning", "refused", text, self._facts(waiting, links, now))

    def ends(
        self, waiting: Waiting, links: Sequence[dict[str, Any]], now: int, text: str, status: int
    ) -> None:
        """A wait has ended in a failure, which the program reports to people."""
        self._note("failed", text, {**self._facts(waiting, links, now), "status": status})

    def status(
        self, waiting: Waiting | None, links: Sequence[dict[str, Any]], now: int, fault: str
    ) -> None:
        """Whatever the level, and safe in a signal's handler: the state of all links."""
        doing = self._wait_of(waiting, now) if waiting else "computes"
        lines = [f"{self._role}: {doing}", *(self._link_of(link, now) for link in links)]
        if fault:
            lines.append(f"{self._role}: the keeper has failed:\n{fault}")
        _write(("\n".join(lines) + "\n").encode("utf-8", "backslashreplace"))
        self._note("status", doing, self._facts(waiting, links, now))

    def event(self, peer: str, word: str, arguments: tuple[Any, ...]) -> None:
        """Something has happened to the link to a peer."""
        if self._level < 2 and self._lines is None:
            return
        level = "debug" if word in _QUIET else "info"
        if LEVELS.index(level) <= self._level:
            told = " ".join(str(each) for each in arguments)
            if word == "up":
                told = f"(incarnation {told})"
            self._say(level, "link", f"link to {peer}: {word} {told}".rstrip(), {"peer": peer})

    def message(self, doing: str, peer: str, what: str, place: str) -> None:
        """A message was sent or read (`--log-level debug`)."""
        if self._level >= 3:
            self._say("debug", "message", f"{doing} {peer}: {what}{place}", {"peer": peer})

    # --- how they read ---

    def of_peer(self, peer: str, links: Sequence[dict[str, Any]], now: int) -> str:
        """The end of a sentence on a wait: what is known of the peer."""
        return "".join(f"; {self._peer_of(link, now)}" for link in links if link["peer"] == peer)

    def _wait_of(self, waiting: Waiting, now: int) -> str:
        seconds = (now - waiting.since) // 1000
        return f"has been waiting {seconds} s {waiting.phrase}{waiting.place}"

    def _peer_of(self, link: dict[str, Any], now: int) -> str:
        """What is known of a peer: what it said of itself, if it answers."""
        peer, pong = link["peer"], link["pong"]
        if link["failure"]:
            return str(link["failure"])
        if not link["connected"]:
            trouble = f" ({'; '.join(link['trouble'])})" if link["trouble"] else ""
            return f"{peer} is not connected{trouble}"
        if pong is None or now - pong["when"] > 5_000:
            return f"{peer} is connected"
        state = _STATES[pong["state"]]
        if pong["state"] in (1, 2):
            place = self._sites.get(pong["site"], "")
            state += f" {pong['role']}" + (f" at {place}" if place else "")
        return f"{peer} answers; it {state}"

    def _link_of(self, link: dict[str, Any], now: int) -> str:
        return (
            f"{self._role}: {self._peer_of(link, now)}; sent {link['sent']} "
            f"({link['acknowledged']} acknowledged), taken {link['taken']} ({link['read']} read)"
        )

    def _facts(
        self, waiting: Waiting | None, links: Sequence[dict[str, Any]], now: int
    ) -> dict[str, Any]:
        facts: dict[str, Any] = {"links": [_in_words(link, now) for link in links]}
        if waiting is not None:
            facts |= {"peer": waiting.peer, "awaited": waiting.phrase, "site": waiting.site}
            facts |= {"source": waiting.place.strip(" ()"), "since": (now - waiting.since) / 1000}
        return facts

    # --- writing ---

    def _say(self, level: str, event: str, text: str, facts: dict[str, Any]) -> None:
        if LEVELS.index(level) <= self._level:
            with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
                print(f"{self._role}: {text}", file=sys.stderr, flush=True)
        self._note(event, text, facts)

    def _note(self, event: str, text: str, facts: dict[str, Any]) -> None:
        if self._lines is None:
            return
        note = {"time": _clock(), "run": self._run, "role": self._role, "event": event}
        self._lines.write(json.dumps({**note, "text": text, **facts}) + "\n")


def _in_words(link: dict[str, Any], now: int) -> dict[str, Any]:
    """A link whose `pong` says what the peer does and how old that is, in seconds."""
    pong = link["pong"]
    if pong is None:
        return link
    told = {"age": (now - pong["when"]) / 1000, "state": _STATES[pong["state"]]}
    return {**link, "pong": {**told, **{key: pong[key] for key in ("role", "site", "steps")}}}


def _clock() -> str:
    """The time of day in UTC, with milliseconds."""
    seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{milliseconds:03}Z"


def _write(data: bytes) -> None:
    """To standard error, past its buffer: a signal may have come while that was in use."""
    try:
        os.write(sys.stderr.fileno(), data)
    except (OSError, ValueError):
        pass
