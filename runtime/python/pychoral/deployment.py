"""Where roles meet when nobody says so: ipc sockets in a private directory of this user.

`BASE/pychoral-UID/HASH/` has mode 0700 and belongs to the user; HASH comes from the protocol and
the run's name, so that all roles compute the same.  A role holds a lock on its file there while it
runs, so that others can tell when it has ended; with N its place in the order of roles, `N.lock` is
that file, `N` the socket at which it listens, and `N.key` its public key if it listens with CURVE
(then it is `N.server` too)
or has dialled a role that does.  Such keys are made for one run, as nobody else can write here.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import stat
from collections.abc import Iterator

from .errors import EXIT_REFUSED, ChannelError, clean

_MAX_PATH = 106  # sockaddr_un has 108 bytes with the final NUL
_LONGEST_NAME = 16  # "999.4194304.new"
_MAX_WORD = 500  # bytes


def _bases() -> Iterator[str]:
    if os.environ.get("XDG_RUNTIME_DIR"):
        yield os.environ["XDG_RUNTIME_DIR"]
    yield f"/run/user/{os.getuid()}"
    import tempfile  # which brings much along that a program does not need to start

    yield tempfile.gettempdir()
    yield "/tmp"


class MeetingPlace:
    """The directory of one run, made on demand and removed by the last role to leave."""

    def __init__(self, protocol: str, run: str) -> None:
        digest = hashlib.sha256(f"{protocol}\n{run}".encode()).hexdigest()[:16]
        self._name = os.path.join(f"pychoral-{os.getuid()}", digest)
        self.path = ""
        self._index = -1
        self._lock_path = ""
        self._lock = -1
        self._process = os.getpid()

    def enter(self, role: str, index: int, takes_over: bool = False) -> None:
        """Take the role's place; raises ChannelError if a program of it is already there.

        takes_over   of a durable role: whoever is there is an earlier process of it
        """
        if self._lock >= 0:
            return
        self.path = os.path.join(_usable_base(), self._name)
        self._index = index
        self._lock_path = self._file(index, "lock")
        while self._lock < 0:
            _make_private(os.path.dirname(self.path))
            _make_private(self.path)
            try:
                descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except FileNotFoundError:
                continue  # the last role of an earlier run has just removed the directory
            self._lock = self._try_lock(descriptor, role, takes_over)

    def _try_lock(self, descriptor: int, role: str, takes_over: bool) -> int:
        """The descriptor, locked; -1 if the file was removed, now or meanwhile."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), os.stat(self._lock_path)):
                return descriptor
        except FileNotFoundError:
            pass
        except BlockingIOError:
            if not takes_over:
                os.close(descriptor)
                raise ChannelError(
                    f"{role} is already running; name another run with --run NAME", EXIT_REFUSED
                ) from None
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._lock_path)
        os.close(descriptor)
        return -1

    def address(self, index: int) -> str:
        """Where a role listens, by its place in the order of roles."""
        return f"ipc://{self.path}/{index}"

    def bindable(self, address: str) -> str:
        """The address to listen at so that `address` leads there.

        A socket of its own for each process and a name that leads to it: an earlier process takes
        its socket along when it ends, and not that of its successor.
        """
        return f"{address}.{os.getpid()}"

    def lead(self, address: str) -> None:
        """Have an address lead to what this process has bound for it."""
        path = address.partition("://")[2]
        target = os.path.basename(self.bindable(path))
        temporary = f"{path}.{os.getpid()}.new"
        os.symlink(target, temporary)
        os.rename(temporary, path)

    def is_alive(self, index: int) -> bool:
        """Whether a role that has been there still runs."""
        try:
            descriptor = os.open(self._file(index, "lock"), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def publish_key(self, public: bytes, serves: bool) -> None:
        """Tell the other roles this one's public key, before it dials or (`serves`) listens."""
        for kind in ("key", "server") if serves else ("key",):
            path = self._file(self._index, kind)
            temporary = f"{path}.new"
            with open(temporary, "wb", opener=_private) as file:
                file.write(public)
            os.replace(temporary, path)

    def mark(self, why: str) -> None:
        """Say why this role cannot start, for as long as it is here."""
        path = self._file(self._index, "failed")
        with open(f"{path}.new", "wb", opener=_private) as file:
            file.write(why.encode("utf-8", "backslashreplace")[:_MAX_WORD])
        os.replace(f"{path}.new", path)

    def mark_of(self, index: int) -> str:
        """Why a role that is here cannot start; "" of one that has not said so."""
        try:
            with open(self._file(index, "failed"), "rb") as file:
                why = clean(file.read(_MAX_WORD).decode("utf-8", "replace"))
        except OSError:
            return ""
        return why if self.is_alive(index) else ""

    @property
    def is_entered(self) -> bool:
        return self._lock >= 0

    def key_of(self, index: int, serves: bool = False) -> bytes | None:
        """The public key of a role, if it has told one; only if it listens with it (`serves`)."""
        try:
            with open(self._file(index, "server" if serves else "key"), "rb") as file:
                return file.read(100)
        except FileNotFoundError:
            return None

    def _file(self, index: int, kind: str) -> str:
        return os.path.join(self.path, f"{index}.{kind}")

    def leave(self) -> None:
        """Give the role's place up; libzmq leaves the sockets that the role listened at."""
        if self._lock < 0 or os.getpid() != self._process:  # a forked child is not the role
            return
        if self._is_own():
            for name in os.listdir(self.path):
                if name.split(".")[0] == str(self._index):
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(os.path.join(self.path, name))
        os.close(self._lock)
        self._lock = -1
        try:
            os.rmdir(self.path)
        except OSError as fault:
            if fault.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT):
                raise

    def _is_own(self) -> bool:
        """Whether the place has not been taken over."""
        try:
            return os.path.samestat(os.fstat(self._lock), os.stat(self._lock_path))
        except FileNotFoundError:
            return False


def _usable_base() -> str:
    """The first base directory that is writable and short enough for a socket's path."""
    tail = len(f"/pychoral-{os.getuid()}/") + 16 + 1 + _LONGEST_NAME
    for base in _bases():
        short = len(os.fsencode(base)) + tail <= _MAX_PATH
        if short and os.path.isdir(base) and os.access(base, os.W_OK | os.X_OK):
            return base
    raise ChannelError(
        "no writable directory has a path short enough for sockets; set XDG_RUNTIME_DIR to one",
        EXIT_REFUSED,
    )


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def _make_private(path: str) -> None:
    """Make a directory that only this user can enter, or check that it is one."""
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    except FileNotFoundError:
        return  # its parent has just been removed; the caller tries again
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    if not private or stat.S_IMODE(found.st_mode) & 0o077:
        raise ChannelError(
            f"{path} is not a directory that only you can enter; remove it, or set "
            "XDG_RUNTIME_DIR to a directory of yours", EXIT_REFUSED
        )
