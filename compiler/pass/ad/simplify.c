// simplify.c - the rules of array-language terms that need no more than the parts of a term
// (Dual-Numbers Reverse AD for Functional Array Languages has none; these were each checked).
// Every rule makes the term smaller, or moves a replication or transposition outwards.

#include "compiler/pass/ad/loop.h"
#include "compiler/pass/ad/simplify_internal.h"

#include <string.h>

// ---- replications and transpositions ----

static bool is_identity(const size_t *axes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (axes[i] != i)
            return false;
    return true;
}

// tr (replicate k (replicate l t)): the sizes change places.
static const Expr *transpose_replicates(Terms *t, const Expr *e, size_t n)
{
    TyList shape = term_shape(e);
    const Expr *x = e->transpose.array;
    for (size_t i = 0; i < n; i++) {
        if (x->kind != EXPR_REPLICATE)
            return e;
        x = x->replicate.array;
    }
    for (size_t i = n; i-- > 0;)
        x = term_replicate(t, shape.at[i], x);
    return x;
}

static const Expr *simplify_transpose(Terms *t, const Expr *e)
{
    const Expr *x = e->transpose.array;
    size_t rank = term_rank(e), *axes = term_axes(t, e);
    if (x->kind == EXPR_TRANSPOSE) {
        size_t *inner = term_axes(t, x), *both = ARENA_ARRAY(terms_arena(t), size_t, rank + 1);
        for (size_t i = 0; i < rank; i++)
            both[i] = inner[axes[i]];
        return simplify_here(t, term_transpose(t, both, rank, x->transpose.array));
    }
    size_t n = rank;
    while (n > 0 && axes[n - 1] == n - 1)
        n--;
    if (is_identity(axes, n))
        return x;
    if (n < e->transpose.axes.len)
        e = term_transpose(t, axes, n, x);
    return transpose_replicates(t, e, n);
}

static const Expr *simplify_reshape(Terms *t, const Expr *e)
{
    const Expr *x = e->reshape.array;
    if (x->kind == EXPR_RESHAPE)
        return simplify_here(t, term_reshape(t, term_shape(e), x->reshape.array));
    return shape_equal(term_shape(e), term_shape(x)) ? x : e;
}

// ---- sums ----

static const Expr *size_as_float(Terms *t, const Ty *size)
{
    int64_t n;
    if (poly_is_number(size_poly(t, size), &n))
        return term_float(t, (double)n);
    return term_call1(t, "float64", ELEM_FLOAT, term_of_size(t, size));
}

// sum (replicate k t) = k * t
static const Expr *sum_replicate(Terms *t, const Expr *e)
{
    const Ty *size = term_shape(e->reduce.array).at[0];
    const Expr *x = e->reduce.array->replicate.array;
    const Expr *count = term_elem(e) == ELEM_FLOAT ? size_as_float(t, size) : term_of_size(t, size);
    const Expr *filled = term_fill(t, term_shape(x), count);
    return simplify_here(t, term_binary(t, OPERATOR_MULT, filled, simplify_outside(t, size, x)));
}

// sum (replicate k x * y) = x * sum y; the same with a quotient's divisor.
static const Expr *sum_of_scaled(Terms *t, const Expr *e)
{
    const Expr *body = e->reduce.array;
    if (body->kind == EXPR_UNARY_OP)
        return simplify_here(t, term_negate(t, simplify_here(t,
                   term_reduce(t, REDUCTION_SUM, body->unary_op.operand))));
    if (body->kind != EXPR_BIN_OP)
        return e;
    const Expr *x = body->bin_op.left, *y = body->bin_op.right;
    Operator op = body->bin_op.op;
    const Ty *size = term_shape(body).at[0];
    if (op == OPERATOR_MULT && x->kind == EXPR_REPLICATE)
        return simplify_here(t, term_binary(t, op, simplify_outside(t, size, x->replicate.array),
                   simplify_here(t, term_reduce(t, REDUCTION_SUM, y))));
    if (y->kind != EXPR_REPLICATE)
        return e;
    const Expr *by = y->replicate.array;
    if (op == OPERATOR_MULT)
        return simplify_here(t, term_binary(t, op, simplify_here(t,
                   term_reduce(t, REDUCTION_SUM, x)), simplify_outside(t, size, by)));
    if (op == OPERATOR_DIV && term_elem(x) == ELEM_FLOAT)
        return simplify_here(t, term_binary(t, op, simplify_here(t,
                   term_reduce(t, REDUCTION_SUM, x)), simplify_divisor_outside(t, size, by)));
    return e;
}

// The sum over a dimension that all elements have a place in: they are added without it.
static const Expr *sum_scatter(Terms *t, const Expr *e)
{
    const Expr *x = e->reduce.array;
    Opened o = term_open(t, x);
    TyList from = term_shape(x->scatter.array);
    TyList extents = {from.at, o.indices.len};
    if (o.bodies.len < 2 ||
        !simplify_in_range(t, o.bodies.at[0], term_shape(x).at[0], o.indices, extents))
        return e;
    return simplify_here(t, term_scatter(t, term_shape(e), x->scatter.array, o.indices,
                                         term_drop(o.bodies, 1)));
}

