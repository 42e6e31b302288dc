# --- returns of every form
def f(n):
    if n == 0: return
    if n == 1: return None
    if n == 2: return 1, 2
    if n == 3: return (1)
    if n == 4: return [x for x in range(2)]
    if n == 5: return lambda: 5
    if n == 6: return n if n else 0
print(f(0), f(1), f(2), f(3), f(4), f(5)(), f(6), f(7))
# --- expression statements
def f():
    1
    "str"
    [print("list")]
    print("call"), print("tuple")
    (lambda: 0)
    ...
    x = 1
    x
    x == 2
f()
"module docstring like"
print("after");
# --- semicolons
a = 1; b = 2; print(a, b);
if a: print("x"); print("y")
# --- return inside nested functions and classes
def f():
    class C:
        def m(self):
            return 1
    def g():
        return C().m()
    return g()
print(f())
# --- return over several lines
def f(a):
    return (a
            + 1,  # comment
            2)
def g(): return (  # why
    3
)
print(f(1), g())
# --- return of a conditional, of a comparison chain, of not
def f(a): return a if a else not a
def g(a): return 1 < a < 3
print(f(0), f(2), g(2), g(3))
# --- chains of assignment
a = b = c = [1]
(d, e), f = g = (1, 2), 3
print(a is b is c, d, e, f, g)
# --- swap and parallel assignment
x, y = 1, 2
x, y = y, x
[p, q], *r = [1, 2], 3, 4
print(x, y, p, q, r)
