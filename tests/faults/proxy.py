"""A TCP and unix-socket proxy that breaks connections on demand.

It stands between a role that dials and one that listens, and does to their connection what
networks, middle boxes and peers do. Faults are called as methods (`fin`, `rst`, `down`, `hole`,
`silent`, `swallow`, `split`), set as a state (`delay`, `rate`), or planned for a connection at an
exact byte (`Cut`).

    with Proxy(("127.0.0.1", 20001), ("127.0.0.1", 20002)) as proxy:
        proxy.rst()

As a program:  proxy.py LISTEN TARGET [FAULT...]   where an end is HOST:PORT or unix:PATH and a
FAULT is SECONDS:NAME[:ARGUMENT], as in `0.5:rst 1:down:0.3 2:hole:1`; or `random:SEED:COUNT:SPAN`.

Directions are named by who sends: "dialler" or "listener".
"""

from __future__ import annotations

import contextlib
import os
import random
import selectors
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Address = "tuple[str, int] | str"               # host and port, or the path of a unix socket
_READ = 65536
_ROOM = 1 << 20                                 # bytes held for a slow side before reading stops
SIDES = ("dialler", "listener")
FAULTS = ("fin", "rst", "down", "hole", "swallow", "split", "silent")


@dataclass
class Cut:
    """Where a connection ends: when `at` bytes of `side` have passed on, counted from its start or
    from where `mark` begins in what that side says."""

    side: str
    at: int
    how: str = "rst"                            # rst, fin, or swallow: nothing passes any more
    mark: bytes = b""



@dataclass
class _Way:
    """One direction of one connection: what was read from one socket waits for the other."""

    side: str
    source: socket.socket
    sink: socket.socket
    held: deque[tuple[float, bytes]] = field(default_factory=deque)
    size: int = 0                               # of what is held
    tail: bytes = b""                           # what was read last, for a mark split between reads
    passed: int = 0                             # bytes read, and so given a place in `held`
    limit: int = sys.maxsize                    # how many may pass, once a cut has seen its mark
    is_over: bool = False                       # the source has closed
    is_shut: bool = False                       # and the sink knows
    free_at: float = 0.0                        # when the rate lets more through

    def room(self, cut: Cut, data: bytes) -> int:
        """How many bytes of what was just read may pass before the cut."""
        if self.limit == sys.maxsize:
            text = self.tail + data
            start = text.find(cut.mark) if cut.mark else 0
            if start >= 0:
                origin = self.passed - len(self.tail) + start if cut.mark else 0
                self.limit = origin + cut.at
            self.tail = text[-len(cut.mark):] if cut.mark else b""
        return self.limit - self.passed


class _Link:
    """One connection through the proxy."""

    def __init__(self, near: socket.socket, far: socket.socket, cut: Cut | None) -> None:
        self.cut = cut
        self.ways = {"dialler": _Way("dialler", near, far), "listener": _Way("listener", far, near)}
        self.is_silent = False                  # nothing passes, nothing is lost, nothing is closed
        self.is_swallowing = False              # all is read, nothing passes
        self.dies_at: float | None = None       # closed in order then

    def sockets(self) -> tuple[socket.socket, socket.socket]:
        return self.ways["dialler"].source, self.ways["listener"].source


