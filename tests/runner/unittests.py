"""Runs unittest files and ends with the runner's last line."""

import argparse
import sys
import unittest
from pathlib import Path
from types import ModuleType


def run(suite: unittest.TestSuite) -> tuple[int, int]:
    """How many passed and failed."""
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(suite)
    bad = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    return result.testsRun - len(result.skipped) - min(bad, result.testsRun), bad


def run_module(module: ModuleType, names: list[str]) -> int:
    """The tests of one module, or those that are named; gives the exit status."""
    loader = unittest.defaultTestLoader
    passed, failed = run(loader.loadTestsFromNames(names, module) if names
                         else loader.loadTestsFromModule(module))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def run_with_compiler(module: ModuleType) -> int:
    """The same for tests of the compiler: the command line says which one, which then is
    `module.COMPILER`, and which tests."""
    parser = argparse.ArgumentParser(description=module.__doc__)
    parser.add_argument("--compiler", type=Path, default=module.COMPILER)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    module.COMPILER = options.compiler.resolve()        # type: ignore[attr-defined]
    return run_module(module, options.names)


def main(folders: list[str]) -> int:
    """The files of some folders."""
    passed = failed = 0
    for folder in folders:
        counts = run(unittest.defaultTestLoader.discover(folder, "test_*.py", folder))
        passed += counts[0]
        failed += counts[1]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
