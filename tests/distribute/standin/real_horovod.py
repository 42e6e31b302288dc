"""`horovod` of the stand-in for real TensorFlow: collectives go over the line of `world`."""

import json
import sys
from types import ModuleType
from typing import Any

import numpy as np
import tensorflow as tf

import world

Average, Sum, Min, Max = "Average", "Sum", "Min", "Max"
TOGETHER = {"op": Average}


def init() -> None:
    world.INITIALISED = True


def rank() -> int:
    world.exchange_needed()
    return world.RANK


def size() -> int:
    world.exchange_needed()
    return world.SIZE


def exchange_all(op: str, values: "list[Any]") -> "list[Any]":
    """In the order of the list, in graphs, too."""
    def plain(*arrays: Any) -> "list[Any]":
        return [world.exchange("allreduce", array.numpy(), op=op).astype(array.numpy().dtype)
                for array in arrays]
    values = [tf.convert_to_tensor(value) for value in values]
    if tf.executing_eagerly():
        return [tf.constant(array) for array in plain(*values)]
    done = tf.py_function(plain, values, [value.dtype for value in values])
    for result, value in zip(done, values):
        result.set_shape(value.shape)
    return list(done)


def allreduce(value: Any, op: str = Average, **_: Any) -> Any:
    return exchange_all(op, [value])[0]


def broadcast_variables(variables: Any, root_rank: int = 0) -> None:
    for v in variables:
        v.assign(world.exchange("broadcast", np.asarray(v.numpy()), root=root_rank))


def broadcast_object(value: Any = None, root_rank: int = 0, **_: Any) -> Any:
    return json.loads(world.exchange("broadcast_object", json.dumps(value).encode(),
                                     root=root_rank))


def reduce_grads(grads: Any) -> Any:
    flat = tf.nest.flatten(grads)
    done = iter(exchange_all(Average, [g for g in flat if g is not None]))
    return tf.nest.pack_sequence_as(grads, [None if g is None else next(done) for g in flat])


class DistributedGradientTape:
    def __init__(self, tape: Any) -> None:
        self.tape = tape

    def gradient(self, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(sources, (list, tuple)):
            raise KeyError("as in 0.28.1, sources are a list")
        return reduce_grads(self.tape.gradient(target, sources, *args, **kwargs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tape, name)


def DistributedOptimizer(optimizer: Any) -> Any:
    plain = optimizer.apply

    def apply(grads: Any, variables: Any = None) -> Any:
        return plain(reduce_grads(list(grads)), variables)

    object.__setattr__(optimizer, "apply", apply)
    return optimizer


class BroadcastGlobalVariablesCallback(tf.keras.callbacks.Callback):    # type: ignore[misc]
    def __init__(self, root_rank: int) -> None:
        super().__init__()
        self.root_rank, self.done = root_rank, False

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        if not self.done:
            self.done = True
            broadcast_variables(self.model.variables, self.root_rank)
            broadcast_variables(self.model.optimizer.variables, self.root_rank)


class MetricAverageCallback(tf.keras.callbacks.Callback):               # type: ignore[misc]
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        for name in sorted(logs or {}):
            logs[name] = float(allreduce(tf.constant(float(logs[name]))))


def install() -> None:
    me = dict(globals(), local_rank=rank, local_size=size)
    for name in ("horovod", "horovod.tensorflow", "horovod.tensorflow.keras",
                 "horovod.tensorflow.keras.callbacks"):
        made = ModuleType(name)
        made.__dict__.update({k: v for k, v in me.items() if not k.startswith("_")}, __path__=[])
        sys.modules[name] = made
    sys.modules["horovod.tensorflow.keras"].callbacks = (       # type: ignore[attr-defined]
        sys.modules["horovod.tensorflow.keras.callbacks"])
    for part, whole in (("tensorflow", "horovod"), ("keras", "horovod.tensorflow")):
        setattr(sys.modules[whole], part, sys.modules[f"{whole}.{part}"])
