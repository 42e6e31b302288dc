"""Tables of local code: expressions of each type, and statements, with holes.

`<i>`       an expression of a type; the letters are those of ANNOTATIONS
`<.i>`      one that does not see the variables that the template binds: of the first `for`
`<$i>`      a variable, or something as simple: what an f-string can hold
`<=i>`      a variable that may be assigned to or changed; without one, the template is not used
`<X:i>`     a fresh variable of the type (`_`: of none that others may use),
`<X>` is it again: X and
            Y are seen by the other holes of the line, others by the lines that follow
`<n>`       a small number; `<w>` a literal text
`<block>`   statements, indented; `<R>` an expression of the type that the function returns

Numbers, texts and lists of a loop do not grow without end: what is assigned is cut.
"""

ANNOTATIONS = {
    "i": "int", "f": "float", "s": "str", "b": "bool", "li": "list[int]", "ls": "list[str]",
    "lp": "list[tuple[int, str]]", "ds": "dict[str, int]", "di": "dict[int, list[int]]",
    "si": "set[int]", "t": "tuple[int, str]", "oi": "Optional[int]", "os": "Optional[str]",
    "y": "bytes", "h": "Shape", "p": "Part", "g": "Gauge", "c": "Colour",
}

LITERALS = {
    "i": ["0", "1", "2", "3", "-1", "7", "12", "-40", "255", "9223372036854775807",
          "-9223372036854775808", "10**19", "4294967296"],
    "f": ["0.0", "1.5", "-2.25", "1e10", "0.1", "-0.0", "123.456", "1e-7"],
    "s": ['""', '"s"', '"tu"', '"v w"', '"é"', '"12"', '"-7"', '"a,b,c"', '"  x "', '"Straße"'],
    "b": ["(0 < 1)", "(1 < 0)"],       # `True` would make code that is never reached
    "li": ["[1, 2, 3]", "[3, 1, 2]", "[5]", "[0, -1, 0, 4]"],
    "ls": ['["s", "tu"]', '["b", "a", "C"]', '["12", "x"]'],
    "lp": ['[(2, "b"), (1, "a"), (2, "a")]', '[(0, "")]'],
    "ds": ['{"s": 1, "tu": 2}', '{"a": 0}'],
    "di": ["{1: [1], 2: []}", "{0: [3, 4]}"],
    "si": ["{1, 2, 3}", "{0}", "{3, 12}"],
    "t": ['(1, "k")', '(-5, "")'],
    "oi": ["None", "4"],
    "os": ["None", '"k"'],
    "y": ['b""', 'b"ab"', 'b"\\x00\\xff"'],
    "h": ["Shape(2)", 'Square(3, "q")', "Square(1, extra=5)"],
    "p": ["Part(1)", 'Part(2, "u", [1])'],
    "g": ["Gauge(1.5, 2)", "Gauge(0.0)"],
    "c": ["Colour.RED", "Colour.BLUE"],
}

