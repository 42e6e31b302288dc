"""Each hook is overloaded by itself: what it gets, in which order, and what becomes of its result.

A row of OVERLOADS is a hook, the function f of a program, what stands in for the hook, what f is
called with and what must come of it.  The other constructs of the program stay plain.
"""

import asyncio
import math
import types
import unittest
from typing import Any

from pychoral.virtual import BREAK, UNBOUND, VirtualizationError, hook, py_defaults
from pychoral.virtual.hooks import FORMS, GROUPS, HOOKS

from programs import READY, namespace


def tagged(tag: str) -> Any:
    return lambda *given: (tag, *given)


def both_arms(test: Any, body: Any, orelse: Any, local_writes: Any) -> Any:
    """Runs both arms and keeps the sum of what they give each variable."""
    if not test():
        return orelse()
    before = [variable.val for variable in local_writes]
    body()
    after = [variable.val for variable in local_writes]
    for variable, value in zip(local_writes, before):
        variable.val = value
    orelse()
    for variable, value in zip(local_writes, after):
        variable.val += value
    return None


def every_way(test: Any, body: Any, orelse: Any, rest: Any, local_writes: Any) -> Any:
    """What each arm returns, the statements behind it included."""
    (then,), (other,) = body() or rest(), orelse() or rest()
    other = other if isinstance(other, tuple) else (other,)
    return ([test(), 5], "then", then, "else", *other),


def at_most_two(target: Any, iter: Any, body: Any, orelse: Any, local_writes: Any) -> Any:
    for item, _ in zip(iter, range(2)):
        body(item)
    target("last")
    return orelse()


def once(test: Any, body: Any, orelse: Any, local_writes: Any) -> Any:
    test()
    return body()


def named_with(manager: Any, target: Any, body: Any, local_writes: Any) -> Any:
    if target is not None:
        target((manager, [v.name for v in local_writes]))
    return body()


def no_errors(body: Any, handlers: Any, orelse: Any, final: Any, local_writes: Any) -> Any:
    ((types_, bind, handler),) = handlers
    bind((types_(), body(), orelse(), final() if final else None))
    signal = handler()
    bind(UNBOUND)
    return signal


def last_case(subject: Any, cases: Any, local_writes: Any) -> Any:
    pattern, guard, body = cases[-1]
    pattern(subject)
    assert guard is None
    return body()


def negated_gen(test: Any, body: Any, orelse: Any, local_writes: Any) -> Any:
    yield "hook"
    return (yield from (orelse if (yield from test()) else body)())


async def negated_async(test: Any, body: Any, orelse: Any, local_writes: Any) -> Any:
    return await (orelse if await test() else body)()


def reversed_comp(kind: Any, first_iter: Any, gen: Any) -> Any:
    return kind, list(gen(reversed(first_iter)))


class Labelled:
    """A box of a variable that remembers all its values."""

    def __init__(self, name: str) -> None:
        self.name, self.values = name, []  # type: tuple[str, list[Any]]


def assign(box: Labelled, value: Any) -> None:
    box.values.append(value)


BOXES = {
    "init": Labelled, "assign": assign, "read": lambda box: box.values[-1],
    "delete": lambda box: box.values.append("deleted"),
}  # fmt: skip

Row = tuple[str, Any, tuple[Any, ...], Any]

