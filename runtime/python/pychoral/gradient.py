"""Derivatives of functions that stand in a file: `grad`, `value_and_grad`, `jvp`, `vjp`.

A function is differentiated by `pychoralc grad` when its derivative is called first: in C where a C
compiler is found, else in Python.  What comes out is kept in `__pycache__` beside the
function's file, by a hash of that file and of those that it imports from there, and is loaded with
the classes of the program in the place of its own.  Only files of this machine are ever run.
"""

from __future__ import annotations

import ast
import atexit
import functools
import hashlib
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, ParamSpec, TypeVar

from pychoral import ad, installed

P = ParamSpec("P")
T = TypeVar("T")

_DAY = 86400.0


class DifferentiationError(TypeError):
    """A function that has no derivative, with what the compiler says of it."""


# ---- the function ----


def _name(f: Any) -> str:
    return str(getattr(f, "__qualname__", None) or repr(f))


def _checked(f: Any) -> FunctionType:
    """A function that the compiler can find in a file by its name."""
    if isinstance(f, _Derivative):
        raise TypeError(f"`{f.word}({f.function.__name__})` is not a function defined in a file: "
                        "define a function that calls it, and differentiate that function")
    if not isinstance(f, FunctionType):
        raise TypeError(f"`{_name(f)}` is of type `{type(f).__name__}`: only a function that is "
                        "defined with `def` at module level can be differentiated")
    if f.__name__ == "<lambda>":
        raise TypeError("a lambda cannot be differentiated: define a function with `def` at module "
                        "level")
    if f.__qualname__ != f.__code__.co_name or f.__closure__ is not None:
        raise TypeError(f"`{_name(f)}` is not a function at module level: it is defined in "
                        "another function or in a class, or a decorator has changed it")
    file = f.__code__.co_filename
    if not os.path.isfile(file):
        raise TypeError(f"the source of `{_name(f)}` cannot be read: {_absence(file)}; define "
                        f"`{_name(f)}` in a `.py` file and import it")
    return f


def _absence(file: str) -> str:
    """Why the file is missing: `<string>` and `<stdin>` do not name files."""
    if file.startswith("<") and file.endswith(">"):
        return f"it is not in a file, but in `{file}`"
    return f"the file `{file}` does not exist"


def _is_unchanged(f: FunctionType, source: bytes) -> bool:
    """Whether the file still says what runs."""
    module = compile(source, f.__code__.co_filename, "exec", dont_inherit=True)
    return any(isinstance(code, CodeType) and code == f.__code__ for code in module.co_consts)


# ---- the files ----


class _Request(NamedTuple):
    file: str
    function: str
    options: tuple[str, ...]


