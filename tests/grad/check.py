#!/usr/bin/env python3
"""Gradients of the programs against their derivatives in 80 digits (golden.json).

Also: the value is that of the function itself, the arguments are not changed, and a second call
answers the same. With `--mode tangent` each of the numbers gets the tangent 1 in turn.
"""

import argparse
import inspect
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import joined
import points

sys.path.insert(0, str(points.HERE.parents[1] / "runtime" / "python"))

MOST = 1e-11
FLAGS = ["-std=gnu11", "-O0", "-Wall", "-Wextra", "-Werror"]
# Python notices a variable without a value, C does not.
REFUSED_IN_C = {"late": "E0210"}


# Calls of functions with `try`, `grad`, defaults, sorting: of 325. More are a failure.
REFUSED_BY_MODES = 103


class Failure(Exception):
    pass


class Refused(Exception):
    """The seven transformations do not take it: E0902 or E0903."""


def is_refused(options: argparse.Namespace, function: str) -> bool:
    return options.target == "c" and function in REFUSED_IN_C


def check_refused(compiler: Path, program: Path, function: str) -> None:
    done = subprocess.run([str(compiler), "grad", f"{program}:{function}", "--target=c"],
                          capture_output=True, text=True)
    if done.returncode != 1 or f"error[{REFUSED_IN_C[function]}]" not in done.stderr:
        raise Failure(f"not refused: exit {done.returncode}\n{done.stderr}")


def made(options: argparse.Namespace, program: Path, function: str, folder: Path) -> Any:
    out = folder / f"{program.stem}_{function}.{'c' if options.target == 'c' else 'py'}"
    done = subprocess.run([str(options.compiler), "grad", f"{program}:{function}", "-q", "-o",
                           str(out), f"--mode={options.mode}"], capture_output=True, text=True)
    if done.returncode == 1 and JUDGES[options.mode] is check_term and re.match(
            r".*error\[E090[23]\]", done.stderr):
        raise Refused(done.stderr)
    if done.returncode != 0:
        raise Failure(f"exit {done.returncode}\n{done.stderr}")
    if JUDGES[options.mode] is check_term:
        return points.load(out, out.stem)
    if "import pychoral" in out.with_suffix(".py").read_text(encoding="utf-8"):
        raise Failure("the output does not stand alone")
    return points.load(out.with_suffix(".py"), out.stem)


def all_made(options: argparse.Namespace, folder: Path) -> dict[tuple[Path, str], Any]:
    """The modules, or why there is none, by program and function."""
    modules: dict[tuple[Path, str], Any] = {}
    for program in options.programs or points.PROGRAMS:
        for _, function in points.calls(program):
            if (program, function) in modules or is_refused(options, function):
                continue
            try:
                modules[program, function] = made(options, program, function, folder)
            except (Failure, Refused, SyntaxError, NameError) as wrong:
                modules[program, function] = wrong
    if options.target == "c":
        compiled(folder, modules)
    return modules


def compiled(folder: Path, modules: dict[Any, Any]) -> None:
    """All in one library; if the compiler refuses that, each in its own."""
    good = {key: module for key, module in modules.items() if not isinstance(module, Exception)}
    pairs = [(Path(module.__file__).with_suffix(".c"), module) for module in good.values()]
    fault = joined.compile_together(pairs, folder, FLAGS)
    if fault:
        print(fault)
    for module in good.values():
        module._FLAGS = [*FLAGS, *module._FLAGS[1:]]


def far(found: list[Any], wanted: list[float]) -> float:
    if len(found) != len(wanted):
        raise Failure(f"{len(found)} numbers, {len(wanted)} wanted: {found}")
    scale = max([1e-300, *(abs(x) for x in wanted)])
    distances = [float(abs(a - b)) / max(abs(b), 1e-3 * scale) for a, b in zip(found, wanted)]
    return max([0.0, *distances])


