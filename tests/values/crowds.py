"""Keys that all have one hash in Python, made to take quadratic time (PROTOCOL.md 5.2).

Numbers have the hash of the remainder by 2**61 - 1; the hashes of complex numbers, tuples and
frozensets are made of those of their parts by steps that can be undone, so a part can be found that
makes up for any other.  `messages` gives dicts and sets of so many that are just taken and just
refused, as bytes: a sender refuses them as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import msgpack

PRIME = 2**61 - 1
MOST = 1000  # keys that may have the hash of another one
_WORD = 2**64
_P1, _P2, _P5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
_SHUFFLE = 3644798167


def _signed(number: int) -> int | None:
    """The hash that this number of 64 bits is; None if no number has it."""
    hash_of = number - _WORD if number >= _WORD // 2 else number
    return hash_of if abs(hash_of) < PRIME and hash_of != -1 else None


def _rotated(number: int) -> int:
    return (number << 31 | number >> 33) % _WORD


def numbers() -> Iterator[int]:
    return (PRIME * n for n in itertools.count(5))


def complexes() -> Iterator[complex]:
    return (complex(-1_000_003 * n, n) for n in itertools.count(2))


def pairs() -> Iterator[tuple[int, int]]:
    """Tuples of two parts that differ, and have different hashes, both."""
    inverse = pow(_P2, -1, _WORD)
    for one in itertools.count(2):
        lane = _rotated((_P5 + one * _P2) % _WORD) * _P1
        other = _signed((12345 - lane) * inverse % _WORD)
        if other is not None:
            yield one, other


def _unshuffled(number: int) -> int:
    number = number * pow(_SHUFFLE, -1, _WORD) % _WORD ^ 89869747
    found = 0
    for shift in (0, 16, 32, 48):       # of what is shifted in, 16 more bits are known each time
        found = found | ((number ^ found << 16) >> shift & 0xFFFF) << shift
    return found


def couples() -> Iterator[frozenset[int]]:
    """Frozensets of two elements whose hashes differ."""
    for one in itertools.count(2):
        shuffled = ((one ^ 89869747) ^ one << 16) * _SHUFFLE % _WORD
        other = _signed(_unshuffled(shuffled ^ 0x0123456789ABCDEF))
        if other is not None:
            yield frozenset((one, other))


def nested() -> Iterator[Any]:
    return (("a", frozenset([(n, None)])) for n in numbers())


def mixed() -> Iterator[Any]:
    """The hash 1, of floats too."""
    yield from (2.0 ** (61 * n) for n in range(1, 10))
    yield from (PRIME * n + 1 for n in itertools.count(5))


KINDS: dict[str, Callable[[], Iterator[Any]]] = {
    "numbers": numbers, "complexes": complexes, "pairs": pairs, "couples": couples,
    "nested": nested, "mixed": mixed,
}  # fmt: skip


def messages(encode: Callable[[Any], list[bytes]]) -> Iterator[tuple[str, bool, bytes]]:
    """What it is, whether it is to be taken, and the value's bytes for `object`."""
    for (name, make), count in itertools.product(KINDS.items(), (MOST + 1, MOST + 2)):
        keys = list(itertools.islice(make(), count))
        assert len({hash(key) for key in keys}) == 1, name
        keys += range(700, 720)         # these have hashes of their own
        parts = [encode(key)[0] for key in keys]
        good = count <= MOST + 1
        packer = msgpack.Packer(autoreset=False)
        packer.pack_map_header(len(parts))
        yield f"dict of {name}", good, packer.bytes() + b"".join(part + b"\xc0" for part in parts)
        for code in (6, 8):
            packer.reset()
            packer.pack_array_header(len(parts) + 1)
            packer.pack_ext_type(code, b"")
            yield f"set of {name}", good, packer.bytes() + b"".join(parts)
