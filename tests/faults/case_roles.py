"""Faults of the roles themselves: killed, frozen, stuck, raising, slow, too big (10 to 22, 31, 32,
38, 39)."""

from __future__ import annotations

import random
import signal
import time

from proxy import Proxy
from stage import C, C_PY, PEER_LOST, PROTOCOL, PY, PY_C, REFUSED, Failed, Player, Stage

from registry import case

ALL = (PY, C, C_PY, PY_C)
ENDLESS = ("--count", "1000000", "--pace", "1")


def trio(stage: Stage, *options: str, **each: list[str]) -> tuple[Player, Player, Player]:
    """Three roles in the middle of a stream without end."""
    stage.play = "trio"
    each["Alice"] = [*ENDLESS, *each.get("Alice", [])]
    alice, bob, carol = stage.start_all(*options, **each)
    stage.until_taken("Carol")
    return alice, bob, carol


# --- 10, 11: killed ---

for _victim in ("Alice", "Bob", "Carol"):
    @case(10, f"{_victim} of three", "S", ends=(PY, C), short=_victim == "Bob")
    def killed(stage: Stage, victim: str = _victim) -> None:
        players = trio(stage, "--lost-after", "1")
        stage.player(victim).signal(signal.SIGKILL)
        stage.stopped(**{
            each.name: (PEER_LOST, victim, r"trio\.pyc:")
            for each in players if each.name != victim})


@case(10, "the only peer, ipc", "S", ends=(PY, C))
def killed_ipc(stage: Stage) -> None:
    stage.scheme = "ipc"
    stage.start_all("--lost-after", "1", Alice=ENDLESS)
    stage.until_taken("Bob")
    stage.player("Bob").signal(signal.SIGKILL)
    stage.stopped(Alice=(PEER_LOST, "Bob", r"stream\.pyc:"))


for _victim, _other in (("Bob", "Alice"), ("Alice", "Bob")):
    @case(11, f"{_victim} of two", "S", ends=ALL, short=_victim == "Bob")
    def restarted(stage: Stage, victim: str = _victim, other: str = _other) -> None:
        options = ["--lost-after", "5"]
        stage.start_all(*options, Alice=ENDLESS)
        stage.until_taken("Bob")
        stage.sleep(0.2)
        stage.player(victim).kill()
        stage.wait(stage.player(victim))
        again = stage.start(victim, *options, *(ENDLESS if victim == "Alice" else ()),
                            name=f"{victim} again", history=False)
        stage.wait()
        stage.stopped(**{other: (PEER_LOST, "state|lost its place|restarted", r"stream\.pyc:")})
        if again.ended is None or again.ended.status not in (PEER_LOST, REFUSED):
            raise Failed(f"the restarted role went on{stage.complaints()}")


# --- 16, 17: frozen, stuck ---

@case(16, "for 1.5 s", "C", ends=(PY, C), short=True)
def frozen_briefly(stage: Stage) -> None:
    freeze(stage, 1.5)


@case(16, "for longer than heartbeats, shorter than a peer may be lost", "C", deadline=40,
      ends=ALL)
def frozen_long(stage: Stage) -> None:
    freeze(stage, 6.0)


def freeze(stage: Stage, seconds: float) -> None:
    stop = stage.path / "stop"
    for victim in ("Bob", "Alice"):
        with Stage(stage.left(), stage.ends, stage.programs) as again:
            stop = again.path / "stop"
            again.start_all(Alice=["--until", str(stop), "--pace", "1"])
            again.until_taken("Bob")
            again.player(victim).signal(signal.SIGSTOP)
            again.sleep(seconds)
            again.player(victim).signal(signal.SIGCONT)
            again.sleep(0.5)
            stop.touch()
            again.carried_on()


for _victim in ("Alice", "Bob", "Carol"):
    @case(16, f"{_victim} of three, for good", "S", deadline=40, ends=(PY, C))
    def frozen(stage: Stage, victim: str = _victim) -> None:
        players = trio(stage, "--lost-after", "2")
        stage.player(victim).signal(signal.SIGSTOP)
        others = [each for each in players if each.name != victim]
        stage.wait(*others)
        stage.player(victim).signal(signal.SIGCONT)
        stage.stopped(**{each.name: (PEER_LOST, victim, r"trio\.pyc:") for each in others})


for _act in ("sleep", "spin"):
    @case(17, f"{_act}, others have --timeout 2", "S", ends=(PY, C))
    def stuck(stage: Stage, act: str = _act) -> None:
        stage.play = "wait"
        stage.start("Bob", "--act", act)
        stage.start("Alice", "--timeout", "2")
        stage.start("Carol", "--timeout", "2")
        stage.wait(stage.player("Alice"), stage.player("Carol"))
        stage.player("Bob").signal(signal.SIGTERM)
        stage.stopped(Alice=(PEER_LOST, "Bob", r"wait\.pyc:10"),
                      Carol=(PEER_LOST, "Alice|Bob", r"wait\.pyc:"))


