// nest_pull.c - what is left of a term when one of its dimensions is fixed to an index: the rules
// of `bulk` the other way round. What is stored is read there; everything else is computed there.

#include "compiler/pass/ad/nest_internal.h"
#include "compiler/pass/ad/simplify.h"
#include "compiler/pass/ad/simplify_internal.h"

bool nest_in_range(Nest *n, const Expr *index, const Ty *size)
{
    const Expr *x = index->kind == EXPR_SUBSCRIPT ? index->subscript.value : NULL;
    if (n->below != NULL && x != NULL && x->kind == EXPR_NAME &&
        table_get(n->below, x->name.id) == size)
        return true;
    return simplify_in_range(n->t, index, size, n->variables, n->extents);
}

static TyList without(Terms *t, TyList shape, size_t q)
{
    return shape_join(t, (TyList){shape.at, q}, shape_drop(shape, q + 1));
}

static ExprList list_without(Terms *t, ExprList list, size_t q)
{
    return term_join(t, (ExprList){list.at, q}, term_drop(list, q + 1));
}

// x[:, i]: of what is stored.
static const Expr *read_at(Pull *p, const Expr *x, size_t q)
{
    Terms *t = p->n->t;
    if (q == 0)
        return term_index(t, x, term_list(t, p->index, NULL));
    Exprs indices = {0};
    for (size_t i = 0; i < q; i++)
        vec_push(p->n->arena, &indices, term_variable(t));
    ExprList is = {indices.at, indices.len};
    return term_gather(t, without(t, term_shape(x), q), x, is,
                       term_join(t, is, term_list(t, p->index, NULL)));
}

// Whether the place is one; NULL: it is proved to be.
const Expr *nest_range_test(Nest *n, ExprList place, TyList sizes)
{
    Terms *t = n->t;
    const Expr *test = NULL;
    for (size_t i = 0; i < place.len; i++) {
        if (nest_in_range(n, place.at[i], sizes.at[i]))
            continue;
        const Expr *low = term_compare(t, CMPOP_LT_E, term_int(t, 0), place.at[i]);
        const Expr *high = term_compare(t, CMPOP_LT, place.at[i], term_of_size(t, sizes.at[i]));
        const Expr *both = term_binary(t, OPERATOR_BIT_AND, low, high);
        test = test == NULL ? both : term_binary(t, OPERATOR_BIT_AND, test, both);
    }
    return test;
}

static bool has_any(Terms *t, const Expr *e, ExprList variables)
{
    for (size_t i = 0; i < variables.len; i++)
        if (term_has(t, e, variables.at[i]))
            return true;
    return false;
}

const Expr *nest_gather(Terms *t, TyList shape, const Expr *x, ExprList indices, ExprList place)
{
    if (place.len > 0)
        return term_gather(t, shape, x, indices, place);
    for (size_t i = indices.len; i-- > 0;)
        x = term_replicate(t, shape.at[i], x);
    return x;
}

// What is read where it is stored, whatever the place: nothing is gained by another name for it.
static bool is_read_there(const Expr *e)
{
    switch ((int)e->kind) {
    case EXPR_NAME: case EXPR_RESHAPE: case EXPR_LOOP: case EXPR_ARG_SORT: return true;
    case EXPR_SCATTER:   return e->scatter.indices.len > 0;
    case EXPR_SUBSCRIPT: return is_read_there(e->subscript.value);
    }
    return false;
}

