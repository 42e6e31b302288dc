// grad_text.c - the module of a derivative: imports, classes, the function and those that it calls
// as they are in the source, then the derivative.

#include "compiler/emit/grad_text.h"

#include <string.h>

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/emit/python_control.h"
#include "compiler/ir/free_names.h"

typedef struct Needs {
    const ModuleText *text;
    Table *names;               // what is mentioned
    Table *made;                // what the derivative itself defines
    Vec(const Stmt *) kept;
} Needs;

static bool note_all(Needs *n, SymList names)
{
    bool more = false;
    for (size_t i = 0; i < names.len; i++) {
        if (table_get(n->made, names.at[i]) != NULL)
            continue;
        more = more || table_get(n->names, names.at[i]) == NULL;
        table_set(n->names, names.at[i], n);
    }
    return more;
}

static bool binds_needed(const Needs *n, const Stmt *s)
{
    SymList bound = names_bound(n->text->arena, n->text->names, (StmtList){&s, 1});
    for (size_t i = 0; i < bound.len; i++)
        if (table_get(n->names, bound.at[i]) != NULL)
            return true;
    return false;
}

// Follows the names from statement to statement.
static void close_needs(Needs *n, EndpointList source)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t m = 0; m < source.len; m++)
            for (size_t i = 0; i < source.at[m]->body.len; i++) {
                const Stmt *const *s = &source.at[m]->body.at[i];
                if (binds_needed(n, *s))
                    more |= note_all(n, names_free(n->text->arena, n->text->names,
                                                   (StmtList){s, 1}));
            }
    }
}

static bool is_import(const Stmt *s)
{
    return s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM;
}

// What stands on `pychoral.ad` does so when it runs: the derivative stands alone.
static bool is_of_ad(const Stmt *s)
{
    return s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL
           && sym_is(s->import_from.module, "pychoral.ad");
}

static bool needs_ad(const Needs *n, EndpointList source)
{
    for (size_t m = 0; m < source.len; m++)
        for (size_t i = 0; i < source.at[m]->body.len; i++)
            if (is_of_ad(source.at[m]->body.at[i]) && binds_needed(n, source.at[m]->body.at[i]))
                return true;
    return false;
}

static void keep(Needs *n, EndpointList source, bool imports)
{
    for (size_t m = source.len; m-- > 0;)
        for (size_t i = 0; i < source.at[m]->body.len; i++) {
            const Stmt *s = source.at[m]->body.at[i];
            if (is_import(s) == imports && !is_of_ad(s) && binds_needed(n, s))
                vec_push(n->text->arena, &n->kept, s);
        }
}

static bool imports_math(const Needs *n)
{
    for (size_t i = 0; i < n->kept.len; i++) {
        const Stmt *s = n->kept.at[i];
        for (size_t k = 0; s->kind == STMT_IMPORT && k < s->import.names.len; k++)
            if (sym_is(s->import.names.at[k]->name, "math")
                && s->import.names.at[k]->asname == NULL)
                return true;
    }
    return false;
}

static void keep_math(Needs *n)
{
    const ModuleText *t = n->text;
    Sym math = names_get(t->names, "math");
    if (table_get(n->names, math) == NULL || imports_math(n))
        return;
    const Alias **alias = ARENA_NEW(t->arena, const Alias *);
    *alias = alias_new(t->arena, (Span){0, 0}, math, NULL);
    vec_push(t->arena, &n->kept, stmt_import(t->arena, (Span){0, 0}, (AliasList){alias, 1}));
}

