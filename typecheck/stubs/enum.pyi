# enum.pyi - enums.

_T = TypeVar("_T")

class EnumMeta(type, Generic[_T]):
    def __iter__(self) -> Iterator[_T]: ...
    def __reversed__(self) -> Iterator[_T]: ...
    def __len__(self) -> int: ...
    def __contains__(self, member: object) -> bool: ...
    def __getitem__(self, name: str) -> _T: ...
    __members__: Any
EnumType = EnumMeta

class auto:
    value: Any
    def __new__(cls) -> Any: ...
    def __or__(self, other: Any) -> Any: ...

class Enum:
    name: str
    value: Any
    _name_: str
    _value_: Any
    __members__: dict[str, Any]
    def __new__(cls, value: object) -> Self: ...
    @classmethod
    def _missing_(cls, value: object) -> Any: ...
    def __hash__(self) -> int: ...

class ReprEnum(Enum): ...

class IntEnum(int, ReprEnum):
    value: int
    _value_: int

class StrEnum(str, ReprEnum):
    value: str
    _value_: str

class Flag(Enum):
    value: int
    _value_: int
    def __contains__(self, other: Self) -> bool: ...
    def __bool__(self) -> bool: ...
    def __or__(self, other: Self) -> Self: ...
    def __and__(self, other: Self) -> Self: ...
    def __xor__(self, other: Self) -> Self: ...
    def __invert__(self) -> Self: ...

class IntFlag(int, ReprEnum, Flag):
    value: int
    _value_: int
    def __or__(self, other: int) -> Self: ...
    def __and__(self, other: int) -> Self: ...
    def __xor__(self, other: int) -> Self: ...
    def __ror__(self, n: int) -> Self: ...
    def __rand__(self, n: int) -> Self: ...
    def __invert__(self) -> Self: ...

def unique(enumeration: Any) -> Any: ...
CONFORM: Any
CONTINUOUS: Any
DynamicClassAttribute: Any
EJECT: Any
EnumCheck: Any
EnumDict: Any
FlagBoundary: Any
KEEP: Any
NAMED_FLAGS: Any
STRICT: Any
UNIQUE: Any
global_enum: Any
global_enum_repr: Any
global_flag_repr: Any
global_str: Any
member: Any
nonmember: Any
pickle_by_enum_name: Any
pickle_by_global_name: Any
property: Any
show_flag_values: Any
verify: Any
