"""make fuzz-loading: what modules change while they load, and who needs it.

    tests/fuzz/loading.py --compiler PROGRAM [--count N] [--seed S] [--keep FOLDER] [--seconds S]

A program is drawn from four tables: what is filled, how statements fill it (two of them), in which
modules all that stands, and who looks at it. The central run, the projected one and plain Python
must print the same, and a role that looks at nothing must have none of these statements in its
program.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "runtime" / "python")]

import judge as judging                                             # noqa: E402
from fuzz import temporary_folder                                   # noqa: E402
from judge import Judge, run_central                                # noqa: E402
from runner.compiler import Compiler                                # noqa: E402

IMPORTS = '''\
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, reduce
'''


def register(head: str, change: str, show: str, size: str) -> str:
    return (f"{head}\n\n\ndef add(name: str, value: int) -> int:\n    {change}\n"
            f"    return value\n\n\ndef show() -> str:\n    return {show}\n\n\n"
            f"def size() -> int:\n    return {size}\n")


ADDED = 'f"{name}={value}"'
REGISTERS = {
    "list": register("STORE: list[str] = []", f"STORE.append({ADDED})", "str(STORE)", "len(STORE)"),
    "dict": register("STORE: dict[str, int] = {}", "STORE[name] = value", "str(STORE)",
                     "len(STORE)"),
    "set": register("STORE: set[str] = set()", "STORE.add(name)", "str(sorted(STORE))",
                    "len(STORE)"),
    "deque": register("STORE: deque[str] = deque()", f"STORE.appendleft({ADDED})",
                      "str(list(STORE))", "len(STORE)"),
    "counter": register("STORE: Counter[str] = Counter()", "STORE[name] += value",
                        "str(sorted(STORE.items()))", "len(STORE)"),
    "defaultdict": register("STORE: defaultdict[str, list[int]] = defaultdict(list)",
                            "STORE[name].append(value)", "str(sorted(STORE.items()))",
                            "len(STORE)"),
    "class attribute": register("class Store:\n    items: list[str] = []\n    total = 0",
                                f"Store.items.append({ADDED})", "str(Store.items)",
                                "len(Store.items)"),
    "class number": register("class Store:\n    total = 1", "Store.total = 2 * Store.total + value",
                             "str(Store.total)", "Store.total % 5"),
    "field": register("class Store:\n    def __init__(self) -> None:\n"
                      "        self.items: list[str] = []\n\n\nSTORE = Store()",
                      f"STORE.items.append({ADDED})", "str(STORE.items)", "len(STORE.items)"),
    "number field": register("class Store:\n    def __init__(self) -> None:\n"
                             "        self.total = 1\n\n\nSTORE = Store()",
                             "STORE.total = 2 * STORE.total + value", "str(STORE.total)",
                             "STORE.total % 5"),
    "method": register("class Store:\n    def __init__(self) -> None:\n"
                       "        self.items: list[str] = []\n\n"
                       "    def put(self, text: str) -> None:\n        self.items.append(text)\n"
                       "\n\n"
                       "STORE = Store()", f"STORE.put({ADDED})", "str(STORE.items)",
                       "len(STORE.items)"),
    "data class": register("@dataclass\nclass Store:\n    items: list[str] = field("
                           "default_factory=list)\n\n\nSTORE = Store()",
                           f"STORE.items.append({ADDED})", "str(STORE)", "len(STORE.items)"),
    "variable": register("TOTAL = 1", "global TOTAL\n    TOTAL = 2 * TOTAL + value", "str(TOTAL)",
                         "TOTAL % 5"),
    "text": register('TEXT = ""', f"global TEXT\n    TEXT = TEXT + {ADDED}", "TEXT",
                     "len(TEXT) % 5"),
    "tuple": register("ITEMS: tuple[str, ...] = ()", f"global ITEMS\n    ITEMS = (*ITEMS, {ADDED})",
                      "str(ITEMS)", "len(ITEMS)"),
    "nested": register('STORE: dict[str, list[str]] = {"all": []}',
                       f'STORE["all"].append({ADDED})', "str(STORE)", 'len(STORE["all"])'),
    "alias": register("STORE: list[str] = []\nSAME = STORE", f"SAME.append({ADDED})", "str(STORE)",
                      "len(STORE)"),
    "default": register("def store(items: list[str] = []) -> list[str]:\n    return items",
                        f"store().append({ADDED})", "str(store())", "len(store())"),
    "closure": register("def make() -> Callable[[], list[str]]:\n    kept: list[str] = []\n"
                        "    return lambda: kept\n\n\nstore = make()",
                        f"store().append({ADDED})", "str(store())", "len(store())"),
    "handlers": register("STORE: dict[str, Callable[[], int]] = {}", "STORE[name] = lambda: value",
                         "str([f() for f in STORE.values()])", "len(STORE)"),
    "two": register("FIRST: list[str] = []\nSECOND: list[int] = []",
                    "FIRST.append(name)\n    SECOND.append(value)", "str(FIRST) + str(SECOND)",
                    "len(FIRST)"),
}

# `{i}` makes names unlike; what they add is called `e_..`, which no other text is.
EFFECTS = {
    "call": '{add}("e_call", {i})',
    "variable": 'unused{i} = {add}("e_variable", {i})',
    "annotated": 'unused{i}: int = {add}("e_annotated", {i})',
    "two variables": 'x{i}, y{i} = {add}("e_one", {i}), {add}("e_two", {i})',
    "loop": 'for n{i} in range(2):\n    {add}(f"e_loop{{n{i}}}", {i})',
    "while": 'n{i} = 2\nwhile n{i} > 0:\n    n{i} -= {add}("e_while", 1)',
    "if": 'if {i} > 0:\n    {add}("e_if", {i})\nelse:\n    {add}("e_else", {i})',
    "if on it": 'if {size}() > 0:\n    {add}("e_full", {i})\nelse:\n    {add}("e_empty", {i})',
    "of it": '{add}("e_size", {size}())',
    "read first": 'LATER{i} = {size}()\n{add}("e_later", LATER{i})',
    "decorator": 'def mark{i}(f: Callable[[], int]) -> Callable[[], int]:\n'
                 '    {add}("e_" + f.__name__, {i})\n    return f\n\n\n@mark{i}\n'
                 'def marked{i}() -> int:\n    return 1',
    "decorator with arguments":
        'def mark{i}(name: str) -> Callable[[Callable[[], int]], Callable[[], int]]:\n'
        '    def inner(f: Callable[[], int]) -> Callable[[], int]:\n        {add}(name, f())\n'
        '        return f\n    return inner\n\n\n@mark{i}("e_given")\ndef marked{i}() -> int:\n'
        '    return {i}',
    "class decorator": 'def mark{i}(c: type) -> type:\n    {add}("e_" + c.__name__, {i})\n'
                       '    return c\n\n\n@mark{i}\nclass Marked{i}:\n    pass',
    "class body": 'class Body{i}:\n    {add}("e_body", {i})',
    "class variable": 'class Body{i}:\n    size = {add}("e_size", {i})',
    "init_subclass": 'class Base{i}:\n    def __init_subclass__(cls) -> None:\n'
                     '        {add}("e_derived", {i})\n\n\nclass Derived{i}(Base{i}):\n    pass',
    "set_name": 'class Named{i}:\n    def __set_name__(self, owner: type, name: str) -> None:\n'
                '        {add}("e_" + name, {i})\n\n\nclass Owner{i}:\n    part = Named{i}()',
    "init": 'class Made{i}:\n    def __init__(self, n: int) -> None:\n'
            '        self.n = {add}("e_init", n)\n\n\nmade{i} = Made{i}({i})',
    "post_init": '@dataclass\nclass Data{i}:\n    n: int\n\n    def __post_init__(self) -> None:\n'
                 '        {add}("e_post", self.n)\n\n\nData{i}({i})',
    "default": 'def late{i}(n: int = {add}("e_default", {i})) -> int:\n    return n',
    "keyword default": 'def late{i}(*, n: int = {add}("e_word", {i})) -> int:\n    return n',
    "lambda": 'now{i} = lambda n: {add}("e_lambda", n)\nnow{i}({i})',
    "comprehension": 'all{i} = [{add}(f"e_list{{n}}", n) for n in range(2)]',
    "generator": 'def each{i}() -> Iterator[int]:\n    yield {add}("e_yield", {i})\n\n\n'
                 'for n{i} in each{i}():\n    pass',
    "map": 'list(map(lambda n: {add}("e_map", n), [{i}]))',
    "key": 'sorted([{i}], key=lambda n: {add}("e_key", n))',
    "reduce": 'reduce(lambda m, n: m + {add}("e_reduce", n), [0, {i}])',
    "partial": 'later{i} = partial({add}, "e_partial")\nlater{i}({i})',
    "with": '@contextmanager\ndef open{i}() -> Iterator[int]:\n    yield {add}("e_open", {i})\n\n\n'
            'with open{i}():\n    {add}("e_inside", {i})',
    "try": 'try:\n    {add}("e_try", {i})\nfinally:\n    {add}("e_finally", {i})',
    "alias": 'again{i} = {add}\nagain{i}("e_alias", {i})',
    "table": 'calls{i} = [{add}]\ncalls{i}[0]("e_table", {i})',
    "walrus": 'if (w{i} := {add}("e_walrus", {i})) > 100:\n    pass',
    "assert": 'assert {add}("e_assert", {i}) >= 0',
    "match": 'match {add}("e_match", {i}):\n    case 0:\n        {add}("e_none", 0)\n'
             '    case n{i}:\n        {add}("e_some", n{i})',
    "callable object": 'class Call{i}:\n    def __call__(self, n: int) -> int:\n'
                       '        return {add}("e_object", n)\n\n\nCall{i}()({i})',
    "bound method": 'class Bound{i}:\n    def put(self, n: int) -> int:\n'
                    '        return {add}("e_bound", n)\n\n\nput{i} = Bound{i}().put\nput{i}({i})',
    "property": 'class Prop{i}:\n    @property\n    def part(self) -> int:\n'
                '        return {add}("e_property", {i})\n\n\nPROP{i} = Prop{i}()\n'
                'part{i} = PROP{i}.part',
    "through functions": 'def outer{i}(n: int) -> int:\n    return inner{i}(n)\n\n\n'
                         'def inner{i}(n: int) -> int:\n    return {add}("e_through", n)\n\n\n'
                         'outer{i}({i})',
    "recursion": 'def down{i}(n: int) -> int:\n'
                 '    return 0 if n == 0 else {add}("e_down", n) + down{i}(n - 1)\n\n\ndown{i}(2)',
    "operator": 'class Plus{i}:\n    def __add__(self, n: int) -> int:\n'
                '        return {add}("e_plus", n)\n\n\nsum{i} = Plus{i}() + {i}',
    "item": 'class Item{i}:\n    def __getitem__(self, n: int) -> int:\n'
            '        return {add}("e_item", n)\n\n\ngot{i} = Item{i}()[{i}]',
    "iteration": 'class Iter{i}:\n    def __iter__(self) -> Iterator[int]:\n'
                 '        {add}("e_iter", {i})\n        return iter([1])\n\n\n'
                 'for n{i} in Iter{i}():\n    pass',
    "del": 'gone{i} = {add}("e_gone", {i})\ndel gone{i}',
    "static method": 'class Static{i}:\n    @staticmethod\n    def put(n: int) -> int:\n'
                     '        return {add}("e_static", n)\n\n\nStatic{i}.put({i})',
    "class method": 'class Class{i}:\n    @classmethod\n    def put(cls, n: int) -> int:\n'
                    '        return {add}("e_class", n)\n\n\nClass{i}.put({i})',
}


@dataclass
class Layout:
    """Files by name, with the places of the register and both effects; `reach`: the register's."""
    files: dict[str, str]
    reach: str = ""


