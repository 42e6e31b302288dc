"""outcomes.py MODULE [--mode MODE] [--hooks WORDS] - the outcomes of a module's tests, as JSON.

{"test id": "passed" | "failed" | "error" | "skipped" | ...}.  With --mode the module (and its
submodules) are virtualized with the default hooks.  What the tests print goes nowhere.
"""

import argparse
import importlib
import json
import os
import sys
import unittest
from typing import Any


class Outcomes(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.why: dict[str, str] = {}

    def note(self, test: Any, outcome: str, error: Any = None) -> None:
        name = test.id() if hasattr(test, "id") else str(test)
        if self.found.get(name, "passed") in ("passed", "skipped"):
            self.found[name] = outcome
        if error is not None:
            self.why[name] = str(self._exc_info_to_string(error, test))

    def addSuccess(self, test: Any) -> None:
        self.note(test, "passed")

    def addError(self, test: Any, err: Any) -> None:
        self.note(test, "error", err)

    def addFailure(self, test: Any, err: Any) -> None:
        self.note(test, "failed", err)

    def addSkip(self, test: Any, reason: str) -> None:
        self.note(test, "skipped")

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        self.note(test, "expected failure")

    def addUnexpectedSuccess(self, test: Any) -> None:
        self.note(test, "unexpected success")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        if err is not None:
            self.note(test, "failed in a subtest", err)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("module")
    parser.add_argument("--mode", choices=["nonlocal", "boxed"])
    parser.add_argument("--hooks", default="all")
    parser.add_argument("--match", default="", help="globs of further modules to virtualize")
    parser.add_argument("--why", action="store_true")
    given = parser.parse_args()
    answer = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.argv = [sys.argv[0]]
    if given.mode:
        from pychoral.virtual import install, py_defaults

        match = [given.module, given.module + ".*", *filter(None, given.match.split(","))]
        install(py_defaults, match, hooks=given.hooks, mode=given.mode)
    result = Outcomes()
    try:
        module = importlib.import_module(given.module)
        unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
    except unittest.SkipTest:
        result.found[given.module] = "skipped"
    except BaseException as error:
        import traceback

        result.found[given.module] = f"raised {type(error).__name__}"
        result.why[given.module] = traceback.format_exc()
    json.dump({"found": result.found, "why": result.why if given.why else {}}, answer)
    answer.flush()
    os._exit(0)     # Threads that a test has left do not keep the process.


if __name__ == "__main__":
    main()
