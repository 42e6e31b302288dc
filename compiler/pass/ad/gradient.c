// gradient.c - the reverse pass on terms (Dual-Numbers Reverse AD for Functional Array Languages,
// sections 5.5 and 6.4): each case applies the linear transpose of its primitive. A cotangent that
// is used twice is one object, so nothing is copied, and no `share` is needed.
//
// Where some elements of a cotangent are 0 because what they belong to was not chosen or not read
// (`masked`), a factor that may be infinite there would make them no number: then the product is
// made only where the cotangent is not 0. What also has a cotangent without such zeros is read
// everywhere: if it is infinite there, so is the result.

#include "compiler/pass/ad/gradient.h"

#include "compiler/base/table.h"
#include "compiler/pass/ad/simplify.h"

typedef struct Reverse {
    Terms *t;
    ExprList inputs;
    const Expr **grads;         // by input; NULL: none yet
    const Expr **accum;         // by id of a share
    bool  *masked;              // by id
    bool  *given;               // by input: may be masked
    const Expr ***results;      // of the loop with this id: cotangents by root
    Table *finite;              // what is known of terms
} Reverse;

static void add_to(Terms *t, const Expr **sum, const Expr *c)
{
    *sum = *sum == NULL ? c : term_binary(t, OPERATOR_ADD, *sum, c);
}

// Hands a cotangent on: to an input, or to what is shared, which is visited later.
static void hand(Reverse *r, const Expr *c, bool masked, const Delta *d)
{
    if (d->kind == DELTA_ZERO)
        return;
    if (d->kind != DELTA_INPUT) {
        r->masked[d->id] = masked && (r->accum[d->id] == NULL || r->masked[d->id]);
        add_to(r->t, &r->accum[d->id], c);
        return;
    }
    for (size_t i = 0; i < r->inputs.len; i++)
        if (r->inputs.at[i] == d->term) {
            add_to(r->t, &r->grads[i], c);
            r->given[i] = r->given[i] || masked;
        }
}

const Expr *gradient_masked(Terms *t, const Expr *c, const Expr *factor)
{
    const Expr *product = term_binary(t, OPERATOR_MULT, c, factor), *zero = term_zero(t, c->ty);
    const Const *number = term_filled_with(c);
    if (number != NULL && number->kind == CONST_FLOAT && number->number != 0.0)
        return product;
    if (c->kind != EXPR_WHERE)
        return term_where(t, term_compare(t, CMPOP_EQ, c, zero), zero, product);
    if (c->where.on_false == zero)
        return term_where(t, c->where.test, gradient_masked(t, c->where.on_true, factor), zero);
    if (c->where.on_true == zero)
        return term_where(t, c->where.test, zero, gradient_masked(t, c->where.on_false, factor));
    return term_where(t, term_compare(t, CMPOP_EQ, c, zero), zero, product);
}

// Whether a factor may be 0 as it was not chosen; many that could be are not when they are simpler.
static bool chooses(Terms *t, const Expr *factor)
{
    Simplifier s;
    simplify_open(&s, t);
    return factor->kind == EXPR_WHERE && simplify_term(&s, factor)->kind == EXPR_WHERE;
}

static void scale(Reverse *r, const Expr *c, bool masked, const Delta *d, size_t i)
{
    Terms *t = r->t;
    const Expr *factor = d->factors[i];
    if (factor == NULL) {
        hand(r, c, masked, d->of[i]);
        return;
    }
    bool mask = masked && !elementwise_is_finite(t, r->finite, factor);
    const Expr *product = mask ? gradient_masked(t, c, factor)
                               : term_binary(t, OPERATOR_MULT, c, factor);
    hand(r, product, masked || chooses(t, factor), d->of[i]);
}

static const Expr *scattered(Terms *t, const Expr *c, const Delta *d)
{
    Opened o = term_open(t, d->term);
    return term_scatter(t, ty_shape(d->of[0]->ty), c, o.indices, o.bodies);
}

static const Expr *gathered(Terms *t, const Expr *c, const Delta *d)
{
    Opened o = term_open(t, d->term);
    return term_gather(t, ty_shape(d->of[0]->ty), c, o.indices, o.bodies);
}

