"""What happened in which order: `--trace FILE`, with vector clocks (PROTOCOL.md section 1).

A role writes an event when its program sends or reads a message, the end included.  Its clock
counts its own events and travels in the header of each message, so that what is read comes behind
what was sent, whatever the clocks on the walls say.  The name of the file says how:

    NAME.shiviz, NAME.log   two lines an event, text and clock, as ShiViz reads them with its own
                            regular expression: (?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})
    NAME.json               Chrome's trace events, for chrome://tracing, Perfetto and speedscope: a
                            process a role, an arrow a message

A durable role that starts again tells its story anew, with the same clocks, as the messages in its
journal have theirs.  `PYTHONPATH=HERE python3 -m pychoral.trace FILES -o OUT`, where HERE is the
folder of the programs, joins the files of all roles; one kind may become the other.
"""

from __future__ import annotations

import enum
import json
import re
import struct
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from .frame import DATA, END, ERROR, Frames
from .lines import Lines, Sink
from .link import members_of
from .machine import Message
from .observed import Observer
from .options import type_name

_ITEM = struct.Struct(">HH")
_PAIR = struct.Struct(">HQ")
CLOCK = 1  # the type of a header's item that holds a vector clock
_MESSAGE = re.compile(r"(sends|reads) message (\d+) (?:to|from) ([^\s:]+)")
_NAMES = {END: "the end", ERROR: "an error"}
_SLICE_US = 1.0  # how long an event is shown to last


# --- the clock in a header ---


def pack_clock(clock: Mapping[int, int]) -> bytes:
    """The item of a longer header: numbers of roles and their clocks."""
    body = b"".join(_PAIR.pack(role, count) for role, count in sorted(clock.items()) if count)
    return _ITEM.pack(CLOCK, len(body)) + body


def unpack_clock(extra: bytes) -> dict[int, int]:
    """The clock in what lengthens a header; nothing in whatever else stands there."""
    at = 0
    while at + _ITEM.size <= len(extra):
        kind, size = _ITEM.unpack_from(extra, at)
        at += _ITEM.size
        if at + size > len(extra):
            break
        if kind == CLOCK and size % _PAIR.size == 0:
            return {role: count for role, count in _PAIR.iter_unpack(extra[at : at + size])}
        at += size
    return {}


# --- writing ---


class Event(NamedTuple):
    """Something that happened at a role.  `when` is in microseconds."""

    role: str
    text: str
    clock: dict[str, int]
    when: float


