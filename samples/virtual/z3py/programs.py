"""Programs for Z3: one written with Z3's functions, the others in plain Python.

Those in plain Python mean something only when they are converted with overloads.py.
"""

# mypy: ignore-errors

from __future__ import annotations

from typing import Any

import z3

Constraints = list[Any]


def de_morgan(p: Any, q: Any) -> Any:
    return (p and q) == (not (not p or not q))


def clamp(x: Any, low: Any, high: Any) -> Any:
    """Assignments in both arms, nested, and a variable that one arm leaves as it was."""
    y = x
    if x < low:
        y = low
    elif x > high:
        y = high
    return y


def sign(x: Any) -> Any:
    return 0 if x == 0 else (1 if x > 0 else -1)


def queens_with_z3() -> Constraints:
    """Eight queens with the functions of Z3 (figure 7a)."""
    queens = [z3.Int(f"queens_{i + 1}") for i in range(8)]
    ranks = [z3.And(1 <= queens[i], queens[i] <= 8) for i in range(8)]
    files = [z3.Distinct(queens)]
    diagonals = [
        z3.If(
            i == j,
            True,
            z3.And(queens[i] - queens[j] != i - j, queens[i] - queens[j] != j - i),
        )
        for i in range(8)
        for j in range(i)
    ]
    return ranks + files + diagonals


def queens_in_python() -> Constraints:
    """The same with Python's control flow and operators (figure 7b, its `j - 1` corrected)."""
    queens = [z3.Int(f"queens_{i + 1}") for i in range(8)]
    ranks = [1 <= queens[i] and queens[i] <= 8 for i in range(8)]
    files = [z3.Distinct(queens)]
    diagonals = []
    for i in range(8):
        for j in range(i):
            if i == j:
                diagonals.append(True)
            else:
                diagonals.append(
                    queens[i] - queens[j] != i - j and queens[i] - queens[j] != j - i
                )
    return ranks + files + diagonals


def queens_as_printed() -> Constraints:
    """Figure 7b as the paper prints it: `j - 1` excludes other squares than the diagonal's."""
    queens = [z3.Int(f"queens_{i + 1}") for i in range(8)]
    ranks = [1 <= queens[i] and queens[i] <= 8 for i in range(8)]
    files = [z3.Distinct(queens)]
    diagonals = []
    for i in range(8):
        for j in range(i):
            if i == j:
                diagonals.append(True)
            else:
                diagonals.append(
                    queens[i] - queens[j] != i - j and queens[i] - queens[j] != j - 1
                )
    return ranks + files + diagonals


def queens_without_else() -> Constraints:
    """Without the useless constraints (figure 10a)."""
    queens = [z3.Int(f"queens_{i + 1}") for i in range(8)]
    ranks = [1 <= queens[i] and queens[i] <= 8 for i in range(8)]
    files = [z3.Distinct(queens)]
    diagonals = []
    for i in range(8):
        for j in range(i):
            if i != j:
                diagonals.append(
                    queens[i] - queens[j] != i - j and queens[i] - queens[j] != j - i
                )
    return ranks + files + diagonals


def queens_with_abs() -> Constraints:
    """With Python's `abs` on expressions of Z3 (figure 10b)."""
    queens = [z3.Int(f"queens_{i + 1}") for i in range(8)]
    ranks = [1 <= queens[i] and queens[i] <= 8 for i in range(8)]
    files = [z3.Distinct(queens)]
    diagonals = []
    for i in range(8):
        for j in range(i):
            if i != j:
                diagonals.append(abs(queens[i] - queens[j]) != abs(i - j))
    return ranks + files + diagonals


def models(constraints: Constraints) -> int:
    """How many solutions there are for the eight queens."""
    queens = [z3.Int(f"queens_{i + 1}") for i in range(8)]
    solver = z3.Solver()
    solver.add(constraints)
    count = 0
    while solver.check() == z3.sat:
        count += 1
        model = solver.model()
        solver.add(z3.Or([queen != model[queen] for queen in queens]))
    return count


def proved(claim: Any) -> bool:
    solver = z3.Solver()
    solver.add(z3.Not(claim))
    return solver.check() == z3.unsat
