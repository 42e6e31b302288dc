# --- if: the test is asked once, the arms see and bind the function's names
class Once:
    def __bool__(self):
        print("asked")
        return True
def f(x):
    if Once():
        y = x + 1
    else:
        y = x - 1
    return y
print(f(1))
# --- if: a name that is bound in one arm only
def f(flag):
    if flag:
        found = 1
    try:
        return found
    except UnboundLocalError as error:
        return str(error)
print(f(1), f(0))
# --- elif: tests in order, one arm
def f(n):
    if n == 0: return "none"
    elif n == 1:
        kind = "one"
    elif n < 5: kind = "few"
    else:
        kind = "many"
    return kind
print([f(n) for n in range(7)])
# --- elif: the chain has no else
def f(n):
    got = []
    if n > 10: got.append("big")
    elif n > 5: got.append("mid")
    return got
print(f(11), f(6), f(1))
# --- elif: many links
source = "def f(n):\n    if n == 0: return 0\n" + "".join(
    f"    elif n == {i}: return {i}\n" for i in range(1, 40)) + "    else: return -1\n"
print(source.count("elif"))
def f(n):
    if n == 0: return "a"
    elif n == 1: return "b"
    elif n == 2: return "c"
    elif n == 3: return "d"
    elif n == 4: return "e"
    elif n == 5: return "f"
    elif n == 6: return "g"
    else: return "h"
print([f(i) for i in range(8)])
# --- if: return of nothing and of a tuple from an arm
def f(n):
    if n == 0: return
    if n == 1: return ()
    if n == 2: return 1,
    if n == 3: return 1, 2
    if n == 4: return (yield_ := 4)
    return None
print([f(i) for i in range(6)])
# --- if: a starred return
def f(a):
    if a: return 0, *a
    return *a, 1
print(f([1, 2]), f([]))
# --- if: binds with := in the test, used after
def f(s):
    if (n := len(s)) > 2:
        return n, "long"
    elif n and (m := n * 2):
        return n, m
    return n
print(f("abc"), f("a"), f(""))
# --- if: at module level
if True:
    top = 1
else:
    bottom = 2
print(top, "bottom" in globals())
# --- if: nested functions see later values
def f(flag):
    def g(): return x
    x = 1
    if flag:
        x = 2
    return g()
print(f(0), f(1))
# --- if: one line with several statements
def f(a):
    if a: b = 1; c = 2
    else: b = 3; c = 4
    return b, c
print(f(1), f(0))
# --- if: test over several lines, with comments and a backslash
def f(a, b):
    if (a and   # first
            b): # second
        return 1
    if a or \
       b:
        return 2
    return 3
print(f(1, 1), f(0, 1), f(0, 0))
# --- if: only pass, and a docstring-like string
def f(a):
    """doc"""
    if a:
        pass
    else:
        "nothing"
    return a
print(f(3), f.__doc__)
# --- if: test raises
def f():
    try:
        if 1 / 0: return "no"
    except ZeroDivisionError as error:
        return str(error)
print(f())
# --- while: counts, break, continue, else
def f(stop):
    i, seen = 0, []
    while i < 6:
        i += 1
        if i == 2: continue
        if i == stop: break
        seen.append(i)
    else:
        seen.append("else")
    return seen, i
print(f(4), f(9))
# --- while: test binds with :=
def f(items):
    total = 0
    while (item := items.pop()) != 0:
        total += item
    return total, item
print(f([0, 1, 2, 3]))
# --- while: return from nested loops
def f(n):
    while True:
        n += 1
        while True:
            n += 10
            if n > 25: return n
            if n % 2: break
            continue
print(f(0), f(1))
# --- while: else runs a break of the loop around it
def f():
    out = []
    for i in range(3):
        while i < 1:
            i += 1
        else:
            if out: break
            out.append(i)
            continue
        out.append("never")
    else:
        out.append("end")
    return out, i
print(f())
# --- while: at module level, with break
n = 0
while True:
    n += 1
    if n > 3:
        break
print(n)
# --- while 1 and while not
def f(n):
    while not n: n = 5
    while 1:
        n -= 1
        if not n: break
    return n
print(f(0))
# --- for: the loop variable survives, and is unset for an empty iterable
def f(items):
    for x in items: pass
    try: return x
    except UnboundLocalError as e: return type(e).__name__
print(f([1, 2]), f([]))
# --- for: targets of every form
class Bag: pass
def f():
    b, d, got = Bag(), {}, []
    for b.x in [1, 2]: got.append(b.x)
    for d["k"] in [3]: got.append(d)
    for i, (j, *k) in [(1, (2, 3, 4))]: got.append((i, j, k))
    for [m, n] in [(5, 6)]: got.append(m + n)
    for (p) in [7]: got.append(p)
    for q, in [(8,)]: got.append(q)
    return got, b.x, d
print(f())
# --- for: a tuple without parentheses as the iterable
def f():
    return [x for x in (1, 2)], [g(x) for x in (3,)]
def g(a):
    total = 0
    for x in a, a + 1, *[5]:
        total += x
    return total
print(f())
# --- for: the iterable is evaluated once, and before the target is bound
def f(x):
    got = []
    for x in range(x): got.append(x)
    return got, x
print(f(3))
# --- for: an iterator that is not a sequence, and one that is a generator
def f():
    got = [x for x in iter({"a": 1})]
    for line in iter([3, 2, 1, 0].pop, 2): got.append(line)
    for c in (ch for ch in "xy"): got.append(c)
    for k, v in {"z": 26}.items(): got += [k, v]
    return got
print(f())
# --- for: __getitem__ protocol, and errors of iter and next
class Old:
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i
class Bad:
    def __iter__(self): return self
    def __next__(self): raise KeyError("next")
