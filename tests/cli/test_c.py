"""`--target=c`: what is written, built and run; `run --target=c`, `mixed` and by role."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
DONE, ERRORS, USAGE, FILE, ENDPOINT = 0, 1, 2, 3, 4

HELLO = """\
from pychoral import At, Channel


def main(ch: Channel[str, Alice, Clean]) -> At[str, Clean]:
    heard: At[str, Clean] = ch.com("hello"@Alice)
    print("heard", heard)
    return heard
"""
GREET = """\
from pychoral import At, Channel


def main(ch: Channel[str, A, B], name: At[str, A], times: At[int, A] = 2) -> At[str, B]:
    return ch.com(name * times)
"""
FOREIGN = """\
from pychoral import At, Channel

import stock


def main(ch: Channel[int, A, B], item: At[int, A] = 7) -> At[int, B]:
    return ch.com(stock.price(item))
"""
FOREIGN_C = """\
#include "stock.h"

PychoralInt stock_price(PychoralInt item)
{
    return pychoral_int_add(item, pychoral_int(100));
}
"""

SHOP = """\
from pychoral import At, Channel

import stock


def look() -> None:
    print(stock.price("tea", 2), stock.items(), stock.total([1, 2, 2 ** 70]))
    print(stock.cheapest({"tea": 1.5, "salt": 0.5}), stock.cheapest({}))
    try:
        stock.price("")
    except ValueError as error:
        print(error)


def main(ch: Channel[int, A, B]) -> None:
    look()@A
    print(ch.com(stock.total([1, 2]@A)))
"""
SHOP_LINES = """\
3.0 ['tea'] 1180591620717411303427
('salt', 0.5) None
which item?
"""
SHOP_TWIN = """\
def price(item, count=1):
    if item == "":
        raise ValueError("which item?")
    return 1.5 * count
def items():
    return ["tea"]
def total(counts):
    return sum(counts)
def cheapest(prices):
    return min(prices.items(), key=lambda pair: pair[1], default=None)
"""

GOODS_STUB = """\
from typing import Callable, List, Optional, TypeVar

T = TypeVar("T")
Pair = tuple[int, str]
LIMIT: int

def price(item: str, n: int = -1) -> float: ...
def items() -> List[str]: ...
def find(name: str) -> Optional[int]: ...
def put(name: str, count: int, *more: int) -> None: ...
def count() -> int: ...
def pair(t: Pair) -> tuple[str, int]: ...
def apply(f: Callable[[int], int], x: int) -> int: ...
def total(xs: list[int], scale: float = ...) -> int: ...
def same(x: T) -> T: ...
"""
GOODS = """\
from pychoral import At, Channel
import goods
from goods import find as look_up


def work() -> int:
    print(goods.price("tea"), goods.price("salt", n=3))
    print(goods.items(), look_up("salt"), look_up("gold"))
    goods.put("tea", 3)
    goods.put("tea", 3, 4, 5)
    print(goods.count())
    print(goods.pair((1, "x")), goods.apply(lambda x: x + 1, 4))
    try:
        print(goods.price("gold"))
    except ValueError as e:
        print("caught", e)
    f = goods.find
    print(f("salt"), goods.total([1, 2, 10**20], 1.0))
    return goods.total([], 2.5)


def main(ch: Channel[int, A, B]) -> None:
    n: At[int, B] = ch.com(work()@A)
    print(n)
"""
GOODS_C = """\
#include "goods.h"

double goods_price(PychoralStr *item, PychoralInt n)
{
    if (item->size == 4 && memcmp(item->data, "gold", 4) == 0) {
        pychoral_throw(&pychoral_type_ValueError, "no gold here");
        return 0;
    }
    return (double)pychoral_str_len(item) * 1.5 * pychoral_int_as_float(n);
}

PychoralList *goods_items(const PychoralType *type)
{
    PychoralList *list = pychoral_list_new(type, 2);
    PychoralStr *tea = pychoral_str_new("tea", 3), *salt = pychoral_str_new("salt", 4);
    pychoral_list_append(list, &tea);
    pychoral_list_append(list, &salt);
    return list;
}

Optional_int goods_find(PychoralStr *name)
{
    if (name->size == 4 && memcmp(name->data, "salt", 4) == 0)
        return (Optional_int){.is = 1, .as_int = pychoral_int(1)};
    return (Optional_int){.is = 0};
}

static _Thread_local size_t seen;

void goods_put(PychoralStr *name, PychoralInt count, PychoralList *more)
{
    (void)name, (void)count;
    seen += more->count;
}

