"""Parameters that only a function inside assigns."""
from pychoral.ad import Ref


def after_ref(x: float) -> float:
    r = Ref(x)

    def g(u: float) -> float:
        nonlocal x
        x = x * u
        return x
    y = g(2.0)
    return y * x + r.get()
#= after_ref(0.75)


def in_list(x: float) -> float:
    def g(u: float) -> float:
        nonlocal x
        x = x * u
        return x
    fs = [g, lambda v: v * x]
    return fs[1](2.0) * fs[0](3.0) + fs[1](1.0)
#= in_list(0.75)


def of_another(x: float, y: float) -> float:
    y = x + y

    def g(u: float) -> float:
        nonlocal x
        x = x * u
        return x
    return g(y) * x
#= of_another(0.75, 1.25)
