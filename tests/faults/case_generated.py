"""Faults around programs that the compiler made: what those who operate them meet."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import zmq

from crafted import END, HELLO, Listener, value
from generated import all_well, start, start_all
from stage import (
    C, C_PY, PEER_LOST, PROTOCOL, PY, PY_C, REFUSED, ROLES, Failed, Player, Stage,
)

from registry import case

ENDS = (PY, C)
WITHOUT_END = ["--count", "1000000", "--pace", "0.005"]


def printed(stage: Stage) -> tuple[str, str]:
    return stage.player("Alice").out.read_text(), stage.player("Carol").out.read_text()


# --- a stranger in a listener's place ---

@contextmanager
def stranger(address: str, with_key: bool) -> Iterator[None]:
    """A ROUTER at an address, until the end of the block."""
    context = zmq.Context()
    router = context.socket(zmq.ROUTER)
    router.linger = 0
    if with_key:
        router.curve_server, router.curve_secretkey = True, zmq.curve_keypair()[1]
    until = time.monotonic() + 5
    while True:
        try:
            router.bind(address)
            break
        except zmq.ZMQError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
    try:
        yield
    finally:
        context.destroy(0)


for _name, _with_key in (("without keys", False), ("with another key", True)):
    @case(27, f"a stranger {_name} in a restarting listener's place", "C", deadline=60, ends=ENDS,
          short=not _with_key)
    def impostor(stage: Stage, with_key: bool = _with_key) -> None:
        """A dialler tries once or twice a second; who stays for four seconds is met."""
        stage.play = "chain"
        stage.make_keys()
        options = {role: ["--journal", str(stage.path / role)] for role in ("Alice", "Bob",
                                                                            "Carol")}
        options["Alice"] += ["--count", "400", "--pace", "0.004"]
        common = ("--lost-after", "20", "--connect-timeout", "20")
        players = start_all(stage, *common, **options)
        stage.until_taken("Carol", 20)
        players[0].kill()
        stage.wait(players[0])
        with stranger(stage.address("Alice"), with_key):
            if with_key:
                stage.sleep(3)
            else:
                stage.until(lambda: "retrying until 20 s have passed" in players[1].says()
                            or players[1].poll(), "Bob meets the stranger")
                stage.sleep(1)
        stage.players.remove(players[0])
        start(stage, "Alice", *common, *options["Alice"])
        stage.wait()
        if any(each.ended is None or each.ended.status for each in stage.players):
            raise Failed(f"the run has ended{stage.complaints()}")
        alice, carol = (text.splitlines()[-1] for text in printed(stage))
        if alice != carol:
            raise Failed(f"Alice printed {alice}, Carol {carol}")


@case(27, "a stranger at a listener's place for good", "S", deadline=30, ends=ENDS)
def stays(stage: Stage) -> None:
    stage.play = "chain"
    stage.make_keys()
    with stranger(stage.address("Alice"), False):
        began = time.monotonic()
        bob = start(stage, "Bob", "--connect-timeout", "4")
        stage.until(lambda: "retrying until 4 s have passed" in bob.says(),
                    "Bob says what is there")
        stage.stopped(Bob=(REFUSED, "Alice listens at .* without keys: start it with --manifest "
                                    "and --key$"))
        if time.monotonic() - began < 3.9:
            raise Failed("Bob has not tried on")


# --- descriptors 0 to 2 ---

for _closed in ("2>&-", "1>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"):
    @case(19, f"started with {_closed}", "C", ends=ENDS, short=_closed[0] == "0")
    def closed(stage: Stage, closed: str = _closed) -> None:
        stage.play = "chain"
        late = ["--late", "1000", "--journal", str(stage.path / "journal")]
        prefix = ["sh", "-c", f'exec "$@" {closed}', "sh"]
        for role in ("Alice", "Bob"):
            start(stage, role)
        carol = start(stage, "Carol", *late, prefix=prefix)
        stage.until(lambda: stage.taken("Carol") >= 30 or carol.poll(), "Carol has read all")
        if carol.poll():
            raise Failed(f"Carol has ended{stage.complaints()}")
        for number in re.findall(r"\d", closed.replace("&", "")):
            file = os.readlink(f"/proc/{carol.pid}/fd/{number}")
            if file != "/dev/null":
                raise Failed(f"{number} of Carol is {file}")
        carol.kill()


@case(19, "no room for what was printed", "S", ends=ENDS, short=True)
def no_room(stage: Stage) -> None:
    """Of a few lines the end learns of it, of many the line that prints one."""
    stage.play = "chain"
    for role in ("Alice", "Bob"):
        start(stage, role)
    start(stage, "Carol", prefix=["sh", "-c", 'exec "$@" >/dev/full', "sh"], PYTHONUNBUFFERED="")
    stage.wait()
    carol = stage.player("Carol").ended
    if carol is None or carol.status != 1 or "its output is lost" not in carol.err:
        raise Failed(f"Carol does not say what is lost{stage.complaints()}")


# --- a disk that is full ---

@case(14, "no more room for a journal, in a generated program", "S", ends=ENDS, short=True)
def no_room_for_journal(stage: Stage) -> None:
    full_journal(stage, "--lost-after", "2", *WITHOUT_END)
    stage.stopped(Alice=(PEER_LOST, "Bob has been unreachable|Bob did"),
                  Carol=(PEER_LOST, "Bob has been unreachable|Bob did"))


@case(14, "room for a journal again, in a generated program", "C", ends=(PY, C, C_PY, PY_C),
      short=True)
def room_again(stage: Stage) -> None:
    """The role has told nobody that it failed, and goes on."""
    full_journal(stage, "--lost-after", "20", "--count", "100")
    start(stage, "Bob", "--journal", str(stage.path / "journal"), history=False)
    all_well(stage)


def full_journal(stage: Stage, *options: str) -> None:
    """Bob's journal may have 4,000 bytes: he stops."""
    stage.play = "chain"
    start(stage, "Alice", *options, history=False)
    start(stage, "Carol", *options[:2], history=False)
    bob = start(stage, "Bob", "--journal", str(stage.path / "journal"), history=False,
                prefix=["prlimit", "--fsize=4000"])
    stage.wait(bob)
    said = r"\ABob: the journal .* cannot grow: File too large\n\Z"
    if bob.ended is None or bob.ended.status != PEER_LOST or not re.match(said, bob.ended.err):
        raise Failed(f"Bob does not say why{stage.complaints()}")
    stage.players.remove(bob)


