# --- names, qualnames, docstrings, annotations, defaults
def f(a, /, b: int = 1, *c, d, e=2, **g) -> str:
    """the doc"""
    if a: return (b, c, d, e, g)
import inspect
print(f(1, d=2), f.__name__, f.__qualname__, f.__doc__, f.__defaults__, f.__kwdefaults__)
print(inspect.signature(f), f.__annotations__)
# --- qualnames of what is defined in thunks
def f(flag):
    if flag:
        def g():
            class K:
                def m(self): return lambda: 1
            return K
        class C: pass
        h = lambda: 0
    k = g()
    return [v.__qualname__ for v in (g, k, k.m, k().m(), C, h)]
print(f(1))
# --- qualnames at module level
if True:
    def top(): return 1
    class Top:
        def m(self): pass
print(top.__qualname__, Top.__qualname__, Top.m.__qualname__, Top.__module__ == __name__)
# --- def in a loop, recursion by name
def f():
    for i in range(2):
        def g(n): return 1 if n == 0 else n * g(n - 1)
    return g(4), i
print(f())
# --- class in a function: closure, __class__, super
def f(base):
    if base:
        class D(base):
            def m(self):
                if self: return super().m() + [__class__.__name__]
        return D().m()
class B:
    def m(self): return ["B"]
print(f(B))
# --- class body: statements, order, __dict__
class C:
    x = 1
    if x:
        y = 2
    else:
        z = 3
    for i in range(2): x += i
    while y < 5: y += 1
    try: 1 / 0
    except ZeroDivisionError as e: w = str(e)
    with open("/dev/null") as h: pass
    del h
    def m(self): return self.x
print([k for k in vars(C) if not k.startswith("__")], C.x, C.y, C.w)
# --- class with metaclass, keywords, decorators
class Meta(type):
    def __new__(m, n, b, d, **k): print(n, k); return super().__new__(m, n, b, d)
    def __init__(c, n, b, d, **k): super().__init__(n, b, d)
def deco(c): c.tag = "t"; return c
@deco
class C(metaclass=Meta, opt=1): pass
print(C.tag, type(C).__name__)
# --- __slots__, __init_subclass__, __set_name__
class D:
    def __set_name__(self, o, n): print("set_name", n)
class B:
    def __init_subclass__(cls, **k): print("sub", cls.__name__, k)
class C(B, k=1):
    __slots__ = ("a", "b")
    d = D()
print(C.__slots__)
# --- names in a class body are no cells
x = "global"
def f():
    x = "f"
    class C:
        y = x
        x = "class"
        def m(self): return x
    return C.y if False else (C().m(), C.x)
print(f())
# --- lambda defaults and closures in loops
fs = [lambda i=i: i for i in range(3)]
print([f() for f in fs], (lambda *a, **k: (a, k))(1, b=2))
# --- dataclass, property, staticmethod
import dataclasses
@dataclasses.dataclass
class P:
    x: int
    y: int = 2
    @property
    def s(self): return self.x + self.y if self.y else 0
    @staticmethod
    def t(a): return a or "none"
    @classmethod
    def make(cls, x): return cls(x) if x else None
print(P(1), P(1).s, P.t(0), P.make(3), P.make(0))
# --- enum and NamedTuple
import enum, typing
class E(enum.Enum):
    A = 1
    B = enum.auto()
    def next(self): return E.B if self is E.A else E.A
class N(typing.NamedTuple):
    a: int
    b: str = "x"
print(list(E), E.A.next(), N(1))
# --- __qualname__ and __module__ in a class body
def f():
    for _ in range(1):
        class C:
            q = __qualname__
    return C.q
print(f())
# --- function attributes, __code__.co_name and arguments
def f(a, b=1, *c, d=2):
    if a: x = 1
    return x
f.tag = 3
c = f.__code__
print(c.co_name, c.co_argcount, c.co_kwonlyargcount, c.co_varnames[:4], f.tag, vars(f))
# --- import inside statements
def f(flag):
    if flag:
        import os.path
        from math import floor as down, pi
        import sys as system
    return os.path.sep, down(pi), system.__name__
print(f(1))
# --- global statement inside a statement stays plain
def f(flag):
    if flag:
        global made
        made = 5
    return made
print(f(1), made)
# --- annotated locals
def f(flag):
    if flag:
        x: int = 1
        y: str
    else: x = 2
    return x
print(f(1), f(0), f.__annotations__)
# --- docstring stays first, with __future__
"""not a docstring"""
def f():
    "doc"
    for _ in (): pass
class C:
    "class doc"
    if 1: a = 1
print(f.__doc__, C.__doc__)
# --- type comments of nested default arguments
def outer(n):
    def inner(x=n if n else "d", *, y=[i for i in range(n)]): return x, y
    return inner()
print(outer(0), outer(2))
