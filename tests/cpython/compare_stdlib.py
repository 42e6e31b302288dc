#!/usr/bin/env python3
"""compare_stdlib.py - our trees against CPython's, over every file of a standard library.

For each file: CPython accepts it, then our tree and its positions are CPython's, and the source
that `parse --python` prints has the same tree again, for CPython and for us; or CPython rejects
it, then so do we.

    tests/cpython/compare_stdlib.py [--compiler FILE] [--no-print] [--dump] [PATH ...]

--dump compares the text of `parse --ast` with that of `ast.dump` too, where 3.13 runs.

A PATH that is one file shows the first difference.  Exit status 1 if anything differs.
"""

import argparse
import gc
import glob
import multiprocessing
import os
import sys
import time
import warnings

import truth

CHUNK = 24          # files given to one compiler process


def find_files(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(glob.glob(os.path.join(glob.escape(path), "**", "*.py"),
                                        recursive=True))
        else:
            yield path


def standard_library():
    """Debian's standard library; on other systems the one of this interpreter."""
    debian = sorted(glob.glob("/usr/lib/python3.[0-9]*"))
    return [debian[-1]] if debian else [os.path.dirname(os.__file__)]


class Tally:
    """What was counted; one per chunk, added up by the parent."""

    NAMES = ("files", "lines", "bytes", "accepted", "nodes", "equal", "rejected", "refused",
             "printed", "print_equal", "print_same", "dumped", "dump_same")

    def __init__(self):
        self.counts = dict.fromkeys(self.NAMES, 0)
        self.failures = []
        self.skipped = []

    def add(self, name, n=1):
        self.counts[name] += n

    def fail(self, path, what):
        self.failures.append((path, what))

    def merge(self, other):
        for name, n in other.counts.items():
            self.counts[name] += n
        self.failures += other.failures
        self.skipped += other.skipped


def parse_file(path, tally):
    """CPython's tree, None where it rejects, or a word that says why the file is left out."""
    with open(path, "rb") as stream:
        data = stream.read()
    tally.add("files")
    tally.add("bytes", len(data))
    tally.add("lines", data.count(b"\n"))
    try:
        return truth.parse(data)
    except (RecursionError, MemoryError) as error:
        tally.skipped.append((path, f"CPython gives up: {type(error).__name__}"))
        return "skipped"


def compare_tree(path, tree, answer, tally):
    comparison = truth.Comparison()
    if tree is None:
        tally.add("rejected")
        tally.add("refused", not answer["ok"])
        if answer["ok"]:
            tally.fail(path, "CPython rejects it, we accept it")
        return
    tally.add("accepted")
    if not answer["ok"]:
        tally.fail(path, f"CPython accepts it, we do not: {answer.get('error', '')}")
        return
    found = comparison.tree(tree, answer["tree"])
    tally.add("nodes", comparison.nodes)
    tally.add("equal", found is None)
    if found:
        tally.fail(path, found)


def compare_printed(path, tree, text, tally):
    """The printed source must have the same tree for CPython."""
    tally.add("printed")
    again = truth.parse(text)
    if again is None:
        tally.fail(path, "the printed source is rejected by CPython: " + why_rejected(text))
        return
    pair = truth.same_tree(tree, again)
    tally.add("print_equal", pair is None)
    if pair:
        tally.fail(path, "the printed source has another tree: "
                   f"{truth.short(shown(pair[0]))} became {truth.short(shown(pair[1]))}")


def why_rejected(text):
    try:
        truth.ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "text", None)
        return f"{error} {truth.short(line)}"
    return ""


def shown(node):
    return truth.ast.dump(node) if isinstance(node, truth.ast.AST) else node


def compare_reprinted(paths, texts, tally, compiler):
    """Printing is a fixed point: what we print of what we printed is the same text."""
    again = truth.Compiler("texts", "--python", texts, compiler)
    for path, text, answer in zip(paths, texts, again.answers()):
        same = answer["ok"] and answer["text"] == text
        tally.add("print_same", same)
        if not same:
            tally.fail(path, "printing the printed source again gives another text: "
                       + (first_difference(text, answer["text"]) if answer["ok"] else
                          f"we reject it: {answer.get('error', '')}"))


