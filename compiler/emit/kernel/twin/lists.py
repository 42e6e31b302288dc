class _Tuple:
    def __init__(self, *items: Any) -> None:
        fields = [(f"at{i}", item.c) for i, item in enumerate(items)]
        self.items = items
        self.c: Any = type("_c", (ctypes.Structure,), {"_fields_": fields})

    def put(self, value: Any, room: _Room) -> tuple[Any, Any]:
        parts = [item.put(v, room) for item, v in zip(self.items, value)]
        return self.c(*[p for p, _ in parts]), self.c(*[t for _, t in parts])

    def get(self, value: Any, c: Any, room: _Room) -> Any:
        return tuple(item.get(v, getattr(c, f"at{i}"), room)
                     for i, (item, v) in enumerate(zip(self.items, value)))

    def read(self, c: Any, room: _Room) -> Any:
        return tuple(item.read(getattr(c, f"at{i}"), room) for i, item in enumerate(self.items))


class _ListC(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("len", ctypes.c_int64), ("cap", ctypes.c_int64)]


class _List:
    c = ctypes.c_void_p

    def __init__(self, item: Any) -> None:
        self.item = item

    def arrays(self, values: Any, room: _Room) -> tuple[Any, Any]:
        """The items as arrays: of the values, and of zeros for their derivatives."""
        kind = self.item.c * len(values)
        if self.item is _float:
            return kind(*values), kind()
        there, back = kind(), kind()
        for i, value in enumerate(values):
            there[i], back[i] = self.item.put(value, room)
        return there, back

    def put(self, value: Any, room: _Room) -> tuple[Any, Any]:
        if value is None:
            return None, None
        if id(value) not in room.known:
            there, back = _ListC(), _ListC()
            room.known[id(value)] = value, there, back
            room.todo.append(lambda: self.fill(value, there, back, room))
        _, there, back = room.known[id(value)]
        return ctypes.addressof(there), ctypes.addressof(back)

    def fill(self, value: Any, there: Any, back: Any, room: _Room) -> None:
        arrays = self.arrays(value, room)
        room.kept.append(arrays)
        for made, array in zip((there, back), arrays):
            made.at, made.len, made.cap = ctypes.addressof(array), len(array), len(array)

    def get(self, value: Any, c: Any, room: _Room) -> Any:
        if value is None:
            return None
        if id(value) not in room.answers:
            answer: list[Any] = []
            room.answers[id(value)] = answer
            room.todo.append(lambda: self.answer(value, answer, room))
        return room.answers[id(value)]

    def answer(self, value: Any, answer: list[Any], room: _Room) -> None:
        made = room.known[id(value)][2]
        array = (self.item.c * len(value)).from_address(made.at) if made.at else ()
        answer.extend(self.item.get(v, c, room) for v, c in zip(value, array))

    def read(self, c: Any, room: _Room) -> Any:
        if c is not None and c not in room.read:
            made = _ListC.from_address(c)
            array = (self.item.c * made.len).from_address(made.at) if made.len else ()
            answer: list[Any] = []
            room.read[c] = answer
            room.todo.append(lambda: answer.extend(self.item.read(part, room) for part in array))
        return None if c is None else room.read[c]
