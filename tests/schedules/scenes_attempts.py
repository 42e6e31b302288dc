"""Attempts to reach a listener: which are tried again until a deadline, and which are final."""

from __future__ import annotations

from pychoral import frame as wire
from scene import Scene


def attempts(scene: Scene, seconds: int, conn: int) -> int:
    """B dials for so long, and each time something else is there; the last connection's number."""
    until = scene.now + 1000 * seconds - 1
    while scene.now < until:
        scene.put("B", "connected", conn)
        scene.lose()
        scene.put("B", "lost", conn)
        asked = len(scene.answers)
        while scene.now < until and "B dial" not in scene.answers[asked:]:
            scene.wait(min(100, until - scene.now), "B")
        conn += 1
    return conn


def a_mismatch_is_a_failed_attempt(scene: Scene) -> None:
    """Another key or mechanism is a lost attempt: until the deadline it ends nothing."""
    scene.both(connect=3000, lost=4000)
    conn = attempts(scene, 3, 1)
    scene.put("B", "connected", conn)
    scene.flow()
    scene.data("A", "01")
    scene.cut(conn)
    conn = attempts(scene, 4, conn + 1)
    scene.put("B", "connected", conn)
    scene.flow()
    scene.take("B")


def a_mismatch_until_the_deadline(scene: Scene) -> None:
    """Another key or mechanism for as long as is waited: final, before a connection and after."""
    scene.machine("B", connect=3000)
    scene.put("B", "start")
    attempts(scene, 3, 1)
    scene.wait(1, "B")
    scene.both(lost=4000)
    scene.put("B", "connected", 100)
    scene.flow()
    scene.cut(100)
    attempts(scene, 4, 101)
    scene.wait(1, "B")
    scene.wait(1000, "B")


def refusals_are_final_at_a_dialler(scene: Scene) -> None:
    """REFUSE 1, 2, 3, 8 end a dialler at once, as it greets or later, and it dials no more."""
    for code in (wire.BAD_VERSION, wire.BAD_PROTOCOL, wire.BAD_ROLE, wire.LIMITS):
        scene.both()
        refusal = scene.crafted("B", wire.REFUSE, wire.write_refusal(code, "not this one"))
        scene.put("B", "connected", 1)
        scene.give("B", 1, [refusal])
        scene.lose()
        scene.wait(60000, "B")
        scene.up()
        scene.give("B", 1, [refusal])
        scene.wait(60000, "B")
