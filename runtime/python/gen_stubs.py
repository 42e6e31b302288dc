#!/usr/bin/env python3
"""Writes pychoral/__init__.pyi: what type checkers see of the names a choreography imports.

The stub is *transparent*: `At[T, R]` is T, `x@R` and `ch.com(x)` have the type of x.  Roles are the
compiler's business; checkers see ordinary Python.  `Ch1` to `Ch32` are alike but for their number
of roles, which is why the file is generated.  `--check` says whether the committed one is current.
"""

from __future__ import annotations

import pathlib
import sys

MOST_ROLES = 32
STUB = pathlib.Path(__file__).parent / "pychoral" / "__init__.pyi"

HEAD = """\
# Written by gen_stubs.py; change that file, not this one.

from abc import ABCMeta
from collections.abc import Callable
from typing import Annotated as At
from typing import Any, Generic, TypeVar

__all__ = [
{names}
]

_T = TypeVar("_T")
_U = TypeVar("_U")
_V = TypeVar("_V")
_A = TypeVar("_A")
_B = TypeVar("_B")
_F = TypeVar("_F", bound=Callable[..., Any])
{variables}

class _RoleMeta(type):
    def __rmatmul__(cls, value: _T) -> _T: ...  # 5@Alice, E.M@Alice
    def __getattr__(cls, member: str) -> Any: ...  # E@Alice.M

class Role(metaclass=_RoleMeta):
    def __rmatmul__(self, value: _T) -> _T: ...  # E.M@Alice()

def roles(*roles: type[Role]) -> Callable[[_F], _F]: ...
def effect(*roles: type[Role]) -> Callable[[_F], _F]: ...

# The base of a class at several roles: `C[A, B](...)` is an expression as well.
class _ChMeta(ABCMeta):
    def __getitem__(cls: type[_T], roles: object) -> type[_T]: ...

# Not so for one role, as an enum may have it, and enums have a metaclass of their own.
class Ch1(Generic[_R1]): ...
"""

CHANNELS = """
class DiDataChannel(Generic[_T, _A, _B]):
    def com(self, value: _V) -> _V: ...
    def share(self, value: _V) -> _V: ...

class DiSelectChannel(Generic[_A, _B]):
    def select(self, label: _V) -> _V: ...

class DiChannel(DiDataChannel[_T, _A, _B], DiSelectChannel[_A, _B]): ...
class BiDataChannel(DiDataChannel[_T, _A, _B], Generic[_T, _U, _A, _B]): ...
class BiChannel(BiDataChannel[_T, _U, _A, _B], DiChannel[_T, _A, _B]): ...
class SymDataChannel(BiDataChannel[_T, _T, _A, _B], Generic[_T, _A, _B]): ...
class SymSelectChannel(DiSelectChannel[_A, _B]): ...

class SymChannel(
    BiChannel[_T, _T, _A, _B],
    SymDataChannel[_T, _A, _B],
    SymSelectChannel[_A, _B],
    Generic[_T, _A, _B],
): ...

class SecureChannel(SymChannel[_T, _A, _B]): ...

Channel = SymChannel
"""

PLAIN_NAMES = [
    "At", "BiChannel", "BiDataChannel", "Channel", "DiChannel", "DiDataChannel",
    "DiSelectChannel", "Role", "SecureChannel", "SymChannel", "SymDataChannel",
    "SymSelectChannel", "effect", "roles",
]  # fmt: skip


def role_base(count: int) -> str:
    """The class ChN for `count` roles."""
    parameters = wrapped([f"_R{i}" for i in range(1, count + 1)])
    bases = f"    Generic[\n{parameters}\n    ],\n    metaclass=_ChMeta,\n"
    return f"\nclass Ch{count}(\n{bases}): ...\n"


def wrapped(words: list[str], width: int = 90) -> str:
    """Words with commas, in indented lines."""
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > width - 10:
            lines.append(line.rstrip())
            line = ""
        line += word + ", "
    return "\n".join("        " + each for each in [*lines, line.rstrip()])


def stub() -> str:
    """The whole text."""
    counts = range(1, MOST_ROLES + 1)
    names = [f"Ch{i}" for i in counts] + PLAIN_NAMES
    head = HEAD.format(
        names="\n".join(f'    "{name}",' for name in sorted(names)),
        variables="\n".join(f'_R{i} = TypeVar("_R{i}")' for i in counts),
    )
    return head + "".join(map(role_base, counts[1:])) + CHANNELS


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        current = STUB.exists() and STUB.read_text(encoding="utf-8") == stub()
        if not current:
            print(f"{STUB.name} is not current: run gen_stubs.py", file=sys.stderr)
        return 0 if current else 1
    STUB.write_text(stub(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
