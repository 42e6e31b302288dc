"""What `view` draws: diagrams, pages with the programs beside them, the automata of roles."""

import html.parser
import re
import sys
import xml.dom.minidom
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/runner"), str(ROOT / "tests/cli")]

import unittests  # noqa: E402
from test_programs import COMPILER, LABELS, USAGE, FILE, ProgramTest  # noqa: E402


class Page(html.parser.HTMLParser):
    """What a page shows: all its text, and the lines of each message."""

    VOID = {"meta"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.headings: list[str] = []
        self.linked: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.sites: dict[str, dict[str, list[str]]] = {"g": {}, "span": {}}

    def count(self, tag: str) -> int:
        return self.tags.count(tag)

    def handle_starttag(self, tag: str, attrs: "list[tuple[str, str | None]]") -> None:
        self.tags.append(tag)
        values = {name: value or "" for name, value in attrs}
        self.linked += [v for name, v in values.items() if name in ("src", "href")]
        self.ids += [v for name, v in values.items() if name == "id"]
        if tag not in self.VOID:
            self.open.append((tag, values.get("data-site", "")))

    def handle_startendtag(self, tag: str, attrs: "list[tuple[str, str | None]]") -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        opened, _ = self.open.pop()
        assert opened == tag, (opened, tag)

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self.open]
        if "style" not in tags and "script" not in tags:
            self.text += data
        if tags and tags[-1] in ("h1", "h2"):
            self.headings.append(data)
        for tag, sites in self.open:
            for site in sites.split():
                self.sites[tag].setdefault(site, []).append(data)


