"""What this compiler accepts of the language: one small program for each feature of the generator.

A feature that is refused is left out of the programs, and named in the report.
"""

from pathlib import Path

from runner.compiler import Compiler

HEAD = '''from enum import Enum
from pychoral import At, Ch2, Channel


class Way(Enum):
    L = 1
    R = 2


class Log:
    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *details: object) -> None:
        print("exit")


class Base(Ch2[X, Y]):
    def __init__(self, ch: Channel[object, X, Y]) -> None:
        self.ch = ch

    def m(self, x: At[int, X]) -> At[int, Y]:
        return self.ch.com(x)


'''
MAIN = '''def main(ch: Channel[object, A, B], a: At[int, A] = 1, s: At[str, A] = "1") -> None:
'''

PROBES = {
    "share": "    k: At[int, A, B] = ch.share(a)\n",
    "loops": """    for i in range(a):
        ch.select(Way.L@A)
        print(ch.com(i))
        if i > 2:
            ch.select(Way.L@A)
            break
        else:
            ch.select(Way.R@A)
    else:
        ch.select(Way.R@A)
    while True:
        if a > 0:
            ch.select(Way.L@A)
            break
        ch.select(Way.R@A)
    for j in range(3):
        print(ch.com(a + j))
""",
    "local_try": """    try:
        n = int(s)
    except ValueError:
        n = 0@A
    print(n)
""",
    "try": """    try:
        n = int(s)
    except ValueError:
        ch.select(Way.R@A)
    else:
        ch.select(Way.L@A)
        print(ch.com(n))
""",
    "match": """    match a:
        case 1:
            ch.select(Way.L@A)
        case _:
            ch.select(Way.R@A)
            print(ch.com(a))
""",
    "with": """    with Log()@A:
        print(ch.com(a))
""",
    "inherit": """    d = D[A, B](ch)
    print(d.m(a))


class D(Base[X, Y]):
    def m(self, x: At[int, X]) -> At[int, Y]:
        print("d"@X)
        return super().m(x)
""",
}


def accepted(compiler: Compiler, folder: Path) -> frozenset[str]:
    """The features that this compiler takes."""
    found = set()
    for name, text in PROBES.items():
        path = folder / f"probe_{name}.pyc"
        path.write_text(HEAD + MAIN + text, encoding="utf-8")
        if compiler.check(path).status == 0:
            found.add(name)
    return frozenset(found)
