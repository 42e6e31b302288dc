# builtins.endpoint.pyi - what the program of a role finds without importing it: the runtime's names
# that projected code mentions.

class Unit:
    id: Unit

class Channel: ...

class ChannelError(Exception):
    status: int
    def __init__(self, text: str, status: int = ...) -> None: ...

class UnexpectedSelection(ChannelError):
    def __init__(self, label: object) -> None: ...

class PeerStopped(ChannelError):
    def __init__(self, *roles: str, at: str = ...) -> None: ...

def copy_value(value: _T) -> _T: ...

_T = TypeVar("_T")
