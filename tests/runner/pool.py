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
from runner.execute import RUNTIME, Result, finish, run_test
from runner.marks import Test
from runner.native import Settings

CONTEXT = multiprocessing.get_context("fork")
COMPILING_SECONDS = 60


@dataclass
class Work:
    """What all workers know."""

    compiler: Compiler
    folder: Path
    in_c: Settings | None = None
    in_python: bool = True


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


def run_all(work: Work, tests: list[Test], workers: int) -> Iterator[tuple[Test, Result]]:
    """Gives every test with its result, as they end."""
    queue = list(reversed(tests))
    pool = [_start(work) for _ in range(min(workers, len(tests)))]
    try:
        while queue or any(worker.test for worker in pool):
            for worker in pool:
                if worker.test is None and queue:
                    _give(worker, queue.pop())
            yield from _collect(pool, lambda: _start(work))
    finally:
        for worker in pool:
            if worker.test:
                worker.process.kill()
            else:
                worker.connection.send(None)
        for worker in pool:
            worker.process.join()


def _start(work: Work) -> Worker:
    mine, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(target=_work, args=(work, theirs), daemon=True)
    process.start()
    theirs.close()
    return Worker(process, mine)


def _give(worker: Worker, test: Test) -> None:
    worker.test = test
    worker.deadline = time.monotonic() + 9 * test.timeout + COMPILING_SECONDS
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


def _work(work: Work, connection: Connection) -> None:
    sys.path.insert(0, str(RUNTIME))
    sys.dont_write_bytecode = True
    try:
        while test := connection.recv():
            connection.send(_run(work, test))
    except EOFError:
        pass
    finish()


def _run(work: Work, test: Test) -> Result:
    name = name_of(test)
    place = work.folder / "work" / name
    try:
        result = run_test(work.compiler, test, work.folder / "build" / name, place, work.in_c,
                          work.in_python)
    except Exception:
        result = Result(["the runner cannot run it:\n" + traceback.format_exc()])
    shutil.rmtree(place, ignore_errors=True)
    return result
