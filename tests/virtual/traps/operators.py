# --- every binary operator
a, b = 13, 4
print(a + b, a - b, a * b, a / b, a // b, a % b, a ** b, a << b, a >> b, a & b, a | b, a ^ b)
class M:
    def __matmul__(self, o): return "mat", o
    def __rmatmul__(self, o): return "rmat", o
print(M() @ 1, 2 @ M())
# --- precedence and grouping
print(1 + 2 * 3, (1 + 2) * 3, 2 ** 3 ** 2, -2 ** 2, (-2) ** 2, 2 ** -1, 7 // 2 * 2)
print(1 - 2 - 3, 1 - (2 - 3))
print(~5 & 3, -3 % 5, not 1 + 1, 1 << 2 + 1, 5 & 6 | 1 ^ 2)
# --- reflected and NotImplemented
class N:
    def __add__(self, o): return NotImplemented
    def __radd__(self, o): return "r", o
    def __mul__(self, o): return "m"
print(1 + N(), N() * 2)
try: N() + 1
except TypeError as e: print(e)
# --- unary
class U:
    def __neg__(self): return "neg"
    def __pos__(self): return "pos"
    def __invert__(self): return "inv"
print(-U(), +U(), ~U(), -1, +2, ~3, - - 4, -True)
# --- a literal's own sign in patterns and keys
print({-1: "a"}[-1], [-1][-1], -1 .real)
# --- strings: % with tuples and dicts, repetition
print("%s-%s" % (1, 2), "%(a)s" % {"a": 3}, "ab" * 2, [0] * 3, (1,) + (2,))
# --- operands over lines with comments
x = (1     # one
     + 2   # two
     - (3  # three
        * 4))
print(x)
# --- evaluation order
def say(x):
    print(x)
    return x
print(say(2) ** say(3) + say(1))
# --- augmented on names, attributes and items: each part once
def say(x):
    print(x)
    return x
class Log:
    def __init__(self): self.v = 1
    def __getitem__(self, i): print("get", i); return 10
    def __setitem__(self, i, v): print("set", i, v)
def obj(o, n): print("obj", n); return o
log = Log()
obj(log, "a").v += say(5)
obj(log, "b")[say("i")] *= say(2)
print(log.v)
# --- augmented: in place or not
def f():
    a = b = [1]
    a += [2]
    t = u = (1,)
    t += (2,)
    s = {1} ; s |= {2}; s &= {2, 3}; s ^= {4}; s -= {4}
    n = 7; n -= 2; n *= 3; n //= 2; n %= 5; n **= 3; n <<= 2; n >>= 1; n |= 1; n &= 7; n ^= 2
    d = 8; d /= 4
    return b, u, t, s, n, d
print(f())
# --- every augmented operator of a class
class I:
    def __getattr__(self, name):
        raise AttributeError(name)
for op in ("add sub mul matmul truediv floordiv mod pow lshift rshift and or xor").split():
    setattr(I, f"__i{op}__", lambda self, o, op=op: (print(op, o), self)[1])
def f(x):
    x += 1; x -= 2; x *= 3; x @= 4; x /= 5; x //= 6; x %= 7; x **= 8
    x <<= 9; x >>= 10; x &= 11; x |= 12; x ^= 13
    return type(x).__name__
print(f(I()))
# --- augmented: a tuple's list item stores after the in-place change
t = ([1],)
try: t[0] += [2]
except TypeError as e: print(e, t)
# --- augmented: nonlocal and global
count = 0
def f():
    global count
    n = 0
    def g():
        nonlocal n
        n += 1
    g(); g()
    count += n
    return n
print(f(), count)
# --- augmented: unset local
def f():
    try: x += 1
    except UnboundLocalError as e: return str(e)
    x = 1
print(f())
# --- augmented: slices
items = [1, 2, 3]
items[1:2] += [9, 9]
print(items)
# --- augmented: value with yield
def g(d):
    d["a"] += yield 1
    d["b"] += 2
d = {"a": 1, "b": 2}
it = g(d); next(it)
try: it.send(10)
except StopIteration: print(d)
# --- augmented on a private attribute, in a thunk
class P:
    def __init__(self): self.__n = 0
    def up(self, k):
        for _ in range(k): self.__n += 1
        return self.__n
print(P().up(3), sorted(vars(P())))
# --- complex and float literals
print(1j * 1j, 1.5e3 + .5, 0x1f | 0b1, 1_000 - 1)
# --- unbalanced parentheses around operands
print(((1)) + ((2)), (1) - ((2) * (3)))
# --- errors name the types
for bad in (lambda: 1 + "a", lambda: -"a", lambda: [] - 1, lambda: 1 << -1):
    try: bad()
    except (TypeError, ValueError) as e: print(type(e).__name__, e)
