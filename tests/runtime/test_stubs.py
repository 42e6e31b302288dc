"""What type checkers and Python see of the package, and that both agree."""

import ast
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import ClassVar

import pychoral
import pychoral.endpoint
from programs import RUNTIME, text

PACKAGE = RUNTIME / "pychoral"
ROOT = RUNTIME.parents[1]

CHOREOGRAPHY = """
from dataclasses import dataclass
from enum import Enum
from typing import Optional
from pychoral import At, Ch1, Ch2, Ch3, Role, effect, roles
from pychoral import BiChannel, Channel, DiChannel, SecureChannel
from pychoral.roles import Alice, Zed

class A(Role): ...
class B(Role): ...
class C(Role): ...

class Label(Ch1[A], Enum):
    L = "l"
    R = "r"

class Pair(Ch2[A, B]):
    def __init__(self, left: At[int, A], right: At[Optional[str], B] = None) -> None:
        self.left = left
        self.right = right

class Three(Ch3[A, B, C]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch
    def tell(self, n: At[int, A]) -> At[Pair, A, B]:
        text: At[str, B] = self.ch.com(str(n))
        self.ch.select(Label.L@A())
        self.ch.select(Label.R@A)
        both: At[int, A, B] = self.ch.share(n)
        return Pair[A, B](n + both + 5@A, text + "x"@B)

@roles(A, B)
def f(ch: DiChannel[int, A, B], xs: At[list[int], A]) -> At[list[int], B]:
    xs.append(1@Alice + 2@Zed)
    return ch.com(xs)

def g(ch: SecureChannel[object, A, B], bi: BiChannel[int, str, A, B]) -> None:
    ch.com(bi.com(3))
"""


class Runtime(unittest.TestCase):
    """The module at run time is transparent."""

    def test_a_choreography_runs_as_plain_python(self) -> None:
        names: dict = {"__name__": "choreography"}
        exec(CHOREOGRAPHY, names)
        pair = names["Three"][names["A"], names["B"], names["C"]](pychoral.Channel()).tell(1)
        self.assertEqual((pair.left, pair.right), (7, "1x"))
        self.assertEqual(names["f"](pychoral.DiChannel(), [1]), [1, 3])

    def test_com_copies(self) -> None:
        value = [[1]]
        received = pychoral.Channel().com(value)
        received[0].append(2)
        self.assertEqual(value, [[1]])

    def test_enum_members_at_roles(self) -> None:
        import enum

        class E(enum.Enum):
            M = 1

        class IP(pychoral.Role):
            ...

        self.assertIs(E.M @ IP, E.M)
        self.assertIs(E.M @ IP(), E.M)
        self.assertIs(E @ IP.M, E.M)

    def test_roles_are_made_on_demand(self) -> None:
        from pychoral import roles

        self.assertIs(roles.Somebody, roles.Somebody)
        self.assertEqual("x" @ roles.Somebody, "x")


class Stubs(unittest.TestCase):
    def names(self, stub: str) -> set[str]:
        tree = ast.parse((PACKAGE / stub).read_text())
        defined = {
            node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))
        }
        return {name for name in defined if not name.startswith("_")}

    def test_the_generated_stub_is_current(self) -> None:
        done = subprocess.run([sys.executable, RUNTIME / "gen_stubs.py", "--check"])
        self.assertEqual(done.returncode, 0)

    def test_stubs_and_modules_have_the_same_names(self) -> None:
        self.assertEqual(self.names("endpoint.pyi"), set(pychoral.endpoint.__all__))
        compiler_only = {"Ch"}
        renamed = {"At", "Channel"}
        self.assertEqual(
            self.names("__init__.pyi") | renamed | compiler_only, set(pychoral.__all__)
        )


class TypeChecks(unittest.TestCase):
    """mypy --strict accepts what users and the compiler write, and the package itself."""

    # Nothing of what mypy makes becomes garbage; all tests read the standard library once.
    START = "import gc; gc.disable(); import mypy.__main__ as m; m.console_entry()"
    cache: ClassVar[str]

    @classmethod
    def setUpClass(cls) -> None:
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.cache = place.name

    def check(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", self.START, "--strict", "--cache-dir", self.cache, *arguments],
            capture_output=True, text=True,
            env={"MYPYPATH": str(RUNTIME), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip

    def setUp(self) -> None:
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("this Python has no mypy")

    def test_the_package(self) -> None:
        done = self.check("--python-version=3.10", str(PACKAGE), str(RUNTIME / "gen_stubs.py"))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_choreographies_and_endpoints(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            files = []
            for name, source in [
                ("choreography", CHOREOGRAPHY), ("buyer", text("Buyer")),
                ("seller", text("Seller")),
            ]:  # fmt: skip
                files.append(pathlib.Path(place) / f"{name}.py")
                files[-1].write_text(source)
            done = self.check(*map(str, files))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_sample(self) -> None:
        done = self.check(str(ROOT / "samples" / "dist_auth.pyc"))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_wrong_payloads_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place) / "wrong.py"
            file.write_text(
                CHOREOGRAPHY
                + "\nx: At[str, A] = 5@A\ny: At[int, B] = Channel[int, A, B]().com('s')\n"
            )
            done = self.check(str(file))
        self.assertEqual(done.stdout.count("error:"), 2, done.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
