"""SocketTransport: a role's ZeroMQ sockets (PROTOCOL.md section 6).

One ROUTER listens for all peers that dial this role, with ids that it makes itself, so that nobody
can take a peer's messages by a name.  Each dialled peer has one DEALER, a fresh one for each
connection, as one whose handshake has failed is dead for good.  What a connection belongs to is
said by its key (zap.py) and by HELLO; monitors tell when one is lost or refused.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import socket as sockets
import struct
from collections import Counter, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Protocol

import zmq
from zmq.backend import Socket as Backend

from . import frame as wire
from .descriptor import SILENCE_MS, Descriptor, descriptor_of
from .errors import EXIT_OWN_ERROR, ChannelError, UsageError, clean
from .room import check_threads, reserve_for
from .unauthenticated import Strangers
from .transport import Frames, Port, Transport
from .zap import DIALLING, DOMAIN, Zap

_BEAT_MS = 1_000
_DAY_MS = 86_400_000
_PULL_MS = 10  # how long one socket is waited for before the others get their turn
_DRAIN_MS = 50  # what a connection brought may show up so long after its end was told
_BATCH = 1_000  # messages taken from one socket before the others get their turn
_LENT = 1 << 18  # bytes from which lending a buffer costs less than copying it
_NOBLOCK = int(zmq.NOBLOCK)
_MORE = int(zmq.NOBLOCK | zmq.SNDMORE)
_EVENT = struct.Struct("=HI")  # of a monitor; zmq.utils.monitor brings asyncio along
_MAX_PATH = 107  # bytes of a socket's path
_MAX_NAME = 100  # characters of a stranger's name that are told
_NOT_BOUND = {
    errno.EADDRINUSE: "another program uses this address",
    errno.ENODEV: "this machine has no such address",
}

_WATCHED = (
    zmq.EVENT_DISCONNECTED
    | zmq.EVENT_CLOSED
    | zmq.EVENT_CONNECT_RETRIED
    | zmq.EVENT_CONNECTED
    | zmq.EVENT_ACCEPTED
    | zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
)


class Keys(Protocol):
    """A role's key pair (40 characters of Z85 each) and what it knows of others."""

    @property
    def public(self) -> bytes: ...
    @property
    def secret(self) -> bytes: ...

    def role_of(self, key: bytes) -> str | None:
        """Whose public key (32 bytes) this is."""

    def public_of(self, role: str) -> bytes | None:
        """A role's public key; None if it listens without one."""


@dataclass(frozen=True)
class Limits:
    """What all roles of a run keep to."""

    message: int = 256 << 20
    window_messages: int = 8192
    window_bytes: int = 2 << 20


def _configure(socket: zmq.Socket[Any], limits: Limits, dials: bool) -> None:
    """Every option of a channel's socket, and why."""
    options: list[tuple[int, int | bytes]] = [
        # Nothing is worth waiting for when a connection is thrown away; `close` sets it at the end.
        (zmq.LINGER, 0),
        # A receive waits so long before other sockets are looked at; a send never waits.
        (zmq.RCVTIMEO, _PULL_MS),
        # What accepts a connection and says nothing is given up after two seconds, not thirty.
        (zmq.HANDSHAKE_IVL, 2_000),
        # Frozen peers, silent links: a beat a second, given up after three without; see bind.
        (zmq.HEARTBEAT_IVL, _BEAT_MS),
        (zmq.HEARTBEAT_TIMEOUT, 3_000),
        (zmq.HEARTBEAT_TTL, 3_000),
        # A larger message ends the connection; senders refuse to send one.
        (zmq.MAXMSGSIZE, limits.message + 65_536),
        # The window of the protocol bounds what is under way; libzmq's own must not block before.
        # A sender learns only after half a queue that some of it was taken: twice as long, or it
        # would find it full, and a message that cannot be sent is a connection that is lost.
        (zmq.SNDHWM, 2 * (limits.window_messages + 64)),
        (zmq.RCVHWM, limits.window_messages + 64),
        (zmq.IPV6, 1),
        # With IMMEDIATE libzmq forgets, at a disconnection, what was read and nobody has taken yet.
        (zmq.IMMEDIATE, 0),
        # Refuses ZMTP 1 and 2, which would hand random bytes to the program as messages.
        (zmq.ZAP_DOMAIN, DIALLING if dials else DOMAIN),
    ]
    if dials:
        # A connection's socket is used once, so libzmq must not connect again by itself. But with
        # -1 it ends the connection altogether, and forgets what was read and not yet taken: a last
        # word, such as REFUSE, would be lost. So it tries again when nobody cares any more.
        options.append((zmq.RECONNECT_IVL, _DAY_MS))
    else:
        # A send to nobody is an error, not silence.
        options.append((zmq.ROUTER_MANDATORY, 1))
    for option, value in options:
        socket.setsockopt(option, value)


