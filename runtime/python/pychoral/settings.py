"""Settings: what an endpoint's command line says about a run, apart from the values of its `main`.

Options of every endpoint, and the JSON file of `--config`.  rendezvous.py acts on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .agreement import Agreed
from .addresses import has_kind, wrong_address
from .errors import UsageError
from .files import is_file, open_to_read, read_json, wrong_name
from .price import bound_of
from .report import LEVELS

_SECONDS = ("timeout", "connect-timeout", "lost-after")
_FILES = (
    "manifest",
    "key",
    "log-json",
    "history",
    "trace",
    "journal",
    "show",
    "watch",
    "config",
)
OPTIONS = ("bind", "connect", "log-level", "max-decoded", "run", "secret", *_SECONDS, *_FILES)
FLAGS = ("help", "plain")
_TEXT = "a string or a number"  # in the file of `--config`
_BY_ROLE = "a string, or an object with an address for each role"

# As in options.c; tests/runtime-c/test_options.py compares them.
HELP = """\
  --bind [ROLE=]ADDRESS       listen at a ZeroMQ address (with ROLE: that role dials)
  --connect ROLE=ADDRESS      reach ROLE at a ZeroMQ address
  --manifest FILE             the roles of the run, with their addresses and public keys
  --key FILE                  this role's secret key (default: beside the manifest)
  --plain                     allow unencrypted addresses that others can reach
  --run NAME                  distinguish runs that run at the same time
  --timeout SECONDS           end every wait that is longer (default: none for a peer that answers)
  --connect-timeout SECONDS   how long a peer may take to start (default 30)
  --lost-after SECONDS        how long a peer may be unreachable (default 10)
  --max-decoded BYTES         the largest decoded size of a message, by estimate: it can take up to
                              7 times that in memory (default: 4 times the limit of a message)
  --secret NAME,..            never show the values of these options to other roles; otherwise, when
                              two roles' values differ, each role's error message shows both
  --log-level LEVEL           report on standard error: error, warning (default), info or debug
  --log-json FILE             write all reports as JSON, an object a line (`-`: standard error)
  --journal FILE              record the run: a restart with it continues where the role stopped
  --history FILE              write every message sent and read as JSON, an object a line
  --trace FILE                write all events in order, for ShiViz (NAME.shiviz, NAME.log) or as
                              Chrome's trace events (NAME.json); those of all roles are joined by
                              `PYTHONPATH=HERE python3 -m pychoral.trace FILE... -o OUT`, where HERE
                              is the folder of a program in Python
  --show FILE                 write every message before it is sent, with its place and value
  --watch FILE                write which peer the role waits for (`pychoralc run` reads both)
  --config FILE               read these options, except `--config`, from a JSON file
  --help                      show this text
