def _array(name: str, x: object, kind: type, rank: int) -> np.ndarray:
    array = np.ascontiguousarray(x, dtype=kind) if rank > 0 else np.asarray(x, dtype=kind)
    found = np.ndim(x)
    if found != rank:
        raise ValueError(f"{name} has {found} dimensions instead of {rank}")
    return array


def _size(name: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise ValueError(f"{name} is {found} instead of {wanted}")


def _run(name: str, *values: Any) -> Any:
    """Calls a function of the library with sizes, numbers and arrays."""
    arguments: list[Any] = []
    for value in values:
        if value is None or isinstance(value, np.ndarray):
            arguments.append(ctypes.c_void_p(None if value is None else value.ctypes.data))
        elif isinstance(value, (bool, np.bool_)):
            arguments.append(ctypes.c_bool(value))
        elif isinstance(value, (float, np.floating)):
            arguments.append(ctypes.c_double(value))
        else:
            arguments.append(ctypes.c_int64(value))
    return _call(_NAMES[name], ctypes.c_double, *arguments)
