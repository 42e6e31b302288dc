#!/usr/bin/env python3
"""Each function of refused.py is refused with the code that it names, and without a crash."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--terms", default="build/release/terms")
    options = parser.parse_args()
    program = HERE / "refused.py"
    cases = re.findall(r"^def (\w+).*?# (E\d+)$", program.read_text(),
                       flags=re.MULTILINE | re.DOTALL)
    faults = 0
    for name, code in cases:
        done = subprocess.run([options.terms, "reverse-cps", str(program), name],
                              capture_output=True, text=True)
        found = set(re.findall(r"error\[(E\d+)\]", done.stderr))
        if done.returncode != 1 or found != {code} or done.stdout:
            faults += 1
            print(f"{name}: {code} wanted, status {done.returncode}\n{done.stderr}{done.stdout}")
    print(f"refused: {len(cases)} functions, {faults} faults")
    return 1 if faults or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
