"""The properties of dual-numbers reverse AD for arrays, by their numbers.

    python3 tests/grad/properties.py TOOL

Elsewhere: 1 array_refused.py; 18, 25 terms.py (random programs: each stage keeps the value, the
gradient is the difference) and array_goldens.py; 29 array_goldens.py. Of 8, the rules of bulk have
no order: each goes by what its term is, once all that it is made of is in bulk.
"""

from __future__ import annotations

import itertools
import math
import pathlib
import random
import re
import sys
import tempfile
from typing import Any

import numpy as np

import array_check as ac
import evaluators as ev
import terms
from pychoral import array_language as al

HEAD = """import numpy as np

from pychoral.ad import Array, Float, Int, argmax_outer, argsort_outer, build, gather
from pychoral.ad import max_outer, min_outer
from pychoral.ad import replicate, reshape, scatter, stack, sum_outer, transpose, where


"""
TOOL = ""


class Fault(Exception):
    """A property does not hold."""


def expect(truth: Any, text: str) -> None:
    if not truth:
        raise Fault(text)


def close(x: Any, y: Any, limit: float = 1e-12) -> bool:
    return ac.rho(x, y) < limit


def stages(body: str) -> dict[str, str]:
    """The texts of all stages of the function f."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.py"
        path.write_text(HEAD + body)
        line, = ac.compile_all(TOOL, [(path, "f", path.with_suffix(""))])
        expect(line == "ok", f"{line}:\n{body}")
        return {s: path.with_suffix(f".{s}").read_text() for s in [*ac.STAGES, "delta"]}


def made(body: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(stages(body)["numpy"], space)
    return space


def places(rng: np.random.Generator, shape: tuple[int, ...], rank: int, limit: int) -> Any:
    """A function of indices whose places are partly out of range."""
    table = rng.integers(-1, limit + 1, (*shape, rank))
    if len(shape) == 1:
        return lambda i: tuple(table[i])
    return lambda i, j: tuple(table[i, j])


# ---- the language ----

def property_2() -> None:
    rng = np.random.default_rng(2)
    for front, rank in itertools.product([(4,), (2, 3)], [1, 2]):
        x, f = rng.normal(size=(3, 3, 2)), places(rng, front, rank, 3)
        shape = front + x.shape[rank:]
        built = np.zeros(shape)
        for i in np.ndindex(*front):
            if all(0 <= p < 3 for p in f(*i)):
                built[i] = x[f(*i)]
        expect(close(al.gather(shape, x, f), built), "gather is not a build of indices")


def property_3() -> None:
    expect(np.all(al.scatter((6,), np.arange(1.0, 10.0), lambda i: (i // 2,))
                  == [3, 7, 11, 15, 9, 0]), "the example")
    expect(np.all(al.scatter((2,), np.ones(3), lambda i: (i,)) == [1, 1]), "out of range")


def property_4() -> None:
    rng = np.random.default_rng(4)

    def dot(x: Any, y: Any) -> Any:
        return np.sum(x * y)

    for rank in (1, 2):
        f = places(rng, (4,), rank, 3)
        x = rng.normal(size=(3, 3, 2))
        y = rng.normal(size=(4, *x.shape[rank:]))
        expect(close(dot(al.gather(y.shape, x, f), y), dot(x, al.scatter(x.shape, y, f))), "gather")
    x, y = rng.normal(size=(2, 3, 4)), rng.normal(size=(3, 4))
    expect(close(dot(al.sum_outer(x), y), dot(x, al.replicate(2, y))), "sum and replicate")
    z = rng.normal(size=(4, 2, 3))
    expect(close(dot(al.transpose((2, 0, 1), x), z), dot(x, al.transpose((1, 2, 0), z))), "tr")
    expect(close(dot(x[1], y), dot(x, al.one_hot((2, 3, 4), (1,), y))), "index")
    put = al.put_at(x, (1, 2), (0, 3), 0.0, True, False)
    expect(close(x, al.put_at(put, (1, 2), (0, 3), x[:, 0, 3], True, True)), "put")
    expect(close(x, al.put_at(x, (0,), (1,), y, False, True)), "a false test")
    expect(close(dot(al.reshape((6, 4), x), z.reshape(6, 4)),
                 dot(x, al.reshape((2, 3, 4), z.reshape(6, 4)))), "reshape")


def property_5() -> None:
    space = made("def f(x: Float[Array, 'n'], y: Float[Array, 'n']) -> float:\n"
                 "    return np.sum(gather((3,), x, lambda i: i - 7)) + np.sum(x / y)\n")
    value, (gx, _) = space["f_value_and_grad"](np.ones(2), np.zeros(2))
    expect(value == math.inf and np.all(gx == math.inf), "1/0 is IEEE's")
    value, (gx, gy) = space["f_value_and_grad"](np.zeros(0), np.zeros(0))
    expect(value == 0.0 and gx.shape == gy.shape == (0,), "empty arrays")


# ---- bulk ----

WINDOW = ("def f(a: Float[Array, 'n']) -> float:\n"
          "    return np.sum(build(8, lambda j: {}sum({}[i + j] for i in range(5))))\n")


# Each rule, with the index in each position and in none; `a` is [3 2 2], `b` [3 2], `c` [3].
RULES = {
    "B-var": "build(3, lambda i: i * 1.0)", "B-inv": "build(3, lambda i: b)",
    "B-let": "build(3, lambda i: (lambda x: x * x + b[i])(np.sin(c[i])))",
    "B-let'": "build(3, lambda i: (lambda x: x * b[i, 0])(np.sin(c)))",
    "B-cond": "build(3, lambda i: b[i] if i < 2 else b[i - 2])",
    "B-op2": "build(3, lambda i: b[i] * b[0] + a[0, 1] * b[i])",
    "B-op1": "build(3, lambda i: np.sin(a[i]))",
    "B-sum": "build(3, lambda i: np.sum(a[i], axis=0))",
    "B-max": "build(3, lambda i: np.max(a[i], axis=0))",
    "B-gather": "build(3, lambda i: gather((4,), np.sin(a[i, :, 0]), lambda j: (j - i + 1,)))",
    "B-gather'": "build(3, lambda i: gather((4, 2), b, lambda j: (j - i,)))",
    "B-scatter": "build(3, lambda i: scatter((3,), b[i], lambda j: (j * i,)))",
    "B-scatter of what is fixed": "build(3, lambda i: scatter((3, 2), b, lambda j: (j - i,)))",
    "B-lit": "build(3, lambda i: np.stack([b[i], b[0], b[i] * c[i]]))",
    "B-rep": "build(3, lambda i: np.full((2, 2), c[i]))",
    "B-tr": "build(3, lambda i: a[i].T)", "B-tr of three": "build(3, lambda i: a.T * c[i])",
    "B-reshape": "build(3, lambda i: a[i].reshape(4))",
    "I-index": "build(3, lambda i: a[i][1][0])", "I-cond": "np.where(c[0] > 0.0, a, 2.0 * a)[1]",
    "I-op2": "build(3, lambda i: (b * b)[i])", "I-op1": "np.exp(b)[1]",
    "I-sum": "build(2, lambda i: np.sum(a, axis=0)[i])",
    "I-lit": "build(3, lambda i: np.stack([b, b * 2.0, np.sin(b)])[i, i % 2])",
    "I-rep": "build(3, lambda i: np.full((3, 2), c[i])[i])",
    "I-tr": "build(2, lambda i: np.transpose(a, (2, 0, 1))[i, 1])",
    "I-reshape": "build(4, lambda i: a.reshape(4, 3)[i])",
    "I-gather": "build(2, lambda i: gather((4, 2), b, lambda j: (j - 1,))[i])",
    "BI-lit": "build(3, lambda i: np.array([c[i], c[0], 1.0])[i])",
    "BI-scatter": "build(3, lambda i: scatter((3,), b[i], lambda j: (j + i,))[i])",
}


def property_6() -> None:
    rng = np.random.default_rng(6)
    args = [rng.normal(size=shape) for shape in ((3, 2, 2), (3, 2), (3,))]
    for rule, term in RULES.items():
        head = "def f(a: Float[Array, '3 2 2'], b: Float[Array, '3 2'], c: Float[Array, '3']):\n"
        text = stages(f"{head}    return np.sum(np.sin({term}))\n".replace("):", ") -> float:", 1))
        before, after = (ac.run_stage(text[s], "f", {}, args) for s in ("stage", "bulk"))
        expect(close(before, after), f"{rule}: {before} is {after}")
        expect("build(" not in text["bulk"], f"{rule}: {text['bulk']}")


def property_7() -> None:
    """Normal forms: no build is left. (Type and value: terms.py.)"""
    for seed in range(20):
        import terms
        program = terms.Program(random.Random(seed))
        text = stages(program.text()[program.text().index("def f"):])["bulk"]
        expect("build(" not in text, f"a build is left: {text}")


def property_8() -> None:
    for seed in range(3):
        with tempfile.TemporaryDirectory() as folder:
            jobs = []
            for i in range(40):
                path = pathlib.Path(folder) / f"t{i}.py"
                path.write_text(terms.Program(random.Random(f"order {seed}.{i}")).text())
                jobs.append((path, "f", path.with_suffix("")))
            for (path, _, out), line in zip(jobs, ac.compile_all(TOOL, jobs, str(seed))):
                faults = terms.faults_of(path, out, seed) if line == "ok" else [line]
                expect(not faults, f"seed {seed}: {faults[:1]}\n{path.read_text()}")


def property_9() -> None:
    """Reads out of range that a condition hides."""
    text = stages("def f(a: Float[Array, '3'], b: Float[Array, '4']) -> float:\n"
                  "    return np.sum(build(7, lambda i: a[i] if i < 3 else b[i - 3])\n"
                  "                  * build(7, lambda i: i * 1.0))\n")
    args = [np.arange(1.0, 4.0), np.arange(4.0, 8.0)]
    want = np.sum(np.arange(1.0, 8.0) * np.arange(7.0))
    for stage in ac.STAGES[:3]:
        expect(close(ac.run_stage(text[stage], "f", {"n": 7}, args), want), stage)


def property_10() -> None:
    space = made("def f(x: Float[Array, 'n']) -> float:\n"
                 "    i = np.sum(x)\n"
                 "    y = [[x[i] * 2.0 for i in range(x.shape[0])][i] + i * 0.0\n"
                 "         for i in range(x.shape[0])]\n"
                 "    return np.sum(np.array(y)) + i\n")
    expect(space["f"](np.array([1.0, 2.0])) == 9.0, "a name was captured")


def property_11() -> None:
    """Conditions in conditions, one of which reads floats: they choose, and have no derivative."""
    source = ("def f(x: Float[Array, 'n'], y: Float[Array, 'n']) -> float:\n"
              "    return np.sum(build(x.shape[0], lambda i:\n"
              "                        (x[i] * y[i] if x[i] > y[i] else y[i])\n"
              "                        if i < 2 else (x[i] if y[i] > 0.0 else -x[i] * y[i])))\n")
    x, y = np.array([1.0, 0.2, 3.0, -0.5]), np.array([0.5, 0.7, -2.0, 1.5])
    value, (gx, gy) = made(source)["f_value_and_grad"](x, y)
    expect(close(value, 0.5 + 0.7 + 6.0 - 0.5), "the value")
    expect(close(gx, [0.5, 0.0, 2.0, 1.0]) and close(gy, [1.0, 1.0, -3.0, 0.0]), f"{gx} {gy}")


def property_12() -> None:
    text = stages(WINDOW.format("", "a"))["bulk"]
    expect("replicate(8, a)" not in text, "what does not have the index is copied")


def property_21() -> None:
    delta = stages("def f(x: Float[Array, 'n']) -> float:\n    return np.sum(gather((3,), x, "
                   "lambda i: int(np.floor(x[0] * 0.5 + 0.5)) + i))\n")["delta"]
    expect(delta.count("Share(") == 2, f"an index has a Delta: {delta}")


def property_33() -> None:
    text = stages("def f(a: Float[Array, 'n m'], b: Float[Array, 'm k']) -> float:\n"
                  "    return np.sum(build((a.shape[0], b.shape[1]), lambda i, j: sum(\n"
                  "        a[i, p] * np.sin(b[p, j]) for p in range(a.shape[1]))))\n")["bulk"]
    sizes = "    n, m = a.shape\n    k = b.shape[1]\n"
    again = text.replace(":\n", ":\n" + sizes, 1)
    expect(stages(again)["bulk"].split() == text.split(), "a normal form is changed")


# ---- Delta ----

def random_delta(rng: random.Random, count: int) -> tuple[ev.Delta, list[ev.Delta]]:
    shared: list[ev.Delta] = [("Input", "a"), ("Input", "b"), ev.ZERO]
    for i in range(1, count + 1):
        x, y = rng.choice(shared), rng.choice(shared)
        d: ev.Delta = ("Add", ("Scale", rng.uniform(-1, 1), x), ("Scale", rng.uniform(-1, 1), y))
        shared.append(("Share", i, d))
    return shared[-1], shared


def property_13() -> None:
    rng = random.Random(13)
    for _ in range(50):
        d, _ = random_delta(rng, 8)
        e = {"a": rng.uniform(-1, 1), "b": rng.uniform(-1, 1)}
        one, four = ev.eval1(d), ev.eval4(1.0, d)[0]
        start = {"a": 2.0, "b": -1.0}
        three = ev.eval3(0.5, d, start, [0])
        for name in e:
            expect(close(three[name], start[name] + 0.5 * one.get(name, 0.0)), "eval3")
            expect(close(four.get(name, 0.0), one.get(name, 0.0)), "version 4")
        expect(close(ev.eval0(d, e), sum(one.get(k, 0.0) * v for k, v in e.items())), "eval0")


def property_14() -> None:
    import terms
    for seed in range(20):
        program = terms.Program(random.Random(seed)).text()
        text = stages(program[program.index("def f"):])["delta"]
        known: set[int] = set()
        open_ids: list[int] = []
        for token in re.finditer(r"Share\((\d+)(,|\))|[()]", text):
            if token[1] is None:
                if token[0] == "(":
                    open_ids.append(0)
                else:
                    open_ids.pop()
                continue
            i = int(token[1])
            around = [o for o in open_ids if o > 0]
            expect(all(i < o for o in around), "an id is not smaller than those around it")
            if token[2] == ",":
                expect(i not in known, "an id is given twice")
                open_ids.append(i)
            else:
                expect(i in known or i in around, "an id has no Delta")
            known.add(i)


def property_15() -> None:
    for n in (10, 60):
        ev.Dual.count = 0
        x = ev.Dual(1.0, ("Input", "x"))
        for _ in range(n):
            x = x + x
        gradient, order = ev.eval4(1.0, x.delta)
        expect(gradient == {"x": 2.0 ** n} and len(order) == n, "P1")
    ev.Dual.count = 0
    y = ev.Dual(0.5, ("Input", "x")).exp()
    z = y.log()
    sine, cosine = z.sin(), z.cos()
    result = y + sine / cosine
    gradient, order = ev.eval4(1.0, result.delta)
    visits = [0]
    ev.eval3(1.0, result.delta, {}, visits)
    expect(order == [6, 5, 4, 3, 2, 1] and visits == [12], f"F4: {order}, {visits}")
    expect(close(result.value, 2.1950237605439185), "F4")
    expect(close(gradient["x"], 2.947167681109653), "F4")


def nodes(delta: str) -> int:
    return len(re.findall(r"\b(Add|Scale|Input|SumOuter|Gather|Scatter|Index|Share\(\d+,)", delta))


def property_16() -> None:
    source = ("def f(x: Float[Array, 'n'], u: Float[Array, 'm'], k: Int[Array, 'n']) -> float:\n"
              "    return np.sum(x * k)\n")
    delta = stages(source)["delta"]
    expect(set(re.findall(r"Input\((\w+)", delta)) == {"x"}, f"an input too many: {delta}")
    gx, gu = made(source)["f_grad"](np.ones(2), np.ones(3), np.array([2, 3]))
    expect(close(gx, [2.0, 3.0]) and close(gu, np.zeros(3)), "what is not used has no zeros")


def property_17() -> None:
    """The primal half is the function itself."""
    space = made(WINDOW.format("np.sin(a[0]) * ", "np.cos(a)"))
    a = np.random.default_rng(17).normal(size=12)
    expect(space["f"](a) == space["f_value_and_grad"](a)[0], "the values differ")


def property_19() -> None:
    for body in ("a[i] * a[{n} - 1 - i]", "a[i] * a[i]"):
        counts = {nodes(stages(f"def f(a: Float[Array, '{n}']) -> float:\n    return sum("
                               f"{body.format(n=n)} for i in range({n}))\n")["delta"])
                  for n in (60, 4000)}
        expect(len(counts) == 1, f"nodes: {counts}")


def property_20() -> None:
    delta = stages(WINDOW.format("", "np.cos(a)").replace("{n}", ""))["delta"]
    expect("Index(" not in delta, "a build of indices has an Index")


def property_22() -> None:
    """An arm that is not taken adds exactly 0, whatever its derivative is."""
    for arm in ("np.log(x)", "1.0 / x", "np.sqrt(x)", "x ** -0.5", "np.exp(1000.0 - x)"):
        grad = made(f"def f(x: Float[Array, 'n']) -> float:\n"
                    f"    return np.sum(np.where(x > 5.0, {arm}, 2.0 * x))\n")["f_grad"]
        expect(np.all(grad(np.array([0.0, -1.0, 1.0])) == 2.0), arm)


def property_23() -> None:
    """No NaN from the arm that is not taken: 40 programs."""
    risky = ["np.sqrt({})", "np.log({})", "(1.0 / {})", "({} ** 0.5)", "({} ** -1.5)",
             "np.log1p({} - 1.0)", "(np.sqrt({}) / {})", "np.arccos(1.0 / ({} + 1e-300))",
             "np.log(np.sqrt({}))", "np.arctanh(1.0 - {})"]
    forms = ["np.sum(np.where(x > 0.0, {x}, x))",
             "sum({xi} if x[i] > 0.0 else x[i] for i in range(n))",
             "np.sum(np.where(x <= 0.0, x, {x}))", "LOOP"]
    point = np.array([0.0, -1.0, 1.25])
    for expression, form in itertools.product(risky, forms):
        each = expression.replace("{}", "x[i]")
        text = ("    s = 0.0\n    for i in range(n):\n        if x[i] > 0.0:\n"
                f"            s = s * 1.0 + {each}\n        else:\n            s = s + x[i]\n"
                "    return s\n") if form == "LOOP" else "    return " + form.replace(
                    "{xi}", each).replace("{x}", expression.replace("{}", "x")) + "\n"
        space = made("def f(x: Float[Array, 'n']) -> float:\n    n = x.shape[0]\n" + text)
        found = space["f_grad"](point)
        expect(np.all(np.isfinite(found)) and np.all(found[:2] == 1.0), f"{text}: {found}")


def property_24() -> None:
    body = "def f(x: Float[Array, 'n']) -> float:\n    return {} * np.sum(np.sin(x) * x[0])\n"
    x = np.array([0.3, 0.7])
    one, three = (made(body.format(c))["f_grad"](x) for c in ("1.0", "3.0"))
    expect(close(3.0 * one, three), "not linear in the cotangent")


# ---- the text ----

def chain(n: int) -> str:
    lines = "".join(f"    x = x * x + {i}.0\n" for i in range(n))
    return f"def f(x: float, a: Float[Array, 'n']) -> float:\n{lines}    return x\n"


def property_26() -> None:
    text = stages(WINDOW.format("", "a"))
    for word in ("Share", "Delta", "Input", "build("):
        expect(word not in text["tidy"] + text["numpy"], f"{word} is left")


def property_27() -> None:
    for name, args in re.findall(r"def (\w+)\((.*?)\)", stages(chain(5))["numpy"]):
        expect(name and args is not None, "no functions")
    bound = {"x", "a"}
    for line in stages(chain(20))["tidy"].splitlines()[1:]:
        left, _, right = line.strip().partition(" = ")
        used = set(re.findall(r"\b[a-z]\d*\b", right or left)) - {"n"}
        expect(used <= bound, f"{used - bound} has no value")
        bound.add(left)


def property_28() -> None:
    sizes = [len(stages(chain(n))["numpy"]) for n in (30, 60)]
    expect(sizes[1] < 2.2 * sizes[0], f"the text of a chain is not linear: {sizes}")


def property_30() -> None:
    import time
    times = {}
    space = made("def f(a: Float[Array, 'n'], b: Float[Array, 'n']) -> float:\n"
                 "    return sum(a[i] * b[i] for i in range(a.shape[0]))\n")
    for n in (200_000, 800_000):
        a = np.ones(n)
        best = min(_seconds(lambda: space["f_grad"](a, a), time) for _ in range(5))
        times[n] = best / n
    expect(max(times.values()) < 20 * min(times.values()), f"not linear: {times}")


def _seconds(f: Any, time: Any) -> float:
    start = time.process_time()
    f()
    return float(time.process_time() - start) + 1e-6


def property_31() -> None:
    texts = {re.sub(r"\d{2,}", "N", stages(f"def f(a: Float[Array, '{n}']) -> float:\n"
                                           "    return np.sum(np.tanh(a) * a[::-1])\n")["numpy"]
                    .replace(str(n - 1), "M")) for n in (60, 4000)}
    expect(len(texts) == 1, "the text stands on the sizes")


def property_32() -> None:
    text = stages("def f(a: Float[Array, 'n n'], x: Float[Array, 'n']) -> float:\n"
                  "    y = np.tanh(a @ x)\n    return np.sum(np.exp(y) * y)\n")["numpy"]
    whole = text[text.index("def f_value_and_grad"):]
    expect(whole.count("np.tanh(") == 1 and whole.count("np.exp(") == 1, "computed twice")


def main() -> int:
    global TOOL
    TOOL = sys.argv[1]
    found = {int(name.split("_")[1]): f for name, f in globals().items()
             if name.startswith("property_")}
    bad = 0
    for number in sorted(found):
        try:
            found[number]()
        except Exception as e:  # noqa: BLE001
            bad += 1
            print(f"property {number}: {type(e).__name__}: {e}")
    print(f"properties: {len(found)}, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
