"""Endpoints with keys, and what sockets do when something is wrong: each ends with a sentence."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import unittest
from unittest import mock

import zmq
from ports import HAS_IPV6, free_port
from programs import end, text
from pychoral import keygen, wire
from pychoral.channel import Channel
from pychoral.errors import ChannelError, UsageError
from pychoral.frame import HEADS, HELLO, NO_SESSION, Greeting, pack_header, write_greeting
from pychoral.manifest import read_key, read_manifest
from pychoral.report import Reporter
from pychoral.role import Role
from pychoral.sockets import Limits, SocketTransport
from pychoral.window import Config
from pychoral.zap import Zap
from test_processes import Processes

ROLES = ("Buyer", "Seller")


class WithKeys(Processes):
    def setUp(self) -> None:
        super().setUp()
        self.keys = self.folder.path / "keys"
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.make_keys(self.keys)

    def make_keys(self, folder: "os.PathLike[str]") -> None:
        addresses = [f"Buyer={self.address}", f"Seller=tcp://127.0.0.1:{free_port()}"]
        self.assertEqual(keygen.main([str(folder), *addresses]), 0)

    def given(self, *more: str) -> list[str]:
        return ["--manifest", str(self.keys / "manifest.json"), *more]


class Keys(WithKeys):
    def test_end_to_end(self) -> None:
        for buyer, seller in (
            (self.given(), self.given()),
            (["--manifest", str(self.keys)], self.given("--key", str(self.keys / "Seller.key"))),
        ):
            ends = self.both(["--item=x", *buyer], seller)
            self.assertEqual([each[0] for each in ends], [0, 0], ends)

    def test_a_secure_channel_at_the_meeting_place(self) -> None:
        """Keys are made for the run; the sockets speak CURVE."""
        for role in ("Buyer", "Seller"):
            path = self.folder.path / f"{role.lower()}.py"
            source = text(role)
            for peer in ROLES:
                source = source.replace(
                    f'channel("ch", "{peer}")', f'channel("ch", "{peer}", secure=True)'
                )
            path.write_text(source)
        buyer = self.start("buyer", "--item=x")
        meeting = self.folder.sockets / f"pychoral-{os.getuid()}"
        while not any(meeting.glob("*/0.key")):
            self.assertIsNone(buyer.poll())
        seller = self.start("seller")
        self.assertEqual((end(buyer)[0], end(seller)[0]), (0, 0))
        status, _, err = end(self.start("buyer", "--item=x", "--connect=Seller=ipc:///tmp/x"))
        self.assertEqual(status, 77)
        self.assertIn("the channel to Seller must be secure", err)

    def ends_for_keys(self, process: "subprocess.Popen[str]", known: str, guessed: str) -> None:
        """At once and knowing why; or, if the other end was the quicker to hang up each time, at
        the deadline with a guess."""
        status, _, err = end(process)
        self.assertIn((status, status == 77 and known in err, status == 75 and guessed in err),
                      [(77, True, False), (75, False, True)], err)

    def test_a_peer_without_a_key(self) -> None:
        """A plain dialler learns why at once; the listener goes on for its real peer."""
        buyer = self.start("buyer", "--item=x", *self.given())
        seller = self.start("seller", f"--connect=Buyer={self.address}", "--connect-timeout=3")
        self.ends_for_keys(seller, f"Buyer listens at {self.address} with keys",
                           "it may require keys")
        seller = self.start("seller", *self.given())
        self.assertEqual((end(buyer)[0], end(seller)[0]), (0, 0))

    def test_a_listener_without_a_key(self) -> None:
        buyer = self.start("buyer", "--item=x", f"--bind={self.address}")
        seller = self.start("seller", *self.given(), "--connect-timeout", "3")
        self.ends_for_keys(seller, f"Buyer listens at {self.address} without keys", "or none")
        buyer.send_signal(signal.SIGTERM)
        self.assertEqual(end(buyer)[0], 128 + signal.SIGTERM)

    def test_a_key_that_is_told_after_the_first_dial(self) -> None:
        """At the meeting place: who was dialled without a key may have one by now."""
        for key, is_final in ((b"k" * 40, False), (None, True)):
            keys = mock.Mock(**{"public_of.side_effect": [None, key]})
            transport = SocketTransport("Seller", Limits(), keys)
            self.addCleanup(transport.close, 0)
            port = transport.dialler("Buyer", self.address)
            port.owner = mock.Mock(came_up=False)
            port.dial()
            port._event(zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL,
                        zmq.PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
            self.assertEqual(port.owner.refused.called, is_final)

    def test_an_unknown_key(self) -> None:
        """The manifest that a dialler has is not the listener's: only the listener's counts."""
        other = self.folder.path / "other"
        self.make_keys(other)
        manifest = json.loads((other / "manifest.json").read_text())
        ours = json.loads((self.keys / "manifest.json").read_text())
        manifest["roles"][0]["public"] = ours["roles"][0]["public"]
        (other / "manifest.json").write_text(json.dumps(manifest))
        buyer = self.start("buyer", "--item=x", *self.given())
        other_keys = self.start("seller", "--manifest", str(other), "--connect-timeout", "3")
        status, _, err = end(other_keys)
        self.assertEqual(status, 77, err)
        self.assertIn("Buyer refuses the key of Seller", err)
        seller = self.start("seller", *self.given())
        self.assertEqual((end(buyer)[0], end(seller)[0]), (0, 0))

    def test_a_wrong_key_of_the_listener(self) -> None:
        other = self.folder.path / "other"
        self.make_keys(other)
        buyer = self.start("buyer", "--item=x", "--manifest", str(other))
        status, _, err = end(self.start("seller", *self.given(), "--connect-timeout", "2"))
        self.assertEqual(status, 75, err)
        self.assertIn("it may have another key than in the manifest, or none", err)
        buyer.send_signal(signal.SIGTERM)
        self.assertEqual(end(buyer)[0], 128 + signal.SIGTERM)

    def test_a_lawful_key_that_claims_another_name(self) -> None:
        """Three roles' manifest: C says that it is B, and is refused; B is served."""
        folder = self.folder.path / "three"
        names = [f"{role}={self.address}" for role in ("Buyer",)]
        names += [f"{role}=tcp://127.0.0.1:{free_port()}" for role in ("Seller", "Thief")]
        self.assertEqual(keygen.main([str(folder), *names]), 0)
        for role in ROLES:
            path = self.folder.path / f"{role.lower()}.py"
            path.write_text(text(role).replace('roles=("Buyer", "Seller")',
                                               'roles=("Buyer", "Seller", "Thief")'))
        buyer = self.start("buyer", "--item=x", "--manifest", str(folder))
        manifest = read_manifest(str(folder), ("Buyer", "Seller", "Thief"))
        context = zmq.Context()
        thief = context.socket(zmq.DEALER)
        thief.setsockopt(zmq.LINGER, 0)
        thief.curve_serverkey = manifest.roles[0].public.encode()
        thief.curve_publickey = manifest.roles[2].public.encode()
        thief.curve_secretkey = read_key(str(folder), "Thief")
        thief.connect(self.address)
        greeting = Greeting(2, 2, bytes.fromhex("ab" * 32), bytes(16), 1, 1, 1 << 20, 64, 0,
                            1 << 28, bytes(8), "Seller", "Buyer", "")
        head = pack_header(HEADS[HELLO], 0, 0, NO_SESSION, 0, 0, 64)
        thief.send(head + write_greeting(greeting))
        self.assertTrue(thief.poll(20_000))
        self.assertIn(b"the key of Thief is not that of Seller", thief.recv())
        seller = self.start("seller", "--manifest", str(folder))
        self.assertEqual((end(seller)[0], end(buyer)[0]), (0, 0))
        context.destroy(0)


