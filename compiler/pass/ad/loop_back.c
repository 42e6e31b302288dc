// loop_back.c - the way back through a loop: a loop over the same rounds, from the other end, whose
// states are the cotangents of the states.
//
// One round is differentiated like any term, by the cotangents of what its states become and of
// what it keeps. What that reads of the way there is kept by the loop there (loop.h); what it gives
// to arrays that all rounds read is made after the loop, in bulk, and summed.

#include "compiler/base/table.h"
#include "compiler/pass/ad/gradient.h"
#include "compiler/pass/ad/loop.h"
#include "compiler/pass/ad/simplify.h"

typedef struct Back {
    Terms *t;
    const DeltaLoop *of;
    const Expr **adjoints;      // of the states, in a round
    bool  *reached, *masks;     // by root of the round
    const Expr **grads;         // by input of the round
    bool  *masked;
} Back;

static const Expr *of_round(Terms *t, const Expr *all, const Expr *index)
{
    return term_index(t, all, term_list(t, index, NULL));
}

// The cotangents of one round by those of its roots.
static void go_round(Back *b, const Expr *const *cotangents)
{
    Terms *t = b->t;
    Arena *a = terms_arena(t);
    const Deltas *round = &b->of->round;
    const Expr **given = ARENA_ARRAY(a, const Expr *, round->len + 1);
    size_t records = round->len - b->of->loop.records.len;
    for (size_t i = 0; i < round->len; i++)
        if (i < b->of->states)
            given[i] = b->reached[i] ? b->adjoints[i] : NULL;
        else if (i >= records && cotangents[i] != NULL)
            given[i] = of_round(t, cotangents[i], b->of->loop.index);
    b->grads = ARENA_ARRAY(a, const Expr *, b->of->inputs.len + 1);
    b->masked = ARENA_ARRAY(a, bool, b->of->inputs.len + 1);
    gradient_parts(t, round, given, b->masks, b->of->inputs, b->grads, b->masked);
}

// A state has a cotangent when it is a result, or when one that has reads it.
static void reach(Back *b, const Expr *const *cotangents)
{
    bool more = true;
    while (more) {
        more = false;
        go_round(b, cotangents);
        for (size_t k = 0; k < b->of->states; k++) {
            bool mask = b->masked[k] && !b->masks[k];
            if (b->grads[k] == NULL || (b->reached[k] && !mask))
                continue;
            b->masks[k] = b->masks[k] || mask;
            b->reached[k] = more = true;
        }
    }
}

// The round back over what the loop there has kept.
static void read_kept(Back *b)
{
    Simplifier s;
    simplify_open(&s, b->t);
    for (size_t i = 0; i < b->of->inputs.len; i++)
        if (b->grads[i] != NULL)
            b->grads[i] = loop_read(b->t, &b->of->loop, simplify_term(&s, b->grads[i]));
}

// What a round gives to all elements of an array, one by one, is added to it in the round: made
// after the loop it would be kept in between. Not what is of fewer dimensions, which is a
// contraction after the loop, or gives to some of them.
static bool is_added_there(Terms *t, const TermLoop *l, const Expr *given)
{
    ExprList variables = term_join(t, term_list(t, l->index, NULL), l->states);
    ExprList order = term_order_with(t, term_list(t, given, NULL), variables);
    size_t rank = term_rank(given);
    bool states = false;
    for (size_t i = 0; i < order.len; i++) {
        const Expr *e = order.at[i];
        bool whole = term_rank(e) == rank || (term_rank(e) == 0 && e->kind != EXPR_REDUCE);
        bool plain = term_is_elementwise(e) || e->kind == EXPR_WHERE || e->kind == EXPR_NAME ||
                     e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_GATHER;
        if (!whole || !plain)
            return false;
        for (size_t k = 0; k < l->states.len; k++)
            states = states || e == l->states.at[k];
    }
    return rank > 0 && states;
}

