#!/usr/bin/env python3
"""Do the C and the Python codec take the same messages, and make the same of them?

agree.py SERVER [--count N] [--seed SEED]: random values of the shared types are encoded, changed,
and decoded by both; each says what it encodes again, or that it refuses.  The golden messages come
first.  Ends with 1 and the first differences if there are any.  A run is repeated by its seed.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / each) for each in ("runtime/python", "runtime/vectors", "tests/values")]

from pychoral import wire  # noqa: E402

import crowds  # noqa: E402
import shared  # noqa: E402
import write  # noqa: E402

CODEC = wire.Codec(wire.TypeTable(shared.CLASSES))
TYPES = [shared.type_of(expression) for expression in shared.EXPRESSIONS]
BATCH = 5000
MOST_SHOWN = 20


class Messages:
    """Random messages, most of them changed, and the numbers of the types to read them as."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.maker = shared.Maker(self.chance)
        self.mutator = shared.Mutator(self.chance)
        self.kept: list[tuple[int, list[bytes]]] = [self.fresh() for _ in range(200)]

    def fresh(self) -> tuple[int, list[bytes]]:
        """A value of a type as it is sent."""
        while True:
            number = self.chance.randrange(len(TYPES))
            try:
                frames = CODEC.encode(self.maker.make(TYPES[number]))
            except wire.NotSendable:  # keys that look alike on the wire
                continue
            return number, [bytes(frame) for frame in frames]

    def next(self) -> tuple[int, list[bytes]]:
        place = self.chance.randrange(len(self.kept))
        if self.chance.random() < 0.1:
            self.kept[place] = self.fresh()
        number, frames = self.kept[place]
        if self.chance.random() < 0.02:
            return number, frames
        if self.chance.random() < 0.1:
            number = self.chance.randrange(len(TYPES))
        changed = self.mutator.mutate(frames, self.chance.choice(self.kept)[1])
        return number, changed


def answer(number: int, frames: list[bytes]) -> tuple[str, Any]:
    """What the Python codec makes of a message: "ok" and the value, or "bad" and the reason."""
    try:
        return "ok", CODEC.decode(frames, TYPES[number])
    except wire.WireError as fault:
        return "bad", str(fault)


def line_of(number: int, frames: list[bytes]) -> str:
    return f"{number} " + ",".join(frame.hex() or "-" for frame in frames)


def ask(server: Path, messages: list[tuple[int, list[bytes]]]) -> list[str]:
    """The server's answers."""
    text = "".join(line_of(*message) + "\n" for message in messages)
    done = subprocess.run([server], input=text, capture_output=True, text=True, timeout=600)
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != len(messages):
        sys.exit(f"{server} ended with {done.returncode} at {line_of(*messages[len(lines)])}\n"
                 f"{done.stderr}")
    return lines


def difference(number: int, mine: tuple[str, Any], theirs: str) -> str:
    """What is different in two answers; "" if nothing is."""
    word, _, rest = theirs.partition(" ")
    if mine[0] != word:
        return f"Python: {mine[0]} {mine[1]!r:.200}"
    if word == "bad":
        return ""
    frames = [b"" if part == "-" else bytes.fromhex(part) for part in rest.split(",")]
    if frames == [bytes(frame) for frame in CODEC.encode(mine[1])]:
        return ""
    again = answer(number, frames)
    if again[0] == "ok" and same(again[1], mine[1]):  # sets have an order of their own
        return ""
    return f"Python: {mine[1]!r:.200}, C: {again[1]!r:.200}"


def disagreements(server: Path, messages: list[tuple[int, list[bytes]]]) -> tuple[int, list[str]]:
    """How many messages both took, and what they differ in."""
    taken, found = 0, []
    for message, theirs in zip(messages, ask(server, messages)):
        mine = answer(*message)
        taken += mine[0] == "ok" and theirs[:3] == "ok "
        what = difference(message[0], mine, theirs)
        if what:
            expression = shared.EXPRESSIONS[message[0]]
            found.append(f"{expression}: {line_of(*message):.4000}\n  {what}\n  C: {theirs:.200}")
    return taken, found


def vectors() -> list[tuple[int, list[bytes]]]:
    """The golden messages (runtime/vectors/values.json)."""
    return [
        (shared.EXPRESSIONS.index(row["type"]), [write.expand(frame) for frame in row["frames"]])
        for row in json.loads(write.VALUES.read_text())
    ]


def crowded() -> list[tuple[int, list[bytes]]]:
    """Dicts and sets with as many keys of one hash as are taken, and with one more."""
    number = shared.EXPRESSIONS.index("object")
    found = []
    for name, is_taken, data in crowds.messages(CODEC.encode):
        found.append((number, [data]))
        assert (answer(*found[-1])[0] == "ok") == is_taken, name
    return found


def worded(server: Path) -> list[str]:
    """Where one of the two does not say what tests/values/refused.def does."""
    text = (ROOT / "tests/values/refused.def").read_text()
    rows = [(words[0], *map(ast.literal_eval, re.findall(r'"[^"]*"', words[1])))
            for words in re.findall(r"^([A-Z]+)\(((?:.|\n)*?\")\)", text, re.MULTILINE)]
    messages = [(shared.EXPRESSIONS.index(row[1]), [bytes.fromhex(row[2])]) for row in rows]
    found = []
    for (word, _, _, *parts), message, theirs in zip(rows, messages, ask(server, messages)):
        what = "".join(parts)
        if word == "UNREADABLE":
            what = f"expected a value, but received something unreadable ({what})"
        mine = answer(*message)[1]
        if mine != what or theirs != f"bad {what}":
            found.append(f"{line_of(*message)}\n  wanted: {what}\n  Python: {mine}\n  C: {theirs}")
    return found if len(rows) > 90 else ["refused.def has lost rows"]


def same(one: Any, two: Any) -> bool:
    """Whether two values are the same, but for the order in sets."""
    return canonical(one) == canonical(two)


def canonical(value: Any) -> str:
    """A text that is the same for the same values."""
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}{sorted(map(canonical, value))}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(map(canonical, value))})"
    if isinstance(value, dict):
        return str([(canonical(key), canonical(item)) for key, item in value.items()])
    if hasattr(value, "__dataclass_fields__"):
        fields = [canonical(getattr(value, name)) for name in value.__dataclass_fields__]
        return f"{type(value).__name__}{fields}"
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return repr(value)


def main() -> int:
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order in sets is part of what a seed repeats
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("server", type=Path)
    options.add_argument("--count", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=None)
    chosen = options.parse_args()
    seed = chosen.seed if chosen.seed is not None else int(time.time())
    source = Messages(seed)
    golden = vectors()
    taken, found = disagreements(chosen.server, golden)
    if taken != len(golden):
        found.append(f"only {taken} of {len(golden)} golden messages are taken by both")
    _, differences = disagreements(chosen.server, crowded())
    found += differences + worded(chosen.server)
    taken = done = 0
    while done < chosen.count and len(found) < MOST_SHOWN:
        messages = [source.next() for _ in range(min(BATCH, chosen.count - done))]
        more, differences = disagreements(chosen.server, messages)
        taken, found, done = taken + more, found + differences, done + len(messages)
    print(*found[:MOST_SHOWN], sep="\n", end="\n" if found else "")
    print(f"{done} messages, {taken} taken, {len(found)} differences (--seed {seed})")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
