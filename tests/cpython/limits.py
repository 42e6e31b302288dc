#!/usr/bin/env python3
"""limits.py - chains may be long, nesting may not: what compiler/front/front.h promises.

Each chain has 100,000 links.  It must parse, print as JSON, as IR and as Python, and the printed
Python must print as itself again.  (Not as `--ast`, which indents: that text has a length of the
square.)  Each nesting is tried at its limit, which must be accepted,
and one above, which must be one error and no crash.

    tests/cpython/limits.py [--compiler FILE]
"""

import argparse
import multiprocessing
import re
import subprocess
import sys
from pathlib import Path

import truth

LINKS = 100_000

CHAINS = {
    "binary": "+".join(["a"] * LINKS),
    "attribute": "a" + ".b" * LINKS,
    "call": "f" + "()" * LINKS,
    "subscript": "a" + "[0]" * LINKS,
    "mixed trailers": "a" + ".b(c)[d]" * (LINKS // 3),
    "not": "not " * LINKS + "a",
    "sign": "-" * LINKS + "a",
    "conditional": "a if b else " * LINKS + "c",
    "or": "a or " * LINKS + "b",
    "comparison": "a < " * LINKS + "b",
    "strings": "x = " + '"a" ' * LINKS,
    "f-strings": "x = " + 'f"{a}" ' * LINKS,
    "fields": 'x = f"' + "{a}b" * LINKS + '"',
    "elif": "if a: pass\n" + "elif b: pass\n" * LINKS + "else: pass",
    "assignment": "a = " * LINKS + "b",
    "arguments": "f(" + "a, " * LINKS + ")",
    "parameters": "def f(" + ", ".join(f"a{i}" for i in range(LINKS)) + "): pass",
    "list": "[" + "a, " * LINKS + "]",
    "dict": "{" + "a: b, " * LINKS + "}",
    "comprehension": "[a " + "for a in b " * LINKS + "]",
    "filters": "[a for a in b " + "if a " * LINKS + "]",
    "statements": "a\n" * LINKS,
    "one line": "a; " * LINKS + "b",
    "dotted name": "import " + ".".join("a" * LINKS),
    "decorators": "@a\n" * LINKS + "def f(): pass",
    "handlers": "try: pass\n" + "except A: pass\n" * LINKS,
    "cases": "match x:\n" + "    case 1: pass\n" * LINKS,
    "alternatives": "match x:\n    case " + " | ".join("1" * LINKS) + ": pass",
    "with": "with (" + ", ".join("a" * LINKS) + "): pass",
}

LIMIT = re.compile(r"#define FRONT_MAX_NESTING (\d+)")


def nesting_limit():
    header = Path(__file__).resolve().parents[2] / "compiler" / "front" / "front.h"
    return int(LIMIT.search(header.read_text())[1])


def nestings():
    """(what, its limit, a text of that depth)."""
    deepest = nesting_limit()
    yield "lambda", deepest, lambda n: "lambda: " * n + "a"
    yield "power", deepest, lambda n: "**".join("a" * (n + 1))
    yield "default", deepest, lambda n: "lambda a=" * n + "1" + ": 2" * n
    yield "parenthesis", 200, lambda n: "(" * n + "a" + ")" * n
    yield "list", 200, lambda n: "[" * n + "]" * n
    yield "call", 200, lambda n: "f(" * n + ")" * n
    yield "indentation", 99, lambda n: "".join(" " * i + "if a:\n" for i in range(n + 1))[:-1] + "b"


def run(executable, form, text):
    return subprocess.run([executable, "parse", form, "-"], input=text.encode(),
                          capture_output=True, timeout=120, check=False)


def try_chain(job):
    executable, name = job
    text = CHAINS[name] + "\n"
    for form in ("--ast=json", "--ir"):
        done = run(executable, form, text)
        if done.returncode != 0:
            return f"{name}: {form} exits with {done.returncode}: {done.stderr[:200]!r}"
    printed = run(executable, "--python", text)
    again = run(executable, "--python", printed.stdout.decode())
    if printed.returncode != 0 or again.stdout != printed.stdout:
        return f"{name}: what --python prints does not print as itself"
    return None


def try_nesting(executable, what, limit, make):
    at, above = (run(executable, "--ast=json", make(n) + "\n") for n in (limit, limit + 1))
    if at.returncode != 0:
        yield f"{what}: {limit} deep is refused: {at.stderr[:200]!r}"
    if above.returncode != 1 or above.stderr.count(b": error[E01") != 1:
        yield f"{what}: {limit + 1} deep exits with {above.returncode}: {above.stderr[:200]!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default=truth.default_compiler())
    executable = parser.parse_args().compiler
    with multiprocessing.Pool() as pool:
        failures = [f for f in pool.imap(try_chain, [(executable, n) for n in CHAINS]) if f]
    tried = list(nestings())
    for what, limit, make in tried:
        failures += try_nesting(executable, what, limit, make)
    print(f"limits: {len(CHAINS)} chains of {LINKS} links, {len(tried)} nestings;"
          f" wrong {len(failures)}")
    for failure in failures:
        print("FAIL", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
