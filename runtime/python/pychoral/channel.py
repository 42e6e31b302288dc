"""Channel: what generated programs call.  Each is one end of a Link, which several may share."""

from __future__ import annotations

import enum
from typing import Any

from . import wire
from .errors import NotSendable
from .link import Link
from .unit import Unit


_UNIT = Unit.id


class _Absent:
    """The default of arguments for which every value has a meaning."""


_ABSENT = _Absent()


class Channel:
    """One end of a channel, as generated code sees it; `site` numbers a message at both ends."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._send = link.send_value
        self._receive = link.receive_value

    def com(self, value: object = _ABSENT, *, expect: Any = _ABSENT, site: int = 0) -> Any:
        """Send `value` (the result is Unit.id), or receive it; `expect` is the wire type."""
        if value is _ABSENT:
            return self._receive(expect, site)
        self._send(value, object if expect is _ABSENT else expect, site)
        return _UNIT

    def share(self, value: object = _ABSENT, *, expect: Any = _ABSENT, site: int = 0) -> Any:
        """As `com`, but the sender keeps a copy as the wire makes it, of type `expect` if given."""
        if value is _ABSENT:
            return self._receive(expect, site)
        try:                    # before it is sent: what both would refuse is the sender's fault
            own = self._link.copy(value, wire.AS_IT_IS if expect is _ABSENT else expect)
        except wire.NotSendable:
            own = Unit.id       # which sending reports, with the place
        self._send(value, object if expect is _ABSENT else expect, site)
        return own

    def select(self, label: Any = _ABSENT, *, expect: Any = _ABSENT, site: int = 0) -> Any:
        """Send a label (the result is Unit.id), or receive one of the enum `expect`."""
        if label is _ABSENT:
            return self._link.receive_label(expect, site)
        if not isinstance(label, enum.Enum):
            fault = NotSendable("not a label: only an enum member can be selected")
            raise fault.at(self._link.role.place(site))
        self._link.send_label(label, site)
        return _UNIT
