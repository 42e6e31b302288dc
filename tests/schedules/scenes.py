"""Small schedules that each show one rule of PROTOCOL.md, written out by record.py.

A scene is a function whose name is that of its file and whose docstring says what it shows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import driver  # noqa: E402
from pychoral import frame as wire  # noqa: E402
import scenes_agreed  # noqa: E402
import scenes_attempts  # noqa: E402
import scenes_durable  # noqa: E402
from scene import Scene, hexed  # noqa: E402

# --- section 2, rule by rule ---


def rule01_nothing_before_the_handshake(scene: Scene) -> None:
    """Rule 1: a listener takes nothing but HELLO, a dialler nothing but WELCOME or REFUSE."""
    scene.both()
    data = scene.crafted("A", wire.DATA, b"x", seq=1, limit=9)
    scene.give("A", 9, [data])
    scene.give("A", 9, [b"GET / HTTP/1.1"])
    scene.give("A", 9, [scene.crafted("A", wire.REFUSE, b"\0\1no")])
    scene.data("B", "aa")
    scene.put("B", "connected", 1)
    scene.give("B", 1, [data])
    scene.give("B", 1, [scene.hello("B")])
    scene.give("B", 1, [scene.hello("B", wire.WELCOME)])
    scene.flow()
    scene.data("B", "aa")
    scene.flow()
    scene.take("A", 2)


def rule02_a_connection_is_replaced(scene: Scene) -> None:
    """Rule 2: a later HELLO replaces the connection there was, and its frames are dropped."""
    scene.up()
    scene.give("A", 2, [scene.hello("A")])
    scene.lose()
    scene.data("B", "01")
    scene.deliver()
    scene.take("A")
    scene.flow()
    scene.put("B", "connected", 3)
    scene.flow()
    scene.take("A")


def rule02_a_higher_incarnation_takes_over(scene: Scene) -> None:
    """Rule 2: a newer process of the peer replaces the older one, which is told so and refused."""
    scene.up()
    another(scene)
    scene.lose()
    scene.wait(1000, "A")
    scene.flow_to_both()
    scene.put("B2", "send", "DATA", 1, 0, "0b")
    scene.flow()
    scene.take("A")
    scene.give("A", 4, [scene.hello("A", incarnation=1)])


def rule02_a_hello_read_late(scene: Scene) -> None:
    """Rule 2: a HELLO of an earlier connection, read when more is acknowledged, is sent away; a
    peer that goes on so has lost its state."""
    scene.up()
    late = scene.hello("A")
    scene.data("A", "01")
    scene.flow()
    scene.wait(20, "B")
    scene.flow()
    for _ in range(9):
        scene.give("A", 9, [late])
    scene.flying = [flying for flying in scene.flying if flying[0] != 9]
    scene.flow()
    scene.take("A")
    scene.give("A", 9, [late])


def rule03_resent_from_what_the_other_expects(scene: Scene) -> None:
    """Rule 3: after a cut each side sends again what the other has not got, and only that."""
    scene.up()
    scene.data("B", "01", "02", "03", "04")
    scene.put("A", "send", "SELECT", 5, 2, "-")
    scene.deliver(2)
    scene.cut(1)
    scene.data("B", "05")
    scene.put("B", "connected", 2)
    scene.flow()
    scene.take("A", 6)
    scene.take("B", 2)


def rule03_taken_and_not_stored(scene: Scene) -> None:
    """Rule 3: in durable mode what the other has taken and not yet stored is not sent again, but
    kept, as it may be lost."""
    scene.up(durable=1)
    scene.data("B", "01", "02")
    scene.deliver(1)
    scene.cut(1)
    scene.put("B", "connected", 2)
    scene.flow()
    scene.take("A", 2)
    scene.cut(2)
    scene.machine("A2", durable=1, inc=2, seed=7)
    scene.put("A2", "start")
    scene.put("B", "connected", 3)
    while scene.flying:
        scene.deliver(1, lambda name: "A2" if name == "A" else name)
    scene.take("A2", 2)


def rule04_only_the_expected_number(scene: Scene) -> None:
    """Rule 4: below: dropped and answered with ACK.  Above: the connection is broken."""
    scene.up()
    scene.data("B", "01", "02")
    first, second = (frames for _, _, frames in scene.flying)
    scene.flow()
    scene.give("A", 1, first)
    scene.give("A", 1, second)
    scene.take("A", 3)
    scene.lose()
    scene.give("A", 1, [scene.crafted("A", wire.DATA, b"x", seq=4)])
    scene.flow()
    scene.put("B", "connected", 2)
    scene.flow()
    scene.give("B", 2, [scene.crafted("B", wire.DATA, b"x", seq=9)])


def rule05_acks_ride_or_go_alone(scene: Scene) -> None:
    """Rule 5: acks ride on messages, go alone after a quarter of the window or when idle."""
    scene.up(wm=8, wb=400)
    scene.data("B", "01", "02")
    scene.flow()
    scene.data("B", "03")
    scene.flow()
    scene.data("A", "0a")
    scene.flow()
    scene.data("B", "ff" * 100)
    scene.flow()
    scene.wait(10, "A", "B")
    scene.flow()
    scene.data("B", "04")
    scene.flow()
    scene.wait(20, "A", "B")
    scene.flow()


def rule05_the_end_is_acknowledged_at_once(scene: Scene) -> None:
    """Rule 5: END and ERROR are acknowledged at once."""
    scene.up()
    scene.put("B", "end", 3)
    scene.flow()
    scene.put("A", "error", *map(hexed, ("A", "ValueError", "no number")))
    scene.flow()
    scene.take("A")
    scene.take("B")


def rule06_ack_and_limit_are_two_things(scene: Scene) -> None:
    """Rule 6: what is stored safely is acknowledged; only what is read lets more come."""
    scene.up(wm=4)
    scene.data("B", "01", "02", "03", "04", "05")
    scene.flow()
    scene.data("B", "05")
    scene.take("A")
    scene.flow()
    scene.data("B", "05", "06")
    scene.flow()
    scene.take("A", 4)
    scene.flow()
    scene.data("B", "06", "07", "08", "09", "0a", "0b")


def rule07_credit_by_messages_and_bytes(scene: Scene) -> None:
    """Rule 7: up to the limit, within the bytes; a larger one when nothing else is unread."""
    scene.up(wm=8, wb=10)
    scene.data("B", "11" * 6, "22" * 5, "33" * 4)
    scene.flow()
    scene.data("B", "44")
    scene.take("A", 2)
    scene.flow()
    scene.data("B", "55" * 50)
    scene.flow()
    scene.data("B", "66")
    scene.put("B", "send", "SELECT", 2, 1, "-")
    scene.flow()
    scene.take("A", 2)
    scene.flow()
    scene.data("B", "66")
    scene.put("B", "end", 0)
    scene.flow()
    scene.take("A", 3)


def rule07_the_end_needs_no_credit(scene: Scene) -> None:
    """Rule 7: END goes although the window is full."""
    scene.up(wm=1)
    scene.data("B", "01", "02")
    scene.put("B", "end", 0)
    scene.flow()
    scene.take("A", 3)


def rule08_a_full_window_still_takes(scene: Scene) -> None:
    """Rule 8: both windows are full; each goes on taking, and both go on when they have read."""
    scene.up(wm=1)
    for name in ("A", "B"):
        scene.data(name, "01", "02")
    scene.flow()
    for name in ("A", "B"):
        scene.take(name)
    scene.flow()
    for name in ("A", "B"):
        scene.data(name, "02")
    scene.flow()
    for name in ("A", "B"):
        scene.take(name)


def rule09_site_and_label_arrive(scene: Scene) -> None:
    """Rule 9: site, kind and label are given to the program, which compares them."""
    scene.up()
    scene.data("B", "01", site=4294967295)
    scene.put("B", "send", "SELECT", 3, 4294967295, "-")
    scene.data("B", "02", site=0)
    scene.flow()
    scene.take("A", 3)


def rule10_an_error_in_its_place(scene: Scene) -> None:
    """Rule 10: ERROR is told when it comes and read after what was sent before it."""
    scene.up()
    scene.data("B", "01", "02")
    scene.put("B", "error", *map(hexed, ("B", "OSError", "é" * 300)))
    scene.put("B", "error", *map(hexed, ("B", "OSError", "again")))
    scene.put("B", "end", 0)
    scene.data("B", "03")
    scene.flow()
    scene.data("A", "0a")
    scene.take("A", 4)


def rule10_who_cannot_start(scene: Scene) -> None:
    """Rule 10: who takes no message says ERROR; what waits to be sent to it is gone then."""
    scene.up(wm=0)
    scene.data("B", "01")
    scene.put("A", "error", *map(hexed, ("A", "OSError", "no port")))
    scene.flow()
    scene.data("B", "01")


def rule10_who_can_take_no_more(scene: Scene) -> None:
    """Rule 10: a listener that is shut is sent nothing again, and its ERROR is heard."""
    shut(scene, "A", "B")


def rule10_a_dialler_that_can_take_no_more(scene: Scene) -> None:
    """The same at a dialler, for a peer with a journal, which knows the process."""
    shut(scene, "B", "A", durable=1)


def shut(scene: Scene, name: str, other: str, durable: int = 0) -> None:
    scene.machine(name)
    scene.machine(other, durable=durable)
    scene.put("A", "start")
    scene.put("B", "start")
    scene.put("B", "connected", 1)
    scene.flow()
    scene.data(other, "01", "02")
    scene.put(name, "shut")
    scene.cut(1, "B", "A")
    scene.put(name, "error", *map(hexed, (name, "", "no memory")))
    scene.put("B", "connected", 2)
    scene.flow()
    scene.data(other, "03")
    scene.take(other, 2)
    scene.put(other, "end", 0)
    scene.flow()
    scene.wait(1, "A", "B")


def rule11_leaving_when_the_end_is_acknowledged(scene: Scene) -> None:
    """Rule 11, L1: who has its END acknowledged leaves; the other follows when it is done."""
    scene.up()
    scene.data("B", "01")
    scene.put("B", "end", 0)
    scene.wait(1, "B")
    scene.flow()
    scene.wait(1, "B", "A")
    scene.put("A", "lost", 1)
    scene.wait(20000, "A", "B")
    scene.take("A", 2)
    scene.put("A", "end", 0)
    scene.wait(1, "A")
    scene.give("A", 5, [scene.hello("A")])


def rule11_leaving_after_time_wait(scene: Scene) -> None:
    """Rule 11, L2: the other's END has come, the own is not acknowledged: a short while."""
    scene.up()
    scene.put("A", "end", 0)
    scene.flow()
    scene.put("B", "end", 1)
    scene.lose()
    for pause in (1, 248, 1):
        scene.wait(pause, "A", "B")
        scene.take("B")


