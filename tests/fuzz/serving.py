"""Calls of the compiler without a process for each: of `fuzz_serve`, beside it (serve.c)."""

import os
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.compiler import COMPILE_SECONDS


@dataclass
class Answer:
    """What a call of the compiler gave."""

    status: int
    diagnostics: str
    cost: str = ""


class Server:
    """Starts with the first request, and again after a crash."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def _start(self) -> subprocess.Popen[bytes]:
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(COMPILE_SECONDS)
        self.files = [os.open(self.folder / name, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
                      for name in ("cost", "diagnostics")]
        environment = dict(os.environ, NO_COLOR="1")
        with theirs:
            return subprocess.Popen([self.program], stdin=theirs.fileno(), stdout=self.files[0],
                                    stderr=self.files[1], env=environment)

    def build(self, words: Sequence[str], central: Path) -> Answer:
        """`build` with these words, the central program, and the counts of `check --cost=json`.

        Raises TimeoutExpired, as a call of the compiler would.
        """
        if self.process is None:
            self.process = self._start()
        try:
            self.socket.sendall("\t".join([*words, str(central)]).encode() + b"\n")
            answer = self.socket.recv(64)
        except TimeoutError:
            self.close()
            raise subprocess.TimeoutExpired("fuzz_serve", COMPILE_SECONDS) from None
        except ConnectionError:
            answer = b""
        cost, diagnostics = (os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")
                             for file in self.files)
        if answer:
            return Answer(int(answer), diagnostics, cost)
        status = self.process.wait()
        self.close()
        return Answer(status or -1, diagnostics)

    def close(self) -> None:
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        self.process = None
        self.socket.close()
        for file in self.files:
            os.close(file)
