"""The descriptors and threads that a role needs, had before anything is opened (as room.c)."""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from .errors import EXIT_PEER_LOST, ChannelError

_USUAL = 1024  # the soft limit that systems give
_THREADS = 4  # two of libzmq, the handler of keys, the keeper
_STACK = 8 << 20  # of one, at most
_NO_THREAD = "not enough memory or processes"
_ENDING_S = 1.0
_RESERVE = 4 << 20  # bytes of address space, and four times a message
_PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS


def make_room(needed: int) -> None:
    """Have so many descriptors free; raises ChannelError, as libzmq would abort the process.

    The soft limit is raised to the hard one if need be, and is the usual one in children, as
    programs with `select` live with no more.
    """
    count = _count_free(needed)
    if count < needed and _raise_limit():
        count = _count_free(needed)
    if count < needed:
        text = f"only {count} file descriptors are left, but {needed} are needed (ulimit -n)"
        raise ChannelError(text, EXIT_PEER_LOST)


def start_thread(thread: threading.Thread, work: str, status: int) -> None:
    """Raises ChannelError if it cannot be: the thread that does this work."""
    try:
        thread.start()
    except (RuntimeError, MemoryError):
        text = f"cannot start the thread that {work}: {_NO_THREAD}"
        raise ChannelError(text, status) from None


def check_threads() -> None:
    """Whether they can be started, all at once; raises ChannelError, as libzmq would abort."""
    _share_memory()
    _check_stacks()
    before = _count_tasks()
    done = threading.Event()
    started: list[threading.Thread] = []
    try:
        while len(started) < _THREADS:
            thread = threading.Thread(target=done.wait)
            thread.start()
            started.append(thread)
    except (RuntimeError, MemoryError):
        text = f"only {len(started)} threads can be started, but {_THREADS} are needed"
        raise ChannelError(f"{text}: {_NO_THREAD}", EXIT_PEER_LOST) from None
    finally:
        done.set()
        for each in started:
            each.join()
        _await_tasks(before)


def is_limited() -> bool:
    """Whether there is a limit of addresses (ulimit -v)."""
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _share_memory() -> None:
    """Where addresses are limited, threads share one arena of malloc's: each would set 64 MiB of
    them aside."""
    if not is_limited():
        return
    import ctypes

    arena_max = -8
    with contextlib.suppress(OSError, AttributeError):  # only glibc has the knob
        ctypes.CDLL(None).mallopt(arena_max, 1)


def _check_stacks() -> None:
    """Where addresses are limited: Python waits for ever for a thread that has its stack, and then
    no memory to begin with."""
    size = resource.getrlimit(resource.RLIMIT_STACK)[0]
    size = _STACK if size == resource.RLIM_INFINITY else size
    try:
        if is_limited():
            mmap.mmap(-1, _RESERVE + _THREADS * size, _PRIVATE).close()
    except OSError:
        text = f"{_THREADS} threads cannot be started: {_NO_THREAD}"
        raise ChannelError(text, EXIT_PEER_LOST) from None


@contextlib.contextmanager
def reserve_for(frames: Sequence[Any]) -> Iterator[None]:
    """Raise MemoryError while libzmq's threads have yet what they take, as they would abort; in the
    block that is left to them."""
    size = _RESERVE + 4 * sum(map(len, frames))
    try:
        reserve = mmap.mmap(-1, size, _PRIVATE)
    except OSError:
        raise MemoryError(f"cannot allocate {size} bytes") from None
    with reserve:
        yield


def _count_tasks() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 0


def _await_tasks(count: int) -> None:
    """A thread that Python has joined may be there still, and the memory of its stack with it."""
    end = time.monotonic() + _ENDING_S
    while _count_tasks() > count and time.monotonic() < end:
        time.sleep(0.0001)


def _count_free(needed: int) -> int:
    """How many can be opened, up to those that are needed."""
    taken: list[int] = []
    with contextlib.suppress(OSError):
        while len(taken) < needed:
            taken.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    for each in taken:
        os.close(each)
    return len(taken)


def _raise_limit() -> bool:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == hard:
        return False
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    _lower_in_children((min(hard, _USUAL) if hard >= 0 else _USUAL, hard))
    return True


def _lower_in_children(limits: tuple[int, int]) -> None:
    import subprocess  # which does not fork as others do

    start: Any = subprocess.Popen._execute_child  # type: ignore[attr-defined]

    def execute(process: Any, *arguments: Any) -> None:
        start(process, *arguments)
        with contextlib.suppress(OSError):  # it has ended
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, limits)

    subprocess.Popen._execute_child = execute  # type: ignore[attr-defined]
    os.register_at_fork(
        after_in_child=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    )
