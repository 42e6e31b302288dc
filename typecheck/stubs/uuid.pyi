# uuid.pyi - identifiers. Those that are made of a clock or of chance differ at every role.

from enum import Enum as _Enum

class SafeUUID(_Enum):
    safe = 0
    unsafe = -1
    unknown = None

class UUID:
    hex: str
    int: _Int
    bytes: _Bytes
    bytes_le: _Bytes
    fields: tuple[_Int, _Int, _Int, _Int, _Int, _Int]
    urn: str
    variant: str
    version: _Int | None
    is_safe: SafeUUID
    time_low: _Int
    time_mid: _Int
    time_hi_version: _Int
    clock_seq_hi_variant: _Int
    clock_seq_low: _Int
    clock_seq: _Int
    time: _Int
    node: _Int
    def __init__(
        self, hex: str | None = ..., bytes: _Bytes | None = ..., bytes_le: _Bytes | None = ...,
        fields: tuple[_Int, _Int, _Int, _Int, _Int, _Int] | None = ..., int: _Int | None = ...,
        version: _Int | None = ..., *, is_safe: SafeUUID = ...) -> None: ...
    def __int__(self) -> _Int: ...
    def __lt__(self, other: UUID, /) -> bool: ...
    def __le__(self, other: UUID, /) -> bool: ...
    def __gt__(self, other: UUID, /) -> bool: ...
    def __ge__(self, other: UUID, /) -> bool: ...
    def __hash__(self) -> _Int: ...

_Int: TypeAlias = int
_Bytes: TypeAlias = bytes

NAMESPACE_DNS: Final[UUID]
NAMESPACE_URL: Final[UUID]
NAMESPACE_OID: Final[UUID]
NAMESPACE_X500: Final[UUID]

@unsure
def getnode() -> int: ...
@unsure
def uuid1(node: int | None = ..., clock_seq: int | None = ...) -> UUID: ...
def uuid3(namespace: UUID, name: str) -> UUID: ...
@unsure
def uuid4() -> UUID: ...
def uuid5(namespace: UUID, name: str) -> UUID: ...
def __getattr__(name: str) -> Any: ...
