"""`convert`, `virtualize`, the import hook, the launcher, the cache; and what a program shows."""

import doctest
import functools
import inspect
import linecache
import os
import subprocess
import sys
import tempfile
import textwrap
import traceback
import types
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from pychoral.virtual import VirtualizationError, convert, install, py_defaults, virtualize
from pychoral.virtual.converting import request
from pychoral.virtual.loader import load_module

ADDED = SimpleNamespace(add=lambda a, b: ("add", a, b))
ROOT = Path(__file__).parents[2]


def simple(a: Any, b: Any = 2, *, c: Any = 3) -> Any:
    """The doc."""
    return a + b + c


def closure() -> Any:
    n = 0

    def step(by: Any) -> Any:
        nonlocal n
        if by:
            n = n - by
        return n + 0

    return step, lambda: n


def generator(n: int) -> Any:
    for i in range(n):
        if i:
            yield i + 0


class Base:
    __slots__ = ()

    def who(self) -> Any:
        return "base"


class Derived(Base):
    """A class."""

    __slots__ = ("x", "__own")
    constant = 1

    def __init__(self, x: Any) -> None:
        self.x = x
        self.__own = x

    def who(self) -> Any:
        if self:
            return super().who() + "derived"

    def own(self) -> Any:
        return self.__own + 1

    @staticmethod
    def of_none(a: Any) -> Any:
        return a + 1

    @classmethod
    def of_class(cls, a: Any) -> Any:
        return cls.constant + a

    @property
    def twice(self) -> Any:
        return self.x + self.x


@virtualize(SimpleNamespace(add=lambda a, b: a + b + 100))
def calls_itself(n: int) -> int:
    return 1 + calls_itself(n - 1) if n else 0


class NamesItself:
    def again(self, n: int) -> Any:
        return (NamesItself.again(self, n - 1), n + 0) if n else ()