# --- the end ---

def left_at(player: Player) -> float:
    """When its last link had left, by what it said."""
    lines = [json.loads(line) for line in player.err.read_text().splitlines() if line[:1] == "{"]
    times = [line["time"] for line in lines if line["event"] == "link" and ": left" in line["text"]]
    return datetime.fromisoformat(max(times).replace("Z", "+00:00")).timestamp()


@case(36, "nothing is waited for when all links have left", "C", deadline=150, ends=ENDS)
def lingers(stage: Stage) -> None:
    """In many runs, fewer on a busy machine, hardly one is there for the second that libzmq waits
    for a peer that has gone."""
    stage.play = "chain"
    long: list[str] = []
    for _ in range(60 if stage.ends is C else 12):
        if stage.left() < 60:
            break
        players = start_all(stage, "--log-level", "debug", "--log-json", "-", history=False)
        ends: dict[str, float] = {}
        while len(ends) < len(players) and stage.left() > 0:
            for each in players:
                if each.name not in ends and each.poll():
                    ends[each.name] = time.time()
            time.sleep(0.002)
        for each in players:
            stayed = ends[each.name] - left_at(each)
            if stayed > 0.9:
                long.append(f"{each.name} stayed for {stayed:.2f} s")
        stage.wait()
        stage.players.clear()
    if len(long) > 2:
        raise Failed("; ".join(long))


