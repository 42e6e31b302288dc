"""`pychoralc grad --check`: a generated derivative against central differences at random points.

The exit status is 0 if all agree, 1 if one does not or no point was found.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import importlib.util
import inspect
import random
import signal
import sys
import types
import typing
from collections.abc import Callable
from typing import Any

from pychoral.compared_arrays import Shape, Sizes, shapes

POINTS, TRIES = 8, 1000
SECONDS, SLOW = 1.0, 10     # of CPU for a point, and so many points that take longer
LIMIT = 1e-6
MANY = 40                   # derivatives of a point that are compared
DEPTH = 4
STEP = 1e-4
ERRORS = (ArithmeticError, LookupError, ValueError, AssertionError, NameError, RuntimeError)


class NoPoint(Exception):
    """Here differences have no meaning."""


class WrongNumber(Exception):
    """There are more derivatives than floats, or fewer."""


class TooLong(BaseException):
    """At this point a loop ends late or never."""


def too_long(*_: object) -> None:
    raise TooLong


def point_text(given: list[Any]) -> str:
    shown = [repr(value.tolist() if is_array(value) else value) for value in given]
    return f"({', '.join(shown)})"


def members(declared: Any) -> tuple[Any, ...]:
    union = typing.get_origin(declared) in (typing.Union, types.UnionType)
    return typing.get_args(declared) if union else (declared,)


def hints(kind: Any) -> dict[str, Any]:
    found = typing.get_type_hints(kind, sys.modules[kind.__module__].__dict__)
    return {field.name: found[field.name] for field in dataclasses.fields(kind)}


def holds_float(declared: Any, seen: tuple[Any, ...] = ()) -> bool:
    if declared in seen:
        return False
    if isinstance(declared, Shape):
        return declared.kind == "Float"
    inner = list(typing.get_args(declared))
    if dataclasses.is_dataclass(declared):
        inner += hints(declared).values()
    return declared is float or any(holds_float(part, (*seen, declared)) for part in inner)


class Points:
    """Random values of the types of a function's parameters."""

    def __init__(self, texts: list[str]) -> None:
        self.random = random.Random(1)
        self.texts = texts or ["", "a"]
        self.sizes = Sizes(self.random)

    def point(self, declared: dict[str, Any]) -> list[Any]:
        """For each parameter one; an int that has the name of a size is that size."""
        self.sizes = Sizes(self.random)
        arrays = {name: self.sizes.array(kind) for name, kind in declared.items()
                  if isinstance(kind, Shape)}
        given = {name: self.sizes.named[name] if kind is int and name in self.sizes.named
                 else self.value(kind)
                 for name, kind in declared.items() if name not in arrays}
        return [(arrays if name in arrays else given)[name] for name in declared]

    def value(self, declared: Any, depth: int = 0) -> Any:
        kinds: list[Any] = list(members(declared))
        if depth >= DEPTH:
            kinds = [kind for kind in kinds if not dataclasses.is_dataclass(kind)
                     or not any(kind in members(part) for part in hints(kind).values())] or kinds
        if depth > DEPTH + 20:
            raise NoPoint
        kind = self.random.choice(kinds)
        if kind is float:
            return self.random.uniform(-2.0, 2.0)
        if kind is bool:
            return self.random.random() < 0.5
        if kind is int:
            return self.random.randrange(6)
        if kind is str:
            return self.random.choice(self.texts)
        if kind in (None, type(None)):
            return None
        arguments = typing.get_args(kind)
        if typing.get_origin(kind) is list:
            return [self.value(arguments[0], depth + 1) for _ in range(self.random.randrange(5))]
        if typing.get_origin(kind) is tuple:
            return tuple([self.value(part, depth + 1) for part in arguments])
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return self.random.choice(list(kind))
        if dataclasses.is_dataclass(kind):
            made = object.__new__(typing.cast(Any, kind))
            for name, part in hints(kind).items():
                object.__setattr__(made, name, self.value(part, depth + 1))
            return made
        raise NoPoint


