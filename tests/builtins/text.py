"""Functions of str and bytes of the C runtime against CPython: equal results and exceptions.

text.py PROGRAM [--count N] [--seed S] [--only TEXT] [--characters]

PROGRAM is tests/builtins/text.c; text.def names its functions. --characters: every code point.
"""

from __future__ import annotations

import argparse
import random
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

CALL = re.compile(r'^CALL\("(.*)", \w+, "(\w):(\w+)"\)$', re.MULTILINE)
TABLE = Path(__file__).with_name("text.def")

ALPHABETS = [
    "ab", "aA bB1", "a\u00e9\u20ac\U0001f600", "\t\n\r \x0b\x1c\x85\u2028 x", "'\"\\\x00\x7f\x80",
    "\ud800\udc80\udfffab", "\u01c5\u01c6\u00df\u0130\u03a3\u03c3\ufb01\u0345\u1e9eAa. ",
    "+-0123456789_.eEnNjJ", "\u0661\uff11\u00b2\u2155\u4e00", "\xa0\u200b\u3000\u1680",
]  # fmt: skip
BYTE_ALPHABETS = [
    b"ab", b"aA bB1", b"\t\n\r \x0b\x0c\x1cx", bytes(range(256)), b"'\"\\\x00\x7f\x80", b"+-019",
    b"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80a", b"\xed\xa0\x80\xff\xc0\xe0\x9f\xf4\x90a",
    b"\x00\xd8\x00\xdca\x00\x00\x00", b"\xff\xfe\xfe\xff\x00a",
]  # fmt: skip
FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.1, 1e-5, 1e-4, 1e15, 1e16, 1e17, 1e22, 1e23, 123.456,
    1234567.891, 0.00001234, 1e300, -1e300, 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308,
    float("inf"), float("-inf"), float("nan"), 2.0**53, 2.0**-44, 9.5, 99.995, 999999.5, 1e100,
]  # fmt: skip
INTS = [0, 1, -1, 7, 42, -42, 255, 1000, 1234567, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 3**500,
        -(10**30), 10**400, 0x10FFFF, 0x110000, 0xD800, 65]
ENCODINGS = ["utf-8", "ascii", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le",
             "utf-32-be", "utf-8-sig", "UTF8", "ISO-8859-1", "us_ascii", "nope"]
ERRORS = ["strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "surrogateescape",
          "surrogatepass"]