class Proxy:
    """A running proxy, served by a thread of its own until `close`."""

    def __init__(self, listen: Any, target: Any,
                 plan: Callable[[int], Cut | None] = lambda number: None) -> None:
        """`plan` gives the Cut, if any, of each connection by its number from 0."""
        self.target = target
        self.delay = dict.fromkeys(SIDES, 0.0)          # seconds
        self.rate: float | None = None                  # bytes a second, each way
        self.accepted = 0
        self.log: list[str] = []
        self._listen, self._plan = listen, plan
        self._links: list[_Link] = []
        self._orders: deque[tuple[threading.Event, Callable[[], None]]] = deque()
        self._timers: list[tuple[float, Callable[[], None]]] = []
        self._selector = selectors.DefaultSelector()
        self._wake, self._waker = socket.socketpair()
        self._wake.setblocking(False)
        self._selector.register(self._wake, selectors.EVENT_READ)
        self._is_silent = False
        self._stopping = False
        self._listener: socket.socket | None = None
        self._open()
        self._listen = self.address             # so that a port chosen by the system stays
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what a test calls ---

    def fin(self) -> None:
        """Close all connections in order; what comes after is lost."""
        self._order("fin", self._finish_all)

    def rst(self) -> None:
        """Reset all connections; what is held is lost."""
        self._order("rst", self._reset_all)

    def down(self, seconds: float) -> None:
        """The port is gone for a time, and all connections with it."""
        def go() -> None:
            self._shut()
            self._reset_all()
            self._after(seconds, self._open)
        self._order(f"down {seconds:g}", go)

    def hole(self, seconds: float | None, new: bool = True) -> None:
        """Nothing passes and nothing is closed; with `new`, on connections to come as well."""
        def go() -> None:
            holes = list(self._links)
            for link in holes:
                link.is_silent = True
            self._is_silent = new
            if seconds is not None:
                self._after(seconds, lambda: self._fill(holes))
        self._order(f"hole {seconds}", go)

    def silent(self, seconds: float | None) -> None:
        """The connections there are fall silent, new ones are well."""
        self.hole(seconds, new=False)

    def swallow(self, seconds: float) -> None:
        """Take bytes and drop them for a time, then close in order."""
        def go() -> None:
            for link in self._links:
                link.is_swallowing = True
                link.dies_at = time.monotonic() + seconds
        self._order(f"swallow {seconds:g}", go)

    def split(self, seconds: float, side: str = "dialler") -> None:
        """Close the dialler's half now; the listener reads what was on its way for a while yet.

        With side "listener" the other way round: the dialler reads on."""
        def go() -> None:
            for link in self._links:
                late = link.ways[side]
                late.held = deque((time.monotonic() + seconds, data) for _, data in late.held)
                late.is_over = True
                _close(late.source, reset=False)
                self._forget(late.source)
                link.dies_at = time.monotonic() + seconds + 0.1
        self._order(f"split {seconds:g}", go)

    def links(self) -> int:
        """How many connections there are."""
        return len(self._links)

    @property
    def address(self) -> Any:
        """Where it listens."""
        return self._listen if self._listener is None else _name(self._listener)

    def close(self) -> None:
        self._stopping = True
        with contextlib.suppress(OSError):      # it may have stopped by now
            self._waker.send(b"x")
        self._thread.join(10)

    # --- the thread ---

    def _order(self, text: str, work: Callable[[], Any]) -> None:
        """Have the thread do something, and wait until it is done."""
        done = threading.Event()
        self.log.append(f"{time.monotonic():.3f} {text}")
        self._orders.append((done, work))
        self._waker.send(b"x")
        if threading.current_thread() is not self._thread:
            done.wait(10)

    def _after(self, seconds: float, work: Callable[[], None]) -> None:
        self._timers.append((time.monotonic() + seconds, work))

    def _serve(self) -> None:
        while not self._stopping:
            self._watch()
            for key, events in self._selector.select(self._patience()):
                if key.fileobj is self._wake:
                    self._wake.recv(4096)
                elif key.fileobj is self._listener:
                    self._accept()
                elif key.data is not None:
                    self._move(key.data, key.fileobj, events)
            while self._orders:
                done, work = self._orders.popleft()
                work()
                done.set()
            self._run_timers()
        self._shut()
        self._reset_all()
        self._selector.close()
        self._wake.close()
        self._waker.close()

    def _patience(self) -> float:
        """How long to sleep: briefly while something is held back on purpose."""
        waits = any(way.held for link in self._links for way in link.ways.values())
        return 0.005 if waits or self._timers else 0.05

    def _run_timers(self) -> None:
        now = time.monotonic()
        due = [each for each in self._timers if each[0] <= now]
        self._timers = [each for each in self._timers if each[0] > now]
        for _, work in due:
            work()
        for link in list(self._links):
            if link.dies_at is not None and link.dies_at <= now:
                self._finish(link)

    def _open(self) -> None:
        """Listen, unless it does already (after being down twice at once)."""
        if self._listener is not None:
            return
        is_path = isinstance(self._listen, str)
        if is_path:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._listen)
        listener = socket.socket(_family(self._listen))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(self._listen)
        listener.listen(128)
        listener.setblocking(False)
        self._listener = listener
        self._selector.register(listener, selectors.EVENT_READ)

    def _shut(self) -> None:
        if self._listener is not None:
            self._forget(self._listener)
            self._listener.close()
            self._listener = None

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            near, _ = self._listener.accept()
        except BlockingIOError:
            return
        far = socket.socket(_family(self.target))
        try:
            far.connect(self.target)
        except OSError:
            far.close()
            _close(near, reset=True)
            return
        for each in (near, far):
            each.setblocking(False)
            if each.family != socket.AF_UNIX:
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link = _Link(near, far, self._plan(self.accepted))
        link.is_silent = self._is_silent
        self.accepted += 1
        self._links.append(link)

    def _fill(self, holes: list[_Link]) -> None:
        self._is_silent = False
        for link in [*holes, *self._links]:
            link.is_silent = False

    # --- moving bytes ---

    def _watch(self) -> None:
        """Register each socket for what it is wanted for now."""
        now = time.monotonic()
        for link in list(self._links):
            wanted: dict[socket.socket, int] = dict.fromkeys(link.sockets(), 0)
            for way in link.ways.values():
                if not way.is_over and not link.is_silent and way.size < _ROOM:
                    wanted[way.source] |= selectors.EVENT_READ
                if self._is_due(link, way, now):
                    wanted[way.sink] |= selectors.EVENT_WRITE
                self._pass_end(link, way)
            if link in self._links:
                for each, events in wanted.items():
                    self._register(each, events, link)

    def _register(self, each: socket.socket, events: int, link: _Link) -> None:
        if each.fileno() < 0:
            return
        known = each in self._selector.get_map()
        if not events:
            self._forget(each)
        elif known:
            self._selector.modify(each, events, link)
        else:
            self._selector.register(each, events, link)

    def _forget(self, each: socket.socket) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(each)

    def _is_due(self, link: _Link, way: _Way, now: float) -> bool:
        ready = bool(way.held) and way.held[0][0] <= now and way.free_at <= now
        return ready and not link.is_silent and not link.is_swallowing

    def _move(self, link: _Link, each: object, events: int) -> None:
        if link not in self._links:
            return
        for way in link.ways.values():
            try:
                if way.source is each and events & selectors.EVENT_READ:
                    self._read(link, way)
                if way.sink is each and events & selectors.EVENT_WRITE:
                    self._write(way)
            except BlockingIOError:
                pass
            except OSError:
                self._reset(link)
            if link not in self._links:
                return

    def _read(self, link: _Link, way: _Way) -> None:
        data = way.source.recv(_READ)
        if not data:
            way.is_over = True
            return
        if link.is_swallowing:
            return
        cut = link.cut if link.cut and link.cut.side == way.side else None
        if cut is None:
            self._hold(way, data)
            return
        room = way.room(cut, data)
        self._hold(way, data[:max(room, 0)])
        if room <= len(data):
            self._strike(link, way, cut.how)

    def _hold(self, way: _Way, data: bytes) -> None:
        if data:
            way.passed += len(data)
            way.size += len(data)
            way.held.append((time.monotonic() + self.delay[way.side], data))

    def _write(self, way: _Way) -> None:
        now = time.monotonic()
        due, data = way.held[0]
        if due > now:
            return
        limit = len(data) if self.rate is None else max(1, int(self.rate / 100))
        sent = way.sink.send(data[:limit])
        if self.rate is not None:
            way.free_at = now + sent / self.rate
        way.size -= sent
        if sent == len(data):
            way.held.popleft()
        else:
            way.held[0] = (due, data[sent:])

    def _pass_end(self, link: _Link, way: _Way) -> None:
        """A source has closed: its sink is closed behind what is held, the link when both are."""
        if way.is_over and not way.held and not way.is_shut and not link.is_silent:
            way.is_shut = True
            with contextlib.suppress(OSError):
                way.sink.shutdown(socket.SHUT_WR)
        if link in self._links and all(each.is_shut for each in link.ways.values()):
            self._finish(link)

    # --- ending connections ---

    def _strike(self, link: _Link, way: _Way, how: str) -> None:
        """The planned end: what has passed up to here still goes out, where it can."""
        with contextlib.suppress(OSError):
            for _, data in way.held:
                way.sink.send(data)
        if how == "swallow":
            link.is_swallowing = True
            way.held.clear()
        elif how == "fin":
            self._finish(link)
        else:
            self._reset(link)

    def _finish(self, link: _Link) -> None:
        for each in link.sockets():
            self._forget(each)
            _drain(each)
            _close(each, reset=False)
        self._links.remove(link)

    def _finish_all(self) -> None:
        for link in list(self._links):
            self._finish(link)

    def _reset_all(self) -> None:
        for link in list(self._links):
            self._reset(link)

    def _reset(self, link: _Link) -> None:
        for each in link.sockets():
            self._forget(each)
            _close(each, reset=True)
        self._links.remove(link)


