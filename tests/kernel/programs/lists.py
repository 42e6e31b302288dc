"""Lists as arrays, lists of lists, and what is done to them; an input is never changed."""

# grows([1.0, 2.0, 3.0], 0.5) grows([], 1.0) grows([4.0], 2.0)
# rows([[1.0, 2.0], [3.0, 4.0, 5.0]], ["a", "b"]) rows([[1.0]], ["a"])
# named(["a", "bb", "a"], [1.5, 2.0, 0.25]) named([], [])
# stacked([0.5, 1.5, 2.5], 3)
# far([1.0, 2.0], 2) far([1.0, 2.0], -2) far([1.0, 2.0], -3)


def grows(xs: list[float], k: float) -> float:
    s = 0.0
    for x in xs:
        s = s + x * x * k
    xs[0] = s * xs[1]
    xs.append(k * s)
    return s * xs[0] + xs[-1]


def rows(m: list[list[float]], names: list[str]) -> float:
    m[0], m[1] = m[1], m[0]
    s = 0.0
    for i in range(len(m)):
        for j in range(len(m[i])):
            s = s + m[i][j] * (i + 2 * j) + len(names)
    return s


def named(names: list[str], weights: list[float]) -> float:
    s = 1.0
    for i in range(len(names)):
        if names[i] == "a":
            s = s * weights[i]
    return s


def stacked(xs: list[float], n: int) -> float:
    stack = [1.0]
    for i in range(n):
        stack.append(stack[-1] * xs[i])
    s = 0.0
    while len(stack) > 0:
        s = s * 0.5 + stack.pop()
    return s


def far(xs: list[float], i: int) -> float:
    return xs[i] * xs[0]
