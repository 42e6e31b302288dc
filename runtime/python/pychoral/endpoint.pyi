# What generated endpoints import, for type checkers: nothing of the machinery behind it.

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeVar, overload

_T = TypeVar("_T")
_E = TypeVar("_E", bound=Enum)

class ChannelError(Exception):
    status: int
    def __init__(self, text: str, status: int = ...) -> None: ...

class UnexpectedSelection(ChannelError):
    def __init__(self, label: object) -> None: ...

class PeerStopped(ChannelError):
    def __init__(self, *roles: str, at: str = ...) -> None: ...

class Unit:
    id: Any

class Channel:
    @overload
    def com(self, value: object, *, expect: Any = ..., site: int = ...) -> Any: ...
    @overload
    def com(self, *, expect: Any, site: int = ...) -> Any: ...
    @overload
    def share(self, value: object, *, expect: Any = ..., site: int = ...) -> Any: ...
    @overload
    def share(self, *, expect: Any, site: int = ...) -> Any: ...
    @overload
    def select(self, label: Enum, *, site: int = ...) -> Any: ...
    @overload
    def select(self, *, expect: type[_E], site: int = ...) -> _E: ...

class Parameter: ...

def absent(name: str) -> Parameter: ...
def channel(name: str, *roles: str, secure: bool = ...) -> Parameter: ...
def option(
    name: str,
    type: Any,
    default: Any = ...,
    help: str = ...,
    role: str = ...,
    agreed: tuple[str, ...] = ...,
) -> Parameter: ...
def narrow(value: _T) -> _T: ...

class Program:
    role: str
    roles: tuple[str, ...]
    protocol: str
    source: str
    main: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    result: str | tuple[bool, ...]
    sites: Mapping[int, str]
    types: tuple[object, ...]
    def __init__(
        self,
        role: str,
        roles: tuple[str, ...],
        protocol: str,
        source: str,
        main: Callable[..., Any],
        parameters: tuple[Parameter, ...] = ...,
        result: str | tuple[bool, ...] = ...,
        sites: Mapping[int, str] = ...,
        types: tuple[object, ...] = ...,
    ) -> None: ...
    def run(self) -> None: ...
