"""Random choreographies: what the compiler accepts does projected what it does centrally.

    tests/fuzz/generate.py [--count N] [--seed S] [--keep FOLDER]

Programs are well-typed by construction: every expression is made at a role, from what that role
has. In one of eight a selection is left out: the compiler must refuse that program with an E06
error, or, if the selection made no difference, run it like the others. Programs that fail are kept.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from multiprocessing.pool import ThreadPool
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True

from runner import new, pool, typing_check                      # noqa: E402
from runner.compiler import Compiler                            # noqa: E402
from runner.execute import Result                               # noqa: E402
from runner.marks import Test, read_test                        # noqa: E402

ROLES = ("A", "B", "C")
CHANNELS = {frozenset("AB"): "ab", frozenset("BC"): "bc", frozenset("AC"): "ca"}
MAX_DEPTH = 3

PRELUDE = '''from enum import Enum

from pychoral import At, Ch2, Channel


class Way(Enum):
    L = 1
    R = 2


def mix(x: int, y: int) -> int:
    return (x * 31 + y) % 1009


def ask(ch: Channel[int, X, Y], x: At[int, X], y: At[int, Y]) -> At[int, X]:
    got: At[int, Y] = ch.com(x)
    print("asked", got)
    return ch.com(mix(got, y))


def rounds(ch: Channel[int, X, Y], n: At[int, X], total: At[int, Y]) -> At[int, Y]:
    if n > 0:
        ch.select(Way.L@X)
        return rounds(ch, n - 1, total + ch.com(n))
    else:
        ch.select(Way.R@X)
        print("rounds", total)
        return total


class Pair(Ch2[X, Y]):
    def __init__(self, ch: Channel[int, X, Y], left: At[int, X]) -> None:
        self.ch = ch
        self.left: At[int, X] = left
        self.right: At[list[int], Y] = [0]

    def push(self, x: At[int, X]) -> At[int, Y]:
        self.left += x
        self.right.append(self.ch.com(self.left))
        return len(self.right)


'''


@dataclass
class Scope:
    """What the statements of a block may use: variables by role, and the roles that may act."""

    roles: tuple[str, ...]
    ints: dict[str, list[str]]
    lists: dict[str, list[str]]
    pairs: list[tuple[str, str, str]] = field(default_factory=list)     # name, left, right
    pure: bool = False          # inside a place that may not communicate

    def inner(self, roles: tuple[str, ...]) -> "Scope":
        return Scope(roles, {r: list(v) for r, v in self.ints.items()},
                     {r: list(v) for r, v in self.lists.items()}, list(self.pairs))


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.names = 0
        self.forgetful = self.random.randrange(8) == 0      # leaves one selection out

    def program(self) -> str:
        scope = Scope(ROLES, {r: [] for r in ROLES}, {r: [] for r in ROLES})
        for role in ROLES:
            self.declare(scope, role, 1)
        self.block(scope, 1, MAX_DEPTH, self.random.randint(4, 9))
        for role in ROLES:
            self.emit(1, f'print("end", {self.number(scope, role, 2)}, {scope.lists[role][0]})')
        head = ("def main(ab: Channel[int, A, B], bc: Channel[int, B, C], "
                "ca: Channel[int, C, A]) -> None:\n")
        return PRELUDE + head + "\n".join(self.lines) + "\n"

    def emit(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def declare(self, scope: Scope, role: str, indent: int) -> None:
        number, numbers = self.fresh("v"), self.fresh("xs")
        self.emit(indent, f"{number}: At[int, {role}] = {self.random.randint(-3, 9)}")
        self.emit(indent, f"{numbers}: At[list[int], {role}] = [{self.random.randint(0, 9)}, 1]")
        scope.ints[role].append(number)
        scope.lists[role].append(numbers)

    # ---- statements ----

    def block(self, scope: Scope, indent: int, depth: int, length: int) -> None:
        kinds = [self.assign, self.assign, self.show, self.change, self.store, self.call, self.make]
        if depth > 0:
            kinds += [self.choice, self.choice, self.shared_choice]
        for _ in range(length):
            self.random.choice(kinds)(scope, indent, depth)

    def role(self, scope: Scope) -> str:
        return self.random.choice(scope.roles)

    def assign(self, scope: Scope, indent: int, depth: int) -> None:
        role, name = self.role(scope), self.fresh("v")
        self.emit(indent, f"{name}: At[int, {role}] = {self.number(scope, role, 3)}")
        scope.ints[role].append(name)

    def show(self, scope: Scope, indent: int, depth: int) -> None:
        role = self.role(scope)
        self.emit(indent, f'print("{self.fresh("p")}", {self.number(scope, role, 3)}, '
                          f"{self.number(scope, role, 1)})")

    def change(self, scope: Scope, indent: int, depth: int) -> None:
        role = self.role(scope)
        target = self.random.choice([self.random.choice(scope.ints[role]),
                                     f"{self.random.choice(scope.lists[role])}[0]"])
        operator = self.random.choice(["+", "-"])
        self.emit(indent, f"{target} {operator}= {self.number(scope, role, 2)} % 50")

    def store(self, scope: Scope, indent: int, depth: int) -> None:
        role = self.role(scope)
        target = self.random.choice(scope.lists[role])
        value = self.number(scope, role, 2)
        index = f"{self.number(scope, role, 1)} % 2"
        self.emit(indent, self.random.choice([f"{target}.append({value})",
                                              f"{target}[{index}] = {value}"]))

    def two(self, scope: Scope) -> tuple[str, str] | None:
        if len(scope.roles) < 2:
            return None
        first, second = self.random.sample(scope.roles, 2)
        return first, second

    def call(self, scope: Scope, indent: int, depth: int) -> None:
        roles = self.two(scope)
        if roles is None:
            return self.show(scope, indent, depth)
        left, right = roles
        channel, name = CHANNELS[frozenset(roles)], self.fresh("v")
        if self.random.random() < 0.5:
            value = (f"ask({channel}, {self.number(scope, left, 2)}, "
                     f"{self.number(scope, right, 2)})")
            self.emit(indent, f"{name}: At[int, {left}] = {value}")
            scope.ints[left].append(name)
        else:
            value = (f"rounds({channel}, {self.number(scope, left, 1)} % 4, "
                     f"{self.number(scope, right, 2)})")
            self.emit(indent, f"{name}: At[int, {right}] = {value}")
            scope.ints[right].append(name)

    def make(self, scope: Scope, indent: int, depth: int) -> None:
        """An object at two roles, or a call of one's method."""
        usable = [pair for pair in scope.pairs if set(pair[1:]) <= set(scope.roles)]
        roles = self.two(scope)
        if usable and self.random.random() < 0.7:
            name, left, right = self.random.choice(usable)
            self.emit(indent, f"print({name}.push({self.number(scope, left, 2)}))")
        elif roles is not None:
            name = self.fresh("pair")
            channel, left = CHANNELS[frozenset(roles)], self.number(scope, roles[0], 2)
            self.emit(indent, f"{name} = Pair[{roles[0]}, {roles[1]}]({channel}, {left})")
            scope.pairs.append((name, *roles))

    def choice(self, scope: Scope, indent: int, depth: int) -> None:
        """A decider, and the roles that act in the arms: each is told by one that knows already."""
        decider = self.role(scope)
        acting = (decider, *(r for r in scope.roles if r != decider and self.random.random() < 0.6))
        tellers = self.telling(list(acting))
        self.emit(indent, f"if {self.condition(scope, decider)}:")
        for label in ("L", "R"):
            if label == "R":
                self.emit(indent, "else:")
            for teller, told in tellers:
                self.emit(indent + 1, f"{CHANNELS[frozenset(teller + told)]}"
                                      f".select(Way.{label}@{teller})")
            self.emit(indent + 1, f'print("{self.fresh("arm")}"@{decider})')
            self.block(scope.inner(acting), indent + 1, depth - 1, self.random.randint(0, 3))

    def telling(self, acting: list[str]) -> list[tuple[str, str]]:
        knows, tellers = acting[:1], []
        for told in acting[1:]:
            tellers.append((self.random.choice(knows), told))
            knows.append(told)
        if self.forgetful and tellers:
            tellers.pop(self.random.randrange(len(tellers)))
            self.forgetful = False
        return tellers

    def shared_choice(self, scope: Scope, indent: int, depth: int) -> None:
        """A replicated condition: those that hold it branch without a message."""
        roles = self.two(scope)
        if roles is None:
            return
        name = self.fresh("k")
        self.emit(indent, f"{name}: At[int, {', '.join(roles)}] = {self.random.randint(0, 9)}")
        self.emit(indent, f"if {name} * 2 > {self.random.randint(0, 18)}:")
        self.block(scope.inner(roles), indent + 1, depth - 1, self.random.randint(1, 3))
        self.emit(indent, "else:")
        self.block(scope.inner(roles), indent + 1, depth - 1, self.random.randint(1, 3))

    # ---- expressions ----

    def number(self, scope: Scope, role: str, depth: int) -> str:
        """An int expression at a role."""
        pick = self.random.randrange(10 if depth > 0 else 2)
        if pick == 0:
            return f"({self.random.randint(0, 20)}@{role})"
        if pick <= 2 or depth <= 0:
            return self.random.choice(scope.ints[role])
        if pick <= 4:
            operator = self.random.choice("+-*")
            return (f"({self.number(scope, role, depth - 1)} {operator} "
                    f"{self.number(scope, role, depth - 1)})")
        if pick == 5:
            return f"len({self.random.choice(scope.lists[role])})"
        if pick == 6:
            return (f"mix({self.number(scope, role, depth - 1)}, "
                    f"{self.number(scope, role, depth - 1)})")
        if pick == 7 or scope.pure or len(scope.roles) < 2:
            return self.conditional(scope, role, depth - 1)
        sender = self.random.choice([r for r in scope.roles if r != role])
        return f"{CHANNELS[frozenset((sender, role))]}.com({self.number(scope, sender, depth - 1)})"

    def conditional(self, scope: Scope, role: str, depth: int) -> str:
        before, scope.pure = scope.pure, True
        text = (f"({self.number(scope, role, depth)} if {self.condition(scope, role)} "
                f"else {self.number(scope, role, depth)})")
        scope.pure = before
        return text

    def condition(self, scope: Scope, role: str) -> str:
        left, right = self.random.choice(scope.ints[role]), self.number(scope, role, 1)
        return f"{left} {self.random.choice(['<', '>', '==', '!='])} {right}"