// Sums of what the rounds give are states, too; `added` has their numbers, by record.
static void add_in_rounds(Back *b, TermLoop *l, size_t *added)
{
    Terms *t = b->t;
    TermLoop more = *l;
    size_t record = 0;
    for (size_t i = b->of->states; i < b->of->inputs.len; i++) {
        if (b->grads[i] == NULL)
            continue;
        const Expr *given = l->records.at[record];
        if (!b->of->each[i] && is_added_there(t, l, given)) {
            const Expr *sum = term_state(t, given->ty);
            added[record] = more.states.len + 1;
            more.states = term_join(t, more.states, term_list(t, sum, NULL));
            more.before = term_join(t, more.before, term_list(t, term_zero(t, given->ty), NULL));
            more.next = term_join(t, more.next, term_list(t, term_binary(t, OPERATOR_ADD, sum,
                                                                         given), NULL));
        }
        record++;
    }
    *l = more;
}

static TermLoop loop_of(Back *b, const Expr *const *cotangents)
{
    Terms *t = b->t;
    Arena *a = terms_arena(t);
    Vec(const Expr *) states = {0}, before = {0}, next = {0}, records = {0};
    for (size_t k = 0; k < b->of->states; k++) {
        const Ty *ty = b->of->inputs.at[k]->ty;
        if (!b->reached[k])
            continue;
        vec_push(a, &states, b->adjoints[k]);
        vec_push(a, &before, cotangents[k] != NULL ? cotangents[k] : term_zero(t, ty));
        vec_push(a, &next, b->grads[k] != NULL ? b->grads[k] : term_zero(t, ty));
    }
    for (size_t i = b->of->states; i < b->of->inputs.len; i++)
        if (b->grads[i] != NULL)
            vec_push(a, &records, b->grads[i]);
    size_t n = states.len;
    return (TermLoop){b->of->loop.size, !b->of->loop.down, b->of->loop.index, {states.at, n},
                      {before.at, n}, {next.at, n}, {records.at, records.len}};
}

// Rows of the rounds as all rows of what they are read from, which may have more.
static const Expr *as_rows(Terms *t, const Expr *rows, const Expr *leaf)
{
    TyList shape = term_shape(leaf->subscript.value);
    const Expr *index = term_variable(t);
    ExprList one = term_list(t, index, NULL);
    return shape.at[0] == term_shape(rows).at[0] ? rows : term_gather(t, shape, rows, one, one);
}

void loop_back(Terms *t, const DeltaLoop *loop, const Expr *const *cotangents, bool masked,
               const Expr **grads)
{
    Arena *a = terms_arena(t);
    size_t n = loop->states, state = 0, record = 0;
    Back b = {t, loop, ARENA_ARRAY(a, const Expr *, n + 1),
              ARENA_ARRAY(a, bool, loop->round.len + 1), ARENA_ARRAY(a, bool, loop->round.len + 1),
              NULL, NULL};
    for (size_t i = 0; i < loop->round.len; i++) {
        b.masks[i] = masked;
        b.reached[i] = cotangents[i] != NULL;
        if (i < n)
            b.adjoints[i] = term_state(t, loop->inputs.at[i]->ty);
    }
    reach(&b, cotangents);
    read_kept(&b);
    TermLoop back = loop_of(&b, cotangents);
    loop_hoist(t, &back);
    size_t *added = ARENA_ARRAY(a, size_t, back.records.len + 1);
    add_in_rounds(&b, &back, added);
    for (size_t k = 0; k < n; k++)
        if (b.reached[k])
            grads[k] = term_final(t, &back, state++);
    for (size_t i = n; i < loop->inputs.len; i++)
        if (b.grads[i] != NULL) {
            if (added[record] > 0) {
                grads[i] = term_final(t, &back, added[record++] - 1);
                continue;
            }
            const Expr *all = loop_kept(t, &back, back.records.at[record++]);
            grads[i] = loop->each[i] ? as_rows(t, all, loop->inputs.at[i])
                                     : term_reduce(t, REDUCTION_SUM, all);
        }
}
