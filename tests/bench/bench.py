"""Benchmarks: ratios against a peer measured in the same run, and growth with size.

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
from collections.abc import Callable
from pathlib import Path

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


def chain_program(messages: int) -> str:
    body = "".join(f"    b{i}: At[int, B] = ch.com(a)\n" for i in range(messages))
    return ("from pychoral import At, Channel\n\n\n"
            "def main(ch: Channel[int, A, B], a: At[int, A]) -> None:\n" + body)


def ring_program(roles: int) -> str:
    names = [f"R{i}" for i in range(roles)]
    channels = ", ".join(f"c{i}: Channel[int, {names[i]}, {names[i + 1]}]"
                         for i in range(roles - 1))
    body = "".join(f"    x{i + 1}: At[int, R{i + 1}] = c{i}.com(x{i})\n" for i in range(roles - 1))
    return ("from pychoral import At, Channel\n\n\n"
            f"def main({channels}, x0: At[int, R0]) -> At[int, R{roles - 1}]:\n{body}"
            f"    return x{roles - 1}\n")


LABELS = """\
from enum import Enum

from pychoral import At, Channel


class Way(Enum):
    L = 1
    R = 2


"""
HEAD = "def main(ch: Channel[object, A, B], a: At[int, A] = 1) -> None:\n"


def told_arms_program(arms: int) -> str:
    labels = "".join(f"    M{i} = {i + 3}\n" for i in range(arms))
    body = "".join(f"    {'el' if i else ''}if a == {i}:\n        ch.select(Way.M{i}@A)\n"
                   f"        print(ch.com(a), {i})\n" for i in range(arms))
    return (LABELS.replace("    R = 2\n", "    R = 2\n" + labels) + HEAD + body +
            "    else:\n        ch.select(Way.L@A)\n")


def classes_program(classes: int) -> str:
    text = "from pychoral import At, Ch2, Channel\n\n\n" + "".join(
        f"class K{i}(Ch2[X, Y]):\n    def __init__(self, ch: Channel[object, X, Y]) -> None:\n"
        "        self.ch = ch\n\n    def m(self, a: At[int, X]) -> At[int, Y]:\n"
        "        return self.ch.com(a)\n\n\n" for i in range(classes))
    return text + HEAD + "".join(f"    print(K{i}[A, B](ch).m(a))\n" for i in range(classes))


def nested_program(statements: int, depth: int = 50) -> str:
    """Choices in choices, told to B in every arm, then messages one after the other."""
    lines = []
    for level in range(depth):
        indent = "    " * (level + 1)
        lines += [f"{indent}if a > {level}:", f"{indent}    ch.select(Way.L@A)"]
    lines.append("    " * (depth + 1) + "ch.com(a)")
    for level in reversed(range(depth)):
        indent = "    " * (level + 1)
        lines += [f"{indent}else:", f"{indent}    ch.select(Way.R@A)", f"{indent}    ch.com(a)"]
    lines += [f"    x{i} = ch.com(a + {i})" for i in range(statements)]
    return LABELS + HEAD + "\n".join(lines) + "\n"


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


def bench_growth(compiler: str, folder: Path, title: str, make: Callable[[int], str],
                 sizes: list[int]) -> None:
    measured = []
    for size in sizes:
        source = folder / f"growth{size}.pyc"
        source.write_text(make(size))
        command = [compiler, "build", str(source), "-o", str(folder / f"growth{size}"), "--quiet",
                   "--no-runtime"]
        measured.append(min(processor_seconds(command) for _ in range(5)))
    print(f"{title}, processor time")
    for size, spent in zip(sizes, measured):
        print(f"  {size:6}  {spent * 1000:8.1f} ms   {spent / size * 1e6:8.1f} us each")
    ratio = measured[-1] / measured[-2]
    print(f"  {sizes[-1] // sizes[-2]} times the size takes {ratio:.1f} times as long")


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
        bench_growth(compiler, folder, "a choreography of N messages", chain_program,
                     [2500, 5000, 10000])
        bench_growth(compiler, folder, "N roles: N programs with N parameters each", ring_program,
                     [50, 100, 200])
        bench_growth(compiler, folder, "50 nested choices and N messages", nested_program,
                     [2500, 5000, 10000])
        bench_growth(compiler, folder, "a chain of N told choices", told_arms_program,
                     [200, 400, 800])
        bench_growth(compiler, folder, "N classes of two roles", classes_program, [250, 500, 1000])
        bench_long(compiler, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