def _stems(source: bytes) -> Iterator[str]:
    """The modules that a source imports, as paths without a suffix beside it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.replace(".", "/") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = "../" * max(node.level - 1, 0)
            stem = up + (node.module or "").replace(".", "/")
            yield stem
            yield from (os.path.join(stem, alias.name) for alias in node.names)


def _sources(file: str) -> dict[str, bytes]:
    """A file and all that it leads to of those that are its own, as the linker finds them."""
    found: dict[str, bytes] = {}
    todo = [os.path.abspath(file)]
    top = os.path.dirname(todo[0])
    while todo:
        path = todo.pop()
        if path in found or not os.path.isfile(path):
            continue
        found[path] = Path(path).read_bytes()
        try:
            stems = list(_stems(found[path]))
        except (SyntaxError, ValueError):
            continue
        for folder in {os.path.dirname(path), top}:
            for stem in stems:
                for suffix in (".py", ".pyc", ".chi", "/__init__.py", "/__init__.pyc"):
                    todo.append(os.path.normpath(os.path.join(folder, stem + suffix)))
    return found


def _key(request: _Request, target: str) -> str:
    compiler = installed.find_compiler()
    stamp = os.stat(compiler)
    parts = [request, target, compiler, stamp.st_size, stamp.st_mtime_ns,
             sorted(_sources(request.file).items())]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _run(request: _Request, target: str, out: Path) -> str:
    """Writes the derivative; gives what is wrong with it, or nothing."""
    done = subprocess.run(
        [installed.find_compiler(), "grad", f"{request.file}:{request.function}", *request.options,
         "--quiet", "-o", str(out.with_suffix(".c" if target == "c" else ".py"))],
        stdin=subprocess.DEVNULL, capture_output=True,
    )  # fmt: skip
    return "" if done.returncode == 0 else done.stderr.decode(errors="replace").strip() or "error"


def _forget_old(folder: Path, prefix: str) -> None:
    for path in folder.glob(f"{prefix}-*"):
        try:
            if time.time() - path.stat().st_mtime > _DAY:
                shutil.rmtree(path)
        except OSError:
            pass


def _work_folder(file: str) -> Path:
    folder = Path(file).resolve().parent / "__pycache__"
    try:
        folder.mkdir(exist_ok=True)
        os.rmdir(tempfile.mkdtemp(dir=folder))
        return folder
    except OSError:
        made = tempfile.mkdtemp(prefix="pychoral-")
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        return Path(made)


def _written(request: _Request, target: str) -> tuple[Path, str]:
    """The module of the derivative, and what is wrong; it is written by whoever comes first."""
    stem = f"{Path(request.file).stem}_{request.function}"
    key = _key(request, target)
    folder = Path(request.file).resolve().parent / "__pycache__"
    if (folder / f"{stem}-{key}" / f"{stem}.py").exists():
        return folder / f"{stem}-{key}" / f"{stem}.py", ""
    folder = _work_folder(request.file)
    made = Path(tempfile.mkdtemp(prefix=f"{stem}-", dir=folder))
    wrong = _run(request, target, made / stem)
    final = folder / f"{stem}-{key}"
    try:
        if not wrong:
            os.rename(made, final)
            _forget_old(folder, stem)
    except OSError:
        pass        # another process was faster
    shutil.rmtree(made, ignore_errors=True)
    return final / f"{stem}.py", wrong


# ---- loading ----


def _class_of(f: FunctionType, name: str) -> type | None:
    """The class of the program that the text of a derivative calls so."""
    spaces = [f.__globals__]
    spaces += [vars(part) for part in f.__globals__.values() if isinstance(part, ModuleType)]
    for space in spaces:
        found = space.get(name)
        if isinstance(found, type) and found.__qualname__ == name:
            return found
    return None


def _is_made(node: ast.ClassDef) -> bool:
    """A class of the derivative itself: it says what its objects stand for, or is a helper.

    Those of the program are dataclasses and enums.
    """
    says = any(isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
               and part.targets[0].id == "_of" for part in node.body)
    inner = all(ast.unparse(base).startswith(("_", "ctypes.")) for base in node.bases)
    return says or (node.name.startswith("_") and inner and not node.decorator_list)


def _loaded(path: Path, f: FunctionType) -> dict[str, Any]:
    module = ModuleType(f"pychoral_ad_{path.parent.name.replace('-', '_')}")
    module.__file__ = str(path)
    tree = ast.parse(path.read_bytes())
    kept: list[ast.stmt] = []
    for node in tree.body:
        if not isinstance(node, ast.ClassDef) or _is_made(node):
            kept.append(node)
            continue
        own = _class_of(f, node.name)
        if own is None:
            raise DifferentiationError(f"`{f.__name__}` takes objects of a class `{node.name}`, "
                                       f"which is not found in `{f.__module__}`")
        vars(module)[node.name] = own
    tree.body = kept
    sys.modules[module.__name__] = module
    exec(compile(tree, str(path), "exec", dont_inherit=True), vars(module))
    return vars(module)


_lock = threading.Lock()
_known: dict[tuple[CodeType, tuple[str, ...]], dict[str, Any]] = {}


def _names(f: FunctionType, options: tuple[str, ...]) -> dict[str, Any]:
    """What `pychoralc grad` makes of a function, by its names."""
    with _lock:
        known = _known.get((f.__code__, options))
        if known is not None:
            return known
        request = _Request(f.__code__.co_filename, f.__name__, options)
        if not _is_unchanged(f, Path(request.file).read_bytes()):
            raise DifferentiationError(f"`{request.file}` has changed since `{f.__name__}` was "
                                       "imported")
        wrong = "no C"
        if shutil.which(os.environ.get("CC", "cc")):
            path, wrong = _written(request, "c")
        if wrong:
            path, wrong = _written(request, "python")
        if wrong:
            raise DifferentiationError(f"`{f.__name__}` cannot be differentiated\n{wrong}")
        return _known.setdefault((f.__code__, options), _loaded(path, f))


# ---- what is called ----


class _Derivative:
    """A function that is made when it is called first."""

    def __init__(self, word: str, f: Any, wrt: str) -> None:
        self.word = word
        self.function = _checked(f)
        self.options = (f"--wrt={wrt.replace(' ', '')}",) if wrt else ()
        self.made: Callable[..., Any] | None = None
        self.signature = inspect.signature(self.function)
        self.count = len(self.signature.parameters)
        functools.update_wrapper(self, self.function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.made is None:
            names = _names(self.function, self.options)
            self.made = names[f"{self.function.__name__}_{self.word}"]
        if kwargs or len(args) != self.count:
            bound = self.signature.bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        return self.made(*args, **kwargs)


def grad(f: Callable[P, Any], wrt: str = "") -> Callable[P, Any]:
    """The gradient of a function of a file, by all its parameters that hold floats or by those
    that `wrt` names, with commas between them: of one as it is, of several a tuple."""
    return _Derivative("grad", f, wrt)


def value_and_grad(f: Callable[P, T], wrt: str = "") -> Callable[P, tuple[T, Any]]:
    """The same, as `(value, gradient)`."""
    return _Derivative("value_and_grad", f, wrt)


def jvp(f: Callable[..., T], args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[T, T]:
    """The value, and how it changes if the arguments that hold floats change like the tangents."""
    function = _checked(f)
    made = _names(function, ("--mode=tangent",))[f"{function.__name__}_jvp"]
    value, tangent = made(*args, *tangents)
    return value, tangent


def vjp(f: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[T, Callable[[T], Any]]:
    """The value, and a function that answers the gradient for a cotangent of the value."""
    value, gradient = value_and_grad(f)(*args, **kwargs)
    return value, lambda cotangent: ad.scaled(gradient, cotangent)
