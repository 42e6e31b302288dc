#!/usr/bin/env python3
"""Durable roles that the compiler made, in C, Python and both: killed again and again, they go on.

    durable.py --compiler PROGRAM [--cc PROGRAM] [--c-flags FLAGS] [--kills N] [--seed N] [NAME...]

The programs are those beside this file. Each has its input and options below; what two of its roles
print first must be the same, though no two runs throw the same dice. A role prints all of it again
when it is started again, unless its journal has its end: so its longest output counts.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "runner"))

from ports import free_address  # noqa: E402

DEADLINE_S = 60.0
LANGUAGES = ("python", "c", "mixed")


@dataclass(frozen=True)
class Play:
    """Roles in the order of the program: who is earlier listens to those behind."""

    roles: "tuple[str, ...]"
    options: "dict[str, list[str]]"
    texts: "dict[str, str]"             # on standard input
    alike: "tuple[str, str]"            # who must print the same


PLAYS = {
    "dice": Play(("Alice", "Bob"), {"Alice": ["--count=100", "--pace=0.004"]}, {"Alice": "Ada\n"},
                 ("Alice", "Bob")),
    "relay": Play(("Alice", "Bob", "Carol"), {"Bob": ["--pace=0.004"]},
                  {"Alice": "".join(f"line {number}\n" for number in range(80))},
                  ("Alice", "Carol")),
}


@dataclass
class Player:
    """The processes of a role, one after the other."""

    command: "list[str]"
    text: str
    folder: Path
    process: "subprocess.Popen[bytes]" = field(init=False)
    printed: bytes = b""

    def start(self) -> None:
        given = self.folder / "given"
        given.write_text(self.text)
        with open(given, "rb") as text, open(self.folder / "out", "wb") as out, \
                open(self.folder / "err", "wb") as err:
            self.process = subprocess.Popen(self.command, stdin=text, stdout=out, stderr=err)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.note()

    def note(self) -> None:
        self.printed = max(self.printed, (self.folder / "out").read_bytes(), key=len)

    def has_printed(self) -> bool:
        return (self.folder / "out").stat().st_size > 0

    def complaint(self) -> str:
        return (self.folder / "err").read_text(errors="replace")


def build(given: argparse.Namespace, name: str, folder: Path) -> "dict[str, Path]":
    """The programs of both languages."""
    source = HERE / f"{name}.pyc"
    out = {language: folder / name / language for language in ("c", "python")}
    for language, where in out.items():
        more = ["--no-runtime", "--compile"] if language == "c" else []
        subprocess.run([given.compiler, "build", str(source), f"--target={language}", "-o",
                        str(where), "--quiet", *more], check=True,
                       env={**os.environ, "CC": given.cc, "CFLAGS": given.c_flags})
    return out


def language_of(number: int, languages: str, turn: int) -> str:
    """Of a role; `mixed` alternates, the other way round each other time."""
    return languages if languages != "mixed" else ("c", "python")[(number + turn) % 2]


def players(play: Play, programs: "dict[str, Path]", languages: str, turn: int,
            folder: Path) -> "dict[str, Player]":
    addresses = {role: free_address() for role in play.roles}
    found = {}
    for number, role in enumerate(play.roles):
        where = folder / role
        where.mkdir(parents=True)
        language = language_of(number, languages, turn)
        program = programs[language] / role.lower()
        command = [str(program)] if language == "c" else [sys.executable, f"{program}.py"]
        command += ["--bind", addresses[role], "--journal", str(where / "journal"),
                    *play.options.get(role, [])]
        for earlier in play.roles[:number]:
            command += ["--connect", f"{earlier}={addresses[earlier]}"]
        found[role] = Player(command, play.texts.get(role, ""), where)
    return found


def perform(cast: "dict[str, Player]", kills: int, chance: random.Random) -> int:
    """Until all have ended, or the deadline; how often somebody was killed.

    Nobody is killed once a role has printed what it found: one that is started again when others
    have left cannot learn that they have its last message."""
    for player in cast.values():
        player.start()
    deadline, killed = time.monotonic() + DEADLINE_S, 0
    while time.monotonic() < deadline:
        time.sleep(chance.uniform(0.01, 0.3))
        alive = [each for each in cast.values() if each.process.poll() is None]
        if not alive:
            break
        if killed < kills and not any(each.has_printed() for each in cast.values()):
            victim = chance.choice(alive)
            victim.stop()
            victim.start()
            killed += 1
    return killed


def judge(play: Play, cast: "dict[str, Player]") -> str:
    """What went wrong, "" if nothing."""
    found = []
    for role, player in cast.items():
        status = player.process.poll()
        if status is None:
            player.process.kill()
            player.process.wait()
        if status != 0:
            found.append(f"{role} {'hangs' if status is None else f'ended with {status}'}: "
                         f"{player.complaint().strip()}")
        player.note()
    first, second = (cast[role].printed.split() for role in play.alike)
    if not found and (not first or first[:1] != second[:1]):
        found.append(f"{play.alike[0]} printed {first}, {play.alike[1]} {second}")
    return "; ".join(found)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    parser.add_argument("--c-flags", default="-O2")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("names", nargs="*", default=list(PLAYS))
    given = parser.parse_args()
    passed = failed = killed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in given.names:
            programs = build(given, name, Path(scratch))
            for turn, languages in enumerate((*LANGUAGES, "mixed"), given.seed):
                cast = players(PLAYS[name], programs, languages, turn,
                               Path(scratch) / name / f"run{turn}")
                killed += perform(cast, given.kills, random.Random(f"{name} {turn}"))
                fault = judge(PLAYS[name], cast)
                failed += fault != ""
                passed += fault == ""
                if fault:
                    print(f"FAILED {name}, {languages}, --seed {given.seed}: {fault}")
    print(f"durable: {passed} passed, {failed} failed; {killed} times a role was killed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
