#!/usr/bin/env python3
"""newforms.py - the forms of Python 3.12 and 3.13, which Debian's own interpreter does not know.

Each section of newforms.txt is parsed by us and compared with golden/newforms.json: the tree with
positions (null where 3.13 rejects the text), and the text of `ast.dump`.  What `parse --python`
prints must have the same tree.  Where a Python 3.13 runs, the goldens are compared with it too.

    tests/cpython/newforms.py [--compiler FILE] [--bless]

--bless writes the goldens anew; it needs 3.13.  Exit status 1 if anything differs.
"""

import argparse
import ast
import json
import os
import sys
import warnings

import truth

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "newforms.txt")
GOLDEN = os.path.join(HERE, "golden", "newforms.json")


def read_cases():
    """{title: source}, in order."""
    cases, title = {}, None
    with open(CASES, encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("=== "):
                title = line[4:].strip()
                cases[title] = ""
            else:
                cases[title] += line
    return cases


def read_golden():
    with open(GOLDEN, encoding="utf-8") as stream:
        return json.load(stream)


# ---- CPython's tree in our form --------------------------------------------------------------

def to_json(node):
    if isinstance(node, list):
        return [to_json(item) for item in node]
    if not isinstance(node, ast.AST):
        return node
    result = {"_type": type(node).__name__}
    for field in node._fields:
        value = getattr(node, field)
        if field == "value" and isinstance(node, (ast.Constant, ast.MatchSingleton)):
            kind, text = truth.constant_text(value)
            result[field] = {"kind": kind, "value": text}
        else:
            result[field] = to_json(value)
    for attribute in truth.POSITIONS if node._attributes else ():
        result[attribute] = getattr(node, attribute)
    return result


def bless_case(source):
    tree = truth.parse(source)
    if tree is None:
        return {"tree": None, "dump": None}
    return {"tree": to_json(tree), "dump": ast.dump(tree, indent=2) + "\n"}


def bless(cases):
    if sys.version_info[:2] != truth.NEWEST:
        sys.exit("the goldens come from Python 3.13, which does not run here")
    golden = {title: bless_case(source) for title, source in cases.items()}
    os.makedirs(os.path.dirname(GOLDEN), exist_ok=True)
    with open(GOLDEN, "w", encoding="utf-8") as stream:
        rows = (f"{json.dumps(title)}: {json.dumps(row)}" for title, row in golden.items())
        stream.write("{\n" + ",\n".join(rows) + "\n}\n")
    print(f"blessed {len(golden)} forms")


# ---- comparing --------------------------------------------------------------------------------

def without_positions(node):
    if isinstance(node, list):
        return [without_positions(item) for item in node]
    if isinstance(node, dict):
        return {k: without_positions(v) for k, v in node.items() if k not in truth.POSITIONS}
    return node


def first_difference(theirs, ours, path="Module"):
    """Where two JSON trees differ first."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in theirs:
            if theirs[key] != ours.get(key):
                return first_difference(theirs[key], ours.get(key), f"{path}.{key}")
        return f"{path}: we have also {sorted(set(ours) - set(theirs))}"
    if isinstance(theirs, list) and isinstance(ours, list):
        for index, (a, b) in enumerate(zip(theirs, ours)):
            if a != b:
                return first_difference(a, b, f"{path}[{index}]")
        return f"{path}: {len(theirs)} items, we have {len(ours)}"
    return f"{path}: {truth.short(theirs)}, we have {truth.short(ours)}"


def answers(form, sources, options):
    return list(truth.Compiler("texts", form, sources, options.compiler).answers())


def check_tree(golden, answer):
    if golden["tree"] is None:
        return "3.13 rejects it, we accept it" if answer["ok"] else None
    if not answer["ok"]:
        return f"3.13 accepts it, we do not: {answer['error']}"
    if answer["tree"] != golden["tree"]:
        return "3.13 has " + first_difference(golden["tree"], answer["tree"])
    return None


def check_dump(golden, answer):
    if golden["dump"] is not None and answer.get("text") != golden["dump"]:
        return f"the text of --ast is not that of ast.dump:\n{answer.get('text')}"
    return None


def check_printed(golden, text, again):
    if golden["tree"] is None:
        return None
    if not again["ok"]:
        return f"we reject what --python prints: {again['error']}\n{text}"
    wanted, got = without_positions(golden["tree"]), without_positions(again["tree"])
    if wanted != got:
        return f"--python changes the tree: {first_difference(wanted, got)}\n{text}"
    return None


def check_golden(source, golden):
    """The golden itself, where its interpreter is there."""
    if sys.version_info[:2] == truth.NEWEST and bless_case(source) != golden:
        return "the golden is not what this interpreter says: --bless, and look at the change"
    return None


def compare(cases, golden, options):
    sources = list(cases.values())
    trees = answers("--ast=json", sources, options)
    dumps = answers("--ast", sources, options)
    printed = [answer.get("text", "") for answer in answers("--python", sources, options)]
    again = answers("--ast=json", printed, options)
    failures = []
    for i, (title, source) in enumerate(cases.items()):
        if title not in golden:
            failures.append((title, "there is no golden: --bless"))
            continue
        row = golden[title]
        for what in (check_golden(source, row), check_tree(row, trees[i]),
                     check_dump(row, dumps[i]), check_printed(row, printed[i], again[i])):
            if what:
                failures.append((title, what))
    return failures


def main():
    truth.become_truth()
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default=truth.default_compiler())
    parser.add_argument("--bless", action="store_true", help="write the goldens (needs 3.13)")
    options = parser.parse_args()
    cases = read_cases()
    if options.bless:
        bless(cases)
        return 0
    truth.require_compiler(options.compiler)
    golden = read_golden()
    failures = compare(cases, golden, options)
    against = "goldens and CPython 3.13" if sys.version_info[:2] == truth.NEWEST else \
        "stored goldens of CPython 3.13 (it does not run here)"
    refused = sum(row["tree"] is None for row in golden.values())
    print(f"{len(cases)} new forms ({refused} refused), against {against}:"
          f" different {len(failures)}")
    for title, what in failures:
        print(f"FAIL {title}: {what}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
