"""What makes loops, and numpy, out of terms fires: their text for small programs. That values stay
is checked on all programs (arrays.py, terms.py).

    python3 tests/grad/nests.py TOOL
"""

from __future__ import annotations

import pathlib
import re
import sys
import tempfile
from collections.abc import Callable

import array_check as ac

HEAD = ("import numpy as np\n\n"
        "from pychoral.ad import Array, Float, Int, build, gather, scatter\n\n\n")


def body(text: str, name: str) -> str:
    return text.split(f"def {name}(")[1].split("\ndef ")[0]


def gradient_of(text: str) -> str:
    found = re.search(r"def (f_value_and_(grad|jacobian))\(", text)
    return body(text, found[1]) if found else ""


def inside(text: str, loop: str) -> str:
    """The statements of all loops with this head."""
    found, depth = [], -1
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if depth >= 0 and line.strip() and indent <= depth:
            depth = -1
        if depth >= 0:
            found.append(line)
        elif re.match(rf"\s*for \w+ in {re.escape(loop)}:", line):
            depth = indent
    return "\n".join(found)


def no_dead_code(text: str) -> bool:
    return "y[" not in text.replace("y_grad[", "") and "x[" in body(text, "f")


def no_store(text: str) -> bool:
    return "np.empty(n" not in text


def one_loop(text: str) -> bool:
    gradient = gradient_of(text)
    return gradient.count("range(0, n, 64)") == 1 and not re.search(r"np.empty\(n\b", gradient)


def strips(text: str) -> bool:
    return "np.empty(k * 64, float)" in text and "np.empty(d * 64, float)" in text


def one_row(text: str) -> bool:
    """A batch of one row has a function without a loop over rows."""
    calls = re.search(r"if n == 1:\s+return f_value_and_grad_one\(", gradient_of(text))
    one = body(text, "f_value_and_grad_one")
    return calls is not None and "range(1)" not in one and "range(0, n, 64)" not in one


def no_row(text: str) -> bool:
    """Strips over two sizes: a function for one row would gain little."""
    gradient = gradient_of(text)
    return all(f"range(0, {size}, 64)" in gradient for size in "kn") and "_one" not in text


def partial_sums(text: str) -> bool:
    return "part = np.empty(8, float)" in text and "range(0, w & -8, 8)" in text


def sums_together(text: str) -> bool:
    """Sums that share an operation are one loop over the lanes, in which it is done once, with
    fewer partial sums each."""
    loops = re.findall(r"range\(0, e\d*, 4\):\n(.*?)\n *part", gradient_of(text), re.DOTALL)
    return len(loops) > 0 and "np.empty(8," not in gradient_of(text) and all(
        len(re.findall(r"(sum\d*) = \1 \+", loop)) == 2 and loop.count(" - m[") == 1
        for loop in loops)


def sums_apart(text: str) -> bool:
    """Sums that share only what they read are loops of their own."""
    gradient = gradient_of(text)
    return " e = " not in gradient and len(re.findall(r"range\(0, w\d* & -8, 8\)", gradient)) > 1


def factor_outside(text: str) -> bool:
    """What is the same for all points, and the sign, are not factors in the sums over them."""
    loops = re.findall(r"range\(0, e\d*, 4\):\n(.*?)\n *part", gradient_of(text), re.DOTALL)
    return len(loops) > 0 and all(loop.count("*") - loop.count("* 64") - loop.count("* d") == 2
                                  for loop in loops)


def factor_inside(text: str) -> bool:
    """The product is made once for sums along different dimensions."""
    made = re.search(r"(x\d*)\[b\d*\] = .*\* each.*\n +(x\d*\[b\d*\]) = \2 \+ \1\[",
                     gradient_of(text))
    return made is not None and f"_lane_sum({made[1]}, " in gradient_of(text)


def known_sum(text: str) -> bool:
    """The sum of what is normed is the product with a sum that is there."""
    gradient = gradient_of(text)
    norm = re.search(r"(x\d*)(\[b\d*\]) = 1\.0 / (x\d*)\2\n", gradient)
    return norm is not None and f"1.0 + -{norm[1]}{norm[2]} * {norm[3]}{norm[2]}\n" in gradient


def compared_in_lanes(text: str) -> bool:
    """Not more, and no NaN before: two comparisons for each lane."""
    return re.search(r"if not t\d* <= (x\d*\[b\d*\]) and \1 == \1:",
                     gradient_of(text)) is not None


def compared_one_by_one(text: str) -> bool:
    """The best so far is compared with itself where the others say nothing only."""
    return re.search(r"if not (\w+) <= (\w+) and \(\1 > \2 or \1 != \1 and \2 == \2\):",
                     gradient_of(text)) is not None