class Cases:
    """Arguments of the shapes in text.def."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def text(self, most: int = 12) -> str:
        draw = self.random
        if draw.random() < 0.02:
            most = 400
        alphabet = draw.choice(ALPHABETS)
        if draw.random() < 0.3:
            alphabet += draw.choice(ALPHABETS)
        if draw.random() < 0.05:
            return "".join(chr(draw.randrange(0x110000)) for _ in range(draw.randrange(5)))
        return "".join(draw.choice(alphabet) for _ in range(draw.randint(0, most)))

    def data(self, most: int = 12) -> bytes:
        alphabet = self.random.choice(BYTE_ALPHABETS)
        if self.random.random() < 0.3:
            alphabet += self.random.choice(BYTE_ALPHABETS)
        return bytes(self.random.choice(alphabet) for _ in range(self.random.randint(0, most)))

    def part(self, whole: Any) -> Any:
        """Something that may well be found."""
        if self.random.random() < 0.3:
            return self.text(3) if isinstance(whole, str) else self.data(3)
        start = self.random.randint(0, len(whole))
        return whole[start:start + self.random.choice([0, 1, 1, 1, 2, 3, 20])]

    def place(self) -> int:
        draw = self.random.random()
        if draw < 0.8:
            return self.random.randint(-14, 20)
        return self.random.choice([2**63 - 1, -(2**63), 0, 300, -300, 2**40, -(2**31)])

    def real(self) -> float:
        draw = self.random.random()
        if draw < 0.4:
            return self.random.choice(FLOATS)
        if draw < 0.6:
            return float(struct.unpack("<d", self.random.randbytes(8))[0])
        if draw < 0.8:
            return round(self.random.uniform(-1e6, 1e6), self.random.randint(0, 6))
        return self.random.choice([1, -1]) * 10 ** self.random.uniform(-20, 20)

    def value(self, depth: int = 0) -> Any:
        draw = self.random.randrange(9 if depth < 2 else 6)
        if draw < 2:
            return self.random.choice(INTS) if self.random.random() < 0.7 \
                else self.random.randint(-10**6, 10**6)
        if draw == 2:
            return self.real()
        if draw == 3:
            return self.text(5)
        if draw == 4:
            return self.random.choice([None, True, False, self.data(4)])
        if draw == 5:
            return complex(self.real(), self.real())
        if draw == 6:
            return [self.value(depth + 1) for _ in range(self.random.randrange(3))]
        if draw == 7:
            return tuple(self.value(depth + 1) for _ in range(self.random.randrange(3)))
        return {self.random.choice(["a", "b", 0, 1, "key"]): self.value(depth + 1)
                for _ in range(self.random.randrange(3))}

    def argument(self) -> Any:
        """A value that is no enormous width."""
        value = self.value()
        return value % 1000 if isinstance(value, int) and abs(value) > 10**6 else value

    def spec(self) -> str:
        draw = self.random
        if draw.random() < 0.05:
            return self.text(5)
        if draw.random() < 0.1:
            return "".join(draw.choice("<>=^+- z#0,_.123bcdeEfFgGnosxX%\u00e9") for _ in range(5))
        spec = draw.choice(["", "", "<", ">", "^", "=", "*<", "0>", "x^", "\u20ac=", "0=",
                            "\u00e9>"])
        spec += draw.choice(["", "", "", "+", "-", " "]) + draw.choice(["", "", "", "", "z"])
        spec += draw.choice(["", "", "", "#"]) + draw.choice(["", "", "", "0"])
        spec += draw.choice(["", "", "1", "5", "10", "17", "30", "\u0661"])
        spec += draw.choice(["", "", "", ",", "_", ",_"])
        spec += draw.choice(["", "", "", ".0", ".1", ".2", ".3", ".6", ".17", ".", ".40"])
        few = draw.random() < 0.4
        return spec + draw.choice(["", "d", "s", "f"] if few else "bcdeEfFgGnosxX%q")

    def percent(self, count: int) -> str:
        draw = self.random
        parts = [draw.choice(["", "a", "\u00e9", "%%"])]
        for _ in range(count):
            key = draw.choice(["(a)", "(key)", "(a(b))"]) if draw.random() < 0.1 else ""
            flags = "".join(draw.choice("-+ #0") for _ in range(draw.choice([0, 0, 1, 2])))
            width = draw.choice(["", "", "5", "12", "*", "03"])
            precision = draw.choice(["", "", "", ".0", ".3", ".12", ".*", "."])
            letter = draw.choice("diuoxXeEfFgGcrsa%" if draw.random() < 0.95 else "hlLbyq\u00e9%(.")
            parts.append("%" + key + flags + width + precision + letter + draw.choice(["", " "]))
        return "".join(parts) + draw.choice([""] * 30 + ["%", "%(", "%5", "%."])

    def template(self) -> str:
        draw = self.random
        parts = []
        for _ in range(draw.randint(0, 3)):
            name = draw.choice(["", "", "0", "1", "a", "b", "2", "0[0]", "a[0]", "0[a]", "a[key]",
                                "0.real", "a.imag", "[0]", ".real", "0[0][1]", "x", "00", "-1"])
            conversion = draw.choice(["", "", "", "!r", "!s", "!a", "!x", "!"])
            inner = "{" + draw.choice(["", "a", "1"]) + "}"
            spec = draw.choice(["", "", ":" + self.spec(), ":>" + inner, ":" + inner, ":5"])
            parts.append("{" + name + conversion + spec + "}")
            parts.append(draw.choice(["", "", "{{", "}}", "\u00e9", "-"]))
        text = "".join(parts)
        if draw.random() < 0.1 and text:
            cut = draw.randrange(len(text))
            text = text[:cut] + draw.choice(["", "{", "}", "[", "!", ":", "."]) + text[cut + 1:]
        return text


def special(cases: Cases, name: str) -> list[Any] | None:
    """Arguments that a shape alone does not say."""
    draw = cases.random
    if name == "str.encode":
        return [cases.text(), draw.choice(ENCODINGS), draw.choice(ERRORS)]
    if name == "bytes.decode":
        encoding, errors = draw.choice(ENCODINGS), draw.choice(ERRORS)
        if errors == "xmlcharrefreplace" and encoding != "ascii":
            errors = "strict"
        return [cases.data(), encoding, errors]
    if name == "str.slice" or name == "bytes.slice":
        whole = cases.text(20) if name == "str.slice" else cases.data(20)
        return [whole, cases.place(), cases.place(), draw.choice([1, 1, 2, -1, -2, 3, 0, -7, 100])]
    if name in ("str.repeat", "bytes.repeat"):
        return [cases.text() if name == "str.repeat" else cases.data(),
                draw.choice([0, 1, 2, 3, -1, 17, 2**62, 2**63 - 1])]
    if name.split(".")[1:] and name.split(".")[1] in ("center", "ljust", "rjust"):
        is_text = name.startswith("str")
        fill: Any = draw.choice([None, "*", "\u00e9", "", "ab"] if is_text
                                else [None, b"*", b"", b"ab"])
        return [cases.text() if is_text else cases.data(), draw.randint(-2, 30), fill]
    if name.endswith((".zfill", ".expandtabs")):
        return [cases.text() if name.startswith("str") else cases.data(), draw.randint(-2, 20)]
    if name == "bytes.zeros":
        return [draw.randint(-2, 50)]
    if name == "chr":
        return [draw.choice([draw.randrange(0x110000), -1, 0x110000, 65])]
    if name == "bytes.translate":
        table = draw.choice([None, bytes(range(255, -1, -1)), b"abc"])
        return [cases.data(), table, draw.choice([b"", b"ab", None])]
    if name == "bytes.hex":
        return [cases.data(), draw.choice([None, ":", "", "ab", "\u00e9"]), draw.randint(-4, 5)]
    if name == "bytes.fromhex":
        return ["".join(draw.choice("0123456789abcdefABF  \t\u00e9g" if draw.random() < 0.3 else
                                    "0123456789abcdef") for _ in range(draw.randrange(9)))]
    if name.endswith("_any"):
        whole = cases.text()
        items = [cases.part(whole) for _ in range(draw.randrange(4))]
        return [whole, tuple(items) + ((3,) if draw.random() < 0.1 else ()), cases.place(),
                cases.place()]
    if name == "str.translate":
        whole = cases.text()
        odd = [None, "x", "\u00e9e", 65, 0x1F600, -1, 2**70, 1.5, True]
        return [whole, {ord(c): draw.choice(odd) if draw.random() < 0.3 else "z"
                        for c in whole[:4]}]
    if name == "str.maketrans":
        return [{draw.choice(["a", "b", "\u00e9", 5, "ab"] if draw.random() < 0.2 else "abc"):
                 draw.choice([None, "x", 7]) for _ in range(draw.randrange(4))}]
    if name == "str.maketrans_of":
        text = cases.text(4)
        return [text, cases.text(4) if draw.random() < 0.2 else text[::-1],
                draw.choice([None, cases.text(3)])]
    if name == "str.join":
        return [cases.text(3), [cases.text(4) for _ in range(draw.randrange(5))]]
    return None


def narrow(form: str, value: Any) -> Any:
    """A number that is a field's width would fill the memory if it is large."""
    nested = "}}" in form and isinstance(value, (int, float))
    return value % 50 if nested and abs(value) > 10000 else value


