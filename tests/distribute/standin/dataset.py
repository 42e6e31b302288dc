"""`tf.data` of the stand-in: lazy pipelines over Python iterators."""

import itertools
from typing import Any, Callable, Iterator

import numpy as np

import core
import world

INFINITE, UNKNOWN = -1, -2
AUTOTUNE = -1
SOURCES = itertools.count(1)


def rows_of(x: Any) -> Any:
    """The arrays of a structure, as one structure for each row."""
    if isinstance(x, (tuple, list)):
        return list(zip(*(rows_of(y) for y in x)))
    if isinstance(x, dict):
        return [dict(zip(x, row)) for row in zip(*(rows_of(y) for y in x.values()))]
    return list(np.asarray(core.raw(x)))


def pack(rows: "list[Any]") -> Any:
    if isinstance(rows[0], tuple):
        return tuple(pack(list(part)) for part in zip(*rows))
    if isinstance(rows[0], dict):
        return {k: pack([row[k] for row in rows]) for k in rows[0]}
    return np.stack([np.asarray(core.raw(row)) for row in rows])


def wrap(x: Any) -> Any:
    return core.map_structure(core.tensor, x)


def first(x: Any) -> Any:
    while isinstance(x, (tuple, list, dict)):
        x = next(iter(x.values())) if isinstance(x, dict) else x[0]
    return core.raw(x)


def spread(f: Any, x: Any) -> Any:
    return f(*wrap(x)) if isinstance(x, tuple) else f(wrap(x))


class Dataset:
    def __init__(self, make: "Callable[[], Iterator[Any]]", count: int,
                 batched: bool = False) -> None:
        self.make, self.count, self.batched = make, count, batched

    @staticmethod
    def from_tensor_slices(x: Any, **_: Any) -> "Dataset":
        rows = rows_of(x)
        return Dataset(lambda: iter(rows), len(rows))

    @staticmethod
    def from_tensors(x: Any) -> "Dataset":
        return Dataset(lambda: iter([x]), 1)

    @staticmethod
    def range(*args: Any) -> "Dataset":
        numbers = [np.int64(n) for n in range(*args)]
        return Dataset(lambda: iter(numbers), len(numbers))

    @staticmethod
    def from_generator(f: Any, args: Any = (), **_: Any) -> "Dataset":
        return Dataset(lambda: iter(f(*args)), UNKNOWN)

    @staticmethod
    def zip(*parts: Any) -> "Dataset":
        many = parts[0] if len(parts) == 1 else parts
        return Dataset(lambda: zip(*(d.make() for d in many)), min(d.count for d in many))

    def cardinality(self) -> core.Tensor:
        return core.Tensor(np.int64(self.count))

    def __len__(self) -> int:
        if self.count < 0:
            raise TypeError("The dataset length is unknown or infinite.")
        return self.count

    def apply(self, f: Any) -> Any:
        return f(self)

    def map(self, f: Any, *_: Any, **__: Any) -> "Dataset":
        def make() -> "Iterator[Any]":
            return (core.map_structure(core.raw, spread(f, x)) for x in self.make())
        return Dataset(make, self.count, self.batched)

    def filter(self, f: Any) -> "Dataset":
        return Dataset(lambda: (x for x in self.make() if bool(core.raw(spread(f, x)))), UNKNOWN,
                       self.batched)

    def take_while(self, f: Any) -> "Dataset":
        return Dataset(lambda: itertools.takewhile(lambda x: bool(core.raw(spread(f, x))),
                                                   self.make()), UNKNOWN)

    def take(self, count: Any) -> "Dataset":
        n = int(count)
        if n < 0:
            return self
        left = n if self.count == INFINITE else self.count if self.count < 0 else min(n, self.count)
        return Dataset(lambda: itertools.islice(self.make(), n), left, self.batched)

    def skip(self, count: Any) -> "Dataset":
        n = int(count)
        return Dataset(lambda: itertools.islice(self.make(), n, None),
                       self.count if self.count < 0 else max(0, self.count - n), self.batched)

    def shard(self, num_shards: Any, index: Any) -> "Dataset":
        n, i = int(num_shards), int(index)
        count = self.count if self.count < 0 else (self.count - i + n - 1) // n
        return Dataset(lambda: itertools.islice(self.make(), i, None, n), count, self.batched)

    def shuffle(self, buffer_size: Any, seed: Any = None, **_: Any) -> "Dataset":
        rounds = itertools.count()
        def make() -> "Iterator[Any]":
            rng = core.GENERATOR if seed is None else np.random.default_rng([seed, next(rounds)])
            source = self.make()
            rows = list(itertools.islice(source, int(buffer_size)))
            for row in source:
                i = rng.integers(len(rows))
                yield rows[i]
                rows[i] = row
            yield from (rows[i] for i in rng.permutation(len(rows)))
        return Dataset(make, self.count, self.batched)

    def repeat(self, count: Any = None) -> "Dataset":
        def make() -> "Iterator[Any]":
            rounds = itertools.count() if count is None or count < 0 else range(int(count))
            return itertools.chain.from_iterable(self.make() for _ in rounds)
        total = INFINITE if count is None or count < 0 else self.count * int(count)
        return Dataset(make, self.count if self.count < 0 else total, self.batched)

    def batch(self, batch_size: Any, drop_remainder: bool = False, **_: Any) -> "Dataset":
        n = int(batch_size)
        def make() -> "Iterator[Any]":
            rows = self.make()
            while part := list(itertools.islice(rows, n)):
                if len(part) == n or not drop_remainder:
                    yield pack(part)
        whole = self.count // n if drop_remainder else (self.count + n - 1) // n
        return Dataset(make, self.count if self.count < 0 else whole, True)

    def unbatch(self) -> "Dataset":
        return Dataset(lambda: itertools.chain.from_iterable(rows_of(x) for x in self.make()),
                       UNKNOWN)

    def flat_map(self, f: Any) -> "Dataset":
        return Dataset(lambda: itertools.chain.from_iterable(
            spread(f, x).make() for x in self.make()), UNKNOWN)

    def concatenate(self, other: "Dataset") -> "Dataset":
        return Dataset(lambda: itertools.chain(self.make(), other.make()),
                       min(self.count, other.count) if min(self.count, other.count) < 0
                       else self.count + other.count, self.batched)

    def enumerate(self, start: int = 0) -> "Dataset":
        return Dataset(lambda: ((np.int64(i), x) for i, x in enumerate(self.make(), start)),
                       self.count)

    def cache(self, *_: Any) -> "Dataset":
        return self

    def prefetch(self, *_: Any) -> "Dataset":
        return self

    def with_options(self, *_: Any) -> "Dataset":
        return self

    def as_numpy_iterator(self) -> "Iterator[Any]":
        return (core.map_structure(np.asarray, x) for x in self)

    def __iter__(self) -> "Iterator[Any]":
        source = next(SOURCES)
        for x in self.make():
            rows = first(x)
            world.note_batch(source, rows if self.batched else [rows])
            yield wrap(x)