// What the functions call for their inputs (compiler/pass/ad/twin.c).
static const char HELPERS[] =
    "\n\ndef _made(values: tuple[tuple[Any, Any], ...], zeros: bool) -> tuple[Any, ...]:\n"
    "    \"\"\"Objects of the same classes and sharing, with 0.0 for each float if zeros.\"\"\"\n"
    "    made: dict[int, Any] = {}\n"
    "    hints: dict[type, dict[str, Any]] = {}\n"
    "    todo: list[tuple[Any, Any]] = []\n"
    "\n"
    "    def copy(value: Any, declared: Any) -> Any:\n"
    "        members = get_args(declared) if get_origin(declared) in (Union, UnionType) "
    "else (declared,)\n"
    "        if float in members and isinstance(value, (int, float)):\n"
    "            return 0.0 if zeros else float(value)\n"
    "        frozen = is_dataclass(value) and value.__dataclass_params__.frozen\n"
    "        if not isinstance(value, list) and (frozen or not is_dataclass(value)):\n"
    "            return value\n"
    "        if id(value) not in made:\n"
    "            new = [] if isinstance(value, list) else object.__new__(type(value))\n"
    "            made[id(value)] = new\n"
    "            todo.append((value, members))\n"
    "        return made[id(value)]\n"
    "\n"
    "    result = tuple(copy(value, declared) for value, declared in values)\n"
    "    while todo:\n"
    "        value, members = todo.pop()\n"
    "        new = made[id(value)]\n"
    "        if isinstance(value, list):\n"
    "            item = next((get_args(member)[0] for member in members "
    "if get_origin(member) is list), None)\n"
    "            new.extend(copy(part, item) for part in value)\n"
    "            continue\n"
    "        if type(value) not in hints:\n"
    "            try:\n"
    "                hints[type(value)] = get_type_hints(type(value))\n"
    "            except NameError:                   # of no input: one that the function made\n"
    "                hints[type(value)] = {}\n"
    "        for name, part in vars(value).items():\n"
    "            setattr(new, name, copy(part, hints[type(value)].get(name)))\n"
    "    return result\n"
    "\n\ndef _twins(*values: tuple[Any, Any]) -> tuple[Any, ...]:\n"
    "    return _made(values, True)\n"
    "\n\ndef _copies(*values: tuple[Any, Any]) -> tuple[Any, ...]:\n"
    "    return _made(values, False)\n";

static const char TANGENTS[] =
    "\n\ndef _tangents(*given: tuple[Any, Any]) -> tuple[Any, ...]:\n"
    "    \"\"\"The tangents (after each value its own), with the sharing of the values.\"\"\"\n"
    "    made: dict[int, tuple[Any, Any]] = {}\n"
    "    hints: dict[type, dict[str, Any]] = {}\n"
    "    todo: list[tuple[Any, Any, Any]] = []\n"
    "\n"
    "    def copy(value: Any, tangent: Any, declared: Any) -> Any:\n"
    "        members = get_args(declared) if get_origin(declared) in (Union, UnionType) "
    "else (declared,)\n"
    "        if float in members and isinstance(value, (int, float)):\n"
    "            if not isinstance(tangent, (int, float)):\n"
    "                raise ValueError(\"the tangent of a float is not a float\")\n"
    "            return float(tangent)\n"
    "        frozen = is_dataclass(value) and value.__dataclass_params__.frozen\n"
    "        if not isinstance(value, list) and (frozen or not is_dataclass(value)):\n"
    "            return value\n"
    "        if id(value) not in made:\n"
    "            if type(tangent) is not type(value):\n"
    "                raise ValueError(\"a tangent is of another class than the argument\")\n"
    "            new = [] if isinstance(value, list) else object.__new__(type(value))\n"
    "            made[id(value)] = (new, tangent)\n"
    "            todo.append((value, tangent, members))\n"
    "        elif made[id(value)][1] is not tangent:\n"
    "            raise ValueError(\"one object in the arguments has two tangents\")\n"
    "        return made[id(value)][0]\n"
    "\n"
    "    result = tuple(copy(given[i][0], given[i + 1][0], given[i][1]) "
    "for i in range(0, len(given), 2))\n"
    "    while todo:\n"
    "        value, tangent, members = todo.pop()\n"
    "        new = made[id(value)][0]\n"
    "        if isinstance(value, list):\n"
    "            if len(tangent) != len(value):\n"
    "                raise ValueError(\"a tangent has another length than the argument\")\n"
    "            item = next(get_args(member)[0] for member in members "
    "if get_origin(member) is list)\n"
    "            new.extend(copy(part, of, item) for part, of in zip(value, tangent))\n"
    "        else:\n"
    "            if type(value) not in hints:\n"
    "                hints[type(value)] = get_type_hints(type(value))\n"
    "            for name, part in vars(value).items():\n"
    "                setattr(new, name, copy(part, getattr(tangent, name), "
    "hints[type(value)][name]))\n"
    "    return result\n";

