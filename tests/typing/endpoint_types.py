#!/usr/bin/env python3
"""Every expression of every projected program has a type that the C target can use.

`--dump-ir=type` of each sample and annotated program is read; an expression that is evaluated and
has no type, or one that is not known in full, is an exception.  Exceptions are counted by what they
are; more than the limits below are a failure.
"""

import argparse
import concurrent.futures
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("samples", "tests/programs", "tests/regress", "tests/modules", "tests/typing")
TOKEN = re.compile(r'\(|\)|\[|\]|"(?:[^"\\]|\\.)*"|[^\s()\[\]"]+')

EXPRESSIONS = set(
    "BoolOp NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp DictComp GeneratorExp "
    "Await Yield YieldFrom Compare Call FormattedValue JoinedStr Constant Attribute Subscript "
    "Starred Name List Tuple Slice Unit Send Recv SendLabel".split()
)
STATEMENTS = set(
    "FunctionDef ClassDef Return Delete Assign TypeAlias AugAssign AnnAssign For While If With "
    "Match Raise Try Assert Import ImportFrom Global Nonlocal Expr Pass Break Continue Offer "
    "Stopped".split()
)
# Fields that are not evaluated, or that mean a type.
NOT_EVALUATED = {
    "FunctionDef": (4,), "Arg": (1,), "AnnAssign": (1,), "ClassDef": (1,),
    "Send": (2,), "Recv": (1,),
}
MAKES_TYPES = ("TypeVar", "NewType", "ParamSpec", "NamedTuple", "TypedDict", "cast")


# What remains: values of which the programs themselves say Any, what a generic choreography
# receives, `sys.version_info`. A share of all expressions, so that new programs do not move it.
MOST_EXCEPTIONS = 0.0195
LEAST_PROGRAMS = 250


class Node:
    def __init__(self, form, line):
        self.form, self.line, self.attributes, self.fields = form, line, {}, []


def read(text):
    """The tree of a dump: Nodes, lists, and words."""
    tokens = TOKEN.findall(text)
    stack, i = [[]], 0
    while i < len(tokens):
        t = tokens[i]
        if t == "(":
            i += 1
            stack.append(Node(tokens[i], ""))
        elif t == "[":
            stack.append([])
        elif t in ")]":
            done = stack.pop()
            put(stack[-1], done)
        else:
            put(stack[-1], t)
        i += 1
    return stack[0][0]


def put(to, item):
    if isinstance(to, list):
        to.append(item)
    elif isinstance(item, str) and item.startswith("@") and not to.line:
        to.line = item
    elif isinstance(item, str) and item in (":ty", ":roles", ":bound"):
        to.attributes["next"] = item
    elif "next" in to.attributes:
        to.attributes[to.attributes.pop("next")] = item
    else:
        to.fields.append(item)


def vague(ty):
    """Whether a type, or a part of it, is not known.  Callable([Poison], R) takes anything."""
    if isinstance(ty, list):
        return any(vague(t) for t in ty)
    if not isinstance(ty, Node):
        return False
    if ty.form in ("Any", "Poison"):
        return True
    if ty.form == "Named" and ty.fields[0] in ("list", "dict", "set", "tuple") and not ty.fields[1]:
        return True
    if ty.form == "Callable" or (ty.form == "Named" and ty.fields[0] == "type"):
        return False
    return any(vague(f) for f in ty.fields)


def show(ty):
    if ty is None:
        return "nothing"
    if isinstance(ty, list):
        return "[" + ", ".join(show(t) for t in ty) + "]"
    if not isinstance(ty, Node):
        return ty
    if ty.form == "Named":
        return ty.fields[0] + (show(ty.fields[1]) if ty.fields[1] else "")
    return ty.form + ("(" + ", ".join(show(f) for f in ty.fields) + ")" if ty.fields else "")


