"""How C programs begin and end, against CPython and the Python endpoints: process_ends.py ENDPOINT.

Each case is Python's, and a function of process_endpoint.c, which raises from the same lines.
"""

from __future__ import annotations

import enum
import os
import subprocess
import sys
import typing
from typing import Any, Optional

from pychoral.errors import UsageError
from pychoral.options import value_of

DIVIDE = "def divide():\n    raise ZeroDivisionError('division by zero')\n"
CASES = {
    "uncaught": DIVIDE + "print('before')\ndivide()",
    "chained": DIVIDE + "try:\n    divide()\nexcept Exception:\n    raise ValueError('second')",
    "caused": DIVIDE + "try:\n    divide()\nexcept Exception as e:\n    raise ValueError from e",
    "hidden": DIVIDE + "try:\n    divide()\nexcept Exception:\n    raise ValueError from None",
    "again": DIVIDE + "try:\n    divide()\nexcept BaseException:\n    print('finally')\n    raise",
    "key": "raise KeyError(\"it's\\n\")",
    "caught": "print('RecursionError: maximum recursion depth exceeded')",
    "leave": "print('left')\nraise SystemExit",
    "leave_with": "raise SystemExit(-3)",
    "leave_saying": "raise SystemExit('good\\udc80 bye')",
    "surrogate": "import sys\nprint('é', 'a\\udc80', sep='<>', end='.\\n', file=sys.stderr)\n"
                 "print('é', end='.\\n')\nprint('é', 'a\\udc80', end='.\\n', sep='<>')",
    "inputs": "while True:\n    print(repr(input('? ')))",
    "missing_file": "open('/no/such/file')",
}


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


TYPES: dict[str, Any] = {
    "int": int, "float": float, "bool": bool, "str": str, "bytes": bytes, "colour": Colour,
    "maybe": Optional[int], "ints": typing.List[int], "coloured": typing.List[Colour],
    "sequence": typing.Tuple[int, ...], "named": typing.Dict[str, typing.List[int]],
    "set": typing.Set[int], "pair": typing.Tuple[int, str], "object": object, "complex": complex,
}
TEXTS = (
    "", "x", "1", " 1 ", "1_000", "-0", "0x10", "1.5", "inf", "-nan", "1e400", "yes", "TRUE", "No",
    "None", "RED", "BLUE", "b'a\\x00'", 'b"\'"', "[]", "[1, True, -3]", "[1,]", "[,]", "[1",
    "['RED']", "['X']", "[1.0]", "['a']", "()", "(1,)", "(1)", "(1, 'é')", "(1, 2)", "1, 'a'",
    "{}", "{'a': [1]}", "{'a': ['b']}", "{1: []}", "{1, 2, 1}", "set()", "{1: 2, 3}", "{[]: 1}",
    "1-2j", "-1+2J", "2j", "1+1", "'a' 'b'", "'\\u20ac\\x41\\101\\n'", "'a\nb'", "'''a\nb'''",
    "r'\\n'", "u'a'", "f'a'", "0o17", "0b11", "01", "1.e5", ".5", "1__0", "10**3", "- 1", "--1",
    "[[1], {'a': (None, True)}]", "é", "\udcff", "'\\ud800'", "1" * 5000, "9" * 30, "x" * 200,
)


def call(command: list[str], text: str = "") -> tuple[str, str, int]:
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60,
                          env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"})
    return (done.stdout.decode(), done.stderr.decode("utf-8", "surrogateescape"), done.returncode)


def without_places(trace: str) -> str:
    """A traceback without its calls: those of C programs are in the choreography."""
    return "\n".join(each for each in trace.split("\n") if not each.startswith("  "))


def check_ends(endpoint: str) -> int:
    wrong = 0
    for name, source in CASES.items():
        text = "a\r\nbé\n\nlast" if name == "inputs" else ""
        wanted, came = (call(each, text) for each in ([sys.executable, "-c", source],
                                                      [endpoint, "--case", name]))
        wanted, came = ((each[0], without_places(each[1]), each[2]) for each in (wanted, came))
        if wanted != came:
            wrong += 1
            print(f"{name}\n  CPython: {wanted}\n  C:       {came}")
    return wrong


def wanted_of(name: str, text: str) -> str:
    try:
        return f"=> {value_of(text, TYPES[name], f'--{name}')!r}"
    except UsageError as fault:
        return f"A: {fault}"


def differ(name: str, wanted: str, came: str) -> bool:
    """Texts of types read otherwise: `List[int]` in messages of CPython's typing module."""
    if wanted.startswith("A: ") != came.startswith("A: "):
        return True
    plain = name in ("int", "float", "bool", "str", "bytes", "object", "maybe")
    return plain and wanted != came


def check_options(endpoint: str) -> int:
    wrong = 0
    for index, name in enumerate(TYPES):
        for text in TEXTS:
            raw = text.encode("utf-8", "surrogateescape")
            done = subprocess.run([endpoint.encode(), f"--{name}=".encode() + raw],
                                  capture_output=True, timeout=60)
            told = done.stdout if done.returncode == 0 else done.stderr
            lines = told.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
            came = lines[index if done.returncode == 0 else 0]
            wanted = wanted_of(name, text)
            if differ(name, wanted, came):
                wrong += 1
                print(f"--{name} {text!r:.60}\n  Python: {wanted:.300}\n  C:      {came:.300}")
    return wrong


def main() -> int:
    wrong = check_ends(sys.argv[1]) + check_options(sys.argv[1])
    print(f"ends and options of C programs: {len(CASES) + len(TYPES) * len(TEXTS)} cases, "
          f"{wrong} unlike Python's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