"""


@dataclass
class Settings:
    """What the command line says about a run.

    values, given   of the program's own options: their values; the texts, None where none was
    agreed   of those that other roles have too: what greetings tell of them
    listen   by role: the address at which this role listens for it
    bind     where this role listens for all others
    dial     by role: the address at which it is dialled
    timeout, connect_timeout, lost_after   seconds; None: not said
    max_decoded   bytes; None: not said
    secret   the program's own options whose values nobody is shown
    """

    values: list[Any] = field(default_factory=list)
    given: dict[str, str | None] = field(default_factory=dict)
    agreed: dict[str, Agreed] = field(default_factory=dict)
    listen: dict[str, str] = field(default_factory=dict)
    bind: str = ""
    dial: dict[str, str] = field(default_factory=dict)
    timeout: float | None = None
    connect_timeout: float | None = None
    lost_after: float | None = None
    max_decoded: int | None = None
    secret: tuple[str, ...] = ()
    run: str = ""
    manifest: str = ""
    key: str = ""
    plain: bool = False
    log_level: str = "warning"
    log_json: str = ""
    journal: str = ""
    history: str = ""
    trace: str = ""
    show: str = ""
    watch: str = ""

    def set(self, name: str, text: str, peers: Sequence[str]) -> None:
        """One option; raises UsageError."""
        if name in _FILES and not text:
            raise UsageError(f"--{name} needs a file name")
        if name in ("bind", "connect"):
            self._set_address(name, text, peers)
        elif name in _SECONDS:
            setattr(self, name.replace("-", "_"), _seconds(name, text))
        elif name == "max-decoded":
            self.max_decoded = bound_of(text)
        elif name == "secret":
            self.secret += tuple(filter(None, text.split(",")))
        elif name == "plain":
            self.plain = True
        elif name == "log-level":
            if text not in LEVELS:
                raise UsageError(f"--log-level takes one of {', '.join(LEVELS)}")
            self.log_level = text
        elif name == "config":
            self._read(text, peers)
        elif name == "run" and wrong_name(text):
            shown = text if len(text) <= 40 else f"{text[:40]}..."
            raise UsageError(f"--run: {shown!r} {wrong_name(text)}")
        else:
            setattr(self, name.replace("-", "_"), text)

    def _set_address(self, name: str, text: str, peers: Sequence[str]) -> None:
        if name == "bind" and has_kind(text):
            self.bind = _address(name, text)
            return
        peer, _, address = text.partition("=")
        if not address or peer not in peers:
            known = ", ".join(peers) or "none"
            form = "[ROLE=]ADDRESS" if name == "bind" else "ROLE=ADDRESS"
            raise UsageError(
                f"--{name} takes {form}, with ROLE one of: {known}; an ADDRESS is tcp://HOST:PORT "
                "or ipc:///PATH"
            )
        address = _address(name, address)
        if name == "connect" and address.startswith("tcp://*:"):
            raise UsageError(
                f"--connect: {address!r} is an address to listen at; give the host of {peer}"
            )
        (self.dial if name == "bind" else self.listen).pop(peer, None)
        (self.listen if name == "bind" else self.dial)[peer] = address

    def _read(self, path: str, peers: Sequence[str]) -> None:
        """Options from a JSON object; `bind` and `connect` may be objects, by role."""
        try:
            with open_to_read(path) as file:
                if not is_file(file):
                    raise UsageError(f"--config: {path} is not a regular file")
                config = read_json(file.read().decode())
        except (OSError, ValueError, RecursionError) as fault:
            raise UsageError(f"--config: {path} cannot be read: {_reason(fault)}") from None
        if not isinstance(config, dict):
            raise UsageError(f"--config: {path} is not a JSON object")
        for key, value in config.items():
            self._set_from(path, key, value, peers)

    def _set_from(self, path: str, key: str, value: Any, peers: Sequence[str]) -> None:
        has_roles = key in ("bind", "connect")
        if has_roles and isinstance(value, dict):
            for peer, address in value.items():
                self._set_address(key, f"{peer}={address}", peers)
        elif key == "plain" and isinstance(value, bool):
            self.plain = value
        elif key != "plain" and (key not in OPTIONS or key == "config"):
            text = f"`{key}` is not an option that a file can give; see --help"
            raise UsageError(f"--config: {path}: {text}")
        elif key == "plain" or isinstance(value, bool) or not isinstance(value, (str, int, float)):
            form = "true or false" if key == "plain" else _BY_ROLE if has_roles else _TEXT
            raise UsageError(f"--config: {path}: the value of `{key}` must be {form}")
        else:
            self.set(key, str(value), peers)


def _reason(fault: Exception) -> str:
    return (isinstance(fault, OSError) and fault.strerror) or str(fault)


def _address(name: str, text: str) -> str:
    """An address; raises UsageError."""
    wrong = wrong_address(text)
    if wrong:
        raise UsageError(f"--{name}: {text!r} {wrong}")
    return text


def _seconds(name: str, text: str) -> float | None:
    """A number of seconds; None for a `--timeout` of 0, which sets no bound."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    may_be_0 = name == "timeout"
    if not 0 <= seconds < 1e9 or (seconds == 0 and not may_be_0):
        least = "at least" if may_be_0 else "more than"
        raise UsageError(
            f"--{name} must be a number of seconds, {least} 0 and less than 1000000000, "
            f"not {text!r:.80}"
        )
    return seconds or None
