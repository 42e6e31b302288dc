"""A mixture of Gaussians with a Wishart prior, as ADBench and GradBench have it.

Q_a is lower triangular: exp(q_a) on the diagonal, l_a below it, column by column. What stands on
sizes, gamma and m alone is `constant`, plain Python.
"""

import math

import numpy as np

from pychoral.ad import Array, Float, build


def constant(n: int, d: int, k: int, gamma: float, m: int) -> float:
    nu = d + m + 1
    gammas = 0.25 * d * (d - 1) * math.log(math.pi) + sum(
        math.lgamma(0.5 * (nu + 1 - j)) for j in range(1, d + 1))
    return (-0.5 * n * d * math.log(2.0 * math.pi)
            + k * (nu * d * math.log(gamma / math.sqrt(2.0)) - gammas))


def _lse(x):
    m = np.max(x, axis=-1, keepdims=True)
    return np.log(np.sum(np.exp(x - m), axis=-1)) + m[..., 0]


def objective(alpha: Float[Array, "k"], mu: Float[Array, "k d"], q: Float[Array, "k d"],
              l: Float[Array, "k e"], x: Float[Array, "n d"], gamma: float, m: int,
              constants: float) -> float:
    n, d = x.shape
    k = alpha.shape[0]
    factors = build((k, d, d), lambda a, r, c: np.exp(q[a, r]) if r == c else (
        l[a, c * (2 * d - c - 1) // 2 + r - c - 1] if r > c else 0.0))
    apart = np.einsum("arc,iac->iar", factors, x[:, None, :] - mu)
    beta = alpha + np.sum(q, axis=1) - 0.5 * np.sum(apart ** 2, axis=2)
    likelihood = np.sum(_lse(beta)) - n * _lse(alpha)
    prior = m * np.sum(q) - 0.5 * gamma ** 2 * (np.sum(np.exp(q) ** 2) + np.sum(l ** 2))
    return likelihood + prior + constants
