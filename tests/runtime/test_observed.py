"""`--history` and `--trace` of endpoints that run as processes."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

import programs
from programs import end

from pychoral import trace

CHECK = Path(__file__).resolve().parents[1] / "history" / "check.py"
STORY = [
    "Buyer sends message 1 to Seller: str (deal.pyc:5)",
    "Seller reads message 1 from Buyer: str (deal.pyc:5)",
    "Seller sends message 1 to Buyer: Offer (deal.pyc:7)",
    "Buyer reads message 1 from Seller: Offer (deal.pyc:7)",
    "Buyer sends message 2 to Seller: Answer.YES (deal.pyc:9, deal.pyc:13)",
    "Seller reads message 2 from Buyer: Answer.YES (deal.pyc:9, deal.pyc:13)",
    "Seller sends message 2 to Buyer: str (deal.pyc:11)",
    "Buyer reads message 2 from Seller: str (deal.pyc:11)",
]


class ObservedTest(unittest.TestCase):
    def setUp(self) -> None:
        context = programs.folder()
        self.folder = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def run_both(self, option: str, suffix: str) -> list[Path]:
        """Both roles; the files that the option has made."""
        files = [self.folder.path / f"{role}{suffix}" for role in ("buyer", "seller")]
        arguments = {"buyer": ["--item=x"], "seller": []}
        started = [self.folder.start(file.stem, *arguments[file.stem], option, str(file))
                   for file in files]
        for process in started:
            status, _, errors = end(process)
            self.assertEqual((status, errors), (0, ""))
        return files

    def test_histories_fit(self) -> None:
        files = self.run_both("--history", ".history")
        done = subprocess.run([sys.executable, CHECK, *files], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.returncode, done.stdout[:11]), (0, "4 messages,"), done.stdout)

    def test_traces_are_one_story(self) -> None:
        for suffix in (".shiviz", ".json"):
            events = trace.joined(self.run_both("--trace", suffix))
            told = [f"{event.role} {event.text}" for event in events if "the end" not in event.text]
            with self.subTest(suffix):
                self.assertEqual(told, STORY)
                self.assertGreaterEqual(len(events), len(STORY) + 2)

    def test_a_trace_is_valid_json_when_the_role_has_ended(self) -> None:
        for file in self.run_both("--trace", ".json"):
            self.assertGreater(len(json.loads(file.read_text())), 4)

    def test_a_name_that_says_nothing(self) -> None:
        process = self.folder.start("buyer", "--item=x", "--trace", str(self.folder.path / "t"))
        status, _, errors = end(process)
        self.assertEqual(status, 2)
        self.assertIn("NAME.shiviz", errors)


if __name__ == "__main__":
    unittest.main()
