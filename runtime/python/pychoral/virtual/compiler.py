"""Runs `pychoralc virtualize` and keeps what has been made of its answers in the user's cache."""

from __future__ import annotations

import hashlib
import json
import marshal
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from .. import installed
from .signals import VirtualizationError


class Virtualized(NamedTuple):
    """What `--emit=json` gives: the text, and what was edited to make it."""

    text: str
    edits: list[tuple[int, int, int]]       # at, bytes removed, bytes inserted
    names: list[tuple[str, str, str]]


class Request(NamedTuple):
    """What is to be virtualized, and how."""

    source: bytes
    filename: str
    hooks: tuple[str, ...]      # words of --hooks, or the names that the overload defines
    mode: str | None
    function: int | None = None
    defaults: bool = True


def find_compiler() -> str:
    try:
        return installed.find_compiler()
    except FileNotFoundError as missing:
        raise VirtualizationError(str(missing)) from None


def _run(arguments: list[str], request: Request) -> bytes:
    done = subprocess.run(
        [find_compiler(), "virtualize", "-", "--emit=json", *arguments],
        input=request.source, capture_output=True,
    )  # fmt: skip
    if done.returncode == 0:
        return done.stdout
    if done.returncode == 1:
        compile(request.source, request.filename, "exec", dont_inherit=True)
    said = done.stderr.decode(errors="replace").strip()
    raise VirtualizationError(f"{request.filename} cannot be virtualized\n{said}")


def virtualized(request: Request) -> Virtualized:
    arguments = [f"--mode={request.mode}"] if request.mode else []
    if request.function is not None:
        arguments.append(f"--function={request.function}")
    if request.defaults:
        answer = _run([*arguments, "--hooks=" + ",".join(request.hooks)], request)
    else:
        # The compiler reads the names of an overload from a file; these are those of this one.
        with tempfile.TemporaryDirectory(prefix="pychoral-") as place:
            overload = Path(place, "overload.py")
            overload.write_text("".join(f"{name} = None\n" for name in request.hooks))
            answer = _run([*arguments, f"--overload={overload}"], request)
    found = json.loads(answer)
    return Virtualized(found["text"], found["edits"], found["names"])


# ---- the cache ----

Built = tuple[list[tuple[str, str, str]], CodeType]


def _folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home, "pychoral", "virtual")


def _key(request: Request, more: Iterable[Any]) -> str:
    compiler = find_compiler()
    stamp = os.stat(compiler)
    files = Path(__file__).parent.glob("*.py")
    own = sorted((path.name, path.stat().st_mtime_ns) for path in files)
    parts = [
        compiler, stamp.st_size, stamp.st_mtime_ns, own, sys.version, sys.flags.optimize,
        tuple(request), *more,
    ]  # fmt: skip
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _read(path: Path) -> Built | None:
    try:
        names, code = marshal.loads(path.read_bytes())
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return (names, code) if isinstance(code, CodeType) else None


def _write(path: Path, built: Built) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(marshal.dumps(built))
        os.replace(name, path)
    except OSError:
        pass  # The cache only saves time.


def cached(request: Request, more: Iterable[Any], build: Callable[[], Built]) -> Built:
    """What was built of the same request before, or `build()`."""
    path = _folder() / _key(request, more)
    found = _read(path)
    if found is None:
        found = build()
        _write(path, found)
    return found
