#!/usr/bin/env python3
"""mutate.py - do we accept and reject what CPython does?  On damaged statements of its library.

A statement is taken at random from the standard library and damaged once: a token is deleted,
doubled, swapped with its neighbour or replaced by one from elsewhere, the indentation of a line is
changed, or a string or bracket is cut.  We must accept it exactly if `ast.parse` does, and then
with the same tree and positions; and what `parse --python` prints must have the same tree.

    tests/cpython/mutate.py [COUNT] [--seed SEED] [--compiler FILE]

Exit status 1 if anything differs; each counter-example is printed.  EXCEPTIONS lists where we
differ on purpose.
"""

import argparse
import ast
import glob
import multiprocessing
import os
import random
import re
import sys
import time
import warnings

import truth

BATCH = 2_000       # texts given to one compiler process
MAX_LINES = 25      # of a statement

# Differences that are no faults: (reason, test of the source text, CPython's message, our answer).
EXCEPTIONS = (
    ("CPython's parser has limits of its own on nesting and stack",
     lambda text, message, answer: "too many nested" in message or "nested too deeply" in message
     or "parser stack overflow" in message or "recursion" in message),
    ("an interpreter before 3.13 does not know the form",
     lambda text, message, answer: answer["ok"] and is_newer(answer["tree"])),
    ("f-strings had other rules before 3.12 (PEP 701)",
     lambda text, message, answer: sys.version_info < (3, 12)
     and re.search(r"\b(?i:f|fr|rf)['\"]", text)),
)

TOKEN = re.compile(r"""
    [rRbBuUfF]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?''')
  | [rRbBuUfF]{0,2}(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | \#[^\n]*
  | \d[\w.]*(?:(?<=[eE])[+-]\d+)?
  | \w+
  | \*\*=|//=|>>=|<<=|\.\.\.|->|:=|\*\*|//|>>|<<|[-+*/%@&|^=!<>]=
  | \\\n
  | \n[ \t]*
  | [ \t]+
  | .
""", re.VERBOSE | re.DOTALL)

# Soft keywords and marks that a library uses rarely but that decide much.
SPICE = ("match", "case", "type", "_", "async", "await", "lambda", "yield", ":=", "*", "**", "->",
         "...", "=", ":", ",", ".", ";", "(", ")", "[", "]", "{", "}", "not", "in", "is", "if",
         "else", "for", "f''", "f'{x}'", "b''", "u''", "''", "0", "0x", "1_", "1e", "1j", "01",
         "import", "from", "as", "del", "global", "return", "except", "with", "@", "!", "$", "?",
         "\\", "\t", "\f", "é", "None", "True", "print")


def is_newer(tree):
    """Whether a tree of ours has a form that came after the interpreter that is the truth."""
    if isinstance(tree, list):
        return any(map(is_newer, tree))
    if not isinstance(tree, dict):
        return False
    if sys.version_info < (3, 12) and (tree["_type"] == "TypeAlias" or tree.get("type_params")):
        return True
    if sys.version_info < (3, 13) and tree.get("default_value"):
        return True
    return any(is_newer(value) for key, value in tree.items() if key != "value" or
               (isinstance(value, dict) and "_type" in value))


# ---- statements -------------------------------------------------------------------------------

def statements_of(path):
    """The statements of a file as texts of their own, moved to the left margin."""
    with open(path, "rb") as stream:
        data = stream.read()
    tree = truth.parse(data)
    if tree is None or b"\f" in data:
        return []
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return []
    return [text for node in ast.walk(tree) if isinstance(node, ast.stmt)
            for text in [dedent(lines, node)] if text]


def dedent(lines, node):
    if node.end_lineno - node.lineno >= MAX_LINES:
        return None
    part = lines[node.lineno - 1:node.end_lineno]
    margin = part[0][:node.col_offset]
    if margin.strip(" \t"):
        return None
    return "\n".join(line.removeprefix(margin) for line in part) + "\n"


# ---- damage -----------------------------------------------------------------------------------

def solid(tokens):
    """Where tokens are that are no blanks."""
    return [i for i, token in enumerate(tokens) if token.strip(" \t\n\\")]


def delete_token(tokens, pick, words):
    tokens[pick.choice(solid(tokens))] = ""


def double_token(tokens, pick, words):
    i = pick.choice(solid(tokens))
    tokens[i] += pick.choice(("", " ")) + tokens[i]


def swap_tokens(tokens, pick, words):
    places = solid(tokens)
    i = pick.randrange(len(places) - 1) if len(places) > 1 else 0
    a, b = places[i], places[min(i + 1, len(places) - 1)]
    tokens[a], tokens[b] = tokens[b], tokens[a]


def replace_token(tokens, pick, words):
    tokens[pick.choice(solid(tokens))] = pick.choice(words)


def insert_token(tokens, pick, words):
    i = pick.choice(solid(tokens))
    tokens[i] = pick.choice(words) + pick.choice(("", " ")) + tokens[i]


def spice_token(tokens, pick, words):
    i = pick.choice(solid(tokens))
    tokens[i] = pick.choice((tokens[i] + " ", "", tokens[i])) + pick.choice(SPICE)