def rule11_not_confirmed(scene: Scene) -> None:
    """Rule 11: neither END has come: at the deadline the role leaves and says so."""
    scene.up()
    scene.put("B", "end", 0)
    scene.lose()
    scene.wait(4999, "B")
    scene.take("B")
    scene.lose()
    scene.wait(1, "B")
    scene.data("B", "01")


def rule11_an_error_leaves_too(scene: Scene) -> None:
    """Rule 11: a role that has failed leaves in the same way, with ERROR in place of END."""
    scene.up()
    scene.data("A", "01")
    scene.put("B", "error", *map(hexed, ("C", "KeyError", "'x'")))
    scene.flow()
    scene.wait(1, "B")
    scene.put("A", "error", *map(hexed, ("C", "KeyError", "'x'")))
    scene.wait(250, "A")


def rule11_what_nobody_reads_is_let_go(scene: Scene) -> None:
    """Rule 11: the other's END lets go of what it has not got; the own END comes behind a gap."""
    scene.up()
    scene.put("A", "end", 0)
    scene.data("B", "01", "02")
    scene.flying = [flying for flying in scene.flying if flying[1] == "B"]
    scene.deliver()
    scene.put("B", "end", 0)
    scene.cut(1)
    scene.put("B", "connected", 2)
    scene.flow()
    scene.take("A", 2)
    scene.wait(1, "A", "B")


