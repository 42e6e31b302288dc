"""A list that the result does not depend on: its twin is there, the list is not read."""


def unread(x: float, xs: list[float]) -> float:
    y = x * x
    x = y * 2.0
    return (1.25 / (1.5 + 2.0 * x)) ** 2
#= unread(0.75, [0.5, 1.25])
