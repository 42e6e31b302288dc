"""The calls that the programs of this folder are differentiated at: comments `#= f(1.5, 3)`."""

import dataclasses
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
# `regress` has what once had a wrong gradient, or none.
PROGRAMS = sorted([*(HERE / "programs").glob("*.py"), *(HERE / "regress").glob("*.py")])
CALL = re.compile(r"^#= ((\w+)\(.*\))$", re.MULTILINE)


def load(path: Path, name: str, names: dict[str, Any] | None = None) -> ModuleType:
    """Runs a program as a module; `names` are there before it."""
    spec = importlib.util.spec_from_loader(name, None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    sys.modules[name] = module
    module.__dict__.update(names or {})
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    return module


def calls(path: Path) -> Iterator[tuple[str, str]]:
    """The text of each call, and its function."""
    for match in CALL.finditer(path.read_text(encoding="utf-8")):
        yield match[1], match[2]


def arguments(module: ModuleType, text: str, function: str) -> tuple[Any, ...]:
    """What the call gives to the function; classes are the module's."""
    names = dict(module.__dict__)
    names[function] = lambda *given: given
    result: tuple[Any, ...] = eval(text, names)
    return result


def leaves(value: Any, change: Callable[[Any], Any]) -> None:
    """Puts `change(x)` in place of each float that the arguments (a list) hold, once each."""
    seen: set[int] = set()

    def new(part: Any) -> Any:
        if isinstance(part, (float, NUMBERS[0])):
            return change(part)
        if isinstance(part, tuple):
            return tuple(new(item) for item in part)
        if dataclasses.is_dataclass(part) and type(part).__dataclass_params__.frozen:
            names = [field.name for field in dataclasses.fields(part)]
            return type(part)(*[new(getattr(part, name)) for name in names])
        if id(part) in seen:
            return part
        seen.add(id(part))
        if isinstance(part, list):
            for i, item in enumerate(part):
                part[i] = new(item)
        elif dataclasses.is_dataclass(part):
            for field in dataclasses.fields(part):
                setattr(part, field.name, new(getattr(part, field.name)))
        return part

    new(value)


# What counts as a float besides those of Python: golden.py puts its own numbers here.
NUMBERS: list[type] = [float]


def numbers(value: Any) -> list[Any]:
    """The floats of a value, in the order of `leaves`."""
    found: list[Any] = []

    def note(number: Any) -> Any:
        found.append(number)
        return number

    leaves([value], note)
    return found
