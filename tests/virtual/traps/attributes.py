# --- read, store, delete
class C: pass
c = C()
c.x = 1
c.y = c.x
del c.x
print(c.y, hasattr(c, "x"), C.__name__)
# --- private names are mangled as the class does
class Outer:
    __secret = 1
    def __init__(self): self.__own = 2
    def get(self): return self.__own + Outer.__secret, self.__class__.__name__
    def forget(self):
        del self.__own
        return hasattr(self, "_Outer__own")
    class _Inner:
        def get(self, o): return o.__dict__
        __z = 5
        def z(self): return self.__z
o = Outer()
print(o.get(), sorted(vars(o)), o.forget(), Outer._Inner().z())
# --- a class whose name is only underscores
class __:
    def __init__(self): self.__a = 1
print(vars(__()))
# --- private names in nested functions and loops
class K:
    def run(self):
        def inner():
            for i in range(2): self.__n = i
            return self.__n
        return inner()
print(K().run())
# --- chains of stores, left to right, the value first
class T:
    def __setattr__(self, n, v): print("set", n, v)
    def __delattr__(self, n): print("del", n)
def t(n): print("target", n); return T()
t(1).a = t(2).b = print("value")
t(3).a, t(4).b = 1, 2
del t(5).a, t(6).b
# --- stores in tuples, stars, for, with
class Ns: pass
n = Ns()
(n.a, [n.b, *n.c]), n.d = (1, (2, 3, 4)), 5
for n.e in range(2): pass
with open("/dev/null") as n.f: pass
print(n.a, n.b, n.c, n.d, n.e, n.f.closed)
# --- properties, slots, __getattr__
class P:
    __slots__ = ("_v",)
    @property
    def v(self): return self._v
    @v.setter
    def v(self, x): self._v = x * 2
    @v.deleter
    def v(self): print("gone")
    def __getattr__(self, name): return "?" + name
p = P()
p.v = 2
print(p.v, p.other)
del p.v
try: p.new = 1
except AttributeError as e: print(e)
# --- errors
class C: pass
for bad in (lambda: None.x, lambda: (1).foo, lambda: C.nope):
    try: bad()
    except AttributeError as e: print(e)
# --- attributes of numbers and strings
print(1 .real, 1.5.is_integer(), "a".upper(), (1).bit_length(), [].__len__())
# --- annotated attribute
class A:
    x: int = 1
    def __init__(self): self.y: int = 2
print(A().y, A.__annotations__)
# --- augmented attribute through a property
class G:
    n = 0
    @property
    def p(self): print("get"); return self.n
    @p.setter
    def p(self, v): print("set", v); self.n = v
g = G()
g.p += 3
print(g.n)
# --- over lines, with comments
s = ("a,b"
     .split(",")  # parts
     .copy())
print(s)
# --- module attributes
import os.path
print(os.path.join("a", "b"), os.path.sep == os.sep)
# --- the object is unset
def f():
    try: return thing.x
    except UnboundLocalError as e: return str(e)
    thing = 1
print(f())
# --- walrus and lambda in the object
print((z := "q").upper(), z, (lambda: z).__name__)
