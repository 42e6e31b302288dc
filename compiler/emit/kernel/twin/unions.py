class _Union:
    """A tag and one of several; each with the classes of its values."""

    def __init__(self, *items: tuple[Any, Any]) -> None:
        self.items = items
        inner = [(f"as{i}", item.c) for i, (_, item) in enumerate(items) if item is not _none]
        union = type("_u", (ctypes.Union,), {"_fields_": inner})
        self.c: Any = type("_c", (ctypes.Structure,),
                           {"_fields_": [("tag", ctypes.c_int), ("of", union)]})

    def tag(self, value: Any) -> int:
        for i, (kind, _) in enumerate(self.items):
            if isinstance(value, kind):
                return i
        raise TypeError(f"{type(value).__name__} is none of the types that are expected")

    def put(self, value: Any, room: _Room) -> tuple[Any, Any]:
        tag, there, back = self.tag(value), self.c(), self.c()
        there.tag = back.tag = tag
        if value is not None:
            made, twin = self.items[tag][1].put(value, room)
            setattr(there.of, f"as{tag}", made)
            setattr(back.of, f"as{tag}", twin)
        return there, back

    def get(self, value: Any, c: Any, room: _Room) -> Any:
        tag = self.tag(value)
        return self.items[tag][1].get(value, getattr(c.of, f"as{tag}", None), room)

    def read(self, c: Any, room: _Room) -> Any:
        return self.items[c.tag][1].read(getattr(c.of, f"as{c.tag}", None), room)
