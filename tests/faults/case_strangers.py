"""Faults of who is at the other end: other programs, strangers, liars (23 to 28, 37)."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import struct
import sys
import threading
from collections.abc import Callable

import zmq
from crafted import ACK, DATA, HELLO, REFUSE, WELCOME, Dialler, Listener, refusal, value
from stage import (C, C_PY, HERE, PEER_LOST, PROTOCOL, PY, PY_C, REFUSED, Failed, Player, Skipped,
                   Stage)

from registry import case

ALL = (PY, C, C_PY, PY_C)


def streaming(stage: Stage, *options: str, **each: list[str]) -> Callable[[], None]:
    """A stream that goes on; the function that is given ends it, and it must have been well."""
    stop = stage.path / "stop"
    each["Alice"] = ["--until", str(stop), "--count", "50", "--pace", "1", *each.get("Alice", [])]
    players = stage.start_all(*options, **each)
    stage.until_taken("Bob")

    def finish() -> None:
        stop.touch()
        stage.carried_on(*players)
    return finish


# --- 23, 24: who does not fit ---

@case(23, "another program", "S", ends=ALL, short=True)
def other_program(stage: Stage) -> None:
    stage.start("Alice", "--connect-timeout", "5")
    stage.start("Bob", "--connect-timeout", "5", FAULTS_PROTOCOL="another")
    stage.stopped(Alice=(PROTOCOL, "Bob"), Bob=(PROTOCOL, "Alice|Bob"))


@case(23, "another run", "S", ends=ALL)
def other_run(stage: Stage) -> None:
    """Alice waits on, as her own Bob may yet come; both sentences name both runs."""
    stage.start("Alice", "--run", "monday", "--connect-timeout", "2")
    stage.start("Bob", "--run", "tuesday", "--connect-timeout", "2")
    stage.stopped(Alice=((PEER_LOST, REFUSED), "Bob is in the run tuesday, but Alice is in the"),
                  Bob=(REFUSED, "Alice is in the run monday, but Bob is in the run tuesday"))


for _theirs, _run in (("tues\u202eday\x1b", ""), ("", "monday")):
    @case(23, f"a listener in the run {ascii(_theirs)}", "S", ends=(PY, C), short=_run == "")
    def listener_of_other_run(stage: Stage, theirs: str = _theirs, run: str = _run) -> None:
        """The sentence names both, also one without a name, and nothing works on terminals."""
        named = {"": "without a name", "tues\u202eday\x1b": r"tues\\u202eday\\x1b"}
        with Listener("Alice", "Bob", "stream", theirs) as alice:
            alice.listen(stage.address("Alice"))
            stage.start("Bob", *(["--run", run] if run else []))
            alice.welcome()
            stage.stopped(Bob=(REFUSED, f"Alice is in the run {named.get(theirs, theirs)}, "
                                        f"but Bob is in the run {run or named['']}"))


@case(23, "a name that writes on terminals", "S", ends=(PY, C), short=True)
def evil_name(stage: Stage) -> None:
    """What a stranger calls itself is told, but cut and cleaned, in sentences and in logs."""
    alice = stage.start("Alice", "--connect-timeout", "2", "--log-level", "info", history=False)
    name = "\x1b[31mEVIL\r\nAlice: all is well\n" + "A" * 30_000
    with Dialler(name, "Alice\x1b]0;x\a", "stream") as stranger:
        stranger.dial(stage.address("Alice"))
        stranger.greet(1.0)
        stage.wait(alice)
    said = alice.says()
    if "EVIL" not in said or "\x1b" in said or "\nAlice: all" in said or len(said) > 2_000:
        raise Failed(f"Alice said {ascii(said[:500])}")


@case(23, "another wire version", "S", ends=(PY, C))
def other_version(stage: Stage) -> None:
    alice = stage.start("Alice", "--connect-timeout", "5")
    with Dialler("Bob", "Alice", "stream") as bob:
        bob.versions = (7, 9)
        bob.dial(stage.address("Alice"))
        code, text = refusal(bob.greet())
        if code != 1:
            raise Failed(f"refusal {code} {text}{stage.complaints()}")
    stage.stopped(Alice=(PROTOCOL, "Bob", "version"))
    assert alice


@case(23, "another limit", "S", ends=(PY, C))
def other_limit(stage: Stage) -> None:
    stage.start("Alice", "--connect-timeout", "5")
    with Dialler("Bob", "Alice", "stream") as bob:
        bob.max_message = 1000
        bob.dial(stage.address("Alice"))
        code, text = refusal(bob.greet())
        if code != 8:
            raise Failed(f"refusal {code} {text}{stage.complaints()}")
    stage.stopped(Alice=(PROTOCOL, "Bob", "1000"))


@case(24, "two processes that listen as one role", "S of the second", ends=(PY, C), short=True)
def two_listeners(stage: Stage) -> None:
    finish = streaming(stage)
    second = stage.start("Alice", name="second", history=False)
    stage.wait(second)
    said = "in use" in second.says() or "another program" in second.says()
    if not second.ended or second.ended.status not in (2, REFUSED) or not said:
        raise Failed(f"the second Alice is not refused{stage.complaints()}")
    finish()


@case(24, "two processes that listen as one role, in the private directory", "S of the second")
def two_in_directory(stage: Stage) -> None:
    stop = stage.path / "stop"
    players = [stage.start("Alice", "--until", str(stop), "--pace", "1", plain=True),
               stage.start("Bob", plain=True)]
    stage.sleep(1.0)
    second = stage.start("Alice", name="second", plain=True, history=False)
    stage.wait(second)
    if not second.ended or second.ended.status != REFUSED or "already" not in second.says():
        raise Failed(f"the second Alice is not refused{stage.complaints()}")
    stop.touch()
    stage.carried_on(*players)


@case(24, "two processes that dial as one role", "S", ends=(PY, C))
def two_diallers(stage: Stage) -> None:
    """The second looks like a restart that has lost its state, or like an older process; the run
    ends, or the first goes on alone."""
    stop = stage.path / "stop"
    players = stage.start_all("--lost-after", "2", Alice=["--until", str(stop), "--pace", "1"])
    stage.sleep(1.5)
    second = stage.start("Bob", "--lost-after", "2", name="second", history=False)
    stage.wait(second)
    stop.touch()
    statuses = [each.status for each in stage.wait(*players)]
    if not second.ended or second.ended.status not in (PEER_LOST, REFUSED):
        raise Failed(f"the second Bob is not stopped{stage.complaints()}")
    if statuses == [0, 0]:
        stage.carried_on(*players)
    else:
        stage.stopped(Alice=(PEER_LOST, "Bob"))


@case(24, "a role connected to itself", "S", ends=(PY, C))
def to_itself(stage: Stage) -> None:
    """Bob of three listens for Carol and is told that Alice is where he listens himself."""
    stage.play = "trio"
    stage.seen_from["Bob", "Alice"] = stage.address("Bob")
    stage.start("Bob", "--connect-timeout", "3")
    stage.stopped(Bob=((PEER_LOST, PROTOCOL, REFUSED), "itself|Alice"))


for _wanted, _said in (
        ("Alice", "Carol connected to Alice, but the program of Alice does not expect this"),
        ("Dave", "Carol tried to connect to Dave, but Alice listens at this address")):
    @case(24, f"an unexpected role that looks for {_wanted}", "S", ends=(PY, C))
    def unexpected(stage: Stage, wanted: str = _wanted, said: str = _said) -> None:
        stage.start("Alice", "--connect-timeout", "2", history=False)
        with Dialler("Carol", wanted, "stream") as carol:
            carol.dial(stage.address("Alice"))
            carol.greet(0.5)
            stage.stopped(Alice=(PEER_LOST, said))


@case(24, "roles swapped in a manifest", "S", ends=(PY, C))
def swapped(stage: Stage) -> None:
    """Carol takes Bob for Alice and Alice for Bob."""
    stage.play = "trio"
    stage.seen_from["Carol", "Alice"] = stage.address("Bob")
    stage.seen_from["Carol", "Bob"] = stage.address("Alice")
    stage.start_all("--connect-timeout", "4")
    stage.stopped(Carol=((PEER_LOST, PROTOCOL, REFUSED), "Alice|Bob"),
                  Alice=((PEER_LOST, PROTOCOL, REFUSED),), Bob=((PEER_LOST, PROTOCOL, REFUSED),))


# --- 25 to 27: keys ---

def curve(stage: Stage) -> Callable[[], None]:
    stage.make_keys()
    return streaming(stage)


@case(25, "a stranger without a key, one with an unknown key", "refused", ends=(PY, C),
      short=True)
def strangers(stage: Stage) -> None:
    finish = curve(stage)
    public, secret = (each.decode() for each in zmq.curve_keypair())
    for keys in (None, (public, secret)):
        with Dialler("Bob", "Alice", "stream") as bob:
            bob.incarnation = 99
            bob.dial(stage.address("Alice"), keys, stage.keys["Alice"][0])
            if bob.greet(1.0) is not None:
                raise Failed(f"a stranger was answered{stage.complaints()}")
    finish()


@case(25, "a role whose own key is not in the manifest", "S", ends=(PY, C))
def unlisted(stage: Stage) -> None:
    stage.make_keys()
    stage.start("Alice", "--connect-timeout", "3")
    manifest = stage.manifest("Bob")
    other = zmq.curve_keypair()[1].decode()
    stage.start("Bob", "--connect-timeout", "3", "--key", str(stage.key_file("Bob", other)),
                manifest=manifest)
    stage.stopped(Bob=(REFUSED, "key|refuse"), Alice=((PEER_LOST, REFUSED), "Bob"))


@case(25, "the listener's key is another than the manifest's", "S", deadline=40, ends=(PY, C))
def wrong_server(stage: Stage) -> None:
    stage.make_keys()
    stage.start("Alice", "--connect-timeout", "4")
    stage.keys["Alice"] = (zmq.curve_keypair()[0].decode(), "")
    stage.start("Bob", "--connect-timeout", "4")
    stage.stopped(Bob=((PEER_LOST, REFUSED), "Alice"), Alice=(PEER_LOST, "Bob"))


_DEAD_HANDLER = """
import sys
sys.path.insert(0, {here!r})
import pychoral.zap
def die(self, *rest):
    raise RuntimeError("dead")
