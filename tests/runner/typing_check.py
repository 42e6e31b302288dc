"""mypy --strict over all generated programs, in one call."""

import os
import re
import subprocess
import sys
from pathlib import Path

from runner.execute import RUNTIME

IMPORT = re.compile(r"^import (\w+)", re.MULTILINE)
ERROR = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+): (?:error|note): ")

# Almost nothing of what mypy makes becomes garbage, and looking for it takes a quarter of its time.
# A threshold is not enough: mypy sets its own.
START = "import gc; gc.disable(); import mypy.__main__ as m; m.console_entry()"


def check_programs(build: Path, names: list[str], *options: str) -> dict[str, list[str]]:
    """Checks the programs in the folders `names` of `build`. Gives complaints by folder."""
    alone = [name for name in names if has_modules(build / name)]
    complaints = {name: check_alone(build / name, *options) for name in alone}
    together = [name for name in names if name not in alone]
    return complaints | check_together(build, together, *options)


def has_modules(folder: Path) -> bool:
    """Whether its programs import a module that lies beside them."""
    beside = {path.stem for path in folder.glob("*.py")}
    return any(match[1] in beside for path in folder.glob("*.py")
               for match in IMPORT.finditer(path.read_text(encoding="utf-8")))


def check_alone(folder: Path, *options: str) -> list[str]:
    files = sorted(str(path) for path in folder.glob("*.py"))   # whole paths, for the cache
    done = mypy(folder, f"{folder}:{RUNTIME}", ["--scripts-are-modules", *options, *files],
                ["--cache-dir", str(folder.with_name("mypy-cache"))])
    return (done.stdout + done.stderr).splitlines()


def check_together(build: Path, names: list[str], *options: str) -> dict[str, list[str]]:
    if not names:
        return {}
    for name in names:
        (build / name / "__init__.py").touch()
    done = mypy(build, f"{build}:{RUNTIME}",
                ["--explicit-package-bases", "--namespace-packages", *options, *names])
    complaints: dict[str, list[str]] = {}
    for line in (done.stdout + done.stderr).splitlines():
        match = ERROR.match(line)
        name = Path(match["file"]).parts[0] if match else ""
        complaints.setdefault(name if name in names else "mypy", []).append(line)
    return complaints


def unclean_sources(folder: Path, names: list[str], *options: str) -> set[str]:
    """Which of the choreographies mypy complains about as they are written, with the plugin."""
    if not names:
        return set()
    config = folder / "mypy.ini"
    config.write_text("[mypy]\nplugins = pychoral.mypy_plugin\n")
    done = mypy(folder, str(RUNTIME), ["--config-file", str(config), "--scripts-are-modules",
                                       *options, *(f"{name}.pyc" for name in names)])
    lines = (done.stdout + done.stderr).splitlines()
    found = {Path(match["file"]).stem for match in map(ERROR.match, lines) if match}
    return found & set(names)


# Of many calls, the first one reads the standard library, and the others what it has kept.
NO_CACHE = ["--no-incremental", "--cache-dir", os.devnull]


def mypy(folder: Path, path: str, arguments: list[str],
         cache: list[str] = NO_CACHE) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", START, "--strict", "--python-version", "3.10",
               "--no-error-summary", "--no-pretty", *cache, *arguments]
    environment = dict(os.environ, MYPYPATH=path, PYTHONPATH=str(RUNTIME), NO_COLOR="1")
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
