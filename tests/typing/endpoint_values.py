#!/usr/bin/env python3
"""The values of a running program are of the types that the compiler gives their expressions.

Each role's program is made again from `--dump-ir=type`, with every expression wrapped in a look at
its value, and all roles are run as threads of this process.  A value that is not of its
expression's type is reported with the place.

    tests/typing/endpoint_values.py [--compiler PROGRAM] FILE...
"""

import __future__
import argparse
import ast
import builtins
import codecs
import contextlib
import copy
import dataclasses
import enum
import io
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import types
import typing
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from endpoint_types import FOLDERS, ROOT, Node, read, show, text_of

# The fields of the IR's forms, where they are not those of Python's `ast`.
FORMS = {
    "FunctionDef": "name args body decorator_list returns",
    "ClassDef": "name bases keywords body decorator_list",
    "ExceptHandler": "type name body",
    "Assign": "targets value", "For": "target iter body orelse", "With": "items body",
    "Comprehension": "target iter ifs is_async", "Arg": "arg annotation",
    "Withitem": "context_expr optional_vars", "MatchCase": "pattern guard body",
    "Keyword": "arg value", "Alias": "name asname", "Constant": "value kind",
}
CLASSES = {
    "Comprehension": ast.comprehension, "Arguments": ast.arguments, "Arg": ast.arg,
    "Keyword": ast.keyword, "Alias": ast.alias, "Withitem": ast.withitem,
    "MatchCase": ast.match_case,
}
# Their parameters are not one for each argument.
TAKES_ANY_NUMBER = {"print", "max", "min", "zip", "map", "product", "zip_longest"}
WAIT = 10.0
ENOUGH = 400_000        # values of a role: a program without end is stopped there


def word(text):
    if text == "nil":
        return None
    if text.startswith('"'):
        return decoded(text)
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def decoded(text):
    raw = codecs.escape_decode(text[1:-1].encode("utf-8", "surrogateescape"))[0]
    return raw.decode("utf-8", "surrogatepass")


def constant(node):
    kind, rest = node.form, [node.line, *node.fields] if node.line else node.fields
    if kind == "none":
        return None
    if kind == "ellipsis":
        return ...
    value = rest[0]
    if kind == "bool":
        return value == "true"
    if kind == "int":
        return int(value)
    if kind in ("float", "complex"):
        number = float("nan") if value.startswith("nan") else float(value)
        return number if kind == "float" else complex(0, number)
    if kind == "str":
        return decoded(value)
    return codecs.escape_decode(value[1:-1].encode("latin-1", "replace"))[0]


