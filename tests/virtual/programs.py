"""Running small programs plainly and virtualized, in this process: what they print and raise."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pychoral.virtual import VirtualizationError, py_defaults
from pychoral.virtual.converting import bindings, request
from pychoral.virtual.loader import load_module

HERE = Path(__file__).parent
ROW = re.compile(
    r'HOOK\((\w+),\s*"(\w+)",\s*(\w+),\s*"([^"]*)",\s*([\w()]+),\s*(\w+),\s*(\w+),'
)
# The rows of the table of hooks: id, name, group, parameters, arity, forms, status.
ROWS = ROW.findall((HERE.parents[1] / "compiler/virtualize/hook.def").read_text())
READY = {name for _, name, *_, status in ROWS if status == "READY"}
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
Run = Callable[[dict[str, Any]], None]


class Way(NamedTuple):
    """How a program is virtualized."""

    name: str
    overload: Any
    hooks: str
    mode: str


WAYS = [
    Way("nonlocal", py_defaults, "all", "nonlocal"), Way("light", py_defaults, "light", "nonlocal"),
    Way("rest", py_defaults, "all,rest", "nonlocal"),
]
if "init" in READY:
    WAYS.append(Way("boxed", py_defaults, "all,var", "boxed"))


def sections(file: Path) -> Iterator[tuple[str, str]]:
    """The programs of a file: each begins with a line `# --- what it is about`."""
    parts = re.split(r"(?m)^# --- (.*)\n", file.read_text())[1:]
    return zip(parts[::2], parts[1::2])


def outcome(run: Run) -> str:
    """What a program prints, and what it raises."""
    printed = io.StringIO()
    names = {"__name__": "program", "__builtins__": __builtins__}
    sys.modules["program"] = type(sys)("program")
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run(names)
        except VirtualizationError:
            raise
        except BaseException as error:
            print(f"raised {type(error).__name__}: {error}")
    return ADDRESS.sub("0x", printed.getvalue())


def compiled(source: str, filename: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(source, filename, "exec", dont_inherit=True)


def plainly(source: str, filename: str) -> str:
    return outcome(lambda names: exec(compiled(source, filename), names))


def virtually(source: str, filename: str, way: Way) -> str:
    asked = request(source.encode(), filename, way.overload, way.hooks, way.mode, None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bound, code = load_module(asked)

    def run(names: dict[str, Any]) -> None:
        names.update(bindings(way.overload, bound))
        exec(code, names)

    return outcome(run)


def differences(source: str, filename: str, ways: list[Way] = WAYS) -> Iterator[str]:
    """How the program differs from itself when it is virtualized, in each way."""
    plain = plainly(source, filename)
    for way in ways:
        try:
            found = virtually(source, filename, way)
        except Exception as error:
            yield f"{way.name}: {type(error).__name__}: {error}"
            continue
        if found != plain:
            yield f"{way.name}:\n  plain: {plain!r}\n  here:  {found!r}"


def namespace(source: str, overload: Any, mode: str | None = None) -> dict[str, Any]:
    """The names of a module that is virtualized with the hooks that the overload defines."""
    bound, code = load_module(request(source.encode(), "module.py", overload, None, mode, None))
    names: dict[str, Any] = {"__name__": "module", **bindings(overload, bound)}
    exec(code, names)
    return names
