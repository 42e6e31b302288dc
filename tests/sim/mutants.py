"""make mutants-sim: C machines with a rule broken on purpose. The simulation must notice each, or a
recorded schedule (tests/schedules).

    tests/sim/mutants.py [PATCH...] [--build FOLDER] [--count N]

Every patch of tests/sim/mutants is applied to a copy of runtime/c and tests/sim, which is compiled
and runs N schedules. A patch begins with what is broken. One that no longer applies or compiles is
a failure, as is one that nobody notices. Rules that cover for each other are broken together.
Printed: the schedule, or the first seed that notices and what it says.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = ("frame", "fifo", "slots", "buffer", "machine", "handshake", "agreement", "outbox",
           "inbox", "timer", "sha256")
FLAGS = ["-std=c11", "-O1", "-D_POSIX_C_SOURCE=200809L", "-Iruntime/c"]
UNNOTICED = "nobody notices"
FOUND = re.compile(r"^seed (\d+): (.*)$", re.MULTILINE)


def run(command: list[str], folder: Path, seconds: int = 300) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=seconds, stdin=subprocess.DEVNULL)


def renew(folder: Path) -> None:
    """A fresh copy of what the simulation is made of."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("runtime/c", "tests/sim", "tests/schedules"):
        shutil.copytree(ROOT / name, folder / name)


def build(folder: Path) -> str:
    files = [f"runtime/c/{name}.c" for name in SOURCES]
    sim = sorted(str(path.relative_to(folder)) for path in (folder / "tests/sim").glob("*.c"))
    for program, more in (("sim", sim), ("driver", ["tests/schedules/c_driver.c"])):
        done = run(["cc", *FLAGS, "-o", program, *files, *more, "-lz"], folder)
        if done.returncode:
            return done.stdout
    return ""


def differing(folder: Path) -> str:
    """A recorded schedule that is answered in another way; "" if there is none."""
    for schedule in sorted((folder / "tests/schedules").glob("*.txt")):
        done = run(["./driver", str(schedule)], folder)
        if done.returncode or done.stdout != schedule.with_suffix(".out").read_text():
            return f"schedule {schedule.stem}"
    return ""


def judge(folder: Path, patch: Path | None, count: int) -> tuple[str, str]:
    """(what the simulation found, why this is a failure of the patch)."""
    renew(folder)
    if patch is not None and run(["patch", "-p1", "--force", "-i", str(patch)], folder).returncode:
        return "", "the patch no longer applies"
    wrong = build(folder)
    if wrong:
        return "", f"does not compile:\n{wrong}"
    schedule = differing(folder)
    if schedule:
        return schedule, ""
    try:
        done = run(["./sim", "--count", str(count), "--most", "1"], folder)
    except subprocess.TimeoutExpired:
        return "a run that never ends", ""
    found = FOUND.search(done.stdout)
    if found:
        return f"seed {found[1]}: {found[2]}", ""
    return (f"status {done.returncode}", "") if done.returncode else ("", UNNOTICED)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patches", nargs="*", type=Path)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "mutants-sim")
    parser.add_argument("--count", type=int, default=300000)
    options = parser.parse_args()
    patches = [path.resolve() for path in options.patches]
    patches = patches or sorted((HERE / "mutants").glob("*.patch"))
    folder = options.build.resolve()
    found, wrong = judge(folder, None, 20000)
    if wrong != UNNOTICED:
        print(f"without any mutation: {found or wrong}")
        return 1
    failed = 0
    for patch in patches:
        found, wrong = judge(folder, patch, options.count)
        failed += not found
        print(f"{patch.stem}: {found or 'FAILED: ' + wrong}", flush=True)
    print(f"{len(patches) - failed} noticed, {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