class Maker:
    """Makes `ast` of the tree of a dump."""

    def __init__(self):
        self.types, self.rests = [], set()
        self.returns = None

    def against(self, e, ty, node, what):
        """Wraps an expression that must be of a type that is not its own."""
        self.types.append((ty, node.line, what))
        return call("_look", e, ast.Constant(len(self.types) - 1))

    def look(self, e, node):
        """Wraps an expression; the type is kept under a number."""
        ty = node.attributes.get(":ty")
        if ty is None:
            return e
        return self.against(e, ty, node, node.form)

    def many(self, items):
        return [self.make(x) for x in items]

    def body(self, items):
        return [s for x in items for s in self.statement(x)] or [ast.Pass()]

    def make(self, x, bare=False):
        if isinstance(x, list):
            return self.many(x)
        if not isinstance(x, Node):
            return word(x)
        if x.form in ("Load", "Store", "Del"):
            return getattr(ast, x.form)()
        special = getattr(self, "make_" + x.form, None)
        e = special(x) if special else self.plain(x)
        looked = isinstance(e, ast.expr) and not bare and x.form not in ("Starred", "Slice")
        if looked and not isinstance(getattr(e, "ctx", None), (ast.Store, ast.Del)):
            return self.look(e, x)
        return e

    def plain(self, x):
        cls = CLASSES.get(x.form) or getattr(ast, x.form)
        names = FORMS[x.form].split() if x.form in FORMS else cls._fields
        values = {}
        for name, value in zip(names, x.fields):
            if name in ("body", "orelse", "finalbody") and isinstance(value, list):
                values[name] = self.body(value) if value or name == "body" else []
            elif name == "ctx":
                values[name] = getattr(ast, value)()
            elif name == "op":
                values[name] = getattr(ast, value)()
            elif name == "ops":
                values[name] = [getattr(ast, v)() for v in value]
            elif name in ("returns", "annotation") or (name == "bases"):
                values[name] = Bare().make(value)
            elif name == "decorator_list":
                values[name] = Bare().make(value)
            else:
                values[name] = self.make(value)
        return cls(**values)

    def make_Constant(self, x):
        return ast.Constant(constant(x.fields[0]))

    def make_MatchSingleton(self, x):
        return ast.MatchSingleton(constant(x.fields[0]))

    def make_MatchValue(self, x):
        return ast.MatchValue(Bare().make(x.fields[0]))

    def make_MatchClass(self, x):
        return ast.MatchClass(Bare().make(x.fields[0]), *[self.make(f) for f in x.fields[1:]])

    def make_MatchMapping(self, x):
        return ast.MatchMapping(Bare().make(x.fields[0]), *[self.make(f) for f in x.fields[1:]])

    def make_JoinedStr(self, x):
        parts = [self.make(v, bare=True) for v in x.fields[0]]
        return ast.JoinedStr(parts)

    def make_FormattedValue(self, x):
        spec = self.make(x.fields[2], bare=True) if isinstance(x.fields[2], Node) else None
        return ast.FormattedValue(self.make(x.fields[0]), int(x.fields[1]), spec)

    def make_Call(self, x):
        func = self.make(x.fields[0], bare=True)
        if isinstance(func, ast.Name) and func.id in ("TypeVar", "NewType", "cast"):
            return Bare().plain(x)
        args = [self.given(x, i, a) for i, a in enumerate(self.make(x.fields[1]))]
        return ast.Call(func, args, self.make(x.fields[2]))

    def takes_rest(self, name):
        return name in TAKES_ANY_NUMBER or name.split(".")[-1] in self.rests

    def given(self, x, i, arg):
        """An argument, which must be what the solved type of the callee takes there."""
        callee = x.fields[0].attributes.get(":ty")
        takes = callee is not None and callee.form == "Callable" and i < len(callee.fields[0])
        if not takes or isinstance(arg, ast.Starred) or self.takes_rest(text_of(x.fields[0])):
            return arg
        return self.against(arg, callee.fields[0][i], x, "argument of " + text_of(x.fields[0]))

    def make_Name(self, x):
        name = word(x.fields[0])
        if name == "super()":
            return ast.Call(ast.Name("super", ast.Load()), [], [])
        return ast.Name(name, getattr(ast, x.fields[1])())

    def make_Unit(self, x):
        return call("_unit", *self.many(x.fields[0]))

    def make_Send(self, x):
        return call("_send", self.make(x.fields[0]), self.make(x.fields[1]),
                    ast.Constant(x.fields[3] == "true"))

    def make_Recv(self, x):
        return call("_recv", self.make(x.fields[0]))

    def make_SendLabel(self, x):
        return call("_send", self.make(x.fields[0]), self.make(x.fields[1]), ast.Constant(False))

    def statement(self, x):
        if x.form == "Stopped":
            return [ast.Raise(call("_stopped"), None)]
        if x.form == "Offer":
            return [self.offer(x)]
        if x.form == "FunctionDef":
            return [self.function(x)]
        if x.form == "Return" and x.fields[0] != "nil" and self.returns is not None:
            return [ast.Return(self.against(self.make(x.fields[0]), self.returns, x, "result"))]
        if x.form == "Assign" and ":ty" in x.fields[0][0].attributes:
            value = self.against(self.make(x.fields[1]), x.fields[0][0].attributes[":ty"], x,
                                 "value of " + text_of(x.fields[0][0]))
            return [ast.Assign(self.make(x.fields[0]), value)]
        if x.form == "AnnAssign":
            made = ast.AnnAssign(self.make(x.fields[0]), Bare().make(x.fields[1]),
                                 self.make(x.fields[2]), int(x.fields[3]))
            return [made]
        return [self.make(x)]

    def function(self, x):
        """What it returns must be what it says; of a generator that is another matter."""
        outer, self.returns = self.returns, None
        if isinstance(x.fields[4], Node) and not yields(x.fields[2]):
            self.returns = x.fields[4].attributes.get(":ty")
        made = self.plain(x)
        self.returns = outer
        return made

    def offer(self, x):
        cases = [ast.match_case(ast.MatchValue(Bare().make(arm.fields[0])), None,
                                self.body(arm.fields[1])) for arm in x.fields[2]]
        cases.append(ast.match_case(ast.MatchAs(None, None), None,
                                    [ast.Raise(call("_stopped"), None)]))
        return ast.Match(call("_recv", self.make(x.fields[0])), cases)


