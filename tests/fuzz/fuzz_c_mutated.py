"""make fuzz-c-mutated: the annotated programs with random changes, in C.

    tests/fuzz/fuzz_c_mutated.py --compiler PROGRAM [--count N] [--seed S] [--keep FOLDER]

A seed is one of the programs of `FOLDERS`, changed at random (mutate_whole.py). The compiler
neither crashes nor hangs; what it takes is C that compiles without a warning. Nothing is run. Most
are refused, some by the C target only.
"""

import functools
import random
import sys
from pathlib import Path

from fuzz_c import ROOT, Batch, Case, arguments, fuzz      # it sets the path
from judge import judged
from mutate_whole import WholeMutator
from serving import Answer

FOLDERS = ("tests/programs", "tests/regress", "samples")
TRIES = 20


class Mutated(Batch):
    step = 1

    def program(self, seed: int) -> str:
        luck = random.Random(seed)
        source = luck.choice(corpus())
        for _ in range(TRIES):
            try:
                return WholeMutator(source, luck).mutate()
            except ValueError:          # no text is that tree: a backslash in an f-string
                continue
        return source

    def not_written(self, case: Case, answer: Answer) -> None:
        verdict = judged(answer)
        if verdict.failed and verdict.kind != "no place":   # it is a library
            self.fail(case, verdict.kind, verdict.text)
        elif not self.refused(case, answer):
            self.report.counts["wrong"] += 1


@functools.cache
def corpus() -> list[str]:
    """Programs of one module; those with a `#@ source` are only marks."""
    texts = [path.read_text(encoding="utf-8") for folder in FOLDERS
             for path in sorted((ROOT / folder).glob("*.pyc"))]
    return [text for text in texts if "#@ source" not in text]


if __name__ == "__main__":
    sys.exit(fuzz(Mutated, arguments(__doc__).parse_args()))