def text_of(node):
    if isinstance(node, Node) and node.form == "Name":
        return node.fields[0]
    if isinstance(node, Node) and node.form == "Attribute":
        return text_of(node.fields[0]) + "." + node.fields[1]
    if isinstance(node, Node) and node.form == "Call":
        return text_of(node.fields[0]) + "()"
    if isinstance(node, Node) and node.form == "Subscript":
        return text_of(node.fields[0]) + "[]"
    return node.form if isinstance(node, Node) else "?"


class Survey:
    def __init__(self, path):
        self.path, self.count, self.unreached = path, 0, 0
        self.exceptions = []

    def statement(self, s):
        own = []
        self.collect(s, own)
        missing = [e for e in own if ":ty" not in e.attributes]
        if own and len(missing) == len(own) and s.form not in ("FunctionDef", "ClassDef"):
            self.unreached += 1
            return
        for e in own:
            self.count += 1
            ty = e.attributes.get(":ty")
            if ty is None or vague(ty):
                self.exceptions.append((s.form, text_of(e), e.line, show(ty)))

    def collect(self, node, own):
        """The expressions of a statement; the statements inside are looked at on their own."""
        if isinstance(node, list):
            for n in node:
                if isinstance(n, Node) and n.form in STATEMENTS:
                    self.statement(n)
                else:
                    self.collect(n, own)
            return
        if not isinstance(node, Node):
            return
        if node.form in EXPRESSIONS:
            own.append(node)
        if node.form == "Assign" and show(node.fields[1].attributes.get(":ty")).startswith("type["):
            return
        if node.form == "Delete":
            own += [n for n in node.fields[0] if n.form != "Subscript"]
            for n in node.fields[0]:
                self.collect(n.fields, own)
            return
        if node.form == "Call" and text_of(node.fields[0]).split(".")[-1] in MAKES_TYPES:
            own.pop()
            return
        skipped = NOT_EVALUATED.get(node.form, ())
        if node.form in ("FunctionDef", "ClassDef") and len(node.fields) > 3:
            skipped += (4,) if node.form == "ClassDef" else (3,)
            body = node.fields[3] if node.form == "ClassDef" else node.fields[2]
            self.collect(body, own)
            return
        for i, field in enumerate(node.fields):
            if i not in skipped:
                self.collect(field, own)


def survey(compiler, path, after):
    run = subprocess.run(
        [compiler, "check", str(path), "--dump-ir=" + after], capture_output=True, text=True,
        timeout=60, cwd=ROOT)
    s = Survey(path)
    if not run.stdout.startswith("(Endpoints"):
        return s
    sys.setrecursionlimit(100000)
    unit = read(run.stdout)
    for endpoint in unit.fields[0] + unit.fields[1]:
        s.collect(endpoint.fields[1], [])
    return s


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default=str(ROOT / "build/release/pychoralc"))
    parser.add_argument("--list", action="store_true", help="show every exception")
    parser.add_argument("--after", default="type", metavar="PASS", help="type (default) or desugar")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    compiler = str(Path(options.compiler).resolve())
    files = [Path(f).resolve() for f in options.files] or sorted(
        f for folder in FOLDERS for f in (ROOT / folder).rglob("*.pyc"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        all_ = list(pool.map(lambda f: survey(compiler, f, options.after), files))
    total = sum(s.count for s in all_)
    bad = sum(len(s.exceptions) for s in all_)
    programs = sum(1 for s in all_ if s.count)
    if options.list:
        for s in all_:
            for form, text, line, ty in s.exceptions:
                print(f"{s.path.name} {line}: {form}: {text}: {ty}")
    print(f"{programs} programs, {total} expressions, {bad} without a type known in full "
          f"({100 * bad / max(total, 1):.2f} %), "
          f"{sum(s.unreached for s in all_)} unreached statements")
    if not options.files and (programs < LEAST_PROGRAMS or bad > MOST_EXCEPTIONS * total):
        print(f"more than {100 * MOST_EXCEPTIONS:.2f} % exceptions, or less than "
              f"{LEAST_PROGRAMS} programs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
