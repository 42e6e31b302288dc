// gradient.c - the reverse pass on terms (Dual-Numbers Reverse AD for Functional Array Languages,
// sections 5.5 and 6.4): each case applies the linear transpose of its primitive. A cotangent that
// is used twice is one object, so nothing is copied, and no `share` is needed.
//
// Where some elements of a cotangent are 0 because what they belong to was not chosen or not read
// (`masked`), a factor that may be infinite there would make them no number: then the product is
// made only where the cotangent is not 0. What also has a cotangent without such zeros is read
// everywhere: if it is infinite there, so is the result.
//
// A cotangent that is a sum over no elements is 0 too. Factors that are infinite because of that
// are multiplied all the same, and the result is made 0 where it is added to others (`settled`):
// one test of the size, mostly none, as the result has no elements then either.

#include "compiler/pass/ad/gradient.h"

#include "compiler/base/table.h"
#include "compiler/pass/ad/simplify_internal.h"

// What is known of a cotangent.
typedef struct Flow {
    bool masked;                // see above
    TyList empty;               // sizes; where one of them is 0, the cotangent is 0, ..
    ExprList poles;             // .. but factors that make it NaN for sizes of 0
} Flow;

typedef struct Reverse {
    Terms *t;
    ExprList inputs;
    const Expr **grads;         // by input; NULL: none yet
    const Expr **accum;         // by id of a share
    Flow *flows;                // by id
    Flow *given;                // by input
    const Expr ***results;      // of the loop with this id: cotangents by root
    Table *finite;              // what is known of terms
    Table *whole;               // values of one-hots that no choice has made 0
    Simplifier simple;          // of all factors: they share what they are made of
} Reverse;

// ---- one-hots ----

// One element of a cotangent that is 0 elsewhere stays one through what goes element by element,
// and a sum of it is that element: a row of a Jacobian costs no more than what it goes through.

static const Expr *at_place(Terms *t, const Expr *x, ExprList place)
{
    while (place.len > 0 && x->kind == EXPR_REPLICATE) {
        x = x->replicate.array;
        place = term_drop(place, 1);
    }
    return place.len == 0 ? x : simplify_index(t, term_index(t, x, place));
}

static bool is_whole(const Reverse *r, const Expr *value)
{
    return table_get(r->whole, value) != NULL;
}

static const Expr *value_of(Reverse *r, const Expr *value, bool whole)
{
    if (whole)
        table_set(r->whole, value, r);
    return value;
}

static bool same_place(const Expr *x, const Expr *y)
{
    return x->kind == EXPR_ONE_HOT && y->kind == EXPR_ONE_HOT &&
           ir_equal_exprs(x->one_hot.place, y->one_hot.place);
}

static const Expr *one_hot_like(Terms *t, const Expr *e, const Expr *value)
{
    return term_one_hot(t, term_shape(e), e->one_hot.place, value);
}

static const Expr *one_hot_sum(Reverse *r, const Expr *x, const Expr *y)
{
    const Expr *a = x->one_hot.value, *b = y->one_hot.value;
    return one_hot_like(r->t, x, value_of(r, term_binary(r->t, OPERATOR_ADD, a, b),
                                          is_whole(r, a) || is_whole(r, b)));
}

static const Expr *one_hot_scaled(Reverse *r, const Expr *c, const Expr *factor)
{
    Terms *t = r->t;
    const Expr *value = c->one_hot.value, *by = at_place(t, factor, c->one_hot.place);
    bool whole = is_whole(r, value);
    const Expr *product = whole || elementwise_is_finite(t, r->finite, by)
                              ? simplify_here(t, term_binary(t, OPERATOR_MULT, value, by))
                              : gradient_masked(t, value, by);
    return one_hot_like(t, c, value_of(r, product, whole));
}

