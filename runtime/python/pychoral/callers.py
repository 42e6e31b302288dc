"""Where the program's own code is: what runs below the code of this package."""

from __future__ import annotations

import os
import sys
from types import FrameType

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def is_inside(file: str) -> bool:
    """Whether code belongs to this package."""
    return os.path.dirname(os.path.abspath(file)) == _PACKAGE or file.startswith("<frozen")


def calling_frame() -> FrameType:
    """The program's own code that is running, below the code of this package."""
    frame = sys._getframe()
    while frame.f_back is not None and is_inside(frame.f_code.co_filename):
        frame = frame.f_back
    return frame
