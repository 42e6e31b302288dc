"""Random schedules for the machines (PROTOCOL.md section 4), with what the Python machine answers.

Two roles talk over a network that delays and cuts, restart with and without a journal, and are
given nonsense as well: junk, replayed and changed frames, crafted ones whose numbers are near the
right ones, calls that no owner would make.  `schedule(seed)` is the same for ever.  `mutated(seed)`
gives a listener frames of every kind that are changed a little, so that the verdict on each shows.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import driver  # noqa: E402
from scenes_agreed import given  # noqa: E402
from pychoral import frame as wire  # noqa: E402
from pychoral.machine import Machine, Phase  # noqa: E402

STEPS = 120

# How often things happen: deliver, program, time, cut, end, restart, craft, mangle, odd; and steps
# of time.
CALM = ((50, 45, 5, 0, 1, 0, 0, 0, 0), (1, 1, 5, 20, 25))
ROUGH = ((40, 40, 8, 5, 1, 1, 0, 0, 0), (1, 5, 20, 25, 60, 250))
CURIOUS = ((40, 30, 6, 1, 1, 0, 8, 8, 2), (1, 5, 20, 25, 60, 250))
WILD = ((34, 30, 14, 4, 2, 2, 5, 5, 3), (1, 1, 5, 20, 25, 60, 250, 600, 2100, 11000))
TEMPERS = (CALM, ROUGH, ROUGH, CURIOUS, CURIOUS, WILD)


class Tap(driver.Printer):
    """Prints what a machine asks for, and lets the world do it."""

    def __init__(self, name: str, say: Callable[[str], None], side: Side) -> None:
        super().__init__(name, say)
        self._side = side

    def send(self, conn: Hashable, frames: list[Any]) -> None:
        super().send(conn, frames)
        self._side.world.carry(self._side, conn, [bytes(each) for each in frames])

    def dial(self) -> None:
        super().dial()
        self._side.wants_connection = True


class Side:
    """One role: its machine now, and what its owner would know."""

    def __init__(self, world: World, role: str, peer: str, settings: dict[str, str]) -> None:
        self.world = world
        self.role = role
        self.peer = peer
        self.settings = settings
        self.lives = 0
        self.name = role
        self.wants_connection = False
        self.came: list[list[bytes]] = []
        self.journal: list[list[bytes]] = []
        self.stored = 0

    @property
    def machine(self) -> Machine:
        return self.world.driver.machines[self.name]


class World:
    """A schedule in the making: `lines` go in, `answers` come out."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.answers: list[str] = []
        self.driver = driver.Driver(self.answers.append)
        self.now = 0
        self.conns = 0
        self.flight: dict[tuple[int, str], list[list[bytes]]] = {}
        self.seen: list[list[bytes]] = []
        self.sides: dict[str, Side] = {}
        self.weights, self.jumps = self.random.choice(TEMPERS)
        self._settle()

    # --- the two roles ---

    def _settle(self) -> None:
        choose = self.random
        small = choose.random() < 0.7
        both = {
            "wm": str(choose.choice((1, 2, 3, 5, 8)) if small else 1024),
            "wb": str(choose.choice((1, 10, 60, 300, 9000)) if small else 8 << 20),
            "max": str(choose.choice((0, 30, 200, 5000, 5000, 1 << 28, 1 << 28))),
            "run": choose.choice(("", "r", "ein-Lauf")),
            "hash": "ab" * 32,
        }
        if choose.random() < 0.3:
            both["crc"] = "1"
        if choose.random() < 0.3:
            both["durable"] = "1"
        if choose.random() < 0.3:
            both["beats"] = "1"
        if choose.random() < 0.4:
            both |= {"connect": "400", "lost": "150", "end": "200", "time_wait": "30"}
        agreed = given(limit=4, x=["y"]) if choose.random() < 0.3 else ""
        for role, peer, dials in (("A", "B", "0"), ("B", "A", "1")):
            settings = both | {"me": role, "peer": peer, "dials": dials}
            settings["seed"] = str(choose.getrandbits(choose.choice((8, 64))))
            if choose.random() < 0.1:
                key, value = choose.choice(
                    (("wm", "4"), ("wb", "50"), ("max", "77"), ("run", "other"), ("crc", "1"),
                     ("hash", "cd" * 32), ("durable", "1"), ("peer", "Carol"), ("inc", "7")))
                settings[key] = value
            if agreed:
                settings["agreed"] = agreed if choose.random() < 0.9 else given(limit=5, x=["y"])
            self.sides[role] = Side(self, role, peer, settings)
            self.be_born(self.sides[role])

    def be_born(self, side: Side) -> None:
        """A process of the role begins, from its journal if it has one."""
        side.lives += 1
        side.name = side.role if side.lives == 1 else f"{side.role}{side.lives}"
        settings = dict(side.settings)
        if side.lives > 1 and self.random.random() < 0.9:
            settings["inc"] = str(int(settings.get("inc", "1")) + side.lives)
        words = [f"{key}={value}" for key, value in settings.items()]
        line = f"machine {side.name} {' '.join(words)}"
        self.lines.append(line)
        config = driver.configured(line.split()[2:])
        self.driver.machines[side.name] = Machine(config, Tap(side.name, self.answers.append, side))
        side.came = []
        for frames in side.journal:
            self.put(side, "restore", driver.hexed_frames(list(frames)))
        self.put(side, "start")

    def put(self, side: Side, verb: str, *args: Any) -> None:
        """An input."""
        line = " ".join([str(self.now), side.name, verb, *map(str, args)])
        self.lines.append(line)
        self.driver.line(line)

    # --- the network ---

    def carry(self, side: Side, conn: Any, frames: list[bytes]) -> None:
        self.flight.setdefault((conn, side.peer), []).append(frames)
        if len(self.seen) < 200:
            self.seen.append(frames)

    def deliver(self, conn: int, side: Side) -> None:
        """The next message in flight on a connection to a side."""
        flying = self.flight.get((conn, side.role))
        if flying:
            self.give(side, conn, flying.pop(0))

    def give(self, side: Side, conn: int, frames: list[bytes]) -> None:
        machine = side.machine
        expected = machine.expected
        self.put(side, "frame", conn, driver.hexed_frames(list(frames)))
        if machine.config.durable and machine.expected > expected:
            side.came.append(frames)

    def cut(self, conn: int) -> None:
        """What is in flight is lost from some point on; each end learns of it now or later."""
        for role in "AB":
            flying = self.flight.get((conn, role), [])
            del flying[self.random.randint(0, len(flying)) :]
            if self.random.random() < 0.7:
                self.put(self.sides[role], "lost", conn)

    # --- what may happen next ---

    def step(self) -> None:
        choose = self.random
        side = self.sides[choose.choice("AB")]
        if side.wants_connection and choose.random() < 0.8:
            side.wants_connection = False
            self.conns += 1
            self.put(side, "connected", self.conns)
            return
        choose.choices(
            (self._deliver, self._program, self._time, self._cut, self._end, self._restart,
             self._craft, self._mangle, self._odd),
            self.weights,
        )[0](side)

    def _deliver(self, side: Side) -> None:
        waiting = [key for key, flying in self.flight.items() if flying]
        if waiting:
            newest = max(waiting)
            conn, role = newest if self.random.random() < 0.6 else self.random.choice(waiting)
            for _ in range(self.random.choice((1, 1, 2, 9))):
                self.deliver(conn, self.sides[role])

    def _program(self, side: Side) -> None:
        verbs = ("send",) * 6 + ("take",) * 6 + ("stored",) * 3 + ("progress",) * 2 + ("stamp",)
        verb = self.random.choice(verbs)
        if verb == "send":
            self._send(side)
        elif verb == "take":
            self.put(side, "take")
        elif verb == "stored":
            self._stored(side)
        elif verb == "stamp":
            sizes = (0, 0, 1, 14, 300, 4096, 4097)
            self.put(side, verb, driver.hexed(self.random.randbytes(self.random.choice(sizes))))
        else:
            state = self.random.randint(0, 3)
            self.put(side, "progress", self.random.getrandbits(8), state, state * 7,
                     driver.hexed(side.peer.encode()))

    def _send(self, side: Side) -> None:
        choose = self.random
        for _ in range(choose.choice((1, 1, 1, 4))):
            if choose.random() < 0.2:
                self.put(side, "send", "SELECT", choose.randint(0, 9), choose.randint(0, 3), "-")
                continue
            sizes = [choose.choice((0, 1, 5, 10, 11, 30, 200))]
            if choose.random() < 0.03:
                sizes = [choose.choice((4095, 4096, 4097, 5001))]
            elif choose.random() < 0.1:
                sizes += [choose.choice((0, 3, 50)) for _ in range(choose.randint(1, 3))]
            frames = [choose.randbytes(1) * size for size in sizes]
            self.put(side, "send", "DATA", choose.randint(0, 9), 0, driver.hexed_frames(frames))

    def _stored(self, side: Side) -> None:
        """Some of what came is on disk now."""
        count = self.random.randint(0, len(side.came))
        if side.machine.config.durable and count:
            side.journal += side.came[:count]
            del side.came[:count]
            last = wire.parse(side.journal[-1])
            self.put(side, "stored", last.seq if last else 0)

    def _time(self, side: Side) -> None:
        self.now += self.random.choice(self.jumps)
        for name in self.random.sample("AB", self.random.randint(1, 2)):
            self.put(self.sides[name], "tick")

    def _cut(self, side: Side) -> None:
        if self.conns:
            self.cut(max(1, self.conns - self.random.choice((0, 0, 0, 1))))

    def _end(self, side: Side) -> None:
        if self.random.random() < 0.7:
            self.put(side, "end", self.random.choice((0, 1, 65535, 65536)))
        else:
            texts = (side.role, "ValueError", self.random.choice(("", "é" * 260, "no\nway")))
            self.put(side, "error", *(driver.hexed(text.encode()) for text in texts))

    def _restart(self, side: Side) -> None:
        """The process is killed and begins again; the old one may still be heard of."""
        if not side.machine.config.durable or self.random.random() < 0.1:
            side.journal = []
        if self.random.random() < 0.05 and side.journal:
            del side.journal[self.random.randrange(len(side.journal))]
        side.wants_connection = False
        self.be_born(side)

    # --- nonsense ---

    def _conn(self, side: Side) -> int:
        """A connection: mostly the one in use."""
        conn = side.machine.conn
        if isinstance(conn, int) and self.random.random() < 0.8:
            return conn
        return self.random.randint(1, self.conns + 2)

    def _odd(self, side: Side) -> None:
        """Calls that no careful owner would make."""
        verb = self.random.choice(("connected", "lost", "stored", "start", "tick", "junk"))
        if verb == "stored":
            self.put(side, verb, self.random.choice((0, 1, 3, 1 << 40)))
        elif verb in ("start", "tick"):
            self.put(side, verb)
        elif verb == "junk":
            size = self.random.choice((0, 1, 47, 48, 60, 200))
            self.give(side, self._conn(side), [self.random.randbytes(size)])
        else:
            self.put(side, verb, self._conn(side))

    def _mangle(self, side: Side) -> None:
        """A frame that was seen before, as it was or changed a little."""
        if not self.seen:
            return
        choose = self.random
        frames = list(choose.choice(self.seen[-12:]))
        place = choose.randrange(len(frames))
        data = bytearray(frames[place])
        how = choose.choice(("replay", "byte", "byte", "byte", "truncate", "longer", "header"))
        if how == "byte" and data:
            at = choose.randrange(min(len(data), 170))
            data[at] ^= 1 << choose.randrange(8)
        elif how == "truncate" and data:
            del data[choose.randrange(len(data)) :]
        elif how == "longer":
            data += choose.randbytes(choose.choice((1, 4)))
        elif how == "header" and len(data) >= 48 and not data[5]:
            extra = choose.randbytes(choose.choice((1, 12)))
            data[6:8] = (48 + len(extra)).to_bytes(2, "big")
            data[48:48] = extra
        frames[place] = bytes(data)
        if choose.random() < 0.05:
            frames.append(b"more")
        self.give(side, self._conn(side), frames)

    def _craft(self, side: Side) -> None:
        """A frame that could be right, with numbers around the right ones."""
        choose = self.random
        machine = side.machine
        kind = choose.randint(1, 10)
        own = self.sides[side.peer].machine.config
        near = (-1, 0, 0, 0, 0, 1, 2)

        def about(number: int) -> int:
            return max(0, min(number + choose.choice(near), (1 << 64) - 1))

        body = b""
        if kind in (wire.HELLO, wire.WELCOME):
            nonce = choose.randbytes(8)
            body = wire.write_greeting(
                wire.Greeting(
                    about(2), about(2), own.protocol, own.run_id, about(machine.peer_incarnation),
                    about(machine.next_seq), own.window_bytes, own.window_messages, own.durable,
                    own.max_message, nonce, side.peer, side.role, own.run))
        elif kind == wire.REFUSE:
            body = wire.write_refusal(choose.randint(0, 12), "why not")
        elif kind == wire.DATA:
            body = bytes(choose.choice((0, 1, 10, 70)))
        elif kind in (wire.PING, wire.PONG):
            body = wire.write_progress(choose.getrandbits(60), choose.randint(0, 3), side.peer)
        elif kind == wire.END:
            body = b"\0\7"
        elif kind == wire.ERROR:
            body = wire.write_failure("Carol", "OSError", "disk full")
        numbered = kind in (wire.DATA, wire.SELECT, wire.END, wire.ERROR)
        plain = kind in (wire.HELLO, wire.REFUSE)
        header = wire.pack_header(
            wire.HEADS[kind],
            choose.randint(0, 9) if kind in (wire.DATA, wire.PING) else 0,
            choose.randint(0, 3) if kind == wire.SELECT else 0,
            wire.NO_SESSION if plain else machine._session,
            max(1, about(machine.expected)) if numbered else 0,
            0 if kind == wire.REFUSE else choose.choice((machine.acked, about(machine.next_seq))),
            0 if kind == wire.REFUSE else about(machine.peer_limit))
        frames = [header + body]
        if machine._peer_crc and choose.random() < 0.9:
            frames = wire.sealed(frames, wire.HEADER)
        self.give(side, self._conn(side), frames)


