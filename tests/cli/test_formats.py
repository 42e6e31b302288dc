"""The machine-readable forms of diagnostics: valid, complete, and the same errors in each.

Every program of tests/check goes through json and sarif; every family of errors that is about no
source (files, options, endpoints) does as well.
"""

import json
import os
import re
import shutil
import signal
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
Object = dict[str, Any]

SHOP = """\
from pychoral import At, Channel


def main(ch: Channel[str, Buyer, Seller], price: At[int, Buyer]) -> None:
    if price < 80:
        address: At[str, Seller] = ch.com("Campusvej 55"@Buyer)
        print("sold to", address)


def other(ch: Channel[str, Buyer, Seller], préis: At[int, Buyer], s: At[int, Seller]) -> None:
    print("é", préis + s)
    print(préiss)
"""
FAILING = """\
from pychoral import At, Channel


def main(ch: Channel[int, A, B], a: At[int, A] = 0) -> None:
    print(1 // a)
    ch.com(a)
"""
FORMATS = ["human", "short", "json", "sarif", "github"]


def call(folder: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(COMPILER), *map(str, arguments)], cwd=folder, text=True,
                          capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, NO_COLOR="1", PYTHON=sys.executable))


class FormatTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pychoral-formats-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "shop.pyc").write_text(SHOP, encoding="utf-8")
        (self.folder / "failing.pyc").write_text(FAILING, encoding="utf-8")

    def objects(self, *arguments: object) -> tuple[list[Object], Object]:
        """The diagnostics in JSON, and the summary."""
        done = call(self.folder, *arguments, "--error-format=json")
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertEqual(list(lines[-1]), ["summary"], done.stderr)
        diagnostics = [line for line in lines[:-1] if "output" not in line]
        for diagnostic in diagnostics:
            self.check_object(diagnostic)
        levels = [diagnostic["level"] for diagnostic in diagnostics]
        summary = lines[-1]["summary"]
        self.assertEqual(summary["errors"] + summary["warnings"],
                         len(levels) + summary["not_shown"])
        return diagnostics, summary

    def check_object(self, diagnostic: Object) -> None:
        self.assertEqual(list(diagnostic), ["version", "code", "level", "message", "role", "roles",
                                            "spans", "notes", "fixes", "explain"])
        self.assertRegex(diagnostic["code"], r"^[EW]\d{4}$")
        self.assertIn(diagnostic["level"], ("error", "warning"))
        self.assertEqual(diagnostic["role"], (diagnostic["roles"] or [None])[0])
        self.assertEqual([span["primary"] for span in diagnostic["spans"]].count(True),
                         bool(diagnostic["spans"]))
        for span in diagnostic["spans"]:
            self.check_place(span)
            self.assertIn(span["role"], [*diagnostic["roles"], None])
        for fix in diagnostic["fixes"]:
            by_machine = fix["applicability"] == "machine-applicable"
            self.assertEqual(by_machine, bool(fix["edits"]))
            for edit in fix["edits"]:
                self.check_place(edit)
                self.assertIsInstance(edit["text"], str)

    def check_place(self, place: Object) -> None:
        """Bytes and columns say the same."""
        data = (self.folder / place["file"]).read_bytes()
        if not data.isascii() and b"coding" in data.split(b"\n", 1)[0]:
            return
        text = data.decode("utf-8", errors="replace")
        before = data[:place["byte_start"]].decode("utf-8", errors="replace")
        lines = re.split(r"\r\n|\r|\n", before)
        self.assertEqual(place["line_start"], len(lines), place)
        self.assertEqual(place["col_start"], len(lines[-1]) + 1, place)
        self.assertLessEqual(place["byte_start"], place["byte_end"])
        self.assertLessEqual(place["byte_end"], len(text.encode()))

    def document(self, *arguments: object) -> Object:
        """The only run of a SARIF document, after a look at its structure."""
        done = call(self.folder, *arguments, "--error-format=sarif")
        document = json.loads(done.stderr)
        self.assertEqual(document["version"], "2.1.0")
        self.assertEqual(len(document["runs"]), 1)
        run: Object = document["runs"][0]
        driver = run["tool"]["driver"]
        self.assertEqual(driver["name"], "pychoralc")
        self.assertEqual(run["invocations"][0]["exitCode"], done.returncode)
        self.assertEqual(run["invocations"][0]["executionSuccessful"], done.returncode < 2)
        identifiers = [rule["id"] for rule in driver["rules"]]
        self.assertEqual(len(identifiers), len(set(identifiers)))
        for rule in driver["rules"]:
            self.assertTrue(rule["shortDescription"]["text"])
            self.assertTrue(rule["help"]["text"])
        for result in run["results"]:
            self.assertEqual(identifiers[result["ruleIndex"]], result["ruleId"])
            self.check_result(result)
        return run

    def check_result(self, result: Object) -> None:
        self.assertIn(result["level"], ("error", "warning"))
        self.assertTrue(result["message"]["text"])
        self.assertEqual(len(result["locations"]), 1)
        self.assertTrue(result["partialFingerprints"])
        places = [*result["locations"], *result["relatedLocations"]]
        for place in places:
            physical = place["physicalLocation"]
            region = physical["region"]
            self.assertGreaterEqual(region["startColumn"], 1)
            start = region["startLine"], region["startColumn"]
            self.assertLessEqual(start, (region["endLine"], region["endColumn"]))
            self.assertNotIn(" ", physical["artifactLocation"]["uri"])
        for related in result["relatedLocations"]:
            self.assertIn("message", related)
        for fix in result["fixes"]:
            for change in fix["artifactChanges"]:
                for replacement in change["replacements"]:
                    self.assertIn("startLine", replacement["deletedRegion"])
                    self.assertIn("text", replacement["insertedContent"])


