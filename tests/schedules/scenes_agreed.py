"""Schedules of machines that compare what they were given (PROTOCOL.md 1, item 2)."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from pychoral import frame as wire  # noqa: E402
from scene import Scene, hexed  # noqa: E402


def given(**values: object) -> str:
    """The setting `agreed` of these values; a value in a list is shown to nobody."""
    found = []
    for name, value in values.items():
        digest = hashlib.sha256(repr(value).encode()).hexdigest()
        text = "-" if isinstance(value, list) else hexed(repr(value))
        found.append(f"{name}:{digest}:{text}")
    return ",".join(found)


def two(scene: Scene, at_a: str, at_b: str, **settings: object) -> None:
    """A and B, given this, meet."""
    scene.machine("A", agreed=at_a, **settings)
    scene.machine("B", agreed=at_b, **settings)
    for name in ("A", "B"):
        scene.put(name, "start")
    scene.put("B", "connected", 1)
    scene.flow()


def greeted(scene: Scene, conn: int, extra: bytes) -> None:
    """A is greeted with this behind the header."""
    hello = scene.hello("A")
    length = (wire.HEADER + len(extra)).to_bytes(2, "big")
    scene.give("A", conn, [hello[:6] + length + hello[8:48] + extra + hello[48:]])
    scene.lose()


def item(content: bytes) -> bytes:
    return b"\0\2" + len(content).to_bytes(2, "big") + content


def entry(name: bytes, text: bytes = b"3", digest: bytes = bytes(32)) -> bytes:
    return wire.string(name) + digest + wire.string(text)


def agreed_values_are_compared(scene: Scene) -> None:
    """Who was given the same meets; a CRC stands behind what lengthens the header."""
    same = given(limit=4, name="x")
    two(scene, same, same, crc=1)
    scene.data("B", "01")
    scene.flow()
    scene.take("A")


def agreed_values_are_compared_again(scene: Scene) -> None:
    """A connection that is made anew has other nonces, and other digests."""
    same = given(limit=4)
    two(scene, same, same)
    scene.cut(1)
    scene.put("B", "connected", 2)
    scene.flow()
    scene.data("B", "01")
    scene.flow()
    scene.take("A")


def refuse11_disagreed(scene: Scene) -> None:
    """REFUSE 11: what differs is named, with both values; both ends stop."""
    two(scene, given(limit=4, same=1, width=2), given(limit=5, same=1, width=3))
    scene.wait(1, "A", "B")


def refuse11_the_second_of_two(scene: Scene) -> None:
    """REFUSE 11: each value counts."""
    two(scene, given(a=1, b=2), given(a=1, b=3))


def refuse11_shown_to_nobody(scene: Scene) -> None:
    """REFUSE 11: a value without a text is named only, whoever has none."""
    two(scene, given(key=["secret"]), given(key="other"))
    two(scene, given(key="other"), given(key=["secret"]))


def refuse11_cut(scene: Scene) -> None:
    """REFUSE 11: what the sentence has no room for is counted; one that is longer is cut at a
    character.  Values that are shown alike are said to be."""
    one = {f"n{n}": "\u00e9" * 50 for n in range(4)}
    other = {f"n{n}": "\u20ac" * 50 for n in range(4)}
    two(scene, given(**one), given(**other))
    name = "\u00e9" * 180
    two(scene, given(**{name: one["n0"]}), given(**{name: other["n0"]}))
    two(scene, *(f"n:{digit * 64}:{hexed('nan')}" for digit in "12"))


def refuse11_item(scene: Scene) -> None:
    """REFUSE 11: an item that is missing, malformed or of other values is a difference."""
    good, other = entry(b"limit"), entry(b"other")
    wrong = [
        b"", item(b""), item(good[:-1]), item(good + b"x"), item(good + good), item(other),
        item(good)[:-1], item(good) + b"\0", item(entry(b"limit", b"\xff")),
        item(entry(b"limit", b"\0")), b"\0\1\0\0" + item(good), item(good) + item(b""),
        item(good) + b"\0\3" + (4096).to_bytes(2, "big") + bytes(4096), b"\0\2\xff\xff",
    ]
    for conn, extra in enumerate(wrong, 5):
        scene.machine("A", agreed=given(limit=4))
        scene.put("A", "start")
        greeted(scene, conn, extra)


def refuse11_at_a_dialler(scene: Scene) -> None:
    """REFUSE 11: WELCOME without the item, or with a digest of another connection."""
    for extra in (b"", item(entry(b"limit"))):
        scene.machine("B", agreed=given(limit=4))
        scene.put("B", "start")
        scene.put("B", "connected", 1)
        scene.lose()
        nonce = scene.driver.machines["B"]._nonce
        session = bytes(a ^ b for a, b in zip(nonce, b"nonce..1"))
        welcome = scene.hello("B", wire.WELCOME)
        length = (wire.HEADER + len(extra)).to_bytes(2, "big")
        frame = welcome[:6] + length + welcome[8:16] + session + welcome[24:48] + extra
        scene.give("B", 1, [frame + welcome[48:]])


def refuse11_is_behind_another_program(scene: Scene) -> None:
    """REFUSE 11 comes behind 2 and before 4."""
    wrong: list[dict[str, Any]] = [{"protocol": bytes(32)}, {"run_id": bytes(16), "run": "other"}]
    for conn, changes in enumerate(wrong, 5):
        scene.machine("A", agreed=given(limit=4))
        scene.put("A", "start")
        scene.give("A", conn, [scene.hello("A", **changes)])
        scene.lose()


def refuse11_does_not_stop_who_was_up(scene: Scene) -> None:
    """REFUSE 11: who has had its peer goes on; a later process of it that differs is sent away."""
    same = given(limit=4)
    two(scene, same, same)
    scene.machine("B2", inc=2, seed=3, agreed=given(limit=5))
    scene.put("B2", "start")
    scene.put("B2", "connected", 2)
    scene.flow_to_both()
    scene.data("B", "01")
    scene.flow()
    scene.take("A")


def agreed_texts_are_left_out(scene: Scene) -> None:
    """Texts that do not fit into 4,096 bytes are left out, the later ones first."""
    values: dict[str, Any] = {f"parameter_{n:02}": "x" * 58 for n in range(50)}
    two(scene, given(**values), given(**values))
    others = values | {"parameter_01": "early", "parameter_49": "late"}
    two(scene, given(**values), given(**others))


def agreed_values_are_too_many(scene: Scene) -> None:
    """One digest stands for all where names and digests do not fit."""
    values: dict[str, Any] = {f"a_parameter_with_a_name_{n:02}": n for n in range(70)}
    two(scene, given(**values), given(**values))
    two(scene, given(**values), given(**values | {"a_parameter_with_a_name_69": 0}))
