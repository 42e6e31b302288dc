"""What two roles must have been given alike, as their greetings compare it (PROTOCOL.md section 1).

Item 2 of a longer header holds, of each value that both ends of a link have, its name, a salted
digest of its encoding, and a text to show.  No I/O: machine.py sends and compares it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from .frame import EXTRA_MAX, MAX_TEXT, string

_ITEM = 2  # its type
_MOST = EXTRA_MAX - 4  # bytes of its content
_DIGEST = 32
SHOWN_MAX = 60  # characters of a text
_SAID_MAX = MAX_TEXT - 50  # bytes of what differs in a sentence; its end is said, too


class Agreed(NamedTuple):
    """A value: the parameter's name, the SHA-256 of the encoding, and a text; "" shows nothing."""

    name: str
    digest: bytes
    text: str


class _Told(NamedTuple):
    """One entry of an item."""

    name: bytes
    digest: bytes
    text: bytes


def item(agreed: Sequence[Agreed], salt: bytes) -> bytes:
    """What lengthens the header of a greeting; nothing if there is nothing to compare."""
    if not agreed:
        return b""
    told = _told(agreed, salt)
    room = _MOST - sum(_size(each._replace(text=b"")) for each in told)
    content = b""
    for each in told:
        text = each.text if len(each.text) <= room else b""
        room -= len(text)
        content += string(each.name) + each.digest + string(text)
    return _ITEM.to_bytes(2, "big") + len(content).to_bytes(2, "big") + content


def difference(
    agreed: Sequence[Agreed], extra: bytes, salt: bytes, me: str, peer: str
) -> str:
    """How what `peer` told, in what lengthened its header, differs from what `me` was given; ""
    if it does not."""
    if not agreed:
        return ""
    mine, theirs = _told(agreed, salt), _read(extra)
    if theirs is None or [each.name for each in mine] != [each.name for each in theirs]:
        return f"{peer} does not report its values; {me} must have the same values"
    found = [_sentence(own, its, me, peer) for own, its in zip(mine, theirs)
             if own.digest != its.digest]  # fmt: skip
    return f"{_joined(found)}: the values must be equal" if found else ""


def _joined(found: Sequence[str]) -> str:
    """As many as there is room for, one at least, and how many more there are."""
    for count in range(len(found), 1, -1):
        text = "; ".join(found[:count])
        if len(text.encode()) <= _SAID_MAX:
            break
    else:
        count, text = 1, found[0]
    return text + (f"; and {len(found) - count} more" if count < len(found) else "")


def _sentence(own: _Told, its: _Told, me: str, peer: str) -> str:
    if not own.name:
        return f"a value is not the same at {me} and {peer}"
    name = own.name.decode()
    apart = f"{name} is not the same at {me} and {peer}"
    if not own.text or not its.text:
        return apart
    if own.text == its.text:
        return f"{apart}, although both are shown as {own.text.decode()}"
    return f"{name} is {own.text.decode()} at {me} and {its.text.decode()} at {peer}"


def _told(agreed: Sequence[Agreed], salt: bytes) -> list[_Told]:
    """Each value; if names and digests do not fit, one entry without a name for all of them."""
    told = [
        _Told(each.name.encode(), _salted(salt, each.digest), each.text.encode())
        for each in agreed
    ]
    if sum(_size(each._replace(text=b"")) for each in told) <= _MOST:
        return told
    return [_Told(b"", _salted(salt, *(each.digest for each in agreed)), b"")]


def _salted(salt: bytes, *digests: bytes) -> bytes:
    return hashlib.sha256(b"".join((salt, *digests))).digest()


def _size(told: _Told) -> int:
    return len(string(told.name)) + _DIGEST + len(string(told.text))


def _read(extra: bytes) -> list[_Told] | None:
    """The entries of the item; None if it is missing or not well-formed."""
    content = _content(extra)
    if content is None:
        return None
    found, at = [], 0
    while at < len(content):
        name, at = _string(content, at)
        digest = content[at : at + _DIGEST]
        text, at = _string(content, at + _DIGEST)
        if at > len(content) or not (_is_text(name) and _is_text(text)):
            return None
        found.append(_Told(name, digest, text))
    return found


def _content(extra: bytes) -> bytes | None:
    """Of the first item of this type, if the sizes of all items add up."""
    found, at = None, 0
    while at < len(extra):
        kind, size = extra[at : at + 2], int.from_bytes(extra[at + 2 : at + 4], "big")
        if found is None and kind == _ITEM.to_bytes(2, "big"):
            found = extra[at + 4 : at + 4 + size]
        at += 4 + size
    return found if at == len(extra) else None


def _string(data: bytes, at: int) -> tuple[bytes, int]:
    """A string, and where it ends: behind `data` if it is cut off."""
    end = at + 2 + int.from_bytes(data[at : at + 2], "big")
    return data[at + 2 : end], end if at + 2 <= len(data) else len(data) + 1


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