const Expr *nest_gathered(Nest *n, const Expr *e)
{
    Terms *t = n->t;
    const Expr *x = e->gather.array;
    if (x->kind == EXPR_NAME || (e->gather.indices.len > 0 && is_read_there(x)))
        return e;
    Opened o = term_open(t, e);
    TyList all = term_shape(x);
    Exprs rest = {0}, fixed = {0};
    Vec(const Ty *) sizes = {0};
    for (size_t q = 0; q < o.bodies.len; q++) {
        if (has_any(t, o.bodies.at[q], o.indices)) {
            vec_push(n->arena, &rest, o.bodies.at[q]);
            continue;
        }
        Pull p = {.n = n, .index = o.bodies.at[q]};
        x = pull(&p, x, rest.len);
        vec_push(n->arena, &fixed, o.bodies.at[q]);
        vec_push(n->arena, &sizes, all.at[q]);
    }
    if (fixed.len == 0)
        return e;
    x = nest_gather(t, term_shape(e), x, o.indices, (ExprList){rest.at, rest.len});
    const Expr *test = nest_range_test(n, (ExprList){fixed.at, fixed.len},
                                       (TyList){sizes.at, sizes.len});
    return test == NULL ? x : term_where(t, test, x, term_zero(t, x->ty));
}

static const Expr *gather_at(Pull *p, const Expr *e, size_t q)
{
    Terms *t = p->n->t;
    Opened o = term_open(t, e);
    TyList shape = without(t, term_shape(e), q);
    const Expr *x = e->gather.array;
    if (q >= o.indices.len)
        return nest_gathered(p->n, term_gather(t, shape,
                                               pull(p, x, o.bodies.len + q - o.indices.len),
                                               o.indices, o.bodies));
    const Expr **bodies = ARENA_ARRAY(p->n->arena, const Expr *, o.bodies.len + 1);
    ExprList variable = {&o.indices.at[q], 1}, value = {&p->index, 1};
    for (size_t i = 0; i < o.bodies.len; i++)
        bodies[i] = term_with(t, o.bodies.at[i], variable, value);
    return nest_gathered(p->n, term_gather(t, shape, x, list_without(t, o.indices, q),
                                      (ExprList){bodies, o.bodies.len}));
}

// One value at one place.
static const Expr *one_hot_at(Pull *p, const Expr *value, ExprList place, TyList shape, size_t q)
{
    Terms *t = p->n->t;
    shape = without(t, shape, q);
    if (q >= place.len)
        return term_one_hot(t, shape, place, pull(p, value, q - place.len));
    const Expr *there = term_compare(t, CMPOP_EQ, place.at[q], p->index);
    const Expr *rest = place.len == 1 ? value
                                      : term_one_hot(t, shape, list_without(t, place, q), value);
    if (place.at[q] == p->index)
        return rest;
    return term_where(t, there, rest, term_zero(t, rest->ty));
}

size_t nest_own_index(TyList from, TyList to, ExprList indices, ExprList at, size_t q)
{
    size_t i = 0;
    while (i < indices.len && !(at.at[q] == indices.at[i] && from.at[i] == to.at[q]))
        i++;
    return i;
}

// All elements are at this index of dimension q.
static bool at_one_place(Terms *t, const Opened *o, const Expr *index, size_t q)
{
    return q < o->bodies.len && o->bodies.at[q] == index && !has_any(t, index, o->indices);
}

static const Expr *scatter_without(Terms *t, TyList shape, const Expr *x, const Opened *o, size_t q)
{
    ExprList rest = list_without(t, o->bodies, q);
    bool own = rest.len == o->indices.len && shape_equal(shape, term_shape(x));
    for (size_t i = 0; i < rest.len && own; i++)
        own = rest.at[i] == o->indices.at[i];
    return own ? x : term_scatter(t, shape, x, o->indices, rest);
}