def _use_keys(socket: zmq.Socket[Any], keys: Keys, server: bytes | None) -> None:
    """CURVE: as a client of `server`, or as the server itself."""
    # Without a handler of keys libzmq would let everybody in; so it lets nobody in.
    socket.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
    socket.setsockopt(zmq.CURVE_SECRETKEY, keys.secret)
    socket.setsockopt(zmq.CURVE_PUBLICKEY, keys.public)
    if server is None:
        socket.setsockopt(zmq.CURVE_SERVER, 1)
    else:
        socket.setsockopt(zmq.CURVE_SERVERKEY, server)


class SocketTransport(Transport):
    """The sockets of one role.

    keys     None: plain
    context  shared with other roles of this process, for inproc; else the role has its own
    """

    def __init__(
        self, me: str, limits: Limits, keys: Keys | None = None, context: Any = None
    ) -> None:
        super().__init__()
        self.me = me
        self.limits = limits
        self.keys = keys
        self.context: zmq.Context[Any] = context or zmq.Context()
        self._owns_context = context is None
        self._zap: Zap | None = None
        self._listener: _Listener | None = None
        self._diallers: dict[str, _Dialler] = {}
        self._poller = zmq.Poller()
        self._handlers: dict[Any, Callable[[], bool]] = {}
        self._doubts: list[tuple[int, Port, Hashable]] = []
        self._alive: Callable[[str], bool] = lambda peer: True
        self._mark: Callable[[str], str] = lambda peer: ""
        self._is_closed = False

    @functools.cached_property
    def can_lend(self) -> bool:
        """True, but for the first buffer lent only if the threads that pyzmq then starts can be
        had: libzmq would abort the process."""
        check_threads()
        return True

    def ask_place(self, alive: Callable[[str], bool], mark: Callable[[str], str]) -> None:
        """How to find out whether a peer's program has ended, or cannot start, where possible."""
        self._alive, self._mark = alive, mark

    def mark_of(self, peer: str) -> str:
        return self._mark(peer)

    def is_alive(self, peer: str) -> bool:
        return self._alive(peer)

    # --- links ---

    def listen(self, address: str, with_keys: bool) -> str:
        """Listen at an address as well; returns it as it really is.  Raises ChannelError."""
        if self._listener is None:
            if with_keys and self.keys is not None:
                self._zap = Zap(self.context, self.keys.role_of)
            self._listener = _Listener(self, with_keys)
        return self._listener.bind(address)

    @property
    def listens(self) -> bool:
        return self._listener is not None and bool(self._listener.strangers.addresses)

    def expect(self, peer: str, address: str) -> Port:
        """The port of a peer that dials this role."""
        assert self._listener is not None
        return self._listener.expect(peer, address)

    def dialler(self, peer: str, address: str) -> Port:
        """The port of a peer that this role dials."""
        port = self._diallers[peer] = _Dialler(self, peer, address)
        return port

    def trouble(self, peer: str) -> list[str]:
        source = self._diallers.get(peer) or self._listener
        return source.trouble.told() if source else []

    # --- waiting ---

    def watch(self, socket: Any, handler: Callable[[], bool]) -> None:
        """Have `handler` called when there is something at a socket; it says if there is more."""
        self._poller.register(socket, zmq.POLLIN)
        self._handlers[socket] = handler

    def unwatch(self, socket: Any) -> None:
        self._poller.unregister(socket)
        del self._handlers[socket]

    def wait(self, seconds: float) -> None:
        if not self.catch_up():
            if self._doubts:
                seconds = min(seconds, max(0, self._doubts[0][0] - self.now()) / 1000)
            for socket, _ in self._poller.poll(int(seconds * 1000)):
                self._drain(socket)
        if self._listener is not None and self._listener.strangers.is_due(self.now()):
            self._listener.dismiss(self.now())
        if self._doubts:
            self._judge()
        self.catch_up()

    def _drain(self, socket: Any) -> None:
        for _ in range(_BATCH):
            handler = self._handlers.get(socket)
            if handler is None or not handler():
                return

    def feel(self) -> None:
        now = self.now()
        if self._listener is not None:
            self._listener.feel(now)
        for dialler in self._diallers.values():
            dialler.feel(now)

    def doubt(self, port: Port, conn: Hashable) -> None:
        """A connection has ended, but what it brought may still be on its way through libzmq."""
        if not any(each[1:] == (port, conn) for each in self._doubts):
            self._doubts.append((self.now() + _DRAIN_MS, port, conn))

    def all_there(self, port: Port, conn: Hashable) -> None:
        """All that a connection in doubt has brought has been looked at."""
        if (port, conn) in (each[1:] for each in self._doubts):
            self._doubts = [each for each in self._doubts if each[1:] != (port, conn)]
            self._doubts.insert(0, (0, port, conn))

    def _judge(self) -> None:
        while self._doubts and self._doubts[0][0] <= self.now():
            _, port, conn = self._doubts.pop(0)
            port.owner.disconnected(conn)
            port.drop(conn)

    # --- the end ---

    def close(self, linger: float) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        for dialler in self._diallers.values():
            dialler.close(dialler.owner.linger(int(linger * 1000)) if linger else 0)
        if self._listener is not None:
            self._listener.close(int(linger * 1000))
        if self._owns_context:
            self.context.term()
            if self._zap is not None:
                self._zap.join()


