"""The journal of a durable role: what it has taken and done, on disk before anybody is told.

PROTOCOL.md section 9.  A file of records that only grows; each has its length and a CRC, so that a
record that a crash has torn is known and cut off.  A program that starts again gets its history
back, runs from its beginning with the same messages and the same results of local effects, and so
comes to the same place.

Each start copies what is valid into a fresh file and puts that in the place of the old one.  An
earlier process of the role that is still there (stopped, forgotten) then writes to a file that
nobody reads, and cannot spoil the history of its successor.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import struct
import threading
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .errors import EXIT_PEER_LOST, EXIT_PROTOCOL, EXIT_REFUSED, ChannelError
from .files import is_file, open_to_read

_MAGIC = b"CHJ1"
_HEAD = struct.Struct(">II")  # length of kind and body, CRC-32 of both
_IDENTITY, _INCARNATION, _MESSAGE, _EFFECT, _ENDED = range(5)
_KINDS = re.compile(rb"[\x01-\x04]")  # of all records but the first
_MOST_LOOKED = 1 << 30  # bytes summed up behind a break, whatever stands there
_GROUP_BYTES = 1 << 20  # written out beyond this, to bound memory; forced only when asked


@dataclass(frozen=True)
class Identity:
    """Whose journal it is: SHA-256 of the protocol, first 16 bytes of that of the run, the role."""

    protocol: bytes
    run_id: bytes
    role: str

    def body(self) -> bytes:
        return _MAGIC + self.protocol + self.run_id + _string(self.role)


@dataclass
class History:
    """What earlier incarnations have taken and done.

    messages   (peer, frames with their header), in the order in which they were taken
    effects    (site, encoded result) of local effects, in order
    """

    incarnation: int = 0
    messages: list[tuple[str, list[bytes]]] = field(default_factory=list)
    effects: list[tuple[int, bytes]] = field(default_factory=list)
    ended: bool = False


class Journal:
    """An open journal.  Methods may be called from any thread; they raise ChannelError.

    history          what it held
    cut              how many bytes of a torn record were cut off its end
    has_new_effects  whether local effects were added that are not on disk yet
    """

    def __init__(self, path: str, identity: Identity) -> None:
        """Open the file or make it, and begin a new incarnation, forced to disk."""
        self.path = path
        self.history = History()
        self.cut = 0
        self._descriptor = -1
        self._pending = bytearray()
        self._lock = threading.RLock()  # the program adds effects while the keeper forces
        kept = self._read(identity)
        self.incarnation = self.history.incarnation + 1
        self._add(_INCARNATION, struct.pack(">Q", self.incarnation))
        self._descriptor = self._replace(kept + self._pending)
        self._pending.clear()
        self._is_forced = True
        self.has_new_effects = False

    # --- adding ---

    @property
    def is_forced(self) -> bool:
        """Whether all that was added is on disk."""
        return self._is_forced

    def add_message(self, peer: str, frames: Sequence[bytes | memoryview]) -> None:
        """A message was taken from `peer`."""
        sizes = struct.pack(f">H{len(frames)}I", len(frames), *(len(each) for each in frames))
        self._add(_MESSAGE, _string(peer) + sizes + b"".join(frames))

    def add_effect(self, site: int, result: bytes) -> None:
        """A local effect had this result."""
        with self._lock:
            self.has_new_effects = True
            self._add(_EFFECT, struct.pack(">I", site) + result)

    def add_end(self) -> None:
        """The role has ended."""
        self._add(_ENDED, b"")

    def force(self) -> None:
        """Returns when all that was added is on disk."""
        with self._lock:
            if self._is_forced:
                return
            self._write_out()
            with _Explained(self.path):
                os.fdatasync(self._descriptor)
                links = os.fstat(self._descriptor).st_nlink
            if not links:
                # A successor has put its own file in the place of this one and would never see
                # what is written here now, so that nobody may be told of it.
                raise self._wrong("a newer process of the role has it", EXIT_REFUSED)
            self._is_forced = True
            self.has_new_effects = False

    def close(self) -> None:
        """Let go of the file; what was added and not forced may be lost."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _add(self, kind: int, body: bytes) -> None:
        data = bytes([kind]) + body
        with self._lock:
            self._pending += _HEAD.pack(len(data), zlib.crc32(data)) + data
            self._is_forced = False
            if len(self._pending) > _GROUP_BYTES and self._descriptor >= 0:
                self._write_out()

    def _write_out(self) -> None:
        with _Explained(self.path):
            _write(self._descriptor, self._pending)
        self._pending.clear()

    # --- opening ---

    def _read(self, identity: Identity) -> bytes:
        """Fill `history`; returns the bytes that are valid."""
        with _Explained(self.path):
            try:
                with open_to_read(self.path) as file:
                    if not is_file(file):
                        raise self._wrong("it is no file", EXIT_REFUSED)
                    data = file.read()
            except FileNotFoundError:
                data = b""
        if not data:
            self._add(_IDENTITY, identity.body())
            return b""
        end = 0
        for place, record in _records(data):
            if end == 0:
                self._check_identity(record, identity)
            elif not self._understand(record[0], record[1:]):
                raise self._wrong(f"the record at byte {place} cannot be understood")
            end = place + _HEAD.size + len(record)
        if end == 0:
            raise self._wrong("it is no journal")
        if _is_damaged(data, end):
            raise self._wrong(f"the record at byte {end} is damaged")
        self.cut = len(data) - end
        return data[:end]

    def _check_identity(self, record: bytes, identity: Identity) -> None:
        if record[:5] != bytes([_IDENTITY]) + _MAGIC:
            raise self._wrong("it is no journal")
        if record[1:] == identity.body():
            return
        protocol, run_id = record[5:37], record[37:53]
        if protocol != identity.protocol:
            raise self._wrong("it was written by another program; rebuild that, or begin anew")
        if run_id != identity.run_id:
            raise self._wrong("it belongs to another run", EXIT_REFUSED)
        raise self._wrong("it belongs to another role", EXIT_REFUSED)

    def _understand(self, kind: int, body: bytes) -> bool:
        """Add a record to the history; whether it could be read."""
        history = self.history
        if history.ended and kind != _INCARNATION:
            return False
        try:
            if kind == _INCARNATION:
                (history.incarnation,) = struct.unpack(">Q", body)
            elif kind == _MESSAGE:
                history.messages.append(_message(body))
            elif kind == _EFFECT:
                history.effects.append((struct.unpack(">I", body[:4])[0], body[4:]))
            elif kind == _ENDED and not body:
                history.ended = True
            else:
                return False
        except (struct.error, UnicodeDecodeError, ValueError):
            return False
        return True

    def _replace(self, data: bytes) -> int:
        """Put a fresh file with `data` in the place of the old one; returns its descriptor."""
        fresh = f"{self.path}.{os.getpid()}.new"
        with _Explained(self.path):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(fresh)  # of an earlier process of this number, killed on its way
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                _write(descriptor, data)
                os.fsync(descriptor)
                os.rename(fresh, self.path)
                _force_folder(self.path)
            except BaseException:
                os.close(descriptor)
                if os.path.exists(fresh):
                    os.unlink(fresh)
                raise
        return descriptor

    def _wrong(self, text: str, status: int = EXIT_PROTOCOL) -> ChannelError:
        return ChannelError(f"the journal {self.path} cannot be used: {text}", status)


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
    if kind != _MESSAGE:
        return size >= 5 if kind == _EFFECT else size == (9 if kind == _INCARNATION else 1)
    try:
        _layout(record[1:])
    except (struct.error, ValueError):
        return False
    return True


def _layout(body: bytes | memoryview) -> tuple[int, int, tuple[int, ...]]:
    """Of a message's record: where the peer's name ends, where the frames begin, their sizes."""
    end = 2 + int(struct.unpack_from(">H", body)[0])
    (count,) = struct.unpack_from(">H", body, end)
    sizes = struct.unpack_from(f">{count}I", body, end + 2)
    place = end + 2 + 4 * int(count)
    if place + sum(sizes) != len(body) or count == 0:
        raise ValueError("sizes do not add up")
    return end, place, sizes


def _message(body: bytes) -> tuple[str, list[bytes]]:
    end, place, sizes = _layout(body)
    frames = []
    for each in sizes:
        frames.append(body[place : place + each])
        place += each
    return body[2:end].decode(), frames


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">H", len(data)) + data


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
