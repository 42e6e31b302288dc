"""The cache of compiled runtimes (runtime/c/cache.sh), by the written Makefile, and attacks on it.

The runtime here is a small one: the key is of the sources that are there.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/runner"))

import unittests  # noqa: E402

COMPILER = ROOT / "build/release/pychoralc"
HELLO = """\
from pychoral import At, Channel


def main(ch: Channel[str, A, B]) -> At[str, B]:
    return ch.com("hello"@A)
"""
SMALL = {"one.c": '#include <zmq.h>\n#include "one.h"\nconst char *one(void) { return ONE; }\n',
         "one.h": "#define ONE __FILE__\n",
         "builtins/two.c": "#include <string.h>\nint two(void);\nint two(void) { return 2; }\n"}
LIBRARY = "pychoral/libpychoral_runtime.a"


def is_guarded(folder: Path) -> bool:
    """Whether a cache may lie below this folder."""
    return all(not path.is_symlink() and path.stat().st_uid in (0, os.getuid())
               and not path.stat().st_mode & 0o022 for path in (folder, *folder.parents))


class Case(unittest.TestCase):
    def setUp(self) -> None:
        base = COMPILER.parent.parent
        if not is_guarded(base):
            self.skipTest(f"others may write {base}, or it is behind a link")
        self.folder = Path(tempfile.mkdtemp(prefix="cache-", dir=base))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "hello.pyc").write_text(HELLO)
        subprocess.run([COMPILER, "hello.pyc", "--target=c", "-o", "out", "-q"], check=True,
                       cwd=self.folder)
        for path in (self.folder / "out/pychoral").rglob("*.[ch]"):
            path.unlink()
        for name, text in SMALL.items():
            (self.folder / "out/pychoral" / name).write_text(text)
        listed = " ".join(f"$(RUNTIME)/{name}" for name in SMALL if name.endswith(".c"))
        (self.folder / "out/pychoral/sources.mk").write_text(f"SOURCES = {listed}\n")
        self.home = self.folder / "home"
        self.cache = self.home / ".cache/pychoralc"
        self.home.mkdir(mode=0o755)
        self.made = 0

    def copy(self) -> Path:
        """A folder of its own of the same program."""
        self.made += 1
        return Path(shutil.copytree(self.folder / "out", self.folder / f"out{self.made}"))

    def environment(self) -> "dict[str, str]":
        """Without a ccache, which has files in the same folder."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "CCACHE_DISABLE": "1"}

    def start(self, out: Path, *options: str, **environment: str) -> "subprocess.Popen[str]":
        env = {**self.environment(), **environment}
        return subprocess.Popen(
            ["make", "-C", str(out), LIBRARY, *(options or ["CFLAGS=-O1 -g"])], text=True, env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)

    def ended(self, process: "subprocess.Popen[str]", out: Path) -> "tuple[bool, bytes]":
        """Whether it compiled, and its library."""
        printed, said = process.communicate(timeout=120)
        self.assertEqual((process.returncode, said), (0, ""), printed)
        self.assertEqual([path.name for path in (out / "pychoral").glob(".build*")], [])
        return "CC    pychoral/one.c" in printed, (out / LIBRARY).read_bytes()

    def make(self, *options: str, out: "Path | None" = None,
             **environment: str) -> "tuple[bool, bytes]":
        out = out or self.copy()
        return self.ended(self.start(out, *options, **environment), out)

    def entries(self) -> "list[Path]":
        return sorted(self.cache.iterdir()) if self.cache.exists() else []

    def program(self, name: str, text: str, folder: str = "bin") -> str:
        """A command; gives the PATH that has it first."""
        path = self.folder / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return f"{path.parent}:{os.environ['PATH']}"


