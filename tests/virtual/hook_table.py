#!/usr/bin/env python3
"""The table of hooks: docs/virtualize.md and pychoral.virtual.py_plain against hook.def.

usage: hook_table.py [--write]
"""

import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/virtualize.md"
MARKS = "<!-- hooks -->\n", "<!-- end of hooks -->\n"
ROW = re.compile(r'HOOK\(\w+,\s*"(\w+)",\s*(\w+),\s*"([^"]*)",\s*(-?\w+),\s*(\w+),\s*(\w+),'
                 r'\s*((?:"[^"]*"\s*)+)\)')


def rows() -> list[tuple[str, ...]]:
    text = (ROOT / "compiler/virtualize/hook.def").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^//.*", "", text)
    found = [match.groups() for match in ROW.finditer(text)]
    assert len(found) == text.count("HOOK("), "a row that this test does not understand"
    return [(*row[:6], "".join(re.findall(r'"([^"]*)"', row[6]))) for row in found]


def table() -> str:
    lines = ["| group | hook | construct |", "|---|---|---|"]
    for name, group, parameters, _, forms, status, construct in rows():
        also = " (also `_gen`, `_async`)" if forms == "FORMS" else ""
        later = "; not yet" if status == "LATER" else ""
        construct = construct.replace("|", "\\|")
        lines.append(f"| {group.lower()} | `{name}({parameters})`{also} | {construct}{later} |")
    return "\n".join(lines) + "\n"


def wrong_defaults() -> list[str]:
    """Hooks that py_plain lacks, or has with other parameters."""
    if not (ROOT / "runtime/python/pychoral/virtual/py_plain.py").exists():
        return []
    sys.path.insert(0, str(ROOT / "runtime/python"))
    from pychoral.virtual import py_plain
    bad = []
    for name, _, parameters, arity, forms, _, _ in rows():
        names = [f"{name}{form}" for form in (["", "_gen", "_async"] if forms == "FORMS" else [""])]
        for full in names:
            function = getattr(py_plain, full, None)
            if function is None:
                bad.append(f"py_plain has no `{full}`")
            elif arity != "MANY" and not takes(function, int(arity)):
                bad.append(f"py_plain.{full} does not take ({parameters})")
    return bad


def takes(function: object, count: int) -> bool:
    try:
        inspect.signature(function).bind(*range(count))  # type: ignore[arg-type]
    except TypeError:
        return False
    except ValueError:          # a built-in function that does not say what it takes
        return True
    return True


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    new = before + MARKS[0] + "\n" + table() + "\n" + MARKS[1] + after
    if "--write" in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    bad = wrong_defaults()
    if new != page:
        bad.append("docs/virtualize.md: the table is not that of hook.def (hook_table.py --write)")
    print("\n".join(bad) if bad else f"hooks: {len(rows())} rows, documented, with defaults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