# ---- running them ----

def write_programs(folder: Path, seed: int, count: int) -> list[Path]:
    paths = []
    for number in range(seed, seed + count):
        path = folder / f"fuzz_{number}.pyc"
        path.write_text(Generator(number).program())
        paths.append(path)
    return paths


def expected(compiler: Compiler, path: Path) -> Test | None:
    """The test of a program, marked with what the central run prints; None if rightly refused."""
    done = compiler.check(path)
    if done.diagnostics and all(d.code.startswith("E06") for d in done.diagnostics):
        generator = Generator(int(path.stem.split("_")[1]))
        forgetful = generator.forgetful
        generator.program()
        if forgetful and not generator.forgetful:
            return None
    if done.status == 0:
        new.write_marks(compiler, "run", [path], quiet=True)
    return read_test(path, "run")


def report(test: Test, complaints: list[str], keep: Path) -> int:
    if not complaints:
        return 0
    keep.mkdir(parents=True, exist_ok=True)
    shutil.copy(test.path, keep)
    print(f"FAILED {keep / test.path.name}")
    for complaint in complaints:
        print("    " + complaint.replace("\n", "\n    "))
    return 1


def run(compiler: Compiler, paths: list[Path], folder: Path, keep: Path) -> tuple[int, int, int]:
    jobs = os.cpu_count() or 2
    with ThreadPool(jobs) as threads:
        tests = threads.map(lambda path: expected(compiler, path), paths)
    accepted = [test for test in tests if test is not None]
    results: list[tuple[Test, Result]] = list(pool.run_all(compiler, accepted, folder, jobs))
    names = [pool.name_of(test) for test, result in results if result.typed]
    typed = typing_check.check_programs(folder / "build", names)
    failed = sum(report(test, result.complaints + typed.get(pool.name_of(test), []), keep)
                 for test, result in results)
    return len(paths) - failed, failed, len(paths) - len(accepted)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz/failed"))
    options = parser.parse_args()
    compiler = Compiler(options.compiler.resolve())
    with tempfile.TemporaryDirectory(prefix="pychoral-fuzz-") as name:
        programs = Path(name) / "programs"
        programs.mkdir()
        paths = write_programs(programs, options.seed, options.count)
        passed, failed, refused = run(compiler, paths, Path(name), options.keep)
    print(f"seeds {options.seed} to {options.seed + options.count - 1}: {refused} refused for the "
          "selection that was left out")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