def rule11_what_is_gone_uses_its_number(scene: Scene) -> None:
    """Rule 11: what is sent to who has ended is gone, but has a number, as it would have had."""
    scene.up()
    scene.data("B", "01")
    scene.flow()
    scene.put("A", "end", 0)
    scene.flow()
    scene.data("B", "02", "03")
    scene.put("B", "end", 0)
    scene.flow()
    scene.take("A", 3)
    scene.wait(1, "A", "B")


def rule11_ended_before_anybody_came(scene: Scene) -> None:
    """Rule 11: who has ended is not told that nobody came: it leaves at the deadline."""
    scene.both(connect=1000)
    scene.put("A", "end", 0)
    scene.put("B", "end", 0)
    for pause in (1000, 3999, 1):
        scene.wait(pause, "A", "B")
        scene.take("A")


def rule12_limits(scene: Scene) -> None:
    """Rule 12: the sender refuses what is too large; nothing is sent."""
    scene.up(max=10)
    scene.data("B", "11" * 10, "22" * 11, "33" * 5 + "," + "33" * 5, "33" * 5 + "," + "33" * 6)
    scene.flow()
    scene.take("A", 3)


def rule12_the_receiver_looks_too(scene: Scene) -> None:
    """Rule 12: a message over the limit stops the receiver."""
    scene.up(max=10)
    scene.give("A", 1, [scene.crafted("A", wire.DATA, bytes(11), seq=1)])
    scene.flow()
    scene.take("A")
    scene.data("A", "01")
    scene.put("A", "end", 0)
    scene.give("A", 2, [scene.hello("A")])


