"""One process of a run under real TensorFlow: what the script is given, and what it leaves.

real_rank.py SCRIPT RECORD [replicas]: with `replicas`, strategies have two logical CPUs. RECORD
gets the digests of the trainable variables on every replica, and how many steps optimizers made.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

VARIABLES: "list[Any]" = []


def note(next_creator: Any, **more: Any) -> Any:
    VARIABLES.append(next_creator(**more))
    return VARIABLES[-1]


def digest(values: "list[Any]") -> str:
    text = b"".join(np.round(v.numpy().astype("float64"), 4).tobytes() for v in values)
    return hashlib.sha1(text).hexdigest()[:12]


def use_two_cpus() -> None:
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
    plain = tf.distribute.MirroredStrategy
    tf.distribute.MirroredStrategy = lambda: plain(["CPU:0", "CPU:1"])


def summary() -> "dict[str, Any]":
    floats = [v for v in VARIABLES if v.trainable and v.dtype.is_floating]
    copies: "dict[str, list[Any]]" = {}
    for v in floats:
        copies.setdefault(v.name.partition("/replica_")[2], []).append(v)
    return {"final": [digest(values) for values in copies.values()],
            "finite": all(bool(np.isfinite(v.numpy()).all()) for v in floats),
            "steps": [int(v.numpy()) for v in VARIABLES
                      if "iteration" in v.name and "/replica_" not in v.name]}


def main() -> None:
    script, record = Path(sys.argv[1]), Path(sys.argv[2])
    if "replicas" in sys.argv[3:]:
        use_two_cpus()
    sys.argv = [str(script)]
    with tf.variable_creator_scope(note):
        exec(compile(script.read_bytes(), str(script), "exec"), {"__name__": "__main__"})
    record.write_text(json.dumps(summary()), encoding="utf-8")


if __name__ == "__main__":
    main()
