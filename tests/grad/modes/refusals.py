#!/usr/bin/env python3
"""Each function of refused.py is refused with the code that it names, and the words after it, and
without a crash."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


# What a term, or Python's own nesting, has no room for.
TOO_LONG = {
    "long": "    x = x * 1.5\n" * 5000,
    "wide": "    y = " + " + ".join(["x"] * 30000) + "\n",
    "deep": "    x = g(x)\n" * 150,
}


def judge_length(terms: str, name: str, body: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.py")
        program.write_text("def g(x: float) -> float:\n    return x\n\n\n"
                           f"def f(x: float) -> float:\n{body}    return x\n")
        done = subprocess.run([terms, "reverse-cps", str(program), "f"],
                              capture_output=True, text=True)
    refused = done.returncode == 1 and "error[E0902]" in done.stderr
    if not refused:
        print(f"{name}: status {done.returncode}\n{done.stderr[:500]}")
    return refused


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--terms", default="build/release/terms")
    options = parser.parse_args()
    program = HERE / "refused.py"
    cases = re.findall(r"^def (\w+).*?# (E\d+)(?:: (.*?))?$", program.read_text(),
                       flags=re.MULTILINE | re.DOTALL)
    faults = 0
    for name, code, words in cases:
        done = subprocess.run([options.terms, "reverse-cps", str(program), name],
                              capture_output=True, text=True)
        found = set(re.findall(r"error\[(E\d+)\]", done.stderr))
        if (done.returncode != 1 or found != {code} or words not in done.stderr
                or done.stdout):
            faults += 1
            print(f"{name}: {code} {words} wanted, status {done.returncode}\n"
                  f"{done.stderr}{done.stdout}")
    for name, body in TOO_LONG.items():
        faults += not judge_length(options.terms, name, body)
    print(f"refused: {len(cases) + len(TOO_LONG)} functions, {faults} faults")
    return 1 if faults or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
