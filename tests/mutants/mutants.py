"""make mutants: compilers with one rule broken on purpose. The annotated tests must notice each.

    tests/mutants/mutants.py [PATCH...] [--build FOLDER] [--jobs N] [--note]

Every patch of this folder is applied to a copy of the tree, built (only what it touches), and the
annotated tests are run without processes and without mypy until one fails. A patch begins with what
is broken, and names the tests that are known to notice on a line `Noticed by: FILE`; these run
first; if that is a script of another folder, it alone has to notice. A patch that no longer applies
or builds is a failure, as is a mutant that nobody notices.
`--note` writes the first test that notices into the patch.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NOTICED = re.compile(r"^Noticed by: (.*)\n", re.MULTILINE)
FAILED = re.compile(r"^FAILED (\S+)", re.MULTILINE)
IGNORED = shutil.ignore_patterns("build", ".git", "__pycache__", ".ci")
# The fast ones first.
FOLDERS = ("tests/check", "tests/traps", "tests/regress", "tests/programs", "samples")
SCRIPTS = ("tests/virtual/", "tests/distribute/", "tests/grad/")    # these run by themselves
SUITE_SECONDS = 600


class Tree:
    """A copy of the sources that is built and patched."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder = folder
        self.jobs = jobs

    def renew(self, files: list[str]) -> str:
        """A fresh copy, built; its tests (or these) must pass. Answers what went wrong."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(ROOT, self.folder, ignore=IGNORED)
        wrong = self.build()
        if wrong:
            return f"the tree does not build:\n{wrong}"
        test = self.notices(files)
        return f"without any mutation, {test} fails" if test else ""

    def build(self) -> str:
        done = self._run(["make", f"-j{self.jobs}", "all"], 600)
        return "" if done.returncode == 0 else done.stdout

    def patch(self, patch: Path, *options: str) -> bool:
        done = self._run(["patch", "-p1", "--force", "--no-backup-if-mismatch", "--fuzz=2",
                          *options, "-i", str(patch)], 60)
        return done.returncode == 0

    def notices(self, files: list[str]) -> str:
        """The first of the tests that fails (no files: all tests); "" if none does."""
        for script in [name for name in files if name.startswith(SCRIPTS)]:
            if self._run([sys.executable, script], SUITE_SECONDS).returncode != 0:
                return script
            files = [name for name in files if name != script]
            if not files:
                return ""
        files = [name for name in files if (self.folder / name).exists()] or list(FOLDERS)
        done = self._run([sys.executable, "tests/run", "--no-mypy", "--no-processes", "--stop",
                          "--jobs", str(self.jobs), *files], SUITE_SECONDS)
        if done.returncode == 0:
            return ""
        match = FAILED.search(done.stdout)
        return match[1] if match else "the suite itself"

    def _run(self, command: list[str], seconds: float) -> "subprocess.CompletedProcess[str]":
        own = {"PYTHONPATH": f"{self.folder}/runtime/python",
               "PYCHORALC": f"{self.folder}/build/release/pychoralc",
               "XDG_CACHE_HOME": f"{self.folder}/build/cache"}
        return subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, timeout=seconds, errors="replace",
                              stdin=subprocess.DEVNULL, env=os.environ | own)


def noticing(patch: Path) -> list[str]:
    return NOTICED.findall(patch.read_text(encoding="utf-8"))


def is_of_scripts(patch: Path) -> bool:
    known = noticing(patch)
    return bool(known) and all(name.startswith(SCRIPTS) for name in known)


def judge(tree: Tree, patch: Path) -> tuple[str, str]:
    """The test that notices, or why the patch is a failure."""
    if not tree.patch(patch):
        tree.patch(patch, "-R")
        return "", "the patch no longer applies"
    try:
        if tree.build():
            return "", "the patched tree no longer builds"
        known = noticing(patch)
        found = tree.notices(known) if known else ""
        if not found and not is_of_scripts(patch):
            found = tree.notices([])
        return (found, "") if found else ("", "nobody notices")
    except subprocess.TimeoutExpired:
        return "a test run that never ends", ""
    finally:
        tree.patch(patch, "-R")


def note(patch: Path, test: str) -> None:
    """Writes who noticed into the patch."""
    text = NOTICED.sub("", patch.read_text(encoding="utf-8"))
    head, found, rest = text.partition("--- a/")
    if (ROOT / test).exists():
        patch.write_text(f"{head}Noticed by: {test}\n{found}{rest}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patches", nargs="*", type=Path)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--note", action="store_true")
    options = parser.parse_args()
    patches = [path.resolve() for path in options.patches] or sorted(HERE.glob("*.patch"))
    options.build.mkdir(parents=True, exist_ok=True)
    tree = Tree(options.build.resolve() / "tree", options.jobs)
    scripts = all(is_of_scripts(patch) for patch in patches)
    wrong = tree.renew(sorted({name for patch in patches for name in noticing(patch)})
                       if scripts else [])
    if wrong:
        print(wrong)
        return 1
    passed = failed = 0
    for patch in patches:
        started = time.monotonic()
        test, why = judge(tree, patch)
        passed, failed = passed + bool(test), failed + (not test)
        verdict = f"noticed by {test}" if test else f"FAILED: {why}"
        print(f"{patch.stem}: {verdict} ({time.monotonic() - started:.0f} s)", flush=True)
        if test and options.note:
            note(patch, test)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
