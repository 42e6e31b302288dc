"""Random statements: local code of one role, messages, and choices told to those who act."""

from expressions import Expressions
from local import Local
from scope import (BOOL, COLOUR, DICT, INT, LIST, MAYBE, PAIR, POINT, STR, TYPES, Scope, Var)

LABELS = ("L", "R", "M")
MUTABLE = (LIST, DICT, POINT)


class Statements(Expressions):
    """`block` writes statements; each method writes one and binds what it makes in the scope."""

    def __init__(self, seed: int, features: frozenset[str]) -> None:
        super().__init__(seed)
        self.features = features
        self.local = Local(seed, self.random.choice((0, 0, 1, 2)))
        self.raises = self.chance(0.06)         # whether this program may fail

    def block(self, scope: Scope, length: int) -> None:
        for _ in range(length):
            self.statement(scope)

    def statement(self, scope: Scope) -> None:
        simple = [self.bind, self.bind, self.show, self.show, self.change, self.store, self.rebind,
                  self.unpack, self.call_statement, self.make_object, self.use_object,
                  self.check]
        nested = [self.choice, self.choice, self.chain, self.shared_choice, self.local_choice,
                  self.local_for, self.local_while, self.inner_function]
        if "share" in self.features:
            simple.append(self.share)
        if "loops" in self.features:
            nested += [self.told_for, self.told_while, self.shared_for, self.endless_while]
        if "local_try" in self.features:
            nested.append(self.local_try)
        if "try" in self.features:
            nested += [self.told_try]
        if "match" in self.features:
            nested += [self.told_match]
        if "with" in self.features:
            nested += [self.with_block]
        if scope.depth > 0 and self.chance(0.35):
            self.random.choice(nested)(scope)
        elif self.chance(0.06) and (scope.returns or scope.loop):
            self.guard(scope)
        else:
            self.random.choice(simple)(scope)

    def a_role(self, scope: Scope) -> str:
        return self.random.choice(scope.roles)

    # ---- simple statements ----

    def bind(self, scope: Scope) -> None:
        role, type_ = self.a_role(scope), self.random.choice(TYPES)
        name = self.fresh("v")
        if len(scope.roles) > 1 and self.chance(0.15):
            roles = tuple(self.random.sample(scope.roles, self.random.randint(2, len(scope.roles))))
            value = {INT: str(self.random.randint(0, 9)), STR: '"k"',
                     BOOL: "True", LIST: "[1, 2]", DICT: '{"s": 1}', POINT: 'Point(1, "k")',
                     COLOUR: "Colour.RED", PAIR: '(1, "k")', MAYBE: "None"}[type_]
            self.emit(f"{name}: At[{type_}, {', '.join(roles)}] = {value}")
            scope.variables.append(Var(name, type_, roles, False))
            return
        self.emit(f"{name}: At[{type_}, {role}] = {self.value(scope, type_, role, 3)}")
        scope.variables.append(Var(name, type_, (role,)))

    def share(self, scope: Scope) -> None:
        pairs = [(a, b, link) for a in scope.roles for b in scope.roles if a != b
                 for link in self.data_links(scope, a, b)]
        if pairs:
            sender, receiver, link = self.random.choice(pairs)
            type_, name = self.random.choice(TYPES), self.fresh("k")
            self.emit(f"{name}: At[{type_}, {sender}, {receiver}] = "
                      f"{link.name}.share({self.at(scope, type_, sender, 2)})")
            scope.variables.append(Var(name, type_, (sender, receiver), False))

    def show(self, scope: Scope) -> None:
        role = self.a_role(scope)
        more = [self.value(scope, self.random.choice(TYPES), role, 2)
                for _ in range(self.random.randint(0, 2))]
        first = f'"{self.fresh("p")}"'
        self.emit(f"print({', '.join([f'{first}@{role}', *more])})")

    def rebind(self, scope: Scope) -> None:
        known = self._assignable(scope, TYPES)
        if known:
            variable = self.random.choice(known)
            value = self.value(scope, variable.type, variable.roles[0], 2)
            if variable.type == INT:
                value = f"({value}) % 1009"
            self.emit(f"{variable.name} = {value}")

    def change(self, scope: Scope) -> None:
        known = self._assignable(scope, (INT, POINT, LIST))
        if known:
            variable = self.random.choice(known)
            target = {INT: "", POINT: ".x", LIST: "[0:1]"}[variable.type]
            role = variable.roles[0]
            if variable.type == LIST:
                self.emit(f"{variable.name} += [{self.value(scope, INT, role, 2)}]")
            else:
                self.emit(f"{variable.name}{target} {self.random.choice('+-')}= "
                          f"({self.value(scope, INT, role, 2)}) % 50")

    def store(self, scope: Scope) -> None:
        known = [v for v in scope.variables
                 if v.type in MUTABLE and set(v.roles) <= set(scope.roles) and len(v.roles) == 1]
        if not known:
            return
        variable = self.random.choice(known)
        role, name = variable.roles[0], variable.name
        value = self.value(scope, INT, role, 2)
        self.emit({LIST: f"{name}.append({value})",
                   DICT: f"{name}[{self.value(scope, STR, role, 1)}] = {value}",
                   POINT: f"{name}.x = {value}"}[variable.type])

    def _assignable(self, scope: Scope, types: tuple[str, ...]) -> list[Var]:
        return [v for v in scope.variables if v.assignable and v.type in types
                and v.roles[0] in scope.roles]

    def unpack(self, scope: Scope) -> None:
        role, one, two = self.a_role(scope), self.fresh("v"), self.fresh("v")
        if self.chance(0.5):
            self.emit(f"{one}, {two} = ({self.value(scope, PAIR, role, 2)})@{role}")
            scope.variables += [Var(one, INT, (role,)), Var(two, STR, (role,))]
        else:
            left, right = self.value(scope, INT, role, 2), self.value(scope, INT, role, 1)
            self.emit(f"{one}, {two} = ({left})@{role}, ({right})@{role}")
            scope.variables += [Var(one, INT, (role,)), Var(two, INT, (role,))]

    def check(self, scope: Scope) -> None:
        role = self.a_role(scope)
        if self.raises and self.chance(0.5):
            self.emit(f'assert {self.test(scope.inner(pure=True), role, 1)}, "no"')
        else:
            number = self.atom(scope.inner(pure=True), INT, role)
            self.emit(f"assert {number} == {number}")

    def call_statement(self, scope: Scope) -> None:
        if not scope.helpers:
            return self.show(scope)
        helper = self.random.choice(scope.helpers)
        text = self.call(scope, helper, None, 2)
        if text:
            self.emit(text)

    # ---- objects at several roles ----

    def make_object(self, scope: Scope) -> None:
        if len(scope.roles) < 2:
            return
        one, two = self.random.sample(scope.roles, 2)
        channel = self.symmetric(scope, one, two)
        if channel is not None:
            name, kind = self.fresh("o"), self.random.choice(self.classes())
            self.emit(f"{name} = {kind}[{one}, {two}]({channel}, {self.at(scope, INT, one, 1)})")
            scope.objects.append((name, kind, (one, two)))

    def classes(self) -> list[str]:
        return ["Both", "Deeper"] if "inherit" in self.features else ["Both"]

    def use_object(self, scope: Scope) -> None:
        usable = [o for o in scope.objects if set(o[2]) <= set(scope.roles)]
        if not usable:
            return self.show(scope)
        name, _, (one, two) = self.random.choice(usable)
        pick = self.random.randrange(4)
        if pick == 0:
            result = self.fresh("v")
            self.emit(f"{result}: At[int, {two}] = {name}.push({self.at(scope, INT, one, 2)})")
            scope.variables.append(Var(result, INT, (two,)))
        elif pick == 1:
            self.emit(f"{name}.vote({self.at(scope, INT, two, 1)})")
        elif pick == 2:
            self.emit(f"{name}.left += {self.value(scope, INT, one, 1)}")
        else:
            self.emit(f"print({name}.right, {self.value(scope, INT, two, 1)})")

    # ---- choices ----

    def tellers(self, scope: Scope, acting: list[str]) -> list[tuple[str, str]] | None:
        """(channel, teller), such that who tells knows already; None if one is not reached."""
        knows, plan, rest = acting[:1], [], acting[1:]
        while rest:
            ways = [(link, teller, told) for told in rest for teller in knows
                    for link in self.label_links(scope, teller, told)]
            if not ways:
                return None
            link, teller, told = self.random.choice(ways)
            plan.append((link.name, teller))
            knows.append(told)
            rest.remove(told)
        return plan

    def party(self, scope: Scope) -> tuple[str, list[str], list[tuple[str, str]]]:
        """A decider, those who act (the decider first), and how they are told."""
        decider = self.a_role(scope)
        acting = [decider] + [r for r in scope.roles if r != decider and self.chance(0.6)]
        plan = self.tellers(scope, acting)
        return (decider, acting, plan) if plan is not None else (decider, [decider], [])

    def everyone(self, scope: Scope) -> tuple[str, list[tuple[str, str]]] | None:
        """A decider from which all roles of the scope can be told."""
        decider = self.a_role(scope)
        plan = self.tellers(scope, [decider] + [r for r in scope.roles if r != decider])
        return None if plan is None else (decider, plan)

    def tell(self, plan: list[tuple[str, str]], label: str) -> None:
        for channel, teller in plan:
            self.emit(f"{channel}.select(Way.{label}@{teller})")

    def arm(self, scope: Scope, acting: list[str], plan: list[tuple[str, str]], label: str,
            twins: list[str]) -> Scope:
        """An arm; the twins, which are of untold roles, stand in every arm in this order."""
        self.indent += 1
        inner = scope.inner(tuple(acting))
        if self.chance(0.1):
            self.emit(f'print("{self.fresh("early")}"@{acting[0]})')
        self.tell(plan, label)
        for twin in twins:
            self.block(inner, self.random.randint(0, 1))
            self.emit(twin)
        self.block(inner, self.random.randint(0 if twins or plan else 1, 3))
        if not plan and not twins:
            self.emit("pass")
        if (scope.returns or scope.loop) and self.chance(0.08):
            self.jump(inner)
        self.indent -= 1
        return inner

    def raising_arm(self, scope: Scope, acting: list[str], plan: list[tuple[str, str]]) -> None:
        """An arm that ends in a raise of one of those that know of it: all of them, or one."""
        told = self.chance(0.6)
        inner = scope.inner(tuple(acting[:None if told else 1]))
        self.indent += 1
        if told:
            self.tell(plan, "R")
            self.block(inner, self.random.randint(0, 2))
        self.emit(f'raise ValueError("{self.fresh("e")}"@{self.random.choice(inner.roles)})')
        self.indent -= 1

    def jump(self, scope: Scope) -> None:
        """Leaves, if all roles that act later know."""
        if not self.all_here(scope):
            return
        if scope.loop:
            self.emit(self.random.choice(["break", "continue"]))
        elif scope.returns:
            self.return_(scope)

    def all_here(self, scope: Scope) -> bool:
        """Whether who acts here is everybody of the loop or function that a jump leaves."""
        return set(scope.roles) >= set(scope.rounds if scope.loop else scope.everybody)

    def return_(self, scope: Scope) -> None:
        if scope.result is None:
            self.emit("return")
        else:
            self.emit(f"return {self.at(scope, *scope.result, 2)}")

    def twins(self, scope: Scope, acting: list[str]) -> list[str]:
        """Statements that roles which are not told run in every arm."""
        rest = [role for role in scope.roles if role not in acting]
        made: list[str] = []
        while rest and self.chance(0.4):
            role, name = self.random.choice(rest), self.fresh("t")
            if self.chance(0.5):
                value = self.value(scope.inner((role,)), INT, role, 1)
                made.append(f'print("{name}"@{role}, {value})')
            else:
                links = self.data_links(scope, acting[0], role)
                if links:
                    made.append(f"{name}: At[int, {role}] = {self.random.choice(links).name}.com("
                                f"{self.at(scope.inner((acting[0],)), INT, acting[0], 1)})")
                    scope.variables.append(Var(name, INT, (role,)))
        return made

    def choice(self, scope: Scope) -> None:
        decider, acting, plan = self.party(scope)
        test = self.test(scope, decider, 2)
        outer = scope.inner()
        twins = self.twins(outer, acting)
        self.emit(f"if {test}:")
        left = self.arm(scope, acting, plan, "L", twins)
        self.emit("else:")
        if self.raises and self.chance(0.4):
            self.raising_arm(scope, acting, plan)
            scope.variables += [v for v in left.variables if v not in scope.variables]
            return
        self.arm(scope, acting, plan, "R", twins)
        scope.variables += [v for v in outer.variables if v not in scope.variables]

    def chain(self, scope: Scope) -> None:
        """Three arms by `elif`, or by a choice in an arm, with three labels."""
        decider, acting, plan = self.party(scope)
        first = self.test(scope, decider, 1)
        second = self.test(scope.inner(pure=True), decider, 1)
        self.emit(f"if {first}:")
        self.arm(scope, acting, plan, "L", [])
        nested = self.chance(0.5)
        if nested:
            self.emit("else:")
            self.indent += 1
        self.emit(f"if {second}:" if nested else f"elif {second}:")
        self.arm(scope, acting, plan, "R", [])
        self.emit("else:")
        self.arm(scope, acting, plan, "M", [])
        self.indent -= nested

    def shared_choice(self, scope: Scope) -> None:
        """A replicated condition: those that hold it branch without a message."""
        known = [v for v in scope.variables if v.type == INT and len(v.roles) > 1
                 and set(v.roles) <= set(scope.roles)]
        if not known:
            return self.choice(scope)
        variable = self.random.choice(known)
        self.emit(f"if {variable.name} * 2 > {self.random.randint(0, 18)}:")
        self.arm(scope, list(variable.roles), [], "L", [])
        self.emit("else:")
        self.arm(scope, list(variable.roles), [], "R", [])

    def local_choice(self, scope: Scope) -> None:
        role = self.a_role(scope)
        self.emit(f"if {self.test(scope, role, 2)}:")
        self.arm(scope, [role], [], "L", [])
        if self.chance(0.5):
            self.emit("else:")
            self.arm(scope, [role], [], "R", [])

    def guard(self, scope: Scope) -> None:
        """A choice whose first arm leaves the loop or the function."""
        found = self.everyone(scope)
        if found is None or not self.all_here(scope):
            return
        decider, plan = found
        self.emit(f"if {self.test(scope, decider, 1)}:")
        self.indent += 1
        self.tell(plan, "L")
        if scope.loop:
            self.emit(self.random.choice(["break", "continue"]))
        else:
            self.return_(scope.inner())
        self.indent -= 1
        if self.chance(0.5):
            self.emit("else:")
            self.indent += 1
            self.tell(plan, "R")
            if not plan:
                self.emit("pass")
            self.indent -= 1
        else:
            self.tell(plan, "R")

    # ---- what one role does alone ----

    def alone(self, scope: Scope, role: str, loop: str, length: int) -> None:
        self.indent += 1
        inner = scope.inner((role,), loop=loop, rounds=(role,), returns=False)
        inner.depth = min(inner.depth, 1)
        self.block(inner, length)
        if loop and self.chance(0.3):
            self.emit(f"if {self.test(inner, role, 1)}:")
            self.emit(f"    {self.random.choice(['break', 'continue'])}")
        self.emit(f'print("{self.fresh("w")}"@{role})')
        self.indent -= 1

    def local_for(self, scope: Scope) -> None:
        role, name = self.a_role(scope), self.fresh("i")
        over = self.random.choice([f"range({self.atom(scope, INT, role)} % 4)",
                                   f"{self.value(scope, LIST, role, 2)}[:3]"])
        if over.startswith("range("):
            over = f"range(({self.atom(scope, INT, role)} % 4)@{role})"
        else:
            over = f"({over})@{role}"
        self.emit(f"for {name} in {over}:")
        inner = scope.inner()
        inner.variables.append(Var(name, INT, (role,), False))
        self.alone(inner, role, "local", self.random.randint(0, 2))
        if self.chance(0.2):
            self.emit("else:")
            self.alone(scope, role, scope.loop if scope.loop == "local" else "", 1)

    def local_while(self, scope: Scope) -> None:
        role, name = self.a_role(scope), self.fresh("n")
        self.emit(f"{name}: At[int, {role}] = {self.random.randint(0, 4)}")
        self.emit(f"while {name} > 0:")
        self.emit(f"    {name} -= 1")
        inner = scope.inner()
        inner.variables.append(Var(name, INT, (role,), False))
        self.alone(inner, role, "local", self.random.randint(0, 2))

    def local_try(self, scope: Scope) -> None:
        """Nobody else needs to know what failed."""
        role, name = self.a_role(scope), self.fresh("v")
        text = self.atom(scope, STR, role)
        self.emit("try:")
        self.emit(f"    {name} = int({text}@{role})")
        self.emit("except ValueError:")
        self.emit(f"    {name} = {self.value(scope.inner((role,), pure=True), INT, role, 1)}")
        if self.chance(0.3):
            self.emit("finally:")
            self.emit(f'    print("{self.fresh("f")}"@{role})')
        scope.variables.append(Var(name, INT, (role,)))

    def inner_function(self, scope: Scope) -> None:
        """A nested choreography that captures what is around it, and a call."""
        if len(scope.roles) < 2:
            return
        one, two = self.random.sample(scope.roles, 2)
        name, parameter = self.fresh("inner"), self.fresh("a")
        self.emit(f"def {name}({parameter}: At[int, {one}]) -> At[int, {two}]:")
        inner = scope.inner((one, two), loop="", returns=True, result=(INT, two))
        inner.everybody = (one, two)
        # What is assigned inside would be a local of the function.
        inner.variables = [Var(v.name, v.type, v.roles, False) for v in inner.variables]
        inner.variables.append(Var(parameter, INT, (one,)))
        self.indent += 1
        self.block(inner, self.random.randint(0, 3))
        self.emit(f"return {self.at(inner, INT, two, 2)}")
        self.indent -= 1
        result = self.fresh("v")
        value = self.at(scope, INT, one, 1)
        call = f"applied[{one}, {two}]({name}, {value})" if self.chance(0.4) else f"{name}({value})"
        self.emit(f"{result}: At[int, {two}] = {call}")
        scope.variables.append(Var(result, INT, (two,)))

    # ---- loops, try, match and with in which several roles take part ----

    def body(self, scope: Scope, acting: list[str], plan: list[tuple[str, str]], label: str,
             loop: str, length: int, before: str = "") -> None:
        self.indent += 1
        self.tell(plan, label)
        if before:
            self.emit(before)
        inner = scope.inner(tuple(acting))
        if loop:
            inner.loop, inner.rounds = loop, tuple(acting)
        self.block(inner, length)
        self.emit(f'print("{self.fresh("b")}"@{acting[0]})')
        self.indent -= 1

    def told_for(self, scope: Scope) -> None:
        decider, acting, plan = self.party(scope)
        name = self.fresh("i")
        over = self.random.choice([f"range({self.atom(scope, INT, decider)} % 4)",
                                   f"{self.atom(scope, LIST, decider)}[:3]"])
        self.emit(f"for {name} in ({over})@{decider}:")
        inner = scope.inner()
        inner.variables.append(Var(name, INT, (decider,), False))
        self.body(inner, acting, plan, "L", "told", self.random.randint(0, 3))
        self.loop_else(scope, acting, plan)

    def told_while(self, scope: Scope) -> None:
        decider, acting, plan = self.party(scope)
        name = self.fresh("n")
        self.emit(f"{name}: At[int, {decider}] = {self.random.randint(0, 3)}")
        self.emit(f"while {name} > 0:")
        inner = scope.inner()
        inner.variables.append(Var(name, INT, (decider,), False))
        self.body(inner, acting, plan, "L", "told", self.random.randint(0, 3), f"{name} -= 1")
        self.loop_else(scope, acting, plan)

    def loop_else(self, scope: Scope, acting: list[str], plan: list[tuple[str, str]]) -> None:
        if plan or self.chance(0.2):
            self.emit("else:")
            self.body(scope, acting, plan, "R", "", self.random.randint(0, 1))

    def shared_for(self, scope: Scope) -> None:
        """Every role knows how often."""
        if len(scope.roles) < 2:
            return self.local_for(scope)
        name = self.fresh("i")
        self.emit(f"for {name} in range({self.random.randint(0, 3)}):")
        inner = scope.inner()
        inner.variables.append(Var(name, INT, scope.roles, False))
        self.body(inner, list(scope.roles), [], "L", "told", self.random.randint(1, 3))

    def endless_while(self, scope: Scope) -> None:
        """`while True`, left by a `break` that all are told."""
        found = self.everyone(scope)
        if found is None:
            return
        decider, plan = found
        name = self.fresh("n")
        self.emit(f"{name}: At[int, {decider}] = {self.random.randint(1, 3)}")
        self.emit("while True:")
        self.indent += 1
        self.emit(f"{name} -= 1")
        self.emit(f"if {name} < 0:")
        self.indent += 1
        self.tell(plan, "R")
        self.emit("break")
        self.indent -= 1
        self.emit("else:")
        self.indent += 1
        self.tell(plan, "L")
        self.emit(f'print("{self.fresh("b")}"@{decider})')
        self.indent -= 1
        inner = scope.inner(loop="told", rounds=scope.roles)
        inner.variables.append(Var(name, INT, (decider,), False))
        self.block(inner, self.random.randint(0, 2))
        self.indent -= 1

    def told_try(self, scope: Scope) -> None:
        decider, acting, plan = self.party(scope)
        name = self.fresh("v")
        self.emit("try:")
        self.emit(f"    {name} = int({self.atom(scope, STR, decider)}@{decider})")
        self.emit("except ValueError:")
        self.arm(scope, acting, plan, "L", [])
        self.emit("else:")
        inner = scope.inner()
        inner.variables.append(Var(name, INT, (decider,)))
        self.arm(inner, acting, plan, "R", [])

    def told_match(self, scope: Scope) -> None:
        decider, acting, plan = self.party(scope)
        self.emit(f"match {self.at(scope, INT, decider, 1)} % 3:")
        self.indent += 1
        for case, label in (("0", "L"), ("1 | 5", "R"), ("_", "M")):
            self.emit(f"case {case}:")
            self.arm(scope, acting, plan, label, [])
        self.indent -= 1

    def with_block(self, scope: Scope) -> None:
        role = self.a_role(scope)
        self.emit(f'with Log("{self.fresh("log")}"@{role}):')
        self.body(scope, list(scope.roles), [], "L", "", self.random.randint(1, 3))
