"""A schedule in the making: two machines, what they put out, and when it arrives.

Two machines, A who listens and B who dials, talk through a `Scene`, which holds what they put out
until it is told to deliver it.  scenes.py has what is played.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import driver  # noqa: E402
from pychoral import frame as wire  # noqa: E402
from pychoral.machine import Machine  # noqa: E402

SETTINGS = {
    "A": {"me": "A", "peer": "B", "dials": "0", "seed": "1", "run": "r", "hash": "ab" * 32},
    "B": {"me": "B", "peer": "A", "dials": "1", "seed": "2", "run": "r", "hash": "ab" * 32},
}


class Holder(driver.Printer):
    """Prints what a machine asks for, and holds what it sends."""

    def __init__(self, name: str, scene: Scene) -> None:
        super().__init__(name, scene.answers.append)
        self._scene = scene
        self._peer = scene.settings[name]["peer"]

    def send(self, conn: Hashable, frames: list[Any]) -> None:
        super().send(conn, frames)
        assert isinstance(conn, int)
        self._scene.flying.append((conn, self._peer, [bytes(each) for each in frames]))


class Scene:
    """A schedule and its answers in the making.  `now` moves by `wait`."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.answers: list[str] = []
        self.driver = driver.Driver(self.answers.append)
        self.settings: dict[str, dict[str, str]] = {}
        self.now = 0
        self.flying: list[tuple[int, str, list[bytes]]] = []

    # --- inputs ---

    def machine(self, name: str, **settings: object) -> None:
        """A machine; a name like A2 is a later process of A."""
        all_settings = SETTINGS[name[0]] | {key: str(value) for key, value in settings.items()}
        self.settings[name] = all_settings
        words = [f"{key}={value}" for key, value in all_settings.items()]
        self.lines.append(f"machine {name} {' '.join(words)}")
        self.driver.machines[name] = Machine(driver.configured(words), Holder(name, self))

    def put(self, name: str, verb: str, *args: object) -> None:
        line = " ".join([str(self.now), name, verb, *map(str, args)])
        self.lines.append(line)
        self.driver.line(line)

    def both(self, **settings: object) -> None:
        """A and B, started, not yet connected."""
        for name in ("A", "B"):
            self.machine(name, **settings)
            self.put(name, "start")

    def up(self, **settings: object) -> None:
        """A and B, connected by 1."""
        self.both(**settings)
        self.put("B", "connected", 1)
        self.flow()

    def data(self, name: str, *payloads: str, site: int = 7) -> None:
        for payload in payloads:
            self.put(name, "send", "DATA", site, 0, payload)

    def take(self, name: str, count: int = 1) -> None:
        for _ in range(count):
            self.put(name, "take")

    def give(self, name: str, conn: int, frames: list[bytes]) -> None:
        self.put(name, "frame", conn, driver.hexed_frames(list(frames)))

    # --- what flies ---

    def flow(self) -> None:
        """Deliver everything, and what is answered to it."""
        while self.flying:
            self.deliver()

    def flow_to_both(self) -> None:
        """As `flow`; what A says on connection 2 is for B2, a second process of B."""
        while self.flying:
            is_second = self.flying[0][0] == 2
            self.deliver(1, lambda name: "B2" if name == "B" and is_second else name)

    def deliver(self, count: int = 1, rename: Callable[[str], str] = str) -> None:
        for _ in range(count):
            conn, name, frames = self.flying.pop(0)
            self.give(rename(name), conn, frames)

    def lose(self) -> None:
        """Everything in flight is lost."""
        self.flying.clear()

    def cut(self, conn: int, *names: str) -> None:
        self.lose()
        for name in names or ("A", "B"):
            self.put(name, "lost", conn)

    def wait(self, milliseconds: int, *names: str) -> None:
        self.now += milliseconds
        for name in names:
            self.put(name, "tick")

    # --- crafted frames ---

    def crafted(
        self, name: str, kind: int, body: bytes = b"", *, seq: int = 0, ack: int = 0,
        limit: int | None = None, site: int = 0, label: int = 0, session: bytes | None = None,
    ) -> bytes:
        """A frame that this machine would take from its peer if all is right."""
        machine = self.driver.machines[name]
        plain = kind in (wire.HELLO, wire.REFUSE)
        own = wire.NO_SESSION if plain else machine._session
        if limit is None:
            limit = 0 if kind == wire.REFUSE else machine.peer_limit
        return wire.pack_header(wire.HEADS[kind], site, label, own if session is None else session,
                                seq, ack, limit) + body

    def hello(self, name: str, kind: int = wire.HELLO, **changes: Any) -> bytes:
        """A greeting to this machine that fits, but for the changes."""
        own = self.driver.machines[name].config
        nonce = b"nonce..1"
        body = wire.Greeting(2, 2, own.protocol, own.run_id, 1, 1, own.window_bytes,
                             own.window_messages, 0, own.max_message, nonce, own.peer, own.me,
                             own.run)
        return self.crafted(name, kind, wire.write_greeting(body._replace(**changes)), limit=1024)


def hexed(text: str) -> str:
    return driver.hexed(text.encode())