def yields(x):
    if isinstance(x, list):
        return any(yields(n) for n in x)
    if not isinstance(x, Node):
        return False
    return x.form in ("Yield", "YieldFrom") or any(
        yields(f) for f in x.fields if x.form not in ("FunctionDef", "Lambda"))


def rest_takers(x, found):
    for n in x if isinstance(x, list) else x.fields:
        if isinstance(n, (list, Node)):
            rest_takers(n, found)
    if isinstance(x, Node) and x.form == "FunctionDef" and isinstance(x.fields[1].fields[2], Node):
        found.add(word(x.fields[0]))


class Bare(Maker):
    def look(self, e, node):
        return e


def call(name, *args):
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


# ---- the runtime ----


class Stopped(Exception):
    pass


class Enough(BaseException):
    """A role's program has been looked at for long enough."""


class Pipe:
    """A channel: one queue each way."""

    def __init__(self, to, back, world):
        self.to, self.back, self.world = to, back, world
        world.pipes.append(self)


class Unit_:
    pass


UNIT = Unit_()


class World:
    """One role: its names, and what is seen of its values."""

    END = object()

    def __init__(self, role, looked, report):
        self.role, self.types, self.report = role, looked, report
        module = types.ModuleType(f"role_{role}")       # dataclasses want their module
        sys.modules[module.__name__] = module
        self.names = module.__dict__
        self.names |= { "_look": self.look, "_unit": lambda *a: UNIT,
            "_send": self.send, "_recv": self.recv, "_stopped": Stopped, "copy_value": lambda v: v,
            "Unit": Unit_, "Channel": Pipe, "PeerStopped": Stopped, "Unit_": Unit_,
            "UnexpectedSelection": Stopped,
        }
        for name in "Any Callable Generic Literal Optional TypeAlias TypeVar Union".split():
            self.names[name] = getattr(typing, name)
        self.classes = {}
        self.looks = 0
        self.pipes = []

    def send(self, pipe, value, shared):
        pipe.to.put(value)
        return value if shared else UNIT

    def recv(self, pipe):
        value = pipe.back.get(timeout=WAIT)
        if value is World.END:
            pipe.back.put(value)
            raise queue.Empty
        return self.moved(value)

    def end(self):
        """Nothing more comes from this role."""
        for pipe in self.pipes:
            pipe.to.put(World.END)

    def moved(self, v):
        """A value of another role's classes, as this role has them."""
        if isinstance(v, enum.Enum):
            return self.own(type(v))[v.name]
        if dataclasses.is_dataclass(v):
            new = object.__new__(self.own(type(v)))
            new.__dict__.update({k: self.moved(x) for k, x in vars(v).items()})
            return new
        if type(v) in (list, tuple, set, frozenset):
            return type(v)(self.moved(x) for x in v)
        if type(v) is dict:
            return {self.moved(k): self.moved(x) for k, x in v.items()}
        return copy.copy(v)

    def own(self, cls):
        found = self.names
        for part in cls.__qualname__.split("."):
            found = found[part] if isinstance(found, dict) else getattr(found, part)
        return found

    # ---- types ----

    def look(self, value, number):
        ty, line, form = self.types[number]
        self.looks += 1
        if self.looks > ENOUGH:
            raise Enough
        if not self.fits(value, ty, 0):
            self.report(f"{self.role} {line} {form}: {value!r:.60} is no {show(ty)}")
        return value

    def fits(self, v, ty, depth):
        kind = ty.form
        if kind in ("Any", "TypeVar", "Poison") or depth > 6 or v is NotImplemented:
            return True
        if kind == "NoneType":
            return v is None
        if kind == "Union":
            return any(self.fits(v, t, depth) for t in ty.fields[0])
        if kind == "Tuple":
            return (isinstance(v, tuple) and len(v) == len(ty.fields[0])
                    and all(self.fits(x, t, depth + 1) for x, t in zip(v, ty.fields[0])))
        if kind == "Callable":
            return callable(v)
        return self.is_a(v, word(ty.fields[0]), ty.fields[1], depth) if kind == "Named" else True

    def is_a(self, v, name, args, depth):
        if name == "Unit":
            return v is UNIT or isinstance(v, dataclasses.Field)
        if v is UNIT or isinstance(v, (super, dataclasses.Field, enum.auto)):
            return True                     # what stands for a value until the class is made
        if name == "bytes":                             # as Python's typing has it
            return isinstance(value, (bytes, bytearray))
        if name == "float":
            return isinstance(v, (float, int))
        if name == "complex":
            return isinstance(v, (complex, float, int))
        if name == "NoReturn":
            return False
        if name in ("TextIO", "typing.TextIO"):
            return isinstance(v, io.TextIOBase)
        if name in ("BinaryIO", "typing.BinaryIO"):
            return isinstance(v, (io.BufferedIOBase, io.RawIOBase))
        if name == "module":
            return type(v) is type(sys)
        if name == "type":
            return isinstance(v, type) or not isinstance(v, (int, str, float, list))
        if name == "Channel":
            return isinstance(v, Pipe)
        if name in ("list", "set", "frozenset", "collections.deque", "tuple"):
            cls = {"collections.deque": "deque"}.get(name, name)
            return (any(c.__name__ == cls for c in type(v).__mro__)
                    and all(self.fits(x, args[0], depth + 1) for x in list(v)[:50] if args))
        if name == "dict" and len(args) == 2:
            return isinstance(v, dict) and all(
                self.fits(k, args[0], depth + 1) and self.fits(x, args[1], depth + 1)
                for k, x in list(v.items())[:50])
        cls = self.class_named(name)
        return True if cls is None else isinstance(v, cls)

    def class_named(self, name):
        found = self.names
        for part in name.split("."):
            found = (found.get(part) if isinstance(found, dict)
                     else getattr(found, part, None))
            if found is None:
                break
        if found is None and "." not in name:
            found = getattr(builtins, name, None)
        special = getattr(found, "_is_protocol", False) or typing.is_typeddict(found)
        if isinstance(found, type) and not special:
            return found
        return None