def is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and hasattr(value, "flat")


def rebuilt(value: Any, change: Callable[[float], float]) -> Any:
    """A copy where each float is changed, in one order."""
    if isinstance(value, float):
        return change(value)
    if isinstance(value, list):
        return [rebuilt(part, change) for part in value]
    if isinstance(value, tuple):
        return tuple([rebuilt(part, change) for part in value])
    if is_array(value):
        array = value.copy()
        for i in range(array.size if array.dtype.kind == "f" else 0):
            array.flat[i] = change(float(array.flat[i]))
        return array
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        made = object.__new__(type(value))
        for field in dataclasses.fields(value):
            object.__setattr__(made, field.name, rebuilt(getattr(value, field.name), change))
        return made
    return value


def numbers(value: Any) -> list[float]:
    found: list[float] = []

    def note(number: float) -> float:
        found.append(number)
        return number

    rebuilt(value, note)
    return found


def picked(parts: list[list[float]], count: int, chosen: list[int]) -> list[list[float]]:
    if len(parts) != count:
        raise WrongNumber(len(parts))
    return [parts[which] for which in chosen]


class Check:
    def __init__(self, module: Any, function: str, wrt: list[str],
                 arrays: dict[str, Shape]) -> None:
        self.module, self.name = module, function
        self.function = getattr(module, function)
        types_of = typing.get_type_hints(self.function, module.__dict__)
        self.parameters = list(inspect.signature(self.function).parameters)
        self.types = {name: arrays.get(name, types_of[name]) for name in self.parameters}
        self.active = [name in wrt if wrt else holds_float(declared)
                       for name, declared in self.types.items()]
        self.real = types_of.get("return") is float             # an int may come out all the same
        self.worst: tuple[float, str] = (-1.0, "")
        self.count = 0
        self.random = random.Random(2)

    def moved(self, given: list[Any], which: int, by: float) -> list[Any]:
        """With one float of the active parameters moved."""
        count = -1

        def change(x: float) -> float:
            nonlocal count
            count += 1
            return x + by if count == which else x

        return [rebuilt(part, change if active else lambda x: x)
                for part, active in zip(given, self.active)]

    def answers(self, given: list[Any], which: int, by: float) -> list[float]:
        try:
            value = self.function(*self.moved(given, which, by))
            return numbers([float(value) if self.real and isinstance(value, int) else value])
        except TypeError as wrong:
            if "complex" in str(wrong):                     # a power that is no float
                raise NoPoint from wrong
            raise

    def difference(self, given: list[Any], which: int) -> list[float]:
        here = self.answers(given, which, 0.0)
        sides = [self.answers(given, which, by) for by in (STEP, -STEP, STEP / 2, -STEP / 2)]
        if any(len(side) != len(here) for side in sides):
            raise NoPoint
        found = []
        for h, (up, down, up2, down2) in zip(here, zip(*sides)):
            wide, narrow = (up - down) / (2 * STEP), (up2 - down2) / STEP
            scale = max(1.0, abs(h), abs(narrow))
            bent = abs((up - h) - (h - down)) / STEP
            noise = abs(h) * sys.float_info.epsilon / STEP
            if not (abs(wide - narrow) <= 1e-5 * scale and bent <= 0.1 * scale
                    and noise <= LIMIT / 10 * max(1.0, abs(narrow))):
                raise NoPoint       # a corner, too steep to judge, or too large beside its slope
            found.append((4 * narrow - wide) / 3)
        return found

    def derivatives(self, given: list[Any], count: int,
                    chosen: list[int]) -> list[list[float]]:
        """For each chosen float of the active parameters those of the result."""
        if hasattr(self.module, f"{self.name}_value_and_grad"):
            copy = rebuilt(tuple(given), lambda x: x)
            gradient = getattr(self.module, f"{self.name}_value_and_grad")(*copy)[1]
            return picked([[part] for part in numbers(gradient)], count, chosen)
        if hasattr(self.module, f"{self.name}_value_and_jacobian"):
            value, jacobian = getattr(self.module, f"{self.name}_value_and_jacobian")(*given)
            results = len(numbers(value))
            columns = [part.reshape(results, -1).T
                       for part in (jacobian if isinstance(jacobian, tuple) else (jacobian,))]
            return picked([list(map(float, column)) for part in columns for column in part],
                          count, chosen)
        found = []
        for which in chosen:
            place = iter(range(count))
            tangents = [rebuilt(part, lambda _: float(next(place) == which))
                        for part, active in zip(given, self.active) if active]
            copy = rebuilt(tuple(given), lambda x: x)
            found.append(numbers([getattr(self.module, f"{self.name}_jvp")(*copy, *tangents)[1]]))
        return found

    def compare(self, given: list[Any]) -> None:
        count = len(numbers([part for part, active in zip(given, self.active) if active]))
        chosen = sorted(self.random.sample(range(count), min(count, MANY)))
        wanted = [self.difference(given, which) for which in chosen]
        try:
            found = self.derivatives(given, count, chosen)
        except WrongNumber as number:
            self.worst = float("inf"), (f"there are {number} derivatives at {point_text(given)} "
                                        f"instead of {count}")
            return
        if [len(part) for part in found] != [len(part) for part in wanted]:
            self.worst = float("inf"), (f"the derivatives at {point_text(given)} are {found}, "
                                        f"finite differences give {wanted}")
            return
        for which, parts, differences in zip(chosen, found, wanted):
            for have, want in zip(parts, differences):
                scale = max([1.0, *[abs(x) for x in differences]])
                distance = abs(have - want) / scale
                distance = distance if distance == distance else float("inf")
                if distance > self.worst[0]:
                    self.worst = distance, (f"derivative {which + 1} at {point_text(given)} is "
                                            f"{have!r}, finite differences give {want!r}")
                self.count += 1

    def within_time(self, given: list[Any]) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)
        try:
            self.compare(given)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def run(self, points: Points) -> int:
        signal.signal(signal.SIGVTALRM, too_long)
        done = slow = tries = 0
        while tries < TRIES and done < POINTS and slow < SLOW:
            tries += 1
            before = self.count
            try:
                self.within_time(points.point(self.types))
                done += self.count > before or self.worst[0] == float("inf")
            except TooLong:
                slow += 1
            except (NoPoint, *ERRORS):
                pass
        if done == 0:
            late = f"; {slow} took more than {SECONDS:g} s" if slow else ""
            print(f"{self.name}: the derivative could not be computed at any of {tries} random "
                  f"points{late}")
            return 1
        distance, where = self.worst
        right = distance <= LIMIT
        what = "1 derivative" if self.count == 1 else f"{self.count} derivatives"
        at = "1 point" if done == 1 else f"{done} points"
        are = f"{'is' if self.count == 1 else 'are'} {'right' if right else 'WRONG'}"
        print(f"{self.name}: {what} at {at} {are}; largest relative error {distance:.1e}: "
              f"{where}")
        return 0 if right else 1


def texts_of(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    return sorted({node.value for node in ast.walk(tree)
                   if isinstance(node, ast.Constant) and isinstance(node.value, str)
                   and "\n" not in node.value and len(node.value) < 20})


def main(arguments: list[str]) -> int:
    path, source, function, wrt = arguments
    spec = importlib.util.spec_from_file_location("_derivative", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["_derivative"] = module
    try:
        spec.loader.exec_module(module)
    except ImportError as missing:          # numpy
        print(f"{function}: the derivative cannot be run: {missing}")
        return 1
    check = Check(module, function, [name for name in wrt.split(",") if name],
                  shapes(source, function))
    return check.run(Points(texts_of(source)))
