#!/usr/bin/env python3
"""Derivatives that are broken on purpose, one row of partial.def after the other.

    tests/mutants/partials.py --compiler PATH --build FOLDER

`check-partial` must notice each partial that is 1 % too large, and each 0 that is 1. A compiler in
which all rows are 1 % too large must fail `grad --check` on a function of that row alone, on which
the right compiler passes. The second is not asked of rows that answer ints, through which nothing
flows, and of functions that this Python does not have.
"""

import argparse
import ast
import dataclasses
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/grad"))
import partial  # noqa: E402
import partial_table  # noqa: E402

OPERATORS = {"add": "a + b", "sub": "a - b", "mul": "a * b", "truediv": "a / b", "mod": "a % b",
             "pow": "a ** b", "neg": "-a", "pos": "+a"}


def broken(text: str) -> str:
    return "1.0" if text == "0" else f"({text}) * 1.01"


def unnoticed(helpers: dict[str, object]) -> list[str]:
    faults = []
    golden = partial.read_golden()
    for row in partial_table.read_rows():
        if row.kind not in ("PARTIAL", "EACH"):
            continue
        for i, text in enumerate(row.texts):
            texts = (*row.texts[:i], broken(text), *row.texts[i + 1:])
            numbers = golden[row.name, partial_table.arity(row)]
            if not partial.judge(dataclasses.replace(row, texts=texts), numbers, helpers):
                faults.append(f"check-partial does not notice {row.name}: {texts}")
    return faults


def program(row: partial_table.Row) -> str:
    """A function of the row alone; empty: there is none."""
    n = partial_table.arity(row)
    name = row.name.removeprefix("float.").strip("_")
    known = row.name in partial_table.VALUES or hasattr(math, row.name.removeprefix("math."))
    missing = row.name.startswith("math.") and not hasattr(math, row.name[5:])
    if all(text == "0" for text in row.texts) or not known or missing:
        return ""
    whole = row.name == "math.ldexp"
    params = [f"{p}: {'int' if whole and p == 'b' else 'float'}" for p in "abc"[:n]]
    names = ", ".join("abc"[:n])
    call = OPERATORS[name] if row.name.startswith("float.") else f"{row.name}({names})"
    if row.name in ("sum", "math.fsum"):
        call = f"{row.name}([{names}])"
    return f"import math\n\n\ndef f({', '.join(params)}) -> float:\n    return {call}\n"


def broken_compiler(folder: Path) -> Path:
    """A copy of the sources with another table."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
    table = folder / partial_table.TABLE.relative_to(ROOT)

    def worse(match: re.Match[str]) -> str:
        name, *texts = ast.literal_eval(match[2])
        worsened = [text if text == "0" else broken(text) for text in texts]
        return f"{match[1]}({', '.join(f'{chr(34)}{t}{chr(34)}' for t in (name, *worsened))})"

    text = table.read_text(encoding="utf-8")
    table.write_text(re.sub(r"^(PARTIAL|EACH)(\(.*?\))$", worse, text,
                            flags=re.MULTILINE | re.DOTALL), encoding="utf-8")
    done = subprocess.run(["make", "-s", "-C", str(folder), "build/release/pychoralc"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    return folder / "build/release/pychoralc"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    options = parser.parse_args()
    rows = partial_table.read_rows()
    helpers: dict[str, object] = {"math": math}
    for row in rows:
        if row.kind == "HELPER":
            exec(row.texts[0], helpers)
    faults = unnoticed(helpers)
    judged = [row for row in rows if row.kind in ("PARTIAL", "EACH")]
    compilers = {options.compiler.resolve(): 0, broken_compiler(options.build.resolve()): 1}
    asked = 0
    with tempfile.TemporaryDirectory(prefix="pychoral-partials-") as name:
        for row in judged:
            path = Path(name) / "program.py"
            path.write_text(program(row), encoding="utf-8")
            for compiler, wanted in compilers.items() if program(row) else ():
                done = subprocess.run([str(compiler), "grad", f"{path}:f", "--check"],
                                      capture_output=True, text=True)
                asked += wanted
                if done.returncode != wanted:
                    faults.append(f"{row.name}: grad --check ends {done.returncode} and not "
                                  f"{wanted}: {done.stdout}{done.stderr}")
    for fault in faults:
        print(fault)
    partials = sum(len(row.texts) for row in judged)
    print(f"{partials} partials of {len(judged)} rows broken; {asked} also under grad --check")
    print(f"partials: {len(judged) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