static const Expr *transposed(Terms *t, const Expr *c, const Delta *d)
{
    size_t rank = term_rank(d->term), *axes = term_axes(t, d->term);
    size_t *back = ARENA_ARRAY(terms_arena(t), size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        back[axes[i]] = i;
    return term_transpose(t, back, rank, c);
}

static const Expr *part_of(Terms *t, const Expr *c, size_t i)
{
    return term_index(t, c, term_list(t, term_int(t, (int64_t)i), NULL));
}

static void choose(Reverse *r, const Expr *c, const Delta *d)
{
    Terms *t = r->t;
    const Expr *zero = term_zero(t, c->ty), *test = d->term->where.test;
    hand(r, term_where(t, test, c, zero), true, d->of[0]);
    hand(r, term_where(t, test, zero, c), true, d->of[1]);
}

// A loop waits until all its results have been visited.
static void collect(Reverse *r, const Expr *c, bool masked, const Delta *d)
{
    const Delta *loop = d->of[0];
    const Expr ***results = &r->results[loop->id];
    if (*results == NULL)
        *results = ARENA_ARRAY(terms_arena(r->t), const Expr *, loop->loop->round.len + 1);
    add_to(r->t, &(*results)[d->result], c);
    r->accum[loop->id] = c;
    r->masked[loop->id] = r->masked[loop->id] || masked;
}

static void go_back(Reverse *r, bool masked, const Delta *d)
{
    const Expr **grads = ARENA_ARRAY(terms_arena(r->t), const Expr *, d->len + 1);
    loop_back(r->t, d->loop, r->results[d->id], masked, grads);
    for (size_t i = 0; i < d->len; i++)
        if (grads[i] != NULL)
            hand(r, grads[i], true, d->of[i]);
}

static void visit(Reverse *r, const Expr *c, bool masked, const Delta *d)
{
    Terms *t = r->t;
    switch (d->kind) {
    case DELTA_ZERO: case DELTA_INPUT:
        break;
    case DELTA_ADD:
        for (size_t i = 0; i < d->len; i++)
            scale(r, c, masked, d, i);
        break;
    case DELTA_INDEX:
        hand(r, term_one_hot(t, ty_shape(d->of[0]->ty), d->term->subscript.slice->tuple.elts, c),
             true, d->of[0]);
        break;
    case DELTA_ONE_HOT:
        hand(r, term_gather(t, ty_shape(d->of[0]->ty), c, (ExprList){NULL, 0},
                            d->term->one_hot.place), true, d->of[0]);
        break;
    case DELTA_SUM_OUTER:
        hand(r, term_replicate(t, ty_shape(d->of[0]->ty).at[0], c), masked, d->of[0]);
        break;
    case DELTA_GATHER:
        hand(r, scattered(t, c, d), true, d->of[0]);
        break;
    case DELTA_SCATTER:
        hand(r, gathered(t, c, d), true, d->of[0]);
        break;
    case DELTA_LIT_ARRAY:
        for (size_t i = 0; i < d->len; i++)
            hand(r, part_of(t, c, i), masked, d->of[i]);
        break;
    case DELTA_REPLICATE:
        hand(r, term_reduce(t, REDUCTION_SUM, c), masked, d->of[0]);
        break;
    case DELTA_TRANSPOSE:
        hand(r, transposed(t, c, d), masked, d->of[0]);
        break;
    case DELTA_RESHAPE:
        hand(r, term_reshape(t, ty_shape(d->of[0]->ty), c), masked, d->of[0]);
        break;
    case DELTA_COND:
        choose(r, c, d);
        break;
    case DELTA_LOOP:
        go_back(r, masked, d);
        break;
    case DELTA_RESULT:
        collect(r, c, masked, d);
        break;
    }
}

void gradient_parts(Terms *t, const Deltas *d, const Expr *const *cotangents, const bool *masks,
                    ExprList inputs, const Expr **grads, bool *masked)
{
    Arena *a = terms_arena(t);
    Reverse r = {t, inputs, grads, ARENA_ARRAY(a, const Expr *, d->count + 1),
                 ARENA_ARRAY(a, bool, d->count + 1), masked,
                 ARENA_ARRAY(a, const Expr **, d->count + 1), table_new(a)};
    for (size_t i = 0; i < d->len; i++)
        if (cotangents[i] != NULL)
            hand(&r, cotangents[i], masks[i], d->roots[i]);
    for (unsigned id = d->count; id > 0; id--)
        if (r.accum[id] != NULL)
            visit(&r, r.accum[id], r.masked[id], d->shared[id - 1]);
}

ExprList gradient_of(Terms *t, const Deltas *d, ExprList cotangents, ExprList inputs)
{
    Arena *a = terms_arena(t);
    const Expr **grads = ARENA_ARRAY(a, const Expr *, inputs.len + 1);
    gradient_parts(t, d, cotangents.at, ARENA_ARRAY(a, bool, d->len + 1), inputs, grads,
                   ARENA_ARRAY(a, bool, inputs.len + 1));
    for (size_t i = 0; i < inputs.len; i++)
        if (grads[i] == NULL)
            grads[i] = term_zero(t, inputs.at[i]->ty);
    return (ExprList){grads, inputs.len};
}
