"""truth.py - what the comparisons with CPython stand on.

The truth about Python's syntax is CPython's own `ast` module, of the newest interpreter up to
3.13 that runs here.  A comparison script calls `become_truth()` first: it starts itself again
under that interpreter, so that everything after the call *is* the truth.

`Compiler` is one `pychoralc parse --batch` process: many inputs, one JSON line each.
`difference()` finds the first place where a tree of ours is not CPython's.
"""

import ast
import json
import os
import subprocess
import sys

NEWEST = (3, 13)
POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.setrecursionlimit(20_000)


# ---- choosing the interpreter -----------------------------------------------------------------

def candidates():
    """Commands that may start an interpreter, newest first, as (argv, environment)."""
    for minor in (13, 12):
        yield [f"python3.{minor}"], {}
        for patch in ("", ".0", ".1"):
            yield ["python3"], {"PYENV_VERSION": f"3.{minor}{patch}"}
    yield ["python3.11"], {}
    yield [sys.executable], {}


def clean_environment():
    """Without what pyenv's shim added for the version that runs this: it would hide the others."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    path = os.pathsep.join(f for f in folders if "/.pyenv/versions/" not in f)
    return {**os.environ, "PATH": path}


def version_of(command, environment):
    """The version of an interpreter that really runs (a version manager's shim may not)."""
    probe = "import sys, ast; print(sys.executable, *sys.version_info[:2])"
    try:
        done = subprocess.run(command + ["-c", probe], env={**clean_environment(), **environment},
                              capture_output=True, text=True, timeout=20, check=True)
        executable, major, minor = done.stdout.rsplit(maxsplit=2)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return executable, (int(major), int(minor))


def newest_interpreter():
    """The executable and version of the newest interpreter that runs, not above NEWEST."""
    best = sys.executable, sys.version_info[:2]
    if best[1] > NEWEST:
        best = sys.executable, (0, 0)
    for command, environment in candidates():
        if best[1] == NEWEST:
            break
        found = version_of(command, environment)
        if found and best[1] < found[1] <= NEWEST:
            best = found
    return best


def become_truth():
    """Continue under the newest interpreter; `TRUTH=EXECUTABLE` in the environment chooses one."""
    if os.environ.get("PYCHORAL_TRUTH_CHOSEN"):
        return
    executable = os.environ.get("TRUTH") or newest_interpreter()[0]
    environment = {**os.environ, "PYCHORAL_TRUTH_CHOSEN": "1"}
    os.execve(executable, [executable, *sys.argv], environment)


def describe():
    version = ".".join(map(str, sys.version_info[:3]))
    text = f"truth: CPython {version} ({sys.executable})"
    if sys.version_info < NEWEST:
        text += "; forms newer than that are compared with stored goldens only"
    return text


def require_compiler(executable):
    if not os.access(executable, os.X_OK):
        sys.exit(f"no compiler at {executable}: run make, or set PYCHORALC or --compiler")


def parse(source):
    """CPython's tree of a text or bytes, or None where it rejects them."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, UnicodeError):
        return None


# ---- our compiler -----------------------------------------------------------------------------

def default_compiler():
    return os.environ.get("PYCHORALC") or os.path.join(ROOT, "build", "release", "pychoralc")


class Compiler:
    """One `pychoralc parse` process that answers many inputs, in their order.

    `kind` is "files" (inputs are names) or "texts"; `form` is --ast=json, --ast, --python ...
    An answer is a dict: `ok`, and `tree` or `text` when it is true.
    """

    def __init__(self, kind, form, inputs, executable=None):
        self.inputs = inputs
        self.process = subprocess.Popen(
            [executable or default_compiler(), "parse", form, f"--batch={kind}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def lines(self):
        """The answers as bytes, one line each; the inputs are written by a second process."""
        child = os.fork()
        if child == 0:
            self.process.stdout.close()
            try:
                with self.process.stdin as pipe:
                    for item in self.inputs:
                        pipe.write(os.fsencode(item) + b"\0")
            finally:
                os._exit(0)
        self.process.stdin.close()
        count = 0
        for line in self.process.stdout:
            count += 1
            yield line
        os.waitpid(child, 0)
        status = self.process.wait()
        if status != 0 or count != len(self.inputs):
            at = repr(self.inputs[count])[:2000] if count < len(self.inputs) else "the end"
            raise RuntimeError(f"pychoralc ended with status {status} at {at}")

    def answers(self):
        for line in self.lines():
            yield json.loads(line.decode("utf-8", "replace"))


# ---- comparing a tree of ours (JSON) with CPython's ----------------------------------------------

def constant_text(value):
    """A constant as our JSON has it."""
    if value is None:
        return "none", ""
    if value is Ellipsis:
        return "ellipsis", ""
    if isinstance(value, bool):
        return "bool", str(value)
    if isinstance(value, int):
        return "int", integer_text(value)
    if isinstance(value, float):
        return "float", value.hex()
    if isinstance(value, complex):
        return "complex", value.imag.hex()
    if isinstance(value, bytes):
        return "bytes", value.hex()
    return "str", joined_surrogates(value)


def integer_text(value):
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(value)
    finally:
        sys.set_int_max_str_digits(limit)


def joined_surrogates(text):
    """JSON cannot tell two adjacent surrogates from the one character they spell."""
    if text.isascii() or not any("\ud800" <= c <= "\udbff" for c in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class Difference(Exception):
    """The first place where two trees differ."""


class Comparison:
    """Compares node by node; `positions` of every node, or inside f-strings too."""

    def __init__(self, positions=True, in_fstrings=None):
        self.positions = positions
        self.in_fstrings = sys.version_info >= (3, 12) if in_fstrings is None else in_fstrings
        self.nodes = 0

    def tree(self, theirs, ours):
        """None, or a sentence that says where the trees differ first."""
        try:
            self.node(theirs, ours, self.positions)
        except Difference as found:
            path = "".join(reversed(found.args[1:]))
            return f"{found.args[0]} at Module{path}"
        return None

    def node(self, theirs, ours, positions):
        self.nodes += 1
        name = type(theirs).__name__
        if ours["_type"] != name:
            raise Difference(f"CPython has {name}, we have {ours['_type']}{self.where(theirs)}")
        if positions and theirs._attributes:
            for attribute in POSITIONS:
                if getattr(theirs, attribute) != ours[attribute]:
                    raise Difference(f"positions of {name}: CPython has {span(theirs)},"
                                     f" we have {span_json(ours)}")
        if name == "JoinedStr":
            positions = positions and self.in_fstrings
            mend_joined_str(theirs, ours)
        for field in theirs._fields:
            if field == "type_ignores":
                continue
            if field not in ours:
                raise Difference(f"{name} has no field {field}")
            try:
                if field == "value" and name in ("Constant", "MatchSingleton"):
                    self.constant(theirs, ours[field])
                else:
                    self.value(getattr(theirs, field), ours[field], positions)
            except Difference as found:
                found.args += (f".{field}",)
                raise

    def value(self, theirs, ours, positions):
        if isinstance(theirs, ast.AST):
            if not isinstance(ours, dict):
                raise Difference(f"CPython has {type(theirs).__name__}, we have {ours!r}"
                                 f"{self.where(theirs)}")
            self.node(theirs, ours, positions)
        elif isinstance(theirs, list):
            self.items(theirs, ours, positions)
        elif theirs != ours:
            raise Difference(f"CPython has {theirs!r}, we have {short(ours)}")

    def items(self, theirs, ours, positions):
        if not isinstance(ours, list):
            raise Difference(f"CPython has a list, we have {short(ours)}")
        for index, (left, right) in enumerate(zip(theirs, ours)):
            try:
                self.value(left, right, positions)
            except Difference as found:
                found.args += (f"[{index}]",)
                raise
        if len(theirs) != len(ours):
            raise Difference(f"CPython has {len(theirs)} items, we have {len(ours)}")

    def constant(self, theirs, ours):
        expected = constant_text(theirs.value)
        if expected != (ours["kind"], joined_surrogates(ours["value"])):
            raise Difference(f"CPython has {expected}, we have {short(ours)}{self.where(theirs)}")

    def where(self, node):
        return f" (line {node.lineno}, column {node.col_offset})" if node._attributes else ""


def mend_joined_str(node, ours=None):
    """Makes the parts of an f-string what 3.13 says they are.

    Before 3.12 the prefix u of the first literal counted for all: it is taken from our tree, or
    ignored.  3.12.0 and 3.12.1 put an empty constant beside each field of a format.
    """
    if sys.version_info < (3, 12):
        for i, part in enumerate(node.values):
            if isinstance(part, ast.Constant):
                known = ours is not None and i < len(ours["values"])
                part.kind = ours["values"][i].get("kind") if known else None
    elif sys.version_info < (3, 13):
        node.values = [part for part in node.values
                       if not (isinstance(part, ast.Constant) and part.value == "")]


def span(node):
    return tuple(getattr(node, attribute) for attribute in POSITIONS)


def span_json(ours):
    return tuple(ours.get(attribute) for attribute in POSITIONS)


def short(value):
    text = repr(value)
    return text if len(text) <= 200 else text[:197] + "..."


def same_tree(left, right):
    """Whether two of CPython's trees are equal, positions aside; None or the differing pair."""
    stack = [(left, right)]
    while stack:
        a, b = stack.pop()
        if type(a) is not type(b):
            return a, b
        if isinstance(a, ast.AST):
            if isinstance(a, ast.JoinedStr):
                mend_joined_str(a)
                mend_joined_str(b)
            stack.extend((getattr(a, f, None), getattr(b, f, None)) for f in a._fields)
        elif isinstance(a, list):
            if len(a) != len(b):
                return a, b
            stack.extend(zip(a, b))
        elif a != b or (isinstance(a, (float, complex)) and repr(a) != repr(b)):
            return a, b
    return None
