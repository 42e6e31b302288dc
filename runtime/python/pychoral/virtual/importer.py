"""`install`: an import hook that virtualizes the modules whose names match."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from typing import Any

from .converting import bindings, request
from .loader import load_module


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, finder: Finder) -> None:
        super().__init__(name, path)
        self._finder = finder

    def exec_module(self, module: types.ModuleType) -> None:
        filename = self.get_filename(module.__name__)
        self._finder.run(self.get_data(filename), filename, vars(module))


class Finder(MetaPathFinder):
    """Finds what the other finders find, and loads it with the overload's semantics."""

    def __init__(self, overload: Any, match: Iterable[str], hooks: Any, mode: str | None) -> None:
        self._overload, self._hooks, self._mode = overload, hooks, mode
        self._match = tuple(match)

    def run(self, source: bytes, filename: str, names: dict[str, Any]) -> None:
        """Runs a file in the dictionary of its module."""
        asked = request(source, filename, self._overload, self._hooks, self._mode, None)
        bound, code = load_module(asked)
        names.update(bindings(self._overload, bound))
        exec(code, names)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> ModuleSpec | None:
        if not any(fnmatchcase(fullname, pattern) for pattern in self._match):
            return None
        for finder in sys.meta_path:
            if isinstance(finder, Finder) or not hasattr(finder, "find_spec"):
                continue
            spec: ModuleSpec | None = finder.find_spec(fullname, path, target)
            if spec is not None:
                if type(spec.loader) is SourceFileLoader:
                    spec.loader = _Loader(fullname, spec.loader.path, self)
                return spec
        return None


def install(
    overload: Any, match: str | Iterable[str], *, hooks: Any = None, mode: str | None = None
) -> Finder:
    """Virtualizes modules that are imported from now on and whose names fit one of the globs.

    `sys.meta_path.remove` takes the hook out again.
    """
    patterns = match.split(",") if isinstance(match, str) else match
    finder = Finder(overload, patterns, hooks, mode)
    sys.meta_path.insert(0, finder)
    return finder
