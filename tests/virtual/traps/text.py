# --- comments, blank lines and odd indentation stay
def f(a):

    # before
    if a:   # on if

            # inside
            x = 1   # on x

            # after x
    # before else
    else:  # on else
      x = 2
    # end
    return x

print(f(1), f(0))
# --- tabs
def f(a):
	if a:
		return "tab"
	for i in (1, 2):
		if i > 1:	return i
print(f(1), f(0))
# --- strings over lines inside statements
def f(a):
    if a:
        return """first
second
    third"""
    x = '''a
b''' if a else "c"
    return x
print(repr(f(1)), f(0))
# --- backslash line ends
def f(a, b):
    if a \
       and b:
        return a + \
            b
    return a or \
           b
print(f(1, 2), f(0, 3))
# --- a form feed between functions
def f(): return 1

def g():
    if f(): return 2
print(g())
# --- one-line suites of every kind
def f(n):
    for i in range(n): x = i
    else: y = "e"
    while n: n -= 1
    else: z = "w"
    try: 1 / n
    except ZeroDivisionError: w = "x"
    else: w = "n"
    finally: v = "f"
    with open("/dev/null"): pass
    if w: pass
    elif v: pass
    else: pass
    return y, z, w, v
print(f(2))
# --- class and def on one line
class C: x = 1; y = 2
def f(a): b = a; return b
class D(C): pass
print(f(D.x), D.y)
# --- unicode names and text before the edits
def naïve(ä, *, β=1):
    if ä: ü = "ß" + str(β)
    else: ü = "☃😀"; return ü if β else len(ü)
    return ü
print(naïve(1), naïve(0), naïve(0, β=0))
# --- normalised names
def f():
    if True: ﬁn = 1
    return fin
print(f())
# --- lines of errors
import traceback
def f(a):
    x = [1,
         2]
    if a:
        # comment
        return (x[0] +
                x[5])
try: f(1)
except IndexError as e: print(traceback.extract_tb(e.__traceback__)[-1].line)
# --- nested parentheses in headers
def f(a):
    if ((a)): return 1
    while (((not a))): a = (((2)))
    for (i) in ((1), (2)): pass
    with ((open("/dev/null"))) as (h): pass
    return (((i))), h.closed
print(f(1), f(0))
# --- strings that hold code and hashes
def f(a):
    if a == "if x: #": return "# no comment"
    s = 'else:'  # a comment with 'quotes
    return s
print(f("if x: #"), f(1))
# --- keyword-like names and soft keywords
def f(match, case, type, _):
    if match: return case
    match = type
    print(match, _)
    return (match, case)
print(f(1, 2, 3, 4), f(0, 2, 3, 4))
# --- walrus at the edges of parentheses
def f(x):
    if (y := x): return y
    while (z := x + 1) < 1: x = z
    return [w := z, w]
print(f(1), f(0))
# --- lambdas in headers
def f(k):
    if (lambda v: v > 1)(k): return "big"
    for g in (lambda: 1, lambda: 2):
        if g() == k: return g()
    return sorted([3, 1], key=lambda v: -v if k else v)
print(f(5), f(1), f(0))
# --- words without a blank behind them
def f(a,b):
    out=[]
    if(a)+1: out.append(1)
    while(a)+b:
        a-=1;break
    for(i)in(b)+1,2: out.append(i)
    assert(a)+9,(b)+1
    x=1 if(a)+1 else(b)+1;out.append(x)
    x=a and(b)+1 or(a)+1;out.append(x)
    out.append([(y)for(y)in(b,)*2 if(b)+1 if not(a)-a])
    d=[1,2,3]
    del(d)[0]
    with(M()+0)as(m),M()+1 as(n): out.append(m)
    try:
        try: raise(E)(1)from(E)(2)
        except(E)as e: raise(e)
    except(E,)as e: out.append(e.args+e.__cause__.args)
    match():
        case(): out.append("match")
    match[a,b][0]:
        case(5)if(a)<(b): pass
        case _: out.append("not")
    out.append((lambda:(a)+1)())
    out.append(f"{(a)+1!r}{(yield_:=(3))or(4)}")
    return(a)+b,out,a if(a)else(b),1if(a)else(2)
class E(Exception): pass
class M:
    def __add__(self,o): return self
    def __enter__(self): return 7
    def __exit__(self,*e): pass
print(f(1,2))
def g():
    x=yield(1)+1
    yield(x)+1,2
    yield from(1,)+(2,)
    return(3)+x
i=g();print(next(i),i.send(5),list(i))
async def h(a):
    return(await(a))+1
async def k(): return 3
try: h(k()).send(None)
except StopIteration as e: print(e.value)
# --- attributes and calls of methods over several lines: the line and columns of the name
import traceback
class A:
    def m(self, *a, **k): raise KeyError
    @property
    def p(self): raise KeyError
    def me(self, *a, **k): return self
def one(a): return (a
    .me()
    .p
    .x)
def two(a): return a.me(
    1).m(
    2,
    3)
def three(a):
    (a.
     missing)
def four(a):
    (a
     .me
     (*[1])
     .m(*[2]))
def five(a):
    x = (a
     . me(k=1)
     .  m(k=2), 1)
class B:
    def six(a): return (a
       .me()
       .__hidden)
def seven(a):
    (a
     .m(*[1], k=2))
def eight(a):
    (a
     .m(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29))
def nine(a):
    (a
     .m(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30))
for f in (one, two, three, four, five, B.six, seven, eight, nine):
    try: f(A())
    except Exception as e:
        for t in traceback.extract_tb(e.__traceback__)[1:]:
            print(f.__name__, t.name, t.lineno, t.end_lineno, t.colno, t.end_colno)
# --- no function of ours is left in the module, nor in a function
import gc
for i in range(2):
    if i: pass
    elif i == 0: pass
with open("/dev/null") as f: pass
try: 1 / 0
except ZeroDivisionError as e: pass
match i:
    case 1: pass
found = dict(globals()).items()
print([k for k, v in found if type(v) is type(lambda: 0) and v.__module__ == __name__])
def g(x):
    before = len(gc.get_objects())
    for i in range(3):
        if i: x == i
        elif x: pass
        else: x = [i]
    while x: break
    del x
    return len(gc.get_objects()) - before
print(g(0))
