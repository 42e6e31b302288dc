"""Endpoint programs as processes over ZeroMQ: what they print, and how every run ends."""

import os
import signal
import socket
import stat
import sys
import unittest
from unittest import mock

import programs
from ports import free_address, free_port
from programs import end, folder, text
from pychoral.role import Interrupted, Role
from pychoral.signals import Signals


class Processes(unittest.TestCase):
    def setUp(self) -> None:
        context = folder()
        self.folder = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        self.started: list = []
        self.addCleanup(self.kill_all)

    def kill_all(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.communicate()

    def start(self, role: str, *arguments: str, **environment: str):
        process = self.folder.start(role, *arguments, **environment)
        self.started.append(process)
        return process

    def both(self, buyer: list[str], seller: list[str]) -> tuple:
        one, two = self.start("buyer", *buyer), self.start("seller", *seller)
        return end(one), end(two)


class GoodRuns(Processes):
    def test_default_addresses(self) -> None:
        buyer, seller = self.both(["--item", "a book"], ["--stock=5"])
        self.assertEqual(
            buyer, (0, "offered Offer(item='a book', price=10.0)\n=> 'code a book'\n", "")
        )
        self.assertEqual(seller, (0, "asked for a book\n=> 4\n", ""))
        self.assertEqual(list((self.folder.sockets / f"pychoral-{os.getuid()}").iterdir()), [])

    def test_the_other_branch(self) -> None:
        buyer, seller = self.both(["--item", "-x", "--limit", "5"], [])
        self.assertEqual(buyer[:2], (0, "offered Offer(item='-x', price=10.0)\n=> 'nothing'\n"))
        self.assertEqual(seller[1], "asked for -x\n=> 3\n")

    def test_either_may_start_first(self) -> None:
        for first, second in (("buyer", "seller"), ("seller", "buyer")):
            arguments = {"buyer": ["--item=x"], "seller": []}
            one = self.start(first, *arguments[first])
            meeting = self.folder.sockets / f"pychoral-{os.getuid()}"
            while not meeting.exists() or not any(meeting.iterdir()):
                self.assertIsNone(one.poll())
            two = self.start(second, *arguments[second])
            self.assertEqual((end(one)[0], end(two)[0]), (0, 0))

    def test_given_addresses(self) -> None:
        address = free_address()
        buyer, seller = self.both(
            ["--item=x", f"--connect=Seller={address}"], ["--bind", f"Buyer={address}"]
        )
        self.assertEqual((buyer[0], seller[0]), (0, 0), buyer[2] + seller[2])

    def test_config_file(self) -> None:
        address = f"ipc://{self.folder.path}/here"
        config = self.folder.path / "config.json"
        config.write_text('{"bind": {"Seller": "%s"}, "timeout": 20, "run": "r"}' % address)
        buyer, seller = self.both(
            ["--item=x", "--config", str(config)], [f"--connect=Buyer={address}", "--run=r"]
        )
        self.assertEqual((buyer[0], seller[0]), (0, 0), buyer[2] + seller[2])

    def test_the_last_message_reaches_a_peer_that_reads_late(self) -> None:
        self.folder.write(
            buyer=text(
                "Buyer",
                "\ndef main(ch, *rest):\n    for i in range(5000):\n        ch.com(i)\n"
                "    return 1, 2\n",
            ),
            seller=text(
                "Seller",
                "\ndef main(ch, *rest):\n    input()\n"
                "    return 1, sum([ch.com(expect=int) for i in range(5000)])\n",
            ),
        )
        buyer, seller = self.start("buyer", "--item=x"), self.start("seller")
        status, out, err = end(seller, "go\n")
        self.assertEqual((status, out), (0, f"=> {sum(range(5000))}\n"), err)
        self.assertEqual(end(buyer)[0], 0)

    def test_two_runs_at_once_by_name(self) -> None:
        first = [
            self.start("buyer", "--item=1", "--run=a"),
            self.start("buyer", "--item=2", "--run=b"),
        ]
        second = [self.start("seller", "--run=a"), self.start("seller", "--run=b")]
        self.assertEqual(
            [end(each)[1] for each in second], ["asked for 1\n=> 2\n", "asked for 2\n=> 2\n"]
        )
        self.assertEqual([end(each)[0] for each in first], [0, 0])

    def test_no_choice_of_words_is_an_escape(self) -> None:
        self.folder.write(
            seller=text(
                "Seller", "\ndef main(ch, *rest):\n    raise ValueError('\\x1b[31m red \\n line')\n"
            )
        )
        buyer, _ = self.both(["--item=x"], [])
        self.assertEqual(len(buyer[2].splitlines()), 1)
        self.assertNotIn("\x1b", buyer[2])


class BadRuns(Processes):
    def test_own_exception(self) -> None:
        self.folder.write(
            seller=text("Seller", "\ndef main(ch, *rest):\n    raise ValueError('no stock')\n")
        )
        buyer, seller = self.both(["--item=x"], [])
        self.assertEqual(seller[0], 1)
        self.assertTrue(seller[2].startswith("Traceback"))
        self.assertIn("ValueError: no stock", seller[2])
        self.assertNotIn("program.py", seller[2])
        self.assertEqual(buyer[0], 75)
        self.assertEqual(
            buyer[2],
            "Buyer: waited for Offer from Seller (deal.pyc:7), "
            "but Seller stopped: ValueError: no stock\n",
        )

    def test_what_cannot_be_sent_is_the_senders_error(self) -> None:
        self.folder.write(buyer=text("Buyer", "\ndef main(ch, *rest):\n    ch.com([1, print])\n"))
        buyer, seller = self.both(["--item=x"], [])
        self.assertEqual(buyer[0], 1)
        self.assertIn("its part `[1]` is the function print", buyer[2])
        self.assertEqual(seller[0], 75)

    def test_sys_exit_ends_the_run(self) -> None:
        self.folder.write(
            seller=text("Seller", "\ndef main(ch, *rest):\n    raise SystemExit(0)\n")
        )
        buyer, seller = self.both(["--item=x"], [])
        self.assertEqual((buyer[0], seller[0]), (75, 0))
        self.assertIn("but Seller has ended", buyer[2])

    def test_who_needs_nothing_more_from_a_failed_role_succeeds(self) -> None:
        self.folder.write(
            buyer=text("Buyer", "\ndef main(ch, *rest):\n    ch.com(1)\n    return 'done', 1\n"),
            seller=text("Seller", "\ndef main(ch, *rest):\n    raise ValueError('x')\n"),
        )
        buyer, seller = self.both(["--item=x"], [])
        self.assertEqual((buyer[0], buyer[1], seller[0]), (0, "=> 'done'\n", 1))

    def test_killed_peer(self) -> None:
        for killed in ("buyer", "seller"):
            other = "seller" if killed == "buyer" else "buyer"
            body = {
                killed: "import os\ndef main(ch, *rest):\n    ch.com(expect=int)\n"
                "    os.kill(os.getpid(), 9)\n",
                other: "\ndef main(ch, *rest):\n    ch.com(1)\n    x: int = ch.com(expect=int)\n",
            }
            self.folder.write(text("Buyer", body["buyer"]), text("Seller", body["seller"]))
            processes = {"buyer": self.start("buyer", "--item=x"), "seller": self.start("seller")}
            status, _, err = end(processes[other])
            self.assertEqual(status, 75)
            self.assertIn(f"but {killed.capitalize()}'s process died without closing the "
                          "connection", err)
            self.assertEqual(end(processes[killed])[0], -9)

    def test_stopped_peer(self) -> None:
        """It has not ended, so what ends the wait is a limit that can be set."""
        self.folder.write(seller=text("Seller", "\ndef main(ch, *rest):\n    input()\n"))
        body = "import sys\ndef main(ch, *rest):\n    print('met', flush=True)\n"
        self.folder.write(buyer=text("Buyer", body + "    ch.com(expect=int, site=1)\n"))
        seller = self.start("seller")
        buyer = self.start("buyer", "--item=x", "--lost-after=0.5")
        assert buyer.stdout is not None
        self.assertEqual(buyer.stdout.readline(), "met\n")
        seller.send_signal(signal.SIGSTOP)
        status, _, err = end(buyer)
        self.assertEqual(status, 75)
        self.assertIn("but Seller has been unreachable for 0.5 s (--lost-after)\n", err)
        seller.kill()
        end(seller)

    def test_what_cannot_be_sent(self) -> None:
        """The sentence says where in the choreography; no code of the runtime is shown."""
        body = "\ndef main(ch, *rest):\n    ch.com([print], site=1)\n"
        self.folder.write(seller=text("Seller", body))
        _, seller = self.both(["--item=x"], [])
        self.assertEqual(seller[0], 1)
        said = "the value cannot be sent: its part `[0]` is the function print (deal.pyc:5)"
        self.assertIn(f"NotSendable: {said}\n", seller[2])
        self.assertEqual(seller[2].count("  File "), 1, seller[2])

    def test_absent_peer(self) -> None:
        for role, peer in (("buyer", "Seller"), ("seller", "Buyer")):
            arguments = ["--item=x"] if role == "buyer" else []
            status, _, err = end(self.start(role, *arguments, "--timeout=0.5"))
            self.assertEqual(status, 75)
            self.assertIn(f"waited 0.5 s for {peer} to start, but no connection to {peer} was "
                          "made at ipc://", err)

    def test_silent_peer(self) -> None:
        self.folder.write(seller=text("Seller", "\ndef main(ch, *rest):\n    input()\n"))
        seller = self.start("seller")
        status, _, err = end(self.start("buyer", "--item=x", "--timeout=0.5"))
        self.assertEqual(status, 75)
        said = "Buyer: waited 0.5 s (--timeout) for Offer from Seller (deal.pyc:7); Seller "
        self.assertIn(said, err)
        end(seller, "\n")

    def test_another_projection(self) -> None:
        self.folder.write(seller=text("Seller", protocol="cd" * 32))
        address = f"ipc://{self.folder.path}/here"
        buyer, seller = self.both(
            ["--item=x", f"--bind=Seller={address}"], [f"--connect=Buyer={address}"]
        )
        for status, _, err in (buyer, seller):
            self.assertEqual(status, 76)
            self.assertIn("rebuild both from the same source", err)

    def test_a_refusal_is_read_though_the_connection_has_ended(self) -> None:
        """With RECONNECT_IVL -1 libzmq forgot it, in two runs of five."""
        self.folder.write(seller=text("Seller", protocol="cd" * 32))
        for _ in range(5):
            address = f"ipc://{self.folder.path}/here"
            ends = self.both(
                ["--item=x", f"--bind=Seller={address}"],
                [f"--connect=Buyer={address}", "--timeout=10"],
            )
            self.assertEqual([each[0] for each in ends], [76, 76])

    def test_another_run(self) -> None:
        address = f"ipc://{self.folder.path}/here"
        buyer, seller = self.both(
            ["--item=x", f"--bind=Seller={address}", "--run=a", "--connect-timeout=4"],
            [f"--connect=Buyer={address}", "--run=b"],
        )
        self.assertEqual((buyer[0], seller[0]), (75, 77))
        said = "Buyer is in the run a, but Seller is in the run b (--run)"
        self.assertEqual(seller[2], f"Seller: {said}\n")
        self.assertIn("(Seller is in the run b, but Buyer is in the run a (--run)", buyer[2])

    def test_a_name_that_does_not_resolve(self) -> None:
        address = "tcp://nobody.invalid:21000"
        buyer = self.start(
            "buyer", "--item=x", "--plain", f"--connect=Seller={address}", "--connect-timeout=2"
        )
        status, _, err = end(buyer)
        self.assertEqual(status, 75)
        self.assertIn(f"(the name in {address} does not resolve", err)

    def test_who_does_not_answer_may_not_want_keys(self) -> None:
        """As a peer that is stopped."""
        path = f"{self.folder.path}/silent"
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(path)
            silent.listen()
            arguments = ["--item=x", f"--connect=Seller=ipc://{path}", "--connect-timeout=5"]
            status, _, err = end(self.start("buyer", *arguments))
        self.assertEqual(status, 75)
        self.assertIn(f"something is listening at ipc://{path}, but it does not answer", err)
        self.assertNotIn("keys", err)

    def test_already_running(self) -> None:
        first = self.start("buyer", "--item=x")
        lock = self.folder.sockets / f"pychoral-{os.getuid()}"
        while not lock.exists() or not any(lock.glob("*/0")):
            self.assertIsNone(first.poll())
        status, _, err = end(self.start("buyer", "--item=x"))
        self.assertEqual(status, 77)
        self.assertEqual(err, "Buyer: Buyer is already running; name another run with --run NAME\n")
        status, _, err = end(self.start("seller"))
        self.assertEqual(status, 0, err)
        self.assertEqual(end(first)[0], 0)

    def test_mismatched_kind_and_type(self) -> None:
        for body, words in [
            ("ch.select(Answer.YES)",
             "expected str from Buyer (deal.pyc:5), but received a selection"),
            ("ch.com(3)", "expected str, but received int from Buyer (deal.pyc:5)"),
        ]:
            self.folder.write(
                buyer=text("Buyer", f"\ndef main(ch, *rest):\n    {body}\n    ch.com(expect=int)\n")
            )
            buyer, seller = self.both(["--item=x"], [])
            self.assertEqual(seller[0], 76)
            self.assertIn(words, seller[2])
            self.assertEqual(buyer[0], 75)

    def test_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self.folder.write(
                buyer=text(
                    "Buyer", "\ndef main(ch, *rest):\n    print('up', flush=True)\n    input()\n"
                )
            )
            buyer, seller = self.start("buyer", "--item=x"), self.start("seller")
            self.assertEqual(buyer.stdout.readline(), "up\n")
            buyer.send_signal(number)
            self.assertEqual(end(seller)[0], 75)
            status, _, err = end(buyer)
            self.assertEqual(status, 128 + number, err)
            self.assertIn(f"Buyer: interrupted by {number.name}", err)


    def test_a_signal_at_the_very_end_of_a_call(self) -> None:
        """It is too late to be raised there, and the program may not come to another call."""
        body = (
            "\ndef main(ch, *rest):\n    import time, types\n    ch.com('x', site=1)\n"
            "    frame = types.SimpleNamespace(f_globals={'__name__': 'pychoral.link'})\n"
            "    ch._link.role.interrupt(15, frame)\n    time.sleep(20)\n    print('slept')\n"
        )
        self.folder.write(buyer=text("Buyer", body))
        buyer, seller = self.both(["--item=x"], [])
        self.assertEqual(buyer, (143, "", "Buyer: interrupted by SIGTERM\n"))
        self.assertEqual(seller[0], 75)

    def test_a_forked_child_has_the_signals_of_any_program(self) -> None:
        body = (
            "\ndef main(ch, *rest):\n    import multiprocessing, os, signal\n"
            "    fork = multiprocessing.get_context('fork')\n"
            "    with fork.Pool(2) as pool:\n        print(pool.map(abs, [-1, 2]))\n"
            "        print(pool.apply(signal.getsignal, [15]).name)\n"
            "        print(pool.apply(signal.getsignal, [2]).__name__)\n"
            "    child = os.fork() or os.execvp('sleep', ['sleep', '60'])\n"
            "    os.kill(child, 15)\n    print(os.waitpid(child, 0)[1])\n"
            "    ch.com('x', site=1)\n    ch.com(expect=object, site=2)\n"
            "    ch.select(Answer.NO, site=3)\n    return 1, 2\n"
        )
        self.folder.write(buyer=text("Buyer", body))
        # A job in the background of a shell ignores SIGINT, and what it starts inherits that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        buyer, seller = self.both(["--item=x"], [])
        told = "[1, 2]\nSIG_DFL\ndefault_int_handler\n15\n=> 1\n"
        self.assertEqual(buyer, (0, told, ""))
        self.assertEqual(seller[0], 0, seller)


class CommandLine(Processes):
    def assert_usage(self, arguments: list[str], words: str) -> None:
        status, out, err = end(self.start("buyer", *arguments))
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn(words, err)

    def test_help(self) -> None:
        status, out, _ = end(self.start("buyer", "--help"))
        self.assertEqual(status, 0)
        self.assertIn("Buyer", out.splitlines()[0])
        self.assertIn("deal.pyc", out.splitlines()[0])
        for word in ("--item VALUE", "str", "--limit VALUE", "default 20.0", "--bind", "--run"):
            self.assertIn(word, out)

    def test_usage_errors(self) -> None:
        self.assert_usage([], "--item is missing")
        self.assert_usage(["--item"], "--item needs a value")
        self.assert_usage(["--itm", "x"], "no option --itm")
        self.assert_usage(["x"], "`x` is not an option")
        self.assert_usage(["--item=x", "--limit=much"], "--limit: 'much' is not a valid float")
        self.assert_usage(["--item=x", "--timeout=soon"], "--timeout")
        self.assert_usage(["--item=x", "--bind=Nobody=ipc://x"], "with ROLE one of: Seller")
        self.assert_usage(["--item=x", "--bind=Seller=nonsense"], "")
        self.assert_usage(["--item=x", "--plain", "--bind=Seller=ipc:///no/such/folder/x"],
                          "cannot listen")
        self.assert_usage(["--item=x", "--config=/no/such/file"], "cannot be read")
        os.mkfifo(self.folder.path / "fifo")
        self.assert_usage(["--item=x", f"--config={self.folder.path}/fifo"],
                          "is not a regular file")
        self.assert_usage(["--item=x", "--run=\udcff"], "is not UTF-8 text")

    def test_other_machines_only_on_request(self) -> None:
        status, _, err = end(
            self.start("buyer", "--item=x", "--connect=Seller=tcp://192.0.2.1:5000")
        )
        self.assertEqual(status, 77)
        self.assertIn("--plain", err)

    def test_missing_packages(self) -> None:
        bare = self.folder.path / "bare"
        for package in ("zmq", "msgpack"):
            (bare / package).mkdir(parents=True)
            (bare / package / "__init__.py").write_text("raise ImportError('hidden')\n")
        path = os.pathsep.join([str(bare), str(programs.RUNTIME)])
        status, out, err = end(self.start("buyer", "--item=x", PYTHONPATH=path))
        self.assertEqual((status, out, len(err.splitlines())), (2, "", 1), err)
        self.assertIn("python3-zmq python3-msgpack", err)

    def test_the_meeting_place_must_be_private(self) -> None:
        meeting = self.folder.sockets / f"pychoral-{os.getuid()}"
        meeting.mkdir()
        meeting.chmod(0o755)
        status, _, err = end(self.start("buyer", "--item=x"))
        self.assertEqual(status, 77)
        self.assertIn("only you can enter", err)
        self.assertTrue(stat.S_ISDIR(meeting.stat().st_mode))

    def test_a_long_runtime_directory_is_passed_over(self) -> None:
        long = self.folder.path / ("d" * 100)
        long.mkdir()
        address = {"XDG_RUNTIME_DIR": str(long), "TMPDIR": str(self.folder.path)}
        buyer, seller = self.start("buyer", "--item=x", **address), self.start("seller", **address)
        self.assertEqual((end(buyer)[0], end(seller)[0]), (0, 0))

    def test_a_runtime_directory_that_is_no_text(self) -> None:
        odd = os.fsencode(self.folder.path) + b"/\xff"
        os.mkdir(odd, 0o700)
        for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
            place = {"XDG_RUNTIME_DIR": "", name: os.fsdecode(odd)}
            for words in ([], [f"--journal={self.folder.path}/{name}"]):
                buyer = self.start("buyer", "--item=x", *words, **place)
                seller = self.start("seller", **place)
                self.assertEqual((end(buyer)[::2], end(seller)[::2]), ((0, ""), (0, "")))


class Strangers(Processes):
    def test_junk_at_the_port_harms_nobody(self) -> None:
        port = free_port()
        buyer = self.start("buyer", "--item=x", f"--bind=Seller=tcp://127.0.0.1:{port}")
        junk = [
            b"", b"\xff", os.urandom(4096), b"\x01\x00" * 500, b"GET / HTTP/1.1\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00",
            b"\xff" + b"\0" * 8 + b"\x7f\x03\0NULL" + b"\0" * 48 + os.urandom(300),
        ]  # fmt: skip
        held = []
        for data in junk * 3:
            while True:
                try:
                    held.append(socket.create_connection(("127.0.0.1", port), timeout=10))
                    break
                except ConnectionRefusedError:
                    self.assertIsNone(buyer.poll())
            try:
                held[-1].sendall(data)
            except OSError:
                pass
        seller = self.start("seller", f"--connect=Buyer=tcp://127.0.0.1:{port}")
        self.assertEqual((end(seller)[0], end(buyer)[0]), (0, 0))
        for each in held:
            each.close()

    def test_strangers_that_speak_zeromq(self) -> None:
        import zmq

        address = f"ipc://{self.folder.path}/here"
        buyer = self.start("buyer", "--item=x", f"--bind=Seller={address}")
        context = zmq.Context()
        strangers = []
        for data in (b"", b"H", b"Hjunk", b"D\x01", b"X", b"E", os.urandom(5000)):
            stranger = context.socket(zmq.DEALER)
            stranger.setsockopt(zmq.LINGER, 0)
            stranger.connect(address)
            stranger.send_multipart([data, data])
            stranger.send(data)
            strangers.append(stranger)
        seller = self.start("seller", f"--connect=Buyer={address}")
        self.assertEqual((end(seller)[0], end(buyer)[0]), (0, 0))
        context.destroy(0)


class EarlySignals(unittest.TestCase):
    def test_what_a_callback_kept_comes_with_the_role(self) -> None:
        """Python ignores what is raised in __del__, and in callbacks of its imports."""

        class Dropped:
            def __del__(self) -> None:
                os.kill(os.getpid(), signal.SIGTERM)

        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
        before = {number: signal.getsignal(number) for number in numbers}
        hook, sys.unraisablehook = sys.unraisablehook, lambda unraisable: None
        signals = Signals()
        try:
            with signals.handled():
                Dropped()
                with self.assertRaises(Interrupted):
                    signals.watch(mock.create_autospec(Role))
        finally:
            sys.unraisablehook = hook
            for number, handler in before.items():
                signal.signal(number, handler)

    def test_those_that_were_blocked_come(self) -> None:
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1,
                   signal.SIGUSR2)  # fmt: skip
        # One that is ignored, as SIGHUP by `nohup`, stays so.
        before = {number: signal.signal(number, signal.SIG_DFL) for number in numbers}
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        try:
            with Signals().handled():
                self.assertFalse(signal.pthread_sigmask(signal.SIG_BLOCK, ()) & set(numbers))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            for number, handler in before.items():
                signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(unittest.main())
