#!/usr/bin/env python3
"""lexical.py - do we read literals, names, lines and encodings as CPython does?  On random text.

Where mutate.py damages programs token by token, this makes texts character by character, of the
pieces that decide something for a tokenizer.  Accept and reject must agree, and the tree and all
positions.

    tests/cpython/lexical.py [COUNT] [--seed SEED] [--compiler FILE]

Exit status 1 if anything differs; each counter-example is printed.
"""

import argparse
import random
import re
import sys
import time
import warnings

import truth

BATCH = 2_000

NUMBERS = ("0", "1", "7", "9", "00", "_", ".", "e", "E", "e+", "e-", "j", "J", "x", "X", "o",
           "b", "B", "f", "a", "if", "else", "or", "and", "in", "is", "not", "for", " ", " x",
           "+", "1.5", "0x", "0b", "0o", "12_3", "9" * 30, "0" * 20, "1e308", "1e400",
           "4.9e-324", "é")
STRINGS = ("'", '"', "'''", '"""', "\\", "\n", "\r\n", "\r", "a", " ", "é", "\\x", "41", "\\u",
           "00e9", "\\U", "0001F600", "ffffffff", "\\N", "{", "}", "{BULLET}", "{bullet}",
           "{NUL}", "{NO SUCH}", "\\0", "\\377", "\\400", "\\8", "\\'", '\\"', "\\\\", "\\q",
           "\\\n", "\\\r\n", "#", "\\ud800", "r", "b", "u", "f", "R", "B", "U", "rb", "bR",
           "fr", "😀", "{CJK UNIFIED IDEOGRAPH-4E00}", "{HANGUL SYLLABLE GAG}",
           "{KEYCAP DIGIT ONE}", "\f", "\t")
FIELDS = ("f'", 'f"', "f'''", 'f"""', "rf'", "'", '"', "'''", '"""', "{", "}", "{{", "}}",
          "{x}", "{x", "x", "!", "!r", "!s", "!=", "=", "==", ":", ":=", "lambda",
          "lambda x: x", "(", ")", "[", "]", ",", "a", " ", "\n", "\\", "\\n", "\\N{BULLET}",
          "\\N", "#", "# c\n", "yield", "*", ">10", ".2f", "{w}", "{x:{w}}", "{x!r:^{w}.{p}}",
          "f'{y}'", 'f"{y}"', "\\{", "\\}", "é", "await x", "\r\n", "'b'", '"b"', "{'k': 1}",
          "x if y else z")
LAYOUT = ("if x:\n", "else:\n", "x\n", "y = 1\n", "pass\n", " ", "  ", "    ", "\t", "\f", "\n",
          "\r\n", "\r", "\\\n", "\\", "\\\r\n", "# c\n", "#", "(", ")", "[", "]", "{", "}", ",",
          ";", ":", "def f():\n", "while 1: pass\n", "class C:\n", "match x:\n", "case 1:\n",
          "case _: pass\n", "match", "case", "type", "type X = int", "match(x)\n",
          "match[x]: int = 3\n", "match = 1\n", "match -x:\n", "match *a, b:\n", "case = 2\n",
          "type X[T] = T\n", "type(x)\n", "type = 1; type Y = y\n", "\x0b", "\xa0", "é = 1\n",
          "x = (1,\n", "'''\n", "'", "try:\n", "except* E:\n", "@d\n", "async ", "return\n")
NAMES = ("a", "_", "1", "é", "ª", "ﬁ", "Å", "ſ", "K", "·", "\u0300", "℘", "゛",
         "\u2118", "ℯ", "\u0e33", "\ufe33", "€", "“", "²", "①", "𝐱", "\ufeff",
         "中", "가", "\U0001d7ce", "̈", " ", "=", "1\n", ".", "\U000e0100", "𐊯", "\u180e",
         "٣")
COOKIES = ("utf-8", "UTF_8", "utf8", "latin-1", "iso-8859-1", "Latin_1", "iso-latin-1-unix",
           "cp1252", "windows-1252", "ascii", "us-ascii", "koi8-r", "koi8_u", "euc-jp",
           "EUC_JP", "shift_jis", "gb2312", "gbk", "big5", "iso-8859-15", "latin9", "cp437",
           "mac-roman", "iso8859-7", "foo", "rot13", "utf-8-sig", "cp1251", "l1", "646",
           "tis-620", "euc-kr", "gb18030")
LINES = (b"# coding: %s", b"# -*- coding: %s -*-", b"#coding=%s",
         b"# vim: set fileencoding=%s :", b"# coding %s", b"#coding:%s#", b"  # coding: %s",
         b"\f# coding: %s", b"x # coding: %s", b"# Coding: %s", b"#coding: coding: %s",
         b"\\\n# coding: %s")


def pieces(pick, words, most):
    return "".join(pick.choice(words) for _ in range(pick.randint(1, most)))


def number_text(pick):
    return pieces(pick, NUMBERS, 5)


