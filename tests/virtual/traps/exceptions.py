# --- handlers in order, else, finally
def f(kind):
    log = []
    try:
        if kind == 1: raise KeyError("k")
        if kind == 2: raise ValueError("v")
        if kind == 3: return log + ["return"]
        log.append("body")
    except (KeyError, IndexError) as e: log.append(repr(e))
    except ValueError: log.append("value")
    else: log.append("else")
    finally: log.append("finally")
    return log
print(f(0), f(1), f(2), f(3))
# --- the name of a handler is unbound after it
def f():
    e = "old"
    try: 1 / 0
    except ZeroDivisionError as e: pass
    try: return e
    except UnboundLocalError as x: return str(x)
print(f())
# --- the name is unbound however the handler ends
def f():
    for i in range(2):
        try: raise KeyError(i)
        except KeyError as e:
            if i: break
            continue
    try: e
    except UnboundLocalError: return "unset"
print(f())
# --- the handler deletes or rebinds its name
def f():
    try: 1 / 0
    except ZeroDivisionError as e: del e
    try: 1 / 0
    except ZeroDivisionError as e: e = 3
    return "ok"
print(f())
# --- bare raise in a handler
def f():
    try:
        try: 1 / 0
        except ZeroDivisionError:
            if True: raise
    except ZeroDivisionError as e: return repr(e)
print(f())
# --- bare raise in a function that the handler calls
import sys
def again(): raise
def f():
    try:
        try: {}["k"]
        except KeyError: again()
    except KeyError as e: return repr(e), sys.exc_info()[1] is e
print(f(), sys.exc_info())
# --- bare raise with nothing to raise
try: raise
except RuntimeError as e: print(e)
# --- context and cause
def f(how):
    try:
        try: 1 / 0
        except ZeroDivisionError as z:
            if how == 0: raise KeyError("a")
            if how == 1: raise KeyError("b") from z
            if how == 2: raise KeyError("c") from None
            raise KeyError("d") from ValueError
    except KeyError as e:
        return repr(e), repr(e.__context__), repr(e.__cause__), e.__suppress_context__
for how in range(4): print(f(how))
# --- raise without from sets no cause
try: raise ValueError("v")
except ValueError as e: print(e.__cause__, e.__suppress_context__, e.__context__)
# --- what cannot be raised
class Odd(Exception):
    def __new__(cls): return 3
for bad in ("raise 3", "raise int", "raise Odd", "raise KeyError from 3",
            "raise ValueError from int"):
    try: exec(bad)
    except Exception as e: print(bad, type(e).__name__, e)
def f(x): raise x
def g(x, c): raise x from c
for a in ((3,), (int,), (Odd,)):
    try: f(*a)
    except Exception as e: print(type(e).__name__, e)
for a in ((KeyError, 3), (ValueError, None), (ValueError(1), KeyError)):
    try: g(*a)
    except Exception as e: print(type(e).__name__, e, repr(e.__cause__))
# --- classes are called, before the cause
class E(Exception):
    def __init__(self, *a): print("made", type(self).__name__, a); super().__init__(*a)
class C(E): pass
try: raise E from C
except E as e: print(type(e.__cause__).__name__)
# --- what cannot be caught
def f(types):
    try:
        try: 1 / 0
        except types: return "caught"
    except TypeError as e: return str(e), repr(e.__context__)
    except ZeroDivisionError: return "not caught"
print(f(ZeroDivisionError), f((KeyError, ArithmeticError)), f(()), f(int), f(3), f((KeyError, 3)))
print(f(((ZeroDivisionError,),)))
# --- types are evaluated only when needed
def say(t): print("types", t.__name__); return t
def f(x):
    try: 1 / x
    except say(KeyError): return "k"
    except say(ZeroDivisionError): return "z"
    except say(ValueError): return "v"
    return "fine"
