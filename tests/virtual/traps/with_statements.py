# --- enter and exit in order, with the exception
class M:
    def __init__(self, n, eat=False): self.n, self.eat = n, eat
    def __enter__(self): print("in", self.n); return self
    def __exit__(self, t, v, tb):
        print("out", self.n, t and t.__name__, v, tb is not None)
        return self.eat
def f(eat):
    with M(1, eat) as a, M(2) as b:
        print(a.n, b.n)
        raise ValueError("x")
    return "after"
print(f(True))
try: f(False)
except ValueError as e: print("caught", e)
# --- jumps out of with
class M:
    def __enter__(self): return 1
    def __exit__(self, *a): print("exit", a[0])
def f():
    for i in range(4):
        with M():
            if i == 0: continue
            if i == 2: break
    with M():
        return i
print(f())
# --- the target is protected, too
class M:
    def __enter__(self): return 1
    def __exit__(self, t, v, tb): print("exit", t.__name__); return True
def f():
    with M() as (a, b): print("never")
    with M() as {}["x"].y: print("never")
    return "ok"
print(f())
# --- targets of every form
class M:
    def __init__(self, v): self.v = v
    def __enter__(self): return self.v
    def __exit__(self, *a): pass
class N: pass
def f():
    n, d = N(), {}
    with M(1) as n.x, M(2) as d[0], M((3, 4)) as (p, *q), M([6]) as [s]:
        return n.x, d, p, q, s
print(f())
# --- looked up on the type
class M: pass
m = M()
m.__enter__ = lambda: 1
m.__exit__ = lambda *a: None
try:
    with m: pass
except (TypeError, AttributeError) as e: print(type(e).__name__, e)
class H:
    def __enter__(self): return 1
try:
    with H(): print("never")
except (TypeError, AttributeError) as e: print(type(e).__name__, e)
try:
    with 3: pass
except (TypeError, AttributeError) as e: print(type(e).__name__, e)
# --- exit raises; the context is the first exception
class M:
    def __enter__(self): return self
    def __exit__(self, *a): raise KeyError("exit")
try:
    with M(): raise ValueError("body")
except KeyError as e: print(repr(e), repr(e.__context__))
# --- parenthesised items
class M:
    def __enter__(self): return "v"
    def __exit__(self, *a): return False
def f():
    with (M() as a, M() as b,): c = a + b
    with (M()): pass
    with (M(), M()): pass
    with (M()) as d: pass
    return c, d
print(f())
# --- names bound in the body
class M:
    def __enter__(self): return self
    def __exit__(self, *a): return True
def f():
    with M() as m:
        x = 1
        raise ValueError
        y = 2
    try: return x, y
    except UnboundLocalError as e: return str(e)
print(f())
# --- contextlib
import contextlib
@contextlib.contextmanager
def cm(n):
    print("enter", n)
    try: yield n
    except KeyError as e: print("swallow", e)
    finally: print("leave", n)
def f():
    with cm(1) as a, contextlib.suppress(ZeroDivisionError):
        1 / 0
    with cm(2): raise KeyError("k")
    return a
print(f())
# --- sys.exc_info in exit, and bare raise after
import sys
class M:
    def __enter__(self): pass
    def __exit__(self, *a): print(sys.exc_info()[0] is a[0])
try:
    with M(): raise OSError("o")
except OSError as e: print(e)
with M(): pass
# --- module level with a name
with open("/dev/null") as handle:
    inside = not handle.closed
print(inside, handle.closed)
# --- one line, and comments
with open("/dev/null") as h: a = 1; b = 2  # both
print(a, b)
# --- exit gets a truth that is asked once
class Yes:
    def __bool__(self): print("bool"); return True
class M:
    def __enter__(self): pass
    def __exit__(self, *a): return Yes()
with M(): raise ValueError
with M(): pass
print("end")