// Of a gather whose indices all have their place, and which goes to places that there are: what is
// 0 elsewhere is never out of range.
static bool stays_one_hot(Reverse *r, const Expr *c, const Delta *d)
{
    Opened o = term_open(r->t, d->term);
    TyList from = ty_shape(d->of[0]->ty), extents = {term_shape(d->term).at, o.indices.len};
    if (c->kind != EXPR_ONE_HOT || c->one_hot.place.len < o.indices.len)
        return false;
    for (size_t i = 0; i < o.bodies.len; i++)
        if (!simplify_in_range(r->t, o.bodies.at[i], from.at[i], o.indices, extents))
            return false;
    return true;
}

static const Expr *one_hot_scattered(Reverse *r, const Expr *c, const Delta *d)
{
    Terms *t = r->t;
    Opened o = term_open(t, d->term);
    ExprList place = c->one_hot.place, here = {place.at, o.indices.len};
    const Expr **to = ARENA_ARRAY(terms_arena(t), const Expr *, o.bodies.len + 1);
    for (size_t i = 0; i < o.bodies.len; i++)
        to[i] = simplify_index(t, term_with(t, o.bodies.at[i], o.indices, here));
    return term_one_hot(t, ty_shape(d->of[0]->ty),
                        term_join(t, (ExprList){to, o.bodies.len}, term_drop(place, here.len)),
                        c->one_hot.value);
}

// The sum over the first dimension; `whole`: no choice has made it 0.
static const Expr *one_hot_total(Reverse *r, const Expr *c, bool *whole)
{
    ExprList rest = term_drop(c->one_hot.place, 1);
    const Expr *value = c->one_hot.value;
    *whole = rest.len == 0 && is_whole(r, value);
    return rest.len == 0 ? value
                         : term_one_hot(r->t, shape_drop(term_shape(c), 1), rest, value);
}

// ---- sums ----

static const Expr *added(Terms *t, const Expr *sum, const Expr *c);

// What goes to the same places is added before it goes there; NULL: it does not.
static const Expr *moved_together(Terms *t, const Expr *x, const Expr *y)
{
    if (x->kind != y->kind || (x->kind != EXPR_GATHER && x->kind != EXPR_SCATTER))
        return NULL;
    Opened o = term_open(t, x);
    TyList shape = term_shape(x);
    bool gather = x->kind == EXPR_GATHER;
    const Expr *a = gather ? x->gather.array : x->scatter.array;
    const Expr *b = gather ? y->gather.array : y->scatter.array;
    const Expr *like = gather ? term_gather(t, shape, b, o.indices, o.bodies)
                              : term_scatter(t, shape, b, o.indices, o.bodies);
    if (a->ty != b->ty || like != y)
        return NULL;
    const Expr *both = added(t, a, b);
    return gather ? term_gather(t, shape, both, o.indices, o.bodies)
                  : term_scatter(t, shape, both, o.indices, o.bodies);
}

static const Expr *added(Terms *t, const Expr *sum, const Expr *c)
{
    const Expr *both = moved_together(t, sum, c);
    if (both != NULL)
        return both;
    if (sum->kind == EXPR_BIN_OP && sum->bin_op.op == OPERATOR_ADD)
        both = moved_together(t, sum->bin_op.right, c);
    return both != NULL ? term_binary(t, OPERATOR_ADD, sum->bin_op.left, both)
                        : term_binary(t, OPERATOR_ADD, sum, c);
}

// ---- sums over no elements ----

static bool size_in(TyList list, const Ty *size)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] == size)
            return true;
    return false;
}

static TyList common_sizes(Terms *t, TyList x, TyList y)
{
    Vec(const Ty *) both = {0};
    for (size_t i = 0; i < x.len; i++)
        if (size_in(y, x.at[i]))
            vec_push(terms_arena(t), &both, x.at[i]);
    return (TyList){both.at, both.len};
}

// Whether an array has no elements if a size is 0.
static bool is_emptied(Terms *t, TyList shape, const Ty *size)
{
    Poly by = size_poly(t, size), left;
    for (size_t i = 0; i < shape.len; i++) {
        Poly extent = size_poly(t, size_rounds(t, shape.at[i]));
        if (poly_equal(extent, by) || poly_quotient(terms_arena(t), extent, by, &left))
            return true;
    }
    return false;
}

