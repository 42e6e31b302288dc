"""samples/virtual/z3py: plain Python as the input language of the Z3 solver."""

import itertools
import sys
import unittest
from pathlib import Path
from typing import Any

from pychoral.virtual import convert

sys.path.insert(0, str(Path(__file__).parents[2] / "samples/virtual"))

try:
    import z3  # type: ignore[import]
except ImportError:
    raise unittest.SkipTest("python3-z3 is not installed: `make packages-demos`")

from z3py import overloads, programs  # type: ignore[import]


def conjunction(a: Any, b: Any, c: Any) -> Any:
    return a and b and c


def disjunction(a: Any, b: Any, c: Any) -> Any:
    return a or b or c


class Logic(unittest.TestCase):
    """Every mixture of True, False and symbols."""

    VALUES = (True, False, None)

    def cases(self, size: int) -> Any:
        symbols = z3.Bools("p q r")
        for given in itertools.product(self.VALUES, repeat=size):
            yield [s if v is None else v for s, v in zip(symbols, given)]

    def test_de_morgan(self) -> None:
        converted = convert(programs.de_morgan, overloads)
        count = 0
        for p, q in self.cases(2):
            self.assertTrue(programs.proved(converted(p, q)), (p, q))
            count += 1
        self.assertEqual(count, 9)

    def test_three_operands(self) -> None:
        for function, meaning in ((conjunction, z3.And), (disjunction, z3.Or)):
            converted = convert(function, overloads)
            count = 0
            for given in self.cases(3):
                found = converted(*given)
                self.assertTrue(programs.proved(found == meaning(*given)), given)
                count += 1
            self.assertEqual(count, 27)

    def test_what_is_known_is_decided(self) -> None:
        p, q = z3.Bools("p q")
        converted = convert(conjunction, overloads)
        self.assertIs(converted(False, p, q), False)
        self.assertIs(converted(p, False, q), False)
        self.assertTrue(converted(True, p, True).eq(p))
        self.assertEqual(convert(disjunction, overloads)(0, "x", p), "x")

    def test_without_conversion_it_fails(self) -> None:
        with self.assertRaises(z3.Z3Exception):
            programs.de_morgan(*z3.Bools("p q"))


class Statements(unittest.TestCase):
    def test_if(self) -> None:
        x, low, high = z3.Ints("x low high")
        converted = convert(programs.clamp, overloads)
        found = converted(x, low, high)
        wanted = z3.If(x < low, low, z3.If(x > high, high, x))
        self.assertTrue(programs.proved(found == wanted))
        self.assertEqual(converted(5, 1, 3), 3)

    def test_conditional_expression(self) -> None:
        x = z3.Int("x")
        found = convert(programs.sign, overloads)(x)
        self.assertTrue(programs.proved(z3.And(found >= -1, found <= 1, (found < 0) == (x < 0))))


class Queens(unittest.TestCase):
    def count(self, function: Any) -> int:
        return int(programs.models(convert(function, overloads)()))

    def test_with_the_functions_of_z3(self) -> None:
        self.assertEqual(programs.models(programs.queens_with_z3()), 92)

    def test_in_python(self) -> None:
        self.assertEqual(self.count(programs.queens_in_python), 92)
        self.assertEqual(self.count(programs.queens_without_else), 92)
        self.assertEqual(self.count(programs.queens_with_abs), 92)

    def test_as_printed(self) -> None:
        self.assertEqual(self.count(programs.queens_as_printed), 30)


if __name__ == "__main__":
    unittest.main()
