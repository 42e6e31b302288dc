"""The rules of `distribute`, each by a script of its own.

rules/SET/ID.py becomes rules/SET/ID.out, by the rule that `compiler/distribute` calls ID: a rule
without a script and a script without a rule are failures. refusals/CODE-NAME.py is refused at the
lines that say `#! CODE`, and nothing is written. What comes out parses, keeps every comment, is
left alone by a second run, and is what `--diff` says.
"""

import ast
import io
import json
import re
import subprocess
import sys
import tempfile
import tokenize
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
TABLES = {"seed": ["seed.def"], "default": ["default.def"], "tf": ["tf.def"],
          "keras": ["keras.def"], "ddp": ["ddp.def"]}
ROW = re.compile(r'^\w+\("([\w-]+)"', re.MULTILINE)
KINDS = {"seed": ["--rules=seed"], "ddp": ["--target=ddp"], "tf": ["--target=tf"],
         "keras": ["--target=keras"], "workers": ["--target=tf", "--workers=2"],
         "warmup": ["--warmup=9"]}
NO_SCRIPT = {"E1123", "W1101"}        # an encoding; a second run: tests below
REPAIRS = {f"repair-{n}" for n in range(1, 10)}
MARK = re.compile(r"#! ([EW]\d+)")


def run(*args: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([str(COMPILER), "distribute", *args], capture_output=True, timeout=60)


def options(script: Path) -> "list[str]":
    """What asks for the rules of its folder; the script may name more."""
    rules = script.parent.name
    more = re.findall(r"^# options: (.*)$", script.read_text(), re.MULTILINE)
    return [f"--target={rules}" if rules in ("tf", "keras", "ddp") else f"--rules={rules}", *more]


def comments(text: str) -> "list[str]":
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def strings(text: str) -> "set[str]":
    """Constants that stand in the text; lines of theirs must not be indented."""
    return {node.value for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def ids(rules: str) -> "set[str]":
    found: "set[str]" = set()
    for name in TABLES[rules]:
        path = ROOT / "compiler/distribute" / name
        found |= set(ROW.findall(path.read_text())) if path.exists() else set()
    return found | (REPAIRS if rules == "seed" else set())


def reported(done: "subprocess.CompletedProcess[bytes]") -> "set[tuple[str, int]]":
    found = [json.loads(line) for line in done.stderr.decode().splitlines()]
    return {(d["code"], d["spans"][0]["line_start"]) for d in found if d.get("spans")}


def marked(script: Path) -> "set[tuple[str, int]]":
    lines = script.read_text().split("\n")
    return {(mark, i) for i, line in enumerate(lines, 1) for mark in MARK.findall(line)}


SHAPES = '''\
"""Gr\u00f6\u00dfe."""
import tensorflow as tf; import numpy as np  # two
opt = tf.keras.optimizers.SGD(0.1); model = tf.keras.Sequential([])
name = """first
  second"""; text = "\u00e9"

def train(data):
\tfor i, x in enumerate(data):
\t\twith tf.GradientTape() as tape: loss = f(model(x), """a
b""")  # the tape
\t\t# between
\t\tgrads = tape.gradient(loss, model.trainable_variables); pairs = zip(
\t\t\tgrads, model.trainable_variables)
\t\topt.apply_gradients(pairs)
\t\tif i % 2 == 0: print("""step
\tat""", i,  # shown
\t\t\t\t\tloss); print("x")

train(tf.data.Dataset.from_tensor_slices(
\tnp.zeros((8, 3))).batch(2))
print("""end
   here""")
'''


class RulesTest(unittest.TestCase):
    def test_every_rule_has_a_script(self) -> None:
        for rules in TABLES:
            have = {path.stem for path in (HERE / "rules" / rules).glob("*.py")}
            self.assertEqual(have ^ ids(rules), set(), rules)

    def test_every_code_has_a_script(self) -> None:
        rows = (ROOT / "compiler/base/diag.def").read_text()
        scripts = [*HERE.glob("refusals/*.py"), *HERE.glob("rules/*/*.py"),
                   *HERE.glob("collectives/*.py")]
        found = {code for script in scripts for code, _ in marked(script)}
        self.assertEqual(set(re.findall(r'"([EW]11\d\d)"', rows)) - found - NO_SCRIPT, set())

    def test_documented(self) -> None:
        tables = [(ROOT / f"compiler/distribute/{name}.def").read_text()
                  for name in ("default", "tf", "keras", "ddp")]
        rows = re.findall(r'^RULE\("([\w-]+)",\s*\w+,\s*"(.*)"\)', "".join(tables), re.MULTILINE)
        page = (ROOT / "docs/distribute.md").read_text()
        self.assertEqual(re.findall(r"^\| ([A-Z][\w-]*\w) \| (.*) \|$", page, re.MULTILINE), rows)

    def test_rules(self) -> None:
        for script in sorted((HERE / "rules").glob("*/*.py")):
            with self.subTest(script.name):
                done = run(*options(script), "--error-format=json", str(script))
                self.assertEqual(done.returncode, 0, done.stderr.decode())
                self.assertEqual(reported(done), marked(script))
                self.assertEqual(done.stdout.decode(), script.with_suffix(".out").read_text())
                ast.parse(done.stdout)
                kept = comments(script.read_text())
                self.assertEqual([c for c in comments(done.stdout.decode()) if c in kept], kept)

    def test_torch(self) -> None:
        """What check-torch runs is refused, left alone or complete, without torch, too."""
        with tempfile.TemporaryDirectory(prefix="pychoral-distribute-") as folder:
            for script in sorted((HERE / "torch").glob("*.py")):
                with self.subTest(script.name):
                    notes = dict(re.findall(r"^# (\w+): (.*)$", script.read_text(), re.MULTILINE))
                    done = run("--target=ddp", str(script))
                    self.assertEqual(done.returncode, 1 if "refused" in notes else 0)
                    code = notes.get("refused", notes.get("already"))
                    self.assertIn((code or "").encode(), done.stderr)
                    if code:
                        continue
                    out = Path(folder) / script.name
                    out.write_bytes(done.stdout)
                    again = run("--target=ddp", str(out))
                    self.assertEqual(again.stdout, done.stdout)
                    self.assertIn(b"W1101", again.stderr)
                    kept, now = comments(script.read_text()), comments(done.stdout.decode())
                    self.assertEqual([c for c in now if c in kept], kept)

    def test_second_run_and_diff(self) -> None:
        with tempfile.TemporaryDirectory(prefix="pychoral-distribute-") as folder:
            for out in sorted((HERE / "rules").glob("*/*.out")):
                script = out.with_suffix(".py")
                with self.subTest(out.name):
                    copy = Path(folder) / script.name
                    copy.write_bytes(script.read_bytes())
                    diff = run(*options(script), "--diff", str(copy)).stdout
                    subprocess.run(["patch", "-s", str(copy)], input=diff, check=True)
                    self.assertEqual(copy.read_bytes(), out.read_bytes())
                    if diff:
                        again = run(*options(script), str(copy))
                        self.assertEqual(again.stdout, out.read_bytes())
                        self.assertIn(b"W1101", again.stderr)

    def converted(self, text: str, encoding: str, *options: str) -> bytes:
        with tempfile.TemporaryDirectory(prefix="pychoral-distribute-") as folder:
            path = Path(folder) / "train.py"
            path.write_bytes(text.encode(encoding))
            done = run("-i", *options, str(path))
            self.assertIn(done.returncode, (0, 1), done.stderr.decode())
            return path.read_bytes()

    def test_collectives(self) -> None:
        """Each fault is found at its line; scripts without one give no alarm."""
        for script in sorted((HERE / "collectives").glob("*.py")):
            with self.subTest(script.name):
                done = subprocess.run([str(COMPILER), "check", "--collectives",
                                       "--error-format=json", str(script)],
                                      capture_output=True, timeout=60)
                self.assertEqual(reported(done), marked(script))
                self.assertEqual(done.returncode, 1 if script.stem.startswith("bad") else 0)

    def test_collective_helps(self) -> None:
        """What is to be moved fits the part that the operation is in, and its library."""
        for name, text in (("folder", "hvd.broadcast_object(...)`, or move the collective"),
                           ("while_rank", "out of the loop"), ("handler", "out of the handler"),
                           ("early_exit", "before the exit"),
                           ("torch_barrier", "torch.distributed.broadcast")):
            with self.subTest(name):
                done = subprocess.run([str(COMPILER), "check", "--collectives",
                                       str(HERE / f"collectives/bad_{name}.py")],
                                      capture_output=True, timeout=60)
                self.assertIn(text, done.stderr.decode())

    def test_encodings(self) -> None:
        """Line ends, a mark, and bytes beyond ASCII stay as they are."""
        text = (HERE / "rules/default/N1.py").read_text().replace('"""A script."""', '"""Größe."""')
        plain = self.converted(text, "utf-8").decode()
        self.assertIn("hvd_1.init()", plain)
        latin = "# -*- coding: latin-1 -*-\n" + text
        self.assertEqual(self.converted(latin, "latin-1").decode("latin-1"),
                         "# -*- coding: latin-1 -*-\n" + plain)
        self.assertEqual(self.converted(text, "utf-8-sig").decode("utf-8-sig"), plain)
        crlf = text.replace("\n", "\r\n")
        self.assertEqual(self.converted(crlf, "utf-8").decode(), plain.replace("\n", "\r\n"))
        other = "# -*- coding: cp1251 -*-\n# \u0436\n" + text.replace("Größe", "x")
        self.assertEqual(self.converted(other, "cp1251"), other.encode("cp1251"))      # E1123
        self.assertEqual(self.converted(text.rstrip("\n"), "utf-8").decode(), plain.rstrip("\n"))

    def test_shapes(self) -> None:
        """Tabs, `a; b`, strings of several lines in guarded statements, on every line end."""
        for more in ([], ["--target=tf"], ["--target=tf", "--workers=2"]):
            with self.subTest(more):
                plain = self.converted(SHAPES, "utf-8", *more).decode()
                self.assertNotEqual(plain, SHAPES)
                self.assertEqual(strings(plain) & strings(SHAPES), strings(SHAPES))
                self.assertTrue(set(comments(SHAPES)) <= set(comments(plain)))
                self.assertEqual(self.converted(plain, "utf-8", *more).decode(), plain)
                crlf = self.converted(SHAPES.replace("\n", "\r\n"), "utf-8", *more).decode()
                self.assertEqual(crlf, plain.replace("\n", "\r\n"))
                latin = self.converted("# coding: latin-1\n" + SHAPES, "latin-1", *more)
                self.assertEqual(latin.decode("latin-1"), "# coding: latin-1\n" + plain)
                self.patched(SHAPES, plain, *more)

    def patched(self, text: str, expected: str, *options: str) -> None:
        with tempfile.TemporaryDirectory(prefix="pychoral-distribute-") as folder:
            path = Path(folder) / "train.py"
            path.write_text(text, encoding="utf-8")
            diff = run("--diff", *options, str(path)).stdout
            subprocess.run(["patch", "-s", str(path)], input=diff, check=True)
            self.assertEqual(path.read_text(encoding="utf-8"), expected)

    def test_scale(self) -> None:
        script = str(HERE / "rules/default/N1.py")
        self.assertIn(b"SGD(0.1 * hvd_1.size() ** 0.5)", run("--lr-scale=sqrt", script).stdout)
        self.assertIn(b"SGD(0.1)", run("--lr-scale=none", script).stdout)

    def test_command(self) -> None:
        script = str(HERE / "rules/default/N1.py")
        for wrong in (["--target=ddp", "--rules=seed"], ["--target=tf", "--rules=seed"]):
            done = run(*wrong, script)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
        explained = run("--explain", "--check", script)
        self.assertEqual((explained.returncode, explained.stdout), (1, b""))
        self.assertRegex(explained.stderr.decode(), r"N1\.py:9: L1\n")
        with tempfile.TemporaryDirectory(prefix="pychoral-distribute-") as folder:
            out = Path(folder) / "out.py"
            out.write_text("mine")
            self.assertEqual(run("-o", str(out), script).returncode, 3)
            self.assertEqual(out.read_text(), "mine")
            self.assertEqual(run("-f", "-o", str(out), script).returncode, 0)
            self.assertIn("hvd_1.init()", out.read_text())

    def test_refusals(self) -> None:
        with tempfile.TemporaryDirectory(prefix="pychoral-distribute-") as folder:
            for script in sorted((HERE / "refusals").glob("*.py")):
                with self.subTest(script.name):
                    self.refuse(script, Path(folder) / "out.py")

    def refuse(self, script: Path, out: Path) -> None:
        kind = KINDS.get(script.stem.split("-")[1], [])
        done = run(*kind, "--error-format=json", "-o", str(out), str(script))
        self.assertEqual(done.returncode, 1, done.stderr.decode())
        self.assertFalse(out.exists())
        self.assertEqual(reported(done), marked(script))
        self.assertIn(script.stem.split("-")[0], {code for code, _ in marked(script)})


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
