// capture.c - what the value of a replicated expression shares with replicated objects: who alone
// gets it, or calls it, must not change them (docs/language.md, "Replicated values stay equal").

#include <string.h>

#include "typecheck/expression/operands.h"

// ---- functions ----

// Of the roles of the whole; `params` hide what is outside.
typedef struct Capture { Program *p; const Arguments *params; bool found; } Capture;

bool expr_is_param(const Arguments *a, Sym name) {
    ArgList lists[] = {a->posonlyargs, a->args, a->kwonlyargs};
    for (int i = 0; i < 3; i++)
        for (size_t j = 0; j < lists[i].len; j++)
            if (lists[i].at[j]->arg == name) return true;
    return (a->vararg != NULL && a->vararg->arg == name) ||
        (a->kwarg != NULL && a->kwarg->arg == name);
}

static bool find_capture(void *cx, const Expr *e);

// A name, or a path from one, of which only something immutable is taken.
static void skip_path(Capture *c, const Expr *e) {
    IrWalker w = {.cx = c, .expr = find_capture};
    while (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT) {
        if (e->kind == EXPR_SUBSCRIPT) ir_walk_expr(&w, e->subscript.slice);
        e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e->subscript.value;
    }
    if (e->kind != EXPR_NAME) ir_walk_expr(&w, e);
}

// A call that only reads what it is given, for a result that is no part of it.
static bool only_reads(const Capture *c, const Expr *e) {
    const Expr *f = e->call.func;
    if (type_mutable(c->p, e->ty)) return false;
    if (f->kind == EXPR_ATTRIBUTE) return method_pure(f->attribute.value->ty, f->attribute.attr);
    return f->kind == EXPR_NAME && program_find(c->p, f->name.id) == NULL &&
        builtin_deterministic(f->name.id);
}

static bool find_capture(void *cx, const Expr *e) {
    Capture *c = cx;
    if (c->found) return false;
    bool path = e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT;
    if (path && !type_mutable(c->p, e->ty)) {
        skip_path(c, e);
        return false;
    }
    if (e->kind == EXPR_CALL && e->call.func->kind != EXPR_INST && only_reads(c, e)) {
        if (e->call.func->kind == EXPR_ATTRIBUTE) skip_path(c, e->call.func->attribute.value);
        for (size_t i = 0; i < e->call.args.len; i++) skip_path(c, e->call.args.at[i]);
        IrWalker w = {.cx = c, .expr = find_capture};
        for (size_t i = 0; i < e->call.keywords.len; i++)
            ir_walk_expr(&w, e->call.keywords.at[i]->value);
        return false;
    }
    if (e->kind == EXPR_COMPARE) {
        skip_path(c, e->compare.left);
        for (size_t i = 0; i < e->compare.comparators.len; i++)
            skip_path(c, e->compare.comparators.at[i]);
        return false;
    }
    if (e->kind == EXPR_NAME && e->roles.len > 1 && e->name.ctx == EXPR_CONTEXT_LOAD)
        c->found = !expr_is_param(c->params, e->name.id) && type_mutable(c->p, e->ty) &&
            table_get(c->p->uses, table_key(e->at.start)) == NULL && !builtin_exists(e->name.id);
    return !c->found;
}

bool lambda_captures(Program *p, const Expr *lambda) {
    Capture c = {.p = p, .params = lambda->lambda.args};
    IrWalker w = {.cx = &c, .expr = find_capture};
    ir_walk_expr(&w, lambda->lambda.body);
    return c.found;
}

bool bound_method_changes(Program *p, const Expr *e) {
    if (e->kind != EXPR_ATTRIBUTE || e->roles.len < 2 || !type_unknown(e->ty)) return false;
    const Ty *t = e->attribute.value->ty;
    if (t == NULL || t->kind != TY_NAMED || !type_mutable(p, t)) return false;
    if (method_exists(t, e->attribute.attr)) return !method_pure(t, e->attribute.attr);
    for (Decl *d = program_find(p, t->named.name); d != NULL; d = program_local_base(p, d)) {
        const Stmt *m = d->kind == DECL_LOCAL_CLASS ? table_get(d->members, e->attribute.attr)
                                                     : NULL;
        if (m != NULL && m->kind == STMT_FUNCTION_DEF)
            return !def_has_decorator(m, "property") && !def_has_decorator(m, "staticmethod");
    }
    return false;
}

// ---- objects that operators may change ----

// A class of the file with special methods: an operator calls them, and they may change the object.
static bool operators_act(Program *p, const Ty *t) {
    if (t == NULL) return false;
    TyList parts = t->kind == TY_NAMED ? t->named.args : t->kind == TY_TUPLE ? t->tuple.items
        : t->kind == TY_UNION ? t->union_.items : (TyList){0};
    for (size_t i = 0; i < parts.len; i++)
        if (operators_act(p, parts.at[i])) return true;
    Decl *d = t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
    for (; d != NULL && d->kind == DECL_LOCAL_CLASS; d = program_local_base(p, d)) {
        StmtList body = d->stmt->class_def.body;
        for (size_t i = 0; i < body.len; i++) {
            Sym name = body.at[i]->kind == STMT_FUNCTION_DEF ? body.at[i]->function_def.name : NULL;
            if (name != NULL && strncmp(name, "__", 2) == 0 && !sym_is(name, "__init__") &&
                !sym_is(name, "__post_init__"))
                return true;
        }
    }
    return false;
}

const Expr *expr_own_object(Scope *sc, const Expr *e, SymList roles) {
    return e->roles.len > roles.len && operators_act(sc->p, e->ty) ? expr_own(sc, e, roles) : e;
}

void kids_own_objects(Scope *sc, Kids *k) {
    for (size_t i = 0; i < k->len && !k->bad; i++)
        if (k->at[i] != NULL) k->at[i] = expr_own_object(sc, k->at[i], k->roles);
}
