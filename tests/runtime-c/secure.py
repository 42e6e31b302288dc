#!/usr/bin/env python3
"""Roles with a SecureChannel meet without configuration, whatever language each is in; and a
deadline of 0 seconds is refused by both, as it would set none.

    secure.py C-ENDPOINT            all pairings
    secure.py --role ROLE [OPTION]  one role in Python
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "runtime/python"))


def play(role: str) -> None:
    from pychoral.endpoint import Program, channel

    def alice(ch: Any) -> None:
        ch.com(7, site=1)

    def bob(ch: Any) -> None:
        assert ch.com(expect=int, site=1) == 7

    peer = channel("ch", "Bob" if role == "Alice" else "Alice", secure=True)
    main = alice if role == "Alice" else bob
    Program(role, ("Alice", "Bob"), "a" * 64, "secure.pyc", main, (peer,)).run()


def pairing(commands: dict[str, list[str]]) -> str:
    """What went wrong, "" if nothing."""
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "XDG_RUNTIME_DIR": place}
        roles = {
            role: subprocess.Popen([*command, role], env=environment, stderr=subprocess.PIPE,
                                   text=True)
            for role, command in commands.items()
        }  # fmt: skip
        found = []
        for role, process in roles.items():
            try:
                _, said = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                said = "hangs"
            if process.returncode:
                found.append(f"{role} ended with {process.returncode}: {said}")
        return "; ".join(found)


def main() -> int:
    if sys.argv[1:2] == ["--role"]:
        role = sys.argv[2]
        del sys.argv[1:3]
        play(role)
    ends = {"C": [sys.argv[1]], "Python": [sys.executable, __file__, "--role"]}
    failed = 0
    for alice, first in ends.items():
        for bob, second in ends.items():
            fault = pairing({"Alice": first, "Bob": second})
            if fault:
                failed += 1
                print(f"FAILED Alice in {alice}, Bob in {bob}: {fault}")
    for language, command in ends.items():
        for option in ("--lost-after", "--connect-timeout"):
            ended = subprocess.run([*command, "Alice", option, "0"], timeout=60,
                                   capture_output=True, text=True)  # fmt: skip
            words = f"{option} must be a number of seconds, more than 0"
            if ended.returncode != 2 or words not in ended.stderr:
                failed += 1
                print(f"FAILED {option} 0 in {language}: {ended.returncode} {ended.stderr}")
    print(f"{8 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
