"""Array programs whose gradients bench_arrays.py measures."""

import math

import numpy as np

from pychoral.ad import Array, Float, build


def gmm(alphas: Float[Array, "k"], means: Float[Array, "k d"], q: Float[Array, "k d"],
        l: Float[Array, "k e"], x: Float[Array, "n d"], gamma: float, m: int) -> float:
    """A mixture of Gaussians without the constant of the prior; l holds columns."""
    n, d = x.shape
    k = alphas.shape[0]
    lower = build((k, d, d), lambda a, r, c: np.exp(q[a, r]) if r == c else (
        l[a, (2 * d - c - 1) * c // 2 + r - c - 1] if c < r else 0.0))
    z = np.einsum("arc,iac->iar", lower, x[:, None, :] - means)
    inner = alphas + np.sum(q, axis=1) - 0.5 * np.sum(z * z, axis=2)
    top = np.max(inner, axis=1)
    lse = top + np.log(np.sum(np.exp(inner - top[:, None]), axis=1))
    big = np.max(alphas)
    total = big + np.log(np.sum(np.exp(alphas - big)))
    return np.sum(lse) - n * total - gamma * gamma / 2.0 * np.sum(lower * lower) + m * np.sum(q)


def dot(a: Float[Array, "n"], b: Float[Array, "n"]) -> float:
    return np.sum(a * b)


def lse(x: Float[Array, "n"]) -> float:
    m = np.max(x)
    return m + math.log(np.sum(np.exp(x - m)))


def llsq(x: Float[Array, "m"], y: Float[Array, "n"], t: Float[Array, "n"]) -> float:
    n, m = y.shape[0], x.shape[0]
    return 0.5 * sum((y[i] - sum(x[j] * t[i] ** j for j in range(m))) ** 2 for i in range(n))


def matmul(a: Float[Array, "n m"], b: Float[Array, "m p"], w: Float[Array, "n p"]) -> float:
    return np.sum((a @ b) * w)


def conv2d(image: Float[Array, "h w"], kernel: Float[Array, "p q"]) -> float:
    h, w = image.shape
    p, q = kernel.shape
    out = build((h - p + 1, w - q + 1), lambda i, j: sum(
        image[i + a, j + b] * kernel[a, b] for a in range(p) for b in range(q)))
    return np.sum(out * out)


def mlp(w1: Float[Array, "h d"], b1: Float[Array, "h"], w2: Float[Array, "o h"],
        b2: Float[Array, "o"], x: Float[Array, "n d"], y: Float[Array, "n o"]) -> float:
    out = np.tanh(x @ w1.T + b1) @ w2.T + b2
    m = np.max(out, axis=1)
    total = m + np.log(np.sum(np.exp(out - m[:, None]), axis=1))
    return np.mean(total - np.sum(out * y, axis=1))


def gmm_diagonal(alphas: Float[Array, "k"], means: Float[Array, "k d"], q: Float[Array, "k d"],
                 x: Float[Array, "n d"]) -> float:
    z = np.exp(q) * (x[:, None, :] - means)
    inner = alphas + np.sum(q, axis=1) - 0.5 * np.sum(z * z, axis=2)
    top = np.max(inner, axis=1)
    return np.sum(top + np.log(np.sum(np.exp(inner - top[:, None]), axis=1)))


def gmm_full(alphas: Float[Array, "k"], means: Float[Array, "k d"], roots: Float[Array, "k d d"],
             x: Float[Array, "n d"]) -> float:
    z = np.einsum("arc,iac->iar", roots, x[:, None, :] - means)
    inner = alphas - 0.5 * np.sum(z * z, axis=2)
    top = np.max(inner, axis=1)
    return np.sum(top + np.log(np.sum(np.exp(inner - top[:, None]), axis=1)))