class KeyFiles(WithKeys):
    def refused(self, words: str, *more: str) -> None:
        status, _, err = end(self.start("seller", *self.given(*more)))
        self.assertEqual(status, 77, err)
        self.assertIn(words, err)
        self.assertEqual(len(err.splitlines()), 1, err)

    def test_a_key_that_others_may_read(self) -> None:
        (self.keys / "Seller.key").chmod(0o644)
        self.refused("Seller.key is rejected, because others may read it; chmod 600")

    def test_a_manifest_that_others_may_write(self) -> None:
        (self.keys / "manifest.json").chmod(0o666)
        self.refused("manifest.json is rejected, because others may write it; chmod go-w")

    def test_keys_that_do_not_fit(self) -> None:
        self.refused("is the key of 'Buyer', not of Seller", "--key", str(self.keys / "Buyer.key"))
        other = self.folder.path / "other"
        self.make_keys(other)
        self.refused("does not belong to its public key in the manifest", "--key", str(other))
        self.refused("cannot be read", "--key", "/no/such")
        (self.keys / "Seller.key").write_text("nonsense\n")
        self.refused("Seller.key is not a key file, which has the lines `pychoral secret key 1`, "
                     "the role, and the key")
        (self.keys / "Seller.key").write_text("pychoral secret key 1\nSeller\nshort\n")
        self.refused("Seller.key has no key of 40 characters of Z85")

    def test_what_is_no_file(self) -> None:
        os.mkfifo(self.folder.path / "fifo", 0o600)
        self.refused("fifo is not a regular file", "--key", str(self.folder.path / "fifo"))
        self.refused("fifo is not a regular file", "--manifest", str(self.folder.path / "fifo"))

    def test_no_manifest(self) -> None:
        status, _, err = end(self.start("seller", "--key", str(self.keys)))
        self.assertEqual(status, 2)
        self.assertIn("--key needs a --manifest", err)

    def test_malformed_manifests(self) -> None:
        path = self.folder.path / "m.json"
        good = json.loads((self.keys / "manifest.json").read_text())
        role = good["roles"][0]
        for change, words in [
            ("[", "is not JSON"), ("[" * 100_000, "is not JSON"), ("[]", "version 1"),
            ({"version": 2}, "version 1"), ({"roles": 3}, "no list `roles`"),
            ({"roles": [role, role]}, "a role twice|its own key"),
            ({"roles": [{"name": "A"}]}, "no string `address` of A"),
            ({"roles": [{**role, "public": "short"}]}, "40 characters"),
            ({"roles": [{**role, "public": "#" * 40}]}, "40 characters"),
            ({"roles": [{**role, "public": "~" * 40}]}, "40 characters"),
            ({"limits": {"x": 1}}, "a limit 'x', which is not one of message"),
            ({"limits": {"message": 0}}, "`message`"),
            ({"limits": {"message": (1 << 28) + 1}}, "`message`"),
            ({"limits": {"window_messages": (1 << 20) + 1}}, "`window_messages`"),
            ({"limits": {"message": True}}, "`message`"), ({"run": 3}, "is not a string"),
            ({"run": "\ud800"}, "is not UTF-8 text"), ({"run": "a\0b"}, "has a NUL"),
        ]:  # fmt: skip
            with self.subTest(words):
                path.write_text(change if isinstance(change, str) else
                                json.dumps({**good, **change}))
                with self.assertRaisesRegex((UsageError, ChannelError), words):
                    read_manifest(str(path), ROLES)

    def test_other_roles(self) -> None:
        with self.assertRaisesRegex(ChannelError, "has the roles Buyer, Seller, but the program "
                                    "has Buyer, Other"):
            read_manifest(str(self.keys), ("Buyer", "Other"))


