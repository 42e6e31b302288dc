"""Many generated C programs as one translation unit: each name of a file gets a suffix there.

Names of a file are what it declares at its outermost level; what stands behind a dot or an arrow,
or in a string, is left alone.
"""

import re

DECLARED = re.compile(
    r"^(?:typedef struct (\w+)|struct (\w+) \{|PYCHORAL_ROW (\w+)|enum \{([^}]*)\}"
    r"|static struct \{[^{}\n]*\} (\w+) ="
    r"|(?:static|PYCHORAL_(?:HELPER|HOT)) (?:_Thread_local )?(?:__attribute__\(\(\w+\)\) )?"
    r"[^=;({\n]*?(\w+)(?:\[[^\]]*\])*(?: =|;|\())",
    re.MULTILINE)
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|(?:\.|->)\s*\w+|[A-Za-z_]\w*')
DROP = "pychoral_drop_"         # PYCHORAL_OWNED(kind) is a call of it


def names_of(text: str) -> set[str]:
    names = set()
    for match in DECLARED.finditer(text):
        if match[4] is None:
            names.add(match[1] or match[2] or match[3] or match[5] or match[6])
        else:
            names.update(member.split()[0] for member in match[4].split(",") if member.strip())
    return names | {name[len(DROP):] for name in names if name.startswith(DROP)}


def part(text: str, symbol: str) -> str:
    """The program, which `symbol` is the address of."""
    names = names_of(text)

    def renamed(match: re.Match[str]) -> str:
        word = match[0]
        return f"{word}_{symbol}" if word in names else word

    return (f"#define PYCHORAL_PROGRAM {symbol}\n{TOKEN.sub(renamed, text)}\n"
            "#undef PYCHORAL_PROGRAM\n#undef PYCHORAL_FILE\n")