@case(17, "a wait of more than 10 s is reported with its place", "C", deadline=40, ends=(PY, C))
def waiting_reported(stage: Stage) -> None:
    """Bob is stopped by nobody: he sleeps, and what the others wait for is said meanwhile."""
    stage.play = "wait"
    bob = stage.start("Bob", "--act", "sleep")
    alice, carol = stage.start("Alice"), stage.start("Carol")
    stage.until(lambda: "wait.pyc:10" in alice.says() and "Bob" in alice.says(), "said by Alice")
    stage.until(lambda: "wait.pyc:20" in carol.says() and "Alice" in carol.says(),
                "said by Carol")
    if alice.poll() or carol.poll() or bob.poll():
        raise Failed(f"somebody gave up{stage.complaints()}")
    for each in (bob, alice, carol):
        each.kill()


@case(17, "busy, and lets no other thread run, longer than --lost-after", "C", deadline=40)
def hog(stage: Stage) -> None:
    """A slow program is not a dead one: its sockets beat."""
    stage.play = "trio"
    stage.start_all("--count", "10", Alice=["--lost-after", "2"], Carol=["--lost-after", "2"],
                    Bob=["--act", "hog", "--at", "3"])
    stage.carried_on(*stage.players)


@case(17, "busy behind the last message of others", "C", deadline=40)
def hog_at_the_end(stage: Stage) -> None:
    """Who has ended waits for the acknowledgement of a peer that is busy."""
    stage.start_all("--count", "4", "--lost-after", "2", Bob=["--act", "hog", "--at", "3"])
    stage.carried_on(*stage.players)


# --- 18, 19: the role's own code ---

_CAUSES = {"raise": "the cat sat on it", "zero": "ZeroDivisionError|division",
           "memory": "MemoryError|memory"}
for _act, _cause in _CAUSES.items():
    for _role in ("Alice", "Bob", "Carol") if _act == "raise" else ("Bob",):
        @case(18, f"{_act}, {_role} of three", "S", ends=(PY, C) if _act == "raise" else (PY,),
              short=_act == "raise" and _role == "Bob")
        def raises(stage: Stage, act: str = _act, cause: str = _cause, role: str = _role) -> None:
            players = trio(stage, **{role: ["--act", act, "--at", "40"]})
            wanted: dict[str, object] = {each.name: (PEER_LOST, role, cause) for each in players}
            stage.stopped(**{**wanted, role: (1, cause)})

for _act, _said in (("exit", "3|ended"), ("vanish", "Bob"), ("shut", "Bob")):
    @case(19, _act, "S", ends=(PY, C))
    def exits(stage: Stage, act: str = _act, said: str = _said) -> None:
        trio(stage, "--lost-after", "1", Bob=["--act", act, "--at", "40"])
        stage.stopped(Alice=(PEER_LOST, "Bob", said), Carol=(PEER_LOST, "Bob", said),
                      Bob=((1, 3), ) if act == "shut" else (3, ))


# --- 20 to 22: sizes ---

@case(20, "receiver ten times slower, 100 kB messages", "C", deadline=60, heavy=True, ends=(PY, C))
def slow(stage: Stage) -> None:
    """2,000 messages of 100 kB: 200 MB in all, of which each side holds a window at most."""
    stage.start_all("--size", "100000", Alice=["--count", "2000"], Bob=["--pace", "5"])
    stage.carried_on()
    for player in stage.players:
        if player.ended and player.ended.memory > 140_000:
            raise Failed(f"{player.name} took {player.ended.memory} KiB")


@case(20, "absent receiver: the sender waits in bounded memory", "S", deadline=40, heavy=True,
      ends=(PY, C))
def absent(stage: Stage) -> None:
    stage.start("Alice", "--size", "100000", "--count", "100000", "--connect-timeout", "3")
    stage.stopped(Alice=(PEER_LOST, "Bob"))
    ended = stage.player("Alice").ended
    if ended and ended.memory > 90_000:
        raise Failed(f"Alice took {ended.memory} KiB")


@case(20, "messages of 64 MB", "C", deadline=60, heavy=True, ends=ALL)
def huge(stage: Stage) -> None:
    stage.start_all("--size", str(64 << 20), Alice=["--count", "4"])
    stage.carried_on()
    for player in stage.players:
        if player.ended and player.ended.memory > 600_000:
            raise Failed(f"{player.name} took {player.ended.memory} KiB")


