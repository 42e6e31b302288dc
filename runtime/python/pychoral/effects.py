"""Local effects of a durable role: what is not a function of its inputs, recorded and played back.

PROTOCOL.md section 9.  A program that starts again must come to the same place, so the clock,
random numbers and input give it what they gave before.  `installed` puts recording functions in the
place of those of the standard library, for the program and the libraries it calls, not for this
package, nor for other threads and processes, which do not ask in the same order again.  What is not
listed here (files, processes, the network) happens again after a restart.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import datetime
import os
import pathlib
import random
import sys
import threading
import time
import types
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from .errors import EXIT_PROTOCOL, ChannelError
from .journal import Journal

_CLOCKS = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns",
    "process_time", "process_time_ns", "thread_time", "thread_time_ns",
    "clock_gettime", "clock_gettime_ns",
)  # fmt: skip
_OF_NOW = ("localtime", "gmtime", "ctime")  # of the time given; without one, of now
_urandom = os.urandom
_PACKAGE = __name__.rpartition(".")[0]


class Recorder:
    """Gives the results of earlier incarnations again, in order, then records new ones."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._caller = os.getpid(), threading.get_ident()
        self._history = journal.history.results()

    def recorded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that records the results of `function`, or what it raised at an end of input.

        Results must be literals: None, bool, int, float, str, bytes.
        """

        def record(*arguments: Any, **named: Any) -> Any:
            if _called_from_here():
                return function(*arguments, **named)
            return self.outcome(name, lambda: function(*arguments, **named))

        return record

    def outcome(self, name: str, call: Callable[[], Any]) -> Any:
        """What `call` gave when it was first made."""
        if (os.getpid(), threading.get_ident()) != self._caller:
            return call()
        try:
            earlier = next(self._history, None)
        except ValueError:
            earlier = ("", b"")
        if earlier is not None:
            return _play(name, *earlier)
        try:
            result = call()
        except EOFError as fault:
            self._journal.add_effect(name, _record("EOFError", str(fault)))
            raise
        is_number = type(result) is float or type(result) is int
        if not (is_number and self._journal.add_number(name, result)):
            self._journal.add_effect(name, _record("", result))
        return result


def _record(fault: str, result: object) -> bytes:
    return repr((fault, result)).encode("utf-8", "surrogateescape")


def _play(name: str, recorded: str, result: Any) -> Any:
    """The recorded outcome, if it is one of this effect."""
    fault = ""
    if type(result) is bytes:
        try:
            fault, result = ast.literal_eval(result.decode("utf-8", "surrogateescape"))
        except (ValueError, SyntaxError, TypeError):
            recorded = ""
    if recorded != name:
        raise ChannelError(
            f"the program calls {name}, but its journal has {recorded or 'something else'}: "
            "it does not repeat its earlier run, so it cannot continue",
            EXIT_PROTOCOL,
        )
    if fault:
        raise EOFError(result)
    return result


def _called_from_here() -> bool:
    """Whether the caller of a recording function is this package, whose clocks go on."""
    name = sys._getframe(2).f_globals.get("__name__", "")
    return isinstance(name, str) and name.partition(".")[0] == _PACKAGE


@contextlib.contextmanager
def installed(recorder: Recorder, program: str) -> Iterator[None]:
    """The recording functions are in place within the block.

    program  the file of the role's program; modules in its folder that have bound an original
             by name (`from time import time`) get the recording one
    """
    changes = _Changes()
    try:
        _install(changes, recorder, _modules_beside(program))
        yield
    finally:
        changes.undo()


def _install(changes: _Changes, recorder: Recorder, modules: list[types.ModuleType]) -> None:
    _seed(changes, recorder)
    _install_dates(changes, recorder, modules)
    places: list[tuple[Any, str]] = [(time, name) for name in _CLOCKS]
    places += [(os, "urandom"), (os, "getrandom"), (builtins, "input")]
    places = [each for each in places if hasattr(*each)]
    _install_calendar(changes, recorder, modules)
    _install_generators(changes, recorder, modules)
    for owner, name in places:
        original = getattr(owner, name)
        recording = recorder.recorded(f"{owner.__name__}.{name}", original)
        changes.set(owner, name, recording)
        changes.rebind([random, *modules], original, recording)
    changes.set(sys, "stdin", _RecordedInput(recorder, sys.stdin))


def _install_calendar(
    changes: _Changes, recorder: Recorder, modules: list[types.ModuleType]
) -> None:
    """`time.localtime()` and its kin look at the clock when they are given no time."""
    clock, local, strftime = time.time, time.localtime, time.strftime

    def reading(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def read(seconds: float | None = None) -> Any:
            if seconds is None and not _called_from_here():
                seconds = recorder.outcome(f"time.{name}", clock)
            return original(seconds)

        return read

    for name in _OF_NOW:
        original = getattr(time, name)
        changes.set(time, name, reading(name, original))
        changes.rebind(modules, original, getattr(time, name))

    def formatted(form: str, moment: Any = None) -> str:
        if moment is None and not _called_from_here():
            moment = local(recorder.outcome("time.strftime", clock))
        return strftime(form, local() if moment is None else moment)

    changes.set(time, "strftime", formatted)
    changes.rebind(modules, strftime, formatted)


def _install_generators(
    changes: _Changes, recorder: Recorder, modules: list[types.ModuleType]
) -> None:
    """A generator of its own that is given no seed takes one from the system, in C."""
    original = random.Random

    class Generator(original):  # type: ignore[misc, valid-type]
        def seed(self, a: Any = None, version: int = 2) -> None:
            if a is None:
                a = recorder.outcome("seed", lambda: int.from_bytes(_urandom(32), "big"))
            super().seed(a, version)

    changes.set(random, "Random", _renamed(Generator, original, "random"))
    changes.rebind(modules, original, Generator)
    original_uuid1 = uuid.uuid1

    def uuid1(*arguments: Any) -> uuid.UUID:
        made = recorder.outcome("uuid.uuid1", lambda: original_uuid1(*arguments).hex)
        return uuid.UUID(hex=made)

    changes.set(uuid, "uuid1", uuid1)
    changes.rebind(modules, original_uuid1, uuid1)


def _seed(changes: _Changes, recorder: Recorder) -> None:
    """One recorded seed, and all that `random` gives is a function of it."""
    state = random.getstate()
    changes.at_end(lambda: random.setstate(state))
    random.seed(recorder.outcome("seed", lambda: int.from_bytes(_urandom(32), "big")))


def _install_dates(changes: _Changes, recorder: Recorder, modules: list[types.ModuleType]) -> None:
    """`datetime.now` and `date.today` belong to built-in types, so the classes are replaced."""
    clock = time.time

    def now() -> float:
        seconds: float = recorder.outcome("datetime.now", clock)
        return seconds

    for original, recording in (
        (datetime.datetime, _recorded_datetime(now)),
        (datetime.date, _recorded_date(now)),
    ):
        changes.set(datetime, original.__name__, recording)
        changes.rebind(modules, original, recording)


class _Changes:
    """Attributes that were changed, to be put back."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def set(self, owner: Any, name: str, value: object) -> None:
        original = getattr(owner, name)
        setattr(owner, name, value)
        self._undo.append(lambda: setattr(owner, name, original))

    def rebind(self, modules: list[types.ModuleType], original: object, value: object) -> None:
        """Wherever a module has bound `original`, bind `value`."""
        for module in modules:
            for name in [name for name, bound in vars(module).items() if bound is original]:
                self.set(module, name, value)

    def at_end(self, action: Callable[[], None]) -> None:
        self._undo.append(action)

    def undo(self) -> None:
        while self._undo:
            self._undo.pop()()


