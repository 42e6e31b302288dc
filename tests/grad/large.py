"""Terms of 30,000 operations: a chain and a random graph of them are differentiated in memory
and text that grow as they do. How long it takes is printed; a limit ends what does not end.

    python3 tests/grad/large.py PYCHORALC
"""

from __future__ import annotations

import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

OPERATIONS = 30_000
MEMORY, SECONDS = 1 << 31, 60
HEAD = ("import numpy as np\n\nfrom pychoral.ad import Array, Float\n\n\n"
        'def f(x: Float[Array, "n"], w: Float[Array, "n"]) -> float:\n')


def chain(count: int) -> str:
    steps = ["    y = y * w - x\n", "    y = np.sin(y) + w\n"]
    body = "".join(steps[i % 2] for i in range(count // 2))
    return f"    y = x\n{body}    return np.sum(y)\n"


def graph(count: int) -> str:
    rng, names, lines = random.Random(1), ["x", "w"], []
    for i in range(count // 2):
        a, b = rng.choice(names[-20:]), rng.choice(names[-20:])
        value = rng.choice([f"np.sin({a}) * {b}", f"{a} + {b} * 0.5", f"np.tanh({a}) - {b}",
                            f"np.where({a} > 0.0, {b}, 1.0) * {a}"])
        lines.append(f"    v{i} = {value}\n")
        names.append(f"v{i}")
    return "".join(lines) + f"    return np.sum({' + '.join(names[-20:])})\n"


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def compiled(tool: str, source: pathlib.Path, out: pathlib.Path) -> tuple[str, float]:
    """What went wrong, and how many seconds of the processor it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([tool, "grad", f"{source}:f", "-o", str(out), "--force", "--quiet"],
                          capture_output=True, text=True, preexec_fn=limited)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    fault = "" if done.returncode == 0 else f"exit {done.returncode} {done.stderr[:300]}"
    return fault, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    bad = 0
    started = time.time()
    with tempfile.TemporaryDirectory() as name:
        source, out = pathlib.Path(name) / "large.py", pathlib.Path(name) / "out.py"
        for make in (chain, graph):
            sizes, spent = [], []
            for count in (OPERATIONS // 4, OPERATIONS):
                source.write_text(HEAD + make(count))
                fault, seconds = compiled(sys.argv[1], source, out)
                if fault:
                    print(f"{make.__name__} of {count} operations: {fault}")
                    break
                spent.append(seconds)
                sizes.append(out.stat().st_size)
            if len(sizes) < 2 or sizes[1] > 4.8 * sizes[0]:
                bad += 1
                print(f"{make.__name__}: texts of {sizes} bytes")
            else:
                print(f"  {make.__name__}: {spent[1]:.2f} s of the processor, "
                      f"{spent[1] / max(spent[0], 0.01):.1f} times a quarter of it")
    print(f"large terms: 2, {bad} bad ({time.time() - started:.1f} s)")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
