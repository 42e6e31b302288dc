"""Reads what the roles of a run say they sent and took, and reports what does not fit.

    check.py [--incomplete] FILE...

`--incomplete`: the run was stopped, so what was sent last need not have been taken.  Exit status 0
if nothing is lost, doubled, reordered or changed, 1 if something is, 2 for a file that is no
history.

A history is what an endpoint writes with `--history FILE`: JSON, an object a line, written and
flushed before the next message is sent or read.

    {"role": "Bob", "event": "begin", "incarnation": 1}
    {"role": "Bob", "event": "sent", "peer": "Alice", "seq": 3, "site": 7, "digest": "..."}
    {"role": "Bob", "event": "taken", "peer": "Alice", "seq": 1, "site": 2, "digest": "..."}

`begin` starts a life: a process of the role.  A role that starts again from its journal appends a
life, or writes one to another file (give them in order); in each it tells all from the first
message on.  `sent` is DATA or SELECT that the link took (not what it dropped because the peer has
ended), `taken` one that the program has read; `seq` is the number on the wire.  The digest is the
SHA-256, in hex, of the payload: all bytes behind the header, frame by frame; of a SELECT, of its
label as four big-endian bytes.  A line that was torn by a crash ends a life.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

SENT, TAKEN, BEGIN = "sent", "taken", "begin"


class NoHistory(Exception):
    """A file is not what an endpoint writes."""


class Entry(NamedTuple):
    """A message as one role has seen it."""

    seq: int
    site: int
    digest: str


Life = dict[tuple[str, str], list[Entry]]  # (event, peer): in the order of the file


class Report:
    """What does not fit."""

    def __init__(self) -> None:
        self.messages = 0
        self.faults: dict[str, list[str]] = {}

    def add(self, kind: str, text: str) -> None:
        self.faults.setdefault(kind, []).append(text)

    def lines(self) -> Iterator[str]:
        """Each fault, at most ten of a kind, then the counts."""
        for kind, texts in self.faults.items():
            yield from (f"{kind}: {text}" for text in texts[:10])
            if len(texts) > 10:
                yield f"{kind}: {len(texts) - 10} more"
        counts = [f"{len(self.faults.get(kind, []))} {kind}"
                  for kind in ("lost", "doubled", "reordered", "changed", "never sent")]
        yield f"{self.messages} messages, {', '.join(counts)}"


def read(files: Iterable[Path]) -> dict[str, list[Life]]:
    """The lives of each role."""
    lives: dict[str, list[Life]] = {}
    for file in files:
        current: dict[str, Life] = {}
        lines = file.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            entry = parsed(line)
            if entry is None:
                follows = next((each for each in lines[number:] if each), b"")
                after = parsed(follows) if follows else {"event": BEGIN}
                if not after or after["event"] != BEGIN:
                    raise NoHistory(f"{file}:{number}: no line of a history")
                continue
            role = entry["role"]
            if entry["event"] == BEGIN or role not in current:
                current[role] = {}
                lives.setdefault(role, []).append(current[role])
            if entry["event"] != BEGIN:
                place = current[role].setdefault((entry["event"], entry["peer"]), [])
                place.append(Entry(entry["seq"], entry["site"], entry["digest"]))
    return lives


def parsed(line: bytes) -> dict[str, Any] | None:
    """What a line says, or None if it does not say all that it must."""
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    wanted: dict[str, type] = {"role": str, "event": str}
    if isinstance(entry, dict) and entry.get("event") in (SENT, TAKEN):
        wanted |= {"peer": str, "seq": int, "site": int, "digest": str}
    fits = isinstance(entry, dict) and all(
        type(entry.get(key)) is kind for key, kind in wanted.items())
    return entry if fits and entry["event"] in (BEGIN, SENT, TAKEN) else None


def check(lives: dict[str, list[Life]], incomplete: bool = False) -> Report:
    """Compares what was sent with what was taken, link by link and way by way."""
    report = Report()
    ways = {(role, peer) if event == SENT else (peer, role)
            for role, each in lives.items() for life in each for event, peer in life}
    for sender, receiver in sorted(ways):
        sent = told(report, lives.get(sender, []), SENT, sender, receiver)
        taken = told(report, lives.get(receiver, []), TAKEN, receiver, sender)
        report.messages += len(sent)
        if sender in lives and receiver in lives:
            compare(report, f"{sender} to {receiver}", sent, taken, incomplete)
    return report


def told(
    report: Report, lives: list[Life], event: str, role: str, peer: str
) -> dict[int, Entry]:
    """What a role says of one way, in all its lives."""
    way = f"{role} to {peer}" if event == SENT else f"{peer} to {role}"
    known: dict[int, Entry] = {}
    for life in lives:
        last = 0
        seen: set[int] = set()
        entries = life.get((event, peer), [])
        numbers = {entry.seq for entry in entries}
        for entry in entries:
            place = f"{way}: message {entry.seq} {event}"
            if entry.seq in seen:
                report.add("doubled", f"{place} twice")
            elif entry.seq < last:
                report.add("reordered", f"{place} after {last}")
            else:
                for seq in set(range(last + 1, entry.seq)) - numbers:
                    report.add("lost", f"{way}: message {seq} not {event} before {entry.seq}")
            seen.add(entry.seq)
            last = max(last, entry.seq)
            if known.setdefault(entry.seq, entry) != entry:
                report.add("changed", f"{place} differs from what was {event} before")
    return known


def compare(
    report: Report, way: str, sent: dict[int, Entry], taken: dict[int, Entry], incomplete: bool
) -> None:
    """Everything taken was sent so, and everything sent was taken."""
    last = max(sent, default=0)
    for seq, entry in taken.items():
        if seq not in sent:
            # A sender that was killed may not have written its very last line.
            if not (incomplete and seq == last + 1):
                report.add("never sent", f"{way}: message {seq}")
        elif sent[seq].digest != entry.digest:
            report.add("changed", f"{way}: message {seq} is not what was sent")
        elif sent[seq].site != entry.site and sent[seq].site and entry.site:
            report.add("changed", f"{way}: message {seq} sent at site {sent[seq].site} "
                                  f"and taken at {entry.site}")
    if not incomplete:
        for seq in sorted(sent.keys() - taken.keys()):
            if seq > max(taken, default=0):  # gaps are told already
                report.add("lost", f"{way}: message {seq} was sent and not taken")


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks the histories of a run.")
    parser.add_argument("--incomplete", action="store_true")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args()
    try:
        report = check(read(options.files), options.incomplete)
    except (NoHistory, OSError) as fault:
        print(fault, file=sys.stderr)
        return 2
    print("\n".join(report.lines()))
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
