"""Runs all roles of a compiled choreography in one process, under a scheduler with given luck.

Every role is a thread, but only the one that holds the turn runs, so a run is decided by the random
numbers alone: who runs next, and how long each message is under way. Time is virtual: nobody waits
for it. Frames keep their order on each link. When every role waits and nothing is under way, nobody
will ever go on: the run is stuck, which no accepted choreography may be.
"""

import re
import contextlib
import ctypes
import io
import itertools
import random
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pychoral.link import Link, LinkLost, LinkTimeout
from pychoral.program import Program

MAX_DELAY = 10.0            # of a message, in virtual time
YIELDS = 0.3                # how often a role that has sent lets others run
SENDING = 0.01              # takes this long, so that messages arrive while one sends for ever
MAX_FRAMES = 20_000         # a run that sends more is taken for endless
MAX_CPU_S = 1.0             # as is one that computes for so long
MAX_WALL_S = 120.0
DATA, LABEL = b"D", b"S"


@dataclass
class Ending:
    """How the run of one program, central or projected, ended."""

    lines: dict[str, list[str]]                     # what each role printed
    status: dict[str, int] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)    # what each role said on stderr
    stuck: str = ""                                 # who waits for whom, if all wait
    endless: bool = False
    settled: dict[str, list[str]] = field(default_factory=dict)     # of `lines`: before it failed
    unread: list[str] = field(default_factory=list)
    messages: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # from, to, kind


class Stopped(BaseException):
    """Raised in a role that is to be stopped."""


class _Role:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.turn = threading.Lock()
        self.turn.acquire()
        self.waits_for: "_ScheduledLink | None" = None
        self.done = False
        self.status = -1
        self.stdout, self.stderr = io.StringIO(), io.StringIO()
        self.thread: threading.Thread | None = None


class _ScheduledLink(Link):
    """One end of a link; `inbox` holds (arrival, frame) in order."""

    def __init__(self, scheduler: "Scheduler", owner: _Role, peer: str, dials: bool) -> None:
        self.address = f"{owner.program.role}-{peer}"
        self.dials = dials
        self.peer = peer
        self.owner = owner
        self.inbox: deque[tuple[float, bytes]] = deque()
        self.last_arrival = 0.0
        self.other: "_ScheduledLink | None" = None
        self._scheduler = scheduler

    def send(self, frame: bytes, timeout: float | None) -> None:
        self._scheduler.send(self, frame)

    def receive(self, timeout: float | None) -> bytes:
        return self._scheduler.receive(self)

    def pin(self, refusal: bytes) -> None:
        """There is one peer from the start."""

    def close(self, linger: float) -> None:
        """Frames are already under way."""


