"""Faults that only durable roles survive: killed and started again from a journal (12 to 15)."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator

from stage import C, C_PY, PEER_LOST, PROTOCOL, PY, PY_C, REFUSED, Failed, Player, Stage

from registry import case

ALL = (PY, C, C_PY, PY_C)
COUNT = 30


def durable(stage: Stage, role: str, *options: str, turn: int = 0, **environment: str) -> Player:
    """A role with its journal; each of its processes has a name of its own."""
    return stage.start(role, "--journal", str(stage.path / f"{role}.journal"), *options,
                       name=f"{role}{turn:02}", **environment)


def killed_by_itself(stage: Stage, role: str, turn: int, *options: str) -> Player:
    """A process that kills itself at its message `turn`; each later one gets that far again."""
    player = durable(stage, role, *options, turn=turn, FAULTS_ACT=f"kill {turn}")
    stage.wait(player)
    if player.ended and player.ended.status != -signal.SIGKILL:
        raise Failed(f"{role} ended with {player.ended.status} and not at message {turn}"
                     + stage.complaints())
    return player


# --- 12, 13: killed and started again ---

for _victim, _play in (("Bob", "stream"), ("Alice", "stream"), ("Bob", "upstream"),
                       ("Alice", "upstream"), ("Alice", "dice"), ("Bob", "dice")):
    @case(12, f"{_victim} at every message, {_play}", "C", deadline=90,
          ends=(PY,) if _play == "dice" else ALL)
    def at_every_message(stage: Stage, victim: str = _victim, play: str = _play) -> None:
        """Python starts slowly: there, each case has other places, and one has all.

        A life may be too short for its peer to notice that there was one, so that waits long."""
        stage.play = play
        other = "Bob" if victim == "Alice" else "Alice"
        options = ["--count", str(COUNT), "--size", "50", "--lost-after", "80",
                   "--connect-timeout", "80"]
        peer = durable(stage, other, *options)
        has_all = stage.ends is PY and (victim, play) == ("Bob", "stream")
        is_slow = stage.ends.of(victim) == "py" and not has_all
        first = (len(stage.ends.name) + len(play) + len(victim)) % 4
        for turn in range(first, COUNT, 4) if is_slow else range(COUNT):
            killed_by_itself(stage, victim, turn, *options)
        stage.carried_on(peer, durable(stage, victim, *options, turn=COUNT))


@case(12, "effects at each message, a window of 4", "C", deadline=60)
def small_window(stage: Stage) -> None:
    """What effects force to disk lets more come as well."""
    stage.play = "dice"
    stage.limits = {"window_messages": 4}
    options = ["--count", str(COUNT)]
    peer = durable(stage, "Bob", *options)
    for turn in range(0, COUNT, 7):
        killed_by_itself(stage, "Alice", turn, *options)
    stage.carried_on(peer, durable(stage, "Alice", *options, turn=COUNT))


@case(12, "the listener away for 3 s behind a proxy that still accepts, CURVE", "C", ends=ALL)
def away(stage: Stage) -> None:
    """Whoever dials meets a handshake that fails, again and again: that is not a wrong key."""
    stage.make_keys()
    stage.proxy()
    options = ["--count", "400", "--pace", "2"]
    bob = durable(stage, "Bob", *options)
    alice = durable(stage, "Alice", *options)
    stage.until_taken("Bob00")
    alice.kill()
    stage.sleep(3.0)
    stage.carried_on(bob, durable(stage, "Alice", *options, turn=1))


@case(8, "3 s late behind a proxy that accepts, CURVE", "C", ends=ALL)
def late_behind_proxy(stage: Stage) -> None:
    stage.make_keys()
    stage.proxy()
    stage.start("Bob")
    stage.sleep(3.0)
    stage.start("Alice")
    stage.carried_on()


@case(12, "Bob of three, at random moments", "C", deadline=60, ends=(PY, C))
def at_random(stage: Stage) -> None:
    stage.play = "trio"
    chance = random.Random(12)
    options = ["--count", "2000", "--pace", "1"]
    alice = durable(stage, "Alice", *options)
    carol = durable(stage, "Carol")
    bob = durable(stage, "Bob")
    for turn in range(1, 12):
        stage.sleep(chance.uniform(0.05, 0.7))
        bob.kill()
        stage.wait(bob)
        bob = durable(stage, "Bob", turn=turn)
    stage.carried_on(alice, bob, carol)


@case(12, "large messages", "C", deadline=60, ends=(PY, C))
def large(stage: Stage) -> None:
    options = ["--count", "12", "--size", "300000"]
    alice = durable(stage, "Alice", *options)
    for turn in range(12):
        killed_by_itself(stage, "Bob", turn, *options)
    stage.carried_on(alice, durable(stage, "Bob", *options, turn=99))


for _play in ("stream", "dice"):
    @case(13, f"in turn and at once, {_play}", "C", deadline=90,
          ends=(PY,) if _play == "dice" else ALL, short=_play == "stream")
    def both(stage: Stage, play: str = _play) -> None:
        stage.play = play
        chance = random.Random(13)
        players = {role: durable(stage, role, "--count", "1500", "--pace", "1")
                   for role in ("Alice", "Bob")}
        for turn in range(1, 12):
            stage.sleep(chance.uniform(0.1, 0.6))
            victims = chance.choice((["Alice"], ["Bob"], ["Alice", "Bob"], ["Bob", "Alice"]))
            for role in victims:
                players[role].kill()
            for role in victims:
                stage.wait(players[role])
                players[role] = durable(stage, role, "--count", "1500", "--pace", "1", turn=turn)
        stage.carried_on(*players.values())


# --- 14: the journal itself ---

def interrupted(stage: Stage) -> Player:
    """A durable run whose Bob has been killed in the middle; gives Alice.

    Alice takes her time, so that Bob's journal is on disk before the next message.
    """
    alice = durable(stage, "Alice", "--count", str(COUNT), "--pace", "5", "--lost-after", "5")
    killed_by_itself(stage, "Bob", 15)
    return alice


def journal_of(stage: Stage, role: str = "Bob") -> bytearray:
    return bytearray((stage.path / f"{role}.journal").read_bytes())


def damage(stage: Stage, data: bytes, role: str = "Bob") -> None:
    (stage.path / f"{role}.journal").write_bytes(data)


def records(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of each record."""
    place = 0
    while place + 8 <= len(data):
        end = place + 8 + int.from_bytes(data[place:place + 4], "big")
        yield place, end
        place = end