OVERLOADS: dict[str, Row] = {
    "if_stmt": ("""
        if c: x = x + 1
        else:
            x = x * 10
        return x""", both_arms, (True, 5), 56),
    "if_stmt_rest": ("""
        if c: return x
        elif x: return 2
        y = 3
        return y""", every_way, (True, 5), ([True, 5], "then", 5, "else", [5, 5], "then", 2,
                                            "else", 3)),
    "while_stmt": ("""
        while c:
            x += 1
            if x > 100: break
        return x""", once, (True, 5), 6),
    "for_stmt": ("""
        seen = []
        for i in c: seen.append(i)
        else: seen.append("else")
        return seen, i""", at_most_two, ([1, 2, 3], 0), ([1, 2, "else"], "last")),
    "if_expr": ("return c if x else 0", lambda t, a, b: (t, a(), b()), (1, 2), (2, 1, 0)),
    "and_": ("return c and x and 3", lambda a, r: (a, [t() for t in r]), (0, 2), (0, [2, 3])),
    "or_": ("return c or x or 3", lambda a, r: (a, [t() for t in r]), (1, 2), (1, [2, 3])),
    "not_": ("return not c", tagged("not"), (1, 2), ("not", 1)),
    "call": ("return c(x, *[2], k=3, **{'z': 4})", lambda f, *a, **k: (f, a, k), ("g", 1),
             ("g", (1, 2), {"k": 3, "z": 4})),
    "compare": ("return c < x <= 9", lambda a, r: (a, [t() for _, t in r], r[0][0](1, 2)), (1, 2),
                (1, [2, 9], True)),
    "neg": ("return -c", tagged("neg"), (1, 2), ("neg", 1)),
    "pos": ("return +c", tagged("pos"), (1, 2), ("pos", 1)),
    "invert": ("return ~c", tagged("inv"), (1, 2), ("inv", 1)),
    "getattr_": ("return c.a.b", tagged("get"), (1, 2), ("get", ("get", 1, "a"), "b")),
    "setattr_": ("c.a = x; return c", lambda o, n, v: o.append((n, v)), ([], 2), [("a", 2)]),
    "delattr_": ("del c.a; return c", lambda o, n: o.append(n), ([], 2), ["a"]),
    "getitem": ("return c[x:3]", tagged("get"), (1, 2), ("get", 1, slice(2, 3, None))),
    "setitem": ("c[x] = 5; return c", lambda o, i, v: o.append((i, v)), ([], 2), [(2, 5)]),
    "delitem": ("del c[x]; return c", lambda o, i: o.append(i), ([], 2), [2]),
    "with_stmt": ("""
        with c as (m, names): y = 1
        return m, names""", named_with, (1, 2), (1, ["m", "names", "y"])),
    "try_stmt": ("""
        try: a = 1
        except KeyError as e: return e
        else: b = 2
        finally: d = 3""", no_errors, (1, 2), (KeyError, None, None, None)),
    "raise_stmt": ("""
        try: raise c from x
        except ValueError as e: return e.args""", lambda e, c: ValueError(e, c), (1, 2), (1, 2)),
    "assert_stmt": ("assert c, x + 1\n        return 7",
                    lambda t, m: None if (t(), m()) == (0, 3) else 1 / 0, (0, 2), 7),
    "match_stmt": ("""
        match c:
            case 1 if x: return "one"
            case y: return "last", y""", last_case, (1, 2), ("last", 1)),
    "yield_": ("yield c; yield", tagged("y"), (1, 2), [("y", 1), ("y", None)]),
    "yield_from_": ("yield from c", lambda e: e[::-1], ([1, 2], 2), [2, 1]),
    "comp": ("return [v + x for v in c if v]", reversed_comp, ([0, 1, 2], 10), ("list", [12, 11])),
    "function_def": ("def g(): return 1\n        return g", tagged("def"), (1, 2), None),
    "class_def": ("class G: pass\n        return G", lambda c: c.__name__, (1, 2), "G"),
    "new_list": ("return [c, x]", tagged("list"), (1, 2), ("list", [1, 2])),
    "new_tuple": ("return c, x", lambda t: [*t, "t"], (1, 2), [1, 2, "t"]),
    "new_set": ("return {c, x}", tagged("set"), (1, 2), ("set", {1, 2})),
    "new_dict": ("return {c: x}", tagged("dict"), (1, 2), ("dict", {1: 2})),
    "format_": ("return f'{c!r:>{x}} {x}'", lambda v, c, s: f"<{v}{c}{s}>", ("a", 2),
                "<a114><2-1>> <2-1>"),
    "constant": ("return (c, 5, 'x')", lambda v: (v,), (1, 2), (1, (5,), ("x",))),
    "return_": ("return c", tagged("return"), (1, 2), ("return", 1)),
    "expr_stmt": ("c; x\n        return c", lambda v: SEEN.append(v), ([], 2), []),
    "truth": ("return [v for v in (c and 'a', x or 'b', 0 if c else 1) if v]",
              lambda v: v != 1, (1, 2), [2]),
    "if_stmt_gen": ("""
        if c: yield "yes"
        else: yield "no"
        """, negated_gen, (1, 2), ["hook", "no"]),
    "if_stmt_async": ("""
        if await c: return "yes"
        else: return "no" """, negated_async, (1, 2), "no"),
}  # fmt: skip
SEEN: list[Any] = []
BINARY = {"add": "+", "sub": "-", "mul": "*", "matmul": "@", "truediv": "/", "floordiv": "//",
          "mod": "%", "pow_": "**", "lshift": "<<", "rshift": ">>", "bitand": "&", "bitor": "|",
          "bitxor": "^"}  # fmt: skip
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "is_": "is",
               "is_not": "is not", "in_": "in", "not_in": "not in"}  # fmt: skip
for _name, _sign in (BINARY | COMPARISONS).items():
    OVERLOADS[_name] = (f"return c {_sign} x", tagged(_name), (1, 2), (_name, 1, 2))