PychoralInt goods_count(void)
{
    return pychoral_int((int64_t)seen);
}

tuple_str_int goods_pair(tuple_int_str t)
{
    return (tuple_str_int){PYCHORAL_KEEP(t.item1), pychoral_keep_int(t.item0)};
}

PychoralInt goods_apply(PychoralFunction *f, PychoralInt x)
{
    PychoralInt result;
    f->call(f, (void *const[]){&x}, &result);
    return result;
}

PychoralInt goods_total(PychoralList *xs, double scale)
{
    (void)scale;
    PychoralInt sum = pychoral_int(0);
    for (size_t i = 0; i < xs->count; i++) {
        PYCHORAL_OWNED(int) PychoralInt x;
        pychoral_list_get(xs, i, &x);
        PYCHORAL_SET(int, sum, pychoral_int_add(sum, x));
    }
    return sum;
}
"""


# Four constants of the server: by itself, in a handler of a table, in a field, in what code without
# types made; and two in a module of which the client has one variable.
SECRETS = """\
import json
from collections.abc import Callable

from pychoral import At, Channel

import keys

ALONE = "secret 1"
HANDLERS: dict[str, Callable[[str], str]] = {}
NAMES: list[str] = []


class Part:
    def __init__(self, name: str) -> None:
        self.name = name
        self.key = ""


PART = Part("part")


def sign(text: str) -> str:
    return text + " secret 2"


def handles(name: str, f: Callable[[str], str]) -> None:
    HANDLERS[name] = f


def keyed(key: str) -> None:
    PART.key = key


def note(name: str) -> None:
    NAMES.append(name)


handles("sign", sign)
keyed("secret 3")
note("noted")
DATA = dict(json.loads('{"key": "secret 4"}'))
DATA["more"] = "secret 5"


def main(ch: Channel[str, Client, Server], text: At[str, Client] = "t") -> None:
    print(PART.name@Client, NAMES@Client, keys.NAMES@Client)
    given = ch.com(text)
    print(HANDLERS["sign"](given), ALONE)
    print((PART.key + str(DATA["key"]) + str(DATA["more"]) + keys.KEY + str(len(keys.ALL)))@Server)
