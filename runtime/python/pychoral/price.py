"""The price of a value: about how many bytes of memory it takes (PROTOCOL.md section 5.5).

It is nominal and told by the form on the wire alone, so that both ends, in C too, find the same.
Of short messages no price is asked: no byte of the value's frame adds more than MOST_A_BYTE.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from .errors import UsageError, WireError
from .forms import (
    EXT_DATACLASS,
    EXT_FLOATS,
    EXT_FRAME,
    EXT_FROZENSET,
    EXT_INTS,
    EXT_NDARRAY,
    EXT_SET,
    EXT_TUPLE,
    LARGE,
    MAX_BYTES,
    ExtType,
    Frame,
)

_SCALAR, _TEXT = 16, 48
# What a container costs, and each of its items beside what that is.
_LIST, _DICT = (56, 8), (64, 100)
_MARKED = {
    EXT_TUPLE: _LIST,
    EXT_DATACLASS: (48, 16),
    EXT_SET: (64, 100),
    EXT_FROZENSET: (64, 100),
}
_SCALARS = frozenset([type(None), bool, int, float, complex])
_CONTAINERS = frozenset([tuple, list, dict])

MOST_A_BYTE = 164  # an item of a set, and a container
LEAST = 16 << 20  # that can be set: what the short ways take (plain.py, records.py) is below it
USUAL = 4 * MAX_BYTES
assert MOST_A_BYTE * LARGE < LEAST


def bound_of(text: str) -> int:
    """The value of `--max-decoded`; raises UsageError."""
    if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) >= LEAST):
        raise UsageError(
            f"--max-decoded must be a number of bytes in digits, from {LEAST} to 999999999999999, "
            f"not {text!r:.80}"
        )
    return int(text)


class Dear(Exception):
    """The price of a value is above the bound."""


class Purse:
    """What may still be spent; `hooks` are msgpack's, which pay for what has been read."""

    def __init__(self, most: int) -> None:
        self._left = most
        least_item = _LIST[1] + _SCALAR
        self.hooks: dict[str, Any] = {
            "list_hook": self._tuple,
            "max_array_len": max(0, most) // least_item + 1,  # and a marker
            "max_map_len": max(0, most) // _DICT[1],
            "strict_map_key": False,
        }

    def pay(self, price: int) -> None:
        self._left -= price
        if self._left < 0:
            raise Dear

    def pay_for_items(self, raw: Any) -> None:
        """For a container, without the containers in it; for others all of it."""
        self.pay(_own(raw) if type(raw) in _CONTAINERS else _leaf(raw))

    def _tuple(self, raw: tuple[Any, ...]) -> tuple[Any, ...]:
        self.pay_for_items(raw)
        return raw


def check(tree: Any, outside: Sequence[Frame], most: int) -> bool:
    """Whether a raw tree, with the frames behind the value, is within the bound."""
    purse = Purse(most - sum(map(len, outside)))
    left = [tree]
    try:
        while left:
            raw = left.pop()
            purse.pay_for_items(raw)
            if type(raw) is dict:
                left += _containers(raw)
                left += _containers(raw.values())
            elif type(raw) in _CONTAINERS:
                left += _containers(raw)
    except Dear:
        return False
    return True


def too_dear(most: int) -> WireError:
    return WireError(f"a value of at most {most} bytes in memory (--max-decoded)", "a larger one")


def _containers(items: Iterable[Any]) -> list[Any]:
    return [each for each in items if type(each) in _CONTAINERS]


def _own(raw: Any) -> int:
    """The price of a container and its items, without the containers in it."""
    count = len(raw)
    if type(raw) is dict:
        return _DICT[0] + _DICT[1] * count + _leaves(raw) + _leaves(raw.values())
    base, each = _LIST
    first = raw[0] if raw else None
    if isinstance(first, ExtType) and first.code in _MARKED:
        base, each = _MARKED[first.code]
        count -= 1
    return base + each * count + _leaves(raw)


def _leaves(items: Collection[Any]) -> int:
    if set(map(type, items)) <= _SCALARS:
        return _SCALAR * len(items)
    return sum(map(_leaf, items))


def _leaf(raw: Any) -> int:
    kind = type(raw)
    if kind in _CONTAINERS:
        return 0
    if kind is str:
        return _TEXT + (len(raw) if raw.isascii() else len(raw.encode()))
    if kind is bytes:
        return _TEXT + len(raw)
    return _extension(raw) if isinstance(raw, ExtType) else _SCALAR


def _extension(raw: Any) -> int:
    code, body = raw.code, raw.data
    is_outside = code == EXT_FRAME
    what = body[0] if is_outside and body else code
    size = 0 if is_outside else len(body)
    if code in _MARKED:
        return 0
    if what in (EXT_INTS, EXT_FLOATS):
        return _LIST[0] + size
    return _TEXT + size if is_outside or what == EXT_NDARRAY else _SCALAR