def check(module: Any, text: str, function: str, golden: dict[str, Any]) -> None:
    given = points.arguments(module, text, function)
    before = repr(given)
    value, gradient = getattr(module, f"{function}_value_and_grad")(*given)
    if repr(given) != before:
        raise Failure(f"the arguments are changed: {given}")
    again = getattr(module, f"{function}_grad")(*given)
    if repr(again) != repr(gradient):
        raise Failure(f"a second call answers {again}, the first {gradient}")
    wanted = [float(number) for number in golden["gradient"]]
    if value != getattr(module, function)(*points.arguments(module, text, function)):
        raise Failure(f"the value is {value}")
    distance = max(far(points.numbers(gradient), wanted), far([value], [float(golden["value"])]))
    if not distance <= MOST:
        raise Failure(f"{points.numbers(gradient)}, not {wanted}: {distance:.2g}")


def unit_tangents(given: list[Any], jvp: Any, which: int) -> list[Any]:
    """1 for one number of the arguments, 0 for the others; changes them to that."""
    count = -1

    def unit(_: Any) -> float:
        nonlocal count
        count += 1
        return float(count == which)

    points.leaves(given, unit)
    names = list(inspect.signature(jvp).parameters)
    plain, dotted = names[:len(given)], names[len(given):]
    return [given[plain.index(re.sub("(_dot)+$", "", name))] for name in dotted]


def check_tangent(module: Any, text: str, function: str, golden: dict[str, Any]) -> None:
    given = points.arguments(module, text, function)
    wanted = [float(number) for number in golden["gradient"]]
    found = []
    before = repr(given)
    for which in range(len(wanted)):
        jvp = getattr(module, f"{function}_jvp")
        unit = unit_tangents(list(points.arguments(module, text, function)), jvp, which)
        kept = repr(unit)
        value, tangent = jvp(*given, *unit)
        if (repr(given), repr(unit)) != (before, kept):
            raise Failure(f"the arguments are changed: {given}, {unit}")
        if value != getattr(module, function)(*points.arguments(module, text, function)):
            raise Failure(f"the value is {value}")
        found.append(tangent)
    distance = far(found, wanted)
    if not distance <= MOST:
        raise Failure(f"{found}, not {wanted}: {distance:.2g}")


def check_term(module: Any, text: str, function: str, golden: dict[str, Any]) -> None:
    """One of the seven modes."""
    given = points.arguments(module, text, function)
    found = points.numbers(getattr(module, f"{function}_grad")(*given))
    distance = far(found, [float(number) for number in golden["gradient"]])
    if not distance <= MOST:
        raise Failure(f"{found}, not {golden['gradient']}: {distance:.2g}")


JUDGES = {"reverse": check, "tangent": check_tangent, "forward": check_term,
          "reverse-cps": check_term}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, required=True)
    parser.add_argument("--target", choices=("python", "c"), default="python")
    parser.add_argument("--mode", choices=JUDGES, default="reverse")
    parser.add_argument("programs", nargs="*", type=Path)
    options = parser.parse_args()
    golden = json.loads((points.HERE / "golden.json").read_text(encoding="utf-8"))
    passed = failed = 0
    judge = JUDGES[options.mode]
    refused = 0
    with tempfile.TemporaryDirectory(prefix="pychoral-grad-") as folder:
        modules = all_made(options, Path(folder))
        for program in options.programs or points.PROGRAMS:
            for text, function in points.calls(program):
                try:
                    if is_refused(options, function):
                        check_refused(options.compiler, program, function)
                        passed += 1
                        continue
                    if isinstance(modules[program, function], Exception):
                        raise modules[program, function]
                    judge(modules[program, function], text, function,
                          golden[f"{program.stem}: {text}"])
                    passed += 1
                except Refused:
                    refused += 1
                except (Failure, ArithmeticError, LookupError, TypeError, ValueError, NameError,
                        AttributeError, RuntimeError) as wrong:
                    failed += 1
                    print(f"{program.name}: {text}: {type(wrong).__name__}: {wrong}")
    name = options.target if options.mode == "reverse" else f"{options.mode}_{options.target}"
    if judge is check_term:
        print(f"{refused} calls of functions that `{options.mode}` does not take")
        failed += refused > REFUSED_BY_MODES
    print(f"grad_{name}: {passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    raise SystemExit(main())
