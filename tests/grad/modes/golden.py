#!/usr/bin/env python3
"""The texts that the seven transformations print for the worked examples, up to names.

golden.txt: a line `# MODE PROGRAM`, then what is printed for that function of programs.py. Names are
compared by what they are bound to: each binder counts from the one before it in its function.
"""

import argparse
import ast
import re
import sys
from pathlib import Path

from judge import Judge

HERE = Path(__file__).resolve().parent


class Canonical:
    """Gives each binding of a name a number, scope by scope."""

    def __init__(self) -> None:
        self.count = 0
        self.scopes: list[dict[str, str]] = []

    def bind(self, name: str) -> str:
        self.count += 1
        self.scopes[-1][name] = f"v{self.count}"
        return self.scopes[-1][name]

    def look(self, name: str) -> str:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return name

    def function(self, node: ast.FunctionDef | ast.Lambda) -> None:
        self.scopes.append({})
        for arg in node.args.args:
            arg.arg = self.bind(arg.arg)
        if isinstance(node, ast.Lambda):
            self.visit(node.body)
        else:
            for statement in node.body:
                self.visit(statement)
        self.scopes.pop()

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef):
            node.name = self.bind(node.name)
            self.function(node)
        elif isinstance(node, ast.Lambda):
            self.function(node)
        elif isinstance(node, ast.Assign):
            self.visit(node.value)
            for target in node.targets:
                self.visit(target)
        elif isinstance(node, ast.Name):
            stored = isinstance(node.ctx, ast.Store)
            node.id = self.bind(node.id) if stored else self.look(node.id)
        elif isinstance(node, ast.MatchAs) and node.name is not None:
            node.name = self.bind(node.name)
        else:
            for child in ast.iter_child_nodes(node):
                self.visit(child)


def canonical(text: str) -> str:
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = Canonical()
    names.scopes.append({})
    for node in tree.body:
        names.visit(node)
    return ast.unparse(tree)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--terms", default="build/release/terms")
    options = parser.parse_args()
    parts = re.split(r"^# (\S+) (\S+)\n", (HERE / "golden.txt").read_text(), flags=re.MULTILINE)
    judge = Judge(options.terms, HERE / "programs.py")
    for mode, name, wanted in zip(parts[1::3], parts[2::3], parts[3::3]):
        function = "straight" if name == "small" else name
        got = judge.transformed(mode, function)
        if canonical(got) != canonical(wanted):
            judge.faults.append(f"{name} in {mode}: golden.txt says\n{canonical(wanted)}\n"
                                f"printed is\n{canonical(got)}")
    for fault in judge.faults:
        print(fault)
    print(f"golden: {len(parts) // 3} texts, {len(judge.faults)} faults")
    return 1 if judge.faults or len(parts) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