def special_format(cases: Cases, name: str) -> list[Any] | None:
    draw = cases.random
    if name.startswith("format"):
        kind = name[7:]
        value = {"str": cases.text, "float": cases.real}.get(kind, cases.value)()
        return [complex(cases.real(), cases.real()) if kind == "complex" else value, cases.spec()]
    if name == "str.mod" or name == "bytes.mod":
        count = draw.randrange(4)
        values = [cases.value(1) for _ in range(count + draw.choice([0] * 8 + [1, -1, 2]))]
        form: Any = cases.percent(count)
        stars = "*" in form
        if stars:                               # widths that would fill the memory
            values = [v % 50 - 9 if isinstance(v, int) else v for v in values]
        if name == "bytes.mod":
            form = form.replace("\u00e9", "e").encode()
        if draw.random() < 0.2:
            return [form, draw.choice([cases.value(), {"a": 1, "key": "x"}])
                    if not stars else 5]
        return [form, tuple(values)]
    if name == "str.format":
        form = cases.template()
        return [form, tuple(narrow(form, cases.argument()) for _ in range(draw.randrange(4))),
                {key: narrow(form, cases.argument()) for key in ("a", "b")[:draw.randrange(3)]}]
    if name == "str.format_map":
        form = cases.template()
        return [form, {key: narrow(form, cases.argument())
                       for key in ("a", "b")[:draw.randrange(3)]}]
    return None


