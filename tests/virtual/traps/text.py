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