// Only a dimension that is not scattered, that an index stands for itself in, or in which all
// elements are at one index.
static const Expr *scatter_at(Pull *p, const Expr *e, size_t q)
{
    Terms *t = p->n->t;
    Opened o = term_open(t, e);
    TyList shape = without(t, term_shape(e), q);
    const Expr *x = e->scatter.array;
    if (o.indices.len == 0)
        return one_hot_at(p, x, o.bodies, term_shape(e), q);
    if (q >= o.bodies.len)
        return term_scatter(t, shape, pull(p, x, o.indices.len + q - o.bodies.len), o.indices,
                            o.bodies);
    if (p->rows && at_one_place(t, &o, p->index, q))
        return scatter_without(t, shape, x, &o, q);
    size_t own = nest_own_index(term_shape(x), term_shape(e), o.indices, o.bodies, q);
    if (own == o.indices.len)
        return read_at(p, e, q);
    const Expr **at = ARENA_ARRAY(p->n->arena, const Expr *, o.bodies.len + 1);
    for (size_t i = 0; i < o.bodies.len; i++)
        at[i] = term_with(t, o.bodies.at[i], (ExprList){&o.indices.at[own], 1},
                          (ExprList){&p->index, 1});
    return term_scatter(t, shape, pull(p, x, own), list_without(t, o.indices, own),
                        list_without(t, (ExprList){at, o.bodies.len}, q));
}

const Expr *nest_transpose(Terms *t, const size_t *axes, size_t n, const Expr *x)
{
    size_t own = 0;
    while (own < n && axes[own] == own)
        own++;
    return own == n ? x : term_transpose(t, axes, n, x);
}

