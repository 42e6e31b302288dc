"""`tests/run --new`: writes the marks of a program as the compiler sees it, for review."""

import sys
import tempfile
from pathlib import Path

from runner import execute
from runner.compiler import Compiler, Diagnostic
from runner.marks import Test, read_test


def write_marks(compiler: Compiler, command: str, files: list[Path], quiet: bool = False) -> int:
    for path in files:
        test = read_test(path, command)
        if command == "check" or compiler.check(path).status != 0:
            _mark_diagnostics(path, compiler.check(path).diagnostics)
        else:
            _mark_outputs(path, _outputs(compiler, test))
        if not quiet:
            print(f"{path}: marks written; read them before you commit")
    return 0


def _mark_diagnostics(path: Path, found: list[Diagnostic]) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    for diagnostic in found:
        lines[diagnostic.line - 1] += f"  #! {diagnostic.code} {diagnostic.text}"
    path.write_text("\n".join(lines), encoding="utf-8")


def _outputs(compiler: Compiler, test: Test) -> dict[str, list[str]]:
    """What each role prints in the central run."""
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "central.py"
        compiler.erase(test.source, program)
        command = [sys.executable, str(program), *execute.arguments(test, Path(name))]
        return execute.ending_of(execute.run(command, test, Path(name)).stdout).lines


def _mark_outputs(path: Path, outputs: dict[str, list[str]]) -> None:
    marks = [f"#> {role}: {text}\n" for role in sorted(outputs) for text in outputs[role]]
    with path.open("a", encoding="utf-8") as file:
        file.writelines(marks)
