"""The functions of torch that the model calls, by those of numpy."""

# mypy: ignore-errors

from __future__ import annotations

from typing import Any

import numpy
import torch

from pychoral.virtual import RewritingCallOverload, py_defaults

call = RewritingCallOverload(py_defaults.call)

call.replaces(torch.mm)(numpy.matmul)
call.replaces(torch.tanh)(numpy.tanh)
call.replaces(torch.where)(numpy.where)
call.replaces(torch.max)(numpy.max)
call.replaces(torch.arange)(numpy.arange)


@call.replaces(torch.transpose)
def transpose(x: Any, dim0: int, dim1: int) -> Any:
    return numpy.swapaxes(x, dim0, dim1)


@call.replaces(torch.cat)
def cat(parts: Any, dim: int = 0) -> Any:
    return numpy.concatenate(parts, axis=dim)


def getattr_(o: Any, name: str) -> Any:
    """A tensor's `view` is an array's `reshape`."""
    return getattr(o, "reshape" if name == "view" and isinstance(o, numpy.ndarray) else name)
