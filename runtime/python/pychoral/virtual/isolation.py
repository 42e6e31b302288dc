"""Running a thunk and taking back what it did: `execute_isolated` and `isolated`.

`execute_isolated` restores variables.  `isolated` also restores objects: those changed by the hooks
`isolated.setitem`, `setattr_`, `delitem`, `delattr_`, by in-place operators, and by the methods of
list, dict, set and bytearray that `isolated.call` calls.  An overload that uses it takes these as
its own hooks.  A change that cannot be undone raises IsolationError before it is made.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any

from . import py_defaults
from .hooks import GROUPS, Var
from .rewriting import unbound
from .signals import UNBOUND, IsolationError

Variables = Iterable["Var | py_defaults.Box"]
Undo = Callable[[], None]


def execute_isolated(func: Callable[[], Any], variables: Variables) -> tuple[list[Any], Any]:
    """The values that `func` gives to the variables, and its result; the variables are restored."""
    variables = list(variables)
    before = [variable.val for variable in variables]
    try:
        result = func()
        return [variable.val for variable in variables], result
    finally:
        for variable, value in zip(variables, before):
            variable.val = value


class _Log:
    """What must be restored, once for each object."""

    def __init__(self) -> None:
        self._undo: list[Undo] = []
        self._known: dict[tuple[int, str], Any] = {}

    def keep(self, of: Any, part: str, undo: Callable[[], Undo]) -> None:
        if (id(of), part) not in self._known:
            self._known[id(of), part] = of
            self._undo.append(undo())

    def restore(self) -> None:
        for undo in reversed(self._undo):
            undo()


_log: ContextVar[_Log | None] = ContextVar("pychoral.virtual.isolation", default=None)


def _place() -> str:
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _refuse(what: str) -> IsolationError:
    return IsolationError(f"{_place()}: {what} cannot be undone inside an isolated branch")


def _list(of: Any) -> Undo:
    kept = list.copy(of)
    return lambda: list.__setitem__(of, slice(None), kept)


def _bytearray(of: Any) -> Undo:
    kept = bytes(of)
    return lambda: bytearray.__setitem__(of, slice(None), kept)


def _dict(of: Any) -> Undo:
    kept = dict.copy(of)

    def undo() -> None:
        dict.clear(of)
        dict.update(of, kept)

    return undo


def _set(of: Any) -> Undo:
    kept = set.copy(of)

    def undo() -> None:
        set.clear(of)
        set.update(of, kept)

    return undo


_KEPT: tuple[tuple[type, Callable[[Any], Undo]], ...] = (
    (list, _list), (dict, _dict), (set, _set), (bytearray, _bytearray),
)  # fmt: skip
_MUTATORS = {
    list: "append extend insert remove pop clear sort reverse "
    "__setitem__ __delitem__ __iadd__ __imul__ __init__",
    dict: "clear pop popitem setdefault update __setitem__ __delitem__ __ior__ __init__",
    set: "add remove discard pop clear update intersection_update difference_update "
    "symmetric_difference_update __iand__ __ior__ __isub__ __ixor__ __init__",
    bytearray: "append extend insert remove pop clear reverse "
    "__setitem__ __delitem__ __iadd__ __imul__ __init__",
}
_CHANGES = {getattr(owner, name) for owner, names in _MUTATORS.items() for name in names.split()}
_IN_PLACE = {
    name: f"__i{name[4:] if name.startswith('ibit') else name[1:]}__"
    for name in GROUPS["op"] if name.startswith("i") and name != "invert"
}  # fmt: skip
_UNCHANGING = (
    str, bytes, int, float, complex, tuple, frozenset, range, slice, type(None), memoryview, type,
)  # fmt: skip


def _keep_contents(log: _Log, of: Any, what: str) -> None:
    for owner, snapshot in _KEPT:
        if isinstance(of, owner):
            log.keep(of, "", lambda: snapshot(of))
            return
    raise _refuse(what)


def _keep_attribute(log: _Log, of: Any, name: str) -> None:
    found = next((vars(base)[name] for base in type(of).__mro__ if name in vars(base)), None)
    stores = hasattr(type(found), "__set__")
    if stores and not isinstance(found, types.MemberDescriptorType):
        raise _refuse(f"setting attribute `{name}`, which runs code of {type(of).__name__},")
    kept = vars(of).get(name, UNBOUND) if not stores else getattr(of, name, UNBOUND)

    def undo() -> None:
        if kept is not UNBOUND:
            setattr(of, name, kept)
        elif hasattr(of, name):
            delattr(of, name)

    log.keep(of, name, lambda: undo)


def _changes(f: Any) -> tuple[Any, Any]:
    """The object whose contents a call of `f` may change, and the method; None if there is none."""
    function, bound = unbound(f)
    is_method = isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType))
    if not bound or not is_method or isinstance(bound[0], _UNCHANGING):
        return None, None
    if isinstance(bound[0], tuple(_MUTATORS)) and function not in _CHANGES:
        return None, None
    return bound[0], function


class Isolated:
    """The function `isolated`, and the hooks that it needs."""

    def __call__(self, func: Callable[[], Any], variables: Variables) -> tuple[list[Any], Any]:
        """As `execute_isolated`; objects that the hooks below change are restored, too."""
        log = _Log()
        outer = _log.set(log)
        try:
            return execute_isolated(func, variables)
        finally:
            _log.reset(outer)
            log.restore()

    def setitem(self, o: Any, index: Any, value: Any) -> None:
        self._item(o, "setting an item")
        py_defaults.setitem(o, index, value)

    def delitem(self, o: Any, index: Any) -> None:
        self._item(o, "deleting an item")
        py_defaults.delitem(o, index)

    def setattr_(self, o: Any, name: str, value: Any) -> None:
        log = _log.get()
        if log is not None:
            _keep_attribute(log, o, name)
        setattr(o, name, value)

    def delattr_(self, o: Any, name: str) -> None:
        log = _log.get()
        if log is not None:
            _keep_attribute(log, o, name)
        delattr(o, name)

    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        log = _log.get()
        if log is None:
            return f(*args, **kwargs)
        if (f is setattr or f is delattr) and len(args) > 1:
            _keep_attribute(log, args[0], args[1])
        elif f is next:
            raise _refuse("`next`, which moves an iterator,")
        elif f in _CHANGES if isinstance(f, types.MethodDescriptorType) else False:
            _keep_contents(log, args[0], f"`{f.__qualname__}`")
        else:
            of, method = _changes(f)
            if method is not None:
                _keep_contents(log, of, f"`{type(of).__name__}.{method.__name__}`")
        return f(*args, **kwargs)

    def _item(self, o: Any, what: str) -> None:
        log = _log.get()
        if log is not None:
            _keep_contents(log, o, f"{what} of {type(o).__name__}")

    def __getattr__(self, name: str) -> Any:
        if name not in _IN_PLACE:
            raise AttributeError(name)
        operate = getattr(py_defaults, name)

        def in_place(a: Any, b: Any) -> Any:
            log = _log.get()
            if log is not None and hasattr(type(a), _IN_PLACE[name]):
                _keep_contents(log, a, f"an in-place operator of {type(a).__name__}")
            return operate(a, b)

        return in_place


isolated = Isolated()
