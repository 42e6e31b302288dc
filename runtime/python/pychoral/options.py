"""The command line of endpoints and of the central run: parameters, parsing, values.

Every option takes one value (`--name VALUE` or `--name=VALUE`), also one that starts with a dash.
A parameter `p` located at role R is the option `--p`, and always also `--R.p`.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import re
import sys
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .errors import NotSendable, UsageError
from .typetable import GrowingTable
from .wire import Codec, WireError, copy

_REQUIRED: Any = ...
_NO_LITERAL = "expected a Python literal, such as 1, 'a' or [1, 2]"
_TURNS: dict[Any, int] = {type(None): 0, int: 1, float: 3, bytes: 4, str: 5}
_COLLECTIONS: dict[Any, Any] = {each: each for each in (list, set, frozenset, tuple)}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter of `main`, as a role sees it.

    kind     "channel", "option" or "absent"
    roles    channel: the role or roles at the other end; option: its role, if not the program's
    default  option: the value when none is given; ... if there must be one
    secure   channel: only a private transport may carry it
    agreed   option: the other roles that have it too, and must be given the same
    """

    name: str
    kind: str
    roles: tuple[str, ...] = ()
    type: Any = None
    default: Any = _REQUIRED
    help: str = ""
    secure: bool = False
    agreed: tuple[str, ...] = ()


def channel(name: str, *roles: str, secure: bool = False) -> Parameter:
    """A channel to the role named (central run: the roles that it joins)."""
    return Parameter(name, "channel", roles, secure=secure)


def option(
    name: str,
    type: Any,
    default: Any = _REQUIRED,
    help: str = "",
    role: str = "",
    agreed: tuple[str, ...] = (),
) -> Parameter:
    """A parameter given on the command line; `role` says whose, in the central run."""
    roles = (role,) if role else ()
    return Parameter(name, "option", roles, type, default, help, agreed=agreed)


def absent(name: str) -> Parameter:
    """A parameter that lives at other roles."""
    return Parameter(name, "absent")


def require_packages() -> str:
    """What this interpreter lacks, as one line of advice; "" if it lacks nothing."""
    lacking = []
    for module, package in (("zmq", "pyzmq"), ("msgpack", "msgpack")):
        try:
            __import__(module)
        except ImportError:
            lacking.append((module, package))
    if not lacking:
        return ""
    debian = " ".join(f"python3-{module}" for module, _ in lacking)
    pip = " ".join(package for _, package in lacking)
    names = " and ".join(package for _, package in lacking)
    return (
        f"this Python ({sys.executable}) has no {names}; install with `apt-get install {debian}` "
        f"(for /usr/bin/python3) or `pip install {pip}`"
    )


# --- parsing --------------------------------------------------------------------------------------


def parse(
    arguments: Sequence[str], names: Iterable[str], flags: Iterable[str]
) -> list[tuple[str, str]]:
    """The options given, in order, as (name, value); flags have the value "".

    Raises UsageError.
    """
    known, bare = set(names), set(flags)
    found = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            raise UsageError(f"`{word}` is not an option; see --help")
        name, equals, value = word[2:].partition("=")
        name = _spelled(name, known | bare)
        if name in bare:
            if equals:
                raise UsageError(f"--{name} takes no value")
        elif not equals:
            if not rest:
                raise UsageError(f"--{name} needs a value")
            value = rest.pop(0)
        found.append((name, value))
    return found


def _spelled(name: str, known: set[str]) -> str:
    """An option's own name; `-` may be written for `_`."""
    if name in known:
        return name
    alike = [each for each in known if each.replace("_", "-") == name.replace("_", "-")]
    if len(alike) == 1:
        return alike[0]
    raise UsageError(f"there is no option --{name}; see --help")


def parameter_value(parameter: Parameter, spelling: str, given: Mapping[str, str]) -> Any:
    """The value of an option parameter; raises UsageError if it is missing or wrong."""
    if parameter.name in given:
        return value_of(given[parameter.name], parameter.type, spelling)
    if parameter.default is _REQUIRED:
        raise UsageError(f"{spelling} is missing (a value of type {type_name(parameter.type)})")
    return _converted(parameter.default, parameter.type)