class Views(ProgramTest):
    TEXT = LABELS + """\
def ask(ch: Channel[int, X, Y], n: At[int, X]) -> At[int, Y]:
    m: At[int, Y] = ch.com(n)
    if m > 3:
        ch.select(Go.ON@Y)
        return ask(ch, n - 1)
    elif m < 0:
        ch.select(Go.END@Y)
        return 0@Y
    else:
        ch.select(Go.END@Y)
        return m


def main(ch: Channel[int, end, B], n: At[int, end]) -> At[int, end]:
    if n > 5:
        print("big", n)
    return ch.com(ask(ch, ch.com(ch.com(n) + 1)))
"""

    def test_modules_and_methods(self) -> None:
        self.source("""\
from pychoral import Ch2, Channel


class Base(Ch2[X, Y]):
    def __init__(self, ch: Channel[int, X, Y]) -> None:
        self.ch = ch

    def ask(self) -> None:
        self.ch.com(1@X)


def tell(ch: Channel[str, X, Y]) -> None:
    ch.com("told"@X)
""", "lib.pyc")
        self.source("""\
import lib
from pychoral import Channel


class Asker(lib.Base[B, A]):
    def twice(self, words: Channel[str, A, B]) -> None:
        super().ask()
        self.ask()
        lib.tell(words)


def main(ch: Channel[int, A, B], words: Channel[str, A, B]) -> None:
    Asker[B, A](ch).twice(words)
""")
        messages = ["B->>A: int", "B->>A: int", "A->>B: str"]
        for options in [], ["--entry", "Asker.twice"]:
            lines = self.done("view", "x.pyc", *options).splitlines()
            self.assertEqual([line.strip() for line in lines if "->>" in line], messages)

    def test_choice_of_several(self) -> None:
        """One that two make together is drawn though nothing is sent; one role's own is not."""
        self.source("""\
from pychoral import At, Channel


def main(ch: Channel[int, A, B], a: At[int, A]) -> None:
    both = ch.share(a)
    if both > 0:
        print("more"@A)
    else:
        print("less"@B)
    if a > 0:
        print("more"@A)
""")
        lines = self.done("view", "x.pyc").splitlines()[4:]
        self.assertEqual([line.strip() for line in lines],
                         ["A->>B: both: int", "alt A, B: both #62; 0", "note over A,B: no message",
                          "else otherwise", "note over A,B: no message", "end"])

    def test_labels(self) -> None:
        """The variable that is assigned, or sent, and what a type variable stands for; the end of
        a choreography that was called is not the end of its roles."""
        self.source("""\
from typing import Generic, TypeVar

from pychoral import At, Ch2, Channel

T = TypeVar("T")
U = TypeVar("U")


class Box(Ch2[X, Y], Generic[T]):
    def __init__(self, ch: Channel[object, X, Y], held: At[T, X]) -> None:
        self.ch = ch
        self.held = held

    def move(self) -> At[T, Y]:
        return self.ch.com(self.held)


class Sub(Box[int, X, Y]):
    def again(self) -> At[int, Y]:
        moved: At[int, Y] = self.move()
        return moved


def pair(ch: Channel[object, X, Y], many: At[list[U], X], one: At[U, X]) -> None:
    first: At[list[U], Y] = ch.com(many)
    print(ch.com(one))


def until(ch: Channel[object, X, Y], xs: At[list[str], X]) -> None:
    both = ch.share(len(xs)@X)
    if both > 3:
        return
    y = ch.com(both + 1)
    print(y)


def main(ch: Channel[object, A, B], xs: At[list[str], A]) -> None:
    pair(ch, xs, one=xs[0])
    Box[str, A, B](ch, xs[0]).move()
    Sub[A, B](ch, 1@A).again()
    until(ch, xs)
""".replace("len(xs)@X", "len(xs)").replace("ch.com(both + 1)", "ch.com(len(xs) + 1)"))
        lines = [line.strip() for line in self.done("view", "x.pyc").splitlines()[4:]]
        self.assertEqual(lines, [
            "A->>B: first: list[str]", "A->>B: one: str", "A->>B: self.held: str",
            "A->>B: self.held: int", "A->>B: both: int", "alt A, B: both #62; 3",
            "note over A,B: returns from until", "else otherwise", "A->>B: y: int", "end"])

    CALLS = """\
from typing import Callable

from pychoral import At, Ch2, Channel


class Base(Ch2[X, Y]):
    def __init__(self, ch: Channel[int, X, Y]) -> None:
        self.ch = ch

    def go(self, n: At[int, X]) -> At[int, Y]:
        base = self.ch.com(n)
        return base

    def run(self, n: At[int, X]) -> None:
        print(self.go(n))

    @staticmethod
    def by_name(f: At[Callable[[At[int, X]], At[int, Y]], X, Y], n: At[int, X]) -> None:
        print(f(n))

    @classmethod
    def by_class(cls, f: At[Callable[[At[int, X]], At[int, Y]], X, Y], n: At[int, X]) -> None:
        print(f(n))


class Sub(Base[X, Y]):
    def go(self, n: At[int, X]) -> At[int, Y]:
        first = self.ch.com(n)
        print(first)
        return super().go(n)


class Held(Ch2[X, Y]):
    def __init__(self, f: At[Callable[[At[int, X]], At[int, Y]], X, Y]) -> None:
        self.f = f

    def run(self, n: At[int, X]) -> None:
        print(self.f(n))


def use(some: Base[X, Y], n: At[int, X]) -> None:
    some.run(n)


def apply(ch: Channel[int, X, Y], f: At[Callable[[At[int, X]], At[int, Y]], X, Y],
          n: At[int, X], k: At[int, X, Y]) -> None:
    def send(x: At[int, X]) -> At[int, Y]:
        inner = ch.com(x)
        return inner

    print(f(n), send(n))
    if k > 0:
        apply(ch, f, n, k - 1)


def main(ch: Channel[int, A, B], n: At[int, A]) -> None:
    def send(x: At[int, A]) -> At[int, B]:
        outer = ch.com(x)
        return outer

    def again(f: At[Callable[[At[int, A]], At[int, B]], A, B], x: At[int, A]) -> None:
        f = lambda k: ch.com(k)
        f(x)

    def power(x: At[int, A]) -> At[int, A]:
        return 1 if n == 0 else 2 * power(x - 1)

"""

    def test_what_is_called(self) -> None:
        """An argument says which function, and which class, a parameter's call runs."""
        again = ["alt A, B: k #62; 0", "note over A,B: apply again", "end"]
        first, base = "A->>B: first: int", "A->>B: base: int"
        outer, inner = "A->>B: outer: int", "A->>B: inner: int"
        for body, expected in (
                ("apply(ch, send, n, 3)", [outer, inner, *again]),
                ("apply(ch, lambda k: ch.com(k), n, 3)", ["A->>B: k: int", inner, *again]),
                ("apply(ch, Sub[A, B](ch).go, n, 3)", [first, base, inner, *again]),
                ("use(Base[A, B](ch), n)", [base]),
                ("use(Sub[A, B](ch), n)", [first, base]),
                ("Sub[A, B](ch).run(n)", [first, base]),
                ("print(send(n))", [outer]),
                ("print(power(n))", []),
                ("Base[A, B](ch).by_name(send, n)", [outer]),
                ("Base[A, B].by_class(send, n)", [outer]),
                ("e = send\n    g = e\n    g(n)", [outer]),
                ("b = Base[A, B](ch)\n    print(b.go(n))", [base])):
            with self.subTest(body):
                self.source(self.CALLS + f"    {body}\n")
                lines = [line.strip() for line in self.done("view", "x.pyc").splitlines()[4:]]
                self.assertEqual(lines, expected)

    def test_what_is_called_may_depend_on_the_run(self) -> None:
        """Then there is a note, in the automaton an edge, and no guess."""
        for body, name in (("f = send\n    f = lambda k: ch.com(k)\n    f(n)", "f"),
                           ("b = Base[A, B](ch)\n    b = Sub[A, B](ch)\n    print(b.go(n))", "go"),
                           ("Held[A, B](send).run(n)", "f"), ("again(send, n)", "f")):
            self.source(self.CALLS + f"    {body}\n")
            lines = [line.strip() for line in self.done("view", "x.pyc").splitlines()[4:]]
            self.assertEqual(lines, [f"note over A,B: {name} (not shown)"])
            text = self.done("view", "x.pyc", "--format=dot", "--role=B")
            self.assertIn(f'"call {name}[A, B]"', text)

    def test_modules(self) -> None:
        """Names of a module keep its name; a call into an interface, without bodies, is a note."""
        (self.folder / "src").mkdir()
        self.source("""\
from dataclasses import dataclass

from pychoral import At, Channel

LIMIT = 3


@dataclass
class Box:
    n: int


def tell(ch: Channel[object, X, Y], n: At[int, X]) -> None:
    ch.com(Box(n))
""", "src/lib.py")
        self.source("""\
import lib
from pychoral import At, Channel


def main(ch: Channel[object, A, B], a: At[int, A]) -> None:
    lib.tell(ch, a)
    if a > lib.LIMIT and a > len("%s"):
        print(ch.com(lib.Box(a)))
    else:
        print(ch.com(lib.Box(0)@A))
""" % ("\u00e9" * 40))
        for folder, first in (("src", "A->>B: lib.Box"),
                              ("out", "note over A,B: lib.tell (not shown)")):
            lines = self.done("view", "x.pyc", "-I", folder).splitlines()[4:]
            self.assertEqual(lines[0].strip(), first)
            self.assertRegex(lines[1], r'alt A: a #62; lib.LIMIT and a #62; len\S+\u00e9\.\.\.$')
            self.assertEqual(lines[2].strip(), "A->>B: lib.Box")
            self.done("src/lib.py", "-o", "out", "-q")

    def test_mermaid(self) -> None:
        lines = self.done("view", self.source(self.TEXT)).splitlines()[1:]
        self.assertEqual([line.strip() for line in lines], [
            "sequenceDiagram",
            "participant R1 as #101;nd",
            "participant B",
            "R1->>B: n: int",
            "B->>R1: int",
            "R1->>B: m: int",
            "alt B: m #62; 3",
            "B-)R1: ON",
            "note over R1,B: ask again",
            "else B: m #60; 0",
            "B-)R1: #69;ND",
            "else otherwise",
            "B-)R1: #69;ND",
            "end",
            "B->>R1: int",
        ])

    def test_a_loop_is_a_frame_and_its_else_follows(self) -> None:
        lines = self.done("view", self.source("""\
from enum import Enum
from pychoral import At, Channel


class Go(Enum):
    ON = 1
    END = 2


def main(ch: Channel[object, A, B], xs: At[str, A]) -> None:
    for x in xs:
        ch.select(Go.ON@A)
        ch.com(x)
    else:
        ch.select(Go.END@A)
    for y in xs:
        print(y)
""")).splitlines()[4:]
        self.assertEqual([line.strip() for line in lines],
                         ["loop A: for x in xs", "A-)B: ON", "A->>B: x: str", "end",
                          "A-)B: #69;ND"])

    def test_a_call_with_other_parts_spans_its_roles(self) -> None:
        lines = self.done("view", self.source("""\
from pychoral import At, Channel


def pass_on(ab: Channel[int, A, B], bc: Channel[int, B, C], ca: Channel[int, C, A],
            n: At[int, A, B, C], x: At[int, A]) -> None:
    if n > 0:
        pass_on[B, C, A](bc, ca, ab, n - 1, ab.com(x))


def main(ab: Channel[int, A, B], bc: Channel[int, B, C], ca: Channel[int, C, A],
         x: At[int, A]) -> None:
    pass_on(ab, bc, ca, 3, x)
""")).splitlines()
        self.assertIn("note over A,C: pass_on[B, C, A] again", [line.strip() for line in lines])

    def test_svg_by_name(self) -> None:
        self.source(self.TEXT)
        self.done("view", "x.pyc", "-o", "x.svg")
        self.assertIn("<svg", (self.folder / "x.svg").read_text())

    def test_svg(self) -> None:
        self.done("view", self.source(self.TEXT), "--format=svg", "-o", "x.svg")
        picture = xml.dom.minidom.parse(str(self.folder / "x.svg"))
        classes = [line.getAttribute("class") for line in picture.getElementsByTagName("line")]
        self.assertEqual(classes.count("message"), 4)
        self.assertEqual(classes.count("select"), 3)
        texts = [t.firstChild.data for t in picture.getElementsByTagName("text")]
        self.assertIn("B: m > 3", texts)
        self.done("view", "x.pyc", "--format=svg", "-o", "x.svg")

    NASTY = """\
from pychoral import At, Channel


def main(ch: Channel[str, A, B], a: At[str, A]) -> None:
    print("]]> <b> & --> <!--"@A)
    if a == '</pre><script>alert("1")</script>]]>':
        print(ch.com(a + "<script>"))
    else:
        print(ch.com(a))
"""

    def test_texts_of_the_program_are_escaped(self) -> None:
        self.done("view", self.source(self.NASTY), "-o", "x.svg")
        picture = xml.dom.minidom.parse(str(self.folder / "x.svg"))
        self.assertEqual(picture.getElementsByTagName("script"), [])
        texts = [t.firstChild.data for t in picture.getElementsByTagName("text")]
        self.assertIn("A:a=='</pre><script>alert(\"1\")</script>]...",
                      "".join(texts).replace(" ", ""))
        page = self.page()
        self.assertEqual(page.count("script"), 1)
        self.assertEqual(page.count("b"), 0)
        self.assertIn(self.NASTY.strip(), page.text)

    def test_the_direction_of_writing_stays(self) -> None:
        """What would turn the text around it is shown as U+FFFD, and wide letters get room."""
        self.source("""\
from pychoral import At, Channel


def main(ch: Channel[object, A, B], a: At[str, A], n: At[int, A, B]) -> None:
    if n > len("\u202e\x01\u2028"):
        ch.com(a)
    \u8ca7\u3044 = ch.com(a)
    print(\u8ca7\u3044)
""")
        for out in "x.svg", "x.html", "x.mermaid", "x.dot":
            self.done("view", "x.pyc", "-o", out)
            text = (self.folder / out).read_text()
            self.assertIsNone(re.search("[\u202e\x01\u2028]", text), out)
        self.done("view", "x.pyc", "-o", "x.svg", "-f")
        picture = xml.dom.minidom.parse(str(self.folder / "x.svg"))
        backs = [box.getAttribute("width") for box in picture.getElementsByTagName("rect")
                 if box.getAttribute("class") == "back"]
        self.assertIn(str(8 * len("__=_: str") + 4), backs)

    def page(self) -> "Page":
        self.done("view", "x.pyc", "-o", "x.html", "-f")
        page = Page()
        page.feed((self.folder / "x.html").read_text())
        self.assertEqual(page.open, [])
        return page

    def test_page(self) -> None:
        """The source, the picture and each program; a message has its lines in all of them."""
        self.source(self.TEXT)
        page = self.page()
        self.assertEqual(page.headings, ["x.pyc", "x.pyc", "main", "end: end.py", "B: b.py"])
        self.assertEqual(page.linked, ["#text0", "#diagram0", "#text1", "#text2"])
        self.assertLessEqual({link[1:] for link in page.linked}, set(page.ids))
        self.assertEqual(page.count("svg"), 2)
        self.assertIn("R1->>B: m: int", page.text)
        for tag in ("g", "span"):
            self.assertGreater(len(page.sites[tag]), 3)
        self.assertEqual(set(page.sites["g"]), set(page.sites["span"]))
        row = page.sites["span"]["1"]
        self.assertEqual([line for line in row if "m: At[int, Y]" in line],
                         ["    m: At[int, Y] = ch.com(n)\n"])
        self.assertTrue(any("expect=int, site=1)" in line for line in row), row)
        told = [n for n, lines in page.sites["span"].items()
                if any("Go.END@Y" in line for line in lines)]
        self.assertTrue(told)

    def test_large(self) -> None:
        """All messages of a long program are there; conditions with calls take no exponential
        time; calls that are too deep are notes."""
        head = "from pychoral import At, Channel\n\n\n"
        self.source(head + "def main(ch: Channel[int, A, B], n: At[int, A]) -> None:\n"
                    + "".join(f"    x{i} = ch.com(n)\n" for i in range(5000)))
        self.done("view", "x.pyc", "-o", "x.html", "-f")
        page = (self.folder / "x.html").read_text()
        self.assertEqual(len(re.findall('<g data-site="\\d+"><title>', page)), 5000)
        parameters = "(ch: Channel[int, A, B], n: At[int, A], k: At[int, A, B])"
        last = "    both = ch.share(n)\n    return both > 0\n"
        for body in ("    if k > 3:\n        return False\n    elif f{}(ch, n, k):\n"
                     "        ch.com(n)\n    return k > 2\n", "    return f{}(ch, n, k)\n"):
            bodies = [last] + [body.format(i) for i in range(110)]
            self.source(head + "".join(f"def f{i}{parameters} -> At[bool, A, B]:\n{text}\n\n"
                                       for i, text in enumerate(bodies))
                        + f"def main{parameters} -> None:\n    f110(ch, n, k)\n")
            self.assertIn("f10 (not shown)", self.done("view", "x.pyc"))

    def test_foreign_file_is_kept(self) -> None:
        (self.folder / "mine.svg").write_text("<svg/>")
        result = self.call("view", self.source(self.TEXT), "-o", "mine.svg")
        self.assertEqual(result.returncode, FILE)
        self.assertIn("E0004", result.stderr)
        self.assertEqual((self.folder / "mine.svg").read_text(), "<svg/>")
        self.done("view", "x.pyc", "-o", "mine.svg", "--force")


