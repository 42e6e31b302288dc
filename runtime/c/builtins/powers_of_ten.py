#!/usr/bin/env python3
"""Writes powers_of_ten.inc: the powers of ten that float_repr.c multiplies with.

    python3 powers_of_ten.py > powers_of_ten.inc

Each is rounded up to 128 bits, the highest of them set.
"""

FIRST, LAST = -292, 324


def bits_of(power: int) -> int:
    """ceil(10**power * 2**n) for the n that gives it 128 bits."""
    top, bottom = (10**power, 1) if power >= 0 else (1, 10**-power)
    shift = 128 - top.bit_length() + bottom.bit_length() - 1
    for more in (shift - 1, shift, shift + 1):
        scaled = (top << max(more, 0), bottom << max(-more, 0))
        rounded = -(-scaled[0] // scaled[1])
        if rounded.bit_length() == 128:
            return rounded
    raise AssertionError(power)


def main() -> None:
    print("// powers_of_ten.inc - written by powers_of_ten.py; see there and float_repr.c.\n")
    print(f"enum {{ FIRST_POWER = {FIRST} }};\n")
    print("static const Power POWERS[] = {")
    rows = [bits_of(power) for power in range(FIRST, LAST + 1)]
    for start in range(0, len(rows), 2):
        print("    " + " ".join(f"{{0x{bits >> 64:016x}, 0x{bits & (1 << 64) - 1:016x}}},"
                                for bits in rows[start:start + 2]))
    print("};")


if __name__ == "__main__":
    main()
