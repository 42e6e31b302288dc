"""Faults of the system around: clocks, addresses, descriptors, ports, paths (33 to 35)."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path

from proxy import Proxy
from stage import C, HERE, PEER_LOST, PY, REFUSED, Failed, Skipped, Stage

from ports import free_port
from registry import case


# --- 33: clocks ---

def shim(stage: Stage) -> str:
    library = stage.path / "clockshim.so"
    done = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library),
                           str(HERE / "clockshim.c")], capture_output=True, text=True)
    if done.returncode:
        raise Skipped(f"no C compiler for the clock: {done.stderr.strip()[:200]}")
    return str(library)


@case(33, "the wall clock jumps by a day, forth and back", "C", ends=(PY, C), short=True)
def clock(stage: Stage) -> None:
    library = shim(stage)
    proxy = stage.proxy()
    stop = stage.path / "stop"
    stage.start("Alice", "--until", str(stop), "--pace", "1", LD_PRELOAD=library)
    stage.start("Bob", LD_PRELOAD=library)
    stage.until_taken("Bob")
    for _ in range(4):
        stage.sleep(0.7)
        proxy.rst()
    stop.touch()
    stage.carried_on()


@case(33, "all asleep for six seconds", "C", deadline=40, ends=(PY, C))
def asleep(stage: Stage) -> None:
    stop = stage.path / "stop"
    players = stage.start_all("--lost-after", "3", Alice=["--until", str(stop), "--pace", "1"])
    stage.until_taken("Bob")
    for each in players:
        each.signal(signal.SIGSTOP)
    stage.sleep(6.0)
    for each in players:
        each.signal(signal.SIGCONT)
    stage.sleep(1.0)
    stop.touch()
    for player, ended in zip(players, stage.wait()):
        if ended.status not in (0, PEER_LOST):
            raise Failed(f"{player.name} ended with {ended.status}{stage.complaints()}")
    if any(each.status for each in stage.wait()):
        stage.stopped(Alice=(PEER_LOST, "Bob"))
    else:
        stage.carried_on()


# --- 34: addresses ---

def with_hosts(stage: Stage, hosts: Path) -> list[str]:
    """A prefix that gives a process a file of host names of its own."""
    words = f"mount --bind {hosts} /etc/hosts && exec \"$@\""
    flags = ["-m"] if os.geteuid() == 0 else ["-rm"]
    probe = stage.run("probe", ["unshare", *flags, "sh", "-c", words, "sh", "true"])
    stage.wait(probe)
    stage.players.remove(probe)
    if probe.ended and probe.ended.status:
        raise Skipped(f"mount namespaces are not allowed here: {probe.ended.err.strip()}")
    return ["unshare", *flags, "sh", "-c", words, "sh"]


@case(34, "the listener's name means another address", "C", ends=(PY, C))
def moved(stage: Stage) -> None:
    stage.make_keys()
    hosts = stage.path / "hosts"
    hosts.write_text("127.0.0.2 alice.test\n")
    prefix = with_hosts(stage, hosts)
    port, target = free_port(), stage.address("Alice")
    real = ("127.0.0.1", int(target.rpartition(":")[2]))
    stage.seen_from["Bob", "Alice"] = f"tcp://alice.test:{port}"
    stop = stage.path / "stop"
    first = Proxy(("127.0.0.2", port), real)
    try:
        stage.start("Alice", "--until", str(stop), "--pace", "1")
        stage.start("Bob", prefix=prefix)
        stage.until_taken("Bob")
    finally:
        hosts.write_text("127.0.0.3 alice.test\n")
        first.close()
    stage.proxies.append(Proxy(("127.0.0.3", port), real))
    stage.until(lambda: stage.proxies[-1].accepted, "dialled at the new address")
    stage.sleep(0.3)
    stop.touch()
    stage.carried_on()


@case(34, "a name that does not resolve", "S", deadline=40, ends=(PY, C))
def unresolved(stage: Stage) -> None:
    stage.make_keys()
    stage.seen_from["Bob", "Alice"] = "tcp://nobody.invalid:21000"
    stage.start("Bob", "--connect-timeout", "2")
    stage.stopped(Bob=((PEER_LOST, 2, REFUSED), "Alice", "does not resolve"))


@case(34, "a name that resolves after a while", "C", deadline=40, ends=(PY, C))
def resolved_later(stage: Stage) -> None:
    stage.make_keys()
    hosts = stage.path / "hosts"
    hosts.write_text("127.0.0.1 localhost\n")
    prefix = with_hosts(stage, hosts)
    port = stage.address("Alice").rpartition(":")[2]
    stage.seen_from["Bob", "Alice"] = f"tcp://alice.test:{port}"
    stage.start("Alice", "--count", "50")
    stage.start("Bob", prefix=prefix)
    stage.sleep(1.5)
    hosts.write_text("127.0.0.1 alice.test\n")
    stage.carried_on()


@case(34, "a port that is none", "S", ends=(PY, C), short=True)
def no_port(stage: Stage) -> None:
    """libzmq takes some of them for another port."""
    for address in ("tcp://127.0.0.1:99999", "tcp://127.0.0.1:65536", "tcp://127.0.0.1:0",
                    "tcp://127.0.0.1:*", "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://[::1]",
                    "tcp://127.0.0.1:80x", "tcp://:21000", "tcp://:"):
        wrong = "has no host" if address == "tcp://:21000" else "from 1 to 65535"
        stage.base["Alice"] = address
        stage.start("Alice", "--connect-timeout", "2")
        stage.start("Bob", "--connect-timeout", "2")
        stage.start("Bob", "--connect", f"Alice={address}", name="Bob2", plain=True)
        stage.stopped(Alice=((2, REFUSED), wrong), Bob=((2, REFUSED), wrong), Bob2=(2, wrong))
        stage.players.clear()


@case(34, "a key that stands twice in a file", "S", ends=(PY, C), short=True)
def key_twice(stage: Stage) -> None:
    manifest = stage.manifest("Alice")
    text = manifest.read_text().replace('"run": ""', '"run": "", "run": "other"')
    manifest.write_text(text)
    config = stage.path / "config.json"
    config.write_text('{"timeout": 1, "connect": {}, "timeout": 20}')
    stage.start("Alice", "--connect-timeout", "2", manifest=manifest)
    stage.start("Bob", "--config", str(config), "--connect-timeout", "2")
    stage.stopped(Alice=((2, REFUSED), "twice", "Alice.json"), Bob=(2, "twice", "config.json"))


# --- 35: descriptors, ports, paths ---

@case(35, "few descriptors from the start", "C or S", deadline=60, ends=(PY, C), short=True)
def few_descriptors(stage: Stage) -> None:
    """As many as are needed, or a sentence that says what is lacking."""
    for limit in (5, 8, 10, 12, 14, 18):
        with Stage(20, stage.ends, stage.programs) as again:
            alice = again.start("Alice", "--connect-timeout", "4", "--lost-after", "2")
            bob = again.start("Bob", "--connect-timeout", "2", history=False,
                              prefix=["prlimit", f"--nofile={limit}"])
            ended = again.wait(bob)[0]
            if ended.status == 0:
                again.carried_on()
            elif ended.status < 0 or not any(
                    each in ended.err for each in ("escriptor", "open files")):
                raise Failed(f"{limit} descriptors: {ended.status}{again.complaints()}")
            alice.kill()


@case(35, "descriptors used up by the role's own code, then a cut", "C or S", deadline=40,
      ends=(PY,))
def used_up(stage: Stage) -> None:
    proxy = stage.proxy()
    stage.start("Alice", "--count", "3000", "--pace", "1", "--lost-after", "3")
    stage.start("Bob", "--act", "files", "--lost-after", "3", prefix=["prlimit", "--nofile=100"])
    stage.until_taken("Bob", 20)
    proxy.rst()
    ended = stage.wait(stage.player("Bob"))[0]
    stage.wait()
    if ended.status == 0:
        stage.carried_on()
    elif "escriptor" not in ended.err and "open files" not in ended.err:
        raise Failed(f"Bob does not say why{stage.complaints()}")


@case(35, "port taken", "S", ends=(PY, C), short=True)
def port_taken(stage: Stage) -> None:
    host, _, port = stage.address("Alice").removeprefix("tcp://").rpartition(":")
    with socket.create_server((host, int(port))):
        stage.start("Alice", "--connect-timeout", "2")
        stage.stopped(Alice=((2, REFUSED, PEER_LOST), "in use|another program", port))


@case(35, "an address of another machine", "S", ends=(PY, C))
def not_ours(stage: Stage) -> None:
    stage.make_keys()
    stage.base["Alice"] = "tcp://192.0.2.1:21000"
    stage.start("Alice", "--connect-timeout", "2")
    stage.stopped(Alice=((2, REFUSED, PEER_LOST), r"192\.0\.2\.1"))


@case(35, "path of an ipc socket too long", "S", ends=(PY, C))
def long_path(stage: Stage) -> None:
    folder = stage.path / "run" / ("x" * 120)
    folder.mkdir(mode=0o700)
    stage.base["Alice"] = f"ipc://{folder}/Alice.sock"
    stage.start("Alice", "--connect-timeout", "2")
    stage.stopped(Alice=((2, REFUSED, PEER_LOST), "long"))


@case(35, "private directory with a long path: another is taken", "C", ends=(PY, C))
def long_directory(stage: Stage) -> None:
    folder = stage.path / ("x" * 120)
    folder.mkdir(mode=0o700)
    for role in ("Alice", "Bob"):
        stage.start(role, "--run", stage.path.name, plain=True, XDG_RUNTIME_DIR=str(folder))
    stage.carried_on()


@case(35, "stale ipc socket file", "C", ends=(PY, C), short=True)
def stale(stage: Stage) -> None:
    stage.scheme = "ipc"
    path = stage.address("Alice").removeprefix("ipc://")
    with socket.socket(socket.AF_UNIX) as old:
        old.bind(path)
    stage.start_all("--count", "30")
    stage.carried_on()


@case(35, "stale files in the private directory after a kill", "C", ends=(PY, C))
def stale_directory(stage: Stage) -> None:
    old = [stage.start(role, plain=True, name=f"old{role}", history=False)
           for role in ("Alice",)]
    stage.sleep(1.0)
    for each in old:
        each.kill()
    stage.wait(*old)
    players = [stage.start(role, "--count", "30", plain=True) for role in ("Alice", "Bob")]
    stage.carried_on(*players)


# --- 35: what is written beside the run ---

OBSERVING = ("--history", "--trace", "--log-json", "--show", "--watch")


@case(35, "no room for what is written about the run", "C", ends=(PY, C), short=True)
def no_room(stage: Stage) -> None:
    options = ["--history", "/dev/full", "--log-json", "/dev/full", "--log-level", "info"]
    stage.start("Alice", "--count", "30", *options, history=False)
    stage.start("Bob", "--count", "30")
    stage.carried_on()
    said = stage.player("Alice").err.read_text()
    for what in ("history", "log"):
        if said.count(f"Alice: the {what} ") != 1 or said.count("No space left on device") != 2:
            raise Failed(f"Alice does not say once what lacks{stage.complaints()}")


@case(35, "what is written about the run is private, and not behind a link", "S", ends=(PY, C),
      short=True)
def private_files(stage: Stage) -> None:
    words = {option: str(stage.path / f"{option[2:]}.json") for option in OBSERVING}
    stage.start("Alice", "--count", "30", *(part for pair in words.items() for part in pair),
                history=False)
    stage.start("Bob", "--count", "30", history=False)
    stage.carried_on()
    for option, name in words.items():
        if Path(name).stat().st_mode & 0o777 != 0o600:
            raise Failed(f"{name} has the mode {Path(name).stat().st_mode:o}")
        link = stage.path / f"link{option[2:]}.json"
        link.symlink_to(name)
        alice = stage.start("Alice", option, str(link), name=option[2:], history=False)
        stage.wait(alice)
        if alice.ended is None or alice.ended.status != 2 or "it is a link" not in alice.ended.err:
            raise Failed(f"{option}: {stage.complaints()}")


@case(35, "files about the run that grow to their limit", "C", ends=(PY, C))
def no_more_room(stage: Stage) -> None:
    trace = stage.path / "trace.json"
    stage.start("Alice", "--count", "300", "--trace", str(trace), history=False,
                prefix=["prlimit", "--fsize=5000"])
    stage.start("Bob", "--count", "300")
    stage.carried_on()
    said = stage.player("Alice").err.read_text()
    if said.count("Alice: the trace ") != 1 or "File too large" not in said:
        raise Failed(f"Alice does not say once what lacks{stage.complaints()}")


@case(35, "a FIFO for what is written, and nobody reads it", "S", ends=(PY, C), short=True)
def fifo(stage: Stage) -> None:
    for option in OBSERVING:
        path = stage.path / f"{option[2:]}.log"
        os.mkfifo(path)
        alice = stage.start("Alice", option, str(path), name=option[2:], history=False)
        stage.wait(alice)
        ended = alice.ended
        if ended is None or ended.status != 2 or "no program reads" not in ended.err:
            raise Failed(f"{option}: {stage.complaints()}")


@case(35, "a FIFO whose reader stops reading", "C", ends=(PY, C))
def full_fifo(stage: Stage) -> None:
    path = stage.path / "trace.log"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        stage.start("Alice", "--count", "3000", "--trace", str(path), history=False)
        stage.start("Bob", "--count", "3000")
        stage.carried_on()
    finally:
        os.close(reader)
    if stage.player("Alice").err.read_text().count("Alice: the trace ") != 1:
        raise Failed(f"Alice does not say once what lacks{stage.complaints()}")
