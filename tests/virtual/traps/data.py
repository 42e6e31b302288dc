# --- displays
a, b = [1], {"k": 2}
print([], [1, *a, 2], (1,), (*a, 2), {1, *a}, {**b, "z": 3, **{"k": 4}}, (), {}, [[]], ([], {}))
# --- order in displays: key, then value
def say(x): print(x); return x
print({say("a"): say(1), say("b"): say(2)}, [say(3), say(4)])
# --- tuples without parentheses
def f():
    t = 1, 2
    for x in 3, 4: pass
    return t, x, (yield_,) if (yield_ := 0) else t
print(f())
x = 1,
print(x, x[0,] if False else x[0])
# --- f-strings: conversions, specs, nesting
v, w, s = 3.14159, 10, "té"
print(f"{v:.2f}|{v!r:>{w}}|{s!a}|{s!s:^6}|{{}}|{w:{'>'}{5}}|{'a' 'b'}|{v}")
print(f'{"a" if v else "b"} {[x for x in range(2)]} {(lambda: 1)()} { {"k": 1}["k"] }')
# --- f-strings: {x=}, multi-line, raw, concatenated
x = 5
print(f"{x=} {x + 1 = :>4} {x=!r} { x or 1 =}")
print(f"""{
    x
}-{x:>3}
""" "plain" rf"\d{x}" fr'{x}\n')
# --- f-strings: __format__ and errors
class F:
    def __format__(self, s): return "<" + s + ">"
print(f"{F()} {F():abc} {F()!s:.3}"[:9])
try: f"{1:zz}"
except ValueError as e: print(e)
# --- f-strings: nested quotes and calls
d = {"a": 1}
print(f"{d['a']}", f'{d["a"]}', f"{len('abc')} {'x'.join(['a', 'b'])}", f"{max(1, 2)!r}")
# --- literals
print(1, 1.5, 2j, "s", b"b", None, True, ..., 0xff, 1_0, "a" "b", r"\n", b"x" b"y", """t
t""")
# --- __all__, constant keys, negative numbers
__all__ = ["f"]
print({-1: -1}[-1], __all__, -0.0, - 1)
# --- slices of literals, methods of literals
print("abc"[1], [1, 2][0], (1, 2)[-1], {"a": 1}["a"], "x".join("ab"), b"a"[0])
# --- starred in index, in return, in yield
def g(): yield 0, *[1, 2]
def f(*a): return *a, 1
print(next(g()), f(0))
# --- display in a default and in a class
class C:
    xs = [1, 2]
    t = (1, "a")
    def m(self, d={"a": [1]}): return d
print(C.xs, C.t, C().m())
# --- set and dict of computed parts
print({x for x in (1,)} | {2}, {**{1: 2}, 3: {4}}, [*range(2), *"ab"])
# --- formats: quotes, backslashes, line ends, fields in formats, parentheses
x, w, d = "ab", 6, {"w": 7}
print(f"{x:>{w}}|{x!r:*>{d['w']}}|{(x)!s:^{(w)}}|{x,}")
print(f"{x:>{w}{'s'}}|{x:\x3e5}|{3:#x}|{3:{'#'}{'x'}}")
print(f'''{x:>{w}} {f"{x:>{w}}"} {f"{x!r}" + f"{w:3}"} {
    x
    !r:>9} { {1: x}[1] }''', f"{x!r:}{x:}", rf"{x:>4}\d", f"{x!a:{{'a': '>5'}['a']}}")
print(f"{lambda_(x) if (lambda_ := str.upper) else 0:>4}", f"{(y := 5)}{y:=+3}", f"{x!r}" f'{w:=5}')
class S(str):
    def __format__(self, spec): return "<" + spec + ">"
print(f"{S()}{S():x}{S()!s:3}|", "%s" % f"{S('a')!r}", [f"{v:{n}}" for v, n in ((1, 3), ("a", 2))])
def g():
    x = yield 1
    print(f"{(yield x)!r:>{(yield 3)}}")
def run(g):
    try:
        v = None
        while True: v = g.send(v); print(v)
    except StopIteration: pass
run(g())
try: f"{missing:>{undefined}}"
except NameError as e: print(e)