class Scheduler:
    def __init__(self, programs: Sequence[Program], luck: random.Random) -> None:
        self.luck = luck
        self.now = 0.0
        self.roles = [_Role(program) for program in programs]
        self.links: dict[str, dict[str, Link]] = {}
        self.ending = Ending({})
        self.frames = 0
        self.over = threading.Event()
        self.stopping = False
        self._join()

    def _join(self) -> None:
        names = [role.program.role for role in self.roles]
        self.links = {name: {} for name in names}
        for one, two in itertools.combinations(self.roles, 2):
            first, second = one.program.role, two.program.role
            left = _ScheduledLink(self, one, second, False)
            right = _ScheduledLink(self, two, first, True)
            left.other, right.other = right, left
            self.links[first][second], self.links[second][first] = left, right

    # ---- what links do, in the thread of the role that has the turn ----

    def send(self, link: _ScheduledLink, frame: bytes) -> None:
        if self.stopping:
            return
        assert link.other is not None
        kind = frame[:1]
        if kind in (DATA, LABEL):
            self.ending.messages[link.owner.program.role, link.peer, kind.decode()] += 1
        self.frames += 1
        self.now += SENDING
        if self.frames > MAX_FRAMES:
            self._stop_all(endless=True)
            raise Stopped
        delay = self.luck.random() * MAX_DELAY if self.luck.random() < 0.5 else 0.0
        arrival = max(self.now + delay, link.other.last_arrival)
        link.other.last_arrival = arrival
        link.other.inbox.append((arrival, frame))
        if self.luck.random() < YIELDS:
            self._switch(link.owner)

    def receive(self, link: _ScheduledLink) -> bytes:
        if not (link.inbox and link.inbox[0][0] <= self.now) and not self.stopping:
            link.owner.waits_for = link
            self._switch(link.owner)
            link.owner.waits_for = None
        if link.inbox and not self.stopping:
            return link.inbox.popleft()[1]
        raise LinkLost if self.stopping and not self.ending.stuck else LinkTimeout

    def _switch(self, mine: _Role) -> None:
        """Gives the turn to a role that can run, and waits for it to come back."""
        chosen = self._choose()
        if chosen is mine:
            return
        self._hand_to(chosen)
        mine.turn.acquire()
        sys.stdout, sys.stderr = mine.stdout, mine.stderr

    def _hand_to(self, chosen: "_Role | None") -> None:
        if chosen is None:
            self.over.set()
        else:
            chosen.turn.release()

    def _choose(self) -> "_Role | None":
        """A role that can run now; time goes on if there is none; None when all are done."""
        alive = [role for role in self.roles if not role.done]
        if not alive:
            return None
        ready = [role for role in alive if self.stopping or self._arrival(role) <= self.now]
        if not ready:
            self.now = min(self._arrival(role) for role in alive)
            ready = [role for role in alive if self._arrival(role) <= self.now]
            if self.now == float("inf"):
                self.ending.stuck = ", ".join(
                    f"{role.program.role} for {role.waits_for.peer}"
                    for role in alive if role.waits_for is not None)
                self.stopping = True
        return self.luck.choice(ready)

    def _arrival(self, role: _Role) -> float:
        """When a role can go on."""
        if role.waits_for is None:
            return 0.0
        return role.waits_for.inbox[0][0] if role.waits_for.inbox else float("inf")

    # ---- running ----

    def run(self, arguments: dict[str, list[str]]) -> Ending:
        for role in self.roles:
            role.thread = threading.Thread(target=self._body, daemon=True,
                                           args=(role, arguments.get(role.program.role, [])))
            role.thread.start()
        with _streams_kept():
            self._hand_to(self._choose())
            self._wait()
        for role in self.roles:
            name = role.program.role
            self.ending.lines[name] = lines_of(role.stdout.getvalue())
            self.ending.errors[name] = role.stderr.getvalue()
            self.ending.status[name] = role.status
        self.ending.unread = self._unread()
        return self.ending

    def _body(self, role: _Role, arguments: list[str]) -> None:
        role.turn.acquire()
        sys.stdout, sys.stderr = role.stdout, role.stderr
        try:
            if not self.stopping:
                role.status = role.program.start(self.links[role.program.role],
                                                 ["--timeout=1000", *arguments])
        except BaseException as fault:
            if not self.stopping:
                print(f"ended by {fault!r}", file=sys.stderr)
        role.done = True
        self._hand_to(self._choose())

    def _wait(self) -> None:
        cpu, wall = time.process_time(), time.monotonic()
        while not self.over.wait(0.5):
            spent = time.process_time() - cpu > MAX_CPU_S
            if (spent and (not self.stopping or self.ending.endless)    # one may be swallowed
                    or time.monotonic() - wall > MAX_WALL_S):
                self._stop_all(endless=True)
                for role in self.roles:
                    if not role.done and role.waits_for is None and role.thread is not None:
                        _raise_in(role.thread)
            if time.monotonic() - wall > MAX_WALL_S + 10:
                return

    def _stop_all(self, endless: bool) -> None:
        self.stopping = True
        self.ending.endless = endless

    def _unread(self) -> list[str]:
        """Messages that nobody has read."""
        links = [link for links in self.links.values() for link in links.values()]
        return [f"{link.owner.program.role} has not read a message of {link.peer}"
                for link in links if isinstance(link, _ScheduledLink)
                for _, frame in link.inbox if frame[:1] in (DATA, LABEL)]


def _raise_in(thread: threading.Thread) -> None:
    identity = ctypes.c_ulong(thread.ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(Stopped))


@contextlib.contextmanager
def _streams_kept() -> Iterator[None]:
    stdout, stderr = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout, sys.stderr = stdout, stderr


# The repr of what has an address: addresses differ, and halves have names of their own.
ADDRESS = re.compile(r"<(\w+)[^<>]*(<[^<>]*>[^<>]*)* at 0x[0-9a-f]+>")


def lines_of(text: str) -> list[str]:
    text = ADDRESS.sub(r"<\1>", text)
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []
