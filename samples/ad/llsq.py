"""Least squares: a polynomial with coefficients x through the points (t, y)."""

import numpy as np

from pychoral.ad import Array, Float


def objective(x: Float[Array, "m"], t: Float[Array, "n"], y: Float[Array, "n"]) -> float:
    powers = t[:, None] ** np.arange(x.shape[0])
    return 0.5 * np.sum((y - powers @ x) ** 2)
