class _Saved:
    """What a way there keeps, in memory of C, until this object goes."""

    def __init__(self, at: int, free: str) -> None:
        self.at = at
        weakref.finalize(self, _free, at, free)


def _free(at: int, name: str) -> None:
    free = getattr(_loaded[0], name)
    free.restype = None
    free(ctypes.c_void_p(at))


class _SavedType:
    c = ctypes.c_void_p

    def __init__(self, kind: Any, free: str) -> None:
        self.kind, self.free = kind, free

    def put(self, value: Any, room: Any) -> tuple[Any, Any]:
        if not isinstance(value, self.kind):
            raise TypeError(f"{type(value).__name__} is not what the way there has kept")
        return value.at, None

    def read(self, c: Any, room: Any) -> Any:
        return self.kind(c, self.free)
