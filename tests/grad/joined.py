"""Generated C programs in one translation unit: a compiler that is started once for each of them
reads the headers and the prelude again and again.

A name at file scope gets a suffix that is a hash of all that its definition needs, so that what is
equal in several programs is there once, and the rest stays apart.
"""

import ctypes
import hashlib
import re
import subprocess
from pathlib import Path
from typing import Any

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|//[^\n]*|\d[\w.]*|[A-Za-z_]\w*|'
                   r'[^\w"\'/]+|/')
NAME = re.compile(r"[A-Za-z_]\w*")
ENUM = re.compile(r"^(?:typedef )?enum (?:\w+ )?\{(.*?)\}", re.MULTILINE | re.DOTALL)
GUARD = re.compile(r"#ifndef PYCHORAL_GRAD_\w+\n#define \w+\n(.*)#endif\n", re.DOTALL)


def tokens(text: str) -> list[str]:
    return TOKEN.findall(text)


def defined(block: str) -> set[str]:
    """The names at file scope: in a line that is not indented, the last before a `(`, `=` .."""
    names = set()
    for body in ENUM.findall(block):
        names |= {part.split("=")[0].strip() for part in body.split(",")}
    for line in block.split("\n"):
        if not line or not NAME.match(line) or line.startswith("enum {"):
            continue
        head = re.split(r"[(=;\[{]", line.replace("__attribute__", ""))[0]
        found = NAME.findall(head)
        if found:
            names.add(found[-1])
    return names


class Program:
    """The blocks of a program, and its names with their suffixes."""

    def __init__(self, source: Path) -> None:
        header = source.with_suffix(".h").read_text(encoding="utf-8")
        text = source.read_text(encoding="utf-8").replace(f'#include "{source.stem}.h"',
                                                          GUARD.sub(r"\1", header))
        lines = text.split("\n")
        self.includes = [line for line in lines if line.startswith(("#include <", "#define _GNU"))]
        kept = [line for line in lines if line not in self.includes]
        self.blocks = [block for block in "\n".join(kept).split("\n\n") if block.strip()]
        self.parts = [tokens(block) for block in self.blocks]
        self.made: dict[str, list[int]] = {}
        for i, block in enumerate(self.blocks):
            for name in defined(block):
                self.made.setdefault(name, []).append(i)
        self.needs = [set(parts) & self.made.keys() for parts in self.parts]
        # Without comments: they name lines.
        texts = ["".join(part for part in parts if not part.startswith("//"))
                 for parts in self.parts]
        self.digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        self.names = {name: f"{name}_{self.hash_of(name)}" for name in self.made}

    def hash_of(self, name: str) -> str:
        reached: set[int] = set()
        todo = list(self.made[name])
        while todo:
            i = todo.pop()
            if i not in reached:
                reached.add(i)
                todo += [k for need in self.needs[i] for k in self.made[need]]
        texts = "".join(sorted(self.digests[i] for i in reached))
        return hashlib.sha256(texts.encode()).hexdigest()[:8]

    def renamed(self, i: int) -> str:
        return "".join(self.names.get(part, part) for part in self.parts[i]
                       if not part.startswith("//"))


class Library:
    """The shared library as one program sees it."""

    def __init__(self, library: ctypes.CDLL, names: dict[str, str]) -> None:
        self.__library, self.__suffixed = library, names

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__library, self.__suffixed[name])


def compile_together(modules: list[tuple[Path, Any]], folder: Path, flags: list[str]) -> str:
    """Makes the library of all the programs, and gives it to their twins; answers what the
    compiler says, or nothing."""
    programs = [Program(source) for source, _ in modules]
    text = dict.fromkeys(line for program in programs for line in program.includes)
    for (source, _), program in zip(modules, programs):
        for i in range(len(program.blocks)):
            text.setdefault(program.renamed(i), f'#line 1 "{source.name}"')
    whole = "\n".join(f"{where or ''}\n{block}" for block, where in text.items()) + "\n"
    joined = folder / f"joined-{hashlib.sha256(whole.encode()).hexdigest()[:16]}.c"
    joined.write_text(whole, encoding="utf-8")
    library = joined.with_suffix(".so")
    done = subprocess.run(["cc", *flags, "-shared", "-fPIC", "-o", str(library), str(joined),
                           "-lm", "-lpthread"], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr
    loaded = ctypes.CDLL(str(library))
    for (_, module), program in zip(modules, programs):
        module._loaded.append(Library(loaded, program.names))
    return ""