class Taken(Case):
    def test_taken(self) -> None:
        """Once for two programs, and in each the bytes of a build without a cache."""
        plain = self.make("CFLAGS=-O1 -g", "CACHE=")
        self.assertEqual((plain[0], self.entries()), (True, []))
        self.assertEqual(self.make(), plain)
        self.assertEqual(self.make(), (False, plain[1]))
        out = self.copy()
        (self.folder / "link").symlink_to(out)
        self.assertEqual(self.make(out=self.folder / "link", PWD=str(self.folder / "link")),
                         (False, plain[1]))
        self.assertEqual([entry.stat().st_mode & 0o777 for entry in self.entries()], [0o700])
        self.assertEqual((self.folder / "out1" / LIBRARY).stat().st_mode & 0o022, 0)

    def test_off(self) -> None:
        for options, environment in ((["CACHE="], {}), (["PYCHORALC_CACHE=off"], {}),
                                     (["V=1"], {"PYCHORALC_CACHE": "off"})):
            self.assertTrue(self.make(*options, **environment)[0])
        self.assertEqual(list(self.home.iterdir()), [])

    def test_again(self) -> None:
        """Nothing is made twice; other flags, and edited sources, have keys of their own; `clean`
        leaves the cache alone."""
        out = self.copy()
        self.assertTrue(self.make(out=out)[0])
        self.assertFalse(self.make(out=out)[0])
        self.assertTrue(self.make("CFLAGS=-O0", out=out)[0])
        self.assertFalse(self.make(out=out)[0])
        (out / "pychoral/one.h").write_text('#define ONE "1"\n')
        self.assertTrue(self.make(out=out)[0])
        subprocess.run(["make", "-sC", out, "clean"], check=True)
        self.assertFalse((out / LIBRARY).exists())
        self.assertEqual(len(self.entries()), 3)
        self.assertFalse(self.make(out=out)[0])

    def test_dry_run(self) -> None:
        self.make()
        out = self.copy()
        subprocess.run(["make", "-nC", out, LIBRARY], check=True, stdout=subprocess.DEVNULL)
        self.assertFalse((out / LIBRARY).exists())


class Keys(Case):
    def differ(self, *options: str, **environment: str) -> None:
        """This build takes nothing of the others, but another one takes it."""
        self.assertTrue(self.make(*options, **environment)[0], (options, environment))
        self.assertFalse(self.make(*options, **environment)[0], (options, environment))

    def test_flags(self) -> None:
        for flags in ("-O1 -g", "-O1", "-O2", "-O1 -fsanitize=undefined", "-O1 -DX='a b'"):
            self.differ(f"CFLAGS={flags}")
        self.differ("CFLAGS=-O1", "CPPFLAGS=-DNDEBUG")

    def test_compilers(self) -> None:
        """Two of one version, and one that changes in its place."""
        self.program("cc", 'exec gcc "$@"', "a")
        self.program("cc", 'exec gcc "$@"', "b")
        for folder in "ab":
            self.differ(f"CC={self.folder}/{folder}/cc")
        self.program("cc", 'exec gcc -DX "$@"', "b")
        self.differ(f"CC={self.folder}/b/cc")

    def test_headers(self) -> None:
        """What the compiler finds for <zmq.h>."""
        self.differ()
        (self.folder / "zmq.h").write_text("#define ZMQ_VERSION 1\n")
        self.differ(CPATH=str(self.folder))
        self.differ("CFLAGS=-O1 -g", f"CPPFLAGS=-I{self.folder}")
        (self.folder / "zmq.h").write_text("#define ZMQ_VERSION 2\n")
        self.differ(CPATH=str(self.folder))

    def test_unknown(self) -> None:
        """Options that name files, or write some, or mean this machine: never cached."""
        (self.folder / "options").write_text("-DX\n")
        (self.folder / "x.h").write_text("")
        for flags in (f"@{self.folder}/options", f"-include {self.folder}/x.h", "-march=native",
                      "--coverage", "-fprofile-generate", "-ftime-trace", "-gsplit-dwarf", "-flto",
                      "-Wa,-mrelax=no", f"-B{self.folder}"):
            subprocess.run(["make", "-C", self.copy(), LIBRARY, f"CFLAGS={flags}"],
                           env=self.environment(), capture_output=True)
            self.assertEqual(self.entries(), [], flags)

    def test_changed_meanwhile(self) -> None:
        """What was compiled while its sources changed is of no key; nor are old objects taken."""
        out = self.copy()
        path = self.program("gcc", f'''/usr/bin/gcc "$@"; result=$?
            case $* in *" -c "*) echo "// more" >>{out}/pychoral/one.h ;; esac; exit $result''')
        self.assertTrue(self.make("CC=gcc", out=out, PATH=path)[0])
        self.assertEqual(self.entries(), [])
        out = self.copy()
        for name in ("one.o", "objects.a", "builtins/two.o"):
            (out / "pychoral" / name).write_text("of another time")
        library = self.make(out=out)[1]
        self.assertEqual({self.make()[1], self.make("CFLAGS=-O1 -g", "CACHE=")[1]}, {library})