class Functions(unittest.TestCase):
    def test_semantics_and_metadata(self) -> None:
        simple.tag = 1  # type: ignore[attr-defined]
        made = convert(simple, ADDED)
        self.assertEqual(made(1), ("add", ("add", 1, 2), 3))
        self.assertEqual(simple(1), 6)
        names = "name qualname doc module defaults dict kwdefaults annotations globals"
        for name in (f"__{word}__" for word in names.split()):
            self.assertEqual(getattr(made, name), getattr(simple, name), name)
        self.assertEqual(inspect.signature(made), inspect.signature(simple))
        self.assertEqual(made.__code__.co_firstlineno, simple.__code__.co_firstlineno)
        self.assertEqual(made.__code__.co_filename, __file__)

    def test_closures_are_shared(self) -> None:
        step, value = closure()
        made = convert(step, ADDED)
        self.assertEqual(made(5), ("add", -5, 0))
        self.assertEqual(value(), -5)

    def test_lambdas(self) -> None:
        self.assertEqual(convert(lambda a: a + 1, ADDED)(5), ("add", 5, 1))
        two = (lambda a: a + 1), (lambda a: a + 2)
        if sys.version_info >= (3, 11):
            self.assertEqual([convert(f, ADDED)(0) for f in two], [("add", 0, 1), ("add", 0, 2)])
            outer = lambda: lambda a: a + 3
            self.assertEqual(convert(outer(), ADDED)(0), ("add", 0, 3))
            self.assertEqual(convert(outer, ADDED)()(0), ("add", 0, 3))

    def test_lambdas_that_cannot_be_told_apart(self) -> None:
        two = (lambda a: a + 1), (lambda a: a + 2)
        code = two[1].__code__.replace(co_linetable=b"")
        two[1].__code__ = code
        with self.assertRaisesRegex(VirtualizationError, "more than one function `<lambda>`"):
            convert(two[1], ADDED)

    def test_generators_and_methods(self) -> None:
        self.assertEqual(list(convert(generator, ADDED)(3)), [("add", 1, 0), ("add", 2, 0)])
        self.assertEqual(convert(Derived(5).own, ADDED)(), ("add", 5, 1))

    def test_the_decorator(self) -> None:
        def noted(f: Any) -> Any:
            calls.append(f.__name__)
            return f

        calls: list[str] = []

        @noted
        @virtualize(ADDED)
        @noted
        def f(a: Any) -> Any:
            def g() -> Any:
                return a + 1
            return g().__add__((1,)) if a else g()

        self.assertEqual((f(0), f(1)), (("add", 0, 1), ("add", 1, 1, 1)))
        self.assertEqual(calls, ["f", "f"])

    def test_functions_and_classes_that_name_themselves(self) -> None:
        self.assertEqual(calls_itself(3), 303)
        made = convert(NamesItself.again, ADDED)
        self.assertEqual(made(None, 1), ((), ("add", 1, 0)))
        again = convert(NamesItself, ADDED).again
        self.assertEqual(again(None, 2), (((), 1), ("add", 2, 0)))  # type: ignore[arg-type]

        def nested(n: int) -> Any:
            return n and nested(n - 1) + n

        self.assertEqual(convert(nested, ADDED)(2), ("add", 1, 2))

    def test_recursive(self) -> None:
        made = convert(calls_helper, ADDED, recursive=True)
        self.assertEqual(made(1), ("add", ("add", 1, 10), 1))
        self.assertEqual(convert(calls_helper, ADDED)(1), ("add", 11, 1))

    def test_what_cannot_be_converted(self) -> None:
        made: dict[str, Any] = {}
        exec("def f(): return 1 + 1", made)
        for given, words in (
            (len, "built-in function len"), (made["f"], "no source of <string>"), (3, "3 is not a"),
            (functools.partial(simple), "partial"),
        ):  # fmt: skip
            with self.assertRaisesRegex(VirtualizationError, words):
                convert(given, ADDED)

    def test_an_overload_without_hooks(self) -> None:
        with self.assertRaisesRegex(VirtualizationError, "defines no hook"):
            convert(simple, SimpleNamespace())

    def test_source_through_linecache(self) -> None:
        name = "<shell cell 1>"
        text = "def f(a):\n    return a + 1\n"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        made: dict[str, Any] = {}
        exec(compile(text, name, "exec"), made)
        self.assertEqual(convert(made["f"], ADDED)(1), ("add", 1, 1))

    def test_doctest_examples(self) -> None:
        """
        >>> def f(a): return a + 1
        >>> convert(f, ADDED)(1)
        ('add', 1, 1)
        """
        test = doctest.DocTestFinder().find(type(self).test_doctest_examples, "example",
                                            globs=globals() | locals())  # fmt: skip
        self.assertEqual(doctest.DocTestRunner(verbose=False).run(test[0]).failed, 0)


def helper(a: Any) -> Any:
    return a + 10


def calls_helper(a: Any) -> Any:
    return helper(a) + 1


class ClassesAndModules(unittest.TestCase):
    def test_a_class(self) -> None:
        made = convert(Derived, ADDED)
        one = made(5)
        self.assertEqual(one.own(), ("add", 5, 1))
        self.assertEqual(one.who(), ("add", "base", "derived"))
        self.assertEqual((made.of_none(1), made.of_class(1)), (("add", 1, 1), ("add", 1, 1)))
        self.assertEqual(one.twice, ("add", 5, 5))
        self.assertEqual((made.__name__, made.__qualname__), ("Derived", "Derived"))
        self.assertEqual(made.__doc__, "A class.")
        self.assertEqual(Derived(5).own(), 6)
        self.assertFalse(hasattr(one, "__dict__"))

    def test_a_module(self) -> None:
        import two_overloads

        made = convert(two_overloads, ADDED)
        self.assertEqual(made.neither(1, 2), ("add", 1, 2))
        self.assertEqual(two_overloads.neither(1, 2), 3)


PROGRAM = '''\
"""Doc."""
from __future__ import annotations
import sys, traceback

def fails(rows):
    for row in rows:
        if row:
            # a comment
            return (row[0] +
                    row[5])
def names():
    if True:
        def inner(): return sys._getframe()
        frame = inner()
    while True:
        return frame.f_code, [g for g in (lambda: 0,)][0].__code__, sys._getframe().f_code
'''