"""
KEYS = """\
NAMES: list[str] = []
ALL: list[str] = []
KEY = "secret 6"
NAMES.append("public")
ALL.append("secret 7")
"""


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-c-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.out = self.folder / "out"
        self.write("hello.pyc", HELLO)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def call(self, *arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(list(map(str, [COMPILER, *arguments])), cwd=self.folder, text=True,
                              capture_output=True, timeout=180, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, NO_COLOR="1", PYTHON=sys.executable,
                                       PYCHORALC_CACHE="off",
                                       **environment))

    def build(self, *options: object, source: str = "hello.pyc",
              **environment: str) -> "subprocess.CompletedProcess[str]":
        return self.call(source, "--target=c", "-o", "out", "--no-runtime", *options,
                         **environment)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.out.iterdir())


def counted(text: str) -> "list[tuple[int, str, str]]":
    """The lines of code in functions, and where C takes them to be from."""
    number, name, found, inside = 0, "", [], False
    for line in text.splitlines():
        told = re.fullmatch(r' *#line (\d+) "(.*)"', line)
        if told:
            number, name = int(told[1]), told[2]
            continue
        inside = line == "{" or inside and line != "}"
        if inside and line not in ("", "{"):
            found.append((number, name, line))
        number += 1
    return found


class Files(Case):
    def test_written(self) -> None:
        done = self.build()
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("Makefile", done.stderr)
        self.assertEqual(self.names(), ["Makefile", "alice.c", "clean_.c"])
        for path in self.out.iterdir():
            self.assertRegex(path.read_text(), r"\A(//|#) Generated by pychoralc .* from hello.pyc")
        first = {path.name: path.read_bytes() for path in self.out.iterdir()}
        self.build("-q")
        self.assertEqual(first, {path.name: path.read_bytes() for path in self.out.iterdir()})

    def test_lines(self) -> None:
        self.build()
        text = (self.out / "alice.c").read_text()
        self.assertRegex(text, r"(?m)^ *#line 5\b")
        of_hello = [line for line, name, text in counted(text) if name == "hello.pyc"]
        self.assertTrue(of_hello)
        self.assertEqual(set(of_hello), {5})        # nothing is counted on into other lines
        self.assertEqual(re.findall(r"(#line .*)\n(?:#line|\n*\1)", text), [])
        self.build("--no-line")
        self.assertNotIn("#line", (self.out / "alice.c").read_text())

    def test_one_role(self) -> None:
        self.assertEqual(self.build("--role=Alice").returncode, DONE)
        self.assertEqual(self.names(), ["Makefile", "alice.c"])
        self.assertNotIn("clean_", (self.out / "Makefile").read_text())
        self.assertEqual(self.build("--role=Alise").returncode, USAGE)

    def test_mixture(self) -> None:
        """Only `run` takes one; the programs are written one by one."""
        for target in ("mixed", "Alice=c"):
            done = self.call("hello.pyc", "-o", "out", f"--target={target}")
            self.assertEqual(done.returncode, USAGE)
            self.assertIn("note: only `run` supports several languages\n"
                          "help: build the roles one by one",
                          done.stderr)
        self.assertNotIn("mixture", self.call("hello.pyc", "--target=java").stderr)
        self.assertEqual(self.build("--role=Clean", "--compile").returncode, DONE)
        self.assertEqual(self.call("hello.pyc", "-o", "out", "--role=Alice").returncode, DONE)
        for name in ("alice.py", "clean_", "Makefile"):
            self.assertIn(name, self.names())

    def test_what_another_role_keeps(self) -> None:
        self.write("secrets.pyc", SECRETS)
        self.write("keys.pyc", KEYS)
        for target, end in ("python", "py"), ("c", "c"):
            done = self.call("secrets.pyc", f"--target={target}", "-o", target, "--no-runtime")
            self.assertEqual(done.returncode, DONE, done.stderr)
            client = (self.folder / target / f"client.{end}").read_text(encoding="utf-8")
            server = (self.folder / target / f"server.{end}").read_text(encoding="utf-8")
            self.assertNotRegex(client, "secret [0-9]")
            self.assertRegex(server, "secret 1(.|\n)*secret 5")
        self.assertIn("public", client)

    def test_to_standard_output(self) -> None:
        done = self.call("hello.pyc", "--target=c", "-o", "-", "--role=Alice")
        self.assertTrue(done.stdout.startswith("// Generated by pychoralc"), done.stdout)

    def test_foreign_files_stay(self) -> None:
        self.write("out/alice.c", "int mine;\n")
        done = self.build()
        self.assertEqual(done.returncode, FILE)
        self.assertIn("was not written by pychoralc", done.stderr)
        self.assertEqual(self.names(), ["alice.c"])
        self.assertEqual(self.build("--force").returncode, DONE)

    def test_roles_that_are_gone(self) -> None:
        self.build()
        self.call("hello.pyc", "-o", "out", "--no-runtime")
        self.write("hello.pyc", HELLO.replace("Clean", "Bob"))
        done = self.build()
        self.assertEqual(re.findall(r"note: out/(\S+) is from", done.stderr), ["clean_.c"])

    def test_runtime_copied(self) -> None:
        done = self.call("hello.pyc", "--target=c", "-o", "out")
        self.assertEqual(done.returncode, DONE, done.stderr)
        for name in ("pychoral.h", "builtins/builtins.h", "builtins/exceptions.def"):
            self.assertTrue((self.out / "pychoral" / name).exists(), name)
        # Programs in Python may be there as well: their runtime is beside that for C.
        done = self.call("hello.pyc", "-o", "out")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertTrue((self.out / "pychoral/endpoint.py").exists())

    def test_runtime_of_an_older_version(self) -> None:
        """Sources that this version does not have stay where they are, and are not compiled."""
        old = self.out / "pychoral/old.c"
        for _ in range(2):
            done = self.call("hello.pyc", "--target=c", "-o", "out")
            self.assertEqual(done.returncode, DONE, done.stderr)
            old.write_text("void pychoral_receive(")
        said = subprocess.run(["make", "-C", self.out, "-n", "archive"], text=True, check=True,
                              capture_output=True).stdout
        self.assertIn("pychoral/value.c", said)
        self.assertIn("pychoral/modules/", said)
        self.assertNotIn("old.c", said)
        self.assertTrue(old.exists())


class Refused(Case):
    def test_command_line(self) -> None:
        for options in (["--compile"], ["--target=python", "--compile"],
                        ["--target=c", "--erase"], ["--no-line", "--erase"], ["--target=d"]):
            done = self.call("hello.pyc", "-o", "out", *options)
            self.assertEqual(done.returncode, USAGE, options)
        self.assertEqual(self.call("hello.pyc", "--target=c", "-o", "-", "--compile").returncode,
                         USAGE)
        self.assertFalse(self.out.exists())

    def test_library(self) -> None:
        self.write("lib.pyc", HELLO.replace("def main", "def ask"))
        done = self.build(source="lib.pyc")
        self.assertEqual(done.returncode, ERRORS)
        self.assertIn("error[E0802]: `lib.pyc` is a library", done.stderr)

    def test_interface(self) -> None:
        self.write("lib.pyc", HELLO.replace("def main", "def ask"))
        self.write("main.pyc", "from pychoral import Channel\n\nimport lib\n\n\n"
                               "def main(ch: Channel[str, A, B]) -> None:\n    lib.ask(ch)\n")
        self.assertEqual(self.call("lib.pyc", "-o", ".", "--no-runtime").returncode, DONE)
        (self.folder / "lib.pyc").unlink()
        done = self.build(source="main.pyc")
        self.assertEqual(done.returncode, ERRORS)
        self.assertIn("needs the source of `lib`", done.stderr)
        self.assertFalse(self.out.exists())


class Built(Case):
    def run_all(self, *names: str) -> list[str]:
        processes = [subprocess.Popen([self.out / name], stdout=subprocess.PIPE, text=True)
                     for name in names]
        return [process.communicate(timeout=60)[0] for process in processes]

    def test_compile(self) -> None:
        done = self.build("--compile")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("  CC    alice.c\n", done.stderr)
        self.assertEqual(self.run_all("alice", "clean_"), ["", "heard hello\n=> 'hello'\n"])
        self.assertEqual(self.build("--compile", "--quiet").stderr, "")
        subprocess.run(["make", "-C", self.out, "-s", "clean"], check=True)
        self.assertEqual(self.names(), ["Makefile", "alice.c", "clean_.c"])

    def test_other_flags(self) -> None:
        """Other flags than the last time make all anew; the same make nothing."""
        self.build("--compile")
        made = [subprocess.run(["make", "-C", self.out, *options], text=True, capture_output=True,
                               check=True).stdout.count("  CC  ")
                for options in ([], ["CFLAGS=-O0 -DX='a b'"], ["CFLAGS=-O0 -DX='a b'"], [])]
        self.assertEqual(made, [0, 2, 0, 2])

    def hardening(self, name: str, *options: str, cc: str = "cc") -> dict[str, bool]:
        """How a program and its object are hardened: what readelf says of them."""
        subprocess.run(["make", "-C", self.out, "-s", f"CC={cc}", *options], check=True)
        said = {option: subprocess.run(["readelf", option, self.out / file], text=True, check=True,
                                       capture_output=True, env=dict(os.environ, LC_ALL="C")).stdout
                for option, file in (("-h", name), ("-lW", name), ("-dW", name),
                                     ("-sW", f"{name}.o"), ("--dyn-syms", name))}
        return {"pie": "Position-Independent Executable" in said["-h"],
                "relro": "GNU_RELRO" in said["-lW"], "now": "BIND_NOW" in said["-dW"],
                "stack": "__stack_chk_fail" in said["-sW"],
                "no exec": " RWE " not in said["-lW"]}

    def test_hardened(self) -> None:
        """By default, by both compilers; what the user says comes last, and holds."""
        self.build()
        for cc in filter(shutil.which, ("gcc", "clang")):
            for options in ([], ["CFLAGS=-O0"], ["CFLAGS=-O1 -fsanitize=undefined"],
                            ["CFLAGS=-O2", "CPPFLAGS=-D_FORTIFY_SOURCE=1"]):
                found = self.hardening("clean_", *options, cc=cc)
                self.assertEqual({name for name in found if not found[name]}, set(), (cc, options))
        found = self.hardening("clean_", "CFLAGS=-fno-stack-protector",
                               "LDFLAGS=-no-pie -Wl,-z,lazy")
        self.assertEqual((found["pie"], found["now"], found["stack"]), (False, False, False))

    def test_fortified(self) -> None:
        """The functions of C that check bounds are called where the compiler optimises, unless the
        user or a sanitizer has others."""
        self.build()
        self.write("out/clean_.c", "#include <string.h>\nint main(int n, char **v) { char b[9]; "
                                   "strcpy(b, v[n - 1]); return (int)strlen(b); }\n")
        for options, fortified in (([], True), (["CFLAGS=-O1"], True), (["CFLAGS=-O2 -O0"], False),
                                   (["CFLAGS=-g"], False), (["CC=cc -O2", "CFLAGS=-g"], True),
                                   (["CFLAGS=-O2 -fsanitize=address"], False),
                                   (["CFLAGS=-O2 -U_FORTIFY_SOURCE"], False)):
            subprocess.run(["make", "-C", self.out, "-s", *options, "clean_.o"], check=True)
            said = subprocess.run(["readelf", "-sW", self.out / "clean_.o"], text=True, check=True,
                                  capture_output=True).stdout
            self.assertEqual("__strcpy_chk" in said, fortified, options)

    def test_compile_both_compilers(self) -> None:
        for cc in ("gcc", "clang"):
            if shutil.which(cc):
                done = self.build("--compile", CC=cc)
                self.assertEqual(done.returncode, DONE, done.stderr)
                subprocess.run(["make", "-C", self.out, "-s", "clean"], check=True)

    def test_compiler_fails(self) -> None:
        done = self.build("--compile", "--quiet", CC="false")
        self.assertEqual(done.returncode, FILE)
        self.assertIn("error[E0005]: the programs in `out` cannot be built", done.stderr)
        failing = "sh -c 'echo bad luck >&2; exit 1'"
        done = self.build("--compile", "--error-format=json", CC=failing)
        self.assertEqual(done.returncode, FILE)
        self.assertIn("bad luck", "".join(map(str, map(json.loads, done.stderr.splitlines()))))

    def test_no_make(self) -> None:
        done = self.build("--compile", PATH="/nowhere")
        self.assertEqual(done.returncode, FILE)
        self.assertIn("`make` cannot be started", done.stderr)

    def test_missing_package(self) -> None:
        self.build()
        done = subprocess.run(["make", "-C", self.out, "CPPFLAGS=-nostdinc"], text=True,
                              capture_output=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("gmp.h is missing: apt-get install libgmp-dev\n", done.stderr)

    def test_foreign_module(self) -> None:
        self.write("stock.pyi", "def price(item: int) -> int: ...\n")
        self.write("shop.pyc", FOREIGN)
        done = self.build("--compile", source="shop.pyc")
        self.assertEqual(done.returncode, FILE)
        self.assertIn("stock.c is missing: you write it, for stock.h; it is looked for here and in "
                      f"FOREIGN={self.folder.resolve()}\n", done.stderr)
        self.write("stock.c", FOREIGN_C)
        done = self.build("--compile", source="shop.pyc")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.run_all("a", "b"), ["", "=> 107\n"])

    def test_foreign_warnings(self) -> None:
        """The system's functions are there, and what is not declared is an error."""
        self.write("stock.pyi", "def price(item: int) -> int: ...\n")
        self.write("shop.pyc", FOREIGN)
        self.write("stock.c", "#define _GNU_SOURCE\n#include <string.h>\n" + FOREIGN_C
                   + "size_t unused(int x);\nsize_t unused(int x) "
                     "{ return *(char *)memmem(strdup(\"abc\"), 3, \"c\", 1); }\n")
        done = self.build("--compile", source="shop.pyc")
        self.assertEqual((done.returncode, done.stderr.count("warning")), (DONE, 0), done.stderr)
        self.write("stock.c", FOREIGN_C.replace("pychoral_int_add", "pychoral_plus"))
        done = self.build("--compile", source="shop.pyc")
        self.assertEqual(done.returncode, FILE)
        self.assertRegex(done.stderr, "error: .*pychoral_plus")

    def test_foreign_types(self) -> None:
        self.write("goods.pyi", GOODS_STUB)
        self.write("goods.c", GOODS_C)
        self.write("shop.pyc", GOODS)
        done = self.build("--compile", source="shop.pyc")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.run_all("a", "b"), [
            "-4.5 18.0\n['tea', 'salt'] 1 None\n2\n('x', 1) 5\ncaught no gold here\n"
            "1 100000000000000000003\n", "0\n"])
        self.assertNotIn("#include \"goods.h\"", (self.out / "b.c").read_text())

    def test_foreign_as_documented(self) -> None:
        """The module of docs/c-target.md, beside its twin in Python."""
        page = (ROOT / "docs/c-target.md").read_text(encoding="utf-8")
        for mark, name in (("```text\n# ", "stock.pyi"), ("```c\n// ", "stock.c")):
            start = page.index(mark + name) + len(mark + name)
            self.write(name, page[start:page.index("```", start)])
        self.write("shop.pyc", SHOP)
        self.write("twins/stock.py", SHOP_TWIN)
        done = self.build("--compile", source="shop.pyc")
        self.assertEqual((done.returncode, done.stderr.count("warning")), (DONE, 0), done.stderr)
        self.assertEqual(self.run_all("a", "b"), [SHOP_LINES, "3\n"])
        done = self.call("run", "shop.pyc", "--target=B=c", PYTHONPATH=str(self.folder / "twins"))
        lines = "".join(f"A: {line}\n" for line in SHOP_LINES.splitlines())
        self.assertEqual((done.returncode, done.stdout), (DONE, lines + "B: 3\n"), done.stderr)

    def test_foreign_refused(self) -> None:
        self.write("goods.pyi", GOODS_STUB)
        self.write("shop.pyc", GOODS.replace("goods.items()", "goods.same(3)"))
        self.assertIn("the C target does not support `goods.same`",
                      self.build(source="shop.pyc").stderr)
        self.write("shop.pyc", FOREIGN)
        self.assertIn("the C target does not support `stock.price`",
                      self.build(source="shop.pyc").stderr)


