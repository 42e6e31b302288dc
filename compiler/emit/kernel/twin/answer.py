def _answer(name: str, types: Sequence[Any], of: Any, values: Sequence[Any]) -> Any:
    """What a function without a gradient answers: objects of the same classes."""
    room = _Room()
    arguments = [given for kind, value in zip(types, values)
                 for given in _given(kind, kind.put(value, room))]
    room.finish()
    answer = of.read(_call(name, of.c, *arguments), room)
    room.finish()
    return answer
