"""python3 -m pychoral.virtual --overload M[:attr] [--hooks=..] [--mode=..] [--match=GLOB,..]
script.py | -m MODULE [arguments]

Runs a program as `python3` does, with the overload's semantics in the script (or MODULE) and in the
modules of --match, and nowhere else.  Without --hooks: all hooks that the overload defines.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
import types
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from typing import Any, NoReturn

from .importer import Finder
from .signals import VirtualizationError


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m pychoral.virtual", allow_abbrev=False,
        description="Run a program with the semantics of an overload.",
    )  # fmt: skip
    parser.add_argument("--overload", default="pychoral.virtual.py_defaults", metavar="M[:attr]")
    parser.add_argument("--hooks", help="groups and names of hooks; default: what M defines")
    parser.add_argument("--mode", choices=["nonlocal", "boxed"])
    parser.add_argument("--match", default="", help="globs of modules to virtualize, too")
    parser.add_argument("-m", dest="module", nargs=argparse.REMAINDER)
    parser.add_argument("script", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    if given.module is None and not given.script:
        parser.error("a script or -m MODULE is expected")
    if given.module is not None and not given.module:
        parser.error("-m needs a module")
    return given


def find_overload(words: str) -> Any:
    module, _, attribute = words.partition(":")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or not (module + ".").startswith(missing.name + "."):
            raise
        raise VirtualizationError(f"there is no module `{missing.name}` with an overload") from None
    for part in attribute.split(".") if attribute else ():
        if not hasattr(found, part):
            raise VirtualizationError(f"`{words}` was not found: {found!r} has no `{part}`")
        found = getattr(found, part)
    return found


def _module_spec(name: str) -> ModuleSpec:
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = importlib.util.find_spec(name + ".__main__")
    if spec is None or spec.origin is None or not hasattr(spec.loader, "get_data"):
        raise VirtualizationError(f"no module named {name} with a source that can be run")
    return spec


def _main_module(filename: str, spec: ModuleSpec | None) -> types.ModuleType:
    module = types.ModuleType("__main__")
    module.__file__, module.__spec__ = filename, spec
    module.__package__ = spec.parent if spec is not None else None
    module.__loader__ = spec.loader if spec is not None else None
    vars(module).update(__cached__=spec.cached if spec else None, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    return module


def _show(error: BaseException) -> NoReturn:
    """The traceback that the program would have had, without the frames of the launcher."""
    at = error.__traceback__
    while at is not None and at.tb_frame.f_globals.get("__package__") == "pychoral.virtual":
        at = at.tb_next
    sys.excepthook(type(error), error.with_traceback(at), at)
    sys.exit(1)


def _source_of(filename: str) -> bytes:
    """As python3 does, a script that cannot be read is exit status 2."""
    try:
        with open(filename, "rb") as file:
            return file.read()
    except OSError as error:
        print(f"{sys.executable}: can't open file {filename!r}: {error.strerror}", file=sys.stderr)
        sys.exit(2)


def main() -> None:
    try:
        _run(_options(sys.argv[1:]))
    except VirtualizationError as error:
        sys.exit(f"python3 -m pychoral.virtual: {error}")


def _run(given: argparse.Namespace) -> None:
    finder = Finder(
        find_overload(given.overload),
        [one for one in given.match.split(",") if one], given.hooks, given.mode,
    )  # fmt: skip
    spec = None
    if given.module is not None:
        sys.argv = given.module
        sys.path[0] = os.getcwd()
        spec = _module_spec(given.module[0])
        sys.argv[0] = filename = str(spec.origin)
    else:
        sys.argv = given.script
        filename = os.path.abspath(given.script[0])
        sys.path[0] = os.path.dirname(os.path.realpath(filename))
    sys.meta_path.insert(0, finder)
    source = _source_of(filename)
    try:
        finder.run(source, filename, vars(_main_module(filename, spec)))
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        _show(error)


if __name__ == "__main__":
    main()