print(f(0), f(1))
# --- return in finally wins
def f(x):
    try:
        if x: raise ValueError
        return "try"
    finally:
        return "finally"
print(f(0), f(1))
# --- break and continue in finally
def f():
    log = []
    for i in range(4):
        try:
            if i % 2: raise KeyError
            log.append(i)
        finally:
            if i == 3: break
            log.append("f")
            continue
    return log
print(f())
# --- an error in finally, in else, in a handler
def f(where):
    try:
        try:
            if where == "h": 1 / 0
        except ZeroDivisionError: {}["h"]
        else:
            if where == "e": {}["e"]
        finally:
            if where == "f": {}["f"]
    except KeyError as e: return repr(e), repr(e.__context__)
    return where
print([f(w) for w in "hefx"])
# --- the order of finally and return
def say(x): print(x); return x
def f():
    try: return say("value")
    finally: say("finally")
print(f())
# --- nested try in handlers and finally
def f():
    try: raise KeyError(1)
    except KeyError as a:
        try: raise ValueError(2)
        except ValueError as b: c = (a, b)
        finally: d = "in"
    finally:
        try: raise OSError(3)
        except OSError: d += "out"
    return c, d
print(f())
# --- except without a type, BaseException, SystemExit
def f(e):
    try: raise e
    except Exception: return "Exception"
    except: return "bare"
print(f(KeyError), f(SystemExit), f(KeyboardInterrupt), f(GeneratorExit))
# --- sys.exc_info inside and after
import sys
def f():
    out = [sys.exc_info()[0]]
    try: 1 / 0
    except ZeroDivisionError:
        out.append(sys.exc_info()[0])
        try: {}["x"]
        except KeyError: out.append(sys.exc_info()[0])
        out.append(sys.exc_info()[0])
    out.append(sys.exc_info()[0])
    return [t and t.__name__ for t in out]
print(f())
# --- a return value of the body is not lost by else
def f(x):
    try:
        if x: return "body"
    except KeyError: pass
    else: return "else"
print(f(1), f(0))
# --- assert
def say(m): print("message"); return m
def f(x):
    try: assert x > 0, say("m")
    except AssertionError as e: return e.args
    try: assert x > 1
    except AssertionError as e: return e.args
    return "fine"
print(f(0), f(1), f(2))
# --- assert with a tuple message, and an error in the test
def f():
    try: assert 0, (1, 2)
    except AssertionError as e: a = e.args
    try: assert 1 / 0, "no"
    except ZeroDivisionError as e: return a, str(e)
print(f())
# --- AssertionError is a name of the user
def f():
    AssertionError = KeyError
    try: assert 0, "x"
    except Exception as e: return type(e).__name__
print(f())
# --- except* stays
def f():
    try: raise ExceptionGroup("g", [KeyError("k"), ValueError("v")])
    except* KeyError as g: a = repr(g.exceptions)
    except* ValueError as g: b = repr(g.exceptions)
    return a, b
print(f())
# --- traceback: the user's functions and lines
import traceback
def inner(x):
    if x:
        raise ValueError("deep")
def f():
    try:
        for i in range(3):
            inner(i)
    except ValueError as e:
        frames = traceback.extract_tb(e.__traceback__)
        return {x.name for x in frames}, frames[-1].line, frames[-1].lineno - frames[0].lineno < 0
print(f())
# --- the exception leaves loops and with
def f():
    try:
        for i in range(3):
            with open("/dev/null"):
                while True:
                    raise StopIteration(i)
    except StopIteration as e: return e.value, i
print(f())
# --- exceptions with __class__ tricks and subclasses
class Base(Exception): pass
class Derived(Base): pass
def f(e):
    try: raise e
    except Derived: return 1
    except Base: return 2
print(f(Base), f(Derived()))
# --- at module level
try:
    missing
except NameError as e:
    text = str(e)
finally:
    done = True
print(text, done, "e" in globals())
# --- a name declared global
def f():
    global err
    try: 1 / 0
    except ZeroDivisionError as err: pass
    return "err" in globals()
