#!/usr/bin/env python3
"""Writes the C rows of the types in types_of_tests.py: rows.py OUT.c

As the compiler will: a struct for each dataclass, tuple and union, and one table of rows whose
references are addresses in it.
"""

from __future__ import annotations

import dataclasses
import enum
import sys
import types as python_types
import typing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import types_of_tests as shared  # noqa: E402

DTYPES = {"ndarray": 0, "float64": 11}
SHARED = {
    type(None): "none", bool: "bool", int: "int", float: "float", complex: "complex",
    str: "str", bytes: "bytes",
}
STORED = {
    "NONE": "PychoralNone", "BOOL": "bool", "INT": "PychoralInt", "FLOAT": "double",
    "COMPLEX": "PychoralComplex", "STR": "PychoralStr *", "BYTES": "PychoralBytes *",
    "LIST": "PychoralList *", "SEQUENCE": "PychoralList *", "DICT": "PychoralTable *",
    "SET": "PychoralTable *", "FROZENSET": "PychoralTable *", "ENUM": "uint32_t",
    "NDARRAY": "PychoralArray *",
}


class Array:
    """Stands for numpy's array types, which need not be installed."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Array) and self.dtype == other.dtype

    def __call__(self) -> None:
        """typing takes only what can be called for a type."""


class NDArray:
    def __class_getitem__(cls, dtype: str) -> Array:
        return Array(dtype)


NAMES = {**vars(shared), "ndarray": Array("ndarray"), "NDArray": NDArray, "float64": "float64"}


class Rows:
    """The table that grows while types are taken up."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}
        self.rows: list[str] = []
        self.stored: list[str] = []
        self.structs: list[str] = []
        self.tables: list[str] = []

    def add(self, form: Any, name: str = "") -> int:
        """The place of a type's row."""
        key = (form, name)
        if form is None:
            form = type(None)
        if key in self.numbers:
            return self.numbers[key]
        number = self.numbers[key] = len(self.rows)
        self.rows.append("")
        self.stored.append(stored(form, number))
        self.rows[number] = self.row(form, number)
        return number

    def row(self, form: Any, number: int) -> str:
        if isinstance(form, Array):
            return self.made("NDARRAY", show(form), number=DTYPES[form.dtype])
        if form is object:
            return self.union(number, "object", every_type(), "PYCHORAL_ANY")
        if form in SHARED:
            return self.made(SHARED[form].upper(), SHARED[form].replace("none", "None"))
        if isinstance(form, type) and issubclass(form, enum.Enum):
            return self.enum(form, number)
        if dataclasses.is_dataclass(form):
            return self.dataclass(form, number)
        origin, arguments = typing.get_origin(form), typing.get_args(form)
        if origin in (typing.Union, python_types.UnionType):
            return self.union(number, show(form), arguments)
        if origin is typing.Literal:
            return self.literal(form, arguments, number)
        return self.collection(form, origin, arguments, number)

    def made(self, kind: str, name: str, **more: Any) -> str:
        size = more.pop("size", f"sizeof({STORED.get(kind, '')})")
        fields = "".join(f", .{field} = {value}" for field, value in more.items())
        return f"{{.kind = PYCHORAL_{kind}, .size = {size}, .name = {quoted(name)}{fields}}}"

    def collection(self, form: Any, origin: Any, arguments: Any, number: int) -> str:
        if origin is tuple and (len(arguments) != 2 or arguments[1] is not Ellipsis):
            return self.tuple([] if arguments == ((),) else list(arguments), show(form), number)
        kind = {list: "LIST", set: "SET", frozenset: "FROZENSET", tuple: "SEQUENCE",
                dict: "DICT"}[origin]
        more = {"element": self.at(arguments[1] if origin is dict else arguments[0])}
        if origin is dict:
            more["key"] = self.at(arguments[0])
        return self.made(kind, show(form), **more)

    def at(self, form: Any) -> str:
        return f"&value_rows[{self.add(form)}]"

    def members(self, number: int, head: list[str], fields: list[tuple[str, Any, str]]) -> str:
        """A struct with these fields, and the table of their places."""
        lines, places = [], []
        for name, form, more in fields:
            row = self.add(form)
            lines.append(f"    {self.stored[row]} {name};")
            places.append(f"    {{.type = &value_rows[{row}], "
                          f".offset = offsetof(Struct{number}, {name}){more}}},")
        body = "\n".join([*head, *lines]) or "    char nothing;"
        self.structs.append(f"struct Struct{number} {{\n{body}\n}};\n")
        self.tables.append(f"static const PychoralField fields{number}[] = {{\n"
                           + ("\n".join(places) or "    {0}") + "\n};\n")
        return f"fields{number}"

    def tuple(self, forms: list[Any], name: str, number: int) -> str:
        fields = self.members(number, [], [(f"f{i}", form, "") for i, form in enumerate(forms)])
        return self.made("TUPLE", name, size=f"sizeof(Struct{number})", fields=fields,
                         count=len(forms))

    def union(self, number: int, name: str, forms: Any, flags: str = "0") -> str:
        """Payloads one behind the other would be right too; here they share their place."""
        rows = [self.add(form) for form in forms]
        lines = [f"        {self.stored[row]} m{i};" for i, row in enumerate(rows)]
        self.structs.append(f"struct Struct{number} {{\n    uint32_t tag;\n    union {{\n"
                            + "\n".join(lines) + "\n    };\n};\n")
        places = [f"    {{.type = &value_rows[{row}], .offset = offsetof(Struct{number}, m{i})}},"
                  for i, row in enumerate(rows)]
        self.tables.append(f"static const PychoralField fields{number}[] = {{\n"
                           + "\n".join(places) + "\n};\n")
        return self.made("UNION", name, size=f"sizeof(Struct{number})", fields=f"fields{number}",
                         count=len(rows), flags=flags)

    def dataclass(self, cls: Any, number: int) -> str:
        hints = typing.get_type_hints(cls, NAMES)
        fields = [(each.name, hints[each.name], f", .name = {quoted(each.name)}"
                   f", .ignored = {str(not each.compare).lower()}")
                  for each in dataclasses.fields(cls)]
        table = self.members(number, ["    PychoralObject object;"], fields)
        options = cls.__dataclass_params__
        flags = [name for name, on in (("PYCHORAL_FROZEN", options.frozen),
                                       ("PYCHORAL_IDENTITY", not options.eq)) if on]
        derived = [each for each in shared.CLASSES
                   if isinstance(each, type) and issubclass(each, cls) and each is not cls]
        more: dict[str, Any] = {}
        if derived:
            pointers = ", ".join(self.at(each) for each in derived)
            self.tables.append(f"static const PychoralType *const derived{number}[] = "
                               f"{{{pointers}}};\n")
            more = {"derived": f"derived{number}", "derived_count": len(derived)}
        return self.made("DATACLASS", cls.__qualname__, size="sizeof(void *)",
                         body=f"sizeof(Struct{number})", number=shared.CLASSES.index(cls),
                         fields=table, count=len(fields), flags=" | ".join(flags) or "0", **more)

    def enum(self, cls: Any, number: int) -> str:
        names = ", ".join(quoted(name) for name in cls.__members__)
        self.tables.append(f"static const char *const names{number}[] = {{{names}}};\n")
        more: dict[str, Any] = {}
        if issubclass(cls, int):
            values = ", ".join(f"{{{int(member)}, NULL}}" for member in cls)
            self.tables.append(f"static const PychoralInt values{number}[] = {{{values}}};\n")
            more = {"element": self.at(int), "literals": f"values{number}"}
        return self.made("ENUM", cls.__qualname__, number=shared.CLASSES.index(cls),
                         count=len(cls.__members__), members=f"names{number}", **more)

    def literal(self, form: Any, values: Any, number: int) -> str:
        kinds = list(dict.fromkeys(map(type, values)))
        inner = kinds[0] if len(kinds) == 1 else typing.Union[tuple(kinds)]
        row = self.add(inner)
        texts = [self.constant(number, i, value, kinds) for i, value in enumerate(values)]
        self.tables.append(f"static const {self.stored[row]} literals{number}[] = "
                           f"{{{', '.join(texts)}}};\n")
        self.stored[number] = self.stored[row]
        return self.made("LITERAL", show(form), size=f"sizeof({self.stored[row]})",
                         element=f"&value_rows[{row}]", count=len(values),
                         literals=f"literals{number}")

    def constant(self, number: int, place: int, value: Any, kinds: list[type]) -> str:
        if isinstance(value, str):
            self.tables.append(f"static PychoralStr text{number}_{place} = "
                               f"PYCHORAL_CONSTANT({quoted(value)}, PYCHORAL_ASCII);\n")
            text = f"&text{number}_{place}"
        elif isinstance(value, bool):
            text = str(value).lower()
        else:
            text = "0" if value is None else f"{{{value}, NULL}}"
        if len(kinds) == 1:
            return text
        tag = kinds.index(type(value))
        return f"{{.tag = {tag}, .m{tag} = {text}}}"


