"""S-expressions in the form that `pychoralc parse --from-ir` reads: a function as it is built.

A Rep is a value that is known later only; it holds the term that stands for it.  Operations on one
put an assignment into the current block, so that each is computed once and in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

Block = list[str]

HERE = "@0:0"
OPERATORS = {
    "add": "Add", "sub": "Sub", "mul": "Mult", "matmul": "MatMult", "truediv": "Div",
    "floordiv": "FloorDiv", "mod": "Mod", "pow_": "Pow",
}  # fmt: skip
COMPARISONS = {"eq": "Eq", "ne": "NotEq", "lt": "Lt", "le": "LtE", "gt": "Gt", "ge": "GtE"}


def form(head: str, *fields: str) -> str:
    return f"({' '.join((head, HERE, *fields))})"


def listed(items: Sequence[str]) -> str:
    return f"[{' '.join(items)}]"


def name(word: str, context: str = "Load") -> str:
    return form("Name", word, context)


def quoted(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n"}
    return '"' + "".join(escapes.get(one, one) for one in text) + '"'


def constant(value: object) -> str:
    kinds: dict[type, Callable[[Any], str]] = {
        bool: lambda v: f"(bool {str(v).lower()})", int: lambda v: f"(int {v})",
        float: lambda v: f"(float {v!r})", type(None): lambda v: "(none)",
        str: lambda v: f"(str {quoted(v)})",
    }  # fmt: skip
    return form("Constant", kinds[type(value)](value), "nil")


class Rep:
    """A staged value."""

    def __init__(self, term: str) -> None:
        self.term = term

    def __repr__(self) -> str:
        return f"Rep({self.term})"


def term(value: Any) -> str:
    """The term of a staged value, or of one that is known."""
    if isinstance(value, Rep):
        return value.term
    if isinstance(value, int) and not isinstance(value, bool) and value < 0:
        return form("UnaryOp", "USub", constant(-value))
    if isinstance(value, (list, tuple)):
        kind = "List" if isinstance(value, list) else "Tuple"
        return form(kind, listed([term(one) for one in value]), "Load")
    return constant(value)


class Builder:
    """The function that is being written: its blocks, and names that nothing else has."""

    def __init__(self) -> None:
        self.block: Block = []
        self.count = 0

    def fresh(self, stem: str = "x") -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def assign(self, target: str, value: Any) -> Rep:
        self.block.append(form("Assign", listed([name(target, "Store")]), term(value)))
        return Rep(name(target))

    def bind(self, made: str) -> Rep:
        return self.assign(self.fresh(), Rep(made))

    def operate(self, operator: str, a: Any, b: Any) -> Rep:
        return self.bind(form("BinOp", term(a), operator, term(b)))

    def compare(self, operator: str, a: Any, b: Any) -> Rep:
        return self.bind(form("Compare", term(a), f"[{operator}]", listed([term(b)])))

    def call(self, function: str, args: Sequence[Any], keywords: dict[str, Any]) -> Rep:
        given = listed([term(one) for one in args])
        named = listed([form("Keyword", key, term(value)) for key, value in keywords.items()])
        return self.bind(form("Call", name(function), given, named))

    @contextmanager
    def inner(self) -> Iterator[Block]:
        """A block of its own, which the caller puts where it belongs."""
        outer, self.block = self.block, []
        try:
            yield self.block
        finally:
            self.block = outer

    def put_if(self, test: Any, body: Block, orelse: Block) -> None:
        self.block.append(form("If", term(test), listed(body), listed(orelse)))

    def put_for(self, target: str, iterable: Any, body: Block) -> None:
        where = name(target, "Store")
        self.block.append(form("For", where, term(iterable), listed(body), "[]"))


builder = Builder()


def module(functions: Sequence[str]) -> str:
    return f"(Module {listed(functions)})\n"


def imported(source: str, names: Sequence[str]) -> str:
    return form("ImportFrom", source, listed([form("Alias", one, "nil") for one in names]), "0")


def array(element: str, shape: str) -> str:
    """The annotation `Float[Array, "n k"]`."""
    inside = form("Tuple", listed([name("Array"), constant(shape)]), "Load")
    return form("Subscript", name(element), inside, "Load")


def traced(function: Callable[..., Any], title: str, parameters: Sequence[str],
           types: Mapping[str, str] = {}) -> str:
    """The term of the function that the program computes for staged arguments."""
    builder.block, builder.count = [], 0
    result = function(*(Rep(name(one)) for one in parameters))
    builder.block.append(form("Return", term(result)))
    given = listed([form("Arg", one, types.get(one, "nil")) for one in parameters])
    arguments = f"(Arguments [] {given} nil [] [] nil [])"
    return form("FunctionDef", title, arguments, listed(builder.block), "[]", "nil", "[]")