def calls_apart(function: str) -> Callable[[str], bool]:
    """A loop over lanes calls it, of numbers that are there, and does nothing else."""
    own = rf"for b\d* in range\(w\):\n +(x\d+\[.*\]) = np\.{function}\(\1\)\n +for"

    def fires(text: str) -> bool:
        gradient = gradient_of(text)
        return gradient.count(f"np.{function}(") == 1 and re.search(own, gradient) is not None
    return fires


def put_there(text: str) -> bool:
    """A round changes elements of a table where they are: no loop over the table."""
    rounds = inside(gradient_of(text), "range(m - 1)")
    return len(re.findall(r"= put|\+ put", rounds)) > 3 and "for " not in rounds


def put_where_said(text: str) -> bool:
    """Also at a place that is read from an array."""
    rounds = re.findall(r"\n    for r\d* in range\(n\):\n((?: {8}.*\n)+)", gradient_of(text))
    return len(rounds) == 2 and all("put" in r and "for " not in r for r in rounds)


def stored_in_numpy(*stores: str) -> Callable[[str], bool]:
    """The rounds store these, and make no array of the table's size but the one at the start."""
    def fires(text: str) -> bool:
        both = gradient_of(text)
        rounds = inside(both, "range(n - 1)") + inside(both, "reversed(range(n - 1))")
        return all(re.search(s, rounds) for s in stores) and "_scatter" not in rounds
    return fires


def rows_put_there(text: str) -> bool:
    """A round changes a row: no loop over all rows."""
    rounds = inside(gradient_of(text), "range(n - 1)")
    return "put" in rounds and "for " in rounds and "in range(n)" not in rounds


def called_if(text: str) -> bool:
    """What is called for some lanes only stays in its branch."""
    return re.search(r"np\.exp\(.*\*.*\) if ", body(text, "f")) is not None


def lane_sums(text: str) -> bool:
    """The text of partial sums is there once; what is a sum itself is summed where it lies."""
    return (text.count("part = np.empty(8, float)") == 1 == text.count("def _lane_sum(")
            and bool(re.search(r"_lane_sum\(each\d*, 0, w\d*\)", text))
            and bool(re.search(r"_lane_sum\(x\d+, 0, w\d*\)", text)))


def outside(text: str) -> bool:
    gradient = gradient_of(text)
    return "q[" not in inside(gradient, "range(0, n, 64)") and "q[" in gradient


def tested(text: str) -> bool:
    return bool(re.search(r"np.cos\(.*\)", text)) and " < n else 0.0" in text


def reused(text: str) -> bool:
    return gradient_of(text).count("np.exp(") == 1


def unrolled(text: str) -> bool:
    """Rounds with a sum inside, four at once, then the rest."""
    return "in range(0, n & -4, 4):" in text and "in range(n & -4, n):" in text


def added_four_at_once(text: str) -> bool:
    """What rounds add to the same places is read and written once for four of them."""
    rounds = inside(gradient_of(text), "range(0, n & -4, 4)")
    return len(re.findall(r"^\s*b_grad\[.*\] = \(b_grad\[", rounds, re.M)) == 4


def sums_inside(text: str) -> bool:
    """What is summed for each lane is added up in the innermost loop, four at once."""
    rounds = inside(gradient_of(text), "range(k)")
    return "in range(0, d & -4, 4):" in rounds and "in range(d & -4, d):" in rounds


def looked_up(text: str) -> bool:
    """What is read through an index is put into the strip first; exp has no tests beside it."""
    gradient = gradient_of(text)
    reads = [line for line in gradient.splitlines() if " < n else 0.0" in line]
    return bool(reads) and all(re.fullmatch(r"\s*\w+\[\w+\] = x\[.*\] if .* else 0\.0", line)
                               for line in reads)


def written_out(text: str) -> bool:
    """Rounds that decide which element is not 0."""
    return "range(4)" not in inside(gradient_of(text), "range(0, n, 64)")


def few_rounds(text: str) -> bool:
    """Of a dimension of 3, in a strip: numbers of each lane in one loop."""
    return "range(3)" not in inside(gradient_of(text), "range(0, n, 64)")


def along_a_row(text: str) -> bool:
    """The 20 numbers of a row lie together, so each lane of a strip puts all of them."""
    return re.search(r"value\[\(i \+ \w+\) \* 20 \+ 19\] =", gradient_of(text)) is not None


def wide(text: str) -> bool:
    """Truths of a strip are as wide as numbers."""
    return "np.empty(64, bool)" not in text and "np.empty(64, int)" in text


def no_loop_in_strips(text: str) -> bool:
    """One place of what is computed is computed there."""
    return not re.search(r"in range\(n\):", inside(text, "range(0, n, 64)"))


def edges(text: str) -> bool:
    """Between the edges of a loop nothing is tested."""
    gradient = gradient_of(text)
    between = inside(gradient, "range(n - 8)")
    return "range(min(8, n))" in gradient and "kept[" in between and " if " not in between


