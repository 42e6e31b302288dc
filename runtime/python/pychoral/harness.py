"""Runs all roles of a compiled choreography as threads of one process, over memory links.

For tests and for looking at a run without processes or sockets: `load` imports the programs of an
output folder, `run_threads` runs them, each with its own stdin, stdout and stderr.

    python3 -m pychoral.harness DIR [--ROLE.param VALUE ...] [--ROLE.stdin FILE] [--timeout S]
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import io
import itertools
import json
import pathlib
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import EXIT_USAGE, UsageError
from .options import parse, require_packages
from .program import Links, Program
from .settings import Settings
from .transport import MemoryTransport, Port
from .window import Config

if TYPE_CHECKING:
    from .durable import Durability

EXIT_TIMED_OUT = 124

_numbers = itertools.count()


class Outcome(NamedTuple):
    """How one role's run ended."""

    stdout: str
    status: int
    stderr: str


def load(directory: str | pathlib.Path) -> list[Program]:
    """The programs in an output folder, in the order of their roles.

    Each file becomes a module of a fresh name, so that folders with equal file names can be loaded
    side by side; `unload` forgets them.  What the files import beside them is found in the folder;
    modules load as their roles import them, never alone.
    """
    folder = pathlib.Path(directory)
    programs = []
    sys.path.insert(0, str(folder))
    try:
        for file in sorted(folder.glob("*.py")):
            if "\nPROGRAM = " not in file.read_text("utf-8"):
                continue
            program = getattr(_import(file), "PROGRAM", None)
            if isinstance(program, Program):
                programs.append(program)
            _set_apart(folder)
    finally:
        sys.path.remove(str(folder))
    return sorted(programs, key=lambda each: each.roles.index(each.role))


def _import(file: pathlib.Path) -> object:
    name = f"pychoral_program_{next(_numbers)}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _set_apart(folder: pathlib.Path) -> None:
    """Roles share no memory: each gets its own copy of a module that lies beside the programs.

    The copy that was imported goes on under a fresh name, so that the next role imports it anew.
    """
    for name in {file.stem for file in folder.glob("*.py")} & sys.modules.keys():
        module = sys.modules[name]
        found = getattr(module, "__file__", None)
        if found is None or not pathlib.Path(found).parent.samefile(folder):
            continue
        del sys.modules[name]
        module.__name__ = f"pychoral_program_{next(_numbers)}_{name}"
        sys.modules[module.__name__] = module
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == name:
                value.__module__ = module.__name__


def unload(programs: Sequence[Program]) -> None:
    """Forget modules that `load` made, and those that they import from beside them."""
    folders = {pathlib.Path(program.main.__code__.co_filename).parent for program in programs}
    for name in [name for name in sys.modules if name.startswith("pychoral_program_")]:
        found = getattr(sys.modules[name], "__file__", None)
        if found is not None and pathlib.Path(found).parent in folders:
            del sys.modules[name]


def run_threads(
    programs: Sequence[Program],
    options: Mapping[str, str],
    stdin_by_role: Mapping[str, str],
    timeout: float = 30.0,
    run_name: str = "",
) -> dict[str, Outcome]:
    """Run the programs of all roles; the options are keyed `ROLE.param`.

    `timeout` bounds both every wait for a peer and the whole run; a role that still runs then is
    stopped, with the status EXIT_TIMED_OUT.  `run_name` is that of a run whose other roles are
    elsewhere: then they are linked by sockets, not in memory.
    """
    links = {} if run_name else memory_links(programs, timeout)
    runs = [
        _Run(
            each,
            links.get(each.role),
            _arguments(each, options, timeout, run_name),
            stdin_by_role,
        )
        for each in programs
    ]
    with _streams_by_thread():
        for run in runs:
            run.thread.start()
        end = time.monotonic() + timeout + 1
        for run in runs:
            run.thread.join(max(0.0, end - time.monotonic()))
        for run in runs:
            run.stop()
    return {run.program.role: run.outcome() for run in runs}


class MemoryLinks:
    """The links of one role to roles that are threads of the same process (program.Links)."""

    durability: Durability | None = None

    def __init__(self, program: Program, timeout: float) -> None:
        self.transport = MemoryTransport()
        self._program = program
        self._milliseconds = int(timeout * 1000)

    def open(self) -> MemoryTransport:
        return self.transport

    def link(self, peer: str) -> tuple[Port, Config]:
        program = self._program
        dials = program.roles.index(peer) < program.roles.index(program.role)
        config = Config(
            program.role,
            peer,
            dials,
            bytes.fromhex(program.protocol),
            "",
            connect=self._milliseconds,
            end=self._milliseconds,
            seed=next(_numbers),
        )
        return self.transport.port(peer), config

    def farewell(self, why: str) -> None:
        """Threads of one process start together."""

    def close(self) -> None:
        self.transport.close(0)


