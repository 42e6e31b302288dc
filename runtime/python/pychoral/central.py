"""The central run: all roles of a choreography in one program without roles.

The role-erased program (`pychoralc FILE --erase`) says with `at` which role evaluates what, and
with `by` which one calls what; `com` copies by the wire codec, as if the value had travelled.
Every line that a role prints comes out as `Role: line`, so this run can be compared with the
projected one, role by role.

    CENTRAL = Central(roles=("Client", "IP"), source="auth.pyc")
    at, by = CENTRAL.at, CENTRAL.by
    def main(ch, name): ...
    if __name__ == "__main__":
        CENTRAL.run(main, (channel("ch", "Client", "IP"), option("name", str, role="Client")),
                    {"Client": "here"})
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from types import GeneratorType
from typing import Any, NoReturn, TextIO, TypeVar, cast, overload

from . import tracebacks
from .errors import EXIT_OWN_ERROR, EXIT_USAGE, NotSendable, UsageError
from .local import call_main, exit_status, narrow, result_line
from .options import (
    Parameter,
    absent,
    channel,
    describe_option,
    option,
    parameter_value,
    parse,
    require_packages,
)
from .price import bound_of
from .typetable import GrowingTable, TypeTable
from .wire import AS_IT_IS, Codec

__all__ = ["Central", "CentralChannel", "absent", "channel", "narrow", "option"]

_T = TypeVar("_T")
_A = TypeVar("_A")
_B = TypeVar("_B")
_C = TypeVar("_C")
_D = TypeVar("_D")
# What gives back a function that it was given, wrapped: it is generic or overloaded if that is.
_F = TypeVar("_F", bound=Callable[..., Any])


def _class_called_on(f: Any, seen: type) -> type:
    """The class of the instance whose method `f` is, or that `f` makes."""
    bound = f if isinstance(f, type) else getattr(f, "__self__", seen)
    return bound if isinstance(bound, type) else type(bound)


def _class_of_code(f: Any, owner: type) -> type:
    """The class in whose body the code of `f` is."""
    made = isinstance(f, type)
    name = ("__post_init__" if hasattr(f, "__post_init__") else "__init__") if made else f.__name__
    code = None if made else getattr(f, "__func__", f)
    for cls in owner.__mro__:
        member = vars(cls).get(name)
        if member is not None and (made or getattr(member, "__func__", member) is code):
            return cls
    return owner


class CentralChannel:
    """A channel whose ends are in one program."""

    def __init__(self, central: Central) -> None:
        self._central = central

    def com(
        self, value: object, *, expect: Any = AS_IT_IS, sender: str = "", place: str = ""
    ) -> Any:
        """What the receiver gets.

        sender, place   the role to blame for what cannot be sent, and where it was to be
        """
        copy = self._central.codec.copy
        carry = self._central.by(sender, copy) if sender else copy
        try:
            return carry(value, expect)
        except NotSendable as fault:
            raise fault.at(f" ({place})" if place else "")

    def share(
        self, value: object, *, expect: Any = AS_IT_IS, sender: str = "", place: str = ""
    ) -> Any:
        """As `com`; the value is then at both ends, as one object."""
        return self.com(value, expect=expect, sender=sender, place=place)

    def select(self, label: _T) -> _T:
        """Nobody needs to be told."""
        return label


class Central:
    """Runs a role-erased program: knows the current role, its streams and who is at fault."""

    def __init__(self, roles: Sequence[str], source: str) -> None:
        self.roles = tuple(roles)
        self.source = source
        self._current = self.roles
        self._actors: dict[str, str] = {}
        self._families: dict[type, dict[type, tuple[str, ...]]] = {}
        self._culprits: tuple[str, ...] = self.roles
        self._fault: BaseException | None = None
        self._inputs: dict[str, TextIO] = {}
        self._table: TypeTable = GrowingTable()
        self.codec = Codec(self._table)

    @overload
    def at(self, roles: str | tuple[str, ...], f: Callable[[], _T], /) -> _T: ...
    @overload
    def at(self, roles: str | tuple[str, ...], f: Callable[[_A], _T], a: _A, /) -> _T: ...
    @overload
    def at(
        self, roles: str | tuple[str, ...], f: Callable[[_A, _B], _T], a: _A, b: _B, /
    ) -> _T: ...
    @overload
    def at(
        self, roles: str | tuple[str, ...], f: Callable[[_A, _B, _C], _T], a: _A, b: _B, c: _C, /
    ) -> _T: ...
    @overload
    def at(
        self,
        roles: str | tuple[str, ...],
        f: Callable[[_A, _B, _C, _D], _T],
        a: _A,
        b: _B,
        c: _C,
        d: _D,
        /,
    ) -> _T: ...
    @overload
    def at(self, roles: str | tuple[str, ...], f: Callable[..., _T], /, *args: Any) -> _T: ...

    def at(self, roles: str | tuple[str, ...], f: Callable[..., _T], /, *args: Any) -> _T:
        """Evaluate `f(*args)` as the role named; as several, once, each prints what it prints."""
        with self.turn(roles):
            return self._lazy(self._current, f(*args))

    def by(self, roles: str | tuple[str, ...], f: _F, /) -> _F:
        """`f`, for a call that is run as the role named, or as several, like `at`."""

        def call(*args: Any, **kw: Any) -> Any:
            with self.turn(roles):
                return self._lazy(self._current, f(*args, **kw))

        return cast("_F", call)

    def _lazy(self, roles: tuple[str, ...], made: _T) -> _T:
        """What runs code of its own when it is read does so as those who made it."""
        lazy = isinstance(made, (GeneratorType, map, filter))
        if not lazy or getattr(made, "gi_code", None) is Central._resumed.__code__:
            return made
        return cast("_T", self._resumed(roles, made))

    def _resumed(self, roles: tuple[str, ...], made: Any) -> Generator[Any, Any, Any]:
        sent = None
        step = made.send if isinstance(made, GeneratorType) else lambda _: next(made)
        try:
            while True:
                with self._as(roles):
                    try:
                        item = step(sent)
                    except StopIteration as end:
                        return end.value
                sent = yield item
        finally:
            if isinstance(made, GeneratorType):
                with self._as(roles):
                    made.close()

    @contextlib.contextmanager
    def turn(self, roles: str | tuple[str, ...]) -> Iterator[None]:
        """Run the statements inside as the role named, or as several, like `at`."""
        with self._as(self._named(roles)):
            yield

    @contextlib.contextmanager
    def _as(self, roles: tuple[str, ...]) -> Iterator[None]:
        outer, self._current = self._current, roles
        try:
            yield
        except BaseException as fault:
            if fault is not self._fault:
                self._fault, self._culprits = fault, self._current
            raise
        finally:
            self._current = outer

    def goes_on(self, roles: str | tuple[str, ...]) -> bool:
        """In `finally`: whether these roles go on, or an exception of others is passing."""
        passing = sys.exc_info()[1]
        if passing is None or passing is not self._fault:
            return True
        return any(name in self._culprits for name in self._named(roles))

    def caught(self) -> None:
        """In a handler: no exception is passing."""
        self._fault = None

    @contextlib.contextmanager
    def managed(
        self, roles: str | tuple[str, ...], manager: contextlib.AbstractContextManager[_T]
    ) -> Iterator[_T]:
        """The manager, entered and left as these roles; not left if others were cut short."""
        with self.turn(roles):
            entered = manager.__enter__()
        try:
            yield entered
        except BaseException as fault:
            if not self.goes_on(roles):
                raise
            with self.turn(roles):
                swallowed = manager.__exit__(type(fault), fault, fault.__traceback__)
            if not swallowed:
                raise
        else:
            with self.turn(roles):
                manager.__exit__(None, None, None)

    def _named(self, roles: str | tuple[str, ...]) -> tuple[str, ...]:
        names = (roles,) if isinstance(roles, str) else roles
        return tuple(self._actors.get(name, name) for name in names)

    def cast(self, actors: Mapping[str, str], f: _F, /) -> _F:
        """A choreography whose roles are played as here and now, whoever calls it, and whenever.

        actors   a role that `f` names -> the role of the caller that plays it
        """
        outer = self._actors
        here = {**outer, **{role: outer.get(by, by) for role, by in actors.items()}}

        def call(*args: Any, **kw: Any) -> Any:
            around, self._actors = self._actors, here
            try:
                return f(*args, **kw)
            finally:
                self._actors = around

        return cast("_F", call)

    def family(
        self, roles: tuple[str, ...], *bases: tuple[type, tuple[str, ...]]
    ) -> Callable[[type[_C]], type[_C]]:
        """Note how a class calls its roles, and what those of its bases are to it."""

        def note(cls: type[_C]) -> type[_C]:
            self._families[cls] = {**dict(bases), cls: roles}
            return cls

        return note

    def virtual(self, seen: type, actors: tuple[str, ...], f: _F, /) -> _F:
        """A method of an instance of a family, or its class: to be called as `cast` has it.

        seen     the class as which the caller knows the instance
        actors   who plays the roles of that class
        """
        owner = _class_called_on(f, seen)
        family, code = self._families[owner], _class_of_code(f, owner)
        if code not in family:
            return self.cast({}, f)
        played = dict(zip(family[seen], actors))
        names = self._families[code][code]
        return self.cast({name: played[role] for name, role in zip(names, family[code])}, f)

    def run(
        self,
        main: Callable[..., Any],
        parameters: Sequence[Parameter] = (),
        results: Mapping[str, str | tuple[bool, ...]] | None = None,
        types: Sequence[object] = (),
    ) -> NoReturn:
        """Run as a process: options `--ROLE.param VALUE` and `--ROLE.stdin FILE`.

        results   for each role that has a part of the result: "here", or which parts of a tuple
        types     the classes that may travel, at the places that are their numbers on the wire
        """
        self._table = TypeTable(types)
        self.codec = Codec(self._table)
        sys.exit(self.execute(main, parameters, results or {}, sys.argv[1:]))

    def execute(
        self,
        main: Callable[..., Any],
        parameters: Sequence[Parameter],
        results: Mapping[str, str | tuple[bool, ...]],
        words: Sequence[str],
    ) -> int:
        """Parse the command line, run, return the exit status."""
        lacking = require_packages()
        try:
            if lacking:
                raise UsageError(lacking)
            arguments = self._arguments(parameters, words)
        except UsageError as fault:
            print(f"{self.source}: {fault}", file=sys.stderr)
            return EXIT_USAGE
        if arguments is None:
            print(self._help(parameters), end="")
            return 0
        with self._streams():
            return self._call(main, arguments, results)

    def _call(
        self,
        main: Callable[..., Any],
        arguments: Sequence[Any],
        results: Mapping[str, str | tuple[bool, ...]],
    ) -> int:
        try:
            result = call_main(main, arguments)
            for role in self.roles:
                line = result_line(result, results.get(role, "absent"))
                if line:
                    self.by(role, print)(line)
        except SystemExit as end:
            return self.by(self._culprits, exit_status)(end)
        except Exception as fault:
            culprits = self._culprits if fault is self._fault else self.roles
            self.by(culprits, tracebacks.show)(fault)
            return EXIT_OWN_ERROR
        return 0

    # --- the command line ---

    def _arguments(self, parameters: Sequence[Parameter], words: Sequence[str]) -> list[Any] | None:
        """The arguments of `main`; None if help is asked for.  Raises UsageError."""
        names = [_spelling(each) for each in parameters if each.kind == "option"]
        names += [*(f"{role}.stdin" for role in self.roles), "max-decoded"]
        given = dict(parse(words, names, ["help"]))
        if "help" in given:
            return None
        if "max-decoded" in given:
            self.codec = Codec(self._table, bound_of(given["max-decoded"]))
        for role in self.roles:
            if f"{role}.stdin" in given:
                self._inputs[role] = _open(given[f"{role}.stdin"])
        return [self._argument(each, given) for each in parameters]

    def _argument(self, parameter: Parameter, given: Mapping[str, str]) -> Any:
        if parameter.kind == "channel":
            return CentralChannel(self)
        spelling = _spelling(parameter)
        mine = {parameter.name: given[spelling]} if spelling in given else {}
        return parameter_value(parameter, f"--{spelling}", mine)

    def _help(self, parameters: Sequence[Parameter]) -> str:
        lines = [f"the central run of {self.source}, roles {', '.join(self.roles)}", ""]
        for each in parameters:
            if each.kind == "option":
                lines.append(describe_option(each, f"--{_spelling(each)}"))
        lines.append("  --max-decoded BYTES".ljust(28) + "  the largest decoded size of a message")
        lines += [f"  --{role}.stdin FILE".ljust(28) + "  its input" for role in self.roles]
        return "\n".join(lines) + "\n"

    # --- streams ---

    @contextlib.contextmanager
    def _streams(self) -> Iterator[None]:
        """Give the roles their streams; partial lines come out at the end."""
        stdin, stdout, stderr = sys.stdin, sys.stdout, sys.stderr
        out, err = _RoleOutput(self, stdout), _RoleOutput(self, stderr)
        sys.stdin = _RoleInput(self, stdin)  # type: ignore[assignment]
        sys.stdout, sys.stderr = out, err  # type: ignore[assignment]
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = stdin, stdout, stderr
            out.finish()
            err.finish()
            for file in self._inputs.values():
                file.close()

    @property
    def current(self) -> tuple[str, ...]:
        """The roles that are running."""
        return self._current

    def input_of(self, role: str) -> TextIO | None:
        """The role's own input, if it was given one."""
        return self._inputs.get(role)