def _converted(default: Any, expect: Any) -> Any:
    """A default as if it had come over the wire, as what the command line gives is: 3 for a float
    is 3.0.  What is the same then, or cannot travel, stays the object that it is."""
    codec = Codec(GrowingTable())
    try:
        converted = codec.copy(default, expect)
    except (TypeError, WireError):
        return default
    try:
        return default if codec.encode(default) == codec.encode(converted) else converted
    except NotSendable:
        return converted


def type_name(expect: Any) -> str:
    """A type as help and messages show it."""
    if isinstance(expect, type) and not typing.get_args(expect):
        return expect.__name__
    text = str(expect)
    return text.replace("typing.", "") if "Literal[" in text else re.sub(r"(\w+\.)+", "", text)


def describe_option(parameter: Parameter, spelling: str) -> str:
    """One line of help."""
    text = f"  {spelling} VALUE".ljust(28) + f"  {type_name(parameter.type)}"
    if isinstance(parameter.type, type) and issubclass(parameter.type, enum.Enum):
        text += f" ({', '.join(parameter.type.__members__)})"
    if parameter.default is not _REQUIRED:
        text += f", default {parameter.default!r}"
    if parameter.agreed:
        text += f"; must have the same value at {', '.join(parameter.agreed)}"
    return text + (f"; {parameter.help}" if parameter.help else "")


# --- values ---------------------------------------------------------------------------------------


def value_of(text: str, expect: Any, spelling: str) -> Any:
    """The value that `text` stands for.  Nothing is evaluated but literals."""
    try:
        return _from_text(text, expect)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as fault:
        reason = str(fault).split("\n")[0] + _brackets(text, expect)
        wanted = f"is not a valid {type_name(expect)} ({reason})"
        raise UsageError(f"{spelling}: {text!r:.80} {wanted}") from None


def _brackets(text: str, expect: Any) -> str:
    """What to write, where `7, 10` stands for a list: with brackets it is one."""
    if typing.get_origin(expect) is not list or len(text) > 60:
        return ""
    if not (text.isascii() and text.isprintable()):
        return ""
    try:
        _from_text(f"[{text}]", expect)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ""
    return f"; write `[{text}]`"


def _from_text(text: str, expect: Any) -> Any:
    origin, arguments = typing.get_origin(expect), typing.get_args(expect)
    if origin is typing.Annotated:
        return _from_text(text, arguments[0])
    if origin in (typing.Union, types.UnionType):
        return _from_union(text, arguments)
    if origin is typing.Literal and all(isinstance(each, str) for each in arguments):
        return _word(text, arguments)
    if origin is typing.Literal and isinstance(arguments[0], enum.Enum):
        return _member(text, type(arguments[0]))
    if expect is str:
        return text.encode("utf-8", "surrogateescape").decode()
    if expect is int or expect is float:
        return expect(text)
    if expect is bool:
        return _bool(text)
    if expect is bytes:
        return _bytes(text)
    if expect is type(None):
        return _none(text)
    if isinstance(expect, type) and issubclass(expect, enum.Enum):
        return _member(text, expect)
    if expect is object or expect is Any:
        return _literal_or_text(text)
    return _shape(_literal(text, expect), expect)


def _from_union(text: str, members: tuple[Any, ...]) -> Any:
    """The first member that takes the text; str takes any, so it comes last."""
    reasons = []
    for member in _in_turn(members):
        try:
            return _from_text(text, member)
        except (ValueError, TypeError, SyntaxError) as fault:
            reasons.append(str(fault).split("\n")[0])
    raise ValueError("; ".join(reasons))


def _in_turn(members: tuple[Any, ...]) -> list[Any]:
    """The members of a union in the order in which they are tried, which is that of C programs."""
    return sorted(members, key=lambda each: (_TURNS.get(each, 2), type_name(each)))


def _none(text: str) -> None:
    if text != "None":
        raise ValueError("not `None`")


def _bool(text: str) -> bool:
    values = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in values:
        raise ValueError("say true or false")
    return values[text.lower()]


def _bytes(text: str) -> bytes:
    if text[:2] in ("b'", 'b"'):
        value = _literal(text)
        if isinstance(value, bytes):
            return value
    return text.encode("utf-8", "surrogateescape")