def stored(form: Any, number: int) -> str:
    """The C type of a value in place."""
    if isinstance(form, Array):
        return "PychoralArray *"
    if form in SHARED:
        return STORED[SHARED[form].upper()]
    if isinstance(form, type) and issubclass(form, enum.Enum):
        return "uint32_t"
    if dataclasses.is_dataclass(form):
        return "void *"
    origin, arguments = typing.get_origin(form), typing.get_args(form)
    if origin in (set, frozenset, dict):
        return "PychoralTable *"
    if origin is list or origin is tuple and arguments[1:] == (Ellipsis,):
        return "PychoralList *"
    return f"Struct{number}"


def every_type() -> list[Any]:
    """What `object` may be."""
    return [type(None), int, float, complex, str, bytes, list[object], tuple[object, ...],
            dict[object, object], set[object], frozenset[object], NAMES["ndarray"],
            *shared.CLASSES]


def show(form: Any) -> str:
    """A type as Python's messages show it."""
    if form is Ellipsis:
        return "..."
    if isinstance(form, Array):
        return "ndarray" if form.dtype == "ndarray" else f"NDArray[{form.dtype}]"
    if form in (None, type(None)):
        return "None"
    origin, arguments = typing.get_origin(form), typing.get_args(form)
    if origin is None:
        return form.__qualname__
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if origin in (typing.Union, python_types.UnionType):
        return " | ".join(map(show, arguments))
    if arguments == ((),):
        return "tuple[()]"
    return f"{origin.__name__}[{', '.join(map(show, arguments)) or '()'}]"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main() -> None:
    rows = Rows()
    places = []
    for expression in shared.EXPRESSIONS:
        form = eval(expression, dict(NAMES))
        places.append((rows.add(form), expression))
    names = [f"Struct{n}" for n in range(len(rows.rows))
             if any(each.startswith(f"struct Struct{n} ") for each in rows.structs)]
    out = ["// Written by tests/values/rows.py.\n", '#include "value_types.h"\n',
           *[f"typedef struct {name} {name};" for name in names], "",
           "extern const PychoralType value_rows[];\n", *rows.structs, *rows.tables,
           "const PychoralType value_rows[] = {", *[f"    {row}," for row in rows.rows], "};\n",
           "const ValueType value_types[] = {",
           *[f"    {{{quoted(text)}, &value_rows[{row}]}}," for row, text in places], "};\n",
           f"const size_t value_type_count = {len(places)};"]
    Path(sys.argv[1]).write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
