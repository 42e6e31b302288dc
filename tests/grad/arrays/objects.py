"""Programs with dicts, classes, named tuples and asserts, as larger programs have them."""

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from pychoral.ad import Array, Float, Int

RANGES = {"groups": {"k": (0, 3)}, "newton": {"a": (0.5, 2.0)}} | {
    name: {"steps": (0, 5)} for name in ("changed_in_rounds", "optimizer", "moving", "walked")} | {
    name: {"k": (0, 4)} for name in ("frozen", "constant_items")} | {"nested_state": {"t": (0, 4)}}
EMPTY = ("params", "groups", "carried", "stacked", "network", "counted", "moving", "walked",
         "filtered", "truths", "shared_dict", "layers", "breaks", "nested_breaks",
         "break_with_record", "counting", "picked", "nested_state", "closure_store",
         "frozen", "chosen_tuple", "break_stores", "constant_items")

SCALES = {"w": 0.5, "b": 2.0}


# dicts

def params(w: Float[Array, "d h"], b: Float[Array, "h"], x: Float[Array, "n d"]) -> float:
    p = {"w": w * 1.0, "b": b}
    p["b"] = p["b"] * 2.0
    p["w"] += 0.5
    h = np.tanh(x @ p["w"] + p["b"])
    return np.sum(h ** 2) * len(p) + (1.0 if "b" in p else 0.0) + (1.0 if "c" in p else 0.5)


def groups(x: Float[Array, "n"], k: Int[Array, "n"]) -> float:
    found = {}
    for i in range(3):
        found[i] = np.sum(np.where(k == i, x, 0.0))
    found[(1, "all")] = np.sum(x) ** 2
    return sum(v ** 2 for v in found.values()) + found[2] + found[1, "all"]


def _affine(p, x):
    return x * p["w"] + p.get("b", 0.0) + p.get("c", 1.0)


def _step(p, grads, rate=0.1):
    return {k: v - rate * grads[k] for k, v in p.items()}


def descent(a: float, b: float, x: Float[Array, "n"]) -> float:
    p = dict(w=a, b=b)
    for _ in range(3):
        e = _affine(p, x)
        p = _step(p, {"w": np.sum(e * x), "b": np.sum(e)})
    return np.sum(_affine({**p, "c": a * b}, x) ** 2) + sum(SCALES[k] * p[k] for k in p)


def _lstm(state, x, w):
    gates = {name: w[i] @ np.array([x, state["h"]]) for i, name in enumerate(["f", "i", "g"])}
    c = np.tanh(gates["f"]) * state["c"] + np.tanh(gates["i"]) * gates["g"]
    return {"h": np.tanh(c), "c": c}


def carried(w: Float[Array, "3 2"], xs: Float[Array, "T"]) -> float:
    state = {"h": 0.0, "c": 1.0}
    for x in xs:
        state = _lstm(state, x, w)
    return state["h"] + state["c"] ** 2


def changed_in_rounds(a: Float[Array, "n n"], b: Float[Array, "n"], steps: int) -> float:
    s = {"x": np.zeros(len(b)), "k": 0, "name": "jacobi"}
    for _ in range(steps):
        s["x"] = 0.1 * (a @ s["x"]) + b
        s["x"][0] += 0.5
        s["k"] += 1
    assert s["name"] == "jacobi"
    return np.sum(s["x"] ** 2) + s["k"]


def stacked(x: Float[Array, "2 n"], y: Float[Array, "2"]) -> float:
    p = {f"w{i}": x[i] for i in range(2)}
    p.update({"b" + str(i): y[i] for i in range(2)}, scale=0.5)
    h = 0.0
    for i in range(2):
        h = np.tanh(h + p[f"w{i}"] * p[f"b{i}"])
    q = p.copy()
    q["scale"] = 2.0
    return np.sum(h) * p["scale"] + q["scale"]


def shared_dict(x: Float[Array, "n"]) -> float:
    p = {"a": x * 2.0, "n": 0.0}
    q = {"p": p}

    def add(d, v):
        d["n"] += v
        d["a"] = d["a"] * 0.5

    r = q["p"]
    add(r, 1.5)
    q["p"]["n"] *= 3.0
    total = np.sum(p["a"] ** 2) * p["n"]
    if total > 1.0:
        add(p, total)
    else:
        r["n"] = -total
    return total + np.sum(r["a"]) + q["p"]["n"]


