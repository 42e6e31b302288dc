"""What the names in the written program mean here: the layers, over arrays, a batch at a time."""

import numpy as np


def view(x, size):
    return x.reshape(-1, size)


def linear(x, weights, bias):
    return x @ weights.T + bias


def relu(x):
    return np.maximum(x, 0.0)


def tanh(x):
    return np.tanh(x)


def log_softmax(x, dim):
    shifted = x - np.max(x, axis=dim, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=dim, keepdims=True))


def nll_loss(x, labels):
    return -np.mean(x[np.arange(x.shape[0]), labels])
