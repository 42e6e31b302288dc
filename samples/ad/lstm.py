"""The LSTM with diagonal weights of ADBench: l layers of width b over c characters."""

import numpy as np

from pychoral.ad import Array, Float


def _sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def loss(main: Float[Array, "l 2 4 b"], extra: Float[Array, "3 b"], state: Float[Array, "l 2 b"],
         sequence: Float[Array, "c b"]) -> float:
    layers, _, _, b = main.shape
    characters = sequence.shape[0]
    hs, cs = state[:, 0], state[:, 1]
    total = 0.0
    for t in range(characters - 1):
        x = sequence[t] * extra[0]
        new_h, new_c = np.zeros_like(hs), np.zeros_like(cs)
        for k in range(layers):
            w, o = main[k, 0], main[k, 1]
            forget = _sigmoid(x * w[0] + o[0])
            ingate = _sigmoid(hs[k] * w[1] + o[1])
            outgate = _sigmoid(x * w[2] + o[2])
            change = np.tanh(hs[k] * w[3] + o[3])
            c = cs[k] * forget + ingate * change
            x = outgate * np.tanh(c)
            new_h[k] = x
            new_c[k] = c
        hs, cs = new_h, new_c
        y = x * extra[1] + extra[2]
        total += np.sum(sequence[t + 1] * (y - np.log(2.0 + np.sum(np.exp(y)))))
    return -total / (b * (characters - 1))
