"""The dot product of two vectors."""

import numpy as np

from pychoral.ad import Array, Float


def dot(a: Float[Array, "n"], b: Float[Array, "n"]) -> float:
    return np.sum(a * b)