class Shown(unittest.TestCase):
    """Positions, names and qualnames are those of the user's text."""

    def setUp(self) -> None:
        self.names: dict[str, Any] = {}
        asked = request(PROGRAM.encode(), "shown.py", py_defaults, "all", None, None)
        from pychoral.virtual.converting import bindings

        bound, code = load_module(asked)
        self.names.update(bindings(py_defaults, bound))
        exec(code, self.names)
        self.plain: dict[str, Any] = {}
        exec(compile(PROGRAM, "shown.py", "exec"), self.plain)

    def test_tracebacks(self) -> None:
        frames = []
        for names in (self.plain, self.names):
            try:
                names["fails"]([[], [1]])
            except IndexError as error:
                found = traceback.extract_tb(error.__traceback__)[1:]
                self.assertEqual({frame.name for frame in found}, {"fails"})
                self.assertEqual({frame.filename for frame in found}, {"shown.py"})
                frames.append(found)
        plain, ours = frames[0][-1], frames[1][-1]
        self.assertEqual(ours.lineno, plain.lineno)
        if sys.version_info >= (3, 11):
            self.assertEqual((ours.colno, ours.end_colno), (plain.colno, plain.end_colno))
        self.assertEqual([frame.lineno for frame in frames[1]], [6, 7, 10])

    def test_names_of_code(self) -> None:
        for ours, plain in zip(self.names["names"](), self.plain["names"]()):
            for name in ("co_name", "co_qualname", "co_firstlineno", "co_filename"):
                if (name, ours.co_name) != ("co_firstlineno", "names"):
                    self.assertEqual(getattr(ours, name, None), getattr(plain, name, None), name)

    def test_the_doc_and_futures(self) -> None:
        self.assertEqual(self.names["__doc__"], "Doc.")


