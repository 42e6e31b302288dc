"""The journal of a durable role: what it has taken and done, on disk before anybody is told.

PROTOCOL.md section 9.  A file of records that only grows; each has its length and a CRC, so that a
record that a crash has torn is known and cut off.  A program that starts again gets its history
back, runs from its beginning with the same messages and the same results of local effects, and so
comes to the same place.

Each start copies what is valid into a fresh file and puts that in the place of the old one.  An
earlier process of the role that is still there (stopped, forgotten) then writes to a file that
nobody reads, and cannot spoil the history of its successor.  Nor can it tell anybody that something
is safe which its successor has not got: the old file is marked (nobody may write to it) before it
is read, and whoever has forced a record to disk looks for the mark before he speaks of it.  So what
was spoken of was there before the mark, and is read.  Of several that start at once, a lock on the
file lets one after the other go through that.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import stat
import struct
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .errors import EXIT_PEER_LOST, EXIT_PROTOCOL, EXIT_REFUSED, ChannelError
from .identity import NOT_A_JOURNAL, Identity, read_string, string
from .repeats import MOST_BYTES, Number, Repeats, repeats
from .sent import SentTo

_HEAD = struct.Struct(">II")  # length of kind and body, CRC-32 of both
_ONE_SIZE = struct.Struct(">HI")
_IDENTITY, _INCARNATION, _MESSAGE, _EFFECT, _ENDED, _SENT, _REPEATS = range(7)
_SENT_KIND = bytes([_SENT])
_KINDS = re.compile(rb"[\x01-\x06]")  # of all records but the first
_PATIENCE_S = 5.0  # for another process that opens the journal
_MOST_LOOKED = 1 << 30  # bytes summed up behind a break, whatever stands there
_LONGEST = 2 + 65535  # of a string
_LAST_INCARNATION = 2**64 - 1  # none could follow
_GROUP_BYTES = 1 << 20  # written out beyond this, to bound memory; forced only when asked


@dataclass
class History:
    """What earlier incarnations have taken and done.

    messages   (peer, frames with their header), in the order in which they were taken
    effects    records of the results of local effects, in order; see `results`
    sent       what is known of the messages sent, by peer
    """

    incarnation: int = 0
    messages: list[tuple[str, list[bytes]]] = field(default_factory=list)
    effects: list[tuple[int, bytes]] = field(default_factory=list)
    sent: dict[str, SentTo] = field(default_factory=dict)
    ended: bool = False

    def results(self) -> Iterator[tuple[str, bytes | Number]]:
        """(name, result) of local effects, in order; ValueError where a record is none."""
        for kind, body in self.effects:
            if kind == _REPEATS:
                yield from repeats(body)
            else:
                end = 2 + int.from_bytes(body[:2], "big")
                yield body[2:end].decode(), body[end:]


class Journal:
    """An open journal.  Methods may be called from any thread; they raise ChannelError.

    history          what it held
    cut              how many bytes of a torn record were cut off its end
    has_new_effects  whether local effects were added that are not on disk yet
    is_superseded    whether another process speaks for the role: a newer one that has it, or a
                     later one, as this one cannot write
    """

    def __init__(self, path: str, identity: Identity) -> None:
        """Open the file or make it, and begin a new incarnation, forced to disk."""
        self.path = path
        self.history = History()
        self.cut = 0
        self._descriptor = -1
        self._pending = bytearray()
        self._repeats = Repeats()
        self._names: dict[str, bytes] = {}
        self._lost: ChannelError | None = None
        self._lock = threading.RLock()  # the program adds effects while the keeper forces
        old = self._hold()
        try:
            self._take_over(old, identity)
        finally:
            os.close(old)
        self._is_forced = True
        self.has_new_effects = False
        self.is_superseded = False

    # --- adding ---

    @property
    def is_forced(self) -> bool:
        """Whether all that was added is on disk."""
        return self._is_forced

    def add_message(self, peer: str, frames: Sequence[bytes | memoryview]) -> None:
        """A message was taken from `peer`."""
        if len(frames) == 1:
            sizes = _ONE_SIZE.pack(1, len(frames[0]))
        else:
            sizes = struct.pack(f">H{len(frames)}I", len(frames), *(len(each) for each in frames))
        self._add(_MESSAGE, b"".join((self._name(peer), sizes, *frames)))

    def add_effect(self, name: str, result: bytes) -> None:
        """A local effect had this result."""
        with self._lock:
            self.has_new_effects = True
            self._add(_EFFECT, string(name) + result)

    def add_number(self, name: str, result: Number) -> bool:
        """The same for a number, in few bytes; False if it is too large."""
        with self._lock:
            if not self._repeats.add(name, result):
                return False
            self.has_new_effects = True
            self._is_forced = False
            if len(self._repeats.body) > MOST_BYTES:
                self._close_repeats()
            return True

    def add_sent(self, peer: str, record: bytes) -> None:
        """A message is about to leave for `peer`.

        It outlives this process, if not the machine: it is written and not forced, as it can be
        computed again.
        """
        data = _SENT_KIND + self._name(peer) + record
        data = _HEAD.pack(len(data), zlib.crc32(data)) + data
        with self._lock:
            if self._lost is not None:
                raise self._lost
            if self._repeats.body:
                self._close_repeats()
            if self._pending:
                self._pending += data
                self._write_out()
                return
            try:
                left = data[os.write(self._descriptor, data) :]
            except OSError:
                left = data
            if left:
                self._pending += left
                self._write_out()

    def _name(self, peer: str) -> bytes:
        name = self._names.get(peer)
        if name is None:
            name = self._names[peer] = string(peer)
        return name

    def add_end(self) -> None:
        """The role has ended."""
        self._add(_ENDED, b"")

    def force(self) -> None:
        """Returns when all that was added is on disk."""
        with self._lock:
            if self._is_forced:
                return
            self._write_out()
            with self._writing():
                os.fdatasync(self._descriptor)
                is_current = _is_current(self._descriptor)
            if not is_current:
                # A successor has read this file, or is about to, and may never see what was
                # written now, so that nobody may be told of it.
                self.is_superseded = True
                raise self._wrong("a newer process of the role uses it", EXIT_REFUSED)
            self._is_forced = True
            self.has_new_effects = False

    def close(self) -> None:
        """Let go of the file; what was added and not forced may be lost."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _close_repeats(self) -> None:
        """What is added next comes behind the numbers added before."""
        record, self._repeats = self._repeats, Repeats()
        self._add(_REPEATS, bytes(record.body))

    def _add(self, kind: int, body: bytes) -> None:
        data = bytes([kind]) + body
        with self._lock:
            if self._repeats.body:
                self._close_repeats()
            self._is_forced = False
            if self._lost is not None:
                return
            self._pending += _HEAD.pack(len(data), zlib.crc32(data)) + data
            if len(self._pending) > _GROUP_BYTES and self._descriptor >= 0:
                with contextlib.suppress(ChannelError):  # who wants it forced is told
                    self._write_out()

    def _write_out(self) -> None:
        if self._repeats.body:
            self._close_repeats()
        with self._writing():
            _write(self._descriptor, self._pending)
        self._pending.clear()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Raises the same again once it has failed: a record may stand there by half.

        The role says nothing more to its peers, as if it had been killed: they keep what it would
        receive, and it goes on when it is started again, with room.
        """
        if self._lost is not None:
            raise self._lost
        try:
            with _Explained(self.path):
                yield
        except ChannelError as fault:
            self._lost = fault
            self.is_superseded = True
            raise

    # --- opening ---

    def _hold(self) -> int:
        """The file, made if there is none, and locked against others that begin."""
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            with _Explained(self.path):
                descriptor = _open(self.path)
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    os.close(descriptor)
                    raise self._wrong("it is not a regular file", EXIT_REFUSED)
                if _lock(descriptor, self.path):
                    return descriptor
                os.close(descriptor)
            if time.monotonic() >= deadline:
                raise self._wrong("another process of the role is opening it", EXIT_REFUSED)
            time.sleep(0.01)

    def _take_over(self, old: int, identity: Identity) -> None:
        """Read the old file and put one with a new incarnation in its place."""
        with _Explained(self.path):
            data = _read(old)
            if data:
                wrong = identity.objection(next(_records(data), (0, b""))[1][1:])
                if wrong is not None:
                    raise self._wrong(*wrong)
            mode = stat.S_IMODE(os.fstat(old).st_mode)
            os.fchmod(old, mode & ~stat.S_IWUSR)
        try:
            with _Explained(self.path):
                data += _read(old)  # what was spoken of before the mark
            kept = self._understand_all(data, identity)
            self.incarnation = self.history.incarnation + 1
            self._add(_INCARNATION, struct.pack(">Q", self.incarnation))
            self._descriptor = self._replace(kept + self._pending)
        except BaseException:
            os.fchmod(old, mode)
            raise
        self._pending.clear()

    def _understand_all(self, data: bytes, identity: Identity) -> bytes:
        """Fill `history`; returns the bytes that are valid."""
        if not data:
            self._add(_IDENTITY, identity.body())
            return b""
        end = 0
        for place, record in _records(data):
            if end and not self._understand(record[0], record[1:]):
                raise self._wrong(f"the record at byte {place} cannot be decoded")
            end = place + _HEAD.size + len(record)
        if _is_damaged(data, end):
            raise self._wrong(f"the record at byte {end} is damaged; restore the file from a copy, "
                              "or delete the journals of all roles")
        self.cut = len(data) - end
        return data[:end]

    def _understand(self, kind: int, body: bytes) -> bool:
        """Add a record to the history; whether it could be read."""
        history = self.history
        if history.ended and kind != _INCARNATION:
            return False
        try:
            if kind == _INCARNATION:
                (history.incarnation,) = struct.unpack(">Q", body)
                return history.incarnation != _LAST_INCARNATION
            elif kind == _MESSAGE:
                history.messages.append(_message(body))
            elif kind == _EFFECT:
                read_string(body, 0)
                history.effects.append((kind, body))
            elif kind == _REPEATS and body:
                history.effects.append((kind, body))
            elif kind == _SENT:
                peer, place = read_string(body, 0)
                history.sent.setdefault(peer, SentTo()).restore(body[place:])
            elif kind == _ENDED and not body:
                history.ended = True
            else:
                return False
        except (struct.error, UnicodeDecodeError, ValueError):
            return False
        return True

    def _replace(self, data: bytes) -> int:
        """Put a fresh file with `data` in the place of the old one; returns its descriptor."""
        path = os.path.realpath(self.path)  # a link to it stays one
        fresh = f"{path}.{os.getpid()}.new"
        with _Explained(self.path):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(fresh)  # of an earlier process of this number, killed on its way
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                _write(descriptor, data)
                os.fsync(descriptor)
                os.rename(fresh, path)
                _force_folder(path)
            except BaseException:
                os.close(descriptor)
                if os.path.exists(fresh):
                    os.unlink(fresh)
                raise
        return descriptor

    def _wrong(self, text: str, status: int = EXIT_PROTOCOL) -> ChannelError:
        what = "file" if text == NOT_A_JOURNAL else "journal"
        return ChannelError(f"the {what} {self.path} cannot be used: {text}", status)


class _Explained:
    """Turns an OSError into a sentence that names the journal."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if not isinstance(fault, OSError):
            return
        if fault.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            text = f"the journal {self._path} cannot grow: {fault.strerror}"
        else:
            text = f"the journal {self._path} cannot be written: {fault.strerror}"
        raise ChannelError(text, EXIT_PEER_LOST) from None


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(place, kind and body) of each sound record, up to the first that is not."""
    place = 0
    while len(data) - place >= _HEAD.size:
        size, check = _HEAD.unpack_from(data, place)
        record = data[place + _HEAD.size : place + _HEAD.size + size]
        if size == 0 or len(record) != size or zlib.crc32(record) != check:
            return
        yield place, record
        place += _HEAD.size + size


def _is_damaged(data: bytes, end: int) -> bool:
    """Only what stands last can be torn: a sound record behind the break means damage.

    It is looked for at every byte, as the broken record's length may be what is wrong.
    """
    view = memoryview(data)
    looked = 0
    for found in _KINDS.finditer(data, end + 1 + _HEAD.size):
        place = found.start() - _HEAD.size
        size, check = _HEAD.unpack_from(data, place)
        record = view[found.start() : found.start() + size]
        if size == 0 or len(record) != size or not _may_be_record(record):
            continue
        if zlib.crc32(record) == check:
            return True
        looked += size
        if looked >= _MOST_LOOKED:
            return False
    return False


def _may_be_record(record: memoryview) -> bool:
    """Whether this may be a record that is not the first, by what costs little to look at."""
    kind, size = record[0], len(record)
    if kind == _REPEATS:
        return size > 4 and record[1] == 0  # the first is named
    if kind in (_INCARNATION, _ENDED):
        return size == (9 if kind == _INCARNATION else 1)
    try:
        if kind == _MESSAGE:
            _layout(record[1:])
            return True
        _, place = read_string(bytes(record[1 : 1 + _LONGEST]), 0)
        return kind == _EFFECT or size - 1 - place == 20
    except (struct.error, ValueError):
        return False


def _layout(body: bytes | memoryview) -> tuple[int, int, tuple[int, ...]]:
    """Of a message's record: where the peer's name ends, where the frames begin, their sizes."""
    end = 2 + int(struct.unpack_from(">H", body)[0])
    (count,) = struct.unpack_from(">H", body, end)
    sizes = struct.unpack_from(f">{count}I", body, end + 2)
    place = end + 2 + 4 * int(count)
    if place + sum(sizes) != len(body) or count == 0:
        raise ValueError("the sizes are inconsistent")
    return end, place, sizes


def _message(body: bytes) -> tuple[str, list[bytes]]:
    end, place, sizes = _layout(body)
    frames = []
    for each in sizes:
        frames.append(body[place : place + each])
        place += each
    return body[2:end].decode(), frames


def _open(path: str) -> int:
    """The file, made if there is none; nothing is written to it, but locks want it so."""
    flags = os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC  # a FIFO must not hold us
    try:
        return os.open(path, flags | os.O_RDWR, 0o600)
    except PermissionError:  # it has the mark of a process that was killed on its way
        return os.open(path, flags | os.O_RDONLY, 0o600)


def _lock(descriptor: int, path: str) -> bool:
    """Whether the file is ours now, and still the one of this name."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except (BlockingIOError, FileNotFoundError):
        return False


def _is_current(descriptor: int) -> bool:
    """Whether this is the role's journal still: it has its name, and not the mark."""
    found = os.fstat(descriptor)
    return found.st_nlink > 0 and bool(found.st_mode & stat.S_IWUSR)


def _read(descriptor: int) -> bytes:
    """All that has not been read."""
    with open(descriptor, "rb", closefd=False) as file:
        return file.read()


def _write(descriptor: int, data: bytes | bytearray) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _force_folder(path: str) -> None:
    """A rename is on disk when its folder is."""
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
