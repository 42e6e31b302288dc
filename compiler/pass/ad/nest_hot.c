// nest_hot.c - sums of what is 0 but at one place: of each round that place alone is computed and
// added to. sum_i where(at[i] == j, x[i, j], 0) has one addition for each i, not one for each j.

#include "compiler/pass/ad/nest_internal.h"

static bool is_finite(const Expr *e)
{
    const Const *number = term_filled_with(e);
    return number != NULL && number->kind == CONST_FLOAT && number->number - number->number == 0.0;
}

// The test whether what is asked about is 0: what that is.
static const Expr *tested_for_zero(Terms *t, const Expr *test, size_t *q)
{
    for (;;) {
        if (test->kind == EXPR_REPLICATE && *q > 0) {
            test = test->replicate.array;
            --*q;
        } else if (test->kind == EXPR_TRANSPOSE) {
            *q = term_axes(t, test)[*q];
            test = test->transpose.array;
        } else {
            break;
        }
    }
    bool zero = test->kind == EXPR_COMPARE && test->compare.ops.at[0] == CMPOP_EQ &&
                term_is_float(test->compare.comparators.at[0], 0.0);
    return zero ? test->compare.left : NULL;
}

// The number that v is if a test is true, the same for all other indices; NULL: not known.
static const Expr *is_then(Terms *t, const Expr *test, const Expr *v)
{
    while (test->kind == EXPR_REPLICATE || test->kind == EXPR_TRANSPOSE)
        test = test->kind == EXPR_REPLICATE ? test->replicate.array : test->transpose.array;
    if (test->kind == EXPR_BIN_OP && test->bin_op.op == OPERATOR_BIT_AND) {
        const Expr *found = is_then(t, test->bin_op.left, v);
        return found != NULL ? found : is_then(t, test->bin_op.right, v);
    }
    if (test->kind != EXPR_COMPARE || test->compare.ops.at[0] != CMPOP_EQ)
        return NULL;
    const Expr *sides[] = {test->compare.left, test->compare.comparators.at[0]};
    for (size_t i = 0; i < 2; i++)
        while (sides[i]->kind == EXPR_REPLICATE)
            sides[i] = sides[i]->replicate.array;
    const Expr *other = sides[0] == v ? sides[1] : sides[1] == v ? sides[0] : NULL;
    return other != NULL && term_rank(other) == 0 && !term_has(t, other, v) ? other : NULL;
}

const Expr *nest_only_true(Nest *n, const Expr *test, size_t q)
{
    Pull p = {.n = n, .index = term_variable(n->t)};
    return is_then(n->t, pull(&p, test, q), p.index);
}

typedef struct Search {
    Nest *n;
    Terms *t;
    unsigned left;              // so many terms still
    bool rows;                  // also where several elements are moved to one row, or column
} Search;

static const Expr *place_of(Search *s, const Expr *e, size_t q);

// A product of 0 is 0 where the other factor is finite.
static const Expr *place_of_product(Search *s, const Expr *x, const Expr *y, size_t q)
{
    const Expr *left = place_of(s, x, q), *right = place_of(s, y, q);
    if (left == right)
        return left;
    return left == NULL && is_finite(x) ? right : right == NULL && is_finite(y) ? left : NULL;
}

static const Expr *place_of_choice(Search *s, const Expr *e, size_t q)
{
    size_t inside = q;
    const Expr *x = e->where.on_true, *tested;
    if (term_rank(e->where.test) < term_rank(e))
        return NULL;
    if (term_is_float(e->where.on_false, 0.0) && nest_only_true(s->n, e->where.test, q) != NULL)
        return nest_only_true(s->n, e->where.test, q);
    tested = term_is_float(x, 0.0) ? tested_for_zero(s->t, e->where.test, &inside) : NULL;
    return tested == NULL ? NULL : place_of(s, tested, inside);
}

// Where all of its elements are, if that is one place.
static const Expr *place_of_scatter(Search *s, const Expr *e, size_t q)
{
    Opened o = term_open(s->t, e);
    if (q >= o.bodies.len || (o.indices.len > 0 && !s->rows))
        return NULL;
    for (size_t i = 0; i < o.indices.len; i++)
        if (term_has(s->t, o.bodies.at[q], o.indices.at[i]))
            return NULL;
    return o.bodies.at[q];
}