class Twins(Case):
    """The C program of a role and its Python twin have one command line."""

    program = GREET

    def setUp(self) -> None:
        super().setUp()
        self.write("greet.pyc", self.program)
        done = self.build("--compile", source="greet.pyc")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.call("greet.pyc", "-o", "out").returncode, DONE)

    def both(self, role: str, *arguments: str) -> None:
        in_c, in_python = (
            subprocess.run([*map(str, words), *arguments], text=True, capture_output=True,
                           timeout=60)
            for words in ([self.out / role], [sys.executable, self.out / f"{role}.py"]))
        self.assertEqual((in_c.returncode, in_c.stdout, in_c.stderr),
                         (in_python.returncode, in_python.stdout, in_python.stderr), arguments)

    def test_help(self) -> None:
        for role in ("a", "b"):
            self.both(role, "--help")

    def test_wrong(self) -> None:
        self.both("a")
        self.both("a", "--name=x", "--times=two")
        self.both("a", "--nam=x")
        self.both("b", "--name=x")
        self.both("b", "--timeout=soon")


OPTIONS = '''\
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from pychoral import At, Channel


class Size(Enum):
    SMALL = 1
    LARGE = 2


FEW = frozenset(n * n for n in range(2, 3))
COUNT = max(FEW) // 2


@dataclass
class Part:
    size: Size = Size.SMALL
    tags: list[str] = field(default_factory=list)


@dataclass
class Order:
    name: str
    count: int = COUNT
    part: Part = field(default_factory=lambda: Part(Size.LARGE))
    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        if self.count < 0:
            raise ValueError(f"a negative count: {self.count}")
        self.name = self.name.title()


def main(ch: Channel[int, A, B], orders: At[list[Order], A],
         kind: At[Literal["tea", "c'ake"], A] = "tea",
         numbers: At[frozenset[int], A] = FEW) -> None:
    print(*orders, kind, sorted(numbers), sep="\\n")
'''
ORDERS = """[{'name': 'n'}, {'name': 'n', 'count': 3, 'part': {'tags': ['x']}},
{'name': 'n', 'parts': ({'size': 'LARGE'}, {})}]"""
MADE = """\
A: Order(name='N', count=2, part=Part(size=<Size.LARGE: 2>, tags=[]), parts=())
A: Order(name='N', count=3, part=Part(size=<Size.SMALL: 1>, tags=['x']), parts=())
A: Order(name='N', count=2, part=Part(size=<Size.LARGE: 2>, tags=[]), \
parts=(Part(size=<Size.LARGE: 2>, tags=[]), Part(size=<Size.SMALL: 1>, tags=[])))
A: c'ake
A: [1, 3]
"""