def parameters(function):
    args = function.fields[1]
    for form in (args.fields[0], args.fields[1], args.fields[3]):
        yield from form


def argument(world, arg, pipes, files):
    """What the entry is given; NotImplemented: its default."""
    ty = arg.attributes.get(":ty")
    name = word(arg.fields[0])
    text = show(ty)
    if text == "Unit":
        return UNIT
    if text == "Channel":
        ends = pipes.setdefault(name, (queue.Queue(), queue.Queue(), []))
        ends[2].append(world.role)
        return Pipe(ends[0], ends[1], world) if len(ends[2]) == 1 else Pipe(ends[1], ends[0], world)
    return {"int": 3, "str": "abc", "float": 1.5, "bool": True}.get(text, NotImplemented)


def run(compiler, path):
    """Gives how many values were looked at, what was wrong with them, and how the roles ended."""
    shown = subprocess.run([compiler, "check", str(path), "--dump-ir=type"], capture_output=True,
                           text=True, errors="surrogateescape", timeout=60, cwd=ROOT)
    if not shown.stdout.startswith("(Endpoints"):
        return 0, [], []
    unit = read(shown.stdout)
    problems, ends, worlds, calls, pipes = [], [], [], [], {}
    lock = threading.Lock()

    def report(text):
        with lock:
            problems.append(text)

    modules = [s for m in unit.fields[1] for s in m.fields[1]]
    for endpoint in unit.fields[0]:
        maker = Maker()
        rest_takers(endpoint.fields[1], maker.rests)
        module = ast.Module(maker.body(modules + endpoint.fields[1]), [])
        world = World(endpoint.fields[0], maker.types, report)
        code = compile(ast.fix_missing_locations(module), str(path), "exec",
                       __future__.annotations.compiler_flag)
        main = [s for s in endpoint.fields[1] if s.form == "FunctionDef"
                and word(s.fields[0]).rstrip("_") in ("main_" + endpoint.fields[0],)]
        if not main:
            return 0, [], ["no main"]
        args = main[0].fields[1]
        plain = list(parameters(main[0]))
        defaults = len(args.fields[6])
        given = {}
        for i, arg in enumerate(plain):
            value = argument(world, arg, pipes, None)
            positional = len(args.fields[0]) + len(args.fields[1])
            has = (positional - defaults <= i < positional) or (
                i >= positional and args.fields[4][i - positional] != "nil")
            if has and value is not UNIT and not isinstance(value, Pipe):
                continue
            if value is NotImplemented:
                return 0, [], ["arguments"]
            given[word(arg.fields[0])] = value
        worlds.append(world)
        calls.append((world, code, word(main[0].fields[0]), given))

    def role(world, code, name, given):
        try:
            exec(code, world.names)
            world.names[name](**given)
        except queue.Empty:
            ends.append("waits")
        except BaseException as e:
            ends.append(f"{type(e).__name__}: {e}"[:100])
        finally:
            world.end()

    threads = [threading.Thread(target=role, args=c, daemon=True) for c in calls]
    with contextlib.redirect_stdout(io.StringIO()):
        for t in threads:
            t.start()
        for t in threads:
            t.join(3 * WAIT)
    return sum(w.looks for w in worlds), problems, ends


