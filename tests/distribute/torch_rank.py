"""One process of a run by torchrun: torch_rank.py SCRIPT FOLDER [ARGUMENT...].

Runs the script with its output in FOLDER/outN, and writes to FOLDER/recordN what it did: how often
optimizers stepped, the parameters after the first step and at the end, the learning rates, and the
files that it wrote.
"""

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import torch  # type: ignore[import]

RANK = int(os.environ.get("RANK", "0"))
RECORD: "dict[str, Any]" = {"steps": 0, "first": {}, "last": {}, "writes": []}
FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = ("os.mkdir", "os.remove", "os.rename", "os.rmdir")


def note_write(path: Any) -> None:
    """Only what is in the folder of the run: PyTorch has files of its own elsewhere."""
    name = os.path.abspath(str(path))
    if name.startswith(os.getcwd() + "/"):
        RECORD["writes"].append(os.path.relpath(name))


def watch_writes() -> None:
    save = torch.save

    def noted(what: Any, path: Any, *rest: Any, **named: Any) -> None:
        note_write(path)
        save(what, path, *rest, **named)

    torch.save = noted

    def hook(event: str, args: "tuple[Any, ...]") -> None:
        flags = args[2] if event == "open" and isinstance(args[2], int) else 0
        if isinstance(args[0] if args else None, str) and (flags & FLAGS or event in CHANGES):
            note_write(args[0])

    sys.addaudithook(hook)


def parameters(optimizer: Any) -> "list[float]":
    return [value for group in optimizer.param_groups for p in group["params"]
            for value in p.detach().double().flatten().tolist()]


def watch_steps() -> None:
    optimizers: "list[Any]" = []

    def after(optimizer: Any, args: Any, kwargs: Any) -> None:
        if optimizer not in optimizers:
            optimizers.append(optimizer)
        place = str(optimizers.index(optimizer))
        RECORD["steps"] += 1
        RECORD["first"].setdefault(place, parameters(optimizer))
        RECORD["last"][place] = parameters(optimizer)
        RECORD.setdefault("rates", [group["lr"] for group in optimizer.param_groups])

    from torch.optim.optimizer import register_optimizer_step_post_hook  # type: ignore[import]

    register_optimizer_step_post_hook(after)


def main() -> int:
    script, folder = Path(sys.argv[1]), Path(sys.argv[2])
    for fd, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / f"{name}{RANK}", os.O_CREAT | os.O_WRONLY, 0o600), fd)
    sys.argv = sys.argv[1:2] + sys.argv[3:]
    torch.set_num_threads(1)
    watch_steps()
    sys.dont_write_bytecode = True
    watch_writes()
    status = 0
    try:
        code = compile(script.read_bytes(), str(script), "exec")
        exec(code, {"__name__": "__main__", "__file__": str(script)})
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    (folder / f"record{RANK}").write_text(json.dumps(RECORD), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
