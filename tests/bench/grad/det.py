"""A determinant by minors, its rows and columns in linked lists of places that change."""


def minor(a: list[float], size: int, n: int, rows: list[int], columns: list[int]) -> float:
    """Of the n rows and columns that are left; `size` heads both lists."""
    row = rows[size]
    if n == 1:
        return a[row * size + columns[size]]
    total = 0.0
    sign = 1.0
    rows[size] = rows[row]
    before = size
    column = columns[size]
    for _ in range(n):
        columns[before] = columns[column]
        total += sign * a[row * size + column] * minor(a, size, n - 1, rows, columns)
        columns[before] = column
        before = column
        column = columns[column]
        sign = -sign
    rows[size] = row
    return total


def det(a: list[float], size: int) -> float:
    rows = [i + 1 for i in range(size)]
    rows.append(0)
    columns = [i + 1 for i in range(size)]
    columns.append(0)
    return minor(a, size, size, rows, columns)