MAIN = "from pychoral import At, Channel\n\n"
BOTH = "{first}\n\n\n{second}"
LAYOUTS = {
    "one file": Layout({"main": MAIN + "{imports}\n{register}\n\n{first}\n\n\n{second}"}),
    "register apart": Layout({"main": MAIN + "import reg\n{imports}\n{first:reg.}\n\n\n"
                                      "{second:reg.}",
                              "reg": "{imports}\n{register}"}, "reg."),
    "from": Layout({"main": MAIN + "from reg import add, show, size\n{imports}\n{first}\n\n\n"
                            "{second}",
                    "reg": "{imports}\n{register}"}),
    "plugin": Layout({"main": MAIN + "import reg\nimport plug", "reg": "{imports}\n{register}",
                      "plug": "from reg import add, size\n{imports}\n" + BOTH + "\n\n\nK = 1"},
                     "reg."),
    "two plugins": Layout({"main": MAIN + "import reg\nimport z_plug\nimport a_plug",
                           "reg": "{imports}\n{register}",
                           "z_plug": "import reg\n{imports}\n{first:reg.}\n\n\nK = 1",
                           "a_plug": "import reg\n{imports}\n{second:reg.}\n\n\nK = 2"}, "reg."),
    "plugin before": Layout({"main": MAIN + "import plug\nfrom reg import show, size",
                             "reg": "{imports}\n{register}",
                             "plug": "from reg import add, size\n{imports}\n" + BOTH}),
    "plugin of a plugin": Layout({"main": MAIN + "import middle\nimport reg",
                                  "reg": "{imports}\n{register}",
                                  "middle": "import plug\nimport reg\n{imports}\n{second:reg.}",
                                  "plug": "import reg\n{imports}\n{first:reg.}"}, "reg."),
    "package": Layout({"main": MAIN + "import pkg.reg\nimport pkg.plug",
                       "pkg/__init__": "W = 1", "pkg/reg": "{imports}\n{register}",
                       "pkg/plug": "from pkg.reg import add, size\n{imports}\n" + BOTH},
                      "pkg.reg."),
    "package itself": Layout({"main": MAIN + "import reg\nimport pkg.leaf",
                              "reg": "{imports}\n{register}",
                              "pkg/__init__": "import reg\n{imports}\n{first:reg.}",
                              "pkg/leaf": "import reg\n{imports}\n{second:reg.}\n\n\nK = 1"},
                             "reg."),
    "plugin and main": Layout({"main": MAIN + "import reg\nimport plug\n{imports}\n{second:reg.}",
                               "reg": "{imports}\n{register}",
                               "plug": "import reg\n{imports}\n{first:reg.}\n\n\nK = 1"}, "reg."),
    "loaded there": Layout({"main": MAIN + "import reg", "reg":
                            "{imports}\n{register}\n\n{first}\n\n\n{second}"}, "reg."),
}


