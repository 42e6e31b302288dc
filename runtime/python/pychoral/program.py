"""Program: one role's projection of a choreography, run as a process or in a thread.

A Program is one role's `main` with what it needs from outside: links to its peers, values from the
command line.  It ends with one of the exit codes of errors.py and never in silence: every peer is
told how it ended (PROTOCOL.md sections 2 and 8).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from . import standard, tracebacks
from .agreement import SHOWN_MAX, Agreed
from .channel import Channel
from .callers import is_inside
from .errors import EXIT_OWN_ERROR, EXIT_USAGE, ChannelError, NotSendable, UsageError
from .lines import Errors, Lines, Sink
from .link import Link, Origin
from .local import call_main, exit_status, result_line
from .machine import Machine
from .options import Parameter, describe_option, parameter_value, parse, require_packages
from .price import LEAST
from .report import Reporter
from .role import Interrupted, Role
from .settings import FLAGS, HELP, OPTIONS, Settings
from .show import short
from .signals import Signals
from .transport import Port, Transport
from .typetable import TypeTable
from .unit import Unit
from .window import Config
from .wire import MAX_BYTES, Codec

if TYPE_CHECKING:
    from .durable import Durability
    from .observed import Observer
    from .show import Show


class Links(Protocol):
    """Where a program's links come from: rendezvous.py, or the harness for threads.

    durability   what makes the role a durable one; None if it is not
    """

    durability: Durability | None

    def open(self) -> Transport:
        """The transport, ready for its links."""

    def link(self, peer: str) -> tuple[Port, Config]:
        """The port and the configuration of the link to a peer."""

    def farewell(self, why: str) -> tuple[Transport, list[str]] | None:
        """What it takes to tell peers why the role cannot start, and who can be told."""

    def close(self) -> None:
        """The run is over, whether it was opened or not."""


@dataclass(frozen=True)
class _Written:
    """What is written about the run, opened before anybody is told of it."""

    log: Sink | None
    observers: list[Observer]
    watch: Show | None


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
        signals = Signals()
        try:
            with signals.handled():
                status = self.execute(sys.argv[1:], self._connect, signals.watch)
                lost = standard.flush()
                if lost:
                    self._say(f"its output is lost, too: {lost}")
                    status = status or EXIT_OWN_ERROR
        except Interrupted as fault:  # at the very end
            status = 128 + fault.number
        sys.exit(status)

    def start(self, links: Links, arguments: Sequence[str]) -> int:
        """Run over the links given, in a thread; returns the exit status."""
        return self.execute(arguments, lambda settings: links)

    def join(self, arguments: Sequence[str]) -> int:
        """Run as a process does, but in a thread; returns the exit status."""
        return self.execute(arguments, self._connect)

    def execute(
        self,
        arguments: Sequence[str],
        connect: Callable[[Settings], Links],
        watch: Callable[[Role], None] = lambda role: None,
    ) -> int:
        """Parse the command line, run over what `connect` gives, return the exit status.

        watch   is given the role before anything is sent
        """
        try:
            settings = self._settings(arguments)
            if settings is None:
                print(self._help(), end="")
                return 0
            with contextlib.closing(connect(settings)) as links, _files() as files:
                written = self._written(settings, files)  # peers are not told of a wrong name
                try:
                    transport = links.open()
                    if links.durability is not None and links.durability.has_ended:
                        self._say(f"has already ended, according to the journal {settings.journal}")
                        return 0
                    role = self._role(links, transport, settings, written)
                except (ChannelError, UsageError, MemoryError) as fault:
                    why = str(fault) or "memory is exhausted"
                    self._say(why)
                    self._bid_farewell(links, settings, why)
                    return _status_of(fault)
                watch(role)
                return self._converse(role, settings, self._channels(settings, files, role))
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
        with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
            print(f"{self.role}: {text}", file=sys.stderr, flush=True)

    def _bid_farewell(self, links: Links, settings: Settings, why: str) -> None:
        """Peers that wait for this role to start are told why it does not."""
        with contextlib.suppress(ChannelError, UsageError, MemoryError):  # then nobody can be told
            found = links.farewell(why)
            if found is None:
                return
            transport, peers = found
            role = Role(self.role, transport, Codec(TypeTable(self.types)), Reporter(self.role))
            for peer in peers:
                port, config = links.link(peer)
                role.add(port, self._agreeing(config, settings))
            role.farewell(Origin(self.role, "", why))
            role.close()

    # --- the run ---

    def _role(
        self,
        links: Links,
        transport: Transport,
        settings: Settings,
        written: _Written,
    ) -> Role:
        """The role with all its links, which have not met their peers yet."""
        reporter = Reporter(self.role, settings.run, settings.log_level, written.log, self.sites)
        found = [links.link(peer) for peer in self._peers()]
        limits = [config.max_message for _, config in found]
        most = settings.max_decoded or max(LEAST, 4 * max(limits, default=MAX_BYTES))
        codec = Codec(TypeTable(self.types), most)
        role = Role(self.role, transport, codec, reporter, settings.timeout, self.sites)
        machines: type[Machine] = Machine
        if links.durability is not None:
            role.durability = links.durability
            role.durability.place = role.place
            machines = role.make_machine = links.durability.machine_class()
        if written.observers:
            from .observed import observed

            role.observers = written.observers
            role.make_machine = observed(role.observers, machines)
        if written.watch is not None:
            role.told = written.watch.waits
        for port, config in found:
            role.add(port, self._agreeing(config, settings))
        return role

    def _agreeing(self, config: Config, settings: Settings) -> Config:
        """The configuration of a link, with what both of its ends must have been given."""
        names = sorted(each.name for each in self.parameters if config.peer in each.agreed)
        return replace(config, agreed=tuple(settings.agreed[name] for name in names))

    def _written(self, settings: Settings, files: contextlib.ExitStack) -> _Written:
        """What is written about the run."""
        log = self._lines(settings.log_json, "log", files)
        watch = self._show(settings.watch, files) if settings.watch else None
        return _Written(log, self._observers(settings, files), watch)

    def _observers(self, settings: Settings, files: contextlib.ExitStack) -> list[Observer]:
        """What is told of this role's messages."""
        observers: list[Observer] = []
        file = self._lines(settings.history, "history", files)
        if file is not None:
            from .history import History

            observers.append(History(file, self.role))
        if settings.trace:
            from .trace import Trace

            try:
                trace = Trace(settings.trace, self.role, self.roles, self.sites)
            except ValueError as fault:
                raise UsageError(f"--trace: {fault}") from None
            except OSError as fault:
                raise UsageError(_unwritable(settings.trace, fault)) from None
            files.callback(trace.close)
            observers.append(trace)
        return observers

    def _show(self, file: str, files: contextlib.ExitStack) -> Show:
        from .show import Show

        try:
            return files.enter_context(contextlib.closing(Show(self.role, file, self.sites)))
        except OSError as fault:
            raise UsageError(_unwritable(file, fault)) from None

    def _lines(self, path: str, what: str, files: contextlib.ExitStack) -> Sink | None:
        """A file to write lines to; `-` is standard error, "" nothing."""
        if path in ("", "-"):
            return Errors() if path else None
        try:
            return files.enter_context(contextlib.closing(Lines(path, self.role, what)))
        except OSError as fault:
            raise UsageError(_unwritable(path, fault)) from None

    def _channels(
        self, settings: Settings, files: contextlib.ExitStack, role: Role
    ) -> Callable[[Link], Channel]:
        """What makes a channel of a link."""
        channels: Callable[[Link], Channel] = Channel
        if settings.show:
            from .show import ShownChannel

            show = self._show(settings.show, files)
            channels = lambda link: ShownChannel(link, show)  # noqa: E731
        if not settings.trace:
            return channels
        from .observed import ObservedChannel

        return lambda link: ObservedChannel(channels(link), role.observers)

    def _converse(
        self, role: Role, settings: Settings, channels: Callable[[Link], Channel]
    ) -> int:
        """Meet the peers, run `main`, tell all how it ended."""
        status = EXIT_OWN_ERROR
        failure: Origin | None = None
        is_whole = is_told_to = False
        try:
            role.open()
            with self._effects(role):
                self._call_main(self._arguments(role.links, settings, channels))
            status, is_whole = 0, True
        except SystemExit as end:
            status = exit_status(end)
            if status:
                failure = Origin(self.role, "", f"it ended with exit status {status}")
        except BaseException as fault:
            failure = self._origin(fault)
            is_told_to = isinstance(fault, Interrupted)
            if isinstance(fault, (ChannelError, Interrupted)):
                raise
            lacking = _lacking_memory(fault)
            if lacking:
                self._say(lacking)
            else:
                self._print_traceback(fault)
        finally:
            try:
                role.end(failure, is_whole, is_told_to)
            finally:
                role.close()
        return status

    def _effects(self, role: Role) -> contextlib.AbstractContextManager[None]:
        """What the program sees of the world: of a durable role it is recorded."""
        if role.durability is None:
            return contextlib.nullcontext()
        return role.durability.effects(self.main.__code__.co_filename)

    def _origin(self, fault: BaseException) -> Origin:
        """What the others are told of a failure."""
        if isinstance(fault, ChannelError) and fault.origin is not None:
            return Origin(*fault.origin)
        if isinstance(fault, (ChannelError, Interrupted)):
            return Origin(self.role, "", str(fault))
        lacking = _lacking_memory(fault)
        if lacking:
            return Origin(self.role, "", lacking)
        name, _, text = traceback.format_exception_only(type(fault), fault)[-1].partition(":")
        return Origin(self.role, name.strip(), text.strip())

    def _call_main(self, arguments: Sequence[Any]) -> None:
        """Run `main` and print its result."""
        line = result_line(call_main(self.main, arguments), self.result)
        if line:
            print(line)
        lost = standard.flush()
        if lost:
            raise ChannelError(f"its output is lost: {lost}", EXIT_OWN_ERROR)

    def _arguments(
        self,
        links: Mapping[str, Link],
        settings: Settings,
        channels: Callable[[Link], Channel],
    ) -> list[Any]:
        """A value for each parameter of `main`."""
        values = iter(settings.values)
        arguments = []
        for each in self.parameters:
            if each.kind == "channel":
                arguments.append(channels(links[each.roles[0]]))
            else:
                arguments.append(next(values) if each.kind == "option" else Unit.id)
        return arguments

    def _print_traceback(self, fault: BaseException) -> None:
        """Show the role's own exception.

        Of a value that cannot be sent it ends where that was to be sent.
        """
        below = fault.__traceback__ if isinstance(fault, NotSendable) else None
        while below is not None and _is_ours(below):
            below = below.tb_next
        while below is not None:
            if below.tb_next is not None and _is_ours(below.tb_next):
                below.tb_next = None
            below = below.tb_next
        tracebacks.show(fault)

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
        spellings.update({name: name for name in mine if name not in OPTIONS + FLAGS})
        settings, given = Settings(), {}
        for name, text in parse(arguments, [*spellings, *OPTIONS], FLAGS):
            if name == "help":
                return None
            if name in spellings:
                given[spellings[name]] = text
            else:
                settings.set(name, text, self._peers())
        settings.values = [
            parameter_value(each, self._spelling(each), given) for each in mine.values()
        ]
        settings.given = {name: given.get(name) for name in mine}
        unknown = [name for name in settings.secret if name not in mine]
        if unknown:
            raise UsageError(f"--secret: {unknown[0]!r} is not a parameter of {self.role}")
        codec = Codec(TypeTable(self.types))
        settings.agreed = {
            each.name: _agreed(each, value, codec, each.name in settings.secret)
            for each, value in zip(mine.values(), settings.values)
            if each.agreed
        }
        return settings

    def _spelling(self, parameter: Parameter) -> str:
        reserved = parameter.name in OPTIONS + FLAGS
        return f"--{self.role}.{parameter.name}" if reserved else f"--{parameter.name}"

    def _help(self) -> str:
        peers = ", ".join(self._peers()) or "no role"
        lines = [
            f"{self.role}: the program of role {self.role} of {self.source}; talks to {peers}",
            "",
        ]
        mine = [each for each in self.parameters if each.kind == "option"]
        lines += [describe_option(each, self._spelling(each)) for each in mine]
        return "\n".join(lines) + "\n" + HELP

    def _connect(self, settings: Settings) -> Links:
        """Links to the processes of the other roles."""
        from .rendezvous import Rendezvous

        if settings.journal:
            from .durable import fix_hash_seed

            fix_hash_seed(self.protocol, settings.run, self.role)
        secure = [each.roles[0] for each in self.parameters if each.secure]
        return Rendezvous(
            self.role, self.roles, self.protocol, settings, self._peers(), secure
        )


