"""What array functions give where the answer is known: stages as text, gradients as numbers, edges.

    python3 tests/grad/array_goldens.py TOOL
"""

from __future__ import annotations

import pathlib
import sys
import tempfile
from typing import Any

import numpy as np

import array_check as ac

HEAD = """import math
import numpy as np
from pychoral.ad import Array, Bool, Float, Int, build, gather, scatter


"""

A3, M = np.array([1.0, 2.0, 3.0]), np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

# stage -> the body, of one function; spaces and line breaks do not count
TEXTS: list[tuple[str, dict[str, str]]] = [
    # the worked example t_sc, stage by stage
    ("def f(a: Float[Array, 'n']) -> float:\n    n = a.shape[0]\n"
     "    return sum(a[i] * a[n - 1 - i] for i in range(n))\n", {
         "stage": "return sum_outer(build(n, lambda i: a[i,] * a[n - i - 1,]))",
         "bulk": "return sum_outer(gather((n,), a, lambda i: (i,))"
                 " * gather((n,), a, lambda i: (n - i - 1,)))",
         "simplify": "return sum_outer(a * gather((n,), a, lambda i: (n - i - 1,)))",
         "tidy": "x1 = gather((n,), a, lambda i: (n - i - 1,)) return sum_outer(a * x1), x1 + x1",
         "delta": "Share(3, SumOuter(Share(2, Add(Scale(gather((n,), a, lambda %1: (n - %1 - 1,)), "
                  "Input(a)), Scale(a, Share(1, Gather(Input(a))))))))"}),
    # dot: two products of a vector and a number
    ("def f(a: Float[Array, 'n'], b: Float[Array, 'n']) -> float:\n"
     "    return sum(a[i] * b[i] for i in range(a.shape[0]))\n", {
         "bulk": "return sum_outer(gather((n,), a, lambda i: (i,))"
                 " * gather((n,), b, lambda i: (i,)))",
         "tidy": "return sum_outer(a * b), b, a"}),
    # a condition with the index is a selection by a whole array
    ("def f(a: Float[Array, '3']) -> float:\n"
     "    return sum(a[i] if i < 3 else a[i - 3] for i in range(6))\n", {
         "bulk": "return sum_outer(where(np.arange(6) < replicate(6, 3), "
                 "gather((6,), a, lambda i: (i,)), gather((6,), a, lambda i: (i - 3,))))"}),
    # sharing: a chain of sums stays a chain
    ("def f(s: float, a: Float[Array, 'n']) -> float:\n    x = s + s\n    y = x + x\n"
     "    return y + y\n", {
         "stage": "x = s + s y = x + x return y + y"}),
    # what does not have the index is gathered from as it is
    ("def f(a: Float[Array, 'n'], w: Float[Array, 'k']) -> float:\n"
     "    return np.sum(build(8, lambda j: sum(a[i + j] for i in range(w.shape[0]))))\n", {
         "bulk": "return sum_outer(sum_outer(transpose((1, 0), "
                 "gather((8, k), a, lambda i, j: (i + j,)))))"}),
]

