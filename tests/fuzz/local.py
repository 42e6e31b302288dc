"""Random local code: typed functions and classes of one role, which choreographies call.

What they are made of is in shapes.py. Faults that an expression may have are caught by the function
that is called, which prints them, so that they are compared.
"""

import random
import re
from dataclasses import dataclass, field

from shapes import (ANNOTATIONS, EARLY, EXPRESSIONS, JUMPS, LIBRARY, LITERALS, NESTED, PARTS,
                    SIMPLE)

HOLE = re.compile(r"<([.$=]?)(\w+)>|<([A-Z]):(\w+)>")
REBOUND = re.compile(r" \S*= ")
WORD = re.compile(r"[A-Za-z_]\w*")
NUMBERS = {"n": 4, "n1": 2, "o": 1}     # the largest; `n1`: at least 1
WORDS = ('"s"', '","', '"v"', '"1"', '"x y"')
RESULTS = ("i", "i", "s", "li")
CAUGHT = "(ArithmeticError, LookupError, ValueError, AssertionError, Fault)"
MUTABLE = ("li", "ds")
PARAMETERS = ("i", "i", "s", "b", "t", "oi", "li", "ds")


@dataclass
class Names:
    """The variables of a place, with their types."""

    of: list[tuple[str, str]] = field(default_factory=list)
    fixed: set[str] = field(default_factory=set)    # may not be assigned to: they are outer ones
    result: str = "i"           # of the function

    def inner(self) -> "Names":
        return Names(list(self.of), set(self.fixed), self.result)

    def typed(self, type_: str) -> list[str]:
        return [name for name, each in self.of if each == type_]


@dataclass
class Entry:
    """A function that choreographies may call."""

    name: str
    parameters: list[str]       # annotations
    result: str


class Unfit(Exception):
    """The template cannot be used here."""


