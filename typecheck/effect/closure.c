// closure.c - functions that make functions with something in common, which these change.

#include "typecheck/internal.h"

typedef struct Search { Program *p; bool found; } Search;

static bool makes_mutable(const Expr *e) {
    ExprKind k = e->kind;
    return k == EXPR_LIST || k == EXPR_DICT || k == EXPR_SET || k == EXPR_CALL ||
        k == EXPR_LIST_COMP || k == EXPR_DICT_COMP || k == EXPR_SET_COMP;
}

static bool any_mutable(Program *p, ExprList list) {
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] != NULL && makes_mutable(list.at[i]) && type_mutable(p, list.at[i]->ty))
            return true;
    return false;
}

static bool find_change(void *cx, const Expr *e) {
    static const char *const CHANGING[] = {
        "append", "add", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft",
        "appendleft", "remove", "reverse", "setdefault", "sort", "update", NULL};
    bool *found = cx;
    *found |= (e->kind == EXPR_SUBSCRIPT && e->subscript.ctx != EXPR_CONTEXT_LOAD) ||
        (e->kind == EXPR_ATTRIBUTE && (e->attribute.ctx != EXPR_CONTEXT_LOAD ||
                                       sym_is_one_of(e->attribute.attr, CHANGING))) ||
        (e->kind == EXPR_NAME && sym_is(e->name.id, "next"));
    return !*found;
}

static bool find_nested(void *cx, const Stmt *s) {
    Search *all = cx;
    if (s->kind == STMT_NONLOCAL) all->found = true;
    if (all->found || s->kind != STMT_FUNCTION_DEF) return !all->found;
    IrWalker w = {.cx = &all->found, .expr = find_change};
    ir_walk_stmts(&w, s->function_def.body);
    all->found |= any_mutable(all->p, s->function_def.args->defaults) ||
        any_mutable(all->p, s->function_def.args->kw_defaults);
    return !all->found;
}

static bool find_lambda(void *cx, const Expr *e) {
    Search *all = cx;
    if (all->found || e->kind != EXPR_LAMBDA) return !all->found;
    IrWalker w = {.cx = &all->found, .expr = find_change};
    ir_walk_expr(&w, e->lambda.body);
    return !all->found;
}

// A value of which no part is a function.
static bool is_plain(const Ty *t) {
    static const char *const PLAIN[] = {"bool", "int", "float", "complex", "str", "bytes", "list",
                                        "dict", "set", "frozenset", "tuple", NULL};
    if (t == NULL) return false;
    if (t->kind == TY_NONE_TYPE) return true;
    bool named = t->kind == TY_NAMED && sym_is_one_of(t->named.name, PLAIN);
    if (t->kind != TY_TUPLE && !named) return false;
    TyList parts = t->kind == TY_TUPLE ? t->tuple.items : t->named.args;
    for (size_t i = 0; i < parts.len; i++)
        if (!is_plain(parts.at[i])) return false;
    return true;
}

bool closure_makes(Program *p, const Stmt *def) {
    if (def == NULL || def->kind != STMT_FUNCTION_DEF) return false;
    const Expr *returns = def->function_def.returns;
    if (returns != NULL && is_plain(annotation_local(p, returns))) return false;
    Search s = {p, false};
    IrWalker w = {.cx = &s, .stmt = find_nested, .expr = find_lambda};
    ir_walk_stmts(&w, def->function_def.body);
    return s.found;
}