EXPRESSIONS = {
    "i": ["(<i> + <i>)", "(<i> - <i>)", "(<i> * <i>)", "(<i> // <i>)", "(<i> % <i>)", "-<i>",
          "((<i> % 1000) ** <n>)", "(<i> << <n>)", "(<i> >> <n>)", "(<i> & <i>)", "(<i> | <i>)",
          "(<i> ^ <i>)", "~<i>", "abs(<i>)", "divmod(<i>, <i>)[<o>]", "pow(<i>, <n>, 97)",
          "len(<s>)", "len(<li>)", "len(<ds>)", "len(<si>)", "len(<y>)", "sum(<li>)", "max(<li>)",
          "min(<li>)", "min(<i>, <i>)", "max(<i>, <i>, <i>)", "int(<s>)", "int(<f>)", "int(<b>)",
          "int(<s>, 16)", "round(<f>)", "ord(<s>[<n>])", "<s>.count(<s>)", "<s>.find(<s>)",
          "<s>.rfind(<w>)", "<s>.index(<w>)", "<li>[<n>]", "<li>[-<n>]", "<li>.index(<i>)",
          "<li>.count(<i>)", "<ds>[<s>]", "<ds>.get(<s>, <i>)", "<t>[0]", "<y>[<n>]",
          "sum(<i> for <X:i> in <.li>)", "sum(<X> * <Y> for <X:i>, <Y:i> in zip(<.li>, <.li>))",
          "max(<.li>, key=lambda <X:i>: <i>)", "min((<X> for <X:i> in <.li> if <b>), default=<.i>)",
          "(lambda <X:i>, <Y:i>=<.i>: <i>)(<.i>)", "(<i> or <i>)", "(<i> and <i>)",
          "next((<X> for <X:i> in <.li> if <b>), <.i>)", "(<i>).bit_length()", "hash(<i> % 1000)",
          "(<$oi> or <i>)", "len(list(counted(<n>, <i> % 100)))", "sum(counted(<n>, <i> % 50))",
          "scaled(<i>)", "scaled(<i>, by=<i>)", "scaled(<i>, <i>, plus=<i>)",
          "total(<i>, <i>, <i>)",
          "total(*<li>)", "twice(lambda <X:i>: <i>, <.i>)", "<h>.area(<i>)", "<h>.size", "<h>.a",
          "len(<h>)", "<p>.x", "<p>.total()", "<g>.n", "(<h>)(<i>)", "<c>.value",
          "len(<di>)", "<li>.pop()", "first(<li>, <i>)",
          "reduce(lambda <X:i>, <Y:i>: <i>, <.li>, <.i>)"],
    "f": ["(<f> + <f>)", "(<f> - <f>)", "(<f> * <f>)", "(<f> / <f>)", "(<f> // <f>)", "(<f> % <f>)",
          "(<i> / <i>)", "float(<i>)", "float(<s>)", "-<f>", "abs(<f>)", "(<f> * <i>)",
          "(<i> - <f>)",
          "round(<f>, <n>)", "max(<f>, <f>)", "<g>.weight", "<g>.scaled(<f>)",
          "math.sqrt(abs(<f>))",
          "math.floor(<f>) / 2", "sum([<f>, <f>], 0.5)", "first([<f>, <f>], <f>)"],
    "s": ["(<s> + <s>)", "(<s> * <n>)", "<s>[<n>]", "<s>[<n>:]", "<s>[:-<n>]", "<s>[::-1]",
          "<s>[::2]", "str(<i>)", "str(<f>)", "str(<b>)", "repr(<s>)", "str(<li>)", "str(<ds>)",
          "str(<t>)", "str(<oi>)", "repr(<p>)", "str(<h>)", "repr(<h>)", "str(<g>)", "repr(<y>)",
          "str(sorted(<si>))", "<s>.upper()", "<s>.lower()", "<s>.title()", "<s>.capitalize()",
          "<s>.swapcase()", "<s>.strip()", "<s>.lstrip()", "<s>.rstrip(<w>)",
          "<s>.replace(<w>, <s>)",
          "<s>.center(<n>, '*')", "<s>.ljust(9)", "<s>.rjust(<n>, '.')", "<s>.zfill(<n>)",
          "<s>.partition(<w>)[<o>]", "<s>.rpartition(<w>)[2]", "<w>.join(<ls>)",
          "','.join(str(<X>) for <X:i> in <.li>)", "<s>.removeprefix(<w>)", "<s>.removesuffix(<w>)",
          "<s>.expandtabs()", "<s>.casefold()", "max(<s>, <s>)", "min(<ls>)", "<ls>[<n>]", "<t>[1]",
          "hex(<i>)", "bin(<i>)", "oct(<i>)", "chr(<i> % 1000 + 32)", "format(<i>, ',')",
          "format(<i>, '+x')", "format(<f>, '.3f')", "format(<s>, '>6')", "ascii(<s>)",
          "('%d and %s' % (<i>, <s>))", "('%5.2f|%-4d|%05d' % (<f>, <i>, <i>))",
          "('%x %r' % (<i> % 999, <s>))",
          "'{} {}'.format(<i>, <s>)", "'{1:>4} {0!r}'.format(<s>, <i>)", "'{a:.2e}'.format(a=<f>)",
          "f'<{<$i>}>'", "f'{<$i>:>6}|{<$s>:<4}|'", "f'{<$f>:.2f} {<$f>:g}'",
          "f'{<$i>:,} {<$i>:x}'",
          "f'{<$i>:08b}' ", "f'{<$s>!r:^9}'", "f'{<$b>} {<$oi>}'", "f'{<$f>:10.3e}|{<$f>:%}'",
          "f'{<$i>:{<n>}}'", "f'{<$li>} {<$ds>}'", "f'{<$i>=} {<$s>=}'", "f'{<$h>} {<$p>!r}'",
          "f'{<$c>} {<$t>}'", "f'{<$i>:+d} {<$i>: d} {<$i>:#x}'", "f'{<$i>:*^7}'",
          "(<$os> or <s>)", "<h>.name()", "<p>.tag", "<c>.name", "first(<ls>, <s>)",
          "(<y>).hex()", "', '.join(f'{<X>}:{<Y>}' for <X:s>, <Y:i> in sorted(<.ds>.items()))",
          "' '.join(reversed(<ls>))", "<s>.translate({97: 'z'})", "labelled(<s>)",
          "labelled(<s>, mark=<s>)", "labelled(mark=<w>, text=<s>)"],
    "b": ["(<i> < <i>)", "(<i> == <i>)", "(<i> != <i>)", "(<i> >= <i>)", "(<s> < <s>)",
          "(<s> == <s>)",
          "(<s> in <s>)", "(<i> in <li>)", "(<i> not in <si>)", "(<s> in <ds>)", "(<s> in <ls>)",
          "(<f> < <f>)", "(<f> == <i>)", "(<f> <= <i>)", "(not <b>)", "(<b> and <b>)",
          "(<b> or <b>)",
          "(<n> < <i> <= <i>)", "(<t> < <t>)", "(<li> < <li>)", "(<li> == <li>)", "(<si> <= <si>)",
          "(<si> == <si>)", "<si>.isdisjoint(<si>)", "(<ds> == <ds>)", "(<p> == <p>)",
          "(<p> < <p>)",
          "(<h> == <h>)", "(<h> < <h>)", "bool(<s>)", "bool(<li>)", "bool(<i>)", "bool(<h>)",
          "<s>.startswith(<w>)", "<s>.endswith(<s>)", "<s>.isdigit()", "<s>.isalpha()",
          "<s>.isspace()", "<s>.isupper()", "any(<b> for <X:i> in <.li>)",
          "all(<b> for <X:s> in <.ls>)",
          "(<$oi> is None)", "(<$os> is not None)", "isinstance(<h>, Square)", "(<c> is <c>)",
          "(<c> == <c>)", "(<y> == <y>)", "(<oi> == <oi>)", "(<f> != <f>)", "(<lp> <= <lp>)",
          "(<i> in <h>)"],
    "li": ["[<i>, <i>]", "[<i> for <X:i> in <.li>]", "[<i> for <X:i> in <.li> if <b>]",
           "[<i> for <X:i> in range(<n>) for <Y:i> in range(<n>)]", "(<li> + <li>)",
           "(<li> * <n>)[:9]",
           "<li>[<n>:]", "<li>[:-<n>]", "<li>[::-1]", "<li>[<n>:<n>:2]", "<li>[-<n>::-2]",
           "sorted(<li>)", "sorted(<li>, reverse=True)", "sorted(<.li>, key=lambda <X:i>: <i>)",
           "sorted(<si>)", "list(range(<n>))", "list(range(<i> % 9, <n>, -1))",
           "list(reversed(<li>))",
           "list(map(lambda <X:i>: <i>, <.li>))", "list(filter(lambda <X:i>: <b>, <.li>))",
           "[*<li>, <i>, *<li>]", "[ord(<X>) for <X:s> in <.s>]", "<li>.copy()",
           "list(<ds>.values())",
           "[<X> for <X:i>, <Y:s> in <.lp>]", "list(counted(<n>, <i> % 100))", "list(<y>)",
           "list(filtered(<.li>, lambda <X:i>: <b>))", "<p>.more", "[len(<X>) for <X:s> in <.ls>]",
           "[<X> + <Y> for <X:i>, <Y:i> in enumerate(<.li>)]", "list(<h>)", "sorted(set(<li>))",
           "<di>.get(<i>, <li>)", "[<Y> for <X:li> in <.di>.values() for <Y:i> in <X>]",
           "[<i> if <b> else <i> for <X:i> in <.li>]", "list(dict.fromkeys(<li>))"],
    "ls": ["[<s>, <s>]", "<s>.split()", "<s>.split(<w>)", "<s>.split(',', 1)",
           "<s>.rsplit(',', <n>)",
           "list(<s>)", "[<s> for <X:i> in <.li>]", "[<s> for <X:s> in <.ls> if <b>]",
           "sorted(<ls>)",
           "sorted(<.ls>, key=lambda <X:s>: (<i>, <s>))", "list(<ds>)",
           "sorted(<ds>.keys())", "(<ls> + <ls>)", "<ls>[::-1]", "<s>.splitlines()",
           "[<X>.upper() for <X:s> in <.s>]", "list(map(str, <li>))",
           "[<X>.tag for <X:p> in [<.p>, <.p>]]",
           "[<X>.name() for <X:h> in (<.h>, <.h>)]"],
    "lp": ["[(<i>, <s>)]", "list(enumerate(<ls>))", "list(zip(<li>, <ls>))", "sorted(<lp>)",
           "sorted(<.lp>, key=lambda <X:t>: <X>[1])",
           "sorted(<.lp>, key=lambda <X:t>: (<X>[1], -<X>[0]))",
           "[<t> for <X:i> in <.li>]", "(<lp> + <lp>)",
           "[(<Y>, <X>) for <X:s>, <Y:i> in <.ds>.items()]",
           "<lp>[:<n>]"],
    "ds": ["{<s>: <i>}", "{<s>: <i>, <s>: <i>}", "{<s>: <i> for <X:i> in <.li>}",
           "{<X>: <i> for <X:s> in <.ls>}", "{**<ds>, <s>: <i>}", "dict(zip(<ls>, <li>))",
           "(<ds> | <ds>)",
           "{<X>: <Y> for <X:s>, <Y:i> in <.ds>.items() if <b>}", "<ds>.copy()",
           "dict(sorted(<ds>.items()))", "dict.fromkeys(<ls>, <i>)"],
    "di": ["{<i>: <li>}", "{<X>: <li> for <X:i> in <.li>}", "dict(<di>)", "grouped(<li>, <i>)"],
    "si": ["{<i>, <i>}", "set(<li>)", "(<si> | <si>)", "(<si> & <si>)", "(<si> - <si>)",
           "(<si> ^ <si>)",
           "{<i> for <X:i> in <.li>}", "<si>.union(<li>)", "<si>.copy()", "set(<di>)"],
    "t": ["(<i>, <s>)", "max(<lp>)", "<lp>[<n>]", "min(<.lp>, key=lambda <X:t>: <i>)"],
    "oi": ["(<i> if <b> else None)", "<ds>.get(<s>)", "maybe(<i>)", "<i>", "found(<li>, <i>)"],
    "os": ["(<s> if <b> else None)", "<s>", "{1: <s>}.get(<i>)"],
    "y": ["<s>.encode()", "(<y> + <y>)", "<y>[<n>:]", "bytes([<n>, 65])", "bytes(<n>)",
          "(<y> * <n>)"],
    "h": ["Shape(<i>)", "Shape(<i>, <s>)", "Square(<i>)", "Square(<i>, <s>, extra=<i>)",
          "(<h> + <h>)", "max(<h>, <h>)", "Shape.made(<s>)", "sorted([<h>, <h>])[0]"],
    "p": ["Part(<i>)", "Part(<i>, <s>)", "Part(<i>, more=<li>)", "Part(tag=<s>, x=<i>)",
          "max(<p>, <p>)", "copy.copy(<p>)"],
    "g": ["Gauge(<f>)", "Gauge(<f>, <i>)", "max([<.g>, <.g>], key=lambda <X:g>: <f>)"],
    "c": ["colour_of(<i>)", "Colour(<n>)"],
}

