"""Random expressions: each is made of a type, at a role, from what that role has."""

import re

from local import Entry, Local
from scope import (BOOL, COLOUR, DICT, INT, LIST, MAYBE, PAIR, POINT, STR, Helper, Scope, Var,
                   Writer)

NAME = re.compile(r"[A-Za-z_]\w*")


class Expressions(Writer):
    """`value(scope, type, role, depth)` is an expression; the rest serves it."""

    local: Local

    def variables(self, scope: Scope, type_: str, role: str) -> list[Var]:
        """Those that `role` can use here: the others that hold a replicated one take part too."""
        return [v for v in scope.variables if v.type == type_ and role in v.roles
                and (v.roles == (role,) or not scope.pure and set(v.roles) <= set(scope.roles))]

    def value(self, scope: Scope, type_: str, role: str, depth: int) -> str:
        """At `role`, by its context or by itself."""
        known = self.variables(scope, type_, role)
        if known and (depth <= 0 or self.chance(0.3)):
            return self.random.choice(known).name
        if depth > 0 and not scope.pure and self.chance(0.22):
            sent = self.message(scope, type_, role, depth - 1)
            if sent:
                return sent
        entries = [entry for entry in self.local.entries if entry.result == type_]
        if depth > 0 and entries and self.chance(0.15):
            return self.local_call(scope, self.random.choice(entries), role, depth - 1)
        if depth > 0 and self.chance(0.1):
            return self.conditional(scope, type_, role, depth - 1)
        made: str = {INT: self.number, STR: self.text, BOOL: self.truth, LIST: self.numbers,
                     DICT: self.table, POINT: self.point, COLOUR: self.colour, PAIR: self.pair,
                     MAYBE: self.maybe}[type_](scope, role, depth)
        return made

    def message(self, scope: Scope, type_: str, role: str, depth: int) -> str:
        """A message or a call whose result is at `role`; "" if nobody can send."""
        senders = [s for s in scope.roles if s != role and self.data_links(scope, s, role)]
        calls = [h for h in scope.helpers if h.result is not None and h.result[0] == type_]
        if calls and self.chance(0.4):
            called = self.call(scope, self.random.choice(calls), role, depth)
            if called:
                return called
        if not senders:
            return ""
        sender = self.random.choice(senders)
        link = self.random.choice(self.data_links(scope, sender, role))
        return f"{link.name}.com({self.at(scope, type_, sender, depth)})"

    def call(self, scope: Scope, helper: Helper, role: str | None, depth: int) -> str:
        """A call whose result is at `role` (None: anywhere); "" if the channels are not there."""
        for _ in range(3):
            if len(helper.formals) > len(scope.roles):
                return ""
            actuals = self.random.sample(scope.roles, len(helper.formals))
            if role is not None and helper.result is not None:
                place = helper.formals.index(helper.result[1])
                if role in actuals:
                    there = actuals.index(role)
                    actuals[there] = actuals[place]
                actuals[place] = role
            channels = self.channels_between(scope, actuals)
            if channels is not None:
                return self._call_text(scope, helper, actuals, channels, depth)
        return ""

    def channels_between(self, scope: Scope, roles: list[str]) -> list[str] | None:
        found = [self.symmetric(scope, one, two)
                 for i, one in enumerate(roles) for two in roles[i + 1:]]
        return None if None in found else [name for name in found if name is not None]

    def _call_text(self, scope: Scope, helper: Helper, actuals: list[str], channels: list[str],
                   depth: int) -> str:
        cast = dict(zip(helper.formals, actuals))
        values = [self.at(scope, type_, cast[formal], min(depth, 1))
                  for type_, formal in helper.parameters]
        if helper.name.startswith("again"):     # recursive: the first number counts down
            values[0] = f"{self.at(scope, INT, cast[helper.parameters[0][1]], 0)} % 4"
        roles = f"[{', '.join(actuals)}]" if helper.explicit or self.chance(0.2) else ""
        if helper.name.startswith("inner"):
            roles, channels = "", []
        return f"{helper.name}{roles}({', '.join(channels + values)})"

    def at(self, scope: Scope, type_: str, role: str, depth: int) -> str:
        """A value that is certainly at `role` alone, whatever surrounds it."""
        return self.placed(scope, self.value(scope, type_, role, depth), role)

    def test(self, scope: Scope, role: str, depth: int) -> str:
        """A condition that `role` alone decides."""
        return self.placed(scope, self.truth(scope, role, depth), role)

    def placed(self, scope: Scope, text: str, role: str) -> str:
        """With a pin, unless something in it is at `role` alone."""
        own = {v.name for v in scope.variables if v.roles == (role,)}
        known = f"@{role}" in text or own & set(NAME.findall(text))
        return text if known and self.chance(0.9) else f"({text})@{role}"

    def local_call(self, scope: Scope, entry: Entry, role: str, depth: int) -> str:
        values = [self.at(scope, type_, role, depth) for type_ in entry.parameters]
        return f"{entry.name}({', '.join(values)})"

    def conditional(self, scope: Scope, type_: str, role: str, depth: int) -> str:
        inner = scope.inner(pure=True)
        return (f"({self.value(inner, type_, role, depth)} if {self.truth(inner, role, depth)} "
                f"else {self.value(inner, type_, role, depth)})")

    # ---- one method for each type ----

    def number(self, scope: Scope, role: str, depth: int) -> str:
        if depth <= 0:
            return str(self.random.randint(0, 20))
        pure = scope.inner(pure=True)
        pick = self.random.randrange(15)
        sub = depth - 1
        if pick <= 3:
            return (f"({self.value(scope, INT, role, sub)} {self.random.choice('+-*')} "
                    f"{self.value(scope, INT, role, sub)})")
        if pick == 4:
            return f"len({self.value(scope, self.random.choice((LIST, STR)), role, sub)})"
        if pick == 5:
            return f"mix({self.value(scope, INT, role, sub)}, {self.value(scope, INT, role, sub)})"
        if pick == 6:
            return f"{self.atom(scope, POINT, role)}.x"
        if pick == 7:
            return f"{self.atom(pure, DICT, role)}.get({self.value(scope, STR, role, sub)}, 0)"
        if pick == 8:
            return f"{self.atom(scope, PAIR, role)}[0]"
        if pick == 9:
            return f"{self.atom(pure, POINT, role)}.far({self.value(scope, INT, role, sub)})"
        if pick == 10:
            name = self.fresh("z")
            return f"(lambda {name}: {name} + {self.value(pure, INT, role, 0)})" \
                   f"({self.value(scope, INT, role, sub)})"
        if pick == 11:
            maybe = self.atom(scope, MAYBE, role)
            return f"(5 if {maybe} is None else {self.value(pure, INT, role, 0)})"
        if pick == 12:
            # Not a conditional: mypy takes `sum([1] if x else [2])` for a sum of `bool`.
            return f"sum({self.numbers(scope, role, sub)})"
        if pick == 13:
            return f"{self.atom(scope, COLOUR, role)}.value"
        return f"abs({self.value(scope, INT, role, sub)} // {self.random.randint(2, 9)})"

    def text(self, scope: Scope, role: str, depth: int) -> str:
        literal = f'"{self.random.choice(["", "s", "tu", "v w", "é"])}"'
        if depth <= 0:
            return literal
        pick, sub = self.random.randrange(6), depth - 1
        if pick == 0:
            return f"({self.value(scope, STR, role, sub)} + {literal})[:9]"
        if pick == 1:
            return f"str({self.value(scope, INT, role, sub)})"
        if pick == 2:
            held = self.random.choice((INT, INT, LIST, BOOL))
            name = self.atom(scope, held, role)
            return f'f"<{{{name}}}>"'
        if pick == 3:
            return f"{self.atom(scope, POINT, role)}.tag"
        if pick == 4:
            return f"{self.atom(scope, PAIR, role)}[1].upper()"
        return f"({literal} + {self.value(scope, STR, role, sub)})[:9]"

    def truth(self, scope: Scope, role: str, depth: int) -> str:
        if depth <= 0:
            left, right = self.atom(scope, INT, role), self.random.randint(-2, 12)
            return f"({left} {self.random.choice(['<', '>', '==', '!='])} {right})"
        pick, sub = self.random.randrange(6), depth - 1
        pure = scope.inner(pure=True)
        if pick == 0:
            return f"({self.truth(scope, role, sub)} {self.random.choice(['and', 'or'])} " \
                   f"{self.truth(pure, role, sub)})"
        if pick == 1:
            return f"(not {self.truth(scope, role, sub)})"
        if pick == 2:
            return f"({self.value(scope, INT, role, sub)} in {self.value(scope, LIST, role, sub)})"
        if pick == 3:
            return f"({self.random.randint(-3, 3)} < {self.value(scope, INT, role, sub)} <= " \
                   f"{self.value(pure, INT, role, sub)})"
        return f"({self.value(scope, INT, role, sub)} {self.random.choice(['<', '>=', '=='])} " \
               f"{self.value(scope, INT, role, sub)})"

    def numbers(self, scope: Scope, role: str, depth: int) -> str:
        if depth <= 0:
            return f"[{self.random.randint(0, 9)}, {self.value(scope, INT, role, 0)}]"
        pick, sub, name = self.random.randrange(4), depth - 1, self.fresh("z")
        pure = scope.inner(pure=True)
        pure.variables = [v for v in pure.variables if role in v.roles]
        if pick == 0:
            inner = pure.inner()
            inner.variables.append(Var(name, INT, (role,), False))
            return f"[{self.value(inner, INT, role, sub)} for {name} in " \
                   f"{self.at(scope, LIST, role, sub)}]"
        if pick == 1:
            return f"[{name} for {name} in {self.value(scope, LIST, role, sub)} " \
                   f"if {name} > {self.value(pure, INT, role, 0)}]"
        if pick == 2:
            return f"({self.value(scope, LIST, role, sub)} + " \
                   f"{self.value(scope, LIST, role, sub)})[:4]"
        return f"[{self.value(scope, INT, role, sub)}, {self.value(scope, INT, role, sub)}]"

    def table(self, scope: Scope, role: str, depth: int) -> str:
        return f'{{"s": {self.value(scope, INT, role, depth - 1)}, ' \
               f'"tu": {self.value(scope, INT, role, depth - 1)}}}'

    def point(self, scope: Scope, role: str, depth: int) -> str:
        return f"Point({self.value(scope, INT, role, depth - 1)}, " \
               f"{self.value(scope, STR, role, depth - 1)})"

    def colour(self, scope: Scope, role: str, depth: int) -> str:
        if depth > 0:
            return f"colour_of({self.value(scope, INT, role, depth - 1)})"
        return f"Colour.{self.random.choice(['RED', 'GREEN', 'BLUE'])}"

    def pair(self, scope: Scope, role: str, depth: int) -> str:
        return f"({self.value(scope, INT, role, depth - 1)}, " \
               f"{self.value(scope, STR, role, depth - 1)})"

    def maybe(self, scope: Scope, role: str, depth: int) -> str:
        if self.chance(0.5):
            return f"maybe({self.value(scope, INT, role, depth - 1)})"
        return self.value(scope, INT, role, depth - 1)

    def atom(self, scope: Scope, type_: str, role: str) -> str:
        """A variable if there is one: what attributes and subscripts are taken of."""
        known = self.variables(scope, type_, role)
        if known:
            return self.random.choice(known).name
        if type_ == MAYBE:
            return f"maybe({self.atom(scope, INT, role)})"
        made = self.value(scope.inner(pure=True), type_, role, 0)
        return made if type_ not in (INT, STR) else f"({made}@{role})"
