class _Record:
    """A dataclass: a struct of its fields, behind those of its base and the number of its class."""

    c = ctypes.c_void_p

    def __init__(self, kind: Any, number: int, base: Any = None) -> None:
        self.kind, self.number, self.base = kind, number, base
        self.fields: list[tuple[str, Any]] = []
        self.struct: Any = None
        frozen = getattr(kind, "__dataclass_params__", None)
        self.is_value = frozen is None or frozen.frozen         # not one object in two places

    def define(self, *fields: tuple[str, Any]) -> None:
        own = [(f"f_{name}", item.c) for name, item in fields]
        if self.base is not None:
            self.fields.extend(self.base.fields)
        elif self.number:
            own.insert(0, ("class_", ctypes.c_int))
        self.fields.extend(fields)
        base = self.base.struct if self.base is not None else ctypes.Structure
        self.struct = type("_c", (base,), {"_fields_": own})

    def fits(self, value: Any) -> bool:
        return type(value) is self.kind

    def put(self, value: Any, room: _Room) -> tuple[Any, Any]:
        if value is None:
            return None, None
        if id(value) not in room.known or self.is_value:
            there, back = self.struct(), self.struct()
            room.known[id(value)] = value, there, back
            room.kept.append((there, back))
            room.todo.append(lambda: self.fill(value, there, back, room))
        _, there, back = room.known[id(value)]
        return ctypes.addressof(there), ctypes.addressof(back)

    def fill(self, value: Any, there: Any, back: Any, room: _Room) -> None:
        if self.number:
            there.class_ = back.class_ = self.number
        for name, item in self.fields:
            made, twin = item.put(getattr(value, name), room)
            setattr(there, f"f_{name}", made)
            setattr(back, f"f_{name}", twin)

    def get(self, value: Any, c: Any, room: _Room) -> Any:
        if value is None:
            return None
        if id(value) in room.answers and not self.is_value:
            return room.answers[id(value)]
        made = self.struct.from_address(c) if self.is_value else room.known[id(value)][2]
        answer = object.__new__(type(value))
        room.answers[id(value)] = answer
        room.todo.append(lambda: self.answer(value, answer, made, room))
        return answer

    def answer(self, value: Any, answer: Any, made: Any, room: _Room) -> None:
        for name, item in self.fields:
            part = item.get(getattr(value, name), getattr(made, f"f_{name}"), room)
            object.__setattr__(answer, name, part)

    def read(self, c: Any, room: _Room) -> Any:
        if c is not None and (c not in room.read or self.is_value):
            answer, made = object.__new__(self.kind), self.struct.from_address(c)
            room.read[c] = answer
            room.todo.append(lambda: self.parts_read(answer, made, room))
        return None if c is None else room.read[c]

    def parts_read(self, answer: Any, made: Any, room: _Room) -> None:
        for name, item in self.fields:
            object.__setattr__(answer, name, item.read(getattr(made, f"f_{name}"), room))
