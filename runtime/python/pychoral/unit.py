"""Unit, the value that a role holds for what lives elsewhere."""

from __future__ import annotations

from typing import Any


class _UnitId:
    """`Unit.id`.  Called, it takes effects in order and is still Unit: `Unit.id(f(), g())`."""

    def __call__(self, *effects: object) -> _UnitId:
        return self

    def __repr__(self) -> str:
        return "Unit.id"


class Unit:
    """Holds `Unit.id`, typed Any so that it may stand for a parameter of any type."""

    id: Any = _UnitId()