def stay(stage: Stage) -> float:
    """How long Bob is there when his last link has left. Alice, hand-made, has acknowledged what
    libzmq still holds, because the peer does not read it; libzmq would keep it for a second."""
    with Listener("Alice", "Bob", "push") as alice:
        alice.open(zmq.ROUTER)
        alice.socket.rcvbuf, alice.socket.rcvhwm = 4096, 1
        alice.socket.bind(stage.address("Alice"))
        bob = start(stage, "Bob", "--lost-after", "9", history=False)
        hello = alice.wait_for(HELLO)
        if hello is None:
            raise Failed(f"no greeting{stage.complaints()}")
        alice.hash = hello.body[4:36]
        alice.answer(hello)
        alice.data(value(7), site=2)
        stage.until(bob.says, "Bob has the number, which he prints when he has sent all")
        stage.sleep(1)                  # his END, too: more must not be acknowledged than he sent
        alice.send(alice.frame(END, b"\0\0", seq=2, ack=36))
        began = time.monotonic()
        stage.wait(bob)
        return time.monotonic() - began


@case(36, "nothing is waited for that the peer has acknowledged", "C", ends=ENDS, short=True)
def goes_at_once(stage: Stage) -> None:
    """A busy machine can make one run as long as if it waited, but not each."""
    stage.play = "push"
    stays = [stay(stage)]
    while min(stays) > 0.9 and len(stays) < 4:
        stays.append(stay(stage))
    if min(stays) > 0.9:
        raise Failed(f"Bob stayed for {min(stays):.2f} s and more{stage.complaints()}")
    stage.carried_on()


# --- descriptors, and who cannot start ---

STARVED = ["prlimit", "--nofile=40:40"]
WAITS = ("--connect-timeout", "25")


def stopped_soon(stage: Stage, began: float, *players: Player) -> None:
    stage.wait(*players)
    seconds = time.monotonic() - began
    if seconds > 15:                    # and not the patience of those who wait for a peer
        raise Failed(f"the peers stopped after {seconds:.0f} s{stage.complaints()}")


@case(35, "40 descriptors for each of twenty roles", "S", deadline=150, ends=ENDS)
def twenty_starved(stage: Stage) -> None:
    stage.play = "many"
    for role in ROLES["many"]:
        start(stage, role, "--connect-timeout", "60", history=False, plain=True, prefix=STARVED)
    stage.wait()
    for each in stage.players:
        assert each.ended is not None
        lines = [line for line in each.ended.err.splitlines() if "has been waiting" not in line]
        if each.ended.status != PEER_LOST or len(lines) != 1 or "descriptors are" not in lines[0]:
            raise Failed(f"{each.name}{stage.complaints()}")


@case(35, "a soft limit that is too low for twenty roles", "C", deadline=150, ends=ENDS)
def twenty_raised(stage: Stage) -> None:
    stage.play = "many"
    for role in ROLES["many"]:
        start(stage, role, "--connect-timeout", "60", history=False, plain=True,
              prefix=["prlimit", "--nofile=40:4000"])
    stage.carried_on()


for _limit in (12, 16, 20):
    @case(35, f"{_limit} descriptors for one of three", "S", deadline=40, ends=ENDS,
          short=_limit == 20)
    def starved(stage: Stage, limit: int = _limit) -> None:
        stage.play = "chain"
        stage.make_keys()
        others = [start(stage, role, *WAITS, history=False) for role in ("Alice", "Carol")]
        stage.sleep(1.5)
        began = time.monotonic()
        start(stage, "Bob", *WAITS, history=False, prefix=["prlimit", f"--nofile={limit}:{limit}"])
        stage.wait(stage.player("Bob"))
        told = r"\ABob: only \d+ file descriptors are left, but 21 are needed"
        stage.stopped(Bob=(PEER_LOST, told))
        if limit > 14:                  # of fewer libzmq cannot make a socket
            stopped_soon(stage, began, *others)
            stage.stopped(Alice=(PEER_LOST, "descriptors are left"),
                          Carol=(PEER_LOST, "Bob stopped: .* descriptors are left"))


@case(35, "few descriptors for one of three, whose peers have journals", "C", deadline=60,
      ends=ENDS)
def starved_and_awaited(stage: Stage) -> None:
    """They wait for it to be started again."""
    stage.play = "chain"
    stage.make_keys()
    for role in ("Alice", "Carol"):
        start(stage, role, *WAITS, "--journal", str(stage.path / role), history=False)
    stage.sleep(1.5)
    starved = start(stage, "Bob", *WAITS, history=False, prefix=["prlimit", "--nofile=20:20"])
    stage.wait(starved)
    if starved.ended is None or starved.ended.status != PEER_LOST:
        raise Failed(f"Bob has started{stage.complaints()}")
    stage.players.remove(starved)
    start(stage, "Bob", *WAITS, history=False)
    all_well(stage)