class TwinsOfOptions(Twins):
    """Values that are made of what the command line leaves out."""

    program = OPTIONS

    def test_help(self) -> None:
        self.both("a", "--help")

    def test_made(self) -> None:
        for target in ("c", "python"):
            done = self.call("run", "greet.pyc", f"--target={target}", f"--A.orders={ORDERS}",
                             "--A.kind=c'ake", "--A.numbers={3, 1}")
            self.assertEqual((done.returncode, done.stdout), (DONE, MADE), done.stderr)

    def test_wrong(self) -> None:
        for order in ("{}", "{'name': 'n', 'count': -1}", "{'name': 1}", "{'name': 'n', 'kind': 2}",
                      "{'name': 'n', 'part': {'size': 'HUGE'}}", "[]", "n"):
            self.both("a", f"--orders=[{order}]")
        self.both("a", "--orders=[]", "--kind=coffee")
        self.both("a", "--orders=[]", "--numbers={'x'}")


MEMBERS = """from enum import Enum
from typing import Optional
from pychoral import At, Channel


class Move(Enum):
    ROCK = 1
    PAPER = 2


def main(ch: Channel[Move, A, B], a: At[Move, A], xs: At[list[Move], A] = [],
         d: At[dict[Move, int], A] = {}, o: At[Optional[Move], A] = None,
         ss: At[list[str], A] = [], ys: At[list[object], A] = []) -> None:
    print(ch.com(a))
    print(xs, d, o, ss)@A
"""