class _RoleOutput:
    """Stands in for stdout or stderr: keeps a line of each role until it is complete."""

    def __init__(self, central: Central, stream: TextIO) -> None:
        self._central = central
        self._stream = stream
        self._partial = {role: "" for role in central.roles}

    def write(self, text: str) -> int:
        for role in self._central.current:
            *lines, self._partial[role] = (self._partial[role] + text).split("\n")
            for line in lines:
                self._stream.write(f"{role}: {line}\n")
        return len(text)

    def writelines(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.write(line)

    def finish(self) -> None:
        """Write out lines that never ended."""
        for role, line in self._partial.items():
            if line:
                self._stream.write(f"{role}: {line}\n")
        self._partial = {role: "" for role in self._partial}
        self._stream.flush()

    def flush(self) -> None:
        """Complete lines are with the stream; an incomplete one waits for its end."""
        self._stream.flush()

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:
        return self._stream.encoding

    @property
    def errors(self) -> str | None:
        return self._stream.errors


class _RoleInput:
    """Stands in for stdin: reads the current role's input, else that of the process."""

    def __init__(self, central: Central, stream: TextIO) -> None:
        self._central = central
        self._stream = stream

    def _source(self) -> TextIO:
        own = self._central.input_of(self._central.current[0])
        return self._stream if own is None else own

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source(), name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._source().readline, "")

    def fileno(self) -> int:
        raise OSError("the input of a role has no file descriptor of its own")


def _spelling(parameter: Parameter) -> str:
    return f"{parameter.roles[0]}.{parameter.name}"


def _open(path: str) -> TextIO:
    try:
        return open(path, encoding="utf-8")
    except OSError as fault:
        raise UsageError(f"{path} cannot be read: {fault.strerror}") from None