def added_in_rounds(text: str) -> bool:
    """What the rounds back give to x is not kept; the states are."""
    gradient = gradient_of(text)
    return len(re.findall(r"kept\w* = np.empty", gradient)) == 1


def kept_inside(text: str) -> bool:
    """Rounds inside of a round are computed once, and so is what they read of it."""
    gradient = gradient_of(text)
    return gradient.count("np.exp(") == 1 and gradient.count("np.tanh(") == 1


def put_at_once(text: str) -> bool:
    """Rounds put what the round around them keeps into its row: nothing is copied there."""
    return re.search(r"kept\w*\[[^]]+\] = kept", gradient_of(text)) is None


def reciprocal(text: str) -> bool:
    """The only divisions are those that make it."""
    return re.search(r"(?<!1\.0) / ", gradient_of(text)) is None


def no_test_on_diagonal(text: str) -> bool:
    return re.search(r"\b(\w+(?: \+ \w+)?) (?:<|==) \(?\1\)?[ :]", gradient_of(text)) is None


def zeros(text: str) -> bool:
    """What a parameter does not move is tested once for all lanes; in the value nothing is."""
    between = re.sub(r"\n\s*\|", " |", inside(gradient_of(text), "range(5)"))
    return bool(re.search(r"!= 0\.0.*:\n\s*for \w+ in range\(w\w*\):", between)) and (
        "!= 0.0" not in body(text, "f"))


def zero_rows(text: str) -> bool:
    """Which rows are moved is found out in front of the strips."""
    return re.search(r"if moved\[.*\]:\n\s*for \w+ in range\(w\w*\):",
                     gradient_of(text)) is not None


def asked_again(text: str) -> bool:
    """The rounds of a loop ask again whether a number is 0: no array holds the answers."""
    gradient = gradient_of(text)
    return "== 0.0" in gradient and re.search(r"\] = \(?\w+\[[^=]*\] == 0\.0", gradient) is None


def along_the_others(text: str) -> bool:
    """What loops keep does not decide it: what is read of it goes along the array."""
    return "np.cos(" in inside(gradient_of(text), "range(0, n, 64)")


def stored_once(text: str) -> bool:
    """The product, its derivative and that of the gather; what the gather answers is not stored."""
    return gradient_of(text).count("np.empty(n * n, float)") == 3


def added_at_one(text: str) -> bool:
    """Only the nearest centre is added to; no round goes over all of them for it."""
    gradient = gradient_of(text)
    return inside(gradient, "range(0, n, 64)").count("in range(k):") == 1


def added_in_place(text: str) -> bool:
    """The sum that is the result transposed has no array of its own."""
    gradient = gradient_of(text)
    return "w_grad[" in inside(gradient, "range(0, n, 64)") and not re.search(
        r"np.empty\((h \* d|d \* h), float\)", gradient)


def put_together(text: str) -> bool:
    """A product of a column and a row is put along its rows, also where the row decides."""
    return re.search(r"w_grad\[j\d* \* d \+ \(i\d* \+ b\d*\)\] = ",
                     inside(gradient_of(text), "range(0, d, 64)")) is not None


def compared_once(text: str) -> bool:
    """What finds the place of the largest finds the largest, too; of most elements one comparison
    says that they are not. The value needs no place."""
    gradient = gradient_of(text)
    return "if not " in gradient and "best" not in gradient and (
        "np.maximum" not in gradient and "np.maximum" in body(text, "f"))


def row_sums(text: str) -> bool:
    """Elements of a row are summed where they lie."""
    return bool(re.search(r"_lane_sum\(x\d+, i\d*, w\d*\)", gradient_of(text)))


def not_copied(text: str) -> bool:
    """Columns whose elements lie side by side in a strip are read where they are."""
    return re.search(r"\[j\d* \* 64 \+ b\d*\] = x\[", text) is None and (
        "range(0, m, 64)" in gradient_of(text))


MOVED = r"\n\s*(state|kept)\w*\[[^]]*\] = state\w*\[[^]]*\]\n"


def in_place(text: str) -> bool:
    """A state of which each element is read where it is written has no second array."""
    return re.search(MOVED, gradient_of(text)) is None


def put_beside(text: str) -> bool:
    """A state of which other elements are read than the one that is written has."""
    return re.search(MOVED, gradient_of(text)) is not None


def kept_where_stored(text: str) -> bool:
    """The array whose shifted elements are read is kept, in the row that it is stored in."""
    between = inside(inside(gradient_of(text), "range(s)"), "range(n - 8)")
    return bool(re.search(r"\+ x\[i\d* \+ 8\] \* kept\w+\[r \* n \+ \(i\d* \+ 8 - 1\)",
                          re.sub(r"\s+", " ", between)))


def states_in_rows(text: str) -> bool:
    """A round makes the next row of the states that are kept: they are not copied."""
    gradient = gradient_of(text)
    return "np.empty((np.maximum(s, 0) + 1) * n, float)" in gradient and \
        "kept[(r + 1) * n + i" in gradient and not re.search(r"kept\w*\[[^]]*\] = state", gradient)


