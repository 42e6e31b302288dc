"""Mutations of a choreography: one or more random changes of its tree.

What comes out may be anything: the compiler refuses it, or it behaves like every accepted program.
"""

import ast
import copy
import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

Block = list[ast.stmt]
CHANGED = ("@roles", "def main(", "class Both(", "class Deeper(")
WITH_BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)
PLAIN = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)


class Mutator:
    def __init__(self, source: str, luck: random.Random) -> None:
        self.luck = luck
        self.parts = self.split(source)
        self.targets = [part for part in self.parts if isinstance(part, ast.stmt)]
        self.mutations: list[Callable[[Any], bool]] = MUTATIONS

    def split(self, source: str) -> list[str | ast.stmt]:
        """The prelude is left alone, but for the class at two roles; it need not even be parsed."""
        return [ast.parse(part).body[0] if part.startswith(CHANGED) else part
                for part in top_level(source)]

    def mutate(self) -> str:
        for _ in range(self.luck.choice((1, 1, 1, 2, 3))):
            for _ in range(20):
                if self.luck.choice(self.mutations)(self):
                    break
        for node in self.nodes(ast.stmt):       # unparse asks them for their lines
            setattr(node, "lineno", getattr(node, "lineno", 0))
        return "".join(part if isinstance(part, str) else ast.unparse(part) + "\n\n\n"
                       for part in self.parts)

    # ---- finding places ----

    def nodes(self, *kinds: type[ast.AST]) -> list[ast.AST]:
        return [node for top in self.targets for node in walk(top) if isinstance(node, kinds)]

    def blocks(self) -> list[Block]:
        found = []
        for node in self.nodes(*WITH_BLOCKS):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    found.append(block)
        return found

    def place(self, wanted: Callable[[ast.stmt], bool] = lambda s: True
              ) -> tuple[Block, int] | None:
        places = [(block, i) for block in self.blocks() for i, s in enumerate(block) if wanted(s)]
        return self.luck.choice(places) if places else None

    def roles(self) -> list[str]:
        """The names that stand behind an `@`, or in an annotation."""
        found = {node.right.id for node in self.nodes(ast.BinOp)
                 if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
                 and isinstance(node.right, ast.Name)}
        for node in self.nodes(ast.Subscript):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                if node.value.id == "At" and isinstance(node.slice, ast.Tuple):
                    found |= {n.id for n in node.slice.elts[1:] if isinstance(n, ast.Name)}
        return sorted(found)

    def tests(self) -> list[ast.expr]:
        return [node.test for node in self.nodes(ast.If, ast.While)
                if isinstance(node, (ast.If, ast.While))]

    # ---- statements ----

    def delete(self) -> bool:
        found = self.place()
        return found is not None and _delete(*found)

    def delete_selection(self) -> bool:
        found = self.place(is_selection)
        return found is not None and _delete(*found)

    def delete_jump(self) -> bool:
        found = self.place(lambda s: isinstance(s, (ast.Break, ast.Continue, ast.Return)))
        return found is not None and _delete(*found)

    def swap_statements(self) -> bool:
        found = self.place()
        if found is None or found[1] == 0:
            return False
        block, i = found
        block[i - 1], block[i] = block[i], block[i - 1]
        return True

    def move(self) -> bool:
        """To any other place."""
        source, target = self.place(), self.place()
        if source is None or target is None:
            return False
        statement = source[0][source[1]]
        if any(target[0] is block for block in _blocks_in(statement)):
            return False
        copied = copy.deepcopy(statement)
        target[0].insert(target[1], copied)
        for i, each in enumerate(source[0]):
            if each is statement:
                return _delete(source[0], i)
        return True

    def duplicate(self) -> bool:
        source, target = self.place(), self.place()
        if source is None or target is None:
            return False
        target[0].insert(target[1] + self.luck.randrange(2), copy.deepcopy(source[0][source[1]]))
        return True

    def hoist(self) -> bool:
        """An arm in place of the choice, or of the loop."""
        found = self.place(lambda s: isinstance(s, (ast.If, ast.For, ast.While, ast.With)))
        if found is None:
            return False
        block, i = found
        statement = block[i]
        body = getattr(statement, "orelse", []) if self.luck.random() < 0.3 else []
        block[i:i + 1] = body or getattr(statement, "body")
        return True

    def swap_arms(self) -> bool:
        found = [n for n in self.nodes(ast.If, ast.For, ast.While) if getattr(n, "orelse")]
        if not found:
            return False
        node = self.luck.choice(found)
        body, orelse = getattr(node, "body"), getattr(node, "orelse")
        setattr(node, "body", orelse)
        setattr(node, "orelse", body)
        return True

    def drop_else(self) -> bool:
        found = [n for n in self.nodes(ast.If, ast.For, ast.While, ast.Try) if getattr(n, "orelse")]
        if not found:
            return False
        setattr(self.luck.choice(found), "orelse", [])
        return True

    def add_jump(self) -> bool:
        found = self.place()
        if found is None:
            return False
        returned = [n for n in self.nodes(ast.Return)]
        jumps: list[ast.stmt] = [ast.Break(), ast.Continue(), ast.Return(None)]
        jumps += [copy.deepcopy(n) for n in returned[:1] if isinstance(n, ast.stmt)]
        found[0].insert(found[1], self.luck.choice(jumps))
        return True

    def change_jump(self) -> bool:
        found = self.place(lambda s: isinstance(s, (ast.Break, ast.Continue, ast.Return)))
        if found is None:
            return False
        found[0][found[1]] = self.luck.choice([ast.Break(), ast.Continue(), ast.Return(None)])
        return True

    def wrap(self) -> bool:
        """A statement becomes conditional, repeated or guarded."""
        found = self.place()
        tests = self.tests()
        iters = [n.iter for n in self.nodes(ast.For) if isinstance(n, ast.For)]
        if found is None:
            return False
        block, i = found
        made: list[ast.stmt] = []
        if tests:
            made.append(ast.If(copy.deepcopy(self.luck.choice(tests)), [block[i]], []))
        if iters:
            made.append(ast.For(ast.Name("it", ast.Store()), copy.deepcopy(self.luck.choice(iters)),
                                [block[i]], []))
        handler = ast.ExceptHandler(ast.Name("ValueError", ast.Load()), None, [ast.Pass()])
        made.append(ast.Try([block[i]], [handler], [], []))
        made.append(ast.Try([block[i]], [], [], [ast.Pass()]))
        block[i] = self.luck.choice(made)
        return True

    def finally_(self) -> bool:
        """A statement moves into the `finally` of the one before it."""
        found = self.place()
        if found is None or found[1] == 0:
            return False
        block, i = found
        block[i - 1:i + 1] = [ast.Try([block[i - 1]], [], [], [block[i]])]
        return True

    # ---- labels, roles, channels ----

    def change_label(self) -> bool:
        labels = [n for n in self.nodes(ast.Attribute) if isinstance(n, ast.Attribute)
                  and isinstance(n.value, ast.Name) and n.value.id == "Way"]
        if not labels:
            return False
        self.luck.choice(labels).attr = self.luck.choice("LRM")
        return True

    def change_role(self) -> bool:
        roles = self.roles()
        found = [n for n in self.nodes(ast.Name) if isinstance(n, ast.Name) and n.id in roles]
        if not found:
            return False
        self.luck.choice(found).id = self.luck.choice(roles)
        return True

    def replicate(self) -> bool:
        """One more role in a type."""
        found = [n.slice for n in self.nodes(ast.Subscript) if isinstance(n, ast.Subscript)
                 and isinstance(n.value, ast.Name) and n.value.id == "At"]
        tuples, roles = [n for n in found if isinstance(n, ast.Tuple)], self.roles()
        if not tuples or not roles:
            return False
        self.luck.choice(tuples).elts.append(ast.Name(self.luck.choice(roles), ast.Load()))
        return True

    def drop_pin(self) -> bool:
        found = [n for n in self.nodes(ast.BinOp)
                 if isinstance(n, ast.BinOp) and isinstance(n.op, ast.MatMult)]
        if not found:
            return False
        chosen = self.luck.choice(found)
        return self._replace(chosen, chosen.left)

    def change_channel(self) -> bool:
        found = [n.value for n in self.nodes(ast.Attribute) if isinstance(n, ast.Attribute)
                 and n.attr in ("com", "select", "share") and isinstance(n.value, ast.Name)]
        names = [n for n in found if isinstance(n, ast.Name)]
        if not names:
            return False
        self.luck.choice(names).id = self.luck.choice(names).id
        return True

    def turn_channel(self) -> bool:
        """The roles of a channel, or of an instance, in another order."""
        found = [n.slice for n in self.nodes(ast.Subscript) if isinstance(n, ast.Subscript)
                 and isinstance(n.value, ast.Name) and n.value.id != "At"
                 and isinstance(n.slice, ast.Tuple) and len(n.slice.elts) >= 2]
        tuples = [n for n in found if isinstance(n, ast.Tuple)]
        if not tuples:
            return False
        elements = self.luck.choice(tuples).elts
        elements[-1], elements[-2] = elements[-2], elements[-1]
        return True

    def change_method(self) -> bool:
        found = [n for n in self.nodes(ast.Attribute) if isinstance(n, ast.Attribute)
                 and n.attr in ("com", "share", "push", "vote")]
        if not found:
            return False
        self.luck.choice(found).attr = self.luck.choice(("com", "share", "push", "vote"))
        return True

    # ---- expressions ----

    def rename(self) -> bool:
        """A variable in place of another."""
        found = [n for n in self.nodes(ast.Name) if isinstance(n, ast.Name)]
        names = [n.id for n in found if n.id[-1:].isdigit()]
        wanted = [n for n in found if n.id in names]
        if not wanted:
            return False
        self.luck.choice(wanted).id = self.luck.choice(names)
        return True

    def replace_expression(self) -> bool:
        found = [n for n in self.nodes(ast.expr) if isinstance(n, ast.expr)
                 and not isinstance(getattr(n, "ctx", ast.Load()), (ast.Store, ast.Del))]
        if len(found) < 2:
            return False
        return self._replace(self.luck.choice(found), self.luck.choice(found))

    def make_conditional(self) -> bool:
        """`e` becomes `t and e`, `e if t else e2`, or an item of a comprehension."""
        found = [n for n in self.nodes(ast.Call, ast.BinOp, ast.Compare) if isinstance(n, ast.expr)]
        tests = self.tests()
        if not found or not tests:
            return False
        chosen, test = self.luck.choice(found), copy.deepcopy(self.luck.choice(tests))
        own = copy.deepcopy(chosen)
        made: list[ast.expr] = [
            ast.BoolOp(self.luck.choice([ast.And(), ast.Or()]), [test, own]),
            ast.IfExp(test, own, copy.deepcopy(self.luck.choice(found))),
            ast.ListComp(own, [ast.comprehension(ast.Name("it", ast.Store()), ast.List(
                [ast.Constant(1)], ast.Load()), [test], 0)]),
            ast.Lambda(ast.arguments([], [], None, [], [], None, []), own),
        ]
        return self._replace(chosen, self.luck.choice(made))

    def change_number(self) -> bool:
        found = [n for n in self.nodes(ast.Constant) if isinstance(n, ast.Constant)
                 and type(n.value) is int]
        if not found:
            return False
        self.luck.choice(found).value = self.luck.randint(-3, 9)
        return True

    def change_type(self) -> bool:
        found = [n.slice for n in self.nodes(ast.Subscript) if isinstance(n, ast.Subscript)
                 and isinstance(n.value, ast.Name) and n.value.id == "At"]
        tuples = [n for n in found if isinstance(n, ast.Tuple) and n.elts]
        if len(tuples) < 2:
            return False
        self.luck.choice(tuples).elts[0] = copy.deepcopy(self.luck.choice(tuples).elts[0])
        return True

    def _replace(self, old: ast.expr, new: ast.expr) -> bool:
        new = copy.deepcopy(new)
        for top in self.targets:
            for node in ast.walk(top):
                for name, value in ast.iter_fields(node):
                    if name == "format_spec" or isinstance(node, ast.JoinedStr):
                        continue                # parts of an f-string are no expressions
                    if value is old:
                        setattr(node, name, new)
                        return True
                    if isinstance(value, list):
                        for i, each in enumerate(value):
                            if each is old:
                                value[i] = new
                                return True
        return False