# (function, arguments, value, gradient)
NUMBERS: list[tuple[str, list[Any], float, Any]] = [
    ("def f(x: Float[Array, 'n']) -> float:\n    return x[1]\n", [A3], 2.0, [0, 1, 0]),
    ("def f(x: Float[Array, 'n']) -> float:\n"
     "    return np.sum(gather((4,), x, lambda i: i // 2) * np.array([1., 2., 3., 4.]))\n",
     [A3], 17.0, [3, 7, 0]),
    ("def f(x: Float[Array, 'n']) -> float:\n"
     "    return np.sum(gather((4,), x, lambda i: i - 2) * np.array([1., 2., 3., 4.]))\n",
     [A3], 11.0, [3, 4, 0]),
    ("def f(x: Float[Array, 'n']) -> float:\n"
     "    return np.sum(scatter((2,), x, lambda i: i % 2) * np.array([10., 20.]))\n",
     [A3], 80.0, [10, 20, 10]),
    ("def f(x: Float[Array, 'n']) -> float:\n"
     "    return np.sum(scatter((2,), x, lambda i: i) * np.array([10., 20.]))\n",
     [A3], 50.0, [10, 20, 0]),
    ("def f(m: Float[Array, '2 3']) -> float:\n"
     "    return np.sum(np.sum(m, axis=0) * np.array([1., 10., 100.]))\n",
     [M], 975.0, [[1, 10, 100], [1, 10, 100]]),
    ("def f(m: Float[Array, '2 3']) -> float:\n"
     "    return np.sum(m.T.reshape(6) * (np.arange(6) + 1))\n",
     [M], 86.0, [[1, 3, 5], [2, 4, 6]]),
    ("def f(t: Float[Array, '2 2 2']) -> float:\n"
     "    return np.sum(np.transpose(t, (1, 2, 0)).reshape(8) * (np.arange(8) + 1))\n",
     [np.arange(1.0, 9.0).reshape(2, 2, 2)], 190.0,
     [[[1, 3], [5, 7]], [[2, 4], [6, 8]]]),
    ("def f(m: Float[Array, '2 3']) -> float:\n    return m.reshape(3, 2)[2, 0]\n",
     [M], 5.0, [[0, 0, 0], [0, 1, 0]]),
    ("def f(m: Float[Array, '2 3']) -> float:\n"
     "    return np.sum(gather((2, 3), m, lambda i: 1 - i) * (np.arange(6).reshape(2, 3) + 1))\n",
     [M], 64.0, [[4, 5, 6], [1, 2, 3]]),
    ("def f(s: float, a: Float[Array, 'n']) -> float:\n    x = s * s\n    return x * x\n",
     [2.0, A3], 16.0, (32.0, [0, 0, 0])),
    ("def f(s: float, a: Float[Array, 'n']) -> float:\n    return s * s if s < 3 else -s\n",
     [2.0, A3], 4.0, (4.0, [0, 0, 0])),
    ("def f(s: float, a: Float[Array, 'n']) -> float:\n    return s * s if s > 3 else -s\n",
     [2.0, A3], -2.0, (-1.0, [0, 0, 0])),
    ("def f(x: Float[Array, 'n']) -> float:\n    n = x.shape[0]\n"
     "    return sum(x[i] if x[i] > 1.5 else 0.0 for i in range(n))\n", [A3], 5.0, [0, 1, 1]),
    ("def f(a: Float[Array, '2 m'], b: Float[Array, 'm 2']) -> float:\n"
     "    return np.sum((a @ b) * np.array([[1., 2.], [3., 4.]]))\n",
     [M, np.array([[1.0, -1.0], [2.0, 0.0], [0.5, 3.0]])], 129.5,
     ([[-1, 2, 6.5], [-1, 6, 13.5]], [[13, 18], [17, 24], [21, 30]])),
    ("def f(a: Float[Array, 'n']) -> float:\n    n = a.shape[0]\n"
     "    return sum(a[i] * a[n - 1 - i] for i in range(n))\n",
     [np.array([1.0, 2.0, 3.0, 4.0])], 20.0, [8, 6, 4, 2]),
    # arms that are not taken: no NaN, at 0 too
    ("def f(x: Float[Array, 'n']) -> float:\n    return np.sum(np.where(x > 0.0, np.sqrt(x) + "
     "np.log(x) + 1.0 / x, 0.0))\n", [np.array([0.0, -1.0, 1.0])], 2.0, [0, 0, 0.5]),
    ("def f(x: Float[Array, 'n']) -> float:\n"
     "    return np.sum(np.where(x < 1.0, np.exp(x), 2.0 * x))\n",
     [np.array([0.0, 1000.0])], 2001.0, [1, 2]),
    ("def f(x: Float[Array, 'n']) -> float:\n    return np.sum((1.0 / x)[1:])\n",
     [np.array([0.0, 2.0])], 0.5, [0, -0.25]),
    ("def f(x: Float[Array, 'n']) -> float:\n"
     "    return np.sum(np.where(x > 0.0, x * np.log(x) ** 2, x))\n",
     [np.array([0.0, 1.0])], 0.0, [1, 0]),
    # out of range a gather of a cosine, or of a gather, is 0
    ("def f(x: Float[Array, 'n']) -> float:\n"
     "    return np.sum(gather((5,), np.cos(x), lambda i: i))\n",
     [np.zeros(3)], 3.0, [0, 0, 0]),
    ("def f(x: Float[Array, 'n']) -> float:\n    y = gather((2,), x, lambda i: i)\n"
     "    return np.sum(gather((4,), y, lambda j: j))\n", [A3], 3.0, [1, 1, 0]),
    # nothing in it
    ("def f(x: Float[Array, 'n']) -> float:\n    return np.sum(np.exp(x) * x) + 1.0\n",
     [np.zeros(0)], 1.0, []),
    ("def f(m: Float[Array, 'n k'], x: Float[Array, 'k']) -> float:\n"
     "    return np.sum(np.tanh(m @ x))\n", [np.zeros((2, 0)), np.zeros(0)], 0.0,
     (np.zeros((2, 0)), [])),
    # of a tie the first
    ("def f(x: Float[Array, 'n']) -> float:\n    return np.max(x)\n",
     [np.array([1.0, 3.0, 3.0])], 3.0, [0, 1, 0]),
]

