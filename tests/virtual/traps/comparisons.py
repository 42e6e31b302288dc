# --- every comparison
a, b, s = 1, 2, [1]
print(a == b, a != b, a < b, a <= b, a > b, a >= b, s is s, s is not s, a in s, b not in s)
# --- a comparison gives whatever the method gives
class V:
    def __lt__(self, o): return "lt"
    def __eq__(self, o): return NotImplemented
    def __contains__(self, o): return 7
    __hash__ = None
print(V() < 1, 1 > V(), V() == 1, 3 in V(), 3 not in V())
# --- chains: middle operands once, stops early
def say(x):
    print("say", x)
    return x
print(say(1) < say(2) < say(3))
print(say(3) < say(2) < say(9))
print(1 < 2 > 1 == 1 != 2 in [2] is not None)
# --- a chain asks for the truth of all but the last
class R:
    def __init__(self, n): self.n = n
    def __bool__(self):
        print("bool", self.n)
        return True
class C:
    def __init__(self, n): self.n = n
    def __lt__(self, o): return R(self.n)
print(type(C(1) < C(2) < C(3)).__name__)
# --- chains over lines, with comments
def f(x):
    return (0      # low
            < x    # mid
            <= 10  # high
            )
print(f(0), f(5), f(11))
# --- errors
for bad in (lambda: 1 < "a", lambda: 1 in 2, lambda: [] < {}):
    try: bad()
    except TypeError as e: print(e)
# --- comparison of comparison, and parentheses
print((1 < 2) == True, 1 < (2 == 2), (1, 2) == (1, 2), not 1 == 1)
# --- in a test with and
def f(x): return "yes" if 0 < x < 5 and x != 3 else "no"
print(f(1), f(3), f(7))
# --- is with None and negative numbers
def f(x=None): return x is None, x is not None, -1 < 0 > -2, x in (None,)
print(f(), f(1))
# --- NaN
nan = float("nan")
print(nan == nan, nan is nan, nan in [nan], nan != nan)
# --- not in and is not keep their two words
x = 3
print(x not  in [1], x is  not None, x not\
 in [3])
# --- a chain holds := and a lambda
print(0 < (y := 5) < 9, y, (lambda: 1 < 2 < 3)())
# --- generator expression in a chain
print(0 < sum(i for i in range(3)) < 4 == 4)