@dataclass
class Need:
    """`main`, what plain Python prints instead, and the role that looks at nothing."""
    body: str
    plain: str
    blind: str = ""


NEEDS = {
    "A": Need("print({show}()@A)\nprint(ch.com(a))", "A({show}())\nB(3)", "b"),
    "B": Need("print({show}()@B)\nprint(ch.com(a))", "B({show}())\nB(3)", "a"),
    "both": Need("print({show}()@A)\nprint({show}()@B)\nprint(ch.com(a))",
                 "A({show}())\nB({show}())\nB(3)"),
    "size at B": Need("b = ch.com(a)\nprint(b + {size}())", "B(3 + {size}())", "a"),
    "sent": Need("print(ch.com({show}()@A))", "B({show}())", "b"),
    "condition": Need("if {size}() > 1:\n    print(ch.com(a))\nelse:\n    print(ch.com(a + 1))",
                      "B(3 if {size}() > 1 else 4)"),
    "loop": Need("for i in range({size}()):\n    print(ch.com(i@A))",
                 "for i in range({size}()):\n    B(i)"),
    "A and size at B": Need("print({show}()@A)\nprint({size}()@B)\nprint(ch.com(a))",
                            "A({show}())\nB({size}())\nB(3)"),
    "helper": Need("helper(ch, a)", "B(3)\nB({show}())", "a"),
    "other helper": Need("turned(ch, a)", "B(3)\nA({show}())", "b"),
    "nobody": Need("print(ch.com(a))", "B(3)"),
}
HELPERS = '''

def helper(ch: Channel[object, X, Y], a: At[int, X]) -> None:
    print(ch.com(a))
    print({show}()@Y)


def turned(ch: Channel[object, X, Y], a: At[int, X]) -> None:
    print(ch.com(a))
    print({show}()@X)


def main(ch: Channel[object, A, B], a: At[int, A] = 3) -> None:
'''


