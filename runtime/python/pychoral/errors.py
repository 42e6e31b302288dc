"""What can go wrong at an endpoint, and the exit status of each (see runtime/README.md)."""

from __future__ import annotations

EXIT_OWN_ERROR = 1
EXIT_USAGE = 2
EXIT_PEER_LOST = 75
EXIT_PROTOCOL = 76
EXIT_REFUSED = 77


_MAX_PATH, _PATH_END = 120, 56
_MAX_TEXT = 500  # characters of another's text that are told


def clean(text: str, most: int = _MAX_TEXT) -> str:
    """The text of a peer or a stranger, cut and safe for a terminal and a log."""
    told = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[:most])
    return told[:most]


class NotSendable(TypeError):
    """A value, or a part of it, has no form on the wire.  Raised at the sender."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = ""
        self.place = ""

    def at(self, place: str) -> NotSendable:
        """Say where in the choreography it was to be sent: ` (auth.pyc:12)`."""
        self.place = self.place or place
        return self

    def inside(self, step: str) -> NotSendable:
        """Say that the fault lies in the part `step` of the value at hand."""
        self.path = step + self.path
        return self

    def along(self, path: str) -> NotSendable:
        """Say that the fault lies at the end of a path."""
        self.path = path
        return self

    def __str__(self) -> str:
        where = f"its part `{shortened(self.path)}` is" if self.path else "it is"
        return f"the value cannot be sent: {where} {self.reason}{self.place}"


def shortened(path: str) -> str:
    """A path as messages show it: of a long one both ends."""
    return path if len(path) <= _MAX_PATH else f"{path[: _PATH_END]}...{path[-_PATH_END :]}"


def key_step(key: object) -> str:
    """The step of a path to what a key leads to."""
    try:
        text = repr(key)
    except Exception:  # the program's own code, or an int too long to be written
        text = f"<{type(key).__name__}>"
    return f"[{text:.100}]"


class WireError(Exception):
    """Received bytes are no value of the expected type.  The program never sees the value."""

    def __init__(self, expected: str, came: str) -> None:
        super().__init__(expected, came)
        self.expected = expected
        self.came = came
        self.path = ""

    def inside(self, step: str) -> WireError:
        """Say that the fault lies in the part `step` of the value at hand."""
        self.path = step + self.path
        return self

    def __str__(self) -> str:
        where = f" at `{shortened(self.path)}`" if self.path else ""
        return f"expected {self.expected}{where}, but received {self.came}"


class Unreadable(WireError):
    """Bytes that no sender writes: the sentence does not name the part, as it is a fault of the
    whole message."""

    def __init__(self, what: str) -> None:
        super().__init__("a value", f"something unreadable ({what})")

    def __str__(self) -> str:
        return f"expected {self.expected}, but received {self.came}"


class ChannelError(Exception):
    """A peer is lost, breaks the protocol or refuses us; no choreography can go on.

    origin   where the failure began, if a peer has told: a role, the type of an exception, a text
    """

    def __init__(self, text: str, status: int = EXIT_PEER_LOST) -> None:
        super().__init__(text)
        self.status = status
        self.origin: tuple[str, str, str] | None = None


class UnexpectedSelection(ChannelError):
    """A label arrived that no branch of the program takes."""

    def __init__(self, label: object) -> None:
        super().__init__(f"no branch handles the label {label}", EXIT_PROTOCOL)


class PeerStopped(ChannelError):
    """Others have raised, or loop for ever: there is nothing that this role could go on with."""

    def __init__(self, *roles: str, at: str = "") -> None:
        place = f" ({at})" if at else ""
        super().__init__(f"cannot continue without {' and '.join(roles)}{place}")


class UsageError(Exception):
    """The command line or a configuration file cannot be understood."""
