"""Marks: what a test program says about itself, in comments (the table is in tests/README.md)."""

import re
from dataclasses import dataclass, field
from pathlib import Path

OF_A_ROLE = {"stdin", "option", "exit", "error"}
DIRECTIVES = OF_A_ROLE | {"cmd", "source", "timeout", "skip", "xfail", "processes", "no-mypy",
                           "entry", "c", "mended"}
COMMANDS = {"check", "run", "c"}
PEER_LOST = 75          # the exit code of an endpoint whose peer has stopped

OUTPUT_MARK = re.compile(r"#> ([\w, ]+): ?(.*?)(?=\s+#>|\s*$)")
DIAGNOSTIC_MARK = re.compile(r"#!(\^*) ?([EW]\d{1,4})\b ?(.*?)(?=\s+#!|\s*$)")
DIRECTIVE = re.compile(r"#@ ([\w-]+)(?: ([\w.]+))?(?:: ?(.*))?$")
TEXT_MARK = re.compile(r"#\? (has|not)(?: (\w+))?: (.*)$")
ANY_MARK = re.compile(r"#[>!@?](?=[ ^])")


class MarkError(Exception):
    """A mark that the runner cannot read."""


@dataclass
class DiagnosticMark:
    line: int
    code: str           # a code, or the beginning of one: a family
    text: str           # part of the headline; may be empty
    file: str = ""      # of a program of several modules: which other one

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.code} {self.text}".lstrip(":").rstrip()


@dataclass
class TextMark:
    wanted: bool        # has, or not
    role: str           # of this role's program; "" for the compiler's messages
    pattern: str


@dataclass
class Test:
    """A program and what is expected of it."""

    path: Path
    source: Path                        # the file that is compiled: `path`, unless it names another
    command: str = "run"
    outputs: dict[str, list[str]] = field(default_factory=dict)
    diagnostics: list[DiagnosticMark] = field(default_factory=list)
    texts: list[TextMark] = field(default_factory=list)
    stdin: dict[str, str] = field(default_factory=dict)
    options: list[tuple[str, str]] = field(default_factory=list)
    exits: dict[str, int] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    entry: str = ""                     # what `--entry` says
    timeout: float = 10.0
    skip: str | None = None
    xfail: str | None = None
    processes: bool = False
    mended: bool = False                # the edits that are shown make `check` accept it
    no_mypy: str | None = None
    c: str | None = None                # why it does not run in C

    @property
    def expects_errors(self) -> bool:
        return any(mark.code.startswith("E") for mark in self.diagnostics)

    @property
    def fails_at(self) -> set[str]:
        """The roles whose own code is expected to end the run, not those that lose a peer."""
        return {role for role, status in self.exits.items() if status not in (0, PEER_LOST)}


def read_test(path: Path, command: str) -> Test:
    """Reads the marks of a file; `command` is what its folder runs."""
    test = Test(path, path, command)
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if ANY_MARK.search(line):
            _read_line(test, number, line)
    return test


def read_modules(test: Test) -> None:
    """The diagnostic marks of the other modules of a program."""
    for path in sorted(test.path.parent.rglob("*")):
        if path == test.path or path.suffix not in (".pyc", ".py", ".chi"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            for match in DIAGNOSTIC_MARK.finditer(line):
                test.diagnostics.append(DiagnosticMark(
                    number - len(match[1]), match[2], match[3], path.name))


def _read_line(test: Test, number: int, line: str) -> None:
    where = f"{test.path}:{number}"
    found = False
    for match in OUTPUT_MARK.finditer(line):
        for role in match[1].split(","):
            test.outputs.setdefault(role.strip(), []).append(match[2])
        found = True
    for match in DIAGNOSTIC_MARK.finditer(line):
        test.diagnostics.append(DiagnosticMark(number - len(match[1]), match[2], match[3]))
        found = True
    if text := TEXT_MARK.search(line):
        test.texts.append(TextMark(text[1] == "has", text[2] or "", text[3]))
        found = True
    if directive := DIRECTIVE.search(line):
        _read_directive(test, where, directive[1], directive[2] or "", directive[3] or "")
        found = True
    if not found:
        raise MarkError(f"{where}: a mark that the runner cannot read: {line.strip()}")


def _read_directive(test: Test, where: str, name: str, subject: str, value: str) -> None:
    """`#@ name: value`, or `#@ name SUBJECT: value` with a role or ROLE.parameter."""
    if name not in DIRECTIVES or bool(subject) != (name in OF_A_ROLE):
        raise MarkError(f"{where}: no such directive: {name} {subject}")
    if name in OF_A_ROLE:
        _read_of_role(test, name, subject, value)
    elif name == "cmd":
        if value not in COMMANDS:
            raise MarkError(f"{where}: no such command: {value}")
        test.command = value
    elif name == "source":
        test.source = (test.path.parent / value).resolve()
    elif name == "entry":
        test.entry = value
    elif name == "timeout":
        test.timeout = float(value)
    elif name == "processes":
        test.processes = True
    elif name == "mended":
        test.mended = True
    elif not value:
        raise MarkError(f"{where}: {name} needs a reason")
    else:
        setattr(test, name.replace("-", "_"), value)


def _read_of_role(test: Test, name: str, subject: str, text: str) -> None:
    if name == "option":
        test.options.append((subject, text))
    elif name == "stdin":
        test.stdin[subject] = test.stdin.get(subject, "") + text + "\n"
    elif name == "exit":
        test.exits[subject] = int(text)
    else:
        test.errors[subject] = text
