// nest_bound.c - sums of which only elements on one side of a diagonal are read: those that
// `y[r, c] if c < r else 0.0` chooses. The loops that add to them skip the others, which keep their
// first value, 0, and are never read.
//
// A table says what is read of each term of a block: nothing, all, or the elements within bounds. A
// bound says by how much one index exceeds another one at most.

#include "compiler/pass/ad/nest_internal.h"

typedef struct Reads {
    Nest    *n;
    Table   *of;                // Bounds * of what is read; no bounds: all, NULL: nothing
    ExprList at;                // an index for each dimension
    Table   *seen;              // of a test
} Reads;

static int64_t larger(int64_t x, int64_t y) { return x > y ? x : y; }

// What is read by one or the other is within the wider ones of their bounds.
static Bounds either(Arena *a, const Bounds *x, const Bounds *y)
{
    Bounds both = {0};
    for (size_t i = 0; i < x->len; i++)
        for (size_t k = 0; k < y->len; k++)
            if (x->at[i].of == y->at[k].of && x->at[i].by == y->at[k].by)
                vec_push(a, &both, ((Bound){x->at[i].of, x->at[i].by,
                                            larger(x->at[i].most, y->at[k].most)}));
    return both;
}

static void add_read(Reads *r, const Expr *e, const Bounds *within)
{
    Arena *a = r->n->arena;
    const Bounds *old = table_get(r->of, e);
    Bounds *new = ARENA_NEW(a, Bounds);
    *new = old == NULL ? *within : either(a, old, within);
    table_set(r->of, e, new);
}

// ---- what a test says of the indices ----

// d is at most this.
static void add_most(Reads *r, Poly d, int64_t most, Bounds *to)
{
    enum { FAR = 1 << 20 };
    Arena *a = r->n->arena;
    int64_t more;
    for (size_t i = 0; i < r->at.len; i++)
        for (size_t k = 0; k < r->at.len; k++) {
            Poly apart = poly_sub(a, poly_name(a, r->at.at[i]->name.id),
                                  poly_name(a, r->at.at[k]->name.id));
            if (i != k && poly_is_number(poly_sub(a, d, apart), &more) && more < FAR && more > -FAR)
                vec_push(a, to, ((Bound){i, k, most - more}));
        }
}

static void add_compare(Reads *r, const Expr *e, bool holds, Bounds *to)
{
    Arena *a = r->n->arena;
    Cmpop op = e->compare.ops.at[0];
    bool less = op == CMPOP_LT || op == CMPOP_LT_E, more = op == CMPOP_GT || op == CMPOP_GT_E;
    bool strict = op == CMPOP_LT || op == CMPOP_GT;
    Poly x, y;
    if (!term_poly(r->n->t, e->compare.left, &x) ||
        !term_poly(r->n->t, e->compare.comparators.at[0], &y))
        return;
    int64_t most = (less || more) && strict == holds ? -1 : 0;
    bool equal = holds ? op == CMPOP_EQ : op == CMPOP_NOT_EQ;
    if (equal || ((less || more) && less == holds))
        add_most(r, poly_sub(a, x, y), most, to);
    if (equal || ((less || more) && more == holds))
        add_most(r, poly_sub(a, y, x), most, to);
}

static bool is_not(const Expr *e)
{
    static const char *const names[] = {"logical_not", NULL};
    return (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT) ||
           (e->kind == EXPR_CALL && sym_is_one_of(term_function(e), names));
}

static void add_test(Reads *r, const Expr *e, bool holds, Bounds *to)
{
    ExprList parts = term_parts(r->n->t, e);
    bool both = e->kind == EXPR_BIN_OP &&
                e->bin_op.op == (holds ? OPERATOR_BIT_AND : OPERATOR_BIT_OR);
    if (table_get(r->seen, e) != NULL)
        return;
    table_set(r->seen, e, r);
    for (size_t i = 0; i < parts.len && (both || is_not(e)); i++)
        add_test(r, parts.at[i], holds == both, to);
    if (e->kind == EXPR_COMPARE)
        add_compare(r, e, holds, to);
}

// It compares indices, or numbers that are made of them.
static bool may_bound(Reads *r, const Expr *test)
{
    ExprList parts = term_parts(r->n->t, test);
    if (table_get(r->seen, test) != NULL)
        return false;
    table_set(r->seen, test, r);
    if (test->kind == EXPR_COMPARE)
        return term_elem(test->compare.left) == ELEM_INT;
    bool found = false;
    for (size_t i = 0; i < parts.len && (nest_is_view(test) || term_is_elementwise(test)); i++)
        found = found || may_bound(r, parts.at[i]);
    return found;
}

// Where a test of each element is so.
static Bounds chosen(Reads *r, const Expr *test, bool holds, const Bounds *within)
{
    Nest *n = r->n;
    Exprs at = {0};
    Bounds all = {0};
    for (size_t i = 0; i < within->len; i++)
        vec_push(n->arena, &all, within->at[i]);
    r->seen = table_new(n->arena);
    if (!may_bound(r, test))
        return all;
    while (term_rank(test) > 0) {
        vec_push(n->arena, &at, term_variable(n->t));
        test = pull_at(n, test, at.at[at.len - 1]);
    }
    r->at = (ExprList){at.at, at.len};
    r->seen = table_new(n->arena);
    add_test(r, test, holds, &all);
    return all;
}

