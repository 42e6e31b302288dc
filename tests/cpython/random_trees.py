#!/usr/bin/env python3
"""random_trees.py - random trees through parser and printer.

Trees are built from CPython's own node classes, without regard to sense, and written by
`ast.unparse`.  What CPython reads of that text, we must read too, with the same positions; and
what `parse --python` prints of it must have the same tree.  Damaged library statements
(mutate.py) cover what people write; this covers nestings that nobody writes.

    tests/cpython/random_trees.py [COUNT] [--seed SEED] [--compiler FILE]
"""

import argparse
import ast
import multiprocessing
import os
import random
import sys
import time
import warnings

import mutate
import truth

BATCH = 1_000
LOAD, STORE, DEL = ast.Load(), ast.Store(), ast.Del()
NAMES = ("a", "b", "match", "case", "type", "_", "é", "x1")
STRINGS = ("", "a", "it's", 'say "hi"', "'\"", "a\nb", "\\", "{", "}}", "\t", "é", "\ud800", "\x7f",
           "#", "\n" * 3 + "long enough to be a text of several lines, is it not? " * 2, "'''",
           '"""', 'ends in "', "\r", "\N{BULLET}", "N{x}")
NUMBERS = (0, 1, 10**20, 1.5, 1e400, 1e-300, 2j, 1e400j, 0.1, 2**200)


class Trees:
    """Random nodes; `depth` is how much deeper they may go."""

    def __init__(self, seed):
        self.pick = random.Random(seed)

    # -- helpers --

    def name(self):
        return self.pick.choice(NAMES)

    def maybe(self, make, *args):
        return make(*args) if self.pick.random() < 0.4 else None

    def many(self, make, depth, least=0, most=3):
        return [make(depth) for _ in range(self.pick.randint(least, most))]

    # -- expressions --

    def expr(self, depth):
        if depth <= 0 or self.pick.random() < 0.12:
            return self.leaf()
        return self.pick.choice(self.EXPRESSIONS)(self, depth - 1)

    def leaf(self):
        kind = self.pick.randrange(4)
        if kind == 0:
            return ast.Constant(self.pick.choice(NUMBERS))
        if kind == 1:
            return ast.Constant(self.pick.choice(STRINGS))
        if kind == 2:
            return ast.Constant(self.pick.choice((None, True, False, ..., b"", b"a'\"\\\xff")))
        return ast.Name(self.name(), LOAD)

    def bool_op(self, depth):
        return ast.BoolOp(self.pick.choice((ast.And, ast.Or))(), self.many(self.expr, depth, 2))

    def named(self, depth):
        return ast.NamedExpr(ast.Name(self.name(), STORE), self.expr(depth))

    def bin_op(self, depth):
        operator = self.pick.choice(ast.operator.__subclasses__())()
        return ast.BinOp(self.expr(depth), operator, self.expr(depth))

    def unary_op(self, depth):
        return ast.UnaryOp(self.pick.choice(ast.unaryop.__subclasses__())(), self.expr(depth))

    def lambda_(self, depth):
        return ast.Lambda(self.arguments(depth, False), self.expr(depth))

    def if_exp(self, depth):
        return ast.IfExp(self.expr(depth), self.expr(depth), self.expr(depth))

    def dict(self, depth):
        keys = [self.maybe(self.expr, depth) for _ in range(self.pick.randint(0, 3))]
        return ast.Dict(keys, [self.expr(depth) for _ in keys])

    def elements(self, depth):
        return [ast.Starred(self.expr(depth), LOAD) if self.pick.random() < 0.2
                else self.expr(depth) for _ in range(self.pick.randint(0, 3))]

    def set(self, depth):
        return ast.Set(self.elements(depth) or [self.expr(depth)])

    def list(self, depth):
        return ast.List(self.elements(depth), LOAD)

    def tuple(self, depth):
        return ast.Tuple(self.elements(depth), LOAD)

    def generators(self, depth):
        return [ast.comprehension(self.target(depth), self.expr(depth),
                                  self.many(self.expr, depth, 0, 2), self.pick.randrange(2))
                for _ in range(self.pick.randint(1, 2))]

    def comprehension(self, depth):
        kind = self.pick.choice((ast.ListComp, ast.SetComp, ast.GeneratorExp))
        return kind(self.expr(depth), self.generators(depth))

    def dict_comp(self, depth):
        return ast.DictComp(self.expr(depth), self.expr(depth), self.generators(depth))

    def await_(self, depth):
        return ast.Await(self.expr(depth))

    def yield_(self, depth):
        if self.pick.random() < 0.3:
            return ast.YieldFrom(self.expr(depth))
        return ast.Yield(self.maybe(self.expr, depth))

    def compare(self, depth):
        operators = [c() for c in self.pick.choices(ast.cmpop.__subclasses__(),
                                                    k=self.pick.randint(1, 2))]
        return ast.Compare(self.expr(depth), operators, [self.expr(depth) for _ in operators])

    def call(self, depth):
        keywords = [ast.keyword(self.pick.choice((None, "k", "l")), self.expr(depth))
                    for _ in range(self.pick.randint(0, 2))]
        return ast.Call(self.expr(depth), self.elements(depth), keywords)

    def joined_str(self, depth):
        parts, after_text = [], False
        for _ in range(self.pick.randint(0, 3)):
            if not after_text and self.pick.random() < 0.5:
                parts.append(ast.Constant(self.pick.choice(STRINGS[1:])))
                after_text = True
            else:
                parts.append(self.field(depth))
                after_text = False
        return ast.JoinedStr(parts)

    def field(self, depth):
        spec = None
        if self.pick.random() < 0.3:
            inner = [ast.Constant(self.pick.choice((">", "{", "'", '"', ":", "!r", "\n", "\\")))]
            if self.pick.random() < 0.4 and depth > 0:
                inner.append(self.field(depth - 2))
            spec = ast.JoinedStr(inner)
        return ast.FormattedValue(self.expr(depth), self.pick.choice((-1, 114, 115, 97)), spec)

    def attribute(self, depth):
        return ast.Attribute(self.expr(depth), self.name(), LOAD)

    def subscript(self, depth):
        return ast.Subscript(self.expr(depth), self.index(depth), LOAD)

    def index(self, depth):
        kind = self.pick.randrange(4)
        if kind == 0:
            return self.slice(depth)
        if kind == 1:
            items = [self.slice(depth) if self.pick.random() < 0.3 else item
                     for item in self.elements(depth)]
            return ast.Tuple(items, LOAD)
        return self.expr(depth)

    def slice(self, depth):
        return ast.Slice(*(self.maybe(self.expr, depth) for _ in range(3)))

    EXPRESSIONS = (bool_op, named, bin_op, bin_op, bin_op, unary_op, unary_op, lambda_, if_exp,
                   dict, set, list, tuple, comprehension, dict_comp, await_, yield_, compare,
                   compare, call, call, joined_str, attribute, attribute, subscript)

    def target(self, depth):
        kind = self.pick.randrange(6) if depth > 0 else 0
        if kind == 3:
            return ast.Attribute(self.expr(depth - 1), self.name(), STORE)
        if kind == 4:
            return ast.Subscript(self.expr(depth - 1), self.index(depth - 1), STORE)
        if kind == 5:
            items = self.many(self.target, depth - 1)
            if items and self.pick.random() < 0.3:
                items[0] = ast.Starred(items[0], STORE)
            return self.pick.choice((ast.List, ast.Tuple))(items, STORE)
        return ast.Name(self.name(), STORE)

    def arguments(self, depth, annotated=True):
        def arg(_):
            return ast.arg(self.name(), self.maybe(self.expr, depth) if annotated else None)
        positional, plain, keyword = (self.many(arg, 0, 0, 2) for _ in range(3))
        count = len(positional) + len(plain)
        return ast.arguments(
            positional, plain, self.maybe(arg, 0), keyword,
            [self.maybe(self.expr, depth) for _ in keyword], self.maybe(arg, 0),
            self.many(self.expr, depth, 0, min(count, 2)))

    # -- patterns --

    def pattern(self, depth):
        kind = self.pick.randrange(9) if depth > 0 else self.pick.randrange(3)
        if kind == 0:
            return ast.MatchAs(None, self.pick.choice((None, "y")))
        if kind == 1:
            return ast.MatchValue(self.pick.choice((
                ast.Constant(1), ast.Constant("s"), ast.UnaryOp(ast.USub(), ast.Constant(1)),
                ast.BinOp(ast.Constant(1), ast.Add(), ast.Constant(2j)),
                ast.Attribute(ast.Name("A", LOAD), "B", LOAD))))
        if kind == 2:
            return ast.MatchSingleton(self.pick.choice((None, True, False)))
        if kind in (3, 4):
            items = self.many(self.pattern, depth - 1)
            if items and self.pick.random() < 0.4:
                items[0] = ast.MatchStar(self.pick.choice((None, "rest")))
            return ast.MatchSequence(items)
        if kind == 5:
            keys = self.pick.sample((ast.Constant(1), ast.Constant("k"), ast.Constant(None)), 2)
            return ast.MatchMapping(keys, [self.pattern(depth - 1) for _ in keys],
                                    self.pick.choice((None, "rest")))
        if kind == 6:
            return ast.MatchClass(ast.Name("C", LOAD), self.many(self.pattern, depth - 1, 0, 2),
                                  ["p", "q"], [self.pattern(depth - 1) for _ in range(2)])
        if kind == 7:
            return ast.MatchAs(self.pattern(depth - 1), "z")
        return ast.MatchOr(self.many(self.pattern, depth - 1, 2))

    # -- statements --

    def body(self, depth):
        return self.many(self.stmt, depth, 1, 2)

    def stmt(self, depth):
        if depth <= 0:
            return ast.Expr(self.expr(1))
        return self.pick.choice(self.STATEMENTS)(self, depth - 1)

    def expression(self, depth):
        return ast.Expr(self.expr(depth + 2))

    def assign(self, depth):
        return ast.Assign(self.many(self.target, depth, 1, 2), self.expr(depth))

    def ann_assign(self, depth):
        simple = self.pick.randrange(2)
        target = ast.Name(self.name(), STORE) if simple else self.pick.choice((
            ast.Name(self.name(), STORE), ast.Attribute(self.expr(depth), "f", STORE)))
        return ast.AnnAssign(target, self.expr(depth), self.maybe(self.expr, depth), simple)

    def aug_assign(self, depth):
        operator = self.pick.choice(ast.operator.__subclasses__())()
        return ast.AugAssign(ast.Name(self.name(), STORE), operator, self.expr(depth))

    def delete(self, depth):
        return ast.Delete([ast.Subscript(self.expr(depth), self.index(depth), DEL)])

    def return_(self, depth):
        return ast.Return(self.maybe(self.expr, depth))

    def raise_(self, depth):
        return ast.Raise(self.expr(depth), self.maybe(self.expr, depth))

    def assert_(self, depth):
        return ast.Assert(self.expr(depth), self.maybe(self.expr, depth))

    def for_(self, depth):
        kind = self.pick.choice((ast.For, ast.AsyncFor))
        return kind(self.target(depth), self.expr(depth), self.body(depth),
                    self.many(self.stmt, depth, 0, 1))

    def while_(self, depth):
        return ast.While(self.expr(depth), self.body(depth), self.many(self.stmt, depth, 0, 1))

    def if_(self, depth):
        return ast.If(self.expr(depth), self.body(depth), self.many(self.stmt, depth, 0, 2))

    def with_(self, depth):
        items = [ast.withitem(self.expr(depth), self.maybe(self.target, depth))
                 for _ in range(self.pick.randint(1, 2))]
        return self.pick.choice((ast.With, ast.AsyncWith))(items, self.body(depth))

    def match(self, depth):
        cases = [ast.match_case(self.pattern(depth), self.maybe(self.expr, depth),
                                self.body(depth)) for _ in range(self.pick.randint(1, 2))]
        return ast.Match(self.expr(depth), cases)

    def try_(self, depth):
        star = self.pick.random() < 0.2
        handlers = [ast.ExceptHandler(self.expr(depth), self.pick.choice((None, "e")),
                                      self.body(depth)) for _ in range(self.pick.randint(1, 2))]
        kind = ast.TryStar if star else ast.Try
        return kind(self.body(depth), handlers, self.many(self.stmt, depth, 0, 1),
                    self.many(self.stmt, depth, 0, 1))

    def function(self, depth):
        kind = self.pick.choice((ast.FunctionDef, ast.AsyncFunctionDef))
        return kind(name=self.name(), args=self.arguments(depth), body=self.body(depth),
                    decorator_list=self.many(self.expr, depth, 0, 1),
                    returns=self.maybe(self.expr, depth), **self.type_params(depth))

    def class_(self, depth):
        return ast.ClassDef(name=self.name(), bases=self.elements(depth), keywords=[],
                            body=self.body(depth),
                            decorator_list=self.many(self.expr, depth, 0, 1),
                            **self.type_params(depth))

    def type_params(self, depth):
        """Only where the interpreter has them; a default needs 3.13."""
        if sys.version_info < (3, 12):
            return {}
        params = []
        if self.pick.random() < 0.2:
            params.append(ast.TypeVar("T", self.maybe(self.expr, depth)))
        if self.pick.random() < 0.1 and sys.version_info >= (3, 13):
            params.append(ast.TypeVar("U", None, self.expr(depth)))
            params.append(ast.ParamSpec("P", self.expr(depth)))
        return {"type_params": params}

    STATEMENTS = (expression, expression, expression, assign, assign, ann_assign, aug_assign,
                  delete, return_, raise_, assert_, for_, while_, if_, with_, match, try_, function,
                  class_)


def make_texts(seed, count):
    """What CPython accepts of the texts of `count` random trees."""
    trees, texts = Trees(seed), []
    for _ in range(count):
        module = ast.Module([trees.stmt(trees.pick.randint(1, 4))], [])
        try:
            text = ast.unparse(ast.fix_missing_locations(module)) + "\n"
            text.encode()
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue            # the tree makes no sense, or unparse has no text for it
        texts.append(text)
    return texts


def compare_batch(job):
    seed, count, executable = job
    warnings.simplefilter("ignore")
    texts = make_texts(seed, count)
    trees = truth.Compiler("texts", "--ast=json", texts, executable)
    prints = truth.Compiler("texts", "--python", texts, executable)
    failures = []
    for text, answer, printed in zip(texts, trees.answers(), prints.answers()):
        _, _, what = mutate.judge(text, answer, printed)
        if what:
            failures.append((text, what))
    return count, len(texts), failures


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compiler", default=truth.default_compiler())
    parser.add_argument("--show", type=int, default=20, help="counter-examples shown")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def main():
    truth.become_truth()
    options = arguments()
    truth.require_compiler(options.compiler)
    print(truth.describe())
    start = time.time()
    jobs = [(options.seed * 1_000_003 + i, min(BATCH, options.count - first), options.compiler)
            for i, first in enumerate(range(0, options.count, BATCH))]
    total = accepted = 0
    failures = []
    with multiprocessing.Pool(options.jobs) as pool:
        for n, good, wrong in pool.imap(compare_batch, jobs):
            total, accepted, failures = total + n, accepted + good, failures + wrong
    print(f"{total} random trees, seed {options.seed}, {time.time() - start:.0f} s:"
          f" {accepted} have a text that CPython reads; different {len(failures)}")
    mutate.show(failures, options.show)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
