"""What README.md and docs/ show is what happens: their commands are run, their programs compiled.

In docs/language.md every block marked `python` is a program, and the word behind says which code it
is refused with; without one it is accepted. What does not begin with an import stands in the block
marked `python context`, in the place of its dots.

Elsewhere a block marked `python` whose first line is `# NAME.pyc` or `# NAME.py` is a file. A block
marked `console` holds commands (`$ command`) and what they print; `...` at the end of a line stands
for any text. The order of lines is checked unless a command starts several processes. What `$ cat`
shows of a file that is not there yet is that file.

Blocks marked `sh` show how roles are started on several machines. All of these are this one here:
each line that starts a role is a process, and all must end well; a role that the block leaves out
is started as well.
"""

import argparse
import fnmatch
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(python|console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```python(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# ([\w./-]+\.pyc?)\n")


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "samples/README.md", *sorted((ROOT / "docs").glob("*.md"))]


def prepare(compiler: Path) -> Path:
    """A folder that looks like a built checkout; the compiler and this Python are on PATH."""
    folder = Path(tempfile.mkdtemp(prefix="pychoral-docs-"))
    (folder / "build/release").mkdir(parents=True)
    (folder / "build/release/pychoralc").symlink_to(compiler)
    (folder / "bin").mkdir()
    (folder / "bin/python3").symlink_to(sys.executable)
    (folder / "bin/pychoralc").symlink_to(compiler)
    for name in ("samples", "runtime"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def environment(folder: Path) -> dict[str, str]:
    return dict(os.environ, NO_COLOR="1", PATH=f"{folder}/bin:{os.environ['PATH']}",
                XDG_RUNTIME_DIR=str(folder), XDG_CACHE_HOME=str(ROOT / "build/cache"),
                PYTHONPATH="runtime/python", CFLAGS="-O0")       # the runtime is compiled once


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


def run_shell(block: str, folder: Path) -> list[str]:
    """The commands of a block; those that start a role at the same time."""
    ports: dict[str, str] = {}
    here = re.sub(r"\b\w+\.example\b", "127.0.0.1", block)
    here = re.sub(r"(?<=:)\d{4,5}\b", lambda m: ports.setdefault(m[0], str(free_port())), here)
    lent_keys = "keygen" not in here and "--manifest keys" in here
    if lent_keys:                       # the document makes them below
        here = "pychoralc keygen samples/hello_roles.pyc -o keys/\n" + here
    if "--journal" in here:
        here += "python3 out/alice.py --name Ada\n"
    started, complaints = [], []
    for line in here.splitlines():
        process = subprocess.Popen(
            ["sh", "-c", f"{line}\nstatus=$?; wait; exit $status"], cwd=folder,
            env=environment(folder), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        started.append((line, process))
        if not re.match(r"(python3 )?out/", line):
            process.wait(timeout=600)
    for line, process in started:
        printed, _ = process.communicate(timeout=60)
        if process.returncode != 0:
            complaints.append(f"{line}\nends with {process.returncode}:\n{printed}")
    if lent_keys:
        shutil.rmtree(folder / "keys")
    return complaints


def run_block(block: str, folder: Path) -> list[str]:
    complaints = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, wanted = part.partition("\n")
        if command.startswith("cat ") and not (folder / command[4:]).exists():
            (folder / command[4:]).write_text(wanted, encoding="utf-8")
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment(folder), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        lines, found = wanted.rstrip().split("\n"), done.stdout.rstrip().split("\n")
        if " & " in command or " run " in command:       # several processes print
            lines, found = sorted(lines), sorted(found)
        if not matches(lines, found):
            complaints.append(f"$ {command}\nprints\n{done.stdout}and not\n{wanted}")
    return complaints


def matches(wanted: list[str], found: list[str]) -> bool:
    literal = [re.sub(r"([*?[])", r"[\1]", line) for line in wanted]
    pattern = "\n".join(line[:-3] + "*" if line.endswith("...") else line for line in literal)
    return fnmatch.fnmatchcase("\n".join(line.rstrip() for line in found), pattern)


def check(path: Path, folder: Path) -> tuple[int, list[str]]:
    """How many blocks were checked, and the complaints."""
    count, complaints = 0, []
    for name in ("out", "keys"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for kind, block in BLOCK.findall(path.read_text(encoding="utf-8")):
        if kind in ("console", "sh"):
            count += 1
            complaints += (run_block if kind == "console" else run_shell)(block, folder)
        elif match := FILE_NAME.match(block):
            (folder / match[1]).write_text(block, encoding="utf-8")
    return count, complaints


def check_examples(path: Path, folder: Path) -> tuple[int, list[str]]:
    """The language reference: each example is accepted, or refused as it says."""
    context, complaints, count = "", [], 0
    for mark, block in EXAMPLE.findall(path.read_text(encoding="utf-8")):
        if mark == "context":
            context = block
            continue
        program = block if re.match(r"from|import", block) else \
            context.replace("    ...\n", textwrap.indent(block, "    "))
        (folder / "example.pyc").write_text(program, encoding="utf-8")
        done = subprocess.run([folder / "bin/pychoralc", "check", "example.pyc"], cwd=folder,
                              capture_output=True, text=True, timeout=60)
        codes = set(re.findall(r"(?:error|warning)\[(\w+)\]", done.stderr))
        count += 1
        if codes != ({mark} if mark else set()):
            complaints.append(f"{program}\nis said to give {mark or 'nothing'}:\n{done.stderr}")
    return count, complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, default=ROOT / "build/release/pychoralc")
    folder = prepare(parser.parse_args().compiler.resolve())
    passed = failed = 0
    try:
        for path in documents():
            count, complaints = check(path, folder)
            if path.name == "language.md":
                examples, more = check_examples(path, folder)
                count, complaints = count + examples, complaints + more
            for complaint in complaints:
                print(f"FAILED {path.relative_to(ROOT)}: {complaint}")
            passed += count - min(count, len(complaints))
            failed += len(complaints)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
