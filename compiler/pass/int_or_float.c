// int_or_float.c - `float` in annotations becomes `float | int`. Python keeps an int where a float
// is declared; a C program that is to do so has to know where one may be.

#include "compiler/pass/int_or_float.h"

#include <string.h>

#include "compiler/base/intern.h"
#include "compiler/base/table.h"

#include "compiler/ir/free_names.h"

typedef struct Widener {
    Arena *arena;
    Names *names;
    Widening what;
    Table *kept;                // where annotations stand that stay
} Widener;

// ---- what stays ----

static void keep(Widener *w, Span at) { table_set(w->kept, table_key(at.start), w); }

static const char *last_part(Sym path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot + 1 : path;
}

static bool is_message(const Widener *w, Sym class_)
{
    for (size_t i = 0; i < w->what.messages.len; i++)
        if (strcmp(last_part(w->what.messages.at[i]), class_) == 0)
            return true;
    return false;
}

static bool find_kept(void *cx, const Stmt *s)
{
    Widener *w = cx;
    bool entry = w->what.entry != NULL && s->kind == STMT_FUNCTION_DEF
                 && s->at.start == w->what.entry->at.start;
    if (entry) {
        const Arguments *args = s->function_def.args;
        const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
        for (size_t l = 0; l < 3; l++)
            for (size_t i = 0; i < lists[l].len; i++)
                keep(w, lists[l].at[i]->at);
    }
    if (s->kind == STMT_CLASS_DEF && is_message(w, s->class_def.name))
        for (size_t i = 0; i < s->class_def.body.len; i++)
            keep(w, s->class_def.body.at[i]->at);
    return true;
}

// ---- annotations ----

static const Expr *widened(IrMapper *m, const Expr *e)
{
    if (e->kind != EXPR_NAME || !sym_is(e->name.id, "float"))
        return e;
    const Expr *whole = expr_name(m->arena, e->at, names_get(m->cx, "int"), EXPR_CONTEXT_LOAD);
    return expr_bin_op(m->arena, e->at, e, OPERATOR_BIT_OR, whole);
}

static const Expr *widen(const Widener *w, const Expr *annotation)
{
    IrMapper m = {.arena = w->arena, .cx = w->names, .expr = widened};
    return annotation != NULL ? ir_map_expr(&m, annotation) : NULL;
}

static bool stays(const Widener *w, Span at)
{
    return table_get(w->kept, table_key(at.start)) != NULL;
}

static const Arg *widen_arg(IrMapper *m, const Arg *arg)
{
    const Widener *w = m->cx;
    return stays(w, arg->at) ? arg
                             : arg_new(m->arena, arg->at, arg->arg, widen(w, arg->annotation));
}

static const Stmt *widen_stmt(IrMapper *m, const Stmt *s)
{
    const Widener *w = m->cx;
    if (s->kind == STMT_ANN_ASSIGN && !stays(w, s->at))
        return stmt_ann_assign(m->arena, s->at, s->ann_assign.target,
                               widen(w, s->ann_assign.annotation), s->ann_assign.value,
                               s->ann_assign.simple);
    if (s->kind != STMT_FUNCTION_DEF)
        return s;
    return stmt_function_def(m->arena, s->at, s->function_def.name, s->function_def.args,
                             s->function_def.body, s->function_def.decorator_list,
                             widen(w, s->function_def.returns), s->function_def.type_params);
}

// ---- the unit ----

static bool binds_float(const Widener *w, StmtList body)
{
    SymList bound = names_bound(w->arena, w->names, body);
    for (size_t i = 0; i < bound.len; i++)
        if (sym_is(bound.at[i], "float"))
            return true;
    return false;
}

const Unit *int_or_float_unit(Arena *a, Names *names, const Unit *unit, Widening what)
{
    Widener w = {a, names, what, table_new(a)};
    IrWalker walker = {.cx = &w, .stmt = find_kept};
    IrMapper m = {.arena = a, .cx = &w, .stmt = widen_stmt, .arg = widen_arg};
    EndpointList all = unit->endpoints.endpoints;
    for (size_t i = 0; i < all.len; i++)
        if (binds_float(&w, all.at[i]->body))
            return unit;
    ir_walk_unit(&walker, unit);
    return ir_map_unit(&m, unit);
}
