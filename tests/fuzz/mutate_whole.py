"""Mutations of a program that somebody has written: all of it may change, not only choreographies.

Besides the changes of `mutate.py` those that ask other questions of types and of the C emitter:
operators, constants, annotations, arguments, attributes, handlers and cases.
"""

import ast
import copy
import random
from collections.abc import Callable

from mutate import MUTATIONS, Mutator, top_level

OPERATORS = (ast.Add(), ast.Sub(), ast.Mult(), ast.Div(), ast.FloorDiv(), ast.Mod(), ast.Pow(),
             ast.BitAnd(), ast.BitOr(), ast.BitXor(), ast.LShift(), ast.RShift())
COMPARISONS = (ast.Eq(), ast.NotEq(), ast.Lt(), ast.GtE(), ast.Is(), ast.IsNot(), ast.In(),
               ast.NotIn())
UNARY = (ast.USub(), ast.UAdd(), ast.Not(), ast.Invert())
CONSTANTS = (0, 1, -1, 2, 7, 1 << 31, -(1 << 63), 1 << 64, 0.0, 1.5, -0.0, True, None, "", "a",
             "é\n", "100", b"", b"x", ...)


class WholeMutator(Mutator):
    def __init__(self, source: str, luck: random.Random) -> None:
        super().__init__(source, luck)
        self.mutations = [*MUTATIONS, *(3 * OF_PROGRAMS)]

    def split(self, source: str) -> list[str | ast.stmt]:
        """Parts that this Python does not know, of a `type` statement, stay as they are."""
        parts: list[str | ast.stmt] = []
        for part in top_level(source):
            try:
                parts += ast.parse(part).body
            except SyntaxError:
                parts.append(part)
        return parts

    def one_of(self, kind: type[ast.AST]) -> ast.AST | None:
        found = self.nodes(kind)
        return self.luck.choice(found) if found else None

    def rename_any(self) -> bool:
        """A name in place of another, of whatever kind."""
        names = [node for node in self.nodes(ast.Name) if isinstance(node, ast.Name)]
        read = [node for node in names if isinstance(node.ctx, ast.Load)]
        if not read:
            return False
        self.luck.choice(read).id = self.luck.choice(names).id
        return True

    def change_attribute(self) -> bool:
        found = [node for node in self.nodes(ast.Attribute) if isinstance(node, ast.Attribute)]
        if len(found) < 2:
            return False
        self.luck.choice(found).attr = self.luck.choice(found).attr
        return True

    def change_operator(self) -> bool:
        found = self.nodes(ast.BinOp, ast.AugAssign, ast.Compare, ast.UnaryOp, ast.BoolOp)
        node = self.luck.choice(found) if found else None
        if isinstance(node, (ast.BinOp, ast.AugAssign)):
            if isinstance(node.op, ast.MatMult):
                return False
            node.op = self.luck.choice(OPERATORS)
        elif isinstance(node, ast.Compare):
            node.ops[0] = self.luck.choice(COMPARISONS)
        elif isinstance(node, ast.UnaryOp):
            node.op = self.luck.choice(UNARY)
        elif isinstance(node, ast.BoolOp):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node is not None

    def change_constant(self) -> bool:
        node = self.one_of(ast.Constant)
        if not isinstance(node, ast.Constant):
            return False
        others = [each.value for each in self.nodes(ast.Constant)
                  if isinstance(each, ast.Constant)]
        node.value = self.luck.choice(CONSTANTS if self.luck.random() < 0.5 else others)
        return True

    def swap_annotations(self) -> bool:
        """An annotation, or a part of it, in place of another."""
        places = [(node, name) for node in self.nodes(ast.arg, ast.AnnAssign, ast.FunctionDef)
                  for name in ("annotation", "returns") if getattr(node, name, None) is not None]
        if len(places) < 2:
            return False
        (node, name), source = self.luck.choice(places), self.luck.choice(places)
        parts = [part for part in ast.walk(getattr(*source)) if isinstance(part, ast.expr)]
        new = copy.deepcopy(parts[0] if self.luck.random() < 0.5 else self.luck.choice(parts))
        setattr(node, name, new)
        return True

    def change_arguments(self) -> bool:
        """Of a call: two change places, one is left out, doubled, or gets a name."""
        node = self.one_of(ast.Call)
        if not isinstance(node, ast.Call) or not node.args:
            return False
        i = self.luck.randrange(len(node.args))
        what = self.luck.randrange(4)
        if what == 0:
            node.args.append(node.args.pop(i))
        elif what == 1:
            del node.args[i]
        elif what == 2:
            node.args.insert(i, copy.deepcopy(node.args[i]))
        else:
            names = [each.arg for each in self.nodes(ast.arg) if isinstance(each, ast.arg)]
            if not names or isinstance(node.args[i], ast.Starred):
                return False
            node.keywords.append(ast.keyword(self.luck.choice(names), node.args.pop(i)))
        return True

    def change_items(self) -> bool:
        """Of a list, a tuple or a set: as of arguments; an empty one is asked for, too."""
        found = [node for node in self.nodes(ast.List, ast.Tuple, ast.Set)
                 if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and node.elts
                 and not isinstance(getattr(node, "ctx", ast.Load()), (ast.Store, ast.Del))]
        if not found:
            return False
        node = self.luck.choice(found)
        i = self.luck.randrange(len(node.elts))
        if isinstance(node, ast.List) and self.luck.random() < 0.3:
            node.elts = []
        elif len(node.elts) > 1 and self.luck.random() < 0.5:
            del node.elts[i]
        else:
            node.elts.insert(i, copy.deepcopy(self.luck.choice(node.elts)))
        return True

    def replace_value(self) -> bool:
        """An expression that is calculated, so no annotation, by another one."""
        found = [(node, name) for node in self.nodes(
                    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Expr, ast.If,
                    ast.While, ast.For, ast.keyword, ast.Attribute, ast.Subscript, ast.BinOp,
                    ast.UnaryOp, ast.Compare, ast.IfExp, ast.Starred, ast.comprehension)
                 for name in ("value", "test", "iter", "left", "right", "operand", "orelse")
                 if isinstance(getattr(node, name, None), ast.expr)]
        if len(found) < 2:
            return False
        new = copy.deepcopy(getattr(*self.luck.choice(found)))
        setattr(*self.luck.choice(found), new)
        return True

    def change_arms(self) -> bool:
        """Handlers, or cases: one is left out, or comes first."""
        found = [getattr(node, name) for node in self.nodes(ast.Try, ast.Match)
                 for name in ("handlers", "cases") if len(getattr(node, name, ())) > 1]
        if not found:
            return False
        arms = self.luck.choice(found)
        arm = arms.pop(self.luck.randrange(len(arms)))
        if self.luck.random() < 0.5:
            arms.insert(0, arm)
        return True


OF_PROGRAMS: list[Callable[[WholeMutator], bool]] = [
    WholeMutator.rename_any, WholeMutator.change_attribute, WholeMutator.change_operator,
    WholeMutator.change_constant, WholeMutator.swap_annotations, WholeMutator.change_arguments,
    WholeMutator.change_items, WholeMutator.replace_value, WholeMutator.replace_value,
    WholeMutator.change_arms,
]
