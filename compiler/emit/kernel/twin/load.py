_FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC"]
_loaded: list[ctypes.CDLL] = []


def _compiled() -> Path:
    """The library, compiled when it is wanted first and when its source has changed."""
    source = Path(__file__).with_name(_STEM + ".c")
    command = [os.environ.get("CC", "cc"), *_FLAGS]
    parts = [source.read_bytes(), source.with_suffix(".h").read_bytes()]
    parts.append(repr([command, platform.node(), platform.machine()]).encode())
    name = f"{_STEM}-{hashlib.sha256(bytes(0).join(parts)).hexdigest()[:16]}.so"
    folder = source.with_name("__pycache__")
    if (folder / name).exists():
        return folder / name
    try:
        folder.mkdir(exist_ok=True)
        handle, made = tempfile.mkstemp(suffix=".so", dir=folder)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="pychoral-"))
        handle, made = tempfile.mkstemp(suffix=".so", dir=folder)
    os.close(handle)
    done = subprocess.run([*command, "-o", made, str(source), "-lm", "-lpthread"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        os.unlink(made)
        raise RuntimeError(f"{command[0]} cannot compile {source}:\n{done.stderr}")
    os.replace(made, folder / name)
    return folder / name


def _call(name: str, result: Any, *arguments: Any) -> Any:
    """Calls a function of the library; raises what it raised."""
    if not _loaded:
        _loaded.append(ctypes.CDLL(str(_compiled())))
    function = getattr(_loaded[0], name)
    function.restype = result
    answer = function(*arguments)
    error = getattr(_loaded[0], _ERROR)
    error.restype = ctypes.c_char_p
    text = error()
    if text is not None:
        kind, _, message = text.decode().partition(": ")[2].partition(": ")
        raised = globals().get(kind, getattr(builtins, kind, RuntimeError))
        raise raised(message) if message else raised()
    return answer
