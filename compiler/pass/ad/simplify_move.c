// simplify_move.c - gathers and scatters: those that move whole dimensions are transpositions and
// replications; a scatter whose places are solved for the index is a gather.

#include "compiler/pass/ad/simplify_internal.h"

#include <string.h>

static size_t place_of(ExprList list, const Expr *e)
{
    size_t i = 0;
    while (i < list.len && list.at[i] != e)
        i++;
    return i;
}

static bool is_used(Terms *t, ExprList bodies, const Expr *variable)
{
    for (size_t i = 0; i < bodies.len; i++)
        if (term_has(t, bodies.at[i], variable))
            return true;
    return false;
}

static ExprList without(Terms *t, ExprList list, size_t q)
{
    return term_join(t, (ExprList){list.at, q}, term_drop(list, q + 1));
}

static TyList sizes_without(Terms *t, TyList list, size_t q)
{
    return shape_join(t, (TyList){list.at, q}, shape_drop(list, q + 1));
}

// The outermost dimension of x as dimension q, or the other way round.
static const Expr *moved_to(Terms *t, const Expr *x, size_t q, bool back)
{
    size_t rank = term_rank(x), *axes = ARENA_ARRAY(terms_arena(t), size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        axes[i] = back ? (i == 0 ? q : i <= q ? i - 1 : i) : (i == q ? 0 : i < q ? i + 1 : i);
    return simplify_here(t, term_transpose(t, axes, q + 1, x));
}

// Each component a variable of its own, for a whole dimension of `from`: axes[q] is the component
// of index q.
static bool is_permutation(const Opened *o, TyList sizes, TyList from, size_t *axes)
{
    if (o->indices.len != o->bodies.len)
        return false;
    for (size_t q = 0; q < o->indices.len; q++) {
        axes[q] = place_of(o->bodies, o->indices.at[q]);
        if (axes[q] == o->bodies.len || sizes.at[q] != from.at[axes[q]])
            return false;
    }
    return true;
}

// ---- gathers ----

// gather sh t (\is. ix), i_q not in ix: what is the same in dimension q is replicated there.
static const Expr *gather_unused(Terms *t, const Expr *e, const Opened *o, size_t q)
{
    TyList shape = term_shape(e);
    const Expr *rest = term_gather(t, sizes_without(t, shape, q), e->gather.array,
                                   without(t, o->indices, q), o->bodies);
    return moved_to(t, term_replicate(t, shape.at[q], simplify_here(t, rest)), q, false);
}

// gather sh (replicate k t) (\is. u:::ix), u in range
static const Expr *gather_replicate(Terms *t, const Expr *e, const Opened *o)
{
    const Expr *x = e->gather.array;
    return simplify_here(t, term_gather(t, term_shape(e), x->replicate.array, o->indices,
                                        term_drop(o->bodies, 1)));
}

static bool all_in_range(Terms *t, const Opened *o, ExprList places, TyList extents, TyList sizes)
{
    for (size_t i = 0; i < places.len; i++)
        if (!simplify_in_range(t, places.at[i], sizes.at[i], o->indices, extents))
            return false;
    return true;
}

// gather sh (gather sh' t (\is. ix)) (\js. jx), jx in range of sh'
static const Expr *gather_gather(Terms *t, const Expr *e, const Opened *outer)
{
    const Expr *x = e->gather.array;
    Opened inner = term_open(t, x);
    ExprList given = {outer->bodies.at, inner.indices.len};
    const Expr **place = ARENA_ARRAY(terms_arena(t), const Expr *, inner.bodies.len + 1);
    for (size_t i = 0; i < inner.bodies.len; i++)
        place[i] = simplify_index(t, term_with(t, inner.bodies.at[i], inner.indices, given));
    return simplify_here(t, term_gather(t, term_shape(e), x->gather.array, outer->indices,
                                        term_join(t, (ExprList){place, inner.bodies.len},
                                                  term_drop(outer->bodies, given.len))));
}

// gather sh (tr t) (\is. ix), with a component for each dimension that moves
static const Expr *gather_transpose(Terms *t, const Expr *e, const Opened *o)
{
    const Expr *x = e->gather.array;
    size_t n = x->transpose.axes.len, *axes = term_axes(t, x);
    const Expr **place = ARENA_ARRAY(terms_arena(t), const Expr *, o->bodies.len + 1);
    for (size_t i = 0; i < o->bodies.len; i++)
        place[i < n ? axes[i] : i] = o->bodies.at[i];
    return simplify_here(t, term_gather(t, term_shape(e), x->transpose.array, o->indices,
                                        (ExprList){place, o->bodies.len}));
}

const Expr *simplify_gather(Terms *t, const Expr *e)
{
    const Expr *x = e->gather.array;
    TyList shape = term_shape(e), from = term_shape(x);
    Opened o = term_open(t, e);
    size_t *axes = ARENA_ARRAY(terms_arena(t), size_t, o.indices.len + 1);
    TyList extents = {shape.at, o.indices.len};
    if (term_is_float(x, 0.0) || term_is_int(x, 0))
        return term_zero(t, e->ty);
    for (size_t q = 0; q < o.indices.len; q++)
        if (!is_used(t, o.bodies, o.indices.at[q]))
            return gather_unused(t, e, &o, q);
    if (o.bodies.len == 0)
        return x;
    if (is_permutation(&o, extents, from, axes))
        return simplify_here(t, term_transpose(t, axes, o.indices.len, x));
    if (x->kind == EXPR_REPLICATE &&
        simplify_in_range(t, o.bodies.at[0], from.at[0], o.indices, extents))
        return gather_replicate(t, e, &o);
    if (x->kind == EXPR_TRANSPOSE && o.bodies.len >= x->transpose.axes.len)
        return gather_transpose(t, e, &o);
    if (x->kind == EXPR_GATHER && o.bodies.len >= x->gather.indices.len &&
        all_in_range(t, &o, (ExprList){o.bodies.at, x->gather.indices.len}, extents, from))
        return gather_gather(t, e, &o);
    return e;
}

// ---- scatters ----

// scatter sh t (\is. ix), i_q not in ix: dimension q is summed first.
static const Expr *scatter_unused(Terms *t, const Expr *e, const Opened *o, size_t q)
{
    const Expr *x = moved_to(t, e->scatter.array, q, true);
    const Expr *sum = simplify_here(t, term_reduce(t, REDUCTION_SUM, x));
    return simplify_here(t, term_scatter(t, term_shape(e), sum, without(t, o->indices, q),
                                         o->bodies));
}

// A component that is one variable of the binder, plus or minus it, and what has none; `rest` is
// what to add to or take from the place to have the variable back.
static bool solve(Terms *t, const Opened *o, const Expr *component, size_t *variable,
                  const Expr *target, const Expr **solved)
{
    Arena *a = terms_arena(t);
    Poly p;
    size_t found = o->indices.len;
    int64_t factor = 0;
    if (!term_poly(t, component, &p))
        return false;
    for (size_t i = 0; i < p.len; i++)
        for (size_t k = 0; k < p.at[i].names.len; k++)
            for (size_t v = 0; v < o->indices.len; v++)
                if (p.at[i].names.at[k] == o->indices.at[v]->name.id) {
                    if (factor != 0 || p.at[i].names.len != 1)
                        return false;
                    found = v;
                    factor = p.at[i].factor;
                }
    if (factor != 1 && factor != -1)
        return false;
    Poly name = poly_name(a, o->indices.at[found]->name.id);
    Poly rest = poly_sub(a, p, poly_mul(a, poly_number(a, factor), name));
    Poly q = poly_sub(a, poly_name(a, target->name.id), rest);
    *variable = found;
    *solved = term_of_poly(t, poly_mul(a, poly_number(a, factor), q));
    return true;
}

// scatter sh t (\is. ix) = gather sh t (\js. is), where each j gives one i.
static const Expr *scatter_solved(Terms *t, const Expr *e, const Opened *o)
{
    size_t n = o->indices.len;
    const Expr **targets = ARENA_ARRAY(terms_arena(t), const Expr *, n + 1);
    const Expr **place = ARENA_ARRAY(terms_arena(t), const Expr *, n + 1);
    if (o->bodies.len != n)
        return e;
    for (size_t i = 0; i < n; i++) {
        size_t v;
        const Expr *solved;
        targets[i] = term_variable(t);
        if (!solve(t, o, o->bodies.at[i], &v, targets[i], &solved) || place[v] != NULL)
            return e;
        place[v] = solved;
    }
    return simplify_here(t, term_gather(t, term_shape(e), e->scatter.array,
                                        (ExprList){targets, n}, (ExprList){place, n}));
}

const Expr *simplify_scatter(Terms *t, const Expr *e)
{
    Opened o = term_open(t, e);
    if (term_is_float(e->scatter.array, 0.0) || term_is_int(e->scatter.array, 0))
        return term_zero(t, e->ty);
    for (size_t q = 0; q < o.indices.len; q++)
        if (!is_used(t, o.bodies, o.indices.at[q]))
            return scatter_unused(t, e, &o, q);
    if (o.bodies.len == 0)
        return e->scatter.array;
    return scatter_solved(t, e, &o);
}
