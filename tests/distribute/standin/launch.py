"""Runs a script as N processes of the stand-in: they are forked, this process coordinates.

launch(script, size, folder) gives, for each rank, its exit status, its output and its record.
"""

import json
import os
import selectors
import socket
import sys
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import numpy as np  # noqa: E402

import core  # noqa: E402
import modules  # noqa: E402
import world  # noqa: E402

WAIT = 20.0
OPERATIONS: "dict[str, Any]" = {
    "Average": lambda x: np.mean(x, axis=0), "Sum": lambda x: np.sum(x, axis=0),
    "Min": lambda x: np.min(x, axis=0), "Max": lambda x: np.max(x, axis=0)}


@dataclass
class Ended:
    status: int
    out: str
    err: str
    record: "dict[str, Any]"


def be_rank(script: Path, rank: int, size: int, line: "socket.socket | None", folder: Path,
            args: "tuple[str, ...]") -> int:
    """The forked process."""
    world.RANK, world.SIZE, world.LINE = rank, size, line
    modules.install()
    core.seed_generator(1000 + rank)
    np.random.seed(2000 + rank)
    sys.argv = [str(script), *args]
    status = 0
    code = compile(script.read_bytes(), str(script), "exec")
    sys.dont_write_bytecode = True
    world.watch_writes()
    try:
        exec(code, {"__name__": "__main__", "__file__": str(script)})
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    text = json.dumps(world.summary())
    (folder / f"record{rank}").write_text(text, encoding="utf-8")
    return status


def start(script: Path, rank: int, size: int, lines: "list[tuple[Any, Any]]", cwd: Path,
          folder: Path, args: "tuple[str, ...]") -> int:
    pid = os.fork()
    if pid > 0:
        return pid
    try:
        os.chdir(cwd)
        for fd, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(folder / f"{name}{rank}", os.O_CREAT | os.O_WRONLY, 0o600), fd)
        for i, (near, far) in enumerate(lines):
            near.close()
            if i != rank:
                far.close()
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)
        status = be_rank(script, rank, size, lines[rank][1] if lines else None, folder, args)
    except BaseException:
        traceback.print_exc()
        status = 70
    os._exit(status)


def difference(heads: "list[dict[str, Any]]") -> "str | None":
    for rank, head in enumerate(heads):
        for part in ("kind", "shape", "type", "op", "root"):
            if head.get(part) != heads[0].get(part):
                return (f"rank 0 calls {heads[0]['kind']} of shape {heads[0]['shape']}, "
                        f"rank {rank} {head['kind']} of shape {head['shape']}")
    return None


def combine(heads: "list[dict[str, Any]]", bodies: "list[bytes]") -> bytes:
    if heads[0]["kind"] != "allreduce":
        root: int = heads[0]["root"]
        return bodies[root]
    arrays = [np.frombuffer(body, dtype=heads[0]["type"]) for body in bodies]
    done: Any = OPERATIONS[heads[0]["op"]](np.stack(arrays))
    return bytes(done.astype(heads[0]["type"]).tobytes())


def next_round(lines: "list[socket.socket]", streams: "list[Any]") -> "list[Any]":
    """What each rank sends next; None of a rank that has ended."""
    got: "list[Any]" = [False] * len(lines)
    with selectors.DefaultSelector() as selector:
        for rank, line in enumerate(lines):
            selector.register(line, selectors.EVENT_READ, rank)
        while False in got:
            ready = selector.select(WAIT)
            if not ready:
                return [None if answer is False else answer for answer in got]
            for key, _ in ready:
                selector.unregister(key.fileobj)
                got[key.data] = world.receive(streams[key.data])
    return got


def coordinate(lines: "list[socket.socket]") -> "str | None":
    """Serves collectives until all have ended; gives what went wrong."""
    streams = [line.makefile("rb") for line in lines]
    while True:
        got = next_round(lines, streams)
        if all(answer is None for answer in got):
            return None
        ended = [rank for rank, answer in enumerate(got) if answer is None]
        wrong = (f"rank {ended[0]} has ended or does not come while others wait in "
                 f"{next(a for a in got if a)[0]['kind']}" if ended
                 else difference([head for head, _ in got]))
        answer = b"" if wrong else combine([h for h, _ in got], [b for _, b in got])
        for line, message in zip(lines, got):
            if message is not None:
                world.send(line, {"failure": wrong} if wrong else {}, answer)
        if wrong:
            return wrong


def launch(script: Path, size: int, cwd: Path, *args: str) -> "tuple[list[Ended], str | None]":
    """Without processes beside it (`size` 0) the script runs as it is, one process."""
    with tempfile.TemporaryDirectory(prefix="standin-") as name:
        folder, lines = Path(name), [socket.socketpair() for _ in range(size)]
        pids = [start(script, rank, max(1, size), lines, cwd, folder, args)
                for rank in range(max(1, size))]
        for _, far in lines:
            far.close()
        failure = coordinate([near for near, _ in lines]) if size else None
        for near, _ in lines:
            near.close()
        ended = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
        texts = [[(folder / f"{kind}{rank}").read_text() for kind in ("out", "err")]
                 for rank in range(len(pids))]
        records = [json.loads((folder / f"record{rank}").read_text())
                   if (folder / f"record{rank}").exists() else {} for rank in range(len(pids))]
        return [Ended(s, out, err, r) for s, (out, err), r in zip(ended, texts, records)], failure


if __name__ == "__main__":
    done, failed = launch(Path(sys.argv[1]), int(sys.argv[2]), Path.cwd(), *sys.argv[3:])
    for rank, end in enumerate(done):
        print(f"--- rank {rank}: {end.status}\n{end.out}{end.err}", end="")
        print({k: v for k, v in end.record.items() if k in ("final", "writes")})
    if failed:
        print(failed)
    sys.exit(1 if failed or any(end.status for end in done) else 0)
