// endpoint_types.c - which classes of the program's type table a role has, and what they are called
// there (runtime/PROTOCOL.md 5.1). A class is there if the role's module binds it, or a module that
// this one imports.

#include "compiler/emit/endpoint_types.h"

#include <string.h>

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"

static Table *table_of(Arena *a, SymList names)
{
    Table *t = table_new(a);
    for (size_t i = 0; i < names.len; i++)
        table_set(t, names.at[i], t);
    return t;
}

// ---- imports ----

static Sym bound_by(Names *names, const Alias *alias)
{
    if (alias->asname != NULL)
        return alias->asname;
    return names_intern(names, alias->name, strcspn(alias->name, "."));
}

// The part of the import that binds the name, as a statement of its own.
static const Stmt *import_of(const EndpointCx *cx, const TypeEntry *e)
{
    const Stmt *s = e->import;
    bool from = s->kind == STMT_IMPORT_FROM;
    AliasList list = from ? s->import_from.names : s->import.names;
    const Alias **one = ARENA_NEW(cx->arena, const Alias *);
    for (size_t i = 0; i < list.len; i++)
        if (bound_by(cx->names, list.at[i]) == e->root)
            *one = list.at[i];
    AliasList alias = {one, 1};
    return from ? stmt_import_from(cx->arena, s->at, s->import_from.module, alias,
                                   s->import_from.level)
                : stmt_import(cx->arena, s->at, alias);
}

static bool is_import(const Stmt *s)
{
    return s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM;
}

static bool is_docstring(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT
           && s->expr.value->constant.value->kind == CONST_STR;
}

StmtList endpoint_with_types(const EndpointCx *cx, StmtList body, const bool *reached)
{
    Vec(const Stmt *) all = {0};
    Table *beside = table_new(cx->arena);
    Table *bound = table_of(cx->arena, names_bound(cx->arena, cx->names, body));
    size_t top = body.len > 0 && is_docstring(body.at[0]);
    while (top < body.len && is_import(body.at[top]))
        top++;
    for (size_t i = 0; i < cx->beside.len; i++)
        for (size_t j = 0; reached[i] && j < cx->beside.at[i].bound.len; j++)
            table_set(beside, cx->beside.at[i].bound.at[j], beside);
    for (size_t i = 0; i < top; i++)
        vec_push(cx->arena, &all, body.at[i]);
    for (size_t i = 0; i < cx->types.len; i++) {
        const TypeEntry *e = &cx->types.at[i];
        if (e->import == NULL || table_get(bound, e->root) || !table_get(beside, e->root))
            continue;
        table_set(bound, e->root, bound);
        vec_push(cx->arena, &all, import_of(cx, e));
    }
    if (all.len == top)
        return body;
    for (size_t i = top; i < body.len; i++)
        vec_push(cx->arena, &all, body.at[i]);
    return (StmtList){all.at, all.len};
}

// ---- the table ----

static bool reaches(const EndpointCx *cx, const bool *reached, Sym module)
{
    for (size_t i = 0; i < cx->beside.len; i++)
        if (cx->beside.at[i].name == module)
            return reached[i];
    return false;
}

static bool is_here(const EndpointCx *cx, const Table *bound, const bool *reached,
                    const TypeEntry *e)
{
    SymList module = imported_uses(cx->arena, cx->names, (SymList){&e->root, 1});
    if (module.len > 0 && module.at[0] != cx->module)
        return e->import == NULL && reaches(cx, reached, module.at[0]);
    return table_get(bound, e->root) != NULL;
}

// The entries up to the last that is there.
static size_t find_here(const EndpointCx *cx, SymList bound, const bool *reached, bool *here)
{
    Table *names = table_of(cx->arena, bound);
    size_t count = 0;
    for (size_t i = 0; i < cx->types.len; i++) {
        here[i] = is_here(cx, names, reached, &cx->types.at[i]);
        count = here[i] ? i + 1 : count;
    }
    return count;
}

// On one line, or one a line.
void endpoint_print_types(Buf *b, const EndpointCx *cx, SymList bound, const bool *reached)
{
    enum { ONE_LINE = 80 };
    bool *here = ARENA_ARRAY(cx->arena, bool, cx->types.len + 1);
    size_t count = find_here(cx, bound, reached, here), width = 0;
    for (size_t i = 0; i < count; i++)
        width += (here[i] ? strlen(cx->types.at[i].path) : strlen("None")) + 2;
    if (count == 0)
        return;
    bool broken = width > ONE_LINE;
    buf_puts(b, "    types=(");
    for (size_t i = 0; i < count; i++)
        buf_printf(b, broken ? "\n        %s," : i + 1 < count ? "%s, " : "%s",
                   here[i] ? cx->types.at[i].path : "None");
    buf_puts(b, broken ? "\n    ),\n" : count == 1 ? ",),\n" : "),\n");
}
