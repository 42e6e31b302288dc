#!/usr/bin/env python3
"""Writes the golden values as first inputs of tests/fuzz/fuzz_value.c: seeds.py FOLDER"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(Path(__file__).parent))

import types_of_tests as shared  # noqa: E402

MOST_FRAMES = 4
BORROWED = 4


def expand(text: str) -> bytes:
    """The bytes of `61*65536`, parts joined by `+`."""
    parts = (part.partition("*") for part in text.split("+"))
    return b"".join(bytes.fromhex(digits) * int(times or 1) for digits, _, times in parts)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for i, vector in enumerate(json.loads((ROOT / "runtime/vectors/values.json").read_text())):
        value, further = expand(vector["frames"][0]), len(vector["frames"]) - 1
        if len(value) <= 2000 and further < MOST_FRAMES:
            number = shared.EXPRESSIONS.index(vector["type"])
            (folder / f"value{i}").write_bytes(bytes([number, further | BORROWED]) + value)


if __name__ == "__main__":
    main()