def schedule(seed: int) -> tuple[list[str], list[str]]:
    """The inputs of a random schedule, and what the Python machine answers."""
    world = World(seed)
    for _ in range(world.random.randint(STEPS // 4, STEPS)):
        world.step()
    return world.lines, world.answers


# --- changed frames ---

MUTATED = 40  # frames in a schedule
CONN = 1
WORDS = (b"\0", b"\xff", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
         "é€😀".encode(), b"CHZ1", bytes(8), b"\xff" * 8)


class Mutator:
    """A listener, and frames that it would take if they were not changed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.answers: list[str] = []
        self.driver = driver.Driver(self.answers.append)
        self.now = 0
        self.name = ""

    def put(self, line: str) -> None:
        self.lines.append(line)
        self.driver.line(line)

    def run(self) -> None:
        crc = self.random.random() < 0.3
        for place in range(MUTATED):
            machine = self.driver.machines.get(self.name)
            if machine is None or machine.failed or machine.peer_ended:
                self.name = f"A{place}"
                self.put(f"machine {self.name} me=A peer=B run=r max=60 seed=1 crc={int(crc)}")
                self.put(f"{self.now} {self.name} start")
                machine = self.driver.machines[self.name]
            self.now += 1
            if machine.phase is not Phase.UP:
                self.give(self.sealed(crc, self.greeting(machine, wire.HELLO)))
            frames = self.sealed(crc, *self.frame(machine))
            for _ in range(self.random.choice((0, 1, 1, 1, 2))):
                frames = self.changed(frames)
            self.give(frames)
            self.put(f"{self.now} {self.name} take")

    def give(self, frames: list[bytes]) -> None:
        self.put(f"{self.now} {self.name} frame {CONN} {driver.hexed_frames(list(frames))}")

    def sealed(self, crc: bool, *frames: bytes) -> list[bytes]:
        return list(map(bytes, wire.sealed(list(frames), wire.HEADER))) if crc else [*frames]

    def greeting(self, machine: Machine, kind: int) -> bytes:
        own = machine.config
        body = wire.write_greeting(wire.Greeting(
            2, 2, own.protocol, own.run_id, 1, machine.next_seq, 1 << 20, 100, 0,
            own.max_message, self.random.randbytes(8), "B", "A", "r"))
        session = wire.NO_SESSION if kind == wire.HELLO else machine._session
        return wire.pack_header(wire.HEADS[kind], 0, 0, session, 0, 0, 100) + body

    def frame(self, machine: Machine) -> list[bytes]:
        """A frame that fits."""
        choose = self.random
        kind = choose.randint(1, 10)
        if kind in (wire.HELLO, wire.WELCOME):
            return [self.greeting(machine, kind)]
        text = choose.choice(("", "Bob", "Größe", "€" * 3))
        body = {
            wire.REFUSE: wire.write_refusal(9, text), wire.DATA: bytes(choose.choice((0, 1, 50))),
            wire.END: b"\0\1", wire.ERROR: wire.write_failure("B", text, text),
        }.get(kind, b"")
        if kind in (wire.PING, wire.PONG):
            body = wire.write_progress(7, choose.randint(0, 3), text)
        seq = machine.expected if kind in (wire.DATA, wire.SELECT, wire.END, wire.ERROR) else 0
        plain = kind == wire.REFUSE
        start, more = wire.HEADS[kind], []
        if kind == wire.DATA and choose.random() < 0.3:
            start, more, body = wire.head(kind, wire.MORE), [body, b"buffer"], b""
        header = wire.pack_header(
            start, choose.choice((0, 7)) if kind in (wire.DATA, wire.PING) else 0,
            choose.choice((0, 2)) if kind == wire.SELECT else 0,
            wire.NO_SESSION if plain else machine._session, seq, 0,
            0 if plain else machine.peer_limit)
        return [header + body, *more]

    def changed(self, frames: list[bytes]) -> list[bytes]:
        choose = self.random
        place = choose.randrange(len(frames))
        data = bytearray(frames[place])
        at = choose.randint(0, len(data)) if choose.random() < 0.5 else choose.randint(
            0, min(len(data), 70))
        how = choose.randrange(8)
        if how <= 2 and at < len(data):
            data[at] ^= 1 << choose.randrange(8)
        elif how == 3 and at < len(data):
            data[at] = choose.choice((0, 1, 2, 3, 10, 11, 48, 49, 127, 128, 255))
        elif how == 4:
            del data[at : at + choose.choice((1, 2, 8, 200))]
        elif how == 5:
            data[at:at] = choose.choice(WORDS)
        elif how == 6:
            word = choose.choice(WORDS)
            data[at : at + len(word)] = word
        elif choose.random() < 0.3:
            return [*frames, b"more"] if choose.random() < 0.5 else frames[:-1] or [b""]
        return [*frames[:place], bytes(data), *frames[place + 1 :]]


def mutated(seed: int) -> tuple[list[str], list[str]]:
    """A schedule of changed frames, and what the Python machine answers."""
    mutator = Mutator(seed)
    mutator.run()
    return mutator.lines, mutator.answers


if __name__ == "__main__":
    print("\n".join(schedule(int(sys.argv[1]))[0]))