def filtered(x: Float[Array, "n"], s: float) -> float:
    p = {"w": x, "b": x * s, "t": s * np.ones(len(x))}
    kept = {k: v for k, v in p.items() if k not in ("b",)}
    norms = [np.sum(v ** 2) for v in kept.values()]
    for name, v in zip(kept, norms):
        p[name] = v
    return _keywords(**{"w": p["w"], "t": p["t"]}) + len(kept) + sum(norms)


def _keywords(w, *rest, t=1.0, **other):
    return w * t + len(rest) + len(other)


def lists_of_params(x: Float[Array, "n 2"], w: Float[Array, "2 2 2"]) -> float:
    net = [{"w": w[i], "b": float(i)} for i in range(2)]
    net[1]["b"] = net[0]["b"] - 0.25
    for layer in net:
        x = np.tanh(x @ layer["w"] + layer["b"])
    seen = _keywords(1.0, 2.0, 3.0, t=0.5, u=1.0)
    return np.sum(x ** 2) + seen


# classes

class _Net:
    scale = 2.0

    def __init__(self, w, b, slope=0.1):
        self.w, self.b = w, b
        self.slope = slope

    def __call__(self, x):
        z = x @ self.w + self.b
        return np.where(z > 0.0, z, self.slope * z) * self.scale

    @property
    def size(self):
        return np.sum(self.w ** 2)

    @staticmethod
    def twice(x):
        return 2.0 * x

    @classmethod
    def ones(cls, w):
        return cls(np.ones_like(w), 0.5)


def network(w: Float[Array, "d h"], b: Float[Array, "h"], x: Float[Array, "n d"]) -> float:
    net = _Net(w, b, slope=0.2)
    return np.sum(net(x) ** 2) + net.size + _Net.twice(np.sum(_Net.ones(w)(x)))


class _Cell:
    def __init__(self, u):
        self.u = u
        self.h = 0.0
        self.seen = []

    def step(self, x):
        self.z = self.u * x + self.h
        self.h = np.tanh(self.z)
        return self.z


class _Counted(_Cell):
    def __init__(self, u, rate):
        super().__init__(u)
        self.rate = rate
        self.count = 0

    def step(self, x):
        self.count += 1
        return super().step(x) * self.rate


def counted(u: float, xs: Float[Array, "T"]) -> float:
    cell, total = _Counted(u, 0.5), 0.0
    for x in xs:
        total += cell.step(x)
    return total + cell.h * cell.count


def few_rounds(u: float, xs: Float[Array, "3"]) -> float:
    cell = _Cell(u)
    for x in xs:
        cell.seen.append(cell.step(x))
    return sum(v ** 2 for v in cell.seen) + cell.z


@dataclass
class _Adam:
    m: Array
    v: Array
    rate: float = 0.1
    past: list = field(default_factory=list)

    def __post_init__(self):
        self.t = 0

    def update(self, p, g):
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        self.v = 0.99 * self.v + 0.01 * g * g
        return p - self.rate * self.m / (1.0 + np.sqrt(self.v + 1e-3)) / self.t


def optimizer(x: Float[Array, "n"], c: Float[Array, "n"], steps: int) -> float:
    p, adam = x * 1.0, _Adam(np.zeros(len(x)), np.zeros(len(x)))
    for _ in range(steps):
        p = adam.update(p, 2.0 * (p - c))
    return np.sum((p - c) ** 2) + np.sum(adam.m) + len(adam.past)


class _State(NamedTuple):
    x: Array
    v: Array
    t: float = 0.0

    def energy(self):
        return np.sum(self.x ** 2 + self.v ** 2)


def moving(x: Float[Array, "n"], v: Float[Array, "n"], steps: int) -> float:
    s = _State(x, v)
    for _ in range(steps):
        s = s._replace(v=s.v - 0.1 * np.sin(s.x))
        s = _State(s.x + 0.1 * s.v, s.v, t=s.t + 0.1)
    place, speed, time = s
    if time > 0.15:
        s = _State(place * 2.0, speed)
    return s.energy() + s[0] @ speed + time


