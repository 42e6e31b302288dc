"""Steps that carry as many floats as there are weights, each in a variable of a list."""

import math


def scan(start: list[float], weights: list[float], steps: int) -> float:
    state = start[:]
    n = len(state)
    for step in range(steps):
        last = state[n - 1]
        for i in range(n):
            here = state[i]
            state[i] = 0.9 * here + 0.1 * math.tanh(weights[i] * last)
            last = here
    return sum(state)
