"""When something last came over an accepted connection, by the kernel's books.

PROTOCOL.md section 6, as c/pulse.c.  Over TCP only the dialler beats.  A listener's own timer would
cost each of its round trips (measured: 4 %); it needs none, as the kernel knows when the last beat
came.  What it has is a descriptor of libzmq's, which may be closed and another's at any time: hence
the cookie.
"""

from __future__ import annotations

import os
import socket
import struct
from dataclasses import dataclass

SILENCE_MS = 4_000  # a beat of a second, and three more without one

_SO_COOKIE = 57
_COOKIE = struct.Struct("=Q")
_INFO = struct.Struct("=52xI")  # tcp_info up to tcpi_last_data_recv


@dataclass(frozen=True)
class Pulse:
    """A connection over TCP.

    file    libzmq's descriptor
    cookie  the kernel's name of the connection, never used again
    """

    file: int
    cookie: int

    def check(self) -> None:
        """End the connection if nothing has come for SILENCE_MS.  libzmq then tells of its end."""
        try:
            with _borrowed(self.file) as connection:
                if _silence(connection) >= SILENCE_MS and _cookie(connection) == self.cookie:
                    connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended


def pulse_of(file: int) -> Pulse | None:
    """Of the connection with this descriptor; None if it is not TCP."""
    if file < 0:
        return None
    try:
        with _borrowed(file) as connection:
            _silence(connection)
            return Pulse(file, _cookie(connection))
    except OSError:
        return None


def _borrowed(file: int) -> socket.socket:
    return socket.socket(fileno=os.dup(file))


def _silence(connection: socket.socket) -> int:
    told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO.size)
    return int(_INFO.unpack(told)[0])


def _cookie(connection: socket.socket) -> int:
    return int(_COOKIE.unpack(connection.getsockopt(socket.SOL_SOCKET, _SO_COOKIE, 8))[0])
