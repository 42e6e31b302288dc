# --- read, store, delete, with every index
class I:
    def __getitem__(self, i): return i
    def __setitem__(self, i, v): print("set", i, v)
    def __delitem__(self, i): print("del", i)
i = I()
print(i[1], i[1:2], i[:], i[::2], i[1:2, 3], i[1, 2], i[()], i[..., None], i[:, 0])
print(i[*[1, 2]], i[a:=5], a)
i[1] = 2; i[1:3] = [4]; i[0, 1:] = 5; i[...] = 6
del i[1], i[2:], i[0, 0]
# --- order: the value, then the object, then the index
def say(x, v=None):
    print(x)
    return v
say("o", {})[say("k", 1)] = say("v", 2)
say("a", {})[say("i", 1)] = say("b", {})[say("j", 2)] = say("v2", 3)
# --- tuple targets and swaps
x = [1, 2, 3]
x[0], x[1] = x[1], x[0]
x[2], *rest = [9, 8, 7]
print(x, rest)
# --- for and with targets
d = {}
for d["i"] in range(3): pass
with open("/dev/null") as d["f"]: pass
print(d["i"], d["f"].closed)
# --- the index reads what an earlier target bound
a = [0, 0, 0]
k, a[k] = 1, 5
print(a, k)
# --- augmented
m = {"a": [1]}
m["a"] += [2]
m["n"] = 1
m["n"] <<= 3
print(m)
# --- errors
for bad in (lambda: [][0], lambda: {}["k"], lambda: 1[0], lambda: [1]["a"]):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
# --- slices keep their parts once and in order
def n(v):
    print("n", v)
    return v
print([0, 1, 2, 3, 4][n(1):n(4):n(2)])
# --- slice is a name of the user
slice = None
print("abc"[1:], "abc"[:-1])
# --- class getitem and annotations
x: list[int] = []
print(list[int], dict[str, list[int]].__args__[0].__name__)
# --- nested
t = [[1, [2, 3]], 4]
t[0][1][0] = "x"
print(t, t[0][1][t[1] - 4])
# --- a string index in an f-string
q = {"a": 1, 'b': [2]}
print(f"{q['a']} {q['b'][0]}" f'{q["a"]}')
# --- del in loops
def f(d):
    for k in list(d):
        if d[k]: del d[k]
    return d
print(f({"a": 1, "b": 0}))
