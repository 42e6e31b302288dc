"""Programs of several modules load as in Python: their files run as plain Python print what their
marks say.

A role is a value that `e@A` leaves `e` to, and a channel gives what it is given.
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

MODULES = ROOT / "tests/modules"
COMPILER = ROOT / "build/release/pychoralc"     # not asked
SAID = re.compile(r"#> \w+: ?(.*?)\s*$", re.MULTILINE)
START = """
import builtins
import inspect
import sys


class Role:
    def __rmatmul__(self, value):
        return value


class Wire:
    def com(self, value):
        return value


for name in {roles}:
    setattr(builtins, name, Role())
sys.path[:0] = ["."]
import main

parameters = inspect.signature(main.main).parameters.values()
main.main(*[Wire() for p in parameters if p.default is p.empty])
"""


class Plain(unittest.TestCase):
    """The lines of all roles together: whose they are plain Python does not know."""

    def compare(self, folder: Path) -> None:
        text = (folder / "main.pyc").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="pychoral-plain-") as name:
            for file in [*folder.rglob("*.pyc"), *folder.rglob("*.py")]:
                copy = (Path(name) / file.relative_to(folder)).with_suffix(".py")
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text("from __future__ import annotations\n"
                                + file.read_text(encoding="utf-8"), encoding="utf-8")
            roles = sorted({"A", "B", *re.findall(r"#> (\w+):", text)})
            done = subprocess.run([sys.executable, "-B", "-c", START.format(roles=roles)], cwd=name,
                                  env={"PYTHONPATH": str(ROOT / "runtime" / "python")},
                                  capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(SAID.findall(text)))

    def test_loading(self) -> None:
        folders = [*MODULES.glob("load_*"), *MODULES.glob("packages_load*"), MODULES / "initial",
                   MODULES / "state"]
        self.assertGreater(len(folders), 7)
        for folder in sorted(folders):
            with self.subTest(folder.name):
                self.compare(folder)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
