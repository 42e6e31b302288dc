"""Array programs against themselves: every stage of the compiler runs in numpy, and gradients are
compared with differences of the source in extended precision.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import inspect
import math
import pathlib
import subprocess
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import mpmath
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "runtime" / "python"))

from pychoral import array_language  # noqa: E402



# ---- functions of which numpy's have no extended precision ----

def bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    counts = np.zeros(max([minlength, *(np.asarray(x) + 1)]), LONG)
    np.add.at(counts, x, weights)
    return counts


def interp(x: Any, xp: Any, fp: Any) -> Any:
    k = np.clip(np.searchsorted(xp, x, "right") - 1, 0, len(xp) - 2)
    y = fp[k] + (x - xp[k]) * (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k])
    return np.where(x < xp[0], fp[0], np.where(x >= xp[-1], fp[-1], y))


def eliminate(a: Any, b: Any) -> tuple[Any, Any]:
    """The solution of a x = b, and the determinant of a."""
    a, b, d = np.array(a, LONG), np.array(b, LONG), LONG(1)
    for k in range(len(a)):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        a[[k, p]], b[[k, p]] = a[[p, k]], b[[p, k]]
        d *= a[k, k] * (1 if p == k else -1)
        for i in range(len(a)):
            if i != k:
                f = a[i, k] / a[k, k]
                a[i] -= f * a[k]
                b[i] -= f * b[k]
    return (b.T / np.diag(a)).T, d


def cholesky(a: Any) -> Any:
    low = np.zeros(a.shape, LONG)
    for i in range(len(a)):
        for j in range(i + 1):
            t = a[i, j] - low[i, :j] @ low[j, :j]
            low[i, j] = np.sqrt(t) if i == j else t / low[j, j]
    return low


def extend(module: Any, name: str, long: Callable[..., Any]) -> None:
    own = getattr(module, name)

    def either(*args: Any, **more: Any) -> Any:
        extended = any(np.asarray(x).dtype == LONG for x in (*args, *more.values()))
        return (long if extended else own)(*args, **more)
    setattr(module, name, either)


LONG = np.longdouble
extend(np, "bincount", bincount)
extend(np, "interp", interp)
extend(np.linalg, "solve", lambda a, b: eliminate(a, b)[0])
extend(np.linalg, "inv", lambda a: eliminate(a, np.eye(len(a)))[0])
extend(np.linalg, "det", lambda a: eliminate(a, a)[1])
extend(np.linalg, "slogdet", lambda a: (np.sign(eliminate(a, a)[1]),
                                        np.log(np.abs(eliminate(a, a)[1]))))
extend(np.linalg, "cholesky", cholesky)
extend(np.linalg, "matrix_power", lambda a, n: functools.reduce(
    np.matmul, [a if n > 0 else eliminate(a, np.eye(len(a)))[0]] * abs(n), np.eye(len(a))))


# ---- functions that numpy has not ----

def elementwise(f: Callable[..., Any]) -> Callable[..., Any]:
    """Of numbers of mpmath; in extended precision where an argument is."""
    @functools.wraps(f)
    def run(*args: Any) -> Any:
        kind = LONG if any(np.asarray(x).dtype == LONG for x in args) else float

        def one(*xs: Any) -> Any:
            with mpmath.workdps(30):
                wide = (mpmath.mpf(str(x) if isinstance(x, LONG) else x) for x in xs)
                return kind(mpmath.nstr(mpmath.re(f(*wide)), 25))
        return np.vectorize(one, otypes=[kind])(*args)[()]
    return run


SPECIAL = {"gammaln": elementwise(mpmath.loggamma), "digamma": elementwise(mpmath.digamma),
           "polygamma": elementwise(lambda n, x: mpmath.psi(int(n), x))}
def argsort_into(x: Any, rows: int, columns: int, order: Any, work: Any) -> None:
    order[:] = np.argsort(x.reshape(rows, columns), axis=0, kind="stable").ravel()


setattr(np, "argsort_into", argsort_into)
SPECIAL["lgamma"] = SPECIAL["gammaln"]
for name in ("erf", "erfc"):        # terms have them
    setattr(np, name, np.vectorize(getattr(math, name), otypes=[float]))
for name in ("lgamma", "digamma", "polygamma"):
    setattr(np, name, SPECIAL[name])
scipy = types.ModuleType("scipy")
scipy.special = types.ModuleType("scipy.special")       # type: ignore[attr-defined]
vars(scipy.special).update(SPECIAL)                     # type: ignore[attr-defined]
sys.modules.update({"scipy": scipy, "scipy.special": scipy.special})

STAGES = ["stage", "bulk", "simplify", "gradient", "tidy", "numpy"]


def load(path: pathlib.Path) -> types.ModuleType:
    """The program itself, as Python runs it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_all(tool: str, jobs: Sequence[tuple[pathlib.Path, str, pathlib.Path]],
                *order: str) -> list[str]:
    """Runs the passes on functions of files; for each `ok` or an error. With a seed as `order`, the
    rules of simplify run in a random one too."""
    text = "".join(f"{path} {name} {out}\n" for path, name, out in jobs)
    done = subprocess.run([tool, "all", *order], input=text, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    if len(lines) != len(jobs):
        lines += [f"crash: exit {done.returncode} {done.stderr[-500:]}"]
        lines += ["not run"] * (len(jobs) - len(lines))
    return lines


def on_copies(f: Callable[..., Any]) -> Callable[..., Any]:
    """A program may store into its arguments."""
    @functools.wraps(f)
    def run(*args: Any) -> Any:
        return f(*(np.array(a) if isinstance(a, np.ndarray) else a for a in args))
    return run


def annotation_of(function: Callable[..., Any], name: str) -> str:
    return str(inspect.signature(function).parameters[name].annotation)


class Inputs:
    """Arguments that fit the shapes of a function, at random."""

    def __init__(self, function: Callable[..., Any], rng: np.random.Generator,
                 sizes: dict[str, int], hints: dict[str, Any]) -> None:
        self.sizes = dict(sizes)
        self.rng, self.hints = rng, hints
        self.values: list[Any] = []
        for name, parameter in inspect.signature(function).parameters.items():
            self.values.append(self.value(name, parameter.annotation))

    def size(self, text: str) -> int:
        names = {name for name in text.replace("*", "+").replace("-", "+").split("+")
                 if not name.isdigit()}
        for name in names:
            if name not in self.sizes:
                self.sizes[name] = int(self.rng.integers(2, 6))
        return int(eval(text, {}, self.sizes))

    def value(self, name: str, annotation: Any) -> Any:
        low, high = self.hints.get(name, (-2.0, 2.0))
        if annotation in (float, "float"):
            return float(self.rng.uniform(low, high))
        if annotation in (int, "int"):
            return int(self.rng.integers(low, high + 1))
        shape = tuple(self.size(part) for part in annotation.__metadata__[0].split())
        if annotation.__metadata__[0:0] == () and name in self.hints and isinstance(low, int):
            return self.rng.integers(low, high + 1, shape)
        return self.rng.uniform(low, high, shape)


def points_of(source: types.ModuleType, name: str, count: int, rng: np.random.Generator,
              smallest: int = 1) -> Iterator[Inputs]:
    """Arguments at random; then with each size `smallest` or 1, where the source takes that."""
    function = getattr(source, name)
    fixed = getattr(source, "SIZES", {}).get(name, {})
    ranges = getattr(source, "RANGES", {}).get(name, {})
    smallest = 0 if name in getattr(source, "EMPTY", ()) else smallest
    free: list[str] = []
    for _ in range(count):
        inputs = Inputs(function, rng, fixed, ranges)
        free = [size for size in inputs.sizes if size not in fixed]
        yield inputs
    for size in free:
        for small in range(smallest, 2):
            try:
                inputs = Inputs(function, rng, {**fixed, size: small}, ranges)
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    value = function(*inputs.values)
            except (IndexError, ValueError):
                continue
            if np.all(np.isfinite(value)):
                yield inputs


class Total(np.ndarray[Any, np.dtype[Any]]):
    """An array that gives 0 where it is read out of range: the arm of a selection that is not
    taken may do that."""

    def __getitem__(self, key: Any) -> Any:
        key = key if isinstance(key, tuple) else (key,)
        plain = all(isinstance(i, (int, np.integer)) for i in key)
        if plain and not all(0 <= i < size for i, size in zip(key, self.shape)):
            return np.zeros(self.shape[len(key):], self.dtype).view(Total)
        found = super().__getitem__(key)
        return found.view(Total) if isinstance(found, np.ndarray) else found


def total(x: Any) -> Any:
    x = np.asarray(x)
    return x.view(Total) if x.ndim > 0 else x[()]


def total_function(f: Any) -> Any:
    return lambda *args: total(f(*args)) if callable(f) else f


LANGUAGE = {name: total_function(f) if inspect.isfunction(f) and name not in ("annotations",)
            else f for name, f in vars(array_language).items()}


# Terms convert arrays by `np.float64`, of which numpy makes a number if there is one element.
NUMPY = types.SimpleNamespace(**{**vars(np), "float64": lambda x: np.asarray(x, float)[()]})


def run_stage(text: str, name: str, sizes: dict[str, int], args: Sequence[Any]) -> Any:
    space: dict[str, Any] = {**LANGUAGE, "np": NUMPY if sizes else np, **sizes}
    exec(compile(text, name, "exec"), space)
    if sizes:
        args = [total(a) if isinstance(a, np.ndarray) else a for a in args]
    with np.errstate(all="ignore"):
        return space[name](*args)


def locked(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        x = x.copy()
        x.flags.writeable = False
    return x


def run_numpy(text: str, name: str, args: Sequence[Any]) -> Any:
    """What it returns, the same each time; it cannot store into what it is called with."""
    args = [locked(a) for a in args]
    first, second = (flat_of(run_stage(text, name, {}, args)) for _ in range(2))
    if any(rho(x, y) > 0 for x, y in zip(first[0], second[0])):
        raise ValueError(f"numpy: {name} returns something else when it is called again")
    return first[1]


def flat_of(result: Any) -> tuple[list[Any], Any]:
    if not isinstance(result, tuple):
        return [result], result
    return [x for part in result for x in flat_of(part)[0]], result


class Floats(ast.NodeTransformer):
    """Numbers that are written as those of numpy: a division by 0 gives one, as in C."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, float):
            return node
        made = ast.parse(f"np.float64('{node.value!r}')", mode="eval").body
        return ast.copy_location(made, node)


def run_nest(text: str, name: str, args: Sequence[Any]) -> tuple[Any, list[Any]]:
    try:
        return run_loops(ast.parse(text), name, args)
    except ZeroDivisionError:           # of what a condition leaves out
        tree = ast.fix_missing_locations(Floats().visit(ast.parse(text)))
        return run_loops(tree, name, args)


def run_loops(tree: ast.Module, name: str, args: Sequence[Any]) -> tuple[Any, list[Any]]:
    """The loops as Python: sizes, then arrays of numbers in row-major order, also the gradients."""
    space: dict[str, Any] = {}
    exec(compile(tree, name, "exec"), space)
    function = space[f"{name}_value_and_grad"]
    source = dict(zip(inspect.signature(space["_params"]).parameters, args))
    values: list[Any] = []
    grads: list[Any] = []
    for parameter in inspect.signature(function).parameters:
        if parameter in source:
            value = np.asarray(source[parameter])
            values.append(value.ravel().copy() if value.ndim > 0 else value[()])
        elif parameter.endswith("_grad"):
            like = np.asarray(source[parameter.removesuffix("_grad")])
            grads.append(np.full(like.shape, np.nan))
            values.append(grads[-1].reshape(-1))
        else:
            values.append(space["_sizes"][parameter])
    with np.errstate(all="ignore"):
        return function(*values), grads


def nest_faults(out: pathlib.Path, name: str, sizes: dict[str, int], args: Sequence[Any],
                wanted: Any, grads: Sequence[Any], function: Callable[..., Any]) -> list[str]:
    text = pathlib.Path(f"{out}.nest").read_text()
    names = ", ".join(inspect.signature(function).parameters)
    text += f"\n\ndef _params({names}): pass\n_sizes = {sizes!r}\n"
    value, made = run_nest(text, name, args)
    bad = [] if rho(value, wanted) < 1e-12 else [f"nest: the value differs: {value} is {wanted}"]
    return bad + [f"nest: cotangent {k} differs by {rho(x, y):.2e}"
                  for k, (x, y) in enumerate(zip(made, grads)) if not rho(x, y) < 1e-11]


def difference(function: Callable[..., Any], args: Sequence[Any], i: int, place: Any) -> Any:
    """A derivative by differences of fourth order, in extended precision."""
    def at(step: Any) -> Any:
        moved = [np.array(a, dtype=LONG) if np.asarray(a).dtype.kind == "f" else a for a in args]
        moved[i][place] += step
        moved = [m[()] if isinstance(m, np.ndarray) and m.ndim == 0 else m for m in moved]
        with np.errstate(all="ignore"):
            return np.asarray(function(*moved), dtype=LONG)
    h = LONG(2) ** -13
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


def rho(x: Any, y: Any) -> float:
    x, y = np.asarray(x, dtype=LONG), np.asarray(y, dtype=LONG)
    if x.shape != y.shape:
        return float("inf")
    if x.size == 0:
        return 0.0
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    with np.errstate(all="ignore"):
        gap = np.where(same, 0, np.abs(x - y) / np.maximum(1, np.abs(x) + np.abs(y)))
    return float(np.max(np.where(np.isnan(gap), np.inf, gap)))


def active(args: Sequence[Any]) -> list[int]:
    return [i for i, a in enumerate(args) if np.asarray(a).dtype.kind == "f"]


def check(module: types.ModuleType, name: str, out: pathlib.Path, inputs: Inputs,
          kinks: bool = False) -> list[str]:
    """What is wrong with the stages of one function at one input."""
    function = getattr(module, name)
    bad: list[str] = []
    args = inputs.values
    with np.errstate(all="ignore"):
        wanted = function(*args)
    for stage in STAGES[:3]:
        text = pathlib.Path(f"{out}.{stage}").read_text()
        if "..." in text:           # much is shared in a body: it is not shown
            continue
        gap = rho(run_stage(text, name, inputs.sizes, args), wanted)
        if gap > 1e-12:
            bad.append(f"{stage}: the value differs by {gap:.2e}")
    numpy = pathlib.Path(f"{out}.numpy").read_text()
    grads: dict[str, Any] = {}
    for stage in STAGES[3:5]:
        text = pathlib.Path(f"{out}.{stage}").read_text()
        value, *rest = run_stage(text, f"{name}_value_and_grad", inputs.sizes, args)
        grads[stage] = (value, rest)
    value, gradient = run_numpy(numpy, f"{name}_value_and_grad", args)
    indices = active(args)
    grads["numpy"] = (value, [gradient] if len(indices) == 1 else list(gradient))
    bad += [f"numpy: cotangent {k} has elements of type {np.asarray(part).dtype}"
            for k, part in enumerate(grads["numpy"][1]) if np.asarray(part).dtype != float]
    alone = run_numpy(numpy, f"{name}_grad", args)
    grads["grad"] = (value, [alone] if len(indices) == 1 else list(alone))
    if rho(run_numpy(numpy, name, args), wanted) > 1e-12:
        bad.append("numpy: the value of the primal differs")
    for stage, (got, parts) in grads.items():
        if rho(got, wanted) > 1e-12:
            bad.append(f"{stage}: the value differs by {rho(got, wanted):.2e}")
        bad += [f"{stage}: cotangent {k} differs by {rho(part, true):.2e}"
                for k, (part, true) in enumerate(zip(parts, grads["gradient"][1]))
                if not rho(part, true) < 1e-11]
    bad += nest_faults(out, name, inputs.sizes, args, wanted, grads["gradient"][1], function)
    for k, i in enumerate(indices):
        whole = np.asarray(args[i], dtype=float)
        for place in np.ndindex(*whole.shape):
            true = difference(function, args, i, place)
            got = np.asarray(grads["numpy"][1][k])[place]
            if not np.isfinite(true) or kinks:
                continue
            if not rho(got, true) < 1e-9:
                bad.append(f"derivative by argument {i} at {place}: {got!r}, differences {true!r}")
    return bad


def along(function: Callable[..., Any], args: Sequence[Any], direction: Sequence[Any],
          h: Any) -> tuple[Any, Any]:
    """The derivative along a direction by differences, and how far apart its two sides are."""
    def at(step: Any) -> Any:
        moved = [np.asarray(a, dtype=LONG) + step * np.asarray(d, dtype=LONG)
                 for a, d in zip(args, direction)]
        with np.errstate(all="ignore"):
            return np.asarray(function(*(m[()] if m.ndim == 0 else m for m in moved)), dtype=LONG)
    right = (-3 * at(0 * h) + 4 * at(h) - at(2 * h)) / (2 * h)
    left = (3 * at(0 * h) - 4 * at(-h) + at(-2 * h)) / (2 * h)
    centre = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
    return centre, abs(right - left)


def check_direction(module: types.ModuleType, name: str, out: pathlib.Path, inputs: Inputs,
                    rng: np.random.Generator) -> list[str]:
    """All stages agree, and the gradient is right along one direction, unless there is a kink."""
    function = getattr(module, name)
    bad: list[str] = []
    args = inputs.values
    with np.errstate(all="ignore"):
        wanted = function(*args)
    for stage in STAGES[:3]:
        text = pathlib.Path(f"{out}.{stage}").read_text()
        if "..." in text:           # much is shared in a body: it is not shown
            continue
        gap = rho(run_stage(text, name, inputs.sizes, args), wanted)
        if gap > 1e-12:
            bad.append(f"{stage}: the value differs by {gap:.2e}")
    grads = {}
    for stage in STAGES[3:5]:
        text = pathlib.Path(f"{out}.{stage}").read_text()
        value, *rest = run_stage(text, f"{name}_value_and_grad", inputs.sizes, args)
        grads[stage] = (value, rest)
    text = pathlib.Path(f"{out}.numpy").read_text()
    value, gradient = run_numpy(text, f"{name}_value_and_grad", args)
    grads["numpy"] = (value, list(gradient))
    for stage, (got, parts) in grads.items():
        if rho(got, wanted) > 1e-12:
            bad.append(f"{stage}: the value differs by {rho(got, wanted):.2e}")
        bad += [f"{stage}: cotangent {k} differs by {rho(part, true):.2e}"
                for k, (part, true) in enumerate(zip(parts, grads["gradient"][1]))
                if not rho(part, true) < 1e-11]
        bad += [f"{stage}: cotangent {k} has the shape {np.shape(part)}"
                for k, part in enumerate(parts) if np.shape(part) != np.shape(args[k])]
    bad += nest_faults(out, name, inputs.sizes, args, wanted, grads["gradient"][1], function)
    direction = [rng.normal(size=np.shape(a)) for a in args]
    true, apart = along(function, args, direction, LONG(2) ** -14)
    got = sum(np.sum(np.asarray(g) * d) for g, d in zip(grads["numpy"][1], direction))
    if not bad and np.isfinite(true) and apart < 1e-5 * (1 + abs(true)) and rho(got, true) > 1e-9:
        true, _ = along(function, args, direction, LONG(2) ** -18)      # it may bend sharply
        bad += [f"derivative {got!r}, differences {true!r}"] if rho(got, true) > 1e-9 else []
    return bad
