"""Memory of a channel: bounded with an absent peer, flat over many messages; none is cut off.

The program is memory.c (build/<variant>/memory); MESSAGES in the environment says how many of them
are many (10,000,000 were run).
"""

from __future__ import annotations

import os
import subprocess
import unittest
from pathlib import Path

from ports import free_address

ROOT = Path(__file__).parent.parent.parent
PROGRAM = Path(os.environ.get("PYCHORAL_BUILD", ROOT / "build/release")) / "memory"
MANY = int(os.environ.get("MESSAGES", 300_000))
WINDOW = 2 << 20
ALLOWANCE = 1 << 20
DEADLINE = 120


def run(*options: str) -> tuple[dict[str, int], str, int]:
    """What Alice printed as numbers, what both said, Alice's exit status."""
    address = free_address()
    common = [*options, "--log-level", "info"]
    commands = [
        [str(PROGRAM), "Alice", *common, "--bind", address],
        [str(PROGRAM), "Bob", *common, "--connect", f"Alice={address}"],
    ]
    pipe = subprocess.PIPE
    processes = [subprocess.Popen(each, stdout=pipe, stderr=pipe, text=True) for each in commands]
    try:
        said = [each.communicate(timeout=DEADLINE) for each in processes]
    finally:
        for each in processes:
            each.kill()
    numbers = dict(line.split() for line in said[0][0].splitlines())
    text = said[0][1] + said[1][1]
    return {word: int(value) for word, value in numbers.items()}, text, processes[0].returncode


@unittest.skipUnless(PROGRAM.exists(), "memory.c is not built")
class Memory(unittest.TestCase):
    def test_absent_peer(self) -> None:
        """Sent to a peer that was killed: no more is kept than the window."""
        for size in (64, 1000, 4000):
            with self.subTest(size=size):
                options = ("--size", str(size), "--count", "50000", "--leave", "1000")
                numbers, text, status = run(*options, "--lost-after", "1")
                self.assertEqual(status, 75, text)
                self.assertGreater(numbers["peak"], 0)
                self.assertLessEqual(numbers["peak"], WINDOW + ALLOWANCE)

    def test_flat(self) -> None:
        """Many messages take no more than a tenth of them; and the connection is never lost."""
        numbers, text, status = run("--count", str(MANY))
        self.assertEqual(status, 0, text)
        self.assertLessEqual(numbers["last"], numbers["first"] + ALLOWANCE)
        self.assertNotIn("down", text)


if __name__ == "__main__":
    unittest.main()
