// slice.c - follows names from statement to statement of a module.

#include "compiler/pass/ad/slice.h"

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"

static bool is_function(const Stmt *s, Sym name)
{
    return s->kind == STMT_FUNCTION_DEF && s->function_def.name == name;
}

// ---- what is needed ----

typedef struct Slice {
    Arena *arena;
    Names *names;
    Table *needed;              // names
    bool  *kept;                // by statement
} Slice;

static bool is_needed(const Slice *s, const Stmt *stmt)
{
    SymList bound = names_bound(s->arena, s->names, (StmtList){&stmt, 1});
    for (size_t i = 0; i < bound.len; i++)
        if (table_get(s->needed, bound.at[i]) != NULL)
            return true;
    return false;
}

static void ignore_name(void *cx, const Expr *e)
{
    (void)cx;
    (void)e;
}

static void keep(Slice *s, const Stmt *stmt, size_t i)
{
    SymList free = names_visit(s->arena, s->names, (StmtList){&stmt, 1}, ignore_name, NULL);
    for (size_t k = 0; k < free.len; k++)
        table_set(s->needed, free.at[k], s);
    s->kept[i] = true;
}

static bool grow(Slice *s, StmtList body)
{
    bool more = false;
    for (size_t i = 0; i < body.len; i++)
        if (!s->kept[i] && is_needed(s, body.at[i])) {
            keep(s, body.at[i], i);
            more = true;
        }
    return more;
}

const Unit *slice_unit(Arena *a, Names *names, const Unit *linked, Sym function)
{
    StmtList body = linked->module.body;
    Slice s = {a, names, table_new(a), ARENA_ARRAY(a, bool, body.len + 1)};
    Vec(const Stmt *) out = {0};
    bool found = false;
    for (size_t i = 0; i < body.len; i++)
        found = found || is_function(body.at[i], function);
    if (!found)
        return linked;
    table_set(s.needed, function, &s);
    while (grow(&s, body))
        continue;
    for (size_t i = 0; i < body.len; i++)
        if (s.kept[i])
            vec_push(a, &out, body.at[i]);
    return unit_module(a, (StmtList){out.at, out.len});
}

// ---- decorators ----

static bool is_word(Sym name) { return sym_is(name, "grad") || sym_is(name, "value_and_grad"); }

// Whether a decorator is imported as one of the words.
static bool is_gradient(StmtList body, const Expr *decorator)
{
    if (decorator->kind != EXPR_NAME)
        return false;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        bool ad = s->kind == STMT_IMPORT_FROM && sym_is(s->import_from.module, "pychoral.ad");
        for (size_t k = 0; ad && k < s->import_from.names.len; k++) {
            const Alias *a = s->import_from.names.at[k];
            if (is_word(a->name) && (a->asname ? a->asname : a->name) == decorator->name.id)
                return true;
        }
    }
    return false;
}

const Unit *slice_undecorated(Arena *a, const Unit *linked, Sym function)
{
    StmtList body = linked->module.body;
    const Stmt **out = ARENA_ARRAY(a, const Stmt *, body.len + 1);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = out[i] = body.at[i];
        if (is_function(s, function) && s->function_def.decorator_list.len == 1
            && is_gradient(body, s->function_def.decorator_list.at[0]))
            out[i] = stmt_function_def(a, s->at, function, s->function_def.args,
                                       s->function_def.body, (ExprList){0},
                                       s->function_def.returns, s->function_def.type_params);
    }
    return unit_module(a, (StmtList){out, body.len});
}
