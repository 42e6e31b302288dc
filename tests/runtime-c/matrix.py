#!/usr/bin/env python3
"""The interop matrix: C and Python endpoints in every pairing, way and transport.

    matrix.py C-ENDPOINT [--short] [--values N]

C-C, C-Python, Python-C and Python-Python, each as the one who dials and as the one who listens,
over ipc and tcp, plain and with CURVE; two roles of one C process over inproc.  Every type of
tests/values/types_of_tests.py, every size where the way of a value changes, a stream with
selections.  `--short`: each pairing once, over one of the transports.  Ends with 1 and what the
roles said if any pairing fails; each has a deadline.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "runtime/python"), str(ROOT / "tests/values")]

DEADLINE = 60
PORTS = iter(range(24_000 + os.getpid() % 4000, 32_000))


@dataclass(frozen=True)
class Pairing:
    """Who runs in which language, who listens, and how they are joined."""

    alice: str
    bob: str
    listens: str
    transport: str
    curve: bool
    play: str

    def __str__(self) -> str:
        keys = "CURVE" if self.curve else "plain"
        return (
            f"{self.alice}-{self.bob}, {self.listens} listens, {self.transport} {keys}: {self.play}"
        )


def pairings(short: bool) -> list[Pairing]:
    found = []
    for alice in ("C", "Python"):
        for bob in ("C", "Python"):
            for listens in ("Alice", "Bob"):
                for transport in ("ipc", "tcp"):
                    for curve in (False, True):
                        for play in ("types", "all"):
                            found.append(Pairing(alice, bob, listens, transport, curve, play))
    if not short:
        return found
    # Each pairing with each play once, and every way somewhere.
    ways = [("Alice", "tcp", True), ("Bob", "ipc", False), ("Bob", "tcp", False)]
    return [
        Pairing(alice, bob, *ways[number % 3], play)
        for number, (alice, bob, play) in enumerate(
            (alice, bob, play)
            for play in ("types", "all")
            for alice, bob in (("C", "C"), ("C", "Python"), ("Python", "C"))
        )
    ]


# --- values ---------------------------------------------------------------------------------------


def write_values(path: Path, count: int) -> None:
    """Random values of all shared types, encoded."""
    import shared
    from pychoral import wire

    codec = wire.Codec(wire.TypeTable(shared.CLASSES))
    maker = shared.Maker(random.Random(1))
    with path.open("w") as file:
        for turn in range(count):
            number = turn % len(shared.EXPRESSIONS)
            try:
                frames = codec.encode(maker.make(shared.type_of(shared.EXPRESSIONS[number])))
            except wire.NotSendable:  # keys that look alike on the wire
                continue
            if len(frames) <= 8:
                coded = ",".join(bytes(each).hex() or "-" for each in frames)
                file.write(f"{number} {coded}\n")


# --- running --------------------------------------------------------------------------------------


def address(pairing: Pairing, folder: Path) -> str:
    if pairing.transport == "ipc":
        return f"ipc://{folder}/{next(PORTS)}"
    return f"tcp://127.0.0.1:{next(PORTS)}"


def write_keys(folder: Path) -> dict[str, str]:
    """Key files of both roles; their public keys."""
    import zmq

    public = {}
    for role in ("Alice", "Bob"):
        known, secret = zmq.curve_keypair()
        public[role] = known.decode()
        path = folder / f"{role}.key"
        with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(f"pychoral secret key 1\n{role}\n{secret.decode()}\n")
    return public


def options(pairing: Pairing, folder: Path, public: dict[str, str]) -> dict[str, list[str]]:
    """The command line of each role, behind its program."""
    where = address(pairing, folder)
    manifest = folder / f"{next(PORTS)}.json"
    entries = [
        {"name": role, "address": where, **({"public": public[role]} if pairing.curve else {})}
        for role in ("Alice", "Bob")
    ]
    manifest.write_text(json.dumps({"version": 1, "run": "matrix", "roles": entries}))
    common = ["--play", pairing.play, "--values", str(folder / "values")]
    common += ["--manifest", str(manifest), "--timeout", str(DEADLINE / 2)]
    if pairing.curve:
        common += ["--key", str(folder)]
    dialler = "Alice" if pairing.listens == "Bob" else "Bob"
    return {
        pairing.listens: [*common, "--bind", f"{dialler}={where}"],
        dialler: [*common, "--connect", f"{pairing.listens}={where}"],
    }


def program(language: str, endpoint: str) -> list[str]:
    return [endpoint] if language == "C" else ["/usr/bin/python3", str(HERE / "interop.py")]


def run(pairing: Pairing, endpoint: str, folder: Path, public: dict[str, str]) -> str:
    """What went wrong; "" if nothing did."""
    said = options(pairing, folder, public)
    languages = {"Alice": pairing.alice, "Bob": pairing.bob}
    processes = {
        role: subprocess.Popen(
            [*program(language, endpoint), role, *said[role]],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for role, language in languages.items()
    }
    return outcome(processes)


def outcome(processes: dict[str, subprocess.Popen[str]]) -> str:
    wrong = []
    end = time.monotonic() + DEADLINE
    for role, process in processes.items():
        try:
            text, _ = process.communicate(timeout=max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            text = "hangs: " + process.communicate()[0]
        if process.returncode != 0 or text:
            wrong.append(f"  {role}, status {process.returncode}: {text.strip()}")
    return "\n".join(wrong)


def run_together(endpoint: str) -> str:
    """Both roles as threads of one process, over inproc."""
    process = subprocess.Popen(
        [endpoint, "together"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return outcome({"together": process})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("endpoint")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--values", type=int, default=600)
    chosen = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="pychoral-matrix-") as name:
        folder = Path(name)
        write_values(folder / "values", 120 if chosen.short else chosen.values)
        public = write_keys(folder)
        wanted = pairings(chosen.short)
        results = [(str(each), run(each, chosen.endpoint, folder, public)) for each in wanted]
        results.append(("C roles of one process, inproc plain: all", run_together(chosen.endpoint)))
        for text, wrong in results:
            if wrong:
                failures += 1
                print(f"{text}: failed\n{wrong}")
    print(f"interop: {len(results) - failures} of {len(results)} pairings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