// ---- what is read of the parts of a term ----

// Dimension i of one is dimension of[i] of the other; of[i] == SIZE_MAX: it has none.
static Bounds moved(Arena *a, const Bounds *within, const size_t *of)
{
    Bounds all = {0};
    for (size_t i = 0; i < within->len; i++) {
        const Bound *x = &within->at[i];
        if (of[x->of] != SIZE_MAX && of[x->by] != SIZE_MAX)
            vec_push(a, &all, ((Bound){of[x->of], of[x->by], x->most}));
    }
    return all;
}

static const size_t *dimensions(Reads *r, const Expr *e)
{
    size_t rank = term_rank(e);
    if (e->kind == EXPR_TRANSPOSE)
        return term_axes(r->n->t, e);
    size_t *of = ARENA_ARRAY(r->n->arena, size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        of[i] = e->kind == EXPR_REDUCE ? i + 1 : i - 1;
    return of;
}

static void read_parts(Reads *r, const Expr *e)
{
    Bounds all = {0}, part = {0};
    const Bounds *within = table_get(r->of, e);
    ExprList parts = nest_parts(r->n, e);
    bool choice = e->kind == EXPR_WHERE && term_is_elementwise(e) && term_rank(e) > 1;
    bool moves = nest_is_view(e) || e->kind == EXPR_REDUCE;
    if (moves)
        all = moved(r->n->arena, within, dimensions(r, e));
    for (size_t i = 0; i < parts.len; i++) {
        bool same = term_is_elementwise(e) && term_rank(parts.at[i]) == term_rank(e);
        part = same ? *within : all;
        if (choice && i > 0)
            part = chosen(r, parts.at[0], i == 1, within);
        add_read(r, parts.at[i], &part);
    }
}

void nest_find_bounds(Block *b, ExprList order)
{
    const Bounds all = {0};
    Reads r = {.n = b->n, .of = table_new(b->n->arena)};
    bool some = false;
    for (size_t i = 0; i < order.len; i++)
        some = some || (order.at[i]->kind == EXPR_WHERE && term_rank(order.at[i]) > 1);
    b->bounds = r.of;
    if (!some)
        return;
    ExprList roots = nest_roots(b);
    for (size_t i = 0; i < roots.len; i++)
        add_read(&r, roots.at[i], &all);
    for (size_t i = order.len; i-- > 0;)
        read_parts(&r, order.at[i]);
}

Bounds nest_bounds_of(const Block *b, const Expr *sum)
{
    const Bounds *within = table_get(b->bounds, sum);
    return within == NULL ? (Bounds){0} : *within;
}

// ---- loops ----

// What bounds the rounds of an item: its last one, or its first.
static const Bound *bound_of(Nest *n, const Item *item, const Expr *v, bool last)
{
    ExprList at = item->to.index;
    const Bounds *all = &item->to.store->bounds;
    for (size_t i = 0; i < all->len && item->mode == MODE_SUM && !item->fresh; i++) {
        const Bound *x = &all->at[i];
        const Expr *own = at.at[last ? x->of : x->by], *other = at.at[last ? x->by : x->of];
        if (own == v && other != NULL && other != v && other->kind == EXPR_NAME &&
            !in_strip(n, other) && table_get(n->values, other->name.id) != NULL)
            return x;
    }
    return NULL;
}

// The index that all of them are bound by, and the widest of the bounds; NULL: there is none.
static const Expr *bound_by(Nest *n, const Items *items, const Expr *v, bool last, Bound *widest)
{
    const Expr *by = NULL;
    for (size_t i = 0; i < items->len; i++) {
        const Bound *x = bound_of(n, &items->at[i], v, last);
        if (x == NULL)
            return NULL;
        const Expr *other = items->at[i].to.index.at[last ? x->by : x->of];
        if (by != NULL && by != other)
            return NULL;
        *widest = by == NULL || x->most > widest->most ? *x : *widest;
        by = other;
    }
    return by == NULL ? NULL : table_get(n->values, by->name.id);
}

static const Expr *moved_by(Nest *n, const Expr *x, int64_t more)
{
    return more == 0  ? x
           : more > 0 ? nest_binary(n, x, OPERATOR_ADD, nest_int(n, more))
                      : nest_binary(n, x, OPERATOR_SUB, nest_int(n, -more));
}

void nest_bound_rounds(Nest *n, const Items *items, const Expr *v, const Expr **first,
                       const Expr **end)
{
    Bound widest = {0, 0, 0};
    const Expr *by = bound_by(n, items, v, true, &widest);
    if (by != NULL) {
        TyList shape = items->at[0].to.store->shape;
        bool inside = widest.most <= 0 && shape.at[widest.of] == shape.at[widest.by];
        const Expr *at = moved_by(n, by, widest.most + 1);
        *end = inside ? at : nest_min(n, *end, at);
    }
    by = bound_by(n, items, v, false, &widest);
    if (by != NULL) {
        const Expr *at = moved_by(n, by, -widest.most);
        *first = widest.most <= 0 ? at : nest_max(n, *first, at);
    }
}