@case(20, "a message that takes 8 s over a slow line", "C", deadline=60, ends=ALL)
def slow_line(stage: Stage) -> None:
    """Either way: libzmq's heartbeats count whole frames only, and would cut the connection."""
    for play in ("stream", "upstream"):
        with Stage(stage.left(), stage.ends, stage.programs) as again:
            again.play = play
            again.proxy().rate = 1_000_000.0
            again.start_all("--size", str(8 << 20), "--count", "1")
            again.carried_on()


@case(21, "1,000 messages of 8 kB each", "C", deadline=40, ends=ALL, short=True)
def both_full(stage: Stage) -> None:
    stage.play = "burst"
    stage.start_all("--count", "1000", "--size", "8000")
    stage.carried_on()


@case(21, "a window of 8 messages, full", "C", ends=ALL)
def both_full_small(stage: Stage) -> None:
    stage.play = "burst"
    stage.limits = {"window_messages": 8}
    stage.start_all("--count", "8", "--size", "100")
    stage.carried_on()


@case(21, "a message of 32 MB each", "C", deadline=40, heavy=True, ends=ALL)
def both_huge(stage: Stage) -> None:
    stage.play = "burst"
    stage.start_all("--count", "1", "--size", str(32 << 20))
    stage.carried_on()


@case(21, "small windows, while the connection is cut", "C", deadline=40, ends=ALL)
def small_window_cut(stage: Stage) -> None:
    stage.limits = {"window_messages": 32, "window_bytes": 1000}     # 20 answers must fit
    proxy = stage.proxy()
    stop = stage.path / "stop"
    stage.start_all("--size", "300", Alice=["--until", str(stop)], Bob=["--pace", "1"])
    stage.until_taken("Bob")
    for _ in range(6):
        proxy.rst()
        stage.sleep(0.2)
    stop.touch()
    stage.carried_on()


# (number, bytes): a tuple is an array of 3 with a marker of 3 bytes, the number one byte; the
# bytes have a head of 3 up to 65,535, and stand in a frame of their own (6 bytes here) from there.
for _limit, _overhead in ((10_000, 1 + 3 + 1 + 3), (200_000, 1 + 3 + 1 + 6)):
    for _more, _wanted in ((-1, "C"), (0, "C"), (1, "S")):
        @case(22, f"{_limit} bytes {_more:+}", _wanted, ends=ALL, short=_limit == 10_000)
        def at_limit(stage: Stage, size: int = _limit - _overhead + _more, limit: int = _limit,
                     wanted: str = _wanted) -> None:
            stage.limits = {"message": limit}
            stage.start_all("--size", str(size), "--count", "3")
            if wanted == "C":
                stage.carried_on()
                return
            stage.stopped(Alice=(1, "limit", r"stream\.pyc:|endpoint\.py"),
                          Bob=(PEER_LOST, "Alice"))
            if stage.taken("Bob"):
                raise Failed("the message was sent")


for _late in (0.0, 0.02, 0.04):
    @case(31, f"SIGTERM {_late} s after a message, and then own code", "S", ends=(PY, C))
    def before_own_code(stage: Stage, late: float = _late) -> None:
        """A message that comes behind the signal must not make the wait forget it."""
        stage.play = "stream"
        stage.start("Alice", "--count", "40", "--pace", "80", plain=True)
        bob = stage.start("Bob", "--count", "40", "--act", "sleep", "--at", "20", plain=True)
        stage.until(lambda: stage.taken("Bob") >= 20, "twenty messages taken")
        stage.sleep(late)
        bob.signal(signal.SIGTERM)
        stage.stopped(Bob=(128 + signal.SIGTERM, "SIGTERM"), Alice=(PEER_LOST, "SIGTERM"))



# --- 31, 32: signals, fork, threads ---

@case(31, "300 harmless signals in blocking calls", "C", ends=(PY, C), short=True)
def interrupted(stage: Stage) -> None:
    chance = random.Random(31)
    stop = stage.path / "stop"
    stage.start_all(Alice=["--until", str(stop), "--pace", "1"])
    stage.until_taken("Bob")
    for _ in range(300):
        player = stage.player(chance.choice(("Alice", "Bob")))
        player.signal(chance.choice((signal.SIGUSR1, signal.SIGWINCH, signal.SIGCHLD,
                                     signal.SIGURG, signal.SIGCONT)))
        stage.sleep(chance.uniform(0, 0.01))
    stop.touch()
    stage.carried_on()


