"""Zap: says which role a connection belongs to, by its key alone (PROTOCOL.md section 6).

The handler of inproc://zeromq.zap.01 in the context of one role's sockets.  libzmq asks it for each
CURVE connection, and refuses all of them while nobody is there to answer.  Where it is there,
connections without keys are asked about as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import zmq

from .errors import EXIT_REFUSED, ChannelError
from .room import start_thread

DOMAIN = b"pychoral"
# Of sockets that dial. Without keys libzmq asks about the listener too, of whom it knows nothing;
# who dials has chosen the address, and the protocol says who is there.
DIALLING = b"pychoral-dialling"
_VERSION = b"1.0"


class Zap:
    """A thread that answers libzmq until the context ends.

    role_of   the role with this public key (32 bytes), or None: refused
    """

    def __init__(self, context: zmq.Context[Any], role_of: Callable[[bytes], str | None]) -> None:
        self._role_of = role_of
        self._socket = context.socket(zmq.REP)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.bind("inproc://zeromq.zap.01")
        self._thread = threading.Thread(target=self._serve, name="zap", daemon=True)
        try:
            start_thread(self._thread, "checks the keys of peers", EXIT_REFUSED)
        except ChannelError:
            self._socket.close(0)
            raise

    def _serve(self) -> None:
        try:
            while True:
                self._socket.send_multipart(self._answer(self._socket.recv_multipart()))
        except zmq.ZMQError:
            pass  # the context has ended
        finally:
            self._socket.close(0)  # whatever ends this thread: an open socket keeps the context

    def _answer(self, request: list[bytes]) -> list[bytes]:
        """RFC 27: version, id, domain, address, identity, mechanism, credentials."""
        identity = request[1] if len(request) > 1 else b""
        if request[2:3] == [DIALLING] and request[5:6] == [b"NULL"]:
            return [_VERSION, identity, b"200", b"", b"", b""]
        role = None
        if len(request) == 7 and request[0] == _VERSION:
            domain, mechanism, key = request[2], request[5], request[6]
            if domain == DOMAIN and mechanism == b"CURVE" and len(key) == 32:
                role = self._named(key)
        if role is None:
            return [_VERSION, identity, b"400", b"no role has this key", b"", b""]
        return [_VERSION, identity, b"200", b"", role.encode(), b""]

    def _named(self, key: bytes) -> str | None:
        """The role with a key; nobody while that cannot be found out (no descriptors left)."""
        try:
            return self._role_of(key)
        except OSError:
            return None

    def join(self) -> None:
        """Wait until the thread has let go of its socket; after the context was terminated."""
        self._thread.join()
