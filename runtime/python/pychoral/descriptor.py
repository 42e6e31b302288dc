"""Connections of libzmq's, by their descriptors (PROTOCOL.md section 6; as c/descriptor.c).

libzmq has no call that ends one connection of a socket, nor one that says when something last came
over it.  The kernel has both.  But the descriptor is libzmq's, which may close it at any time, and
then it is another's: it is used only while it has the cookie that it had.
"""

from __future__ import annotations

import os
import socket
import struct
from dataclasses import dataclass

# Over TCP only the dialler beats: once a second.  A listener's own timer would cost each of its
# round trips (measured: 4 %); it ends a connection over which three more beats have not come.
SILENCE_MS = 4_000

_SO_COOKIE = 57
_COOKIE = struct.Struct("=Q")
_INFO = struct.Struct("=52xI")  # tcp_info up to tcpi_last_data_recv


@dataclass(frozen=True)
class Descriptor:
    """A connection.

    file    its descriptor
    cookie  the kernel's name of it, never used again
    """

    file: int
    cookie: int

    def end(self, silence: int = 0) -> None:
        """End it, if nothing has come for so many milliseconds, as if the other side had done so.

        Only of one over TCP is it known when something came.
        """
        try:
            with _borrowed(self.file) as connection:
                silent = not silence or _silence(connection) >= silence
                if silent and _cookie(connection) == self.cookie:
                    connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended


def descriptor_of(file: int) -> Descriptor | None:
    """The connection with this descriptor; None if it is none."""
    if file < 0:
        return None
    try:
        with _borrowed(file) as connection:
            return Descriptor(file, _cookie(connection))
    except OSError:
        return None


def _borrowed(file: int) -> socket.socket:
    return socket.socket(fileno=os.dup(file))


def _silence(connection: socket.socket) -> int:
    told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO.size)
    return int(_INFO.unpack(told)[0])


def _cookie(connection: socket.socket) -> int:
    return int(_COOKIE.unpack(connection.getsockopt(socket.SOL_SOCKET, _SO_COOKIE, 8))[0])