for _cut in (1, 4, 8, 9, 40):
    @case(14, f"last record torn after {_cut} bytes", "C", ends=(PY, C), short=_cut == 9)
    def torn(stage: Stage, cut: int = _cut) -> None:
        """A record that was being written, and so not acknowledged, when the machine stopped."""
        alice = interrupted(stage)
        data = journal_of(stage)
        start, end = list(records(data))[-1]
        damage(stage, data + data[start:min(end - 1, start + cut)])
        stage.carried_on(alice, durable(stage, "Bob", turn=99))


@case(12, "killed with its peer's ERROR in the journal, again without the peer", "S", ends=(PY, C))
def after_error(stage: Stage) -> None:
    """Nobody is waited for who has said that nothing more comes."""
    options = ["--count", "4", "--pace", "2000"]
    alice, bob = durable(stage, "Alice", *options), stage.start("Bob")
    stage.until_taken("Bob", 1)
    bob.signal(signal.SIGTERM)
    stage.wait(bob)                     # Alice has confirmed it, so it is on disk
    alice.signal(signal.SIGKILL)
    stage.wait(alice)
    durable(stage, "Alice", *options, turn=1)
    stage.stopped(Alice01=(PEER_LOST, "Bob stopped: interrupted by SIGTERM", r"stream\.pyc:"))


