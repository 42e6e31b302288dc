"""Virtualized text as code objects that look like those of the user's file.

Positions (lines and columns) are set back through the edits.  The code of a thunk gets the name and
the qualname of the function that it was cut from, and a mark (mend.py); functions and classes that
are defined in a thunk get the qualname that they have in the user's text.  A lambda that the
compiler has put in is known by its keyword, which stands in inserted text; it gets a parameter
`*_pc_lambda`, which no caller ever fills, so that its code is known, too.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from bisect import bisect_right
from inspect import CO_NEWLOCALS
from types import CodeType
from typing import Any, NamedTuple, Union

from .compiler import Built, Request, Virtualized, cached, virtualized
from .mend import MARK, THUNK
from .room import Room
from .signals import VirtualizationError

_LAMBDA = "_pc_lambda"
FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]


# ---- positions ----


def decoded(source: bytes) -> bytes:
    """The text of a source file as UTF-8, line ends kept, without a byte order mark."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    return source.decode(encoding).encode("utf-8")


def _starts(text: bytes) -> list[int]:
    return [0, *(match.end() for match in re.finditer(rb"\r\n|\r|\n", text))]


class Positions:
    """From lines and columns of the text that was made to those of the text it was made from."""

    def __init__(self, made: Virtualized, source: bytes) -> None:
        self._source = source
        self._rows, self._source_rows = _starts(made.text.encode()), _starts(source)
        self._at = [0]          # where a piece of the text begins,
        self._was = [0]         # where it was before,
        self._kept = [True]     # and whether it was there before
        text = made.text.encode()
        moved = last = 0
        pieces: list[bytes] = []
        for at, removed, inserted in made.edits:
            pieces += [source[last:at], text[at + moved : at + moved + inserted]]
            self._piece(at + moved, at, False)
            moved += inserted - removed
            last = at + removed
            self._piece(last + moved, last, True)
        if b"".join([*pieces, source[last:]]) != text:
            raise VirtualizationError("the edits that pychoralc gives do not make its text")

    def _piece(self, at: int, was: int, kept: bool) -> None:
        self._at.append(at)
        self._was.append(was)
        self._kept.append(kept)

    def before(self, line: int, column: int) -> tuple[int, int]:
        at = self._rows[line - 1] + column
        piece = bisect_right(self._at, at) - 1
        was = self._was[piece] + (at - self._at[piece] if self._kept[piece] else 0)
        row = bisect_right(self._source_rows, was)
        return row, was - self._source_rows[row - 1]

    def word_before(self, line: int, column: int) -> int:
        """The column where the word begins that ends there, both in the text as it was."""
        start = self._source_rows[line - 1]
        before = self._source[start : start + column]
        return column - len(before) + len(re.sub(rb"[\w\x80-\xff]+\Z", b"", before))

    def is_inserted(self, node: ast.expr) -> bool:
        at = self._rows[node.lineno - 1] + node.col_offset
        return not self._kept[bisect_right(self._at, at) - 1]


def _nodes(tree: ast.AST) -> list[Any]:
    """All nodes that have a position."""
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        if "lineno" in node._attributes:
            found.append(node)
        for value in vars(node).values():
            if isinstance(value, list):
                waiting.extend(one for one in value if isinstance(one, ast.AST))
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                waiting.append(value)
    return found


def _place_calls(nodes: list[Any]) -> None:
    """A hook call after a statement is at the statement's header, where its first thunk begins."""
    thunks = {
        node.name: node for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and THUNK.match(node.name)
    }  # fmt: skip
    for node in nodes:
        if isinstance(node, (ast.Expr, ast.Assign, ast.Delete, ast.Return)) and _is_empty(node):
            inner = _nodes(node)
            named = [one.id for one in inner if isinstance(one, ast.Name) and one.id in thunks]
            headers = [thunks[name] for name in named]
            for one in inner if headers else ():
                _place_at(one, min(headers, key=lambda node: (node.lineno, node.col_offset)))


def _place_attributes(nodes: list[Any], hooks: dict[str, str], positions: Positions) -> None:
    """Of `o.a` over several lines, and of `o.a()`, Python shows the line of the name alone."""
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if hooks.get(node.func.id) == "getattr_" and node.end_lineno != node.lineno:
            line, end = node.end_lineno or 0, node.end_col_offset or 0
            node.lineno, node.col_offset = line, positions.word_before(line, end)
    for node in nodes:
        if isinstance(node, ast.Call):
            hooked = isinstance(node.func, ast.Name) and hooks.get(node.func.id) == "call"
            named = node.args[0] if hooked and node.args else node.func
            if _is_attribute(named, hooks) and _is_method_call(node, hooked):
                node.lineno = named.end_lineno or 0
                node.col_offset = positions.word_before(node.lineno, named.end_col_offset or 0)