@case(35, "few descriptors for one of three, in the private directory", "S", deadline=40,
      ends=ENDS, short=True)
def starved_here(stage: Stage) -> None:
    stage.play = "chain"
    others = [start(stage, role, *WAITS, history=False, plain=True) for role in ("Alice", "Carol")]
    stage.sleep(1.5)
    began = time.monotonic()
    start(stage, "Bob", *WAITS, history=False, plain=True, prefix=["prlimit", "--nofile=12"])
    stopped_soon(stage, began, *others)
    stage.stopped(Bob=(PEER_LOST, "descriptors are left"),
                  Alice=(PEER_LOST, "descriptors are left"),
                  Carol=(PEER_LOST, "descriptors are left"))


@case(35, "a port that another program has", "S", deadline=40, ends=ENDS, short=True)
def port_of_another(stage: Stage) -> None:
    """Bob, for whom Carol looks in vain, tells Alice, whom he dials; she tells Carol."""
    stage.play = "chain"
    stage.make_keys()
    with socket.create_server(("127.0.0.1", int(stage.address("Bob").rpartition(":")[2]))):
        others = [start(stage, role, *WAITS, history=False) for role in ("Alice", "Carol")]
        stage.sleep(1.5)
        began = time.monotonic()
        start(stage, "Bob", *WAITS, history=False)
        stopped_soon(stage, began, *others)
    stage.stopped(Bob=(2, "cannot listen at"), Alice=(PEER_LOST, "Bob stopped: cannot listen at"),
                  Carol=(PEER_LOST, "Bob stopped: cannot listen at"))


@case(35, "a port that another program has, where nobody is dialled", "S", ends=ENDS, short=True)
def port_of_another_alone(stage: Stage) -> None:
    """Alice can tell nobody, and does not stay for the two seconds in which others are told."""
    stage.play = "chain"
    stayed = []
    with socket.create_server(("127.0.0.1", int(stage.address("Alice").rpartition(":")[2]))):
        while len(stayed) < 6 and min(stayed, default=9.0) > 1.9:
            began = time.monotonic()
            stage.wait(start(stage, "Alice", history=False))
            stayed.append(time.monotonic() - began)
    stage.stopped(Alice=(2, "cannot listen at"))
    if min(stayed) > 1.9:
        raise Failed(f"Alice stayed for {stayed}")


@case(35, "a wrong option tells nobody", "C", deadline=40, ends=ENDS)
def mistyped(stage: Stage) -> None:
    stage.play = "chain"
    stage.make_keys()
    for role in ("Alice", "Carol"):
        start(stage, role)
    for wrong in (["--timeout", "x"], ["--trace", "x.text"], ["--history", "/nowhere/x"]):
        stage.wait(start(stage, "Bob", *wrong, name="wrong", history=False))
        stage.players.pop()
    start(stage, "Bob")
    all_well(stage)


# --- signals ---

for _number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR2, signal.SIGTERM):
    @case(31, f"{_number.name} at a generated program", "S", deadline=40, ends=ENDS,
          short=_number == signal.SIGHUP)
    def signalled(stage: Stage, number: signal.Signals = _number) -> None:
        stage.play = "chain"
        start_all(stage, *WAITS, Alice=WITHOUT_END)
        stage.until_taken("Carol", 10)
        stage.player("Bob").signal(number)
        said = f"interrupted by {number.name}"
        stage.stopped(Bob=(128 + number, said), Alice=(PEER_LOST, said), Carol=(PEER_LOST, said))


@case(31, "SIGHUP at a program that `nohup` has started", "C", ends=ENDS, short=True)
def without_hangup(stage: Stage) -> None:
    stage.play = "chain"
    prefix = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh"]
    for role in ("Alice", "Carol"):
        start(stage, role, *(("--count", "100", "--pace", "0.02") if role == "Alice" else ()))
    start(stage, "Bob", prefix=prefix)
    stage.until_taken("Bob", 10)
    stage.player("Bob").signal(signal.SIGHUP)
    all_well(stage)