@functools.cache
def _keep_freed_memory() -> None:
    """Have malloc keep what is freed, up to 32 MiB, once large messages are under way.

    The copies that libzmq makes of them come and go; giving each back to the system and asking for
    it again costs half as much as sending 64 KiB (measured; only glibc has the knobs).
    """
    import ctypes

    trim_threshold, mmap_threshold = -1, -3
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(trim_threshold, 32 << 20)
        library.mallopt(mmap_threshold, 32 << 20)


class _Trouble:
    """The last things that went wrong, each said once with how often."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._last: deque[str] = deque(maxlen=3)

    def add(self, text: str) -> None:
        self._count[text] += 1
        if text in self._last:
            self._last.remove(text)
        elif len(self._last) == 3:
            del self._count[self._last[0]]
        self._last.append(text)

    def told(self) -> list[str]:
        counts = ((text, self._count[text]) for text in self._last)
        return [text + (f", {count} times" if count > 1 else "") for text, count in counts]


class _End:
    """A socket, its monitor, and how messages go through it."""

    def __init__(self, transport: SocketTransport, kind: int) -> None:
        self.socket: zmq.Socket[Any] = transport.context.socket(kind)
        # The plain method: the one of zmq.Socket costs more than half as much again.
        self.put: Callable[..., Any] = Backend.send.__get__(self.socket)
        self.get: Callable[..., Any] = self.socket.recv
        self._option: Callable[[int], Any] = Backend.get.__get__(self.socket)
        self.monitor: Any = None
        self._transport = transport
        _configure(self.socket, transport.limits, kind == zmq.DEALER)

    def watch(self, take: Callable[[], bool], event: Callable[[int, int], None]) -> None:
        """Have messages and events looked at."""

        def look() -> bool:
            if not self.monitor.get(zmq.EVENTS) & zmq.POLLIN:
                return False
            told, *_ = self.monitor.recv_multipart(_NOBLOCK)
            event(*_EVENT.unpack_from(told))
            return not self.monitor.closed

        self.monitor = self.socket.get_monitor_socket(_WATCHED)
        self._transport.watch(self.monitor, look)
        self._file = int(self.monitor.get(zmq.FD))
        self._transport.files += (self._file,)
        self._transport.watch(self.socket, take)

    def put_all(self, frames: Frames, conn: Hashable = None) -> None:
        """A message of several frames, to a connection: large buffers are lent, not copied.

        What takes memory is done before the first frame goes: the rest would be of another message.
        """
        _keep_freed_memory()
        last = len(frames) - 1
        try:
            with reserve_for(frames):
                parts = [zmq.Frame(each, copy=not self._is_lent(each)) for each in frames]
        except (MemoryError, RuntimeError, ChannelError) as fault:
            text = f"memory is exhausted, and a message cannot be sent: {fault}"
            raise ChannelError(text, EXIT_OWN_ERROR) from None
        if conn is not None:
            self.put(conn, _MORE)
        for number, part in enumerate(parts):
            self.put(part, _MORE if number < last else _NOBLOCK, False)

    def _is_lent(self, frame: Any) -> bool:
        return len(frame) >= _LENT and self._transport.can_lend

    def whole(self, first: bytes) -> list[Any]:
        """A message whose first frame has come."""
        return self.with_rest(first) if len(first) > 5 and first[5] & wire.MORE else [first]

    def with_rest(self, first: bytes) -> list[Any]:
        """The same, with its further frames, which stay where they came."""
        _keep_freed_memory()
        return [first, *(frame.buffer for frame in self.get_rest())]

    def has_more(self) -> bool:
        """Whether frames are left of a message."""
        return bool(self._option(zmq.RCVMORE))

    def get_rest(self) -> list[Any]:
        """The frames that are left of a message."""
        rest = []
        more = self.has_more()
        while more:
            frame = self.get(_NOBLOCK, False)
            rest.append(frame)
            more = frame.more
        return rest

    def close(self, linger: int) -> None:
        """Monitors first: an open one keeps the context from ending."""
        if self.monitor is not None:
            self._transport.unwatch(self.monitor)
            files = self._transport.files
            self._transport.files = tuple(each for each in files if each != self._file)
            self._transport.unwatch(self.socket)
            self.socket.disable_monitor()
            self.monitor.close(0)
        self.socket.close(linger)


# --- dialling ---


class _Dialler(Port):
    """The DEALER of one peer; a connection is the number of the socket."""

    def __init__(self, transport: SocketTransport, peer: str, address: str) -> None:
        self.address = address
        self.trouble = _Trouble()
        self._peer = peer
        self._transport = transport
        self._end: _End | None = None
        self._conn = 0
        self._descriptor: Descriptor | None = None
        self._told = 0  # the last connection that an event has told of
        self._has_keys = False
        # Of the end there is, for every message.
        self._put: Callable[..., Any] = _closed
        self._get: Callable[..., Any] = _closed
        self._whole: Callable[[bytes], list[Any]] = _closed
        self._machine: Any = None

    def dial(self) -> None:
        self.close(0)
        self._conn += 1
        conn = self._conn
        self._transport.later(functools.partial(self.owner.connected, conn))
        try:
            self._open()
        except zmq.ZMQError as fault:
            self.trouble.add(f"cannot connect to {self.address}: {fault.strerror}")
            self._transport.later(functools.partial(self.owner.disconnected, conn))

    def _open(self) -> None:
        transport = self._transport
        end = self._end = _End(transport, zmq.DEALER)
        self._descriptor = None
        public = self._public()
        self._has_keys = public is not None
        if public is not None and transport.keys is not None:
            _use_keys(end.socket, transport.keys, public)
        end.watch(self._take, self._event)
        if self.address.startswith("tcp:"):
            # libzmq would end a connection over which one large frame takes longer.
            end.socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, _DAY_MS)
            end.socket.setsockopt(zmq.HEARTBEAT_TTL, 0)
        self._put, self._get, self._whole = end.put, end.get, end.whole
        self._machine = self.owner.machine
        end.socket.connect(_Coded(self.address))

    def _public(self) -> bytes | None:
        """The peer's key; one that is told at the meeting place may come after the first dial."""
        keys = self._transport.keys
        return keys.public_of(self._peer) if keys else None

    def send(self, conn: Hashable, frames: Frames) -> None:
        if conn != self._conn:
            return
        try:
            if len(frames) == 1:
                self._put(frames[0], _NOBLOCK)
            elif self._end is not None:
                self._end.put_all(frames)
        except zmq.ZMQError:
            self._transport.doubt(self, conn)

    def drop(self, conn: Hashable) -> None:
        if conn == self._conn:
            self.close(0)

    def pull(self, now: int, site: int) -> bytes | bool:
        if self._transport.behind:
            return self._transport.catch_up()
        try:
            first: bytes = self._get()
        except zmq.Again:
            return False
        if self._machine.frame_taken(now, self._conn, first, site):
            return first
        self._machine.frame(now, self._conn, self._whole(first))
        return True

    def _take(self) -> bool:
        end = self._end
        if end is None:
            return False
        try:
            first = end.get(_NOBLOCK)
        except zmq.Again:
            return False
        self.owner.arrived(self._conn, end.whole(first))
        return True

    def _event(self, event: int, value: int) -> None:
        """What the monitor tells of this connection."""
        conn = self._conn
        is_first, self._told = self._told != conn, conn
        if event == zmq.EVENT_CONNECT_RETRIED:
            # Of what has begun another event tells before; this could not even begin.
            if is_first and self.address.startswith("tcp://"):
                self.trouble.add(f"the name in {self.address} does not resolve")
            if not is_first and self._end is not None:
                self._transport._drain(self._end.socket)  # all that it has brought is there now
                self._transport.all_there(self, conn)
            return
        if event == zmq.EVENT_CONNECTED:
            self._descriptor = descriptor_of(value)
        if event in (zmq.EVENT_CONNECTED, zmq.EVENT_HANDSHAKE_SUCCEEDED):
            return
        if event == zmq.EVENT_CLOSED:
            self.trouble.add(f"nothing is listening at {self.address}")
            self._lost(conn)
        elif event == zmq.EVENT_DISCONNECTED:
            self._transport.doubt(self, conn)
        elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
            me = self._transport.me
            self.owner.refused(
                f"{self._peer} refuses the key of {me}: it is not the one in its manifest"
            )
            self._lost(conn)
        else:
            self._failed(event, value)
            self._lost(conn)

    def feel(self, now: int) -> None:
        """End the connection if it is silent."""
        if self._descriptor is not None:
            self._descriptor.end_silent(now, SILENCE_MS)

    def _failed(self, event: int, value: int) -> None:
        """A handshake failed, for another reason than the key of this role.

        A listener whose key is another looks just like something in between that accepts while the
        listener is away: that is suspected and said.
        """
        if self._is_mismatch(event, value) and self._has_keys == (self._public() is not None):
            keys = "--manifest and --key"
            if self._has_keys:
                text = f"{self._peer} listens at {self.address} without keys: start it with {keys}"
            else:
                text = f"{self._peer} listens at {self.address} with keys: give {keys}"
            self.owner.refused(text)
        if event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL and value == errno.EAGAIN:
            self.trouble.add(f"something is listening at {self.address}, but it does not answer")
            return  # neither does who is stopped, so this says nothing of keys
        keyed = "have another key than in the manifest, or none"
        suspicion = keyed if self._has_keys else "require keys"
        self.trouble.add(f"a handshake failed at {self.address}: it may {suspicion}")

    def _is_mismatch(self, event: int, value: int) -> bool:
        """Whether one of the two ends has keys and the other has not."""
        mismatch = value == zmq.PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH
        if event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL and mismatch:
            return True
        if value == errno.EAGAIN or self.owner.refusal:
            return False
        from .reachability import mechanism_at

        return mechanism_at(self.address) not in ("", "CURVE" if self._has_keys else "NULL")

    def _lost(self, conn: Hashable) -> None:
        self.close(0)
        self._transport.later(functools.partial(self.owner.disconnected, conn))

    def close(self, linger: int) -> None:
        if self._end is not None:
            self._end.close(linger)
            self._end = None
            self._put = self._get = _closed


