"""`tf.keras` of the stand-in: layers, losses, metrics, optimizers, and a `fit`."""

import csv
import itertools
from typing import Any

import numpy as np

import core
import dataset
import files
import world
from core import Tensor, Variable, raw, tensor

# ---- layers and models ----


class Layer:
    def __init__(self, *_: Any, **__: Any) -> None:
        self.built, self.own = False, []        # type: bool, list[Variable]

    def build(self, shape: Any) -> None:
        pass

    def add_weight(self, name: str = "", shape: Any = (), initializer: Any = None,
                   trainable: bool = True, **_: Any) -> Variable:
        shape = tuple(shape)
        value = np.zeros(shape) if initializer == "zeros" else core.GENERATOR.normal(0, 0.4, shape)
        self.own.append(Variable(value, trainable, name))
        return self.own[-1]

    def call(self, x: Any) -> Any:
        return x

    def __call__(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        if not self.built:
            self.built = True
            self.build(getattr(raw(x), "shape", ()))
        if not self.takes_training():
            kwargs.pop("training", None)
        return self.call(x, *args, **kwargs)

    def takes_training(self) -> bool:
        return "training" in self.call.__code__.co_varnames

    def parts(self) -> "list[Layer]":
        found: "list[Layer]" = []
        for value in self.__dict__.values():
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(item, Layer) and item not in found:
                    found.append(item)
        return found

    @property
    def variables(self) -> "list[Variable]":
        held = [v for v in self.__dict__.values() if isinstance(v, Variable)]
        mine = [*self.own, *(v for v in held if all(v is not w for w in self.own))]
        return [*mine, *(v for part in self.parts() for v in part.variables)]

    weights = variables

    @property
    def trainable_variables(self) -> "list[Variable]":
        return [v for v in self.variables if v.trainable]

    trainable_weights = trainable_variables

    def get_weights(self) -> Any:
        return [v.numpy() for v in self.variables]

    def set_weights(self, values: Any) -> None:
        for v, value in zip(self.variables, values):
            v.assign(value)


ACTIVATIONS: "dict[Any, Any]" = {
    None: lambda x: x, "linear": lambda x: x, "relu": core.relu, "sigmoid": core.sigmoid,
    "tanh": core.tanh, "softmax": core.softmax}


def activation_of(x: Any) -> Any:
    return x if callable(x) else ACTIVATIONS[x]


class Dense(Layer):
    def __init__(self, units: int, activation: Any = None, **_: Any) -> None:
        super().__init__()
        self.units, self.activation = units, activation_of(activation)

    def build(self, shape: Any) -> None:
        self.kernel = self.add_weight("kernel", (shape[-1], self.units))
        self.bias = self.add_weight("bias", (self.units,), "zeros")

    def call(self, x: Any) -> Any:
        return self.activation(core.matmul(core.cast(x, "float64"), self.kernel) + self.bias)


class Flatten(Layer):
    def call(self, x: Any) -> Any:
        return core.reshape(x, (tensor(x).shape[0], -1))


class Activation(Layer):
    def __init__(self, f: Any) -> None:
        super().__init__()
        self.f = activation_of(f)

    def call(self, x: Any) -> Any:
        return self.f(x)


class Simple(Layer):
    """Dropout, Input: they change nothing here."""


class Model(Layer):
    optimizer: Any = None
    stop_training = False

    def __init__(self, *_: Any, name: str = "model", **__: Any) -> None:
        super().__init__()
        self.name = name

    def summary(self, *_: Any, **__: Any) -> None:
        print(f"Model: {self.name}")

    def compile(self, optimizer: Any = "rmsprop", loss: Any = None, metrics: Any = None,
                **_: Any) -> None:
        self.optimizer = optimizer_of(optimizer)
        self.loss = LOSSES[loss]() if isinstance(loss, str) else loss
        self.metric_names = [m if isinstance(m, str) else m.name for m in metrics or []]

    def save_weights(self, path: str, **_: Any) -> None:
        files.write(path, self.variables)

    def save(self, path: str, **_: Any) -> None:
        files.write(path, self.variables)

    def load_weights(self, path: str, **_: Any) -> None:
        files.read(path, self.variables)

    def train_step(self, data: Any) -> Any:
        x, y = data
        with core.GradientTape() as tape:
            loss = self.loss(y, self(x, training=True))
        if hasattr(self.optimizer, "distributed"):
            tape = self.optimizer.distributed(tape)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}

    def batches(self, x: Any, y: Any, batch_size: int, shuffle: bool) -> Any:
        if not isinstance(x, dataset.Dataset):
            data = dataset.Dataset.from_tensor_slices((x, y))
            return (data.shuffle(len(data)) if shuffle else data).batch(batch_size or 32)
        return x

    def fit(self, x: Any = None, y: Any = None, batch_size: Any = None, epochs: int = 1,
            verbose: Any = 1, callbacks: Any = None, validation_data: Any = None,
            steps_per_epoch: Any = None, initial_epoch: int = 0, shuffle: bool = True,
            **_: Any) -> Any:
        data, history = self.batches(x, y, batch_size, shuffle), History()
        every = [*(callbacks or []), history]
        batches = iter(data) if steps_per_epoch else None
        self.stop_training = False
        for callback in every:
            callback.set_model(self)
        call(every, "on_train_begin")
        for epoch in range(initial_epoch, epochs):
            call(every, "on_epoch_begin", epoch)
            logs = self.one_epoch(batches or iter(data), steps_per_epoch, every)
            if validation_data is not None:
                x_val, y_val = pair(validation_data)
                found = self.evaluate(x_val, y_val, verbose=0)
                logs["val_loss"] = found[0] if isinstance(found, list) else found
            call(every, "on_epoch_end", epoch, logs)
            if verbose:
                print(f"Epoch {epoch + 1}/{epochs} loss: {logs['loss']:.4f}")
            if self.stop_training:
                break
        call(every, "on_train_end")
        return history

    def one_epoch(self, batches: Any, steps: Any, every: Any) -> "dict[str, float]":
        losses = []
        for number, batch in enumerate(itertools.islice(batches, steps)):
            call(every, "on_batch_begin", number)
            logs = {k: float(v) for k, v in self.train_step(batch).items()}
            losses.append(logs["loss"])
            call(every, "on_batch_end", number, logs)
        return {"loss": float(np.mean(losses)) if losses else 0.0}

    def evaluate(self, x: Any, y: Any = None, batch_size: Any = None, verbose: Any = 1,
                 **_: Any) -> Any:
        found, hits, rows = [], 0.0, 0
        for bx, by in self.batches(x, y, batch_size, False):
            predicted = self(bx, training=False)
            found.append(float(self.loss(by, predicted)))
            hits += float(accuracy(by, predicted)) * len(by)
            rows += len(by)
        result = [float(np.mean(found)), *(hits / rows for _ in self.metric_names)]
        if verbose:
            print("evaluate: " + " ".join(f"{v:.4f}" for v in result))
        return result if len(result) > 1 else result[0]

    def predict(self, x: Any, verbose: Any = 1, **_: Any) -> Any:
        if verbose:
            print("predict")
        return raw(self(tensor(x), training=False))