def _member(name: object, cls: type[enum.Enum]) -> enum.Enum:
    """`ROCK` or `Move.ROCK`, as a text or as a name."""
    text = str(name) if isinstance(name, (str, _Name)) else ""
    member = cls.__members__.get(text.removeprefix(f"{cls.__name__}."))
    if member is None:
        raise ValueError(f"expected one of {', '.join(cls.__members__)}")
    return member


def _word(text: str, words: tuple[str, ...]) -> str:
    if text not in words:
        raise ValueError(f"expected one of {', '.join(words)}")
    return text


class _Name:
    """A name in a literal, `ROCK` or `Move.ROCK`: nothing but a member of an enum."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class _Names(ast.NodeTransformer):
    """Makes constants of the names, so that ast.literal_eval takes them."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Constant(_Name(node.id)), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.value, ast.Name):
            return node
        return ast.copy_location(ast.Constant(_Name(f"{node.value.id}.{node.attr}")), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return node  # `set()` is a literal


def _literal(text: str, expect: Any = None) -> Any:
    try:
        return ast.literal_eval(_Names().visit(ast.parse(text.strip(), mode="eval")))
    except (ValueError, SyntaxError):
        is_class = dataclasses.is_dataclass(typing.get_origin(expect) or expect)
        raise ValueError(_no_fields(expect) if is_class else _NO_LITERAL) from None


def _has_name(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_name, value)) or any(map(_has_name, value.values()))
    if isinstance(value, (list, tuple, set)):
        return any(map(_has_name, value))
    return isinstance(value, _Name)


def _literal_or_text(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _shape(value: Any, expect: Any) -> Any:
    """A literal as a value of the type: names become enum members, dicts become dataclasses."""
    origin: Any = typing.get_origin(expect) or expect
    arguments = typing.get_args(expect)
    if origin is typing.Annotated:
        return _shape(value, arguments[0])
    if origin in (typing.Union, types.UnionType):
        return _shape_union(value, arguments)
    if isinstance(origin, type) and issubclass(origin, enum.Enum):
        return _member(value, origin)
    if dataclasses.is_dataclass(origin):
        return _shape_dataclass(value, origin)
    of_set = origin is frozenset and isinstance(value, set)  # a frozenset has no literal
    if origin in _COLLECTIONS and (isinstance(value, origin) or of_set):
        return _COLLECTIONS[origin](_shape_items(value, origin, arguments))
    if origin is dict and isinstance(value, dict) and len(arguments) == 2:
        key, item = arguments
        return {_shape(k, key): _shape(v, item) for k, v in value.items()}
    return _checked(value, expect)


def _shape_items(value: Any, origin: Any, arguments: tuple[Any, ...]) -> list[Any]:
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        if arguments and len(arguments) != len(value):
            items = "item" if len(arguments) == 1 else "items"
            raise ValueError(f"expected {len(arguments)} {items}, not {len(value)}")
        return [_shape(*pair) for pair in zip(value, arguments or [object] * len(value))]
    item = arguments[0] if arguments else object
    return [_shape(each, item) for each in value]


def _shape_union(value: Any, members: tuple[Any, ...]) -> Any:
    for member in _in_turn(members):
        try:
            return _shape(value, member)
        except (ValueError, TypeError):
            pass
    names = ", ".join(map(type_name, _in_turn(members)))
    raise ValueError(f"{value!r:.60} fits none of {names}")


def _no_fields(cls: Any) -> str:
    return f"expected a dict with the fields of {(typing.get_origin(cls) or cls).__name__}"


def _shape_dataclass(value: Any, cls: Any) -> Any:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ValueError(_no_fields(cls))
    hints = typing.get_type_hints(cls)
    fields = {field.name for field in dataclasses.fields(cls) if field.init}
    unknown = sorted(set(value) - fields)
    if unknown:
        raise ValueError(f"{cls.__name__} has no field {unknown[0]}")
    return cls(**{name: _shape(part, hints[name]) for name, part in value.items()})


def _checked(value: Any, expect: Any) -> Any:
    """A plain value, checked and converted as if it had come over the wire."""
    if _has_name(value):
        raise ValueError(_NO_LITERAL)
    try:
        return copy(value, expect)
    except WireError as fault:
        raise ValueError(str(fault)) from None