def _closed(*arguments: Any) -> Any:
    """In place of a socket's methods when there is none."""
    raise zmq.Again


# --- listening ---


class _Listener:
    """The ROUTER.  A connection is its routing id."""

    def __init__(self, transport: SocketTransport, with_keys: bool) -> None:
        self.transport = transport
        self.trouble = _Trouble()
        self.routes: dict[bytes, _Listening] = {}
        self._ports: dict[str, _Listening] = {}
        self._by_descriptor: dict[int, bytes] = {}
        self._descriptors: dict[bytes, Descriptor] = {}
        self.strangers = Strangers()
        self._with_keys = with_keys
        self.is_shared = with_keys
        self.end = _End(transport, zmq.ROUTER)
        if with_keys and transport.keys is not None:
            _use_keys(self.end.socket, transport.keys, None)
        self.end.watch(self.take, self._event)

    def bind(self, address: str) -> str:
        # Over TCP who dials beats, and both look whether anything comes, see descriptor.py.
        beats = 0 if address.startswith("tcp:") else _BEAT_MS
        try:
            self.end.socket.setsockopt(zmq.HEARTBEAT_IVL, beats)
            self.end.socket.bind(_Coded(_bindable(address)))
        except UnicodeError:
            raise _cannot_listen(address, "its host is not a name") from None
        except (zmq.ZMQError, OSError) as fault:
            why = _NOT_BOUND.get(fault.errno or 0) or fault.strerror or str(fault)
            raise _cannot_listen(address, why) from None
        end: Any = self.end.socket.getsockopt(zmq.LAST_ENDPOINT)
        found = os.fsdecode(end)
        self.strangers.addresses.add(found)
        return found

    def expect(self, peer: str, address: str) -> Port:
        port = self._ports[peer] = _Listening(self, address)
        self.is_shared = self._with_keys or len(self._ports) > 1
        return port

    def take(self) -> bool:
        """Take in one message, if there is one.

        It is read to its end: what is left would be taken for the id of another connection and its
        message. libzmq's ids can be guessed, so a role that others than the one peer can reach
        looks whether there is more, even if the first frame does not say so.
        """
        end = self.end
        try:
            conn = end.get(_NOBLOCK)
        except zmq.Again:
            return False
        port = self.routes.get(conn)
        if port is None:
            self.meet(conn)
            return True
        first = end.get(_NOBLOCK)
        port.owner.arrived(conn, end.with_rest(first) if self.goes_on(first) else [first])
        return True

    def goes_on(self, first: bytes) -> bool:
        """Whether further frames may follow the first one of a message."""
        if len(first) > 5 and first[5] & wire.MORE:
            return True
        return self.is_shared and self.end.has_more()

    def meet(self, conn: bytes) -> None:
        """A message of a connection that is nobody's yet: HELLO, or it is dropped."""
        rest = self.end.get_rest()
        hello = wire.peek_hello(rest[0].buffer) if len(rest) == 1 else None
        if hello is None:
            return
        role, peer = hello
        named, wanted = clean(role, _MAX_NAME), clean(peer, _MAX_NAME)  # as a stranger likes
        me = self.transport.me
        if self._with_keys and role != _user(rest[0]):
            self._refuse(conn, f"the key of {_user(rest[0])} is not that of {named}")
        elif role == me:
            self._refuse(conn, f"{me} has connected to itself")
        elif role not in self._ports:
            self._refuse(conn, _unexpected(me, named, wanted))
        else:
            self._look_at_events()
            descriptor = _descriptor(rest[0])
            self._by_descriptor[descriptor] = conn
            found = descriptor_of(descriptor)
            if found is not None:
                self._descriptors[conn] = found
            self.routes[conn] = self._ports[role]
            self._note_run(rest[0].buffer, self._ports[role].owner)
            self._ports[role].owner.arrived(conn, [rest[0].bytes])
            if conn in self.routes:  # else it was refused
                self.strangers.forget(descriptor)

    def _note_run(self, hello: Any, link: Any) -> None:
        """A peer in another run is refused by the machine, which says so to the peer only."""
        parsed = wire.parse((hello,))
        assert parsed is not None and isinstance(parsed.body, wire.Greeting)
        if parsed.body.run != link.config.run:
            self.trouble.add(link.other_run(parsed.body.run))

    def _refuse(self, conn: bytes, text: str) -> None:
        self.trouble.add(text)
        head = wire.pack_header(wire.HEADS[wire.REFUSE], 0, 0, wire.NO_SESSION, 0, 0, 0)
        try:
            self.end.put(conn, _MORE)
            self.end.put(head + wire.write_refusal(wire.BAD_ROLE, text), _NOBLOCK)
        except zmq.ZMQError:
            pass  # it has gone, or reads nothing: no concern of this run

    def dismiss(self, now: int) -> None:
        """Let go of connections that have not greeted in time."""
        self._look_at_events()
        self.strangers.dismiss(now)

    def _look_at_events(self) -> None:
        """So that the number of an old connection's file is not taken for the new one's."""
        self.transport._drain(self.end.monitor)

    def feel(self, now: int) -> None:
        """End the connections that are silent."""
        for descriptor in self._descriptors.values():
            descriptor.end_silent(now, SILENCE_MS)

    def _forget(self, descriptor: int) -> bytes | None:
        """Whose the file was that has this number."""
        conn = self._by_descriptor.pop(descriptor, None)
        if conn is not None:
            self._descriptors.pop(conn, None)
        return conn

    def _event(self, event: int, value: int) -> None:
        if event == zmq.EVENT_DISCONNECTED:
            self.strangers.forget(value)
            conn = self._forget(value)
            port = self.routes.get(conn) if conn is not None else None
            if port is not None:
                self.transport.doubt(port, conn)
        elif event == zmq.EVENT_ACCEPTED:
            self._forget(value)
            self.strangers.add(value, self.transport.now())
        elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
            self.trouble.add("a connection with an unknown key was rejected")
        elif event != zmq.EVENT_HANDSHAKE_SUCCEEDED and event != zmq.EVENT_CLOSED:
            self.trouble.add(
                "a connection was rejected: a wrong key, keys at one end only, or not a pychoral "
                "program"
            )

    def close(self, linger: int) -> None:
        self.end.close(linger)