def rule12_beyond_the_limit(scene: Scene) -> None:
    """Rule 12: a message beyond its credit stops the receiver."""
    scene.up(wm=2)
    for seq in (1, 2, 3):
        scene.give("A", 1, [scene.crafted("A", wire.SELECT, seq=seq)])
    scene.take("A", 4)


def rule12_beyond_the_bytes(scene: Scene) -> None:
    """Rule 12: a message beyond the window's bytes stops the receiver."""
    scene.up(wb=10)
    scene.give("A", 1, [scene.crafted("A", wire.DATA, bytes(6), seq=1)])
    scene.give("A", 1, [scene.crafted("A", wire.DATA, b"", seq=2)])
    scene.give("A", 1, [scene.crafted("A", wire.DATA, bytes(5), seq=3)])


# --- REFUSE, code by code ---


def refusal(scene: Scene, **changes: Any) -> None:
    """HELLO that does not fit, at a listener; and WELCOME at a dialler."""
    scene.both()
    scene.give("A", 5, [scene.hello("A", **changes)])
    scene.lose()
    scene.wait(1, "A")
    scene.put("B", "connected", 1)
    nonce = scene.driver.machines["B"]._nonce
    session = bytes(a ^ b for a, b in zip(nonce, b"nonce..1"))
    welcome = scene.hello("B", wire.WELCOME, **changes)
    scene.give("B", 1, [welcome[:16] + session + welcome[24:]])
    scene.wait(1, "B")


def refuse01_version(scene: Scene) -> None:
    """REFUSE 1: no version in common."""
    refusal(scene, lowest=3, highest=4)


def refuse02_protocol(scene: Scene) -> None:
    """REFUSE 2: another program."""
    refusal(scene, protocol=bytes(32))


def refuse03_role(scene: Scene) -> None:
    """REFUSE 3: another role."""
    refusal(scene, role="Carol")


def refuse03_wanted(scene: Scene) -> None:
    """REFUSE 3: the right role, that looks for another."""
    refusal(scene, peer="Carol")


def refuse03_self(scene: Scene) -> None:
    """REFUSE 3: a role that is connected to itself."""
    scene.both()
    own = scene.hello("A", role="A", peer="B")
    scene.give("A", 5, [own])


def refuse04_run(scene: Scene) -> None:
    """REFUSE 4: another run; a listener goes on waiting for its own."""
    refusal(scene, run_id=bytes(16), run="other")


def refuse05_older(scene: Scene) -> None:
    """REFUSE 5: an older process; its dialler is refused for good, a dialler tries again."""
    scene.both(inc=5)
    scene.give("A", 5, [scene.hello("A", incarnation=3)])
    scene.give("A", 6, [scene.hello("A", incarnation=2)])
    scene.give("A", 5, [scene.hello("A", incarnation=2)])
    scene.lose()
    scene.put("B", "connected", 1)
    scene.give("B", 1, [scene.crafted("B", wire.REFUSE, wire.write_refusal(5, "too old"))])
    scene.wait(1, "B")


def refuse05_at_a_dialler(scene: Scene) -> None:
    """REFUSE 5: WELCOME of an older process is refused, and another connection is tried."""
    scene.up(inc=2)
    scene.cut(1)
    scene.put("B", "connected", 2)
    session = bytes(a ^ b for a, b in zip(scene.driver.machines["B"]._nonce, b"nonce..1"))
    welcome = scene.hello("B", wire.WELCOME, incarnation=1)
    scene.give("B", 2, [welcome[:16] + session + welcome[24:]])
    scene.wait(20, "B")


