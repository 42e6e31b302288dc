"""`horovod.tensorflow` of the stand-in."""

import json
from typing import Any

import numpy as np

import core
import nets
import world

Average, Sum, Min, Max = "Average", "Sum", "Min", "Max"


def init() -> None:
    world.INITIALISED = True


def rank() -> int:
    world.exchange_needed()
    return world.RANK


def size() -> int:
    world.exchange_needed()
    return world.SIZE


def allreduce(value: Any, average: Any = None, op: Any = None, name: Any = None, **_: Any) -> Any:
    op = op or (Sum if average is False else Average)
    array = np.asarray(core.raw(value))
    kept = array.astype("float64") if op == Average else array
    return core.Tensor(world.exchange("allreduce", kept, op=op))


def broadcast(value: Any, root_rank: int = 0, name: Any = None) -> Any:
    return core.Tensor(world.exchange("broadcast", np.asarray(core.raw(value)), root=root_rank))


def broadcast_variables(variables: Any, root_rank: int = 0) -> None:
    for v in variables:
        v.assign(world.exchange("broadcast", v.value, root=root_rank))


def broadcast_object(value: Any = None, root_rank: int = 0, name: Any = None) -> Any:
    text = json.dumps(value, default=core.Tensor.item).encode()
    return json.loads(world.exchange("broadcast_object", text, root=root_rank))


def reduce_grads(grads: Any) -> Any:
    return core.map_structure(
        lambda g: None if g is None else allreduce(g), grads)


class DistributedGradientTape:
    def __init__(self, gradtape: Any, *_: Any, **__: Any) -> None:
        self.tape = gradtape

    def gradient(self, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(sources, (list, tuple)):
            raise KeyError("as in 0.28.1, sources are a list")
        return reduce_grads(self.tape.gradient(target, sources, *args, **kwargs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tape, name)

    def __enter__(self) -> Any:
        self.tape.__enter__()
        return self

    def __exit__(self, *args: Any) -> None:
        self.tape.__exit__(*args)


def DistributedOptimizer(optimizer: Any, *_: Any, **__: Any) -> Any:
    """Reduces what it is given: for `fit` only."""
    plain = optimizer.apply_gradients

    def apply_gradients(pairs: Any, **more: Any) -> Any:
        pairs = list(pairs)
        return plain([(None if g is None else allreduce(g), v) for g, v in pairs], **more)

    optimizer.apply_gradients = apply_gradients
    return optimizer


class BroadcastGlobalVariablesCallback(nets.Callback):
    done = False

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        if not self.done:
            self.done = True
            broadcast_variables(self.model.variables, self.args[0])
            broadcast_variables(self.model.optimizer.variables, self.args[0])


class MetricAverageCallback(nets.Callback):
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        for name in sorted(logs or {}):
            logs[name] = float(allreduce(logs[name]))


class LearningRateWarmupCallback(nets.Callback):
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        warm, rate = self.kwargs["warmup_epochs"], self.kwargs["initial_lr"]
        if epoch < warm:
            self.model.optimizer.rate.assign(rate / size() * (1 + epoch * (size() - 1) / warm))
