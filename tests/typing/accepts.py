"""make check-typing: what mypy takes, the checker takes, as one role's code and in a choreography.

    tests/typing/accepts.py --compiler PROGRAM [--show] [FILE.py ...]

The files are those of mypy itself, which keeps its own `--strict` rules. Each is checked as it is:
what is reported there is a false alarm, or a module that is not found. Then every function of the
module whose signature is annotated is written again as a choreography of one role, with `At[T, R_]`
for each T: what is reported only there is a rule of choreographies (docs/language.md: no module
state, no `global`, `assert False` needs a role) or a false alarm. The test fails when more than the
few per cent below are refused; `--show` lists what was reported.
"""

import argparse
import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LOCAL_PERCENT = 5.2         # of the files: 10 of 195, six of which run code or replace `__dict__`
LOCATED_PERCENT = 5.0       # of the functions
ROLE = "R_"
REPORTED = re.compile(r"(?P<file>.*?):(?P<line>\d+):\d+: error\[(?P<code>E\d{4})\]: (?P<text>.*)")
# What a choreography may not be, or may not have in it.
OTHER = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom,
         ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass
class Tally:
    files: int = 0
    functions: int = 0
    local: list[str] = field(default_factory=list)          # files with a report
    located: set[tuple[str, str]] = field(default_factory=set)      # functions with one
    shown: list[str] = field(default_factory=list)


def corpus() -> list[Path]:
    import mypy

    folder = Path(mypy.__file__ or "").parent
    return sorted([*folder.glob("*.py"), *folder.parent.glob("mypyc/*/*.py")])


def located(annotation: ast.expr) -> ast.expr:
    return ast.parse(f"At[{ast.unparse(annotation)}, {ROLE}]", mode="eval").body


def parameters(function: ast.FunctionDef) -> list[ast.arg]:
    args = function.args
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def is_plain(function: ast.FunctionDef) -> bool:
    """Whether it can be a choreography if its signature has roles."""
    args = function.args
    annotated = function.returns is not None and all(arg.annotation for arg in parameters(function))
    inner = any(isinstance(node, OTHER) for node in ast.walk(function) if node is not function)
    return (annotated and bool(parameters(function)) and not inner and not function.decorator_list
            and args.vararg is None and args.kwarg is None
            and ast.unparse(function.returns or function) != "NoReturn")


def choreography(function: ast.FunctionDef) -> str:
    """The function with roles, under another name."""
    for arg in parameters(function):
        arg.annotation = located(arg.annotation or ast.Constant(None))
    if function.returns is not None and ast.unparse(function.returns) != "None":
        function.returns = located(function.returns)
    for node in ast.walk(function):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            node.annotation = located(node.annotation)
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        function.body = function.body[1:] or [ast.Pass()]
    function.name += "__located"
    return ast.unparse(function)


def reports(compiler: Path, path: Path) -> Iterator[tuple[int, str]]:
    done = subprocess.run(
        [compiler, "check", path, "--entry", "main__", "--max-errors=0", "--error-format=short"],
        capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{path}: exit status {done.returncode}\n{done.stderr}")
    for line in (done.stdout + done.stderr).splitlines():
        match = REPORTED.match(line)
        if match:
            yield int(match["line"]), f"{match['code']} {match['text']}"


def judge(compiler: Path, file: Path, folder: Path, tally: Tally) -> None:
    source = file.read_text(encoding="utf-8")
    functions = [each for each in ast.parse(source).body
                 if isinstance(each, ast.FunctionDef) and is_plain(each)]
    text = source + "\n\nfrom pychoral import At, Channel\n\n"
    starts = []
    for function in functions:
        starts.append((text.count("\n") + 1, function.name))
        text += choreography(function) + "\n\n"
    starts.append((text.count("\n") + 1, "main__"))
    text += f"def main__(ch: Channel[int, {ROLE}, S_]) -> None:\n    ch.com(3@{ROLE})\n"
    path = folder / f"{file.stem}.pyc"
    path.write_text(text, encoding="utf-8")
    tally.files += 1
    tally.functions += len(functions)
    for line, what in reports(compiler, path):
        name = next((name for start, name in reversed(starts) if start <= line), "")
        tally.shown.append(f"{file.name}: {name or f'line {line}'}: {what}")
        if name:
            tally.located.add((str(file), name))
        elif str(file) not in tally.local:
            tally.local.append(str(file))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="what was reported")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="pychoral-typing-") as folder:
        for file in options.files or corpus():
            judge(options.compiler.resolve(), file, Path(folder), tally)
    if options.show:
        print("\n".join(tally.shown))
    failed = 0
    for name, bad, of, most in [("files", len(tally.local), tally.files, LOCAL_PERCENT),
                                ("functions", len(tally.located), tally.functions,
                                 LOCATED_PERCENT)]:
        percent = 100 * bad / max(of, 1)
        failed += percent > most
        print(f"{bad} of {of} {name} refused, {percent:.1f} % (at most {most:g} %)")
    print(f"{2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
