#!/usr/bin/env python3
"""What `pychoralc virtualize` makes of files of the standard library, without running it.

usage: texts.py COMPILER [--all] [--hooks LIST]...

The text compiles, undoing its edits gives the input back, its lines are those of the map, and text
without hooks is the same bytes. Without --all a sample of the files is taken.
"""

import argparse
import json
import subprocess
import sys
import sysconfig
import tokenize
import warnings
from pathlib import Path
from typing import Any

SAMPLE = 37                     # every so manieth file
SETS = ["control,bool,call", "all,rest"]


def library(every: bool) -> list[str]:
    root = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(str(p) for p in root.rglob("*.py") if "site-packages" not in p.parts)
    return files if every else files[::SAMPLE]


def compiles(text: str, path: str) -> str:
    try:
        compile(text, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as e:
        return f"{type(e).__name__}: {e}"
    return ""


def undone(old: bytes, text: bytes, edits: list[list[int]]) -> bytes:
    out, done, at = [], 0, 0
    for start, removed, inserted in edits:
        kept = start - done
        out += [text[at:at + kept], old[start:start + removed]]
        at += kept + inserted
        done = start + removed
    return b"".join([*out, text[at:]])


def wrong_lines(answer: dict[str, Any], old: str) -> str:
    """The lines of the output that are whole lines of the input must be where the map says."""
    ours, theirs = answer["text"].split("\n"), old.split("\n")
    covered = 0
    for out, into, count in answer["lines"]:
        covered += count
        if out < 1 or into < 1 or into - 1 + count > len(theirs) or out - 1 + count > len(ours):
            return f"lines {out}, {into}, {count} are outside"
    return "" if covered == len(ours) else f"{covered} of {len(ours)} lines are mapped"


def check(compiler: str, path: str, hooks: str) -> str:
    done = subprocess.run([compiler, "virtualize", "--emit=json", f"--hooks={hooks}", path],
                          capture_output=True)
    with open(path, "rb") as f:
        if tokenize.detect_encoding(f.readline)[0] not in ("utf-8", "utf-8-sig"):
            return "" if done.returncode == 0 else done.stderr.decode()
    with open(path, encoding="utf-8-sig", newline="") as f:
        old = f.read()
    if compiles(old, path):
        return ""               # files that must not compile
    if done.returncode != 0:
        return done.stderr.decode().split("\n")[0]
    answer = json.loads(done.stdout)
    text = answer["text"]
    why = compiles(text, path)
    if not why and undone(old.encode(), text.encode(), answer["edits"]) != old.encode():
        why = "undoing the edits gives another text"
    if not why and not answer["edits"] and text != old:
        why = "changed without an edit"
    if not why and "\r" not in old:
        why = wrong_lines(answer, old)
    return why


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--hooks", action="append", default=[])
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    bad = done = 0
    for path in args.files or library(args.all):
        for hooks in args.hooks or SETS:
            done += 1
            try:
                why = check(args.compiler, path, hooks)
            except (SyntaxError, UnicodeDecodeError):
                continue                # the encoding is not what the file says
            if why:
                bad += 1
                print(f"{path} {hooks}: {why}")
    print(f"virtualized texts: {done} of the standard library, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
