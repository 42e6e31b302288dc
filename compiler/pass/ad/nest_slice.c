// nest_slice.c - slices of sums: (sum_k x[k, i] for i in range(4))[:3] sums for three i, not for
// four. A slice moves into the operands of what it is a slice of, as far as that saves work.
//
// What is also read elsewhere stays whole: a slice of it would be computed once more.

#include "compiler/pass/ad/nest_internal.h"

typedef struct Slices { Nest *n; Table *uses; } Slices;

// Elements `first`, .. of dimension `q`.
typedef struct Slice { size_t q; int64_t first; const Ty *size; } Slice;

static const Expr *slice(Slices *s, const Expr *e, Slice at);

static TyList shape_of(Slices *s, const Expr *e, Slice at)
{
    TyList shape = term_shape(e);
    return shape_join(s->n->t, (TyList){shape.at, at.q},
                      shape_cons(s->n->t, at.size, shape_drop(shape, at.q + 1)));
}

static Slice in_dimension(Slice at, size_t q) { return (Slice){q, at.first, at.size}; }

static const Expr *slice_each(Slices *s, ExprList parts, const Expr *like, Slice at)
{
    const Expr **to = ARENA_ARRAY(s->n->arena, const Expr *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++)
        to[i] = term_rank(parts.at[i]) > 0 ? slice(s, parts.at[i], at) : parts.at[i];
    return term_like(s->n->t, like, (ExprList){to, parts.len});
}

// What is read at its own indices, those of the slice further on.
static const Expr *slice_read(Slices *s, const Expr *e, Slice at)
{
    Terms *t = s->n->t;
    Exprs indices = {0}, place = {0};
    for (size_t i = 0; i <= at.q; i++) {
        const Expr *v = term_variable(t), *from = term_int(t, i == at.q ? at.first : 0);
        vec_push(s->n->arena, &indices, v);
        vec_push(s->n->arena, &place, term_binary(t, OPERATOR_ADD, v, from));
    }
    return term_gather(t, shape_of(s, e, at), e, (ExprList){indices.at, indices.len},
                       (ExprList){place.at, place.len});
}

static const Expr *slice_gather(Slices *s, const Expr *e, Slice at)
{
    Terms *t = s->n->t;
    Opened o = term_open(t, e);
    const Expr *x = e->gather.array, *v = term_variable(t);
    if (at.q >= o.indices.len) {
        x = slice(s, x, in_dimension(at, o.bodies.len + at.q - o.indices.len));
        return term_gather(t, shape_of(s, e, at), x, o.indices, o.bodies);
    }
    const Expr *further = term_binary(t, OPERATOR_ADD, v, term_int(t, at.first));
    const Expr **indices = ARENA_ARRAY(s->n->arena, const Expr *, o.indices.len + 1);
    const Expr **place = ARENA_ARRAY(s->n->arena, const Expr *, o.bodies.len + 1);
    for (size_t i = 0; i < o.indices.len; i++)
        indices[i] = i == at.q ? v : o.indices.at[i];
    for (size_t i = 0; i < o.bodies.len; i++)
        place[i] = term_with(t, o.bodies.at[i], (ExprList){&o.indices.at[at.q], 1},
                             (ExprList){&further, 1});
    return term_gather(t, shape_of(s, e, at), x, (ExprList){indices, o.indices.len},
                       (ExprList){place, o.bodies.len});
}

static const Expr *slice(Slices *s, const Expr *e, Slice at)
{
    Terms *t = s->n->t;
    if (term_shape(e).at[at.q] == at.size)
        return e;
    if ((uintptr_t)table_get(s->uses, e) > 1)
        return slice_read(s, e, at);
    switch ((int)e->kind) {
    case EXPR_GATHER: return slice_gather(s, e, at);
    case EXPR_REDUCE:
        return term_reduce(t, e->reduce.op, slice(s, e->reduce.array, in_dimension(at, at.q + 1)));
    case EXPR_REPLICATE:
        return at.q == 0 ? term_replicate(t, at.size, e->replicate.array)
                         : term_replicate(t, term_shape(e).at[0],
                                          slice(s, e->replicate.array,
                                                in_dimension(at, at.q - 1)));
    case EXPR_TRANSPOSE:
        return term_transpose(t, term_axes(t, e), term_rank(e),
                              slice(s, e->transpose.array,
                                    in_dimension(at, term_axes(t, e)[at.q])));
    case EXPR_STACK:
        return at.q == 0 ? slice_read(s, e, at)
                         : slice_each(s, e->stack.parts, e, in_dimension(at, at.q - 1));
    }
    bool each = (term_is_elementwise(e) || e->kind == EXPR_WHERE) && !term_is_iota(e);
    return each ? slice_each(s, term_parts(t, e), e, at) : slice_read(s, e, at);
}

// A slice of each dimension that the gather goes along; false: it is none.
static bool read_slices(Slices *s, const Expr *e, Slice *to)
{
    Terms *t = s->n->t;
    Opened o = term_open(t, e);
    TyList from = term_shape(e->gather.array), shape = term_shape(e);
    bool is = o.indices.len == o.bodies.len;
    for (size_t q = 0; q < o.indices.len && is; q++) {
        Poly place, index, left;
        int64_t rest;
        to[q] = (Slice){q, 0, shape.at[q]};
        is = term_poly(t, o.bodies.at[q], &place) && term_poly(t, o.indices.at[q], &index) &&
             poly_is_number(poly_sub(s->n->arena, place, index), &to[q].first) && to[q].first >= 0;
        if (!is)
            break;
        left = poly_sub(s->n->arena, size_poly(t, from.at[q]), size_poly(t, shape.at[q]));
        is = poly_is_number(left, &rest) && rest >= to[q].first;
    }
    return is;
}

static bool has_sum(Slices *s, const Expr *e)
{
    ExprList order = term_order(s->n->t, term_list(s->n->t, e, NULL));
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->kind == EXPR_REDUCE)
            return true;
    return false;
}

static const Expr *step_from(TermPass *pass, const Expr *original, const Expr *e)
{
    Slices *s = pass->cx;
    if (e != original || e->kind != EXPR_GATHER || e->gather.array->kind == EXPR_NAME ||
        (uintptr_t)table_get(s->uses, e->gather.array) != 1 || !has_sum(s, e->gather.array))
        return e;
    const Expr *x = e->gather.array;
    Slice *slices = ARENA_ARRAY(s->n->arena, Slice, e->gather.indices.len + 1);
    if (!read_slices(s, e, slices))
        return e;
    for (size_t q = 0; q < e->gather.indices.len; q++)
        x = slice(s, x, slices[q]);
    return x;
}

const Expr *nest_sliced(Nest *n, const Expr *root)
{
    Slices s = {n, table_new(n->arena)};
    ExprList order = term_order(n->t, term_list(n->t, root, NULL));
    for (size_t i = 0; i < order.len; i++) {
        ExprList parts = nest_parts(n, order.at[i]);
        for (size_t k = 0; k < parts.len; k++)
            table_set(s.uses, parts.at[k],
                      (void *)((uintptr_t)table_get(s.uses, parts.at[k]) + 1));
    }
    TermPass pass = {.terms = n->t, .step_from = step_from, .cx = &s};
    return term_rewrite(&pass, root);
}