def _is_attribute(node: ast.expr, hooks: dict[str, str]) -> bool:
    """Whether it is `o.a` where `o` begins on another line than `a` is on."""
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        return hooks.get(name) == "getattr_" and node.args[0].lineno != node.end_lineno
    return isinstance(node, ast.Attribute) and node.lineno != node.end_lineno


def _is_method_call(node: ast.Call, hooked: bool) -> bool:
    """Whether Python has a method in it, not a call of whatever `o.a` is."""
    stars = any(isinstance(one, ast.Starred) for one in node.args)
    stars = stars or any(one.arg is None for one in node.keywords)
    return not stars and len(node.args) - hooked + len(node.keywords) + bool(node.keywords) < 30


def _is_empty(node: Any) -> bool:
    start = (node.lineno, node.col_offset)
    return start == (node.end_lineno, node.end_col_offset)


def _place_at(node: Any, header: Any) -> None:
    same_line = header.lineno == header.end_lineno
    node.lineno = node.end_lineno = header.lineno
    node.col_offset = header.col_offset
    node.end_col_offset = header.end_col_offset if same_line else header.col_offset + 1


def _set_back(tree: ast.AST, hooks: dict[str, str], positions: Positions) -> None:
    nodes = _nodes(tree)
    for node in nodes:
        if isinstance(node, ast.Lambda) and positions.is_inserted(node):
            node.args.vararg = ast.arg(_LAMBDA)
        end = positions.before(node.end_lineno, node.end_col_offset)
        node.lineno, node.col_offset = positions.before(node.lineno, node.col_offset)
        node.end_lineno, node.end_col_offset = end
    for node in nodes:
        if isinstance(node, ast.Lambda) and node.args.vararg is not None:
            if node.args.vararg.arg == _LAMBDA:
                ast.copy_location(node.args.vararg, node)
    _place_calls(nodes)
    _place_attributes(nodes, hooks, positions)


def parsed(made: Virtualized, request: Request) -> ast.Module:
    """The tree of the text that was made, with the positions of the user's text."""
    source = decoded(request.source)
    tree = ast.parse(made.text, request.filename)
    hooks = {bound: name for bound, kind, name in made.names if kind == "hook"}
    _set_back(tree, hooks, Positions(made, source))
    return tree


# ---- code objects ----


class _Around(NamedTuple):
    """The user's function, class or module around a code object."""

    name: str
    qualname: str
    locals: tuple[str, ...]
    prefix: str                 # of the qualnames of what is defined in it
    room: Room                  # behind its code


def _qualname(code: CodeType) -> str:
    return getattr(code, "co_qualname", code.co_name)


def _prefix(code: CodeType, qualname: str) -> str:
    if code.co_name == "<module>":
        return ""
    return qualname + (".<locals>." if code.co_flags & CO_NEWLOCALS else ".")


def _is_thunk(code: CodeType) -> bool:
    return THUNK.match(code.co_name) is not None or _LAMBDA in code.co_varnames


def _renamed(code: CodeType, **names: Any) -> CodeType:
    if sys.version_info < (3, 11):
        names.pop("co_qualname")
    return code.replace(**names)


def _const(value: Any, code: CodeType, qualname: str, around: _Around, prefix: str) -> Any:
    if isinstance(value, CodeType):
        return finished(value, around, prefix)
    is_class = "__qualname__" in code.co_names and not code.co_flags & CO_NEWLOCALS
    return qualname if is_class and value == _qualname(code) else value


def finished(code: CodeType, around: _Around, prefix: str) -> CodeType:
    """The code as the user's program shows it. `prefix`: what its own qualname begins with."""
    if _is_thunk(code):
        name, qualname, inner = around.name, around.qualname, around
    else:
        own = _qualname(code)
        rest = own[len(prefix):] if own.startswith(prefix) else own
        name, qualname = code.co_name, around.prefix + rest if own.startswith(prefix) else own
        room = Room(code)
        inner = _Around(name, qualname, code.co_cellvars, _prefix(code, qualname), room)
    own_prefix = _prefix(code, _qualname(code))
    consts = tuple(_const(value, code, qualname, inner, own_prefix) for value in code.co_consts)
    if inner is around:
        consts = (*consts, (MARK, around.locals, around.room.add(code)))
    else:
        code = inner.room.behind(code)
    return _renamed(code, co_consts=consts, co_name=name, co_qualname=qualname)


def load_module(request: Request) -> Built:
    """The code of a whole file, and the names that must be bound before it runs."""

    def build() -> Built:
        made = virtualized(request)
        tree = parsed(made, request)
        code = compile(tree, request.filename, "exec", dont_inherit=True)
        module = _Around("<module>", "<module>", (), "", Room(code))
        return made.names, finished(code, module, "")

    return cached(request, ("module",), build)


# ---- one function ----


Place = tuple[Union[int, None], ...]