for _name, _sign in BINARY.items():
    _name = "i" + _name.rstrip("_")
    OVERLOADS[_name] = (f"c {_sign}= x; return c", tagged(_name), (1, 2), (_name, 1, 2))


def overload_of(**hooks: Any) -> Any:
    return types.SimpleNamespace(**hooks)


def program(body: str, prefix: str = "") -> str:
    return f"{prefix}def f(c, x):\n        {body.strip()}\n"


class OneHook(unittest.TestCase):
    def overload(self, name: str) -> Any:
        return overload_of(**{name.rpartition("_gen")[0] or name.rpartition("_async")[0] or name:
                              OVERLOADS[name][1], name: OVERLOADS[name][1]})  # fmt: skip

    def test_each(self) -> None:
        for name, (body, _, given, wanted) in OVERLOADS.items():
            if name.partition("_gen")[0].partition("_async")[0] not in READY:
                continue
            with self.subTest(name=name):
                SEEN.clear()
                prefix = "async " if name.endswith("_async") else ""
                f = namespace(program(body, prefix), self.overload(name))["f"]
                if name == "function_def":
                    self.assertEqual(f[0], "def")
                    self.assertEqual(f[1](1, 2)[0], "def")
                    continue
                if prefix:
                    async def value() -> Any:
                        return given[0]
                    self.assertEqual(asyncio.run(f(value(), 2)), wanted)
                    continue
                found = f(*given)
                if isinstance(found, types.GeneratorType):
                    found = list(found)
                self.assertEqual(found, wanted)
                if name == "expr_stmt":
                    self.assertEqual(SEEN, [[], 2])

    def test_all_hooks_are_here(self) -> None:
        others = {*GROUPS["var"], "await_", "aiter_", "acontext_", *FORMS}  # tested below
        self.assertEqual(set(HOOKS) - others, set(OVERLOADS) - set(FORMS))

    @unittest.skipUnless("await_" in READY, "not emitted yet")
    def test_await_and_async_operands(self) -> None:
        class Items:
            def __init__(self, items: Any) -> None:
                self.items = iter(items)

            def __aiter__(self) -> Any:
                return self

            async def __anext__(self) -> Any:
                for item in self.items:
                    return item
                raise StopAsyncIteration

            async def __aenter__(self) -> Any:
                return "entered"

            async def __aexit__(self, *error: Any) -> None:
                pass

        async def later(value: Any) -> Any:
            return value

        source = (
            "async def f():\n    out = [await 5]\n    async for x in [1, 2]: out.append(x)\n"
            "    async with 3 as y: out.append(y)\n    return out\n"
        )
        overload = overload_of(await_=later, aiter_=Items, acontext_=lambda v: Items([]))
        self.assertEqual(asyncio.run(namespace(source, overload)["f"]()), [5, 1, 2, "entered"])

    def test_forms_of_every_statement(self) -> None:
        """Each NAME_gen and NAME_async is used where a part yields or awaits."""
        parts = {
            "if_stmt": "if {0}: pass", "while_stmt": "while {0}: break",
            "for_stmt": "for i in (1,): {0}", "with_stmt": "with m: {0}",
            "try_stmt": "try: {0}\n    finally: pass",
            "match_stmt": "match 1:\n        case 1: {0}",
        }  # fmt: skip
        for name, text in parts.items():
            if name not in READY:
                continue
            for form, word, prefix in (("_gen", "(yield 1)", ""), ("_async", "await m", "async ")):
                with self.subTest(name=name + form):
                    seen: list[str] = []

                    @types.coroutine
                    def noted(*given: Any) -> Any:
                        seen.append(name + form)
                        if False:
                            yield

                    overload = overload_of(**{name: lambda *a: None, name + form: noted})
                    f = namespace(f"{prefix}def f(m):\n    {text.format(word)}\n", overload)["f"]
                    if prefix:
                        asyncio.run(f(1))
                    else:
                        list(f(1))
                    self.assertEqual(seen, [name + form])

    def test_a_missing_form_leaves_the_statement_plain(self) -> None:
        f = namespace("def f():\n    if 1: yield 2\n", overload_of(if_stmt=lambda *a: 1 / 0))["f"]
        self.assertEqual(list(f()), [2])