def first_difference(left, right):
    for number, (a, b) in enumerate(zip(left.splitlines(), right.splitlines()), 1):
        if a != b:
            return f"line {number}: {truth.short(a)} became {truth.short(b)}"
    return "one is longer"


def compare_dumps(printable, tally, executable):
    """The text of --ast against ast.dump."""
    compiler = truth.Compiler("files", "--ast", [path for path, _ in printable], executable)
    for (path, tree), answer in zip(printable, compiler.answers()):
        theirs = truth.ast.dump(tree, indent=2) + "\n"
        same = theirs == answer.get("text")
        tally.add("dumped")
        tally.add("dump_same", same)
        if not same and answer["ok"]:
            tally.fail(path, "--ast: " + first_difference(theirs, answer["text"]))


def compare_chunk(job):
    gc.disable()            # trees have no cycles: looking for them takes a tenth of the time
    paths, options = job
    warnings.simplefilter("ignore")
    tally = Tally()
    trees = [parse_file(path, tally) for path in paths]
    compiler = truth.Compiler("files", "--ast=json", paths, options.compiler)
    for path, tree, answer in zip(paths, trees, compiler.answers()):
        if tree != "skipped":
            compare_tree(path, tree, answer, tally)
    accepted = [(p, t) for p, t in zip(paths, trees) if isinstance(t, truth.ast.AST)]
    if options.print:
        compare_prints(accepted, tally, options.compiler)
    if options.dump and sys.version_info[:2] == truth.NEWEST:
        compare_dumps(accepted, tally, options.compiler)
    return tally


def compare_prints(printable, tally, executable):
    names = [path for path, _ in printable]
    printed = []
    compiler = truth.Compiler("files", "--python", names, executable)
    for (path, tree), answer in zip(printable, compiler.answers()):
        if answer["ok"]:
            compare_printed(path, tree, answer["text"], tally)
            printed.append((path, answer["text"]))
    compare_reprinted([p for p, _ in printed], [t for _, t in printed], tally, executable)


def report(tally, seconds, options):
    c = tally.counts
    print(f"{c['files']} files, {c['lines']} lines, {c['bytes'] / 1e6:.1f} MB,"
          f" {c['nodes']} nodes compared, {seconds:.0f} s")
    print(f"accepted by CPython: {c['accepted']}; equal trees and positions: {c['equal']}"
          f" ({percent(c['equal'], c['accepted'])})")
    print(f"rejected by CPython: {c['rejected']}; rejected by us: {c['refused']}"
          f" ({percent(c['refused'], c['rejected'])})")
    if options.print:
        print(f"printed: {c['printed']}; equal trees when CPython reads them:"
              f" {c['print_equal']} ({percent(c['print_equal'], c['accepted'])});"
              f" the same text when printed again: {c['print_same']}"
              f" ({percent(c['print_same'], c['accepted'])})")
    if c["dumped"]:
        print(f"texts of ast.dump: {c['dumped']}; equal: {c['dump_same']}"
              f" ({percent(c['dump_same'], c['dumped'])})")
    for path, why in tally.skipped:
        print(f"left out: {path}: {why}")
    for path, what in tally.failures[:options.show]:
        print(f"FAIL {path}: {what}")
    if len(tally.failures) > options.show:
        print(f"... and {len(tally.failures) - options.show} more")


def percent(part, whole):
    return "-" if whole == 0 else f"{100 * part / whole:.4g} %"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", help="files or folders (default: standard library)")
    parser.add_argument("--compiler", default=truth.default_compiler())
    parser.add_argument("--no-print", dest="print", action="store_false",
                        help="compare trees only, not what --python prints")
    parser.add_argument("--dump", action="store_true",
                        help="compare the text of --ast with ast.dump (3.13)")
    parser.add_argument("--show", type=int, default=20, help="failures shown (default 20)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def main():
    truth.become_truth()
    options = arguments()
    truth.require_compiler(options.compiler)
    print(truth.describe())
    paths = list(find_files(options.paths or standard_library()))
    paths.sort(key=os.path.getsize, reverse=True)
    count = max(1, -(-len(paths) // CHUNK))
    jobs = [(paths[i::count], options) for i in range(count)]
    start, tally = time.time(), Tally()
    with multiprocessing.Pool(options.jobs) as pool:
        for part in pool.imap_unordered(compare_chunk, jobs):
            tally.merge(part)
    report(tally, time.time() - start, options)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
