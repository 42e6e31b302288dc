"""A weighted sum of the entries of a matrix product."""

import numpy as np

from pychoral.ad import Array, Float


def weighted(a: Float[Array, "n k"], b: Float[Array, "k m"], c: Float[Array, "n m"]) -> float:
    return np.sum(c * (a @ b))
