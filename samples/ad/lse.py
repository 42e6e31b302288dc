"""The logarithm of a sum of exponentials."""

import numpy as np

from pychoral.ad import Array, Float


def logsumexp(x: Float[Array, "n"]) -> float:
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))
