# --- nonlocal through thunks
def f():
    n = 0
    def up():
        nonlocal n
        for _ in range(3):
            if True: n += 1
    up()
    if n: n = n * 10
    return n
print(f())
# --- global names bound in thunks
total = 0
def f():
    global total, fresh
    for i in range(4):
        total += i
        if i == 3: fresh = "f"
f()
print(total, fresh)
# --- a name is global in one function and local in another
x = "g"
def f():
    global x
    if x: x = "changed"
def g():
    if True: x = "local"
    return x
f()
print(x, g())
# --- three levels of nonlocal
def a():
    v = 1
    def b():
        if True:
            def c():
                nonlocal v
                while v < 5: v += 1
            c()
        return v
    return b(), v
print(a())
# --- del and rebinding
def f(flag):
    x = 1
    if flag: del x
    try: return x
    except UnboundLocalError as e: return str(e)
print(f(0), f(1))
# --- del of an unset local
def f():
    if False: x = 1
    try:
        if True: del x
    except UnboundLocalError as e: return str(e)
print(f())
# --- del of a global in a thunk
g = 1
def f():
    global g
    if g: del g
f()
print("g" in globals())
try: g
except NameError as e: print(e)
# --- unset local read in each kind of thunk
def f(kind):
    try:
        if kind == 0:
            return unset
        if kind == 1:
            for x in unset: pass
        if kind == 2:
            while unset: pass
        if kind == 3:
            with unset: pass
        if kind == 4:
            raise unset
        if kind == 5:
            assert unset
        if kind == 6:
            return 1 if unset else 2
        if kind == 7:
            return [] or unset
        if kind == 8:
            unset.x = 1
        if kind == 9:
            unset += 1
    except UnboundLocalError as e: return str(e)
    unset = 1
    return "none"
print({f(k) for k in range(10)}, f(10))
# --- a free variable that is unset stays NameError
def f():
    def g():
        if True:
            try: return later
            except NameError as e: return type(e).__name__, str(e)
    r = g()
    later = 1
    return r
print(f())
# --- an unset global
def f():
    if True:
        try: return no_such_name
        except NameError as e: return type(e).__name__, str(e)
print(f())
# --- UnboundLocalError where try is around the function
def f(a):
    if a: x = 1
    return x
def g():
    try: f(0)
    except UnboundLocalError as e: return str(e)
print(g())
# --- context of the UnboundLocalError
def f():
    try: 1 / 0
    except ZeroDivisionError:
        try:
            if True: unset
        except UnboundLocalError as e: return repr(e.__context__)
    unset = 1
print(f())
# --- parameters are rebound in thunks
def f(a, *b, c=1, **d):
    if a:
        a, b, c, d = d, c, b, a
    return a, b, c, d
print(f(1, 2, c=3, e=4), f(0))
# --- locals() in a function with statements
def f(a):
    if a:
        b = 2
    return locals()
print(f(1), f(0))
# --- exec and eval see the locals
def f(a):
    for i in range(2):
        b = eval("a + i")
    return b
print(f(1))
# --- names that begin as generated ones
_pc_t1 = "mine"
_pc_call = len
def f(_pc_v):
    if _pc_v: return _pc_call(_pc_t1)
    for _pc_s in (1,): return _pc_s
print(f(1), f(0))
# --- a name that is mangled, as a local in a thunk
class C:
    def m(self):
        if True:
            __x = 1
            for __y in (2,): pass
        return __x + __y, sorted(locals()) if False else None
print(C().m())
# --- class in a thunk reads a local of the function
def f(n):
    if n:
        class C:
            v = n
            m = v + 1
        return C.v, C.m, n
print(f(1))
# --- comprehension and lambda read names that thunks bind
def f():
    if True: xs = [1, 2]
    g = lambda: xs
    for xs2 in [xs]: ys = [x for x in xs2 if x in xs]
    return g(), ys
print(f())
# --- function parameters used as cells by two thunks
def counter(start):
    def step(by):
        nonlocal start
        if by: start += by
        else: start = 0
        return start
    return step
c = counter(5)
print(c(1), c(2), c(0), c(3))
# --- import * at module level, and names after it
from math import *
if True:
    r = floor(2.5)
print(r)
# --- loops at module level that delete their names
for i in range(2):
    tmp = i
    if i: del tmp
print("tmp" in globals(), i)
# --- generator expression over a name that the statement binds
def f(rows):
    for row in rows:
        if any(c == row for c in rows): last = row
    return last
print(f([1, 2, 3]))
# --- builtins shadowed by locals in thunks
def f(flag):
    if flag: len = lambda x: "mine"
    else: len = max
    return len([1, 3])
print(f(1), f(0))
# --- __class__ cell and nonlocal __class__
class C:
    def m(self):
        for _ in range(1):
            return __class__.__name__
print(C().m())
# --- del of a variable of the function around, which has no value
def f():
    a = b = 1
    def g():
        nonlocal a, b
        del a
        try: del a
        except NameError as e: print(type(e).__name__, e)
        for b in (1,): del b
        try:
            if 1: del b
        except NameError as e: print(type(e).__name__, e)
    g()
    try: del a
    except NameError as e: print(type(e).__name__, e)
f()
# --- an unset local in a try whose handler waits
def f(n):
    if n == 1:
        try: x
        except NameError as e: yield type(e).__name__
    for _ in (1,):
        try: x
        except UnboundLocalError as e: yield type(e).__name__
    x = 1
print(list(f(0)), list(f(1)))