class Folders(Case):
    """A folder that is not safe is not used, without an error."""

    def unused(self, **environment: str) -> None:
        self.assertTrue(self.make(**environment)[0])
        self.assertTrue(self.make(**environment)[0])

    def test_links(self) -> None:
        (self.folder / "elsewhere").mkdir(mode=0o700)
        (self.home / ".cache").symlink_to(self.folder / "elsewhere")
        self.unused()
        (self.home / ".cache").unlink()
        (self.home / ".cache").mkdir()
        self.cache.symlink_to(self.folder / "elsewhere")
        self.unused()
        self.assertEqual(list((self.folder / "elsewhere").iterdir()), [])

    def test_modes(self) -> None:
        self.cache.mkdir(parents=True)
        for folder, mode in ((self.cache, 0o755), (self.cache, 0o770), (self.cache, 0o500),
                             (self.home, 0o775), (self.home / ".cache", 0o777)):
            self.cache.chmod(0o700)
            before = folder.stat().st_mode
            folder.chmod(mode)
            self.unused()
            folder.chmod(before)
        self.assertEqual(self.entries(), [])

    @unittest.skipIf(os.getuid(), "only root can give folders away")
    def test_owners(self) -> None:
        self.cache.mkdir(parents=True, mode=0o700)
        for folder in (self.cache, self.home / ".cache", self.home):
            os.chown(folder, 12345, 12345)
            self.unused()
            os.chown(folder, 0, 0)
        self.assertEqual(self.entries(), [])

    def test_places(self) -> None:
        self.unused(XDG_CACHE_HOME="relative")
        self.unused(XDG_CACHE_HOME="/proc/nothing")         # as where all is read-only
        self.unused(HOME="")
        self.unused(HOME="/")
        (self.home / ".cache").write_text("no folder")
        self.unused()
        odd = self.folder / "an odd 'name'"
        odd.mkdir(mode=0o700)
        self.assertTrue(self.make(XDG_CACHE_HOME=str(odd))[0])
        self.assertFalse(self.make(XDG_CACHE_HOME=str(odd) + "//")[0])


