"""`pychoralc distribute`: its options, its reports, what it writes and what it never does."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
DONE, ERRORS, USAGE, FILE = 0, 1, 2, 3
SOURCE = """\
import tensorflow as tf
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.range(8).batch(2)
for x in data:
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
"""
REFUSED = SOURCE.replace("tf.keras.optimizers.SGD(0.1)", "make()") + "opt.minimize(loss, v)\n"
REFUSED += "other.apply_gradients(zip(tape.gradient(loss, v), v))\n"


class DistributeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-distribute-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("a.py", SOURCE)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def call(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(COMPILER), "distribute", *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=60, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, NO_COLOR="1"))

    def expect(self, status: int, words: str, *arguments: str) -> "tuple[str, str]":
        done = self.call(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertRegex(done.stderr, words)
        return done.stdout, done.stderr

    # ---- what goes where ----

    def test_standard_output_is_the_script(self) -> None:
        text, _ = self.expect(DONE, "^$", "a.py")
        self.assertIn("hvd.init()", text)
        self.assertEqual((self.folder / "a.py").read_text(), SOURCE)

    def test_in_place_and_once_more(self) -> None:
        self.expect(DONE, ".*", "-i", "a.py")
        text = (self.folder / "a.py").read_text()
        self.assertIn("hvd.init()", text)
        self.expect(DONE, "W1101", "-i", "a.py")
        self.assertEqual((self.folder / "a.py").read_text(), text)

    def test_several_files(self) -> None:
        self.write("b.py", SOURCE)
        self.expect(USAGE, "several files", "a.py", "b.py")
        self.expect(DONE, ".*", "-i", "a.py", "b.py")
        self.assertIn("hvd.init()", (self.folder / "b.py").read_text())

    def test_check_and_diff(self) -> None:
        self.assertEqual(self.expect(ERRORS, "^$", "--check", "a.py")[0], "")
        text, _ = self.expect(ERRORS, "^$", "--diff", "a.py")
        self.assertIn("+hvd.init()", text)

    def test_an_output_that_exists(self) -> None:
        self.write("out.py", "mine")
        self.expect(FILE, "E0004", "a.py", "-o", "out.py")
        self.assertEqual((self.folder / "out.py").read_text(), "mine")
        self.expect(DONE, ".*", "a.py", "-f", "-o", "out.py")

    def test_an_output_that_is_no_file(self) -> None:
        self.expect(FILE, "it is a folder: choose another name", "a.py", "-o", ".")
        self.expect(USAGE, "`--in-place` and `--output` cannot", "a.py", "-i", "-o", "b.py")
        os.mkfifo(self.folder / "pipe")
        reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        self.expect(DONE, "^$", "a.py", "-o", "pipe")
        self.assertIn(b"hvd.init()", os.read(reader, 1 << 16))
        os.close(reader)

    def test_a_syntax_error(self) -> None:
        self.write("a.py", "if\n")
        self.assertEqual(self.expect(ERRORS, "E0101", "a.py")[0], "")

    # ---- reports ----

    def test_the_first_thing_that_stands_against_it(self) -> None:
        self.write("a.py", REFUSED)
        _, first = self.expect(ERRORS, "not shown", "a.py", "-o", "out.py")
        self.assertEqual(first.count("error["), 1)
        _, every = self.expect(ERRORS, "E1115", "--explain", "a.py", "-o", "out.py")
        self.assertGreater(every.count("error["), 1)
        self.assertFalse((self.folder / "out.py").exists())

    def test_an_unknown_model_and_an_unknown_optimizer(self) -> None:
        self.write("a.py", "import tensorflow as tf\nm = tf.keras.Sequential([])\n"
                   "m.compile(optimizer=ALL[0])\nm.fit(x)\nother = make()\n"
                   "other.compile(optimizer='sgd')\n")
        _, said = self.expect(ERRORS, "E1115", "--explain", "a.py", "-o", "out.py")
        self.assertIn("it is not known whether `other` is a model", said)
        self.assertIn("or a variable that is assigned such a call", said)

    def test_explain_names_rules_and_lines(self) -> None:
        _, said = self.expect(DONE, ".*", "--explain", "a.py", "-o", "out.py")
        self.assertIn("a.py:2: L1\n", said)
        self.assertIn("a.py:3: D1\n", said)

    def test_report(self) -> None:
        text, _ = self.expect(DONE, "^$", "--report=json", "a.py")
        report = json.loads(text)
        self.assertEqual((report["file"], report["outcome"]), ("a.py", "done"))
        self.assertIn({"id": "L1", "line": 2, "column": 7}, report["rules"])
        self.assertIn("a.py:2: L1", self.expect(DONE, "^$", "--report", "a.py")[0])
        self.write("a.py", REFUSED)
        text, _ = self.expect(ERRORS, "E1115", "--report=json", "a.py")
        self.assertEqual(json.loads(text), {"file": "a.py", "outcome": "refused", "rules": []})
        self.write("a.py", "import horovod.tensorflow as hvd\n" + SOURCE)
        text, _ = self.expect(ERRORS, "E1114", "--report=json", "a.py")
        self.assertEqual(json.loads(text)["outcome"], "refused")

    def test_sarif(self) -> None:
        self.write("a.py", REFUSED)
        _, said = self.expect(ERRORS, "runs", "--error-format=sarif", "a.py")
        results = json.loads(said)["runs"][0]["results"]
        self.assertIn("E1115", {result["ruleId"] for result in results})

    # ---- learning rates, targets ----

    def test_scale_and_warmup(self) -> None:
        self.assertIn("SGD(0.1 * hvd.size())", self.call("a.py").stdout)
        self.assertIn("SGD(0.1 * hvd.size() ** 0.5)", self.call("--lr-scale=sqrt", "a.py").stdout)
        self.assertIn("SGD(0.1)\n", self.call("--lr-scale=none", "--warmup=9", "a.py").stdout)
        self.assertIn("PolynomialDecay(0.1, 9, 0.1 * hvd.size())",
                      self.call("--warmup=9", "a.py").stdout)
        self.assertEqual(self.call("--warmup=0", "a.py").stdout, self.call("a.py").stdout)

    def test_targets(self) -> None:
        self.assertIn("MirroredStrategy()", self.call("--target=tf", "a.py").stdout)
        self.assertIn("MultiWorkerMirroredStrategy()",
                      self.call("--target=tf", "--workers=2", "a.py").stdout)
        self.expect(ERRORS, "E1120", "--target=keras", "a.py")
        self.expect(USAGE, "--workers", "--workers=2", "a.py")
        self.expect(USAGE, "requires", "--target=tf", "--rules=seed", "a.py")


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