def change_indentation(tokens, pick, words):
    breaks = [i for i, token in enumerate(tokens) if token.startswith("\n")]
    if not breaks:
        return delete_token(tokens, pick, words)
    i = pick.choice(breaks)
    blanks = tokens[i][1:]
    tokens[i] = "\n" + pick.choice((blanks + " ", blanks[1:], "", blanks + "    ", "\t" + blanks,
                                    blanks[4:], "\t" * (len(blanks) // 8)))


def cut_inside(tokens, pick, words):
    """A string loses its end, or a bracket goes; the rest of the text stays."""
    marks = [i for i, token in enumerate(tokens) if token[0] in "()[]{}'\"" or len(token) > 3
             and token[-1] in "'\""]
    if not marks:
        return delete_token(tokens, pick, words)
    i = pick.choice(marks)
    tokens[i] = tokens[i][:pick.randrange(len(tokens[i]))]


def cut_text(tokens, pick, words):
    del tokens[pick.choice(solid(tokens)):]


DAMAGES = (delete_token, delete_token, double_token, swap_tokens, swap_tokens, replace_token,
           replace_token, insert_token, spice_token, change_indentation, cut_inside, cut_text)


def mutate(text, pick, words):
    tokens = TOKEN.findall(text)
    if not solid(tokens):
        return None
    pick.choice(DAMAGES)(tokens, pick, words)
    result = "".join(tokens)
    return None if "\0" in result or result == text else result


class Words:
    """A token of the library, chosen at random when asked for."""

    def __init__(self, statements, pick):
        self.statements, self.pick = statements, pick

    def __len__(self):
        return 1 << 30

    def __getitem__(self, index):
        tokens = TOKEN.findall(self.pick.choice(self.statements))
        return tokens[index % len(tokens)]


# ---- comparing --------------------------------------------------------------------------------

def their_verdict(text):
    """CPython's tree, or the message with which it rejects the text."""
    try:
        return ast.parse(text.encode()), ""
    except (SyntaxError, ValueError) as error:
        return None, f"{type(error).__name__}: {getattr(error, 'msg', error)}"
    except (RecursionError, MemoryError) as error:
        return None, f"recursion: {type(error).__name__}"


def judge(text, answer, printed):
    """(accepted by CPython, excepted, what is different or None)."""
    tree, message = their_verdict(text)
    if tree is None and not answer["ok"]:
        return False, False, None
    if (tree is None) == answer["ok"]:
        excepted = any(test(text, message, answer) for _, test in EXCEPTIONS)
        who = (f"CPython rejects it ({message}), we accept it" if tree is None else
               f"CPython accepts it, we do not ({answer.get('error', '')})")
        return tree is not None, excepted, None if excepted else who
    what = truth.Comparison().tree(tree, answer["tree"])
    return True, False, what or judge_printed(tree, printed["text"])


def judge_printed(tree, text):
    again, message = their_verdict(text)
    if again is None:
        return f"CPython rejects what we print ({message}):\n{text}"
    pair = truth.same_tree(tree, again)
    return f"what we print has another tree:\n{text}" if pair else None


def compare_batch(job):
    seed, count, statements, executable = job
    warnings.simplefilter("ignore")
    pick = random.Random(seed)
    words = Words(statements, pick)
    texts = []
    while len(texts) < count:
        text = mutate(pick.choice(statements), pick, words)
        if text is not None:
            texts.append(text)
    accepted = excepted = 0
    failures = []
    trees = truth.Compiler("texts", "--ast=json", texts, executable)
    prints = truth.Compiler("texts", "--python", texts, executable)
    for text, answer, printed in zip(texts, trees.answers(), prints.answers()):
        good, exception, what = judge(text, answer, printed)
        accepted += good
        excepted += exception
        if what:
            failures.append((text, what))
    return len(texts), accepted, excepted, failures


# ---- the program ------------------------------------------------------------------------------

def library():
    folders = sorted(glob.glob("/usr/lib/python3.[0-9]*")) or [os.path.dirname(os.__file__)]
    return sorted(glob.glob(os.path.join(folders[-1], "**", "*.py"), recursive=True))


def gather(pool, paths):
    found = []
    for texts in pool.imap(statements_of, paths, chunksize=16):
        found += texts
    return found


def show(failures, limit):
    for text, what in failures[:limit]:
        print(f"FAIL {what}")
        for line in text.rstrip("\n").split("\n"):
            print(f"    | {line}")
    if len(failures) > limit:
        print(f"... and {len(failures) - limit} more")


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
    warnings.simplefilter("ignore")
    start = time.time()
    # A sample of the files is enough for a small run; it depends on the seed only.
    paths = library()
    random.Random(options.seed).shuffle(paths)
    paths = paths[:max(60, options.count // 150)]
    with multiprocessing.Pool(options.jobs) as pool:
        statements = gather(pool, paths)
        random.Random(options.seed).shuffle(statements)
        jobs, share = [], max(1, len(statements) * BATCH // max(options.count, BATCH))
        for i, first in enumerate(range(0, options.count, BATCH)):
            part = statements[i * share:(i + 1) * share] or statements[:share]
            jobs.append((options.seed * 1_000_003 + i, min(BATCH, options.count - first), part,
                         options.compiler))
        total = accepted = excepted = 0
        failures = []
        for n, good, exceptions, wrong in pool.imap(compare_batch, jobs):
            total, accepted, excepted = total + n, accepted + good, excepted + exceptions
            failures += wrong
    print(f"{total} mutants of {len(statements)} statements, seed {options.seed},"
          f" {time.time() - start:.0f} s: CPython accepts {accepted}; excepted {excepted};"
          f" different {len(failures)}")
    show(failures, options.show)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