class Broken(Case):
    """What is in the cache, or comes in, may be broken: it is not used, and replaced."""

    def test_entries(self) -> None:
        good = self.make()[1]
        entry, = self.entries()
        archive, digest = entry / "libpychoral_runtime.a", entry / "sha256"
        other = self.make("CFLAGS=-O0") and next(each for each in self.entries() if each != entry)

        def swap() -> None:
            for name in ("libpychoral_runtime.a", "sha256"):
                shutil.copy(other / name, entry / name)

        def replace(path: Path, by: "Path | None" = None) -> None:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            path.write_text("") if by is None else path.symlink_to(by)

        def fifo() -> None:
            archive.unlink()
            os.mkfifo(archive)

        for attack in (lambda: archive.write_bytes(good[:-1] + b"?"), archive.unlink, digest.unlink,
                       lambda: archive.write_bytes(good[:100]), lambda: digest.write_text(""), swap,
                       fifo, lambda: replace(archive, self.folder / "out1" / LIBRARY),
                       lambda: replace(entry), lambda: replace(entry, other),
                       lambda: archive.chmod(0o666)):
            attack()
            self.assertEqual(self.make(), (True, good))
            self.assertEqual(self.make(), (False, good))
        self.assertEqual(self.entries(), sorted([entry, other]))

    def test_full_disk(self) -> None:
        for status in (0, 1):
            path = self.program("cp", f'head -c 10 "$1" >"$2"; exit {status}')
            self.assertTrue(self.make(PATH=path)[0])
            self.assertEqual(self.entries(), [])
        path = self.program("mktemp", "exit 1")
        self.assertTrue(self.make(PATH=path)[0])
        self.assertEqual(self.entries(), [])

    def test_full_disk_of_the_build(self) -> None:
        """What is taken is cut off: it is compiled instead."""
        good = self.make()
        path = self.program("cat", 'case $1 in *.a) head -c 10 "$1";; *) exec /bin/cat "$@";; esac')
        self.assertEqual(self.make(PATH=path), good)

    @unittest.skipIf(os.getuid(), "only root can give files away")
    def test_owners_of_entries(self) -> None:
        good = self.make()[1]
        entry, = self.entries()
        for path in (entry, entry / "libpychoral_runtime.a"):
            os.chown(path, 12345, 12345)
            self.assertEqual(self.make(), (True, good))
            self.assertEqual(self.make(), (False, good))

    def test_killed(self) -> None:
        """Where it fills the cache, and where it compiles."""
        path = self.program("cp", 'head -c 10 "$1" >"$2"; kill -9 $PPID')
        out = self.copy()
        process = self.start(out, PATH=path)
        process.communicate()
        for left in out.glob("pychoral/.build*"):
            shutil.rmtree(left)
        self.assertTrue(all(entry.name.startswith(".new-") for entry in self.entries()))
        self.program("cp", 'exec /bin/cp "$@"')
        path = self.program("gcc", f'''case $* in *two.c*) echo >{self.folder}/here; sleep 60;; esac
            exec /usr/bin/gcc "$@"''')
        slow = self.copy()
        process = self.start(slow, "CC=gcc", PATH=path)
        while not (self.folder / "here").exists():
            self.assertIsNone(process.poll(), "it ended, and has not compiled two.c")
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.program("gcc", 'exec /usr/bin/gcc "$@"')
        shutil.rmtree(slow / "pychoral" / next(slow.glob("pychoral/.build*")).name)
        self.assertTrue(self.make("CC=gcc", out=slow, PATH=path)[0])
        self.assertEqual(self.make(out=out)[1], self.make("CFLAGS=-O1 -g", "CACHE=")[1])
        self.assertFalse(self.make()[0])

    def test_at_once(self) -> None:
        """Builds side by side, in one folder, too."""
        folders = [self.copy() for _ in range(4)]
        processes = [self.start(out) for out in folders]
        found = {self.ended(*each)[1] for each in zip(processes, folders)}
        self.assertEqual((len(found), len(self.entries())), (1, 1))
        out = self.copy()
        (out / "pychoral/one.h").write_text('#define ONE "1"\n')
        for process in [self.start(out) for _ in range(3)]:
            process.communicate(timeout=120)
        self.assertEqual(self.make(out=out)[1], self.make("CFLAGS=-O1 -g", "CACHE=", out=out)[1])
        self.assertLessEqual(len(self.entries()), 2)


class Bound(Case):
    def test_oldest_go(self) -> None:
        """At most 2 GiB: those go that were not used for longest, and what killed builds left."""
        self.make()
        used, = self.entries()
        names = ["a" * 64, "b" * 64, "c" * 64]
        for age, name in enumerate([*names, ".new-left"]):
            (self.cache / name).mkdir()
            with open(self.cache / name / "libpychoral_runtime.a", "wb") as sparse:
                sparse.truncate(900 << 20)
            os.utime(self.cache / name, (1e9 - age, 1e9 - age))
        os.utime(used, (1e8, 1e8))
        self.assertFalse(self.make()[0])        # that is a use of it
        self.make("CFLAGS=-O0")
        new = next(each for each in self.entries() if each != used and each.name not in names)
        self.assertEqual(self.entries(),
                         sorted([used, new, self.cache / names[0], self.cache / names[1]]))


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
