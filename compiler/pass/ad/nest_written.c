// nest_written.c - rounds of a loop that are written out one by one: then what they decide is
// known, and a C compiler sees what lies together.

#include "compiler/pass/ad/nest_internal.h"

bool nest_has_loops(Nest *n, const Expr *e)
{
    ExprList order = term_order(n->t, term_list(n->t, e, NULL));
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->kind == EXPR_REDUCE || order.at[i]->kind == EXPR_SCATTER)
            return true;
    return false;
}

// What the rounds of a strip put there lies apart, and what these rounds do side by side.
static bool lies_along(Nest *n, const Item *item, const Expr *v)
{
    size_t rank = item->to.index.len;
    return n->strip != NULL && rank > 1 && !item->to.store->strip &&
           item->to.index.at[rank - 1] == v && nest_moves(n, item->to);
}

// Whether so many rounds compute only few numbers for each lane, and no sum.
static bool is_short(Nest *n, const Items *items, int64_t count)
{
    enum { FEW = 4, NUMBERS = 96 };
    for (size_t i = 0; i < items->len; i++) {
        TyList shape = term_shape(items->at[i].term);
        int64_t all = count, size = 0;
        for (size_t k = 0; k < shape.len && all <= NUMBERS; k++)
            all = poly_is_number(size_poly(n->t, shape.at[k]), &size) ? all * size : INT64_MAX;
        if (all > NUMBERS || items->at[i].at.len > 0 || nest_has_loops(n, items->at[i].term))
            return false;
    }
    return n->strip != NULL && count <= FEW;
}

int64_t nest_written_rounds(Nest *n, const Ty *size, const Expr *v, const Items *items)
{
    enum { ALONG = 32, DECIDED = 16, TERMS = 6000 };
    Terms *t = n->t;
    Exprs roots = {0};
    int64_t count;
    if (!poly_is_number(size_poly(t, size), &count) || count > ALONG)
        return 0;
    bool written = count == 1 || is_short(n, items, count);
    for (size_t i = 0; i < items->len; i++) {
        vec_push(n->arena, &roots, items->at[i].term);
        written = written || lies_along(n, &items->at[i], v);
    }
    ExprList order = term_order(t, (ExprList){roots.at, roots.len});
    for (size_t i = 0; i < order.len && !written && count <= DECIDED; i++)
        written = nest_is_decided(n, order.at[i], v);
    return written && order.len * (size_t)count <= TERMS ? count : 0;
}
