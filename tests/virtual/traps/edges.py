# --- del of unset names in statements
def f(c):
    if c: del x
    x = 1
def g():
    for i in (1,):
        try: del y
        except UnboundLocalError as e: print(type(e).__name__, e)
    y = 1
def h():
    x = 1
    del x
    def k(): return x
    for i in (1,):
        try: k()
        except NameError as e: print(type(e).__name__, e, e.name)
        try: print(x)
        except NameError as e: print(type(e).__name__, e, e.name)
try: f(1)
except UnboundLocalError as e: print(type(e).__name__, e, e.name)
g(); h()
# --- context and cause chains
def f():
    try:
        try: 1 / 0
        except ZeroDivisionError as e:
            try: [][1]
            except IndexError: raise KeyError("k")
            finally: print("fin")
    except KeyError as k:
        c = k
        while c is not None:
            print(type(c).__name__, c, c.__suppress_context__, type(c.__cause__).__name__)
            c = c.__context__
    try:
        try: raise ValueError
        finally: raise TypeError
    except TypeError as e: print(repr(e.__context__), e.__context__.__context__)
    try: raise KeyError from ValueError("v")
    except KeyError as e: print(repr(e.__cause__), e.__suppress_context__, e.__context__)
    try: raise KeyError("x") from None
    except KeyError as e: print(e.__cause__, e.__suppress_context__)
f()
# --- exc_info in handlers, loops and after
import sys
def f():
    out = []
    for i in range(2):
        try:
            if i: raise KeyError(i)
            raise ValueError(i)
        except ValueError:
            out.append(sys.exc_info()[0])
            if i == 0:
                try: raise TypeError
                except TypeError: out.append(sys.exc_info()[0])
                out.append(sys.exc_info()[0])
                continue
        except KeyError as e:
            out.append(sys.exc_info()[1] is e)
            break
        finally:
            out.append(sys.exc_info()[0])
    out.append(sys.exc_info())
    with M(): out.append(sys.exc_info()[0]); raise OSError
    out.append(sys.exc_info()[0])
    return out
class M:
    def __enter__(self): pass
    def __exit__(self, *e): print(e[0], sys.exc_info()[0]); return True
print(f())
# --- bare raise in places
def f(n):
    try: raise KeyError(n)
    except KeyError:
        if n == 1: raise
        for i in (1,):
            if n == 2: raise
        with open("/dev/null"):
            if n == 3: raise
        def g(): raise
        if n == 4: g()
        while n:
            try:
                try: raise ValueError
                except ValueError: raise
            except ValueError: raise TypeError(n)
    raise
for n in range(6):
    try: f(n)
    except Exception as e: print(type(e).__name__, e, type(e.__context__).__name__)