def another(scene: Scene, **settings: object) -> None:
    """A later process of B; A has its HELLO, on connection 2."""
    scene.machine("B2", inc=2, seed=3, **settings)
    scene.put("B2", "start")
    scene.put("B2", "connected", 2)
    scene.deliver()


def refuse06_state_lost(scene: Scene) -> None:
    """REFUSE 6: a peer that has forgotten what it had, and one that has what was never sent."""
    scene.up()
    scene.data("A", "01")
    scene.data("B", "02")
    scene.flow()
    scene.wait(20, "A", "B")
    scene.flow()
    another(scene)
    scene.lose()
    scene.wait(1000, "A")
    scene.flow_to_both()
    scene.give("A", 3, [scene.hello("A", expected=2)])


def refuse06_ahead(scene: Scene) -> None:
    """REFUSE 6: the peer expects a message that this process has not numbered yet."""
    refusal(scene, expected=3)


def second(scene: Scene, **settings: object) -> None:
    """A and B, connected by 1, and another process of B, whose HELLO A has."""
    scene.up()
    scene.data("B", "01")
    scene.flow()
    another(scene, **settings)


def refuse07_busy(scene: Scene) -> None:
    """REFUSE 7: a second process of a peer that is connected and answers stops, the run goes on."""
    second(scene)
    scene.wait(300, "A")
    scene.flow_to_both()
    scene.data("B", "02")
    scene.flow_to_both()
    scene.take("A", 2)


def refuse07_not_answered(scene: Scene) -> None:
    """REFUSE 7: who does not answer in a second has been started again; both are told of it."""
    second(scene)
    scene.lose()
    scene.wait(999, "A")
    scene.wait(1, "A")
    scene.flow_to_both()


def refuse07_cut(scene: Scene) -> None:
    """REFUSE 7: if the connection ends meanwhile, it has been started again."""
    scene.up()
    another(scene)
    scene.put("A", "lost", 1)
    scene.wait(20, "A")
    scene.flow_to_both()


def refuse07_ends_once(scene: Scene) -> None:
    """REFUSE 7: a machine that fails by what it has held does not say that its peer is gone."""
    scene.up()
    scene.data("A", "01")
    scene.flow()
    scene.wait(20, "B")
    scene.flow()
    another(scene)
    scene.cut(1, "A")
    scene.wait(10000, "A")


def refuse07_the_first_comes_again(scene: Scene) -> None:
    """REFUSE 7: who was there answers by another connection, too; of two others the first goes."""
    second(scene)
    scene.give("A", 3, [scene.hello("A", incarnation=2)])
    scene.give("A", 4, [scene.hello("A", incarnation=1, expected=1)])
    scene.give("A", 5, [scene.hello("A", incarnation=3)])
    scene.put("A", "lost", 5)
    scene.wait(1000, "A")


def refuse07_said_again(scene: Scene) -> None:
    """REFUSE 7: what is held goes when its connection says HELLO again, or is silent too long."""
    second(scene)
    scene.give("A", 2, [scene.hello("A", incarnation=1, expected=1)])
    scene.lose()
    scene.wait(60000, "A")
    scene.wait(1000, "A")


def refuse07_durable(scene: Scene) -> None:
    """REFUSE 7: the newest process of a role with a journal takes over at once."""
    second(scene, durable=1)
    scene.flow_to_both()


def refuse07_at_a_dialler(scene: Scene) -> None:
    """REFUSE 7: a dialler stops, connected or not."""
    scene.both()
    scene.put("B", "connected", 1)
    scene.give("B", 1, [scene.crafted("B", wire.REFUSE, wire.write_refusal(7, "busy"))])
    scene.wait(19, "B")


def refuse08_limits(scene: Scene) -> None:
    """REFUSE 8: messages of another size."""
    refusal(scene, max_message=77)


def refuse09_again(scene: Scene) -> None:
    """REFUSE 9: a connection that is broken for the listener is dialled anew, at once."""
    scene.up()
    scene.data("B", "01")
    scene.lose()
    scene.give("A", 1, [b"junk"])
    scene.flow()
    scene.put("B", "connected", 2)
    scene.give("B", 2, [scene.crafted("B", wire.REFUSE, wire.write_refusal(9, "dial again"))])
    scene.lose()
    scene.wait(20, "B")
    scene.put("B", "connected", 3)
    scene.flow()
    scene.take("A")


