"""Roles of a chain that were not all given the same (PROTOCOL.md 1, longer headers, item 2)."""

from __future__ import annotations

import itertools

from generated import start
from stage import C, C_PY, PEER_LOST, PROTOCOL, PY, PY_C, Failed, Stage

from registry import case

CHAIN = ("Alice", "Bob", "Carol")
ORDERS = tuple(itertools.permutations(CHAIN))
RUNS = 20


def one_run(stage: Stage, differs: str, order: tuple[str, ...], pause: float,
            journals: str = "") -> None:
    """Three roles, of which one was given another width: no main begins, and who has met another
    value ends with 76; also where a role is awaited again, as it has a journal."""
    stage.players.clear()
    for role in order:
        width = "2" if role == differs else "3"
        options = ["--width", width, "--connect-timeout", "60"]
        if journals:
            options += ["--journal", str(stage.path / f"{role}.{journals}")]
        start(stage, role, *options, history=False)
        stage.sleep(pause)
    both = (PROTOCOL, PEER_LOST)
    if differs == "Alice":
        stage.stopped(Alice=(PROTOCOL, "width is 2 at Alice and 3 at Bob: the values must be"),
                      Bob=(PROTOCOL, "width is 2 at Alice and 3 at Bob"), Carol=(both,))
    elif differs == "Carol":
        stage.stopped(Carol=(PROTOCOL, "width is 3 at Bob and 2 at Carol: the values must be"),
                      Bob=(PROTOCOL, "width is 3 at Bob and 2 at Carol"), Alice=(both,))
    else:
        says = "width is [32] at .* and [32] at .*: the values must be equal"
        stage.stopped(Bob=(PROTOCOL, says), Alice=(both,), Carol=(both,))
        ends = [stage.player(role).ended for role in ("Alice", "Carol")]
        if all(end is not None and end.status != PROTOCOL for end in ends):
            raise Failed(f"neither end has met another value{stage.complaints()}")
    for player in stage.players:
        if player.out.read_text():
            raise Failed(f"{player.name} has printed {player.out.read_text()!r}")


def runs(stage: Stage, scheme: str, differs: str, count: int, journals: str = "") -> None:
    stage.play = "width"
    stage.scheme = scheme
    if scheme == "tcp":
        stage.make_keys()
    for number in range(count):
        one_run(stage, differs, ORDERS[number % len(ORDERS)], (0.0, 0.05, 0.4)[number % 3],
                journals and f"{journals}{number}")


for _scheme, _differs in itertools.product(("ipc", "tcp"), CHAIN):
    @case(23, f"{_differs} differs, {_scheme}, {RUNS} runs", "S",
          deadline=400, ends=(PY, C, C_PY, PY_C))
    def many(stage: Stage, scheme: str = _scheme, differs: str = _differs) -> None:
        runs(stage, scheme, differs, RUNS)

    @case(23, f"{_differs} differs, {_scheme}", "S", deadline=60,
          ends=(PY, C, C_PY, PY_C), short=True)
    def few(stage: Stage, scheme: str = _scheme, differs: str = _differs) -> None:
        runs(stage, scheme, differs, 2)

    @case(23, f"{_differs} differs, {_scheme}, with journals", "S", deadline=60,
          ends=(PY, C, C_PY, PY_C), short=True)
    def durable(stage: Stage, scheme: str = _scheme, differs: str = _differs) -> None:
        runs(stage, scheme, differs, 3, "journal")
