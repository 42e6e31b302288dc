"""Benchmarks: ratios against a peer measured in the same run, and growth with size (growth.py).

Prints; never fails because something is slow.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from growth import LABELS

ROOT = Path(__file__).resolve().parents[2]

# Parses the files named on stdin with CPython's own parser, prints how long only that took.
PEER = """
import ast, sys, time, warnings
warnings.simplefilter("ignore")
sources = [open(name, "rb").read() for name in sys.stdin.read().split("\\n") if name]
start = time.perf_counter()
for source in sources:
    ast.parse(source)
print(time.perf_counter() - start)
"""


def library_files() -> list[Path]:
    """The standard library that CPython accepts, its tests included."""
    folder = Path(os.__file__).parent
    return [path for path in sorted(folder.rglob("*.py")) if parses(path)]


def parses(path: Path) -> bool:
    if "site-packages" in path.parts or "dist-packages" in path.parts:
        return False
    try:
        compile(path.read_bytes(), str(path), "exec", 0x400, True)     # PyCF_ONLY_AST
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start


def processor_seconds(command: list[str]) -> float:
    """Time on the processor: what else runs here counts less."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bench_parse(parser: str) -> None:
    files = library_files()
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    names = "\n".join(map(str, files)) + "\n"
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(3):
        for times, command in ((ours, [parser]), (theirs, [sys.executable, "-c", PEER])):
            done = subprocess.run(command, input=names, capture_output=True, text=True, check=True)
            times.append(float(done.stdout))
    mine, peer_time = min(ours), min(theirs)
    print(f"parse the standard library: {len(files)} files, {megabytes:.1f} MB")
    print(f"  pychoralc {megabytes / mine:7.1f} MB/s")
    print(f"  ast.parse {megabytes / peer_time:7.1f} MB/s  (CPython {sys.version.split()[0]})")
    print(f"  ratio     {peer_time / mine:7.1f}")


def bench_compile(compiler: str, folder: Path) -> None:
    """Whole processes, against the start of a Python that does nothing."""
    sample = str(ROOT / "samples/dist_auth.pyc")
    command = [compiler, "build", sample, "-o", str(folder / "out"), "--quiet"]
    check = [compiler, "check", sample]
    peer = [sys.executable, "-S", "-c", "pass"]
    times: dict[str, list[float]] = {"build": [], "build --no-runtime": [], "check": [],
                                     "python3 -S -c pass": []}
    for _ in range(41):
        for name, call in zip(times, (command, [*command, "--no-runtime"], check, peer)):
            times[name].append(seconds(call))
    print("compile samples/dist_auth.pyc, whole process, median of 41")
    for name, measured in times.items():
        print(f"  {name:20} {statistics.median(measured) * 1000:7.1f} ms")


def long_program(lines: int) -> str:
    """Many choreographies of ten lines, each with a message and a choice."""
    one = """

def f{0}(ch: Channel[object, A, B], a: At[int, A]) -> At[int, B]:
    y: At[int, B] = ch.com(a * 2 + 1)
    if a > 3:
        ch.select(Way.L@A)
        print("left", y)
    else:
        ch.select(Way.R@A)
    return y
"""
    return LABELS + "".join(one.format(i) for i in range(lines // 10))


def bench_long(compiler: str, folder: Path) -> None:
    source = folder / "long.pyc"
    source.write_text(long_program(100_000))
    spent = min(processor_seconds([compiler, "check", str(source)]) for _ in range(3))
    peer = min(processor_seconds([sys.executable, "-c", "import ast, sys; "
                                  "ast.parse(open(sys.argv[1]).read())", str(source)])
               for _ in range(3))
    print("check 100,000 lines in one file, processor time")
    print(f"  check         {spent:6.2f} s")
    print(f"  ast.parse     {peer:6.2f} s  (it only reads them)")
    print(f"  ratio         {spent / peer:6.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, default=ROOT / "build/release/pychoralc")
    parser.add_argument("--parser", type=Path, default=ROOT / "build/release/bench_parse")
    options = parser.parse_args()
    compiler = str(options.compiler.resolve())
    with tempfile.TemporaryDirectory(prefix="pychoral-bench-") as name:
        folder = Path(name)
        bench_parse(str(options.parser.resolve()))
        bench_compile(compiler, folder)
        # A process of its own: the memory of a child is never less than that of who starts it.
        subprocess.run([sys.executable, ROOT / "tests/bench/growth.py", "--compiler", compiler],
                       check=True)
        bench_long(compiler, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
