"""Whether both ends of every message number it alike (docs/projection.md, "Sites").

`texts` looks at what was generated: a number that is sent under is received under, with the same
kind of message, and each program's table has the places of its numbers. `Watch` looks at a run:
the numbers under which one role sends to another are those under which that one receives, one by
one. `types` looks at the tables of classes that loaded programs have.
"""

import ast
import itertools
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from runner.compiler import endpoint_files

METHODS = ("com", "share", "select")


# ---- the texts ----

def texts(build: Path) -> list[str]:
    complaints = []
    sent: set[tuple[str, int]] = set()
    received: set[tuple[str, int]] = set()
    modules: dict[str, ast.Module] = {}
    for path in endpoint_files(build):
        modules[path.stem] = ast.parse(path.read_text(encoding="utf-8"))
    for name, tree in modules.items():
        table = table_of(tree)
        for call in calls_of(tree):
            kind, site = kind_of(call), site_of(call)
            (sent if call.args else received).add((kind, site))
            if site == 0:
                complaints.append(f"{name}.py:{call.lineno}: a message without a number")
            if table is not None and site not in table:
                complaints.append(f"{name}.py:{call.lineno}: site {site} is not in SITES")
        if table is None:
            continue
        for other in reached(name, modules):
            numbers = {site_of(call) for call in calls_of(modules[other])}
            if not numbers <= table.keys():
                complaints.append(f"{name}.py: SITES lacks sites of {other}")
    # What follows a raise of its own is kept by a role, and left out by those that it stops.
    for kind, site in sorted(received - sent):
        complaints.append(f"site {site} ({kind}) is received under, and never sent under")
    return complaints


def calls_of(tree: ast.AST) -> list[ast.Call]:
    """The calls that are messages: those of a channel's methods, as they are generated."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) \
                and node.func.attr in METHODS \
                and {word.arg for word in node.keywords} & {"site", "expect"}:
            found.append(node)
    return found


def kind_of(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return "select" if call.func.attr == "select" else "com"


def site_of(call: ast.Call) -> int:
    for word in call.keywords:
        if word.arg == "site":
            return int(ast.literal_eval(word.value))
    return 0


def table_of(tree: ast.Module) -> dict[int, str] | None:
    """SITES of a program; None for a module beside it."""
    names: dict[str, dict[int, str]] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        if isinstance(node.value, ast.Dict) and node.targets[0].id.startswith("SITES"):
            names[node.targets[0].id] = ast.literal_eval(node.value)
        if node.targets[0].id == "PROGRAM" and isinstance(node.value, ast.Call):
            given = [word.value for word in node.value.keywords if word.arg == "sites"]
            return names[given[0].id] if given and isinstance(given[0], ast.Name) else {}
    return None


def reached(name: str, modules: dict[str, ast.Module]) -> set[str]:
    """The modules beside it that a program imports, and those that they do."""
    found: set[str] = set()
    pending = [name]
    while pending:
        for node in ast.walk(modules[pending.pop()]):
            for alias in node.names if isinstance(node, ast.Import) else ():
                if alias.name in modules and alias.name not in found:
                    found.add(alias.name)
                    pending.append(alias.name)
    return found


# ---- classes ----

def types(programs: Sequence[Any]) -> list[str]:
    """Whether a place in the type tables is the same class in all programs, if it is there."""
    complaints = []
    for rows in itertools.zip_longest(*(program.types for program in programs)):
        found = {cls.__qualname__ if isinstance(cls, type) else repr(cls)
                 for cls in rows if cls is not None}
        if len(found) > 1:
            complaints.append(f"one number stands for {' and '.join(sorted(found))}")
    return complaints


# ---- a run ----

class Watch:
    """Writes down every message of the roles that run as threads meanwhile, each named as its
    role."""

    def __init__(self) -> None:
        self._sent: dict[tuple[str, str], list[tuple[str, int]]] = {}
        self._received: dict[tuple[str, str], list[tuple[str, int]]] = {}
        self._original: dict[str, Callable[..., Any]] = {}

    def __enter__(self) -> "Watch":
        from pychoral.channel import Channel

        for method in METHODS:
            self._original[method] = getattr(Channel, method)
            setattr(Channel, method, self._watched(method, self._original[method]))
        return self

    def __exit__(self, *fault: object) -> None:
        from pychoral.channel import Channel

        for method, original in self._original.items():
            setattr(Channel, method, original)

    def _watched(self, method: str, original: Callable[..., Any]) -> Callable[..., Any]:
        kind = "select" if method == "select" else "com"

        def watched(channel: Any, *value: Any, **words: Any) -> Any:
            result = original(channel, *value, **words)
            me, peer = threading.current_thread().name, channel._link.peer
            note = self._sent if value else self._received
            ends = (me, peer) if value else (peer, me)
            note.setdefault(ends, []).append((kind, words.get("site", 0)))
            return result

        return watched

    def complaints(self) -> list[str]:
        found = []
        for ends, received in self._received.items():
            sent = self._sent.get(ends, [])
            if sent[:len(received)] != received:
                found.append(f"{ends[0]} sends to {ends[1]} under the sites {sent}, "
                             f"which receives under {received}")
        return found