@case(12, "fails at the same message again, its peer busy", "S", deadline=90, ends=(PY, C))
def fails_again(stage: Stage) -> None:
    """What the peer has from one process it may get from the next: no connection breaks."""
    bob = durable(stage, "Bob", "--count", "30", "--pace", "6000")
    for turn in range(2):
        alice = durable(stage, "Alice", "--count", "30", "--log-level", "info", turn=turn,
                        FAULTS_ACT="raise 5")
        stage.wait(alice)
        if alice.ended is None or alice.ended.status != 1 or \
                alice.ended.err.count("link to Bob: up") != 1:
            raise Failed(f"{alice.name}{stage.complaints()}")
        stage.players.remove(alice)
    stage.stopped(Bob00=(PEER_LOST, "Alice stopped: "))
    if bob.poll() is None:
        raise Failed("Bob has not heard of it")


@case(14, "a byte changed in the middle", "S", ends=(PY, C))
def changed(stage: Stage) -> None:
    interrupted(stage)
    data = journal_of(stage)
    found = list(records(data))
    start, end = found[len(found) // 2]
    data[(start + end) // 2] ^= 1
    damage(stage, data)
    durable(stage, "Bob", turn=99)
    stage.stopped(Bob99=((1, PEER_LOST, PROTOCOL, REFUSED), "journal"), Alice00=(PEER_LOST, "Bob"))


_OTHERS: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "another program": ("Bob", {"FAULTS_PROTOCOL": "other"}, []),
    "another run": ("Bob", {}, ["--run", "other"]), "another role": ("Alice", {}, []),
    "other options": ("Bob", {}, ["--count", "7"]),
}
_SAID = {"other options": "started without --count; give the same options",
         "another run": "belongs to the run .*, but this is the run other"}
for _name, (_role, _environment, _options) in _OTHERS.items():
    @case(14, f"journal of {_name}", "S", ends=(PY, C), short=_name == "another run")
    def other_journal(stage: Stage, role: str = _role, environment: dict[str, str] = _environment,
                      options: list[str] = _options, said: str = _SAID.get(_name, _name)) -> None:
        interrupted(stage).kill()
        before = journal_of(stage)
        stage.start(role, "--journal", str(stage.path / "Bob.journal"), *options, name="wrong",
                    history=False, **environment)
        stage.stopped(wrong=((PROTOCOL, REFUSED), "journal", said))
        if journal_of(stage) != before:
            raise Failed("the other's journal was changed")


@case(14, "a program that depends on what is not recorded", "S", ends=ALL, short=True)
def whim(stage: Stage) -> None:
    """What is sent again must be what the peer has taken."""
    stage.play = "whim"
    durable(stage, "Bob", "--count", "50")
    killed_by_itself(stage, "Alice", 5, "--count", "50")
    durable(stage, "Alice", "--count", "50", turn=99)
    said = r"message 1 to Bob \(whim.pyc:10\) differs from the message sent before the restart:"
    stage.stopped(Alice99=(PROTOCOL, said), Bob00=(PEER_LOST, "Alice stopped: .*message 1 to Bob"))


@case(14, "disk full", "S", ends=(PY, C))
def disk_full(stage: Stage) -> None:
    """A small tmpfs holds Bob's journal; where that is not allowed, a limit on file sizes."""
    folder = stage.path / "small"
    folder.mkdir()
    words = f"mount -t tmpfs -o size=64k small {folder} && exec \"$@\""
    probe = stage.run("probe", ["unshare", "-m", "sh", "-c", words, "sh", "true"])
    stage.wait(probe)
    prefix = ["unshare", "-m", "sh", "-c", words, "sh"]
    said = "space|disk"
    if probe.ended and probe.ended.status:
        prefix, said = ["prlimit", "--fsize=65536"], "large|limit"
    bob = stage.start("Bob", "--journal", str(folder / "journal"), prefix=prefix, history=False)
    stage.start("Alice", "--count", "5000", "--size", "500", "--lost-after", "2", history=False)
    stage.wait(bob)
    stage.stopped(Bob=((1, PEER_LOST), "journal", said), Alice=(PEER_LOST, "Bob"))


@case(14, "full at the very end", "C", ends=(PY, C))
def full_at_the_end(stage: Stage) -> None:
    """The last message that Carol reads is the first that does not fit; then there is room."""
    stage.play = "wait"
    stage.start("Alice", history=False)
    stage.start("Bob", history=False)
    carol = stage.start("Carol", "--journal", str(stage.path / "journal"), history=False,
                        prefix=["sh", "-c", "trap '' XFSZ; exec prlimit --fsize=170 \"$@\"", "sh"])
    stage.wait(carol)
    ended = carol.ended
    if ended is None or ended.status != PEER_LOST or "the journal" not in ended.err:
        raise Failed(f"Carol does not say why{stage.complaints()}")
    stage.players.remove(carol)
    stage.start("Carol", "--journal", str(stage.path / "journal"), history=False)
    stage.carried_on()


@case(14, "a folder that is not there", "S", ends=(PY, C))
def no_folder(stage: Stage) -> None:
    stage.start("Bob", "--journal", str(stage.path / "nowhere" / "journal"), history=False)
    stage.stopped(Bob=((1, 2, PEER_LOST, REFUSED), "journal"))


# --- 15: the zombie ---

@case(15, "stopped, replaced, continued; with journal", "C, S for the old", deadline=40,
      ends=ALL, short=True)
def zombie(stage: Stage) -> None:
    """Alice goes on until the old one has ended, however long the new one takes to begin."""
    stop = stage.path / "stop"
    alice = durable(stage, "Alice", "--until", str(stop), "--pace", "2")
    old = durable(stage, "Bob", "--lost-after", "3")
    stage.until_taken("Bob00", 10)
    old.signal(signal.SIGSTOP)
    new = durable(stage, "Bob", turn=1)
    stage.until_taken("Bob01")
    old.signal(signal.SIGCONT)
    stage.wait(old)
    stop.touch()
    stage.carried_on(alice, new)
    if old.ended is None or old.ended.status not in (PEER_LOST, REFUSED):
        raise Failed(f"the old process went on{stage.complaints()}")


@case(15, "goes on before its successor has spoken; with journal", "C", deadline=40, ends=ALL)
def unspoken(stage: Stage) -> None:
    """The old process finds the mark that its successor has made, and leaves the word to that."""
    alice = durable(stage, "Alice", "--count", "600", "--pace", "2")
    old = durable(stage, "Bob")
    while not (stage.path / "Bob.journal").exists() or len(list(records(journal_of(stage)))) < 10:
        stage.sleep(0.05)
    (stage.path / "Bob.journal").chmod(0o400)
    stage.wait(old)
    if old.ended is None or old.ended.status != REFUSED:
        raise Failed(f"the old process went on{stage.complaints()}")
    stage.carried_on(alice, durable(stage, "Bob", turn=1))


@case(15, "started twice where only one can listen; with journal", "C", deadline=40, ends=(PY, C))
def twice(stage: Stage) -> None:
    """The second finds the port taken, and leaves the journal to the first."""
    options = ["--count", "2000", "--pace", "2"]
    alice = durable(stage, "Alice", *options)
    bob = stage.start("Bob", *options)
    while not (stage.path / "Alice.journal").exists():
        stage.sleep(0.05)
    stage.sleep(0.3)
    second = durable(stage, "Alice", *options, turn=1)
    stage.wait(second)
    if second.ended is None or second.ended.status == 0:
        raise Failed(f"the second did not stop{stage.complaints()}")
    stage.carried_on(alice, bob)


@case(15, "both run, no journal", "S", ends=(PY, C))
def zombie_without(stage: Stage) -> None:
    stage.start_all("--lost-after", "3", Alice=["--count", "100000", "--pace", "1"])
    stage.until_taken("Bob", 20)
    old = stage.player("Bob")
    old.signal(signal.SIGSTOP)
    new = stage.start("Bob", "--lost-after", "3", name="new", history=False)
    stage.wait(new, stage.player("Alice"))
    old.signal(signal.SIGCONT)
    stage.stopped(Alice=(PEER_LOST, "Bob"), new=((PEER_LOST, REFUSED), "Alice|state"),
                  Bob=((PEER_LOST, REFUSED), "Alice|newer"))
