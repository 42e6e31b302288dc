"""Puts the stand-in's parts under the names that scripts import."""

import os
import sys
from types import ModuleType
from typing import Any

import numpy as np

import collectives
import core
import dataset
import files
import nets


class Plain:
    """An object whose every attribute is a function that does nothing: settings."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: []


def module(name: str, **members: Any) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(members)
    made.__dict__["__path__"] = []
    sys.modules[name] = made
    parent, _, last = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], last, made)
    return made


def random_normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, **_: Any) -> core.Tensor:
    return core.Tensor(core.GENERATOR.normal(mean, stddev, tuple(core.raw(n) for n in shape)))


def random_uniform(shape: Any, minval: float = 0.0, maxval: float = 1.0, **_: Any) -> core.Tensor:
    return core.Tensor(core.GENERATOR.uniform(minval, maxval, tuple(shape)))


def constant(x: Any, dtype: Any = None, **_: Any) -> core.Tensor:
    return core.Tensor(np.asarray(core.raw(x), dtype=dtype))


def tf_print(*values: Any, **_: Any) -> None:
    print(*(core.raw(v) for v in values))


def zeros_like(x: Any) -> core.Tensor:
    return core.Tensor(np.zeros_like(core.raw(x)))


def ones_like(x: Any) -> core.Tensor:
    return core.Tensor(np.ones_like(core.raw(x)))


def argmax(x: Any, axis: int = 0, **_: Any) -> core.Tensor:
    return core.Tensor(np.argmax(core.raw(x), axis))


def equal(a: Any, b: Any) -> core.Tensor:
    return core.Tensor(core.raw(a) == core.raw(b))


def install_tensorflow() -> ModuleType:
    tf = module("tensorflow", Tensor=core.Tensor, Variable=core.Variable, function=core.function,
                GradientTape=core.GradientTape, constant=constant, print=tf_print, cast=core.cast,
                convert_to_tensor=constant, matmul=core.matmul, reduce_mean=core.reduce_mean,
                reduce_sum=core.reduce_sum, square=core.square, sqrt=core.sqrt, exp=core.exp,
                reshape=core.reshape, concat=core.concat, stack=core.stack, argmax=argmax,
                equal=equal, one_hot=core.one_hot, zeros_like=zeros_like, ones_like=ones_like,
                clip_by_value=core.clip_by_value, clip_by_global_norm=core.clip_by_global_norm,
                float32="float64", float64="float64", int32="int32", int64="int64",
                abs=core.absolute, tanh=core.tanh, sigmoid=core.sigmoid, range=np.arange,
                zeros=lambda shape, **_: core.Tensor(np.zeros(shape)),
                ones=lambda shape, **_: core.Tensor(np.ones(shape)))
    settings = Plain()
    module("tensorflow.config", experimental=settings, list_physical_devices=lambda *_: [],
           set_visible_devices=lambda *_: None)
    module("tensorflow.random", normal=random_normal, uniform=random_uniform,
           set_seed=lambda seed: None)
    module("tensorflow.math", log=core.log, exp=core.exp, square=core.square,
           reduce_mean=core.reduce_mean, reduce_sum=core.reduce_sum, argmax=argmax, equal=equal)
    module("tensorflow.nn", relu=core.relu, softmax=core.softmax, sigmoid=core.sigmoid,
           tanh=core.tanh, leaky_relu=core.leaky_relu)
    module("tensorflow.data", Dataset=dataset.Dataset, AUTOTUNE=-1, experimental=Plain())
    module("tensorflow.train", Checkpoint=files.Checkpoint,
           CheckpointManager=files.CheckpointManager, latest_checkpoint=files.latest_checkpoint)
    module("tensorflow.summary", create_file_writer=files.Writer, scalar=files.scalar,
           create_noop_writer=lambda: files.Writer(None))
    module("tensorflow.io.gfile", makedirs=lambda p: os.makedirs(p, exist_ok=True))
    return tf


def install_keras(name: str) -> ModuleType:
    keras = module(name, Model=nets.Model, Sequential=nets.Sequential,
                   Input=lambda *_, **__: nets.Simple())
    module(f"{name}.layers", Layer=nets.Layer, Dense=nets.Dense, Flatten=nets.Flatten,
           Dropout=nets.Simple, Activation=nets.Activation, InputLayer=nets.Simple,
           Input=lambda *_, **__: nets.Simple(), ReLU=lambda: nets.Activation("relu"))
    module(f"{name}.models", Model=nets.Model, Sequential=nets.Sequential)
    module(f"{name}.losses", **{k: v for k, v in vars(nets).items() if k.endswith(("Error", "py"))})
    module(f"{name}.metrics", Mean=nets.Mean, Accuracy=nets.Accuracy,
           SparseCategoricalAccuracy=nets.Accuracy, BinaryAccuracy=nets.Accuracy)
    module(f"{name}.callbacks", **{k: v for k, v in vars(nets).items() if isinstance(v, type)
                                   and issubclass(v, nets.Callback)})
    module(f"{name}.utils", Progbar=nets.Progbar)
    optimizers = module(f"{name}.optimizers", Adam=nets.Adam, SGD=nets.SGD, RMSprop=nets.RMSprop,
                        Optimizer=nets.Optimizer)
    module(f"{name}.optimizers.legacy", Adam=nets.LegacyAdam)
    module(f"{name}.optimizers.schedules", LearningRateSchedule=nets.Schedule,
           **{k: v for k, v in vars(nets).items() if k.endswith("Decay")})
    module(f"{name}.initializers")
    keras.__dict__["backend"] = module(f"{name}.backend")
    keras.optimizers = optimizers                       # type: ignore[attr-defined]
    return keras


def install_horovod() -> None:
    members = dict(init=collectives.init, rank=collectives.rank, size=collectives.size,
                   local_rank=collectives.rank, local_size=collectives.size,
                   allreduce=collectives.allreduce, broadcast=collectives.broadcast,
                   DistributedOptimizer=collectives.DistributedOptimizer)
    callbacks = {k: v for k, v in vars(collectives).items() if k.endswith("Callback")}
    module("horovod")
    module("horovod.tensorflow", **members, Average="Average", Sum="Sum", Min="Min", Max="Max",
           DistributedGradientTape=collectives.DistributedGradientTape,
           broadcast_variables=collectives.broadcast_variables,
           broadcast_object=collectives.broadcast_object)
    # As in 0.28.1, this module lacks the tape and the broadcasts.
    module("horovod.tensorflow.keras", **members)
    module("horovod.tensorflow.keras.callbacks", **callbacks)


def install() -> None:
    tf = install_tensorflow()
    install_keras("keras")
    keras = install_keras("tensorflow.keras")
    for part in ("losses", "metrics", "optimizers", "initializers"):
        setattr(tf, part, getattr(keras, part))
    install_horovod()
