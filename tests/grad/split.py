#!/usr/bin/env python3
"""`--split`: the way there and the way back as two functions.

Of the programs: the gradient is the golden one times `dvalue`, what is kept stays as it is, and
nothing that the caller changes between the two matters. Of answers/, whose functions answer data:
tangents are those of differences, and <cotangent, tangent> is <gradient, direction>.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import check
import points

ANSWERS = sorted((points.HERE / "answers").glob("*.py"))
STEP = 1e-6


def made(options: argparse.Namespace, program: Path, function: str, folder: Path,
         *more: str) -> Any:
    suffix = "c" if options.target == "c" else "py"
    out = folder / f"{program.stem}_{function}_{len(more[0])}.{suffix}"
    done = subprocess.run([str(options.compiler), "grad", f"{program}:{function}", "-q", "-o",
                           str(out), *more], capture_output=True, text=True)
    if done.returncode != 0:
        raise check.Failure(f"exit {done.returncode}\n{done.stderr}")
    return points.load(out.with_suffix(".py"), out.stem)


def all_made(options: argparse.Namespace, programs: list[Path],
             folder: Path) -> dict[tuple[Path, str, str], Any]:
    """The modules, or why there is none, by program, function and form."""
    modules: dict[tuple[Path, str, str], Any] = {}
    for program in programs:
        for _, function in points.calls(program):
            if check.is_refused(options, function):
                continue
            for form in ("--split", *(["--mode=tangent"] if program in ANSWERS else [])):
                key = program, function, form
                try:
                    if key not in modules:
                        modules[key] = made(options, program, function, folder, form)
                except (check.Failure, SyntaxError, NameError) as wrong:
                    modules[key] = wrong
    if options.target == "c":
        check.compiled(folder, modules)
    return modules


def taken(module: Any) -> Any:
    if isinstance(module, Exception):
        raise module
    return module


def check_program(module: Any, text: str, function: str, golden: dict[str, Any]) -> None:
    given = points.arguments(module, text, function)
    value, saved = getattr(module, f"{function}_fwd")(*given)
    if repr(given) != repr(points.arguments(module, text, function)):
        raise check.Failure(f"the arguments are changed: {given}")
    points.leaves(list(given), lambda number: -7.0)
    wanted = [float(number) for number in golden["gradient"]]
    for by in (1.0, -0.75, 1.0):
        gradient = points.numbers(getattr(module, f"{function}_rev")(saved, by))
        distance = check.far(gradient, [by * number for number in wanted])
        if not distance <= check.MOST:
            raise check.Failure(f"{gradient}, not {by} * {wanted}: {distance:.2g}")
    if not check.far([value], [float(golden["value"])]) <= check.MOST:
        raise check.Failure(f"the value is {value}")


def moved(module: Any, text: str, function: str, which: int, by: float) -> list[float]:
    given = list(points.arguments(module, text, function))
    count = -1

    def change(number: float) -> float:
        nonlocal count
        count += 1
        return number + (by if count == which else 0.0)

    points.leaves(given, change)
    return points.numbers(getattr(module, function)(*given))


def close(a: float, b: float, most: float) -> bool:
    return abs(a - b) <= most * max(1.0, abs(a), abs(b))


def check_answer(tangent: Any, split: Any, text: str, function: str) -> None:
    given = points.arguments(split, text, function)
    value, saved = getattr(split, f"{function}_fwd")(*given)
    seed, _ = getattr(split, f"{function}_fwd")(*given)
    weights: list[float] = []

    def weight(_: Any) -> float:
        weights.append(0.5 + 0.75 * len(weights))
        return weights[-1]

    seeds = [seed]
    points.leaves(seeds, weight)
    gradients = [points.numbers(getattr(split, f"{function}_rev")(saved, seeds[0]))
                 for _ in range(2)]
    if gradients[0] != gradients[1]:
        raise check.Failure(f"a second call answers {gradients[1]}, the first {gradients[0]}")
    jvp = getattr(tangent, f"{function}_jvp")
    for which, found in enumerate(gradients[0]):
        unit = check.unit_tangents(list(points.arguments(tangent, text, function)), jvp, which)
        primal, dot = jvp(*points.arguments(tangent, text, function), *unit)
        if repr(primal) != repr(value):
            raise check.Failure(f"{primal} with tangents, {value} without")
        dots = points.numbers(dot)
        ends = [moved(split, text, function, which, by) for by in (STEP, -STEP)]
        slopes = [(a - b) / (2 * STEP) for a, b in zip(*ends)]
        if not all(close(a, b, 1e-7) for a, b in zip(dots, slopes)) or len(dots) != len(slopes):
            raise check.Failure(f"number {which}: tangent {dots}, differences {slopes}")
        if not close(sum(w * d for w, d in zip(weights, dots)), found, 1e-13):
            raise check.Failure(f"number {which}: {dots} times {weights} is not {found}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", type=Path, required=True)
    parser.add_argument("--target", choices=("python", "c"), default="python")
    parser.add_argument("programs", nargs="*", type=Path)
    options = parser.parse_args()
    golden = json.loads((points.HERE / "golden.json").read_text(encoding="utf-8"))
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="pychoral-split-") as name:
        programs = [path.resolve() for path in options.programs or [*points.PROGRAMS, *ANSWERS]]
        modules = all_made(options, programs, Path(name))
        for program in programs:
            for text, function in points.calls(program):
                if check.is_refused(options, function):
                    continue
                try:
                    split = taken(modules[program, function, "--split"])
                    if program in ANSWERS:
                        check_answer(taken(modules[program, function, "--mode=tangent"]), split,
                                     text, function)
                    else:
                        check_program(split, text, function,
                                      golden[f"{program.stem}: {text}"])
                    passed += 1
                except (check.Failure, ArithmeticError, LookupError, TypeError, ValueError,
                        NameError, AttributeError, RuntimeError) as wrong:
                    failed += 1
                    print(f"{program.name}: {text}: {type(wrong).__name__}: {wrong}")
    print(f"grad_split_{options.target}: {passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    raise SystemExit(main())
