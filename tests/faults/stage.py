"""What a fault case works with: a folder, addresses, proxies, processes, and verdicts on them.

Every wait ends at the case's deadline; what is still running then is killed and named as hanging.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "runner"))

from ports import free_port  # noqa: E402
from proxy import Cut, Proxy  # noqa: E402

RUNTIME = ROOT / "runtime" / "python"
CHECKER = ROOT / "tests" / "history" / "check.py"

PEER_LOST, PROTOCOL, REFUSED = 75, 76, 77
ROLES = {
    "stream": ("Alice", "Bob"), "upstream": ("Bob", "Alice"), "trio": ("Alice", "Bob", "Carol"),
    "wait": ("Alice", "Bob", "Carol"), "burst": ("Alice", "Bob"), "values": ("Alice", "Bob"),
    "branch": ("Alice", "Bob"), "dice": ("Alice", "Bob"), "whim": ("Alice", "Bob"),
}  # fmt: skip


class Failed(Exception):
    """The fault was not survived as wanted."""


class Skipped(Exception):
    """This machine cannot make the fault; says why."""


class NotBuilt(Exception):
    """What the case needs is not there yet: counted as failed."""


@dataclass
class Ended:
    """How a process ended."""

    status: int
    out: str
    err: str
    memory: int                                 # its greatest resident size, in KiB


@dataclass
class Player:
    """A process of a role, or of anything else that a case starts."""

    name: str
    process: subprocess.Popen[bytes]
    out: Path
    err: Path
    ended: Ended | None = None

    @property
    def pid(self) -> int:
        return self.process.pid

    def signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        if self.ended is None:
            os.killpg(self.pid, signal.SIGKILL)

    def says(self) -> str:
        return self.out.read_text(errors="replace") + self.err.read_text(errors="replace")

    def check_options(self) -> None:
        """An option that the runtime has not got is a part that is not built."""
        if self.ended and self.ended.status == 2 and "no option --" in self.ended.err:
            raise NotBuilt(self.ended.err.strip().splitlines()[-1])

    def poll(self) -> Ended | None:
        if self.ended is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                self.process.returncode = code
                self.ended = Ended(code, self.out.read_text(errors="replace"),
                                   self.err.read_text(errors="replace"), usage.ru_maxrss)
        return self.ended


@dataclass
class Ends:
    """In which language which role is."""

    name: str
    languages: dict[str, str] = field(default_factory=dict)

    def of(self, role: str) -> str:
        return self.languages.get(role, "py")


PY = Ends("py-py")
C = Ends("c-c", {"Alice": "c", "Bob": "c", "Carol": "c"})
C_PY = Ends("c-py", {"Alice": "c"})
PY_C = Ends("py-c", {"Bob": "c"})


class Stage:
    """The world of one case."""

    def __init__(self, deadline: float, ends: Ends = PY, programs: Path = ROOT / "build") -> None:
        self.path = Path(tempfile.mkdtemp(prefix="faults-"))
        self.deadline = time.monotonic() + deadline
        self.ends = ends
        self.programs = programs                # where the C endpoint is
        self.players: list[Player] = []
        self.proxies: list[Proxy] = []
        self.play = "stream"
        self.limits: dict[str, int] = {}
        self.scheme = "tcp"
        self.keys: dict[str, tuple[str, str]] = {}          # role: public, secret
        self.base: dict[str, str] = {}                      # role: where it listens
        self.seen_from: dict[tuple[str, str], str] = {}     # (who dials, whom): where
        (self.path / "run").mkdir(mode=0o700)

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self.players:
            player.kill()
        for player in self.players:
            while player.poll() is None:
                time.sleep(0.005)
        for proxy in self.proxies:
            proxy.close()
        shutil.rmtree(self.path, ignore_errors=True)

    # --- time ---

    def left(self) -> float:
        return self.deadline - time.monotonic()

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait for something; at the deadline the case has failed."""
        while not (value := condition()):
            if self.left() < 0:
                raise Failed(f"hang: never {what}{self.complaints()}")
            time.sleep(0.01)
        return value

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, min(seconds, self.left())))

    # --- addresses ---

    def address(self, role: str) -> str:
        if role not in self.base:
            if self.scheme == "ipc":
                self.base[role] = f"ipc://{self.path}/run/{role}.sock"
            elif self.scheme == "ipv6":
                self.base[role] = f"tcp://[::1]:{free_port()}"
            else:
                self.base[role] = f"tcp://127.0.0.1:{free_port()}"
        return self.base[role]

    def proxy(self, plan: Callable[[int], Cut | None] = lambda number: None,
              between: tuple[str, str] | None = None) -> Proxy:
        """A proxy between (who dials, who listens); by default the play's first two roles."""
        roles = ROLES[self.play]
        dials, listens = between or (roles[1], roles[0])
        target = self.address(listens)
        if self.scheme == "ipc":
            path = f"{self.path}/run/proxy{len(self.proxies)}"
            made, seen = Proxy(path, target.removeprefix("ipc://"), plan), f"ipc://{path}"
        else:
            host, _, port = target.removeprefix("tcp://").rpartition(":")
            host = host.strip("[]")
            listen = (host, free_port())
            made = Proxy(listen, (host, int(port)), plan)
            seen = target.replace(f":{port}", f":{listen[1]}")
        self.proxies.append(made)
        self.seen_from[dials, listens] = seen
        return made

    def manifest(self, role: str, **changes: Any) -> Path:
        """The manifest as `role` is to see it."""
        roles = []
        for each in ROLES[self.play]:
            entry = {"name": each,
                     "address": self.seen_from.get((role, each)) or self.address(each)}
            if each in self.keys:
                entry["public"] = self.keys[each][0]
            roles.append(entry)
        limits = {"message": 268435456, "window_messages": 1024, "window_bytes": 8388608}
        manifest = {"version": 1, "run": "", "roles": roles, "limits": {**limits, **self.limits}}
        path = self.path / f"{role}.json"
        path.write_text(json.dumps({**manifest, **changes}))
        path.chmod(0o600)
        return path

    def make_keys(self, *roles: str) -> None:
        import zmq

        for role in roles or ROLES[self.play]:
            public, secret = zmq.curve_keypair()
            self.keys[role] = public.decode(), secret.decode()

    def key_file(self, role: str, secret: str = "", mode: int = 0o600) -> Path:
        path = self.path / f"{role}.key"
        text = f"pychoral secret key 1\n{role}\n{secret or self.keys[role][1]}\n"
        path.touch(mode)
        path.chmod(mode)
        path.write_text(text)
        return path

    # --- processes ---

    def start(self, role: str, *options: str, name: str = "", prefix: Sequence[str] = (),
              manifest: Path | None = None, plain: bool = False, history: bool = True,
              own: Sequence[str] = (), **environment: str) -> Player:
        """A role's process.  `plain`: no manifest, the roles meet in the private directory."""
        name = name or role
        words = [*prefix, *(own or self.command(role)), *options]
        if not plain:
            words += ["--manifest", str(manifest or self.manifest(role))]
            if role in self.keys and "--key" not in options:
                words += ["--key", str(self.key_file(role))]
        if history:
            words += ["--history", str(self.path / f"{name}.history")]
        return self.run(name, words, **environment)

    def command(self, role: str) -> list[str]:
        if self.ends.of(role) == "py":
            return [sys.executable, str(HERE / "endpoint.py"), self.play, role]
        program = self.programs / "faults_endpoint"
        if not program.exists():
            raise NotBuilt("C endpoints are not built")
        return [str(program), self.play, role]

    def run(self, name: str, words: Sequence[str], **environment: str) -> Player:
        """Any process, in a session of its own."""
        out, err = self.path / f"{name}.out", self.path / f"{name}.err"
        with out.open("wb") as out_file, err.open("wb") as err_file:
            process = subprocess.Popen(
                list(words), stdin=subprocess.DEVNULL, stdout=out_file, stderr=err_file,
                start_new_session=True, cwd=self.path,
                env={**os.environ, "PYTHONPATH": str(RUNTIME),
                     "XDG_RUNTIME_DIR": str(self.path / "run"), **environment},
            )  # fmt: skip
        player = Player(name, process, out, err)
        self.players.append(player)
        return player

    def start_all(self, *options: str, **each: Sequence[str]) -> list[Player]:
        """All roles of the play: options for all, and for one by its name."""
        return [self.start(role, *options, *each.get(role, ())) for role in ROLES[self.play]]

    def player(self, name: str) -> Player:
        return next(each for each in reversed(self.players) if each.name == name)

    def taken(self, name: str) -> int:
        """How many messages a process has read up to now, by its history."""
        history = self.path / f"{name}.history"
        return history.read_bytes().count(b'"taken"') if history.exists() else 0

    def until_taken(self, name: str, more_than: int = 0) -> None:
        """Wait until a process has read messages, or any has ended."""
        self.until(lambda: self.taken(name) > more_than or any(p.poll() for p in self.players),
                   f"a message at {name}")

    def wait(self, *players: Player) -> list[Ended]:
        """Wait until these processes (or all) have ended by themselves."""
        wanted = players or tuple(self.players)
        while any(each.poll() is None for each in wanted):
            if self.left() < 0:
                running = [each.name for each in wanted if each.poll() is None]
                raise Failed(f"hang: {', '.join(running)}{self.complaints()}")
            time.sleep(0.01)
        for each in wanted:
            each.check_options()
        return [each.ended for each in wanted if each.ended is not None]

    # --- verdicts ---

    def complaints(self) -> str:
        """The last thing that each process said, for the person who reads the failure."""
        lines = []
        for each in self.players:
            said = [line for line in each.err.read_text(errors="replace").splitlines() if line]
            status = each.ended.status if each.ended else "running"
            lines.append(f"\n      {each.name} ({status}): " + "\n        ".join(said[-4:]))
        return "".join(lines)

    def carried_on(self, *players: Player) -> None:
        """All ended with 0, and nothing was lost, doubled or reordered."""
        wanted = players or tuple(self.players)
        for player, ended in zip(wanted, self.wait(*wanted)):
            if ended.status:
                raise Failed(f"{player.name} ended with {ended.status}{self.complaints()}")
        self.check_history(complete=True)

    def stopped(self, **wanted: Any) -> None:
        """Each role named ended with one of the statuses, and said what the patterns ask for.

        `Alice=(75, "Bob", "stream.pyc")`; a tuple of statuses for several; all other roles need
        only have ended.
        """
        self.wait()
        for name, (statuses, *patterns) in wanted.items():
            player = self.player(name)
            assert player.ended is not None
            allowed = statuses if isinstance(statuses, tuple) else (statuses,)
            if player.ended.status not in allowed:
                raise Failed(f"{name} ended with {player.ended.status}, not {statuses}"
                             + self.complaints())
            for pattern in patterns:
                if not re.search(pattern, player.ended.err):
                    raise Failed(f"{name} does not say {pattern!r}{self.complaints()}")
        for player in self.players:
            runtime = player.ended and "pychoral/" in trace_of(player.ended.err)
            if runtime and player.ended.status != 1:            # 1: the role's own code raised
                raise Failed(f"{player.name} shows a traceback of the runtime{self.complaints()}")
        self.check_history(complete=False)

    def check_history(self, complete: bool) -> None:
        files = [each for each in sorted(self.path.glob("*.history")) if each.stat().st_size]
        if not files:
            return
        done = subprocess.run(
            [sys.executable, str(CHECKER), *([] if complete else ["--incomplete"]),
             *(str(each) for each in files)], capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise Failed("history: " + (done.stdout + done.stderr).strip()[-600:])

    def texts(self) -> Iterable[str]:
        return (each.says() for each in self.players)


def trace_of(text: str) -> str:
    """The last frame of a traceback, or "": where the exception came from."""
    frames: Iterator[re.Match[str]] = re.finditer(r'^  File "([^"]+)", line', text, re.MULTILINE)
    return next((each[1] for each in reversed(list(frames))), "")
