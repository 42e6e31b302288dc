"""The hooks by themselves: the table, both forms of the defaults, binding, and what uses them."""

import subprocess
import sys
import unittest
from typing import Any

from pychoral.virtual import (
    BREAK,
    CONTINUE,
    UNBOUND,
    IsolationError,
    RewritingCallOverload,
    Var,
    VirtualizationError,
    execute_isolated,
    hook,
    isolated,
    py_defaults,
    staging,
)
from pychoral.virtual import py_plain
from pychoral.virtual.hooks import FORMS, GROUPS, HOOKS, chosen

from programs import ROWS

HELPERS = (
    "attr_ref item_ref box_ref comp_of if_expr_of truth_and truth_or nothing nothing_gen "
    "nothing_async leave slice no_format aug_attr aug_item BREAK CONTINUE UNBOUND"
).split()


class Table(unittest.TestCase):
    """compiler/virtualize/hook.def and the library name the same hooks."""

    def test_groups(self) -> None:
        groups: dict[str, list[str]] = {}
        for _, name, group, *_ in ROWS:
            groups.setdefault(group.lower(), []).append(name)
        self.assertEqual({k: tuple(v) for k, v in groups.items()}, GROUPS)

    def test_forms(self) -> None:
        with_forms = [name for _, name, *_, forms, _ in ROWS if forms == "FORMS"]
        forms = [name + form for name in with_forms for form in ("_gen", "_async")]
        self.assertEqual(forms, list(FORMS))

    def test_every_hook_and_helper_has_a_default(self) -> None:
        for name in [*HOOKS, *HELPERS]:
            self.assertTrue(hasattr(py_defaults, name), name)

    def test_the_native_hooks_are_built(self) -> None:
        self.assertTrue(py_defaults.NATIVE)
        native, plain = vars(py_defaults), vars(py_plain)
        self.assertEqual({name for name in HOOKS if native[name] is plain[name]}, set(FORMS))


class Chosen(unittest.TestCase):
    def test_what_an_overload_defines(self) -> None:
        class Overload:
            if_stmt = if_stmt_gen = call = staticmethod(lambda *a: None)

        self.assertEqual(chosen(Overload, None), ["if_stmt", "call", "if_stmt_gen"])
        self.assertEqual(chosen(Overload, "control"), ["if_stmt", "if_stmt_gen"])
        self.assertEqual(chosen(Overload, "call,add"), ["call"])

    def test_unknown(self) -> None:
        with self.assertRaisesRegex(VirtualizationError, "`iff` is neither"):
            chosen(py_defaults, "iff")


class Bound(unittest.TestCase):
    """`hook`: local_writes as variables, and signals that are checked."""

    def test_variables_of_a_function(self) -> None:
        seen: list[Any] = []

        class Overload:
            @staticmethod
            def if_stmt(test: Any, body: Any, orelse: Any, local_writes: Any) -> Any:
                (x,) = local_writes
                seen.append((x.name, x.val))
                body()
                seen.append(x.val)
                x.val = 7

        if_stmt = hook(Overload, "if_stmt")

        def user() -> Any:
            x: Any = 0
            del x

            def _pc_b1() -> None:
                nonlocal x
                x = 1

            self.assertIsNone(if_stmt(lambda: True, _pc_b1, py_defaults.nothing, ("x",)))
            return x

        self.assertEqual(user(), 7)
        self.assertEqual(seen, [("x", UNBOUND), 1])

    def test_variables_behind_other_thunks_and_of_a_module(self) -> None:
        found: list[Var] = []

        class Overload:
            @staticmethod
            def if_stmt(test: Any, body: Any, orelse: Any, local_writes: Any) -> Any:
                found.extend(local_writes)

        if_stmt = hook(Overload, "if_stmt")

        def user() -> Any:
            x = 1

            def _pc_b2() -> None:
                nonlocal x
                x = 2

            def _pc_o1() -> Any:
                return _pc_b2()

            if_stmt(lambda: True, py_defaults.nothing, _pc_o1, ("x", "of_module"))
            found[0].val = 9
            return x

        self.assertEqual(user(), 9)
        found[1].val = 3
        self.assertEqual(globals()["of_module"], 3)
        found[1].val = UNBOUND
        self.assertNotIn("of_module", globals())
        self.assertIs(found[1].val, UNBOUND)

    def test_a_wrong_signal_names_the_place(self) -> None:
        class Overload:
            while_stmt = staticmethod(lambda *a: 5)

        line = sys._getframe().f_lineno + 3
        words = f"test_hooks.py:{line}: .*`while_stmt`.* 5"
        with self.assertRaisesRegex(VirtualizationError, words):
            hook(Overload, "while_stmt")(None, None, None, ())

    def test_derived_hooks(self) -> None:
        class Overload:
            setitem = staticmethod(lambda o, i, v: o.append((i, v)))
            truth = staticmethod(lambda v: v != "no")

        kept: list[Any] = []
        hook(Overload, "item_ref")(kept, 1).val = 2
        self.assertEqual(kept, [(1, 2)])
        self.assertEqual(hook(Overload, "truth_and")("no", (lambda: 1,)), "no")
        self.assertEqual(hook(Overload, "truth_or")("no", (lambda: 1,)), 1)
        self.assertIs(hook(Overload, "attr_ref"), py_defaults.attr_ref)

    def test_no_such_hook(self) -> None:
        with self.assertRaisesRegex(VirtualizationError, "no hook `call`"):
            hook(object(), "call")