// Poles are gone where their size is one of c: then it has no elements.
static ExprList poles_of(Terms *t, const Expr *c, ExprList poles)
{
    Vec(const Expr *) left = {0};
    for (size_t i = 0; i < poles.len; i++)
        if (!elementwise_bears_empty(t, poles.at[i], term_shape(c)))
            vec_push(terms_arena(t), &left, poles.at[i]);
    return (ExprList){left.at, left.len};
}

static void add_pole(Terms *t, Flow *f, const Expr *c, const Expr *factor)
{
    if (f->empty.len > 0 && !elementwise_bears_empty(t, factor, term_shape(c)))
        f->poles = term_join(t, f->poles, term_list(t, factor, NULL));
}

// 0 where a size is 0 that is not in `later`.
static const Expr *settled(Terms *t, const Expr *c, Flow f, TyList later)
{
    if (poles_of(t, c, f.poles).len == 0)
        return c;
    if (c->kind == EXPR_ONE_HOT)
        return one_hot_like(t, c, settled(t, c->one_hot.value, f, later));
    for (size_t i = 0; i < f.empty.len; i++)
        if (!size_in(later, f.empty.at[i]) && !is_emptied(t, term_shape(c), f.empty.at[i]))
            c = simplify_if_any(t, f.empty.at[i], c, 0.0);
    return c;
}

// ---- handing on ----

static Flow masked_flow(Flow f)
{
    f.masked = true;
    return f;
}

static void add_to(Reverse *r, const Expr **sum, const Expr *c)
{
    *sum = *sum == NULL          ? c
           : same_place(*sum, c) ? one_hot_sum(r, *sum, c)
                                 : added(r->t, *sum, c);
}

// What is said of the sum, all but `masked`.
static void add_flow(Reverse *r, const Expr **sum, Flow *all, const Expr *c, Flow f)
{
    if (*sum == NULL) {
        *sum = c;
        *all = f;
        return;
    }
    *sum = settled(r->t, *sum, *all, f.empty);
    add_to(r, sum, settled(r->t, c, f, all->empty));
    all->empty = common_sizes(r->t, all->empty, f.empty);
    all->poles = all->empty.len == 0 ? (ExprList){NULL, 0}
                                     : term_join(r->t, all->poles, f.poles);
}

// Hands a cotangent on: to an input, or to what is shared, which is visited later.
static void hand(Reverse *r, const Expr *c, Flow f, const Delta *d)
{
    if (d->kind == DELTA_ZERO)
        return;
    if (d->kind != DELTA_INPUT) {
        bool masked = f.masked && (r->accum[d->id] == NULL || r->flows[d->id].masked);
        add_flow(r, &r->accum[d->id], &r->flows[d->id], c, f);
        r->flows[d->id].masked = masked;
        return;
    }
    for (size_t i = 0; i < r->inputs.len; i++)
        if (r->inputs.at[i] == d->term) {
            bool masked = f.masked || r->given[i].masked;
            add_flow(r, &r->grads[i], &r->given[i], c, f);
            r->given[i].masked = masked;
        }
}

// ---- products ----

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
static bool chooses(Reverse *r, const Expr *factor)
{
    return factor->kind == EXPR_WHERE && simplify_term(&r->simple, factor)->kind == EXPR_WHERE;
}