def arguments(cases: Cases, name: str, shape: str) -> list[Any]:
    found = special(cases, name) or special_format(cases, name)
    if found is not None:
        return found
    args: list[Any] = []
    for letter in shape:
        if letter in "sy" and args and isinstance(args[0], (str, bytes)):
            args.append(cases.part(args[0]))
            if name.endswith("strip") and cases.random.random() < 0.4:
                args[-1] = None
            if "split" in name and cases.random.random() < 0.4:
                args[-1] = None
        elif letter in "sy":
            args.append(cases.text() if letter == "s" else cases.data())
        elif letter == "n":
            args.append(cases.place() if "byte" not in name.partition(".")[2] or len(args) != 1
                        else cases.random.choice([97, 0, 255, 256, -1]))
        elif letter == "b":
            args.append(cases.random.random() < 0.5)
        elif letter == "f":
            args.append(cases.real())
        elif letter == "c":
            args.append(complex(cases.real(), cases.real()))
    return args


def append(a: str, b: str, c: str) -> str:
    return (a + b + c) * 2 + (a + b)[1:]


ORACLE: dict[str, Callable[..., Any]] = {
    "at": lambda s, i: s[i], "slice": lambda s, a, b, c: s[a:b:c], "len": len,
    "add": lambda a, b: a + b, "repeat": lambda s, n: s * n, "in": lambda s, part: part in s,
    "in_byte": lambda s, byte: byte in s, "zeros": bytes, "ord": ord, "chr": chr,
    "escape": lambda s: s.encode("ascii", "backslashreplace").decode(), "maketrans": str.maketrans,
     "append": append, "fromhex": bytes.fromhex,
    "maketrans_of": lambda a, b, c: str.maketrans(a, b) if c is None else str.maketrans(a, b, c),
    "format": lambda s, args, names: s.format(*args, **names), "mod": lambda s, v: s % v,
}  # fmt: skip


def expected(name: str, args: list[Any]) -> Any:
    if name.startswith(("format", "repr")):
        return (format if name[0] == "f" else repr)(*args)
    method = name.rpartition(".")[2]
    if method in ORACLE:
        return ORACLE[method](*args)
    method = method.removesuffix("_any").removesuffix("_byte")
    while args[-1] is None:
        args = args[:-1]
    if method == "hex" and args[1:] and args[1] is None:
        args = args[:1]
    if method == "translate" and len(args) == 1:
        args = [*args, None]
    return getattr(args[0], method)(*args[1:])


def write(value: Any) -> str:
    if value is None:
        return "n"
    if isinstance(value, bool):
        return f"b{value:d}"
    if isinstance(value, str):
        return "s" + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, bytes):
        return "y" + value.hex()
    if isinstance(value, int):
        return f"i{value:x}"
    if isinstance(value, float):
        return "f" + struct.pack(">d", value).hex()
    if isinstance(value, complex):
        return f"c{write(value.real)[1:]},{write(value.imag)[1:]}"
    if isinstance(value, dict):
        return "{ " + "".join(f"{write(k)} {write(v)} " for k, v in value.items()) + "}"
    brackets = "()" if isinstance(value, tuple) else "[]"
    return f"{brackets[0]} " + "".join(write(item) + " " for item in value) + brackets[1]


