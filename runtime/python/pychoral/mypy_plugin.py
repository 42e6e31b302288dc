"""A mypy plugin that takes the roles out of choreographies before mypy looks at them.

    [mypy]
    plugins = pychoral.mypy_plugin

Roles are the compiler's business.  To mypy, `At[T, R]` is T, `x@R` is x, `f[A, B](..)` is f(..) and
`C[T, A, B]` is C[T]; formal roles, which are defined nowhere, are gone.  Without the plugin the
package's stubs do as much as stubs can: roles must be declared then, and classes and functions of
several roles are invariant in them.

mypy calls `get_additional_deps` with every parsed file before it looks at its names: there the tree
is changed in place.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from typing import Any

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    Import,
    ImportFrom,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    TupleExpr,
)
from mypy.options import Options
from mypy.plugin import Plugin
from mypy.types import Type, UnboundType

CHANNELS = {
    "BiChannel",
    "BiDataChannel",
    "Channel",
    "DiChannel",
    "DiDataChannel",
    "DiSelectChannel",
    "SecureChannel",
    "SymChannel",
    "SymDataChannel",
    "SymSelectChannel",
}
ROLE_BASE = re.compile(r"Ch\d*$")
STATES_ROLES = {"roles", "effect"}
TYPES = {"Literal": 0, "Annotated": 1}      # how many arguments are types, and not values


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _name(node: object) -> str | None:
    """The name that an expression or an unanalysed type is."""
    if isinstance(node, NameExpr):
        return node.name
    if isinstance(node, UnboundType) and not node.args:
        return node.name
    return None


def _head(node: object) -> str:
    """The last part of the name in front of brackets."""
    if isinstance(node, UnboundType):
        return _last(node.name)
    return node.name if isinstance(node, (NameExpr, MemberExpr)) else ""


def _items(index: Expression) -> list[Expression]:
    return list(index.items) if isinstance(index, TupleExpr) else [index]


_FIELDS: dict[type, list[str]] = {}


def _fields(kind: type) -> list[str]:
    """The attributes of a class of nodes that may hold parts of the tree."""
    if kind not in _FIELDS:
        names = {name for each in kind.__mro__ for name in vars(each)}
        slots = {name for each in kind.__mro__ for name in getattr(each, "__slots__", ())}
        _FIELDS[kind] = sorted(
            name
            for name in names | slots
            if not name.startswith("_") and not callable(getattr(kind, name, None))
        )
    return _FIELDS[kind]


def _parts(node: object) -> list[tuple[str, Any]]:
    found = []
    for name in _fields(type(node)):
        try:
            value = getattr(node, name)
        except AttributeError:
            continue
        if isinstance(value, (Node, Type, list, tuple)):
            found.append((name, value))
    return found


class _Walk:
    """Visits every node and type of a tree once."""

    def __init__(self, visit: Callable[[object], None]) -> None:
        self._visit = visit
        self._seen: set[int] = set()

    def go(self, value: object) -> None:
        stack = [value]
        while stack:
            value = stack.pop()
            if isinstance(value, (list, tuple)):
                stack.extend(value)
            elif isinstance(value, (Node, Type)) and id(value) not in self._seen:
                self._seen.add(id(value))
                self._visit(value)
                stack.extend(part for _, part in _parts(value))


class _Roles:
    """The role names of a file. In brackets of a type, what nothing defines is a role as well."""

    def __init__(self, file: MypyFile) -> None:
        self.names: set[str] = set()
        self._bound = set(dir(builtins))
        for each in file.defs:
            self._bind(each)
        _Walk(self._visit).go(file.defs)

    def _bind(self, node: object) -> None:
        if isinstance(node, (ClassDef, FuncDef)):
            self._bound.add(node.name)
        elif isinstance(node, Decorator):
            self._bound.add(node.func.name)
        elif isinstance(node, AssignmentStmt):
            self._bound.update(each.name for each in node.lvalues if isinstance(each, NameExpr))
        elif isinstance(node, Import):
            self._bound.update((alias or name).partition(".")[0] for name, alias in node.ids)
        elif isinstance(node, ImportFrom):
            self._bound.update(alias or name for name, alias in node.names)

    def _add(self, nodes: list[Any]) -> None:
        self.names.update(name for name in map(_name, nodes) if name)

    def _visit(self, node: object) -> None:
        if isinstance(node, ImportFrom) and node.id == "pychoral.roles":
            self.names.update(alias or name for name, alias in node.names)
        elif isinstance(node, ClassDef):
            if any(_head(base) == "Role" for base in node.base_type_exprs):
                self.names.add(node.name)
        elif isinstance(node, CallExpr) and _head(node.callee) in STATES_ROLES:
            self._add(node.args)
        elif isinstance(node, UnboundType):
            self._of_brackets(_last(node.name), list(node.args))
            types = node.args[: TYPES.get(_last(node.name))]
            self._add([each for each in types if (_name(each) or "int") not in self._bound])
        elif isinstance(node, IndexExpr):
            self._of_brackets(_head(node.base), _items(node.index))

    def _of_brackets(self, head: str, items: list[Any]) -> None:
        """`At[T, R..]`, `Ch2[A, B]`, `Channel[T, A, B]`."""
        if head == "At":
            self._add(items[1:])
        elif ROLE_BASE.match(head):
            self._add(items)
        elif head in CHANNELS:
            self._add(items[-2:])


class _Eraser:
    """Changes a tree in place."""

    def __init__(self, file: MypyFile) -> None:
        self._roles = _Roles(file).names
        self._done: dict[int, tuple[object, object]] = {}

    def erase(self, value: Any) -> Any:
        if isinstance(value, list):
            value[:] = [self.erase(each) for each in value]
            return value
        if isinstance(value, tuple):
            return tuple(self.erase(each) for each in value)
        if not isinstance(value, (Node, Type)):
            return value
        if id(value) not in self._done:
            self._done[id(value)] = (value, value)      # keeps it alive: ids must not come again
            self._done[id(value)] = (value, self._of(value))
        return self._done[id(value)][1]

    def _is_role(self, node: object) -> bool:
        if isinstance(node, CallExpr):
            return not node.args and self._is_role(node.callee)
        if isinstance(node, TupleExpr):
            return bool(node.items) and all(map(self._is_role, node.items))
        return _name(node) in self._roles

    def _of(self, node: Any) -> object:
        if isinstance(node, UnboundType) and _last(node.name) in TYPES:
            types = TYPES[_last(node.name)]
            node.args = (*self.erase(node.args[:types]), *node.args[types:])
            return node
        if isinstance(node, ClassDef):
            self._class(node)
        elif isinstance(node, CallExpr) and _head(node.callee) in STATES_ROLES:
            del node.args[:], node.arg_kinds[:], node.arg_names[:]
        elif isinstance(node, OpExpr) and node.op == "@":
            if self._is_role(node.right):
                return self.erase(node.left)
            if isinstance(node.right, MemberExpr) and self._is_role(node.right.expr):
                node.right.expr = self.erase(node.left)
                return node.right
        for name, part in _parts(node):
            erased = self.erase(part)
            if erased is not part:
                try:
                    setattr(node, name, erased)
                except (AttributeError, TypeError):
                    continue            # an attribute that only shows what another holds
        if isinstance(node, UnboundType):
            return self._type(node)
        return self._index(node) if isinstance(node, IndexExpr) else node

    def _class(self, node: ClassDef) -> None:
        """`Ch2[A, B]` among the bases is only for the compiler."""
        node.base_type_exprs = [
            base
            for base in node.base_type_exprs
            if not (isinstance(base, IndexExpr) and ROLE_BASE.match(_head(base.base)))
        ]

    def _type(self, node: UnboundType) -> Type:
        head = _last(node.name)
        if head == "At" and node.args:
            return node.args[0]
        if head in CHANNELS:
            node.args = tuple(
                UnboundType("object", line=each.line, column=each.column)
                if self._is_role(each) else each
                for each in node.args
            )
        else:
            node.args = tuple(each for each in node.args if not self._is_role(each))
        return node

    def _index(self, node: IndexExpr) -> Expression:
        items = _items(node.index)
        if not any(map(self._is_role, items)):
            return node
        if _head(node.base) == "At":
            return items[0]
        if _head(node.base) in CHANNELS:
            rest: list[Expression] = [
                NameExpr("object") if self._is_role(each) else each for each in items
            ]
        else:
            rest = [each for each in items if not self._is_role(each)]
        if not rest:
            return node.base
        node.index = rest[0] if len(rest) == 1 else TupleExpr(rest)
        node.index.set_line(node)
        return node


class ErasesRoles(Plugin):
    """Erases the roles of every file that imports pychoral."""

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        if any(_imports_pychoral(each) for each in file.imports) and not file.is_stub:
            file.defs[:] = _Eraser(file).erase(file.defs)
        return []


def _imports_pychoral(node: object) -> bool:
    if isinstance(node, Import):
        return any(name.partition(".")[0] == "pychoral" for name, _ in node.ids)
    return isinstance(node, ImportFrom) and node.id.partition(".")[0] == "pychoral"


def plugin(version: str) -> type[Plugin]:
    """What mypy asks for."""
    return ErasesRoles
