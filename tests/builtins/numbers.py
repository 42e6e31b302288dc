"""Number functions of the C runtime against CPython: random calls, equal results and exceptions.

numbers.py PROGRAM [--count N] [--seed S] [--only TEXT]

PROGRAM is tests/builtins/numbers.c; numbers.def pairs its functions with expressions of Python.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

CALL = re.compile(r'^CALL\("(.*)", ([a-z]+)_(\w), \w+\)$', re.MULTILINE)
TABLE = Path(__file__).with_name("numbers.def")

EDGES = [
    0, 1, -1, 2, -2, 3, 7, 10, -10, 63, 64, 65, 100, 127, 128, 255, 256, 1000, 2**31, 2**32, 2**52,
    2**53, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64 - 1,
    2**64, 2**64 + 1, -(2**64), 10**18, 10**19, 2**127, 2**128 - 1, -(2**128), 3**500, -(3**500),
    10**308, 10**309, 2**1023, 2**1024, 2**1024 - 2**970, 2**1024 - 2**970 - 1, 7**300,
]  # fmt: skip
FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 2.0, 3.0, 0.1, 1e-5, 1e16, 1e22, 1e23, 123.456,
    2.675, 1e300, -1e300, 1.7976931348623157e308, 5e-324, -5e-324, 2.2250738585072014e-308,
    2.225073858507201e-308, math.inf, -math.inf, math.nan, 2.0**53, 2.0**63, -(2.0**63), 2.0**64,
    math.pi, 1e-20, 170.6, 171.7, -170.5, 200.5, 709.8, 710.5, 0.9999999999999999, 1.25, 1e-300,
]  # fmt: skip
TEXTS = [
    "", " ", "0", "-0", "+1", "12", " 12\n", "1_000", "1__0", "_1", "1_", "0x1f", "0X_1F", "0b101",
    "0o17", "-0x10", "0x", "00", "01", "0_0", "zz", "1.5", "1e5", "1E-5", ".5", "5.", ".", "e5",
    "1e", "1e400", "-1e400", "1e-400", "inf", "-Infinity", "+nan", "infinit", "nan1", "1.5.5",
    "\u0661\u0662", "\uff11.\uff15", "\u00a07\u2003", "\x1c7", "7\x00", "caf\u00e9",
    "0x1p3", "0x1.8p-1", "0x.8", "0x1.p1", "1p1", "0x1p99999", "0x1p-99999", "\ud800",
    "0x1.fffffffffffff8p1023", "0x1.fffffffffffff7p1023", "0x0.00000000000008p-1022",
    "0x1.00000000000008p0", "0xp1", "0x1p",
    "1j", "-j", "+j", "j", "1+2j", "1-2J", " ( 1.5e3-nanj ) ", "(1+2j", "1+2", "1+j", "1 + 2j",
    "1_0j", "infj", "1j1", "1e5j", "()", "(j)", "1+2j)", "9" * 30,
    "-" + "9" * 25, "7" * 700, "1" * 5000,
]  # fmt: skip


class Cases:
    """Arguments of the shapes in numbers.def."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def integer(self) -> int:
        kind = self.random.random()
        if kind < 0.4:
            return self.random.randint(-20, 300)
        if kind < 0.6:
            return self.random.choice(EDGES) + self.random.randint(-2, 2)
        if kind < 0.65:
            return self.random.random() < 0.5
        number = self.random.getrandbits(self.random.choice([8, 31, 53, 62, 63, 64, 65, 128, 700]))
        return number if kind < 0.85 else -number

    def float(self) -> float:
        kind = self.random.random()
        if kind < 0.25:
            return self.random.choice(FLOATS)
        if kind < 0.4:
            return float(self.random.randint(-30, 200)) / self.random.choice([1, 1, 2, 4, 10])
        if kind < 0.7:
            return self.random.uniform(-10, 10)
        if kind < 0.85:
            return self.random.uniform(-1, 1) * 10.0 ** self.random.randint(-320, 308)
        bits: float = struct.unpack("<d", self.random.randbytes(8))[0]
        return bits

    def text(self) -> str:
        kind = self.random.random()
        if kind < 0.6:
            return self.random.choice(TEXTS)
        if kind < 0.75:
            return str(self.integer())
        if kind < 0.85:
            return repr(self.float())
        if kind < 0.9:
            return self.float().hex()
        length = self.random.randint(1, 8)
        return "".join(self.random.choices("0123456789aefinx_.+-jpJ \u0663", k=length))

    def of(self, letter: str, place: int, name: str) -> Any:
        if letter == "i":
            number = self.integer()
            if "<<" in name or "**" in name or "perm" in name or "comb" in name or "round" in name:
                return self.random.randint(-20, 200) if place else number
            return self.random.randint(0, 400) if "factorial" in name else number
        if letter == "f":
            return self.float()
        if letter == "c":
            return complex(self.float(), self.float())
        if letter == "t":
            return self.random.random() < 0.5
        if letter == "y":
            return self.text().encode("utf-8", "surrogatepass")
        return self.text()

    def arguments(self, letters: str, name: str) -> list[Any]:
        values = [self.of(letter, place, name) for place, letter in enumerate(letters)]
        if "bytes" in name:
            values[-2] = self.random.choice(["big", "little", "big", "little", "bag", ""])
        if "to_bytes" in name:
            values[1] = self.random.randint(-1, 20)
        if name.startswith("int(a,b)"):
            values[1] = self.random.choice([0, 2, 3, 8, 10, 10, 10, 16, 36, 37, 1, -1, 2**70])
        return values