@case(31, "a signal while a program imports", "S", ends=(PY,))
def while_importing(stage: Stage) -> None:
    """However early: it ends by the signal or says so, and shows no traceback."""
    stage.play = "chain"
    for turn in range(12):
        bob = start(stage, "Bob", history=False)
        maps = f"/proc/{bob.pid}/maps"
        stage.until(lambda: "zmq" in open(maps).read() or bob.poll(), "Bob imports zmq")
        stage.sleep(turn * 0.01)
        bob.signal(signal.SIGINT)
        stage.wait(bob)
        assert bob.ended is not None
        if bob.ended.status not in (-signal.SIGINT, 130) or "Traceback" in bob.ended.err:
            raise Failed(f"turn {turn}{stage.complaints()}")


@case(31, "SIGUSR1 while a program imports", "C", ends=(PY,), short=True)
def report_while_importing(stage: Stage) -> None:
    """There is no link to report: the program goes on."""
    stage.play = "chain"
    for role in ("Alice", "Carol"):
        start(stage, role)
    bob = start(stage, "Bob")
    maps = f"/proc/{bob.pid}/maps"
    stage.until(lambda: "zmq" in open(maps).read() or bob.poll(), "Bob imports zmq")
    bob.signal(signal.SIGUSR1)
    all_well(stage)


# --- a second process of a role ---

@case(24, "a second process of each role, in the midst of a run", "C", deadline=60, ends=ENDS)
def second_of_each(stage: Stage) -> None:
    """The second ones end (77, or 2 for an address that is taken), and nothing else changes."""
    stage.play = "chain"
    stage.make_keys()
    start_all(stage, *WAITS, Alice=["--count", "2000", "--pace", "0.01"])
    players = list(stage.players)
    stage.until_taken("Carol", 20)
    for role, said in (("Carol", "Carol of this run is already connected"),
                       ("Bob", "cannot listen at"), ("Alice", "cannot listen at")):
        second = start(stage, role, *WAITS, name=f"second{role}", history=False)
        stage.wait(second)
        assert second.ended is not None
        if second.ended.status not in (2, REFUSED) or said not in second.ended.err:
            raise Failed(f"the second {role}{stage.complaints()}")
        stage.players.remove(second)
    stage.players = players
    all_well(stage)


@case(24, "a second process of each role, over ipc", "C", deadline=60, ends=ENDS)
def second_over_ipc(stage: Stage) -> None:
    """The path of a listener that lives is not taken."""
    stage.scheme = "ipc"
    second_of_each(stage)


@case(11, "in the midst of a run, with a connection that nobody has seen end", "S", deadline=60,
      ends=ENDS)
def restarted_unseen(stage: Stage) -> None:
    """The old process is stopped, so it does not say that it is there: both are told."""
    stage.play = "chain"
    stage.make_keys()
    start_all(stage, *WAITS, Alice=WITHOUT_END)
    stage.until_taken("Carol", 40)
    stage.sleep(0.5)                    # of what is not acknowledged nothing is lost
    old = stage.player("Carol")
    old.signal(signal.SIGSTOP)
    start(stage, "Carol", *WAITS, name="again", history=False)
    others = [stage.player(name) for name in ("Alice", "Bob", "again")]
    stage.wait(*others)
    old.kill()
    stage.stopped(Alice=(PEER_LOST, "lost its state|Bob stopped|Carol stopped"),
                  Bob=(PEER_LOST, "Carol has lost its state|Alice did|Alice stopped"),
                  again=(PEER_LOST, "lost its state"))


# --- a role with a journal that has stopped, and starts again ---