class TwinsOfMembers(Twins):
    """Members of enums as people write them; where none is wanted, a name is no literal."""

    program = MEMBERS

    def test_help(self) -> None:
        self.both("a", "--help")

    def test_taken(self) -> None:
        said = ("A: [<Move.ROCK: 1>, <Move.PAPER: 2>, <Move.ROCK: 1>] "
                "{<Move.PAPER: 2>: 3} Move.ROCK ['ROCK']\nB: Move.PAPER\n")
        for target in ("c", "python"):
            done = self.call("run", "greet.pyc", f"--target={target}", "--A.a=Move.PAPER",
                             "--A.xs=[ROCK, Move . PAPER, 'ROCK']", "--A.d={PAPER: 3}",
                             "--A.o=Move.ROCK", "--A.ss=['ROCK']")
            self.assertEqual((done.returncode, "".join(sorted(done.stdout.splitlines(True)))),
                             (DONE, said), done.stderr)

    def test_wrong(self) -> None:
        for word in ('"ROCK"', "Mov.ROCK", "Move.", "Move.Move.ROCK", "rock"):
            self.both("a", f"--a={word}")
        for item in ("ROCKY", "a.b.ROCK", "ROCK.", ".ROCK", "set()", "None", "1", "_x", "r", "b",
                     "ROCK PAPER", "ROCK()", "-ROCK", "1+ROCK", "ROCK if 1 else 2", "ROCK.x"):
            self.both("a", "--a=ROCK", f"--xs=[{item}]")
        for option in ("--xs=ROCK", "--xs={ROCK}", "--d={ROCK: ROCK}", "--d={1: 1}", "--o=ROCKY",
                       "--ss=[ROCK]", "--ys=[ROCK]", "--ys=[1, ([{2: ROCK}],)]"):
            self.both("a", "--a=ROCK", option)


