"""Worker processes for tests: one at a time each; one that hangs or dies is replaced."""

import multiprocessing
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from runner.compiler import Compiler
from runner.execute import RUNTIME, Result, run_test
from runner.marks import Test

CONTEXT = multiprocessing.get_context("fork")
COMPILING_SECONDS = 60


@dataclass
class Worker:
    process: BaseProcess
    connection: Connection
    test: Test | None = None
    deadline: float = 0.0


def name_of(test: Test) -> str:
    """A name that is unique and a Python identifier."""
    return "t_" + "_".join("".join(c if c.isalnum() else "_" for c in part)
                           for part in [test.path.parent.name, test.path.stem])


def run_all(compiler: Compiler, tests: list[Test], folder: Path,
            workers: int) -> Iterator[tuple[Test, Result]]:
    """Gives every test with its result, as they end."""
    queue = list(reversed(tests))
    pool = [_start(compiler, folder) for _ in range(min(workers, len(tests)))]
    try:
        while queue or any(worker.test for worker in pool):
            for worker in pool:
                if worker.test is None and queue:
                    _give(worker, queue.pop())
            yield from _collect(pool, lambda: _start(compiler, folder))
    finally:
        for worker in pool:
            worker.process.kill()


def _start(compiler: Compiler, folder: Path) -> Worker:
    mine, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(target=_work, args=(compiler, folder, theirs), daemon=True)
    process.start()
    theirs.close()
    return Worker(process, mine)


def _give(worker: Worker, test: Test) -> None:
    worker.test = test
    worker.deadline = time.monotonic() + 3 * test.timeout + COMPILING_SECONDS
    worker.connection.send(test)


def _collect(pool: list[Worker], start: Callable[[], Worker]) -> Iterator[tuple[Test, Result]]:
    """Waits until a busy worker answers, dies, or is late."""
    busy = [worker for worker in pool if worker.test]
    patience = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
    ready = wait([worker.connection for worker in busy], timeout=patience)
    for index, worker in enumerate(pool):
        test = worker.test
        if test is None:
            continue
        if worker.connection in ready:
            result = _answer(worker)
        elif time.monotonic() >= worker.deadline:
            result = None
        else:
            continue
        if result is None:
            late = time.monotonic() >= worker.deadline
            result = Result(["the run hangs" if late else "the run ended its worker process"])
            worker.process.kill()
            pool[index] = start()
        else:
            worker.test = None
        yield test, result


def _answer(worker: Worker) -> Result | None:
    try:
        result: Result = worker.connection.recv()
        return result
    except (EOFError, ConnectionError):
        return None


def _work(compiler: Compiler, folder: Path, connection: Connection) -> None:
    sys.path.insert(0, str(RUNTIME))
    sys.dont_write_bytecode = True
    while True:
        try:
            test = connection.recv()
        except EOFError:
            return
        connection.send(_run(compiler, test, folder))


def _run(compiler: Compiler, test: Test, folder: Path) -> Result:
    name = name_of(test)
    work = folder / "work" / name
    try:
        result = run_test(compiler, test, folder / "build" / name, work)
    except Exception:
        result = Result(["the runner cannot run it:\n" + traceback.format_exc()])
    shutil.rmtree(work, ignore_errors=True)
    return result