class _Listening(Port):
    """One peer that dials this role."""

    def __init__(self, listener: _Listener, address: str) -> None:
        self.address = address
        self._listener = listener
        self._transport = listener.transport
        self._put = listener.end.put
        self._get = listener.end.get
        self._routes = listener.routes

    def send(self, conn: Hashable, frames: Frames) -> None:
        try:
            if len(frames) == 1:
                self._put(conn, _MORE)
                self._put(frames[0], _NOBLOCK)
            else:
                self._listener.end.put_all(frames, conn)
        except zmq.ZMQError:
            self._transport.doubt(self, conn)

    def dial(self) -> None:
        raise AssertionError("a listener does not dial")

    def drop(self, conn: Any) -> None:
        self._listener.routes.pop(conn, None)

    def pull(self, now: int, site: int) -> bytes | bool:
        if self._transport.behind:
            return self._transport.catch_up()
        try:
            conn = self._get()
        except zmq.Again:
            return False
        port = self._routes.get(conn)
        if port is None:
            self._listener.meet(conn)
            return True
        first: bytes = self._get(_NOBLOCK)
        machine = port.owner.machine
        end = self._listener.end
        more = self._listener.is_shared and end.has_more()
        if port is self and not more and machine.frame_taken(now, conn, first, site):
            return first
        machine.frame(now, conn, end.with_rest(first) if more else end.whole(first))
        return True


