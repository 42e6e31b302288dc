// nest_loop.c - rounds that hand arrays on: the states are arrays that each round makes anew; what
// it keeps of itself is a row of an array.

#include "compiler/pass/ad/nest_internal.h"

// Tests of the number of the round are decided.
static Item put_into(Nest *n, const Expr *term, Slot to)
{
    return (Item){.term = nest_decided(n, term), .mode = MODE_SUM, .fresh = true, .to = to};
}

static Slot new_slot(Nest *n, const Expr *like, const Ty *rounds)
{
    TyList shape = term_shape(like);
    if (rounds != NULL)
        shape = shape_cons(n->t, rounds, shape);
    return nest_whole(n, nest_store(n, rounds != NULL ? "kept" : "state", term_elem(like), shape,
                                    false));
}

static void name_slot(Nest *n, const Expr *name, Slot slot)
{
    Slot *p = ARENA_NEW(n->arena, Slot);
    *p = slot;
    table_set(n->places, name->name.id, p);
}

// A state that only grows, and that nothing else reads, is added to where it is; NULL: it is none.
static const Expr *grows_by(Terms *t, const TermLoop *l, size_t k)
{
    const Expr *state = l->states.at[k], *next = l->next.at[k];
    if (next->kind != EXPR_BIN_OP || next->bin_op.op != OPERATOR_ADD ||
        next->bin_op.left != state || term_has(t, next->bin_op.right, state) ||
        term_elem(state) != ELEM_FLOAT)
        return NULL;
    for (size_t i = 0; i < l->next.len; i++)
        if (i != k && term_has(t, l->next.at[i], state))
            return NULL;
    for (size_t i = 0; i < l->records.len; i++)
        if (term_has(t, l->records.at[i], state))
            return NULL;
    return next->bin_op.right;
}

// What one round computes, then the states change.
static void round_body(Nest *n, const TermLoop *l, const Slot *kept)
{
    Items items = {0}, moves = {0};
    for (size_t i = 0; i < l->records.len; i++)
        vec_push(n->arena, &items,
                 put_into(n, l->records.at[i], nest_part(n, kept[l->states.len + i], l->index, 0)));
    for (size_t i = 0; i < l->states.len; i++) {
        const Expr *state = l->states.at[i];
        const Expr *more = grows_by(n->t, l, i);
        if (more != NULL)
            vec_push(n->arena, &items, ((Item){.term = nest_decided(n, more), .mode = MODE_SUM,
                                               .to = kept[i]}));
        if (l->next.at[i] == state || more != NULL)
            continue;
        Slot next = new_slot(n, state, NULL);
        const Expr *name = term_name(n->t, names_format(n->t->names, ".%u", ++n->loops), state->ty);
        name_slot(n, name, next);
        vec_push(n->arena, &items, put_into(n, l->next.at[i], next));
        vec_push(n->arena, &moves, put_into(n, name, kept[i]));
    }
    nest_block(n, items);
    nest_block(n, moves);
}

void nest_rounds(Block *b, const Node *node)
{
    Nest *n = b->n;
    TermLoop l = term_open_loop(n->t, node->item.term);
    Items first = {0};
    for (size_t i = 0; i < l.states.len; i++) {
        if (node->kept[i].store == NULL)
            node->kept[i] = new_slot(n, l.states.at[i], NULL);
        name_slot(n, l.states.at[i], node->kept[i]);
        vec_push(n->arena, &first, put_into(n, l.before.at[i], node->kept[i]));
    }
    for (size_t i = 0; i < l.records.len; i++)
        if (node->kept[l.states.len + i].store == NULL)
            node->kept[l.states.len + i] = new_slot(n, l.records.at[i], l.size);
    nest_block(n, first);
    ExprList variables = n->variables;
    TyList extents = n->extents;
    Stmts body = {0}, *outer = n->out;
    unsigned depth = n->depth;
    Sym r = nest_name(n, "r");
    const Expr *round = nest_var(n, r, ELEM_INT, false);
    const Expr *last = nest_binary(n, nest_size(n, l.size), OPERATOR_SUB, nest_int(n, 1));
    if (l.down)
        round = nest_binary(n, last, OPERATOR_SUB, round);
    table_set(n->values, l.index->name.id, (void *)round);
    n->variables = term_join(n->t, n->variables, term_list(n->t, l.index, NULL));
    n->extents = shape_join(n->t, n->extents, (TyList){&l.size, 1});
    n->out = &body;
    n->depth = 0;
    round_body(n, &l, node->kept);
    n->depth = depth;
    n->out = outer;
    n->variables = variables;
    n->extents = extents;
    nest_loop(n, r, nest_int(n, 0), nest_end(n, l.size), 1, body);
}