class Wanted(NamedTuple):
    """A function of a running program, as far as its source must be told from others."""

    name: str
    qualname: str
    free: tuple[str, ...]
    places: tuple[Place, ...]       # of its instructions: line, last line, column, last column


def _first_line(node: FunctionNode) -> int:
    decorators = getattr(node, "decorator_list", [])
    first: int = decorators[0].lineno if decorators else node.lineno
    return first


def _found(
    tree: ast.AST, line: int, name: str
) -> list[tuple[FunctionNode, str | None]]:
    """The functions of that name at a line, each with the name of the class around it."""
    found: list[tuple[FunctionNode, str | None]] = []
    waiting: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while waiting:
        node, owner = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            own = "<lambda>" if isinstance(node, ast.Lambda) else node.name
            thunk = isinstance(node, ast.Lambda) and node.args.vararg is not None
            thunk = thunk and getattr(node.args.vararg, "arg", "") == _LAMBDA
            if own == name and not thunk and _first_line(node) == line:
                found.append((node, owner))
        inner = node.name if isinstance(node, ast.ClassDef) else owner
        waiting.extend((child, inner) for child in ast.iter_child_nodes(node))
    return found


def _span(node: FunctionNode) -> tuple[tuple[int, int], tuple[int, int]]:
    body: Any = node.body if isinstance(node, ast.Lambda) else node
    return (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)


def _narrowest(
    found: list[tuple[FunctionNode, str | None]], places: tuple[Place, ...]
) -> list[tuple[FunctionNode, str | None]]:
    """Of functions at one line the innermost that has all places of the code's instructions."""
    real = [((row, column), (end_row, end)) for row, end_row, column, end in places if end]
    around = [
        one for one in found
        if all(_span(one[0])[0] <= start and end <= _span(one[0])[1] for start, end in real)
    ]  # fmt: skip
    return sorted(around, key=lambda one: _span(one[0])[0])[-1:] if real else found


def _bare(node: FunctionNode) -> FunctionNode:
    """Without what is evaluated outside of the function: only its own code is wanted."""
    nothing = ast.copy_location(ast.Constant(None), node)
    node.args.defaults = [nothing for _ in node.args.defaults]
    node.args.kw_defaults = [None if one is None else nothing for one in node.args.kw_defaults]
    for parameter in ast.walk(node.args):
        if isinstance(parameter, ast.arg):
            parameter.annotation = None
    if not isinstance(node, ast.Lambda):
        node.decorator_list, node.returns = [], None
        if hasattr(node, "type_params"):
            node.type_params = []
    return node


def _skeleton(node: FunctionNode, owner: str | None, parameters: list[str]) -> ast.Module:
    """`def make(parameters): class owner: P`: what is free in P is bound, its names mangled."""
    body: ast.stmt = ast.Expr(node) if isinstance(node, ast.Lambda) else node
    if owner is not None:
        body = ast.ClassDef(owner, [], [], [body], [])
    given = ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, [])
    own = getattr(body, "name", None)
    # The name of the function itself, or of its class, is global where it is not free in it.
    first: list[ast.stmt] = [ast.Global([own])] if own and own not in parameters else []
    make: ast.stmt = ast.FunctionDef("_pc_make", given, [*first, body], [])
    module = ast.Module([make], [])
    if sys.version_info >= (3, 12):
        for one in ast.walk(module):
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if not hasattr(one, "type_params"):
                    one.type_params = []
    return ast.fix_missing_locations(module)


def _inner(code: CodeType) -> CodeType:
    return next(value for value in code.co_consts if isinstance(value, CodeType))


def load_function(request: Request, wanted: Wanted) -> Built:
    """The code of one function, and the names that are free in it beside its own."""

    def build() -> Built:
        made = virtualized(request)
        tree = parsed(made, request)
        found = _found(tree, request.function or 0, wanted.name)
        if len(found) > 1:
            found = _narrowest(found, wanted.places)
        place = f"{request.filename}:{request.function}"
        if len(found) != 1:
            many = "more than one function" if found else "no function"
            raise VirtualizationError(f"{place}: {many} `{wanted.name}` is found here")
        node, owner = found[0]
        free = [name for name in wanted.free if name != "__class__"]
        names = [name for name, _, _ in made.names]
        code = compile(
            _skeleton(_bare(node), owner, [*names, *free]),
            request.filename, "exec", dont_inherit=True,
        )  # fmt: skip
        for _ in range(3 if owner is not None else 2):
            code = _inner(code)
        outer = wanted.qualname[: len(wanted.qualname) - len(wanted.name)]
        around = _Around("", "", (), outer, Room(code))
        prefix = _qualname(code)[: len(_qualname(code)) - len(wanted.name)]
        return made.names, finished(code, around, prefix)

    return cached(request, ("function", tuple(wanted)), build)
