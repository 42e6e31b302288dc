"""Runs the unittest files of the folders given and ends with the runner's last line."""

import sys
import unittest


def main(folders: list[str]) -> int:
    passed = failed = 0
    for folder in folders:
        suite = unittest.defaultTestLoader.discover(folder, "test_*.py", folder)
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(suite)
        bad = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
        passed += result.testsRun - bad - len(result.skipped)
        failed += bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