static const Expr *transpose_at(Pull *p, const Expr *e, size_t q)
{
    size_t rank = term_rank(e), *axes = term_axes(p->n->t, e), len = 0;
    size_t *rest = ARENA_ARRAY(p->n->arena, size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        if (i != q)
            rest[len++] = axes[i] - (axes[i] > axes[q]);
    return nest_transpose(p->n->t, rest, len, pull(p, e->transpose.array, axes[q]));
}

static const Expr *stack_at(Pull *p, const Expr *e, size_t q)
{
    Terms *t = p->n->t;
    ExprList parts = e->stack.parts;
    if (q == 0)
        return read_at(p, e, 0);
    const Expr **at = ARENA_ARRAY(p->n->arena, const Expr *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++)
        at[i] = pull(p, parts.at[i], q - 1);
    return term_stack(t, (ExprList){at, parts.len});
}

static const Expr *subscript_at(Pull *p, const Expr *e, size_t q)
{
    Terms *t = p->n->t;
    ExprList place = e->subscript.slice->tuple.elts;
    const Expr *x = e->subscript.value;
    if (x->kind != EXPR_NAME)
        return term_index(t, pull(p, x, place.len + q), place);
    return q == 0 ? term_index(t, x, term_join(t, place, term_list(t, p->index, NULL)))
                  : read_at(p, e, q);
}

// A test may be decided where it is asked: whether the row is the column, on the diagonal.
static const Expr *decided(Terms *t, const Expr *e)
{
    bool test = (e->kind == EXPR_COMPARE || e->kind == EXPR_BIN_OP) && term_rank(e) == 0 &&
                term_elem(e) == ELEM_BOOL;
    bool choice = e->kind == EXPR_WHERE && e->where.test->kind == EXPR_CONSTANT;
    return test || choice ? simplify_here(t, e) : e;
}

static const Expr *each_at(Pull *p, const Expr *e, size_t q)
{
    ExprList parts = term_parts(p->n->t, e);
    const Expr **at = ARENA_ARRAY(p->n->arena, const Expr *, parts.len + 1);
    bool choice = e->kind == EXPR_WHERE && term_rank(parts.at[0]) == 0;
    for (size_t i = 0; i < parts.len; i++)
        at[i] = choice && i == 0 ? parts.at[0] : pull(p, parts.at[i], q);
    return decided(p->n->t, term_like(p->n->t, e, (ExprList){at, parts.len}));
}

static const Expr *build_at(Pull *p, const Expr *e, size_t q)
{
    Terms *t = p->n->t;
    Opened o = term_open(t, e);
    if (q > 0)
        return term_build(t, o.indices.at[0], term_shape(e).at[0],
                          pull(p, o.bodies.at[0], q - 1));
    return term_with(t, o.bodies.at[0], o.indices, (ExprList){&p->index, 1});
}

static const Expr *pulled(Pull *p, const Expr *e, size_t q)
{
    Terms *t = p->n->t;
    switch ((int)e->kind) {
    case EXPR_NAME: case EXPR_RESHAPE: case EXPR_LOOP: case EXPR_ARG_SORT:
        return read_at(p, e, q);
    case EXPR_SUBSCRIPT: return subscript_at(p, e, q);
    case EXPR_GATHER:    return gather_at(p, e, q);
    case EXPR_SCATTER:   return scatter_at(p, e, q);
    case EXPR_ONE_HOT:
        return one_hot_at(p, e->one_hot.value, e->one_hot.place, term_shape(e), q);
    case EXPR_TRANSPOSE: return transpose_at(p, e, q);
    case EXPR_STACK:     return stack_at(p, e, q);
    case EXPR_BUILD:     return build_at(p, e, q);
    case EXPR_REDUCE:    return term_reduce(t, e->reduce.op, pull(p, e->reduce.array, q + 1));
    case EXPR_REPLICATE:
        return q == 0 ? e->replicate.array
                      : term_replicate(t, term_shape(e).at[0], pull(p, e->replicate.array, q - 1));
    }
    return term_is_iota(e) ? p->index : each_at(p, e, q);
}

const Expr *pull(Pull *p, const Expr *e, size_t q)
{
    const Expr *known, *new;
    if (q >= sizeof p->done / sizeof *p->done || term_is_atom(e))
        return pulled(p, e, q);
    if (p->done[q] == NULL)
        p->done[q] = table_new(p->n->arena);
    known = table_get(p->done[q], e);
    if (known != NULL)
        return known;
    new = pulled(p, e, q);
    table_set(p->done[q], e, (void *)new);
    return new;
}

const Expr *pull_at(Nest *n, const Expr *e, const Expr *index)
{
    Pull p = {.n = n, .index = index};
    return pull(&p, e, 0);
}

// ---- what is read ----

// Terms of which nothing is bound, under what has something that is: each of the latter once.
typedef struct FreeParts { Nest *n; Exprs found; Table *seen; } FreeParts;

static void add_free_parts(FreeParts *f, const Expr *e, ExprList bound)
{
    Terms *t = f->n->t;
    if (!has_any(t, e, bound)) {
        vec_push(f->n->arena, &f->found, e);
        return;
    }
    if (table_get(f->seen, e) != NULL)
        return;
    table_set(f->seen, e, f);
    ExprList of = term_parts(t, e);
    for (size_t i = 0; i < of.len; i++)
        add_free_parts(f, of.at[i], bound);
    Opened o = term_open(t, e);
    for (size_t i = 0; i < o.bodies.len; i++)
        add_free_parts(f, o.bodies.at[i], term_join(t, bound, o.indices));
}

ExprList nest_parts(Nest *n, const Expr *e)
{
    ExprList parts = term_parts(n->t, e);
    if (e->kind != EXPR_GATHER && e->kind != EXPR_SCATTER && e->kind != EXPR_BUILD)
        return parts;
    const ExprList *known = table_get(n->parts, e);
    if (known != NULL)
        return *known;
    FreeParts f = {n, {0}, table_new(n->arena)};
    Opened o = term_open(n->t, e);
    for (size_t i = 0; i < parts.len; i++)
        vec_push(n->arena, &f.found, parts.at[i]);
    for (size_t i = 0; i < o.bodies.len; i++)
        add_free_parts(&f, o.bodies.at[i], o.indices);
    ExprList *all = ARENA_NEW(n->arena, ExprList);
    *all = (ExprList){f.found.at, f.found.len};
    table_set(n->parts, e, all);
    return *all;
}

// What is stored for each round of the strip has a name that begins with `%s`.
bool in_strip(const Nest *n, const Expr *e)
{
    const TermInfo *info = n->strip == NULL ? NULL : table_get(n->t->info, e);
    for (size_t i = 0; info != NULL && i < info->free.len; i++)
        if (info->free.at[i] == n->strip->name.id ||
            (info->free.at[i][0] == '%' && info->free.at[i][1] == 's'))
            return true;
    return false;
}
