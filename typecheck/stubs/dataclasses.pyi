# dataclasses.pyi - dataclasses; what @dataclass makes of a class, the checker knows itself.

_T = TypeVar("_T")

KW_ONLY: Any
MISSING: Any
InitVar: Any
class FrozenInstanceError(AttributeError): ...
class Field:
    name: str
    type: Any
    default: Any
    default_factory: Any
    repr: bool
    hash: bool | None
    init: bool
    compare: bool
    metadata: Any
    kw_only: bool

def dataclass(
    cls: Any = ..., /, *, init: bool = ..., repr: bool = ..., eq: bool = ..., order: bool = ...,
    unsafe_hash: bool = ..., frozen: bool = ..., match_args: bool = ..., kw_only: bool = ...,
    slots: bool = ..., weakref_slot: bool = ...) -> Any: ...
def field(
    *, default: Any = ..., default_factory: Any = ..., init: bool = ..., repr: bool = ...,
    hash: bool | None = ..., compare: bool = ..., metadata: Any = ..., kw_only: bool = ...
) -> Any: ...
def fields(class_or_instance: Any) -> tuple[Field, ...]: ...
def asdict(obj: Any, *, dict_factory: Any = ...) -> dict[str, Any]: ...
def astuple(obj: Any, *, tuple_factory: Any = ...) -> tuple[Any, ...]: ...
def is_dataclass(obj: object) -> bool: ...
def replace(obj: _T, /, **changes: Any) -> _T: ...
def make_dataclass(cls_name: str, fields: Iterable[Any], **kwds: Any) -> type: ...