def top_level(source: str) -> list[str]:
    """The parts of a source that blank lines set apart."""
    return [part + "\n\n\n" for part in source.rstrip("\n").split("\n\n\n")]


def walk(top: ast.AST) -> Iterator[ast.AST]:
    """As `ast.walk`, but twice as fast, and without what mutations leave alone."""
    todo = deque([top])
    while todo:
        node = todo.popleft()
        yield node
        fields = node.__dict__
        for name in node._fields:
            value = fields.get(name)
            if isinstance(value, list):
                todo += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, PLAIN):
                todo.append(value)


def _delete(block: Block, i: int) -> bool:
    del block[i]
    if not block:
        block.append(ast.Pass())
    return True


def _blocks_in(statement: ast.stmt) -> list[Block]:
    return [block for node in ast.walk(statement) for name in ("body", "orelse", "finalbody")
            if isinstance(block := getattr(node, name, None), list)]


def is_selection(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) \
        and isinstance(statement.value.func, ast.Attribute) \
        and statement.value.func.attr == "select"


MUTATIONS: list[Callable[[Any], bool]] = [
    Mutator.delete, Mutator.delete_selection, Mutator.delete_selection, Mutator.delete_jump,
    Mutator.swap_statements, Mutator.swap_statements, Mutator.move, Mutator.move,
    Mutator.duplicate, Mutator.hoist, Mutator.swap_arms, Mutator.drop_else, Mutator.add_jump,
    Mutator.change_jump, Mutator.wrap, Mutator.wrap, Mutator.finally_, Mutator.change_label,
    Mutator.change_label, Mutator.change_role, Mutator.replicate, Mutator.drop_pin,
    Mutator.change_channel, Mutator.turn_channel, Mutator.change_method, Mutator.rename,
    Mutator.replace_expression, Mutator.make_conditional, Mutator.change_number,
    Mutator.change_type,
]