class _Body:
    def __init__(self, at):
        self.at = at
        self.path = np.zeros(3)

    def move(self, by):
        self.path[1:] = self.path[:-1] * 1.0
        self.path[0] = np.sum(by)
        if np.sum(by) > 0.0:
            self.at = self.at + by
        else:
            self.at -= 0.5 * by
        return self


def walked(x: Float[Array, "n"], y: Float[Array, "n"], steps: int) -> float:
    bodies = {"a": _Body(x * 1.0), "b": _Body(y * 1.0)}
    last = bodies["b"]
    for _ in range(steps):
        for body in bodies.values():
            body.move(0.3 * last.at)
    return np.sum(bodies["a"].at ** 2) + np.sum(last.at) + np.sum(last.path * np.arange(3))


class _Layer:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.act(x @ self.w)

    def act(self, x):
        return x


class _Tanh(_Layer):
    def act(self, x):
        return np.tanh(x)


class _Stack:
    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def weights(self):
        return {i: layer.w for i, layer in enumerate(self.layers)}


def layers(w: Float[Array, "d d"], v: Float[Array, "d d"], x: Float[Array, "n d"]) -> float:
    net = _Stack(_Tanh(w), _Layer(v), _Tanh(w @ v))
    hard = sum(1 for layer in net.layers if isinstance(layer, _Tanh))
    return np.sum(net.forward(x) ** 2) + hard * sum(np.sum(u) for u in net.weights().values())


# asserts and truth

def asserted(x: Float[Array, "n"], m: Float[Array, "n k"], c: int) -> float:
    assert x.ndim == 1, f"bad {x.shape}"
    assert m.shape[0] == len(x) and m.shape == (x.shape[0], m.shape[1])
    assert c > -9, "negative"
    assert len(x)
    total = 0.0
    for i in range(len(x)):
        assert total < 1e9
        total += x[i] ** 2
    assert np.all(x < 1e9)
    return total


def truths(x: Float[Array, "n"], s: float) -> float:
    if not len(x):
        return 0.0
    if len(x) and not s:
        return 1.0
    if x.size and s > 0.2 or not len(x):
        return np.mean(x) * s
    names, none = {"a": s}, []
    return np.sum(x) * (2.0 if names else 3.0) + (1.0 if none else 0.5)


# rounds that end a loop

def breaks(x: Float[Array, "n"], t: float) -> float:
    s = 0.0
    for v in x:
        s += v
        if s > t:
            break
    return s * s


def newton(a: float, n: int) -> float:
    x, rounds = 1.5, 0
    for _ in range(80):
        dx = (x * x - a) / (2.0 * x)
        x = x - dx
        rounds += 1
        if abs(dx) < 1e-3:
            break
    return x + rounds * a


def first_above(x: Float[Array, "n"], w: Float[Array, "4"], t: float) -> float:
    at, y = -1, np.zeros(len(x))
    for i, v in enumerate(x):
        y[i] = v * v
        if v > t:
            at = i
            break
        y[i] += 1.0
    for k in range(4):
        if w[k] > t:
            break
        y = y + w[k]
    else_at = k
    return np.sum(y) + at * t + else_at * np.sum(x)


def nested_breaks(m: Float[Array, "n k"], t: float) -> float:
    total, count = 0.0, 0
    for row in m:
        part = 0.0
        for v in row:
            if v < -1.0:
                continue
            if part > t:
                break
            part += v * v
        if total > 3.0:
            if part > 1.0:
                break
            count += 1
        total += part
    return total + count * t


def break_with_record(x: Float[Array, "n"], t: float) -> float:
    state = {"s": 1.0, "k": 0}
    cell = _Cell(0.5)
    for v in x:
        state["s"] = state["s"] * 0.5 + cell.step(v)
        if state["s"] > t:
            state["k"] += 3
            break
        cell.h = cell.h * v
    return state["s"] * t + state["k"] + cell.h


def known_break(x: Float[Array, "6"]) -> float:
    s = 0.0
    for i in range(6):
        if i == 4:
            break
        s += x[i] ** 2
    return s * i


