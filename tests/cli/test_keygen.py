"""`pychoralc keygen`: key files, the manifest, what it refuses."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"

HELLO = """\
from pychoral import At, Channel


def main(ch: Channel[int, Alice, Bob], x: At[int, Alice] = 1) -> None:
    print(ch.com(x))
"""


class KeygenTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-keygen-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "hello.pyc").write_text(HELLO, encoding="utf-8")

    def call(self, *arguments: str, status: int = 0, umask: int = 0o22) -> str:
        done = subprocess.run([str(COMPILER), "keygen", *arguments], text=True, timeout=60,
                              capture_output=True, cwd=self.folder, umask=umask)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def manifest(self, folder: str) -> Any:
        return json.loads((self.folder / folder / "manifest.json").read_text(encoding="utf-8"))

    def mode(self, name: str) -> int:
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    def files(self, folder: str) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (self.folder / folder).iterdir()}


class Written(KeygenTest):
    def test_files_of_a_program(self) -> None:
        import zmq

        said = self.call("hello.pyc", "-o", "keys", "--address", "Bob=tcp://bob.example:7000")
        self.assertTrue(said.startswith("wrote keys/Alice.key, keys/Bob.key, keys/manifest.json\n"))
        self.assertEqual(set(self.files("keys")), {"Alice.key", "Bob.key", "manifest.json"})
        manifest = self.manifest("keys")
        publics = [role.pop("public") for role in manifest["roles"]]
        self.assertEqual(manifest, {
            "version": 1, "run": "",
            "roles": [{"name": "Alice", "address": "tcp://127.0.0.1:21000"},
                      {"name": "Bob", "address": "tcp://bob.example:7000"}],
            "limits": {"message": 268435456, "window_messages": 8192, "window_bytes": 2097152}})
        for role, public in zip(("Alice", "Bob"), publics):
            text = (self.folder / f"keys/{role}.key").read_text(encoding="utf-8")
            line, name, secret, end = text.split("\n")
            self.assertEqual((line, name, end), ("pychoral secret key 1", role, ""))
            self.assertEqual(zmq.curve_public(secret.encode()).decode(), public)

    def test_modes_do_not_depend_on_the_umask(self) -> None:
        for umask in (0, 0o77, 0o377):
            folder = f"keys{umask}"
            (self.folder / folder).mkdir()
            self.call("hello.pyc", "-o", folder, umask=umask)
            self.assertEqual(self.mode(f"{folder}/Alice.key"), 0o600)
            self.assertEqual(self.mode(f"{folder}/manifest.json"), 0o644)
        self.call("hello.pyc", "-o", "new", umask=0)
        self.assertEqual(self.mode("new"), 0o700)

    def test_roles_by_name(self) -> None:
        self.call("Carol", "Dave", "Ève", "-o", "keys", "-q")
        roles = self.manifest("keys")["roles"]
        self.assertEqual([(role["name"], role["address"]) for role in roles],
                         [("Carol", "tcp://127.0.0.1:21000"), ("Dave", "tcp://127.0.0.1:21001"),
                          ("Ève", "tcp://127.0.0.1:21002")])

    def test_endpoints_take_them(self) -> None:
        self.call("hello.pyc", "-o", "keys", "-q", f"--address=Alice=ipc://{self.folder}/socket")
        subprocess.run([str(COMPILER), "hello.pyc", "-o", "out", "-q"], cwd=self.folder, timeout=60,
                       check=True)
        running = [subprocess.Popen([sys.executable, f"out/{role}.py", "--manifest", "keys"],
                                    cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT) for role in ("alice", "bob")]
        for each in running:
            self.addCleanup(each.kill)
        self.assertEqual([each.communicate(timeout=60)[0] for each in running], ["", "1\n"])

    def test_keys_differ(self) -> None:
        self.call("hello.pyc", "-o", "one", "-q")
        self.call("hello.pyc", "-o", "two", "-q")
        one, two = self.files("one"), self.files("two")
        self.assertFalse(set(one.values()) & set(two.values()))

    def test_a_package_in_the_current_folder_is_not_run(self) -> None:
        (self.folder / "pychoral").mkdir()
        (self.folder / "pychoral/__init__.py").write_text("raise SystemExit(9)\n")
        self.call("Alice", "-o", "keys", "-q")

    def test_ports_that_the_system_gives_away(self) -> None:
        said = self.call("Alice", "-o", "keys", "--address=Alice=tcp://10.0.0.1:40000")
        self.assertIn("port 40000 of Alice", said)


class Refused(KeygenTest):
    def test_existing_files_are_left_alone(self) -> None:
        self.call("hello.pyc", "-o", "keys", "-q")
        before = self.files("keys")
        said = self.call("hello.pyc", "-o", "keys", status=3)
        self.assertIn("keys/Alice.key, keys/Bob.key, keys/manifest.json already exist", said)
        self.assertIn("--force", said)
        self.assertIn("keys/manifest.json already exist", self.call("Bob", "-o", "keys", status=3))
        self.assertEqual(self.files("keys"), before)
        self.call("hello.pyc", "-o", "keys", "--force", "-q")
        after = self.files("keys")
        self.assertEqual(set(after), set(before))
        self.assertTrue(all(after[name] != before[name] for name in before))
        self.assertEqual(self.mode("keys/Alice.key"), 0o600)

    def test_a_link_is_not_followed(self) -> None:
        (self.folder / "keys").mkdir()
        os.symlink(self.folder / "elsewhere", self.folder / "keys/Alice.key")
        self.call("Alice", "-o", "keys", status=3)
        self.call("Alice", "-o", "keys", "--force", "-q")
        self.assertFalse((self.folder / "elsewhere").exists())
        self.assertFalse((self.folder / "keys/Alice.key").is_symlink())

    def test_a_failure_leaves_nothing(self) -> None:
        (self.folder / "keys").mkdir()
        (self.folder / "keys/manifest.json").mkdir()
        self.call("Alice", "-o", "keys", "--force", status=3)
        self.assertEqual([path.name for path in (self.folder / "keys").iterdir()],
                         ["manifest.json"])
        (self.folder / "file").write_text("")
        self.assertIn("E0005", self.call("Alice", "-o", "file", status=3))

    def test_usage(self) -> None:
        for arguments, words in (
                (["Alice"], "`-o DIR`"),
                (["Alice", "Alice", "-o", "k"], "role Alice is given twice"),
                (["hello.pyc", "Bob", "-o", "k"], "either one file or a list of roles"),
                (["A b", "-o", "k"], "`A b` is not the name of a role"),
                (["hello.pyc", "-o", "k", "--address=Bbo=tcp://h:1"], "did you mean `Bob`?"),
                (["Alice", "-o", "k", "--address=Alice"], "ROLE=ADDRESS"),
                (["Alice", "-o", "k", "--address=Alice=tcp://*:1"], "is not an address"),
                (["Alice", "-o", "k", "--address=Alice=tcp://h:70000"], "is not an address"),
                (["Alice", "Bob", "-o", "k", "--address=Alice=tcp://h:1",
                  "--address", "Bob=tcp://h:1"], "cannot both be at tcp://h:1")):
            self.assertIn(words, self.call(*arguments, status=2))
            self.assertFalse((self.folder / "k").exists())

    def test_a_file_with_errors(self) -> None:
        (self.folder / "bad.pyc").write_text(HELLO.replace("ch.com(x)", "x + 1@Bob"))
        self.call("bad.pyc", "-o", "k", status=1)
        (self.folder / "lib.pyc").write_text(HELLO.replace("main", "other"))
        self.assertIn("--entry=other", self.call("lib.pyc", "-o", "k", status=1))
        self.call("lib.pyc", "-o", "k", "--entry=other", "-q")

    def test_help_begins_with_examples(self) -> None:
        self.assertTrue(self.call("--help").startswith("Examples\n  pychoralc keygen auth.pyc"))


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