def shown(value: Any) -> str:
    """A result as the program writes it."""
    if isinstance(value, bool):
        return f"b{value:d}"
    if isinstance(value, int):
        return f"i{value & 2**64 - 1:x}"
    if isinstance(value, (str, bytes)):
        return write(value)
    if isinstance(value, dict):
        return "{" + "".join(f" {shown(k)} {shown_item(v)}" for k, v in value.items()) + " }"
    brackets = "()" if isinstance(value, tuple) else "[]"
    between = "  " if isinstance(value, tuple) else " "
    return brackets[0] + " " + between.join(map(shown, value)) + " " * bool(value) + brackets[1]


def shown_item(value: Any) -> str:
    return shown(value) if isinstance(value, (str, int)) and not isinstance(value, bool) \
        else "?" + repr(value).encode().hex()


def oracle(name: str, args: list[Any]) -> str:
    try:
        return shown(expected(name, args))
    except Exception as error:  # noqa: BLE001
        return f"!{type(error).__name__}  {str(error).encode('utf-8', 'surrogatepass').hex()}"


def readable(line: str) -> str:
    def text(match: re.Match[str]) -> str:
        return repr(bytes.fromhex(match[0]).decode("utf-8", "surrogatepass"))
    return re.sub(r"(?<=  )(?:[0-9a-f]{2})+$|(?<=\bs)(?:[0-9a-f]{2})+\b", text, line)


def compare(program: str, calls: list[tuple[str, list[Any]]]) -> int:
    lines = "".join(" ".join([name, *map(write, args)]) + "\n" for name, args in calls)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=False)
    answers = done.stdout.splitlines()
    bad = 0
    for (name, args), answer in zip(calls, answers):
        wanted = oracle(name, args)
        if answer.replace("[ ]", "[  ]") != wanted.replace("[ ]", "[  ]"):
            bad += 1
            if bad <= 20:
                print(f"{name}{tuple(args)!a}\n  Python {readable(wanted)}\n"
                      f"  C      {readable(answer)}")
    if len(answers) != len(calls) or done.returncode != 0:
        at = calls[len(answers)] if len(answers) < len(calls) else ""
        print(f"the program ended with {done.returncode} at {at!a}\n{done.stderr[:3000]}")
        bad += 1
    return bad


def of_characters(table: list[tuple[str, str]], codes: range) -> list[tuple[str, list[Any]]]:
    """What tables of characters decide, of some code points."""
    whole = ("lower", "upper", "casefold", "swapcase", "title", "capitalize", "splitlines")
    names = [name for name, shape in table
             if re.match(r"str\.is|repr.str", name) and not name.endswith("ascii")]
    calls: list[tuple[str, list[Any]]] = []
    for code in codes:
        text = chr(code)
        calls += [(name, [text]) for name in names]
        calls += [(f"str.{name}", [f"A{text}a" + ("\u03a3" if name == "lower" else "")] +
                   [False] * (name == "splitlines")) for name in whole]
        calls += [("str.lower", ["1" + text + "\u03a3"]), ("str.title", [text + "a"]),
                  ("str.isidentifier", ["a" + text])]
    return calls


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=30000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--characters", action="store_true")
    options = parser.parse_args()
    seed = options.seed if options.seed != "fresh" else str(random.SystemRandom().randrange(10**9))
    table = [(name, shape) for name, _, shape in CALL.findall(TABLE.read_text())
             if options.only in name]
    cases, bad, done = Cases(seed), 0, 0
    total, step = (0x110000, 4096) if options.characters else (options.count, 50000)
    for start in range(0, total, step):
        part = range(start, min(start + step, total))
        calls = of_characters(table, part) if options.characters else \
            [(name, arguments(cases, name, shape)) for name, shape in
             (table[i % len(table)] for i in part)]
        bad += compare(options.program, calls)
        done += len(calls)
    print(f"text: {done} calls of {len(table)} functions, seed {seed}: "
          + ("equal" if bad == 0 else f"{bad} differ"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
