"""What the random generator knows: variables, roles that may act, channels, and where lines go."""

import random
from dataclasses import dataclass, field, replace
from typing import Any

INT, STR, BOOL, LIST, DICT = "int", "str", "bool", "list[int]", "dict[str, int]"
POINT, COLOUR, PAIR, MAYBE = "Point", "Colour", "tuple[int, str]", "Optional[int]"
TYPES = (INT, INT, INT, STR, BOOL, LIST, DICT, POINT, COLOUR, PAIR, MAYBE)


@dataclass
class Var:
    """A variable. A counter is read only, since the end of a loop depends on it."""

    name: str
    type: str
    roles: tuple[str, ...]
    assignable: bool = True


@dataclass
class Link:
    """A channel parameter: what it carries from role to role."""

    name: str
    annotation: str
    data: set[tuple[str, str]]
    labels: set[tuple[str, str]]
    symmetric: bool = False     # fits a parameter `Channel[object, X, Y]`


@dataclass
class Helper:
    """A choreography that can be called: `types` are of (type, formal) or of channels."""

    name: str
    formals: tuple[str, ...]
    parameters: list[tuple[str, str]]       # (type, formal), after the channels
    result: tuple[str, str] | None          # (type, formal)
    explicit: bool = False                  # roles are written at the call: f[A, B](...)


@dataclass
class Scope:
    """What the statements of a block may use."""

    roles: tuple[str, ...]                  # the roles that may act here
    everybody: tuple[str, ...]              # the roles of the function
    variables: list[Var]
    links: list[Link]
    helpers: list[Helper]
    objects: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    result: tuple[str, str] | None = None   # of the function, for early returns
    returns: bool = False                   # whether an early return is possible here
    loop: str = ""                          # "local" or "told": what a jump leaves
    rounds: tuple[str, ...] = ()            # the roles of that loop
    pure: bool = False                      # inside a place that may not communicate
    depth: int = 3

    def inner(self, roles: tuple[str, ...] | None = None, **changes: Any) -> "Scope":
        """The scope of a block inside: what it binds is unknown outside."""
        copied = replace(self, variables=list(self.variables), objects=list(self.objects),
                         helpers=list(self.helpers), depth=self.depth - 1,
                         **changes)
        copied.roles = self.roles if roles is None else roles
        return copied


class Writer:
    """The lines of a program, and the random numbers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.indent = 0
        self.names = 0

    def emit(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # ---- channels ----

    def data_links(self, scope: Scope, sender: str, receiver: str) -> list[Link]:
        return [link for link in scope.links if (sender, receiver) in link.data]

    def label_links(self, scope: Scope, sender: str, receiver: str) -> list[Link]:
        return [link for link in scope.links if (sender, receiver) in link.labels]

    def symmetric(self, scope: Scope, one: str, two: str) -> str | None:
        for link in scope.links:
            if link.symmetric and (one, two) in link.data:
                return link.name
        return None
