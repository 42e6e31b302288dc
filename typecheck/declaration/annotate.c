// annotate.c - from a type back to an annotation of the checked tree, for what has none in the
// source: the parameters and the result of a lambda.

#include <string.h>

#include "compiler/ir/ty.h"
#include "typecheck/internal.h"

typedef struct Writer { Program *p; Span at; } Writer;

static const Expr *type_expr(const Writer *w, const Ty *t);

static const Expr *dotted_name(const Writer *w, Sym name) {
    Arena *a = w->p->arena;
    Names *names = w->p->names;
    size_t n = strcspn(name, ".");
    const Expr *e = expr_name(a, w->at, names_intern(names, name, n), EXPR_CONTEXT_LOAD);
    while (name[n] == '.') {
        name += n + 1;
        n = strcspn(name, ".");
        e = expr_attribute(a, w->at, e, names_intern(names, name, n), EXPR_CONTEXT_LOAD);
    }
    return e;
}

// The types one after the other; false when one of them says nothing.
static bool type_exprs(const Writer *w, TyList types, ExprList *out) {
    const Expr **items = ARENA_ARRAY(w->p->arena, const Expr *, types.len + 1);
    for (size_t i = 0; i < types.len; i++)
        if ((items[i] = type_expr(w, types.at[i])) == NULL) return false;
    *out = (ExprList){items, types.len};
    return true;
}

static const Expr *subscript(const Writer *w, const Expr *base, ExprList items) {
    Arena *a = w->p->arena;
    const Expr *slice = items.len == 1 ? items.at[0]
                                       : expr_tuple(a, w->at, items, EXPR_CONTEXT_LOAD);
    return expr_subscript(a, w->at, base, slice, EXPR_CONTEXT_LOAD);
}

static const Expr *applied(const Writer *w, Sym name, TyList args) {
    ExprList items;
    if (!type_exprs(w, args, &items)) return NULL;
    const Expr *base = dotted_name(w, name);
    return items.len == 0 ? base : subscript(w, base, items);
}

// `list[int]`, `tuple[int, ...]`.
static const Expr *named_type(const Writer *w, const Ty *t) {
    Arena *a = w->p->arena;
    if (!ty_is_open_tuple(t->named.name, t->named.args))
        return applied(w, t->named.name, t->named.args);
    const Expr **two = ARENA_ARRAY(a, const Expr *, 2);
    two[0] = type_expr(w, t->named.args.at[0]);
    two[1] = expr_constant(a, w->at, const_ellipsis(a), NULL);
    return two[0] == NULL ? NULL
        : subscript(w, dotted_name(w, t->named.name), (ExprList){two, 2});
}

static const Expr *union_expr(const Writer *w, TyList types) {
    ExprList items;
    if (!type_exprs(w, types, &items) || items.len == 0) return NULL;
    const Expr *all = items.at[0];
    for (size_t i = 1; i < items.len; i++)
        all = expr_bin_op(w->p->arena, w->at, all, OPERATOR_BIT_OR, items.at[i]);
    return all;
}

static const Expr *callable_expr(const Writer *w, const Ty *t) {
    Arena *a = w->p->arena;
    ExprList params;
    if (!type_choreographic(t) || w->p->callable == NULL ||
        !type_exprs(w, t->callable.params, &params))
        return NULL;
    const Expr **two = ARENA_ARRAY(a, const Expr *, 2);
    two[0] = expr_list(a, w->at, params, EXPR_CONTEXT_LOAD);
    two[1] = type_expr(w, t->callable.result);
    return two[1] == NULL ? NULL : subscript(w, w->p->callable, (ExprList){two, 2});
}

static const Expr *inst_expr(const Writer *w, const Ty *t) {
    Decl *d = program_find(w->p, t->inst.name);
    return expr_inst(w->p->arena, w->at, dotted_name(w, t->inst.name), d->formals,
                     t->inst.actuals, (SymList){0});
}

static const Expr *any_expr(const Writer *w) {
    Sym any = names_get(w->p->names, "Any");
    return program_find(w->p, any) != NULL ? dotted_name(w, any) : NULL;
}

static const Expr *type_expr(const Writer *w, const Ty *t) {
    Arena *a = w->p->arena;
    if (t == NULL) return any_expr(w);
    switch (t->kind) {
    case TY_NONE_TYPE: return expr_constant(a, w->at, const_none(a), NULL);
    case TY_TYPE_VAR: return dotted_name(w, t->type_var.name);
    case TY_NAMED: return named_type(w, t);
    case TY_INST: return inst_expr(w, t);
    case TY_TUPLE:
        return t->tuple.items.len == 0 ? NULL
            : applied(w, names_get(w->p->names, "tuple"), t->tuple.items);
    case TY_UNION: return union_expr(w, t->union_.items);
    case TY_CALLABLE: return callable_expr(w, t);
    case TY_PLACED: return annotation_of(w->p, w->at, (LocType){t->placed.of, t->placed.at_roles});
    case TY_POISON: case TY_ANY: return any_expr(w);
    case TY_LITERAL: return ty_literal_expr(a, w->p->names, w->at, (TyList){&t, 1});
    case TY_COUNT: return NULL;
    }
    return NULL;
}

const Expr *annotation_of(Program *p, Span at, LocType type) {
    Writer w = {p, at};
    const Expr *e = type_expr(&w, type.ty);
    if (e == NULL || type.roles.len == 0) return e;
    return expr_located(p->arena, at, e, type.roles);
}