class Json(FormatTest):
    def test_fields(self) -> None:
        diagnostics, summary = self.objects("check", "shop.pyc")
        self.assertEqual([d["code"] for d in diagnostics], ["E0601", "E0402", "E0201"])
        self.assertEqual(summary, {"errors": 3, "warnings": 0, "files": 1, "not_shown": 0})
        untold, apart, typo = diagnostics
        self.assertEqual((untold["role"], untold["roles"]), ("Seller", ["Seller", "Buyer"]))
        self.assertEqual([span["role"] for span in apart["spans"]], ["Seller", "Buyer"])
        self.assertEqual(apart["spans"][1]["col_start"], 16)
        self.assertEqual(apart["spans"][1]["byte_end"] - apart["spans"][1]["byte_start"], 6)
        self.assertEqual(typo["fixes"][0]["edits"][0]["text"], "préis")

    def test_limit(self) -> None:
        _, summary = self.objects("check", "shop.pyc", "--max-errors=1")
        self.assertEqual(summary, {"errors": 3, "warnings": 0, "files": 1, "not_shown": 2})

    def test_many_alike(self) -> None:
        """Three of one code about one role in one function; the others are counted."""
        choice = "    if a > {0}:\n        print({0}@B)\n"
        text = "from pychoral import At, Channel\n\n\n" + "".join(
            f"def f{n}(ch: Channel[int, A, B], a: At[int, A]) -> None:\n"
            + "".join(choice.format(i) for i in range(5)) + "\n\n" for n in range(2))
        (self.folder / "many.pyc").write_text(text, encoding="utf-8")
        diagnostics, summary = self.objects("check", "many.pyc")
        self.assertEqual([d["spans"][0]["line_start"] for d in diagnostics], [5, 7, 9, 18, 20, 22])
        self.assertEqual((summary["errors"], summary["not_shown"]), (10, 4))
        self.assertEqual(len(self.objects("check", "many.pyc", "--max-errors=0")[0]), 10)

    def test_several_files(self) -> None:
        diagnostics, summary = self.objects("check", "shop.pyc", "missing.pyc", "failing.pyc")
        self.assertEqual(summary["errors"], 4)
        self.assertEqual(summary["files"], 2)
        self.assertIn("E0001", [d["code"] for d in diagnostics])

    def test_without_source(self) -> None:
        (self.folder / "foreign").mkdir()
        (self.folder / "foreign/a.py").write_text("mine = 1\n", encoding="utf-8")
        for code, *arguments in [("E0001", "check", "missing.pyc"), ("E0003", "chek", "x"),
                                 ("E0003", "check", "--bogus", "x.pyc"), ("E0003", "explain", "E9"),
                                 ("E0003", "parse"), ("E0001", "parse", "missing.pyc"),
                                 ("E0003", "check"), ("E0003", "help", "chek"),
                                 ("E0004", "build", "failing.pyc", "-o", "foreign"),
                                 ("E0005", "build", "failing.pyc", "-o", "shop.pyc/out"),
                                 ("E0007", "check", "failing.pyc", "--entry=nothing"),
                                 ("E0008", "run", "failing.pyc"),
                                 ("E0003", "run", "failing.pyc", "--A.b=1"),
                                 ("E0003", "check", "--max-errors=x", "failing.pyc")]:
            with self.subTest(arguments):
                diagnostics, _ = self.objects(*arguments)
                self.assertEqual({d["code"] for d in diagnostics}, {code})
                self.document(*arguments)

    def test_fault_of_the_compiler(self) -> None:
        """A signal while it reads, as a fault would send it: the last words are in the form too."""
        os.mkfifo(self.folder / "pipe.pyc")
        for form in FORMATS:
            process = subprocess.Popen([str(COMPILER), "check", "pipe.pyc",
                                        f"--error-format={form}"], cwd=self.folder, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            with (self.folder / "pipe.pyc").open("w"):
                process.send_signal(signal.SIGSEGV)
                said = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 70, form)
            self.assertIn("E0010", said)
            if form == "json":
                first, last = map(json.loads, said.splitlines())
                self.assertEqual((first["code"], last["summary"]["errors"]), ("E0010", 1))
            elif form == "sarif":
                run = json.loads(said)["runs"][0]
                self.assertEqual(run["invocations"][0]["exitCode"], 70)
            elif form != "short":
                self.assertIn("please report this bug", said)

    def test_output_of_roles(self) -> None:
        done = call(self.folder, "run", "failing.pyc", "--error-format=json")
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        said = [line["output"] for line in lines if "output" in line]
        self.assertTrue(any(one["role"] == "A" and "ZeroDivisionError" in one["text"]
                            for one in said), said)

    def test_nothing_else_is_said(self) -> None:
        self.assertEqual(self.objects("build", "failing.pyc", "-o", "out")[0], [])
        self.document("view", "failing.pyc", "-o", "picture.mmd")
        done = call(self.folder, "check", "failing.pyc", "--time", "--error-format=json")
        self.assertEqual(done.returncode, 2)

    def test_every_program(self) -> None:
        for path in sorted((ROOT / "tests/check").glob("*.pyc")):
            with self.subTest(path.name):
                diagnostics, _ = self.objects("check", path, "--max-errors=0")
                results = self.document("check", path, "--max-errors=0")["results"]
                self.assertEqual([d["code"] for d in diagnostics if d["spans"]],
                                 [result["ruleId"] for result in results])


