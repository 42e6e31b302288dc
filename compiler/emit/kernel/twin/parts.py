class _Parts(_Record):
    """A tuple, or a float that may be None, as an object."""

    def parts(self, value: Any) -> Any:
        return value if self.kind is tuple else (float(value),)

    def fits(self, value: Any) -> bool:
        if self.kind is tuple:
            return isinstance(value, tuple) and len(value) == len(self.fields)
        return isinstance(value, (int, float))

    def fill(self, value: Any, there: Any, back: Any, room: _Room) -> None:
        if self.number:
            there.class_ = back.class_ = self.number
        for part, (name, item) in zip(self.parts(value), self.fields):
            made, twin = item.put(part, room)
            setattr(there, f"f_{name}", made)
            setattr(back, f"f_{name}", twin)

    def get(self, value: Any, c: Any, room: _Room) -> Any:
        if value is None:
            return None
        made = self.struct.from_address(c)
        answers = tuple([item.get(part, getattr(made, f"f_{name}"), room)
                         for part, (name, item) in zip(self.parts(value), self.fields)])
        return answers if self.kind is tuple else answers[0]

    def read(self, c: Any, room: _Room) -> Any:
        if c is None:
            return None
        made = self.struct.from_address(c)
        answers = tuple([item.read(getattr(made, f"f_{name}"), room)
                         for name, item in self.fields])
        return answers if self.kind is tuple else answers[0]


class _Choice:
    """An object of one of several classes."""

    c = ctypes.c_void_p

    def __init__(self, *records: _Record) -> None:
        self.records = records

    def record(self, value: Any) -> _Record:
        for record in self.records:
            if record.fits(value):
                return record
        raise TypeError(f"{type(value).__name__} is none of the classes that are expected")

    def put(self, value: Any, room: _Room) -> tuple[Any, Any]:
        return (None, None) if value is None else self.record(value).put(value, room)

    def get(self, value: Any, c: Any, room: _Room) -> Any:
        return None if value is None else self.record(value).get(value, c, room)

    def read(self, c: Any, room: _Room) -> Any:
        if c is None:
            return None
        number = ctypes.c_int.from_address(c).value
        return next(record for record in self.records if record.number == number).read(c, room)
