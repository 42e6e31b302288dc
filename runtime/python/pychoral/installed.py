"""Where the compiler is, for what runs it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def find_compiler() -> str:
    """`$PYCHORALC`, then PATH, then `bin` of the prefix that the package lies in."""
    beside = Path(__file__).resolve().parents[4] / "bin"
    asked = os.environ.get("PYCHORALC")
    if asked:
        found = shutil.which(asked)
        if found is None:
            raise FileNotFoundError(f"$PYCHORALC names `{asked}`, which cannot be run")
        return os.path.abspath(found)
    found = shutil.which("pychoralc") or shutil.which("pychoralc", path=str(beside))
    if found is None:
        words = "looked at $PYCHORALC, which is not set, along PATH, and in"
        raise FileNotFoundError(f"pychoralc is not found: {words} {beside}")
    return os.path.abspath(found)
