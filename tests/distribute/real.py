"""Distributed scripts under real TensorFlow (`make check-tf`), in environments of their own.

a: TensorFlow 2.21, two ranks, `horovod` is the stand-in. b: Horovod 0.28.1 over gloo, two ranks. c:
`--target=tf` on two logical CPUs; d: the same on two hosts, scripts with tapes; e:
`--target=keras` on two devices of JAX; f: two replicas compute what one process does. All ranks and
replicas end with equal weights after equally many steps, only rank 0 prints, nothing waits forever.
A part whose environment cannot be made is left out, with a message. `# real: not b: why` and
`# real: only b` of a script name parts.
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Callable

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
RANK = HERE / "standin/real_rank.py"
WAIT = 600
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
HOROVOD = {"HOROVOD_WITH_TENSORFLOW": "1", "HOROVOD_WITHOUT_PYTORCH": "1", "HOROVOD_WITH_GLOO": "1",
           "HOROVOD_WITHOUT_MXNET": "1", "HOROVOD_WITHOUT_MPI": "1",
           "HOROVOD_CPU_OPERATIONS": "GLOO"}


def install(folder: Path, *steps: "list[str]") -> "str | None":
    """Makes a virtual environment; gives what went wrong."""
    if (folder / "done").exists():
        return None
    path = f"{folder}/bin:{os.environ['PATH']}"
    for step in ([sys.executable, "-m", "venv", str(folder)],
                 *([str(folder / "bin/pip"), "-q", "install", *packages] for packages in steps)):
        done = subprocess.run(step, capture_output=True, text=True,
                              env={**os.environ, **HOROVOD, "PATH": path})
        if done.returncode:
            return f"{' '.join(step[-4:])}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}"
    (folder / "done").touch()
    return None


class Started:
    """A run of Warm, with what is needed of a Popen."""

    def __init__(self, line: socket.socket, files: "list[IO[str]]") -> None:
        self.line, self.files, self.returncode = line, files, -1

    def communicate(self) -> "tuple[str, str]":
        with self.line:
            self.returncode = int(self.line.recv(64) or b"-1")
        for file in self.files:
            file.seek(0)
        return self.files[0].read(), self.files[1].read()


class Warm:
    """TensorFlow, imported once: real_rank.py forks a process for each run."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.path = folder / "door"
        self.process = subprocess.Popen(
            [str(python), str(RANK), "--serve", str(self.path)], env={**os.environ, **QUIET},
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.process.stdout and self.process.stdout.readline() == b"ready\n"

    def call(self, text: str, fds: "list[int]") -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        line.connect(str(self.path))
        socket.send_fds(line, [text.encode()], fds)
        return line

    def start(self, cwd: Path, args: "tuple[object, ...]", env: "dict[str, str]",
              fds: "tuple[int, ...]") -> Started:
        files: "list[IO[str]]" = [tempfile.TemporaryFile("w+", errors="replace") for _ in range(2)]
        text = json.dumps({"cwd": str(cwd), "args": list(map(str, args)), "env": env,
                           "seconds": WAIT})
        return Started(self.call(text, [*(file.fileno() for file in files), *fds]), files)

    def stop(self) -> None:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.path))
        self.process.wait()


class Run:
    """One script, distributed, in a folder of its own."""

    def __init__(self, python: Path, script: Path, folder: Path,
                 warm: "Warm | None" = None) -> None:
        self.python, self.script, self.folder, self.warm = python, script, folder, warm
        self.out, self.record = folder / "out.py", folder / "record"
        self.notes = dict(re.findall(r"^# (\w+): (.*)$", script.read_text(), re.MULTILINE))

    def is_for(self, part: str) -> bool:
        """`# real: not bc: why`, `# real: only b`."""
        word, _, parts = self.notes.get("real", "not ").partition(" ")
        return (part in parts.split(":")[0]) == (word == "only")

    def distribute(self, compiler: Path, *options: str) -> bool:
        rules = self.notes.get("rules", "default") if not options else "default"
        done = subprocess.run([str(compiler), "distribute", "-q", "-o", str(self.out), *options,
                               f"--rules={rules}", str(self.script)], capture_output=True)
        return done.returncode == 0

    def start(self, *args: object, env: "dict[str, str] | None" = None,
              pass_fds: "tuple[int, ...]" = ()) -> "subprocess.Popen[str] | Started":
        if self.warm is not None and args[:2] == (self.python, RANK):
            return self.warm.start(self.folder, args[2:], env or {}, pass_fds)
        return subprocess.Popen(
            ["timeout", str(WAIT), *map(str, args), *map(str, pass_fds)], cwd=self.folder,
            text=True, pass_fds=pass_fds, env={**os.environ, **QUIET, **(env or {})},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def records(self, *names: str) -> "list[dict[str, object]]":
        paths = [self.record.with_name("record" + name) for name in names]
        return [json.loads(path.read_text()) for path in paths]


def failures(ended: "list[tuple[int, str, str]]") -> str:
    for status, _, err in ended:
        if status:
            lines = [line for line in err.splitlines() if line.strip()]
            return f"status {status}: " + " | ".join(lines[-2:])[:300]
    return ""


def wait(processes: "list[subprocess.Popen[str] | Started]") -> "list[tuple[int, str, str]]":
    answers = [process.communicate() for process in processes]
    return [(p.returncode, out, err) for p, (out, err) in zip(processes, answers)]


def judge(run: Run, ended: "list[tuple[int, str, str]]", *names: str) -> str:
    if wrong := failures(ended):
        return wrong
    records = run.records(*names)
    finals = {str(final) for record in records for final in record["final"]}   # type: ignore
    if len(finals) != 1 or not all(record["finite"] for record in records):
        return f"weights differ: {records}"
    if len({str(record["steps"]) for record in records}) != 1:
        return f"steps differ: {records}"
    return ""


def with_standin(run: Run) -> str:
    sys.path.insert(0, str(HERE / "standin"))
    import launch
    lines = [socket.socketpair() for _ in range(2)]
    ranks = [run.start(run.python, RANK, run.out, f"{run.record}{i}", i, 2,
                       pass_fds=(far.fileno(),)) for i, (_, far) in enumerate(lines)]
    for _, far in lines:
        far.close()
    launch.WAIT = WAIT
    wrong = launch.coordinate([near for near, _ in lines])
    ended = wait(ranks)
    quiet = "" if not ended[1][1] else f"rank 1 prints {ended[1][1]!r}"
    return judge(run, ended, "0", "1") or wrong or quiet


def with_horovod(run: Run) -> str:
    tools = {"PATH": f"{run.python.parent}:{os.environ['PATH']}"}
    ended = wait([run.start(run.python.parent / "horovodrun", "--gloo", "-np", 2, "-H",
                            "localhost:2", run.python, RANK, run.out, run.record, env=tools)])
    shown = re.findall(r"^\[\d+,1\]<stdout>:(.+)$", ended[0][1], re.MULTILINE)
    return judge(run, ended, "0", "1") or (f"rank 1 prints {shown[0]!r}" if shown else "")


def on_replicas(run: Run) -> str:
    return judge(run, wait([run.start(run.python, RANK, run.out, run.record, "replicas")]), "")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def on_hosts(run: Run) -> str:
    hosts = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    config = [json.dumps({"cluster": {"worker": hosts}, "task": {"type": "worker", "index": i}})
              for i in range(2)]
    ended = wait([run.start(run.python, RANK, run.out, f"{run.record}{i}",
                            env={"TF_CONFIG": config[i], "HOROVOD_RANK": ""}) for i in range(2)])
    shown = [line for line in ended[1][1].splitlines() if line.strip()]
    return judge(run, ended, "0", "1") or (f"host 1 prints {shown[0]!r}" if shown else "")


def on_devices(run: Run) -> str:
    two = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "KERAS_BACKEND": "jax"}
    return failures(wait([run.start(run.python, run.out, env=two)]))