static const Expr *simplify_reduce(Terms *t, const Expr *e)
{
    const Expr *x = e->reduce.array;
    if (e->reduce.op != REDUCTION_SUM)
        return e;
    if (x->kind == EXPR_SCATTER)
        return sum_scatter(t, e);
    if (term_is_float(x, 0.0) || term_is_int(x, 0))
        return term_zero(t, e->ty);
    if (x->kind == EXPR_REPLICATE)
        return sum_replicate(t, e);
    const Expr *new = sum_of_scaled(t, e);
    return new == e ? simplify_thin_factors(t, e) : new;
}

// ---- indices ----

static const Expr *index_more(Terms *t, const Expr *x, ExprList place)
{
    return place.len == 0 ? x : simplify_here(t, term_index(t, x, place));
}

static const Expr *simplify_subscript(Terms *t, const Expr *e)
{
    const Expr *x = e->subscript.value;
    ExprList place = e->subscript.slice->tuple.elts, rest = term_drop(place, 1);
    Poly p;
    int64_t n;
    if (x->kind == EXPR_SUBSCRIPT)
        return index_more(t, x->subscript.value,
                          term_join(t, x->subscript.slice->tuple.elts, place));
    if (x->kind == EXPR_REPLICATE)
        return index_more(t, x->replicate.array, rest);
    if (x->kind == EXPR_RESHAPE && term_rank(x->reshape.array) == 0 && term_rank(e) == 0)
        return x->reshape.array;
    if (term_is_iota(x))
        return place.at[0];
    if (x->kind == EXPR_STACK && term_poly(t, place.at[0], &p) && poly_is_number(p, &n) &&
        n >= 0 && (size_t)n < x->stack.parts.len)
        return index_more(t, x->stack.parts.at[n], rest);
    return e;
}

// ---- loops ----

// The first state that every round leaves as it is; their number: there is none.
static size_t constant_state(const TermLoop *l)
{
    size_t k = 0;
    while (k < l->states.len && l->next.at[k] != l->states.at[k])
        k++;
    return k;
}

static ExprList without_state(Terms *t, ExprList list, size_t k)
{
    return term_join(t, (ExprList){list.at, k}, term_drop(list, k + 1));
}

static ExprList with_value(Terms *t, ExprList list, const Expr *state, const Expr *value)
{
    const Expr **at = ARENA_ARRAY(terms_arena(t), const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = term_with(t, list.at[i], term_list(t, state, NULL), term_list(t, value, NULL));
    return (ExprList){at, list.len};
}

// A state that never changes is what it was before.
static const Expr *simplify_loop(Terms *t, const Expr *e)
{
    TermLoop l = term_open_loop(t, e);
    size_t which = (size_t)e->loop.which, k = constant_state(&l);
    if (l.states.len == 0)
        return loop_kept(t, &l, l.records.at[which]);
    if (k == l.states.len)
        return e;
    const Expr *state = l.states.at[k], *value = l.before.at[k];
    if (which == k)
        return value;
    l.next = with_value(t, without_state(t, l.next, k), state, value);
    l.records = with_value(t, l.records, state, value);
    l.states = without_state(t, l.states, k);
    l.before = without_state(t, l.before, k);
    return simplify_here(t, term_loop(t, &l, which - (which > k)));
}

// ---- all ----

const Expr *simplify_here(Terms *t, const Expr *e)
{
    if (e->kind == EXPR_WHERE)
        return simplify_where(t, e);
    if (term_is_elementwise(e))
        return simplify_elementwise(t, e);
    switch ((int)e->kind) {
    case EXPR_SUBSCRIPT: return simplify_subscript(t, e);
    case EXPR_GATHER:    return simplify_gather(t, e);
    case EXPR_SCATTER:   return simplify_scatter(t, e);
    case EXPR_REDUCE:    return simplify_reduce(t, e);
    case EXPR_TRANSPOSE: return simplify_transpose(t, e);
    case EXPR_RESHAPE:   return simplify_reshape(t, e);
    case EXPR_LOOP:      return simplify_loop(t, e);
    }
    return e;
}

static const Expr *step(TermPass *p, const Expr *e)
{
    const Expr *new = simplify_here(p->terms, e);
    Sym hint = term_hinted(p->terms, e);
    if (hint != NULL && new != e)
        term_hint(p->terms, new, hint);
    return new;
}

void simplify_open(Simplifier *s, Terms *t)
{
    s->pass = (TermPass){.terms = t, .step = step};
}

const Expr *simplify_term(Simplifier *s, const Expr *root)
{
    return term_rewrite(&s->pass, root);
}

const Expr *simplify_index(Terms *t, const Expr *e)
{
    Simplifier s;
    simplify_open(&s, t);
    return simplify_term(&s, e);
}