def no_test_of_rounds(text: str) -> bool:
    """2.0 / s is finite in a round of s: a cotangent is not tested for 0."""
    return " == 0.0" not in gradient_of(text)


def moved_together(text: str) -> bool:
    """What the stages of a step give to its state is added before it is shifted; the state, which
    is written by two loops, has no second array."""
    back = gradient_of(text).split("value = ")[1]
    added = r"state\[(i\d* \+ 0)\] = state\[\1\] \+ x\d+\[\1 \+ 1\]\n"
    return re.search(added, back) is not None and re.search(MOVED, back) is None


def cheap_again(text: str) -> bool:
    """A product with a number, however dear, is made again where it is read."""
    return "np.empty(n" not in body(text, "f")


PARTIAL = r"\):\n\s+for \w+ in range\(8\):\n\s+part"


def half(text: str) -> bool:
    """A sum whose elements above the diagonal are never read."""
    return bool(re.search(r"for \w+ in range\(k\d* \+ 1" + PARTIAL, gradient_of(text)))


def other_half(text: str) -> bool:
    return bool(re.search(r"for \w+ in range\(k\d*, d" + PARTIAL, gradient_of(text)))


def beside(text: str) -> bool:
    return bool(re.search(r"for \w+ in range\(max\(0, (k\d*) - 1\), min\(e, \1 \+ 2\)" + PARTIAL,
                          gradient_of(text)))


def whole(text: str) -> bool:
    """Elements on both sides of the diagonal are read."""
    return bool(re.search(r"for \w+ in range\(d" + PARTIAL, gradient_of(text)))


def value_half(text: str) -> bool:
    return bool(re.search(r"for \w+ in range\(k\d+" + PARTIAL, body(text, "f")))


def value_whole(text: str) -> bool:
    return not value_half(text) and bool(re.search(r"for \w+ in range\(d" + PARTIAL,
                                                   body(text, "f")))


MIX = """def f(m: Float[Array, "k d"], x: Float[Array, "n d"]) -> float:
    z = -np.sum((x[:, None, :] - m) ** 2, axis=2)
    top = np.max(z, axis=1)
    return np.sum(top + np.log(np.sum(np.exp(z - top[:, None]), axis=1)))
"""
SCALED = """def f(s: Float[Array, "k d"], m: Float[Array, "k d"], x: Float[Array, "n d"]) -> float:
    z = s * (x[:, None, :] - m)
    return np.sum(np.log(np.sum(np.exp(-np.sum(z * z, axis=2)), axis=1)))
"""
TWO = """def f(x: Float[Array, "n d"], y: Float[Array, "k d"]) -> float:
    return np.sum(np.log(np.sum(np.exp(x), axis=1))) + np.sum(np.log(np.sum(np.exp(y), axis=1)))
"""
FULL = """def f(roots: Float[Array, "k d d"], x: Float[Array, "n d"]) -> float:
    z = np.einsum("arc,ic->iar", roots, x)
    return np.sum(np.log(np.sum(np.exp(-np.sum(z * z, axis=2)), axis=1)))
"""


def triangle(element: str, columns: str = "d", kind: str = "Float") -> str:
    """The mixture of FULL with roots whose elements are computed so."""
    return f"""def f(roots: Float[Array, "k d {columns}"], q: Float[Array, "k d"],
      x: {kind}[Array, "n {columns}"]) -> float:
    m = build(roots.shape, lambda i, r, c: {element})
    z = np.einsum("arc,ic->iar", m, x)
    return np.sum(np.log(np.sum(np.exp(-np.sum(z * z, axis=2)), axis=1)))
"""


PRODUCTS = """def f(x: Float[Array, "n k d"]) -> float:
    y = np.einsum("nki,nkj->kij", x, x)
    m = build(y.shape, lambda i, r, c: y[i, r, c] if c < r else 0.0)
    return np.sum(np.exp(m) * m)"""
BONES = """def f(t: Float[Array, "3"], base: Float[Array, "v 4"], w: Float[Array, "n 5"],
      at: Int[Array, "n"]):
    c, s, one = np.cos(t), np.sin(t), np.eye(4)
    turns = [np.array([[c[i], -s[i], 0.0, 0.0], [s[i], c[i], 0.0, 0.0], [0.0, 0.0, 1.0, 0.0],
                       [0.0, 0.0, 0.0, 1.0]]) for i in range(3)]
    all = np.stack([one, turns[0], turns[0] @ turns[1], turns[2], one])
    return np.einsum("nb,bij,nj->ni", w, all, base[at])
"""
TURNED = """def f(t: Float[Array, "40"], base: Int[Array, "v 4"], w: Int[Array, "n 5"],
      at: Int[Array, "n"]):
    c, s, one = np.cos(t), np.sin(t), np.eye(4)
    turns = [np.array([[c[i], -s[i], 0.0, 0.0], [s[i], c[i], 0.0, 0.0], [0.0, 0.0, 1.0, 0.0],
                       [0.0, 0.0, 0.0, 1.0]]) for i in range(7)]
    all = np.stack([one, turns[0], turns[3] @ turns[4], turns[5] @ turns[6], one])
    moved = np.einsum("nb,bij,nj->ni", w * 1.0, all, base[at] * 1.0)
    return moved @ np.exp(np.stack([t[0:4], t[1:5], t[2:6], t[3:7]]))
"""

