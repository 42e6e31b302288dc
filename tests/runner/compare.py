"""Comparisons: each answers a list of complaints, empty when all is as marked."""

import difflib
import re
from collections.abc import Iterable, Mapping

from runner.compiler import Compilation, Diagnostic
from runner.marks import DiagnosticMark, Test, TextMark


def diagnostics(marks: list[DiagnosticMark], found: list[Diagnostic]) -> list[str]:
    """Every mark has its diagnostic and every diagnostic its mark. Exact marks choose first."""
    rest = list(found)
    complaints = []
    for mark in sorted(marks, key=lambda m: (-len(m.code), -len(m.text))):
        fitting = [d for d in rest if (d.line, d.file) == (mark.line, mark.file)
                   and d.code.startswith(mark.code)
                   and mark.text in d.text]
        if fitting:
            rest.remove(fitting[0])
        else:
            complaints.append(f"- missing   {mark}")
    return complaints + [f"+ unmarked  {d}" for d in rest]


def compilation(test: Test, done: Compilation) -> list[str]:
    complaints = diagnostics(test.diagnostics, done.diagnostics)
    wanted = 1 if test.expects_errors else 0
    if done.status != wanted:
        complaints.append(f"the compiler's exit code is {done.status}, not {wanted}")
    if done.stray:
        complaints.append(f"the compiler also says:\n{done.stray}")
    return complaints


def lines_of(text: str) -> list[str]:
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []


def outputs(title: str, wanted: Mapping[str, list[str]], found: Mapping[str, list[str]],
            partial: Iterable[str] = ()) -> list[str]:
    """Per role; of the roles in `partial` one output need only be the beginning of the other."""
    complaints = []
    for role in sorted({*wanted, *found}):
        left, right = wanted.get(role, []), found.get(role, [])
        if role in partial:
            common = min(len(left), len(right))
            left, right = left[:common], right[:common]
        if left != right:
            complaints += [f"{title}: {role} prints something else"]
            complaints += list(difflib.unified_diff(left, right, "wanted", "found", lineterm=""))
    return complaints


def texts(marks: list[TextMark], role: str, text: str) -> list[str]:
    """The `#?` marks of one role's program, or ("") of the compiler's messages."""
    complaints = []
    for mark in marks:
        if mark.role == role and bool(re.search(mark.pattern, text, re.MULTILINE)) != mark.wanted:
            what = "the messages" if not role else f"the program of {role}"
            verb = "lack" if mark.wanted else "have"
            complaints.append(f"{what} {verb} {mark.pattern}\n{text}")
    return complaints
