"""Fault 40: any two of the others at once, by seed. FAULTS_SEEDS is FIRST:COUNT."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable

from proxy import Proxy
from stage import C, C_PY, PEER_LOST, PY, PY_C, REFUSED, Failed, Stage

from case_strangers import _JUNK, throw
from registry import case

MEND = ("fin", "rst", "down", "hole", "swallow", "split", "silent", "delay", "throttle", "freeze",
        "signals", "junk")
END = ("kill", "terminate", "raise")


def do(stage: Stage, proxy: Proxy, name: str, chance: random.Random) -> None:
    """One fault; returns when it has been made."""
    victim = stage.player(chance.choice(("Alice", "Bob")))
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
        for _ in range(20):
            victim.signal(signal.SIGUSR1)
    elif name == "junk":
        throw(stage, chance.choice(list(_JUNK.values())), 3)
    elif name == "kill":
        victim.signal(signal.SIGKILL)
    elif name == "terminate":
        victim.signal(signal.SIGTERM)


def two_at_once(seed: int) -> Callable[[Stage], None]:
    chance = random.Random(seed)
    names = [chance.choice(MEND), chance.choice(MEND if chance.random() < 0.8 else END)]
    play = chance.choice(("stream", "upstream"))
    size = chance.choice((10, 1000, 20_000))

    def work(stage: Stage) -> None:
        stage.play = play
        # For the junk's sake the listener of both plays is where it expects it.
        listener = "Alice" if play == "stream" else "Bob"
        stage.base["Alice"] = stage.base["Bob"] = stage.address(listener)
        proxy = stage.proxy()
        stop = stage.path / "stop"
        own = {"Bob": ["--act", "raise", "--at", "300"]} if "raise" in names else {}
        stage.start_all("--size", str(size), "--lost-after", "4", "--connect-timeout", "8",
                        Alice=["--until", str(stop), "--count", "400", "--pace", "1"], **own)
        stage.until(lambda: proxy.accepted, "connected")
        end = time.monotonic() + 3
        while time.monotonic() < end and not any(each.poll() for each in stage.players):
            for name in chance.sample(names, 2):
                do(stage, proxy, name, chance)
            stage.sleep(chance.uniform(0, 0.4))
        proxy.rate, proxy.delay = None, dict.fromkeys(proxy.delay, 0.0)
        stop.touch()
        ends = set(names) & set(END)
        statuses = [each.status for each in stage.wait()]
        if not ends:
            stage.carried_on()
        elif not any(statuses):
            raise Failed(f"nobody noticed{stage.complaints()}")
        else:
            allowed = (0, 1, PEER_LOST, REFUSED, 143, -9, -15)
            stage.stopped(Alice=(allowed,), Bob=(allowed,))

    work.__name__ = f"{' and '.join(names)}, {play}, {size} B"
    return work


first, count = (int(each) for each in os.environ.get("FAULTS_SEEDS", "0:10").split(":"))
for _seed in range(first, first + count):
    _work = two_at_once(_seed)
    _ends = (PY, C, C_PY, PY_C)[_seed % 4]
    case(40, f"seed {_seed}: {_work.__name__}", "C or S", deadline=60, ends=(_ends,),
                  short=_seed == first)(_work)
