"""Checkpoints and summaries of the stand-in: real files, of numpy arrays and of text."""

import os
from pathlib import Path
from typing import Any

import numpy as np

import core


def write(path: Any, variables: Any) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(f"{path}.index", "wb") as out:
        np.savez(out, *[v.value for v in variables])


def read(path: Any, variables: Any) -> None:
    with open(f"{path}.index", "rb") as source:
        stored = np.load(source)
        for v, name in zip(variables, stored.files):
            v.assign(stored[name])


class Status:
    def expect_partial(self) -> "Status":
        return self

    assert_consumed = assert_existing_objects_matched = expect_partial


class Checkpoint:
    def __init__(self, **parts: Any) -> None:
        self.parts, self.save_counter = parts, core.Variable(0, False, "save_counter")

    def variables(self) -> "list[Any]":
        found = [self.save_counter]
        for part in self.parts.values():
            if isinstance(part, core.Variable):
                found.append(part)
            elif hasattr(part, "apply_gradients"):
                found += [part.iterations]
            else:
                found += part.variables
        return found

    def write(self, path: Any, **_: Any) -> str:
        write(path, self.variables())
        return str(path)

    def save(self, file_prefix: Any, **_: Any) -> str:
        self.save_counter.assign_add(1)
        return self.write(f"{file_prefix}-{int(self.save_counter)}")

    def restore(self, path: Any) -> Status:
        if path is not None:
            read(path, self.variables())
        return Status()

    read = restore


class CheckpointManager:
    def __init__(self, checkpoint: Checkpoint, directory: Any, max_to_keep: Any = None,
                 **_: Any) -> None:
        self.checkpoint, self.directory = checkpoint, str(directory)

    def save(self, *_: Any, **__: Any) -> str:
        return self.checkpoint.save(f"{self.directory}/ckpt")

    @property
    def latest_checkpoint(self) -> "str | None":
        return latest_checkpoint(self.directory)


def latest_checkpoint(directory: Any) -> "str | None":
    found = sorted(Path(directory).glob("*.index"), key=lambda p: (len(p.name), p.name))
    return str(found[-1])[:-len(".index")] if found else None


class Writer:
    current: "list[Writer]" = []

    def __init__(self, folder: Any = None) -> None:
        self.folder = folder
        if folder is not None:
            os.makedirs(folder, exist_ok=True)
            self.put("")

    def put(self, text: str) -> None:
        if self.folder is not None:
            with open(f"{self.folder}/events", "a", encoding="utf-8") as out:
                out.write(text + "\n")

    def as_default(self, **_: Any) -> "Writer":
        return self

    def __enter__(self) -> "Writer":
        Writer.current.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        Writer.current.pop()

    def flush(self) -> None:
        self.put("flush")

    def close(self) -> None:
        self.put("close")


def scalar(name: str, value: Any, step: Any = None) -> None:
    if Writer.current:
        Writer.current[-1].put(f"{name} {float(core.raw(value)):.5f} {step}")
