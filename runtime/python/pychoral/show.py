"""Messages as they are sent, and whom the role waits for: what `pychoralc run` listens to.

A message (`--show FILE`) is a line of SENDER, RECEIVER, `com`, `share` or `select`, the place in
the source, and the value, separated by tabs.  It is written in one piece before the message leaves;
so where all roles write to one pipe, no message comes before one that it depends on.  A wait
(`--watch FILE`) is a line of nothing, ROLE, the peer, and the place; nothing for both when it ends.
"""

from __future__ import annotations

import dataclasses
import enum
import os
from collections.abc import Iterable, Mapping
from typing import Any

from .channel import Channel
from .lines import open_to_write

_MOST_CHARACTERS = 120
_MOST_ITEMS = 6
_MOST_DEPTH = 4
_MOST_BYTES = 4096  # PIPE_BUF: what is written to a pipe in one piece


class Show:
    """Writes the lines of one role.

    file    its name: `/dev/fd/3` is a pipe that was inherited
    places  where in the source each site is
    """

    def __init__(self, role: str, file: str, places: Mapping[int, str]) -> None:
        self._role = role
        self._places = places
        self._waits = ("", "")
        self._descriptor = open_to_write(file)
        os.set_blocking(self._descriptor, True)

    def message(self, peer: str, kind: str, site: int, value: object) -> None:
        self._write(self._role, peer, kind, self._places.get(site, ""), short(value))

    def waits(self, peer: str, site: int) -> None:
        """The role waits for a peer, or ("") goes on; it may say so again and again."""
        waits = (peer, self._places.get(site, "") if peer else "")
        if waits != self._waits:
            self._waits = waits
            self._write("", self._role, *waits)

    def _write(self, *fields: str) -> None:
        data = "\t".join(fields).encode("utf-8", "backslashreplace")
        try:
            os.write(self._descriptor, data[: _MOST_BYTES - 1] + b"\n")
        except OSError:
            pass  # nobody looks any more

    def close(self) -> None:
        os.close(self._descriptor)


class ShownChannel(Channel):
    """A channel that shows what is sent through it."""

    def __init__(self, link: Any, show: Show) -> None:
        super().__init__(link)
        self._show = show
        self._peer: str = link.peer

    def com(self, *value: Any, **words: Any) -> Any:
        self._tell("com", value, words)
        return super().com(*value, **words)

    def share(self, *value: Any, **words: Any) -> Any:
        self._tell("share", value, words)
        return super().share(*value, **words)

    def select(self, *label: Any, **words: Any) -> Any:
        self._tell("select", label, words)
        return super().select(*label, **words)

    def _tell(self, kind: str, value: tuple[Any, ...], words: Mapping[str, Any]) -> None:
        if value:
            self._show.message(self._peer, kind, words.get("site", 0), value[0])


# --- values ---


def short(value: object, most: int = _MOST_CHARACTERS) -> str:
    """A value on one line of bounded length, whatever it is; no code of the program is called."""
    text = _text(value, 0)
    return text if len(text) <= most else text[: most - 3] + "..."


def _text(value: Any, depth: int) -> str:
    cls = type(value)
    if value is None or cls in (bool, float, complex):
        return repr(value)
    if cls is int:
        return repr(value) if value.bit_length() < 400 else f"<int of {value.bit_length()} bits>"
    if cls in (str, bytes):
        return _quoted(value)
    if depth >= _MOST_DEPTH:
        return "..."
    if cls in _BRACKETS:
        return _items(value, cls, depth)
    if isinstance(value, enum.Enum):
        name = str(value._name_)
        return f"{cls.__name__}.{name}" if name.isidentifier() else f"{cls.__name__}[{name!r}]"
    if dataclasses.is_dataclass(value):
        return _fields(value, cls, depth)
    shape = value.shape if cls.__module__ == "numpy" and hasattr(value, "shape") else None
    return f"<{cls.__name__}>" if shape is None else f"<{cls.__name__} {value.dtype}{shape}>"


def _quoted(value: str | bytes) -> str:
    """The literal; of a long one its beginning."""
    if len(value) <= _MOST_CHARACTERS:
        return repr(value)
    return f"{value[:_MOST_CHARACTERS // 2]!r}... ({len(value)} long)"


_BRACKETS: dict[type, tuple[str, str, str]] = {
    list: ("[", "]", "[]"),
    tuple: ("(", ")", "()"),
    set: ("{", "}", "set()"),
    frozenset: ("frozenset({", "})", "frozenset()"),
    dict: ("{", "}", "{}"),
}


def _items(value: Any, cls: type, depth: int) -> str:
    left, right, empty = _BRACKETS[cls]
    if not value:
        return empty
    if cls is dict:
        pairs = zip(value.keys(), value.values())
        parts = (f"{_text(key, depth + 1)}: {_text(item, depth + 1)}" for key, item in pairs)
    else:
        parts = (_text(item, depth + 1) for item in value)
    if cls is tuple and len(value) == 1:
        right = ",)"
    return left + _joined(parts, len(value)) + right


def _joined(parts: Iterable[str], count: int) -> str:
    first = [part for part, _ in zip(parts, range(_MOST_ITEMS))]
    more = f", ... ({count} in all)" if count > _MOST_ITEMS else ""
    return ", ".join(first) + more


def _fields(value: Any, cls: type, depth: int) -> str:
    fields = dataclasses.fields(value)
    parts = (f"{each.name}={_field(value, each.name, depth)}" for each in fields)
    return f"{cls.__name__}({_joined(parts, len(fields))})"


def _field(value: object, name: str, depth: int) -> str:
    try:
        return _text(object.__getattribute__(value, name), depth + 1)
    except AttributeError:
        return "<not set>"
