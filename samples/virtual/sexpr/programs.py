"""The network of figure 12, by default in a size that can be read, and smaller programs."""

from __future__ import annotations

from typing import Any

from . import layers as F
from .layers import Linear


class Net:
    def __init__(self, activate_func: Any, inputs: int = 4, hidden: int = 3,
                 outputs: int = 2) -> None:
        self.fc1 = Linear(inputs, hidden, "fc1")
        self.fc2 = Linear(hidden, outputs, "fc2")
        self.activate_func = activate_func

    def forward(self, x: Any) -> Any:
        x1 = F.view(x, self.fc1.inputs)
        if self.activate_func == 1:
            x2 = F.relu(self.fc1(x1))
            x3 = self.fc2(x2)
            x4 = F.log_softmax(x3, dim=1)
            return x4
        else:
            x6 = F.tanh(self.fc1(x1))
            x7 = self.fc2(x6)
            x8 = F.log_softmax(x7, dim=1)
            return x8


def power(x: Any, n: Any) -> Any:
    """A loop over `n`: unrolled if it is known, written down if it is staged."""
    y = 1
    for _ in range(n):
        y = y * x
    return y


def foo(c: Any) -> Any:
    """Figure 9: what is `x` after an `if` that is staged?"""
    x = 1
    if c:
        x = 2
    else:
        x = 3
    print(x)
    return x