SHIFT = """def f(x: Float[Array, "n"], s: int) -> float:
    y = np.zeros(x.shape[0])
    for _ in range(s):
        y = y + x * np.concatenate([np.ones(1), y[:-1]])
    return y[-1]
"""
ROUNDS = """def f(w: Float[Array, "l b"], x: Float[Array, "b"], s: int) -> float:
    h = np.zeros_like(w)
    for t in range(s):
        y, new = x, np.zeros_like(h)
        for k in range(w.shape[0]):
            y = np.tanh(h[k] * w[k]) * np.exp(y * w[k])
            new[k] = y
        h = new
    return np.sum(h)
"""
STEPS = """def f(x: Float[Array, "n"], s: int) -> float:
    y = np.zeros(x.shape[0])
    for _ in range(s):
        z = y + 2.0 / s * (x * np.concatenate([np.ones(1), y[:-1]]))
        y = y + x * np.concatenate([np.ones(1), z[:-1]])
    return y[-1]
"""
STAGES = """def f(x: Float[Array, "n"], s: int) -> float:
    y = np.zeros(x.shape[0])
    for _ in range(s):
        k1 = x * np.concatenate([np.ones(1), y[:-1]])
        k2 = x * np.concatenate([np.ones(1), (y + k1 / 2.0)[:-1]])
        k3 = x * np.concatenate([np.ones(1), (y + k2 / 2.0)[:-1]])
        k4 = x * np.concatenate([np.ones(1), (y + k3)[:-1]])
        y = y + 2.0 / s * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return y[-1]
"""
LSE = """def f(x: Float[Array, "n"]) -> float:
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))
"""
LAYERS = """def f(w: Float[Array, "h d"], b: Float[Array, "h"], v: Float[Array, "o h"],
      x: Int[Array, "d"]) -> float:
    y = v @ np.tanh(w @ x + b)
    return np.log(np.sum(np.exp(y - np.max(y))))
"""
CENTRES = """def f(c: Float[Array, "k d"], x: Float[Array, "n d"]) -> float:
    apart = np.sum((x[:, None, :] - c) ** 2, axis=2)
    return np.sum(np.min(apart, axis=1))
"""
CASES: list[tuple[str, str, Callable[[str], bool]]] = [
    ("dead code", 'def f(x: Float[Array, "n"], y: Float[Array, "n"]) -> float:\n'
     "    z = np.exp(y)\n    return np.sum(x * x + 0.0 * x)\n", no_dead_code),
    ("a producer into its consumer", 'def f(x: Float[Array, "n"]) -> float:\n'
     "    y = 2.0 * x\n    return np.sum(y[::-1] * y + y)\n", no_store),
    ("a common loop", MIX, one_loop),
    ("strips", MIX, strips),
    ("one row", MIX, one_row),
    ("strips over two sizes", TWO, no_row),
    ("sums over lanes", 'def f(x: Float[Array, "n d"]) -> float:\n'
     "    return np.sum(np.exp(x[:, 0])) + np.sum(np.sum(x, axis=1))\n", lane_sums),
    ("partial sums", 'def f(x: Float[Array, "n"]) -> float:\n    return np.sum(x * x)\n',
     partial_sums),
    ("sums that share operations", SCALED, sums_together),
    ("a factor out of sums", SCALED, factor_outside),
    ("a factor of one of two sums", 'def f(b: Float[Array, "n"], c: Float[Array, "k"], '
     'v: Int[Array, "n"], w: Int[Array, "k"]) -> float:\n    z = np.exp(b[:, None] - c)\n'
     "    return np.sum((v * 1.0)[:, None] * (w * 1.0) * z)\n", factor_inside),
    ("a sum that is there", MIX, known_sum),
    ("the largest of each lane", MIX, compared_in_lanes),
    ("the largest of all", LSE, compared_one_by_one),
    ("sums that read the same", 'def f(a: Float[Array, "d"], b: Float[Array, "d"], '
     'x: Float[Array, "n d"]) -> float:\n'
     "    return np.sum((x @ a) * (x @ b))\n", sums_apart),
    ("calls apart", MIX, calls_apart("exp")),
    ("square roots apart", 'def f(x: Float[Array, "n"], y: Float[Array, "n"]) -> float:\n'
     "    r = np.sqrt(x * x + y * y)\n    return np.sum((x - y) / r + r * (x + y))\n",
     calls_apart("sqrt")),
    ("elements put into a table", 'def f(x: Float[Array, "n m"]) -> float:\n'
     "    y = x * 1.0\n"
     "    for i in range(1, x.shape[0]):\n"
     "        for j in range(1, x.shape[1]):\n"
     "            y[i, j] = np.sin(y[i - 1, j]) * y[i, j - 1]\n"
     "    return np.sum(y)\n", put_there),
    ("elements put where data says", 'def f(x: Float[Array, "n"], at: Int[Array, "n"]) -> float:\n'
     "    y = np.ones(x.shape[0])\n"
     "    for i in range(x.shape[0]):\n"
     "        y[at[i]] = y[at[i]] * x[i] + y[0]\n"
     "    return np.sum(y)\n", put_where_said),
    ("rows put into a table", 'def f(x: Float[Array, "n m"], s: Float[Array, "n"]) -> float:\n'
     "    y = x * 1.0\n"
     "    for i in range(1, x.shape[0]):\n"
     "        y[i] += s[i] * y[i - 1]\n"
     "    return np.sum(y)\n", rows_put_there),
    ("calls in a branch", 'def f(x: Float[Array, "n"], y: Float[Array, "n"]) -> float:\n'
     "    return np.sum(np.where(x > y, np.exp(x * y - x), x) * y)\n", called_if),
    ("linear maps", 'def f(q: Float[Array, "r c"], x: Float[Array, "n c"]) -> float:\n'
     "    return np.sum(x @ q.T)\n", outside),
    ("sums four at once", 'def f(a: Float[Array, "n m"], b: Float[Array, "m p"]) -> float:\n'
     "    return np.sum(np.tanh(a @ b))\n", unrolled),
    ("rounds that add, four at once", 'def f(a: Float[Array, "n m"], b: Float[Array, "m p"], '
     'w: Float[Array, "n p"]) -> float:\n    return np.sum((a @ b) * w)\n', added_four_at_once),
    ("sums inside of a strip", FULL, sums_inside),
    ("an index that is tested", 'def f(x: Float[Array, "n"]) -> float:\n'
     "    return np.sum(gather((7,), np.cos(x), lambda i: i - 2) * np.arange(7))\n", tested),
    ("an index that is looked up", 'def f(x: Float[Array, "n"], at: Int[Array, "m"]) -> float:\n'
     "    y = gather((at.shape[0],), x, lambda i: at[i])\n    return np.sum(np.exp(y) * y)\n",
     looked_up),
    ("rounds written out", 'def f(x: Float[Array, "n"]) -> float:\n'
     "    y = build((x.shape[0], 4), lambda i, j: x[i] * (j + 1.0))\n"
     "    z = scatter((x.shape[0], 4), y[:, 0], lambda i: (i, 2))\n"
     "    return np.sum(np.exp(y * z))\n", written_out),
    ("few rounds of a strip", 'def f(x: Float[Array, "n 3"], a: Float[Array, "3"]) -> float:\n'
     "    return np.sum(np.exp(np.sum(a * x, axis=1)))\n", few_rounds),
    ("numbers of a row", 'def f(x: Float[Array, "n d"], w: Float[Array, "20"]):\n'
     "    return np.sum(x * x, axis=1)[:, None] * w\n", along_a_row),
    ("wide truths", 'def f(x: Float[Array, "n"], y: Float[Array, "n"]) -> float:\n'
     "    z = np.where(np.exp(x) > y, np.sin(x) * y, x)\n    return np.sum(z * z)\n", wide),
    ("a place of what is computed", 'def f(x: Float[Array, "n 3"]) -> float:\n'
     "    y = np.exp(x) * x + np.sin(x)\n    return np.sum((y[:, :2] / y[:, 2:3]) ** 2)\n",
     no_loop_in_strips),
    ("edges of a loop", SHIFT, edges),
    ("sums in rounds", SHIFT, added_in_rounds),
    ("rounds inside of rounds", ROUNDS, kept_inside),
    ("what rounds inside keep", ROUNDS, put_at_once),
    ("the square of a reciprocal", 'def f(x: Float[Array, "n"]) -> float:\n'
     "    return np.sum(1.0 / (1.0 + np.exp(-x)))\n", reciprocal),
    ("tests on the diagonal", 'def f(a: Float[Array, "n n"]) -> float:\n    n = a.shape[0]\n'
     "    y = build((n, n), lambda i, j: a[i, j] if j < i else (\n"
     "        np.exp(a[i, i]) if i == j else 0.0))\n"
     "    return sum(np.log(y[i, i]) for i in range(n)) + np.sum(y * y)\n", no_test_on_diagonal),
    ("zeros of a derivative", BONES, zeros),
    ("rows that are 0", TURNED, zero_rows),
    ("quick tests", TURNED, asked_again),
    ("the dimension of the others", 'def f(x: Float[Array, "n"], k: float, s: int) -> float:\n'
     "    for _ in range(s):\n        x = x + 0.2 * np.sin(k * x)\n    return np.sum(x)\n",
     along_the_others),
    ("a gather of what is stored", 'def f(x: Float[Array, "n m"]) -> float:\n'
     "    y = np.exp(x)\n    z = (y @ y.T)[::-1]\n    return np.sum(np.tanh(z * z) * z)\n",
     stored_once),
    ("sums at one place", CENTRES, added_at_one),
    ("a product along its rows", LAYERS, put_together),
    ("the largest and its place", MIX, compared_once),
    ("sums of a row", LSE, row_sums),
    ("columns along a strip", 'def f(x: Float[Array, "n m"]) -> float:\n'
     "    return np.sum(np.exp(np.sum(x[1:] * x[:-1], axis=0)))\n", not_copied),
    ("states in place", ROUNDS, in_place),
    ("states beside", SHIFT, put_beside),
    ("rows of what is shifted", STEPS, kept_where_stored),
    ("states that are rows", STEPS, states_in_rows),
    ("the number of rounds in a round", STEPS, no_test_of_rounds),
    ("shifts of one state", STAGES, moved_together),
    ("a product with one number", 'def f(x: Float[Array, "n"], a: float) -> float:\n'
     '    y = x * np.exp(a)\n    return np.sum(y[1:] * y[:-1])\n', cheap_again),
    ("sums in place", 'def f(w: Float[Array, "h d"], x: Float[Array, "n d"]) -> float:\n'
     "    return np.sum(np.log(np.sum(np.exp(x @ w.T), axis=1)))\n", added_in_place),
    ("below the diagonal", triangle("np.exp(q[i, r]) if r == c else (roots[i, r, c] if c < r "
                                    "else 0.0)"), half),
    ("above the diagonal", triangle("roots[i, r, c] if not r > c else 1.0"), other_half),
    ("beside the diagonal", triangle("roots[i, r, c] if c - 1 <= r and r < c + 2 else 0.0",
                                     "e", "Int"), beside),
    ("both arms of the condition", triangle("roots[i, r, c] if c < r else "
                                            "np.exp(roots[i, r, c])"), whole),
    ("another element than the condition's", triangle("roots[i, r, c] if c < r else q[i, r]"),
     whole),
    ("a condition on numbers", triangle("roots[i, r, c] if q[i, r] < q[i, c] else 0.0"), whole),
    ("below the diagonal of a value", PRODUCTS, value_half),
    ("an element out of the condition", PRODUCTS + " + y[0, 0, -1]\n", value_whole),
    ("results used again", 'def f(x: Float[Array, "n"]) -> float:\n'
     "    return np.sum(np.exp(x) * x)\n", reused),
]