def refuse10_stopped(scene: Scene) -> None:
    """REFUSE 10: a role that has failed says why; one that has left says so."""
    scene.up()
    scene.give("A", 1, [scene.crafted("A", wire.REFUSE, wire.write_refusal(3, "not you"))])
    scene.cut(1, "B")
    scene.put("B", "connected", 2)
    scene.flow()
    scene.data("B", "01")


def refuse_with_unknown_code(scene: Scene) -> None:
    """A code that is not known stops as well, and its text is told."""
    scene.up()
    scene.give("B", 1, [scene.crafted("B", wire.REFUSE, wire.write_refusal(77, "later version"))])
    scene.take("B")


def a_stranger_does_not_stop_who_was_up(scene: Scene) -> None:
    """Who has had its peer does not stop for a stranger's HELLO; it refuses it."""
    scene.up()
    wrong: list[dict[str, Any]] = [
        {"role": "Carol"}, {"protocol": bytes(32)}, {"max_message": 1}, {"lowest": 3}]
    for changes in wrong:
        scene.give("A", 8, [scene.hello("A", **changes)])
    scene.lose()
    scene.data("B", "01")
    scene.flow()
    scene.take("A")


# --- connections ---


def redials_are_spaced(scene: Scene) -> None:
    """The first redial is at once, later ones after 20, 40, .. 500 ms."""
    scene.up()
    scene.cut(1)
    for conn, pause in enumerate((20, 40, 80, 160, 320, 500, 500), 2):
        scene.put("B", "connected", conn)
        scene.lose()
        scene.put("B", "lost", conn)
        scene.wait(pause - 1, "B")
        scene.take("B")
        scene.wait(1, "B")
    scene.put("B", "connected", 9)
    scene.flow()
    scene.cut(9)


def a_handshake_that_is_not_answered(scene: Scene) -> None:
    """GREETING for longer than `handshake` is as lost."""
    scene.both()
    scene.put("B", "connected", 1)
    for pause in (1999, 1, 19, 1):
        scene.wait(pause, "B")
        scene.take("B")


def never_came(scene: Scene) -> None:
    """`absent` after `connect`, at both ends; what is sent then is gone."""
    scene.both()
    scene.put("B", "connected", 1)
    scene.lose()
    scene.wait(29999, "A", "B")
    scene.take("A")
    scene.take("B")
    scene.put("B", "connected", 2)
    scene.lose()
    scene.wait(1, "A", "B")
    scene.data("A", "01")
    scene.give("A", 3, [scene.hello("A")])


def gone(scene: Scene) -> None:
    """`gone` after `lost` without a connection; what was taken is still read."""
    scene.up()
    scene.data("B", "01")
    scene.flow()
    scene.cut(1)
    scene.wait(9999, "A", "B")
    scene.take("B")
    scene.wait(1, "A", "B")
    scene.take("A", 2)
    scene.data("A", "01")


def silence_is_a_loss(scene: Scene) -> None:
    """Nothing heard for `lost` while UP: as lost, at both ends."""
    scene.up()
    for _ in range(10):
        scene.wait(1000, "A", "B")
        scene.lose()
    scene.put("B", "connected", 2)
    scene.flow()


def silence_where_the_transport_beats(scene: Scene) -> None:
    """With `beats` silence is no loss, and the end is waited for while the link is up."""
    scene.up(beats=1)
    scene.put("B", "end", 0)
    scene.lose()
    for _ in range(12):
        scene.wait(1000, "A", "B")
        scene.lose()
    scene.take("B")
    scene.cut(1, "B")
    scene.wait(4999, "B")
    scene.take("B")
    scene.wait(1, "B")


def ping_and_pong(scene: Scene) -> None:
    """Nothing heard for `ping`: PING, once an interval; PONG tells the progress."""
    scene.up()
    scene.put("A", "progress", 12, 1, 7, hexed("B"))
    scene.put("B", "progress", 34, 2, 8, hexed("A"))
    for name in ("A", "B"):
        scene.wait(999, "A", "B")
        scene.take("A")
        scene.wait(1, name, "B")
        scene.flow()
    scene.lose()
    scene.wait(1000, "B")
    scene.flow()


def ten_breaks(scene: Scene) -> None:
    """Ten breaks without a message between them stop the role."""
    scene.both()
    for conn in range(1, 11):
        scene.put("B", "connected", conn)
        scene.flow()
        scene.give("A", conn, [b"junk"])
        scene.flow()
    scene.put("B", "connected", 11)
    scene.flow()


