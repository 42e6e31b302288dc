# bisect.pyi - places in sorted lists.

_T = TypeVar("_T")

def bisect_left(
    a: SupportsLenAndGetItem[_T], x: Any, lo: int = ..., hi: int | None = ..., *,
    key: Callable[[_T], Any] | None = ...) -> int: ...
def bisect_right(
    a: SupportsLenAndGetItem[_T], x: Any, lo: int = ..., hi: int | None = ..., *,
    key: Callable[[_T], Any] | None = ...) -> int: ...
def bisect(
    a: SupportsLenAndGetItem[_T], x: Any, lo: int = ..., hi: int | None = ..., *,
    key: Callable[[_T], Any] | None = ...) -> int: ...
def insort_left(
    a: MutableSequence[_T], x: _T, lo: int = ..., hi: int | None = ..., *,
    key: Callable[[_T], Any] | None = ...) -> None: ...
def insort_right(
    a: MutableSequence[_T], x: _T, lo: int = ..., hi: int | None = ..., *,
    key: Callable[[_T], Any] | None = ...) -> None: ...
def insort(
    a: MutableSequence[_T], x: _T, lo: int = ..., hi: int | None = ..., *,
    key: Callable[[_T], Any] | None = ...) -> None: ...
