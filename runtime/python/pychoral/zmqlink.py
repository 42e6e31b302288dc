"""A link between processes, over ZeroMQ.

One end listens on a ROUTER, which makes its own ids, so that nobody can take another's messages;
the other dials with a DEALER.  The listener answers whoever speaks until the protocol above pins
one peer; everybody else then gets a refusal.  libzmq reports neither a lost peer nor a lost
message, so both ends watch the socket's monitor and heartbeats, and no wait is without a deadline
unless the caller asks for that.  (runtime/README.md says which options and why.)
"""

from __future__ import annotations

import errno
import time
from typing import Any

import zmq
from zmq.utils.monitor import recv_monitor_message

from .forms import MAX_BYTES
from .link import Link, LinkLost, LinkTimeout

_HEARTBEAT_MS = 2_000
_SILENCE_MS = 10_000
_HANDSHAKE_MS = 2_000
_SLICE_S = 0.1  # longest single wait, so that lost peers are looked for in between
_RETRY_S = 0.005  # between tries to hand a frame to a peer that reads slowly
_DRAIN_S = 0.1  # how long frames read before a disconnection may take to show up
_PROBE = b"?"  # a frame without meaning; sending it tells whether the peer is still routed

_WATCHED = int(zmq.EVENT_DISCONNECTED)


