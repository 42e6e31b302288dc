"""exp, expm1, log, log1p and tanh as generated C computes them, with and without a fused
multiply-add: against 30 digits, at the edges of floats, and done for several elements at once.

    python3 tests/grad/lanes.py COMPILER
"""

from __future__ import annotations

import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import mpmath
import numpy as np

import array_c

# How far from the exact value, in units of the last place of that.
BOUNDS = {"exp": 1.1, "expm1": 2.5, "log": 1.0, "log1p": 1.7, "tanh": 2.8}
# From numpy where it has a name of its own; a sum by weights, whose derivative is the function.
TEXT = "import numpy as np\n\nfrom pychoral.ad import Array, Float\n" + "".join(f"""

def of_{name}(w: Float[Array, "n"], x: Float[Array, "n"]) -> float:
    return np.sum(w * np.{name}(x))
""" for name in BOUNDS)
EDGES = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e-310, 2.0 ** -1022,
         -1.5, 709.0, 709.78, 709.79, 710.5, -708.5, -745.1, -745.2, -746.5, 1e300, -1e300,
         np.finfo(float).max, 1e-20, -1e-20, -37.5, 22.5, -22.5]


def points(name: str, rng: np.random.Generator) -> np.ndarray:
    """Inputs whose value is a number that is not subnormal: around 0 and 1, and all over."""
    size = rng.choice([-1.0, 1.0], 700) * np.exp(rng.uniform(-40.0, 6.5, 700))
    at = np.concatenate([size, rng.uniform(-1.0, 1.0, 700), 1.0 + size / 400.0])
    if name == "log":
        at = np.concatenate([at[(at > 0.0) & (at != 1.0)], np.exp(rng.uniform(-708.0, 709.0, 300))])
    return at[at > -1.0] if name == "log1p" else at[np.abs(at) < 700.0]


def units(got: np.ndarray, name: str, at: np.ndarray) -> np.ndarray:
    mpmath.mp.dps = 30
    exact = [getattr(mpmath, name)(mpmath.mpf(float(x))) for x in at]
    place = np.spacing(np.abs(np.array([float(e) for e in exact])))
    return np.array([float(abs(float(g) - e) / p) for g, e, p in zip(got, exact, place)])


def same(got: float, want: float) -> bool:
    """As numbers, infinities, signs of 0; a subnormal may be off by its last place."""
    if np.isnan(want):
        return bool(np.isnan(got))
    near = got == want or abs(got - want) <= max(3.0 * np.spacing(abs(want)), 5e-324)
    return bool(near and np.signbit(got) == np.signbit(want))


def faults_of(folder: pathlib.Path, name: str, flags: list[str]) -> list[str]:
    twin = array_c.module_of(folder / f"lanes_of_{name}.py")
    twin._FLAGS = [*flags, "-shared", "-fPIC"]
    of = lambda x: getattr(twin, f"of_{name}_grad")(np.ones(len(x)), x)[0]  # noqa: E731
    at = points(name, np.random.default_rng(3))
    far = units(of(at), name, at)
    bound = 4.0 if "-Ofast" in flags else BOUNDS[name]
    faults = [f"{name}({x!r}) is {u:.2f} units off" for x, u in zip(at, far) if u > bound]
    if "-Ofast" in flags:               # infinity and NaN have no meaning there
        return faults
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(np.array(EDGES))
    alone = [of(np.array([x]))[0] for x in EDGES]
    for x, got, single, want in zip(EDGES, of(np.array(EDGES)), alone, wanted):
        if not same(got, want) or not same(single, want):
            faults.append(f"{name}({x!r}) is {got!r} and {single!r}, not {want!r}")
    return faults


def is_in_vectors(folder: pathlib.Path, name: str, machine: str) -> bool:
    """gcc says it of the line of the loop around the call."""
    text = folder / f"lanes_of_{name}.c"
    done = subprocess.run(["gcc", "-O3", machine, "-ffp-contract=off", "-fopt-info-vec-optimized",
                           "-c", str(text), "-o", str(folder / "x.o")],
                          capture_output=True, text=True, check=True)
    lines = text.read_text().splitlines()
    loops = {i for i, line in enumerate(lines, 1) if i < len(lines) and f"np_{name}(" in lines[i]
             and line.lstrip().startswith("for (")}
    return any(f"{text.name}:{i}:" in line for i in loops for line in done.stderr.splitlines())


def is_fused(machine: str) -> bool:
    done = subprocess.run(["cc", machine, "-dM", "-E", "-x", "c", "/dev/null"],
                          capture_output=True, text=True)
    return " __FP_FAST_FMA " in done.stdout or " __FMA__ " in done.stdout


def main() -> int:
    bad = []
    machines = ["-march=native"] if shutil.which("gcc") else []
    machines += ["-march=x86-64-v3"] if machines and platform.machine() == "x86_64" else []
    # The last one last: a library of these flags makes the process read subnormals as 0.
    sets = [["-O3", "-march=native"], ["-O2", "-march=native", "-ffp-contract=off"], ["-O1"],
            ["-Ofast", "-march=native"]]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "lanes.py").write_text(TEXT)
        for name in BOUNDS:
            fault = array_c.generate(sys.argv[1], folder / "lanes.py", f"of_{name}", folder)
            bad += [fault] if fault else []
            for machine in machines:
                if not fault and is_fused(machine) and not is_in_vectors(folder, name, machine):
                    bad.append(f"{name} with {machine}: not done for several elements at once")
        for flags in sets if not bad else []:
            for name in BOUNDS:
                faults = faults_of(folder, name, flags)
                bad += [f"{' '.join(flags)}: {text}" for text in faults[:5]]
    bad.append(f"functions of lanes: {len(BOUNDS)} in {len(sets)} ways, {len(bad)} bad")
    print("\n".join(bad))
    return len(bad) > 1


if __name__ == "__main__":
    sys.exit(main())