# A call undoes what a test said, a cast says what is not so, a manager keeps an exception, a value
# is sent that receivers refuse: types that are untrue on purpose, as in mypy.
UNTRUE = {"c_cast_wrong.pyc", "c_narrowed_then_changed.pyc", "c_result_swallowed.pyc",
          "class_attributes_tested.pyc", "c_narrowed_not_needed.pyc", "c_unreached_arms.pyc",
          "expects_literal.pyc", "expects_named_types.pyc", "payload_none.pyc"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default=str(ROOT / "build/release/pychoralc"))
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    sys.setrecursionlimit(20000)
    sys.stdin = io.StringIO("")
    files = [Path(f).resolve() for f in options.files] or sorted(
        f for folder in FOLDERS for f in (ROOT / folder).rglob("*.pyc"))
    compiler = str(Path(options.compiler).resolve())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)                # programs that write files do so here
        bad = judge(compiler, files, bool(options.files))
        os.chdir(ROOT)
    return 1 if bad else 0


def judge(compiler, files, chosen):
    """How many values are of another type."""
    looks, bad, programs = 0, 0, 0
    for f in files:
        if f.name in UNTRUE and not chosen:
            continue
        try:
            n, problems, ends = run(compiler, f)
        except (SyntaxError, TypeError, ValueError, KeyError) as e:
            print(f"{f.name}: not run: {type(e).__name__}: {e}"[:150])
            continue
        looks, programs = looks + n, programs + (n > 0)
        bad += len(problems)
        for text in list(dict.fromkeys(problems))[:8]:
            print(f"{f.name}: {text}")
        if chosen:
            print(f"{f.name}: {n} values; {ends}")
    print(f"{programs} programs, {looks} values, {bad} of another type")
    return bad


if __name__ == "__main__":
    sys.exit(main())