class ZmqLink(Link):
    """One end: `listen` binds `address`, otherwise it is dialled.  Raises OSError if it cannot."""

    def __init__(self, context: zmq.Context[Any], address: str, listen: bool) -> None:
        self.address = address
        self.dials = not listen
        self._context = context
        self._peer: bytes | None = None
        self._pinned = False
        self._lost = False
        self._refusal = b""
        self._open()

    def _open(self) -> None:
        """Make the socket.  A dialler does so again for each connection it tries."""
        self._doubt: float | None = None
        self._patience = -1
        self._socket = self._context.socket(zmq.DEALER if self.dials else zmq.ROUTER)
        self._watch: Any = None
        try:
            self._configure()
            self._watch = self._socket.get_monitor_socket(_WATCHED)
            if self.dials:
                self._socket.connect(self.address)
            else:
                self._socket.bind(self.address)
        except zmq.ZMQError as fault:
            self.close(0)
            raise OSError(fault.errno, fault.strerror, self.address) from None

    def _configure(self) -> None:
        socket = self._socket
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.MAXMSGSIZE, MAX_BYTES + 4096)
        socket.setsockopt(zmq.HEARTBEAT_IVL, _HEARTBEAT_MS)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, _SILENCE_MS)
        socket.setsockopt(zmq.HANDSHAKE_IVL, _HANDSHAKE_MS)
        socket.setsockopt(zmq.ZAP_DOMAIN, b"pychoral")  # refuses ZMTP 1 and 2, hence random bytes
        socket.setsockopt(zmq.IPV6, 1)
        if self.dials:
            # Not IMMEDIATE: with it libzmq forgets, at a disconnection, what it has read and nobody
            # has taken yet - the last messages of a peer that has just ended.
            socket.setsockopt(zmq.RECONNECT_IVL, 20)
            socket.setsockopt(zmq.RECONNECT_IVL_MAX, 500)
        else:
            socket.setsockopt(zmq.ROUTER_MANDATORY, 1)

    @property
    def bound_address(self) -> str:
        """The address a listener really has, when it asked for any free port."""
        return str(self._socket.getsockopt_string(zmq.LAST_ENDPOINT))

    def send(self, frame: bytes, timeout: float | None) -> None:
        end = _deadline(timeout)
        while not self._try_send(frame):
            self._judge()
            self._wait_to_send(end)

    def _try_send(self, frame: bytes) -> bool:
        if self._lost:
            raise LinkLost
        try:
            if self.dials:
                self._socket.send(frame, zmq.NOBLOCK)
            elif self._peer is None:
                raise LinkLost
            else:
                self._socket.send_multipart([self._peer, frame], zmq.NOBLOCK)
            return True
        except zmq.Again:
            return False
        except zmq.ZMQError as fault:
            if fault.errno == errno.EHOSTUNREACH:
                raise LinkLost from None
            raise

    def receive(self, timeout: float | None) -> bytes:
        end = _deadline(timeout)
        while True:
            self._set_patience(self._pause(end, _SLICE_S))
            frame = self._try_receive(end)
            if frame is not None:
                return frame
            self._look_for_disconnection()
            self._judge()
            _check(end)

    def _set_patience(self, pause: float) -> None:
        """How long a receive may block; a blocking one is the quickest when something comes."""
        patience = int(pause * 1000) + 1 if pause > 0 else 0
        if patience != self._patience:
            self._socket.setsockopt(zmq.RCVTIMEO, patience)
            self._patience = patience

    def _pause(self, end: float | None, longest: float) -> float:
        """How long to wait before something else must be looked at."""
        limits = [each - time.monotonic() for each in (end, self._doubt) if each is not None]
        return max(0.0, min([longest, *limits]))

    def _try_receive(self, end: float | None) -> bytes | None:
        """A frame from the peer if one comes in time; strangers are refused on the way."""
        while True:
            try:
                parts = self._socket.recv_multipart()
            except zmq.Again:
                if self._lost:
                    raise LinkLost from None
                return None
            if self.dials:
                frame = b"".join(parts)
            else:
                sender, frame = parts[0], b"".join(parts[1:])
                if self._pinned and sender != self._peer:
                    self._turn_away(sender)
                    _check(end)  # a flood of strangers must not keep the caller here
                    continue
                self._peer = sender
            if frame != _PROBE:
                return frame

    def _turn_away(self, sender: bytes) -> None:
        try:
            self._socket.send_multipart([sender, self._refusal], zmq.NOBLOCK)
        except zmq.ZMQError:
            pass  # a stranger that does not read its answer is no concern of this run

    def _wait_to_send(self, end: float | None) -> None:
        """Wait until the peer may take more.  A ROUTER cannot be asked that of one peer."""
        if self.dials:
            self._socket.poll(int(self._pause(end, _SLICE_S) * 1000) + 1, zmq.POLLOUT)
        else:
            time.sleep(self._pause(end, _RETRY_S))
        self._look_for_disconnection()
        _check(end)

    def _look_for_disconnection(self) -> None:
        if not self._watch.poll(0):
            return
        while self._watch.poll(0):
            recv_monitor_message(self._watch, zmq.NOBLOCK)
        self._doubt_peer()

    def _doubt_peer(self) -> None:
        """Doubt the connection that matters: the pinned peer's, or a dialler's only one.

        libzmq reports an end before it has passed on what was read and forgotten the route, so
        judging must wait a little.
        """
        if self._doubt is None and (self._pinned or self.dials):
            self._doubt = time.monotonic() + _DRAIN_S

    def _judge(self) -> None:
        """Once all that the connection brought is read: is the peer lost?"""
        if self._doubt is None or time.monotonic() < self._doubt:
            return
        self._doubt = None
        if self._is_routed():
            return
        if self._pinned:
            self._lost = True
            raise LinkLost
        self.close(0)
        self._open()  # a dialler whose listener went before it answered
        raise LinkTimeout

    def _is_routed(self) -> bool:
        """Whether the peer can still be reached; a dialler has lost its only connection."""
        if self.dials:
            return False
        try:
            self._try_send(_PROBE)
        except LinkLost:
            return False
        return True

    def pin(self, refusal: bytes) -> None:
        self._pinned = True
        self._refusal = refusal
        if not self.dials:
            self._doubt_peer()

    def close(self, linger: float) -> None:
        if self._socket.closed:
            return
        if self._watch is not None:
            self._socket.disable_monitor()
            self._watch.close(0)
        self._socket.close(0 if self._lost else int(linger * 1000))


def _check(end: float | None) -> None:
    if end is not None and time.monotonic() >= end:
        raise LinkTimeout


def _deadline(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout
