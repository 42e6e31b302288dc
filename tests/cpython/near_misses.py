#!/usr/bin/env python3
"""near_misses.py - programs that are right or nearly right, from a grammar that is too generous.

RULES derives every construct of Python, and puts expressions where only some may stand: a call
as a target, a `:=` without parentheses, arguments and parameters in any order.  About half of
what comes out is Python.  We must accept exactly what `ast.parse` accepts, with the same tree and
positions, and print source that has the same tree.

    tests/cpython/near_misses.py [COUNT] [--seed SEED] [--compiler FILE]

The first alternative of a rule must lead to an end: it is taken when a text is deep enough.
IN and OUT stand around an indented block.
"""

import multiprocessing
import random
import re
import sys
import time
import warnings

import mutate
import truth

BATCH = 1_000
IN, OUT = "\1", "\2"

RULES = {
    # Names and literals.
    "name": "a|b|c|_|match|case|type|print",
    "literal": "1|1.5|2j|'s'|b'q'|None|True|...|u'k'",
    "piece": "'a'|u'b'|f'c'|b'd'|f'{a}'|''|f'{{'|r'\\n'|<fstring>",
    "pieces": "<piece>|<piece> <pieces>",
    "fstring": "f''|f'<parts>'|rf\"<parts>\"|F'''<parts>'''",
    "parts": "|<part>|<part><parts>",
    "part": "t|{{|}}|\\n| |#|\\N{DIGIT ONE}|{<pad><value><pad>}"
            "|{<pad><value><pad><equal><conversion><spec>}",
    "pad": "|| ",
    "value": "a|b.c|1|a, b|yield|*a|(a := b)|lambda: a|(lambda: a)|a if b else c|a != b",
    "equal": "|= |=",
    "conversion": "|!r|!s|!a|!z|! r",
    "spec": "|:x|:>{a}|:{b}{c}|:{{",

    # Expressions.
    "expr": "<name>|<name>|<literal>|<pieces>|<expr> <binary> <expr>|<expr> <binary> <expr>"
            "|<unary><expr>|<expr> if <expr> else <expr>|lambda <params>: <expr>|(<elements>)"
            "|[<elements>]|{<elements>}|{<pairs>}|<primary>(<arguments>)|<primary>[<slices>]"
            "|<primary>.<name>|[<walrus><comp>]|(<walrus><comp>)|{<walrus><comp>}"
            "|{<expr>: <expr><comp>}|(<yield>)|(<name> := <expr>)|<walrus>|*<expr>|(<expr>)",
    "binary": "+|-|*|/|//|%|@|**|**|<<|>>|&|^|<bar>"
              "|<less>|>|==|!=|<=|>=|in|not in|is|is not|and|or",
    "unary": "-|+|~|not |await ",
    "walrus": "<expr>|<expr>|<name> := <expr>",
    "element": "<walrus>|<walrus>|*<expr>",
    "elements": "|<element>|<element>,|<element>, <elements>",
    "pair": "<expr>: <expr>|<expr>: <expr>|**<expr>",
    "pairs": "|<pair>|<pair>,|<pair>, <pairs>",
    "primary": "<name>|<name>.<name>|(<expr>)|<expr>",
    "argument": "<walrus>|<walrus>|<name>=<expr>|<name>=<expr>|*<expr>|**<expr>|<expr>=<expr>",
    "arguments": "|<argument>|<argument>,|<argument>, <arguments>|<walrus><comp>"
                 "|<walrus><comp>,",
    "optional": "|<expr>",
    "slice": "<walrus>|<optional>:<optional>|<optional>:<optional>:<optional>|*<expr>",
    "slices": "<slice>|<slice>|<slice>,|<slice>, <slices>|",
    "comp": " for a in b|<for> <targets> in <expr>|<for> <targets> in <expr> if <expr>"
            "|<for> <targets> in <expr><comp>",
    "for": " for| for| async for",
    "yield": "yield|yield <stars>|yield from <expr>",
    "star": "<expr>|<expr>|*<expr>",
    "stars": "<expr>|<star>|<star>,|<star>, <stars>",
    "target": "<name>|<name>|<primary>.<name>|<primary>[<slices>]|(<targets>)|[<targets>]"
              "|*<name>|<expr>",
    "targets": "<name>|<target>|<target>,|<target>, <targets>",

    # Parameters.
    "parameter": "<name>|<name>|<name>: <expr>|<name> = <expr>|<name>: <expr> = <expr>|/|*"
                 "|*<name>|**<name>|*<name>: *<expr>",
    "params": "|<parameter>|<parameter>,|<parameter>, <params>",
    "type_param": "<name>|<name>: <expr>|*<name>|**<name>|<name> = <expr>|*<name> = *<expr>",
    "type_params": "||[<type_param>]|[<type_param>, <type_param>,]|[]",

    # Simple statements.
    "rhs": "<stars>|<stars>|<yield>",
    "dotted": "a|a.b|a.b.c",
    "alias": "<name>|<name> as <name>",
    "aliases": "<alias>|<alias>,|<alias>, <aliases>",
    "simple": "<name>|<stars>|<targets> = <rhs>|<targets> = <targets> = <rhs>"
              "|<target> <augmented> <rhs>|<target>: <expr>|<target>: <expr> = <rhs>"
              "|(<name>): <expr>|return|return <stars>|raise|raise <expr>"
              "|raise <expr> from <expr>|del <targets>|assert <expr>|assert <expr>, <expr>"
              "|global <name>, <name>|nonlocal <name>|pass|break|continue|import <dotted>"
              "|import <dotted> as <name>, <dotted>|from <dotted> import <aliases>"
              "|from .. import (<aliases>)|from ...<dotted> import *|<yield>"
              "|type <name><type_params> = <expr>|<name> <expr>|<name>(<expr>)|<name>[<expr>]",
    "augmented": "+=|-=|*=|/=|//=|%=|@=|&=|^=|<<=|>>=|**=",

    # Compound statements.
    "simples": "<simple>|<simple>;|<simple>; <simples>",
    "block": " <simples>\n|\n" + IN + "<statement>" + OUT + "|\n" + IN + "<statement><statement>"
             + OUT,
    "else": "||else:<block>",
    "elif": "||elif <walrus>:<block>",
    "async": "||async ",
    "item": "<expr>|<expr> as <target>",
    "items": "<item>|<item>, <items>",
    "with": "<items>|(<items>)|(<items>,)|(<elements>)|(<items>) as <target>|(<items>), <item>",
    "handler": "except:<block>|except <expr>:<block>|except <expr> as <name>:<block>"
               "|except* <expr>:<block>|except <expr>, <expr>:<block>",
    "handlers": "<handler>|<handler><handler>|",
    "finally": "||finally:<block>",
    "decorators": "||@<walrus>\n",
    "returns": "|| -> <expr>",
    "bases": "||(<arguments>)",
    "statement": "<simple>\n|<simples>\n|<simples>\n|if <walrus>:<block><elif><else>"
                 "|while <walrus>:<block><else>|<async>for <targets> in <stars>:<block><else>"
                 "|<async>with <with>:<block>|<async>with <with>:<block>"
                 "|try:<block><handlers><else><finally>"
                 "|<decorators><async>def <name><type_params>(<params>)<returns>:<block>"
                 "|<decorators>class <name><type_params><bases>:<block>"
                 "|match <subject>:\n" + IN + "<case>" + OUT
                 + "|match <subject>:\n" + IN + "<case><case>" + OUT,
    "subject": "<expr>|<stars>|<walrus>|<elements>",
    "case": "case <case_pattern>:<block>|case <case_pattern> if <walrus>:<block>",

    # Patterns.
    "case_pattern": "<pattern>|<sub_patterns>",
    "pattern": "<name>|_|<number>|'s' f'x'|b'q'|None|<dotted>|<pattern> <bar> <pattern>"
               "|<pattern> as <name>|<pattern> as a.b|(<sub_patterns>)|[<sub_patterns>]"
               "|{<mappings>}|<dotted>(<class_patterns>)|(<pattern>)",
    "number": "1|-1|1.5|+1|1 + 2j|-1 - 2j|2j + 1|-2j",
    "sub_pattern": "<pattern>|<pattern>|*<name>",
    "sub_patterns": "|<sub_pattern>|<sub_pattern>,|<sub_pattern>, <sub_patterns>",
    "mapping": "<pattern>: <pattern>|'k': <pattern>|a.b: <pattern>|**<name>",
    "mappings": "|<mapping>|<mapping>,|<mapping>, <mappings>",
    "class_pattern": "<pattern>|<pattern>|<name>=<pattern>",
    "class_patterns": "|<class_pattern>|<class_pattern>,|<class_pattern>, <class_patterns>",
}
ALTERNATIVES = {name: text.split("|") for name, text in RULES.items()}
MARKS = {"bar": "|", "less": "<"}
REFERENCE = re.compile(r"<([a-z_]+)>")


def derive(name, depth, pick):
    """A text of the rule; every rule used on the way costs depth."""
    if name in MARKS:
        return MARKS[name]
    choices = ALTERNATIVES[name]
    chosen = choices[0] if depth <= 0 else pick.choice(choices)
    return REFERENCE.sub(lambda m: derive(m[1], depth - 1, pick), chosen)


def indent(text):
    """Puts blanks for IN and OUT."""
    lines, depth = [], 0
    for line in text.split("\n"):
        while line[:1] in (IN, OUT) and line:
            depth += 1 if line[0] == IN else -1
            line = line[1:]
        lines.append("    " * depth + line if line else "")
    return "\n".join(lines)


def compare_batch(job):
    seed, count, executable = job
    warnings.simplefilter("ignore")
    pick = random.Random(seed)
    texts = [indent(derive("statement", pick.randint(3, 9), pick)) for _ in range(count)]
    trees = truth.Compiler("texts", "--ast=json", texts, executable)
    prints = truth.Compiler("texts", "--python", texts, executable)
    accepted = excepted = 0
    failures = []
    for text, answer, printed in zip(texts, trees.answers(), prints.answers()):
        good, exception, what = mutate.judge(text, answer, printed)
        accepted += good
        excepted += exception
        if what:
            failures.append((text, what))
    return accepted, excepted, failures


def main():
    truth.become_truth()
    options = mutate.arguments()
    truth.require_compiler(options.compiler)
    print(truth.describe())
    if sys.version_info[:2] != (3, 13):
        print("near misses: skipped, they need the grammar of CPython 3.13")
        return 0
    start = time.time()
    jobs = [(options.seed * 1_000_003 + first, min(BATCH, options.count - first),
             options.compiler) for first in range(0, options.count, BATCH)]
    accepted = excepted = 0
    failures = []
    with multiprocessing.Pool(options.jobs) as pool:
        for good, exceptions, wrong in pool.imap(compare_batch, jobs):
            accepted, excepted = accepted + good, excepted + exceptions
            failures += wrong
    print(f"{options.count} near misses, seed {options.seed}, {time.time() - start:.0f} s:"
          f" CPython accepts {accepted}; excepted {excepted}; different {len(failures)}")
    mutate.show(sorted(failures, key=lambda failure: len(failure[0])), options.show)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
