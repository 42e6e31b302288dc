"""How the compiler's work grows with the size of a program: time on the processor and memory.

Each family is a program of N parts, compiled at N, 2N, ..; `make bench` prints each ratio, and the
one wanted. Never fails because something is slow.
"""

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5
WANTED = 2.3

LABELS = """\
from enum import Enum

from pychoral import At, Ch2, Channel


class Way(Enum):
    L = 1
    R = 2


"""
HEAD = "def main(ch: Channel[object, A, B], a: At[int, A] = 1) -> None:\n"


def messages(n: int) -> str:
    return LABELS + HEAD + "".join(f"    b{i}: At[int, B] = ch.com(a)\n" for i in range(n))


def roles(n: int) -> str:
    channels = ", ".join(f"c{i}: Channel[int, R{i}, R{i + 1}]" for i in range(n - 1))
    body = "".join(f"    x{i + 1}: At[int, R{i + 1}] = c{i}.com(x{i})\n" for i in range(n - 1))
    return (LABELS + f"def main({channels}, x0: At[int, R0] = 1) -> At[int, R{n - 1}]:\n{body}"
            f"    return x{n - 1}\n")


def mesh(n: int) -> str:
    ends = [(i, j) for i in range(n) for j in range(i + 1, n)]
    channels = ", ".join(f"c{i}_{j}: Channel[int, R{i}, R{j}]" for i, j in ends)
    there = "".join(f"    y{k} = c{i}_{j}.com({k}@R{i})\n" for k, (i, j) in enumerate(ends))
    back = "".join(f"    z{k} = c{i}_{j}.com(y{k})\n" for k, (i, j) in enumerate(ends))
    return LABELS + f"def main({channels}) -> None:\n{there}{back}"


def choices(n: int) -> str:
    """One after the other, told to B, who tells C."""
    one = ("    if a > {0}:\n        ch.select(Way.L@A)\n        d.com(1@B)\n"
           "    else:\n        ch.select(Way.R@A)\n        d.com(2@B)\n")
    head = HEAD.replace("a: At", "d: Channel[int, B, C], a: At")
    return LABELS + head + "".join(one.format(i) for i in range(n))


def nested(n: int, depth: int = 50) -> str:
    """Choices in choices, told to B in every arm, then messages one after the other."""
    lines = []
    for level in range(depth):
        indent = "    " * (level + 1)
        lines += [f"{indent}if a > {level}:", f"{indent}    ch.select(Way.L@A)"]
    lines.append("    " * (depth + 1) + "ch.com(a)")
    for level in reversed(range(depth)):
        indent = "    " * (level + 1)
        lines += [f"{indent}else:", f"{indent}    ch.select(Way.R@A)", f"{indent}    ch.com(a)"]
    lines += [f"    x{i} = ch.com(a + {i})" for i in range(n)]
    return LABELS + HEAD + "\n".join(lines) + "\n"


def labels(n: int) -> str:
    more = "".join(f"    M{i} = {i + 3}\n" for i in range(n))
    return LABELS.replace("    R = 2\n", "    R = 2\n" + more)


def elifs(n: int) -> str:
    arms = "".join(f"    {'el' if i else ''}if a == {i}:\n        ch.select(Way.M{i}@A)\n"
                   f"        print(ch.com(a), {i})\n" for i in range(n))
    return labels(n) + HEAD + arms + "    else:\n        ch.select(Way.L@A)\n"


def matches(n: int) -> str:
    arms = "".join(f"        case {i}:\n            ch.select(Way.M{i}@A)\n"
                   f"            print(ch.com(a), {i})\n" for i in range(n))
    last = "        case _:\n            ch.select(Way.L@A)\n"
    return labels(n) + HEAD + "    match a:\n" + arms + last


ROLE_CLASS = """\
class K0(Ch2[X, Y]):
    def __init__(self, ch: Channel[object, X, Y]) -> None:
        self.ch = ch

    def m(self, a: At[int, X]) -> At[int, Y]:
        return self.ch.com(a)


"""


def classes(n: int) -> str:
    text = "".join(ROLE_CLASS.replace("K0", f"K{i}") for i in range(n))
    return LABELS + text + HEAD + "".join(f"    print(K{i}[A, B](ch).m(a))\n" for i in range(n))


def local_classes(n: int) -> str:
    one = ("class K{0}:\n    def __init__(self, x: int) -> None:\n        self.x = x\n\n"
           "    def m(self) -> int:\n        return self.x + {0}\n\n\n")
    calls = "".join(f"    print(K{i}(a).m())\n" for i in range(n))
    return LABELS + "".join(one.format(i) for i in range(n)) + HEAD + calls + "    ch.com(a)\n"


