// nest_sort.c - sorts: the places of all columns at once, by a function that goes through memory.

#include "compiler/pass/ad/nest_internal.h"

static bool is_whole(const Slot *p)
{
    for (size_t i = 0; i < p->index.len; i++)
        if (p->index.at[i] != NULL)
            return false;
    return !p->store->strip;
}

// Where all of it lies row by row: an array that is named so, or a copy.
static const Store *in_memory(Nest *n, const Expr *x)
{
    const Slot *p = x->kind == EXPR_NAME ? table_get(n->places, x->name.id) : NULL;
    if (p != NULL && is_whole(p))
        return p->store;
    const Store *keys = nest_store(n, "keys", term_elem(x), term_shape(x), false);
    Items copy = {0};
    vec_push(n->arena, &copy, ((Item){.term = x, .mode = MODE_SUM, .fresh = true,
                                      .to = nest_whole(n, keys)}));
    nest_block(n, copy);
    return keys;
}

// np.argsort_into(keys, rows, columns, order, work): `work` has twice as many ints as rows.
void nest_sort(Block *b, const Node *node)
{
    Nest *n = b->n;
    const Expr *x = node->item.term->arg_sort.array;
    TyList shape = term_shape(x);
    const Ty *columns = size_number(n->t, 1), *two = size_number(n->t, 2);
    for (size_t i = 1; i < shape.len; i++)
        columns = size_mul(n->t, columns, shape.at[i]);
    const Store *keys = in_memory(n, x), *order = nest_store(n, "order", ELEM_INT, shape, false);
    const Ty *twice[] = {two, shape.at[0]};
    const Store *work = nest_store(n, "work", ELEM_INT, (TyList){twice, 2}, false);
    const Expr **args = ARENA_ARRAY(n->arena, const Expr *, 5);
    args[0] = nest_array(n, keys, false);
    args[1] = nest_size(n, shape.at[0]);
    args[2] = nest_size(n, columns);
    args[3] = nest_array(n, order, false);
    args[4] = nest_array(n, work, false);
    const Expr *call = nest_np(n, "argsort_into", (ExprList){args, 5}, ELEM_INT);
    vec_push(n->arena, n->out, stmt_expr(n->arena, call->at, call));
    node->kept[0] = nest_whole(n, order);
}
