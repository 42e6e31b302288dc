// desugar_make.c - nodes of the desugared program. Each has the span of what it comes from.

#include "compiler/pass/desugar_internal.h"

#include <stdio.h>

const Ty *desugar_ty(Desugar *d, const char *name)
{
    return ty_named(d->arena, names_get(d->names, name), (TyList){0});
}

bool desugar_is(const Ty *t, const char *name)
{
    return t && t->kind == TY_NAMED && sym_is(t->named.name, name);
}

const Expr *desugar_typed(Desugar *d, const Expr *e, const Ty *ty)
{
    return ty == e->ty ? e : expr_with_ty(d->arena, e, ty, e->roles);
}

const Expr *desugar_name(Desugar *d, Span at, Sym name, const Ty *ty)
{
    return desugar_typed(d, expr_name(d->arena, at, name, EXPR_CONTEXT_LOAD), ty);
}

const Expr *desugar_int(Desugar *d, Span at, size_t n)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%zu", n);
    Text text = {arena_strndup(d->arena, digits, (size_t)len), (size_t)len};
    return desugar_typed(d, expr_constant(d->arena, at, const_int(d->arena, text), NULL),
                         desugar_ty(d, "int"));
}

const Expr *desugar_str(Desugar *d, Span at, const char *text)
{
    Text t = {text, strlen(text)};
    return desugar_typed(d, expr_constant(d->arena, at, const_str(d->arena, t), NULL),
                         desugar_ty(d, "str"));
}

const Expr *desugar_bool(Desugar *d, Span at, bool truth)
{
    return desugar_typed(d, expr_constant(d->arena, at, const_bool(d->arena, truth), NULL),
                         desugar_ty(d, "bool"));
}

const Expr *desugar_none(Desugar *d, Span at)
{
    return desugar_typed(d, expr_constant(d->arena, at, const_none(d->arena), NULL),
                         ty_none_type(d->arena));
}

ExprList desugar_list(Desugar *d, size_t n, const Expr *const *at)
{
    const Expr **copy = ARENA_ARRAY(d->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = at[i];
    return (ExprList){copy, n};
}

const Expr *desugar_call(Desugar *d, const Expr *func, ExprList args, const Ty *ty)
{
    if (func->ty == NULL)
        func = desugar_typed(d, func, desugar_callable(d, args, ty));
    return desugar_typed(d, expr_call(d->arena, func->at, func, args, (KeywordList){0}), ty);
}

const Expr *desugar_call1(Desugar *d, const char *builtin, const Expr *arg, const Ty *ty)
{
    return desugar_call(d, desugar_builtin(d, arg->at, builtin), desugar_list(d, 1, &arg), ty);
}

const Expr *desugar_attribute(Desugar *d, const Expr *base, Sym attr, const Ty *ty)
{
    return desugar_typed(d, expr_attribute(d->arena, base->at, base, attr, EXPR_CONTEXT_LOAD), ty);
}

const Expr *desugar_method(Desugar *d, const Expr *base, const char *method, ExprList args,
                           const Ty *ty)
{
    const Expr *func = desugar_attribute(d, base, names_get(d->names, method),
                                         desugar_callable(d, args, ty));
    return desugar_call(d, func, args, ty);
}

const Expr *desugar_item(Desugar *d, const Expr *base, const Expr *index, const Ty *ty)
{
    return desugar_typed(d, expr_subscript(d->arena, base->at, base, index, EXPR_CONTEXT_LOAD),
                         ty);
}

const Expr *desugar_compare(Desugar *d, const Expr *left, Cmpop op, const Expr *right)
{
    Cmpop *ops = ARENA_NEW(d->arena, Cmpop);
    *ops = op;
    return desugar_typed(d, expr_compare(d->arena, left->at, left, (CmpopList){ops, 1},
                                         desugar_list(d, 1, &right)), desugar_ty(d, "bool"));
}

const Expr *desugar_not(Desugar *d, const Expr *e)
{
    return desugar_typed(d, expr_unary_op(d->arena, e->at, UNARYOP_NOT, e),
                         desugar_ty(d, "bool"));
}

const Expr *desugar_bool_op(Desugar *d, Boolop op, const Expr *left, const Expr *right,
                            const Ty *ty)
{
    ExprVec values = {0};
    const Expr *both[] = {left, right};
    for (size_t i = 0; i < 2; i++) {
        bool same = both[i]->kind == EXPR_BOOL_OP && both[i]->bool_op.op == op;
        for (size_t j = 0; same && j < both[i]->bool_op.values.len; j++)
            vec_push(d->arena, &values, both[i]->bool_op.values.at[j]);
        if (!same)
            vec_push(d->arena, &values, both[i]);
    }
    return desugar_typed(d, expr_bool_op(d->arena, left->at, op,
                                         (ExprList){values.at, values.len}), ty);
}

const Ty *desugar_ty1(Desugar *d, const char *name, const Ty *arg)
{
    const Ty **args = ARENA_NEW(d->arena, const Ty *);
    *args = arg;
    return ty_named(d->arena, names_get(d->names, name), (TyList){args, 1});
}

const Expr *desugar_class(Desugar *d, Span at, const char *name)
{
    return desugar_typed(d, desugar_builtin(d, at, name),
                         desugar_ty1(d, "type", desugar_ty(d, name)));
}

// ---- statements ----

const Expr *desugar_length(Desugar *d, const Expr *e)
{
    return desugar_call1(d, "len", e, desugar_ty(d, "int"));
}

const Expr *desugar_from_end(Desugar *d, const Expr *e, size_t n)
{
    const Expr *place = expr_bin_op(d->arena, e->at, desugar_length(d, e), OPERATOR_SUB,
                                    desugar_int(d, e->at, n));
    return desugar_typed(d, place, desugar_ty(d, "int"));
}

const Expr *desugar_middle(Desugar *d, const Expr *items, size_t from, size_t behind,
                           const Ty *part, const Ty *ty)
{
    const Expr *slice = expr_slice(d->arena, items->at,
                                   from > 0 ? desugar_int(d, items->at, from) : NULL,
                                   behind > 0 ? desugar_from_end(d, items, behind) : NULL, NULL);
    slice = desugar_typed(d, slice, desugar_ty(d, "slice"));
    const Expr *some = desugar_item(d, items, slice, part);
    return desugar_is(items->ty, "list") ? some : desugar_call1(d, "list", some, ty);
}

void desugar_put(Desugar *d, const Stmt *s) { vec_push(d->arena, d->out, s); }

void desugar_set_as(Desugar *d, Span at, Sym name, const Expr *value, const Ty *ty)
{
    const Expr *target = desugar_typed(d, expr_name(d->arena, at, name, EXPR_CONTEXT_STORE), ty);
    desugar_put(d, stmt_assign(d->arena, at, desugar_list(d, 1, &target), value));
}

void desugar_set(Desugar *d, Span at, Sym name, const Expr *value)
{
    desugar_set_as(d, at, name, value, value->ty);
}

void desugar_call_stmt(Desugar *d, const Expr *call)
{
    desugar_put(d, stmt_expr(d->arena, call->at, call));
}

StmtList desugar_stmts(Desugar *d, Span at, Block block)
{
    if (block.len == 0)
        vec_push(d->arena, &block, stmt_pass(d->arena, at));
    return (StmtList){block.at, block.len};
}

void desugar_if(Desugar *d, Span at, const Expr *test, Block body, Block orelse)
{
    StmtList rest = {orelse.at, orelse.len};
    desugar_put(d, stmt_if(d->arena, at, test, desugar_stmts(d, at, body), rest));
}
