"""A Python interpreter that has the runtime loaded already: each program runs in a copy of it.

Starting an interpreter and importing the runtime takes longer than most programs. The server, this
file as a program, reads jobs (JSON, one on each line) and forks for each; it has run nothing else.
"""

import json
import os
import runpy
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass
class Job:
    program: str
    arguments: list[str]
    folder: str             # the current one
    out: str                # files of what is printed
    err: str
    timeout: float


class Interpreter:
    """The server; it ends with the process that started it."""

    def __init__(self, runtime: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=dict(os.environ, PYTHONPATH=str(runtime), NO_COLOR="1"))

    def run(self, job: Job) -> int:
        """The exit status, 124 after the timeout."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(asdict(job)) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def stop(self) -> None:
        self.process.communicate()


def perform(job: Job) -> None:
    """In the copy, which then ends as an interpreter does."""
    for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, job.out, os.O_WRONLY),
                                (2, job.err, os.O_WRONLY)):
        file = os.open(name, flags | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, number)
        os.close(file)
    os.chdir(job.folder)
    sys.argv = [job.program, *job.arguments]
    sys.path[0] = os.path.dirname(job.program)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    runpy.run_path(job.program, run_name="__main__")


def status_of(child: int, timeout: float) -> int:
    if signal.sigtimedwait({signal.SIGCHLD}, timeout) is None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        signal.sigtimedwait({signal.SIGCHLD}, 0)
        return 124
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def serve() -> None:
    import pychoral.central         # noqa: F401

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    while line := sys.stdin.readline():
        job = Job(**json.loads(line))
        child = os.fork()
        if child == 0:
            perform(job)
            return
        print(status_of(child, job.timeout), flush=True)


if __name__ == "__main__":
    serve()