@dataclass
class Program:
    register: str
    first: str
    second: str
    layout: str
    need: str

    def kind(self) -> str:
        return " / ".join([self.register, self.first, self.second, self.layout, self.need])

    def files(self) -> dict[str, str]:
        layout = LAYOUTS[self.layout]
        texts = {name: self._fill(text) for name, text in layout.files.items()}
        names = {name: layout.reach + name for name in ("show", "size")}
        body = "".join(f"    {line}\n" for line in NEEDS[self.need].body.split("\n"))
        texts["main"] += "\n" + (HELPERS + body).format(**names)
        return texts

    def plain(self) -> dict[str, str]:
        """The same as plain Python, with what `main` prints."""
        layout = LAYOUTS[self.layout]
        names = {name: layout.reach + name for name in ("show", "size")}
        texts = {name: self._fill(text) for name, text in layout.files.items()}
        texts["main"] = (texts["main"].removeprefix(MAIN)
                         + "\n\nA = lambda x: print(\"A:\", x)\nB = lambda x: print(\"B:\", x)\n"
                         + NEEDS[self.need].plain.format(**names) + "\n")
        return texts

    def _fill(self, text: str) -> str:
        text = text.replace("{imports}", IMPORTS).replace("{register}", REGISTERS[self.register])
        for place, kind, i in ("first", self.first, 1), ("second", self.second, 2):
            for reach in "", "reg.":
                mark = "{" + place + (":" + reach if reach else "") + "}"
                effect = EFFECTS[kind].format(add=reach + "add", size=reach + "size", i=i)
                text = text.replace(mark, effect)
        return text


