"""Training scripts, distributed and run as 1, 2 and 3 processes of the stand-in: six properties.

1 equal weights after the first step, 2 after all steps, and equally many steps; 3 each process has
data of its own; 4 together they see what one process sees, give or take a batch of each process an
epoch; 5 only rank 0 prints and writes; 6 one process does what the original does. Learning rates
grow with the number of processes. Outputs that are broken on purpose break a property.

Comments of a script say what is special about it: `# rules: seed`; `# epochs: 3`; `# data: shared`
(no shards: 3 and 4 are not asked), `# data: stops` (when it ends may differ), `# data: random`
(batches are drawn: they differ, no more); `# steps: by hand` (without an optimizer); `# refused:
E1113`.
"""

import re
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests/runner"))
sys.path.insert(0, str(HERE / "standin"))

import launch  # noqa: E402
import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
# Those of TensorFlow 1 run under the real one alone (real.py).
SCRIPTS = [path for path in sorted((HERE / "scripts").glob("*.py"))
           if "# real: only" not in path.read_text(encoding="utf-8")]


class Play:
    """One script, and its runs."""

    def __init__(self, script: Path, folder: Path) -> None:
        self.script, self.folder = script, folder
        text = script.read_text(encoding="utf-8")
        self.notes = dict(re.findall(r"^# (\w+): (.*)$", text, re.MULTILINE))
        self.out = folder / "distributed.py"

    def distribute(self) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(COMPILER), "distribute", "-f", "-o", str(self.out),
                               f"--rules={self.notes.get('rules', 'default')}", str(self.script)],
                              capture_output=True, text=True, timeout=60)

    def run(self, script: Path, size: int) -> "list[launch.Ended]":
        cwd = self.folder / f"run{size}"
        cwd.mkdir()
        ended, failure = launch.launch(script, size, cwd)
        bad = [end for end in ended if end.status]
        if failure or bad:
            raise AssertionError(f"{size} processes: {failure}\n{bad[0].err if bad else ''}")
        return list(ended)


# Of a script's output: what is replaced, and by what.
MUTANTS = [
    ("uneven", "d.take(d.cardinality() // hvd.size() * hvd.size())", "d"),
    ("uneven", "    tape = hvd.DistributedGradientTape(tape)\n", ""),
    ("uneven", "learning_rate=0.05 * hvd.size()", "learning_rate=0.05"),
    ("uneven", "if hvd.rank() == 0:", "if True:"),
    ("split", ".shard(hvd.size(), hvd.rank())", ""),
    ("early_stop", "hvd.broadcast_object(bool(waited > 1))", "waited > 1 + hvd.rank()"),
    ("traced", "hvd.broadcast_variables(model.trainable_variables, root_rank=0)", "pass"),
    ("two_loops", "if any(id(v) not in broadcast_done for _, v in grads_and_vars)",
     "if not broadcast_done"),
    ("manager", "if hvd.rank() == 0:\n    os.makedirs('out')", "os.makedirs('out')"),
    ("fit_objects", "hvd.callbacks.BroadcastGlobalVariablesCallback(0), ", ""),
    ("fit_strings", "hvd.DistributedOptimizer", ""),
    ("fit_strings", "[hvd.rank()::hvd.size()]", ""),
    ("filtered", "op=hvd.Min", "op=hvd.Sum"),
    ("absolute", "if hvd.rank() == 0:", "if True:"),
    ("absolute", "if hvd.rank() == 0 else '/dev/null'", ""),
    ("take_repeat", "max(1, training_steps // hvd.size())", "training_steps"),
]


class PropertiesTest(unittest.TestCase):
    def test_scripts(self) -> None:
        for script in SCRIPTS:
            with self.subTest(script.stem), tempfile.TemporaryDirectory() as folder:
                self.check_script(Play(script, Path(folder)))

    def check_script(self, play: Play) -> None:
        done = play.distribute()
        if code := play.notes.get("refused"):
            self.assertEqual(done.returncode, 1)
            self.assertIn(code, done.stderr)
            return
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_output(play)

    def check_output(self, play: Play) -> None:
        single = play.run(play.script, 0)[0]
        self.assertTrue(single.record["steps"] or "steps" in play.notes, "no step was recorded")
        self.check_same(single, play.run(play.out, 1)[0])
        for size in (2, 3):
            ranks = play.run(play.out, size)
            self.check_rates(play, single, ranks)
            self.check_equal_weights(ranks)
            self.check_data(play, single, ranks)
            self.check_quiet(single, ranks)

    def test_mutants(self) -> None:
        for name, old, new in MUTANTS:
            with self.subTest(f"{name}: {old}"), tempfile.TemporaryDirectory() as folder:
                play = Play(HERE / f"scripts/{name}.py", Path(folder))
                play.distribute()
                text = play.out.read_text(encoding="utf-8")
                self.assertIn(old, text)
                play.out.write_text(text.replace(old, new), encoding="utf-8")
                with self.assertRaises(AssertionError):
                    self.check_output(play)

    def check_rates(self, play: Play, single: launch.Ended, ranks: "list[launch.Ended]") -> None:
        if "steps" not in play.notes:
            first = [end.record["rates"][0] for end in ranks]
            for rate in first:
                self.assertAlmostEqual(rate, single.record["rates"][0] * len(ranks))

    def check_same(self, single: launch.Ended, one: launch.Ended) -> None:
        self.assertEqual(single.out, one.out, "one process prints what the original prints")
        for part in ("steps", "samples", "final", "writes", "rates"):
            self.assertEqual(single.record[part], one.record[part], f"one process: {part}")

    def check_equal_weights(self, ranks: "list[launch.Ended]") -> None:
        first = ranks[0].record
        for end in ranks[1:]:
            self.assertEqual(first["final"], end.record["final"], "weights at the end")
            for name, before in first["steps"].items():
                self.assertEqual(before, end.record["steps"][name], "weights after a step")

    def check_data(self, play: Play, single: launch.Ended, ranks: "list[launch.Ended]") -> None:
        kind = play.notes.get("data")
        if kind in ("shared", "stops"):
            return
        seen = [[row for step in end.record["samples"] for row in step] for end in ranks]
        if kind == "random":
            self.assertEqual(len({tuple(rows) for rows in seen}), len(ranks), "different batches")
            return
        for i, rows in enumerate(seen):
            for other in seen[:i]:
                self.assertEqual(set(rows) & set(other), set(), "shards overlap")
        whole = [len(step) for step in single.record["samples"]]
        room = max(whole, default=0) * int(play.notes.get("epochs", 1)) * (len(ranks) - 1)
        total = sum(map(len, seen))
        self.assertTrue(sum(whole) - room <= total <= sum(whole) + room,
                        f"{total} samples instead of {sum(whole)}")

    def check_quiet(self, single: launch.Ended, ranks: "list[launch.Ended]") -> None:
        for end in ranks[1:]:
            self.assertEqual(end.out, "", "only rank 0 prints")
            self.assertEqual(end.record["writes"], [], "only rank 0 writes")
        self.assertEqual(bool(single.out), bool(ranks[0].out), "rank 0 prints")
        self.assertEqual(bool(single.record["writes"]), bool(ranks[0].record["writes"]))


if __name__ == "__main__":
    # A script that never ends fills no more than this, in each of its processes.
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