PARTS: "list[tuple[str, str, list[str], Callable[[Run], str]]]" = [
    ("a", "real", [], with_standin), ("b", "horovod", [], with_horovod),
    ("c", "real", ["--target=tf"], on_replicas),
    ("d", "real", ["--target=tf", "--workers=2"], on_hosts),
    ("e", "real", ["--target=keras"], on_devices)]


def check_part(part: "tuple[str, str, list[str], Callable[[Run], str]]", compiler: Path,
               python: Path, only: str, warm: "Warm | None") -> bool:
    letter, _, options, play = part
    counts = {"ran": 0, "refused": 0, "not run": 0, "failed": 0}
    for script in sorted((HERE / "scripts").glob(f"{only}.py")):
        with tempfile.TemporaryDirectory(prefix="pychoral-real-") as folder:
            run = Run(python, script, Path(folder), warm)
            if not run.is_for(letter):
                counts["not run"] += 1
                continue
            if not run.distribute(compiler, *options):
                counts["refused"] += 1
                continue
            wrong = play(run)
            counts["failed" if wrong else "ran"] += 1
            if wrong:
                print(f"  {letter} {script.stem}: {wrong}", flush=True)
    print(f"{letter}: " + ", ".join(f"{count} {name}" for name, count in counts.items()),
          flush=True)
    return counts["failed"] == 0


def check_equal(compiler: Path, python: Path) -> bool:
    """equal.py: the numbers of two replicas with batches of 5, and of one process with 10."""
    with tempfile.TemporaryDirectory(prefix="pychoral-real-") as folder:
        run = Run(python, HERE / "equal.py", Path(folder))
        if not run.distribute(compiler, "--target=tf", "--lr-scale=none"):
            return False
        ended = wait([run.start(python, run.script, env={"BATCH": "10"}),
                      run.start(python, RANK, run.out, run.record, "replicas",
                                env={"BATCH": "5"})])
        one, two = (re.findall(r"^values .*$", out, re.MULTILINE) for _, out, _ in ended)
        print("f: " + (failures(ended) or ("equal" if one == two and one else f"{one} {two}")),
              flush=True)
        return bool(one) and one == two


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", type=Path, default=ROOT / "build/release/pychoralc")
    parser.add_argument("--parts", default="abcdef")
    parser.add_argument("--only", default="*", help="scripts of this name")
    args = parser.parse_args()
    where = ROOT / "build/tf"
    broken = {"real": install(where / "real", ["tensorflow-cpu", "tensorboard", "jax"])}
    if "b" in args.parts:
        broken["horovod"] = install(
            where / "horovod", ["tensorflow-cpu==2.12.1", "setuptools<70", "wheel", "packaging",
                                "cmake==3.25.0", "cloudpickle", "psutil", "pyyaml", "cffi"],
            ["--no-build-isolation", "horovod==0.28.1"])
    good = True
    with tempfile.TemporaryDirectory(prefix="pychoral-real-") as folder:
        python = where / "real/bin/python"
        warm = None if broken["real"] or not set(args.parts) & set("acd") else \
            Warm(python, Path(folder))
        for part in PARTS:
            if part[0] not in args.parts:
                continue
            if broken[part[1]]:
                print(f"{part[0]}: skipped: {broken[part[1]]}")
                continue
            good &= check_part(part, args.compiler, where / part[1] / "bin/python", args.only,
                               warm if part[1] == "real" else None)
        if warm is not None:
            warm.stop()
    if "f" in args.parts and not broken["real"]:
        good &= check_equal(args.compiler, where / "real/bin/python")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
