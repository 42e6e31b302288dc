"""How soon a frozen peer is noticed, and how soon a cut connection carries messages again.

Part of bench_runtime.py. Both are times, and compared with what the intervals of the protocol
allow: heartbeat interval and timeout (ZMTP's, in libzmq's own thread), redial interval and four
round trips (handshakes of TCP, ZMTP and the link).
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "faults"), str(ROOT / "tests" / "runner")]

from ports import free_address  # noqa: E402
from proxy import Proxy  # noqa: E402

DEADLINE_S = 60
HEARTBEAT_S, TIMEOUT_S = 1.0, 3.0
REDIAL_S, TRIPS, PACE_S = 0.020, 4, 0.001


def start(command: Sequence[str], *options: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "runtime" / "python")}
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=environment)


def frozen(command: Sequence[str]) -> float:
    """Seconds from SIGSTOP at B until A says that the connection is down."""
    address = free_address()
    a = start([*command, "A"], "--bind", address, "--log-level", "debug", "--rounds", "100000000")
    b = start([*command, "B"], "--connect", f"A={address}", "--rounds", "100000000")
    watch = threading.Timer(DEADLINE_S, a.kill)
    watch.start()
    began = 0.0
    assert a.stderr is not None
    for line in a.stderr:
        if "link to B: up" in line:
            time.sleep(1.0)
            b.send_signal(signal.SIGSTOP)
            began = time.monotonic()
        elif "link to B: down" in line:
            break
    noticed = time.monotonic() - began
    watch.cancel()
    for process in (a, b):
        process.kill()
        process.communicate()
    return noticed


def cut(command: Sequence[str]) -> tuple[float, float]:
    """Through a proxy that resets the connection: how long no message came, and a round trip."""
    address = free_address()
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    seen = free_address()
    listen = (host, int(seen.rpartition(":")[2]))
    with Proxy(listen, (host, int(port))) as proxy:
        a = start([*command, "A"], "--bind", address, "--paced", "1500", "--messages", "0")
        b = start([*command, "B"], "--connect", f"A={seen}", "--paced", "1500", "--messages", "0")
        assert b.stdout is not None
        time.sleep(1.5)                         # they are there, and have made their round trips
        proxy.rst()
        out = [each.communicate(timeout=DEADLINE_S)[0] for each in (a, b)]
    found = dict(line.split() for line in "".join(out).splitlines())
    return float(found["gap"]) - PACE_S, float(found["trip"])


def judged(what: str, seconds: float, goal: float) -> bool:
    good = seconds <= goal
    print(f"{what}  {seconds * 1e3:.1f} ms <= {goal * 1e3:.1f} {'ok' if good else 'NO'}",
          flush=True)
    return good


def report(c: str, python: Sequence[str], rounds: int) -> bool:
    good = True
    for name, command in (("C", [c]), ("Python", python)):
        seconds = statistics.median(frozen(command) for _ in range(min(rounds, 3)))
        good &= judged(f"{name:8}a frozen peer is noticed after", seconds,
                       1.2 * (HEARTBEAT_S + TIMEOUT_S))
        gaps, trips = zip(*(cut(command) for _ in range(rounds)))
        good &= judged(f"{name:8}no message comes after a cut for", statistics.median(gaps),
                       2 * (REDIAL_S + TRIPS * statistics.median(trips)))
    return good
