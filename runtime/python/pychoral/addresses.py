"""Addresses: which are understood, and who can reach them (PROTOCOL.md section 6)."""

from __future__ import annotations

import os
import re
import stat

_KIND = re.compile("(ipc|tcp|inproc)://.", re.DOTALL)
_LOCAL = re.compile(r"(ipc://|inproc://|tcp://(localhost|127\.[0-9.]+|\[::1\]):)[^;]*$")
_PORT = re.compile("[0-9]{1,5}")


def has_kind(text: str) -> bool:
    """Whether the text means an address, a right one or not."""
    return _KIND.match(text) is not None


def wrong_address(text: str) -> str:
    """What is wrong with an address, as "is ..." or "has ..."; "" if nothing is.

    libzmq takes a port above 65535 for another one, and 0 for any free one, which no peer knows.
    """
    if not has_kind(text):
        return "is not an ipc:// or tcp:// address"
    if not text.startswith("tcp://"):
        return ""
    host, _, port = text[len("tcp://") :].rpartition(":")
    if not (_PORT.fullmatch(port) and 1 <= int(port) <= 65535):
        return "has no port from 1 to 65535"
    return "" if host else "has no host: for --bind, tcp://*:PORT listens on all interfaces"


def is_local(address: str) -> bool:
    """Whether what is sent there stays on this machine."""
    return _LOCAL.match(address) is not None


def is_private(address: str) -> bool:
    """Whether only processes of this user can be there: an ipc socket in a private directory."""
    if address.startswith("inproc://"):
        return True
    path = address.removeprefix("ipc://")
    if path == address or path[:1] in ("", "@", "*"):
        return False
    try:
        found = os.stat(os.path.dirname(path) or ".")
    except (OSError, ValueError):
        return False
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
