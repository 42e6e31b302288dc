"""What a generated endpoint imports, and nothing else of the package; checkers see the stub."""

from . import standard  # before anything opens a file
from . import tracebacks
from .channel import Channel
from .errors import ChannelError, PeerStopped, UnexpectedSelection
from .local import narrow
from .options import Parameter, absent, channel, option
from .program import Program
from .unit import Unit

if standard.is_for_program():
    import gc
    import sys

    sys.excepthook = tracebacks.excepthook

    gc.freeze()  # it stays: the collector need not look through it at the end

__all__ = [
    "Channel",
    "ChannelError",
    "Parameter",
    "PeerStopped",
    "Program",
    "UnexpectedSelection",
    "Unit",
    "absent",
    "channel",
    "narrow",
    "option",
]