def _agreed(parameter: Parameter, value: object, codec: Codec, is_secret: bool) -> Agreed:
    """What greetings tell of a value; raises UsageError."""
    digest = hashlib.sha256()
    try:
        for each in codec.encode(value, parameter.type):
            digest.update(each)
    except NotSendable as fault:
        raise UsageError(f"{parameter.name}: {fault}") from None
    return Agreed(parameter.name, digest.digest(), "" if is_secret else short(value, SHOWN_MAX))


def _status_of(fault: ChannelError | UsageError | MemoryError) -> int:
    if isinstance(fault, ChannelError):
        return fault.status
    return EXIT_USAGE if isinstance(fault, UsageError) else EXIT_OWN_ERROR


def _is_ours(frames: TracebackType) -> bool:
    return is_inside(frames.tb_frame.f_code.co_filename)


def _lacking_memory(fault: BaseException) -> str:
    """What there is to say if there was none for a message; of the program's own, "".

    The program's code is in the traceback behind `main`'s caller, and this package's behind that.
    """
    frames, place = fault.__traceback__, ""
    while isinstance(fault, MemoryError) and frames is not None:
        if _is_ours(frames) and place:
            return f"memory is exhausted ({place})"
        if not _is_ours(frames):
            place = f"{os.path.basename(frames.tb_frame.f_code.co_filename)}:{frames.tb_lineno}"
        frames = frames.tb_next
    return ""


def _files() -> contextlib.closing[contextlib.ExitStack]:
    """Files to be closed at the end of a run."""
    return contextlib.closing(contextlib.ExitStack())


def _unwritable(path: str, fault: OSError) -> str:
    return f"{path} cannot be written: {fault.strerror}"
