"""Keys for the roles of a run, and the manifest that says who they are (PROTOCOL.md section 7).

Each role has a secret key, `ROLE.key`, which only its own program may read; the manifest has the
public keys and addresses of all and is for everybody.  `pychoralc keygen` calls this module, as the
compiler has no cryptography of its own:

    python3 -m pychoral.keygen DIR [--force] ROLE=ADDRESS ...

Either all files are written or none is.  A file that exists is left alone unless `--force` is
given: what is made anew does not fit the keys that other roles have already.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
from collections.abc import Mapping, Sequence

from .errors import EXIT_OWN_ERROR, EXIT_USAGE, UsageError

try:
    import zmq
except ImportError:  # said in one line by main
    zmq = None  # type: ignore[assignment]

KEY_LINE = "pychoral secret key 1"
MANIFEST = "manifest.json"
EXIT_FILES_EXIST = 3
LIMITS = {"message": 1 << 28, "window_messages": 8192, "window_bytes": 2 << 20}

_SECRET, _PUBLIC = 0o600, 0o644
_FIRST_OWN_PORT = 32768  # from here on the system gives ports to whoever dials
_TCP = re.compile(r"tcp://(\[[0-9a-fA-F:.%\w]+\]|[^\[\]:/*\s]+):([0-9]{1,5})")
_IPC = re.compile(r"ipc://[^\s*]+")


class FilesExist(Exception):
    """Files that are not to be overwritten."""


def check_address(role: str, address: str) -> None:
    """Raise UsageError unless the address is one that others can dial."""
    tcp = _TCP.fullmatch(address)
    if tcp is not None and 0 < int(tcp[2]) < 65536:
        return
    if _IPC.fullmatch(address) is None:
        raise UsageError(
            f"`{address}` is not an address at which others can connect to {role}: "
            "write tcp://HOST:PORT, or ipc:///PATH on one machine"
        )


def check_roles(roles: Mapping[str, str]) -> None:
    """Raise UsageError for what cannot be a role, or an address."""
    taken: dict[str, str] = {}
    for role, address in roles.items():
        if not role.isidentifier():
            raise UsageError(f"`{role}` is not the name of a role")
        check_address(role, address)
        if address in taken:
            raise UsageError(f"{taken[address]} and {role} cannot both be at {address}")
        taken[address] = role


def generate(roles: Mapping[str, str]) -> dict[str, str]:
    """The texts of the files for these roles and their addresses, by name; fresh keys."""
    files, entries = {}, []
    for role, address in roles.items():
        public, secret = zmq.curve_keypair()
        files[f"{role}.key"] = f"{KEY_LINE}\n{role}\n{secret.decode('ascii')}\n"
        entries.append({"name": role, "address": address, "public": public.decode("ascii")})
    manifest = {"version": 1, "run": "", "roles": entries, "limits": LIMITS}
    files[MANIFEST] = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    return files


def write(folder: str, files: Mapping[str, str], force: bool) -> None:
    """All files or none.  Raises FilesExist, OSError."""
    there = [name for name in files if os.path.lexists(os.path.join(folder, name))]
    if there and not force:
        names = ", ".join(os.path.join(folder, name) for name in there)
        raise FilesExist(f"{names} already exist{'s' if len(there) == 1 else ''}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    unfinished: list[str] = []
    try:
        for name, text in files.items():
            unfinished.append(_write_beside(folder, name, text))
        for name, path in zip(files, list(unfinished)):
            final = os.path.join(folder, name)
            _put(path, final, force)
            unfinished[unfinished.index(path)] = final
        unfinished.clear()
    finally:
        for path in unfinished:
            os.unlink(path)


def _write_beside(folder: str, name: str, text: str) -> str:
    """Write a new file that nobody else can read meanwhile; its path."""
    path = os.path.join(folder, f".{name}.{secrets.token_hex(8)}")
    mode = _PUBLIC if name == MANIFEST else _SECRET
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(path, flags, _SECRET)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(descriptor, mode)  # the same whatever the umask
            file.write(text)
            file.flush()
            os.fsync(descriptor)
    except BaseException:
        os.unlink(path)
        raise
    return path


def _put(path: str, final: str, force: bool) -> None:
    """Give a file its name; without `force` never that of another one."""
    if force:
        os.replace(path, final)
        return
    os.link(path, final, follow_symlinks=False)
    os.unlink(path)


def warnings(roles: Mapping[str, str]) -> list[str]:
    """What is unwise about the addresses."""
    found = []
    for role, address in roles.items():
        tcp = _TCP.fullmatch(address)
        if tcp is not None and int(tcp[2]) >= _FIRST_OWN_PORT:
            found.append(
                f"port {tcp[2]} of {role} is in the ephemeral range: the system may give it to "
                f"another program; use a port below {_FIRST_OWN_PORT}"
            )
    return found


def main(arguments: Sequence[str]) -> int:
    """The command line; prints what is wrong and answers the exit status."""
    words = [word for i, word in enumerate(arguments) if i == 0 or word != "--force"]
    if zmq is None or not zmq.has("curve"):
        print("keys need the Python package zmq with CURVE: apt-get install python3-zmq",
              file=sys.stderr)
        return EXIT_USAGE
    try:
        if len(words) < 2 or not all("=" in word for word in words[1:]):
            raise UsageError("usage: python3 -m pychoral.keygen DIR [--force] ROLE=ADDRESS ...")
        pairs = [word.split("=", 1) for word in words[1:]]
        roles = {role: address for role, address in pairs}
        for role in roles:
            if [name for name, _ in pairs].count(role) > 1:
                raise UsageError(f"{role} is given two addresses")
        check_roles(roles)
        write(words[0], generate(roles), len(words) < len(arguments))
    except UsageError as fault:
        print(fault, file=sys.stderr)
        return EXIT_USAGE
    except FilesExist as fault:
        print(f"{fault}\nchoose another folder, or replace all keys with --force", file=sys.stderr)
        return EXIT_FILES_EXIST
    except OSError as fault:
        print(f"cannot write {fault.filename or words[0]}: {fault.strerror}", file=sys.stderr)
        return EXIT_OWN_ERROR
    for warning in warnings(roles):
        print(warning, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