def nine_breaks_and_a_message(scene: Scene) -> None:
    """A message between breaks begins the count anew."""
    scene.both()
    for conn in range(1, 13):
        scene.put("B", "connected", conn)
        scene.flow()
        if conn == 9:
            scene.data("B", "01")
            scene.flow()
        scene.give("B", conn, [b"junk"])
        scene.lose()


def what_breaks_a_connection(scene: Scene) -> None:
    """Frames that are not well-formed, another session, an ack or limit that cannot be."""
    scene.up()
    scene.data("B", "01")
    scene.flow()
    wrong: list[Callable[[], bytes]] = [
        lambda: scene.crafted("A", wire.ACK, session=b"replayed"),
        lambda: scene.crafted("A", wire.ACK, ack=1),
        lambda: scene.crafted("A", wire.ACK, limit=5),
        lambda: scene.crafted("A", wire.ACK, b"body"),
        lambda: scene.crafted("A", wire.PING, bytes(8) + b"\4\0\0"),
        lambda: b"",
    ]
    for conn, frame in enumerate(wrong, 1):
        scene.give("A", conn, [frame()])
        scene.flow()
        scene.put("B", "connected", conn + 1)
        scene.flow()
    scene.take("A")


def a_longer_header_is_skipped(scene: Scene) -> None:
    """A receiver skips what a longer header adds."""
    scene.up()
    frame = scene.crafted("A", wire.DATA, b"payload", seq=1, site=4)
    scene.give("A", 1, [frame[:6] + b"\0\x33" + frame[8:48] + b"new" + frame[48:]])
    scene.take("A")


def a_stamp_lengthens_the_header(scene: Scene) -> None:
    """What lengthens a header is kept, sent again, and given to the program."""
    scene.up()
    scene.put("B", "stamp", "00010000")
    scene.data("B", "01", "02,03")
    scene.put("B", "send", "SELECT", 3, 1, "-")
    scene.put("B", "stamp", "-")
    scene.data("B", "04")
    scene.cut(1)
    scene.put("B", "stamp", "80000001ff")
    scene.put("B", "end", 0)
    scene.put("B", "connected", 2)
    scene.flow()
    scene.take("A", 5)


def large_payloads_travel_in_frames(scene: Scene) -> None:
    """Up to 4 KiB of payload follow the header; more, and buffers, travel in further frames."""
    scene.up(max=5000)
    scene.data("B", "11" * 4096, "22" * 4097, "33,-,44")
    scene.flow()
    scene.take("A", 3)


def with_a_crc(scene: Scene) -> None:
    """A CRC on every frame; one that is wrong or missing breaks the connection."""
    scene.up(crc=1)
    scene.data("B", "010203", "04,05")
    scene.flow()
    scene.take("A", 2)
    scene.data("B", "06")
    conn, _, frames = scene.flying.pop()
    scene.give("A", conn, [frames[0][:-1] + b"\7"])
    scene.flow()
    scene.put("B", "connected", 2)
    scene.flow()
    scene.give("A", 2, [scene.crafted("A", wire.ACK)])
    scene.flow()
    scene.take("A")


def one_side_has_a_crc(scene: Scene) -> None:
    """Each side says by its greeting whether its frames have a CRC."""
    scene.machine("A", crc=1)
    scene.machine("B")
    for name in ("A", "B"):
        scene.put(name, "start")
    scene.put("B", "connected", 1)
    scene.flow()
    scene.data("A", "01")
    scene.data("B", "02")
    scene.flow()
    scene.take("A")
    scene.take("B")


def windows_in_force(scene: Scene) -> None:
    """The lesser window of both sides holds for both."""
    scene.machine("A", wm=3, wb=100)
    scene.machine("B", wm=8, wb=20)
    for name in ("A", "B"):
        scene.put(name, "start")
    scene.put("B", "connected", 1)
    scene.flow()
    scene.data("B", "01", "02", "03", "04")
    scene.data("A", "11" * 15, "22" * 6, "33" * 5)
    scene.flow()
    scene.take("A", 4)
    scene.take("B", 4)


SCENES: dict[str, Callable[[Scene], None]] = {
    name: value
    for each in (globals(), *map(vars, (scenes_durable, scenes_agreed, scenes_attempts)))
    for name, value in each.items()
    if getattr(value, "__annotations__", None) == {"scene": "Scene", "return": "None"}
}
