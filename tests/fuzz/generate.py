"""Random choreographies, well-typed by construction: every expression is made at a role.

    tests/fuzz/generate.py SEED         prints the program of a seed

A program has two to six roles, channels of all kinds between some of them, choreographies of formal
roles that call each other, a class at two roles, local code of one role (local.py), and a `main`
whose result is at several roles.
"""

import sys

from scope import (BOOL, COLOUR, DICT, INT, LIST, MAYBE, PAIR, POINT, STR, Helper, Link, Scope, Var)
from statements import Statements

NAMES = "ABCDEF"

PRELUDE = '''import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import reduce
from typing import Optional, TypeVar

from pychoral import (
    At, BiChannel, BiDataChannel, Ch2, Channel, DiChannel, DiDataChannel, DiSelectChannel,
    SecureChannel, SymChannel, SymDataChannel, SymSelectChannel, roles)

Some = TypeVar("Some")


class Way(Enum):
    L = 1
    R = 2
    M = 3


class Colour(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


@dataclass
class Point:
    x: int
    tag: str

    def far(self, y: int) -> int:
        return abs(self.x - y)


class Log:
    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> "Log":
        print("enter", self.name)
        return self

    def __exit__(self, *details: object) -> None:
        print("exit", self.name)


def mix(x: int, y: int) -> int:
    return (x * 31 + y) % 1009


def colour_of(x: int) -> Colour:
    return Colour(x % 3 + 1)


def maybe(x: int) -> Optional[int]:
    return x if x % 2 else None


def applied(f: Callable[[At[int, X]], At[int, Y]], x: At[int, X]) -> At[int, Y]:
    print("applied", x)
    return f(x + 1)


class Both(Ch2[X, Y]):
    def __init__(self, ch: Channel[object, X, Y], left: At[int, X]) -> None:
        self.ch = ch
        self.left: At[int, X] = left
        self.right: At[list[int], Y] = [0]

    def push(self, x: At[int, X]) -> At[int, Y]:
        self.left += x
        self.right.append(self.ch.com(self.left))
        return len(self.right)

    def vote(self, y: At[int, Y]) -> None:
        if y > len(self.right):
            self.ch.select(Way.L@Y)
            self.left = self.ch.com(y)
            print("left", self.left)
        else:
            self.ch.select(Way.R@Y)


'''

DEEPER = '''class Deeper(Both[X, Y]):
    def push(self, x: At[int, X]) -> At[int, Y]:
        print("deeper", x)
        return super().push(x + 1)


'''