def pair(data: Any) -> Any:
    return data if isinstance(data, tuple) else (data, None)


class Sequential(Model):
    def __init__(self, layers: Any = (), name: str = "sequential") -> None:
        super().__init__(name=name)
        self.layers = list(layers)

    def add(self, layer: Any) -> None:
        self.layers.append(layer)

    def call(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x


# ---- losses and metrics ----

class Loss:
    def __init__(self, from_logits: bool = False, **_: Any) -> None:
        self.from_logits = from_logits

    def __call__(self, y: Any, p: Any, **_: Any) -> Tensor:
        return self.call(tensor(y), tensor(p))

    def call(self, y: Tensor, p: Tensor) -> Tensor:
        raise NotImplementedError


class MeanSquaredError(Loss):
    def call(self, y: Tensor, p: Tensor) -> Tensor:
        return core.reduce_mean(core.square(p - core.reshape(core.cast(y, "float64"), p.shape)))


class SparseCategoricalCrossentropy(Loss):
    def call(self, y: Tensor, p: Tensor) -> Tensor:
        p = core.softmax(p) if self.from_logits else p
        hot = core.one_hot(raw(y).reshape(-1), p.shape[-1])
        return -core.reduce_mean(core.log(core.reduce_sum(p * hot, axis=-1) + 1e-9))


class CategoricalCrossentropy(Loss):
    def call(self, y: Tensor, p: Tensor) -> Tensor:
        p = core.softmax(p) if self.from_logits else p
        return -core.reduce_mean(core.log(core.reduce_sum(p * y, axis=-1) + 1e-9))


class BinaryCrossentropy(Loss):
    def call(self, y: Tensor, p: Tensor) -> Tensor:
        p = core.sigmoid(p) if self.from_logits else p
        y = core.reshape(core.cast(y, "float64"), p.shape)
        return -core.reduce_mean(y * core.log(p + 1e-9) + (1.0 - y) * core.log(1.0 - p + 1e-9))


LOSSES = {"mse": MeanSquaredError, "mean_squared_error": MeanSquaredError,
          "binary_crossentropy": BinaryCrossentropy,
          "sparse_categorical_crossentropy": SparseCategoricalCrossentropy}


def accuracy(y: Any, p: Any) -> float:
    y, p = raw(y), raw(p)
    guess = p.argmax(-1) if p.ndim > 1 and p.shape[-1] > 1 else (p.reshape(-1) > 0.5)
    return float((guess == np.asarray(y).reshape(-1)).mean())


class Mean:
    def __init__(self, name: str = "mean", **_: Any) -> None:
        self.name = name
        self.reset_state()

    def reset_state(self) -> None:
        self.total, self.count = 0.0, 0

    reset_states = reset_state

    def update_state(self, value: Any, *_: Any) -> None:
        self.total += float(np.mean(raw(value)))
        self.count += 1

    def __call__(self, *args: Any) -> Tensor:
        self.update_state(*args)
        return self.result()

    def result(self) -> Tensor:
        return Tensor(self.total / max(1, self.count))


class Accuracy(Mean):
    def update_state(self, y: Any, *p: Any) -> None:
        super().update_state(accuracy(y, p[0]))


# ---- optimizers ----

class Schedule:
    def __call__(self, step: Any) -> Any:
        raise NotImplementedError


class ExponentialDecay(Schedule):
    def __init__(self, initial_learning_rate: float, decay_steps: float, decay_rate: float,
                 staircase: bool = False, **_: Any) -> None:
        self.rate, self.steps, self.decay = initial_learning_rate, decay_steps, decay_rate

    def __call__(self, step: Any) -> float:
        return float(self.rate * self.decay ** (raw(step) / self.steps))


class CosineDecay(Schedule):
    def __init__(self, initial_learning_rate: float, decay_steps: float, **_: Any) -> None:
        self.rate, self.steps = initial_learning_rate, decay_steps

    def __call__(self, step: Any) -> float:
        part = min(float(raw(step)), self.steps) / self.steps
        return float(self.rate * 0.5 * (1 + np.cos(np.pi * part)))


class PolynomialDecay(CosineDecay):
    def __init__(self, initial_learning_rate: float, decay_steps: float,
                 end_learning_rate: float = 0.0001, **_: Any) -> None:
        super().__init__(initial_learning_rate, decay_steps)
        self.end = end_learning_rate

    def __call__(self, step: Any) -> float:
        part = min(float(raw(step)), self.steps) / self.steps
        return float((self.rate - self.end) * (1 - part) + self.end)


class PiecewiseConstantDecay(Schedule):
    def __init__(self, boundaries: Any, values: Any, **_: Any) -> None:
        self.boundaries, self.values = boundaries, values

    def __call__(self, step: Any) -> float:
        return float(self.values[sum(raw(step) > b for b in self.boundaries)])


class Optimizer:
    default = 0.01
    numbers = itertools.count()

    def __init__(self, learning_rate: Any = None, *_: Any, **more: Any) -> None:
        rate = self.default if learning_rate is None else learning_rate
        self.schedule = rate if isinstance(rate, Schedule) else None
        self.rate = Variable(0.0 if self.schedule else rate, False, "rate")
        self.iterations = Variable(0, False, "iterations")
        self.slots: "dict[int, list[Variable]]" = {}
        self.name = f"{type(self).__name__}{next(Optimizer.numbers)}"
        self.more = more

    @property
    def learning_rate(self) -> Any:
        return self.schedule or self.rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        self.rate.assign(value)

    lr = learning_rate

    @property
    def variables(self) -> Any:
        return [self.iterations, self.rate, *(v for slot in self.slots.values() for v in slot)]

    def apply_gradients(self, grads_and_vars: Any, **_: Any) -> Variable:
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        rate = self.schedule(self.iterations.value) if self.schedule else float(self.rate)
        world.note_step(self.name, [v for _, v in pairs], rate)
        self.iterations.assign_add(1)
        for g, v in pairs:
            slot = self.slots.setdefault(id(v), [
                Variable(np.zeros(v.shape), False, "slot") for _ in range(2)])
            v.assign_sub(self.update(raw(g), slot, rate))
        return self.iterations

    def apply(self, grads: Any, variables: Any) -> Variable:
        return self.apply_gradients(zip(grads, variables))

    def minimize(self, loss: Any, var_list: Any, tape: Any = None) -> Variable:
        with core.GradientTape() as own:
            value = loss() if callable(loss) else loss
        return self.apply(((tape or own).gradient(value, var_list)), var_list)

    def update(self, g: Any, slot: Any, rate: float) -> Any:
        return rate * g


class SGD(Optimizer):
    def update(self, g: Any, slot: Any, rate: float) -> Any:
        momentum = self.more.get("momentum", 0.0)
        slot[0].assign(momentum * slot[0].value + g)
        return rate * slot[0].value


class Adam(Optimizer):
    default = 0.001

    def update(self, g: Any, slot: Any, rate: float) -> Any:
        t = int(self.iterations)
        slot[0].assign(0.9 * slot[0].value + 0.1 * g)
        slot[1].assign(0.999 * slot[1].value + 0.001 * g * g)
        m, v = slot[0].value / (1 - 0.9 ** t), slot[1].value / (1 - 0.999 ** t)
        return rate * m / (np.sqrt(v) + 1e-7)


class RMSprop(Optimizer):
    default = 0.001

    def update(self, g: Any, slot: Any, rate: float) -> Any:
        slot[0].assign(0.9 * slot[0].value + 0.1 * g * g)
        return rate * g / (np.sqrt(slot[0].value) + 1e-7)


class LegacyAdam(Adam):
    """`optimizers.legacy`: `variables` is a method."""
    def variables(self) -> Any:
        return [self.iterations, *(v for slot in self.slots.values() for v in slot)]


OPTIMIZERS = {"adam": Adam, "sgd": SGD, "rmsprop": RMSprop}


def optimizer_of(x: Any) -> Any:
    return OPTIMIZERS[x.lower()]() if isinstance(x, str) else x


# ---- callbacks ----

def call(callbacks: Any, method: str, *args: Any) -> None:
    for callback in callbacks:
        getattr(callback, method)(*args)


class Callback:
    model: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs

    def set_model(self, model: Any) -> None:
        self.model = model

    def on_train_begin(self, logs: Any = None) -> None: ...
    def on_train_end(self, logs: Any = None) -> None: ...
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None: ...
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None: ...
    def on_batch_begin(self, batch: int, logs: Any = None) -> None: ...
    def on_batch_end(self, batch: int, logs: Any = None) -> None: ...


class History(Callback):
    def on_train_begin(self, logs: Any = None) -> None:
        self.history: "dict[str, list[float]]" = {}

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        for k, v in (logs or {}).items():
            self.history.setdefault(k, []).append(v)


class ModelCheckpoint(Callback):
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        path = self.args[0] if self.args else self.kwargs["filepath"]
        self.model.save_weights(path.format(epoch=epoch + 1))


class CSVLogger(Callback):
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        with open(self.args[0], "a", encoding="utf-8", newline="") as out:
            csv.writer(out).writerow([epoch, round(logs["loss"], 5)])


class TensorBoard(Callback):
    def on_train_begin(self, logs: Any = None) -> None:
        files.Writer(self.kwargs.get("log_dir") or self.args[0]).put("start")


class EarlyStopping(Callback):
    def on_train_begin(self, logs: Any = None) -> None:
        self.best, self.bad = float("inf"), 0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        value = (logs or {})[self.kwargs.get("monitor", "loss")]
        self.bad = 0 if value < self.best - self.kwargs.get("min_delta", 0) else self.bad + 1
        self.best = min(self.best, value)
        self.model.stop_training = self.bad > self.kwargs.get("patience", 0)


class ReduceLROnPlateau(EarlyStopping):
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        super().on_epoch_end(epoch, logs)
        if self.model.stop_training:
            self.model.optimizer.rate.assign(self.model.optimizer.rate * 0.5)
            self.model.stop_training = False


class LearningRateScheduler(Callback):
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.model.optimizer.rate.assign(self.args[0](epoch))


class LambdaCallback(Callback):
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if f := self.kwargs.get("on_epoch_end"):
            f(epoch, logs)


class Progbar:
    def __init__(self, target: Any, **_: Any) -> None:
        self.target = target

    def update(self, n: Any, *_: Any, **__: Any) -> None:
        print(f"{n}/{self.target}")

    def add(self, n: Any, *_: Any, **__: Any) -> None:
        print(f"+{n}")