static const char SEEDS[] =
    "\n\ndef _seeds(*given: tuple[Any, Any]) -> None:\n"
    "    \"\"\"Adds the floats of the second to those of the first, which has its shape.\"\"\"\n"
    "    seen: set[tuple[int, int]] = set()\n"
    "    todo = [(given[0][0], given[1][0])]\n"
    "    while todo:\n"
    "        twin, seed = todo.pop()\n"
    "        both = id(twin), id(seed)\n"
    "        if both in seen or not (isinstance(twin, list) or is_dataclass(twin)):\n"
    "            continue\n"
    "        seen.add(both)\n"
    "        if type(twin) is not type(seed):\n"
    "            raise ValueError(\"a cotangent is of another class than the value\")\n"
    "        if isinstance(twin, list) and len(twin) != len(seed):\n"
    "            raise ValueError(\"a cotangent has another length than the value\")\n"
    "        twins, seeds = (x if isinstance(x, list) else vars(x) for x in (twin, seed))\n"
    "        for at in range(len(twin)) if isinstance(twin, list) else list(twins):\n"
    "            if isinstance(twins[at], float):\n"
    "                twins[at] += seeds[at]\n"
    "            else:\n"
    "                todo.append((twins[at], seeds[at]))\n";

// What the public functions call where tuples and frozen objects go in or out
// (compiler/pass/ad/value_text.c). `_of` of a class is what its objects stand for.
static const char VALUES[] =
    "\n\ndef _objects(function: Any, names: str, values: tuple[Any, ...]) -> tuple[Any, ...]:\n"
    "    \"\"\"The values of these parameters, with objects that may be assigned to.\"\"\"\n"
    "    hints = get_type_hints(function, globals())\n"
    "    types: dict[type, dict[str, Any]] = {}\n"
    "    made: dict[int, Any] = {}\n"
    "    todo: list[tuple[Any, Any, Any]] = []\n"
    "\n"
    "    def copy(value: Any, declared: Any) -> Any:\n"
    "        members = get_args(declared) if get_origin(declared) in (Union, UnionType) "
    "else (declared,)\n"
    "        kind = None\n"
    "        if isinstance(value, (int, float)):\n"
    "            if float not in members or type(None) not in members:\n"
    "                return value\n"
    "            kind, members = _CLASSES[float | None], (float,)\n"
    "        elif isinstance(value, tuple):\n"
    "            members = tuple(member for member in members if get_origin(member) is tuple\n"
    "                            and len(get_args(member)) == len(value))\n"
    "            kind = next((_CLASSES.get(member) for member in members), None)\n"
    "        elif type(value) in _CLASSES:\n"
    "            kind = _CLASSES[type(value)]\n"
    "        if kind is None and not isinstance(value, list) and not is_dataclass(value):\n"
    "            return value\n"
    "        if kind is None and id(value) in made:\n"
    "            return made[id(value)]\n"
    "        new = [] if isinstance(value, list) else object.__new__(kind or type(value))\n"
    "        if kind is None:\n"
    "            made[id(value)] = new\n"
    "        todo.append((value, new, members))\n"
    "        return new\n"
    "\n"
    "    result = tuple(copy(value, hints[name]) for name, value in zip(names.split(), values))\n"
    "    while todo:\n"
    "        value, new, members = todo.pop()\n"
    "        if isinstance(value, list):\n"
    "            item = next(get_args(member)[0] for member in members "
    "if get_origin(member) is list)\n"
    "            new.extend(copy(part, item) for part in value)\n"
    "        elif isinstance(value, tuple):\n"
    "            for i, (part, item) in enumerate(zip(value, get_args(members[0]))):\n"
    "                setattr(new, f\"at{i}\", copy(part, item))\n"
    "        elif isinstance(value, (int, float)):\n"
    "            new.value = float(value)\n"
    "        else:\n"
    "            if type(value) not in types:\n"
    "                types[type(value)] = get_type_hints(type(value), globals())\n"
    "            for name, part in vars(value).items():\n"
    "                setattr(new, name, copy(part, types[type(value)][name]))\n"
    "    return result\n"
    "\n\ndef _values(answer: Any) -> Any:\n"
    "    \"\"\"The answer with what its objects stand for.\"\"\"\n"
    "    made: dict[int, tuple[Any, Any]] = {}\n"
    "    todo: list[tuple[Any, Any]] = []\n"
    "\n"
    "    def back(value: Any) -> Any:\n"
    "        of = getattr(type(value), \"_of\", None)\n"
    "        if isinstance(value, tuple) or of is tuple:\n"
    "            parts = value if of is None else vars(value).values()\n"
    "            return tuple([back(part) for part in parts])\n"
    "        if of is float:\n"
    "            return value.value\n"
    "        if of is None and not isinstance(value, list) and not is_dataclass(value):\n"
    "            return value\n"
    "        if id(value) not in made:\n"
    "            made[id(value)] = value, value if of is None else object.__new__(of)\n"
    "            todo.append(made[id(value)])\n"
    "        return made[id(value)][1]\n"
    "\n"
    "    result = back(answer)\n"
    "    while todo:\n"
    "        value, new = todo.pop()\n"
    "        if isinstance(value, list):\n"
    "            value[:] = [back(part) for part in value]\n"
    "        else:\n"
    "            for name, part in list(vars(value).items()):\n"
    "                object.__setattr__(new, name, back(part))\n"
    "    return result\n";

