"""Programs that the compiler made, for cases: what they are made of, and how they are started.

A play is a folder of programs for each language, compiled once and kept for as long as the
compiler and the source are the same. `PYCHORAL_CFLAGS` says how C is compiled.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from stage import HERE, ROLES, NotBuilt, Player, Stage

_LOCK = threading.Lock()
MANY = tuple(f"R{number}" for number in range(20))
ROLES |= {"chain": ("Alice", "Bob", "Carol"), "many": MANY, "width": ("Alice", "Bob", "Carol"),
          "push": ("Alice", "Bob"), "kept": ("Alice", "Bob"), "hoard": ("Alice", "Bob"),
          "large": ("Alice", "Bob")}
PUSH = """# Alice is a hand-made peer that reads nothing
from pychoral import At, Channel, Role

class Alice(Role): ...
class Bob(Role): ...

def main(ab: Channel[int, Alice, Bob], ba: Channel[bytes, Bob, Alice]) -> None:
    for _ in range(35):
        ba.com((b"x" * 200_000)@Bob)
    print(ab.com(7@Alice))
"""


KEPT = """# C reads a field as its type says, and then makes what it keeps
from dataclasses import dataclass
from typing import Literal

from pychoral import At, Channel, Role

class Alice(Role): ...
class Bob(Role): ...

@dataclass
class Words:
    words: list[list[Literal["x", "y"]]]

def main(ab: Channel[Words, Alice, Bob], ba: Channel[int, Bob, Alice]) -> None:
    there: At[Words, Bob] = ab.com(Words([["x"] for _ in range(1_000_000)])@Alice)
    print(ba.com(len(there.words)@Bob))
"""
HOARD = """# Bob's own code needs ever more
from pychoral import At, Channel, Role

class Alice(Role): ...
class Bob(Role): ...

def main(ab: Channel[int, Alice, Bob], ba: Channel[int, Bob, Alice]) -> None:
    count: At[int, Bob] = ab.com(10_000_000@Alice)
    lists: At[list[list[int]], Bob] = [[number] for number in range(count)]
    print(ba.com(len(lists)@Bob))
"""


LARGE = """# a large message one way, and one back; each is answered
from pychoral import At, Channel, Role

class Alice(Role): ...
class Bob(Role): ...

def main(ab: Channel[bytes, Alice, Bob], ba: Channel[bytes, Bob, Alice], there: At[int, Alice] = 1,
         back: At[int, Bob] = 1) -> None:
    sizes: At[bytes, Bob] = ab.com(b"x" * there)
    answered: At[bytes, Alice] = ba.com(b"x" * back)
    print(ba.com((b"%d" % len(sizes))@Bob))
    print(ab.com((b"%d" % len(answered))@Alice))
"""


def many() -> str:
    """Everybody tells everybody a number, and hears it back."""
    pairs = [(one, other) for one in range(len(MANY)) for other in range(one + 1, len(MANY))]
    channels = ", ".join(f"c{a}_{b}: Channel[int, R{a}, R{b}]" for a, b in pairs)
    lines = ["from pychoral import At, Channel, Role", ""]
    lines += [f"class {role}(Role): ..." for role in MANY]
    lines += ["", f"def main({channels}) -> None:"]
    lines += [f"    y{a}_{b}: At[int, R{b}] = c{a}_{b}.com({a + b}@R{a})" for a, b in pairs]
    lines += [f"    z{a}_{b}: At[int, R{a}] = c{a}_{b}.com(y{a}_{b})" for a, b in pairs]
    lines += ['    print("all")@R0']
    return "\n".join(lines) + "\n"


SOURCES = {"chain": (HERE / "chain.pyc").read_text, "many": many,
           "width": (HERE / "width.pyc").read_text, "push": lambda: PUSH,
           "kept": lambda: KEPT, "hoard": lambda: HOARD, "large": lambda: LARGE}


def _compile(compiler: Path, source: Path, language: str, out: Path) -> None:
    more = ["--target=c", "--no-runtime", "--compile"] if language == "c" else []
    flags = os.environ.get("PYCHORAL_CFLAGS", "-O1")
    done = subprocess.run([compiler, "build", source, "-o", out, "--quiet", *more],
                          capture_output=True, text=True, env={**os.environ, "CFLAGS": flags})
    if done.returncode:
        raise NotBuilt(f"{source.name} in {language}: {done.stderr.strip()[-400:]}")


@functools.cache
def _folder(programs: Path, play: str, language: str) -> Path:
    compiler, library = programs / "pychoralc", programs / "libpychoral_runtime.a"
    if not compiler.exists():
        raise NotBuilt(f"no compiler at {compiler}")
    text = SOURCES[play]()
    key = hashlib.sha256(text.encode())
    for each in (compiler, library, *sorted(HERE.parents[1].glob("runtime/python/pychoral/*.py"))):
        key.update(each.read_bytes())
    folder = programs / "faults_generated" / f"{play}_{language}"
    mark = folder / "key"
    if mark.exists() and mark.read_text() == key.hexdigest():
        return folder / "out"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / f"{play}.pyc").write_text(text)
    _compile(compiler, folder / f"{play}.pyc", language, folder / "out")
    mark.write_text(key.hexdigest())
    return folder / "out"


def command(stage: Stage, role: str) -> list[str]:
    """What starts a role's program."""
    language = stage.ends.of(role) if stage.play != "many" else stage.ends.of("Alice")
    with _LOCK:
        folder = _folder(stage.programs, stage.play, language)
    program = folder / role.lower()
    return [str(program)] if language == "c" else [sys.executable, f"{program}.py"]


def start(stage: Stage, role: str, *options: str, **more: object) -> Player:
    """A role of the stage's play; see Stage.start."""
    own = command(stage, role)
    return stage.start(role, *options, own=own, **more)     # type: ignore[arg-type]


def start_all(stage: Stage, *options: str, **each: list[str]) -> list[Player]:
    return [start(stage, role, *options, *each.get(role, ())) for role in ROLES[stage.play]]


def all_well(stage: Stage) -> None:
    """All ended with 0, and what Alice has sent has come to Carol."""
    stage.carried_on()
    alice, carol = (stage.player(name).out.read_text().split()[-3:] for name in ("Alice", "Carol"))
    assert alice == carol and alice[0] == "all", (alice, carol)
