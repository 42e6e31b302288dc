class _Array:
    """A list of numbers that a function takes: an array and its length; numpy's is not copied."""

    def __init__(self, item: _Simple) -> None:
        self.item, self.list = item, _List(item)

    def numpy(self, value: Any) -> Any:
        numpy = sys.modules.get("numpy")
        ok = numpy is not None and isinstance(value, numpy.ndarray) and value.ndim == 1
        return numpy if ok and self.item.c in (ctypes.c_double, ctypes.c_int64) else None

    def put(self, value: Any, room: _Room) -> tuple[Any, Any, int]:
        numpy = self.numpy(value)
        if id(value) in room.arrays:
            _, there, back = room.arrays[id(value)]
            return there, back, len(value)
        if numpy is None:
            there, back = self.list.arrays(value, room)
            room.arrays[id(value)] = value, there, back
            return there, back, len(value)
        kind = numpy.float64 if self.item.c is ctypes.c_double else numpy.int64
        array = numpy.ascontiguousarray(value, dtype=kind)
        grad = numpy.zeros(len(array), dtype=numpy.float64)
        room.kept.extend((array, grad))
        pointers = ctypes.c_void_p(array.ctypes.data), ctypes.c_void_p(grad.ctypes.data)
        room.arrays[id(value)] = value, *pointers
        room.answers[id(value)] = grad
        return *pointers, len(array)

    def get(self, value: Any, room: _Room) -> Any:
        if id(value) in room.answers:
            return room.answers[id(value)]
        answer = [self.item.get(v, c, room) for v, c in zip(value, room.arrays[id(value)][2])]
        room.answers[id(value)] = answer
        return answer


def _given(of: Any, made: Any) -> list[Any]:
    """What C takes for a value: an array with its length, a struct, a number, a pointer."""
    if isinstance(of, _Array):
        return [made[0], ctypes.c_int64(made[2])]
    return [made[0] if isinstance(made[0], ctypes.Structure) else of.c(made[0])]


def _gradient(name: str, types: Sequence[Any], active: Sequence[bool],
              values: Sequence[Any]) -> Any:
    """The value of a function and, of the active parameters, the gradient."""
    room = _Room()
    arguments: list[Any] = []
    gradients: list[Any] = []
    cells: list[Any] = []
    for of, is_active, value in zip(types, active, values):
        made = of.put(value, room)
        arguments.extend(_given(of, made))
        by_value = not isinstance(of, _Array) and of.c is not ctypes.c_void_p
        cells.append(of.c() if by_value else made[1])
        if is_active:
            gradients.append(ctypes.byref(cells[-1]) if by_value else made[1]
                             if isinstance(of, _Array) else of.c(made[1]))
    room.finish()
    value = _call(name, ctypes.c_double, *arguments, *gradients)
    answers = []
    for of, is_active, given, cell in zip(types, active, values, cells):
        if is_active and isinstance(of, _Array):
            answers.append(of.get(given, room))
        elif is_active:
            answers.append(of.get(given, cell.value if isinstance(of, _Simple) else cell, room))
    room.finish()
    return value, answers[0] if len(answers) == 1 else tuple(answers)
