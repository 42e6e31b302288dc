"""Tracebacks of generated programs show the lines of the choreography.

A generated program ends with a table: which of its lines comes from which line of which source
(compiler/emit/line_table.h).  The text of a line is shown if that very source is found: by its
digest, in the folders of `PYCHORAL_SOURCES`, in the program's folder, the one above, or the
present one.  Frames of this package are left out.  With `PYCHORAL_TRACEBACK=full` the traceback is
what Python makes of the generated program.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import re
import sys
import tokenize
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

from .callers import is_inside

_HEADING = re.compile(r"# lines of (.*) \(sha256 ([0-9a-f]{16})\):\n?")
_RUN = re.compile(r"(\d+)(?:-(\d+))?:(\d+)")


@dataclass(frozen=True)
class _Table:
    name: str
    digest: str
    folder: str  # of the program
    runs: tuple[tuple[int, int, int], ...]  # first line, last line or 0, line of the source

    def line_of(self, line: int) -> int:
        """The line of the source; 0 if none is known."""
        found = 0
        for first, last, source in self.runs:
            if first > line:
                break
            found = source + min(line, last or first) - first
        return found

    def source(self) -> tuple[str, list[str]]:
        """The path of the source as it is shown, and its lines if it was found."""
        folders = os.environ.get("PYCHORAL_SOURCES", "").split(os.pathsep)
        for folder in [*folders, "", self.folder, os.path.dirname(self.folder)]:
            path = os.path.normpath(os.path.join(folder, self.name))
            lines = _lines(path, self.digest)
            if lines:
                return path, lines
        return self.name, []


@functools.lru_cache(maxsize=None)
def _lines(path: str, digest: str) -> list[str]:
    """The lines of the source with this digest; empty if the file is another one, or none."""
    if not os.path.isfile(path):  # a FIFO would be waited for
        return []
    try:
        with open(path, "rb") as file:
            data = file.read()
        if hashlib.sha256(data).hexdigest()[: len(digest)] != digest:
            return []
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        return io.TextIOWrapper(io.BytesIO(data), encoding, "replace").readlines()
    except (OSError, SyntaxError, ValueError):
        return []


@functools.lru_cache(maxsize=None)
def _table(path: str) -> _Table | None:
    """The table at the end of a generated program."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
    except (OSError, ValueError):
        return None
    runs: list[str] = []
    while lines and lines[-1].startswith("# "):
        heading = _HEADING.fullmatch(lines[-1])
        if heading:
            found = tuple(_run(each) for part in reversed(runs) for each in _RUN.findall(part))
            folder = os.path.dirname(os.path.abspath(path))
            return _Table(heading[1], heading[2], folder, found)
        runs.append(lines.pop())
    return None


def _run(parts: tuple[str, str, str]) -> tuple[int, int, int]:
    return int(parts[0]), int(parts[1] or 0), int(parts[2])


def _shown(frame: traceback.FrameSummary) -> traceback.FrameSummary:
    """The frame as one of the source."""
    table = _table(frame.filename)
    line = table.line_of(frame.lineno or 0) if table else 0
    if table is None or line == 0:
        return frame
    path, lines = table.source()
    text = lines[line - 1] if line <= len(lines) else ""
    return traceback.FrameSummary(path, line, frame.name, lookup_line=False, line=text)


def _parts(told: traceback.TracebackException) -> Iterator[traceback.TracebackException]:
    """It, what caused it, and the parts of groups."""
    waiting = [told]
    while waiting:
        each = waiting.pop()
        yield each
        more = [each.__cause__, each.__context__, *(getattr(each, "exceptions", None) or ())]
        waiting += [part for part in more if part is not None]


def _text_of(fault: BaseException) -> str:
    told = traceback.TracebackException.from_exception(fault)
    if os.environ.get("PYCHORAL_TRACEBACK") != "full":
        for part in _parts(told):
            own = [_shown(frame) for frame in part.stack if not is_inside(frame.filename)]
            part.stack = traceback.StackSummary.from_list(own or part.stack)
    return "".join(told.format())


def show(fault: BaseException) -> None:
    """Write the traceback of an exception that ends the program to standard error."""
    try:
        text = _text_of(fault)
    except Exception:  # no memory, say: what Python has is better than nothing
        sys.__excepthook__(type(fault), fault, fault.__traceback__)
        return
    print(text, end="", file=sys.stderr)


def excepthook(
    _kind: type[BaseException], fault: BaseException, _frames: TracebackType | None
) -> None:
    """What the interpreter calls for an exception that nothing handles: as a module loads."""
    show(fault)
