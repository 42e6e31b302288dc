# --- and, or give an operand
print(0 and 1, 1 and 2, [] or {}, "" or 0 or "x", 1 and [] and 2, None or 0)
# --- and, or ask once each and stop early
class T:
    def __init__(self, name, v): self.name, self.v = name, v
    def __bool__(self):
        print("ask", self.name)
        return self.v
    def __repr__(self): return self.name
a, b = T("a", True), T("b", False)
print(a and b and a)
print(b or a or b)
print(b and a or b)
print(not a, not b, not (a and b))
# --- nested and, or as values ask once each
class T:
    def __init__(self, name, v): self.name, self.v = name, v
    def __bool__(self):
        print("ask", self.name)
        return self.v
    def __repr__(self): return self.name
a, b, c, d = T("a", True), T("b", False), T("c", True), T("d", False)
def f(p, q, r, t):
    print((p or q) and r, (p and q) and r, (p or q) or r, p and (q and r) and t)
    print(((p or q) and r) or t, (p and (q or r)) or t, ((p and q) or r) and t)
    print((p and q if r else t) or p, p or (q if r and t else r) or t)
    print(not (p and q), (not (p or q)) or r, (p and q) is r, [p and q or r])
    print(p and q or (n := r), (p and q) and (n := r), (n := p) and q or r)
for p in a, b:
    for q in c, d:
        f(p, q, a, b), f(p, q, b, a)
# --- and, or in tests ask once each
class T:
    def __init__(self, name, v): self.name, self.v = name, v
    def __bool__(self):
        print("ask", self.name)
        return self.v
    def __repr__(self): return self.name
a, b, c, d = T("a", True), T("b", False), T("c", True), T("d", False)
def f(p, q, r, t):
    out = []
    if p and q: out.append(1)
    elif p or q and r: out.append(2)
    if not (p and q or r): out.append(3)
    if (p and q if r else t) or p: out.append(4)
    while not (p or q) and t: break
    out += [i for i in (1, 2) if (p or q) and r]
    match out:
        case [*_] if p and q or t: out.append(7)
    try:
        assert (p or q) and r, p and q
    except AssertionError as e: print(e)
    x = 1 if p and q or r else 0
    print((p and q) and (n := r))
    return out, x
def g(p, q, r):
    while (p or q) and r:
        yield 3
        break
for p in a, b:
    for q in c, d:
        print(f(p, q, a, b), f(p, q, b, a), list(g(p, q, a)))
# --- chains of comparisons in tests ask once each; not light
class T:
    def __init__(self, name, v): self.name, self.v = name, v
    def __bool__(self):
        print("ask", self.name)
        return self.v
    def __lt__(self, other): return T(self.name + other.name, self.v)
a, b, c, d = T("a", True), T("b", False), T("c", True), T("d", False)
def f(p, q, r, t):
    out = []
    if p < q < r: out.append(5)
    if p < q < r or t: out.append(6)
    while not (p < q < r < t): break
    print((p < q < r or t).name)
    assert p < q < r or True
    return out
for p in a, b:
    for q in c, d:
        print(f(p, q, a, b), f(p, q, b, a))
# --- and, or in a test
def f(x, y):
    if x and not y: return 1
    if x or y: return 2
    if not (x or y): return 3
print(f(1, 0), f(1, 1), f(0, 0), f(0, 1))
# --- or over several lines with comments
def f(x):
    return (x is None    # none
            or x == 1    # one
            or x in (2,
                     3)) # more
print([f(v) for v in (None, 1, 2, 4)])
# --- and: an operand raises
def f(x):
    try: return x and 1 / x and len(x)
    except TypeError as e: return str(e)
print(f(0), f(3))
# --- not: precedence
print(not 1 == 2, not 0 in [0], (not 0) in [1], -(not 0), not not 3)
# --- __bool__ that gives no bool, __len__ only
class L:
    def __len__(self): return 0
class B:
    def __bool__(self): return 3
def f():
    out = [not L(), L() or "empty"]
    try: B() and 1
    except TypeError as e: out.append(str(e))
    try: not B()
    except TypeError as e: out.append(str(e))
    return out
print(f())
# --- walrus in an operand
def f(a):
    if a and (n := a + 1): return n
    return (m := a) or m
print(f(0), f(1))
# --- and, or with await-free lambdas and nested operands
f = lambda a, b: (a or b) and (b or a)
print(f(0, 1), f(1, 0), f(0, 0))
# --- in a class body and in decorators
class C:
    a = 0
    b = a or 5
    def deco(v): return lambda f: v
    @deco(a or "x")
    def m(self): pass
print(C.b, C.m)
# --- the operand is an unset local
def f():
    try: return 1 and unset
    except UnboundLocalError as e: return str(e)
    unset = 1
print(f())
# --- inside an f-string
x = 0
print(f"{x or 'none'} {not x} {x and 1!r:>4}")
# --- names bound in loops, read in operands
def f():
    out = []
    for i in range(3): out.append(i and i * 2 or "z")
    return out
print(f())
