"""numpy's arrays on the wire (PROTOCOL.md 5.3): their head, their bytes, and back.

numpy is not imported before a value or an expected type needs it.
"""

from __future__ import annotations

import importlib
import struct
import sys
from typing import Any

from .errors import NotSendable, Unreadable, WireError
from .forms import EXT_NDARRAY, LARGE, LONG_MAX, Frame, extension, frame_reference

_MAX_DIMENSIONS = 32
_DTYPES = {
    1: "|b1", 2: "|i1", 3: "<i2", 4: "<i4", 5: "<i8", 6: "|u1", 7: "<u2", 8: "<u4", 9: "<u8",
    10: "<f4", 11: "<f8", 12: "<c8", 13: "<c16",
}  # fmt: skip
_CODES = {text[1:]: code for code, text in _DTYPES.items()}
_SIZES = {code: int(text[2:]) for code, text in _DTYPES.items()}
_BOOL = 1
_OTHER_DATA = "an array whose data is not of its shape"
_TRAVELLING = (
    "bool, int8 to int64, uint8 to uint64, float32, float64, complex64 and complex128"
)


def is_array(cls: type) -> bool:
    """Whether a class is numpy.ndarray itself; numpy is not imported to find out."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and cls is numpy.ndarray


def is_scalar(cls: type) -> bool:
    """Whether a class is one of numpy's scalars; numpy is not imported to find out."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and issubclass(cls, numpy.generic)


def python_value(scalar: Any) -> Any:
    """The Python value that a numpy scalar stands for."""
    value = scalar.item()
    if type(value) not in (bool, int, float, complex, str, bytes):
        raise NotSendable(f"a numpy.{type(scalar).__name__}, which has no Python equivalent")
    return value


# --- sending --------------------------------------------------------------------------------------


def lower(value: Any, out: list[Frame]) -> Any:
    """The raw form of an array; large data goes to the frames `out`."""
    head = _head_of(value)
    if value.nbytes < LARGE:
        return extension(EXT_NDARRAY, head + _bytes_of(value))
    out.append(_borrowed(value) if _is_constant(value) else _bytes_of(value))
    return frame_reference(EXT_NDARRAY, len(out) - 1, head)


def _head_of(value: Any) -> bytes:
    code = _CODES.get(value.dtype.str[1:], 0)
    if not code:
        raise NotSendable(f"an array of {value.dtype}; arrays that can be sent are of "
                          f"{_TRAVELLING}")
    return struct.pack(f">BB{value.ndim}Q", code, value.ndim, *value.shape)


def _bytes_of(value: Any) -> bytes:
    """A copy, so that the program may go on writing to the array."""
    little = value.astype(value.dtype.newbyteorder("<"), copy=False)
    data: bytes = little.tobytes()
    return data


def _is_constant(value: Any) -> bool:
    """Whether nobody can write to the array's memory any more: then it need not be copied.

    So it is with arrays that were received: they stand on bytes or on a message.
    """
    if not value.flags.c_contiguous or value.dtype.str[0] == ">":
        return False
    ndarray = type(value)
    while isinstance(value, ndarray):
        if value.flags.writeable:
            return False
        value = value.base
    if isinstance(value, memoryview):
        value = value.obj if value.readonly else None
    return isinstance(value, bytes) or type(value).__module__.partition(".")[0] == "zmq"


def _borrowed(value: Any) -> memoryview:
    data: memoryview = value.reshape(-1).view(sys.modules["numpy"].uint8).data
    return data


# --- receiving ------------------------------------------------------------------------------------


def numpy_here() -> Any:
    """The module; raises WireError if this program has not got it."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        missing = "a value without arrays, because numpy is not installed"
        raise WireError(missing, "an array") from None


def split(body: bytes) -> tuple[bytes, bytes]:
    """An array in the value itself: its head and its data."""
    length = 2 + 8 * body[1] if len(body) > 1 else 0
    head, data = body[:length], body[length:]
    if len(data) >= LARGE:
        raise Unreadable("a large part without a separate frame")
    return head, data


def read(head: bytes, data: Frame) -> Any:
    """The array, read only.  It stands on `data`."""
    code, shape = _read_head(head)
    count = 1
    for dimension in shape:
        count *= dimension
    if count * _SIZES[code] != len(data):
        raise Unreadable(_OTHER_DATA)
    numpy = numpy_here()
    if code == _BOOL and count and numpy.frombuffer(data, numpy.uint8).max() > 1:
        raise Unreadable("an array of bools with something else in it")
    # Not only the array is read only but what it stands on, so that nobody can undo it: in one
    # process a message may still be what its sender keeps until it is acknowledged.
    return numpy.frombuffer(memoryview(data).toreadonly(), _DTYPES[code]).reshape(shape)


def _read_head(head: bytes) -> tuple[int, tuple[int, ...]]:
    """dtype code and dimensions, checked before anything is made of them."""
    if len(head) < 2 or head[0] not in _DTYPES or head[1] > _MAX_DIMENSIONS:
        raise Unreadable("an array without dtype and shape")
    if len(head) != 2 + 8 * head[1]:
        raise Unreadable("an array without dtype and shape")
    shape = struct.unpack_from(f">{head[1]}Q", head, 2)
    size = _SIZES[head[0]]
    for dimension in shape:
        size *= dimension or 1
        if size > LONG_MAX:
            raise Unreadable(_OTHER_DATA)
    return head[0], shape