def counting(x: Float[Array, "n"], m: Float[Array, "n k"]) -> float:
    i, s = 0, 0.0
    while i < len(x):
        s = s * 0.5 + x[i] ** 2
        j = 1
        while j < m.shape[1]:
            s += m[i, j] * m[i, j - 1]
            j += 1
        i += 1
    k = 0
    while k < 3:
        s = np.sin(s) + k
        k += 1
    return s * i + k


# more of them together

W = {"a": 2.0, "l": [1.0, 3.0]}


class _Scaled:
    K = np.array([1.0, 2.0, 3.0])
    depth: int = 2

    def __init__(self, w, act=None):
        self.w = w
        self.act = np.tanh if act is None else act
        self.last = None

    def __call__(self, x):
        return self.act(x * self.w)

    def scaled(self, *, by=2.0):
        self.w = self.w * by
        return self


NET = _Scaled(0.5)


class _Sine(_Scaled):
    def __init__(self, w):
        super().__init__(w, act=np.sin)
        self.extra = w * 0.5

    def __call__(self, x):
        return super().__call__(x) + self.extra


@dataclass(frozen=True)
class _Frozen:
    x: Array
    t: float = 0.5

    def step(self, dt):
        return _Frozen(self.x + dt, self.t * 2.0)


class _Pair(NamedTuple):
    w: Array
    b: float = 1.0

    @property
    def norm(self):
        return np.sum(self.w ** 2) + self.b


def _pick(c, x):
    if c > 0.0:
        return {"a": x * 2.0, "b": c}
    return {"a": x, "b": -c * c}


def module_constants(x: Float[Array, "n"]) -> float:
    return np.sum(NET(x)) + W["a"] * np.sum(x) * W["l"][1] + np.sum(_Scaled.K) * x[0] + NET.depth


def picked(x: Float[Array, "n"], c: float) -> float:
    p = _pick(c, x)
    p["a"] = p["a"] * p["b"]
    return np.sum(p["a"]) + p["b"]


def chained(x: Float[Array, "n"], c: float) -> float:
    n = _Scaled(x, lambda z: z ** 2)
    n.scaled(by=c).scaled()
    return np.sum(n(x))


def nested_state(x: Float[Array, "n"], t: int) -> float:
    s = {"p": {"w": x * 1.0, "b": 0.0}, "g": (1.0, x * 0.5)}
    for i in range(t):
        g = s["g"]
        s = {"p": {k: v * 0.9 + i for k, v in s["p"].items()},
             "g": (g[0] * 0.5, g[1] + s["p"]["w"])}
    return np.sum(s["p"]["w"]) + s["p"]["b"] + s["g"][0] + np.sum(s["g"][1] ** 2)


def cells_in_list(x: Float[Array, "n"], y: Float[Array, "n"]) -> float:
    cells = [_Scaled(x), _Scaled(y)]
    for t in range(len(x)):
        for c in cells:
            c.w = c.w * x[t] + 0.1
        cells[1].w = cells[0].w * cells[1].w
    return np.sum(cells[0].w) + np.sum(cells[1].w)


def closure_store(x: Float[Array, "n"]) -> float:
    d = {"s": 0.0}

    def add(v):
        d["s"] += v
        return d["s"]

    for v in x:
        add(v * v)
    z = add(1.0)
    return d["s"] * z


def table_in_dict(x: Float[Array, "n"]) -> float:
    d = {"y": np.zeros(len(x)), "k": 0}
    for i in range(len(x)):
        d["y"][i] = x[i] * 2.0
        if x[i] > 0.0:
            d["y"][i] += 1.0
            d["k"] += 1
    return np.sum(d["y"] ** 2) + d["k"]


def frozen(x: Float[Array, "n"], k: int) -> float:
    s = _Frozen(x)
    for _ in range(k):
        s = s.step(0.5)
        if s.t > 3.0:
            s = _Frozen(s.x * 0.5, 1.0)
    return np.sum(s.x) + s.t


def bases(x: Float[Array, "n"]) -> float:
    p = _Pair(x, b=x[0])
    q = _Sine(x)
    w, b = p
    return p.norm + np.sum(q(w)) + len(p) + p[1] * b + sum(np.sum(u) for u in [w, q.extra])


def chosen_tuple(x: Float[Array, "n"], c: float) -> float:
    p = _Pair(x, c)
    if c > 0.0:
        p = _Pair(x * 2.0)
    return p.norm