def string_text(pick):
    quote = pick.choice(("'", '"', "'''", '"""'))
    prefix = pick.choice(("", "", "b", "r", "u", "rb", "BR", "U"))
    closing = quote if pick.random() < 0.9 else ""
    return "x = " + prefix + quote + pieces(pick, STRINGS, 5) + closing


def field_text(pick):
    quote = pick.choice(("'", '"', "'''", '"""'))
    if pick.random() < 0.3:
        return pieces(pick, FIELDS, 7)
    inner = pieces(pick, FIELDS, 5)
    if pick.random() < 0.6:
        inner = "{x" + inner + "}"
    return pick.choice(("f", "f", "rf")) + quote + inner + quote


def layout_text(pick):
    return pieces(pick, LAYOUT, 9)


def name_text(pick):
    return pieces(pick, NAMES, 5)


def coded_text(pick):
    cookie = pick.choice(COOKIES).encode()
    lines = [pick.choice(LINES) % cookie]
    if pick.random() < 0.4:
        lines.insert(0, pick.choice((b"", b"#!/bin/sh", b" ", b"x", b"'''", b"\f")))
    letters = bytes(pick.choices(b"ab\xc3\xa9\xe9\xa4\xa2\x80\x93\xff", k=pick.randint(0, 4)))
    mark = b"\xef\xbb\xbf" if pick.random() < 0.1 else b""
    end = pick.choice((b"\n", b"\r\n", b"\r"))
    return mark + end.join([*lines, b"x = '" + letters + b"'", b""])


MAKERS = (number_text, string_text, field_text, layout_text, name_text, coded_text)

# Differences that are no faults: (reason, test of the text as bytes).
EXCEPTIONS = (
    ("ast.parse does not look at bytes in comments that are not UTF-8; running such a file fails",
     lambda text: not is_utf8(text) and b"coding" not in text),
    ("the C library's GBK reads 0x80 as the euro sign, as Windows does",
     lambda text: b"gbk" in text and b"\x80" in text),
    ("a format spec with an escape such as \\N{BULLET} before more text is a bare Constant in"
     " CPython 3.12 and 3.13; ours is a JoinedStr as every other spec",
     lambda text: b"\\N{BULLET}" in text and b":" in text),
    ("CPython 3.12 and 3.13 cut the text of a self-documenting field at its first `!=`",
     lambda text: b"!=" in text and re.search(rb"=\s*[}!:]", text) is not None),
    ("a line end in the format spec of a single-quoted f-string: after it CPython 3.13 takes a"
     " field for a part of the spec",
     lambda text: re.search(rb":[^{}]*[\r\n]+[^}]*{", text) is not None),
    ("CPython's position of a piece of an f-string leaves out joined lines after a doubled brace",
     lambda text: re.search(rb"({{|}})(\\[\r\n]+)+", text) is not None),
)

if sys.version_info < (3, 12):
    EXCEPTIONS += (
        ("f-strings, type statements and joining at the end of the file are those of Python 3.12",
         lambda text: re.search(rb"[fF][rR]?['\"]|\btype |\\[\r\n]*$", text) is not None),
    )


def is_utf8(text):
    try:
        text.decode()
        return True
    except UnicodeDecodeError:
        return False


def make(pick):
    text = pick.choice(MAKERS)(pick)
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def judge(text, answer):
    """None, or what is different."""
    tree, what = truth.parse(text), None
    if tree is None and answer["ok"]:
        what = "CPython rejects it, we accept it"
    elif tree is not None and not answer["ok"]:
        what = f"CPython accepts it, we do not ({answer.get('error', '')})"
    elif tree is not None:
        what = truth.Comparison().tree(tree, answer["tree"])
    return None if what and any(test(text) for _, test in EXCEPTIONS) else what


def run_batch(texts, compiler):
    failures, accepted = [], 0
    answers = truth.Compiler("texts", "--ast=json", texts, compiler).answers()
    for text, answer in zip(texts, answers):
        accepted += answer["ok"]
        what = judge(text, answer)
        if what:
            failures.append((text, what))
    return accepted, failures


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compiler", default=truth.default_compiler())
    parser.add_argument("--show", type=int, default=20, help="counter-examples shown")
    return parser.parse_args()


def main():
    truth.become_truth()
    options = arguments()
    truth.require_compiler(options.compiler)
    print(truth.describe())
    warnings.simplefilter("ignore")
    start, pick = time.time(), random.Random(options.seed)
    accepted, failures = 0, []
    for first in range(0, options.count, BATCH):
        texts = [make(pick) for _ in range(min(BATCH, options.count - first))]
        good, wrong = run_batch(texts, options.compiler)
        accepted += good
        failures += wrong
    print(f"{options.count} random texts, seed {options.seed}, {time.time() - start:.0f} s:"
          f" accepted {accepted}; different {len(failures)}")
    for text, what in failures[:options.show]:
        print(f"FAIL {what}\n    | {text!r}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
