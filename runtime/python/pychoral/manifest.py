"""Manifest: who is in a run, where each role listens, and the key that it has.

PROTOCOL.md section 7.  A manifest is public but nobody else may write it; a key file is for its
owner alone.  Both are refused otherwise, with a sentence.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from .addresses import wrong_address
from .errors import EXIT_REFUSED, ChannelError, UsageError
from .files import is_file, open_to_read, read_json, wrong_name
from .forms import MAX_BYTES

_KEY_HEAD = "pychoral secret key 1"
_Z85 = 40
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_MOST = 1 << 20  # bytes of a manifest
_LIMITS = {
    "message": (1, MAX_BYTES),  # more than the codec writes would be promised in vain
    "window_messages": (1, 1 << 20),
    "window_bytes": (1, 1 << 40),
}


@dataclass(frozen=True)
class Entry:
    """One role of a manifest.  `public` is its key, 40 characters of Z85; "" in plain runs."""

    name: str
    address: str
    public: str


@dataclass(frozen=True)
class Manifest:
    """The roles in the choreography's order, and limits that all of them keep."""

    run: str
    roles: tuple[Entry, ...]
    limits: dict[str, int]

    def entry(self, role: str) -> Entry | None:
        return next((each for each in self.roles if each.name == role), None)

    @property
    def is_plain(self) -> bool:
        return not any(each.public for each in self.roles)


def read_manifest(path: str, roles: tuple[str, ...]) -> Manifest:
    """The manifest in a file or in `manifest.json` of a folder, for a program with these roles."""
    if os.path.isdir(path):
        path = os.path.join(path, "manifest.json")
    text = _read(path, 0o022, "others may write it", "chmod go-w", _MOST)
    try:
        data = read_json(text)
    except (ValueError, RecursionError) as fault:
        raise _malformed(path, f"is not JSON: {fault}") from None
    manifest = _manifest(path, data)
    names = tuple(each.name for each in manifest.roles)
    if names != roles:
        wanted = ", ".join(roles)
        raise _refused(path, f"has the roles {', '.join(names)}, but the program has {wanted}")
    return manifest


def read_key(path: str, role: str) -> bytes:
    """A role's secret key, 40 characters of Z85, from a file or from `ROLE.key` of a folder."""
    if os.path.isdir(path):
        path = os.path.join(path, f"{role}.key")
    lines = _read(path, 0o077, "others may read it", "chmod 600", 4096).split("\n")
    if len(lines) not in (3, 4) or lines[0] != _KEY_HEAD or lines[3:] not in ([], [""]):
        raise _refused(path, f"is not a key file, which has the lines `{_KEY_HEAD}`, the role, "
                       "and the key")
    if lines[1] != role:
        raise _refused(path, f"is the key of {lines[1]!r}, not of {role}")
    if not _is_z85(lines[2]):
        raise _refused(path, "has no key of 40 characters of Z85")
    return lines[2].encode()


def _is_by_group(found: os.stat_result, forbidden: int) -> bool:
    """Root may let the group of a service read a secret, but nobody else; Kubernetes does it so."""
    is_ours = found.st_gid in (os.getegid(), *os.getgroups())
    return found.st_uid == 0 and found.st_mode & forbidden == 0o040 and is_ours


def _read(path: str, forbidden: int, why: str, remedy: str, most: int) -> str:
    """A text file's contents, if its owner and mode are in order."""
    try:
        with open_to_read(path) as file:
            if not is_file(file):
                raise _refused(path, "is not a regular file")
            found = os.fstat(file.fileno())
            if found.st_uid not in (os.getuid(), 0):
                raise _refused(path, "belongs to another user")
            if found.st_mode & forbidden and not _is_by_group(found, forbidden):
                raise _refused(path, f"is rejected, because {why}; {remedy} {path}")
            data = file.read(most + 1)
    except OSError as fault:
        raise _refused(path, f"cannot be read: {fault.strerror}") from None
    if len(data) > most:
        raise _refused(path, "is too large")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _refused(path, "is not UTF-8 text") from None


def _manifest(path: str, data: Any) -> Manifest:
    if not isinstance(data, dict) or data.get("version") != 1:
        raise _malformed(path, "is not a manifest of version 1")
    run = data.get("run", "")
    wrong = wrong_name(run) if isinstance(run, str) else "is not a string"
    if wrong:
        raise _malformed(path, f"has a `run` that {wrong}")
    roles = data.get("roles")
    if not isinstance(roles, list) or not roles:
        raise _malformed(path, "has no list `roles` of at least one role")
    entries = tuple(_entry(path, each) for each in roles)
    keys = [each.public for each in entries if each.public]
    if keys and len(set(keys)) < len(entries):
        raise _malformed(path, "must give every role its own key, or no role a key")
    if len({each.name for each in entries}) < len(entries):
        raise _malformed(path, "names a role twice")
    return Manifest(run, entries, _limits(path, data.get("limits", {})))


def _entry(path: str, data: Any) -> Entry:
    parts = data if isinstance(data, dict) else {}
    name, address = parts.get("name"), parts.get("address")
    public = parts.get("public", "")
    if not (isinstance(name, str) and name):
        raise _malformed(path, "has a role without a string `name`")
    if not isinstance(address, str):
        raise _malformed(path, f"has no string `address` of {name}")
    wrong = wrong_address(address)
    if wrong:
        raise _malformed(path, f"gives {name} the address {address!r}, which {wrong}")
    if not isinstance(public, str):
        raise _malformed(path, f"has a key of {name} that is not a string")
    if public and not _is_z85(public):
        raise _malformed(path, f"has a key of {name} that is not 40 characters of Z85")
    return Entry(name, address, public)


def _limits(path: str, data: Any) -> dict[str, int]:
    if not isinstance(data, dict):
        raise _malformed(path, "has `limits` that are not a JSON object")
    for name, value in data.items():
        if name not in _LIMITS:
            known = ", ".join(_LIMITS)
            raise _malformed(path, f"has a limit {name!r:.80}, which is not one of {known}")
        low, high = _LIMITS[name]
        if type(value) is not int or not low <= value <= high:
            text = f"has a limit `{name}` that is not a whole number from {low} to {high}"
            raise _malformed(path, text)
    return dict(data)


def _is_z85(text: str) -> bool:
    """Checks the characters of a key: libzmq takes what it is given."""
    value = _DIGITS.find
    groups = [text[at : at + 5] for at in range(0, len(text), 5)]
    numbers = [[value(each) for each in group] for group in groups]
    return len(text) == _Z85 and all(
        min(digits) >= 0 and sum(d * 85 ** (4 - n) for n, d in enumerate(digits)) < 1 << 32
        for digits in numbers
    )


def _refused(path: str, text: str) -> ChannelError:
    return ChannelError(f"{path} {text}", EXIT_REFUSED)


def _malformed(path: str, text: str) -> UsageError:
    return UsageError(f"the manifest {path} {text}")
