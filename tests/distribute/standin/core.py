"""Tensors, variables and the tape of the stand-in: plain reverse mode over numpy arrays."""

import functools
import itertools
from typing import Any, Callable

import numpy as np

import world

TAPES: "list[GradientTape]" = []
Vjp = Callable[[Any], Any]
GENERATOR = np.random.default_rng(0)


def seed_generator(seed: int) -> None:
    global GENERATOR
    GENERATOR = np.random.default_rng(seed)


class Tensor:
    """A value, and how its derivative flows to what it was made of."""
    __array_priority__ = 100.0
    __hash__ = object.__hash__

    def __init__(self, value: Any, parents: "tuple[tuple[Any, Vjp], ...]" = ()) -> None:
        self.value = np.asarray(value)
        self.parents = parents if TAPES else ()

    @property
    def shape(self) -> Any:
        return self.value.shape

    @property
    def dtype(self) -> Any:
        return self.value.dtype

    @property
    def ndim(self) -> int:
        return int(self.value.ndim)

    def numpy(self) -> Any:
        return self.value if self.value.ndim else self.value[()]

    def item(self) -> Any:
        return self.value.item()

    def __array__(self, dtype: Any = None) -> Any:
        return self.value if dtype is None else self.value.astype(dtype)

    def __float__(self) -> float:
        return float(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __index__(self) -> int:
        return int(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self.value)))

    def __format__(self, spec: str) -> str:
        return format(self.value.item() if self.value.ndim == 0 else self.value, spec)

    def __repr__(self) -> str:
        return f"<tf.Tensor: {np.round(self.value, 6)}>"

    def __getitem__(self, key: Any) -> "Tensor":
        def back(g: Any) -> Any:
            out = np.zeros_like(self.value, dtype="float64")
            np.add.at(out, key, g)
            return out
        key = tuple(map(raw, key)) if isinstance(key, tuple) else raw(key)
        return Tensor(self.value[key], ((self, back),))

    def __add__(self, other: Any) -> "Tensor":
        return binary(np.add, self, other, lambda g, a, b: g, lambda g, a, b: g)

    def __sub__(self, other: Any) -> "Tensor":
        return binary(np.subtract, self, other, lambda g, a, b: g, lambda g, a, b: -g)

    def __mul__(self, other: Any) -> "Tensor":
        return binary(np.multiply, self, other, lambda g, a, b: g * b, lambda g, a, b: g * a)

    def __truediv__(self, other: Any) -> "Tensor":
        return binary(np.divide, self, other, lambda g, a, b: g / b,
                      lambda g, a, b: -g * a / (b * b))

    def __pow__(self, other: Any) -> "Tensor":
        return binary(np.power, self, other, lambda g, a, b: g * b * a ** (b - 1),
                      lambda g, a, b: g * a ** b * np.log(a))

    def __radd__(self, other: Any) -> "Tensor":
        return tensor(other) + self

    def __rsub__(self, other: Any) -> "Tensor":
        return tensor(other) - self

    def __rmul__(self, other: Any) -> "Tensor":
        return tensor(other) * self

    def __rtruediv__(self, other: Any) -> "Tensor":
        return tensor(other) / self

    def __neg__(self) -> "Tensor":
        return self * -1.0

    def __mod__(self, other: Any) -> "Tensor":
        return Tensor(np.mod(self.value, raw(other)))

    def __floordiv__(self, other: Any) -> "Tensor":
        return Tensor(self.value // raw(other))

    def __matmul__(self, other: Any) -> "Tensor":
        return matmul(self, other)

    def __eq__(self, other: Any) -> Any:
        return Tensor(self.value == raw(other))

    def __ne__(self, other: Any) -> Any:
        return Tensor(self.value != raw(other))

    def __lt__(self, other: Any) -> "Tensor":
        return Tensor(self.value < raw(other))

    def __le__(self, other: Any) -> "Tensor":
        return Tensor(self.value <= raw(other))

    def __gt__(self, other: Any) -> "Tensor":
        return Tensor(self.value > raw(other))

    def __ge__(self, other: Any) -> "Tensor":
        return Tensor(self.value >= raw(other))


class Variable(Tensor):
    """Assigned in place. Ranks start from different seeds: only a broadcast makes it equal."""
    numbers = itertools.count()

    def __init__(self, initial_value: Any = 0.0, trainable: bool = True, name: str = "",
                 dtype: Any = None, **_: Any) -> None:
        value = initial_value() if callable(initial_value) else initial_value
        super().__init__(np.array(raw(value), dtype=dtype or floats(raw(value))))
        self.parents = ()
        self.trainable = trainable and self.value.dtype.kind == "f"
        self.name = name or f"Variable:{next(Variable.numbers)}"
        world.RECORD.variables.append(self)

    def assign(self, value: Any) -> "Variable":
        self.value = np.array(raw(value), dtype=self.value.dtype).reshape(self.value.shape)
        return self

    def assign_add(self, value: Any) -> "Variable":
        return self.assign(self.value + raw(value))

    def assign_sub(self, value: Any) -> "Variable":
        return self.assign(self.value - raw(value))

    def read_value(self) -> Tensor:
        return self + 0


def floats(value: Any) -> Any:
    kind = np.asarray(value).dtype
    return "float64" if kind.kind == "f" else kind


def raw(x: Any) -> Any:
    return x.value if isinstance(x, Tensor) else x


def tensor(x: Any) -> Tensor:
    return x if isinstance(x, Tensor) else Tensor(np.asarray(x))


def unbroadcast(g: Any, shape: Any) -> Any:
    g = np.asarray(g)
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for axis, n in enumerate(shape):
        if n == 1 and g.shape[axis] != 1:
            g = g.sum(axis=axis, keepdims=True)
    return g


def binary(op: Any, a: Any, b: Any, da: Any, db: Any) -> Tensor:
    a, b = tensor(a), tensor(b)
    return Tensor(op(a.value, b.value),
                  ((a, lambda g: unbroadcast(da(g, a.value, b.value), a.shape)),
                   (b, lambda g: unbroadcast(db(g, a.value, b.value), b.shape))))


def unary(op: Any, derivative: Any) -> Any:
    """`derivative` of the argument and the result."""
    def apply(x: Any, *_: Any, **__: Any) -> Tensor:
        x = tensor(x)
        y = op(x.value)
        return Tensor(y, ((x, lambda g: g * derivative(x.value, y)),))
    return apply


relu = unary(lambda x: np.maximum(x, 0.0), lambda x, y: x > 0)
sigmoid = unary(lambda x: 1 / (1 + np.exp(-x)), lambda x, y: y * (1 - y))
tanh = unary(np.tanh, lambda x, y: 1 - y * y)
exp = unary(np.exp, lambda x, y: y)
log = unary(np.log, lambda x, y: 1 / x)
sqrt = unary(np.sqrt, lambda x, y: 0.5 / y)
absolute = unary(np.abs, lambda x, y: np.sign(x))
square = unary(np.square, lambda x, y: 2 * x)
leaky_relu = unary(lambda x: np.where(x > 0, x, 0.2 * x), lambda x, y: np.where(x > 0, 1.0, 0.2))


def matmul(a: Any, b: Any, **_: Any) -> Tensor:
    a, b = tensor(a), tensor(b)
    return Tensor(a.value @ b.value, ((a, lambda g: g @ b.value.swapaxes(-1, -2)),
                                      (b, lambda g: a.value.swapaxes(-1, -2) @ g)))


def reduce_sum(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    x = tensor(x)
    def back(g: Any) -> Any:
        if axis is not None and not keepdims:
            g = np.expand_dims(g, axis)
        return np.broadcast_to(g, x.shape)
    return Tensor(x.value.sum(axis=axis, keepdims=keepdims), ((x, back),))


def reduce_mean(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    x = tensor(x)
    total = reduce_sum(x, axis, keepdims)
    mean: Tensor = total * (total.value.size / max(1, x.value.size))
    return mean


def reshape(x: Any, shape: Any) -> Tensor:
    x = tensor(x)
    return Tensor(x.value.reshape(tuple(raw(n) for n in shape)),
                  ((x, lambda g: g.reshape(x.shape)),))


def cast(x: Any, dtype: Any) -> Tensor:
    x = tensor(x)
    return Tensor(x.value.astype(dtype), ((x, lambda g: g),))


def concat(values: Any, axis: int = 0) -> Tensor:
    parts = [tensor(v) for v in values]
    ends = np.cumsum([p.shape[axis] for p in parts])
    def piece(i: int) -> Vjp:
        return lambda g: np.split(g, ends[:-1], axis=axis)[i]
    return Tensor(np.concatenate([p.value for p in parts], axis),
                  tuple((p, piece(i)) for i, p in enumerate(parts)))


def stack(values: Any, axis: int = 0) -> Tensor:
    return Tensor(np.stack([raw(v) for v in values], axis))


def softmax(x: Any, axis: int = -1) -> Tensor:
    x = tensor(x)
    e = exp(x - x.value.max(axis=axis, keepdims=True))
    result: Tensor = e / reduce_sum(e, axis, True)
    return result


def one_hot(x: Any, depth: int, **_: Any) -> Tensor:
    return Tensor(np.eye(depth)[np.asarray(raw(x)).astype(int)])


def clip_by_value(x: Any, low: Any, high: Any) -> Tensor:
    x = tensor(x)
    inside = (x.value >= low) & (x.value <= high)
    return Tensor(np.clip(x.value, low, high), ((x, lambda g: g * inside),))


def clip_by_global_norm(grads: Any, limit: float) -> Any:
    norm = float(np.sqrt(sum(float((raw(g) ** 2).sum()) for g in grads)))
    return [Tensor(raw(g) * limit / max(norm, limit)) for g in grads], norm


class GradientTape:
    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self.persistent, self.used = persistent, False

    def __enter__(self) -> "GradientTape":
        TAPES.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        TAPES.remove(self)

    def watch(self, _: Any) -> None:
        pass

    def gradient(self, target: Any, sources: Any, **_: Any) -> Any:
        if self.used and not self.persistent:
            raise RuntimeError("a non-persistent GradientTape can only be used once")
        self.used = True
        return map_structure(backward(target), sources)


def map_structure(f: Any, x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(map_structure(f, y) for y in x)
    if isinstance(x, dict):
        return {k: map_structure(f, y) for k, y in x.items()}
    return f(x)


def backward(target: Any) -> Any:
    """The function that gives the derivative of `target` by a tensor."""
    target, order, seen = tensor(target), [], set()
    stack = [(target, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((parent, False) for parent, _ in node.parents)
    grads: "dict[int, Any]" = {id(target): np.ones_like(target.value, dtype="float64")}
    for node in reversed(order):
        for parent, vjp in node.parents:
            grads[id(parent)] = grads.get(id(parent), 0.0) + vjp(grads[id(node)])
    def result(source: Any) -> "Tensor | None":
        g = grads.get(id(source))
        return None if g is None else Tensor(np.broadcast_to(g, source.shape))
    return result


def function(f: Any = None, **_: Any) -> Any:
    """`tf.function`: it runs plainly here."""
    if f is None:
        return lambda g: function(g)
    @functools.wraps(f)
    def traced(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)
    return traced
