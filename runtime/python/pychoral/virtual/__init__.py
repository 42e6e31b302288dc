"""Python with overridable semantics: every construct becomes a call that an object can overload.

`convert(f, overload)` gives `f` with the hooks of the overload; with py_defaults it does what it
did.  The hooks are those of compiler/virtualize/hook.def.
"""

from . import py_defaults, staging
from .converting import convert, plain, virtualize
from .hooks import Var, hook
from .importer import install
from .isolation import execute_isolated, isolated
from .py_defaults import Box
from .rewriting import RewritingCallOverload
from .signals import BREAK, CONTINUE, UNBOUND, IsolationError, VirtualizationError

__all__ = [
    "BREAK", "CONTINUE", "UNBOUND", "Box", "IsolationError", "RewritingCallOverload", "Var",
    "VirtualizationError", "convert", "execute_isolated", "hook", "install", "isolated", "plain",
    "py_defaults", "staging", "virtualize",
]  # fmt: skip