if {started}:
    pychoral.zap.Zap._answer = die
else:
    pychoral.zap.Zap.__init__ = pychoral.zap.Zap.join = lambda self, *rest: None
import endpoint
endpoint.program("stream", "Alice").run()
"""

for _name, _started in (("was never started", False), ("dies", True)):
    @case(25, f"the handler of keys {_name}: nobody gets in", "S")
    def no_handler(stage: Stage, started: bool = _started) -> None:
        stage.make_keys()
        program = _DEAD_HANDLER.format(here=str(HERE), started=started)
        stage.start("Alice", "--connect-timeout", "3", own=[sys.executable, "-c", program])
        stage.start("Bob", "--connect-timeout", "3")
        stage.stopped(Alice=(PEER_LOST, "Bob"), Bob=((PEER_LOST, REFUSED), "Alice"))


@case(26, "Carol's key, Bob's name", "refused", ends=(PY, C), short=True)
def other_name(stage: Stage) -> None:
    stage.play = "trio"
    stage.make_keys()
    finish = streaming(stage)
    with Dialler("Bob", "Alice", "trio") as carol:
        carol.incarnation = 2**62
        carol.dial(stage.address("Alice"), stage.keys["Carol"], stage.keys["Alice"][0])
        answer = carol.greet(2.0)
        if answer is not None and answer.kind == WELCOME:
            raise Failed("Carol was taken for Bob")
    finish()


@case(26, "another's routing id", "refused", ends=(PY, C))
def other_id(stage: Stage) -> None:
    """Ids as a ROUTER makes them: five bytes, the first is 0, the rest counts up."""
    stage.play = "trio"
    stage.make_keys()
    finish = streaming(stage)
    for number in range(20):
        with Dialler("Bob", "Alice", "trio") as carol:
            carol.dial(stage.address("Alice"), stage.keys["Carol"], stage.keys["Alice"][0],
                       routing_id=b"\1" + struct.pack(">I", number))
            carol.send(carol.frame(DATA, value(7), site=3, seq=1))
            if carol.receive(0.1) is not None and carol.frames[-1].kind == DATA:
                raise Failed("Carol gets what is meant for Bob")
    finish()


@case(26, "another's connection, behind a message of one's own", "refused", ends=(PY, C))
def behind_own(stage: Stage) -> None:
    """What follows a first frame that announces nothing must not be taken for [id][message].

    libzmq numbers connections from a random number that it never seeds, so ids are known.
    """
    stage.play = "wait"
    stage.make_keys()
    alice = stage.start("Alice", "--log-level", "info", "--lost-after", "2", history=False)
    bob = stage.start("Bob", "--act", "nap", history=False)
    stage.until(lambda: "link to Bob: up" in alice.says(), "Bob is there")
    for turn, kind in enumerate((REFUSE, HELLO)):
        with Dialler("Carol", "Alice", "wait") as carol:
            carol.incarnation += turn
            carol.dial(stage.address("Alice"), stage.keys["Carol"], stage.keys["Alice"][0])
            carol.greet(5.0)
            forger = Dialler("Bob", "Alice", "wait")
            forger.incarnation = 2**62
            body = forger.greeting() if kind == HELLO else struct.pack(">H", 2) + b"rebuilt"
            for number in (0xE43C9869, 0xE43C986A, 0x6B8B4567, 0x6B8B4568):
                other = b"\0" + struct.pack(">I", number)
                carol.send(carol.frame(ACK), other, forger.frame(kind, body))
    stage.wait(bob)
    if bob.ended is None or bob.ended.status or "rebuilt" in alice.says():
        raise Failed(f"Carol has spoken for Bob{stage.complaints()}")
    alice.kill()


for _name, _who in (("a plain dialler to a CURVE port", "Bob"),
                    ("a CURVE dialler to a plain port", "Alice")):
    @case(27, _name, "S", deadline=20, ends=ALL, short=_who == "Bob")
    def half_secure(stage: Stage, who: str = _who) -> None:
        stage.make_keys()
        keys = dict(stage.keys)
        for role, patience in (("Alice", "6"), ("Bob", "12")):
            stage.keys = {} if role == who else keys
            stage.start(role, "--connect-timeout", patience)
        keys = "with keys" if who == "Bob" else "without keys"
        stage.stopped(Bob=(REFUSED, f"Alice listens at .* {keys}"), Alice=(PEER_LOST, "Bob"))


class HastyListener:
    """What a listener looks like that reads faster than it writes: it has the whole greeting of a
    dialler with another mechanism, and hangs up, before it has sent its own mechanism."""

    def __init__(self, address: str, mechanism: bytes) -> None:
        host, _, port = address.removeprefix("tcp://").rpartition(":")
        self.greeting = b"\xff" + bytes(7) + b"\1\x7f\3\0" + mechanism.ljust(20, b"\0") + bytes(32)
        self.listener = socket.create_server((host, int(port)))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                with self.listener.accept()[0] as dialler, contextlib.suppress(OSError):
                    self.meet(dialler)

    def close(self) -> None:
        self.listener.close()

    def meet(self, dialler: socket.socket) -> None:
        dialler.settimeout(0.1)
        dialler.sendall(self.greeting[:11])
        heard = b""
        with contextlib.suppress(TimeoutError):
            while len(heard) < 64:
                part = dialler.recv(64 - len(heard))
                if not part:
                    return
                heard += part
        if len(heard) < 64:
            dialler.sendall(self.greeting[11:])
            dialler.settimeout(2)
            dialler.recv(100)


for _name, _mechanism, _says in (("with keys", b"CURVE", "with keys: give --manifest"),
                                 ("without keys", b"NULL", "without keys")):
    @case(27, f"a listener {_name} that hangs up first", "S", ends=(PY, C), short=_name[4] == "k")
    def hasty(stage: Stage, mechanism: bytes = _mechanism, says: str = _says) -> None:
        if mechanism == b"NULL":
            stage.make_keys()
        with contextlib.closing(HastyListener(stage.address("Alice"), mechanism)):
            stage.start("Bob", "--connect-timeout", "5")
            stage.stopped(Bob=(REFUSED, says))


# --- 28: junk at the port ---

_JUNK = {
    "random bytes": os.urandom(4000), "HTTP": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "TLS": bytes.fromhex("1603010200010001fc0303") + bytes(500),
    "half a greeting": b"\xff" + bytes(8) + b"\x7f\x03\x00NULL",
    "ZMTP 1": b"\x01\x00" + b"\x05\x00junk" * 50, "nothing, closed at once": b"",
    "a greeting, then junk": b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + bytes(32)
                             + os.urandom(3000),
}  # fmt: skip


def throw(stage: Stage, text: bytes, times: int) -> None:
    host, _, port = stage.address("Alice").removeprefix("tcp://").rpartition(":")
    for _ in range(times):
        with contextlib.suppress(OSError), \
                socket.create_connection((host, int(port)), 5) as junk:
            junk.settimeout(0.05)
            junk.sendall(text)
            junk.recv(1000)
            junk.sendall(text)


for _secure in (False, True):
    @case(28, "junk of seven kinds" + (", CURVE" if _secure else ""), "C", ends=(PY, C),
          short=not _secure)
    def junk(stage: Stage, secure: bool = _secure) -> None:
        if secure:
            stage.make_keys()
        finish = streaming(stage)
        for text in _JUNK.values():
            throw(stage, text, 10)
        finish()

    @case(28, "junk before the peer comes" + (", CURVE" if _secure else ""), "C", ends=(PY, C))
    def junk_first(stage: Stage, secure: bool = _secure) -> None:
        if secure:
            stage.make_keys()
        alice = stage.start("Alice")
        stage.until(lambda: reachable(stage), "listening")
        for text in _JUNK.values():
            throw(stage, text, 5)
        stage.start("Bob")
        stage.carried_on()
        assert alice.ended


def reachable(stage: Stage) -> bool:
    host, _, port = stage.address("Alice").removeprefix("tcp://").rpartition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


_FLOOD = """
import socket, sys, time
kept = []
for _ in range(int(sys.argv[2])):
    try:
        kept.append(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5))
    except OSError:
        break