ALL_OPTIONS = """
from enum import Enum
from typing import Literal, Optional
from pychoral import At


class Colour(Enum):
    RED = 1
    GREEN = "green"


def main(n: At[int, A], f: At[float, A] = 1.5, s: At[str, A] = "x y", b: At[bool, A] = False,
         o: At[int | None, A] = None, p: At[Optional[str], A] = None,
         xs: At[list[int], A] = [1, 2], d: At[dict[str, float], A] = {"a": 1.0},
         t: At[tuple[int, str], A] = (1, "b"), e: At[Colour, A] = Colour.RED,
         m: At[Literal["fast", "slow"], A] = "fast",
         u: At[int | str, A] = 3, v: At[int | bool | None, A] = 3, y: At[bytes, A] = b"q",
         z: At[set[int], A] = {1}, l: At[list[str | None], A] = [None],
         w: At[tuple[float, ...], A] = (1.0,), r: At[list[float | int], A] = [1],
         c: At[complex, A] = 1j) -> None:
    print(n, f, s, b, o, p, xs, d, t, e, m, u, v, y, z, l, w, r, c)
"""
WRONG = """f=x f= n=2.5 b=maybe o=none o=2.5 xs=[1 xs=3 xs=['a'] xs=(1,) d={'a':'b'} d={1:2.0} d=[]
    t=(1,) t=[1,'a'] e=BLUE e= m=other m="slow" v=x z=[1] z={'a'} l=['a',1] l=x w=('a',)
    w=5 r=[None] c=x c=[1] y=b'x nope=3 timeout=soon bind=foo plain=1 log-level=loud
    connect=C=tcp://x:1 key=x config=nofile""".split()
RIGHT = """f=2 b=YES o=None o=4 xs=[]#none d={} t=(2,'c') e=GREEN m=slow u=4 u=x v=1 v=true
    v=None y=b'\\n' y=x z=set() l=['a',None] w=() r=[1,2.5] c=2 s= p=None p=q n=5""".split()


