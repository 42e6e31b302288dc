# json.pyi - JSON.

class JSONDecodeError(ValueError):
    msg: str
    doc: str
    pos: int
    lineno: int
    colno: int

class JSONEncoder:
    def __init__(self, **kwds: Any) -> None: ...
    def default(self, o: Any) -> Any: ...
    def encode(self, o: Any) -> str: ...
class JSONDecoder:
    def __init__(self, **kwds: Any) -> None: ...
    def decode(self, s: str) -> Any: ...

def dumps(
    obj: Any, *, skipkeys: bool = ..., ensure_ascii: bool = ..., check_circular: bool = ...,
    allow_nan: bool = ..., cls: Any = ..., indent: None | int | str = ...,
    separators: tuple[str, str] | None = ..., default: Callable[[Any], Any] | None = ...,
    sort_keys: bool = ..., **kwds: Any) -> str: ...
@unsure
def dump(
    obj: Any, fp: Any, *, skipkeys: bool = ..., ensure_ascii: bool = ...,
    check_circular: bool = ..., allow_nan: bool = ..., cls: Any = ...,
    indent: None | int | str = ..., separators: tuple[str, str] | None = ...,
    default: Callable[[Any], Any] | None = ..., sort_keys: bool = ..., **kwds: Any) -> None: ...
def loads(s: str | bytes | bytearray, **kwds: Any) -> Any: ...
@unsure
def load(fp: Any, **kwds: Any) -> Any: ...