def f(items):
    got = []
    try:
        for x in items: got.append(x)
    except (TypeError, KeyError) as e: got.append(repr(e))
    return got
print(f(Old()), f(3), f(Bad()), f(None))
# --- for: an unpacking error in the target
def f():
    try:
        for a, b in [(1, 2), (3,)]:
            last = a
    except ValueError as e:
        return last, a, b, str(e)
print(f())
# --- for: break skips else, also in a nested statement
def f(limit):
    for i in range(5):
        if i:
            with open("/dev/null"):
                if i == limit: break
    else:
        return "else", i
    return "broken", i
print(f(3), f(9))
# --- for: changing the list while iterating
def f():
    items = [1, 2, 3, 4]
    for x in items:
        if x % 2: items.remove(x)
    return items
print(f())
# --- for: continue in else of an inner loop
def f():
    out = []
    for i in range(4):
        for j in range(i):
            if j == 1: break
        else:
            out.append(("else", i))
            continue
        out.append(("break", i, j))
    return out
print(f())
# --- for: closures share the variable
def f():
    fs = []
    for i in range(3): fs.append(lambda: i)
    return [g() for g in fs]
print(f())
# --- for: del of the target in the body
def f():
    for i in range(2):
        del i
    try: return i
    except UnboundLocalError: return "unset"
print(f())
# --- for: the iterator is used by the body, too
def f():
    it = iter(range(6)); got = []
    for x in it:
        got.append((x, next(it, None)))
    return got
print(f())
# --- for at module level leaves its names
for index in range(3):
    square = index * index
print(index, square)
# --- conditional expression: lazy arms, nested
def f(x): return "neg" if x < 0 else 1 / x if x else "zero"
print(f(-1), f(2), f(0))
# --- conditional expression: in default values, in lambdas, in class bodies
flag = True
def f(a=1 if flag else 2): return a
g = lambda x: x if x else "no"
class C:
    on = False
    value = 1 if on else 2
print(f(), g(0), g(3), C.value)
# --- conditional expression: precedence
def f(a, b): return a * 2 if b else a or 5, (lambda: 1 if a else 2)(), -1 if a else +1
print(f(1, 0), f(0, 0), f(2, 1))
# --- conditional expression: an arm holds :=
def f(a):
    r = (y := 1) if a else (y := 2)
    return r, y
print(f(0), f(1))
# --- jumps leave with and try
def f(kind):
    log = []
    for i in range(3):
        try:
            with open("/dev/null"):
                if kind == i == 1: break
                if kind == 5: continue
                if kind == 7: return log, "ret"
                log.append(i)
        finally:
            log.append("f")
    return log
print(f(1), f(5), f(7), f(9))
# --- a deep nest of statements
def f(n):
    if n:
        for i in range(n):
            while i:
                if i > 1:
                    for j in (1, 2):
                        if j == 2:
                            return i, j, n
                i -= 1
    return "end"
print(f(0), f(1), f(2), f(3))
# --- a region that is switched off
def f(n):
    # pychoralc: off
    if n: return "off"
    # pychoralc: on
    if not n: return "on"
print(f(0), f(1))
# --- early returns, and what follows
def f(c, d):
    """doc"""
    if c:
        return 1     # early
    elif d: return 2
    # comment
    x = d; w = 1

    if x: y = 5
    if d is None:
        raise ValueError("none")
    s = f"""
{x}
  line {
    w
    :>3}
""" + """
"""
    @deco
    def g(): return x, \
w
    class K:
        def m(self): return x, __class__.__name__
    for i in range(3):
        if i == 1: continue
        if i == 2: return i, s, x
        elif i == 3: x = 4
        elif i == 7: return 7
        out.append(i)
        if d == "b": break
    else:
        if d: return
        return "else"
    if not K().m(): return
    del w
    try: g()
    except NameError as e: out.append(str(e))
    with_it = (x
if x else s)
    return s, with_it, x, g.__qualname__, K().m.__qualname__
def deco(f): return f
out = []
for c, d in (1, 0), (0, 1), (0, 0), (0, "b"), (0, None), (0, ""):
    try: print(f(c, d), out)
    except Exception as e: print(repr(e))
# --- early returns in loops, tries, generators and nested functions
def f(n):
	for i in range(n):
		if i == 5: return "five"
		try:
			if i == 4: return "four"
			x = i
			if i == 3: return x
			if i == 1: continue
		finally:
			out.append(i)
		def g(y):
			if y: return x
			z = y
			return z
		out.append(g(i))
	if n: return n
	return x
def g(n):
    if n: return n
    x = yield 1
    if x: return x
    yield 2
class C:
    def m(self):
        if self.a: return super().__repr__()[:3]
        x = super().__init__()
        return x, __class__
    a = 0
    def k(self, p):
        if p: return 1
        global G
        G = p
        q: int = 3
        if p == 0: return G, q
        return locals()
out = []
for n in range(7):
    try: print(f(n), out)
    except UnboundLocalError as e: print(e)
print(list(g(0)), C().m(), C().k(0), C().k(None))
# --- targets of `for` within each other: starred, empty, lists in tuples
for a, *(b, c), d in [(1, 2, 3, 4)]: print(a, b, c, d)
for a, () in [(1, ())]: print(a)
for [a, [], *[]] in [(1, "")]: print(a)
for () in [[]]: print("none")
for *(a, *b), [c, (d,)] in [(1, 2, 3, (4, (5,)))]: print(a, b, c, d)
def f(rows):
    for (a, *[b, (c, *d)]), e in rows:
        if e: print(a, b, c, d, e)
    for x, () in [(1, (2,))]: print("not reached")
try: f([((1, 2, (3, 4, 5)), 6)])
except ValueError as error: print(error)
