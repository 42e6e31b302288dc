"""Role: all links of one role, one lock for them, every wait, and the keeper.

PROTOCOL.md sections 6 and 8.  The program's thread calls into its links; while it computes, the
keeper thread serves them: it answers PING, acknowledges, dials anew.  Nothing waits in silence: a
wait ends by what is waited for, by a failure of its link, by a signal, or at the deadline that
`--timeout` sets, and one of ten seconds is reported.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from .alarm import Alarm
from .callers import calling_frame
from .errors import EXIT_OWN_ERROR, EXIT_PEER_LOST, EXIT_PROTOCOL, ChannelError
from .frame import DATA, SELECT
from .link import Link, Origin
from .machine import Config, Machine, Message, Sent
from .report import Reporter, Waiting
from .room import is_limited, start_thread
from .transport import Port, Transport
from .wire import Codec

if TYPE_CHECKING:
    from .durable import Durability
    from .observed import Observer

_T = TypeVar("_T")

_TICK_MS = 100  # between ticks while the program waits
_DIAL_MS = 10  # the same while there is a connection to be made
_KEEP_S = 0.5  # between ticks while it computes
_MEND_S = 0.01  # the same while a connection is to be made
FAREWELL_MS = 2_000  # for peers to come and hear why a role cannot start
_HEARSAY_MS = 1_000  # for one that another speaks of to come and say so itself
_TOLD_MS = 50  # a wait that is longer is told to those who ask
_AT_WORK = (__name__, f"{__package__}.link", f"{__package__}.journal")
_OF_MAIN = f"{__package__}.local"  # which calls `main`
_COMPUTES, _WAITS, _SENDS, _ENDED = range(4)


class Interrupted(BaseException):
    """A signal asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"interrupted by {signal.Signals(self.number).name}"


