"""Asking a listener which mechanism it has (PROTOCOL.md section 6).

Of two ends that differ in having keys, the one that reads first hangs up, and only it knows why. So
who was hung up on asks once more, with the beginning of a greeting: who has not told its own
mechanism yet is told the other's, and nobody has a reason to hang up before.
"""

from __future__ import annotations

import contextlib
import socket
import time

_MS = 250  # how long the answer may take
_BEGINNING = b"\xff" + bytes(7) + b"\1\x7f\3\0"  # ZMTP 3.0, up to its version
_MECHANISM = slice(12, 32)


def mechanism_at(address: str) -> str:
    """What the listener there says of itself, as `NULL` or `CURVE`; "" if that cannot be found."""
    deadline = time.monotonic() + _MS / 1000
    with contextlib.suppress(OSError), _connected(address) as stream:
        stream.sendall(_BEGINNING)
        greeting = _received(stream, _MECHANISM.stop, deadline)
        if len(greeting) == _MECHANISM.stop and greeting[0] == 0xFF:
            return greeting[_MECHANISM].rstrip(b"\0").decode("ascii", "replace")
    return ""


def _connected(address: str) -> socket.socket:
    """A stream to it; raises OSError."""
    scheme, _, rest = address.partition("://")
    if scheme == "tcp":
        host, _, port = rest.rpartition(":")
        return socket.create_connection((host.strip("[]"), int(port)), _MS / 1000)
    if scheme != "ipc":
        raise OSError("no stream")
    stream = socket.socket(socket.AF_UNIX)
    try:
        stream.settimeout(_MS / 1000)
        stream.connect("\0" + rest[1:] if rest.startswith("@") else rest)
    except OSError:
        stream.close()
        raise
    return stream


def _received(stream: socket.socket, size: int, deadline: float) -> bytes:
    """The first bytes; fewer if the stream ends.  Raises OSError, also at the deadline."""
    found = b""
    while len(found) < size:
        stream.settimeout(max(0.001, deadline - time.monotonic()))
        part = stream.recv(size - len(found))
        if not part:
            break
        found += part
    return found