print(len(kept), flush=True)
time.sleep(600)
"""


def flood(stage: Stage, count: int) -> Player:
    port = stage.address("Alice").rpartition(":")[2]
    player = stage.run("flood", [sys.executable, "-c", _FLOOD, port, str(count)])
    stage.until(lambda: player.says(), "flooded")
    return player


@case(28, "10,000 silent connections", "C", deadline=150, ends=(PY, C))
def silent_connections(stage: Stage) -> None:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    finish = streaming(stage)
    player = flood(stage, min(10_000, limit - 500))
    stage.sleep(3.0)
    finish()
    player.kill()


@case(28, "more connections than descriptors", "C", deadline=40, ends=(PY, C))
def too_many_connections(stage: Stage) -> None:
    stop = stage.path / "stop"
    alice = stage.start("Alice", "--until", str(stop), "--pace", "1",
                        prefix=["prlimit", "--nofile=128"])
    bob = stage.start("Bob")
    stage.sleep(1.5)
    player = flood(stage, 400)
    stage.sleep(2.0)
    stop.touch()
    stage.carried_on(alice, bob)
    player.kill()


def descriptors(player: Player) -> int:
    return len(os.listdir(f"/proc/{player.pid}/fd"))


for _scheme in ("tcp", "ipc"):
    @case(28, f"strangers that speak ZeroMQ and never greet, {_scheme}", "C", deadline=60,
          ends=(PY, C), short=_scheme == "tcp")
    def never_greet(stage: Stage, scheme: str = _scheme) -> None:
        """libzmq keeps them: it is the listener that must let go of them, and of none else."""
        stage.scheme = scheme
        finish = streaming(stage, "--log-level", "info")
        alice = stage.player("Alice")
        before = descriptors(alice)
        context = zmq.Context()
        context.linger = 0
        somebody = Dialler("Nobody", "Alice", "stream")
        strangers = [context.socket(zmq.DEALER) for _ in range(60)]
        for number, each in enumerate(strangers):
            each.reconnect_ivl = -1
            each.connect(stage.address("Alice"))
            if number % 3 == 1:
                each.send(b"good day")
            elif number % 3 == 2:           # somebody whom Alice does not wait for
                each.send(somebody.frame(HELLO, somebody.greeting()))
        stage.until(lambda: descriptors(alice) >= before + 50, "60 strangers are there")
        stage.until(lambda: descriptors(alice) <= before + 5, "the strangers are gone")
        finish()
        context.destroy()
        if alice.says().count("link to Bob: up") != 1:
            raise Failed(f"Bob was let go of as well{stage.complaints()}")


# What a plain DEALER says first in ZMTP 3.
_GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + b"\0" + bytes(31)
_METADATA = b"\x0bSocket-Type\0\0\0\x06DEALER\x08Identity\0\0\0\0"
_READY = b"\x04" + bytes([6 + len(_METADATA)]) + b"\x05READY" + _METADATA


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@case(28, "strangers that never greet take all descriptors", "C", deadline=60, ends=(PY, C))
def all_taken(stage: Stage) -> None:
    """Whoever has none left must still be able to let go of them, or the peer never comes in."""
    most = 48
    alice = stage.start("Alice", "--count", "20", prefix=["prlimit", f"--nofile={most}"])
    port = int(stage.address("Alice").rpartition(":")[2])
    stage.until(lambda: is_open(port), "Alice listens")
    strangers = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
    for each in strangers:
        each.send(_GREETING + _READY)
    stage.sleep(2.0)
    if descriptors(alice) < most - 2:
        raise Failed(f"only {descriptors(alice)} of {most} descriptors are taken")
    stage.start("Bob", "--connect-timeout", "25")
    stage.carried_on()
    for each in strangers:
        each.close()


# --- 37: files that others may read ---

@case(37, "the private directory", "S", ends=(PY, C), short=True)
def open_directory(stage: Stage) -> None:
    (stage.path / "run" / f"pychoral-{os.getuid()}").mkdir(mode=0o755)
    (stage.path / "run" / f"pychoral-{os.getuid()}").chmod(0o755)
    stage.start("Alice", "--connect-timeout", "3", plain=True)
    stage.stopped(Alice=(REFUSED, "pychoral-"))


@case(37, "the key file", "S", ends=(PY, C), short=True)
def open_key(stage: Stage) -> None:
    stage.make_keys()
    key = stage.key_file("Alice", mode=0o644)
    stage.start("Alice", "--connect-timeout", "3", "--key", str(key))
    stage.stopped(Alice=(REFUSED, r"Alice\.key"))


@case(37, "a key file of root's that a group may read", "C", ends=(PY, C), short=True)
def key_of_group(stage: Stage) -> None:
    """Ours may, as Kubernetes gives them; another group may not."""
    if os.geteuid() != 0:
        raise Skipped("only root can make it")
    stage.make_keys()
    for role, mode in (("Alice", 0o640), ("Bob", 0o440)):
        stage.start(role, "--count", "30", "--key", str(stage.key_file(role, mode=mode)))
    stage.carried_on()
    key = stage.key_file("Alice", mode=0o640)
    os.chown(key, 0, 4242)
    alice = stage.start("Alice", "--key", str(key), name="again", history=False)
    stage.wait(alice)
    if alice.ended is None or alice.ended.status != REFUSED:
        raise Failed(f"another group may read the key{stage.complaints()}")


@case(37, "a manifest that others may write", "S", ends=(PY, C))
def open_manifest(stage: Stage) -> None:
    manifest = stage.manifest("Alice")
    manifest.chmod(0o666)
    stage.start("Alice", "--connect-timeout", "3", manifest=manifest)
    stage.stopped(Alice=(REFUSED, r"Alice\.json"))


@case(37, "an ipc socket where others can make one", "S", ends=(PY, C), short=True)
def open_socket(stage: Stage) -> None:
    """Without keys a folder that others enter is as bad as another machine: only with --plain."""
    folder = stage.path / "open"
    folder.mkdir()
    folder.chmod(0o755)
    for address in (f"ipc://{folder}/Alice", "ipc://@pychoral-test", "ipc://open/Alice",
                    f"ipc://{folder}/none/Alice"):
        stage.base["Alice"] = address
        players = [stage.start(role, "--connect-timeout", "2", history=False)
                   for role in ("Alice", "Bob")]
        for each in stage.wait(*players):
            if each.status != REFUSED or "only you can enter" not in each.err or (
                    "--plain" not in each.err):
                raise Failed(f"{address} was taken{stage.complaints()}")
    stage.players.clear()
    stage.base["Alice"] = f"ipc://{folder}/Alice"
    stage.start_all("--count", "20", "--plain")
    stage.carried_on()
    stage.players.clear()
    stage.base["Alice"] = "ipc://run/Alice"
    stage.start_all("--count", "20")
    stage.carried_on()