SIMPLE = [
    "<V:i>, <W:s> = <t>", "<V:i>, <W:i> = <i>, <i>", "<V:i>, *<W:li> = <li>",
    "*<V:li>, <W:i> = <li>",
    "(<V:i>, <W:s>), <U:b> = <t>, <b>", "<V:i> = <W:i> = <i>", "<V:li> = <W:li> = <li>",
    "<V:i>, <W:i> = <li>", "[<V:s>, <W:s>] = <ls>",
    "<=i> = (<i>) % 10**20", "<=i> += <i> % 1000", "<=i> -= <i> % 97", "<=i> //= <i>",
    "<=i> ^= <i> % 256",
    "<=i> %= <i>", "<=i> >>= <n>", "<=f> = <f>", "<=f> += <f>", "<=f> /= <f>", "<=f> *= 1.5",
    "<=s> = (<s>)[:12]", "<=s> += (<s>)[:3]", "<=b> = <b>", "<=oi> = <oi>", "<=os> = <os>",
    "<=t> = <t>",
    "<=li> = (<li>)[:6]", "<=li>.append(<i>)", "<=li>.extend(<li>[:3])", "<=li>.insert(<n>, <i>)",
    "<=li>.insert(-<n>, <i>)", "<=li>.pop()", "<=li>.pop(<n>)", "<=li>.remove(<i>)", "<=li>.sort()",
    "<=li>.sort(key=lambda <X:i>: <i>, reverse=<.b>)", "<=li>.reverse()", "<=li>[<n>] = <i>",
    "<=li>[-<n>] += <i> % 7", "<=li>[<n>:<n>] = <li>[:2]", "<=li>[::2] = <li>[:2]",
    "del <=li>[<n>]",
    "del <=li>[::2]", "<=li> += <li>[:2]", "<=li>.clear()", "<=ls>.append(<s>)",
    "<=ls>[<n>] = <s>", "<=ls> += [<s>]", "<=lp>.append(<t>)", "<=lp>.sort()",
    "<=lp>.sort(key=lambda <X:t>: <X>[1])",
    "<=ds>[<s>] = <i>", "<=ds>[<s>] += <i> % 9", "<=ds>.pop(<s>)", "<V:i> = <=ds>.pop(<s>, <i>)",
    "<=ds>.update(<ds>)", "<V:i> = <=ds>.setdefault(<s>, <i>)", "del <=ds>[<s>]", "<=ds> |= <ds>",
    "<V:s>, <W:i> = <=ds>.popitem()", "<=di>.setdefault(<i>, []).append(<i>)",
    "<=di>[<i>] = <li>",
    "<=si>.add(<i>)", "<=si>.discard(<i>)", "<=si>.remove(<i>)", "<=si> |= <si>", "<=si> &= <si>",
    "<=si>.update(<li>)", "<=si> -= <si>", "<=h>.a = <i>", "<=h>.a += <i> % 100", "<=h>.size = <i>",
    "<=p>.x -= <i> % 50", "<=p>.more.append(<i>)", "<=p>.tag += <s>[:2]", "<=h>.grow(<i>)",
    "<=p> = <p>", "<=h> = <h>", "<=g> = <g>",
    "assert <b>, <s>", "assert <b>", "print(<w>, <i>, <s>)", "print(<i>, <f>, sep='-')",
    "print(<li>, <b>, <ds>)",
    "print(*<li>)", "print(<h>, <p>, <oi>)", "print(f'{<$i>:>4} {<$s>!r} {<$f>:.1f}')",
    "if (<V:i> := <i>) > <n>:\n    print(<w>, <V>)",
    "print([<X> for <Y:i> in <.li> if (<X:_> := <Y> + <i>) > 2])",
]

