"""Calls a gradient far down: `deep.py FOLDER list|loop SIZE` prints the CPU seconds of one call.

FOLDER holds product.py or power.py. Exits with 1 if the derivative is wrong.
"""

import importlib
import sys
import time
from typing import Any


def main() -> None:
    folder, kind, count = sys.argv[1:]
    sys.path.insert(0, folder)
    size = int(count)
    x = 1.0 + 1e-9
    data: Any = None
    if kind == "list":
        made = importlib.import_module("product")
        for _ in range(size):
            data = made.Cons(1.0, data)
        call, exact = (data, x), 1.0
        gradient = made.product_value_and_grad
    else:
        call, exact = (x, size), size * x ** (size - 1)
        gradient = importlib.import_module("power").power_value_and_grad
    start = time.process_time()
    value, answer = gradient(*call)
    print(time.process_time() - start)
    got = answer[1] if kind == "list" else answer
    if kind == "list" and abs(answer[0].value - x) > 1e-12:
        sys.exit(1)
    # Interpreters take a million nested objects down slowly, or not at all.
    while data is not None:
        data.next, data = None, data.next
    sys.exit(abs(got / exact - 1.0) > 1e-6)


if __name__ == "__main__":
    main()