@case(31, "stopped and continued again and again", "C", ends=(PY, C))
def hiccups(stage: Stage) -> None:
    stop = stage.path / "stop"
    stage.start_all(Alice=["--until", str(stop), "--pace", "1"])
    stage.until_taken("Bob")
    for turn in range(40):
        player = stage.player(("Alice", "Bob")[turn % 2])
        player.signal(signal.SIGSTOP)
        stage.sleep(0.02)
        player.signal(signal.SIGCONT)
        stage.sleep(0.02)
    stop.touch()
    stage.carried_on()


@case(31, "SIGUSR1 tells where a role is", "C", ends=(PY, C))
def status_asked(stage: Stage) -> None:
    stage.play = "wait"
    alice, carol = stage.start("Alice"), stage.start("Carol")
    bob = stage.start("Bob", "--act", "sleep")
    stage.until(lambda: "acts" in bob.says() or stage.ends.of("Bob") == "c", "asleep")
    stage.sleep(1.0)
    for player, awaited, place in ((alice, "Bob", "wait.pyc:10"), (carol, "Alice", "wait.pyc:20")):
        player.signal(signal.SIGUSR1)
        stage.until(lambda: place in player.says() and awaited in player.says(),  # noqa: B023
                    f"said by {player.name}")
    for each in stage.players:
        each.kill()


for _name, _number in (("SIGINT", signal.SIGINT), ("SIGTERM", signal.SIGTERM)):
    for _victim in ("Alice", "Bob"):
        @case(31, f"{_name} to {_victim} of three", "S", ends=(PY, C), short=_number == 2)
        def told_to_end(stage: Stage, number: int = _number, victim: str = _victim,
                        name: str = _name) -> None:
            players = trio(stage)
            stage.player(victim).signal(number)
            wanted: dict[str, object] = {each.name: (PEER_LOST, victim, name)
                                         for each in players}
            stage.stopped(**{**wanted, victim: ((128 + number, -number), name)})


@case(31, "SIGTERM while nobody is there yet", "S", ends=(PY, C))
def told_to_end_early(stage: Stage) -> None:
    alice = stage.start("Alice")
    stage.sleep(1.0)
    start = time.monotonic()
    alice.signal(signal.SIGTERM)
    stage.stopped(Alice=((143, -15), "SIGTERM"))
    if time.monotonic() - start > 8:
        raise Failed("it took longer than 8 s")


@case(32, "a forked child uses the channel", "S or C with a message")
def forked(stage: Stage) -> None:
    stage.start_all(Bob=["--act", "fork"])
    stage.wait()
    bob = stage.player("Bob").ended
    if bob is None or "child ended with 0" not in bob.out or "fork" not in bob.err:
        raise Failed(f"the child is not told{stage.complaints()}")
    stage.carried_on()


@case(32, "a forked child is told to end", "C", ends=(PY, C))
def forked_child_ends(stage: Stage) -> None:
    stage.start_all(Bob=["--act", "child"])
    stage.carried_on()
    if "child ended by 15" not in stage.player("Bob").says():
        raise Failed(f"the child did not end by the signal{stage.complaints()}")


@case(32, "a thread uses the channel", "S", short=True)
def threaded(stage: Stage) -> None:
    stage.start_all(Bob=["--act", "thread"])
    stage.stopped(Bob=((1, PROTOCOL), "thread"), Alice=(PEER_LOST, "Bob", "thread"))


# --- 38, 39: languages, values ---

for _play in ("stream", "upstream", "branch"):
    @case(38, f"{_play}, the packaged libzmq and pyzmq", "C", ends=ALL)
    def languages(stage: Stage, play_name: str = _play) -> None:
        stage.play = play_name
        stage.start_all("--count", "300", "--size", "3000")
        stage.carried_on()


@case(39, "each comes back as it went", "C", ends=(PY, PY_C), short=True)
def values(stage: Stage) -> None:
    stage.play = "values"
    stage.start_all()
    stage.carried_on()


@case(39, "a lone surrogate", "S", ends=(PY,))
def surrogate(stage: Stage) -> None:
    stage.play = "values"
    stage.start_all(Alice=["--act", "surrogate"])
    stage.stopped(Alice=(1, "surrogate", r"values\.pyc:|NotSendable"),
                  Bob=((0, PEER_LOST),))


# --- 34: addresses ---

@case(34, "IPv6 only", "C", ends=ALL, short=True)
def ipv6(stage: Stage) -> None:
    stage.scheme = "ipv6"
    proxy: Proxy = stage.proxy()
    stop = stage.path / "stop"
    stage.start_all(Alice=["--until", str(stop), "--pace", "1"])
    stage.until_taken("Bob")
    proxy.rst()
    stage.sleep(0.3)
    stop.touch()
    stage.carried_on()
