"""A valid two-dimensional convolution of a batch of images, with several channels."""

import numpy as np

from pychoral.ad import Array, Float, build


def loss(x: Float[Array, "b c h w"], k: Float[Array, "o c p q"]) -> float:
    batch, channels, h, w = x.shape
    outputs, _, p, q = k.shape
    out = build((batch, outputs, h - p + 1, w - q + 1), lambda n, o, i, j: sum(
        x[n, c, i + a, j + b] * k[o, c, a, b]
        for c in range(channels) for a in range(p) for b in range(q)))
    return np.sum(np.maximum(out, 0.0) ** 2)