def _family(address: Any) -> socket.AddressFamily:
    if isinstance(address, str):
        return socket.AF_UNIX
    return socket.AF_INET6 if ":" in address[0] else socket.AF_INET


def _name(listener: socket.socket) -> Any:
    name = listener.getsockname()
    return name if listener.family == socket.AF_UNIX else name[:2]


def _drain(each: socket.socket) -> None:
    """Read what has come: a socket closed with unread bytes is reset instead."""
    with contextlib.suppress(OSError):
        while each.recv(_READ):
            pass


def _close(each: socket.socket, reset: bool) -> None:
    with contextlib.suppress(OSError):
        if reset and each.family != socket.AF_UNIX:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif not reset:
            each.shutdown(socket.SHUT_WR)
    each.close()


# --- scripts ---

Script = "list[tuple[float, str, tuple[float, ...]]]"


def random_script(seed: int, count: int, span: float, names: tuple[str, ...] = FAULTS) -> Any:
    """`count` faults at random times within `span` seconds, none longer than half a second."""
    chance = random.Random(seed)
    script = []
    for at in sorted(chance.uniform(0.05, span) for _ in range(count)):
        name = chance.choice(names)
        lasting = () if name in ("fin", "rst") else (round(chance.uniform(0.05, 0.5), 2),)
        script.append((round(at, 3), name, lasting))
    return script


def play(proxy: Proxy, script: Any) -> None:
    """Do what a script says, at its times from now."""
    start = time.monotonic()
    for at, name, arguments in script:
        time.sleep(max(0.0, start + at - time.monotonic()))
        getattr(proxy, name)(*arguments)


def parse_script(words: list[str]) -> Any:
    script = []
    for word in words:
        at, name, *arguments = word.split(":")
        if at == "random":
            seed, count, span = name, *arguments
            script += random_script(int(seed), int(count), float(span))
        elif name in FAULTS:
            script.append((float(at), name, tuple(float(each) for each in arguments)))
        else:
            raise ValueError(f"{word!r}: no fault is called {name!r}")
    return sorted(script)


def parse_address(text: str) -> Any:
    if text.startswith("unix:"):
        return text[5:]
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def main(words: list[str]) -> Iterator[str]:
    """Serve until standard input ends; gives the lines to print."""
    with Proxy(parse_address(words[0]), parse_address(words[1])) as proxy:
        yield f"{words[0]} to {words[1]}"
        play(proxy, parse_script(words[2:]))
        yield f"script done, {proxy.accepted} connections"
        sys.stdin.read()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for text in main(sys.argv[1:]):
        print(text, flush=True)