def memory_links(programs: Sequence[Program], timeout: float) -> dict[str, MemoryLinks]:
    """The links of every role, by role."""
    links = {each.role: MemoryLinks(each, timeout) for each in programs}
    for one, two in itertools.combinations(links, 2):
        MemoryTransport.join((one, links[one].transport), (two, links[two].transport))
    return links


def _arguments(
    program: Program, options: Mapping[str, str], timeout: float, run_name: str
) -> list[str]:
    words = [f"--timeout={timeout:g}", *([f"--run={run_name}"] if run_name else [])]
    for name, value in given_to(program, options).items():
        words += [f"--{name}", value]
    return words


def given_to(program: Program, options: Mapping[str, str]) -> dict[str, str]:
    """The options of a role: its own; and of what several must be given alike, those of others
    that it has none of itself."""
    mine = {name: value for name, value in options.items()
            if name.partition(".")[0] == program.role}  # fmt: skip
    for each in program.parameters:
        for other in each.agreed:
            if f"{other}.{each.name}" in options:
                own = f"{program.role}.{each.name}"
                mine.setdefault(own, options[f"{other}.{each.name}"])
    return mine


class _Run:
    """One role in its thread."""

    def __init__(
        self,
        program: Program,
        links: Links | None,
        arguments: list[str],
        stdin_by_role: Mapping[str, str],
    ) -> None:
        self.program = program
        self.thread = threading.Thread(target=self._body, name=program.role, daemon=True)
        self._links = links
        self._arguments = arguments
        stdin = stdin_by_role.get(program.role, "")
        self._streams = _Streams(_stream(stdin), _stream(), _stream())
        self._status = EXIT_TIMED_OUT

    def _body(self) -> None:
        _of_thread.streams = self._streams
        if self._links is None:
            self._status = self.program.join(self._arguments)
        else:
            self._status = self.program.start(self._links, self._arguments)

    def stop(self) -> None:
        """Raise an exception in a thread that has not ended, as nothing else can end it."""
        if not self.thread.is_alive():
            return
        identity = ctypes.c_ulong(self.thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(SystemExit))
        self.thread.join(1)
        self._status = EXIT_TIMED_OUT

    def outcome(self) -> Outcome:
        return Outcome(_text(self._streams.stdout), self._status, _text(self._streams.stderr))


class _Streams(NamedTuple):
    stdin: io.TextIOWrapper
    stdout: io.TextIOWrapper
    stderr: io.TextIOWrapper


def _stream(text: str = "") -> io.TextIOWrapper:
    """A text stream in memory, with a `buffer` as those of a process have."""
    data = io.BytesIO(text.encode("utf-8", "surrogateescape"))
    return io.TextIOWrapper(data, "utf-8", "surrogateescape", newline="\n", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    """What was written to a stream; a program may have closed it."""
    if stream.closed:
        return ""
    stream.flush()
    stream.seek(0)
    return stream.read()


_of_thread = threading.local()


class _ByThread:
    """Stands in for sys.stdin, stdout or stderr: the thread's own stream if it has one."""

    def __init__(self, name: str, original: object) -> None:
        self._name = name
        self._original = original

    def __getattr__(self, attribute: str) -> Any:
        streams = getattr(_of_thread, "streams", None)
        stream = self._original if streams is None else getattr(streams, self._name)
        return getattr(stream, attribute)

    def __iter__(self) -> Iterator[str]:
        return iter(self.readline, "")


@contextlib.contextmanager
def _streams_by_thread() -> Iterator[None]:
    names = ("stdin", "stdout", "stderr")
    originals = {name: getattr(sys, name) for name in names}
    for name, original in originals.items():
        setattr(sys, name, _ByThread(name, original))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(sys, name, original)


def main(arguments: Sequence[str]) -> int:
    """The command line: prints a JSON object of outcomes by role."""
    lacking = require_packages()
    if lacking or not arguments or arguments[0].startswith("-"):
        print(lacking or "usage: python3 -m pychoral.harness DIR [OPTION ...]", file=sys.stderr)
        return EXIT_USAGE
    programs = load(arguments[0])
    try:
        outcomes = _run_with(programs, arguments[1:])
    except (UsageError, OSError) as fault:
        print(fault, file=sys.stderr)
        return EXIT_USAGE
    print(json.dumps({role: outcome._asdict() for role, outcome in outcomes.items()}, indent=2))
    return max((outcome.status for outcome in outcomes.values()), default=0)


def _run_with(programs: Sequence[Program], arguments: Sequence[str]) -> dict[str, Outcome]:
    names = ["timeout"]
    for program in programs:
        names.append(f"{program.role}.stdin")
        names += [f"{program.role}.{each.name}" for each in program.parameters]
    options = dict(parse(arguments, names, ()))
    timeout = float(options.pop("timeout", "30"))
    stdin = {}
    for program in programs:
        path = options.pop(f"{program.role}.stdin", None)
        if path is not None:
            stdin[program.role] = pathlib.Path(path).read_text(encoding="utf-8")
    return run_threads(programs, options, stdin, timeout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