NESTED = [
    "if <b>:\n    <block>", "if <b>:\n    <block>\nelse:\n    <block>",
    "if <b>:\n    <block>\nelif <b>:\n    <block>\nelse:\n    <block>",
    "<V:oi>: Optional[int] = <oi>\nif <V> is not None:\n    print(<V> + <i>)\n    <block>",
    "<V:oi>: Optional[int] = <oi>\nif <V> is None:\n    <V> = <i>\nprint(<w>, <V> - 1)",
    "<V:os>: Optional[str] = <os>\nprint(len(<V>) if <V> is not None else <i>)",
    "<V:os>: Optional[str] = <os>\nif <V> and <V>.startswith(<s>):\n    <block>",
    "<V:h>: Shape = <h>\nif isinstance(<V>, Square):\n    print(<w>, <V>.extra)\n    <block>\n"
    "else:\n    <block>",
    "for <V:i> in <li>[:5]:\n    <loop>",
    "for <V:i> in range(<n>):\n    <loop>\nelse:\n    <block>",
    "for <V:i> in range(<n>, -2, -<n1>):\n    <loop>", "for <V:s> in <s>[:4]:\n    <loop>",
    "for <V:i>, <W:i> in enumerate(<li>[:4]):\n    <loop>",
    "for <V:i>, <W:s> in enumerate(<ls>[:4], <n>):\n    <loop>",
    "for <V:i>, <W:s> in zip(<li>[:4], <ls>):\n    <loop>",
    "for <V:s>, <W:i> in list(<ds>.items())[:4]:\n    <loop>",
    "for <V:i>, (<W:i>, <U:s>) in enumerate(<lp>[:3]):\n    <loop>",
    "for <V:i> in sorted(<si>)[:4]:\n    <loop>",
    "for <V:s> in list(<ds>)[:3]:\n    <loop>", "for <V:i> in counted(<n>, <i> % 10):\n    <loop>",
    "for <V:i> in reversed(<li>[:4]):\n    <loop>",
    "for <V:h> in (Shape(<n>), <h>):\n    <loop>",
    "for <V:i> in filtered(<.li>[:5], lambda <X:i>: <b>):\n    <loop>",
    "<W:_> = <n>\nwhile <W> > 0:\n    <W> -= 1\n    <loop>",
    "<W:_> = 0\nwhile <b>:\n    <W> += 1\n    if <W> > 3:\n        break\n    <loop>\nelse:\n"
    "    <block>",
    "try:\n    <block>\nexcept ValueError as <E:_>:\n    print(<w>, <E>)\n    <block>",
    "try:\n    <block>\nexcept (LookupError, ArithmeticError) as <E:_>:\n"
    "    print(type(<E>).__name__, <E>)\nelse:\n    <block>\nfinally:\n    <block>",
    "try:\n    <block>\nfinally:\n    print(<w>, <i>)",
    "try:\n    <block>\n    raise Fault(<i>, <s>)\nexcept Fault as <E:_>:\n"
    "    print(<E>.code, <E>)\n    <block>",
    "try:\n    <V:i> = <i>\nexcept ZeroDivisionError:\n    <V> = <n>\n"
    "except Exception as <E:_>:\n    print(repr(<E>))\n    raise",
    "try:\n    <block>\nexcept KeyError as <E:_>:\n    raise ValueError(<s>) from <E>",
    "try:\n    <V:i> = int(<s>)\nexcept ValueError:\n    <V> = -1",
    "if <b>:\n    raise ValueError(<s>)", "if <b>:\n    raise KeyError(<s>)",
    "if <b>:\n    raise Fault(<i>, <s>)",
    "with Log(<s>) as <V:_>:\n    print(<V>.name)\n    <block>",
    "with Log(<s>), Log(<w>):\n    <block>",
    "match <i>:\n    case 0 | 1:\n        <block>\n    case <V:i> if <V> > <n>:\n"
    "        <block>\n    case _:\n        <block>",
    "match <t>:\n    case (0, <V:s>):\n        <block>\n    case (<W:i>, 's' | 'k'):\n"
    "        <block>\n    case (<U:i>, <T:s>) if <b>:\n        <block>",
    "match <li>:\n    case []:\n        <block>\n    case [<V:i>]:\n        <block>\n"
    "    case [<W:i>, <U:i>]:\n        <block>\n    case [<T:i>, *<S:li>]:\n        <block>",
    "match <s>:\n    case '' | 's':\n        <block>\n    case <V:s>:\n        print(<w>, <V>)",
    "match maybe(<i>):\n    case None:\n        <block>\n    case <V:i>:\n        <block>",
    "match <h>:\n    case Square(extra=<V:i>) if <b>:\n        <block>\n"
    "    case Shape(a=<W:i>, s=<U:s>):\n        <block>",
    "match <p>:\n    case Part(<V:i>, 'k'):\n        <block>\n"
    "    case Part(x=<W:i>, tag=<U:s>, more=[]):\n        <block>\n"
    "    case Part(more=[<T:i>, *_]):\n        <block>",
    "match <ds>:\n    case {'s': <V:i>}:\n        <block>\n    case {'a': 0, **<W:ds>}:\n"
    "        <block>",
    "match <c>:\n    case Colour.RED:\n        <block>\n"
    "    case Colour.GREEN | Colour.BLUE as <V:c>:\n        <block>",
    "def <F:_>(<V:i>: int, <W:i>: int = <.i>) -> int:\n    <block>\n"
    "    return <V> + <W> + <i>\n\n"
    "print(<F>(<i>), <F>(<i>, <W>=<i>))",
    "<V:i> = <i>\n\ndef <F:_>(<W:i>: int) -> int:\n    nonlocal <V>\n    <V> = (<V> + <W>) % 1009\n"
    "    return <V> * 2\n\nprint(<F>(<i>), <F>(<n>), <V>)",
    "<V:s> = <s>\n<F:_> = lambda: <V> + '!'\n<V> = <s>\nprint(<F>())",
    "<F:_>: list[Callable[[int], int]] = [lambda <X:i>, <Y:i>=<Y>: <X> + <Y> for <Y:i> in "
    "<.li>[:3]]\n"
    "print([<X>(<n>) for <X:_> in <F>])",
    "<V:_> = iter(<li>)\nfor <W:i> in <V>:\n    print(<W>, next(<V>, -1))",
]

