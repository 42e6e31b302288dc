"""What an array function does not support is refused at its place, with the code and the word.

    python3 tests/grad/array_refused.py TOOL
"""

from __future__ import annotations

import pathlib
import sys
import tempfile

import array_check as ac

HEAD = """import numpy as np
from pychoral.ad import Array, Float, Int, build, gather, grad, scatter, transpose


def f(x: Float[Array, "n"], y: Float[Array, "k"], m: Float[Array, "n k"]) -> float:
"""

CELL = """class Cell:
    def __init__(self, w):
        self.w = w
        self.h = 0.0

    @property
    def size(self):
        return len(self.w)

    def step(self, x):
        self.h = self.h + x
        return self.h

    def put(self, x):
        self.w[0] = x
        return self.w
"""

# (body, code, a word of the headline)
CASES = [
    ("return np.sum(x + y)", "E0911", "[n] and [k]"),
    ("return np.sum(m @ x)", "E0911", "this product"),
    ("return np.sum(np.where(x > 0.0, x, y))", "E0911", "[n] and [k]"),
    ("return np.sum(m.reshape(3, 4))", "E0911", "`reshape`"),
    ("return np.sum(np.array([x, y]))", "E0911", "one array"),
    ("return np.sum(gather((3, 2), x, lambda i: i))", "E0911", "gather"),
    ("return np.sum(scatter((3,), m, lambda i: i))", "E0911", "scatter"),
    ("return np.sum(np.einsum('i,i->', x, y))", "E0911", "this product"),
    ("return np.sum(np.lexsort(m))", "E0912", "`lexsort`"),
    ("return np.argsort(x)", "E0912", "does not consist of floats"),
    ("return np.sum(np.median(m, axis=1, keepdims=True))", "E0912", "a median with keepdims"),
    ("return np.sum(np.linalg.matrix_power(m @ m.T, len(x)))", "E0912",
     "a matrix power other than a constant below 64"),
    ("return np.sum(np.tensordot(m, m, 1))", "E0911", "[k] and [n]"),
    ("return np.sum((m @ m.T)[np.triu_indices(len(x), -1)])", "E0912", "or a negative k"),
    ("return np.sum(np.average(m, weights=x))", "E0912", "weights of another shape"),
    ("return np.sum(np.lib.stride_tricks.as_strided(x))", "E0912", "`as_strided`"),
    ("return np.arange(3)", "E0912", "does not consist of floats"),
    ("return np.sum(x[0, 0])", "E0912", "too many indices for array"),
    ("return np.sum(x, axis=1)", "E0912", "axis 1 is out of bounds for array of dimension 1"),
    ("return np.sum(np.transpose(m, (0, 0)))", "E0912", "permutation of 0 to 1"),
    ("return np.sum(np.transpose(m, (1,)))", "E0912", "the array has 2 dimensions, but 1 axis is"),
    ("return np.sum(np.transpose(x, (0, 1)))", "E0912", "1 dimension, but 2 axes are given"),
    ("return np.sum(np.transpose(x, 1))", "E0912", "the axis of `np.transpose` must be 0"),
    ("return np.sum(transpose((1, 1), m))", "E0912", "`transpose` must be a permutation of 0 to 1"),
    ("return np.sum(transpose((0, 1), x))", "E0912", "1 dimension, but 2 axes are given"),
    ("return np.sum(np.exp(x, x, x))", "E0912", "`exp` requires 1 argument here"),
    ("return np.sum(np.einsum('i', x, x))", "E0912", "are for 1 array, but 2 were given"),
    ("return open(x)", "E0912", "does not support `open`"),
    ("while x[0] > 0.0:\n        pass\n    return x[0]", "E0912", "does not support `while`"),
    ("s = 1.0\n    for i in range(x.shape[0]):\n        s = s * x\n    return s", "E0911",
     "from one round to the next"),
    ("s = abs\n    for i in range(x.shape[0]):\n        s = x\n    return s[0]", "E0912",
     "but is neither an array"),
    ("for i in range(x.shape[0]):\n        return x[i]\n    return 0.0",
     "E0912", "known which round"),
    ("for i in range(x.shape[0]):\n        if x[i] > 0.0:\n            return x[i]\n    return 0.0",
     "E0912", "known which round"),
    ("for i in range(x.shape[0]):\n        with np.errstate():\n            break\n    return x[0]",
     "E0912", "does not support `break`"),
    ("for i in range(x.shape[0]):\n        if x[i] > 0.0:\n            break\n"
     "    else:\n        return x[0]\n    return 0.0", "E0912", "`else` of a loop"),
    ("i = 0\n    while i < x.shape[0]:\n        if x[i] > 0.0:\n            continue\n"
     "        i += 1\n    return x[0]", "E0912", "does not support `while`"),
    ("i, n = 0, 3\n    while i < n:\n        n -= 1\n        i += 1\n    return x[0]", "E0912",
     "does not support `while`"),
    ("s = []\n    for i in range(x.shape[0]):\n        s.append(x[i])\n        s.append(1.0)\n"
     "    return s[0]", "E0912", "`s` only once in each round"),
    ("return x[x > 0.0] @ x", "E0912", "only with numbers and with elements that the same"),
    ("return np.sum(m[m > 0.0] @ m[m > 0.0])", "E0912", "only with others of one dimension"),
    ("return np.sum(x[x > 0.0] * x)", "E0912", "only with numbers and with elements that the same"),
    ("return np.sum(x[x > 0.0] * x[x > 1.0])", "E0912", "only with numbers and with elements"),
    ("return np.median(x[x > 0.0])", "E0912", "this condition selects depends on data"),
    ("return np.sum(np.zeros(len(x[x > 0.0])))", "E0912", "must be computed from"),
    ("return np.ma.sum(x)", "E0912", "the function `sum`"),
    ("return np.sum(x + np.random.randn(x.shape[0]))", "E0912", "does not support random numbers"),
    ("z = np.zeros_like(m) + 0.5\n    k = np.arange(3)\n    c = np.zeros_like(k)\n"
     "    c[0] = x[0]\n    return c[0] + z[0, 0]", "E0912", "the elements of the array are of"),
    ("return np.subtract.at(x, 0, 1.0)", "E0912", ""),
    ("return np.sin.outer(x, x)", "E0912", "the function `outer`"),
    ("return x[x > 0.0].shape[0] * x[0]", "E0912", "the attribute `shape`"),
    ("return np.sum(np.where(x[x > 0.0] > 1.0, 1.0, 2.0))", "E0912", "depends on data"),
    ("z = x * 1.0\n    z[x > 0.0] = x[x > 1.0]\n    return z[0]", "E0912",
     "by another condition than the index"),
    ("z = x * 1.0\n    z[0] = x[x > 1.0]\n    return z[0]", "E0912", "depends on data"),
    ("return np.sum(np.cumsum(x[x > 0.0]))", "E0912", "depends on data"),
    ("return np.max([x[i] for i in range(x.shape[0]) if x[i] > 0.0])", "E0912",
     "`if` after `for` only in a `sum`"),
    ("return sum(x[i] for i in range(int(x[0])))", "E0912", "must be computed from"),
    ("return np.sum([[x[j] for j in range(i)] for i in range(x.shape[0])])", "E0912",
     "depends on data"),
    ("z = m * 1.0\n    for i in range(x.shape[0]):\n        z[:i] *= 0.5\n    return z[0, 0]",
     "E0912", "the length of a slice must be"),
    ("z = x * 1.0\n    for i in range(x.shape[0]):\n        z[:i] = x\n    return z[0]", "E0912",
     "only a number, or the same slice"),
    ("z = x * 1.0\n    for i in range(x.shape[0]):\n        z[:i] = x[i:]\n    return z[0]",
     "E0912", "selected by another condition"),
    ("z = x * 1.0\n    s = 0.0\n    for i in range(x.shape[0]):\n        v = z[:i]\n"
     "        z[0] = s\n        s = s * 0.5 + np.sum(v)\n    return s", "E0912",
     "may refer to this array"),
    ("y = x * 2.0\n    z = y\n    for i in range(m.shape[0]):\n        y += m[:, 0]\n"
     "    return np.sum(z)", "E0912", "may refer to this array"),
    ("y = m * 2.0\n    z = y[0] * 1.0\n    for i, row in enumerate(y):\n        z = row\n"
     "    y[-1] = 1.0\n    return np.sum(z)", "E0912", "may refer to this array"),
    ("y = m * 2.0\n    z = g(y, x[0])\n    y[0] = 1.0\n    return np.sum(z)\n\n\n"
     "def g(u, t):\n    if t > 0.0:\n        return u * 0.5\n    return u", "E0912",
     "may refer to this array"),
    ("y = m * 2.0\n    z = g(y, x[0])\n    return np.sum(y)\n\n\ndef g(u, t):\n"
     "    if t > 0.0:\n        return t\n    u[0] = t\n    return t", "E0912",
     "may refer to this array"),
    ("t = 0.0\n    for i in range(x.shape[0]):\n"
     + "        if x[i] > 0.0:\n            if x[0] > 0.0:\n                continue\n"
       "        t = t + x[i]\n" * 30 + "    return t", "E0912", "too many branches of this loop"),
    ("y = []\n    z = y\n    for i in range(x.shape[0]):\n        y.append(x[i])\n"
     "    return np.sum(np.array(y)) + len(z)", "E0912", "may refer to this list"),
    ("y = x.copy()\n    z = y[1:]\n    y[0] = 1.0\n    return z[0]", "E0912", "may refer"),
    ("y = x.copy()\n    z = y[..., 0]\n    y[0] = 1.0\n    return z * 2.0", "E0912", "may refer"),
    # One array under two names, or in a list, or gone over by a loop.
    ("h, s = x * 1.0, []\n    for i in range(x.shape[0]):\n        h[i] = x[i] ** 2\n"
     "        s.append(h)\n    return np.sum(np.stack(s))", "E0912", "may refer"),
    ("a = x * 1.0\n    b, s = a, 0.0\n    for i in range(x.shape[0]):\n        a[i] = x[i] ** 2\n"
     "        s += np.sum(b)\n    return s", "E0912", "may refer"),
    ("a = x * 1.0\n    b = a.copy()\n    for i in range(x.shape[0]):\n"
     "        a[0] = np.sum(b) + x[i]\n        b = a\n    return b[0]", "E0912", "may refer"),
    ("a = x * 1.0\n    b = a * 1.0\n    for i in range(x.shape[0]):\n        a[0] += x[i]\n"
     "        if x[i] > 0.0:\n            b = a\n    return b[0]", "E0912", "may refer"),
    ("a, s = m * 1.0, 0.0\n    for r in a:\n        a[0] = r * 2.0\n        s += r[0]\n"
     "    return s", "E0912", "may refer"),
    ("a, s = x * 1.0, 0.0\n    for i, v in enumerate(a):\n        a[0] = v + i\n        s += v\n"
     "    return s", "E0912", "may refer"),
    ("a, s = np.ones(3) * x[0], 0.0\n    for u, v in zip(a, np.ones(3)):\n        a[2] = u\n"
     "        s += u * v\n    return s", "E0912", "may refer"),
    ("z = np.ones((2, 2)) * x[0]\n    a, b = z\n    z[0] = 3.0\n    return a[0]", "E0912",
     "may refer"),
    ("a = m * 1.0\n    rows = [a[i] for i in range(a.shape[0])]\n    a[0] = 2.0\n"
     "    return np.sum(np.stack(rows))", "E0912", "may refer"),
    ("a, b = x * 1.0, x * 2.0\n    c = a if x[0] > 0.0 else b\n    a[0] = 5.0\n    return c[0]",
     "E0912", "may refer"),
    ("a = np.outer(x, x)\n    d = np.diag(a)\n    a[0, 0] = 5.0\n    return d[0]", "E0912",
     "may refer"),
    ("y = x * 2.0\n    def g():\n        y[0] = 1.0\n        return 0.0\n    return g() + y[0]",
     "E0912", "of this function"),
    ("y = x * 2.0\n    y[np.arange(2)] = x\n    return y[0]", "E0912", "only a number can be"),
    ("y = m * 2.0\n    y[:, np.arange(2)] = 1.0\n    return y[0, 0]", "E0912", "to a slice of the"),
    ("y = m * 2.0\n    y[0], y[1] = y[1], y[0]\n    return y[0, 0]", "E0912", "may refer"),
    ("a = x * 1.0\n    b = a\n    for i in range(x.shape[0]):\n        a += x[i]\n"
     "        b = b * 2.0\n    return b[0]", "E0912", "may refer"),
    ("a, b = x * 1.0, x * 2.0\n    for i in range(x.shape[0]):\n        b = a\n    a[0] = 5.0\n"
     "    return b[0]", "E0912", "may refer"),
    ("a, b = x * 1.0, x * 2.0\n    if x[0] > 0.0:\n        b = a\n    a[0] = 5.0\n    return b[0]",
     "E0912", "may refer"),
    ("def g(z):\n        z[0] = 5.0\n        return z\n    y = x * 1.0\n"
     "    return np.sum(y + g(y))", "E0912", "may refer"),
    ("y = x * 1.0\n    return np.sum(y + np.exp(y, out=y))", "E0912", "supports `out` only"),
    ("y = m * 1.0\n    np.exp(m[0], out=y[0])\n    return y[0, 0]", "E0912", "supports `out` only"),
    ("return np.sum(np.dot(m[None], m.T[None]))", "E0912", "`np.dot` only for a second array"),
    ("return np.sum(x[5:1:-2])", "E0912", "a slice with a negative step that has a bound"),
    ("y = x * 1.0\n    y[::-2] = 0.0\n    return y[0]", "E0912", "a slice with a negative step"),
    ("return np.sum(x[::0])", "E0912", "step cannot be zero"),
    ("return sum(x[i] for i in reversed(range(0, x.shape[0], 2)))", "E0912", "step is 1 or -1"),
    ("return np.sum(np.arange(0.0, 1.0, 0.5)) + x[0]", "E0912", "of `arange` must be integers"),
    ("return np.sum(np.bincount(np.arange(3))) + x[0]", "E0912", "bincount without minlength"),
    ("return np.sum(np.linalg.det(np.ones((2, 3, 3)))) + x[0]", "E0912", "of several matrices"),
    ("return np.sum(np.convolve(x, y, 'other'))", "E0912", "this mode"),
    ("return Cell(x).w[0]\n\n\nclass Cell:\n    pass", "E0912", "it takes no arguments"),
    ("return Cell().w[0]\n\n\nclass Cell:\n    pass", "E0912", "have the attribute `w` here"),
    *(("return Cell(x).w[0]\n\n\n" + cls, "E0912", word) for cls, word in [
        ("class Cell(metaclass=type):\n    pass", "a keyword beside its bases"),
        ("class Cell(int):\n    pass", "that is not a class"),
        ("class A:\n    pass\n\n\nclass Cell(A, object):\n    pass", "more than one base"),
        ("class Cell:\n    def __getattr__(self, a):\n        return 0.0", "`__getattr__`"),
        ("class Cell:\n    @np.vectorize\n    def g(self):\n        return 0.0", "this decorator"),
        ("class Cell:\n    for i in range(3):\n        pass", "this statement of a class"),
        ("@np.vectorize\nclass Cell:\n    pass", "this decorator"),
        *((f"{above}\n\n\n{decorator}class Cell{base}:\n    w: float\n\n"
           f"    def {method}(self, *a):\n        return 0.0", f"the method `{method}`")
          for above, decorator, base, methods in [
              ("from typing import NamedTuple", "", "(NamedTuple)",
               ("__add__", "__mul__", "__getitem__", "__contains__", "__eq__")),
              ("from dataclasses import dataclass", "@dataclass(frozen=True)\n", "",
               ("__post_init__", "__init__"))] for method in methods),
    ]),
    ("c = Cell(x)\n    c.size = 2.0\n    return c.w[0]\n\n\n" + CELL, "E0912", "property `size`"),
    ("c = Cell(x * 1.0)\n    return np.sum([c.step(x[i]) for i in range(x.shape[0])])\n\n\n" + CELL,
     "E0912", "changes a dict or an instance"),
    ("c = Cell(x * 1.0)\n    return c.step(1.0) if x[0] > 0.0 else 0.0\n\n\n" + CELL, "E0912",
     "changes a dict or an instance"),
    ("c = Cell(x * 1.0)\n    return grad(lambda z: c.step(z))(x[0])\n\n\n" + CELL, "E0912",
     "changes a dict or an instance"),
    ("c = Cell(x * 1.0)\n    return np.sum(c.w) + np.sum(c.put(1.0))\n\n\n" + CELL, "E0912",
     "must not change the array `self.w` of its caller"),
    ("t = ''\n    for v in x:\n        for t in ['a', 'b']:\n            pass\n"
     "    return {'a': 1.0}[t] * x[0]", "E0912", "`t` keeps its value from one round"),
    ("c = Cell(x * 1.0)\n    c.me = [c]\n    return c.w[0]\n\n\n" + CELL, "E0912",
     "contains itself"),
    ("d = {1: CELLS}\n    d[1]['w'] = x[0]\n    return d[1]['w']\n\n\nCELLS = {'w': 1.0}",
     "E0912", "a constant of the module"),
    ("return g(x[0]) + g(x[0])\n\n\ndef g(a, l=[]):\n    l.append(a)\n    return len(l)", "E0912",
     "another variable may refer to this list"),
    ("return Cell().add(x[0])\n\n\nclass Cell:\n    def add(self, a, d={}):\n"
     "        d['a'] = a\n        return a", "E0912", "what else refers to this dict"),
    ("return Cell().add(x[0])\n\n\nclass Cell:\n    def add(self, a, l=[]):\n"
     "        l.append(a)\n        return a", "E0912", "another variable may refer to this list"),
    *(("c = Cell(x[0])\n    c.w = 2.0\n    return c.w\n\n\n"
       "from dataclasses import dataclass, InitVar\n\n\n"
       f"@dataclass{of}\nclass Cell:\n    w: {kind}", "E0912", word) for of, kind, word in [
           ("(frozen=True)", "float", "`Cell` is frozen"), ("", "InitVar[float]", "`InitVar`")]),
    ("return g(x[0]) + g(x[0])\n\n\ndef g(a, d={}):\n    d['a'] = a\n    return len(d)", "E0912",
     "what else refers to this dict"),
    ("p = {'x': x}\n    return p['y'][0]", "E0912", "does not have the key 'y' here"),
    ("p = {'x': x}\n    return p[int(x[0])][0]", "E0912", "must be known when the function is"),
    ("p = {'x': x}\n    return p", "E0912", "a dict is neither an array nor a number"),
    ("p = {}\n    for i in range(x.shape[0]):\n        p['a'] = x[i]\n    return p['a']", "E0912",
     "adds a key to a dict"),
    ("p = {}\n    if x[0] > 0.0:\n        p['a'] = x[0]\n    return x[0]", "E0912",
     "the keys of a dict depend on data"),
    ("p = {'a': 1.0}\n    q = p\n    for i in range(x.shape[0]):\n        p['a'] = p['a'] * x[i]\n"
     "        p = {'a': q['a']}\n    return p['a']", "E0912", "what else refers to this dict"),
    ("p, q = {'a': 1.0}, {'a': 2.0}\n    r = {'a': 3.0}\n    if x[0] > 0.0:\n        r = p\n"
     "    r['a'] = x[0]\n    return p['a']", "E0912", "what else refers to this dict"),
    ("p = {'a': x[0]}\n    k = p.keys()\n    p['b'] = 1.0\n    return len(k) * x[0]", "E0912",
     "what else refers to this dict"),
    ("p = {'a': x[0] for i in range(x.shape[0])}\n    return p['a']", "E0912", "keys of a dict"),
    ("p = {i: x[i] for i in range(3) if x[i] > 0.0}\n    return p[0]", "E0912", "depend on data"),
    ("return x[0] if x[0] in (1.0, 2.0) else 0.0", "E0912", "`in` only for a dict"),
    ("assert x.ndim == 2\n    return x[0]", "E0912", "this `assert` fails"),
    ("assert x > 0.0\n    return x[0]", "E0912", "must be a single value"),
    ("def g(a, **d):\n        return a\n    return g(x[0], **x)", "E0912", "`**` only before"),
    ("def g(a, b):\n        return a\n    return g(x[0], a=1.0)", "E0912", "two values"),
    ("return str(x[0])", "E0912", "`str` only for an integer"),
    ("return {f'{x[0]}': 1.0}['a']", "E0912", "in an f-string only"),
    ("return np.sum(x, where=x > 0.0)", "E0912", "`where` of `sum`"),
    ("return np.sum(np.exp(x, where=x > 0.0))", "E0912", "`where` of `exp`"),
    ("return np.mean(x, 0, None, 1)", "E0912", "arguments here"),
    ("return np.sum(x, 0, None, y)", "E0912", "`sum` supports only 2 arguments here"),
    ("return x.sum(0, None, y)", "E0912", "`sum` supports only 1 argument here"),
    ("return np.max(x, 0, None)", "E0912", "`max` supports only 2 arguments here"),
    ("return sum(x, 0.0, y)", "E0912", "`sum` supports only 2 arguments here"),
    ("return np.sum(np.transpose(m, (1, 0), x))", "E0912", "`transpose` supports only 2 arg"),
    ("return sum(x[i] * v for i, v in enumerate(y, 1))", "E0912", "`enumerate` supports only 1"),
    ("return np.linalg.norm(x, 3)", "E0912", "does not support a norm of this order"),
    ("def g(z):\n        return g(z)\n    return g(x[0])", "E0912", "nested more than 100 deep"),
    ("return f(x)", "E0912", "is missing"),
    ("if x[0] > 0.0:\n        return x[0]", "E0912", "does not return a value"),
    ("if x[0] > 0.0:\n        if x[1] > 0.0:\n            return x[0]", "E0912",
     "does not return a value"),
    ("if x[0] > 0.0:\n        if x[1] > 0.0:\n            return x[0]\n    " * 10 + "return 0.0",
     "E0912", "both branches of this `if` must return"),
    ("a, b = list(range(2))\n    return a * x[0]", "E0912", "cannot unpack this value"),
    ("a, b = 1, 2\n    (a, b) = zip(x, x)\n    return a[0]", "E0912", "cannot unpack this value"),
    ("for i, (a, b) in enumerate(x):\n        pass\n    return x[0]", "E0912",
     "a number cannot be unpacked"),
    ("return np.sum(x if x > 0.0 else -x)", "E0912", "a single value"),
    ("return ['a', 'b']", "E0912", "neither an array nor a number"),
    ("return np.sum(np.array(['a', 'b']) * x[0])", "E0912", "neither an array nor a number"),
    ("return np.sum(x * 'a')", "E0912", "neither an array nor a number"),
    ("return helper(x)", "E0912", "does not support `helper`"),
    ("return np.sum(np.fft.fft(x))", "E0912", "support the function `fft`"),
    ("return np.sum(np.linalg.eigvalsh(m))", "E0912", "support the function `linalg.eigvalsh`"),
    ("return np.sum(x.sort())", "E0912", "the array method `sort`"),
    ("return np.array([1.0, 2.0])[5]", "E0912", "index 5 is out of bounds"),
    ("return np.sum(np.array([]))", "E0912", "empty list"),
    ("return np.einsum('ii->', m)", "E0911", "[n] and [k]"),
    ("return np.einsum('...i->...', m)[0]", "E0912", "np.einsum"),
    ("return x[0.5]", "E0912", "must be an integer"),
    ("return x[0] << 1", "E0912", "not support this operator"),
    ("return {1: x[0]}[2]", "E0912", "does not have the key 2"),
    ("return np.sum(not x)", "E0912", "only for conditions"),
    ("s = [x[0]]\n    for i in range(x.shape[0]):\n        if x[i] > 0.0:\n"
     "            s.append(x[i])\n    return sum(s)", "E0912", "length of the list `s`"),
    ("return x[0] if x else 0.0", "E0912", "a single value"),
    ("if x > 0.0:\n        return x[0]\n    return 0.0", "E0912", "a single value"),
    ("for i in range(x.shape[0]):\n        y[0] = 1.0\n        r = x[i]\n    return r", "E0912",
     "`r` is not assigned on every path"),
    ("y = [0.0, 1.0]\n    y[0] = x[0]\n    return y[0]", "E0912", "an item of a list"),
    ("return np.trace(x)", "E0912", "must have 2 dimensions, but it has 1"),
    ("return np.linalg.norm(x, foo=3)", "E0912", "the argument `foo` of `norm`"),
    ("def g(*, z):\n        return z\n    return g(x[0])", "E0912", "takes 0 positional arguments"),
    ("return np.sum(x[x:])", "E0912", "bounds of a slice must be integers"),
    ("return np.sum(np.zeros(3)[-5:]) + x[0]", "E0912", "starts before the start of the array"),
    ("return np.sum(np.zeros((2, 3))[:, :4]) + x[0]", "E0912", "ends after the end of the array"),
    ("return np.sum(x[:x.shape[0] + 1])", "E0912", "ends after the end of the array"),
    ("return np.sum(x[1:-y.shape[0]])", "E0912", "only a constant bound of a slice"),
    ("return np.sum(m[:, -y.shape[0]:])", "E0912", "only a constant bound of a slice"),
    ("z = x * 1.0\n    z[x > 0.0] += y\n    return z[0]", "E0912",
     "only with numbers and with elements that the same"),
    ("return np.sum(x[2:1])", "E0912", "ends before it starts"),
    ("return sum(np.sum(x[i:i + y.shape[0]][-i:2 - i]) for i in range(3))", "E0912", "only a"),
    ("z = np.zeros(3)\n    z[-5:] = x[0]\n    return z[0]", "E0912", "before the start"),
    ("z = m.copy()\n    z[:, :y.shape[0] + 1] = 0.0\n    return z[0, 0]", "E0912", "after the end"),
    ("return grad(lambda z: z[int(z[0])] ** 2)(x)[0]", "E0912", "that depends on its argument"),
    ("t, s = 0, 0.0\n    for i in range(x.shape[0]):\n"
     "        s = s * 0.5 + grad(lambda z: z[int(z[0]) + t] ** 2)(x)[0]\n        t = t + 1\n"
     "    return s", "E0912", "that depends on its argument"),
    ("return np.sum(gather((3,), x, lambda i, j: i))", "E0912", "has 2 parameters"),
    ("pass\n\n\ndef f(x: Float[Array, 'n'], /) -> float:\n    return x[0]", "E0912",
     "parameter list"),
    ("pass\n\n\ndef f(x: Float[Array, '2*n']) -> float:\n    return x[0]", "E0912",
     "the size `n` cannot be computed"),
    ("pass\n\n\ndef f(x: Int[Array, 'n']) -> float:\n    return float(x[0])", "E0901",
     "contains floats"),
]


def main() -> int:
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for i, (body, _, _) in enumerate(CASES):
            path = pathlib.Path(folder) / f"case{i}.py"
            path.write_text(HEAD + "    " + body + "\n")
            jobs.append((path, "f", path.with_suffix("")))
        for (body, code, word), line in zip(CASES, ac.compile_all(sys.argv[1], jobs)):
            if not line.startswith(code) or word not in line:
                print(f"{body!r}: expected {code} .. {word}, found {line}")
                bad += 1
    print(f"refused array programs: {len(CASES)}, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