def bits(number: float) -> str:
    return "f" + ("nan" if math.isnan(number) else struct.pack(">d", number).hex())


def written(value: Any) -> str:
    """An argument, or a result, as the program writes it."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "".join(written(each) for each in value)
    if isinstance(value, float):
        return bits(value)
    if isinstance(value, complex):
        return written((value.real, value.imag))
    if isinstance(value, str):
        return "s" + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, bytes):
        return "y" + value.hex()
    return f"i{value:x}"


def passed(value: Any) -> str:
    if isinstance(value, bool):
        return f"b{value:d}"
    if isinstance(value, float):
        return "f" + struct.pack(">d", value).hex()
    if isinstance(value, complex):
        return f"c{struct.pack('>d', value.real).hex()},{struct.pack('>d', value.imag).hex()}"
    return written(value)


def hash_of_float(number: float) -> int:
    return 0 if math.isnan(number) else hash(number)


def hash_of_complex(number: complex) -> int:
    total = hash_of_float(number.real) + hash_of_float(number.imag) * sys.hash_info.imag
    total = (total + 2**63) % 2**64 - 2**63
    return -2 if total == -1 else total


def expected(function: Callable[..., Any], arguments: list[Any], shape: str) -> str:
    try:
        result = function(*arguments)
    except Exception as fault:
        return "!" + repr(fault)
    return f"t{result:d}" if shape == "t" else written(result)


def check(program: str, count: int, seed: int, only: str) -> int:
    rows = [row for row in CALL.findall(TABLE.read_text(encoding="utf-8")) if only in row[0]]
    cases = Cases(seed)
    names = {"math": math, "sys": sys, "hash_of_float": hash_of_float,
             "hash_of_complex": hash_of_complex}  # fmt: skip
    lines, answers = [], []
    for number in range(count):
        name, letters, shape = rows[number % len(rows)]
        arguments = cases.arguments(letters, name)
        function = eval(f"lambda a=0, b=0, c=0, d=0: {name}", names)
        lines.append(" ".join([name, *map(passed, arguments)]))
        answers.append(expected(function, arguments, shape))
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True,
                          check=False)  # fmt: skip
    given = done.stdout.split("\n")[:-1]
    wrong = [case for case in zip(lines, answers, given) if case[1] != case[2]]
    for line, answer, result in wrong[:20]:
        print(f"numbers: {line[:300]}\n  Python: {answer[:300]}\n  C:      {result[:300]}")
    if done.returncode != 0 or len(given) != len(lines):
        print(f"numbers: ended with {done.returncode} at {lines[min(len(given), count - 1)][:300]}")
        print(done.stderr[:3000])
        return 1
    print(f"numbers: {count} calls of {len(rows)} functions, {len(wrong)} differ")
    return bool(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    seed = random.SystemRandom().getrandbits(32) if options.seed == "fresh" else int(options.seed)
    status = check(options.program, options.count, seed, options.only)
    if status:
        print(f"numbers: seed {seed}")
    return status


if __name__ == "__main__":
    sys.exit(main())
