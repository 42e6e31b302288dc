"""Makes the sources of the book: docs/prepare.py FOLDER.

The pages of docs/ as they are, the pages of `pychoralc explain` as one page, and the samples.
"""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIAG = re.compile(r'^DIAG\(\w+,\s*"(\w+)",\s*\w+,\s*"(.*)"\)', re.MULTILINE)


def explain_page() -> str:
    table = (ROOT / "compiler/base/diag.def").read_text(encoding="utf-8")
    parts = ["# What the errors mean\n\nAlso: `pychoralc explain CODE`.\n"]
    for code, summary in DIAG.findall(table):
        page = ROOT / f"compiler/base/explain/{code}.md"
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        parts.append(f"## {code}: {summary}\n\n{text}")
    return "\n".join(parts)


def samples_page() -> str:
    text = (ROOT / "samples/README.md").read_text(encoding="utf-8")
    programs = [f"## {path.name}\n\n```python\n{path.read_text(encoding='utf-8')}```\n"
                for path in sorted((ROOT / "samples").glob("*.pyc"))]
    return text + "\n" + "\n".join(programs)


def main() -> None:
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in [*(ROOT / "docs").glob("*.md"), ROOT / "docs/conf.py"]:
        shutil.copy(path, folder)
    (folder / "explain.md").write_text(explain_page(), encoding="utf-8")
    (folder / "samples.md").write_text(samples_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
