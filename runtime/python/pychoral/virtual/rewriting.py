"""RewritingCallOverload: a `call` hook that calls replacements of given functions."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar

from . import py_defaults

F = TypeVar("F", bound=Callable[..., Any])


def _attribute(owner: type, name: str) -> Any:
    """What the class has by that name: a descriptor, not yet bound."""
    for base in owner.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None


def unbound(f: Any) -> tuple[Any, tuple[Any, ...]]:
    """The function of a bound method, or of an object that can be called, and what it gets first;
    `f` and nothing for others."""
    if isinstance(f, types.MethodType):
        return f.__func__, (f.__self__,)
    if isinstance(f, (types.BuiltinMethodType, types.MethodWrapperType)):
        of = f.__self__
        if of is not None and not isinstance(of, types.ModuleType):
            owner = of if isinstance(of, type) else type(of)
            descriptor = _attribute(owner, f.__name__)
            if descriptor is not None:
                return descriptor, (of,)
    elif not isinstance(f, (types.FunctionType, type)):
        method = _attribute(type(f), "__call__")
        if isinstance(method, types.FunctionType):
            return method, (f,)
    return f, ()


class RewritingCallOverload:
    """`call = RewritingCallOverload(default)`, then `@call.replaces(f)` on what is called instead.

    A function is known by its identity; a bound method by its function, and a method of a C type by
    its type and name, also in subclasses; `replaces(C.__call__)` is for objects of C that are
    called.  The replacement of a method gets the object first.
    """

    def __init__(self, default: Callable[..., Any] = py_defaults.call) -> None:
        self._default = default
        self._replaced: dict[int, tuple[Any, Callable[..., Any]]] = {}

    def __call__(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        found = self._replaced.get(id(f))
        if found is not None:
            return found[1](*args, **kwargs)
        function, bound = unbound(f)
        if bound:
            found = self._replaced.get(id(function))
            if found is not None:
                return found[1](*bound, *args, **kwargs)
        return self._default(f, *args, **kwargs)

    def replaces(self, f: Any) -> Callable[[F], F]:
        key = unbound(f)[0]

        def register(replacement: F) -> F:
            # The key is kept, so that no other object gets its id.
            self._replaced[id(key)] = (key, replacement)
            return replacement

        return register
