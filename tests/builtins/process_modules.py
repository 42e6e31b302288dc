"""json, hashlib, hmac of C programs against CPython's: process_modules.py SERVER [COUNT [SEED]]."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384",
          "sha3_512", "blake2b", "blake2s", "SHA256")
TEXTS = ("", "a", "é", "\u20ac", "\U0001f600", "\x00", "\x1f", "\x7f", '"', "\\", "/", "\n", "\t",
         "\b", "\ud83d", "\ude00", "key", "\u2028")
NUMBERS = ("0", "-0", "1", "-1", "01", "1.", "1.5", "-0.0", "1e5", "1E+5", "1e", "1e999", "-", ".5",
           "9223372036854775807", "-9223372036854775808", "9223372036854775808", str(3**500), "NaN",
           "Infinity", "-Infinity", "nul", "null", "true", "false", "0.1", "1e-7", "123456789.123")
CHANGES = ("", '"', "{", "}", "[", "]", ",", ":", "\\", "\\u", "\\ud83d", "\\x", " ", "\n", "é",
           "1", "-", "\x01", "null", "\ufeff")


def error_line(fault: BaseException) -> str:
    cls = type(fault)
    module = "" if cls.__module__ == "builtins" else cls.__module__ + "."
    return ascii(f"{module}{cls.__qualname__}: {fault}")


def shown(call: Callable[[], list[Any]]) -> str:
    try:
        return " ".join(each if isinstance(each, str) else ascii(each) for each in call())
    except Exception as fault:
        return error_line(fault)


def hex_of(text: str | bytes) -> str:
    return (text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text).hex()


class Cases:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def data(self) -> bytes:
        return self.random.randbytes(self.random.choice((0, 1, 5, 55, 56, 63, 64, 65, 111, 112, 127,
                                                         128, 129, 136, 144, 200, 1000)))

    # --- hashes ---

    def hash(self) -> tuple[str, str]:
        name, data, more = self.random.choice((*HASHES, "md6")), self.data(), self.data()

        def call() -> list[Any]:
            made = hashlib.new(name, data)
            copy = made.copy()
            copy.update(more)
            return [ascii(made.hexdigest()), copy.digest(), ascii(made.name), made.digest_size,
                    made.block_size]

        return f"hash {hex_of(name)} {hex_of(data)} {hex_of(more)}", shown(call)

    def keyed(self) -> tuple[str, str]:
        name, key, data = self.random.choice((*HASHES[:-1], "md6")), self.data(), self.data()

        def call() -> list[Any]:
            made = hmac.new(key, data, name)
            copy = made.copy()
            copy.update(key)
            return [ascii(made.hexdigest()), copy.digest(), ascii(made.name), made.digest_size,
                    made.block_size, hmac.digest(key, data, name)]

        return f"keyed {hex_of(name)} {hex_of(key)} {hex_of(data)}", shown(call)

    def derive(self) -> tuple[str, str]:
        name, password, salt = self.random.choice((*HASHES[:6], "x")), self.data(), self.data()
        rounds, size = self.random.choice((0, 1, 2, 10)), self.random.choice((-1, 0, 1, 20, 200))

        def call() -> list[Any]:
            return [hashlib.pbkdf2_hmac(name, password, salt, rounds, None if size == -1 else size)]

        return (f"derive {hex_of(name)} {hex_of(password)} {hex_of(salt)} {rounds} {size}",
                shown(call))

    def compare(self) -> tuple[str, str]:
        a = self.random.choice(("", "a", "b", "abc", "é"))
        b = self.random.choice((a, "a", "abc", "abd", "é"))
        return f"compare {hex_of(a)} {hex_of(b)}", shown(lambda: [hmac.compare_digest(a, b)])

    # --- JSON ---

    def text(self) -> str:
        return "".join(self.random.choices(TEXTS, k=self.random.randrange(4)))

    def value(self, depth: int) -> Any:
        kind = self.random.randrange(8 if depth else 6)
        if kind == 0:
            return self.random.choice((None, True, False))
        if kind == 1:
            return self.random.choice((0, -1, 2**63 - 1, -(2**63), 2**63, 3**500, 7))
        if kind == 2:
            return self.random.choice((0.0, -0.0, 1.5, 1e300, 1e-7, float("nan"), float("inf"),
                                       -float("inf"), 123456789.125))
        if kind in (3, 4, 5):
            return self.text()
        items = [self.value(depth - 1) for _ in range(self.random.randrange(4))]
        return items if kind == 6 else {self.text(): each for each in items}

    def source(self) -> str:
        ascii_only = self.random.random() < 0.5
        text = json.dumps(self.value(3), ensure_ascii=ascii_only,
                          indent=self.random.choice((None, None, 1)))
        if self.random.random() < 0.2:
            text = self.random.choice(NUMBERS)
        for _ in range(self.random.choice((0, 0, 1, 2))):
            at = self.random.randrange(len(text) + 1)
            change = self.random.choice(CHANGES)
            text = text[:at] + change + text[at + self.random.randrange(2) :]
        return text

    def load(self) -> tuple[str, str]:
        text = self.source()
        return f"load {hex_of(text)}", shown(lambda: [ascii(json.loads(text))])

    def dump(self) -> tuple[str, str]:
        text = json.dumps(self.value(3))
        skips, asc, nan, sorts = (self.random.random() < 0.5 for _ in range(4))
        indent: Any = self.random.choice((None, None, 0, 2, -1, "", "\té"))
        separators = self.random.choice((None, None, (",", ":"), ("", " = ")))
        how = "-" if indent is None else f"n{indent}"
        if isinstance(indent, str):
            how = "s" + hex_of(indent)
        parts = "- -" if separators is None else " ".join("s" + hex_of(each) for each in separators)

        def call() -> list[Any]:
            return [ascii(json.dumps(json.loads(text), skipkeys=skips, ensure_ascii=asc,
                                     allow_nan=nan, sort_keys=sorts, indent=indent,
                                     separators=separators))]

        flags = f"{skips:d} {asc:d} {nan:d} {sorts:d}"
        return f"dump {hex_of(text)} {flags} {how} {parts}", shown(call)


def main() -> int:
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    cases = Cases(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    kinds = [cases.load] * 6 + [cases.dump] * 4 + [cases.hash, cases.keyed, cases.derive,
                                                    cases.compare]
    pairs = [cases.random.choice(kinds)() for _ in range(count)]
    done = subprocess.run([sys.argv[1]], input="\n".join(each for each, _ in pairs) + "\n",
                          capture_output=True, encoding="ascii", errors="replace", timeout=600)
    answers = [each.strip() for each in done.stdout.split("\n")[:-1]]
    wrong = [(line, wanted, came) for (line, wanted), came in zip(pairs, answers) if wanted != came]
    for line, wanted, came in wrong[:10]:
        print(f"{line}\n  CPython: {wanted}\n  C:       {came}")
    if done.returncode or len(answers) != count:
        print(f"the server ended with {done.returncode} after {len(answers)} answers")
        print(done.stderr)
        return 1
    print(f"json, hashlib, hmac: {count} calls, {len(wrong)} unlike CPython's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
