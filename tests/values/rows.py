#!/usr/bin/env python3
"""Writes the C rows of the types in types_of_tests.py: rows.py OUT.c

As the compiler will: a struct for each dataclass, tuple and union, and one table of rows whose
references are addresses in it.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import sys
import types as python_types
import typing
from pathlib import Path
from typing import Any, NamedTuple

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


class Kept(NamedTuple):
    """Stands for a field or a known key: as C keeps it, it is read by the row of its type."""

    form: Any


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
        if isinstance(form, Kept):
            if is_checked(form.form) or kept(form.form) == form.form:
                return self.add(form.form)
            self.add(kept(form.form))           # whose struct is that of the field
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
            return self.union(number, "object", every_type(object), "PYCHORAL_ANY")
        if form is Any:
            return self.object(number, "object", every_type(Any))
        if isinstance(form, Kept):
            return self.kept(form.form, number)
        if typing.is_typeddict(form):
            return self.typed_dict(form, number)
        if form in SHARED:
            return self.made(SHARED[form].upper(), SHARED[form].replace("none", "None"))
        if isinstance(form, type) and issubclass(form, enum.Enum):
            return self.enum(form, number)
        if dataclasses.is_dataclass(form):
            return self.dataclass(form, number)
        origin, arguments = typing.get_origin(form), typing.get_args(form)
        if origin in (typing.Union, python_types.UnionType) or origin in ABSTRACT:
            return self.union(number, show(form), parts_of(form))
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

    def object(self, number: int, name: str, forms: Any, flags: str = "0") -> str:
        """What is a pointer or a number, and says itself what."""
        fields = self.parts(number, [(self.at(form), "") for form in forms])
        return self.made("OBJECT", name, size="sizeof(PychoralAny)", fields=fields,
                         count=len(forms), flags=flags)

    def parts(self, number: int, parts: list[tuple[str, str]]) -> str:
        """A table of rows and names."""
        lines = [f"    {{.type = {row}{name}}}," for row, name in parts]
        self.tables.append(f"static const PychoralField fields{number}[] = {{\n"
                           + "\n".join(lines) + "\n};\n")
        return f"fields{number}"

    def kept(self, form: Any, number: int) -> str:
        own = kept(form)
        if own is Any:
            return self.object(number, show(form), parts_of(form), admits(form))
        self.stored[number] = self.stored[self.add(own)]
        return self.made("LITERAL", show(form), size=f"sizeof({self.stored[number]})",
                         element=self.at(own), key=self.at(form),
                         flags=admits(form) if is_reduced(form) else "0")

    def typed_dict(self, cls: Any, number: int) -> str:
        hints = typing.get_type_hints(cls, NAMES)
        fields = self.parts(number, [(self.at(Kept(hint)), f", .name = {quoted(key)}")
                                     for key, hint in hints.items()])
        return self.made("LITERAL", show(cls), size="sizeof(PychoralTable *)",
                         element=self.at(kept(cls)), fields=fields, count=len(hints),
                         flags=admits(cls))

    def dataclass(self, cls: Any, number: int) -> str:
        hints = typing.get_type_hints(cls, NAMES)
        fields = [(each.name, Kept(hints[each.name]), f", .name = {quoted(each.name)}"
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
        kinds = sorted(dict.fromkeys(map(type, values)), key=show)
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
    if isinstance(form, Kept):
        return stored(kept(form.form), number)
    if form is Any:
        return "PychoralAny"
    if form in SHARED:
        return STORED[SHARED[form].upper()]
    if isinstance(form, type) and issubclass(form, enum.Enum):
        return "uint32_t"
    if dataclasses.is_dataclass(form):
        return "void *"
    origin, arguments = typing.get_origin(form), typing.get_args(form)
    if origin in (set, frozenset, dict) or typing.is_typeddict(form):
        return "PychoralTable *"
    if origin is list or origin is tuple and arguments[1:] == (Ellipsis,):
        return "PychoralList *"
    return f"Struct{number}"


def every_type(item: Any) -> list[Any]:
    """What `object` may be."""
    return [type(None), int, float, complex, str, bytes, list[item], tuple[item, ...],
            dict[item, item], set[item], frozenset[item], NAMES["ndarray"], *shared.CLASSES]


# --- types that are kept as others ---

ABSTRACT = {collections.abc.Mapping: (dict,), collections.abc.Set: (set, frozenset)}


def parts_of(form: Any) -> list[Any]:
    """The members of a union, in the order they are tried, or what an abstract collection may be.
    """
    origin, arguments = typing.get_origin(form), typing.get_args(form)
    if origin in ABSTRACT:
        return [each[arguments] for each in ABSTRACT[origin]]
    if origin in (typing.Union, python_types.UnionType):
        return [part for each in sorted(arguments, key=show) for part in parts_of(each)]
    return [form]


def is_checked(form: Any) -> bool:
    """Its own row says what it is kept as."""
    return typing.get_origin(form) is typing.Literal or typing.is_typeddict(form)


def kept(form: Any) -> Any:
    """The type of the variable that takes a value: without literals and known keys."""
    origin, arguments = typing.get_origin(form), typing.get_args(form)
    if typing.is_typeddict(form):
        return dict[str, Any]
    if origin in ABSTRACT:
        return Any
    if origin is None or arguments in ((), ((),)):
        return form
    if origin is typing.Literal:
        return typing.Union[tuple(map(type, arguments))]
    parts = tuple(each if each is Ellipsis else kept(each) for each in arguments)
    if origin in (typing.Union, python_types.UnionType):
        return Any if Any in parts else typing.Union[parts]
    return origin[parts]


def is_reduced(form: Any) -> bool:
    """Whether what is sent may have to be made first."""
    if typing.is_typeddict(form) or typing.get_origin(form) in ABSTRACT:
        return True
    return any(is_reduced(each) for each in typing.get_args(form))


def admits(form: Any) -> str:
    return "PYCHORAL_ADMITS" + (" | PYCHORAL_CONVERTS" if converts(form, ()) else "")


def converts(form: Any, above: tuple[Any, ...]) -> bool:
    """Whether its reader makes floats of ints; classes aside."""
    if form in (float, complex):
        return True
    if form in above or typing.get_origin(form) is typing.Literal:
        return False
    parts = (typing.get_type_hints(form, NAMES).values() if typing.is_typeddict(form)
             else typing.get_args(form))
    return any(converts(each, (*above, form)) for each in parts)


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
        none = " | None" if None in arguments else ""
        return f"Literal[{', '.join(repr(each) for each in arguments if each is not None)}]{none}"
    if origin in (typing.Union, python_types.UnionType):
        return " | ".join(map(show, arguments))
    if arguments == ((),):
        return "tuple[()]"
    return f"{origin.__name__}[{', '.join(map(show, arguments)) or '()'}]"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main() -> None:
    rows = Rows()
    rows.add(Any)                               # first: structs in place are whole when met
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
