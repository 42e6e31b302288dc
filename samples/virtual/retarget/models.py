"""A basic recurrent network, written for numpy and written for torch."""

# mypy: ignore-errors

from __future__ import annotations

from typing import Any

import numpy
import torch


def rnn_numpy(inputs: Any, seq_len: Any, w: Any, b: Any, init_state: Any) -> Any:
    inputs_time_major = numpy.transpose(inputs, (1, 0, 2))
    max_seq_len = numpy.max(seq_len)
    state = init_state
    for i in numpy.arange(max_seq_len):
        x = inputs_time_major[i]
        h = numpy.concatenate((x, state), axis=1)
        new = numpy.tanh(numpy.matmul(h, w) + b)
        running = (seq_len > i).reshape(-1, 1)
        state = numpy.where(running, new, state)
    return state


def rnn_torch(inputs: Any, seq_len: Any, w: Any, b: Any, init_state: Any) -> Any:
    inputs_time_major = torch.transpose(inputs, 0, 1)
    max_seq_len = torch.max(seq_len)
    state = init_state
    for i in torch.arange(max_seq_len):
        x = inputs_time_major[i]
        h = torch.cat((x, state), dim=1)
        new = torch.tanh(torch.mm(h, w) + b)
        running = (seq_len > i).view(-1, 1)
        state = torch.where(running, new, state)
    return state
