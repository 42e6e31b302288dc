# --- yield in if, for, while, with, try
def g(n):
    if n:
        yield "if"
    else:
        yield "else"
    for i in range(n):
        yield i
        if i == 1: continue
        while i:
            yield "w"
            i -= 1
    with open("/dev/null") as f:
        yield f.closed
    try:
        yield 1 / (n - 2)
    except ZeroDivisionError: yield "zero"
    finally: yield "f"
print(list(g(0)), list(g(2)))
# --- send and the value of yield
def g():
    total = 0
    while True:
        got = yield total
        if got is None: return total
        total += got
it = g()
print(next(it), it.send(3), it.send(4))
try: it.send(None)
except StopIteration as e: print(e.value)
# --- throw and close reach the yield in a nested statement
def g():
    for i in range(3):
        try:
            if True: yield i
        except KeyError as e:
            yield repr(e)
        finally: print("fin", i)
it = g()
print(next(it), it.throw(KeyError("k")), next(it))
it.close()
# --- close runs with and finally
def g():
    with open("/dev/null") as f:
        try:
            if f: yield 1
        except GeneratorExit:
            print("exit")
            raise
        finally: print("finally")
it = g(); next(it); it.close()
# --- StopIteration of next is caught in the generator
def g(it):
    try:
        if True:
            yield 1
            next(it)
            yield "never"
    except StopIteration: yield "caught"
print(list(g(iter([]))))
# --- StopIteration of next leaves as RuntimeError
def g(it):
    for x in (1, 2):
        if x:
            yield next(it)
try: print(list(g(iter([1]))))
except RuntimeError as e: print(e, repr(e.__cause__))
# --- StopIteration with a value, caught two levels out
def stop(): raise StopIteration("v")
def g():
    try:
        for i in range(3):
            while True:
                if i: stop()
                yield i
                break
    except StopIteration as e: yield e.value, i
print(list(g()))
# --- a RuntimeError of another generator is not mistaken
def bad():
    yield 1
    raise StopIteration
def g():
    try:
        if True:
            yield 0
            list(bad())
    except RuntimeError as e: yield str(e)
    except StopIteration: yield "wrong"
print(list(g()))
# --- return values through yield from
def a():
    if True:
        x = yield 1
        return x, "a"
def b():
    for _ in range(1):
        r = yield from a()
        return r
it = b(); next(it)
try: it.send("s")
except StopIteration as e: print(e.value)
# --- yield in expressions and tests
def g():
    x = (yield 1) or (yield 2)
    if (yield x): print("true")
    while (yield "w"): pass
    print([(yield "a"), (yield "b")])
it = g()
print(next(it), it.send(0), it.send("x"), it.send(1), it.send(1), it.send(0), it.send(5))
try: it.send(6)
except StopIteration: pass
# --- break out of a loop with a yield, else
def g(stop):
    for i in range(3):
        if i == stop: break
        yield i
    else: yield "else"
    yield i
print(list(g(1)), list(g(9)))
# --- generator state and attributes
import inspect
def g():
    """doc"""
    if True: yield 1
it = g()
print(inspect.isgeneratorfunction(g), inspect.getgeneratorstate(it))
print(it.__name__, it.__qualname__, g.__doc__)
# --- yield without a value, bare
def g():
    for _ in range(2): yield
    if 1: (yield)
print(list(g()))
# --- sys.exc_info and bare raise in a handler that yields
import sys
def g():
    try: 1 / 0
    except ZeroDivisionError:
        yield sys.exc_info()[0].__name__
        if True: yield "more"
        try: raise
        except ZeroDivisionError as e: yield str(e)
print(list(g()), sys.exc_info()[0])
# --- an exception that the caller handles is not seen by a resumed generator
import sys
def g():
    while True:
        yield sys.exc_info()[1]
it = g()
print(next(it))
try: {}["k"]
except KeyError: print(repr(next(it)))
print(next(it))
# --- exc_info does not stay after a handler without yield
import sys
def g():
    yield 0
    try: 1 / 0
    except ZeroDivisionError: pass
    yield sys.exc_info()[1]
def f():
    it = g(); next(it)
    try: {}["k"]
    except KeyError: r = repr(next(it))
    return r, next(it, "end"), sys.exc_info()[1]
print(f())
# --- recursion through yield from
def walk(t):
    if isinstance(t, list):
        for x in t: yield from walk(x)
    else: yield t
print(list(walk([1, [2, [3, []]], 4])))
# --- infinite generator with conditional yields
import itertools
def primes():
    n = 2
    while True:
        for p in range(2, n):
            if n % p == 0: break
        else:
            yield n
        n += 1
print(list(itertools.islice(primes(), 8)))
# --- unset local in a generator's thunk
def g():
    try:
        if True:
            yield 1
            print(unset)
    except UnboundLocalError as e: yield str(e)
    unset = 1
print(list(g()))
# --- a lambda that yields, and a generator in a class
f = lambda: (yield 1)
class C:
    def __iter__(self):
        for i in (1, 2):
            if i: yield self, i
print(list(f()), [i for _, i in C()])
# --- assert and del with yield
def g():
    try: assert (yield 1), (yield 2)
    except AssertionError as e: yield e.args
    d = {1: 2}
    del d[(yield 3)]
    yield d
it = g()
print(next(it), it.send(0), it.send("m"), next(it), it.send(1))
# --- with_stmt of a generator swallows
class M:
    def __enter__(self): return "v"
    def __exit__(self, *a): print(a[0] and a[0].__name__); return True
def g():
    with M() as v:
        yield v
        raise KeyError
    yield "after"
print(list(g()))
# --- try with return in finally, in a generator
def g():
    try:
        yield 1
        raise KeyError
    except KeyError: return "h"
    finally:
        yield "f"
        if True: return "fin"
it = g()
print(next(it), next(it))
try: next(it)
except StopIteration as e: print(e.value)
# --- a generator that is closed, and goes on
def f(n):
    for i in range(3):
        try:
            if n: yield i
        except GeneratorExit:
            print("closed", i)
            if n == 1: break
            if n == 2: return
            if n == 3: continue
        print("behind", i)
    print("after")
    if n == 4: yield 4
def g(n):
    while n > 0:
        try: yield n
        except: n -= 1
        else: n -= 2
    print("end")
def h():
    try:
        with open(__file__) if 0 else M():
            try: yield 1
            finally: print("inner")
    except BaseException as e:
        print(type(e).__name__)
        raise
def k():
    for x in (1, 2):
        try: yield x
        finally: break
    print("k goes on")
class M:
    def __enter__(self): print("enter")
    def __exit__(self, *e): print("exit", e[0] and e[0].__name__)
for n in range(1, 5):
    for make in f, g:
        i = make(n)
        print(next(i))
        try: i.close()
        except RuntimeError as e: print(e)
        print("then", [v for v, _ in zip(i, range(9))])
for make in h, k:
    i = make()
    next(i)
    i.close()
    i = make()
    next(i)
    try: i.throw(KeyError)
    except (KeyError, StopIteration) as e: print(repr(e))
# --- a coroutine that is closed, and goes on
import types
@types.coroutine
def wait(): yield "waits"
async def f():
    while True:
        try: await wait()
        except BaseException as e:
            print(type(e).__name__)
            break
    print("after")
    return 5
c = f()
print(c.send(None))
c.close()
c = f()
c.send(None)
try: c.throw(ValueError)
except StopIteration as e: print(e.value)