QUADRATIC = """def f(a: Float[Array, "k d d"], x: Float[Array, "n k d"]) -> float:
    return np.sum(np.sum(np.einsum("kij,nkj->nki", a, x) ** 2, axis=2) ** 2)
"""


def batches(text: str) -> bool:
    """The value, and the derivatives by both."""
    return gradient_of(text).count("_product(") == 3


def squares_of_rows(text: str) -> bool:
    return re.findall(r'einsum\(\s*"([^"]*)"', gradient_of(text)) == ["abc,abc->ab"]


def squares_of_what_is_made(text: str) -> bool:
    """What is squared would be computed twice."""
    return "np.sum((x - y[:, None]) ** 2.0, 1)" in text and "x1 = x - y[:, None]" in text


def sum_beforehand(text: str) -> bool:
    return re.search(r'einsum\(\s*"cd,cda->ca", np.sum\(\w+, 0\)', text) is not None


ROWS = """def f(a: Float[Array, "k d d"], c: Float[Array, "k d"], x: Float[Array, "n d"]) -> float:
    apart = np.einsum("kij,nkj->nki", a, x[:, None, :] - c)
    return np.sum(np.log(np.sum(apart * apart, axis=2)))
"""


def no_stored_product(text: str) -> bool:
    """Of rows; a whole sum is np.sum."""
    return '"abc,abc->ab"' in text and "np.sum(np.log(" in text


