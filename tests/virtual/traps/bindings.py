# --- import binds names
def f(deep):
    import os.path, sys as s, json
    from math import (pi, sin as sinus,
        cos)
    if deep:
        import xml.dom.minidom
        from json import (dumps)
        name = xml.__name__, xml.dom.minidom.__name__, dumps([1])
    else:
        import json as xml, string; name = xml.dumps([]), string.digits
    def inner(): return os.path.join("a", "b"), s.__name__, json.loads("3"), xml
    return name, inner()[:3], int(pi), sinus(0), cos(0), [k for k in [os, s] if k is os] == [os]
print(f(True), f(False))
# --- an import that fails binds what was imported before it, and no more
def f():
    os = 1
    try:
        import sys, no_such_module_1, os
    except ImportError as e:
        return sys.__name__, e.name, os, no_such_module_1
try: print(f())
except NameError as e: print(e)
def g():
    x = 1
    try: from os import no_such_name as x
    except ImportError: return x
    finally:
        import os as x
        print(x.__name__)
print(g())
def h():
    try: from os import sep, no_such_name
    except ImportError as e: sep = str(e).split("(")[0]
    return sep
print(h())
# --- def and class bind names, also again
def f(n):
    def g(x): return 0 if x <= 0 else x + g(x - 1)
    first = g
    class C:
        """Doc."""
        made = []
        def m(self): return C, type(self).made, g
        class D: up = n
    for i in range(2):
        @lambda it: (it, i)
        def g(x=g, *, y: "int" = i): return x
    if n:
        class C(C):
            def m(self): return super().m()[1:2], C.__mro__[1].__name__
    async def co(): return g
    gen = [k for k in (lambda: C, lambda: g)]
    names = first.__name__, first.__qualname__, C.__qualname__, co.__name__
    return *names, g[1], g[0]()[1], C().m(), C.D.up, gen[0]() is C, gen[1]() is g
print(f(0)[:6], f(0)[7:])
try: print(f(1))
except Exception as e: print(type(e), e)
# --- a definition whose decorator fails binds nothing
def f():
    g = 5
    try:
        @(1).missing
        def g(): pass
    except AttributeError: pass
    try:
        class g(missing): pass
    except NameError: pass
    return g
print(f())
def f():
    try: g
    except UnboundLocalError as e: print(e)
    if True:
        def g(): return 1
    del g
    try: return g
    except UnboundLocalError as e: return str(e)
print(f())
# --- the names of handlers are gone behind them, however they end
def f(how):
    e = "before"
    for i in range(2):
        try: {}[i]
        except KeyError as e:
            seen = lambda: e
            if how == "del": del e
            elif how == "break": break
            elif how == "bind": e = 3
            elif how == "raise": raise ValueError(str(e)) from e
            else: print(repr(e), repr(seen()))
    try: return e
    except UnboundLocalError as error: return str(error), seen()
for how in ("", "del", "break", "bind", "raise"):
    try: print(f(how))
    except (NameError, ValueError) as e: print(type(e), e, repr(e.__cause__))
def g():
    try: 1 / 0
    except (ZeroDivisionError, TypeError) as e:
        try: [][0]
        except IndexError as e: print(repr(e))
        try: e
        except NameError as again: print(again)
    yield 1
    try: yield 2
    except ValueError as e: yield repr(e)
    try: e
    except NameError as again: yield str(again)
it = g()
print(next(it), next(it), it.throw(ValueError(7)), next(it))
def star():
    try: raise ExceptionGroup("g", [KeyError(1)])
    except* KeyError as e: k = e.exceptions
    e = 1
    return k, e
import sys
print(star())
# --- patterns bind names when all of them fits
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def f(v, x="x", rest="rest"):
    match v:
        case [x, [y, *rest]] if len(rest) > 1: return "list", x, y, rest
        case {"k": x, **rest}: return "map", x, rest
        case P(x, y=(1 | 2) as y) | (y, x): return "P", x, y
        case str() as type if (match := len(type)) > 2: return type, match
        case int(case): return "int", case, lambda: case
    return x, rest
pairs = [1, [2, 3]], [1, [2, 3, 4]], (8, 9)
for v in (*pairs, {"k": 1, "l": 2}, P(5, 1), P(5, 3), "abc", "a", None): print(f(v))
print(f(3)[2]())
def g(vs):
    for v in vs:
        match v:
            case [a, 1] | [1, a]: yield a
            case _ as a if (yield a): pass
        yield [a for _ in "x"]
print(list(g([[2, 1], [1, 3], 4])))
# --- := binds names
def f(rows):
    if (n := len(rows)) > 1 and (m := n): pass
    while (row := rows.pop()): print(row, n)
    total = 0
    parts = [total := total + k for k in range(4)]
    any((hit := k) > 1 for k in range(5))
    g = lambda: (n := 5) + n
    print(f"{(w := 10)}", w, f"{n!r:>{(width := 4)}}", width)
    return n, row, total, parts, hit, g(), n, [(n := n + 1), n], (lambda: hit)()
print(f([[], [1], [2]]))
def g():
    def h(): return late
    try: print(h())
    except NameError as e: print(e)
    (late := 7)
    print(h(), (late := late + 1), h())
    del late
    h()
try: g()
except NameError as e: print(e)
# --- names that are bound in all ways, and seen from elsewhere
def f(x):
    def g(): return x
    yield g()
    import os as x
    yield g().__name__
    def x(): return 1
    yield g()()
    class x: pass
    yield g().__name__
    try: 1 / 0
    except ZeroDivisionError as x: yield repr(g())
    try: g()
    except NameError as e: yield str(e)
    match [1]:
        case [x]: yield g()
    (x := 9)
    yield g()
    for x in [4]: yield g()
    del x
    x: int
    yield 0
print(list(f(0)))
def outer():
    x = 1
    def inner():
        nonlocal x
        def x(): return 2
        return x()
    def other():
        nonlocal x
        try: 1 / 0
        except ZeroDivisionError as x: return repr(x)
    def walrus():
        nonlocal x
        return [x := 3 for _ in "a"], (x := 4)
    return inner(), other(), walrus(), x
print(outer())
class K:
    def m(self):
        import os as __p
        def __q(): return __p.__name__
        class __R: pass
        if (__s := 3): pass
        try: 1 / 0
        except ZeroDivisionError as __t: text = str(__t)
        return __q(), __q.__name__, __R.__name__, __s, text
print(K().m())
# --- names that handlers and patterns bind in statements that wait
import asyncio
def g(n):
    import os
    try:
        yield 1 / n
        def h(): return os
        yield h().__name__
    except ZeroDivisionError as e: text = repr(e)
    else: text = ""
    match (n, text):
        case [int(n), ""]: yield n; yield (k := n + 1)
        case (a, b) if (yield b): yield a
    return e
def run(it, *sent):
    try:
        for value in (None, *sent): print(it.send(value))
        for value in it: print(value)
    except (NameError, StopIteration) as error: print(type(error), error)
run(g(0), True)
run(g(2))
async def a(n):
    try: await asyncio.sleep(0, 1 / n)
    except ZeroDivisionError as e: print(repr(e))
    class C: pass
    match n:
        case 0 as zero: await asyncio.sleep(0); return zero, C.__name__
        case other if (m := await asyncio.sleep(0, other)): from math import pi; return m, int(pi)
    return e
print(asyncio.run(a(0)), asyncio.run(a(1)))
