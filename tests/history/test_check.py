"""The checker of histories notices each kind of fault, and nothing in a history that is right."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import check


def line(role: str, event: str, peer: str = "", seq: int = 0, what: str = "", site: int = 1) -> str:
    if event == check.BEGIN:
        return json.dumps({"role": role, "event": event, "incarnation": seq})
    return json.dumps({"role": role, "event": event, "peer": peer, "seq": seq, "site": site,
                       "digest": what or f"d{seq}"})


def sent(*seqs: int) -> list[str]:
    return [line("A", "begin"), *(line("A", "sent", "B", seq) for seq in seqs)]


def taken(*seqs: int) -> list[str]:
    return [line("B", "begin"), *(line("B", "taken", "A", seq) for seq in seqs)]


class CheckTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def faults(self, *histories: list[str], incomplete: bool = False) -> dict[str, list[str]]:
        files = []
        for number, lines in enumerate(histories):
            files.append(self.folder / f"{number}.history")
            files[-1].write_text("\n".join(lines) + "\n")
        return check.check(check.read(files), incomplete).faults

    def test_right(self) -> None:
        self.assertEqual(self.faults(sent(1, 2, 3), taken(1, 2, 3)), {})

    def test_both_ways(self) -> None:
        both = [*sent(1, 2), line("A", "taken", "B", 1)]
        self.assertEqual(self.faults(both, [*taken(1, 2), line("B", "sent", "A", 1)]), {})

    def test_lost_in_the_middle(self) -> None:
        faults = self.faults(sent(1, 2, 3), taken(1, 3))
        self.assertEqual(faults, {"lost": ["A to B: message 2 not taken before 3"]})

    def test_lost_at_the_end(self) -> None:
        faults = self.faults(sent(1, 2, 3), taken(1))
        self.assertEqual(len(faults["lost"]), 2)
        self.assertEqual(self.faults(sent(1, 2, 3), taken(1), incomplete=True), {})

    def test_a_gap_is_lost_in_a_stopped_run_too(self) -> None:
        self.assertIn("lost", self.faults(sent(1, 2, 3), taken(1, 3), incomplete=True))

    def test_nothing_taken(self) -> None:
        self.assertEqual(len(self.faults(sent(1, 2), taken())["lost"]), 2)

    def test_doubled(self) -> None:
        faults = self.faults(sent(1, 2), taken(1, 2, 2))
        self.assertEqual(faults, {"doubled": ["A to B: message 2 taken twice"]})

    def test_reordered(self) -> None:
        faults = self.faults(sent(1, 2, 3), taken(1, 3, 2))
        self.assertEqual(faults, {"reordered": ["A to B: message 2 taken after 3"]})

    def test_number_given_twice_by_the_sender(self) -> None:
        self.assertIn("doubled", self.faults(sent(1, 2, 2), taken(1, 2)))

    def test_changed(self) -> None:
        faults = self.faults(sent(1), [line("B", "taken", "A", 1, "other")])
        self.assertEqual(list(faults), ["changed"])

    def test_taken_at_another_site(self) -> None:
        faults = self.faults(sent(1), [line("B", "taken", "A", 1, site=2)])
        self.assertEqual(list(faults), ["changed"])
        self.assertEqual(self.faults(sent(1), [line("B", "taken", "A", 1, site=0)]), {})

    def test_never_sent(self) -> None:
        self.assertEqual(list(self.faults(sent(1), taken(1, 2))), ["never sent"])
        self.assertEqual(self.faults(sent(1), taken(1, 2), incomplete=True), {})
        self.assertIn("never sent", self.faults(sent(1), taken(1, 2, 3), incomplete=True))

    def test_lives_tell_the_same(self) -> None:
        self.assertEqual(self.faults(sent(1, 2), taken(1) + taken(1, 2)), {})
        self.assertEqual(self.faults(sent(1, 2), taken(1), taken(1, 2)), {})

    def test_a_second_life_that_differs(self) -> None:
        again = [line("A", "begin"), line("A", "sent", "B", 1, "other")]
        self.assertIn("changed", self.faults(sent(1) + again, taken(1)))

    def test_a_second_life_that_forgot(self) -> None:
        self.assertIn("lost", self.faults(sent(1, 2), taken(1) + taken(2)))

    def test_torn_line(self) -> None:
        self.assertEqual(self.faults(sent(1), [*taken(1), '{"role": "B", "ev']), {})
        self.assertEqual(self.faults(sent(1), [*taken(1), '{"role'] + taken(1)), {})

    def test_no_history(self) -> None:
        for wrong in ("nonsense", "[]", '{"role": "B", "event": "taken"}', '{"event": "begin"}',
                      '{"role": "B", "event": "read", "peer": "A"}'):
            with self.assertRaises(check.NoHistory):
                self.faults(sent(1), ["", wrong, *taken(1)[1:]])

    def test_exit_status(self) -> None:
        self.assertEqual(self.status(sent(1), taken(1)), (0, "1 messages, 0 lost, 0 doubled, "
                                                          "0 reordered, 0 changed, 0 never sent\n"))
        self.assertEqual(self.status(sent(1), taken())[0], 1)
        self.assertEqual(self.status(["nonsense", "", *sent(1)[1:]])[0], 2)

    def status(self, *histories: list[str]) -> tuple[int, str]:
        files = [self.folder / f"{number}" for number in range(len(histories))]
        for file, lines in zip(files, histories):
            file.write_text("\n".join(lines) + "\n")
        done = subprocess.run([sys.executable, check.__file__, *map(str, files)],
                              capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout

    def test_only_one_side_known(self) -> None:
        self.assertEqual(self.faults(sent(1, 2)), {})


if __name__ == "__main__":
    unittest.main()
