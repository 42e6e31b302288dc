"""Makes a failing program small: removes and simplifies parts while it fails in the same way.

What is left is written with the marks of a regression test, as the central run sees it.
"""

import ast
import copy
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from judge import TYPING, Judge, Verdict, run_central
from runner import typing_check
from runner.compiler import Compiler

MAX_SECONDS = 10.0


def keep(compiler: Compiler, seed: int, verdict: Verdict, source: str, folder: Path,
         smaller: bool) -> None:
    """Writes the program to the folder; made small, if `smaller`."""
    if not source:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pychoral-shrink-") as name:
        shrinker = Shrinker(compiler, Path(name), seed, verdict)
        small = shrinker.shrink(source) if smaller else source
        kind = verdict.kind.replace(" ", "_")
        (folder / f"fuzz_{seed}_{kind}.pyc").write_text(shrinker.marked(small), encoding="utf-8")
        shrinker.judge.close()
        (folder / f"fuzz_{seed}_{kind}.txt").write_text(f"{verdict.kind}\n{verdict.text}\n",
                                                        encoding="utf-8")


class Shrinker:
    def __init__(self, compiler: Compiler, folder: Path, seed: int, verdict: Verdict) -> None:
        self.judge = Judge(compiler, folder)
        self.seed = seed
        self.verdict = verdict
        self.deadline = time.monotonic() + MAX_SECONDS
        self.number = 0

    def shrink(self, source: str) -> str:
        """Tries parts from large to small, again and again while something goes."""
        best, changed = source, True
        while changed and time.monotonic() < self.deadline:
            changed = False
            position = 0
            while time.monotonic() < self.deadline:
                tried = variant(best, position)
                if tried is None:
                    break
                if len(tried) < len(best) and self.fails_alike(tried):
                    best, changed = tried, True
                else:
                    position += 1
        return best

    def fails_alike(self, source: str) -> bool:
        self.number += 1
        path = self.judge.folder / f"small_{self.number}.pyc"
        path.write_text(source, encoding="utf-8")
        if self.verdict.kind == "mypy":
            return self.judge.compile(path) is None and \
                message_of(self.verdict.text) in message_of("\n".join(self._mypy(path)))
        found = self.judge.judge(path, self.seed, typed=self.verdict.kind.endswith(
            ("TypeError", "AttributeError")))
        return found.kind == self.verdict.kind and \
            (found.kind != "judge" or found.text.split(":")[0] == self.verdict.text.split(":")[0])

    def _mypy(self, path: Path) -> list[str]:
        names = [path.stem, self.judge.central(path).parent.name]
        found = typing_check.check_programs(self.judge.folder / "build", names, *TYPING)
        return [line for lines in found.values() for line in lines]

    def marked(self, source: str) -> str:
        """With the lines that the central run prints, if there is one."""
        path = self.judge.folder / "kept.pyc"
        text = f'"""Found by the fuzzer, seed {self.seed}: {self.verdict.kind}."""\n{source}'
        path.write_text(text, encoding="utf-8")
        if self.judge.compile(path) is not None:
            return text
        try:
            ending = run_central(self.judge.central(path))
        except Exception:       # the module itself fails, or is a library
            return text
        marks = [f"#> {role}: {line}\n" for role in sorted(ending.lines)
                 for line in ending.lines[role][:50]]
        marks += [f"#@ exit {role}: {status}\n" for role, status in ending.status.items()]
        return text + "".join(marks)


def message_of(text: str) -> str:
    """The code of the first mypy error."""
    first = next((line for line in text.splitlines() if "error:" in line), "")
    return first[first.rfind("["):] if "[" in first else first


# ---- variants of a program ----

def variant(source: str, position: int) -> str | None:
    """The program with the change of a number; None if there are no more."""
    tree = ast.parse(source)
    for i, change in enumerate(changes(tree)):
        if i == position:
            change()
            try:
                return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            except (ValueError, AttributeError):
                return source
    return None


class Change:
    """Replaces a slice of a list, or a field."""

    def __init__(self, owner: object, name: str, value: object) -> None:
        self.owner, self.name, self.value = owner, name, value

    def __call__(self) -> None:
        setattr(self.owner, self.name, self.value)


def changes(tree: ast.Module) -> Iterator[Change]:
    """Every way to make the tree smaller by one step: statements before expressions."""
    nodes = list(ast.walk(tree))
    for node in nodes:
        for name in ("body", "orelse", "finalbody", "handlers", "cases", "decorator_list"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield from _of_block(node, name, block)
    for node in nodes:
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                yield from _of_expression(node, name, value)
            elif isinstance(value, list) and len(value) > 1 and isinstance(value[0], ast.expr):
                for i in range(len(value)):
                    yield Change(node, name, value[:i] + value[i + 1:])
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            for i in range(len(node.args.args)):
                yield Change(node.args, "args", node.args.args[:i] + node.args.args[i + 1:])


def _of_block(node: ast.AST, name: str, block: list[ast.AST]) -> Iterator[Change]:
    half = len(block) // 2
    empty = [ast.Pass()] if name == "body" and not isinstance(node, ast.Module) else []
    if half > 1:
        yield Change(node, name, block[half:])
        yield Change(node, name, block[:half])
    for i, each in enumerate(block):
        rest = block[:i] + block[i + 1:]
        if rest or not isinstance(each, ast.Pass):
            yield Change(node, name, rest or empty)
        for part in ("body", "orelse", "finalbody"):
            inner = getattr(each, part, None)
            if isinstance(inner, list) and isinstance(each, (ast.If, ast.For, ast.While, ast.Try,
                                                             ast.With)):
                yield Change(node, name, block[:i] + copy.copy(inner) + block[i + 1:] or empty)


def _of_expression(node: ast.AST, name: str, value: ast.expr) -> Iterator[Change]:
    """One of its parts in its place, or a number."""
    for part in ast.iter_child_nodes(value):
        if isinstance(part, ast.expr):
            yield Change(node, name, part)
    if not isinstance(value, (ast.Constant, ast.Name)):
        yield Change(node, name, ast.Constant(1))
