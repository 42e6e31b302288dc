class _Room:
    """What the data of one call are in C: each object once, with the one for its derivative."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, Any, Any]] = {}
        self.arrays: dict[int, tuple[Any, Any, Any]] = {}
        self.kept: list[Any] = []
        self.answers: dict[int, Any] = {}
        self.read: dict[int, Any] = {}
        self.todo: list[Callable[[], None]] = []

    def finish(self) -> None:
        while self.todo:
            self.todo.pop()()


class _Simple:
    """Numbers, texts, None: the C value, and what has no derivative as it is."""

    def __init__(self, c: Any, to_c: Callable[[Any], Any], real: bool = False,
                 from_c: Callable[[Any], Any] = lambda c: c) -> None:
        self.c, self.to_c, self.real, self.from_c = c, to_c, real, from_c

    def put(self, value: Any, room: _Room) -> tuple[Any, Any]:
        made = self.to_c(value)
        return made, 0.0 if self.real else made

    def get(self, value: Any, c: Any, room: _Room) -> Any:
        return c if self.real else value

    def read(self, c: Any, room: _Room) -> Any:
        return self.from_c(c)


def _to_int(value: Any) -> int:
    number = operator.index(value)
    if not -2**63 <= number < 2**63:
        raise OverflowError("this int does not fit in 64 bits")
    return number


def _to_text(value: str) -> bytes:
    made = value.encode("utf-8", "surrogatepass")
    if 0 in made:
        raise ValueError("embedded null character")
    return made


_float = _Simple(ctypes.c_double, float, True)
_int = _Simple(ctypes.c_int64, _to_int)
_bool = _Simple(ctypes.c_bool, bool)
_text = _Simple(ctypes.c_char_p, _to_text, False, lambda c: c.decode("utf-8", "surrogatepass"))
_none = _Simple(ctypes.c_char, lambda value: 0, False, lambda c: None)


def _enum(kind: Any) -> _Simple:
    members = list(kind)
    return _Simple(ctypes.c_int, members.index, False, members.__getitem__)
