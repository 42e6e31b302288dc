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
    "            item = next(get_args(member)[0] for member in members "
    "if get_origin(member) is list)\n"
    "            new.extend(copy(part, item) for part in value)\n"
    "        else:\n"
    "            hints = get_type_hints(type(value))\n"
    "            for name, part in vars(value).items():\n"
    "                setattr(new, name, copy(part, hints[name]))\n"
    "    return result\n"
    "\n\ndef _twins(*values: tuple[Any, Any]) -> tuple[Any, ...]:\n"
    "    return _made(values, True)\n"
    "\n\ndef _copies(*values: tuple[Any, Any]) -> tuple[Any, ...]:\n"
    "    return _made(values, False)\n";

static const char TANGENTS[] =
    "\n\ndef _tangents(*given: tuple[Any, Any]) -> tuple[Any, ...]:\n"
    "    \"\"\"The tangents (after each value its own), with the sharing of the values.\"\"\"\n"
    "    made: dict[int, tuple[Any, Any]] = {}\n"
    "    todo: list[tuple[Any, Any, Any]] = []\n"
    "\n"
    "    def copy(value: Any, tangent: Any, declared: Any) -> Any:\n"
    "        members = get_args(declared) if get_origin(declared) in (Union, UnionType) "
    "else (declared,)\n"
    "        if float in members and isinstance(value, (int, float)):\n"
    "            if not isinstance(tangent, (int, float)):\n"
    "                raise ValueError(\"the tangent of a float is no float\")\n"
    "            return float(tangent)\n"
    "        frozen = is_dataclass(value) and value.__dataclass_params__.frozen\n"
    "        if not isinstance(value, list) and (frozen or not is_dataclass(value)):\n"
    "            return value\n"
    "        if id(value) not in made:\n"
    "            if type(tangent) is not type(value):\n"
    "                raise ValueError(\"a tangent has another class than the argument\")\n"
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
    "            hints = get_type_hints(type(value))\n"
    "            for name, part in vars(value).items():\n"
    "                setattr(new, name, copy(part, getattr(tangent, name), hints[name]))\n"
    "    return result\n";

static bool needs(const Needs *n, const char *name)
{
    return table_get(n->names, names_get(n->text->names, name)) != NULL;
}

static bool in_source(EndpointList source, Sym class_)
{
    for (size_t m = 0; m < source.len; m++)
        for (size_t i = 0; i < source.at[m]->body.len; i++) {
            const Stmt *s = source.at[m]->body.at[i];
            if (s->kind == STMT_CLASS_DEF && s->class_def.name == class_)
                return true;
        }
    return false;
}

// Classes are taken from the source, where it has them.
static StmtList without_classes(Arena *a, StmtList made, EndpointList source)
{
    Vec(const Stmt *) out = {0};
    for (size_t i = 0; i < made.len; i++)
        if (made.at[i]->kind != STMT_CLASS_DEF || !in_source(source, made.at[i]->class_def.name))
            vec_push(a, &out, made.at[i]);
    return (StmtList){out.at, out.len};
}

static bool binds(const Needs *n, Sym name)
{
    StmtList kept = {n->kept.at, n->kept.len};
    SymList bound = names_bound(n->text->arena, n->text->names, kept);
    for (size_t i = 0; i < bound.len; i++)
        if (bound.at[i] == name)
            return true;
    return false;
}

// What makes the classes of the derivative.
static void keep_dataclass(Needs *n)
{
    const ModuleText *t = n->text;
    Sym name = names_get(t->names, "dataclass");
    if (table_get(n->names, name) == NULL || binds(n, name))
        return;
    const Alias **alias = ARENA_NEW(t->arena, const Alias *);
    *alias = alias_new(t->arena, (Span){0, 0}, name, NULL);
    vec_push(t->arena, &n->kept, stmt_import_from(t->arena, (Span){0, 0},
                                                  names_get(t->names, "dataclasses"),
                                                  (AliasList){alias, 1}, 0));
}

// What the derivative and the function (NULL: the derivative alone) need of the program.
static Needs needs_of(const ModuleText *t, Sym function, EndpointList source, StmtList made)
{
    Needs n = {.text = t, .names = table_new(t->arena), .made = table_new(t->arena)};
    SymList bound = names_bound(t->arena, t->names, made);
    for (size_t i = 0; i < bound.len; i++)
        table_set(n.made, bound.at[i], t->arena);
    if (function != NULL)
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

// Whether the derivative calls functions that are not as in the source: what is a function there
// is a record for them.
static bool calls_changed(const ModuleText *t, EndpointList source, EndpointList flat,
                          StmtList made)
{
    Needs n = needs_of(t, NULL, flat, made);
    for (size_t i = 0; flat.len > 0 && i < flat.at[0]->body.len; i++) {
        const Stmt *s = flat.at[0]->body.at[i];
        if (s->kind != STMT_FUNCTION_DEF || !binds_needed(&n, s))
            continue;
        SymList free = names_free(t->arena, t->names, (StmtList){&s, 1});
        bool own = is_bound(t, source, s->function_def.name);
        for (size_t k = 0; own && k < free.len; k++)
            own = is_bound(t, source, free.at[k]) || !is_bound(t, flat, free.at[k]);
        if (!own)
            return true;
    }
    return false;
}

void emit_grad(Buf *b, const ModuleText *t, Sym function, EndpointList source, EndpointList flat,
               StmtList made)
{
    Buf text = buf_new(t->arena), renamed = buf_new(t->arena);
    EndpointList program = source;
    StmtList own = without_classes(t->arena, made, program);
    Needs n = needs_of(t, function, program, own);
    if (flat.len > 0 && (needs_ad(&n, source) || calls_changed(t, source, flat, own))) {
        program = flat;
        own = without_classes(t->arena, made, program);
        n = needs_of(t, function, program, own);
    }
    made = own;
    keep(&n, source, true);
    keep_math(&n);
    keep_dataclass(&n);
    keep(&n, program, false);
    for (size_t i = 0; i < made.len; i++)
        vec_push(t->arena, &n.kept, made.at[i]);
    module_print_heading(&text, t, "derivative");
    bool helpers = needs(&n, "_twins") || needs(&n, "_copies"), tangents = needs(&n, "_tangents");
    if (helpers || tangents)
        buf_puts(&text, "# A twin is None where its object is, which the tests of the object say.\n"
                        "# mypy: disable-error-code=\"union-attr\"\n");
    StmtList rest = module_print_imports(&text, t, (StmtList){n.kept.at, n.kept.len});
    if (helpers || tangents)
        buf_puts(&text, "from dataclasses import is_dataclass\nfrom types import UnionType\n"
                        "from typing import Any, Union, get_args, get_origin, get_type_hints\n");
    module_print_body(&text, t, rest);
    if (helpers)
        buf_puts(&text, HELPERS);
    if (tangents)
        buf_puts(&text, TANGENTS);
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
