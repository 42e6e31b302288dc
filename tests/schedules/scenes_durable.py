"""As scenes.py: roles that have journals."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import driver  # noqa: E402
from pychoral import frame as wire  # noqa: E402
from scene import Scene, hexed  # noqa: E402


def cannot_start(scene: Scene, name: str) -> None:
    """One without a journal, whose peer has one, cannot start, and then can."""
    scene.machine(name, wm=0)
    scene.machine("B" if name == "A" else "A", durable=1)
    scene.put("A", "start")
    scene.put("B", "start")
    scene.put(name, "error", *map(hexed, (name, "OSError", "no port")))
    scene.put("B", "connected", 1)
    scene.flow()
    scene.wait(20, "A", "B")


def rule10_a_listener_that_cannot_start_is_awaited(scene: Scene) -> None:
    """Rule 10: a durable role does not take that ERROR, as its peer is started again."""
    cannot_start(scene, "A")
    scene.machine("A2", inc=2, seed=9)
    scene.put("A2", "start")
    scene.put("B", "connected", 2)
    while scene.flying:
        scene.deliver(1, lambda name: "A2" if name == "A" else name)
    scene.data("B", "01")


def rule10_a_dialler_that_cannot_start_is_awaited(scene: Scene) -> None:
    """The same where the one that has a journal listens."""
    cannot_start(scene, "B")
    scene.machine("B2", inc=2, seed=9)
    scene.put("B2", "start")
    scene.put("B2", "connected", 2)
    scene.flow_to_both()
    scene.data("A", "01")


def durable_acknowledges_what_is_stored(scene: Scene) -> None:
    """In durable mode only what is stored is acknowledged, and only that lets more come."""
    scene.up(durable=1, wm=4)
    scene.data("B", "01", "02", "03")
    scene.flow()
    scene.take("A", 2)
    scene.wait(20, "A")
    scene.put("A", "stored", 1)
    scene.flow()
    scene.put("A", "stored", 99)
    scene.flow()
    scene.put("B", "end", 0)
    scene.flow()
    scene.put("A", "stored", 4)
    scene.flow()
    scene.wait(1, "B")


def durable_restart(scene: Scene) -> None:
    """A durable role is killed and goes on from its journal; messages the peer has are not sent
    again, those it lost are."""
    scene.up(durable=1)
    scene.data("B", "b1", "b2")
    journal = [frames for _, _, frames in scene.flying]
    scene.flow()
    scene.put("A", "stored", 2)
    scene.take("A")
    scene.data("A", "a1")
    scene.flow()
    scene.put("B", "stored", 1)
    scene.data("A", "a2")
    scene.cut(1, "B")
    scene.machine("A2", durable=1, inc=2, seed=9)
    for frames in journal:
        scene.put("A2", "restore", driver.hexed_frames(list(frames)))
    scene.put("A2", "start")
    scene.put("B", "connected", 2)
    later: Callable[[str], str] = lambda name: "A2" if name == "A" else name
    while scene.flying:
        scene.deliver(1, later)
    scene.data("A2", "a1", "a2")
    scene.take("A2", 3)
    while scene.flying:
        scene.deliver(1, later)
    scene.take("B", 3)


def durable_journal_with_a_gap(scene: Scene) -> None:
    """A journal that lacks a message stops the role before it begins."""
    scene.machine("A", durable=1)
    first = scene.crafted("A", wire.DATA, b"1", seq=1, ack=0, limit=1)
    third = scene.crafted("A", wire.DATA, b"3", seq=3, ack=0, limit=1)
    for frame in (first, third, third):
        scene.put("A", "restore", driver.hexed(frame))
    scene.put("A", "start")
    scene.take("A", 2)
    scene.give("A", 1, [scene.hello("A")])


def durable_end_in_the_journal(scene: Scene) -> None:
    """A restored END counts as come: what is sent is gone, and the role may leave."""
    scene.machine("B", durable=1, inc=2)
    end = scene.crafted("B", wire.END, b"\0\0", seq=1, ack=0, limit=9)
    scene.put("B", "restore", driver.hexed(end))
    scene.put("B", "start")
    scene.data("B", "01")
    scene.take("B", 2)
    scene.put("B", "end", 0)
    scene.wait(249, "B")
    scene.wait(1, "B")


def refuse10_a_dialler_that_has_stopped(scene: Scene) -> None:
    """REFUSE 10: who has said ERROR and not heard that it came may ask again; a later process of
    it is told why it cannot go on."""
    scene.up(durable=1)
    scene.put("B", "error", *map(hexed, ("B", "OSError", "no disk")))
    scene.deliver()
    scene.put("A", "stored", 1)
    scene.cut(1)
    scene.put("B", "connected", 2)
    scene.flow()
    scene.wait(1, "B")
    scene.machine("B2", durable=1, inc=2, seed=9)
    scene.put("B2", "start")
    scene.put("B2", "connected", 3)
    scene.deliver()
    scene.deliver(1, lambda name: "B2")
    scene.data("A", "01")


def refuse10_a_listener_that_has_stopped(scene: Scene) -> None:
    """REFUSE 10: who dials a role that has said ERROR, of another, goes on dialling, and tells a
    later process of it why it cannot go on."""
    scene.up(durable=1)
    scene.put("A", "error", *map(hexed, ("C", "", "no disk")))
    scene.flow()
    scene.put("B", "stored", 1)
    scene.wait(6000)
    scene.cut(1, "B")
    scene.put("B", "connected", 2)
    scene.cut(2, "B")
    scene.wait(20, "B")
    scene.machine("A2", durable=1, inc=2, seed=9)
    scene.put("A2", "start")
    scene.put("B", "connected", 3)
    while scene.flying:
        scene.deliver(1, lambda name: "A2" if name == "A" else name)
    scene.wait(40, "B")


def refuse10_by_the_journal(scene: Scene) -> None:
    """REFUSE 10: a role that is started again has the ERROR in its journal, and tells any process
    of its peer: it does not know which one has said it."""
    scene.machine("A", durable=1, inc=2)
    error = scene.crafted("A", wire.ERROR, wire.write_failure("B", "OSError", "no disk"), seq=1)
    scene.put("A", "restore", driver.hexed(error))
    scene.put("A", "start")
    scene.machine("B", durable=1)
    scene.put("B", "start")
    scene.put("B", "connected", 1)
    scene.flow()
