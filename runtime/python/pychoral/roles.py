"""Role names without declarations: `from pychoral.roles import Client` gives a role class."""

from __future__ import annotations

from . import Role

_made: dict[str, type[Role]] = {}


def __getattr__(name: str) -> type[Role]:
    if name.startswith("_"):
        raise AttributeError(name)
    return _made.setdefault(name, type(Role)(name, (Role,), {}))
