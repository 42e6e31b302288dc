"""The names of the hooks, what an overload defines, and `hook`, which binds one for emitted text.

A statement hook of an overload other than py_defaults is wrapped: `local_writes` becomes a tuple of
Var objects (in boxed mode it is boxes already), and a result that is not a signal is an error.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import py_defaults
from .mend import THUNK
from .py_plain import (
    make_box_of,
    make_call_star,
    make_comp_of,
    make_free_ref,
    make_if_expr_of,
    make_named,
    make_read_free,
    make_reboxed,
    make_ref,
    make_truth_and,
    make_truth_and_part,
    make_truth_or,
    make_truth_or_part,
)
from .signals import BREAK, CONTINUE, UNBOUND, Raised, VirtualizationError

_OPERATORS = "add sub mul matmul truediv floordiv mod pow lshift rshift bitand bitor bitxor".split()

GROUPS: dict[str, tuple[str, ...]] = {
    "control": ("if_stmt", "while_stmt", "for_stmt", "if_expr"),
    "bool": ("and_", "or_", "not_"),
    "call": ("call",),
    "cmp": tuple("eq ne lt le gt ge is_ is_not in_ not_in compare".split()),
    "op": (
        *(name.replace("pow", "pow_") for name in _OPERATORS),
        "neg", "pos", "invert",
        *("i" + name for name in _OPERATORS),
    ),
    "attr": ("getattr_", "setattr_", "delattr_"),
    "item": ("getitem", "setitem", "delitem"),
    "with": ("with_stmt",),
    "exc": ("try_stmt", "raise_stmt", "assert_stmt"),
    "match": ("match_stmt",),
    "gen": ("yield_", "yield_from_", "await_", "aiter_", "acontext_"),
    "comp": ("comp",),
    "def": ("function_def", "class_def"),
    "data": ("new_list", "new_tuple", "new_set", "new_dict", "format_", "constant"),
    "flow": ("return_", "expr_stmt"),
    "var": ("init", "assign", "read", "delete"),
    "rest": ("if_stmt_rest",),
    "light": ("truth",),
}  # fmt: skip

_NOT_IN_ALL = GROUPS["var"] + GROUPS["rest"] + GROUPS["light"]
STATEMENTS = ("if_stmt", "while_stmt", "for_stmt", "with_stmt", "try_stmt", "match_stmt")
FORMS = tuple(name + form for name in STATEMENTS for form in ("_gen", "_async"))
HOOKS = tuple(name for group in GROUPS.values() for name in group) + FORMS


def defined(overload: Any) -> list[str]:
    """The hooks that an overload has, in the order of the table."""
    return [name for name in HOOKS if getattr(overload, name, None) is not None]


def chosen(overload: Any, asked: str | Iterable[str] | None) -> list[str]:
    """The hooks of the groups and names that are asked for, as far as the overload has them."""
    if asked is None:
        return defined(overload)
    words = asked.split(",") if isinstance(asked, str) else list(asked)
    wanted: set[str] = set()
    for word in words:
        if word == "all":
            wanted.update(name for name in HOOKS if name not in _NOT_IN_ALL)
        elif word in GROUPS:
            wanted.update(GROUPS[word])
        elif word in HOOKS:
            wanted.add(word)
        else:
            raise VirtualizationError(f"`{word}` is neither a hook nor a group of hooks (all, "
                                      f"{', '.join(GROUPS)})")
    wanted.update(form for form in FORMS if form.rpartition("_")[0] in wanted)
    return [name for name in defined(overload) if name in wanted]


# ---- variables of the user's function ----


class Var:
    """A variable that the arms of a statement bind; `val` is UNBOUND while it has no value."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def val(self) -> Any:
        raise NotImplementedError

    @val.setter
    def val(self, value: Any) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"Var({self.name!r})"


class _CellVar(Var):
    __slots__ = ("_cell",)

    def __init__(self, name: str, cell: types.CellType) -> None:
        super().__init__(name)
        self._cell = cell

    @property
    def val(self) -> Any:
        try:
            return self._cell.cell_contents
        except ValueError:
            return UNBOUND

    @val.setter
    def val(self, value: Any) -> None:
        if value is not UNBOUND:
            self._cell.cell_contents = value
        elif self.val is not UNBOUND:
            del self._cell.cell_contents


class _GlobalVar(Var):
    __slots__ = ("_names",)

    def __init__(self, name: str, names: dict[str, Any]) -> None:
        super().__init__(name)
        self._names = names

    @property
    def val(self) -> Any:
        return self._names.get(self.name, UNBOUND)

    @val.setter
    def val(self, value: Any) -> None:
        if value is UNBOUND:
            self._names.pop(self.name, None)
        else:
            self._names[self.name] = value


