"""fuzz.py [--count N] [--seed S|fresh] [--seconds T] [--keep FOLDER] - random programs.

Each program runs plainly and with the default hooks, in both modes, and with `light` or `rest` by
turns; what it prints and raises must be equal.

The programs jump out of loops in `try` in `with`, are generators, catch StopIteration
and UnboundLocalError, have closures, class bodies, `del`, `nonlocal`, `match`.  Loops use up fuel,
and values are kept small, so that every program ends soon.  A program is known by its seed alone.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from pathlib import Path

from programs import READY, WAYS, compiled, differences

SECONDS = 20.0      # of CPU: a program that does not end takes the machine's memory else
PRELUDE = '''\
fuel = [90]
def tick():
    fuel[0] -= 1
    if fuel[0] < 0: raise SystemExit("no fuel")
    return True
def lim(x):
    if isinstance(x, bool): return x
    if isinstance(x, int): return x % 997
    if isinstance(x, str): return x[:6]
    if isinstance(x, (list, tuple)): x = x[:6]
    return x if len(repr(x)) < 150 else 3
def say(x):
    print("say", x if isinstance(x, (int, str, list, tuple)) else type(x).__name__)
    return x
class Odd(Exception): pass
class Man:
    def __init__(self, eat, value=0): self.eat, self.value = eat, value
    def __enter__(self): print("enter"); return self.value
    def __exit__(self, kind, value, tb):
        print("exit", kind and kind.__name__)
        return self.eat and kind is not SystemExit
class Rec:
    def __init__(self, x=0): self.x, self.items = x, [1, 2, 3]
    def __getitem__(self, i): return self.items[i]
    def __setitem__(self, i, v): self.items[i] = v
    def __delitem__(self, i): del self.items[i]
    def __repr__(self): return "rec"
'''

NAMES = "abcde"
BINARY = ["+", "-", "%", "//", "&", "|", "^"]
COMPARE = ["<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in"]
ERRORS = [
    "ValueError", "KeyError", "Odd", "StopIteration", "UnboundLocalError", "ZeroDivisionError",
    "(TypeError, IndexError)", "NameError", "Exception", "AttributeError", "RuntimeError",
]  # fmt: skip


class Block:
    """What may stand where a statement is generated."""

    def __init__(self, kind: str, outer: list[str]) -> None:
        self.kind = kind                # function, generator, class, module
        self.outer = outer              # names that `nonlocal` may name
        self.loop = False
        self.in_finally = False


class Program:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.functions: list[tuple[str, str]] = []
        self.number = 0

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def fresh(self, stem: str) -> str:
        self.number += 1
        return f"{stem}{self.number}"

    # ---- expressions ----

    def name(self) -> str:
        return self.random.choice(NAMES)

    def value(self, depth: int = 2) -> str:
        options = ["name", "name", "number", "text", "list", "say"]
        if depth:
            options += ["binary", "compare", "bool", "if", "comp", "lambda", "item", "attr", "call",
                        "chain", "walrus", "format", "unary", "star"]
        kind = self.random.choice(options)
        return str(getattr(self, "value_" + kind)(depth - 1))

    def value_name(self, depth: int) -> str:
        return self.name()

    def value_number(self, depth: int) -> str:
        return str(self.random.randrange(-2, 5))

    def value_text(self, depth: int) -> str:
        return self.pick('"s"', "'tu'", '""', "None", "True", "()")

    def value_list(self, depth: int) -> str:
        return f"[{self.name()}, {self.value_number(0)}]"

    def value_say(self, depth: int) -> str:
        return f"say({self.value(max(depth, 0))})"

    def value_binary(self, depth: int) -> str:
        return f"({self.value(depth)} {self.random.choice(BINARY)} {self.value(depth)})"

    def value_unary(self, depth: int) -> str:
        return f"({self.pick('-', '~', 'not ', '+')}{self.value(depth)})"

    def value_compare(self, depth: int) -> str:
        return f"({self.value(depth)} {self.random.choice(COMPARE[:6])} {self.value(depth)})"

    def value_chain(self, depth: int) -> str:
        parts = [self.value(depth)]
        for _ in range(self.random.randrange(2, 4)):
            parts += [self.random.choice(COMPARE), self.value(0)]
        return f"({' '.join(parts)})"

    def value_bool(self, depth: int) -> str:
        word = self.pick(" and ", " or ")
        return f"({word.join(self.value(depth) for _ in range(self.random.randrange(2, 4)))})"

    def value_if(self, depth: int) -> str:
        return f"({self.value(depth)} if {self.value(depth)} else {self.value(depth)})"

    def value_comp(self, depth: int) -> str:
        body = f"for v in [{self.value(0)}, {self.value(0)}]"
        kind = self.random.randrange(4)
        if kind == 0:
            return f"[(v, {self.name()}) {body} if v != {self.value_number(0)}]"
        if kind == 1:
            return f"list({{str(v): {self.name()} {body}}})"
        if kind == 2:
            return f"sorted({{str(v) {body}}})"
        return f"tuple(v {body})"

    def value_lambda(self, depth: int) -> str:
        return f"(lambda v: {self.value(depth)})({self.value(0)})"

    def value_item(self, depth: int) -> str:
        index = self.pick("0", "-1", "1:", ":2", "::2", self.name())
        return f"{self.pick('[1, 2, 3]', 'rec', self.name())}[{index}]"

    def value_attr(self, depth: int) -> str:
        return self.pick("rec.x", f"{self.name()}.real", "rec.missing", "Man.__name__")

    def value_call(self, depth: int) -> str:
        if not self.functions:
            return "len([1])"
        function, kind = self.random.choice(self.functions)
        call = function + self.pick(
            f"({self.value(0)}, *[{self.value(0)}])", f"(*[{self.value(0)}])", f"(*{self.name()})",
            f"(*[{self.value(0)}], **{{'e': {self.value(0)}}})", f"({self.value(0)}, e=2)",
        )
        if kind == "generator":
            return self.pick(f"list({call})", f"next({call})", f"next({call}, 7)", f"[*{call}]")
        return call

    def value_walrus(self, depth: int) -> str:
        return f"({self.name()} := lim({self.value(depth)}))" if self.walrus else self.name()

    def value_format(self, depth: int) -> str:
        return f"f'{{{self.name()}}}-{{{self.name()}!r:>3}}'"

    def value_star(self, depth: int) -> str:
        return f"(*[{self.name()}], {self.value(0)})"

    # ---- statements ----

    walrus = True

    def body(self, depth: int, block: Block, most: int = 3) -> None:
        for _ in range(self.random.randrange(1, most + 1)):
            self.statement(depth, block)

    def statement(self, depth: int, block: Block) -> None:
        options = ["assign", "assign", "augment", "print", "store", "delete", "unpack"]
        if depth < 4:
            options += ["if", "if", "for", "while", "try", "try", "with", "match", "assert"]
            options += ["function", "klass"] if depth < 3 and block.kind != "class" else []
        if block.kind in ("function", "generator"):
            options += ["return", "raise"]
        if block.kind == "generator":
            options += ["produce", "produce", "advance"]
        if block.loop:
            options += ["jump", "jump"]
        getattr(self, "put_" + self.random.choice(options))(depth, block)

    def put_assign(self, depth: int, block: Block) -> None:
        chain = f"{self.name()} = " if self.chance(0.2) else ""
        self.put(depth, f"{chain}{self.name()} = lim({self.value()})")

    def put_augment(self, depth: int, block: Block) -> None:
        target = self.pick(self.name(), self.name(), "rec.x", "rec[0]")
        self.put(depth, f"{target} {self.random.choice(BINARY)}= {self.value(1)}")
        self.put(depth, f"{target} = lim({target})")

    def put_print(self, depth: int, block: Block) -> None:
        self.put(depth, f"print({self.value()})")

    def put_store(self, depth: int, block: Block) -> None:
        self.put(depth, self.pick(
            f"rec.x = lim({self.value(1)})", f"rec[{self.value_number(0)}] = lim({self.value(1)})",
            f"rec.x = rec[1] = {self.name()} = lim({self.value(1)})", "del rec[0]", "rec = Rec(1)",
        ))  # fmt: skip

    def put_delete(self, depth: int, block: Block) -> None:
        self.put(depth, f"del {self.name()}")

    def put_unpack(self, depth: int, block: Block) -> None:
        targets = self.pick("{0}, {1}", "{0}, *{1}", "({0}, [{1}]), rec.x", "[{0}, {1}]")
        # CPython 3.11 stores `a, a = x, y` the wrong way round.
        names = self.random.sample(NAMES, 2)
        self.put(depth, targets.format(*names) + f" = lim({self.value(1)}), [1]")

    def inner(self, depth: int, block: Block, loop: bool) -> None:
        was, block.loop = block.loop, loop
        self.body(depth, block)
        block.loop = was

    def put_if(self, depth: int, block: Block) -> None:
        self.put(depth, f"if {self.value()}:")
        self.body(depth + 1, block)
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.put(depth, f"elif {self.value()}:")
            self.body(depth + 1, block)
        if self.chance(0.5):
            self.put(depth, "else:")
            self.body(depth + 1, block)

    def otherwise(self, depth: int, block: Block) -> None:
        if self.chance(0.3):
            self.put(depth, "else:")
            self.body(depth + 1, block)

    def put_for(self, depth: int, block: Block) -> None:
        # In each other, without attributes: those of `with` and of assignments have some.
        nested = {
            "{0}, *({1}, {2})": "[(1, 2, 3), 'abc']", "{0}, ()": "[(1, ()), (2, (3,))]",
            "*{0}, ({1}, *[{2}])": "[(1, (2, 3))]", "[{0}, *[]], {1}": "zip(['a'], [1])",
            "{0}, {1}": "zip([1, 2], [3, 4])",
        }  # fmt: skip
        pairs = self.pick("range(3)", "[1, 2]", "iter('xy')", self.name(), f"({self.name()}, 2)")
        target = self.pick(self.name(), self.name(), "rec.x", "")
        if not target:
            target = self.pick(*nested)
            pairs = nested[target]
            target = target.format(*self.random.sample(NAMES, 3))
        self.put(depth, f"for {target} in {pairs}:")
        self.put(depth + 1, "tick()")
        self.inner(depth + 1, block, True)
        self.otherwise(depth, block)

    def put_while(self, depth: int, block: Block) -> None:
        self.put(depth, f"while tick() and {self.value(1)}:")
        self.inner(depth + 1, block, True)
        self.otherwise(depth, block)

    def put_try(self, depth: int, block: Block) -> None:
        self.put(depth, "try:")
        self.body(depth + 1, block)
        handlers = self.random.choice([0, 1, 1, 2])
        for _ in range(handlers):
            name = f" as {self.name()}" if self.chance(0.5) else ""
            self.put(depth, f"except {self.random.choice(ERRORS)}{name}:")
            if name:
                # A plain handler in a thunk sees NameError for an unset local of the function.
                hooked = "try_stmt" in READY
                shown = "type({0}).__name__" if hooked else "isinstance({0}, NameError)"
                self.put(depth + 1, f"print({shown.format(name[4:])})")
            self.body(depth + 1, block, 2)
            if self.chance(0.15):
                self.put(depth + 1, "raise")
        if handlers and self.chance(0.3):
            self.put(depth, "else:")
            self.body(depth + 1, block, 2)
        if not handlers or self.chance(0.4):
            self.put(depth, "finally:")
            self.put(depth + 1, "print('finally')")
            self.body(depth + 1, block, 2)

    def put_with(self, depth: int, block: Block) -> None:
        first = f"Man({self.pick('True', 'False', self.name())}, {self.value(0)})"
        name = self.name()
        target = self.pick("", f" as {name}", " as rec.x", f" as ({name}, *rec.items)")
        second = self.pick("", "", f", Man(False) as {self.name()}")
        self.put(depth, f"with {first}{target}{second}:")
        self.body(depth + 1, block)

    def put_match(self, depth: int, block: Block) -> None:
        self.put(depth, f"match lim({self.value(1)}):")
        a, b = self.random.sample(NAMES, 2)
        for pattern in self.random.sample(
            ["0 | 1", f"[{a}, *{b}]", f"int({a})", f"str() as {a}", '{"k": ' + a + "}", "None"], 2
        ):
            guard = f" if {self.value(1)}" if self.chance(0.4) else ""
            self.put(depth + 1, f"case {pattern}{guard}:")
            self.body(depth + 2, block, 2)
        if self.chance(0.5):
            self.put(depth + 1, "case _:")
            self.body(depth + 2, block, 2)

    def put_assert(self, depth: int, block: Block) -> None:
        self.put(depth, f"assert {self.value(1)}, {self.value(1)}")

    def put_jump(self, depth: int, block: Block) -> None:
        self.put(depth, f"if {self.value(1)}: {self.pick('break', 'continue')}"
                 if self.chance(0.6) else self.pick("break", "continue"))  # fmt: skip

    def put_return(self, depth: int, block: Block) -> None:
        self.put(depth, self.pick("return", f"return {self.value()}", f"return {self.name()}, 1"))

    def put_raise(self, depth: int, block: Block) -> None:
        cause = self.pick("", "", " from None", " from Odd", " from ValueError(1)")
        error = self.pick("ValueError", "Odd('o')", "StopIteration(5)", "KeyError", "Odd")
        self.put(depth, f"raise {error}{cause}")

    def put_produce(self, depth: int, block: Block) -> None:
        self.put(depth, self.pick(
            f"yield {self.value(1)}", f"{self.name()} = yield {self.value(1)}", "yield",
            "yield from [1, 2]", f"print((yield {self.name()}))",
            f"if (yield {self.name()}): tick()",
        ))  # fmt: skip

    def put_advance(self, depth: int, block: Block) -> None:
        self.put(depth, f"{self.name()} = next(iter({self.pick('[]', '[1]', '()')}))")

    def put_function(self, depth: int, block: Block) -> None:
        function = self.fresh("f")
        kind = self.pick("function", "function", "generator")
        self.put(depth, f"def {function}(a=1, *rest, e={self.value_number(0)}):")
        inner = Block(kind, list(NAMES))
        if block.kind in ("function", "generator") and self.chance(0.6):
            self.put(depth + 1, f"nonlocal {', '.join(self.random.sample('bcd', 2))}")
        self.put(depth + 1, "tick()")
        self.start(depth + 1, inner, nested=True)
        call = f"list({function}(2))" if kind == "generator" else f"{function}(2)"
        self.put(depth, "try: print(" + call + ")")
        self.put(depth, f"except Exception as {self.name()}: print('in', type({self.name()}))")

    def start(self, depth: int, block: Block, nested: bool) -> None:
        if not nested:
            self.put(depth, "b = c = 1; d = [2]")
            if self.chance(0.5):
                self.put(depth, "del b")
        self.put(depth, "rec = Rec()")
        if block.kind == "generator":
            self.put(depth, f"yield {self.value(1)}")
        self.body(depth, block, 5)

    def put_klass(self, depth: int, block: Block) -> None:
        name = self.fresh("K")
        self.put(depth, f"class {name}:")
        self.put(depth + 1, "a = b = 1; rec = Rec()")
        self.walrus, was = False, self.walrus
        self.body(depth + 1, Block("class", []), 3)
        self.walrus = was
        self.put(depth + 1, "def m(self, a=2):")
        self.put(depth + 2, "b = c = d = e = 3; rec = Rec()")
        self.body(depth + 2, Block("function", []), 2)
        self.put(depth, f"try: print({name}().m())")
        self.put(depth, "except Exception: print('method')")

    # ---- the program ----

    def text(self) -> str:
        self.lines = [PRELUDE]
        for _ in range(self.random.randrange(1, 4)):
            name = self.fresh("g")
            kind = self.pick("function", "function", "generator")
            self.put(0, f"def {name}(a, e=2):")
            if self.chance(0.2):
                self.put(1, "global shared")
                self.put(1, "shared = a")
            self.start(1, Block(kind, []), nested=False)
            self.functions.append((name, kind))
            self.drive(name, kind)
        self.put(0, "a = b = c = d = e = 1; rec = Rec()")
        self.body(0, Block("module", []), 3)
        return "\n".join(self.lines) + "\n"

    def drive(self, name: str, kind: str) -> None:
        for given in ("0", "'x', [1]"):
            self.put(0, "fuel[0] = 90")
            self.put(0, "try:")
            if kind == "generator":
                self.put(1, f"it = {name}({given}); print(next(it))")
                move = self.pick("it.send(1)", "it.throw(Odd)", "next(it)", "it.close()")
                self.put(1, f"print({move})")
                self.put(1, "print(list(it))")
            else:
                self.put(1, f"print({name}({given}))")
            self.put(0, "except Exception as error:")
            self.put(1, "chain = [error, error.__context__, error.__cause__]")
            shown = "type(e).__name__" if "try_stmt" in READY else "isinstance(e, NameError)"
            self.put(1, f"print([{shown} for e in chain], error)")


def program(seed: int) -> str:
    """A program that compiles; most seeds give one at once."""
    for attempt in range(100):
        text = Program(seed * 100 + attempt).text()
        try:
            compiled(text, "program")
        except SyntaxError:
            continue
        return text
    raise AssertionError(f"seed {seed} gives no program")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", action="store_true", help="print the program of the seed")
    given = parser.parse_args()
    first = random.SystemRandom().randrange(10**9) if given.seed == "fresh" else int(given.seed)
    if given.show:
        print(program(first))
        return 0
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    started, bad, done = time.monotonic(), 0, 0
    for seed in range(first, first + given.count):
        if given.seconds and time.monotonic() - started > given.seconds:
            break
        source, done = program(seed), done + 1
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        turn = ("light", "rest")[seed % 2]
        ways = [way for way in WAYS if way.name in ("nonlocal", "boxed", turn)]
        found = list(differences(source, "program", ways))
        if not found:
            continue
        bad += 1
        print(f"seed {seed}:", *found, sep="\n  ")
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
            (given.keep / f"virtual{seed}.py").write_text(source)
    print(f"virtual fuzz: {done} programs from seed {first}, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
