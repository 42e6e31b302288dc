"""Rendezvous: the links between processes that the settings ask for (PROTOCOL.md sections 6 and 7).

Where each peer is: what the command line says, else the manifest, else the meeting place of this
user on this machine (deployment.py).  And what keeps a link private: keys of the manifest, or at
the meeting place keys made for the run if a channel must be secure.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import zmq
from zmq.utils import z85

from .addresses import is_local, is_private
from .deployment import MeetingPlace
from .errors import EXIT_REFUSED, ChannelError, UsageError
from .manifest import Manifest, read_key, read_manifest
from .room import check_threads, make_room
from .settings import Settings
from .sockets import Limits, SocketTransport
from .role import FAREWELL_MS
from .transport import Port, Transport
from .window import Config

if TYPE_CHECKING:
    from .durable import Durability

_OURS: dict[str, Any] = {"redial_max": 50}  # trying again costs little at the meeting place


@dataclass(frozen=True)
class Place:
    """Where the link to a peer is: an address, and whether this role listens there.

    is_ours   it is at the meeting place
    """

    address: str
    listens: bool
    is_ours: bool = False


class ManifestKeys:
    """The keys of a manifest (sockets.Keys)."""

    def __init__(self, manifest: Manifest, role: str, secret: bytes) -> None:
        entry = manifest.entry(role)
        assert entry is not None
        self.secret = secret
        self.public = entry.public.encode()
        self._public = {each.name: each.public.encode() for each in manifest.roles}
        self._roles = {_raw(public): name for name, public in self._public.items()}
        if zmq.curve_public(secret) != self.public:
            raise ChannelError(
                f"the secret key of {role} does not belong to its public key in the manifest",
                EXIT_REFUSED,
            )

    def role_of(self, key: bytes) -> str | None:
        return self._roles.get(key)

    def public_of(self, role: str) -> bytes | None:
        return self._public[role]


class MeetingKeys:
    """Keys made for one run, told to the other roles at the meeting place (sockets.Keys)."""

    def __init__(self, place: MeetingPlace, roles: Sequence[str], at_once: bool) -> None:
        self._place = place
        self._roles = roles
        self._pair: tuple[bytes, bytes] | None = None
        self._serves = at_once
        if at_once:
            self._make()

    def _make(self) -> tuple[bytes, bytes]:
        if self._pair is None:
            self._pair = zmq.curve_keypair()
            self._place.publish_key(self._pair[0], self._serves)
        return self._pair

    @property
    def public(self) -> bytes:
        return self._make()[0]

    @property
    def secret(self) -> bytes:
        return self._make()[1]

    def role_of(self, key: bytes) -> str | None:
        indexes = range(len(self._roles))
        return next((self._roles[n] for n in indexes if self._is_of(n, key)), None)

    def _is_of(self, index: int, key: bytes) -> bool:
        public = self._place.key_of(index)
        return public is not None and _raw(public) == key

    def public_of(self, role: str) -> bytes | None:
        return self._place.key_of(self._roles.index(role), serves=True)


def _raw(public: bytes) -> bytes:
    """The 32 bytes of a key of 40 characters."""
    raw: bytes = z85.decode(public)  # type: ignore[no-untyped-call]
    return raw


class Rendezvous:
    """The transport of one role's process, and the port and configuration of each of its links.

    secure   the peers with whom channels must be secure
    """

    def __init__(
        self,
        role: str,
        roles: tuple[str, ...],
        protocol: str,
        settings: Settings,
        peers: Sequence[str],
        secure: Sequence[str],
    ) -> None:
        self._role = role
        self._roles = roles
        self._settings = settings
        self._secure = secure
        self._manifest = self._read_manifest()
        self._run = settings.run or (self._manifest.run if self._manifest else "")
        self._protocol = bytes.fromhex(protocol)
        self._began = time.time_ns() // 1_000_000
        self._meeting = MeetingPlace(protocol, self._run)
        self._transport: SocketTransport | None = None
        self._used_keys: tuple[ManifestKeys | MeetingKeys | None, bool] = (None, False)
        self._is_placed = False  # its peers may be told how it ends
        self.durability: Durability | None = None
        self._places = {peer: self._place_of(peer) for peer in peers}
        self._limits = Limits()
        if self._manifest is not None:
            self._limits = replace(self._limits, **self._manifest.limits)

    def _open_journal(self) -> Durability | None:
        if not self._settings.journal:
            return None
        from .durable import Durability

        settings = self._settings
        return Durability(
            settings.journal, self._protocol, self._run, self._role, settings.given
        )

    def _read_manifest(self) -> Manifest | None:
        settings = self._settings
        if settings.manifest:
            return read_manifest(settings.manifest, self._roles)
        if settings.key:
            raise UsageError("--key needs a --manifest, which lists the roles of the run")
        return None

    # --- where ---

    def _place_of(self, peer: str) -> Place:
        settings = self._settings
        mine, other = self._roles.index(self._role), self._roles.index(peer)
        listens = mine < other
        if peer in settings.listen:
            return Place(settings.listen[peer], True)
        if peer in settings.dial:
            return Place(settings.dial[peer], False)
        if listens and settings.bind:
            return Place(settings.bind, True)
        if self._manifest is not None:
            return Place(self._manifest.roles[mine if listens else other].address, listens)
        self._meeting.enter(self._role, mine, takes_over=bool(settings.journal))
        return Place(self._meeting.address(mine if listens else other), listens, is_ours=True)

    # --- keys ---

    def _keys(self) -> ManifestKeys | MeetingKeys | None:
        if self._manifest is not None and not self._manifest.is_plain:
            path = self._settings.key or os.path.dirname(self._settings.manifest) or "."
            if not self._settings.key and os.path.isdir(self._settings.manifest):
                path = self._settings.manifest
            secret = read_key(path, self._role)
            return ManifestKeys(self._manifest, self._role, secret)
        if all(place.is_ours for place in self._places.values()):
            return MeetingKeys(self._meeting, self._roles, bool(self._secure))
        return None

    def _check_private(self, peer: str, place: Place, has_keys: bool) -> None:
        """Refuse to send in the clear where that is not allowed, or not asked for."""
        address = place.address
        if has_keys or address.startswith("inproc://"):
            return
        if peer in self._secure:
            raise ChannelError(
                f"the channel to {peer} must be secure, but {address} has no keys: "
                "give --manifest and --key (see pychoralc keygen)",
                EXIT_REFUSED,
            )
        if self._settings.plain:
            return
        if not is_local(address):
            raise ChannelError(
                f"{address} leaves this machine unencrypted: give --manifest and --key, "
                "or give --plain to allow it",
                EXIT_REFUSED,
            )
        if address.startswith("ipc://") and not is_private(address):
            raise ChannelError(
                f"{address} is not in a directory that only you can enter: use one with mode 700, "
                "or give --plain to allow it",
                EXIT_REFUSED,
            )

    # --- building ---

    def open(self) -> SocketTransport:
        """The transport, listening; raises ChannelError, UsageError."""
        keys = self._keys()
        always = isinstance(keys, ManifestKeys) or bool(self._secure)
        for peer, place in self._places.items():
            self._check_private(peer, place, keys is not None and always)
        self._used_keys = keys, always
        self._is_placed = True
        make_room(self._descriptors())
        check_threads()
        transport = self._open_transport()
        # In its place now: who cannot be there must leave the journal to who is.
        self.durability = self._open_journal()
        return transport

    def _open_transport(self) -> SocketTransport:
        keys, always = self._used_keys
        transport = self._transport = SocketTransport(self._role, self._limits, keys)
        transport.ask_place(self._is_alive, self._mark_of)
        for place in {place.address: place for place in self._places.values()}.values():
            if place.listens:
                self._listen(transport, place, always)
        return transport

    def _descriptors(self, all_at_once: bool = True) -> int:
        """How many it takes, as rendezvous.c has measured; or to speak to one after the other."""
        base, spare, listener, dialled, accepted = 6, 6, 4, 4, 1
        listens = [place.listens for place in self._places.values()]
        if not all_at_once:
            return base + (listener + accepted if any(listens) else dialled)
        each = sum(accepted if each else dialled for each in listens)
        return base + spare + each + (listener if any(listens) else 0)

    def farewell(self, why: str) -> tuple[Transport, list[str]] | None:
        """What it takes to tell peers why the role cannot start, as far as that can be had; and
        who can be told.  At the meeting place they have been told then.  One with a journal is
        started again."""
        if not self._is_placed or self._settings.journal:
            return None
        if self._meeting.is_entered:
            self._meeting.mark(why)
        if all(place.is_ours for place in self._places.values()):
            time.sleep(FAREWELL_MS / 1000)
            return None
        self._limits = replace(self._limits, window_messages=0)  # which says that it cannot start
        is_short = self._transport is None
        if self._transport is None:
            make_room(self._descriptors(all_at_once=False))
            check_threads()
            self._open_transport()
        assert self._transport is not None
        if not self._transport.listens:
            there = [peer for peer, place in self._places.items() if not place.listens]
        elif is_short:  # of descriptors: who dials is told, one after the other
            there = [peer for peer, place in self._places.items() if place.listens]
        else:
            there = list(self._places)
        return self._transport, there

    def _listen(self, transport: SocketTransport, place: Place, with_keys: bool) -> None:
        if place.is_ours and self._settings.journal:
            transport.listen(self._meeting.bindable(place.address), with_keys)
            self._meeting.lead(place.address)
        else:
            transport.listen(place.address, with_keys)

    def _is_alive(self, peer: str) -> bool:
        """At the meeting place a lock tells; elsewhere nothing is certain."""
        place = self._places[peer]
        return not place.is_ours or self._meeting.is_alive(self._roles.index(peer))

    def _mark_of(self, peer: str) -> str:
        place = self._places[peer]
        return self._meeting.mark_of(self._roles.index(peer)) if place.is_ours else ""

    def link(self, peer: str) -> tuple[Port, Config]:
        """The port and the configuration of the link to a peer."""
        assert self._transport is not None
        place = self._places[peer]
        make = self._transport.expect if place.listens else self._transport.dialler
        is_far = not is_local(place.address)
        config = Config(
            self._role,
            peer,
            not place.listens,
            self._protocol,
            self._run,
            crc=is_far and self._transport.keys is None,
            durable=self.durability is not None,
            incarnation=self.durability.incarnation if self.durability else self._began,
            window_messages=self._limits.window_messages,
            window_bytes=self._limits.window_bytes,
            max_message=self._limits.message,
            seed=int.from_bytes(os.urandom(8), "big"),
            **(_OURS if place.is_ours else {}),
            beats=True,
            **intervals(self._settings),
        )
        return make(peer, place.address), config

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close(0)
        self._meeting.leave()


def intervals(settings: Settings) -> dict[str, Any]:
    """Deadlines in milliseconds, where the settings say them."""
    found = {}
    connect = [each for each in (settings.connect_timeout, settings.timeout) if each is not None]
    if connect:
        found["connect"] = int(min(connect) * 1000)
    if settings.lost_after is not None:
        found["lost"] = int(settings.lost_after * 1000)
    return found
