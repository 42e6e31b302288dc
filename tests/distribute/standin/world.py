"""One process of a run: its rank, its line to the coordinator, and what it records.

The coordinator (launch.py) sees every collective of every rank. A difference of kind, shape or type
between ranks, and a rank that stops while others wait, is a failure of all. Messages are a line of
JSON and the bytes of an array: nothing that a peer sends is executed.
"""

import hashlib
import json
import os
import socket
import sys
from typing import Any

import numpy as np

RANK = 0
SIZE = 1
LINE: "socket.socket | None" = None
INITIALISED = False
WRITES = ("os.mkdir", "os.remove", "os.rmdir", "os.rename", "shutil.rmtree", "shutil.move",
          "shutil.copyfile", "os.truncate")


class CollectiveFailure(Exception):
    """What every rank gets when their collectives do not fit together."""


class Record:
    """What the properties are about; launch.py reads it when the process ends."""

    def __init__(self) -> None:
        self.steps: "dict[str, list[str]]" = {}         # optimizer: weights before steps
        self.samples: "list[list[str]]" = []            # of each step: what it was trained on
        self.final: "list[str]" = []
        self.writes: "list[str]" = []
        self.rates: "list[float]" = []
        self.stepped: "set[int]" = set()                # variables that had a step
        self.recent: "tuple[int, list[str]]" = (0, [])
        self.variables: "list[Any]" = []


RECORD = Record()


def digest(array: Any) -> str:
    array = np.ascontiguousarray(array)
    return hashlib.sha1(str(array.shape).encode() + array.tobytes()).hexdigest()[:12]


def digest_all(arrays: Any) -> str:
    return "".join(digest(np.round(np.asarray(array, dtype="float64"), 9)) for array in arrays)


def send(line: socket.socket, head: "dict[str, Any]", body: bytes) -> None:
    text = json.dumps({**head, "bytes": len(body)}).encode() + b"\n"
    line.sendall(text + body)


def receive(stream: Any) -> "tuple[dict[str, Any], bytes] | None":
    text = stream.readline()
    if not text:
        return None
    head: "dict[str, Any]" = json.loads(text)
    return head, stream.read(head["bytes"])


def exchange_needed() -> None:
    if not INITIALISED:
        raise ValueError("Horovod has not been initialized; use hvd.init().")


def exchange(kind: str, value: Any, **more: Any) -> Any:
    """A collective: all ranks call it with the same kind and shape."""
    exchange_needed()
    if LINE is None:
        return value
    text = isinstance(value, bytes)
    array = np.frombuffer(value, dtype="uint8") if text else np.asarray(value)
    shape = None if text else list(array.shape)
    send(LINE, {"kind": kind, "shape": shape, "type": str(array.dtype), **more}, array.tobytes())
    with LINE.makefile("rb") as stream:         # buffered: a raw stream may give less than asked
        answer = receive(stream)
    if answer is None or "failure" in answer[0]:
        raise CollectiveFailure(answer[0]["failure"] if answer else "the coordinator is gone")
    if text:
        return answer[1]
    return np.frombuffer(answer[1], dtype=array.dtype).reshape(array.shape).copy()


def note_batch(source: int, rows: Any) -> None:
    """The user's code has been given a batch by an iterator."""
    digests = [digest(row) for row in rows]
    number, before = RECORD.recent
    RECORD.recent = (source, before + digests if number == source else digests)


def note_step(name: str, variables: Any, rate: float) -> None:
    old = [v.value for v in variables if id(v) in RECORD.stepped]
    RECORD.steps.setdefault(name, []).append(digest_all(old))
    RECORD.stepped.update(map(id, variables))
    RECORD.rates.append(rate)
    if RECORD.recent[1]:
        RECORD.samples.append(RECORD.recent[1])
        RECORD.recent = (RECORD.recent[0], [])


def shown(path: Any) -> str:
    """In the folder of the run a path is relative, however the script spells it."""
    name, folder = os.path.abspath(os.fspath(path)), os.getcwd()
    return os.path.relpath(name) if (name + "/").startswith(folder + "/") else name


def watch_writes() -> None:
    """Notes what changes files; audit hooks see it whoever does it."""
    def hook(event: str, args: "tuple[Any, ...]") -> None:
        if event == "open":
            mode = args[1] if isinstance(args[1], str) else ""
            writes = any(letter in mode for letter in "wax+") or bool(int(args[2] or 0) & 3)
            if writes and isinstance(args[0], str) and not args[0].startswith("/dev/"):
                RECORD.writes.append(f"open {shown(args[0])}")
        elif event in WRITES:
            RECORD.writes.append(f"{event} {shown(args[0])}")
    sys.addaudithook(hook)


def summary() -> "dict[str, Any]":
    final = [digest_all([v.value for v in RECORD.variables if v.trainable])]
    return {"steps": RECORD.steps, "samples": RECORD.samples, "final": final,
            "writes": RECORD.writes, "rates": RECORD.rates, "initialised": INITIALISED}
