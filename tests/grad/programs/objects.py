"""Lists in objects, objects in lists, stacks, matrices."""
from dataclasses import dataclass


@dataclass
class Box:
    xs: list[float]
    inner: "Box | None"


def walk(b: Box, w: float, n: int) -> float:
    s = 0.0
    cur: Box | None = b
    while cur is not None:
        for i in range(len(cur.xs)):
            s = s * w + cur.xs[i]
            if s > 3.0:
                cur.xs[i] = s * 0.1
                break
        else:
            s = s + 1.0
        cur.xs.append(s)
        nxt = cur.inner
        if n > 0 and nxt is None:
            nxt = Box([s, w], None)
            cur.inner = nxt
            n -= 1
        cur = nxt
    return s + sum(b.xs)
#= walk(Box([1.0, 2.5], Box([0.125, 0.25], None)), 0.875, 3)
#= walk(Box([5.0], None), 1.25, 0)


def pick(bs: list[Box], i: int) -> Box:
    if i < len(bs):
        return bs[i]
    new = Box([1.0], bs[0])
    bs.append(new)
    return new


def picks(x: float, n: int) -> float:
    bs = [Box([x], None)]
    t = 0.0
    for k in range(n):
        b = pick(bs, k)
        last = b.xs.pop()
        b.xs.append(last * x)
        c = pick(bs, k - 1)
        c.xs[0] = c.xs[0] * b.xs[-1] + t
        t = t + c.xs[0]
        bs[k // 2] = b
    return t
#= picks(0.875, 4)


def stack(x: float) -> float:
    st = [x, x * 2.0]
    while len(st) > 0:
        a = st.pop()
        if a < 1.0:
            st.append(a + 0.7)
            st.append(a * x + 1.1)
            x = x * a
        else:
            x = x + a
    return x
#= stack(0.3125)
#= stack(0.625)


def matrix(n: int, v: float) -> float:
    m = [[v * (i + j) for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(n):
            m[i][j] += m[j][i] * m[i][j - 1]
    return sum([sum(r) for r in m])
#= matrix(3, 0.4375)
