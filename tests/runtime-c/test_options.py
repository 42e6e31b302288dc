"""The command lines of C and Python endpoints: one help text, one configuration file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PROGRAM = Path(os.environ.get("PYCHORAL_BUILD", ROOT / "build/release")) / "faults_endpoint"
COMMANDS = ([str(PROGRAM)], [sys.executable, str(ROOT / "tests/faults/endpoint.py")])


def call(command: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, "stream", "Bob", *arguments], text=True, capture_output=True,
                          timeout=60,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "runtime/python")})


class Options(unittest.TestCase):
    def test_help_is_one_text(self) -> None:
        told = [call(command, "--help").stdout for command in COMMANDS]
        lines = [text[text.index("  --bind") :].splitlines() for text in told]
        self.assertGreater(len(lines[0]), 15)
        self.assertEqual(lines[0], lines[1])

    def test_a_file_without_a_name(self) -> None:
        """A role that is to be durable must not run without its journal."""
        for name in ("manifest", "key", "log-json", "journal", "history", "trace", "show", "watch",
                     "config"):
            for at, command in enumerate(COMMANDS):
                done = call(command, f"--{name}", "")
                with self.subTest(option=name, language=("C", "Python")[at]):
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(f"--{name} needs a file name", done.stderr)

    def test_a_run_whose_name_is_no_text(self) -> None:
        for at, command in enumerate(COMMANDS):
            done = call(command, "--run", os.fsdecode(b"a\xff\xc3("))
            with self.subTest(language=("C", "Python")[at]):
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(r": --run: 'a\udcff\udcc3(' is not UTF-8 text", done.stderr)

    def test_files_of_others(self) -> None:
        """Both say the same of a manifest with other roles and of a file that is not a journal."""
        with tempfile.TemporaryDirectory() as folder:
            manifest, journal = Path(folder, "manifest.json"), Path(folder, "thesis")
            manifest.write_text(json.dumps({"version": 1, "roles": [
                {"name": name, "address": f"tcp://127.0.0.1:2999{n}"}
                for n, name in enumerate(("Zoe", "Bob"))]}))
            journal.write_text("my thesis, do not lose\n")
            for option, path, words in (
                    ("--manifest", manifest, " has the roles Zoe, Bob, but the program has "),
                    ("--journal", journal, " cannot be used: it is not a journal")):
                told = [call(command, option, str(path)) for command in COMMANDS]
                self.assertIn(words, told[0].stderr)
                self.assertEqual(told[0].stderr, told[1].stderr)
                self.assertEqual(told[0].returncode, told[1].returncode)

    def test_configuration_files(self) -> None:
        """Whatever is an option may stand there; what is wrong with it is said alike."""
        good = {"connect": {"Alice": "tcp://127.0.0.1:29999"}, "timeout": 0.2, "plain": True,
                "connect-timeout": 0.1, "lost-after": "3", "log-level": "error", "run": "a b"}
        cases = [({}, 75), ({"bind": "tcp://127.0.0.1:29998"}, 75), ({"history": "h"}, 75),
                 ({"connect-timeout": 0}, 2), ({"log-level": "loud"}, 2), ({"config": "c"}, 2),
                 ({"help": True}, 2), ({"plain": "yes"}, 2), ({"count": 3}, 2), ({"run": None}, 2),
                 ({"journal": ""}, 2),
                 ({"manifest": "none.json"}, 77)]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "config.json"
            for change, status in cases:
                for at, command in enumerate(COMMANDS):
                    file.write_text(json.dumps({**good, **change}).replace('"h"', f'"{folder}/h"'))
                    done = call(command, "--config", str(file))
                    with self.subTest(change=change, language=("C", "Python")[at]):
                        self.assertEqual(done.returncode, status, done.stderr)


if __name__ == "__main__":
    unittest.main()
