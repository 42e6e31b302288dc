// nest_repeat.c - arrays of which all rows are the same numbers: the columns of a Jacobian by what
// each row reads as a whole. Some rows are computed, and copied to all places: a C compiler makes
// one copy of memory of that, which does not read first what it overwrites.
//
//     rows[r, j] = f(j) for r in range(16)
//     to[i * n + q] = rows[q] for i in range(0, c, 16) for q in range(min(16, c - i) * n)

#include "compiler/pass/ad/nest_internal.h"

enum { AT_ONCE = 16, LARGEST = 4096 };      // rows; elements of one

// It has no array, and nothing that is computed by rounds or in a call.
static bool is_counted(Terms *t, const Expr *e)
{
    ExprList order = term_order(t, term_list(t, e, NULL));
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->kind == EXPR_REDUCE || order.at[i]->kind == EXPR_LOOP ||
            (order.at[i]->kind == EXPR_NAME && term_rank(order.at[i]) > 0) ||
            (order.at[i]->kind == EXPR_CALL && !term_is_iota(order.at[i])))
            return false;
    return true;
}

// How many elements a row has; 0: that is not known, or too many.
static int64_t row_elements(Terms *t, TyList shape)
{
    int64_t all = 1, size;
    for (size_t i = 1; i < shape.len; i++) {
        if (!poly_is_number(size_poly(t, shape.at[i]), &size) || size < 1 || size > LARGEST)
            return 0;
        all *= size;
        if (all > LARGEST)
            return 0;
    }
    return all;
}

// The row; NULL: rows differ, are one element, or there is a known number of them.
static const Expr *repeated(Nest *n, const Item *item)
{
    TyList shape = term_shape(item->term);
    int64_t count;
    if (item->mode != MODE_SUM || shape.len < 2 || item->to.store->through != NULL ||
        row_elements(n->t, shape) < 2 || poly_is_number(size_poly(n->t, shape.at[0]), &count))
        return NULL;
    const Expr *v = term_variable(n->t), *row = pull_at(n, item->term, v);
    return !term_has(n->t, row, v) && is_counted(n->t, row) ? row : NULL;
}

static const Expr *element(Nest *n, const Store *of, const Expr *at, bool store)
{
    const Expr **place = ARENA_NEW(n->arena, const Expr *);
    Store *flat = ARENA_NEW(n->arena, Store);
    *flat = *of;
    flat->shape = (TyList){of->shape.at, 1};
    *place = term_variable(n->t);
    table_set(n->values, place[0]->name.id, (void *)at);
    return nest_element(n, (Slot){flat, {place, 1}}, store);
}

static void copy(Nest *n, const Store *to, const Store *rows, int64_t elements)
{
    Stmts each = {0}, some = {0}, *outer = n->out;
    Sym i = nest_name(n, "i"), q = nest_name(n, "q"), w = nest_name(n, "w");
    const Expr *first = nest_var(n, i, ELEM_INT, false), *own = nest_var(n, q, ELEM_INT, false);
    const Expr *size = nest_size(n, to->shape.at[0]), *len = nest_int(n, elements);
    const Expr *left = nest_min(n, nest_int(n, AT_ONCE),
                                nest_binary(n, size, OPERATOR_SUB, first));
    const Expr *at = nest_binary(n, nest_binary(n, first, OPERATOR_MULT, len), OPERATOR_ADD, own);
    n->out = &some;
    nest_assign(n, nest_var(n, w, ELEM_INT, true), nest_binary(n, left, OPERATOR_MULT, len));
    n->out = &each;
    nest_assign(n, element(n, to, at, true), element(n, rows, own, false));
    n->out = &some;
    nest_loop(n, q, nest_int(n, 0), nest_var(n, w, ELEM_INT, false), 1, each);
    n->out = outer;
    nest_loop(n, i, nest_int(n, 0), size, AT_ONCE, some);
}

static void repeat(Nest *n, const Item *item, const Expr *row)
{
    const Ty *some = size_number(n->t, AT_ONCE);
    const Expr *all = term_replicate(n->t, some, row);
    const Store *rows = nest_store(n, "rows", term_elem(all), term_shape(all), false);
    Items first = {0};
    vec_push(n->arena, &first, ((Item){.term = all, .mode = MODE_SUM, .fresh = true,
                                       .to = nest_whole(n, rows)}));
    nest_block(n, first);
    copy(n, item->to.store, rows, row_elements(n->t, term_shape(all)));
}

static void repeat_if_asked(Nest *n, const Item *item, const Expr *row)
{
    const Store *s = nest_optional(n, item);
    Stmts body = {0}, *outer = n->out;
    if (s != NULL)
        n->out = &body;
    repeat(n, item, row);
    n->out = outer;
    if (s != NULL)
        nest_if_asked(n, s, body);
}

void nest_repeat(Nest *n, Items *items)
{
    Items left = {0};
    for (size_t i = 0; i < items->len; i++) {
        const Expr *row = repeated(n, &items->at[i]);
        if (row != NULL)
            repeat_if_asked(n, &items->at[i], row);
        else
            vec_push(n->arena, &left, items->at[i]);
    }
    *items = left;
}