static void scale(Reverse *r, const Expr *c, Flow f, const Delta *d, size_t i)
{
    Terms *t = r->t;
    const Expr *factor = d->factors[i];
    if (factor == NULL) {
        hand(r, c, f, d->of[i]);
        return;
    }
    bool mask = f.masked && !elementwise_is_finite(t, r->finite, factor);
    add_pole(t, &f, c, factor);
    if (c->kind == EXPR_ONE_HOT) {
        hand(r, one_hot_scaled(r, c, factor), masked_flow(f), d->of[i]);
        return;
    }
    const Expr *product = mask ? gradient_masked(t, c, factor)
                               : term_binary(t, OPERATOR_MULT, c, factor);
    f.masked = f.masked || chooses(r, factor);
    hand(r, product, f, d->of[i]);
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

// What is 0 if a size is.
static void add_empty(Reverse *r, Flow *f, const Ty *size)
{
    if (table_get(r->finite, size) != r->t && !size_is_filled(r->t, size) &&
        !size_in(f->empty, size))
        f->empty = shape_cons(r->t, size, f->empty);
}

// Which size must be above 0 for a test to hold; NULL: it is another test.
static const Ty *tested_size(Terms *t, const Expr *test)
{
    while (test->kind == EXPR_REPLICATE)
        test = test->replicate.array;
    return test->kind == EXPR_COMPARE && test->compare.ops.at[0] == CMPOP_GT &&
                   term_is_int(test->compare.comparators.at[0], 0)
               ? size_of_term(t, test->compare.left) : NULL;
}

static void choose(Reverse *r, const Expr *c, Flow f, const Delta *d)
{
    Terms *t = r->t;
    const Expr *zero = term_zero(t, c->ty), *test = d->term->where.test;
    const Ty *size = tested_size(t, test);
    Flow first = masked_flow(f);
    if (size != NULL)
        add_empty(r, &first, size);
    hand(r, term_where(t, test, c, zero), first, d->of[0]);
    hand(r, term_where(t, test, zero, c), masked_flow(f), d->of[1]);
}

// A loop waits until all its results have been visited.
static void collect(Reverse *r, const Expr *c, Flow f, const Delta *d)
{
    const Delta *loop = d->of[0];
    const Expr ***results = &r->results[loop->id];
    Flow *all = &r->flows[loop->id];
    bool first = *results == NULL;
    if (first)
        *results = ARENA_ARRAY(terms_arena(r->t), const Expr *, loop->loop->round.len + 1);
    c = settled(r->t, c, f, (TyList){NULL, 0});
    add_to(r, &(*results)[d->result], c);
    r->accum[loop->id] = c;
    all->masked = all->masked || f.masked;
    all->empty = first ? f.empty : common_sizes(r->t, all->empty, f.empty);
}

// What in the rounds may be infinite as a size is 0: what they read, and their factors.
static void add_poles(Terms *t, Flow *f, const Delta *loop)
{
    const Deltas *round = &loop->loop->round;
    ExprList read = term_parts(t, loop->term);
    for (size_t i = 0; i < read.len; i++)
        add_pole(t, f, read.at[i], read.at[i]);
    for (unsigned id = 0; id < round->count; id++) {
        const Delta *d = round->shared[id];
        if (d->kind == DELTA_LOOP)
            add_poles(t, f, d);
        for (size_t i = 0; d->kind == DELTA_ADD && i < d->len; i++)
            if (d->factors[i] != NULL)
                add_pole(t, f, d->factors[i], d->factors[i]);
    }
}

static void go_back(Reverse *r, Flow f, const Delta *d)
{
    const Expr **grads = ARENA_ARRAY(terms_arena(r->t), const Expr *, d->len + 1);
    loop_back(r->t, d->loop, r->results[d->id], f.masked, grads);
    f.poles.len = 0;
    add_poles(r->t, &f, d);
    for (size_t i = 0; i < d->len; i++)
        if (grads[i] != NULL)
            hand(r, grads[i], masked_flow(f), d->of[i]);
}

static void visit_index(Reverse *r, const Expr *c, Flow f, const Delta *d)
{
    Terms *t = r->t;
    TyList shape = ty_shape(d->of[0]->ty);
    ExprList place = d->term->subscript.slice->tuple.elts;
    const Expr *x = c->kind == EXPR_ONE_HOT
                        ? term_one_hot(t, shape, term_join(t, place, c->one_hot.place),
                                       c->one_hot.value)
                        : term_one_hot(t, shape, place, value_of(r, c, !f.masked));
    hand(r, x, masked_flow(f), d->of[0]);
}

static void replicate(Reverse *r, const Expr *c, Flow f, const Delta *d)
{
    const Ty *size = size_rounds(r->t, term_shape(c).at[0]);
    f.poles = poles_of(r->t, c, f.poles);
    if (c->kind == EXPR_ONE_HOT) {
        bool whole;
        c = one_hot_total(r, c, &whole);
        f.masked = !whole;
    } else {
        c = term_reduce(r->t, REDUCTION_SUM, c);
        add_empty(r, &f, size);
    }
    hand(r, c, f, d->of[0]);
}

static void visit(Reverse *r, const Expr *c, Flow f, const Delta *d)
{
    Terms *t = r->t;
    switch (d->kind) {
    case DELTA_ZERO: case DELTA_INPUT:
        break;
    case DELTA_ADD:
        for (size_t i = 0; i < d->len; i++)
            scale(r, c, f, d, i);
        break;
    case DELTA_INDEX:
        visit_index(r, c, f, d);
        break;
    case DELTA_ONE_HOT:
        hand(r, term_gather(t, ty_shape(d->of[0]->ty), c, (ExprList){NULL, 0},
                            d->term->one_hot.place), masked_flow(f), d->of[0]);
        break;
    case DELTA_SUM_OUTER:
        hand(r, term_replicate(t, ty_shape(d->of[0]->ty).at[0], c), f, d->of[0]);
        break;
    case DELTA_GATHER:
        hand(r, stays_one_hot(r, c, d) ? one_hot_scattered(r, c, d) : scattered(t, c, d),
             masked_flow(f), d->of[0]);
        break;
    case DELTA_SCATTER:
        hand(r, gathered(t, c, d), masked_flow(f), d->of[0]);
        break;
    case DELTA_LIT_ARRAY:
        for (size_t i = 0; i < d->len; i++)
            hand(r, part_of(t, c, i), f, d->of[i]);
        break;
    case DELTA_REPLICATE:
        replicate(r, c, f, d);
        break;
    case DELTA_TRANSPOSE:
        hand(r, transposed(t, c, d), f, d->of[0]);
        break;
    case DELTA_RESHAPE:
        hand(r, term_reshape(t, ty_shape(d->of[0]->ty), c), f, d->of[0]);
        break;
    case DELTA_COND:
        choose(r, c, f, d);
        break;
    case DELTA_LOOP:
        go_back(r, f, d);
        break;
    case DELTA_RESULT:
        collect(r, c, f, d);
        break;
    }
}

void gradient_parts(Terms *t, const Deltas *d, const Expr *const *cotangents, const bool *masks,
                    ExprList inputs, const Expr **grads, bool *masked)
{
    Arena *a = terms_arena(t);
    Reverse r = {t, inputs, grads, ARENA_ARRAY(a, const Expr *, d->count + 1),
                 ARENA_ARRAY(a, Flow, d->count + 1), ARENA_ARRAY(a, Flow, inputs.len + 1),
                 ARENA_ARRAY(a, const Expr **, d->count + 1), elementwise_known(t, d->rounds),
                 table_new(a), {{0}}};
    simplify_open(&r.simple, t);
    for (size_t i = 0; i < d->len; i++)
        if (cotangents[i] != NULL && cotangents[i]->kind == EXPR_ONE_HOT)
            (void)value_of(&r, cotangents[i]->one_hot.value, true);
    for (size_t i = 0; i < d->len; i++)
        if (cotangents[i] != NULL)
            hand(&r, cotangents[i], (Flow){.masked = masks[i]}, d->roots[i]);
    for (unsigned id = d->count; id > 0; id--)
        if (r.accum[id] != NULL)
            visit(&r, r.accum[id], r.flows[id], d->shared[id - 1]);
    for (size_t i = 0; i < inputs.len; i++) {
        masked[i] = r.given[i].masked;
        if (grads[i] != NULL)
            grads[i] = settled(t, grads[i], r.given[i], (TyList){NULL, 0});
    }
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
