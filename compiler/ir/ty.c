// ty.c - literal types: those side by side in a union are written in one pair of brackets.

#include "compiler/ir/ty.h"

#include "compiler/base/arena.h"

size_t ty_literal_run(TyList of, size_t from)
{
    size_t n = 0;
    while (from + n < of.len && of.at[from + n]->kind == TY_LITERAL)
        n++;
    return n;
}

const Expr *ty_literal_expr(Arena *a, Names *names, Span at, TyList of)
{
    const Expr **items = ARENA_ARRAY(a, const Expr *, of.len);
    for (size_t i = 0; i < of.len; i++)
        items[i] = expr_constant(a, at, of.at[i]->literal.value, NULL);
    const Expr *base = expr_name(a, at, names_get(names, "Literal"), EXPR_CONTEXT_LOAD);
    const Expr *slice = of.len == 1
        ? items[0] : expr_tuple(a, at, (ExprList){items, of.len}, EXPR_CONTEXT_LOAD);
    return expr_subscript(a, at, base, slice, EXPR_CONTEXT_LOAD);
}
