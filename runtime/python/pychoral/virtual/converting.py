"""`convert` and `virtualize`: one function, class or module with the semantics of an overload.

A converted function is a new function with the globals, the closure, the defaults and the
attributes of the one that was given; the hooks are further cells of its closure, so that one module
may use several overloads.  A converted class is a new class, as that of dataclass(slots=True) is; a
converted module is a new module object, which sys.modules does not know.
"""

from __future__ import annotations

import functools
import linecache
import sysconfig
import tokenize
import types
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar, cast

from . import py_defaults
from .compiler import Request
from .hooks import chosen, hook
from .loader import Wanted, load_function, load_module
from .signals import VirtualizationError

T = TypeVar("T")


def plain(function: T) -> T:
    """Decorator: the function is left as it is."""
    return function


def bindings(overload: Any, names: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """What the names of virtualized text stand for."""
    of_defaults = ("helper", "default")
    return {
        bound: getattr(py_defaults, name) if kind in of_defaults else hook(overload, name)
        for bound, kind, name in names
    }


def source_of(filename: str) -> bytes:
    """The source of a file, or of what linecache knows by that name (doctest, IPython)."""
    if not filename.startswith("<"):
        try:
            return Path(filename).read_bytes()
        except OSError:
            pass
    lines = linecache.getlines(filename)
    if not lines:
        raise VirtualizationError(f"there is no source of {filename}")
    text = "".join(lines)
    encoding, _ = tokenize.detect_encoding(BytesIO(text.encode()).readline)
    return text.encode(encoding)


def request(
    source: bytes, filename: str, overload: Any, hooks: Any, mode: str | None, line: int | None
) -> Request:
    names = chosen(overload, hooks)
    if not names:
        raise VirtualizationError(f"the overload {overload!r} defines no hook")
    if overload is py_defaults:
        names = (hooks or "all").split(",") if not isinstance(hooks, (list, tuple)) else [*hooks]
    return Request(source, filename, tuple(names), mode, line, overload is py_defaults)


# ---- functions ----


def _hooks_of(overload: Any, recursive: bool) -> Any:
    if not recursive:
        return overload
    if not hasattr(overload, "_pc_recursive"):
        return _Recursive(overload)
    return overload


class _Recursive:
    """An overload that converts what its program calls; the standard library stays as it is."""

    _pc_recursive = True

    def __init__(self, overload: Any) -> None:
        self._overload = overload
        self._call = getattr(overload, "call", py_defaults.call)
        self._made: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._overload, name)

    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self._call(self._converted(f), *args, **kwargs)

    def _converted(self, f: Any) -> Any:
        function = f.__func__ if isinstance(f, types.MethodType) else f
        if not isinstance(function, types.FunctionType) or not _is_users(function):
            return f
        if function not in self._made:
            try:
                made = _convert_function(function, self, None)
            except VirtualizationError:
                made = function
            self._made[function] = self._made[made] = made
        made = self._made[function]
        return types.MethodType(made, f.__self__) if isinstance(f, types.MethodType) else made


_OWN = str(Path(__file__).resolve().parents[1])
_LIBRARY = sysconfig.get_path("stdlib")


def _is_users(function: types.FunctionType) -> bool:
    file = function.__code__.co_filename
    return not file.startswith((_OWN, _LIBRARY, "<frozen"))


def _cell_of(function: types.FunctionType, name: str) -> types.CellType:
    free = function.__code__.co_freevars
    if name in free and function.__closure__ is not None:
        return function.__closure__[free.index(name)]
    raise VirtualizationError(f"{function.__qualname__}: the value of `{name}` was not found")


def _convert_function(
    function: types.FunctionType, overload: Any, mode: str | None
) -> types.FunctionType:
    old = function.__code__
    asked = request(
        source_of(old.co_filename), old.co_filename, overload, None, mode, old.co_firstlineno
    )
    positions = tuple(getattr(old, "co_positions", tuple)())
    qualname = getattr(old, "co_qualname", function.__qualname__)
    names, code = load_function(asked, Wanted(old.co_name, qualname, old.co_freevars, positions))
    bound = bindings(overload, names)
    closure = tuple(
        types.CellType(bound[name]) if name in bound else _cell_of(function, name)
        for name in code.co_freevars
    )
    made = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(function.__dict__)
    for name in ("__doc__", "__module__", "__qualname__", "__annotations__"):
        setattr(made, name, getattr(function, name))
    return made


