"""Every build of the compiler gives the same bytes: tests/cli/test_variants.py COMPILER COMPILER...

Trees, errors in several forms, generated programs and diagrams of all annotated programs are
compared with those of the first compiler. What differs depends on an address, on the order of
evaluation, on an uninitialised byte or on a hash.
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["samples", "tests/check", "tests/programs", "tests/regress"]
CALLS = [
    ["check", "FILE", "--dump=parse", "--dump-ir=check", "--color=always", "--max-errors=0"],
    ["check", "FILE", "--error-format=sarif", "--max-errors=3", "--dump-ir=project"],
    ["check", "FILE", "--error-format=json"],
    ["build", "FILE", "-o", "-"],
    ["build", "FILE", "--erase", "-o", "-"],
    ["build", "FILE", "--target=c", "-o", "-"],
    ["view", "FILE", "--format=svg"],
    ["parse", "FILE", "--ast=json"],
]
OWN_CALLS = [["help"], ["manual"], ["explain"], ["completions", "bash"], ["completions", "zsh"],
             ["completions", "fish"], ["check", "missing.pyc", "--error-format=github"]]


def run(compiler: Path, arguments: list[str]) -> tuple[int, bytes, bytes]:
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
    done = subprocess.run([str(compiler), *arguments], cwd=ROOT, env=environment, timeout=120,
                          stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def compare(compilers: list[Path], arguments: list[str]) -> str:
    """What differs, or nothing."""
    first = run(compilers[0], arguments)
    for other in compilers[1:]:
        result = run(other, arguments)
        for what, expected, found in zip(("status", "output", "messages"), first, result):
            if expected != found:
                return (f"pychoralc {' '.join(arguments)}: the {what} of {other} differs from "
                        f"that of {compilers[0]}:\n{found!r:.500}\nand not\n{expected!r:.500}")
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compilers", nargs="+", type=Path)
    compilers = [path.resolve() for path in parser.parse_args().compilers]
    files = [path.relative_to(ROOT).as_posix() for folder in FOLDERS
             for path in sorted((ROOT / folder).rglob("*.pyc"))]
    calls = OWN_CALLS + [[name if word == "FILE" else word for word in call]
                         for name in files for call in CALLS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda call: compare(compilers, call), calls))
    failures = [result for result in results if result]
    for failure in failures[:10]:
        print(f"FAILED {failure}")
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