def halted(stage: Stage, role: str, absent: str, *, pause: float = 0, forgets: bool = False,
           is_first: bool = False) -> None:
    """`absent` has been killed when `role` is stopped, which so is heard by its other peer only.
    That one has dropped what it owes the role: started again, the role cannot go on. `forgets`:
    nor if who has heard it is killed too, and has it from its journal. `is_first`: it is started
    before `absent`, which hears of it all the same."""
    stage.play = "chain"
    stage.make_keys()
    patient = ("--lost-after", "40", "--connect-timeout", "40")
    options = {each: ["--journal", str(stage.path / each), *patient] for each in ROLES["chain"]}
    options["Alice"] += WITHOUT_END
    players = {each: start(stage, each, *own, history=False) for each, own in options.items()}
    journal = stage.path / "Carol"
    stage.until(lambda: journal.exists() and journal.stat().st_size > 4000, "Carol has numbers")
    players[absent].kill()
    stage.wait(players[absent])
    players[role].signal(signal.SIGTERM)
    stage.wait(players[role])
    if players[role].ended is None or players[role].ended.status != 128 + signal.SIGTERM:
        raise Failed(f"{role} has ended otherwise{stage.complaints()}")
    stage.players = [each for each in stage.players if each.name not in (absent, role)]
    (heard,) = stage.players
    stage.sleep(pause)
    if forgets:
        heard.kill()
        stage.wait(heard)
        stage.players.clear()
    began = time.monotonic()
    names = [absent, role, *([heard.name] if forgets else ())]
    for each in reversed(names) if is_first else names:
        start(stage, each, *options[each], history=False)
        stage.sleep(0.8 * is_first)
    stopped_soon(stage, began, *stage.players)
    said = f"it told {heard.name} that it stopped: .*interrupted by SIGTERM"
    stage.stopped(**{role: (PEER_LOST, f"{role} cannot continue: {said}"),
                     absent: (PEER_LOST, f"{role}.* cannot continue: {said}"),
                     heard.name: (PEER_LOST, f"{role}|{absent}")})


for _role, _absent in (("Carol", "Alice"), ("Alice", "Bob")):
    @case(12, f"{_role} stops, which only one of two hears", "S", deadline=80,
          ends=(PY, C, C_PY, PY_C), short=_role == "Carol")
    def stopped_and_started(stage: Stage, role: str = _role, absent: str = _absent) -> None:
        """Carol is dialled by nobody; Alice dials nobody."""
        halted(stage, role, absent)


for _role, _absent in (("Carol", "Alice"), ("Alice", "Bob")):
    @case(12, f"{_role} stops, and who hears it is killed", "S", deadline=80, ends=(PY, C))
    def all_started_again(stage: Stage, role: str = _role, absent: str = _absent) -> None:
        halted(stage, role, absent, forgets=True)


@case(12, "Carol stops, and starts before Alice does", "S", deadline=80, ends=(PY, C))
def started_first(stage: Stage) -> None:
    halted(stage, "Carol", "Alice", is_first=True)


@case(12, "Alice stops and starts later", "S", deadline=90, ends=(PY, C))
def started_later(stage: Stage) -> None:
    """Who dials her does so as long as there is something to tell."""
    halted(stage, "Alice", "Bob", pause=7)


# --- memory ---

BOUND = ("--max-decoded", str(16 << 20))


@case(18, "a value that takes more memory than the sender may send", "S", ends=ENDS, short=True)
def too_dear_to_send(stage: Stage) -> None:
    stage.play = "chain"
    start_all(stage, Alice=["--size", str(17 << 20), *BOUND], Bob=list(BOUND), Carol=list(BOUND))
    said = r"more than 16777216 bytes in memory \(--max-decoded\); send it in parts \(chain.pyc:"
    stage.stopped(Alice=(1, said), Bob=(PEER_LOST, r"Alice stopped: .*NotSendable"),
                  Carol=(PEER_LOST, r"because Alice stopped: .*NotSendable"))


@case(30, "a value that takes more memory than the receiver takes", "S", ends=ENDS, short=True)
def too_dear_to_take(stage: Stage) -> None:
    stage.play = "chain"
    start_all(stage, Alice=["--size", str(17 << 20)], Carol=list(BOUND))
    said = (r"expected a value of at most 16777216 bytes in memory \(--max-decoded\), "
            r"but received a larger one from Bob \(chain.pyc:")
    stage.stopped(Carol=(PROTOCOL, said), Alice=(PEER_LOST, "Carol"), Bob=(PEER_LOST, "Carol"))