# --- messages of errors
import operator
def show(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class N:
    def __iter__(self): return 1
    def __getitem__(self, i):
        if i < 3: return i
        raise IndexError
class O: pass
def m():
    for a, b in [(1,)]: pass
def n():
    for i in 5: pass
def o():
    for i in N(): pass
def p():
    with 5 as x: pass
def q():
    a, b = 1, 2, 3
def r():
    x = "a"
    x **= 2
def s():
    x = O(); x @= 1
def t():
    x = 5; x[1] = 2
def u():
    x = 5; del x[1]
def v():
    x = 5; x[1] += 1
def w():
    x = O(); x.a += 1
def x():
    del O().a
def y():
    match O():
        case O(1): pass
for f in (m, n, o, p, q, r, s, t, u, v, w, x, y, lambda: 1 + "a", lambda: "a" ** 2, lambda: -"a",
          lambda: print >> 1, lambda: 1 < "a", lambda: 5[1], lambda: 1 in 5, lambda: None(),
          lambda: O().zz, lambda: [][1], lambda: {}[1], lambda: [1, *5], lambda: {**5},
          lambda: f"{O():x}", lambda: f"{1!s:5.z}", lambda: {[]}, lambda: {[]: 1},
          lambda: [x for x in 5], lambda: {x: 1 for x in [[]]}, lambda: (lambda a: 1)(),
          lambda: (lambda a: 1)(1, 2), lambda: print(1, zz=2), lambda: [][1:2, 3], lambda: ~1.5,
          lambda: 1 @ 2, lambda: "a" % (1, 2), lambda: 1 // 0, lambda: [] < {}, lambda: not N(),
          lambda: list(N()), lambda: [*N()], lambda: sum(x for x in N()), lambda: max()):
    show(f)
# --- the line of the last entry, and of the user's functions
import sys, traceback
def lines(f):
    try: f()
    except Exception as e:
        t = traceback.extract_tb(e.__traceback__)
        own = [(x.name, x.lineno) for x in t]
        return own
def f():
    if 1:
        x = [
            1,
            2 /
            0,
        ]
def g():
    for i in (1, 2):
        while i:
            i -= 1
            try:
                pass
            finally:
                (lambda:
                    f())()
def h():
    with open("/dev/null") as d:
        raise ValueError(
            "a"
        )
def k():
    match 1:
        case 1 if (
            1 / 0
        ): pass
def n():
    assert (
        1 and
        0), \
        "x"
for u in f, g, h, k, n: print(lines(u))
# --- class cells and super
class A:
    def m(self): return "A.m"
    @classmethod
    def c(cls): return "A.c", cls.__name__
    def __init_subclass__(cls, **k): super().__init_subclass__(); print("sub", cls.__name__, k)
class B(A, key=1):
    def m(self):
        if self:
            for i in (1,):
                with M():
                    try: return super().m(), __class__.__name__
                    finally: print(__class__.__qualname__)
    @classmethod
    def c(cls):
        while True: return super().c() + (super(B, cls).c(),)
    @staticmethod
    def s():
        if 1:
            try: super()
            except (RuntimeError, TypeError) as e: return str(e)
    def n(self):
        def inner(x):
            if x: return super().m()
        f = lambda s: s and super().m()
        return inner(self), f(self)
    def o(self):
        self = self if self else None
        if self: return super().m()
    def p(self, super):
        if super: return super()
    def q(*args):
        if args: return super().m()
    def r(self):
        if self:
            def g(): return self
            return [g().m(), super().m() or 1]
    x = property(lambda self: super().m() if self else 0)
    def gen(self):
        if self: yield super().m()
        yield from (super(B, self).m() for _ in (1,))
class M:
    def __enter__(self): pass
    def __exit__(self, *e): pass
b = B()
print(b.m(), B.c(), B.s(), b.n(), b.o(), b.p(lambda: "own"), b.r(), b.x, list(b.gen()))
try: print(b.q())
except RuntimeError as e: print(e)
class Meta(type):
    def __new__(m, name, bases, ns):
        print(sorted(k for k in ns if not k.startswith("__")), "__classcell__" in ns)
        return super().__new__(m, name, bases, ns)
    @classmethod
    def __prepare__(m, name, bases): return {}
class D(B, metaclass=Meta):
    for i in range(2):
        if i:
            def f(self): return __class__
    del i
    if True: y = [j for j in range(3) if j] or 1
    with M() as z: pass
    try: w = 1
    finally: v = 2
print(D().f(), D.y, D.z, D.w)
# --- __class__ as a name
class A:
    def f(self):
        if 1: __class__ = 3
        return __class__
    def g(self):
        nonlocal __class__
        if self: __class__ = 4
        return __class__
    def h(self):
        def k():
            if 1: return __class__
        return k()
try: print(A().f(), A().h(), A().g())
except Exception as e: print(repr(e))
# --- locals, vars, dir, eval, exec
def f(a):
    if a: b = 1
    for c in (2,): pass
    print(sorted(locals()), vars()["a"], dir())
    x = [locals() for _ in (1,)]
    return eval("a + b + c"), sorted(x[0])
def g(a):
    ns = {}
    if a: exec("y = a + 1", globals(), ns) if 0 else exec("y = 5", ns)
    return ns["y"], (lambda: sorted(locals()))()
class C:
    k = 1
    loc = sorted(x for x in locals() if not x.startswith("__"))
    if loc: v = vars()["k"]
print(f(1), g(1), C.loc, C.v)
if 1:
    for i in (1,): exec("top = i + 1"); print(top, "top" in globals(), eval("i"))
# --- async generators, async for and with, comprehensions
import asyncio
async def ag(n):
    for i in range(n):
        if i % 2: yield i
        elif i == 4: return
        try:
            await asyncio.sleep(0)
            x = yield -i
            if x: print("got", x)
        finally: print("fin", i)
class M:
    async def __aenter__(self): await asyncio.sleep(0); return 5
    async def __aexit__(self, *e):
        print("aexit", e[0])
        return e[0] is KeyError
async def f():
    out = []
    async for v in ag(6):
        if v == 3: continue
        out.append(v)
    else: out.append("else")
    async with M() as m, M():
        if m: raise KeyError
    out += [x async for x in ag(3) if await one(x)]
    out.append({x: y async for x in ag(2) for y in (1,)})
    out.append([await one(x) for x in (1, 2)])
    out.append(await one(1) and await one(2) or 3)
    while await one(0): pass
    if (await one(1)) < 2 < (await one(3)): out.append("chain")
    g = ag(3)
    print(await g.asend(None))
    print(await g.__anext__())
    try: print(await g.athrow(ValueError))
    except (ValueError, StopAsyncIteration) as e: print(repr(e))
    await g.aclose()
    try:
        with asyncio_timeout(): await asyncio.sleep(0); raise StopAsyncIteration
    except RuntimeError as e: out.append(str(e))
    except StopAsyncIteration: out.append("sai")
    match await one(3):
        case n if await one(n) == 3: out.append(n)
    return out
class asyncio_timeout:
    def __enter__(self): pass
    def __exit__(self, *e): pass
async def one(x):
    if x == 9: raise StopIteration
    await asyncio.sleep(0)
    return x
print(asyncio.run(f()))
async def c():
    try:
        while True: await asyncio.sleep(9)
    except asyncio.CancelledError:
        if 1: await asyncio.sleep(0); print("cancelled"); raise
async def d():
    t = asyncio.create_task(c()); await asyncio.sleep(0); t.cancel()
    try: await t
    except asyncio.CancelledError: return "done"
    try: await one(9)
    except RuntimeError as e: print(e)
print(asyncio.run(d()))
# --- match: captures, guards, failures, walrus
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def f(v):
    a = b = c = rest = "unset"
    try:
        match v:
            case [a, b, *_] if a == b: r = "same"
            case [a, [b, c]] | {"p": a, "q": {"b": b, "c": c}}: r = "nest"
            case {"k": a, **rest} if (n := a) and rest: r = "map", n
            case P(x=0, y=b) | P(b, 0): r = "P"
            case (str() as a) | (bytes() as a): r = "str"
            case -1 | 1.5 | 2+3j | None | True: r = "lit"
            case P.__match_args__: r = "value"
            case (int(a) | float(a)) if a > 1: r = "num"
            case []: return "empty", a
            case [[[a]]]:
                for x in (1, 2):
                    if x == a: break
                else: return "no"
                r = "loop"
            case _ if not v: r = "falsy"
            case other: del other; r = "other"
        return r, a, b, c, rest
    except Exception as e: return repr(e), a, b
for v in ([1, 1], [1, [2, 3]], {"p": 1, "q": {"b": 2, "c": 3}}, {"k": 1, "z": 2}, {"k": 0}, P(0, 1),
          P(1, 0), "s", b"s", -1, 1.5, 2+3j, None, True, ("x", "y"), 5, 0, [], [[[2]]], [[[5]]],
          {}, object, [1, 2]):
    print(f(v))
def g(v):
    match v, v:
        case x, y if x: return x
    match v:
        case 1: return "one"
    return x, y
print(g(0), g(1), g("a"))
# --- walrus in comprehensions, tests and f-strings
def f(xs):
    if any((hit := x) > 2 for x in xs): print(hit)
    ys = [y := x for x in xs if (z := x) or (w := 5)]
    while (n := len(ys)) > 1: ys.pop()
    print(y, z, n, [(k := i, k) for i in (1,)], f"{(q := 4)} {q}", k)
    d = {(a := 1): (b := 2)}
    print(a, b, d, (c := 3) and c, [i for i in range(3) if (m := i)], m)
    def g():
        nonlocal n
        if (n := 7): return n
    return g(), n
print(f([1, 2, 3]))
[t := u for u in (1, 2)]
if [s := t]: print(t, s)
class C:
    v = (a := 5)
    if (b := 6): w = [a for _ in (1,)] if 0 else b
print(C.a, C.b, C.w)
# --- stars and targets
def f():
    a, *b = 1, 2, 3
    *c, (d, *e) = [1, (2, 3)]
    o = O(); l = [0] * 4; i = 0
    for o.x, l[i], *i in [(1, 2, 3)]: pass
    i = 1
    l[i], i, o.y = i, 2, l
    (x), [y] = 1, [2]
    for x, in [[1], [2]]: y = x
    for (x) in 1, *b: pass
    l[i:3], l[(lambda: 0)()] = [7, 8, 9], "k"
    with M() as (p, [q, *r]), M() as o.z, M() as l[0]: pass
    del l[0], (o.x, [o.y])
    u = v = o.w, l[-1] = (5, 6)
    t = (*a_(), *b), [*b, *c], {*b}, {**{"k": 1}, "z": 2}
    g(*b, *c, k=1, **{"m": 2}, **{"n": 3})
    return a, b, c, d, e, o.__dict__, l, x, y, p, q, r, u, v, t
def a_(): yield 1
def g(*a, **k): print(a, k)
class M:
    def __enter__(self): return 1, (2, 3)
    def __exit__(self, *e): pass
class O: pass
print(f())
# --- order of evaluation
def t(x): print("t", x, end=" "); return x
class L(list):
    def __setitem__(self, i, v): print("set", i, v, end=" ")
    def __getitem__(self, i): print("get", i, end=" "); return 1
    def __delitem__(self, i): print("del", i, end=" ")
    def __setattr__(self, n, v): print("attr", n, v, end=" ")
def f():
    l = L()
    t(l)[t(1)] = t(2)
    t(l)[t(1)], t(l).a = t(3), t(4)
    t(l)[t(1)] += t(5)
    t(l).__class__; t(l).z = t(l)[t(6)] = t(7)
    del t(l)[t(8)], t(l)[t(9):t(10)]
    {t(1): t(2), **t({}), t(3): t(4)}
    t(t)(t(1), *t([2]), k=t(3), **t({}))  if 0 else None
    t(1) < t(2) < t(0) < t(5)
    t(0) or t(1) and t(2) or t(3)
    t(1) if t(0) else t(2)
    [t(x) for x in t([1, 2]) if t(x) for y in t([3])]
    {t(k): t(v) for k, v in [(1, 2)]}
    t(1) + t(2) * -t(3) ** t(2)
    f"{t(1)!r:{t(5)}}{t(2)}"
    t(2)[t(3)] if 0 else t("abc")[t(0):t(2):t(1)]
    assert t(1), t(2)
    try: raise t(KeyError) from t(None)
    except t(KeyError) as e: pass
    x: int = t(5)
    l.q: int = t(6)
    l[t(0)]: t(1) = t(7)
    lambda a=t(1), *, b=t(2): 0
    @t
    @(lambda f: t(f.__name__))
    def g(a: t(1) = t(2), *, b: t(3) = t(4)) -> t(5): pass
    class C(t(object), metaclass=t(type)): y: t(1) = t(2)
f()
