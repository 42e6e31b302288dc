"""Faults of connections: closed, reset, silent, swallowed, late, never there (1 to 9, 36)."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator

from proxy import FAULTS, Cut, Proxy, play, random_script
from stage import C, C_PY, PEER_LOST, PY, PY_C, Failed, Skipped, Stage

from registry import case

ALL = (PY, C, C_PY, PY_C)


def while_streaming(stage: Stage, work: Callable[[Proxy], None], *options: str,
                    play_name: str = "stream", size: int = 100, pace: float = 1.0) -> Proxy:
    """A stream through a proxy that goes on until `work` is done; then it must end well."""
    stage.play = play_name
    proxy = stage.proxy()
    stop = stage.path / "stop"
    stage.start_all("--size", str(size), *options,
                    Alice=["--until", str(stop), "--count", "200", "--pace", str(pace)])
    stage.until(lambda: proxy.accepted, "connected")
    stage.sleep(0.1)
    work(proxy)
    stop.touch()
    stage.carried_on()
    return proxy


def repeated(name: str, count: int, pause: float, *arguments: float) -> Callable[[Proxy], None]:
    """The same fault several times, each when there is a connection again."""
    def work(proxy: Proxy) -> None:
        for _ in range(count):
            end = time.monotonic() + 5
            while not proxy.links() and time.monotonic() < end:
                time.sleep(0.005)
            time.sleep(pause / 4)
            getattr(proxy, name)(*arguments)
            time.sleep(pause * 3 / 4)
    return work


def several_connections(proxy: Proxy, count: int) -> None:
    if proxy.accepted <= count:
        raise Failed(f"only {proxy.accepted} connections: the fault was not made")


# --- 1 to 3: closed, reset, gone ---

for _play in ("stream", "upstream"):
    @case(1, f"8 times, {_play}", "C", ends=ALL, short=_play == "stream")
    def closed(stage: Stage, play_name: str = _play) -> None:
        proxy = while_streaming(stage, repeated("fin", 8, 0.15), play_name=play_name)
        several_connections(proxy, 8)

    @case(1, f"4 times with messages of 200 kB, {_play}", "C")
    def closed_large(stage: Stage, play_name: str = _play) -> None:
        proxy = while_streaming(stage, repeated("fin", 4, 0.3), play_name=play_name, size=200_000)
        several_connections(proxy, 4)

    @case(2, f"8 times, {_play}", "C", ends=ALL, short=_play == "upstream")
    def reset(stage: Stage, play_name: str = _play) -> None:
        proxy = while_streaming(stage, repeated("rst", 8, 0.15), play_name=play_name)
        several_connections(proxy, 8)

    @case(3, f"0.7 s, twice, {_play}", "C", ends=ALL)
    def down(stage: Stage, play_name: str = _play) -> None:
        while_streaming(stage, repeated("down", 2, 1.5, 0.7), play_name=play_name)


@case(1, "over a unix socket", "C")
def closed_ipc(stage: Stage) -> None:
    stage.scheme = "ipc"
    several_connections(while_streaming(stage, repeated("fin", 6, 0.15)), 6)


@case(1, "with CURVE", "C")
def closed_curve(stage: Stage) -> None:
    stage.make_keys()
    several_connections(while_streaming(stage, repeated("fin", 6, 0.2)), 6)


def scan(stage: Stage, side: str, places: list[int], how: str = "rst", size: int = 100) -> None:
    """Cut one connection after another, each at another byte of what `side` says.

    Two of three connections live longer, so that the stream gets on; the first of them may be one
    on which a dialler that was cut asks who is there."""
    def plan(number: int) -> Cut | None:
        if number // 3 >= len(places):
            return None
        is_cut = number % 3 == 1
        return Cut(side, places[number // 3], how) if is_cut else Cut(side, 800 + 3 * size)

    stage.play = "stream" if side == "listener" else "upstream"
    stop = stage.path / "stop"
    proxy = stage.proxy(plan)
    stage.start_all("--size", str(size), Alice=["--until", str(stop), "--pace", "0.5"])
    stage.until(lambda: proxy.accepted > 3 * len(places) or any(
        each.poll() for each in stage.players), "reached the last cut")
    stop.touch()
    stage.carried_on()
    several_connections(proxy, 3 * len(places))


for _side, _part in itertools.product(("dialler", "listener"), range(2)):
    @case(2, f"at each byte, of what the {_side} says, {_part + 1}/2", "C", deadline=120)
    def each_byte(stage: Stage, side: str = _side, part: int = _part) -> None:
        scan(stage, side, list(range(part, 560, 2)))

    @case(2, f"at every 9th byte, of what the {_side} says, {_part + 1}/2", "C", deadline=90,
          ends=(C, C_PY, PY_C))
    def some_bytes(stage: Stage, side: str = _side, part: int = _part) -> None:
        scan(stage, side, list(range(part, 560, 9)))

for _side in ("dialler", "listener"):
    @case(2, f"in mid-multipart, of what the {_side} says", "C", deadline=60, ends=(PY, C))
    def multipart(stage: Stage, side: str = _side) -> None:
        scan(stage, side, [400 + 9_973 * each for each in range(1, 25)], size=70_000)


@case(3, "for longer than a peer may be lost", "S")
def down_for_good(stage: Stage) -> None:
    proxy = stage.proxy()
    stage.start_all("--lost-after", "1", Alice=["--count", "100000", "--pace", "1"])
    stage.until(lambda: proxy.accepted, "connected")
    stage.sleep(0.3)
    proxy.down(60)
    stage.stopped(Alice=(PEER_LOST, "Bob", r"stream\.pyc:"), Bob=(PEER_LOST, "Alice"))


# --- 4: silent links ---

@case(4, "for less than the heartbeat allows", "C", ends=ALL, short=True)
def silent_briefly(stage: Stage) -> None:
    def work(proxy: Proxy) -> None:
        proxy.hole(1.0)
        stage.sleep(1.3)
    while_streaming(stage, work)


@case(4, "for longer than heartbeats, shorter than a peer may be lost", "C", deadline=40, ends=ALL)
def silent_long(stage: Stage) -> None:
    def work(proxy: Proxy) -> None:
        proxy.hole(5.5)
        stage.sleep(6.5)
    several_connections(while_streaming(stage, work), 1)


@case(4, "one connection silent for ever, new ones well", "C", deadline=40)
def silent_connection(stage: Stage) -> None:
    def work(proxy: Proxy) -> None:
        proxy.silent(None)
        stage.until(lambda: proxy.accepted > 1, "dialled anew")
    while_streaming(stage, work)


@case(4, "for ever", "S", deadline=40, ends=ALL)
def silent_for_good(stage: Stage) -> None:
    proxy = stage.proxy()
    stage.start_all("--lost-after", "2", Alice=["--count", "100000", "--pace", "1"])
    stage.until(lambda: proxy.accepted, "connected")
    stage.sleep(0.3)
    proxy.hole(None)
    limit = r"has been unreachable for 2 s \(--lost-after\)"
    stage.stopped(Alice=(PEER_LOST, f"Bob {limit}", r"stream\.pyc:"),
                  Bob=(PEER_LOST, f"Alice {limit}", r"stream\.pyc:"))


@contextlib.contextmanager
def two_hosts() -> Iterator[tuple[str, str, Callable[[str], None]]]:
    """Two network namespaces with a cable: their names and a function that sets the cable."""
    one = f"fa{os.getpid()}x{threading.get_ident() % 9973}"
    two = one.replace("fa", "fb")

    def do(words: str) -> None:
        done = subprocess.run(["ip", *words.split()], capture_output=True, text=True)
        if done.returncode:
            raise Skipped(f"network namespaces are not allowed here: {done.stderr.strip()}")
    cable = "c" + str(threading.get_ident() % 9973)
    try:
        for name in (one, two):
            do(f"netns add {name}")
        do(f"link add {cable}a netns {one} type veth peer name {cable}b netns {two}")
        for name, end, address in ((one, "a", "10.9.0.1/24"), (two, "b", "10.9.0.2/24")):
            do(f"-n {name} addr add {address} dev {cable}{end}")
            do(f"-n {name} link set {cable}{end} up")
            do(f"-n {name} link set lo up")
        yield one, two, lambda state: do(f"-n {one} link set {cable}a {state}")
    finally:
        for name in (one, two):
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


def on_two_hosts(stage: Stage, hosts: tuple[str, str], *options: str) -> None:
    """The stream between two namespaces, with CURVE, as it leaves the machine."""
    stage.make_keys()
    stage.base["Alice"], stage.base["Bob"] = "tcp://10.9.0.1:21000", "tcp://10.9.0.2:21000"
    stop = str(stage.path / "stop")
    for role, host, own in (("Alice", hosts[0], ["--until", stop, "--pace", "1"]),
                            ("Bob", hosts[1], [])):
        stage.start(role, *options, *own, prefix=["ip", "netns", "exec", host])
    stage.sleep(1.0)


@case(4, "cable pulled for a second, two hosts", "C", deadline=40)
def cable_briefly(stage: Stage) -> None:
    with two_hosts() as (one, two, cable):
        on_two_hosts(stage, (one, two))
        cable("down")
        stage.sleep(1.0)
        cable("up")
        stage.sleep(1.0)
        (stage.path / "stop").touch()
        stage.carried_on()


@case(4, "cable pulled for good, two hosts", "S", deadline=40)
def cable_for_good(stage: Stage) -> None:
    with two_hosts() as (one, two, cable):
        on_two_hosts(stage, (one, two), "--lost-after", "2")
        cable("down")
        stage.stopped(Alice=(PEER_LOST, "Bob"), Bob=(PEER_LOST, "Alice"))


# --- 5 to 7: swallowed, cut in the handshake and at the end, late ---

for _play in ("stream", "upstream"):
    @case(5, f"0.3 s, 4 times, {_play}", "C", ends=ALL, short=_play == "stream")
    def swallowed(stage: Stage, play_name: str = _play) -> None:
        proxy = while_streaming(stage, repeated("swallow", 4, 0.6, 0.3), play_name=play_name)
        several_connections(proxy, 4)

    @case(7, f"0.3 s after the new one, {_play}", "C", ends=ALL, short=_play == "upstream")
    def late(stage: Stage, play_name: str = _play) -> None:
        def work(proxy: Proxy) -> None:
            for side in ("dialler", "listener") * 3:
                proxy.delay[side] = 0.2
                stage.sleep(0.4)
                proxy.split(0.5, side)
                proxy.delay[side] = 0.0
                stage.sleep(0.8)
        several_connections(while_streaming(stage, work, play_name=play_name), 6)

_KINDS = {"HELLO": (1, ("dialler",)), "WELCOME": (2, ("listener",)),
          "END": (9, ("dialler", "listener")), "ACK": (6, ("dialler", "listener"))}
for _name, (_kind, _sides) in _KINDS.items():
    for _side in _sides:
        @case(6, f"{_name} of the {_side}", "C", deadline=90, ends=ALL,
              short=_name == "END" and _side == "listener")
        def cut_in(stage: Stage, kind: int = _kind, side: str = _side) -> None:
            mark = b"CHZ1" + bytes([kind])
            for at, how in ((0, "rst"), (1, "fin"), (47, "rst"), (48, "rst"), (49, "fin"),
                            (50, "rst"), (52, "fin"), (100, "rst")):
                with Stage(20, stage.ends, stage.programs) as again:
                    again.proxy(lambda n, at=at, how=how:            # type: ignore[misc]
                                Cut(side, at, how, mark) if n == 0 else None)
                    again.start_all("--count", "12")
                    again.carried_on()


# --- 8, 9: late or never ---

@case(8, "a second late", "C", ends=ALL, short=True)
def listener_late(stage: Stage) -> None:
    stage.start("Bob")
    stage.sleep(1.0)
    stage.start("Alice")
    stage.carried_on()


@case(8, "never", "S", ends=(PY, C))
def listener_never(stage: Stage) -> None:
    stage.start("Bob", "--connect-timeout", "1")
    stage.stopped(Bob=(PEER_LOST, "Alice"))


@case(8, "never, in the private directory", "S")
def listener_never_ipc(stage: Stage) -> None:
    stage.start("Bob", "--connect-timeout", "1", plain=True)
    stage.stopped(Bob=(PEER_LOST, "Alice"))


@case(8, "something else listens and says nothing", "S")
def listener_mute(stage: Stage) -> None:
    proxy = stage.proxy()
    proxy.hole(None)
    stage.start("Alice", "--connect-timeout", "3")
    stage.start("Bob", "--connect-timeout", "3")
    stage.stopped(Alice=(PEER_LOST, "Bob"), Bob=(PEER_LOST, "Alice"))


@case(9, "one of two", "S", ends=(PY, C), short=True)
def dialler_never(stage: Stage) -> None:
    stage.start("Alice", "--connect-timeout", "1")
    stage.stopped(Alice=(PEER_LOST, "Bob"))


@case(9, "one of three: the others stop as well", "S")
def dialler_never_trio(stage: Stage) -> None:
    stage.play = "trio"
    stage.start("Alice", "--connect-timeout", "2", "--count", "20000", "--pace", "1")
    stage.start("Bob", "--connect-timeout", "2")
    stage.stopped(Alice=(PEER_LOST, "Carol"), Bob=(PEER_LOST, "Carol"))


# --- 36: the end ---

for _side in ("dialler", "listener"):
    @case(36, f"nothing of the {_side} comes any more behind its END", "C or says", deadline=40)
    def end_lost(stage: Stage, side: str = _side) -> None:
        """Both have all messages; who cannot know says so, and nobody waits for ever.

        If the other's END was first, its acknowledgement has come, and both know.
        """
        mark = b"CHZ1\x09"
        proxy = stage.proxy(lambda number: Cut(side, 0, "swallow", mark))
        stage.start_all("--count", "12")
        for player, ended in zip(stage.players, stage.wait()):
            if ended.status and "not confirmed" not in ended.err:
                raise Failed(f"{player.name} ended with {ended.status}{stage.complaints()}")
        several_connections(proxy, 0)


@case(40, "random faults of the proxy, one after the other", "C", deadline=60, ends=ALL)
def random_faults(stage: Stage) -> None:
    names = tuple(each for each in FAULTS if each not in ("hole", "silent"))
    while_streaming(stage, lambda proxy: play(proxy, random_script(7, 12, 5.0, names)))