@case(30, "just as much as the receiver takes", "C", ends=ENDS)
def just_enough(stage: Stage) -> None:
    """A tuple of an int and bytes costs 136 and the bytes."""
    stage.play = "chain"
    start_all(stage, Alice=["--count", "2", "--size", str((16 << 20) - 136), *BOUND],
              Bob=list(BOUND), Carol=list(BOUND))
    all_well(stage)


# What lacks: threads, or memory for what is received or sent; with the most of them, nothing now.
for _ends, _megabytes in [*((PY, each) for each in (40, 80, 90, 100, 200)),
                          *((C, each) for each in (40, 46, 50, 56, 60))]:
    @case(18, f"{_megabytes} MB of addresses for one of three", "C or S", deadline=60,
          ends=(_ends,), short=_megabytes in (60, 80))
    def little_memory(stage: Stage, megabytes: int = _megabytes) -> None:
        """What does not fit is said, by a sentence of the role's; nobody gets half a message."""
        stage.play = "chain"
        stage.make_keys()
        options = ("--connect-timeout", "15")
        start(stage, "Alice", *options, "--count", "40", "--size", "3000000", history=False)
        start(stage, "Carol", *options, history=False)
        start(stage, "Bob", *options, history=False, prefix=["prlimit", f"--as={megabytes << 20}"])
        stage.wait()
        statuses = {each.name: each.ended.status for each in stage.players if each.ended}
        bob = stage.player("Bob").ended
        if bob is None or bob.status < 0 or PROTOCOL in statuses.values():
            raise Failed(f"{statuses}{stage.complaints()}")
        said = re.search("memory|threads|allocate", bob.err) and "Traceback" not in bob.err
        if bob.status and not said:
            raise Failed(f"Bob does not say what lacks{stage.complaints()}")
        if bob.status == 1 and not all("stopped" in each.says() for each in stage.players[:2]):
            raise Failed(f"the peers do not hear why Bob has stopped{stage.complaints()}")


def limited(stage: Stage, role: str, megabytes: dict[str, int]) -> list[str]:
    return ["prlimit", f"--as={megabytes[stage.ends.of(role)] << 20}"]


for _starved, _other, _option in (("Bob", "Alice", "--there"), ("Alice", "Bob", "--back")):
    @case(18, f"no memory for a message that comes to {_starved}", "S", deadline=40, ends=ENDS,
          short=True)
    def no_memory_to_receive(stage: Stage, starved: str = _starved, other: str = _other,
                             option: str = _option) -> None:
        """libzmq ends the connection without a word. The one who dials has to tell the other over
        one on which that would send the same again."""
        stage.play = "large"
        start(stage, other, option, "30000000", history=False)
        start(stage, starved, history=False,
              prefix=limited(stage, starved, {"c": 50, "py": 80}))
        stage.wait()
        said = f"memory is exhausted, it seems: .* message from {other} was received"
        stage.stopped(**{starved: (1, rf"{said} .*\(large.pyc:\d+\)"),
                         other: (PEER_LOST, f"{starved} stopped: {said}")})


def starved_of_memory(stage: Stage, megabytes: int) -> None:
    start(stage, "Alice", history=False)
    start(stage, "Bob", history=False, prefix=["prlimit", f"--as={megabytes << 20}"])
    stage.wait()


@case(18, "no memory is left while C makes what it keeps of a value", "S", ends=(C,), short=True)
def no_memory_to_keep(stage: Stage) -> None:
    """By small pieces, so that there is nothing left to say it with but what was put aside."""
    stage.play = "kept"
    for megabytes in (210, 230, 250):
        starved_of_memory(stage, megabytes)
        stage.stopped(Bob=(1, r"\ABob: memory is exhausted\n\Z"),
                      Alice=(PEER_LOST, "Bob stopped: memory is exhausted"))
        stage.players.clear()


@case(18, "no memory is left in a role's own code", "S", ends=ENDS, short=True)
def no_memory_to_compute(stage: Stage) -> None:
    stage.play = "hoard"
    starved_of_memory(stage, 200)
    stage.stopped(Bob=(1, "memory is exhausted|MemoryError"),
                  Alice=(PEER_LOST, "Bob stopped: (memory is exhausted|MemoryError)"))
