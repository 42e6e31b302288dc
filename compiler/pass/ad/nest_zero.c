// nest_zero.c - derivatives that are 0 by construction: what a parameter does not move. In a strip
// their rounds are left out: one test for all lanes.
//
// Only arrays that the value is not made of are looked at. There a product with 0 is 0 whatever the
// other factor is (gradient.c); in the value, 0 times infinity is NaN.

#include "compiler/pass/ad/nest_internal.h"

static bool is_zero(const Expr *e)
{
    const Const *number = term_filled_with(e);
    return number != NULL && number->kind == CONST_FLOAT && number->number == 0.0;
}

// By those of its parts, which have been looked at.
static bool has_zeros_here(Nest *n, const Expr *e)
{
    ExprList parts = term_parts(n->t, e);
    size_t with = 0;
    if (e->kind == EXPR_ONE_HOT)
        return term_rank(e) > 0;
    for (size_t i = 0; i < parts.len; i++)
        with += is_zero(parts.at[i]) || table_get(n->zeros, parts.at[i]) != NULL;
    switch ((int)e->kind) {
    case EXPR_BIN_OP: return e->bin_op.op == OPERATOR_MULT ? with > 0 : with == 2;
    case EXPR_STACK: case EXPR_UNARY_OP: case EXPR_REDUCE: case EXPR_TRANSPOSE: case EXPR_RESHAPE:
    case EXPR_REPLICATE: case EXPR_SUBSCRIPT: case EXPR_GATHER: case EXPR_SCATTER:
        return with > 0;
    }
    return false;
}

bool nest_has_zeros(Nest *n, const Expr *e)
{
    ExprList order = term_order(n->t, term_list(n->t, e, NULL));
    if (table_get(n->value, e) != NULL || term_rank(e) == 0)
        return false;
    for (size_t i = 0; i < order.len; i++)
        if (has_zeros_here(n, order.at[i]))
            table_set(n->zeros, order.at[i], n);
    return table_get(n->zeros, e) != NULL;
}

void nest_note_value(Nest *n, const Expr *root)
{
    ExprList order = term_order(n->t, term_list(n->t, root, NULL));
    for (size_t i = 0; i < order.len; i++)
        table_set(n->value, order.at[i], n);
}

static const Expr *zero_factor(Nest *n, const Expr *e)
{
    if (e->kind == EXPR_UNARY_OP)
        return zero_factor(n, e->unary_op.operand);
    if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MULT) {
        const Expr *left = zero_factor(n, e->bin_op.left);
        return left != NULL ? left : zero_factor(n, e->bin_op.right);
    }
    const Expr *array = e->kind == EXPR_SUBSCRIPT ? e->subscript.value
                        : e->kind == EXPR_GATHER  ? e->gather.array : NULL;
    if (array == NULL || array->kind != EXPR_NAME || term_rank(e) > 0 || in_strip(n, e))
        return NULL;
    const Slot *place = table_get(n->places, array->name.id);
    return place != NULL && place->store->zeros ? e : NULL;
}

ExprList nest_zero_factors(Nest *n, const Items *items)
{
    Exprs factors = {0};
    for (size_t i = 0; i < items->len; i++) {
        const Expr *factor = zero_factor(n, items->at[i].term);
        if (factor == NULL)
            return (ExprList){NULL, 0};
        size_t k = 0;
        while (k < factors.len && factors.at[k] != factor)
            k++;
        if (k == factors.len)
            vec_push(n->arena, &factors, factor);
    }
    return (ExprList){factors.at, factors.len};
}