# (function, arguments, the exception)
RAISES: list[tuple[str, list[Any], type[Exception]]] = [
    ("def f(a: Float[Array, 'n'], b: Float[Array, 'n']) -> float:\n    return np.sum(a * b)\n",
     [A3, np.ones(2)], ValueError),
    ("def f(a: Float[Array, 'n'], b: Float[Array, 'n+1']) -> float:\n    return np.sum(a * b[1:])\n",
     [A3, A3], ValueError),
    ("def f(a: Float[Array, 'n']) -> float:\n    return np.sum(a)\n", [M], ValueError),
    ("def f(a: Float[Array, 'n'], k: int) -> float:\n    return a[k]\n", [A3, 3], IndexError),
    ("def f(a: Float[Array, 'n'], k: int) -> float:\n    return a[k]\n", [A3, -1], IndexError),
    ("def f(a: Float[Array, 'n'], at: Int[Array, 'm']) -> float:\n    return np.sum(a[at])\n",
     [A3, np.array([0, 3])], IndexError),
    ("def f(a: Float[Array, 'n'], w: Float[Array, 'm']) -> float:\n"
     "    return sum(a[i + 1] * w[i] for i in range(w.shape[0]))\n", [A3, A3], IndexError),
    ("def f(a: Float[Array, 'n'], s: float) -> float:\n    return a[7] if s > 0.0 else s\n",
     [A3, 1.0], IndexError),
]


def compiled(tool: str, folder: pathlib.Path, sources: list[str]) -> list[pathlib.Path]:
    jobs = []
    for i, source in enumerate(sources):
        path = folder / f"golden{i}.py"
        path.write_text(HEAD + source)
        jobs.append((path, "f", path.with_suffix("")))
    for (path, _, _), line in zip(jobs, ac.compile_all(tool, jobs)):
        if line != "ok":
            raise SystemExit(f"{path.read_text()}{line}")
    return [out for _, _, out in jobs]


def squeezed(text: str) -> str:
    return "".join(text.split())


def text_faults(outs: list[pathlib.Path]) -> list[str]:
    bad = []
    for out, (source, stages) in zip(outs, TEXTS):
        for stage, wanted in stages.items():
            found = pathlib.Path(f"{out}.{stage}").read_text()
            body = found if stage == "delta" else found.split("):\n", 1)[1]
            if squeezed(body).strip("()") != squeezed(wanted).strip("()"):
                bad.append(f"{source}{stage}: {body}")
    return bad


def number_faults(outs: list[pathlib.Path]) -> list[str]:
    bad = []
    for out, (source, args, value, gradient) in zip(outs, NUMBERS):
        text = pathlib.Path(f"{out}.numpy").read_text()
        got, grads = ac.run_stage(text, "f_value_and_grad", {}, args)
        pairs = zip(grads, gradient) if isinstance(gradient, tuple) else [(grads, gradient)]
        if ac.rho(got, value) > 1e-15 or any(ac.rho(g, t) > 1e-15 for g, t in pairs):
            bad.append(f"{source}gives {got}, {grads}")
    return bad


def raise_faults(outs: list[pathlib.Path]) -> list[str]:
    bad = []
    for out, (source, args, kind) in zip(outs, RAISES):
        text = pathlib.Path(f"{out}.numpy").read_text()
        for name in ("f", "f_grad", "f_value_and_grad"):
            try:
                answer = ac.run_stage(text, name, {}, args)
                bad.append(f"{source}{name} answers {answer}")
            except kind:
                pass
    return bad


def sharing_faults(tool: str, folder: pathlib.Path) -> list[str]:
    """The text grows with the length of the chain, not with the number of paths."""
    chain = "def f(s: float, a: Float[Array, 'n']) -> float:\n    y = s\n" \
            "    for _ in range(60):\n        y = np.sin(y) + y\n    return y\n"
    out = compiled(tool, folder, [chain])[0]
    size = len(pathlib.Path(f"{out}.numpy").read_text())
    return [f"the sharing chain has {size} characters"] if size > 20000 else []


def main() -> int:
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bad += text_faults(compiled(sys.argv[1], folder, [source for source, _ in TEXTS]))
        bad += number_faults(compiled(sys.argv[1], folder, [row[0] for row in NUMBERS]))
        bad += raise_faults(compiled(sys.argv[1], folder, [row[0] for row in RAISES]))
        bad += sharing_faults(sys.argv[1], folder)
    print("".join(f"{fault}\n" for fault in bad), end="")
    print(f"array goldens: {len(TEXTS) + len(NUMBERS) + len(RAISES) + 1}, {len(bad)} bad")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