def draw(seed: int) -> Program:
    luck = random.Random(seed)
    tables: list[list[str]] = [sorted(REGISTERS), sorted(EFFECTS), sorted(EFFECTS), sorted(LAYOUTS),
                               sorted(NEEDS)]
    return Program(*[luck.choice(table) for table in tables])


def write(folder: Path, texts: dict[str, str], suffix: str) -> Path:
    """Gives the main file, which no other program's is called."""
    for name, text in texts.items():
        file = folder / ((folder.name if name == "main" else name) + suffix)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / (folder.name + suffix)


def run_plain(folder: Path, program: Program) -> dict[str, list[str]]:
    main = write(folder / "plain", program.plain(), ".py")
    done = subprocess.run([sys.executable, "-B", "-E", "-s", main.name], cwd=main.parent, text=True,
                          capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    lines: dict[str, list[str]] = {"A": [], "B": []}
    for line in done.stdout.splitlines():
        lines[line[0]].append(line[3:])
    return lines


@dataclass
class Run:
    keep: Path
    taken: int = 0
    failures: int = 0

    def __post_init__(self) -> None:
        self.refused = Counter[str]()

    def wrong(self, judge: Judge, source: Path, program: Program, seed: int) -> str:
        """What differs; "" if nothing does."""
        verdict = judge.judge(source, seed, False)
        if verdict.kind == "refused":
            self.refused[" ".join(verdict.codes)] += 1
            print(f"refused: {program.kind()}: {verdict.text[:200]}", flush=True)
            return ""
        if verdict.failed:
            return f"{verdict.kind}: {verdict.text}"
        plain = run_plain(source.parent, program)
        ending = run_central(judge.central(source))
        if ending.endless or ending.status:
            return f"centrally {ending}"
        central = {role: lines for role, lines in ending.lines.items() if role in plain}
        if {role: central.get(role, []) for role in plain} != plain:
            return f"centrally {central}, in Python {plain}"
        blind = NEEDS[program.need].blind
        if blind and '"e_' in (judge.build(source) / f"{blind}.py").read_text(encoding="utf-8"):
            return f"{blind} has what it does not look at"
        self.taken += 1
        return ""

    def one(self, judge: Judge, seed: int) -> None:
        program = draw(seed)
        folder = judge.folder / f"load{seed}"
        text = self.wrong(judge, write(folder, program.files(), ".pyc"), program, seed)
        if text:
            self.failures += 1
            write(self.keep / f"load{seed}", program.files(), ".pyc")
            print(f"seed {seed}: {program.kind()}\n{text}", flush=True)
        shutil.rmtree(folder)
        shutil.rmtree(judge.folder / "build", ignore_errors=True)

    def say(self) -> None:
        print(f"{self.taken} taken, {sum(self.refused.values())} refused {dict(self.refused)}")
        print(f"{self.taken + sum(self.refused.values())} passed, {self.failures} failed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", type=Path, required=True, help="`fuzz_serve` lies beside it")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="1", help="the first seed, or `fresh`")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz/failed"))
    parser.add_argument("--seconds", type=float, default=1e9, help="draw none after so long")
    parser.add_argument("--show", type=int, help="print the program of this seed")
    options = parser.parse_args()
    if options.show is not None:
        for name, text in draw(options.show).files().items():
            print(f"# ---- {name}\n{text}")
        return 0
    seed = random.SystemRandom().randrange(10**9) if options.seed == "fresh" else int(options.seed)
    with tempfile.TemporaryDirectory(prefix="pychoral-fuzz-", dir=temporary_folder()) as name:
        print(f"seed {seed}: {options.count} programs that load", flush=True)
        judging.SCHEDULES = 1
        judge, run, start = Judge(Compiler(options.compiler.resolve(), []), Path(name)), \
            Run(options.keep), time.monotonic()
        for each in range(seed, seed + options.count):
            if time.monotonic() - start > options.seconds:
                break
            run.one(judge, each)
        judge.close()
        run.say()
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
