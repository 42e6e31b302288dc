"""check-torch: training scripts of PyTorch, distributed and run by torchrun on two processes.

    torch_runs.py --compiler PYCHORALC --python PYTHON [NAME...]

Properties of each script of tests/distribute/torch: equal weights after the first step and at the
end, equally many steps, about half as many as alone, learning rates that grow with the processes;
only rank 0 prints and writes. Comments of a script say what is special: `# refused: E1113`,
`# already: W1101`, `# steps: stop` (training may end earlier or later), `# runs: 2` (a second run
goes on where the first one ended).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SECONDS = 240


class Failure(Exception):
    """A property that does not hold."""


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise Failure(what)


class Runs:
    """One script in a folder of its own."""

    def __init__(self, compiler: Path, python: Path, script: Path, folder: Path) -> None:
        self.compiler, self.python, self.script, self.folder = compiler, python, script, folder
        text = script.read_text(encoding="utf-8")
        self.notes = dict(re.findall(r"^# (\w+): (.*)$", text, re.MULTILINE))
        self.out = folder / "distributed.py"

    def distribute(self) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(self.compiler), "distribute", "--target=ddp", "-f", "-o",
                               str(self.out), str(self.script)],
                              capture_output=True, text=True, timeout=60)

    def run(self, script: Path, size: int) -> "list[dict[str, Any]]":
        """With size 0 by Python itself, without torchrun."""
        cwd, record = self.folder / f"cwd{size}", self.folder / f"record{size}"
        cwd.mkdir(exist_ok=True)
        record.mkdir(exist_ok=True)
        for old in record.iterdir():
            old.unlink()
        torchrun = [] if size == 0 else ["-m", "torch.distributed.run", "--standalone",
                                         f"--nproc-per-node={size}"]
        done = subprocess.run([str(self.python), *torchrun, str(HERE / "torch_rank.py"),
                               str(script), str(record)], cwd=cwd, timeout=SECONDS, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "OMP_NUM_THREADS": "1",
                                   "GLOO_SOCKET_IFNAME": "lo"})
        errors = "".join(path.read_text() for path in sorted(record.glob("err*")))
        expect(done.returncode == 0, f"{size} processes: exit {done.returncode}\n"
               f"{errors[-3000:] or done.stdout[-3000:]}")
        ranks = []
        for rank in range(max(1, size)):
            ranks.append(json.loads((record / f"record{rank}").read_text()))
            ranks[-1]["out"] = (record / f"out{rank}").read_text()
        return ranks

    def check(self) -> str:
        done = self.distribute()
        code = self.notes.get("refused")
        if code:
            expect(done.returncode == 1 and code in done.stderr, f"not refused: {done.stderr}")
            expect(not self.out.exists(), "something was written")
            return f"refused ({code})"
        expect(done.returncode == 0, done.stderr)
        if "already" in self.notes:
            expect(self.notes["already"] in done.stderr, done.stderr)
            expect(self.out.read_bytes() == self.script.read_bytes(), "it was changed")
        text = ""
        for _ in range(int(self.notes.get("runs", "1"))):
            single = self.run(self.script, 0)[0] if "already" not in self.notes else None
            text = self.compare(single, self.run(self.out, 2))
        return text

    def compare(self, single: "dict[str, Any] | None", ranks: "list[dict[str, Any]]") -> str:
        first = ranks[0]
        for rank in ranks[1:]:
            expect(rank["steps"] == first["steps"], "different numbers of steps")
            expect(rank["first"] == first["first"], "weights differ after the first step")
            expect(rank["last"] == first["last"], "weights differ at the end")
            expect(rank["out"] == "", f"rank 1 prints: {rank['out']!r}")
            expect(rank["writes"] == [], f"rank 1 writes {rank['writes']}")
        if single is None:
            return f"{first['steps']} steps"
        expect(bool(first["out"]) == bool(single["out"]), "rank 0 prints")
        expect(sorted(set(first["writes"])) == sorted(set(single["writes"])), "what rank 0 writes: "
               f"{first['writes']} instead of {single['writes']}")
        expect(first["rates"][0] > 1.5 * single["rates"][0], "the rate is not scaled")
        room = single["steps"] / 2 + 8
        expect("steps" in self.notes or single["steps"] / 2 - 8 <= first["steps"] <= room,
               f"{first['steps']} steps instead of half of {single['steps']}")
        return f"{first['steps']} steps of {single['steps']}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", type=Path, required=True)
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    scripts = [Path(name) if name.endswith(".py") else HERE / f"torch/{name}.py"
               for name in options.names] or \
        sorted((HERE / "torch").glob("*.py"))
    passed = failed = 0
    for script in scripts:
        with tempfile.TemporaryDirectory(prefix="pychoral-torch-") as folder:
            try:
                text = Runs(options.compiler.resolve(), options.python.absolute(), script,
                            Path(folder).resolve()).check()
                passed += 1
            except (Failure, subprocess.TimeoutExpired) as error:
                text, failed = f"FAILED: {error}", failed + 1
        print(f"{script.stem}: {text}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
