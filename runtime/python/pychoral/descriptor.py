"""Connections of libzmq's, by their descriptors (PROTOCOL.md section 6; as c/descriptor.c).

libzmq has no call that ends one connection of a socket, nor one that says whether anything moves
over it: its heartbeats count whole frames only, and one of many megabytes may take minutes.  The
kernel has both.  But the descriptor is libzmq's, which may close it at any time, and then it is
another's: it is used only while it has the cookie that it had.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import struct
import termios
from collections.abc import Callable, Iterator

# Over TCP the dialler's libzmq beats once a second, and the listener's answers: so much and three
# more without anything is silence.  A timer of the listener's would cost each of its round trips
# (measured: 4 %).
SILENCE_MS = 4_000

_SO_COOKIE = 57
_COOKIE = struct.Struct("=Q")
_COUNT = struct.Struct("=i")
_INFO = struct.Struct("=52xI64xQ")  # of tcp_info: tcpi_last_data_recv, tcpi_bytes_acked


class Descriptor:
    """A connection.

    file    its descriptor
    cookie  the kernel's name of it, never used again
    """

    def __init__(self, file: int, cookie: int) -> None:
        self.file = file
        self.cookie = cookie
        self._acked = 0  # bytes that the other side's kernel has taken
        self._moved_at = 0  # when such were last seen to move

    def end(self) -> None:
        """End it, as if the other side had closed it."""
        self._end_if(lambda connection: True)

    def end_silent(self, now: int, silence: int) -> None:
        """End it if nothing has come nor, of what waits to be sent, gone for `silence` ms.

        To be called several times a second.  Only of one over TCP this is known.
        """
        self._end_if(lambda connection: self._is_silent(connection, now, silence))

    def _end_if(self, condition: Callable[[socket.socket], bool]) -> None:
        try:
            with borrowed(self.file) as connection:
                if condition(connection) and _cookie(connection) == self.cookie:
                    connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended

    def _is_silent(self, connection: socket.socket, now: int, silence: int) -> bool:
        told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO.size)
        last_heard, acked = _INFO.unpack(told)
        # Beats are too small to be found waiting, but for a moment: what waits and moves is a
        # message.
        if acked != self._acked and _waits(connection):
            self._moved_at = now
        self._acked = acked
        return bool(last_heard >= silence and now - self._moved_at >= silence)


def descriptor_of(file: int) -> Descriptor | None:
    """The connection with this descriptor; None if it is none."""
    if file < 0:
        return None
    try:
        with borrowed(file) as connection:
            return Descriptor(file, _cookie(connection))
    except OSError:
        return None


@contextlib.contextmanager
def borrowed(file: int) -> Iterator[socket.socket]:
    """The connection with this descriptor, which is not closed.  Raises OSError if it is none."""
    try:
        own = os.dup(file)  # nobody else closes it
    except OSError as fault:
        if fault.errno not in (errno.EMFILE, errno.ENFILE):
            raise
        connection = socket.socket(fileno=file)  # none is left: be quick
        try:
            yield connection
        finally:
            connection.detach()
        return
    try:
        connection = socket.socket(fileno=own)
    except OSError:
        os.close(own)
        raise
    with connection:
        yield connection


def _waits(connection: socket.socket) -> int:
    """Bytes to be sent, or on their way."""
    told = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(_COUNT.size))
    return int(_COUNT.unpack(told)[0])


def _cookie(connection: socket.socket) -> int:
    return int(_COOKIE.unpack(connection.getsockopt(socket.SOL_SOCKET, _SO_COOKIE, 8))[0])