class Role:
    """One role of a run.  Its methods are for the thread that made it, but for the keeper's.

    timeout      seconds that any wait may last; None for ever
    is_superseded  a peer has said that a newer process of this role has taken over
    is_past      a peer has its ERROR: no later process of this role can go on
    interrupted  the number of a signal that came while the links were in use
    clock        the time when the machines were told it
    tick_due     when they are to be told it again
    told         is told whom the role waits for, and at which site; "" if for nobody
    """

    def __init__(
        self,
        name: str,
        transport: Transport,
        codec: Codec,
        reporter: Reporter,
        timeout: float | None = None,
        sites: Mapping[int, str] | None = None,
    ) -> None:
        self.name = name
        self.codec = codec
        self.lock = threading.Lock()
        self.thread = threading.get_ident()
        self.interrupted = 0
        self.tick_due = 0
        self.clock = 0
        self.links: dict[str, Link] = {}
        self.timeout = timeout
        self.make_machine: Callable[[Config, Port], Machine] = Machine
        self.observers: list[Observer] = []
        self.durability: Durability | None = None
        self.told: Callable[[str, int], None] = lambda peer, site: None
        self._transport = transport
        self._reporter = reporter
        self._sites = sites or {}
        self._process = os.getpid()
        self._waiting: Waiting | None = None
        self._is_told = False
        self._stop = Alarm()
        self._keeper: threading.Thread | None = None
        self._keeper_fault = ""
        self.lacking = ""  # a sentence that says what lacks for what a peer sends
        self._has_lost_disk = False
        self._mark_due = 0
        self.is_superseded = False
        self.is_past = False

    def add(self, port: Port, config: Config) -> None:
        """A link to one more peer."""
        link = self.links[config.peer] = Link(self, port, config)
        if self.durability is not None:
            self.durability.add(link.machine)

    # --- the start ---

    def open(self) -> None:
        """Meet all peers; raises ChannelError."""
        with self.lock:
            if self.durability is not None:
                self.durability.restore(self.now())
            for link in self.links.values():
                link.machine.start(self.now())
            for link in self.links.values():
                waiting = Waiting(link.peer, f"for {link.peer} to start", self.now(), 0, "")
                self._wait(link, waiting, _WAITS, lambda: self._is_met(link, waiting) or None)
            self._begin_together()
        if not self._transport.is_certain and self.links:
            self._stop.arm()
            self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)
            start_thread(self._keeper, "serves the connections", EXIT_OWN_ERROR)

    def _begin_together(self) -> None:
        """No `main` begins before the peers that must have been given the same have met theirs.

        Each tells the others so by a selection without a site.
        """
        links = [link for link in self.links.values() if link.config.agreed]
        for link in links:
            link.machine.send(self.now(), SELECT, 0, 0, ())
        for link in links:
            phrase = f"for the start signal from {link.peer}"
            waiting = Waiting(link.peer, phrase, self.now(), 0, "")
            link.check_begins(
                self._wait(link, waiting, _WAITS, lambda: link.machine.take(self.now()))
            )

    def _is_met(self, link: Link, waiting: Waiting) -> bool:
        """Whether the program may begin: a peer that has ended before need not be there, nor one
        that cannot start before it is needed.  One that was not given the same ends it at once."""
        for each in self.links.values():
            if each.disagreement is not None:
                raise self._failed(each, waiting)
        if self.now() >= self._mark_due and self.durability is None:
            self._look_for_marks()
        return link.came_up or link.machine.peer_ended or link.cannot_start()

    def _look_for_marks(self) -> None:
        """A peer at the meeting place that cannot start says there why, while it is there."""
        self._mark_due = self.now() + _TICK_MS
        for link in self.links.values():
            why = "" if link.came_up else self._transport.mark_of(link.peer)
            if why:
                link.note_cause(Origin(link.peer, "", why), self.now())

    def note_error(self, link: Link, origin: Origin) -> None:
        """A peer has said ERROR, of itself or of another, which may be awaited by this role.

        Where there are journals that is started again.
        """
        if not link.came_up:
            link.note_cause(origin, self.now())
        elif origin.role in self.links and self.durability is None:
            self.links[origin.role].note_cause(origin, self.now() + _HEARSAY_MS)

    def never_came(self, link: Link, seconds: str) -> str:
        """A sentence on a peer that is not there."""
        text = (
            f"waited {seconds} s for {link.peer} to start, but no connection to "
            f"{link.peer} was made at {link.port.address}"
        )
        trouble = self._transport.trouble(link.peer)
        if trouble:
            text += f" ({'; '.join(trouble)})"
        return (
            f"{text}; check that the program of {link.peer} runs and has the same addresses "
            f"(`pychoralc run` starts all roles)"
        )

    # --- what links ask, with the lock held ---

    def now(self) -> int:
        return self._transport.now()

    def is_alive(self, peer: str) -> bool:
        return self._transport.is_alive(peer)

    def place(self, site: int) -> str:
        """` (auth.pyc:12)`: where a communication stands; of site 0, where the code runs."""
        if site in self._sites:
            return f" ({self._sites[site]})"
        if site:
            return ""
        frame = calling_frame()
        return f" ({os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno})"

    def wait_for_message(self, link: Link, what: str, site: int) -> Message:
        place = self.place(site)
        phrase = f"for {what} from {link.peer}"
        waiting = Waiting(link.peer, phrase, self.now(), site, place)
        return self._wait(link, waiting, _WAITS, lambda: link.machine.take(self.now()))

    def wait_to_send(self, link: Link, site: int, attempt: Callable[[], Sent | None]) -> Sent:
        sent = attempt()
        if sent is not None:
            return sent
        phrase = f"for {link.peer} to take a message"
        waiting = Waiting(link.peer, phrase, self.now(), site, self.place(site))
        return self._wait(link, waiting, _SENDS, attempt)

    def _wait(
        self, link: Link, waiting: Waiting, state: int, attempt: Callable[[], _T | None]
    ) -> _T:
        """The first outcome of `attempt` that is not None."""
        self._waiting = waiting
        try:
            while True:
                outcome = attempt()
                if outcome is not None:
                    return outcome
                self._check(link, waiting, state)
                if self._transport.now() >= self.tick_due:
                    self.tick()
                if self._is_settled():
                    self._transport.wait(self._pause(waiting))
                else:
                    self._transport.wait(0)  # what else has come goes to the disk with it
                    self._settle()
        finally:
            self._waiting = None
            if self._is_told:
                self._tell(_COMPUTES, 0, "")

    def _check(self, link: Link, waiting: Waiting, state: int) -> None:
        """Raise what ends a wait; report one that is long."""
        if self.interrupted:
            self.check_interrupted()
        if link.failure is not None:
            raise self._failed(link, waiting)
        if self.lacking:
            text = self.lacking + waiting.place
            raise self._noted(ChannelError(text, EXIT_OWN_ERROR), waiting)
        if link.cannot_start():
            fault = link.never_started(waiting.phrase, waiting.place)
            raise self._noted(fault, waiting)
        self._check_alive(link)
        now = self.now()
        waited = now - waiting.since
        if self.timeout is not None and waited >= self.timeout * 1000:
            raise self._timed_out(link, waiting)
        if waited >= _TOLD_MS and not self._is_told:
            self._tell(state, waiting.site, waiting.peer)
        if now >= waiting.report_due:
            waiting.report_due = now + 60_000
            self._reporter.waits(waiting, self.status(), now)

    def _check_alive(self, link: Link) -> None:
        """A peer that has certainly ended and will not come back is not waited for."""
        machine = link.machine
        gone = link.came_up and not (link.is_up or machine.peer_ended or machine.peer_durable)
        if gone and not self.is_alive(link.peer):
            link.event("killed")

    def _failed(self, link: Link, waiting: Waiting) -> ChannelError:
        assert link.failure is not None
        text, status = link.failure
        if waiting.place or status == EXIT_PEER_LOST and link.came_up:
            text = f"waited {waiting.phrase}{waiting.place}, but {text}"
        fault = ChannelError(text, status)
        fault.origin = link.disagreement
        return self._noted(fault, waiting)

    def _timed_out(self, link: Link, waiting: Waiting) -> ChannelError:
        seconds = f"{self.timeout:g}"
        if not link.came_up:
            text = self.never_came(link, seconds)
        else:
            text = f"waited {seconds} s (--timeout) {waiting.phrase}{waiting.place}"
            text += self._reporter.of_peer(link.peer, self.status(), self.now())
        return self._noted(ChannelError(text), waiting)

    def _noted(self, fault: ChannelError, waiting: Waiting) -> ChannelError:
        self._reporter.ends(waiting, self.status(), self.now(), str(fault), fault.status)
        return fault

    def _pause(self, waiting: Waiting) -> float:
        """Seconds until something else than a message must be looked at."""
        limits = [self.tick_due - self.now(), _TICK_MS]
        if self.timeout is not None:
            limits.append(waiting.since + int(self.timeout * 1000) - self.now())
        return max(0.001, min(limits) / 1000)

    def tick(self) -> None:
        """Tell the machines the time."""
        now = self.clock = self.now()
        self._transport.feel()
        is_up = True
        for link in self.links.values():
            link.machine.tick(now)
            is_up &= link.is_up
        self.tick_due = now + (_TICK_MS if is_up else _DIAL_MS)

    def _tell(self, state: int, site: int, peer: str) -> None:
        """What PING and PONG say of this role from now on, and who else asks."""
        self._is_told = state != _COMPUTES
        self.told(peer, site)
        steps = sum(link.machine.next_seq - 1 + link.machine.read for link in self.links.values())
        for link in self.links.values():
            link.machine.progress(steps, state, site, peer)

    # --- the journal ---

    def _is_settled(self) -> bool:
        return self.durability is None or self.durability.is_settled or self._has_lost_disk

    def _settle(self) -> None:
        """What was taken is on disk; raises ChannelError, once."""
        if self.durability is None or self._is_settled():
            return
        try:
            self.durability.settle(self.now())
        except ChannelError:
            self._has_lost_disk = True
            raise

    # --- what must not happen ---

    def look_closer(self) -> None:
        """A channel is used where its link says that something is the matter."""
        if self._process != os.getpid() or threading.get_ident() != self.thread:
            raise self.wrong_thread()
        self.check_interrupted()

    def wrong_thread(self) -> ChannelError:
        if os.getpid() != self._process:
            return ChannelError(
                f"a process that {self.name} has forked uses its channels; "
                "only the process in which the role started may use them",
                EXIT_PROTOCOL,
            )
        return ChannelError(
            f"another thread of {self.name} uses its channels; only the thread that called main "
            "may use them, so that the order of messages is that of the choreography",
            EXIT_PROTOCOL,
        )

    def forked(self) -> None:
        """Called in a child process: it has the memory of the role, but is not the role."""
        self._watch_links(True)

    def interrupt(self, number: int, frame: Any) -> bool:
        """A signal has come while `frame` ran; false if it can be raised there.

        In the middle of a link's work it is only noted: a machine must not be left half way.  Every
        wait looks for it, and every call of a channel; and if neither comes, the keeper has the
        program looked at again.
        """
        while frame is not None and frame.f_globals.get("__name__") != _OF_MAIN:
            if frame.f_globals.get("__name__") in _AT_WORK:
                self.interrupted = number
                self._watch_links(True)
                return True
            frame = frame.f_back
        return False

    def check_interrupted(self) -> None:
        number, self.interrupted = self.interrupted, 0
        self._watch_links(False)
        if number:
            raise Interrupted(number)

    def _watch_links(self, closely: bool) -> None:
        """Whether links ask before each message if it may be sent or read."""
        for link in self.links.values():
            link.thread = 0 if closely else self.thread

    # --- the keeper ---

    def _keep(self) -> None:
        """Serve the links while the program computes."""
        while not self._stop.wait(_KEEP_S if self._is_quiet() else _MEND_S, self._transport.files):
            if not self.lock.acquire(timeout=_KEEP_S):
                continue  # the program is in a wait, which serves them as well
            try:
                self._serve()
            except Exception:
                self._keeper_fault = traceback.format_exc()
                return
            finally:
                self.lock.release()
            if self.interrupted:
                signal.pthread_kill(self.thread, signal.SIGUSR1)  # signals.py raises it there

    def _is_quiet(self) -> bool:
        """Whether all connections are as they should be."""
        links = self.links.values()
        return all(each.is_up or each.machine.peer_ended or each.failure for each in links)

    def _serve(self) -> None:
        if self._waiting is None:
            self._tell(_COMPUTES, 0, "")
            try:
                self._transport.wait(0)
                self._settle()
            except ChannelError as fault:
                self._fail_all(fault)
            self.tick()

    def _fail_all(self, fault: ChannelError) -> None:
        """The program learns in its next call."""
        for link in self.links.values():
            link.failure = link.failure or (str(fault), fault.status)

    # --- the end ---

    def farewell(self, failure: Origin) -> None:
        """Tell the peers why this role cannot start."""
        with self.lock:
            for link in self.links.values():
                link.machine.start(self.now())
                link.machine.error(self.now(), *failure)
            self._leave(self.links.values(), True)

    def end(self, failure: Origin | None, is_whole: bool, is_told_to: bool = False) -> None:
        """Tell all peers how this role ends, and leave when they have it (rule 11).

        Raises ChannelError if that is not confirmed, unless the role has failed anyway.
        is_whole   the program has come to its end, so it has read whatever is sent to it
        is_told_to  it was told to end, so it does not wait for peers that have not come
        """
        if os.getpid() != self._process:
            raise self.wrong_thread()
        with self.lock:
            self._tell(_ENDED, 0, "")
            fault = self._settle_last()
            if fault is not None and failure is None:
                failure = Origin(self.name, "", str(fault))
            else:
                fault = None  # the role has failed already, and says so
            if self._has_successor():
                if fault is not None:
                    raise fault
                return
            if failure is not None and is_limited():  # there may be no memory for what is sent
                for link in self.links.values():
                    link.machine.shut()
            self._say_end(failure)
            if not self._transport.is_certain:
                # After a disagreement, its journal would give it the same values again.
                is_past = self.is_past or any(each.disagreement for each in self.links.values())
                may_go_on = self.durability is not None and not is_past
                is_for_all = failure is not None and not may_go_on
                self._leave(self.links.values(), is_for_all and not is_told_to, failure)
            if failure is None:
                self._check_left(is_whole)
                if self.durability is not None:
                    self.durability.end()
            if fault is not None:
                raise fault

    def _has_successor(self) -> bool:
        """Whether another process speaks for this role: then this one has nothing to say."""
        journal = None if self.durability is None else self.durability.journal
        return self.is_superseded or (journal is not None and journal.is_superseded)

    def _settle_last(self) -> ChannelError | None:
        """As `_settle`; but peers are to be told of a failure before it ends the role."""
        try:
            self._settle()
        except ChannelError as fault:
            return fault
        return None

    def _say_end(self, failure: Origin | None) -> None:
        """To those who have not been told.  The number of a durable role's ERROR is known when the
        peer has said what it expects."""
        for link in self.links.values():
            if failure is None:
                link.machine.end(self.now(), 0)
            elif not link.machine.ended and (link.came_up or self.durability is None):
                link.machine.error(self.now(), *failure)

    def _leave(
        self, links: Iterable[Link], is_for_all: bool, failure: Origin | None = None
    ) -> None:
        """Until every link may be left: the machines set the deadline, and `--timeout`.

        is_for_all   those who have not come have a little time to hear why this role has failed
        failure      what it was, where they are told as they come
        """
        remaining = list(links)
        began = self.now()
        while remaining:
            self.tick()
            if failure is not None:
                self._say_end(failure)
            if self.interrupted:
                self.check_interrupted()
            for link in remaining:
                self._check_alive(link)
            is_early = is_for_all and self.now() - began < FAREWELL_MS
            remaining = [link for link in remaining
                         if (link.came_up or is_early) and not link.has_left()]  # fmt: skip
            if remaining and not self._may_still_wait(remaining[0], began):
                break
            if remaining:
                self._settle()
                self._transport.wait(0.02)
        self._waiting = None

    def _may_still_wait(self, link: Link, began: int) -> bool:
        """Report a wait for the last acknowledgement that is long; false at the deadline."""
        if self._waiting is None or self._waiting.peer != link.peer:
            phrase = f"for {link.peer} to confirm the last message"
            self._waiting = Waiting(link.peer, phrase, began, 0, "")
        now = self.now()
        if now >= self._waiting.report_due:
            self._waiting.report_due = now + 60_000
            self._reporter.waits(self._waiting, self.status(), now)
        return self.timeout is None or now - began < self.timeout * 1000

    def _check_left(self, is_whole: bool) -> None:
        for link in self.links.values():
            if link.cannot_start():
                continue  # nothing was needed of it
            if link.left or self._transport.is_certain:
                if is_whole:
                    self._check_all_read(link)
            elif link.left is None and link.failure is not None:
                text, status = link.failure
                if status != EXIT_PEER_LOST or not link.is_all_acknowledged():
                    text = f"{link.peer} has not confirmed the last message: {text}"
                    raise ChannelError(text, status)
            elif not link.left:
                text = f"{link.peer} has not confirmed the last message"
                raise ChannelError(text, EXIT_PEER_LOST)

    def _check_all_read(self, link: Link) -> None:
        """A message that nobody reads is a fault of the build or of the peer."""
        message = link.machine.take(self.now())
        if message is not None and message.kind in (DATA, SELECT):
            what = "a value" if message.kind == DATA else "a selection"
            text = f"{link.peer} sent {what} after the end of the choreography"
            raise ChannelError(text, EXIT_PROTOCOL)

    def close(self) -> None:
        """Let go of everything.  The keeper has gone when this returns."""
        if os.getpid() == self._process:
            self._stop.set()
            if self._keeper is not None:
                self._keeper.join()
            self._stop.close()
            self._transport.close(1.0)
            if self.durability is not None:
                self.durability.close()

    # --- for people ---

    @property
    def awaited(self) -> str:
        """The peer that the program waits for; "" if it computes."""
        return self._waiting.peer if self._waiting else ""

    def status(self) -> list[dict[str, Any]]:
        """What there is to know of each link, for reports."""
        return [self._status_of(link) for link in self.links.values()]

    def _status_of(self, link: Link) -> dict[str, Any]:
        machine = link.machine
        return {
            "peer": link.peer,
            "address": link.port.address,
            "connected": link.is_up,
            "sent": machine.next_seq - 1,
            "acknowledged": machine.acked,
            "taken": machine.expected - 1,
            "read": machine.read,
            "incarnation": machine.peer_incarnation,
            "failure": link.failure[0] if link.failure else "",
            "trouble": self._transport.trouble(link.peer),
            "pong": link.pong._asdict() if link.pong else None,
        }

    def report_status(self) -> None:
        """Print what this role waits for and how its links are (SIGUSR1)."""
        self._reporter.status(self._waiting, self.status(), self.now(), self._keeper_fault)

    def report_refusal(self, link: Link) -> None:
        """An attempt has failed for keys, and others follow."""
        patience = link.config.lost if link.came_up else link.config.connect
        option = "--lost-after" if link.came_up else "--connect-timeout"
        text = f"{link.refusal}; retrying until {patience / 1000:g} s have passed ({option})"
        self._reporter.refusal(self._waiting, self.status(), self.now(), text)

    def log_event(self, link: Link, word: str, arguments: tuple[Any, ...]) -> None:
        self._reporter.event(link.peer, word, arguments)
