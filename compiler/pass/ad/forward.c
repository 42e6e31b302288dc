// forward.c - forward mode on terms: each constructor of a Delta is a linear map, applied to the
// tangents. A loop carries the tangents of its states beside them.

#include "compiler/base/table.h"
#include "compiler/pass/ad/gradient.h"
#include "compiler/pass/ad/jacobian.h"
#include "compiler/pass/ad/loop.h"

typedef struct Forward {
    Terms *t;
    ExprList inputs;
    const Expr *const *tangents;
    const Expr **made;          // by id
    const Expr ***results;      // of the loop with this id: tangents of its results, by root
    Table *finite;              // what is known of terms
} Forward;

static const Expr *tangent_of(Forward *f, const Delta *d)
{
    if (d->kind != DELTA_INPUT)
        return d->kind == DELTA_ZERO ? NULL : f->made[d->id];
    for (size_t i = 0; i < f->inputs.len; i++)
        if (f->inputs.at[i] == d->term)
            return f->tangents[i];
    return NULL;
}

static const Expr *or_zero(Forward *f, const Expr *x, const Ty *ty)
{
    return x != NULL ? x : term_zero(f->t, ty);
}

static const Expr *sum_of(Forward *f, const Delta *d)
{
    const Expr *sum = NULL;
    for (size_t i = 0; i < d->len; i++) {
        const Expr *x = tangent_of(f, d->of[i]);
        if (x == NULL)
            continue;
        const Expr *factor = d->factors[i];
        if (factor != NULL && !elementwise_is_finite(f->t, f->finite, factor))
            x = gradient_masked(f->t, x, factor);
        else if (factor != NULL)
            x = term_binary(f->t, OPERATOR_MULT, x, factor);
        sum = sum == NULL ? x : term_binary(f->t, OPERATOR_ADD, sum, x);
    }
    return sum;
}

// The parts that have no tangent are 0.
static ExprList parts_of(Forward *f, const Delta *d)
{
    const Expr **at = ARENA_ARRAY(terms_arena(f->t), const Expr *, d->len + 1);
    for (size_t i = 0; i < d->len; i++)
        at[i] = or_zero(f, tangent_of(f, d->of[i]),
                        d->kind == DELTA_LIT_ARRAY ? d->term->stack.parts.at[i]->ty : d->ty);
    return (ExprList){at, d->len};
}

static bool has_tangent(Forward *f, const Delta *d)
{
    for (size_t i = 0; i < d->len; i++)
        if (tangent_of(f, d->of[i]) != NULL)
            return true;
    return false;
}

// The same primitive on the tangent of its one part.
static const Expr *moved(Forward *f, const Delta *d, const Expr *x)
{
    Terms *t = f->t;
    TyList shape = ty_shape(d->ty);
    Opened o = term_open(t, d->term);
    switch ((int)d->kind) {
    case DELTA_INDEX:   return term_index(t, x, d->term->subscript.slice->tuple.elts);
    case DELTA_ONE_HOT: return term_one_hot(t, shape, d->term->one_hot.place, x);
    case DELTA_SUM_OUTER: return term_reduce(t, REDUCTION_SUM, x);
    case DELTA_GATHER:  return term_gather(t, shape, x, o.indices, o.bodies);
    case DELTA_SCATTER: return term_scatter(t, shape, x, o.indices, o.bodies);
    case DELTA_REPLICATE: return term_replicate(t, shape.at[0], x);
    case DELTA_TRANSPOSE:
        return term_transpose(t, term_axes(t, d->term), d->term->transpose.axes.len, x);
    }
    return term_reshape(t, shape, x);
}

// ---- loops ----

// The tangents of the roots of a round, from those of its states and of what it reads.
static void go_loop(Forward *f, const Delta *d)
{
    Terms *t = f->t;
    Arena *a = terms_arena(t);
    const DeltaLoop *loop = d->loop;
    const TermLoop *l = &loop->loop;
    size_t n = loop->states;
    const Expr **inner = ARENA_ARRAY(a, const Expr *, loop->inputs.len + 1);
    Vec(const Expr *) states = {0}, before = {0}, next = {0};
    for (size_t i = 0; i < loop->inputs.len; i++) {
        const Expr *x = tangent_of(f, d->of[i]);
        if (i >= n) {
            inner[i] = x == NULL || !loop->each[i] ? x : term_index(t, x, term_list(t, l->index,
                                                                                    NULL));
            continue;
        }
        inner[i] = term_state(t, loop->inputs.at[i]->ty);
        vec_push(a, &states, inner[i]);
        vec_push(a, &before, or_zero(f, x, loop->inputs.at[i]->ty));
    }
    const Expr **round = forward_of(t, &loop->round, loop->inputs, inner);
    for (size_t i = 0; i < n; i++)
        vec_push(a, &next, or_zero(f, round[i], loop->inputs.at[i]->ty));
    TermLoop both = {l->size, l->down, l->index,
                     term_join(t, l->states, (ExprList){states.at, n}),
                     term_join(t, l->before, (ExprList){before.at, n}),
                     term_join(t, l->next, (ExprList){next.at, n}), {NULL, 0}};
    loop_hoist(t, &both);
    const Expr **results = ARENA_ARRAY(a, const Expr *, loop->round.len + 1);
    for (size_t i = 0; i < loop->round.len; i++)
        if (i < n)
            results[i] = term_final(t, &both, l->states.len + i);
        else if (i >= loop->round.len - l->records.len && round[i] != NULL)
            results[i] = loop_kept(t, &both, round[i]);
    f->results[d->id] = results;
}

static const Expr *step(Forward *f, const Delta *d)
{
    switch (d->kind) {
    case DELTA_ZERO: case DELTA_INPUT:
        return NULL;
    case DELTA_ADD:
        return sum_of(f, d);
    case DELTA_LIT_ARRAY:
        return has_tangent(f, d) ? term_stack(f->t, parts_of(f, d)) : NULL;
    case DELTA_COND: {
        if (!has_tangent(f, d))
            return NULL;
        ExprList parts = parts_of(f, d);
        return term_where(f->t, d->term->where.test, parts.at[0], parts.at[1]);
    }
    case DELTA_LOOP:
        go_loop(f, d);
        return NULL;
    case DELTA_RESULT:
        return f->results[d->of[0]->id][d->result];
    case DELTA_INDEX: case DELTA_SUM_OUTER: case DELTA_GATHER: case DELTA_SCATTER:
    case DELTA_REPLICATE: case DELTA_TRANSPOSE: case DELTA_RESHAPE: case DELTA_ONE_HOT:
        break;
    }
    const Expr *x = tangent_of(f, d->of[0]);
    return x == NULL ? NULL : moved(f, d, x);
}

const Expr **forward_of(Terms *t, const Deltas *d, ExprList inputs, const Expr *const *tangents)
{
    Arena *a = terms_arena(t);
    Forward f = {t, inputs, tangents, ARENA_ARRAY(a, const Expr *, d->count + 1),
                 ARENA_ARRAY(a, const Expr **, d->count + 1),
                 elementwise_known(t, d->rounds)};
    for (unsigned id = 1; id <= d->count; id++)
        f.made[id] = step(&f, d->shared[id - 1]);
    const Expr **roots = ARENA_ARRAY(a, const Expr *, d->len + 1);
    for (size_t i = 0; i < d->len; i++)
        roots[i] = tangent_of(&f, d->roots[i]);
    return roots;
}
