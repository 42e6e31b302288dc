"""Plain Python: usable at any role."""


def twice(n: int) -> int:
    return 2 * n
