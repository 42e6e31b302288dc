"""Program: one role's projection of a choreography, run as a process or in a thread.

A Program is one role's `main` with what it needs from outside: links to its peers, values from the
command line.  It ends with one of the exit codes of errors.py and never in silence: every peer is
told how it ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .channel import Channel, Session
from .callers import calling_frame, is_inside
from .deployment import MeetingPlace
from .errors import EXIT_OWN_ERROR, EXIT_REFUSED, EXIT_USAGE, ChannelError, UsageError
from .link import Link
from .local import call_main, exit_status, result_line
from .options import Parameter, describe_option, parameter_value, parse, require_packages
from .typetable import TypeTable
from .unit import Unit
from .wire import Codec

_OWN_OPTIONS = ("bind", "connect", "config", "timeout", "run")
_OWN_FLAGS = ("help", "plain")
_LOCAL = re.compile(r"ipc://|tcp://(localhost|127\.[0-9.]+|\[::1\]):")


class Interrupted(BaseException):
    """A signal asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"interrupted by {signal.Signals(self.number).name}"


@dataclass
class Settings:
    """What the command line says about a run."""

    values: list[Any] = field(default_factory=list)
    listen: dict[str, str] = field(default_factory=dict)
    dial: dict[str, str] = field(default_factory=dict)
    timeout: float | None = 30.0
    run: str = ""
    plain: bool = False


Connect = Callable[[Settings], "contextlib.AbstractContextManager[Mapping[str, Link]]"]