def inherit(n: int) -> str:
    one = ("class K{0}(K{1}[X, Y]):\n    def m(self, a: At[int, X]) -> At[int, Y]:\n"
           "        return super().m(a + 1)\n\n\n")
    text = "".join(one.format(i, i - 1) for i in range(1, n))
    return LABELS + ROLE_CLASS + text + HEAD + f"    print(K{n - 1}[A, B](ch).m(a))\n"


def functions(n: int) -> str:
    """A chain: each calls the next."""
    text = "".join(f"def f{i}(ch: Channel[object, X, Y], a: At[int, X]) -> At[int, Y]:\n"
                   f"    return {f'f{i + 1}(ch, a)' if i < n - 1 else 'ch.com(a)'}\n\n\n"
                   for i in range(n))
    return LABELS + text + HEAD + "    print(f0(ch, a))\n"


def table(n: int) -> str:
    return (LABELS + f"T = [{', '.join(map(str, range(n)))}]\n\n\n" + HEAD +
            "    print(ch.com(T[3]@A))\n")


class Family(NamedTuple):
    title: str
    make: Callable[[int], str]
    sizes: list[int]
    target: str = "check"
    wanted: float = WANTED


# The programs of N roles have N parameters each, and a mesh of twice the roles four times the
# channels: what is written grows four and eight times.
FAMILIES = [
    Family("N messages", messages, [2500, 5000, 10000]),
    Family("a chain of N functions", functions, [500, 1000, 2000]),
    Family("N told choices in a row", choices, [500, 1000, 2000]),
    Family("50 nested choices, N messages", nested, [2500, 5000, 10000]),
    Family("N told arms: elif", elifs, [200, 400, 800]),
    Family("N told arms: match", matches, [400, 800]),
    Family("N classes of two roles", classes, [500, 1000, 2000]),
    Family("N classes of one role", local_classes, [500, 1000, 2000]),
    Family("N classes, each from the last", inherit, [100, 200, 400]),
    Family("a table of N numbers", table, [4000, 8000, 16000], "c"),
    Family("N roles", roles, [100, 200, 400], "check", 4.0),
    Family("N roles", roles, [100, 200, 400], "python", 4.0),
    Family("N roles", roles, [100, 200, 400], "c", 4.0),
    Family("a mesh of N roles", mesh, [25, 50], "python", 8.0),
    Family("a mesh of N roles", mesh, [25, 50], "c", 8.0),
]


def measure(command: list[str]) -> tuple[float, float]:
    """Seconds on the processor, and megabytes, of one run."""
    process = os.posix_spawnp(command[0], command, os.environ)
    _, status, used = os.wait4(process, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)}: status {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure_in_turn(commands: list[list[str]]) -> list[tuple[float, float]]:
    """The least of each over some rounds. Every round runs all the commands, so that what
    else the machine does in one moment does not meet one size alone."""
    rounds = [[measure(command) for command in commands] for _ in range(ROUNDS)]
    return [(min(s for s, _ in runs), min(m for _, m in runs)) for runs in zip(*rounds)]


def command_of(compiler: str, folder: Path, family: Family, size: int) -> list[str]:
    """The command that compiles this family's program of this size, which it writes."""
    source = folder / f"growth{size}.pyc"
    source.write_text(family.make(size))
    if family.target == "check":
        return [compiler, "check", str(source)]
    return [compiler, "build", str(source), "-o", str(folder / f"{family.target}{size}"),
            "--quiet", "--force", "--no-runtime", f"--target={family.target}"]


def bench_family(compiler: str, folder: Path, family: Family) -> None:
    print(f"{family.title}, {family.target} (at most {family.wanted:.1f} times for twice the size)",
          flush=True)
    found = measure_in_turn([command_of(compiler, folder, family, n) for n in family.sizes])
    before: tuple[float, float] | None = None
    for size, now in zip(family.sizes, found):
        ratio = ""
        if before:
            ratio = f"   x {now[0] / before[0]:.2f}, memory x {now[1] / before[1]:.2f}"
        print(f"  {size:6}  {now[0] * 1000:8.1f} ms {now[1]:7.1f} MB{ratio}", flush=True)
        before = now


def bench_all(compiler: str, only: str = "") -> None:
    with tempfile.TemporaryDirectory(prefix="pychoral-growth-") as name:
        for family in FAMILIES:
            if only in family.title:
                bench_family(compiler, Path(name), family)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, default=ROOT / "build/release/pychoralc")
    parser.add_argument("--only", default="", help="families with this in their title")
    options = parser.parse_args()
    bench_all(str(options.compiler.resolve()), options.only)