class Trace(Observer):
    """Writes the events of one role to a file, each at once, so that a crash loses none.

    sites   where in the source each communication is
    """

    def __init__(
        self,
        path: str | Path,
        role: str,
        roles: Sequence[str],
        sites: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self._sites = sites
        self._roles = list(roles)
        self._role = role
        self._me = self._roles.index(role)
        self._clock = dict.fromkeys(range(len(roles)), 0)
        kind = writer(path)
        self._file = Lines(str(path), role, "trace", anew=True)
        self._writer = kind(self._file, self._roles)
        self._about: Any = "a value"

    def about(self, expect: Any) -> None:
        self._about = expect

    def stamp(self) -> bytes:
        """The clock as it will be once the next message is sent; `sent` then counts it."""
        return pack_clock(self._clock | {self._me: self._clock[self._me] + 1})

    def sent(
        self, peer: str, seq: int, kind: int, site: int, label: int, frames: Frames
    ) -> None:
        self.event(f"sends message {seq} to {peer}: {self._what(kind, site, label)}")

    def taken(self, peer: str, message: Message) -> None:
        """Comes behind whatever the sender knew of."""
        for role, count in unpack_clock(message.extra).items():
            if role in self._clock and role != self._me:
                self._clock[role] = max(self._clock[role], count)
        what = self._what(message.kind, message.site, message.label)
        self.event(f"reads message {message.seq} from {peer}: {what}")

    def _what(self, kind: int, site: int, label: int) -> str:
        what = _NAMES.get(kind) or _described(kind, label, self._about)
        return f"{what} ({self._sites[site]})" if site in self._sites else what

    def event(self, text: str) -> None:
        """Anything that this role does."""
        self._clock[self._me] += 1
        clock = {self._roles[role]: count for role, count in self._clock.items() if count}
        when = time.time_ns() / 1000
        self._writer.write(Event(self._role, " ".join(text.split()), clock, when))

    def close(self) -> None:
        self._writer.finish()
        self._file.close()


def _described(kind: int, label: int, about: Any) -> str:
    """What a message is: a selection by its name, a value by its type, as far as they are known."""
    if kind == DATA:
        return type_name(about)
    is_enum = isinstance(about, enum.EnumMeta)
    members = members_of(about) if is_enum else ()
    return f"{about.__name__}.{members[label].name}" if label < len(members) else f"label {label}"


class ShivizWriter:
    """Two lines an event."""

    def __init__(self, file: Sink, roles: Sequence[str]) -> None:
        self._file = file

    def write(self, event: Event) -> None:
        clock = json.dumps(event.clock, ensure_ascii=False)
        self._file.write(f"{event.text}\n{event.role} {clock}\n")

    def finish(self) -> None:
        pass


class ChromeWriter:
    """An array of JSON objects, an object a line; readers forgive a missing end."""

    def __init__(self, file: Sink, roles: Sequence[str]) -> None:
        self._file = file
        self._roles = {role: number for number, role in enumerate(roles)}
        self._first = True
        self._named: set[str] = set()

    def write(self, event: Event) -> None:
        number = self._roles.setdefault(event.role, len(self._roles))
        if event.role not in self._named:
            self._named.add(event.role)
            for name, args in (("process_name", {"name": event.role}),
                               ("process_sort_index", {"sort_index": number})):
                self._put({"ph": "M", "name": name, "pid": number, "tid": 0, "args": args})
        place = {"pid": number, "tid": 0, "ts": event.when}
        self._put({"ph": "X", "name": event.text, "cat": "role", **place, "dur": _SLICE_US,
                   "args": {"clock": event.clock}})
        arrow = arrow_of(event)
        if arrow:
            start, name = arrow
            end = {} if start else {"bp": "e"}
            self._put({"ph": "s" if start else "f", "name": "message", "cat": "message",
                       "id": name, **place, **end})

    def _put(self, item: dict[str, Any]) -> None:
        self._file.write(("[" if self._first else ",\n") + json.dumps(item, ensure_ascii=False))
        self._first = False

    def finish(self) -> None:
        self._file.write("[]\n" if self._first else "]\n")


def arrow_of(event: Event) -> tuple[bool, str] | None:
    """Whether an event begins or ends the arrow of a message, and the arrow's name."""
    found = _MESSAGE.match(event.text)
    if not found:
        return None
    verb, seq, peer = found[1], found[2], found[3]
    start = verb == "sends"
    ends = (event.role, peer) if start else (peer, event.role)
    return start, f"{ends[0]} to {ends[1]} {seq}"


def writer(path: str | Path) -> type[ShivizWriter] | type[ChromeWriter]:
    """What writes a file of this name; ValueError if the name says nothing."""
    suffix = Path(path).suffix
    if suffix not in (".json", ".shiviz", ".log"):
        raise ValueError(f"{path}: a trace is NAME.shiviz, NAME.log or NAME.json")
    return ChromeWriter if suffix == ".json" else ShivizWriter


# --- joining ---


def read_shiviz(text: str) -> Iterator[Event]:
    """The events of a ShiViz log; a last one that is torn is left out.  Without times: the sum of a
    clock grows along every arrow, so it serves as one."""
    lines = text.splitlines()
    for place in range(1, len(lines), 2):
        role, _, clock = lines[place].partition(" ")
        try:
            counts = json.loads(clock)
        except ValueError:
            if place + 2 < len(lines):
                raise
            return
        yield Event(role, lines[place - 1], counts, 10.0 * sum(counts.values()))


def read_chrome(text: str) -> Iterator[Event]:
    """The events of a Chrome trace; it may lack its end."""
    names: dict[int, str] = {}
    lines = [line.strip("[], ") for line in text.splitlines()]
    for place, line in enumerate(lines):
        try:
            item = json.loads(line)
        except ValueError:
            if line and any(lines[place + 1 :]):
                raise
            continue
        if item["ph"] == "M" and item["name"] == "process_name":
            names[item["pid"]] = item["args"]["name"]
        elif item["ph"] == "X":
            clock = item["args"]["clock"]
            yield Event(names[item["pid"]], item["name"], clock, item["ts"])


def read_file(file: Path) -> list[Event]:
    """The events of one file; raises OSError, and ValueError if it is not a trace."""
    try:
        text = file.read_text("utf-8")
        return list((read_chrome if file.suffix == ".json" else read_shiviz)(text))
    except (ValueError, LookupError, TypeError, AttributeError):
        form = "Chrome's trace events" if file.suffix == ".json" else "a ShiViz log"
        raise ValueError(f"{file} is not a trace: as its name says, it must be {form}") from None


def joined(files: Iterable[Path]) -> list[Event]:
    """The events of all roles, each behind what it depends on."""
    events = [event for file in files for event in read_file(file)]
    return sorted(events, key=lambda event: (sum(event.clock.values()), event.role))


def join(files: Sequence[Path], out: Path) -> int:
    """Writes the joined trace; how many events it has."""
    kind = writer(out)
    events = joined(files)
    roles = list(dict.fromkeys(event.role for event in events))
    with open(out, "w", encoding="utf-8") as file:
        put = kind(file, roles)
        for event in events:
            put.write(event)
        put.finish()
    return len(events)


def main() -> int:
    import argparse

    parser = argparse.ArgumentParser(
        prog="python3 -m pychoral.trace", description="Joins the traces of all roles of a run.",
        epilog="Python finds it in the folder of the programs, or from elsewhere with "
        "PYTHONPATH=FOLDER.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE",
                        help="the trace of a role, written by its option `--trace FILE`")
    parser.add_argument("-o", dest="out", type=Path, required=True, metavar="OUT",
                        help="NAME.shiviz, NAME.log or NAME.json")
    options = parser.parse_args()
    try:
        count = join(options.files, options.out)
    except OSError as fault:
        doing = "written" if str(fault.filename) == str(options.out) else "read"
        print(f"{fault.filename} cannot be {doing}: {fault.strerror}", file=sys.stderr)
        return 2
    except ValueError as fault:
        print(fault, file=sys.stderr)
        return 2
    print(f"{count} events in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