class Sarif(FormatTest):
    def test_second_role(self) -> None:
        result = self.document("check", "shop.pyc")["results"][1]
        self.assertEqual(result["relatedLocations"][0]["message"]["text"], "at Buyer")
        self.assertEqual(result["properties"]["roles"], ["Buyer", "Seller"])

    def test_paths_are_relative(self) -> None:
        for path in ("shop.pyc", "./shop.pyc", self.folder / "shop.pyc"):
            result = self.document("check", path)["results"][0]
            place = result["locations"][0]["physicalLocation"]["artifactLocation"]
            self.assertEqual(place, {"uri": "shop.pyc", "uriBaseId": "%SRCROOT%"})

    def test_strange_names(self) -> None:
        (self.folder / "ü 1%.pyc").write_text(SHOP, encoding="utf-8")
        result = self.document("check", "ü 1%.pyc")["results"][0]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        self.assertEqual(place["uri"], "%C3%BC%201%25.pyc")

    def test_fingerprints(self) -> None:
        """They stay when lines are put in, and differ between results."""
        first = [r["partialFingerprints"] for r in self.document("check", "shop.pyc")["results"]]
        text = "# a comment\n\n" + SHOP + "    print(préiss)\n"
        (self.folder / "shop.pyc").write_text(text, encoding="utf-8")
        then = [r["partialFingerprints"] for r in self.document("check", "shop.pyc")["results"]]
        self.assertEqual(first, then[:3])
        self.assertEqual(len({json.dumps(one) for one in then}), 4)


class Lines(FormatTest):
    def test_short(self) -> None:
        done = call(self.folder, "check", "shop.pyc", "--error-format=short")
        for line in done.stderr.splitlines():
            self.assertRegex(line, r"^shop\.pyc:\d+:\d+: error\[E\d{4}\]: .+$")

    def test_github(self) -> None:
        done = call(self.folder, "check", "shop.pyc", "--error-format=github")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[1], r"^::error file=shop\.pyc,line=11,col=24,endColumn=25,"
                                   r"title=E0402::`préis` is at Buyer .*%0Ahelp: ")
        done = call(self.folder, "check", "a,b%:\n.pyc", "--error-format=github")
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("a,b%25:%0A.pyc", done.stderr)

    def test_status_is_the_same(self) -> None:
        for arguments in (["check", "shop.pyc"], ["check", "failing.pyc"], ["check", "nil.pyc"],
                          ["chek"], ["run", "failing.pyc"], ["check", "-x", "shop.pyc"]):
            found = {call(self.folder, *arguments, f"--error-format={form}").returncode
                     for form in FORMATS}
            self.assertEqual(len(found), 1, arguments)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