def break_stores(x: Float[Array, "n"], t: float) -> float:
    out = np.zeros(len(x))
    d = {"s": 0.0}
    for i, v in enumerate(x):
        d["s"] = d["s"] + v
        if d["s"] > t:
            out[i] = 5.0
            break
        out[i] = d["s"]
        if v < -1.5:
            continue
        d["s"] *= 0.5
    return np.sum(out * x) + d["s"]


def known_breaks(x: Float[Array, "3"], t: float) -> float:
    s = 0.0
    for i in range(3):
        for j in range(3):
            if x[j] > t + i:
                break
            s += x[i] * x[j]
        if s > 2.0:
            break
    return s + i * t + j


def second_name(x: Float[Array, "n"], s: float) -> float:
    n = _Scaled(x * 1.0)
    y = n.w
    n.w[:1] = s
    y[-1:] *= 2.0
    m = n
    m.w += 1.0
    return np.sum(y) + np.sum(n.w * x)


def constant_items(x: Float[Array, "n"], k: int) -> float:
    s = {"h": x, "c": 1.0, "kind": "a", "act": np.tanh}
    for i in range(k):
        s = {**s, "h": s["act"](s["h"]) if s["kind"] == "a" else x, "c": s["c"] * 0.5}
    return np.sum(s["h"]) + s["c"]


class _Default:
    rate = 3.0

    def __init__(self, w):
        self.ws = [w, w]


def lists_in_records(x: Float[Array, "n"]) -> float:
    d = _Default(x)
    d.rate += x[0]
    d.ws += [2.0 * x]
    d.ws = d.ws + [3.0 * x]
    return d.rate + _Default.rate + sum(np.sum(w ** 2) for w in d.ws) + len(d.ws)


def repeated_lists(x: Float[Array, "n k"]) -> float:
    z = np.zeros(x.shape + (2,)) + 1.0
    y, t = 3 * [1.0], (1.0, 2.0)
    u = t * 2
    return np.sum(z) * len(y) + len(u) * x[0, 0] + sum(t + t)


def stores_deep_inside(x: Float[Array, "n"]) -> float:
    d = {"a": {"c": 1.0}}
    d["a"]["c"] += x[0]
    d["a"]["e"] = np.zeros(3)
    d["a"]["e"][1] += x[0]
    d["a"]["e"][1:] *= 2.0
    np.exp(d["a"]["e"], out=d["a"]["e"])
    np.add.at(d["a"]["e"], np.array([0, 0]), x[0])
    return np.sum(d["a"]["e"]) + d["a"]["c"]


class _Half:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def scale(self, t):
        if t > 0.2:
            self.a *= t
        else:
            self.a = self.a + self.b


def merged_item(x: Float[Array, "3"], s: float) -> float:
    h = _Half(x * 1.0, s)
    h.scale(s)
    np.divide(x, 3.0, out=h.a, where=x > 0.3)
    return np.sum(h.a ** 2) + h.b


def keys_in_rounds(x: Float[Array, "n"]) -> float:
    p = {"a": x * 1.0, "b": x * 2.0}
    for key in p:
        p[key] = p[key] * 0.5
    for v in x:
        for key, item in p.items():
            p[key] = np.sin(item) + v
    return sum(np.sum(item) for item in p.values())


class _Chain:
    def __init__(self, a):
        self.a = a

    def first(self, t):
        self.a[0] = t
        return self

    def scale(self, t):
        self.a *= t
        return self


def chains(x: Float[Array, "3"], s: float) -> float:
    c = _Chain(x * 1.0)
    c.first(s).scale(2.0)
    c = c.first(s * s).scale(np.sum(c.a))
    return np.sum(c.a * x)


@dataclass
class _Parts:
    count: ClassVar[int] = 3
    w: float = 1.0
    named: dict = field(default_factory=dict)
    all: list = field(default_factory=list)


def own_defaults(x: Float[Array, "n"], s: float) -> float:
    a, b = _Parts(s), _Parts(s * 2.0)
    a.named["k"] = s
    b.all.append(s)
    b.all.append(a.w)
    return (np.sum(x) * a.named["k"] * len(b.all) + sum(b.all) * _Parts.count
            + len(b.named) + len(a.all) + b.count * b.w)