class Reports(Processes):
    def silent_seller(self) -> None:
        self.folder.write(seller=text("Seller", "\ndef main(ch, *rest):\n    input()\n"))

    def test_status_on_a_signal(self) -> None:
        self.silent_seller()
        seller = self.start("seller")
        buyer = self.start("buyer", "--item=x", "--log-level=info")
        self.assertIn("Buyer: link to Seller: up", buyer.stderr.readline())
        deadline = time.monotonic() + 30
        said = ""
        while "Seller answers; it computes; sent 1 (1 ack" not in said:
            self.assertLess(time.monotonic(), deadline, said)
            time.sleep(0.5)
            buyer.send_signal(signal.SIGUSR1)
            said = buyer.stderr.readline()
            if said.startswith("Buyer: waits"):
                waits = r"^Buyer: has been waiting \d+ s for Offer from Seller \(deal.pyc:7\)"
                self.assertRegex(said, waits)
                said = buyer.stderr.readline()
        end(seller, "\n")
        self.assertEqual(end(buyer)[0], 75)

    def test_lines_for_programs(self) -> None:
        self.silent_seller()
        log = self.folder.path / "log.json"
        seller = self.start("seller")
        status, _, _ = end(
            self.start("buyer", "--item=x", "--timeout=0.5", "--log-json", str(log))
        )
        self.assertEqual(status, 75)
        end(seller, "\n")
        notes = [json.loads(line) for line in log.read_text().splitlines()]
        failed = [each for each in notes if each["event"] == "failed"]
        self.assertEqual(len(failed), 1)
        note = failed[0]
        self.assertEqual((note["role"], note["peer"], note["site"], note["source"]),
                         ("Buyer", "Seller", 2, "deal.pyc:7"))
        self.assertEqual((note["status"], note["awaited"]), (75, "for Offer from Seller"))
        self.assertEqual(note["links"][0]["sent"], 1)
        for each in notes:
            self.assertRegex(each["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        pong = note["links"][0]["pong"]
        self.assertTrue(pong is None or pong["age"] >= 0 and "a" < pong["state"] < "z", pong)

    def test_levels(self) -> None:
        _, _, err = end(self.start("buyer", "--item=x", "--timeout=0.3", "--log-level=nothing"))
        self.assertIn("--log-level takes one of error, warning, info, debug", err)
        buyer = self.start("buyer", "--item=x", "--log-level=info")
        seller = self.start("seller")
        self.assertRegex(end(buyer)[2], r"Buyer: link to Seller: up \(incarnation \d+\)")
        self.assertEqual(end(seller)[2], "")

    def test_history(self) -> None:
        path = self.folder.path / "history"
        buyer = self.start("buyer", "--item=x", "--history", str(path))
        seller = self.start("seller")
        self.assertEqual((end(buyer)[0], end(seller)[0]), (0, 0))
        notes = [json.loads(line) for line in path.read_text().splitlines()]
        self.assertEqual([each["event"] for each in notes],
                         ["begin", "sent", "taken", "sent", "taken"])


class Forbidden(Processes):
    def test_fork_and_threads(self) -> None:
        for body, words in [
            ("import os\ndef main(ch, *rest):\n    pid = os.fork()\n"
             "    if pid == 0:\n        ch.com('a book')\n"
             "    os.waitpid(pid, 0)\n    raise ValueError('the parent goes on')\n",
             "a process that Buyer has forked uses its channels"),
            ("import threading\ndef main(ch, *rest):\n"
             "    thread = threading.Thread(target=lambda: ch.com('a book'))\n"
             "    thread.start()\n    thread.join()\n    raise ValueError('main goes on')\n",
             "another thread of Buyer uses its channels"),
        ]:
            self.folder.write(buyer=text("Buyer", body))
            buyer, seller = self.both(["--item=x"], ["--timeout=20"])
            self.assertEqual((buyer[0], seller[0]), (1, 75), buyer[2])
            self.assertIn(words, buyer[2])
            self.assertIn("goes on", buyer[2])
            self.assertIn("Buyer stopped: ValueError", seller[2])

    def test_interrupted_in_a_wait_others_are_told(self) -> None:
        self.folder.write(seller=text("Seller", "\ndef main(ch, *rest):\n    ch.com(expect=str)\n"
                                                "    ch.com(expect=int)\n"))
        buyer = self.start("buyer", "--item=x", "--log-level=info")
        seller = self.start("seller")
        self.assertIn("Buyer: link to Seller: up", buyer.stderr.readline())
        time.sleep(0.5)
        buyer.send_signal(signal.SIGTERM)
        self.assertEqual(end(buyer)[0], 128 + signal.SIGTERM)
        status, _, err = end(seller)
        self.assertEqual(status, 75)
        self.assertIn("but Buyer stopped: interrupted by SIGTERM", err)


class Addresses(Processes):
    def test_ipv6(self) -> None:
        if not HAS_IPV6:
            self.skipTest("this machine has no IPv6")
        address = f"tcp://[::1]:{free_port()}"
        buyer, seller = self.both(["--item=x", f"--bind={address}"], [f"--connect=Buyer={address}"])
        self.assertEqual((buyer[0], seller[0]), (0, 0), buyer[2] + seller[2])

    def test_names(self) -> None:
        address = f"tcp://localhost:{free_port()}"
        buyer, seller = self.both(["--item=x", f"--bind={address}"], [f"--connect=Buyer={address}"])
        self.assertEqual((buyer[0], seller[0]), (0, 0), buyer[2] + seller[2])

    def test_a_stale_socket_file_is_replaced(self) -> None:
        path = self.folder.path / "here"
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(str(path))
        self.assertTrue(path.exists())
        buyer, seller = self.both(
            ["--item=x", f"--bind=ipc://{path}"], [f"--connect=Buyer=ipc://{path}"]
        )
        self.assertEqual((buyer[0], seller[0]), (0, 0), buyer[2] + seller[2])

    def refused(self, address: str, words: str) -> None:
        status, _, err = end(self.start("buyer", "--item=x", f"--bind={address}"))
        self.assertEqual(status, 2, err)
        self.assertIn(f"cannot listen at {address}", err)
        self.assertIn(words, err)

    def test_places_that_are_taken(self) -> None:
        path = self.folder.path / "here"
        with socket.socket(socket.AF_UNIX) as busy:
            busy.bind(str(path))
            busy.listen()
            self.refused(f"ipc://{path}", "a program listens there already")
        with socket.socket() as busy:
            busy.bind(("127.0.0.1", 0))
            busy.listen()
            address = f"tcp://127.0.0.1:{busy.getsockname()[1]}"
            self.refused(address, "another program uses this address")

    def test_a_host_that_is_no_name(self) -> None:
        """Loopback by its looks: it is tried without keys."""
        self.refused("tcp://127..1:5123", "its host is not a name")

    def test_a_path_that_is_too_long(self) -> None:
        self.refused(f"ipc://{self.folder.path}/{'d' * 110}", "longer than 107 bytes")

    def test_another_machine_only_with_keys_or_on_request(self) -> None:
        status, _, err = end(
            self.start("buyer", "--item=x", "--connect=Seller=tcp://192.0.2.1:5000")
        )
        self.assertEqual(status, 77)
        self.assertIn("give --manifest and --key, or give --plain", err)


class Threads(unittest.TestCase):
    """A thread that the system refuses is said, and leaves nothing open."""

    def setUp(self) -> None:
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.addCleanup(self.context.term)
        refuses = mock.patch("threading.Thread.start", side_effect=RuntimeError("no thread"))
        refuses.start()
        self.addCleanup(refuses.stop)

    def test_keys(self) -> None:
        with self.assertRaises(ChannelError) as caught:
            Zap(self.context, lambda key: None)
        self.assertEqual(str(caught.exception), "cannot start the thread that checks the keys of "
                         "peers: not enough memory or processes")

    def test_connections(self) -> None:
        transport = SocketTransport("A", Limits(), None, self.context)
        role = Role("A", transport, wire.Codec(wire.TypeTable()), Reporter("A"))
        self.addCleanup(transport.close, 0.0)
        with (mock.patch.object(role, "links", {"B": mock.Mock()}),
              mock.patch.object(role, "_wait"), mock.patch.object(role, "_begin_together"),
              self.assertRaises(ChannelError) as caught):
            role.open()
        self.assertEqual(str(caught.exception), "cannot start the thread that serves the "
                         "connections: not enough memory or processes")


class InProcess(unittest.TestCase):
    def test_two_roles_over_inproc(self) -> None:
        """Two roles of one process share a context; both are served by one thread here."""
        context = zmq.Context()
        limits = Limits()
        transports = {me: SocketTransport(me, limits, None, context) for me in "AB"}
        roles = {}
        for me, peer in ("AB", "BA"):
            roles[me] = Role(me, transports[me], wire.Codec(wire.TypeTable()), Reporter(me))
        transports["A"].listen("inproc://a", False)
        roles["A"].add(transports["A"].expect("B", "inproc://a"),
                       Config("A", "B", False, bytes(32), ""))
        roles["B"].add(transports["B"].dialler("A", "inproc://a"),
                       Config("B", "A", True, bytes(32), ""))
        links = {"A": roles["A"].links["B"], "B": roles["B"].links["A"]}
        for me, link in links.items():
            link.machine.start(roles[me].now())
        while not all(link.is_up for link in links.values()):
            for transport in transports.values():
                transport.wait(0.01)
        ends = {me: Channel(link) for me, link in links.items()}
        for number in range(100):
            ends["A"].com(number, site=1)
            self.assertEqual(ends["B"].com(expect=int, site=1), number)
            ends["B"].com(bytes(100_000), site=2)
            self.assertEqual(len(ends["A"].com(expect=bytes, site=2)), 100_000)
        for role in roles.values():
            role.close()
        context.term()


if __name__ == "__main__":
    sys.exit(unittest.main())