class Isolation(unittest.TestCase):
    def variable(self, **names: Any) -> Any:
        return [self.Box(name, value) for name, value in names.items()]

    class Box:
        def __init__(self, name: str, val: Any) -> None:
            self.name, self.val = name, val

    def test_variables_are_restored(self) -> None:
        (x,) = self.variable(x=1)

        def body() -> str:
            x.val = 2
            return "result"

        self.assertEqual(execute_isolated(body, [x]), ([2], "result"))
        self.assertEqual(x.val, 1)

    def test_also_after_an_error(self) -> None:
        (x,) = self.variable(x=1)

        def body() -> None:
            x.val = 2
            raise KeyError

        self.assertRaises(KeyError, execute_isolated, body, [x])
        self.assertEqual(x.val, 1)

    def test_objects_are_restored(self) -> None:
        class Record:
            __slots__ = ("s",)

        class Loose:
            pass

        items, table, one, record, loose = [1, 2], {"a": 1}, {1}, Record(), Loose()

        def body() -> None:
            isolated.call(items.append, 3)
            isolated.call(list.sort, items, reverse=True)
            isolated.setitem(table, "b", 2)
            isolated.delitem(table, "a")
            isolated.call(one.clear)
            isolated.setattr_(record, "s", 1)
            isolated.setattr_(loose, "x", 1)
            isolated.iadd(items, [4])
            isolated.ibitor(one, {5})
            self.assertEqual((items, table, one), ([3, 2, 1, 4], {"b": 2}, {5}))

        isolated(body, [])
        self.assertEqual((items, table, one), ([1, 2], {"a": 1}, {1}))
        self.assertFalse(hasattr(record, "s") or hasattr(loose, "x"))
        isolated.call(items.append, 3)
        self.assertEqual(items, [1, 2, 3])

    def test_what_cannot_be_undone_is_not_done(self) -> None:
        from collections import deque

        class Checked:
            @property
            def x(self) -> int:
                return 1

            @x.setter
            def x(self, value: int) -> None:
                raise AssertionError

        queue, numbers = deque([1]), iter([1])
        for change in (
            lambda: isolated.call(queue.append, 2),
            lambda: isolated.call(next, numbers),
            lambda: isolated.setitem(queue, 0, 5),
            lambda: isolated.setattr_(Checked(), "x", 2),
        ):
            with self.assertRaisesRegex(IsolationError, r"test_hooks.py:\d+: .* cannot be undone"):
                isolated(change, [])
        self.assertEqual((list(queue), next(numbers)), ([1], 1))

    def test_what_changes_nothing_is_called(self) -> None:
        self.assertEqual(isolated(lambda: isolated.call("a".upper), []), ([], "A"))
        self.assertEqual(isolated(lambda: isolated.call([3].index, 3), []), ([], 0))
        self.assertEqual(isolated(lambda: isolated.call(len, [3]), []), ([], 1))


class Rewriting(unittest.TestCase):
    def setUp(self) -> None:
        self.call = RewritingCallOverload(py_defaults.call)

    def test_functions_and_the_default(self) -> None:
        @self.call.replaces(abs)
        def mine(x: int) -> str:
            return f"mine {x}"

        self.assertEqual(self.call(abs, 1), "mine 1")
        self.assertEqual(self.call(max, 1, 2), 2)

    def test_methods_of_python_classes(self) -> None:
        class A:
            def m(self, x: int) -> Any:
                return "old"

        class B(A):
            pass

        class C(A):
            def m(self, x: int) -> Any:
                return "own"

        self.call.replaces(A.m)(lambda self, x: (type(self).__name__, x))
        self.assertEqual(self.call(B().m, 1), ("B", 1))
        self.assertEqual(self.call(A.m, A(), 2), ("A", 2))
        self.assertEqual(self.call(C().m, 1), "own")

    def test_methods_of_c_types_and_of_subclasses(self) -> None:
        class L(list):  # type: ignore[type-arg]
            pass

        self.call.replaces(list.append)(lambda self, x: ("append", list(self), x))
        self.assertEqual(self.call([1].append, 2), ("append", [1], 2))
        self.assertEqual(self.call(L([1]).append, 2), ("append", [1], 2))
        self.assertEqual(self.call([1].index, 1), 0)
        self.call.replaces(dict.fromkeys)(lambda cls, keys: (cls, keys))
        self.assertEqual(self.call(dict.fromkeys, "ab"), (dict, "ab"))

    def test_objects_that_are_called(self) -> None:
        class Layer:
            def __call__(self, x: int) -> Any:
                return "own"

        self.call.replaces(Layer.__call__)(lambda self, x: (type(self).__name__, x))
        self.assertEqual(self.call(Layer(), 1), ("Layer", 1))
        self.assertIsInstance(self.call(Layer), Layer)

    def test_two_overloads_do_not_share(self) -> None:
        self.call.replaces(len)(lambda x: -1)
        self.assertEqual(RewritingCallOverload()(len, [1]), 1)