@dataclass(frozen=True)
class Program:
    """One role's program.

    role        the role; `roles` are all, in the order that decides who listens to whom
    protocol    SHA-256 of the whole choreography, equal in the programs of all its roles
    source      the choreography's file name, for messages
    main        the role's projection of `main`, called with a value for each of `parameters`
    result      "here" if the result is this role's, "absent", or for a tuple which parts are
    sites       where in the source each numbered message is: {8: "auth.pyc:14, auth.pyc:19"}
    types       the enums and dataclasses that values may hold, the same places at every role; None
                where this role's program has not got the class
    """

    role: str
    roles: tuple[str, ...]
    protocol: str
    source: str
    main: Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    result: str | tuple[bool, ...] = "absent"
    sites: Mapping[int, str] = field(default_factory=dict)
    types: Sequence[object] = ()

    def run(self) -> None:
        """Run as a process: the command line is sys.argv, the end is sys.exit."""
        lacking = require_packages()
        if lacking:
            self._say(lacking)
            sys.exit(EXIT_USAGE)
        with _signals():
            status = self.execute(sys.argv[1:], self._connect)
        sys.exit(status)

    def start(self, links: Mapping[str, Link], arguments: Sequence[str]) -> int:
        """Run over links that are there already; returns the exit status."""
        return self.execute(arguments, lambda settings: contextlib.nullcontext(links))

    def execute(self, arguments: Sequence[str], connect: Connect) -> int:
        """Parse the command line, run over what `connect` gives, return the exit status."""
        try:
            settings = self._settings(arguments)
            if settings is None:
                print(self._help(), end="")
                return 0
            with connect(settings) as links:
                return self._converse(links, settings)
        except UsageError as fault:
            self._say(str(fault))
            return EXIT_USAGE
        except ChannelError as fault:
            self._say(str(fault))
            return fault.status
        except Interrupted as fault:
            self._say(str(fault))
            return 128 + fault.number

    def _say(self, text: str) -> None:
        print(f"{self.role}: {text}", file=sys.stderr)

    # --- the run ---

    def _converse(self, links: Mapping[str, Link], settings: Settings) -> int:
        """Greet the peers, run `main`, end every session properly."""
        identity = (self.protocol, settings.run)
        codec = Codec(TypeTable(self.types))
        sessions = {
            peer: Session(
                links[peer],
                self.role,
                peer,
                identity,
                settings.timeout,
                self._place,
                codec,
            )
            for peer in self._peers()
        }
        status = EXIT_OWN_ERROR
        reason = "it ended"
        try:
            for session in sessions.values():
                session.open()
            status = self._call_main(sessions, settings)
            reason = f"it ended with exit status {status}" if status else ""
        except BaseException as fault:
            reason = str(fault) or type(fault).__name__
            if isinstance(fault, (ChannelError, Interrupted)):
                raise
            reason = traceback.format_exception_only(type(fault), fault)[-1].strip()
            self._print_traceback(fault)
        finally:
            self._end(list(sessions.values()), reason)
        return status

    def _call_main(self, sessions: Mapping[str, Session], settings: Settings) -> int:
        """Run `main` and print its result; the status is that of a `sys.exit`, else 0."""
        values = iter(settings.values)
        arguments = [self._argument(each, sessions, values) for each in self.parameters]
        try:
            result = call_main(self.main, arguments)
        except SystemExit as end:
            return exit_status(end)
        line = result_line(result, self.result)
        if line:
            print(line)
        sys.stdout.flush()
        return 0

    def _argument(
        self, parameter: Parameter, sessions: Mapping[str, Session], values: Iterator[Any]
    ) -> Any:
        if parameter.kind == "channel":
            return Channel(sessions[parameter.roles[0]])
        return next(values) if parameter.kind == "option" else Unit.id

    def _end(self, sessions: list[Session], reason: str) -> None:
        """Tell all peers, make sure the last messages are read, close."""
        try:
            for session in sessions:
                if reason:
                    session.announce_error(reason)
                else:
                    session.announce_end()
            if not reason:
                for session in sessions:
                    session.confirm_end()
        finally:
            for session in sessions:
                session.close()

    def _print_traceback(self, fault: BaseException) -> None:
        """The traceback of the role's own exception, from `main` on."""
        frames = fault.__traceback__
        while frames is not None and is_inside(frames.tb_frame.f_code.co_filename):
            frames = frames.tb_next
        traceback.print_exception(type(fault), fault, frames or fault.__traceback__)

    def _place(self, site: int) -> str:
        """` (auth.pyc:12)`: the site's place in the source; without sites that of running code."""
        if site in self.sites:
            return f" ({self.sites[site]})"
        frame = calling_frame()
        return f" ({os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno})"

    def _peers(self) -> list[str]:
        """The roles this one has channels to, in the global order of pairs."""
        peers = {each.roles[0] for each in self.parameters if each.kind == "channel"}
        mine = self.roles.index(self.role)

        def pair(peer: str) -> tuple[int, int]:
            other = self.roles.index(peer)
            return min(mine, other), max(mine, other)

        return sorted(peers, key=pair)

    # --- the command line ---

    def _settings(self, arguments: Sequence[str]) -> Settings | None:
        """The settings; None if help is asked for.  Raises UsageError."""
        mine = {each.name: each for each in self.parameters if each.kind == "option"}
        spellings = {f"{self.role}.{name}": name for name in mine}
        spellings.update({name: name for name in mine if name not in _OWN_OPTIONS + _OWN_FLAGS})
        settings, given = Settings(), {}
        for name, text in parse(arguments, [*spellings, *_OWN_OPTIONS], _OWN_FLAGS):
            if name == "help":
                return None
            if name in spellings:
                given[spellings[name]] = text
            else:
                self._set(settings, name, text)
        settings.values = [
            parameter_value(each, self._spelling(each), given) for each in mine.values()
        ]
        return settings

    def _spelling(self, parameter: Parameter) -> str:
        reserved = parameter.name in _OWN_OPTIONS + _OWN_FLAGS
        return f"--{self.role}.{parameter.name}" if reserved else f"--{parameter.name}"

    def _set(self, settings: Settings, name: str, text: str) -> None:
        if name in ("bind", "connect"):
            self._set_address(settings, name, *text.partition("=")[::2])
        elif name == "timeout":
            settings.timeout = _seconds(text)
        elif name == "run":
            settings.run = text
        elif name == "plain":
            settings.plain = True
        else:
            self._read_config(settings, text)

    def _set_address(self, settings: Settings, name: str, peer: str, address: str) -> None:
        if not address or peer not in self._peers():
            peers = ", ".join(self._peers()) or "none"
            raise UsageError(f"--{name} takes ROLE=ADDRESS, with ROLE one of: {peers}")
        if not re.match("(ipc|tcp)://.", address):
            raise UsageError(f"--{name}: {address!r} is no ipc:// or tcp:// address")
        (settings.dial if name == "bind" else settings.listen).pop(peer, None)
        (settings.listen if name == "bind" else settings.dial)[peer] = address

    def _read_config(self, settings: Settings, path: str) -> None:
        """Settings from a JSON object: bind and connect (by role), timeout, run, plain."""
        try:
            with open(path, encoding="utf-8") as file:
                config = json.load(file)
        except (OSError, ValueError) as fault:
            raise UsageError(f"--config: {path} cannot be read: {fault}") from None
        if not isinstance(config, dict):
            raise UsageError(f"--config: {path} is no JSON object")
        for key, value in config.items():
            if key in ("bind", "connect") and isinstance(value, dict):
                for peer, address in value.items():
                    self._set_address(settings, key, peer, str(address))
            elif key in ("timeout", "run"):
                self._set(settings, key, str(value))
            elif key == "plain" and isinstance(value, bool):
                settings.plain = value
            else:
                raise UsageError(f"--config: {path}: `{key}` is not understood")

    def _help(self) -> str:
        peers = ", ".join(self._peers()) or "no role"
        lines = [
            f"{self.role}: the program of role {self.role} of {self.source}; talks to {peers}",
            "",
        ]
        mine = [each for each in self.parameters if each.kind == "option"]
        lines += [describe_option(each, self._spelling(each)) for each in mine]
        lines += [
            "  --bind ROLE=ADDRESS         listen for ROLE at a ZeroMQ address",
            "  --connect ROLE=ADDRESS      reach ROLE at a ZeroMQ address",
            "  --config FILE               bind, connect, timeout, run and plain from a JSON file",
            "  --timeout SECONDS           the longest wait for a peer (default 30, 0 = for ever)",
            "  --run NAME                  tell runs at the same time apart",
            "  --plain                     allow addresses of other machines, without encryption",
            "  --help                      show this text",
        ]
        return "\n".join(lines) + "\n"

    # --- links between processes ---

    @contextlib.contextmanager
    def _connect(self, settings: Settings) -> Iterator[Mapping[str, Link]]:
        """A ZeroMQ link to each peer: where the settings say, else at the meeting place."""
        import zmq

        from .zmqlink import ZmqLink

        place = MeetingPlace(self.protocol, settings.run)
        context: zmq.Context[Any] = zmq.Context()
        links: dict[str, Link] = {}
        try:
            for peer in self._peers():
                address, listen = self._address(peer, settings, place)
                try:
                    links[peer] = ZmqLink(context, address, listen)
                except OSError as fault:
                    verb = "listen at" if listen else "connect to"
                    raise UsageError(f"cannot {verb} {address}: {fault.strerror}") from None
            yield links
        finally:
            for link in links.values():
                link.close(0)
            context.term()
            place.leave()

    def _address(self, peer: str, settings: Settings, place: MeetingPlace) -> tuple[str, bool]:
        """The address of the link to a peer, and whether this role listens there."""
        for addresses, listen in ((settings.listen, True), (settings.dial, False)):
            if peer in addresses:
                self._check_private(peer, addresses[peer], settings)
                return addresses[peer], listen
        mine, other = self.roles.index(self.role), self.roles.index(peer)
        place.enter(self.role, mine)
        return place.address(mine, other), mine < other

    def _check_private(self, peer: str, address: str, settings: Settings) -> None:
        """Refuse to send in the clear to other machines, unless that is asked for."""
        if _LOCAL.match(address):
            return
        secure = any(each.secure for each in self.parameters if each.roles == (peer,))
        if secure:
            raise ChannelError(
                f"the channel to {peer} must be encrypted, which {address} is not", EXIT_REFUSED
            )
        if not settings.plain:
            raise ChannelError(
                f"{address} leaves this machine unencrypted; say --plain to allow it", EXIT_REFUSED
            )


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise UsageError(f"--timeout: {text!r} is no number of seconds")
    return seconds or None


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """SIGINT and SIGTERM end the program in order the first time, at once the second."""

    def interrupt(number: int, frame: object) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        raise Interrupted(number)

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, interrupt)
    try:
        yield
    finally:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