@unittest.skipUnless("init" in READY, "not emitted yet")
class Variables(unittest.TestCase):
    def test_boxes_see_every_value(self) -> None:
        source = (
            "def f(p):\n    x = 1\n    x += p\n    x, y = y0, x = 5, x\n    del y\n"
            "    def g(): return x\n    return g(), p\n"
        )
        seen: dict[str, list[Any]] = {}

        def init(name: str) -> Labelled:
            box = Labelled(name)
            seen[name] = box.values
            return box

        f = namespace(source, overload_of(**BOXES | {"init": init}))["f"]
        self.assertEqual(f(2), (3, 2))
        self.assertEqual(seen["x"], [1, 3, 5, 3])
        self.assertEqual(seen["p"], [2])
        self.assertEqual(seen["y"], [3, "deleted"])

    def test_boxes_see_what_binds_names_by_itself(self) -> None:
        source = (
            "def f(v):\n    import os.path, json as j\n    from math import pi as p, e\n"
            "    def g(): return g, C\n    class C: pass\n"
            "    match v:\n        case [a, *b] if (n := len(b)): [m := k for k in b]\n"
            "    try: 1 / 0\n    except ZeroDivisionError as z: pass\n"
            "    w: int = 4\n    return g()\n"
        )
        seen: dict[str, list[Any]] = {}

        def init(name: str) -> Labelled:
            box = Labelled(name)
            seen[name] = box.values
            return box

        hooks = {"try_stmt": py_defaults.try_stmt, "match_stmt": py_defaults.match_stmt}
        f = namespace(source, overload_of(**BOXES | {"init": init} | hooks))["f"]
        self.assertEqual([one.__name__ for one in f([1, 2, 3])], ["g", "C"])
        self.assertEqual([seen[name][0].__name__ for name in "os j g C".split()],
                         ["os", "json", "g", "C"])
        self.assertEqual([seen[name] for name in "p a b n m w".split()],
                         [[math.pi], [1], [[2, 3]], [2], [2, 3], [4]])
        self.assertEqual([str(one) for one in seen["z"]],
                         ["division by zero", "None", "deleted"])

    def test_local_writes_are_boxes(self) -> None:
        def if_stmt(test: Any, body: Any, orelse: Any, local_writes: Any) -> Any:
            body()
            orelse()
            self.assertEqual([(b.name, b.values) for b in local_writes], [("x", [1, 2])])

        source = "def f(c):\n    if c: x = 1\n    else: x = 2\n    return x\n"
        f = namespace(source, overload_of(**BOXES, if_stmt=if_stmt))["f"]
        self.assertEqual(f(0), 2)


class Programs(unittest.TestCase):
    def test_without_hooks_of_the_program_nothing_changes(self) -> None:
        f = namespace("def f(a):\n    if a: return 1\n", overload_of(mul=None, add=lambda a, b: 0))
        self.assertEqual([name for name in f if name.startswith("_pc")], [])

    def test_two_overloads_in_one_program(self) -> None:
        """Each function of one program has its own semantics (criterion 3 of the methodology)."""
        from pychoral.virtual import virtualize
        import two_overloads

        self.assertEqual(two_overloads.one(2, 3), ("one", 2, 3))
        self.assertEqual(two_overloads.two(2, 3), ("two", 2, 3))
        self.assertEqual(two_overloads.neither(2, 3), 5)
        self.assertIs(two_overloads.virtualize, virtualize)

    def test_a_wrong_signal(self) -> None:
        f = namespace("def f(a):\n    b = a\n    if b: return 1\n",
                      overload_of(if_stmt=lambda *a: 5))["f"]  # fmt: skip
        with self.assertRaisesRegex(VirtualizationError, "module.py:3: hook `if_stmt` returned 5"):
            f(1)

    def test_a_signal_of_the_overload(self) -> None:
        f = namespace("def f():\n    for i in range(5):\n        if i: break\n    return i\n",
                      overload_of(if_stmt=lambda *a: BREAK))["f"]  # fmt: skip
        self.assertEqual(f(), 0)

    def test_a_seed_style_hook_that_gives_nothing(self) -> None:
        def if_stmt(cond: Any, body: Any, orelse: Any, _: Any) -> None:
            if cond():
                body()
            else:
                orelse()

        source = "def f(x, c):\n    if c: x = x + 1\n    else: x = x + 2\n    return x\n"
        f = namespace(source, overload_of(if_stmt=if_stmt))["f"]
        self.assertEqual((f(1, True), f(1, False)), (2, 3))

    def test_hooks_of_a_class_and_of_defaults(self) -> None:
        class Overload:
            add = staticmethod(lambda a, b: a * b)
            sub = py_defaults.sub

        f = namespace("def f(a, b): return a + b - 1\n", Overload)["f"]
        self.assertEqual(f(3, 4), 11)
        self.assertIs(hook(Overload, "sub"), py_defaults.sub)


if __name__ == "__main__":
    unittest.main()