// Runs functions that call themselves.
static const char DEEP[] =
    "\n\n_deep_lock = threading.Lock()\n"
    "_deep_limits: list[int] = []\n"
    "\n\ndef _deep(function: Any, *values: Any) -> Any:\n"
    "    \"\"\"Calls it in a thread with a large stack: it may recur a million deep.\"\"\"\n"
    "    answer: list[Any] = []\n"
    "    error: list[BaseException] = []\n"
    "\n"
    "    def run() -> None:\n"
    "        try:\n"
    "            answer.append(function(*values))\n"
    "        except BaseException as raised:\n"
    "            error.append(raised)\n"
    "\n"
    "    with _deep_lock:\n"
    "        _deep_limits.append(sys.getrecursionlimit())\n"
    "        sys.setrecursionlimit(2**31 - 1)\n"
    "        old = threading.stack_size(2**30)\n"
    "        thread = threading.Thread(target=run)\n"
    "        try:\n"
    "            thread.start()\n"
    "        except RuntimeError:                    # no room for so large a stack\n"
    "            threading.stack_size(2**26)\n"
    "            thread = threading.Thread(target=run)\n"
    "            thread.start()\n"
    "        finally:\n"
    "            threading.stack_size(old)\n"
    "    thread.join()\n"
    "    with _deep_lock:\n"
    "        limit = min(_deep_limits)\n"
    "        _deep_limits.pop()\n"
    "        if not _deep_limits:\n"
    "            sys.setrecursionlimit(limit)\n"
    "        else:\n"
    "            _deep_limits[0] = limit\n"
    "    if error:\n"
    "        raise error[0]\n"
    "    return answer[0]\n";

static bool needs(const Needs *n, const char *name)
{
    return table_get(n->names, names_get(n->text->names, name)) != NULL;
}

static bool binds(const Needs *n, const char *name)
{
    SymList bound = names_bound(n->text->arena, n->text->names,
                                (StmtList){n->kept.at, n->kept.len});
    for (size_t i = 0; i < bound.len; i++)
        if (sym_is(bound.at[i], name))
            return true;
    return false;
}

// Classes of the program are taken from the source.
static StmtList without_classes(Arena *a, Names *names, StmtList made, EndpointList source)
{
    Vec(const Stmt *) out = {0};
    Table *known = table_new(a);
    for (size_t m = 0; m < source.len; m++) {
        SymList bound = names_bound(a, names, source.at[m]->body);
        for (size_t i = 0; i < bound.len; i++)
            table_set(known, bound.at[i], known);
    }
    for (size_t i = 0; i < made.len; i++)
        if (made.at[i]->kind != STMT_CLASS_DEF
            || table_get(known, made.at[i]->class_def.name) == NULL)
            vec_push(a, &out, made.at[i]);
    return (StmtList){out.at, out.len};
}

// What the derivative and the function (NULL: the derivative alone) need of the program.
static Needs needs_of(const ModuleText *t, Sym function, EndpointList source, StmtList made)
{
    Needs n = {.text = t, .names = table_new(t->arena), .made = table_new(t->arena)};
    SymList bound = names_bound(t->arena, t->names, made);
    for (size_t i = 0; i < bound.len; i++)
        table_set(n.made, bound.at[i], t->arena);
    if (function != NULL && table_get(n.made, function) == NULL)
        table_set(n.names, function, t->arena);
    note_all(&n, names_free(t->arena, t->names, made));
    close_needs(&n, source);
    return n;
}

