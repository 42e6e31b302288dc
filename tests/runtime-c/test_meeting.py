"""A role in C in the middle: it dials roles that are not there yet while others dial it at once.

What the monitor of a dialled link told was taken in while a greeting was looked at, and its frames
were overwritten by the next one's: `S, looking for M, is not R, looking for M`, in one of ten such
starts. The role in the middle is stopped for a moment, so that everything comes together.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
COMPILER = Path(os.environ.get("PYCHORAL_BUILD", ROOT / "build/release")).resolve() / "pychoralc"
DIALLED = [f"A{i}" for i in range(5)]
DIALLING = [f"P{i}" for i in range(8)]
STARTS = int(os.environ.get("STARTS", 24))
TOGETHER = 3
DEADLINE = 60


def choreography() -> str:
    others = [*DIALLED, *DIALLING]
    channels = ", ".join(f"{role.lower()}: Channel[int, {role}, M]" for role in others)
    sends = "".join(f"    total += {role.lower()}.com(1@{role})\n" for role in others)
    return ("from pychoral import At, Channel\n\n\n"
            f"def main({channels}) -> None:\n    total: At[int, M] = 0\n{sends}    print(total)\n")


class Start:
    """One run, whose roles come in the order that does harm."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder = folder
        self.name = f"meeting-{os.getpid()}-{number}"
        self.roles: dict[str, subprocess.Popen[str]] = {}

    def start(self, *roles: str) -> None:
        for role in roles:
            words = [str(self.folder / role.lower()), f"--run={self.name}",
                     f"--timeout={DEADLINE}"]
            self.roles[role] = subprocess.Popen(words, stdout=subprocess.PIPE,
                                                stderr=subprocess.PIPE, text=True)

    def end(self) -> list[str]:
        """What each role said, M's result first."""
        try:
            said = {role: each.communicate(timeout=DEADLINE) for role, each in self.roles.items()}
        finally:
            for each in self.roles.values():
                each.kill()
        return [said["M"][0], *(text for _, text in said.values() if text)]


@unittest.skipUnless(COMPILER.exists(), "the compiler is not built")
class Meeting(unittest.TestCase):
    def test_dials_and_is_dialled(self) -> None:
        with tempfile.TemporaryDirectory(prefix="pychoral-meeting-") as name:
            folder = Path(name)
            (folder / "meeting.pyc").write_text(choreography())
            subprocess.run([COMPILER, "meeting.pyc", "--target=c", "--no-runtime", "--compile",
                            "-o", "out"], cwd=folder, check=True, capture_output=True)
            for first in range(0, STARTS, TOGETHER):
                starts = [Start(folder / "out", first + i) for i in range(TOGETHER)]
                for start in starts:
                    start.start("M")
                time.sleep(0.06)
                for start in starts:
                    start.roles["M"].send_signal(signal.SIGSTOP)
                    start.start(*DIALLING)
                time.sleep(0.1)
                for start in starts:
                    start.roles["M"].send_signal(signal.SIGCONT)
                    start.start(*DIALLED)
                for said in [start.end() for start in starts]:
                    self.assertEqual(said, [f"{len(DIALLED + DIALLING)}\n"])


if __name__ == "__main__":
    unittest.main()