def _modules_beside(program: str) -> list[types.ModuleType]:
    folder = pathlib.Path(program).resolve().parent
    return [
        module
        for module in list(sys.modules.values())
        if getattr(module, "__file__", None)
        and folder in pathlib.Path(str(module.__file__)).resolve().parents
        and module.__name__.partition(".")[0] != _PACKAGE
    ]


class _RecordedInput:
    """Standard input whose lines are recorded."""

    def __init__(self, recorder: Recorder, stream: Any) -> None:
        self._stream = stream
        self.readline = recorder.recorded("stdin.readline", stream.readline)
        self.read = recorder.recorded("stdin.read", stream.read)

    def __iter__(self) -> Iterator[str]:
        return iter(self.readline, "")

    def readlines(self) -> list[str]:
        return list(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _LooksLike(type):
    """Instances of the base class count as instances of a class of this kind."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.__bases__[0])

    def __subclasscheck__(cls, derived: type) -> bool:
        return issubclass(derived, cls.__bases__[0])


def _recorded_datetime(now: Callable[[], float]) -> type:
    base = datetime.datetime

    class Datetime(datetime.datetime, metaclass=_LooksLike):
        """Its own `now`; what it makes are plain datetimes."""

        def __new__(cls, *arguments: Any, **named: Any) -> Any:
            return base(*arguments, **named)

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return base.fromtimestamp(now(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return base.utcfromtimestamp(now())

        @classmethod
        def today(cls) -> Any:
            return base.fromtimestamp(now())

    return _renamed(Datetime, base)


def _recorded_date(now: Callable[[], float]) -> type:
    base = datetime.date

    class Date(datetime.date, metaclass=_LooksLike):
        """Its own `today`; what it makes are plain dates."""

        def __new__(cls, *arguments: Any, **named: Any) -> Any:
            return base(*arguments, **named)

        @classmethod
        def today(cls) -> Any:
            return base.fromtimestamp(now())

    return _renamed(Date, base)


def _renamed(cls: type, base: type, module: str = "datetime") -> type:
    cls.__name__, cls.__qualname__, cls.__module__ = base.__name__, base.__qualname__, module
    return cls
