"""A small library of layers on lists of numbers: enough for the network to run by itself."""

from __future__ import annotations

import math

Vector = list[float]


class Linear:
    def __init__(self, inputs: int, outputs: int, name: str) -> None:
        self.name, self.inputs, self.outputs = name, inputs, outputs
        self.weights = [
            [((i * 7 + j * 3) % 5 - 2) / 4 for j in range(inputs)] for i in range(outputs)
        ]
        self.bias = [(i % 3 - 1) / 8 for i in range(outputs)]

    def __call__(self, x: Vector) -> Vector:
        rows = zip(self.weights, self.bias)
        return [sum(w * v for w, v in zip(row, x)) + b for row, b in rows]


def view(x: list[Vector], size: int) -> Vector:
    flat = [v for row in x for v in row]
    assert len(flat) == size
    return flat


def relu(x: Vector) -> Vector:
    return [max(v, 0.0) for v in x]


def tanh(x: Vector) -> Vector:
    return [math.tanh(v) for v in x]


def log_softmax(x: Vector, dim: int) -> Vector:
    total = math.log(sum(math.exp(v) for v in x))
    return [v - total for v in x]


def nll_loss(x: Vector, label: int) -> float:
    return -x[label]
