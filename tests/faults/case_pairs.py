"""Fault 40: any two of the others at once, by seed. FAULTS_SEEDS is FIRST:COUNT."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable

from proxy import Proxy
from stage import C, C_PY, PEER_LOST, PY, PY_C, REFUSED, Failed, Player, Stage

from case_strangers import _JUNK, throw
from registry import case

MEND = ("fin", "rst", "down", "hole", "swallow", "split", "silent", "delay", "throttle", "freeze",
        "signals", "junk")
END = ("kill", "terminate", "raise")


def do(stage: Stage, proxy: Proxy, name: str, chance: random.Random, victim: Player) -> None:
    """One fault; returns when it has been made."""
    if name in ("down", "hole", "swallow", "split", "silent"):
        getattr(proxy, name)(chance.uniform(0.1, 0.9))
    elif name in ("fin", "rst"):
        getattr(proxy, name)()
    elif name == "delay":
        proxy.delay[chance.choice(("dialler", "listener"))] = chance.choice((0.0, 0.05, 0.3))
    elif name == "throttle":
        proxy.rate = chance.choice((None, 20_000.0, 200_000.0))
    elif name == "freeze":
        victim.signal(signal.SIGSTOP)
        stage.sleep(chance.uniform(0.1, 0.9))
        victim.signal(signal.SIGCONT)
    elif name == "signals":
        ready = stage.taken(victim.name) > 0    # before, SIGUSR1 ends a process
        for _ in range(20):
            victim.signal(signal.SIGUSR1 if ready else signal.SIGWINCH)
    elif name == "junk":
        throw(stage, chance.choice(list(_JUNK.values())), 3)
    elif name == "kill":
        victim.signal(signal.SIGKILL)
    elif name == "terminate":
        victim.signal(signal.SIGTERM)


def restart(stage: Stage, role: str, options: list[str]) -> None:
    """Kill a durable role and start it again."""
    lives = [each for each in stage.players if each.name.startswith(role)]
    if any(each.poll() for each in lives[-1:]):
        return                                  # it has come to its end
    lives[-1].kill()
    stage.wait(lives[-1])
    stage.start(role, *options, name=f"{role}{len(lives):02}")


def make(stage: Stage, proxy: Proxy, names: list[str], chance: random.Random,
         options: dict[str, list[str]]) -> None:
    """Both faults at once, again and again for a while."""
    end = time.monotonic() + 3
    while time.monotonic() < end:
        lives = {role: [each for each in stage.players if each.name.startswith(role)][-1]
                 for role in ("Alice", "Bob")}
        if any(each.poll() for each in lives.values()):
            break
        for name in chance.sample(names, 2):
            role = chance.choice(("Alice", "Bob"))
            if name == "restart":
                restart(stage, role, options[role])
            else:
                do(stage, proxy, name, chance, lives[role])
        stage.sleep(chance.uniform(0, 0.4))
    proxy.rate, proxy.delay = None, dict.fromkeys(proxy.delay, 0.0)


def two_at_once(seed: int) -> Callable[[Stage], None]:
    chance = random.Random(seed)
    names = [chance.choice(MEND), chance.choice(MEND if chance.random() < 0.8 else END)]
    if chance.random() < 0.25:
        names[1] = "restart"
    play = chance.choice(("stream", "upstream"))
    size = chance.choice((10, 1000, 20_000))

    def work(stage: Stage) -> None:
        stage.play = play
        listener = "Alice" if play == "stream" else "Bob"       # where junk is thrown
        stage.base["Alice"] = stage.base["Bob"] = stage.address(listener)
        proxy = stage.proxy()
        stop = stage.path / "stop"
        common = ["--size", str(size), "--connect-timeout", "8"]
        options = {role: [*common, "--lost-after", "4"] for role in ("Alice", "Bob")}
        if "restart" in names:
            for role in options:
                options[role] = [*common, "--journal", str(stage.path / f"{role}.journal")]
            options["Alice"] += ["--count", "1500", "--pace", "1"]
        else:
            options["Alice"] += ["--until", str(stop), "--count", "400", "--pace", "1"]
        if "raise" in names:
            options["Bob"] += ["--act", "raise", "--at", "300"]
        for role, own in options.items():
            stage.start(role, *own, name=f"{role}00")
        stage.until(lambda: proxy.accepted, "connected")
        make(stage, proxy, names, chance, options)
        stop.touch()
        judge(stage, names)

    work.__name__ = f"{' and '.join(names)}, {play}, {size} B"
    return work


def judge(stage: Stage, names: list[str]) -> None:
    last = {each.name[:-2]: each for each in stage.players}
    statuses = [each.status for each in stage.wait(*last.values())]
    if not set(names) & set(END):
        stage.carried_on(*last.values())
    elif not any(statuses):
        raise Failed(f"nobody noticed{stage.complaints()}")
    else:
        allowed = (0, 1, PEER_LOST, REFUSED, 143, -9, -15)
        stage.stopped(**{each.name: (allowed,) for each in last.values()})


first, count = (int(each) for each in os.environ.get("FAULTS_SEEDS", "0:10").split(":"))
for _seed in range(first, first + count):
    _work = two_at_once(_seed)
    _ends = (PY, C, C_PY, PY_C)[_seed % 4]
    case(40, f"seed {_seed}: {_work.__name__}", "C or S", deadline=60, ends=(_ends,),
                  short=_seed == first)(_work)