// The only index in dimension q where it may be other than 0, whatever the others are; NULL: not
// known.
static const Expr *place_of(Search *s, const Expr *e, size_t q)
{
    ExprList place = {NULL, 0};
    if (s->left == 0)
        return NULL;
    s->left--;
    switch ((int)e->kind) {
    case EXPR_ONE_HOT:   place = e->one_hot.place; break;
    case EXPR_SCATTER:   return place_of_scatter(s, e, q);
    case EXPR_REPLICATE: return q > 0 ? place_of(s, e->replicate.array, q - 1) : NULL;
    case EXPR_TRANSPOSE: return place_of(s, e->transpose.array, term_axes(s->t, e)[q]);
    case EXPR_UNARY_OP:
        return e->unary_op.op == UNARYOP_U_SUB ? place_of(s, e->unary_op.operand, q) : NULL;
    case EXPR_WHERE:     return place_of_choice(s, e, q);
    case EXPR_BIN_OP:
        return e->bin_op.op == OPERATOR_MULT
                   ? place_of_product(s, e->bin_op.left, e->bin_op.right, q) : NULL;
    }
    return q < place.len ? place.at[q] : NULL;
}

static const Expr *only_place(Nest *n, const Expr *e, size_t q, bool rows)
{
    enum { MOST = 100 };
    Search search = {n, n->t, MOST, rows};
    return term_elem(e) == ELEM_FLOAT ? place_of(&search, e, q) : NULL;
}

const Expr *nest_only_place(Nest *n, const Expr *e, size_t q) { return only_place(n, e, q, true); }

static const Expr *place_in(Nest *n, const Expr *e) { return only_place(n, e, 0, false); }

bool nest_is_counted(const Nest *n, const Expr *place)
{
    Poly p;
    if (!term_poly(n->t, place, &p))
        return false;
    for (size_t i = 0; i < p.len; i++)
        for (size_t k = 0; k < p.at[i].names.len; k++)
            if (table_get(n->places, p.at[i].names.at[k]) != NULL)
                return false;
    return true;
}

// The sum of what is 0 but at one place is what is there.
const Expr *nest_hot_sum(Nest *n, const Expr *e)
{
    const Expr *array = e->kind == EXPR_REDUCE && e->reduce.op == REDUCTION_SUM
                            ? e->reduce.array : NULL;
    const Expr *place = array == NULL ? NULL : place_in(n, array);
    if (place == NULL)
        return e;
    const Expr *x = nest_decided(n, pull_at(n, array, place));
    const Expr *test = nest_range_test(n, (ExprList){&place, 1},
                                       (TyList){&term_shape(array).at[0], 1});
    return test == NULL ? x : term_where(n->t, test, x, term_zero(n->t, x->ty));
}

static const Expr *step(TermPass *pass, const Expr *e) { return nest_hot_sum(pass->cx, e); }

static bool has_hot_sum(Nest *n, const Expr *e)
{
    ExprList order = term_order(n->t, term_list(n->t, e, NULL));
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->kind == EXPR_REDUCE && order.at[i]->reduce.op == REDUCTION_SUM &&
            place_in(n, order.at[i]->reduce.array) != NULL)
            return true;
    return false;
}

void nest_hot(Nest *n, Items *items)
{
    TermPass pass = {.terms = n->t, .step = step, .cx = n};
    for (size_t i = 0; i < items->len; i++) {
        Item *item = &items->at[i];
        if (has_hot_sum(n, item->term))
            item->term = term_rewrite(&pass, item->term);
        bool adds = item->mode == MODE_SUM && !item->fresh && item->reduced == 0 &&
                    item->indices.len == 0 && term_rank(item->term) > 0;
        const Expr *place = adds ? place_in(n, item->term) : NULL;
        if (place == NULL || nest_is_counted(n, place))
            continue;                   // loops with such a place are made otherwise
        item->term = nest_decided(n, pull_at(n, item->term, place));
        item->at = term_join(n->t, item->at, term_list(n->t, place, NULL));
    }
}