def in_order_of_products(text: str) -> bool:
    return "= np.transpose(x - c[:, None, :], (1, 0, 2))" in text


def twice_a_half(text: str) -> bool:
    """A number in what is added to itself takes the 2.0."""
    return re.search(r"(\w+) \+ \1\b", gradient_of(text)) is None


def no_factor(text: str) -> bool:
    return "w[:, None] * x," in gradient_of(text)


# The same of the text in numpy.
IN_NUMPY: list[tuple[str, str, Callable[[str], bool]]] = [
    ("products of matrices for each index", QUADRATIC, batches),
    ("squares of rows", QUADRATIC, squares_of_rows),
    ("squares of what is made there", 'def f(x: Float[Array, "n d"], y: Float[Array, "n"]) -> '
     "float:\n    return np.sum(np.log(np.sum((x - y[:, None]) ** 2, axis=1)))\n",
     squares_of_what_is_made),
    ("half a square", 'def f(x: Float[Array, "n d"], w: Float[Array, "n"]) -> float:\n'
     "    return np.sum(0.5 * w * np.sum(x ** 2, axis=1))\n", no_factor),
    ("a sum before the product", 'def f(a: Float[Array, "k d d"], x: Int[Array, "n d"], '
     'y: Float[Array, "k d"]) -> float:\n    z = np.einsum("kij,nkj->nki", a, x[:, None, :] - y)\n'
     "    return np.sum(np.sum(z ** 2, axis=2) ** 2)\n", sum_beforehand),
    ("rows times rows", ROWS, no_stored_product),
    ("matrices in the order of their products", ROWS, in_order_of_products),
    ("elements stored in numpy", 'def f(x: Float[Array, "n m"]) -> float:\n'
     "    n, m = x.shape\n    y = x * 1.0\n    for i in range(1, n):\n"
     "        for j in range(1, m):\n            y[i, j] += np.sin(y[i - 1, j]) * y[i, j - 1]\n"
     "    return np.sum(y)\n", stored_in_numpy(
         r"x\d+\[t \+ 1, t_ \+ 1\] = x", r"(x\d+)\[t \+ 1, t_ \+ 1\] = 0.0\n",
         r"x\d+\[t, t_ \+ 1\] \+= ", r"x\d+\[t \+ 1, t_\] \+= ")),
    ("rows stored in numpy", 'def f(x: Float[Array, "n m"]) -> float:\n'
     "    y = x * 1.0\n    for i in range(1, x.shape[0]):\n"
     "        y[i] = np.sin(y[i - 1]) * x[i]\n    return np.sum(y)\n", stored_in_numpy(
         r"x\d+\[t \+ 1\] = x", r"x\d+\[t \+ 1\] = 0.0\n", r"x\d+\[t\] \+= ")),
    ("columns stored in numpy", 'def f(x: Float[Array, "m n"]) -> float:\n'
     "    y = x * 1.0\n    for i in range(1, x.shape[1]):\n"
     "        y[:, i] = np.sin(y[:, i - 1])\n    return np.sum(y)\n", stored_in_numpy(
         r"x\d+\[:, t \+ 1\] = np.sin", r"x\d+\[:, t \+ 1\] = 0.0\n",
         r"x\d+\[:, t\] \+= ")),
    ("added where data says in numpy", 'def f(x: Float[Array, "n"], at: Int[Array, "n"]) -> '
     "float:\n    y = np.zeros(x.shape[0])\n    for i in range(x.shape[0] - 1):\n"
     "        y[at[i]] += x[i] * np.cos(y[0])\n    return np.sum(y)\n", stored_in_numpy(
         r"if .*:\n +x\d+\[x\d+\] (\+=|=) ")),
    ("stored under a condition in numpy", 'def f(x: Float[Array, "n"]) -> float:\n'
     "    y = x * 1.0\n    for i in range(1, x.shape[0]):\n        if x[i] > 0.0:\n"
     "            y[i] *= y[i - 1]\n    return np.sum(y)\n", stored_in_numpy(
         r"if x\d+\[t\]:\n +x\d+\[t \+ 1\] = ", r"if x\d+:\n +x\d+\[t \+ 1\] = 0.0\n")),
    ("twice a half", 'def f(x: Float[Array, "n d"], w: Float[Array, "n"]) -> float:\n'
     "    y = np.exp(x)\n    return np.sum(np.sin(w * 0.5 * np.sum(y * y, axis=1)))\n",
     twice_a_half),
    ("twice a quotient", 'def f(x: Float[Array, "n d"], w: float) -> float:\n'
     "    y = np.exp(x)\n    return w * w / 2.0 * np.sum(y * y)\n", twice_a_half),
]


def main() -> int:
    bad = 0
    cases = [(case, "nest") for case in CASES] + [(case, "numpy") for case in IN_NUMPY]
    with tempfile.TemporaryDirectory() as name:
        jobs = []
        for i, ((_, text, _), _) in enumerate(cases):
            path = pathlib.Path(name) / f"case{i}.py"
            path.write_text(HEAD + text)
            jobs.append((path, "f", path.with_suffix("")))
        for ((what, _, fires), stage), (_, _, out), line in zip(cases, jobs,
                                                                ac.compile_all(sys.argv[1], jobs)):
            text = pathlib.Path(f"{out}.{stage}").read_text() if line == "ok" else line
            if line != "ok" or not fires(text):
                bad += 1
                print(f"{what}: not in\n{text}")
    print(f"nests: {len(cases)} points, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
