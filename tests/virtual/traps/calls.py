# --- positional, keyword, star, double star, in order
def f(*args, **kwargs): return args, kwargs
def say(x):
    print(x)
    return x
print(f(say(1), *say([2]), a=say(3), **say({"b": 4})))
print(f(*[1], 2, *[3], x=1, **{"y": 2}, z=3, **{}))
# --- keyword named f and self
class C:
    def m(this, f=0, self=0, call=0): return f, self, call
def f(f=1, args=2, kwargs=3): return f, args, kwargs
print(f(f=4), C().m(f=1, self=2, call=3), dict(f=1, self=2))
# --- a generator expression as the only argument
print(sum(x for x in range(4)), list(c for c in "ab"), max((1, 2)), sorted(x for x in [2, 1]))
# --- comments and line ends between the parts
print(len   # the function
      (     # the argument
       "abc"
      ,),)
print(max(
    1,
    2,
))
# --- chained calls and methods
print("a b".upper().split()[0].lower().join(["1", "2"]))
def g(n): return lambda m: lambda k: (n, m, k)
print(g(1)(2)(3))
# --- calls that are never wrapped
def f():
    x = 1
    return sorted(locals()), eval("x + 1"), sorted(vars()), "f" in globals(), "x" in dir()
print(f())
# --- super without arguments
class A:
    def m(self): return "A"
class B(A):
    def m(self):
        if True: return super().m() + "B"
    def n(self):
        for _ in range(1):
            return super().m()
    @classmethod
    def k(cls):
        if cls: return super().__name__ if False else cls.__name__
print(B().m(), B().n(), B.k())
# --- super in a nested function and with the first parameter renamed
class A:
    def m(self): return 1
class B(A):
    def m(this):
        def inner(this): return super().m()
        while True:
            return super().m() + inner(this)
print(B().m())
# --- super where the first parameter is bound again
class A:
    def m(self): return "A"
class B(A):
    def m(self):
        if True: self = self
        return super().m()
    def n(self):
        me = self
        for self in [me]: pass
        if True: return super().m()
print(B().m(), B().n())
# --- errors of calls
def f(a): pass
for bad in (lambda: f(), lambda: f(1, 2), lambda: f(b=1), lambda: None(), lambda: f(1, a=2)):
    try: bad()
    except TypeError as e: print(e)
# --- the callable is evaluated before the arguments
def pick(): print("pick"); return print
pick()(*(print("arg"), 1))
# --- type, isinstance and class creation by call
T = type("T", (), {"x": 1})
print(T().x, isinstance(T(), T), type(T()).__name__)
# --- decorators
def twice(f):
    print("deco", f.__name__)
    return lambda *a: (f(*a), f(*a))
def arg(n):
    print("arg", n)
    return twice
@arg(1)
@arg(2)
def f(x): return x
print(f(3))
# --- recursion
def fact(n): return 1 if n < 2 else n * fact(n - 1)
print(fact(20))
# --- __call__, bound methods, partial
import functools
class C:
    def __call__(self, *a, **k): return a, k
    def m(self): return self.__class__.__name__
c = C()
m = c.m
print(c(1, x=2), m(), functools.partial(c, 1)(2), C.m(c))
# --- print as a name, exec with a namespace
ns = {}
exec("y = 5", ns)
print(ns["y"])
# --- keyword arguments named as hooks and prefixes
def f(**k): return sorted(k)
print(f(_pc=1, if_stmt=2, body=3))
# --- sys._getframe sees the caller (native)
import sys
def who(): return sys._getframe(1).f_code.co_name
def asks(): return who()
print(asks())
# --- a call in a default value, an annotation and a base
def f(a=len("abc"), *, b: print("annotation") = max(1, 2)) -> None: return a, b
class C(type("D", (), {})): pass
print(f(), C.__mro__[1].__name__)
# --- trailing comma and parenthesised callee
print((len)("ab",), (lambda: 3)(), [len][0]("x"))
# --- strings implicitly joined as arguments
print(len("ab" "cd"), "%s" % len("x"
                                  "y"))
# --- call whose argument is a lambda with a call
print(list(map(lambda x: abs(x), [-1, 2])), (lambda *a, k=len("xx"): (a, k))(1))
# --- f(*args): the tuple itself, other iterables, what is no iterable
class Gives:
    def __call__(*args): return args
    def m(self, *a, **k): return a, k
def f(*args, **kwargs): return args, kwargs
class T(tuple): pass
lazy = (i for i in range(2))
for given in ((1, 2), [1, 2], "ab", {1: 2}, T((1, 2)), lazy, 1, None, object(), Gives()):
    try:
        print(f(*given), type(f(*given)[0]).__name__, Gives().m(*given))
    except TypeError as error:
        print(error)
# --- f(*args, **kwargs): order, mappings, keys that are no names, a dict of its own
def say(x):
    print(x)
    return x
class Late:
    def __iter__(self):
        print("iter")
        return iter([1])
class Map:
    def keys(self):
        print("keys")
        return ["a"]
    def __getitem__(self, key): return key * 2
def f(*args, **kwargs):
    kwargs["new"] = 1
    return args, kwargs
d = {"a": 1}
print(f(*say(Late()) if d else 0, **say(Map())), f(*(), **d), d)
print((lambda *a, b: (a, b))(*[1], **{"b": 2},))
for kwargs in (1, None, {1: 2}, [("a", 1)], {"sep": 1}):
    try:
        print(f(*Late(), **kwargs), max(*[1], **kwargs))
    except TypeError as error:
        print(error)
# --- f(*args) over lines, with an `or`, a comprehension, a lambda
def f(*args): return args
print(f(*[] or [1]), f(* [x for x in "ab"], ), f(
    # first
    *(1, 2),  # then
), f(*(lambda: (3,))()), f"{f(*[1])}", "abc".replace(*"ab"))
# --- one iterable and one keyword
def f(*args, k=1, **more): return args, k, more
print(f(*[1], k=2), f(*[1], **{}, k=3), f(k=2, *[1]), f(**{"k": 4}), f(*"ab", **{"k": 5, "l": 6}))
