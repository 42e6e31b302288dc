"""A character model: a recurrent layer, and the cross entropy of each next character."""

import numpy as np

from pychoral.ad import Array, Float


def loss(wx: Float[Array, "v h"], wh: Float[Array, "h h"], b: Float[Array, "h"],
         wy: Float[Array, "h v"], by: Float[Array, "v"], xs: Float[Array, "T n v"],
         ys: Float[Array, "T n v"]) -> float:
    h = np.zeros((xs.shape[1], b.shape[0]))
    total = 0.0
    for x, y in zip(xs, ys):
        h = np.tanh(x @ wx + h @ wh + b)
        z = h @ wy + by
        z = z - np.max(z, axis=1, keepdims=True)
        total += np.sum(y * (np.log(np.sum(np.exp(z), axis=1, keepdims=True)) - z))
    return total / xs.shape[1]
