"""The programs of a case as they are built and run by users: by the generated Makefile, against the
installed library, and one process for each role, over sockets. All roles are in C, then every other
one in Python. Everybody prints the same as centrally, and ends alike.
"""

from pathlib import Path

from judge import QUIETLY, Judge, Verdict, as_main, compare
from runner import native
from runner.marks import Test
from schedule import Ending

FLAGS = "-O2"
SECONDS = 60.0          # of one run


def verdict(judge: Judge, cc: str, source: Path, programs: Path, central: Ending) -> Verdict:
    """`programs` is the folder of those in C, which `cc` compiles."""
    python = programs.with_name(f"{source.stem}_python")
    answer = judge.server.build(["build", str(source), "-o", str(python), *QUIETLY],
                                judge.central(source))
    if answer.status != 0:
        return Verdict("not written in Python", answer.diagnostics)
    said = native.make(native.Settings(cc, FLAGS), programs)
    if said:
        return Verdict("the Makefile fails", said)
    for mixed in (False, True):
        kind, text = compare(central, ending(source, programs, python, mixed), typed=True)
        if kind:
            return Verdict(f"{'mixed ' if mixed else ''}processes: {kind}", text)
    return Verdict("")


def ending(source: Path, programs: Path, python: Path, mixed: bool) -> Ending:
    ended = native.run_patiently(Test(source, source, timeout=SECONDS), programs, python,
                                 programs.parent, mixed)
    lines = {role: [as_main(line) for line in said] for role, said in ended.lines.items()}
    return Ending(lines, ended.exits, ended.errors)