@staging.register
class Symbol:
    """A staged value: an expression that is written down."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def merge(test: Any, a: Any, b: Any) -> Symbol:
    return Symbol(f"If({test}, {a}, {b})")


class Staging(unittest.TestCase):
    def run_if(self, test: Any, body: Any, orelse: Any, **variables: Any) -> tuple[Any, Any]:
        boxes = []
        for name, value in variables.items():
            box = py_defaults.Box(name)
            box.val = value
            boxes.append(box)
        signal = staging.stage_if(
            lambda: test, lambda: body(*boxes), lambda: orelse(*boxes), boxes, merge
        )
        return signal, [repr(box.val) for box in boxes]

    def test_a_staged_test_merges(self) -> None:
        def put(value: Any) -> Any:
            def arm(x: Any) -> None:
                x.val = value
            return arm

        c = Symbol("c")
        self.assertEqual(self.run_if(c, put(2), put(3), x=1), (None, ["If(c, 2, 3)"]))
        self.assertEqual(self.run_if(True, put(2), put(3), x=1), (None, ["2"]))
        self.assertEqual(self.run_if(c, put(2), lambda x: None, x=1), (None, ["If(c, 2, 1)"]))

    def test_results(self) -> None:
        signal, _ = self.run_if(Symbol("c"), lambda: (1,), lambda: (2,))
        self.assertEqual(repr(signal), "(If(c, 1, 2),)")
        self.assertEqual(self.run_if(Symbol("c"), lambda: BREAK, lambda: BREAK)[0], BREAK)
        for arms in ((lambda: (1,), lambda: None), (lambda: BREAK, lambda: CONTINUE)):
            with self.assertRaisesRegex(VirtualizationError, "must all end in the same way"):
                self.run_if(Symbol("c"), *arms)

    def test_a_variable_of_one_arm_only(self) -> None:
        def bind(x: Any) -> None:
            x.val = 1

        self.assertEqual(
            self.run_if(Symbol("c"), bind, lambda x: None, x=UNBOUND), (None, ["UNBOUND"])
        )

    def test_the_rest_after_an_early_return(self) -> None:
        signal = staging.stage_if_rest(
            lambda: Symbol("c"), lambda: (1,), py_defaults.nothing, lambda: (2,), [], merge
        )
        self.assertEqual(repr(signal), "(If(c, 1, 2),)")


class PlainDefaults(unittest.TestCase):
    """py_plain and `_fast` give and raise the same."""

    class Liar:
        def __bool__(self) -> bool:
            raise KeyError("bool")

    def test_the_same_on_values(self) -> None:
        values = [0, 3, -2, 1.5, "a", [1], (), None, {1: 2}, self.Liar(), "abc"]
        for name in HOOKS:
            with_thunks = name in ("and_", "or_", "if_expr", "compare", "comp")
            changes = name in ("delitem", "setitem", *GROUPS["var"])
            if name in FORMS or name.endswith("_stmt") or with_thunks or changes:
                continue
            for a in values:
                for given in ((a,), *((a, b) for b in values)):
                    if name.startswith("i") and isinstance(a, (list, dict)):
                        continue
                    with self.subTest(name=name, given=repr(given)):
                        self.agree(name, given)

    def test_wrong_arguments_of_native_hooks(self) -> None:
        for name in HOOKS:
            if name in FORMS or name == "call":
                continue
            for given in (
                (), (1,), (1, 2), (1, (2,)), (1, ((2, 3),), 3), (list, ((),), len, len, ()),
                (lambda: 1 / 0, (1, (2, 3)), list, None, ()),
            ):  # fmt: skip
                with self.subTest(name=name, given=given):
                    try:
                        getattr(py_defaults, name)(*given)
                    except Exception as error:
                        self.assertNotIsInstance(error, SystemError)

    def agree(self, name: str, given: tuple[Any, ...]) -> None:
        answers = []
        for module in (py_plain, py_defaults):
            try:
                answers.append(("gives", repr(getattr(module, name)(*given))))
            except Exception as error:
                arity = "argument" in str(error) or "callable" in str(error)
                answers.append(("raises", type(error).__name__, "" if arity else str(error)))
        self.assertEqual(*answers)

    def test_without_the_native_module(self) -> None:
        program = (
            "import sys; sys.modules['pychoral.virtual._fast'] = None\n"
            "from pychoral.virtual import py_defaults, py_plain\n"
            "print(py_defaults.NATIVE, py_defaults.call is py_plain.call)\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(done.stdout, "False True\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
