"""Reads schedules and prints what the Python machine answers (PROTOCOL.md section 4).

    driver.py [FILE...]      standard input if no file is given

tests/schedules/c_driver.c does the same with the C machine; both must print the same bytes.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "runtime/python"))

from pychoral import frame as wire  # noqa: E402
from pychoral.agreement import Agreed  # noqa: E402
from pychoral.machine import Config, Machine  # noqa: E402

KEYS = {
    "hash": "protocol", "inc": "incarnation", "wm": "window_messages", "wb": "window_bytes",
    "max": "max_message",
}
KINDS = {name: number for number, name in enumerate(wire.NAMES) if name}
# Arguments of events that are text, and so are printed as hex.
TEXTS = {"peer_error": (0, 1, 2), "pong": (3,), "refused": (1,), "fault": (1,)}


def hexed(data: Any) -> str:
    return bytes(data).hex() or "-"


def hexed_frames(frames: list[Any]) -> str:
    return ",".join(map(hexed, frames)) or "-"


def unhexed(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


def unhexed_frames(text: str) -> list[bytes]:
    return [unhexed(each) for each in text.split(",")]


class Printer:
    """What a machine asks of its owner, a line each."""

    def __init__(self, name: str, say: Callable[[str], None]) -> None:
        self._name = name
        self._say = say

    def send(self, conn: Hashable, frames: list[Any]) -> None:
        self._say(f"{self._name} send {conn} {hexed_frames(frames)}")

    def dial(self) -> None:
        self._say(f"{self._name} dial")

    def drop(self, conn: Hashable) -> None:
        self._say(f"{self._name} drop {conn}")

    def event(self, word: str, *args: Any) -> None:
        texts = TEXTS.get(word, ())
        shown = [hexed(each.encode()) if place in texts else str(int(each))
                 for place, each in enumerate(args)]
        self._say(" ".join([self._name, "event", word, *shown]))


def configured(words: list[str]) -> Config:
    """The configuration that a `machine` line gives."""
    types = {each.name: str(each.type) for each in dataclasses.fields(Config)}
    given: dict[str, Any] = {"dials": False, "protocol": bytes(32), "run": ""}
    for word in words:
        key, _, value = word.partition("=")
        name = KEYS.get(key, key)
        if name == "agreed":
            given[name] = tuple(map(agreed, value.split(",")))
        elif types[name] == "bytes":
            given[name] = bytes.fromhex(value)
        elif types[name] == "str":
            given[name] = value
        else:
            given[name] = bool(int(value)) if types[name] == "bool" else int(value)
    return Config(**given)


def agreed(text: str) -> Agreed:
    """`NAME:DIGEST:TEXT`, the last two in hex."""
    name, digest, shown = text.split(":")
    return Agreed(name, bytes.fromhex(digest), unhexed(shown).decode())


class Driver:
    """The machines of one schedule."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.machines: dict[str, Machine] = {}

    def line(self, line: str) -> None:
        words = line.split()
        if not words or words[0].startswith("#"):
            return
        if words[0] == "---":
            self._say("---")
            self.machines.clear()
        elif words[0] == "machine":
            name = words[1]
            self.machines[name] = Machine(configured(words[2:]), Printer(name, self._say))
        else:
            now, name, verb, *args = words
            answer = self.input(self.machines[name], int(now), verb, args)
            if answer:
                self._say(f"{name} = {answer}")

    def input(self, machine: Machine, now: int, verb: str, args: list[str]) -> str:
        """One input; its answer, if it has one."""
        if verb in ("connected", "lost", "stored", "end"):
            getattr(machine, verb)(now, int(args[0]))
        elif verb in ("start", "tick"):
            getattr(machine, verb)(now)
        elif verb == "frame":
            machine.frame(now, int(args[0]), unhexed_frames(args[1]))
        elif verb == "restore":
            machine.restore(now, unhexed_frames(args[0]))
        elif verb == "send":
            kind, site, label = KINDS[args[0]], int(args[1]), int(args[2])
            return machine.send(now, kind, site, label, unhexed_frames(args[3])).name
        elif verb == "take":
            return taken(machine, now)
        elif verb == "stamp":
            machine.stamp(unhexed(args[0]))
        elif verb == "shut":
            machine.shut()
        elif verb == "error":
            role, word, text = (unhexed(each).decode() for each in args)
            machine.error(now, role, word, text)
        else:
            assert verb == "progress", verb
            steps, state, site = map(int, args[:3])
            machine.progress(steps, state, site, unhexed(args[3]).decode())
        return ""


def taken(machine: Machine, now: int) -> str:
    message = machine.take(now)
    if message is None:
        return "none"
    kind, site, label, seq, frames, extra = message
    shown = f"{wire.NAMES[kind]} {site} {label} {seq} {hexed_frames(frames)}"
    return f"{shown} {hexed(extra)}" if extra else shown


def answers(text: str) -> list[str]:
    """What is printed for the schedules of a text."""
    lines: list[str] = []
    driver = Driver(lines.append)
    for line in text.splitlines():
        driver.line(line)
    return lines


def main() -> int:
    driver = Driver(print)
    for line in ([line for name in sys.argv[1:] for line in open(name)] or sys.stdin):
        driver.line(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
