"""The default hooks and the helpers of emitted text: native where `_fast` is built, else in Python.

NATIVE says which.  The identity overload: a program that is virtualized with it does what it did.
"""

from __future__ import annotations

import importlib

from . import py_plain
from .py_plain import *  # noqa: F403
from .signals import BREAK, CONTINUE, UNBOUND, Raised

__all__ = [name for name in vars(py_plain) if not name.startswith("_")] + ["NATIVE"]

try:
    _native = importlib.import_module("._fast", __package__)
except ImportError:
    NATIVE = False
else:
    NATIVE = True
    globals().update({
        name: value for name, value in vars(_native).items()
        if name in vars(py_plain) and not name.startswith("__")
    })  # fmt: skip
    # The forms that wait are in Python, and trim tracebacks as the others do.
    setattr(py_plain, "trim", vars(_native)["trim"])
    box_of = py_plain.make_box_of(vars(_native)["init"], vars(_native)["assign"])
    reboxed = py_plain.make_reboxed(vars(_native)["assign"])
    named = py_plain.make_named(vars(_native)["assign"])
    read_free = py_plain.make_read_free(vars(_native)["read"])
    box_ref_free = py_plain.make_free_ref(vars(_native)["assign"], vars(_native)["delete"])
