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
from typing import Any

from pychoral.durable import Durability
from pychoral.errors import ChannelError
from pychoral.frame import DATA, NAMES, SELECT
from pychoral.program import Program
from pychoral.transport import Frames, Port, Transport
from pychoral.window import Config

MAX_DELAY = 10.0            # of a message, in virtual time
YIELDS = 0.3                # how often a role that has sent lets others run
SENDING = 0.01              # takes this long, so that messages arrive while one sends for ever
MAX_FRAMES = 20_000         # a run that sends more is taken for endless
MAX_CPU_S = 1.0             # as is one that computes for so long
MAX_WALL_S = 120.0
NUMBERED = (DATA, SELECT)      # messages of programs; frames of the protocol are not counted


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


# Virtual time passes at random, so no interval of the protocol may end anything.
ENDLESS: dict[str, Any] = {name: 1 << 60 for name in
                           ("handshake", "connect", "lost", "end", "ping", "idle_ack")}


class _Role(Transport):
    """One role: its thread, and the transport of its links.

    inbox   (arrival, port, connection, frames) of what is under way to it, in order of each link;
            no frames: the connection has ended
    """

    is_certain = True
    durability: Durability | None = None

    def __init__(self, scheduler: "Scheduler", program: Program) -> None:
        super().__init__()
        self.program = program
        self.turn = threading.Lock()
        self.turn.acquire()
        self.is_waiting = False
        self.done = False
        self.status = -1
        self.stdout, self.stderr = io.StringIO(), io.StringIO()
        self.thread: threading.Thread | None = None
        self.ports: dict[str, _Port] = {}
        self._scheduler = scheduler

    # ---- as program.Links ----

    def open(self) -> Transport:
        return self

    def link(self, peer: str) -> tuple[Port, Config]:
        program = self.program
        dials = program.roles.index(peer) < program.roles.index(program.role)
        return self.ports[peer], Config(program.role, peer, dials, bytes.fromhex(program.protocol),
                                        "", seed=len(self.program.role), **ENDLESS)

    # ---- as Transport ----

    def now(self) -> int:
        return int(self._scheduler.now * 1000)

    def wait(self, seconds: float) -> None:
        if not self.catch_up():
            self.pull()

    def pull(self) -> bool:
        port = self._scheduler.receive(self)
        _, conn, frames = port.inbox.popleft()
        if frames is None:
            port.is_cut = True
            port.owner.disconnected(conn)
        else:
            port.conn = conn
            port.owner.arrived(conn, frames)
        return True

    def is_alive(self, peer: str) -> bool:
        return not self.ports[peer].is_cut

    def close(self, linger: float = 0) -> None:
        for port in self.ports.values():
            if port.conn and not port.is_closed:
                port.is_closed = True
                self._scheduler.deliver(port, port.conn, None)

    # ---- for the scheduler ----

    def awaited(self) -> str:
        """Whom its program waits for."""
        return next((port.owner.role.awaited for port in self.ports.values()
                     if port.owner), "")

    def arrival(self) -> float:
        """When it can go on."""
        if not self.is_waiting:
            return 0.0
        return min((port.inbox[0][0] for port in self.ports.values() if port.inbox),
                   default=float("inf"))


class _Port(Port):
    """One end of a link; `inbox` holds (arrival, connection, frames) in order."""

    other: "_Port"

    def __init__(self, scheduler: "Scheduler", owner: _Role, peer: str) -> None:
        self.address = f"{owner.program.role}-{peer}"
        self.owner: Any = None
        self.peer = peer
        self.role = owner
        self.conn = 0
        self.is_cut = self.is_closed = False
        self.inbox: deque[tuple[float, int, Frames | None]] = deque()
        self.last_arrival = 0.0
        self._scheduler = scheduler

    def send(self, conn: object, frames: Frames) -> None:
        assert isinstance(conn, int)
        self._scheduler.send(self, conn, frames)

    def dial(self) -> None:
        self.conn += 1
        self.role.later(self._connected)

    def _connected(self) -> None:
        self.owner.connected(self.conn)

    def drop(self, conn: object) -> None:
        """Nobody dials twice here."""

    def pull(self, now: int, site: int) -> bool:
        return self.role.catch_up() or self.role.pull()

    def unread(self) -> Iterator[int]:
        """The kinds of what has not been read, or has not even arrived."""
        while (message := self.owner.machine.take(0)) is not None:
            yield message.kind
        yield from (frames[0][4] for _, _, frames in self.inbox if frames)


class Scheduler:
    def __init__(self, programs: Sequence[Program], luck: random.Random) -> None:
        self.luck = luck
        self.now = 0.0
        self.roles = [_Role(self, program) for program in programs]
        self.ending = Ending({})
        self.frames = 0
        self.over = threading.Event()
        self.stopping = False
        self._join()

    def _join(self) -> None:
        for one, two in itertools.combinations(self.roles, 2):
            first, second = one.program.role, two.program.role
            left, right = _Port(self, one, second), _Port(self, two, first)
            left.other, right.other = right, left
            one.ports[second], two.ports[first] = left, right

    # ---- what links do, in the thread of the role that has the turn ----

    def send(self, port: _Port, conn: int, frames: Frames) -> None:
        if self.stopping:
            return
        kind = frames[0][4]
        if kind in NUMBERED:
            self.ending.messages[port.role.program.role, port.peer, NAMES[kind]] += 1
        self.frames += 1
        self.now += SENDING
        if self.frames > MAX_FRAMES:
            self._stop_all(endless=True)
            raise Stopped
        self.deliver(port, conn, frames)
        if self.luck.random() < YIELDS:
            self._switch(port.role)

    def deliver(self, port: _Port, conn: int, frames: Frames | None) -> None:
        """Put frames on their way; None: nothing more comes."""
        delay = self.luck.random() * MAX_DELAY if self.luck.random() < 0.5 else 0.0
        arrival = max(self.now + delay, port.other.last_arrival)
        port.other.last_arrival = arrival
        port.other.inbox.append((arrival, conn, frames))

    def receive(self, role: _Role) -> _Port:
        """Waits until something has come; the port it came to."""
        role.is_waiting = True
        if not self.stopping and role.arrival() > self.now:
            self._switch(role)
        role.is_waiting = False
        if self.stopping:
            raise ChannelError("nobody goes on" if self.ending.stuck else "stopped")
        return self._arrived(role)

    def _arrived(self, role: _Role) -> _Port:
        return min((port for port in role.ports.values() if port.inbox),
                   key=lambda port: port.inbox[0][0])

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
        ready = [role for role in alive if self.stopping or role.arrival() <= self.now]
        if not ready:
            self.now = min(role.arrival() for role in alive)
            ready = [role for role in alive if role.arrival() <= self.now]
            if self.now == float("inf"):
                self.ending.stuck = ", ".join(f"{role.program.role} for {role.awaited()}"
                                              for role in alive if role.is_waiting)
                self.stopping = True
        return self.luck.choice(ready)

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
                role.status = role.program.start(role, ["--log-level=error", *arguments])
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
                    if not role.done and not role.is_waiting and role.thread is not None:
                        _raise_in(role.thread)
            if time.monotonic() - wall > MAX_WALL_S + 10:
                return

    def _stop_all(self, endless: bool) -> None:
        self.stopping = True
        self.ending.endless = endless

    def _unread(self) -> list[str]:
        """Messages that nobody has read."""
        return [f"{role.program.role} has not read a message of {port.peer}"
                for role in self.roles for port in role.ports.values()
                if port.owner for kind in port.unread() if kind in NUMBERED]


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