# ---- classes and modules ----

_Attribute = Callable[[types.FunctionType], types.FunctionType]


def _convert_attribute(value: Any, one: _Attribute) -> Any:
    if isinstance(value, types.FunctionType):
        return one(value)
    if isinstance(value, (staticmethod, classmethod)):
        return type(value)(_convert_attribute(value.__func__, one))
    if type(value) is property:
        get, set, delete = (
            _convert_attribute(part, one) for part in (value.fget, value.fset, value.fdel)
        )
        return property(get, set, delete, value.__doc__)
    return value


def _convert_class(given: type, overload: Any, mode: str | None) -> type:
    own = types.CellType()

    def one(function: types.FunctionType) -> types.FunctionType:
        if function.__module__ != given.__module__:
            return function
        try:
            made = _convert_function(function, overload, mode)
        except VirtualizationError:
            if function.__code__.co_filename.startswith("<"):
                return function  # Made by a decorator, such as dataclass.
            raise
        return _with_class(made, given, own)

    # What `type` makes itself: slots, `__dict__`, `__weakref__`.
    made_by_type = (types.MemberDescriptorType, types.GetSetDescriptorType)
    body = {
        name: _convert_attribute(value, one)
        for name, value in vars(given).items() if not isinstance(value, made_by_type)
    }  # fmt: skip
    made = type(given)(given.__name__, given.__bases__, body)
    made.__qualname__ = given.__qualname__
    own.cell_contents = made
    return made


def _with_class(
    function: types.FunctionType, old: type, own: types.CellType
) -> types.FunctionType:
    """The function with the new class where `super()` looks for it."""
    free = function.__code__.co_freevars
    if "__class__" not in free or function.__closure__ is None:
        return function
    cells = tuple(
        own if name == "__class__" and cell.cell_contents is old else cell
        for name, cell in zip(free, function.__closure__)
    )
    made = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, cells
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return functools.update_wrapper(made, function, updated=("__dict__",))


def _convert_module(given: types.ModuleType, overload: Any, mode: str | None) -> types.ModuleType:
    filename = getattr(given, "__file__", None)
    if filename is None:
        raise VirtualizationError(f"module {given.__name__} has no source file")
    made = types.ModuleType(given.__name__)
    for name in ("__file__", "__package__", "__spec__", "__loader__", "__path__"):
        if hasattr(given, name):
            setattr(made, name, getattr(given, name))
    names, code = load_module(
        request(source_of(filename), filename, overload, None, mode, None)
    )
    vars(made).update(bindings(overload, names))
    exec(code, vars(made))
    return made


def convert(
    given: T, overload: Any = py_defaults, *, mode: str | None = None, recursive: bool = False
) -> T:
    """The same function, class or module, with the hooks of `overload` for its constructs."""
    overload = _hooks_of(overload, recursive)
    made: Any
    if isinstance(given, types.FunctionType):
        made = _convert_function(given, overload, mode)
    elif isinstance(given, types.MethodType):
        made = types.MethodType(convert(given.__func__, overload, mode=mode), given.__self__)
    elif isinstance(given, (staticmethod, classmethod)):
        made = type(given)(convert(given.__func__, overload, mode=mode))
    elif isinstance(given, type):
        made = _convert_class(given, overload, mode)
    elif isinstance(given, types.ModuleType):
        made = _convert_module(given, overload, mode)
    else:
        raise VirtualizationError(f"{given!r} is not a function, class or module with a source")
    return cast(T, made)


def virtualize(
    overload: Any = py_defaults, *, mode: str | None = None, recursive: bool = False
) -> Callable[[T], T]:
    """The decorator form of `convert`."""
    return lambda given: convert(given, overload, mode=mode, recursive=recursive)
