// nest_zero.c - derivatives that are 0 by construction: what a parameter does not move. In a strip
// their rounds are left out: one test for all lanes. Whether all numbers of a row are 0 is found
// out once, in front of the strips.
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

// ---- rows ----

static ExprList place_of(const Expr *e)
{
    return e->kind == EXPR_GATHER ? e->gather.place : e->subscript.slice->tuple.elts;
}

static const Expr *array_of(const Expr *e)
{
    return e->kind == EXPR_GATHER ? e->gather.array : e->subscript.value;
}

// The store of which the factors are a row: elements that differ in the last index.
static const Store *store_of_row(Nest *n, ExprList factors)
{
    const Expr *array = array_of(factors.at[0]);
    const Slot *slot = table_get(n->places, array->name.id);
    ExprList place = place_of(factors.at[0]);
    TyList shape = slot->store->shape;
    int64_t count;
    bool row = n->before != NULL && factors.len > 1 && shape.len == place.len && shape.len > 1 &&
               poly_is_number(size_poly(n->t, shape.at[shape.len - 1]), &count) &&
               count == (int64_t)factors.len;
    for (size_t i = 0; i < slot->index.len; i++)
        row = row && slot->index.at[i] == NULL;
    for (size_t i = 0; i < factors.len && row; i++) {
        ExprList other = place_of(factors.at[i]);
        row = array_of(factors.at[i]) == array &&
              nest_range_test(n, other, term_shape(array)) == NULL;
        for (size_t k = 0; k + 1 < place.len && row; k++)
            row = other.at[k] == place.at[k];
    }
    return row ? slot->store : NULL;
}

static const Expr *is_not_zero(Nest *n, const Expr *x)
{
    const Expr *zero = expr_with_ty(n->arena, term_float(n->t, 0.0), nest_ty(n, ELEM_FLOAT),
                                    (SymList){NULL, 0});
    return nest_compare(n, x, CMPOP_NOT_EQ, zero);
}

static void fill_moved(Nest *n, const Store *of, const Store *moved)
{
    Exprs row = {0};
    Vec(Sym) counters = {0};
    Stmts body = {0}, *outer = n->out;
    const Expr *any = NULL;
    for (size_t i = 0; i < moved->shape.len; i++) {
        vec_push(n->arena, &row, term_variable(n->t));
        vec_push(n->arena, &counters, nest_name(n, "p"));
        table_set(n->values, row.at[i]->name.id,
                  (void *)nest_var(n, counters.at[i], ELEM_INT, false));
    }
    ExprList at = {row.at, row.len};
    size_t count = (size_t)size_poly(n->t, of->shape.at[row.len]).at[0].factor;
    for (size_t k = 0; k < count; k++) {
        ExprList place = term_join(n->t, at, term_list(n->t, term_int(n->t, (int64_t)k), NULL));
        const Expr *test = is_not_zero(n, nest_element(n, (Slot){of, place}, false));
        any = any == NULL ? test : nest_binary(n, any, OPERATOR_BIT_OR, test);
    }
    n->out = &body;
    nest_assign(n, nest_element(n, (Slot){moved, at}, true), any);
    for (size_t i = row.len; i-- > 0;) {
        Stmts loop = {0};
        n->out = &loop;
        nest_loop(n, counters.at[i], nest_int(n, 0), nest_size(n, moved->shape.at[i]), 1, body);
        body = loop;
    }
    n->out = outer;
    vec_push(n->arena, n->before, body.at[0]);
}

const Expr *nest_row_moves(Nest *n, ExprList factors)
{
    const Store *of = store_of_row(n, factors);
    if (of == NULL)
        return NULL;
    size_t rank = of->shape.len - 1;
    Store *moved = table_get(n->moved, of->name);
    if (moved == NULL) {
        moved = nest_store(n, "moved", ELEM_BOOL, (TyList){of->shape.at, rank}, false);
        table_set(n->moved, of->name, moved);
        fill_moved(n, of, moved);
    }
    return nest_element(n, (Slot){moved, {place_of(factors.at[0]).at, rank}}, false);
}