class Generator(Statements):
    """One program."""

    def program(self) -> str:
        helpers: list[Helper] = []
        for _ in range(self.random.randint(0, 3)):
            helpers.append(self.helper(helpers))
            self.lines += ["", ""]
        self.main(helpers)
        prelude = PRELUDE + (DEEPER if "inherit" in self.features else "")
        return prelude + self.local.text() + "\n".join(self.lines) + "\n"

    def declare(self, scope: Scope, role: str) -> None:
        for type_ in (INT, self.random.choice((STR, LIST, POINT, DICT))):
            name = self.fresh("v")
            value = {INT: str(self.random.randint(-3, 9)), STR: '"12"', LIST: "[3, 1, 2]",
                     POINT: 'Point(4, "p")', DICT: '{"s": 1}'}[type_]
            self.emit(f"{name}: At[{type_}, {role}] = {value}")
            scope.variables.append(Var(name, type_, (role,)))

    # ---- choreographies of formal roles ----

    def helper(self, known: list[Helper]) -> Helper:
        recursive = self.chance(0.4)
        formals = tuple("XYZ"[:self.random.randint(2, 3)])
        parameters = [(self.random.choice((INT, INT, STR, LIST, POINT)),
                       self.random.choice(formals)) for _ in range(self.random.randint(0, 3))]
        if recursive:
            parameters.insert(0, (INT, self.random.choice(formals)))
        result = (self.random.choice((INT, INT, STR, LIST)), self.random.choice(formals))
        made = Helper(self.fresh("again" if recursive else "helper"), formals, parameters,
                      result if recursive or self.chance(0.7) else None, explicit=True)
        links = [Link(f"{one}{two}".lower(), f"Channel[object, {one}, {two}]",
                      {(one, two), (two, one)}, {(one, two), (two, one)}, True)
                 for i, one in enumerate(formals) for two in formals[i + 1:]]
        names = [self.fresh("a") for _ in parameters]
        head = [f"{link.name}: {link.annotation}" for link in links]
        head += [f"{n}: At[{t}, {r}]" for n, (t, r) in zip(names, parameters)]
        answer = f"At[{made.result[0]}, {made.result[1]}]" if made.result else "None"
        self.emit(f"@roles({', '.join(formals)})")
        self.emit(f"def {made.name}({', '.join(head)}) -> {answer}:")
        self.indent += 1
        scope = Scope(formals, formals, [], links, list(known), result=made.result, returns=True,
                      depth=2)
        scope.variables = [Var(n, t, (r,)) for n, (t, r) in zip(names, parameters)]
        if recursive:
            scope.variables[0].assignable = False
            self.recursion(made, scope)
        else:
            self.block(scope, self.random.randint(1, 5))
            self.finish(scope)
        self.indent -= 1
        return made

    def finish(self, scope: Scope) -> None:
        if scope.result is not None:
            self.emit(f"return {self.at(scope, *scope.result, 2)}")
        else:
            self.show(scope)

    def recursion(self, made: Helper, scope: Scope) -> None:
        """Counts a number down, and tells all; sometimes the roles rotate."""
        counter = scope.variables[0]
        decider = counter.roles[0]
        plan = self.tellers(scope, [decider] + [r for r in scope.roles if r != decider]) or []
        self.emit(f"if {counter.name} <= 0:")
        self.indent += 1
        self.tell(plan, "R")
        inner = scope.inner()
        self.block(inner, self.random.randint(0, 1))
        self.return_(inner)
        self.indent -= 1
        self.tell(plan, "L")
        self.block(scope, self.random.randint(0, 3))
        self.recurse(made, scope)

    def recurse(self, made: Helper, scope: Scope) -> None:
        shift = self.random.randrange(len(made.formals))
        actuals = list(made.formals[shift:] + made.formals[:shift])
        cast = dict(zip(made.formals, actuals))
        counter = scope.variables[0]
        decider, there = counter.roles[0], cast[made.parameters[0][1]]
        channels = self.channels_between(scope, actuals) or []
        first = f"{counter.name} - 1"
        if there != decider:
            first = f"{self.data_links(scope, decider, there)[0].name}.com({first})"
        values = [first] + [self.at(scope, t, cast[r], 1) for t, r in made.parameters[1:]]
        call = f"{made.name}[{', '.join(actuals)}]({', '.join(channels + values)})"
        assert made.result is not None
        type_, role = made.result
        here = cast[role]
        name = self.fresh("v")
        self.emit(f"{name}: At[{type_}, {here}] = {call}")
        scope.variables.append(Var(name, type_, (here,)))
        self.block(scope, self.random.randint(0, 1))
        self.finish(scope)

    # ---- main ----

    def main(self, helpers: list[Helper]) -> None:
        everybody = tuple(NAMES[:self.random.choice((2, 2, 3, 3, 3, 4, 4, 5, 6))])
        links = self.channels(everybody)
        parameters = [(self.fresh("a"), self.random.choice((INT, STR, BOOL)), role)
                      for role in everybody if self.chance(0.3)]
        head = [f"{link.name}: {link.annotation}" for link in links]
        head += [f'{n}: At[{t}, {r}] = {self.default(t)}' for n, t, r in parameters]
        shown = self.random.sample(everybody, self.random.randint(0, 2))
        results = [(self.random.choice((INT, STR, LIST, COLOUR, PAIR, MAYBE)), role)
                   for role in shown]
        places = [f"At[{t}, {r}]" for t, r in results]
        answer = "None" if not places else places[0] if len(places) == 1 else \
            f"tuple[{', '.join(places)}]"
        self.emit(f"def main({', '.join(head)}) -> {answer}:")
        self.indent += 1
        scope = Scope(everybody, everybody, [], links, list(helpers),
                      result=results[0] if len(results) == 1 else None, returns=len(results) < 2)
        scope.variables = [Var(n, t, (r,)) for n, t, r in parameters]
        for role in everybody:
            self.declare(scope, role)
        self.block(scope, self.random.randint(3, 8))
        for role in everybody:
            held = [v.name for v in scope.variables if v.roles == (role,)]
            if self.chance(0.7):
                self.emit(f'print("end"@{role}, {", ".join(held[-3:])})')
        for entry in self.local.entries:
            role = self.a_role(scope)
            self.emit(f'print("{entry.name}"@{role}, {self.local_call(scope, entry, role, 1)})')
        if results:
            self.emit(f"return {', '.join(self.at(scope, t, r, 2) for t, r in results)}")
        self.indent -= 1

    def default(self, type_: str) -> str:
        return {INT: str(self.random.randint(0, 9)), STR: '"7"', BOOL: "True"}[type_]

    def channels(self, everybody: tuple[str, ...]) -> list[Link]:
        """A tree that joins all roles, and more channels of all kinds."""
        links = []
        for i, role in enumerate(everybody[1:], 1):
            links.append(self.channel(self.random.choice(everybody[:i]), role, connected=True))
        for i, one in enumerate(everybody):
            for two in everybody[i + 1:]:
                if self.chance(0.5):
                    links.append(self.channel(one, two, connected=False))
        return links

    def channel(self, one: str, two: str, connected: bool) -> Link:
        if self.chance(0.5):
            one, two = two, one
        name, there, back = self.fresh(f"{one}{two}".lower()), {(one, two)}, {(two, one)}
        both, nothing = there | back, set[tuple[str, str]]()
        at = f"{one}, {two}]"
        kinds = [(f"Channel[object, {at}", both, both), (f"SymChannel[object, {at}", both, both),
                 (f"Channel[object, {at}", both, both), (f"SecureChannel[object, {at}", both, both)]
        if not connected:
            kinds = [(f"DiDataChannel[object, {at}", there, nothing),
                     (f"DiSelectChannel[{at}", nothing, there),
                     (f"DiChannel[object, {at}", there, there),
                     (f"BiDataChannel[object, object, {at}", both, nothing),
                     (f"BiChannel[object, object, {at}", both, both),
                     (f"SymDataChannel[object, {at}", both, nothing),
                     (f"SymSelectChannel[{at}", nothing, both),
                     (f"Channel[object, {at}", both, both)]
        annotation, data, labels = self.random.choice(kinds)
        return Link(name, annotation, data, labels, annotation.startswith("Channel"))


if __name__ == "__main__":
    print(Generator(int(sys.argv[1]), frozenset(sys.argv[2:])).program(), end="")
