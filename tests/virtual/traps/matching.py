# --- values, captures, guards, wildcard
def f(x):
    match x:
        case 0: return "zero"
        case -1 | 1: return "one"
        case "a" "b": return "str"
        case int(n) if n > 100: return "big", n
        case str() as s: return "text", s
        case None | True: return "single"
        case _: return "other"
print([f(v) for v in (0, -1, 1, "ab", 101, 5, "x", None, 2.5)])
# --- sequences, stars, mappings, classes
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def f(v):
    match v:
        case []: return "empty"
        case [a]: return a
        case [a, *rest, b] if rest: return a, rest, b
        case (a, b): return a, b
        case {"k": k, **more}: return k, more
        case P(x, y=0): return "axis", x
        case P(x=1 | 2 as x): return x
print([f(v) for v in ([], [1], [1, 2], [1, 2, 3], {"k": 1, "z": 2}, P(5, 0), P(2, 9), P(3, 3))])
# --- a failed case may leave captures
def f(v):
    match v:
        case [a, 0]: return "first"
        case [0, b]: return "second", b
    try: return a, b
    except UnboundLocalError as e: return str(e)
print(f([0, 3]), f([9, 0]))
# --- jumps in cases
def f():
    out = []
    for i in range(6):
        match i:
            case 1: continue
            case 4: break
            case n: out.append(n)
    else: out.append("else")
    return out
print(f())
# --- the guard binds and raises
def f(v):
    try:
        match v:
            case x if (y := 1 / x) > 0.5: return y
            case x: return "small", y
    except ZeroDivisionError: return "guard"
print(f(1), f(4), f(0))
# --- the subject: a tuple, a starred, a walrus
def f(a, b):
    match a, *b:
        case [x, y]: return x + y
    match (n := len(b)):
        case 0: return "none", n
    match a,:
        case (q,): return q
print(f(1, [2]), f(1, []), f(7, [1, 2]))
# --- the subject is evaluated once
def say(x): print(x); return x
match say(3):
    case 1: print("no")
    case 2 | 3: print("yes")
# --- match at module level binds globals
match (1, [2, 3]):
    case (first, [second, *_]): pass
print(first, second)
# --- match and case as names
match = {"case": 1}
case = match["case"]
print(match, case)
# --- nested match, dotted names
import enum
class E(enum.Enum):
    A = 1
    B = 2
def f(e, v):
    match e:
        case E.A:
            match v:
                case E.B: return "AB"
        case E.B: return "B"
    return "none"
print(f(E.A, E.B), f(E.A, 1), f(E.B, 0))
# --- nothing fits
def f(x):
    match x:
        case 1: pass
    return "after"
print(f(2))
# --- a case that yields
def g(xs):
    for x in xs:
        match x:
            case 0: yield "z"
            case n if n > 1: yield n
            case _: got = yield "o"
print(list(g([0, 1, 2])))
# --- comments and blank lines between cases
def f(x):
    match x:  # subject

        # first
        case 1:  # one
            return 1

        case _:
            # other
            return 2
print(f(1), f(3))
