"""The array language in numpy: what its forms are called and do.

A program that is given to `pychoralc grad`, and every stage that the compiler prints of it, runs
on these functions. `gather` gives 0 where a place is out of range; `scatter` drops what goes there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Place = int | Sequence[int]


class _Shaped:
    """`Float[Array, "n k"]`: an array with the shape in its type."""

    def __class_getitem__(cls, of: tuple[object, str]) -> object:
        return Annotated[of[0], of[1]]


class Float(_Shaped):
    """Of floats."""


class Int(_Shaped):
    """Of integers."""


class Bool(_Shaped):
    """Of booleans."""


def _tuple(x: Any) -> tuple[int, ...]:
    return tuple(int(i) for i in x) if isinstance(x, (tuple, list)) else (int(x),)


def build(shape: Place, f: Callable[..., Any]) -> Any:
    """The array of f(i, ..) for all indices below the shape."""
    sizes = _tuple(shape)
    places = list(np.ndindex(*sizes))
    if not places:
        inner = np.asarray(f(*(0 for _ in sizes))) if _safe(f, len(sizes)) else np.zeros(())
        return np.zeros(sizes + inner.shape)
    values = [np.asarray(f(*place)) for place in places]
    return np.array(values).reshape(sizes + values[0].shape)


def _safe(f: Callable[..., Any], rank: int) -> bool:
    try:
        f(*(0 for _ in range(rank)))
    except (IndexError, ValueError, ZeroDivisionError):
        return False
    return True


def _inside(place: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return all(0 <= i < size for i, size in zip(place, shape))


def gather(shape: Place, x: Any, f: Callable[..., Any]) -> Any:
    """The elements of x at the places f(i, ..); 0 where one is out of range."""
    x = np.asarray(x)
    sizes = _tuple(shape)
    result = np.zeros(sizes, dtype=x.dtype)
    count = f.__code__.co_argcount
    for indices in np.ndindex(*sizes[:count]):
        place = _tuple(f(*indices))
        if _inside(place, x.shape):
            result[indices] = x[place]
    return result


def scatter(shape: Place, x: Any, f: Callable[..., Any]) -> Any:
    """The elements of x added up at the places f(i, ..); those out of range are dropped."""
    x = np.asarray(x)
    sizes = _tuple(shape)
    result = np.zeros(sizes, dtype=np.int64 if x.dtype == bool else x.dtype)
    count = f.__code__.co_argcount
    for indices in np.ndindex(*x.shape[:count]):
        place = _tuple(f(*indices))
        if _inside(place, sizes):
            result[place] += x[indices]
    return result


def one_hot(shape: Place, place: Place, x: Any) -> Any:
    """x at one place, 0 elsewhere."""
    return scatter(shape, x, lambda: place)


def put_at(x: Any, axes: Sequence[int], place: Place, y: Any, test: Any, adds: bool) -> Any:
    """x with y at one place of these dimensions, or with y added there, if the test is true."""
    x = np.array(x)
    where: list[Any] = [slice(None)] * x.ndim
    for axis, p in zip(axes, _tuple(place)):
        where[axis] = p
    if test:
        x[tuple(where)] = x[tuple(where)] + y if adds else y
    return x


def loop(size: int, f: Callable[..., Any], before: Sequence[Any], which: int,
         down: bool = False) -> Any:
    """Rounds of states: f(i, *states) answers what they become, then what is kept of the round.
    The result is a state after all rounds, or an array of what was kept."""
    states, kept = list(before), [None] * size
    for i in reversed(range(size)) if down else range(size):
        values = f(i, *states)
        states = list(values[:len(states)])
        kept[i] = values[which]
    return states[which] if which < len(states) else np.array(kept)


def replicate(size: int, x: Any) -> Any:
    """x, `size` times, as a new outermost dimension."""
    x = np.asarray(x)
    return np.broadcast_to(x, (size, *x.shape)).copy()


def transpose(axes: Sequence[int], x: Any) -> Any:
    """Dimension q is dimension axes[q] of x; those behind the axes stay."""
    x = np.asarray(x)
    return np.transpose(x, (*axes, *range(len(axes), x.ndim)))


def reshape(shape: Place, x: Any) -> Any:
    """The same elements, row by row, in another shape."""
    return np.reshape(x, _tuple(shape))


def stack(*parts: Any) -> Any:
    """Arrays of one shape as one array."""
    return np.stack([np.asarray(part) for part in parts])


def where(test: Any, x: Any, y: Any) -> Any:
    """A selection; both x and y are evaluated."""
    return np.where(test, x, y)


def sum_outer(x: Any) -> Any:
    """The sum over the outermost dimension."""
    return np.sum(x, axis=0)


def max_outer(x: Any) -> Any:
    """The largest along the outermost dimension."""
    return np.max(x, axis=0)


def min_outer(x: Any) -> Any:
    """The smallest along the outermost dimension."""
    return np.min(x, axis=0)


def argmax_outer(x: Any) -> Any:
    """Where the largest is; of a tie the first."""
    return np.argmax(x, axis=0)


def argmin_outer(x: Any) -> Any:
    """Where the smallest is; of a tie the first."""
    return np.argmin(x, axis=0)


def argsort_outer(x: Any) -> Any:
    """The places along the outermost dimension from the least to the largest; equal ones stay in
    their order, NaN comes last."""
    return np.argsort(x, axis=0, kind="stable")
