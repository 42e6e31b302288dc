# sys.pyi - the parts of sys that programs use.

argv: list[str]
byteorder: Literal["little", "big"]
executable: str
maxsize: int
maxunicode: int
modules: dict[str, Any]
path: list[str]
platform: str
prefix: str
stdin: TextIO
stdout: TextIO
stderr: TextIO
version: str
version_info: Any
flags: Any
float_info: Any
hash_info: Any
implementation: Any
int_info: Any
dont_write_bytecode: bool

@unsure
def exit(status: Any = ..., /) -> NoReturn: ...
@unsure
@raised
def exc_info() -> tuple[Any, Any, Any]: ...
@unsure
@raised
def exception() -> Any: ...
@unsure
def getrecursionlimit() -> int: ...
@unsure
def setrecursionlimit(limit: int, /) -> None: ...
@unsure
def getsizeof(obj: object, default: int = ..., /) -> int: ...
@unsure
def getdefaultencoding() -> str: ...
def intern(string: str, /) -> str: ...
@unsure
def set_int_max_str_digits(maxdigits: int) -> None: ...
@unsure
def get_int_max_str_digits() -> int: ...
def __getattr__(name: str) -> Any: ...
