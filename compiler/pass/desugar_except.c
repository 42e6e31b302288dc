// desugar_except.c - the names of exceptions: one that the function uses for something else, too,
// is a variable of its own in the handler.
//
//     except ValueError as e:         except ValueError as e_2:
//         print(e)                        try: del e
//     for e in edges: ..                  except NameError: pass
//                                         print(e_2)
//
// Behind the handler `e` has no value, as in Python, whatever it had before.

#include "compiler/pass/desugar_internal.h"

#include "compiler/ir/free_names.h"

typedef struct Renaming {
    Desugar *d;
    Sym from, to;
    bool bound;                 // something within binds it
} Renaming;

static bool note_bound(void *cx, const Expr *e)
{
    Renaming *r = cx;
    r->bound |= e->kind == EXPR_NAME && e->name.id == r->from && e->name.ctx != EXPR_CONTEXT_LOAD;
    return true;
}

static bool note_param(void *cx, const Arg *arg)
{
    Renaming *r = cx;
    r->bound |= arg->arg == r->from;
    return true;
}

// What a body binds, and not what functions and classes in it do.
static void note_names(Renaming *r, StmtList body)
{
    SymList names = names_bound(r->d->arena, r->d->names, body);
    for (size_t i = 0; i < names.len; i++)
        r->bound |= names.at[i] == r->from;
}

static bool note_scope(void *cx, const Stmt *s)
{
    if (s->kind == STMT_FUNCTION_DEF)
        note_names(cx, s->function_def.body);
    else if (s->kind == STMT_CLASS_DEF)
        note_names(cx, s->class_def.body);
    return true;
}

static bool is_bound_in(Desugar *d, Sym name, StmtList body)
{
    Renaming r = {.d = d, .from = name};
    IrWalker w = {.cx = &r, .expr = note_bound, .arg = note_param, .stmt = note_scope};
    note_names(&r, body);
    ir_walk_stmts(&w, body);
    return r.bound;
}

static const Expr *renamed(IrMapper *m, const Expr *e)
{
    const Renaming *r = m->cx;
    if (e->kind != EXPR_NAME || e->name.id != r->from)
        return e;
    return expr_with_ty(m->arena, expr_name(m->arena, e->at, r->to, e->name.ctx), e->ty, e->roles);
}

// try: del name
// except NameError: pass
static const Stmt *forget(Desugar *d, Span at, Sym name)
{
    const Expr *targets[] = {expr_name(d->arena, at, name, EXPR_CONTEXT_DEL)};
    const Stmt **body = ARENA_NEW(d->arena, const Stmt *), **pass;
    *body = stmt_delete(d->arena, at, desugar_list(d, 1, targets));
    pass = ARENA_NEW(d->arena, const Stmt *);
    *pass = stmt_pass(d->arena, at);
    const Expr *type = desugar_class(d, at, "NameError");
    const Excepthandler **one = ARENA_NEW(d->arena, const Excepthandler *);
    *one = excepthandler_with_ty(d->arena,
                                 excepthandler_except_handler(d->arena, at, type, NULL,
                                                              (StmtList){pass, 1}),
                                 desugar_instance_ty(d, type));
    return stmt_try(d->arena, at, (StmtList){body, 1}, (ExcepthandlerList){one, 1}, (StmtList){0},
                    (StmtList){0});
}

Sym desugar_caught(Desugar *d, const Excepthandler *h, StmtList *body)
{
    Sym name = h->except_handler.name;
    *body = h->except_handler.body;
    if (name == NULL || d->scope->stored == NULL || !table_get(d->scope->stored, name)
        || is_bound_in(d, name, *body))
        return name;
    Renaming r = {.d = d, .from = name, .to = desugar_fresh(d, name)};
    IrMapper m = {.arena = d->arena, .cx = &r, .expr = renamed};
    StmtList inside = ir_map_stmts(&m, *body);
    Block all = {0};
    vec_push(d->arena, &all, forget(d, h->at, name));
    for (size_t i = 0; i < inside.len; i++)
        vec_push(d->arena, &all, inside.at[i]);
    *body = (StmtList){all.at, all.len};
    return r.to;
}

// ---- what a function stores otherwise ----

static bool note_stored(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD)
        table_set(cx, e->name.id, cx);
    return e->kind != EXPR_LAMBDA;
}

static bool is_of_function(void *cx, const Stmt *s)
{
    (void)cx;
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

Table *desugar_stored(Desugar *d, StmtList body)
{
    Table *stored = table_new(d->arena);
    IrWalker w = {.cx = stored, .expr = note_stored, .stmt = is_of_function};
    ir_walk_stmts(&w, body);
    return stored;
}
