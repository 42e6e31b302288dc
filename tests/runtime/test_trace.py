"""Traces: vector clocks that travel in messages, ShiViz and Chrome files, joining them."""

import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from pychoral import frame as wire
from pychoral import trace
from pychoral.machine import Config, Machine, Message, Sent
from pychoral.observed import observed
from pychoral.trace import Trace

ROLES = ("Alice", "Bob", "Carol")
# ShiViz's own expression for a log.
SHIVIZ = re.compile(r"(?P<event>.*)\n(?P<host>\S*) (?P<clock>\{.*\})\n")


def below(first: dict[str, int], second: dict[str, int]) -> bool:
    """Whether one clock is before another."""
    return first != second and all(second.get(role, 0) >= count for role, count in first.items())


class ClockTest(unittest.TestCase):
    def test_there_and_back(self) -> None:
        clocks: tuple[dict[int, int], ...] = ({}, {0: 1}, {2: 5, 0: (1 << 64) - 1})
        for clock in clocks:
            self.assertEqual(trace.unpack_clock(trace.pack_clock(clock)), clock)
        self.assertEqual(trace.unpack_clock(trace.pack_clock({0: 0, 1: 3})), {1: 3})

    def test_other_items_are_skipped(self) -> None:
        other = b"\x80\x01\0\3abc"
        self.assertEqual(trace.unpack_clock(other + trace.pack_clock({1: 2}) + other), {1: 2})

    def test_whatever_stands_there(self) -> None:
        clock = trace.pack_clock({0: 1, 1: 2})
        for size in range(len(clock)):
            self.assertEqual(trace.unpack_clock(clock[:size]), {})
        chance = random.Random(1)
        for _ in range(1000):
            trace.unpack_clock(chance.randbytes(chance.randint(0, 40)))

    def test_files_that_are_no_traces(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a.shiviz", "one\ntwo\nthree\nfour\n"), ("a.json", "a\nb\n"),
                               ("b.json", '[\n{"ph": "X", "args": {"clock": {}}}\n]\n')):
                path = Path(folder) / name
                path.write_text(text)
                with self.assertRaisesRegex(ValueError, f"{name} is not a trace: as its name"):
                    trace.join([path], Path(folder) / "out.json")

    def test_a_stranger_in_a_clock(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.log"
            tracer = Trace(path, "Alice", ROLES)
            extra = trace.pack_clock({0: 9, 1: 4, 77: 5})
            tracer.taken("Bob", Message(wire.DATA, 3, 0, 1, [b""], extra))
            tracer.close()
            self.assertEqual(path.read_text(),
                             'reads message 1 from Bob: a value\nAlice {"Alice": 1, "Bob": 4}\n')


class Role:
    """A role that traces, and its links to the others."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.trace = Trace(path, name, ROLES, {3: "demo.pyc:3"})
        self.links: dict[str, Machine] = {}


class Wire:
    """Carries what a machine puts out to the peer's, at once."""

    def __init__(self) -> None:
        self.out: list[tuple[Any, list[Any]]] = []

    def send(self, conn: Any, frames: list[Any]) -> None:
        self.out.append((conn, frames))

    def dial(self) -> None:
        pass

    def drop(self, conn: Any) -> None:
        pass

    def event(self, word: str, *args: Any) -> None:
        pass


class Network:
    """Three roles, a link between each two."""

    def __init__(self, folder: Path, suffix: str, tracing: tuple[str, ...] = ROLES) -> None:
        self.tracing = tracing
        self.files = [folder / f"{name}{suffix}" for name in ROLES]
        self.roles = {name: Role(name, file) for name, file in zip(ROLES, self.files)}
        self.wires: dict[tuple[str, str], Wire] = {}
        for place, first in enumerate(ROLES):
            for second in ROLES[place + 1 :]:
                self.link(first, second, False)
                self.link(second, first, True)
                self.roles[second].links[first].connected(0, 1)
        self.flow()

    def link(self, me: str, peer: str, dials: bool) -> None:
        own = Wire()
        self.wires[me, peer] = own
        config = Config(me, peer, dials, bytes(32), "r", seed=hash((me, peer)) & 0xFFFF)
        observers = [self.roles[me].trace] if me in self.tracing else []
        self.roles[me].links[peer] = observed(observers)(config, own)

    def flow(self) -> None:
        while any(own.out for own in self.wires.values()):
            for (me, peer), own in self.wires.items():
                out, own.out = own.out, []
                for conn, frames in out:
                    self.roles[peer].links[me].frame(0, conn, frames)

    def send(self, me: str, peer: str) -> None:
        assert self.roles[me].links[peer].send(0, wire.DATA, 3, 0, [b"x"]) is Sent.SENT

    def read(self, me: str) -> None:
        self.flow()
        for link in self.roles[me].links.values():
            link.take(0)

    def play(self, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(200):
            me = chance.choice(ROLES)
            if chance.random() < 0.4:
                self.send(me, chance.choice([each for each in ROLES if each != me]))
            else:
                self.read(me)
        for role in self.roles.values():
            role.trace.close()


class FileTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def joined(self, suffix: str, out: str) -> Path:
        network = Network(self.folder, suffix)
        network.play(1)
        done = subprocess.run(
            [sys.executable, "-m", "pychoral.trace", *map(str, network.files), "-o",
             str(self.folder / out)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / out

    def check_order(self, events: list[trace.Event]) -> None:
        """Each message is read behind its sending, and each role's events are in order."""
        own = dict.fromkeys(ROLES, 0)
        sends: dict[str, dict[str, int]] = {}
        reads = 0
        for event in events:
            own[event.role] += 1
            self.assertEqual(event.clock[event.role], own[event.role])
            arrow = trace.arrow_of(event)
            assert arrow is not None
            start, name = arrow
            if start:
                sends[name] = event.clock
            else:
                self.assertTrue(below(sends[name], event.clock), name)
                reads += 1
        self.assertGreater(reads, 20)

    def test_shiviz(self) -> None:
        text = self.joined(".shiviz", "all.log").read_text()
        found = list(SHIVIZ.finditer(text))
        self.assertEqual("".join(each[0] for each in found), text)
        self.check_order([trace.Event(each["host"], each["event"], json.loads(each["clock"]), 0)
                          for each in found])

    def test_chrome(self) -> None:
        items = json.loads(self.joined(".json", "all.json").read_text())
        names = {item["pid"]: item["args"]["name"] for item in items
                 if item["name"] == "process_name"}
        self.assertEqual(set(names.values()), set(ROLES))
        self.check_order([trace.Event(names[item["pid"]], item["name"], item["args"]["clock"], 0)
                          for item in items if item["ph"] == "X"])
        begun = {item["id"] for item in items if item["ph"] == "s"}
        ended = {item["id"] for item in items if item["ph"] == "f"}
        self.assertTrue(ended and ended <= begun)

    def test_one_becomes_the_other(self) -> None:
        log = self.joined(".json", "all.shiviz")
        self.check_order(list(trace.read_shiviz(log.read_text())))
        out = self.folder / "again.json"
        trace.join([log], out)
        items = json.loads(out.read_text())
        times = {item["id"]: item["ts"] for item in items if item["ph"] == "s"}
        for item in items:
            if item["ph"] == "f":
                self.assertLess(times[item["id"]], item["ts"])

    def test_a_role_that_does_not_trace(self) -> None:
        Network(self.folder, ".log", tracing=("Alice", "Carol")).play(2)
        for name in ("Alice", "Carol"):
            clocks = [event.clock for event in
                      trace.read_shiviz((self.folder / f"{name}.log").read_text())]
            self.assertTrue(all(below(*pair) for pair in zip(clocks, clocks[1:])))

    def test_a_durable_role_tells_the_same_again(self) -> None:
        stories = []
        journal: list[list[Any]] = []
        for life in (1, 2):
            path = self.folder / f"{life}.log"
            tracer = Trace(path, "Bob", ROLES)
            config = Config("Bob", "Alice", False, bytes(32), "r", durable=True, incarnation=life)
            machine = observed([tracer])(config, Wire())
            journal = journal or self.sent_by_alice()
            for frames in journal:
                machine.restore(0, frames)
            for _ in journal:
                machine.send(0, wire.DATA, 4, 0, [b"answer"])
                machine.take(0)
            tracer.close()
            stories.append(path.read_text())
        self.assertEqual(stories[0], stories[1])
        self.assertIn('Bob {"Alice": 3, "Bob": 6}', stories[0])

    def sent_by_alice(self) -> list[list[Any]]:
        """Three messages with Alice's clock, which has heard of three."""
        tracer = Trace(self.folder / "alice.log", "Alice", ROLES)
        sent = []
        for seq in (1, 2, 3):
            stamp = tracer.stamp()
            start = wire.head(wire.DATA, 0, wire.HEADER + len(stamp))
            header = wire.pack_header(start, 3, 0, bytes(8), seq, 3, 99)
            sent.append([header + stamp + b"x"])
            tracer.sent("Bob", seq, wire.DATA, 3, 0, [])
        tracer.close()
        return sent

    def test_a_trace_is_there_before_it_is_closed(self) -> None:
        for suffix, read in ((".log", trace.read_shiviz), (".json", trace.read_chrome)):
            path = self.folder / f"a{suffix}"
            tracer = Trace(path, "Bob", ROLES)
            tracer.event("begins")
            tracer.event("ends\nwith two lines")
            with self.subTest(suffix):
                self.assertEqual([event.text for event in read(path.read_text())],
                                 ["begins", "ends with two lines"])
            tracer.close()
            tracer.close()

    def test_a_torn_file(self) -> None:
        for suffix, read in ((".log", trace.read_shiviz), (".json", trace.read_chrome)):
            path = self.folder / f"a{suffix}"
            tracer = Trace(path, "Bob", ROLES)
            for number in range(3):
                tracer.event(f"step {number}")
            whole = path.read_text()
            tracer.close()
            for size in range(len(whole)):
                texts = [event.text for event in read(whole[:size])]
                with self.subTest(suffix, size=size):
                    self.assertEqual(texts, ["step 0", "step 1", "step 2"][: len(texts)])

    def test_names_of_files(self) -> None:
        with self.assertRaises(ValueError):
            Trace(self.folder / "trace.txt", "Bob", ROLES)

    def test_an_empty_trace_is_valid(self) -> None:
        tracer = Trace(self.folder / "a.json", "Bob", ROLES)
        tracer.close()
        self.assertEqual(json.loads((self.folder / "a.json").read_text()), [])


if __name__ == "__main__":
    unittest.main()