static bool is_bound(const ModuleText *t, EndpointList modules, Sym name)
{
    for (size_t m = 0; m < modules.len; m++) {
        SymList bound = names_bound(t->arena, t->names, modules.at[m]->body);
        for (size_t i = 0; i < bound.len; i++)
            if (bound.at[i] == name)
                return true;
    }
    return false;
}

bool grad_text_calls_changed(const ModuleText *t, Sym function, EndpointList source,
                             EndpointList flat, StmtList made)
{
    made = without_classes(t->arena, t->names, made, source);
    Needs all = needs_of(t, function, source, made), n = needs_of(t, NULL, flat, made);
    for (size_t i = 0; i < flat.at[0]->body.len; i++) {
        const Stmt *s = flat.at[0]->body.at[i];
        if (s->kind != STMT_FUNCTION_DEF || !binds_needed(&n, s))
            continue;
        SymList free = names_free(t->arena, t->names, (StmtList){&s, 1});
        bool own = is_bound(t, source, s->function_def.name);
        for (size_t k = 0; own && k < free.len; k++)
            if (!is_bound(t, source, free.at[k]) && is_bound(t, flat, free.at[k]))
                return true;
    }
    return needs_ad(&all, source);
}

void emit_grad_qualified(Buf *b, const ModuleText *t, Sym function, EndpointList source,
                         StmtList made)
{
    made = without_classes(t->arena, t->names, made, source);
    Needs n = needs_of(t, function, source, made);
    keep(&n, source, true);
    keep_math(&n);
    keep(&n, source, false);
    for (size_t i = 0; i < made.len; i++)
        vec_push(t->arena, &n.kept, made.at[i]);
    module_print_heading(b, t, "derivative");
    bool helpers = needs(&n, "_twins") || needs(&n, "_copies"), tangents = needs(&n, "_tangents");
    bool seeds = needs(&n, "_seeds");
    bool values = needs(&n, "_values") || needs(&n, "_objects")
                  || needs(&n, "dataclass");
    if (helpers || tangents)
        buf_puts(b, "# A twin is None where its object is, which the tests of the object say.\n"
                        "# mypy: disable-error-code=\"union-attr\"\n");
    StmtList rest = module_print_imports(b, t, (StmtList){n.kept.at, n.kept.len});
    bool deep = needs(&n, "_deep");
    if (deep)
        buf_puts(b, "import sys\nimport threading\n");
    if (deep && !helpers && !tangents && !values)
        buf_puts(b, "from typing import Any\n");
    if (values && !binds(&n, "dataclass"))
        buf_puts(b, "from dataclasses import dataclass\n");
    if (helpers || tangents || values)
        buf_puts(b, "from dataclasses import is_dataclass\nfrom types import UnionType\n"
                        "from typing import Any, Union, get_args, get_origin, get_type_hints\n");
    module_print_body(b, t, rest);
    if (helpers)
        buf_puts(b, HELPERS);
    if (tangents)
        buf_puts(b, TANGENTS);
    if (seeds)
        buf_puts(b, SEEDS);
    if (needs(&n, "_values") || needs(&n, "_objects"))
        buf_puts(b, VALUES);
    if (deep)
        buf_puts(b, DEEP);
}

void emit_grad(Buf *b, const ModuleText *t, Sym function, EndpointList source, StmtList made)
{
    Buf text = buf_new(t->arena), renamed = buf_new(t->arena);
    emit_grad_qualified(&text, t, function, source, made);
    module_merge(b, t->arena, t->names, &text, &renamed);
}

void emit_term(Buf *b, const ModuleText *t, const char *mode, const Unit *unit)
{
    static const char slow[] =
        "# It makes a closure for each operation, and recurs as deep as the function has steps:\n"
        "# to be read, and run on small inputs (sys.setrecursionlimit).\n";
    Buf text = buf_new(t->arena), renamed = buf_new(t->arena);
    module_print_heading(&text, t, arena_strndup(t->arena, mode, strlen(mode)));
    buf_puts(&text, slow);
    StmtList rest = module_print_imports(&text, t, control_as_python(t->arena, unit)->module.body);
    module_print_body(&text, t, rest);
    module_merge(b, t->arena, t->names, &text, &renamed);
}