class Local:
    """The local code of a program."""

    def __init__(self, seed: int, count: int) -> None:
        self.random = random.Random(f"local {seed}")
        self.number = 0
        self.known: set[str] = set()
        self.parts: list[str] = []
        self.entries: list[Entry] = []
        if count:
            for parts, variables, text in LIBRARY:
                self.define(variables, text)
                self.known.update(parts.split())
        for _ in range(count):
            self.entry()

    def text(self) -> str:
        return "".join(f"{part}\n\n\n" for part in self.parts)

    def fresh(self, stem: str) -> str:
        self.number += 1
        return f"{stem}{self.number}"

    # ---- expressions ----

    def usable(self, template: str) -> bool:
        needed = {match[2] or match[4] for match in HOLE.finditer(template)} | \
            set(WORD.findall(HOLE.sub("", template)))
        return not needed & (PARTS - self.known)

    def pick(self, templates: list[str]) -> str:
        while True:
            template = self.random.choice(templates)
            if self.usable(template):
                return template

    def value(self, type_: str, names: Names, depth: int) -> str:
        known = names.typed(type_)
        if known and (depth <= 0 or self.random.random() < 0.35):
            return self.random.choice(known)
        if depth <= 0:
            return self.random.choice(LITERALS[type_])
        if self.random.random() < 0.06:
            one, two = (self.value(type_, names, depth - 1) for _ in range(2))
            return f"({one} if {self.value('b', names, depth - 1)} else {two})"
        while True:
            try:
                return self.expression(self.pick(EXPRESSIONS[type_]), names, depth - 1)
            except Unfit:
                continue

    def expression(self, template: str, names: Names, depth: int) -> str:
        """A filled template; what it binds is seen by all its holes but those with a dot."""
        bound = {match[3]: self.fresh("x") for match in HOLE.finditer(template) if match[3]}
        inner = names.inner()
        inner.of += [(bound[match[3]], match[4]) for match in HOLE.finditer(template) if match[3]]
        return HOLE.sub(lambda match: self.hole(match, bound, names if match[1] == "." else inner,
                                                depth), template)

    def hole(self, match: re.Match[str], bound: dict[str, str], names: Names, depth: int) -> str:
        mark, what = match[1], match[2]
        if match[3]:
            return bound[match[3]]
        if what in bound:
            return bound[what]
        if what in NUMBERS:
            return str(self.random.randint(what == "n1", NUMBERS[what]))
        if what == "w":
            return self.random.choice(WORDS)
        if what == "R":
            return self.value(names.result, names, depth)
        if mark == "=":
            return self.known_one(what, names, REBOUND.match(match.string, match.end()) is not None)
        if mark == "$":
            return self.known_one(what, names)
        return self.value(what, names, depth)

    def known_one(self, type_: str, names: Names, rebound: bool = False) -> str:
        known = [name for name in names.typed(type_) if not rebound or name not in names.fixed]
        if not known:
            raise Unfit
        return self.random.choice(known)

    # ---- statements ----

    def block(self, names: Names, length: int, depth: int, loop: bool) -> list[str]:
        return [line for _ in range(length) for line in self.statement(names, depth, loop)]

    def statement(self, names: Names, depth: int, loop: bool) -> list[str]:
        chance = self.random.random()
        if chance < 0.25:
            return self.bind(names)
        templates = SIMPLE
        if depth > 0 and chance < 0.5:
            templates = NESTED
        elif depth > 0 and chance < 0.54:
            templates = [*JUMPS, EARLY] if loop else [EARLY]
        while True:
            try:
                return self.filled(self.pick(templates), names, depth, loop)
            except Unfit:
                continue

    def bind(self, names: Names) -> list[str]:
        type_ = self.random.choice([each for each in ANNOTATIONS if each not in PARTS - self.known])
        value = self.value(type_, names, 3)
        name = self.fresh("v")
        names.of.append((name, type_))
        return [f"{name}: {ANNOTATIONS[type_]} = {value}"]

    def filled(self, template: str, names: Names, depth: int, loop: bool) -> list[str]:
        """The lines of a statement; what its outermost lines bind is known after it."""
        bound: dict[str, str] = {}
        lines: list[str] = []
        places = [(0, names, loop)]         # of the blocks around a line, with their indents
        for line in template.split("\n"):
            indent = len(line) - len(line.lstrip())
            while places[-1][0] > indent:
                places.pop()
            _, here, looping = places[-1]
            if line.strip() in ("<block>", "<loop>"):
                inner = self.block(here.inner(), self.random.randint(1, 2), depth - 1,
                                   looping or "<loop>" in line)
                lines += [" " * indent + each for each in inner]
            elif line.endswith(":"):
                inside = here.inner()
                if line.lstrip().startswith("def "):
                    inside.fixed.update(name for name, _ in inside.of)
                    inside.result, looping = "i", False
                lines.append(self.line(line, bound, here, inside))
                places.append((indent + 4, inside, looping))
            else:
                lines.append(self.line(line, bound, here, here))
        return lines

    def line(self, line: str, bound: dict[str, str], names: Names, after: Names) -> str:
        """Its variables are known to `after`, but X and Y."""
        found = [(match[3], match[4]) for match in HOLE.finditer(line) if match[3]]
        bound.update({letter: self.fresh("x" if letter in "XY" else "v") for letter, _ in found})
        inner = names.inner()
        inner.of += [(bound[letter], type_) for letter, type_ in found if letter in "XY"]
        text = HOLE.sub(lambda match: self.hole(match, bound, names if match[1] == "." else inner,
                                                2), line)
        after.of += [(bound[letter], type_) for letter, type_ in found if letter not in "XY"]
        return text

    # ---- definitions ----

    def define(self, variables: str, text: str) -> None:
        """A part of the library, whose holes see these variables."""
        names = Names([(name, type_) for name, _, type_ in
                       (each.partition(":") for each in variables.split())])
        self.parts.append(self.expression(text, names, 1).rstrip())

    def entry(self) -> None:
        result = self.random.choice(RESULTS)
        types = [self.random.choice(PARAMETERS) for _ in range(self.random.randint(1, 3))]
        names = Names([(self.fresh("a"), type_) for type_ in types], result=result)
        made = Entry(self.fresh("work"), [ANNOTATIONS[type_] for type_ in types],
                     ANNOTATIONS[result])
        head = ", ".join(f"{name}: {ANNOTATIONS[type_]}" for name, type_ in names.of)
        lines = [f"def {made.name}({head}) -> {made.result}:"]
        # What is given may belong to others, too.
        lines += [f"    {name} = {name}.copy()" for name, type_ in names.of if type_ in MUTABLE]
        body = self.block(names, self.random.randint(2, 5), 2, False)
        body.append(f"return {self.value(result, names, 2)}")
        lines += ["    try:", *(f"        {line}" for line in body),
                  f"    except {CAUGHT} as fault:",
                  f'        print("{made.name}", type(fault).__name__, fault)']
        if self.random.random() < 0.3:
            lines += ["    finally:", f'        print("{made.name} ends")']
        lines += [f"    return {LITERALS[result][0]}"]
        self.parts.append("\n".join(lines))
        self.entries.append(made)