def _unexpected(me: str, peer: str, wanted: str) -> str:
    """Of a role that has no link which waits for it, or that looked for another role here."""
    if wanted == me:
        return f"{peer} connected to {me}, but the program of {me} does not expect this connection"
    return f"{peer} tried to connect to {wanted}, but {me} listens at this address"


def _user(frame: zmq.Frame) -> str | None:
    """The role whose key a message came with."""
    try:
        return str(frame.get("User-Id"))  # type: ignore[arg-type]
    except zmq.ZMQError:
        return None


def _descriptor(frame: zmq.Frame) -> int:
    """The number of the file that a message came through, as monitors name it; inproc has none."""
    try:
        return int(frame.get(zmq.SRCFD))
    except zmq.ZMQError:
        return -1


# --- addresses ---


class _Coded(str):
    """An address as pyzmq encodes it: a folder's name may be no text.  Some versions of pyzmq read
    bytes as UTF-8."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "surrogateescape") -> bytes:
        return os.fsencode(str(self))


def _bindable(address: str) -> str:
    """An address as `bind` takes it: libzmq resolves no names there, and takes over ipc sockets."""
    scheme, _, rest = address.partition("://")
    if scheme == "ipc":
        _check_path(address, rest)
    elif scheme == "tcp":
        host, colon, port = rest.rpartition(":")
        if colon and host not in ("*", "") and not host.startswith("["):
            family, _, _, _, found = sockets.getaddrinfo(host, None, type=sockets.SOCK_STREAM)[0]
            number = f"[{found[0]}]" if family == sockets.AF_INET6 else str(found[0])
            return f"tcp://{number}:{port}"
    return address


def _check_path(address: str, path: str) -> None:
    """An ipc socket's path must fit and be free; a file that nobody listens at is replaced."""
    if len(os.fsencode(path)) > _MAX_PATH:
        raise _cannot_listen(address, f"the path is longer than {_MAX_PATH} bytes")
    with sockets.socket(sockets.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(path)
        except OSError as fault:
            if fault.errno in (errno.ECONNREFUSED, errno.ENOENT):
                return
            raise
    raise _cannot_listen(address, "a program listens there already")


def _cannot_listen(address: str, why: str) -> UsageError:
    return UsageError(f"cannot listen at {address}: {why}")
