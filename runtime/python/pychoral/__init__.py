"""What a choreography imports: roles, located types, role bases and channels.

Type checkers see __init__.pyi.  Here, at run time, everything is transparent: `x@R` is x, a class
at several roles is an ordinary class, and `com` copies its argument as the wire does, so that a
choreography can be imported and called as plain Python.  Printing role by role is the business of
the role-erased program (pychoral.central); projections stand on pychoral.endpoint.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what endpoints import last is not imported here: see standard.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Annotated as At
    from typing import Any, TypeVar

    _T = TypeVar("_T")
    _F = TypeVar("_F", bound=Callable[..., Any])

__version__ = "0.1.0"

_MOST_ROLES = 32


def __getattr__(name: str) -> Any:
    if name != "At":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from typing import Annotated

    globals()["At"] = Annotated
    return Annotated


class _Member:
    """`R.M` on the right of `E@R.M`: the member M of whatever enum stands on the left."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __rmatmul__(self, enumeration: Any) -> Any:
        return getattr(enumeration, self._name)


class _RoleMeta(type):
    def __rmatmul__(cls, value: _T) -> _T:
        return value

    def __getattr__(cls, member: str) -> Any:
        if member.startswith("_"):
            raise AttributeError(member)
        return _Member(member)


class Role(metaclass=_RoleMeta):
    """Base of role names: `class Client(Role): ...`."""

    def __rmatmul__(self, value: _T) -> _T:
        return value


def roles(*roles: type[Role]) -> Callable[[_F], _F]:
    """States the formal roles of a function."""
    return lambda function: function


def effect(*roles: type[Role]) -> Callable[[_F], _F]:
    """States which roles may act in a function."""
    return lambda function: function


class _Indexed:
    """A class that takes roles and types in brackets and stays what it is."""

    def __class_getitem__(cls, parameters: object) -> type:
        return cls


class Ch(_Indexed):
    """Base of a class at any number of roles; type checkers know Ch1 to Ch32 only."""


class DiDataChannel(_Indexed):
    """Data from the first role to the second."""

    def com(self, value: _T) -> _T:
        """What the receiver gets: a copy, as the wire makes it."""
        from .wire import copy  # here, as declarations alone need no MessagePack

        received: _T = copy(value)
        return received

    def share(self, value: _T) -> _T:
        """As `com`; the result is at both roles."""
        return self.com(value)


class DiSelectChannel(_Indexed):
    """Selections from the first role to the second."""

    def select(self, label: _T) -> _T:
        """Tells the receiver which branch is taken; in one program it knows."""
        return label


class DiChannel(DiDataChannel, DiSelectChannel):
    """Data and selections from the first role to the second."""


class BiDataChannel(DiDataChannel):
    """Data both ways, of a type for each."""


class BiChannel(BiDataChannel, DiChannel):
    """Data and selections both ways, with a data type for each."""


class SymDataChannel(BiDataChannel):
    """Data of one type both ways."""


class SymSelectChannel(DiSelectChannel):
    """Selections both ways."""


class SymChannel(BiChannel, SymDataChannel, SymSelectChannel):
    """Data of one type, and selections, both ways."""


class SecureChannel(SymChannel):
    """A SymChannel that must be encrypted and authenticated."""


Channel = SymChannel

for _count in range(1, _MOST_ROLES + 1):
    globals()[f"Ch{_count}"] = type(
        f"Ch{_count}", (_Indexed,), {"__doc__": f"Base of a class at {_count} role(s)."}
    )

__all__ = [
    "At",
    "BiChannel",
    "BiDataChannel",
    "Ch",
    "Channel",
    "DiChannel",
    "DiDataChannel",
    "DiSelectChannel",
    "Role",
    "SecureChannel",
    "SymChannel",
    "SymDataChannel",
    "SymSelectChannel",
    "effect",
    "roles",
    *(f"Ch{_count}" for _count in range(1, _MOST_ROLES + 1)),
]