class TwinsOfAllOptions(Twins):
    """Options of all types: what help says of them, which values they take, what is wrong."""

    def setUp(self) -> None:
        Case.setUp(self)
        self.write("options.pyc", ALL_OPTIONS)
        done = self.build("--compile", source="options.pyc")
        self.assertEqual(done.returncode, DONE, done.stderr)
        done = self.call("options.pyc", "-o", "out")
        self.assertEqual(done.returncode, DONE, done.stderr)

    def test_help(self) -> None:
        self.both("a", "--help")

    def test_wrong(self) -> None:
        self.both("a")
        self.both("a", "x")
        for each in WRONG:
            self.both("a", "--n=1", f"--{each}")

    def test_right(self) -> None:
        for each in RIGHT:
            self.both("a", "--n=1", f"--{each}")


KEPT = """\
from dataclasses import dataclass
from typing import Generic, TypeVar
from pychoral import At, Channel

T = TypeVar("T")

@dataclass
class Box(Generic[T]):
    v: T

def big() -> Box[float]:
    return Box(10**400)

def main(c: Channel[list[Box[float]], A, B]) -> None:
    print("sent" if c.com([big()@A]) else "no")
"""


class Running(Case):
    def test_kept_numbers_are_refused_by_their_sender(self) -> None:
        (self.folder / "kept.pyc").write_text(KEPT)
        done = self.call("run", "kept.pyc", "--target=A=c,B=python")
        self.assertIn("A: pychoral.errors.NotSendable: the value cannot be sent: its part `[0].v` "
                      "is an int too large for a float (kept.pyc:15)", done.stderr)

    def test_targets(self) -> None:
        for target in ("c", "mixed", "python", "Clean=c", "Alice=c,Clean=python"):
            done = self.call("run", "hello.pyc", f"--target={target}")
            self.assertEqual((done.returncode, done.stderr), (DONE, ""))
            self.assertEqual(done.stdout, "Clean: heard hello\nClean: => 'hello'\n")

    def test_odd_file_names(self) -> None:
        for name in ('a"b.pyc', "back\\slash?.pyc", "new\nline.pyc", "%d{}.pyc"):
            shutil.copy(self.folder / "hello.pyc", self.folder / name)
            done = self.call("run", name, "--target=c")
            self.assertEqual((done.returncode, done.stdout), (DONE, "Clean: heard hello\n"
                             "Clean: => 'hello'\n"), f"{name!r}: {done.stderr}")

    def test_wrong_targets(self) -> None:
        for target in ("d", "Bob=c", "Alice=d", "Alice=c,", "=c", "Alice"):
            done = self.call("run", "hello.pyc", f"--target={target}")
            self.assertEqual(done.returncode, USAGE, target)

    def test_failure(self) -> None:
        self.write("bad.pyc", HELLO.replace('"heard", heard', "1 // (len(heard) - 5)"))
        for target in ("c", "mixed"):
            done = self.call("run", "bad.pyc", f"--target={target}")
            self.assertEqual(done.returncode, ENDPOINT)
            self.assertIn("ZeroDivisionError: integer division or modulo by zero", done.stderr)
            self.assertIn("Clean failed with exit status 1", done.stderr)
            frames = re.findall(r"line (\d+), in (\w+|<module>)", done.stderr)
            self.assertEqual([name for _, name in frames], ["main_Clean"], done.stderr)

    def test_killed(self) -> None:
        """A role that a signal ends is named at once; nobody waits for it."""
        self.write("stock.pyi", "def price(item: int) -> int: ...\n")
        self.write("shop.pyc", FOREIGN)
        self.write("stock.c", FOREIGN_C.replace("return", "*(volatile int *)0 = 0;\n    return"))
        began = time.monotonic()
        done = self.call("run", "shop.pyc", "--target=c", "--timeout=60")
        self.assertEqual(done.returncode, ENDPOINT)
        self.assertLess(time.monotonic() - began, 30)
        self.assertIn("A was killed by SIGSEGV (segmentation fault)\n", done.stderr)
        self.assertIn("error[E0008]: A was killed by SIGSEGV (segmentation fault)\n", done.stderr)
        self.assertRegex(done.stderr, "note: B (did not fail|exited with status 75)")
        self.assertIn("`gdb --args DIR/a`", done.stderr)

    def test_not_compiled(self) -> None:
        done = self.call("run", "hello.pyc", "--target=c", CC="false")
        self.assertEqual(done.returncode, FILE)
        self.assertIn("cannot be built", done.stderr)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