def _thunks(values: Iterable[Any]) -> Iterator[types.FunctionType]:
    """The functions among the arguments of a hook, and the thunks that these call."""
    waiting, seen = list(values), set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            waiting.extend(value)
        elif isinstance(value, types.FunctionType) and value not in seen:
            seen.add(value)
            yield value
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
                if THUNK.match(name):
                    waiting.append(_CellVar(name, cell).val)


def _variable(name: str, thunks: list[types.FunctionType]) -> Var:
    for thunk in thunks:
        free = thunk.__code__.co_freevars
        if name in free and thunk.__closure__ is not None:
            return _CellVar(name, thunk.__closure__[free.index(name)])
    return _GlobalVar(name, thunks[0].__globals__ if thunks else {})


def _variables(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a statement hook with Var objects for the names of `local_writes`."""
    names = given[-1]
    if not any(isinstance(name, str) for name in names):
        return given
    thunks = list(_thunks(given[:-1]))
    found = (_variable(name, thunks) if isinstance(name, str) else name for name in names)
    return (*given[:-1], tuple(found))


# ---- binding ----


def _checked(name: str, signal: Any, frame: types.FrameType) -> Any:
    if signal is None or signal is BREAK or signal is CONTINUE or type(signal) is Raised:
        return signal
    if type(signal) is tuple and len(signal) == 1:
        return signal
    place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    words = "it must return None, BREAK, CONTINUE or a tuple with the value to return"
    raise VirtualizationError(f"{place}: hook `{name}` returned {signal!r}; {words}")


def _user_frame() -> types.FrameType:
    frame = sys._getframe(1)
    while frame.f_globals.get("__package__") == __package__ and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _statement(name: str, given_hook: Callable[..., Any]) -> Callable[..., Any]:
    if name not in FORMS:

        @functools.wraps(given_hook)
        def plain(*given: Any) -> Any:
            return _checked(name, given_hook(*_variables(given)), sys._getframe(1))

        return plain

    @types.coroutine
    @functools.wraps(given_hook)
    def stepwise(*given: Any) -> Any:
        steps: Any = given_hook(*_variables(given))
        runs: bool = inspect.isgenerator(steps) or inspect.iscoroutine(steps)
        if not runs:
            words = f"hook `{name}` is neither a generator nor a coroutine function"
            raise VirtualizationError(words)
        signal = yield from steps
        return _checked(name, signal, _user_frame())

    return stepwise


_DERIVED: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "attr_ref": (("setattr_", "delattr_"), make_ref),
    "item_ref": (("setitem", "delitem"), make_ref),
    "box_ref": (("assign", "delete"), make_ref),
    "box_ref_free": (("assign", "delete"), make_free_ref),
    "box_of": (("init", "assign"), make_box_of),
    "reboxed": (("assign",), make_reboxed),
    "named": (("assign",), make_named),
    "read_free": (("read",), make_read_free),
    "call_star": (("call",), make_call_star),
    "comp_of": (("comp",), make_comp_of),
    "if_expr_of": (("if_expr",), make_if_expr_of),
    "truth_and": (("truth",), make_truth_and),
    "truth_or": (("truth",), make_truth_or),
    "truth_and_part": (("truth",), make_truth_and_part),
    "truth_or_part": (("truth",), make_truth_or_part),
}
_PARTS = {
    "and_part": "and_", "or_part": "or_", "compare_part": "compare",
    "truth_and_part": "truth_and", "truth_or_part": "truth_or",
}  # fmt: skip
# What asks for the truth of what these give, or hands it on.
_ASKING = (
    "if_expr", "and_", "or_", "not_", "compare", "assert_stmt", "if_stmt_rest",
    *(name + form for name in ("if_stmt", "while_stmt", "match_stmt")
      for form in ("", "_gen", "_async")),
)  # fmt: skip


def _has_own(overload: Any, name: str) -> bool:
    own = getattr(overload, name, None)
    return own is not None and own is not getattr(py_defaults, name)


def _whole(overload: Any, name: str) -> str:
    """A hook of the overload's own takes operands: then a part is what it is a part of."""
    own = any(_has_own(overload, one) for one in _ASKING)
    return _PARTS[name] if own and name in _PARTS else name


def hook(overload: Any, name: str) -> Any:
    """What emitted text calls for the hook or helper `name` of an overload."""
    default = getattr(py_defaults, name, None)
    if overload is py_defaults:
        return default
    name = _whole(overload, name)
    default = getattr(py_defaults, name, None)
    if name in _DERIVED:
        parts, make = _DERIVED[name]
        if not any(hasattr(overload, part) for part in parts):
            return default
        return make(*(getattr(overload, part, getattr(py_defaults, part)) for part in parts))
    found = getattr(overload, name, default if name not in HOOKS else None)
    if found is None or (name in HOOKS and not callable(found)):
        raise VirtualizationError(f"the overload {overload!r} has no hook `{name}`")
    if found is default or name not in (*STATEMENTS, *FORMS, "if_stmt_rest"):
        return found
    return _statement(name, found)
