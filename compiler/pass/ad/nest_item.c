// nest_item.c - what the items of a loop do in one round.

#include "compiler/pass/ad/nest_internal.h"

// Contractions in a strip: sums of numbers for each lane, with nothing else between.
bool nest_is_contraction(Nest *n, const Items *items)
{
    for (size_t i = 0; i < items->len; i++) {
        const Item *item = &items->at[i];
        if (item->mode != MODE_SUM || item->fresh || item->reduced > 0 || item->at.len > 0 ||
            term_rank(item->term) > 0 || !nest_moves(n, item->to) || item->to.store->elem !=
            ELEM_FLOAT)
            return false;
    }
    return n->strip != NULL && items->len > 0;
}

// How many loops are inside of a round.
static size_t loops_inside(Nest *n, const Item *item)
{
    size_t most = term_rank(item->term);
    ExprList order = term_order(n->t, term_list(n->t, item->term, NULL));
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->kind == EXPR_REDUCE && term_rank(order.at[i]->reduce.array) > most)
            most = term_rank(order.at[i]->reduce.array);
    return order.len > 40 ? SIZE_MAX : most;
}

bool nest_is_at_variable(Nest *n, const Item *item, const Expr *v)
{
    for (size_t k = 0; k < item->to.index.len; k++)
        if (item->to.index.at[k] != NULL && term_has(n->t, item->to.index.at[k], v))
            return true;
    return false;
}

// Rounds of a strip that have one loop inside, and there a sum, or add to the same places of each
// lane: some are done at once, so that what does not change from round to round is read once. A sum
// over the lanes has a loop of its own in each round, which gains nothing.
bool nest_is_jammed(Nest *n, const Items *items, const Expr *v)
{
    size_t most = 0;
    bool sums = false;
    for (size_t i = 0; i < items->len; i++) {
        const Item *item = &items->at[i];
        size_t inside = loops_inside(n, item);
        if (item->mode != MODE_SUM || item->at.len > 0 || item->to.store->elem != ELEM_FLOAT)
            return false;
        most = inside > most ? inside : most;
        sums = sums || term_rank(item->term) < inside ||
               (inside > 0 && !item->fresh && !nest_is_at_variable(n, item, v) &&
                nest_moves(n, item->to));
    }
    return n->strip != NULL && !n->jammed && n->depth == 1 && most == 1 && sums;
}

static ExprList list_with(Terms *t, ExprList list, ExprList from, ExprList to)
{
    const Expr **at = ARENA_ARRAY(terms_arena(t), const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = list.at[i] == NULL ? NULL : term_with(t, list.at[i], from, to);
    return (ExprList){at, list.len};
}

Item nest_at_variable(Nest *n, Item item, const Expr *v, const Expr *new)
{
    ExprList from = {&v, 1}, to = {&new, 1};
    item.term = term_with(n->t, item.term, from, to);
    item.at = list_with(n->t, item.at, from, to);
    item.to.index = list_with(n->t, item.to.index, from, to);
    item.best.index = list_with(n->t, item.best.index, from, to);
    return item;
}
