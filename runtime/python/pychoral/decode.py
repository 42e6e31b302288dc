"""Frames to values: the receiving half of the wire codec (PROTOCOL.md section 5).

MessagePack is unpacked into a raw tree (forms.py), and a *reader* made from the expected type
(readers.py) checks the tree and builds the program's value from it.  The peer chooses nothing:
readers know the classes they may build, an object is built from its fields without a call of
`__init__`, and limits are checked before memory is taken.

A value has one form only.  msgpack takes longer ones too, so what it read is packed again and
compared: the only check that knows no exceptions, at the price of packing (a fifth of the whole).
Dataclasses of plain fields do not come here if they are right (records.reading).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any

from . import price
from .errors import Unreadable, WireError
from .forms import (
    EXT_DATACLASS,
    EXT_FRAME,
    LARGE,
    MARKERS,
    MAX_BYTES,
    MAX_DEPTH,
    MOST_ALIKE,
    SMALL,
    UNREADABLE,
    Frame,
    are_crowded,
    class_mark,
    member_names,
    msgpack,
    pack_number,
    read_reference,
    read_uints,
    take_up,
    total_size,
)
from .typetable import TypeTable

# Heads of arrays that claim more items than there are cost 16 MB at most.
_UNCHECKED_ITEMS = 1 << 21
_CLAIMING = (b"\xdc", b"\xdd", b"\xde", b"\xdf")


class Decoder:
    """Reads values into those of one program, whose classes are those of `table`."""

    def __init__(self, table: TypeTable, most: int = price.USUAL) -> None:
        self._table = table
        self._most = most
        self._small_size = min(SMALL, most // price.MOST_A_BYTE)
        self._pairs: list[tuple[Any, Any, Any]] = []
        self._classes: dict[bytes, type] = {}
        self._members: dict[bytes, enum.Enum] = {}
        marks = {(mark.code, mark.data): mark for mark in MARKERS if mark is not None}
        classes: dict[bytes, Any] = {}
        for number in range(len(table)):
            cls = table.class_of(number)
            if cls is not None:
                mark = class_mark(number, cls)
                classes[mark.data] = mark

        def extension(code: int, body: bytes) -> Any:
            # By code first: bodies are as long as a peer likes, and hashed when they are looked up.
            if code == EXT_DATACLASS:
                return classes.get(body) or take_up(code, body)
            return (not body and marks.get((code, body))) or take_up(code, body)

        self._extension: Any = extension

    # --- the raw tree ---

    def raw_tree(self, frames: Sequence[Frame]) -> Any:
        """The raw tree in the first frame; the others are referred to in order."""
        data = frames[0]
        if len(frames) == 1 and type(data) is bytes and len(data) <= self._small_size:
            return self._small(data)
        return self._large(data if type(data) is bytes else bytes(data), frames)

    def _small(self, data: bytes) -> Any:
        # Packing may run the program's code (finalizers), so no two do it with one pair of these.
        try:
            pair = self._pairs.pop()
        except IndexError:
            pair = self._new_pair()
        feed, unpack, pack = pair
        try:
            feed(data)
            raw = unpack()
            same = pack(raw) == data
        except UNREADABLE as fault:
            raise _unreadable(fault) from None
        if not same:  # and there may be something left in the unpacker, so it is dropped
            raise _not_canonical(data)
        self._pairs.append(pair)
        return raw

    def _new_pair(self) -> tuple[Any, Any, Any]:
        """What unpacks and packs small messages: feed, unpack, pack."""
        unpacker = msgpack.Unpacker(
            ext_hook=self._extension, use_list=False, strict_map_key=False, max_buffer_size=SMALL
        )
        return unpacker.feed, unpacker.unpack, msgpack.Packer(default=pack_number).pack

    def _large(self, data: bytes, frames: Sequence[Frame]) -> Any:
        size, hook = len(data), self._extension
        if len(frames) > 1:
            size, hook = total_size(frames), _References(frames, self._extension)
        _check_size(size, data)
        if size > self._most // price.MOST_A_BYTE:
            return self._priced(data, frames)
        try:
            try:
                raw = msgpack.unpackb(data, ext_hook=hook, use_list=False)
            except ValueError as fault:
                if "strict_map_key" not in str(fault):
                    raise
                hook = _References(frames, self._extension)
                raw = msgpack.unpackb(
                    data,
                    ext_hook=hook,
                    use_list=False,
                    strict_map_key=False,
                    object_pairs_hook=_dict_of,
                )
            same = msgpack.packb(raw, default=pack_number) == data
        except UNREADABLE as fault:
            raise _unreadable(fault) from None
        if not same:
            raise _not_canonical(data)
        if len(frames) > 1:
            hook.check_all()
        return raw

    def _priced(self, data: bytes, frames: Sequence[Frame]) -> Any:
        """What may be above the bound is paid for while it is unpacked."""
        hook = _References(frames, self._extension)
        purse = price.Purse(self._most - total_size(frames[1:]))

        def dict_of(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
            raw = _dict_of(pairs)
            purse.pay_for_items(raw)
            return raw

        try:
            raw = msgpack.unpackb(
                data, ext_hook=hook, use_list=False, object_pairs_hook=dict_of, **purse.hooks
            )
            if type(raw) not in (tuple, dict):
                purse.pay_for_items(raw)
            same = msgpack.packb(raw, default=pack_number) == data
        except price.Dear:
            raise price.too_dear(self._most) from None
        except UNREADABLE as fault:
            if "exceeds max_" in str(fault):
                raise price.too_dear(self._most) from None
            raise _unreadable(fault) from None
        if not same:
            raise _not_canonical(data)
        hook.check_all()
        return raw

    # --- the program's classes ---

    def class_of(self, body: bytes, expected: Iterable[type] = ()) -> type | None:
        """The class with the number in a marker; those `expected` need not be known otherwise."""
        cls = self._classes.get(body)
        if cls is not None:
            return cls
        numbers = read_uints(body, 1)
        if numbers is None:
            return None
        cls = self._table.class_of(numbers[0])
        if cls is not None:
            self._classes[body] = cls
            return cls
        return self._expected(numbers[0], expected)

    def member_of(self, body: bytes, expected: Iterable[type] = ()) -> enum.Enum | None:
        """The enum member with the numbers in `body`."""
        member = self._members.get(body)
        if member is not None:
            return member
        numbers = read_uints(body, 2)
        if numbers is None:
            return None
        known = self._table.class_of(numbers[0])
        cls = known or self._expected(numbers[0], expected)
        if cls is None or not issubclass(cls, enum.Enum):
            return None
        names = member_names(cls)
        if numbers[1] >= len(names):
            return None
        member = cls.__members__[names[numbers[1]]]
        if known is not None:
            self._members[body] = member
        return member

    def _expected(self, number: int, expected: Iterable[type]) -> type | None:
        return next((each for each in expected if self._table.number_of(each) == number), None)


class _References:
    """Takes up the extension values of a message with further frames, and counts the latter."""

    def __init__(self, frames: Sequence[Frame], make: Any) -> None:
        self._frames = frames
        self._make = make
        self._count = 0

    def __call__(self, code: int, body: bytes) -> Any:
        if code == EXT_FRAME:
            reference = read_reference(body)
            if reference is None or reference[1] != self._count:
                raise Unreadable("a wrong frame number")
            self._count += 1
            if self._count >= len(self._frames):
                raise Unreadable("a frame is missing")
            if len(self._frames[self._count]) < LARGE:
                raise Unreadable("a small part in a separate frame")
        return self._make(code, body)

    def check_all(self) -> None:
        if self._count != len(self._frames) - 1:
            raise Unreadable("a frame too many")


def _dict_of(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """A raw dict whose keys are not all str or bytes."""
    if len(pairs) > MOST_ALIKE and are_crowded([key for key, _ in pairs]):
        raise crowded("dict", "keys")
    return dict(pairs)


def _check_size(size: int, data: bytes) -> None:
    """Make sure that a message is not too long, and that its arrays and maps claim no more items
    than there is room for.

    msgpack takes memory for all items of an array once it has read its head, and arrays can be in
    each other.  Few heads can do little harm, and counting what may be one is cheap; else the bytes
    are walked over without building anything, so that every count is known to be backed.
    """
    if size > MAX_BYTES:
        raise WireError("a message within the size limit", f"one of {size} bytes")
    if sum(map(data.count, _CLAIMING)) * len(data) <= _UNCHECKED_ITEMS:
        return
    walker = msgpack.Unpacker(max_buffer_size=len(data))
    try:
        walker.feed(data)
        walker.skip()
    except UNREADABLE as fault:
        raise _unreadable(fault) from None


def _not_canonical(data: bytes) -> WireError:
    """Why what was read and packed again is not what came."""
    twice = False

    def dict_of(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
        nonlocal twice
        raw = _dict_of(pairs)
        twice |= len(raw) != len(pairs)
        return raw

    try:
        msgpack.unpackb(data, use_list=False, strict_map_key=False, object_pairs_hook=dict_of)
    except UNREADABLE as fault:
        return _unreadable(fault)
    longer = "an encoding longer than the shortest"
    return Unreadable("a dict with a duplicate key" if twice else longer)


def crowded(kind: str, parts: str) -> WireError:
    return WireError(f"a {kind}", f"one with more than {MOST_ALIKE} {parts} whose hashes collide")


def too_deep() -> WireError:
    return WireError(f"at most {MAX_DEPTH} nested levels", "a deeper value")


def _unreadable(fault: Exception) -> WireError:
    """What msgpack found, as the C runtime says it."""
    text = str(fault) or type(fault).__name__
    if isinstance(fault, msgpack.StackError):
        return too_deep()
    if isinstance(fault, UnicodeDecodeError):
        return Unreadable("text that is not UTF-8")
    if isinstance(fault, msgpack.FormatError):
        return Unreadable("a byte that begins no value")
    if isinstance(fault, msgpack.ExtraData):
        return Unreadable("extra bytes after the value")
    if isinstance(fault, msgpack.OutOfData) or "incomplete" in text or "exceeds max_" in text:
        return Unreadable("it is cut off")
    return Unreadable(text)


class Reading:
    """The state of one decode.

    depth      of arrays and maps around what is read now
    tries      effort left for ambiguous unions, if there were any
    convert    1: an int may stand for a float; 2: and either for a complex
    annotated  whether fields of dataclasses have the types that their class says
    large      whether there may be raw data that should have been in a frame of its own
    """

    depth = 0
    convert = 2
    annotated = True
    tries: int | None = None

    def __init__(self, decoder: Decoder, frames: Sequence[Frame]) -> None:
        self.decoder = decoder
        self.frames = frames

    @property
    def large(self) -> bool:
        return len(self.frames[0]) >= LARGE

    def spend(self) -> bool:
        """Make one more try, unless there are none left."""
        if self.tries is None:
            self.tries = 1000 + 4 * len(self.frames[0])
        self.tries -= 1
        return self.tries >= 0

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise too_deep()

    def leave(self) -> None:
        self.depth -= 1

    def frame(self, number: int) -> Frame:
        """A frame of raw data."""
        if number + 1 >= len(self.frames):
            raise Unreadable("a wrong frame number" if number else "a frame is missing")
        return self.frames[number + 1]
