"""One process of a run under real TensorFlow: what the script is given, and what it leaves.

real_rank.py SCRIPT RECORD [replicas | RANK SIZE FD]: with `replicas`, strategies have two logical
CPUs; with a rank, `horovod` is that of the stand-in, over the socket FD. RECORD gets the digests of
the trainable variables on every replica, and how many steps optimizers made. `--serve SOCKET`
imports TensorFlow once and forks a process for each run that is asked for (`Warm` of real.py).
"""

import hashlib
import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

VARIABLES: "list[Any]" = []


def note(next_creator: Any, **more: Any) -> Any:
    VARIABLES.append(next_creator(**more))
    return VARIABLES[-1]


def digest(values: "list[Any]") -> str:
    text = b"".join(np.round(np.asarray(v, "float64"), 4).tobytes() for v in values)
    return hashlib.sha1(text).hexdigest()[:12]


def use_two_cpus() -> None:
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
    plain = tf.distribute.MirroredStrategy
    tf.distribute.MirroredStrategy = lambda: plain(["CPU:0", "CPU:1"])


def summary(names: "dict[str, Any]") -> "dict[str, Any]":
    if "final_weights" in names:                            # of a session
        values = [np.asarray(v) for v in names["final_weights"]]
        return {"final": [digest(values)],
                "finite": all(bool(np.isfinite(v).all()) for v in values), "steps": []}
    floats = [v for v in VARIABLES if v.trainable and v.dtype.is_floating]
    copies: "dict[str, list[Any]]" = {}
    for v in floats:
        copies.setdefault(v.name.partition("/replica_")[2], []).append(v)
    return {"final": [digest([v.numpy() for v in values]) for values in copies.values()],
            "finite": all(bool(np.isfinite(v.numpy()).all()) for v in floats),
            "steps": [int(v.numpy()) for v in VARIABLES
                      if "iteration" in v.name and "/replica_" not in v.name and int(v.numpy())]}


def main() -> None:
    script, record = Path(sys.argv[1]), Path(sys.argv[2])
    more = sys.argv[3:]
    if more == ["replicas"]:
        use_two_cpus()
    elif more:
        import real_horovod
        import world
        world.RANK, world.SIZE = int(more[0]), int(more[1])
        world.LINE = socket.socket(fileno=int(more[2]))
        real_horovod.install()
        tf.keras.utils.set_random_seed(1000 + world.RANK)
    else:
        record = record.with_name(record.name + os.environ.get("HOROVOD_RANK", ""))
    sys.argv = [str(script)]
    names: "dict[str, Any]" = {"__name__": "__main__"}
    with tf.variable_creator_scope(note):
        exec(compile(script.read_bytes(), str(script), "exec"), names)
    record.write_text(json.dumps(summary(names)), encoding="utf-8")


def run(request: "dict[str, Any]", fds: "list[int]") -> int:
    """The forked process: its output, its line if it has one, its folder."""
    signal.alarm(request["seconds"])
    for number, fd in enumerate(fds[:2], 1):
        os.dup2(fd, number)
    os.chdir(request["cwd"])
    os.environ.update(request["env"])
    sys.argv = [sys.argv[0], *request["args"], *map(str, fds[2:])]
    status = 0
    try:
        main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def serve(path: str) -> None:
    """Until a request is empty. The answer is the exit status."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen()
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            line, _ = door.accept()
            text, fds, _, _ = socket.recv_fds(line, 1 << 16, 3)
            if not text:
                return
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                worker = os.fork()
                if worker == 0:
                    os._exit(run(json.loads(text), list(fds)))
                _, status = os.waitpid(worker, 0)
                line.sendall(str(os.waitstatus_to_exitcode(status)).encode())
                os._exit(0)
            for fd in (line.detach(), *fds):
                os.close(fd)


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(sys.argv[2])
    else:
        main()
