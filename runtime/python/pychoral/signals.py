"""What signals do to the process of a role (PROTOCOL.md section 8).

SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGUSR2 end it in order the first time, at once the second; of
these the last three stay ignored if they were, as by `nohup`.  SIGUSR1 prints the state of its
links.  A process that the role has forked is not the role: it has the signals of any program.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Any

from . import standard
from .role import Interrupted, Role

_ENDING = (signal.SIGINT, signal.SIGTERM)
_UNLESS_IGNORED = (signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR2)


class Signals:
    """The signals of one process."""

    def __init__(self) -> None:
        self._role: Role | None = None
        self._ending = _ENDING + tuple(
            each for each in _UNLESS_IGNORED if signal.getsignal(each) != signal.SIG_IGN
        )
        self._early = 0  # a signal that came before there was a role
        self._process = os.getpid()
        self._before: dict[int, Any] = {}
        self._mask: Any = ()

    def watch(self, role: Role) -> None:
        """The role that signals are for.  Raises what has come already: a callback of Python's, as
        of its imports, may have kept the exception."""
        self._role = role
        if self._early:
            raise Interrupted(self._early)

    @contextlib.contextmanager
    def handled(self) -> Iterator[None]:
        """They are those of a role for a while."""
        self._before = {each: signal.getsignal(each) for each in (*self._ending, signal.SIGUSR1)}
        if self._before[signal.SIGUSR1] is standard.no_report:
            self._before[signal.SIGUSR1] = signal.SIG_DFL
        if standard.is_quiet:
            self._before[signal.SIGINT] = signal.default_int_handler
        os.register_at_fork(
            before=self._hold, after_in_parent=self._release, after_in_child=self._release
        )
        signal.signal(signal.SIGUSR1, self._report)
        for each in self._ending:
            signal.signal(each, self._interrupt)
        try:
            # Who started it may have blocked them.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, (*self._ending, signal.SIGUSR1))
            yield
        finally:
            if os.getpid() == self._process:
                for each in self._ending:
                    signal.signal(each, signal.SIG_DFL)
                signal.signal(signal.SIGUSR1, signal.SIG_IGN)

    def _interrupt(self, number: int, frame: object) -> None:
        if self._forked():
            os.kill(os.getpid(), number)
            return
        for each in self._ending:
            signal.signal(each, signal.SIG_DFL)
        if self._role is None:
            self._early = number
            raise Interrupted(number)
        if not self._role.interrupt(number, frame):
            raise Interrupted(number)

    def _report(self, number: int, frame: object) -> None:
        if self._forked() or self._role is None:
            return
        noted = self._role.interrupted
        if not noted:
            self._role.report_status()
        elif not self._role.interrupt(noted, frame):
            self._role.check_interrupted()

    def _hold(self) -> None:
        """A signal that comes while a process forks waits until the child has its own handlers."""
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, (*self._ending, signal.SIGUSR1))

    def _release(self) -> None:
        self._forked()
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def _forked(self) -> bool:
        """Whether this is a child; if so, its signals are what they were before."""
        if os.getpid() == self._process:
            return False
        before, self._before = self._before, {}
        for each, handler in before.items():
            if signal.getsignal(each) in (self._interrupt, self._report):
                signal.signal(each, handler)
        if self._role is not None:
            self._role.forked()
        return True
