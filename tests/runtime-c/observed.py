#!/usr/bin/env python3
"""`--history`, `--trace` and `--log-json` of C and Python endpoints that talk to each other.

    observed.py C-ENDPOINT

The histories of both roles fit (tests/history/check.py); their traces are one story, in which every
message that is read was sent before, by the vector clocks that have travelled in the messages.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import matrix
from matrix import Pairing

sys.path.insert(0, str(matrix.ROOT / "runtime/python"))

from pychoral import trace  # noqa: E402

CHECK = matrix.ROOT / "tests/history/check.py"
ROLES = ("Alice", "Bob")
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
LANGUAGES = (("C", "C"), ("C", "Python"), ("Python", "C"))


def files_of(pairing: Pairing, endpoint: str, folder: Path, option: str, suffix: str,
             *more: str) -> list[Path]:
    """Runs both roles with the option; what it has written.  AssertionError if a role fails."""
    files = [folder / f"{role}{suffix}" for role in ROLES]
    for file in files:
        file.unlink(missing_ok=True)
    said = matrix.options(pairing, folder, {})
    languages = {"Alice": pairing.alice, "Bob": pairing.bob}
    processes = {
        role: subprocess.Popen(
            [*matrix.program(languages[role], endpoint), role, *said[role], option, str(file),
             *more],
            stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL if more else subprocess.STDOUT)   # it logs to both
        for role, file in zip(ROLES, files)
    }
    wrong = matrix.outcome(processes)
    assert not wrong, wrong
    return files


def check_histories(files: list[Path]) -> int:
    """How many messages there were."""
    done = subprocess.run([sys.executable, CHECK, *files], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return int(done.stdout.split()[0])


def check_traces(files: list[Path], messages: int) -> None:
    """Each role's own events are counted, and each message is read behind its sending."""
    own = dict.fromkeys(ROLES, 0)
    sent: dict[str, dict[str, int]] = {}
    read = 0
    for event in trace.joined(files):
        own[event.role] += 1
        assert event.clock[event.role] == own[event.role], event
        arrow = trace.arrow_of(event)
        assert arrow, event
        assert "a value" not in event.text, event   # the type is known to whoever sends or reads
        assert ": label" not in event.text, event   # whoever selects or branches knows the enum
        start, name = arrow
        if start:
            sent[name] = event.clock
            continue
        read += 1
        assert all(event.clock[role] >= count for role, count in sent[name].items()), event
    assert read >= messages and len(sent) >= messages, (read, len(sent), messages)


def check_logs(files: list[Path]) -> None:
    """Each line says when, and who came up."""
    for file in files:
        notes = [json.loads(line) for line in file.read_text().splitlines()]
        for note in notes:
            assert re.fullmatch(TIME, note["time"]), note
        assert any(re.search(r": up \(incarnation \d+\)$", note["text"]) for note in notes), notes


def check(pairing: Pairing, endpoint: str, folder: Path) -> None:
    messages = check_histories(files_of(pairing, endpoint, folder, "--history", ".history"))
    assert messages > 10, messages
    check_logs(files_of(pairing, endpoint, folder, "--log-json", ".log", "--log-level", "info"))
    for suffix in (".shiviz", ".json"):
        files = files_of(pairing, endpoint, folder, "--trace", suffix)
        check_traces(files, messages)
        trace.join(files, folder / f"all{suffix}")


def main() -> int:
    failures = 0
    with tempfile.TemporaryDirectory(prefix="pychoral-observed-") as name:
        folder = Path(name)
        matrix.write_values(folder / "values", 40)
        for alice, bob in LANGUAGES:
            pairing = Pairing(alice, bob, "Alice", "ipc", False, "all")
            try:
                check(pairing, sys.argv[1], folder)
            except AssertionError as fault:
                failures += 1
                print(f"{pairing}: {fault}")
    print(f"observed: {len(LANGUAGES) - failures} of {len(LANGUAGES)} pairings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
