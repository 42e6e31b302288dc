"""The functions of numpy that the model calls, by those of torch."""

# mypy: ignore-errors

from __future__ import annotations

from typing import Any

import numpy
import torch

from pychoral.virtual import RewritingCallOverload, py_defaults

call = RewritingCallOverload(py_defaults.call)

call.replaces(numpy.matmul)(torch.matmul)
call.replaces(numpy.tanh)(torch.tanh)
call.replaces(numpy.where)(torch.where)
call.replaces(numpy.max)(torch.max)
call.replaces(numpy.arange)(torch.arange)


@call.replaces(numpy.transpose)
def transpose(x: Any, axes: tuple[int, ...]) -> Any:
    return x.permute(*axes)


@call.replaces(numpy.concatenate)
def concatenate(parts: Any, axis: int = 0) -> Any:
    return torch.cat(parts, dim=axis)
