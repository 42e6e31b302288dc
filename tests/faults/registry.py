"""The table of faults and of the cases that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stage import PY, Ends, Stage

Work = Callable[[Stage], None]

TITLES = {
    1: "connection closed in mid-stream", 2: "connection reset at a byte",
    3: "port gone for a time", 4: "silent link", 5: "middle box swallows, then closes",
    6: "cut during HELLO, WELCOME, END, last ACK", 7: "old connection's bytes come late",
    8: "listener late or never", 9: "dialler never comes", 10: "peer killed",
    11: "killed and restarted, no journal", 12: "killed and restarted, with journal",
    13: "both ends killed and restarted", 14: "journal torn, disk full, wrong journal",
    15: "old process beside the new", 16: "peer frozen", 17: "program stuck, I/O beats",
    18: "role's code raises", 19: "role exits early", 20: "slow receiver, huge values",
    21: "both send at once", 22: "message at the limit", 23: "different programs, runs, values",
    24: "wrong wiring of roles", 25: "strangers, ZAP handler gone", 26: "claims another's name",
    27: "plain meets CURVE", 28: "junk and silent connections", 29: "crafted peer",
    30: "hostile values", 31: "signals", 32: "fork, threads", 33: "clock steps, sleep",
    34: "addresses change, do not resolve, IPv6", 35: "descriptors, ports, paths",
    36: "reply lost at END", 37: "files readable by others", 38: "mixed versions and languages",
    39: "values that tend to change", 40: "any two at once",
}  # fmt: skip


@dataclass
class Case:
    """One way to make a fault."""

    number: int
    name: str
    wanted: str
    work: Work
    deadline: float
    ends: Ends
    short: bool
    heavy: bool
    seen: str = ""
    detail: str = ""
    seconds: float = 0.0


CASES: list[Case] = []


def case(number: int, name: str, wanted: str, deadline: float = 30.0,
         ends: Iterable[Ends] = (PY,), short: bool = False,
         heavy: bool = False) -> Callable[[Work], Work]:
    """Registers a function that makes a fault: a case for each of `ends`.

    `short`: also in the short selection, with one of its ends in turn; `heavy`: runs alone, as it
    needs much memory or all cores.
    """
    every = tuple(ends)

    def register(work: Work) -> Work:
        turn = sum(each.short for each in CASES) % len(every)
        for place, each in enumerate(every):
            is_short = short and place == turn
            CASES.append(Case(number, name, wanted, work, deadline, each, is_short, heavy))
        return work
    return register