print(f())
# --- parts of a group share its traceback, which has one entry for each function (native)
import traceback
def f():
    try:
        try:
            if True: raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
        except* ValueError as one: part = one
    except ExceptionGroup as other: rest = other
    return part, rest
part, rest = f()
print(part.__traceback__ is rest.__traceback__)
print([(e.name, e.lineno) for e in traceback.extract_tb(rest.__traceback__)])
def g():
    def h():
        for x in [1]:
            if x: raise KeyError(x)
    try:
        with open("/dev/null"):
            h()
    except KeyError as e:
        inner = e.__traceback__
        try: raise
        except KeyError as again: return inner is again.__traceback__, again
same, error = g()
print(same, [(e.name, e.lineno, e.colno) for e in traceback.extract_tb(error.__traceback__)])
def gen():
    try:
        for x in [1]:
            yield x
            if x: raise KeyError(x)
    except KeyError as e:
        found = [(t.name, t.lineno) for t in traceback.extract_tb(e.__traceback__)]
    yield found
print(list(gen()))
# --- a caught exception has the frame of the function, and each time that it was raised (native)
import sys, traceback
def places(e):
    return [(t.name, t.lineno, t.colno, t.end_colno) for t in traceback.extract_tb(e.__traceback__)]
def fails(x):
    if x:
        while True:
            raise KeyError(
                x)
def f(x):
    frame = sys._getframe()
    try:
        if x: fails(x)
    except KeyError as e:
        t = e.__traceback__
        print(t.tb_frame is frame, "frame" in t.tb_frame.f_locals, places(e))
        print(t.tb_next.tb_frame.f_code is fails.__code__, "x" in t.tb_next.tb_frame.f_locals)
    for i in range(3):
        try:
            if i == 0: error = KeyError(i)
            raise error
        except KeyError as e: print(places(e))
    raise error
try: f(5)
except KeyError as e: print(places(e))
def gen():
    frame = sys._getframe()
    try:
        for x in [1]:
            yield x
            [y for y in [1] if y and fails(y)]
    except KeyError as e:
        print(places(e)[0], places(e)[-1], e.__traceback__.tb_frame is frame)
list(gen())
def deep(n):
    try:
        if n: deep(n - 1)
        else: fails(n + 1)
    except KeyError as e:
        print(len(places(e)), "n" in e.__traceback__.tb_frame.f_locals)
        raise
try: deep(2)
except KeyError as e: print(places(e))
# --- what is returned goes when nobody refers to it (native)
import gc, weakref
gc.disable()
class E(Exception): pass
class Manager:
    def __enter__(self): return self
    def __exit__(self, kind, e, at):
        self.error = e
        return True
def caught(x):
    try: raise E(x)
    except E as e: return e
def of_loop(x):
    for i in range(3):
        try: raise E(x)
        except E as e:
            if i: return e
def of_with(x):
    with Manager() as m: raise E(x)
    error = m.error; del m
    try: return error
    finally: del error
print([weakref.ref(f(1))() for f in (caught, of_loop, of_with)])
# --- an exception that no frame has seen (native)
def f(first):
    try:
        try: raise first
        except* ValueError as e: raise KeyError(1)
    except BaseException as group: return repr(group), group.__traceback__ is not None
print(f(ValueError(2)), f(ExceptionGroup("g", [ValueError(3), TypeError(4)])))
# --- the context of an unset local in the `finally` of a generator that another error leaves
def g(error):
    a = 1
    yield 0
    try: 1 + 'x'
    finally:
        try: del a
        except ZeroDivisionError as a: yield from [1, 2]
        else: raise error
        finally: print(a)
for error in KeyError(5), StopIteration(5):
    try: list(g(error))
    except UnboundLocalError as e:
        print([type(x).__name__ for x in (e, e.__context__, e.__context__.__context__)])
