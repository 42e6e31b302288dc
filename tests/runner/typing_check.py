"""mypy --strict over all generated programs, in one call."""

import os
import re
import subprocess
import sys
from pathlib import Path

from runner.execute import RUNTIME

ERROR = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+): (?:error|note): ")


def check_programs(build: Path, names: list[str]) -> dict[str, list[str]]:
    """Checks the programs in the folders `names` of `build`. Gives complaints by folder."""
    if not names:
        return {}
    for name in names:
        (build / name / "__init__.py").touch()
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10",
               "--explicit-package-bases", "--namespace-packages", "--no-error-summary",
               "--no-pretty", "--cache-dir", os.devnull, *names]
    environment = dict(os.environ, MYPYPATH=f"{build}:{RUNTIME}", NO_COLOR="1")
    done = subprocess.run(command, cwd=build, env=environment, capture_output=True, text=True)
    complaints: dict[str, list[str]] = {}
    for line in (done.stdout + done.stderr).splitlines():
        match = ERROR.match(line)
        name = Path(match["file"]).parts[0] if match else ""
        complaints.setdefault(name if name in names else "mypy", []).append(line)
    return complaints
