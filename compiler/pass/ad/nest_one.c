// nest_one.c - terms where a size is 1. An array of one row is its row, replicated, and a sum over
// rows is what is summed: what is left has no loop over them.

#include "compiler/pass/ad/nest_internal.h"
#include "compiler/pass/ad/simplify.h"

typedef struct One { Terms *t; Sym name; Pull first; bool loops; } One;

static const Ty *size_where_one(One *o, const Ty *size)
{
    Arena *a = terms_arena(o->t);
    Poly all = size_poly(o->t, size), p = all;
    for (size_t i = 0; i < all.len; i++)
        for (size_t k = 0; k < all.at[i].names.len; k++) {
            const Poly *of = size_clamped_of(o->t, all.at[i].names.at[k]);
            if (of == NULL)
                continue;
            const Ty *length = size_where_one(o, size_of_poly(o->t, *of));
            p = poly_with(a, p, all.at[i].names.at[k], size_poly(o->t, size_clamped(o->t, length)));
        }
    return size_of_poly(o->t, poly_with(a, p, o->name, poly_number(a, 1)));
}

static TyList shape_where_one(One *o, const Expr *e)
{
    TyList shape = term_shape(e);
    const Ty **at = ARENA_ARRAY(terms_arena(o->t), const Ty *, shape.len + 1);
    for (size_t i = 0; i < shape.len; i++)
        at[i] = size_where_one(o, shape.at[i]);
    return (TyList){at, shape.len};
}

static const Expr *name_where_one(One *o, const Expr *e)
{
    if (term_rank(e) == 0)
        return e->name.id == o->name ? term_int(o->t, 1) : e;
    TyList shape = shape_where_one(o, e);
    const Expr *x = term_name(o->t, e->name.id, term_ty(o->t, term_elem(e), shape));
    if (x == e || !size_is(o->t, shape.at[0], 1))
        return x;
    const Expr *row = term_index(o->t, x, term_list(o->t, term_int(o->t, 0), NULL));
    return term_replicate(o->t, shape.at[0], row);
}

// The sum, the largest and the least of one element.
static const Expr *reduce_where_one(One *o, const Expr *e)
{
    Reduction op = e->reduce.op;
    bool place = op == REDUCTION_ARG_MAX || op == REDUCTION_ARG_MIN;
    const Expr *x = e->reduce.array;
    return place || !size_is(o->t, term_shape(x).at[0], 1) ? e : pull(&o->first, x, 0);
}

// The first row of what is computed is computed alone.
static const Expr *row_where_one(One *o, const Expr *e)
{
    const Expr *x = e->subscript.value;
    ExprList place = e->subscript.slice->tuple.elts;
    if (x->kind == EXPR_NAME || x->kind == EXPR_SUBSCRIPT ||
        !size_is(o->t, term_shape(x).at[0], 1))
        return e;
    return term_index(o->t, pull(&o->first, x, 0), term_drop(place, 1));
}

static const Expr *step(TermPass *p, const Expr *e)
{
    One *o = p->cx;
    Terms *t = o->t;
    if (e->kind == EXPR_NAME)
        return name_where_one(o, e);
    TyList shape = shape_where_one(o, e);
    Opened in = term_open(t, e);
    switch ((int)e->kind) {
    case EXPR_CALL:      return term_is_iota(e) ? term_iota(t, shape.at[0]) : e;
    case EXPR_BUILD:     return term_build(t, in.indices.at[0], shape.at[0], in.bodies.at[0]);
    case EXPR_GATHER:    return term_gather(t, shape, e->gather.array, in.indices, in.bodies);
    case EXPR_SCATTER:   return term_scatter(t, shape, e->scatter.array, in.indices, in.bodies);
    case EXPR_SUBSCRIPT: return row_where_one(o, e);
    case EXPR_REDUCE:    return reduce_where_one(o, e);
    case EXPR_REPLICATE: return term_replicate(t, shape.at[0], e->replicate.array);
    case EXPR_RESHAPE:   return term_reshape(t, shape, e->reshape.array);
    case EXPR_ONE_HOT:   return term_one_hot(t, shape, e->one_hot.place, e->one_hot.value);
    }
    o->loops = o->loops || e->kind == EXPR_LOOP;
    return e;
}

// False: nothing changed.
static bool change_all(TermPass p, const Expr **terms, size_t len)
{
    bool changed = false;
    for (size_t i = 0; i < len; i++) {
        const Expr *old = terms[i];
        terms[i] = term_rewrite(&p, old);
        changed = changed || terms[i] != old;
    }
    return changed;
}

// A rule may make another one apply: all are tried a few times.
static void settle(One *o, const Expr **terms, size_t len)
{
    enum { ROUNDS = 4 };
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed; round++) {
        Simplifier s;
        simplify_open(&s, o->t);
        changed = change_all((TermPass){.terms = o->t, .step = step, .cx = o}, terms, len);
        changed |= change_all(s.pass, terms, len);
    }
}

// A result of one row is computed as that row.
static const Expr *as_row(One *o, const Expr *e)
{
    bool one = term_rank(e) > 0 && size_is(o->t, term_shape(e).at[0], 1);
    return !one ? e : term_replicate(o->t, term_shape(e).at[0], pull(&o->first, e, 0));
}

bool nest_where_one(Terms *t, const Ty *size, ExprList *params, ExprList *terms)
{
    Nest n = {.t = t, .arena = terms_arena(t), .parts = table_new(terms_arena(t))};
    One o = {t, size->kind == TY_TYPE_VAR ? size->type_var.name : NULL,
             {.n = &n, .index = term_int(t, 0)}, false};
    if (o.name == NULL || size_clamped_of(t, o.name) != NULL)
        return false;
    const Expr **given = ARENA_ARRAY(terms_arena(t), const Expr *, params->len + 1);
    const Expr **new = ARENA_ARRAY(terms_arena(t), const Expr *, terms->len + 1);
    for (size_t i = 0; i < params->len; i++) {
        const Expr *x = params->at[i];
        given[i] = term_name(t, x->name.id, term_ty(t, term_elem(x), shape_where_one(&o, x)));
    }
    for (size_t i = 0; i < terms->len; i++)
        new[i] = terms->at[i];
    settle(&o, new, terms->len);
    for (size_t i = 0; i < terms->len; i++)
        new[i] = as_row(&o, new[i]);
    settle(&o, new, terms->len);
    *params = (ExprList){given, params->len};
    *terms = (ExprList){new, terms->len};
    return !o.loops;
}