Edges = dict[str, dict[str, str]]


class Automata(ProgramTest):
    """`view --format=dot --role=R`: what R sends and receives, in every order that is possible."""

    EDGE = re.compile(r'    (\d+) -> (\d+) \[label="(.*)"\]$')

    def automaton(self, path: "str | Path", role: str) -> "tuple[Edges, set[str]]":
        text = self.done("view", str(path), "--format=dot", f"--role={role}")
        edges: Edges = {}
        for line in text.splitlines():
            if match := self.EDGE.match(line):
                for label in match[3].split("\\n"):
                    self.assertNotIn(label, edges.setdefault(match[1], {}))
                    edges[match[1]][label] = match[2]
        return edges, set(re.findall(r"^ +(\d+) \[shape=doublecircle\]$", text, re.M))

    def traced(self, path: Path) -> dict[str, list[str]]:
        """What each role did when the sample ran: `Bob ! OK`."""
        options = re.findall(r"^#@ option (\w+\.\w+): (.*)$", path.read_text(), re.M)
        self.done("run", str(path), "--trace=x.log", "-f",
                  *(f"--{name}={value}" for name, value in options))
        done: dict[str, list[str]] = {}
        lines = (self.folder / "x.log").read_text().splitlines()
        for what, who in zip(lines[::2], lines[1::2]):
            if what.endswith(": the end"):
                continue
            words = re.match(r"(sends|reads) message \d+ (?:to|from) (\w+): (\S+)", what)
            assert words, what
            sign = "!" if words[1] == "sends" else "?"
            done.setdefault(who.split()[0], []).append(f"{words[2]} {sign} {words[3]}")
        return done

    def walk(self, edges: Edges, acts: list[str]) -> str:
        """Where they lead. A label is told by its name, a value by who it is from or to."""
        state = "0"
        for act in acts:
            peer, sign, what = act.split()
            known = edges.get(state, {})
            label = f"{peer} {sign} {what.split('.')[-1]}"
            if "." not in what or label not in known:
                label, = (edge for edge in known if edge.startswith(f"{peer} {sign} "))
            state = known[label]
        return state

    def test_what_samples_do(self) -> None:
        for name in ("calculator", "ping_pong", "travel_agency", "two_phase_commit", "tic_tac_toe",
                     "kvs"):
            path = ROOT / f"samples/{name}.pyc"
            for role, acts in self.traced(path).items():
                with self.subTest(name, role=role):
                    edges, final = self.automaton(path, role)
                    self.assertIn(self.walk(edges, acts), final)

    def test_calls(self) -> None:
        """The last call goes back to the start; one that something follows is an edge."""
        cases: list[tuple[str, set[str]]] = [
            ("ch.com(n)\n    down(ch, n)", set()),
            ("down(ch, n)\n    ch.com(n)", {"call down[A, B]"})]
        for pattern, edge in cases:
            self.source(LABELS + f"""\
def down(ch: Channel[int, A, B], n: At[int, A]) -> None:
    if n < 0:
        ch.select(Go.END@A)
        return
    ch.select(Go.ON@A)
    {pattern}


def main(ch: Channel[int, A, B], n: At[int, A]) -> None:
    down(ch, n)
""")
            edges, final = self.automaton("x.pyc", "B")
            labels = {label for known in edges.values() for label in known}
            self.assertEqual(labels, {"A ? END", "A ? ON", "A ? int"} | edge)
            self.assertIn(edges["0"]["A ? END"], final)

    def test_loops(self) -> None:
        """A `break` skips the `else`; a round may start again before its end."""
        self.source(LABELS + """\
def main(ch: Channel[int, A, B], xs: At[list[int], A]) -> None:
    for x in xs:
        ch.select(Go.ON@A)
        ch.com(x)
        if x > 3:
            ch.select(Go.END@A)
            break
        ch.select(Go.ON@A)
    else:
        ch.select(Go.END@A)
        ch.com(0@A)
    ch.com("last"@B)
""".replace("Channel[int", "Channel[object"))
        edges, final = self.automaton("x.pyc", "B")
        left = self.walk(edges, ["A ? Go.ON", "A ? int", "A ? Go.END"])
        self.assertEqual(set(edges[left]), {"A ! str"})
        self.assertEqual(self.walk(edges, ["A ? Go.ON", "A ? int", "A ? Go.ON"]), "0")
        ended = self.walk(edges, ["A ? Go.END"])
        self.assertEqual(set(edges[ended]), {"A ? int"})
        self.assertEqual({self.walk(edges, ["A ? Go.END", "A ? int", "A ! str"])}, final)

    def test_a_role_that_is_not_told(self) -> None:
        """What it does in both arms is one path."""
        self.source("""\
from pychoral import At, Channel


def main(ab: Channel[int, A, B], n: At[int, A]) -> None:
    if n > 0:
        ab.com(n)
    else:
        ab.com(0@A)
""")
        edges, final = self.automaton("x.pyc", "B")
        self.assertEqual((edges, final), ({"0": {"A ? int": "1"}}, {"1"}))

    def test_texts_are_escaped(self) -> None:
        self.source("""\
from typing import Literal

from pychoral import At, Channel


def main(ch: Channel[object, A, B], a: At[Literal['"]]>\\\\<script>'], A]) -> None:
    ch.com(a)
""")
        text = self.done("view", "x.pyc", "--format=dot", "--role=A")
        label = [line for line in text.splitlines() if "0 -> 1" in line][0]
        self.assertRegex(label, r'^    0 -> 1 \[label="(\\.|[^"\\])*"\]$')

    def test_usage(self) -> None:
        self.source(Views.TEXT)
        both = self.done("view", "x.pyc", "--format=dot")
        self.assertEqual(re.findall('^digraph "(.*)" {$', both, re.M), ["end", "B"])
        self.assertIn(self.done("view", "x.pyc", "--role=B").partition("\n")[2], both)
        for options, word in ((["--role=B", "--format=svg"], "the format `dot`, not `svg`"),
                              (["--role=B", "-o", "x.html"], "the format `dot`, not `html`"),
                              (["--format=dot", "--role=End"], "did you mean `end`?")):
            result = self.call("view", "x.pyc", *options)
            self.assertEqual(result.returncode, USAGE)
            self.assertIn(word, result.stderr)


    def test_too_large(self) -> None:
        self.source("from pychoral import At, Channel\n\n\n"
                    "def main(ch: Channel[int, A, B], n: At[int, A]) -> None:\n"
                    + "    ch.com(n)\n" * 501)
        result = self.call("view", "x.pyc", "--format=dot", "--role=B")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("the automaton of B has more than 500 states", result.stderr)


if __name__ == "__main__":
    sys.exit(unittests.run_with_compiler(sys.modules[__name__]))