class Programs(unittest.TestCase):
    """The launcher runs a program as python3 does."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def write(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(textwrap.dedent(text))
        return file

    def run_python(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *arguments], capture_output=True, text=True, cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT / "runtime/python")},
        )  # fmt: skip

    def both(
        self, *program: str, options: tuple[str, ...] = ()
    ) -> "subprocess.CompletedProcess[str]":
        plain = self.run_python(*program)
        ours = self.run_python("-m", "pychoral.virtual", *options, *program)
        self.assertEqual(ours.stdout, plain.stdout, ours.stderr)
        self.assertEqual(ours.returncode, plain.returncode, ours.stderr)
        return ours

    def test_a_script(self) -> None:
        self.write("beside.py", "value = 5\n")
        self.write("script.py", """
            import sys, beside
            def f(a):
                if a: return a + beside.value
            if __name__ == "__main__":
                print(f(1), sys.argv, __file__, __package__, __doc__, sys.path[0])
                print(sys.modules["__main__"].f is f, __spec__)
                sys.exit(7)
            """)
        self.assertEqual(self.both("script.py", "-x", "--hooks=1").returncode, 7)
        self.both(str(self.folder / "script.py"))

    def test_a_module_and_a_package(self) -> None:
        self.write("package/__init__.py", "")
        self.write("package/__main__.py", """
            from . import inner
            print(__name__, __package__, inner.x)
            """)
        self.write("package/inner.py", """
            x = [i for i in range(3)]
            print(__name__, __spec__.name)
            """)
        self.both("-m", "package", "a")
        self.both("-m", "package.inner", options=("--hooks=all", "--match=package.*"))

    def test_failures(self) -> None:
        self.write("fails.py", "def f(a):\n    if a:\n        return 1 / 0\nf(1)\n")
        plain = self.run_python("fails.py").stderr.splitlines()
        ours = self.both("fails.py").stderr.splitlines()
        self.assertEqual((ours[0], ours[1:3], ours[-1]), (plain[0], plain[1:3], plain[-1]))
        self.assertNotIn("pychoral", "".join(ours))
        self.write("syntax.py", "def f(:\n")
        self.assertIn("SyntaxError", self.both("syntax.py").stderr)

    def test_what_cannot_run(self) -> None:
        done = self.run_python("-m", "pychoral.virtual", "-m", "no_such_module")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no module named no_such_module", done.stderr)
        for options, status, words in (
            (["--overload", "no_such.thing", "p.py"], 1, "there is no module `no_such` with"),
            (["--overload", "pychoral.virtual:nothing", "p.py"], 1, "has no `nothing`"),
            (["no_such.py"], 2, "can't open file"),
        ):
            done = self.run_python("-m", "pychoral.virtual", *options)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (status, 1), done.stderr)
            self.assertIn(words, done.stderr)
        self.assertEqual(self.run_python("-m", "pychoral.virtual").returncode, 2)
        with mock.patch.dict(os.environ, {"PYCHORALC": "/no/such/pychoralc"}):
            self.write("p.py", "print(1)\n")
            done = self.run_python("-m", "pychoral.virtual", "p.py")
        self.assertIn("$PYCHORALC names `/no/such/pychoralc`", done.stderr)

    def test_without_a_compiler(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            del os.environ["PYCHORALC"]
            words = r"not found: looked at \$PYCHORALC, which is not set, along PATH, and in .*bin"
            with self.assertRaisesRegex(VirtualizationError, words):
                convert(simple, ADDED)

    def test_hooks_that_are_unknown(self) -> None:
        self.write("p.py", "print(1)\n")
        done = self.run_python("-m", "pychoral.virtual", "--hooks=if_stmtt", "p.py")
        self.assertIn("`if_stmtt` is neither a hook nor a group", done.stderr)

    def test_an_overload_of_the_user(self) -> None:
        self.write("mine.py", "class O:\n    mul = staticmethod(lambda a, b: ('mul', a, b))\n")
        self.write("p.py", "print(2 * 3, 2 + 3)\n")
        done = self.run_python("-m", "pychoral.virtual", "--overload", "mine:O", "p.py")
        self.assertEqual(done.stdout, "('mul', 2, 3) 5\n", done.stderr)

    def test_other_encodings_and_line_ends(self) -> None:
        (self.folder / "latin.py").write_bytes(
            b"# -*- coding: latin-1 -*-\r\nif True:\r\n    x = 'caf\xe9'\r\n"
            b"    print(len(x), x[-1])\r\n"
        )
        (self.folder / "mark.py").write_bytes("\ufeffif True: print('é' + 'x')\n".encode())
        self.both("latin.py")
        self.both("mark.py")

    def test_the_import_hook(self) -> None:
        self.write("hooked.py", "def f(a, b): return a * b\n")
        self.write("unhooked.py", "def f(a, b): return a * b\n")
        sys.path.insert(0, str(self.folder))
        finder = install(SimpleNamespace(mul=lambda a, b: "mul"), "hook*,other")
        try:
            import hooked  # type: ignore[import]
            import unhooked  # type: ignore[import]

            self.assertEqual((hooked.f(2, 3), unhooked.f(2, 3)), ("mul", 6))
            self.assertEqual(hooked.__spec__.origin, hooked.__file__)
            self.assertEqual(inspect.getsource(hooked.f), "def f(a, b): return a * b\n")
        finally:
            sys.meta_path.remove(finder)
            sys.path.remove(str(self.folder))


class Cache(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        patched = mock.patch.dict(os.environ, {"XDG_CACHE_HOME": folder.name})
        patched.start()
        self.addCleanup(patched.stop)

    def files(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if path.is_file()]

    def load(self, source: str = "x = 1 + 2\n", hooks: str = "add") -> types.CodeType:
        return load_module(request(source.encode(), "m.py", py_defaults, hooks, None, None))[1]

    def test_the_second_time_the_compiler_is_not_run(self) -> None:
        self.load()
        with mock.patch.object(subprocess, "run", side_effect=AssertionError):
            self.load()
            self.assertRaises(AssertionError, self.load, "x = 2 + 2\n")
            self.assertRaises(AssertionError, self.load, hooks="op")
        self.assertEqual(len(self.files()), 1)

    def test_a_damaged_file_is_made_again(self) -> None:
        code = self.load()
        for damage in (b"", b"\0", b"i\1\0\0\0"):
            self.files()[0].write_bytes(damage)
            self.assertEqual(self.load(), code)

    def test_a_folder_that_cannot_be_written(self) -> None:
        with mock.patch.dict(os.environ, {"XDG_CACHE_HOME": "/dev/null/no"}):
            self.load()


if __name__ == "__main__":
    unittest.main()
