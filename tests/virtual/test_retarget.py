"""samples/virtual/retarget: a model of numpy run by torch, and a model of torch run by numpy."""

import sys
import unittest
from pathlib import Path
from typing import Any

from pychoral.virtual import convert

sys.path.insert(0, str(Path(__file__).parents[2] / "samples/virtual"))

try:
    import numpy
    import torch  # type: ignore[import]
except ImportError:
    raise unittest.SkipTest("numpy or torch is not installed: `make packages-demos`")

from retarget import models, to_numpy, to_torch  # type: ignore[import]


class Retargeted(unittest.TestCase):
    def setUp(self) -> None:
        random = numpy.random.default_rng(1)
        batch, steps, features, units = 4, 7, 5, 3
        self.arrays = [
            random.normal(size=(batch, steps, features)), numpy.array([7, 3, 5, 1]),
            random.normal(size=(features + units, units)), random.normal(size=units),
            numpy.zeros((batch, units)),
        ]  # fmt: skip
        self.tensors = [torch.tensor(array) for array in self.arrays]
        self.wanted = models.rnn_numpy(*self.arrays)

    def equal(self, found: Any) -> None:
        self.assertLess(float(abs(numpy.asarray(found) - self.wanted).max()), 1e-6)

    def test_native(self) -> None:
        self.equal(models.rnn_torch(*self.tensors))

    def test_numpy_by_torch(self) -> None:
        found = convert(models.rnn_numpy, to_torch)(*self.tensors)
        self.assertIsInstance(found, torch.Tensor)
        self.equal(found)

    def test_torch_by_numpy(self) -> None:
        found = convert(models.rnn_torch, to_numpy)(*self.arrays)
        self.assertIsInstance(found, numpy.ndarray)
        self.equal(found)

    def test_a_model_is_not_changed(self) -> None:
        convert(models.rnn_numpy, to_torch)(*self.tensors)
        self.equal(models.rnn_numpy(*self.arrays))


if __name__ == "__main__":
    unittest.main()