JUMPS = ["if <b>:\n    break", "if <b>:\n    continue", "if <b>:\n    <block>\n    continue"]
EARLY = "if <b>:\n    return <R>"

# What the tables use of the library: a template is used when all of it is known.
PARTS = frozenset(["counted", "filtered", "scaled", "total", "twice", "found", "first", "grouped",
                   "labelled", "Shape", "Square", "Part", "Gauge", "Fault", "h", "p", "g"])

# Definitions that tables use: the parts that are known after it, variables of the holes, the text.
LIBRARY = [
    ("Fault", "", """\
class Fault(Exception):
    def __init__(self, code: int, why: str) -> None:
        super().__init__(why, code)
        self.code = code"""),
    ("scaled", "x:i by:i plus:i", """\
def scaled(x: int, by: int = <n>, *, plus: int = 0) -> int:
    return <i>"""),
    ("total", "more:li x:i", """\
def total(x: int = 0, *more: int) -> int:
    return x + sum(more) + len(more)"""),
    ("twice", "", """\
def twice(f: Callable[[int], int], x: int) -> int:
    return f(f(x) % 10007)"""),
    ("labelled", "text:s mark:s", """\
def labelled(text: str, mark: str = <w>) -> str:
    return <s>[:20]"""),
    ("found", "xs:li x:i", """\
def found(xs: list[int], x: int) -> Optional[int]:
    for i, each in enumerate(xs):
        if each == x:
            return i
    return None"""),
    ("first", "", """\
def first(xs: list[Some], other: Some) -> Some:
    return xs[0] if xs else other"""),
    ("counted", "n:i step:i", """\
def counted(n: int, step: int) -> Iterator[int]:
    try:
        for i in range(n):
            yield i * step + <i>
    finally:
        print("counted", n)"""),
    ("filtered", "", """\
def filtered(xs: list[int], keep: Callable[[int], bool]) -> Iterator[int]:
    yield from [x for x in xs if keep(x)]
    yield len(xs)"""),
    ("grouped", "", """\
def grouped(xs: list[int], n: int) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for x in xs:
        groups.setdefault(x % n, []).append(x)
    return groups"""),
    ("Part p", "self.x:i self.tag:s self.more:li", """\
@dataclass(order=True)
class Part:
    x: int
    tag: str = <w>
    more: list[int] = field(default_factory=list)

    def total(self) -> int:
        return <i>"""),
    ("Gauge g", "self.weight:f self.n:i", """\
class Gauge:
    def __init__(self, weight: float, n: int = <n>) -> None:
        self.weight = weight
        self.n = n

    def scaled(self, by: float) -> float:
        return <f>

    def __str__(self) -> str:
        return <s>"""),
    ("Shape Square h", "self.a:i self.s:s self.LIMIT:i", """\
class Shape:
    LIMIT = <n>

    def __init__(self, a: int, s: str = <w>) -> None:
        self.a = a
        self.s = s

    @classmethod
    def made(cls, s: str) -> "Shape":
        return Shape(len(s), s)

    @property
    def size(self) -> int:
        return <i>

    @size.setter
    def size(self, a: int) -> None:
        self.a = a % 1009

    def area(self, x: int) -> int:
        return <i> + x

    def name(self) -> str:
        return <s>[:9]

    def grow(self, x: int) -> None:
        self.a += x % self.area(x) if self.area(x) else 1

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.a}, {self.s!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and (self.a, self.s) == (other.a, other.s)

    def __lt__(self, other: "Shape") -> bool:
        return self.area(<n>) < other.area(<n>)

    def __hash__(self) -> int:
        return self.a % 97

    def __len__(self) -> int:
        return abs(self.a) % 5

    def __add__(self, other: "Shape") -> "Shape":
        return Shape((self.a + other.a) % 10007, self.s[:5] + other.s[:5])

    def __call__(self, x: int) -> int:
        return <i> - x

    def __iter__(self) -> Iterator[int]:
        for i in range(len(self)):
            yield i + self.a

    def __contains__(self, x: int) -> bool:
        return <b>


class Square(Shape):
    def __init__(self, a: int, s: str = <w>, *, extra: int = <n>) -> None:
        super().__init__(a + extra, s)
        self.extra = extra

    def area(self, x: int) -> int:
        return super().area(x) - self.extra * <i>

    def name(self) -> str:
        return "<" + super().name()
"""),
]
