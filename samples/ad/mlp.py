"""A network with one hidden layer: log-softmax and negative log-likelihood, a batch at a time."""

import numpy as np

from pychoral.ad import Array, Float, Int


def loss(w1: Float[Array, "i h"], b1: Float[Array, "h"], w2: Float[Array, "h o"],
         b2: Float[Array, "o"], x: Float[Array, "n i"], labels: Int[Array, "n"]) -> float:
    hidden = np.maximum(x @ w1 + b1, 0.0)
    scores = hidden @ w2 + b2
    scores = scores - np.max(scores, axis=1, keepdims=True)
    logp = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    return -np.mean(logp[np.arange(x.shape[0]), labels])
