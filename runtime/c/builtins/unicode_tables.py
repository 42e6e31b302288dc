#!/usr/bin/env python3
"""Writes unicode_tables.inc: what CPython 3.11 knows about each character (Unicode 14).

    python3.11 unicode_tables.py > unicode_tables.inc

The facts are asked of `str` itself, so that they are CPython's by construction.
"""

import sys
import unicodedata

CHARACTERS = 0x110000
BEYOND_ASCII = 0x80
COLUMNS = 100
SIGMA = 0x3A3                                   # its lower case depends on where it stands

Deltas = tuple[int, ...]
Record = tuple[int, Deltas]


def is_ignorable(text: str) -> bool:
    """Whether a sigma looks for a cased letter beyond this character."""
    return ("A" + text + "\u03a3").lower()[-1] == "\u03c2" and \
        ("1" + text + "\u03a3").lower()[-1] != "\u03c2"


def flags_of(text: str) -> int:
    facts = (text.isalpha(), text.isdecimal(), text.isdigit(), text.isnumeric(), text.islower(),
             text.isupper(), unicodedata.category(text) == "Lt", text.isprintable(),
             text.isspace(), text.isidentifier(), ("a" + text).isidentifier(),
             (text + "a").title()[-1] == "a", is_ignorable(text),
             len(("a" + text + "a").splitlines()) == 2)
    return sum(1 << bit for bit, fact in enumerate(facts) if fact)


def cases_of(code: int) -> tuple[str, ...]:
    text = chr(code)
    lower = "\u03c3" if code == SIGMA else text.lower()
    return lower, text.upper(), text.title(), text.casefold()


def record_of(code: int) -> Record:
    deltas = tuple(ord(case) - code if len(case) == 1 else 0 for case in cases_of(code))
    return flags_of(chr(code)), deltas


def write_rows(name: str, items: list[str]) -> None:
    print(f"static const {name}[] = {{")
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > COLUMNS:
            print(line)
            line = "   "
        line += f" {item},"
    print(f"{line}\n}};\n")


def write_cases() -> None:
    """Mappings to more than one character, in order of character and case."""
    rows = []
    for code in range(CHARACTERS):
        for which, case in enumerate(cases_of(code)):
            if len(case) > 1:
                to = ", ".join(f"0x{ord(part):x}" for part in case)
                rows.append(f"{{0x{code:x}, {which}, {len(case)}, {{{to}}}}}")
    write_rows("LongCase LONG_CASES", rows)


def main() -> int:
    if unicodedata.unidata_version != "14.0.0":
        sys.exit("unicode_tables.py: this Python has Unicode " + unicodedata.unidata_version)
    numbers: dict[Record, int] = {}
    runs: list[str] = []
    last = -1
    for code in range(CHARACTERS):
        number = numbers.setdefault(record_of(code), len(numbers))
        if number != last:
            runs.append(f"0x{code << 11 | number:x}")
            last = number
    print("// unicode_tables.inc - written by unicode_tables.py; see there and unicode.c.\n")
    ascii_flags = [f"0x{flags_of(chr(code)):x}" for code in range(BEYOND_ASCII)]
    write_rows("uint16_t ASCII_FLAGS", ascii_flags)
    write_rows("Record RECORDS", [f"{{0x{flags:x}, {{{', '.join(map(str, deltas))}}}}}"
                                  for flags, deltas in numbers])
    write_cases()
    print("// Where each run of characters with the same record starts: character << 11 | record.")
    write_rows("uint32_t RUNS", runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
