"""Gradients at run time, arrays, and what programs in the seven modes of `pychoralc grad` stand on.

`grad`, `value_and_grad`, `jvp` and `vjp` are in gradient.py, arrays in array_language.py.

`shift` and `reset` have one-shot continuations, made of threads: a reset runs its body in a thread
of its own and waits; a shift hands its handler to the side that waits; the continuation, called
once, lets the body go on and waits again.
"""

import copy
import dataclasses
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from pychoral.gradient import grad as grad
    from pychoral.gradient import jvp as jvp
    from pychoral.gradient import value_and_grad as value_and_grad
    from pychoral.gradient import vjp as vjp

T = TypeVar("T")


class Ref(Generic[T]):
    """A cell that can be assigned to."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def get(self) -> T:
        return self.value

    def set(self, value: T) -> None:
        self.value = value

    def add(self, value: T) -> None:
        self.value = self.value + value  # type: ignore[operator]

    def __repr__(self) -> str:
        return f"Ref({self.value!r})"


@dataclasses.dataclass(frozen=True)
class Inl(Generic[T]):
    """The left side of a sum."""

    value: T


@dataclasses.dataclass(frozen=True)
class Inr(Generic[T]):
    """The right side of a sum."""

    value: T


def throw(exception: BaseException) -> NoReturn:
    """`raise`, as an expression."""
    raise exception


# ---- shift and reset ----


class _Reset:
    """A body that runs in its own thread, and what it last said."""

    def __init__(self, body: Callable[[], Any]) -> None:
        self.body = body
        self.turn = threading.Semaphore(0)
        self.said = threading.Semaphore(0)
        self.handler: Callable[[Any], Any] | None = None
        self.answer: Any = None
        self.failure: BaseException | None = None

    def run(self) -> None:
        _here.reset = self
        self.turn.acquire()
        try:
            self.answer = self.body()
        except BaseException as failure:        # it goes on in the thread that waits
            self.failure = failure
        self.said.release()

    def go_on(self) -> Any:
        """Lets the body run until it shifts or ends, and answers for it."""
        self.turn.release()
        self.said.acquire()
        if self.failure is not None:
            raise self.failure
        handler, self.handler = self.handler, None
        return self.answer if handler is None else handler(_Continuation(self))


class _Continuation:
    def __init__(self, reset: _Reset) -> None:
        self.reset = reset
        self.used = False

    def __call__(self, value: Any) -> Any:
        if self.used:
            raise RuntimeError("a continuation of shift can be called only once")
        self.used = True
        self.reset.answer = value
        return self.reset.go_on()


_here = threading.local()


def reset(body: Callable[[], Any]) -> Any:
    delimited = _Reset(body)
    threading.Thread(target=delimited.run, daemon=True).start()
    return delimited.go_on()


def shift(handler: Callable[[Callable[[Any], Any]], Any]) -> Any:
    here: _Reset | None = getattr(_here, "reset", None)
    if here is None:
        raise RuntimeError("shift is called outside of reset")
    here.handler = handler
    here.said.release()
    here.turn.acquire()
    return here.answer


# ---- the arguments of a differentiated function ----


class _Copier:
    """Copies a structure with its sharing; `leaf` says what becomes of its floats.

    Tuples and frozen dataclasses are values: that two are one object means nothing.
    """

    def __init__(self, leaf: Callable[[Any], Any]) -> None:
        self.leaf = leaf
        self.made: dict[int, Any] = {}
        self.kept: list[Any] = []               # so that no identity is used twice

    def copy(self, value: Any) -> Any:
        if isinstance(value, (float, _Place)):
            return self.leaf(value)
        if isinstance(value, tuple):
            return tuple(self.copy(part) for part in value)
        if id(value) in self.made:
            return self.made[id(value)]
        self.kept.append(value)
        if isinstance(value, list):
            items: list[Any] = []
            self.made[id(value)] = items
            items.extend(self.copy(item) for item in value)
            return items
        if isinstance(value, Ref):
            cell: Ref[Any] = Ref(None)
            self.made[id(value)] = cell
            cell.value = self.copy(value.value)
            return cell
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self.record(value)
        return value

    def record(self, value: Any) -> Any:
        twin = copy.copy(value)
        if not value.__dataclass_params__.frozen:
            self.made[id(value)] = twin
        for field in dataclasses.fields(value):
            object.__setattr__(twin, field.name, self.copy(getattr(value, field.name)))
        return twin


def scaled(gradient: Any, by: Any) -> Any:
    """A gradient with each of its numbers multiplied."""
    copier = _Copier(lambda number: number * by)
    parts = gradient if isinstance(gradient, tuple) else (gradient,)
    made = tuple(part * by if hasattr(part, "__array__") else copier.copy(part) for part in parts)
    return made if isinstance(gradient, tuple) else made[0]


class _Place:
    """Where a float was: its number in the list of all."""

    def __init__(self, number: int) -> None:
        self.number = number


class Inputs:
    """The arguments with a pair in the place of each float, and the gradient in their shape."""

    def __init__(self, *arguments: Any) -> None:
        self.values: list[float] = []
        places = _Copier(self.place)
        self.arguments = [places.copy(argument) for argument in arguments]
        self.cells: list[Ref[float]] = [Ref(0.0) for _ in self.values]
        self.pairs = _Copier(lambda place: (self.values[place.number], self.cells[place.number]))

    def place(self, value: float) -> _Place:
        self.values.append(value)
        return _Place(len(self.values) - 1)

    def pair(self, index: int) -> Any:
        """A copy of an argument with pairs of a value and the Ref of its cotangent."""
        return self.pairs.copy(self.arguments[index])

    def cotangents(self, *indices: int) -> Any:
        return self.answer([cell.value for cell in self.cells], indices)

    def tangents(self, function: Callable[..., Any], *indices: int) -> Any:
        """Runs the function for each float, which has the tangent 1.0 then."""
        derivatives = []
        for number in range(len(self.values)):
            pairs = _Copier(lambda place: (self.values[place.number],
                                           1.0 if place.number == number else 0.0))
            answer = function(*[pairs.copy(argument) for argument in self.arguments])
            derivatives.append(answer[1])
        return self.answer(derivatives, indices)

    def answer(self, derivatives: list[float], indices: tuple[int, ...]) -> Any:
        copier = _Copier(lambda place: derivatives[place.number])
        answers = tuple(copier.copy(self.arguments[index]) for index in indices)
        return answers[0] if len(answers) == 1 else answers


def __getattr__(name: str) -> Any:
    """What runs the compiler, and arrays, which need numpy, are loaded when they are asked for."""
    if name.startswith("_"):
        raise AttributeError(name)
    if name in ("grad", "value_and_grad", "jvp", "vjp"):
        from pychoral import gradient
        return getattr(gradient, name)
    from pychoral import array_language
    return getattr(array_language, name)
