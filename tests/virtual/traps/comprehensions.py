# --- the four kinds
print([x * 2 for x in range(3)], {x % 2 for x in range(4)}, {x: -x for x in range(2)})
print(list(x for x in "ab"))
print([(x, y) for x in range(3) if x for y in range(x) if y < 2], {**{k: v for k, v in [(1, 2)]}})
# --- the first iterable is evaluated outside, and at once
def f():
    x = [1, 2]
    g = (x for x in x)
    x = None
    return list(g)
print(f())
try: (x for x in 3)
except TypeError as e: print(e)
# --- StopIteration of an element
def f():
    it = iter([1])
    try: return [next(it) for _ in range(3)]
    except StopIteration: return "stop"
def g():
    it = iter([1])
    try: return list(next(it) for _ in range(3))
    except RuntimeError as e: return str(e)
def h():
    it = iter([1])
    try: return {next(it): 1 for _ in range(3)}, {next(it) for _ in range(3)}
    except StopIteration: return "stop"
print(f(), g(), h())
# --- := binds outside
def f():
    a = [y := x for x in range(3)]
    return a, y, any((z := v) > 1 for v in a), z
print(f(), [last := i for i in range(2)], last)
# --- class bodies
class C:
    xs = [1, 2]
    ys = [x + 1 for x in xs]
    zs = [x for x in xs if x > 1]
    n = 3
print(C.ys, C.zs)
# --- nested, with lambdas and closures
print([[y for y in range(x)] for x in range(3)], [f() for f in [lambda: x for x in range(2)]])
# --- targets of every form
d = {}
print([a + b for a, (b, *_) in [(1, (2, 3))]], [0 for d["k"] in [5]], d)
# --- conditions with and, or, not, chains
print([x for x in range(10) if x and not x % 2 and 2 < x < 9 or x == 1])
# --- unset names
def f():
    try: return [unset for _ in "a"]
    except NameError as e: return type(e).__name__
    unset = 1
def g():
    try: return [x for x in unset]
    except UnboundLocalError as e: return str(e)
    unset = 1
print(g())
# --- dict order of key and value
def say(x): print(x); return x
print({say("k"): say("v") for _ in range(1)})
# --- unhashable, errors inside
for bad in (lambda: {[] for _ in "a"}, lambda: {[]: 1 for _ in "a"},
            lambda: [1 / x for x in (1, 0)]):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
# --- a generator expression is lazy, and can be sent to
g = (print("run", x) or x for x in (1, 2))
print("made", type(g).__name__)
print(next(g), list(g))
# --- in arguments with others
print(sorted([x for x in "ba"], key=lambda c: [ord(y) for y in c]))
print(max((x for x in (3, 1)), default=0))
# --- over lines with comments
r = [x       # element
     for x   # target
     in range(5)  # iterable
     if x]   # condition
print(r)
# --- inside a function with locals()
def f():
    a = 1
    return [a for _ in range(2)], sorted(locals())
print(f())
